// SPDX-License-Identifier: Apache-2.0
// What the linked views compute without a browser. DGM_PAGE_MODULES is a folder of the page's modules (run-modules).
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

const load = (name) => import(join(process.env.DGM_PAGE_MODULES, `${name}.js`));
const { EngineError, understand } = await load("engine");
const { readAddress, writeAddress } = await load("state");
const { Scale, binColours, cellsAt, extentOf, lanesOf, markBins, marksOfCell, nextCell, pointsByColour, readRegion, ticks, writeRegion } = await load("lensdata");
const { brushed, filterWords, readWhere, sameFilters, withFilter, writeWhere } = await load("where");
const { bars, steep } = await load("columns");
const { brief, shade } = await load("matrix");
const { chipsOf } = await load("chips");
const { sharesOf } = await load("views");
const { settingsOf } = await load("nodeset");
const { extent, smallOf, thumbPaths } = await load("thumb");
const { around, barWords, rankBars, planOf, towersOf } = await load("tower");

const bytesOf = (text) => new TextEncoder().encode(text).buffer;

// ---- answers that are none ----

test("an answer that says it is stale is none, with or without a head", () => {
    const text = '{"stale": true}  ', head = new Uint8Array(8 + 24).fill(32);
    head.set(new TextEncoder().encode("DGM1"));
    new DataView(head.buffer).setUint32(4, 24, true);
    head.set(new TextEncoder().encode(text), 8);
    for (const bytes of [bytesOf(text), head.buffer])
        assert.throws(() => understand(bytes), (error) => error instanceof EngineError && error.stale);
    assert.equal(understand(bytesOf('{"total": 3}')).json.total, 3);
    assert.throws(() => understand(new ArrayBuffer(0)), /DGM1/);
    assert.ok(new EngineError("", 409, null).stale && !new EngineError("", 400, null).stale);
});

// ---- the lens ----

/** A view of one or two axes from lists. */
function view({ axes = [{ number: 0, name: "x", low: 0, high: 10 }], bins = 5, stride = 1, px = [], py = [], pmark = [], pfill = [], low = [], high = [], markCell = [], counts = [] }) {
    return {
        info: { axes, bins, stride, cells: low.length / axes.length }, isFlat: axes.length === 1, bins: Uint32Array.from(counts), px: Float32Array.from(px), py: Float32Array.from(py),
        pmark: Uint32Array.from(pmark), pfill: Uint8Array.from(pfill), low: Float32Array.from(low), high: Float32Array.from(high), markCell: Uint32Array.from(markCell),
    };
}
const plane = [{ number: 0, name: "x", low: 0, high: 10 }, { number: 1, name: "y", low: 0, high: 10 }];

test("a scale goes to pixels and back, and stays within its ends", () => {
    const scale = new Scale(-1, 3, 40, 240);
    assert.equal(scale.at(1), 140);
    assert.equal(scale.value(scale.at(2.5)), 2.5);
    assert.deepEqual([scale.inside(0), scale.inside(999)], [-1, 3]);
    const upwards = new Scale(0, 10, 100, 0);
    assert.deepEqual([upwards.at(0), upwards.at(10), upwards.value(50)], [100, 0, 5]);
});

test("an axis with a single value has room around it", () => {
    const [low, high] = extentOf(view({ axes: [{ number: 0, name: "x", low: 4, high: 4 }] }), 0);
    assert.ok(low < 4 && high > 4);
});

test("ticks are round numbers inside the ends", () => {
    assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
    assert.deepEqual(ticks(-0.31, 0.32, 4), [-0.2, 0, 0.2]);
    assert.deepEqual([ticks(1, 1, 4), ticks(0, NaN, 4)], [[], []]);
});

test("intervals that overlap lie in different rows, as few as can be", () => {
    const { lane, lanes } = lanesOf([0, 1, 2.5, 4], [2, 3, 4.5, 6]);
    assert.deepEqual([...lane], [0, 1, 0, 1]);
    assert.equal(lanes, 2);
    assert.equal(lanesOf([0, 0, 0], [1, 1, 1]).lanes, 3);
    assert.equal(lanesOf([], []).lanes, 0);
});

test("bins have the colours of their nodes in one order, and mix very many", () => {
    const red = [255, 0, 0], blue = [0, 0, 255];
    const data = view({ px: [1, 1, 1, 9, 9], pfill: [red, blue, red, red, blue].flat() });
    const parts = binColours(data);
    assert.deepEqual(parts[0].map((part) => part.colour), ["#ff0000", "#0000ff"]);
    assert.deepEqual(parts[4].map((part) => [part.colour, part.share]), [["#ff0000", 0.5], ["#0000ff", 0.5]]);
    assert.deepEqual(parts[2], []);
    const many = view({ px: new Array(40).fill(1), pfill: Array.from({ length: 40 }, (_, i) => [2 * i, 10, 0]).flat() });
    assert.deepEqual(binColours(many)[0], [{ colour: "#270a00", share: 1 }]);
    assert.deepEqual([...pointsByColour(data)], [["#ff0000", [0, 2, 3]], ["#0000ff", [1, 4]]]);
});

test("the nodes of a mark are counted by bin, points standing for several", () => {
    assert.deepEqual(markBins(view({ px: [0, 1, 5, 10], pmark: [3, 3, 1, 3], stride: 2 }), 3), [4, 0, 0, 0, 2]);
});

test("cells under a place come nearest first, and know their marks", () => {
    const data = view({ axes: plane, low: [0, 0, 4, 0, 0, 4], high: [6, 10, 10, 10, 10, 10], markCell: [1, 0, 1, 0xffffffff] });
    assert.deepEqual(cellsAt(data, [5.5, 1]), [1, 0]);
    assert.deepEqual(cellsAt(data, [11, 1]), []);
    assert.deepEqual(marksOfCell(data, 1), [0, 2]);
});

test("keys go from cell to cell", () => {
    const line = view({ low: [0, 3, 6], high: [4, 7, 10] });
    assert.deepEqual([nextCell(line, 0, 1, 0), nextCell(line, 1, -1, 0), nextCell(line, 2, 1, 0), nextCell(line, 0, 0, 1)], [1, 0, 2, 1]);
    const four = view({ axes: plane, low: [0, 0, 5, 0, 0, 5, 5, 5], high: [5, 5, 10, 5, 5, 10, 10, 10] });
    assert.deepEqual([nextCell(four, 0, 1, 0), nextCell(four, 0, 0, 1), nextCell(four, 3, -1, 0), nextCell(four, 3, 0, 1)], [1, 2, 2, 3]);
});

test("a region is a box of a question and back", () => {
    const region = { axes: [0, 2], ends: [[-1.25, 3], [0.1, 0.3000000001]] };
    assert.deepEqual(writeRegion(region), { box: "-1.25,3,0.1,0.3", axes: "0,2" });
    assert.deepEqual(readRegion(writeRegion(region)).ends, [[-1.25, 3], [0.1, 0.3]]);
    assert.deepEqual(writeRegion({ axes: [1], ends: [[2, 1]] }).box, "1,2");
    assert.deepEqual(readRegion({ box: "1,2" }).axes, [0]);
    for (const which of [{}, { box: "1,x" }, { box: "1,2,3" }, { box: "1,2", axes: "0,1" }]) assert.equal(readRegion(which), null);
});

// ---- filters ----

const columns = [{ name: "degree", kind: "number", low: 0, high: 40, names: [] }, { name: "class", kind: "category", low: 0, high: 0, names: ["North", "East_Side"] }];

test("filters are text and back; what is none is left out", () => {
    const filters = [{ column: 0, low: -0.5, high: 1e-7 }, { column: 12, category: 2 }];
    assert.equal(writeWhere(filters), "0:-0.5:1e-7;12=2");
    assert.deepEqual(readWhere(writeWhere(filters)), filters);
    assert.deepEqual(readWhere("x;3;4:1;5=a;6:a:b;7:1:2:3"), []);
    assert.deepEqual(readWhere(undefined), []);
});

test("a column has one filter", () => {
    const one = withFilter([], 3, { column: 3, category: 1 });
    const two = withFilter(one, 1, { column: 1, low: 0, high: 1 });
    assert.deepEqual(two.map((filter) => filter.column), [1, 3]);
    assert.deepEqual(withFilter(two, 3, { column: 3, category: 2 })[1], { column: 3, category: 2 });
    assert.deepEqual(withFilter(two, 1, null), one);
});

test("filters go with the names of their columns to others", () => {
    const fresh = [{ name: "x", kind: "number", names: [] }, { name: "class", kind: "category", names: ["East_Side", "North"] }, { name: "degree", kind: "number", names: [] }];
    const filters = [{ column: 0, low: 1, high: 2 }, { column: 1, category: 0 }];
    assert.deepEqual(sameFilters(filters, columns, fresh), [{ column: 2, low: 1, high: 2 }, { column: 1, category: 1 }]);
    assert.deepEqual(sameFilters(filters, columns, fresh.slice(0, 1)), []);
    assert.deepEqual(sameFilters(filters, [], fresh), []);
});

test("a brush is a range of its column, and filters are said in words", () => {
    assert.deepEqual(brushed(0, columns[0], 0.75, 0.25), { column: 0, low: 10, high: 30 });
    assert.deepEqual(brushed(0, columns[0], -1, 0.5), { column: 0, low: 0, high: 20 });
    assert.equal(filterWords({ column: 0, low: 10, high: 30 }, columns), "degree 10 to 30");
    assert.equal(filterWords({ column: 1, category: 1 }, columns), "class: East Side");
    assert.equal(filterWords({ column: 7, category: 1 }, columns), "column 7: category 1");
});

test("bars that are not empty are to be seen", () => {
    assert.equal(bars([0, 0], 5), "");
    assert.match(bars([1, 100000], 100000), /^M0.25 34v-1h3.5V34zM4.25 34v-34h3.5V34z$/);
});

test("where one bar has most of all, heights are by the square root", () => {
    assert.deepEqual([steep([90, 5, 5]), steep([50, 50]), steep([7, 0]), steep([])], [true, false, false, false]);
    assert.match(bars([1, 100], 100, true), /v-3.4h.*v-34h/);
});

test("what selects nodes is said in chips, each of which takes itself away", () => {
    const which = { box: "1,2", axes: "0", field: "0,1", where: "0:1:2;1=0" };
    const chips = chipsOf(which, columns, ["North", "East_Side"], [{ name: "x", low: 0, high: 1 }]);
    assert.deepEqual(chips.map((chip) => chip.words), ["Lens: x 1 to 2", "North called East Side", "degree 1 to 2", "class: North"]);
    assert.deepEqual(chips.map((chip) => chip.without), [{ box: "", axes: "" }, { field: "" }, { where: "1=0" }, { where: "0:1:2" }]);
    assert.deepEqual(settingsOf({ ...which, ...chips[0].without }), { field: "0,1", where: "0:1:2;1=0" });
    assert.deepEqual(settingsOf({ axes: "0,1" }), {});
});

test("hits are shares of marks", () => {
    assert.deepEqual([...sharesOf([1, 0, 4, 9], [2, 5, 4, 0])], [0.5, 0, 1, 0]);
});

test("an address holds nodes that are selected", () => {
    const begin = { settings: { intervals: "10" }, lens: { lens: "x" } }, names = new Set(["lens"]);
    const now = { ...begin, selection: { kind: "nodes", which: { box: "1,2", axes: "0", where: "3:1:2;4=0" } }, side: "columns", split: false, pane: false, camera: null, drill: 1 };
    const text = writeAddress(now, begin, begin.settings);
    assert.match(text, /where=3:1:2;4=0/);
    assert.deepEqual(readAddress(text, begin, begin.settings, names), now);
    assert.deepEqual(readAddress("#axes=0,1", begin, begin.settings, names).selection, { kind: "none" });
});

// ---- mistakes ----

test("fields are shaded by their row, and counts stay short", () => {
    assert.equal(shade(0, 5), 0);
    assert.ok(shade(1, 100) > 0.1 && shade(1, 100) < shade(50, 100) && shade(100, 100) <= 0.85);
    assert.deepEqual([0, 999, 1000, 1234, 45678, 123456, 2345678].map(brief), ["0", "999", "1k", "1.2k", "46k", "123k", "2.3M"]);
});

// ---- small pictures ----

test("a small picture fits its square, marks of a colour in one path", () => {
    const picture = { x: [0, 10, 5], y: [0, 0, 8], radius: [1, 1, 0.5], fill: ["#ff0000", "#00ff00", "#ff0000"], links: [0, 1, 1, 2, 9, 1] };
    const { links, marks } = thumbPaths(picture, 100, 80);
    assert.equal(links.split("M").length - 1, 2, "a link to a mark that is not there is left out");
    assert.deepEqual([...marks.keys()], ["#ff0000", "#00ff00"]);
    for (const path of [links, ...marks.values()])
        for (const [, x, y] of path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)) assert.ok(x >= 0 && x <= 100 && y >= 0 && y <= 80, path);
    assert.deepEqual([...thumbPaths({ x: [], y: [], radius: [], fill: [], links: [] }).marks], []);
    assert.deepEqual([...thumbPaths({ ...picture, fill: ["url(#x)", "red", "#00FF00"] }).marks.keys()].sort(), ["#00FF00", "#888888"]);
});

test("crumbs far away do not make a small picture smaller", () => {
    assert.deepEqual(extent([0, 10, 1000, -500], [1, 1, 0.01, 0.01]), [-1, 11]);
    assert.deepEqual(extent([5], [2]), [3, 7]);
    assert.deepEqual(extent([0, 100], [1, 1]), [-1, 101]);
});

test("a thumbnail of the engine is a small picture", () => {
    const arrays = { x: Float32Array.of(1, 2), y: Float32Array.of(3, 4), radius: Float32Array.of(1, 1), fill: Uint8Array.of(255, 0, 10, 1, 2, 3), source: Uint32Array.of(0), target: Uint32Array.of(1) };
    const small = smallOf({ json: {}, arrays });
    assert.deepEqual(small.fill, ["#ff000a", "#010203"]);
    assert.deepEqual([...small.links], [0, 1]);
});

// ---- the grid ----

test("intervals around a number are whole, and every second is twice as many", () => {
    assert.deepEqual(around(10), [5, 7, 10, 14, 20]);
    assert.deepEqual(around(1), [1, 2]);
    assert.deepEqual(towersOf([5, 7, 10, 14, 20]), [[20, 10, 5], [14, 7]]);
    assert.deepEqual(towersOf([3, 5, 7]), []);
});

const options = [{ name: "intervals", minimum: 1, maximum: 1000000 }, { name: "overlap", minimum: 0, maximum: 1 }];

test("the grid is around what is shown, within bounds", () => {
    const plan = planOf({ cover: "uniform", intervals: "8", overlap: "0.05" }, 1, options);
    assert.deepEqual(plan.columns.map((column) => column.settings.intervals), ["4", "6", "8", "12", "16"]);
    assert.deepEqual(plan.rows.map((row) => row.overlap), ["0", "0.05", "0.15"]);
    assert.deepEqual([plan.columns.filter((column) => column.isNow).length, plan.rows.filter((row) => row.isNow).length], [1, 1]);
    assert.deepEqual(plan.towers, [[16, 8, 4], [12, 6]]);
    assert.deepEqual(planOf({ intervals: "8", overlap: "0.95" }, 1, options).rows.map((row) => row.overlap), ["0.85", "0.95"]);
});

test("axes with numbers of their own grow together, and form no tower", () => {
    const plan = planOf({ cover: "uniform", intervals: "8,4", overlap: "0.2,0.3" }, 2, options);
    assert.deepEqual(plan.columns.map((column) => column.settings.intervals), ["4,2", "6,3", "8,4", "12,6", "16,8"]);
    assert.deepEqual(plan.rows.map((row) => row.overlap), ["0.1,0.2", "0.2,0.3", "0.3,0.4"]);
    assert.deepEqual(plan.towers, []);
});

test("covers that count something else have columns of that", () => {
    const plan = planOf({ cover: "adaptive:size=100", overlap: "0.4" }, 2, options);
    assert.deepEqual(plan.columns.map((column) => column.settings), [50, 71, 100, 142, 200].map((n) => ({ cover: `adaptive:size=${n}` })));
    assert.equal(plan.rows.length, 3);
    const balls = planOf({ cover: "balls:radius=0.2", overlap: "0.4" }, 2, options);
    assert.deepEqual([balls.columns[0].settings.cover, balls.rows.length, balls.rows[0].overlap], ["balls:radius=0.1", 1, null]);
    assert.equal(planOf({ cover: "gmeans", overlap: "0.4" }, 1, options).columns.length, 1);
});

test("bars stand with the longest first, and are said in words", () => {
    const bar = (dimension, birth, death) => ({ dimension, birth, death, count: 1 });
    const ranked = rankBars([bar(0, 0, 1), bar(0, 0, null), bar(0, 1, 2), bar(1, 0, null)], 2);
    assert.deepEqual(ranked.map((one) => [one.dimension, one.birth, one.death]), [[0, 0, null], [0, 0, 1], [0, 1, 2], [1, 0, null]]);
    const steps = [{ intervals: 20 }, { intervals: 10 }, { intervals: 5 }];
    assert.equal(barWords(bar(0, 0, 1), steps), "piece from 20 to 10 intervals");
    assert.equal(barWords(bar(1, 1, null), steps), "loop from 10 intervals to the end");
});

// ---- questions about an answer ----

test("what has to be asked about an answer is asked before the next question", async () => {
    const { Latest } = await load("latest");
    const log = [];
    let release;
    const latest = new Latest(async (question) => (log.push(`ask ${question}`), question), {
        answer: (question) => (log.push(`shown ${question}`), new Promise((done) => (release = () => (log.push(`followed ${question}`), done())))),
        fail: () => assert.fail(), busy: () => undefined,
    });
    const all = latest.want(1);
    latest.want(2);
    const pause = () => new Promise((done) => setImmediate(done));
    await pause();
    assert.deepEqual(log, ["ask 1", "shown 1"], "the second question waits");
    release();
    await pause();
    release();
    await all;
    assert.deepEqual(log, ["ask 1", "shown 1", "followed 1", "ask 2", "shown 2", "followed 2"]);
});
