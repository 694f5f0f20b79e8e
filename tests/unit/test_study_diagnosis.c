/* SPDX-License-Identifier: Apache-2.0 */
/* Complaints name what is wrong, and the option that they advise mends it. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dgm/study.h"

typedef struct settings {
    const char *lens, *transform, *intervals, *overlap, *edges;
} settings;

static dgm_graph *open_graph(const char *name) {
    dgm_graph *graph;
    assert_int_equal(dgm_graph_open(ctx, name, DGM_FORMAT_AUTO, NULL, NULL, 1, &graph), DGM_OK);
    return graph;
}

static dgm_diagnosis diagnose(const dgm_graph *graph, settings given, dgm_study_measures *is) {
    const char *const options[][2] = {{"lens", given.lens},
                                      {"transform", given.transform},
                                      {"intervals", given.intervals},
                                      {"overlap", given.overlap},
                                      {"edges", given.edges}};
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_job_result made;
    dgm_diagnosis diagnosis;
    dgm_job job;
    dgm_job_init(&job);
    for (int64_t i = 0; i < COUNT(options); i++)
        if (options[i][1])
            assert_int_equal(dgm_job_set(ctx, &job, options[i][0], options[i][1]), DGM_OK);
    input.graph = graph;
    if (dgm_job_run(ctx, &job, &input, DGM_KEEP_SUMMARY, &made) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_int_equal(dgm_summary_diagnose(ctx, graph, made.summary, &diagnosis), DGM_OK);
    assert_int_equal(dgm_study_measure(ctx, graph, made.summary, 5, is), DGM_OK);
    dgm_job_result_free(&made);
    return diagnosis;
}

/* A tree whose nodes hang on earlier ones by preference: PageRank has a heavy tail. */
static dgm_graph *heavy(void) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = DGM_GENERATE_BA;
    options.nodes = 2000;
    options.edges = 10000;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    return graph;
}

static void a_heavy_tail_is_told_and_ranks_mend_it(void **state) {
    (void)state;
    dgm_graph *graph = heavy();
    dgm_study_measures is;
    dgm_diagnosis found = diagnose(graph, (settings){.lens = "pagerank"}, &is);
    assert_true(is.largest > 0.5);
    assert_true(found.count >= 1);
    ASSERT_HAS(found.lines[0], "one cluster holds ");
    ASSERT_HAS(found.lines[0], "heavy tail");
    ASSERT_HAS(found.lines[0], "transform=rank");
    diagnose(graph, (settings){.lens = "pagerank", .transform = "rank"}, &is);
    assert_true(is.largest < 0.5);
    dgm_graph_free(graph);
}

static void single_nodes_are_told_and_another_lens_mends_them(void **state) {
    (void)state;
    dgm_graph *graph = open_graph("papers");
    dgm_study_measures is;
    dgm_diagnosis found =
        diagnose(graph, (settings){.lens = "random", .intervals = "40", .overlap = "0.2"}, &is);
    assert_true(2 * is.singles > is.clusters);
    assert_true(found.count >= 1);
    ASSERT_HAS(found.lines[0], " clusters are single nodes");
    ASSERT_HAS(found.lines[0], "lens=eigen");
    int64_t before = is.singles;
    diagnose(graph,
             (settings){.lens = "eigen:k=2,laplacian=rw,outside=large",
                        .transform = "rank",
                        .intervals = "5",
                        .overlap = "0.4"},
             &is);
    assert_true(2 * is.singles < before);
    dgm_graph_free(graph);
}

/* Paths of `length` nodes hang on a hub, and so do `leaves` single nodes. The hub has a cell of its
 * own by its degree, so that it is a single node, too, and each path is a cluster. */
static dgm_graph *hub_of_paths(uint32_t paths, uint32_t length, uint32_t leaves) {
    uint32_t ends[2 * 64], count = 0;
    for (uint32_t u = 1; u <= paths * length + leaves; u++, count++) {
        bool hangs = u > paths * length || (u - 1) % length == 0;
        ends[2 * count] = hangs ? 0 : u - 1;
        ends[2 * count + 1] = u;
    }
    return build_graph(NULL, 0, count, ends, NULL);
}

static bool complains_of_singles(uint32_t paths, uint32_t length, uint32_t leaves) {
    dgm_graph *graph = hub_of_paths(paths, length, leaves);
    dgm_study_measures is;
    bool told = false;
    dgm_diagnosis found =
        diagnose(graph, (settings){.lens = "degree", .intervals = "2", .overlap = "0"}, &is);
    assert_int_equal(is.clusters, paths + leaves + 1);
    assert_int_equal(is.singles, leaves + 1);
    assert_true(is.held <= 0.9);
    for (int i = 0; i < found.count; i++)
        told = told || strstr(found.lines[i], " clusters are single nodes");
    dgm_graph_free(graph);
    return told;
}

static void single_nodes_are_told_if_they_are_five_and_more_than_half(void **state) {
    (void)state;
    assert_true(complains_of_singles(8, 2, 8));  /* 9 of 17 */
    assert_false(complains_of_singles(8, 2, 7)); /* 8 of 16 */
    assert_false(complains_of_singles(8, 2, 6)); /* 7 of 15 */
    assert_true(complains_of_singles(3, 6, 4));  /* 5 of 8 */
    assert_false(complains_of_singles(3, 6, 3)); /* 4 of 7 */
}

/* Eigenvectors are the lens that is advised: where they have single nodes, cells are too small. */
static void single_nodes_of_eigenvectors_are_told_and_fewer_cells_mend_them(void **state) {
    (void)state;
    dgm_graph *graph = open_graph("papers");
    dgm_study_measures is;
    settings given = {.lens = "eigen:k=2,laplacian=rw,outside=large",
                      .transform = "rank",
                      .intervals = "40",
                      .overlap = "0.2"};
    dgm_diagnosis found = diagnose(graph, given, &is);
    int64_t before = is.singles;
    assert_true(found.count >= 1);
    ASSERT_HAS(found.lines[0], "try fewer cells, intervals=20");
    given.intervals = "20";
    diagnose(graph, given, &is);
    assert_true(is.singles < before);
    dgm_graph_free(graph);
}

static void cells_that_do_not_meet_are_told_and_structural_edges_join_them(void **state) {
    (void)state;
    dgm_graph *graph = open_graph("karate");
    dgm_study_measures is;
    const settings whole = {.lens = "core", .intervals = "4", .overlap = "0.1"};
    dgm_diagnosis found = diagnose(graph, whole, &is);
    assert_true(is.pieces > 1);
    assert_true(found.count >= 1);
    ASSERT_HAS(found.lines[found.count - 1], " share no node");
    ASSERT_HAS(found.lines[found.count - 1], "edges=structural");
    settings joined = whole;
    joined.edges = "structural";
    found = diagnose(graph, joined, &is);
    assert_int_equal(is.pieces, 1);
    for (int i = 0; i < found.count; i++)
        assert_null(strstr(found.lines[i], " share no node"));
    dgm_graph_free(graph);
}

static void a_constant_lens_is_told(void **state) {
    (void)state;
    uint32_t ends[80];
    for (uint32_t i = 0; i < 40; i++) {
        ends[2 * i] = i;
        ends[2 * i + 1] = (i + 1) % 40;
    }
    dgm_graph *graph = build_graph(NULL, 40, 40, ends, NULL);
    dgm_study_measures is;
    dgm_diagnosis found = diagnose(graph, (settings){.lens = "degree"}, &is);
    assert_int_equal(found.count, 1);
    ASSERT_HAS(found.lines[0], "100% of the nodes: the lens is the same for all");
    dgm_graph_free(graph);
}

/* Ranks spread a lens evenly, so that only more intervals cut the cluster in two; of cells that nobody
 * chose there is nothing to advise. */
static void a_giant_on_ranks_is_told_and_more_intervals_mend_it(void **state) {
    (void)state;
    dgm_graph *graph = open_graph("karate");
    dgm_study_measures is;
    settings given = {.lens = "pagerank", .transform = "rank", .intervals = "2", .overlap = "0.4"};
    dgm_diagnosis found = diagnose(graph, given, &is);
    assert_true(is.largest > 0.5);
    assert_true(found.count >= 1);
    ASSERT_HAS(found.lines[0], "one cluster holds ");
    ASSERT_HAS(found.lines[0], "try intervals=4");
    given.intervals = "4";
    diagnose(graph, given, &is);
    assert_true(is.largest < 0.5);
    dgm_graph_free(graph);
}

static void no_more_is_said_than_can_be_read(void **state) {
    (void)state;
    enum { LEAVES = 30 };
    uint32_t ends[4 * LEAVES];
    for (uint32_t i = 0; i < LEAVES; i++) { /* two stars: hubs of all nodes but leaves alone */
        ends[4 * i] = 0;
        ends[4 * i + 1] = i + 2;
        ends[4 * i + 2] = 1;
        ends[4 * i + 3] = i + 2 + LEAVES;
    }
    dgm_graph *graph = build_graph(NULL, 2 * LEAVES + 2, 2 * LEAVES, ends, NULL);
    dgm_study_measures is;
    dgm_diagnosis found =
        diagnose(graph, (settings){.lens = "degree", .intervals = "2", .overlap = "0.1"}, &is);
    assert_int_equal(found.count, DGM_DIAGNOSIS_MOST);
    ASSERT_HAS(found.lines[0], " clusters are single nodes");
    ASSERT_HAS(found.lines[1], " share no node");
    dgm_graph_free(graph);
}

static void a_good_summary_and_a_tiny_graph_get_no_advice(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2};
    dgm_graph *papers = open_graph("papers"), *tiny = build_graph(NULL, 3, 2, ends, NULL);
    dgm_study_measures is;
    const settings good = {.lens = "eigen:k=2,laplacian=rw,outside=large",
                           .transform = "rank",
                           .intervals = "3",
                           .overlap = "0.3"};
    assert_int_equal(diagnose(papers, good, &is).count, 0);
    assert_int_equal(diagnose(tiny, (settings){.lens = "degree", .intervals = "1"}, &is).count, 0);
    dgm_graph_free(papers);
    dgm_graph_free(tiny);
}

/* Every recipe is made of options that a job has, and its job can be run. */
static void recipes_are_options_of_a_job(void **state) {
    (void)state;
    const dgm_recipe *recipe;
    size_t count = 0;
    for (; (recipe = dgm_recipe_at(count)); count++) {
        dgm_job job;
        dgm_job_init(&job);
        job.graph = "karate";
        for (int i = 0; recipe->settings[i][0]; i++)
            assert_int_equal(dgm_job_set(ctx, &job, recipe->settings[i][0], recipe->settings[i][1]),
                             DGM_OK);
        assert_int_equal(dgm_job_check(ctx, &job), DGM_OK);
    }
    assert_int_equal(count, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heavy_tail_is_told_and_ranks_mend_it),
        cmocka_unit_test(single_nodes_are_told_and_another_lens_mends_them),
        cmocka_unit_test(single_nodes_are_told_if_they_are_five_and_more_than_half),
        cmocka_unit_test(single_nodes_of_eigenvectors_are_told_and_fewer_cells_mend_them),
        cmocka_unit_test(cells_that_do_not_meet_are_told_and_structural_edges_join_them),
        cmocka_unit_test(a_constant_lens_is_told),
        cmocka_unit_test(a_giant_on_ranks_is_told_and_more_intervals_mend_it),
        cmocka_unit_test(no_more_is_said_than_can_be_read),
        cmocka_unit_test(a_good_summary_and_a_tiny_graph_get_no_advice),
        cmocka_unit_test(recipes_are_options_of_a_job),
    };
    return RUN_WITH_CONTEXT(tests);
}
