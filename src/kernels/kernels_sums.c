/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over many numbers: the same pieces whatever the number of threads. */
#include "base_context.h"

#include "base_memory.h"
#include "kernels_lanes.h"
#include <assert.h>

/* Numbers of a piece are summed in single precision, pieces in double. */
enum {
    PIECE_ROWS = 256,
    MOST_CHUNKS = 64,
    SLAB = 64, /* columns at once */
    DOT_GRAIN = 1 << 14,
    WORTH = 1 << 17, /* numbers from which on others are woken */
};

typedef struct {
    const float *x, *y;
    int64_t rows, columns, grain;
    double *partials; /* `columns` a chunk */
} sum_job;

/* sums[j] += the sum of rows [begin, end) of column j, j < width <= SLAB. */
static void add_piece(const float *restrict x, int64_t stride, int64_t rows, int64_t width,
                      double *restrict sums) {
    float piece[SLAB] = {0};
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < width; j++)
            piece[j] += x[i * stride + j];
    for (int64_t j = 0; j < width; j++)
        sums[j] += piece[j];
}

/* The widths that networks have, known to the compiler: the sums then stay in registers. */
static void add_rows(const float *x, int64_t stride, int64_t rows, int64_t width, double *sums) {
    if (width == SLAB)
        add_piece(x, stride, rows, SLAB, sums);
    else if (width == 16)
        add_piece(x, stride, rows, 16, sums);
    else if (width == 7)
        add_piece(x, stride, rows, 7, sums);
    else
        add_piece(x, stride, rows, width, sums);
}

static void sum_slab(const sum_job *job, int64_t begin, int64_t end, int64_t column, int64_t width,
                     double *sums) {
    assert(width > 0 && width <= SLAB && column + width <= job->columns);
    assert(0 <= begin && begin <= end && end <= job->rows);
    for (int64_t j = 0; j < width; j++)
        sums[j] = 0;
    for (int64_t i = begin; i < end; i += PIECE_ROWS) {
        int64_t rows = end - i < PIECE_ROWS ? end - i : PIECE_ROWS;
        add_rows(job->x + i * job->columns + column, job->columns, rows, width, sums);
    }
}

static int64_t width_at(const sum_job *job, int64_t column) {
    assert(0 <= column && column < job->columns);
    return job->columns - column < SLAB ? job->columns - column : SLAB;
}

static void sum_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const sum_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows, job->grain, chunk, &begin, &end);
    for (int64_t column = 0; column < job->columns; column += SLAB)
        sum_slab(job, begin, end, column, width_at(job, column),
                 job->partials + chunk * job->columns + column);
}

/* Chunks one after the other; `partials`, where there are any, have been summed already. */
static void finish_sums(const sum_job *job, int64_t chunks, bool add, float *sums) {
    for (int64_t column = 0; column < job->columns; column += SLAB) {
        double total[SLAB] = {0}, own[SLAB];
        int64_t width = width_at(job, column);
        for (int64_t chunk = 0; chunk < chunks; chunk++) {
            const double *partial = own;
            int64_t begin, end;
            dgmi_chunk(job->rows, job->grain, chunk, &begin, &end);
            if (job->partials)
                partial = job->partials + chunk * job->columns + column;
            else
                sum_slab(job, begin, end, column, width, own);
            for (int64_t j = 0; j < width; j++)
                total[j] += partial[j];
        }
        for (int64_t j = 0; j < width; j++)
            sums[column + j] = (float)(add ? sums[column + j] + total[j] : total[j]);
    }
}

/* Where there is no memory for the partial sums, the same is done without. */
void KERNEL(column_sums)(dgm_context *ctx, const dgmi_table_tensor *x, bool add, float *sums) {
    sum_job job = {.x = x->values, .rows = x->rows, .columns = x->columns};
    job.grain = dgmi_chunks(x->rows, MOST_CHUNKS);
    job.grain = job.grain < 1024 ? 1024 : job.grain;
    int64_t chunks = dgmi_chunks(x->rows, job.grain);
    if (chunks > 1 && dgmi_table_tensor_count(x) >= WORTH)
        job.partials =
            dgmi_allocator_resize(&ctx->allocator, NULL, chunks * x->columns, sizeof(double));
    if (job.partials)
        dgmi_parallel(ctx, chunks, sum_chunk, &job);
    finish_sums(&job, chunks, add, sums);
    dgmi_allocator_free(&ctx->allocator, job.partials);
}

/* Products of floats are exact in double. */
static void dot_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const sum_job *job = argument;
    int64_t i, end;
    dgmi_chunk(job->rows, job->grain, chunk, &i, &end);
    double sums[4 * KERNEL_LANES] = {0};
    for (; i + 4 * LANES <= end; i += 4 * LANES)
        for (int lane = 0; lane < 4 * LANES; lane++)
            sums[lane] += (double)job->x[i + lane] * (double)job->y[i + lane];
    for (; i < end; i++)
        sums[0] += (double)job->x[i] * (double)job->y[i];
    for (int half = 2 * LANES; half > 0; half /= 2)
        for (int lane = 0; lane < half; lane++)
            sums[lane] += sums[lane + half];
    job->partials[chunk] = sums[0];
}

double KERNEL(dot)(dgm_context *ctx, int64_t count, const float *x, const float *y) {
    double partials[MOST_CHUNKS], total = 0;
    sum_job job = {.x = x, .y = y, .rows = count, .partials = partials};
    job.grain = dgmi_chunks(count, MOST_CHUNKS);
    job.grain = job.grain < DOT_GRAIN ? DOT_GRAIN : job.grain;
    int64_t chunks = dgmi_chunks(count, job.grain);
    assert(chunks <= MOST_CHUNKS);
    kernel_loop(ctx, count >= WORTH, chunks, dot_chunk, &job);
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        total += partials[chunk];
    return total;
}
