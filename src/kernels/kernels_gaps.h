/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that compute the distances between a few points and a few others, and find those that are
 * small. There is one table per instruction set, and kernels_kernels.h points to it.
 */
#ifndef KERNELS_GAPS_H
#define KERNELS_GAPS_H

#include <stdint.h>

#include "kernels_kernels.h"

/* Rows against a slab of columns: squares of distances between points, and which are small. */
enum { DGMI_KERNELS_GAP_ROWS = 4, DGMI_KERNELS_GAP_COLUMNS = 16 };
typedef struct dgmi_kernels_gaps {
    int64_t dim, rows;
    int64_t columns;         /* of the slab, a multiple of DGMI_KERNELS_GAP_COLUMNS */
    const float *const *row; /* rows pointers to dim coordinates each */
    const float *slab;       /* from `lay` */
    const float *row_limits; /* rows */
    const float *limits;     /* columns */
    float *squares;          /* out: rows x columns */
    uint16_t *below; /* out: rows x blocks of columns, a bit where the square is below the larger
                        of both limits */
} dgmi_kernels_gaps;

typedef struct dgmi_kernels_gap_table {
    void (*gaps)(const dgmi_kernels_gaps *job);
    /* A slab of dim * columns numbers, block by block: dim x DGMI_KERNELS_GAP_COLUMNS each. */
    void (*lay)(int64_t dim, const float *const *column, int64_t columns, float *slab);
} dgmi_kernels_gap_table;

/* The best that this processor runs; `name` NULL, or one of the names (NULL if it cannot run). */
static inline const dgmi_kernels_gap_table *dgmi_kernels_gap_find(const char *name) {
    const dgmi_kernels *kernels = dgmi_kernels_find(name);
    return kernels ? kernels->gap : NULL;
}

#endif
