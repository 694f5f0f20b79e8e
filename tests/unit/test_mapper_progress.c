/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller hears of a run, and which stages other options run again. */
#include "mapper_sample.h"

#include "unit_progress.h"

#include <stdlib.h>

/* What was heard, as "stage share share, stage share". */
static void assert_heard(const char *expected) {
    char text[4096] = "";
    size_t used = 0;
    for (int64_t i = 0; i < heard_count; i++) {
        bool goes_on = i && strcmp(heard_reports[i].stage, heard_reports[i - 1].stage) == 0;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.3g",
                                 goes_on ? ""
                                 : i     ? ", "
                                         : "",
                                 goes_on ? "" : heard_reports[i].stage, heard_reports[i].fraction);
    }
    assert_string_equal(text, expected);
}

static void hear(const dgm_graph *graph, int64_t columns, const double *values,
                 const dgm_mapper_options *options) {
    hear_progress();
    dgm_summary *summary = map_graph(graph, columns, values, options);
    hear_no_more();
    dgm_summary_free(summary);
}

static const uint32_t path[] = {0, 1, 1, 2, 2, 3};
static const double height[] = {0, 1, 2, 3, 3, 3, 3, 3};

static dgm_mapper_options plain(int64_t intervals) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = intervals;
    return options;
}

static void a_run_is_told_stage_by_stage(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 4, 3, path, NULL);
    dgm_mapper_options options = plain(2);
    hear(graph, 1, height, &options);
    assert_heard("assigning cells 0 0.5, finding clusters 0 0.5, "
                 "joining clusters 0 0 0.8 0.85 0.9 0.95, writing the summary 0");
    options.edges = DGM_EDGES_STRUCTURAL; /* nobody asks which clusters are near */
    options.pieces = DGM_PIECES_JOINED;
    hear(graph, 1, height, &options);
    assert_heard("assigning cells 0 0.5, joining pieces 0, finding clusters 0 0.5, "
                 "joining clusters 0 0.8 0.85 0.9 0.95, writing the summary 0");
    dgm_graph_free(graph);
}

/* Four axes are sorted two at a time. */
static void cells_that_are_looked_up_are_told(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 0, NULL, NULL);
    dgm_mapper_options options = plain(10);
    options.cluster = DGM_CLUSTER_NONE;
    hear(graph, 4, (const double[]){0, 0, 0, 0, 1, 1, 1, 1}, &options);
    assert_heard("assigning cells 0 0.3 0.6 0.6, finding clusters 0, "
                 "joining clusters 0 0 0.8 0.85 0.9 0.95, writing the summary 0");
    dgm_graph_free(graph);
}

/* Twelve nodes that all know each other, in two cells that hold all of them: far more pairs meet
 * than there are, and they are added up in a table. */
static void dense_cells_and_tables_are_told(void **state) {
    (void)state;
    enum { NODES = 12 };
    uint32_t ends[NODES * NODES];
    double values[NODES];
    int64_t edges = 0;
    for (uint32_t u = 0; u < NODES; u++) {
        values[u] = u;
        for (uint32_t v = 0; v < u; v++, edges++) {
            ends[2 * edges] = u;
            ends[2 * edges + 1] = v;
        }
    }
    dgm_graph *graph = build_graph(NULL, NODES, edges, ends, NULL);
    dgm_mapper_options options = plain(4);
    options.rule = DGM_RULE_GAIN;
    options.overlap[0] = 0.8;
    dgm_context_set_threads(ctx, 1);
    hear(graph, 1, values, &options);
    assert_heard("assigning cells 0 0.5, finding clusters 0 0.5 0.9, "
                 "joining clusters 0 0 0.8 0.9 0.95, writing the summary 0, "
                 "collapsing the nerve 0, listing triangles 0");
    dgm_context_set_threads(ctx, 0);
    dgm_graph_free(graph);
}

static bool label_nothing(void *user, int64_t count, const uint32_t *nodes, int64_t *labels) {
    (void)user;
    (void)nodes;
    memset(labels, 0, (size_t)count * sizeof *labels);
    return true;
}

static void every_cell_of_a_function_of_the_callers_is_told(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 4, 3, path, NULL);
    dgm_mapper_options options = plain(3);
    options.overlap[0] = 0;
    options.cluster = DGM_CLUSTER_GIVEN;
    options.clusterer = label_nothing;
    hear(graph, 1, height, &options);
    assert_heard("assigning cells 0 0.5, finding clusters 0 0 0.3 0.6, "
                 "joining clusters 0 0 0.8 0.85 0.9 0.95, writing the summary 0");
    dgm_graph_free(graph);
}

enum { POINTS = 40 };

static const double *line(void) {
    static double values[POINTS];
    for (int i = 0; i < POINTS; i++)
        values[i] = i;
    return values;
}

/* Centres are told sixteen by sixteen. */
static void centres_and_their_cells_are_told(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, POINTS, 0, NULL, NULL);
    dgm_mapper_options options = plain(10);
    options.cluster = DGM_CLUSTER_NONE;
    options.cover = DGM_COVER_LANDMARKS;
    options.landmarks = 33;
    options.overlap[0] = 0;
    hear(graph, 1, line(), &options);
    assert_heard("choosing centres 0.485 0.97, filling cells 0 1, assigning cells 0 0.5, "
                 "finding clusters 0, joining clusters 0 0 0.8 0.85 0.9 0.95, "
                 "writing the summary 0");
    options.cover = DGM_COVER_BALLS;
    options.radius = 0.5; /* a ball for each; the limit is 4000 */
    hear(graph, 1, line(), &options);
    assert_heard("choosing centres 0.004 0.008, filling balls 0.5 1, assigning cells 0 0.5, "
                 "finding clusters 0, joining clusters 0 0 0.8 0.85 0.9 0.95, "
                 "writing the summary 0");
    dgm_graph_free(graph);
}

static void clusters_of_points_are_told(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, POINTS, 0, NULL, NULL);
    dgm_mapper_options options = plain(2);
    options.overlap[0] = 0;
    options.cluster = DGM_CLUSTER_SINGLE;
    hear(graph, 1, line(), &options);
    assert_int_equal(reports_of("finding clusters"), 2);
    assert_stages_rise();
    assert_true(heard_reports[3].fraction == 0.9);
    options.cluster = DGM_CLUSTER_LOUVAIN; /* no edge, so that nothing moves */
    hear(graph, 1, line(), &options);
    assert_int_equal(reports_of("finding communities"), 0);
    options.cluster = DGM_CLUSTER_LABELPROP; /* a look at each cell tells so */
    hear(graph, 1, line(), &options);
    assert_int_equal(reports_of("finding communities"), 2);
    assert_true(heard_reports[3].fraction == -1);
    dgm_graph_free(graph);
}

/* The chain 2 3 4 5 behind the pair 0 1 follows it node by node. */
static void each_round_of_attaching_is_told(void **state) {
    (void)state;
    const uint32_t chain[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};
    const double cell[] = {0, 0, 1, 0, 1, 0};
    dgm_graph *graph = build_graph(NULL, 6, 5, chain, NULL);
    dgm_mapper_options options = plain(2);
    options.min_size = 2;
    options.attach = true;
    hear(graph, 1, cell, &options);
    assert_heard("assigning cells 0 0.5, finding clusters 0 0.5, attaching small clusters 0 0 0 0, "
                 "joining clusters 0 0 0.8 0.85 0.9 0.95, writing the summary 0");
    dgm_graph_free(graph);
}

/* A million nodes are looked at between two reports; cutting these takes eight rounds over them. */
static void cells_that_split_are_told_by_the_nodes_that_have_one(void **state) {
    (void)state;
    enum { NODES = 150000 };
    double *values = malloc(NODES * sizeof *values);
    assert_non_null(values);
    for (int i = 0; i < NODES; i++)
        values[i] = i;
    dgm_graph *graph = build_graph(NULL, NODES, 0, NULL, NULL);
    dgm_mapper_options options = plain(10);
    options.cover = DGM_COVER_ADAPTIVE;
    options.cluster = DGM_CLUSTER_NONE;
    options.cell_size = 1000;
    options.overlap[0] = 0;
    hear(graph, 1, values, &options);
    assert_int_equal(reports_of("splitting cells"), 1);
    /* Cells are closed from the lowest on. Until 11 of 16 parts are closed, the first two cuts look
     * at all nodes, the next two at 12 of 16, and the other four and the closing at 11: together
     * 111 / 16 times 150000, which is nearly 2^20. */
    assert_near(heard_reports[0].fraction, 11 / 16.0, 0.01);
    dgm_graph_free(graph);
    free(values);
}

static void subsamples_are_told_one_by_one(void **state) {
    (void)state;
    float features[POINTS];
    dgm_graph_builder *builder;
    dgm_graph *graph;
    for (int i = 0; i < POINTS; i++)
        features[i] = (float)i;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, POINTS), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(builder, POINTS,
                                                    &(dgm_graph_features){1, NULL, NULL, features}),
                     DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    dgm_mapper_options options = plain(10);
    options.cover = DGM_COVER_CMO;
    options.near = DGM_NEAR_FEATURES;
    options.subsamples = 4;
    hear(graph, 1, line(), &options);
    assert_heard("drawing subsamples 0.25 0.5 0.75 1 1, assigning cells 0 0.5, "
                 "finding clusters 0 0.5, joining clusters 0 0 0.8 0.85 0.9 0.95, "
                 "writing the summary 0");
    dgm_graph_free(graph);
}

/* ---- stages that are kept ---- */

/* Which stages ran, as letters: cells, clusters, meetings. */
static const char *stages_of(dgm_mapper *mapper, const dgm_mapper_options *options) {
    static char text[8];
    dgm_summary *summary;
    hear_progress();
    if (dgm_mapper_summarise(ctx, mapper, options, &summary) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    hear_no_more();
    dgm_summary_free(summary);
    snprintf(text, sizeof text, "%s%s%s", reports_of("assigning cells") ? "c" : "",
             reports_of("finding clusters") ? "k" : "", reports_of("joining clusters") ? "m" : "");
    return text;
}

/* Each alone; in the next step it is what it was. */
#define ASSERT_RUNS_AGAIN(member, other, stages)                                                   \
    do {                                                                                           \
        dgm_mapper_options changed = options;                                                      \
        changed.member = other;                                                                    \
        assert_string_equal(stages_of(mapper, &changed), stages);                                  \
        assert_string_equal(stages_of(mapper, &changed), "");                                      \
        assert_string_equal(stages_of(mapper, &options), stages);                                  \
    } while (0)

static bool label_the_same(void *user, int64_t count, const uint32_t *nodes, int64_t *labels) {
    return label_nothing(user, count, nodes, labels);
}

static void every_option_runs_its_own_stage_again(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 4, 3, path, NULL);
    dgm_matrix *lens = build_matrix(4, 1, height);
    dgm_mapper *mapper;
    dgm_mapper_options options = plain(3);
    assert_int_equal(dgm_mapper_create(ctx, graph, lens, &mapper), DGM_OK);
    assert_string_equal(stages_of(mapper, &options), "ckm");
    ASSERT_RUNS_AGAIN(cell_size, 3, "ckm");
    ASSERT_RUNS_AGAIN(radius, 0.5, "ckm");
    ASSERT_RUNS_AGAIN(landmarks, 3, "ckm");
    ASSERT_RUNS_AGAIN(metric, DGM_METRIC_COSINE, "ckm");
    ASSERT_RUNS_AGAIN(critical, 3, "ckm");
    ASSERT_RUNS_AGAIN(most, 3, "ckm");
    ASSERT_RUNS_AGAIN(gain, 0.45, "ckm");
    ASSERT_RUNS_AGAIN(pieces, DGM_PIECES_JOINED, "ckm");
    ASSERT_RUNS_AGAIN(near, DGM_NEAR_FEATURES, "ckm");
    ASSERT_RUNS_AGAIN(beta, 0.5, "ckm");
    ASSERT_RUNS_AGAIN(subsamples, 3, "ckm");
    ASSERT_RUNS_AGAIN(rule, DGM_RULE_KEPLER, "ckm");
    ASSERT_RUNS_AGAIN(cover, DGM_COVER_QUANTILE, "ckm");
    ASSERT_RUNS_AGAIN(intervals[0], 2, "ckm");
    ASSERT_RUNS_AGAIN(overlap[0], 0.3, "ckm");
    ASSERT_RUNS_AGAIN(seed, 2, "km");
    ASSERT_RUNS_AGAIN(cluster, DGM_CLUSTER_NONE, "km");
    ASSERT_RUNS_AGAIN(gap_bins, 3, "km");
    ASSERT_RUNS_AGAIN(reach, 0.5, "km");
    ASSERT_RUNS_AGAIN(min_points, 3, "km");
    ASSERT_RUNS_AGAIN(space, DGM_SPACE_FEATURES, "km");
    ASSERT_RUNS_AGAIN(clusterer, label_the_same, "km");
    ASSERT_RUNS_AGAIN(clusterer_user, ctx, "km");
    ASSERT_RUNS_AGAIN(min_size, 2, "m");
    ASSERT_RUNS_AGAIN(attach, true, "m");
    ASSERT_RUNS_AGAIN(edges, DGM_EDGES_STRUCTURAL, "m");
    ASSERT_RUNS_AGAIN(strength, DGM_STRENGTH_SAS, "");
    ASSERT_RUNS_AGAIN(eps, 0.5, "");
    ASSERT_RUNS_AGAIN(min_component, 2, "");
    ASSERT_RUNS_AGAIN(weights, DGM_WEIGHTS_BUMP, "");
    options.near = DGM_NEAR_FEATURES; /* subsamples are drawn by the seed */
    assert_string_equal(stages_of(mapper, &options), "ckm");
    ASSERT_RUNS_AGAIN(seed, 2, "ckm");
    dgm_mapper_free(mapper);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* The second axis counts if the lens has one, and a list of intervals by its last one, too. */
static void the_last_axis_and_the_last_interval_count(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 4, 3, path, NULL);
    dgm_matrix *lens = build_matrix(4, 2, height), *one = build_matrix(4, 1, height);
    dgm_mapper *mapper;
    dgm_mapper_options options = plain(3);
    assert_int_equal(dgm_mapper_create(ctx, graph, lens, &mapper), DGM_OK);
    assert_string_equal(stages_of(mapper, &options), "ckm");
    ASSERT_RUNS_AGAIN(intervals[1], 2, "ckm");
    ASSERT_RUNS_AGAIN(overlap[1], 0.3, "ckm");
    ASSERT_RUNS_AGAIN(intervals[2], 2, "");
    dgm_mapper_free(mapper);
    const dgm_interval given[] = {{0, 2}, {1, 4}}, low[] = {{-1, 2}, {1, 4}};
    const dgm_interval up[] = {{0, 2}, {1, 5}}, same[] = {{0, 2}, {1, 4}};
    assert_int_equal(dgm_mapper_create(ctx, graph, one, &mapper), DGM_OK);
    options.cover = DGM_COVER_INTERVALS;
    options.given = given;
    options.given_count = 2;
    assert_string_equal(stages_of(mapper, &options), "ckm");
    ASSERT_RUNS_AGAIN(given, low, "ckm");
    ASSERT_RUNS_AGAIN(given, up, "ckm");
    ASSERT_RUNS_AGAIN(given, same, "");
    ASSERT_RUNS_AGAIN(given_count, 1, "ckm");
    dgm_mapper_free(mapper);
    dgm_matrix_free(one);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_told_stage_by_stage),
        cmocka_unit_test(cells_that_are_looked_up_are_told),
        cmocka_unit_test(dense_cells_and_tables_are_told),
        cmocka_unit_test(every_cell_of_a_function_of_the_callers_is_told),
        cmocka_unit_test(centres_and_their_cells_are_told),
        cmocka_unit_test(clusters_of_points_are_told),
        cmocka_unit_test(each_round_of_attaching_is_told),
        cmocka_unit_test(cells_that_split_are_told_by_the_nodes_that_have_one),
        cmocka_unit_test(subsamples_are_told_one_by_one),
        cmocka_unit_test(every_option_runs_its_own_stage_again),
        cmocka_unit_test(the_last_axis_and_the_last_interval_count),
    };
    return RUN_WITH_CONTEXT(tests);
}
