/* SPDX-License-Identifier: Apache-2.0 */
/* How much of the features of nodes blocks explain: the share of their variance that lies between
 * the means of the blocks,
 *
 *     sum_b n_b |m_b - m|^2 / sum_u |x_u - m|^2 .
 *
 * Rows of sparse features are scaled to length 1, as words of texts are compared; columns of dense
 * ones, which may have any units, to variance 1. O(n + entries + blocks * width) at most.
 */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_memory.h"
#include "mapper_bits.h"

typedef struct feature_job {
    dgm_graph_features features;
    int64_t nodes, blocks;
    const uint32_t *block;
    uint32_t *order; /* the nodes, block after block */
    int64_t *start;  /* blocks + 1 positions in `order` */
    double *weight;  /* what each row (sparse) or column (dense) is multiplied by */
    double *mean;    /* of each column */
    double *sum;     /* of each column in a block */
    uint32_t *met;  /* sparse: the columns that a block has, so that clearing costs what was used */
    double squares; /* sum_u |x_u|^2 */
} feature_job;

static double entry_of(const feature_job *job, int64_t at) {
    return job->features.values ? job->features.values[at] : 1;
}

/* ---- scales ---- */

static void weigh_rows(feature_job *job) {
    const int64_t *offsets = job->features.offsets;
    for (int64_t u = 0; u < job->nodes; u++) {
        double squares = 0;
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
            squares += entry_of(job, i) * entry_of(job, i);
        job->weight[u] = squares > 0 ? 1 / sqrt(squares) : 0;
        job->squares += squares > 0;
        for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
            job->mean[job->features.columns[i]] += entry_of(job, i) * job->weight[u];
    }
    for (int64_t c = 0; c < job->features.width; c++)
        job->mean[c] /= (double)job->nodes;
}

/* Means become those of the scaled columns. */
static void weigh_columns(feature_job *job) {
    int64_t width = job->features.width;
    for (int64_t c = 0; c < width; c++) {
        double sum = 0, squares = 0;
        for (int64_t u = 0; u < job->nodes; u++)
            sum += job->features.values[u * width + c];
        for (int64_t u = 0; u < job->nodes; u++) {
            double x = job->features.values[u * width + c] - sum / (double)job->nodes;
            squares += x * x;
        }
        double weight = squares > 0 ? sqrt((double)job->nodes / squares) : 0;
        job->weight[c] = weight;
        job->mean[c] = sum / (double)job->nodes * weight;
        job->squares += (double)job->nodes * ((squares > 0) + job->mean[c] * job->mean[c]);
    }
}

/* ---- means of blocks ---- */

static void add_sparse_row(feature_job *job, int64_t u, int64_t *met) {
    for (int64_t i = job->features.offsets[u]; i < job->features.offsets[u + 1]; i++) {
        uint32_t c = job->features.columns[i];
        if (job->sum[c] == 0)
            job->met[(*met)++] = c;
        job->sum[c] += entry_of(job, i) * job->weight[u];
    }
}

/* n_b |m_b|^2 */
static double square_of_block(feature_job *job, int64_t b) {
    int64_t width = job->features.width, met = 0;
    double squares = 0, size = (double)(job->start[b + 1] - job->start[b]);
    bool sparse = job->features.columns;
    for (int64_t i = job->start[b]; i < job->start[b + 1]; i++) {
        int64_t u = job->order[i];
        if (sparse)
            add_sparse_row(job, u, &met);
        for (int64_t c = 0; !sparse && c < width; c++)
            job->sum[c] += job->features.values[u * width + c] * job->weight[c];
    }
    for (int64_t i = 0; i < (sparse ? met : width); i++) {
        double *sum = &job->sum[sparse ? job->met[i] : i];
        squares += *sum * *sum;
        *sum = 0; /* a column may have been met twice, where entries cancel */
    }
    return size > 0 ? squares / size : 0;
}

static double share_of(feature_job *job) {
    double between = 0, of_mean = 0;
    for (int64_t c = 0; c < job->features.width; c++)
        of_mean += job->mean[c] * job->mean[c];
    of_mean *= (double)job->nodes;
    for (int64_t b = 0; b < job->blocks; b++)
        between += square_of_block(job, b);
    double whole = job->squares - of_mean;
    return whole > 1e-12 * job->squares ? fmin(1, fmax(0, (between - of_mean) / whole)) : 0;
}

static int compare_columns(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A file may declare far more columns than have an entry. They are numbered anew then, so that memory
 * follows the entries. */
static dgm_status number_columns(dgm_context *ctx, feature_job *job) {
    int64_t entries = job->features.columns ? job->features.offsets[job->nodes] : 0, used = 0;
    if (!job->features.columns || job->features.width <= 2 * entries + 1024)
        return DGM_OK;
    uint32_t *sorted = dgmi_scratch(ctx, entries, sizeof *sorted);
    uint32_t *number = dgmi_scratch(ctx, entries, sizeof *number);
    if (!sorted || !number)
        return DGM_ERROR_MEMORY;
    if (entries)
        memcpy(sorted, job->features.columns, (size_t)entries * sizeof *sorted);
    qsort(sorted, (size_t)entries, sizeof *sorted, compare_columns);
    for (int64_t i = 0; i < entries; i++)
        if (used == 0 || sorted[i] != sorted[used - 1])
            sorted[used++] = sorted[i];
    for (int64_t i = 0; i < entries; i++) {
        const uint32_t *at = bsearch(&job->features.columns[i], sorted, (size_t)used,
                                     sizeof *sorted, compare_columns);
        assert(at);
        number[i] = (uint32_t)(at - sorted);
    }
    job->features.columns = number;
    job->features.width = used;
    return DGM_OK;
}

static dgm_status open_job(dgm_context *ctx, feature_job *job) {
    bool sparse = job->features.columns;
    int64_t entries = sparse ? job->features.offsets[job->nodes] : 0;
    job->order = dgmi_scratch(ctx, job->nodes, sizeof *job->order);
    job->start = dgmi_scratch_zero(ctx, job->blocks + 2, sizeof *job->start);
    job->weight = dgmi_scratch(ctx, sparse ? job->nodes : job->features.width, sizeof(double));
    job->mean = dgmi_scratch_zero(ctx, job->features.width, sizeof *job->mean);
    job->sum = dgmi_scratch_zero(ctx, job->features.width, sizeof *job->sum);
    job->met = dgmi_scratch(ctx, entries, sizeof *job->met);
    return job->order && job->start && job->weight && job->mean && job->sum && job->met
               ? DGM_OK
               : DGM_ERROR_MEMORY;
}

static void group_nodes(feature_job *job) {
    for (int64_t u = 0; u < job->nodes; u++)
        job->start[job->block[u] + 2]++;
    for (int64_t b = 0; b < job->blocks; b++)
        job->start[b + 2] += job->start[b + 1];
    for (int64_t u = 0; u < job->nodes; u++)
        job->order[job->start[job->block[u] + 1]++] = (uint32_t)u;
}

dgm_status dgmi_mapper_features_explained(dgm_context *ctx, const dgm_graph *graph,
                                          const uint32_t *block, int64_t blocks, double *share) {
    feature_job job = {.features = dgm_graph_get_features(graph),
                       .nodes = dgm_graph_nodes(graph),
                       .blocks = blocks,
                       .block = block};
    *share = -1;
    if (job.features.width == 0 || job.nodes == 0)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = number_columns(ctx, &job);
    if (status == DGM_OK)
        status = open_job(ctx, &job);
    if (status == DGM_OK) {
        group_nodes(&job);
        if (job.features.columns)
            weigh_rows(&job);
        else
            weigh_columns(&job);
        *share = share_of(&job);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
