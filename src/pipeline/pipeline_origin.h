/* SPDX-License-Identifier: Apache-2.0 */
/* Where a summary comes from. */
#ifndef PIPELINE_ORIGIN_H
#define PIPELINE_ORIGIN_H

#include "dgm/pipeline.h"

#include "kernels_machine.h"

/* What summaries through a lens that the job made say of where they come from. `blas` is room for the
 * name of the library, and must last as long. */
dgm_provenance dgmi_pipeline_provenance(const dgm_job *job, const dgm_lens_result *lens,
                                        char blas[DGMI_KERNELS_MACHINE_SPACE]);

#endif
