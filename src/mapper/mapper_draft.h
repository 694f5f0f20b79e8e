/* SPDX-License-Identifier: Apache-2.0 */
/* One summary on its way: the stages that it is made from, and what its own options decide. */
#ifndef MAPPER_DRAFT_H
#define MAPPER_DRAFT_H

#include "mapper_stages.h"

typedef struct dgmi_mapper_draft {
    dgm_context *ctx;
    const dgm_graph *graph;
    const dgm_matrix *lens;
    const dgm_mapper_options *options;
    const dgmi_mapper_stages *stages;
    int64_t nodes, graph_edges; /* of the graph, loops aside */
    int64_t most;               /* the largest strength of a meeting */
    int64_t *tally;             /* by chunk of meetings: its largest strength; then its edges */
    bool *joined;               /* by meeting: it is an edge of the summary */
    bool *kept;                 /* by cluster */
    uint32_t *number;           /* by cluster: its number in the summary */
} dgmi_mapper_draft;

enum { DGMI_MAPPER_DRAFT_GRAIN = 1 << 13 }; /* meetings in a chunk of work */

/* ---- mapper_join.c ---- */

/* Decides which meetings are edges of the summary. */
dgm_status dgmi_mapper_draft_join(dgmi_mapper_draft *draft);
/* The meeting's strength as a part of the largest. */
double dgmi_mapper_draft_weight(const dgmi_mapper_draft *draft, const dgmi_mapper_meeting *meeting);
/* Drops components of the summary whose cluster sizes add up to less than min_component. */
dgm_status dgmi_mapper_draft_drop_components(dgmi_mapper_draft *draft);

/* ---- mapper_write.c ---- */

dgm_status dgmi_mapper_draft_write(dgmi_mapper_draft *draft, dgm_summary **out);

#endif
