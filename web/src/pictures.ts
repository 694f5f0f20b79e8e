// SPDX-License-Identifier: Apache-2.0
// Asks for pictures of what is chosen: one at a time, the newest before all others, and none of a graph that is not shown
// any more.
import { Answer } from "./answer";
import { Choices } from "./choices";
import { Engine, EngineError } from "./engine";
import { Latest } from "./latest";
import { PictureInfo, Start } from "./protocol";
import { Choice } from "./state";

export interface Drawn {
    answer: Answer<PictureInfo>;
    /** The same by predictions, while both stand side by side. */
    twin: Answer<PictureInfo> | null;
    seconds: number;
}

export interface PicturesEars {
    isDark(): boolean;
    /** What it returns is waited for before the next picture: whatever has to be asked about this one. */
    show(drawn: Drawn, isNewest: boolean): Promise<unknown>;
    fail(error: unknown): void;
    busy(isBusy: boolean): void;
}

export class Pictures {
    private split = false;
    private readonly latest: Latest<Choice, Drawn>;
    /** Counts the graphs that were begun on: what is about an earlier one comes too late. */
    private turn = 0;

    constructor(private readonly engine: Engine, private readonly start: Start, private readonly choices: Choices, private readonly ears: PicturesEars) {
        this.latest = new Latest((choice) => this.draw(choice), {
            answer: (drawn, _, isNewest) => ears.show(drawn, isNewest),
            fail: (error) => ears.fail(error),
            busy: (isBusy) => ears.busy(isBusy),
        });
    }

    get isBusy(): boolean {
        return this.latest.isBusy;
    }

    /** Whether truth and prediction stand side by side. */
    get isSplit(): boolean {
        return this.split;
    }

    get canSplit(): boolean {
        return this.start.predictions && this.start.classes.length > 0;
    }

    /** Puts them side by side where there are both, or not any more. */
    setSplit(isWanted: boolean): void {
        this.split = isWanted && this.canSplit;
    }

    /** Asks for a picture of what is chosen. */
    want(): void {
        void this.latest.want(this.choices.current);
    }

    /** What is under way is about another graph. */
    forget(): void {
        this.turn++;
    }

    private async draw(choice: Choice): Promise<Drawn> {
        const { turn } = this;
        const drawn = await this.drawNow(choice);
        if (turn !== this.turn) throw new EngineError("Another graph is shown by now.", 409, null);
        return drawn;
    }

    private async drawNow(choice: Choice): Promise<Drawn> {
        const began = performance.now();
        const settings = { ...this.choices.ofMap(choice), theme: this.ears.isDark() ? "dark" : "light" };
        const paint = (colour: string) => this.engine.ask<PictureInfo>("picture", { ...settings, colour });
        const twin = this.isSplit ? await paint("prediction") : null;
        const answer = this.isSplit ? await paint("labels") : await this.engine.ask<PictureInfo>("picture", settings);
        return { answer, twin, seconds: (performance.now() - began) / 1000 };
    }
}
