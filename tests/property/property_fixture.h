/* SPDX-License-Identifier: Apache-2.0 */
/* What every property test begins with: a context, and the seed it prints. */
#ifndef PROPERTY_FIXTURE_H
#define PROPERTY_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "property_draw.h"

static dgm_context *ctx;
static uint64_t seed;

static inline int make_context(void **state) {
    (void)state;
    seed = check_random_seed();
    if (dgm_context_create(NULL, &ctx) != DGM_OK)
        return -1;
    dgm_context_set_threads(ctx, 1); /* small cases: threads cost more than they bring */
    return 0;
}

static inline int free_context(void **state) {
    (void)state;
    dgm_context_free(ctx);
    return 0;
}

/* The members of a cluster of a small graph, one bit a node. */
static inline uint64_t mask_of(const dgm_summary_clusters *clusters, int64_t i) {
    uint64_t mask = 0;
    for (int64_t m = clusters->offsets[i]; m < clusters->offsets[i + 1]; m++)
        mask |= UINT64_C(1) << clusters->members[m];
    return mask;
}

#endif
