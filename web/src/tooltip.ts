// SPDX-License-Identifier: Apache-2.0
// What a mark or a link is, at once, beside the pointer.
import { element } from "./dom";
import { Picture } from "./scene";
import { count, counted, percent, plain } from "./words";

export class Tooltip {
    constructor(private readonly host: HTMLElement) {}

    hide(): void {
        this.host.hidden = true;
    }

    showMark(picture: Picture, i: number, hits: number | null, x: number, y: number, share: number | null = null): void {
        const lines = [`${counted(picture.size[i]!, "node")} · ${counted(picture.touching[i]!.length, "link")}`];
        const error = picture.error[i];
        if (error !== undefined && !Number.isNaN(error)) lines.push(`${percent(error, 1)} mistakes`);
        if (share !== null) lines.push(`${percent(share, 1)} selected`);
        if (hits) lines.push(`${counted(hits, "match", "matches")}`);
        this.show(plain(picture.info.names[i] ?? ""), lines, x, y);
    }

    showLink(picture: Picture, e: number, x: number, y: number): void {
        const name = (i: number) => plain(picture.info.names[i] ?? "");
        const lines = [`${count(picture.shared[e]!)} shared · ${counted(picture.crossing[e]!, "graph edge")} between`];
        this.show(`${name(picture.source[e]!)} – ${name(picture.target[e]!)}`, lines, x, y);
    }

    /** Says something beside a place. */
    show(title: string, lines: string[], x: number, y: number): void {
        this.host.replaceChildren(element("strong", {}, title), ...lines.map((line) => element("span", {}, line)));
        this.host.hidden = false;
        const room = this.host.parentElement!.getBoundingClientRect();
        const { offsetWidth: width, offsetHeight: height } = this.host;
        const left = x + 14 + width > room.width ? Math.max(4, x - width - 10) : x + 14;
        const top = y + 16 + height > room.height ? Math.max(4, y - height - 8) : y + 16;
        this.host.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    }
}
