// SPDX-License-Identifier: Apache-2.0
// A small world for tests of the page: a graph in the plane (a ring with two arms, and an island), and a Mapper of few
// lines over it. Its names are as hostile as names can be.

const CLASSES = ["North", "East_Side", "South", "West", "Island"];
const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#56b4e9", "#d55e00"];
const HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "=1+1", "@sum(a1)", "\"quoted\", name", "a&b<i>"];

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function randomFrom(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

function placeOf(i, random) {
    const noise = () => 0.28 * (random() + random() - 1);
    if (i < 560) {
        const angle = 2 * Math.PI * random();
        return [2 * Math.cos(angle) + noise(), 2 * Math.sin(angle) + noise()];
    }
    if (i < 700) return [2 + 2.4 * random(), 0.2 * noise() + noise()];
    if (i < 800) return [noise() - 1.4 - 1.2 * random(), 1.4 + 1.8 * random()];
    return i < 890 ? [3.4 + 2 * noise(), -2.6 + 2 * noise()] : [-4 + 6 * random(), -3.6 - random()];
}

function classOf(i, [x, y]) {
    if (i >= 800) return 4;
    return Math.abs(x) > Math.abs(y) ? (x > 0 ? 1 : 3) : y > 0 ? 0 : 2;
}

export function makeWorld(nodes = 900) {
    const random = randomFrom(7);
    const places = Array.from({ length: nodes }, (_, i) => placeOf(i, random));
    const rows = Array.from({ length: nodes }, () => []);
    let edges = 0;
    for (let i = 0; i < nodes; i++)
        for (let j = 0; j < i; j++) {
            const d = Math.hypot(places[i][0] - places[j][0], places[i][1] - places[j][1]);
            if (i < 890 && d < 0.24 && random() < 0.8) rows[i].push(j), rows[j].push(i), edges++;
        }
    const labels = places.map((place, i) => classOf(i, place));
    const predictions = labels.map((label, i) => (random() < (places[i][0] < -1 ? 0.35 : 0.05) ? (label + 1) % 5 : label));
    const names = places.map((_, i) => HOSTILE[i] ?? `author-${i}`);
    return { nodes, edges, places, rows, labels, predictions, names, years: places.map(([x]) => 2000 + Math.round(4 * x)) };
}

/** The axes of a lens: a list of numbers for each. */
export function lensAxes(world, lens) {
    const x = world.places.map((place) => place[0]), y = world.places.map((place) => place[1]);
    if (lens === "x") return [{ name: "x", values: x }];
    if (lens === "space") return [{ name: "x", values: x }, { name: "y", values: y }, { name: "degree", values: world.rows.map((row) => row.length) }];
    if (lens === "degree") return [{ name: "degree", values: world.rows.map((row) => row.length) }];
    return [{ name: "x", values: x }, { name: "y", values: y }];
}

function cut(values, n, g, quantile) {
    const order = quantile ? [...values].sort((a, b) => a - b) : null;
    const low = Math.min(...values), high = Math.max(...values);
    const length = (high - low) / (n - (n - 1) * g);
    return Array.from({ length: n }, (_, k) => {
        const a = low + k * length * (1 - g);
        if (!order) return [a - 1e-9, a + length + 1e-9];
        const at = (share) => order[Math.min(order.length - 1, Math.max(0, Math.round(share * (order.length - 1))))];
        return [at((k - g / 2) / n), at((k + 1 + g / 2) / n)];
    });
}

/** The intervals on each axis. */
function intervals(world, axes, settings) {
    const list = (text) => axes.map((_, k) => Number(text.split(",")[k] ?? text.split(",").at(-1)));
    const adaptive = /^adaptive:size=(\d+)/.exec(settings.cover);
    const n = adaptive ? axes.map(() => Math.max(1, Math.round(Math.sqrt(world.nodes / Number(adaptive[1]))))) : list(settings.intervals);
    const g = list(settings.overlap);
    return axes.map((axis, k) => cut(axis.values, n[k], g[k], settings.cover === "quantile"));
}

/** The cells of a cover: members of each. */
function cells(world, axes, settings) {
    let boxes = [world.places.map((_, i) => i)];
    intervals(world, axes, settings).forEach((parts, k) => {
        boxes = boxes.flatMap((box) => parts.map(([low, high]) => box.filter((i) => axes[k].values[i] >= low && axes[k].values[i] <= high)));
    });
    return boxes;
}

/** The cells as seen on some of the axes, and which of them a cell of the cover is. */
export function cellBoxes(world, axes, settings, wanted) {
    const parts = intervals(world, axes, settings);
    const seen = wanted.length === 1 ? parts[wanted[0]].map((one) => [one]) : parts[wanted[0]].flatMap((one) => parts[wanted[1]].map((other) => [one, other]));
    const digit = (cell, k) => Math.floor(cell / parts.slice(k + 1).reduce((product, list) => product * list.length, 1)) % parts[k].length;
    const cellOf = (cell) => wanted.reduce((number, k) => number * parts[k].length + digit(cell, k), 0);
    return { cells: seen, cellOf };
}

function components(world, members) {
    const inside = new Set(members), parts = [];
    for (const first of members) {
        if (!inside.delete(first)) continue;
        const part = [first];
        for (let at = 0; at < part.length; at++)
            for (const next of world.rows[part[at]]) if (inside.delete(next)) part.push(next);
        parts.push(part.sort((a, b) => a - b));
    }
    return parts;
}

/** The clusters of a summary, and the links between them. */
export function mapWorld(world, axes, settings) {
    const clusters = [];
    cells(world, axes, settings).forEach((members, cell) => {
        for (const part of components(world, members)) if (part.length >= Number(settings["min-size"])) clusters.push({ cell, members: part });
    });
    const holders = Array.from({ length: world.nodes }, () => []);
    clusters.forEach((cluster, c) => cluster.members.forEach((i) => holders[i].push(c)));
    const links = new Map();
    const meet = (a, b, what) => {
        const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
        const link = links.get(key) ?? { a: Math.min(a, b), b: Math.max(a, b), shared: 0, crossing: 0 };
        link[what]++;
        links.set(key, link);
    };
    for (const list of holders) list.forEach((a, k) => list.slice(k + 1).forEach((b) => meet(a, b, "shared")));
    world.rows.forEach((row, i) => row.filter((j) => j > i).forEach((j) => crossing(holders[i], holders[j], meet)));
    const kept = [...links.values()].filter((link) => (settings.edges === "structural" ? link.crossing : link.shared) > 0);
    return { clusters, holders, links: kept };
}

function crossing(from, to, meet) {
    for (const a of from) for (const b of to) if (a !== b && !from.includes(b) && !to.includes(a)) meet(a, b, "crossing");
}

export function majority(values) {
    const counts = new Map();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1])[0][0];
}

export { CLASSES, COLOURS };
