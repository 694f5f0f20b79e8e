/* SPDX-License-Identifier: Apache-2.0 */
#include "base_each.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"

/* The error of a piece, in the caller's hands before the piece's context fails again. */
typedef struct each_error {
    dgm_status status;
    char message[sizeof((dgm_context *)NULL)->message];
    char file[sizeof((dgm_context *)NULL)->file];
    char option[sizeof((dgm_context *)NULL)->option];
    int64_t line, byte;
} each_error;

typedef struct each_job {
    dgm_context *ctx;
    const char *stage;
    int64_t count;
    dgmi_each_fn work;
    void *argument;
    int threads;
    dgm_context **contexts;    /* one per thread */
    struct each_thread *users; /* one per thread */
    atomic_bool stop;          /* the caller has answered a report with false */
    _Atomic int64_t done;      /* the number of pieces that are */
    _Atomic int64_t failed;    /* the lowest piece that has failed; `count`: none */
    atomic_flag lock;          /* of the error */
    each_error error;          /* of that piece */
    double told;               /* the last fraction that was reported */
} each_job;

/* What a piece reports to. */
typedef struct each_thread {
    each_job *job;
    bool reports;            /* it is the thread that called the library */
    int64_t index;           /* of the piece that it works on */
    _Atomic double fraction; /* of that piece */
} each_thread;

/* ---- progress ---- */

static bool wants_stop(const each_job *job) {
    return atomic_load(&job->stop) || dgmi_cancelled(job->ctx);
}

static double fraction_of(each_job *job) {
    double sum = (double)atomic_load(&job->done);
    for (int t = 0; t < job->threads; t++)
        sum += atomic_load(&job->users[t].fraction);
    sum /= (double)job->count;
    if (sum > job->told)
        job->told = sum < 1 ? sum : 1;
    return job->told;
}

static bool report_piece(void *user, const char *stage, double fraction) {
    each_thread *thread = user;
    each_job *job = thread->job;
    (void)stage;
    atomic_store(&thread->fraction, fraction > 0 ? fraction : 0);
    if (thread->reports && job->ctx->progress &&
        !job->ctx->progress(job->ctx->progress_user, job->stage, fraction_of(job)))
        atomic_store(&job->stop, true);
    return !wants_stop(job) && thread->index <= atomic_load(&job->failed);
}

/* ---- errors ---- */

static void blame(each_job *job, const dgm_context *ctx, int64_t index, dgm_status status) {
    while (atomic_flag_test_and_set(&job->lock))
        ;
    if (status != DGM_ERROR_CANCELLED && index < atomic_load(&job->failed)) {
        each_error *to = &job->error;
        to->status = status;
        to->line = ctx->line;
        to->byte = ctx->byte;
        memcpy(to->message, ctx->message, sizeof to->message);
        memcpy(to->file, ctx->file, sizeof to->file);
        memcpy(to->option, ctx->option, sizeof to->option);
        atomic_store(&job->failed, index);
    }
    atomic_flag_clear(&job->lock);
}

/* Takes over the error of the piece that is to blame, which has its options in words already. */
static dgm_status take_error(each_job *job) {
    const each_error *error = &job->error;
    dgm_context *ctx = job->ctx;
    if (atomic_load(&job->failed) == job->count)
        return wants_stop(job)
                   ? dgmi_fail(ctx, DGM_ERROR_CANCELLED, "interrupted while %s", job->stage)
                   : DGM_OK;
    dgm_status status = error->file[0] ? dgmi_fail_at(ctx, error->status, error->file, error->line,
                                                      error->byte, "%s", error->message)
                                       : dgmi_fail(ctx, error->status, "%s", error->message);
    memcpy(ctx->option, error->option, sizeof ctx->option);
    return status;
}

/* ---- on several threads ---- */

static void run_piece(void *argument, int64_t index, int thread) {
    each_job *job = argument;
    each_thread *user = &job->users[thread];
    dgm_context *ctx = job->contexts[thread];
    if (wants_stop(job) || index > atomic_load(&job->failed))
        return;
    user->index = index;
    dgm_status status = job->work(ctx, job->argument, index);
    atomic_store(&user->fraction, 0);
    atomic_fetch_add(&job->done, 1);
    if (status != DGM_OK)
        blame(job, ctx, index, status);
    else
        report_piece(user, job->stage, 0);
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
    ctx->unpack_limit = job->ctx->unpack_limit;
    ctx->blas_threads = job->ctx->blas_threads;
    ctx->memory = job->ctx->memory;
    ctx->lens = job->ctx->lens;
    return DGM_OK;
}

static dgm_status run_on_threads(each_job *job) {
    dgm_context *ctx = job->ctx;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    job->contexts = dgmi_scratch_zero(ctx, job->threads, sizeof(dgm_context *));
    job->users = dgmi_scratch_zero(ctx, job->threads, sizeof *job->users);
    dgm_status status = job->contexts && job->users ? DGM_OK : DGM_ERROR_MEMORY;
    for (int t = 0; status == DGM_OK && t < job->threads; t++)
        status = make_context(job, t);
    if (status == DGM_OK) {
        dgmi_parallel(ctx, job->count, run_piece, job);
        status = take_error(job);
    }
    for (int t = 0; job->contexts && t < job->threads; t++)
        dgm_context_free(job->contexts[t]);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- on this one ---- */

/* The caller's own way to hear of progress, while pieces report to `report_share`. */
typedef struct each_share {
    dgm_progress_fn progress;
    void *user;
    const char *stage;
    int64_t index, count;
    double told;
} each_share;

static bool report_share(void *user, const char *stage, double fraction) {
    each_share *share = user;
    (void)stage;
    double all = ((double)share->index + (fraction > 0 ? fraction : 0)) / (double)share->count;
    if (all > share->told)
        share->told = all;
    return share->progress(share->user, share->stage, share->told);
}

static dgm_status run_here(dgm_context *ctx, const char *stage, int64_t count, dgmi_each_fn work,
                           void *argument) {
    each_share share = {ctx->progress, ctx->progress_user, stage, 0, count, 0};
    dgm_note_fn note = ctx->note;
    dgm_status status = DGM_OK;
    ctx->note = NULL;
    if (ctx->progress)
        dgm_context_set_progress(ctx, report_share, &share);
    for (; status == DGM_OK && share.index < count; share.index++) {
        status = work(ctx, argument, share.index);
        if (status == DGM_OK)
            status = dgmi_progress(ctx, stage, 1);
    }
    dgm_context_set_progress(ctx, share.progress, share.user);
    ctx->note = note;
    return status;
}

dgm_status dgmi_each(dgm_context *ctx, const char *stage, int64_t count, dgmi_each_fn work,
                     void *argument) {
    each_job job = {.ctx = ctx,
                    .stage = stage,
                    .count = count,
                    .work = work,
                    .argument = argument,
                    .threads = dgm_context_threads(ctx),
                    .failed = count,
                    .lock = ATOMIC_FLAG_INIT};
    if (job.threads == 1 || count <= 1)
        return run_here(ctx, stage, count, work, argument);
    return run_on_threads(&job);
}
