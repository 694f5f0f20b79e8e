// SPDX-License-Identifier: Apache-2.0
// Draws the map on a canvas: links, marks, what is picked, names.
import { Camera, discScale } from "./camera";
import { Label, Named, placeLabels } from "./labels";
import { Picture, Scene } from "./scene";
import { count, plain } from "./words";

export interface Highlight {
    /** The mark under the pointer, or -1; likewise the link, and the mark that the keyboard is on. */
    hover: number;
    hoverLink: number;
    cursor: number;
    selected: Set<number>;
    selectedLink: number;
    /** By mark: more than 0 is lit, the rest fades. null: everything is as it is. */
    lit: ArrayLike<number> | null;
    /** Whether `lit` is the share of each mark that is lit, from 0 to 1: an arc around the mark says how much. */
    isShare: boolean;
    /** The closed line of the lasso, in pixels of the view. */
    lasso: number[] | null;
}

export interface Palette {
    ground: string;
    ink: string;
    soft: string;
    link: string;
    linkStrong: string;
    accent: string;
    pile: string;
    grain: string;
}

export const LIGHT: Palette = {
    ground: "#fafaf8", ink: "#1c1f26", soft: "#5a6270", link: "rgba(88,98,116,0.38)", linkStrong: "rgba(47,95,208,0.85)",
    accent: "#2f5fd0", pile: "#e9eaee", grain: "#7c8492",
};
export const DARK: Palette = {
    ground: "#14161a", ink: "#eceef2", soft: "#a2abba", link: "rgba(160,172,192,0.34)", linkStrong: "rgba(138,176,255,0.9)",
    accent: "#8ab0ff", pile: "#2b2f37", grain: "#99a2b1",
};

export interface View {
    width: number;
    height: number;
    /** The scale at which everything fits. */
    fitScale: number;
    /** How far the legend reaches into the upper left corner. */
    covered: { width: number; height: number };
}

const FONT = '500 12px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif';
const LINE = 15;
const LEAST_RADIUS = 1.6;
/** So many marks are drawn in every frame. */
const MANY = 6000;

export class Painter {
    private labels: Label[] = [];
    private named: number[] = [];
    private labelled: { picture: Picture | null; scale: number } = { picture: null, scale: 0 };
    private readonly widths = new Map<string, number>();

    constructor(private readonly ctx: CanvasRenderingContext2D) {}

    /** `isQuick`: the map moves, and of very many links and marks the largest are enough. */
    paint(scene: Scene, camera: Camera, view: View, palette: Palette, highlight: Highlight, isQuick: boolean): void {
        const { ctx } = this;
        ctx.fillStyle = palette.ground;
        ctx.fillRect(0, 0, view.width, view.height);
        const picture = scene.picture;
        if (!picture) return;
        const frame = new Frame(scene, picture, camera, view);
        this.paintLinks(frame, palette, highlight, isQuick);
        this.paintLeaving(frame);
        this.paintMarks(frame, palette, highlight, isQuick);
        this.paintRings(frame, palette, highlight);
        this.paintPins(frame, palette);
        this.paintLabels(frame, palette, highlight, isQuick);
        if (highlight.lasso) this.paintLasso(highlight.lasso, palette);
    }

    /** Links of about one width are one stroke. */
    private paintLinks(frame: Frame, palette: Palette, highlight: Highlight, isQuick: boolean): void {
        const { ctx } = this;
        const buckets = new Map<number, number[]>();
        const count = isQuick ? frame.picture.heavy.length : frame.picture.links;
        for (let k = 0; k < count; k++) {
            const e = isQuick ? frame.picture.heavy[k]! : k;
            if (!frame.scene.linkShows(e) || !frame.seesLink(e)) continue;
            const width = Math.round(4 * frame.linkWidth(e)) / 4;
            const faded = highlight.lit !== null && !(frame.litLink(e, highlight.lit));
            const key = faded ? -width : width;
            const list = buckets.get(key);
            if (list) list.push(e);
            else buckets.set(key, [e]);
        }
        // Many lines over each other would be a dark mass.
        const pale = Math.min(1, Math.max(0.4, Math.sqrt(500 / Math.max(1, frame.picture.links))));
        ctx.lineCap = "butt";
        ctx.strokeStyle = palette.link;
        for (const [key, list] of buckets) {
            ctx.globalAlpha = key < 0 ? 0.25 * pale : pale;
            this.strokeLinks(frame, list, Math.abs(key));
        }
        ctx.globalAlpha = 1;
        this.paintStrongLinks(frame, palette, highlight);
    }

    private paintStrongLinks(frame: Frame, palette: Palette, highlight: Highlight): void {
        const strong = new Set<number>();
        for (const mark of [highlight.hover, highlight.cursor, ...highlight.selected])
            for (const link of frame.picture.touching[mark] ?? []) strong.add(link);
        this.ctx.strokeStyle = palette.linkStrong;
        this.ctx.globalAlpha = 0.45;
        for (const link of strong) this.strokeLinks(frame, [link], Math.max(1.2, frame.linkWidth(link)));
        this.ctx.globalAlpha = 1;
        for (const link of [highlight.hoverLink, highlight.selectedLink])
            if (link >= 0 && link < frame.picture.links) this.strokeLinks(frame, [link], Math.max(2.5, frame.linkWidth(link) + 1));
    }

    private strokeLinks(frame: Frame, links: number[], width: number): void {
        const { ctx } = this;
        ctx.lineWidth = width;
        // Paths of very many lines take browsers more than their share of time.
        for (let from = 0; from < links.length; from += 500) {
            ctx.beginPath();
            for (const e of links.slice(from, from + 500)) {
                const a = frame.picture.source[e]!, b = frame.picture.target[e]!;
                ctx.moveTo(frame.px(a), frame.py(a));
                ctx.lineTo(frame.px(b), frame.py(b));
            }
            ctx.stroke();
        }
    }

    private paintLeaving(frame: Frame): void {
        const { ctx } = this;
        const t = frame.scene.progress;
        ctx.globalAlpha = Math.max(0, 0.8 * (1 - t));
        for (const mark of frame.scene.leaving) {
            ctx.fillStyle = mark.colour;
            ctx.beginPath();
            const x = mark.x + (mark.toX - mark.x) * t, y = mark.y + (mark.toY - mark.y) * t;
            ctx.arc(frame.toX(x), frame.toY(y), Math.max(0.5, mark.radius * frame.discScale * (1 - t)), 0, 2 * Math.PI);
            ctx.fill();
        }
        ctx.globalAlpha = 1;
    }

    /** The largest first, so that small marks stay in view. */
    private paintMarks(frame: Frame, palette: Palette, highlight: Highlight, isQuick: boolean): void {
        const { ctx } = this;
        const { bySize } = frame.picture;
        const count = isQuick ? Math.min(bySize.length, MANY) : bySize.length;
        for (let k = 0; k < count; k++) {
            const i = bySize[k]!;
            if (!frame.seesMark(i)) continue;
            ctx.globalAlpha = opacity(highlight, i);
            if (frame.picture.pile[i]) this.paintPile(frame, i, palette);
            else this.paintMark(frame, i);
        }
        ctx.globalAlpha = 1;
    }

    private paintMark(frame: Frame, i: number): void {
        const { ctx } = this;
        const r = frame.radius(i);
        ctx.fillStyle = frame.scene.colour[i]!;
        if (r < 2 && frame.picture.marks > MANY) return ctx.fillRect(frame.px(i) - 0.9 * r, frame.py(i) - 0.9 * r, 1.8 * r, 1.8 * r);
        this.outlinePath(frame.px(i), frame.py(i), r, frame.picture.shape[i]!);
        ctx.fill();
        if (r < 2.5) return;
        ctx.lineWidth = Math.min(1.4, 0.5 + r / 20);
        ctx.strokeStyle = frame.scene.outline[i]!;
        ctx.stroke();
    }

    /** Shapes of one area: a disc, a square, a diamond. */
    private outlinePath(x: number, y: number, r: number, shape: number): void {
        const { ctx } = this;
        ctx.beginPath();
        const side = r * 0.886, half = r * 1.253;
        if (shape === 1) ctx.rect(x - side, y - side, 2 * side, 2 * side);
        else if (shape === 2) {
            ctx.moveTo(x, y - half);
            ctx.lineTo(x + half, y);
            ctx.lineTo(x, y + half);
            ctx.lineTo(x - half, y);
            ctx.closePath();
        } else ctx.arc(x, y, r, 0, 2 * Math.PI);
    }

    /** Dust: a pale disc with three grains. */
    private paintPile(frame: Frame, i: number, palette: Palette): void {
        const { ctx } = this;
        const x = frame.px(i), y = frame.py(i), r = Math.max(2, frame.radius(i));
        this.outlinePath(x, y, r, 0);
        ctx.fillStyle = palette.pile;
        ctx.fill();
        ctx.lineWidth = 1;
        ctx.strokeStyle = palette.grain;
        ctx.stroke();
        if (r < 5) return;
        ctx.fillStyle = palette.grain;
        for (const [dx, dy] of [[-0.36, 0.2], [0.36, 0.2], [0, -0.38]] as const) {
            ctx.beginPath();
            ctx.arc(x + dx * r, y + dy * r, Math.max(1, 0.15 * r), 0, 2 * Math.PI);
            ctx.fill();
        }
    }

    private paintRings(frame: Frame, palette: Palette, highlight: Highlight): void {
        for (const i of highlight.selected) {
            const large = frame.radius(i) > 7 || highlight.selected.size < 4;
            this.ring(frame, i, palette.accent, large ? 3 : 1.6, large ? 3.5 : 1.8);
        }
        if (highlight.cursor >= 0) this.ring(frame, highlight.cursor, palette.ink, 1.5, 6.5, [3, 3]);
        if (highlight.hover >= 0 && !highlight.selected.has(highlight.hover)) this.ring(frame, highlight.hover, palette.ink, 2, 2.5);
        if (highlight.lit)
            for (let i = 0; i < frame.picture.marks; i++)
                if (highlight.lit[i] && !highlight.selected.has(i)) {
                    if (highlight.isShare) this.arc(frame, i, palette, highlight.lit[i]!);
                    else this.ring(frame, i, palette.accent, 1.5, 2);
                }
    }

    /** A ring that is closed as far as the share goes, from the top and clockwise. */
    private arc(frame: Frame, i: number, palette: Palette, share: number): void {
        const { ctx } = this;
        if (!frame.seesMark(i)) return;
        ctx.beginPath();
        const width = frame.radius(i) > 6 ? 3 : 1.8;
        ctx.arc(frame.px(i), frame.py(i), frame.radius(i) + width, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * Math.max(0.02, share));
        ctx.lineWidth = width;
        ctx.strokeStyle = palette.accent;
        ctx.stroke();
    }

    /** A pin in what somebody has put where it is. */
    private paintPins(frame: Frame, palette: Palette): void {
        const { ctx } = this, { pinned, marks } = frame.picture;
        ctx.lineCap = "round";
        for (let i = 0; i < Math.min(pinned.length, marks); i++) {
            if (!pinned[i] || !frame.seesMark(i)) continue;
            const reach = 0.62 * frame.radius(i), x = frame.px(i) + reach, y = frame.py(i) - reach;
            for (const [colour, width, head] of [[palette.ground, 4.5, 5], [palette.ink, 1.6, 3.4]] as const) {
                ctx.strokeStyle = ctx.fillStyle = colour;
                ctx.lineWidth = width;
                ctx.beginPath();
                ctx.moveTo(x, y);
                ctx.lineTo(x + 4, y - 7);
                ctx.stroke();
                ctx.beginPath();
                ctx.arc(x + 4.5, y - 8, head, 0, 2 * Math.PI);
                ctx.fill();
            }
        }
        ctx.lineCap = "butt";
    }

    private ring(frame: Frame, i: number, colour: string, width: number, gap: number, dash: number[] = []): void {
        if (i >= frame.picture.marks) return;
        const { ctx } = this;
        this.outlinePath(frame.px(i), frame.py(i), frame.radius(i) + gap, frame.picture.shape[i]!);
        ctx.setLineDash(dash);
        ctx.lineWidth = width;
        ctx.strokeStyle = colour;
        ctx.stroke();
        ctx.setLineDash([]);
    }

    private paintLabels(frame: Frame, palette: Palette, highlight: Highlight, isQuick: boolean): void {
        const { ctx } = this;
        ctx.font = FONT;
        ctx.textBaseline = "middle";
        ctx.lineJoin = "round";
        if (!isQuick || frame.picture.marks < MANY || this.labelled.picture !== frame.picture) this.place(frame);
        // While marks fly far, names would blink; they come back when the flight ends.
        ctx.globalAlpha = frame.scene.progress < 1 ? 0.35 + 0.65 * frame.scene.progress ** 2 : 1;
        const written: [x: number, y: number, width: number][] = [];
        for (const label of this.labels) {
            const i = this.named[label.index]!;
            if (highlight.lit !== null && !highlight.lit[i]) continue;
            if (!frame.holds(i)) continue;
            const text = labelOf(frame.picture, i);
            const width = this.widthOf(text), free = frame.view.width - width - 6;
            const x = Math.max(6, Math.min(free, frame.px(i) + label.dx));
            // A name that has no room beside its mark stands below it.
            const isMoved = Math.abs(x - frame.px(i) - label.dx) > 12 && Math.abs(label.dy) < 2;
            const y = frame.py(i) + (isMoved ? frame.radius(i) + LINE / 2 + 3 : label.dy);
            if (x < frame.view.covered.width && y < frame.view.covered.height + LINE) continue;
            // Names that the edge of the window pushed aside must not lie on others.
            if (written.some(([left, middle, wide]) => Math.abs(middle - y) < LINE && left < x + width && x < left + wide)) continue;
            written.push([x, y, width]);
            this.word(text, x, y, frame.picture.pile[i] ? palette.soft : palette.ink, palette);
        }
        ctx.globalAlpha = 1;
    }

    private word(text: string, x: number, y: number, colour: string, palette: Palette): void {
        const { ctx } = this;
        ctx.lineWidth = 3.5;
        ctx.strokeStyle = palette.ground;
        ctx.strokeText(text, x, y);
        ctx.fillStyle = colour;
        ctx.fillText(text, x, y);
    }

    /** Places the names again where picture or scale have changed. */
    private place(frame: Frame): void {
        const scale = frame.camera.scale;
        if (this.labelled.picture === frame.picture && Math.abs(Math.log(scale / this.labelled.scale)) < 0.02) return;
        this.labelled = { picture: frame.picture, scale };
        const zoom = scale / frame.view.fitScale;
        const { picture, discScale: discs } = frame;
        const order = picture.bySize.filter((i) => !picture.pile[i]);
        const piles = picture.bySize.filter((i) => picture.pile[i] && picture.radius[i]! * discs > 9);
        this.named = [...order, ...piles].slice(0, 1500);
        const marks: Named[] = this.named.map((i) => ({
            x: picture.x[i]! * scale, y: -picture.y[i]! * scale, radius: Math.max(LEAST_RADIUS, picture.radius[i]! * discs),
            text: picture.radius[i]! * discs < 3 ? "" : labelOf(picture, i), width: 0,
        }));
        for (const mark of marks) if (mark.text) mark.width = this.widthOf(mark.text);
        const area = (frame.view.width * frame.view.height) / 55_000;
        this.labels = placeLabels(marks, LINE, Math.round(Math.min(400, area * Math.max(1, zoom) ** 1.6)));
    }

    private widthOf(text: string): number {
        let width = this.widths.get(text);
        if (width === undefined) this.widths.set(text, (width = this.ctx.measureText(text).width));
        return width;
    }

    private paintLasso(line: number[], palette: Palette): void {
        const { ctx } = this;
        ctx.beginPath();
        for (let i = 0; i < line.length; i += 2) ctx.lineTo(line[i]!, line[i + 1]!);
        ctx.closePath();
        ctx.fillStyle = palette.accent;
        ctx.globalAlpha = 0.12;
        ctx.fill();
        ctx.globalAlpha = 1;
        ctx.setLineDash([4, 4]);
        ctx.lineWidth = 1.5;
        ctx.strokeStyle = palette.accent;
        ctx.stroke();
        ctx.setLineDash([]);
    }
}

/** How much of a mark is to be seen: what is not lit fades, what is lit in part a little. */
function opacity({ lit, isShare }: Highlight, i: number): number {
    if (lit === null) return 1;
    const share = lit[i]!;
    return share ? (isShare ? 0.4 + 0.6 * Math.sqrt(share) : 1) : 0.16;
}

/** The name of a mark and how many nodes it has; of dust only how much there is. */
function labelOf(picture: Picture, i: number): string {
    const name = plain(picture.info.names[i] ?? "");
    return picture.pile[i] ? shorten(name.replace(/(\D),.*/, "$1")) : `${shorten(name)} · ${count(picture.size[i]!)}`;
}

/** The end of a name that has parts stays, since names that begin alike differ in it. */
function shorten(text: string): string {
    const most = 32, cut = text.lastIndexOf(", ");
    const end = cut > 0 && text.length - cut < most / 2 ? text.slice(cut) : "";
    return text.length > most ? `${text.slice(0, most - 1 - end.length)}…${end}` : text;
}

/** One frame: from places of the map to pixels. */
class Frame {
    private readonly thicker: number;
    readonly discScale: number;
    constructor(readonly scene: Scene, readonly picture: Picture, readonly camera: Camera, readonly view: View) {
        this.discScale = discScale(camera.scale, view.fitScale);
        this.thicker = Math.min(2.5, Math.max(0.6, Math.sqrt(camera.scale / view.fitScale)));
    }
    toX(x: number): number {
        return (x - this.camera.x) * this.camera.scale + this.view.width / 2;
    }
    toY(y: number): number {
        return (this.camera.y - y) * this.camera.scale + this.view.height / 2;
    }
    px(i: number): number {
        return this.toX(this.scene.x[i]!);
    }
    py(i: number): number {
        return this.toY(this.scene.y[i]!);
    }
    radius(i: number): number {
        return Math.max(LEAST_RADIUS, this.scene.radius[i]! * this.discScale);
    }
    linkWidth(e: number): number {
        return (0.8 + 7 * this.picture.weight[e]!) * this.thicker;
    }
    litLink(e: number, lit: ArrayLike<number>): boolean {
        return !!lit[this.picture.source[e]!] && !!lit[this.picture.target[e]!];
    }
    /** Whether the middle of a mark is in view. */
    holds(i: number): boolean {
        const x = this.px(i), y = this.py(i);
        return x >= 0 && x <= this.view.width && y >= 0 && y <= this.view.height;
    }
    seesMark(i: number): boolean {
        const x = this.px(i), y = this.py(i), r = 1.3 * this.radius(i);
        return x + r >= 0 && x - r <= this.view.width && y + r >= 0 && y - r <= this.view.height;
    }
    seesLink(e: number): boolean {
        const a = this.picture.source[e]!, b = this.picture.target[e]!;
        const ax = this.px(a), bx = this.px(b), ay = this.py(a), by = this.py(b);
        return Math.max(ax, bx) >= 0 && Math.min(ax, bx) <= this.view.width && Math.max(ay, by) >= 0 && Math.min(ay, by) <= this.view.height;
    }
}
