/* SPDX-License-Identifier: Apache-2.0 */
/* Dense tables of real numbers: lenses, embeddings. Row-major, one row a node, columns may be
 * named. */
#ifndef DGM_MATRIX_H
#define DGM_MATRIX_H

#include <stdint.h>

#include "dgm/context.h"

typedef struct dgm_matrix dgm_matrix;

/* rows x columns zeros. */
DGM_API dgm_status dgm_matrix_create(dgm_context *ctx, int64_t rows, int64_t columns,
                                     dgm_matrix **out);
DGM_API void dgm_matrix_free(dgm_matrix *matrix); /* NULL is fine */

DGM_API int64_t dgm_matrix_rows(const dgm_matrix *matrix);
DGM_API int64_t dgm_matrix_columns(const dgm_matrix *matrix);
/* Row-major values, rows * columns of them; the second may be written to. */
DGM_API const double *dgm_matrix_values(const dgm_matrix *matrix);
DGM_API double *dgm_matrix_values_mutable(dgm_matrix *matrix);

/* The column's name, "axis1", "axis2", ... where none was set. Borrowed. */
DGM_API const char *dgm_matrix_column_name(const dgm_matrix *matrix, int64_t column);
DGM_API dgm_status dgm_matrix_set_column_name(dgm_context *ctx, dgm_matrix *matrix, int64_t column,
                                              const char *name);

/* How the column's values were transformed since its lens made them: "none" at first. Borrowed. */
DGM_API const char *dgm_matrix_column_transform(const dgm_matrix *matrix, int64_t column);
DGM_API dgm_status dgm_matrix_set_column_transform(dgm_context *ctx, dgm_matrix *matrix,
                                                   int64_t column, const char *transform);

/* The standard error of an estimated column: that of its least certain row, in the lens's own units
 * (before any transform). NaN, as at first: the column is exact. */
DGM_API double dgm_matrix_column_error(const dgm_matrix *matrix, int64_t column);
DGM_API void dgm_matrix_set_column_error(dgm_matrix *matrix, int64_t column, double error);

/* A note of every column that is constant to rounding (its range is at most 1e-9 of its largest
 * value): such an axis shows nothing, and a cover has one cell along it. One row says nothing. */
DGM_API void dgm_matrix_note_constant(dgm_context *ctx, const dgm_matrix *matrix);

/* Columns of all parts side by side, with their names, transforms and errors; every part has the
 * same number of rows. */
DGM_API dgm_status dgm_matrix_join(dgm_context *ctx, const dgm_matrix *const *parts, int count,
                                   dgm_matrix **out);

#endif
