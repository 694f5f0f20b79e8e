// SPDX-License-Identifier: Apache-2.0
// Sets of nodes that can be drawn or mapped on their own, in words and as settings of a question (PROTOCOL.md, "Which nodes").
import { Settings } from "./protocol";
import { Picture } from "./scene";
import { Selection, Which } from "./state";
import { counted, plain } from "./words";

export type NodeSet =
    | { kind: "clusters"; clusters: number[]; combine: "any" | "all" }
    | { kind: "link"; a: number; b: number }
    /** By conditions: a box of the lens, a field of mistakes, filters. */
    | { kind: "nodes"; which: Which; words: string }
    /** One node, for the sake of what is around it. */
    | { kind: "around"; node: number; words: string };

/** The nodes of a selection, or null where nothing is selected. `words` says what conditions mean. */
export function nodeSetOf(selection: Selection, combine: "any" | "all", words: (which: Which) => string): NodeSet | null {
    if (selection.kind === "none") return null;
    if (selection.kind === "nodes") return { ...selection, words: words(selection.which) };
    return selection.kind === "link" ? selection : { kind: "clusters", clusters: selection.clusters, combine };
}

/** What has become of a set in another picture; null where nothing has. Nodes themselves are what they were. */
export function heirOf(set: NodeSet, follow: (selection: Selection) => Selection): NodeSet | null {
    if (set.kind === "around") return set;
    const next = follow(set.kind === "clusters" ? { kind: "clusters", clusters: set.clusters } : set);
    if (next.kind === "none") return null;
    if (next.kind === "nodes") return set.kind === "nodes" ? set : null;
    return next.kind === "link" ? next : { kind: "clusters", clusters: next.clusters, combine: set.kind === "clusters" ? set.combine : "any" };
}

function isPile(picture: Picture, cluster: number): boolean {
    return picture.pile[picture.markOf.get(cluster) ?? -1] === 1;
}

/** Conditions as settings of a question. */
export function settingsOf(which: Which): Settings {
    return Object.fromEntries(Object.entries(which).filter(([name, value]) => value && (name !== "axes" || which.box)) as [string, string][]);
}

/** The settings that name these nodes in a picture; null where it has none of them. */
export function setSettings(set: NodeSet, picture: Picture): Settings | null {
    if (set.kind === "around") return { nodes: String(set.node) };
    if (set.kind === "nodes") return settingsOf(set.which);
    if (set.kind === "link") return linkSettings(set.a, set.b, picture);
    const [one] = set.clusters;
    if (set.clusters.length === 1 && one !== undefined) return isPile(picture, one) ? { mark: String(picture.markOf.get(one)) } : { cluster: String(one) };
    // A pile stands for clusters that it does not name; beside others it is left out, as in the table of members.
    const real = set.clusters.filter((cluster) => !isPile(picture, cluster));
    return real.length ? { clusters: real.join(","), combine: set.combine } : null;
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
export function setWords(set: NodeSet, picture: Picture): string {
    const name = (cluster: number) => plain(picture.info.names[picture.markOf.get(cluster) ?? -1] ?? `cluster ${cluster}`);
    if (set.kind === "around" || set.kind === "nodes") return set.words;
    if (set.kind === "link") return `${name(set.a)} ${sharedBy(set.a, set.b, picture) > 0 ? "–" : "and"} ${name(set.b)}`;
    if (set.clusters.length === 1) return name(set.clusters[0]!);
    return set.combine === "all" ? `what ${counted(set.clusters.length, "cluster")} share` : counted(set.clusters.length, "cluster");
}
