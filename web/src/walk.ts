// SPDX-License-Identifier: Apache-2.0
// Walking over a map by keys.

/** Things at places, y upwards. */
export interface Places {
    x: ArrayLike<number>;
    y: ArrayLike<number>;
}

/** The thing that lies best in a direction (y downwards) from another; those of `near` count as half as far. -1: none does. */
export function walkFrom(places: Places, near: ReadonlySet<number>, at: number, dx: number, dy: number): number {
    let best = -1, least = Infinity;
    for (let i = 0; i < places.x.length; i++) {
        const x = places.x[i]! - places.x[at]!, y = places.y[at]! - places.y[i]!;
        const along = x * dx + y * dy, across = Math.abs(x * dy) + Math.abs(y * dx);
        if (i === at || along <= 0 || across > 2 * along) continue;
        const cost = (along + 2 * across) * (near.has(i) ? 0.5 : 1);
        if (cost < least) (least = cost), (best = i);
    }
    return best;
}
