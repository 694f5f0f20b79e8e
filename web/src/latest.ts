// SPDX-License-Identifier: Apache-2.0
// Questions that follow each other faster than they are answered: one is under way, the newest waits, those between are
// dropped.

export interface LatestEars<Q, A> {
    /** What it returns is waited for before the next question: whatever has to be asked about this answer. */
    answer(answer: A, question: Q, isNewest: boolean): void | Promise<unknown>;
    fail(error: unknown, question: Q): void;
    busy(isBusy: boolean): void;
}

export class Latest<Q, A> {
    private waiting: { question: Q } | null = null;
    private runs = false;
    private working: Promise<void> = Promise.resolve();

    constructor(private readonly run: (question: Q) => Promise<A>, private readonly ears: LatestEars<Q, A>) {}

    get isBusy(): boolean {
        return this.runs;
    }

    /** Asks this next. Settled when nothing waits any more. */
    want(question: Q): Promise<void> {
        this.waiting = { question };
        if (!this.runs) this.working = this.work();
        return this.working;
    }

    private async work(): Promise<void> {
        this.runs = true;
        this.ears.busy(true);
        while (this.waiting) {
            const { question } = this.waiting;
            this.waiting = null;
            try {
                const answer = await this.run(question);
                await this.ears.answer(answer, question, this.waiting === null);
            } catch (error) {
                this.ears.fail(error, question);
            }
        }
        this.runs = false;
        this.ears.busy(false);
    }
}
