/* SPDX-License-Identifier: Apache-2.0 */
/* The heavy loops of the neural rooms, behind one table: a backend fills a table, layers never know
 * which. Results do not depend on the number of threads. `add` says whether a result is added to
 * what is there or replaces it.
 */
#ifndef KERNELS_KERNELS_H
#define KERNELS_KERNELS_H

#include <stdbool.h>

#include "dgm/context.h"
#include "table_tensor.h"

/* c = op(a) op(b), op = transpose where said. */
typedef struct dgmi_kernels_product {
    bool transpose_a, transpose_b, add;
    const dgmi_table_tensor *a, *b;
    dgmi_table_tensor *c;
} dgmi_kernels_product;

/* Elementwise functions and how their slope follows from argument x and value y. */
typedef enum dgmi_kernels_function {
    DGMI_KERNELS_RELU,    /* max(x, 0) */
    DGMI_KERNELS_ELU,     /* x, or exp(x) - 1 below 0 */
    DGMI_KERNELS_SIGMOID, /* 1 / (1 + exp(-x)) */
    DGMI_KERNELS_TANH,
    DGMI_KERNELS_EXP,
} dgmi_kernels_function;

/* One step of Adam (Kingma and Ba, 2015) on `count` weights. */
typedef struct dgmi_kernels_adam_step {
    float rate, beta1, beta2, epsilon;
    float correction1, correction2; /* 1 - beta^t */
    float decay;                    /* L2: added to the gradient as decay * weight */
    float shrink;                   /* decoupled: weight *= 1 - rate * shrink first */
} dgmi_kernels_adam_step;

/* Some columns of z, the output of a layer before its PReLU; y = PReLU(z). Rows follow each other
 * without gaps. */
typedef struct dgmi_kernels_slab {
    int64_t rows, columns;
    float slope;
    float *z;
} dgmi_kernels_slab;

/* c (+)= A b with A[i][k] = a[i * a_row + k * a_step]. One of a_row and a_step is 1. Columns are
 * multiplied fastest if they are a multiple of 32. */
typedef struct dgmi_kernels_tile {
    int64_t rows, depth, columns;
    const float *a;
    int64_t a_row, a_step;
    const float *b;
    int64_t b_stride;
    float *c;
    int64_t c_stride;
    bool add;
} dgmi_kernels_tile;

/* How many columns a block has. A block is some rows of a layer's output, which follow each other
 * without gaps. */
enum { DGMI_KERNELS_BLOCK_SLAB = 64 };

/* To be called before the first product, on the thread that called the library; cheap.
 * DGM_ERROR_MEMORY where OpenBLAS could not have the buffers that it works in: it would try to get
 * them for ever. */
dgm_status dgmi_kernels_blas_open(dgm_context *ctx);

typedef struct dgmi_kernels {
    const char *name;                             /* "plain", "avx2", "avx512" */
    const struct dgmi_kernels_embed_table *embed; /* kernels_embed.h: for maps of points */
    const struct dgmi_kernels_gap_table *gap;     /* kernels_gaps.h: for neighbours of neighbours */
    /* dgmi_kernels_blas_open has gone well before. */
    void (*product)(dgm_context *ctx, const dgmi_kernels_product *product);
    /* y = a x (+ y): y has a->rows rows and as many columns as x. Balanced by entries, blocked over
     * columns. x and y do not overlap. A large x is read twice as fast if it lies on a boundary of
     * 64 bytes. */
    void (*csr_product)(dgm_context *ctx, const dgmi_table_csr *a, const dgmi_table_tensor *x,
                        bool add, dgmi_table_tensor *y);
    /* sums[j] (+)= sum over rows of x[i][j] */
    void (*column_sums)(dgm_context *ctx, const dgmi_table_tensor *x, bool add, float *sums);
    /* x[i][j] += bias[j] */
    void (*add_bias)(dgm_context *ctx, const float *bias, dgmi_table_tensor *x);
    /* y = f(x); y may be x */
    void (*apply)(dgm_context *ctx, dgmi_kernels_function f, int64_t count, const float *x,
                  float *y);
    /* dx (+)= dy f'(x), given y = f(x) alone; dx may be dy if it is not added */
    void (*apply_backward)(dgm_context *ctx, dgmi_kernels_function f, int64_t count, const float *y,
                           const float *dy, bool add, float *dx);
    /* y = x, or slope x below 0 */
    void (*prelu)(dgm_context *ctx, float slope, int64_t count, const float *x, float *y);
    /* dx (+)= dy, or slope dy where x is below 0; dx may be dy, or NULL. Returns the slope's
     * gradient. */
    double (*prelu_backward)(dgm_context *ctx, float slope, int64_t count, const float *x,
                             const float *dy, bool add, float *dx);
    /* y (+)= x m / (1 - p), where m_i is 1 with chance 1 - p, drawn from (seed, stream, i): the
     * backward pass draws the same again. */
    void (*dropout)(dgm_context *ctx, float p, uint64_t seed, uint64_t stream, int64_t count,
                    const float *x, bool add, float *y);
    /* y = x m / (1 - p), where m_i is what dropout draws at positions[i]. It drops the same entries
     * when they stand in another order. */
    void (*dropout_at)(dgm_context *ctx, float p, uint64_t seed, uint64_t stream, int64_t count,
                       const uint32_t *positions, const float *x, float *y);
    /* y (+)= scale x */
    void (*axpy)(dgm_context *ctx, float scale, int64_t count, const float *x, bool add, float *y);
    /* the inner product, summed in fixed chunks, in double */
    double (*dot)(dgm_context *ctx, int64_t count, const float *x, const float *y);
    /* Adam's update of weights, from gradient, with its two moments. */
    void (*adam)(dgm_context *ctx, const dgmi_kernels_adam_step *step, int64_t count,
                 const float *gradient, float *weights, float *first, float *second);

    /* ---- for one thread, inside the chunks of a fused op ---- */

    /* Rows [begin, end) of y = a x (+ y), for some columns of x and y, whose rows lie apart by
     * their strides. */
    void (*csr_rows)(const dgmi_table_csr *a, int64_t begin, int64_t end, const float *x,
                     int64_t x_stride, int64_t columns, bool add, float *y, int64_t y_stride);
    /* scores[i] = sum over j of y[i][j] direction[j] */
    void (*slab_scores)(const dgmi_kernels_slab *slab, const float *direction, float *scores);
    /* sums[j] (+)= sum over i of weights[i] y[i][j]; weights NULL: 1 */
    void (*slab_sums)(const dgmi_kernels_slab *slab, const float *weights, bool add, float *sums);
    /* With dy[i][j] = weights[i] direction[j] + everywhere[j] (NULL: 0): z gives way to dz, its
     * column sums are added to `sums`, and the slope's gradient is returned. */
    double (*slab_backward)(const dgmi_kernels_slab *slab, const float *weights,
                            const float *direction, const float *everywhere, float *sums);
    void (*tile_product)(const dgmi_kernels_tile *tile);
    /* y = ELU(y + bias), rows of DGMI_KERNELS_BLOCK_SLAB numbers, as below */
    void (*block_elu)(int64_t rows, const float *bias, float *y);
    /* For y = ELU(z): slopes dy give way to dz, whose column sums are added to `sums`. */
    void (*block_elu_backward)(int64_t rows, const float *y, float *slopes, float *sums);
} dgmi_kernels;

/* `name` NULL: the best table that this processor runs. Otherwise the table of that name, or NULL
 * if the processor cannot run it. */
const dgmi_kernels *dgmi_kernels_find(const char *name);

#endif
