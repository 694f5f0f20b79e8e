// SPDX-License-Identifier: Apache-2.0
// What a page inside another one tells its parent.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";

const { Teller, parentOf } = await import(join(process.env.DGM_PAGE_MODULES, "embed.js"));

const picture = { info: { serial: 4, settings: { intervals: "5" } }, markOf: new Map([[2, 0], [7, 1]]), pile: [0, 0], touching: [[], []], source: [], target: [], shared: [] };

/** An engine that knows names, in pages of two, and a parent that keeps what it hears. */
function world(names, answers = null) {
    const asked = [], heard = [];
    const engine = {
        ask: async (question, settings) => {
            asked.push({ question, ...settings });
            if (answers) await answers.shift();
            const from = Number(settings.from), rows = names.slice(from, from + 2).map((name, i) => ({ node: from + i, name }));
            return { json: { total: names.length, rows }, arrays: {} };
        },
    };
    const parent = { postMessage: (data, origin) => heard.push({ data, origin }) };
    return { asked, heard, engine, parent };
}

test("only the parent that has written the page is told anything", () => {
    const parent = {};
    assert.equal(parentOf({ parent, location: { href: "about:srcdoc" } }), parent);
    assert.equal(parentOf({ parent, location: { href: "about:srcdoc#select=3" } }), parent);
    assert.equal(parentOf({ parent, location: { href: "https://example.org/page.html" } }), null);
    const alone = { location: { href: "about:srcdoc" } };
    alone.parent = alone;
    assert.equal(parentOf(alone), null);
});

test("a selection is told with all its names", async () => {
    const { asked, heard, engine, parent } = world(["a", "b", "c"]);
    await new Teller(engine, parent).tell(picture, { kind: "clusters", clusters: [2, 7], combine: "all" });
    assert.deepEqual(heard, [{ origin: "*", data: { type: "dgm-selection", clusters: [2, 7], settings: { intervals: "5" }, nodes: ["a", "b", "c"] } }]);
    assert.deepEqual(asked.map((one) => [one.question, one.clusters, one.combine, one.serial]), [["members", "2,7", "all", "4"], ["members", "2,7", "all", "4"]]);
});

test("nothing selected is told once, and asks nothing", async () => {
    const { asked, heard, engine, parent } = world(["a"]);
    const teller = new Teller(engine, parent);
    await teller.tell(picture, null);
    await teller.tell(picture, null);
    assert.deepEqual(heard.map(({ data }) => [data.clusters, data.nodes]), [[[], []]]);
    assert.equal(asked.length, 0);
});

test("an answer that a newer selection has overtaken is not told", async () => {
    let release;
    const slow = new Promise((done) => (release = done));
    const { heard, engine, parent } = world(["a"], [slow, null]);
    const teller = new Teller(engine, parent);
    const first = teller.tell(picture, { kind: "clusters", clusters: [2], combine: "any" });
    await teller.tell(picture, { kind: "link", a: 2, b: 7 });
    release();
    await first;
    assert.deepEqual(heard.map(({ data }) => data.clusters), [[2, 7]]);
});

test("without a parent nobody is asked", async () => {
    const { asked, engine } = world(["a"]);
    await new Teller(engine, null).tell(picture, { kind: "clusters", clusters: [2], combine: "any" });
    assert.equal(asked.length, 0);
});
