// SPDX-License-Identifier: Apache-2.0
// What is chosen: the settings and the lens, from where the page begins, each change with a way back; and how an address
// says them.
import { addressOf, addressWith, partOf } from "./levels";
import { Candidate, Settings, Start } from "./protocol";
import { wholeSettings } from "./reasons";
import { Address, Choice, History, differ, readAddress, writeAddress } from "./state";

/** What is remembered of the choices for a graph while another one is shown. */
export interface ChoicesState {
    begin: Choice;
    history: History;
}

export class Choices {
    private begin!: Choice;
    /** What options are where nobody says otherwise. */
    private plain!: Settings;
    private lensNames!: Set<string>;
    private history!: History;

    /** `start` is what the engine says there is, and changes with the graph. */
    constructor(private readonly start: Start) {}

    /** The engine has another graph, or has chosen anew for this one. What was chosen before is left as it is. */
    take(): void {
        const { settings: { theme: _, ...settings }, lens, lens_options = [], options } = this.start;
        this.begin = { settings, lens: { ...lens.settings } };
        this.plain = Object.fromEntries(options.map((option) => [option.name, option.default ?? (option.kind === "flag" ? "false" : "")]));
        this.lensNames = new Set([...Object.keys(lens.settings), ...lens_options.map((option) => option.name)]);
    }

    get current(): Choice {
        return this.history.current;
    }
    get canUndo(): boolean {
        return this.history.canUndo;
    }
    get canRedo(): boolean {
        return this.history.canRedo;
    }
    /** Whether the settings are others than those that the page begins with. */
    get hasLeft(): boolean {
        return differ(this.current.settings, this.begin.settings);
    }
    get state(): ChoicesState {
        return { begin: this.begin, history: this.history };
    }

    /** A graph is shown again, as it was left. */
    restore({ begin, history }: ChoicesState): void {
        this.begin = begin;
        this.history = history;
    }

    // ---- addresses ----

    /** What an address says; where it is about another part of the graph, what the page begins with. */
    read(hash: string): Address {
        return readAddress(addressOf(hash, partOf(this.start)), this.begin, this.plain, this.lensNames);
    }

    write(address: Address): string {
        return addressWith(writeAddress(address, this.begin, this.plain), partOf(this.start));
    }

    /** Begins with these, and without a way back. */
    beginWith(choice: Choice): void {
        this.history = new History(this.possible(choice));
    }

    goTo(choice: Choice): void {
        this.change(this.possible(choice));
    }

    /** Only a program can compute another lens. */
    private possible({ settings, lens }: Choice): Choice {
        return { settings, lens: this.start.live ? lens : this.begin.lens };
    }

    // ---- changes ----

    private change(next: Choice, what = ""): void {
        this.history.change(next, what, performance.now());
    }

    /** Changes of the same setting that follow each other at once are one step back. */
    set(name: string, value: string): void {
        const { settings, lens } = this.current;
        this.change({ settings: { ...settings, [name]: value }, lens }, name);
    }

    /** Several settings in one step. */
    setSome(some: Settings): void {
        const { settings, lens } = this.current;
        this.change({ settings: { ...settings, ...some }, lens });
    }

    setLens(name: string, value: string): void {
        const { settings, lens } = this.current;
        const next = { ...lens, [name]: value };
        this.change({ settings: { ...settings, ...this.coverFor(next, settings) }, lens: next });
    }

    /** Parts have cells of their own, which no other lens has. */
    private coverFor(lens: Settings, settings: Settings): Settings {
        const isParts = (settings["cover"] ?? "").startsWith("parts");
        const reduction = lens["reduce"] && lens["reduce"] !== "none" ? lens["reduce"].startsWith("centres") : null;
        const row = this.start.lenses?.find((one) => one.name === lens["lens"]?.split(":")[0]);
        const wants = reduction ?? row?.parts ?? isParts;
        return wants === isParts ? {} : { cover: wants ? "parts:share=0.3" : "uniform" };
    }

    choose(candidate: Candidate): void {
        const { settings, lens } = this.current;
        const next: Choice = { settings: { ...settings }, lens: {} };
        for (const [name, value] of Object.entries(wholeSettings(this.start, candidate)))
            (this.lensNames.has(name) ? next.lens : next.settings)[name] = value;
        if (!this.start.live) next.lens = lens;
        this.change(next);
    }

    /** Settings that were chosen anew are those of the best candidate, if it is through the lens that is there. */
    chooseBest(): void {
        const [best] = this.start.candidates;
        if (best && best.settings["lens"] === this.start.lens.settings["lens"])
            for (const [name, value] of Object.entries(wholeSettings(this.start, best))) if (!this.lensNames.has(name)) this.begin.settings[name] = value;
        this.beginAgain(this.begin.lens);
    }

    /** The settings that the page begins with, through a lens that is there. */
    beginAgain(lens: Settings): void {
        this.change({ settings: { ...this.begin.settings }, lens: { ...lens } });
    }

    /** These settings, through a lens that is there. */
    keepLens(lens: Settings): void {
        this.change({ settings: this.current.settings, lens: { ...lens } });
    }

    undo(): void {
        this.history.undo();
    }

    redo(): void {
        this.history.redo();
    }

    /** Those of the settings that the map has; what belongs to the lens is the lens's. */
    ofMap(choice: Choice): Settings {
        return Object.fromEntries(Object.entries(choice.settings).filter(([name]) => !this.lensNames.has(name)));
    }
}
