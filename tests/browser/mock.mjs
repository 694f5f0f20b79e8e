#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// mock.mjs FOLDER [PORT]: serves the built page (index.html, page.js, page.css in FOLDER) with an engine that is made up,
// by web/PROTOCOL.md. Prints the address. For tests of the page alone, and for work on it. DGM_MOCK_LARGE=NODES,EDGES: every
// subgraph is as large as that.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { drillEngine } from "./mock_drill.mjs";
import { viewQuestions } from "./mock_views.mjs";
import { CLASSES, COLOURS, lensAxes, majority, makeWorld, mapWorld } from "./mock_world.mjs";

const folder = process.argv[2];
let world = makeWorld();
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; " +
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

const begin = { intervals: "7", overlap: "0.35", cover: "uniform", edges: "nerve", eps: "0", colour: "labels", "min-size": "1", dust: "auto", "dust-size": "4" };
const state = { settings: { ...begin, theme: "light" }, lens: { lens: "place:k=2", transform: "none" }, serial: 0, summary: null, marks: [], axes: lensAxes(world, "place") };
let listeners = [];
let running = null;

class Refusal extends Error {
    constructor(status, message, option = null) {
        super(message);
        Object.assign(this, { status, option });
    }
}

/** A newer question came first, or another picture: an answer that says so. */
class Stale extends Error {}

// ---- answers ----

function encode(json, arrays = {}) {
    const kinds = { f4: Float32Array, u4: Uint32Array, u1: Uint8Array };
    let offset = 0;
    const rows = {}, parts = [];
    for (const [name, [kind, values]] of Object.entries(arrays)) {
        const bytes = Buffer.from(kinds[kind].from(values).buffer);
        rows[name] = [kind, offset, values.length];
        parts.push(bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8));
        offset += Math.ceil(bytes.length / 8) * 8;
    }
    let text = Buffer.from(JSON.stringify({ ...json, arrays: rows }));
    text = Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8, 32)]);
    const head = Buffer.alloc(8);
    head.write("DGM1");
    head.writeUInt32LE(text.length, 4);
    return Buffer.concat([head, text, ...parts]);
}

const option = (group, name, kind, more = {}) => ({ group, name, kind, minimum: null, maximum: null, open_maximum: false, choices: null, default: begin[name] ?? null, help: `what ${name} does`, ...more });

function lensAnswer() {
    return { name: state.lens.lens, settings: state.lens, axes: state.axes.map((axis) => ({ name: axis.name, low: Math.min(...axis.values), high: Math.max(...axis.values) })) };
}

const CANDIDATES = [
    { settings: { lens: "place:k=2", transform: "none", cover: "uniform", intervals: "7", overlap: "0.35" }, reason: "33 clusters, 88% of the edges inside", score: 0.9 },
    { settings: { lens: "place:k=2", transform: "none", cover: "adaptive:size=60", overlap: "0.4" }, reason: "cells of at most 60 nodes", score: 0.84 },
    { settings: { lens: "x", transform: "none", cover: "quantile", intervals: "9", overlap: "0.3" }, reason: "one axis", score: 0.41 },
];

/** What a candidate shows, as a thumbnail. */
function smallPicture({ settings: { lens, ...rest } }) {
    const own = { ...begin, ...rest };
    const { marks } = makeMarks(mapWorld(world, lensAxes(world, lens.split(":")[0]), own), own);
    const links = linkRows(mapWorld(world, lensAxes(world, lens.split(":")[0]), own), marks, own);
    return {
        x: marks.map((mark) => mark.x), y: marks.map((mark) => mark.y), radius: marks.map((mark) => 0.03 * Math.sqrt(mark.members.length)),
        fill: marks.map((mark) => COLOURS[mark.class]), links: links.flatMap((link) => [link.source, link.target]),
    };
}

function start(changes = {}, reason = null) {
    const facts = drill.facts();
    return encode({
        version: "0.1.0", ...facts, nodes: world.nodes, edges: world.edges, live: true,
        reason: reason !== null || facts.levels.length > 1 ? reason : "33 clusters to see, the largest 9% of the nodes, 88% of the edges inside (12% by chance)",
        settings: { ...begin, ...changes }, classes: CLASSES, attributes: [{ name: "year", kind: "number" }, { name: "kind", kind: "text" }], predictions: true, lens: lensAnswer(),
        candidates: CANDIDATES.map((candidate) => ({ ...candidate, picture: smallPicture(candidate) })),
        options: [
            option("Mapper", "cover", "text"), option("Mapper", "intervals", "integers", { minimum: 1, maximum: 1e6, help: "intervals on each axis of the lens" }),
            option("Mapper", "overlap", "reals", { minimum: 0, maximum: 1, open_maximum: true, help: "what neighbouring intervals share of their length" }),
            option("Mapper", "edges", "choice", { choices: ["nerve", "structural"] }), option("Mapper", "eps", "real", { minimum: 0, maximum: 1 }),
            option("Mapper", "min-size", "integer", { minimum: 1, maximum: 1e9 }), option("Figures", "colour", "text"),
            option("Figures", "dust", "choice", { choices: ["auto", "fold", "show", "drop"] }), option("Figures", "dust-size", "integer", { minimum: 1, maximum: 1e9 }),
            option("Figures", "theme", "choice", { choices: ["light", "dark"], default: "light" }), option("Figures", "transparent", "flag", { default: "false" }),
        ],
        lens_options: [
            option("Lens", "lens", "text"), option("Lens", "transform", "choice", { choices: ["none", "log", "rank", "zscore"], default: "none" }),
            option("Lens", "reduce", "text"),
        ],
        colours: [["labels", "class"], ["prediction", "prediction"], ["lens", "lens"], ["error", "mistakes"], ["attr:year", "year"]].map(([value, words]) => ({ value, words })),
        lenses: [{ name: "x", help: "from west to east", network: false }, { name: "degree", help: "number of neighbours", network: false },
            { name: "place", help: "both coordinates", network: false }, { name: "space", help: "coordinates and degree", network: false }, { name: "gcn", help: "a network that takes more than a second", network: true }],
        reductions: [{ name: "none", help: "every column as it is" }, { name: "pca", help: "principal components" }],
    });
}

// ---- pictures ----

function take(settings) {
    for (const [name, value] of settings) {
        if (name === "cold") continue;
        if (!(name in state.settings) && name !== "transparent") throw new Refusal(400, `There is no option '${name}'.`, name);
        if (name === "intervals" && value.split(",").some((n) => !(Number(n) >= 1 && Number(n) <= 200))) throw new Refusal(400, `intervals takes whole numbers from 1 to 200, not ${value}`, name);
        if (name === "overlap" && value.split(",").some((g) => !(Number(g) >= 0 && Number(g) < 1))) throw new Refusal(400, `overlap takes a number from 0 to below 1, not ${value}`, name);
        state.settings[name] = value;
    }
}

const mean = (values) => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
const wrong = (i) => (world.labels[i] === world.predictions[i] ? 0 : 1);

/** Marks: clusters, and one pile for the small ones of each kind. */
function makeMarks(summary, settings) {
    const small = settings.dust === "show" ? 0 : Number(settings["dust-size"]);
    const marks = [], dust = [];
    summary.clusters.forEach((cluster, c) => (cluster.members.length < small ? dust : marks).push({ clusters: [c], members: cluster.members, pile: 0 }));
    if (dust.length) marks.push({ clusters: dust.flatMap((one) => one.clusters), members: dust.flatMap((one) => one.members), pile: 1, at: [-3.6, -2.6] });
    for (const mark of marks) {
        mark.x = mark.at?.[0] ?? mean(mark.members.map((i) => world.places[i][0]));
        mark.y = mark.at?.[1] ?? mean(mark.members.map((i) => world.places[i][1]));
        mark.class = majority(mark.members.map((i) => world.labels[i]));
        mark.name = mark.pile ? `${mark.clusters.length} small clusters, ${mark.members.length} nodes` : CLASSES[mark.class];
    }
    return { marks, dust };
}

function ramp(share) {
    const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
    const at = Math.max(0, Math.min(3.999, 4 * share)), k = Math.floor(at), t = at - k;
    return stops[k].map((value, j) => Math.round(value + (stops[k + 1][j] - value) * t));
}
const hex = (rgb) => "#" + rgb.map((part) => part.toString(16).padStart(2, "0")).join("");
const rgb = (code) => [1, 3, 5].map((k) => parseInt(code.slice(k, k + 2), 16));

function colouring() {
    const colour = state.settings.colour;
    if (colour === "labels" || colour === "prediction") {
        const values = colour === "labels" ? world.labels : world.predictions;
        const entries = CLASSES.map((name, k) => ({ name, colour: COLOURS[k], shape: 0, members: values.filter((value) => value === k).length }));
        return { of: (mark) => rgb(COLOURS[majority(mark.members.map((i) => values[i]))]), legend: { kind: "classes", title: `most frequent ${colour}`, entries } };
    }
    if (colour === "lens" && state.axes.length > 1) return square();
    const values = colour === "error" ? world.places.map((_, i) => wrong(i)) : colour === "attr:year" ? world.years : state.axes[0].values;
    const low = Math.min(...values), high = Math.max(...values);
    return { of: (mark) => ramp((mean(mark.members.map((i) => values[i])) - low) / (high - low)), legend: { kind: "ramp", title: colour, low, high, middle: null, colours: Array.from({ length: 32 }, (_, k) => hex(ramp(k / 31))), unknown: 0 } };
}

function square() {
    const range = state.axes.map((axis) => [Math.min(...axis.values), Math.max(...axis.values)]);
    const mix = (u, v) => [Math.round(40 + 190 * u), Math.round(90 + 60 * (1 - u) + 60 * v), Math.round(230 - 190 * v)];
    const share = (mark, k) => (mean(mark.members.map((i) => state.axes[k].values[i])) - range[k][0]) / (range[k][1] - range[k][0]);
    return { of: (mark) => mix(share(mark, 0), share(mark, 1)), legend: { kind: "square", title: "lens", axes: ["x", "y"], low: range.map((one) => one[0]), high: range.map((one) => one[1]), colours: Array.from({ length: 8 }, (_, y) => Array.from({ length: 8 }, (_, x) => hex(mix(x / 7, y / 7)))) } };
}

function linkRows(summary, marks, settings) {
    const markOf = new Map(marks.flatMap((mark, m) => mark.clusters.map((c) => [c, m])));
    const structural = settings.edges === "structural";
    const most = Math.max(1, ...summary.links.map((link) => (structural ? link.crossing : link.shared)));
    return summary.links.map((link) => ({ ...link, source: markOf.get(link.a), target: markOf.get(link.b), weight: (structural ? link.crossing : link.shared) / most }))
        .filter((link) => link.source !== link.target && (!structural || link.weight >= Number(settings.eps)));
}

function pieces(count, links) {
    const piece = Array.from({ length: count }, (_, i) => i);
    const root = (i) => (piece[i] === i ? i : (piece[i] = root(piece[i])));
    for (const link of links) piece[root(link.source)] = root(link.target);
    const names = [...new Set(piece.map((_, i) => root(i)))];
    return piece.map((_, i) => names.indexOf(root(i)));
}

function picture(settings) {
    take(settings);
    const summary = (state.summary = mapWorld(world, state.axes, state.settings));
    const { json, arrays, marks, piece } = draw(summary, state.settings, drill.place);
    Object.assign(state, { marks, piece });
    return encode({ serial: ++state.serial, ...json }, arrays);
}

/** What a picture of a summary shows; `place` moves marks that are pinned. */
function draw(summary, settings, place = () => undefined) {
    const began = performance.now();
    const { marks, dust } = makeMarks(summary, settings);
    place(marks);
    const links = linkRows(summary, marks, settings), piece = pieces(marks.length, links);
    const { of, legend } = colouring();
    const covered = summary.holders.filter((list) => list.length).length;
    const inside = world.rows.reduce((n, row, i) => n + row.filter((j) => j > i && summary.holders[i].some((c) => summary.holders[j].includes(c))).length, 0);
    const b0 = new Set(piece).size;
    const json = {
        clusters: summary.clusters.length, links: links.length, seconds: { map: (performance.now() - began) / 1000, layout: 0.001, paint: 0.001 },
        command: `dgm map ring_world --lens ${state.lens.lens} --intervals ${settings.intervals} --overlap ${settings.overlap}`, settings,
        coverage: { nodes: world.nodes, covered, filtered: world.nodes - covered, lost: 0, edges: world.edges, edges_inside: inside },
        topology: { b0, b1: Math.max(0, links.length - marks.length + b0), triangles: 4, skeleton_loops: 5, cycle_rank: 5 },
        dust: { clusters: dust.length, nodes: dust.reduce((n, one) => n + one.members.length, 0), marks: dust.length ? 1 : 0 },
        notes: ["The island has no edges to the rest: it is a piece of its own."], legend, names: marks.map((mark) => mark.name), axes: lensAnswer().axes,
    };
    const arrays = {
        x: ["f4", marks.map((mark) => mark.x)], y: ["f4", marks.map((mark) => mark.y)], radius: ["f4", marks.map((mark) => 0.026 * Math.sqrt(mark.members.length) + 0.01)],
        size: ["u4", marks.map((mark) => mark.members.length)], cluster: ["u4", marks.map((mark) => mark.clusters[0])], fill: ["u1", marks.flatMap(of)],
        shape: ["u1", marks.map(() => 0)], pile: ["u1", marks.map((mark) => mark.pile)], pinned: ["u1", marks.map((mark) => mark.pinned ?? 0)], piece: ["u4", piece],
        error: ["f4", marks.map((mark) => mean(mark.members.map(wrong)))], source: ["u4", links.map((link) => link.source)], target: ["u4", links.map((link) => link.target)],
        weight: ["f4", links.map((link) => link.weight)], shared: ["u4", links.map((link) => link.shared)], crossing: ["u4", links.map((link) => link.crossing)],
    };
    return { json, arrays, marks, piece };
}

// ---- questions about a picture ----

function clusterAt(settings, key = "cluster") {
    if (settings.get("serial") !== String(state.serial)) throw new Stale();
    const cluster = state.summary.clusters[Number(settings.get(key))];
    if (!cluster) throw new Refusal(400, `There is no cluster ${settings.get(key)}.`, key);
    return cluster;
}

function shares(values, members) {
    return CLASSES.map((name, k) => ({ name, count: members.filter((i) => values[i] === k).length, all: values.filter((value) => value === k).length }));
}

function cluster(settings) {
    const isOne = settings.has("cluster"), c = isOne ? Number(settings.get("cluster")) : null;
    const { cell, members } = isOne ? clusterAt(settings) : { cell: null, members: views.nodesOf(settings) };
    const hubs = [...members].sort((a, b) => world.rows[b].length - world.rows[a].length);
    const mixups = new Map();
    for (const i of members) if (wrong(i)) mixups.set(`${world.labels[i]} ${world.predictions[i]}`, (mixups.get(`${world.labels[i]} ${world.predictions[i]}`) ?? 0) + 1);
    const others = world.places.map((_, i) => i).filter((i) => !members.includes(i));
    const bins = (axis, list) => list.reduce((counts, i) => {
        const low = Math.min(...axis.values), high = Math.max(...axis.values);
        counts[Math.min(31, Math.floor((32 * (axis.values[i] - low)) / (high - low)))]++;
        return counts;
    }, new Array(32).fill(0));
    const neighbours = !isOne ? [] : state.summary.links.filter((link) => link.a === c || link.b === c).map((link) => {
        const other = link.a === c ? link.b : link.a;
        return { cluster: other, name: CLASSES[majority(state.summary.clusters[other].members.map((i) => world.labels[i]))], size: state.summary.clusters[other].members.length, shared: link.shared, crossing: link.crossing };
    }).sort((a, b) => b.shared - a.shared);
    return encode({
        serial: state.serial, cluster: c, size: members.length, piece: isOne ? 0 : null, cell: isOne ? String(cell) : null, name: isOne ? CLASSES[majority(members.map((i) => world.labels[i]))] : null,
        hubs: hubs.slice(0, 3).map((i) => world.names[i]), labels: shares(world.labels, members), predictions: shares(world.predictions, members),
        judged: members.length, mistakes: members.filter(wrong).length,
        mixups: [...mixups].map(([key, count]) => ({ label: CLASSES[key.split(" ")[0]], prediction: CLASSES[key.split(" ")[1]], count })),
        lens: state.axes.map((axis) => { const own = members.map((i) => axis.values[i]); return { name: axis.name, low: Math.min(...own), high: Math.max(...own), mean: mean(own), inside: bins(axis, members), all: bins(axis, world.places.map((_, i) => i)) }; }),
        differences: [
            { column: "year", kind: "number", text: null, inside: mean(members.map((i) => world.years[i])), outside: mean(others.map((i) => world.years[i])), delta: 0.8, q: 0.001, lens: true },
            { column: "kind", kind: "text", text: "survey", inside: 0.4, outside: 0.11, delta: 0.3, q: 0.02, lens: false },
        ],
        neighbours,
    });
}

function memberRow(i) {
    return { node: i, name: world.names[i], degree: world.rows[i].length, label: CLASSES[world.labels[i]], prediction: CLASSES[world.predictions[i]], clusters: state.summary.holders[i].length, lens: state.axes.map((axis) => axis.values[i]) };
}

function members(settings) {
    const list = views.nodesOf(settings).filter((i) => settings.get("wrong") !== "1" || wrong(i));
    const text = (settings.get("text") ?? "").toLowerCase();
    const found = list.filter((i) => world.names[i].toLowerCase().includes(text)).sort((a, b) => world.rows[b].length - world.rows[a].length || a - b);
    const from = Number(settings.get("from") ?? 0);
    return encode({ total: found.length, rows: found.slice(from, from + Number(settings.get("count") ?? 100)).map(memberRow) });
}

function edge(settings) {
    const a = new Set(clusterAt(settings, "a").members), b = new Set(clusterAt(settings, "b").members);
    const links = [];
    for (const i of a) if (!b.has(i)) for (const j of world.rows[i]) if (b.has(j) && !a.has(j)) links.push([world.names[i], world.names[j]]);
    return encode({ shared: [...a].filter((i) => b.has(i)).length, crossing: links.length, links: links.slice(0, 50) });
}

function search(settings) {
    if (settings.get("serial") !== String(state.serial)) throw new Stale();
    const text = settings.get("text").toLowerCase();
    const found = world.names.flatMap((name, i) => (name.toLowerCase().includes(text) ? [i] : []));
    const hits = state.marks.map((mark) => mark.members.filter((i) => found.includes(i)).length);
    return encode({ total: found.length, rows: found.slice(0, 100).map((i) => ({ node: i, name: world.names[i], clusters: state.summary.holders[i] })) }, { hits: ["u4", hits] });
}

function bridges(settings) {
    if (settings.get("serial") !== String(state.serial)) throw new Stale();
    const last = state.summary.clusters.length - 1;
    const nodes = world.names.map((name, i) => {
        const home = state.summary.holders[i][0] ?? 0;
        return { name, node: i, degree: world.rows[i].length, score: state.summary.holders[i].length, across: 1, clusters: [home, home === last ? 0 : last] };
    });
    nodes.sort((a, b) => b.score - a.score || b.degree - a.degree);
    return encode({ nodes: nodes.slice(0, 20), pieces: [{ a: 0, b: state.summary.clusters.length - 1, edges: 2, ends: [["author-7", "author-9"]] }] });
}

async function lens(settings) {
    running?.abort();
    const own = (running = new AbortController());
    const wanted = Object.fromEntries(settings);
    if (wanted.lens === "gcn")
        for (let k = 0; k <= 20; k++) {
            tell("progress", { stage: "training", fraction: k / 20 });
            await new Promise((done) => setTimeout(done, 60));
            if (own.signal.aborted) throw new Stale();
        }
    state.lens = wanted;
    state.axes = lensAxes(world, wanted.lens.split(":")[0]);
    return encode({ lens: lensAnswer() });
}

// ---- the server ----

function tell(event, data) {
    for (const reply of listeners) reply.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** The colour of a node in the colouring of the picture. */
function colourOfNode() {
    const { of } = colouring();
    return (i) => of({ members: [i] });
}

/** What the questions of other modules are about; the world changes as levels and files do. */
const mock = {
    state, encode, Refusal, Stale, tell, start, large: process.env.DGM_MOCK_LARGE?.split(",").map(Number), drawn: { colourOfNode, picture: draw },
    get world() {
        return world;
    },
    set world(next) {
        running?.abort();
        world = next;
    },
};
const views = viewQuestions(mock), drill = drillEngine(mock, views);
const QUESTIONS = {
    ...views.questions, ...drill.questions, start: () => start(), picture, cluster, members, edge, search, bridges, lens,
    cancel: () => (running?.abort(), drill.cancel(), encode({})), stop: () => (tell("bye", {}), encode({})),
};

async function answerTo(name, settings) {
    try {
        return await QUESTIONS[name](settings);
    } catch (error) {
        if (error instanceof Stale) return encode({ stale: true });
        throw error;
    }
}

async function question(name, body, reply) {
    try {
        const answer = await answerTo(name, new URLSearchParams(body));
        reply.writeHead(200, { "Content-Type": "application/octet-stream" }).end(answer);
    } catch (error) {
        if (!(error instanceof Refusal)) console.error(error);
        reply.writeHead(error.status ?? 500, { "Content-Type": "application/json" }).end(JSON.stringify({ error: error.message, option: error.option ?? null }));
    }
}

function file(path, reply) {
    const types = { "/": ["index.html", "text/html; charset=utf-8"], "/page.js": ["page.js", "text/javascript"], "/page.css": ["page.css", "text/css"] };
    const found = types[path];
    if (!found) return reply.writeHead(404).end();
    reply.writeHead(200, { "Content-Type": found[1], "Content-Security-Policy": POLICY, "Cache-Control": "no-store" }).end(readFileSync(join(folder, found[0])));
}

const server = createServer(async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url, "http://127.0.0.1");
    const name = /^\/api\/([a-z_]+)$/.exec(pathname)?.[1];
    if (name === "events") {
        reply.writeHead(200, { "Content-Type": "text/event-stream" }).write(": hello\n\n");
        listeners.push(reply);
        request.on("close", () => (listeners = listeners.filter((one) => one !== reply)));
    } else if (name === "download") reply.writeHead(200, { "Content-Disposition": `attachment; filename="ring_world.${searchParams.get("format")}"` }).end("a file\n");
    else if (name && QUESTIONS[name] && request.method === "POST") {
        let body = "";
        for await (const part of request) body += part;
        await question(name, name === "open" ? new URLSearchParams({ name: searchParams.get("name"), body }) : body, reply);
    } else file(pathname, reply);
});
server.listen(Number(process.argv[3] ?? 0), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
