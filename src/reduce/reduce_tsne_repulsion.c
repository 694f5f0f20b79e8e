/* SPDX-License-Identifier: Apache-2.0 */
/* The repulsion of t-SNE: chooses the quickest of its three methods, and computes it from all pairs
 * of points. */
#include "base_memory.h"
#include "base_parallel.h"
#include "reduce_tsne.h"

enum {
    ROWS = 64, /* of a chunk */
    /* Beyond so many points all pairs take longer: measured (bench/bench_reduce.c). */
    FEWEST_ON_A_LINE = 2000,
    FEWEST_IN_A_PLANE = 8000,
    FEWEST_IN_SPACE = 15000,
};

int dgmi_reduce_repulsion_choose(int method, int dim, int64_t count) {
    static const int64_t fewest[] = {0, FEWEST_ON_A_LINE, FEWEST_IN_A_PLANE, FEWEST_IN_SPACE};
    if (method != DGM_TSNE_AUTO)
        return method;
    if (count < fewest[dim])
        return DGM_TSNE_EXACT;
    return dim == 3 ? DGM_TSNE_TREE : DGM_TSNE_FFT;
}

dgm_status dgmi_reduce_repulsion_open(dgm_context *ctx, int method, const dgmi_kernels_embedding *y,
                                      dgmi_reduce_repulsion *out) {
    *out = (dgmi_reduce_repulsion){.ctx = ctx, .y = y, .kernels = dgmi_kernels_embed_find(NULL)};
    out->sums = dgmi_scratch(ctx, y->count, sizeof *out->sums);
    for (int axis = 0; axis < y->dim; axis++) {
        out->force[axis] = dgmi_scratch(ctx, y->count, sizeof(float));
        if (!out->force[axis])
            return DGM_ERROR_MEMORY;
    }
    if (!out->sums)
        return DGM_ERROR_MEMORY;
    method = dgmi_reduce_repulsion_choose(method, y->dim, y->count);
    if (method == DGM_TSNE_TREE)
        return dgmi_reduce_tree_open(out, &out->tree);
    return method == DGM_TSNE_FFT ? dgmi_reduce_grid_open(out, &out->grid) : DGM_OK;
}

void dgmi_reduce_repulsion_close(dgmi_reduce_repulsion *job) {
    if (job->grid)
        dgmi_reduce_grid_close(job->grid);
}

static void repel_chunk(void *argument, int64_t chunk, int thread) {
    dgmi_reduce_repulsion *job = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(job->y->count, ROWS, chunk, &begin, &end);
    job->kernels->repel(job->y, job->y, begin, end, job->force, job->sums);
}

dgm_status dgmi_reduce_repulsion_run(dgmi_reduce_repulsion *job) {
    if (job->tree)
        return dgmi_reduce_tree_run(job->tree);
    if (job->grid)
        return dgmi_reduce_grid_run(job->grid);
    dgmi_parallel(job->ctx, dgmi_chunks(job->y->count, ROWS), repel_chunk, job);
    return DGM_OK;
}
