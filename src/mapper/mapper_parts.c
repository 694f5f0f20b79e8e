/* SPDX-License-Identifier: Apache-2.0 */
/* Cells around the parts of a partition, which overlap where nodes stand between parts:
 * DGM_COVER_PARTS.
 *
 * The lens gives each node the number of its part. Let x_k(v) be the share of the neighbours of v,
 * v itself counted as one of them, that lie in part k. So v is a point of a simplex, as under the
 * soft assignments of Bodnar, Cangea and Lio (2020), proposition 4.2, and cell k is {x_k >= share},
 * together with the nodes for which no share is larger than x_k and none reaches `share`. The
 * shares of a node add up to 1, so a node lies in at most 1 / share cells.
 *
 * Only shares above 0 are looked at: O(n log n + m) in all.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_sort.h"
#include "graph_simple.h"
#include "mapper_cover.h"

enum { GRAIN = 1 << 10 };

/* How often each part was met around a node. All counts are 0 between two nodes. */
typedef struct tally {
    uint32_t *count;
    uint32_t *met; /* the parts that were met */
    int64_t size;
} tally;

typedef struct shares {
    dgmi_graph_simple_rows rows; /* a neighbour is one, whichever way edges lead */
    const uint32_t *part;        /* by node */
    double least;                /* the share that a cell demands */
    tally *tallies;              /* by thread */
    uint32_t *offsets;           /* by node: where its cells are, once they are counted */
    uint32_t *cell;              /* NULL: cells are counted */
} shares;

/* ---- parts ---- */

/* Numbers the different values of the lens in ascending order. */
static dgm_status number_parts(dgm_context *ctx, const double *values, int64_t nodes,
                               uint32_t *part, int64_t *count) {
    uint64_t *keys = dgmi_scratch(ctx, nodes, sizeof *keys);
    uint32_t *order = dgmi_scratch(ctx, nodes, sizeof *order);
    if (!keys || !order)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++) {
        if (values[u] != floor(values[u]))
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the cover of parts needs a lens that gives each node the number of "
                             "its part; row %lld is %.6g, which is no whole number",
                             (long long)u + 1, values[u]);
        keys[u] = dgmi_sort_key(values[u]);
        order[u] = (uint32_t)u;
    }
    dgm_status status = dgmi_sort_pairs(ctx, keys, order, nodes);
    *count = 0;
    for (int64_t i = 0; status == DGM_OK && i < nodes; i++) {
        *count += i == 0 || keys[i] != keys[i - 1];
        part[order[i]] = (uint32_t)*count - 1;
    }
    return status;
}

/* ---- the cells of a node ---- */

static void meet(tally *around, uint32_t part) {
    if (around->count[part]++ == 0)
        around->met[around->size++] = part;
}

/* The part that most neighbours lie in; of equals the node's own, then the first. */
static uint32_t main_part(const tally *around, uint32_t own) {
    uint32_t best = own;
    for (int64_t i = 0; i < around->size; i++) {
        uint32_t part = around->met[i], more = around->count[part], most = around->count[best];
        if (more > most || (more == most && best != own && part < best))
            best = part;
    }
    return best;
}

/* Puts a cell among those of a node, which ascend; `count` are there. */
static void insert(uint32_t *cells, int64_t count, uint32_t cell) {
    for (; count > 0 && cells[count - 1] > cell; count--)
        cells[count] = cells[count - 1];
    cells[count] = cell;
}

/* Returns the number of a node's cells, and writes them to `cells` unless that is NULL. */
static int64_t share_out(const shares *job, int64_t u, tally *around, uint32_t *cells) {
    int64_t all = 0, found = 0;
    meet(around, job->part[u]);
    for (int64_t e = job->rows.offsets[u]; e < job->rows.offsets[u + 1]; e++)
        meet(around, job->part[job->rows.targets[e]]);
    for (int64_t i = 0; i < around->size; i++)
        all += around->count[around->met[i]];
    double least = job->least * (double)all * (1 - 1e-12); /* 0.3 * 10 is 3 */
    uint32_t first = main_part(around, job->part[u]);
    for (int64_t i = 0; i < around->size; i++) {
        uint32_t part = around->met[i];
        if (around->count[part] >= least || part == first) {
            if (cells)
                insert(cells, found, part);
            found++;
        }
    }
    for (int64_t i = 0; i < around->size; i++)
        around->count[around->met[i]] = 0;
    around->size = 0;
    return found;
}

static void share_chunk(void *argument, int64_t chunk, int thread) {
    const shares *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        uint32_t *cells = job->cell ? job->cell + job->offsets[u] : NULL;
        int64_t found = share_out(job, u, &job->tallies[thread], cells);
        if (!cells)
            job->offsets[u + 1] = (uint32_t)found;
    }
}

/* ---- all nodes ---- */

static dgm_status make_tallies(dgm_context *ctx, int64_t parts, shares *job) {
    int threads = dgm_context_threads(ctx);
    job->tallies = dgmi_scratch_zero(ctx, threads, sizeof *job->tallies);
    for (int t = 0; job->tallies && t < threads; t++) {
        job->tallies[t].count = dgmi_scratch_zero(ctx, parts, sizeof(uint32_t));
        job->tallies[t].met = dgmi_scratch(ctx, parts, sizeof(uint32_t));
        if (!job->tallies[t].count || !job->tallies[t].met)
            return DGM_ERROR_MEMORY;
    }
    return job->tallies ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Counts the cells of each node, then lists them. */
static dgm_status list_cells(dgm_context *ctx, int64_t parts, shares *job,
                             dgmi_mapper_cover *cover) {
    int64_t nodes = job->rows.nodes, slots = 0, chunks = dgmi_chunks(nodes, GRAIN);
    dgmi_parallel(ctx, chunks, share_chunk, job);
    for (int64_t u = 0; u < nodes; u++) {
        slots += job->offsets[u + 1];
        if (slots > DGMI_MAPPER_MOST_SLOTS)
            return dgmi_mapper_fail_slots(ctx, cover);
        job->offsets[u + 1] = (uint32_t)slots;
    }
    job->cell = dgmi_scratch(ctx, slots, sizeof *job->cell);
    if (!job->cell)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(ctx, chunks, share_chunk, job);
    cover->lists = (dgmi_mapper_lists){parts, job->offsets, job->cell};
    return DGM_OK;
}

dgm_status dgmi_mapper_parts_make(dgm_context *ctx, const dgm_graph *graph, const dgm_matrix *lens,
                                  const dgm_mapper_options *options, dgmi_mapper_cover *cover) {
    int64_t nodes = dgm_matrix_rows(lens), parts;
    *cover = (dgmi_mapper_cover){.kind = DGM_COVER_PARTS,
                                 .nodes = nodes,
                                 .axes = 1,
                                 .columns = dgm_matrix_columns(lens),
                                 .values = dgm_matrix_values(lens)};
    if (cover->columns != 1)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "the cover of parts needs a lens of one axis, the number of each node's "
                         "part, and this lens has %lld",
                         (long long)cover->columns);
    shares job = {.least = options->share};
    uint32_t *part = dgmi_scratch(ctx, nodes, sizeof *part);
    job.offsets = dgmi_scratch_zero(ctx, nodes + 1, sizeof *job.offsets);
    if (!part || !job.offsets)
        return DGM_ERROR_MEMORY;
    job.part = part;
    dgm_status status = number_parts(ctx, cover->values, nodes, part, &parts);
    if (status == DGM_OK)
        status = dgmi_graph_simple_make(ctx, graph, &job.rows);
    if (status == DGM_OK)
        status = make_tallies(ctx, parts, &job);
    return status == DGM_OK ? list_cells(ctx, parts, &job, cover) : status;
}
