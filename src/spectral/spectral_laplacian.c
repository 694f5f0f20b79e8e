/* SPDX-License-Identifier: Apache-2.0 */
/* Products with the Laplacian of a graph. */
#include "spectral_laplacian.h"

#include <assert.h>

#include "base_parallel.h"

enum { GRAIN = 1 << 12 };

typedef struct {
    const dgmi_spectral_laplacian *laplacian;
    const double *from; /* once scaled: B^-1/2 x, where the columns look for it */
    double *to, *largest;
} product_job;

static void scale_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const product_job *job = argument;
    int64_t begin, end;
    const dgmi_spectral_adjacency *graph = &job->laplacian->graph;
    const double *root = job->laplacian->root;
    dgmi_chunk(graph->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        job->to[dgmi_spectral_adjacency_row(graph, i)] =
            root ? job->from[i] / root[i] : job->from[i];
}

/* Two sums at once: one alone waits for its own additions. */
static inline double row_of_ones(const uint32_t *columns, int64_t count, const double *y,
                                 double own) {
    double even = 0, odd = 0;
    int64_t e = 0;
    for (; e + 2 <= count; e += 2) {
        even += own - y[columns[e]];
        odd += own - y[columns[e + 1]];
    }
    if (e < count)
        even += own - y[columns[e]];
    return even + odd;
}

static inline double row_of_values(const uint32_t *columns, const double *values, int64_t count,
                                   const double *y, double own) {
    double sum = 0;
    for (int64_t e = 0; e < count; e++)
        sum += values[e] * (own - y[columns[e]]);
    return sum;
}

static void product_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const product_job *job = argument;
    const dgmi_spectral_adjacency *graph = &job->laplacian->graph;
    const double *root = job->laplacian->root, *y = job->from;
    int64_t begin, end;
    dgmi_chunk(graph->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t row = dgmi_spectral_adjacency_row(graph, i);
        int64_t first = graph->offsets[row], count = graph->offsets[row + 1] - first;
        const uint32_t *columns = graph->columns + first;
        double sum = graph->values ? row_of_values(columns, graph->values + first, count, y, y[row])
                                   : row_of_ones(columns, count, y, y[row]);
        job->to[i] = root ? sum / root[i] : sum;
    }
}

void dgmi_spectral_laplacian_product(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                                     const double *from, double *to, double *scaled) {
    assert(from != to && from != scaled && to != scaled);
    int64_t chunks = dgmi_chunks(laplacian->graph.rows, GRAIN);
    product_job job = {laplacian, from, scaled, NULL};
    if (laplacian->root || laplacian->graph.members) {
        dgmi_parallel(ctx, chunks, scale_chunk, &job);
        job.from = scaled;
    }
    job.to = to;
    dgmi_parallel(ctx, chunks, product_chunk, &job);
}

static void diagonal_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const product_job *job = argument;
    const dgmi_spectral_adjacency *graph = &job->laplacian->graph;
    const double *root = job->laplacian->root;
    int64_t begin, end;
    dgmi_chunk(graph->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t row = dgmi_spectral_adjacency_row(graph, i);
        double sum = graph->values ? 0 : (double)(graph->offsets[row + 1] - graph->offsets[row]);
        for (int64_t e = graph->offsets[row]; graph->values && e < graph->offsets[row + 1]; e++)
            sum += graph->values[e];
        job->to[i] = root ? sum / (root[i] * root[i]) : sum;
    }
}

/* The eigenvalues of L lie in [0, 2 max L_ii]: discs of Gershgorin around L_ii of radius L_ii. N is
 * similar to B^-1 L, whose discs are the same in terms of N_ii. */
double dgmi_spectral_laplacian_diagonal(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                                        double *diagonal) {
    product_job job = {laplacian, NULL, diagonal, NULL};
    dgmi_parallel(ctx, dgmi_chunks(laplacian->graph.rows, GRAIN), diagonal_chunk, &job);
    double largest = 0;
    for (int64_t i = 0; i < laplacian->graph.rows; i++)
        largest = diagonal[i] > largest ? diagonal[i] : largest;
    return 2 * largest;
}
