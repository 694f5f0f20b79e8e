// SPDX-License-Identifier: Apache-2.0
// The made-up engine's answers about nodes themselves: subgraphs, parts that are mapped again, files that are opened, pins.
import { CLASSES, COLOURS, lensAxes, makeWorld, randomFrom } from "./mock_world.mjs";

const NONE = 0xffffffff;
const rgb = (code) => [1, 3, 5].map((k) => parseInt(code.slice(k, k + 2), 16));

/** `mock` has the engine's state, its world and its tools (mock.mjs), `views` says which nodes settings name. Returns questions
 * and what pictures need. */
export function drillEngine(mock, views) {
    const { state, encode, Refusal, Stale, tell } = mock;
    const first = { world: mock.world, title: "ring_world" };
    const levels = [{ ...first }];
    let pins = [], running = null, opened = false;

    const world = () => mock.world;

    // ---- which nodes ----

    function clusterOf(text) {
        const found = state.summary.clusters[Number(text)];
        if (!found) throw new Refusal(400, `There is no cluster ${text}.`, "cluster");
        return new Set(found.members);
    }

    /** The nodes that are named, and after them those that hops add. */
    function nodesOf(settings) {
        const core = views.nodesOf(settings) ?? [], seen = new Set(core), all = [...core];
        let edge = core;
        for (let hop = 0; hop < Number(settings.get("hops") ?? 0); hop++) {
            edge = edge.flatMap((i) => world().rows[i].filter((j) => !seen.has(j) && seen.add(j)));
            all.push(...edge);
        }
        return { core: new Set(core), all };
    }

    // ---- questions ----

    function subgraph(settings) {
        if (mock.large) return large(encode, ...mock.large);
        const { core, all } = nodesOf(settings);
        if (!core.size) throw new Refusal(400, "there is no such node");
        const place = new Map(all.map((node, i) => [node, i]));
        const edges = all.flatMap((node) => world().rows[node].filter((other) => other > node && place.has(other)).map((other) => [place.get(node), place.get(other)]));
        const values = settings.get("colour") === "prediction" ? world().predictions : world().labels;
        const entries = CLASSES.map((name, k) => ({ name, colour: COLOURS[k], shape: k === 4 ? 2 : 0, members: all.filter((i) => values[i] === k).length }));
        const markOf = (node) => state.marks.findIndex((mark) => mark.members.includes(node));
        return encode({
            nodes: all.length, edges: edges.length, shown_nodes: all.length, shown_edges: edges.length,
            legend: { kind: "classes", title: settings.get("colour") === "prediction" ? "prediction" : "class", entries }, names: all.map((i) => world().names[i]),
        }, {
            x: ["f4", all.map((i) => world().places[i][0])], y: ["f4", all.map((i) => world().places[i][1])],
            radius: ["f4", all.map((i) => 0.008 + 0.004 * Math.sqrt(world().rows[i].length))], node: ["u4", all], degree: ["u4", all.map((i) => world().rows[i].length)],
            fill: ["u1", all.flatMap((i) => rgb(COLOURS[values[i]]))], shape: ["u1", all.map((i) => (values[i] === 4 ? 2 : 0))],
            mark: ["u4", all.map((i) => (markOf(i) < 0 ? NONE : markOf(i)))], core: ["u1", all.map((i) => (core.has(i) ? 1 : 0))],
            source: ["u4", edges.map((edge) => edge[0])], target: ["u4", edges.map((edge) => edge[1])],
        });
    }

    // ---- levels ----

    function show(next) {
        mock.world = next;
        state.axes = lensAxes(next, state.lens.lens.split(":")[0]);
        state.summary = null;
        state.marks = [];
        state.serial++;
        pins = [];
        const { theme: _, ...settings } = state.settings;
        return mock.start(settings);
    }

    function focus(settings) {
        const { all } = nodesOf(settings);
        if (all.length < 2) throw new Refusal(400, "A graph of its own needs at least 2 nodes.");
        const mark = state.marks.find(({ clusters }) => clusters.includes(Number(settings.get("cluster"))));
        levels.at(-1).settings = { ...state.settings };
        levels.push({ world: part(world(), all), title: `${mark?.name ?? "part"} (${all.length})` });
        return show(levels.at(-1).world);
    }

    function back(settings) {
        const level = Number(settings.get("level"));
        if (!(level >= 0 && level < levels.length)) throw new Refusal(400, `There is no level ${level}.`, "level");
        levels.length = level + 1;
        Object.assign(state.settings, levels[level].settings);
        return show(levels[level].world);
    }

    function home() {
        levels.splice(0, levels.length, { ...first });
        opened = false;
        return show(first.world);
    }

    async function slowly(stages) {
        running?.abort();
        const own = (running = new AbortController());
        for (const stage of stages)
            for (let k = 0; k <= 6; k++) {
                tell("progress", { stage, fraction: k / 6 });
                await new Promise((done) => setTimeout(done, 60));
                if (own.signal.aborted) throw new Stale();
            }
    }

    async function choose() {
        await slowly(["trying lenses", "trying covers"]);
        state.settings.intervals = "4";
        state.lens = { lens: "x", transform: "none" };
        state.axes = lensAxes(world(), "x");
        return mock.start({ intervals: "4" }, "4 intervals fit this part");
    }

    async function open(settings) {
        const name = settings.get("name"), next = read(name, settings.get("body"), Refusal);
        await slowly(["reading", "choosing settings"]);
        levels.splice(0, levels.length, { world: next, title: name });
        opened = true;
        return show(next);
    }

    // ---- pins ----

    function pin(settings) {
        views.fresh(settings);
        const off = settings.get("off") === "1";
        if (!settings.has("cluster")) pins = [];
        else {
            const own = clusterOf(settings.get("cluster"));
            if (state.marks.some(({ pile, clusters }) => pile && clusters.includes(Number(settings.get("cluster"))))) throw new Refusal(400, "a mark of dust stays with its cluster");
            pins = pins.filter((one) => 2 * overlap(one.members, own) < one.members.size + own.size);
            if (!off) pins.push({ members: own, x: Number(settings.get("x")), y: Number(settings.get("y")) });
        }
        return encode({ pins: pins.length });
    }

    /** Puts marks where they are pinned; each pin holds the mark whose members are most alike. */
    function place(marks) {
        for (const mark of marks) mark.pinned = 0;
        for (const one of pins) {
            const shares = marks.map((mark) => overlap(one.members, mark.members) / (one.members.size + mark.members.length));
            const mark = marks[shares.indexOf(Math.max(...shares))];
            if (mark) Object.assign(mark, { x: one.x, y: one.y, pinned: 1 });
        }
    }

    const facts = () => ({
        title: levels.at(-1).title, opened,
        levels: levels.map((level) => ({ title: level.title, nodes: level.world.nodes, edges: level.world.edges })),
    });
    const cancel = () => running?.abort();
    return { questions: { subgraph, focus, back, home, choose, open, pin }, place, facts, cancel };
}

function overlap(a, b) {
    let shared = 0;
    for (const i of b) if (a.has(i)) shared++;
    return shared;
}

/** Some nodes of a world as a world of their own. */
function part(world, nodes) {
    const place = new Map(nodes.map((node, i) => [node, i]));
    const rows = nodes.map((node) => world.rows[node].filter((other) => place.has(other)).map((other) => place.get(other)));
    const pick = (list) => nodes.map((node) => list[node]);
    return {
        nodes: nodes.length, edges: rows.reduce((sum, row) => sum + row.length, 0) / 2, rows, places: pick(world.places), labels: pick(world.labels),
        predictions: pick(world.predictions), names: pick(world.names), years: pick(world.years),
    };
}

/** A file of lines "from to". */
function read(name, text, Refusal) {
    const rows = text.trim().split("\n").map((line) => line.trim().split(/\s+/));
    const bad = rows.findIndex((row) => row.length < 2);
    if (bad >= 0) throw new Refusal(400, `${name}: line ${bad + 1} is no edge`);
    const names = [...new Set(rows.flatMap((row) => row.slice(0, 2)))], number = new Map(names.map((word, i) => [word, i]));
    const whole = makeWorld(Math.max(names.length, 2));
    const next = { ...whole, nodes: names.length, names, rows: names.map(() => []), edges: rows.length };
    for (const [from, to] of rows) next.rows[number.get(from)].push(number.get(to)), next.rows[number.get(to)].push(number.get(from));
    return next;
}

/** A subgraph of any size: groups of nodes around places on a spiral, edges within groups and some between. */
function large(encode, nodes, edges) {
    const random = randomFrom(3), groups = Math.max(1, Math.round(nodes / 400));
    const group = Uint32Array.from({ length: nodes }, () => Math.floor(groups * random() ** 1.4));
    const middle = Array.from({ length: groups }, (_, g) => [Math.sqrt(g + 0.5) * Math.cos(2.4 * g), Math.sqrt(g + 0.5) * Math.sin(2.4 * g)]);
    const spread = () => random() + random() + random() - 1.5;
    const x = Float32Array.from(group, (g) => middle[g][0] + 0.75 * spread()), y = Float32Array.from(group, (g) => middle[g][1] + 0.75 * spread());
    const byGroup = Array.from({ length: groups }, () => []);
    group.forEach((g, i) => byGroup[g].push(i));
    const source = new Uint32Array(edges), target = new Uint32Array(edges), degree = new Uint32Array(nodes);
    for (let e = 0; e < edges; e++) {
        const from = Math.floor(nodes * random() ** 1.6), own = byGroup[group[from]];
        source[e] = from;
        target[e] = random() < 0.9 ? own[Math.floor(own.length * random() ** 2)] : Math.floor(nodes * random());
        degree[source[e]]++;
        degree[target[e]]++;
    }
    const palette = COLOURS.map(rgb), fill = new Uint8Array(3 * nodes);
    group.forEach((g, i) => fill.set(palette[g % palette.length], 3 * i));
    return encode({
        nodes, edges, shown_nodes: nodes, shown_edges: edges, names: Array.from(x, (_, i) => `node-${i}`),
        legend: { kind: "classes", title: "class", entries: COLOURS.map((colour, k) => ({ name: CLASSES[k], colour, shape: 0, members: Math.round(nodes / 5) })) },
    }, {
        x: ["f4", x], y: ["f4", y], radius: ["f4", Float32Array.from(degree, (d) => 0.006 * Math.sqrt(1 + d))], node: ["u4", Uint32Array.from(x, (_, i) => i)], degree: ["u4", degree],
        fill: ["u1", fill], shape: ["u1", new Uint8Array(nodes)], mark: ["u4", new Uint32Array(nodes)], core: ["u1", Uint8Array.from(group, (g) => (g % 7 === 6 ? 0 : 1))], source: ["u4", source], target: ["u4", target],
    });
}
