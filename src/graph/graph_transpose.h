/* SPDX-License-Identifier: Apache-2.0 */
/* The transpose of sparse rows: for each node, the nodes that point at it. */
#ifndef GRAPH_TRANSPOSE_H
#define GRAPH_TRANSPOSE_H

#include "dgm/graph.h"

/* Makes the rows of the transpose in scratch memory, by counting, in O(n + m). The sources of each
 * row ascend, and there are weights if `rows` has them. */
dgm_status dgmi_graph_rows_transpose(dgm_context *ctx, dgm_graph_rows rows, dgm_graph_rows *out);

#endif
