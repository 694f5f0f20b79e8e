/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GRAPH_TRANSPOSE_H
#define GRAPH_TRANSPOSE_H

#include "dgm/graph.h"

/* Who points at each node, in scratch memory: the rows of the transpose, sources ascending, with
 * the weights where `rows` has them. By counting, O(n + m). */
dgm_status dgmi_graph_rows_transpose(dgm_context *ctx, dgm_graph_rows rows, dgm_graph_rows *out);

#endif
