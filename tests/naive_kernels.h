/* SPDX-License-Identifier: Apache-2.0 */
/* The table of kernels (linalg_kernels.h) as anybody would write it: one plain loop for each, on one
 * thread, sums in double. To understand a fast kernel, read its twin here first.
 * tests/unit/test_naive_kernels.c holds the fast ones against these. */
#ifndef NAIVE_KERNELS_H
#define NAIVE_KERNELS_H

#include "linalg_embed.h"
#include "linalg_gaps.h"
#include "linalg_kernels.h"

/* All but dropout and dropout_at: which numbers those drop is theirs to say
 * (test_linalg_kernels_dropout.c looks at the statistics). */
extern const dgmi_kernels naive_kernels;

#endif
