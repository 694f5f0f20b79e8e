/* SPDX-License-Identifier: Apache-2.0 */
/* The centred table X = (x - mean), by tiles of rows. A sparse table stays sparse:
 *
 *   X v = x v - (mean' v)            X' y = x' y - mean (sum of y)
 */
#include "reduce_pca_parts.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "kernels_blas.h"
#include "reduce_reduce.h"

enum {
    TILE = 64,        /* rows that meet the vectors at once; 20,000 x 784: 155 ms of CPU time, with
                         128 rows 252 */
    MOST_CHUNKS = 32, /* each has a partial product */
    WHOLE = 1 << 24,  /* entries of X that are kept */
    BLOCK = 128,      /* rows and columns of a block of X'X */
    MOST_VECTORS = 256,
};

static bool is_sparse(const dgmi_reduce_pca_data *table) {
    return !table->points->matrix && table->points->features.columns;
}

static int64_t chunks_of(const dgmi_reduce_pca_data *table) {
    return dgmi_chunks(table->rows, table->grain);
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static double one_less(const dgmi_reduce_pca_data *table) {
    return table->rows > 1 ? (double)(table->rows - 1) : 1;
}

/* ---- rows ---- */

/* A row of a dense table as doubles. */
static const double *dense_row(const dgmi_reduce_pca_data *table, int64_t row, double *buffer) {
    if (table->points->matrix)
        return dgm_matrix_values(table->points->matrix) + row * table->columns;
    const float *from = table->points->features.values + row * table->columns;
    for (int64_t c = 0; c < table->columns; c++)
        buffer[c] = from[c];
    return buffer;
}

static void centre_rows(const dgmi_reduce_pca_data *table, int64_t begin, int64_t end, double *to) {
    int64_t columns = table->columns;
    for (int64_t row = begin; row < end; row++, to += columns) {
        if (is_sparse(table))
            dgmi_reduce_points_row(table->points, row, to);
        const double *from = is_sparse(table) ? to : dense_row(table, row, to);
        for (int64_t c = 0; c < columns; c++)
            to[c] = from[c] - table->mean[c];
    }
}

/* Rows begin .. end - 1 of X, at most TILE of them. */
static const double *tile_of(const dgmi_reduce_pca_data *table, int64_t begin, int64_t end,
                             int thread) {
    if (table->centred)
        return table->centred + begin * table->columns;
    centre_rows(table, begin, end, table->tiles[thread]);
    return table->tiles[thread];
}

/* ---- means and variance ---- */

static void sum_rows(void *argument, int64_t chunk, int thread) {
    dgmi_reduce_pca_data *table = argument;
    const dgm_graph_features *features = &table->points->features;
    double *sums = table->partial + chunk * table->columns;
    int64_t begin, end;
    dgmi_chunk(table->rows, table->grain, chunk, &begin, &end);
    memset(sums, 0, (size_t)table->columns * sizeof *sums);
    if (is_sparse(table)) {
        for (int64_t i = features->offsets[begin]; i < features->offsets[end]; i++)
            sums[features->columns[i]] += features->values ? features->values[i] : 1;
        return;
    }
    for (int64_t row = begin; row < end; row++) {
        const double *x = dense_row(table, row, table->tiles[thread]);
        for (int64_t c = 0; c < table->columns; c++)
            sums[c] += x[c];
    }
}

/* Sum of squares of a centred row: that of the entries, and of the means where there is none. */
static double sparse_square(const dgmi_reduce_pca_data *table, int64_t row, double of_means) {
    const dgm_graph_features *features = &table->points->features;
    double sum = of_means;
    for (int64_t i = features->offsets[row]; i < features->offsets[row + 1]; i++) {
        double x = features->values ? features->values[i] : 1;
        double mean = table->mean[features->columns[i]];
        sum += (x - mean) * (x - mean) - mean * mean;
    }
    return sum;
}

static void square_rows(void *argument, int64_t chunk, int thread) {
    dgmi_reduce_pca_data *table = argument;
    double sum = 0, of_means = 0;
    int64_t begin, end;
    dgmi_chunk(table->rows, table->grain, chunk, &begin, &end);
    for (int64_t c = 0; is_sparse(table) && c < table->columns; c++)
        of_means += table->mean[c] * table->mean[c];
    for (int64_t row = begin; row < end; row++) {
        if (is_sparse(table)) {
            sum += sparse_square(table, row, of_means);
            continue;
        }
        double *to = table->centred ? table->centred + row * table->columns : table->tiles[thread];
        centre_rows(table, row, row + 1, to);
        sum += cblas_ddot((int)table->columns, to, 1, to, 1);
    }
    table->partial[chunk] = sum;
}

static dgm_status take_tiles(dgmi_reduce_pca_data *table) {
    int threads = dgm_context_threads(table->ctx);
    table->tiles = dgmi_scratch_zero(table->ctx, threads, sizeof *table->tiles);
    for (int t = 0; table->tiles && t < threads; t++)
        if (!(table->tiles[t] = dgmi_scratch(table->ctx, TILE * table->columns, sizeof(double))))
            return DGM_ERROR_MEMORY;
    return table->tiles ? DGM_OK : DGM_ERROR_MEMORY;
}

static void measure(dgmi_reduce_pca_data *table) {
    int64_t chunks = chunks_of(table), columns = table->columns;
    dgmi_parallel(table->ctx, chunks, sum_rows, table);
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        for (int64_t c = 0; c < columns; c++)
            table->mean[c] += table->partial[chunk * columns + c];
    for (int64_t c = 0; c < columns; c++)
        table->mean[c] /= (double)table->rows;
    dgmi_parallel(table->ctx, chunks, square_rows, table);
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        table->variance += table->partial[chunk];
    table->variance /= one_less(table);
}

dgm_status dgmi_reduce_pca_open(dgm_context *ctx, const dgm_points *points,
                                dgmi_reduce_pca_data *table) {
    *table = (dgmi_reduce_pca_data){
        .ctx = ctx, .points = points, .rows = points->rows, .columns = points->columns};
    table->grain = dgmi_chunks(dgmi_chunks(points->rows, TILE), MOST_CHUNKS) * TILE;
    bool whole = !is_sparse(table) && points->rows <= WHOLE / points->columns;
    dgm_status status = dgmi_kernels_blas_open(ctx);
    if (status != DGM_OK)
        return status;
    table->mean = dgmi_scratch_zero(ctx, points->columns, sizeof(double));
    table->partial = dgmi_scratch(ctx, chunks_of(table) * points->columns, sizeof(double));
    if (whole)
        table->centred = dgmi_scratch(ctx, points->rows * points->columns, sizeof(double));
    if (!table->mean || !table->partial || (whole && !table->centred))
        return DGM_ERROR_MEMORY;
    if (!is_sparse(table))
        status = take_tiles(table);
    if (status == DGM_OK)
        measure(table);
    return status;
}

static void fill_rows(void *argument, int64_t chunk, int thread) {
    dgmi_reduce_pca_data *table = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(table->rows, table->grain, chunk, &begin, &end);
    centre_rows(table, begin, end, table->centred + begin * table->columns);
}

dgm_status dgmi_reduce_pca_fill(dgmi_reduce_pca_data *table) {
    if (table->centred)
        return DGM_OK;
    table->centred = dgmi_scratch(table->ctx, table->rows * table->columns, sizeof(double));
    if (!table->centred)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(table->ctx, chunks_of(table), fill_rows, table);
    return DGM_OK;
}

/* ---- products ---- */

typedef struct {
    dgmi_reduce_pca_data *table;
    int64_t count;
    const double *x;            /* count x columns */
    double *turned;             /* columns x count: x for sparse rows, entry by entry */
    double shift[MOST_VECTORS]; /* mean' x */
    double *partial;            /* chunks x count x columns (sparse: columns x count) */
    double *sums;               /* chunks x count: sum of y */
    double **scores;            /* of each thread: TILE x count */
    double *out;                /* of projections */
    int64_t stride;
} product_job;

/* y = X x and x' += X' y while the rows are at hand. */
static void multiply_dense(void *argument, int64_t chunk, int thread) {
    product_job *job = argument;
    dgmi_reduce_pca_data *table = job->table;
    int columns = (int)table->columns, count = (int)job->count;
    double *sum = job->partial + chunk * job->count * table->columns, *y = job->scores[thread];
    int64_t begin, end;
    dgmi_chunk(table->rows, table->grain, chunk, &begin, &end);
    for (int64_t row = begin; row < end; row += TILE) {
        int rows = (int)smaller(TILE, end - row);
        const double *tile = tile_of(table, row, row + rows, thread);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, count, columns, 1, tile, columns,
                    job->x, columns, 0, y, count);
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, count, columns, rows, 1, y, count,
                    tile, columns, row > begin, sum, columns);
    }
}

/* y = the row times x, less the means' share. */
static void sparse_scores(const product_job *job, int64_t row, double *y) {
    const dgm_graph_features *features = &job->table->points->features;
    int64_t count = job->count;
    for (int64_t c = 0; c < count; c++)
        y[c] = -job->shift[c];
    for (int64_t i = features->offsets[row]; i < features->offsets[row + 1]; i++) {
        const double *x = job->turned + features->columns[i] * count;
        double value = features->values ? features->values[i] : 1;
        for (int64_t c = 0; c < count; c++)
            y[c] += value * x[c];
    }
}

static void multiply_sparse(void *argument, int64_t chunk, int thread) {
    product_job *job = argument;
    const dgm_graph_features *features = &job->table->points->features;
    int64_t count = job->count, begin, end;
    double *sum = job->partial + chunk * count * job->table->columns, y[MOST_VECTORS];
    double *of_y = job->sums + chunk * count;
    (void)thread;
    dgmi_chunk(job->table->rows, job->table->grain, chunk, &begin, &end);
    memset(sum, 0, (size_t)(count * job->table->columns) * sizeof *sum);
    memset(of_y, 0, (size_t)count * sizeof *of_y);
    for (int64_t row = begin; row < end; row++) {
        sparse_scores(job, row, y);
        for (int64_t i = features->offsets[row]; i < features->offsets[row + 1]; i++) {
            double *to = sum + features->columns[i] * count;
            double value = features->values ? features->values[i] : 1;
            for (int64_t c = 0; c < count; c++)
                to[c] += value * y[c];
        }
        for (int64_t c = 0; c < count; c++)
            of_y[c] += y[c];
    }
}

/* Space for the job, and x turned where rows are sparse. */
static dgm_status prepare(product_job *job, bool back) {
    dgmi_reduce_pca_data *table = job->table;
    int64_t chunks = chunks_of(table), size = job->count * table->columns;
    int threads = dgm_context_threads(table->ctx);
    if (back) {
        job->partial = dgmi_scratch(table->ctx, chunks * size, sizeof(double));
        job->sums = dgmi_scratch(table->ctx, chunks * job->count, sizeof(double));
        if (!job->partial || !job->sums)
            return DGM_ERROR_MEMORY;
    }
    if (!is_sparse(table)) {
        job->scores = dgmi_scratch(table->ctx, threads, sizeof *job->scores);
        for (int t = 0; job->scores && t < threads; t++)
            if (!(job->scores[t] = dgmi_scratch(table->ctx, TILE * job->count, sizeof(double))))
                return DGM_ERROR_MEMORY;
        return job->scores ? DGM_OK : DGM_ERROR_MEMORY;
    }
    job->turned = dgmi_scratch(table->ctx, size, sizeof(double));
    for (int64_t i = 0; job->turned && i < size; i++)
        job->turned[i % table->columns * job->count + i / table->columns] = job->x[i];
    for (int64_t c = 0; c < job->count; c++)
        job->shift[c] =
            cblas_ddot((int)table->columns, table->mean, 1, job->x + c * table->columns, 1);
    return job->turned ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Chunk by chunk, in order. */
static void collect(const product_job *job, double *y) {
    const dgmi_reduce_pca_data *table = job->table;
    int64_t chunks = chunks_of(table), count = job->count, columns = table->columns;
    double *sum = job->partial, less = one_less(table);
    for (int64_t i = count * columns; i < chunks * count * columns; i++)
        sum[i % (count * columns)] += job->partial[i];
    for (int64_t chunk = 1; chunk < chunks && is_sparse(table); chunk++)
        for (int64_t c = 0; c < count; c++)
            job->sums[c] += job->sums[chunk * count + c];
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = 0; i < columns; i++)
            y[c * columns + i] = is_sparse(table)
                                     ? (sum[i * count + c] - table->mean[i] * job->sums[c]) / less
                                     : sum[c * columns + i] / less;
}

dgm_status dgmi_reduce_pca_product(dgmi_reduce_pca_data *table, int64_t count, const double *x,
                                   double *y) {
    dgmi_hold hold = dgmi_arena_hold(table->ctx);
    product_job job = {.table = table, .count = count, .x = x};
    dgm_status status = prepare(&job, true);
    if (status == DGM_OK) {
        dgmi_parallel(table->ctx, chunks_of(table),
                      is_sparse(table) ? multiply_sparse : multiply_dense, &job);
        collect(&job, y);
    }
    dgmi_arena_release(table->ctx, hold);
    return status;
}

static void project_chunk(void *argument, int64_t chunk, int thread) {
    product_job *job = argument;
    dgmi_reduce_pca_data *table = job->table;
    int columns = (int)table->columns, count = (int)job->count;
    double y[MOST_VECTORS];
    int64_t begin, end;
    dgmi_chunk(table->rows, table->grain, chunk, &begin, &end);
    for (int64_t row = begin; row < end && is_sparse(table); row++) {
        sparse_scores(job, row, y);
        memcpy(job->out + row * job->stride, y, (size_t)count * sizeof *y);
    }
    for (int64_t row = begin; row < end && !is_sparse(table); row += TILE) {
        int rows = (int)smaller(TILE, end - row);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, count, columns, 1,
                    tile_of(table, row, row + rows, thread), columns, job->x, columns, 0,
                    job->out + row * job->stride, (int)job->stride);
    }
}

dgm_status dgmi_reduce_pca_project(dgmi_reduce_pca_data *table, int64_t count,
                                   const double *vectors, double *scores, int64_t stride) {
    dgmi_hold hold = dgmi_arena_hold(table->ctx);
    product_job job = {
        .table = table, .count = count, .x = vectors, .out = scores, .stride = stride};
    dgm_status status = prepare(&job, false);
    if (status == DGM_OK)
        dgmi_parallel(table->ctx, chunks_of(table), project_chunk, &job);
    dgmi_arena_release(table->ctx, hold);
    return status;
}

/* ---- X'X or XX' whole ---- */

typedef struct {
    dgmi_reduce_pca_data *table;
    bool by_rows;
    int64_t size, blocks;
    double *gram;
} gram_job;

/* One block on or above the diagonal. */
static void gram_block(void *argument, int64_t chunk, int thread) {
    gram_job *job = argument;
    const dgmi_reduce_pca_data *table = job->table;
    int64_t from = chunk / job->blocks * BLOCK, to = chunk % job->blocks * BLOCK;
    int high = (int)smaller(BLOCK, job->size - from), wide = (int)smaller(BLOCK, job->size - to);
    int columns = (int)table->columns, rows = (int)table->rows;
    double *block = job->gram + from * job->size + to, factor = 1 / one_less(table);
    const double *x = table->centred;
    (void)thread;
    if (to < from)
        return;
    if (job->by_rows)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, high, wide, columns, factor,
                    x + from * columns, columns, x + to * columns, columns, 0, block,
                    (int)job->size);
    else
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, high, wide, rows, factor, x + from,
                    columns, x + to, columns, 0, block, (int)job->size);
}

void dgmi_reduce_pca_gram(dgmi_reduce_pca_data *table, bool by_rows, double *gram) {
    gram_job job = {table, by_rows, by_rows ? table->rows : table->columns, 0, gram};
    job.blocks = dgmi_chunks(job.size, BLOCK);
    dgmi_parallel(table->ctx, job.blocks * job.blocks, gram_block, &job);
}
