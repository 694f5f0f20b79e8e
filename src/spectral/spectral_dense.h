/* SPDX-License-Identifier: Apache-2.0 */
/* All eigenpairs of a small dense symmetric matrix, without LAPACK. */
#ifndef SPECTRAL_DENSE_H
#define SPECTRAL_DENSE_H

#include <stdbool.h>
#include <stdint.h>

/* Finds all eigenpairs of a symmetric matrix of `size` x `size` numbers, of which the lower
 * triangle is read: values ascending, and vectors[i * size ..] the unit vector of values[i].
 * `matrix` is left as it is and may not be `vectors`; `space` holds `size` numbers. It returns
 * false if an entry or an eigenvalue is not finite. It takes O(size^3). */
bool dgmi_spectral_dense_eigen(int64_t size, const double *matrix, double *values, double *vectors,
                               double *space);

#endif
