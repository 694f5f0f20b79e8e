/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GRAPH_PREDICTIONS_H
#define GRAPH_PREDICTIONS_H

#include "dgm/predictions.h"

/* DGM_ERROR_USAGE where the predictions, which may be NULL, were made for a graph of another number
 * of nodes or of other classes. Whatever takes a graph and predictions asks this first. */
dgm_status dgmi_graph_predictions_check(dgm_context *ctx, const dgm_predictions *predictions,
                                        const dgm_graph *graph);

#endif
