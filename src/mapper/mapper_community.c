/* SPDX-License-Identifier: Apache-2.0 */
/* Splits each preimage into communities, by label propagation (Raghavan, Albert and Kumara 2007) or
 * by the Louvain method (Blondel and others 2008).
 *
 * Cells are taken one after the other; each induces a small graph of its own, undirected, weighted
 * if the graph is (weights below zero count as zero). Visiting orders are drawn from the seed and
 * the cell, so nothing depends on threads.
 */
#include "mapper_stages.h"

#include <math.h>
#include <string.h>

#include "base_assert.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "graph_scale.h"

enum { STREAM = 0x434F4D4D, MOST_SWEEPS = 100, MOST_LEVELS = 32 };

/* A preimage's own graph. Loops carry the weight inside a merged node (Louvain's levels), counted
 * twice. */
typedef struct {
    int64_t nodes;
    int64_t *offsets;
    uint32_t *targets;
    double *weights;
    double *loops;
} small_graph;

/* Tallies by label with a list of those touched, so that clearing costs what was used. */
typedef struct {
    double *sum;
    uint32_t *touched;
    int64_t count;
} tally;

static bool tally_make(dgm_context *ctx, tally *t, int64_t labels) {
    t->sum = dgmi_scratch(ctx, labels, sizeof *t->sum);
    t->touched = dgmi_scratch(ctx, labels, sizeof *t->touched);
    t->count = 0;
    for (int64_t i = 0; t->sum && i < labels; i++)
        t->sum[i] = -1;
    return t->sum && t->touched;
}

static void tally_add(tally *t, uint32_t label, double weight) {
    assert(weight >= 0); /* a sum below 0 says that there is none */
    if (t->sum[label] < 0) {
        t->sum[label] = 0;
        t->touched[t->count++] = label;
    }
    t->sum[label] += weight;
}

static void tally_clear(tally *t) {
    for (int64_t i = 0; i < t->count; i++)
        t->sum[t->touched[i]] = -1;
    t->count = 0;
}

/* A seeded order of visits (Fisher and Yates). */
static void shuffle(uint32_t *order, int64_t count, dgmi_random *random) {
    for (int64_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)dgmi_random_next_below(random, (uint64_t)i + 1);
        uint32_t swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

/* ---- label propagation ---- */

/* The label that weighs most among the neighbours; the present one wins ties, then a seeded draw
 * decides. */
static uint32_t heaviest_label(const small_graph *graph, int64_t u, const uint32_t *label, tally *t,
                               dgmi_random *random) {
    for (int64_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
        tally_add(t, label[graph->targets[e]], graph->weights[e]);
    double most = -1;
    for (int64_t i = 0; i < t->count; i++)
        most = fmax(most, t->sum[t->touched[i]]);
    uint32_t best = label[u];
    if (t->count && t->sum[best] < most) {
        uint64_t ties = 0;
        for (int64_t i = 0; i < t->count; i++)
            if (t->sum[t->touched[i]] == most && dgmi_random_next_below(random, ++ties) == 0)
                best = t->touched[i];
    }
    tally_clear(t);
    return best;
}

static dgm_status propagate_labels(dgm_context *ctx, const small_graph *graph, dgmi_random *random,
                                   uint32_t *label) {
    tally t;
    uint32_t *order = dgmi_scratch(ctx, graph->nodes, sizeof *order);
    if (!tally_make(ctx, &t, graph->nodes) || !order)
        return DGM_ERROR_MEMORY;
    bool moved = true;
    for (int sweep = 0; moved && sweep < MOST_SWEEPS; sweep++) {
        moved = false;
        shuffle(order, graph->nodes, random);
        for (int64_t i = 0; i < graph->nodes; i++) {
            uint32_t u = order[i], best = heaviest_label(graph, u, label, &t, random);
            moved |= best != label[u];
            label[u] = best;
        }
        dgm_status status = dgmi_progress(ctx, "finding communities", -1);
        if (status != DGM_OK)
            return status;
    }
    return DGM_OK;
}

/* ---- Louvain ---- */

typedef struct {
    double *strength; /* of each node, loops included */
    double *total;    /* of each community */
    double whole;     /* of all nodes: twice the weight of the edges */
} modularity;

/* Moves u to the neighbouring community with the largest gain in modularity: w(u, c) - strength_u *
 * total_c / whole. */
static bool move_node(const small_graph *graph, modularity *m, uint32_t u, uint32_t *community,
                      tally *t) {
    uint32_t home = community[u], best = home;
    for (int64_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
        tally_add(t, community[graph->targets[e]], graph->weights[e]);
    m->total[home] -= m->strength[u];
    double at_home = t->sum[home] < 0 ? 0 : t->sum[home];
    double most = at_home - m->strength[u] * m->total[home] / m->whole;
    for (int64_t i = 0; i < t->count; i++) {
        uint32_t c = t->touched[i];
        double gain = t->sum[c] - m->strength[u] * m->total[c] / m->whole;
        if (gain > most + 1e-12 * m->whole) {
            most = gain;
            best = c;
        }
    }
    m->total[best] += m->strength[u];
    assert(m->whole > 0);
    community[u] = best;
    tally_clear(t);
    return best != home;
}

/* Moves nodes one by one until none gains; true if any moved. */
static dgm_status move_nodes(dgm_context *ctx, const small_graph *graph, dgmi_random *random,
                             uint32_t *community, bool *improved) {
    int64_t n = graph->nodes;
    tally t;
    modularity m = {.strength = dgmi_scratch(ctx, n, sizeof(double)),
                    .total = dgmi_scratch(ctx, n, sizeof(double))};
    uint32_t *order = dgmi_scratch(ctx, n, sizeof *order);
    if (!tally_make(ctx, &t, n) || !m.strength || !m.total || !order)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < n; u++) {
        m.strength[u] = graph->loops[u];
        for (int64_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
            m.strength[u] += graph->weights[e];
        m.total[u] = m.strength[u];
        m.whole += m.strength[u];
        community[u] = (uint32_t)u;
    }
    *improved = false;
    bool moved = m.whole > 0;
    shuffle(order, n, random);
    for (int sweep = 0; moved && sweep < MOST_SWEEPS; sweep++) {
        moved = false;
        for (int64_t i = 0; i < n; i++)
            moved |= move_node(graph, &m, order[i], community, &t);
        *improved |= moved;
        dgm_status status = dgmi_progress(ctx, "finding communities", -1);
        if (status != DGM_OK)
            return status;
    }
    return DGM_OK;
}

/* Numbers communities 0 .. count - 1 by first member. */
static dgm_status renumber(dgm_context *ctx, uint32_t *community, int64_t nodes, int64_t *count) {
    uint32_t *number = dgmi_scratch(ctx, nodes, sizeof *number);
    if (!number)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        number[u] = UINT32_MAX;
    *count = 0;
    for (int64_t u = 0; u < nodes; u++) {
        if (number[community[u]] == UINT32_MAX)
            number[community[u]] = (uint32_t)(*count)++;
        community[u] = number[community[u]];
    }
    assert(*count <= nodes);
    return DGM_OK;
}

/* The graph whose nodes are the communities. */
static dgm_status merge_communities(dgm_context *ctx, const small_graph *graph,
                                    const uint32_t *community, int64_t count, small_graph *merged) {
    int64_t entries = graph->offsets[graph->nodes];
    DGMI_ASSERT_WALK(dgmi_all_below(community, graph->nodes, count));
    tally t;
    int64_t *start = dgmi_scratch_zero(ctx, count + 2, sizeof *start);
    uint32_t *members = dgmi_scratch(ctx, graph->nodes, sizeof *members);
    *merged = (small_graph){.nodes = count,
                            .offsets = dgmi_scratch_zero(ctx, count + 1, sizeof(int64_t)),
                            .targets = dgmi_scratch(ctx, entries, sizeof(uint32_t)),
                            .weights = dgmi_scratch(ctx, entries, sizeof(double)),
                            .loops = dgmi_scratch_zero(ctx, count, sizeof(double))};
    if (!tally_make(ctx, &t, count) || !start || !members || !merged->offsets || !merged->targets ||
        !merged->weights || !merged->loops)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < graph->nodes; u++)
        start[community[u] + 2]++;
    for (int64_t c = 0; c < count; c++)
        start[c + 2] += start[c + 1];
    for (int64_t u = 0; u < graph->nodes; u++)
        members[start[community[u] + 1]++] = (uint32_t)u;
    int64_t used = 0;
    for (int64_t c = 0; c < count; c++) {
        for (int64_t i = start[c]; i < start[c + 1]; i++) {
            uint32_t u = members[i];
            merged->loops[c] += graph->loops[u];
            for (int64_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
                tally_add(&t, community[graph->targets[e]], graph->weights[e]);
        }
        for (int64_t i = 0; i < t.count; i++) {
            if (t.touched[i] == c) {
                merged->loops[c] += t.sum[c];
                continue;
            }
            merged->targets[used] = t.touched[i];
            merged->weights[used++] = t.sum[t.touched[i]];
        }
        merged->offsets[c + 1] = used;
        assert(used <= entries);
        tally_clear(&t);
    }
    return DGM_OK;
}

static dgm_status louvain(dgm_context *ctx, const small_graph *graph, dgmi_random *random,
                          uint32_t *label) {
    small_graph level = *graph;
    uint32_t *community = dgmi_scratch(ctx, graph->nodes, sizeof *community);
    if (!community)
        return DGM_ERROR_MEMORY;
    for (int step = 0; step < MOST_LEVELS; step++) {
        bool improved;
        int64_t count;
        dgm_status status = move_nodes(ctx, &level, random, community, &improved);
        if (status == DGM_OK)
            status = renumber(ctx, community, level.nodes, &count);
        if (status != DGM_OK || !improved)
            return status;
        for (int64_t u = 0; u < graph->nodes; u++)
            label[u] = community[label[u]];
        small_graph merged;
        status = merge_communities(ctx, &level, community, count, &merged);
        if (status != DGM_OK)
            return status;
        level = merged;
    }
    return DGM_OK;
}

/* ---- the preimages ---- */

typedef struct {
    dgm_graph_rows rows;
    const dgmi_mapper_pullback *pullback;
    uint32_t *local; /* by node: number inside the cell, or UINT32_MAX */
    int exponent;    /* weights count 2^-exponent times, so that their products are numbers */
} preimage_job;

static int64_t induced_entries(const preimage_job *job, int64_t cell) {
    const dgmi_mapper_pullback *pullback = job->pullback;
    int64_t entries = 0;
    for (uint32_t i = pullback->cell_start[cell]; i < pullback->cell_start[cell + 1]; i++) {
        uint32_t u = pullback->node[pullback->by_cell[i]];
        for (int64_t e = job->rows.offsets[u]; e < job->rows.offsets[u + 1]; e++)
            entries += job->rows.targets[e] != u && job->local[job->rows.targets[e]] != UINT32_MAX;
    }
    return job->rows.directed ? 2 * entries : entries;
}

/* Undirected small graph of the cell's nodes: a directed graph's edges are placed in both rows. */
static dgm_status induce(dgm_context *ctx, const preimage_job *job, int64_t cell,
                         small_graph *graph) {
    const dgmi_mapper_pullback *pullback = job->pullback;
    const dgm_graph_rows *rows = &job->rows;
    uint32_t first = pullback->cell_start[cell];
    int64_t nodes = pullback->cell_start[cell + 1] - first, entries = induced_entries(job, cell);
    assert(nodes > 0);
    int64_t *cursor = dgmi_scratch_zero(ctx, nodes + 2, sizeof *cursor);
    *graph = (small_graph){.nodes = nodes,
                           .offsets = cursor,
                           .targets = dgmi_scratch(ctx, entries, sizeof(uint32_t)),
                           .weights = dgmi_scratch(ctx, entries, sizeof(double)),
                           .loops = dgmi_scratch_zero(ctx, nodes, sizeof(double))};
    if (!cursor || !graph->targets || !graph->weights || !graph->loops)
        return DGM_ERROR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t a = 0; a < nodes; a++) {
            uint32_t u = pullback->node[pullback->by_cell[first + a]];
            for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
                uint32_t v = rows->targets[e], b = job->local[v];
                if (v == u || b == UINT32_MAX)
                    continue;
                double weight =
                    rows->weights ? ldexp(fmax(rows->weights[e], 0), -job->exponent) : 1;
                for (int end = 0; end <= rows->directed; end++) {
                    int64_t row = end ? b : a, other = end ? a : b;
                    if (pass == 0) {
                        cursor[row + 2]++;
                    } else {
                        int64_t place = cursor[row + 1]++;
                        graph->targets[place] = (uint32_t)other;
                        graph->weights[place] = weight;
                    }
                }
            }
        }
        for (int64_t a = 0; pass == 0 && a < nodes; a++)
            cursor[a + 2] += cursor[a + 1];
    }
    return DGM_OK;
}

/* Labels inside the cell become smallest slots of their communities. */
static dgm_status label_slots(dgm_context *ctx, const dgmi_mapper_pullback *pullback, int64_t cell,
                              const uint32_t *inside, uint32_t *label) {
    uint32_t first = pullback->cell_start[cell];
    int64_t nodes = pullback->cell_start[cell + 1] - first;
    uint32_t *smallest = dgmi_scratch(ctx, nodes, sizeof *smallest);
    if (!smallest)
        return DGM_ERROR_MEMORY;
    for (int64_t a = nodes - 1; a >= 0; a--)
        smallest[inside[a]] = pullback->by_cell[first + a];
    for (int64_t a = 0; a < nodes; a++)
        label[pullback->by_cell[first + a]] = smallest[inside[a]];
    return DGM_OK;
}

static dgm_status cluster_cell(dgm_context *ctx, const preimage_job *job, int64_t cell,
                               const dgm_mapper_options *options, uint32_t *label) {
    const dgmi_mapper_pullback *pullback = job->pullback;
    uint32_t first = pullback->cell_start[cell];
    int64_t nodes = pullback->cell_start[cell + 1] - first;
    dgmi_random random = {(uint64_t)options->seed, STREAM + ((uint64_t)cell << 32), 0};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    small_graph graph;
    for (int64_t a = 0; a < nodes; a++)
        job->local[pullback->node[pullback->by_cell[first + a]]] = (uint32_t)a;
    uint32_t *inside = dgmi_scratch(ctx, nodes, sizeof *inside);
    dgm_status status = inside ? induce(ctx, job, cell, &graph) : DGM_ERROR_MEMORY;
    for (int64_t a = 0; a < nodes; a++) {
        job->local[pullback->node[pullback->by_cell[first + a]]] = UINT32_MAX;
        if (inside)
            inside[a] = (uint32_t)a;
    }
    if (status == DGM_OK)
        status = options->cluster == DGM_CLUSTER_LOUVAIN
                     ? louvain(ctx, &graph, &random, inside)
                     : propagate_labels(ctx, &graph, &random, inside);
    if (status == DGM_OK)
        status = label_slots(ctx, pullback, cell, inside, label);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgmi_mapper_communities(dgm_context *ctx, dgm_graph_rows rows,
                                   const dgmi_mapper_pullback *pullback,
                                   const dgm_mapper_options *options, uint32_t *label) {
    preimage_job job = {rows, pullback, dgmi_scratch(ctx, rows.nodes, sizeof(uint32_t)),
                        dgmi_graph_weights_exponent(rows)};
    if (!job.local)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < rows.nodes; u++)
        job.local[u] = UINT32_MAX;
    dgm_status status = DGM_OK;
    for (int64_t cell = 0; status == DGM_OK && cell < pullback->cells; cell++)
        status = cluster_cell(ctx, &job, cell, options, label);
    return status;
}
