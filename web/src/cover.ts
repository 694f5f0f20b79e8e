// SPDX-License-Identifier: Apache-2.0
// The text of a cover ("adaptive:size=338") taken apart into a kind and the one number that a slider moves.

export interface CoverKind {
    kind: string;
    words: string;
    help: string;
    /** The key of the number behind the colon, or null where intervals are counted. */
    key: string | null;
    label: string;
    uses: "intervals" | "number" | "nothing";
    overlaps: boolean;
}

export const COVERS: CoverKind[] = [
    {
        kind: "uniform", words: "equal lengths", help: "Every axis is cut into intervals of equal length.",
        key: null, label: "Intervals", uses: "intervals", overlaps: true,
    },
    {
        kind: "quantile", words: "equal counts", help: "Every axis is cut so that intervals hold equally many nodes.",
        key: null, label: "Intervals", uses: "intervals", overlaps: true,
    },
    {
        kind: "adaptive", words: "adaptive", help: "Boxes are halved as long as they hold more nodes than this.",
        key: "size", label: "Nodes per cell", uses: "number", overlaps: true,
    },
    {
        kind: "balls", words: "balls", help: "Balls of one radius in the space of all axes.",
        key: "radius", label: "Radius", uses: "number", overlaps: false,
    },
    {
        kind: "landmarks", words: "landmarks", help: "Every node belongs to its nearest landmarks.",
        key: "k", label: "Landmarks", uses: "number", overlaps: true,
    },
    {
        kind: "gmeans", words: "G-means", help: "Intervals are split while their values are not normal. One axis.",
        key: null, label: "", uses: "nothing", overlaps: true,
    },
    {
        kind: "cmo", words: "cmo", help: "As many intervals as the edges of points allow. One axis.",
        key: null, label: "", uses: "nothing", overlaps: true,
    },
    {
        kind: "parts", words: "parts", help: "A cell for each part of the nodes. Nodes with this share of their neighbours in a part lie in its cell.",
        key: "share", label: "Share of neighbours", uses: "number", overlaps: false,
    },
];

export interface Cover {
    kind: string;
    number: number | null;
}

/** "adaptive:size=338" as {adaptive, 338}. */
export function readCover(text: string): Cover {
    const colon = text.indexOf(":");
    const kind = colon < 0 ? text : text.slice(0, colon);
    const row = COVERS.find((one) => one.kind === kind);
    if (colon < 0 || !row?.key) return { kind, number: null };
    const key = row.key;
    const part = text.slice(colon + 1).split(",").find((one) => one.startsWith(key + "="));
    const number = part ? Number(part.slice(key.length + 1)) : NaN;
    return { kind, number: Number.isFinite(number) ? number : null };
}

export function writeCover(kind: string, number: number): string {
    const row = COVERS.find((one) => one.kind === kind);
    return row?.key ? `${kind}:${row.key}=${number}` : kind;
}

/** What the number of a cover begins with, and how far its slider goes. */
export function coverRange(kind: string, nodes: number): { low: number; high: number; start: number; whole: boolean } {
    if (kind === "adaptive")
        return { low: Math.min(2, nodes), high: Math.max(4, nodes), start: Math.max(4, Math.round(nodes / 8)), whole: true };
    if (kind === "landmarks") return { low: 2, high: Math.max(3, Math.min(nodes, 500)), start: Math.min(30, nodes), whole: true };
    if (kind === "parts") return { low: 0.05, high: 1, start: 0.3, whole: false };
    return { low: 0.01, high: 2, start: 0.2, whole: false };
}

/** "6,4" as [6, 4], filled up to a number of axes: the last goes on. */
export function perAxis(text: string, axes: number, otherwise: number): number[] {
    const given = text.split(",").filter((part) => part.trim() !== "").map(Number).filter((value) => Number.isFinite(value));
    const list: number[] = [];
    for (let k = 0; k < axes; k++) list.push(given[Math.min(k, given.length - 1)] ?? otherwise);
    return list;
}

/** [6, 6] as "6", [6, 4] as "6,4". */
export function joinAxes(values: number[]): string {
    return values.every((value) => value === values[0]) ? String(values[0]) : values.join(",");
}
