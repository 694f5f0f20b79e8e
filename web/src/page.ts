// SPDX-License-Identifier: Apache-2.0
// The page: it holds what is chosen and selected, asks for pictures, and tells every part what has changed.
import { actionRow } from "./actions";
import { Answer } from "./answer";
import { Camera } from "./camera";
import { MapView } from "./canvas";
import { Controls } from "./controls";
import { copyText } from "./csv";
import { byId, element, later } from "./dom";
import { Drill } from "./drill";
import { Teller, parentOf } from "./embed";
import { Engine, EngineError } from "./engine";
import { fileItems } from "./files";
import { follow, linkBetween, marksOfClass } from "./follow";
import { Graphs } from "./graphs";
import { Inspector } from "./inspector";
import { Latest } from "./latest";
import { showLedger } from "./ledger";
import { showLegend } from "./legend";
import { LensState, LensWork } from "./lenswork";
import { addressOf, addressWith, partOf, showChooser, showLevels } from "./levels";
import { Lights } from "./lights";
import { MenuItem, Messages } from "./menu";
import { Multiples } from "./multiples";
import { NodeSet, setSettings } from "./nodeset";
import { Opener } from "./open";
import { Panel } from "./panel";
import { Pins } from "./pins";
import { Progress } from "./progress";
import { Candidate, PictureInfo, Settings, Start } from "./protocol";
import { Reasons, wholeSettings } from "./reasons";
import { Picture, pictureOf } from "./scene";
import { Search } from "./search";
import { Address, Choice, History, Selection, Side, Which, differ, namesNodes, readAddress, writeAddress } from "./state";
import { Theme } from "./theme";
import { Tooltip } from "./tooltip";
import { Views } from "./views";
import { counted, plain } from "./words";

interface Drawn {
    answer: Answer<PictureInfo>;
    /** The same by predictions, while both stand side by side. */
    twin: Answer<PictureInfo> | null;
    seconds: number;
}

/** What the page remembers of a level while it shows a part of it. */
interface Level {
    begin: Choice;
    lens: LensState;
    history: History;
    address: Address;
}

const NOTHING_SELECTED = "Select a cluster first.";
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Page {
    readonly map: MapView;
    readonly theme: Theme;
    readonly search: Search;
    readonly drill: Drill;
    private begin!: Choice;
    /** What options are where nobody says otherwise. */
    private plain!: Settings;
    private lensNames!: Set<string>;
    private history!: History;
    private controls!: Controls;
    private reasons!: Reasons;
    readonly graphs: Graphs<Level>;
    readonly pins: Pins;
    private readonly opener: Opener;
    /** Counts the graphs that were begun on: what is about an earlier one comes too late. */
    private turn = 0;
    /** The address asks for the nodes themselves, with so many hops, once there is a picture. */
    private drillWish: number | null = null;
    private readonly panel: Panel;
    private readonly inspector: Inspector;
    readonly views: Views;
    readonly multiples: Multiples;
    private readonly progress: Progress;
    private readonly messages = new Messages(byId("message"));
    private readonly tooltip = new Tooltip(byId("tooltip"));
    private readonly pictures: Latest<Choice, Drawn>;
    private picture: Picture | null = null;
    private selection: Selection = { kind: "none" };
    private side: Side = "none";
    private readonly lens: LensWork;
    private isSplit = false;
    private readonly lights: Lights;
    private readonly teller: Teller;
    /** Settled when the selection is lit. */
    private lighting: Promise<void> = Promise.resolve();
    private busyTimer = 0;

    constructor(private readonly engine: Engine, private readonly start: Start) {
        this.theme = new Theme(() => this.themeChanged());
        this.teller = new Teller(engine, parentOf(window));
        this.map = this.makeMap();
        this.panel = new Panel(byId("panel"), () => this.closePanel());
        this.views = this.makeViews();
        this.inspector = this.makeInspector();
        this.drill = this.makeDrill();
        this.lights = new Lights(this.map, this.drill, this.tooltip, () => this.picture);
        this.multiples = this.makeMultiples();
        this.search = this.makeSearch();
        this.progress = new Progress(byId("progress"), () => this.cancel());
        this.pictures = this.makePictures();
        this.lens = this.makeLens();
        this.graphs = this.makeGraphs();
        this.pins = this.makePins();
        this.opener = new Opener({ canOpen: () => this.graphs.canOpen, open: (file) => void this.graphs.open(file), refuse: (words) => this.messages.say(words, "fault") });
        this.views.pane.isDark = this.theme.isDark;
        this.take(start);
        this.goTo(readAddress(addressOf(location.hash, partOf(start)), this.begin, this.plain, this.lensNames));
        window.addEventListener("hashchange", () => this.readdress());
        engine.listen({
            progress: (stage, fraction) => this.progress.report(stage, fraction),
            note: (text) => this.messages.say(text),
            bye: () => this.stopped(),
        });
        this.apply();
    }

    // ---- the graph: the whole, a part, another file ----

    /** Begins on what the engine says there is. Parts of the page hold the same object, so that they see it, too. */
    private take(start: Start): void {
        const { theme: _, ...settings } = start.settings;
        for (const key of Object.keys(this.start) as (keyof Start)[]) if (this.start !== start) delete this.start[key];
        Object.assign(this.start, start);
        this.begin = { settings, lens: { ...start.lens.settings } };
        this.plain = defaultsOf(start);
        this.lens.begin(start.lens);
        this.lensNames = new Set([...Object.keys(start.lens.settings), ...(start.lens_options ?? []).map((option) => option.name)]);
        byId("controls").replaceChildren();
        this.controls = new Controls(byId("controls"), this.start, {
            change: (name, value) => this.change(name, value),
            changeLens: (name, value) => this.changeLens(name, value),
        });
        byId("reasons").replaceChildren();
        this.reasons = new Reasons(byId("reasons"), this.start, (candidate) => this.choose(candidate));
        this.headline();
    }

    /** Shows what an address says, as far as the page alone can. */
    private goTo(address: Address): void {
        this.history = new History({ settings: address.settings, lens: this.start.live ? address.lens : this.begin.lens });
        this.selection = address.selection;
        this.side = address.side;
        this.isSplit = address.split && this.start.predictions && this.start.classes.length > 0;
        this.drillWish = address.drill;
        if (address.camera) this.map.place(address.camera);
        this.views.togglePane(address.pane);
    }

    /** Another graph: as it was left, or as it begins. */
    private restart(start: Start, level: Level | null): void {
        this.turn++;
        this.drill.close();
        this.multiples.forget();
        this.views.forget();
        this.search.clear();
        this.tooltip.hide();
        this.inspector.forget();
        this.panel.close();
        this.picture = null;
        this.lights.follow(null);
        this.map.forget();
        this.take(start);
        this.goTo(level?.address ?? { ...readAddress("", this.begin, this.plain, this.lensNames), pane: this.views.pane.isOpen });
        if (level) {
            this.begin = level.begin;
            this.history = level.history;
            if (level.lens.lens.name === start.lens.name) this.lens.begin(start.lens, level.lens.asked);
        }
        this.readdressNow();
        this.apply();
        byId("map").focus({ preventScroll: true });
        this.announce(`${byId("title").textContent}: ${byId("subtitle").textContent}`);
    }

    /** Maps what is selected, or drawn, again. */
    mapAgain(): void {
        if (this.drill.isOpen) return this.drill.focusThese();
        const set = this.inspector.setOf(this.selection);
        const settings = set && this.picture ? setSettings(set, this.picture) : null;
        if (settings) void this.graphs.focus(settings);
        else this.messages.say(NOTHING_SELECTED);
    }

    /** Settings that were chosen anew are those of the best candidate. */
    private chosen(start: Start): void {
        this.take(start);
        const [best] = start.candidates;
        if (best && best.settings["lens"] === start.lens.settings["lens"])
            for (const [name, value] of Object.entries(wholeSettings(this.start, best))) if (!this.lensNames.has(name)) this.begin.settings[name] = value;
        this.history.change({ settings: { ...this.begin.settings }, lens: { ...this.begin.lens } }, "", performance.now());
        this.apply();
    }

    private makeLens(): LensWork {
        return new LensWork(this.engine, this.progress, { there: (asked) => this.lensThere(asked), failed: (cause) => this.lensFailed(cause), cancel: () => this.cancel() });
    }

    /** Another lens may bring predictions, and with them colourings. */
    private async lensThere(asked: Settings): Promise<void> {
        const { json } = await this.engine.ask<Start>("start");
        Object.assign(this.start, { colours: json.colours, predictions: json.predictions });
        byId("open-mistakes").hidden = !json.predictions;
        if (!differ(this.history.current.lens, asked)) this.pictures.want(this.history.current);
    }

    private makeMultiples(): Multiples {
        return new Multiples(this.engine, this.start, {
            picture: () => this.picture, isBusy: () => this.pictures.isBusy, open: (settings) => this.changeSome(settings),
            fail: (error) => this.fail(error), tell: (text) => this.announce(text),
        });
    }

    private makeGraphs(): Graphs<Level> {
        return new Graphs(this.engine, this.start, this.progress, {
            serial: () => this.picture?.info.serial ?? null,
            state: () => ({ begin: this.begin, lens: this.lens.state, history: this.history, address: this.address() }),
            restart: (start, level) => this.restart(start, level),
            chosen: (start) => this.chosen(start),
            busy: (isBusy) => this.showBusy(isBusy || this.pictures.isBusy),
            say: (text) => this.messages.say(text),
            fail: (error) => this.fail(error),
        });
    }

    private headline(): void {
        const { title, nodes, edges } = this.start;
        document.title = `${title} – dgm`;
        showLevels(byId("title"), this.start, this.graphs);
        showChooser(byId("reasons"), this.start, this.graphs);
        byId("subtitle").textContent = `${counted(nodes, "node")}, ${counted(edges, "edge")}`;
        byId("open-mistakes").hidden = !this.start.predictions;
    }

    // ---- settings ----

    change(name: string, value: string): void {
        const { settings, lens } = this.history.current;
        this.history.change({ settings: { ...settings, [name]: value }, lens }, name, performance.now());
        this.apply(true);
    }

    /** Several settings in one step. */
    private changeSome(some: Settings): void {
        const { settings, lens } = this.history.current;
        this.history.change({ settings: { ...settings, ...some }, lens }, "", performance.now());
        this.apply();
    }

    private changeLens(name: string, value: string): void {
        const { settings, lens } = this.history.current;
        this.history.change({ settings, lens: { ...lens, [name]: value } }, "", performance.now());
        this.apply();
    }

    private choose(candidate: Candidate): void {
        const { settings, lens } = this.history.current;
        const next: Choice = { settings: { ...settings }, lens: {} };
        for (const [name, value] of Object.entries(wholeSettings(this.start, candidate)))
            (this.lensNames.has(name) ? next.lens : next.settings)[name] = value;
        if (!this.start.live) next.lens = lens;
        this.history.change(next, "", performance.now());
        this.apply();
    }

    undo(): void {
        this.history.undo();
        this.apply();
    }

    redo(): void {
        this.history.redo();
        this.apply();
    }

    /** Shows the settings in the controls and asks for their picture. A picture through another lens has to wait for it;
     * `anyway`: one through the lens that is there is wanted meanwhile. */
    private apply(anyway = false): void {
        const { settings, lens } = this.history.current;
        this.controls.update({ ...this.picture?.info.settings, ...settings }, lens, this.lens.state.lens.axes);
        this.reasons.update(settings, lens);
        byId<HTMLButtonElement>("undo").disabled = !this.history.canUndo;
        byId<HTMLButtonElement>("redo").disabled = !this.history.canRedo;
        const waits = this.start.live && this.lens.follow(lens);
        if (!waits || (anyway && this.picture)) this.pictures.want(this.history.current);
        this.readdressLater();
    }

    // ---- pictures ----

    private makePictures(): Latest<Choice, Drawn> {
        return new Latest((choice) => this.draw(choice), {
            answer: (drawn, _, isNewest) => this.show(drawn, isNewest),
            fail: (error) => this.drawFailed(error),
            busy: (isBusy) => (this.showBusy(isBusy), isBusy || (this.showPanelSoon(), this.tellSoon())),
        });
    }

    private async draw(choice: Choice): Promise<Drawn> {
        const turn = this.turn;
        const drawn = await this.drawNow(choice);
        if (turn !== this.turn) throw new EngineError("Another graph is shown by now.", 409, null);
        return drawn;
    }

    private async drawNow(choice: Choice): Promise<Drawn> {
        const began = performance.now();
        const own = Object.entries(choice.settings).filter(([name]) => !this.lensNames.has(name));
        const settings = { ...Object.fromEntries(own), theme: this.theme.isDark ? "dark" : "light" };
        const paint = (colour: string) => this.engine.ask<PictureInfo>("picture", { ...settings, colour });
        const twin = this.isSplit ? await paint("prediction") : null;
        const answer = this.isSplit ? await paint("labels") : await this.engine.ask<PictureInfo>("picture", settings);
        return { answer, twin, seconds: (performance.now() - began) / 1000 };
    }

    private cancel(): void {
        this.graphs.cancel();
        void this.engine.ask("cancel").catch(() => undefined);
    }

    /** Shows a picture. The linked views ask about it before the next one replaces it. */
    private show({ answer, twin, seconds }: Drawn, isNewest: boolean): Promise<unknown> {
        const old = this.picture;
        const fresh = pictureOf(answer);
        this.picture = fresh;
        this.map.isDark = this.theme.isDark;
        this.showLegend(fresh);
        const origin = this.map.show(fresh);
        this.showSplit(twin);
        const heir = old && origin ? (selection: Selection) => follow(selection, old, fresh, origin) : null;
        const had = this.selection;
        if (heir) this.selection = heir(had);
        this.lights.follow(this.selection.kind === "nodes" ? origin : null);
        const { settings, lens } = this.history.current;
        this.controls.update({ ...fresh.info.settings, ...settings }, lens, fresh.info.axes);
        this.controls.clearFaults();
        showLedger(byId("ledger"), fresh.info, fresh.marks - fresh.pile.reduce((n, one) => n + one, 0), seconds);
        this.showNotes(fresh.info.notes ?? []);
        this.search.renew(fresh.info.serial);
        const followed = this.views.follow(fresh, isNewest);
        this.multiples.follow();
        if (had.kind === "nodes" && this.selection.kind === "none") this.carryConditions(had.which, fresh);
        this.drill.renew(fresh, heir);
        this.showSelection();
        this.wishDrill();
        this.announce(`${counted(fresh.info.clusters, "cluster")}, ${counted(fresh.info.links, "link")}`);
        if (!fresh.marks) this.messages.say("No cluster is left with these settings.");
        document.body.dataset["serial"] = String(fresh.info.serial);
        return Promise.all([followed, this.lighting]);
    }

    /** Another lens: those of the conditions that go on to mean something hold again. */
    private carryConditions(had: Which, picture: Picture): void {
        const hops = this.drill.about?.kind === "nodes" ? this.drill.hops : null;
        void this.views.carry(had).then((which) => {
            if (this.picture !== picture || this.selection.kind !== "none" || !namesNodes(which)) return;
            this.drillWish = hops;
            this.select({ kind: "nodes", which });
            this.wishDrill();
        });
    }

    /** Somebody else, as a second window, has made another picture since: this page asks for its own again. */
    private stale(): void {
        if (!this.pictures.isBusy) this.pictures.want(this.history.current);
    }

    private drawFailed(error: unknown): void {
        this.showPanelSoon();
        if (error instanceof EngineError && error.stale) return;
        // Settings for the lens that is still to come need not suit the one that is there.
        if (this.lens.isBusy && error instanceof EngineError && error.status > 0) return;
        if (!this.picture && differ(this.history.current.settings, this.begin.settings)) this.beginAgain();
        else if (error instanceof EngineError && error.option && this.controls.fault(error.option, error.message)) return this.announce(error.message);
        this.fail(error);
    }

    /** The address asks for what cannot be: the page begins as it does without one. */
    private beginAgain(): void {
        this.history.change({ settings: { ...this.begin.settings }, lens: { ...this.lens.state.asked } }, "", performance.now());
        this.apply();
    }

    /** The lens is not there: the page goes back to the one that is. */
    private lensFailed(cause: unknown): void {
        const wasCancelled = cause instanceof EngineError && cause.stale;
        if (!differ(this.history.current.lens, this.lens.state.asked)) return;
        this.history.change({ settings: this.history.current.settings, lens: { ...this.lens.state.asked } }, "", performance.now());
        this.apply();
        if (wasCancelled) this.messages.say("Cancelled.");
        else this.fail(cause);
    }

    private showBusy(isBusy: boolean): void {
        clearTimeout(this.busyTimer);
        if (isBusy) this.busyTimer = window.setTimeout(() => (byId("busy").hidden = this.lens.isBusy), 250);
        else byId("busy").hidden = true;
        document.body.dataset["busy"] = String(isBusy);
    }

    private showLegend(picture: Picture): void {
        const structural = picture.info.settings["edges"] === "structural";
        const weighed = (picture.info.settings["weights"] ?? "none") !== "none";
        const widths = structural ? "graph edges between" : weighed ? "shared weight" : "shared nodes";
        showLegend(byId("legend"), picture.info.legend, weighed ? "weighted members" : "nodes", widths, picture.pile.some(Boolean), picture.pinned.some(Boolean), {
            light: (entry) => this.lights.show(entry ? marksOfClass(picture, entry) : null),
            select: (entry) => this.selectMarks(marksOfClass(picture, entry)),
        });
    }

    private showNotes(notes: string[]): void {
        const host = byId("notes");
        host.hidden = notes.length === 0;
        host.replaceChildren(element("h2", {}, "Notes"), ...notes.map((note) => element("p", { class: "about" }, note)));
    }

    /** Truth and prediction side by side, moved by one camera. */
    split(): void {
        if (!this.isSplit && (!this.start.predictions || !this.start.classes.length)) return;
        this.isSplit = !this.isSplit;
        this.readdressLater();
        this.pictures.want(this.history.current);
    }

    private showSplit(twin: Answer<PictureInfo> | null): void {
        byId("stage").classList.toggle("split", twin !== null);
        for (const id of ["caption-left", "caption-right"]) byId(id).hidden = twin === null;
        this.map.showTwin(twin ? pictureOf(twin) : null);
    }

    private themeChanged(): void {
        this.map.isDark = this.theme.isDark;
        this.map.redraw();
        this.views.pane.themed(this.theme.isDark);
        this.pictures.want(this.history.current);
    }

    // ---- selection ----

    select(selection: Selection): void {
        const empty = selection.kind === "clusters" && selection.clusters.length === 0;
        this.selection = empty ? { kind: "none" } : selection;
        this.lights.setShares(null);
        if (selection.kind !== "none") byId("hint").hidden = true;
        this.tooltip.hide();
        this.showSelection();
        this.drillSelection();
        this.readdressLater();
        if (selection.kind === "clusters" && selection.clusters.length === 1)
            this.map.reveal(this.picture?.markOf.get(selection.clusters[0]!) ?? -1);
    }

    openSide(side: Side): void {
        this.side = this.side === side && ["none", "nodes"].includes(this.selection.kind) ? "none" : side;
        this.select({ kind: "none" });
    }

    /** Closes what is open, the nearest first; false where nothing was. */
    closePanel(): boolean {
        if (this.multiples.close()) return true;
        const wasOpen = this.panel.isOpen;
        if (this.selection.kind === "none") this.side = "none";
        this.select({ kind: "none" });
        if (wasOpen && !this.panel.isOpen) byId("map").focus({ preventScroll: true });
        return wasOpen;
    }

    /** Closes the nearest of what is open. */
    escape(): void {
        if (this.multiples.close()) return;
        if (this.drill.isOpen) this.drill.escape();
        else this.closePanel();
    }

    focusPanel(): void {
        this.panel.focus();
    }

    private showSelection(): void {
        const picture = this.picture;
        if (!picture) return;
        this.lights.show(null);
        const { highlight } = this.map;
        const marks = this.selection.kind === "clusters" ? this.selection.clusters.map((cluster) => picture.markOf.get(cluster) ?? -1) : [];
        highlight.selected = new Set(marks.filter((mark) => mark >= 0));
        highlight.selectedLink = this.selection.kind === "link" ? linkBetween(picture, this.selection.a, this.selection.b) : -1;
        this.map.redraw();
        this.lighting = this.views.selected(this.selection);
        for (const [id, side] of [["open-list", "list"], ["open-bridges", "bridges"], ["open-mistakes", "mistakes"], ["open-columns", "columns"]] as const)
            byId(id).setAttribute("aria-pressed", String(this.side === side && ["none", "nodes"].includes(this.selection.kind)));
        if (this.selection.kind === "none" && this.side === "none") this.panel.close();
        this.showPanelSoon();
        this.tellSoon();
    }

    private readonly tellSoon = later(60, () => {
        if (this.picture && !this.pictures.isBusy) void this.teller.tell(this.picture, this.inspector.setOf(this.selection));
    });

    private readonly showPanelSoon = later(30, () => {
        // While a picture is under way, the panel waits for it.
        if (this.picture && !this.pictures.isBusy) void this.inspector.show(this.picture, this.selection, this.side);
    });

    private makeInspector(): Inspector {
        return new Inspector(this.engine, this.start, this.panel, this.views, {
            select: (selection) => this.select(selection),
            light: (clusters) => this.lights.showClusters(clusters),
            tell: (text) => this.messages.say(text),
            fail: (error) => this.fail(error),
            stale: () => this.stale(),
            split: () => this.split(),
            change: (name, value) => this.change(name, value),
            actions: (set) => this.actions(set),
            combined: () => (this.drillSelection(), this.tellSoon()),
        });
    }

    // ---- the nodes themselves ----

    private makeDrill(): Drill {
        return new Drill(byId("stage"), this.engine, this.tooltip, {
            focus: (settings) => void this.graphs.focus(settings),
            select: (selection) => this.select(selection),
            changed: () => this.readdressLater(),
            hover: (node, mark) => this.views.pane.hoverNode(node, mark),
            announce: (text) => this.announce(text),
            fail: (error) => this.fail(error),
            stale: () => this.stale(),
        }, () => still.matches, () => this.theme.isDark);
    }

    /** What is in front, to zoom it. */
    get view(): { zoomBy(factor: number): void; fit(): void } {
        return this.drill.isOpen ? this.drill.map : this.map;
    }

    /** Shows the nodes of what is selected or under the cursor, or the map again. */
    toggleDrill(): void {
        if (this.drill.isOpen) return this.drill.close();
        const { cursor, hover } = this.map.highlight, mark = cursor >= 0 ? cursor : hover;
        if (this.selection.kind === "none" && mark >= 0) this.pick(mark, false);
        const set = this.inspector.setOf(this.selection);
        if (set) void this.openDrill(set);
        else this.messages.say(NOTHING_SELECTED);
    }

    /** Draws a set, unless conditions that hold together leave no node of it. */
    private async openDrill(set: NodeSet, hops = this.drill.hops): Promise<void> {
        const { selection, picture } = this;
        try {
            const settings = set.kind === "nodes" || (set.kind === "clusters" && set.combine === "all") ? setSettings(set, picture!) : null;
            const isEmpty = settings !== null && (await this.views.total(settings)).total === 0;
            if (selection !== this.selection || picture !== this.picture) return;
            if (!isEmpty) return this.drill.open(set, hops);
            this.drill.close();
            this.messages.say("No node satisfies all of this.");
        } catch (error) {
            this.fail(error);
        }
    }

    /** The drawing follows what is selected. */
    private drillSelection(): void {
        const set = this.drill.isOpen && this.inspector.setOf(this.selection);
        if (set) void this.openDrill(set);
    }

    private wishDrill(): void {
        const set = this.drillWish !== null && this.inspector.setOf(this.selection);
        if (set) void this.openDrill(set, this.drillWish!);
        this.drillWish = null;
    }

    private actions(set: NodeSet): HTMLElement {
        const mark = set.kind === "clusters" && set.clusters.length === 1 ? this.picture?.markOf.get(set.clusters[0]!) ?? -1 : -1;
        return actionRow({
            showNodes: () => this.drill.open(set),
            mapAgain: () => void this.graphs.focus(setSettings(set, this.picture!) ?? {}),
            letGo: this.picture?.pinned[mark] ? () => this.pins.letGo(mark) : null,
        });
    }

    private makePins(): Pins {
        return new Pins(this.engine, this.map, {
            picture: () => this.picture,
            pinned: (mark) => (this.showLegend(this.picture!), this.map.highlight.selected.has(mark) && this.showPanelSoon()),
            again: () => this.pictures.want(this.history.current),
            announce: (text) => this.announce(text),
            miss: (isDust) => this.messages.say(isDust ? "Dust stays with the cluster that it hangs at." : NOTHING_SELECTED),
            fail: (error) => this.fail(error),
        });
    }

    private makeViews(): Views {
        return new Views(this.engine, {
            picture: () => this.picture,
            selection: () => this.selection,
            select: (selection) => this.select(selection),
            pick: (marks, adds) => (marks.length === 1 ? this.pick(marks[0]!, adds) : this.lasso(marks, adds)),
            light: (marks, node) => this.lights.fromLens(marks, node),
            lightMarks: (marks) => this.lights.showMarks(marks),
            shares: (shares) => this.lights.setShares(shares),
            colourOf: (name) => this.inspector.colourOf(name),
            tell: (text) => this.announce(text),
            fail: (error) => (error instanceof EngineError && error.stale ? this.stale() : this.fail(error)),
            readdress: () => this.readdressLater(),
        });
    }

    private pick(mark: number, adds: boolean): void {
        const cluster = this.picture!.cluster[mark]!;
        const had = this.selection.kind === "clusters" ? this.selection.clusters : [];
        const next = had.includes(cluster) ? had.filter((one) => one !== cluster) : [...had, cluster];
        this.select({ kind: "clusters", clusters: adds ? next : [cluster] });
    }

    private selectMarks(wanted: Uint8Array): void {
        const clusters = [...this.picture!.cluster].filter((_, mark) => wanted[mark]);
        this.select({ kind: "clusters", clusters });
    }

    private lasso(marks: number[], adds: boolean): void {
        const had = adds && this.selection.kind === "clusters" ? this.selection.clusters : [];
        const clusters = [...new Set([...had, ...marks.map((mark) => this.picture!.cluster[mark]!)])];
        this.select({ kind: "clusters", clusters });
        this.announce(`${counted(clusters.length, "cluster")} selected`);
    }

    // ---- the map ----

    private makeMap(): MapView {
        const map = new MapView(byId<HTMLCanvasElement>("map"), byId<HTMLCanvasElement>("twin"), {
            hover: (mark, link, x, y) => this.hover(mark, link, x, y),
            pick: (mark, adds) => this.pick(mark, adds),
            pickLink: (link) => this.pickLink(link),
            pickNothing: () => this.closePanel(),
            lasso: (marks, adds) => this.lasso(marks, adds),
            cursor: (mark) => this.cursor(mark),
            moved: () => (this.tooltip.hide(), this.readdressLater()),
            put: (mark, x, y) => this.pins.put(mark, x, y),
            letGo: (mark) => this.pins.letGo(mark),
        }, () => still.matches, () => byId("legend").getBoundingClientRect());
        map.isDark = this.theme.isDark;
        return map;
    }

    private hover(mark: number, link: number, x: number, y: number): void {
        this.views.pane.hoverMark(mark);
        if (mark >= 0) this.lights.tell(mark, { x, y });
        else if (link >= 0) this.tooltip.showLink(this.picture!, link, x, y);
        else this.tooltip.hide();
    }

    private pickLink(link: number): void {
        const p = this.picture!;
        this.select({ kind: "link", a: p.cluster[p.source[link]!]!, b: p.cluster[p.target[link]!]! });
    }

    private cursor(mark: number): void {
        const p = this.picture;
        this.views.pane.hoverMark(mark);
        if (!p || mark < 0) return this.tooltip.hide();
        this.lights.tell(mark, this.map.placeOf(mark));
        this.announce(`${plain(p.info.names[mark] ?? "")}, ${counted(p.size[mark]!, "node")}, ${counted(p.touching[mark]!.length, "link")}`);
    }

    private makeSearch(): Search {
        return new Search(this.engine, {
            found: (hits) => (this.lights.setFound(hits), this.drill.find(this.search.text)),
            open: (cluster) => this.select({ kind: "clusters", clusters: [cluster] }),
            light: (clusters) => this.lights.showClusters(clusters),
            tell: (text) => this.announce(text),
            fail: (error) => this.fail(error),
            stale: () => this.stale(),
        });
    }

    // ---- files, messages ----

    menuItems(): MenuItem[] {
        const items = fileItems(this.engine, (error) => this.fail(error));
        const pinned = this.picture?.pinned.reduce((n, one) => n + one, 0) ?? 0;
        if (pinned) items.push({ words: "Let all go", about: counted(pinned, "pinned cluster"), run: () => this.pins.letGo() });
        if (this.graphs.canOpen) items.push({ words: "Open a file", about: "another graph, or drop it here", run: () => this.opener.ask() });
        if (this.start.opened) items.push({ words: "First graph", about: "that the program was started with", run: () => void this.graphs.home() });
        items.push({ words: "Copy command", about: "dgm map, for a shell", run: () => void this.copyCommand() });
        items.push({ words: "Copy address", about: "the page as it is now", run: () => void this.copyAddress() });
        if (this.start.live) items.push({ words: "Stop the program", about: "ends dgm explore", run: () => void this.engine.ask("stop").catch(() => undefined) });
        return items;
    }

    private async copyCommand(): Promise<void> {
        const command = this.picture?.info.command ?? "";
        this.messages.say((await copyText(command)) ? `Copied: ${command}` : command);
    }

    private async copyAddress(): Promise<void> {
        this.readdressNow();
        this.messages.say((await copyText(location.href)) ? "Copied the address." : location.href);
    }

    private fail(error: unknown): void {
        if (error instanceof EngineError && error.stale) return;
        this.messages.say(error instanceof Error ? error.message : String(error), "fault");
    }

    private stopped(): void {
        document.body.classList.add("stopped");
        this.announce("The program has stopped.");
        byId("hint").replaceChildren("The program has stopped. What is on screen stays; start dgm explore again to go on.");
        byId("hint").hidden = false;
    }

    announce(text: string): void {
        byId("live").textContent = text;
    }

    // ---- the address of the page ----

    private address(): Address {
        const drill = this.drill.isOpen ? this.drill.hops : null;
        return { ...this.history.current, selection: this.selection, side: this.side, split: this.isSplit, pane: this.views.pane.isOpen, camera: this.map.placed, drill };
    }

    private readdressNow(): void {
        const text = addressWith(writeAddress(this.address(), this.begin, this.plain), partOf(this.start));
        history.replaceState(null, "", text ? `#${text}` : location.pathname);
    }

    private readonly readdressLater = later(250, () => this.readdressNow());

    /** Somebody wrote another address. */
    private readdress(): void {
        const next = readAddress(addressOf(location.hash, partOf(this.start)), this.begin, this.plain, this.lensNames);
        this.drill.close();
        this.drillWish = next.drill;
        this.selection = next.selection;
        this.side = next.side;
        this.isSplit = next.split && this.start.predictions;
        this.views.togglePane(next.pane);
        this.map.place(next.camera as Camera | null);
        this.history.change({ settings: next.settings, lens: this.start.live ? next.lens : this.begin.lens }, "", performance.now());
        this.apply();
    }
}

function defaultsOf(start: Start): Settings {
    const words = (option: Start["options"][number]) => option.default ?? (option.kind === "flag" ? "false" : "");
    return Object.fromEntries(start.options.map((option) => [option.name, words(option)]));
}
