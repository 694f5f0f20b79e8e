/* SPDX-License-Identifier: Apache-2.0 */
/* An excerpt: some nodes of an explorer's graph as a graph of their own, with their rows of the lens
 * and their predictions. */
#ifndef EXPLORE_EXCERPT_H
#define EXPLORE_EXCERPT_H

#include "dgm/explore.h"

typedef struct dgmi_explore_excerpt {
    dgm_graph *graph;
    dgm_matrix *axes;
    dgm_predictions *predictions; /* NULL: there are none */
} dgmi_explore_excerpt;

/* Makes an excerpt, which the caller frees, also after a failure. */
dgm_status dgmi_explore_excerpt_make(dgm_context *ctx, const dgm_explorer *explorer,
                                     const uint32_t *nodes, int64_t count, bool features,
                                     dgmi_explore_excerpt *out);
void dgmi_explore_excerpt_free(dgmi_explore_excerpt *excerpt);

#endif
