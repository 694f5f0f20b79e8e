// SPDX-License-Identifier: Apache-2.0
// What is on the map, as arrays, and how one picture turns into the next: a mark flies from the place of the old mark that
// it was, or that is nearest.
import { Answer } from "./answer";
import { Grid } from "./grid";
import { PictureInfo } from "./protocol";

export interface Picture {
    info: PictureInfo;
    marks: number;
    links: number;
    x: Float32Array;
    y: Float32Array;
    radius: Float32Array;
    size: Uint32Array;
    cluster: Uint32Array;
    fill: Uint8Array;
    shape: Uint8Array;
    pile: Uint8Array;
    piece: Uint32Array;
    error: Float32Array;
    source: Uint32Array;
    target: Uint32Array;
    weight: Float32Array;
    shared: Uint32Array;
    crossing: Uint32Array;
    /** By mark, the mark of the picture before with which it shares most members, or NOWHERE. */
    origin: Uint32Array;
    /** By mark: 1 if somebody put it where it is. Engines that know no pins leave it empty. */
    pinned: Uint8Array;
    /** The mark of a cluster; clusters inside a pile have none of their own. */
    markOf: Map<number, number>;
    /** The links of each mark. */
    touching: number[][];
    /** Marks, the largest first. */
    bySize: number[];
    /** The heaviest links, which are drawn while the map moves; all of them where they are few. */
    heavy: number[];
}

/** So many links are drawn in every frame. */
const HEAVY = 5000;

function heavyLinks(weight: Float32Array): number[] {
    const all = Array.from(weight, (_, e) => e);
    return all.length <= HEAVY ? all : all.sort((a, b) => weight[b]! - weight[a]!).slice(0, HEAVY);
}

export function pictureOf(answer: Answer<PictureInfo>): Picture {
    const a = answer.arrays;
    const real = (name: string) => (a[name] ?? new Float32Array(0)) as Float32Array;
    const whole = (name: string) => (a[name] ?? new Uint32Array(0)) as Uint32Array;
    const small = (name: string) => (a[name] ?? new Uint8Array(0)) as Uint8Array;
    const picture: Picture = {
        info: answer.json, marks: real("x").length, links: whole("source").length,
        x: real("x"), y: real("y"), radius: real("radius"), size: whole("size"), cluster: whole("cluster"),
        fill: small("fill"), shape: small("shape"), pile: small("pile"), piece: whole("piece"), error: real("error"),
        source: whole("source"), target: whole("target"), weight: real("weight"),
        shared: whole("shared"), crossing: whole("crossing"), origin: whole("origin"), pinned: small("pinned"),
        markOf: new Map(), touching: [], bySize: [], heavy: heavyLinks(real("weight")),
    };
    for (let i = 0; i < picture.marks; i++) {
        picture.markOf.set(picture.cluster[i]!, i);
        picture.touching.push([]);
        picture.bySize.push(i);
    }
    for (let e = 0; e < picture.links; e++) {
        picture.touching[picture.source[e]!]!.push(e);
        picture.touching[picture.target[e]!]!.push(e);
    }
    picture.bySize.sort((i, j) => picture.size[j]! - picture.size[i]! || i - j);
    return picture;
}

function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
    return true;
}

const NOWHERE = 0xffffffff;

/** For each new mark the old one that it comes from, or that is nearest; -1 where nothing was there. */
export function originsOf(old: Picture, fresh: Picture): Int32Array {
    const origin = new Int32Array(fresh.marks).fill(-1);
    if (same(old.cluster, fresh.cluster) && same(old.size, fresh.size)) return origin.map((_, i) => i);
    const isNext = fresh.info.serial === old.info.serial + 1 && fresh.origin.length === fresh.marks;
    const grid = new Grid(old.x, old.y);
    for (let i = 0; i < fresh.marks; i++) {
        const from = isNext ? fresh.origin[i]! : NOWHERE;
        origin[i] = from < old.marks ? from : grid.nearest(fresh.x[i]!, fresh.y[i]!);
    }
    return origin;
}

/** The mark that an old mark has become: the largest that came from it, else the nearest. */
export function followMark(old: Picture, fresh: Picture, origin: Int32Array, mark: number): number {
    let best = -1;
    for (let i = 0; i < fresh.marks; i++)
        if (origin[i] === mark && !fresh.pile[i] && (best < 0 || fresh.size[i]! > fresh.size[best]!)) best = i;
    return best >= 0 ? best : new Grid(fresh.x, fresh.y).nearest(old.x[mark]!, old.y[mark]!);
}

const FLIGHT = 250;
const ease = (t: number) => (t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2);

interface Leaving {
    x: number;
    y: number;
    toX: number;
    toY: number;
    radius: number;
    colour: string;
}

export class Scene {
    picture: Picture | null = null;
    /** What is drawn now: between two pictures while marks fly. */
    x = new Float32Array(0);
    y = new Float32Array(0);
    radius = new Float32Array(0);
    /** Colours as texts, for the canvas. */
    colour: string[] = [];
    outline: string[] = [];
    leaving: Leaving[] = [];
    /** How far the flight is, from 0 to 1. */
    progress = 1;
    /** Links that were there before, which need not appear. */
    private settled: Uint8Array = new Uint8Array(0);
    private fromX = new Float32Array(0);
    private fromY = new Float32Array(0);
    private fromRadius = new Float32Array(0);
    private began = 0;

    constructor(private readonly isStill: () => boolean) {}

    /** Shows another picture. Returns where its marks come from, or null where there was none before. */
    show(fresh: Picture, now: number): Int32Array | null {
        const old = this.picture;
        const origin = old ? originsOf(old, fresh) : null;
        this.fromX = Float32Array.from(fresh.x, (x, i) => this.was(this.x, origin, i) ?? x);
        this.fromY = Float32Array.from(fresh.y, (y, i) => this.was(this.y, origin, i) ?? y);
        this.fromRadius = Float32Array.from(fresh.radius, (_, i) => this.was(this.radius, origin, i) ?? 0);
        this.leaving = old && origin && !this.isStill() ? this.leavingOf(old, fresh, origin) : [];
        this.settled = settledLinks(old, fresh, origin);
        this.picture = fresh;
        this.x = new Float32Array(fresh.marks);
        this.y = new Float32Array(fresh.marks);
        this.radius = new Float32Array(fresh.marks);
        this.colour = coloursOf(fresh, 1);
        this.outline = coloursOf(fresh, 0.62);
        this.began = now;
        this.progress = 0;
        this.advance(this.isStill() ? now + FLIGHT : now);
        return origin;
    }

    private was(values: Float32Array, origin: Int32Array | null, i: number): number | undefined {
        const from = origin ? origin[i]! : -1;
        return from >= 0 ? values[from] : undefined;
    }

    private leavingOf(old: Picture, fresh: Picture, origin: Int32Array): Leaving[] {
        const stays = new Uint8Array(old.marks);
        origin.forEach((from) => from >= 0 && (stays[from] = 1));
        const grid = new Grid(fresh.x, fresh.y);
        const list: Leaving[] = [];
        for (let i = 0; i < old.marks; i++) {
            if (stays[i] || fresh.marks === 0) continue;
            const to = grid.nearest(this.x[i]!, this.y[i]!);
            list.push({
                x: this.x[i]!, y: this.y[i]!, toX: fresh.x[to]!, toY: fresh.y[to]!,
                radius: this.radius[i]!, colour: this.colour[i]!,
            });
        }
        return list;
    }

    /** Nothing is shown, and what comes next does not fly from here. */
    forget(): void {
        this.picture = null;
        this.leaving = [];
        this.progress = 1;
    }

    /** Puts a mark somewhere else. */
    put(mark: number, x: number, y: number): void {
        if (!this.picture || mark >= this.picture.marks) return;
        this.picture.x[mark] = this.fromX[mark] = this.x[mark] = x;
        this.picture.y[mark] = this.fromY[mark] = this.y[mark] = y;
    }

    /** Moves the marks to where they are at a time; true while they still fly. */
    advance(now: number): boolean {
        const picture = this.picture;
        if (!picture || this.progress === 1) return false;
        this.progress = Math.min(1, Math.max(0, (now - this.began) / FLIGHT));
        const t = ease(this.progress);
        for (let i = 0; i < picture.marks; i++) {
            this.x[i] = this.fromX[i]! + (picture.x[i]! - this.fromX[i]!) * t;
            this.y[i] = this.fromY[i]! + (picture.y[i]! - this.fromY[i]!) * t;
            this.radius[i] = this.fromRadius[i]! + (picture.radius[i]! - this.fromRadius[i]!) * t;
        }
        if (this.progress === 1) this.leaving = [];
        return this.progress < 1;
    }

    /** How much of a link is to be seen: new ones appear while the marks fly. */
    linkShows(link: number): boolean {
        return this.progress > 0.5 || this.settled[link] === 1;
    }
}

function settledLinks(old: Picture | null, fresh: Picture, origin: Int32Array | null): Uint8Array {
    const settled = new Uint8Array(fresh.links);
    if (!old || !origin) return settled;
    const key = (a: number, b: number) => Math.min(a, b) * old.marks + Math.max(a, b);
    const before = new Set<number>();
    for (let e = 0; e < old.links; e++) before.add(key(old.source[e]!, old.target[e]!));
    for (let e = 0; e < fresh.links; e++) {
        const a = origin[fresh.source[e]!]!, b = origin[fresh.target[e]!]!;
        settled[e] = a >= 0 && b >= 0 && (a === b || before.has(key(a, b))) ? 1 : 0;
    }
    return settled;
}

function coloursOf(picture: Picture, factor: number): string[] {
    const list: string[] = [];
    const part = (i: number) => Math.round(picture.fill[i]! * factor);
    for (let i = 0; i < picture.marks; i++) list.push(`rgb(${part(3 * i)},${part(3 * i + 1)},${part(3 * i + 2)})`);
    return list;
}
