// SPDX-License-Identifier: Apache-2.0
// The search: every cluster that holds a match is lit while one types, and matches can be opened.
import { byId, element, later } from "./dom";
import { Engine, EngineError } from "./engine";
import { Latest } from "./latest";
import { SearchResult } from "./protocol";
import { counted } from "./words";

export interface SearchEars {
    /** Matches by mark; null: nothing is looked for. */
    found(hits: Uint32Array | null): void;
    open(cluster: number): void;
    /** Lights the clusters of one match; null: of all again. */
    light(clusters: number[] | null): void;
    tell(text: string): void;
    fail(error: unknown): void;
    /** The engine has another picture by now. */
    stale(): void;
}

interface Question {
    serial: number;
    text: string;
}

export class Search {
    private readonly box = byId<HTMLInputElement>("search");
    private readonly results = byId("search-results");
    private readonly latest: Latest<Question, { result: SearchResult; hits: Uint32Array | null }>;
    private serial = -1;

    constructor(engine: Engine, private readonly ears: SearchEars) {
        this.latest = new Latest(
            async ({ serial, text }) => {
                const answer = await engine.ask<SearchResult>("search", { serial: String(serial), text });
                return { result: answer.json, hits: (answer.arrays["hits"] as Uint32Array | undefined) ?? null };
            },
            {
                answer: ({ result, hits }, question, isNewest) => (isNewest ? this.show(result, hits, question.text) : undefined),
                fail: (error) => (error instanceof EngineError && error.stale ? ears.stale() : ears.fail(error)),
                busy: () => undefined,
            },
        );
        this.box.addEventListener("input", later(60, () => this.ask()));
        this.box.addEventListener("focus", () => this.box.value && this.results.childElementCount && (this.results.hidden = false));
        byId("search-form").addEventListener("submit", (event) => event.preventDefault());
        byId("search-form").addEventListener("keydown", (event) => this.key(event));
        document.addEventListener("pointerdown", (event) => {
            if (!byId("search-form").contains(event.target as Node)) this.results.hidden = true;
        });
    }

    /** What is looked for. */
    get text(): string {
        return this.box.value.trim();
    }

    focus(): void {
        this.box.focus();
        this.box.select();
    }

    /** Another picture has come: the same words are looked for in it. */
    renew(serial: number): void {
        this.serial = serial;
        if (this.box.value.trim()) this.latest.want({ serial, text: this.box.value.trim() });
    }

    clear(): boolean {
        const had = this.box.value !== "";
        this.box.value = "";
        this.results.hidden = true;
        this.results.replaceChildren();
        this.ears.found(null);
        return had;
    }

    private ask(): void {
        const text = this.box.value.trim();
        if (!text) return void this.clear();
        this.latest.want({ serial: this.serial, text });
    }

    private show(result: SearchResult, hits: Uint32Array | null, text: string): void {
        if (text !== this.box.value.trim()) return;
        const clusters = hits ? hits.reduce((n, value) => n + (value ? 1 : 0), 0) : 0;
        const summary = `${counted(result.total, "node")} in ${counted(clusters, "cluster")}`;
        const rows = result.rows.slice(0, 40).map((row) =>
            element("button", {
                type: "button", class: "entry", onclick: () => this.open(row.clusters),
                onpointerenter: () => this.ears.light(row.clusters), onpointerleave: () => this.ears.light(null),
                onfocus: () => this.ears.light(row.clusters), onblur: () => this.ears.light(null),
            },
                element("span", { class: "name" }, row.name), element("span", { class: "count" }, row.clusters.length ? `in ${row.clusters.length}` : "in none")));
        this.results.replaceChildren(element("p", { class: "note" }, summary), ...rows);
        this.results.hidden = document.activeElement !== this.box;
        this.ears.found(hits);
        this.ears.tell(summary);
    }

    private open(clusters: number[]): void {
        this.results.hidden = true;
        if (clusters.length) this.ears.open(clusters[0]!);
    }

    private key(event: KeyboardEvent): void {
        const rows = [...this.results.querySelectorAll("button")];
        const at = rows.indexOf(document.activeElement as HTMLButtonElement);
        if (event.key === "ArrowDown") (rows[at + 1] ?? rows[0])?.focus();
        else if (event.key === "ArrowUp") (at > 0 ? rows[at - 1]! : this.box).focus();
        else if (event.key === "Enter" && at < 0) rows[0]?.click();
        else if (event.key === "Escape") this.clear(), byId("map").focus();
        else return;
        event.stopPropagation();
        if (at < 0 || event.key !== "Enter") event.preventDefault();
    }
}
