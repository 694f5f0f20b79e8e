// SPDX-License-Identifier: Apache-2.0
// The graph between some nodes, as arrays: what `subgraph` answers, with its edges in an order of which any beginning is a
// fair sample, and the neighbours of each node.
import { Answer } from "./answer";
import { Camera } from "./camera";
import { Legend } from "./protocol";

export interface SubgraphInfo {
    nodes: number;
    edges: number;
    shown_nodes: number;
    shown_edges: number;
    legend: Legend | null;
    names: string[];
}

export interface Subgraph {
    info: SubgraphInfo;
    nodes: number;
    edges: number;
    x: Float32Array;
    y: Float32Array;
    radius: Float32Array;
    node: Uint32Array;
    /** Neighbours in the whole graph. */
    degree: Uint32Array;
    fill: Uint8Array;
    shape: Uint8Array;
    mark: Uint32Array;
    /** 0: the node is there because of hops alone. */
    core: Uint8Array;
    source: Uint32Array;
    target: Uint32Array;
    /** The neighbours of node i are `next` from first[i] to before first[i + 1]. */
    first: Uint32Array;
    next: Uint32Array;
    /** Nodes, the best connected first; those that hops brought come last. */
    order: Uint32Array;
    /** So many at the beginning of `order` are no mere surroundings. */
    cores: number;
    widest: number;
}

/** No mark, no node. */
export const NONE = 0xffffffff;

export function subgraphOf(answer: Answer<SubgraphInfo>): Subgraph {
    const a = answer.arrays;
    const real = (name: string) => (a[name] ?? new Float32Array(0)) as Float32Array;
    const whole = (name: string) => (a[name] ?? new Uint32Array(0)) as Uint32Array;
    const small = (name: string) => (a[name] ?? new Uint8Array(0)) as Uint8Array;
    const nodes = real("x").length;
    const [source, target] = sampled(whole("source"), whole("target"));
    const { first, next } = neighbours(nodes, source, target);
    const core = small("core").length === nodes ? small("core") : new Uint8Array(nodes).fill(1);
    const degree = whole("degree"), radius = sized(real("radius"), degree);
    return {
        info: answer.json, nodes, edges: source.length, x: real("x"), y: real("y"), radius, node: whole("node"), degree,
        fill: small("fill"), shape: small("shape"), mark: whole("mark"), core, source, target, first, next,
        order: byDegree(degree, core, nodes), cores: core.reduce((n, one) => n + one, 0), widest: radius.reduce((most, r) => Math.max(most, r), 0),
    };
}

/** Radii; where the engine makes all nodes alike, hubs are larger. */
function sized(radius: Float32Array, degree: Uint32Array): Float32Array {
    if (!radius.every((one) => one === radius[0])) return radius;
    return radius.map((one, i) => one * Math.min(2.4, 0.7 + 0.22 * Math.log2(1 + (degree[i] ?? 0))));
}

/** The edges in any order but their own (xorshift), so that the first thousand are as good a sample as the next. */
function sampled(source: Uint32Array, target: Uint32Array): [Uint32Array, Uint32Array] {
    const from = source.slice(), to = target.slice();
    let state = 0x9e3779b9;
    for (let k = source.length - 1; k > 0; k--) {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        const j = (state >>> 0) % (k + 1);
        const [a, b] = [from[k]!, to[k]!];
        from[k] = from[j]!;
        to[k] = to[j]!;
        from[j] = a;
        to[j] = b;
    }
    return [from, to];
}

function neighbours(nodes: number, source: Uint32Array, target: Uint32Array): { first: Uint32Array; next: Uint32Array } {
    const first = new Uint32Array(nodes + 1), next = new Uint32Array(2 * source.length);
    for (let e = 0; e < source.length; e++) {
        if (source[e]! >= nodes || target[e]! >= nodes) throw new Error("The engine's answer has an edge to a node that it does not have.");
        first[source[e]! + 1]!++;
        first[target[e]! + 1]!++;
    }
    for (let i = 0; i < nodes; i++) first[i + 1]! += first[i]!;
    const at = first.slice();
    for (let e = 0; e < source.length; e++) {
        next[at[source[e]!]!++] = target[e]!;
        next[at[target[e]!]!++] = source[e]!;
    }
    return { first, next };
}

function byDegree(degree: Uint32Array, core: Uint8Array, nodes: number): Uint32Array {
    const order = new Uint32Array(nodes).map((_, i) => i);
    return order.sort((i, j) => core[j]! - core[i]! || degree[j]! - degree[i]! || i - j);
}

/** The neighbours of a node within the drawing, the best connected first. */
export function neighboursOf(graph: Subgraph, i: number): number[] {
    const list = [...new Set(graph.next.subarray(graph.first[i]!, graph.first[i + 1]!))];
    return list.sort((a, b) => graph.degree[b]! - graph.degree[a]! || a - b);
}

/** The places of the ends of all edges, x, y, x, y: to be read one after the other, which is what memory is quick at. */
export function endsOf(graph: Subgraph): Float32Array {
    const ends = new Float32Array(4 * graph.edges);
    for (let e = 0; e < graph.edges; e++) {
        const a = graph.source[e]!, b = graph.target[e]!;
        ends[4 * e] = graph.x[a]!;
        ends[4 * e + 1] = graph.y[a]!;
        ends[4 * e + 2] = graph.x[b]!;
        ends[4 * e + 3] = graph.y[b]!;
    }
    return ends;
}

/** Nodes as they are painted: those of hops first and then the largest first, so that what matters lies over what does not. */
export function paintOrder(graph: Subgraph): Uint32Array {
    const order = new Uint32Array(graph.nodes);
    order.set(graph.order.subarray(graph.cores));
    order.set(graph.order.subarray(0, graph.cores), graph.nodes - graph.cores);
    return order;
}

/** The class or the like that a node's colour and shape stand for, or null where the legend has none. */
export function entryOf(graph: Subgraph, i: number): string | null {
    const legend = graph.info.legend;
    if (legend?.kind !== "classes") return null;
    const code = (graph.fill[3 * i]! << 16) | (graph.fill[3 * i + 1]! << 8) | graph.fill[3 * i + 2]!;
    return legend.entries.find((entry) => parseInt(entry.colour.slice(1), 16) === code && entry.shape === (graph.shape[i] ?? 0))?.name ?? null;
}

/** How many edges cross a pixel of the view on average. A sample of them is looked at. */
export function coverage(graph: Subgraph, camera: Camera, width: number, height: number): number {
    const sample = Math.min(graph.edges, 1000);
    let length = 0;
    for (let e = 0; e < sample; e++) {
        const a = graph.source[e]!, b = graph.target[e]!;
        const ax = (graph.x[a]! - camera.x) * camera.scale, ay = (graph.y[a]! - camera.y) * camera.scale;
        const bx = (graph.x[b]! - camera.x) * camera.scale, by = (graph.y[b]! - camera.y) * camera.scale;
        length += clippedLength(ax, ay, bx, by, width / 2, height / 2);
    }
    return sample ? ((length / sample) * graph.edges) / (width * height) : 0;
}

/** What of a line lies within a box around (0, 0), by Liang and Barsky. */
function clippedLength(ax: number, ay: number, bx: number, by: number, halfWidth: number, halfHeight: number): number {
    let from = 0, to = 1;
    const dx = bx - ax, dy = by - ay;
    for (const [p, q] of [[-dx, ax + halfWidth], [dx, halfWidth - ax], [-dy, ay + halfHeight], [dy, halfHeight - ay]] as const) {
        if (p === 0 && q < 0) return 0;
        if (p < 0) from = Math.max(from, q / p);
        if (p > 0) to = Math.min(to, q / p);
    }
    return to > from ? (to - from) * Math.hypot(dx, dy) : 0;
}

/** How dark one edge is, from 0 to 1: the more of them cross each other, the paler each. */
export function edgeStrength(cover: number): number {
    return Math.min(0.5, Math.max(0.02, 0.5 / (1 + 6 * cover) ** 0.75));
}
