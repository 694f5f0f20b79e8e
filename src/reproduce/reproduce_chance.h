/* SPDX-License-Identifier: Apache-2.0 */
/* How well a summary keeps classes apart, beside what chance alone would do.
 *
 * Small clusters are pure by themselves: a cluster of one node is, and of a random lens on Cora the
 * clusters are 98% pure. So a measure is taken again with the labels shuffled among the nodes, the
 * clusters being as they are, and the difference is what the lens has to do with the classes.
 */
#ifndef REPRODUCE_CHANCE_H
#define REPRODUCE_CHANCE_H

#include "dgm/graph.h"
#include "dgm/mapper.h"

/* A measure, and the same measure over shuffled labels. Each is NaN where it is not defined. */
typedef struct dgmi_reproduce_chance {
    double found;     /* with the labels as they are */
    double expected;  /* its mean over the shufflings */
    double deviation; /* its standard deviation over them */
    double above;     /* found - expected */
} dgmi_reproduce_chance;

/* Only nodes with a label count, and only clusters of at least two of them. A node of k such
 * clusters has the weight 1/k in each, so that every node counts alike. The class of a cluster is
 * the one of most weight, and the first of those that have equally much. */
typedef struct dgmi_reproduce_classes {
    int64_t clusters; /* clusters that count */
    int64_t nodes;    /* nodes in them, each once */
    int64_t edges;    /* edges of the summary between them */
    int32_t shown;    /* classes that are the class of such a cluster */
    /* The share of the weight that is of its cluster's class. */
    dgmi_reproduce_chance purity;
    /* Newman's assortativity of the clusters' classes along the edges (Mixing patterns in networks,
     * 2003): (t - s) / (1 - s), where t is the share of edges inside a class, and s what that share
     * would be for ends drawn at random. NaN: there is no edge, or only one class has edges. */
    dgmi_reproduce_chance assortativity;
} dgmi_reproduce_classes;

enum { DGMI_REPRODUCE_SHUFFLES = 200 };

/* Measures a summary of the graph that was read with it. Takes time in proportion to `shuffles`
 * and the members. DGM_ERROR_DATA: the graph has no labels. */
dgm_status dgmi_reproduce_measure_classes(dgm_context *ctx, const dgm_summary *summary,
                                          const dgm_graph *graph, int64_t shuffles, int64_t seed,
                                          dgmi_reproduce_classes *out);

#endif
