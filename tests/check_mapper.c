/* SPDX-License-Identifier: Apache-2.0 */
#include "check_mapper.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_mapper_cover.h"

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
    check_cover(problem, summary);
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
