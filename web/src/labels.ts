// SPDX-License-Identifier: Apache-2.0
// Names on the map: the largest marks first, as many as fit without covering each other. What fits depends on the scale
// alone and not on where the camera stands, so that names do not flicker while the map is moved.

export interface Named {
    /** The place in pixels of the map at this scale, y downwards, and the radius of the mark. */
    x: number;
    y: number;
    radius: number;
    text: string;
    width: number;
}

export interface Label {
    index: number;
    /** The left end of the text and its middle, relative to the mark. */
    dx: number;
    dy: number;
}

interface Box {
    left: number;
    top: number;
    right: number;
    bottom: number;
}

const GAP = 4;
/** The same name is not said again within this many pixels. */
const ECHO = 150;

/** Chooses names. `marks` come with the most important first; at most `most` names are placed. No name covers one of the first
 * `blocking` discs. */
export function placeLabels(marks: Named[], height: number, most: number, blocking = 400): Label[] {
    const placed: Label[] = [];
    const boxes: Box[] = [];
    const said = new Map<string, [number, number][]>();
    const discs = marks.filter((mark) => mark.radius >= 5).slice(0, blocking);
    for (let index = 0; index < marks.length && placed.length < most; index++) {
        const mark = marks[index]!;
        const echoes = said.get(mark.text) ?? [];
        if (!mark.text || echoes.some(([x, y]) => Math.hypot(x - mark.x, y - mark.y) < ECHO)) continue;
        const spot = spots(mark, height).find((box) => isFree(box, boxes) && coversNoDisc(box, mark, discs));
        if (!spot) continue;
        boxes.push(spot);
        placed.push({ index, dx: spot.left - mark.x, dy: (spot.top + spot.bottom) / 2 - mark.y });
        echoes.push([mark.x, mark.y]);
        said.set(mark.text, echoes);
    }
    return placed;
}

/** Below the disc, else above, to the right, to the left. */
function spots(mark: Named, height: number): Box[] {
    const { x, y, width } = mark;
    const r = mark.radius + GAP;
    const at = (left: number, top: number): Box => ({ left, top, right: left + width, bottom: top + height });
    return [
        at(x - width / 2, y + r),
        at(x - width / 2, y - r - height),
        at(x + r, y - height / 2),
        at(x - r - width, y - height / 2),
    ];
}

function isFree(box: Box, boxes: Box[]): boolean {
    return boxes.every(
        (other) =>
            box.left > other.right + GAP || box.right < other.left - GAP ||
            box.top > other.bottom + 1 || box.bottom < other.top - 1,
    );
}

function coversNoDisc(box: Box, own: Named, discs: Named[]): boolean {
    return discs.every((disc) => {
        if (disc === own) return true;
        const dx = Math.max(box.left - disc.x, 0, disc.x - box.right);
        const dy = Math.max(box.top - disc.y, 0, disc.y - box.bottom);
        return dx * dx + dy * dy >= disc.radius * disc.radius * 0.8;
    });
}
