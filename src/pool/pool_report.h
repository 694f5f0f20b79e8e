/* SPDX-License-Identifier: Apache-2.0 */
/* The outcome of a cross-validation: numbers (pool_report.c), the JSON of results and checkpoints
 * (pool_report_json.c), and both of them read back (pool_report_read.c). */
#ifndef POOL_REPORT_H
#define POOL_REPORT_H

#include "pool_folds.h"
#include "pool_settings.h"
#include "pool_statistics.h"

/* The words that tell the two kinds of JSON apart. */
#define DGMI_POOL_RESULT_FORMAT     "dgm classify"
#define DGMI_POOL_CHECKPOINT_FORMAT "dgm classify checkpoint"

struct dgm_classify_report {
    dgm_allocator allocator;
    dgm_classify_options options; /* its numbers; texts of the caller are not kept */
    char pool[DGMI_SPEC_LONGEST]; /* the whole specification */
    bool skip;
    bool from_files;            /* the folds are those of the data */
    char name[256];             /* the data set, the last part of its path */
    char search[1024];          /* "" if there was none */
    dgm_classify_options *grid; /* the settings of the search, or the one that there is */
    int64_t grid_count;
    int64_t graphs;
    int32_t classes;
    uint64_t data;            /* a hash of the graphs, their features and classes */
    uint64_t plan;            /* a hash of everything that decides the results */
    int64_t folds, runs;      /* folds of one seed; trainings in all: run i is fold i % folds */
    int64_t fold_total;       /* the number of folds that there are, of which `folds` are run */
    uint64_t *fold_hash;      /* of each seed */
    dgm_fold_result *results; /* one per run */
    bool *done;               /* whether it is known */
    int64_t *confusions;      /* classes x classes for each run */
    int64_t *confusion;       /* the sum of them */
    char *others;             /* runs of the checkpoint that are not asked for now, as JSON */
    double started, earlier;  /* when this call began; the seconds of those before it */
    double seconds;
    dgm_classifier *model; /* the network of the best run; NULL: it was not kept */
    bool compared;         /* with the result that options.against named */
    dgm_paired_test paired;
};

/* Makes a report without results. `folds` are those of each seed. */
dgm_status dgmi_pool_report_make(dgm_context *ctx, const dgm_graph_set *set,
                                 const dgmi_pool_settings *settings, const dgmi_pool_folds *folds,
                                 dgm_classify_report **out);

/* A checkpoint is JSON: the hash of the plan, the seconds that were spent, and one object per
 * finished training. More seeds and more of the same folds may be asked for than it has, and fewer:
 * what is not asked for stays in the file. */
dgm_status dgmi_pool_checkpoint_write(dgm_context *ctx, const char *path,
                                      const dgm_classify_report *report);
/* Reads the finished runs of an earlier call, if the file is there: a checkpoint, or a result, which
 * has all of them. It is DGM_ERROR_DATA if it is of other data or options, or not whole. */
dgm_status dgmi_pool_checkpoint_read(dgm_context *ctx, const char *path,
                                     dgm_classify_report *report);

/* Checks, before any training, that a result can be compared with this one. */
dgm_status dgmi_pool_report_check_against(dgm_context *ctx, const dgm_classify_report *report,
                                          const char *path);
/* Means and intervals of the accuracies, or of what they are above `minus`, one per run. */
dgm_status dgmi_pool_report_interval(dgm_context *ctx, const dgm_classify_report *report,
                                     const double *minus, dgmi_pool_interval *out);

#endif
