/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over the rows of a tensor, in chunks that depend on its shape alone. */
#ifndef NN_OPS_LOOP_H
#define NN_OPS_LOOP_H

#include "base_parallel.h"
#include "table_tensor.h"

/* There are at most 64 chunks, so that each may keep a partial result. A tensor with fewer cells
 * than WORTH is not worth waking other threads. */
enum { DGMI_NN_ROW_CHUNKS = 64, DGMI_NN_ROW_CELLS = 1 << 14, DGMI_NN_ROW_WORTH = 1 << 16 };

/* Returns the number of rows in a chunk, so that a chunk has at least DGMI_NN_ROW_CELLS cells. */
static inline int64_t dgmi_nn_row_grain(const dgmi_table_tensor *x) {
    int64_t fewest = dgmi_chunks(x->rows, DGMI_NN_ROW_CHUNKS);
    int64_t usual = x->columns > 0 ? dgmi_chunks(DGMI_NN_ROW_CELLS, x->columns) : DGMI_NN_ROW_CELLS;
    return fewest > usual ? fewest : usual;
}

static inline int64_t dgmi_nn_row_chunks(const dgmi_table_tensor *x) {
    return dgmi_chunks(x->rows, dgmi_nn_row_grain(x));
}

/* The rows [*begin, *end) of a chunk. */
static inline void dgmi_nn_row_chunk(const dgmi_table_tensor *x, int64_t chunk, int64_t *begin,
                                     int64_t *end) {
    dgmi_chunk(x->rows, dgmi_nn_row_grain(x), chunk, begin, end);
}

static inline void dgmi_nn_row_loop(dgm_context *ctx, const dgmi_table_tensor *x,
                                    dgmi_chunk_fn body, void *argument) {
    int64_t chunks = dgmi_nn_row_chunks(x);
    if (dgmi_table_tensor_count(x) >= DGMI_NN_ROW_WORTH) {
        dgmi_parallel(ctx, chunks, body, argument);
        return;
    }
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        body(argument, chunk, 0);
}

#endif
