// SPDX-License-Identifier: Apache-2.0
// Begins: asks the engine what there is, makes the page, and gives the buttons something to do.
import { IconName, byId, element, icon } from "./dom";
import { Engine, HttpEngine } from "./engine";
import { listenToKeys } from "./keys";
import { attachMenu, fillHelp } from "./menu";
import { PackEngine, isPacked } from "./pack";
import { Page } from "./page";
import { Start } from "./protocol";

const ICONS: [string, IconName, string?][] = [
    ["toggle-sidebar", "sliders"], ["close-sidebar", "close"], ["open-list", "list", "Clusters"], ["open-bridges", "bridge", "Bridges"],
    ["open-mistakes", "cross", "Mistakes"],
    ["open-columns", "bars", "Columns"], ["open-lens", "lens", "Lens"], ["open-grid", "tiles", "Grid"], ["undo", "undo"], ["redo", "redo"], ["download", "download"], ["dark", "moon"], ["help", "help"],
    ["zoom-in", "plus"], ["zoom-out", "minus"], ["fit", "fit"], ["lasso", "lasso"],
];

const HINT = "Each disc is a group of nodes that belong together; lines join groups that share nodes. Move a slider, or click a disc to see who is in it.";

function decorate(): void {
    for (const [id, name, words] of ICONS) {
        byId(id).prepend(icon(name));
        if (words) byId(id).append(element("span", {}, words));
    }
}

function sidebar(): () => void {
    const narrow = matchMedia("(max-width: 760px)");
    const show = (open: boolean) => {
        document.body.classList.toggle("sidebar-closed", !open);
        byId("toggle-sidebar").setAttribute("aria-expanded", String(open));
    };
    const toggle = () => show(document.body.classList.contains("sidebar-closed"));
    show(!narrow.matches);
    narrow.addEventListener("change", () => show(!narrow.matches));
    byId("close-sidebar").addEventListener("click", () => show(false));
    byId("toggle-sidebar").addEventListener("click", toggle);
    return toggle;
}

function hint(): void {
    const host = byId("hint");
    const close = () => {
        host.hidden = true;
        try {
            localStorage.setItem("dgm-hint", "seen");
        } catch {
            // It is shown again next time.
        }
    };
    host.append(element("p", {}, HINT), element("button", { type: "button", class: "plain", "aria-label": "Close the hint", onclick: close }, icon("close")));
    try {
        host.hidden = localStorage.getItem("dgm-hint") !== null;
    } catch {
        host.hidden = false;
    }
}

function connect(page: Page): void {
    const help = byId<HTMLDialogElement>("help-dialog");
    const lasso = () => {
        page.map.lassoMode = !page.map.lassoMode;
        byId("lasso").setAttribute("aria-pressed", String(page.map.lassoMode));
        byId("map").classList.toggle("lasso", page.map.lassoMode);
    };
    const actions: { [id: string]: () => void } = {
        "open-list": () => page.selecting.openSide("list"), "open-bridges": () => page.selecting.openSide("bridges"), "open-mistakes": () => page.selecting.openSide("mistakes"),
        "open-columns": () => page.selecting.openSide("columns"), "open-lens": () => page.views.togglePane(), "open-grid": () => page.multiples.toggle(),
        undo: () => page.undo(), redo: () => page.redo(), dark: () => page.theme.toggle(), help: () => help.showModal(),
        "zoom-in": () => page.view.zoomBy(1.5), "zoom-out": () => page.view.zoomBy(1 / 1.5), fit: () => page.view.fit(), lasso,
    };
    for (const [id, run] of Object.entries(actions)) byId(id).addEventListener("click", run);
    fillHelp(help);
    attachMenu(byId("download"), "Download", () => page.menuItems());
    const run = (id: string) => () => byId(id).hidden || actions[id]!();
    listenToKeys(page, {
        "/": () => page.search.focus(), "?": run("help"), "+": run("zoom-in"), "=": run("zoom-in"), "-": run("zoom-out"), "0": run("fit"),
        l: run("open-list"), b: run("open-bridges"), m: run("open-mistakes"), h: run("open-columns"), v: run("open-lens"), g: run("open-grid"),
        c: () => page.split(), s: lasso, d: run("dark"),
        n: () => page.nodes.toggle(), r: () => page.nodes.mapAgain(), u: () => void page.graphs.back(), p: () => page.drill.isOpen || page.pins.toggle(),
        "[": () => page.drill.setHops(page.drill.hops - 1), "]": () => page.drill.setHops(page.drill.hops + 1),
    });
}

async function begin(): Promise<void> {
    decorate();
    sidebar();
    const engine: Engine = isPacked() ? new PackEngine() : new HttpEngine();
    try {
        const { json } = await engine.ask<Start>("start");
        const page = new Page(engine, json);
        connect(page);
        // A file without the core answers nothing but what is on screen.
        if (isPacked() && !document.getElementById("dgm-core")) for (const id of ["open-columns", "open-lens", "open-grid"]) byId(id).hidden = true;
        hint();
    } catch (error) {
        byId("hint").textContent = error instanceof Error ? error.message : String(error);
        byId("hint").hidden = false;
        throw error;
    }
}

void begin();
