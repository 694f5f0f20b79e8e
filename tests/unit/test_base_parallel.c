/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <stdatomic.h>

#include "base_parallel.h"

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
        cmocka_unit_test(chunks_cover_the_items_without_gap_or_overlap),
        cmocka_unit_test(no_threads_asked_for_means_all_cores),
    };
    return RUN_WITH_CONTEXT(tests);
}
