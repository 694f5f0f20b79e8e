/* SPDX-License-Identifier: Apache-2.0 */
/* The outcome of a cross-validation, its JSON, and the file of finished folds. */
#ifndef POOL_REPORT_H
#define POOL_REPORT_H

#include "pool_settings.h"

struct dgm_classify_report {
    dgm_allocator allocator;
    dgm_classify_options options; /* its numbers; texts of the caller are not kept */
    char pool[DGMI_SPEC_LONGEST]; /* the whole specification */
    bool skip;
    bool from_files; /* the folds are those of the data */
    char name[256];              /* the data set, the last part of its path */
    char search[1024];           /* "" if there was none */
    int64_t graphs;
    int32_t classes;
    uint64_t data;       /* a hash of the graphs, their features and classes */
    uint64_t plan;       /* a hash of everything that decides the results */
    int64_t folds, runs; /* folds of one seed; trainings in all: run i is fold i % folds */
    int64_t fold_total;  /* the number of folds that there are, of which `folds` are run */
    uint64_t *fold_hash; /* of each seed */
    dgm_fold_result *results; /* one per run */
    bool *done;               /* whether it is known */
    int64_t *confusions;      /* classes x classes for each run */
    int64_t *confusion;       /* the sum of them */
    int64_t parameters;
    double seconds;
    dgm_classifier *model; /* the network of the best run; NULL: it was not kept */
};

dgm_status dgmi_pool_report_make(dgm_context *ctx, const dgm_graph_set *set,
                                 const dgmi_pool_settings *settings, int64_t folds,
                                 int64_t fold_total, dgm_classify_report **out);

/* Reads the finished runs of an earlier call, if the file is there. It is DGM_ERROR_DATA if it is
 * of other data or options. */
dgm_status dgmi_pool_checkpoint_read(dgm_context *ctx, const char *path,
                                     dgm_classify_report *report);
dgm_status dgmi_pool_checkpoint_write(dgm_context *ctx, const char *path,
                                      const dgm_classify_report *report);

#endif
