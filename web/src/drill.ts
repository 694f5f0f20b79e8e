// SPDX-License-Identifier: Apache-2.0
// The nodes themselves: the graph between those of a cluster, a link or any selection, drawn over the map, with as much of
// their surroundings as one likes. The map below stays as it was.
import { Answer } from "./answer";
import { byId, element, icon } from "./dom";
import { DrillMap } from "./drillmap";
import { Engine, EngineError } from "./engine";
import { Latest } from "./latest";
import { legendParts } from "./legend";
import { NodeCard } from "./nodecard";
import { Settings } from "./protocol";
import { Picture } from "./scene";
import { Selection } from "./state";
import { NONE, Subgraph, SubgraphInfo, entryOf, subgraphOf } from "./subgraph";
import { Tooltip } from "./tooltip";
import { NodeSet, heirOf, setSettings, setWords } from "./nodeset";
import { count, counted, percent, plain } from "./words";

export interface DrillEars {
    /** The nodes of the drawing become a graph of their own. */
    focus(settings: Settings, words: string): void;
    select(selection: Selection): void;
    changed(isOpen: boolean): void;
    /** A node is under the pointer or the cursor, and so is a mark that it is in; -1: none. */
    hover(node: number, mark: number): void;
    announce(text: string): void;
    fail(error: unknown): void;
    /** The engine has another picture by now. */
    stale(): void;
}

/** How far surroundings reach at most. */
export const MOST_HOPS = 3;
/** Rows of the table for those who do not see the drawing. */
const TABLE_ROWS = 200;

interface Question {
    set: NodeSet;
    hops: number;
    picture: Picture;
}

export class Drill {
    readonly map: DrillMap;
    private readonly host: HTMLElement;
    private readonly title: HTMLElement;
    private readonly counts: HTMLElement;
    private readonly legend: HTMLElement;
    private readonly table: HTMLElement;
    private readonly outerStep: HTMLElement;
    private readonly hopButtons: HTMLInputElement[] = [];
    private readonly card: NodeCard;
    private readonly latest: Latest<Question, Subgraph>;
    private picture: Picture | null = null;
    private set: NodeSet | null = null;
    /** What was shown before the surroundings of one node of it. */
    private outer: { set: NodeSet; hops: number } | null = null;
    private hopCount = 0;
    /** What was asked last, so that the same is not asked twice. */
    private asked = "";

    constructor(stage: HTMLElement, private readonly engine: Engine, private readonly tooltip: Tooltip, private readonly ears: DrillEars, isStill: () => boolean, private readonly isDark: () => boolean) {
        this.title = element("strong", { id: "drill-title", tabindex: -1 });
        this.outerStep = element("button", { type: "button", class: "plain", id: "drill-outer", title: "Back to these nodes (Esc)", hidden: true, onclick: () => this.goOut() });
        this.counts = element("span", { class: "count", id: "drill-counts" });
        this.legend = element("section", { class: "legend", id: "drill-legend", "aria-label": "Legend of the nodes" });
        this.table = element("div", { class: "hidden" });
        const canvases = element("div", { class: "canvases" });
        this.host = element("section", { id: "drill", "aria-label": "Nodes", hidden: true }, canvases, element("div", { class: "drill-head" }, this.bar(), this.legend), this.table);
        this.map = new DrillMap(canvases, {
            point: (i, x, y) => this.hover(i, x, y),
            pick: (i) => this.pick(i),
            cursor: (i) => this.cursor(i),
        }, isStill, () => {
            const box = this.legend.getBoundingClientRect(), room = this.host.getBoundingClientRect();
            return { width: box.right - room.left, height: box.bottom - room.top, top: box.top - room.top };
        });
        this.map.canvas.setAttribute("role", "application");
        this.map.canvas.setAttribute("aria-label", "Nodes. Arrow keys move between nodes, Enter opens one, Escape leads back to the map.");
        this.map.canvas.tabIndex = 0;
        this.card = new NodeCard(this.host, {
            ask: (name, settings) => this.ask(name, settings),
            pick: (i) => this.pick(i),
            around: (node, words) => this.goAround(node, words),
            open: (cluster) => ears.select({ kind: "clusters", clusters: [cluster] }),
            close: () => this.pick(-1),
        });
        this.latest = this.makeLatest();
        stage.append(this.host);
        this.listenToMembers(byId("panel"));
    }

    /** Rows of the panel's table stand for nodes of the drawing: the pointer lights one, a click picks it. */
    private listenToMembers(panel: HTMLElement): void {
        const nodeOf = (event: Event) => Number((event.target as Element).closest<HTMLElement>(".line[data-node]")?.dataset["node"] ?? -1);
        const find = (event: Event) => (this.isOpen ? this.map.graph?.node.indexOf(nodeOf(event)) ?? -1 : -1);
        panel.addEventListener("click", (event) => {
            const i = find(event);
            if (i >= 0) this.pick(i);
        });
        panel.addEventListener("pointerover", (event) => this.isOpen && this.map.point(find(event)));
        panel.addEventListener("pointerleave", () => this.isOpen && this.map.point(-1));
    }

    /** Lights the nodes whose name holds a text; an empty one lights none. */
    find(text: string): void {
        const graph = this.map.graph, part = text.toLowerCase();
        if (!this.isOpen || !graph) return;
        this.map.light(part ? Uint8Array.from(graph.info.names, (name) => (name.toLowerCase().includes(part) ? 1 : 0)) : null);
    }

    private bar(): HTMLElement {
        const hop = (k: number) => {
            const input = element("input", { type: "radio", name: "hops", value: k, "aria-label": k ? `with ${counted(k, "hop")} around` : "these nodes alone", onchange: () => this.setHops(k) });
            this.hopButtons.push(input);
            return element("label", { title: k ? `with the nodes within ${counted(k, "edge")} of them` : "these nodes alone" }, input, element("span", {}, k ? `+${k}` : "0"));
        };
        const hops = Array.from({ length: MOST_HOPS + 1 }, (_, k) => hop(k));
        return element(
            "div", { class: "drill-bar" },
            element("nav", { "aria-label": "Way back" },
                element("button", { type: "button", class: "plain", id: "drill-back", title: "Back to the map (Esc)", onclick: () => this.close() }, icon("back"), element("span", {}, "Map")),
                element("span", { class: "sep", "aria-hidden": "true" }, "›"), this.outerStep, this.title, this.counts),
            element("span", { class: "hops" }, element("span", { class: "note", id: "hops-words" }, "Surroundings"),
                element("div", { class: "segments", role: "radiogroup", "aria-labelledby": "hops-words", id: "drill-hops" }, ...hops)),
            element("button", { type: "button", class: "small", id: "drill-focus", title: "Map these nodes as a graph of their own (R)", onclick: () => this.focusThese() }, "Map these again"),
        );
    }

    private makeLatest(): Latest<Question, Subgraph> {
        return new Latest((question) => this.fetch(question), {
            answer: (graph, question, isNewest) => {
                if (isNewest && this.isOpen) this.show(graph, question);
            },
            fail: (error) => this.failed(error),
            busy: (isBusy) => (this.host.dataset["busy"] = String(isBusy)),
        });
    }

    get isOpen(): boolean {
        return !this.host.hidden;
    }

    get hops(): number {
        return this.hopCount;
    }

    /** Whose nodes are shown. */
    get about(): NodeSet | null {
        return this.isOpen ? this.set : null;
    }

    // ---- opening and closing ----

    open(set: NodeSet, hops = this.hopCount): void {
        if (!this.picture) return;
        const wasOpen = this.isOpen;
        this.set = set;
        if (set.kind !== "around") this.outer = null;
        this.hopCount = Math.max(0, Math.min(MOST_HOPS, hops));
        this.host.hidden = false;
        this.cover(true);
        this.want();
        this.ears.changed(true);
        if (!wasOpen) this.map.canvas.focus({ preventScroll: true });
    }

    close(): void {
        if (!this.isOpen) return;
        const hadFocus = this.host.contains(document.activeElement);
        this.host.hidden = true;
        this.cover(false);
        this.asked = "";
        this.set = this.outer = null;
        this.tooltip.hide();
        this.card.close();
        this.map.show(null);
        this.ears.changed(false);
        if (hadFocus) byId("map").focus({ preventScroll: true });
    }

    /** What lies below is out of reach, for the keyboard, too. */
    private cover(isCovered: boolean): void {
        byId("stage").classList.toggle("drilled", isCovered);
        for (const id of ["map", "twin", "legend"]) byId(id).toggleAttribute("inert", isCovered);
    }

    /** Closes what is open, the nearest first. */
    escape(): void {
        if (this.card.isOpen) this.pick(-1);
        else if (this.outer) this.goOut();
        else this.close();
    }

    private goAround(node: number, words: string): void {
        if (this.set && this.set.kind !== "around") this.outer = { set: this.set, hops: this.hopCount };
        this.open({ kind: "around", node, words }, Math.max(1, this.hopCount));
    }

    private goOut(): void {
        const { outer } = this;
        this.outer = null;
        if (outer) this.open(outer.set, outer.hops);
    }

    /** Another picture has come. `follow` says what has become of a selection. */
    renew(picture: Picture, follow: ((selection: Selection) => Selection) | null): void {
        this.picture = picture;
        if (!this.isOpen || !this.set) return;
        const next = follow ? heirOf(this.set, follow) : this.set;
        const around = this.outer && follow ? heirOf(this.outer.set, follow) : null;
        if (this.outer) this.outer = around && { ...this.outer, set: around };
        if (!next) return this.close();
        this.set = next;
        this.want();
    }

    setHops(hops: number): void {
        if (!this.isOpen || hops < 0 || hops > MOST_HOPS || hops === this.hopCount) return;
        this.hopCount = hops;
        this.want();
        this.ears.changed(true);
    }

    focusThese(): void {
        const settings = this.isOpen && this.settings();
        if (settings) this.ears.focus(settings, this.title.textContent ?? "");
    }

    // ---- questions ----

    /** The nodes of the drawing, as settings of a question. */
    private settings(): Settings | null {
        const own = this.set && this.picture ? setSettings(this.set, this.picture) : null;
        return own && { ...own, ...(this.hopCount ? { hops: String(this.hopCount) } : {}) };
    }

    private ask<T>(name: string, settings: Settings): Promise<Answer<T>> {
        return this.engine.ask<T>(name, { serial: String(this.picture!.info.serial), ...settings });
    }

    private want(): void {
        const settings = this.settings();
        if (!settings || !this.picture || !this.set) return this.close();
        this.title.textContent = this.title.title = setWords(this.set, this.picture);
        this.host.setAttribute("aria-label", `Nodes of ${this.title.textContent}`);
        this.outerStep.hidden = this.outer === null;
        this.outerStep.textContent = this.outer && setWords(this.outer.set, this.picture);
        this.hopButtons.forEach((button, k) => (button.checked = k === this.hopCount));
        const key = JSON.stringify([settings, this.picture.info.serial]);
        if (key === this.asked) return;
        this.asked = key;
        this.counts.textContent = "drawing …";
        this.latest.want({ set: this.set, hops: this.hopCount, picture: this.picture });
    }

    private async fetch({ set, hops, picture }: Question): Promise<Subgraph> {
        const answer = await this.engine.ask<SubgraphInfo>("subgraph", {
            serial: String(picture.info.serial), ...setSettings(set, picture), hops: String(hops),
            colour: picture.info.settings["colour"] ?? "", theme: this.isDark() ? "dark" : "light",
        });
        return subgraphOf(answer);
    }

    private failed(error: unknown): void {
        this.asked = "";
        if (!this.isOpen) return;
        if (error instanceof EngineError && error.stale) return this.ears.stale();
        this.close();
        this.ears.fail(error);
    }

    // ---- what is shown ----

    private show(graph: Subgraph, question: Question): void {
        const old = this.map.graph, picked = this.map.picked;
        const isSame = old !== null && sameNodes(old, graph);
        this.map.isDark = this.isDark();
        this.showCounts(graph);
        this.showLegend(graph, question.hops);
        this.map.show(graph, isSame);
        this.fillTable(graph);
        if (isSame && picked >= 0) this.pick(picked);
        else this.card.close();
        this.host.dataset["nodes"] = String(graph.nodes);
        this.host.dataset["serial"] = String(question.picture.info.serial);
        this.ears.announce(`${this.title.textContent}: ${this.counts.textContent}`);
    }

    private showCounts(graph: Subgraph): void {
        const { nodes, edges, shown_nodes: shown, shown_edges: drawn } = graph.info;
        const cut = shown < nodes || drawn < edges;
        this.counts.textContent = cut
            ? `the best connected ${count(shown)} of ${counted(nodes, "node")}, ${count(drawn)} of ${counted(edges, "edge")}`
            : `${counted(nodes, "node")}, ${counted(edges, "edge")}`;
        this.counts.title = cut ? `${percent(shown, nodes)} of the nodes and ${percent(drawn, edges)} of the edges are drawn` : "";
    }

    private showLegend(graph: Subgraph, hops: number): void {
        const lit = (entry: { colour: string; shape: number } | null) => (entry ? nodesOf(graph, entry) : null);
        let kept: { colour: string; shape: number } | null = null;
        const parts = legendParts(graph.info.legend, "node", {
            light: (entry) => this.map.light(lit(entry ?? kept)),
            select: (entry) => ((kept = kept === entry ? null : entry), this.map.light(lit(kept))),
        });
        const isSized = graph.radius.some((radius) => radius < 0.9 * graph.widest);
        this.legend.replaceChildren(...parts, ...(isSized ? [element("p", { class: "sizes" }, "size: neighbours in the graph")] : []),
            ...(hops && graph.cores < graph.nodes ? [element("p", { class: "sizes" }, `pale: within ${counted(hops, "hop")} of them`)] : []));
    }

    /** The same for those who do not see it. */
    private fillTable(graph: Subgraph): void {
        const row = (i: number) => element("tr", {}, element("td", {}, plain(graph.info.names[i] ?? "")), element("td", {}, String(graph.degree[i])),
            element("td", {}, String(graph.first[i + 1]! - graph.first[i]!)), element("td", {}, entryOf(graph, i) ?? ""), element("td", {}, graph.core[i] ? "yes" : "no"));
        const head = ["Name", "Neighbours", "Neighbours in the drawing", graph.info.legend?.kind === "classes" ? graph.info.legend.title : "Class", "Asked for"];
        this.table.replaceChildren(element("table", {}, element("caption", {}, `The best connected of ${counted(graph.nodes, "node")}`),
            element("thead", {}, element("tr", {}, ...head.map((words) => element("th", { scope: "col" }, words)))),
            element("tbody", {}, ...Array.from(graph.order.subarray(0, TABLE_ROWS), row))));
    }

    // ---- one node ----

    private pick(i: number): void {
        this.map.setPicked(i);
        this.tooltip.hide();
        if (i >= 0 && this.map.graph && this.picture) void this.card.show(this.map.graph, i, this.picture).catch((error: unknown) => this.ears.fail(error));
        else this.card.close();
        if (i >= 0) this.map.reveal(i, this.card.width);
    }

    /** Another view has a node under its pointer, which is shown as if it were under it here, or marks, whose nodes are lit. */
    point(node: number | null, marks: number[] | null): void {
        const graph = this.map.graph, i = graph && node !== null ? graph.node.indexOf(node) : -1;
        if (!graph) return;
        const wanted = new Set(marks);
        this.map.light(marks && node === null ? Uint8Array.from(graph.mark, (mark) => (wanted.has(mark) ? 1 : 0)) : null);
        this.map.point(i);
        if (i >= 0) this.say(graph, i);
    }

    private hover(i: number, x: number, y: number): void {
        const graph = this.map.graph;
        const mark = graph?.mark[i] ?? NONE;
        this.ears.hover(graph?.node[i] ?? -1, mark === NONE ? -1 : mark);
        if (i >= 0 && graph) this.say(graph, i, { x, y });
        else this.tooltip.hide();
    }

    private say(graph: Subgraph, i: number, { x, y } = this.map.placeOf(i)): void {
        this.tooltip.show(plain(graph.info.names[i] ?? ""), this.linesOf(graph, i), x, y);
    }

    private linesOf(graph: Subgraph, i: number): string[] {
        const here = graph.first[i + 1]! - graph.first[i]!, all = graph.degree[i]!;
        const lines = [here === all ? counted(all, "neighbour") : `${counted(all, "neighbour")}, ${count(here)} in the drawing`];
        const entry = entryOf(graph, i);
        if (entry) lines.push(plain(entry));
        if (!graph.core[i]) lines.push("in the surroundings");
        return lines;
    }

    private cursor(i: number): void {
        const graph = this.map.graph;
        if (i < 0 || !graph) return this.tooltip.hide();
        const { x, y } = this.map.placeOf(i);
        this.hover(i, x, y);
        this.ears.announce([plain(graph.info.names[i] ?? ""), ...this.linesOf(graph, i)].join(", "));
    }
}

function sameNodes(a: Subgraph, b: Subgraph): boolean {
    return a.nodes === b.nodes && a.node.every((node, i) => node === b.node[i]);
}

function nodesOf(graph: Subgraph, entry: { colour: string; shape: number }): Uint8Array {
    const code = parseInt(entry.colour.slice(1), 16);
    const lit = new Uint8Array(graph.nodes);
    for (let i = 0; i < graph.nodes; i++)
        lit[i] = ((graph.fill[3 * i]! << 16) | (graph.fill[3 * i + 1]! << 8) | graph.fill[3 * i + 2]!) === code && (graph.shape[i] ?? 0) === entry.shape ? 1 : 0;
    return lit;
}
