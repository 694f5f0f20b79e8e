/* SPDX-License-Identifier: Apache-2.0 */
/* The control: a lens that knows nothing of the graph. */
#include "base_option.h"
#include "lens_columns.h"
#include "lens_lens.h"

#include <stddef.h>

#include "base_random.h"

static const dgm_option random_options[] = {
    {.name = "seed",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_random_options, seed),
     .minimum = 0,
     .maximum = 9007199254740992.0,
     .default_text = "that of the run",
     .argument = "N",
     .help = "seed of the numbers"},
};
const dgm_option_table dgmi_lens_random_table = {"random", random_options,
                                                 sizeof random_options / sizeof *random_options};

const dgm_option_table *dgm_random_option_table(void) {
    return &dgmi_lens_random_table;
}

dgm_status dgm_lens_random(dgm_context *ctx, const dgm_graph *graph,
                           const dgm_random_options *options, dgm_matrix **out) {
    enum { STREAM = 0x6c72 }; /* of this lens's draws */
    *out = NULL;
    dgm_random_options use = DGM_RANDOM_OPTIONS_INIT;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_random_options, seed, options, &use);
    if (status == DGM_OK)
        status = dgm_options_check(ctx, &dgmi_lens_random_table, &use);
    if (status == DGM_OK)
        status = dgmi_lens_column(ctx, graph, "random", out);
    for (int64_t u = 0; status == DGM_OK && u < dgm_graph_nodes(graph); u++)
        dgm_matrix_values_mutable(*out)[u] =
            dgmi_random_unit((uint64_t)use.seed, STREAM, (uint64_t)u);
    return status;
}
