/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a graph builder, which its three files share: graph_builder.c collects edges,
 * graph_builder_tables.c takes names, labels and attributes, graph_builder_finish.c makes rows. */
#ifndef GRAPH_BUILDER_PARTS_H
#define GRAPH_BUILDER_PARTS_H

#include "graph_graph.h"
#include "graph_sorted.h"

enum {
    DGMI_GRAPH_FIRST_BLOCK = 1 << 10
}; /* the number of records that the first block has room for */

/* Edges as they were given. */
typedef struct dgmi_graph_edge_block {
    uint32_t *ends;  /* two nodes per record */
    double *weights; /* one per record; NULL: all are 1 */
    int64_t count, capacity;
} dgmi_graph_edge_block;

struct dgm_graph_builder {
    dgm_context *ctx;
    dgm_graph_options options;
    dgm_graph *graph;              /* what is known so far, without rows */
    dgmi_graph_edge_block *blocks; /* the records, unless they are in `sorted` */
    int64_t block_count, block_capacity;
    int64_t nodes;            /* there are at least this many nodes */
    int64_t stated;           /* how many of them exist whether an edge names them or not */
    int64_t records;          /* the number of edges that were added */
    bool weighted;            /* some edge has a weight */
    dgmi_graph_sorted sorted; /* if it is on, edges are here and not in blocks */
};

/* Moves edges that came as rows into blocks. */
dgm_status dgmi_graph_builder_leave_sorted(dgm_graph_builder *builder);
/* Frees all edges. */
void dgmi_graph_builder_free_records(dgm_graph_builder *builder);

#endif
