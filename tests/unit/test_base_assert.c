/* SPDX-License-Identifier: Apache-2.0 */
/* The net itself: a build with AddressSanitizer, which `make test` runs, looks as closely as
 * docs/testing.md says. The options of a build once took asserts out without a word. Builds without
 * sanitizers do not have this program. */
#include "unit_fixture.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base_assert.h"
#include "base_memory.h"

#include <sanitizer/asan_interface.h>

static bool looked;

static bool look(void) {
    looked = true;
    return true;
}

static void asserts_are_there(void **state) {
    (void)state;
    looked = false;
    assert(look());
    assert_true(looked);
}

static void asserts_that_walk_are_there(void **state) {
    (void)state;
    looked = false;
    DGMI_ASSERT_WALK(look());
    assert_true(looked);
}

/* In a child, without its words. */
static void undefined_behaviour_ends_a_program(void **state) {
    (void)state;
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        volatile int most = INT_MAX;
        close(STDERR_FILENO);
        signal(SIGILL, SIG_DFL); /* cmocka has a handler, which would go on with the next test */
        most = most + 1;
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_not_equal(status, 0);
}

/* The library is compiled apart from this test, with options of its own. */
static void nobody_may_touch_what_is_behind_a_scratch_array(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    char *first = dgmi_scratch(ctx, 24, 1);
    char *second = dgmi_scratch(ctx, 24, 1);
    assert_false(__asan_address_is_poisoned(first + 23));
    assert_true(__asan_address_is_poisoned(first + 24));
    assert_true(__asan_address_is_poisoned(second + 24));
    dgmi_arena_release(ctx, hold);
}

static void scratch_that_nobody_wrote_is_no_number(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    double *numbers = dgmi_scratch(ctx, 3, sizeof *numbers);
    for (int i = 0; i < 3; i++)
        assert_true(isnan(numbers[i]));
    dgmi_arena_release(ctx, hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asserts_are_there),
        cmocka_unit_test(asserts_that_walk_are_there),
        cmocka_unit_test(undefined_behaviour_ends_a_program),
        cmocka_unit_test(nobody_may_touch_what_is_behind_a_scratch_array),
        cmocka_unit_test(scratch_that_nobody_wrote_is_no_number),
    };
    return RUN_WITH_CONTEXT(tests);
}
