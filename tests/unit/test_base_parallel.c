/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <stdatomic.h>
#include <stdlib.h>
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
        cmocka_unit_test(chunks_cover_the_items_without_gap_or_overlap),
        cmocka_unit_test(no_threads_asked_for_means_all_cores),
    };
    return RUN_WITH_CONTEXT(tests);
}
