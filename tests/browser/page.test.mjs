// SPDX-License-Identifier: Apache-2.0
// What the page decides without a browser: what is chosen, which pictures are asked for, what is picked, whose nodes are
// drawn (run-modules).
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

const load = (name) => import(join(process.env.DGM_PAGE_MODULES, `${name}.js`));
const { Choices } = await load("choices");
const { Pictures } = await load("pictures");
const { linkAt, wantedMarks, withMark, withMarks } = await load("picking");
const { NodeWork } = await load("nodework");
const { Graphs } = await load("graphs");
const { LensWork } = await load("lenswork");
const { EngineError } = await load("engine");

/** What an engine says of a graph, as far as choices go. */
function startOf(more = {}) {
    return {
        live: true, opened: false, predictions: true, classes: ["a", "b"], settings: { intervals: "5", overlap: "0.3", theme: "dark" },
        lens: { name: "degree", settings: { lens: "degree" } }, lens_options: [{ name: "epochs" }],
        options: [
            { name: "intervals", kind: "text", default: "10" }, { name: "overlap", kind: "number", default: "0.5" }, { name: "cover", kind: "text", default: "uniform" },
            { name: "dust", kind: "flag", default: null },
        ],
        candidates: [], ...more,
    };
}

function choicesOf(start = startOf()) {
    const choices = new Choices(start);
    choices.take();
    choices.beginWith(choices.read(""));
    return choices;
}

/** Lets all promises that can go on do so. */
const pause = () => new Promise((done) => setImmediate(done));

// ---- what is chosen ----

test("the page begins with the settings of the engine, without those that are the page's own", () => {
    const choices = choicesOf();
    assert.deepEqual(choices.current, { settings: { intervals: "5", overlap: "0.3" }, lens: { lens: "degree" } });
    assert.ok(!choices.canUndo && !choices.canRedo && !choices.hasLeft);
});

test("each change has a way back, and steps of one setting have one", () => {
    const choices = choicesOf();
    for (const value of ["6", "7", "8"]) choices.set("intervals", value);
    choices.set("overlap", "0.4");
    choices.setSome({ intervals: "9", overlap: "0.1" });
    assert.ok(choices.hasLeft && choices.canUndo);
    choices.undo();
    assert.deepEqual(choices.current.settings, { intervals: "8", overlap: "0.4" });
    choices.undo();
    assert.deepEqual(choices.current.settings, { intervals: "8", overlap: "0.3" });
    choices.undo();
    assert.deepEqual(choices.current.settings, { intervals: "5", overlap: "0.3" });
    assert.ok(!choices.canUndo && choices.canRedo && !choices.hasLeft);
    choices.redo();
    assert.equal(choices.current.settings.intervals, "8");
});

test("what is chosen before does not change with what is chosen after", () => {
    const choices = choicesOf(), first = choices.current, copy = structuredClone(first);
    choices.set("intervals", "6");
    choices.setLens("lens", "eigen");
    choices.choose({ settings: { lens: "gcn", intervals: "3" } });
    choices.beginAgain({ lens: "degree" });
    assert.deepEqual(first, copy);
});

test("a candidate is taken whole: its lens, and defaults where it names no cover", () => {
    const choices = choicesOf();
    choices.set("dust", "true");
    choices.choose({ settings: { lens: "gcn", epochs: "20", intervals: "3" } });
    assert.deepEqual(choices.current, { settings: { intervals: "3", overlap: "0.5", dust: "true", transform: "none", cover: "uniform" }, lens: { lens: "gcn", epochs: "20" } });
});

test("without a program the lens stays, whatever an address or a candidate says", () => {
    const choices = choicesOf(startOf({ live: false }));
    choices.goTo({ settings: { intervals: "7" }, lens: { lens: "gcn" } });
    assert.deepEqual(choices.current, { settings: { intervals: "7" }, lens: { lens: "degree" } });
    choices.choose({ settings: { lens: "gcn", intervals: "3" } });
    assert.deepEqual(choices.current.lens, { lens: "degree" });
    choices.beginWith({ settings: {}, lens: { lens: "gcn" } });
    assert.deepEqual(choices.current.lens, { lens: "degree" });
    const live = choicesOf();
    live.goTo({ settings: { intervals: "7" }, lens: { lens: "gcn" } });
    assert.deepEqual(live.current.lens, { lens: "gcn" });
});

test("settings that are chosen anew are those of the best candidate, if it has the lens that is there", () => {
    const best = (lens) => startOf({ candidates: [{ settings: { lens, intervals: "3" } }, { settings: { lens: "degree", intervals: "4" } }] });
    const same = choicesOf(best("degree")), other = choicesOf(best("eigen"));
    for (const choices of [same, other]) choices.set("dust", "true"), choices.take(), choices.chooseBest();
    assert.deepEqual(same.current, { settings: { intervals: "3", overlap: "0.5", transform: "none", cover: "uniform" }, lens: { lens: "degree" } });
    assert.deepEqual(other.current, { settings: { intervals: "5", overlap: "0.3" }, lens: { lens: "degree" } });
    assert.ok(!same.hasLeft, "the page begins with what was chosen");
    same.undo();
    assert.equal(same.current.settings.dust, "true");
});

test("a lens that did not come is given up, or the settings with it", () => {
    const choices = choicesOf(), there = { lens: "degree" };
    choices.setLens("lens", "gcn");
    choices.set("intervals", "9");
    choices.keepLens(there);
    assert.deepEqual(choices.current, { settings: { intervals: "9", overlap: "0.3" }, lens: there });
    choices.beginAgain(there);
    assert.deepEqual(choices.current, { settings: { intervals: "5", overlap: "0.3" }, lens: there });
    choices.undo();
    assert.equal(choices.current.settings.intervals, "9");
});

test("a graph comes back with its own choices and its own way back", () => {
    const start = startOf(), choices = choicesOf(start);
    choices.set("intervals", "6");
    const { state } = choices;
    Object.assign(start, startOf({ settings: { intervals: "2" } }));
    choices.take();
    choices.beginWith(choices.read(""));
    assert.ok(choices.current.settings.intervals === "2" && !choices.canUndo);
    choices.restore(state);
    assert.ok(choices.hasLeft && choices.current.settings.intervals === "6");
    choices.undo();
    assert.ok(!choices.hasLeft && choices.current.settings.intervals === "5");
});

test("an address is read again as it was written, and by its own part of the graph alone", () => {
    const none = { selection: { kind: "none" }, side: "none", split: false, pane: false, camera: null, drill: null };
    const levels = [{ nodes: 9, edges: 20 }, { nodes: 4, edges: 5 }], choices = choicesOf(startOf({ levels }));
    assert.equal(choices.write({ ...choices.current, ...none }), "part=4.5");
    choices.set("intervals", "6");
    const text = choices.write({ ...choices.current, ...none });
    assert.ok(text.startsWith("part=4.5&") && text.includes("intervals=6") && text.includes("lens=degree"), text);
    assert.deepEqual(choices.read(`#${text}`).settings, { intervals: "6", overlap: "0.3" });
    assert.deepEqual(choices.read("#intervals=7").settings, { intervals: "5", overlap: "0.3" });
    assert.equal(choicesOf().read("#intervals=7").settings.intervals, "7");
});

test("an address leaves defaults out, and whoever reads it puts them in again", () => {
    const none = { selection: { kind: "none" }, side: "none", split: false, pane: false, camera: null, drill: null };
    const choices = choicesOf(startOf({ settings: { intervals: "5", overlap: "0.3", dust: "true" } }));
    choices.setSome({ intervals: "10", dust: "false" });
    const text = choices.write({ ...choices.current, ...none });
    assert.equal(text, "lens=degree&overlap=0.3");
    assert.deepEqual(choices.read(`#${text}`).settings, { intervals: "10", overlap: "0.3", dust: "false" });
});

test("an option of the lens is none of the map's", () => {
    assert.deepEqual(choicesOf().ofMap({ settings: { intervals: "5", epochs: "20", lens: "gcn" }, lens: {} }), { intervals: "5" });
});

// ---- pictures ----

/** Pictures of an engine that answers each question when it is told to. */
function gallery(start = startOf()) {
    const asked = [], heard = [], choices = choicesOf(start);
    const engine = { ask: (name, settings) => new Promise((answer) => asked.push({ name, settings, answer: () => answer({ json: { colour: settings.colour }, arrays: {} }) })) };
    const pictures = new Pictures(engine, start, choices, {
        isDark: () => false, show: async (drawn, isNewest) => void heard.push({ drawn, isNewest }), fail: (error) => heard.push({ error }), busy: (isBusy) => heard.push({ isBusy }),
    });
    const drawn = () => heard.filter((one) => one.drawn);
    return { asked, heard, choices, pictures, drawn };
}

test("of pictures that are wanted at once, the first and the newest are drawn", async () => {
    const { asked, choices, pictures, drawn } = gallery();
    for (const value of ["6", "7", "8"]) choices.set("intervals", value), pictures.want();
    assert.ok(pictures.isBusy);
    asked[0].answer();
    await pause();
    asked[1].answer();
    await pause();
    assert.deepEqual(asked.map(({ name, settings }) => [name, settings.intervals, settings.theme]), [["picture", "6", "light"], ["picture", "8", "light"]]);
    assert.deepEqual(drawn().map((one) => one.isNewest), [false, true]);
    assert.ok(!pictures.isBusy);
});

test("a picture of a graph that is not shown any more is stale, and the next one is not", async () => {
    const { asked, heard, pictures, drawn } = gallery();
    pictures.want();
    pictures.forget();
    pictures.want();
    asked[0].answer();
    await pause();
    assert.ok(heard.find((one) => one.error).error.stale && drawn().length === 0);
    asked[1].answer();
    await pause();
    assert.equal(drawn().length, 1);
});

test("side by side there is a picture by predictions and one by classes", async () => {
    const { asked, pictures, drawn } = gallery();
    pictures.setSplit(true);
    pictures.want();
    asked[0].answer();
    await pause();
    asked[1].answer();
    await pause();
    const [{ drawn: { answer, twin } }] = drawn();
    assert.deepEqual([answer.json.colour, twin.json.colour, asked.length], ["labels", "prediction", 2]);
});

test("only classes and predictions together stand side by side", () => {
    const splits = (more) => {
        const { pictures } = gallery(startOf(more));
        pictures.setSplit(true);
        return [pictures.canSplit, pictures.isSplit];
    };
    assert.deepEqual([splits({}), splits({ classes: [] }), splits({ predictions: false })], [[true, true], [false, false], [false, false]]);
    const { pictures } = gallery();
    pictures.setSplit(true);
    pictures.setSplit(false);
    assert.ok(!pictures.isSplit);
});

// ---- a lens and its graph ----

/** A lens under way, and a part that is asked for meanwhile; each is answered when the test says so. */
function journey() {
    const asked = {}, heard = [], start = startOf({ levels: [{}] });
    globalThis.document ??= { body: { dataset: {} } };
    const engine = { ask: (name) => new Promise((answer, refuse) => (asked[name] = { answer: (json) => answer({ json, arrays: {} }), refuse })) };
    const progress = { begin: () => () => undefined };
    const lens = new LensWork(engine, progress, {
        settled: () => graphs.settled(), there: async () => void heard.push("there"), failed: (error) => heard.push(error.message), cancel: () => undefined,
    });
    const graphs = new Graphs(engine, start, progress, {
        serial: () => 1, state: () => null, restart: (next) => (lens.begin(next.lens), heard.push("restart")), chosen: () => undefined,
        busy: () => undefined, say: (text) => heard.push(text), fail: (error) => heard.push(error.message),
    });
    lens.begin(start.lens);
    assert.ok(lens.follow({ lens: "gcn" }));
    return { asked, heard, lens, graphs, start };
}

test("a lens that ends with its graph is no failure, whichever the engine says first", async () => {
    for (const lensFirst of [true, false]) {
        const { asked, heard, lens, graphs, start } = journey();
        graphs.focus({ cluster: "4" });
        const ends = [() => asked.lens.refuse(new EngineError("Cancelled.", 409, null)), () => asked.focus.answer(start)];
        for (const end of lensFirst ? ends : ends.reverse()) end(), await pause();
        await pause();
        assert.deepEqual(heard, ["restart"], lensFirst ? "the lens first" : "the graph first");
        assert.ok(!lens.isBusy);
    }
});

test("a lens that fails is told, at once or when no other graph comes", async () => {
    const alone = journey();
    alone.asked.lens.refuse(new EngineError("no memory", 500, null));
    await pause();
    assert.deepEqual(alone.heard, ["no memory"]);
    const { asked, heard, lens, graphs } = journey();
    graphs.focus({ cluster: "4" });
    asked.lens.refuse(new EngineError("Cancelled.", 409, null));
    await pause();
    assert.deepEqual(heard, []);
    asked.focus.refuse(new EngineError("no such cluster", 400, null));
    await pause();
    await pause();
    assert.deepEqual(heard, ["no such cluster", "Cancelled."]);
    assert.ok(!lens.isBusy);
});

// ---- what is picked ----

const picture = { cluster: [4, 7, 9], source: [0, 1], target: [1, 2] };
const clusters = (...numbers) => ({ kind: "clusters", clusters: numbers });

test("a mark that is picked is selected alone, or beside others, or taken away from them", () => {
    assert.deepEqual(withMark(clusters(4, 9), picture, 1, false), clusters(7));
    assert.deepEqual(withMark(clusters(4, 9), picture, 1, true), clusters(4, 9, 7));
    assert.deepEqual(withMark(clusters(4, 7), picture, 1, true), clusters(4));
    assert.deepEqual(withMark(clusters(7), picture, 1, false), clusters(7));
    assert.deepEqual(withMark({ kind: "link", a: 4, b: 7 }, picture, 2, true), clusters(9));
});

test("a lasso selects its marks once, and takes nothing away", () => {
    assert.deepEqual(withMarks(clusters(9), picture, [0, 1], false), clusters(4, 7));
    assert.deepEqual(withMarks(clusters(9, 4), picture, [0, 1], true), clusters(9, 4, 7));
    assert.deepEqual(withMarks({ kind: "none" }, picture, [], true), clusters());
});

test("a class of the legend selects its marks, and a line its two ends", () => {
    assert.deepEqual(wantedMarks(picture, Uint8Array.from([1, 0, 1])), clusters(4, 9));
    assert.deepEqual(linkAt(picture, 1), { kind: "link", a: 7, b: 9 });
});

// ---- the nodes of what is selected ----

const NODES = { kind: "nodes", which: { where: "degree=1..2" }, words: "few" };

/** Nodes of a page whose conditions leave `total` of them. */
function bench({ total = 3, set = NODES, isOpen = false } = {}) {
    const done = [], shown = { marks: 1, markOf: new Map([[4, 0]]), pile: [0], cluster: [4] };
    const world = { picture: shown, selection: set ? { kind: set.kind, which: set.which, clusters: set.clusters } : { kind: "none" }, set };
    const parts = {
        map: { highlight: { cursor: -1, hover: -1 } },
        drill: { isOpen, hops: 1, about: null, open: (what, hops) => done.push(["open", what, hops]), close: () => done.push(["close"]), focusThese: () => done.push(["focus these"]) },
        views: { total: async () => ({ total }), carry: async (had) => had },
        selecting: {
            get selection() { return world.selection; },
            get set() { return world.set; },
            pick: (mark) => ((world.selection = clusters(4)), (world.set = { ...clusters(4), combine: "any" }), done.push(["pick", mark])),
            select: (selection) => ((world.selection = selection), (world.set = { ...selection, words: "few" }), done.push(["select", selection])),
        },
        voice: { say: (text) => done.push(["say", text]), fail: (error) => done.push(["fail", error]) },
    };
    const work = new NodeWork(parts, { picture: () => world.picture, focus: (settings) => done.push(["focus", settings]) });
    return { work, parts, world, done };
}

test("the nodes of a selection are drawn, and the map comes back", async () => {
    const one = bench();
    one.work.toggle();
    await pause();
    assert.deepEqual(one.done, [["open", NODES, 1]]);
    const open = bench({ isOpen: true });
    open.work.toggle();
    assert.deepEqual(open.done, [["close"]]);
});

test("where nothing is selected, the mark under the cursor is, and without one it is said", async () => {
    const one = bench({ set: null });
    one.parts.map.highlight = { cursor: 2, hover: 5 };
    one.work.toggle();
    await pause();
    assert.deepEqual(one.done, [["pick", 2], ["open", { ...clusters(4), combine: "any" }, 1]]);
    const none = bench({ set: null });
    none.work.toggle();
    none.work.mapAgain();
    assert.deepEqual(none.done, [["say", "Select a cluster first."], ["say", "Select a cluster first."]]);
});

test("conditions that no node satisfies are said, and what changed meanwhile is not drawn", async () => {
    const empty = bench({ total: 0 });
    empty.work.toggle();
    await pause();
    assert.deepEqual(empty.done, [["close"], ["say", "No node satisfies all of this."]]);
    for (const name of ["picture", "selection"]) {
        const late = bench();
        late.work.toggle();
        late.world[name] = { kind: "none" };
        await pause();
        assert.deepEqual(late.done, [], `another ${name}`);
    }
});

test("a drawing follows the selection, and one that is closed stays closed", async () => {
    const closed = bench(), open = bench({ isOpen: true }), none = bench({ isOpen: true, set: null });
    for (const { work } of [closed, open, none]) work.follow();
    await pause();
    assert.deepEqual([closed.done, open.done, none.done], [[], [["open", NODES, 1]], []]);
});

test("nodes that an address asks for are drawn once", async () => {
    const one = bench();
    one.work.grant();
    one.work.wishFor(0);
    one.work.grant();
    one.work.grant();
    await pause();
    assert.deepEqual(one.done, [["open", NODES, 0]]);
});

test("what is mapped again is what is drawn, and else what is selected", () => {
    const drawn = bench({ isOpen: true }), selected = bench({ set: { ...clusters(4), combine: "any" } });
    for (const { work } of [drawn, selected]) work.mapAgain();
    assert.deepEqual([drawn.done, selected.done], [[["focus these"]], [["focus", { cluster: "4" }]]]);
});

test("conditions hold again through another lens, with what was drawn of them", async () => {
    const one = bench({ set: null });
    Object.assign(one.parts.drill, { about: NODES, hops: 2 });
    one.work.carry(NODES.which, one.world.picture);
    await pause();
    await pause();
    assert.deepEqual(one.done, [["select", { kind: "nodes", which: NODES.which }], ["open", NODES, 2]]);
    const late = bench({ set: null });
    late.work.carry(NODES.which, { ...late.world.picture });
    const gone = bench({ set: null });
    gone.work.carry({ axes: "0" }, gone.world.picture);
    await pause();
    assert.deepEqual([late.done, gone.done], [[], []]);
});
