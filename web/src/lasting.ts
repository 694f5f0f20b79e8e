// SPDX-License-Identifier: Apache-2.0
// What lasts while the cover gets coarser: bars of pieces and loops, and the same as tables.
import { drawing, element } from "./dom";
import { Persistence } from "./protocol";
import { GridRow, barWords, rankBars } from "./tower";
import { count } from "./words";

const WIDTH = 250, LEFT = 8, RIGHT = 30, STEP = 9;

export class PersistenceView {
    readonly root = element("section", { class: "lasting", "aria-label": "What lasts" });
    private list = element("div", {});
    private fresh: HTMLElement[] = [];

    begin(hasTowers: boolean, counts: boolean): void {
        this.fresh = [];
        const about = hasTowers
            ? "Each cover has half the intervals of the one before it, so that clusters go into clusters. A bar says from which to which a piece or a loop lasts: long bars are shape, short ones chance."
            : counts ? "Covers form no tower here: that takes equal lengths and the same number of intervals on every axis." : "Only covers of equal intervals form towers.";
        this.root.replaceChildren(element("h3", {}, "What lasts"), element("p", { class: "note" }, about), hasTowers ? legend() : "", this.list);
        if (!hasTowers) this.list.replaceChildren();
    }

    /** Adds a tower; what was shown before stays until all are there. */
    add(row: GridRow, persistence: Persistence): void {
        this.fresh.push(towerPart(row, persistence));
        if (this.fresh.length >= this.list.childElementCount) this.list.replaceChildren(...this.fresh);
    }

    refuse(row: GridRow, message: string): void {
        this.fresh.push(element("p", { class: "note" }, `Overlap ${row.words}: ${message}`));
    }

    end(): void {
        this.list.replaceChildren(...this.fresh);
    }
}

function legend(): HTMLElement {
    return element("p", { class: "note keys" }, element("i", { class: "piece" }), "piece", element("i", { class: "loop" }), "loop");
}

function towerPart(row: GridRow, persistence: Persistence): HTMLElement {
    const { steps } = persistence;
    const title = `${row.words ? `Overlap ${row.words}: ` : ""}${steps.map((step) => step.intervals).join(" → ")} intervals`;
    const line = (words: string, of: (step: Persistence["steps"][number]) => string) => element("tr", {}, element("th", { scope: "row" }, words), ...steps.map((step) => element("td", {}, of(step))));
    const table = element(
        "table", { class: "steps" }, element("caption", { class: "hidden" }, title),
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "intervals"), ...steps.map((step) => element("th", { scope: "col" }, count(step.intervals))))),
        element("tbody", {}, line("clusters", (step) => count(step.clusters)), line("pieces", (step) => count(step.b0)), line("loops", (step) => count(step.b1))),
    );
    const isTower = steps.every((step) => step.refines !== false);
    const bars = persistence.runs.map((run) => runPart(persistence, run));
    return element("article", {}, element("h4", {}, title), ...bars, table, !isTower && element("p", { class: "note" }, "Some clusters do not lie in one cluster of the next cover: bars end there."));
}

/** A series of covers without a gap: its bars drawn, and in words. */
function runPart({ steps }: Persistence, run: Persistence["runs"][number]): HTMLElement {
    const bars = rankBars(run.bars, run.last);
    const height = STEP * bars.length + 18, last = run.last - run.first;
    const x = (step: number) => LEFT + ((step - run.first) * (WIDTH - LEFT - RIGHT)) / Math.max(1, last);
    const plot = drawing("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "barcode", "aria-hidden": "true" });
    for (let step = run.first; step <= run.last; step++) {
        plot.append(drawing("path", { d: `M${x(step)} 0V${height - 14}`, class: "step" }));
        plot.append(drawing("text", { x: x(step), y: height - 3, "text-anchor": step === run.first ? "start" : "middle" }, count(steps[step]?.intervals ?? 0)));
    }
    bars.forEach((bar, k) => {
        const many = bar.count;
        const y = STEP * k + 6, to = bar.death === null ? WIDTH - RIGHT + 8 : x(bar.death);
        plot.append(drawing("path", { d: `M${x(bar.birth)} ${y}H${Math.max(x(bar.birth) + 2, to)}`, class: bar.dimension ? "loop" : "piece" }));
        if (many > 1) plot.append(drawing("text", { x: Math.min(WIDTH - 20, to + 4), y: y + 3 }, `×${count(many)}`));
    });
    const words = bars.map((bar) => element("li", {}, `${count(bar.count)} × ${barWords(bar, steps)}`));
    return element("div", {}, plot, element("ul", { class: "hidden" }, ...words), !run.loops_known && element("p", { class: "note" }, "Too large for loops: pieces alone."));
}
