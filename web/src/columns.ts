// SPDX-License-Identifier: Apache-2.0
// A histogram for each column of what is known of the nodes. A brush over numbers or a click on a category is a filter;
// the nodes that pass all of them stand out in every other histogram.
import { drawing, element } from "./dom";
import { Column, ColumnsInfo } from "./protocol";
import { Which } from "./state";
import { Filter, brushed, readWhere, withFilter, writeWhere } from "./where";
import { count, end, percent, plain, short } from "./words";

export interface ColumnsEars {
    /** Filters while one is being drawn. */
    preview(where: string): void;
    filter(where: string): void;
    /** A category under the pointer, as a filter of its own; null: none. */
    hover(where: string | null): void;
}

export interface ColumnCounts {
    info: ColumnsInfo;
    all: Uint32Array;
    inside: Uint32Array | null;
}

const BINS = 32;
const HEIGHT = 34;
/** Categories that are shown at once. */
const FEW = 6;

interface Row {
    update(all: Uint32Array, inside: Uint32Array | null, filter: Filter | null): void;
}

export class ColumnsView {
    readonly root = element("div", { class: "columns" });
    columns: Column[] = [];
    private filters: Filter[] = [];
    private rows: Row[] = [];
    private shape = "";

    constructor(private readonly ears: ColumnsEars) {}

    /** Shows counts. Elements stay while the columns are the same, so that a drag goes on. */
    update({ info, all, inside }: ColumnCounts, which: Which): void {
        this.filters = readWhere(which.where);
        const shape = JSON.stringify(info.columns);
        if (shape !== this.shape) this.build(info.columns);
        this.shape = shape;
        this.rows.forEach((row, k) => {
            const part = (counts: Uint32Array) => counts.subarray(k * BINS, (k + 1) * BINS);
            row.update(part(all), inside && part(inside), this.filters.find((one) => one.column === k) ?? null);
        });
    }

    /** Another graph: nothing is known of its columns. */
    forget(): void {
        this.filters = [];
        this.shape = "";
        this.build([]);
    }

    private build(columns: Column[]): void {
        this.columns = columns;
        const made = columns.map((column, k) => (column.kind === "number" ? this.number(column, k) : this.category(column, k)));
        this.rows = made.map(({ row }) => row);
        this.root.replaceChildren(...made.map(({ root }) => root));
    }

    private put(k: number, filter: Filter | null, isDraft = false): void {
        const where = writeWhere(withFilter(this.filters, k, filter));
        if (isDraft) this.ears.preview(where);
        else this.ears.filter(where);
    }

    // ---- numbers ----

    private number(column: Column, k: number): { root: HTMLElement; row: Row } {
        const all = drawing("path", { class: "all" }), inside = drawing("path", { class: "inside" });
        const plot = drawing("svg", { viewBox: `0 0 ${BINS * 4} ${HEIGHT}`, preserveAspectRatio: "none", class: "histogram", role: "img" }, all, inside);
        const brush = element("i", { class: "brush", hidden: true });
        const field = element("div", { class: "field", title: "Drag to filter, double click to show all" }, plot, brush);
        const boxes = this.ends(column, k);
        const rooted = element("span", { class: "rooted", title: "Most nodes are in one bar: heights are by the square root, so that the others are seen", hidden: true }, "√");
        this.listen(field, brush, column, k);
        const root = element(
            "figure", { class: "column", "data-column": k },
            element("figcaption", {}, element("span", { class: "name", title: column.name }, plain(column.name), rooted), element("span", { class: "range" }, boxes.from, "–", boxes.to)),
            field,
        );
        return {
            root,
            row: {
                update: (every, some, filter) => {
                    const most = every.reduce((a, b) => Math.max(a, b), 1), isSteep = steep(every);
                    rooted.hidden = !isSteep;
                    all.setAttribute("d", bars(every, most, isSteep));
                    inside.setAttribute("d", bars(some ?? every, most, isSteep));
                    const range = filter && "low" in filter ? filter : null;
                    plot.setAttribute("aria-label", wordsOf(column, some ?? every) + (range ? `, only those from ${short(range.low)} to ${short(range.high)}` : ""));
                    if (!field.dataset["drags"]) place(brush, column, range);
                    boxes.show(range);
                },
            },
        };
    }

    /** The ends of the range as fields, for keys and exact numbers. */
    private ends(column: Column, k: number): { from: HTMLInputElement; to: HTMLInputElement; show(range: { low: number; high: number } | null): void } {
        const take = () => {
            const low = from.value.trim() === "" ? column.low : Number(from.value.replace("−", "-"));
            const high = to.value.trim() === "" ? column.high : Number(to.value.replace("−", "-"));
            const isAll = low <= column.low && high >= column.high;
            if (Number.isFinite(low) && Number.isFinite(high)) this.put(k, isAll ? null : { column: k, low: Math.min(low, high), high: Math.max(low, high) });
        };
        const box = (words: string, value: number): HTMLInputElement => element("input", {
            type: "text", inputmode: "decimal", autocomplete: "off", class: "number", "aria-label": `${column.name}, ${words}`,
            placeholder: end(value, column.low, column.high), onchange: take,
        });
        const from = box("from", column.low), to = box("to", column.high);
        const show = (range: { low: number; high: number } | null) => {
            if (document.activeElement !== from) from.value = range ? String(Number(range.low.toPrecision(4))) : "";
            if (document.activeElement !== to) to.value = range ? String(Number(range.high.toPrecision(4))) : "";
        };
        return { from, to, show };
    }

    private listen(field: HTMLElement, brush: HTMLElement, column: Column, k: number): void {
        let from = 0, moved = false;
        const share = (event: PointerEvent) => {
            const box = field.getBoundingClientRect();
            return Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)));
        };
        field.addEventListener("pointerdown", (event) => {
            if (event.button > 0) return;
            field.setPointerCapture(event.pointerId);
            field.dataset["drags"] = "1";
            (from = share(event)), (moved = false);
        });
        field.addEventListener("pointermove", (event) => {
            if (!field.dataset["drags"]) return;
            if (!moved && Math.abs(share(event) - from) < 0.012) return;
            moved = true;
            const filter = brushed(k, column, from, share(event));
            place(brush, column, filter as { low: number; high: number });
            this.put(k, filter, true);
        });
        const stop = (event: PointerEvent) => {
            if (!field.dataset["drags"]) return;
            delete field.dataset["drags"];
            if (moved) this.put(k, brushed(k, column, from, share(event)));
        };
        field.addEventListener("pointerup", stop);
        field.addEventListener("pointercancel", stop);
        field.addEventListener("dblclick", () => this.put(k, null));
    }

    // ---- categories ----

    private category(column: Column, k: number): { root: HTMLElement; row: Row } {
        const rows = column.names.map((name, i) => this.categoryRow(k, name, i));
        const rest = rows.slice(FEW).map(({ button }) => button);
        const root = element(
            "figure", { class: "column", "data-column": k }, element("figcaption", {}, element("span", { class: "name", title: column.name }, plain(column.name))),
            ...rows.slice(0, FEW).map(({ button }) => button),
            rest.length > 0 && element("details", {}, element("summary", {}, `${count(rest.length)} more`), ...rest),
        );
        return {
            root,
            row: {
                update: (all, inside, filter) => {
                    const most = all.reduce((a, b) => Math.max(a, b), 1);
                    rows.forEach(({ show }, i) => show(all[i] ?? 0, inside ? inside[i] ?? 0 : null, most, filter !== null && "category" in filter && filter.category === i));
                },
            },
        };
    }

    private categoryRow(k: number, name: string, i: number): { button: HTMLElement; show(all: number, inside: number | null, most: number, isOn: boolean): void } {
        const fill = element("i", { class: "fill" }), other = element("i", { class: "other" }), said = element("span", { class: "count" });
        const light = () => this.ears.hover(writeWhere([{ column: k, category: i }])), dark = () => this.ears.hover(null);
        const button: HTMLElement = element(
            "button", { type: "button", class: "category", onpointerenter: light, onpointerleave: dark, onfocus: light, onblur: dark, "aria-pressed": "false", "data-category": i,
                onclick: () => this.put(k, button.getAttribute("aria-pressed") === "true" ? null : { column: k, category: i }) },
            element("span", { class: "name" }, plain(name)), said, element("span", { class: "bar" }, other, fill),
        );
        const show = (all: number, inside: number | null, most: number, isOn: boolean) => {
            other.style.width = `${(100 * all) / most}%`;
            fill.style.width = `${(100 * (inside ?? all)) / most}%`;
            said.textContent = inside === null ? count(all) : `${count(inside)} of ${count(all)}`;
            button.title = `${plain(name)}: ${inside === null ? count(all) : `${count(inside)} of ${count(all)} (${percent(inside, all)})`}`;
            button.setAttribute("aria-pressed", String(isOn));
        };
        return { button, show };
    }
}

/** Whether one bar has more than half of all, beside which the others are not seen. */
export function steep(counts: ArrayLike<number>): boolean {
    let sum = 0, most = 0;
    for (let i = 0; i < counts.length; i++) (sum += counts[i]!), (most = Math.max(most, counts[i]!));
    return 2 * most > sum && most < sum;
}

/** Bars of a histogram as one path; `isRooted`: heights are by the square root. */
export function bars(counts: ArrayLike<number>, most: number, isRooted = false): string {
    let path = "";
    for (let i = 0; i < counts.length; i++) {
        if (!counts[i]) continue;
        const share = counts[i]! / most, height = Math.max(1, HEIGHT * (isRooted ? Math.sqrt(share) : share));
        path += `M${4 * i + 0.25} ${HEIGHT}v${-Number(height.toFixed(2))}h3.5V${HEIGHT}z`;
    }
    return path;
}

/** A histogram for those who do not see it. */
function wordsOf({ name, low, high }: Column, counts: Uint32Array): string {
    const all = counts.reduce((a, b) => a + b, 0), most = counts.indexOf(counts.reduce((a, b) => Math.max(a, b), 0));
    const at = (bin: number) => short(low + ((high - low) * bin) / BINS);
    return `${plain(name)} of ${count(all)} nodes, from ${short(low)} to ${short(high)}, most often from ${at(most)} to ${at(most + 1)} (${percent(counts[most]!, all)})`;
}

function place(brush: HTMLElement, { low, high }: Column, range: { low: number; high: number } | null): void {
    brush.hidden = range === null;
    if (!range) return;
    const at = (value: number) => (100 * Math.min(1, Math.max(0, (value - low) / Math.max(1e-30, high - low))));
    brush.style.left = `${at(range.low)}%`;
    brush.style.width = `${Math.max(0.6, at(range.high) - at(range.low))}%`;
}
