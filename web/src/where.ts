// SPDX-License-Identifier: Apache-2.0
// Filters of columns as the engine takes them ("3:0.5:1.5;4=2"), and in words.
import { Column } from "./protocol";
import { plain, short } from "./words";

export type Filter = { column: number; low: number; high: number } | { column: number; category: number };

export function readWhere(text: string | undefined): Filter[] {
    return (text ?? "").split(";").flatMap((part): Filter[] => {
        const found = /^(\d+)(?:=(\d+)|:([^:;]+):([^:;]+))$/.exec(part);
        if (!found) return [];
        const column = Number(found[1]);
        if (found[2] !== undefined) return [{ column, category: Number(found[2]) }];
        const low = Number(found[3]), high = Number(found[4]);
        return Number.isFinite(low) && Number.isFinite(high) ? [{ column, low, high }] : [];
    });
}

export function writeWhere(filters: Filter[]): string {
    const word = (value: number) => String(Number(value.toPrecision(9)));
    return filters.map((one) => ("category" in one ? `${one.column}=${one.category}` : `${one.column}:${word(one.low)}:${word(one.high)}`)).join(";");
}

/** The filters with another for one column; null: none for it. */
export function withFilter(filters: Filter[], column: number, filter: Filter | null): Filter[] {
    const rest = filters.filter((one) => one.column !== column);
    return (filter ? [...rest, filter] : rest).sort((a, b) => a.column - b.column);
}

/** The filters among other columns: each goes with the name of its column, and of its category. */
export function sameFilters(filters: Filter[], old: Column[], fresh: Column[]): Filter[] {
    return filters.flatMap((one): Filter[] => {
        const was = old[one.column], column = fresh.findIndex((other) => other.name === was?.name && other.kind === was.kind);
        if (!was || column < 0) return [];
        if (!("category" in one)) return [{ ...one, column }];
        const category = fresh[column]!.names.indexOf(was.names[one.category] ?? "");
        return category < 0 ? [] : [{ column, category }];
    });
}

export function filterWords(filter: Filter, columns: Column[]): string {
    const column = columns[filter.column];
    const name = plain(column?.name ?? `column ${filter.column}`);
    if ("category" in filter) return `${name}: ${plain(column?.names[filter.category] ?? `category ${filter.category}`)}`;
    return `${name} ${short(filter.low)} to ${short(filter.high)}`;
}

/** A brush over a histogram, from one share of its width to another, as a filter; ends that are those of the column stay
 * exactly there. */
export function brushed(column: number, { low, high }: Column, from: number, to: number): Filter {
    const at = (share: number) => (share <= 0 ? low : share >= 1 ? high : low + share * (high - low));
    return { column, low: at(Math.min(from, to)), high: at(Math.max(from, to)) };
}
