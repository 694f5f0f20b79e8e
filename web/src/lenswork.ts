// SPDX-License-Identifier: Apache-2.0
// The lens that the engine has, and the one that is being computed while the map goes on with the first.
import { Engine } from "./engine";
import { Progress } from "./progress";
import { Lens, Settings } from "./protocol";
import { differ } from "./state";

export interface LensEars {
    /** Settled when it is known whether another graph comes. */
    settled(): Promise<void>;
    /** The lens that was asked for is there; waited for. */
    there(asked: Settings): Promise<void>;
    /** It is not, and the one before it still holds. */
    failed(cause: unknown): void;
    cancel(): void;
}

/** What is remembered of a lens while another graph is shown. */
export interface LensState {
    lens: Lens;
    asked: Settings;
}

export class LensWork {
    /** The lens that the engine has, and by which settings it was asked for. */
    private now!: LensState;
    /** Counts the graphs that were begun on: what is about an earlier one comes too late. */
    private turn = 0;
    private runs: { asked: Settings; end: () => void } | null = null;

    constructor(private readonly engine: Engine, private readonly progress: Progress, private readonly ears: LensEars) {}

    get state(): LensState {
        return this.now;
    }

    get isBusy(): boolean {
        return this.runs !== null;
    }

    /** The engine has another graph, with this lens; it has ended what was under way. `asked`: where other words than its own
     * name the lens. */
    begin(lens: Lens, asked: Settings = lens.settings): void {
        this.turn++;
        if (this.runs) this.end();
        this.now = { lens, asked: { ...asked } };
    }

    /** Has a lens computed, if it is not there; true while pictures wait for it. */
    follow(wanted: Settings): boolean {
        if (!differ(wanted, this.now.asked)) {
            if (this.runs) this.ears.cancel();
            return false;
        }
        if (!this.runs || differ(wanted, this.runs.asked)) void this.ask({ ...wanted });
        return true;
    }

    /** Asks for a lens; a newer question ends this one, and its answer then counts no more. */
    private async ask(asked: Settings): Promise<void> {
        const own = (this.runs = { asked, end: this.progress.begin(`Computing ${asked["lens"] ?? "the lens"}`) });
        const { turn } = this;
        document.body.dataset["lens"] = "runs";
        try {
            const { json } = await this.engine.ask<{ lens: Lens }>("lens", asked);
            if (turn !== this.turn) return;
            this.now = { lens: json.lens, asked };
            await this.ears.there(asked);
            if (this.runs === own) this.end();
        } catch (error) {
            // The engine ends a lens when it is asked for another graph, and may say so before that graph is there.
            await this.ears.settled();
            if (this.runs !== own) return;
            this.end();
            this.ears.failed(error);
        }
    }

    private end(): void {
        this.runs?.end();
        this.runs = null;
        document.body.dataset["lens"] = "there";
    }
}
