/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates as options and in words. */
#include <stdio.h>

#include "dgm/study.h"

#include "base_text.h"

bool dgm_study_setting(const dgm_study_candidate *candidate, int index, const char **name,
                       char *value) {
    char real[DGMI_NUMBER_SPACE], whole[24], dust[24];
    dgmi_format_real(candidate->overlap, real);
    snprintf(whole, sizeof whole, "%lld", (long long)candidate->intervals);
    snprintf(dust, sizeof dust, "%lld", (long long)candidate->dust_size);
    const struct {
        const char *name, *value;
    } settings[] = {
        {"lens", candidate->lens},
        {"reduce", candidate->reduce},
        {"transform", candidate->transform},
        {"cover", candidate->cover},
        {"intervals", candidate->intervals > 0 ? whole : NULL},
        {"overlap", candidate->overlap >= 0 ? real : NULL},
        {"edges", candidate->edges == DGM_EDGES_STRUCTURAL ? "structural" : NULL},
        {"pieces", candidate->pieces == DGM_PIECES_JOINED ? "joined" : NULL},
        {"dust-size", candidate->dust_size > 0 ? dust : NULL},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i].value && index-- == 0) {
            *name = settings[i].name;
            snprintf(value, DGM_STUDY_VALUE, "%s", settings[i].value);
            return true;
        }
    return false;
}

dgm_status dgm_study_apply(dgm_context *ctx, const dgm_study *study, int64_t candidate,
                           dgm_job *job) {
    int64_t count;
    const dgm_study_candidate *chosen = dgm_study_candidates(study, &count) + candidate;
    dgm_status status = DGM_OK;
    if (chosen->lens)
        status = dgm_job_set(ctx, job, "lens", chosen->lens);
    if (status == DGM_OK && chosen->reduce && !job->reduce)
        status = dgm_job_set(ctx, job, "reduce", chosen->reduce);
    if (status == DGM_OK && chosen->transform && job->transform_count == 0)
        status = dgm_job_set(ctx, job, "transform", chosen->transform);
    if (status == DGM_OK && chosen->cover)
        status = dgm_job_set(ctx, job, "cover", chosen->cover);
    if (chosen->edges >= 0)
        job->mapper.edges = chosen->edges;
    if (chosen->pieces >= 0)
        job->mapper.pieces = chosen->pieces;
    if (chosen->dust_size > 0)
        job->layout.dust_size = chosen->dust_size;
    for (int k = 0; status == DGM_OK && k < DGM_MAX_AXES; k++) {
        if (chosen->intervals > 0)
            job->mapper.intervals[k] = k ? DGM_SAME : chosen->intervals;
        if (chosen->overlap >= 0)
            job->mapper.overlap[k] = k ? DGM_SAME : chosen->overlap;
    }
    return status;
}

const char *dgm_study_reason(const dgm_study_candidate *candidate, char *buffer, size_t size) {
    const dgm_study_measures *is = &candidate->measures;
    snprintf(buffer, size,
             "%lld marks explain %.2f of %.2f bits for each edge, the largest cluster has %d%% of "
             "the nodes",
             (long long)is->marks, is->bits.gained - is->bits.cost, is->bits.whole,
             (int)(100 * is->largest + 0.5));
    return buffer;
}
