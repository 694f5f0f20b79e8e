// SPDX-License-Identifier: Apache-2.0
// The drawing of nodes that one moves, points into and walks over by keys. Nodes and edges lie on a canvas below; names, rings
// and what is lit lie on one above, so that pointing at a node does not draw a million edges again.
import { Bounds, Camera, boundsOf, discScale, fitCamera, mixCamera, zoomCamera } from "./camera";
import { later } from "./dom";
import { Base, FEW, NodeFrame, PlainBase, drawNode, isLarge, nodePath } from "./drillbase";
import { GlBase } from "./drillgl";
import { LINE, NodeLabels } from "./drilllabels";
import { Gestures } from "./gestures";
import { Grid, pick } from "./grid";
import { DARK, LIGHT, Palette, View } from "./paint";
import { Subgraph, neighboursOf } from "./subgraph";
import { walkFrom } from "./walk";

/** How far the legend reaches from the upper left corner, and where what lies above it ends. */
export interface Covered {
    width: number;
    height: number;
    top: number;
}

export interface DrillMapEars {
    /** The node under the pointer or the cursor, or -1, and where it is in the view. */
    point(i: number, x: number, y: number): void;
    pick(i: number): void;
    cursor(i: number): void;
}

const GLIDE = 240;
const FLIGHT = 280;
/** The view is still when it has not moved for so long, in milliseconds. */
const CALM = 140;
/** The radius of the largest node in pixels, while everything is in view. */
const LARGEST = 22;
const ease = (t: number) => 1 - (1 - t) ** 3;

export class DrillMap {
    readonly canvas: HTMLCanvasElement;
    graph: Subgraph | null = null;
    isDark = false;
    /** The node that is picked, and nodes that are lit by the legend or a list. */
    picked = -1;
    lit: Uint8Array | null = null;
    private hover = -1;
    private cursor = -1;
    private base: Base | null = null;
    /** There is no graphics processor, or it went away. */
    private isWithoutGl = false;
    private camera: Camera = { x: 0, y: 0, scale: 1 };
    private isFitted = true;
    private readonly view: View = { width: 1, height: 1, fitScale: 1, covered: { width: 0, height: 0 } };
    private grid: Grid | null = null;
    private glide: { from: Camera; to: Camera; began: number } | null = null;
    private flight: { fromX: Float32Array; fromY: Float32Array; toX: Float32Array; toY: Float32Array; began: number } | null = null;
    private movedAt = -Infinity;
    private waiting = false;
    private isDirty = true;
    private readonly labels: NodeLabels;
    private readonly ctx: CanvasRenderingContext2D;

    constructor(private readonly host: HTMLElement, private readonly ears: DrillMapEars, private readonly isStill: () => boolean, private readonly covered: () => Covered) {
        this.canvas = document.createElement("canvas");
        this.canvas.id = "drill-map";
        this.ctx = this.canvas.getContext("2d")!;
        this.labels = new NodeLabels(this.ctx);
        host.append(this.canvas);
        new ResizeObserver(() => this.resize()).observe(host);
        new Gestures(this.canvas, {
            pan: (dx, dy) => this.panBy(dx, dy),
            zoom: (factor, x, y, glides) => this.zoomBy(factor, x - this.view.width / 2, y - this.view.height / 2, glides),
            click: (x, y, isTouch) => ears.pick(this.nodeAt(x, y, isTouch ? 12 : 4)),
            hover: (x, y) => this.setHover(this.nodeAt(x, y), x, y),
            leave: () => this.setHover(-1, 0, 0),
        });
        this.canvas.addEventListener("keydown", (event) => this.key(event));
        this.canvas.addEventListener("blur", () => this.setCursor(-1));
    }

    get renderer(): string {
        return this.base?.kind ?? "";
    }

    /** Shows a graph; nodes that were there before fly to their new places. Null: nothing, and what was held is let go. */
    show(graph: Subgraph | null, keepsView = false): void {
        const old = this.graph;
        this.graph = graph;
        Object.assign(this, { picked: -1, hover: -1, cursor: -1, lit: null, grid: null, flight: null });
        this.labels.forget();
        if (!graph) return this.letGo();
        this.chooseBase(graph);
        if (!keepsView) this.isFitted = true;
        this.refit(false);
        if (old) this.fly(old, graph);
        this.redraw(true);
    }

    /** The camera as long as people have put it somewhere. */
    fit(): void {
        this.isFitted = true;
        this.refit(true);
    }

    private letGo(): void {
        this.base?.dispose();
        this.base = null;
    }

    private chooseBase(graph: Subgraph): void {
        const wished = wishedBase();
        const wantsGl = !this.isWithoutGl && (wished === "webgl" || (wished !== "canvas" && isLarge(graph)));
        if (this.base && (this.base.kind === "webgl") === wantsGl) return;
        const made = (wantsGl && this.makeGl(wished === "webgl")) || (this.base?.kind === "canvas" ? this.base : new PlainBase());
        if (made !== this.base) this.put(made);
    }

    private makeGl(force: boolean): GlBase | null {
        let made: GlBase | null = null;
        try {
            made = GlBase.make(() => this.loseGl(), force);
        } catch {
            // Shaders that do not compile are no reason to draw nothing.
        }
        this.isWithoutGl = made === null;
        return made;
    }

    private loseGl(): void {
        this.isWithoutGl = true;
        if (this.base?.kind === "webgl") this.put(new PlainBase());
    }

    private put(base: Base): void {
        this.base?.dispose();
        this.base = base;
        base.canvas.className = "drill-base";
        base.canvas.setAttribute("aria-hidden", "true");
        this.host.prepend(base.canvas);
        base.resize(this.view.width, this.view.height, window.devicePixelRatio || 1);
        this.host.dataset["renderer"] = base.kind;
        this.redraw(true);
    }

    private fly(old: Subgraph, graph: Subgraph): void {
        if (this.isStill() || old.nodes > FEW || graph.nodes > FEW || graph.edges > FEW) return;
        const places = new Map<number, number>();
        old.node.forEach((node, i) => places.set(node, i));
        const from = Array.from(graph.node, (node) => places.get(node) ?? -1);
        // A node that is new comes from a neighbour that was there.
        const origin = from.map((at, i) => (at >= 0 ? at : Math.max(-1, ...neighboursOf(graph, i).slice(0, 20).map((j) => from[j]!))));
        if (!origin.some((at) => at >= 0)) return;
        const toX = graph.x.slice(), toY = graph.y.slice();
        this.flight = {
            fromX: toX.map((x, i) => (origin[i]! >= 0 ? old.x[origin[i]!]! : x)), fromY: toY.map((y, i) => (origin[i]! >= 0 ? old.y[origin[i]!]! : y)),
            toX, toY, began: performance.now(),
        };
        this.advanceFlight(this.flight.began);
    }

    private advanceFlight(now: number): boolean {
        const { flight, graph } = this;
        if (!flight || !graph) return false;
        const t = ease(Math.min(1, Math.max(0, (now - flight.began) / FLIGHT)));
        for (let i = 0; i < graph.nodes; i++) {
            graph.x[i] = flight.fromX[i]! + (flight.toX[i]! - flight.fromX[i]!) * t;
            graph.y[i] = flight.fromY[i]! + (flight.toY[i]! - flight.fromY[i]!) * t;
        }
        if (t === 1) this.flight = null;
        this.isDirty = true;
        return t < 1;
    }

    // ---- the camera ----

    private refit(glides: boolean): void {
        if (!this.graph) return;
        const bounds = boundsOf(this.graph);
        const cameras = this.margins().map((margin) => fitCamera(bounds, this.view.width, this.view.height, margin)).sort((a, b) => b.scale - a.scale);
        const to = cameras.find((camera) => !this.hidesNodes(camera)) ?? cameras[cameras.length - 1]!;
        // A few nodes would be huge.
        if (this.graph.widest > 0) to.scale = Math.min(to.scale, LARGEST / this.graph.widest);
        this.view.fitScale = to.scale;
        if (!this.isFitted) return;
        if (glides) this.glideTo(to);
        else (this.camera = to), (this.glide = null);
    }

    /** Everywhere between under the legend, at the right of it and below it. */
    private margins(): Bounds[] {
        const all = Math.min(40, this.view.width / 14), { width, height, top } = this.covered();
        return [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
            { left: all + share * Math.max(0, width + 20 - all), right: all, top: top + 14, bottom: all },
            ...(share * height < this.view.height / 2 ? [{ left: all, right: all, top: top + 14 + share * (height - top), bottom: all }] : []),
        ]);
    }

    /** Whether the legend would lie over a node. */
    private hidesNodes(camera: Camera): boolean {
        const { width, height } = this.covered(), graph = this.graph!;
        const right = camera.x + (width + 12 - this.view.width / 2) / camera.scale, bottom = camera.y - (height + 12 - this.view.height / 2) / camera.scale;
        for (let i = 0; i < graph.nodes; i++) if (graph.x[i]! - graph.radius[i]! < right && graph.y[i]! + graph.radius[i]! > bottom) return true;
        return false;
    }

    private resize(): void {
        const box = this.host.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
        if (box.width < 1 || box.height < 1) return;
        Object.assign(this.view, { width: box.width, height: box.height });
        this.canvas.width = Math.round(box.width * ratio);
        this.canvas.height = Math.round(box.height * ratio);
        this.ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.base?.resize(box.width, box.height, ratio);
        this.refit(false);
        this.isDirty = true;
        this.labels.forget();
        this.frame(performance.now());
    }

    private glideTo(to: Camera): void {
        this.glide = this.isStill() ? null : { from: { ...this.camera }, to, began: performance.now() };
        if (!this.glide) this.camera = to;
        this.redraw(true);
    }

    private advanceGlide(now: number): boolean {
        if (!this.glide) return false;
        const t = Math.min(1, Math.max(0, (now - this.glide.began) / GLIDE));
        this.camera = mixCamera(this.glide.from, this.glide.to, ease(t));
        if (t === 1) this.glide = null;
        this.isDirty = true;
        return t < 1;
    }

    zoomBy(factor: number, px = 0, py = 0, glides = true): void {
        const fit = this.view.fitScale;
        const to = zoomCamera(this.glide?.to ?? this.camera, factor, px, py, fit / 4, fit * 200);
        this.isFitted = false;
        if (glides) return this.glideTo(to);
        this.glide = null;
        this.camera = to;
        this.moved();
    }

    private panBy(dx: number, dy: number): void {
        this.glide = null;
        this.isFitted = false;
        this.camera = { ...this.camera, x: this.camera.x - dx / this.camera.scale, y: this.camera.y + dy / this.camera.scale };
        this.moved();
    }

    private moved(): void {
        this.movedAt = performance.now();
        this.ears.point(-1, 0, 0);
        this.redraw(true);
    }

    /** Moves the view so that a node can be seen, beside what covers so many pixels at the right. */
    reveal(i: number, right = 0): void {
        const { graph } = this;
        if (!graph || i < 0) return;
        const camera = this.glide?.to ?? this.camera;
        const x = (graph.x[i]! - camera.x) * camera.scale, y = (camera.y - graph.y[i]!) * camera.scale;
        const overX = Math.abs(x) - this.view.width / 2 + 40 + (x > 0 ? right : 0), overY = Math.abs(y) - this.view.height / 2 + 60;
        if (overX <= 0 && overY <= 0) return;
        this.isFitted = false;
        this.glideTo({ scale: camera.scale, x: camera.x + (overX > 0 ? (Math.sign(x) * (overX + 40)) / camera.scale : 0), y: camera.y - (overY > 0 ? (Math.sign(y) * (overY + 40)) / camera.scale : 0) });
    }

    // ---- frames ----

    /** Draws again: what lies above, and with `all` nodes and edges, too. */
    redraw(all = false): void {
        this.isDirty ||= all;
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame((now) => {
            this.waiting = false;
            this.frame(now);
        });
    }

    private frame(now: number): void {
        const { graph, base, view } = this;
        if (!graph || !base) return;
        const flies = this.advanceFlight(now), glides = this.advanceGlide(now);
        const isQuick = flies || glides || performance.now() - this.movedAt < CALM;
        const palette = this.isDark ? DARK : LIGHT;
        if (this.isDirty) this.isDirty = base.draw(graph, this.camera, view, palette, isQuick);
        this.paintTop(graph, palette, isQuick);
        if (flies || glides || this.isDirty) this.redraw(this.isDirty);
        if (isQuick) this.settleLater();
        // The first that one points at is found without a pause.
        else if (!this.isDirty) this.grid ??= new Grid(graph.x, graph.y);
    }

    private readonly settleLater = later(CALM + 20, () => this.redraw(true));

    private paintTop(graph: Subgraph, palette: Palette, isQuick: boolean): void {
        const { ctx, view } = this;
        ctx.clearRect(0, 0, view.width, view.height);
        const frame = new NodeFrame(graph, this.camera, view);
        const { width, height } = this.covered();
        view.covered = { width, height: height + LINE / 2 };
        if (this.picked >= 0) this.paintStar(frame, this.picked, palette, true);
        else if (this.lit) this.paintLit(frame, this.lit, palette);
        const near = this.hover >= 0 ? this.hover : this.cursor;
        if (near >= 0 && near !== this.picked) this.paintStar(frame, near, palette, false);
        if (!this.flight) this.labels.paint(frame, this, palette, isQuick);
    }

    /** Everything else steps back behind a veil. */
    private veil(palette: Palette): void {
        const { ctx } = this;
        ctx.globalAlpha = 0.68;
        ctx.fillStyle = palette.ground;
        ctx.fillRect(0, 0, this.view.width, this.view.height);
        ctx.globalAlpha = 1;
    }

    /** A node and its neighbours. */
    private paintStar(frame: NodeFrame, i: number, palette: Palette, veils: boolean): void {
        const { ctx } = this, { graph } = frame;
        if (veils) this.veil(palette);
        const near = graph.next.subarray(graph.first[i]!, graph.first[i + 1]!);
        ctx.strokeStyle = palette.linkStrong;
        ctx.lineWidth = 1.2;
        ctx.globalAlpha = Math.max(0.2, Math.min(0.8, 60 / Math.max(1, near.length)));
        ctx.beginPath();
        for (const j of near) {
            ctx.moveTo(frame.px(i), frame.py(i));
            ctx.lineTo(frame.px(j), frame.py(j));
        }
        ctx.stroke();
        ctx.globalAlpha = 1;
        if (veils) for (const j of near) if (frame.sees(j)) drawNode(ctx, graph, j, frame.px(j), frame.py(j), frame.radius(j), palette.ground);
        drawNode(ctx, graph, i, frame.px(i), frame.py(i), frame.radius(i), palette.ground);
        ctx.globalAlpha = 1;
        nodePath(ctx, frame.px(i), frame.py(i), frame.radius(i) + 3, graph.shape[i] ?? 0);
        ctx.setLineDash(i === this.cursor && !veils ? [3, 3] : []);
        ctx.lineWidth = veils ? 2.6 : 1.8;
        ctx.strokeStyle = veils ? palette.accent : palette.ink;
        ctx.stroke();
        ctx.setLineDash([]);
    }

    private paintLit(frame: NodeFrame, lit: Uint8Array, palette: Palette): void {
        this.veil(palette);
        frame.eachInView((i, r) => lit[i] && drawNode(this.ctx, frame.graph, i, frame.px(i), frame.py(i), r, palette.ground));
        this.ctx.globalAlpha = 1;
    }

    // ---- picking, keys ----

    nodeAt(px: number, py: number, slack = 4): number {
        const { graph, camera, view } = this;
        if (!graph || this.flight) return -1;
        this.grid ??= new Grid(graph.x, graph.y);
        const x = camera.x + (px - view.width / 2) / camera.scale, y = camera.y - (py - view.height / 2) / camera.scale;
        const factor = discScale(camera.scale, view.fitScale) / camera.scale;
        return pick(this.grid, graph.x, graph.y, graph.radius, graph.widest, x, y, slack / camera.scale, factor);
    }

    /** The place of a node in pixels of the view. */
    placeOf(i: number): { x: number; y: number } {
        const frame = new NodeFrame(this.graph!, this.camera, this.view);
        return { x: frame.px(i), y: frame.py(i) };
    }

    private setHover(i: number, x: number, y: number): void {
        const changed = i !== this.hover;
        this.hover = i;
        this.canvas.classList.toggle("over", i >= 0);
        this.ears.point(i, x, y);
        if (changed) this.redraw();
    }

    /** Shows a node as if the pointer were on it. */
    point(i: number): void {
        if (i === this.hover) return;
        this.hover = i;
        this.redraw();
    }

    setPicked(i: number): void {
        this.picked = i;
        this.redraw();
    }

    light(lit: Uint8Array | null): void {
        this.lit = lit;
        this.redraw();
    }

    private setCursor(i: number): void {
        if (i < 0 && this.cursor < 0) return;
        this.cursor = i;
        this.reveal(i);
        this.redraw();
        this.ears.cursor(i);
    }

    private key(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey || event.altKey || !this.graph?.nodes) return;
        const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (way && event.shiftKey) this.panBy(-60 * way[0]!, -60 * way[1]!);
        else if (way) this.walk(way[0]!, way[1]!);
        else if ((event.key === "Enter" || event.key === " ") && this.cursor >= 0) this.ears.pick(this.cursor);
        else return;
        event.preventDefault();
    }

    private walk(dx: number, dy: number): void {
        const at = this.cursor >= 0 ? this.cursor : this.picked;
        const graph = this.graph!;
        const next = at < 0 ? graph.order[0]! : walkFrom(graph, new Set(neighboursOf(graph, at)), at, dx, dy);
        if (next >= 0) this.setCursor(next);
    }
}

/** People whose graphics processor misbehaves can say so, and tests, too: localStorage "dgm-drill" is "canvas" or "webgl". */
function wishedBase(): string | null {
    try {
        return localStorage.getItem("dgm-drill");
    } catch {
        return null;
    }
}
