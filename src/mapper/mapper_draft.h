/* SPDX-License-Identifier: Apache-2.0 */
/* A summary while it is made from the stages: which meetings of clusters become edges, and which
 * clusters are kept. */
#ifndef MAPPER_DRAFT_H
#define MAPPER_DRAFT_H

#include "mapper_stages.h"

typedef struct dgmi_mapper_draft {
    dgm_context *ctx;
    const dgm_graph *graph;
    const dgm_matrix *lens;
    const dgm_mapper_options *options;
    const dgmi_mapper_stages *stages;
    int64_t nodes, graph_edges; /* the nodes of the graph, and its edges without self-loops */
    int64_t most;               /* the largest strength of a meeting */
    int64_t *tally;             /* for each chunk of meetings first its largest strength, later the
                                   number of its edges */
    bool *joined;               /* for each meeting, whether it is an edge of the summary */
    bool *kept;                 /* for each cluster, whether it is in the summary */
    uint32_t *number;           /* for each kept cluster, its number in the summary */
} dgmi_mapper_draft;

enum { DGMI_MAPPER_DRAFT_GRAIN = 1 << 13 }; /* the number of meetings in a chunk of work */

/* ---- mapper_join.c ---- */

/* Decides which meetings are edges of the summary. */
dgm_status dgmi_mapper_draft_join(dgmi_mapper_draft *draft);
/* Returns the strength of a meeting over the largest strength. */
double dgmi_mapper_draft_weight(const dgmi_mapper_draft *draft, const dgmi_mapper_meeting *meeting);
/* Drops components of the summary whose cluster sizes add up to less than min_component. */
dgm_status dgmi_mapper_draft_drop_components(dgmi_mapper_draft *draft);

/* ---- mapper_weights.c ---- */

/* Makes the weights of the members, if the options ask for them. */
dgm_status dgmi_mapper_draft_weigh(dgmi_mapper_draft *draft, dgm_summary *summary);
/* Makes the weights of edges between clusters that share nodes, if members have weights: the sum
 * over the shared nodes of the lesser of their two weights, over the largest such sum. */
dgm_status dgmi_mapper_draft_weigh_edges(dgmi_mapper_draft *draft, dgm_summary *summary);

/* ---- mapper_write.c ---- */

/* Makes the summary, which the caller frees. */
dgm_status dgmi_mapper_draft_write(dgmi_mapper_draft *draft, dgm_summary **out);

#endif
