/* SPDX-License-Identifier: Apache-2.0 */
/* Transforms: what is done to the axes of a lens before they are cut into cells. Many lenses have a
 * few values that are far larger than all others. Intervals of equal length then put nearly all
 * nodes into one cell, unless the axis is transformed first.
 */
#ifndef DGM_TRANSFORM_H
#define DGM_TRANSFORM_H

#include "dgm/graph.h"
#include "dgm/matrix.h"

typedef enum dgm_transform {
    DGM_TRANSFORM_NONE, /* the values stay as they are */
    /* ln x. If the smallest value is 0, it is ln(1 + x / m) instead, where m is the smallest
     * positive value, and a note says so; a column of zeros stays as it is. A negative value is
     * DGM_ERROR_DATA, and the message names the node. */
    DGM_TRANSFORM_LOG,
    DGM_TRANSFORM_RANK,   /* the mid-rank of the value, scaled to [0, 1] */
    DGM_TRANSFORM_ZSCORE, /* (x - mean) / standard deviation; 0 if the column is constant */
} dgm_transform;
/* Returns "none", "log", ... in the order of the enum, then NULL. */
DGM_API const char *const *dgm_transform_names(void);

/* Transforms a column in place by a dgm_transform. The column keeps its name, and
 * dgm_matrix_column_transform becomes "log", "log1p", "rank" or "zscore". A table that borrows its
 * values copies them first (dgm_matrix_own), so that the caller's stay as they are. Messages take
 * the names of nodes from `graph`, which may be NULL. */
DGM_API dgm_status dgm_transform_column(dgm_context *ctx, const dgm_graph *graph, dgm_matrix *lens,
                                        int64_t column, int kind);
/* Transforms column i by kinds[i]. If there are more columns than kinds, the last kind is used for
 * the rest. More kinds than columns are DGM_ERROR_USAGE. */
DGM_API dgm_status dgm_transform_axes(dgm_context *ctx, const dgm_graph *graph, dgm_matrix *lens,
                                      const int *kinds, int count);
/* Reads a text such as "log" or "log,none,rank" and appends the transforms to `kinds`. The array
 * has room for DGM_MAX_AXES and holds *count of them already; *count is raised. */
DGM_API dgm_status dgm_transform_parse(dgm_context *ctx, const char *text, int *kinds, int *count);

#endif
