/* SPDX-License-Identifier: Apache-2.0 */
/* What a user is told of a map that is no error, in its exact words, and where nothing is told. */
#include "mapper_sample.h"

#include "mapper_stages.h"
#include "mapper_summary.h"

static char said[1024];
static int notes;

static void keep_note(void *user, const char *note) {
    (void)user;
    snprintf(said, sizeof said, "%s", note);
    notes++;
}

static void listen(void) {
    *said = '\0';
    notes = 0;
    dgm_context_set_notes(ctx, keep_note, NULL);
}

static const char *heard(void) {
    dgm_context_set_notes(ctx, NULL, NULL);
    return said;
}

static dgm_mapper_options plain(int64_t intervals, double overlap) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = intervals;
    options.overlap[0] = overlap;
    return options;
}

/* ---- cells that share nothing ---- */

static const char *note_of_cells(int64_t nodes, int64_t columns, const double *values,
                                 const dgm_mapper_options *options) {
    dgm_matrix *lens = build_matrix(nodes, columns, values);
    listen();
    assert_int_equal(dgmi_mapper_cover_note_apart(ctx, lens, options), DGM_OK);
    dgm_matrix_free(lens);
    return heard();
}

#define APART(axis)                                                                                \
    "no node lies where cells of '" axis "' overlap, as with whole numbers: clusters of "          \
    "different cells share nothing and are not joined along it; edges=structural joins them by "   \
    "edges of the graph, or try fewer intervals or more overlap"

/* Four intervals over [0, 3] overlap in [0.71, 0.88), [1.41, 1.59) and [2.12, 2.29). */
static void whole_numbers_miss_where_cells_overlap(void **state) {
    (void)state;
    const double whole[] = {0, 1, 2, 3}, ends[] = {0, 3};
    dgm_mapper_options options = plain(4, 0.2);
    assert_string_equal(note_of_cells(4, 1, whole, &options), APART("axis1"));
    assert_string_equal(note_of_cells(2, 1, ends, &options), APART("axis1"));
    options.cover = DGM_COVER_QUANTILE;
    assert_string_equal(note_of_cells(4, 1, whole, &options), APART("axis1"));
    options.edges = DGM_EDGES_STRUCTURAL;
    assert_string_equal(note_of_cells(4, 1, whole, &options), "");
    options = plain(4, 0); /* they do not overlap, and nobody wonders */
    assert_string_equal(note_of_cells(4, 1, whole, &options), "");
    options = plain(4, 0.2);
    options.cover = DGM_COVER_LANDMARKS;
    options.landmarks = 2;
    assert_string_equal(note_of_cells(4, 1, whole, &options), "");
}

static void one_node_in_two_cells_is_enough(void **state) {
    (void)state;
    const double first[] = {1.5, 0, 1, 3}, last[] = {0, 1, 3, 1.5}, same[] = {5, 5, 5};
    dgm_mapper_options options = plain(4, 0.2);
    assert_string_equal(note_of_cells(4, 1, first, &options), "");
    assert_string_equal(note_of_cells(4, 1, last, &options), "");
    assert_string_equal(note_of_cells(3, 1, same, &options), ""); /* one cell has all */
    assert_string_equal(note_of_cells(0, 1, NULL, &options), "");
}

static void every_axis_is_told_by_its_name(void **state) {
    (void)state;
    const double second[] = {0, 0, 1.5, 1, 3, 3}, both[] = {0, 0, 1, 1, 3, 3};
    dgm_mapper_options options = plain(4, 0.2);
    assert_string_equal(note_of_cells(3, 2, second, &options), APART("axis2"));
    assert_int_equal(notes, 1);
    assert_string_equal(note_of_cells(3, 2, both, &options), APART("axis2"));
    assert_int_equal(notes, 2);
    options.overlap[1] = 0;
    assert_string_equal(note_of_cells(3, 2, both, &options), APART("axis1"));
}

/* ---- summaries whose clusters share nothing ---- */

static const char *note_of_summary(int64_t nodes, const double *values,
                                   dgm_mapper_options options) {
    dgm_graph *graph = build_graph(NULL, nodes, 0, NULL, NULL);
    dgm_summary *summary = map_graph(graph, 1, values, &options);
    listen();
    dgmi_mapper_summary_note_apart(ctx, summary);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
    return heard();
}

static void cells_that_were_found_may_share_nothing(void **state) {
    (void)state;
    static const char *const words =
        "no node lies in two clusters, so that none are joined; edges=structural joins them by "
        "edges of the graph, or try larger cells or more overlap";
    const double apart[] = {0, 10}, near[] = {0, 1, 2}, same[] = {4, 4};
    dgm_mapper_options balls = plain(10, 0.2);
    balls.cover = DGM_COVER_BALLS;
    balls.radius = 1;
    assert_string_equal(note_of_summary(2, apart, balls), words);
    assert_string_equal(note_of_summary(1, apart, balls), "");
    assert_string_equal(note_of_summary(3, near, balls), ""); /* 1 lies in both balls */
    assert_string_equal(note_of_summary(2, same, balls), ""); /* two clusters of one cell */
    balls.overlap[0] = 0;
    assert_string_equal(note_of_summary(2, apart, balls), "");
    balls.overlap[0] = 0.2;
    balls.edges = DGM_EDGES_STRUCTURAL;
    assert_string_equal(note_of_summary(2, apart, balls), "");
    assert_string_equal(note_of_summary(2, apart, plain(2, 0.2)), ""); /* the cover tells it */
    dgm_mapper_options adaptive = plain(10, 0.2);
    adaptive.cover = DGM_COVER_ADAPTIVE;
    adaptive.cell_size = 1;
    assert_string_equal(note_of_summary(2, apart, adaptive), words);
}

/* ---- what a run tells by itself ---- */

static const char *note_of_run(int64_t nodes, const double *values, dgm_mapper_options options) {
    dgm_graph *graph = build_graph(NULL, nodes, 0, NULL, NULL);
    listen();
    dgm_summary *summary = map_graph(graph, 1, values, &options);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
    return heard();
}

static void fewer_places_than_landmarks_are_told(void **state) {
    (void)state;
    const double tied[] = {2, 2, 7, 7, 7};
    dgm_mapper_options options = plain(10, 0.2);
    options.cover = DGM_COVER_LANDMARKS;
    options.landmarks = 4;
    assert_string_equal(note_of_run(5, tied, options),
                        "4 landmarks were asked for, and the nodes have 2 different places");
    options.landmarks = 2;
    assert_string_equal(note_of_run(5, tied, options), "");
}

static void a_filter_that_leaves_nothing_is_told(void **state) {
    (void)state;
    const double values[] = {0, 0, 0, 9};
    dgm_mapper_options options = plain(2, 0);
    options.cluster = DGM_CLUSTER_NONE;
    options.min_component = 4;
    assert_string_equal(note_of_run(4, values, options),
                        "min-component=4 leaves nothing: the largest component of the summary has "
                        "3 members");
    options.min_component = 3;
    assert_string_equal(note_of_run(4, values, options), "");
    options.min_component = 9;
    assert_string_equal(note_of_run(0, NULL, options), ""); /* there was nothing before */
}

/* Two points: every subsample is both of them, so delta is 0. */
static void the_distance_of_near_points_is_told(void **state) {
    (void)state;
    const float features[] = {0, 4, 8};
    const double values[] = {0, 1, 2};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 3), DGM_OK);
    assert_int_equal(
        dgm_graph_builder_set_features(builder, 3, &(dgm_graph_features){1, NULL, NULL, features}),
        DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    dgm_mapper_options options = plain(10, 0.2);
    options.cover = DGM_COVER_CMO;
    options.near = DGM_NEAR_FEATURES;
    options.beta = 20; /* 3 / (log 3)^21 is below 1: a subsample is one point, and delta 4 or 8 */
    options.subsamples = 1;
    listen();
    dgm_summary *summary = map_graph(graph, 1, values, &options);
    double delta, longest;
    assert_int_equal(dgmi_mapper_cmo_points(ctx, graph, values, &options, &longest, &delta),
                     DGM_OK);
    assert_true(delta == 4 || delta == 8);
    assert_true(longest == delta / 4);
    assert_string_equal(heard(), delta == 4
                                     ? "cmo: points within 4 are neighbours; "
                                       "cluster=dbscan:eps=4,min=1,of=features makes clusters of "
                                       "them, too"
                                     : "cmo: points within 8 are neighbours; "
                                       "cluster=dbscan:eps=8,min=1,of=features makes clusters of "
                                       "them, too");
    dgm_summary_free(summary);
    options.beta = 0.001; /* 3 / log 3 is 2.7: two of three, and the third is 4 away */
    assert_int_equal(dgmi_mapper_cmo_points(ctx, graph, values, &options, &longest, &delta),
                     DGM_OK);
    assert_true(delta == 4 && longest == 1);
    dgm_graph_free(graph);
}

/* ---- errors that say what to do ---- */

static bool refuse(void *user, int64_t count, const uint32_t *nodes, int64_t *labels) {
    (void)user;
    (void)nodes;
    memset(labels, 0, (size_t)count * sizeof *labels);
    return false;
}

static void who_ends_the_work_is_told(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 0, NULL, NULL);
    dgm_matrix *lens = build_matrix(2, 1, (const double[]){0, 1});
    dgm_mapper_options options = plain(2, 0);
    dgm_summary *summary;
    options.cluster = DGM_CLUSTER_GIVEN;
    options.clusterer = refuse;
    ASSERT_FAILS(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_ERROR_CANCELLED,
                 "the clusterer ended the work");
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* A summary that was read without its graph has no node numbers. */
static void summaries_without_node_numbers_are_no_tower(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 0, NULL, NULL);
    dgm_mapper_options options = plain(2, 0);
    dgm_summary *pair[2] = {map_graph(graph, 1, (const double[]){0, 1}, &options),
                            map_graph(graph, 1, (const double[]){0, 1}, &options)};
    for (int i = 0; i < 2; i++) {
        uint32_t *members = pair[i]->members;
        dgm_tower *tower;
        dgm_membership *membership;
        const char *words = "the summary knows no node numbers: read it together with its graph";
        pair[i]->members = NULL;
        ASSERT_FAILS(dgm_tower_create(ctx, (const dgm_summary *const *)pair, 2, &tower),
                     DGM_ERROR_USAGE, words);
        assert_null(tower);
        ASSERT_FAILS(dgm_membership_from_summary(ctx, pair[i], DGM_MEMBERSHIP_ONES, &membership),
                     DGM_ERROR_USAGE, words);
        pair[i]->members = members;
    }
    dgm_summary_free(pair[0]);
    dgm_summary_free(pair[1]);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_miss_where_cells_overlap),
        cmocka_unit_test(one_node_in_two_cells_is_enough),
        cmocka_unit_test(every_axis_is_told_by_its_name),
        cmocka_unit_test(cells_that_were_found_may_share_nothing),
        cmocka_unit_test(fewer_places_than_landmarks_are_told),
        cmocka_unit_test(a_filter_that_leaves_nothing_is_told),
        cmocka_unit_test(the_distance_of_near_points_is_told),
        cmocka_unit_test(who_ends_the_work_is_told),
        cmocka_unit_test(summaries_without_node_numbers_are_no_tower),
    };
    return RUN_WITH_CONTEXT(tests);
}
