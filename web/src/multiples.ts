// SPDX-License-Identifier: Apache-2.0
// The grid of small multiples: the summary at other intervals and overlaps, one to click, and what lasts from fine to
// coarse. Its pictures are asked for one after another, and only while no slider waits.
import { byId, element, icon } from "./dom";
import { Engine, EngineError } from "./engine";
import { PersistenceView } from "./lasting";
import { Persistence, Settings, SmallPicture, Start, ThumbnailInfo } from "./protocol";
import { Picture } from "./scene";
import { smallOf, thumb } from "./thumb";
import { GridColumn, GridRow, MultiplesPlan, planOf } from "./tower";
import { count, counted, percent } from "./words";

export interface MultiplesHost {
    picture(): Picture | null;
    /** Whether a picture is under way, which goes first. */
    isBusy(): boolean;
    /** Sets several settings in one step that can be taken back. */
    open(settings: Settings): void;
    fail(error: unknown): void;
    tell(text: string): void;
}

interface Drawn {
    info: ThumbnailInfo;
    small: SmallPicture;
}

interface Cell {
    button: HTMLElement;
    settings: Settings;
    key: string;
    /** Cells near the settings that are shown come first. */
    distance: number;
}

const WIDTH = 132, HEIGHT = 96;
/** So many drawings are kept. */
const KEPT = 300;

export class Multiples {
    private readonly said: HTMLElement;
    private readonly stop: HTMLButtonElement;
    private readonly body: HTMLElement;
    private readonly grid: HTMLElement;
    private readonly lasting: PersistenceView;
    private readonly host: HTMLElement;
    private drawn = new Map<string, Drawn | string>();
    private persistence = new Map<string, Persistence>();
    private plan: MultiplesPlan | null = null;
    private cells: Cell[] = [];
    private turn = 0;
    private shape = "";

    constructor(private readonly engine: Engine, private readonly start: Start, private readonly page: MultiplesHost) {
        this.host = byId("multiples");
        this.said = element("p", { class: "subtitle", role: "status" });
        this.stop = element("button", { type: "button", class: "small", id: "grid-stop", onclick: () => this.halt() }, "Stop");
        this.grid = element("div", { class: "grid-host" });
        this.lasting = new PersistenceView();
        this.body = element("div", { class: "body" }, this.grid, this.lasting.root);
        this.host.append(
            element("header", {}, element("div", {}, element("h2", {}, "Intervals and overlap"), this.said), this.stop,
                element("button", { type: "button", class: "plain", "aria-label": "Close the grid", title: "Close (Esc)", id: "grid-close", onclick: () => this.close() }, icon("close"))),
            this.body,
        );
        this.host.addEventListener("keydown", (event) => this.key(event));
    }

    get isOpen(): boolean {
        return !this.host.hidden;
    }

    toggle(): void {
        if (this.isOpen) return void this.close();
        this.host.hidden = false;
        byId("open-grid").setAttribute("aria-pressed", "true");
        this.shape = "";
        this.follow();
        this.grid.querySelector<HTMLElement>("[aria-current]")?.focus({ preventScroll: true });
    }

    /** Closes the grid; false where it was not open. */
    close(): boolean {
        if (!this.isOpen) return false;
        this.turn++;
        const had = this.host.contains(document.activeElement);
        this.host.hidden = true;
        byId("open-grid").setAttribute("aria-pressed", "false");
        if (had) byId("map").focus({ preventScroll: true });
        return true;
    }

    /** Another graph: the drawings were of the last. */
    forget(): void {
        this.close();
        this.drawn = new Map();
        this.persistence = new Map();
        this.shape = "";
    }

    private halt(): void {
        this.turn++;
        this.stop.hidden = true;
        this.said.textContent = "Stopped.";
    }

    /** Another picture is shown: the grid is around its settings. */
    follow(): void {
        const picture = this.page.picture();
        if (!picture || !this.isOpen) return;
        const { settings, axes } = picture.info;
        this.plan = planOf(settings, axes.length, this.start.options);
        const shape = JSON.stringify([settings, axes]);
        if (shape !== this.shape) this.build(this.plan, shape);
        this.shape = shape;
        void this.work(++this.turn, picture.info.serial);
    }

    private build(plan: MultiplesPlan, shape: string): void {
        this.cells = [];
        const middle = { row: plan.rows.findIndex((row) => row.isNow), column: plan.columns.findIndex((column) => column.isNow) };
        const head = element("tr", {}, element("th", { class: "corner", scope: "col" }, `overlap ↓ ${plan.noun} →`), ...plan.columns.map((column) => element("th", { scope: "col" }, column.words)));
        const rows = plan.rows.map((row, i) => element("tr", {}, element("th", { scope: "row" }, row.words),
            ...plan.columns.map((column, j) => this.cell(row, column, shape, Math.abs(i - middle.row) + Math.abs(j - middle.column)))));
        this.grid.replaceChildren(element("table", { class: "multiples" }, element("caption", { class: "hidden" }, "The summary at other intervals and overlaps"), element("thead", {}, head), element("tbody", {}, ...rows)));
        this.cells.sort((a, b) => a.distance - b.distance);
    }

    private cell(row: GridRow, column: GridColumn, shape: string, distance: number): HTMLElement {
        const settings = { ...column.settings, ...(row.overlap === null ? {} : { overlap: row.overlap }) };
        const isNow = row.isNow && column.isNow;
        const button = element("button", {
            type: "button", class: "multiple", "aria-current": isNow ? "true" : null, "data-row": row.words, "data-column": column.words,
            onclick: () => (this.close(), this.page.open(settings)),
        });
        const cell: Cell = { button, settings, key: JSON.stringify([shape, settings]), distance };
        this.cells.push(cell);
        this.fill(cell);
        return element("td", {}, button);
    }

    private fill({ button, key, settings }: Cell): void {
        const drawn = this.drawn.get(key);
        const name = Object.entries(settings).map(([what, value]) => `${what} ${value}`).join(", ");
        if (drawn === undefined || typeof drawn === "string") {
            button.replaceChildren(element("span", { class: "thumb empty" }), element("span", { class: "about" }, drawn ?? "…"));
            button.setAttribute("aria-label", `${name}: ${drawn ?? "not drawn yet"}`);
            return;
        }
        const { clusters, topology, coverage } = drawn.info;
        const words = [counted(clusters, "cluster"), topology && `${counted(topology.b0, "piece")}, ${counted(topology.b1, "loop")}`].filter(Boolean) as string[];
        button.title = `${name}: ${words.join(", ")}, ${percent(coverage.covered, coverage.nodes)} of nodes`;
        button.setAttribute("aria-label", button.title);
        button.replaceChildren(thumb(drawn.small, WIDTH, HEIGHT), ...words.map((line, k) => element("span", { class: k ? "about" : "name" }, line)));
    }

    // ---- asking ----

    private async work(turn: number, serial: number): Promise<void> {
        const isOver = () => turn !== this.turn || !this.isOpen;
        this.stop.hidden = false;
        for (const cell of [...this.cells]) {
            this.count();
            if (this.drawn.has(cell.key)) continue;
            await this.quiet(isOver);
            if (isOver()) return;
            await this.draw(cell);
            if (isOver()) return;
        }
        this.count();
        await this.last(isOver, serial);
        if (!isOver()) this.stop.hidden = true;
    }

    private count(): void {
        const there = this.cells.filter((cell) => this.drawn.has(cell.key)).length;
        const isDone = there === this.cells.length;
        this.said.textContent = isDone ? "Click one to open it. The frame is what the map shows." : `${count(there)} of ${count(this.cells.length)} drawn`;
        this.host.dataset["drawn"] = `${there}/${this.cells.length}`;
    }

    /** Waits while the map has a picture under way. */
    private async quiet(isOver: () => boolean): Promise<void> {
        while (this.page.isBusy() && !isOver()) await new Promise((done) => setTimeout(done, 60));
    }

    private async draw(cell: Cell, patience = 3): Promise<void> {
        const { drawn } = this;
        try {
            const answer = await this.engine.ask<ThumbnailInfo>("thumbnail", cell.settings);
            keep(drawn, cell.key, { info: answer.json, small: smallOf(answer) });
        } catch (error) {
            if (error instanceof EngineError && error.stale) return patience ? this.draw(cell, patience - 1) : undefined;
            if (error instanceof EngineError && error.status === 0) return this.halt();
            keep(drawn, cell.key, error instanceof Error ? error.message : String(error));
        }
        this.fill(cell);
    }

    /** What lasts from fine to coarse, for each overlap. */
    private async last(isOver: () => boolean, serial: number): Promise<void> {
        const { rows, towers } = this.plan!;
        const { shape, persistence } = this;
        this.lasting.begin(towers.length > 0, this.plan!.noun === "intervals");
        for (const row of rows)
            for (const tower of towers) {
                const settings: Settings = { intervals: tower.join(","), ...(row.overlap === null ? {} : { overlap: row.overlap }) };
                const key = JSON.stringify([shape, settings]);
                await this.quiet(isOver);
                if (isOver()) return;
                try {
                    const known = persistence.get(key) ?? (await this.engine.ask<Persistence>("persistence", { serial: String(serial), ...settings })).json;
                    persistence.set(key, known);
                    if (isOver()) return;
                    this.lasting.add(row, known);
                } catch (error) {
                    if (error instanceof EngineError && error.stale) return;
                    this.lasting.refuse(row, error instanceof Error ? error.message : String(error));
                }
            }
        this.lasting.end();
    }

    // ---- keys ----

    private key(event: KeyboardEvent): void {
        if (event.key === "Escape") return event.stopPropagation(), void this.close();
        const way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
        const cell = (event.target as HTMLElement).closest("td");
        if (!way || !cell) return;
        event.preventDefault();
        const row = cell.parentElement as HTMLTableRowElement, body = row.parentElement as HTMLTableSectionElement;
        const next = body.rows[row.sectionRowIndex + way[0]!]?.cells[(cell as HTMLTableCellElement).cellIndex + way[1]!];
        next?.querySelector("button")?.focus();
    }
}

function keep(kept: Map<string, Drawn | string>, key: string, drawn: Drawn | string): void {
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string);
    kept.set(key, drawn);
}
