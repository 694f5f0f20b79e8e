/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters: every preimage split into connected components of the graph it induces (or not at all,
 * or by community).
 *
 * Components of all cells at once, by union-find over slots: an edge joins the slots of its ends in
 * every cell they have in common. As in Afforest (Sutton, Ben-Nun, Barak 2018), two neighbours of
 * every node come first; then nodes whose slots all lie in the largest component of their cell are
 * skipped, because their edges are met from the other end. O(m) at worst, mostly O(n).
 */
#include "mapper_stages.h"

#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "graph_union.h"

enum {
    GRAIN = 1 << 11,
    LINKS_FIRST = 2,     /* neighbours linked before the rest */
    LOOKED_AT = 32,      /* entries of a row searched for them */
    VOTES_A_CELL = 1024, /* slots asked for their component */
    MOST_CLASSES = 4096, /* for which the table of bits is made */
};

typedef struct {
    dgm_graph_rows rows;
    const dgmi_pullback *pullback;
    uint32_t *parent; /* by slot */
    uint32_t *giant;  /* by cell: root of what seems its largest component */
    bool *settled;    /* by node: all its slots lie in giants */
    dgmi_classes classes;
    uint64_t *meets; /* row c, bit d: classes c and d have a cell in common; NULL: not known */
    int64_t words;   /* a row */
} component_job;

/* Whether u and v may have a cell in common: exactly, if the table was made. */
static bool may_meet(const component_job *job, const uint64_t *meets, uint32_t v) {
    uint32_t other = job->classes.of_node[v];
    return !meets || (meets[other / 64] >> (other % 64) & 1);
}

static const uint64_t *meets_of(const component_job *job, int64_t u) {
    return job->meets ? job->meets + job->classes.of_node[u] * job->words : NULL;
}

/* Joins the slots of u and v in every cell that holds both; their cells ascend. */
static void link_nodes(const component_job *job, int64_t u, int64_t v) {
    const uint32_t *cell = job->pullback->cell, *offsets = job->pullback->offsets;
    uint32_t a = offsets[u], b = offsets[v];
    while (a < offsets[u + 1] && b < offsets[v + 1]) {
        uint32_t x = cell[a], y = cell[b];
        if (x == y)
            dgmi_union_link(job->parent, a, b);
        a += x <= y;
        b += y <= x;
    }
}

static void link_first(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const component_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        if (job->classes.of_node[u] == job->classes.count)
            continue;
        const uint64_t *meets = meets_of(job, u);
        int64_t e = job->rows.offsets[u], stop = job->rows.offsets[u + 1];
        stop = stop - e > LOOKED_AT ? e + LOOKED_AT : stop;
        for (int links = 0; e < stop && links < LINKS_FIRST; e++)
            if (may_meet(job, meets, job->rows.targets[e])) {
                link_nodes(job, u, job->rows.targets[e]);
                links++;
            }
    }
}

static bool in_giants(const component_job *job, int64_t u) {
    const dgmi_pullback *pullback = job->pullback;
    for (uint32_t s = pullback->offsets[u]; s < pullback->offsets[u + 1]; s++)
        if (dgmi_union_find(job->parent, s) != job->giant[pullback->cell[s]])
            return false;
    return true;
}

/* Nodes whose edges are met from the other end. A directed edge stands in one row alone: none. */
static void settle(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const component_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++)
        job->settled[u] = !job->rows.directed && in_giants(job, u);
}

/* Edges between two unsettled nodes stand in both rows and are taken from the smaller node's. */
static void link_rest(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const component_job *job = argument;
    bool twice = !job->rows.directed;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        if (job->classes.of_node[u] == job->classes.count || job->settled[u])
            continue;
        const uint64_t *meets = meets_of(job, u);
        for (int64_t e = job->rows.offsets[u]; e < job->rows.offsets[u + 1]; e++) {
            uint32_t v = job->rows.targets[e];
            if (may_meet(job, meets, v) && !(twice && v < u && !job->settled[v]))
                link_nodes(job, u, v);
        }
    }
}

/* The most frequent root of each cell among some of its slots. A wrong guess costs time, not truth.
 */
static dgm_status find_giants(dgm_context *ctx, component_job *job) {
    const dgmi_pullback *pullback = job->pullback;
    dgmi_mark mark = dgmi_arena_mark(ctx);
    uint32_t *votes = dgmi_scratch_zero(ctx, pullback->slots, sizeof *votes);
    if (!votes)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < pullback->cells; c++) {
        uint32_t begin = pullback->cell_start[c], end = pullback->cell_start[c + 1], most = 0;
        uint32_t step = (end - begin) / VOTES_A_CELL + 1;
        for (uint32_t i = begin; i < end; i += step) {
            uint32_t root = dgmi_union_find(job->parent, pullback->by_cell[i]);
            if (++votes[root] > most) {
                most = votes[root];
                job->giant[c] = root;
            }
        }
    }
    dgmi_arena_release(ctx, mark);
    return DGM_OK;
}

static void mark_meeting(component_job *job, int64_t a, int64_t b) {
    uint32_t one, other;
    const uint32_t *x, *y;
    int64_t x_count = dgmi_class_list(&job->classes, (uint32_t)a, &one, &x);
    int64_t y_count = dgmi_class_list(&job->classes, (uint32_t)b, &other, &y);
    for (int64_t i = 0, j = 0; i < x_count && j < y_count;) {
        if (x[i] == y[j]) {
            job->meets[a * job->words + b / 64] |= UINT64_C(1) << (b % 64);
            job->meets[b * job->words + a / 64] |= UINT64_C(1) << (a % 64);
            return;
        }
        if (x[i] < y[j])
            i++;
        else
            j++;
    }
}

/* Classes of nodes by their cells and, if they are few, the table of which have a cell in common.
 */
static dgm_status make_classes(dgm_context *ctx, component_job *job) {
    const dgmi_pullback *pullback = job->pullback;
    dgm_status status =
        dgmi_classes_make(ctx, pullback, pullback->cell, pullback->cells, &job->classes);
    int64_t count = job->classes.count;
    if (status != DGM_OK || count > MOST_CLASSES)
        return status;
    job->words = count / 64 + 1; /* room for the class of no cell, which meets none */
    job->meets = dgmi_scratch_zero(ctx, count * job->words, sizeof *job->meets);
    if (!job->meets)
        return DGM_ERROR_MEMORY;
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = a; b < count; b++)
            mark_meeting(job, a, b);
    return DGM_OK;
}

/* label[s] = smallest slot of its component. */
static dgm_status find_components(dgm_context *ctx, dgm_graph_rows rows,
                                  const dgmi_pullback *pullback, uint32_t *label) {
    component_job job = {.rows = rows, .pullback = pullback, .parent = label};
    int64_t chunks = dgmi_chunks(rows.nodes, GRAIN);
    job.giant = dgmi_scratch(ctx, pullback->cells, sizeof *job.giant);
    job.settled = dgmi_scratch(ctx, rows.nodes, sizeof *job.settled);
    if (!job.giant || !job.settled)
        return DGM_ERROR_MEMORY;
    dgm_status status = make_classes(ctx, &job);
    if (status != DGM_OK)
        return status;
    for (int64_t s = 0; s < pullback->slots; s++)
        label[s] = (uint32_t)s;
    dgmi_parallel(ctx, chunks, link_first, &job);
    status = find_giants(ctx, &job);
    if (status == DGM_OK)
        status = dgmi_progress(ctx, "finding clusters", 0.5);
    if (status == DGM_OK) {
        dgmi_parallel(ctx, chunks, settle, &job);
        dgmi_parallel(ctx, chunks, link_rest, &job);
    }
    /* Parents are smaller than children, so one ascending pass flattens. */
    for (int64_t s = 0; status == DGM_OK && s < pullback->slots; s++)
        label[s] = label[label[s]];
    return status;
}

static void whole_preimages(const dgmi_pullback *pullback, uint32_t *label) {
    for (int64_t c = 0; c < pullback->cells; c++)
        for (uint32_t i = pullback->cell_start[c]; i < pullback->cell_start[c + 1]; i++)
            label[pullback->by_cell[i]] = pullback->by_cell[pullback->cell_start[c]];
}

/* Numbers clusters by cell and then by smallest member, which is where a label points to itself. */
static dgm_status number_clusters(dgm_context *ctx, const dgmi_pullback *pullback, uint32_t *label,
                                  dgmi_clusters *clusters) {
    for (int64_t s = 0; s < pullback->slots; s++)
        clusters->count += label[s] == s;
    clusters->cell = dgmi_scratch(ctx, clusters->count, sizeof *clusters->cell);
    clusters->size = dgmi_scratch_zero(ctx, clusters->count, sizeof *clusters->size);
    if (!clusters->cell || !clusters->size)
        return DGM_ERROR_MEMORY;
    uint32_t number = 0;
    for (int64_t i = 0; i < pullback->slots; i++) {
        uint32_t slot = pullback->by_cell[i], root = label[slot];
        if (root == slot) {
            clusters->cell[number] = pullback->cell[slot];
            label[slot] = number++;
        } else {
            label[slot] = label[root]; /* the root came first and is numbered */
        }
        clusters->size[label[slot]]++;
    }
    clusters->of_slot = label;
    return DGM_OK;
}

dgm_status dgmi_clusters_make(dgm_context *ctx, dgm_graph_rows rows, const dgmi_pullback *pullback,
                              const dgm_mapper_options *options, dgmi_clusters *clusters) {
    *clusters = (dgmi_clusters){0};
    uint32_t *label = dgmi_scratch(ctx, pullback->slots, sizeof *label);
    if (!label)
        return DGM_ERROR_MEMORY;
    dgm_status status = DGM_OK;
    if (options->cluster == DGM_CLUSTER_COMPONENTS)
        status = find_components(ctx, rows, pullback, label);
    else if (options->cluster == DGM_CLUSTER_NONE)
        whole_preimages(pullback, label);
    else
        status = dgmi_communities(ctx, rows, pullback, options, label);
    return status == DGM_OK ? number_clusters(ctx, pullback, label, clusters) : status;
}
