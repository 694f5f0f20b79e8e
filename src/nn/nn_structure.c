/* SPDX-License-Identifier: Apache-2.0 */
/* Features that are made of the edges alone, for graphs that have no others.
 *
 * Degree, core and clustering say what a node is like, and positions where it is. Positions are the
 * leading eigenvectors of S = D^-1/2 (A + I) D^-1/2, those of the smallest eigenvalues of the
 * Laplacian, as orthogonal iteration finds them: multiply a block of columns by S, make them
 * orthonormal, again and again (Golub and Van Loan, Matrix Computations, 8.2). A fixed number of
 * rounds is enough for features: what has not converged still is smooth over the edges. Row i is
 * divided by the root of its degree, which makes them eigenvectors of the random walk.
 */
#include "nn_structure.h"

#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"
#include "graph_simple.h"
#include "nn_orthonormal.h"

enum { GRAIN = 1 << 10, STREAM = 0x706f73, FIRST = 3, ROUNDS = 12, STEPS = 4 };

typedef struct walk_job {
    dgmi_graph_simple_rows rows;
    const float *from; /* nodes x DGMI_NN_POSITIONS */
    float *to;
    const float *roots; /* 1 / sqrt(degree + 1) */
} walk_job;

static void draw_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const walk_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows.nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        uint64_t bits = dgmi_random_bits(1, STREAM, (uint64_t)u);
        for (int j = 0; j < DGMI_NN_POSITIONS; j++)
            job->to[u * DGMI_NN_POSITIONS + j] = bits >> j & 1 ? 1 : -1;
    }
}

/* to = S from */
static void walk_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const walk_job *job = argument;
    const dgmi_graph_simple_rows *rows = &job->rows;
    int64_t begin, end;
    dgmi_chunk(rows->nodes, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        float *to = job->to + u * DGMI_NN_POSITIONS;
        for (int j = 0; j < DGMI_NN_POSITIONS; j++)
            to[j] = job->roots[u] * job->from[u * DGMI_NN_POSITIONS + j];
        for (int64_t e = rows->offsets[u]; e < rows->offsets[u + 1]; e++) {
            const float *from = job->from + (int64_t)rows->targets[e] * DGMI_NN_POSITIONS;
            float root = job->roots[rows->targets[e]];
            for (int j = 0; j < DGMI_NN_POSITIONS; j++)
                to[j] += root * from[j];
        }
        for (int j = 0; j < DGMI_NN_POSITIONS; j++)
            to[j] *= job->roots[u];
    }
}

/* ---- the table ---- */

static dgm_status iterate(dgm_context *ctx, walk_job *job, float *places[2]) {
    int64_t chunks = dgmi_chunks(job->rows.nodes, GRAIN);
    int now = 0;
    job->to = places[now];
    dgmi_parallel(ctx, chunks, draw_chunk, job);
    for (int round = 0; round < ROUNDS; round++) {
        dgm_status status = dgmi_progress(ctx, "finding positions", (double)round / ROUNDS);
        if (status != DGM_OK)
            return status;
        for (int step = 0; step < STEPS; step++) {
            job->from = places[now];
            job->to = places[now ^= 1];
            dgmi_parallel(ctx, chunks, walk_chunk, job);
        }
        status = dgmi_nn_orthonormalise(ctx, job->rows.nodes, job->to);
        if (status != DGM_OK)
            return status;
    }
    return DGM_OK;
}

static dgm_status fill_positions(dgm_context *ctx, const dgmi_graph_simple_rows *rows,
                                 float *table) {
    int64_t nodes = rows->nodes;
    float *places[2], *roots = dgmi_scratch(ctx, nodes, sizeof *roots);
    walk_job job = {.rows = *rows, .roots = roots};
    for (int i = 0; i < 2; i++)
        places[i] = dgmi_scratch(ctx, nodes * DGMI_NN_POSITIONS, sizeof *places[i]);
    if (!roots || !places[0] || !places[1])
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < nodes; u++)
        roots[u] = 1 / sqrtf((float)dgmi_graph_simple_degree(rows, u) + 1);
    dgm_status status = nodes > 0 ? iterate(ctx, &job, places) : DGM_OK;
    for (int64_t u = 0; status == DGM_OK && u < nodes; u++)
        for (int j = 0; j < DGMI_NN_POSITIONS; j++)
            table[u * DGMI_NN_STRUCTURE + FIRST + j] = roots[u] * job.to[u * DGMI_NN_POSITIONS + j];
    return status;
}

static dgm_status fill_numbers(dgm_context *ctx, const dgmi_graph_simple_rows *rows, float *table) {
    double *cores = dgmi_scratch(ctx, rows->nodes, sizeof *cores);
    double *triangles = dgmi_scratch(ctx, rows->nodes, sizeof *triangles);
    if (!cores || !triangles)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgmi_graph_cores(ctx, rows, cores);
    if (status == DGM_OK)
        status = dgmi_graph_triangles(ctx, rows, triangles);
    for (int64_t u = 0; status == DGM_OK && u < rows->nodes; u++) {
        float *row = table + u * DGMI_NN_STRUCTURE;
        row[0] = (float)log1p((double)dgmi_graph_simple_degree(rows, u));
        row[1] = (float)log1p(cores[u]);
        row[2] = (float)dgmi_graph_clustering(rows, u, triangles[u]);
    }
    return status;
}

dgm_status dgmi_nn_structure_make(dgm_context *ctx, const dgm_graph *graph, float **out) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_graph_simple_rows rows;
    *out = dgmi_alloc(ctx, dgm_graph_nodes(graph) * DGMI_NN_STRUCTURE, sizeof **out);
    dgm_status status = *out ? dgmi_graph_simple_make(ctx, graph, &rows) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = fill_numbers(ctx, &rows, *out);
    if (status == DGM_OK)
        status = fill_positions(ctx, &rows, *out);
    dgmi_arena_release(ctx, hold);
    if (status != DGM_OK) {
        dgmi_free(ctx, *out);
        *out = NULL;
    }
    return status;
}
