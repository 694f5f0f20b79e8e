// SPDX-License-Identifier: Apache-2.0
// The panel at the right: who is in a cluster and why. The frame, and what is said of one cluster.
import { element, icon } from "./dom";
import { lensHistogram, shareBars } from "./histogram";
import { confusion } from "./mistakes";
import { ClusterInfo, Difference, Neighbour } from "./protocol";
import { count, counted, percent, plain, short } from "./words";

export class Panel {
    private readonly title: HTMLElement;
    private readonly subtitle: HTMLElement;
    private readonly body: HTMLElement;
    /** What is shown, so that the same does not jump back to its top. */
    private shown = "";
    /** Whether what had the focus is gone. */
    lost = false;

    constructor(private readonly host: HTMLElement, close: () => void) {
        this.title = element("h2", { id: "panel-title", tabindex: -1 });
        this.subtitle = element("p", { class: "subtitle" });
        this.body = element("div", { class: "body" });
        host.append(
            element(
                "header", {}, element("div", {}, this.title, this.subtitle),
                element("button", { type: "button", class: "plain", "aria-label": "Close the panel", title: "Close (Esc)", id: "panel-close", onclick: close }, icon("close")),
            ),
            this.body,
        );
    }

    get isOpen(): boolean {
        return !this.host.hidden;
    }

    show(key: string, title: string, subtitle: string, ...parts: (HTMLElement | null)[]): void {
        const top = key === this.shown ? this.body.scrollTop : 0;
        this.shown = key;
        this.title.textContent = title;
        this.subtitle.textContent = subtitle;
        const shown = parts.filter((part): part is HTMLElement => part !== null);
        // Elements that stay are not taken out for a moment: they would lose the focus.
        this.lost = this.body.contains(document.activeElement);
        if (shown.length !== this.body.children.length || shown.some((part, k) => part !== this.body.children[k])) this.body.replaceChildren(...shown);
        this.lost = this.lost && !this.body.contains(document.activeElement);
        this.host.hidden = false;
        this.body.scrollTop = top;
    }

    close(): void {
        this.host.hidden = true;
        this.shown = "";
        this.body.replaceChildren();
    }

    focus(): void {
        this.title.focus();
    }
}

export function block(title: string, hint: string, ...parts: (HTMLElement | string | null)[]): HTMLElement {
    const shown = parts.filter((part): part is HTMLElement | string => part !== null);
    return element("section", { class: "block" }, element("h3", { title: hint }, title), ...shown);
}

export interface ClusterContext {
    nodes: number;
    axes: { low: number; high: number }[];
    colourOf(name: string): string | null;
    open(cluster: number): void;
    openLink(a: number, b: number): void;
}

/** Buttons that lead to the blocks of the panel, which is long: the farthest first. */
export function blockLinks(parts: (HTMLElement | null)[]): HTMLElement {
    const blocks = parts.filter((part): part is HTMLElement => part?.classList.contains("block") ?? false);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const go = (part: HTMLElement) => part.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
    const button = (part: HTMLElement) => element("button", { type: "button", onclick: () => go(part) }, part.querySelector("h3")?.textContent ?? "");
    return element("nav", { class: "jumps", "aria-label": "Parts of this panel" }, ...blocks.reverse().map(button));
}

/** What is known of a cluster, without its table of members. */
export function clusterParts(info: ClusterInfo, context: ClusterContext): (HTMLElement | null)[] {
    return [
        facts(info, context),
        info.labels.length ? block("Classes", "Bars: share of these nodes. Ticks: share of the whole graph", shareBars(info.labels, info.size, context.nodes, context.colourOf), tickNote()) : null,
        mistakesBlock(info, context),
        differences(info.differences, info.labels.length > 0),
        info.lens.length ? block("On the lens", "Coloured: these nodes. Grey: all nodes", ...info.lens.map((range, k) => lensHistogram(range, context.axes[k]?.low ?? range.low, context.axes[k]?.high ?? range.high))) : null,
        neighbours(info, context),
    ];
}

function tickNote(): HTMLElement {
    return element("p", { class: "note" }, element("i", { class: "tick-sample" }), "share in the whole graph");
}

function facts(info: ClusterInfo, context: ClusterContext): HTMLElement {
    const rows: [string, string][] = [["Nodes", `${count(info.size)} (${percent(info.size, context.nodes)} of the graph)`]];
    if (info.hubs.length) rows.push(["Best connected", info.hubs.slice(0, 4).map(plain).join(", ")]);
    if (info.mistakes !== null && info.judged) rows.push(["Mistakes", `${count(info.mistakes)} of ${count(info.judged)} judged (${percent(info.mistakes, info.judged)})`]);
    return element("dl", { class: "facts" }, ...rows.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
}

function mistakesBlock(info: ClusterInfo, context: ClusterContext): HTMLElement | null {
    if (!info.predictions.length) return null;
    const bars = shareBars(info.predictions, info.size, context.nodes, context.colourOf);
    const matrix = info.mixups.length ? confusion(info, context.colourOf) : null;
    return block("Predictions", "What the classifier says of these nodes", bars, matrix);
}

/** Differences that are shown at once. */
const FEW = 5;

function differences(list: Difference[], hasLabels: boolean): HTMLElement | null {
    const rows = list.filter((row) => !(hasLabels && row.kind === "class"));
    if (!rows.length) return null;
    const seen = rows.some((row) => row.lens);
    return block(
        "What stands out", "Columns in which these nodes differ most from all others",
        element("div", {}, ...rows.slice(0, FEW).map(differenceRow)),
        rows.length > FEW ? element("details", {}, element("summary", {}, counted(rows.length - FEW, "more", "more")), ...rows.slice(FEW).map(differenceRow)) : null,
        element("p", { class: "note" }, `Descriptive: clusters were made from this graph.${seen ? " ◦ the lens saw this column." : ""}`),
    );
}

function differenceRow(row: Difference): HTMLElement {
    const share = row.kind !== "number";
    const say = (value: number) => (share ? percent(value, 1) : short(value));
    const bar = (value: number, kind: string) => {
        const fill = element("i", { class: kind });
        fill.style.width = `${100 * value}%`;
        return element("span", { class: "bar" }, fill);
    };
    const column = row.column ?? (row.kind === "feature" ? `feature ${row.number ?? ""}` : "");
    const name = [column, row.text].filter(Boolean).map((part) => plain(part!)).join(": ");
    return element(
        "div", { class: "difference", title: `here ${say(row.inside)}, elsewhere ${say(row.outside)}; effect ${short(row.delta)}, q = ${short(row.q)}` },
        element("span", { class: "name" }, name, row.lens ? " ◦" : ""),
        element("span", { class: "count" }, `${say(row.inside)} here, ${say(row.outside)} elsewhere`),
        share && bar(row.inside, "fill"), share && bar(row.outside, "other"),
    );
}

function neighbours(info: ClusterInfo, context: ClusterContext): HTMLElement | null {
    if (!info.neighbours.length) return null;
    const own = info.cluster;
    if (own === null) return null;
    const rows = info.neighbours.slice(0, 30).map((one) => neighbourRow(own, one, context));
    const rest = info.neighbours.length - rows.length;
    return block("Neighbours", "Clusters that a link leads to", element("ul", { class: "links" }, ...rows), rest > 0 ? element("p", { class: "note" }, `and ${counted(rest, "more", "more")}`) : null);
}

function neighbourRow(own: number, one: Neighbour, context: ClusterContext): HTMLElement {
    return element(
        "li", {},
        element("button", { type: "button", class: "entry", title: `Open cluster ${one.cluster}`, onclick: () => context.open(one.cluster) },
            element("span", { class: "name" }, plain(one.name)), element("span", { class: "count" }, count(one.size))),
        element("button", { type: "button", class: "small", title: "What joins the two", onclick: () => context.openLink(own, one.cluster) },
            one.shared ? `${count(one.shared)} shared` : `${counted(one.crossing, "edge")}`),
    );
}
