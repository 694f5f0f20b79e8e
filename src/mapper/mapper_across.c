/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the pieces of a component of the graph that the cells have cut: DGM_PIECES_JOINED.
 *
 * A cover cuts the values of the lens, and Mapper looks at the nodes in its cells. An edge whose ends
 * differ by more than cells overlap lies in no cell, and the nerve does not see it. Where many ways
 * lead round this is no harm. In a tree none does, and each such edge cuts the summary in two.
 *
 * Here one end of such an edge is taken into a cell of the other end, where they form a cluster
 * together with what was there, so that the clusters on both sides share a node. As in Kruskal's
 * algorithm an edge is used only if its ends are not in one piece yet, and edges are taken in the
 * order of their nodes: c components in p pieces take at most p - c nodes across. In a tree, where
 * clusters are connected, no loop can come of it.
 *
 * The end in the smaller piece moves, into the cell where the other end has the most neighbours. But
 * if the other end would join many pieces at once in the cell of the first, and meet nothing
 * there that it is joined with already, it moves instead: the centre of a star goes to its leaves.
 *
 * Pieces are those of the cells: nodes that are joined by edges inside cells. These are the pieces
 * of the nerve if clusters are connected components. Nodes in no cell stay there. Time O(edges)
 * times the cells of a node.
 */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_union.h"
#include "mapper_cover.h"

#define NO_CELL UINT32_MAX
#define NO_MOVE UINT32_MAX
/* How often it is tried to move the other end: each time costs as much as it has neighbours. */
enum { TRIES = 64 };

/* A node that is taken into a cell. Those of one node form a chain. */
typedef struct {
    uint32_t node, cell;
    uint32_t older;
} move;

typedef struct {
    dgm_context *ctx;
    dgm_graph_rows rows;
    const dgmi_mapper_pullback *pullback;
    uint32_t *parent; /* the pieces, as sets of nodes */
    uint32_t *size;   /* the number of nodes of each piece, at its root */
    uint32_t *home;   /* the cell of each node that others are taken into; NO_CELL: not known yet */
    uint32_t *last;   /* the newest move of each node; NO_MOVE: there is none */
    uint8_t *tried;   /* how often each node was tried as the other end */
    move *moves;
    int64_t count, capacity;
} across_job;

/* ---- cells of nodes ---- */

static bool was_in(const across_job *job, uint32_t node, uint32_t cell) {
    const dgmi_mapper_pullback *pullback = job->pullback;
    for (int64_t s = pullback->offsets[node]; s < pullback->offsets[node + 1]; s++)
        if (pullback->cell[s] == cell)
            return true;
    return false;
}

static bool is_in(const across_job *job, uint32_t node, uint32_t cell) {
    for (uint32_t m = job->last[node]; m != NO_MOVE; m = job->moves[m].older) {
        assert(job->moves);
        if (job->moves[m].cell == cell)
            return true;
    }
    return was_in(job, node, cell);
}

static bool share_cell(const across_job *job, uint32_t u, uint32_t v) {
    const dgmi_mapper_pullback *pullback = job->pullback;
    for (int64_t s = pullback->offsets[u]; s < pullback->offsets[u + 1]; s++)
        if (is_in(job, v, pullback->cell[s]))
            return true;
    for (uint32_t m = job->last[u]; m != NO_MOVE; m = job->moves[m].older) {
        assert(job->moves);
        if (is_in(job, v, job->moves[m].cell))
            return true;
    }
    return false;
}

static bool has_cell(const across_job *job, uint32_t node) {
    return job->pullback->offsets[node] < job->pullback->offsets[node + 1];
}

/* The cell of a node that has the most of its neighbours; the first of equals. */
static uint32_t find_home(const across_job *job, uint32_t node) {
    const dgmi_mapper_pullback *pullback = job->pullback;
    uint32_t home = NO_CELL;
    int64_t most = -1;
    for (int64_t s = pullback->offsets[node]; s < pullback->offsets[node + 1]; s++) {
        int64_t here = 0;
        for (int64_t e = job->rows.offsets[node]; e < job->rows.offsets[node + 1]; e++)
            here += was_in(job, job->rows.targets[e], pullback->cell[s]);
        if (here > most) {
            most = here;
            home = pullback->cell[s];
        }
    }
    return home;
}

/* ---- pieces ---- */

static void link_nodes(const across_job *job, uint32_t u, uint32_t v) {
    uint32_t a = dgmi_graph_union_find(job->parent, u), b = dgmi_graph_union_find(job->parent, v);
    if (a == b)
        return;
    job->size[a < b ? a : b] = job->size[a] + job->size[b];
    dgmi_graph_union_link(job->parent, a, b);
}

static bool are_apart(const across_job *job, uint32_t u, uint32_t v) {
    return dgmi_graph_union_find(job->parent, u) != dgmi_graph_union_find(job->parent, v);
}

static void link_inside_cells(const across_job *job) {
    for (uint32_t u = 0; u < job->rows.nodes; u++)
        for (int64_t e = job->rows.offsets[u]; e < job->rows.offsets[u + 1]; e++)
            if (are_apart(job, u, job->rows.targets[e]) && share_cell(job, u, job->rows.targets[e]))
                link_nodes(job, u, job->rows.targets[e]);
}

static uint32_t home_of(const across_job *job, uint32_t node) {
    if (job->home[node] == NO_CELL)
        job->home[node] = find_home(job, node);
    return job->home[node];
}

static dgm_status take_across(across_job *job, uint32_t node, uint32_t host) {
    dgm_status status =
        dgmi_reserve(job->ctx, (void **)&job->moves, &job->capacity, job->count + 1, sizeof(move));
    if (status != DGM_OK)
        return status;
    job->moves[job->count] = (move){node, home_of(job, host), job->last[node]};
    job->last[node] = (uint32_t)job->count++;
    link_nodes(job, node, host);
    return DGM_OK;
}

/* Whether a node has neighbours enough in a cell for a cluster that is no dust, none of them in its
 * own piece. */
static bool joins_many(const across_job *job, uint32_t node, uint32_t cell) {
    int64_t there = 0;
    if (job->tried[node] == TRIES)
        return false;
    job->tried[node]++;
    for (int64_t e = job->rows.offsets[node]; e < job->rows.offsets[node + 1]; e++)
        if (is_in(job, job->rows.targets[e], cell)) {
            if (!are_apart(job, node, job->rows.targets[e]))
                return false;
            there++;
        }
    return there >= DGM_DUST_SIZE;
}

static dgm_status join_ends(across_job *job, uint32_t u, uint32_t v) {
    if (!are_apart(job, u, v) || !has_cell(job, u) || !has_cell(job, v))
        return DGM_OK;
    if (share_cell(job, u, v)) { /* since one of them was taken there */
        link_nodes(job, u, v);
        return DGM_OK;
    }
    uint32_t a = dgmi_graph_union_find(job->parent, u), b = dgmi_graph_union_find(job->parent, v);
    uint32_t small = job->size[a] < job->size[b] ? u : v, large = small == u ? v : u;
    if (joins_many(job, large, home_of(job, small)))
        return take_across(job, large, small);
    return take_across(job, small, large);
}

static dgm_status join_pieces(across_job *job) {
    dgm_status status = DGM_OK;
    for (uint32_t u = 0; u < job->rows.nodes && status == DGM_OK; u++)
        for (int64_t e = job->rows.offsets[u]; e < job->rows.offsets[u + 1] && status == DGM_OK;
             e++)
            status = join_ends(job, u, job->rows.targets[e]);
    return status;
}

/* ---- the new slots ---- */

/* The cells of a node ascend, and so they do with those that it was taken into. */
static void add_cell(uint32_t *cells, int64_t count, uint32_t cell) {
    int64_t i = count;
    for (; i > 0 && cells[i - 1] > cell; i--)
        cells[i] = cells[i - 1];
    cells[i] = cell;
}

static dgm_status write_slots(const across_job *job, dgmi_mapper_pullback *pullback) {
    int64_t slots = pullback->slots + job->count, used = 0;
    uint32_t *offsets = dgmi_scratch(job->ctx, pullback->nodes + 1, sizeof *offsets);
    uint32_t *cell = dgmi_scratch(job->ctx, slots, sizeof *cell);
    uint32_t *node = dgmi_scratch(job->ctx, slots, sizeof *node);
    uint32_t *taken = dgmi_scratch(job->ctx, job->count, sizeof *taken);
    if (!offsets || !cell || !node || !taken)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < pullback->nodes; u++) {
        int64_t first = offsets[u] = (uint32_t)used;
        for (int64_t s = pullback->offsets[u]; s < pullback->offsets[u + 1]; s++)
            cell[used++] = pullback->cell[s];
        for (uint32_t m = job->last[u]; m != NO_MOVE; m = job->moves[m].older, used++)
            add_cell(cell + first, used - first, job->moves[m].cell);
        for (int64_t s = first; s < used; s++) {
            node[s] = (uint32_t)u;
            if (!was_in(job, (uint32_t)u, cell[s]))
                taken[pullback->taken_count++] = (uint32_t)s;
        }
    }
    offsets[pullback->nodes] = (uint32_t)used;
    pullback->slots = slots;
    pullback->offsets = offsets;
    pullback->cell = cell;
    pullback->node = node;
    pullback->taken = taken;
    return dgmi_mapper_pullback_group(job->ctx, pullback);
}

static dgm_status open_job(across_job *job) {
    int64_t nodes = job->rows.nodes;
    job->parent = dgmi_scratch(job->ctx, nodes, sizeof *job->parent);
    job->home = dgmi_scratch(job->ctx, nodes, sizeof *job->home);
    job->last = dgmi_scratch(job->ctx, nodes, sizeof *job->last);
    job->size = dgmi_scratch(job->ctx, nodes, sizeof *job->size);
    job->tried = dgmi_scratch_zero(job->ctx, nodes, sizeof *job->tried);
    if (!job->parent || !job->home || !job->last || !job->size || !job->tried)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++) {
        job->parent[u] = (uint32_t)u;
        job->size[u] = 1;
        job->home[u] = NO_CELL;
        job->last[u] = NO_MOVE;
    }
    return DGM_OK;
}

dgm_status dgmi_mapper_across(dgm_context *ctx, dgm_graph_rows rows,
                              dgmi_mapper_pullback *pullback) {
    across_job job = {.ctx = ctx, .rows = rows, .pullback = pullback};
    dgm_status status = open_job(&job);
    if (status == DGM_OK) {
        link_inside_cells(&job);
        status = dgmi_progress(ctx, "joining pieces", 0);
    }
    if (status == DGM_OK)
        status = join_pieces(&job);
    if (status == DGM_OK && pullback->slots + job.count > DGMI_MAPPER_MOST_SLOTS)
        status = dgmi_fail(
            ctx, DGM_ERROR_USAGE,
            "this cover puts the nodes into over %lld cells in all; lower " DGMI_NAMED("overlap"),
            (long long)DGMI_MAPPER_MOST_SLOTS);
    if (status == DGM_OK && job.count > 0)
        status = write_slots(&job, pullback);
    dgmi_free(ctx, job.moves);
    return status;
}
