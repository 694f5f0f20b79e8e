// SPDX-License-Identifier: Apache-2.0
// Nodes and edges of a drill-down on a canvas. Few are strokes and discs; many are pixels of our own (density.ts), edges a
// sample while the view moves and slice by slice when it rests.
import { Camera, discScale } from "./camera";
import { Density, packed } from "./density";
import { Palette, View } from "./paint";
import { Subgraph, coverage, edgeStrength, endsOf, paintOrder } from "./subgraph";

/** What draws nodes and edges; names and rings lie over it. */
export interface Base {
    readonly canvas: HTMLCanvasElement;
    readonly kind: "canvas" | "webgl";
    resize(width: number, height: number, ratio: number): void;
    /** Draws a frame. True: there is more to draw in the next one. */
    draw(graph: Subgraph, camera: Camera, view: View, palette: Palette, isQuick: boolean): boolean;
    dispose(): void;
}

export const LEAST_RADIUS = 1;
/** How much of a node is to be seen that is there because of hops alone. */
export const PALE = 0.36;
/** So many edges and nodes are strokes and discs in every frame. Places of more of them must not change. */
export const FEW = 2500;
/** Milliseconds of a frame for edges: at most, and at least where frames come late while the view moves. */
const SLICE = 9;
const LEAST_SLICE = 3;
/** A frame is late after so many milliseconds. */
const LATE = 28;
/** Discs of the canvas's own in one frame, for nodes that are large enough to need a soft rim. */
const MOST_DISCS = 5000;

export function isLarge(graph: Subgraph): boolean {
    return graph.edges > 8 * FEW || graph.nodes > 4 * FEW;
}

export class PlainBase implements Base {
    readonly kind = "canvas";
    readonly canvas = document.createElement("canvas");
    private readonly ctx: CanvasRenderingContext2D;
    private ratio = 1;
    /** Pixels for a view that rests, and coarser ones for a view that moves where the screen is finer than one needs then. */
    private fine: Plate | null = null;
    private coarse: Plate | null = null;
    private laid: Laid | null = null;
    private slice = SLICE;
    private lastFrame = 0;

    constructor() {
        const ctx = this.canvas.getContext("2d", { alpha: false });
        if (!ctx) throw new Error("This browser has no canvas.");
        this.ctx = ctx;
    }

    resize(width: number, height: number, ratio: number): void {
        this.ratio = ratio;
        this.canvas.width = Math.max(1, Math.round(width * ratio));
        this.canvas.height = Math.max(1, Math.round(height * ratio));
        this.fine = this.coarse = null;
    }

    draw(graph: Subgraph, camera: Camera, view: View, palette: Palette, isQuick: boolean): boolean {
        this.ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        const few = graph.edges <= FEW && graph.nodes <= FEW;
        const more = few ? this.strokes(graph, camera, view, palette) : this.pixels(graph, camera, view, palette, isQuick);
        this.ctx.globalAlpha = 1;
        return more;
    }

    dispose(): void {
        this.canvas.remove();
    }

    // ---- few ----

    private strokes(graph: Subgraph, camera: Camera, view: View, palette: Palette): boolean {
        const { ctx } = this, frame = new NodeFrame(graph, camera, view);
        ctx.fillStyle = palette.ground;
        ctx.fillRect(0, 0, view.width, view.height);
        ctx.strokeStyle = palette.soft;
        ctx.lineWidth = Math.min(2, Math.max(0.8, Math.sqrt(camera.scale / view.fitScale)));
        ctx.globalAlpha = edgeStrength(coverage(graph, camera, view.width, view.height));
        for (let from = 0; from < graph.edges; from += 500) {
            ctx.beginPath();
            for (let e = from; e < Math.min(graph.edges, from + 500); e++) {
                const a = graph.source[e]!, b = graph.target[e]!;
                ctx.moveTo(frame.px(a), frame.py(a));
                ctx.lineTo(frame.px(b), frame.py(b));
            }
            ctx.stroke();
        }
        frame.eachInView((i, r) => drawNode(ctx, graph, i, frame.px(i), frame.py(i), r, palette.ground));
        return false;
    }

    // ---- many ----

    private pixels(graph: Subgraph, camera: Camera, view: View, palette: Palette, isQuick: boolean): boolean {
        if (this.laid?.graph !== graph || this.laid.ground !== palette.ground) this.laid = new Laid(graph, palette.ground);
        const plate = this.plate(view, isQuick);
        const late = performance.now() + (isQuick ? this.pace() : SLICE);
        const more = plate.edges(this.laid, camera, palette, () => performance.now() > late);
        this.nodes(this.laid, new NodeFrame(graph, camera, view), plate, isQuick);
        return more;
    }

    private plate(view: View, isQuick: boolean): Plate {
        if (isQuick && this.ratio > 1) return (this.coarse ??= new Plate(Math.round(view.width), Math.round(view.height), 1));
        return (this.fine ??= new Plate(this.canvas.width, this.canvas.height, this.ratio));
    }

    /** How long edges may take in a frame of a moving view. */
    private pace(): number {
        const now = performance.now(), gap = now - this.lastFrame;
        this.lastFrame = now;
        if (gap < 300) this.slice = Math.min(SLICE, Math.max(LEAST_SLICE, this.slice * (gap > LATE ? 0.8 : 1.05)));
        return this.slice;
    }

    private nodes(laid: Laid, frame: NodeFrame, { density, ratio: k, sheet, image }: Plate, isQuick: boolean): void {
        const { x, y, radius, tint, order } = laid, { width, height } = frame.view;
        const soft: number[] = [];
        for (let at = 0; at < order.length; at++) {
            const px = frame.toX(x[at]!), py = frame.toY(y[at]!), r = frame.toRadius(radius[at]!);
            if (px + r < 0 || py + r < 0 || px - r > width || py - r > height) continue;
            if (r >= 2.5 && !isQuick && soft.length < MOST_DISCS) soft.push(order[at]!);
            else density.dot(px * k, py * k, r * k, tint[at]!);
        }
        sheet.putImageData(image, 0, 0);
        this.ctx.drawImage(sheet.canvas, 0, 0, width, height);
        for (const i of soft) drawNode(this.ctx, frame.graph, i, frame.px(i), frame.py(i), frame.radius(i), laid.ground);
    }
}

/** Pixels of our own, for a view of some size. */
class Plate {
    readonly sheet: CanvasRenderingContext2D;
    readonly image: ImageData;
    readonly density: Density;
    /** What the sums hold: a graph, a view, and edges up to here. */
    private held: [Laid | null, string] = [null, ""];
    private done = 0;

    constructor(width: number, height: number, readonly ratio: number) {
        const canvas = document.createElement("canvas");
        Object.assign(canvas, { width, height });
        this.sheet = canvas.getContext("2d", { alpha: false })!;
        this.image = this.sheet.createImageData(width, height);
        this.density = new Density(width, height, this.image.data);
    }

    /** Adds edges until it is late. True: there are more. */
    edges(laid: Laid, camera: Camera, palette: Palette, isLate: () => boolean): boolean {
        const { density, ratio } = this, { graph } = laid;
        const key = `${camera.x} ${camera.y} ${camera.scale}`;
        if (laid !== this.held[0] || key !== this.held[1]) density.clear(), (this.done = 0);
        this.held = [laid, key];
        const large = { ...camera, scale: camera.scale * ratio };
        this.done = density.edges(laid.ends, large, this.done, graph.edges, isLate);
        const strength = edgeStrength(coverage(graph, large, density.width, density.height));
        const share = Math.max(1, this.done) / Math.max(1, graph.edges);
        density.tone(rgbOf(palette.ground), rgbOf(palette.soft), 1 - (1 - strength) ** (1 / share));
        return this.done < graph.edges;
    }
}

/** A graph in the order in which it is painted, with the colours of nodes as pixels have them. */
class Laid {
    readonly ends: Float32Array;
    readonly order: Uint32Array;
    readonly x: Float32Array;
    readonly y: Float32Array;
    readonly radius: Float32Array;
    readonly tint: Uint32Array;

    constructor(readonly graph: Subgraph, readonly ground: string) {
        const below = rgbOf(ground);
        this.ends = endsOf(graph);
        this.order = paintOrder(graph);
        this.x = Float32Array.from(this.order, (i) => graph.x[i]!);
        this.y = Float32Array.from(this.order, (i) => graph.y[i]!);
        this.radius = Float32Array.from(this.order, (i) => graph.radius[i]!);
        this.tint = Uint32Array.from(this.order, (i) => packed(below, graph.fill.subarray(3 * i, 3 * i + 3), graph.core[i] ? 1 : PALE));
    }
}

/** From places of the graph to pixels of the view. */
export class NodeFrame {
    private readonly disc: number;
    private readonly left: number;
    private readonly top: number;

    constructor(readonly graph: Subgraph, readonly camera: Camera, readonly view: View) {
        this.disc = discScale(camera.scale, view.fitScale);
        this.left = view.width / 2 - camera.x * camera.scale;
        this.top = view.height / 2 + camera.y * camera.scale;
    }

    toX(x: number): number {
        return this.left + x * this.camera.scale;
    }

    toY(y: number): number {
        return this.top - y * this.camera.scale;
    }

    toRadius(radius: number): number {
        return Math.max(LEAST_RADIUS, radius * this.disc);
    }

    px(i: number): number {
        return this.toX(this.graph.x[i]!);
    }

    py(i: number): number {
        return this.toY(this.graph.y[i]!);
    }

    radius(i: number): number {
        return this.toRadius(this.graph.radius[i]!);
    }

    sees(i: number, slack = 0): boolean {
        const x = this.px(i), y = this.py(i), r = this.radius(i) + slack;
        return x + r >= 0 && x - r <= this.view.width && y + r >= 0 && y - r <= this.view.height;
    }

    eachInView(visit: (i: number, radius: number) => unknown): void {
        for (const i of paintOrder(this.graph)) if (this.sees(i)) visit(i, this.radius(i));
    }
}

export function drawNode(ctx: CanvasRenderingContext2D, graph: Subgraph, i: number, x: number, y: number, r: number, ground: string): void {
    const [red, green, blue] = [0, 1, 2].map((k) => graph.fill[3 * i + k]!);
    nodePath(ctx, x, y, r, graph.shape[i] ?? 0);
    if (!graph.core[i]) {
        // Edges do not shine through what is pale.
        ctx.globalAlpha = 1;
        ctx.fillStyle = ground;
        ctx.fill();
    }
    ctx.globalAlpha = graph.core[i] ? 1 : PALE;
    ctx.fillStyle = `rgb(${red},${green},${blue})`;
    ctx.fill();
    if (r < 2.5) return;
    ctx.lineWidth = Math.min(1.2, 0.4 + r / 20);
    ctx.strokeStyle = `rgb(${[red, green, blue].map((part) => Math.round(0.62 * part!)).join()})`;
    ctx.stroke();
}

/** Shapes of one area: a disc, a square, a diamond. */
export function nodePath(ctx: CanvasRenderingContext2D, x: number, y: number, r: number, shape: number): void {
    const side = r * 0.886, half = r * 1.253;
    ctx.beginPath();
    if (shape === 1) ctx.rect(x - side, y - side, 2 * side, 2 * side);
    else if (shape === 2) {
        ctx.moveTo(x, y - half);
        ctx.lineTo(x + half, y);
        ctx.lineTo(x, y + half);
        ctx.lineTo(x - half, y);
        ctx.closePath();
    } else ctx.arc(x, y, r, 0, 2 * Math.PI);
}

export function rgbOf(code: string): number[] {
    return [1, 3, 5].map((k) => parseInt(code.slice(k, k + 2), 16));
}
