/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base_parallel.h"
#include "unit_faults.h"

enum { MOST = 1000 };

typedef struct {
    atomic_int met[MOST];
    atomic_int strangers; /* threads out of their bounds */
    int threads;
} visits;

static void visit(void *argument, int64_t chunk, int thread) {
    visits *seen = argument;
    atomic_fetch_add(&seen->met[chunk], 1);
    if (thread < 0 || thread >= seen->threads)
        atomic_fetch_add(&seen->strangers, 1);
}

static void every_chunk_is_met_once_by_any_number_of_threads(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 3, 8, 33};
    static const int64_t chunks[] = {0, 1, 2, 7, MOST};
    for (int64_t t = 0; t < COUNT(threads); t++)
        for (int64_t c = 0; c < COUNT(chunks); c++) {
            visits seen = {.threads = threads[t]};
            dgm_context_set_threads(ctx, threads[t]);
            dgmi_parallel(ctx, chunks[c], visit, &seen);
            assert_int_equal(seen.strangers, 0);
            for (int64_t i = 0; i < MOST; i++)
                assert_int_equal(seen.met[i], i < chunks[c]);
        }
    dgm_context_set_threads(ctx, 0);
}

static void add_one(void *argument, int64_t chunk, int thread) {
    (void)chunk, (void)thread;
    atomic_fetch_add((atomic_int *)argument, 1);
}

static void loops_in_quick_succession_lose_no_chunk(void **state) {
    (void)state;
    dgm_context_set_threads(ctx, 3);
    for (int loop = 0; loop < 20000; loop++) {
        atomic_int sum = 0;
        dgmi_parallel(ctx, 3 + loop % 5, add_one, &sum);
        assert_int_equal(sum, 3 + loop % 5);
    }
    dgm_context_set_threads(ctx, 0);
}

static void workers_that_fell_asleep_wake_up(void **state) {
    (void)state;
    for (int threads = 2; threads < 6; threads++) {
        dgm_context_set_threads(ctx, threads);
        usleep(2000);
        atomic_int sum = 0;
        dgmi_parallel(ctx, 1000, add_one, &sum);
        assert_int_equal(sum, 1000);
    }
    dgm_context_set_threads(ctx, 0);
}

static void *refuse_small_blocks(void *user, void *block, size_t size) {
    (void)user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return size < 512 ? NULL : realloc(block, size);
}

static void without_memory_for_workers_the_caller_does_the_work(void **state) {
    (void)state;
    const dgm_allocator allocator = {refuse_small_blocks, NULL};
    dgm_context *poor = NULL;
    assert_int_equal(dgm_context_create(&allocator, &poor), DGM_OK);
    dgm_context_set_threads(poor, 4);
    atomic_int sum = 0;
    dgmi_parallel(poor, 100, add_one, &sum);
    assert_int_equal(sum, 100);
    dgm_context_free(poor);
}

/* Threads become more from loop to loop. */
static dgm_status run_growing_loops(dgm_context *own, void *argument) {
    (void)argument;
    for (int threads = 2; threads < 9; threads += 3) {
        atomic_int sum = 0;
        dgm_context_set_threads(own, threads);
        dgmi_parallel(own, 100, add_one, &sum);
        assert_int_equal(sum, 100);
    }
    return DGM_OK;
}

static void any_allocation_for_workers_may_fail(void **state) {
    (void)state;
    fail_each_allocation(run_growing_loops, NULL);
}

typedef struct {
    atomic_int met;
    atomic_bool gave_up;
} waiting;

/* Chunk 0 waits for all others, of which some are its own thread's. */
static void wait_in_the_first(void *argument, int64_t chunk, int thread) {
    enum { OTHERS = 9, TENTHS_OF_MILLISECONDS = 100000 };
    waiting *all = argument;
    (void)thread;
    if (chunk > 0)
        atomic_fetch_add(&all->met, 1);
    for (int i = 0; chunk == 0 && all->met < OTHERS; i++) {
        usleep(100);
        if (i == TENTHS_OF_MILLISECONDS) {
            atomic_store(&all->gave_up, true);
            return;
        }
    }
}

static void a_thread_that_is_done_helps_the_others(void **state) {
    (void)state;
    dgm_context_set_threads(ctx, 2);
    for (int loop = 0; loop < 20; loop++) {
        waiting all = {0};
        dgmi_parallel(ctx, 10, wait_in_the_first, &all);
        assert_false(all.gave_up);
        assert_int_equal(all.met, 9);
    }
    dgm_context_set_threads(ctx, 0);
}

typedef struct {
    dgm_context *own;
    atomic_int met[40][50];
    atomic_int strangers; /* inner chunks under another thread's number than the outer's */
} nest;

typedef struct {
    nest *all;
    int64_t outer;
    int thread;
} inner_loop;

static void visit_inner(void *argument, int64_t chunk, int thread) {
    inner_loop *inner = argument;
    atomic_fetch_add(&inner->all->met[inner->outer][chunk], 1);
    if (thread != inner->thread)
        atomic_fetch_add(&inner->all->strangers, 1);
}

static void visit_outer(void *argument, int64_t chunk, int thread) {
    nest *all = argument;
    inner_loop inner = {all, chunk, thread};
    usleep(100); /* so that workers come and take part */
    dgmi_parallel(all->own, 50, visit_inner, &inner);
}

static void a_loop_inside_a_loop_loses_no_chunk(void **state) {
    (void)state;
    dgm_context_set_threads(ctx, 4);
    for (int loop = 0; loop < 5; loop++) {
        nest all = {.own = ctx};
        dgmi_parallel(ctx, 40, visit_outer, &all);
        for (int outer = 0; outer < 40; outer++)
            for (int inner = 0; inner < 50; inner++)
                assert_int_equal(all.met[outer][inner], 1);
        assert_int_equal(all.strangers, 0);
    }
    dgm_context_set_threads(ctx, 0);
}

static void *run_many_loops(void *argument) {
    dgm_context *own = NULL;
    int64_t *lost = argument;
    if (dgm_context_create(NULL, &own) != DGM_OK)
        return NULL;
    dgm_context_set_threads(own, 3);
    for (int loop = 0; loop < 2000; loop++) {
        atomic_int sum = 0;
        dgmi_parallel(own, 20, add_one, &sum);
        *lost += 20 - sum;
    }
    dgm_context_free(own);
    return NULL;
}

static void two_contexts_work_in_two_threads(void **state) {
    (void)state;
    int64_t lost[2] = {0};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_many_loops, &lost[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(lost[0], 0);
    assert_int_equal(lost[1], 0);
}

/* ---- forked children ---- */

/* A child that hangs is killed by its alarm. `work` returns whether all went well. */
static void in_a_child(bool (*work)(dgm_context *own), dgm_context *own) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(20);
        _exit(work(own) ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static bool free_it(dgm_context *own) {
    dgm_context_free(own);
    return true;
}

static bool use_and_free_it(dgm_context *own) {
    bool right = true;
    for (int loop = 0; loop < 50; loop++) {
        atomic_int sum = 0;
        dgmi_parallel(own, 100, add_one, &sum);
        right = right && sum == 100;
    }
    dgm_context_free(own);
    return right;
}

static dgm_context *context_with_workers(void) {
    dgm_context *own = NULL;
    atomic_int sum = 0;
    assert_int_equal(dgm_context_create(NULL, &own), DGM_OK);
    dgm_context_set_threads(own, 3);
    dgmi_parallel(own, 100, add_one, &sum);
    assert_int_equal(sum, 100);
    return own;
}

static void a_forked_child_frees_and_uses_what_it_inherits(void **state) {
    (void)state;
    dgm_context *own = context_with_workers();
    in_a_child(free_it, own);
    in_a_child(use_and_free_it, own);
    usleep(5000); /* the workers sleep now */
    in_a_child(free_it, own);
    in_a_child(use_and_free_it, own);
    atomic_int sum = 0;
    dgmi_parallel(own, 100, add_one, &sum); /* the parent goes on */
    assert_int_equal(sum, 100);
    dgm_context_free(own);
}

typedef struct {
    dgm_context *own;
    atomic_bool busy, go_on;
} long_loop;

static void wait_for_leave(void *argument, int64_t chunk, int thread) {
    long_loop *all = argument;
    (void)chunk, (void)thread;
    atomic_store(&all->busy, true);
    while (!atomic_load(&all->go_on))
        usleep(100);
}

static void *run_long_loop(void *argument) {
    long_loop *all = argument;
    dgmi_parallel(all->own, 3, wait_for_leave, all);
    return NULL;
}

static void a_child_forked_in_the_middle_of_a_loop_does_not_hang(void **state) {
    (void)state;
    dgm_context *own = context_with_workers();
    long_loop all = {.own = own};
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, run_long_loop, &all), 0);
    while (!atomic_load(&all.busy))
        usleep(100);
    in_a_child(free_it, own);
    in_a_child(use_and_free_it, own);
    atomic_store(&all.go_on, true);
    pthread_join(other, NULL);
    dgm_context_free(own);
}

static void *run_loops_until_told(void *argument) {
    long_loop *all = argument;
    while (!atomic_load(&all->go_on)) {
        atomic_int sum = 0;
        dgmi_parallel(all->own, 4, add_one, &sum);
        atomic_store(&all->busy, true);
    }
    return NULL;
}

/* Loops of few chunks: the pool's lock is taken and given back all the time. */
static void a_lock_held_at_the_fork_does_not_matter(void **state) {
    (void)state;
    dgm_context *own = context_with_workers();
    dgm_context_set_threads(own, 8); /* more than there are cores: workers sleep at once */
    long_loop all = {.own = own};
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, run_loops_until_told, &all), 0);
    while (!atomic_load(&all.busy))
        usleep(100);
    for (int i = 0; i < 30; i++)
        in_a_child(i % 2 ? free_it : use_and_free_it, own);
    atomic_store(&all.go_on, true);
    pthread_join(other, NULL);
    dgm_context_free(own);
}

/* ---- signals ---- */

typedef struct {
    waiting all;
    atomic_int crashes_blocked, interrupts_open, by_workers;
} masks;

static void look_at_mask(void *argument, int64_t chunk, int thread) {
    static const int of_crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    masks *seen = argument;
    sigset_t mask;
    if (thread > 0 && pthread_sigmask(SIG_BLOCK, NULL, &mask) == 0) {
        atomic_fetch_add(&seen->by_workers, 1);
        for (int64_t i = 0; i < COUNT(of_crashes); i++)
            atomic_fetch_add(&seen->crashes_blocked, sigismember(&mask, of_crashes[i]));
        atomic_fetch_add(&seen->interrupts_open, !sigismember(&mask, SIGINT));
    }
    wait_in_the_first(&seen->all, chunk, thread);
}

static void workers_leave_interrupts_to_the_caller_and_crash_by_themselves(void **state) {
    (void)state;
    dgm_context_set_threads(ctx, 2);
    masks seen = {0};
    dgmi_parallel(ctx, 10, look_at_mask, &seen);
    assert_false(seen.all.gave_up);
    assert_true(seen.by_workers > 0);
    assert_int_equal(seen.crashes_blocked, 0);
    assert_int_equal(seen.interrupts_open, 0);
    dgm_context_set_threads(ctx, 0);
}

static void chunks_cover_the_items_without_gap_or_overlap(void **state) {
    (void)state;
    static const int64_t items[] = {0, 1, 9, 10, 11, 100, 101};
    for (int64_t k = 0; k < COUNT(items); k++) {
        int64_t reached = 0;
        for (int64_t c = 0; c < dgmi_chunks(items[k], 10); c++) {
            int64_t begin, end;
            dgmi_chunk(items[k], 10, c, &begin, &end);
            assert_int_equal(begin, reached);
            assert_true(end > begin && end - begin <= 10);
            reached = end;
        }
        assert_int_equal(reached, items[k]);
    }
}

static void no_threads_asked_for_means_all_cores(void **state) {
    (void)state;
    assert_true(dgmi_cores() >= 1);
    dgm_context_set_threads(ctx, 5);
    assert_int_equal(dgm_context_threads(ctx), 5);
    dgm_context_set_threads(ctx, -3);
    assert_int_equal(dgm_context_threads(ctx), dgmi_cores());
    dgm_context_set_threads(ctx, 0);
    assert_int_equal(dgm_context_threads(ctx), dgmi_cores());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chunk_is_met_once_by_any_number_of_threads),
        cmocka_unit_test(loops_in_quick_succession_lose_no_chunk),
        cmocka_unit_test(workers_that_fell_asleep_wake_up),
        cmocka_unit_test(without_memory_for_workers_the_caller_does_the_work),
        cmocka_unit_test(any_allocation_for_workers_may_fail),
        cmocka_unit_test(a_thread_that_is_done_helps_the_others),
        cmocka_unit_test(a_loop_inside_a_loop_loses_no_chunk),
        cmocka_unit_test(two_contexts_work_in_two_threads),
        cmocka_unit_test(a_forked_child_frees_and_uses_what_it_inherits),
        cmocka_unit_test(a_child_forked_in_the_middle_of_a_loop_does_not_hang),
        cmocka_unit_test(a_lock_held_at_the_fork_does_not_matter),
        cmocka_unit_test(workers_leave_interrupts_to_the_caller_and_crash_by_themselves),
        cmocka_unit_test(chunks_cover_the_items_without_gap_or_overlap),
        cmocka_unit_test(no_threads_asked_for_means_all_cores),
    };
    return RUN_WITH_CONTEXT(tests);
}
