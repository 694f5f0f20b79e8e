/* SPDX-License-Identifier: Apache-2.0 */
/* Surveys of six nodes, of which everything can be told by hand. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

#include "base_memory.h"
#include "mapper_comparison.h"

enum { NODES = 6 };

/* Class 0 has one node, class 1 four, and node 5 has none; of the towns x has two, y one and z
 * three; in the land s are all nodes; m has four of five nodes. */
static dgm_comparison *compare_six(dgm_graph **graph) {
    static const int32_t labels[NODES] = {0, 1, 1, 1, 1, -1};
    static const char *const towns[NODES] = {"x", "x", "y", "z", "z", "z"},
                             *const lands[NODES] = {"s", "s", "s", "s", "s", "s"},
                             *const marks[NODES] = {"m", "n", "m", "m", "m", NULL};
    static const double ages[NODES] = {1, 2, 3, 4, 5, NAN};
    dgm_graph_builder *builder;
    dgm_comparison *comparison;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, NODES), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "town", NODES, towns), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "land", NODES, lands), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "mark", NODES, marks), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "age", NODES, ages), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, graph), DGM_OK);
    assert_int_equal(dgm_comparison_create(ctx, *graph, NULL, &comparison), DGM_OK);
    return comparison;
}

/* What a set is compared in, as "class 0 1/2, town x 1/2, age 2", in the order of the columns. */
static void assert_compared(const dgm_comparison *comparison, const char *set,
                            const char *expected) {
    uint32_t nodes[NODES];
    int64_t count = (int64_t)strlen(set), found;
    char text[512] = "";
    dgm_differences *differences;
    for (int64_t i = 0; i < count; i++)
        nodes[i] = (uint32_t)(set[i] - '0');
    assert_int_equal(dgm_comparison_run(ctx, comparison, nodes, count, &differences), DGM_OK);
    const dgm_difference *list = dgm_differences_list(differences, &found);
    static const char *const columns[] = {"0", "1", "x", "y", "z", "s", "m", "n", ""};
    for (size_t k = 0; k < COUNT(columns); k++)
        for (int64_t i = 0; i < found; i++) {
            const dgm_difference *d = &list[i];
            size_t used = strlen(text);
            const char *comma = used ? ", " : "";
            if (strcmp(d->value ? d->value : "", columns[k]) != 0)
                continue;
            assert_true(d->p >= 0 && d->p <= 1 && isfinite(d->delta));
            if (d->value)
                snprintf(text + used, sizeof text - used, "%s%s %lld/%lld", comma, d->value,
                         (long long)d->yes, (long long)d->inside);
            else
                snprintf(text + used, sizeof text - used, "%s%s %lld", comma, d->name,
                         (long long)d->inside);
        }
    assert_string_equal(text, expected);
    dgm_differences_free(differences);
}

/* A class of one node counts, and a text of one does not; nor does what all have. There must be
 * somebody inside and somebody outside of whom the column is known. */
static void a_set_is_compared_in_columns_that_can_tell_it(void **state) {
    (void)state;
    dgm_graph *graph;
    dgm_comparison *comparison = compare_six(&graph);
    assert_int_equal(dgm_comparison_columns(comparison), 6);
    assert_compared(comparison, "02", "0 1/2, 1 1/2, x 1/2, z 0/2, m 2/2, age 2");
    assert_compared(comparison, "1", "0 0/1, 1 1/1, x 1/1, z 0/1, m 0/1, age 1");
    assert_compared(comparison, "5", "x 0/1, z 1/1");
    assert_compared(comparison, "1234", "0 0/4, 1 4/4, x 1/4, z 2/4, m 3/4, age 4");
    assert_compared(comparison, "01234", "x 2/5, z 2/5");
    dgm_comparison_free(comparison);
    dgm_graph_free(graph);
}

/* Every set of a survey has the differences that it has alone. */
static void sets_of_a_survey_are_those_alone(void **state) {
    (void)state;
    static const uint32_t nodes[] = {0, 2, 1, 5, 1, 2, 3, 4};
    static const int64_t offsets[] = {0, 2, 3, 4, 8};
    dgm_graph *graph;
    dgm_comparison *comparison = compare_six(&graph);
    dgmi_mapper_survey survey = {.comparison = comparison,
                                 .sets = {4, offsets, nodes},
                                 .columns = DGMI_MAPPER_ALL,
                                 .least = 1,
                                 .level = 1};
    int64_t at = 0;
    assert_int_equal(dgmi_mapper_survey_run(ctx, &survey), DGM_OK);
    for (uint32_t set = 0; set < 4; set++) {
        dgm_differences *alone;
        int64_t count;
        assert_int_equal(dgm_comparison_run(ctx, comparison, nodes + offsets[set],
                                            offsets[set + 1] - offsets[set], &alone),
                         DGM_OK);
        const dgm_difference *list = dgm_differences_list(alone, &count);
        for (int64_t i = 0; i < count; i++, at++) {
            dgm_difference found = dgmi_mapper_difference(comparison, &survey.found[at]);
            assert_int_equal(survey.found[at].set, set);
            assert_int_equal(found.kind, list[i].kind);
            assert_int_equal(found.yes, list[i].yes);
            assert_true(found.delta == list[i].delta && found.p == list[i].p);
        }
        dgm_differences_free(alone);
    }
    assert_int_equal(at, survey.count);
    assert_int_equal(survey.tests, survey.count);
    dgmi_free(ctx, survey.found);
    dgm_comparison_free(comparison);
    dgm_graph_free(graph);
}

static dgmi_mapper_survey survey_of(const dgm_comparison *comparison, int columns, int64_t least,
                                    double level) {
    static const uint32_t nodes[] = {0, 2, 1};
    static const int64_t offsets[] = {0, 2, 3};
    dgmi_mapper_survey survey = {.comparison = comparison,
                                 .sets = {2, offsets, nodes},
                                 .columns = columns,
                                 .least = least,
                                 .level = level};
    assert_int_equal(dgmi_mapper_survey_run(ctx, &survey), DGM_OK);
    return survey;
}

/* Sets of two nodes and of one, in two classes, three texts and a number. */
static void a_survey_keeps_what_it_was_asked_for(void **state) {
    (void)state;
    dgm_graph *graph;
    dgm_comparison *comparison = compare_six(&graph);
    static const struct {
        int columns;
        int64_t least, tests;
    } cases[] = {{DGMI_MAPPER_ALL, 1, 12},
                 {DGMI_MAPPER_CLASSES, 1, 4},
                 {DGMI_MAPPER_OTHERS, 1, 8},
                 {DGMI_MAPPER_ALL, 2, 6},
                 {DGMI_MAPPER_ALL, 3, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        dgmi_mapper_survey survey = survey_of(comparison, cases[i].columns, cases[i].least, 1);
        assert_int_equal(survey.tests, cases[i].tests);
        assert_int_equal(survey.count, cases[i].tests);
        dgmi_free(ctx, survey.found);
    }
    dgmi_mapper_survey all = survey_of(comparison, DGMI_MAPPER_ALL, 1, 1);
    for (int64_t k = 0; k < all.count; k++) { /* what is as likely as the level is kept */
        dgmi_mapper_survey some = survey_of(comparison, DGMI_MAPPER_ALL, 1, all.found[k].p);
        int64_t expected = 0;
        for (int64_t i = 0; i < all.count; i++)
            expected += all.found[i].p <= all.found[k].p;
        assert_int_equal(some.count, expected);
        assert_int_equal(some.tests, all.tests);
        dgmi_free(ctx, some.found);
    }
    dgmi_free(ctx, all.found);
    dgm_comparison_free(comparison);
    dgm_graph_free(graph);
}

/* Five nodes have a class, four of them class 1. */
static void a_class_is_judged_where_its_counts_can_be_drawn(void **state) {
    (void)state;
    static const struct {
        int32_t class_index;
        int64_t inside, yes;
        bool drawn;
    } cases[] = {{1, 2, 2, true}, {1, 4, 4, true},  {1, 5, 4, false}, {2, 2, 1, false},
                 {0, 2, 1, true}, {0, 2, 2, false}, {1, 2, 1, true},  {1, 2, 0, false},
                 {1, 1, 0, true}, {1, 1, 1, true},  {1, 0, 0, false}, {0, 4, 0, true},
                 {1, 6, 4, false}};
    dgm_graph *graph;
    dgm_comparison *comparison = compare_six(&graph);
    for (size_t i = 0; i < COUNT(cases); i++) {
        double inside = (double)cases[i].inside, yes = (double)cases[i].yes;
        dgm_difference found = dgmi_mapper_difference_of_class(comparison, cases[i].class_index,
                                                               cases[i].inside, cases[i].yes);
        assert_int_equal(found.kind, DGM_COLUMN_CLASS);
        assert_int_equal(found.column, cases[i].class_index);
        assert_int_equal(found.inside, cases[i].inside);
        assert_int_equal(found.yes, cases[i].yes);
        if (cases[i].inside)
            assert_near(found.mean, yes / inside, 1e-15);
        assert_int_equal(isfinite(found.p), cases[i].drawn);
        assert_int_equal(isfinite(found.delta), cases[i].drawn);
        assert_int_equal(isfinite(found.mean_outside), cases[i].drawn);
        if (cases[i].drawn) {
            double total = cases[i].class_index ? 4 : 1;
            assert_near(found.mean_outside, (total - yes) / (5 - inside), 1e-15);
        }
    }
    dgm_comparison_free(comparison);
    dgm_graph_free(graph);
    graph = build_graph(NULL, 3, 0, NULL, NULL); /* there are no classes at all */
    assert_int_equal(dgm_comparison_create(ctx, graph, NULL, &comparison), DGM_OK);
    assert_true(isnan(dgmi_mapper_difference_of_class(comparison, 0, 1, 1).p));
    dgm_comparison_free(comparison);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_is_compared_in_columns_that_can_tell_it),
        cmocka_unit_test(sets_of_a_survey_are_those_alone),
        cmocka_unit_test(a_survey_keeps_what_it_was_asked_for),
        cmocka_unit_test(a_class_is_judged_where_its_counts_can_be_drawn),
    };
    return RUN_WITH_CONTEXT(tests);
}
