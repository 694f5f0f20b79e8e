/* SPDX-License-Identifier: Apache-2.0 */
/* The grades of a summary and its score, by hand. */
#include "unit_fixture.h"

#include "study_score.h"

static dgm_study_grades grades_of(int64_t nodes, dgm_study_measures is) {
    dgm_graph *graph = build_graph(NULL, nodes, 0, NULL, NULL);
    const dgmi_study_graph about = {.graph = graph};
    dgm_study_grades grades;
    dgmi_study_grade(&about, &is, &grades);
    dgm_graph_free(graph);
    return grades;
}

/* Sixteen clusters are enough, or one for four nodes, but two in any case; 120 can be read. */
static void clusters_are_enough_and_not_too_many(void **state) {
    (void)state;
    static const struct {
        int64_t nodes, shown;
        double grade;
    } cases[] = {{200, 16, 1},        {200, 15, 15.0 / 16},
                 {200, 8, 0.5},       {200, 17, 1},
                 {200, 120, 1},       {200, 121, 120.0 / 121},
                 {200, 240, 0.5},     {200, 0, 0.01},
                 {20, 4, 0.8},        {20, 5, 1},
                 {64, 15, 15.0 / 16}, {60, 15, 1},
                 {4, 1, 0.5},         {4, 2, 1},
                 {0, 1, 0.5}};
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_near(grades_of(cases[i].nodes, (dgm_study_measures){.shown = cases[i].shown}).number,
                    cases[i].grade, 1e-12);
}

/* Up to a fifth of the nodes in one cluster is no harm, and three fifths are no picture. */
static void a_large_cluster_is_worse_the_larger_it_is(void **state) {
    (void)state;
    static const double cases[][2] = {{0, 1},     {0.1, 1},    {0.2, 1},    {0.3, 0.75},
                                      {0.4, 0.5}, {0.5, 0.25}, {0.6, 0.01}, {1, 0.01}};
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_near(grades_of(200, (dgm_study_measures){.largest = cases[i][0]}).giant, cases[i][1],
                    1e-12);
}

/* A tenth of all nodes is two fifths of those in large components, which count alone where they are
 * less than half. */
static void a_cluster_is_large_among_the_nodes_that_are_judged(void **state) {
    (void)state;
    static const double cases[][2] = {
        {50, 0.5}, {99, 1 - (0.1 * 200 / 99 - 0.2) / 0.4}, {100, 1}, {200, 1}, {0, 1}};
    dgm_graph *graph = build_graph(NULL, 200, 0, NULL, NULL);
    for (int64_t i = 0; i < COUNT(cases); i++) {
        const dgmi_study_graph about = {.graph = graph, .nodes = (int64_t)cases[i][0]};
        dgm_study_grades grades;
        dgmi_study_grade(&about, &(dgm_study_measures){.largest = 0.1}, &grades);
        assert_near(grades.giant, cases[i][1], 1e-12);
    }
    dgm_graph_free(graph);
}

static void shares_of_nodes_are_their_own_grades(void **state) {
    (void)state;
    static const double cases[][2] = {{0, 0.01}, {0.01, 0.01}, {0.02, 0.02}, {0.7, 0.7}, {1, 1}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_study_grades grades =
            grades_of(200, (dgm_study_measures){.held = cases[i][0], .joined = cases[i][0]});
        assert_near(grades.held, cases[i][1], 1e-12);
        assert_near(grades.joined, cases[i][1], 1e-12);
        assert_near(grades.steady, 1, 0);
    }
}

/* (inside - chance) / (1 - chance). */
static void edges_inside_count_beyond_chance(void **state) {
    (void)state;
    static const double cases[][3] = {{0.8, 0.6, 0.5},    {0.8, 0, 0.8},    {1, 0.9, 1},
                                      {0.5, 0.5, 0.01},   {0.2, 0.5, 0.01}, {1, 1, 0.01},
                                      {0.25, 0.2, 0.0625}};
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_near(
            grades_of(200, (dgm_study_measures){.inside = cases[i][0], .chance = cases[i][1]})
                .edges,
            cases[i][2], 1e-12);
}

/* Eight marks of a hundred may be dust; with fifteen nothing is left of the grade. */
static void dust_is_a_share_of_the_marks(void **state) {
    (void)state;
    static const struct {
        int64_t dust, marks;
        double grade;
    } cases[] = {{0, 0, 1},    {3, 0, 1},          {0, 1, 1},
                 {8, 100, 1},  {23, 200, 0.5},     {15, 100, 0.01},
                 {1, 1, 0.01}, {12, 100, 3.0 / 7}, {9, 100, 6.0 / 7}};
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_near(
            grades_of(200, (dgm_study_measures){.dust = cases[i].dust, .marks = cases[i].marks})
                .dust,
            cases[i].grade, 1e-12);
}

/* The root of the product of two ratios, of pieces and loops with one more of each. */
static void likeness_compares_pieces_and_loops(void **state) {
    (void)state;
    static const struct {
        int64_t apart, loops, other_apart, other_loops;
        double likeness;
    } cases[] = {{1, 3, 1, 3, 1},     {1, 3, 3, 1, 0.5},      {0, 0, 0, 8, 1.0 / 3},
                 {15, 2, 0, 2, 0.25}, {2, 26, 2, 2, 1.0 / 3}, {0, 0, 3, 24, 0.1}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        const dgm_study_measures a = {
            .apart = cases[i].apart, .loops = cases[i].loops, .pieces = 4};
        const dgm_study_measures b = {.apart = cases[i].other_apart, .loops = cases[i].other_loops};
        assert_near(dgmi_study_likeness(&a, &b), cases[i].likeness, 1e-12);
        assert_near(dgmi_study_likeness(&b, &a), cases[i].likeness, 1e-12);
    }
}

/* The fourth root of steadiness, and everything else as it is. */
static void the_score_is_the_product_of_the_grades(void **state) {
    (void)state;
    dgm_study_grades grades = {.number = 0.5,
                               .giant = 0.6,
                               .held = 0.7,
                               .edges = 0.8,
                               .joined = 0.9,
                               .dust = 0.95,
                               .steady = 1};
    assert_near(dgmi_study_score(&grades), 0.5 * 0.6 * 0.7 * 0.8 * 0.9 * 0.95, 1e-12);
    grades.steady = 1.0 / 16;
    assert_near(dgmi_study_score(&grades), 0.25 * 0.6 * 0.7 * 0.8 * 0.9 * 0.95, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_are_enough_and_not_too_many),
        cmocka_unit_test(a_large_cluster_is_worse_the_larger_it_is),
        cmocka_unit_test(a_cluster_is_large_among_the_nodes_that_are_judged),
        cmocka_unit_test(shares_of_nodes_are_their_own_grades),
        cmocka_unit_test(edges_inside_count_beyond_chance),
        cmocka_unit_test(dust_is_a_share_of_the_marks),
        cmocka_unit_test(likeness_compares_pieces_and_loops),
        cmocka_unit_test(the_score_is_the_product_of_the_grades),
    };
    return RUN_WITH_CONTEXT(tests);
}
