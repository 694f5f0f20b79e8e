/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>

#include "pool_statistics.h"

/* The regularised incomplete beta function of mpmath with 40 digits, and its inverse. */
static const struct {
    double t, freedom, p;
} chances[] = {
    {0, 9, 1},
    {1, 1, 0.5},
    {1.5, 9, 0.167850656057074821},
    {-1.5, 9, 0.167850656057074821},
    {0.1, 29, 0.92103244448737375},
    {4.5, 29, 0.000101534888064855626},
    {30, 9, 2.48370470415826244e-10},
    {1e-8, 3, 0.999999992648948061},
    {6, 1000, 2.75536917337746911e-9},
};
static const struct {
    double p, freedom, t;
} quantiles[] = {
    {0.05, 1, 12.7062047361747046}, {0.05, 2, 4.30265272974946385},
    {0.05, 9, 2.26215716279820554}, {0.05, 29, 2.0452296421327043},
    {0.05, 99, 1.9842169515864175}, {0.01, 9, 3.24983554159212628},
    {0.5, 9, 0.702722146751326367}, {0.999, 4, 0.00133333382716081207},
    {1e-6, 9, 11.63678202732889},
};

static void the_chance_of_a_t_is_that_of_tables(void **state) {
    (void)state;
    for (int64_t i = 0; i < COUNT(chances); i++)
        assert_near(dgmi_pool_student_p(chances[i].t, chances[i].freedom) / chances[i].p, 1, 1e-9);
    assert_true(dgmi_pool_student_p(INFINITY, 9) == 0);
    assert_true(dgmi_pool_student_p(-INFINITY, 9) == 0);
}

static void a_quantile_is_that_of_tables(void **state) {
    (void)state;
    for (int64_t i = 0; i < COUNT(quantiles); i++) {
        double t = dgmi_pool_student_quantile(quantiles[i].p, quantiles[i].freedom);
        assert_near(t / quantiles[i].t, 1, 1e-9);
        assert_near(dgmi_pool_student_p(t, quantiles[i].freedom) / quantiles[i].p, 1, 1e-12);
    }
}

/* 0.7, 0.8, 0.9, 0.8, 0.8: mean 0.8, s^2 = 0.02 / 4, t with 4 degrees 2.77644510519779436. */
static void an_interval_is_the_one_by_hand(void **state) {
    (void)state;
    const double values[] = {0.7, 0.8, 0.9, 0.8, 0.8}, t = 2.77644510519779436, variance = 0.02 / 4;
    dgmi_pool_interval found = dgmi_pool_interval_of(values, 5, 5);
    assert_near(found.mean, 0.8, 1e-15);
    assert_near(found.deviation, sqrt(variance), 1e-15);
    assert_near(found.ci95, t * sqrt(variance / 5), 1e-12);
    assert_near(found.ci95_corrected, t * sqrt(variance * (1.0 / 5 + 1.0 / 4)), 1e-12);
    assert_near(found.t_corrected, 0.8 / sqrt(variance * (1.0 / 5 + 1.0 / 4)), 1e-12);
}

/* Ten folds and r seeds: s^2 (1 / (10 r) + 1 / 9), with 10 r - 1 degrees of freedom. */
static void seeds_lessen_one_part_of_the_variance(void **state) {
    (void)state;
    static const double t[] = {2.26215716279820554, 2.09302405440830977, 2.0452296421327043};
    double values[30];
    for (int r = 1; r <= 3; r++) {
        double mean = 0, squares = 0;
        for (int i = 0; i < 10 * r; i++)
            values[i] = 0.5 + 0.01 * ((i * 7) % 10) + 0.001 * i;
        for (int i = 0; i < 10 * r; i++)
            mean += values[i] / (10 * r);
        for (int i = 0; i < 10 * r; i++)
            squares += (values[i] - mean) * (values[i] - mean);
        double variance = squares / (10 * r - 1);
        dgmi_pool_interval found = dgmi_pool_interval_of(values, 10 * r, 10);
        assert_near(found.ci95, t[r - 1] * sqrt(variance / (10 * r)), 1e-12);
        assert_near(found.ci95_corrected, t[r - 1] * sqrt(variance * (1.0 / (10 * r) + 1.0 / 9)),
                    1e-12);
    }
}

/* Two folds train on each other's graphs: the correction is 1 / (2 - 1). One fold is none. */
static void few_folds_are_corrected_by_their_number(void **state) {
    (void)state;
    const double values[] = {1, 2, 3}, t = 4.30265272974946385;
    assert_near(dgmi_pool_interval_of(values, 3, 2).ci95_corrected, t * sqrt(1.0 / 3 + 1), 1e-9);
    assert_near(dgmi_pool_interval_of(values, 3, 1).ci95_corrected, t * sqrt(1.0 / 3), 1e-9);
    assert_near(dgmi_pool_interval_of(values, 3, 1).t_corrected, 2 / sqrt(1.0 / 3), 1e-9);
    assert_near(dgmi_pool_interval_of(values, 2, 2).deviation, sqrt(0.5), 1e-15);
}

static void one_value_has_a_mean_and_no_interval(void **state) {
    (void)state;
    const double value = 0.25;
    dgmi_pool_interval found = dgmi_pool_interval_of(&value, 1, 10);
    assert_true(found.mean == 0.25);
    assert_true(isnan(found.deviation) && isnan(found.ci95) && isnan(found.ci95_corrected));
    assert_true(isnan(found.t_corrected));
    assert_true(isnan(dgmi_pool_interval_of(NULL, 0, 10).mean));
}

/* Without any spread, a difference is certain and no difference is none. */
static void equal_values_have_a_t_of_nought_or_infinity(void **state) {
    (void)state;
    const double nought[3] = {0}, above[3] = {0.5, 0.5, 0.5}, below[3] = {-0.5, -0.5, -0.5};
    assert_true(dgmi_pool_interval_of(nought, 3, 3).t_corrected == 0);
    assert_true(dgmi_pool_interval_of(above, 3, 3).t_corrected == INFINITY);
    assert_true(dgmi_pool_interval_of(below, 3, 3).t_corrected == -INFINITY);
    assert_true(dgmi_pool_interval_of(above, 3, 3).ci95_corrected == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chance_of_a_t_is_that_of_tables),
        cmocka_unit_test(a_quantile_is_that_of_tables),
        cmocka_unit_test(an_interval_is_the_one_by_hand),
        cmocka_unit_test(seeds_lessen_one_part_of_the_variance),
        cmocka_unit_test(few_folds_are_corrected_by_their_number),
        cmocka_unit_test(one_value_has_a_mean_and_no_interval),
        cmocka_unit_test(equal_values_have_a_t_of_nought_or_infinity),
    };
    return RUN_WITH_CONTEXT(tests);
}
