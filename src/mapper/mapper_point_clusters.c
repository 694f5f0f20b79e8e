/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters of the points in a cell, by their distances and not by edges of the graph:
 * DGM_CLUSTER_SINGLE and DGM_CLUSTER_DBSCAN.
 *
 * SINGLE builds the minimum spanning tree of the points of a cell (Prim's algorithm), whose edges
 * have the lengths at which single linkage merges clusters. The lengths from 0 to the longest are
 * counted in equal bins. Edges behind the first empty bin that has a shorter edge before it are
 * dropped, and what still hangs together is a cluster (Singh, Memoli and Carlsson, Topological
 * Methods for the Analysis of High Dimensional Data Sets, 2007, section 3.1).
 *
 * DBSCAN calls a point a core if at least `min_points` points of the cell, itself among them, lie
 * within `reach`. Cores within reach of each other are in one cluster. Any other point belongs to
 * its nearest core within reach, of equals the first, or is noise and alone (Ester, Kriegel, Sander
 * and Xu, A Density-Based Algorithm for Discovering Clusters, 1996).
 *
 * Time O(m^2) distances for a cell of m points; cells are worked on at the same time.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_need.h"
#include "base_parallel.h"
#include "graph_union.h"
#include "mapper_points.h"
#include "mapper_stages.h"

#define MOST_WORK 0x1p37 /* differences of entries, which take a minute or two on one core */

/* What a thread needs for a cell; arrays are as long as the largest cell. */
typedef struct {
    double *nearest;  /* SINGLE: the distance of a point from the tree; DBSCAN: from a core */
    uint32_t *joined; /* the point of the tree, or the core, that is nearest */
    uint32_t *parent; /* clusters as they are joined; numbers inside the cell */
    uint32_t *order;  /* SINGLE: the points that are not in the tree yet; DBSCAN: neighbours */
    bool *filled;     /* SINGLE: bins of the histogram that hold a length */
} space;

typedef struct {
    dgm_context *ctx;
    const dgmi_mapper_pullback *pullback;
    const dgm_mapper_options *options;
    dgmi_mapper_points points;
    double square; /* DBSCAN: that of the reach */
    space *of_thread;
    uint32_t *label;
} point_job;

/* The points of a cell. */
typedef struct {
    const point_job *job;
    const uint32_t *slots;
    int64_t count;
} cell_points;

static double square_of(const cell_points *cell, int64_t a, int64_t b) {
    const uint32_t *node = cell->job->pullback->node;
    return dgmi_mapper_points_square(&cell->job->points, node[cell->slots[a]],
                                     node[cell->slots[b]]);
}

/* ---- single linkage ---- */

/* Brings the points outside the tree nearer to it by its newest point, and returns the place of the
 * nearest of them in `order`; of equals the first. */
static int64_t find_next(const cell_points *cell, space *own, int64_t newest, int64_t left) {
    int64_t best = 0;
    for (int64_t i = 0; i < left; i++) {
        uint32_t point = own->order[i];
        double square = square_of(cell, newest, point);
        if (square < own->nearest[point]) {
            own->nearest[point] = square;
            own->joined[point] = (uint32_t)newest;
        }
        uint32_t first = own->order[best];
        if (own->nearest[point] < own->nearest[first] ||
            (own->nearest[point] == own->nearest[first] && point < first))
            best = i;
    }
    return best;
}

/* Makes the tree: each point but 0 has the point that it hangs on and the square of its edge. */
static void span_points(const cell_points *cell, space *own) {
    int64_t left = cell->count - 1, newest = 0;
    for (int64_t i = 0; i < left; i++)
        own->order[i] = (uint32_t)i + 1;
    for (int64_t i = 0; i < cell->count; i++)
        own->nearest[i] = INFINITY;
    while (left > 0 && !dgmi_cancelled(cell->job->ctx)) {
        int64_t best = find_next(cell, own, newest, left);
        newest = own->order[best];
        own->order[best] = own->order[--left];
    }
}

static int64_t bin_of(double length, double longest, int64_t bins) {
    int64_t bin = (int64_t)(length / longest * (double)bins);
    return bin < bins ? bin : bins - 1;
}

/* The first empty bin behind one that is not; `bins` if there is none. */
static int64_t find_gap(const bool *filled, int64_t bins) {
    int64_t bin = 0;
    while (bin < bins && !filled[bin])
        bin++;
    while (bin < bins && filled[bin])
        bin++;
    return bin;
}

static void link_single(const cell_points *cell, space *own) {
    int64_t bins = cell->job->options->gap_bins;
    double longest = 0;
    span_points(cell, own);
    for (int64_t i = 1; i < cell->count; i++) {
        own->nearest[i] = dgmi_mapper_points_distance_of(&cell->job->points, own->nearest[i]);
        longest = own->nearest[i] > longest ? own->nearest[i] : longest;
    }
    for (int64_t bin = 0; bin < bins; bin++)
        own->filled[bin] = false;
    for (int64_t i = 1; longest > 0 && i < cell->count; i++)
        own->filled[bin_of(own->nearest[i], longest, bins)] = true;
    int64_t gap = find_gap(own->filled, bins);
    for (int64_t i = 1; i < cell->count; i++)
        if (longest == 0 || bin_of(own->nearest[i], longest, bins) < gap)
            dgmi_graph_union_link(own->parent, (uint32_t)i, own->joined[i]);
}

/* ---- DBSCAN ---- */

/* Whether a point is a core; its neighbours go to `order`. */
static bool find_neighbours(const cell_points *cell, space *own, int64_t point, int64_t *count) {
    *count = 0;
    for (int64_t i = 0; i < cell->count; i++)
        if (square_of(cell, point, i) <= cell->job->square)
            own->order[(*count)++] = (uint32_t)i;
    return *count >= cell->job->options->min_points;
}

/* A core offers itself to its neighbours. What is a core itself is linked when its own turn comes,
 * and until then remembers the nearest core like any other point. */
static void link_dense(const cell_points *cell, space *own) {
    bool *is_core = own->filled;
    int64_t count;
    for (int64_t i = 0; i < cell->count; i++)
        own->nearest[i] = INFINITY;
    for (int64_t i = 0; i < cell->count && !dgmi_cancelled(cell->job->ctx); i++) {
        is_core[i] = find_neighbours(cell, own, i, &count);
        for (int64_t k = 0; is_core[i] && k < count; k++) {
            uint32_t near = own->order[k];
            double square = square_of(cell, i, near);
            if (near < i && is_core[near])
                dgmi_graph_union_link(own->parent, (uint32_t)i, near);
            if (square < own->nearest[near]) {
                own->nearest[near] = square;
                own->joined[near] = (uint32_t)i;
            }
        }
    }
    for (int64_t i = 0; i < cell->count && !dgmi_cancelled(cell->job->ctx); i++)
        if (!is_core[i] && own->nearest[i] < INFINITY)
            dgmi_graph_union_link(own->parent, (uint32_t)i, own->joined[i]);
}

/* ---- all cells ---- */

static void cluster_cell(void *argument, int64_t number, int thread) {
    const point_job *job = argument;
    const uint32_t *start = job->pullback->cell_start;
    space *own = &job->of_thread[thread];
    cell_points cell = {job, job->pullback->by_cell + start[number],
                        (int64_t)start[number + 1] - start[number]};
    for (int64_t i = 0; i < cell.count; i++)
        own->parent[i] = (uint32_t)i;
    if (job->options->cluster == DGM_CLUSTER_SINGLE)
        link_single(&cell, own);
    else
        link_dense(&cell, own);
    for (int64_t i = 0; i < cell.count; i++)
        job->label[cell.slots[i]] = cell.slots[dgmi_graph_union_find(own->parent, (uint32_t)i)];
}

static dgm_status open_space(point_job *job, int64_t largest) {
    dgm_context *ctx = job->ctx;
    int threads = dgm_context_threads(ctx);
    int64_t bins = job->options->gap_bins;
    job->of_thread = dgmi_scratch_zero(ctx, threads, sizeof *job->of_thread);
    for (int t = 0; job->of_thread && t < threads; t++) {
        space *own = &job->of_thread[t];
        own->nearest = dgmi_scratch(ctx, largest, sizeof *own->nearest);
        own->joined = dgmi_scratch_zero(ctx, largest, sizeof *own->joined);
        own->parent = dgmi_scratch(ctx, largest, sizeof *own->parent);
        own->order = dgmi_scratch(ctx, largest, sizeof *own->order);
        own->filled = dgmi_scratch_zero(ctx, largest > bins ? largest : bins, sizeof *own->filled);
        if (!own->nearest || !own->joined || !own->parent || !own->order || !own->filled)
            return DGM_ERROR_MEMORY;
    }
    return job->of_thread ? DGM_OK : DGM_ERROR_MEMORY;
}

/* The largest cell, if the work of all of them is in bounds. */
static dgm_status check_work(const point_job *job, int64_t *largest) {
    const uint32_t *start = job->pullback->cell_start;
    double work = 0;
    *largest = 0;
    for (int64_t c = 0; c < job->pullback->cells; c++) {
        int64_t count = (int64_t)start[c + 1] - start[c];
        work += (double)count * (double)count * (double)(job->points.columns + 4);
        *largest = count > *largest ? count : *largest;
    }
    if (work <= MOST_WORK)
        return DGM_OK;
    return dgmi_fail(job->ctx, DGM_ERROR_USAGE,
                     "a cell has %lld nodes, and all their distances are too many for " DGMI_NAMED(
                         "cluster=%s") "; use smaller cells, or " DGMI_NAMED("cluster=components"),
                     (long long)*largest,
                     job->options->cluster == DGM_CLUSTER_SINGLE ? "single" : "dbscan");
}

static dgm_status make_points(point_job *job, const dgm_graph *graph, const dgm_matrix *lens) {
    const dgm_mapper_options *options = job->options;
    if (options->space == DGM_SPACE_LENS)
        return dgmi_mapper_points_make(job->ctx, dgm_matrix_values(lens), dgm_matrix_rows(lens),
                                       dgm_matrix_columns(lens), options->metric, &job->points);
    return dgmi_mapper_points_features(job->ctx, graph, options->metric,
                                       "cluster the nodes of a cell by; without of=features their "
                                       "lens is taken",
                                       &job->points);
}

dgm_status dgmi_mapper_point_clusters(dgm_context *ctx, const dgm_graph *graph,
                                      const dgm_matrix *lens, const dgmi_mapper_pullback *pullback,
                                      const dgm_mapper_options *options, uint32_t *label) {
    point_job job = {.ctx = ctx, .pullback = pullback, .options = options, .label = label};
    int64_t largest = 0;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = make_points(&job, graph, lens);
    if (status == DGM_OK)
        status = check_work(&job, &largest);
    if (status == DGM_OK)
        status = open_space(&job, largest);
    job.square = dgmi_mapper_points_square_of(&job.points, options->reach);
    if (status == DGM_OK) {
        dgmi_parallel(ctx, pullback->cells, cluster_cell, &job);
        status = dgmi_progress(ctx, "finding clusters", 0.9);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
