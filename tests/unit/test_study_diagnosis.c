/* SPDX-License-Identifier: Apache-2.0 */
/* Complaints name what is wrong, and the option that they advise mends it. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dgm/study.h"

#include "base_random.h"

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

/* ---- by hand ---- */

/* A path through the first nodes, single nodes behind it, and a lens of these values; *summary is kept
 * if it is not NULL. */
static dgm_diagnosis diagnose_path(uint32_t path, uint32_t nodes, const double *values,
                                   int64_t axes, const dgm_mapper_options *options,
                                   const char *axis, dgm_summary **kept) {
    uint32_t ends[128];
    dgm_diagnosis found;
    dgm_summary *summary;
    for (uint32_t i = 0; i < path; i++) {
        ends[2 * i] = i;
        ends[2 * i + 1] = i + 1;
    }
    dgm_graph *graph = build_graph(NULL, nodes, path - 1, ends, NULL);
    dgm_matrix *lens = build_matrix(nodes, axes, values);
    assert_int_equal(dgm_matrix_set_column_name(ctx, lens, 0, axis), DGM_OK);
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, options, &summary), DGM_OK);
    assert_int_equal(dgm_summary_diagnose(ctx, graph, summary, &found), DGM_OK);
    if (kept)
        *kept = summary;
    else
        dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    return found;
}

static dgm_mapper_options grid_of(int64_t intervals, double overlap) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = intervals;
    options.overlap[0] = overlap;
    return options;
}

/* Two cells: the first `low` nodes are in the first. */
static dgm_diagnosis diagnose_halves(uint32_t path, uint32_t nodes, uint32_t low, int cover) {
    dgm_mapper_options options = grid_of(2, 0);
    double values[64];
    for (uint32_t i = 0; i < nodes; i++)
        values[i] = i < low ? i * 0.01 : 2;
    options.cover = cover;
    return diagnose_path(path, nodes, values, 1, &options, "height", NULL);
}

static void a_giant_is_more_than_half_of_twenty_nodes_or_more(void **state) {
    (void)state;
    assert_int_equal(diagnose_halves(20, 20, 10, DGM_COVER_UNIFORM).count, 0);
    assert_int_equal(diagnose_halves(19, 19, 11, DGM_COVER_UNIFORM).count, 0);
    dgm_diagnosis found = diagnose_halves(20, 20, 11, DGM_COVER_UNIFORM);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.lines[0],
                        "one cluster holds 55% of the nodes: the lens has a heavy tail, and 55% of "
                        "its values lie in one cell; try transform=rank");
    /* The cell holds three single nodes, too, and 71 of a hundred are 71.4 of a hundred. */
    double values[28] = {0};
    const dgm_mapper_options options = grid_of(2, 0);
    for (int i = 0; i < 8; i++)
        values[i] = 2;
    found = diagnose_path(25, 28, values, 1, &options, "height", NULL);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.lines[0],
                        "one cluster holds 61% of the nodes: the lens has a heavy tail, and 71% of "
                        "its values lie in one cell; try transform=rank");
}

/* Cells of another kind than a grid have no number of intervals. */
static void a_giant_of_other_cells_has_other_advice(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_interval given[2] = {{-1, 1.5}, {1.5, 3}};
    double values[24], planes[48];
    for (int i = 0; i < 24; i++) {
        values[i] = i < 15 ? i * 0.01 : 2;
        planes[2 * i] = 0; /* the first of two axes is the same for all, the second is not */
        planes[2 * i + 1] = i < 15 ? 0 : 2;
    }
    dgm_diagnosis found = diagnose_halves(24, 24, 24, DGM_COVER_QUANTILE);
    assert_int_equal(found.count, 0);
    options = grid_of(1, 0);
    options.cover = DGM_COVER_QUANTILE;
    found = diagnose_path(24, 24, values, 1, &options, "height", NULL);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.lines[0], "one cluster holds 100% of the nodes; try intervals=2");
    options = grid_of(2, 0);
    options.cover = DGM_COVER_INTERVALS;
    options.given = given;
    options.given_count = 2;
    assert_int_equal(diagnose_path(24, 24, values, 1, &options, "height", NULL).count, 0);
    options = grid_of(2, 0);
    found = diagnose_path(24, 24, planes, 2, &options, "height", NULL);
    assert_int_equal(found.count, 1);
    ASSERT_HAS(found.lines[0], "one cluster holds 63% of the nodes: the lens has a heavy tail");
}

/* A path of 20 in a cluster of `held` and one of the others, and five nodes alone. */
static dgm_diagnosis diagnose_singles(uint32_t held, int64_t intervals, const char *axis) {
    const dgm_mapper_options options = grid_of(intervals, 0);
    double values[25];
    for (uint32_t i = 0; i < 25; i++)
        values[i] = i >= held && i < 20 ? 2 : 0;
    return diagnose_path(20, 25, values, 1, &options, axis, NULL);
}

static void single_nodes_are_no_harm_if_nine_tenths_of_the_others_are_held(void **state) {
    (void)state;
    static const char *const advice[][2] = {
        {"height", ": neighbours in the graph have different values of this lens; try "
                   "lens=eigen:k=2,laplacian=rw,outside=large transform=rank"},
        {"eiger", ": neighbours in the graph have different values of this lens; try "
                  "lens=eigen:k=2,laplacian=rw,outside=large transform=rank"},
        {"eigen2", ", which hang on a node of another cell; try fewer cells, intervals=2"}};
    assert_int_equal(diagnose_singles(19, 2, "height").count, 1); /* the giant alone */
    for (int64_t i = 0; i < COUNT(advice); i++)
        for (int64_t intervals = 2; intervals < 6; intervals++) {
            dgm_diagnosis found = diagnose_singles(18, intervals, advice[i][0]);
            char words[256];
            snprintf(words, sizeof words, "5 of 7 clusters are single nodes%s", advice[i][1]);
            assert_int_equal(found.count, 2);
            assert_string_equal(found.lines[1], words);
        }
    ASSERT_HAS(diagnose_singles(18, 6, "eigen1").lines[1], "try fewer cells, intervals=3");
    ASSERT_HAS(diagnose_singles(18, 7, "eigen1").lines[1], "try fewer cells, intervals=3");
}

/* Whether a node lies in a cell, by its clusters. */
static bool lies_in(const dgm_summary_clusters *clusters, int32_t cell, uint32_t node) {
    for (int64_t c = 0; c < clusters->count; c++)
        for (int64_t i = clusters->offsets[c]; i < clusters->offsets[c + 1]; i++)
            if (clusters->cells[c] == cell && clusters->members[i] == node)
                return true;
    return false;
}

/* What is said of gaps, by looking for every node in every cell; "" is nothing. */
static const char *plain_gaps(const dgm_summary *summary, uint32_t nodes, int32_t cells) {
    static char words[256];
    const dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    int filled = 0, apart = 0;
    int32_t first = -1;
    for (int32_t k = 0; k < cells; k++) {
        bool here = false, there = false, both = false;
        for (uint32_t u = 0; u < nodes; u++) {
            here = here || lies_in(&clusters, k, u);
            there = there || lies_in(&clusters, k + 1, u);
            both = both || (lies_in(&clusters, k, u) && lies_in(&clusters, k + 1, u));
        }
        filled += here;
        if (here && there && !both && apart++ == 0)
            first = k;
    }
    words[0] = '\0';
    if (4 * apart > filled - 1)
        snprintf(
            words, sizeof words,
            "cells %d and %d%s share no node: the lens has few different values, and none lies "
            "where cells overlap; try edges=structural",
            (int)first, (int)first + 1, apart > 1 ? ", and others," : "");
    return words;
}

static void gaps_are_those_that_a_plain_look_finds(void **state) {
    (void)state;
    enum { NODES = 24, TRIALS = 400 };
    int64_t told = 0, silent = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        int64_t intervals = 2 + (int64_t)(trial % 9);
        const dgm_mapper_options options = grid_of(intervals, 0.1 + 0.1 * (double)(trial % 4));
        double values[NODES];
        dgm_summary *summary;
        for (uint64_t i = 0; i < NODES; i++)
            values[i] = (double)dgmi_random_below(trial, 3, i, 4 + trial % 11);
        dgm_diagnosis found = diagnose_path(NODES, NODES, values, 1, &options, "height", &summary);
        const char *expected = plain_gaps(summary, NODES, (int32_t)intervals);
        const char *last = found.count ? found.lines[found.count - 1] : "";
        told += expected[0] != '\0';
        silent += expected[0] == '\0';
        if (found.count == DGM_DIAGNOSIS_MOST && !strstr(last, " share no node"))
            expected = last; /* two others were worse */
        assert_string_equal(strstr(last, " share no node") ? last : "",
                            expected == last ? "" : expected);
        dgm_summary_free(summary);
    }
    assert_true(told > 20 && silent > 20);
}

/* Cells that are not to overlap, or that edges of the graph join, need not meet. */
static void gaps_that_were_asked_for_are_not_told(void **state) {
    (void)state;
    double values[24], planes[48];
    dgm_mapper_options options = grid_of(3, 0.1);
    for (int i = 0; i < 24; i++) {
        values[i] = i / 8 + i % 2 * 1e-3;
        planes[2 * i] = values[i];
        planes[2 * i + 1] = i % 2;
    }
    dgm_diagnosis found = diagnose_path(24, 24, values, 1, &options, "height", NULL);
    assert_int_equal(found.count, 1);
    ASSERT_HAS(found.lines[0], "cells 0 and 1, and others, share no node");
    assert_int_equal(diagnose_path(24, 24, planes, 2, &options, "height", NULL).count, 1);
    ASSERT_HAS(diagnose_path(24, 24, planes, 2, &options, "height", NULL).lines[0],
               " clusters are single nodes");
    options.edges = DGM_EDGES_STRUCTURAL;
    assert_int_equal(diagnose_path(24, 24, values, 1, &options, "height", NULL).count, 0);
    options = grid_of(3, 0);
    assert_int_equal(diagnose_path(24, 24, values, 1, &options, "height", NULL).count, 0);
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
        cmocka_unit_test(a_giant_is_more_than_half_of_twenty_nodes_or_more),
        cmocka_unit_test(a_giant_of_other_cells_has_other_advice),
        cmocka_unit_test(single_nodes_are_no_harm_if_nine_tenths_of_the_others_are_held),
        cmocka_unit_test(gaps_are_those_that_a_plain_look_finds),
        cmocka_unit_test(gaps_that_were_asked_for_are_not_told),
        cmocka_unit_test(recipes_are_options_of_a_job),
    };
    return RUN_WITH_CONTEXT(tests);
}
