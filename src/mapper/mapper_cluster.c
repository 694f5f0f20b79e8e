/* SPDX-License-Identifier: Apache-2.0 */
/* Splits every preimage into clusters: the connected components of its subgraph, the whole
 * preimage, communities (mapper_community.c), clusters of points (mapper_point_clusters.c), or what
 * a function of the caller's says.
 *
 * The components of all cells are found at once, by union-find over memberships (pairs of a node
 * and a cell): an edge joins the memberships of its ends in every cell they have in common. As in
 * Afforest (Sutton, Ben-Nun, Barak 2018), a few neighbours of every node come first. After that,
 * nodes whose memberships all lie in the largest component of their cell are skipped, because their
 * edges are met from the other end.
 *
 * What two nodes have in common is asked of their bundles (nodes in the same cells), by one look-up
 * in a small table. A node's first membership is numbered as the node itself, so that the usual
 * edge costs two look-ups: the bundle of its other end, and its parent.
 */
#include "mapper_stages.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "graph_union.h"

enum {
    GRAIN = 1 << 11,
    LINKS_FIRST = 2,     /* neighbours linked before the rest */
    LOOKED_AT = 32,      /* entries of a row searched for them */
    ROWS_ASKED = 1024,   /* rows that tell how dense the cells are */
    DENSE = 8,           /* neighbours in common cells from which skipping pays */
    MOST_BUNDLES = 1024, /* for which the table is made */
    PAIRS = 256,         /* of nodes that wait to be linked */
    LONGEST_STEP = 64,   /* entries of a row looked at before pairs are linked */
    PAIRS_AHEAD = 8,
    PLACES = 15,   /* places in a list of cells that the table can name */
    NOTHING = 0,   /* in the table: no cell in common */
    SEVERAL = 255, /* in the table: compare the lists */
};

typedef struct {
    const dgm_context *ctx; /* to ask whether to go on, and nothing else */
    dgm_graph_rows rows;
    const dgmi_mapper_pullback *pullback;
    dgmi_mapper_bundles bundles; /* of nodes, by their cells */
    uint8_t
        *common; /* bundles * (bundles + 1): NOTHING, 1 + place * PLACES + other place, SEVERAL */
    uint8_t *byte_of; /* by node: its bundle, where all fit in bytes; or NULL */
    uint32_t *parent; /* by membership */
    uint32_t *giant;  /* by cell: root of its largest component so far */
    bool *settled;    /* by node: all its memberships lie in giants */
} component_job;

/* The membership of node u in the cell at `place` of its list. */
static uint32_t membership(const component_job *job, int64_t u, int64_t place) {
    if (place == 0) /* the usual case takes no look at the offsets */
        return (uint32_t)u;
    return (uint32_t)(job->rows.nodes + job->pullback->offsets[u] + place);
}

/* What the bundles of u and v have in common. */
static int common_of(const component_job *job, uint32_t mine, uint32_t v) {
    uint32_t other = job->byte_of ? job->byte_of[v] : job->bundles.of_node[v];
    if (job->common) /* nodes in no cell are a bundle too, the last one */
        return job->common[mine * (job->bundles.count + 1) + other];
    return other == job->bundles.count ? NOTHING : SEVERAL;
}

static void link_nodes(const component_job *job, int64_t u, int64_t v, int common) {
    if (common != SEVERAL) {
        int64_t place = (common - 1) / PLACES, other = (common - 1) % PLACES;
        dgmi_graph_union_link(job->parent, membership(job, u, place), membership(job, v, other));
        return;
    }
    uint32_t one, another;
    const uint32_t *x, *y;
    int64_t x_count = dgmi_mapper_bundle_list(&job->bundles, job->bundles.of_node[u], &one, &x);
    int64_t y_count = dgmi_mapper_bundle_list(&job->bundles, job->bundles.of_node[v], &another, &y);
    for (int64_t i = 0, j = 0; i < x_count && j < y_count;) {
        bool step_x = x[i] <= y[j], step_y = y[j] <= x[i];
        if (step_x && step_y)
            dgmi_graph_union_link(job->parent, membership(job, u, i), membership(job, v, j));
        i += step_x;
        j += step_y;
    }
}

static void link_first(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const component_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end && !dgmi_cancelled(job->ctx); u++) {
        uint32_t mine = job->bundles.of_node[u];
        if (mine == job->bundles.count)
            continue;
        int64_t e = job->rows.offsets[u], stop = job->rows.offsets[u + 1];
        stop = stop - e > LOOKED_AT ? e + LOOKED_AT : stop;
        for (int links = 0; e < stop && links < LINKS_FIRST; e++) {
            int common = common_of(job, mine, job->rows.targets[e]);
            if (common != NOTHING) {
                link_nodes(job, u, job->rows.targets[e], common);
                links++;
            }
        }
    }
}

/* The most frequent root of each cell. A wrong guess costs time, not truth. */
static dgm_status find_giants(dgm_context *ctx, component_job *job) {
    const dgmi_mapper_pullback *pullback = job->pullback;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *votes = dgmi_scratch_zero(ctx, pullback->nodes + pullback->slots, sizeof *votes);
    uint32_t *most = dgmi_scratch_zero(ctx, pullback->cells, sizeof *most);
    if (!votes || !most)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < pullback->nodes && !dgmi_cancelled(ctx); u++)
        for (uint32_t s = pullback->offsets[u]; s < pullback->offsets[u + 1]; s++) {
            uint32_t cell = pullback->cell[s];
            uint32_t root =
                dgmi_graph_union_find(job->parent, membership(job, u, s - pullback->offsets[u]));
            if (++votes[root] > most[cell]) {
                most[cell] = votes[root];
                job->giant[cell] = root;
            }
        }
    dgmi_arena_release(ctx, hold);
    return DGM_OK;
}

static bool in_giants(const component_job *job, int64_t u) {
    const dgmi_mapper_pullback *pullback = job->pullback;
    uint32_t first = pullback->offsets[u];
    for (uint32_t s = first; s < pullback->offsets[u + 1]; s++)
        if (dgmi_graph_union_find(job->parent, membership(job, u, s - first)) !=
            job->giant[pullback->cell[s]])
            return false;
    return true;
}

/* Nodes whose edges are met from the other end. A directed edge stands in one row alone: none. */
static void settle(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const component_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end && !dgmi_cancelled(job->ctx); u++)
        job->settled[u] = !job->rows.directed && in_giants(job, u);
}

/* Edges between two unsettled nodes stand in both rows and are taken from the smaller node's. */
static void link_rest(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const component_job *job = argument;
    bool twice = !job->rows.directed;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end && !dgmi_cancelled(job->ctx); u++) {
        uint32_t mine = job->bundles.of_node[u];
        if (mine == job->bundles.count || job->settled[u])
            continue;
        for (int64_t e = job->rows.offsets[u]; e < job->rows.offsets[u + 1]; e++) {
            uint32_t v = job->rows.targets[e];
            int common = common_of(job, mine, v);
            if (common != NOTHING && !(twice && v < u && !job->settled[v]))
                link_nodes(job, u, v, common);
        }
    }
}

/* Nodes that have a cell in common and an edge. */
typedef struct {
    uint32_t u[PAIRS], v[PAIRS];
    int64_t count;
} pair_buffer;

/* Notes the pairs among some entries of a row, without a branch. */
static void note_pairs(const component_job *job, pair_buffer *pairs, uint32_t u,
                       const uint32_t *targets, int64_t count) {
    uint32_t mine = job->bundles.of_node[u];
    int64_t used = pairs->count;
    for (int64_t i = 0; i < count; i++) {
        pairs->u[used] = u;
        pairs->v[used] = targets[i];
        used += common_of(job, mine, targets[i]) != NOTHING;
    }
    pairs->count = used;
}

/* The parents of pairs to come are fetched ahead. */
static void link_pairs(const component_job *job, pair_buffer *pairs) {
    for (int64_t i = 0; i < pairs->count; i++) {
        if (i + PAIRS_AHEAD < pairs->count)
            __builtin_prefetch(&job->parent[pairs->v[i + PAIRS_AHEAD]]);
        uint32_t u = pairs->u[i], v = pairs->v[i];
        link_nodes(job, u, v, common_of(job, job->bundles.of_node[u], v));
    }
    pairs->count = 0;
}

/* Every edge once: where cells are sparse, looking for giants costs more than it saves. */
static void link_all(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const component_job *job = argument;
    pair_buffer pairs = {.count = 0};
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end && !dgmi_cancelled(job->ctx); u++) {
        if (job->bundles.of_node[u] == job->bundles.count)
            continue;
        int64_t first = job->rows.offsets[u], stop = job->rows.offsets[u + 1], e = stop;
        if (job->rows.directed)
            e = first;
        while (e > first && job->rows.targets[e - 1] > u) /* rows are sorted */
            e--;
        for (; e < stop; e += LONGEST_STEP) {
            int64_t step = stop - e < LONGEST_STEP ? stop - e : LONGEST_STEP;
            if (pairs.count + step >= PAIRS)
                link_pairs(job, &pairs);
            note_pairs(job, &pairs, (uint32_t)u, job->rows.targets + e, step);
        }
    }
    link_pairs(job, &pairs);
}

/* Whether nodes have many neighbours in their cells, by some rows spread over the graph. */
static bool cells_are_dense(const component_job *job) {
    int64_t step = job->rows.nodes / ROWS_ASKED + 1, asked = 0, shared = 0;
    for (int64_t u = 0; u < job->rows.nodes; u += step) {
        uint32_t mine = job->bundles.of_node[u];
        asked += mine != job->bundles.count;
        for (int64_t e = job->rows.offsets[u];
             mine != job->bundles.count && e < job->rows.offsets[u + 1]; e++)
            shared += common_of(job, mine, job->rows.targets[e]) != NOTHING;
    }
    return shared >= DENSE * asked;
}

/* ---- what bundles have in common ---- */

/* A bundle that holds a cell, and at which place of its list. */
typedef struct {
    uint32_t id, place;
} holder;

static void note_common(component_job *job, const holder *a, const holder *b) {
    uint8_t *entry = &job->common[a->id * (job->bundles.count + 1) + b->id];
    assert(a->id < job->bundles.count && b->id < job->bundles.count);
    bool named = *entry == NOTHING && a->place < PLACES && b->place < PLACES;
    *entry = (uint8_t)(named ? 1 + a->place * PLACES + b->place : SEVERAL);
}

/* Fills the table cell by cell: every two bundles that hold the cell have it in common. */
static dgm_status compare_bundles(dgm_context *ctx, component_job *job) {
    const dgmi_mapper_bundles *bundles = &job->bundles;
    int64_t count = bundles->count, cells = bundles->clusters;
    int64_t *start = dgmi_scratch_zero(ctx, cells + 2, sizeof *start);
    holder *holders =
        dgmi_scratch(ctx, cells + bundles->list_start[count - cells], sizeof *holders);
    job->common = dgmi_scratch_zero(ctx, count * (count + 1), sizeof *job->common);
    if (!start || !holders || !job->common)
        return DGM_ERROR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t id = 0; id < count; id++) {
            uint32_t one;
            const uint32_t *list;
            int64_t length = dgmi_mapper_bundle_list(bundles, (uint32_t)id, &one, &list);
            for (int64_t i = 0; i < length; i++) {
                if (pass == 0)
                    start[list[i] + 2]++;
                else
                    holders[start[list[i] + 1]++] = (holder){(uint32_t)id, (uint32_t)i};
            }
        }
        for (int64_t c = 0; pass == 0 && c < cells; c++)
            start[c + 2] += start[c + 1];
    }
    for (int64_t c = 0; c < cells; c++)
        for (int64_t a = start[c]; a < start[c + 1]; a++)
            for (int64_t b = start[c]; b < start[c + 1]; b++)
                note_common(job, &holders[a], &holders[b]);
    return DGM_OK;
}

/* A byte per node stays in the cache where a word would not. */
static dgm_status shorten_bundles(dgm_context *ctx, component_job *job) {
    if (job->bundles.count > UINT8_MAX)
        return DGM_OK;
    job->byte_of = dgmi_scratch(ctx, job->rows.nodes, sizeof *job->byte_of);
    if (!job->byte_of)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < job->rows.nodes; u++)
        job->byte_of[u] = (uint8_t)job->bundles.of_node[u];
    return DGM_OK;
}

/* ---- the components ---- */

/* label[s] = root of its component. */
typedef struct {
    const component_job *components;
    uint32_t *label;
} label_job;

static void label_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const label_job *job = argument;
    const component_job *components = job->components;
    const uint32_t *offsets = components->pullback->offsets;
    int64_t begin, end;
    dgmi_chunk(components->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        for (uint32_t s = offsets[u]; s < offsets[u + 1]; s++)
            job->label[s] = dgmi_graph_union_find(components->parent,
                                                  membership(components, u, s - offsets[u]));
}

static dgm_status link_components(dgm_context *ctx, component_job *job) {
    const dgmi_mapper_pullback *pullback = job->pullback;
    int64_t chunks = dgmi_chunks(job->rows.nodes, GRAIN);
    int64_t memberships = pullback->nodes + pullback->slots;
    dgm_status status =
        dgmi_mapper_bundles_make(ctx, pullback, pullback->cell, pullback->cells, &job->bundles);
    if (status == DGM_OK && job->bundles.count <= MOST_BUNDLES)
        status = compare_bundles(ctx, job);
    if (status == DGM_OK)
        status = shorten_bundles(ctx, job);
    if (status != DGM_OK)
        return status;
    for (int64_t m = 0; m < memberships; m++)
        job->parent[m] = (uint32_t)m;
    if (!cells_are_dense(job)) {
        dgmi_parallel(ctx, chunks, link_all, job);
        return dgmi_progress(ctx, "finding clusters", 0.5);
    }
    dgmi_parallel(ctx, chunks, link_first, job);
    status = find_giants(ctx, job);
    if (status == DGM_OK)
        status = dgmi_progress(ctx, "finding clusters", 0.5);
    if (status != DGM_OK)
        return status;
    dgmi_parallel(ctx, chunks, settle, job);
    dgmi_parallel(ctx, chunks, link_rest, job);
    return dgmi_progress(ctx, "finding clusters", 0.9);
}

static dgm_status find_components(dgm_context *ctx, dgm_graph_rows rows,
                                  const dgmi_mapper_pullback *pullback, uint32_t *label) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t memberships = pullback->nodes + pullback->slots;
    component_job job = {.ctx = ctx, .rows = rows, .pullback = pullback};
    dgm_status status = DGM_ERROR_MEMORY;
    if (memberships > UINT32_MAX)
        return dgmi_fail(
            ctx, DGM_ERROR_USAGE,
            "this cover puts the nodes into over %lld cells in all; lower " DGMI_NAMED("overlap"),
            (long long)UINT32_MAX - (long long)pullback->nodes);
    job.parent = dgmi_scratch(ctx, memberships, sizeof *job.parent);
    job.giant = dgmi_scratch_zero(ctx, pullback->cells, sizeof *job.giant);
    job.settled = dgmi_scratch(ctx, rows.nodes, sizeof *job.settled);
    if (job.parent && job.giant && job.settled)
        status = link_components(ctx, &job);
    if (status == DGM_OK)
        dgmi_parallel(ctx, dgmi_chunks(rows.nodes, GRAIN), label_chunk, &(label_job){&job, label});
    dgmi_arena_release(ctx, hold);
    return status;
}

static void whole_preimages(const dgmi_mapper_pullback *pullback, uint32_t *label) {
    for (int64_t c = 0; c < pullback->cells; c++)
        for (uint32_t i = pullback->cell_start[c]; i < pullback->cell_start[c + 1]; i++)
            label[pullback->by_cell[i]] = pullback->by_cell[pullback->cell_start[c]];
}

/* ---- a function of the caller's ---- */

/* A label, and the place in the cell of a node that has it. */
typedef struct {
    int64_t label;
    uint32_t place;
} labelled;

static int compare_labelled(const void *a, const void *b) {
    const labelled *x = a, *y = b;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Labels may be any numbers; inside the mapper a cluster is known by the slot of its first node. */
static void label_cell(const uint32_t *slots, const int64_t *labels, int64_t count,
                       labelled *sorted, uint32_t *label) {
    for (int64_t i = 0; i < count; i++)
        sorted[i] = (labelled){labels[i], (uint32_t)i};
    qsort(sorted, (size_t)count, sizeof *sorted, compare_labelled);
    for (int64_t i = 0, first = 0; i < count; i++) {
        first = sorted[i].label == sorted[first].label ? first : i;
        label[slots[sorted[i].place]] =
            sorted[i].label < 0 ? DGMI_MAPPER_NO_CLUSTER : slots[sorted[first].place];
    }
}

static dgm_status ask_clusterer(dgm_context *ctx, const dgmi_mapper_pullback *pullback,
                                const dgm_mapper_options *options, uint32_t *label) {
    const uint32_t *start = pullback->cell_start;
    int64_t largest = 0;
    for (int64_t c = 0; c < pullback->cells; c++)
        largest = start[c + 1] - start[c] > largest ? start[c + 1] - start[c] : largest;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *nodes = dgmi_scratch(ctx, largest, sizeof *nodes);
    int64_t *labels = dgmi_scratch(ctx, largest, sizeof *labels);
    labelled *sorted = dgmi_scratch(ctx, largest, sizeof *sorted);
    dgm_status status = nodes && labels && sorted ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t c = 0; status == DGM_OK && c < pullback->cells; c++) {
        const uint32_t *slots = pullback->by_cell + start[c];
        int64_t count = (int64_t)start[c + 1] - start[c];
        for (int64_t i = 0; i < count; i++)
            nodes[i] = pullback->node[slots[i]];
        if (options->clusterer(options->clusterer_user, count, nodes, labels))
            label_cell(slots, labels, count, sorted, label);
        else
            status = dgmi_fail(ctx, DGM_ERROR_CANCELLED, "the clusterer ended the work");
        if (status == DGM_OK)
            status =
                dgmi_progress(ctx, "finding clusters", 0.9 * (double)c / (double)pullback->cells);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- numbers ---- */

/* Slots of a cell with the same label are one cluster. */
typedef struct {
    const dgmi_mapper_pullback *pullback;
    uint32_t *label;      /* by slot; then its cluster */
    uint32_t *number;     /* by label: the cluster's number inside its cell */
    uint32_t *cell_first; /* cells + 1: first cluster of the cell */
    dgmi_mapper_clusters *clusters;
} number_job;

/* Slots come in node order, so that clusters are numbered by their smallest members. */
static void number_cell(void *argument, int64_t cell, int thread) {
    (void)thread;
    const number_job *job = argument;
    const dgmi_mapper_pullback *pullback = job->pullback;
    uint32_t count = 0;
    for (uint32_t i = pullback->cell_start[cell]; i < pullback->cell_start[cell + 1]; i++) {
        uint32_t slot = pullback->by_cell[i], label = job->label[slot];
        if (label == DGMI_MAPPER_NO_CLUSTER)
            continue;
        assert(pullback->cell[slot] == cell && label < pullback->nodes + pullback->slots);
        if (job->number[label] == DGMI_MAPPER_NO_CLUSTER)
            job->number[label] = count++;
        job->label[slot] = job->number[label];
    }
    job->cell_first[cell + 1] = count;
}

static void place_cell(void *argument, int64_t cell, int thread) {
    (void)thread;
    const number_job *job = argument;
    const dgmi_mapper_pullback *pullback = job->pullback;
    uint32_t first = job->cell_first[cell];
    for (uint32_t i = pullback->cell_start[cell]; i < pullback->cell_start[cell + 1]; i++) {
        uint32_t *label = &job->label[pullback->by_cell[i]];
        if (*label != DGMI_MAPPER_NO_CLUSTER)
            job->clusters->size[ *label += first]++;
    }
    for (uint32_t c = first; c < job->cell_first[cell + 1]; c++)
        job->clusters->cell[c] = (uint32_t)cell;
}

static dgm_status number_clusters(dgm_context *ctx, const dgmi_mapper_pullback *pullback,
                                  uint32_t *label, dgmi_mapper_clusters *clusters) {
    int64_t labels = pullback->nodes + pullback->slots, cells = pullback->cells;
    number_job job = {pullback, label, .clusters = clusters};
    job.number = dgmi_scratch(ctx, labels, sizeof *job.number);
    job.cell_first = dgmi_scratch_zero(ctx, cells + 1, sizeof *job.cell_first);
    if (!job.number || !job.cell_first)
        return DGM_ERROR_MEMORY;
    memset(job.number, 0xFF, (size_t)labels * sizeof *job.number);
    dgmi_parallel(ctx, cells, number_cell, &job);
    for (int64_t c = 0; c < cells; c++)
        job.cell_first[c + 1] += job.cell_first[c];
    clusters->count = job.cell_first[cells];
    assert(clusters->count <= pullback->slots);
    clusters->cell = dgmi_scratch(ctx, clusters->count, sizeof *clusters->cell);
    clusters->size = dgmi_scratch_zero(ctx, clusters->count, sizeof *clusters->size);
    if (!clusters->cell || !clusters->size)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, cells, place_cell, &job);
    clusters->of_slot = label;
    return DGM_OK;
}

dgm_status dgmi_mapper_clusters_make(dgm_context *ctx, const dgm_graph *graph,
                                     const dgm_matrix *lens, const dgmi_mapper_pullback *pullback,
                                     const dgm_mapper_options *options,
                                     dgmi_mapper_clusters *clusters) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    *clusters = (dgmi_mapper_clusters){0};
    uint32_t *label = dgmi_scratch(ctx, pullback->slots, sizeof *label);
    if (!label)
        return DGM_ERROR_MEMORY;
    dgm_status status = DGM_OK;
    if (options->cluster == DGM_CLUSTER_COMPONENTS)
        status = find_components(ctx, rows, pullback, label);
    else if (options->cluster == DGM_CLUSTER_NONE)
        whole_preimages(pullback, label);
    else if (options->cluster == DGM_CLUSTER_SINGLE || options->cluster == DGM_CLUSTER_DBSCAN)
        status = dgmi_mapper_point_clusters(ctx, graph, lens, pullback, options, label);
    else if (options->cluster == DGM_CLUSTER_GIVEN)
        status = ask_clusterer(ctx, pullback, options, label);
    else
        status = dgmi_mapper_communities(ctx, rows, pullback, options, label);
    return status == DGM_OK ? number_clusters(ctx, pullback, label, clusters) : status;
}
