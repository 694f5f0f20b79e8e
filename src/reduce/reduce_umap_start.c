/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the places from which the descent of UMAP starts: eigenvectors of the normalised Laplacian
 * of the fuzzy graph, which lay the graph out as a whole, principal components, or random places.
 */
#include "reduce_umap.h"

#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"

enum { EXTENT = 10, STEPS = 200, NOISE_STREAM = 0x756d6170 };
#define NOISE     1e-5 /* of the extent: duplicates must not start in the same place */
#define TOLERANCE 1e-4 /* of eigenvectors: the descent moves points by more */

typedef struct {
    dgm_context *ctx;
    const dgm_points *points;
    const dgmi_spectral_adjacency *graph;
    const dgm_umap_options *options;
    int64_t rows, dim;
    double *axes; /* axis c is axes[c * rows ..] */
} start_job;

static void scatter(start_job *job, int64_t first) {
    for (int64_t i = first * job->rows; i < job->dim * job->rows; i++)
        job->axes[i] = dgmi_random_unit((uint64_t)job->options->seed, NOISE_STREAM, (uint64_t)i);
}

/* ---- principal components ---- */

static dgm_status start_pca(start_job *job) {
    int64_t dim = job->dim < job->points->columns ? job->dim : job->points->columns;
    dgm_pca_options pca = {.size = sizeof(dgm_pca_options),
                           .tolerance = 1e-4,
                           .passes = 30,
                           .seed = job->options->seed};
    dgm_note_fn note = job->ctx->note;
    dgm_matrix *axes;
    job->ctx->note = NULL; /* a start has nothing to say */
    dgm_status status = dgm_reduce_pca(job->ctx, job->points, dim, &pca, NULL, &axes);
    job->ctx->note = note;
    if (status != DGM_OK)
        return status;
    for (int64_t i = 0; i < job->rows * dim; i++)
        job->axes[i % dim * job->rows + i / dim] = dgm_matrix_values(axes)[i];
    scatter(job, dim);
    dgm_matrix_free(axes);
    return DGM_OK;
}

/* ---- eigenvectors ---- */

static uint32_t find_root(uint32_t *parent, uint32_t x) {
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

static dgm_status count_components(start_job *job, int64_t *count) {
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    const dgmi_spectral_adjacency *graph = job->graph;
    uint32_t *parent = dgmi_scratch(job->ctx, job->rows, sizeof *parent);
    *count = job->rows;
    for (int64_t i = 0; parent && i < job->rows; i++)
        parent[i] = (uint32_t)i;
    for (int64_t i = 0; parent && i < job->rows; i++)
        for (int64_t e = graph->offsets[i]; e < graph->offsets[i + 1]; e++) {
            uint32_t a = find_root(parent, (uint32_t)i), b = find_root(parent, graph->columns[e]);
            parent[a > b ? a : b] = a > b ? b : a;
            *count -= a != b;
        }
    dgmi_arena_release(job->ctx, hold);
    return parent ? DGM_OK : DGM_ERROR_MEMORY;
}

/* The entry of largest size is made positive. */
static void fix_sign(double *x, int64_t size) {
    int64_t largest = 0;
    for (int64_t i = 1; i < size; i++)
        if (fabs(x[i]) > fabs(x[largest]) * (1 + 1e-6))
            largest = i;
    double sign = x[largest] < 0 ? -1 : 1;
    for (int64_t i = 0; i < size; i++)
        x[i] *= sign;
}

static dgm_status start_eigenvectors(start_job *job) {
    dgmi_hold hold = dgmi_arena_hold(job->ctx);
    const dgmi_spectral_adjacency *graph = job->graph;
    double values[DGM_REDUCE_MOST], residuals[DGM_REDUCE_MOST];
    double *root = dgmi_scratch_zero(job->ctx, job->rows, sizeof *root);
    const dgmi_spectral_laplacian laplacian = {*graph, root};
    const dgmi_spectral_eigen_request request = {job->dim, TOLERANCE, STEPS,
                                                 (uint64_t)job->options->seed, 0};
    dgmi_spectral_eigen_report report;
    dgm_status status = root ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < job->rows; i++) {
        for (int64_t e = graph->offsets[i]; e < graph->offsets[i + 1]; e++)
            root[i] += graph->values[e];
        root[i] = sqrt(root[i]);
    }
    if (status == DGM_OK)
        status = dgmi_spectral_laplacian_eigen(job->ctx, &laplacian, &request, job->axes, values,
                                               residuals, &report);
    for (int64_t c = 0; status == DGM_OK && c < job->dim; c++)
        fix_sign(job->axes + c * job->rows, job->rows);
    dgmi_arena_release(job->ctx, hold);
    return status;
}

static dgm_status start_spectral(start_job *job) {
    int64_t components;
    if (job->rows <= job->dim) {
        scatter(job, 0);
        return DGM_OK;
    }
    dgm_status status = count_components(job, &components);
    if (status != DGM_OK || components == 1)
        return status == DGM_OK ? start_eigenvectors(job) : status;
    dgmi_note(job->ctx,
              "umap: the graph of neighbours falls into %lld components, so the descent starts "
              "from principal components instead of eigenvectors",
              (long long)components);
    return start_pca(job);
}

/* ---- all of them ---- */

/* From 0 to 10, and a little noise. */
static void spread_axis(const start_job *job, int64_t axis, float *y) {
    const double *x = job->axes + axis * job->rows;
    double low = x[0], high = x[0];
    for (int64_t i = 1; i < job->rows; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    for (int64_t i = 0; i < job->rows; i++) {
        int64_t place = i * job->dim + axis;
        double noise =
            dgmi_random_unit((uint64_t)job->options->seed, NOISE_STREAM + 1, (uint64_t)place) - 0.5;
        double at = high > low ? (x[i] - low) / (high - low) : 0.5;
        y[place] = (float)(EXTENT * (at + NOISE * noise));
    }
}

dgm_status dgmi_reduce_umap_start(dgm_context *ctx, const dgm_points *points,
                                  const dgmi_spectral_adjacency *graph,
                                  const dgm_umap_options *options, int64_t dim, float *y) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    start_job job = {.ctx = ctx,
                     .points = points,
                     .graph = graph,
                     .options = options,
                     .rows = points->rows,
                     .dim = dim,
                     .axes = dgmi_scratch(ctx, points->rows * dim, sizeof(double))};
    dgm_status status = job.axes ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK && options->init == DGM_UMAP_SPECTRAL)
        status = start_spectral(&job);
    else if (status == DGM_OK && options->init == DGM_UMAP_PCA)
        status = start_pca(&job);
    else if (status == DGM_OK)
        scatter(&job, 0);
    for (int64_t c = 0; status == DGM_OK && c < dim; c++)
        spread_axis(&job, c, y);
    dgmi_arena_release(ctx, hold);
    return status;
}
