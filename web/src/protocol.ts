// SPDX-License-Identifier: Apache-2.0
// The answers of the engine, as PROTOCOL.md has them.

export type Settings = { [name: string]: string };

export interface Axis {
    name: string;
    low: number;
    high: number;
}

export interface Option {
    group: string;
    name: string;
    kind: "flag" | "integer" | "real" | "choice" | "text" | "integers" | "reals";
    minimum: number | null;
    maximum: number | null;
    open_maximum: boolean;
    choices: string[] | null;
    default: string | null;
    help: string;
}

export interface Lens {
    name: string;
    settings: Settings;
    axes: Axis[];
}

/** A drawing of a summary, small: what is needed of its marks, and links as pairs of them. */
export interface SmallPicture {
    x: ArrayLike<number>;
    y: ArrayLike<number>;
    radius: ArrayLike<number>;
    /** "#rrggbb" by mark. */
    fill: ArrayLike<string>;
    links: ArrayLike<number>;
}

export interface Candidate {
    settings: Settings;
    reason: string;
    score: number;
    picture?: SmallPicture | null;
}

export interface Start {
    version: string;
    title: string;
    nodes: number;
    edges: number;
    live: boolean;
    reason: string | null;
    settings: Settings;
    classes: string[];
    attributes: { name: string; kind: "number" | "text" }[];
    predictions: boolean;
    lens: Lens;
    candidates: Candidate[];
    options: Option[];
    lens_options?: Option[];
    colours: { value: string; words: string }[];
    lenses?: { name: string; help: string; network: boolean; parts?: boolean; needs_labels?: boolean; needs_name?: boolean }[];
    reductions?: { name: string; help: string }[];
    /** The whole graph first, what is shown last. */
    levels?: { title: string; nodes: number; edges: number }[];
    /** The graph was dropped on the page. */
    opened?: boolean;
}

export interface ClassLegend {
    kind: "classes";
    title: string;
    entries: { name: string; colour: string; shape: number; members: number }[];
}

export interface RampLegend {
    kind: "ramp";
    title: string;
    low: number;
    high: number;
    middle: number | null;
    colours: string[];
    unknown: number;
}

export interface SquareLegend {
    kind: "square";
    title: string;
    axes: [string, string];
    low: [number, number];
    high: [number, number];
    colours: string[][];
}

export type Legend = ClassLegend | RampLegend | SquareLegend;

export interface Coverage {
    nodes: number;
    covered: number;
    filtered: number;
    filtered_by?: { [why: string]: number };
    lost: number;
    edges: number;
    edges_inside: number;
}

export interface Topology {
    b0: number;
    b1: number;
    triangles: number;
    skeleton_loops: number;
    cycle_rank: number;
}

export interface PictureInfo {
    serial: number;
    clusters: number;
    links: number;
    seconds: { map: number; layout: number; paint: number };
    command: string;
    settings: Settings;
    coverage: Coverage;
    /** What the summary explains of the graph, in words and in bits for each edge; not there: it is not known. */
    found?: string | null;
    saved?: number;
    whole?: number;
    topology: Topology | null;
    dust: { clusters: number; nodes: number; marks: number } | null;
    notes?: string[];
    legend: Legend | null;
    names: string[];
    axes: Axis[];
}

export interface Share {
    name: string;
    count: number;
    all: number;
}

export interface LensRange {
    name: string;
    low: number;
    high: number;
    mean: number;
    inside: number[];
    all: number[];
}

export interface Difference {
    column: string | null;
    /** Of a class or a feature: which one, counted from 0. */
    number?: number;
    kind: "class" | "number" | "text" | "feature";
    text: string | null;
    inside: number;
    outside: number;
    delta: number;
    q: number;
    lens: boolean;
}

export interface Neighbour {
    cluster: number;
    name: string;
    size: number;
    shared: number;
    crossing: number;
}

/** What is known of a cluster, or of any set of nodes, which has no number, piece and cell. */
export interface ClusterInfo {
    serial: number;
    cluster: number | null;
    size: number;
    piece?: number | null;
    cell: string | number[] | null;
    name: string | null;
    hubs: string[];
    labels: Share[];
    predictions: Share[];
    judged: number | null;
    mistakes: number | null;
    mixups: { label: string; prediction: string; count: number }[];
    lens: LensRange[];
    differences: Difference[];
    neighbours: Neighbour[];
}

export interface Member {
    node: number;
    name: string;
    degree: number;
    label: string | null;
    prediction: string | null;
    clusters: number;
    lens: number[];
}

export interface MembersPage {
    total: number;
    rows: Member[];
}

export interface EdgeInfo {
    shared: number;
    crossing: number;
    links: [string, string][];
}

export interface SearchResult {
    total: number;
    rows: { node: number; name: string; clusters: number[] }[];
}

export interface Bridges {
    nodes: { name: string; node: number; clusters: number[]; across: number; score: number; degree: number }[];
    pieces: { a: number; b: number; edges: number; ends: [string, string][] }[];
}

/** Array `hits`: members of each mark that are among the nodes. */
export interface SelectResult {
    total: number;
}

/** Array `matrix`: class by class, rows are labels. */
export interface MistakesInfo {
    classes: string[];
    judged: number;
    wrong: number;
}

export interface Column {
    name: string;
    kind: "number" | "category";
    low: number;
    high: number;
    names: string[];
}

/** Arrays `all` and `inside`: 32 counts for each column. */
export interface ColumnsInfo {
    columns: Column[];
}

export interface LensAxis extends Axis {
    number: number;
}

/** Arrays: `all` or `density`, points, cells. */
export interface LensViewInfo {
    axes: LensAxis[];
    cells: number;
    stride: number;
    bins: number;
}

export interface ThumbnailInfo {
    clusters: number;
    links: number;
    coverage: Coverage;
    topology: Topology | null;
    dust: { clusters: number; nodes: number; marks: number } | null;
    settings: Settings;
}

export interface Bar {
    dimension: 0 | 1;
    birth: number;
    death: number | null;
    /** How many there are. */
    count: number;
}

export interface Persistence {
    steps: { intervals: number; clusters: number; b0: number; b1: number; refines: boolean | null }[];
    runs: { first: number; last: number; loops_known: boolean; bars: Bar[] }[];
}
