/* SPDX-License-Identifier: Apache-2.0 */
/* Places in the plane that a figure has by design, and not by a layout. */
#ifndef REPRODUCE_PLACES_H
#define REPRODUCE_PLACES_H

#include "dgm/draw.h"

typedef struct dgmi_reproduce_place {
    double x, y;
} dgmi_reproduce_place;

/* Puts the nodes of a view where they are to stand, all with one radius. There is a place for each
 * of them. */
dgm_status dgmi_reproduce_place_nodes(dgm_context *ctx, const dgmi_reproduce_place *places,
                                      double radius, dgm_view *view);

/* Puts each cluster of a view of the summary in the middle of its nodes' places. Its radius is
 * `radius` and `per_root` times the root of its number of nodes, together. */
dgm_status dgmi_reproduce_place_clusters(dgm_context *ctx, const dgmi_reproduce_place *places,
                                         const dgm_summary *summary, double radius, double per_root,
                                         dgm_view *view);

#endif
