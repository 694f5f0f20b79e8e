/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of a dgm_matrix that only the library needs. */
#ifndef TABLE_MATRIX_H
#define TABLE_MATRIX_H

#include <math.h>
#include <stdbool.h>

#include "dgm/matrix.h"

/* A matrix of values that are there already: takes over `values` (rows * columns, from the
 * context's allocator), and frees them on failure. */
dgm_status dgmi_table_matrix_adopt(dgm_context *ctx, int64_t rows, int64_t columns, double *values,
                                   dgm_matrix **out);

/* The number of the class whose scores the column holds; -1: it holds none, or nobody knows whose.
 */
int32_t dgmi_table_matrix_column_class(const dgm_matrix *matrix, int64_t column);
void dgmi_table_matrix_set_column_class(dgm_matrix *matrix, int64_t column, int32_t number);

/* Values from low to high differ by no more than rounding. */
static inline bool dgmi_table_is_constant(double low, double high) {
    double size = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    return !(high - low > 1e-9 * size);
}

#endif
