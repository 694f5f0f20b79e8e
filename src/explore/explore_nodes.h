/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes that a question is about: those of clusters, of a field of the table of mistakes, in a
 * part of the lens, with values of columns, or named one by one (web/PROTOCOL.md, "Which nodes"). */
#ifndef EXPLORE_NODES_H
#define EXPLORE_NODES_H

#include "explore_explorer.h"

typedef struct dgmi_explore_nodes {
    const uint32_t *list; /* ascending */
    int64_t count;
    const uint8_t *core; /* for each node of the graph 1 if it was meant itself, and 0 if it is
                            there because it is near one of these, or not at all */
} dgmi_explore_nodes;

/* Returns whether a question names any nodes. */
bool dgmi_explore_nodes_are_named(const dgmi_explore_query *query);
/* Finds them, in scratch memory. DGM_ERROR_USAGE if the question names none or is wrong about them;
 * there may be no node that satisfies it. */
dgm_status dgmi_explore_nodes_find(dgm_context *ctx, dgm_explorer *explorer,
                                   const dgmi_explore_shown *shown, const dgmi_explore_query *query,
                                   dgmi_explore_nodes *out);
/* Returns the members of a cluster. */
dgmi_explore_nodes dgmi_explore_nodes_of(const dgmi_explore_shown *shown, int64_t cluster);
/* Appends the array `hits`: how many members of each mark are marked in `found`, one byte for each
 * node; a pile has those of all its clusters. */
dgm_status dgmi_explore_put_hits(dgm_context *ctx, const dgmi_explore_shown *shown,
                                 const uint8_t *found, dgmi_explore_answer *answer);
/* Reads which axes of the lens a question is about: one or two. */
dgm_status dgmi_explore_axes_find(dgm_context *ctx, const dgm_explorer *explorer,
                                  const dgmi_explore_query *query, int64_t axes[2], int *count);

#endif
