// SPDX-License-Identifier: Apache-2.0
// The questions of the linked views, for the engine that is made up: sets of nodes, mistakes, columns, the lens, small
// pictures of other settings, and what lasts from one to the next.
import { CLASSES, cellBoxes, mapWorld } from "./mock_world.mjs";

const NONE = 0xffffffff;
const BINS = 32;
const numbers = (text) => text.split(",").map(Number);

/** Values of a column to bins of equal width. */
function binned(values, low, high, list) {
    const counts = new Array(BINS).fill(0);
    for (const i of list) counts[Math.min(BINS - 1, Math.max(0, Math.floor((BINS * (values[i] - low)) / Math.max(1e-12, high - low))))]++;
    return counts;
}

/** `mock` has the engine's state, its world and its tools (mock.mjs). Returns questions, and the nodes that settings name. */
export function viewQuestions(mock) {
    const { state, encode, Refusal, Stale, drawn } = mock;
    const everyone = () => mock.world.names.map((_, i) => i);
    const kinds = () => mock.world.places.map(([x, y]) => (x + y > 2 ? 0 : y > 0 ? 1 : 2));

    function fresh(settings) {
        if (settings.get("serial") !== String(state.serial)) throw new Stale();
    }

    function columnList() {
        const { world } = mock;
        const category = (name, values, names) => ({ name, kind: "category", low: 0, high: 0, names, values });
        const number = (name, values) => ({ name, kind: "number", low: Math.min(...values), high: Math.max(...values), names: [], values });
        return [
            number("degree", world.rows.map((row) => row.length)), category("class", world.labels, CLASSES), category("prediction", world.predictions, CLASSES),
            ...state.axes.map((axis) => number(axis.name, axis.values)), number("year", world.years), category("kind", kinds(), ["survey", "article", "<b>note</b>"]),
        ];
    }

    function filterOf(text) {
        const columns = columnList();
        const tests = text.split(";").map((part) => {
            const [, column, category, low, high] = /^(\d+)(?:=(\d+)|:([^:]+):([^:]+))$/.exec(part) ?? [];
            if (!columns[column]) throw new Refusal(400, `'${part}' is no filter.`, "where");
            const { values } = columns[column];
            return category !== undefined ? (i) => values[i] === Number(category) : (i) => values[i] >= Number(low) && values[i] <= Number(high);
        });
        return (i) => tests.every((test) => test(i));
    }

    function clusterFilter(settings) {
        const membersOf = (c) => {
            const cluster = state.summary.clusters[c];
            if (!cluster) throw new Refusal(400, `There is no cluster ${c}.`, "cluster");
            return new Set(cluster.members);
        };
        if (settings.has("a")) {
            const a = membersOf(settings.get("a")), b = membersOf(settings.get("b"));
            return (i) => a.has(i) && b.has(i);
        }
        if (settings.has("mark")) {
            const own = new Set(state.marks[Number(settings.get("mark"))].members);
            return (i) => own.has(i);
        }
        const list = numbers(settings.get("clusters") ?? settings.get("cluster")).map(membersOf);
        return settings.get("combine") === "all" ? (i) => list.every((one) => one.has(i)) : (i) => list.some((one) => one.has(i));
    }

    /** The nodes that the settings name. */
    function nodesOf(settings) {
        fresh(settings);
        const { world } = mock, tests = [];
        if (["cluster", "clusters", "mark", "a"].some((name) => settings.has(name))) tests.push(clusterFilter(settings));
        if (settings.has("field")) {
            const [label, prediction] = numbers(settings.get("field"));
            tests.push((i) => world.labels[i] === label && world.predictions[i] === prediction);
        }
        if (settings.has("box")) {
            const box = numbers(settings.get("box")), axes = settings.has("axes") ? numbers(settings.get("axes")) : [0, 1];
            if (axes.some((k) => !state.axes[k])) throw new Refusal(400, "There is no such axis.", "axes");
            tests.push((i) => box.every((end, k) => { const value = state.axes[axes[k >> 1]].values[i]; return k % 2 ? value <= end : value >= end; }));
        }
        if (settings.has("where")) tests.push(filterOf(settings.get("where")));
        if (settings.has("nodes")) tests.push((i) => numbers(settings.get("nodes")).includes(i));
        return tests.length ? everyone().filter((i) => tests.every((test) => test(i))) : null;
    }

    function select(settings) {
        const found = new Set(nodesOf(settings) ?? []);
        return encode({ serial: state.serial, total: found.size }, { hits: ["u4", state.marks.map((mark) => mark.members.filter((i) => found.has(i)).length)] });
    }

    function mistakes(settings) {
        fresh(settings);
        const { world } = mock;
        const matrix = new Array(CLASSES.length ** 2).fill(0);
        world.labels.forEach((label, i) => matrix[label * CLASSES.length + world.predictions[i]]++);
        const wrong = world.labels.filter((label, i) => label !== world.predictions[i]).length;
        return encode({ serial: state.serial, classes: CLASSES, judged: world.nodes, wrong }, { matrix: ["u4", matrix] });
    }

    function columns(settings) {
        const inside = nodesOf(settings);
        const list = columnList();
        const counts = (nodes) => list.flatMap(({ kind, values, low, high }) => (kind === "number" ? binned(values, low, high, nodes)
            : Array.from({ length: BINS }, (_, k) => nodes.filter((i) => values[i] === k).length)));
        const arrays = { all: ["u4", counts(everyone())] };
        if (inside) arrays.inside = ["u4", counts(inside)];
        return encode({ serial: state.serial, columns: list.map(({ values: _, ...rest }) => rest) }, arrays);
    }

    function lens_view(settings) {
        fresh(settings);
        const { world } = mock, nodes = everyone();
        const wanted = settings.get("axes") ? numbers(settings.get("axes")) : state.axes.length === 1 ? [0] : [0, 1];
        const axes = wanted.map((k) => ({ number: k, name: state.axes[k].name, low: Math.min(...state.axes[k].values), high: Math.max(...state.axes[k].values) }));
        const { cells, cellOf } = cellBoxes(world, state.axes, state.settings, wanted);
        const markOf = new Map();
        state.marks.forEach((mark, m) => mark.members.forEach((i) => markOf.has(i) || markOf.set(i, m)));
        const colour = drawn.colourOfNode();
        const arrays = {
            px: ["f4", nodes.map((i) => state.axes[wanted[0]].values[i])], pnode: ["u4", nodes], pmark: ["u4", nodes.map((i) => markOf.get(i) ?? NONE)],
            pfill: ["u1", nodes.flatMap(colour)], low: ["f4", cells.flatMap((cell) => cell.map((ends) => ends[0]))], high: ["f4", cells.flatMap((cell) => cell.map((ends) => ends[1]))],
            mark_cell: ["u4", state.marks.map((mark) => (mark.pile ? NONE : cellOf(state.summary.clusters[mark.clusters[0]].cell)))],
        };
        const bins = (k) => nodes.map((i) => Math.min(BINS - 1, Math.floor((BINS * (state.axes[wanted[k]].values[i] - axes[k].low)) / (axes[k].high - axes[k].low))));
        if (wanted.length === 1) arrays.all = ["u4", binned(state.axes[wanted[0]].values, axes[0].low, axes[0].high, nodes)];
        else {
            const density = new Array(BINS * BINS).fill(0), u = bins(0), v = bins(1);
            nodes.forEach((i) => density[v[i] * BINS + u[i]]++);
            arrays.density = ["u4", density];
            arrays.py = ["f4", nodes.map((i) => state.axes[wanted[1]].values[i])];
        }
        return encode({ serial: state.serial, axes, cells: cells.length, stride: 1, bins: BINS }, arrays);
    }

    async function thumbnail(settings) {
        const own = { ...state.settings, ...Object.fromEntries(settings) };
        await new Promise((done) => setTimeout(done, 15));
        const summary = mapWorld(mock.world, state.axes, own);
        const { json, arrays } = drawn.picture(summary, own);
        const { x, y, radius, fill, size, source, target } = arrays;
        const { clusters, links, coverage, topology, dust } = json;
        return encode({ clusters, links, coverage, topology, dust, settings: own }, { x, y, radius, fill, size, source, target });
    }

    function persistence(settings) {
        fresh(settings);
        const steps = numbers(settings.get("intervals")).map((n) => {
            const own = { ...state.settings, cover: "uniform", intervals: String(n), overlap: settings.get("overlap") ?? state.settings.overlap };
            const { json } = drawn.picture(mapWorld(mock.world, state.axes, own), own);
            return { intervals: n, clusters: json.clusters, b0: json.topology.b0, b1: json.topology.b1, refines: true };
        });
        steps.at(-1).refines = null;
        const last = steps.length - 1;
        const bars = [{ dimension: 0, birth: 0, death: 1, count: 1 }, { dimension: 0, birth: 0, death: null, count: 2 }, { dimension: 1, birth: 0, death: null, count: 1 }, { dimension: 1, birth: Math.min(1, last), death: null, count: 1 }];
        return encode({ steps, runs: last ? [{ first: 0, last, loops_known: true, bars }] : [] });
    }

    return { fresh, nodesOf, questions: { select, mistakes, columns, lens_view, thumbnail, persistence } };
}
