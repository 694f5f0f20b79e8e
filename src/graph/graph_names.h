/* SPDX-License-Identifier: Apache-2.0 */
/* The names of nodes: all texts in one pool, and a hash table that finds the node of a name. */
#ifndef GRAPH_NAMES_H
#define GRAPH_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "dgm/context.h"

typedef struct dgmi_graph_names {
    char *pool; /* all names one after another, each with its final 0 */
    int64_t pool_used, pool_capacity;
    int64_t *starts; /* where each name begins; starts[count] is the end */
    int64_t count, starts_capacity;
    uint32_t *table; /* the hash table with open addressing: node + 1, or 0 if the place is empty;
                        NULL after dgmi_graph_names_freeze */
    int64_t table_size;
    uint64_t keys[2]; /* random keys of the hash, so that no file can be made to collide */
} dgmi_graph_names;

/* Finds the node of that name, and adds it if it is new. */
dgm_status dgmi_graph_names_intern(dgm_context *ctx, dgmi_graph_names *names, const char *text,
                                   size_t length, uint32_t *node);
/* Returns the node of that name, or -1. The table must exist. */
int64_t dgmi_graph_names_find(const dgmi_graph_names *names, const char *text, size_t length);
/* Makes a table for names that have none. */
dgm_status dgmi_graph_names_index(dgm_context *ctx, dgmi_graph_names *names);
/* Reorders the names: whole numbers come first, ascending, then the others in their order.
 * rank[node] becomes the new number of the node. */
dgm_status dgmi_graph_names_sort(dgm_context *ctx, dgmi_graph_names *names, uint32_t *rank);
/* Frees the table and keeps the names. */
void dgmi_graph_names_freeze(const dgm_allocator *allocator, dgmi_graph_names *names);
void dgmi_graph_names_free(const dgm_allocator *allocator, dgmi_graph_names *names);
/* Returns a name; *length becomes its length without the final 0. */
const char *dgmi_graph_names_get(const dgmi_graph_names *names, int64_t node, size_t *length);

#endif
