// SPDX-License-Identifier: Apache-2.0
// The whole graph, a part of it that is mapped as its own graph, a part of that: the way back, and what belongs to which.
import { element } from "./dom";
import { Start } from "./protocol";
import { counted, plain } from "./words";

export interface LevelEars {
    back(level: number): Promise<void>;
    /** Settings for this part, chosen anew. */
    choose(): Promise<void>;
    /** The graph that the program was started with. */
    home(): Promise<void>;
}

/** What the page remembers of the levels above the one that is shown. */
export class Trail<T> {
    private kept: T[] = [];

    /** Goes one level down, from one that is remembered. */
    down(level: number, state: T): void {
        this.kept = this.kept.slice(0, level);
        this.kept[level] = state;
    }

    /** Goes up to a level; null where nothing is remembered of it. */
    up(level: number): T | null {
        const state = this.kept[level] ?? null;
        this.kept = this.kept.slice(0, level);
        return state;
    }

    clear(): void {
        this.kept = [];
    }
}

/** Which graph an address is about: empty for the one that the program was started with. */
export function partOf(start: Start): string {
    const parts = (start.levels ?? []).slice(start.opened ? 0 : 1);
    return parts.map((level) => `${level.nodes}.${level.edges}`).join("-");
}

/** What an address says of a part; nothing where it is about another. */
export function addressOf(hash: string, part: string): string {
    const parts = new URLSearchParams(hash.replace(/^#/, ""));
    if ((parts.get("part") ?? "") !== part) return "";
    return hash.replace(/^#/, "").split("&").filter((piece) => !piece.startsWith("part=")).join("&");
}

/** The address of something within a part. */
export function addressWith(text: string, part: string): string {
    return part ? [`part=${part}`, ...(text ? [text] : [])].join("&") : text;
}

/** The way from the whole graph to what is shown, before the title. */
export function showLevels(title: HTMLElement, start: Start, ears: LevelEars): void {
    const levels = start.levels ?? [];
    const host = wayOf(title);
    const steps = levels.slice(0, -1).map((level, k) =>
        element("li", {}, element("button", { type: "button", title: `Back to ${plain(level.title)}: ${counted(level.nodes, "node")}, ${counted(level.edges, "edge")}`, onclick: () => void ears.back(k) }, plain(level.title))));
    const home = start.opened ? [element("li", {}, element("button", { type: "button", id: "go-home", title: "Back to the graph that the program was started with", onclick: () => void ears.home() }, "First graph"))] : [];
    host.replaceChildren(element("ol", {}, ...home, ...steps));
    host.hidden = steps.length + home.length === 0;
    title.textContent = plain(levels[levels.length - 1]?.title ?? start.title);
}

function wayOf(title: HTMLElement): HTMLElement {
    const before = title.previousElementSibling;
    if (before instanceof HTMLElement && before.id === "levels") return before;
    const made = element("nav", { id: "levels", "aria-label": "Way back to the whole graph" });
    title.before(made);
    return made;
}

/** Above the settings of a part: they are those of the whole until they are chosen anew. */
export function showChooser(reasons: HTMLElement, start: Start, ears: LevelEars): void {
    document.getElementById("part-settings")?.remove();
    if (!start.live || (start.levels?.length ?? 1) < 2) return;
    reasons.before(element(
        "section", { id: "part-settings", class: "group", "aria-label": "Settings of this part" },
        !start.reason && element("p", { class: "note" }, "This part has the lens of the whole graph."),
        element("button", { type: "button", class: "small", id: "choose", onclick: () => void ears.choose() }, "Choose settings for this part"),
    ));
}
