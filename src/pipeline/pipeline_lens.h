/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PIPELINE_LENS_H
#define PIPELINE_LENS_H

#include "dgm/pipeline.h"

#include "base_text.h"

/* The lens that a job asks for, reduced, and its name ("gcn+prob"). What a classifier among the
 * lenses predicts is kept with the graph. */
dgm_status dgmi_job_lens(dgm_context *ctx, const dgm_job *job, dgm_graph *graph, dgmi_text *name,
                         bool *machine, dgm_matrix **out);
/* Everything that can be checked before the first file is read. */
dgm_status dgmi_job_check(dgm_context *ctx, const dgm_job *job);

#endif
