// SPDX-License-Identifier: Apache-2.0
// What is written around the map: the name of the graph, the legend, notes, and which half is which.
import { byId, element } from "./dom";
import { LevelEars, showChooser, showLevels } from "./levels";
import { LegendEars, showLegend } from "./legend";
import { Start } from "./protocol";
import { Picture } from "./scene";
import { counted } from "./words";

export function showHeadline(start: Start, ears: LevelEars): void {
    document.title = `${start.title} – dgm`;
    showLevels(byId("title"), start, ears);
    showChooser(byId("reasons"), start, ears);
    byId("subtitle").textContent = `${counted(start.nodes, "node")}, ${counted(start.edges, "edge")}`;
    byId("open-mistakes").hidden = !start.predictions;
}

export function showLegendOf(picture: Picture, ears: LegendEars): void {
    const { settings, legend } = picture.info;
    const structural = settings["edges"] === "structural";
    const weighed = (settings["weights"] ?? "none") !== "none";
    const widths = structural ? "graph edges between" : weighed ? "shared weight" : "shared nodes";
    showLegend(byId("legend"), legend, weighed ? "weighted members" : "nodes", widths, picture.pile.some(Boolean), picture.pinned.some(Boolean), ears);
}

export function showNotes(notes: string[]): void {
    const host = byId("notes");
    host.hidden = notes.length === 0;
    host.replaceChildren(element("h2", {}, "Notes"), ...notes.map((note) => element("p", { class: "about" }, note)));
}

/** Truth and prediction stand side by side, or not. */
export function showSplit(isSplit: boolean): void {
    byId("stage").classList.toggle("split", isSplit);
    for (const id of ["caption-left", "caption-right"]) byId(id).hidden = !isSplit;
}
