// SPDX-License-Identifier: Apache-2.0
// same-answers.mjs PAGE.html...: the core inside an exported page gives the bytes that the program gave when it wrote the page:
// places, colours, links and numbers of the first picture, and what `start` says.
import { readFileSync } from "node:fs";
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
        console.log(`ok ${number} - ${page.split("/").pop()}: the same bytes from the program and from the page`);
    } catch (error) {
        good = false;
        console.log(`not ok ${number} - ${page.split("/").pop()}\n# ${String(error.message).replaceAll("\n", "\n# ")}`);
    }
}
process.exit(good ? 0 : 1);
