/* SPDX-License-Identifier: Apache-2.0 */
/* Which lenses and covers a study tries, by the size of the graph and by what is open. */
#include "unit_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "study_settings.h"

static dgm_study_options options_of(unsigned open) {
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    options.open = open;
    return options;
}

/* A path, of which so many nodes have an edge, with features or without. */
static dgm_graph *graph_of(int64_t nodes, int64_t edges, bool features) {
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, nodes), DGM_OK);
    for (uint32_t u = 0; u < (uint32_t)edges; u++)
        assert_int_equal(dgm_graph_builder_add(builder, 1, (const uint32_t[]){u, u + 1}, NULL),
                         DGM_OK);
    float *values = calloc((size_t)nodes + 1, sizeof *values);
    const dgm_graph_features column = {.width = 1, .values = values};
    if (features)
        assert_int_equal(dgm_graph_builder_set_features(builder, nodes, &column), DGM_OK);
    free(values);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

/* The looks in one text: "communities features ", partitions with a "*". */
static const char *looks_of(int64_t nodes, int64_t edges, bool features, bool transformed,
                            const dgm_study_options *options) {
    static char text[512];
    dgmi_study_look list[DGMI_STUDY_LOOKS];
    dgm_graph *graph = graph_of(nodes, edges, features);
    int count = dgmi_study_list_looks(graph, transformed, options, list);
    dgm_graph_free(graph);
    text[0] = '\0';
    assert_true(count <= DGMI_STUDY_LOOKS);
    for (int i = 0; i < count; i++) {
        strcat(text, list[i].parts ? "*" : "");
        strcat(text, list[i].lens ? list[i].lens : "own");
        if (list[i].reduce)
            strcat(strcat(text, "+"), list[i].reduce);
        if (list[i].transform)
            strcat(strcat(text, "/"), list[i].transform);
        strcat(text, " ");
    }
    return text;
}

#define COMMUNITIES                                                                                \
    "*communities *communities:resolution=4 *communities:resolution=2 "                            \
    "*communities:resolution=0.5 *communities:resolution=16 "

static void partitions_are_those_that_the_graph_allows(void **state) {
    (void)state;
    dgm_study_options all = options_of(DGM_OPEN_ALL), cover = options_of(DGM_OPEN_COVER);
    assert_string_equal(looks_of(100, 99, false, false, &all), COMMUNITIES);
    assert_string_equal(looks_of(100, 99, true, false, &all),
                        COMMUNITIES "*features *features:k=30 *features:k=8 ");
    assert_string_equal(looks_of(0, 0, false, false, &all), COMMUNITIES);
    /* The lens is the job's. */
    assert_string_equal(looks_of(100, 99, true, false, &cover), "own ");
    all.trained = true;
    assert_string_equal(looks_of(100, 99, false, false, &all), COMMUNITIES "*dgi+centres ");
}

/* Each partition looks at all nodes and edges: two million of them in all, but one of each kind in
 * any case. */
static void large_graphs_have_fewer_partitions(void **state) {
    (void)state;
    const dgm_study_options all = options_of(DGM_OPEN_ALL);
    assert_string_equal(looks_of(499999, 0, false, false, &all),
                        "*communities *communities:resolution=4 *communities:resolution=2 "
                        "*communities:resolution=0.5 ");
    assert_string_equal(looks_of(500000, 0, false, false, &all),
                        "*communities *communities:resolution=4 *communities:resolution=2 ");
    assert_string_equal(looks_of(5000000, 0, true, false, &all), "*communities *features ");
}

/* Intervals and transforms are for numbers that neighbours have in common. */
static void settings_of_numbers_ask_for_a_lens_of_numbers(void **state) {
    (void)state;
    static const unsigned closed[] = {DGM_OPEN_COVER, DGM_OPEN_INTERVALS, DGM_OPEN_OVERLAP};
    dgm_study_options all = options_of(DGM_OPEN_ALL);
    for (int64_t i = 0; i < COUNT(closed); i++) {
        const dgm_study_options some = options_of(DGM_OPEN_ALL & ~closed[i]);
        assert_string_equal(looks_of(100, 99, true, false, &some),
                            "eigen:k=2,laplacian=rw,outside=large/rank ");
    }
    const dgm_study_options apart = options_of(DGM_OPEN_ALL & ~(unsigned)DGM_OPEN_PIECES);
    assert_string_equal(looks_of(100, 99, false, false, &apart), COMMUNITIES);
    all.trained = true;
    assert_string_equal(looks_of(100, 99, false, true, &all),
                        "eigen:k=2,laplacian=rw,outside=large pagerank dgi ");
}

/* The usual share; in a long graph smaller ones; and at last edges join clusters, where the job says
 * nothing of edges and pieces. */
static void partitions_have_covers_of_their_own(void **state) {
    (void)state;
    static const char *const texts[] = {"parts:share=0.3", "parts:share=0.2", "parts:share=0.1",
                                        "parts:share=0.3"};
    const dgm_study_options all = options_of(DGM_OPEN_ALL),
                            apart = options_of(DGM_OPEN_ALL & ~(unsigned)DGM_OPEN_PIECES);
    dgmi_study_cover covers[DGMI_STUDY_COVERS];
    dgm_job job;
    dgm_job_init(&job);
    assert_int_equal(dgmi_study_list_parts(&job, &all, true, covers), 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(covers[i].text, texts[i]);
        assert_true(covers[i].intervals == 0 && covers[i].overlap == DGM_SAME);
        assert_int_equal(covers[i].structural, i == 3);
    }
    assert_int_equal(dgmi_study_list_parts(&job, &all, false, covers), 2);
    assert_true(!covers[0].structural && covers[1].structural);
    assert_string_equal(covers[0].text, "parts:share=0.3");
    assert_string_equal(covers[1].text, "parts:share=0.3");
    assert_int_equal(dgmi_study_list_parts(&job, &apart, true, covers), 3);
    assert_int_equal(dgmi_study_list_parts(&job, &apart, false, covers), 1);
    job.mapper.edges = DGM_EDGES_STRUCTURAL;
    assert_int_equal(dgmi_study_list_parts(&job, &all, true, covers), 3);
    assert_false(covers[2].structural);
}

static void covers_have_fewer_intervals_on_more_axes(void **state) {
    (void)state;
    static const int64_t first[] = {4, 2, 2, 2, 2}, last[] = {40, 12, 6, 3, 3};
    static const int64_t rows[] = {10, 9, 5, 2, 2};
    const dgm_study_options options = options_of(DGM_OPEN_INTERVALS | DGM_OPEN_OVERLAP);
    for (int64_t axes = 1; axes <= COUNT(last); axes++) {
        dgmi_study_cover covers[DGMI_STUDY_COVERS];
        int count = dgmi_study_list_covers(1000, 5000, axes, &options, covers);
        int64_t row = rows[axes - 1];
        assert_int_equal(count, 3 * row); /* one row for each of three overlaps */
        for (int i = 0; i < count; i++) {
            assert_string_equal(covers[i].text, "");
            assert_true(i % row == 0 || covers[i].intervals > covers[i - 1].intervals);
            assert_true(covers[i].overlap == covers[i / row * row].overlap);
        }
        assert_int_equal(covers[0].intervals, first[axes - 1]);
        assert_int_equal(covers[row - 1].intervals, last[axes - 1]);
    }
}

/* Maps of large graphs take long, so that fewer are made; small graphs get more overlaps. */
static void covers_are_fewer_where_each_costs_more(void **state) {
    (void)state;
    const dgm_study_options options = options_of(DGM_OPEN_ALL);
    dgmi_study_cover covers[DGMI_STUDY_COVERS];
    assert_int_equal(dgmi_study_list_covers(100, 200, 1, &options, covers), 6 * 10 + 1);
    assert_string_equal(covers[60].text, "adaptive:size=12"); /* 6 and 3 would be too few */
    assert_int_equal(dgmi_study_list_covers(1000, 5000, 1, &options, covers), 3 * 10 + 3);
    assert_string_equal(covers[30].text, "adaptive:size=125");
    assert_int_equal(covers[30].intervals, 0);
    assert_int_equal(dgmi_study_list_covers(1000000, 332333, 1, &options, covers), 10);
    assert_int_equal(dgmi_study_list_covers(1000000, 100000000, 1, &options, covers), 6);
}

/* A third of the nodes are judged: three times as many intervals, rounded up. */
static void covers_are_finer_where_few_nodes_are_judged(void **state) {
    (void)state;
    dgmi_study_cover covers[] = {{"", 4, 0.4, false}, {"", 0, 0.4, false}};
    dgmi_study_refine_covers(covers, 2, 300, 300);
    assert_int_equal(covers[0].intervals, 4);
    dgmi_study_refine_covers(covers, 2, 300, 99);
    assert_int_equal(covers[0].intervals, 13);
    assert_int_equal(covers[1].intervals, 0); /* the job's own */
    dgmi_study_refine_covers(covers, 2, 0, 0);
    assert_int_equal(covers[0].intervals, 13);
}

static void what_is_not_open_is_not_tried(void **state) {
    (void)state;
    dgm_study_options options = options_of(DGM_OPEN_LENS);
    dgmi_study_cover covers[DGMI_STUDY_COVERS];
    assert_int_equal(dgmi_study_list_covers(1000, 5000, 2, &options, covers), 1);
    assert_int_equal(covers[0].intervals, 0);
    assert_true(covers[0].overlap == DGM_SAME);
    options.open = DGM_OPEN_OVERLAP;
    assert_int_equal(dgmi_study_list_covers(1000, 5000, 2, &options, covers), 3);
    assert_int_equal(covers[0].intervals, 0);
    options.open = DGM_OPEN_INTERVALS | DGM_OPEN_COVER;
    assert_int_equal(dgmi_study_list_covers(1000, 5000, 2, &options, covers), 9);
    assert_true(covers[0].overlap == DGM_SAME);
}

/* The covers in one text: "4,6,8@0.4 4,6,8@0.3 adaptive:size=12@0.4 ". */
static const char *covers_of(int64_t nodes, int64_t edges, int64_t axes, unsigned open) {
    static char text[2048];
    const dgm_study_options options = options_of(open);
    dgmi_study_cover covers[DGMI_STUDY_COVERS];
    int count = dgmi_study_list_covers(nodes, edges, axes, &options, covers);
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        const dgmi_study_cover *is = &covers[i];
        bool goes_on = i + 1 < count && is->overlap == is[1].overlap && is[1].intervals;
        used += (size_t)(is->text[0] ? snprintf(text + used, sizeof text - used, "%s", is->text)
                                     : snprintf(text + used, sizeof text - used, "%lld",
                                                (long long)is->intervals));
        used += (size_t)(goes_on ? snprintf(text + used, sizeof text - used, ",")
                                 : snprintf(text + used, sizeof text - used, "@%g ", is->overlap));
    }
    return text;
}

static void numbers_of_intervals_and_overlaps_are_these(void **state) {
    (void)state;
    enum { GRID = DGM_OPEN_INTERVALS | DGM_OPEN_OVERLAP };
#define ONE "4,6,8,10,12,16,20,25,30,40@"
    assert_string_equal(covers_of(500, 1000, 1, GRID), ONE "0.4 " ONE "0.3 " ONE "0.5 ");
    assert_string_equal(covers_of(499, 1000, 1, GRID),
                        ONE "0.4 " ONE "0.3 " ONE "0.5 " ONE "0.35 " ONE "0.45 " ONE "0.6 ");
#define TWO "2,3,4,5,6,7,8,10,12@"
    assert_string_equal(covers_of(500, 1000, 2, GRID), TWO "0.4 " TWO "0.3 " TWO "0.5 ");
#define THREE "2,3,4,5,6@"
    assert_string_equal(covers_of(500, 1000, 3, GRID), THREE "0.4 " THREE "0.3 " THREE "0.5 ");
    assert_string_equal(covers_of(500, 1000, 4, GRID), "2,3@0.4 2,3@0.3 2,3@0.5 ");
    assert_string_equal(covers_of(500, 1000, 9, DGM_OPEN_INTERVALS), "2,3@-1 ");
    assert_string_equal(covers_of(500, 1000, 1, DGM_OPEN_OVERLAP), "0@0.4 0@0.3 0@0.5 ");
}

/* An eighth, a sixteenth and a thirty-second of the nodes, unless that is less than ten. */
static void boxes_hold_a_share_of_the_nodes(void **state) {
    (void)state;
    enum { BOXES = DGM_OPEN_COVER | DGM_OPEN_OVERLAP };
    assert_string_equal(covers_of(320, 400, 1, BOXES) + strlen("0@0.4 0@0.3 0@0.5 0@0.35 0@0.45 "),
                        "0@0.6 adaptive:size=40@0.4 adaptive:size=20@0.4 adaptive:size=10@0.4 ");
    assert_string_equal(covers_of(319, 400, 1, BOXES) + strlen("0@0.4 0@0.3 0@0.5 0@0.35 0@0.45 "),
                        "0@0.6 adaptive:size=39@0.4 adaptive:size=19@0.4 ");
    assert_string_equal(covers_of(79, 100, 1, BOXES), "0@0.4 0@0.3 0@0.5 0@0.35 0@0.45 0@0.6 ");
    assert_string_equal(covers_of(800, 900, 1, DGM_OPEN_COVER), "0@-1 ");
}

/* Forty million over three times the nodes and edges, and one more, but from 6 to 64. */
static void maps_take_so_much_work_in_all(void **state) {
    (void)state;
    const dgm_study_options options = options_of(DGM_OPEN_ALL);
    dgmi_study_cover covers[DGMI_STUDY_COVERS];
    static const struct {
        int64_t nodes, edges;
        int count;
    } cases[] = {{1000, 1111110, 11},   /* 40,000,000 / 3,336,331 = 11.99 */
                 {1000, 1110110, 12},   /* 40,000,000 / 3,333,331 = 12.000008 */
                 {1000, 1110111, 11},   /* 40,000,000 / 3,333,334 = 11.999998 */
                 {1000, 1332333, 10},   /* 40,000,000 / 4,000,000 */
                 {100000, 10000000, 6}, /* 40,000,000 / 30,300,001 = 1.3 */
                 {10, 2222212, 6},      /* 40,000,000 / 6,666,667 = 5.9999997 */
                 {10, 1904751, 7},      /* 40,000,000 / 5,714,284 = 7.0000014 */
                 {1000, 200000, 33}};   /* 66 could be made */
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(
            dgmi_study_list_covers(cases[i].nodes, cases[i].edges, 1, &options, covers),
            cases[i].count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitions_are_those_that_the_graph_allows),
        cmocka_unit_test(large_graphs_have_fewer_partitions),
        cmocka_unit_test(settings_of_numbers_ask_for_a_lens_of_numbers),
        cmocka_unit_test(partitions_have_covers_of_their_own),
        cmocka_unit_test(covers_have_fewer_intervals_on_more_axes),
        cmocka_unit_test(covers_are_fewer_where_each_costs_more),
        cmocka_unit_test(covers_are_finer_where_few_nodes_are_judged),
        cmocka_unit_test(what_is_not_open_is_not_tried),
        cmocka_unit_test(numbers_of_intervals_and_overlaps_are_these),
        cmocka_unit_test(boxes_hold_a_share_of_the_nodes),
        cmocka_unit_test(maps_take_so_much_work_in_all),
    };
    return RUN_WITH_CONTEXT(tests);
}
