/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest eigenpairs of a Laplacian of few rows: all of them, from the dense matrix.
 */
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "spectral_dense.h"
#include "spectral_laplacian.h"

/* N as a dense matrix. */
static void fill_dense(const dgmi_spectral_laplacian *laplacian, double *a) {
    const dgmi_spectral_adjacency *graph = &laplacian->graph;
    int64_t n = graph->rows;
    for (int64_t i = 0; i < n; i++) {
        int64_t row = dgmi_spectral_adjacency_row(graph, i);
        for (int64_t e = graph->offsets[row]; e < graph->offsets[row + 1]; e++) {
            int64_t j = dgmi_spectral_adjacency_column(graph, e);
            double w = graph->values ? graph->values[e] : 1;
            double bi = laplacian->root ? laplacian->root[i] : 1;
            double bj = laplacian->root ? laplacian->root[j] : 1;
            a[i * n + j] -= w / (bi * bj);
            a[i * n + i] += w / (bi * bi);
        }
    }
}

dgm_status dgmi_spectral_laplacian_eigen_few(dgm_context *ctx,
                                             const dgmi_spectral_laplacian *laplacian,
                                             int64_t count, double *vectors, double *values,
                                             double *residuals) {
    int64_t n = laplacian->graph.rows;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double *a = dgmi_scratch_zero(ctx, n * n, sizeof(double));
    double *all = dgmi_scratch(ctx, n * n, sizeof(double));
    double *theta = dgmi_scratch(ctx, n, sizeof(double));
    double *space = dgmi_scratch(ctx, n, sizeof(double));
    dgm_status status = a && all && theta && space ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        fill_dense(laplacian, a);
        if (!dgmi_spectral_dense_eigen(n, a, theta, all, space))
            status =
                dgmi_fail(ctx, DGM_ERROR_DATA,
                          "the eigenvectors met a value that is no number; are the weights too "
                          "large?");
    }
    for (int64_t i = 0; status == DGM_OK && i < count; i++) {
        const double *x = all + (i + 1) * n;
        double square = 0;
        for (int64_t row = 0; row < n; row++) {
            double sum = -theta[i + 1] * x[row];
            for (int64_t c = 0; c < n; c++)
                sum += a[row * n + c] * x[c];
            square += sum * sum;
        }
        memcpy(vectors + i * n, x, (size_t)n * sizeof *x);
        values[i] = theta[i + 1];
        residuals[i] = sqrt(square);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
