/* SPDX-License-Identifier: Apache-2.0 */
/* Transforms of the columns of a lens, before a cover cuts them into cells. */
#include "mapper_transform.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_sort.h"
#include "table_matrix.h"

const char *const dgmi_mapper_transform_names[] = {"none", "log", "rank", "zscore", NULL};
static_assert(sizeof dgmi_mapper_transform_names / sizeof *dgmi_mapper_transform_names ==
                  DGM_TRANSFORM_ZSCORE + 2,
              "one name per transform");

const char *const *dgm_transform_names(void) {
    return dgmi_mapper_transform_names;
}

/* A column of a row-major matrix. */
typedef struct {
    double *values;
    int64_t rows, step;
    double low, high;
} column_view;

static double *at(const column_view *column, int64_t row) {
    return column->values + row * column->step;
}

/* The name of the row's node, or its number if there is no graph. */
static const char *row_name(const dgm_graph *graph, int64_t row, char *buffer, size_t size) {
    if (graph)
        dgm_graph_name(graph, row, buffer, size);
    else
        snprintf(buffer, size, "%lld", (long long)row);
    return buffer;
}

static dgm_status measure(dgm_context *ctx, const dgm_graph *graph, const char *name,
                          column_view *column) {
    column->low = INFINITY;
    column->high = -INFINITY;
    for (int64_t i = 0; i < column->rows; i++) {
        double value = *at(column, i);
        if (!isfinite(value)) {
            char row[64];
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "the lens '%.100s' has no finite value at node '%s', so there is "
                             "nothing to transform",
                             name, row_name(graph, i, row, sizeof row));
        }
        column->low = value < column->low ? value : column->low;
        column->high = value > column->high ? value : column->high;
    }
    return DGM_OK;
}

/* The smallest value above 0, or 0 where there is none. */
static double least_positive(const column_view *column) {
    double least = INFINITY;
    for (int64_t i = 0; i < column->rows; i++)
        if (*at(column, i) > 0 && *at(column, i) < least)
            least = *at(column, i);
    return isfinite(least) ? least : 0;
}

/* ln(1 + x / m) of values from 0 on. Where the quotient overflows the 1 is far below rounding. */
static double shifted_logarithm(double x, double least) {
    double ratio = x / least;
    return isfinite(ratio) ? log1p(ratio) : log(x) - log(least);
}

/* ln x where all values are positive. Where the least is 0, ln(1 + x / m), m the smallest positive
 * value: ln(1 + x) would leave values far below 1 as they are. */
static dgm_status take_logarithm(dgm_context *ctx, const dgm_graph *graph, const char *name,
                                 column_view *column) {
    if (column->low < 0) {
        int64_t row = 0;
        char text[64];
        while (*at(column, row) >= 0)
            row++;
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "the transform log needs values of at least 0, and the lens '%.100s' is "
                         "%.6g at node '%s'; the transform rank takes any",
                         name, *at(column, row), row_name(graph, row, text, sizeof text));
    }
    double least = column->low == 0 ? least_positive(column) : 0;
    for (int64_t i = 0; i < column->rows && column->high > 0; i++)
        *at(column, i) = least > 0 ? shifted_logarithm(*at(column, i), least) : log(*at(column, i));
    if (least > 0)
        dgmi_note(ctx,
                  "the lens '%s' has zeros: its transform is log(1 + x/m), where m = %.6g is its "
                  "smallest positive value",
                  name, least);
    return DGM_OK;
}

/* Equal values share the middle of their ranks; the ranks 0 .. n - 1 are scaled to [0, 1]. A column
 * that is constant lies in the middle. */
static dgm_status take_rank(dgm_context *ctx, const column_view *column) {
    int64_t n = column->rows;
    uint64_t *keys = dgmi_scratch(ctx, n, sizeof *keys);
    uint32_t *rows = dgmi_scratch(ctx, n, sizeof *rows);
    if (!keys || !rows)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < n; i++) {
        keys[i] = dgmi_sort_key(*at(column, i));
        rows[i] = (uint32_t)i;
    }
    dgm_status status = dgmi_sort_pairs(ctx, keys, rows, n);
    for (int64_t begin = 0, end; status == DGM_OK && begin < n; begin = end) {
        for (end = begin + 1; end < n && keys[end] == keys[begin];)
            end++;
        double rank = n > 1 ? (double)(begin + end - 1) / 2 / (double)(n - 1) : 0.5;
        for (int64_t i = begin; i < end; i++)
            *at(column, rows[i]) = rank;
    }
    return status;
}

/* (x - mean) / standard deviation, dividing by n. As in the cover, a range of 1e-9 of the largest
 * value is rounding, and such a column is all zeros. */
static void take_zscore(const column_view *column) {
    double n = (double)column->rows, size = fmax(fabs(column->low), fabs(column->high));
    bool constant = dgmi_table_is_constant(column->low, column->high);
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < column->rows; i++) {
        *at(column, i) = constant ? 0 : *at(column, i) / size; /* so that squares stay in range */
        mean += *at(column, i) / n;
    }
    for (int64_t i = 0; i < column->rows; i++) {
        *at(column, i) -= mean;
        variance += *at(column, i) * *at(column, i) / n;
    }
    for (int64_t i = 0; i < column->rows && !constant; i++)
        *at(column, i) /= sqrt(variance);
}

static dgm_status transform(dgm_context *ctx, const dgm_graph *graph, const char *name, int kind,
                            column_view *column) {
    if (kind == DGM_TRANSFORM_LOG)
        return take_logarithm(ctx, graph, name, column);
    if (kind == DGM_TRANSFORM_RANK)
        return take_rank(ctx, column);
    take_zscore(column);
    return DGM_OK;
}

/* "log", and behind an earlier one "log, rank". */
static dgm_status record(dgm_context *ctx, dgm_matrix *lens, int64_t column, const char *name) {
    const char *before = dgm_matrix_column_transform(lens, column);
    char text[256];
    if (strcmp(before, dgmi_mapper_transform_names[DGM_TRANSFORM_NONE]) != 0) {
        snprintf(text, sizeof text, "%.200s, %s", before, name);
        name = text;
    }
    return dgm_matrix_set_column_transform(ctx, lens, column, name);
}

dgm_status dgm_transform_column(dgm_context *ctx, const dgm_graph *graph, dgm_matrix *lens,
                                int64_t column, int kind) {
    if (kind < DGM_TRANSFORM_NONE || kind > DGM_TRANSFORM_ZSCORE)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "%d is no transform", kind);
    if (kind == DGM_TRANSFORM_NONE)
        return DGM_OK;
    dgm_status status = dgm_matrix_own(ctx, lens);
    if (status != DGM_OK)
        return status;
    column_view view = {dgm_matrix_values_mutable(lens) + column, dgm_matrix_rows(lens),
                        dgm_matrix_columns(lens), 0, 0};
    const char *name = dgm_matrix_column_name(lens, column);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    status = measure(ctx, graph, name, &view);
    bool zeros = view.low == 0;
    if (status == DGM_OK)
        status = transform(ctx, graph, name, kind, &view);
    dgmi_arena_release(ctx, hold);
    if (status == DGM_OK)
        status = record(ctx, lens, column,
                        kind == DGM_TRANSFORM_LOG && zeros ? "log1p"
                                                           : dgmi_mapper_transform_names[kind]);
    return status;
}

dgm_status dgm_transform_axes(dgm_context *ctx, const dgm_graph *graph, dgm_matrix *lens,
                              const int *kinds, int count) {
    int64_t axes = dgm_matrix_columns(lens);
    dgm_status status = DGM_OK;
    if (count > axes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "%d transforms were given, and the lens has %lld %s",
                         count, (long long)axes, axes == 1 ? "axis" : "axes");
    dgm_matrix_note_constant(ctx, lens); /* ranks of rounding errors would look like a lens */
    for (int64_t k = 0; status == DGM_OK && count > 0 && k < axes; k++)
        status = dgm_transform_column(ctx, graph, lens, k, kinds[k < count ? k : count - 1]);
    return status;
}

dgm_status dgm_transform_parse(dgm_context *ctx, const char *text, int *kinds, int *count) {
    static const dgm_option option = {
        .name = "transform", .kind = DGM_OPTION_CHOICE, .choices = dgmi_mapper_transform_names};
    for (;; text++) {
        char word[64];
        size_t length = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 63), text);
        if (*count == DGM_MAX_AXES)
            return dgmi_fail(ctx, DGM_ERROR_USAGE,
                             DGMI_NAMED("transform") " takes at most %d values", DGM_MAX_AXES);
        dgm_status status = dgm_option_set(ctx, &option, word, &kinds[*count]);
        if (status != DGM_OK)
            return status;
        ++*count;
        text += length;
        if (!*text)
            return DGM_OK;
    }
}
