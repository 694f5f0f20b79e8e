// SPDX-License-Identifier: Apache-2.0
// A slider with its number beside it: both say the same, and either can be moved by keys.
import { element } from "./dom";

export interface SliderShape {
    id: string;
    label: string;
    help: string;
    low: number;
    high: number;
    /** How far the slider may grow where a larger value is given. */
    limit: number;
    step: number;
    /** Even steps, or steps that grow with the value. */
    scale: "linear" | "log";
    whole: boolean;
    change(value: number): void;
}

const STEPS = 240;

export class Slider {
    readonly root: HTMLElement;
    private readonly range: HTMLInputElement;
    private readonly box: HTMLInputElement;
    private readonly fault: HTMLElement;
    private value = NaN;

    constructor(private readonly shape: SliderShape) {
        const { id, label, help } = shape;
        this.range = element("input", { type: "range", id, name: id, "aria-describedby": `${id}-help`, oninput: () => this.slid() });
        this.box = element("input", {
            type: "text", inputmode: "decimal", class: "number", "aria-label": `${label}, as a number`, autocomplete: "off",
            onchange: () => this.typed(),
        });
        this.fault = element("div", { class: "fault", role: "alert" });
        this.bound();
        this.root = element(
            "div", { class: "control slider", title: help, "data-option": id },
            element("label", { for: id }, label), this.box, this.range, this.fault,
            element("span", { id: `${id}-help`, class: "hidden" }, help),
        );
    }

    private bound(): void {
        const { low, high, step, scale } = this.shape;
        this.range.min = String(scale === "log" ? 0 : low);
        this.range.max = String(scale === "log" ? STEPS : high);
        this.range.step = String(scale === "log" ? 1 : step);
    }

    private fromRange(): number {
        const at = Number(this.range.value);
        const { low, high, scale, whole } = this.shape;
        if (scale === "linear") return at;
        const value = low * (high / low) ** (at / STEPS);
        return whole ? Math.round(value) : Number(value.toPrecision(3));
    }

    private toRange(value: number): number {
        const { low, high, scale } = this.shape;
        return scale === "linear" ? value : (STEPS * Math.log(Math.max(low, value) / low)) / Math.log(high / low);
    }

    private slid(): void {
        this.take(this.fromRange());
        this.shape.change(this.value);
    }

    private typed(): void {
        const value = Number(this.box.value.replace(",", "."));
        const isNumber = Number.isFinite(value) && this.box.value.trim() !== "";
        this.set(isNumber ? (this.shape.whole ? Math.round(value) : value) : this.value);
        this.box.value = String(this.value);
        if (!isNumber) return;
        this.shape.change(this.value);
    }

    private take(value: number): void {
        this.value = value;
        const text = String(Number(value.toPrecision(6)));
        // What somebody is typing is left alone.
        if (document.activeElement !== this.box) this.box.value = text;
        this.range.setAttribute("aria-valuetext", text);
        const { min, max } = this.range;
        const share = (this.toRange(value) - Number(min)) / (Number(max) - Number(min));
        this.range.style.setProperty("--filled", `${Math.round(1000 * Math.min(1, Math.max(0, share))) / 10}%`);
        this.say("");
    }

    /** Shows a value. One beyond the end makes the slider longer, up to its limit. */
    set(value: number): void {
        if (!Number.isFinite(value)) return;
        if (value > this.shape.high && value <= this.shape.limit) (this.shape.high = value), this.bound();
        this.range.value = String(this.toRange(value));
        this.take(value);
    }

    say(fault: string): void {
        this.fault.textContent = fault;
        this.range.setAttribute("aria-invalid", String(fault !== ""));
    }
}
