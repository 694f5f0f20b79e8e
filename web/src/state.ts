// SPDX-License-Identifier: Apache-2.0
// What the page shows: settings, lens, selection, camera. The address of the page holds it, and changes of the settings
// can be taken back.
import { Camera, readCamera, writeCamera } from "./camera";
import { Settings } from "./protocol";

export type Selection =
    | { kind: "none" }
    | { kind: "clusters"; clusters: number[] }
    | { kind: "link"; a: number; b: number }
    /** Nodes wherever they are: of a box of the lens, a field of mistakes, filters of columns, or all of these at once. */
    | { kind: "nodes"; which: Which };

/** Settings that name nodes, in the words of the protocol. */
export interface Which {
    box?: string;
    axes?: string;
    field?: string;
    where?: string;
}
export const WHICH = ["box", "axes", "field", "where"] as const;

/** What the panel shows while nothing is selected, and above nodes that are selected in it. */
export type Side = "none" | "list" | "bridges" | "mistakes" | "columns";

/** What can be taken back. */
export interface Choice {
    settings: Settings;
    lens: Settings;
}

export interface Address {
    settings: Settings;
    lens: Settings;
    selection: Selection;
    side: Side;
    split: boolean;
    /** Whether the view of the lens is open. */
    pane: boolean;
    camera: Camera | null;
    /** The nodes themselves are shown, with so many hops around them; null: they are not. */
    drill: number | null;
}

const SIDES: Side[] = ["list", "bridges", "mistakes", "columns"];

/** What an address says. One that names a lens is whole: settings that it leaves out are the defaults. Any other leaves
 * them as the page begins with them. */
export function readAddress(hash: string, begin: Choice, defaults: Settings, lensNames: Set<string>): Address {
    const parts = new URLSearchParams(hash.replace(/^#/, ""));
    const isWhole = parts.has("lens");
    const plain = Object.keys(begin.settings).map((name) => [name, defaults[name] ?? begin.settings[name]!]);
    const address: Address = {
        settings: isWhole ? Object.fromEntries(plain) : { ...begin.settings }, lens: isWhole ? {} : { ...begin.lens },
        selection: { kind: "none" }, side: "none", split: false, pane: false, camera: null, drill: null,
    };
    const which: Which = {};
    for (const [name, value] of parts) {
        if (name === "select") address.selection = readSelection(value);
        else if (name === "view") address.camera = readCamera(value);
        else if (name === "split") address.split = true;
        else if (name === "drill") address.drill = /^[0-3]$/.test(value) ? Number(value) : 0;
        else if (name === "pane") address.pane = true;
        else if (isWhich(name)) which[name] = value;
        else if (name === "side") address.side = SIDES.includes(value as Side) ? (value as Side) : "none";
        else if (lensNames.has(name)) address.lens[name] = value;
        else address.settings[name] = value;
    }
    if (address.selection.kind === "none" && namesNodes(which)) address.selection = { kind: "nodes", which };
    return address;
}

/** The address: empty while nothing was changed, and from then on all that is not a default, so that it means the same
 * wherever it is opened. */
export function writeAddress(now: Address, begin: Choice, defaults: Settings): string {
    const parts = new URLSearchParams();
    const { lens, settings } = now;
    const isNew = differ(lens, begin.lens) || differ(settings, begin.settings) || now.selection.kind !== "none";
    if (isNew) {
        for (const [name, value] of Object.entries(lens)) if (value) parts.set(name, value);
        for (const [name, value] of Object.entries(settings)) if (defaults[name] !== value) parts.set(name, value);
    }
    if (now.selection.kind === "clusters") parts.set("select", now.selection.clusters.join(","));
    if (now.selection.kind === "link") parts.set("select", `${now.selection.a}-${now.selection.b}`);
    if (now.selection.kind === "nodes") for (const name of WHICH) if (now.selection.which[name]) parts.set(name, now.selection.which[name]!);
    if (now.side !== "none") parts.set("side", now.side);
    if (now.split) parts.set("split", "1");
    if (now.drill !== null && now.selection.kind !== "none") parts.set("drill", String(now.drill));
    if (now.pane) parts.set("pane", "lens");
    if (now.camera) parts.set("view", writeCamera(now.camera));
    return parts.toString().replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%3D/g, "=").replace(/%3B/g, ";");
}

function isWhich(name: string): name is keyof Which {
    return (WHICH as readonly string[]).includes(name);
}

/** Whether any nodes are named. */
export function namesNodes(which: Which): boolean {
    return Boolean(which.box || which.field || which.where);
}

export function differ(a: Settings, b: Settings): boolean {
    return Object.keys({ ...a, ...b }).some((name) => (a[name] ?? "") !== (b[name] ?? ""));
}

function readSelection(text: string): Selection {
    const link = /^(\d+)-(\d+)$/.exec(text);
    if (link) return { kind: "link", a: Number(link[1]), b: Number(link[2]) };
    const clusters = text.split(",").filter((part) => /^\d+$/.test(part)).map(Number);
    return clusters.length ? { kind: "clusters", clusters } : { kind: "none" };
}

/** Changes of one setting that follow each other within this time are one step back. */
const TOGETHER = 900;

export class History {
    private readonly past: Choice[] = [];
    private future: Choice[] = [];
    private last = { what: "", when: -Infinity };

    constructor(private now: Choice) {}

    get current(): Choice {
        return this.now;
    }
    get canUndo(): boolean {
        return this.past.length > 0;
    }
    get canRedo(): boolean {
        return this.future.length > 0;
    }

    /** `what` was changed: steps of a slider that follow each other are one. */
    change(next: Choice, what: string, when: number): void {
        if (what !== this.last.what || when - this.last.when > TOGETHER) this.past.push(this.now);
        if (this.past.length > 200) this.past.shift();
        this.last = { what, when };
        this.now = next;
        this.future = [];
    }

    undo(): Choice {
        const back = this.past.pop();
        if (back) this.future.push(this.now), (this.now = back);
        this.last.what = "";
        return this.now;
    }

    redo(): Choice {
        const forth = this.future.pop();
        if (forth) this.past.push(this.now), (this.now = forth);
        this.last.what = "";
        return this.now;
    }
}
