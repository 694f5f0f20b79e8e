/* SPDX-License-Identifier: Apache-2.0 */
/* The probability of a class: softmax of the logits, p_c = exp(z_c) / sum_j exp(z_j). */
#include "reduce_reduce.h"

#include <math.h>
#include <stddef.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"

static const dgm_option prob_options[] = {
    {.name = "class",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_prob_options, class_index),
     .minimum = -1,
     .maximum = 1e9,
     .default_text = "the last",
     .argument = "C",
     .help = "whose probability: its column, counted from 0"},
};
const dgm_option_table dgmi_reduce_prob_table = {"prob", prob_options,
                                                 sizeof prob_options / sizeof *prob_options};

const dgm_option_table *dgm_prob_option_table(void) {
    return &dgmi_reduce_prob_table;
}

/* exp of differences from the class's own logit: no overflow spoils the sum, it only makes p 0. A
 * single column is the logit of class 1, that of class 0 being 0. */
static double probability(const double *logits, int64_t columns, int64_t of) {
    double sum = 0;
    if (columns == 1)
        return 1 / (1 + exp(of == 1 ? -logits[0] : logits[0]));
    for (int64_t c = 0; c < columns; c++)
        sum += exp(logits[c] - logits[of]);
    return 1 / sum;
}

static dgm_status find_class(dgm_context *ctx, const dgm_points *points, int64_t given,
                             int64_t *of) {
    int64_t classes = points->columns == 1 ? 2 : points->columns;
    *of = given < 0 ? classes - 1 : given;
    if (*of >= classes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "there is no class %lld: %lld columns of logits are classes 0 to %lld",
                         (long long)*of, (long long)points->columns, (long long)classes - 1);
    return DGM_OK;
}

dgm_status dgm_reduce_prob(dgm_context *ctx, const dgm_points *points,
                           const dgm_prob_options *options, dgm_reduce_report *report,
                           dgm_matrix **out) {
    dgm_prob_options use = DGM_PROB_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t of = 0;
    double *row = NULL;
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_prob_options, class_index, options, &use);
    if (status == DGM_OK)
        status = dgm_options_check(ctx, &dgmi_reduce_prob_table, &use);
    if (status == DGM_OK)
        status = dgmi_reduce_points_check(ctx, points);
    if (status == DGM_OK)
        status = find_class(ctx, points, use.class_index, &of);
    if (status == DGM_OK)
        row = dgmi_scratch(ctx, points->columns, sizeof *row);
    if (status == DGM_OK)
        status = row ? dgmi_reduce_axes(ctx, "prob", points->rows, 1, out) : DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < points->rows; i++) {
        dgmi_reduce_points_row(points, i, row);
        dgm_matrix_values_mutable(*out)[i] = probability(row, points->columns, of);
    }
    dgmi_reduce_report_begin(report, "prob", points, 1);
    dgmi_reduce_report_number(report, "class", (double)of);
    dgmi_arena_release(ctx, hold);
    return status;
}
