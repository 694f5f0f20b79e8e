// SPDX-License-Identifier: Apache-2.0
// What drill-down, levels and files compute without a browser (run-modules).
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

const load = (name) => import(join(process.env.DGM_PAGE_MODULES, `${name}.js`));
const { Density } = await load("density");
const { isRealGpu } = await load("drillgl");
const { Trail, addressOf, addressWith, partOf } = await load("levels");
const { refusal } = await load("open");
const { coverage, edgeStrength, endsOf, entryOf, neighboursOf, paintOrder, subgraphOf } = await load("subgraph");
const { walkFrom } = await load("walk");
const { follow } = await load("follow");
const { heirOf, nodeSetOf, setSettings, setWords } = await load("nodeset");

/** A path of nodes from left to right, of which the last is there by hops alone. */
function path(nodes, more = {}) {
    const all = Array.from({ length: nodes }, (_, i) => i);
    const edges = all.slice(1);
    return subgraphOf({
        json: { nodes, edges: nodes - 1, shown_nodes: nodes, shown_edges: nodes - 1, names: all.map((i) => `n${i}`), legend: null, ...more },
        arrays: {
            x: Float32Array.from(all), y: new Float32Array(nodes), radius: new Float32Array(nodes).fill(0.1), node: Uint32Array.from(all, (i) => 100 + i),
            degree: Uint32Array.from(all, (i) => (i === 0 ? 1 : i === 2 ? 9 : 2)), fill: new Uint8Array(3 * nodes).fill(16), shape: new Uint8Array(nodes),
            core: Uint8Array.from(all, (i) => (i === nodes - 1 ? 0 : 1)), source: Uint32Array.from(edges, (i) => i - 1), target: Uint32Array.from(edges),
        },
    });
}

// ---- the graph between nodes ----

test("a subgraph has every edge once, the neighbours of each node, and hubs first", () => {
    const graph = path(200);
    const pairs = Array.from(graph.source, (a, e) => `${a} ${graph.target[e]}`);
    assert.equal(new Set(pairs).size, 199);
    assert.deepEqual(neighboursOf(graph, 3), [2, 4]);
    assert.deepEqual([...graph.order.slice(0, 3), graph.order[199]], [2, 1, 3, 199]);
    assert.equal(graph.cores, 199);
    assert.deepEqual([...paintOrder(graph).slice(0, 3)], [199, 2, 1]);
});

test("every node of a star knows its neighbours, whichever way its edges are written", () => {
    const none = new Float32Array(5), star = (source, target) => subgraphOf({
        json: { names: [] },
        arrays: { x: none, y: none, radius: none, degree: new Uint32Array(5), core: new Uint8Array(5), source: Uint32Array.from(source), target: Uint32Array.from(target) },
    });
    for (const graph of [star([2, 2, 2, 2], [0, 1, 3, 4]), star([0, 1, 3, 4], [2, 2, 2, 2]), star([2, 1, 2, 4], [0, 2, 3, 2])])
        assert.deepEqual([0, 1, 2, 3, 4].map((i) => neighboursOf(graph, i)), [[2], [2], [0, 1, 3, 4], [2], [2]]);
});

test("hubs are larger where the engine makes all nodes alike", () => {
    const graph = path(5);
    assert.ok(graph.radius[2] > graph.radius[1] && graph.radius[1] > graph.radius[0] && graph.widest === graph.radius[2]);
    const own = Float32Array.from([1, 2]), none = new Float32Array(2);
    assert.deepEqual([...subgraphOf({ json: { names: [] }, arrays: { x: none, y: none, radius: own, degree: new Uint32Array([9, 1]) } }).radius], [1, 2]);
});

test("the first edges are a sample from everywhere", () => {
    const graph = path(1001);
    for (const from of [0, 100, 900])
        for (let tenth = 0; tenth < 10; tenth++) {
            const some = graph.source.slice(from, from + 100).filter((place) => Math.floor(place / 100) === tenth).length;
            assert.ok(some >= 2 && some <= 22, `${some} of 100 edges are in tenth ${tenth}`);
        }
});

test("edges to nodes that are not there are refused, and nothing is a graph, too", () => {
    const one = new Float32Array(1);
    const arrays = { x: one, y: one, radius: one, degree: new Uint32Array(1), source: new Uint32Array([0]), target: new Uint32Array([1]) };
    assert.throws(() => subgraphOf({ json: {}, arrays }), /does not have/);
    const none = subgraphOf({ json: { names: [] }, arrays: {} });
    assert.deepEqual([none.nodes, none.edges, none.widest], [0, 0, 0]);
    assert.equal(coverage(none, { x: 0, y: 0, scale: 1 }, 10, 10), 0);
});

test("arrows walk to what lies there", () => {
    const row = { x: [0, 1, 2, 3, 4], y: [0, 0, 0, 0, 0] }, none = new Set();
    assert.equal(walkFrom(row, none, 2, 1, 0), 3);
    assert.equal(walkFrom(row, none, 2, -1, 0), 1);
    assert.equal(walkFrom(row, none, 4, 1, 0), -1);
    assert.equal(walkFrom(row, none, 2, 0, 1), -1);
    // From the first: right above, right and twice as high, right and higher than that, right below.
    const around = { x: [0, 0, 1, 1, 0], y: [0, 5, 2, 2.5, -3] };
    assert.equal(walkFrom(around, none, 0, 1, 0), 2);
    assert.equal(walkFrom(around, none, 0, 0, -1), 2); // 2 up and 1 aside is less than 5 up
    assert.equal(walkFrom(around, none, 0, 0, 1), 4);
    assert.equal(walkFrom({ x: [0, 1], y: [0, 2.5] }, none, 0, 1, 0), -1);
    // Of two in one direction the nearer, but for a neighbour that is less than twice as far.
    assert.equal(walkFrom(row, new Set([4]), 2, 1, 0), 3);
    const far = { x: [0, 2, 3.5, 5], y: [0, 0, 0, 0] };
    assert.equal(walkFrom(far, new Set([2, 3]), 0, 1, 0), 2);
    assert.equal(walkFrom(far, new Set([3]), 0, 1, 0), 1);
});

test("a colour and a shape of the legend name a node", () => {
    const entries = [{ name: "square", colour: "#101010", shape: 1 }, { name: "disc", colour: "#101010", shape: 0 }];
    assert.equal(entryOf(path(2, { legend: { kind: "classes", entries } }), 0), "disc");
    assert.equal(entryOf(path(2, { legend: { kind: "ramp" } }), 0), null);
    const many = path(3, { legend: { kind: "classes", entries: [{ name: "one", colour: "#0a0b0c", shape: 0 }, { name: "two", colour: "#0d0e0f", shape: 0 }] } });
    many.fill.set([10, 11, 12, 13, 14, 15, 13, 14, 12]);
    assert.deepEqual([0, 1, 2].map((i) => entryOf(many, i)), ["one", "two", null]);
});

test("the more edges cross a pixel, the paler each is", () => {
    const graph = path(11), near = { x: 5, y: 0, scale: 100 }, far = { x: 5, y: 0, scale: 1 };
    assert.ok(Math.abs(coverage(graph, near, 100, 100) - 0.01) < 1e-6);
    assert.ok(Math.abs(coverage(graph, far, 100, 100) - 0.001) < 1e-6);
    assert.equal(coverage(graph, { x: 500, y: 0, scale: 1 }, 10, 10), 0);
    // Against points along every edge: those within the view.
    let seed = 3;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const wild = path(60), camera = { x: 0.4, y: -0.2, scale: 30 }, [width, height] = [50, 20];
    wild.x.forEach((_, i) => ((wild.x[i] = 3 * random() - 1), (wild.y[i] = 3 * random() - 2)));
    wild.x[1] = wild.x[0], wild.y[3] = wild.y[2]; // upright and level
    assert.deepEqual([...endsOf(wild)], Array.from(wild.source, (a, e) => [wild.x[a], wild.y[a], wild.x[wild.target[e]], wild.y[wild.target[e]]]).flat());
    let inside = 0;
    for (let e = 0; e < wild.edges; e++) {
        const [a, b] = [wild.source[e], wild.target[e]];
        for (let k = 0.5; k < 1000; k++) {
            const at = (values, middle) => (values[a] + ((values[b] - values[a]) * k) / 1000 - middle) * camera.scale;
            const isIn = Math.abs(at(wild.x, camera.x)) <= width / 2 && Math.abs(at(wild.y, camera.y)) <= height / 2;
            inside += isIn ? (Math.hypot(wild.x[a] - wild.x[b], wild.y[a] - wild.y[b]) * camera.scale) / 1000 : 0;
        }
    }
    assert.ok(Math.abs(coverage(wild, camera, width, height) / (inside / width / height) - 1) < 0.01);
    assert.ok(edgeStrength(0) > edgeStrength(1) && edgeStrength(1) > edgeStrength(50) && edgeStrength(1e9) > 0);
});

// ---- lines as pixels ----

const WHITE = [255, 255, 255], BLACK = [0, 0, 0];
function sheet(width, height) {
    const image = new Uint8ClampedArray(4 * width * height);
    const red = (x, y) => image[4 * (y * width + x)];
    return { density: new Density(width, height, image), red };
}

test("a line darkens the pixels that it crosses, in all directions, and no others", () => {
    for (const [ax, ay, bx, by] of [[1, 5, 9, 5], [9, 5, 1, 5], [5, 1, 5, 9], [5, 9, 5, 1], [1, 1, 9, 9], [9, 1, 1, 9]]) {
        const { density, red } = sheet(11, 11);
        density.line(ax, ay, bx, by);
        density.tone(WHITE, BLACK, 0.5);
        assert.ok(red((ax + bx) / 2, (ay + by) / 2) < 200, `${[ax, ay, bx, by]}`);
        assert.equal(red(0, 10), 255);
        assert.equal(red(10, 0), 255);
    }
});

test("lines that leave the view are cut, and those outside of it leave nothing", () => {
    const { density, red } = sheet(10, 10);
    for (const line of [[-50, 4, 60, 4], [4, -1e6, 4, 1e6], [-9, -9, -1, -1], [20, 20, 30, 40], [-20, 5, 5, -20], [3, 3, 3, 3]]) density.line(...line);
    density.tone(WHITE, BLACK, 0.9);
    assert.ok(red(0, 4) < 60 && red(9, 4) < 60 && red(4, 0) < 60 && red(4, 8) < 60);
    assert.equal(red(8, 8), 255);
});

test("many lines are darker than one, and a sample is as dark as all", () => {
    const one = sheet(4, 4), two = sheet(4, 4), half = sheet(4, 4);
    one.density.line(0, 1, 3, 1);
    for (let k = 0; k < 2; k++) two.density.line(0, 1, 3, 1);
    half.density.line(0, 1, 3, 1);
    one.density.tone(WHITE, BLACK, 0.3);
    two.density.tone(WHITE, BLACK, 0.3);
    half.density.tone(WHITE, BLACK, 1 - (1 - 0.3) ** 2);
    assert.ok(two.red(1, 1) < one.red(1, 1));
    assert.ok(Math.abs(two.red(1, 1) - half.red(1, 1)) <= 1);
});

test("edges are drawn in slices", () => {
    const { density, red } = sheet(1000, 4), graph = path(1000), camera = { x: 500, y: 0, scale: 1 }, ends = endsOf(graph);
    let calls = 0;
    const first = density.edges(ends, camera, 0, graph.edges, () => ++calls > 1);
    assert.ok(first > 0 && first < graph.edges, String(first));
    assert.equal(density.edges(ends, camera, first, graph.edges, () => false), graph.edges);
    density.tone(WHITE, BLACK, 0.5);
    for (let x = 2; x < 998; x += 7) assert.ok(red(x, 2) < 255, `nothing at ${x}`);
});

test("dots stay within the view", () => {
    const { density, red } = sheet(8, 8);
    density.tone(WHITE, BLACK, 0.5);
    for (const [x, y] of [[4, 4], [0, 0], [7.9, 7.9], [-0.4, 4]]) density.dot(x, y, 2, 0xff000000);
    assert.equal(red(4, 4), 0);
    assert.equal(red(7, 7), 0);
    assert.equal(red(7, 0), 255);
});

test("only a real graphics processor is asked", () => {
    for (const name of ["ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)", "llvmpipe (LLVM 15.0.6, 256 bits)", "Microsoft Basic Render Driver", ""]) assert.equal(isRealGpu(name), false, name);
    for (const name of ["ANGLE (NVIDIA, NVIDIA GeForce RTX 3060, OpenGL 4.5)", "Apple M1", "Mesa Intel(R) UHD Graphics 620 (KBL GT2)"]) assert.equal(isRealGpu(name), true, name);
});

// ---- sets of nodes ----

const picture = {
    info: { names: ["North_End", "East", "2 small clusters"] }, pile: [0, 0, 1], markOf: new Map([[4, 0], [7, 1], [9, 2]]),
    touching: [[0], [0, 1], [1]], source: [0, 1], target: [1, 2], shared: [3, 0],
};

test("sets of nodes are named as the engine knows them", () => {
    const settings = (set) => setSettings(set, picture);
    assert.deepEqual(settings({ kind: "clusters", clusters: [4], combine: "any" }), { cluster: "4" });
    assert.deepEqual(settings({ kind: "clusters", clusters: [9], combine: "any" }), { mark: "2" });
    assert.deepEqual(settings({ kind: "clusters", clusters: [4, 9, 7], combine: "all" }), { clusters: "4,7", combine: "all" });
    assert.deepEqual(settings({ kind: "link", a: 4, b: 7 }), { a: "4", b: "7" });
    assert.deepEqual(settings({ kind: "link", a: 7, b: 9 }), { clusters: "7,9", combine: "any" });
    assert.deepEqual(settings({ kind: "around", node: 3, words: "x" }), { nodes: "3" });
    assert.deepEqual(settings({ kind: "nodes", which: { box: "1,2", axes: "0", field: "0,1" }, words: "x" }), { box: "1,2", axes: "0", field: "0,1" });
    assert.equal(settings({ kind: "clusters", clusters: [], combine: "any" }), null);
});

test("sets of nodes have words", () => {
    assert.equal(setWords({ kind: "clusters", clusters: [4], combine: "any" }, picture), "North End");
    assert.equal(setWords({ kind: "clusters", clusters: [4, 7], combine: "any" }, picture), "2 clusters");
    assert.equal(setWords({ kind: "link", a: 4, b: 7 }, picture), "North End – East");
    assert.equal(nodeSetOf({ kind: "none" }, "any", String), null);
    assert.deepEqual(nodeSetOf({ kind: "clusters", clusters: [4] }, "all", String), { kind: "clusters", clusters: [4], combine: "all" });
    assert.deepEqual(nodeSetOf({ kind: "nodes", which: { where: "3=1" } }, "any", (which) => `where ${which.where}`), { kind: "nodes", which: { where: "3=1" }, words: "where 3=1" });
});

test("sets of nodes go on in another picture, as selections do", () => {
    const axes = [{ name: "x", low: 0, high: 1 }];
    const old = { ...picture, info: { ...picture.info, axes }, marks: 3, cluster: [4, 7, 9], x: [0, 1, 2], y: [0, 0, 0] };
    const fresh = { ...old, cluster: [14, 17, 19], markOf: new Map([[14, 0], [17, 1], [19, 2]]) };
    const heir = (set, next = fresh) => heirOf(set, (selection) => follow(selection, old, next, Int32Array.from([0, 1, 2])));
    assert.deepEqual(heir({ kind: "clusters", clusters: [4, 9], combine: "all" }), { kind: "clusters", clusters: [14, 19], combine: "all" });
    assert.deepEqual(heir({ kind: "link", a: 4, b: 7 }), { kind: "link", a: 14, b: 17 });
    const nodes = { kind: "nodes", which: { box: "0,1", axes: "0" }, words: "x 0 to 1" }, around = { kind: "around", node: 3, words: "a" };
    assert.deepEqual(heir(nodes), nodes);
    const other = { ...fresh, info: { ...fresh.info, axes: [{ name: "degree", low: 0, high: 9 }] } };
    assert.equal(heir(nodes, other), null);
    assert.deepEqual(heir(around, other), around);
});

// ---- levels ----

const level = (nodes) => ({ title: "t", nodes, edges: 2 * nodes });

test("an address belongs to one part of the graph", () => {
    const whole = { levels: [level(900)] }, part = { levels: [level(900), level(40)] }, other = { levels: [level(900), level(41)] };
    assert.equal(partOf(whole), "");
    assert.notEqual(partOf(part), partOf(other));
    assert.notEqual(partOf({ ...whole, opened: true }), "");
    const text = addressWith("intervals=3&select=1,2", partOf(part));
    assert.equal(addressOf("#" + text, partOf(part)), "intervals=3&select=1,2");
    assert.equal(addressOf("#" + text, partOf(other)), "");
    assert.equal(addressOf("#" + text, ""), "");
    assert.equal(addressOf("#intervals=3", partOf(part)), "");
    assert.equal(addressOf("#intervals=3&lens=eigen:k=2", ""), "intervals=3&lens=eigen:k=2");
    assert.equal(addressWith("", ""), "");
});

test("a trail remembers the levels above, and forgets those that were left", () => {
    const trail = new Trail();
    trail.down(0, "whole");
    trail.down(1, "part");
    assert.equal(trail.up(1), "part");
    assert.equal(trail.up(1), null);
    trail.down(1, "other");
    assert.equal(trail.up(0), "whole");
    assert.equal(trail.up(1), null);
    trail.down(3, "deep");
    assert.equal(trail.up(2), null);
});

// ---- files ----

test("what cannot be opened is said before it is sent", () => {
    const file = { name: "a.gml", size: 10 };
    assert.equal(refusal(file, 1, false, true), null);
    assert.match(refusal(file, 1, false, false), /program/);
    assert.match(refusal(file, 2, false, true), /one file/);
    assert.match(refusal(file, 1, true, true), /folder/);
    assert.match(refusal({ ...file, size: 0 }, 1, false, true), /empty/);
    assert.match(refusal({ ...file, size: 2 ** 28 + 1 }, 1, false, true), /256 MB/);
    assert.match(refusal(undefined, 0, false, true), /no file/);
});
