/* SPDX-License-Identifier: Apache-2.0 */
/* The ops of the tape. Each of these calls computes a value at once and records it on the tape, for
 * the backward pass. The forward and the backward pass of an op are next to each other in its file.
 */
#ifndef NN_OPS_H
#define NN_OPS_H

#include "nn_tape.h"

/* ---- nn_ops_product.c ---- */

/* Returns the product a b, with a or b transposed if asked for. */
dgmi_nn_node *dgmi_nn_op_product(dgmi_nn_tape *tape, dgmi_nn_node *a, bool transpose_a,
                                 dgmi_nn_node *b, bool transpose_b);

/* A constant sparse matrix with its transpose, which dgmi_nn_sparse_make makes once. */
typedef struct dgmi_nn_sparse {
    dgmi_table_csr matrix, transpose;
    const uint32_t *positions; /* where each entry of the transpose is in the matrix; NULL: the
                                  matrix is symmetric, and the transpose is the matrix itself */
    void *owned;               /* the memory of the transpose */
} dgmi_nn_sparse;
/* `matrix` must outlive the result. `symmetric` is not checked. */
dgm_status dgmi_nn_sparse_make(dgm_context *ctx, const dgmi_table_csr *matrix, bool symmetric,
                               dgmi_nn_sparse *out);
void dgmi_nn_sparse_free(dgm_context *ctx, dgmi_nn_sparse *sparse);

/* a x. `values` (entries x 1) replace the values of the matrix, for instance after dropout; NULL:
 * the matrix has its own. */
dgmi_nn_node *dgmi_nn_op_sparse_product(dgmi_nn_tape *tape, const dgmi_nn_sparse *a,
                                        dgmi_nn_node *values, dgmi_nn_node *x);
/* x with a row vector added to each row */
dgmi_nn_node *dgmi_nn_op_bias(dgmi_nn_tape *tape, dgmi_nn_node *x, dgmi_nn_node *bias);
/* The same, written over the value of a product, which nothing else may read. */
dgmi_nn_node *dgmi_nn_op_bias_over(dgmi_nn_tape *tape, dgmi_nn_node *x, dgmi_nn_node *bias);

/* ---- nn_ops_blocks.c: products of a batch of graphs, graph by graph ---- */

/* Block g of a tensor with n rows is rows offsets[g] .. offsets[g + 1] - 1, of which some may be
 * none. The offsets must stay until the tape is rewound. */
typedef struct dgmi_nn_blocks {
    int64_t count;
    const int64_t *offsets; /* count + 1 */
} dgmi_nn_blocks;
/* Returns a_g' b_g for each block, one below the other: a is n x k and b is n x f, the result is
 * (count k) x f. With a the assignment S and b the state X of nodes, this is S'X of each graph. */
dgmi_nn_node *dgmi_nn_op_block_gather(dgmi_nn_tape *tape, dgmi_nn_blocks blocks, dgmi_nn_node *a,
                                      dgmi_nn_node *b);
/* Returns a_g b_g for each block: a is n x k, b is (count k) x f with k rows per block, the result
 * is n x f. */
dgmi_nn_node *dgmi_nn_op_block_product(dgmi_nn_tape *tape, dgmi_nn_blocks blocks, dgmi_nn_node *a,
                                       dgmi_nn_node *b);

/* ---- nn_ops_apply.c ---- */

dgmi_nn_node *dgmi_nn_op_apply(dgmi_nn_tape *tape, dgmi_kernels_function f, dgmi_nn_node *x);
/* The same, written over the value of a product or bias, which nothing else may read. */
dgmi_nn_node *dgmi_nn_op_apply_over(dgmi_nn_tape *tape, dgmi_kernels_function f, dgmi_nn_node *x);
/* max(x, 0) + slope min(x, 0), one slope (1 x 1) for all */
dgmi_nn_node *dgmi_nn_op_prelu(dgmi_nn_tape *tape, dgmi_nn_node *x, dgmi_nn_node *slope);
/* What a dropout node draws from, so that other ops can draw the same again. */
typedef struct dgmi_nn_dropout_state {
    float p;
    uint64_t seed, stream;
} dgmi_nn_dropout_state;
extern const dgmi_nn_op dgmi_nn_dropout_op;
/* x itself if p = 0 */
dgmi_nn_node *dgmi_nn_op_dropout(dgmi_nn_tape *tape, dgmi_nn_node *x, float p, uint64_t seed,
                                 uint64_t stream);

/* ---- nn_ops_rows.c ---- */

/* Row i is row rows[i] of x; `rows` outlive the tape's next rewind. */
dgmi_nn_node *dgmi_nn_op_gather(dgmi_nn_tape *tape, dgmi_nn_node *x, const uint32_t *rows,
                                int64_t count);
/* The same for a permutation, whose inverse takes the gradient back in parallel. */
dgmi_nn_node *dgmi_nn_op_permute(dgmi_nn_tape *tape, dgmi_nn_node *x, const uint32_t *rows,
                                 const uint32_t *inverse);
/* Rows 2i and 2i + 1 are the rows i and rows[i] of x, for a permutation and its inverse. */
dgmi_nn_node *dgmi_nn_op_pair(dgmi_nn_tape *tape, dgmi_nn_node *x, const uint32_t *rows,
                              const uint32_t *inverse);
typedef enum dgmi_nn_fold { DGMI_NN_FOLD_SUM, DGMI_NN_FOLD_MEAN, DGMI_NN_FOLD_MAX } dgmi_nn_fold;
/* Row s of the result is the sum, mean or maximum of the rows offsets[s] .. offsets[s + 1] - 1 of
 * x, column by column; an empty segment gives 0. Of equal maxima the first gets the gradient. If
 * `offsets` is NULL, all rows are one segment. */
dgmi_nn_node *dgmi_nn_op_segments(dgmi_nn_tape *tape, dgmi_nn_fold fold, dgmi_nn_node *x,
                                  const int64_t *offsets, int64_t segments);

/* ---- nn_ops_algebra.c ---- */

typedef enum dgmi_nn_algebra {
    DGMI_NN_ADD,
    DGMI_NN_SUBTRACT,
    DGMI_NN_MULTIPLY,
    DGMI_NN_DIVIDE
} dgmi_nn_algebra;
/* Works cell by cell. Each operand is n x f, 1 x f, n x 1 or 1 x 1, and is repeated to n x f. */
dgmi_nn_node *dgmi_nn_op_algebra(dgmi_nn_tape *tape, dgmi_nn_algebra kind, dgmi_nn_node *a,
                                 dgmi_nn_node *b);
dgmi_nn_node *dgmi_nn_op_scale(dgmi_nn_tape *tape, float factor, dgmi_nn_node *x);
dgmi_nn_node *dgmi_nn_op_square(dgmi_nn_tape *tape, dgmi_nn_node *x);
/* The square root; at 0 its gradient is 0. */
dgmi_nn_node *dgmi_nn_op_root(dgmi_nn_tape *tape, dgmi_nn_node *x);
/* The natural logarithm. */
dgmi_nn_node *dgmi_nn_op_log(dgmi_nn_tape *tape, dgmi_nn_node *x);

/* ---- nn_ops_softmax.c: of each row, for scores of any size ---- */

dgmi_nn_node *dgmi_nn_op_softmax(dgmi_nn_tape *tape, dgmi_nn_node *x);
dgmi_nn_node *dgmi_nn_op_log_softmax(dgmi_nn_tape *tape, dgmi_nn_node *x);

/* ---- nn_ops_join.c: of 1 to DGMI_NN_MOST_INPUTS parts ---- */

/* Puts tensors side by side; all have the same number of rows. */
dgmi_nn_node *dgmi_nn_op_join_columns(dgmi_nn_tape *tape, int count, dgmi_nn_node *const *parts);
/* Puts tensors one below the other; all have the same number of columns. */
dgmi_nn_node *dgmi_nn_op_join_rows(dgmi_nn_tape *tape, int count, dgmi_nn_node *const *parts);
/* The same numbers in rows of another length, in the same memory. */
dgmi_nn_node *dgmi_nn_op_reshape(dgmi_nn_tape *tape, dgmi_nn_node *x, int64_t rows,
                                 int64_t columns);

/* ---- nn_ops_fold.c ---- */

/* Returns the sum, mean or maximum of each row, as n x 1; 0 if there are no columns. Of equal
 * maxima the first gets the gradient. */
dgmi_nn_node *dgmi_nn_op_row_fold(dgmi_nn_tape *tape, dgmi_nn_fold fold, dgmi_nn_node *x);
/* These return 1 x 1: the sum of all cells, the trace of a square matrix, and the Frobenius norm,
 * whose gradient at 0 is 0. */
dgmi_nn_node *dgmi_nn_op_sum(dgmi_nn_tape *tape, dgmi_nn_node *x);
dgmi_nn_node *dgmi_nn_op_trace(dgmi_nn_tape *tape, dgmi_nn_node *x);
dgmi_nn_node *dgmi_nn_op_norm(dgmi_nn_tape *tape, dgmi_nn_node *x);

/* ---- nn_ops_loss.c: each is 1 x 1 ---- */

typedef struct dgmi_nn_targets {
    int64_t count;
    const uint32_t *rows;   /* the rows of the scores that have a target */
    const int32_t *classes; /* the class of each row of the scores */
    const float *weights;   /* the weight of each class; NULL: all are 1 */
} dgmi_nn_targets;
/* The weighted mean over the target rows of -log softmax(scores)[class]. */
dgmi_nn_node *dgmi_nn_op_cross_entropy(dgmi_nn_tape *tape, dgmi_nn_node *scores,
                                       const dgmi_nn_targets *targets);
/* The mean over all cells of the binary cross-entropy of sigmoid(scores) and targets in [0, 1]. */
dgmi_nn_node *dgmi_nn_op_binary_cross_entropy(dgmi_nn_tape *tape, dgmi_nn_node *scores,
                                              const float *targets);
/* The mean over `rows` of (scores[row] - targets[row])^2, scores being one column. */
dgmi_nn_node *dgmi_nn_op_squared_error(dgmi_nn_tape *tape, dgmi_nn_node *scores,
                                       const uint32_t *rows, int64_t count, const float *targets);

#endif
