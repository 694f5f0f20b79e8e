/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the mistakes of a classifier: those of nodes in a summary's clusters, and those of nodes
 * that the summary leaves out. */
#include "dgm/mapper.h"

#include <assert.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_predictions.h"
#include "mapper_profile.h"
#include "mapper_summary.h"

/* 1 for every node that some kept cluster has; scratch memory. */
static uint8_t *mark_covered(dgm_context *ctx, const dgm_summary *summary, int64_t nodes) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    uint8_t *covered = dgmi_scratch_zero(ctx, nodes, sizeof *covered);
    for (int64_t i = 0; covered && clusters.count && i < clusters.offsets[clusters.count]; i++)
        covered[clusters.members[i]] = 1;
    return covered;
}

/* Where nobody says who trained the classifier, it was the split of the graph. */
static const uint8_t *find_splits(const dgm_graph *graph, const dgm_predictions *predictions) {
    const uint8_t *splits = predictions ? dgm_predictions_splits(predictions) : NULL;
    return splits ? splits : dgm_graph_splits(graph);
}

dgm_status dgm_summary_count_mistakes(dgm_context *ctx, const dgm_summary *summary,
                                      const dgm_graph *graph, const dgm_predictions *predictions,
                                      dgm_summary_mistakes *out) {
    const int32_t *labels = dgm_graph_labels(graph);
    const int32_t *said = predictions ? dgm_predictions_classes(predictions) : NULL;
    const uint8_t *splits = find_splits(graph, predictions);
    int64_t nodes = dgm_graph_nodes(graph);
    *out = (dgm_summary_mistakes){.known = labels && said, .split = splits != NULL};
    if (dgm_summary_get_coverage(summary).nodes != nodes)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "the summary is not one of this graph");
    dgm_status status = dgmi_mapper_summary_check_members(ctx, summary);
    if (status == DGM_OK)
        status = dgmi_graph_predictions_check(ctx, predictions, graph);
    if (status != DGM_OK || !out->known)
        return status;
    assert(labels && said);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    const uint8_t *covered = mark_covered(ctx, summary, nodes);
    for (int64_t u = 0; covered && u < nodes; u++) {
        int split = splits ? splits[u] : DGM_SPLIT_NONE;
        dgm_judged *tally = covered[u] ? &out->covered[split] : &out->left_out[split];
        tally->judged += dgmi_mapper_is_judged(labels[u], said[u]);
        tally->mistakes += dgmi_mapper_is_mistake(labels[u], said[u]);
    }
    dgmi_arena_release(ctx, hold);
    return covered ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_judged dgm_judged_sum(const dgm_judged by_split[DGM_SPLITS]) {
    dgm_judged sum = {0, 0};
    for (int s = 0; s < DGM_SPLITS; s++) {
        sum.judged += by_split[s].judged;
        sum.mistakes += by_split[s].mistakes;
    }
    return sum;
}

const char *const *dgm_split_names(void) {
    static const char *const names[] = {[DGM_SPLIT_NONE] = "rest",
                                        [DGM_SPLIT_TRAIN] = "train",
                                        [DGM_SPLIT_VALIDATION] = "val",
                                        [DGM_SPLIT_TEST] = "test",
                                        NULL};
    return names;
}
