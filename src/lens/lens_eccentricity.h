/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of the eccentricities of all nodes, from a few searches. */
#ifndef LENS_ECCENTRICITY_H
#define LENS_ECCENTRICITY_H

#include "graph_patches.h"

/* By place, in scratch memory: lower and upper bounds from at most `searches` sources of each
 * component of an undirected graph whose edges all have length 1. `exact`: all of them meet, and
 * both are the same array. */
dgm_status dgmi_lens_eccentricity_bound(dgm_context *ctx, const dgmi_graph_patches *patches,
                                        int64_t searches, double **lower, double **upper,
                                        bool *exact);

#endif
