// SPDX-License-Identifier: Apache-2.0
// What the cover sees of the lens, as numbers: bins, points, cells, and where they lie on a plot of one or two axes.
import { Answer } from "./answer";
import { LensViewInfo } from "./protocol";

export const NO_MARK = 0xffffffff;

export interface LensData {
    info: LensViewInfo;
    isFlat: boolean; // one axis alone
    /** Nodes by bin: of the axis, or of the plane row by row. */
    bins: Uint32Array;
    px: Float32Array;
    py: Float32Array;
    pnode: Uint32Array;
    pmark: Uint32Array;
    pfill: Uint8Array;
    /** Ends of cells: one or two values for each. */
    low: Float32Array;
    high: Float32Array;
    markCell: Uint32Array;
}

export function lensDataOf(answer: Answer<LensViewInfo>): LensData {
    const a = answer.arrays;
    const real = (name: string) => (a[name] ?? new Float32Array(0)) as Float32Array;
    const whole = (name: string) => (a[name] ?? new Uint32Array(0)) as Uint32Array;
    return {
        info: answer.json, isFlat: answer.json.axes.length < 2, bins: whole(answer.json.axes.length < 2 ? "all" : "density"),
        px: real("px"), py: real("py"), pnode: whole("pnode"), pmark: whole("pmark"), pfill: (a["pfill"] ?? new Uint8Array(0)) as Uint8Array,
        low: real("low"), high: real("high"), markCell: whole("mark_cell"),
    };
}

/** From values to pixels and back. */
export class Scale {
    constructor(readonly low: number, readonly high: number, readonly from: number, readonly to: number) {}
    at(value: number): number {
        return this.from + ((value - this.low) / (this.high - this.low)) * (this.to - this.from);
    }
    value(pixel: number): number {
        return this.low + ((pixel - this.from) / (this.to - this.from)) * (this.high - this.low);
    }
    /** The value there, but not beyond the ends. */
    inside(pixel: number): number {
        return Math.min(this.high, Math.max(this.low, this.value(pixel)));
    }
}

/** The ends of an axis with everything in view. One that has a single value gets some room. */
export function extentOf(data: LensData, k: number): [number, number] {
    const axis = data.info.axes[k]!;
    const gap = axis.high > axis.low ? 0.02 * (axis.high - axis.low) : Math.max(0.5, 0.05 * Math.abs(axis.low));
    return [axis.low - gap, axis.high + gap];
}

/** Round numbers between two ends, about so many. */
export function ticks(low: number, high: number, many: number): number[] {
    const rough = (high - low) / Math.max(1, many);
    if (!(rough > 0) || !Number.isFinite(rough)) return [];
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough)!;
    const list: number[] = [];
    for (let k = Math.ceil(low / step); k * step <= high; k++) list.push(Number((k * step).toPrecision(12)));
    return list;
}

/** Rows for intervals so that none lies over another: for each its row. */
export function lanesOf(low: ArrayLike<number>, high: ArrayLike<number>): { lane: Uint32Array; lanes: number } {
    const order = Array.from(low, (_, i) => i).sort((i, j) => low[i]! - low[j]! || i - j);
    const lane = new Uint32Array(low.length), ends: number[] = [];
    for (const i of order) {
        let k = ends.findIndex((end) => end < low[i]!);
        if (k < 0) k = ends.length;
        ends[k] = high[i]!;
        lane[i] = k;
    }
    return { lane, lanes: ends.length };
}

/** More colours than this in a plot are mixed. */
const FEW_COLOURS = 16;

export interface Part {
    colour: string;
    /** Share of the bin. */
    share: number;
}

/** The colours of the nodes in each bin of one axis: shares of few colours in one order, or their mixture. */
export function binColours(data: LensData): Part[][] {
    const bins = data.info.bins, axis = data.info.axes[0]!;
    const sums = new Map<number, number>();
    const code = (i: number) => (data.pfill[3 * i]! << 16) | (data.pfill[3 * i + 1]! << 8) | data.pfill[3 * i + 2]!;
    const counts = Array.from({ length: bins }, () => new Map<number, number>());
    const width = Math.max(1e-30, axis.high - axis.low);
    for (let i = 0; i < data.px.length; i++) {
        const bin = Math.min(bins - 1, Math.max(0, Math.floor((bins * (data.px[i]! - axis.low)) / width)));
        const colour = code(i), own = counts[bin]!;
        sums.set(colour, (sums.get(colour) ?? 0) + 1);
        own.set(colour, (own.get(colour) ?? 0) + 1);
    }
    const order = [...sums].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
    return counts.map((own) => (sums.size <= FEW_COLOURS ? partsOf(own, order) : mixed(own)));
}

/** The nodes of one mark by bin of one axis. */
export function markBins(data: LensData, mark: number): number[] {
    const { bins, stride } = data.info, { low, high } = data.info.axes[0]!;
    const counts = new Array<number>(bins).fill(0);
    for (let i = 0; i < data.px.length; i++) {
        if (data.pmark[i] !== mark) continue;
        const bin = Math.min(bins - 1, Math.max(0, Math.floor((bins * (data.px[i]! - low)) / Math.max(1e-30, high - low))));
        counts[bin] = counts[bin]! + stride;
    }
    return counts;
}

function partsOf(own: Map<number, number>, order: number[]): Part[] {
    const all = [...own.values()].reduce((a, b) => a + b, 0);
    return order.filter((colour) => own.has(colour)).map((colour) => ({ colour: hex(colour), share: own.get(colour)! / all }));
}

function mixed(own: Map<number, number>): Part[] {
    const sum = [0, 0, 0];
    let all = 0;
    for (const [colour, n] of own) {
        all += n;
        [16, 8, 0].forEach((shift, k) => (sum[k] = sum[k]! + n * ((colour >> shift) & 255)));
    }
    if (!all) return [];
    return [{ colour: hex(sum.reduce((code, part) => (code << 8) | Math.round(part / all), 0)), share: 1 }];
}

function hex(code: number): string {
    return "#" + code.toString(16).padStart(6, "0");
}

/** Points in the order of their colours, as pairs of a colour and its points: a canvas changes colours slowly. */
export function pointsByColour(data: LensData): Map<string, number[]> {
    const groups = new Map<number, number[]>();
    for (let i = 0; i < data.px.length; i++) {
        const code = (data.pfill[3 * i]! << 16) | (data.pfill[3 * i + 1]! << 8) | data.pfill[3 * i + 2]!;
        const list = groups.get(code);
        if (list) list.push(i);
        else groups.set(code, [i]);
    }
    return new Map([...groups].sort((a, b) => b[1].length - a[1].length).map(([code, list]) => [hex(code), list]));
}

/** The cells that hold a place, that with the nearest middle first. */
export function cellsAt(data: LensData, place: number[]): number[] {
    const dims = data.info.axes.length;
    const far = (cell: number) => place.reduce((sum, value, k) => {
        const a = data.low[cell * dims + k]!, b = data.high[cell * dims + k]!;
        return sum + Math.abs(value - (a + b) / 2) / Math.max(1e-30, b - a);
    }, 0);
    const holds = (cell: number) => place.every((value, k) => value >= data.low[cell * dims + k]! && value <= data.high[cell * dims + k]!);
    const found: number[] = [];
    for (let cell = 0; cell < data.info.cells; cell++) if (holds(cell)) found.push(cell);
    return found.sort((a, b) => far(a) - far(b));
}

/** The marks from a cell. */
export function marksOfCell(data: LensData, cell: number): number[] {
    const marks: number[] = [];
    data.markCell.forEach((own, mark) => own === cell && marks.push(mark));
    return marks;
}

/** The cell that lies best in a direction (one step of keys), or the cell itself. */
export function nextCell(data: LensData, cell: number, dx: number, dy: number): number {
    const dims = data.info.axes.length;
    const middle = (one: number, k: number) => {
        const axis = data.info.axes[k]!;
        return (data.low[one * dims + k]! + data.high[one * dims + k]!) / 2 / Math.max(1e-30, axis.high - axis.low);
    };
    let best = cell, least = Infinity;
    for (let one = 0; one < data.info.cells; one++) {
        const x = middle(one, 0) - middle(cell, 0), y = dims > 1 ? middle(one, 1) - middle(cell, 1) : 0;
        const along = dims > 1 ? x * dx + y * dy : x * (dx || dy), across = dims > 1 ? Math.abs(x * dy) + Math.abs(y * dx) : 0;
        if (along <= 1e-9) continue;
        const cost = along + 3 * across;
        if (cost < least) (least = cost), (best = one);
    }
    return best;
}

/** A region of the lens: the axes that it is on, and its ends on each. */
export interface Region {
    axes: number[];
    ends: [number, number][];
}

/** A region as settings of a question. */
export function writeRegion(region: Region): { box: string; axes: string } {
    const word = (value: number) => String(Number(value.toPrecision(9)));
    return { box: region.ends.flatMap(([low, high]) => [word(Math.min(low, high)), word(Math.max(low, high))]).join(","), axes: region.axes.join(",") };
}

export function readRegion(which: { box?: string; axes?: string }): Region | null {
    const ends = (which.box ?? "").split(",").map(Number);
    if (!which.box || ![2, 4].includes(ends.length) || !ends.every(Number.isFinite)) return null;
    const axes = which.axes ? which.axes.split(",").map(Number) : ends.length === 2 ? [0] : [0, 1];
    if (axes.length * 2 !== ends.length) return null;
    return { axes, ends: axes.map((_, k) => [ends[2 * k]!, ends[2 * k + 1]!]) };
}
