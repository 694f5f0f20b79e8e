// SPDX-License-Identifier: Apache-2.0
// The confusion matrix of the whole graph. Rows are classes, columns what the classifier says; a field is a button that
// selects its nodes.
import { element } from "./dom";
import { MistakesInfo } from "./protocol";
import { count, percent, plain } from "./words";

export interface Confusion {
    info: MistakesInfo;
    matrix: Uint32Array;
}

/** How dark a field is: what share of its row it has, the eye being slow with small shares. */
export function shade(value: number, row: number): number {
    return value > 0 && row > 0 ? 0.1 + 0.75 * Math.sqrt(value / row) : 0;
}

export interface MatrixEars {
    /** A field ("0,2") was chosen; null: none any more. */
    pick(field: string | null): void;
    /** A field is under the pointer or has the focus. */
    hover(field: string | null): void;
    colourOf(name: string): string | null;
}

export class MatrixView {
    readonly root = element("div", { class: "matrix" });
    private shown = "";
    private fields = new Map<string, HTMLElement>();
    private pressed = "";
    private classes = 0;

    constructor(private readonly ears: MatrixEars) {}

    update({ info, matrix }: Confusion, field: string | undefined): void {
        const key = JSON.stringify([info, [...matrix], info.classes.map((name) => this.ears.colourOf(name))]);
        if (key !== this.shown) this.build(info, matrix);
        this.shown = key;
        this.press(field ?? "");
    }

    private press(field: string): void {
        this.fields.get(this.pressed)?.setAttribute("aria-pressed", "false");
        this.fields.get(field)?.setAttribute("aria-pressed", "true");
        this.pressed = field;
    }

    private build(info: MistakesInfo, matrix: Uint32Array): void {
        this.fields = new Map();
        const { classes } = info, n = (this.classes = classes.length);
        const head = element("tr", {}, element("th", { scope: "col", class: "corner" }, "class ↓ said →"), ...classes.map((name) => this.heading(name, "col")));
        const rows = classes.map((name, i) => {
            const own = matrix.subarray(i * n, (i + 1) * n), sum = own.reduce((a, b) => a + b, 0);
            return element("tr", {}, this.heading(name, "row"), ...classes.map((_, j) => this.field(classes, i, j, own[j]!, sum)));
        });
        const table = element(
            "table", { class: n > 12 ? "small" : "", "aria-describedby": "matrix-note" },
            element("caption", { class: "hidden" }, "How often which class is taken for which"),
            element("thead", {}, head), element("tbody", {}, ...rows),
        );
        table.addEventListener("keydown", (event) => this.key(event, table));
        this.root.replaceChildren(
            element("p", { class: "note", id: "matrix-note" }, `${count(info.wrong)} of ${count(info.judged)} judged nodes are wrong (${percent(info.wrong, info.judged)}). A field selects its nodes; arrow keys move.`),
            element("div", { class: "scroll" }, table),
        );
        this.root.querySelector("td button")?.setAttribute("tabindex", "0");
    }

    private heading(name: string, scope: "col" | "row"): HTMLElement {
        const colour = this.ears.colourOf(name);
        const dot = colour ? element("i", { class: "dot" }) : null;
        if (dot) dot.style.background = colour!;
        return element("th", { scope, title: plain(name) }, element("span", {}, dot, plain(name)));
    }

    private field(classes: string[], i: number, j: number, value: number, sum: number): HTMLElement {
        const words = `${count(value)} of class ${plain(classes[i]!)} called ${plain(classes[j]!)} (${percent(value, sum)})`;
        const kind = i === j ? "right" : value ? "wrong" : "";
        const made = element("td", { class: kind, title: words });
        made.style.setProperty("--share", String(shade(value, sum)));
        if (!value) return made;
        const key = `${i},${j}`;
        const button: HTMLElement = element("button", {
            type: "button", tabindex: -1, "aria-pressed": "false", "aria-label": words, "data-field": key,
            onclick: () => this.ears.pick(this.pressed === key ? null : key),
            onpointerenter: () => this.ears.hover(key), onpointerleave: () => this.ears.hover(null), onfocus: () => this.ears.hover(key), onblur: () => this.ears.hover(null),
        }, brief(value));
        this.fields.set(key, button);
        made.append(button);
        return made;
    }

    /** One field of the matrix is reached by Tab, the others by arrows. */
    private key(event: KeyboardEvent, table: HTMLElement): void {
        const way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
        const at = (event.target as HTMLElement).dataset["field"]?.split(",").map(Number);
        if (!way || !at) return;
        event.preventDefault();
        const [down, right] = [way[0]!, way[1]!];
        for (let i = at[0]! + down, j = at[1]! + right; i >= 0 && j >= 0 && i < this.classes && j < this.classes; i += down, j += right) {
            const next = this.fields.get(`${i},${j}`);
            if (!next) continue;
            table.querySelector("button[tabindex='0']")?.setAttribute("tabindex", "-1");
            next.setAttribute("tabindex", "0");
            next.focus();
            return;
        }
    }
}

/** A count that fits a small field. */
export function brief(value: number): string {
    if (value < 1000) return String(value);
    if (value < 99_500) return `${Number((value / 1000).toPrecision(2))}k`;
    return value < 999_500 ? `${Math.round(value / 1000)}k` : `${Number((value / 1e6).toPrecision(2))}M`;
}
