/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <unistd.h>

#include "base_context.h"
#include "base_need.h"

static char heard[256];

static void listen(void *user, const char *note) {
    (void)user;
    strncpy(heard, note, sizeof heard - 1);
}

static const char *tell(double least, double most) {
    const dgmi_need need = {"the lens 'x'", least, most, "use less"};
    heard[0] = '\0';
    assert_int_equal(dgmi_need_tell(ctx, &need), DGM_OK);
    return heard;
}

static void what_is_available_is_read_from_the_system(void **state) {
    (void)state;
    assert_near(dgmi_memory_parse("MemTotal:  24000 kB\nMemAvailable:   2048 kB\nX: 1 kB\n"),
                2048.0 * 1024, 0);
    assert_near(dgmi_memory_parse("MemAvailable:71 kB\n"), 71.0 * 1024, 0);
    assert_near(dgmi_memory_parse("MemTotal:       24000 kB\n"), -1, 0);
    assert_near(dgmi_memory_parse("MemAvailable:   2048"), -1, 0);
    assert_near(dgmi_memory_parse(""), -1, 0);
    ctx->memory = 5e9;
    assert_near(dgmi_memory_available(ctx), 5e9, 0);
    ctx->memory = 0;
    assert_true(dgmi_memory_available(ctx) == -1 || dgmi_memory_available(ctx) > 0);
}

static void what_does_not_fit_is_refused_in_words(void **state) {
    (void)state;
    const dgmi_need need = {"the lens 'x'", 9.34e9, 20e9, "use less"};
    ctx->memory = 4.12e9;
    ASSERT_FAILS(dgmi_need_tell(ctx, &need), DGM_ERROR_MEMORY,
                 "the lens 'x' needs about 9.34 GB of memory beside the graph, and 4.12 GB are "
                 "available; use less");
    ASSERT_FAILS(dgmi_need_check(ctx, &need), DGM_ERROR_MEMORY,
                 "the lens 'x' needs about 9.34 GB of memory beside the graph, and 4.12 GB are "
                 "available; use less");
    ctx->memory = 9.34e9;
    assert_int_equal(dgmi_need_check(ctx, &need), DGM_OK);
    ctx->memory = 0;
}

static void a_large_need_is_told_and_a_small_one_is_not(void **state) {
    (void)state;
    dgm_context_set_notes(ctx, listen, NULL);
    ctx->memory = 1e12;
    assert_string_equal(tell(1e6, 1.07e9), "");
    assert_string_equal(tell(2e9, 2.1e9),
                        "the lens 'x' needs about 2.1 GB of memory beside the graph");
    assert_string_equal(tell(5e8, 3e9),
                        "the lens 'x' needs 0.5 to 3 GB of memory beside the graph");
    dgm_context_set_notes(ctx, NULL, NULL);
    ctx->memory = 0;
}

static void room_is_there_or_is_not(void **state) {
    (void)state;
    assert_true(dgmi_room_for(4096));
    assert_false(dgmi_room_for(INT64_C(1) << 60));
}

static void a_gibibyte_is_told_and_a_wide_range_has_both_ends(void **state) {
    (void)state;
    dgm_context_set_notes(ctx, listen, NULL);
    ctx->memory = 1e12;
    assert_string_equal(tell(0x1p30, 0x1p30),
                        "the lens 'x' needs about 1.07 GB of memory beside the graph");
    assert_string_equal(tell(2e9, 1.1 * 2e9),
                        "the lens 'x' needs about 2.2 GB of memory beside the graph");
    assert_string_equal(tell(2e9, 2.3e9),
                        "the lens 'x' needs 2 to 2.3 GB of memory beside the graph");
    dgm_context_set_notes(ctx, NULL, NULL);
    ctx->memory = 0;
}

/* The lowest descriptor that is free is that of before. */
static void asking_for_memory_leaves_nothing_open(void **state) {
    (void)state;
    int before = dup(0);
    close(before);
    for (int i = 0; i < 3; i++)
        dgmi_memory_available(ctx);
    int after = dup(0);
    close(after);
    assert_int_equal(after, before);
}

/* Each is an eighth of all addresses that a process has. */
static void room_that_was_found_is_given_back(void **state) {
    (void)state;
    bool there = dgmi_room_for(INT64_C(1) << 44);
    for (int i = 0; i < 16; i++)
        assert_int_equal(dgmi_room_for(INT64_C(1) << 44), there);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_available_is_read_from_the_system),
        cmocka_unit_test(what_does_not_fit_is_refused_in_words),
        cmocka_unit_test(a_large_need_is_told_and_a_small_one_is_not),
        cmocka_unit_test(room_is_there_or_is_not),
        cmocka_unit_test(a_gibibyte_is_told_and_a_wide_range_has_both_ends),
        cmocka_unit_test(asking_for_memory_leaves_nothing_open),
        cmocka_unit_test(room_that_was_found_is_given_back),
    };
    return RUN_WITH_CONTEXT(tests);
}
