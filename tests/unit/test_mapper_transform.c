/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

static char last_note[256];
static void keep_note(void *user, const char *note) {
    (void)user;
    snprintf(last_note, sizeof last_note, "%s", note);
}

/* Transforms one column of n values and compares it. */
static void assert_transformed(int kind, int64_t n, const double *values, const double *expected,
                               const char *name) {
    dgm_matrix *lens = build_matrix(n, 1, values);
    last_note[0] = '\0';
    dgm_context_set_notes(ctx, keep_note, NULL);
    assert_int_equal(dgm_transform_column(ctx, NULL, lens, 0, kind), DGM_OK);
    dgm_context_set_notes(ctx, NULL, NULL);
    for (int64_t i = 0; i < n; i++)
        assert_near(dgm_matrix_values(lens)[i], expected[i], 1e-14);
    assert_string_equal(dgm_matrix_column_transform(lens, 0), name);
    assert_string_equal(dgm_matrix_column_name(lens, 0), "axis1");
    dgm_matrix_free(lens);
}

static void none_changes_nothing(void **state) {
    (void)state;
    const double values[] = {-1, NAN};
    dgm_matrix *lens = build_matrix(2, 1, values);
    assert_int_equal(dgm_transform_column(ctx, NULL, lens, 0, DGM_TRANSFORM_NONE), DGM_OK);
    assert_memory_equal(dgm_matrix_values(lens), values, sizeof values);
    assert_string_equal(dgm_matrix_column_transform(lens, 0), "none");
    dgm_matrix_free(lens);
}

static void log_is_natural_where_all_values_are_positive(void **state) {
    (void)state;
    assert_transformed(DGM_TRANSFORM_LOG, 3, (const double[]){1, M_E, 1e-3},
                       (const double[]){0, 1, -3 * M_LN10}, "log");
    assert_string_equal(last_note, "");
}

static void log_with_zeros_spreads_values_in_units_of_the_smallest_positive_one(void **state) {
    (void)state;
    assert_transformed(DGM_TRANSFORM_LOG, 4, (const double[]){3e-7, 0, 1e-7, 7e-7},
                       (const double[]){2 * M_LN2, 0, M_LN2, 3 * M_LN2}, "log1p");
    assert_string_equal(last_note, "the lens 'axis1' has zeros: its transform is log(1 + x/m), "
                                   "where m = 1e-07 is its smallest positive value");
    /* The quotient would be infinite here, the logarithm is not. */
    dgm_matrix *lens = build_matrix(3, 1, (const double[]){0x1p1000, 0, 0x1p-1000});
    assert_int_equal(dgm_transform_column(ctx, NULL, lens, 0, DGM_TRANSFORM_LOG), DGM_OK);
    assert_near(dgm_matrix_values(lens)[0], 2000 * M_LN2, 1e-9);
    assert_near(dgm_matrix_values(lens)[2], M_LN2, 1e-14);
    dgm_matrix_free(lens);
}

static void log_of_zeros_alone_is_zeros(void **state) {
    (void)state;
    assert_transformed(DGM_TRANSFORM_LOG, 2, (const double[]){0, 0}, (const double[]){0, 0},
                       "log1p");
}

static void log_of_a_negative_value_is_an_error_that_names_the_node(void **state) {
    (void)state;
    dgm_graph_builder *builder;
    dgm_graph *graph;
    uint32_t node;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_node(builder, "ana", 3, &node), DGM_OK);
    assert_int_equal(dgm_graph_builder_node(builder, "bob", 3, &node), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    dgm_matrix *lens = build_matrix(2, 2, (const double[]){1, 0.5, 3, -0.5});
    assert_int_equal(dgm_transform_column(ctx, graph, lens, 0, DGM_TRANSFORM_LOG), DGM_OK);
    ASSERT_FAILS(dgm_transform_column(ctx, graph, lens, 1, DGM_TRANSFORM_LOG), DGM_ERROR_DATA,
                 "the transform log needs values of at least 0, and the lens 'axis2' is -0.5 at "
                 "node 'bob'; the transform rank takes any");
    assert_near(dgm_matrix_values(lens)[3], -0.5, 0);
    assert_string_equal(dgm_matrix_column_transform(lens, 1), "none");
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void ranks_share_their_middle_and_end_at_0_and_1(void **state) {
    (void)state;
    assert_transformed(DGM_TRANSFORM_RANK, 5, (const double[]){7, -2, 7, 1e9, 0},
                       (const double[]){0.625, 0, 0.625, 1, 0.25}, "rank");
    assert_transformed(DGM_TRANSFORM_RANK, 3, (const double[]){0.0, -0.0, 0},
                       (const double[]){0.5, 0.5, 0.5}, "rank");
    assert_transformed(DGM_TRANSFORM_RANK, 1, (const double[]){3}, (const double[]){0.5}, "rank");
}

static void zscores_have_mean_0_and_deviation_1(void **state) {
    (void)state;
    const double r = sqrt(1.5); /* 1, 2, 3: deviation sqrt(2/3) */
    assert_transformed(DGM_TRANSFORM_ZSCORE, 3, (const double[]){1, 2, 3},
                       (const double[]){-r, 0, r}, "zscore");
    assert_transformed(DGM_TRANSFORM_ZSCORE, 3, (const double[]){1e308, -1e308, 0},
                       (const double[]){r, -r, 0}, "zscore");
    assert_transformed(DGM_TRANSFORM_ZSCORE, 2, (const double[]){-1.7e308, 1.7e308},
                       (const double[]){-1, 1}, "zscore");
}

static void a_constant_column_scores_zero(void **state) {
    (void)state;
    assert_transformed(DGM_TRANSFORM_ZSCORE, 3, (const double[]){4, 4, 4},
                       (const double[]){0, 0, 0}, "zscore");
    assert_transformed(DGM_TRANSFORM_ZSCORE, 3, (const double[]){0.1, 0.1 + 1e-16, 0.1},
                       (const double[]){0, 0, 0}, "zscore");
    assert_transformed(DGM_TRANSFORM_ZSCORE, 2, (const double[]){0, 0}, (const double[]){0, 0},
                       "zscore");
}

static void values_that_are_not_finite_are_refused(void **state) {
    (void)state;
    dgm_matrix *lens = build_matrix(3, 1, (const double[]){1, INFINITY, 2});
    for (int kind = DGM_TRANSFORM_LOG; kind <= DGM_TRANSFORM_ZSCORE; kind++)
        ASSERT_FAILS(dgm_transform_column(ctx, NULL, lens, 0, kind), DGM_ERROR_DATA,
                     "the lens 'axis1' has no finite value at node '1', so there is nothing to "
                     "transform");
    ASSERT_FAILS(dgm_transform_column(ctx, NULL, lens, 0, DGM_TRANSFORM_ZSCORE + 1),
                 DGM_ERROR_USAGE, "4 is no transform");
    ASSERT_FAILS(dgm_transform_column(ctx, NULL, lens, 0, -1), DGM_ERROR_USAGE,
                 "-1 is no transform");
    dgm_matrix_free(lens);
    for (int64_t row = 0; row < 3; row += 2) { /* the first and the last row */
        double values[] = {1, 2, 3};
        char words[128];
        values[row] = NAN;
        lens = build_matrix(3, 1, values);
        snprintf(words, sizeof words,
                 "the lens 'axis1' has no finite value at node '%lld', so there is nothing to "
                 "transform",
                 (long long)row);
        ASSERT_FAILS(dgm_transform_column(ctx, NULL, lens, 0, DGM_TRANSFORM_RANK), DGM_ERROR_DATA,
                     words);
        dgm_matrix_free(lens);
    }
}

/* The extremes may stand in the first row or in the last one. */
static void every_row_counts(void **state) {
    (void)state;
    assert_transformed(DGM_TRANSFORM_LOG, 3, (const double[]){0, 3, 1},
                       (const double[]){0, 2 * M_LN2, M_LN2}, "log1p");
    assert_transformed(DGM_TRANSFORM_LOG, 3, (const double[]){1, 3, 0},
                       (const double[]){M_LN2, 2 * M_LN2, 0}, "log1p");
    assert_transformed(DGM_TRANSFORM_ZSCORE, 2, (const double[]){8, 4}, (const double[]){1, -1},
                       "zscore");
    assert_transformed(DGM_TRANSFORM_LOG, 1, (const double[]){1}, (const double[]){0}, "log");
}

/* A word is quoted up to its 63rd letter. */
static void long_words_are_cut(void **state) {
    (void)state;
    int kinds[DGM_MAX_AXES], count = 0;
    for (size_t length = 62; length <= 70; length++) {
        char word[80] = "", words[200];
        memset(word, 'x', length);
        snprintf(words, sizeof words, "transform does not know '%.63s'", word);
        assert_int_equal(dgm_transform_parse(ctx, word, kinds, &count), DGM_ERROR_USAGE);
        ASSERT_HAS(dgm_context_error(ctx), words);
    }
    assert_int_equal(count, 0);
    count = DGM_MAX_AXES - 1; /* the last place */
    assert_int_equal(dgm_transform_parse(ctx, "rank", kinds, &count), DGM_OK);
    assert_int_equal(count, DGM_MAX_AXES);
    assert_int_equal(kinds[DGM_MAX_AXES - 1], DGM_TRANSFORM_RANK);
}

static void an_empty_column_is_fine(void **state) {
    (void)state;
    for (int kind = DGM_TRANSFORM_NONE; kind <= DGM_TRANSFORM_ZSCORE; kind++) {
        dgm_matrix *lens = build_matrix(0, 1, NULL);
        assert_int_equal(dgm_transform_column(ctx, NULL, lens, 0, kind), DGM_OK);
        dgm_matrix_free(lens);
    }
}

static void the_last_transform_goes_on_for_further_axes(void **state) {
    (void)state;
    const int kinds[] = {DGM_TRANSFORM_NONE, DGM_TRANSFORM_RANK, DGM_TRANSFORM_LOG};
    const double values[] = {5, 5, 5, 6, 6, 6};
    dgm_matrix *lens = build_matrix(2, 3, values);
    assert_int_equal(dgm_transform_axes(ctx, NULL, lens, kinds, 0), DGM_OK);
    assert_memory_equal(dgm_matrix_values(lens), values, sizeof values);
    assert_int_equal(dgm_transform_axes(ctx, NULL, lens, kinds, 2), DGM_OK);
    assert_string_equal(dgm_matrix_column_transform(lens, 0), "none");
    assert_string_equal(dgm_matrix_column_transform(lens, 1), "rank");
    assert_string_equal(dgm_matrix_column_transform(lens, 2), "rank");
    assert_memory_equal(dgm_matrix_values(lens), ((const double[]){5, 0, 0, 6, 1, 1}),
                        sizeof values);
    dgm_matrix_free(lens);
    lens = build_matrix(1, 2, (const double[]){1, 2});
    ASSERT_FAILS(dgm_transform_axes(ctx, NULL, lens, kinds, 3), DGM_ERROR_USAGE,
                 "3 transforms were given, and the lens has 2 axes");
    dgm_matrix_free(lens);
    lens = build_matrix(1, 1, (const double[]){1});
    ASSERT_FAILS(dgm_transform_axes(ctx, NULL, lens, kinds, 3), DGM_ERROR_USAGE,
                 "3 transforms were given, and the lens has 1 axis");
    dgm_matrix_free(lens);
}

static void a_second_transform_is_recorded_behind_the_first(void **state) {
    (void)state;
    dgm_matrix *lens = build_matrix(2, 1, (const double[]){1, 2});
    assert_int_equal(dgm_transform_column(ctx, NULL, lens, 0, DGM_TRANSFORM_LOG), DGM_OK);
    assert_int_equal(dgm_transform_column(ctx, NULL, lens, 0, DGM_TRANSFORM_ZSCORE), DGM_OK);
    assert_string_equal(dgm_matrix_column_transform(lens, 0), "log, zscore");
    dgm_matrix_free(lens);
}

static void names_are_read_one_by_one_or_in_a_list(void **state) {
    (void)state;
    int kinds[DGM_MAX_AXES], count = 0;
    assert_int_equal(dgm_transform_parse(ctx, "log", kinds, &count), DGM_OK);
    assert_int_equal(dgm_transform_parse(ctx, "none,zscore,rank", kinds, &count), DGM_OK);
    assert_int_equal(count, 4);
    assert_memory_equal(kinds,
                        ((const int[]){DGM_TRANSFORM_LOG, DGM_TRANSFORM_NONE, DGM_TRANSFORM_ZSCORE,
                                       DGM_TRANSFORM_RANK}),
                        4 * sizeof *kinds);
    ASSERT_FAILS(dgm_transform_parse(ctx, "zcore", kinds, &count), DGM_ERROR_USAGE,
                 "transform does not know 'zcore'; did you mean 'zscore'? (one of none, log, "
                 "rank, zscore)");
    assert_int_equal(dgm_transform_parse(ctx, "", kinds, &count), DGM_ERROR_USAGE);
    assert_int_equal(dgm_transform_parse(ctx, "log,", kinds, &count), DGM_ERROR_USAGE);
    count = DGM_MAX_AXES;
    ASSERT_FAILS(dgm_transform_parse(ctx, "log", kinds, &count), DGM_ERROR_USAGE,
                 "transform takes at most 16 values");
}

/* Every transform, on values that nobody may write to, and on a copy of them. */
static void a_borrowed_table_is_copied_before_it_changes(void **state) {
    (void)state;
    static const double values[] = {4, 1, 2, 8, 3, 0};
    for (int kind = DGM_TRANSFORM_NONE; kind <= DGM_TRANSFORM_ZSCORE; kind++) {
        dgm_matrix *borrowed, *copied = build_matrix(3, 2, values);
        assert_int_equal(dgm_matrix_borrow(ctx, values, 3, 2, &borrowed), DGM_OK);
        assert_int_equal(dgm_transform_axes(ctx, NULL, borrowed, &kind, 1), DGM_OK);
        assert_int_equal(dgm_transform_axes(ctx, NULL, copied, &kind, 1), DGM_OK);
        assert_memory_equal(dgm_matrix_values(borrowed), dgm_matrix_values(copied), sizeof values);
        assert_int_equal(dgm_matrix_values(borrowed) == values, kind == DGM_TRANSFORM_NONE);
        dgm_matrix_free(borrowed);
        dgm_matrix_free(copied);
    }
    const double as_given[] = {4, 1, 2, 8, 3, 0};
    assert_memory_equal(values, as_given, sizeof as_given);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_borrowed_table_is_copied_before_it_changes),
        cmocka_unit_test(none_changes_nothing),
        cmocka_unit_test(log_is_natural_where_all_values_are_positive),
        cmocka_unit_test(log_with_zeros_spreads_values_in_units_of_the_smallest_positive_one),
        cmocka_unit_test(log_of_zeros_alone_is_zeros),
        cmocka_unit_test(log_of_a_negative_value_is_an_error_that_names_the_node),
        cmocka_unit_test(ranks_share_their_middle_and_end_at_0_and_1),
        cmocka_unit_test(zscores_have_mean_0_and_deviation_1),
        cmocka_unit_test(a_constant_column_scores_zero),
        cmocka_unit_test(values_that_are_not_finite_are_refused),
        cmocka_unit_test(every_row_counts),
        cmocka_unit_test(long_words_are_cut),
        cmocka_unit_test(an_empty_column_is_fine),
        cmocka_unit_test(the_last_transform_goes_on_for_further_axes),
        cmocka_unit_test(a_second_transform_is_recorded_behind_the_first),
        cmocka_unit_test(names_are_read_one_by_one_or_in_a_list),
    };
    return RUN_WITH_CONTEXT(tests);
}
