/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of principal components: the centred table X and what is computed with it. */
#ifndef REDUCE_PCA_PARTS_H
#define REDUCE_PCA_PARTS_H

#include "dgm/reduce.h"

typedef struct dgmi_reduce_pca_data {
    dgm_context *ctx;
    const dgm_points *points;
    int64_t rows, columns;
    int64_t grain;   /* the rows of a chunk, which follow from the shape of X alone */
    double *mean;    /* the mean of each column */
    double variance; /* the sum of the variances of all columns */
    double *centred; /* all of X; NULL: it is made tile by tile, or it is sparse */
    double **tiles;  /* a tile for each thread, if X is made tile by tile */
    double *partial; /* the products of each chunk */
} dgmi_reduce_pca_data;

/* Finds means and variance, and makes X itself if it is small. All memory is scratch memory. */
dgm_status dgmi_reduce_pca_open(dgm_context *ctx, const dgm_points *points,
                                dgmi_reduce_pca_data *table);
/* Makes all of X, which then stays in memory. */
dgm_status dgmi_reduce_pca_fill(dgmi_reduce_pca_data *table);

/* Computes y = X'X x / (rows - 1) for `count` vectors, in one pass over X. Vector c begins at
 * x[c * columns]. */
dgm_status dgmi_reduce_pca_product(dgmi_reduce_pca_data *table, int64_t count, const double *x,
                                   double *y);
/* Computes the coordinates X v for `count` vectors v: scores[row * stride + c]. */
dgm_status dgmi_reduce_pca_project(dgmi_reduce_pca_data *table, int64_t count,
                                   const double *vectors, double *scores, int64_t stride);
/* Computes X'X / (rows - 1), which is columns x columns, or, if `by_rows` is set, XX' / (rows - 1),
 * which is rows x rows. All of X must be there. Only entries with j >= i are set. */
void dgmi_reduce_pca_gram(dgmi_reduce_pca_data *table, bool by_rows, double *gram);

#endif
