/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of a graph builder that only readers of files need. */
#ifndef GRAPH_BUILDER_H
#define GRAPH_BUILDER_H

#include "dgm/graph.h"

/* Whether nodes have names of their own (dgm_graph_builder_node was called). */
bool dgmi_graph_builder_has_names(const dgm_graph_builder *builder);
/* Returns the number of edges so far, as they were given. */
int64_t dgmi_graph_builder_records(const dgm_graph_builder *builder);
/* Whether the number of nodes comes from the highest number that an edge names, and from nothing
 * else. */
bool dgmi_graph_builder_counts_by_ids(const dgm_graph_builder *builder);
/* Whether labels were given. */
bool dgmi_graph_builder_has_labels(const dgm_graph_builder *builder);
/* Returns the name of node 0 if names are numbers. */
int64_t dgmi_graph_builder_name_base(const dgm_graph_builder *builder);
/* Returns the dgm_ids of the builder's options. */
int dgmi_graph_builder_ids(const dgm_graph_builder *builder);

/* These take edges whose parts come in separate arrays: first all sources, then the targets of the
 * same edges in the same order, then their weights. Targets and weights each have a cursor that
 * starts as {0}. The builder holds nothing but the edges themselves. It is an error if there are
 * more targets or weights than sources. */
typedef struct dgmi_graph_record_cursor {
    int64_t block, place;
} dgmi_graph_record_cursor;
dgm_status dgmi_graph_builder_add_sources(dgm_graph_builder *builder, int64_t count,
                                          const uint32_t *sources);
dgm_status dgmi_graph_builder_fill_targets(dgm_graph_builder *builder,
                                           dgmi_graph_record_cursor *cursor, int64_t count,
                                           const uint32_t *targets);
dgm_status dgmi_graph_builder_fill_weights(dgm_graph_builder *builder,
                                           dgmi_graph_record_cursor *cursor, int64_t count,
                                           const double *weights);

/* Turns numbers into names, for a reader that meets its first name after numbers. The nodes of the
 * edges so far get their numbers, counted from the name base, as names. Only these nodes exist. */
dgm_status dgmi_graph_builder_name_numbers(dgm_graph_builder *builder);
/* Gives the ends of all edges so far other numbers: node u becomes rank[u], which is a node too. */
dgm_status dgmi_graph_builder_renumber(dgm_graph_builder *builder, const uint32_t *rank);
/* Renumbers the named nodes: names that are whole numbers come first, ascending, then the others in
 * their order. The builder must not have labels, features or attributes yet. */
dgm_status dgmi_graph_builder_sort_names(dgm_graph_builder *builder);

#endif
