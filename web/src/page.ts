// SPDX-License-Identifier: Apache-2.0
// The page: it makes its parts and tells each what has changed in the others.
import { Answer } from "./answer";
import { MapView } from "./canvas";
import { showHeadline, showLegendOf, showNotes, showSplit } from "./captions";
import { Choices, ChoicesState } from "./choices";
import { Controls } from "./controls";
import { byId, later } from "./dom";
import { Drill } from "./drill";
import { Teller, parentOf } from "./embed";
import { Engine, EngineError } from "./engine";
import { follow, marksOfClass } from "./follow";
import { Graphs } from "./graphs";
import { Inspector } from "./inspector";
import { showLedger } from "./ledger";
import { LensState, LensWork } from "./lenswork";
import { Lights } from "./lights";
import { MenuItem } from "./menu";
import { Multiples } from "./multiples";
import { NodeWork } from "./nodework";
import { Opener } from "./open";
import { pageItems } from "./pagemenu";
import { Panel } from "./panel";
import { Drawn, Pictures } from "./pictures";
import { Pins } from "./pins";
import { Busy, Progress } from "./progress";
import { PictureInfo, Settings, Start } from "./protocol";
import { Reasons } from "./reasons";
import { Picture, pictureOf } from "./scene";
import { Search } from "./search";
import { Selecting } from "./selecting";
import { Address, Selection, differ } from "./state";
import { Theme } from "./theme";
import { Tooltip } from "./tooltip";
import { Views } from "./views";
import { NOTHING_SELECTED, Voice } from "./voice";
import { counted, plain } from "./words";

/** What the page remembers of a level while it shows a part of it. */
interface Level {
    choices: ChoicesState;
    lens: LensState;
    address: Address;
}

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Page {
    readonly theme: Theme;
    readonly map: MapView;
    readonly views: Views;
    readonly drill: Drill;
    readonly multiples: Multiples;
    readonly search: Search;
    readonly graphs: Graphs<Level>;
    readonly pins: Pins;
    readonly selecting: Selecting;
    readonly nodes: NodeWork;
    private readonly choices: Choices;
    private readonly pictures: Pictures;
    private readonly lens: LensWork;
    private readonly panel: Panel;
    private readonly inspector: Inspector;
    private readonly lights: Lights;
    private readonly progress: Progress;
    private readonly busy: Busy;
    private readonly opener: Opener;
    private readonly voice = new Voice();
    private readonly tooltip = new Tooltip(byId("tooltip"));
    private controls!: Controls;
    private reasons!: Reasons;
    private picture: Picture | null = null;

    constructor(private readonly engine: Engine, private readonly start: Start) {
        this.theme = new Theme(() => this.themeChanged());
        this.choices = new Choices(start);
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
        this.busy = new Busy(byId("busy"), () => this.lens.isBusy);
        this.graphs = this.makeGraphs();
        this.pins = this.makePins();
        this.selecting = this.makeSelecting();
        this.nodes = this.makeNodes();
        this.opener = new Opener({ canOpen: () => this.graphs.canOpen, open: (file) => void this.graphs.open(file), refuse: (words) => this.voice.fail(words) });
        this.views.pane.isDark = this.theme.isDark;
        this.take(start);
        this.begin(this.choices.read(location.hash));
        window.addEventListener("hashchange", () => this.readdress());
        engine.listen({
            progress: (stage, fraction) => this.progress.report(stage, fraction),
            note: (text) => this.voice.say(text),
            bye: () => this.voice.stopped(),
        });
        this.apply();
    }

    // ---- the graph: the whole, a part, another file ----

    /** Takes what the engine says there is. Parts of the page hold the same object, so that they see it, too. */
    private take(start: Start): void {
        for (const key of Object.keys(this.start) as (keyof Start)[]) if (this.start !== start) delete this.start[key];
        Object.assign(this.start, start);
        this.choices.take();
        this.lens.begin(start.lens);
        byId("controls").replaceChildren();
        this.controls = new Controls(byId("controls"), this.start, {
            change: (name, value) => this.change(name, value),
            changeLens: (name, value) => (this.choices.setLens(name, value), this.apply()),
        });
        byId("reasons").replaceChildren();
        this.reasons = new Reasons(byId("reasons"), this.start, (candidate) => (this.choices.choose(candidate), this.apply()));
        showHeadline(this.start, this.graphs);
    }

    /** Begins with what an address says, as far as the page alone can show it. */
    private begin(address: Address): void {
        this.choices.beginWith(address);
        if (address.camera) this.map.place(address.camera);
        this.showBeside(address);
    }

    /** Another graph: as it was left, or as it begins. */
    private restart(start: Start, level: Level | null): void {
        this.pictures.forget();
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
        this.begin(level?.address ?? { ...this.choices.read(""), pane: this.views.pane.isOpen });
        if (level) {
            this.choices.restore(level.choices);
            if (level.lens.lens.name === start.lens.name) this.lens.begin(start.lens, level.lens.asked);
        }
        this.readdressNow();
        this.apply();
        byId("map").focus({ preventScroll: true });
        this.voice.announce(`${byId("title").textContent}: ${byId("subtitle").textContent}`);
    }

    private makeGraphs(): Graphs<Level> {
        return new Graphs(this.engine, this.start, this.progress, {
            serial: () => this.picture?.info.serial ?? null,
            state: () => ({ choices: this.choices.state, lens: this.lens.state, address: this.address() }),
            restart: (start, level) => this.restart(start, level),
            chosen: (start) => (this.take(start), this.choices.chooseBest(), this.apply()),
            busy: (isBusy) => this.busy.show(isBusy || this.pictures.isBusy),
            say: (text) => this.voice.say(text),
            fail: (error) => this.voice.fail(error),
        });
    }

    // ---- the lens ----

    private makeLens(): LensWork {
        return new LensWork(this.engine, this.progress, {
            settled: () => this.graphs.settled(),
            there: (asked) => this.lensThere(asked),
            failed: (cause) => this.lensFailed(cause),
            cancel: () => this.cancel(),
        });
    }

    /** Another lens may bring predictions, and with them colourings. */
    private async lensThere(asked: Settings): Promise<void> {
        const { json } = await this.engine.ask<Start>("start");
        Object.assign(this.start, { colours: json.colours, predictions: json.predictions });
        byId("open-mistakes").hidden = !json.predictions;
        if (!differ(this.choices.current.lens, asked)) this.pictures.want();
    }

    /** The lens is not there: the page goes back to the one that is. */
    private lensFailed(cause: unknown): void {
        const { asked } = this.lens.state;
        if (!differ(this.choices.current.lens, asked)) return;
        this.choices.keepLens(asked);
        this.apply();
        if (cause instanceof EngineError && cause.stale) this.voice.say("Cancelled.");
        else this.voice.fail(cause);
    }

    private cancel(): void {
        this.graphs.cancel();
        void this.engine.ask("cancel").catch(() => undefined);
    }

    // ---- settings ----

    private change(name: string, value: string): void {
        this.choices.set(name, value);
        this.apply(true);
    }

    undo(): void {
        this.choices.undo();
        this.apply();
    }

    redo(): void {
        this.choices.redo();
        this.apply();
    }

    /** Shows the settings in the controls and asks for their picture. A picture through another lens has to wait for it;
     * `anyway`: one through the lens that is there is wanted meanwhile. */
    private apply(anyway = false): void {
        const { settings, lens } = this.choices.current;
        this.controls.update({ ...this.picture?.info.settings, ...settings }, lens, this.lens.state.lens.axes);
        this.reasons.update(settings, lens);
        byId<HTMLButtonElement>("undo").disabled = !this.choices.canUndo;
        byId<HTMLButtonElement>("redo").disabled = !this.choices.canRedo;
        const waits = this.start.live && this.lens.follow(lens);
        if (!waits || (anyway && this.picture)) this.pictures.want();
        this.readdressLater();
    }

    private makeMultiples(): Multiples {
        return new Multiples(this.engine, this.start, {
            picture: () => this.picture, isBusy: () => this.pictures.isBusy, open: (settings) => (this.choices.setSome(settings), this.apply()),
            fail: (error) => this.voice.fail(error), tell: (text) => this.voice.announce(text),
        });
    }

    // ---- pictures ----

    private makePictures(): Pictures {
        return new Pictures(this.engine, this.start, this.choices, {
            isDark: () => this.theme.isDark,
            show: (drawn, isNewest) => this.show(drawn, isNewest),
            fail: (error) => this.drawFailed(error),
            busy: (isBusy) => (this.busy.show(isBusy), isBusy || (this.selecting.showPanelSoon(), this.selecting.tellSoon())),
        });
    }

    /** Shows a picture. The linked views ask about it before the next one replaces it. */
    private show({ answer, twin, seconds }: Drawn, isNewest: boolean): Promise<unknown> {
        const old = this.picture;
        const fresh = pictureOf(answer);
        this.picture = fresh;
        this.map.isDark = this.theme.isDark;
        this.showLegend(fresh);
        const origin = this.map.show(fresh);
        this.showTwin(twin);
        const heir = old && origin ? (selection: Selection) => follow(selection, old, fresh, origin) : null;
        const had = this.selecting.selection;
        if (heir) this.selecting.follow(heir(had));
        const has = this.selecting.selection;
        this.lights.follow(has.kind === "nodes" ? origin : null);
        this.writeAbout(fresh, seconds);
        this.search.renew(fresh.info.serial);
        const followed = this.views.follow(fresh, isNewest);
        this.multiples.follow();
        if (had.kind === "nodes" && has.kind === "none") this.nodes.carry(had.which, fresh);
        this.drill.renew(fresh, heir);
        const lit = this.selecting.show();
        this.nodes.grant();
        this.voice.announce(`${counted(fresh.info.clusters, "cluster")}, ${counted(fresh.info.links, "link")}`);
        if (!fresh.marks) this.voice.say("No cluster is left with these settings.");
        document.body.dataset["serial"] = String(fresh.info.serial);
        return Promise.all([followed, lit]);
    }

    /** What stands beside and below the map. */
    private writeAbout({ info, marks, pile }: Picture, seconds: number): void {
        const { settings, lens } = this.choices.current;
        this.controls.update({ ...info.settings, ...settings }, lens, info.axes);
        this.controls.clearFaults();
        showLedger(byId("ledger"), info, marks - pile.reduce((n, one) => n + one, 0), seconds);
        showNotes(info.notes ?? []);
    }

    private showLegend(picture: Picture): void {
        showLegendOf(picture, {
            light: (entry) => this.lights.show(entry ? marksOfClass(picture, entry) : null),
            select: (entry) => this.selecting.pickWanted(marksOfClass(picture, entry)),
        });
    }

    /** Somebody else, as a second window, has made another picture since: this page asks for its own again. */
    private stale(): void {
        if (!this.pictures.isBusy) this.pictures.want();
    }

    private drawFailed(error: unknown): void {
        this.selecting.showPanelSoon();
        if (error instanceof EngineError && error.stale) return;
        // Settings for the lens that is still to come need not suit the one that is there.
        if (this.lens.isBusy && error instanceof EngineError && error.status > 0) return;
        if (!this.picture && this.choices.hasLeft) this.beginAgain();
        else if (error instanceof EngineError && error.option && this.controls.fault(error.option, error.message)) return this.voice.announce(error.message);
        this.voice.fail(error);
    }

    /** The address asks for what cannot be: the page begins as it does without one. */
    private beginAgain(): void {
        this.choices.beginAgain(this.lens.state.asked);
        this.apply();
    }

    /** Truth and prediction side by side, moved by one camera. */
    split(): void {
        if (!this.pictures.isSplit && !this.pictures.canSplit) return;
        this.pictures.setSplit(!this.pictures.isSplit);
        this.readdressLater();
        this.pictures.want();
    }

    private showTwin(twin: Answer<PictureInfo> | null): void {
        showSplit(twin !== null);
        this.map.showTwin(twin ? pictureOf(twin) : null);
    }

    private themeChanged(): void {
        this.map.isDark = this.theme.isDark;
        this.map.redraw();
        this.views.pane.themed(this.theme.isDark);
        this.pictures.want();
    }

    // ---- what is selected, and what is known of it ----

    private makeSelecting(): Selecting {
        const { map, lights, views, panel, inspector, tooltip, voice } = this;
        const teller = new Teller(this.engine, parentOf(window));
        return new Selecting({ map, lights, views, panel, inspector, tooltip, teller, voice }, {
            picture: () => this.picture,
            isBusy: () => this.pictures.isBusy,
            changed: () => (this.nodes.follow(), this.readdressLater()),
        });
    }

    private makeInspector(): Inspector {
        return new Inspector(this.engine, this.start, this.panel, this.views, {
            select: (selection) => this.selecting.select(selection),
            light: (clusters) => this.lights.showClusters(clusters),
            tell: (text) => this.voice.say(text),
            fail: (error) => this.voice.fail(error),
            stale: () => this.stale(),
            split: () => this.split(),
            change: (name, value) => this.change(name, value),
            actions: (set) => this.nodes.actions(set),
            combined: () => (this.nodes.follow(), this.selecting.tellSoon()),
        });
    }

    private makeViews(): Views {
        return new Views(this.engine, {
            picture: () => this.picture,
            selection: () => this.selecting.selection,
            select: (selection) => this.selecting.select(selection),
            pick: (marks, adds) => (marks.length === 1 ? this.selecting.pick(marks[0]!, adds) : this.selecting.pickMany(marks, adds)),
            light: (marks, node) => this.lights.fromLens(marks, node),
            lightMarks: (marks) => this.lights.showMarks(marks),
            shares: (shares) => this.lights.setShares(shares),
            colourOf: (name) => this.inspector.colourOf(name),
            tell: (text) => this.voice.announce(text),
            fail: (error) => (error instanceof EngineError && error.stale ? this.stale() : this.voice.fail(error)),
            readdress: () => this.readdressLater(),
        });
    }

    private makeSearch(): Search {
        return new Search(this.engine, {
            found: (hits) => (this.lights.setFound(hits), this.drill.find(this.search.text)),
            open: (cluster) => this.selecting.select({ kind: "clusters", clusters: [cluster] }),
            light: (clusters) => this.lights.showClusters(clusters),
            tell: (text) => this.voice.announce(text),
            fail: (error) => this.voice.fail(error),
            stale: () => this.stale(),
        });
    }

    /** Closes the nearest of the grid and the panel; false where neither was open. */
    private closePanel(): boolean {
        return this.multiples.close() || this.selecting.close();
    }

    /** Closes the nearest of what is open. */
    escape(): void {
        if (this.multiples.close()) return;
        if (this.drill.isOpen) this.drill.escape();
        else this.closePanel();
    }

    // ---- the map, and the nodes over it ----

    private makeMap(): MapView {
        const map = new MapView(byId<HTMLCanvasElement>("map"), byId<HTMLCanvasElement>("twin"), {
            hover: (mark, link, x, y) => this.hover(mark, link, x, y),
            pick: (mark, adds) => this.selecting.pick(mark, adds),
            pickLink: (link) => this.selecting.pickLink(link),
            pickNothing: () => this.closePanel(),
            lasso: (marks, adds) => this.selecting.pickMany(marks, adds),
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

    private cursor(mark: number): void {
        const p = this.picture;
        this.views.pane.hoverMark(mark);
        if (!p || mark < 0) return this.tooltip.hide();
        this.lights.tell(mark, this.map.placeOf(mark));
        this.voice.announce(`${plain(p.info.names[mark] ?? "")}, ${counted(p.size[mark]!, "node")}, ${counted(p.touching[mark]!.length, "link")}`);
    }

    private makePins(): Pins {
        return new Pins(this.engine, this.map, {
            picture: () => this.picture,
            pinned: (mark) => (this.showLegend(this.picture!), this.map.highlight.selected.has(mark) && this.selecting.showPanelSoon()),
            again: () => this.pictures.want(),
            announce: (text) => this.voice.announce(text),
            miss: (isDust) => this.voice.say(isDust ? "Dust stays with the cluster that it hangs at." : NOTHING_SELECTED),
            fail: (error) => this.voice.fail(error),
        });
    }

    private makeDrill(): Drill {
        return new Drill(byId("stage"), this.engine, this.tooltip, {
            focus: (settings) => void this.graphs.focus(settings),
            select: (selection) => this.selecting.select(selection),
            changed: () => this.readdressLater(),
            hover: (node, mark) => this.views.pane.hoverNode(node, mark),
            announce: (text) => this.voice.announce(text),
            fail: (error) => this.voice.fail(error),
            stale: () => this.stale(),
        }, () => still.matches, () => this.theme.isDark);
    }

    private makeNodes(): NodeWork {
        const { map, drill, views, pins, selecting, voice } = this;
        return new NodeWork({ map, drill, views, pins, selecting, voice }, { picture: () => this.picture, focus: (settings) => void this.graphs.focus(settings) });
    }

    /** What is in front, to zoom it. */
    get view(): { zoomBy(factor: number): void; fit(): void } {
        return this.drill.isOpen ? this.drill.map : this.map;
    }

    menuItems(): MenuItem[] {
        return pageItems(this.engine, this.start, this.graphs, this.voice, {
            picture: () => this.picture,
            letAllGo: () => this.pins.letGo(),
            open: this.graphs.canOpen ? () => this.opener.ask() : null,
            address: () => (this.readdressNow(), location.href),
        });
    }

    // ---- the address of the page ----

    private address(): Address {
        const drill = this.drill.isOpen ? this.drill.hops : null;
        const { selection, side } = this.selecting;
        return { ...this.choices.current, selection, side, split: this.pictures.isSplit, pane: this.views.pane.isOpen, camera: this.map.placed, drill };
    }

    private readdressNow(): void {
        const text = this.choices.write(this.address());
        history.replaceState(null, "", text ? `#${text}` : location.pathname);
    }

    private readonly readdressLater = later(250, () => this.readdressNow());

    /** Somebody wrote another address. */
    private readdress(): void {
        const next = this.choices.read(location.hash);
        this.drill.close();
        this.choices.goTo(next);
        this.map.place(next.camera);
        this.showBeside(next);
        this.apply();
    }

    /** What an address says beside the settings and the camera. */
    private showBeside({ selection, side, split, drill, pane }: Address): void {
        this.selecting.begin(selection, side);
        this.pictures.setSplit(split);
        this.nodes.wishFor(drill);
        this.views.togglePane(pane);
    }
}
