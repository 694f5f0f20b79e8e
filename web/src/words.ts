// SPDX-License-Identifier: Apache-2.0
// Numbers and counts in words.

const whole = new Intl.NumberFormat("en-GB");

/** 12345 as 12,345. */
export function count(value: number): string {
    return whole.format(value);
}

/** "1 cluster", "12 clusters". */
export function counted(value: number, noun: string, plural = noun + "s"): string {
    return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** A number with three digits that matter; very large and very small ones with a power of ten. */
export function short(value: number): string {
    if (!Number.isFinite(value)) return "–";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e6 || size < 1e-3) return value.toExponential(1).replace("e+", "e").replace(/-/g, "−");
    const text = size >= 100 ? Math.round(value).toString() : Number(value.toPrecision(3)).toString();
    return text.replace("-", "−");
}

/** An end of a range; what is next to nothing in it is 0. */
export function end(value: number, low: number, high: number): string {
    return short(Math.abs(value) < (high - low) / 500 ? 0 : value);
}

/** 0.934 as "93%". Shares that are not quite nothing or all do not say so. */
export function percent(part: number, all: number): string {
    if (all <= 0) return "–";
    const share = (100 * part) / all;
    if (share > 0 && share < 1) return "<1%";
    if (share > 99 && share < 100) return ">99%";
    return `${Math.round(share)}%`;
}

/** Seconds as "12 ms" or "1.4 s". */
export function duration(seconds: number): string {
    return seconds < 1 ? `${Math.max(1, Math.round(1000 * seconds))} ms` : `${seconds.toFixed(1)} s`;
}

/** A name with underscores as blanks, for people. */
export function plain(name: string): string {
    return name.replace(/_/g, " ");
}
