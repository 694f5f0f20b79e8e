// SPDX-License-Identifier: Apache-2.0
// What can be done with the nodes that a panel is about.
import { element } from "./dom";

export interface ActionEars {
    showNodes(): void;
    mapAgain(): void;
    /** Lets a pinned mark go; null: it is not pinned. */
    letGo: (() => void) | null;
}

export function actionRow(ears: ActionEars): HTMLElement {
    const button = (id: string, words: string, help: string, run: () => void) => element("button", { type: "button", class: "small", id, title: help, onclick: run }, words);
    return element(
        "div", { class: "actions", role: "group", "aria-label": "These nodes" },
        button("show-nodes", "Show the nodes", "The graph between these nodes, drawn on its own (N)", ears.showNodes),
        button("map-again", "Map these again", "These nodes as a graph of their own (R)", ears.mapAgain),
        ears.letGo && button("let-go", "Let go", "The mark stays where it was put; let it move again (P)", ears.letGo),
    );
}
