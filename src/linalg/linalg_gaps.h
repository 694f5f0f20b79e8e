/* SPDX-License-Identifier: Apache-2.0 */
/* Distances between few points and few others, which of them are small, and points laid side by
 * side for it. One table an instruction set; linalg_kernels.h points to it.
 */
#ifndef LINALG_GAPS_H
#define LINALG_GAPS_H

#include <stdint.h>

#include "linalg_kernels.h"

/* Rows against a panel of columns: squares of distances between points, and which are small. */
enum { DGMI_GAP_ROWS = 4, DGMI_GAP_COLUMNS = 16 };
typedef struct dgmi_gaps {
    int64_t dim, rows;
    int64_t columns;         /* of the panel, a multiple of DGMI_GAP_COLUMNS */
    const float *const *row; /* rows pointers to dim coordinates each */
    const float *panel;      /* from `lay` */
    const float *row_limits; /* rows */
    const float *limits;     /* columns */
    float *squares;          /* out: rows x columns */
    uint16_t *below; /* out: rows x blocks of columns, a bit where the square is below the larger
                        of both limits */
} dgmi_gaps;

typedef struct dgmi_gap_kernels {
    void (*gaps)(const dgmi_gaps *job);
    /* A panel of dim * columns numbers, block by block: dim x DGMI_GAP_COLUMNS each. */
    void (*lay)(int64_t dim, const float *const *column, int64_t columns, float *panel);
} dgmi_gap_kernels;

/* The best that this processor runs; `name` NULL, or one of the names (NULL if it cannot run). */
static inline const dgmi_gap_kernels *dgmi_gap_kernels_find(const char *name) {
    const dgmi_kernels *kernels = dgmi_kernels_find(name);
    return kernels ? kernels->gap : NULL;
}

#endif
