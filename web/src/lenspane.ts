// SPDX-License-Identifier: Apache-2.0
// The pane of the lens, below or beside the map: what the cover sees, linked with the map both ways. A drag selects the
// nodes of a region.
import { element, icon, later } from "./dom";
import { Engine } from "./engine";
import { Grid } from "./grid";
import { Latest } from "./latest";
import { LensData, NO_MARK, Region, cellsAt, lensDataOf, marksOfCell, nextCell, readRegion, writeRegion } from "./lensdata";
import { LensPlot, PlotLight } from "./lensplot";
import { DARK, LIGHT } from "./paint";
import { Axis, LensViewInfo } from "./protocol";
import { Picture } from "./scene";
import { Which } from "./state";
import { count, counted, plain, short } from "./words";

export interface LensPaneEars {
    /** Marks under the pointer or the keyboard, and the node if it is one; null: none. */
    light(marks: number[] | null, node: number | null): void;
    /** A region that is being drawn; null: none. */
    preview(box: Which | null): void;
    region(box: Which | null): void;
    pick(marks: number[], adds: boolean): void;
    tell(text: string): void;
    fail(error: unknown): void;
    closed(): void;
}

interface Question {
    serial: number;
    axes: string;
}

type Dock = "bottom" | "right";
const KEY = "dgm-lens-pane";
/** A press that moves no more than this is a click. */
const STEADY = 4;
const REACH = 9;
/** While a slider moves, views that take longer than this (in milliseconds) wait for its end. */
const SLOW = 60;

function stored(): { dock: Dock; size: number } {
    try {
        const [dock, size] = (localStorage.getItem(KEY) ?? "").split(" ");
        return { dock: dock === "right" ? "right" : "bottom", size: Number(size) || 0 };
    } catch {
        return { dock: "bottom", size: 0 };
    }
}

export class LensPane {
    private readonly canvas: HTMLCanvasElement;
    private readonly said: HTMLElement;
    private readonly selects: HTMLElement;
    private readonly clear: HTMLButtonElement;
    private readonly turn: HTMLButtonElement;
    private readonly grip: HTMLElement;
    private readonly table: HTMLElement;
    private readonly plot: LensPlot;
    private readonly views: Latest<Question, LensData>;
    private readonly light: PlotLight = { cells: [], mark: -1, point: -1, place: null, cursor: -1, region: null, lit: null, isShare: false };
    private where = stored();
    private data: LensData | null = null;
    private picture: Picture | null = null;
    private axes: number[] | null = null;
    private names = "";
    private grid: Grid | null = null;
    private press: { x: number; y: number; from: number[]; moved: boolean; carries: Region | null; adds: boolean } | null = null;
    private draft: Region | null = null;
    private chosen: Region | null = null;
    private waits = false;
    private took = 0;
    isDark = false;

    constructor(private readonly host: HTMLElement, engine: Engine, private readonly ears: LensPaneEars) {
        this.canvas = element("canvas", {
            id: "lens-plot", tabindex: 0, role: "application", "aria-describedby": "lens-said",
            "aria-label": "The lens and the cells of its cover. Arrow keys move between cells, Enter selects the nodes of one.",
        });
        this.said = element("p", { class: "subtitle", id: "lens-said" });
        this.selects = element("span", { class: "selects" });
        this.clear = this.button("close-brush", "Clear the region (double click)", "reset", () => this.ears.region(null));
        this.turn = this.button("dock", "Beside the map", "dock", () => this.dock(this.where.dock === "bottom" ? "right" : "bottom"));
        this.grip = element("div", { class: "grip", role: "separator", tabindex: 0, "aria-label": "Size of the lens view" });
        this.table = element("div", { class: "hidden", id: "lens-table" });
        host.append(
            this.grip,
            element("header", {}, element("h2", {}, "Lens"), this.selects, this.said, this.clear, this.turn,
                this.button("close-lens", "Close the lens view (V)", "close", () => this.toggle(false))),
            element("div", { class: "plot" }, this.canvas), this.table,
        );
        this.plot = new LensPlot(this.canvas);
        this.views = new Latest(async ({ serial, axes }) => lensDataOf(await engine.ask<LensViewInfo>("lens_view", { serial: String(serial), ...(axes ? { axes } : {}) })), {
            answer: (data, question) => this.show(data, question),
            fail: (error) => this.ears.fail(error),
            busy: () => undefined,
        });
        this.dock(this.where.dock);
        this.listen();
    }

    private button(id: string, help: string, name: "reset" | "dock" | "close", run: () => void): HTMLButtonElement {
        return element("button", { type: "button", class: "plain", id, "aria-label": help, title: help, onclick: run }, icon(name));
    }

    get isOpen(): boolean {
        return !this.host.hidden;
    }

    toggle(open = !this.isOpen): void {
        if (open === this.isOpen) return;
        this.host.hidden = !open;
        this.unlight();
        if (open && this.picture) void this.follow(this.picture);
        if (!open) this.ears.closed();
    }

    // ---- docking ----

    private dock(dock: Dock): void {
        if (dock !== this.where.dock) this.where.size = 0;
        this.where.dock = dock;
        this.host.parentElement!.dataset["dock"] = dock;
        this.grip.setAttribute("aria-orientation", dock === "bottom" ? "horizontal" : "vertical");
        const words = dock === "bottom" ? "Beside the map" : "Below the map";
        this.turn.title = words;
        this.turn.setAttribute("aria-label", words);
        this.size(this.where.size);
    }

    /** Makes the pane this large; 0: as large as it is by itself. */
    private size(pixels: number): void {
        const room = this.host.parentElement!.getBoundingClientRect();
        const most = 0.75 * (this.where.dock === "bottom" ? room.height : room.width) || Infinity;
        this.where.size = pixels ? Math.round(Math.max(130, Math.min(most, pixels))) : 0;
        const size = this.where.size ? `${this.where.size}px` : "";
        this.host.style.flexBasis = size;
        this.grip.setAttribute("aria-valuenow", String(this.where.size));
        try {
            localStorage.setItem(KEY, `${this.where.dock} ${this.where.size}`);
        } catch {
            // It holds until the page is closed.
        }
    }

    private listenToGrip(): void {
        const now = () => (this.where.dock === "bottom" ? this.host.offsetHeight : this.host.offsetWidth);
        this.grip.addEventListener("pointerdown", (event) => {
            this.grip.setPointerCapture(event.pointerId);
            event.preventDefault();
        });
        this.grip.addEventListener("pointermove", (event) => {
            if (!this.grip.hasPointerCapture(event.pointerId)) return;
            const box = this.host.getBoundingClientRect();
            this.size(this.where.dock === "bottom" ? box.bottom - event.clientY : box.right - event.clientX);
        });
        this.grip.addEventListener("dblclick", () => this.size(0));
        this.grip.addEventListener("keydown", (event) => {
            const step = { ArrowUp: 24, ArrowLeft: 24, ArrowDown: -24, ArrowRight: -24 }[event.key];
            if (!step) return;
            event.preventDefault();
            this.size(now() + step);
        });
    }

    // ---- what is shown ----

    /** Another picture: its cells and marks are asked for, unless that takes so long that a slider would stick. Settled when
     * nothing is asked any more. */
    async follow(picture: Picture, isNewest = true): Promise<void> {
        this.picture = picture;
        const names = picture.info.axes.map((axis) => axis.name).join("\n");
        if (names !== this.names) this.axes = null;
        this.names = names;
        if (!this.isOpen) return;
        this.light.mark = this.light.point = -1;
        this.light.cells = [];
        if (!isNewest && this.took > SLOW) return;
        const began = performance.now();
        await this.views.want({ serial: picture.info.serial, axes: this.axes ? this.axes.join(",") : "" });
        this.took = performance.now() - began;
    }

    private show(data: LensData, question: Question): void {
        if (question.serial !== this.picture?.info.serial) return;
        this.data = data;
        this.grid = null;
        if (this.light.cursor >= data.info.cells) this.light.cursor = -1;
        this.plot.show(data);
        this.offerAxes(this.picture.info.axes, data.info.axes.map((axis) => axis.number));
        this.say();
        this.redraw();
        this.tabulate();
        this.host.dataset["serial"] = String(question.serial);
        this.host.dataset["cells"] = String(data.info.cells);
    }

    /** Which axes are shown: two of several, or one alone. */
    private offerAxes(all: Axis[], shown: number[]): void {
        this.selects.hidden = all.length < 2;
        const key = JSON.stringify([all.map((axis) => axis.name), shown]);
        if (this.selects.dataset["key"] === key || this.selects.hidden) return;
        this.selects.dataset["key"] = key;
        const select = (k: number, words: string): HTMLSelectElement => {
            const rows = all.map((axis, i) => element("option", { value: i, selected: shown[k] === i, disabled: shown[1 - k] === i }, plain(axis.name)));
            if (k === 1) rows.push(element("option", { value: -1, selected: shown[1] === undefined }, "histogram"));
            const made: HTMLSelectElement = element("select", { id: `lens-axis-${k}`, "aria-label": words, title: words, onchange: () => this.chooseAxis(k, Number(made.value), shown) }, ...rows);
            return made;
        };
        const had = document.activeElement?.id;
        this.selects.replaceChildren(select(0, "Axis from left to right"), select(1, "Axis upwards"));
        if (had?.startsWith("lens-axis")) document.getElementById(had)?.focus();
    }

    private chooseAxis(k: number, axis: number, shown: number[]): void {
        const next = [...shown];
        next[k] = axis;
        this.axes = next.filter((one) => one >= 0);
        if (this.picture) void this.follow(this.picture);
    }

    /** Another graph: nothing is known of its lens. */
    forget(): void {
        this.data = this.picture = this.axes = this.grid = this.press = this.draft = this.chosen = null;
        Object.assign(this.light, { cells: [], mark: -1, point: -1, place: null, cursor: -1, lit: null });
        this.said.textContent = "";
        this.clear.hidden = true;
        this.table.replaceChildren();
        this.plot.clear();
        this.redraw();
    }

    /** What is selected, so that it shows here too. */
    select(which: Which | null, lit: ArrayLike<number> | null, isShare: boolean): void {
        this.chosen = which ? readRegion(which) : null;
        this.clear.hidden = this.chosen === null;
        Object.assign(this.light, { lit, isShare });
        this.plot.renew();
        this.say();
        this.redraw();
    }

    themed(isDark: boolean): void {
        this.isDark = isDark;
        this.plot.renew();
        this.redraw();
    }

    /** A mark of the map is under the pointer. */
    hoverMark(mark: number): void {
        if (mark === this.light.mark || !this.isOpen) return;
        this.light.mark = mark;
        this.redraw();
    }

    /** A node of a table is under the pointer: where its lens lies. */
    hoverPlace(place: number[] | null): void {
        this.light.place = place;
        this.redraw();
    }

    /** A node of a drawing is under the pointer: its place where it is one of the points, and a mark that it is in. */
    hoverNode(node: number, mark: number): void {
        const { data } = this, at = data && node >= 0 ? data.pnode.indexOf(node) : -1;
        const place: number[] = [];
        data?.info.axes.forEach((axis, k) => (place[axis.number] = (k ? data.py : data.px)[at] ?? NaN));
        this.hoverMark(mark);
        this.hoverPlace(at < 0 ? null : place);
    }

    private redraw(): void {
        if (this.waits || !this.isOpen) return;
        this.waits = true;
        requestAnimationFrame(() => {
            this.waits = false;
            this.light.region = this.draft ?? this.chosen;
            this.plot.paint(this.isDark ? DARK : LIGHT, this.light);
        });
    }

    private say(): void {
        const { data } = this;
        if (!data) return;
        const what = data.isFlat ? "interval" : "box";
        const cells = data.info.cells ? counted(data.info.cells, what, what === "box" ? "boxes" : "intervals") : "this cover has no intervals to draw";
        const part = data.info.stride > 1 ? ` · one point for ${count(data.info.stride)} nodes` : "";
        this.said.textContent = cells + part;
    }

    private cellWords(cell: number): string {
        const data = this.data!, dims = data.info.axes.length;
        const ranges = data.info.axes.map((axis, k) => `${plain(axis.name)} ${short(data.low[cell * dims + k]!)} to ${short(data.high[cell * dims + k]!)}`);
        return `${ranges.join(", ")} · ${counted(marksOfCell(data, cell).length, "mark")}`;
    }

    /** The cells as a table that can be read aloud, once sliders stand still. */
    private readonly tabulate = later(500, () => {
        const { data } = this;
        if (!data || !this.isOpen) return;
        const dims = data.info.axes.length, marks = new Uint32Array(data.info.cells);
        data.markCell.forEach((cell) => cell < marks.length && marks[cell]!++);
        const head = [...data.info.axes.flatMap((axis) => [`${axis.name} from`, "to"]), "marks"];
        const rows = Array.from({ length: Math.min(200, data.info.cells) }, (_, cell) =>
            [...data.info.axes.flatMap((_axis, k) => [short(data.low[cell * dims + k]!), short(data.high[cell * dims + k]!)]), String(marks[cell])]);
        this.table.replaceChildren(element("table", {}, element("caption", {}, "Cells of the cover"),
            element("thead", {}, element("tr", {}, ...head.map((words) => element("th", { scope: "col" }, words)))),
            element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((words) => element("td", {}, words)))))));
    });

    // ---- pointer ----

    private listen(): void {
        const { canvas } = this;
        new ResizeObserver(() => this.resized()).observe(canvas.parentElement!);
        canvas.addEventListener("pointerdown", (event) => this.down(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.up(event));
        canvas.addEventListener("pointercancel", () => this.abandon());
        canvas.addEventListener("pointerleave", () => this.press || this.unlight());
        canvas.addEventListener("dblclick", () => this.chosen && this.ears.region(null));
        canvas.addEventListener("keydown", (event) => this.key(event));
        canvas.addEventListener("blur", () => ((this.light.cursor = -1), this.unlight()));
        this.listenToGrip();
    }

    private resized(): void {
        const box = this.canvas.parentElement!.getBoundingClientRect();
        if (box.width < 2 || box.height < 2) return;
        this.plot.resize(box.width, box.height);
        this.grid = null;
        this.light.region = this.draft ?? this.chosen;
        this.plot.paint(this.isDark ? DARK : LIGHT, this.light);
    }

    private local(event: PointerEvent): [number, number] {
        const box = this.canvas.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    }

    private valuesAt(x: number, y: number): number[] {
        return this.data!.isFlat ? [this.plot.x.inside(x)] : [this.plot.x.inside(x), this.plot.y.inside(y)];
    }

    private down(event: PointerEvent): void {
        if (event.button > 0 || !this.data) return;
        this.canvas.setPointerCapture(event.pointerId);
        const [x, y] = this.local(event);
        const carries = this.holds(this.chosen, x, y) ? this.chosen : null;
        this.press = { x, y, from: this.valuesAt(x, y), moved: false, carries, adds: event.shiftKey || event.ctrlKey || event.metaKey };
    }

    /** Whether a region on the axes that are shown lies under a pixel. */
    private holds(region: Region | null, x: number, y: number): boolean {
        const shown = this.data!.info.axes.map((axis) => axis.number);
        if (!region || region.axes.join() !== shown.join()) return false;
        const values = this.valuesAt(x, y);
        return region.ends.every(([low, high], k) => values[k]! >= low && values[k]! <= high);
    }

    private move(event: PointerEvent): void {
        if (!this.data) return;
        const [x, y] = this.local(event);
        if (!this.press) return this.hover(x, y, event.pointerType);
        if (!this.press.moved && Math.hypot(x - this.press.x, y - this.press.y) < STEADY) return;
        this.press.moved = true;
        this.unlight();
        this.draft = this.drag(this.press, this.valuesAt(x, y));
        this.ears.preview(writeRegion(this.draft));
        this.redraw();
    }

    private drag(press: NonNullable<LensPane["press"]>, to: number[]): Region {
        const axes = this.data!.info.axes.map((axis) => axis.number);
        if (press.carries) {
            const shift = to.map((value, k) => value - press.from[k]!);
            return { axes, ends: press.carries.ends.map(([low, high], k) => [low + shift[k]!, high + shift[k]!]) };
        }
        return { axes, ends: press.from.map((from, k) => [Math.min(from, to[k]!), Math.max(from, to[k]!)]) };
    }

    private up(event: PointerEvent): void {
        const press = this.press;
        this.press = null;
        if (!press || !this.data) return;
        if (press.moved && this.draft) {
            const box = writeRegion(this.draft);
            this.draft = null;
            this.ears.region(box);
        } else this.click(press.x, press.y, press.adds, event.pointerType);
        this.redraw();
    }

    private abandon(): void {
        this.press = null;
        this.draft = null;
        this.ears.preview(null);
        this.redraw();
    }

    private click(x: number, y: number, adds: boolean, kind: string): void {
        const { point, cells } = this.under(x, y, kind === "touch" ? 2 * REACH : REACH);
        const mark = point >= 0 ? this.data!.pmark[point]! : NO_MARK;
        if (mark !== NO_MARK) return this.ears.pick([mark], adds);
        const marks = cells.slice(0, 1).flatMap((cell) => marksOfCell(this.data!, cell));
        if (marks.length) this.ears.pick(marks, adds);
        else if (this.chosen) this.ears.region(null);
    }

    /** The point under a pixel, and the cells. */
    private under(x: number, y: number, reach = REACH): { point: number; cells: number[] } {
        const data = this.data!;
        if (data.isFlat) {
            const own = this.plot.intervalAt(x, y);
            return { point: -1, cells: own >= 0 ? [own] : cellsAt(data, [this.plot.x.value(x)]) };
        }
        if (!this.grid) this.grid = new Grid(Float32Array.from(data.px, (v) => this.plot.x.at(v)), Float32Array.from(data.py, (v) => this.plot.y.at(v)));
        const near = this.grid.nearest(x, y);
        const far = near < 0 ? Infinity : Math.hypot(this.plot.x.at(data.px[near]!) - x, this.plot.y.at(data.py[near]!) - y);
        const point = far <= reach ? near : -1;
        return { point, cells: cellsAt(data, [this.plot.x.value(x), this.plot.y.value(y)]) };
    }

    private hover(x: number, y: number, kind: string): void {
        if (kind === "touch") return;
        const { point, cells } = this.under(x, y);
        const mark = point >= 0 ? this.data!.pmark[point]! : NO_MARK;
        if (mark !== NO_MARK) return this.lightPoint(point, mark);
        this.lightCells(this.data!.isFlat ? cells : cells.slice(0, 1));
    }

    private lightPoint(point: number, mark: number): void {
        if (this.light.point === point) return;
        Object.assign(this.light, { point, mark, cells: [] });
        this.said.textContent = plain(this.picture?.info.names[mark] ?? "");
        this.ears.light([mark], this.data!.pnode[point]!);
        this.redraw();
    }

    private lightCells(cells: number[]): void {
        if (this.light.point < 0 && cells.join() === this.light.cells.join()) return;
        Object.assign(this.light, { point: -1, mark: -1, cells });
        if (cells.length) this.said.textContent = this.cellWords(cells[0]!) + (cells.length > 1 ? ` and ${counted(cells.length - 1, "more cell")}` : "");
        else this.say();
        this.ears.light(cells.length ? cells.flatMap((cell) => marksOfCell(this.data!, cell)) : null, null);
        this.redraw();
    }

    private unlight(): void {
        if (this.light.point < 0 && !this.light.cells.length && this.light.mark < 0) return;
        Object.assign(this.light, { point: -1, mark: -1, cells: [] });
        this.ears.light(null, null);
        this.say();
        this.redraw();
    }

    // ---- keys ----

    private key(event: KeyboardEvent): void {
        const { data } = this;
        if (!data || event.ctrlKey || event.metaKey || event.altKey) return;
        const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        if (way && data.info.cells) this.walk(data, way[0]!, way[1]!);
        else if (event.key === "Enter" && this.light.cursor >= 0) this.takeCell(data, this.light.cursor);
        else if (event.key === "Escape" && (this.chosen || this.press)) this.press ? this.abandon() : this.ears.region(null);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    private walk(data: LensData, dx: number, dy: number): void {
        this.light.cursor = this.light.cursor < 0 ? 0 : nextCell(data, this.light.cursor, dx, dy);
        this.lightCells([this.light.cursor]);
        this.ears.tell(`Cell ${this.light.cursor + 1} of ${data.info.cells}: ${this.cellWords(this.light.cursor)}`);
    }

    private takeCell(data: LensData, cell: number): void {
        const dims = data.info.axes.length;
        // Ends come as floats: a little more, so that the nodes at the ends are in.
        const ends = data.info.axes.map((axis, k): [number, number] => {
            const slack = 1e-6 * (axis.high - axis.low);
            return [data.low[cell * dims + k]! - slack, data.high[cell * dims + k]! + slack];
        });
        this.ears.region(writeRegion({ axes: data.info.axes.map((axis) => axis.number), ends }));
    }
}
