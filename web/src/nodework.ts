// SPDX-License-Identifier: Apache-2.0
// What can be done with the nodes that are selected: they are drawn on their own, or mapped again as a graph of their own.
import { actionRow } from "./actions";
import { MapView } from "./canvas";
import { Drill } from "./drill";
import { NodeSet, setSettings } from "./nodeset";
import { Pins } from "./pins";
import { Settings } from "./protocol";
import { Picture } from "./scene";
import { Selecting } from "./selecting";
import { Which, namesNodes } from "./state";
import { Views } from "./views";
import { NOTHING_SELECTED, Voice } from "./voice";

export interface NodeParts {
    map: MapView;
    drill: Drill;
    views: Views;
    pins: Pins;
    selecting: Selecting;
    voice: Voice;
}

export interface NodeEars {
    picture(): Picture | null;
    /** These nodes become a graph of their own. */
    focus(settings: Settings): void;
}

export class NodeWork {
    /** The nodes are to be drawn, with so many hops around them, once there is a picture. */
    private wish: number | null = null;

    constructor(private readonly parts: NodeParts, private readonly ears: NodeEars) {}

    /** Draws the nodes of what is selected or under the cursor, or shows the map again. */
    toggle(): void {
        const { drill, map, selecting, voice } = this.parts;
        if (drill.isOpen) return drill.close();
        const { cursor, hover } = map.highlight, mark = cursor >= 0 ? cursor : hover;
        if (selecting.selection.kind === "none" && mark >= 0) selecting.pick(mark, false);
        const { set } = selecting;
        if (set) void this.draw(set);
        else voice.say(NOTHING_SELECTED);
    }

    /** Maps what is selected, or drawn, again. */
    mapAgain(): void {
        const { drill, selecting, voice } = this.parts;
        if (drill.isOpen) return drill.focusThese();
        const { set } = selecting, picture = this.ears.picture();
        const settings = set && picture ? setSettings(set, picture) : null;
        if (settings) this.ears.focus(settings);
        else voice.say(NOTHING_SELECTED);
    }

    /** The same as buttons, for the panel. */
    actions(set: NodeSet): HTMLElement {
        const { drill, pins } = this.parts, picture = this.ears.picture();
        const mark = set.kind === "clusters" && set.clusters.length === 1 ? picture?.markOf.get(set.clusters[0]!) ?? -1 : -1;
        return actionRow({
            showNodes: () => drill.open(set),
            mapAgain: () => this.ears.focus(setSettings(set, this.ears.picture()!) ?? {}),
            letGo: picture?.pinned[mark] ? () => pins.letGo(mark) : null,
        });
    }

    /** Draws a set, unless conditions that hold together leave no node of it. */
    private async draw(set: NodeSet, hops = this.parts.drill.hops): Promise<void> {
        const { drill, views, selecting, voice } = this.parts, { selection } = selecting, picture = this.ears.picture();
        try {
            const settings = set.kind === "nodes" || (set.kind === "clusters" && set.combine === "all") ? setSettings(set, picture!) : null;
            const isEmpty = settings !== null && (await views.total(settings)).total === 0;
            if (selection !== selecting.selection || picture !== this.ears.picture()) return;
            if (!isEmpty) return drill.open(set, hops);
            drill.close();
            voice.say("No node satisfies all of this.");
        } catch (error) {
            voice.fail(error);
        }
    }

    /** Something else is selected: the drawing follows. */
    follow(): void {
        const set = this.parts.drill.isOpen && this.parts.selecting.set;
        if (set) void this.draw(set);
    }

    /** Has the nodes drawn once there is a picture, with so many hops around them; null: not. */
    wishFor(hops: number | null): void {
        this.wish = hops;
    }

    /** There is a picture. */
    grant(): void {
        const { wish } = this, set = wish !== null && this.parts.selecting.set;
        if (set) void this.draw(set, wish!);
        this.wish = null;
    }

    /** Another lens: those of the conditions that go on to mean something hold again. */
    carry(had: Which, picture: Picture): void {
        const { drill, views, selecting } = this.parts;
        const hops = drill.about?.kind === "nodes" ? drill.hops : null;
        void views.carry(had).then((which) => {
            if (this.ears.picture() !== picture || selecting.selection.kind !== "none" || !namesNodes(which)) return;
            this.wish = hops;
            selecting.select({ kind: "nodes", which });
            this.grant();
        });
    }
}
