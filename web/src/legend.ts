// SPDX-License-Identifier: Apache-2.0
// What colours, sizes and widths say. A class of the legend lights its clusters.
import { drawing, element } from "./dom";
import { ClassLegend, Legend, RampLegend, SquareLegend } from "./protocol";
import { count, counted, end, plain, short } from "./words";

export interface LegendEars {
    /** A class under the pointer or the focus; null: none. */
    light(entry: { colour: string; shape: number } | null): void;
    select(entry: { colour: string; shape: number }): void;
}

export function showLegend(host: HTMLElement, legend: Legend | null, sizes: string, widths: string, hasPiles: boolean, hasPins: boolean, ears: LegendEars): void {
    host.replaceChildren(
        ...legendParts(legend, "mark", ears),
        element(
            "p", { class: "sizes" },
            drawing("svg", { viewBox: "0 0 30 14", width: 30, height: 14, "aria-hidden": "true" },
                drawing("circle", { cx: 4, cy: 7, r: 2.5 }), drawing("circle", { cx: 14, cy: 7, r: 5.5 })),
            `size: ${sizes}`,
        ),
        element(
            "p", { class: "sizes" },
            drawing("svg", { viewBox: "0 0 30 14", width: 30, height: 14, "aria-hidden": "true" },
                drawing("path", { d: "M2 4h24", "stroke-width": 1 }), drawing("path", { d: "M2 10h24", "stroke-width": 4 })),
            `width: ${widths}`,
        ),
        ...(hasPiles ? [pileRow()] : []),
        ...(hasPins ? [pinRow()] : []),
    );
}

function pileRow(): HTMLElement {
    const grains = [[6, 9], [12, 9], [9, 4.5]].map(([cx, cy]) => drawing("circle", { cx: cx!, cy: cy!, r: 1, class: "grain" }));
    return element(
        "p", { class: "sizes" },
        drawing("svg", { viewBox: "0 0 30 14", width: 30, height: 14, "aria-hidden": "true" },
            drawing("circle", { cx: 9, cy: 7, r: 6.2, class: "pile" }), ...grains),
        "dust: small clusters, folded",
    );
}

function pinRow(): HTMLElement {
    return element(
        "p", { class: "sizes" },
        drawing("svg", { viewBox: "0 0 30 14", width: 30, height: 14, "aria-hidden": "true" }, drawing("path", { d: "M9 12L13 5", class: "needle" }), drawing("circle", { cx: 13.5, cy: 4, r: 3, class: "grain" })),
        "pinned: stays where it was put",
    );
}

/** What colours say. `noun`: what has them. */
export function legendParts(legend: Legend | null, noun: string, ears: LegendEars): HTMLElement[] {
    if (!legend) return [];
    const body = legend.kind === "classes" ? classes(legend, noun, ears) : legend.kind === "ramp" ? ramp(legend, noun) : square(legend);
    return [element("h2", {}, plain(legend.title)), ...body];
}

function classes(legend: ClassLegend, noun: string, ears: LegendEars): HTMLElement[] {
    const rows = legend.entries.map((entry) =>
        element(
            "li", {},
            element(
                "button", {
                    type: "button", class: "entry", title: `Show where ${plain(entry.name)} is; a click ${noun === "mark" ? "selects these clusters" : "keeps them lit"}`, onclick: () => ears.select(entry),
                    onpointerenter: () => ears.light(entry), onpointerleave: () => ears.light(null),
                    onfocus: () => ears.light(entry), onblur: () => ears.light(null),
                },
                swatch(entry.colour, entry.shape), element("span", { class: "name" }, plain(entry.name)),
                element("span", { class: "count" }, count(entry.members)),
            ),
        ),
    );
    return [element("ul", {}, ...rows)];
}

export function swatch(colour: string, shape: number): SVGSVGElement {
    const form = shape === 1
        ? drawing("rect", { x: 2, y: 2, width: 10, height: 10 })
        : shape === 2 ? drawing("path", { d: "M7 0.5L13.5 7 7 13.5 0.5 7z" }) : drawing("circle", { cx: 7, cy: 7, r: 5.5 });
    form.style.fill = colour;
    return drawing("svg", { viewBox: "0 0 14 14", width: 14, height: 14, class: "swatch", "aria-hidden": "true" }, form);
}

function ramp(legend: RampLegend, noun: string): HTMLElement[] {
    const bar = drawing("svg", { viewBox: "0 0 32 1", preserveAspectRatio: "none", class: "ramp", "shape-rendering": "crispEdges", "aria-hidden": "true" });
    rampColours(legend, 32).forEach((colour, i) => {
        const part = drawing("rect", { x: i, y: 0, width: 1, height: 1 });
        part.style.fill = colour;
        bar.append(part);
    });
    const isInside = legend.middle !== null && legend.middle > legend.low && legend.middle < legend.high;
    const middle = isInside ? [element("span", {}, short(legend.middle!))] : [];
    const ends = element("div", { class: "ends" }, element("span", {}, end(legend.low, legend.low, legend.high)), ...middle, element("span", {}, end(legend.high, legend.low, legend.high)));
    const unknown = legend.unknown ? [element("p", { class: "sizes" }, `${counted(legend.unknown, noun)} without a value`)] : [];
    return [element("div", {}, bar, ends), ...unknown];
}

/** The colours from low to high, in even steps of the value. A middle has the colour in the middle of the colormap, wherever
 * it lies between the ends. */
export function rampColours(legend: RampLegend, steps: number): string[] {
    const { low, high, colours } = legend;
    const middle = legend.middle === null || high <= low ? 0.5 : (legend.middle - low) / (high - low);
    const place = (share: number) => (share < middle ? (0.5 * share) / middle : 0.5 + (0.5 * (share - middle)) / (1 - middle));
    return Array.from({ length: steps }, (_, i) => {
        const at = Math.floor(place((i + 0.5) / steps) * colours.length);
        return colours[Math.max(0, Math.min(colours.length - 1, at))] ?? "#888888";
    });
}

function square(legend: SquareLegend): HTMLElement[] {
    const rows = legend.colours.length;
    const plot = drawing("svg", { viewBox: "0 0 8 8", class: "square", "shape-rendering": "crispEdges", "aria-hidden": "true" });
    legend.colours.forEach((row, y) =>
        row.forEach((colour, x) => {
            const part = drawing("rect", { x, y: rows - 1 - y, width: 1, height: 1 });
            part.style.fill = colour;
            plot.append(part);
        }),
    );
    const words = [0, 1].map((k) => {
        const [low, high] = [legend.low[k]!, legend.high[k]!];
        return element("p", { class: "sizes" }, `${k ? "↑" : "→"} ${plain(legend.axes[k]!)}: ${end(low, low, high)} to ${end(high, low, high)}`);
    });
    return [element("div", { class: "two" }, plot, element("div", {}, ...words))];
}
