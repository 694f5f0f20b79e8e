/* SPDX-License-Identifier: Apache-2.0 */
/* Proposition 4.3: pooling by PageRank is invariant under permutations. A graph whose nodes get other
 * numbers is pooled to the same features S'X and the same adjacency S'AS: clusters are ordered by the
 * intervals of the lens, so nothing is to be relabelled in the pooled graph. */
#ifndef REPRODUCE_RELABEL_H
#define REPRODUCE_RELABEL_H

#include "dgm/pool.h"

/* Sums and maxima over all graphs and relabellings that were compared. Differences are shares of the
 * largest entry that they are compared with. */
typedef struct dgmi_reproduce_relabel {
    int64_t graphs, nodes; /* graphs that were pooled, and their nodes */
    int64_t relabellings;  /* how often one of them got other numbers */
    int64_t clusters;      /* of all pooled graphs */
    int64_t moved;         /* nodes whose number another node has afterwards */
    int64_t
        other_clusters; /* relabellings after which the pooled graph had other clusters or edges;
                                their differences are left out below */
    double assignment;  /* the largest difference of S, whose rows move with the nodes */
    double features;    /* of S'X */
    double adjacency;   /* of S'AS */
} dgmi_reproduce_relabel;

/* Pools a graph by the specification of an operator, then some relabellings of it, and adds what
 * differs to `sum`, which is all 0 at first. X are the features of the nodes, or else their labels,
 * one-hot, or else their degrees. */
dgm_status dgmi_reproduce_relabel_graph(dgm_context *ctx, const dgm_graph *graph, const char *pool,
                                        int64_t times, int64_t seed, dgmi_reproduce_relabel *sum);
/* The same for graphs of a set: the first `most` that have nodes. */
dgm_status dgmi_reproduce_relabel_set(dgm_context *ctx, const dgm_graph_set *set, const char *pool,
                                      int64_t most, int64_t seed, dgmi_reproduce_relabel *sum);

#endif
