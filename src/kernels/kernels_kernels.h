/* SPDX-License-Identifier: Apache-2.0 */
/* The heavy loops of neural networks, behind one table. A backend fills such a table, and layers do
 * not know which one they call. Results do not depend on the number of threads. `add` says whether
 * a result is added to what is there or replaces it; comments write this as (+)=.
 */
#ifndef KERNELS_KERNELS_H
#define KERNELS_KERNELS_H

#include <stdbool.h>

#include "dgm/context.h"
#include "table_tensor.h"

/* c (+)= op(a) op(b), where op transposes the matrix if its flag is set, and leaves it otherwise.
 */
typedef struct dgmi_kernels_product {
    bool transpose_a, transpose_b, add;
    const dgmi_table_tensor *a, *b;
    dgmi_table_tensor *c;
} dgmi_kernels_product;

/* Functions that are applied to single numbers. */
typedef enum dgmi_kernels_function {
    DGMI_KERNELS_RELU,    /* max(x, 0) */
    DGMI_KERNELS_ELU,     /* x, or exp(x) - 1 below 0 */
    DGMI_KERNELS_SIGMOID, /* 1 / (1 + exp(-x)) */
    DGMI_KERNELS_TANH,    /* the hyperbolic tangent of x */
    DGMI_KERNELS_EXP,     /* exp(x) */
} dgmi_kernels_function;

/* The numbers of one step of Adam (Kingma and Ba, 2015). */
typedef struct dgmi_kernels_adam_step {
    float rate, beta1, beta2, epsilon;
    float correction1, correction2; /* 1 - beta1^t and 1 - beta2^t in step t */
    float decay;                    /* L2 decay: decay * weight is added to the gradient */
    float shrink; /* decoupled decay: the weight is first multiplied by 1 - rate * shrink */
} dgmi_kernels_adam_step;

/* Some columns of z, the output of a layer before its PReLU, and y = PReLU(z). Rows follow each
 * other without gaps. */
typedef struct dgmi_kernels_slab {
    int64_t rows, columns;
    float slope; /* the slope of PReLU below 0 */
    float *z;    /* rows x columns numbers */
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

/* Prepares OpenBLAS. It is called before the first product, on the thread that called the library,
 * and is cheap. It is DGM_ERROR_MEMORY if OpenBLAS could not have the buffers that it works in,
 * because it would try to get them for ever. */
dgm_status dgmi_kernels_blas_open(dgm_context *ctx);

typedef struct dgmi_kernels {
    const char *name; /* the instruction set: "plain", "avx2" or "avx512" */
    const struct dgmi_kernels_embed_table *embed; /* for maps of points: kernels_embed.h */
    const struct dgmi_kernels_gap_table *gap;     /* for neighbours of neighbours: kernels_gaps.h */
    /* Computes a product. dgmi_kernels_blas_open must have succeeded before. */
    void (*product)(dgm_context *ctx, const dgmi_kernels_product *product);
    /* y (+)= a x, where y has a->rows rows and as many columns as x. Threads share the entries of a
     * evenly, and a large x is taken some columns at a time. x and y do not overlap. A large x is
     * read twice as fast if it lies on a boundary of 64 bytes. */
    void (*csr_product)(dgm_context *ctx, const dgmi_table_csr *a, const dgmi_table_tensor *x,
                        bool add, dgmi_table_tensor *y);
    /* sums[j] (+)= the sum of x[i][j] over all rows i */
    void (*column_sums)(dgm_context *ctx, const dgmi_table_tensor *x, bool add, float *sums);
    /* x[i][j] += bias[j] */
    void (*add_bias)(dgm_context *ctx, const float *bias, dgmi_table_tensor *x);
    /* y = f(x). y may be x. */
    void (*apply)(dgm_context *ctx, dgmi_kernels_function f, int64_t count, const float *x,
                  float *y);
    /* dx (+)= dy f'(x), where only y = f(x) is given. dx may be dy if it is not added. */
    void (*apply_backward)(dgm_context *ctx, dgmi_kernels_function f, int64_t count, const float *y,
                           const float *dy, bool add, float *dx);
    /* y = x, or slope * x if x is below 0. */
    void (*prelu)(dgm_context *ctx, float slope, int64_t count, const float *x, float *y);
    /* dx (+)= dy, or slope * dy if x is below 0. dx may be dy, or NULL. Returns the gradient of the
     * slope. */
    double (*prelu_backward)(dgm_context *ctx, float slope, int64_t count, const float *x,
                             const float *dy, bool add, float *dx);
    /* y (+)= x m / (1 - p), where m_i is 1 with the chance 1 - p, and 0 otherwise. It follows from
     * seed, stream and i, so that the backward pass draws the same again. */
    void (*dropout)(dgm_context *ctx, float p, uint64_t seed, uint64_t stream, int64_t count,
                    const float *x, bool add, float *y);
    /* y = x m / (1 - p), where m_i is what dropout draws at positions[i]. It drops the same entries
     * when they stand in another order. */
    void (*dropout_at)(dgm_context *ctx, float p, uint64_t seed, uint64_t stream, int64_t count,
                       const uint32_t *positions, const float *x, float *y);
    /* y (+)= scale * x */
    void (*axpy)(dgm_context *ctx, float scale, int64_t count, const float *x, bool add, float *y);
    /* Returns the inner product of x and y. It is summed in double precision, in chunks that do not
     * depend on the number of threads. */
    double (*dot)(dgm_context *ctx, int64_t count, const float *x, const float *y);
    /* Takes a step of Adam: updates the weights and both moments by the gradient. */
    void (*adam)(dgm_context *ctx, const dgmi_kernels_adam_step *step, int64_t count,
                 const float *gradient, float *weights, float *first, float *second);

    /* ---- for one thread, inside the chunks of a fused op ---- */

    /* y (+)= a x for the rows from `begin` to `end` - 1 and for some columns of x and y, whose rows
     * lie apart by their strides. */
    void (*csr_rows)(const dgmi_table_csr *a, int64_t begin, int64_t end, const float *x,
                     int64_t x_stride, int64_t columns, bool add, float *y, int64_t y_stride);
    /* scores[i] = the sum of y[i][j] * direction[j] over all columns j */
    void (*slab_scores)(const dgmi_kernels_slab *slab, const float *direction, float *scores);
    /* sums[j] (+)= the sum of weights[i] * y[i][j] over all rows i. If `weights` is NULL, all are
     * 1.
     */
    void (*slab_sums)(const dgmi_kernels_slab *slab, const float *weights, bool add, float *sums);
    /* The gradient of y is dy[i][j] = weights[i] * direction[j] + everywhere[j]; without the last
     * term if `everywhere` is NULL. Replaces z by its gradient dz, adds the column sums of dz to
     * `sums`, and returns the gradient of the slope. */
    double (*slab_backward)(const dgmi_kernels_slab *slab, const float *weights,
                            const float *direction, const float *everywhere, float *sums);
    /* Computes a tile of a product. */
    void (*tile_product)(const dgmi_kernels_tile *tile);
    /* y = ELU(y + bias), for rows of DGMI_KERNELS_BLOCK_SLAB numbers, which the next one has, too.
     */
    void (*block_elu)(int64_t rows, const float *bias, float *y);
    /* For y = ELU(z): replaces dy, which is in `slopes`, by dz, and adds its column sums to `sums`.
     */
    void (*block_elu_backward)(int64_t rows, const float *y, float *slopes, float *sums);
} dgmi_kernels;

/* Returns the table of that name, or NULL if this processor cannot run it. If `name` is NULL, it is
 * the best table that the processor can run. */
const dgmi_kernels *dgmi_kernels_find(const char *name);

#endif
