/* SPDX-License-Identifier: Apache-2.0 */
#include "table_matrix.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"

struct dgm_matrix {
    dgm_allocator allocator;
    int64_t rows, columns;
    const double *values; /* rows * columns: `owned`, or the caller's */
    double *owned;        /* NULL: the values are the caller's */
    char **names;         /* one per column */
    char **transforms;    /* one per column; NULL: none */
    double *errors;       /* one per column; NaN: exact */
    int32_t *classes;     /* one per column; -1: it is no class's, or nobody knows which */
};

static dgm_status set_default_names(dgm_context *ctx, dgm_matrix *matrix) {
    for (int64_t k = 0; k < matrix->columns; k++) {
        char name[32];
        snprintf(name, sizeof name, "axis%lld", (long long)k + 1);
        matrix->names[k] = dgmi_strdup(ctx, name);
        if (!matrix->names[k])
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

static dgm_status check_size(dgm_context *ctx, int64_t rows, int64_t columns) {
    if (rows >= 0 && columns >= 0 && (columns == 0 || rows <= INT64_MAX / columns))
        return DGM_OK;
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "a matrix of %lld rows and %lld columns is not possible",
                     (long long)rows, (long long)columns);
}

/* A matrix without values, which knows its columns. */
static dgm_status describe(dgm_context *ctx, int64_t rows, int64_t columns, dgm_matrix **out) {
    *out = NULL;
    dgm_matrix *matrix = dgmi_alloc_zero(ctx, 1, sizeof *matrix);
    if (!matrix)
        return DGM_ERROR_MEMORY;
    matrix->allocator = ctx->allocator;
    matrix->names = dgmi_alloc_zero(ctx, columns, sizeof *matrix->names);
    matrix->transforms = dgmi_alloc_zero(ctx, columns, sizeof *matrix->transforms);
    matrix->errors = dgmi_alloc(ctx, columns, sizeof *matrix->errors);
    matrix->classes = dgmi_alloc(ctx, columns, sizeof *matrix->classes);
    bool described = matrix->names && matrix->transforms && matrix->errors && matrix->classes;
    matrix->columns = described ? columns : 0;
    matrix->rows = rows;
    if (!described || set_default_names(ctx, matrix) != DGM_OK) {
        dgm_matrix_free(matrix);
        return DGM_ERROR_MEMORY;
    }
    for (int64_t k = 0; k < columns; k++) {
        matrix->errors[k] = NAN;
        matrix->classes[k] = -1;
    }
    *out = matrix;
    return DGM_OK;
}

dgm_status dgm_matrix_create(dgm_context *ctx, int64_t rows, int64_t columns, dgm_matrix **out) {
    *out = NULL;
    dgm_status status = check_size(ctx, rows, columns);
    double *values = status == DGM_OK ? dgmi_alloc_zero(ctx, rows * columns, sizeof *values) : NULL;
    if (status == DGM_OK)
        status =
            values ? dgmi_table_matrix_adopt(ctx, rows, columns, values, out) : DGM_ERROR_MEMORY;
    return status;
}

dgm_status dgm_matrix_borrow(dgm_context *ctx, const double *values, int64_t rows, int64_t columns,
                             dgm_matrix **out) {
    *out = NULL;
    dgm_status status = check_size(ctx, rows, columns);
    if (status == DGM_OK)
        status = describe(ctx, rows, columns, out);
    if (status == DGM_OK)
        (*out)->values = values;
    return status;
}

dgm_status dgmi_table_matrix_adopt(dgm_context *ctx, int64_t rows, int64_t columns, double *values,
                                   dgm_matrix **out) {
    assert(rows >= 0 && columns >= 0 && values);
    dgm_status status = describe(ctx, rows, columns, out);
    if (status != DGM_OK) {
        dgmi_free(ctx, values);
        return status;
    }
    (*out)->values = (*out)->owned = values;
    return DGM_OK;
}

dgm_status dgm_matrix_own(dgm_context *ctx, dgm_matrix *matrix) {
    if (matrix->owned)
        return DGM_OK;
    int64_t count = matrix->rows * matrix->columns;
    double *copy = dgmi_allocator_resize(&matrix->allocator, NULL, count, sizeof *copy);
    if (!copy)
        return dgmi_fail_memory(ctx, count, sizeof *copy);
    if (count > 0)
        memcpy(copy, matrix->values, (size_t)count * sizeof *copy);
    matrix->values = matrix->owned = copy;
    return DGM_OK;
}

void dgm_matrix_free(dgm_matrix *matrix) {
    if (!matrix)
        return;
    dgm_allocator allocator = matrix->allocator;
    for (int64_t k = 0; k < matrix->columns; k++) {
        dgmi_allocator_free(&allocator, matrix->names[k]);
        dgmi_allocator_free(&allocator, matrix->transforms[k]);
    }
    dgmi_allocator_free(&allocator, matrix->names);
    dgmi_allocator_free(&allocator, matrix->transforms);
    dgmi_allocator_free(&allocator, matrix->errors);
    dgmi_allocator_free(&allocator, matrix->classes);
    dgmi_allocator_free(&allocator, matrix->owned);
    dgmi_allocator_free(&allocator, matrix);
}

int64_t dgm_matrix_rows(const dgm_matrix *matrix) {
    return matrix->rows;
}

int64_t dgm_matrix_columns(const dgm_matrix *matrix) {
    return matrix->columns;
}

const double *dgm_matrix_values(const dgm_matrix *matrix) {
    return matrix->values;
}

double *dgm_matrix_values_mutable(dgm_matrix *matrix) {
    return matrix->owned;
}

const char *dgm_matrix_column_name(const dgm_matrix *matrix, int64_t column) {
    return matrix->names[column];
}

static dgm_status replace_text(dgm_context *ctx, const dgm_matrix *matrix, char **text,
                               const char *with) {
    char *copy = dgmi_strdup(ctx, with);
    if (!copy)
        return DGM_ERROR_MEMORY;
    dgmi_allocator_free(&matrix->allocator, *text);
    *text = copy;
    return DGM_OK;
}

dgm_status dgm_matrix_set_column_name(dgm_context *ctx, dgm_matrix *matrix, int64_t column,
                                      const char *name) {
    return replace_text(ctx, matrix, &matrix->names[column], name);
}

const char *dgm_matrix_column_transform(const dgm_matrix *matrix, int64_t column) {
    return matrix->transforms[column] ? matrix->transforms[column] : "none";
}

dgm_status dgm_matrix_set_column_transform(dgm_context *ctx, dgm_matrix *matrix, int64_t column,
                                           const char *transform) {
    return replace_text(ctx, matrix, &matrix->transforms[column], transform);
}

double dgm_matrix_column_error(const dgm_matrix *matrix, int64_t column) {
    return matrix->errors[column];
}

void dgm_matrix_set_column_error(dgm_matrix *matrix, int64_t column, double error) {
    matrix->errors[column] = error;
}

int32_t dgmi_table_matrix_column_class(const dgm_matrix *matrix, int64_t column) {
    assert(column >= 0 && column < matrix->columns);
    return matrix->classes[column];
}

void dgmi_table_matrix_set_column_class(dgm_matrix *matrix, int64_t column, int32_t number) {
    assert(column >= 0 && column < matrix->columns);
    matrix->classes[column] = number;
}

/* What is known of a column beside its values. */
static dgm_status describe_column(dgm_context *ctx, dgm_matrix *whole, int64_t column,
                                  const dgm_matrix *part, int64_t from) {
    dgm_status status = dgm_matrix_set_column_name(ctx, whole, column, part->names[from]);
    if (status == DGM_OK && part->transforms[from])
        status = dgm_matrix_set_column_transform(ctx, whole, column, part->transforms[from]);
    whole->errors[column] = part->errors[from];
    whole->classes[column] = part->classes[from];
    return status;
}

/* Copies `part` into the columns of `whole` from `first` on. */
static dgm_status place(dgm_context *ctx, dgm_matrix *whole, int64_t first,
                        const dgm_matrix *part) {
    for (int64_t row = 0; row < part->rows; row++)
        memcpy(whole->owned + row * whole->columns + first, part->values + row * part->columns,
               (size_t)part->columns * sizeof *part->values);
    for (int64_t k = 0; k < part->columns; k++)
        if (describe_column(ctx, whole, first + k, part, k) != DGM_OK)
            return DGM_ERROR_MEMORY;
    return DGM_OK;
}

dgm_status dgm_matrix_join(dgm_context *ctx, const dgm_matrix *const *parts, int count,
                           dgm_matrix **out) {
    *out = NULL;
    int64_t columns = 0;
    for (int i = 0; i < count; i++) {
        if (parts[i]->rows != parts[0]->rows)
            return dgmi_fail(ctx, DGM_ERROR_DATA,
                             "matrices of %lld and %lld rows cannot stand side by side",
                             (long long)parts[0]->rows, (long long)parts[i]->rows);
        columns += parts[i]->columns;
    }
    dgm_matrix *whole;
    dgm_status status = dgm_matrix_create(ctx, count ? parts[0]->rows : 0, columns, &whole);
    for (int64_t i = 0, first = 0; status == DGM_OK && i < count; first += parts[i++]->columns)
        status = place(ctx, whole, first, parts[i]);
    if (status != DGM_OK) {
        dgm_matrix_free(whole);
        return status;
    }
    *out = whole;
    return DGM_OK;
}

/* ---- constant columns ---- */

static bool is_constant(const dgm_matrix *matrix, int64_t column) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < matrix->rows; i++) {
        double value = matrix->values[i * matrix->columns + column];
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    return low <= high && dgmi_table_is_constant(low, high);
}

void dgm_matrix_note_constant(dgm_context *ctx, const dgm_matrix *matrix) {
    int64_t count = 0, first = -1;
    for (int64_t k = 0; matrix->rows > 1 && k < matrix->columns; k++)
        if (is_constant(matrix, k)) {
            first = count++ ? first : k;
        }
    if (count == 0)
        return;
    double value = matrix->values[first];
    if (count == 1)
        dgmi_note(ctx, "the axis '%s' is constant: every row is %.6g, so it tells none apart",
                  matrix->names[first], value);
    else
        dgmi_note(ctx,
                  "%lld of %lld axes are constant, '%s' (every row is %.6g) the first: they tell "
                  "no rows apart",
                  (long long)count, (long long)matrix->columns, matrix->names[first], value);
}
