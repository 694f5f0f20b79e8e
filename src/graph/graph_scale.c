/* SPDX-License-Identifier: Apache-2.0 */
/* Scales weights by a power of two to an ordinary size. */
#include "graph_scale.h"

#include <math.h>

#include "base_memory.h"

enum { ORDINARY = 20 };

int dgmi_graph_weights_exponent(dgm_graph_rows rows) {
    double largest = 0;
    int exponent;
    for (int64_t e = 0; rows.weights && e < rows.entries; e++)
        if (fabs(rows.weights[e]) > largest)
            largest = fabs(rows.weights[e]);
    frexp(largest, &exponent);
    return exponent < -ORDINARY || exponent > ORDINARY ? exponent : 0;
}

dgm_status dgmi_graph_weights_scale(dgm_context *ctx, dgm_graph_rows *rows, int *exponent) {
    *exponent = dgmi_graph_weights_exponent(*rows);
    if (*exponent == 0)
        return DGM_OK;
    double *scaled = dgmi_scratch(ctx, rows->entries, sizeof *scaled);
    if (!scaled)
        return DGM_ERROR_MEMORY;
    for (int64_t e = 0; e < rows->entries; e++)
        scaled[e] = ldexp(rows->weights[e], -*exponent);
    rows->weights = scaled;
    return DGM_OK;
}
