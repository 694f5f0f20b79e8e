// SPDX-License-Identifier: Apache-2.0
// From one picture to the next: what has become of a selection, and which marks something is about.
import { Picture, followMark } from "./scene";
import { Selection } from "./state";

/** The same selection in another picture. */
export function follow(selection: Selection, old: Picture, fresh: Picture, origin: Int32Array): Selection {
    const next = (cluster: number) => {
        const mark = old.markOf.get(cluster);
        return mark === undefined || fresh.marks === 0 ? -1 : fresh.cluster[followMark(old, fresh, origin, mark)]!;
    };
    // Conditions are about a lens: a box of another means nothing.
    if (selection.kind === "nodes") return isOtherLens(old, fresh) ? { kind: "none" } : selection;
    if (selection.kind === "none") return selection;
    if (selection.kind === "clusters") {
        const clusters = [...new Set(selection.clusters.map(next))].filter((cluster) => cluster >= 0);
        return clusters.length ? { kind: "clusters", clusters } : { kind: "none" };
    }
    const a = next(selection.a), b = next(selection.b);
    return linkBetween(fresh, a, b) >= 0 ? { kind: "link", a, b } : { kind: "none" };
}

function isOtherLens(old: Picture, fresh: Picture): boolean {
    const key = ({ info }: Picture) => info.axes.map((axis) => `${axis.name} ${axis.low} ${axis.high}`).join();
    return key(old) !== key(fresh);
}

/** Shares of marks in another picture, until the engine has told them. */
export function carry(shares: Float32Array | null, origin: Int32Array | null): Float32Array | null {
    return shares && origin ? Float32Array.from(origin, (from) => shares[from] ?? 0) : null;
}

export function linkBetween(picture: Picture, a: number, b: number): number {
    const i = picture.markOf.get(a), j = picture.markOf.get(b);
    if (i === undefined || j === undefined) return -1;
    return picture.touching[i]!.find((e) => picture.source[e] === j || picture.target[e] === j) ?? -1;
}

export function marksOfClass(picture: Picture, entry: { colour: string; shape: number }): Uint8Array {
    const code = parseInt(entry.colour.slice(1), 16);
    const lit = new Uint8Array(picture.marks);
    for (let i = 0; i < picture.marks; i++) {
        const own = (picture.fill[3 * i]! << 16) | (picture.fill[3 * i + 1]! << 8) | picture.fill[3 * i + 2]!;
        lit[i] = own === code && picture.shape[i] === entry.shape && !picture.pile[i] ? 1 : 0;
    }
    return lit;
}
