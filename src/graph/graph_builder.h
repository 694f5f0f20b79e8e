/* SPDX-License-Identifier: Apache-2.0 */
/* What readers ask a builder while they fill it. */
#ifndef GRAPH_BUILDER_H
#define GRAPH_BUILDER_H

#include "dgm/graph.h"

/* Whether nodes have names of their own (dgm_graph_builder_node was called). */
bool dgmi_graph_builder_has_names(const dgm_graph_builder *builder);
/* Edges so far, as given. */
int64_t dgmi_graph_builder_records(const dgm_graph_builder *builder);
/* Whether the number of nodes comes from the highest number that an edge names, and from nothing
 * else. */
bool dgmi_graph_builder_counts_by_ids(const dgm_graph_builder *builder);
/* Whether labels were given. */
bool dgmi_graph_builder_has_labels(const dgm_graph_builder *builder);
/* The first number of numeric names. */
int64_t dgmi_graph_builder_name_base(const dgm_graph_builder *builder);
/* What a numeric id is, as the builder's options say: dgm_ids. */
int dgmi_graph_builder_ids(const dgm_graph_builder *builder);

/* Edges whose parts come one array after the other: first all sources, then, through a cursor that
 * begins as {0}, the targets of the same edges in the same order, and their weights. Nothing is
 * held but the records themselves. A cursor that runs past the last record is an error. */
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

/* For a reader that meets its first name after numbers: the nodes of the edges so far get their
 * numbers (counted from the name base) as names, and only they exist. */
dgm_status dgmi_graph_builder_name_numbers(dgm_graph_builder *builder);
/* Renumbers the named nodes: names that are whole numbers first, ascending, then the others as they
 * stand. The builder holds edges and names, and no other rows yet. */
dgm_status dgmi_graph_builder_sort_names(dgm_graph_builder *builder);

#endif
