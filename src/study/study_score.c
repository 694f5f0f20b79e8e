/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture must be like at all. Of those that are, the one that saves the most bits is best:
 * mapper_bits.c. */
#include "study_score.h"

#include <math.h>

/* A shape has some marks. */
#define FEW 2.0
/* The share of the nodes above which the largest cluster is the whole graph again. */
#define GIANT 0.6

/* How often, for each cluster, a node may be taken across an edge because cells cut the graph. Where
 * most clusters are joined so, the picture shows which nodes were taken: a star, whatever the graph
 * is. In a long graph each cut may be in a loop. */
#define CUTS      0.5
#define CUTS_LONG 0.1

/* The share of the nodes that must lie in clusters that are shown. */
#define HELD 0.5

double dgmi_study_cuts(bool is_long, const dgm_study_measures *measures) {
    double cuts = (double)measures->taken / fmax(1, (double)measures->clusters);
    return fmax(0, cuts - (is_long ? CUTS_LONG : CUTS));
}

double dgmi_study_misfit(const dgmi_study_graph *about, bool is_long,
                         const dgm_study_measures *measures) {
    double nodes = (double)dgm_graph_nodes(about->graph), marks = fmax(1, (double)measures->marks);
    double few = fmax(1, fmin(FEW, nodes));
    double largest = measures->largest * nodes / fmax(1, (double)dgmi_study_judged(about));
    return fmax(0, log2(marks / DGMI_STUDY_MARKS)) + fmax(0, log2(few / marks)) +
           fmax(0, (largest - GIANT) / (1 - GIANT)) + 2 * fmax(0, (HELD - measures->held) / HELD) +
           dgmi_study_cuts(is_long, measures);
}
