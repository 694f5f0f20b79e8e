// SPDX-License-Identifier: Apache-2.0
// Very many lines and points as pixels, without the canvas's own strokes: each line adds to the pixels that it crosses, and a
// table turns sums into colours. A million lines take about as long as a hundred thousand strokes, the time is known when it
// is over, and a sample of the lines is as dark as all of them.
import { Camera } from "./camera";

/** What one line adds to a pixel that it crosses in the middle. */
const WHOLE = 8;
const STEPS = 2048;

export class Density {
    readonly pixels: Uint32Array;
    private readonly sums: Uint32Array;
    private readonly table = new Uint32Array(STEPS);

    constructor(readonly width: number, readonly height: number, image: Uint8ClampedArray) {
        this.sums = new Uint32Array(width * height);
        this.pixels = new Uint32Array(image.buffer);
    }

    clear(): void {
        this.sums.fill(0);
    }

    /** Adds edges, given by the places of their ends, until `isLate` says so, which is asked now and then; returns the first edge that was not added. */
    edges(ends: Float32Array, camera: Camera, from: number, to: number, isLate: () => boolean): number {
        const { scale } = camera, left = this.width / 2 - camera.x * scale, top = this.height / 2 + camera.y * scale;
        for (let e = from; e < to; e++) {
            if ((e & 255) === 0 && e > from && isLate()) return e;
            this.line(left + ends[4 * e]! * scale, top - ends[4 * e + 1]! * scale, left + ends[4 * e + 2]! * scale, top - ends[4 * e + 3]! * scale);
        }
        return to;
    }

    line(ax: number, ay: number, bx: number, by: number): void {
        const dx = bx - ax, dy = by - ay;
        if ((ax < 0 && bx < 0) || (ay < 0 && by < 0) || (ax > this.width && bx > this.width) || (ay > this.height && by > this.height)) return;
        if (Math.abs(dx) > Math.abs(dy)) {
            if (dx > 0) this.along(ax, ay, bx, dy / dx, this.width, this.height, 1, this.width);
            else this.along(bx, by, ax, dy / dx, this.width, this.height, 1, this.width);
        } else if (dy > 0) this.along(ay, ax, by, dx / dy, this.height, this.width, this.width, 1);
        else if (dy < 0) this.along(by, bx, ay, dx / dy, this.height, this.width, this.width, 1);
    }

    /** Walks along the longer side of a line; two pixels share what it adds, by how near they are. */
    private along(from: number, across: number, to: number, slope: number, length: number, breadth: number, step: number, side: number): void {
        const { sums } = this;
        const begin = Math.max(0, Math.ceil(from)), end = Math.min(length - 1, Math.floor(to));
        let at = across + (begin - from) * slope;
        for (let i = begin; i <= end; i++, at += slope) {
            const cell = at | 0;
            if (at < 0 || cell >= breadth - 1) continue;
            const share = ((at - cell) * WHOLE) | 0, pixel = i * step + cell * side;
            sums[pixel]! += WHOLE - share;
            sums[pixel + side]! += share;
        }
    }

    /** Turns sums into colours between two, where a line alone is as dark as `strength` says. Colours are red, green, blue. */
    tone(ground: number[], ink: number[], strength: number): void {
        const { sums, pixels, table } = this;
        const rate = Math.log(1 - Math.min(0.99, strength)) / WHOLE;
        for (let k = 0; k < STEPS; k++) table[k] = packed(ground, ink, 1 - Math.exp(rate * k));
        for (let i = 0; i < sums.length; i++) {
            const sum = sums[i]!;
            pixels[i] = table[sum < STEPS ? sum : STEPS - 1]!;
        }
    }

    /** A small disc without a soft rim, in a colour as pixels have it. */
    dot(px: number, py: number, radius: number, colour: number): void {
        const { width, height, pixels } = this;
        const top = Math.max(0, Math.round(py - radius)), bottom = Math.min(height, Math.max(top + 1, Math.round(py + radius)));
        for (let row = top; row < bottom; row++) {
            const half = radius < 1.6 ? radius : Math.sqrt(Math.max(0.25, radius * radius - (row + 0.5 - py) ** 2));
            const from = Math.round(px - half), left = Math.max(0, from), right = Math.min(width, Math.max(from + 1, Math.round(px + half)));
            for (let i = row * width + left; i < row * width + right; i++) pixels[i] = colour;
        }
    }
}

/** A colour between two, as pixels have it. */
export function packed(from: ArrayLike<number>, to: ArrayLike<number>, share: number): number {
    const part = (k: number) => Math.round(from[k]! + (to[k]! - from[k]!) * share);
    return (0xff000000 | (part(2) << 16) | (part(1) << 8) | part(0)) >>> 0;
}
