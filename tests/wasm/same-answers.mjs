// SPDX-License-Identifier: Apache-2.0
// same-answers.mjs PAGE.html...: the core inside an exported page gives the bytes that the program gave when it wrote the page:
// places, colours, links and numbers of the first picture, and what `start` says. Beside each page PAGE.address has the address of
// `dgm explore` of the same graph and settings, which is asked the same questions.
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { inflateSync } from "node:zlib";

function dataOf(html, id) {
    const found = new RegExp(`<script type="application/octet-stream" id="${id}">([^<]*)</script>`).exec(html);
    if (!found) throw new Error(`the page has no ${id}`);
    return inflateSync(Buffer.from(found[1], "base64"));
}

async function open(html) {
    let core;
    const view = () => new DataView(core.memory.buffer);
    const system = {
        environ_sizes_get: (count, size) => (view().setUint32(count, 0, true), view().setUint32(size, 0, true), 0),
        environ_get: () => 0,
        clock_time_get: (_clock, _precision, at) => (view().setBigUint64(at, 0n, true), 0),
        random_get: (at, length) => (new Uint8Array(core.memory.buffer, at, length).fill(7), 0),
        fd_close: () => 52, fd_seek: () => 52, fd_write: () => 52,
        proc_exit: (code) => { throw new Error(`ended with ${code}`); },
    };
    const made = await WebAssembly.instantiate(dataOf(html, "dgm-core"), { wasi_snapshot_preview1: system });
    core = made.instance.exports;
    core._initialize();
    const put = (bytes) => {
        const at = core.dgm_room(bytes.length);
        new Uint8Array(core.memory.buffer, at, bytes.length).set(bytes);
        return at;
    };
    const take = () => Buffer.from(core.memory.buffer.slice(core.dgm_bytes(), core.dgm_bytes() + core.dgm_length()));
    const pack = dataOf(html, "dgm-pack");
    if (core.dgm_open(put(pack), pack.length) !== 0) throw new Error(take().toString());
    return (question, settings) => {
        if (core.dgm_ask(put(Buffer.from(question + "\0")), put(Buffer.from(settings + "\0"))) !== 0) throw new Error(take().toString());
        return take();
    };
}

function read(answer) {
    const length = answer.readUInt32LE(4);
    return { json: JSON.parse(answer.subarray(8, 8 + length).toString()), data: answer.subarray(8 + length) };
}

function compare(what, ours, theirs) {
    for (const answer of [ours, theirs]) {
        delete answer.json.seconds;
        delete answer.json.serial;
    }
    const a = JSON.stringify(ours.json), b = JSON.stringify(theirs.json);
    if (a !== b) {
        let i = 0;
        while (a[i] === b[i]) i++;
        throw new Error(`${what}: ${a.slice(Math.max(0, i - 60), i + 60)} is not ${b.slice(Math.max(0, i - 60), i + 60)}`);
    }
    for (const [name, [type, offset, count]] of Object.entries(ours.json.arrays ?? {})) {
        const size = Number(type[1]) * count;
        if (!ours.data.subarray(offset, offset + size).equals(theirs.data.subarray(offset, offset + size))) throw new Error(`${what}: ${name} differs`);
    }
}

// ---- the program ----

function send(address, method, path, headers, body) {
    return new Promise((resolve, reject) => {
        const sent = request(new URL(path, address), { method, headers }, (response) => {
            const parts = [];
            response.on("data", (part) => parts.push(part));
            response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(parts) }));
        });
        sent.on("error", reject);
        sent.end(body);
    });
}

async function connect(address) {
    const greeting = await send(address, "GET", new URL(address).search, {});
    const headers = { Cookie: greeting.headers["set-cookie"][0].split(";")[0], Origin: new URL(address).origin };
    return async (question, settings) => {
        const { status, bytes } = await send(address, "POST", `/api/${question}`, headers, settings);
        if (status !== 200) throw new Error(`${question} ${settings}: ${bytes}`);
        return bytes;
    };
}

/** Each question with whether its answer is compared: one that begins anew says of the program that it is live. */
const conversation = [
    ["picture", "", true], ["columns", "", true], ["select", "where=0:0:3", true], ["columns", "nodes=0,1,2", true], ["lens_view", "", true],
    ["thumbnail", "min-size=1", true], ["persistence", "intervals=4,2", true], ["cluster", "clusters=0", true], ["cluster", "cluster=0", true],
    ["members", "mark=0", true], ["subgraph", "nodes=0,1,2&hops=1", true], ["bridges", "", true], ["search", "text=1", true],
    ["pin", (picture) => `cluster=${plainCluster(picture)}&x=1.5&y=-2`, true], ["picture", "layout=circular", true], ["picture", "layout=stress", true],
    ["focus", "nodes=0,1,2,3", false], ["picture", "", true], ["members", "nodes=0,1,2", true], ["back", "level=0", false], ["picture", "", true],
];

function plainCluster({ json, data }) {
    const [, piles, count] = json.arrays.pile, [, clusters] = json.arrays.cluster;
    for (let i = 0; i < count; i++) if (!data[piles + i]) return data.readUInt32LE(clusters + 4 * i);
    throw new Error("all is dust");
}

async function converse(ours, theirs) {
    let picture;
    for (const [question, says, compared] of conversation) {
        const settings = typeof says === "function" ? says(picture) : says;
        const a = read(ours(question, settings)), b = read(await theirs(question, settings));
        if (compared) compare(`${question} ${settings}`, a, b);
        if (question === "picture") picture = a;
    }
}

let number = 0, good = true;
const pages = process.argv.slice(2);
console.log(`1..${pages.length}`);
for (const page of pages) {
    number++;
    try {
        const html = readFileSync(page, "utf8");
        const ask = await open(html);
        compare("start", read(ask("start", "")), read(dataOf(html, "dgm-start")));
        compare("picture", read(ask("picture", "")), read(dataOf(html, "dgm-picture")));
        await converse(await open(html), await connect(readFileSync(page.replace(/html$/, "address"), "utf8").trim()));
        console.log(`ok ${number} - ${page.split("/").pop()}: the same bytes from the program and from the page`);
    } catch (error) {
        good = false;
        console.log(`not ok ${number} - ${page.split("/").pop()}\n# ${String(error.message).replaceAll("\n", "\n# ")}`);
    }
}
process.exit(good ? 0 : 1);
