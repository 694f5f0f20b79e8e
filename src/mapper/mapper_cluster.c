/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters: every preimage split into connected components of the graph it induces (or not at all,
 * or by community).
 *
 * Components of all cells at once, by union-find over memberships: an edge joins the memberships of
 * its ends in every cell they have in common. As in Afforest (Sutton, Ben-Nun, Barak 2018), a few
 * neighbours of every node come first; then nodes whose memberships all lie in the largest
 * component of their cell are skipped, because their edges are met from the other end.
 *
 * What two nodes have in common is asked of their classes (nodes in the same cells), by one look-up
 * in a small table. A node's first membership is numbered as the node itself, so that the usual
 * edge costs two look-ups: the class of its other end, and its parent.
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
    ROWS_ASKED = 1024,   /* rows that tell how dense the cells are */
    DENSE = 8,           /* neighbours in common cells from which skipping pays */
    MOST_CLASSES = 1024, /* for which the table is made */
    PLACES = 15,         /* places in a list of cells that the table can name */
    NOTHING = 0,         /* in the table: no cell in common */
    SEVERAL = 255,       /* in the table: compare the lists */
};

typedef struct {
    dgm_graph_rows rows;
    const dgmi_pullback *pullback;
    dgmi_classes classes; /* of nodes, by their cells */
    uint8_t *common;      /* classes squared: NOTHING, 1 + place * PLACES + other place, SEVERAL */
    uint32_t *parent;     /* by membership */
    uint32_t *giant;      /* by cell: root of its largest component so far */
    bool *settled;        /* by node: all its memberships lie in giants */
} component_job;

/* The membership of node u in the cell at `place` of its list. */
static uint32_t membership(const component_job *job, int64_t u, int64_t place) {
    int64_t extra = job->rows.nodes + job->pullback->offsets[u] + place;
    return (uint32_t)(place ? extra : u);
}

/* What the classes of u and v have in common. */
static int common_of(const component_job *job, uint32_t mine, uint32_t v) {
    uint32_t other = job->classes.of_node[v];
    if (other == job->classes.count)
        return NOTHING;
    return job->common ? job->common[mine * job->classes.count + other] : SEVERAL;
}

static void link_nodes(const component_job *job, int64_t u, int64_t v, int common) {
    if (common != SEVERAL) {
        int64_t place = (common - 1) / PLACES, other = (common - 1) % PLACES;
        dgmi_union_link(job->parent, membership(job, u, place), membership(job, v, other));
        return;
    }
    uint32_t one, another;
    const uint32_t *x, *y;
    int64_t x_count = dgmi_class_list(&job->classes, job->classes.of_node[u], &one, &x);
    int64_t y_count = dgmi_class_list(&job->classes, job->classes.of_node[v], &another, &y);
    for (int64_t i = 0, j = 0; i < x_count && j < y_count;) {
        bool step_x = x[i] <= y[j], step_y = y[j] <= x[i];
        if (step_x && step_y)
            dgmi_union_link(job->parent, membership(job, u, i), membership(job, v, j));
        i += step_x;
        j += step_y;
    }
}

static void link_first(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const component_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        uint32_t mine = job->classes.of_node[u];
        if (mine == job->classes.count)
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
    const dgmi_pullback *pullback = job->pullback;
    dgmi_mark mark = dgmi_arena_mark(ctx);
    uint32_t *votes = dgmi_scratch_zero(ctx, pullback->nodes + pullback->slots, sizeof *votes);
    uint32_t *most = dgmi_scratch_zero(ctx, pullback->cells, sizeof *most);
    if (!votes || !most)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < pullback->nodes; u++)
        for (uint32_t s = pullback->offsets[u]; s < pullback->offsets[u + 1]; s++) {
            uint32_t cell = pullback->cell[s];
            uint32_t root =
                dgmi_union_find(job->parent, membership(job, u, s - pullback->offsets[u]));
            if (++votes[root] > most[cell]) {
                most[cell] = votes[root];
                job->giant[cell] = root;
            }
        }
    dgmi_arena_release(ctx, mark);
    return DGM_OK;
}

static bool in_giants(const component_job *job, int64_t u) {
    const dgmi_pullback *pullback = job->pullback;
    uint32_t first = pullback->offsets[u];
    for (uint32_t s = first; s < pullback->offsets[u + 1]; s++)
        if (dgmi_union_find(job->parent, membership(job, u, s - first)) !=
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
        uint32_t mine = job->classes.of_node[u];
        if (mine == job->classes.count || job->settled[u])
            continue;
        for (int64_t e = job->rows.offsets[u]; e < job->rows.offsets[u + 1]; e++) {
            uint32_t v = job->rows.targets[e];
            int common = common_of(job, mine, v);
            if (common != NOTHING && !(twice && v < u && !job->settled[v]))
                link_nodes(job, u, v, common);
        }
    }
}

/* Every edge once: where cells are sparse, looking for giants costs more than it saves. */
static void link_all(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const component_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        uint32_t mine = job->classes.of_node[u];
        if (mine == job->classes.count)
            continue;
        for (int64_t e = job->rows.offsets[u + 1] - 1; e >= job->rows.offsets[u]; e--) {
            uint32_t v = job->rows.targets[e];
            if (v <= u && !job->rows.directed)
                break; /* rows are sorted */
            int common = common_of(job, mine, v);
            if (common != NOTHING)
                link_nodes(job, u, v, common);
        }
    }
}

/* Whether nodes have many neighbours in their cells, by some rows spread over the graph. */
static bool cells_are_dense(const component_job *job) {
    int64_t step = job->rows.nodes / ROWS_ASKED + 1, asked = 0, shared = 0;
    for (int64_t u = 0; u < job->rows.nodes; u += step) {
        uint32_t mine = job->classes.of_node[u];
        asked += mine != job->classes.count;
        for (int64_t e = job->rows.offsets[u];
             mine != job->classes.count && e < job->rows.offsets[u + 1]; e++)
            shared += common_of(job, mine, job->rows.targets[e]) != NOTHING;
    }
    return shared >= DENSE * asked;
}

/* ---- what classes have in common ---- */

/* A class that holds a cell, and at which place of its list. */
typedef struct {
    uint32_t id, place;
} holder;

static void note_common(component_job *job, const holder *a, const holder *b) {
    uint8_t *entry = &job->common[a->id * job->classes.count + b->id];
    bool named = *entry == NOTHING && a->place < PLACES && b->place < PLACES;
    *entry = (uint8_t)(named ? 1 + a->place * PLACES + b->place : SEVERAL);
}

/* Fills the table cell by cell: every two classes that hold the cell have it in common. */
static dgm_status compare_classes(dgm_context *ctx, component_job *job) {
    const dgmi_classes *classes = &job->classes;
    int64_t count = classes->count, cells = classes->clusters;
    int64_t *start = dgmi_scratch_zero(ctx, cells + 2, sizeof *start);
    holder *holders =
        dgmi_scratch(ctx, cells + classes->list_start[count - cells], sizeof *holders);
    job->common = dgmi_scratch_zero(ctx, count * count, sizeof *job->common);
    if (!start || !holders || !job->common)
        return DGM_ERROR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t id = 0; id < count; id++) {
            uint32_t one;
            const uint32_t *list;
            int64_t length = dgmi_class_list(classes, (uint32_t)id, &one, &list);
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

/* ---- the components ---- */

/* label[s] = smallest slot of its component. */
static dgm_status label_slots(dgm_context *ctx, component_job *job, uint32_t *label) {
    const dgmi_pullback *pullback = job->pullback;
    int64_t memberships = pullback->nodes + pullback->slots;
    uint32_t *smallest = dgmi_scratch(ctx, memberships, sizeof *smallest);
    if (!smallest)
        return DGM_ERROR_MEMORY;
    memset(smallest, 0xFF, (size_t)memberships * sizeof *smallest);
    for (int64_t u = 0; u < pullback->nodes; u++)
        for (uint32_t s = pullback->offsets[u]; s < pullback->offsets[u + 1]; s++) {
            uint32_t root =
                dgmi_union_find(job->parent, membership(job, u, s - pullback->offsets[u]));
            if (smallest[root] == DGMI_NO_CLUSTER)
                smallest[root] = s;
            label[s] = smallest[root];
        }
    return DGM_OK;
}

static dgm_status link_components(dgm_context *ctx, component_job *job) {
    const dgmi_pullback *pullback = job->pullback;
    int64_t chunks = dgmi_chunks(job->rows.nodes, GRAIN);
    int64_t memberships = pullback->nodes + pullback->slots;
    dgm_status status =
        dgmi_classes_make(ctx, pullback, pullback->cell, pullback->cells, &job->classes);
    if (status == DGM_OK && job->classes.count <= MOST_CLASSES)
        status = compare_classes(ctx, job);
    if (status != DGM_OK)
        return status;
    for (int64_t m = 0; m < memberships; m++)
        job->parent[m] = (uint32_t)m;
    if (!cells_are_dense(job)) {
        dgmi_parallel(ctx, chunks, link_all, job);
        return DGM_OK;
    }
    dgmi_parallel(ctx, chunks, link_first, job);
    status = find_giants(ctx, job);
    if (status == DGM_OK)
        status = dgmi_progress(ctx, "finding clusters", 0.5);
    if (status != DGM_OK)
        return status;
    dgmi_parallel(ctx, chunks, settle, job);
    dgmi_parallel(ctx, chunks, link_rest, job);
    return DGM_OK;
}

static dgm_status find_components(dgm_context *ctx, dgm_graph_rows rows,
                                  const dgmi_pullback *pullback, uint32_t *label) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    int64_t memberships = pullback->nodes + pullback->slots;
    component_job job = {.rows = rows, .pullback = pullback};
    dgm_status status = DGM_ERROR_MEMORY;
    if (memberships > UINT32_MAX)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "this cover puts the nodes into over %lld cells in all; lower --overlap",
                         (long long)UINT32_MAX - (long long)pullback->nodes);
    job.parent = dgmi_scratch(ctx, memberships, sizeof *job.parent);
    job.giant = dgmi_scratch_zero(ctx, pullback->cells, sizeof *job.giant);
    job.settled = dgmi_scratch(ctx, rows.nodes, sizeof *job.settled);
    if (job.parent && job.giant && job.settled)
        status = link_components(ctx, &job);
    if (status == DGM_OK)
        status = label_slots(ctx, &job, label);
    dgmi_arena_release(ctx, mark);
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
