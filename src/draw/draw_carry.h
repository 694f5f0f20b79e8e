/* SPDX-License-Identifier: Apache-2.0 */
/* Carries a layout from one summary of a graph to another: the nodes stand where their clusters
 * were, and the new clusters start where their nodes stand. */
#ifndef DRAW_CARRY_H
#define DRAW_CARRY_H

#include "dgm/draw.h"

/* The anchor of a carried layout: a cluster keeps to its start as strongly as stress pulls. */
#define DGMI_DRAW_HOLD 1.0

/* Finds x and y of each node: the mean place of its clusters, or NaN if it lies in none. `count` is
 * room for one number per node. */
void dgmi_draw_carry_nodes(const dgm_summary_clusters *clusters, const dgm_places *places,
                           int64_t nodes, double *node, double *count);
/* Finds x and y of each cluster: the mean place of its nodes, or NaN if none has a place. */
void dgmi_draw_carry_clusters(const dgm_summary_clusters *clusters, const double *node,
                              double *start);

#endif
