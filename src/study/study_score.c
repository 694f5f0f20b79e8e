/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture must be like at all. Of those that are, the one that saves the most bits is best:
 * mapper_bits.c. */
#include "study_score.h"

#include <math.h>

/* A shape has some marks. */
#define FEW 2.0
/* The share of the nodes above which the largest cluster is the whole graph again. */
#define GIANT 0.6

/* How often, for each cluster that is shown, a node may be taken across an edge because cells cut the
 * graph. Where most clusters are joined so, the picture shows which nodes were taken: a star, whatever the graph
 * is. In a long graph each cut may be in a loop. */
#define CUTS      0.5
#define CUTS_LONG 0.1

/* The share of the nodes that must lie in clusters that are shown. */
#define HELD 0.5

double dgmi_study_cuts(bool is_long, const dgm_study_measures *measures) {
    double taken = (double)measures->taken, shown = fmax(1, (double)measures->shown);
    double small =
        (double)(measures->clusters - measures->shown); /* a node may join each of them */
    return is_long ? fmax(0, taken / shown - CUTS_LONG) : fmax(0, (taken - small) / shown - CUTS);
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

double dgmi_study_tangle(const dgmi_study_graph *about, const dgm_summary *summary) {
    const double lines = 400;
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    int64_t count, seen = 0;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &count);
    for (int64_t e = 0; e < count; e++) {
        int64_t a = clusters.offsets[edges[e].source + 1] - clusters.offsets[edges[e].source];
        int64_t b = clusters.offsets[edges[e].target + 1] - clusters.offsets[edges[e].target];
        seen += a >= about->dust_size && b >= about->dust_size;
    }
    return fmax(0, log2(fmax(1, (double)seen) / lines));
}
