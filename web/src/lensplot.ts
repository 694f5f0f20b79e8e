// SPDX-License-Identifier: Apache-2.0
// Draws the lens on a canvas: a histogram with the intervals of the cover below it, or points with its boxes around them.
import { LensData, NO_MARK, Part, Region, Scale, binColours, extentOf, lanesOf, markBins, pointsByColour, ticks } from "./lensdata";
import { Palette } from "./paint";
import { plain, short } from "./words";

export interface PlotLight {
    /** Cells and points that are lit for a moment. */
    cells: number[];
    mark: number;
    point: number;
    /** Where one node lies. */
    place: number[] | null;
    /** The cell that the keyboard is on. */
    cursor: number;
    region: Region | null;
    /** By mark the share that is selected; null: nothing is. */
    lit: ArrayLike<number> | null;
    isShare: boolean;
}

const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif';
const LEFT = 44, RIGHT = 14, TOP = 8, BOTTOM = 30;
/** More points than this are drawn as a density alone. */
const MOST_POINTS = 60_000;
const MOST_LANES = 64;

export class LensPlot {
    private data: LensData | null = null;
    private width = 1;
    private height = 1;
    private ratio = 1;
    /** What does not change while the pointer moves. */
    private readonly base = document.createElement("canvas");
    private isStale = true;
    private region: Region | null = null;
    private parts: Part[][] = [];
    private lanes: { lane: Uint32Array; lanes: number } = { lane: new Uint32Array(0), lanes: 0 };
    private groups = new Map<string, number[]>();
    /** Where the histogram ends and the intervals begin. */
    private floor = 0;
    x = new Scale(0, 1, 0, 1);
    y = new Scale(0, 1, 0, 1);

    constructor(private readonly canvas: HTMLCanvasElement) {}

    /** Another graph: nothing is shown until its lens comes. */
    clear(): void {
        this.data = null;
        this.isStale = true;
    }

    show(data: LensData): void {
        this.data = data;
        this.parts = data.isFlat ? binColours(data) : [];
        this.lanes = data.isFlat ? lanesOf(data.low, data.high) : { lane: new Uint32Array(0), lanes: 0 };
        this.groups = data.isFlat ? new Map() : pointsByColour(data);
        this.layout();
    }

    resize(width: number, height: number): void {
        this.ratio = window.devicePixelRatio || 1;
        Object.assign(this, { width, height });
        for (const sheet of [this.canvas, this.base]) {
            sheet.width = Math.max(1, Math.round(width * this.ratio));
            sheet.height = Math.max(1, Math.round(height * this.ratio));
        }
        this.layout();
    }

    /** Theme or selection have changed. */
    renew(): void {
        this.isStale = true;
    }

    private layout(): void {
        this.isStale = true;
        const { data } = this;
        if (!data) return;
        this.x = new Scale(...extentOf(data, 0), LEFT, Math.max(LEFT + 10, this.width - RIGHT));
        const room = Math.max(20, this.height - BOTTOM - TOP);
        const strip = data.isFlat ? Math.min(0.45 * room, 13 * Math.min(this.lanes.lanes, MOST_LANES)) : 0;
        this.floor = this.height - BOTTOM - strip;
        if (!data.isFlat) this.y = new Scale(...extentOf(data, 1), this.height - BOTTOM, TOP);
        else this.y = new Scale(0, Math.max(1, data.bins.reduce((most, one) => Math.max(most, one), 0)), this.floor - (strip ? 4 : 0), TOP);
    }

    /** What is under a pixel of one axis: the row of an interval, or nothing. */
    intervalAt(px: number, py: number): number {
        const { data } = this;
        if (!data?.isFlat || py < this.floor || py > this.height - BOTTOM) return -1;
        const lane = Math.floor((py - this.floor) / this.laneHeight()), value = this.x.value(px);
        for (let cell = 0; cell < data.info.cells; cell++)
            if (this.lanes.lane[cell]! % MOST_LANES === lane && data.low[cell]! <= value && value <= data.high[cell]!) return cell;
        return -1;
    }

    private laneHeight(): number {
        return (this.height - BOTTOM - this.floor) / Math.max(1, Math.min(this.lanes.lanes, MOST_LANES));
    }

    paint(palette: Palette, light: PlotLight): void {
        const ctx = this.canvas.getContext("2d")!;
        if (light.region !== this.region) this.isStale = true;
        this.region = light.region;
        if (this.isStale) this.paintBase(palette, light);
        this.isStale = false;
        ctx.setTransform(1, 0, 0, 1, 0, 0);
        ctx.drawImage(this.base, 0, 0);
        ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        const { data } = this;
        if (!data) return;
        this.paintCells(ctx, data, palette, light);
        if (!data.isFlat) this.paintPoints(ctx, data, palette, light);
        else if (light.mark >= 0) this.paintOwn(ctx, data, palette, light.mark);
        if (light.region) this.paintRegion(ctx, data, palette, light.region);
        if (light.place) this.paintPlace(ctx, data, palette, light.place);
    }

    // ---- what stays ----

    private paintBase(palette: Palette, light: PlotLight): void {
        const ctx = this.base.getContext("2d", { alpha: false })!;
        ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        ctx.fillStyle = palette.ground;
        ctx.fillRect(0, 0, this.width, this.height);
        const { data } = this;
        if (!data) return;
        this.paintAxes(ctx, data, palette);
        if (data.isFlat) this.paintBins(ctx, data, palette), this.paintLanes(ctx, data, palette, light);
        else {
            if (data.info.stride > 1 || data.px.length > MOST_POINTS) this.paintDensity(ctx, data, palette);
            this.paintBoxes(ctx, data, palette);
            if (data.px.length <= MOST_POINTS) this.paintDots(ctx, data, light);
        }
    }

    private paintAxes(ctx: CanvasRenderingContext2D, data: LensData, palette: Palette): void {
        const bottom = this.height - BOTTOM;
        ctx.font = FONT;
        ctx.fillStyle = palette.soft;
        ctx.strokeStyle = palette.link;
        ctx.lineWidth = 1;
        ctx.textBaseline = "top";
        ctx.textAlign = "center";
        line(ctx, LEFT, bottom + 0.5, this.width - RIGHT, bottom + 0.5);
        for (const value of ticks(this.x.low, this.x.high, (this.width - LEFT - RIGHT) / 64)) {
            const x = Math.round(this.x.at(value)) + 0.5;
            line(ctx, x, bottom, x, bottom + 4);
            ctx.fillText(short(value), x, bottom + 5);
        }
        const name = data.info.axes[0]!;
        ctx.fillStyle = palette.ink;
        ctx.textBaseline = "bottom";
        ctx.fillText(plain(name.name), (LEFT + this.width - RIGHT) / 2, this.height - 0.5);
        this.paintUpright(ctx, data, palette);
    }

    private paintUpright(ctx: CanvasRenderingContext2D, data: LensData, palette: Palette): void {
        const top = TOP, bottom = data.isFlat ? this.y.from : this.height - BOTTOM;
        ctx.fillStyle = palette.soft;
        ctx.textAlign = "right";
        ctx.textBaseline = "middle";
        for (const value of ticks(this.y.low, this.y.high, (bottom - top) / 34)) {
            if (data.isFlat && value !== Math.round(value)) continue;
            const y = Math.round(this.y.at(value)) + 0.5;
            line(ctx, LEFT - 4, y, LEFT, y);
            ctx.fillText(short(value), LEFT - 6, y);
        }
        line(ctx, LEFT + 0.5, top, LEFT + 0.5, bottom);
        ctx.save();
        ctx.translate(11, (top + bottom) / 2);
        ctx.rotate(-Math.PI / 2);
        ctx.textAlign = "center";
        ctx.fillStyle = palette.ink;
        ctx.fillText(data.isFlat ? "nodes" : plain(data.info.axes[1]!.name), 0, 0);
        ctx.restore();
    }

    private paintBins(ctx: CanvasRenderingContext2D, data: LensData, palette: Palette): void {
        const { low, high } = data.info.axes[0]!, n = data.info.bins;
        for (let bin = 0; bin < n; bin++) {
            const value = data.bins[bin]!;
            if (!value) continue;
            const left = this.x.at(low + ((high - low) * bin) / n), right = this.x.at(low + ((high - low) * (bin + 1)) / n);
            const parts = this.parts[bin]!.length ? this.parts[bin]! : [{ colour: palette.soft, share: 1 }];
            let y = this.y.from;
            const full = Math.max(1, this.y.from - this.y.at(value));
            for (const { colour, share } of parts) {
                ctx.fillStyle = colour;
                ctx.fillRect(left + 0.5, y - full * share, Math.max(0.5, right - left - 1), full * share);
                y -= full * share;
            }
        }
    }

    private paintLanes(ctx: CanvasRenderingContext2D, data: LensData, palette: Palette, light: PlotLight): void {
        for (let cell = 0; cell < data.info.cells; cell++) {
            ctx.globalAlpha = light.lit === null ? 0.75 : 0.2;
            ctx.fillStyle = palette.grain;
            this.lanePath(ctx, data, cell);
            ctx.fill();
        }
        ctx.globalAlpha = 1;
        if (light.lit === null) return;
        // By cell the share of its marks that is lit: the selection shows in the cover too.
        const share = this.cellShares(data, light);
        ctx.fillStyle = palette.accent;
        for (let cell = 0; cell < data.info.cells; cell++) {
            if (!share[cell]) continue;
            ctx.globalAlpha = 0.25 + 0.75 * share[cell]!;
            this.lanePath(ctx, data, cell);
            ctx.fill();
        }
        ctx.globalAlpha = 1;
    }

    private cellShares(data: LensData, light: PlotLight): Float32Array {
        const share = new Float32Array(data.info.cells);
        data.markCell.forEach((cell, mark) => {
            if (cell < share.length) share[cell] = Math.max(share[cell]!, light.isShare ? light.lit![mark]! : light.lit![mark] ? 1 : 0);
        });
        return share;
    }

    private lanePath(ctx: CanvasRenderingContext2D, data: LensData, cell: number): void {
        const height = this.laneHeight(), lane = this.lanes.lane[cell]! % MOST_LANES;
        const left = Math.max(LEFT, this.x.at(data.low[cell]!)), right = Math.min(this.width - RIGHT, this.x.at(data.high[cell]!));
        const thick = Math.max(1, Math.min(7, height - 3));
        ctx.beginPath();
        ctx.rect(left, this.floor + lane * height + (height - thick) / 2, Math.max(1, right - left), thick);
    }

    private paintDensity(ctx: CanvasRenderingContext2D, data: LensData, palette: Palette): void {
        const n = data.info.bins, small = document.createElement("canvas");
        small.width = small.height = n;
        const image = new ImageData(n, n), most = Math.sqrt(data.bins.reduce((a, b) => Math.max(a, b), 1));
        const code = parseInt(palette.grain.slice(1), 16);
        for (let row = 0; row < n; row++)
            for (let column = 0; column < n; column++) {
                const at = 4 * ((n - 1 - row) * n + column);
                [16, 8, 0].forEach((shift, k) => (image.data[at + k] = (code >> shift) & 255));
                image.data[at + 3] = Math.round((120 * Math.sqrt(data.bins[row * n + column]!)) / most);
            }
        small.getContext("2d")!.putImageData(image, 0, 0);
        const [a, b] = data.info.axes;
        const left = this.x.at(a!.low), right = this.x.at(a!.high), top = this.y.at(b!.high), bottom = this.y.at(b!.low);
        ctx.drawImage(small, left, top, right - left, bottom - top);
    }

    private paintBoxes(ctx: CanvasRenderingContext2D, data: LensData, palette: Palette): void {
        ctx.save();
        this.clip(ctx);
        ctx.strokeStyle = palette.grain;
        ctx.lineWidth = 1;
        ctx.globalAlpha = Math.max(0.22, Math.min(0.6, 40 / Math.max(1, data.info.cells)));
        for (let cell = 0; cell < data.info.cells; cell++) ctx.strokeRect(...this.boxOf(data, cell));
        ctx.restore();
    }

    private boxOf(data: LensData, cell: number): [number, number, number, number] {
        const left = this.x.at(data.low[2 * cell]!), right = this.x.at(data.high[2 * cell]!);
        const top = this.y.at(data.high[2 * cell + 1]!), bottom = this.y.at(data.low[2 * cell + 1]!);
        return [left, top, right - left, bottom - top];
    }

    private clip(ctx: CanvasRenderingContext2D): void {
        ctx.beginPath();
        ctx.rect(LEFT, TOP - 4, this.width - LEFT - RIGHT + 4, this.height - BOTTOM - TOP + 4);
        ctx.clip();
    }

    private paintDots(ctx: CanvasRenderingContext2D, data: LensData, light: PlotLight): void {
        const size = data.px.length > 8000 ? 1.8 : data.px.length > 1500 ? 2.6 : 3.4;
        const isFaded = (i: number) => this.isOutside(data, light.region, i) || (light.lit !== null && data.pmark[i] !== NO_MARK && !light.lit[data.pmark[i]!]);
        for (const faded of [true, false]) {
            ctx.globalAlpha = faded ? 0.14 : 0.85;
            for (const [colour, list] of this.groups) {
                ctx.fillStyle = colour;
                for (const i of list) if (isFaded(i) === faded) ctx.fillRect(this.x.at(data.px[i]!) - size / 2, this.y.at(data.py[i]!) - size / 2, size, size);
            }
        }
        ctx.globalAlpha = 1;
    }

    private isOutside(data: LensData, region: Region | null, i: number): boolean {
        return region !== null && data.info.axes.some((axis, k) => {
            const ends = region.ends[region.axes.indexOf(axis.number)], value = (k ? data.py : data.px)[i]!;
            return ends !== undefined && (value < ends[0] || value > ends[1]);
        });
    }

    // ---- what is lit for a moment ----

    private paintCells(ctx: CanvasRenderingContext2D, data: LensData, palette: Palette, light: PlotLight): void {
        const own = light.mark >= 0 ? data.markCell[light.mark] ?? NO_MARK : NO_MARK;
        const cells = new Set(light.cells);
        if (own < data.info.cells) cells.add(own);
        for (const cell of cells) this.paintCell(ctx, data, cell, palette.accent, 0.13);
        if (light.cursor >= 0 && light.cursor < data.info.cells) this.paintCell(ctx, data, light.cursor, palette.ink, 0.07, [3, 3]);
    }

    private paintCell(ctx: CanvasRenderingContext2D, data: LensData, cell: number, colour: string, fill: number, dash: number[] = []): void {
        ctx.save();
        this.clip(ctx);
        ctx.fillStyle = ctx.strokeStyle = colour;
        ctx.lineWidth = 2;
        ctx.setLineDash(dash);
        if (data.isFlat) {
            const left = this.x.at(data.low[cell]!), right = this.x.at(data.high[cell]!);
            ctx.globalAlpha = fill;
            ctx.fillRect(left, TOP, right - left, this.floor - TOP);
            ctx.globalAlpha = 1;
            this.lanePath(ctx, data, cell);
            if (dash.length) ctx.stroke();
            else ctx.fill();
        } else {
            ctx.globalAlpha = fill;
            ctx.fillRect(...this.boxOf(data, cell));
            ctx.globalAlpha = 1;
            ctx.strokeRect(...this.boxOf(data, cell));
        }
        ctx.restore();
    }

    private paintPoints(ctx: CanvasRenderingContext2D, data: LensData, palette: Palette, light: PlotLight): void {
        ctx.fillStyle = palette.accent;
        ctx.strokeStyle = palette.ground;
        ctx.lineWidth = 1;
        if (light.mark >= 0)
            for (let i = 0; i < data.px.length; i++) if (data.pmark[i] === light.mark) this.dot(ctx, data, i, 3);
        if (light.point >= 0) this.dot(ctx, data, light.point, 5);
    }

    /** The nodes of one mark in the histogram. */
    private paintOwn(ctx: CanvasRenderingContext2D, data: LensData, palette: Palette, mark: number): void {
        const counts = markBins(data, mark), { low, high } = data.info.axes[0]!;
        ctx.fillStyle = palette.accent;
        ctx.strokeStyle = palette.ground;
        ctx.lineWidth = 1;
        counts.forEach((value, bin) => {
            if (!value) return;
            const left = this.x.at(low + ((high - low) * bin) / counts.length), right = this.x.at(low + ((high - low) * (bin + 1)) / counts.length);
            const top = Math.min(this.y.from - 2, this.y.at(value));
            ctx.fillRect(left + 0.5, top, right - left - 1, this.y.from - top);
            ctx.strokeRect(left + 0.5, top, right - left - 1, this.y.from - top);
        });
    }

    private dot(ctx: CanvasRenderingContext2D, data: LensData, i: number, radius: number): void {
        ctx.beginPath();
        ctx.arc(this.x.at(data.px[i]!), this.y.at(data.py[i]!), radius, 0, 2 * Math.PI);
        ctx.fill();
        ctx.stroke();
    }

    /** A brush on the axes that are shown; one on another axis is not to be seen here. */
    private paintRegion(ctx: CanvasRenderingContext2D, data: LensData, palette: Palette, region: Region): void {
        const ends = data.info.axes.map((axis) => region.ends[region.axes.indexOf(axis.number)]);
        if (ends.every((one) => one === undefined)) return;
        const left = ends[0] ? this.x.at(ends[0][0]) : LEFT, right = ends[0] ? this.x.at(ends[0][1]) : this.width - RIGHT;
        const top = ends[1] ? this.y.at(ends[1][1]) : TOP, bottom = ends[1] ? this.y.at(ends[1][0]) : this.height - BOTTOM;
        ctx.fillStyle = ctx.strokeStyle = palette.accent;
        ctx.globalAlpha = 0.14;
        ctx.fillRect(left, top, right - left, bottom - top);
        ctx.globalAlpha = 1;
        ctx.lineWidth = 1.5;
        ctx.strokeRect(left, top, right - left, bottom - top);
    }

    private paintPlace(ctx: CanvasRenderingContext2D, data: LensData, palette: Palette, place: number[]): void {
        const x = this.x.at(place[data.info.axes[0]!.number] ?? NaN);
        if (!Number.isFinite(x)) return;
        ctx.strokeStyle = palette.ink;
        ctx.lineWidth = 1;
        line(ctx, x, TOP, x, this.height - BOTTOM);
        if (data.isFlat) return;
        const y = this.y.at(place[data.info.axes[1]!.number] ?? NaN);
        line(ctx, LEFT, y, this.width - RIGHT, y);
        ctx.beginPath();
        ctx.arc(x, y, 5, 0, 2 * Math.PI);
        ctx.stroke();
    }
}

function line(ctx: CanvasRenderingContext2D, ax: number, ay: number, bx: number, by: number): void {
    ctx.beginPath();
    ctx.moveTo(ax, ay);
    ctx.lineTo(bx, by);
    ctx.stroke();
}
