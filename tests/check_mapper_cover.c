/* SPDX-License-Identifier: Apache-2.0 */
#include "check_mapper_cover.h"

#include <math.h>
#include <string.h>

/* ---- intervals ---- */

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

/* ---- parts ---- */

/* The nodes around u, and itself. */
static uint64_t around(const check_problem *problem, int u) {
    uint64_t set = bit(u);
    for (int e = 0; e < problem->edge_count; e++) {
        int a = (int)problem->edges[e][0], b = (int)problem->edges[e][1];
        set |= a == u ? bit(b) : b == u ? bit(a) : 0;
    }
    return set;
}

static uint64_t nodes_of_part(const check_problem *problem, double part) {
    uint64_t set = 0;
    for (int u = 0; u < problem->nodes; u++)
        set |= problem->lens[u] == part ? bit(u) : 0;
    return set;
}

/* Whether more of the nodes around u are in that part than in any other: of equals its own counts,
 * and then the smallest. */
static bool is_main(const check_problem *problem, int u, double part) {
    uint64_t near = around(problem, u);
    int here = size_of(near & nodes_of_part(problem, part));
    for (int v = 0; v < problem->nodes; v++) {
        double other = problem->lens[v];
        int there = size_of(near & nodes_of_part(problem, other));
        bool before = other == problem->lens[u] || (part != problem->lens[u] && other < part);
        if (other != part && (there > here || (there == here && before)))
            return false;
    }
    return true;
}

static void parts_cover(const check_problem *problem, check_summary *summary) {
    double last = -INFINITY;
    int32_t cell = 0;
    summary->axes = 1;
    for (;; cell++) {
        double part = INFINITY;
        uint64_t preimage = 0;
        for (int u = 0; u < problem->nodes; u++)
            if (problem->lens[u] > last)
                part = fmin(part, problem->lens[u]);
        if (part == INFINITY)
            return;
        for (int u = 0; u < problem->nodes; u++) {
            uint64_t near = around(problem, u);
            long double here = size_of(near & nodes_of_part(problem, part));
            long double least = (long double)problem->options->share * size_of(near);
            if (here > 0 && (here >= least - 1e-9L || is_main(problem, u, part)))
                preimage |= bit(u);
        }
        add_cell(problem, summary, &cell, preimage);
        last = part;
    }
}

/* ---- the whole ---- */

void check_cover(const check_problem *problem, check_summary *summary) {
    switch (problem->options->cover) {
    case DGM_COVER_INTERVALS:
        given_cover(problem, summary);
        return;
    case DGM_COVER_SIMPLEX:
        simplex_cover(problem, summary);
        return;
    case DGM_COVER_ADAPTIVE:
        adaptive_cover(problem, summary);
        return;
    case DGM_COVER_PARTS:
        parts_cover(problem, summary);
        return;
    default:
        product_cover(problem, summary);
    }
}
