/* SPDX-License-Identifier: Apache-2.0 */
/* What can stand on a tape. Each op's forward and backward pass stand side by side in its file. */
#ifndef NN_OPS_H
#define NN_OPS_H

#include "nn_tape.h"

/* ---- nn_ops_product.c ---- */

/* op(a) op(b), op = transpose where said */
dgmi_node *dgmi_op_product(dgmi_tape *tape, dgmi_node *a, bool transpose_a, dgmi_node *b,
                           bool transpose_b);

/* A constant pattern of entries with its transpose, made once: dgmi_sparse_make. */
typedef struct dgmi_sparse {
    dgmi_csr matrix, transpose;
    const uint32_t *positions; /* of the transpose's entries in the matrix; NULL: it is symmetric,
                                  and the transpose is the matrix itself */
    void *owned;               /* the transpose's memory */
} dgmi_sparse;
/* `matrix` outlives it. `symmetric` is the caller's word. */
dgm_status dgmi_sparse_make(dgm_context *ctx, const dgmi_csr *matrix, bool symmetric,
                            dgmi_sparse *out);
void dgmi_sparse_free(dgm_context *ctx, dgmi_sparse *sparse);

/* a x. `values` (entries x 1) stand in for the matrix's own, for instance dropped out; NULL: its
 * own. */
dgmi_node *dgmi_op_sparse_product(dgmi_tape *tape, const dgmi_sparse *a, dgmi_node *values,
                                  dgmi_node *x);
/* x with a row vector added to each row */
dgmi_node *dgmi_op_bias(dgmi_tape *tape, dgmi_node *x, dgmi_node *bias);
/* In place of a product's value, which nothing else may read. */
dgmi_node *dgmi_op_bias_over(dgmi_tape *tape, dgmi_node *x, dgmi_node *bias);

/* ---- nn_ops_map.c ---- */

dgmi_node *dgmi_op_map(dgmi_tape *tape, dgmi_map f, dgmi_node *x);
/* In place of a product's or bias's value, which nothing else may read. */
dgmi_node *dgmi_op_map_over(dgmi_tape *tape, dgmi_map f, dgmi_node *x);
/* max(x, 0) + slope min(x, 0), one slope (1 x 1) for all */
dgmi_node *dgmi_op_prelu(dgmi_tape *tape, dgmi_node *x, dgmi_node *slope);
/* x itself if p = 0 */
dgmi_node *dgmi_op_dropout(dgmi_tape *tape, dgmi_node *x, float p, uint64_t seed, uint64_t stream);

/* ---- nn_ops_rows.c ---- */

/* Row i is row rows[i] of x; `rows` outlive the tape's next rewind. */
dgmi_node *dgmi_op_gather(dgmi_tape *tape, dgmi_node *x, const uint32_t *rows, int64_t count);
/* The same for a permutation, whose inverse takes the gradient back in parallel. */
dgmi_node *dgmi_op_permute(dgmi_tape *tape, dgmi_node *x, const uint32_t *rows,
                           const uint32_t *inverse);
typedef enum dgmi_fold { DGMI_FOLD_SUM, DGMI_FOLD_MEAN, DGMI_FOLD_MAX } dgmi_fold;
/* Row s folds the rows offsets[s] .. offsets[s + 1] - 1 of x, column by column; an empty segment
 * gives 0. Of equal maxima the first gets the gradient. offsets NULL: one segment, all rows. */
dgmi_node *dgmi_op_segments(dgmi_tape *tape, dgmi_fold fold, dgmi_node *x, const int64_t *offsets,
                            int64_t segments);

/* ---- nn_ops_loss.c: each is 1 x 1 ---- */

typedef struct dgmi_targets {
    int64_t count;
    const uint32_t *rows;   /* of the scores, that have a target */
    const int32_t *classes; /* by row of the scores */
    const float *weights;   /* by class; NULL: all 1 */
} dgmi_targets;
/* The weighted mean over the target rows of -log softmax(scores)[class]. */
dgmi_node *dgmi_op_cross_entropy(dgmi_tape *tape, dgmi_node *scores, const dgmi_targets *targets);
/* The mean over all cells of the binary cross-entropy of sigmoid(scores) and targets in [0, 1]. */
dgmi_node *dgmi_op_binary_cross_entropy(dgmi_tape *tape, dgmi_node *scores, const float *targets);
/* The mean over `rows` of (scores[row] - targets[row])^2, scores being one column. */
dgmi_node *dgmi_op_squared_error(dgmi_tape *tape, dgmi_node *scores, const uint32_t *rows,
                                 int64_t count, const float *targets);

#endif
