/* SPDX-License-Identifier: Apache-2.0 */
/* Which cells hold a value, for every rule, at ends and corners worked out by hand. */
#include "unit_fixture.h"

#include <math.h>

#include "base_memory.h"
#include "base_random.h"
#include "mapper_stages.h"

/* The axis of a lens that runs from low to high. */
static dgmi_mapper_axis axis_of(int rule, int64_t cells, double overlap, double low, double high) {
    dgm_matrix *lens = build_matrix(2, 1, (const double[]){low, high});
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_mapper_cover cover;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    options.rule = rule;
    options.intervals[0] = cells;
    options.overlap[0] = overlap;
    assert_int_equal(dgmi_mapper_cover_make(ctx, lens, &options, &cover), DGM_OK);
    dgmi_mapper_axis axis = cover.axis[0];
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
    return axis;
}

typedef struct {
    double value;
    int64_t first, last;
} place;

static void assert_places(dgmi_mapper_axis axis, const place *places, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        int64_t first, last;
        dgmi_mapper_axis_locate(&axis, places[i].value, &first, &last);
        if (first != places[i].first || last != places[i].last)
            fail_msg("%.17g is in cells %lld to %lld, not %lld to %lld", places[i].value,
                     (long long)first, (long long)last, (long long)places[i].first,
                     (long long)places[i].last);
    }
}
#define ASSERT_PLACES(axis, ...)                                                                   \
    do {                                                                                           \
        const place places[] = {__VA_ARGS__};                                                      \
        assert_places(axis, places, COUNT(places));                                                \
    } while (0)

/* ---- the default rule: L = R / (n - (n - 1) g), half-open, the last closed ---- */

static void without_gain_every_value_is_in_one_cell(void **state) {
    (void)state;
    /* [0, 2) [2, 4) [4, 6) [6, 8) [8, 10] */
    ASSERT_PLACES(axis_of(DGM_RULE_GAIN, 5, 0, 0, 10), {0, 0, 0}, {1.999999, 0, 0}, {2, 1, 1},
                  {4, 2, 2}, {7.999999, 3, 3}, {8, 4, 4}, {10, 4, 4});
    /* Tenths are not exact, their cells are: [0, 0.1) ... [0.9, 1] */
    ASSERT_PLACES(axis_of(DGM_RULE_GAIN, 10, 0, 0, 1), {0.1, 1, 1}, {0.2, 2, 2}, {0.3, 3, 3},
                  {0.1 + 0.2, 3, 3}, {0.6, 6, 6}, {0.7, 7, 7}, {0.9, 9, 9}, {1, 9, 9});
}

static void half_a_gain_puts_inner_values_into_two_cells(void **state) {
    (void)state;
    /* [0, 2) [1, 3] */
    ASSERT_PLACES(axis_of(DGM_RULE_GAIN, 2, 0.5, 0, 3), {0, 0, 0}, {0.999999, 0, 0}, {1, 0, 1},
                  {1.999999, 0, 1}, {2, 1, 1}, {3, 1, 1});
    /* [-2, 0) [-1, 1) [0, 2] */
    ASSERT_PLACES(axis_of(DGM_RULE_GAIN, 3, 0.5, -2, 2), {-2, 0, 0}, {-1, 0, 1}, {0, 1, 2},
                  {1, 2, 2}, {2, 2, 2});
}

static void a_gain_above_one_half_makes_far_cells_meet(void **state) {
    (void)state;
    /* [0, 4) [1, 5) [2, 6] */
    ASSERT_PLACES(axis_of(DGM_RULE_GAIN, 3, 0.75, 0, 6), {0, 0, 0}, {1, 0, 1}, {2, 0, 2},
                  {3.999999, 0, 2}, {4, 1, 2}, {5, 2, 2}, {6, 2, 2});
    /* L = 100, s = 1: 99 of 100 */
    ASSERT_PLACES(axis_of(DGM_RULE_GAIN, 11, 0.99, 0, 110), {0, 0, 0}, {9.5, 0, 9}, {50, 0, 10},
                  {99.5, 0, 10}, {100.5, 1, 10}, {110, 10, 10});
}

/* ---- the rules of others ---- */

static void the_reference_grows_by_p_over_n_plus_1(void **state) {
    (void)state;
    /* [-0.1, 0.6] [0.4, 1.1] */
    ASSERT_PLACES(axis_of(DGM_RULE_DGM, 2, 0.3, 0, 1), {0, 0, 0}, {0.399999, 0, 0}, {0.4, 0, 1},
                  {0.6, 0, 1}, {0.600001, 1, 1}, {1, 1, 1});
    /* p = 1: [-0.2, 0.45] [0.05, 0.7] [0.3, 0.95] [0.55, 1.2], of a range of 20 */
    ASSERT_PLACES(axis_of(DGM_RULE_DGM, 4, 1, 0, 20), {0, 0, 0}, {1, 0, 1}, {6, 0, 2}, {9, 0, 2},
                  {9.00001, 1, 2}, {11, 1, 3}, {14, 1, 3}, {19, 2, 3}, {20, 3, 3});
    /* p = 0: closed pieces meet in their ends */
    ASSERT_PLACES(axis_of(DGM_RULE_DGM, 4, 0, 0, 1), {0, 0, 0}, {0.25, 0, 1}, {0.3, 1, 1},
                  {0.75, 2, 3}, {1, 3, 3});
}

static void kepler_is_centred_and_closed(void **state) {
    (void)state;
    /* [-0.5, 1.5] [0.5, 2.5] [1.5, 3.5] [2.5, 4.5] */
    ASSERT_PLACES(axis_of(DGM_RULE_KEPLER, 4, 0.5, 0, 4), {0, 0, 0}, {0.5, 0, 1}, {1, 0, 1},
                  {1.5, 0, 2}, {2, 1, 2}, {3.5, 2, 3}, {4, 3, 3});
    ASSERT_PLACES(axis_of(DGM_RULE_KEPLER, 4, 0, 0, 4), {0, 0, 0}, {1, 0, 1}, {1.5, 1, 1},
                  {4, 3, 3});
    ASSERT_PLACES(axis_of(DGM_RULE_KEPLER, 4, 1, 0, 4), {0, 0, 3}, {2, 0, 3}, {4, 0, 3});
}

static void giotto_is_open_with_outer_ends_at_infinity(void **state) {
    (void)state;
    /* (-inf, 2) (1, 3) (2, inf) */
    ASSERT_PLACES(axis_of(DGM_RULE_GIOTTO, 3, 0.5, 0, 4), {0, 0, 0}, {1, 0, 0}, {1.000001, 0, 1},
                  {2, 1, 1}, {3, 2, 2}, {4, 2, 2});
}

static void gudhi_is_centred_and_a_hair_above_its_ends(void **state) {
    (void)state;
    /* [0, 1.5] (0.5, 2.5] (1.5, 3.5] (2.5, 4]: ties are in test_mapper_gudhi.c */
    ASSERT_PLACES(axis_of(DGM_RULE_GUDHI, 4, 0.5, 0, 4), {0, 0, 0}, {0.5, 0, 0}, {0.500001, 0, 1},
                  {1.499999, 0, 1}, {1.500001, 1, 2}, {3.500001, 3, 3}, {4, 3, 3});
    ASSERT_PLACES(axis_of(DGM_RULE_GUDHI, 4, 0, 0, 4), {0, 0, 0}, {1, 0, 0}, {1.000001, 1, 1},
                  {4, 3, 3});
}

static void mapper_on_graphs_grows_each_side_by_p(void **state) {
    (void)state;
    /* [-0.25, 1.25] [0.75, 2.25] [1.75, 3.25] [2.75, 4.25] */
    ASSERT_PLACES(axis_of(DGM_RULE_MOG, 4, 0.25, 0, 4), {0, 0, 0}, {0.74, 0, 0}, {0.75, 0, 1},
                  {1.25, 0, 1}, {1.26, 1, 1}, {3.25, 2, 3}, {4, 3, 3});
    /* p = 1: [-1, 2] [0, 3] [1, 4] [2, 5] */
    ASSERT_PLACES(axis_of(DGM_RULE_MOG, 4, 1, 0, 4), {0, 0, 1}, {1, 0, 2}, {2, 0, 3}, {3, 1, 3},
                  {4, 2, 3});
}

/* ---- extremes ---- */

static void one_cell_holds_everything(void **state) {
    (void)state;
    for (int rule = DGM_RULE_GAIN; rule <= DGM_RULE_MOG; rule++)
        ASSERT_PLACES(axis_of(rule, 1, 0.3, -5, 5), {-5, 0, 0}, {0, 0, 0}, {5, 0, 0});
}

static void a_million_cells_keep_their_ends(void **state) {
    (void)state;
    ASSERT_PLACES(axis_of(DGM_RULE_GAIN, 1000000, 0, 0, 1e6), {0, 0, 0}, {1, 1, 1},
                  {123456, 123456, 123456}, {123455.999999, 123455, 123455},
                  {999999, 999999, 999999}, {1e6, 999999, 999999});
    /* g = 1/5, s = 1, L = 5/4: the range is 999,999 + 5/4 */
    ASSERT_PLACES(axis_of(DGM_RULE_GAIN, 1000000, 0.2, 0, 1000000.25), {5, 4, 5}, {5.25, 5, 5},
                  {5.125, 4, 5}, {999999.125, 999998, 999999}, {1000000.25, 999999, 999999});
}

static void a_range_of_a_billionth_is_constant(void **state) {
    (void)state;
    assert_int_equal(axis_of(DGM_RULE_GAIN, 10, 0.2, 3, 3).cells, 1);
    assert_int_equal(axis_of(DGM_RULE_GAIN, 10, 0.2, 0, 0).cells, 1);
    assert_int_equal(axis_of(DGM_RULE_GAIN, 10, 0.2, 1, 1 + 1e-10).cells, 1);
    assert_int_equal(axis_of(DGM_RULE_GAIN, 10, 0.2, -1e20, -1e20 + 1e10).cells, 1);
    assert_int_equal(axis_of(DGM_RULE_GAIN, 10, 0.2, 1, 1 + 1e-8).cells, 10);
    assert_int_equal(axis_of(DGM_RULE_GAIN, 10, 0.2, 0, 1e-300).cells, 10);
}

static void the_smallest_and_largest_numbers_have_cells(void **state) {
    (void)state;
    ASSERT_PLACES(axis_of(DGM_RULE_GAIN, 4, 0, -1.7e308, 1.7e308), {-1.7e308, 0, 0},
                  {-8.6e307, 0, 0}, {-8.4e307, 1, 1}, {0, 2, 2}, {1e308, 3, 3}, {1.7e308, 3, 3});
    ASSERT_PLACES(axis_of(DGM_RULE_GAIN, 1000000, 0, 0, 1e308), {0, 0, 0}, {5e307, 500000, 500000},
                  {1e308, 999999, 999999});
    ASSERT_PLACES(axis_of(DGM_RULE_KEPLER, 4, 1, -1.7e308, 1.7e308), {0, 0, 3});
    ASSERT_PLACES(axis_of(DGM_RULE_GAIN, 2, 0, 0, 5e-324), {0, 0, 0}, {5e-324, 1, 1});
    ASSERT_PLACES(axis_of(DGM_RULE_GAIN, 4, 0, 0, 4e-320), {0, 0, 0}, {2.5e-320, 2, 2},
                  {4e-320, 3, 3});
}

static void an_overlap_too_small_to_see_leaves_no_gap(void **state) {
    (void)state;
    dgmi_mapper_axis axis = axis_of(DGM_RULE_GIOTTO, 10, 1e-16, 0, 10);
    for (int64_t value = 0; value <= 10; value++) {
        int64_t first, last;
        dgmi_mapper_axis_locate(&axis, (double)value, &first, &last);
        assert_true(first <= last && first >= 0 && last <= 9);
    }
}

/* Any range, any number of cells: the ends are in the outer cells, at gain 0 every value in one
 * cell, and cells ascend with the value. */
static void random_covers_lose_no_value(void **state) {
    (void)state;
    dgmi_random random = {77, 1, 0};
    for (int trial = 0; trial < 2000; trial++) {
        double low = (dgmi_random_next(&random) - 0.5) * exp2(40 * dgmi_random_next(&random) - 20);
        double range = dgmi_random_next(&random) * exp2(40 * dgmi_random_next(&random) - 20);
        int64_t n = 1 + (int64_t)dgmi_random_next_below(&random, trial % 2 ? 30 : 1000000);
        dgmi_mapper_axis axis = axis_of(DGM_RULE_GAIN, n, 0, low, low + range);
        int64_t first, last, before = 0;
        dgmi_mapper_axis_locate(&axis, low, &first, &last);
        assert_true(first == 0 && last == 0);
        for (int step = 0; step <= 20; step++) {
            dgmi_mapper_axis_locate(&axis, fmin(low + range * step / 20, low + range), &first,
                                    &last);
            assert_true(first == last && first >= before);
            before = first;
        }
        dgmi_mapper_axis_locate(&axis, low + range, &first, &last);
        if (first != axis.cells - 1 || last != axis.cells - 1)
            fail_msg("seed 77, trial %d: the maximum is in cell %lld of %lld", trial,
                     (long long)last, (long long)n);
    }
}

/* ---- mid-ranks ---- */

static void assert_quantiles(int64_t cells, int64_t count, const double *values,
                             const int64_t *expected) {
    dgm_matrix *lens = build_matrix(count, 1, values);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_mapper_cover cover;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    options.cover = DGM_COVER_QUANTILE;
    options.intervals[0] = cells;
    options.overlap[0] = 0;
    assert_int_equal(dgmi_mapper_cover_make(ctx, lens, &options, &cover), DGM_OK);
    for (int64_t i = 0; i < count; i++) {
        int64_t first, last;
        dgmi_mapper_axis_locate(&cover.axis[0], cover.values[i], &first, &last);
        assert_int_equal(first, last);
        assert_int_equal(first, expected[i]);
    }
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
}

static void quantiles_keep_ties_together(void **state) {
    (void)state;
    /* Mid-ranks 2 2 2 0 4.5 4.5; thirds end at 1.5 and 3, halves at 2.25. */
    const double values[] = {5, 5, 5, -1e300, 1e300, 1e300};
    assert_quantiles(3, 6, values, (const int64_t[]){1, 1, 1, 0, 2, 2});
    assert_quantiles(2, 6, values, (const int64_t[]){0, 0, 0, 0, 1, 1});
    /* -0 and 0 tie: mid-ranks 0.5 0.5 2 */
    assert_quantiles(2, 3, (const double[]){0.0, -0.0, 1}, (const int64_t[]){0, 0, 1});
    assert_quantiles(4, 3, (const double[]){7, 7, 7}, (const int64_t[]){0, 0, 0});
    assert_quantiles(4, 1, (const double[]){7}, (const int64_t[]){0});
}

static void quantiles_hold_equal_counts(void **state) {
    (void)state;
    enum { NODES = 1000, CELLS = 8 };
    double values[NODES];
    int64_t expected[NODES], counts[CELLS] = {0};
    for (int64_t i = 0; i < NODES; i++) { /* 7 * i mod 1000 runs through all ranks */
        int64_t rank = 7 * i % NODES;
        values[i] = exp((double)rank / 100);
        expected[i] = rank * CELLS / (NODES - 1);
        expected[i] -= expected[i] == CELLS;
        counts[expected[i]]++;
    }
    for (int k = 0; k < CELLS; k++)
        assert_int_equal(counts[k], 125);
    assert_quantiles(CELLS, NODES, values, expected);
}

/* ---- lists per axis, soft assignments, given intervals ---- */

static void axes_left_out_are_as_the_one_before(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 3;
    options.intervals[2] = 7;
    options.intervals[3] = 0;
    options.overlap[1] = 0.5;
    static const int64_t cells[] = {3, 3, 7, 7, 7};
    static const double overlaps[] = {0.2, 0.5, 0.5, 0.5, 0.5};
    for (int64_t k = 0; k < COUNT(cells); k++) {
        assert_int_equal(dgmi_mapper_axis_intervals(&options, k), cells[k]);
        assert_true(dgmi_mapper_axis_overlap(&options, k) == overlaps[k]);
    }
    assert_int_equal(dgmi_mapper_axis_intervals(&options, 40), 7); /* beyond the list */
    assert_true(dgmi_mapper_axis_overlap(&options, 40) == 0.5);
}

static void a_soft_assignment_has_no_negative_entry(void **state) {
    (void)state;
    dgm_matrix *lens = build_matrix(2, 2, (const double[]){0.5, 0.5, 1, -0.25});
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_mapper_cover cover;
    options.cover = DGM_COVER_SIMPLEX;
    ASSERT_FAILS(dgmi_mapper_cover_make(ctx, lens, &options, &cover), DGM_ERROR_DATA,
                 "the simplex cover needs a soft assignment, no entry below 0; row 2, column 2 is "
                 "-0.25");
    dgm_matrix_free(lens);
}

static void given_intervals_cover_one_axis(void **state) {
    (void)state;
    dgm_matrix *lens = build_matrix(1, 2, (const double[]){0, 1});
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_interval given[4];
    dgmi_mapper_cover cover;
    assert_int_equal(dgm_cover_parse(ctx, "intervals:0..1", &options, given, 4), DGM_OK);
    ASSERT_FAILS(dgmi_mapper_cover_make(ctx, lens, &options, &cover), DGM_ERROR_USAGE,
                 "given intervals cover one axis, and this lens has 2");
    dgm_matrix_free(lens);
}

/* ---- covers as text ---- */

static void covers_are_read_by_name(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    assert_int_equal(dgm_cover_parse(ctx, "quantile", &options, NULL, 0), DGM_OK);
    assert_int_equal(options.cover, DGM_COVER_QUANTILE);
    assert_int_equal(dgm_cover_parse(ctx, "simplex", &options, NULL, 0), DGM_OK);
    assert_int_equal(options.cover, DGM_COVER_SIMPLEX);
    assert_int_equal(dgm_cover_parse(ctx, "uniform", &options, NULL, 0), DGM_OK);
    assert_int_equal(options.cover, DGM_COVER_UNIFORM);
    assert_int_equal(dgm_cover_parse(ctx, "unifrom", &options, NULL, 0), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "cover does not know 'unifrom'");
    ASSERT_HAS(dgm_context_error(ctx), "did you mean 'uniform'?");
    assert_int_equal(dgm_cover_parse(ctx, "", &options, NULL, 0), DGM_ERROR_USAGE);
    assert_int_equal(dgm_cover_parse(ctx, "hexagons", &options, NULL, 0), DGM_ERROR_USAGE);
    assert_int_equal(dgm_cover_parse(ctx, "intervals", &options, NULL, 0), DGM_ERROR_USAGE);
}

static void intervals_are_read_with_their_ends(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_interval given[3];
    assert_int_equal(
        dgm_cover_parse(ctx, "intervals:-inf..0.1,-0.1..inf,-1e-3...5", &options, given, 3),
        DGM_OK);
    assert_int_equal(options.cover, DGM_COVER_INTERVALS);
    assert_ptr_equal(options.given, given);
    assert_int_equal(options.given_count, 3);
    assert_true(isinf(given[0].low) && given[0].low < 0 && given[0].high == 0.1);
    assert_true(given[1].low == -0.1 && isinf(given[1].high));
    assert_true(given[2].low == -0.001 && given[2].high == 0.5);
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_OK);
}

static void intervals_that_are_none_are_refused(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_interval given[2];
    static const char *const bad[] = {
        "intervals:",     "intervals:1",     "intervals:1..",     "intervals:..1",
        "intervals:1..1", "intervals:2..1",  "intervals:nan..1",  "intervals:0..nan",
        "intervals:a..b", "intervals:0..1,", "intervals:,0..1",   "intervals:0..1,,2..3",
        "intervals:0-1",  "intervals:0..1 ", "intervals:inf..inf"};
    for (int64_t i = 0; i < COUNT(bad); i++) {
        if (dgm_cover_parse(ctx, bad[i], &options, given, 2) != DGM_ERROR_USAGE)
            fail_msg("'%s' is taken for a cover", bad[i]);
        ASSERT_HAS(dgm_context_error(ctx), "cover=intervals:a..b,c..d takes numbers");
    }
    ASSERT_FAILS(dgm_cover_parse(ctx, "intervals:0..1,1..2,2..3", &options, given, 2),
                 DGM_ERROR_USAGE, "cover=intervals: takes at most 2 intervals");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_gain_every_value_is_in_one_cell),
        cmocka_unit_test(half_a_gain_puts_inner_values_into_two_cells),
        cmocka_unit_test(a_gain_above_one_half_makes_far_cells_meet),
        cmocka_unit_test(the_reference_grows_by_p_over_n_plus_1),
        cmocka_unit_test(kepler_is_centred_and_closed),
        cmocka_unit_test(giotto_is_open_with_outer_ends_at_infinity),
        cmocka_unit_test(gudhi_is_centred_and_a_hair_above_its_ends),
        cmocka_unit_test(mapper_on_graphs_grows_each_side_by_p),
        cmocka_unit_test(one_cell_holds_everything),
        cmocka_unit_test(a_million_cells_keep_their_ends),
        cmocka_unit_test(a_range_of_a_billionth_is_constant),
        cmocka_unit_test(the_smallest_and_largest_numbers_have_cells),
        cmocka_unit_test(an_overlap_too_small_to_see_leaves_no_gap),
        cmocka_unit_test(random_covers_lose_no_value),
        cmocka_unit_test(quantiles_keep_ties_together),
        cmocka_unit_test(quantiles_hold_equal_counts),
        cmocka_unit_test(axes_left_out_are_as_the_one_before),
        cmocka_unit_test(a_soft_assignment_has_no_negative_entry),
        cmocka_unit_test(given_intervals_cover_one_axis),
        cmocka_unit_test(covers_are_read_by_name),
        cmocka_unit_test(intervals_are_read_with_their_ends),
        cmocka_unit_test(intervals_that_are_none_are_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
