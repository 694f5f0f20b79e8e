/* SPDX-License-Identifier: Apache-2.0 */
/* Scales weights that are so large or so small that their sums or squares would leave the range of
 * floating-point numbers. */
#ifndef GRAPH_SCALE_H
#define GRAPH_SCALE_H

#include "dgm/graph.h"

/* Returns 0 if the weight of largest magnitude lies between 2^-20 and 2^20, or if there are no
 * weights. Otherwise it returns the e for which it lies in [2^(e-1), 2^e), so that weights times
 * 2^-e are of ordinary size. */
int dgmi_graph_weights_exponent(dgm_graph_rows rows);
/* Replaces weights of unusual size by weights of ordinary size, in scratch memory: 2^-*exponent
 * times what they were. No digit changes, except of weights far below the rounding error. */
dgm_status dgmi_graph_weights_scale(dgm_context *ctx, dgm_graph_rows *rows, int *exponent);

#endif
