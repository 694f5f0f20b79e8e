// SPDX-License-Identifier: Apache-2.0
// The conditions that nodes are selected by, in words, each of which can be taken away.
import { element } from "./dom";
import { readRegion } from "./lensdata";
import { Axis, Column } from "./protocol";
import { Which } from "./state";
import { filterWords, readWhere, withFilter, writeWhere } from "./where";
import { plain, short } from "./words";

export interface Chip {
    words: string;
    /** What takes it away. */
    without: Which;
}

export function chipsOf(which: Which, columns: Column[], classes: string[], axes: Axis[]): Chip[] {
    const chips: Chip[] = [];
    const region = readRegion(which);
    if (region) {
        const part = ([low, high]: [number, number], k: number) => `${plain(axes[region.axes[k]!]?.name ?? "lens")} ${short(low)} to ${short(high)}`;
        chips.push({ words: `Lens: ${region.ends.map(part).join(", ")}`, without: { box: "", axes: "" } });
    }
    const field = which.field?.split(",").map((i) => plain(classes[Number(i)] ?? `class ${i}`));
    if (field?.length === 2) chips.push({ words: field[0] === field[1] ? `${field[0]}, rightly called so` : `${field[0]} called ${field[1]}`, without: { field: "" } });
    const filters = readWhere(which.where);
    for (const one of filters) chips.push({ words: filterWords(one, columns), without: { where: writeWhere(withFilter(filters, one.column, null)) } });
    return chips;
}

export function chipRow(chips: Chip[], put: (without: Which) => void, clear: () => void): HTMLElement {
    const made = chips.map(({ words, without }) => element("li", {},
        element("button", { type: "button", class: "chip", title: `${words}: click to take this away`, onclick: () => put(without) }, element("span", { class: "name" }, words), element("span", { "aria-hidden": "true" }, "×"))));
    return element("ul", { class: "chips", "aria-label": "Selected by" }, ...made,
        element("li", {}, element("button", { type: "button", class: "small", id: "clear-selection", onclick: clear }, "Clear all")));
}
