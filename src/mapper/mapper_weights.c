/* SPDX-License-Identifier: Apache-2.0 */
/* How much each node belongs to the clusters that it lies in (dgm_weights).
 *
 * Let d be the distance of a member from the mean of its cluster in the lens, each axis in units of
 * its range. GAUSSIAN: exp(-d^2 / 2 s^2), where s^2 is the mean of d^2 over the members. BUMP:
 * exp(1 - 1 / (1 - d^2 / r^2)), where r^2 is 1.1 times the largest d^2. Both are 1 at the mean and
 * fall smoothly; a bump falls to nothing just outside. Then the weights of a node are divided by
 * their sum. So they are a partition of unity over the clusters, and a node in one cluster has the
 * weight 1 there. Time O(memberships times columns).
 *
 * What two clusters share is then weighed, too: a node counts in their edge as much as it belongs to
 * that of the two to which it belongs less. Time O(pairs of clusters of a node, log edges each).
 */
#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "mapper_draft.h"
#include "mapper_summary.h"
#include "table_matrix.h"

#define BEYOND 1.1       /* r^2 over the largest d^2 */
#define LEAST  0x1p-1000 /* no membership is lost because its weight is too small */

typedef struct {
    const dgm_matrix *lens;
    dgm_summary *summary;
    const double *unit; /* of each axis: 1 over its range; 0: it tells nothing apart */
} weight_job;

static double square_from_mean(const weight_job *job, const double *mean, uint32_t node) {
    int64_t columns = job->summary->dimension;
    const double *row = dgm_matrix_values(job->lens) + node * columns;
    double sum = 0;
    for (int64_t k = 0; k < columns; k++) {
        double away = job->unit[k] > 0 ? row[k] * job->unit[k] - mean[k] * job->unit[k] : 0;
        sum += isfinite(away) ? away * away : 0;
    }
    return sum;
}

static double weight_of(int kind, double square, double mean, double most) {
    if (!(most > 0)) /* all members are at the mean */
        return 1;
    double weight = kind == DGM_WEIGHTS_GAUSSIAN ? exp(-square / (2 * mean))
                                                 : exp(1 - 1 / (1 - square / (BEYOND * most)));
    return weight > LEAST ? weight : LEAST;
}

/* Squares first, then the weights in their place. */
static void weigh_cluster(void *argument, int64_t cluster, int thread) {
    (void)thread;
    const weight_job *job = argument;
    const dgm_summary *summary = job->summary;
    const double *mean = summary->lens + cluster * summary->dimension;
    int64_t begin = summary->offsets[cluster], end = summary->offsets[cluster + 1];
    double sum = 0, most = 0;
    for (int64_t i = begin; i < end; i++) {
        double square = square_from_mean(job, mean, summary->members[i]);
        summary->weights[i] = square;
        sum += square;
        most = square > most ? square : most;
    }
    for (int64_t i = begin; i < end; i++)
        summary->weights[i] = weight_of(summary->options.weights, summary->weights[i],
                                        sum / (double)(end - begin), most);
}

static dgm_status divide_by_sums(dgm_context *ctx, dgm_summary *summary) {
    int64_t members = summary->offsets[summary->clusters];
    double *sums = dgmi_scratch_zero(ctx, summary->nodes, sizeof *sums);
    if (!sums)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < members; i++)
        sums[summary->members[i]] += summary->weights[i];
    for (int64_t i = 0; i < members; i++) {
        summary->weights[i] /= sums[summary->members[i]];
        summary->weights[i] = summary->weights[i] > LEAST ? summary->weights[i] : LEAST;
    }
    return DGM_OK;
}

dgm_status dgmi_mapper_draft_weigh(dgmi_mapper_draft *draft, dgm_summary *summary) {
    if (draft->options->weights == DGM_WEIGHTS_NONE)
        return DGM_OK;
    double *unit = dgmi_scratch(draft->ctx, summary->dimension, sizeof *unit);
    summary->weights =
        dgmi_alloc(draft->ctx, summary->offsets[summary->clusters], sizeof *summary->weights);
    if (!unit || !summary->weights)
        return DGM_ERROR_MEMORY;
    for (int64_t k = 0; k < summary->dimension; k++)
        unit[k] = dgmi_table_is_constant(summary->low[k], summary->high[k])
                      ? 0
                      : 1 / (summary->high[k] - summary->low[k]);
    dgmi_parallel(draft->ctx, summary->clusters, weigh_cluster,
                  &(weight_job){draft->lens, summary, unit});
    return divide_by_sums(draft->ctx, summary);
}

/* ---- edges ---- */

/* The clusters of each node, with their weights. */
typedef struct {
    int64_t *start; /* nodes + 1 positions in the two arrays */
    uint32_t *cluster;
    double *weight;
} held_by;

static dgm_status list_clusters(dgm_context *ctx, const dgm_summary *summary, held_by *out) {
    int64_t members = summary->offsets[summary->clusters];
    out->start = dgmi_scratch_zero(ctx, summary->nodes + 2, sizeof *out->start);
    out->cluster = dgmi_scratch(ctx, members, sizeof *out->cluster);
    out->weight = dgmi_scratch(ctx, members, sizeof *out->weight);
    if (!out->start || !out->cluster || !out->weight)
        return DGM_ERROR_MEMORY;
    int64_t *next = out->start + 1;
    for (int64_t i = 0; i < members; i++)
        next[summary->members[i] + 1]++;
    for (int64_t u = 0; u < summary->nodes; u++)
        next[u + 1] += next[u];
    for (int64_t c = 0; c < summary->clusters; c++)
        for (int64_t i = summary->offsets[c]; i < summary->offsets[c + 1]; i++) {
            int64_t place = next[summary->members[i]]++;
            out->cluster[place] = (uint32_t)c;
            out->weight[place] = summary->weights[i];
        }
    return DGM_OK;
}

/* Edges are sorted by source and target; two clusters that share a node have one. */
static dgm_summary_edge *find_edge(dgm_summary *summary, uint32_t source, uint32_t target) {
    int64_t low = 0, high = summary->edge_count - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        const dgm_summary_edge *edge = &summary->edges[middle];
        if (edge->source < source || (edge->source == source && edge->target < target))
            low = middle + 1;
        else
            high = middle;
    }
    return &summary->edges[low];
}

static void add_shares(dgm_summary *summary, const held_by *held, int64_t node) {
    for (int64_t i = held->start[node]; i < held->start[node + 1]; i++)
        for (int64_t j = i + 1; j < held->start[node + 1]; j++)
            find_edge(summary, held->cluster[i], held->cluster[j])->weight +=
                fmin(held->weight[i], held->weight[j]);
}

dgm_status dgmi_mapper_draft_weigh_edges(dgmi_mapper_draft *draft, dgm_summary *summary) {
    held_by held;
    double most = 0;
    if (!summary->weights || draft->options->edges != DGM_EDGES_NERVE)
        return DGM_OK;
    dgm_status status = list_clusters(draft->ctx, summary, &held);
    if (status != DGM_OK)
        return status;
    for (int64_t e = 0; e < summary->edge_count; e++)
        summary->edges[e].weight = 0;
    for (int64_t u = 0; u < summary->nodes; u++)
        add_shares(summary, &held, u);
    for (int64_t e = 0; e < summary->edge_count; e++)
        most = fmax(most, summary->edges[e].weight);
    for (int64_t e = 0; e < summary->edge_count; e++)
        summary->edges[e].weight /= most;
    return DGM_OK;
}
