/* SPDX-License-Identifier: Apache-2.0 */
/* A polynomial of a Laplacian. It helps an iterative method to separate the wanted eigenvalues from
 * a crowd of others. */
#ifndef SPECTRAL_FILTER_H
#define SPECTRAL_FILTER_H

#include "spectral_laplacian.h"

enum { DGMI_SPECTRAL_FILTER_DEGREE = 24 }; /* the most products that one application takes */

/* A filter for a matrix N whose diagonal is the same everywhere. It takes four single-precision
 * vectors of scratch memory. */
typedef struct dgmi_spectral_filter {
    const dgmi_spectral_laplacian *laplacian;
    double diagonal; /* the diagonal of N */
    double top;      /* about the largest eigenvalue of N, rather too large than too small */
    double mass;     /* the sum of B */
    float *inverse;  /* B^-1 */
    float *right;
    float *now,
        *before;      /* where the columns look for them: dgmi_spectral_adjacency_numbers values */
    double *partials; /* a sum per chunk */
} dgmi_spectral_filter;

/* Makes a filter and finds its `top` by some steps of Lanczos' method; *products counts them. */
dgm_status dgmi_spectral_filter_create(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                                       double diagonal, uint64_t seed, dgmi_spectral_filter *out,
                                       int64_t *products);
/* Computes x = q(N) x. Among all polynomials of this degree that are 1 at `shift`, the polynomial
 * 1 - q(z) (z - shift) is the smallest on [low, top], shift < low < top. The part of x that lies in
 * this crowd of eigenvalues becomes about (N - shift)^-1 x. The part along the null vector is
 * removed. `lowest` is the smallest eigenvalue whose vector x may contain. Returns the number of
 * products. */
int64_t dgmi_spectral_filter_apply(dgm_context *ctx, const dgmi_spectral_filter *filter,
                                   double shift, double low, double lowest, double *x);

#endif
