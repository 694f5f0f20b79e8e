/* SPDX-License-Identifier: Apache-2.0 */
/* A table of nodes, which has a header. The ids of nodes stand in its column `id`, or else in the
 * first.
 *
 * A column has numbers if every entry that is neither empty nor NA is a number; otherwise it has
 * texts. A column `label` of whole numbers also gives the labels of a graph that has none, and an
 * empty entry means -1 there.
 */
#ifndef IO_TABLE_H
#define IO_TABLE_H

#include "dgm/graph.h"

typedef struct dgmi_io_table dgmi_io_table;

dgm_status dgmi_io_table_read(dgm_context *ctx, const char *path, dgmi_io_table **out);
void dgmi_io_table_free(dgmi_io_table *table); /* NULL is fine */
/* Matches rows to nodes. If the builder has neither names nor edges yet, ids that are not all
 * numbers become names, in the order of the table. Nodes that are new are made. */
dgm_status dgmi_io_table_match(dgmi_io_table *table, dgm_graph_builder *builder);
/* Tells whether every id is a whole number. */
bool dgmi_io_table_has_numbers(const dgmi_io_table *table);
/* Gives the columns to the builder, once it knows all its nodes. */
dgm_status dgmi_io_table_apply(const dgmi_io_table *table, dgm_graph_builder *builder);

#endif
