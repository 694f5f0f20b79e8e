/* SPDX-License-Identifier: Apache-2.0 */
/* Finds eigenvectors in block Krylov spaces: the span of V, AV, A^2 V, ..., with an orthonormal
 * basis Q. The best approximations in it (Rayleigh and Ritz) come from the eigenvectors of the
 * small matrix T = Q A Q'. */
#include "spectral_symmetric.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "kernels_blas.h"

/* Vectors that lost this share of their length to those before them are taken for dependent. */
#define DEPENDENT 1e-13

typedef struct {
    dgm_context *ctx;
    const dgmi_spectral_krylov_request *request;
    int64_t size;     /* of a vector */
    int64_t held;     /* vectors of the basis */
    int64_t width;    /* vectors of a block */
    double *basis;    /* most x size, orthonormal rows */
    double *products; /* A times each of them */
    double *small;    /* T, most x most */
    double *copy;     /* of T, for the solver to destroy */
    double *values;   /* most */
    double *weights;  /* width x most: eigenvectors of T */
    double *across;   /* width x most */
    double *next;     /* width x size */
    double residual;
} krylov_job;

/* c = a b', rows of a and b having `length` entries. */
static void multiply_rows(int64_t rows, int64_t columns, int64_t length, const double *a,
                          const double *b, double *c, int64_t stride) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)columns, (int)length, 1, a,
                (int)length, b, (int)length, 0, c, (int)stride);
}

/* y = factor a b + keep y, a: rows x inner with `stride`, b: inner x length. */
static void combine_rows(int64_t rows, int64_t inner, int64_t length, double factor,
                         const double *a, int64_t stride, const double *b, double keep, double *y) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, (int)length, (int)inner,
                factor, a, (int)stride, b, (int)length, keep, y, (int)length);
}

static double length_of(const double *x, int64_t size) {
    return cblas_dnrm2((int)size, x, 1);
}

/* The block's rows against each other, one after the other. Dependent ones become zero, which does
 * no harm: their eigenvalue is 0. */
static void orthonormalise(double *block, int64_t rows, int64_t size, const double *lengths) {
    for (int64_t i = 0; i < rows; i++) {
        double *x = block + i * size;
        for (int twice = 0; twice < 2; twice++)
            for (int64_t j = 0; j < i; j++) {
                const double *y = block + j * size;
                cblas_daxpy((int)size, -cblas_ddot((int)size, x, 1, y, 1), y, 1, x, 1);
            }
        double length = length_of(x, size);
        if (length <= DEPENDENT * lengths[i] || length == 0)
            memset(x, 0, (size_t)size * sizeof *x);
        else
            cblas_dscal((int)size, 1 / length, x, 1);
    }
}

/* Takes what the basis spans out of the block, twice, as once is not enough; joins the rest to it.
 */
static void join_basis(krylov_job *job, double *block) {
    double lengths[512];
    int64_t size = job->size, held = job->held, width = job->width;
    for (int64_t i = 0; i < width; i++)
        lengths[i] = length_of(block + i * size, size);
    for (int twice = 0; held > 0 && twice < 2; twice++) {
        multiply_rows(width, held, size, block, job->basis, job->across, held);
        combine_rows(width, held, size, -1, job->across, held, job->basis, 1, block);
    }
    orthonormalise(block, width, size, lengths);
    memcpy(job->basis + held * size, block, (size_t)(width * size) * sizeof *block);
}

/* A times the newest block, and T with its rows and columns. */
static dgm_status extend(krylov_job *job, dgmi_spectral_product_fn product, void *user) {
    int64_t size = job->size, held = job->held, width = job->width, most = job->request->most;
    double *block = job->basis + held * size, *image = job->products + held * size;
    dgm_status status = product(user, width, block, image);
    if (status != DGM_OK)
        return status;
    multiply_rows(width, held + width, size, image, job->basis, job->small + held * most, most);
    for (int64_t i = held; i < held + width; i++)
        for (int64_t j = 0; j < held; j++)
            job->small[j * most + i] = job->small[i * most + j];
    job->held += width;
    return DGM_OK;
}

/* The largest eigenvalues of T and what their vectors leave: A x - value x = y' AQ - value y' Q. */
static dgm_status solve_small(krylov_job *job) {
    int64_t held = job->held, most = job->request->most, count = job->request->count;
    int64_t wanted = job->width < held ? job->width : held;
    for (int64_t i = 0; i < held; i++)
        for (int64_t j = 0; j < held; j++)
            job->copy[i * held + j] = (job->small[i * most + j] + job->small[j * most + i]) / 2;
    dgm_status status =
        dgmi_spectral_symmetric_top(job->ctx, held, job->copy, wanted, job->values, job->weights);
    if (status != DGM_OK)
        return status;
    combine_rows(count, held, job->size, 1, job->weights, held, job->products, 0, job->next);
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < held; j++)
            job->across[i * held + j] = job->values[i] * job->weights[i * held + j];
    combine_rows(count, held, job->size, -1, job->across, held, job->basis, 1, job->next);
    job->residual = 0;
    for (int64_t i = 0; i < count; i++)
        job->residual = fmax(job->residual, length_of(job->next + i * job->size, job->size));
    double scale = fabs(job->values[0]);
    job->residual = scale > 0 ? job->residual / scale : 0;
    return DGM_OK;
}

/* The best vectors of the space begin the next one. */
static void start_again(krylov_job *job) {
    int64_t size = job->size, held = job->held, width = job->width, most = job->request->most;
    size_t bytes = (size_t)(width * size) * sizeof *job->next;
    combine_rows(width, held, size, 1, job->weights, held, job->basis, 0, job->next);
    memcpy(job->basis, job->next, bytes);
    combine_rows(width, held, size, 1, job->weights, held, job->products, 0, job->next);
    memcpy(job->products, job->next, bytes);
    multiply_rows(width, width, size, job->products, job->basis, job->small, most);
    job->held = width;
}

static dgm_status iterate(krylov_job *job, dgmi_spectral_product_fn product, void *user,
                          dgmi_spectral_krylov_report *report) {
    int64_t size = job->size, width = job->width;
    size_t bytes = (size_t)(width * size) * sizeof *job->next;
    const dgmi_spectral_krylov_request *request = job->request;
    dgm_status status = DGM_OK;
    for (int64_t i = 0; i < width * size; i++)
        job->next[i] = dgmi_random_unit(request->seed, 0x6b72796c6f76, (uint64_t)i) - 0.5;
    for (report->products = 1; status == DGM_OK; report->products++) {
        join_basis(job, job->next);
        status = extend(job, product, user);
        if (status == DGM_OK)
            status = solve_small(job);
        report->converged = job->residual <= request->tolerance;
        if (status != DGM_OK || report->converged || report->products >= request->products)
            break;
        /* what the next block grows from: A times the newest one, or, at the start of a new space,
         * A times the best vectors */
        if (job->held + width > request->most)
            start_again(job);
        memcpy(job->next, job->products + (job->held - width) * size, bytes);
    }
    report->residual = job->residual;
    return status;
}

static dgm_status take_space(krylov_job *job) {
    dgm_context *ctx = job->ctx;
    int64_t most = job->request->most, size = job->size, width = job->width;
    job->basis = dgmi_scratch(ctx, most * size, sizeof(double));
    job->products = dgmi_scratch(ctx, most * size, sizeof(double));
    job->small = dgmi_scratch_zero(ctx, most * most, sizeof(double));
    job->copy = dgmi_scratch(ctx, most * most, sizeof(double));
    job->values = dgmi_scratch(ctx, most, sizeof(double));
    job->weights = dgmi_scratch(ctx, width * most, sizeof(double));
    job->across = dgmi_scratch(ctx, width * most, sizeof(double));
    job->next = dgmi_scratch(ctx, width * size, sizeof(double));
    bool there = job->basis && job->products && job->small && job->copy && job->values &&
                 job->weights && job->across && job->next;
    return there ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_spectral_krylov_top(dgm_context *ctx, int64_t size,
                                    dgmi_spectral_product_fn product, void *user,
                                    const dgmi_spectral_krylov_request *request, double *values,
                                    double *vectors, dgmi_spectral_krylov_report *report) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    krylov_job job = {.ctx = ctx, .request = request, .size = size, .width = request->width};
    *report = (dgmi_spectral_krylov_report){0};
    dgm_status status = dgmi_kernels_blas_open(ctx);
    if (status == DGM_OK)
        status = take_space(&job);
    if (status == DGM_OK)
        status = iterate(&job, product, user, report);
    if (status == DGM_OK) {
        memcpy(values, job.values, (size_t)request->count * sizeof *values);
        combine_rows(request->count, job.held, size, 1, job.weights, job.held, job.basis, 0,
                     vectors);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
