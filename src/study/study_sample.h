/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a large graph that looks like the whole: neighbourhoods around nodes drawn at random. */
#ifndef STUDY_SAMPLE_H
#define STUDY_SAMPLE_H

#include "dgm/graph.h"
#include "dgm/matrix.h"

typedef struct dgmi_study_sample {
    dgm_graph *graph; /* the edges among the nodes that were reached */
    uint32_t *nodes;  /* their numbers in the whole graph, ascending, in scratch memory */
} dgmi_study_sample;

/* Searches from nodes drawn by the seed, an equal part of the edges around each, until about
 * `edges` of them are reached. The caller holds the arena and frees the graph. */
dgm_status dgmi_study_sample_draw(dgm_context *ctx, const dgm_graph *graph, int64_t edges,
                                  int64_t seed, dgmi_study_sample *out);
/* The rows of the sample's nodes. */
dgm_status dgmi_study_sample_rows(dgm_context *ctx, const dgmi_study_sample *sample,
                                  const dgm_matrix *table, dgm_matrix **out);

#endif
