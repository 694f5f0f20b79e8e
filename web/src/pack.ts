// SPDX-License-Identifier: Apache-2.0
// Answers from inside the page: an exported file holds the graph, its lens and the core of dgm as WebAssembly, which runs in
// a worker. Where the core is missing, the page shows the summary as it was made.
import { Answer } from "./answer";
import { Ears, Engine, EngineError, understand } from "./engine";
import { Settings } from "./protocol";
import type { Reply, Request } from "./worker";

const STALE = 6; // DGM_ERROR_CANCELLED
const WITHOUT_CORE = "This file was made without the core of dgm, so it shows the summary as it was. 'dgm explore' answers more.";

/** What a file can save, and its media type. */
const FILES: Record<string, [string, string]> = {
    svg: ["summary.svg", "image/svg+xml"],
    json: ["summary.json", "application/json"],
    csv: ["members.csv", "text/csv"],
    graphml: ["summary.graphml", "application/xml"],
    gexf: ["summary.gexf", "application/xml"],
    png: ["summary.svg", "image/svg+xml"],
};

export function isPacked(): boolean {
    return document.getElementById("dgm-start") !== null;
}

/** The bytes of an element that holds data: base64 of what zlib has compressed. */
export async function unwrap(text: string): Promise<ArrayBuffer> {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer();
}

async function dataOf(id: string): Promise<ArrayBuffer | null> {
    const element = document.getElementById(id);
    return element ? unwrap(element.textContent ?? "") : null;
}

// TypeScript's own list of what browsers have is older than this.
declare class DecompressionStream {
    constructor(format: "deflate");
    readonly readable: ReadableStream<Uint8Array>;
    readonly writable: WritableStream<Uint8Array>;
}

interface Waiting {
    resolve(bytes: ArrayBuffer): void;
    reject(error: Error): void;
}

type Question = Omit<Extract<Request, { ask: unknown }>, "id"> | Omit<Extract<Request, { file: unknown }>, "id"> | Omit<Extract<Request, { open: unknown }>, "id">;

/** The worker, as something that can be asked. */
class Core {
    private readonly waiting = new Map<number, Waiting>();
    private count = 0;

    private constructor(private readonly worker: Worker) {
        worker.onmessage = (event: MessageEvent<Reply>) => this.hear(event.data);
        worker.onerror = (event) => this.waiting.forEach((one) => one.reject(new EngineError(event.message || "The core has stopped.", 0, null)));
    }

    static async open(core: ArrayBuffer, script: ArrayBuffer, pack: ArrayBuffer): Promise<Core> {
        const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
        const made = new Core(new Worker(address));
        await made.send({ open: { core, pack } }, [core, pack]);
        URL.revokeObjectURL(address);
        return made;
    }

    send(question: Question, give: Transferable[] = []): Promise<ArrayBuffer> {
        const id = ++this.count;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            this.worker.postMessage({ id, ...question }, give);
        });
    }

    private hear(reply: Reply): void {
        const one = this.waiting.get(reply.id);
        this.waiting.delete(reply.id);
        if (reply.status === 0) one?.resolve(reply.bytes);
        else one?.reject(new EngineError(new TextDecoder().decode(reply.bytes), reply.status === STALE ? 409 : 400, null));
    }
}

export class PackEngine implements Engine {
    private readonly core: Promise<Core | null> = this.open();

    private async open(): Promise<Core | null> {
        const [core, script, pack] = await Promise.all(["dgm-core", "dgm-worker", "dgm-pack"].map(dataOf));
        return core && script && pack ? Core.open(core, script, pack) : null;
    }

    async ask<T>(name: string, settings: Settings = {}): Promise<Answer<T>> {
        const core = await this.core;
        if (core) return understand<T>(await core.send({ ask: { question: name, settings: new URLSearchParams(settings).toString() } }));
        const kept = await dataOf(`dgm-${name}`);
        if (!kept) throw new EngineError(WITHOUT_CORE, 400, null);
        return understand<T>(kept);
    }

    readonly openFile = null;

    download(): null {
        return null;
    }

    saves(format: string): (() => Promise<void>) | null {
        const kind = FILES[format];
        if (!kind || !document.getElementById("dgm-core")) return null;
        return async () => {
            const core = await this.core;
            if (!core) throw new EngineError(WITHOUT_CORE, 400, null);
            const made = new Blob([await core.send({ file: { name: kind[0], part: 0 } })], { type: kind[1] });
            saveAs(format === "png" ? await rasterise(made) : made, format === "png" ? "summary.png" : kind[0]);
        };
    }

    listen(ears: Ears): void {
        void this.core.then((core) => !core && ears.note(WITHOUT_CORE), (error: unknown) => ears.note(String(error)));
    }
}

function saveAs(data: Blob, name: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(data);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The figure as pixels, at 300 to the inch, drawn by the browser from the SVG. */
async function rasterise(svg: Blob): Promise<Blob> {
    const image = new Image();
    image.src = URL.createObjectURL(svg);
    await image.decode();
    const scale = 300 / 96;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(image.src);
    return new Promise((resolve, reject) => canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("The browser made no picture."))), "image/png"));
}
