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

/** A matrix of a cluster: rows are classes, columns predictions. What is right stands on the diagonal. */
export function confusion(info: ClusterInfo, colourOf: (name: string) => string | null): HTMLElement {
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
    const dot = element("i", { class: "dot" });
    dot.style.background = colourOf(name) ?? "";
    return element("th", { scope, title: plain(name) }, dot, element("span", {}, plain(name)));
}

function cell(value: number, label: string, prediction: string, most: number): HTMLElement {
    const made = element("td", { title: `${count(value)} of class ${plain(label)} called ${plain(prediction)}` }, value ? count(value) : "·");
    if (label === prediction) made.className = "right";
    else if (value) made.style.setProperty("--share", String(0.12 + (0.6 * value) / most));
    return made;
}
