/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of the eccentricities of all nodes, from a few searches. */
#ifndef LENS_ECCENTRICITY_H
#define LENS_ECCENTRICITY_H

#include "graph_patches.h"

/* Bounds the eccentricities by searches from at most `searches` sources of each component. The
 * graph is undirected, and all its edges have length 1. The bounds are in scratch memory, by place.
 * If all lower and upper bounds meet, *exact is true and both are the same array. */
dgm_status dgmi_lens_eccentricity_bound(dgm_context *ctx, const dgmi_graph_patches *patches,
                                        int64_t searches, double **lower, double **upper,
                                        bool *exact);

#endif
