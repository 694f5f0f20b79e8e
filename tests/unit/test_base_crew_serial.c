/* SPDX-License-Identifier: Apache-2.0 */
/* The crew of builds without threads: what it promises is what the other one does, on one thread.
 */
#include "unit_fixture.h"

#include "base_parallel.h"

enum { MOST = 100 };

typedef struct {
    int64_t met[MOST]; /* chunks in the order of their coming */
    int64_t count;
    int highest; /* thread */
} visits;

static void visit(void *argument, int64_t chunk, int thread) {
    visits *seen = argument;
    seen->met[seen->count++] = chunk;
    seen->highest = thread > seen->highest ? thread : seen->highest;
}

static void chunks_come_in_order_on_one_thread(void **state) {
    (void)state;
    static const int threads[] = {0, 1, 2, 33};
    for (int64_t t = 0; t < COUNT(threads); t++) {
        visits seen = {.count = 0};
        dgm_context_set_threads(ctx, threads[t]);
        dgmi_parallel(ctx, MOST, visit, &seen);
        assert_int_equal(seen.count, MOST);
        assert_int_equal(seen.highest, 0);
        for (int64_t i = 0; i < MOST; i++)
            assert_int_equal(seen.met[i], i);
    }
    dgm_context_set_threads(ctx, 0);
}

static void visit_inside(void *argument, int64_t chunk, int thread) {
    (void)chunk, (void)thread;
    dgmi_parallel(ctx, 3, visit, argument);
}

static void a_loop_inside_a_loop_loses_no_chunk(void **state) {
    (void)state;
    visits seen = {.count = 0};
    dgm_context_set_threads(ctx, 4);
    dgmi_parallel(ctx, 5, visit_inside, &seen);
    assert_int_equal(seen.count, 15);
    dgm_context_set_threads(ctx, 0);
}

static void there_is_one_core(void **state) {
    (void)state;
    assert_int_equal(dgmi_cores(), 1);
    assert_int_equal(dgm_context_threads(ctx), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_come_in_order_on_one_thread),
        cmocka_unit_test(a_loop_inside_a_loop_loses_no_chunk),
        cmocka_unit_test(there_is_one_core),
    };
    return RUN_WITH_CONTEXT(tests);
}
