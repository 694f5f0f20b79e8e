/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PIPELINE_LENS_H
#define PIPELINE_LENS_H

#include "dgm/pipeline.h"

#include "base_text.h"
#include "lens_result.h"

/* The lens that a job asks for, reduced and transformed, and its name ("gcn+prob"). */
dgm_status dgmi_pipeline_job_lens(dgm_context *ctx, const dgm_job *job, const dgm_graph *graph,
                                  dgmi_text *name, bool *machine, dgm_lens_result **out);
/* The caller's job with its defaults, its lens named where it names none, and its cover parsed, for
 * which the caller holds a mark of the arena. */
dgm_status dgmi_pipeline_job_take(dgm_context *ctx, const dgm_job *job, dgm_job *out);
/* Checks a job that was taken. */
dgm_status dgmi_pipeline_job_check(dgm_context *ctx, const dgm_job *job);

#endif
