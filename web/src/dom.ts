// SPDX-License-Identifier: Apache-2.0
// Making elements. Texts are texts: nothing here reads them as HTML, so that names may say what they like.

type Child = Node | string | null | undefined | false;
type Attributes = { [name: string]: string | number | boolean | null | undefined | ((event: never) => void) };

/** element("button", {class: "plain", onclick: f}, "words", child...) */
export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    set(made, attributes);
    append(made, children);
    return made;
}

const SVG = "http://www.w3.org/2000/svg";

export function drawing<K extends keyof SVGElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
    const made = document.createElementNS(SVG, tag);
    set(made, attributes);
    append(made, children);
    return made;
}

function set(made: Element, attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") made.addEventListener(name.slice(2), value as (event: Event) => void);
        else if (value !== null && value !== undefined && value !== false)
            made.setAttribute(name, value === true ? "" : String(value));
    }
}

function append(made: Element, children: Child[]): void {
    for (const child of children) if (child) made.append(child);
}

/** The element with an id, which index.html has. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
    const found = document.getElementById(id);
    if (!found) throw new Error(`The page has no element '${id}'.`);
    return found as T;
}

/** Icons of 16 by 16, as strokes. */
const ICONS = {
    plus: "M8 3v10M3 8h10",
    minus: "M3 8h10",
    fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
    lasso: "M8 2.5c3.3 0 5.5 1.6 5.5 3.8S11.3 10 8 10 2.5 8.5 2.5 6.3 4.7 2.5 8 2.5M5 9.5c-1 .8-1 2 .2 2.3s1.6 1 .6 2.2",
    close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
    menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
    search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.3 10.3l3.2 3.2",
    undo: "M5.5 3L2.5 6l3 3M2.5 6h7a4 4 0 0 1 0 8H7",
    redo: "M10.5 3l3 3-3 3M13.5 6h-7a4 4 0 0 0 0 8H9",
    download: "M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11",
    moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z",
    sun: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
    help: "M5.8 6a2.2 2.2 0 1 1 3.3 1.9C8.3 8.4 8 8.9 8 9.8M8 12.3v.2",
    list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1",
    bridge: "M1.5 11.5h13M4 11.5V5M12 11.5V5M1.5 8C3 8 4 6.5 4 5c0 2.5 2 4 4 4s4-1.5 4-4c0 1.5 1 3 2.5 3",
    copy: "M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3",
    reset: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5v3h3",
    sliders: "M2.5 5h6M11.5 5h2M10 3.5v3M2.5 11h2M7.5 11h6M6 9.5v3",
    cross: "M2.5 2.5h11v11h-11zM2.5 6.2h11M2.5 9.8h11M6.2 2.5v11M9.8 2.5v11",
    back: "M9.5 3.5L5 8l4.5 4.5",
    bars: "M2.5 13.5v-4M6.2 13.5v-8M9.8 13.5v-11M13.5 13.5v-6",
    lens: "M2.5 13.5h11M3.5 11V9M6 11V5.5M8.5 11V3M11 11V7M13 11v-1",
    tiles: "M2.5 2.5h4.5V7H2.5zM9 2.5h4.5V7H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z",
    dock: "M2.5 3h11v10h-11zM9.5 3v10",
    power: "M8 2v6M4.5 4.2a5 5 0 1 0 7 0",
};
export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGSVGElement {
    return drawing(
        "svg", { viewBox: "0 0 16 16", width: 16, height: 16, class: "icon", "aria-hidden": "true" },
        drawing("path", { d: ICONS[name] }),
    );
}

/** Calls `run` once, this long after the last call. */
export function later<A extends unknown[]>(wait: number, run: (...args: A) => void): (...args: A) => void {
    let timer = 0;
    return (...args: A) => {
        clearTimeout(timer);
        timer = window.setTimeout(() => run(...args), wait);
    };
}
