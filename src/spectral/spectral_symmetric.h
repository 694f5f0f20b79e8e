/* SPDX-License-Identifier: Apache-2.0 */
/* The largest eigenvalues of symmetric matrices: of a dense matrix by LAPACK, and of any matrix by
 * products with vectors. */
#ifndef SPECTRAL_SYMMETRIC_H
#define SPECTRAL_SYMMETRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "dgm/context.h"

/* Finds the `count` largest eigenvalues, descending, of a dense matrix of size x size by LAPACK, in
 * O(size^3). Only the triangle of entries [i * size + j] with j >= i is read, and the matrix is
 * destroyed. The unit vector of values[i] begins at vectors[i * size]; its sign is arbitrary. */
dgm_status dgmi_spectral_symmetric_top(dgm_context *ctx, int64_t size, double *matrix,
                                       int64_t count, double *values, double *vectors);

/* Computes y = A x for `columns` vectors; vector c begins at x[c * size]. A status other than
 * DGM_OK ends the iteration. */
typedef dgm_status (*dgmi_spectral_product_fn)(void *user, int64_t columns, const double *x,
                                               double *y);

typedef struct dgmi_spectral_krylov_request {
    int64_t count;    /* how many eigenvectors are wanted */
    double tolerance; /* the largest |A v - value v|, as a share of the largest value */
    int64_t products; /* the most products of A with a block */
    int64_t width;    /* the number of vectors in a block: count and a few more */
    int64_t most;     /* the most vectors that are kept; then it restarts from the best of them */
    uint64_t seed;    /* the seed of the first block */
} dgmi_spectral_krylov_request;
typedef struct dgmi_spectral_krylov_report {
    bool converged;
    double residual; /* the largest, as a share of the largest value */
    int64_t products;
} dgmi_spectral_krylov_report;
/* Finds the `count` largest eigenvalues of a positive semidefinite A by block Krylov spaces with
 * full orthogonalisation: Golub and Underwood (1977); Musco and Musco, "Randomized block Krylov
 * methods" (2015). Multiple eigenvalues are found as often as they occur. If it does not converge,
 * it returns the best so far and says so in `report`. */
dgm_status dgmi_spectral_krylov_top(dgm_context *ctx, int64_t size,
                                    dgmi_spectral_product_fn product, void *user,
                                    const dgmi_spectral_krylov_request *request, double *values,
                                    double *vectors, dgmi_spectral_krylov_report *report);

#endif
