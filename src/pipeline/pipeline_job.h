/* SPDX-License-Identifier: Apache-2.0 */
/* A job with its defaults filled in and its texts read, once for all stages. */
#ifndef PIPELINE_JOB_H
#define PIPELINE_JOB_H

#include "dgm/pipeline.h"

#include "lens_lens.h"
#include "reduce_reduce.h"

typedef struct dgmi_pipeline_plan {
    dgm_job job;
    dgm_job_input input;
    /* Once they were checked, in scratch memory: */
    const dgmi_lens_request *lenses;            /* job.lens_count of them */
    const dgmi_reduce_request *reduction;       /* NULL: the job names none */
    dgm_export_format formats[DGM_MAX_OUTPUTS]; /* of the outputs */
} dgmi_pipeline_plan;

/* The caller's job with its defaults, its lens named where there is none, and its cover read, for
 * which the caller holds the arena. input NULL: none. */
dgm_status dgmi_pipeline_plan_take(dgm_context *ctx, const dgm_job *job, const dgm_job_input *input,
                                   dgmi_pipeline_plan *out);
/* All that can be said before the first file is read; reads the texts of lenses, reduction and
 * outputs. */
dgm_status dgmi_pipeline_plan_check(dgm_context *ctx, dgmi_pipeline_plan *plan);

/* Brings the option structs inside the job to the length of today. Those of a caller who was
 * compiled with an older version are shorter; the fields that it does not know get their defaults.
 */
dgm_status dgmi_pipeline_job_complete(dgm_context *ctx, dgm_job *job);

/* The graph that the job names. */
dgm_status dgmi_pipeline_open_graph(dgm_context *ctx, const dgm_job *job, dgm_graph **out);
/* The predictions of the file that the job names; *out stays NULL if it names none. */
dgm_status dgmi_pipeline_open_predictions(dgm_context *ctx, const dgm_job *job,
                                          const dgm_graph *graph, dgm_predictions **out);

#endif
