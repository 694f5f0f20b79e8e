/* SPDX-License-Identifier: Apache-2.0 */
/* Reads points, dense or sparse, and fills in the reports of reductions. */
#include "reduce_reduce.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

enum { GRAIN = 1024 };

dgm_points dgm_points_of_matrix(const dgm_matrix *matrix) {
    return (dgm_points){
        .rows = dgm_matrix_rows(matrix), .columns = dgm_matrix_columns(matrix), .matrix = matrix};
}

dgm_points dgm_points_of_features(const dgm_graph *graph) {
    dgm_graph_features features = dgm_graph_get_features(graph);
    return (dgm_points){
        .rows = dgm_graph_nodes(graph), .columns = features.width, .features = features};
}

static bool is_sparse(const dgm_points *points) {
    return !points->matrix && points->features.columns;
}

/* ---- what is not finite ---- */

typedef struct {
    const dgm_points *points;
    int64_t *bad; /* of each chunk: the first row with such a number, or -1 */
} check_job;

/* The first such column of the row, or -1. */
static int64_t find_bad(const dgm_points *points, int64_t row) {
    const dgm_graph_features *features = &points->features;
    int64_t width = points->columns;
    if (points->matrix) {
        const double *x = dgm_matrix_values(points->matrix) + row * width;
        double sum = 0; /* of zeros, unless one is NaN or infinite */
        for (int64_t c = 0; c < width; c++)
            sum += x[c] * 0.0;
        if (sum == 0)
            return -1;
        for (int64_t c = 0; c < width; c++)
            if (!isfinite(x[c]))
                return c;
        return -1;
    }
    if (!features->values)
        return -1;
    int64_t begin = is_sparse(points) ? features->offsets[row] : row * width;
    int64_t end = is_sparse(points) ? features->offsets[row + 1] : begin + width;
    for (int64_t i = begin; i < end; i++)
        if (!isfinite(features->values[i]))
            return is_sparse(points) ? features->columns[i] : i - begin;
    return -1;
}

static void check_chunk(void *argument, int64_t chunk, int thread) {
    check_job *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->points->rows, GRAIN, chunk, &begin, &end);
    job->bad[chunk] = -1;
    for (int64_t row = begin; row < end && job->bad[chunk] < 0; row++)
        if (find_bad(job->points, row) >= 0)
            job->bad[chunk] = row;
}

static double value_at(const dgm_points *points, int64_t row, int64_t column) {
    if (points->matrix)
        return dgm_matrix_values(points->matrix)[row * points->columns + column];
    if (!is_sparse(points))
        return points->features.values[row * points->columns + column];
    for (int64_t i = points->features.offsets[row]; i < points->features.offsets[row + 1]; i++)
        if (points->features.columns[i] == column)
            return points->features.values[i];
    return 0;
}

static dgm_status fail_bad(dgm_context *ctx, const dgm_points *points, int64_t row) {
    int64_t column = find_bad(points, row);
    return dgmi_fail(ctx, DGM_ERROR_DATA,
                     "row %lld, column %lld of the points is %s, not a finite number",
                     (long long)row, (long long)column,
                     isnan(value_at(points, row, column)) ? "NaN" : "infinite");
}

dgm_status dgmi_reduce_points_check(dgm_context *ctx, const dgm_points *points) {
    if (points->rows < 1 || points->columns < 1)
        return dgmi_fail(ctx, DGM_ERROR_DATA,
                         "%lld rows of %lld columns: there is nothing to reduce",
                         (long long)points->rows, (long long)points->columns);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t chunks = dgmi_chunks(points->rows, GRAIN);
    check_job job = {points, dgmi_scratch(ctx, chunks, sizeof(int64_t))};
    dgm_status status = job.bad ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        dgmi_parallel(ctx, chunks, check_chunk, &job);
    for (int64_t c = 0; status == DGM_OK && c < chunks; c++)
        if (job.bad[c] >= 0)
            status = fail_bad(ctx, points, job.bad[c]);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- as dense rows ---- */

void dgmi_reduce_points_row(const dgm_points *points, int64_t row, double *values) {
    const dgm_graph_features *features = &points->features;
    int64_t width = points->columns;
    if (points->matrix) {
        memcpy(values, dgm_matrix_values(points->matrix) + row * width,
               (size_t)width * sizeof *values);
    } else if (!is_sparse(points)) {
        for (int64_t c = 0; c < width; c++)
            values[c] = features->values[row * width + c];
    } else {
        memset(values, 0, (size_t)width * sizeof *values);
        for (int64_t i = features->offsets[row]; i < features->offsets[row + 1]; i++)
            values[features->columns[i]] += features->values ? features->values[i] : 1;
    }
}

dgm_status dgmi_reduce_points_doubles(dgm_context *ctx, const dgm_points *points,
                                      const double **values) {
    if (points->matrix) {
        *values = dgm_matrix_values(points->matrix);
        return DGM_OK;
    }
    double *rows = dgmi_scratch(ctx, points->rows * points->columns, sizeof *rows);
    for (int64_t row = 0; rows && row < points->rows; row++)
        dgmi_reduce_points_row(points, row, rows + row * points->columns);
    *values = rows;
    return rows ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_reduce_points_note_equal(dgm_context *ctx, const char *method,
                                         const dgm_points *points) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t width = points->columns, row = 1;
    double *first = dgmi_scratch(ctx, width, sizeof *first);
    double *other = dgmi_scratch(ctx, width, sizeof *other);
    dgm_status status = first && other ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        dgmi_reduce_points_row(points, 0, first);
        bool same = true;
        for (; same && row < points->rows; row++) {
            dgmi_reduce_points_row(points, row, other);
            for (int64_t c = 0; same && c < width; c++)
                same = other[c] == first[c];
        }
        if (same && points->rows > 1)
            dgmi_note(ctx, "%s: all %lld rows are equal: where each lies in the map is chance",
                      method, (long long)points->rows);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

static dgm_status fail_large(dgm_context *ctx, int64_t row, int64_t column, double value) {
    return dgmi_fail(ctx, DGM_ERROR_DATA,
                     "row %lld, column %lld of the points is %g, beyond single precision (3.4e38); "
                     "divide the column by a constant first",
                     (long long)row, (long long)column, value);
}

dgm_status dgmi_reduce_points_floats(dgm_context *ctx, const dgm_points *points,
                                     const float **values) {
    int64_t width = points->columns;
    if (!points->matrix && !is_sparse(points)) {
        *values = points->features.values;
        return DGM_OK;
    }
    float *rows = dgmi_scratch(ctx, points->rows * width, sizeof *rows);
    double *row = dgmi_scratch(ctx, width, sizeof *row);
    *values = rows;
    if (!rows || !row)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < points->rows; i++) {
        dgmi_reduce_points_row(points, i, row);
        for (int64_t c = 0; c < width; c++) {
            if (fabs(row[c]) > FLT_MAX)
                return fail_large(ctx, i, c, row[c]);
            rows[i * width + c] = (float)row[c];
        }
    }
    return DGM_OK;
}

/* ---- results ---- */

dgm_status dgmi_reduce_axes(dgm_context *ctx, const char *name, int64_t rows, int64_t dim,
                            dgm_matrix **out) {
    dgm_status status = dgm_matrix_create(ctx, rows, dim, out);
    for (int64_t axis = 0; status == DGM_OK && axis < dim; axis++) {
        char text[64];
        snprintf(text, sizeof text, "%s%lld", name, (long long)axis + 1);
        status = dgm_matrix_set_column_name(ctx, *out, axis, text);
    }
    if (status != DGM_OK) {
        dgm_matrix_free(*out);
        *out = NULL;
    }
    return status;
}

void dgmi_reduce_report_begin(dgm_reduce_report *report, const char *method,
                              const dgm_points *points, int64_t dim) {
    if (report)
        *report = (dgm_reduce_report){
            .method = method, .rows = points->rows, .columns = points->columns, .dim = dim};
}

static void add_figure(dgm_reduce_report *report, const char *name, bool list, int64_t count,
                       const double *values) {
    if (!report || report->figure_count == DGM_REDUCE_FIGURES)
        return;
    dgm_reduce_figure *figure = &report->figures[report->figure_count++];
    figure->name = name;
    figure->list = list;
    figure->count = count < DGM_REDUCE_MOST ? count : DGM_REDUCE_MOST;
    memcpy(figure->values, values, (size_t)figure->count * sizeof *values);
}

void dgmi_reduce_report_number(dgm_reduce_report *report, const char *name, double value) {
    add_figure(report, name, false, 1, &value);
}

void dgmi_reduce_report_list(dgm_reduce_report *report, const char *name, int64_t count,
                             const double *values) {
    add_figure(report, name, true, count, values);
}
