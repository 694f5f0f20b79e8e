// SPDX-License-Identifier: Apache-2.0
// Menus that drop down from a button, the page of help, and short messages.
import { element } from "./dom";

export interface MenuItem {
    words: string;
    about?: string;
    run?: () => void;
    /** A file to fetch. */
    href?: string;
}

/** Makes a button open a menu. Arrows move in it, Esc and a click elsewhere close it. */
export function attachMenu(button: HTMLElement, label: string, items: () => MenuItem[]): void {
    const menu = element("div", { class: "menu", role: "menu", "aria-label": label, hidden: true });
    button.after(menu);
    button.setAttribute("aria-haspopup", "menu");
    const close = (refocus: boolean) => {
        if (menu.hidden) return;
        menu.hidden = true;
        button.setAttribute("aria-expanded", "false");
        if (refocus) button.focus();
    };
    const open = () => {
        menu.replaceChildren(...items().map((item) => itemOf(item, () => close(true))));
        menu.hidden = false;
        button.setAttribute("aria-expanded", "true");
        (menu.firstElementChild as HTMLElement | null)?.focus();
    };
    button.addEventListener("click", () => (menu.hidden ? open() : close(true)));
    menu.addEventListener("keydown", (event) => keyInMenu(menu, event, () => close(true)));
    document.addEventListener("pointerdown", (event) => {
        const target = event.target as Node;
        if (!menu.contains(target) && !button.contains(target)) close(false);
    });
}

function itemOf(item: MenuItem, close: () => void): HTMLElement {
    const words = [element("span", {}, item.words), element("small", {}, item.about ?? "")];
    if (item.href !== undefined)
        return element("a", { role: "menuitem", href: item.href, download: true, onclick: () => setTimeout(close, 0) }, ...words);
    return element("button", { type: "button", role: "menuitem", onclick: () => (close(), item.run?.()) }, ...words);
}

function keyInMenu(menu: HTMLElement, event: KeyboardEvent, close: () => void): void {
    const all = [...menu.children] as HTMLElement[];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) all[(at + step + all.length) % all.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
}

/** Short messages that go away by themselves. */
export class Messages {
    private timer = 0;
    constructor(private readonly host: HTMLElement) {}

    say(text: string, kind: "plain" | "fault" = "plain"): void {
        this.host.textContent = text;
        this.host.className = kind;
        this.host.hidden = false;
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => (this.host.hidden = true), kind === "fault" ? 8000 : 3500);
    }
}

const KEYS: [string, string][] = [
    ["← → ↑ ↓", "go from cluster to cluster (on the map)"],
    ["Enter", "open the cluster; space adds it to the selection"],
    ["Esc", "close what is open"],
    ["+  −  0", "zoom in, zoom out, show everything"],
    ["Shift + arrows", "move the map"],
    ["/", "search for nodes"],
    ["L", "list of clusters"],
    ["B", "bridges"],
    ["M", "mistakes, where there are predictions"],
    ["H", "histograms of columns, which filter"],
    ["V", "the lens: arrows go from cell to cell, Enter selects the nodes of one, Esc lets them go"],
    ["G", "a grid of other intervals and overlaps"],
    ["C", "classes and predictions side by side, where there are both"],
    ["N", "show the nodes of what is selected, or go back to the map; [ and ] for less or more around them"],
    ["R", "map these nodes again, as a graph of their own; U leads back up"],
    ["P", "pin the cluster under the cursor, or let it go; Alt + arrows move it"],
    ["S", "lasso on or off"],
    ["D", "dark or light"],
    ["Ctrl Z, Ctrl Shift Z", "take a change back, do it again"],
    ["?", "this help"],
];

const READING: [string, string][] = [
    ["A disc is a cluster:", "nodes that hang together and look alike through the lens. The larger, the more nodes."],
    ["A line is a link:", "two clusters share nodes, or edges of the graph run between them. The wider, the more."],
    ["The lens", "gives every node a number or several. The cover cuts these into overlapping cells: more intervals show more detail, more overlap joins more."],
    ["A pale disc with grains", "stands for many small clusters. Nothing is left out silently: the line below counts it."],
];

export function fillHelp(dialog: HTMLDialogElement): void {
    const mouse = "Drag to move, wheel or pinch to zoom. Click a cluster or a line. Shift and click adds to a selection, Shift and drag draws a lasso. Drag a cluster to pin it somewhere, double click to let it go. A drag over the lens or over a histogram selects nodes, a double click lets them go. Drop a graph file to open it.";
    dialog.append(
        element("form", { method: "dialog" }, element("button", { class: "plain close", "aria-label": "Close" }, "×")),
        element("h2", {}, "How to read the map"),
        element("dl", { class: "reading" }, ...READING.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)])),
        element("h2", {}, "Pointer"), element("p", {}, mouse),
        element("h2", {}, "Keys"),
        element("dl", { class: "keys" }, ...KEYS.flatMap(([key, text]) => [element("dt", {}, key), element("dd", {}, text)])),
    );
    dialog.addEventListener("click", (event) => {
        if (event.target === dialog) dialog.close();
    });
}
