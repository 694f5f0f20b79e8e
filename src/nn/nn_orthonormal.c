/* SPDX-License-Identifier: Apache-2.0 */
#include "nn_orthonormal.h"

#include <math.h>
#include <string.h>

#include "base_memory.h"
#include "base_parallel.h"

enum { GRAIN = 1 << 10, COLUMNS = DGMI_NN_ORTHONORMAL };

typedef struct orthonormal_job {
    int64_t rows;
    float *table;
    double (*products)[COLUMNS][COLUMNS]; /* a chunk's share of those of columns i and j <= i */
} orthonormal_job;

static void product_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const orthonormal_job *job = argument;
    double(*sum)[COLUMNS] = job->products[chunk];
    int64_t begin, end;
    dgmi_chunk(job->rows, GRAIN, chunk, &begin, &end);
    memset(sum, 0, sizeof job->products[chunk]);
    for (int64_t u = begin; u < end; u++) {
        const float *row = job->table + u * COLUMNS;
        for (int i = 0; i < COLUMNS; i++)
            for (int j = 0; j <= i; j++)
                sum[i][j] += (double)row[i] * row[j];
    }
}

/* In place. A column that depends on those before it has no length left. */
static void factor(double matrix[COLUMNS][COLUMNS]) {
    for (int i = 0; i < COLUMNS; i++) {
        double length = matrix[i][i];
        for (int j = 0; j <= i; j++) {
            double sum = matrix[i][j];
            for (int k = 0; k < j; k++)
                sum -= matrix[i][k] * matrix[j][k];
            if (j < i)
                matrix[i][j] = matrix[j][j] > 0 ? sum / matrix[j][j] : 0;
            else
                matrix[i][i] = sum > 1e-10 * length ? sqrt(sum) : 0;
        }
    }
}

/* Forward substitution, row by row. */
static void solve_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const orthonormal_job *job = argument;
    double(*lower)[COLUMNS] = job->products[0];
    int64_t begin, end;
    dgmi_chunk(job->rows, GRAIN, chunk, &begin, &end);
    for (int64_t u = begin; u < end; u++) {
        float *row = job->table + u * COLUMNS;
        double solved[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) {
            double sum = row[i];
            for (int j = 0; j < i; j++)
                sum -= lower[i][j] * solved[j];
            solved[i] = lower[i][i] > 0 ? sum / lower[i][i] : 0;
        }
        for (int i = 0; i < COLUMNS; i++)
            row[i] = (float)solved[i];
    }
}

dgm_status dgmi_nn_orthonormalise(dgm_context *ctx, int64_t rows, float *table) {
    int64_t chunks = dgmi_chunks(rows, GRAIN);
    if (rows == 0)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    orthonormal_job job = {rows, table, dgmi_scratch(ctx, chunks, sizeof *job.products)};
    if (job.products) {
        dgmi_parallel(ctx, chunks, product_chunk, &job);
        for (int64_t c = 1; c < chunks; c++)
            for (int i = 0; i < COLUMNS; i++)
                for (int j = 0; j <= i; j++)
                    job.products[0][i][j] += job.products[c][i][j];
        factor(job.products[0]);
        dgmi_parallel(ctx, chunks, solve_chunk, &job);
    }
    dgmi_arena_release(ctx, hold);
    return job.products ? DGM_OK : DGM_ERROR_MEMORY;
}
