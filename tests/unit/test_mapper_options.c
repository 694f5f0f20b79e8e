/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>

static dgm_status check_overlap(int rule, double overlap) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.rule = rule;
    options.overlap[0] = overlap;
    return dgm_mapper_check(ctx, &options);
}

static void the_bounds_of_the_overlap_belong_to_the_rule(void **state) {
    (void)state;
    static const struct {
        int rule;
        bool takes_zero, takes_one;
    } rules[] = {{DGM_RULE_GAIN, true, false},
                 {DGM_RULE_DGM, true, true},
                 {DGM_RULE_KEPLER, true, true},
                 {DGM_RULE_GIOTTO, false, false},
                 {DGM_RULE_GUDHI, true, false}};
    for (int64_t i = 0; i < COUNT(rules); i++) {
        assert_int_equal(check_overlap(rules[i].rule, 0.3), DGM_OK);
        assert_int_equal(check_overlap(rules[i].rule, 0) == DGM_OK, rules[i].takes_zero);
        assert_int_equal(check_overlap(rules[i].rule, 1) == DGM_OK, rules[i].takes_one);
        assert_int_equal(check_overlap(rules[i].rule, -0.1), DGM_ERROR_USAGE);
        assert_int_equal(check_overlap(rules[i].rule, 1.01), DGM_ERROR_USAGE);
        assert_int_equal(check_overlap(rules[i].rule, NAN), DGM_ERROR_USAGE);
    }
}

static void the_words_name_the_bounds_and_the_rule(void **state) {
    (void)state;
    ASSERT_FAILS(check_overlap(DGM_RULE_GAIN, 1), DGM_ERROR_USAGE,
                 "overlap takes a number from 0 to below 1, not 1");
    ASSERT_FAILS(check_overlap(DGM_RULE_GIOTTO, 0), DGM_ERROR_USAGE,
                 "overlap takes a number above 0 to below 1 under compat=giotto, not 0");
    ASSERT_FAILS(check_overlap(DGM_RULE_KEPLER, 1.5), DGM_ERROR_USAGE,
                 "overlap takes a number from 0 to 1, not '1.5'");
}

static void later_axes_are_checked_too(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.overlap[5] = 1;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.intervals[3] = 1000001;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
}

static void numbers_out_of_bounds_are_refused(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_OK);
    options.intervals[0] = 0;
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "intervals takes a whole number from 1 to 1000000, not '0'");
    dgm_mapper_options_init(&options);
    options.intervals[0] = 1000000000;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.eps = 1.5;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.min_size = 0;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.min_component = -1;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
}

static void choices_out_of_their_enums_are_refused(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_CMO + 1;
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "cover 9 is none of the known ones");
    dgm_mapper_options_init(&options);
    options.rule = 6;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.cluster = -1;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.edges = 2;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    dgm_mapper_options_init(&options);
    options.strength = 2;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
}

static void given_intervals_are_checked(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_INTERVALS;
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "a cover of given intervals needs at least one");
    const dgm_interval given[] = {{0, 1}, {1, 1}};
    options.given = given;
    options.given_count = 2;
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "interval 2 of the cover does not start below its end");
    options.given_count = 1;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_OK);
    const dgm_interval nan[] = {{NAN, 1}};
    options.given = nan;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
}

/* Names of choices stand in the order of their enums. */
static void options_are_set_by_name(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    const dgm_option_table *table = dgm_mapper_option_table();
    static const char *const pairs[][2] = {
        {"compat", "mog"},   {"cluster", "louvain"}, {"edges", "structural"},
        {"strength", "sas"}, {"intervals", "20,5"},  {"overlap", "0.1,0.3"},
        {"eps", "0.25"},     {"min-size", "3"},      {"min-component", "9"}};
    for (int64_t i = 0; i < COUNT(pairs); i++)
        assert_int_equal(
            dgm_option_set(ctx, dgm_option_find(table, pairs[i][0]), pairs[i][1], &options),
            DGM_OK);
    assert_int_equal(options.rule, DGM_RULE_MOG);
    assert_int_equal(options.cluster, DGM_CLUSTER_LOUVAIN);
    assert_int_equal(options.edges, DGM_EDGES_STRUCTURAL);
    assert_int_equal(options.strength, DGM_STRENGTH_SAS);
    assert_int_equal(options.intervals[1], 5);
    assert_true(options.overlap[1] == 0.3);
    assert_true(options.eps == 0.25);
    assert_int_equal(options.min_size, 3);
    assert_int_equal(options.min_component, 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bounds_of_the_overlap_belong_to_the_rule),
        cmocka_unit_test(the_words_name_the_bounds_and_the_rule),
        cmocka_unit_test(later_axes_are_checked_too),
        cmocka_unit_test(numbers_out_of_bounds_are_refused),
        cmocka_unit_test(choices_out_of_their_enums_are_refused),
        cmocka_unit_test(given_intervals_are_checked),
        cmocka_unit_test(options_are_set_by_name),
    };
    return RUN_WITH_CONTEXT(tests);
}
