/* SPDX-License-Identifier: Apache-2.0 */
/* The table of kernels (kernels_kernels.h) as anybody would write it: one plain loop for each, on one
 * thread, sums in double. To understand a fast kernel, read its twin here first.
 * tests/unit/test_naive_kernels.c holds the fast ones against these. */
#ifndef NAIVE_KERNELS_H
#define NAIVE_KERNELS_H

#include "kernels_embed.h"
#include "kernels_gaps.h"
#include "kernels_kernels.h"

/* All but dropout and dropout_at: which numbers those drop is theirs to say
 * (test_kernels_dropout.c looks at the statistics). */
extern const dgmi_kernels naive_kernels;

/* Returns f(x), or NaN if there is no such function. */
double naive_function(dgmi_kernels_function f, double x);
/* Returns f'(x), given only y = f(x). */
double naive_slope(dgmi_kernels_function f, double y);

#endif
