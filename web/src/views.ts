// SPDX-License-Identifier: Apache-2.0
// What links the views: nodes that are selected by a box of the lens, a field of mistakes or filters light the marks of the
// map and the cells of the lens, each by its share; what is under the pointer in one view shows in the others.
import { ColumnCounts, ColumnsView } from "./columns";
import { byId } from "./dom";
import { Engine, EngineError } from "./engine";
import { Latest } from "./latest";
import { LensPane } from "./lenspane";
import { Confusion, MatrixView } from "./matrix";
import { ColumnsInfo, Member, MistakesInfo, SelectResult, Settings } from "./protocol";
import { Picture } from "./scene";
import { Selection, Which, namesNodes } from "./state";
import { settingsOf } from "./nodeset";
import { readWhere, sameFilters, writeWhere } from "./where";

export interface ViewsHost {
    picture(): Picture | null;
    selection(): Selection;
    select(selection: Selection): void;
    pick(marks: number[], adds: boolean): void;
    /** The lens has marks under the pointer, and the node if it is one; null: none. */
    light(marks: number[] | null, node: number | null): void;
    /** Lights marks alone for a moment. */
    lightMarks(marks: number[] | null): void;
    /** Lights marks as long as nodes are selected, by shares. */
    shares(shares: Float32Array | null): void;
    colourOf(name: string): string | null;
    tell(text: string): void;
    /** A question was refused, or came too late for its picture. */
    fail(error: unknown): void;
    readdress(): void;
}

export interface Hits {
    total: number;
    hits: Uint32Array;
}

/** Questions one after the other: one of the same name that comes too early would make the first stale. */
class Turns {
    private last: Promise<unknown> = Promise.resolve();
    run<T>(work: () => Promise<T>): Promise<T> {
        const next = this.last.then(work, work);
        this.last = next.catch(() => undefined);
        return next;
    }
}

/** Hits of marks as shares of their members. */
export function sharesOf(hits: ArrayLike<number>, size: ArrayLike<number>): Float32Array {
    return Float32Array.from({ length: size.length }, (_, i) => (size[i] ? Math.min(1, (hits[i] ?? 0) / size[i]!) : 0));
}

export class Views {
    readonly pane: LensPane;
    readonly columns: ColumnsView;
    readonly matrix: MatrixView;
    private readonly turns = { select: new Turns(), columns: new Turns() };
    private readonly drafts: Latest<Which, void>;
    private readonly hovers: Latest<Settings, void>;
    private memo: { key: string; hits: Promise<Hits> } | null = null;
    private hovered: Settings | null = null;

    constructor(private readonly engine: Engine, private readonly host: ViewsHost) {
        const fail = (error: unknown) => host.fail(error);
        this.pane = new LensPane(byId("lens-pane"), engine, {
            light: (marks, node) => host.light(marks, node),
            preview: (box) => (box ? this.preview(box) : this.settle()),
            region: (box) => this.put(box ?? { box: "", axes: "" }),
            pick: (marks, adds) => host.pick(marks, adds),
            tell: (text) => host.tell(text),
            fail,
            closed: () => (byId("open-lens").setAttribute("aria-pressed", "false"), host.readdress()),
        });
        this.columns = new ColumnsView({
            preview: (where) => this.preview({ where }), filter: (where) => this.put({ where }), hover: (where) => this.hoverSet(where === null ? null : { where }),
        });
        this.matrix = new MatrixView({
            pick: (field) => this.put({ field: field ?? "" }), hover: (field) => this.hoverSet(field === null ? null : { field }), colourOf: (name) => host.colourOf(name),
        });
        this.drafts = new Latest((which) => this.draw(which), { answer: () => undefined, fail, busy: () => undefined });
        this.hovers = new Latest((which) => this.lightSet(which), { answer: () => undefined, fail, busy: () => undefined });
    }

    togglePane(open = !this.pane.isOpen): void {
        this.pane.toggle(open);
        byId("open-lens").setAttribute("aria-pressed", String(this.pane.isOpen));
        this.host.readdress();
    }

    /** Another picture is shown. Settled when the lens has followed. */
    follow(picture: Picture, isNewest: boolean): Promise<void> {
        this.memo = null;
        return this.pane.follow(picture, isNewest);
    }

    /** Another graph: what was known is about the last. */
    forget(): void {
        this.memo = null;
        this.hovered = null;
        this.pane.forget();
        this.columns.forget();
    }

    // ---- nodes that are selected ----

    private which(): Which {
        const selection = this.host.selection();
        return selection.kind === "nodes" ? selection.which : {};
    }

    /** Adds to what is selected: all conditions hold together. An empty text takes one away. */
    put(part: Which): void {
        const which = settingsOf({ ...this.which(), ...part }) as Which;
        this.host.select(namesNodes(which) ? { kind: "nodes", which } : { kind: "none" });
    }

    /** Marks and nodes of a selection; asked once for each picture. */
    hits(which: Which): Promise<Hits> {
        const picture = this.host.picture()!;
        const settings = { serial: String(picture.info.serial), ...settingsOf(which) };
        const key = JSON.stringify(settings);
        if (this.memo?.key === key) return this.memo.hits;
        const memo = (this.memo = { key, hits: this.turns.select.run(() => this.askHits(settings)) });
        memo.hits.catch(() => this.memo === memo && (this.memo = null));
        return memo.hits;
    }

    /** How many nodes settings name. */
    total(which: Settings): Promise<Hits> {
        return this.turns.select.run(() => this.askHits({ serial: String(this.host.picture()!.info.serial), ...which }));
    }

    private async askHits(settings: Settings): Promise<Hits> {
        const { json, arrays } = await this.engine.ask<SelectResult>("select", settings);
        return { total: json.total, hits: arrays["hits"] as Uint32Array };
    }

    /** The selection has changed: it is lit everywhere. */
    async selected(selection: Selection): Promise<void> {
        const picture = this.host.picture();
        // What was under the pointer may be gone without having said so.
        this.hovered = null;
        this.pane.hoverPlace(null);
        if (!picture) return;
        if (selection.kind !== "nodes") return this.show(picture, selection.kind === "clusters" ? marksOf(picture, selection.clusters) : null, null);
        try {
            const { hits } = await this.hits(selection.which);
            if (this.host.selection() === selection && this.host.picture() === picture) this.show(picture, sharesOf(hits, picture.size), selection.which);
        } catch (error) {
            // Conditions that the engine does not know, as from an address, select nothing.
            if (error instanceof EngineError && error.status === 400 && this.host.selection() === selection) this.host.select({ kind: "none" });
            this.host.fail(error);
        }
    }

    /** The same conditions through another lens, which has other columns: a box of the old one means nothing in it. */
    async carry(which: Which): Promise<Which> {
        const { columns } = this.columns, filters = readWhere(which.where);
        const field = which.field ? { field: which.field } : {};
        if (!filters.length) return field;
        try {
            const counts = await this.askColumns({});
            this.columns.update(counts, {});
            const where = writeWhere(sameFilters(filters, columns, counts.info.columns));
            return where ? { ...field, where } : field;
        } catch {
            return field;
        }
    }

    private show(picture: Picture, lit: Float32Array | null, which: Which | null): void {
        if (picture !== this.host.picture()) return;
        this.host.shares(which ? lit : null);
        this.pane.select(which, lit, true);
    }

    /** A brush is being drawn: what it would select is lit at once. */
    private preview(part: Which): void {
        this.drafts.want(settingsOf({ ...this.which(), ...part }) as Which);
    }

    private async draw(which: Which): Promise<void> {
        const picture = this.host.picture();
        if (!picture) return;
        const settings = { serial: String(picture.info.serial), ...settingsOf(which) };
        const { hits } = await this.turns.select.run(() => this.askHits(settings));
        this.show(picture, sharesOf(hits, picture.size), which);
        if (this.columns.root.isConnected) this.columns.update(await this.askColumns(which), which);
    }

    private settle(): void {
        void this.selected(this.host.selection());
    }

    // ---- what the panel asks ----

    askColumns(which: Which): Promise<ColumnCounts> {
        const settings = { serial: String(this.host.picture()!.info.serial), ...(namesNodes(which) ? settingsOf(which) : {}) };
        return this.turns.columns.run(async () => {
            const { json, arrays } = await this.engine.ask<ColumnsInfo>("columns", settings);
            return { info: json, all: arrays["all"] as Uint32Array, inside: (arrays["inside"] as Uint32Array | undefined) ?? null };
        });
    }

    async askMistakes(): Promise<Confusion> {
        const { json, arrays } = await this.engine.ask<MistakesInfo>("mistakes", { serial: String(this.host.picture()!.info.serial) });
        return { info: json, matrix: arrays["matrix"] as Uint32Array };
    }

    // ---- what is under the pointer ----

    /** A node of a table: its clusters and its place on the lens. */
    hoverNode(member: Member | null): void {
        this.pane.hoverPlace(member?.lens ?? null);
        this.hoverSet(member ? { nodes: String(member.node) } : null);
    }

    /** Nodes under the pointer: the marks that hold them are lit until it leaves. */
    private hoverSet(which: Settings | null): void {
        this.hovered = which;
        if (which) this.hovers.want(which);
        else this.host.lightMarks(null);
    }

    private async lightSet(which: Settings): Promise<void> {
        const picture = this.host.picture();
        if (!picture || which !== this.hovered) return;
        const { hits } = await this.turns.select.run(() => this.askHits({ serial: String(picture.info.serial), ...which }));
        if (which !== this.hovered || picture !== this.host.picture()) return;
        this.host.lightMarks([...hits.keys()].filter((mark) => hits[mark]));
    }
}

function marksOf(picture: Picture, clusters: number[]): Float32Array {
    const lit = new Float32Array(picture.marks);
    for (const cluster of clusters) lit[picture.markOf.get(cluster) ?? -1] = 1;
    return lit;
}
