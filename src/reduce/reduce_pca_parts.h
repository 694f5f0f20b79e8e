/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of principal components: the centred table X and what is computed with it. */
#ifndef REDUCE_PCA_PARTS_H
#define REDUCE_PCA_PARTS_H

#include "dgm/reduce.h"

typedef struct dgmi_reduce_pca_data {
    dgm_context *ctx;
    const dgm_points *points;
    int64_t rows, columns;
    int64_t grain;   /* rows of a chunk; chunks depend on the shape alone */
    double *mean;    /* of each column */
    double variance; /* of all columns together */
    double *centred; /* X whole, or NULL: made tile by tile, or sparse */
    double **tiles;  /* of each thread, where X is made tile by tile */
    double *partial; /* of each chunk, for products */
} dgmi_reduce_pca_data;

/* Means and variance; X itself where it is small. All memory is scratch. */
dgm_status dgmi_reduce_pca_open(dgm_context *ctx, const dgm_points *points,
                                dgmi_reduce_pca_data *table);
/* Keeps X whole from here on. */
dgm_status dgmi_reduce_pca_fill(dgmi_reduce_pca_data *table);

/* y = X'X x / (rows - 1) for `count` vectors of `columns` entries: x[c * columns ..]. One pass. */
dgm_status dgmi_reduce_pca_product(dgmi_reduce_pca_data *table, int64_t count, const double *x,
                                   double *y);
/* Coordinates X v: scores[row * stride + c]. */
dgm_status dgmi_reduce_pca_project(dgmi_reduce_pca_data *table, int64_t count,
                                   const double *vectors, double *scores, int64_t stride);
/* X'X / (rows - 1), columns x columns, or XX' / (rows - 1), rows x rows; X is whole. Entries with
 * j >= i are set. */
void dgmi_reduce_pca_gram(dgmi_reduce_pca_data *table, bool by_rows, double *gram);

#endif
