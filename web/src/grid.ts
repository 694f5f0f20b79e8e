// SPDX-License-Identifier: Apache-2.0
// Which mark lies where: a grid of cells over points, for picking and for nearest places.

export class Grid {
    private readonly cells = new Map<number, number[]>();
    private readonly step: number;
    private readonly left: number;
    private readonly bottom: number;
    private readonly columns: number;
    private readonly rows: number;

    constructor(private readonly x: ArrayLike<number>, private readonly y: ArrayLike<number>) {
        const n = x.length;
        let right = -Infinity, top = -Infinity, left = Infinity, bottom = Infinity;
        for (let i = 0; i < n; i++) {
            left = Math.min(left, x[i]!);
            right = Math.max(right, x[i]!);
            bottom = Math.min(bottom, y[i]!);
            top = Math.max(top, y[i]!);
        }
        this.left = n ? left : 0;
        this.bottom = n ? bottom : 0;
        const wide = n ? right - left : 0, high = n ? top - bottom : 0;
        this.step = Math.max(Math.sqrt((wide * high) / Math.max(1, n)), Math.max(wide, high) / 256, 1e-9);
        this.columns = Math.floor(wide / this.step) + 1;
        this.rows = Math.floor(high / this.step) + 1;
        for (let i = 0; i < n; i++) {
            const key = this.row(y[i]!) * this.columns + this.column(x[i]!);
            const list = this.cells.get(key);
            if (list) list.push(i);
            else this.cells.set(key, [i]);
        }
    }

    private column(x: number): number {
        return Math.min(this.columns - 1, Math.max(0, Math.floor((x - this.left) / this.step)));
    }

    private row(y: number): number {
        return Math.min(this.rows - 1, Math.max(0, Math.floor((y - this.bottom) / this.step)));
    }

    /** Calls `visit` with every point in the cells that a box touches. */
    within(left: number, bottom: number, right: number, top: number, visit: (i: number) => void): void {
        for (let row = this.row(bottom); row <= this.row(top); row++)
            for (let column = this.column(left); column <= this.column(right); column++)
                for (const i of this.cells.get(row * this.columns + column) ?? []) visit(i);
    }

    /** The point nearest to a place, or -1 where there are no points. Rings of cells are searched, from near to far. */
    nearest(px: number, py: number): number {
        let best = -1, least = Infinity;
        const column = this.column(px), row = this.row(py);
        const look = (i: number) => {
            const d = (this.x[i]! - px) ** 2 + (this.y[i]! - py) ** 2;
            if (d < least) (least = d), (best = i);
        };
        for (let ring = 0; ring <= Math.max(this.columns, this.rows); ring++) {
            // What is in this ring lies at least this far from the place.
            const gap = (ring - 1) * this.step;
            if (best >= 0 && gap > 0 && gap * gap > least) break;
            this.ring(column, row, ring, look);
        }
        return best;
    }

    private ring(column: number, row: number, ring: number, look: (i: number) => void): void {
        for (let r = row - ring; r <= row + ring; r++) {
            if (r < 0 || r >= this.rows) continue;
            const whole = Math.abs(r - row) === ring;
            for (let c = column - ring; c <= column + ring; c += whole || ring === 0 ? 1 : 2 * ring) {
                if (c < 0 || c >= this.columns) continue;
                for (const i of this.cells.get(r * this.columns + c) ?? []) look(i);
            }
        }
    }
}

/** The mark under a place: the one into which it lies deepest, or that is nearest within `slack`; -1 where none is. Radii
 * are taken times `factor`. */
export function pick(
    grid: Grid, x: ArrayLike<number>, y: ArrayLike<number>, radius: ArrayLike<number>,
    widest: number, px: number, py: number, slack: number, factor = 1,
): number {
    let best = -1, least = slack;
    const reach = widest * factor + slack;
    grid.within(px - reach, py - reach, px + reach, py + reach, (i) => {
        const d = Math.hypot(x[i]! - px, y[i]! - py) - radius[i]! * factor;
        if (d <= least) (least = d), (best = i);
    });
    return best;
}

/** How far a place is from the line between two others. */
export function distanceToSegment(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
    const dx = bx - ax, dy = by - ay;
    const length = dx * dx + dy * dy;
    const t = length > 0 ? Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length)) : 0;
    return Math.hypot(ax + t * dx - px, ay + t * dy - py);
}

/** Whether a place lies inside a closed line, given as x, y, x, y, ... (even-odd rule). */
export function insidePolygon(px: number, py: number, line: number[]): boolean {
    let inside = false;
    const n = line.length / 2;
    for (let i = 0, j = n - 1; i < n; j = i++) {
        const ax = line[2 * i]!, ay = line[2 * i + 1]!, bx = line[2 * j]!, by = line[2 * j + 1]!;
        if (ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax) inside = !inside;
    }
    return inside;
}
