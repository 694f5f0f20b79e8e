// SPDX-License-Identifier: Apache-2.0
// A graph file that is dropped on the page, or chosen from the menu, opens.
import { byId, element } from "./dom";

export interface OpenEars {
    /** False: the page is a file without a program behind it. */
    canOpen(): boolean;
    open(file: File): void;
    refuse(words: string): void;
}

/** The most that the engine takes. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Why a file cannot be opened, in words, or null where it can be tried. */
export function refusal(file: { name: string; size: number } | undefined, count: number, isFolder: boolean, canOpen: boolean): string | null {
    if (!canOpen) return "This page is a file of its own. To open another graph, start the program: dgm explore GRAPH.";
    if (isFolder) return "A folder cannot be dropped here. Start the program with it: dgm explore FOLDER.";
    if (!file) return "What was dropped is no file.";
    if (count > 1) return "Drop one file at a time.";
    if (file.size === 0) return `${file.name} is empty.`;
    if (file.size > MOST_BYTES) return `${file.name} has more than 256 MB. Start the program with it: dgm explore ${file.name}`;
    return null;
}

export class Opener {
    private readonly veil: HTMLElement;
    private readonly words: HTMLElement;
    private readonly input: HTMLInputElement;
    /** Elements that the pointer has entered and not left: it comes and goes with each child. */
    private depth = 0;

    constructor(private readonly ears: OpenEars) {
        this.words = element("p", {});
        this.veil = element("div", { id: "drop", hidden: true, "aria-hidden": "true" }, this.words);
        this.input = element("input", { type: "file", id: "open-file", class: "hidden", tabindex: -1, "aria-label": "Graph file", onchange: () => this.chosen() });
        document.body.append(this.veil, this.input);
        document.addEventListener("dragenter", (event) => this.drag(event, 1));
        document.addEventListener("dragleave", (event) => this.drag(event, -1));
        document.addEventListener("dragover", (event) => this.over(event));
        document.addEventListener("drop", (event) => this.drop(event));
    }

    /** Asks for a file, for those who drop none. */
    ask(): void {
        this.input.value = "";
        this.input.click();
    }

    private chosen(): void {
        this.take(this.input.files?.[0], this.input.files?.length ?? 0, false);
    }

    private drag(event: DragEvent, step: number): void {
        if (!hasFiles(event)) return;
        event.preventDefault();
        this.depth = Math.max(0, this.depth + step);
        this.words.textContent = this.ears.canOpen() ? "Drop a graph file to open it" : "Other graphs need the program: dgm explore GRAPH";
        this.veil.hidden = this.depth === 0;
    }

    private over(event: DragEvent): void {
        if (!hasFiles(event)) return;
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = this.ears.canOpen() ? "copy" : "none";
    }

    private drop(event: DragEvent): void {
        if (!hasFiles(event)) return;
        event.preventDefault();
        this.depth = 0;
        this.veil.hidden = true;
        const data = event.dataTransfer!;
        const isFolder = [...data.items].some((item) => item.webkitGetAsEntry?.()?.isDirectory);
        this.take(data.files[0], data.files.length, isFolder);
    }

    private take(file: File | undefined, count: number, isFolder: boolean): void {
        const words = refusal(file, count, isFolder, this.ears.canOpen());
        if (words !== null) this.ears.refuse(words);
        else this.ears.open(file!);
        byId("map").focus({ preventScroll: true });
    }
}

function hasFiles(event: DragEvent): boolean {
    return event.dataTransfer?.types.includes("Files") ?? false;
}
