/* SPDX-License-Identifier: Apache-2.0 */
/* Single-precision arrays of the neural rooms: views, which own nothing. */
#ifndef TABLE_TENSOR_H
#define TABLE_TENSOR_H

#include <assert.h>
#include <stdint.h>

/* Dense, row-major, rows without gaps. */
typedef struct dgmi_table_tensor {
    int64_t rows, columns;
    float *values;
} dgmi_table_tensor;

/* Compressed sparse rows. */
typedef struct dgmi_table_csr {
    int64_t rows, columns;
    const int64_t *offsets;  /* rows + 1 */
    const uint32_t *indices; /* columns, ascending in a row */
    const float *values;     /* NULL: all 1 */
} dgmi_table_csr;

static inline int64_t dgmi_table_tensor_count(const dgmi_table_tensor *tensor) {
    assert(tensor->rows >= 0 && tensor->columns >= 0);
    return tensor->rows * tensor->columns;
}

static inline int64_t dgmi_table_csr_entries(const dgmi_table_csr *matrix) {
    assert(matrix->rows >= 0 && matrix->offsets[0] == 0);
    return matrix->offsets[matrix->rows];
}

#endif
