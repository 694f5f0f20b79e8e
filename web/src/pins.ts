// SPDX-License-Identifier: Apache-2.0
// Marks that somebody has put where they are: they stay there in later pictures, until they are let go.
import { MapView } from "./canvas";
import { Engine } from "./engine";
import { Latest } from "./latest";
import { Settings } from "./protocol";
import { Picture } from "./scene";
import { plain } from "./words";

export interface PinEars {
    picture(): Picture | null;
    /** A mark is pinned by now. */
    pinned(mark: number): void;
    /** The map has to be drawn as the engine has it. */
    again(): void;
    announce(text: string): void;
    /** There is nothing to pin, or not this. */
    miss(isDust: boolean): void;
    fail(error: unknown): void;
}

export class Pins {
    private readonly latest: Latest<Settings, unknown>;

    constructor(engine: Engine, private readonly map: MapView, private readonly ears: PinEars) {
        this.latest = new Latest((settings) => engine.ask("pin", settings), {
            answer: () => undefined,
            fail: (error) => (ears.fail(error), ears.again()),
            busy: () => undefined,
        });
    }

    /** A mark was put somewhere. */
    put(mark: number, x: number, y: number): void {
        const picture = this.ears.picture()!;
        this.ask(picture, { cluster: String(picture.cluster[mark]), x: String(x), y: String(y) });
        this.ears.pinned(mark);
        this.ears.announce(`${nameOf(picture, mark)} is pinned`);
    }

    /** Lets a mark move again, or all of them. */
    letGo(mark = -1): void {
        const picture = this.ears.picture()!;
        this.ask(picture, { ...(mark >= 0 ? { cluster: String(picture.cluster[mark]) } : {}), off: "1" });
        this.ears.announce(mark >= 0 ? `${nameOf(picture, mark)} may move again` : "All clusters may move again");
        this.ears.again();
    }

    /** Pins the mark under the cursor, or the one that is selected, where it is; one that is pinned may move again. */
    toggle(): void {
        const picture = this.ears.picture(), { cursor, selected } = this.map.highlight;
        const mark = cursor >= 0 ? cursor : selected.size === 1 ? [...selected][0]! : -1;
        if (!picture || mark < 0) return this.ears.miss(false);
        if (picture.pile[mark]) return this.ears.miss(true);
        if (picture.pinned[mark]) return this.letGo(mark);
        this.map.setPinned(mark, true);
        this.put(mark, picture.x[mark]!, picture.y[mark]!);
    }

    private ask(picture: Picture, settings: Settings): void {
        this.latest.want({ serial: String(picture.info.serial), ...settings });
    }
}

function nameOf(picture: Picture, mark: number): string {
    return plain(picture.info.names[mark] ?? "");
}
