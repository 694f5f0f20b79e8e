/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a text that belong to nodes of a graph, each by the name in its id column. */
#ifndef IO_ROWS_H
#define IO_ROWS_H

#include "dgm/graph.h"

#include "bytes_lines.h"

/* Finds the node whose name stands in that column of the row, and marks it in `met`, which has a
 * byte for each node. A name that the graph does not have is an error, and so is a second row for a
 * node. */
dgm_status dgmi_io_rows_match(const dgmi_bytes_lines *lines, int64_t id_column,
                              const dgm_graph_index *index, uint8_t *met, int64_t *node);

#endif
