// SPDX-License-Identifier: Apache-2.0
// Fills the panel for what is selected: a cluster, several, a pile of dust, a link, or a list over everything.
import { element } from "./dom";
import { Engine, EngineError } from "./engine";
import { ListEars, SortKey, bridgeParts, clusterTable } from "./lists";
import { MembersTable, RowSource, allRows, listSource } from "./members";
import { Panel, block, blockLinks, clusterParts } from "./panel";
import { Bridges, ClusterInfo, EdgeInfo, Member, MembersPage, Settings, Start } from "./protocol";
import { Picture } from "./scene";
import { Selection, Side } from "./state";
import { Which } from "./which";
import { count, counted, plain } from "./words";

export interface InspectorEars {
    select(selection: Selection): void;
    light(clusters: number[] | null): void;
    tell(text: string): void;
    fail(error: unknown): void;
    /** The engine has another picture by now. */
    stale(): void;
    change(name: string, value: string): void;
    /** Truth and prediction side by side, or not any more. */
    split(): void;
    /** What can be done with these nodes. */
    actions(which: Which): HTMLElement;
    /** Members of any cluster of a selection, or of all of them. */
    combined(): void;
}

/** Selections of more members than this are not put together here. */
const MOST_MEMBERS = 300_000;

export class Inspector {
    private picture: Picture | null = null;
    private turn = 0;
    private sortKey: SortKey = "size";
    combining: "any" | "all" = "any";
    private readonly listEars: ListEars;

    constructor(private readonly engine: Engine, private readonly start: Start, private readonly panel: Panel, private readonly ears: InspectorEars) {
        this.listEars = {
            open: (clusters) => ears.select({ kind: "clusters", clusters }),
            light: (clusters) => ears.light(clusters),
            sort: (key) => {
                this.sortKey = key;
                this.showList(this.start.predictions && key === "error" ? "mistakes" : "list");
            },
        };
    }

    /** Shows what is selected in a picture. */
    async show(picture: Picture, selection: Selection, side: Side): Promise<void> {
        this.picture = picture;
        const turn = ++this.turn;
        try {
            await this.fill(picture, selection, side, () => turn === this.turn);
        } catch (error) {
            if (turn !== this.turn) return;
            if (error instanceof EngineError && error.stale) this.ears.stale();
            else this.ears.fail(error);
        }
    }

    /** What was asked so far is about another graph. */
    forget(): void {
        this.turn++;
    }

    private async fill(picture: Picture, selection: Selection, side: Side, isCurrent: () => boolean): Promise<void> {
        if (selection.kind === "link") return this.showLink(selection.a, selection.b, isCurrent);
        if (selection.kind === "clusters" && selection.clusters.length > 1) return this.showMany(picture, selection.clusters, isCurrent);
        if (selection.kind === "clusters") return this.showOne(picture, selection.clusters[0]!, isCurrent);
        if (side === "bridges") return this.showBridges(isCurrent);
        if (side === "mistakes") this.sortKey = "error";
        if (side === "list" && this.sortKey === "error") this.sortKey = "size";
        if (side === "none") this.panel.close();
        else this.showList(side);
    }

    private open(cluster: number): void {
        if (cluster >= 0) this.ears.select({ kind: "clusters", clusters: [cluster] });
    }

    private ask<T>(name: string, settings: Settings): Promise<T> {
        const serial = String(this.picture!.info.serial);
        return this.engine.ask<T>(name, { serial, ...settings }).then((answer) => answer.json);
    }

    private rows(settings: Settings): RowSource {
        return (text, from, many) => this.ask<MembersPage>("members", { ...settings, text, from: String(from), count: String(many) });
    }

    private table(source: RowSource, fileName: string): HTMLElement {
        const has = { labels: this.start.classes.length > 0, predictions: this.start.predictions };
        const axes = this.picture!.info.axes.map((axis) => axis.name);
        return new MembersTable(source, has, axes, fileName, (text) => this.ears.tell(text)).root;
    }

    private nameOf(cluster: number): string {
        const mark = this.picture?.markOf.get(cluster);
        return (mark === undefined ? undefined : this.picture?.info.names[mark]) ?? `cluster ${cluster}`;
    }

    private colourOf(name: string): string | null {
        const legend = this.picture?.info.legend;
        return legend?.kind === "classes" ? legend.entries.find((entry) => entry.name === name)?.colour ?? null : null;
    }

    // ---- one cluster, a pile ----

    private async showOne(picture: Picture, cluster: number, isCurrent: () => boolean): Promise<void> {
        const mark = picture.markOf.get(cluster);
        if (mark !== undefined && picture.pile[mark]) return this.showPile(picture, mark);
        const info = await this.ask<ClusterInfo>("cluster", { cluster: String(cluster) });
        if (!isCurrent()) return;
        const parts = clusterParts(info, {
            nodes: this.start.nodes, axes: picture.info.axes, colourOf: (name) => this.colourOf(name),
            open: (other) => this.open(other), openLink: (a, b) => this.ears.select({ kind: "link", a, b }),
        });
        const members = block("Members", "Most neighbours first", this.table(this.rows({ cluster: String(cluster) }), `${this.start.title}-cluster-${cluster}`));
        const cell = Array.isArray(info.cell) ? info.cell.join(", ") : info.cell;
        const where = [`Cluster ${info.cluster}`, `cell ${cell}`, ...(info.piece === undefined ? [] : [`piece ${info.piece + 1}`])];
        this.panel.show(`cluster ${cluster}`, plain(info.name ?? this.nameOf(cluster)), where.join(" · "), blockLinks([...parts, members]), this.actions([cluster]), ...parts, members);
    }

    private actions(clusters: number[]): HTMLElement {
        return this.ears.actions({ kind: "clusters", clusters, combine: this.combining });
    }

    private showPile(picture: Picture, mark: number): void {
        this.panel.show(
            `pile ${mark}`, picture.info.names[mark] ?? "Dust", "Dust: clusters too small to show one by one", this.actions([picture.cluster[mark]!]),
            element("p", { class: "lead" }, `This mark stands for ${counted(picture.size[mark]!, "node")} in small clusters that hang here. They are counted below the map.`),
            element("p", {}, element("button", { type: "button", class: "small", onclick: () => this.ears.change("dust", "show") }, "Show each of them")),
            block("Members", "Most neighbours first", this.table(this.rows({ mark: String(mark) }), `${this.start.title}-dust-${mark}`)),
        );
    }

    // ---- a link ----

    private async showLink(a: number, b: number, isCurrent: () => boolean): Promise<void> {
        const info = await this.ask<EdgeInfo>("edge", { a: String(a), b: String(b) });
        if (!isCurrent()) return;
        const link = (cluster: number) => element("button", { type: "button", class: "entry", onclick: () => this.open(cluster) },
            element("span", { class: "name" }, plain(this.nameOf(cluster))), element("span", { class: "count" }, `cluster ${cluster}`));
        const pairs = info.links.map(([from, to]) => element("li", {}, element("span", { class: "name" }, from), element("span", { class: "name" }, to)));
        this.panel.show(
            `link ${a} ${b}`, `${plain(this.nameOf(a))} – ${plain(this.nameOf(b))}`,
            `${counted(info.shared, "shared node")} · ${counted(info.crossing, "graph edge")} between`, this.ears.actions({ kind: "link", a, b }),
            block("Clusters", "Open one of the two", element("ul", { class: "links" }, element("li", {}, link(a)), element("li", {}, link(b)))),
            info.shared ? block("Shared members", "Nodes in both clusters", this.table(this.rows({ a: String(a), b: String(b) }), `${this.start.title}-clusters-${a}-${b}`)) : null,
            pairs.length ? block("Edges between", "Edges of the graph from one cluster alone to the other alone", element("ul", { class: "pairs" }, ...pairs),
                info.crossing > pairs.length ? element("p", { class: "note" }, `the first ${count(pairs.length)} of ${count(info.crossing)}`) : null) : null,
        );
    }

    // ---- several clusters ----

    private async showMany(picture: Picture, clusters: number[], isCurrent: () => boolean): Promise<void> {
        const key = `many ${clusters.join()}`;
        const sizes = clusters.map((cluster) => picture.size[picture.markOf.get(cluster) ?? -1] ?? 0);
        const sum = sizes.reduce((a, b) => a + b, 0);
        const chips = this.chips(clusters);
        if (sum > MOST_MEMBERS) {
            this.panel.show(key, counted(clusters.length, "cluster"), `${count(sum)} members: too many to list together`, this.actions(clusters), chips);
            return;
        }
        const real = clusters.filter((cluster) => !picture.pile[picture.markOf.get(cluster) ?? -1]);
        const lists = await Promise.all(real.map((cluster) => allRows(this.rows({ cluster: String(cluster) }))));
        if (!isCurrent()) return;
        this.showCombined(key, clusters, lists, chips);
    }

    private showCombined(key: string, clusters: number[], lists: Member[][], chips: HTMLElement): void {
        const members = combine(lists, this.combining);
        const again = (how: "any" | "all") => {
            this.combining = how;
            this.showCombined(key, clusters, lists, chips);
            this.ears.combined();
        };
        const radio = (how: "any" | "all", words: string) => element("label", {},
            element("input", { type: "radio", name: "combine", value: how, checked: this.combining === how, onchange: () => again(how) }), element("span", {}, words));
        this.panel.show(
            key, counted(clusters.length, "cluster"), `${counted(members.length, "node")} in ${this.combining === "any" ? "any" : "all"} of them`,
            element("div", { class: "segments", role: "radiogroup", "aria-label": "Nodes in" }, radio("any", "in any"), radio("all", "in all")),
            this.actions(clusters), chips, block("Members", "Most neighbours first", this.table(listSource(members), `${this.start.title}-selection`)),
        );
    }

    private chips(clusters: number[]): HTMLElement {
        const rows = clusters.slice(0, 60).map((cluster) =>
            element("li", {},
                element("button", { type: "button", class: "entry", onclick: () => this.open(cluster) },
                    element("span", { class: "name" }, plain(this.nameOf(cluster))),
                    element("span", { class: "count" }, count(this.picture?.size[this.picture.markOf.get(cluster) ?? -1] ?? 0))),
                element("button", { type: "button", class: "small", "aria-label": `Take ${this.nameOf(cluster)} out`, onclick: () => this.takeOut(clusters, cluster) }, "×")));
        return block("Selected", "Shift and click adds or takes away", element("ul", { class: "links selected" }, ...rows));
    }

    private takeOut(clusters: number[], cluster: number): void {
        this.ears.select({ kind: "clusters", clusters: clusters.filter((one) => one !== cluster) });
    }

    // ---- lists ----

    private showList(side: Side): void {
        const picture = this.picture!;
        const title = side === "mistakes" ? "Mistakes" : "Clusters";
        const about = side === "mistakes" ? "Clusters with the most mistakes first" : `${counted(picture.marks, "mark")} on the map`;
        const canSplit = side === "mistakes" && this.start.classes.length > 0;
        const button = element("p", { class: "lead" }, element("button", { type: "button", class: "small", id: "split", title: "C", onclick: () => this.ears.split() }, "Classes and predictions side by side"));
        this.panel.show(side, title, about, canSplit ? button : null, clusterTable(picture, this.sortKey, this.listEars));
    }

    private async showBridges(isCurrent: () => boolean): Promise<void> {
        const bridges = await this.ask<Bridges>("bridges", {});
        if (isCurrent()) this.panel.show("bridges", "Bridges", "What holds the map together", ...bridgeParts(bridges, (cluster) => this.nameOf(cluster), this.listEars));
    }
}

/** Members of any or of all lists, each once, most neighbours first. */
export function combine(lists: Member[][], how: "any" | "all"): Member[] {
    const seen = new Map<number, { member: Member; times: number }>();
    for (const list of lists)
        for (const member of list) {
            const entry = seen.get(member.node);
            if (entry) entry.times++;
            else seen.set(member.node, { member, times: 1 });
        }
    return [...seen.values()]
        .filter((entry) => how === "any" || entry.times === lists.length)
        .map((entry) => entry.member)
        .sort((a, b) => b.degree - a.degree || a.node - b.node);
}
