/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a classification, with presets filled in. */
#ifndef POOL_SETTINGS_H
#define POOL_SETTINGS_H

#include "pool_pool.h"

enum { DGMI_POOL_MOST_SETTINGS = 256 };

/* Options without anything that is left to a preset. */
typedef struct dgmi_pool_settings {
    dgm_classify_options options;
    char pool[DGMI_SPEC_LONGEST]; /* the whole specification, which options.pool points to */
    dgmi_pool_request request;
    bool skip;     /* layers have a linear map around the convolution */
    int32_t folds; /* 0: those of the data */
} dgmi_pool_settings;

/* Fills in the preset for a set and checks everything that can be checked before the work begins.
 * The result must not be copied: texts of the request point into it. */
dgm_status dgmi_pool_settings_make(dgm_context *ctx, const dgm_graph_set *set,
                                   const dgm_classify_options *options, dgmi_pool_settings *out);

/* The settings of a grid search: the options of `base` with one value of each key. *count becomes
 * their number, 1 if there is nothing to search. */
dgm_status dgmi_pool_settings_grid(dgm_context *ctx, const dgmi_pool_settings *base,
                                   dgm_classify_options grid[DGMI_POOL_MOST_SETTINGS],
                                   int64_t *count);

#endif
