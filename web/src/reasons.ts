// SPDX-License-Identifier: Apache-2.0
// Why the page begins as it does, and what else was tried: candidates to click.
import { element } from "./dom";
import { Candidate, Settings, Start } from "./protocol";
import { thumb } from "./thumb";

/** The lens in few words: "eigen, rank". */
export function lensWords(settings: Settings): string {
    return [settings["lens"]?.split(":")[0], settings["transform"]].filter((part) => part && part !== "none").join(", ");
}

/** The cover in few words: "5 intervals · overlap 0.5". Where cells are the parts of a lens, what the lens was told. */
export function coverWords(settings: Settings): string {
    if (settings["cover"]?.startsWith("parts")) return (settings["lens"]?.split(":")[1] ?? "").replaceAll("=", " ") || "parts";
    const cover = settings["cover"] && !["uniform", "quantile"].includes(settings["cover"]);
    const parts = [
        cover ? settings["cover"]!.replace(/:.*=/, " ") : settings["intervals"] && `${settings["intervals"]} intervals`,
        settings["overlap"] && `overlap ${settings["overlap"]}`,
    ];
    return parts.filter(Boolean).join(" · ");
}

/** The settings of a candidate, with those of the cover that it does not name as they are by default. */
export function wholeSettings(start: Start, candidate: Candidate): Settings {
    const whole: Settings = candidate.settings["lens"] ? { transform: "none" } : {};
    for (const option of start.options)
        if (["cover", "intervals", "overlap", "edges", "pieces"].includes(option.name) && option.default !== null) whole[option.name] = option.default;
    return { ...whole, ...candidate.settings };
}

/** Candidates through another lens need a program that computes it. */
export function usable(start: Start): Candidate[] {
    const { lens, transform } = start.lens.settings;
    const isSame = (one: Candidate) => one.settings["lens"] === lens && (one.settings["transform"] ?? "none") === (transform ?? "none");
    return start.live ? start.candidates : start.candidates.filter(isSame);
}

export class Reasons {
    private readonly rows: { button: HTMLElement; candidate: Candidate }[] = [];

    constructor(host: HTMLElement, private readonly start: Start, choose: (candidate: Candidate) => void) {
        const candidates = usable(start);
        host.hidden = !start.reason && !candidates.length;
        if (host.hidden) return;
        host.append(element("h2", {}, "Chosen for this graph"));
        const reason = start.reason && start.reason.charAt(0).toUpperCase() + start.reason.slice(1) + ".";
        if (reason) host.append(element("p", { class: "reason", title: reason }, reason));
        for (const candidate of candidates.slice(0, 8)) this.rows.push({ button: this.row(candidate, choose), candidate });
        if (!this.rows.length) return;
        const list = element("ul", {}, ...this.rows.map(({ button }) => element("li", {}, button)));
        const hasPictures = this.rows.some(({ candidate }) => candidate.picture);
        const details = element("details", { class: hasPictures ? "pictured" : "", open: hasPictures }, element("summary", {}, `Candidates (${this.rows.length})`), list);
        host.append(details);
    }

    private row(candidate: Candidate, choose: (candidate: Candidate) => void): HTMLElement {
        const fill = element("i", {});
        const most = Math.max(...usable(this.start).map((one) => one.score));
        fill.style.width = `${most > 0 ? Math.round(100 * Math.max(0, candidate.score / most)) : 0}%`;
        return element(
            "button", { type: "button", class: candidate.picture ? "candidate pictured" : "candidate", title: candidate.reason, onclick: () => choose(candidate) },
            candidate.picture ? thumb(candidate.picture, 116, 78) : null,
            element("span", { class: "name" }, lensWords(candidate.settings)),
            element("span", { class: "score" }, candidate.score.toFixed(2)), element("span", { class: "about" }, coverWords(candidate.settings)),
            element("span", { class: "meter" }, fill),
        );
    }

    /** Marks the candidate whose settings are shown. */
    update(settings: Settings, lens: Settings): void {
        const now = { ...settings, ...lens };
        for (const { button, candidate } of this.rows) {
            const whole = Object.entries(wholeSettings(this.start, candidate));
            const same = whole.every(([name, value]) => now[name] === value || (name === "intervals" && candidate.settings["intervals"] === undefined));
            button.setAttribute("aria-pressed", String(same));
        }
    }
}
