// SPDX-License-Identifier: Apache-2.0
// Names in a drill-down: the best connected first, as many as fit without covering each other; of what is picked or lit alone
// while something is.
import { Camera } from "./camera";
import { NodeFrame } from "./drillbase";
import { Label, Named, placeLabels } from "./labels";
import { Palette } from "./paint";
import { Subgraph, neighboursOf } from "./subgraph";
import { plain } from "./words";

const FONT = '500 12px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif';
export const LINE = 15;
/** Nodes that may get a name at one time. */
const NAMED = 1200;
/** Names may lie over nodes, but not over those that are connected best. */
const BLOCKING = 24;

/** What is named: around one node that is picked, or of all that are lit; -1 and null: everything. */
export interface Focus {
    picked: number;
    lit: Uint8Array | null;
}

export class NodeLabels {
    private labels: Label[] = [];
    private named: number[] = [];
    /** What names were placed for. */
    private placed: { graph: Subgraph | null; camera: Camera } & Focus = { graph: null, camera: { x: 0, y: 0, scale: 1 }, picked: -1, lit: null };
    private readonly widths = new Map<string, number>();

    constructor(private readonly ctx: CanvasRenderingContext2D) {}

    /** They are placed again when they are painted next. */
    forget(): void {
        this.placed.graph = null;
        this.widths.clear();
    }

    paint(frame: NodeFrame, focus: Focus, palette: Palette, isQuick: boolean): void {
        const { ctx } = this, { graph, view } = frame;
        ctx.font = FONT;
        ctx.textBaseline = "middle";
        ctx.lineJoin = "round";
        if (this.needsPlaces(frame, focus, isQuick)) this.place(frame, focus);
        for (const label of this.labels) {
            const i = this.named[label.index]!, text = textOf(graph, i);
            if (!frame.sees(i)) continue;
            const x = Math.max(4, Math.min(view.width - this.widthOf(text) - 4, frame.px(i) + label.dx)), y = frame.py(i) + label.dy;
            const isCovered = x < view.covered.width && y < view.covered.height;
            // What is picked has a name even where the legend leaves no room at its usual place.
            if (!isCovered) this.word(text, x, y, graph.core[i] ? palette.ink : palette.soft, palette);
            else if (i === focus.picked) this.word(text, Math.max(view.covered.width, frame.px(i) + frame.radius(i) + 7), frame.py(i), palette.ink, palette);
        }
    }

    /** Names stay where they are while the view moves, unless there are few enough to place them in every frame. */
    private needsPlaces({ graph, camera }: NodeFrame, focus: Focus, isQuick: boolean): boolean {
        const { placed } = this;
        if (placed.graph !== graph || placed.picked !== focus.picked || placed.lit !== focus.lit) return true;
        const zoomed = Math.abs(Math.log(camera.scale / placed.camera.scale)) > 0.02;
        if (graph.nodes <= NAMED || focus.picked >= 0) return zoomed;
        const far = Math.hypot(camera.x - placed.camera.x, camera.y - placed.camera.y) * camera.scale > 60;
        return !isQuick && (zoomed || far);
    }

    private place(frame: NodeFrame, { picked, lit }: Focus): void {
        const { graph, camera, view } = frame;
        this.placed = { graph, camera: { ...camera }, picked, lit };
        this.named = picked >= 0 ? [picked, ...neighboursOf(graph, picked).slice(0, NAMED)] : candidates(frame, lit);
        const marks: Named[] = this.named.map((i) => {
            const text = textOf(graph, i);
            return { x: graph.x[i]! * camera.scale, y: -graph.y[i]! * camera.scale, radius: frame.radius(i), text, width: this.widthOf(text) };
        });
        // Where all nodes may be named, many of the names lie outside of a view that is zoomed.
        const room = (view.width * view.height) / 24_000, zoom = Math.max(1, camera.scale / view.fitScale);
        this.labels = placeLabels(marks, LINE, Math.round(Math.min(400, room * (graph.nodes <= NAMED ? zoom ** 1.6 : Math.min(4, zoom)))), BLOCKING);
    }

    private widthOf(text: string): number {
        let width = this.widths.get(text);
        if (width === undefined) this.widths.set(text, (width = this.ctx.measureText(text).width));
        return width;
    }

    private word(text: string, x: number, y: number, colour: string, palette: Palette): void {
        const { ctx } = this;
        ctx.lineWidth = 3.5;
        ctx.strokeStyle = palette.ground;
        ctx.strokeText(text, x, y);
        ctx.fillStyle = colour;
        ctx.fillText(text, x, y);
    }
}

/** Nodes that may get a name, the best connected first: all of them, or those in and near the view. */
function candidates(frame: NodeFrame, lit: Uint8Array | null): number[] {
    const { graph, view } = frame, slack = Math.max(view.width, view.height) / 3, list: number[] = [];
    for (let k = 0; k < graph.nodes && list.length < NAMED; k++) {
        const i = graph.order[k]!;
        if ((!lit || lit[i]) && (graph.nodes <= NAMED || frame.sees(i, slack))) list.push(i);
    }
    return list;
}

function textOf(graph: Subgraph, i: number): string {
    const text = plain(graph.info.names[i] ?? "");
    return text.length > 28 ? text.slice(0, 27) + "…" : text;
}
