/* SPDX-License-Identifier: Apache-2.0 */
/* How every lens with one column begins and ends. */
#ifndef LENS_COLUMNS_H
#define LENS_COLUMNS_H

#include "dgm/lens.h"

/* Makes a table with one row per node and one column of that name, filled with zeros. */
dgm_status dgmi_lens_column(dgm_context *ctx, const dgm_graph *graph, const char *name,
                            dgm_matrix **out);
/* Returns `status`; if it is a failure, frees *out and leaves NULL there. */
dgm_status dgmi_lens_column_end(dgm_status status, dgm_matrix **out);

#endif
