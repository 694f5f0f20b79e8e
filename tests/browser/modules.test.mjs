// SPDX-License-Identifier: Apache-2.0
// What the page computes without a browser. DGM_PAGE_MODULES is a folder of its modules as JavaScript (run-modules).
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

const load = (name) => import(join(process.env.DGM_PAGE_MODULES, `${name}.js`));
const { decode } = await load("answer");
const { csvCell, csvText } = await load("csv");
const { coverRange, joinAxes, perAxis, readCover, writeCover } = await load("cover");
const { Grid, distanceToSegment, insidePolygon, pick } = await load("grid");
const { placeLabels } = await load("labels");
const { boundsOf, discScale, fitCamera, mixCamera, readCamera, writeCamera, zoomCamera } = await load("camera");
const { History, readAddress, writeAddress } = await load("state");
const { Latest } = await load("latest");
const { initials, mixedClasses } = await load("mistakes");
const { rampColours } = await load("legend");
const { sortMarks } = await load("lists");
const { Scene, followMark, originsOf, pictureOf } = await load("scene");
const { allRows, membersCsv } = await load("members");
const { duration, percent, short } = await load("words");
const { coverWords, lensWords, usable, wholeSettings } = await load("reasons");

function answer(json, bytes = new Uint8Array(0)) {
    const text = new TextEncoder().encode(JSON.stringify(json));
    const length = Math.ceil(text.length / 8) * 8;
    const whole = new Uint8Array(8 + length + bytes.length).fill(32);
    whole.set(new TextEncoder().encode("DGM1"));
    new DataView(whole.buffer).setUint32(4, length, true);
    whole.set(text, 8);
    whole.set(bytes, 8 + length);
    return whole.buffer;
}

// ---- answers ----

test("an answer is JSON and arrays that look into its bytes", () => {
    const bytes = new Uint8Array(24);
    new DataView(bytes.buffer).setFloat32(0, 1.5, true);
    new DataView(bytes.buffer).setUint32(8, 7, true);
    bytes[16] = 255;
    const { json, arrays } = decode(answer({ serial: 3, arrays: { x: ["f4", 0, 1], size: ["u4", 8, 1], fill: ["u1", 16, 3] } }, bytes));
    assert.equal(json.serial, 3);
    assert.deepEqual([...arrays.x, ...arrays.size, ...arrays.fill], [1.5, 7, 255, 0, 0]);
});

test("what is no answer is refused", () => {
    assert.throws(() => decode(new ArrayBuffer(4)), /DGM1/);
    assert.throws(() => decode(new TextEncoder().encode("<html>nonsense").buffer), /DGM1/);
    const cut = answer({ arrays: {} });
    assert.throws(() => decode(cut.slice(0, 12)), /ends inside/);
    assert.throws(() => decode(answer({ arrays: { x: ["f4", 0, 99] } }, new Uint8Array(8))), /runs over/);
    assert.throws(() => decode(answer({ arrays: { x: ["f8", 0, 1] } }, new Uint8Array(8))), /unknown type/);
});

// ---- CSV ----

test("cells that a spreadsheet would run get an apostrophe, numbers do not", () => {
    for (const start of ["=", "+", "-", "@"]) assert.equal(csvCell(`${start}1+1`), `'${start}1+1`);
    assert.equal(csvCell(-3.5), "-3.5");
    assert.equal(csvCell("plain"), "plain");
    assert.equal(csvCell(null), "");
});

test("commas, quotes and line ends are quoted", () => {
    assert.equal(csvText(["a", "b"], [['say "x", y', "two\nlines"]]), 'a,b\r\n"say ""x"", y","two\nlines"\r\n');
    assert.equal(csvCell('=cmd,"x"'), '"\'=cmd,""x"""');
});

test("a table of members has the axes of the lens behind it", () => {
    const rows = [{ node: 4, name: "=a", degree: 2, label: "L", prediction: null, clusters: 1, lens: [-0.5, 2] }];
    assert.equal(membersCsv(rows, ["x", "y"]), "id,name,degree,label,prediction,clusters,x,y\r\n4,'=a,2,L,,1,-0.5,2\r\n");
});

// ---- covers ----

test("the text of a cover comes apart and together again", () => {
    assert.deepEqual(readCover("adaptive:size=338"), { kind: "adaptive", number: 338 });
    assert.deepEqual(readCover("uniform"), { kind: "uniform", number: null });
    assert.deepEqual(readCover("intervals:0..1,1..2"), { kind: "intervals", number: null });
    assert.deepEqual(readCover("landmarks:k=20"), { kind: "landmarks", number: 20 });
    assert.equal(writeCover("adaptive", 12), "adaptive:size=12");
    assert.equal(writeCover("quantile", 12), "quantile");
    assert.ok(coverRange("adaptive", 34).low < coverRange("adaptive", 34).start);
});

test("lists of one value per axis are filled up by the last", () => {
    assert.deepEqual(perAxis("6,4", 3, 10), [6, 4, 4]);
    assert.deepEqual(perAxis("", 2, 10), [10, 10]);
    assert.deepEqual(perAxis("x", 2, 10), [10, 10]);
    assert.equal(joinAxes([5, 5]), "5");
    assert.equal(joinAxes([5, 6]), "5,6");
});

// ---- picking ----

test("the nearest point of a grid is the nearest of all", () => {
    let seed = 5;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const x = Array.from({ length: 300 }, random), y = Array.from({ length: 300 }, () => 0.1 * random());
    const grid = new Grid(x, y);
    for (let k = 0; k < 200; k++) {
        const px = 1.4 * random() - 0.2, py = 0.6 * random() - 0.3;
        const d = (i) => Math.hypot(x[i] - px, y[i] - py);
        const best = x.reduce((near, _, i) => (d(i) < d(near) ? i : near), 0);
        assert.equal(d(grid.nearest(px, py)), d(best));
    }
    assert.equal(new Grid([], []).nearest(0, 0), -1);
    for (let k = 0; k < 100; k++) {
        const [left, bottom, right, top] = [random() - 0.2, 0.1 * random() - 0.02, random() + 0.2, 0.1 * random() + 0.02], met = new Set();
        grid.within(left, bottom, right, top, (i) => met.add(i));
        assert.ok(x.every((_, i) => x[i] < left || x[i] > right || y[i] < bottom || y[i] > top || met.has(i)));
    }
    const one = new Grid([3], [4]), met = [];
    one.within(3, 4, 3, 4, (i) => met.push(i));
    assert.deepEqual([one.nearest(-1e6, 1e6), met], [0, [0]]);
});

test("a pick takes the mark under the pointer, and what is near within the slack", () => {
    const x = [0, 3], y = [0, 0], radius = [1, 0.5], grid = new Grid(x, y);
    const at = (px, py, slack) => pick(grid, x, y, radius, 1, px, py, slack);
    assert.equal(at(0.9, 0, 0), 0);
    assert.equal(at(2.7, 0, 0), 1);
    assert.equal(at(1.5, 0, 0.2), -1);
    assert.equal(at(2.4, 0, 0.2), 1);
});

test("distances to lines, and places inside a lasso", () => {
    assert.equal(distanceToSegment(0, 1, -1, 0, 1, 0), 1);
    assert.equal(distanceToSegment(4, 4, 1, 0, 1, 0), 5);
    const star = Array.from({ length: 10 }, (_, i) => [(i % 2 ? 4 : 9) * Math.cos(0.3 + i * Math.PI / 5) + 20, (i % 2 ? 4 : 9) * Math.sin(0.3 + i * Math.PI / 5) - 7]).flat();
    const turns = (px, py) => { // how often the line goes around the place
        let sum = 0;
        for (let i = 0; i < 20; i += 2) {
            const [ax, ay, bx, by] = [star[i] - px, star[i + 1] - py, star[(i + 2) % 20] - px, star[(i + 3) % 20] - py];
            sum += Math.atan2(ax * by - ay * bx, ax * bx + ay * by);
        }
        return Math.round(sum / 2 / Math.PI);
    };
    for (let px = 9.7; px < 31; px += 1.3) for (let py = -17.1; py < 4; py += 1.1) assert.equal(insidePolygon(px, py, star), turns(px, py) !== 0, `${px}, ${py}`);
    const shape = [0, 0, 4, 0, 4, 4, 2, 1, 0, 4];
    assert.ok(insidePolygon(0.5, 1, shape));
    assert.ok(!insidePolygon(2, 3, shape));
    assert.ok(!insidePolygon(1, 1, []));
});

// ---- names on the map ----

test("names do not cover each other, and the first come first", () => {
    const marks = Array.from({ length: 60 }, (_, i) => ({ x: 23 * (i % 10), y: 19 * Math.floor(i / 10), radius: 4, text: `name ${i}`, width: 44 }));
    const labels = placeLabels(marks, 14, 100);
    assert.equal(labels[0].index, 0);
    const boxes = labels.map((label) => {
        const mark = marks[label.index];
        return [mark.x + label.dx, mark.y + label.dy - 7, mark.x + label.dx + mark.width, mark.y + label.dy + 7];
    });
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => assert.ok(a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1])));
    assert.ok(labels.length > 3 && labels.length < 60);
});

test("names cover no disc but their own, and have four places around it", () => {
    let seed = 9;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const marks = Array.from({ length: 80 }, (_, i) => ({ x: 900 * random(), y: 500 * random(), radius: 6 + 10 * random(), text: `n${i}`, width: 40 }));
    const labels = placeLabels(marks, 14, 100);
    assert.ok(labels.length > 10);
    for (const { index, dx, dy } of labels) {
        const own = marks[index], [left, top] = [own.x + dx, own.y + dy - 7];
        for (const disc of marks) {
            const x = Math.min(left + 40, Math.max(left, disc.x)), y = Math.min(top + 14, Math.max(top, disc.y));
            assert.ok(disc === own || Math.hypot(x - disc.x, y - disc.y) > 0.89 * disc.radius, `${own.text} covers ${disc.text}`);
        }
    }
    const alone = { x: 0, y: 0, radius: 10, text: "own", width: 40 };
    const wall = (x, y) => ({ x, y, radius: 9, text: "", width: 0 });
    const at = (...walls) => placeLabels([alone, ...walls], 14, 1).map(({ dx, dy }) => [dx, dy])[0];
    assert.deepEqual(at(), [-20, 21]);
    assert.deepEqual(at(wall(0, 21)), [-20, -21]);
    assert.deepEqual(at(wall(0, 21), wall(0, -21)), [14, 0]);
    assert.deepEqual(at(wall(0, 21), wall(0, -21), wall(34, 0)), [-54, 0]);
    assert.equal(at(wall(0, 21), wall(0, -21), wall(34, 0), wall(-34, 0)), undefined);
});

test("a name is not said twice nearby, but far away it is", () => {
    const mark = (x) => ({ x, y: 0, radius: 6, text: "same", width: 30 });
    assert.deepEqual(placeLabels([mark(0), mark(80), mark(600)], 14, 9).map((label) => label.index), [0, 2]);
    assert.equal(placeLabels([mark(0), mark(600)], 14, 1).length, 1);
});

// ---- camera ----

test("a fit shows everything, and a zoom keeps the point under the pointer", () => {
    const camera = fitCamera({ left: -1, right: 3, bottom: 0, top: 1 }, 500, 300, { left: 100, right: 0, top: 0, bottom: 0 });
    assert.equal(camera.scale, 100);
    const px = (x) => (x - camera.x) * camera.scale + 250;
    assert.equal(Math.round(px(-1)), 100);
    assert.equal(Math.round(px(3)), 500);
    const near = zoomCamera(camera, 2, 50, -20, 1, 1e9);
    const point = (c) => [c.x + 50 / c.scale, c.y + 20 / c.scale];
    assert.deepEqual(point(near).map((v) => v.toFixed(9)), point(camera).map((v) => v.toFixed(9)));
    assert.equal(zoomCamera(camera, 1e9, 0, 0, 1, 400).scale, 400);
});

test("a fit leaves the margins free, and what is a point is in the middle", () => {
    const bounds = { left: 0, right: 2, bottom: -3, top: 5 }, margin = { left: 10, right: 50, top: 70, bottom: 30 };
    const camera = fitCamera(bounds, 900, 500, margin);
    assert.equal(camera.scale, 50);
    const py = (y) => 250 - (y - camera.y) * camera.scale, px = (x) => 450 + (x - camera.x) * camera.scale;
    assert.deepEqual([py(5), py(-3)].map(Math.round), [70, 470]);
    assert.equal(Math.round(px(1)), (10 + 850) / 2);
    const point = fitCamera({ left: 4, right: 4, bottom: 7, top: 7 }, 100, 100, { left: 0, right: 0, top: 0, bottom: 0 });
    assert.ok(point.x === 4 && point.y === 7 && Number.isFinite(point.scale));
    assert.equal(fitCamera(bounds, 20, 20, margin).scale, 5, "a view without room shows it small");
});

test("halfway between two cameras is their middle, at the geometric mean of their scales", () => {
    const a = { x: 0, y: 8, scale: 1 }, b = { x: 4, y: 2, scale: 100 };
    const near = (c, x, y, scale) => assert.ok(Math.abs(c.x - x) + Math.abs(c.y - y) + Math.abs(c.scale - scale) < 1e-9, JSON.stringify(c));
    near(mixCamera(a, b, 0), 0, 8, 1);
    near(mixCamera(a, b, 0.5), 2, 5, 10);
    near(mixCamera(a, b, 1), 4, 2, 100);
});

test("marks grow with the map up to the fit, and more slowly beyond", () => {
    assert.equal(discScale(40, 80), 40);
    assert.equal(discScale(80, 80), 80);
    assert.ok(discScale(800, 80) > 160 && discScale(800, 80) < 400);
    const x = [0, 3], y = [0, 0], radius = [1, 1], grid = new Grid(x, y);
    assert.equal(pick(grid, x, y, radius, 1, 0.9, 0, 0, 0.5), -1, "and are picked where they are seen");
});

test("a camera in an address comes back, nonsense does not", () => {
    assert.deepEqual(readCamera(writeCamera({ x: 1.5, y: -0.25, scale: 80 })), { x: 1.5, y: -0.25, scale: 80 });
    assert.equal(writeCamera({ x: 1.23456, y: -0.0123456, scale: 81234 }), "1.235,-0.01235,81230");
    for (const text of ["", "1,2", "1,2,x", "1,2,0", "1,2,-3"]) assert.equal(readCamera(text), null);
});

// ---- address and history ----

const begin = { settings: { intervals: "10", cover: "adaptive:size=5", dust: "show" }, lens: { lens: "pagerank" } };
const defaults = { intervals: "10", cover: "uniform", dust: "auto" };
const names = new Set(["lens", "transform"]);

test("an address holds what differs, and gives it back", () => {
    const now = {
        settings: { intervals: "6,4", cover: "adaptive:size=9", dust: "auto" }, lens: { lens: "eigen:k=2,laplacian=rw", transform: "rank" },
        selection: { kind: "clusters", clusters: [4, 17] }, side: "list", split: true, pane: true, camera: { x: 1, y: 2, scale: 3 }, drill: 2,
    };
    assert.deepEqual(readAddress("#" + writeAddress(now, begin, defaults), begin, defaults, names), now);
    assert.equal(writeAddress({ ...now, ...begin, selection: { kind: "none" }, side: "none", split: false, pane: false, camera: null, drill: null }, begin, defaults), "");
    const link = { ...now, selection: { kind: "link", a: 3, b: 12 } };
    assert.deepEqual(readAddress(writeAddress(link, begin, defaults), begin, defaults, names).selection, link.selection);
});

test("an address means the same after the engine has moved on", () => {
    const now = { settings: { ...begin.settings, intervals: "12" }, lens: begin.lens, selection: { kind: "none" }, side: "none", split: false, pane: false, camera: null, drill: null };
    const moved = { settings: { intervals: "3", cover: "quantile", dust: "drop" }, lens: { lens: "degree" } };
    assert.deepEqual(readAddress(writeAddress(now, begin, defaults), moved, defaults, names), now);
    assert.deepEqual(readAddress("#side=list", moved, defaults, names).settings, moved.settings);
});

test("an address that is nonsense selects nothing", () => {
    const address = readAddress("#select=x,y&view=no&side=constructor&intervals=%41", begin, defaults, names);
    assert.deepEqual(address.selection, { kind: "none" });
    assert.equal(address.camera, null);
    assert.equal(address.side, "none");
    assert.equal(address.settings.intervals, "A");
});

test("steps of one slider are taken back together, others one by one", () => {
    const choice = (n) => ({ settings: { n: String(n) }, lens: {} });
    const history = new History(choice(0));
    history.change(choice(1), "n", 0);
    history.change(choice(2), "n", 300);
    history.change(choice(3), "g", 500);
    history.change(choice(4), "g", 5000);
    assert.equal(history.undo().settings.n, "3");
    assert.equal(history.undo().settings.n, "2");
    assert.equal(history.redo().settings.n, "3");
    assert.equal(history.undo().settings.n, "2");
    assert.equal(history.undo().settings.n, "0");
    assert.ok(!history.canUndo && history.canRedo);
    history.change(choice(9), "n", 5100);
    assert.ok(!history.canRedo);
});

// ---- questions ----

test("one question is under way, the newest waits, those between are dropped", async () => {
    const asked = [], shown = [], failed = [];
    let release;
    const latest = new Latest(
        (question) => new Promise((done, fail) => (asked.push(question), (release = question === 5 ? () => fail(new Error("no")) : () => done(question * 10)))),
        { answer: (value) => shown.push(value), fail: (error) => failed.push(error.message), busy: () => undefined },
    );
    const step = () => (release(), new Promise((done) => setImmediate(done)));
    for (const question of [1, 2, 3, 4]) latest.want(question);
    assert.deepEqual(asked, [1]);
    await step();
    assert.deepEqual(asked, [1, 4]);
    latest.want(5);
    await step();
    await step();
    latest.want(6);
    await step();
    assert.deepEqual([asked, shown, failed], [[1, 4, 5, 6], [10, 40, 60], ["no"]]);
});

// ---- members ----

const member = (node, degree) => ({ node, degree, name: `n${node}`, label: null, prediction: null, clusters: 1, lens: [] });

test("all rows of a source are fetched, page by page", async () => {
    const many = Array.from({ length: 2345 }, (_, i) => member(i, 1));
    const source = async (text, from, count) => {
        const found = many.filter((row) => row.name.includes(text));
        return { total: found.length, rows: found.slice(from, from + count) };
    };
    assert.equal((await allRows(source)).length, 2345);
    assert.deepEqual((await allRows(source, "n234")).map((row) => row.node), [234, 2340, 2341, 2342, 2343, 2344]);
});

test("classes of a confusion matrix are those mixed up most", () => {
    const mixups = [{ label: "a", prediction: "b", count: 2 }, { label: "c", prediction: "b", count: 5 }];
    assert.deepEqual(mixedClasses(mixups, 2), ["b", "c"]);
});

// ---- pictures ----

function picture(places, more = {}) {
    const n = places.length;
    return pictureOf({
        json: { names: places.map((_, i) => `m${i}`) },
        arrays: {
            x: Float32Array.from(places, (p) => p[0]), y: Float32Array.from(places, (p) => p[1]), radius: new Float32Array(n).fill(0.1),
            size: Uint32Array.from(places, (p) => p[2] ?? 1), cluster: Uint32Array.from(places, (_, i) => i), pile: new Uint8Array(n),
            fill: new Uint8Array(3 * n), shape: new Uint8Array(n), piece: new Uint32Array(n), error: new Float32Array(n).fill(NaN),
            source: new Uint32Array(0), target: new Uint32Array(0), weight: new Float32Array(0), shared: new Uint32Array(0), crossing: new Uint32Array(0), ...more,
        },
    });
}

test("marks come from where they were, or from the nearest place", () => {
    const old = picture([[0, 0, 5], [10, 0, 6]]);
    assert.deepEqual([...originsOf(old, picture([[3, 0, 5], [0, 9, 6]]))], [0, 1], "the same clusters are the same marks");
    const fresh = picture([[9, 1, 2], [11, 0, 4], [1, 0, 3]]);
    const origin = originsOf(old, fresh);
    assert.deepEqual([...origin], [1, 1, 0]);
    assert.equal(followMark(old, fresh, origin, 1), 1, "the largest goes on");
    assert.equal(followMark(old, picture([[5, 0, 1]]), Int32Array.of(1), 0), 0, "else the nearest");
});

test("the engine says where marks come from, for the next picture alone", () => {
    const numbered = (serial, places, origin) => {
        const p = picture(places, origin && { origin: Uint32Array.from(origin) });
        p.info.serial = serial;
        return p;
    };
    const old = numbered(7, [[0, 0, 5], [10, 0, 6]]), places = [[9, 0, 6], [1, 0, 5]], nowhere = 0xffffffff;
    assert.deepEqual([...originsOf(old, numbered(8, places, [0, 1]))], [0, 1]);
    assert.deepEqual([...originsOf(old, numbered(8, places, [nowhere, nowhere]))], [1, 0]);
    assert.deepEqual([...originsOf(old, numbered(8, places, [0]))], [1, 0]);
    for (const serial of [6, 7, 9]) assert.deepEqual([...originsOf(old, numbered(serial, places, [0, 1]))], [1, 0]);
});

test("of those that came from a mark the first of the largest goes on, and no pile", () => {
    const old = picture([[0, 0, 9], [50, 0, 1]]);
    const fresh = picture([[1, 0, 3], [2, 0, 3], [3, 0, 2], [49, 0, 1]], { pile: Uint8Array.of(0, 0, 0, 0) });
    assert.equal(followMark(old, fresh, Int32Array.of(0, 0, 0, 1), 0), 0);
    fresh.pile[0] = 1;
    assert.equal(followMark(old, fresh, Int32Array.of(0, 0, 0, 1), 0), 1);
});

test("bounds hold whole discs, and those of nothing have an area", () => {
    const p = picture([[1, 2], [5, -3]], { radius: Float32Array.of(0.5, 2) });
    assert.deepEqual(boundsOf(p), { left: 0.5, right: 7, bottom: -5, top: 2.5 });
    assert.deepEqual(boundsOf(picture([])), { left: -1, right: 1, bottom: -1, top: 1 });
});

test("while the map moves the heaviest links are drawn", () => {
    const links = 6000, weight = Float32Array.from({ length: links }, (_, e) => (e * 7919) % links);
    const ends = { source: new Uint32Array(links), target: new Uint32Array(links).fill(1), weight };
    const p = picture([[0, 0], [1, 0]], ends);
    assert.equal(p.heavy.length, 5000);
    assert.ok(p.heavy.every((e) => weight[e] >= 1000) && new Set(p.heavy).size === 5000);
    assert.deepEqual(picture([[0, 0], [1, 0]], { source: Uint32Array.of(0, 0), target: Uint32Array.of(1, 1), weight: Float32Array.of(1, 2) }).heavy, [0, 1]);
});

test("marks fly from where they were, and what has gone flies to the nearest that is left", () => {
    const serial = (p, number) => ((p.info.serial = number), p);
    const old = serial(picture([[0, 0, 5], [10, 0, 6], [20, 4, 1]], { source: Uint32Array.of(0), target: Uint32Array.of(1) }), 1);
    const more = { origin: Uint32Array.of(1, 0xffffffff), radius: Float32Array.of(0.3, 0.5), source: Uint32Array.of(0), target: Uint32Array.of(1) };
    const fresh = serial(picture([[12, 2, 4], [1, 0, 3]], more), 2);
    const scene = new Scene(() => false);
    assert.equal(scene.show(old, 0), null);
    assert.ok(scene.advance(125) && !scene.advance(250) && !scene.advance(300));
    assert.deepEqual([[...scene.x], [...scene.y], scene.progress], [[0, 10, 20], [0, 0, 4], 1]);
    assert.deepEqual([...scene.show(fresh, 1000)], [1, 0]);
    assert.deepEqual([scene.x[0], scene.y[0], scene.x[1]], [10, 0, 0]);
    assert.equal(scene.leaving.length, 1);
    assert.deepEqual([scene.leaving[0].x, scene.leaving[0].toX, scene.leaving[0].toY], [20, 12, 2]);
    assert.ok(scene.linkShows(0), "a link between the same two was there before");
    assert.ok(scene.advance(1125));
    assert.deepEqual([scene.x[0], scene.y[0], scene.x[1]], [11, 1, 0.5]);
    assert.ok(Math.abs(scene.radius[0] - 0.2) < 1e-6 && Math.abs(scene.radius[1] - 0.3) < 1e-6);
    scene.put(0, 30, 40);
    scene.put(5, 1, 1);
    assert.ok(!scene.advance(1250) && scene.leaving.length === 0);
    assert.deepEqual([scene.x[0], scene.y[0], scene.x[1]], [30, 40, 1]);
    scene.forget();
    assert.equal(scene.picture, null);
    assert.equal(scene.show(old, 5000), null);
});

test("links that are new appear in the second half of the flight, and without motion at once", () => {
    const old = picture([[0, 0, 5], [10, 0, 6], [20, 0, 7]], { source: Uint32Array.of(0), target: Uint32Array.of(1) });
    const fresh = picture([[0, 0, 5], [10, 0, 6], [20, 0, 7]], { source: Uint32Array.of(1, 1), target: Uint32Array.of(0, 2) });
    const scene = new Scene(() => false);
    scene.show(old, 0);
    scene.advance(500);
    scene.show(fresh, 1000);
    assert.deepEqual([scene.linkShows(0), scene.linkShows(1)], [true, false]);
    scene.advance(1130);
    assert.ok(scene.linkShows(1));
    const still = new Scene(() => true);
    still.show(old, 0);
    still.show(fresh, 1000);
    assert.deepEqual([still.progress, still.linkShows(1), still.leaving], [1, true, []]);
});

test("the colour of an outline is a darker one of its disc", () => {
    const scene = new Scene(() => true);
    scene.show(picture([[0, 0], [1, 0]], { fill: Uint8Array.of(100, 50, 200, 0, 255, 10) }), 0);
    assert.deepEqual(scene.colour, ["rgb(100,50,200)", "rgb(0,255,10)"]);
    assert.deepEqual(scene.outline, ["rgb(62,31,124)", "rgb(0,158,6)"]);
});

test("clusters are sorted by mistakes, the unknown last", () => {
    const p = picture([[0, 0, 5], [1, 0, 9], [2, 0, 2]], { error: Float32Array.of(0.1, NaN, 0.5) });
    assert.deepEqual(sortMarks(p, "error"), [2, 0, 1]);
    assert.deepEqual(sortMarks(p, "size"), [1, 0, 2]);
});

// ---- legend, mistakes ----

test("a ramp with a middle has its middle colour there", () => {
    const colours = Array.from({ length: 32 }, (_, i) => `c${i}`);
    const plain = rampColours({ low: 0, high: 1, middle: null, colours }, 32);
    assert.deepEqual(plain, colours);
    const upper = rampColours({ low: 0, high: 1, middle: 0, colours }, 32);
    assert.equal(upper[0], "c16");
    assert.equal(upper[31], "c31");
    assert.equal(rampColours({ low: 0, high: 1, middle: 0.75, colours }, 32)[23], "c15");
});

test("names of classes have initials", () => {
    assert.deepEqual(["Neural_Networks", "Theory", "a"].map(initials), ["NN", "Theo", "a"]);
});

// ---- words ----

test("numbers for people", () => {
    assert.deepEqual([0, 0.123456, -2.5, 1234, 0.00001, 2e7, NaN].map(short), ["0", "0.123", "−2.5", "1234", "1.0e−5", "2.0e7", "–"]);
    assert.deepEqual([-0.00001, 100, 99.94, 999999, -1e6, 0.001].map(short), ["−1.0e−5", "100", "99.9", "999999", "−1.0e6", "0.001"]);
    assert.deepEqual([percent(1, 1000), percent(999, 1000), percent(1, 2), percent(0, 0)], ["<1%", ">99%", "50%", "–"]);
    assert.deepEqual([0.0001, 0.012, 1.44].map(duration), ["1 ms", "12 ms", "1.4 s"]);
});

test("without a program only candidates through the same lens are offered", () => {
    const candidates = [{ settings: { lens: "eigen:k=2", transform: "rank", intervals: "4" } }, { settings: { lens: "pagerank", transform: "rank" } }, { settings: { lens: "eigen:k=2" } }];
    const start = { lens: { settings: { lens: "eigen:k=2", transform: "rank" } }, candidates };
    assert.equal(usable({ ...start, live: true }).length, 3);
    assert.deepEqual(usable({ ...start, live: false }), [candidates[0]]);
});

test("candidates are said in few words, and name their whole cover", () => {
    const candidate = { settings: { lens: "density", transform: "rank", intervals: "4", overlap: "0.5" }, reason: "", score: 1 };
    assert.equal(lensWords(candidate.settings), "density, rank");
    assert.equal(coverWords(candidate.settings), "4 intervals · overlap 0.5");
    assert.equal(coverWords({ cover: "adaptive:size=338", overlap: "0.4" }), "adaptive 338 · overlap 0.4");
    assert.equal(coverWords({ lens: "communities:resolution=4", cover: "parts:share=0.3" }), "resolution 4");
    assert.equal(coverWords({ lens: "communities", cover: "parts:share=0.3" }), "parts");
    const start = { options: [{ name: "cover", default: "uniform" }, { name: "overlap", default: "0.2" }] };
    assert.deepEqual(wholeSettings(start, candidate), { transform: "rank", cover: "uniform", overlap: "0.5", lens: "density", intervals: "4" });
});
