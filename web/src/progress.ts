// SPDX-License-Identifier: Apache-2.0
// Long work and how far it is: a line over the map, with a way to end it.
import { element } from "./dom";
import { percent } from "./words";

export class Progress {
    private readonly stage: HTMLElement;
    private readonly bar: HTMLProgressElement;
    private count = 0;

    constructor(private readonly host: HTMLElement, cancel: () => void) {
        this.stage = element("span", { class: "stage" });
        this.bar = element("progress", { max: 1, "aria-label": "Progress" });
        host.append(this.stage, this.bar, element("button", { type: "button", class: "small", id: "cancel", onclick: cancel }, "Cancel"));
    }

    /** Returns what ends it; the newest work alone is shown. */
    begin(words: string): () => void {
        const own = ++this.count;
        this.host.hidden = false;
        this.stage.textContent = words;
        this.bar.removeAttribute("value");
        return () => {
            if (own === this.count) this.host.hidden = true;
        };
    }

    /** Heard from the engine; counts only while something is under way. */
    report(stage: string, fraction: number | null): void {
        if (this.host.hidden) return;
        this.stage.textContent = fraction === null ? stage : `${stage} · ${percent(fraction, 1)}`;
        if (fraction === null) this.bar.removeAttribute("value");
        else this.bar.value = fraction;
    }
}

/** A mark over the map for questions that are not answered at once, without a word on how far they are. */
export class Busy {
    private timer = 0;

    /** `isTold`: whether something else says that there is work under way. */
    constructor(private readonly host: HTMLElement, private readonly isTold: () => boolean) {}

    show(isBusy: boolean): void {
        clearTimeout(this.timer);
        if (isBusy) this.timer = window.setTimeout(() => (this.host.hidden = this.isTold()), 250);
        else this.host.hidden = true;
        document.body.dataset["busy"] = String(isBusy);
    }
}
