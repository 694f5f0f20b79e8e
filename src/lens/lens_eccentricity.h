/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of eccentricities that a few searches give. */
#ifndef LENS_ECCENTRICITY_H
#define LENS_ECCENTRICITY_H

#include "lens_geodesic.h"

/* By place, in scratch memory: lower and upper bounds from at most `searches` sources of each
 * component of an undirected graph whose edges all have length 1. `exact`: all of them meet. `g` is
 * prepared (dgmi_geodesic_prepare); what it has found is overwritten. */
dgm_status dgmi_eccentricity_bound(dgm_context *ctx, dgmi_geodesic *g, int64_t searches,
                                   double **lower, double **upper, bool *exact);

#endif
