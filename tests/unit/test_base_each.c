/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_progress.h"

#include <sched.h>
#include <stdatomic.h>

#include "base_context.h"
#include "base_each.h"
#include "base_memory.h"
#include "unit_faults.h"

enum { PIECES = 40 };
static const int threads_tried[] = {1, 2, 5};

#define FOR_EACH_THREADS(t)                                                                        \
    for (int64_t t = 0; t < COUNT(threads_tried); t++)                                             \
        if ((dgm_context_set_threads(ctx, threads_tried[t]), true))

/* ---- pieces ---- */

typedef struct pieces {
    atomic_int met[PIECES];
    double result[PIECES];
    int64_t fails[2]; /* these pieces fail, and the second of them first */
    atomic_bool failed;
} pieces;

/* The square of the index, by way of the context's own memory. */
static dgm_status square(dgm_context *own, void *argument, int64_t index) {
    pieces *all = argument;
    dgmi_hold hold = dgmi_arena_hold(own);
    double *room = dgmi_scratch(own, 100 + index, sizeof *room);
    double *block = dgmi_alloc(own, 10, sizeof *block);
    dgm_status status = room && block ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        room[index] = block[0] = (double)index;
        all->result[index] = room[index] * block[0];
    }
    atomic_fetch_add(&all->met[index], 1);
    dgmi_free(own, block);
    dgmi_arena_release(own, hold);
    return status;
}

static void every_piece_is_done_once_and_has_its_own_index(void **state) {
    (void)state;
    FOR_EACH_THREADS(t) {
        pieces all = {0};
        assert_int_equal(dgmi_each(ctx, "squaring", PIECES, square, &all), DGM_OK);
        for (int64_t i = 0; i < PIECES; i++) {
            assert_int_equal(all.met[i], 1);
            assert_true(all.result[i] == (double)(i * i));
        }
    }
}

static void no_pieces_are_no_work(void **state) {
    (void)state;
    FOR_EACH_THREADS(t)
    assert_int_equal(dgmi_each(ctx, "squaring", 0, square, NULL), DGM_OK);
}

static dgm_status note_threads(dgm_context *own, void *argument, int64_t index) {
    ((int *)argument)[index] = own == ctx ? dgm_context_threads(own) : -dgm_context_threads(own);
    return DGM_OK;
}

static void a_piece_has_one_thread_unless_it_is_alone(void **state) {
    (void)state;
    int seen[3] = {0};
    dgm_context_set_threads(ctx, 3);
    assert_int_equal(dgmi_each(ctx, "looking", 3, note_threads, seen), DGM_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(seen[i], -1);
    assert_int_equal(dgmi_each(ctx, "looking", 1, note_threads, seen), DGM_OK);
    assert_int_equal(seen[0], 3);
}

/* ---- errors ---- */

/* Waits until the flag is set; a limit keeps a broken build from waiting for ever. */
static void await(atomic_bool *flag) {
    for (long turns = 0; !atomic_load(flag) && turns < 50 * 1000 * 1000; turns++)
        sched_yield();
}

/* With several threads the second failing piece fails while piece 0 still runs. */
static dgm_status fail_some(dgm_context *own, void *argument, int64_t index) {
    pieces *all = argument;
    if (index == 0 && own != ctx)
        await(&all->failed);
    atomic_fetch_add(&all->met[index], 1);
    if (index != all->fails[0] && index != all->fails[1])
        return DGM_OK;
    dgm_status status =
        dgmi_fail_at(own, DGM_ERROR_DATA, "some.txt", 7, -1,
                     "piece %d is wrong; try " DGMI_NAMED("rate=%d"), (int)index, (int)index);
    atomic_store(&all->failed, true);
    return status;
}

/* Piece 20 is the first of the second of two threads. */
static void the_error_is_that_of_the_lowest_piece_for_any_number_of_threads(void **state) {
    (void)state;
    FOR_EACH_THREADS(t) {
        pieces all = {.fails = {3, threads_tried[t] == 5 ? 8 : 20}};
        ASSERT_FAILS(dgmi_each(ctx, "failing", PIECES, fail_some, &all), DGM_ERROR_DATA,
                     "some.txt:7: piece 3 is wrong; try rate=3");
        dgm_error error = dgm_context_error_parts(ctx);
        assert_string_equal(error.file, "some.txt");
        assert_string_equal(error.option, "rate");
        assert_int_equal(error.line, 7);
        for (int i = 0; i <= 3; i++)
            assert_int_equal(all.met[i], 1);
    }
}

static dgm_status fail_at_once(dgm_context *own, void *argument, int64_t index) {
    atomic_fetch_add((atomic_int *)argument, 1);
    return dgmi_fail(own, DGM_ERROR_DATA, "piece %d", (int)index);
}

static void nothing_above_a_failure_begins(void **state) {
    (void)state;
    FOR_EACH_THREADS(t) {
        atomic_int begun = 0;
        ASSERT_FAILS(dgmi_each(ctx, "failing", 10 * PIECES, fail_at_once, &begun), DGM_ERROR_DATA,
                     "piece 0");
        assert_true(begun >= 1 && begun < 10 * PIECES);
    }
}

/* Piece 0 fails; the others report until they are stopped. */
static dgm_status fail_or_wait(dgm_context *own, void *argument, int64_t index) {
    atomic_bool *others = argument;
    if (index == 0) {
        await(others);
        return dgmi_fail(own, DGM_ERROR_DATA, "piece 0");
    }
    atomic_store(others, true);
    dgm_status status = DGM_OK;
    for (long i = 0; status == DGM_OK && i < 50 * 1000 * 1000; i++)
        status = dgmi_progress(own, "waiting", 0.5);
    return status;
}

static void pieces_above_a_failure_are_stopped(void **state) {
    (void)state;
    atomic_bool others = false;
    dgm_context_set_threads(ctx, 2);
    ASSERT_FAILS(dgmi_each(ctx, "failing", 2, fail_or_wait, &others), DGM_ERROR_DATA, "piece 0");
}

/* ---- stopping ---- */

typedef struct refusal {
    int answers; /* that are still yes */
    pieces *all;
} refusal;

static bool say_no(void *user, const char *stage, double fraction) {
    refusal *refuses = user;
    (void)stage, (void)fraction;
    if (--refuses->answers <= 0)
        atomic_store(&refuses->all->failed, true);
    return refuses->answers > 0;
}

/* The pieces that other threads begin with wait until the caller has said no, so that he is asked
 * often enough. */
static dgm_status report_twice(dgm_context *own, void *argument, int64_t index) {
    pieces *all = argument;
    if (own != ctx && index >= all->fails[0])
        await(&all->failed);
    dgm_status status = dgmi_progress(own, "reporting", 0);
    if (status == DGM_OK)
        status = dgmi_progress(own, "reporting", 0.5);
    atomic_fetch_add(&all->met[index], status == DGM_OK);
    return status;
}

static void a_caller_stops_it_by_an_answer(void **state) {
    (void)state;
    FOR_EACH_THREADS(t) {
        pieces all = {.fails = {PIECES / threads_tried[t]}};
        refusal refuses = {4, &all};
        int done = 0;
        dgm_context_set_progress(ctx, say_no, &refuses);
        assert_int_equal(dgmi_each(ctx, "reporting", PIECES, report_twice, &all),
                         DGM_ERROR_CANCELLED);
        hear_no_more();
        assert_string_equal(dgm_context_error(ctx), "interrupted while reporting");
        for (int i = 0; i < PIECES; i++)
            done += all.met[i];
        assert_true(done < PIECES);
        assert_false(dgmi_cancelled(ctx)); /* the next call is not stopped as well */
    }
}

static dgm_status cancel_all(dgm_context *own, void *argument, int64_t index) {
    (void)own;
    atomic_fetch_add((atomic_int *)argument, 1);
    if (index == 0)
        dgm_context_cancel(ctx);
    else if (own != ctx)
        while (!dgmi_cancelled(ctx))
            sched_yield();
    return DGM_OK;
}

static void a_cancelled_context_begins_no_more_pieces(void **state) {
    (void)state;
    FOR_EACH_THREADS(t) {
        atomic_int begun = 0;
        assert_int_equal(dgmi_each(ctx, "waiting", PIECES, cancel_all, &begun),
                         DGM_ERROR_CANCELLED);
        assert_true(begun <= threads_tried[t]);
        dgm_context_resume(ctx);
    }
}

/* ---- progress ---- */

static dgm_status report_much(dgm_context *own, void *argument, int64_t index) {
    dgm_status status = DGM_OK;
    (void)argument, (void)index;
    for (int i = 0; status == DGM_OK && i <= 4; i++)
        status = dgmi_progress(own, "a piece's own stage", i / 4.0);
    return status;
}

/* The caller's thread may come too late to do any piece, and then there is no report. */
static void check_reports(void) {
    for (int64_t i = 0; i < heard_count; i++) {
        assert_string_equal(heard_reports[i].stage, "the whole");
        assert_true(heard_reports[i].fraction >= 0 && heard_reports[i].fraction <= 1);
        assert_true(i == 0 || heard_reports[i].fraction >= heard_reports[i - 1].fraction);
    }
}

static void parts_add_up_to_the_progress_of_the_whole(void **state) {
    (void)state;
    FOR_EACH_THREADS(t) {
        hear_progress();
        assert_int_equal(dgmi_each(ctx, "the whole", PIECES, report_much, NULL), DGM_OK);
        hear_no_more();
        check_reports();
        if (threads_tried[t] > 1)
            continue;
        assert_int_equal(heard_count, 6 * PIECES);
        assert_near(heard_reports[2].fraction, 0.5 / PIECES, 1e-12);
        assert_near(heard_reports[6 * 7 + 1].fraction, 7.25 / PIECES, 1e-12);
        assert_near(heard_reports[heard_count - 1].fraction, 1, 1e-12);
    }
}

/* ---- pieces of pieces ---- */

typedef struct nest {
    atomic_int inner[5][7];
} nest;
typedef struct nest_at {
    nest *all;
    int64_t outer;
} nest_at;

static dgm_status count_inner(dgm_context *own, void *argument, int64_t index) {
    const nest_at *at = argument;
    atomic_fetch_add(&at->all->inner[at->outer][index], 1);
    return dgmi_progress(own, "inner", 0);
}

static dgm_status run_inner(dgm_context *own, void *argument, int64_t index) {
    nest_at at = {argument, index};
    return dgmi_each(own, "inner", 7, count_inner, &at);
}

static void a_piece_may_have_pieces(void **state) {
    (void)state;
    FOR_EACH_THREADS(t) {
        nest all = {0};
        hear_progress();
        assert_int_equal(dgmi_each(ctx, "the whole", 5, run_inner, &all), DGM_OK);
        hear_no_more();
        check_reports();
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 7; j++)
                assert_int_equal(all.inner[i][j], 1);
        if (threads_tried[t] == 1)
            assert_near(heard_reports[5 * 7 * 2 + 4].fraction, 1, 1e-12);
    }
}

static void say_nothing(void *user, const char *note) {
    (void)note;
    atomic_fetch_add((atomic_int *)user, 1);
}

static dgm_status note_much(dgm_context *own, void *argument, int64_t index) {
    (void)argument;
    dgmi_note(own, "piece %d", (int)index);
    return DGM_OK;
}

static void pieces_send_no_notes(void **state) {
    (void)state;
    atomic_int notes = 0;
    dgm_context_set_notes(ctx, say_nothing, &notes);
    FOR_EACH_THREADS(t)
    assert_int_equal(dgmi_each(ctx, "noting", PIECES, note_much, NULL), DGM_OK);
    assert_int_equal(notes, 0);
    dgmi_note(ctx, "heard again");
    assert_int_equal(notes, 1);
    dgm_context_set_notes(ctx, NULL, NULL);
}

static dgm_status square_all(dgm_context *own, void *argument) {
    pieces all = {0};
    dgm_context_set_threads(own, *(int *)argument);
    return dgmi_each(own, "squaring", 6, square, &all);
}

static void memory_that_ends_is_a_clean_error(void **state) {
    (void)state;
    for (int threads = 1; threads <= 3; threads++)
        fail_each_allocation(square_all, &threads);
}

/* ---- progress, on two threads that wait for each other ---- */

typedef struct together {
    atomic_bool begun[4], released, told;
} together;

/* Of four pieces the caller has the first two and a worker the others. */
static dgm_status report_together(dgm_context *own, void *argument, int64_t index) {
    together *all = argument;
    if (index == 2) {
        await(&all->begun[0]);
        dgm_status status = dgmi_progress(own, "a piece", 0.25);
        atomic_store(&all->begun[2], true);
        await(&all->released);
        return status;
    }
    atomic_store(&all->begun[index], true);
    if (index == 3)
        await(&all->told);
    if (index != 0)
        return DGM_OK;
    await(&all->begun[2]);
    dgm_status status = dgmi_progress(own, "a piece", -1);
    if (status == DGM_OK)
        status = dgmi_progress(own, "a piece", 0.5);
    if (status == DGM_OK)
        status = dgmi_progress(own, "a piece", 0.25);
    atomic_store(&all->released, true);
    await(&all->begun[3]);
    if (status == DGM_OK)
        status = dgmi_progress(own, "a piece", 0.75);
    atomic_store(&all->told, true);
    return status;
}

static void what_all_threads_have_done_adds_up(void **state) {
    (void)state;
    together all = {0};
    dgm_context_set_threads(ctx, 2);
    hear_progress();
    assert_int_equal(dgmi_each(ctx, "the whole", 4, report_together, &all), DGM_OK);
    hear_no_more();
    check_reports();
    assert_true(heard_count >= 5);
    assert_near(heard_reports[0].fraction, 0.25 / 4, 1e-12);
    assert_near(heard_reports[1].fraction, 0.75 / 4, 1e-12);
    assert_near(heard_reports[2].fraction, 0.75 / 4, 1e-12); /* never less than before */
    assert_near(heard_reports[3].fraction, 1.75 / 4, 1e-12);
    assert_true(heard_reports[4].fraction >= 0.5); /* a piece that is done tells of itself */
}

static dgm_status report_nothing_known(dgm_context *own, void *argument, int64_t index) {
    (void)argument, (void)index;
    return dgmi_progress(own, "a piece", -1);
}

static void a_piece_that_does_not_know_its_progress_counts_as_begun(void **state) {
    (void)state;
    dgm_context_set_threads(ctx, 1);
    hear_progress();
    assert_int_equal(dgmi_each(ctx, "the whole", 2, report_nothing_known, NULL), DGM_OK);
    hear_no_more();
    static const double fractions[] = {0, 0.5, 0.5, 1};
    assert_int_equal(heard_count, COUNT(fractions));
    for (int64_t i = 0; i < COUNT(fractions); i++)
        assert_near(heard_reports[i].fraction, fractions[i], 0);
}

/* ---- what a piece's context has ---- */

static void say_option(void *user, const char *name, const char *value, char *words, size_t size) {
    (void)value;
    snprintf(words, size, "%s%s", (const char *)user, name);
}

static dgm_status look_at_settings(dgm_context *own, void *argument, int64_t index) {
    (void)argument;
    if (own->unpack_limit != 12 || own->memory != 3e9 || own->blas_threads != ctx->blas_threads ||
        strcmp(own->lens, "gcn") != 0)
        return dgmi_fail(own, DGM_ERROR_USAGE, "piece %d has other settings", (int)index);
    return index == 0
               ? dgmi_fail_at(own, DGM_ERROR_DATA, "x.bin", 0, 77, "lower " DGMI_NAMED("rate"))
               : DGM_OK;
}

static void a_piece_has_the_settings_of_its_caller(void **state) {
    (void)state;
    char dashes[] = "--";
    int blas = ctx->blas_threads;
    dgm_context_set_threads(ctx, 2);
    dgm_context_set_unpack_limit(ctx, 12);
    dgm_context_set_option_words(ctx, say_option, dashes);
    ctx->memory = 3e9;
    ctx->lens = "gcn";
    ctx->blas_threads = blas + 5;
    ASSERT_FAILS(dgmi_each(ctx, "looking", 4, look_at_settings, NULL), DGM_ERROR_DATA,
                 "x.bin: lower --rate");
    assert_int_equal(dgm_context_error_parts(ctx).byte, 77);
    assert_int_equal(dgm_context_error_parts(ctx).line, 0);
    ctx->blas_threads = blas;
    ctx->memory = 0;
    ctx->lens = NULL;
    dgm_context_set_option_words(ctx, NULL, NULL);
    dgm_context_set_unpack_limit(ctx, DGM_UNPACK_LIMIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_is_done_once_and_has_its_own_index),
        cmocka_unit_test(no_pieces_are_no_work),
        cmocka_unit_test(a_piece_has_one_thread_unless_it_is_alone),
        cmocka_unit_test(the_error_is_that_of_the_lowest_piece_for_any_number_of_threads),
        cmocka_unit_test(nothing_above_a_failure_begins),
        cmocka_unit_test(pieces_above_a_failure_are_stopped),
        cmocka_unit_test(a_caller_stops_it_by_an_answer),
        cmocka_unit_test(a_cancelled_context_begins_no_more_pieces),
        cmocka_unit_test(parts_add_up_to_the_progress_of_the_whole),
        cmocka_unit_test(a_piece_may_have_pieces),
        cmocka_unit_test(pieces_send_no_notes),
        cmocka_unit_test(memory_that_ends_is_a_clean_error),
        cmocka_unit_test(what_all_threads_have_done_adds_up),
        cmocka_unit_test(a_piece_that_does_not_know_its_progress_counts_as_begun),
        cmocka_unit_test(a_piece_has_the_settings_of_its_caller),
    };
    return RUN_WITH_CONTEXT(tests);
}
