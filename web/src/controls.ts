// SPDX-License-Identifier: Apache-2.0
// The controls, made from the option tables of the engine. What a first look needs has sliders and buttons; everything
// else that a picture takes is a plain field under "More".
import { COVERS, coverRange, joinAxes, perAxis, readCover, writeCover } from "./cover";
import { element } from "./dom";
import { Axis, Option, Settings, Start } from "./protocol";
import { Slider } from "./slider";

export interface ControlEars {
    change(name: string, value: string): void;
    changeLens(name: string, value: string): void;
}

/** Options that have a place of their own, or none. */
const PLACED = new Set(["intervals", "overlap", "cover", "edges", "eps", "colour", "theme", "transform"]);

const WORDS: { [name: string]: string } = {
    "min-size": "Smallest cluster", "min-component": "Smallest piece", "dust-size": "Dust is below", compat: "Cover rule",
    cluster: "Clustering", strength: "Link strength", attach: "Attach small ones", names: "Names in files", dpi: "Dots per inch",
    mixture: "Mixed classes", weights: "Membership", dim: "Axes", dust: "Dust", transform: "Transform", reduce: "Reduction",
};

export function wordsOf(name: string): string {
    return WORDS[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replace(/-/g, " ");
}

export class Controls {
    private settings: Settings = {};
    private lens: Settings = {};
    private axes: Axis[];
    private splitAxes: { [name: string]: boolean } = {};
    private readonly options = new Map<string, Option>();
    /** What brings a control up to date with the settings. */
    private readonly refreshers: (() => void)[] = [];
    private sliders = new Map<string, Slider>();

    constructor(private readonly host: HTMLElement, private readonly start: Start, private readonly ears: ControlEars) {
        this.axes = start.lens.axes;
        for (const option of start.options) this.options.set(option.name, option);
        host.append(
            this.section("Lens", "What the nodes are sorted by", this.lensPart()),
            this.section("Cover", "How finely the lens is cut", this.coverPart()),
            this.section("Links", "What joins two clusters", this.linkPart()),
            this.section("Colour", "What colours say", this.colourPart()),
            ...this.moreParts(),
        );
    }

    /** Shows settings as they are now. */
    update(settings: Settings, lens: Settings, axes: Axis[]): void {
        this.settings = settings;
        this.lens = lens;
        this.axes = axes;
        for (const refresh of this.refreshers) refresh();
    }

    /** Says beside a control why its value was refused; false where there is no such control. */
    fault(name: string, message: string): boolean {
        const sliders = [...this.sliders].filter(([key]) => key === name || key.startsWith(`${name}-`));
        for (const [, slider] of sliders) slider.say(message);
        const field = this.host.querySelector(`[data-option="${CSS.escape(name)}"] .fault`);
        if (field) field.textContent = message;
        return sliders.length > 0 || field !== null;
    }

    clearFaults(): void {
        for (const said of this.host.querySelectorAll(".fault")) said.textContent = "";
        for (const slider of this.sliders.values()) slider.say("");
    }

    private value(name: string, otherwise = ""): string {
        return this.settings[name] ?? this.options.get(name)?.default ?? otherwise;
    }

    private section(title: string, hint: string, ...parts: (HTMLElement | null)[]): HTMLElement {
        const shown = parts.filter((part): part is HTMLElement => part !== null);
        return element("section", { class: "group", "aria-label": title }, element("h2", { title: hint }, title), ...shown);
    }

    // ---- lens ----

    private lensPart(): HTMLElement {
        const about = element("p", { class: "about" });
        this.refreshers.push(() => {
            about.textContent = this.axes.length > 1 ? `Axes: ${this.axes.map((axis) => axis.name).join(", ")}` : "";
            about.hidden = this.axes.length < 2;
        });
        if (!this.start.live) {
            const name = element("p", { class: "fixed" });
            this.refreshers.push(() => (name.textContent = this.lens["lens"] ?? this.start.lens.name));
            return element("div", {}, name, about);
        }
        const first = (option: Option) => ["lens", "transform"].includes(option.name);
        const options = this.start.lens_options ?? [];
        const rest = options.filter((option) => !first(option)).map((option) => this.lensControl(option));
        return element(
            "div", {}, ...options.filter(first).map((option) => this.lensControl(option)), about,
            rest.length > 0 && element("details", { class: "more" }, element("summary", {}, "More of the lens"), ...rest),
        );
    }

    private lensControl(option: Option): HTMLElement {
        if (option.name === "lens") return this.lensSelect(option);
        const choices = option.name === "reduce" ? (this.start.reductions ?? []).map((one) => one.name) : option.choices;
        const get = () => this.lens[option.name] ?? option.default ?? "";
        const put = (value: string) => this.ears.changeLens(option.name, value);
        return choices ? this.select(option, choices.map((value) => [value, value]), get, put) : this.field(option, get, put);
    }

    private lensSelect(option: Option): HTMLElement {
        const numbers = this.start.attributes.filter((one) => one.kind === "number");
        const known = (this.start.lenses ?? []).filter((one) => one.name !== "attr" && (!one.needs_labels || this.start.classes.length > 0));
        const select: HTMLSelectElement = element("select", { id: "lens", "aria-label": "Lens", onchange: () => this.ears.changeLens("lens", select.value) });
        const group = (title: string, rows: { name: string; help?: string }[]) =>
            rows.length && select.append(element("optgroup", { label: title }, ...rows.map((row) => element("option", { value: row.name, title: row.help }, row.name))));
        group("Measures of the graph", known.filter((one) => !one.network));
        group("Attributes of the file", numbers.map((one) => ({ name: `attr:${one.name}` })));
        group("Trained networks", known.filter((one) => one.network));
        this.refreshers.push(() => {
            const value = this.lens["lens"] ?? "";
            showChoice(select, value);
            const help = this.start.lenses?.find((one) => one.name === value.split(":")[0])?.help;
            select.title = help ? `${value}: ${help}` : option.help;
        });
        return element("div", { class: "control", "data-option": "lens" }, select, element("div", { class: "fault", role: "alert" }));
    }

    // ---- cover ----

    private coverPart(): HTMLElement {
        const part = element("div", {});
        if (this.options.has("cover")) part.append(this.coverKind());
        const numbers = element("div", {});
        part.append(numbers);
        let made = "";
        this.refreshers.push(() => {
            const shape = this.coverShape();
            if (shape !== made) numbers.replaceChildren(...this.coverSliders());
            made = shape;
            this.refreshSliders();
        });
        return part;
    }

    private coverKind(): HTMLElement {
        const select: HTMLSelectElement = element("select", { id: "cover", "aria-label": "Kind of cover", onchange: () => this.setCoverKind(select.value) });
        this.refreshers.push(() => {
            const text = this.value("cover", "uniform");
            const { kind } = readCover(text);
            const rows = COVERS.filter((row) => row.uses !== "nothing" || this.axes.length === 1 || row.kind === kind);
            offer(select, rows.map((row) => [row.kind, row.words]));
            showChoice(select, rows.some((row) => row.kind === kind) ? kind : text);
            select.title = COVERS.find((row) => row.kind === kind)?.help ?? "";
        });
        return element("div", { class: "control", "data-option": "cover" }, select, element("div", { class: "fault", role: "alert" }));
    }

    private setCoverKind(kind: string): void {
        this.ears.change("cover", writeCover(kind, coverRange(kind, this.start.nodes).start));
    }

    /** What decides which sliders there are. */
    private coverShape(): string {
        const { kind } = readCover(this.value("cover", "uniform"));
        return [kind, this.axes.map((axis) => axis.name).join(), this.isSplit("intervals"), this.isSplit("overlap")].join("|");
    }

    private coverSliders(): HTMLElement[] {
        this.sliders = new Map([...this.sliders].filter(([key]) => key === "eps"));
        const row = COVERS.find((one) => one.kind === readCover(this.value("cover", "uniform")).kind);
        const parts: HTMLElement[] = [];
        if (row?.uses === "number") parts.push(this.coverNumber(row.kind, row.label, row.help));
        if (row?.uses === "intervals" && this.options.has("intervals")) parts.push(this.axisSliders("intervals", "Intervals", 1, this.axes.length > 1 ? 30 : 60, 1));
        if ((row?.overlaps ?? true) && this.options.has("overlap")) parts.push(this.axisSliders("overlap", "Overlap", 0, 0.9, 0.01));
        return parts;
    }

    private coverNumber(kind: string, label: string, help: string): HTMLElement {
        const range = coverRange(kind, this.start.nodes);
        const slider = new Slider({
            id: "cover-number", label, help, low: range.low, high: range.high, limit: Infinity, step: 1, scale: "log", whole: range.whole,
            change: (value) => this.ears.change("cover", writeCover(kind, value)),
        });
        this.sliders.set("cover-number", slider);
        return slider.root;
    }

    private isSplit(name: string): boolean {
        return this.axes.length > 1 && (this.splitAxes[name] ?? this.value(name).includes(","));
    }

    /** One slider for all axes, or one for each. */
    private axisSliders(name: string, label: string, low: number, high: number, step: number): HTMLElement {
        const split = this.isSplit(name);
        const help = this.options.get(name)?.help ?? "";
        const whole = step === 1;
        const make = (id: string, words: string, change: (value: number) => void) => {
            const slider = new Slider({ id, label: words, help, low, high, limit: whole ? 1000 : 0.99, step, scale: "linear", whole, change });
            this.sliders.set(id, slider);
            return slider.root;
        };
        const sliders = split
            ? this.axes.map((axis, k) => make(`${name}-${k}`, `${label}, ${axis.name}`, (value) => this.setAxis(name, k, value)))
            : [make(name, label, (value) => this.ears.change(name, String(value)))];
        return element("div", { class: "axes" }, ...sliders, this.axes.length > 1 && this.splitSwitch(name, label, split));
    }

    private splitSwitch(name: string, label: string, split: boolean): HTMLElement {
        const box: HTMLInputElement = element("input", {
            type: "checkbox", checked: split,
            onchange: () => {
                this.splitAxes[name] = box.checked;
                if (!box.checked) this.ears.change(name, String(this.axisValues(name)[0]));
                this.update(this.settings, this.lens, this.axes);
            },
        });
        return element("label", { class: "switch" }, box, `${label} per axis`);
    }

    private axisValues(name: string): number[] {
        return perAxis(this.value(name), this.axes.length, name === "overlap" ? 0.2 : 10);
    }

    private setAxis(name: string, k: number, value: number): void {
        const values = this.axisValues(name);
        values[k] = value;
        this.ears.change(name, joinAxes(values));
    }

    private refreshSliders(): void {
        for (const name of ["intervals", "overlap"]) {
            const values = this.axisValues(name);
            this.sliders.get(name)?.set(values[0]!);
            values.forEach((value, k) => this.sliders.get(`${name}-${k}`)?.set(value));
        }
        const { number } = readCover(this.value("cover", "uniform"));
        if (number !== null) this.sliders.get("cover-number")?.set(number);
    }

    // ---- links, colour ----

    private linkPart(): HTMLElement {
        const part = element("div", {});
        const edges = this.options.get("edges");
        if (edges) part.append(this.segments(edges, { nerve: "shared nodes", structural: "graph edges" }));
        const eps = this.options.get("eps");
        if (eps) part.append(this.epsSlider(eps));
        return part;
    }

    private epsSlider(eps: Option): HTMLElement {
        const slider = new Slider({
            id: "eps", label: "Weakest link", help: eps.help, low: 0, high: 0.5, limit: 1, step: 0.005, scale: "linear", whole: false,
            change: (value) => this.ears.change("eps", String(value)),
        });
        this.sliders.set("eps", slider);
        this.refreshers.push(() => {
            slider.root.hidden = this.value("edges", "nerve") !== "structural";
            slider.set(Number(this.value("eps", "0")));
        });
        return slider.root;
    }

    private segments(option: Option, words: { [value: string]: string }): HTMLElement {
        const buttons = (option.choices ?? []).map((value) => {
            const input = element("input", { type: "radio", name: option.name, value, onchange: () => this.ears.change(option.name, value) });
            this.refreshers.push(() => (input.checked = this.value(option.name) === value));
            return element("label", {}, input, element("span", {}, words[value] ?? value));
        });
        return element("div", { class: "segments", role: "radiogroup", "aria-label": wordsOf(option.name), title: option.help }, ...buttons);
    }

    private colourPart(): HTMLElement {
        const select: HTMLSelectElement = element("select", { id: "colour", "aria-label": "Colour by", onchange: () => this.ears.change("colour", select.value) });
        this.refreshers.push(() => {
            offer(select, this.start.colours.map((colour) => [colour.value, colour.words]));
            showChoice(select, this.value("colour", "lens"));
        });
        return element("div", { class: "control", "data-option": "colour" }, select, element("div", { class: "fault", role: "alert" }));
    }

    // ---- everything else ----

    private moreParts(): HTMLElement[] {
        const groups = new Map<string, Option[]>();
        for (const option of this.start.options) {
            if (PLACED.has(option.name) || this.start.lens_options?.some((one) => one.name === option.name)) continue;
            const title = groupOf(option);
            groups.set(title, [...(groups.get(title) ?? []), option]);
        }
        return [...groups].map(([title, options]) => {
            const parts = options.map((option) => this.control(option));
            return element("details", { class: "group more" }, element("summary", {}, title), ...parts);
        });
    }

    private control(option: Option): HTMLElement {
        const get = () => this.value(option.name);
        const put = (value: string) => this.ears.change(option.name, value);
        if (option.kind === "flag") return this.flag(option, get, put);
        if (option.kind === "choice" && option.choices) return this.select(option, option.choices.map((value) => [value, value]), get, put);
        return this.field(option, get, put);
    }

    private row(option: Option, field: HTMLElement): HTMLElement {
        field.id = `option-${option.name}`;
        return element(
            "div", { class: "control row", title: option.help, "data-option": option.name },
            element("label", { for: field.id }, wordsOf(option.name)), field, element("div", { class: "fault", role: "alert" }),
        );
    }

    private flag(option: Option, get: () => string, put: (value: string) => void): HTMLElement {
        const box: HTMLInputElement = element("input", { type: "checkbox", onchange: () => put(box.checked ? "true" : "false") });
        this.refreshers.push(() => (box.checked = get() === "true"));
        return this.row(option, box);
    }

    private select(option: Option, rows: [string, string][], get: () => string, put: (value: string) => void): HTMLElement {
        const select: HTMLSelectElement = element("select", { onchange: () => put(select.value) });
        for (const [value, words] of rows) select.append(element("option", { value }, words));
        this.refreshers.push(() => showChoice(select, get()));
        return this.row(option, select);
    }

    private field(option: Option, get: () => string, put: (value: string) => void): HTMLElement {
        const box: HTMLInputElement = element("input", {
            type: "text", autocomplete: "off", spellcheck: "false", class: option.kind === "text" ? "text" : "number",
            onchange: () => put(box.value.trim()),
        });
        this.refreshers.push(() => {
            if (document.activeElement !== box) box.value = get();
        });
        return this.row(option, box);
    }
}

/** What is drawn on the map, or only in files of it. */
const ON_MAP = new Set(["layout", "dust", "dust-size", "colormap", "threshold"]);

function groupOf(option: Option): string {
    if (option.group === "Mapper") return "More of the clusters";
    if (option.group === "Figures") return ON_MAP.has(option.name) ? "More of the map" : "Figures as files";
    return `More: ${option.group.toLowerCase()}`;
}

/** Gives a select its choices, if they are others than it has: one that is open would close. */
function offer(select: HTMLSelectElement, rows: [string, string][]): void {
    const key = JSON.stringify(rows);
    if (select.dataset["rows"] === key) return;
    select.dataset["rows"] = key;
    select.replaceChildren(...rows.map(([value, words]) => element("option", { value }, words)));
}

/** Chooses a value in a select; one that it does not offer is added. */
function showChoice(select: HTMLSelectElement, value: string): void {
    if (![...select.options].some((option) => option.value === value)) {
        select.querySelector("option[data-added]")?.remove();
        select.append(element("option", { value, "data-added": true }, value || "automatic"));
    }
    select.value = value;
}
