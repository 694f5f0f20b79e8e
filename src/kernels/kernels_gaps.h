/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that compute the distances between a few points and a few others, and find those that are
 * small. There is one table per instruction set, and kernels_kernels.h points to it.
 */
#ifndef KERNELS_GAPS_H
#define KERNELS_GAPS_H

#include <stdint.h>

#include "kernels_kernels.h"

/* One call of the kernel: the squares of the distances between some points, the rows, and others,
 * the columns of a slab, and which of them are small. */
enum { DGMI_KERNELS_GAP_ROWS = 4, DGMI_KERNELS_GAP_COLUMNS = 16 };
typedef struct dgmi_kernels_gaps {
    int64_t dim;             /* the number of coordinates of a point */
    int64_t rows;            /* the number of rows */
    int64_t columns;         /* the columns of the slab: a multiple of DGMI_KERNELS_GAP_COLUMNS */
    const float *const *row; /* a pointer to the coordinates of each row */
    const float *slab;       /* the columns, as `lay` puts them */
    const float *row_limits; /* the limit of each row */
    const float *limits;     /* the limit of each column */
    float *squares;          /* the result: rows x columns squares of distances */
    uint16_t
        *below; /* the result: rows x blocks of columns. A bit is set if the square is below the
                        larger one of its row's and its column's limit. */
} dgmi_kernels_gaps;

typedef struct dgmi_kernels_gap_table {
    void (*gaps)(const dgmi_kernels_gaps *job);
    /* Puts columns into a slab of dim * columns numbers. It has a block of
     * dim x DGMI_KERNELS_GAP_COLUMNS numbers for as many columns. */
    void (*lay)(int64_t dim, const float *const *column, int64_t columns, float *slab);
} dgmi_kernels_gap_table;

/* Returns the table of that instruction set, or NULL if this processor cannot run it. If `name` is
 * NULL, it is the best one that it can run. */
static inline const dgmi_kernels_gap_table *dgmi_kernels_gap_find(const char *name) {
    const dgmi_kernels *kernels = dgmi_kernels_find(name);
    return kernels ? kernels->gap : NULL;
}

#endif
