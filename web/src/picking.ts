// SPDX-License-Identifier: Apache-2.0
// What is selected when marks or links of a picture are picked.
import { Picture } from "./scene";
import { Selection } from "./state";

function clustersOf(selection: Selection): number[] {
    return selection.kind === "clusters" ? selection.clusters : [];
}

/** One mark alone. `adds`: beside what is selected; one that is selected is taken away. */
export function withMark(selection: Selection, picture: Picture, mark: number, adds: boolean): Selection {
    const cluster = picture.cluster[mark]!, had = clustersOf(selection);
    const next = had.includes(cluster) ? had.filter((one) => one !== cluster) : [...had, cluster];
    return { kind: "clusters", clusters: adds ? next : [cluster] };
}

/** Several marks. `adds`: beside what is selected. */
export function withMarks(selection: Selection, picture: Picture, marks: number[], adds: boolean): Selection & { kind: "clusters" } {
    const had = adds ? clustersOf(selection) : [];
    return { kind: "clusters", clusters: [...new Set([...had, ...marks.map((mark) => picture.cluster[mark]!)])] };
}

/** Those of all marks that are wanted. */
export function wantedMarks(picture: Picture, wanted: Uint8Array): Selection {
    return { kind: "clusters", clusters: [...picture.cluster].filter((_, mark) => wanted[mark]) };
}

export function linkAt(picture: Picture, link: number): Selection {
    return { kind: "link", a: picture.cluster[picture.source[link]!]!, b: picture.cluster[picture.target[link]!]! };
}
