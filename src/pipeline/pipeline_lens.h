/* SPDX-License-Identifier: Apache-2.0 */
/* The lens of a job. */
#ifndef PIPELINE_LENS_H
#define PIPELINE_LENS_H

#include "base_text.h"
#include "lens_result.h"
#include "pipeline_job.h"

/* The lens that a job asks for, reduced and transformed, and its name ("gcn+prob"). *machine: the
 * last digits depend on the processor. */
dgm_status dgmi_pipeline_job_lens(dgm_context *ctx, const dgmi_pipeline_plan *plan,
                                  const dgm_graph *graph, dgmi_text *name, bool *machine,
                                  dgm_lens_result **out);

#endif
