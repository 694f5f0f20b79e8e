/* SPDX-License-Identifier: Apache-2.0 */
/* A polynomial of a Laplacian that thins out a crowd of eigenvalues. */
#ifndef SPECTRAL_FILTER_H
#define SPECTRAL_FILTER_H

#include "spectral_laplacian.h"

enum { DGMI_SPECTRAL_FILTER_DEGREE = 24 }; /* products of one application, at most */

/* For N whose diagonal is the same everywhere. Scratch memory: four single-precision vectors. */
typedef struct dgmi_spectral_filter {
    const dgmi_spectral_laplacian *laplacian;
    double diagonal; /* of N */
    double top;      /* about the largest eigenvalue of N, rather above than below */
    double mass;     /* the sum of B */
    float *inverse;  /* B^-1 */
    float *right;
    float *now,
        *before;      /* where the columns look for them: dgmi_spectral_adjacency_numbers values */
    double *partials; /* a sum per chunk */
} dgmi_spectral_filter;

/* Finds the top by some steps of Lanczos' method; *products counts them. */
dgm_status dgmi_spectral_filter_create(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                                       double diagonal, uint64_t seed, dgmi_spectral_filter *out,
                                       int64_t *products);
/* x = q(N) x, where 1 - q(z) (z - shift) is the polynomial that is smallest on [low, top] of all
 * with this degree that are 1 at `shift`, shift < low < top: x is then about (N - shift)^-1 x as
 * far as it lies in that crowd. The null vector's share is removed. `lowest` is the smallest
 * eigenvalue that x may have a share of. Returns the products made. */
int64_t dgmi_spectral_filter_apply(dgm_context *ctx, const dgmi_spectral_filter *filter,
                                   double shift, double low, double lowest, double *x);

#endif
