// SPDX-License-Identifier: Apache-2.0
// Small drawings of summaries. Marks of one colour are one path, and so are all links, so that a page of them stays light;
// being SVG, they are sharp at any size and follow the theme.
import { Answer } from "./answer";
import { drawing } from "./dom";
import { SmallPicture, ThumbnailInfo } from "./protocol";

const SIZE = 100;
const LEAST = 1.1;
/** The share of all area that may lie outside at each side. */
const CRUMBS = 0.01;

const word = (value: number) => String(Math.round(100 * value) / 100);

/** The paths of a small picture, fitted into a square; the largest marks come first, so that small ones are seen. */
export function thumbPaths(picture: SmallPicture, width = SIZE, height = SIZE): { links: string; marks: Map<string, string> } {
    const n = picture.x.length;
    const [left, right] = extent(picture.x, picture.radius), [bottom, top] = extent(picture.y, picture.radius);
    const scale = Math.min((width - 4) / Math.max(1e-9, right - left), (height - 4) / Math.max(1e-9, top - bottom));
    const px = (i: number) => width / 2 + (picture.x[i]! - (left + right) / 2) * scale;
    const py = (i: number) => height / 2 - (picture.y[i]! - (bottom + top) / 2) * scale;
    let links = "";
    for (let e = 0; e + 1 < picture.links.length; e += 2) {
        const a = picture.links[e]!, b = picture.links[e + 1]!;
        if (a < n && b < n) links += `M${word(px(a))} ${word(py(a))}L${word(px(b))} ${word(py(b))}`;
    }
    const marks = new Map<string, string>();
    const order = Array.from({ length: n }, (_, i) => i).sort((i, j) => picture.radius[j]! - picture.radius[i]!);
    for (const i of order) {
        // A lone mark would fill the whole square.
        const r = word(Math.min(0.18 * Math.min(width, height), Math.max(LEAST, picture.radius[i]! * scale)));
        const colour = /^#[0-9a-f]{6}$/i.test(picture.fill[i] ?? "") ? picture.fill[i]! : "#888888";
        const disc = `M${word(px(i) - Number(r))} ${word(py(i))}a${r} ${r} 0 1 0 ${word(2 * Number(r))} 0a${r} ${r} 0 1 0 ${word(-2 * Number(r))} 0`;
        marks.set(colour, (marks.get(colour) ?? "") + disc);
    }
    return { links, marks };
}

/** From where to where nearly all of the drawing lies: crumbs far away would make everything else small. */
export function extent(places: ArrayLike<number>, radius: ArrayLike<number>): [number, number] {
    const order = Array.from(places, (_, i) => i).sort((i, j) => places[i]! - places[j]!);
    const all = order.reduce((sum, i) => sum + radius[i]! ** 2, 0);
    let below = 0, low = Infinity, high = -Infinity;
    for (const i of order) {
        below += radius[i]! ** 2;
        if (below < CRUMBS * all || below - radius[i]! ** 2 > (1 - CRUMBS) * all) continue;
        low = Math.min(low, places[i]! - radius[i]!);
        high = Math.max(high, places[i]! + radius[i]!);
    }
    return [low, high];
}

export function thumb(picture: SmallPicture, width = SIZE, height = SIZE): SVGSVGElement {
    const { links, marks } = thumbPaths(picture, width, height);
    const discs = [...marks].map(([fill, d]) => drawing("path", { d, fill, class: "mark" }));
    return drawing("svg", { viewBox: `0 0 ${width} ${height}`, class: "thumb", "aria-hidden": "true" }, links ? drawing("path", { d: links, class: "link" }) : null, ...discs);
}

/** A thumbnail that the engine drew. */
export function smallOf({ arrays }: Answer<ThumbnailInfo>): SmallPicture {
    const fill = arrays["fill"] ?? new Uint8Array(0), source = arrays["source"] ?? [], target = arrays["target"] ?? [];
    const code = (i: number) => "#" + [0, 1, 2].map((k) => (fill[3 * i + k] ?? 0).toString(16).padStart(2, "0")).join("");
    const links = new Uint32Array(2 * source.length);
    for (let e = 0; e < source.length; e++) (links[2 * e] = source[e]!), (links[2 * e + 1] = target[e]!);
    const x = arrays["x"] ?? [];
    return { x, y: arrays["y"] ?? [], radius: arrays["radius"] ?? [], fill: Array.from(x, (_, i) => code(i)), links };
}
