// SPDX-License-Identifier: Apache-2.0
// The map that one moves, picks on and walks over by keys. It draws when something has changed, and not otherwise.
import { Bounds, Camera, boundsOf, discScale, fitCamera, mixCamera, zoomCamera } from "./camera";
import { later } from "./dom";
import { Grid, distanceToSegment, insidePolygon, pick } from "./grid";
import { DARK, Highlight, LIGHT, Painter, View } from "./paint";
import { Picture, Scene } from "./scene";
import { walkFrom } from "./walk";

export interface MapEars {
    hover(mark: number, link: number, x: number, y: number): void;
    pick(mark: number, adds: boolean): void;
    pickLink(link: number): void;
    pickNothing(): void;
    lasso(marks: number[], adds: boolean): void;
    cursor(mark: number): void;
    moved(camera: Camera | null): void;
    /** A mark was put somewhere by hand. */
    put(mark: number, x: number, y: number): void;
    /** A mark that was put somewhere may move again. */
    letGo(mark: number): void;
}

const MARGIN = 44;
const GLIDE = 260;
/** The map is still when it has not moved for so long, in milliseconds. */
const CALM = 140;
/** The map gives way to the legend, but not more than down to this share of its size. */
const LEAST_SHARE = 0.6;
/** A press that moves no more than this is a click. */
const STEADY = 5;
/** Clicks that follow each other within this time, in milliseconds, are a double click. */
const TWICE = 500;

/** A canvas that the map is drawn on. */
class Sheet {
    readonly scene: Scene;
    private readonly painter: Painter;

    constructor(readonly canvas: HTMLCanvasElement, isStill: () => boolean) {
        const ctx = canvas.getContext("2d", { alpha: false });
        if (!ctx) throw new Error("This browser has no canvas.");
        this.painter = new Painter(ctx);
        this.scene = new Scene(isStill);
    }

    resize(width: number, height: number): void {
        const ratio = window.devicePixelRatio || 1;
        this.canvas.width = Math.round(width * ratio);
        this.canvas.height = Math.round(height * ratio);
        this.canvas.getContext("2d")!.setTransform(ratio, 0, 0, ratio, 0, 0);
    }

    paint(camera: Camera, view: View, isDark: boolean, highlight: Highlight, isQuick: boolean): void {
        this.painter.paint(this.scene, camera, view, isDark ? DARK : LIGHT, highlight, isQuick);
    }
}

export class MapView {
    readonly scene: Scene;
    private readonly sheet: Sheet;
    /** The same marks in other colours beside them, moved by one camera. */
    private readonly twin: Sheet;
    readonly highlight: Highlight = {
        hover: -1, hoverLink: -1, cursor: -1, selected: new Set(), selectedLink: -1, lit: null, isShare: false, lasso: null,
    };
    /** Whether a drag draws a lasso rather than moving the map. */
    lassoMode = false;
    isDark = false;
    private camera: Camera = { x: 0, y: 0, scale: 1 };
    /** The camera follows what there is until somebody moves it. */
    private isFitted = true;
    private readonly view: View = { width: 1, height: 1, fitScale: 1, covered: { width: 0, height: 0 } };
    private grid: Grid | null = null;
    private widest = 0;
    private waiting = false;
    private movedAt = -Infinity;
    /** Where the canvas under the pointer begins. */
    private offset = 0;
    private wasQuick = false;
    private glide: { from: Camera; to: Camera; began: number } | null = null;
    private readonly pointers = new Map<number, { x: number; y: number }>();
    private press: { x: number; y: number; lasso: boolean; moved: boolean; adds: boolean; mark: number } | null = null;
    /** What a click hit first. The panel that it opens moves the map below a second click. */
    private clicked = { mark: -1, at: -Infinity };
    /** The mark that is being moved, and where it was. */
    private carried: { mark: number; x: number; y: number } | null = null;

    constructor(
        private readonly canvas: HTMLCanvasElement, twin: HTMLCanvasElement, private readonly ears: MapEars,
        private readonly isStill: () => boolean, private readonly covered: () => { width: number; height: number },
    ) {
        this.sheet = new Sheet(canvas, isStill);
        this.twin = new Sheet(twin, isStill);
        this.scene = this.sheet.scene;
        for (const each of [canvas, twin]) this.listen(each);
        new ResizeObserver(() => this.resize()).observe(canvas);
        canvas.addEventListener("keydown", (event) => this.key(event));
        canvas.addEventListener("blur", () => this.setCursor(-1));
    }

    private listen(canvas: HTMLCanvasElement): void {
        canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        canvas.addEventListener("pointerdown", (event) => this.down(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.up(event));
        canvas.addEventListener("pointercancel", (event) => this.cancel(event));
        canvas.addEventListener("pointerleave", () => this.leave());
        canvas.addEventListener("dblclick", (event) => this.twice(event));
    }

    // ---- what is shown ----

    show(picture: Picture): Int32Array | null {
        this.dropCarried();
        const origin = this.scene.show(picture, performance.now());
        this.grid = new Grid(picture.x, picture.y);
        this.widest = picture.radius.reduce((most, r) => Math.max(most, r), 0);
        Object.assign(this.highlight, { hover: -1, hoverLink: -1, selectedLink: -1, lit: null });
        this.highlight.cursor = this.highlight.cursor < picture.marks ? this.highlight.cursor : -1;
        this.refit(origin !== null);
        this.redraw();
        return origin;
    }

    /** Shows another picture of the same marks beside the first; null: the first alone. */
    showTwin(picture: Picture | null): void {
        this.twin.canvas.hidden = picture === null;
        if (picture) this.twin.scene.show(picture, performance.now());
        this.redraw();
    }

    /** Another graph comes: nothing of this one stays. */
    forget(): void {
        this.dropCarried();
        this.scene.forget();
        this.twin.scene.forget();
        this.twin.canvas.hidden = true;
        Object.assign(this.highlight, { hover: -1, hoverLink: -1, cursor: -1, selected: new Set(), selectedLink: -1, lit: null, lasso: null });
        this.isFitted = true;
        this.glide = null;
        this.redraw();
    }

    private refit(glides: boolean): void {
        if (!this.scene.picture) return;
        const bounds = boundsOf(this.scene.picture);
        const cameras = this.margins().map((margin) => fitCamera(bounds, this.view.width, this.view.height, margin));
        cameras.sort((a, b) => b.scale - a.scale);
        const large = cameras.filter((camera) => camera.scale > LEAST_SHARE * cameras[0]!.scale);
        const target = large.find((camera) => !this.hidesMarks(camera)) ?? large[large.length - 1]!;
        this.view.fitScale = target.scale;
        if (!this.isFitted) return;
        if (glides) this.glideTo(target);
        else this.camera = target;
    }

    /** Everywhere between under the legend, at the right of it and below it. */
    private margins(): Bounds[] {
        const all = Math.min(MARGIN, this.view.width / 12);
        const { width, height } = this.covered();
        return [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((share) => [
            { left: all + share * Math.max(0, width + 44 - all), right: all + 24, top: all, bottom: all },
            { left: all, right: all + 24, top: all + share * Math.max(0, height + 24 - all), bottom: all },
        ]);
    }

    /** Whether the legend, in the upper left corner, would lie over a mark. */
    private hidesMarks(camera: Camera): boolean {
        const picture = this.scene.picture!;
        const { width, height } = this.covered();
        const right = width + 40 - this.view.width / 2, bottom = height + 20 - this.view.height / 2;
        for (let i = 0; i < picture.marks; i++) {
            const r = picture.radius[i]! * camera.scale;
            if ((picture.x[i]! - camera.x) * camera.scale - r < right && (camera.y - picture.y[i]!) * camera.scale - r < bottom) return true;
        }
        return false;
    }

    redraw(): void {
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame((now) => {
            this.waiting = false;
            this.frame(now);
        });
    }

    private frame(now: number): void {
        const { width, height } = this.covered();
        this.view.covered = width ? { width: width + 20, height: height + 20 } : { width, height };
        const flies = this.scene.advance(now);
        this.twin.scene.advance(now);
        const glides = this.advanceGlide(now);
        const isQuick = flies || glides || now - this.movedAt < CALM;
        this.sheet.paint(this.camera, this.view, this.isDark, this.highlight, isQuick);
        const bare = { ...this.view, covered: { width: 0, height: 0 } };
        if (!this.twin.canvas.hidden) this.twin.paint(this.camera, bare, this.isDark, this.highlight, isQuick);
        if (flies || glides) this.redraw();
        this.wasQuick = isQuick;
        if (isQuick) this.redrawCalm();
    }

    private readonly redrawCalm = later(CALM + 20, () => this.wasQuick && this.redraw());

    private resize(): void {
        const box = this.canvas.getBoundingClientRect();
        if (box.width < 1 || box.height < 1) return;
        for (const sheet of [this.sheet, this.twin]) sheet.resize(box.width, box.height);
        Object.assign(this.view, { width: box.width, height: box.height });
        if (this.glide) this.camera = this.glide.to;
        this.glide = null;
        this.refit(false);
        this.frame(performance.now());
    }

    // ---- the camera ----

    private glideTo(to: Camera): void {
        this.glide = this.isStill() || !this.scene.picture ? null : { from: { ...this.camera }, to, began: performance.now() };
        if (!this.glide) this.camera = to;
        this.redraw();
    }

    private advanceGlide(now: number): boolean {
        if (!this.glide) return false;
        const t = Math.min(1, Math.max(0, (now - this.glide.began) / GLIDE));
        this.camera = mixCamera(this.glide.from, this.glide.to, 1 - (1 - t) ** 3);
        if (t === 1) this.glide = null;
        return t < 1;
    }

    /** Where the camera was put, or null while it follows what there is. */
    get placed(): Camera | null {
        return this.isFitted ? null : this.glide?.to ?? this.camera;
    }

    place(camera: Camera | null): void {
        this.isFitted = camera === null;
        if (camera) this.glideTo(camera);
        else this.refit(true);
    }

    fit(): void {
        this.place(null);
        this.ears.moved(null);
    }

    zoomBy(factor: number, px = 0, py = 0, glides = true): void {
        const from = this.glide?.to ?? this.camera;
        const fit = this.view.fitScale;
        const to = zoomCamera(from, factor, px, py, fit / 4, fit * 60);
        this.isFitted = false;
        if (glides) this.glideTo(to);
        else (this.glide = null), (this.camera = to), (this.movedAt = performance.now()), this.redraw();
        this.ears.moved(to);
    }

    private panBy(dx: number, dy: number): void {
        this.movedAt = performance.now();
        this.glide = null;
        this.isFitted = false;
        this.camera = { ...this.camera, x: this.camera.x - dx / this.camera.scale, y: this.camera.y + dy / this.camera.scale };
        this.ears.moved(this.camera);
        this.redraw();
    }

    /** Moves the map so that a mark is in view. */
    reveal(mark: number): void {
        const picture = this.scene.picture;
        if (!picture || mark < 0 || mark >= picture.marks) return;
        const camera = this.glide?.to ?? this.camera;
        const x = (picture.x[mark]! - camera.x) * camera.scale, y = (camera.y - picture.y[mark]!) * camera.scale;
        const overX = Math.abs(x) - this.view.width / 2 + 30, overY = Math.abs(y) - this.view.height / 2 + 30;
        if (overX <= 0 && overY <= 0) return;
        this.isFitted = false;
        this.glideTo({
            scale: camera.scale,
            x: camera.x + (overX > 0 ? (Math.sign(x) * (overX + 40)) / camera.scale : 0),
            y: camera.y - (overY > 0 ? (Math.sign(y) * (overY + 40)) / camera.scale : 0),
        });
        this.ears.moved(this.placed);
    }

    /** The place of a mark in pixels of the view. */
    placeOf(mark: number): { x: number; y: number; radius: number } {
        return {
            x: (this.scene.x[mark]! - this.camera.x) * this.camera.scale + this.view.width / 2,
            y: (this.camera.y - this.scene.y[mark]!) * this.camera.scale + this.view.height / 2,
            radius: this.scene.radius[mark]! * this.discs(),
        };
    }

    private discs(): number {
        return discScale(this.camera.scale, this.view.fitScale);
    }

    // ---- picking ----

    private toMap(px: number, py: number): [number, number] {
        return [
            this.camera.x + (px - this.view.width / 2) / this.camera.scale,
            this.camera.y - (py - this.view.height / 2) / this.camera.scale,
        ];
    }

    markAt(px: number, py: number, slack = 4): number {
        const picture = this.scene.picture;
        if (!picture || !this.grid) return -1;
        const [x, y] = this.toMap(px, py);
        return pick(this.grid, picture.x, picture.y, picture.radius, this.widest, x, y, slack / this.camera.scale, this.discs() / this.camera.scale);
    }

    linkAt(px: number, py: number): number {
        const picture = this.scene.picture;
        if (!picture) return -1;
        const [x, y] = this.toMap(px, py);
        let best = -1, least = 5 / this.camera.scale;
        for (let e = 0; e < picture.links; e++) {
            const a = picture.source[e]!, b = picture.target[e]!;
            const d = distanceToSegment(x, y, picture.x[a]!, picture.y[a]!, picture.x[b]!, picture.y[b]!);
            if (d < least) (least = d), (best = e);
        }
        return best;
    }

    // ---- pointers ----

    private local(event: MouseEvent): [number, number] {
        const canvas = event.currentTarget as HTMLCanvasElement;
        const box = canvas.getBoundingClientRect();
        this.offset = canvas.offsetLeft;
        return [event.clientX - box.left, event.clientY - box.top];
    }

    private fromMiddle(event: MouseEvent): [number, number] {
        const [x, y] = this.local(event);
        return [x - this.view.width / 2, y - this.view.height / 2];
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
        const speed = event.ctrlKey ? 0.01 : 0.0016;
        const step = Math.max(-240, Math.min(240, event.deltaY * lines));
        this.zoomBy(Math.exp(-step * speed), ...this.fromMiddle(event), false);
    }

    private down(event: PointerEvent): void {
        if (event.button > 0) return;
        const [x, y] = this.local(event);
        (event.currentTarget as HTMLCanvasElement).setPointerCapture(event.pointerId);
        this.pointers.set(event.pointerId, { x, y });
        const adds = event.shiftKey || event.ctrlKey || event.metaKey;
        const lasso = this.pointers.size === 1 && (this.lassoMode || (event.shiftKey && this.markAt(x, y) < 0));
        // A finger moves the map wherever it begins: marks are too close to each other to be missed. Dust stays with its cluster.
        const mark = lasso || adds || event.pointerType === "touch" ? -1 : this.markAt(x, y);
        const own = mark >= 0 && !this.scene.picture!.pile[mark] ? mark : -1;
        this.press = this.pointers.size === 1 ? { x, y, lasso, moved: false, adds, mark: own } : null;
        if (!this.press) this.putBack();
        this.highlight.lasso = null;
    }

    private move(event: PointerEvent): void {
        const [x, y] = this.local(event);
        const before = this.pointers.get(event.pointerId);
        if (!before) return this.hover(x, y, event.pointerType);
        if (this.pointers.size === 2) this.pinch(event.pointerId, x, y);
        else if (this.press) this.drag(this.press, before, x, y);
        this.pointers.set(event.pointerId, { x, y });
    }

    private drag(press: NonNullable<MapView["press"]>, before: { x: number; y: number }, x: number, y: number): void {
        if (!press.moved && Math.hypot(x - press.x, y - press.y) < STEADY) return;
        if (!press.moved) this.setHover(-1, -1, x, y);
        const first = !press.moved;
        press.moved = true;
        if (press.mark >= 0) return this.carry(press, x, y);
        if (!press.lasso) return this.panBy(first ? x - press.x : x - before.x, first ? y - press.y : y - before.y);
        this.highlight.lasso = [...(this.highlight.lasso ?? [press.x, press.y]), x, y];
        this.redraw();
    }

    private pinch(id: number, x: number, y: number): void {
        const other = [...this.pointers].find(([key]) => key !== id)?.[1];
        const before = this.pointers.get(id);
        if (!other || !before) return;
        const factor = Math.hypot(x - other.x, y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
        this.panBy((x - before.x) / 2, (y - before.y) / 2);
        this.zoomBy(factor, (x + other.x) / 2 - this.view.width / 2, (y + other.y) / 2 - this.view.height / 2, false);
    }

    private up(event: PointerEvent): void {
        this.pointers.delete(event.pointerId);
        const press = this.press;
        this.press = null;
        if (!press) return;
        if (!press.moved) this.click(press.x, press.y, press.adds, event.pointerType === "touch" ? 12 : 4);
        else if (press.lasso) this.endLasso(press.adds);
        else if (this.carried) this.endCarry(this.carried.mark);
    }

    // ---- marks that are put somewhere ----

    private carry(press: NonNullable<MapView["press"]>, x: number, y: number): void {
        const picture = this.scene.picture!;
        this.carried ??= { mark: press.mark, x: picture.x[press.mark]!, y: picture.y[press.mark]! };
        this.put(press.mark, this.carried.x + (x - press.x) / this.camera.scale, this.carried.y - (y - press.y) / this.camera.scale);
    }

    private put(mark: number, x: number, y: number): void {
        for (const { scene } of [this.sheet, this.twin]) scene.put(mark, x, y);
        this.redraw();
    }

    private endCarry(mark: number): void {
        const picture = this.scene.picture!;
        this.carried = null;
        this.setPinned(mark, true);
        this.ears.put(mark, picture.x[mark]!, picture.y[mark]!);
    }

    /** The mark that is being moved goes back to where it was. */
    private putBack(): void {
        if (this.carried) this.put(this.carried.mark, this.carried.x, this.carried.y);
        this.carried = null;
    }

    /** What is being moved belongs to a picture that goes. */
    private dropCarried(): void {
        if (this.carried) this.press = null;
        this.carried = null;
    }

    /** Shows whether a mark is pinned. */
    setPinned(mark: number, isPinned: boolean): void {
        const picture = this.scene.picture;
        if (!picture || mark < 0 || mark >= picture.marks) return;
        for (const each of [picture, this.twin.scene.picture]) {
            if (!each || each.marks !== picture.marks) continue;
            if (!each.pinned.length) each.pinned = new Uint8Array(each.marks);
            each.pinned[mark] = isPinned ? 1 : 0;
        }
        this.grid = new Grid(picture.x, picture.y);
        this.redraw();
    }

    private twice(event: MouseEvent): void {
        const { mark } = this.clicked;
        if (mark >= 0 && this.scene.picture!.pinned[mark]) this.ears.letGo(mark);
        else this.zoomBy(2, ...this.fromMiddle(event));
    }

    /** Moves the mark under the cursor, for those who have no pointer. */
    private nudge(dx: number, dy: number): void {
        const picture = this.scene.picture, mark = this.highlight.cursor;
        if (!picture || mark < 0 || picture.pile[mark]) return;
        this.put(mark, picture.x[mark]! + (12 * dx) / this.camera.scale, picture.y[mark]! - (12 * dy) / this.camera.scale);
        this.endCarry(mark);
    }

    private cancel(event: PointerEvent): void {
        this.pointers.delete(event.pointerId);
        this.press = null;
        this.highlight.lasso = null;
        this.putBack();
        this.redraw();
    }

    private click(x: number, y: number, adds: boolean, slack: number): void {
        const mark = this.markAt(x, y, slack), now = performance.now();
        if (now - this.clicked.at > TWICE) this.clicked = { mark, at: now };
        if (mark >= 0) return this.ears.pick(mark, adds);
        const link = this.linkAt(x, y);
        if (link >= 0 && !adds) return this.ears.pickLink(link);
        if (!adds) this.ears.pickNothing();
    }

    private endLasso(adds: boolean): void {
        const line = this.highlight.lasso ?? [];
        this.highlight.lasso = null;
        const marks: number[] = [];
        for (let i = 0; i < (this.scene.picture?.marks ?? 0); i++) {
            const place = this.placeOf(i);
            if (insidePolygon(place.x, place.y, line)) marks.push(i);
        }
        this.redraw();
        this.ears.lasso(marks, adds);
    }

    private hover(x: number, y: number, kind: string): void {
        if (kind === "touch") return;
        const mark = this.markAt(x, y);
        this.setHover(mark, mark >= 0 ? -1 : this.linkAt(x, y), x, y);
    }

    private leave(): void {
        if (!this.pointers.size) this.setHover(-1, -1, 0, 0);
    }

    private setHover(mark: number, link: number, x: number, y: number): void {
        const changed = mark !== this.highlight.hover || link !== this.highlight.hoverLink;
        this.highlight.hover = mark;
        this.highlight.hoverLink = link;
        for (const { canvas } of [this.sheet, this.twin]) canvas.classList.toggle("over", mark >= 0 || link >= 0);
        this.ears.hover(mark, link, x + this.offset, y);
        if (changed) this.redraw();
    }

    // ---- keys ----

    private key(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey) return;
        const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (event.altKey && !way) return;
        if (way && event.altKey) this.nudge(way[0]!, way[1]!);
        else if (way && event.shiftKey) this.panBy(-60 * way[0]!, -60 * way[1]!);
        else if (way) this.walk(way[0]!, way[1]!);
        else if ((event.key === "Enter" || event.key === " ") && this.highlight.cursor >= 0) this.ears.pick(this.highlight.cursor, event.key === " ");
        else return;
        event.preventDefault();
    }

    setCursor(mark: number): void {
        this.highlight.cursor = mark;
        this.redraw();
        if (mark >= 0) this.reveal(mark);
        this.ears.cursor(mark);
    }

    /** Goes to the mark that lies best in a direction. */
    private walk(dx: number, dy: number): void {
        const picture = this.scene.picture;
        if (!picture || !picture.marks) return;
        const at = this.highlight.cursor >= 0 ? this.highlight.cursor : [...this.highlight.selected][0] ?? -1;
        if (at < 0) return this.setCursor(picture.bySize[0]!);
        const near = new Set(picture.touching[at]!.flatMap((e) => [picture.source[e]!, picture.target[e]!]));
        const best = walkFrom(picture, near, at, dx, dy);
        if (best >= 0) this.setCursor(best);
    }
}
