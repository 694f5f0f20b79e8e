/* SPDX-License-Identifier: Apache-2.0 */
/* Dense tables of real numbers. Lenses and embeddings are such tables: they have one row per node,
 * and their columns may have names. */
#ifndef DGM_MATRIX_H
#define DGM_MATRIX_H

#include <stdint.h>

#include "dgm/context.h"

typedef struct dgm_matrix dgm_matrix;

/* Makes a table of zeros, which the caller frees. */
DGM_API dgm_status dgm_matrix_create(dgm_context *ctx, int64_t rows, int64_t columns,
                                     dgm_matrix **out);
/* A table of values that the caller has, row after row, which are not copied. They must stay where
 * they are, unchanged, until the table is freed, and the caller frees them. The table only reads
 * them, and what writes into a table (dgm_transform_axes) makes a copy first. */
DGM_API dgm_status dgm_matrix_borrow(dgm_context *ctx, const double *values, int64_t rows,
                                     int64_t columns, dgm_matrix **out);
/* Makes the values the table's own: a copy of them where they were borrowed, and nothing otherwise.
 */
DGM_API dgm_status dgm_matrix_own(dgm_context *ctx, dgm_matrix *matrix);
DGM_API void dgm_matrix_free(dgm_matrix *matrix); /* NULL is fine */

DGM_API int64_t dgm_matrix_rows(const dgm_matrix *matrix);
DGM_API int64_t dgm_matrix_columns(const dgm_matrix *matrix);
/* Both return the rows * columns values, row after row. They belong to the matrix; those of the
 * second call may be written to. It returns NULL if the values are borrowed, until dgm_matrix_own
 * was called. */
DGM_API const double *dgm_matrix_values(const dgm_matrix *matrix);
DGM_API double *dgm_matrix_values_mutable(dgm_matrix *matrix);

/* The name of a column. A column without a name is called "axis1", "axis2", and so on. The text
 * belongs to the matrix; a name that is set is copied. */
DGM_API const char *dgm_matrix_column_name(const dgm_matrix *matrix, int64_t column);
DGM_API dgm_status dgm_matrix_set_column_name(dgm_context *ctx, dgm_matrix *matrix, int64_t column,
                                              const char *name);

/* How the values of a column were transformed after the lens computed them ("log", "rank", ...);
 * "none" unless it was set. The text belongs to the matrix; one that is set is copied. */
DGM_API const char *dgm_matrix_column_transform(const dgm_matrix *matrix, int64_t column);
DGM_API dgm_status dgm_matrix_set_column_transform(dgm_context *ctx, dgm_matrix *matrix,
                                                   int64_t column, const char *transform);

/* The standard error of a column whose values were estimated: the error of its least certain row,
 * in the units of the lens before any transform. NaN, the value at first, means that the column is
 * exact. */
DGM_API double dgm_matrix_column_error(const dgm_matrix *matrix, int64_t column);
DGM_API void dgm_matrix_set_column_error(dgm_matrix *matrix, int64_t column, double error);

/* Sends a note for each column that is constant up to rounding, which means that its range is at
 * most 1e-9 of its largest value. Such an axis shows nothing, and a cover has one cell along it. A
 * table with a single row gives no notes. */
DGM_API void dgm_matrix_note_constant(dgm_context *ctx, const dgm_matrix *matrix);

/* Makes a table of the columns of all parts, side by side, with their names, transforms and errors.
 * All parts must have the same number of rows. The caller frees the result. */
DGM_API dgm_status dgm_matrix_join(dgm_context *ctx, const dgm_matrix *const *parts, int count,
                                   dgm_matrix **out);

#endif
