/* SPDX-License-Identifier: Apache-2.0 */
/* How likely chance alone is to make a set of nodes differ from the others. */
#ifndef MAPPER_CHANCE_H
#define MAPPER_CHANCE_H

#include <stdint.h>

#include "dgm/context.h"

/* Returns log(0!), ..., log(most!) in scratch memory, or NULL. */
double *dgmi_mapper_log_factorials(dgm_context *ctx, int64_t most);

/* Of `all` nodes `willing` answer yes. Returns twice the probability that among `drawn` nodes at random
 * at least (or at most, whichever is less likely) `found` answer yes; at most 1. The logarithms
 * reach up to `all`. */
double dgmi_mapper_chance_of_count(const double *logs, int64_t all, int64_t willing, int64_t drawn,
                                   int64_t found);

/* `inside` of `all` values have ranks of this sum. Returns how likely a sum at least as far from its
 * mean is, in either direction, by Mann and Whitney's normal approximation. `ties` is the sum of
 * t^3 - t over all groups of t equal values. */
double dgmi_mapper_chance_of_ranks(int64_t all, int64_t inside, double rank_sum, double ties);

/* Returns 1 + 1/2 + ... + 1/n. */
double dgmi_mapper_harmonic(int64_t n);

/* Fills q from p, which ascends: the first `count` of `tests` probabilities. Those that are not
 * given are larger than all of these. After Benjamini and Yekutieli (2001), theorem 1.3. */
void dgmi_mapper_false_discoveries(const double *p, int64_t count, int64_t tests, double *q);

#endif
