// SPDX-License-Identifier: Apache-2.0
// The menu of the page: files of the map, other graphs, what can be copied.
import { copyText } from "./csv";
import { Engine } from "./engine";
import { fileItems } from "./files";
import { LevelEars } from "./levels";
import { MenuItem } from "./menu";
import { Start } from "./protocol";
import { Picture } from "./scene";
import { Voice } from "./voice";
import { counted } from "./words";

export interface PageMenuEars {
    picture(): Picture | null;
    letAllGo(): void;
    /** Asks for a file to open; null: the page cannot open one. */
    open: (() => void) | null;
    /** The address of the page as it is now. */
    address(): string;
}

export function pageItems(engine: Engine, start: Start, levels: LevelEars, voice: Voice, ears: PageMenuEars): MenuItem[] {
    const items = fileItems(engine, (error) => voice.fail(error));
    const pinned = ears.picture()?.pinned.reduce((n, one) => n + one, 0) ?? 0;
    if (pinned) items.push({ words: "Let all go", about: counted(pinned, "pinned cluster"), run: ears.letAllGo });
    if (ears.open) items.push({ words: "Open a file", about: "another graph, or drop it here", run: ears.open });
    if (start.opened) items.push({ words: "First graph", about: "that the program was started with", run: () => void levels.home() });
    items.push({ words: "Copy command", about: "dgm map, for a shell", run: () => void copyCommand(ears.picture()?.info.command ?? "", voice) });
    items.push({ words: "Copy address", about: "the page as it is now", run: () => void copyAddress(ears.address(), voice) });
    if (start.live) items.push({ words: "Stop the program", about: "ends dgm explore", run: () => void engine.ask("stop").catch(() => undefined) });
    return items;
}

/** What cannot be copied is said instead. */
async function copyCommand(command: string, voice: Voice): Promise<void> {
    voice.say((await copyText(command)) ? `Copied: ${command}` : command);
}

async function copyAddress(address: string, voice: Voice): Promise<void> {
    voice.say((await copyText(address)) ? "Copied the address." : address);
}
