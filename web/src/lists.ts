// SPDX-License-Identifier: Apache-2.0
// Lists over the whole summary: all clusters as a table that can be sorted and read aloud, and the bridges.
import { element } from "./dom";
import { block } from "./panel";
import { Bridges } from "./protocol";
import { Picture } from "./scene";
import { count, counted, percent, plain, short } from "./words";

export type SortKey = "size" | "links" | "error" | "name";

export interface ListEars {
    open(clusters: number[]): void;
    /** Lights marks of the map; null: none. */
    light(clusters: number[] | null): void;
    sort(key: SortKey): void;
}

/** Marks in the order of a column; errors that are unknown come last. */
export function sortMarks(picture: Picture, key: SortKey): number[] {
    const order = [...picture.bySize];
    const error = (i: number) => (Number.isNaN(picture.error[i]!) ? -1 : picture.error[i]!);
    if (key === "links") order.sort((i, j) => picture.touching[j]!.length - picture.touching[i]!.length);
    if (key === "error") order.sort((i, j) => error(j) - error(i));
    if (key === "name") order.sort((i, j) => (picture.info.names[i] ?? "").localeCompare(picture.info.names[j] ?? ""));
    return order;
}

const MOST_ROWS = 500;

export function clusterTable(picture: Picture, key: SortKey, ears: ListEars): HTMLElement {
    const hasErrors = picture.error.some((value) => !Number.isNaN(value));
    const columns: [SortKey, string][] = [["name", "Cluster"], ["size", "Nodes"], ["links", "Links"]];
    if (hasErrors) columns.push(["error", "Wrong"]);
    const head = element("tr", {}, ...columns.map(([column, words]) =>
        element("th", { scope: "col", "aria-sort": column === key ? (column === "name" ? "ascending" : "descending") : "none" },
            element("button", { type: "button", onclick: () => ears.sort(column), title: `Sort by ${words.toLowerCase()}` }, words))));
    const order = sortMarks(picture, key);
    const rows = order.slice(0, MOST_ROWS).map((i) => clusterRow(picture, i, hasErrors, ears));
    const rest = order.length - rows.length;
    return element(
        "div", {},
        element("table", { class: "clusters", id: "cluster-table" }, element("caption", { class: "hidden" }, "Clusters of this summary"),
            element("thead", {}, head), element("tbody", {}, ...rows)),
        rest > 0 && element("p", { class: "note" }, `and ${counted(rest, "more", "more")}`),
    );
}

function clusterRow(picture: Picture, i: number, hasErrors: boolean, ears: ListEars): HTMLElement {
    const dot = element("i", { class: picture.pile[i] ? "dot pile" : "dot" });
    const [red, green, blue] = [0, 1, 2].map((k) => picture.fill[3 * i + k]!);
    if (!picture.pile[i]) dot.style.background = `rgb(${red},${green},${blue})`;
    const cluster = picture.cluster[i]!;
    const light = () => ears.light([cluster]), dark = () => ears.light(null);
    const error = picture.error[i]!;
    return element(
        "tr", { onpointerenter: light, onpointerleave: dark },
        element("td", {}, element("button", { type: "button", class: "entry", onclick: () => ears.open([cluster]), onfocus: light, onblur: dark, "data-cluster": cluster },
            dot, element("span", { class: "name" }, plain(picture.info.names[i] ?? String(cluster))), picture.pinned[i] === 1 && element("span", { class: "count" }, "pinned"))),
        element("td", { class: "number" }, count(picture.size[i]!)),
        element("td", { class: "number" }, count(picture.touching[i]!.length)),
        hasErrors && element("td", { class: "number" }, Number.isNaN(error) ? "–" : percent(error, 1)),
    );
}

export function bridgeParts(bridges: Bridges, nameOf: (cluster: number) => string, ears: ListEars): HTMLElement[] {
    const nodes = bridges.nodes.map((one) =>
        bridgeRow(plain(one.name), `${one.across < 0 ? `in ${counted(one.clusters.length, "cluster")}` : `${counted(one.across, "edge")} across`}, ${counted(one.degree, "neighbour")}`, one.clusters,
            `${one.clusters.map((cluster) => plain(nameOf(cluster))).join(" – ")}\nscore ${short(one.score)}`, ears));
    const pieces = bridges.pieces.map((one) =>
        bridgeRow(`${plain(nameOf(one.a))} – ${plain(nameOf(one.b))}`, counted(one.edges, "graph edge"), [one.a, one.b],
            one.ends.map((pair) => pair.join(" – ")).join("\n"), ears));
    const list = (rows: HTMLElement[], none: string) => (rows.length ? element("ul", { class: "links" }, ...rows) : element("p", { class: "note" }, none));
    return [
        block("Nodes that join clusters", "Nodes with many edges into other clusters, where few edges join large clusters", list(nodes, "No node joins clusters.")),
        block("Edges between pieces", "Edges of the graph between clusters that no path of links joins", list(pieces, "No edge of the graph runs between pieces.")),
    ];
}

function bridgeRow(name: string, about: string, clusters: number[], help: string, ears: ListEars): HTMLElement {
    const light = () => ears.light(clusters), dark = () => ears.light(null);
    return element(
        "li", {},
        element("button", {
            type: "button", class: "entry", title: help, onpointerenter: light, onpointerleave: dark, onfocus: light, onblur: dark,
            onclick: () => ears.open(clusters),
        }, element("span", { class: "name" }, name), element("span", { class: "count" }, about)),
    );
}
