/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of cases after each of which the context's scratch memory is as it was before. Included
 * after cmocka.h by the fixtures, which declare `ctx` before. */
#ifndef UNIT_BALANCE_H
#define UNIT_BALANCE_H

#include "base_memory.h"

static dgmi_hold arena_before;

static inline int note_arena(void **state) {
    (void)state;
    arena_before = ctx ? dgmi_arena_hold(ctx) : (dgmi_hold){NULL, 0};
    return 0;
}

/* After a case, whatever it called has given its scratch memory back. */
static inline int check_arena(void **state) {
    (void)state;
    dgmi_hold after = ctx ? dgmi_arena_hold(ctx) : (dgmi_hold){NULL, 0};
    if (after.block == arena_before.block && after.used == arena_before.used)
        return 0;
    print_error("scratch memory was taken and not released\n");
    return 1;
}

/* Runs the cases between the group's setup and teardown, and looks at the arena after each case
 * that has no setup and teardown of its own. */
static inline int run_balanced(const char *name, const struct CMUnitTest *tests, size_t count,
                               CMFixtureFunction setup, CMFixtureFunction teardown) {
    enum { MOST_CASES = 256 };
    struct CMUnitTest cases[MOST_CASES];
    if (count > MOST_CASES) {
        print_error("more cases than the fixture has room for\n");
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        cases[i] = tests[i];
        if (!cases[i].setup_func && !cases[i].teardown_func) {
            cases[i].setup_func = note_arena;
            cases[i].teardown_func = check_arena;
        }
    }
    return _cmocka_run_group_tests(name, cases, count, setup, teardown);
}

#define RUN_GROUP(tests, setup, teardown)                                                          \
    run_balanced(#tests, tests, sizeof(tests) / sizeof *(tests), setup, teardown)

#endif
