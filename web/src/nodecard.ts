// SPDX-License-Identifier: Apache-2.0
// What is known of one node of a drill-down, on a card beside the drawing.
import { Answer } from "./answer";
import { element, icon } from "./dom";
import { MembersPage, Settings } from "./protocol";
import { Picture } from "./scene";
import { Subgraph, neighboursOf } from "./subgraph";
import { count, counted, plain, short } from "./words";

export interface CardEars {
    ask<T>(name: string, settings: Settings): Promise<Answer<T>>;
    /** Another node of the drawing. */
    pick(i: number): void;
    /** The surroundings of one node. */
    around(node: number, words: string): void;
    open(cluster: number): void;
    close(): void;
}

const NEIGHBOURS = 40;

export class NodeCard {
    private readonly host: HTMLElement;
    private turn = 0;

    constructor(parent: HTMLElement, private readonly ears: CardEars) {
        this.host = element("aside", { id: "node-card", "aria-label": "Node", hidden: true });
        parent.append(this.host);
    }

    get isOpen(): boolean {
        return !this.host.hidden;
    }

    /** How much of the drawing it covers at the right; none where it lies below. */
    get width(): number {
        const { width } = this.host.getBoundingClientRect(), room = this.host.parentElement!.clientWidth;
        return width < room / 2 ? width + 14 : 0;
    }

    close(): void {
        this.turn++;
        this.host.hidden = true;
    }

    /** Shows at once what the drawing knows, and the rest when it comes. */
    async show(graph: Subgraph, i: number, picture: Picture): Promise<void> {
        const turn = ++this.turn;
        const near = neighboursOf(graph, i);
        const facts = element("dl", { class: "facts" }), clusters = element("div", {});
        const name = plain(graph.info.names[i] ?? "");
        const here = near.length === graph.degree[i] ? "" : ` (${count(near.length)} in the drawing)`;
        fact(facts, "Neighbours", `${count(graph.degree[i]!)}${here}`);
        this.host.replaceChildren(
            element("header", {}, element("h2", {}, name), element("button", { type: "button", class: "plain", "aria-label": "Close the card", onclick: () => this.ears.close() }, icon("close"))),
            element("div", { class: "body" }, facts, clusters,
                element("p", {}, element("button", { type: "button", class: "small", id: "node-around", title: "This node with its surroundings", onclick: () => this.ears.around(graph.node[i]!, name) }, "Surroundings")),
                this.neighbours(graph, near)),
        );
        this.host.hidden = false;
        const nodes = String(graph.node[i]);
        const [rows, hits] = await Promise.all([this.ears.ask<MembersPage>("members", { nodes, from: "0", count: "1" }), this.ears.ask("select", { nodes })]);
        if (turn !== this.turn) return;
        this.fill(facts, rows.json, picture);
        clusters.append(...this.clusters(picture, (hits.arrays["hits"] ?? []) as ArrayLike<number>));
    }

    private fill(facts: HTMLElement, page: MembersPage, picture: Picture): void {
        const [row] = page.rows;
        if (!row) return;
        if (row.label !== null) fact(facts, "Class", plain(row.label));
        if (row.prediction !== null) fact(facts, "Predicted", plain(row.prediction), row.label !== null && row.label !== row.prediction ? "wrong" : "");
        row.lens.forEach((value, k) => fact(facts, plain(picture.info.axes[k]?.name ?? "lens"), short(value)));
    }

    private clusters(picture: Picture, hits: ArrayLike<number>): HTMLElement[] {
        const marks = picture.bySize.filter((mark) => hits[mark]);
        const rows = marks.map((mark) => this.entry(plain(picture.info.names[mark] ?? ""), counted(picture.size[mark]!, "node"), () => this.ears.open(picture.cluster[mark]!)));
        return rows.length ? [element("h3", {}, rows.length === 1 ? "In the cluster" : `In ${count(rows.length)} clusters`), element("ul", {}, ...rows)] : [element("p", { class: "note" }, "In no cluster.")];
    }

    private neighbours(graph: Subgraph, near: number[]): HTMLElement | null {
        if (!near.length) return null;
        const rows = near.slice(0, NEIGHBOURS).map((j) => this.entry(plain(graph.info.names[j] ?? ""), count(graph.degree[j]!), () => this.ears.pick(j)));
        const rest = near.length - rows.length;
        return element("div", {}, element("h3", { title: "With their own number of neighbours" }, "Neighbours in the drawing"), element("ul", {}, ...rows),
            rest > 0 && element("p", { class: "note" }, `and ${counted(rest, "more", "more")}`));
    }

    private entry(name: string, about: string, run: () => void): HTMLElement {
        return element("li", {}, element("button", { type: "button", class: "entry", onclick: run }, element("span", { class: "name" }, name), element("span", { class: "count" }, about)));
    }
}

function fact(list: HTMLElement, name: string, text: string, kind = ""): void {
    list.append(element("dt", {}, name), element("dd", { class: kind }, text));
}
