/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses of distances, run on small graphs. */
#ifndef DISTANCE_SAMPLE_H
#define DISTANCE_SAMPLE_H

#include "unit_fixture.h"

#include "../check_lens.h"

enum { MOST = 2048 }; /* edges of a graph that is made here */

static inline dgm_matrix *run(const dgm_graph *graph, const char *lens, int64_t seed) {
    dgm_matrix *out;
    if (lens_axes(ctx, graph, lens, seed, &out) != DGM_OK)
        fail_msg("%s: %s", lens, dgm_context_error(ctx));
    return out;
}

#endif
