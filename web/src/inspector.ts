// SPDX-License-Identifier: Apache-2.0
// Fills the panel for what is selected: a cluster, several, a pile of dust, a link, or a list over everything.
import { Chip, chipRow, chipsOf } from "./chips";
import { element } from "./dom";
import { Engine, EngineError } from "./engine";
import { ListEars, SortKey, bridgeParts, clusterTable } from "./lists";
import { MembersTable, RowSource } from "./members";
import { Panel, block, blockLinks, clusterParts } from "./panel";
import { Bridges, ClusterInfo, EdgeInfo, MembersPage, Settings, Start } from "./protocol";
import { Picture } from "./scene";
import { Selection, Side, Which } from "./state";
import { Views } from "./views";
import { NodeSet, nodeSetOf, settingsOf } from "./nodeset";
import { count, counted, percent, plain } from "./words";

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
    actions(set: NodeSet): HTMLElement;
    /** Members of any cluster of a selection, or of all of them. */
    combined(): void;
}

export class Inspector {
    private picture: Picture | null = null;
    private turn = 0;
    private sortKey: SortKey = "size";
    combining: "any" | "all" = "any";
    private readonly listEars: ListEars;
    /** Parts that stay while what is below them changes, so that a drag or a field keeps its place. */
    private readonly stays: { [name in "jumps" | "chips" | "rest" | "columns" | "mistakes"]: HTMLElement };

    constructor(
        private readonly engine: Engine, private readonly start: Start, private readonly panel: Panel, private readonly views: Views,
        private readonly ears: InspectorEars,
    ) {
        this.stays = {
            jumps: element("div", { class: "contents jumps-host" }), chips: element("div", {}), rest: element("div", { class: "rest" }),
            columns: block("Columns", "What is known of the nodes. Coloured: those that are selected", views.columns.root),
            mistakes: block("Confusion", "Rows are classes, columns what the classifier says", views.matrix.root),
        };
        this.listEars = {
            open: (clusters) => ears.select({ kind: "clusters", clusters }),
            light: (clusters) => ears.light(clusters),
            sort: (key) => {
                this.sortKey = key;
                void this.showList(this.start.predictions && key === "error" ? "mistakes" : "list");
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
        if (selection.kind === "nodes") return this.showNodes(selection.which, side, isCurrent);
        if (side === "columns") return this.showColumns(isCurrent);
        if (side === "bridges") return this.showBridges(isCurrent);
        if (side === "mistakes") this.sortKey = "error";
        if (side === "list" && this.sortKey === "error") this.sortKey = "size";
        if (side === "none") this.panel.close();
        else await this.showList(side, isCurrent);
    }

    /** What is selected by, the view that it was selected in, which stays, and what is known of it. */
    private showBelow(key: string, title: string, subtitle: string, chosen: HTMLElement | null, top: HTMLElement | null, ...parts: (HTMLElement | null)[]): void {
        const shown = parts.filter((part): part is HTMLElement => part !== null);
        const { jumps, chips, rest } = this.stays;
        rest.replaceChildren(...shown);
        jumps.replaceChildren(blockLinks([top, ...shown]));
        chips.replaceChildren(...(chosen ? [chosen] : []));
        this.panel.show(key, title, subtitle, jumps, chosen && chips, top, rest);
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

    private table(which: Settings, fileName: string): HTMLElement {
        const has = { labels: this.start.classes.length > 0, predictions: this.start.predictions };
        const axes = this.picture!.info.axes.map((axis) => axis.name);
        const rows = { all: this.rows(which), wrong: this.rows({ ...which, wrong: "1" }) };
        const ears = { tell: (text: string) => this.ears.tell(text), hover: (member: Parameters<Views["hoverNode"]>[0]) => this.views.hoverNode(member) };
        return new MembersTable(rows, has, axes, fileName, ears).root;
    }

    private members(which: Settings, fileName: string): HTMLElement {
        return block("Members", "Most neighbours first", this.table(which, `${this.start.title}-${fileName}`));
    }

    private parts(info: ClusterInfo): (HTMLElement | null)[] {
        return clusterParts(info, {
            nodes: this.start.nodes, axes: this.picture!.info.axes, colourOf: (name) => this.colourOf(name),
            open: (other) => this.open(other), openLink: (a, b) => this.ears.select({ kind: "link", a, b }),
        });
    }

    private nameOf(cluster: number): string {
        const mark = this.picture?.markOf.get(cluster);
        return (mark === undefined ? undefined : this.picture?.info.names[mark]) ?? `cluster ${cluster}`;
    }

    colourOf(name: string): string | null {
        const legend = this.picture?.info.legend;
        return legend?.kind === "classes" ? legend.entries.find((entry) => entry.name === name)?.colour ?? null : null;
    }

    // ---- one cluster, a pile ----

    private async showOne(picture: Picture, cluster: number, isCurrent: () => boolean): Promise<void> {
        const mark = picture.markOf.get(cluster);
        if (mark !== undefined && picture.pile[mark]) return this.showPile(picture, mark, isCurrent);
        const info = await this.ask<ClusterInfo>("cluster", { cluster: String(cluster) });
        if (!isCurrent()) return;
        const parts = [...this.parts(info), this.members({ cluster: String(cluster) }, `cluster-${cluster}`)];
        const cell = Array.isArray(info.cell) ? info.cell.join(", ") : info.cell;
        const where = [`Cluster ${info.cluster}`, `cell ${cell}`, ...(info.piece == null ? [] : [`piece ${info.piece + 1}`])];
        this.panel.show(`cluster ${cluster}`, plain(info.name ?? this.nameOf(cluster)), where.join(" · "), blockLinks(parts), this.actions({ kind: "clusters", clusters: [cluster] }), ...parts);
    }

    // ---- sets of nodes ----

    /** The nodes of a selection, or null where nothing is selected. */
    setOf(selection: Selection): NodeSet | null {
        return nodeSetOf(selection, this.combining, (which) => this.conditions(which).map((chip) => chip.words).join(", "));
    }

    private conditions(which: Which): Chip[] {
        return chipsOf(which, this.views.columns.columns, this.start.classes, this.picture?.info.axes ?? []);
    }

    private actions(selection: Selection): HTMLElement | null {
        const set = this.setOf(selection);
        return set && this.ears.actions(set);
    }

    private async showPile(picture: Picture, mark: number, isCurrent: () => boolean): Promise<void> {
        const which = { mark: String(mark) };
        const info = await this.ask<ClusterInfo>("cluster", which);
        if (!isCurrent()) return;
        const parts = [...this.parts(info), this.members(which, `dust-${mark}`)];
        this.panel.show(
            `pile ${mark}`, picture.info.names[mark] ?? "Dust", "Dust: clusters too small to show one by one", blockLinks(parts),
            element("p", { class: "lead" }, `This mark stands for ${counted(picture.size[mark]!, "node")} in small clusters that hang here. They are counted below the map.`),
            element("p", { class: "lead" }, element("button", { type: "button", class: "small", onclick: () => this.ears.change("dust", "show") }, "Show each of them")),
            this.actions({ kind: "clusters", clusters: [picture.cluster[mark]!] }), ...parts,
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
            `${counted(info.shared, "shared node")} · ${counted(info.crossing, "graph edge")} between`, this.actions({ kind: "link", a, b }),
            block("Clusters", "Open one of the two", element("ul", { class: "links" }, element("li", {}, link(a)), element("li", {}, link(b)))),
            info.shared ? block("Shared members", "Nodes in both clusters", this.table({ a: String(a), b: String(b) }, `${this.start.title}-clusters-${a}-${b}`)) : null,
            pairs.length ? block("Edges between", "Edges of the graph from one cluster alone to the other alone", element("ul", { class: "pairs" }, ...pairs),
                info.crossing > pairs.length ? element("p", { class: "note" }, `the first ${count(pairs.length)} of ${count(info.crossing)}`) : null) : null,
        );
    }

    // ---- several clusters ----

    private async showMany(picture: Picture, clusters: number[], isCurrent: () => boolean): Promise<void> {
        const real = clusters.filter((cluster) => !picture.pile[picture.markOf.get(cluster) ?? -1]);
        const which: Settings = { clusters: real.join(","), combine: this.combining };
        const { total } = real.length ? await this.views.total(which) : { total: 0 };
        const info = total ? await this.ask<ClusterInfo>("cluster", which) : null;
        if (!isCurrent()) return;
        const again = (how: "any" | "all") => {
            this.combining = how;
            void this.show(picture, { kind: "clusters", clusters }, "none");
            this.ears.combined();
        };
        const radio = (how: "any" | "all", words: string) => element("label", {},
            element("input", { type: "radio", name: "combine", value: how, checked: this.combining === how, onchange: () => again(how) }), element("span", {}, words));
        const parts = info ? [...this.parts(info), this.members(which, "selection")] : [];
        this.panel.show(
            `many ${clusters.join()}`, counted(clusters.length, "cluster"), `${counted(total, "node")} in ${this.combining === "any" ? "any" : "all"} of them`,
            parts.length ? blockLinks(parts) : null,
            element("div", { class: "segments", role: "radiogroup", "aria-label": "Nodes in" }, radio("any", "in any"), radio("all", "in all")),
            total ? this.actions({ kind: "clusters", clusters }) : null, this.chips(clusters), ...parts,
        );
        if (this.panel.lost) document.querySelector<HTMLElement>(`input[name=combine][value=${this.combining}]`)?.focus();
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

    private async showList(side: Side, isCurrent = () => true): Promise<void> {
        const picture = this.picture!;
        const table = clusterTable(picture, this.sortKey, this.listEars);
        if (side !== "mistakes") return this.panel.show(side, "Clusters", `${counted(picture.marks, "mark")} on the map`, table);
        const top = await this.top(side, {});
        if (!isCurrent()) return;
        const button = element("p", { class: "lead" }, element("button", { type: "button", class: "small", id: "split", title: "C", onclick: () => this.ears.split() }, "Classes and predictions side by side"));
        const list = block("Clusters", "Those with the most mistakes first", this.start.classes.length ? button : null, table);
        this.showBelow(side, "Mistakes", "Where the classifier is wrong", null, top, list);
    }

    // ---- nodes wherever they are ----

    /** What stands above selected nodes: the view that they were selected in. */
    private async top(side: Side, which: Which): Promise<HTMLElement | null> {
        if (side === "columns") {
            this.views.columns.update(await this.views.askColumns(which), which);
            return this.stays.columns;
        }
        if (side !== "mistakes" || !this.start.predictions || !this.start.classes.length) return null;
        this.views.matrix.update(await this.views.askMistakes(), which.field);
        return this.stays.mistakes;
    }

    private async showColumns(isCurrent: () => boolean): Promise<void> {
        const top = await this.top("columns", {});
        const hint = element("p", { class: "note" }, "Drag over a histogram, or click a category. All filters hold together.");
        if (isCurrent()) this.showBelow("columns", "Columns", "What is known of the nodes", hint, top);
    }

    private async showNodes(which: Which, side: Side, isCurrent: () => boolean): Promise<void> {
        const { total } = await this.views.hits(which);
        const top = await this.top(side, which);
        if (which.where && !this.views.columns.columns.length) this.views.columns.update(await this.views.askColumns(which), which);
        const info = total ? await this.ask<ClusterInfo>("cluster", settingsOf(which)) : null;
        if (!isCurrent()) return;
        const title = top === null ? "Selection" : side === "columns" ? "Columns" : "Mistakes";
        const chosen = element("div", {}, chipRow(this.conditions(which), (without) => this.views.put(without), () => this.ears.select({ kind: "none" })),
            total ? this.actions({ kind: "nodes", which }) : element("p", { class: "note" }, "No node satisfies all of this."));
        const parts = info ? [...this.parts(info), this.members(settingsOf(which), "selection")] : [];
        const said = `${counted(total, "node")} selected (${percent(total, this.start.nodes)} of the graph)`;
        this.showBelow(side === "columns" ? "columns" : `nodes ${side}`, title, said, chosen, top, ...parts);
    }

    private async showBridges(isCurrent: () => boolean): Promise<void> {
        const bridges = await this.ask<Bridges>("bridges", {});
        if (isCurrent()) this.panel.show("bridges", "Bridges", "What holds the map together", ...bridgeParts(bridges, (cluster) => this.nameOf(cluster), this.listEars));
    }
}
