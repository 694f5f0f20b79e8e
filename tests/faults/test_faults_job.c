/* SPDX-License-Identifier: Apache-2.0 */
/* Whole runs in which something goes wrong at every place where it can: the k-th allocation fails
 * (once, or from then on), or the caller stops the run at its k-th progress report. Never a crash,
 * a leak, or a file left behind; a run that succeeds all the same writes the bytes of one that
 * nobody disturbed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../check_memory.h"
#include "faults_jobs.h"

static int setup(void **state) {
    (void)state;
    return faults_setup() ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    faults_teardown();
    return 0;
}

/* What one disturbed run ended as. */
typedef struct outcome {
    dgm_status status;
    long long calls; /* allocations, or progress reports */
    uint64_t hash;   /* of the files that it wrote */
} outcome;

static dgm_status run_job(const faults_job *job, dgm_context *ctx, int threads) {
    dgm_job_result made;
    dgm_context_set_threads(ctx, threads);
    dgm_status status = dgm_job_run(ctx, &job->job, NULL, DGM_KEEP_GRAPH | DGM_KEEP_VIEW, &made);
    if (status == DGM_OK) {
        assert_non_null(made.graph);
        assert_non_null(made.view);
    } else {
        assert_null(made.graph);
        assert_null(made.view);
        assert_int_equal(dgm_context_error_parts(ctx).status, status);
        assert_true(dgm_context_error(ctx)[0] != 0);
    }
    dgm_job_result_free(&made);
    return status;
}

/* Whatever happened: all files or none, and nothing alive. Returns the files' hash. */
static uint64_t check_traces(const faults_job *job, dgm_status status, const check_memory *memory,
                             const char *what, long long k) {
    int files = faults_count_outputs();
    int expected = status == DGM_OK ? faults_expected_outputs(job) : 0;
    uint64_t hash = faults_hash_outputs();
    faults_clear_outputs();
    if (files != expected)
        fail_msg("%s: %s %lld: %d files instead of %d, status %s", job->name, what, k, files,
                 expected, dgm_status_name(status));
    if (memory->blocks || memory->bytes)
        fail_msg("%s: %s %lld: %lld blocks leaked, status %s", job->name, what, k,
                 (long long)memory->blocks, dgm_status_name(status));
    return hash;
}

/* A fault that was survived must not show. */
static void check_bytes(const faults_job *job, outcome whole, outcome end, long long k) {
    if (end.status == DGM_OK && end.hash != whole.hash)
        fail_msg("%s: fault %lld ends in success with other bytes", job->name, k);
}

static outcome run_with_failure(const faults_job *job, int threads, long long fail_at,
                                bool fail_on) {
    check_memory memory = {.fail_at = fail_at, .fail_on = fail_on};
    dgm_allocator allocator = check_memory_allocator(&memory);
    dgm_context *ctx = NULL;
    dgm_status status = dgm_context_create(&allocator, &ctx);
    if (status == DGM_OK) {
        status = run_job(job, ctx, threads);
        if (status != DGM_OK && status != DGM_ERROR_MEMORY)
            fail_msg("%s: allocation %lld: %s", job->name, fail_at, dgm_context_error(ctx));
    } else {
        assert_null(ctx);
    }
    dgm_context_free(ctx);
    uint64_t hash =
        check_traces(job, status, &memory, fail_on ? "from allocation" : "allocation", fail_at);
    return (outcome){status, memory.calls, hash};
}

static void fail_every_allocation(const faults_job *job, int threads, bool fail_on) {
    outcome whole = run_with_failure(job, threads, 0, false);
    if (whole.status != DGM_OK)
        fail_msg("%s does not run at all", job->name);
    long long step = job->large ? 1 + whole.calls / 20 : 1, failed = 0;
    for (long long k = 1;; k += step) {
        outcome end = run_with_failure(job, threads, k, fail_on);
        failed += end.status != DGM_OK;
        check_bytes(job, whole, end, k);
        if (end.calls < k)
            break;
        if (fail_on)
            assert_int_equal(end.status, DGM_ERROR_MEMORY);
    }
    print_message("# %s: %lld allocations, %lld failed runs\n", job->name, whole.calls, failed);
    assert_true(failed > 0);
}

static void one_failed_allocation_is_a_clean_error(void **state) {
    (void)state;
    int count;
    const faults_job *jobs = faults_jobs(&count);
    for (int j = 0; j < count; j++)
        fail_every_allocation(&jobs[j], 1, false);
}

static void no_memory_from_some_point_on_is_a_clean_error(void **state) {
    (void)state;
    int count;
    const faults_job *jobs = faults_jobs(&count);
    for (int j = 0; j < count; j++)
        fail_every_allocation(&jobs[j], 1, true);
}

/* With threads the k-th allocation is another one each time: still a clean error. */
static void a_failure_beside_other_threads_is_a_clean_error(void **state) {
    (void)state;
    int count;
    const faults_job *jobs = faults_jobs(&count);
    for (int j = 0; j < count; j++)
        if (jobs[j].large || j == 0)
            fail_every_allocation(&jobs[j], 3, j % 2);
}

/* ---- cancelling ---- */

typedef struct stopper {
    long long calls, stop_at;
} stopper;

static bool stop_at_call(void *user, const char *stage, double fraction) {
    stopper *stop = user;
    assert_non_null(stage);
    assert_true(fraction <= 1);
    return ++stop->calls != stop->stop_at;
}

static outcome run_with_stop(const faults_job *job, long long stop_at) {
    check_memory memory = {0};
    dgm_allocator allocator = check_memory_allocator(&memory);
    dgm_context *ctx = NULL;
    stopper stop = {.stop_at = stop_at};
    assert_int_equal(dgm_context_create(&allocator, &ctx), DGM_OK);
    dgm_context_set_progress(ctx, stop_at_call, &stop);
    dgm_status status = run_job(job, ctx, 1);
    dgm_context_free(ctx);
    uint64_t hash = check_traces(job, status, &memory, "stopped at report", stop_at);
    return (outcome){status, stop.calls, hash};
}

static void a_run_can_be_stopped_at_every_report(void **state) {
    (void)state;
    int count;
    const faults_job *jobs = faults_jobs(&count);
    for (int j = 0; j < count; j++) {
        outcome whole = run_with_stop(&jobs[j], 0);
        assert_int_equal(whole.status, DGM_OK);
        assert_true(whole.calls > 0);
        long long step = 1 + whole.calls / (jobs[j].large ? 10 : 40);
        for (long long k = 1; k <= whole.calls; k += step) {
            outcome end = run_with_stop(&jobs[j], k);
            check_bytes(&jobs[j], whole, end, k);
            if (jobs[j].timed && end.status == DGM_OK && end.calls < k)
                break;
            if (end.status != DGM_ERROR_CANCELLED)
                fail_msg("%s: stopped at report %lld of %lld: %s", jobs[j].name, k, whole.calls,
                         dgm_status_name(end.status));
        }
    }
}

/* A request made before the call stays, until it is taken back. */
static void a_cancelled_context_stops_at_once_until_resumed(void **state) {
    (void)state;
    int count;
    const faults_job *jobs = faults_jobs(&count);
    check_memory memory = {0};
    dgm_allocator allocator = check_memory_allocator(&memory);
    dgm_context *ctx = NULL;
    assert_int_equal(dgm_context_create(&allocator, &ctx), DGM_OK);
    dgm_context_cancel(ctx);
    assert_int_equal(run_job(&jobs[0], ctx, 1), DGM_ERROR_CANCELLED);
    assert_int_equal(faults_count_outputs(), 0);
    assert_int_equal(run_job(&jobs[0], ctx, 1), DGM_ERROR_CANCELLED);
    dgm_context_resume(ctx);
    assert_int_equal(run_job(&jobs[0], ctx, 1), DGM_OK);
    dgm_context_free(ctx);
    check_traces(&jobs[0], DGM_OK, &memory, "resumed", 0);
}

/* ---- forked children ---- */

/* As Python's multiprocessing does: the child goes on with what it inherits, and ends it. */
static void a_forked_child_runs_jobs_on_the_context_it_inherits(void **state) {
    (void)state;
    int count;
    const faults_job *jobs = faults_jobs(&count);
    dgm_context *ctx = NULL;
    assert_int_equal(dgm_context_create(NULL, &ctx), DGM_OK);
    for (int j = 0; j < count; j++) {
        if (!jobs[j].large && j > 0)
            continue;
        assert_int_equal(run_job(&jobs[j], ctx, 3), DGM_OK);
        faults_clear_outputs();
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(120);
            dgm_status status = run_job(&jobs[j], ctx, 3);
            dgm_context_free(ctx);
            _exit(status == DGM_OK ? 0 : 1);
        }
        int end = -1;
        assert_int_equal(waitpid(child, &end, 0), child);
        assert_true(WIFEXITED(end));
        assert_int_equal(WEXITSTATUS(end), 0);
        assert_int_equal(faults_count_outputs(), faults_expected_outputs(&jobs[j]));
        faults_clear_outputs();
    }
    dgm_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_failed_allocation_is_a_clean_error),
        cmocka_unit_test(no_memory_from_some_point_on_is_a_clean_error),
        cmocka_unit_test(a_failure_beside_other_threads_is_a_clean_error),
        cmocka_unit_test(a_run_can_be_stopped_at_every_report),
        cmocka_unit_test(a_cancelled_context_stops_at_once_until_resumed),
        cmocka_unit_test(a_forked_child_runs_jobs_on_the_context_it_inherits),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
