// SPDX-License-Identifier: Apache-2.0
// Which nodes a view is about, in words and as settings of a question (PROTOCOL.md, "Which nodes").
import { Settings } from "./protocol";
import { Picture } from "./scene";
import { Selection } from "./state";
import { counted, plain } from "./words";

export type Which =
    | { kind: "clusters"; clusters: number[]; combine: "any" | "all" }
    | { kind: "link"; a: number; b: number }
    | { kind: "nodes"; nodes: number[]; words: string };

/** The nodes of a selection, or null where nothing is selected. */
export function whichOf(selection: Selection, combine: "any" | "all"): Which | null {
    if (selection.kind === "none") return null;
    return selection.kind === "link" ? selection : { kind: "clusters", clusters: selection.clusters, combine };
}

function isPile(picture: Picture, cluster: number): boolean {
    return picture.pile[picture.markOf.get(cluster) ?? -1] === 1;
}

/** The settings that name these nodes in a picture; null where it has none of them. */
export function whichSettings(which: Which, picture: Picture): Settings | null {
    if (which.kind === "nodes") return { nodes: which.nodes.join(",") };
    if (which.kind === "link") return linkSettings(which.a, which.b, picture);
    const [one] = which.clusters;
    if (which.clusters.length === 1 && one !== undefined) return isPile(picture, one) ? { mark: String(picture.markOf.get(one)) } : { cluster: String(one) };
    // A pile stands for clusters that it does not name; beside others it is left out, as in the table of members.
    const real = which.clusters.filter((cluster) => !isPile(picture, cluster));
    return real.length ? { clusters: real.join(","), combine: which.combine } : null;
}

/** The nodes in both; where no node is, those in either. */
function linkSettings(a: number, b: number, picture: Picture): Settings {
    return sharedBy(a, b, picture) > 0 ? { a: String(a), b: String(b) } : { clusters: `${a},${b}`, combine: "any" };
}

function sharedBy(a: number, b: number, picture: Picture): number {
    const i = picture.markOf.get(a), j = picture.markOf.get(b);
    const link = i === undefined ? undefined : picture.touching[i]!.find((e) => picture.source[e] === j || picture.target[e] === j);
    return link === undefined ? 0 : picture.shared[link]!;
}

/** "North", "3 clusters", "North and East": for titles. */
export function whichWords(which: Which, picture: Picture): string {
    const name = (cluster: number) => plain(picture.info.names[picture.markOf.get(cluster) ?? -1] ?? `cluster ${cluster}`);
    if (which.kind === "nodes") return which.words;
    if (which.kind === "link") return `${name(which.a)} ${sharedBy(which.a, which.b, picture) > 0 ? "–" : "and"} ${name(which.b)}`;
    if (which.clusters.length === 1) return name(which.clusters[0]!);
    return which.combine === "all" ? `what ${counted(which.clusters.length, "cluster")} share` : counted(which.clusters.length, "cluster");
}
