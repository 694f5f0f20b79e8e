// SPDX-License-Identifier: Apache-2.0
// Who answers the page's questions: the program behind `dgm explore` over HTTP. An exported file answers by the same
// interface, from WebAssembly.
import { Answer, decode } from "./answer";
import { Settings, Start } from "./protocol";

export interface Engine {
    /** Asks a question. Rejects with an EngineError where the engine refuses, and with AbortError after `signal`. */
    ask<T>(name: string, settings?: Settings, signal?: AbortSignal): Promise<Answer<T>>;
    /** The address of a file of what the last picture shows, or null where the engine has none. */
    download(format: string): string | null;
    /** Saves such a file where it has no address, or null where the engine cannot. */
    saves(format: string): (() => Promise<void>) | null;
    /** Reports progress, notes and the end of the engine, until the page is closed. */
    listen(ears: Ears): void;
    /** Opens a graph file, which is answered as `start` is; null where the engine reads none. `sent` hears how much of the file
     * has gone, from 0 to 1. */
    readonly openFile: ((file: File, sent: (share: number) => void, signal: AbortSignal) => Promise<Answer<Start>>) | null;
}

export interface Ears {
    progress(stage: string, fraction: number | null): void;
    note(text: string): void;
    bye(): void;
}

export class EngineError extends Error {
    constructor(message: string, readonly status: number, readonly option: string | null) {
        super(message);
    }
    /** A newer question made this one pointless: nothing went wrong. */
    get stale(): boolean {
        return this.status === 409;
    }
}

/** Reads an answer; one that says it is stale is none. */
export function understand<T>(bytes: ArrayBuffer): Answer<T> {
    const isPlain = new Uint8Array(bytes, 0, Math.min(1, bytes.byteLength))[0] === 0x7b; // JSON without a head
    const answer: Answer<T> = isPlain ? { json: JSON.parse(new TextDecoder().decode(bytes)) as T, arrays: {} } : decode<T>(bytes);
    if ((answer.json as { stale?: boolean }).stale === true) throw new EngineError("Another question came before this one.", 409, null);
    return answer;
}

export class HttpEngine implements Engine {
    async ask<T>(name: string, settings: Settings = {}, signal?: AbortSignal): Promise<Answer<T>> {
        const reply = await this.send(name, settings, signal);
        if (!reply.ok) throw await errorOf(reply);
        return understand<T>(await reply.arrayBuffer());
    }

    private async send(name: string, settings: Settings, signal?: AbortSignal): Promise<Response> {
        const body = new URLSearchParams(settings);
        try {
            return await fetch(`/api/${name}`, { method: "POST", body, signal: signal ?? null });
        } catch (error) {
            if (error instanceof DOMException && error.name === "AbortError") throw error;
            throw new EngineError("The program does not answer. It may have been stopped.", 0, null);
        }
    }

    // Only this old interface says how much of a body has gone.
    readonly openFile = (file: File, sent: (share: number) => void, signal: AbortSignal): Promise<Answer<Start>> =>
        new Promise((resolve, reject) => {
            const request = new XMLHttpRequest();
            request.open("POST", `/api/open?name=${encodeURIComponent(file.name)}`);
            request.responseType = "arraybuffer";
            request.upload.onprogress = (event) => sent(event.total ? event.loaded / event.total : 0);
            request.onerror = () => reject(new EngineError("The program does not answer. It may have been stopped.", 0, null));
            request.onabort = () => reject(new EngineError("Cancelled.", 409, null));
            request.onload = () => {
                const bytes = request.response as ArrayBuffer;
                const answer = request.status === 200 ? decode<Start & { stale?: boolean }>(bytes) : null;
                if (answer?.json.stale) reject(new EngineError("Cancelled.", 409, null));
                else if (answer) resolve(answer);
                else void errorOf(new Response(bytes, { status: request.status })).then(reject);
            };
            signal.addEventListener("abort", () => request.abort());
            request.send(file);
        });

    download(format: string): string {
        return `/api/download?format=${encodeURIComponent(format)}`;
    }

    saves(): null {
        return null;
    }

    /** Listens while the page is to be seen. A browser has six connections to a server in all: those of hidden pages would
     * keep this one from asking. */
    listen(ears: Ears): void {
        let source: EventSource | null = null;
        let hasEnded = false;
        const attend = () => {
            const isSeen = document.visibilityState === "visible" && !hasEnded;
            if (isSeen && !source) source = this.open(ears, () => (hasEnded = true));
            else if (!isSeen && source) source.close(), (source = null);
        };
        document.addEventListener("visibilitychange", attend);
        window.addEventListener("pagehide", () => (source?.close(), (source = null)));
        window.addEventListener("pageshow", attend);
        attend();
    }

    private open(ears: Ears, end: () => void): EventSource {
        const source = new EventSource("/api/events");
        const data = (event: Event) => JSON.parse((event as MessageEvent<string>).data);
        source.addEventListener("progress", (event) => {
            const { stage, fraction } = data(event) as { stage: string; fraction: number | null };
            ears.progress(stage, fraction);
        });
        source.addEventListener("note", (event) => ears.note((data(event) as { text: string }).text));
        source.addEventListener("bye", () => {
            source.close();
            end();
            ears.bye();
        });
        return source;
    }
}

async function errorOf(reply: Response): Promise<EngineError> {
    let said: { error?: string; option?: string | null } = {};
    try {
        said = await reply.json();
    } catch {
        // The body is not ours; the status has to do.
    }
    return new EngineError(said.error ?? `The program answered with status ${reply.status}.`, reply.status, said.option ?? null);
}
