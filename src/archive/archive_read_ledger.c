/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the counts of mistakes of nodes in clusters, and of nodes in none, from "coverage". */
#include "archive_read.h"

/* The four counts of one object; nothing in it is larger than the graph. */
static dgm_status read_judged(const dgmi_archive_saved *saved, const json_t *object,
                              dgm_judged *covered, dgm_judged *left_out) {
    int64_t nodes = saved->summary->nodes;
    dgm_status status =
        dgmi_archive_saved_integer(saved, NULL, 0, object, "judged", 0, nodes, 0, &covered->judged);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, NULL, 0, object, "judged_left_out", 0, nodes, 0,
                                            &left_out->judged);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, NULL, 0, object, "mistakes", 0, covered->judged,
                                            0, &covered->mistakes);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, NULL, 0, object, "mistakes_left_out", 0,
                                            left_out->judged, 0, &left_out->mistakes);
    return status;
}

static bool same(dgm_judged a, dgm_judged b) {
    return a.judged == b.judged && a.mistakes == b.mistakes;
}

dgm_status dgmi_archive_saved_ledger(const dgmi_archive_saved *saved) {
    dgm_summary_mistakes *ledger = &saved->profile->ledger;
    const json_t *coverage = json_object_get(saved->root, "coverage");
    const json_t *by_split = json_object_get(coverage, "by_split");
    const char *const *names = dgm_split_names();
    dgm_judged covered = {0, 0}, left_out = {0, 0};
    if (!json_object_get(coverage, "judged"))
        return DGM_OK;
    dgm_status status = read_judged(saved, coverage, &covered, &left_out);
    ledger->known = status == DGM_OK;
    ledger->split = json_is_object(by_split);
    if (!ledger->split) {
        ledger->covered[DGM_SPLIT_NONE] = covered;
        ledger->left_out[DGM_SPLIT_NONE] = left_out;
        return status;
    }
    for (int s = 0; s < DGM_SPLITS && status == DGM_OK; s++)
        status = read_judged(saved, json_object_get(by_split, names[s]), &ledger->covered[s],
                             &ledger->left_out[s]);
    if (status == DGM_OK && (!same(dgm_judged_sum(ledger->covered), covered) ||
                             !same(dgm_judged_sum(ledger->left_out), left_out)))
        status =
            dgmi_archive_saved_fail(saved, NULL, 0,
                                    "the parts of \"coverage\".\"by_split\" do not add up to the "
                                    "whole");
    return status;
}
