/* SPDX-License-Identifier: Apache-2.0 */
/* The number of the nearest of K centres (k-means): a partition of the points, for DGM_COVER_PARTS. */
#include "reduce_reduce.h"

#include <stddef.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "parts_centres.h"

static const dgm_option centres_options[] = {
    {.name = "k",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_centres_options, k),
     .minimum = 1,
     .maximum = 10000,
     .default_text = "16",
     .argument = "K",
     .help = "number of centres"},
    {.name = "seed",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_centres_options, seed),
     .minimum = 0,
     .maximum = 9007199254740992,
     .default_text = "that of the run",
     .argument = "S",
     .help = "of the first centres"},
};
const dgm_option_table dgmi_reduce_centres_table = {
    "centres", centres_options, sizeof centres_options / sizeof *centres_options};

const dgm_option_table *dgm_centres_option_table(void) {
    return &dgmi_reduce_centres_table;
}

/* Single precision is enough for points near 0 and of ordinary size. */
static dgm_status find_parts(dgm_context *ctx, const dgm_points *points,
                             const dgm_centres_options *use, uint32_t *parts, int64_t *count) {
    dgmi_reduce_rescaling rescaling;
    dgm_points near;
    dgm_matrix *made = NULL;
    const float *values;
    dgm_status status = dgmi_reduce_rescaling_find(ctx, points, true, &rescaling);
    if (status == DGM_OK)
        status = dgmi_reduce_rescaling_apply(ctx, &rescaling, points, &near, &made);
    if (status == DGM_OK)
        status = dgmi_reduce_points_floats(ctx, &near, &values);
    if (status == DGM_OK) {
        const dgmi_table_tensor table = {points->rows, points->columns, (float *)(uintptr_t)values};
        status = dgmi_parts_centres(ctx, &table, use->k, use->seed, parts, count);
    }
    dgm_matrix_free(made);
    return status;
}

dgm_status dgm_reduce_centres(dgm_context *ctx, const dgm_points *points,
                              const dgm_centres_options *options, dgm_reduce_report *report,
                              dgm_matrix **out) {
    dgm_centres_options use = DGM_CENTRES_OPTIONS_INIT;
    int64_t count = 0;
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_centres_options, seed, options, &use);
    if (status == DGM_OK)
        status = dgm_options_check(ctx, &dgmi_reduce_centres_table, &use);
    if (status == DGM_OK)
        status = dgmi_reduce_points_check(ctx, points);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *parts = dgmi_scratch(ctx, points->rows, sizeof *parts);
    status = parts ? find_parts(ctx, points, &use, parts, &count) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = dgmi_reduce_axes(ctx, "centre", points->rows, 1, out);
    for (int64_t i = 0; status == DGM_OK && i < points->rows; i++)
        dgm_matrix_values_mutable(*out)[i] = parts[i];
    dgmi_reduce_report_begin(report, "centres", points, 1);
    dgmi_reduce_report_number(report, "centres", (double)count);
    dgmi_arena_release(ctx, hold);
    return status;
}
