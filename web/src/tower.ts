// SPDX-License-Identifier: Apache-2.0
// The settings of the grid of small multiples: intervals and overlaps around those that are shown, and which of them are a
// tower, each with twice the intervals of the one before.
import { COVERS, joinAxes, perAxis, readCover, writeCover } from "./cover";
import { Bar, Option, Settings } from "./protocol";

export interface GridColumn {
    words: string;
    settings: Settings;
    /** The number that it stands for: intervals of the first axis, or what the cover counts. */
    number: number;
    isNow: boolean;
}

export interface GridRow {
    words: string;
    overlap: string | null;
    isNow: boolean;
}

export interface MultiplesPlan {
    /** What the columns count: "intervals", "nodes per cell". */
    noun: string;
    columns: GridColumn[];
    rows: GridRow[];
    /** Numbers of intervals from fine to coarse, each half of the one before; [] where there is no tower. */
    towers: number[][];
}

const within = (value: number, option: Option | undefined, low: number, high: number) =>
    Math.max(option?.minimum ?? low, Math.min(option?.maximum ?? high, high, value));

/** About the square root of two, up and down, so that every second step is twice as many: n/2, n/1.4, n, 1.4 n, 2 n. */
export function around(n: number): number[] {
    const middle = Math.max(1, Math.round(n / Math.SQRT2));
    const list = [Math.max(1, Math.round(n / 2)), middle, n, 2 * middle, 2 * n];
    return [...new Set(list)].sort((a, b) => a - b);
}

/** The longest series in which each is twice the next, largest first. */
export function towersOf(numbers: number[]): number[][] {
    const all = new Set(numbers), towers: number[][] = [];
    for (const top of [...all].sort((a, b) => b - a)) {
        if (all.has(2 * top)) continue;
        const tower = [top];
        while (tower[tower.length - 1]! % 2 === 0 && all.has(tower[tower.length - 1]! / 2)) tower.push(tower[tower.length - 1]! / 2);
        if (tower.length > 1) towers.push(tower);
    }
    return towers.sort((a, b) => b.length - a.length || b[0]! - a[0]!);
}

export function planOf(settings: Settings, axes: number, options: Option[]): MultiplesPlan {
    const option = (name: string) => options.find((one) => one.name === name);
    const cover = readCover(settings["cover"] ?? "uniform");
    const kind = COVERS.find((one) => one.kind === cover.kind);
    const rows = kind?.overlaps ?? true ? overlapRows(settings["overlap"] ?? "0.2", axes, option("overlap")) : [{ words: "", overlap: null, isNow: true }];
    if (kind?.uses === "number" && cover.number !== null) return { noun: kind.label.toLowerCase(), columns: numberColumns(cover.kind, cover.number), rows, towers: [] };
    if (kind && kind.uses !== "intervals") return { noun: kind.words, columns: [{ words: kind.words, settings: {}, number: 0, isNow: true }], rows, towers: [] };
    const now = perAxis(settings["intervals"] ?? "10", axes, 10);
    const columns = around(now[0]!).map((n): GridColumn => {
        const scaled = now.map((one, k) => (k === 0 ? n : Math.max(1, Math.round((one * n) / now[0]!))));
        const text = joinAxes(scaled.map((one) => within(one, option("intervals"), 1, 1e6)));
        return { words: text, settings: { intervals: text }, number: n, isNow: n === now[0] };
    });
    const isEven = now.every((one) => one === now[0]) && cover.kind === "uniform";
    return { noun: "intervals", columns, rows, towers: isEven ? towersOf(columns.map((column) => column.number)) : [] };
}

function numberColumns(kind: string, number: number): GridColumn[] {
    const isWhole = kind !== "balls" && kind !== "parts";
    const list = isWhole ? around(number) : [0.5, Math.SQRT1_2, 1, Math.SQRT2, 2].map((factor) => Number((number * factor).toPrecision(3)));
    const most = kind === "parts" ? 1 : Infinity;
    return list.filter((n) => n <= most).map((n) => ({ words: String(n), settings: { cover: writeCover(kind, n) }, number: n, isNow: n === number }));
}

function overlapRows(text: string, axes: number, option: Option | undefined): GridRow[] {
    const now = perAxis(text, axes, 0.2);
    const made = [-0.1, 0, 0.1].map((step): GridRow => {
        const own = step === 0 ? joinAxes(now) : joinAxes(now.map((one) => Number(within(one + step, option, 0, 0.95).toFixed(4))));
        return { words: own, overlap: own, isNow: step === 0 };
    });
    return made.filter((row, k) => row.isNow || (row.overlap !== made[1]!.overlap && made.findIndex((one) => one.overlap === row.overlap) === k));
}

/** How long something lasts, in words: "from 20 to 5 intervals". */
export function barWords(bar: Bar, steps: { intervals: number }[]): string {
    const noun = bar.dimension ? "loop" : "piece";
    const from = steps[bar.birth]?.intervals ?? "?";
    if (bar.death === null) return `${noun} from ${from} intervals to the end`;
    return `${noun} from ${from} to ${steps[bar.death]?.intervals ?? "?"} intervals`;
}

/** Bars, the longest first, pieces before loops. */
export function rankBars(bars: Bar[], last: number): Bar[] {
    const length = (bar: Bar) => (bar.death ?? last + 1) - bar.birth;
    return [...bars].sort((a, b) => a.dimension - b.dimension || length(b) - length(a) || a.birth - b.birth);
}
