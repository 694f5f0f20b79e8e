// SPDX-License-Identifier: Apache-2.0
// What is lit on the map: what the search has found, else the shares of nodes that are selected, and before both what is
// under the pointer elsewhere.
import { MapView } from "./canvas";
import { Drill } from "./drill";
import { carry } from "./follow";
import { Picture } from "./scene";
import { Tooltip } from "./tooltip";

export class Lights {
    /** By mark, how many of its nodes the search has found. */
    private found: Uint32Array | null = null;
    /** By mark, what share of it is among the nodes that are selected. */
    private shares: Float32Array | null = null;

    constructor(private readonly map: MapView, private readonly drill: Drill, private readonly tooltip: Tooltip, private readonly picture: () => Picture | null) {}

    setFound(found: Uint32Array | null): void {
        this.found = found;
        this.show(null);
    }

    setShares(shares: Float32Array | null): void {
        this.shares = shares;
        this.show(null);
    }

    /** Another picture: shares go with their marks until the engine has told them anew. */
    follow(origin: Int32Array | null): void {
        this.shares = carry(this.shares, origin);
        this.found = null;
    }

    /** Lights marks for a moment; null: what was lit before. */
    show(lit: Uint8Array | null): void {
        this.map.highlight.lit = lit ?? this.found ?? this.shares;
        this.map.highlight.isShare = !lit && !this.found;
        this.map.redraw();
    }

    showMarks(marks: number[] | null): void {
        const lit = new Uint8Array(this.picture()?.marks ?? 0);
        for (const mark of marks ?? []) lit[mark] = 1;
        this.show(marks && lit);
    }

    showClusters(clusters: number[] | null): void {
        const marks = clusters?.flatMap((cluster) => this.picture()?.markOf.get(cluster) ?? []);
        this.showMarks(marks ?? null);
    }

    /** The lens has marks under the pointer, or a node, which is told where it is drawn. */
    fromLens(marks: number[] | null, node: number | null): void {
        const mark = node !== null && marks ? marks[0]! : -1;
        this.tooltip.hide();
        this.map.highlight.hover = mark;
        this.showMarks(mark < 0 ? marks : null);
        if (this.drill.isOpen) this.drill.point(node, marks);
        else if (mark >= 0) this.tell(mark, this.map.placeOf(mark));
    }

    /** Says what a mark is, beside a place. */
    tell(mark: number, { x, y }: { x: number; y: number }): void {
        this.tooltip.showMark(this.picture()!, mark, this.found?.[mark] ?? null, x, y, this.shares?.[mark] ?? null);
    }
}
