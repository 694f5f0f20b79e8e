/* SPDX-License-Identifier: Apache-2.0 */
/* The largest eigenvalues of a dense symmetric matrix, by LAPACK. */
#include "spectral_symmetric.h"

#include <assert.h>
#include <lapacke.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "kernels_blas.h"

/* LAPACK counts from 1 and has columns one behind the other, so that rows of ours are columns of
 * its, and our upper triangle its lower one. */
typedef struct {
    lapack_int size, first;
    double *matrix, *values, *vectors;
    lapack_int *support;
    double *work;
    lapack_int work_size;
    lapack_int *integers;
    lapack_int integers_size;
} symmetric_job;

static lapack_int call(symmetric_job *job) {
    lapack_int found;
    return LAPACKE_dsyevr_work(LAPACK_COL_MAJOR, 'V', 'I', 'L', job->size, job->matrix, job->size,
                               0, 0, job->first, job->size, 0, &found, job->values, job->vectors,
                               job->size, job->support, job->work, job->work_size, job->integers,
                               job->integers_size);
}

/* Asks how much space is wanted, and takes it from scratch. */
static dgm_status take_space(dgm_context *ctx, symmetric_job *job) {
    double work;
    lapack_int integers;
    job->work = &work;
    job->integers = &integers;
    job->work_size = job->integers_size = -1;
    call(job);
    job->work_size = (lapack_int)work;
    job->integers_size = integers;
    job->work = dgmi_scratch(ctx, job->work_size, sizeof *job->work);
    job->integers = dgmi_scratch(ctx, job->integers_size, sizeof *job->integers);
    return job->work && job->integers ? DGM_OK : DGM_ERROR_MEMORY;
}

/* Ascending as LAPACK gives them, descending as we want them. */
static void turn_over(const symmetric_job *job, int64_t count, double *values, double *vectors) {
    size_t length = (size_t)job->size;
    for (int64_t i = 0; i < count; i++) {
        values[i] = job->values[count - 1 - i];
        memcpy(vectors + i * job->size, job->vectors + (count - 1 - i) * job->size,
               length * sizeof *vectors);
    }
}

dgm_status dgmi_spectral_symmetric_top(dgm_context *ctx, int64_t size, double *matrix,
                                       int64_t count, double *values, double *vectors) {
    assert(count >= 0 && count <= size);
    if (size > 40000)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "a dense matrix of %lld rows is too large to solve",
                         (long long)size);
    if (size == 0 || count == 0)
        return DGM_OK;
    dgm_status status = dgmi_kernels_blas_open(ctx);
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    symmetric_job job = {.size = (lapack_int)size,
                         .first = (lapack_int)(size - count + 1),
                         .matrix = matrix,
                         .values = dgmi_scratch(ctx, size, sizeof(double)),
                         .vectors = dgmi_scratch(ctx, size * count, sizeof(double)),
                         .support = dgmi_scratch(ctx, 2 * size, sizeof(lapack_int))};
    if (!job.values || !job.vectors || !job.support)
        status = DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = take_space(ctx, &job);
    if (status == DGM_OK && call(&job) != 0)
        status = dgmi_fail(ctx, DGM_ERROR_DATA,
                           "the eigenvectors of a matrix of %lld rows could not be found",
                           (long long)size);
    if (status == DGM_OK)
        turn_over(&job, count, values, vectors);
    dgmi_arena_release(ctx, hold);
    return status;
}
