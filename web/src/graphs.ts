// SPDX-License-Identifier: Apache-2.0
// From one graph to another: a part of it, back up, settings chosen anew, another file. Each is a question that is answered as
// `start` is.
import { Answer } from "./answer";
import { Engine, EngineError } from "./engine";
import { LevelEars, Trail } from "./levels";
import { Progress } from "./progress";
import { Settings, Start } from "./protocol";

export interface GraphEars<T> {
    /** The number of the picture that is shown, or null. */
    serial(): number | null;
    /** What is to be remembered of a level while a part of it is shown. */
    state(): T;
    /** Another graph: as it was left, or as it begins. */
    restart(start: Start, level: T | null): void;
    /** The same graph with other settings. */
    chosen(start: Start): void;
    busy(isBusy: boolean): void;
    say(text: string): void;
    fail(error: unknown): void;
}

export class Graphs<T> implements LevelEars {
    private readonly trail = new Trail<T>();
    /** Ends what takes its time. */
    private abort: AbortController | null = null;
    /** Settled when no question is under way, and what came of the last one is shown. */
    private under: Promise<unknown> = Promise.resolve();

    constructor(private readonly engine: Engine, private readonly start: Start, private readonly progress: Progress, private readonly ears: GraphEars<T>) {}

    private get depth(): number {
        return (this.start.levels?.length ?? 1) - 1;
    }

    get canOpen(): boolean {
        return this.start.live && this.engine.openFile !== null;
    }

    async settled(): Promise<void> {
        await this.under;
    }

    private hold(work: Promise<void>): Promise<void> {
        this.under = Promise.allSettled([this.under, work]);
        return work;
    }

    /** These nodes become a graph of their own. */
    focus(settings: Settings): Promise<void> {
        return this.hold(this.focusNow(settings));
    }

    /** Back to a level; without one to the next above. */
    back(level = this.depth - 1): Promise<void> {
        return this.hold(this.backNow(level));
    }

    home(): Promise<void> {
        return this.hold(this.homeNow());
    }

    choose(): Promise<void> {
        return this.hold(this.chooseNow());
    }

    open(file: File): Promise<void> {
        return this.hold(this.openNow(file));
    }

    private async focusNow(settings: Settings): Promise<void> {
        const serial = this.ears.serial();
        if (serial === null) return;
        const state = this.ears.state(), { depth } = this;
        const start = await this.ask("focus", { serial: String(serial), ...settings });
        if (!start) return;
        this.trail.down(depth, state);
        this.ears.restart(start, null);
    }

    private async backNow(level: number): Promise<void> {
        const start = level < 0 ? null : await this.ask("back", { level: String(level) });
        if (start) this.ears.restart(start, this.trail.up(level));
    }

    private async homeNow(): Promise<void> {
        this.begin(await this.ask("home", {}));
    }

    private async chooseNow(): Promise<void> {
        const start = await this.long("Choosing settings", () => this.engine.ask<Start>("choose"));
        if (start) this.ears.chosen(start);
    }

    private async openNow(file: File): Promise<void> {
        const { openFile } = this.engine, words = `Sending ${file.name}`;
        const sent = (share: number) => this.progress.report(share < 1 ? words : `Reading ${file.name}`, share < 1 ? share : null);
        this.begin(openFile && (await this.long(words, (signal) => openFile(file, sent, signal))));
    }

    cancel(): void {
        this.abort?.abort();
    }

    private begin(start: Start | null): void {
        if (!start) return;
        this.trail.clear();
        this.ears.restart(start, null);
    }

    /** Null where it failed, which was said. */
    private async ask(name: string, settings: Settings): Promise<Start | null> {
        this.ears.busy(true);
        try {
            return (await this.engine.ask<Start>(name, settings)).json;
        } catch (error) {
            if (error instanceof EngineError && error.stale) this.ears.say("The map has changed meanwhile. Try again.");
            else this.ears.fail(error);
            return null;
        } finally {
            this.ears.busy(false);
        }
    }

    /** The same with progress and a way to end it. */
    private async long(words: string, run: (signal: AbortSignal) => Promise<Answer<Start>>): Promise<Start | null> {
        if (this.abort) return this.ears.say("Something else is under way. Wait for it, or cancel it."), null;
        const { signal } = (this.abort = new AbortController());
        const end = this.progress.begin(words);
        try {
            return (await run(signal)).json;
        } catch (error) {
            if (error instanceof EngineError && error.stale) this.ears.say("Cancelled.");
            else this.ears.fail(error);
            return null;
        } finally {
            this.abort = null;
            end();
        }
    }
}
