/* SPDX-License-Identifier: Apache-2.0 */
/* The check that predictions belong to a graph. Every call that takes both makes it first. */
#ifndef GRAPH_PREDICTIONS_H
#define GRAPH_PREDICTIONS_H

#include "dgm/predictions.h"

/* Returns DGM_ERROR_USAGE if the predictions, which may be NULL, were made for a graph with another
 * number of nodes or with other classes. */
dgm_status dgmi_graph_predictions_check(dgm_context *ctx, const dgm_predictions *predictions,
                                        const dgm_graph *graph);

#endif
