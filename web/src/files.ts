// SPDX-License-Identifier: Apache-2.0
// What the map shows, as files of many kinds.
import { Engine } from "./engine";
import { MenuItem } from "./menu";

const FORMATS: [string, string][] = [
    ["svg", "figure for papers and the web"], ["pdf", "figure for print"], ["png", "figure as pixels"], ["json", "summary for dgm and programs"],
    ["graphml", "for yEd, Gephi, NetworkX"], ["gexf", "for Gephi"], ["csv", "a table of clusters"],
];

/** The files that an engine gives, for a menu. */
export function fileItems(engine: Engine, fail: (error: unknown) => void): MenuItem[] {
    return FORMATS.flatMap(([format, about]): MenuItem[] => {
        const href = engine.download(format), save = engine.saves(format), words = format.toUpperCase();
        if (href !== null) return [{ words, about, href }];
        return save ? [{ words, about, run: () => void save().catch(fail) }] : [];
    });
}
