/* SPDX-License-Identifier: Apache-2.0 */
/* A basis is a few long columns, such as the search space of an iterative method. Sums run over
 * fixed chunks, so that results do not depend on the number of threads. */
#ifndef SPECTRAL_BASIS_H
#define SPECTRAL_BASIS_H

#include <assert.h>
#include <stdint.h>

#include "dgm/context.h"

enum { DGMI_SPECTRAL_BASIS_MOST = 256 }; /* the largest number of columns */

typedef struct dgmi_spectral_basis {
    int64_t rows;
    double *values;   /* column c begins at values[c * rows] */
    double *partials; /* the sums of each chunk: DGMI_SPECTRAL_BASIS_MOST + 1 numbers */
} dgmi_spectral_basis;

/* Makes columns of `rows` numbers in scratch memory. The numbers are not set. */
dgm_status dgmi_spectral_basis_create(dgm_context *ctx, int64_t rows, int64_t columns,
                                      dgmi_spectral_basis *basis);
static inline double *dgmi_spectral_basis_column(const dgmi_spectral_basis *basis, int64_t column) {
    assert(column >= 0 && column < DGMI_SPECTRAL_BASIS_MOST);
    return basis->values + column * basis->rows;
}

/* Computes dots[c] = column c . x for c < count, and returns |x|^2. */
double dgmi_spectral_basis_dots(dgm_context *ctx, const dgmi_spectral_basis *basis, int64_t count,
                                const double *x, double *dots);
/* Computes x = factor * (x - sum over c < count of weights[c] * column c) and returns |x|^2. Unless
 * `dots` is NULL, it also gets the products of the new x with the columns, in the same pass. */
double dgmi_spectral_basis_subtract(dgm_context *ctx, const dgmi_spectral_basis *basis,
                                    int64_t count, const double *weights, double factor, double *x,
                                    double *dots);
/* Computes the residual of a Ritz pair, x = sum over c of weights[c] * (column c of images - value
 * * column c of basis), and returns |x|^2. */
double dgmi_spectral_basis_residual(dgm_context *ctx, const dgmi_spectral_basis *basis,
                                    const dgmi_spectral_basis *images, int64_t count,
                                    const double *weights, double value, double *x);
/* Replaces the `into` columns from `first` on by combinations of the `count` columns from `first`
 * on, into <= count. The weights of combination i begin at weights[i * count]. */
void dgmi_spectral_basis_combine(dgm_context *ctx, const dgmi_spectral_basis *basis, int64_t first,
                                 int64_t count, const double *weights, int64_t into);
void dgmi_spectral_basis_scale(dgm_context *ctx, int64_t rows, double factor, double *x);

#endif
