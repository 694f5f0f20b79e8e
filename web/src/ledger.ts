// SPDX-License-Identifier: Apache-2.0
// The line below the map: how many clusters, how long it took, what of the graph is in them, and the shape in numbers.
// Nothing is lost silently.
import { element } from "./dom";
import { PictureInfo } from "./protocol";
import { count, counted, duration, percent } from "./words";

export function showLedger(host: HTMLElement, info: PictureInfo, seen: number, roundTrip: number): void {
    host.replaceChildren(...[counts(info, seen), time(info, roundTrip), nodes(info), edges(info), bits(info), shape(info), dust(info)].filter(isThere));
}

function isThere(part: HTMLElement | null): part is HTMLElement {
    return part !== null;
}

function item(id: string, help: string, ...parts: (Node | string)[]): HTMLElement {
    return element("span", { class: "item", id: `ledger-${id}`, title: help }, ...parts);
}

function counts(info: PictureInfo, seen: number): HTMLElement {
    const folded = seen < info.clusters ? `, ${count(seen)} to see` : "";
    return item("counts", "Clusters of this summary, those that are not folded into dust, and the links between all of them",
        element("strong", {}, counted(info.clusters, "cluster")), `${folded} · ${counted(info.links, "link")}`);
}

function time(info: PictureInfo, roundTrip: number): HTMLElement {
    const { map, layout, paint } = info.seconds;
    return item("time", `mapping ${duration(map)}, layout ${duration(layout)}, colours ${duration(paint)}; with the way to the page ${duration(roundTrip)}`,
        map + layout + paint > 0 ? duration(map + layout + paint) : "");
}

function nodes(info: PictureInfo): HTMLElement {
    const { nodes: all, covered, filtered, lost } = info.coverage;
    const gone = [filtered ? `${count(filtered)} filtered` : "", lost ? `${count(lost)} lost` : ""].filter(Boolean).join(", ");
    return item("nodes", `${count(covered)} of ${count(all)} nodes are in a cluster${gone ? `; ${gone}` : ""}`,
        meter(covered, all), `${percent(covered, all)} of nodes`, gone ? element("em", {}, ` ${gone}`) : "");
}

function edges(info: PictureInfo): HTMLElement {
    const { edges: all, edges_inside: inside } = info.coverage;
    return item("edges", `${count(inside)} of ${count(all)} edges of the graph have both ends in one cluster, each node in its largest`,
        meter(inside, all), `${percent(inside, all)} of edges inside`);
}

function bits(info: PictureInfo): HTMLElement | null {
    if (!info.found || info.saved === undefined || !info.whole) return null;
    const saved = Math.max(0, info.saved);
    return item("bits", info.found.charAt(0).toUpperCase() + info.found.slice(1) + ".",
        meter(saved, info.whole), `${saved.toFixed(2)} of ${info.whole.toFixed(2)} bits an edge`);
}

function meter(part: number, all: number): HTMLElement {
    const fill = element("i", {});
    fill.style.width = `${all ? Math.min(100, (100 * part) / all) : 0}%`;
    return element("span", { class: "meter", "aria-hidden": "true" }, fill);
}

function shape(info: PictureInfo): HTMLElement | null {
    const t = info.topology;
    if (!t) return null;
    return item("shape", `b0 = ${t.b0} connected pieces, b1 = ${t.b1} loops with triangles filled; ${count(t.triangles)} triangles, ${count(t.skeleton_loops)} loops of the links alone`,
        `${counted(t.b0, "piece")} · ${counted(t.b1, "loop")}`);
}

function dust(info: PictureInfo): HTMLElement | null {
    const d = info.dust;
    if (!d || !d.clusters) return null;
    return item("dust", `${counted(d.clusters, "small cluster")} with ${counted(d.nodes, "node")}${d.marks ? `, folded into ${counted(d.marks, "mark")}` : ""}`,
        `${count(d.nodes)} nodes in dust`);
}
