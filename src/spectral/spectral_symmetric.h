/* SPDX-License-Identifier: Apache-2.0 */
/* The largest eigenvalues of symmetric matrices: small ones whole, others by their products. */
#ifndef SPECTRAL_SYMMETRIC_H
#define SPECTRAL_SYMMETRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "dgm/context.h"

/* The `count` largest eigenvalues, descending, of a dense matrix of size x size, of which one
 * triangle is read (entries [i * size + j], j >= i) and which is destroyed. vectors[i * size ..] is
 * the unit vector of values[i]; their signs are as they come. LAPACK, O(size^3). */
dgm_status dgmi_spectral_symmetric_top(dgm_context *ctx, int64_t size, double *matrix,
                                       int64_t count, double *values, double *vectors);

/* y = A x for `columns` vectors, x[c * size ..]; a status other than DGM_OK ends the iteration. */
typedef dgm_status (*dgmi_spectral_product_fn)(void *user, int64_t columns, const double *x,
                                               double *y);

typedef struct dgmi_spectral_krylov_request {
    int64_t count;    /* eigenvectors wanted */
    double tolerance; /* of |A v - value v|, as a share of the largest value */
    int64_t products; /* at most so many of whole blocks */
    int64_t width;    /* vectors of a block: count and a few more */
    int64_t most;     /* vectors kept at once; then the best of them start again */
    uint64_t seed;
} dgmi_spectral_krylov_request;
typedef struct dgmi_spectral_krylov_report {
    bool converged;
    double residual; /* the largest, as a share of the largest value */
    int64_t products;
} dgmi_spectral_krylov_report;
/* The `count` largest of a positive semidefinite A by block Krylov spaces with full
 * orthogonalisation: Golub and Underwood (1977); Musco and Musco, "Randomized block Krylov methods"
 * (2015). Multiple values are found as often as they occur. Takes what was reached where it does
 * not converge, and says so in `report`. */
dgm_status dgmi_spectral_krylov_top(dgm_context *ctx, int64_t size,
                                    dgmi_spectral_product_fn product, void *user,
                                    const dgmi_spectral_krylov_request *request, double *values,
                                    double *vectors, dgmi_spectral_krylov_report *report);

#endif
