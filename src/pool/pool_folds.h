/* SPDX-License-Identifier: Apache-2.0 */
/* Which graphs train, validate and test. */
#ifndef POOL_FOLDS_H
#define POOL_FOLDS_H

#include "pool_pool.h"

/* The folds of one seed. */
typedef struct dgmi_pool_folds {
    int64_t graphs;
    int32_t count;
    int32_t *of_graph; /* the fold that tests each graph; -1: the graph trains always */
} dgmi_pool_folds;

/* Draws `count` folds with equal shares of every class: the graphs of a class are shuffled by the
 * seed and dealt out one by one, going on from class to class. DGM_ERROR_DATA: there are more folds
 * than graphs. */
dgm_status dgmi_pool_folds_draw(dgm_context *ctx, const dgm_graph_set *set, int32_t count,
                                int64_t seed, dgmi_pool_folds *out);
/* Takes the folds that the data has. DGM_ERROR_DATA: it has none, fewer than three, or an empty
 * one. */
dgm_status dgmi_pool_folds_take(dgm_context *ctx, const dgm_graph_set *set, dgmi_pool_folds *out);
/* Notes the classes that some folds do not test. */
void dgmi_pool_folds_tell(dgm_context *ctx, const dgm_graph_set *set, const dgmi_pool_folds *folds);
void dgmi_pool_folds_free(dgm_context *ctx, dgmi_pool_folds *folds);
/* A hash that tells folds apart. */
uint64_t dgmi_pool_folds_hash(const dgmi_pool_folds *folds);

/* The graphs of one training, each list ascending. */
typedef struct dgmi_pool_split {
    int64_t *list; /* all, those for training first, then validation, then test; owned */
    int64_t train_count, validation_count, test_count;
    const int64_t *train, *validation, *test; /* into `list` */
} dgmi_pool_split;
/* Fold `test` is the test, the next one validates, and all others train. */
dgm_status dgmi_pool_split_make(dgm_context *ctx, const dgmi_pool_folds *folds, int32_t test,
                                dgmi_pool_split *out);
void dgmi_pool_split_free(dgm_context *ctx, dgmi_pool_split *split);

#endif
