/* SPDX-License-Identifier: Apache-2.0 */
/* What makes a picture unreadable, and how far, by hand. */
#include "unit_fixture.h"

#include <math.h>

#include "study_score.h"

/* A picture of 200 nodes that nothing is wrong with, but for what is given. */
static double misfit_of(int64_t nodes, bool is_long, dgm_study_measures is) {
    dgm_graph *graph = build_graph(NULL, nodes, 0, NULL, NULL);
    const dgmi_study_graph about = {.graph = graph};
    double misfit = dgmi_study_misfit(&about, is_long, &is);
    dgm_graph_free(graph);
    return misfit;
}

/* Two marks are enough, and 150 can be read; every doubling beyond is one more. */
static void marks_are_enough_and_not_too_many(void **state) {
    (void)state;
    static const struct {
        int64_t nodes, marks;
        double misfit;
    } cases[] = {{200, 2, 0},        {200, 150, 0}, {200, 300, 1}, {200, 600, 2},
                 {200, 151, 0.0096}, {200, 1, 1},   {200, 0, 1},   {1, 1, 0},
                 {0, 0, 0},          {2, 1, 1},     {9000, 75, 0}, {9000, 1200, 3}};
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_near(misfit_of(cases[i].nodes, false,
                              (dgm_study_measures){.marks = cases[i].marks, .held = 1}),
                    cases[i].misfit, 1e-4);
}

/* Up to 60% of the nodes may be in one cluster; all of them are one more. */
static void a_cluster_of_most_nodes_is_the_graph_again(void **state) {
    (void)state;
    static const double cases[][2] = {{0, 0}, {0.6, 0}, {0.7, 0.25}, {0.8, 0.5}, {1, 1}};
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_near(misfit_of(200, false,
                              (dgm_study_measures){.marks = 9, .held = 1, .largest = cases[i][0]}),
                    cases[i][1], 1e-12);
}

/* If most of the nodes are dust whatever the settings are, the others are judged. */
static void a_cluster_is_large_among_the_nodes_that_are_judged(void **state) {
    (void)state;
    static const double cases[][2] = {
        {50, 1.5}, {99, (0.3 * 200 / 99 - 0.6) / 0.4}, {100, 0}, {200, 0}};
    dgm_graph *graph = build_graph(NULL, 200, 0, NULL, NULL);
    for (int64_t i = 0; i < COUNT(cases); i++) {
        const dgmi_study_graph about = {.graph = graph, .nodes = (int64_t)cases[i][0]};
        const dgm_study_measures is = {.marks = 9, .held = 1, .largest = 0.3};
        assert_near(dgmi_study_misfit(&about, false, &is), cases[i][1], 1e-12);
    }
    dgm_graph_free(graph);
}

/* Half of the nodes are to be in clusters that are shown. */
static void half_of_the_nodes_are_to_be_seen(void **state) {
    (void)state;
    static const double cases[][2] = {{1, 0}, {0.5, 0}, {0.25, 1}, {0, 2}};
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_near(misfit_of(200, false, (dgm_study_measures){.marks = 9, .held = cases[i][0]}),
                    cases[i][1], 1e-12);
}

/* A node for each second cluster may be taken across edges, for each tenth in a long graph. */
static void cells_that_cut_the_graph_count(void **state) {
    (void)state;
    static const struct {
        int64_t taken, shown, small;
        double cuts, cuts_long;
    } cases[] = {{0, 10, 0, 0, 0},     {1, 10, 0, 0, 0},    {2, 10, 0, 0, 0.1}, {5, 10, 0, 0, 0.4},
                 {6, 10, 0, 0.1, 0.5}, {3, 0, 0, 2.5, 2.9}, {0, 0, 0, 0, 0},    {6, 10, 1, 0, 0.5},
                 {9, 10, 3, 0.1, 0.8}, {3, 10, 20, 0, 0.2}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        const dgm_study_measures is = {.marks = 9,
                                       .held = 1,
                                       .taken = cases[i].taken,
                                       .shown = cases[i].shown,
                                       .clusters = cases[i].shown + cases[i].small};
        assert_near(dgmi_study_cuts(true, &is), cases[i].cuts_long, 1e-12);
        assert_near(dgmi_study_cuts(false, &is), cases[i].cuts, 1e-12);
        assert_near(misfit_of(200, true, is), cases[i].cuts_long, 1e-12);
        assert_near(misfit_of(200, false, is), cases[i].cuts, 1e-12);
    }
}

static void what_is_wrong_adds_up(void **state) {
    (void)state;
    const dgm_study_measures is = {
        .marks = 300, .held = 0.25, .largest = 0.8, .taken = 11, .shown = 10, .clusters = 10};
    assert_near(misfit_of(200, true, is), 1 + 1 + 0.5 + 1, 1e-12);
    assert_near(misfit_of(200, false, is), 1 + 1 + 0.5 + 0.6, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_enough_and_not_too_many),
        cmocka_unit_test(a_cluster_of_most_nodes_is_the_graph_again),
        cmocka_unit_test(a_cluster_is_large_among_the_nodes_that_are_judged),
        cmocka_unit_test(half_of_the_nodes_are_to_be_seen),
        cmocka_unit_test(cells_that_cut_the_graph_count),
        cmocka_unit_test(what_is_wrong_adds_up),
    };
    return RUN_WITH_CONTEXT(tests);
}
