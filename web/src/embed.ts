// SPDX-License-Identifier: Apache-2.0
// Inside another page, as in a notebook, the page tells its parent what is selected (PROTOCOL.md, "Inside another page").
import { Engine } from "./engine";
import { allRows } from "./members";
import { NodeSet, setSettings } from "./nodeset";
import { MembersPage, Settings } from "./protocol";
import { Picture } from "./scene";

/** What the parent hears. */
export interface Told {
    type: "dgm-selection";
    /** The clusters by the numbers of the picture, and its settings. */
    clusters: number[];
    settings: Settings;
    /** The names of the nodes. */
    nodes: string[];
}

/** The parent, if it has written this page itself (srcdoc) and so knows all that is in it; null: nobody is told anything. */
export function parentOf(here: Window & typeof globalThis): Window | null {
    return here.parent !== here && here.location.href.startsWith("about:srcdoc") ? here.parent : null;
}

function clustersOf(set: NodeSet | null): number[] {
    if (set?.kind === "clusters") return set.clusters;
    return set?.kind === "link" ? [set.a, set.b] : [];
}

export class Teller {
    /** Counts what was to be told: an answer that comes after a newer question is dropped. */
    private turn = 0;
    private last = "";

    constructor(private readonly engine: Engine, private readonly parent: Window | null) {}

    /** Tells what is selected, once its nodes are known, unless it was told before. */
    async tell(picture: Picture, set: NodeSet | null): Promise<void> {
        if (!this.parent) return;
        const turn = ++this.turn;
        try {
            const nodes = await this.namesOf(picture, set);
            if (turn !== this.turn) return;
            const told: Told = { type: "dgm-selection", clusters: clustersOf(set), settings: picture.info.settings, nodes };
            const text = JSON.stringify(told);
            if (text !== this.last) this.parent.postMessage(told, "*"); // the parent of a srcdoc may have an opaque origin
            this.last = text;
        } catch {
            // Another picture has come meanwhile, and will tell what has become of the selection.
        }
    }

    private async namesOf(picture: Picture, set: NodeSet | null): Promise<string[]> {
        const which = set && setSettings(set, picture);
        if (!which) return [];
        const serial = String(picture.info.serial);
        const rows = await allRows(async (_, from, count) =>
            (await this.engine.ask<MembersPage>("members", { ...which, serial, from: String(from), count: String(count) })).json);
        return rows.map((row) => row.name);
    }
}
