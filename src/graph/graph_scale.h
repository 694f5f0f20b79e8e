/* SPDX-License-Identifier: Apache-2.0 */
/* Weights so large or small that their sums and squares leave the range of numbers. */
#ifndef GRAPH_SCALE_H
#define GRAPH_SCALE_H

#include "dgm/graph.h"

/* 0 where the largest weight (by size) lies between 2^-20 and 2^20, or there is none; otherwise the
 * e for which it lies in [2^(e-1), 2^e): times 2^-e, weights are ordinary. */
int dgmi_graph_weights_exponent(dgm_graph_rows rows);
/* Gives the rows ordinary weights, in scratch memory where they were not: 2^-*exponent times what
 * they were, which changes no digit of any but those far below rounding. */
dgm_status dgmi_graph_weights_scale(dgm_context *ctx, dgm_graph_rows *rows, int *exponent);

#endif
