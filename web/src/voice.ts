// SPDX-License-Identifier: Apache-2.0
// What the page says: messages that all see for a while, and words for those who listen.
import { byId } from "./dom";
import { EngineError } from "./engine";
import { Messages } from "./menu";

export const NOTHING_SELECTED = "Select a cluster first.";

export class Voice {
    private readonly messages = new Messages(byId("message"));

    say(text: string): void {
        this.messages.say(text);
    }

    /** Says what went wrong. An answer that came too late is no mistake. */
    fail(error: unknown): void {
        if (error instanceof EngineError && error.stale) return;
        this.messages.say(error instanceof Error ? error.message : String(error), "fault");
    }

    /** For those who do not see the page. */
    announce(text: string): void {
        byId("live").textContent = text;
    }

    /** The program has ended, and nobody answers any more. */
    stopped(): void {
        document.body.classList.add("stopped");
        this.announce("The program has stopped.");
        byId("hint").replaceChildren("The program has stopped. What is on screen stays; start dgm explore again to go on.");
        byId("hint").hidden = false;
    }
}
