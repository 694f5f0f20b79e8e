/* SPDX-License-Identifier: Apache-2.0 */
/* Names of nodes: one pool of text and a hash table from text to node. */
#ifndef GRAPH_NAMES_H
#define GRAPH_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "dgm/context.h"

typedef struct dgmi_graph_names {
    char *pool; /* all names one behind the other, each terminated */
    int64_t pool_used, pool_capacity;
    int64_t *starts; /* where each begins; starts[count] is the end */
    int64_t count, starts_capacity;
    uint32_t *table; /* open addressing: node + 1, 0 is empty; NULL once frozen */
    int64_t table_size;
    uint64_t keys[2]; /* of the hash, drawn with the first table: no file is made to collide */
} dgmi_graph_names;

/* The node of that name, added if it is new. */
dgm_status dgmi_graph_names_intern(dgm_context *ctx, dgmi_graph_names *names, const char *text,
                                   size_t length, uint32_t *node);
/* The node of that name or -1; needs the table. */
int64_t dgmi_graph_names_find(const dgmi_graph_names *names, const char *text, size_t length);
/* A table for names that have none. */
dgm_status dgmi_graph_names_index(dgm_context *ctx, dgmi_graph_names *names);
/* Reorders the names: whole numbers first, ascending, then the others as they stand. rank[node] is
 * the node's new number. */
dgm_status dgmi_graph_names_sort(dgm_context *ctx, dgmi_graph_names *names, uint32_t *rank);
/* Drops the table, keeps the names. */
void dgmi_graph_names_freeze(const dgm_allocator *allocator, dgmi_graph_names *names);
void dgmi_graph_names_free(const dgm_allocator *allocator, dgmi_graph_names *names);
/* The name without its terminator. */
const char *dgmi_graph_names_get(const dgmi_graph_names *names, int64_t node, size_t *length);

#endif
