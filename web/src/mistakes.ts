// SPDX-License-Identifier: Apache-2.0
// Truth against prediction: which classes a classifier takes for which.
import { element } from "./dom";
import { ClusterInfo } from "./protocol";
import { count, plain } from "./words";

export interface Mixup {
    label: string;
    prediction: string;
    count: number;
}

/** The classes that are mixed up most often, in one order for rows and columns. */
export function mixedClasses(mixups: Mixup[], most: number): string[] {
    const sums = new Map<string, number>();
    for (const { label, prediction, count: n } of mixups)
        for (const name of [label, prediction]) sums.set(name, (sums.get(name) ?? 0) + n);
    return [...sums].sort((a, b) => b[1] - a[1]).slice(0, most).map(([name]) => name);
}

/** What is taken for what in a cluster: a matrix, or a list where the engine names only the most frequent mistakes. */
export function confusion(info: ClusterInfo, colourOf: (name: string) => string | null): HTMLElement {
    const named = info.mixups.reduce((sum, one) => sum + one.count, 0);
    return named === info.mistakes ? matrix(info, colourOf) : mixupList(info.mixups, info.mistakes ?? named);
}

function mixupList(mixups: Mixup[], mistakes: number): HTMLElement {
    const rows = mixups.map((one) => {
        const fill = element("i", { class: "wrong" });
        fill.style.width = `${(100 * one.count) / Math.max(1, mistakes)}%`;
        return element("div", { class: "share" }, element("span", { class: "name" }, `${plain(one.label)} called ${plain(one.prediction)}`),
            element("span", { class: "count" }, count(one.count)), element("span", { class: "bar" }, fill));
    });
    return element("div", { class: "mixups" }, element("p", { class: "note" }, `Most frequent of ${count(mistakes)} mistakes`), ...rows);
}

/** Rows are classes, columns predictions. What is right stands on the diagonal. */
function matrix(info: ClusterInfo, colourOf: (name: string) => string | null): HTMLElement {
    const names = mixedClasses(info.mixups, 8);
    const at = (label: string, prediction: string) =>
        label === prediction
            ? rightOf(info, label)
            : info.mixups.find((one) => one.label === label && one.prediction === prediction)?.count ?? 0;
    const most = Math.max(1, ...info.mixups.map((one) => one.count));
    const head = element("tr", {}, element("th", { scope: "col" }, "class ↓ said →"), ...names.map((name) => heading(name, "col", colourOf)));
    const rows = names.map((label) =>
        element("tr", {}, heading(label, "row", colourOf), ...names.map((name) => cell(at(label, name), label, name, most))));
    return element("table", { class: "confusion" }, element("thead", {}, head), element("tbody", {}, ...rows));
}

/** Members of a class that were judged rightly: those that are there less those that were taken for others. */
function rightOf(info: ClusterInfo, label: string): number {
    const all = info.labels.find((one) => one.name === label)?.count ?? 0;
    return info.mixups.reduce((left, one) => (one.label === label ? left - one.count : left), all);
}

function heading(name: string, scope: "col" | "row", colourOf: (name: string) => string | null): HTMLElement {
    const colour = colourOf(name);
    const sign = colour ? element("i", { class: "dot" }) : element("b", {}, scope === "col" ? initials(name) : "");
    if (colour) sign.style.background = colour;
    return element("th", { scope, title: plain(name) }, sign, element("span", {}, plain(name)));
}

/** "Neural_Networks" as "NN". */
export function initials(name: string): string {
    const words = plain(name).split(/\s+/).filter(Boolean);
    return words.length > 1 ? words.map((word) => word[0]).join("").slice(0, 4) : plain(name).slice(0, 4);
}

function cell(value: number, label: string, prediction: string, most: number): HTMLElement {
    const made = element("td", { title: `${count(value)} of class ${plain(label)} called ${plain(prediction)}` }, value ? count(value) : "·");
    if (label === prediction) made.className = "right";
    else if (value) made.style.setProperty("--share", String(0.12 + (0.6 * value) / most));
    return made;
}
