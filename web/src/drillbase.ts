// SPDX-License-Identifier: Apache-2.0
// Nodes and edges of a drill-down on a canvas. Few are strokes and discs; many are pixels of our own (density.ts), edges a
// sample while the view moves and slice by slice when it rests.
import { Camera, discScale } from "./camera";
import { Density, packed } from "./density";
import { Palette, View } from "./paint";
import { Subgraph, coverage, edgeStrength } from "./subgraph";

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
/** So many edges and nodes are strokes and discs in every frame. */
const FEW = 2500;
/** Milliseconds of a frame for edges. */
const SLICE = 9;
/** Discs of the canvas's own in one frame, for nodes that are large enough to need a soft rim. */
const MOST_DISCS = 5000;

export function isLarge(graph: Subgraph): boolean {
    return graph.edges > 8 * FEW || graph.nodes > 4 * FEW;
}

export class PlainBase implements Base {
    readonly kind = "canvas";
    readonly canvas = document.createElement("canvas");
    private readonly ctx: CanvasRenderingContext2D;
    private image: ImageData | null = null;
    private density: Density | null = null;
    private ratio = 1;
    /** What the sums of the density hold: a view, and edges up to here. */
    private held = "";
    private heldGraph: Subgraph | null = null;
    private done = 0;
    /** The colours of nodes as pixels have them, on one ground. */
    private tints = new Uint32Array(0);
    private tinted: [Subgraph | null, string] = [null, ""];

    constructor() {
        const ctx = this.canvas.getContext("2d", { alpha: false });
        if (!ctx) throw new Error("This browser has no canvas.");
        this.ctx = ctx;
    }

    resize(width: number, height: number, ratio: number): void {
        this.ratio = ratio;
        this.canvas.width = Math.max(1, Math.round(width * ratio));
        this.canvas.height = Math.max(1, Math.round(height * ratio));
        this.image = null;
        this.density = null;
        this.held = "";
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
        this.image ??= this.ctx.createImageData(this.canvas.width, this.canvas.height);
        const density = (this.density ??= new Density(this.canvas.width, this.canvas.height, this.image.data));
        const large = { ...camera, scale: camera.scale * this.ratio };
        const key = `${camera.x} ${camera.y} ${camera.scale}`;
        if (key !== this.held || graph !== this.heldGraph) density.clear(), (this.done = 0);
        this.held = key;
        this.heldGraph = graph;
        const late = performance.now() + SLICE;
        this.done = density.edges(graph, large, this.done, graph.edges, () => performance.now() > late);
        const strength = edgeStrength(coverage(graph, large, this.canvas.width, this.canvas.height));
        const share = Math.max(1, this.done) / Math.max(1, graph.edges);
        density.tone(rgbOf(palette.ground), rgbOf(palette.soft), 1 - (1 - strength) ** (1 / share));
        this.nodes(new NodeFrame(graph, camera, view), density, palette, isQuick);
        return this.done < graph.edges;
    }

    private nodes(frame: NodeFrame, density: Density, palette: Palette, isQuick: boolean): void {
        const { graph } = frame, k = this.ratio, tints = this.tintsOf(graph, palette.ground);
        const soft: number[] = [];
        frame.eachInView((i, r) => {
            if (r >= 2.5 && !isQuick && soft.length < MOST_DISCS) return soft.push(i);
            return density.dot(frame.px(i) * k, frame.py(i) * k, r * k, tints[i]!);
        });
        this.ctx.putImageData(this.image!, 0, 0);
        for (const i of soft) drawNode(this.ctx, graph, i, frame.px(i), frame.py(i), frame.radius(i), palette.ground);
    }

    private tintsOf(graph: Subgraph, ground: string): Uint32Array {
        if (this.tinted[0] === graph && this.tinted[1] === ground) return this.tints;
        this.tinted = [graph, ground];
        const below = rgbOf(ground);
        return (this.tints = Uint32Array.from(graph.core, (core, i) => packed(below, graph.fill.subarray(3 * i, 3 * i + 3), core ? 1 : PALE)));
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

    px(i: number): number {
        return this.left + this.graph.x[i]! * this.camera.scale;
    }

    py(i: number): number {
        return this.top - this.graph.y[i]! * this.camera.scale;
    }

    radius(i: number): number {
        return Math.max(LEAST_RADIUS, this.graph.radius[i]! * this.disc);
    }

    sees(i: number, slack = 0): boolean {
        const x = this.px(i), y = this.py(i), r = this.radius(i) + slack;
        return x + r >= 0 && x - r <= this.view.width && y + r >= 0 && y - r <= this.view.height;
    }

    /** Those of hops first and then the largest first, so that what matters lies over what does not. */
    eachInView(visit: (i: number, radius: number) => unknown): void {
        const { order, cores, nodes } = this.graph;
        for (let k = cores; k < nodes; k++) if (this.sees(order[k]!)) visit(order[k]!, this.radius(order[k]!));
        for (let k = 0; k < cores; k++) if (this.sees(order[k]!)) visit(order[k]!, this.radius(order[k]!));
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
