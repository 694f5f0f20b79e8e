/* SPDX-License-Identifier: Apache-2.0 */
/* The lens of a job. */
#ifndef PIPELINE_LENS_H
#define PIPELINE_LENS_H

#include "lens_result.h"
#include "pipeline_job.h"

/* The lens that a job asks for, reduced, transformed and named. */
dgm_status dgmi_pipeline_job_lens(dgm_context *ctx, const dgmi_pipeline_plan *plan,
                                  const dgm_graph *graph, dgm_lens_result **out);

#endif
