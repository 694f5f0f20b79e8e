// SPDX-License-Identifier: Apache-2.0
// Who is in it: a table that fetches the rows that are in view, with a search, and lists to take away.
import { copyText, csvText, saveText } from "./csv";
import { element, later } from "./dom";
import { Member, MembersPage } from "./protocol";
import { count, counted, plain, short } from "./words";

/** Where rows come from. */
export type RowSource = (text: string, from: number, count: number) => Promise<MembersPage>;

const ROW = 28;
const PAGE = 100;
const BATCH = 1000;

function isWrong(member: Member): boolean {
    return member.label !== null && member.prediction !== null && member.label !== member.prediction;
}

/** All rows of a source. */
export async function allRows(source: RowSource, text = ""): Promise<Member[]> {
    const rows: Member[] = [];
    for (;;) {
        const page = await source(text, rows.length, BATCH);
        rows.push(...page.rows);
        if (rows.length >= page.total || page.rows.length === 0) return rows;
    }
}

export function membersCsv(rows: Member[], axes: string[]): string {
    const head = ["id", "name", "degree", "label", "prediction", "clusters", ...axes];
    return csvText(head, rows.map((row) => [row.node, row.name, row.degree, row.label, row.prediction, row.clusters, ...row.lens]));
}

export interface MembersEars {
    tell(text: string): void;
    /** The member under the pointer; null: none. */
    hover(member: Member | null): void;
}

export class MembersTable {
    readonly root: HTMLElement;
    private readonly search: HTMLInputElement;
    private readonly scroller: HTMLElement;
    private readonly spacer: HTMLElement;
    private readonly said: HTMLElement;
    private pages = new Map<number, Member[] | null>();
    private source: RowSource;
    private total = 0;
    private turn = 0;

    constructor(
        private readonly rows: { all: RowSource; wrong: RowSource }, private readonly has: { labels: boolean; predictions: boolean },
        private readonly axes: string[], private readonly fileName: string, private readonly ears: MembersEars,
    ) {
        this.source = rows.all;
        this.search = element("input", { type: "search", placeholder: "Find a member", "aria-label": "Find a member", oninput: later(120, () => void this.restart()) });
        this.said = element("span", { class: "count" });
        this.spacer = element("div", { class: "spacer", role: "rowgroup" });
        this.scroller = element("div", { class: "rows", tabindex: 0, role: "group", "aria-label": "Rows of members", onscroll: () => this.fill(), onpointerleave: () => this.ears.hover(null) }, this.spacer);
        this.root = element(
            "div", { class: "members" },
            element("div", { class: "tools" }, this.search, this.said),
            has.labels && has.predictions && this.wrongSwitch(),
            element("div", { role: "table", "aria-label": "Members", class: this.columns() }, this.head(), this.scroller),
            this.takeAway(),
        );
        void this.restart();
    }

    private columns(): string {
        return `table columns-${3 + Number(this.has.labels) + Number(this.has.predictions)}`;
    }

    private wrongSwitch(): HTMLElement {
        const box: HTMLInputElement = element("input", {
            type: "checkbox", name: "only-mistakes",
            onchange: () => {
                this.source = box.checked ? this.rows.wrong : this.rows.all;
                void this.restart();
            },
        });
        return element("label", { class: "switch" }, box, "only mistakes");
    }

    private head(): HTMLElement {
        const names = ["Name", "Degree", ...(this.has.labels ? ["Class"] : []), ...(this.has.predictions ? ["Predicted"] : []), "In"];
        const titles: { [name: string]: string } = { Degree: "Neighbours in the graph", In: "Clusters that hold the node" };
        return element("div", { class: "head", role: "row" }, ...names.map((name) => element("span", { role: "columnheader", title: titles[name] }, name)));
    }

    private takeAway(): HTMLElement {
        const button = (words: string, help: string, run: () => void) => element("button", { type: "button", class: "small", title: help, onclick: run }, words);
        return element(
            "div", { class: "take" },
            button("CSV", "Save these members as a table", () => void this.saveCsv()),
            button("Names", "Copy the names, one in a line", () => void this.copy("names")),
            button("Ids", "Copy the node numbers, one in a line", () => void this.copy("ids")),
        );
    }

    private async saveCsv(): Promise<void> {
        const rows = await allRows(this.source, this.search.value);
        saveText(`${this.fileName}.csv`, membersCsv(rows, this.axes), "text/csv");
        this.ears.tell(`Saved ${counted(rows.length, "member")}.`);
    }

    private async copy(what: "names" | "ids"): Promise<void> {
        const rows = await allRows(this.source, this.search.value);
        const text = rows.map((row) => (what === "names" ? row.name : String(row.node))).join("\n") + "\n";
        if (await copyText(text)) this.ears.tell(`Copied ${what} of ${counted(rows.length, "member")}.`);
        else saveText(`${this.fileName}-${what}.txt`, text, "text/plain");
    }

    private async restart(): Promise<void> {
        const turn = ++this.turn;
        this.pages = new Map([[0, null]]);
        try {
            const page = await this.source(this.search.value, 0, PAGE);
            if (turn !== this.turn) return;
            this.total = page.total;
            this.pages.set(0, page.rows);
            this.spacer.style.height = `${this.total * ROW}px`;
            this.scroller.style.height = `${Math.min(10, Math.max(1, this.total)) * ROW + 2}px`;
            this.scroller.scrollTop = 0;
            this.said.textContent = this.search.value ? `${count(this.total)} found` : count(this.total);
            this.fill();
        } catch {
            // Another picture has come meanwhile: its panel asks again.
        }
    }

    /** Puts the rows in view into the page, and fetches those that are not there yet. */
    private fill(): void {
        const first = Math.max(0, Math.floor(this.scroller.scrollTop / ROW) - 4);
        const last = Math.min(this.total, first + Math.ceil(this.scroller.clientHeight / ROW) + 8);
        const rows: HTMLElement[] = [];
        for (let i = first; i < last; i++) rows.push(this.rowAt(i));
        this.spacer.replaceChildren(...rows);
    }

    private rowAt(i: number): HTMLElement {
        const page = Math.floor(i / PAGE);
        const rows = this.pages.get(page);
        if (rows === undefined) void this.fetch(page);
        const made = this.row(rows?.[i - page * PAGE]);
        made.style.top = `${i * ROW}px`;
        return made;
    }

    private async fetch(page: number): Promise<void> {
        const turn = this.turn;
        this.pages.set(page, null);
        try {
            const answer = await this.source(this.search.value, page * PAGE, PAGE);
            if (turn !== this.turn) return;
            this.pages.set(page, answer.rows);
            this.fill();
        } catch {
            this.pages.delete(page);
        }
    }

    private row(member: Member | undefined): HTMLElement {
        const cell = (text: string, kind = "") => element("span", { role: "cell", class: kind, title: text }, text);
        if (!member) return element("div", { class: "line", role: "row" }, cell("…"));
        const wrong = this.has.predictions && isWrong(member);
        const lens = member.lens.map((value, k) => `${this.axes[k] ?? "lens"} ${short(value)}`).join(", ");
        return element(
            "div", { class: wrong ? "line wrong" : "line", role: "row", title: lens, "data-node": member.node, onpointerenter: () => this.ears.hover(member) },
            cell(member.name, "name"), cell(count(member.degree), "number"),
            this.has.labels && cell(plain(member.label ?? "–")), this.has.predictions && cell(plain(member.prediction ?? "–"), "prediction"),
            cell(count(member.clusters), "number"),
        );
    }
}
