/* SPDX-License-Identifier: Apache-2.0 */
/* Against what SciPy computed: tests/data/oracle/mapper_chance.txt, made by
 * tools/oracle/mapper_chance.py. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_memory.h"
#include "mapper_chance.h"

enum { MOST = 4096 };

static double two_tails(int64_t all, int64_t yes, int64_t drawn, int64_t found) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    const double *logs = dgmi_mapper_log_factorials(ctx, all);
    double p = dgmi_mapper_chance_of_count(logs, all, yes, drawn, found);
    dgmi_arena_release(ctx, hold);
    return p;
}

/* All ways to draw 3 of 7 nodes, 4 of which say yes: C(4, k) C(3, 3 - k) of 35. */
static void counts_are_drawn_without_replacement(void **state) {
    (void)state;
    assert_near(two_tails(7, 4, 3, 3), 2 * 4 / 35.0, 1e-14);
    assert_near(two_tails(7, 4, 3, 0), 2 * 1 / 35.0, 1e-14);
    assert_near(two_tails(7, 4, 3, 2), 1, 1e-14); /* the most likely: 18 of 35 */
    assert_near(two_tails(7, 4, 3, 1), 2 * 13 / 35.0, 1e-14);
    assert_near(two_tails(7, 7, 3, 3), 1, 1e-14); /* there is no other way */
}

static void check_count(FILE *file) {
    long all, yes, drawn, found;
    double p;
    assert_int_equal(fscanf(file, "%ld %ld %ld %ld %lf", &all, &yes, &drawn, &found, &p), 5);
    assert_near(two_tails(all, yes, drawn, found), p, 1e-8 * p);
}

/* The rank of the first `inside` values, each by comparing it with all others. */
static void rank_plainly(const double *values, long all, long inside, double *sum, double *ties) {
    *sum = *ties = 0;
    for (long i = 0; i < all; i++) {
        double below = 0, equal = 0;
        for (long k = 0; k < all; k++) {
            below += values[k] < values[i];
            equal += values[k] == values[i];
        }
        *sum += i < inside ? below + (equal + 1) / 2 : 0;
        *ties += equal * equal - 1; /* t values add t^2 - 1 each */
    }
}

static void check_ranks(FILE *file) {
    long all, inside;
    double delta, p, values[MOST], sum, ties;
    assert_int_equal(fscanf(file, "%ld %ld %lf %lf", &all, &inside, &delta, &p), 4);
    assert_true(all <= MOST);
    for (long i = 0; i < all; i++)
        assert_int_equal(fscanf(file, "%lf", &values[i]), 1);
    rank_plainly(values, all, inside, &sum, &ties);
    assert_near(dgmi_mapper_chance_of_ranks(all, inside, sum, ties), p, 1e-9);
}

static void check_rates(FILE *file) {
    long tests;
    double p[MOST], expected[MOST], q[MOST];
    assert_int_equal(fscanf(file, "%ld", &tests), 1);
    assert_true(tests <= MOST);
    for (long i = 0; i < 2 * tests; i++)
        assert_int_equal(fscanf(file, "%lf", i < tests ? &p[i] : &expected[i - tests]), 1);
    dgmi_mapper_false_discoveries(p, tests, tests, q);
    for (long i = 0; i < tests; i++)
        assert_near(q[i], expected[i], 1e-9 * expected[i]);
}

static void chances_are_those_that_scipy_computes(void **state) {
    (void)state;
    char path[1024], word[64], rest[64];
    int checked = 0;
    snprintf(path, sizeof path, "%s/oracle/mapper_chance.txt", getenv("DGM_TEST_DATA"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "made with scipy %63s", rest), 1);
    for (; fscanf(file, "%63s", word) == 1; checked++)
        if (strcmp(word, "count") == 0)
            check_count(file);
        else if (strcmp(word, "ranks") == 0)
            check_ranks(file);
        else
            check_rates(file);
    fclose(file);
    assert_int_equal(checked, 50);
}

static void equal_values_tell_nothing(void **state) {
    (void)state;
    assert_true(dgmi_mapper_chance_of_ranks(4, 2, 5, 4 * 4 * 4 - 4) == 1);
}

/* What is larger than the level can be left out: the others keep their rates up to the level. */
static void rates_up_to_a_level_do_not_need_what_is_above_it(void **state) {
    (void)state;
    const double p[] = {0.0001, 0.001, 0.012, 0.049, 0.3, 0.31, 0.9};
    double all[COUNT(p)], few[COUNT(p)];
    dgmi_mapper_false_discoveries(p, COUNT(p), COUNT(p), all);
    dgmi_mapper_false_discoveries(p, 4, COUNT(p), few);
    for (int i = 0; i < 4; i++)
        assert_true(all[i] > 0.05 ? few[i] > 0.05 : few[i] == all[i]);
    assert_true(all[0] < 0.05);
}

static void harmonic_numbers_meet_their_series(void **state) {
    (void)state;
    assert_near(dgmi_mapper_harmonic(4), 25 / 12.0, 1e-15);
    assert_near(dgmi_mapper_harmonic(65537), dgmi_mapper_harmonic(65536) + 1 / 65537.0, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_drawn_without_replacement),
        cmocka_unit_test(chances_are_those_that_scipy_computes),
        cmocka_unit_test(equal_values_tell_nothing),
        cmocka_unit_test(rates_up_to_a_level_do_not_need_what_is_above_it),
        cmocka_unit_test(harmonic_numbers_meet_their_series),
    };
    return RUN_WITH_CONTEXT(tests);
}
