/* SPDX-License-Identifier: Apache-2.0 */
/* Proposition 4.2: pooling by a soft assignment S is Mapper. The graph that S'AS makes of the
 * clusters, A with a self-loop at each node, is the nerve of the 1-hop expansion of the copied
 * assignment on the expanded graph (appendix A of the paper). Both are compared as sets of pairs of
 * clusters: which entries are above 0 is decided without arithmetic. */
#ifndef REPRODUCE_EXPAND_H
#define REPRODUCE_EXPAND_H

#include "dgm/mapper.h"

/* A nerve against S'AS. */
typedef struct dgmi_reproduce_difference {
    int64_t pairs;   /* of clusters that the nerve joins */
    int64_t missing; /* pairs that S'AS joins and the nerve does not */
    int64_t extra;   /* pairs that the nerve joins and S'AS does not */
} dgmi_reproduce_difference;

typedef struct dgmi_reproduce_expansion {
    int64_t nodes, edges;          /* of the graph, without self-loops */
    int64_t clusters, memberships; /* columns and entries of S */
    int64_t copies, copy_edges;    /* of the expanded graph, with its self-loops */
    int64_t pairs;                 /* of clusters that S'AS joins */
    bool complete; /* these are all pairs, and so the statement is empty: such are learned S */
    dgmi_reproduce_difference nerve;    /* as the proposition has it: no difference */
    dgmi_reproduce_difference on_graph; /* a control: the 1-hop expansion on the graph itself */
    dgmi_reproduce_difference plain;    /* a control: no expansion */
} dgmi_reproduce_expansion;

/* Compares them for a graph and the rows of S, a row per node. The time goes with the squares of
 * degrees, since copies of a node are all joined. DGM_ERROR_DATA: the graph is directed, or S has
 * another number of rows. DGM_ERROR_USAGE: S has more than 65,536 columns. */
dgm_status dgmi_reproduce_expand_check(dgm_context *ctx, const dgm_graph *graph,
                                       const dgm_membership *membership,
                                       dgmi_reproduce_expansion *out);
/* The same with an expanded graph that the caller has made; origin[c] is the node that copy c stands
 * for. The 1-hop expansion goes along the edges that are there: a copy without a self-loop is not in
 * its own neighbourhood. */
dgm_status dgmi_reproduce_expand_compare(dgm_context *ctx, const dgm_graph *graph,
                                         const dgm_membership *membership,
                                         const dgm_graph *expanded, const uint32_t *origin,
                                         dgmi_reproduce_expansion *out);

#endif
