/* SPDX-License-Identifier: Apache-2.0 */
#include "base_each.h"

#include <stdatomic.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

typedef struct each_job {
    dgm_context *ctx;
    const char *stage;
    int64_t count;
    dgmi_each_fn work;
    void *argument;
    dgm_context **contexts;    /* one per thread */
    struct each_thread *users; /* one per thread */
    atomic_bool stop;
    _Atomic int64_t done;
    dgm_status status; /* of the failure with the lowest index */
    int64_t failed;    /* that index; `count` if nothing failed */
    dgm_context *blamed;
    atomic_flag lock;
} each_job;

/* What the progress of a piece tells by. */
typedef struct each_thread {
    each_job *job;
    bool reports; /* it is the thread that called the library */
    _Atomic int permille;
} each_thread;

static double fraction_of(const each_job *job) {
    double sum = (double)atomic_load(&job->done);
    for (int t = 0; t < dgm_context_threads(job->ctx); t++)
        sum += atomic_load(&job->users[t].permille) / 1000.0;
    return sum < (double)job->count ? sum / (double)job->count : 1;
}

static bool report_piece(void *user, const char *stage, double fraction) {
    each_thread *thread = user;
    each_job *job = thread->job;
    (void)stage;
    atomic_store(&thread->permille, fraction > 0 ? (int)(fraction * 1000) : 0);
    if (thread->reports && job->ctx->progress &&
        !job->ctx->progress(job->ctx->progress_user, job->stage, fraction_of(job)))
        dgm_context_cancel(job->ctx);
    return !dgmi_cancelled(job->ctx) && !atomic_load(&job->stop);
}

static void blame(each_job *job, dgm_context *ctx, int64_t index, dgm_status status) {
    while (atomic_flag_test_and_set(&job->lock))
        ;
    bool stopped = atomic_load(&job->stop) && status == DGM_ERROR_CANCELLED;
    if (index < job->failed && !(stopped && job->blamed)) {
        job->failed = index;
        job->status = status;
        job->blamed = ctx;
    }
    atomic_store(&job->stop, true);
    atomic_flag_clear(&job->lock);
}

static void run_piece(void *argument, int64_t index, int thread) {
    each_job *job = argument;
    dgm_context *ctx = job->contexts[thread];
    if (atomic_load(&job->stop))
        return;
    dgm_status status = job->work(ctx, job->argument, index);
    atomic_store(&job->users[thread].permille, 0);
    atomic_fetch_add(&job->done, 1);
    if (status != DGM_OK)
        blame(job, ctx, index, status);
    else
        report_piece(&job->users[thread], job->stage, 0);
}

/* A context for one thread, with everything that its caller has set. */
static dgm_status make_context(each_job *job, int thread) {
    dgm_context *ctx;
    dgm_status status = dgm_context_create(&job->ctx->allocator, &ctx);
    if (status != DGM_OK)
        return dgmi_fail_memory(job->ctx, 1, sizeof *ctx);
    job->contexts[thread] = ctx;
    job->users[thread].job = job;
    job->users[thread].reports = thread == 0;
    dgm_context_set_threads(ctx, 1);
    dgm_context_set_progress(ctx, report_piece, &job->users[thread]);
    dgm_context_set_option_words(ctx, job->ctx->option_words, job->ctx->option_words_user);
    ctx->blas_threads = job->ctx->blas_threads;
    ctx->memory = job->ctx->memory;
    ctx->lens = job->ctx->lens;
    return DGM_OK;
}

/* Takes over the error of a piece. */
static dgm_status take_error(each_job *job) {
    dgm_error error = dgm_context_error_parts(job->blamed);
    if (job->status == DGM_ERROR_CANCELLED)
        return dgmi_fail(job->ctx, job->status, "interrupted while %s", job->stage);
    if (error.file)
        return dgmi_fail_at(job->ctx, job->status, error.file, error.line, error.byte, "%s",
                            error.message);
    return dgmi_fail(job->ctx, job->status, "%s", error.message);
}

static dgm_status run_here(dgm_context *ctx, const char *stage, int64_t count, dgmi_each_fn work,
                           void *argument) {
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < count; i++) {
        status = work(ctx, argument, i);
        if (status == DGM_OK)
            status = dgmi_progress(ctx, stage, (double)(i + 1) / (double)count);
    }
    return status;
}

dgm_status dgmi_each(dgm_context *ctx, const char *stage, int64_t count, dgmi_each_fn work,
                     void *argument) {
    int threads = dgm_context_threads(ctx);
    if (threads == 1 || count <= 1)
        return run_here(ctx, stage, count, work, argument);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    each_job job = {.ctx = ctx,
                    .stage = stage,
                    .count = count,
                    .work = work,
                    .argument = argument,
                    .failed = count,
                    .lock = ATOMIC_FLAG_INIT};
    job.contexts = dgmi_scratch_zero(ctx, threads, sizeof(dgm_context *));
    job.users = dgmi_scratch_zero(ctx, threads, sizeof *job.users);
    dgm_status status = job.contexts && job.users ? DGM_OK : DGM_ERROR_MEMORY;
    for (int t = 0; status == DGM_OK && t < threads; t++)
        status = make_context(&job, t);
    if (status == DGM_OK) {
        dgmi_parallel(ctx, count, run_piece, &job);
        status = job.blamed ? take_error(&job) : DGM_OK;
    }
    for (int t = 0; job.contexts && t < threads; t++)
        dgm_context_free(job.contexts[t]);
    dgmi_arena_release(ctx, hold);
    return status;
}
