/* SPDX-License-Identifier: Apache-2.0 */
/* Dense products: BLAS on one thread for each of fixed tiles, so that the number of threads changes
 * no bit. */
#include "base_context.h"

#include "base_memory.h"
#include "kernels_blas.h"
#include "kernels_lanes.h"
#include <assert.h>

enum {
    TILE_ROWS = 256,
    TILE_COLUMNS = 512, /* halved down to the next where there would be few tiles */
    LEAST_COLUMNS = 64,
    TURNED_ROWS = 64,      /* of A in a piece of C = A' b, at least */
    TURNED_SUMS = 1 << 13, /* numbers of all those pieces' sums */
    FEW_TILES = 8,
    DEPTH = 1 << 10,   /* of a tile, where C is small and the depth is cut */
    MOST_CUTS = 64,    /* pieces of the depth */
    SMALL_C = 1 << 17, /* numbers of C up to which the depth is cut */
    SMALL_B = 1 << 12, /* numbers of B up to which it is turned first */
    WORTH = 1 << 20,   /* multiplications from which on others are woken */
    OWN_B = 1 << 15,   /* numbers of a B' up to which our own tiles turn it */
};

typedef struct {
    dgmi_kernels_product product;
    int64_t rows, columns, depth;       /* C is rows x columns */
    int64_t tile_columns, tiles_across; /* tiles side by side */
    int64_t cut;                        /* depth of a piece */
    float *partials;                    /* one C a piece of the depth */
    bool own;                           /* by our own tiles, where OpenBLAS is blind */
} product_job;

/* C[row.., column..] (rows x columns) = or += the products over [depth, depth + count). */
static void multiply_tile(const product_job *job, int64_t row, int64_t rows, int64_t column,
                          int64_t columns, int64_t depth, int64_t count, bool add, float *c) {
    assert(row >= 0 && row + rows <= job->rows);
    assert(column >= 0 && column + columns <= job->columns);
    assert(depth >= 0 && depth + count <= job->depth);
    const dgmi_kernels_product *p = &job->product;
    int64_t a_stride = p->a->columns, b_stride = p->b->columns;
    const float *a =
        p->a->values + (p->transpose_a ? depth * a_stride + row : row * a_stride + depth);
    const float *b =
        p->b->values + (p->transpose_b ? column * b_stride + depth : depth * b_stride + column);
    if (job->own) {
        const dgmi_kernels_tile tile = {.rows = rows,
                                        .depth = count,
                                        .columns = columns,
                                        .a = a,
                                        .a_row = p->transpose_a ? 1 : a_stride,
                                        .a_step = p->transpose_a ? a_stride : 1,
                                        .b = b,
                                        .b_stride = b_stride,
                                        .c = c + row * job->columns + column,
                                        .c_stride = job->columns,
                                        .add = add};
        KERNEL(tile_product)(&tile);
        return;
    }
    cblas_sgemm(CblasRowMajor, p->transpose_a ? CblasTrans : CblasNoTrans,
                p->transpose_b ? CblasTrans : CblasNoTrans, (blasint)rows, (blasint)columns,
                (blasint)count, 1, a, (blasint)a_stride, b, (blasint)b_stride, add ? 1 : 0,
                c + row * job->columns + column, (blasint)job->columns);
}

static void tile_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const product_job *job = argument;
    int64_t row, row_end, column, column_end;
    dgmi_chunk(job->rows, TILE_ROWS, chunk / job->tiles_across, &row, &row_end);
    dgmi_chunk(job->columns, job->tile_columns, chunk % job->tiles_across, &column, &column_end);
    multiply_tile(job, row, row_end - row, column, column_end - column, 0, job->depth,
                  job->product.add, job->product.c->values);
}

static void multiply_tiles(dgm_context *ctx, product_job *job) {
    int64_t tiles_down = dgmi_chunks(job->rows, TILE_ROWS);
    job->tile_columns = TILE_COLUMNS;
    while (job->tile_columns > LEAST_COLUMNS &&
           tiles_down * dgmi_chunks(job->columns, job->tile_columns) < FEW_TILES)
        job->tile_columns /= 2;
    job->tiles_across = dgmi_chunks(job->columns, job->tile_columns);
    int64_t chunks = tiles_down * job->tiles_across;
    kernel_loop(ctx, job->rows * job->columns * job->depth >= WORTH, chunks, tile_chunk, job);
}

static void cut_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const product_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->depth, job->cut, chunk, &begin, &end);
    multiply_tile(job, 0, job->rows, 0, job->columns, begin, end - begin, false,
                  job->partials + chunk * job->rows * job->columns);
}

static void add_partials(const product_job *job, int64_t pieces) {
    float *c = job->product.c->values;
    int64_t size = job->rows * job->columns;
    for (int64_t piece = 0; piece < pieces; piece++) {
        const float *partial = job->partials + piece * size;
        bool add = piece > 0 || job->product.add;
        for (int64_t i = 0; i < size; i++)
            c[i] = add ? c[i] + partial[i] : partial[i];
    }
}

/* A small C of long sums, as the gradients of weights are: the sums are cut, not C. False without
 * memory for the pieces. */
static bool multiply_cuts(dgm_context *ctx, product_job *job) {
    job->cut = dgmi_chunks(job->depth, MOST_CUTS);
    job->cut = job->cut < DEPTH ? DEPTH : job->cut;
    int64_t pieces = dgmi_chunks(job->depth, job->cut), size = job->rows * job->columns;
    assert(pieces > 0 && pieces <= MOST_CUTS);
    job->partials =
        dgmi_allocator_resize(&ctx->allocator, NULL, pieces * size, sizeof *job->partials);
    if (!job->partials)
        return false;
    dgmi_parallel(ctx, pieces, cut_chunk, job);
    add_partials(job, pieces);
    dgmi_allocator_free(&ctx->allocator, job->partials);
    return true;
}

/* ---- thin products, which BLAS packs and unpacks for nothing ---- */

/* C = A b: a row's inner product with the one column, which has no gaps either way. */
static void column_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const product_job *job = argument;
    const float *b = job->product.b->values;
    int64_t begin, end;
    dgmi_chunk(job->rows, TILE_ROWS, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const float *a = job->product.a->values + i * job->depth;
        lanes sums[2] = {{0}, {0}};
        int64_t k = 0;
        for (; k + 2 * LANES <= job->depth; k += 2 * LANES) {
            sums[0] += lanes_load(a + k) * lanes_load(b + k);
            sums[1] += lanes_load(a + k + LANES) * lanes_load(b + k + LANES);
        }
        float total = lanes_sum(sums[0] + sums[1]);
        for (; k < job->depth; k++)
            total += a[k] * b[k];
        float *c = job->product.c->values + i;
        *c = job->product.add ? *c + total : total;
    }
}

/* C = A' b: rows of A, each times its number of b, added up; a chunk's rows by themselves, so that
 * whoever changed them last reads them. */
static void turned_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const product_job *job = argument;
    const float *restrict a = job->product.a->values, *b = job->product.b->values;
    float *restrict sums = job->partials + chunk * job->rows;
    int64_t begin, end;
    dgmi_chunk(job->depth, job->cut, chunk, &begin, &end);
    memset(sums, 0, (size_t)job->rows * sizeof *sums);
    for (int64_t k = begin; k < end; k++)
        for (int64_t i = 0; i < job->rows; i++)
            sums[i] += a[k * job->rows + i] * b[k];
}

/* False where C is too long for several of it. */
static bool multiply_turned_column(dgm_context *ctx, const product_job *given, bool worth) {
    float partials[TURNED_SUMS];
    int64_t most = TURNED_SUMS / given->rows;
    if (most < 2)
        return false;
    product_job job = *given;
    job.partials = partials;
    job.cut = dgmi_chunks(job.depth, most);
    job.cut = job.cut < TURNED_ROWS ? TURNED_ROWS : job.cut;
    int64_t pieces = dgmi_chunks(job.depth, job.cut);
    assert(pieces * job.rows <= TURNED_SUMS);
    kernel_loop(ctx, worth, pieces, turned_chunk, &job);
    add_partials(&job, pieces);
    return true;
}

/* C = a b', depth 1. */
static void outer_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const product_job *job = argument;
    int64_t begin, end, columns = job->columns;
    dgmi_chunk(job->rows, TILE_ROWS, chunk, &begin, &end);
    const float *restrict b = job->product.b->values;
    for (int64_t i = begin; i < end; i++) {
        float a = job->product.a->values[i];
        float *restrict c = job->product.c->values + i * columns;
        if (job->product.add)
            for (int64_t j = 0; j < columns; j++)
                c[j] += a * b[j];
        else
            for (int64_t j = 0; j < columns; j++)
                c[j] = a * b[j];
    }
}

static bool multiply_thin(dgm_context *ctx, product_job *job) {
    bool column = job->columns == 1, worth = job->rows * job->columns * job->depth >= WORTH / 8;
    if (!column && job->depth != 1)
        return false;
    if (column && job->product.transpose_a)
        return multiply_turned_column(ctx, job, worth);
    kernel_loop(ctx, worth, dgmi_chunks(job->rows, TILE_ROWS), column ? column_chunk : outer_chunk,
                job);
    return true;
}

/* C has entries: without any there is nothing to do at all. */
static void clear(dgmi_table_tensor *c) {
    memset(c->values, 0, (size_t)dgmi_table_tensor_count(c) * sizeof *c->values);
}

/* Whether our own tiles are faster than what OpenBLAS thinks is right for this processor. */
static bool takes_own_tiles(void) {
    return LANES > 4 && dgmi_kernels_blas_is_blind();
}

static void multiply(dgm_context *ctx, product_job *job) {
    openblas_set_num_threads(1); /* whoever called OpenBLAS in between */
    bool deep = job->depth >= 2 * DEPTH && job->rows * job->columns <= SMALL_C;
    if (!deep || !multiply_cuts(ctx, job))
        multiply_tiles(ctx, job);
}

/* The transpose, in squares that stay in the first cache. */
static void turn(const dgmi_table_tensor *b, float *turned) {
    enum { SIDE = 16 };
    for (int64_t j = 0; j < b->rows; j += SIDE)
        for (int64_t k = 0; k < b->columns; k += SIDE) {
            int64_t j_end = j + SIDE < b->rows ? j + SIDE : b->rows;
            int64_t k_end = k + SIDE < b->columns ? k + SIDE : b->columns;
            for (int64_t column = k; column < k_end; column++)
                for (int64_t row = j; row < j_end; row++)
                    turned[column * b->rows + row] = b->values[row * b->columns + column];
        }
}

/* The product with a B' that is turned into `turned` first. */
static void multiply_turned(dgm_context *ctx, const product_job *given, float *turned) {
    product_job job = *given;
    const dgmi_table_tensor *b = job.product.b;
    turn(b, turned);
    dgmi_table_tensor across = {b->columns, b->rows, turned};
    job.product.b = &across;
    job.product.transpose_b = false;
    multiply(ctx, &job);
}

/* A small B' costs BLAS up to half of its speed; turning it costs next to nothing. */
static void multiply_small_turned(dgm_context *ctx, const product_job *job) {
    float turned[SMALL_B];
    assert(dgmi_table_tensor_count(job->product.b) <= SMALL_B);
    multiply_turned(ctx, job, turned);
}

static void multiply_own_turned(dgm_context *ctx, const product_job *job) {
    float turned[OWN_B];
    assert(dgmi_table_tensor_count(job->product.b) <= OWN_B);
    multiply_turned(ctx, job, turned);
}

/* Our own tiles read B row by row, so B' is turned, on the stack: memory that is refused would
 * change the last digits. False if B' is too large for that, or OpenBLAS is as fast. */
static bool multiply_own(dgm_context *ctx, product_job *job) {
    bool turns = job->product.transpose_b;
    job->own = takes_own_tiles() && (!turns || dgmi_table_tensor_count(job->product.b) <= OWN_B);
    if (job->own && turns)
        multiply_own_turned(ctx, job);
    else if (job->own)
        multiply(ctx, job);
    return job->own;
}

void KERNEL(product)(dgm_context *ctx, const dgmi_kernels_product *product) {
    const dgmi_table_tensor *a = product->a;
    product_job job = {.product = *product,
                       .rows = product->c->rows,
                       .columns = product->c->columns,
                       .depth = product->transpose_a ? a->rows : a->columns};
    assert(job.rows == (product->transpose_a ? a->columns : a->rows));
    assert(job.columns == (product->transpose_b ? product->b->rows : product->b->columns));
    assert(job.depth == (product->transpose_b ? product->b->columns : product->b->rows));
    int64_t size = job.rows * job.columns;
    if (size == 0)
        return;
    if (job.depth == 0) {
        if (!product->add)
            clear(product->c);
        return;
    }
    if (multiply_thin(ctx, &job) || multiply_own(ctx, &job))
        return;
    if (product->transpose_b && dgmi_table_tensor_count(product->b) <= SMALL_B && job.rows >= 16)
        multiply_small_turned(ctx, &job);
    else
        multiply(ctx, &job);
}
