// SPDX-License-Identifier: Apache-2.0
// The core of dgm inside a page: a worker that holds the WebAssembly module and answers questions as the server does.

interface Core {
    memory: WebAssembly.Memory;
    _initialize(): void;
    dgm_room(size: number): number;
    dgm_release(block: number): void;
    dgm_bytes(): number;
    dgm_length(): number;
    dgm_open(bytes: number, length: number): number;
    dgm_ask(question: number, settings: number): number;
    dgm_file(name: number, part: number): number;
}

export type Request =
    | { id: number; open: { core: ArrayBuffer; pack: ArrayBuffer } }
    | { id: number; ask: { question: string; settings: string } }
    | { id: number; file: { name: string; part: number } };
export interface Reply {
    id: number;
    status: number; // a dgm_status: 0 is well
    bytes: ArrayBuffer;
}

let core: Core;

const NO_SUCH = 52; // ENOSYS of WASI

function view(): DataView {
    return new DataView(core.memory.buffer);
}

// What the C library asks of a system. There are no files, no arguments and no environment here.
const system = {
    environ_sizes_get(count: number, size: number): number {
        view().setUint32(count, 0, true);
        view().setUint32(size, 0, true);
        return 0;
    },
    environ_get: (): number => 0,
    clock_time_get(_clock: number, _precision: bigint, at: number): number {
        view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
    },
    random_get(at: number, length: number): number {
        crypto.getRandomValues(new Uint8Array(core.memory.buffer, at, length));
        return 0;
    },
    fd_close: (): number => NO_SUCH,
    fd_seek: (): number => NO_SUCH,
    fd_write: (): number => NO_SUCH,
    proc_exit(code: number): void {
        throw new Error(`the core ended with ${code}`);
    },
};

function put(bytes: Uint8Array): number {
    const at = core.dgm_room(bytes.length);
    if (at === 0) throw new Error("there is not enough memory");
    new Uint8Array(core.memory.buffer, at, bytes.length).set(bytes);
    return at;
}

function putText(text: string): number {
    return put(new TextEncoder().encode(text + "\0"));
}

function take(): ArrayBuffer {
    const at = core.dgm_bytes();
    return core.memory.buffer.slice(at, at + core.dgm_length());
}

async function open(bytes: { core: ArrayBuffer; pack: ArrayBuffer }): Promise<number> {
    const made = await WebAssembly.instantiate(bytes.core, { wasi_snapshot_preview1: system });
    core = made.instance.exports as unknown as Core;
    core._initialize();
    const pack = put(new Uint8Array(bytes.pack));
    const status = core.dgm_open(pack, bytes.pack.byteLength);
    core.dgm_release(pack);
    return status;
}

function ask(question: string, settings: string): number {
    const words = [putText(question), putText(settings)];
    const status = core.dgm_ask(words[0]!, words[1]!);
    words.forEach((word) => core.dgm_release(word));
    return status;
}

function file(name: string, part: number): number {
    const word = putText(name);
    const status = core.dgm_file(word, part);
    core.dgm_release(word);
    return status;
}

async function answer(request: Request): Promise<number> {
    if ("open" in request) return open(request.open);
    return "ask" in request ? ask(request.ask.question, request.ask.settings) : file(request.file.name, request.file.part);
}

self.onmessage = async (event: MessageEvent<Request>) => {
    let reply: Reply;
    try {
        const status = await answer(event.data);
        reply = { id: event.data.id, status, bytes: take() };
    } catch (error) {
        reply = { id: event.data.id, status: -1, bytes: new TextEncoder().encode(String(error)).buffer as ArrayBuffer };
    }
    (self as unknown as Worker).postMessage(reply, [reply.bytes]);
};
