// SPDX-License-Identifier: Apache-2.0
// Small charts: where a cluster lies on an axis of the lens, and how often classes occur in it.
import { drawing, element } from "./dom";
import { LensRange, Share } from "./protocol";
import { count, end, percent, plain, short } from "./words";

/** The nodes of the cluster against all nodes, bin by bin, to one scale. */
export function lensHistogram(range: LensRange, low: number, high: number): HTMLElement {
    const most = Math.max(1, ...range.all);
    const bins = range.all.length;
    const plot = drawing("svg", {
        viewBox: `0 0 ${bins * 4} 40`, preserveAspectRatio: "none", class: "histogram", role: "img",
        "aria-label": `${range.name}: from ${short(range.low)} to ${short(range.high)}, mean ${short(range.mean)}`,
    });
    const bar = (i: number, value: number, kind: string) => {
        const height = value > 0 ? Math.max(1, (40 * value) / most) : 0;
        plot.append(drawing("rect", { x: 4 * i + 0.25, y: 40 - height, width: 3.5, height, class: kind }));
    };
    range.all.forEach((value, i) => bar(i, value, "all"));
    range.inside.forEach((value, i) => bar(i, value, "inside"));
    return element(
        "figure", { class: "axis" },
        element("figcaption", {}, element("span", {}, range.name), element("span", { class: "count" }, `${short(range.low)} to ${short(range.high)}, mean ${short(range.mean)}`)),
        plot,
        element("div", { class: "ends" }, element("span", {}, end(low, low, high)), element("span", {}, end(high, low, high))),
    );
}

/** Shares of classes inside, with a tick where the whole graph stands. */
export function shareBars(shares: Share[], size: number, nodes: number, colourOf: (name: string) => string | null): HTMLElement {
    const rows = shares
        .filter((share) => share.count > 0)
        .sort((a, b) => b.count - a.count)
        .slice(0, 12)
        .map((share) => shareRow(share, size, nodes, colourOf(share.name)));
    return element("div", { class: "shares" }, ...rows);
}

function shareRow(share: Share, size: number, nodes: number, colour: string | null): HTMLElement {
    const fill = element("i", { class: "fill" }), tick = element("i", { class: "tick" });
    fill.style.width = `${(100 * share.count) / Math.max(1, size)}%`;
    if (colour) fill.style.background = colour;
    tick.style.left = `${(100 * share.all) / Math.max(1, nodes)}%`;
    return element(
        "div", { class: "share", title: `${count(share.count)} of ${count(size)} here; ${percent(share.all, nodes)} of the whole graph` },
        element("span", { class: "name" }, plain(share.name)), element("span", { class: "count" }, percent(share.count, size)),
        element("span", { class: "bar" }, fill, tick),
    );
}
