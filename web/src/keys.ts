// SPDX-License-Identifier: Apache-2.0
// Keys that hold everywhere on the page.
import { byId } from "./dom";
import { Page } from "./page";

export function listenToKeys(page: Page, actions: { [key: string]: () => void }): void {
    document.addEventListener("keydown", (event) => {
        if (byId<HTMLDialogElement>("help-dialog").open) return;
        const typing = isTyping(event.target);
        if ((event.ctrlKey || event.metaKey) && !event.altKey && !typing) return history(page, event);
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.key === "Escape") return page.escape();
        const action = typing ? undefined : actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (!action) return;
        event.preventDefault();
        action();
    });
}

function history(page: Page, event: KeyboardEvent): void {
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) page.undo();
    else if (key === "y" || (key === "z" && event.shiftKey)) page.redo();
    else return;
    event.preventDefault();
}

function isTyping(target: EventTarget | null): boolean {
    if (target instanceof HTMLInputElement) return !["range", "checkbox", "radio", "button"].includes(target.type);
    return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
