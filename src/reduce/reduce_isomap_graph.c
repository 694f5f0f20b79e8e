/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the graph of Isomap: two points are joined, with their distance, if one is a neighbour of
 * the other. If the graph is not connected, the two nearest points of each pair of components are
 * joined as well, so that there is a path between any two points.
 */
#include "reduce_isomap.h"

#include <assert.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_union.h"

typedef struct {
    uint32_t a, b;
    float length;
} isomap_link;

typedef struct {
    dgm_context *ctx;
    const float *points;
    int64_t rows, columns;
    int metric;
    int64_t count;       /* of components */
    int64_t *starts;     /* count + 1 */
    uint32_t *members;   /* points by component, ascending */
    float *sorted;       /* their coordinates, in this order */
    int64_t links_count; /* count (count - 1) / 2 */
    isomap_link *links;  /* nearest pairs */
} join_job;

/* ---- components ---- */

/* Of each point: its component, numbered by their first points. */
static dgm_status label_components(join_job *job, const dgm_neighbours *neighbours,
                                   uint32_t *component) {
    int64_t n = job->rows, k = dgm_neighbours_k(neighbours);
    const uint32_t *indices = dgm_neighbours_indices(neighbours);
    uint32_t *parent = dgmi_scratch(job->ctx, n, sizeof *parent);
    if (!parent)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < n; i++)
        parent[i] = (uint32_t)i;
    for (int64_t i = 0; i < n * k; i++)
        dgmi_graph_union_link(parent, (uint32_t)(i / k), indices[i]);
    job->count = 0;
    for (int64_t i = 0; i < n; i++) { /* a root comes before all others of its set */
        uint32_t root = dgmi_graph_union_find(parent, (uint32_t)i);
        component[i] = root == i ? (uint32_t)job->count++ : component[root];
    }
    return DGM_OK;
}

/* Points of a component behind each other, so that pairs of components can be searched. */
static dgm_status gather_components(join_job *job, const uint32_t *component) {
    int64_t n = job->rows, columns = job->columns;
    job->starts = dgmi_scratch_zero(job->ctx, job->count + 2, sizeof *job->starts);
    job->members = dgmi_scratch(job->ctx, n, sizeof *job->members);
    job->sorted = dgmi_scratch(job->ctx, n * columns, sizeof *job->sorted);
    job->links_count = job->count * (job->count - 1) / 2;
    job->links = dgmi_scratch(job->ctx, job->links_count, sizeof *job->links);
    if (!job->starts || !job->members || !job->sorted || !job->links)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < n; i++)
        job->starts[component[i] + 2]++;
    for (int64_t c = 2; c <= job->count; c++)
        job->starts[c] += job->starts[c - 1];
    for (int64_t i = 0; i < n; i++) {
        int64_t place = job->starts[component[i] + 1]++;
        job->members[place] = (uint32_t)i;
        memcpy(job->sorted + place * columns, job->points + i * columns,
               (size_t)columns * sizeof *job->sorted);
    }
    return DGM_OK;
}

/* ---- joining them ---- */

static dgm_status join_pair(join_job *job, int64_t a, int64_t b, isomap_link *out) {
    const dgm_knn_options options = {.size = sizeof(dgm_knn_options),
                                     .k = 1,
                                     .metric = job->metric,
                                     .method = DGM_KNN_EXACT,
                                     .budget = 1,
                                     .recall = 1};
    int64_t a_size = job->starts[a + 1] - job->starts[a];
    int64_t b_size = job->starts[b + 1] - job->starts[b], best = 0;
    assert(a < b && a_size > 0 && b_size > 0);
    dgm_neighbours *nearest;
    dgm_status status = dgm_knn_query(job->ctx, job->sorted + job->starts[a] * job->columns, a_size,
                                      job->sorted + job->starts[b] * job->columns, b_size,
                                      job->columns, &options, &nearest);
    if (status != DGM_OK)
        return status;
    const float *distances = dgm_neighbours_distances(nearest);
    for (int64_t i = 1; i < b_size; i++)
        best = distances[i] < distances[best] ? i : best;
    out->a = job->members[job->starts[a] + dgm_neighbours_indices(nearest)[best]];
    out->b = job->members[job->starts[b] + best];
    out->length = distances[best];
    dgm_neighbours_free(nearest);
    return DGM_OK;
}

static dgm_status join_all(join_job *job) {
    dgm_status status = DGM_OK;
    int64_t link = 0;
    for (int64_t b = 1; status == DGM_OK && b < job->count; b++) {
        for (int64_t a = 0; status == DGM_OK && a < b; a++)
            status = join_pair(job, a, b, &job->links[link++]);
        if (status == DGM_OK)
            status = dgmi_progress(job->ctx, "joining components",
                                   (double)link / (double)job->links_count);
    }
    return status;
}

/* ---- rows ---- */

static void add_edge(dgmi_reduce_isomap_graph *graph, uint32_t a, uint32_t b, float length) {
    assert(a < graph->rows && b < graph->rows && length >= 0);
    int64_t at = graph->offsets[a + 1]++, back = graph->offsets[b + 1]++;
    graph->targets[at] = b;
    graph->targets[back] = a;
    graph->lengths[at] = graph->lengths[back] = length;
}

/* Two points that are each other's neighbours are joined twice, which no path minds. */
static dgm_status fill_rows(const join_job *job, const dgm_neighbours *neighbours,
                            dgmi_reduce_isomap_graph *out) {
    int64_t n = job->rows, k = dgm_neighbours_k(neighbours);
    const uint32_t *indices = dgm_neighbours_indices(neighbours);
    if (!out->targets || !out->lengths || !out->offsets)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < n * k; i++) {
        out->offsets[i / k + 2]++;
        out->offsets[indices[i] + 2]++;
    }
    for (int64_t i = 0; i < job->links_count; i++) {
        out->offsets[job->links[i].a + 2]++;
        out->offsets[job->links[i].b + 2]++;
    }
    for (int64_t i = 2; i <= n; i++)
        out->offsets[i] += out->offsets[i - 1];
    for (int64_t i = 0; i < n * k; i++)
        add_edge(out, (uint32_t)(i / k), indices[i], dgm_neighbours_distances(neighbours)[i]);
    for (int64_t i = 0; i < job->links_count; i++)
        add_edge(out, job->links[i].a, job->links[i].b, job->links[i].length);
    return DGM_OK;
}

dgm_status dgmi_reduce_isomap_graph_make(dgm_context *ctx, const float *points, int64_t columns,
                                         int metric, const dgm_neighbours *neighbours,
                                         dgmi_reduce_isomap_graph *out) {
    int64_t n = dgm_neighbours_rows(neighbours);
    join_job job = {.ctx = ctx, .points = points, .rows = n, .columns = columns, .metric = metric};
    uint32_t *component = dgmi_scratch(ctx, n, sizeof *component);
    dgm_status status =
        component ? label_components(&job, neighbours, component) : DGM_ERROR_MEMORY;
    if (status == DGM_OK && job.count > 1)
        status = gather_components(&job, component);
    if (status == DGM_OK && job.count > 1)
        status = join_all(&job);
    if (status != DGM_OK)
        return status;
    int64_t arcs = 2 * (n * dgm_neighbours_k(neighbours) + job.links_count);
    *out =
        (dgmi_reduce_isomap_graph){.rows = n,
                                   .offsets = dgmi_scratch_zero(ctx, n + 2, sizeof *out->offsets),
                                   .targets = dgmi_scratch(ctx, arcs, sizeof *out->targets),
                                   .lengths = dgmi_scratch(ctx, arcs, sizeof *out->lengths),
                                   .components = job.count};
    return fill_rows(&job, neighbours, out);
}
