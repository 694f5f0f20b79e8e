/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of cases after each of which the context's scratch memory is as it was before. Included
 * after cmocka.h by the fixtures, which declare `ctx` before. */
#ifndef UNIT_BALANCE_H
#define UNIT_BALANCE_H

#include "base_memory.h"

static dgmi_hold arena_before;

static inline void note_arena(void) {
    arena_before = ctx ? dgmi_arena_hold(ctx) : (dgmi_hold){NULL, 0};
}

/* After a case, whatever it called has given its scratch memory back. */
static inline int check_arena(void) {
    dgmi_hold after = ctx ? dgmi_arena_hold(ctx) : (dgmi_hold){NULL, 0};
    if (after.block == arena_before.block && after.used == arena_before.used)
        return 0;
    print_error("scratch memory was taken and not released\n");
    return 1;
}

/* The case that runs, as its program has it. */
static const struct CMUnitTest *current_case;

static inline int begin_case(void **state) {
    current_case = *state;
    *state = current_case->initial_state;
    note_arena();
    return current_case->setup_func ? current_case->setup_func(state) : 0;
}

static inline int end_case(void **state) {
    int left = current_case->teardown_func ? current_case->teardown_func(state) : 0;
    return left ? left : check_arena();
}

/* Runs the cases between the group's setup and teardown, and looks at the arena after each case with
 * its own setup and teardown. */
static inline int run_balanced(const char *name, const struct CMUnitTest *tests, size_t count,
                               CMFixtureFunction setup, CMFixtureFunction teardown) {
    enum { MOST_CASES = 256 };
    struct CMUnitTest cases[MOST_CASES];
    if (count > MOST_CASES) {
        print_error("more cases than the fixture has room for\n");
        return 1;
    }
    for (size_t i = 0; i < count; i++)
        cases[i] = (struct CMUnitTest){tests[i].name, tests[i].test_func, begin_case, end_case,
                                       (void *)&tests[i]};
    return _cmocka_run_group_tests(name, cases, count, setup, teardown);
}

#define RUN_GROUP(tests, setup, teardown)                                                          \
    run_balanced(#tests, tests, sizeof(tests) / sizeof *(tests), setup, teardown)

#endif
