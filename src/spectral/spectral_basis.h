/* SPDX-License-Identifier: Apache-2.0 */
/* A few long columns, as search spaces of iterative methods have them. Every sum is made of the
 * same pieces whatever the number of threads. */
#ifndef SPECTRAL_BASIS_H
#define SPECTRAL_BASIS_H

#include <assert.h>
#include <stdint.h>

#include "dgm/context.h"

enum { DGMI_SPECTRAL_BASIS_MOST = 256 }; /* columns */

typedef struct dgmi_spectral_basis {
    int64_t rows;
    double *values;   /* column c is values[c * rows ..] */
    double *partials; /* space for sums: a row of DGMI_SPECTRAL_BASIS_MOST + 1 a chunk */
} dgmi_spectral_basis;

/* Columns of `rows` numbers from the scratch arena, not set. */
dgm_status dgmi_spectral_basis_create(dgm_context *ctx, int64_t rows, int64_t columns,
                                      dgmi_spectral_basis *basis);
static inline double *dgmi_spectral_basis_column(const dgmi_spectral_basis *basis, int64_t column) {
    assert(column >= 0 && column < DGMI_SPECTRAL_BASIS_MOST);
    return basis->values + column * basis->rows;
}

/* dots[c] = column c . x, for c < count; returns |x|^2 */
double dgmi_spectral_basis_dots(dgm_context *ctx, const dgmi_spectral_basis *basis, int64_t count,
                                const double *x, double *dots);
/* x = factor * (x - sum over c < count of weights[c] * column c); returns |x|^2, and dots as above
 * of the new x unless NULL: one passage over the columns does both. */
double dgmi_spectral_basis_subtract(dgm_context *ctx, const dgmi_spectral_basis *basis,
                                    int64_t count, const double *weights, double factor, double *x,
                                    double *dots);
/* x = sum of weights[c] * (images' column c - value * basis' column c): the residual of a Ritz
 * pair. Returns |x|^2. */
double dgmi_spectral_basis_residual(dgm_context *ctx, const dgmi_spectral_basis *basis,
                                    const dgmi_spectral_basis *images, int64_t count,
                                    const double *weights, double value, double *x);
/* Columns first .. first + into - 1 become the combinations of columns first .. first + count - 1
 * with weights[i * count ..], i < into <= count. */
void dgmi_spectral_basis_combine(dgm_context *ctx, const dgmi_spectral_basis *basis, int64_t first,
                                 int64_t count, const double *weights, int64_t into);
void dgmi_spectral_basis_scale(dgm_context *ctx, int64_t rows, double factor, double *x);

#endif
