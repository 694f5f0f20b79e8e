/* SPDX-License-Identifier: Apache-2.0 */
/* What a summary is like, in numbers. */
#ifndef STUDY_MEASURE_H
#define STUDY_MEASURE_H

#include "dgm/study.h"

/* What the measures of all summaries of one graph have in common. */
typedef struct dgmi_study_graph {
    const dgm_graph *graph;
    int64_t dust_size;
    int64_t components;  /* all connected components */
    int64_t nodes;       /* the nodes of those that have at least dust_size */
    uint32_t *component; /* by node, in scratch memory */
    uint32_t *sizes;     /* by component: how many nodes it has, in scratch memory */
} dgmi_study_graph;

/* The caller holds the arena. */
dgm_status dgmi_study_graph_make(dgm_context *ctx, const dgm_graph *graph, int64_t dust_size,
                                 dgmi_study_graph *out);
/* Takes another size of dust. */
void dgmi_study_graph_dust(dgmi_study_graph *about, int64_t dust_size);
/* Tells whether the graph is long for its size, as roads and trees are: its nodes have few edges, and
 * the way across it is many times the logarithm of their number. */
dgm_status dgmi_study_is_long(dgm_context *ctx, const dgm_graph *graph, bool *out);
/* Returns how many nodes a picture is judged by: all, unless most of them are dust whatever the settings
 * are, being in components that are too small. */
int64_t dgmi_study_judged(const dgmi_study_graph *about);
/* Measures a summary. Clusters of fewer nodes than about->dust_size are dust. */
dgm_status dgmi_study_measure_summary(dgm_context *ctx, const dgmi_study_graph *about,
                                      const dgm_summary *summary, dgm_study_measures *out);
/* Counts the marks of a figure that folds clusters of fewer nodes. */
dgm_status dgmi_study_count_marks(dgm_context *ctx, const dgm_summary *summary, int64_t dust_size,
                                  int64_t *marks);

#endif
