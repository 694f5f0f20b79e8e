// SPDX-License-Identifier: Apache-2.0
// What is selected, and what the panel lists while nothing is: here it changes, and everybody who shows it is told.
import { MapView } from "./canvas";
import { byId, later } from "./dom";
import { Teller } from "./embed";
import { linkBetween } from "./follow";
import { Inspector } from "./inspector";
import { Lights } from "./lights";
import { NodeSet } from "./nodeset";
import { Panel } from "./panel";
import { linkAt, wantedMarks, withMark, withMarks } from "./picking";
import { Picture } from "./scene";
import { Selection, Side } from "./state";
import { Tooltip } from "./tooltip";
import { Views } from "./views";
import { Voice } from "./voice";
import { counted } from "./words";

/** Who shows what is selected. */
export interface SelectionParts {
    map: MapView;
    lights: Lights;
    views: Views;
    panel: Panel;
    inspector: Inspector;
    tooltip: Tooltip;
    /** Tells it to the page around this one. */
    teller: Teller;
    voice: Voice;
}

export interface SelectingEars {
    picture(): Picture | null;
    /** A picture is under way, and the panel waits for it. */
    isBusy(): boolean;
    /** Something else is selected. */
    changed(): void;
}

/** Buttons that open a list. */
const SIDES = [["open-list", "list"], ["open-bridges", "bridges"], ["open-mistakes", "mistakes"], ["open-columns", "columns"]] as const;

export class Selecting {
    private now: Selection = { kind: "none" };
    private aside: Side = "none";

    constructor(private readonly parts: SelectionParts, private readonly ears: SelectingEars) {}

    get selection(): Selection {
        return this.now;
    }

    /** What the panel lists while nothing is selected, and above nodes that are selected in it. */
    get side(): Side {
        return this.aside;
    }

    /** The nodes of what is selected, or null where nothing is. */
    get set(): NodeSet | null {
        return this.parts.inspector.setOf(this.now);
    }

    /** Begins with what an address says; the next picture will show it. */
    begin(selection: Selection, side: Side): void {
        this.now = selection;
        this.aside = side;
    }

    /** Another picture, in which this is what was selected before. */
    follow(heir: Selection): void {
        this.now = heir;
    }

    select(selection: Selection): void {
        const { map, lights, tooltip } = this.parts;
        const empty = selection.kind === "clusters" && selection.clusters.length === 0;
        this.now = empty ? { kind: "none" } : selection;
        lights.setShares(null);
        if (selection.kind !== "none") byId("hint").hidden = true;
        tooltip.hide();
        void this.show();
        this.ears.changed();
        if (selection.kind === "clusters" && selection.clusters.length === 1)
            map.reveal(this.ears.picture()?.markOf.get(selection.clusters[0]!) ?? -1);
    }

    // ---- what is picked in a picture ----

    pick(mark: number, adds: boolean): void {
        this.select(withMark(this.now, this.ears.picture()!, mark, adds));
    }

    pickMany(marks: number[], adds: boolean): void {
        const selection = withMarks(this.now, this.ears.picture()!, marks, adds);
        this.select(selection);
        this.parts.voice.announce(`${counted(selection.clusters.length, "cluster")} selected`);
    }

    pickWanted(wanted: Uint8Array): void {
        this.select(wantedMarks(this.ears.picture()!, wanted));
    }

    pickLink(link: number): void {
        this.select(linkAt(this.ears.picture()!, link));
    }

    // ---- the panel ----

    /** Opens a list, or closes it where it is open. */
    openSide(side: Side): void {
        this.aside = this.isOpen(side) ? "none" : side;
        this.select({ kind: "none" });
    }

    /** Closes the panel; false where it was not open. */
    close(): boolean {
        const { panel } = this.parts, wasOpen = panel.isOpen;
        if (this.now.kind === "none") this.aside = "none";
        this.select({ kind: "none" });
        if (wasOpen && !panel.isOpen) byId("map").focus({ preventScroll: true });
        return wasOpen;
    }

    private isOpen(side: Side): boolean {
        return this.aside === side && ["none", "nodes"].includes(this.now.kind);
    }

    // ---- showing it ----

    /** Shows what is selected everywhere. Settled when it is lit. */
    async show(): Promise<void> {
        const picture = this.ears.picture();
        if (!picture) return;
        const { lights, views, panel } = this.parts;
        lights.show(null);
        this.showOnMap(picture);
        const lit = views.selected(this.now);
        for (const [id, side] of SIDES) byId(id).setAttribute("aria-pressed", String(this.isOpen(side)));
        if (this.now.kind === "none" && this.aside === "none") panel.close();
        this.showPanelSoon();
        this.tellSoon();
        await lit;
    }

    private showOnMap(picture: Picture): void {
        const { map } = this.parts, { now } = this;
        const marks = now.kind === "clusters" ? now.clusters.map((cluster) => picture.markOf.get(cluster) ?? -1) : [];
        map.highlight.selected = new Set(marks.filter((mark) => mark >= 0));
        map.highlight.selectedLink = now.kind === "link" ? linkBetween(picture, now.a, now.b) : -1;
        map.redraw();
    }

    readonly tellSoon = later(60, () => {
        const picture = this.ears.picture();
        if (picture && !this.ears.isBusy()) void this.parts.teller.tell(picture, this.set);
    });

    readonly showPanelSoon = later(30, () => {
        const picture = this.ears.picture();
        if (picture && !this.ears.isBusy()) void this.parts.inspector.show(picture, this.now, this.aside);
    });
}
