/* SPDX-License-Identifier: Apache-2.0 */
/* Repulsion: which way is quickest, and all pairs. */
#include "base_memory.h"
#include "base_parallel.h"
#include "reduce_tsne.h"

enum { ROWS = 64 }; /* of a chunk */

int dgmi_repulsion_choose(int method, int dim, int64_t count) {
    (void)dim;
    (void)count;
    return method == DGM_TSNE_AUTO ? DGM_TSNE_EXACT : method;
}

dgm_status dgmi_repulsion_open(dgm_context *ctx, int method, const dgmi_embedding *y,
                               dgmi_repulsion *out) {
    (void)method;
    *out = (dgmi_repulsion){.ctx = ctx, .y = y, .kernels = dgmi_embed_kernels_find(NULL)};
    out->sums = dgmi_scratch(ctx, y->count, sizeof *out->sums);
    for (int axis = 0; axis < y->dim; axis++) {
        out->force[axis] = dgmi_scratch(ctx, y->count, sizeof(float));
        if (!out->force[axis])
            return DGM_ERROR_MEMORY;
    }
    return out->sums ? DGM_OK : DGM_ERROR_MEMORY;
}

static void repel_chunk(void *argument, int64_t chunk, int thread) {
    dgmi_repulsion *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->y->count, ROWS, chunk, &begin, &end);
    job->kernels->repel(job->y, job->y, begin, end, job->force, job->sums);
}

dgm_status dgmi_repulsion_exact(dgmi_repulsion *job) {
    dgmi_parallel(job->ctx, dgmi_chunks(job->y->count, ROWS), repel_chunk, job);
    return DGM_OK;
}

dgm_status dgmi_repulsion_run(dgmi_repulsion *job) {
    return dgmi_repulsion_exact(job);
}
