// SPDX-License-Identifier: Apache-2.0
// The page: it holds what is chosen and selected, asks for pictures, and tells every part what has changed.
import { Answer } from "./answer";
import { Camera } from "./camera";
import { MapView } from "./canvas";
import { Controls } from "./controls";
import { copyText } from "./csv";
import { byId, element, later } from "./dom";
import { Engine, EngineError } from "./engine";
import { Inspector } from "./inspector";
import { Latest } from "./latest";
import { showLedger } from "./ledger";
import { showLegend } from "./legend";
import { MenuItem, Messages } from "./menu";
import { Multiples } from "./multiples";
import { Panel } from "./panel";
import { Progress } from "./progress";
import { Candidate, Lens, PictureInfo, Settings, Start } from "./protocol";
import { Reasons, wholeSettings } from "./reasons";
import { Picture, followMark, pictureOf } from "./scene";
import { Search } from "./search";
import { Address, Choice, History, Selection, Side, differ, namesNodes, readAddress, writeAddress } from "./state";
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

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Page {
    readonly map: MapView;
    readonly theme: Theme;
    readonly search: Search;
    private readonly begin: Choice;
    /** What options are where nobody says otherwise. */
    private readonly plain: Settings;
    private readonly lensNames: Set<string>;
    private readonly history: History;
    private readonly controls: Controls;
    private readonly reasons: Reasons;
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
    /** The lens that the engine has, and its axes. */
    private lens: Lens;
    private lensAsked: Settings;
    /** The lens that is being computed, while the map goes on with the one that is there. */
    private lensRuns: Settings | null = null;
    private isSplit = false;
    /** Marks that the search lights; the pointer in a list lights others for a moment. */
    private searchLit: Uint32Array | null = null;
    /** By mark, what share of it is among the nodes that are selected. */
    private shares: Float32Array | null = null;
    /** Settled when the selection is lit. */
    private lighting: Promise<void> = Promise.resolve();
    private busyTimer = 0;

    constructor(private readonly engine: Engine, private readonly start: Start) {
        const { theme: _, ...settings } = start.settings;
        this.begin = { settings, lens: { ...start.lens.settings } };
        this.plain = defaultsOf(start);
        this.lens = start.lens;
        this.lensAsked = { ...start.lens.settings };
        this.lensNames = new Set([...Object.keys(start.lens.settings), ...(start.lens_options ?? []).map((option) => option.name)]);
        const address = readAddress(location.hash, this.begin, this.plain, this.lensNames);
        this.history = new History({ settings: address.settings, lens: start.live ? address.lens : this.begin.lens });
        this.theme = new Theme(() => this.themeChanged());
        this.map = this.makeMap();
        this.panel = new Panel(byId("panel"), () => this.closePanel());
        this.views = this.makeViews();
        this.inspector = this.makeInspector();
        this.multiples = new Multiples(engine, start.options, {
            picture: () => this.picture, isBusy: () => this.pictures.isBusy, open: (settings) => this.changeSome(settings),
            fail: (error) => this.fail(error), tell: (text) => this.announce(text),
        });
        this.controls = new Controls(byId("controls"), start, {
            change: (name, value) => this.change(name, value),
            changeLens: (name, value) => this.changeLens(name, value),
        });
        this.reasons = new Reasons(byId("reasons"), start, (candidate) => this.choose(candidate));
        this.search = this.makeSearch();
        this.progress = new Progress(byId("progress"), () => this.cancel());
        this.pictures = this.makePictures();
        this.selection = address.selection;
        this.side = address.side;
        this.isSplit = address.split && start.predictions && start.classes.length > 0;
        if (address.camera) this.map.place(address.camera);
        this.headline();
        this.views.pane.isDark = this.theme.isDark;
        this.views.togglePane(address.pane);
        window.addEventListener("hashchange", () => this.readdress());
        engine.listen({
            progress: (stage, fraction) => this.progress.report(stage, fraction),
            note: (text) => this.messages.say(text),
            bye: () => this.stopped(),
        });
        this.apply();
    }

    private headline(): void {
        const { title, nodes, edges } = this.start;
        document.title = `${title} – dgm`;
        byId("title").textContent = plain(title);
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
        this.controls.update({ ...this.picture?.info.settings, ...settings }, lens, this.lens.axes);
        this.reasons.update(settings, lens);
        byId<HTMLButtonElement>("undo").disabled = !this.history.canUndo;
        byId<HTMLButtonElement>("redo").disabled = !this.history.canRedo;
        const waits = this.followLens();
        if (!waits || (anyway && this.picture)) this.pictures.want(this.history.current);
        this.readdressLater();
    }

    // ---- pictures ----

    private makePictures(): Latest<Choice, Drawn> {
        return new Latest((choice) => this.draw(choice), {
            answer: (drawn, _, isNewest) => this.show(drawn, isNewest),
            fail: (error) => this.drawFailed(error),
            busy: (isBusy) => (this.showBusy(isBusy), isBusy || this.showPanelSoon()),
        });
    }

    private async draw(choice: Choice): Promise<Drawn> {
        const began = performance.now();
        const own = Object.entries(choice.settings).filter(([name]) => !this.lensNames.has(name));
        const settings = { ...Object.fromEntries(own), theme: this.theme.isDark ? "dark" : "light" };
        const paint = (colour: string) => this.engine.ask<PictureInfo>("picture", { ...settings, colour });
        const twin = this.isSplit ? await paint("prediction") : null;
        const answer = this.isSplit ? await paint("labels") : await this.engine.ask<PictureInfo>("picture", settings);
        return { answer, twin, seconds: (performance.now() - began) / 1000 };
    }

    // ---- the lens ----

    /** Has the lens computed that is chosen, if it is not there; true while pictures wait for it. */
    private followLens(): boolean {
        const { lens } = this.history.current;
        if (!this.start.live) return false;
        if (!differ(lens, this.lensAsked)) {
            if (this.lensRuns) this.cancel();
            return false;
        }
        if (!this.lensRuns || differ(lens, this.lensRuns)) void this.askLens({ ...lens });
        return true;
    }

    /** Asks for a lens; a newer question ends this one, and its answer then counts no more. */
    private async askLens(lens: Settings): Promise<void> {
        this.lensRuns = lens;
        this.progress.begin(`Computing ${lens["lens"] ?? "the lens"}`);
        document.body.dataset["lens"] = "runs";
        const isNewest = () => this.lensRuns === lens;
        try {
            const { json } = await this.engine.ask<{ lens: Lens }>("lens", lens);
            this.lens = json.lens;
            this.lensAsked = { ...lens };
            await this.learn();
            if (isNewest()) this.endLens();
            if (!differ(this.history.current.lens, lens)) this.pictures.want(this.history.current);
        } catch (error) {
            if (!isNewest()) return;
            this.endLens();
            this.lensFailed(error);
        }
    }

    private endLens(): void {
        this.lensRuns = null;
        document.body.dataset["lens"] = "there";
        this.progress.end();
    }

    /** Another lens may bring predictions, and with them colourings. */
    private async learn(): Promise<void> {
        const { json } = await this.engine.ask<Start>("start");
        Object.assign(this.start, { colours: json.colours, predictions: json.predictions });
        byId("open-mistakes").hidden = !json.predictions;
    }

    private cancel(): void {
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
        if (old && origin) this.selection = follow(this.selection, old, fresh, origin);
        this.shares = carry(this.shares, origin);
        if (old && isOtherLens(old, fresh)) this.carrySelection(this.selection);
        const { settings, lens } = this.history.current;
        this.controls.update({ ...fresh.info.settings, ...settings }, lens, fresh.info.axes);
        this.controls.clearFaults();
        showLedger(byId("ledger"), fresh.info, fresh.marks - fresh.pile.reduce((n, one) => n + one, 0), seconds);
        this.showNotes(fresh.info.notes ?? []);
        this.searchLit = null;
        this.search.renew(fresh.info.serial);
        const followed = this.views.follow(fresh, isNewest);
        this.multiples.follow();
        this.showSelection();
        this.announce(`${counted(fresh.info.clusters, "cluster")}, ${counted(fresh.info.links, "link")}`);
        if (!fresh.marks) this.messages.say("No cluster is left with these settings.");
        document.body.dataset["serial"] = String(fresh.info.serial);
        return Promise.all([followed, this.lighting]);
    }

    /** Another lens: nodes that are selected by conditions that go on to mean something stay so. */
    private carrySelection(had: Selection): void {
        if (had.kind !== "nodes") return;
        this.selection = { kind: "none" };
        this.shares = null;
        void this.views.carry(had.which).then((which) => {
            if (this.selection.kind === "none" && namesNodes(which)) this.select({ kind: "nodes", which });
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
        if (this.lensRuns && error instanceof EngineError && error.status > 0) return;
        if (!this.picture && differ(this.history.current.settings, this.begin.settings)) this.beginAgain();
        else if (error instanceof EngineError && error.option && this.controls.fault(error.option, error.message)) return this.announce(error.message);
        this.fail(error);
    }

    /** The address asks for what cannot be: the page begins as it does without one. */
    private beginAgain(): void {
        this.history.change({ settings: { ...this.begin.settings }, lens: { ...this.lensAsked } }, "", performance.now());
        this.apply();
    }

    /** The lens is not there: the page goes back to the one that is. */
    private lensFailed(cause: unknown): void {
        const wasCancelled = cause instanceof EngineError && cause.stale;
        if (!differ(this.history.current.lens, this.lensAsked)) return;
        this.history.change({ settings: this.history.current.settings, lens: { ...this.lensAsked } }, "", performance.now());
        this.apply();
        if (wasCancelled) this.messages.say("Cancelled.");
        else this.fail(cause);
    }

    private showBusy(isBusy: boolean): void {
        clearTimeout(this.busyTimer);
        if (isBusy) this.busyTimer = window.setTimeout(() => (byId("busy").hidden = this.lensRuns !== null), 250);
        else byId("busy").hidden = true;
        document.body.dataset["busy"] = String(isBusy);
    }

    private showLegend(picture: Picture): void {
        const structural = picture.info.settings["edges"] === "structural";
        const weighed = (picture.info.settings["weights"] ?? "none") !== "none";
        const widths = structural ? "graph edges between" : weighed ? "shared weight" : "shared nodes";
        showLegend(byId("legend"), picture.info.legend, weighed ? "weighted members" : "nodes", widths, picture.pile.some(Boolean), {
            light: (entry) => this.lightMarks(entry ? marksOfClass(picture, entry) : null),
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
        this.shares = null;
        if (selection.kind !== "none") byId("hint").hidden = true;
        this.tooltip.hide();
        this.showSelection();
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

    focusPanel(): void {
        this.panel.focus();
    }

    private showSelection(): void {
        const picture = this.picture;
        if (!picture) return;
        this.lightMarks(null);
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
    }

    private readonly showPanelSoon = later(30, () => {
        // While a picture is under way, the panel waits for it.
        if (this.picture && !this.pictures.isBusy) void this.inspector.show(this.picture, this.selection, this.side);
    });

    private makeInspector(): Inspector {
        return new Inspector(this.engine, this.start, this.panel, this.views, {
            select: (selection) => this.select(selection),
            light: (clusters) => this.lightClusters(clusters),
            tell: (text) => this.messages.say(text),
            fail: (error) => this.fail(error),
            stale: () => this.stale(),
            split: () => this.split(),
            change: (name, value) => this.change(name, value),
        });
    }

    private makeViews(): Views {
        return new Views(this.engine, {
            picture: () => this.picture,
            selection: () => this.selection,
            select: (selection) => this.select(selection),
            pick: (marks, adds) => (marks.length === 1 ? this.pick(marks[0]!, adds) : this.lasso(marks, adds)),
            light: (marks, exact) => this.lightFromView(marks, exact),
            shares: (shares) => ((this.shares = shares), this.lightMarks(null)),
            colourOf: (name) => this.inspector.colourOf(name),
            tell: (text) => this.announce(text),
            fail: (error) => (error instanceof EngineError && error.stale ? this.stale() : this.fail(error)),
            readdress: () => this.readdressLater(),
        });
    }

    /** Another view has marks under the pointer; a single one is told as on the map. */
    private lightFromView(marks: number[] | null, exact: boolean): void {
        const picture = this.picture;
        if (!picture) return;
        if (exact && marks) {
            const { x, y } = this.map.placeOf(marks[0]!);
            this.tooltip.showMark(picture, marks[0]!, null, x, y, this.shares?.[marks[0]!] ?? null);
        } else this.tooltip.hide();
        this.map.highlight.hover = exact && marks ? marks[0]! : -1;
        const lit = new Uint8Array(picture.marks);
        for (const mark of marks ?? []) lit[mark] = 1;
        this.lightMarks(marks && !exact ? lit : null);
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
        }, () => still.matches, () => byId("legend").getBoundingClientRect());
        map.isDark = this.theme.isDark;
        return map;
    }

    private hover(mark: number, link: number, x: number, y: number): void {
        this.views.pane.hoverMark(mark);
        if (mark >= 0) this.tooltip.showMark(this.picture!, mark, this.searchLit?.[mark] ?? null, x, y, this.shares?.[mark] ?? null);
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
        const { x, y } = this.map.placeOf(mark);
        this.tooltip.showMark(p, mark, this.searchLit?.[mark] ?? null, x, y, this.shares?.[mark] ?? null);
        this.announce(`${plain(p.info.names[mark] ?? "")}, ${counted(p.size[mark]!, "node")}, ${counted(p.touching[mark]!.length, "link")}`);
    }

    private lightMarks(lit: Uint8Array | null): void {
        this.map.highlight.lit = lit ?? this.searchLit ?? this.shares;
        this.map.highlight.isShare = !lit && !this.searchLit;
        this.map.redraw();
    }

    private lightClusters(clusters: number[] | null): void {
        const picture = this.picture;
        if (!picture) return;
        const lit = new Uint8Array(picture.marks);
        for (const cluster of clusters ?? []) {
            const mark = picture.markOf.get(cluster);
            if (mark !== undefined) lit[mark] = 1;
        }
        this.lightMarks(clusters ? lit : null);
    }

    private makeSearch(): Search {
        return new Search(this.engine, {
            found: (hits) => ((this.searchLit = hits), this.lightMarks(null)),
            open: (cluster) => this.select({ kind: "clusters", clusters: [cluster] }),
            light: (clusters) => this.lightClusters(clusters),
            tell: (text) => this.announce(text),
            fail: (error) => this.fail(error),
            stale: () => this.stale(),
        });
    }

    // ---- files, messages ----

    menuItems(): MenuItem[] {
        const files: [string, string][] = [
            ["svg", "figure for papers and the web"], ["pdf", "figure for print"], ["png", "figure as pixels"], ["json", "summary for dgm and programs"],
            ["graphml", "for yEd, Gephi, NetworkX"], ["gexf", "for Gephi"], ["csv", "a table of clusters"],
        ];
        const items = files.flatMap(([format, about]): MenuItem[] => {
            const href = this.engine.download(format), save = this.engine.saves(format);
            if (href !== null) return [{ words: format.toUpperCase(), about, href }];
            return save ? [{ words: format.toUpperCase(), about, run: () => void save().catch((error: unknown) => this.fail(error)) }] : [];
        });
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
        return { ...this.history.current, selection: this.selection, side: this.side, split: this.isSplit, pane: this.views.pane.isOpen, camera: this.map.placed };
    }

    private readdressNow(): void {
        const text = writeAddress(this.address(), this.begin, this.plain);
        history.replaceState(null, "", text ? `#${text}` : location.pathname);
    }

    private readonly readdressLater = later(250, () => this.readdressNow());

    /** Somebody wrote another address. */
    private readdress(): void {
        const next = readAddress(location.hash, this.begin, this.plain, this.lensNames);
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

/** The same selection in another picture. */
function follow(selection: Selection, old: Picture, fresh: Picture, origin: Int32Array): Selection {
    const next = (cluster: number) => {
        const mark = old.markOf.get(cluster);
        return mark === undefined || fresh.marks === 0 ? -1 : fresh.cluster[followMark(old, fresh, origin, mark)]!;
    };
    if (selection.kind === "none" || selection.kind === "nodes") return selection;
    if (selection.kind === "clusters") {
        const clusters = [...new Set(selection.clusters.map(next))].filter((cluster) => cluster >= 0);
        return clusters.length ? { kind: "clusters", clusters } : { kind: "none" };
    }
    const a = next(selection.a), b = next(selection.b);
    return linkBetween(fresh, a, b) >= 0 ? { kind: "link", a, b } : { kind: "none" };
}

function isOtherLens(old: Picture, fresh: Picture): boolean {
    const key = ({ info }: Picture) => info.axes.map((axis) => `${axis.name} ${axis.low} ${axis.high}`).join();
    return key(old) !== key(fresh);
}

/** Shares of marks in another picture, until the engine has told them. */
function carry(shares: Float32Array | null, origin: Int32Array | null): Float32Array | null {
    return shares && origin ? Float32Array.from(origin, (from) => shares[from] ?? 0) : null;
}

function linkBetween(picture: Picture, a: number, b: number): number {
    const i = picture.markOf.get(a), j = picture.markOf.get(b);
    if (i === undefined || j === undefined) return -1;
    return picture.touching[i]!.find((e) => picture.source[e] === j || picture.target[e] === j) ?? -1;
}

function marksOfClass(picture: Picture, entry: { colour: string; shape: number }): Uint8Array {
    const code = parseInt(entry.colour.slice(1), 16);
    const lit = new Uint8Array(picture.marks);
    for (let i = 0; i < picture.marks; i++) {
        const own = (picture.fill[3 * i]! << 16) | (picture.fill[3 * i + 1]! << 8) | picture.fill[3 * i + 2]!;
        lit[i] = own === code && picture.shape[i] === entry.shape && !picture.pile[i] ? 1 : 0;
    }
    return lit;
}
