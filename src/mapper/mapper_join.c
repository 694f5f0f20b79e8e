/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which meetings of clusters become edges of a summary, and applies two filters: structural
 * edges whose weight is below eps are dropped, then components with fewer than min_component
 * members. */
#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "graph_union.h"
#include "mapper_draft.h"

static int64_t strength_of(const dgm_mapper_options *options, const dgmi_mapper_meeting *meeting) {
    if (options->edges == DGM_EDGES_NERVE)
        return meeting->shared;
    if (options->rule == DGM_RULE_DGM) /* the paper authors' own count, whatever was asked for */
        return meeting->links + meeting->inner;
    bool sas = options->strength == DGM_STRENGTH_SAS;
    return meeting->links + (sas ? meeting->shared + meeting->inner : 0);
}

static void weigh_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const dgmi_mapper_draft *draft = argument;
    int64_t begin, end, most = 0;
    dgmi_chunk(draft->stages->meeting_count, DGMI_MAPPER_DRAFT_GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        int64_t strength = strength_of(draft->options, &draft->stages->meetings[i]);
        most = strength > most ? strength : most;
    }
    draft->tally[chunk] = most;
}

double dgmi_mapper_draft_weight(const dgmi_mapper_draft *draft,
                                const dgmi_mapper_meeting *meeting) {
    return (double)strength_of(draft->options, meeting) / (double)draft->most;
}

static void join_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const dgmi_mapper_draft *draft = argument;
    bool filter = draft->options->edges == DGM_EDGES_STRUCTURAL && draft->options->eps > 0;
    int64_t begin, end;
    dgmi_chunk(draft->stages->meeting_count, DGMI_MAPPER_DRAFT_GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const dgmi_mapper_meeting *meeting = &draft->stages->meetings[i];
        draft->joined[i] =
            strength_of(draft->options, meeting) > 0 &&
            !(filter && dgmi_mapper_draft_weight(draft, meeting) < draft->options->eps);
    }
}

/* Meetings that are edges of the summary. */
dgm_status dgmi_mapper_draft_join(dgmi_mapper_draft *draft) {
    int64_t chunks = dgmi_chunks(draft->stages->meeting_count, DGMI_MAPPER_DRAFT_GRAIN);
    draft->joined = dgmi_scratch(draft->ctx, draft->stages->meeting_count, sizeof *draft->joined);
    draft->tally = dgmi_scratch(draft->ctx, chunks + 1, sizeof *draft->tally);
    if (!draft->joined || !draft->tally)
        return DGM_ERROR_MEMORY;
    dgmi_parallel(draft->ctx, chunks, weigh_chunk, draft);
    for (int64_t c = 0; c < chunks; c++)
        draft->most = draft->tally[c] > draft->most ? draft->tally[c] : draft->most;
    dgmi_parallel(draft->ctx, chunks, join_chunk, draft);
    return DGM_OK;
}

/* Drops components of the summary whose cluster sizes add up to less than min_component. */
dgm_status dgmi_mapper_draft_drop_components(dgmi_mapper_draft *draft) {
    if (draft->options->min_component <= 0)
        return DGM_OK;
    int64_t count = draft->stages->clusters.count;
    uint32_t *parent = dgmi_scratch(draft->ctx, count, sizeof *parent);
    int64_t *total = dgmi_scratch_zero(draft->ctx, count, sizeof *total);
    if (!parent || !total)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < count; c++)
        parent[c] = (uint32_t)c;
    for (int64_t i = 0; i < draft->stages->meeting_count; i++)
        if (draft->joined[i])
            dgmi_graph_union_link(parent, draft->stages->meetings[i].low,
                                  draft->stages->meetings[i].high);
    for (int64_t c = 0; c < count; c++)
        if (draft->kept[c])
            total[dgmi_graph_union_find(parent, (uint32_t)c)] += draft->stages->size[c];
    int64_t largest = 0;
    for (int64_t c = 0; c < count; c++) {
        int64_t size = total[dgmi_graph_union_find(parent, (uint32_t)c)];
        largest = size > largest ? size : largest;
        if (size < draft->options->min_component)
            draft->kept[c] = false;
    }
    if (largest > 0 && largest < draft->options->min_component)
        dgmi_note(draft->ctx,
                  DGMI_NAMED("min-component=%lld") " leaves nothing: the largest component of "
                                                   "the summary has %lld members",
                  (long long)draft->options->min_component, (long long)largest);
    return DGM_OK;
}
