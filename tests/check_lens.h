/* SPDX-License-Identifier: Apache-2.0 */
/* One lens by name, of which a test wants the axes alone. */
#ifndef CHECK_LENS_H
#define CHECK_LENS_H

#include "dgm/lens.h"

static inline dgm_status lens_axes(dgm_context *with, const dgm_graph *graph, const char *lens,
                                   int64_t lens_seed, dgm_matrix **out) {
    const dgm_lens_options options = {
        .size = sizeof(dgm_lens_options), .seed = lens_seed, .predict = true};
    dgm_lens_result *result = NULL;
    dgm_status status = dgm_lens_run(with, graph, &lens, 1, &options, &result);
    *out = status == DGM_OK ? dgm_lens_result_take_axes(result) : NULL;
    dgm_lens_result_free(result);
    return status;
}

#endif
