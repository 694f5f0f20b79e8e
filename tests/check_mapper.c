/* SPDX-License-Identifier: Apache-2.0 */
#include "check_mapper.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must_alloc(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    if (!block)
        abort();
    return block;
}

static uint64_t bit(int i) {
    return UINT64_C(1) << i;
}

static int size_of(uint64_t set) {
    return __builtin_popcountll(set);
}

/* ---- the cover ---- */

/* An interval in units of the cover's step, measured from the smallest lens value. */
typedef struct ends {
    long double low, high;
    bool owns_low, owns_high;
} ends;

/* Interval i of n under the rule with parameter p (REFERENCE.md, section 1, one line of the table
 * each). */
static ends rule_ends(int rule, int64_t n, long double p, int64_t i) {
    bool first = i == 0, last = i == n - 1;
    long double half = 0.5L / (1 - p), centre = (long double)i + 0.5L;
    switch (rule) {
    case DGM_RULE_GAIN:
        return (ends){(long double)i, (long double)i + 1 / (1 - p), true, last};
    case DGM_RULE_GIOTTO:
        return (ends){first ? -INFINITY : (long double)i,
                      last ? INFINITY : (long double)i + 1 / (1 - p), false, false};
    case DGM_RULE_KEPLER:
        return (ends){centre - half, centre + half, true, true};
    case DGM_RULE_MOG:
        return (ends){(long double)i - p, (long double)i + 1 + p, true, true};
    default: /* DGM_RULE_DGM */
        half = p * (long double)n / ((long double)n + 1);
        return (ends){(long double)i - half, (long double)i + 1 + half, true, true};
    }
}

/* The step of the cover as a fraction of the range. */
static long double rule_step(int rule, int64_t n, long double p) {
    if (rule == DGM_RULE_GAIN || rule == DGM_RULE_GIOTTO)
        return (1 - p) / ((long double)n - (long double)(n - 1) * p);
    return 1 / (long double)n;
}

/* -1, 0, 1: before, on, after the end. */
static int compare(long double position, long double end, bool *doubtful) {
    long double difference = position - end;
    if (fabsl(difference) < 1e-13L)
        return 0;
    if (fabsl(difference) < 1e-9L)
        *doubtful = true;
    return difference < 0 ? -1 : 1;
}

static bool inside(ends interval, long double position, bool *doubtful) {
    int low = compare(position, interval.low, doubtful);
    int high = compare(position, interval.high, doubtful);
    return (low > 0 || (low == 0 && interval.owns_low)) &&
           (high < 0 || (high == 0 && interval.owns_high));
}

typedef struct axis {
    int64_t n;
    long double p;
    bool constant;
    double low, high, value[CHECK_MAX_NODES]; /* of the lens, or of its ranks */
    long double position[CHECK_MAX_NODES];    /* in steps from the smallest value */
} axis;

/* A value's mid-rank: the mean of the places that its ties take in sorted order. */
static long double mid_rank(const double *values, int count, double value) {
    int below = 0, equal = 0;
    for (int i = 0; i < count; i++) {
        below += values[i] < value;
        equal += values[i] == value;
    }
    return below + (equal - 1) / 2.0L;
}

/* A range of at most 1e-9 max|f| is constant, whatever the cover makes of it. */
static bool is_constant(const double *values, int count) {
    long double low = INFINITY, high = -INFINITY;
    for (int u = 0; u < count; u++) {
        low = fminl(low, values[u]);
        high = fmaxl(high, values[u]);
    }
    return high - low <= 1e-9L * fmaxl(fabsl(low), fabsl(high));
}

static axis measure_axis(const check_problem *problem, int column) {
    const dgm_mapper_options *options = problem->options;
    axis a = {.n = options->intervals[0], .p = options->overlap[0]};
    for (int k = 1; k <= column && k < DGM_MAX_AXES; k++) {
        a.n = options->intervals[k] > 0 ? options->intervals[k] : a.n;
        a.p = options->overlap[k] >= 0 ? options->overlap[k] : a.p;
    }
    double values[CHECK_MAX_NODES];
    long double value[CHECK_MAX_NODES], low = INFINITY, high = -INFINITY;
    for (int u = 0; u < problem->nodes; u++)
        values[u] = problem->lens[u * problem->columns + column];
    for (int u = 0; u < problem->nodes; u++) {
        bool ranks = options->cover == DGM_COVER_QUANTILE;
        value[u] = ranks ? mid_rank(values, problem->nodes, values[u]) : values[u];
        low = fminl(low, value[u]);
        high = fmaxl(high, value[u]);
    }
    a.low = (double)low;
    a.high = (double)high;
    for (int u = 0; u < problem->nodes; u++)
        a.value[u] = (double)value[u];
    a.constant =
        high - low <= 1e-9L * fmaxl(fabsl(low), fabsl(high)) || is_constant(values, problem->nodes);
    long double step = rule_step(options->rule, a.n, a.p);
    for (int u = 0; u < problem->nodes && !a.constant; u++)
        a.position[u] = (value[u] - low) / (high - low) / step;
    return a;
}

/* GUDHI's MapperComplex as it is written: where all gains are below 1/2, the piece that holds the
 * value and the neighbour on whose side it is near the end between them; else closed intervals. All
 * in double precision, as ties depend on it. */
static bool gudhi_holds(const axis *a, bool closed, int64_t cell, double value) {
    double gain = (double)a->p, top = nextafter(a->high, INFINITY),
           step = (top - a->low) / (double)a->n;
    double reach = gain * step / (2 - 2 * gain);
    int64_t piece = -1;
    for (int64_t k = 0; k <= a->n; k++) {
        double end = k == a->n ? top : (double)k * step + a->low;
        double next = k + 1 >= a->n ? top : (double)(k + 1) * step + a->low;
        if (closed && k == cell)
            return end - reach <= value && value <= next + reach;
        piece += end <= value;
    }
    int64_t higher = piece > cell ? piece : cell;
    double between = (double)higher * step + a->low;
    if (piece == cell)
        return true;
    return (piece == cell + 1 || piece + 1 == cell) && between - reach <= value &&
           value < between + reach;
}

static bool any_wide_gain(const check_problem *problem, const axis *axes) {
    for (int k = 0; k < problem->columns; k++)
        if (axes[k].p >= 0.5L)
            return true;
    return false;
}

/* ---- cells, preimages, clusters ---- */

/* The component of `start` in the subgraph induced by `set`, directions ignored. */
static uint64_t component(const check_problem *problem, uint64_t set, int start) {
    uint64_t reached = bit(start), before;
    do {
        before = reached;
        for (int e = 0; e < problem->edge_count; e++) {
            int u = (int)problem->edges[e][0], v = (int)problem->edges[e][1];
            if (((reached & bit(u)) && (set & bit(v))) || ((reached & bit(v)) && (set & bit(u))))
                reached |= bit(u) | bit(v);
        }
    } while (reached != before);
    return reached;
}

static void add_cluster(check_summary *summary, const int32_t *cell, uint64_t members) {
    if (summary->count == CHECK_MAX_CLUSTERS) {
        summary->too_large = true;
        return;
    }
    check_cluster *cluster = &summary->clusters[summary->count++];
    memset(cluster, 0, sizeof *cluster);
    memcpy(cluster->cell, cell, sizeof(int32_t) * (size_t)summary->axes);
    cluster->members = members;
}

static void add_cell(const check_problem *problem, check_summary *summary, const int32_t *cell,
                     uint64_t preimage) {
    if (problem->options->cluster == DGM_CLUSTER_NONE && preimage)
        add_cluster(summary, cell, preimage);
    if (problem->options->cluster == DGM_CLUSTER_NONE)
        return;
    for (uint64_t left = preimage; left;) { /* by smallest member */
        uint64_t part = component(problem, preimage, __builtin_ctzll(left));
        add_cluster(summary, cell, part);
        left &= ~part;
    }
}

/* All cells of the product cover, lexicographically; a cell that is empty already on its first axes
 * is left out. */
static void walk_cells(const check_problem *problem, const axis *axes, check_summary *summary,
                       int depth, int32_t *cell, uint64_t preimage) {
    if (!preimage || summary->too_large)
        return;
    if (depth == summary->axes) {
        add_cell(problem, summary, cell, preimage);
        return;
    }
    const axis *a = &axes[depth];
    for (int64_t i = 0; i < (a->constant ? 1 : a->n); i++) {
        bool gudhi = problem->options->rule == DGM_RULE_GUDHI;
        ends interval = rule_ends(problem->options->rule, a->n, a->p, i);
        uint64_t part = 0;
        for (int u = 0; u < problem->nodes; u++)
            if ((preimage & bit(u)) &&
                (a->constant ||
                 (gudhi ? gudhi_holds(a, any_wide_gain(problem, axes), i, a->value[u])
                        : inside(interval, a->position[u], &summary->doubtful))))
                part |= bit(u);
        cell[depth] = (int32_t)i;
        walk_cells(problem, axes, summary, depth + 1, cell, part);
    }
}

static void product_cover(const check_problem *problem, check_summary *summary) {
    axis *axes = must_alloc((size_t)problem->columns, sizeof *axes);
    int32_t cell[CHECK_MAX_AXES] = {0};
    uint64_t all = 0;
    for (int u = 0; u < problem->nodes; u++)
        all |= bit(u);
    for (int k = 0; k < problem->columns; k++)
        axes[k] = measure_axis(problem, k);
    summary->axes = problem->columns;
    walk_cells(problem, axes, summary, 0, cell, all);
    free(axes);
}

static void given_cover(const check_problem *problem, check_summary *summary) {
    const dgm_mapper_options *options = problem->options;
    double top = -INFINITY;
    for (int64_t i = 0; i < options->given_count; i++)
        top = fmax(top, options->given[i].high);
    summary->axes = 1;
    for (int32_t i = 0; i < options->given_count; i++) {
        uint64_t preimage = 0;
        for (int u = 0; u < problem->nodes; u++) {
            double x = problem->lens[u], high = options->given[i].high;
            if (x >= options->given[i].low && (x < high || (x == high && high == top)))
                preimage |= bit(u);
        }
        add_cell(problem, summary, &i, preimage);
    }
}

static void simplex_cover(const check_problem *problem, check_summary *summary) {
    summary->axes = 1;
    for (int32_t k = 0; k < problem->columns; k++) {
        uint64_t preimage = 0;
        for (int u = 0; u < problem->nodes; u++)
            if (problem->lens[u * problem->columns + k] > 0)
                preimage |= bit(u);
        add_cell(problem, summary, &k, preimage);
    }
}

/* ---- boxes that are cut while they hold too many ---- */

typedef struct unit {
    long double position[CHECK_MAX_NODES]; /* from 0, the smallest value, to 1 */
    long double reach;                     /* what a side grows by at each end, over its length */
} unit;

typedef struct boxes {
    const check_problem *problem;
    check_summary *summary;
    unit *units; /* of each axis */
    int32_t cells;
} boxes;

static unit measure_unit(const check_problem *problem, int column) {
    long double gain = problem->options->overlap[0], low = INFINITY, high = -INFINITY;
    double values[CHECK_MAX_NODES];
    for (int k = 1; k <= column && k < DGM_MAX_AXES; k++)
        gain = problem->options->overlap[k] >= 0 ? problem->options->overlap[k] : gain;
    for (int u = 0; u < problem->nodes; u++) {
        values[u] = problem->lens[u * problem->columns + column];
        low = fminl(low, values[u]);
        high = fmaxl(high, values[u]);
    }
    unit a = {.reach = gain / (2 * (1 - gain))};
    for (int u = 0; u < problem->nodes && !is_constant(values, problem->nodes); u++)
        a.position[u] = (values[u] - low) / (high - low);
    return a;
}

/* The nodes of a box that is widened by `grown` times what its gain says. */
static uint64_t held(const boxes *b, const long double *corner, const long double *side,
                     int grown) {
    uint64_t set = 0;
    for (int u = 0; u < b->problem->nodes; u++) {
        bool holds = true;
        for (int k = 0; k < b->problem->columns; k++) {
            long double more = grown * b->units[k].reach * side[k];
            long double top = corner[k] + side[k] + more;
            ends interval = {corner[k] - more, top, true, top >= 1};
            long double at = b->units[k].position[u];
            holds = holds && (inside(interval, at, &b->summary->doubtful) ||
                              (top >= 1 && at >= interval.low && at >= 1));
        }
        set |= holds ? bit(u) : 0;
    }
    return set;
}

static bool set_differs(const boxes *b, uint64_t set, int column) {
    const long double *position = b->units[column].position;
    for (uint64_t left = set; left; left &= left - 1)
        if (compare(position[__builtin_ctzll(left)], position[__builtin_ctzll(set)],
                    &b->summary->doubtful) != 0)
            return true;
    return false;
}

/* The side that is cut, or -1. */
static int find_side(const boxes *b, const long double *side, uint64_t own, uint64_t all) {
    int64_t most = b->problem->options->cell_size;
    int best = -1;
    bool agree = true;
    for (int k = 0; k < b->problem->columns; k++)
        agree = agree && !set_differs(b, own, k);
    if (size_of(all) - (agree ? size_of(own) : 0) <= most || size_of(all) <= most)
        return -1;
    for (int k = 0; k < b->problem->columns; k++)
        if (set_differs(b, all, k) && (best < 0 || side[k] > side[best]))
            best = k;
    return best;
}

/* Below a side of 2^-16 the ends are too near to each other for this checker. */
static void walk_boxes(boxes *b, const long double *corner, const long double *side) {
    long double half[CHECK_MAX_AXES], upper[CHECK_MAX_AXES];
    uint64_t own = held(b, corner, side, 0), all = held(b, corner, side, 1);
    if (!own || b->summary->too_large)
        return;
    int cut = find_side(b, side, own, all);
    if (cut < 0) {
        add_cell(b->problem, b->summary, &b->cells, all);
        b->cells++;
        return;
    }
    memcpy(half, side, sizeof half);
    memcpy(upper, corner, sizeof upper);
    half[cut] /= 2;
    upper[cut] += half[cut];
    b->summary->doubtful = b->summary->doubtful || half[cut] < 0x1p-16L;
    if (b->summary->doubtful)
        return;
    walk_boxes(b, corner, half);
    walk_boxes(b, upper, half);
}

static void adaptive_cover(const check_problem *problem, check_summary *summary) {
    unit *units = must_alloc((size_t)problem->columns, sizeof *units);
    long double corner[CHECK_MAX_AXES] = {0}, side[CHECK_MAX_AXES];
    boxes b = {problem, summary, units, 0};
    for (int k = 0; k < problem->columns; k++)
        units[k] = measure_unit(problem, k);
    for (int k = 0; k < CHECK_MAX_AXES; k++)
        side[k] = 1;
    summary->axes = 1;
    walk_boxes(&b, corner, side);
    free(units);
}

/* ---- edges ---- */

static dgm_summary_edge measure_pair(const check_problem *problem, const check_summary *summary,
                                     int a, int b) {
    uint64_t left = summary->clusters[a].members, right = summary->clusters[b].members;
    dgm_summary_edge pair = {.source = (uint32_t)a, .target = (uint32_t)b};
    pair.shared = size_of(left & right);
    for (int e = 0; e < problem->edge_count; e++) {
        uint64_t u = bit((int)problem->edges[e][0]), v = bit((int)problem->edges[e][1]);
        if (u == v)
            continue;
        pair.links += ((left & u) && (right & v)) || ((left & v) && (right & u));
        pair.inner += (left & right & u) && (left & right & v);
    }
    return pair;
}

/* What the weight of an edge measures. An edge inside the intersection counts twice in S'AS and in
 * the reference. */
static int64_t strength(const dgm_mapper_options *options, const dgm_summary_edge *pair) {
    if (options->edges == DGM_EDGES_NERVE)
        return pair->shared;
    if (options->rule == DGM_RULE_DGM)
        return pair->links + pair->inner;
    if (options->strength == DGM_STRENGTH_SAS)
        return pair->shared + pair->links + pair->inner;
    return pair->links;
}

static void join_clusters(const check_problem *problem, check_summary *summary) {
    int64_t largest = 0;
    size_t pairs = (size_t)summary->count * (size_t)summary->count / 2 + 1;
    summary->edges = must_alloc(pairs, sizeof *summary->edges);
    for (int a = 0; a < summary->count; a++)
        for (int b = a + 1; b < summary->count; b++) {
            dgm_summary_edge pair = measure_pair(problem, summary, a, b);
            int64_t s = strength(problem->options, &pair);
            largest = s > largest ? s : largest;
            if (s > 0)
                summary->edges[summary->edge_count++] = pair;
        }
    int kept = 0;
    for (int e = 0; e < summary->edge_count; e++) {
        dgm_summary_edge edge = summary->edges[e];
        edge.weight = (double)strength(problem->options, &edge) / (double)largest;
        if (problem->options->edges == DGM_EDGES_NERVE || !(edge.weight < problem->options->eps))
            summary->edges[kept++] = edge;
    }
    summary->edge_count = kept;
}

/* ---- filters ---- */

/* Keeps the clusters with keep[i]; edges with a lost end go too. */
static void keep_clusters(check_summary *summary, const bool *keep) {
    int number[CHECK_MAX_CLUSTERS], count = 0, edges = 0;
    for (int i = 0; i < summary->count; i++) {
        number[i] = count;
        if (keep[i])
            summary->clusters[count++] = summary->clusters[i];
    }
    for (int e = 0; e < summary->edge_count; e++) {
        dgm_summary_edge edge = summary->edges[e];
        if (!keep[edge.source] || !keep[edge.target])
            continue;
        edge.source = (uint32_t)number[edge.source];
        edge.target = (uint32_t)number[edge.target];
        summary->edges[edges++] = edge;
    }
    summary->count = count;
    summary->edge_count = edges;
}

static uint64_t covered_nodes(const check_summary *summary) {
    uint64_t covered = 0;
    for (int i = 0; i < summary->count; i++)
        covered |= summary->clusters[i].members;
    return covered;
}

/* The kept cluster that has the most links with cluster i, the first of equals; -1: none has any. */
static int most_linked(const check_problem *problem, const check_summary *summary, const bool *keep,
                       int i) {
    int best = -1;
    int64_t most = 0;
    for (int j = 0; j < summary->count; j++) {
        int64_t links = keep[j] ? measure_pair(problem, summary, i, j).links : 0;
        if (links > most) {
            most = links;
            best = j;
        }
    }
    return best;
}

/* One round: all clusters that are not kept and have no place yet choose before any of them moves.
 * Returns whether one found a place. */
static bool attach_round(const check_problem *problem, check_summary *summary, const bool *keep,
                         bool *placed, uint64_t *attached) {
    int into[CHECK_MAX_CLUSTERS];
    bool any = false;
    for (int i = 0; i < summary->count; i++)
        into[i] = keep[i] || placed[i] ? -1 : most_linked(problem, summary, keep, i);
    for (int i = 0; i < summary->count; i++) {
        if (into[i] < 0)
            continue;
        summary->clusters[into[i]].members |= summary->clusters[i].members;
        *attached |= summary->clusters[i].members;
        summary->coverage.attached_clusters++;
        any = placed[i] = true;
    }
    return any;
}

static void drop_small_clusters(const check_problem *problem, check_summary *summary) {
    bool keep[CHECK_MAX_CLUSTERS], placed[CHECK_MAX_CLUSTERS] = {false};
    uint64_t attached = 0;
    for (int i = 0; i < summary->count; i++)
        keep[i] = size_of(summary->clusters[i].members) >= problem->options->min_size;
    while (problem->options->attach && attach_round(problem, summary, keep, placed, &attached))
        continue;
    summary->coverage.attached_nodes = size_of(attached);
    keep_clusters(summary, keep);
}

/* label[i]: the smallest cluster that i can reach over the summary's edges. */
static int label_components(int count, const dgm_summary_edge *edges, int edge_count, int *label) {
    for (int i = 0; i < count; i++)
        label[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = 0; e < edge_count; e++) {
            int *a = &label[edges[e].source], *b = &label[edges[e].target];
            changed |= *a != *b;
            *a = *b = *a < *b ? *a : *b;
        }
    }
    int components = 0;
    for (int i = 0; i < count; i++)
        components += label[i] == i;
    return components;
}

static void drop_small_components(const check_problem *problem, check_summary *summary) {
    int label[CHECK_MAX_CLUSTERS];
    int64_t sum[CHECK_MAX_CLUSTERS] = {0};
    bool keep[CHECK_MAX_CLUSTERS];
    label_components(summary->count, summary->edges, summary->edge_count, label);
    for (int i = 0; i < summary->count; i++)
        sum[label[i]] += size_of(summary->clusters[i].members);
    for (int i = 0; i < summary->count; i++)
        keep[i] = sum[label[i]] >= problem->options->min_component;
    keep_clusters(summary, keep);
}

/* ---- ledger and topology ---- */

static void count_edges_inside(const check_problem *problem, check_summary *summary) {
    for (int e = 0; e < problem->edge_count; e++) {
        uint64_t both = bit((int)problem->edges[e][0]) | bit((int)problem->edges[e][1]);
        if (size_of(both) < 2)
            continue;
        bool found = false;
        for (int i = 0; i < summary->count; i++)
            found |= (summary->clusters[i].members & both) == both;
        summary->coverage.edges++;
        summary->coverage.edges_inside += found;
    }
}

/* A dense basis over GF(2): row p, where there is one, has its lowest bit at p. */
typedef struct basis {
    int bits, words;
    uint64_t **rows;
    uint64_t *column; /* being reduced */
} basis;

/* Reduces basis->column; true if it was independent of the rows and is now one of them. */
static bool basis_add(basis *b) {
    for (int p = 0; p < b->bits; p++) {
        if (!(b->column[p / 64] & bit(p % 64)))
            continue;
        if (!b->rows[p]) {
            b->rows[p] = b->column;
            b->column = must_alloc((size_t)b->words, sizeof *b->column);
            return true;
        }
        for (int w = p / 64; w < b->words; w++)
            b->column[w] ^= b->rows[p][w];
    }
    return false;
}

/* Rank over GF(2) of the boundary matrix d2, its columns being the triangles of the nerve. */
static int64_t boundary_rank(const check_summary *summary, const int *edge_number, int edges) {
    int n = summary->count, words = edges / 64 + 1;
    basis b = {.bits = edges, .words = words};
    b.rows = must_alloc((size_t)edges, sizeof *b.rows);
    b.column = must_alloc((size_t)words, sizeof *b.column);
    int64_t rank = 0;
    for (int x = 0; x < n; x++)
        for (int y = x + 1; y < n; y++)
            for (int z = y + 1; z < n; z++) {
                if (!(summary->clusters[x].members & summary->clusters[y].members &
                      summary->clusters[z].members))
                    continue;
                int sides[3] = {edge_number[x * n + y], edge_number[x * n + z],
                                edge_number[y * n + z]};
                memset(b.column, 0, sizeof *b.column * (size_t)words);
                for (int s = 0; s < 3; s++)
                    b.column[sides[s] / 64] ^= bit(sides[s] % 64);
                rank += basis_add(&b);
            }
    for (int p = 0; p < edges; p++)
        free(b.rows[p]);
    free(b.rows);
    free(b.column);
    return rank;
}

static void measure_topology(check_summary *summary) {
    int n = summary->count, nerve_edges = 0, label[CHECK_MAX_CLUSTERS];
    int *edge_number = must_alloc((size_t)n * (size_t)n, sizeof *edge_number);
    dgm_summary_edge *nerve = must_alloc((size_t)n * (size_t)n / 2 + 1, sizeof *nerve);
    dgm_summary_topology *topology = &summary->topology;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            uint64_t both = summary->clusters[a].members & summary->clusters[b].members;
            if (!both)
                continue;
            edge_number[a * n + b] = nerve_edges;
            nerve[nerve_edges++] = (dgm_summary_edge){.source = (uint32_t)a, .target = (uint32_t)b};
            for (int c = b + 1; c < n; c++)
                topology->triangles += (both & summary->clusters[c].members) != 0;
        }
    topology->b0 = label_components(n, nerve, nerve_edges, label);
    topology->skeleton_loops = nerve_edges - n + topology->b0;
    topology->cycle_rank =
        summary->edge_count - n + label_components(n, summary->edges, summary->edge_count, label);
    summary->has_b1 = topology->triangles <= CHECK_MAX_TRIANGLES;
    if (summary->has_b1)
        topology->b1 = topology->skeleton_loops - boundary_rank(summary, edge_number, nerve_edges);
    free(edge_number);
    free(nerve);
}

/* ---- the whole ---- */

check_summary *check_mapper(const check_problem *problem) {
    check_summary *summary = must_alloc(1, sizeof *summary);
    dgm_summary_coverage *coverage = &summary->coverage;
    if (problem->options->cover == DGM_COVER_INTERVALS)
        given_cover(problem, summary);
    else if (problem->options->cover == DGM_COVER_SIMPLEX)
        simplex_cover(problem, summary);
    else if (problem->options->cover == DGM_COVER_ADAPTIVE)
        adaptive_cover(problem, summary);
    else
        product_cover(problem, summary);
    if (summary->too_large)
        return summary;
    int in_cells = size_of(covered_nodes(summary));
    drop_small_clusters(problem, summary);
    int after_size = size_of(covered_nodes(summary));
    join_clusters(problem, summary);
    drop_small_components(problem, summary);
    coverage->nodes = problem->nodes;
    coverage->covered = size_of(covered_nodes(summary));
    coverage->filtered = coverage->nodes - coverage->covered;
    coverage->filtered_cover = coverage->nodes - in_cells;
    coverage->filtered_min_size = in_cells - after_size;
    coverage->filtered_min_component = after_size - coverage->covered;
    count_edges_inside(problem, summary);
    measure_topology(summary);
    return summary;
}

void check_summary_free(check_summary *summary) {
    if (summary)
        free(summary->edges);
    free(summary);
}

/* ---- comparing ---- */

static bool differ(char why[200], const char *what, int64_t where, double expected, double actual) {
    snprintf(why, 200, "%s %lld: expected %.17g, got %.17g", what, (long long)where, expected,
             actual);
    return false;
}

static bool equal_clusters(const check_problem *problem, const check_summary *expected,
                           const dgm_summary *actual, char why[200]) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(actual);
    if (clusters.count != expected->count)
        return differ(why, "clusters", 0, expected->count, (double)clusters.count);
    if (clusters.count && clusters.axes != expected->axes)
        return differ(why, "axes", 0, expected->axes, (double)clusters.axes);
    for (int i = 0; i < expected->count; i++) {
        const check_cluster *wanted = &expected->clusters[i];
        for (int k = 0; k < expected->axes; k++)
            if (clusters.cells[i * clusters.axes + k] != wanted->cell[k])
                return differ(why, "cell of cluster", i, wanted->cell[k],
                              clusters.cells[i * clusters.axes + k]);
        int64_t at = clusters.offsets[i];
        if (clusters.offsets[i + 1] - at != size_of(wanted->members))
            return differ(why, "size of cluster", i, size_of(wanted->members),
                          (double)(clusters.offsets[i + 1] - at));
        for (uint64_t left = wanted->members; left; left &= left - 1, at++)
            if ((int)clusters.members[at] != __builtin_ctzll(left))
                return differ(why, "member of cluster", i, __builtin_ctzll(left),
                              clusters.members[at]);
        for (int k = 0; k < problem->columns; k++) {
            long double sum = 0, scale = 0;
            for (uint64_t left = wanted->members; left; left &= left - 1) {
                long double x = problem->lens[__builtin_ctzll(left) * problem->columns + k];
                sum += x;
                scale += fabsl(x);
            }
            double mean = clusters.lens[i * clusters.dimension + k];
            if (!(fabsl(mean - sum / size_of(wanted->members)) <= 1e-13L * scale + DBL_TRUE_MIN))
                return differ(why, "mean lens of cluster", i,
                              (double)(sum / size_of(wanted->members)), mean);
        }
    }
    return true;
}

static bool equal_edges(const check_summary *expected, const dgm_summary *actual, char why[200]) {
    int64_t count;
    const dgm_summary_edge *edges = dgm_summary_edges(actual, &count);
    if (count != expected->edge_count)
        return differ(why, "edges", 0, expected->edge_count, (double)count);
    for (int64_t e = 0; e < count; e++) {
        const dgm_summary_edge *a = &expected->edges[e], *b = &edges[e];
        if (a->source != b->source || a->target != b->target)
            return differ(why, "ends of edge", e, a->source * 1000.0 + a->target,
                          b->source * 1000.0 + b->target);
        if (a->shared != b->shared)
            return differ(why, "shared of edge", e, (double)a->shared, (double)b->shared);
        if (a->links != b->links)
            return differ(why, "links of edge", e, (double)a->links, (double)b->links);
        if (a->inner != b->inner)
            return differ(why, "inner of edge", e, (double)a->inner, (double)b->inner);
        if (a->weight != b->weight)
            return differ(why, "weight of edge", e, a->weight, b->weight);
    }
    return true;
}

static bool equal_ledger(const check_summary *expected, const dgm_summary *actual, char why[200]) {
    dgm_summary_coverage c = dgm_summary_get_coverage(actual), d = expected->coverage;
    dgm_summary_topology t = dgm_summary_get_topology(actual), s = expected->topology;
    const struct {
        const char *name;
        int64_t expected, actual;
    } rows[] = {
        {"coverage: nodes", d.nodes, c.nodes},
        {"coverage: covered", d.covered, c.covered},
        {"coverage: filtered", d.filtered, c.filtered},
        {"coverage: filtered by cover", d.filtered_cover, c.filtered_cover},
        {"coverage: filtered by min-size", d.filtered_min_size, c.filtered_min_size},
        {"coverage: filtered by min-component", d.filtered_min_component, c.filtered_min_component},
        {"coverage: lost", 0, c.lost},
        {"coverage: attached clusters", d.attached_clusters, c.attached_clusters},
        {"coverage: attached nodes", d.attached_nodes, c.attached_nodes},
        {"coverage: edges", d.edges, c.edges},
        {"coverage: edges inside", d.edges_inside, c.edges_inside},
        {"topology: b0", s.b0, t.b0},
        {"topology: triangles", s.triangles, t.triangles},
        {"topology: skeleton loops", s.skeleton_loops, t.skeleton_loops},
        {"topology: cycle rank", s.cycle_rank, t.cycle_rank},
        {"topology: b1", expected->has_b1 ? s.b1 : t.b1, t.b1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].expected != rows[i].actual)
            return differ(why, rows[i].name, 0, (double)rows[i].expected, (double)rows[i].actual);
    return true;
}

bool check_summary_equal(const check_problem *problem, const check_summary *expected,
                         const dgm_summary *actual, char why[200]) {
    return equal_clusters(problem, expected, actual, why) && equal_edges(expected, actual, why) &&
           equal_ledger(expected, actual, why);
}
