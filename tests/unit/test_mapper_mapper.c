/* SPDX-License-Identifier: Apache-2.0 */
/* From a graph and a lens to a summary: edges, strengths, filters, the ledger, bad input. */
#include "mapper_sample.h"

#include <math.h>

#include "base_context.h"
#include "mapper_stages.h"
#include "unit_progress.h"

/* The path 0-1-2-3 with its own numbers as lens. */
static const uint32_t path[] = {0, 1, 1, 2, 2, 3};
static const double height[] = {0, 1, 2, 3};

typedef struct {
    dgm_interval given[8];
    dgm_mapper_options options;
} setting;

/* The setting must stay where it is: options point into it. */
static void set_intervals(setting *s, const char *cover) {
    dgm_mapper_options_init(&s->options);
    assert_int_equal(dgm_cover_parse(ctx, cover, &s->options, s->given, 8), DGM_OK);
}

static dgm_summary *map_path(const setting *s) {
    dgm_graph *graph = build_graph(NULL, 0, 3, path, NULL);
    dgm_summary *summary = map_graph(graph, 1, height, &s->options);
    dgm_graph_free(graph);
    return summary;
}

/* ---- edges and their strengths ---- */

/* A = 0 1 2, B = 1 2 3: two shared, all three edges run between them, 1-2 inside both. */
static void shared_links_and_inner_edges_are_counted(void **state) {
    (void)state;
    setting s;
    set_intervals(&s, "intervals:-inf..2.5,0.5..inf");
    dgm_summary *summary = map_path(&s);
    assert_clusters(summary, "0 1 2|1 2 3");
    assert_edges(summary, "0-1 2/3/1 1");
    dgm_summary_free(summary);
}

/* A = 0 1, B = 1 2, C = 3: A and B share 1 and meet in 0-1, 1-2; B and C meet in 2-3. */
static const char *const three = "intervals:-inf..1.5,0.5..2.5,2.5..inf";

static void nerve_edges_share_nodes_and_structural_edges_share_links(void **state) {
    (void)state;
    setting s;
    set_intervals(&s, three);
    dgm_summary *summary = map_path(&s);
    assert_clusters(summary, "0 1|1 2|3");
    assert_edges(summary, "0-1 1/2/0 1");
    assert_int_equal(dgm_summary_get_topology(summary).b0, 2);
    dgm_summary_free(summary);
    s.options.edges = DGM_EDGES_STRUCTURAL;
    summary = map_path(&s);
    assert_edges(summary, "0-1 1/2/0 1, 1-2 0/1/0 0.5");
    assert_int_equal(dgm_summary_get_topology(summary).b0,
                     2); /* of the nerve, whatever the edges */
    dgm_summary_free(summary);
}

/* Strengths of A-B and B-C: links 2 and 1; with shared nodes 3 and 1; where 1-2 lies inside two
 * clusters, the reference counts it twice. */
static void strengths_differ_by_what_they_count(void **state) {
    (void)state;
    setting s;
    set_intervals(&s, three);
    s.options.edges = DGM_EDGES_STRUCTURAL;
    s.options.strength = DGM_STRENGTH_SAS;
    dgm_summary *summary = map_path(&s);
    assert_edges(summary, "0-1 1/2/0 1, 1-2 0/1/0 0.3333");
    dgm_summary_free(summary);
    /* 0 1 2 | 1 2 | 3: links 2 (0-1, 1-2) with one inner, and 1 */
    set_intervals(&s, "intervals:-inf..2.5,0.5..2.5,2.5..inf");
    s.options.edges = DGM_EDGES_STRUCTURAL;
    summary = map_path(&s);
    assert_edges(summary, "0-1 2/2/1 1, 0-2 0/1/0 0.5, 1-2 0/1/0 0.5");
    dgm_summary_free(summary);
    s.options.rule = DGM_RULE_DGM; /* 3 and 1 */
    summary = map_path(&s);
    assert_edges(summary, "0-1 2/2/1 1, 0-2 0/1/0 0.3333, 1-2 0/1/0 0.3333");
    dgm_summary_free(summary);
    s.options.rule = DGM_RULE_GAIN;
    s.options.strength = DGM_STRENGTH_SAS; /* 5 and 1 */
    summary = map_path(&s);
    assert_edges(summary, "0-1 2/2/1 1, 0-2 0/1/0 0.2, 1-2 0/1/0 0.2");
    dgm_summary_free(summary);
}

/* Arcs 0->1, 1->0 and a loop: each arc counts, the loop does not. */
static void arcs_count_each_and_loops_never(void **state) {
    (void)state;
    const dgm_graph_options directed = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true};
    const uint32_t arcs[] = {0, 1, 1, 0, 0, 0, 2, 1};
    dgm_graph *graph = build_graph(&directed, 0, 4, arcs, NULL);
    setting s;
    set_intervals(&s, "intervals:-inf..0.5,0.5..inf");
    s.options.edges = DGM_EDGES_STRUCTURAL;
    dgm_summary *summary = map_graph(graph, 1, height, &s.options);
    assert_clusters(summary, "0|1 2");
    assert_edges(summary, "0-1 0/2/0 1");
    assert_int_equal(dgm_summary_get_coverage(summary).edges, 3);
    assert_int_equal(dgm_summary_get_coverage(summary).edges_inside, 1);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void equal_clusters_of_two_cells_are_both_kept(void **state) {
    (void)state;
    setting s;
    set_intervals(&s, "intervals:-1..1.5,-2..1.5,1.5..9");
    dgm_summary *summary = map_path(&s);
    assert_clusters(summary, "0 1|0 1|2 3");
    assert_edges(summary, "0-1 2/1/1 1");
    dgm_summary_free(summary);
}

/* ---- filters, in their order ---- */

static void eps_drops_structural_edges_below_it(void **state) {
    (void)state;
    setting s;
    set_intervals(&s, three);
    s.options.edges = DGM_EDGES_STRUCTURAL;
    s.options.eps = 0.5; /* not below */
    dgm_summary *summary = map_path(&s);
    assert_edges(summary, "0-1 1/2/0 1, 1-2 0/1/0 0.5");
    dgm_summary_free(summary);
    s.options.eps = 0.51;
    summary = map_path(&s);
    assert_clusters(summary, "0 1|1 2|3");
    assert_edges(summary, "0-1 1/2/0 1");
    assert_int_equal(dgm_summary_get_topology(summary).cycle_rank, 0);
    dgm_summary_free(summary);
}

static void small_clusters_go_before_edges_are_weighed(void **state) {
    (void)state;
    /* 0 | 0 1 2 | 2 3 : without the first, 1-2 is the strongest */
    setting s;
    set_intervals(&s, "intervals:-inf..0.5,-inf..2.5,1.5..inf");
    s.options.min_size = 2;
    dgm_summary *summary = map_path(&s);
    assert_clusters(summary, "0 1 2|2 3");
    assert_edges(summary, "0-1 1/2/0 1");
    assert_int_equal(dgm_summary_get_coverage(summary).covered, 4);
    dgm_summary_free(summary);
    s.options.min_size = 3;
    summary = map_path(&s);
    assert_clusters(summary, "0 1 2");
    assert_edges(summary, "");
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    assert_int_equal(coverage.covered, 3);
    assert_int_equal(coverage.filtered, 1);
    assert_int_equal(coverage.filtered_min_size, 1);
    assert_int_equal(coverage.lost, 0);
    dgm_summary_free(summary);
}

static void keep_note(void *user, const char *note) {
    snprintf(user, 256, "%s", note);
}

/* Sizes count with multiplicity: A and B hold three nodes but sum to 4. */
static void small_components_go_last(void **state) {
    (void)state;
    setting s;
    set_intervals(&s, three);
    s.options.min_component = 4;
    dgm_summary *summary = map_path(&s);
    assert_clusters(summary, "0 1|1 2");
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    assert_int_equal(coverage.covered, 3);
    assert_int_equal(coverage.filtered_min_component, 1);
    assert_int_equal(coverage.edges_inside, 2);
    dgm_summary_free(summary);
    s.options.min_component = 5;
    char said[256] = "";
    dgm_context_set_notes(ctx, keep_note, said);
    summary = map_path(&s);
    dgm_context_set_notes(ctx, NULL, NULL);
    assert_clusters(summary, "");
    assert_non_null(strstr(said, "the largest component of the summary has 4 members"));
    assert_int_equal(dgm_summary_get_coverage(summary).filtered_min_component, 4);
    assert_int_equal(dgm_summary_get_coverage(summary).edges_inside, 0);
    assert_int_equal(dgm_summary_get_topology(summary).b0, 0);
    dgm_summary_free(summary);
    s.options.edges = DGM_EDGES_STRUCTURAL; /* joined by 2-3 now: 5 in all */
    summary = map_path(&s);
    assert_clusters(summary, "0 1|1 2|3");
    dgm_summary_free(summary);
    s.options.eps = 0.6; /* until eps takes that edge away */
    summary = map_path(&s);
    assert_clusters(summary, "");
    dgm_summary_free(summary);
}

/* The weight is measured by the strongest edge, even if its component goes. */
static void weights_are_set_before_components_go(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 2, 3, 3, 4, 4, 5, 5, 6};
    const double values[] = {1, 1, 5, 6, 6, 6, 7}; /* the pair shares 2, the path shares 3 */
    dgm_graph *graph = build_graph(NULL, 0, 5, ends, NULL);
    setting s;
    set_intervals(&s, "intervals:0..2,0.5..3,4..6.5,5.5..8");
    dgm_summary *summary = map_graph(graph, 1, values, &s.options);
    assert_clusters(summary, "0 1|0 1|2 3 4 5|3 4 5 6");
    assert_edges(summary, "0-1 2/1/1 0.6667, 2-3 3/4/2 1");
    dgm_summary_free(summary);
    s.options.min_component = 5;
    summary = map_graph(graph, 1, values, &s.options);
    assert_clusters(summary, "2 3 4 5|3 4 5 6");
    assert_edges(summary, "0-1 3/4/2 1");
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* ---- the ledger ---- */

static void nodes_outside_the_cover_are_named_so(void **state) {
    (void)state;
    setting s;
    set_intervals(&s, "intervals:0..1.5");
    dgm_summary *summary = map_path(&s);
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    assert_clusters(summary, "0 1");
    assert_int_equal(coverage.nodes, 4);
    assert_int_equal(coverage.covered, 2);
    assert_int_equal(coverage.filtered, 2);
    assert_int_equal(coverage.filtered_cover, 2);
    assert_int_equal(coverage.lost, 0);
    assert_int_equal(coverage.edges, 3);
    assert_int_equal(coverage.edges_inside, 1);
    dgm_summary_free(summary);
}

static void edges_inside_are_those_within_a_cluster(void **state) {
    (void)state;
    setting s;
    set_intervals(&s, three);
    dgm_summary *summary = map_path(&s);
    assert_int_equal(dgm_summary_get_coverage(summary).edges, 3);
    assert_int_equal(dgm_summary_get_coverage(summary).edges_inside, 2);
    dgm_summary_free(summary);
}

/* ---- what is told of the lens and the options ---- */

static void clusters_carry_the_mean_of_their_lens(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 3, path, NULL);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 2;
    options.intervals[1] = 1;
    options.overlap[0] = 0;
    const double values[] = {0, 5, 1, 6, 2, -8, 3, 10};
    dgm_summary *summary = map_graph(graph, 2, values, &options);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    assert_clusters(summary, "0 1|2 3");
    assert_int_equal(clusters.dimension, 2);
    assert_int_equal(clusters.axes, 2);
    const double means[] = {0.5, 5.5, 2.5, 1};
    assert_memory_equal(clusters.lens, means, sizeof means);
    double low, high;
    dgm_summary_lens_range(summary, 1, &low, &high);
    assert_true(low == -8 && high == 10);
    assert_string_equal(dgm_summary_axis_name(summary, 1), "axis2");
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void the_mean_of_huge_values_is_finite(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 1, (const uint32_t[]){0, 1}, NULL);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 1;
    dgm_summary *summary = map_graph(graph, 1, (const double[]){1.5e308, 1.7e308}, &options);
    assert_near(dgm_summary_get_clusters(summary).lens[0], 1.6e308, 1e293);
    dgm_summary_free(summary);
    summary = map_graph(graph, 1, (const double[]){-1.7e308, 1.7e308}, &options);
    assert_near(dgm_summary_get_clusters(summary).lens[0], 0, 0);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void a_summary_keeps_its_options(void **state) {
    (void)state;
    setting s;
    set_intervals(&s, three);
    s.options.min_size = 1;
    s.options.seed = 77;
    dgm_summary *summary = map_path(&s);
    memset(&s, 0, sizeof s); /* the summary has its own copy */
    const dgm_mapper_options *options = dgm_summary_options(summary);
    assert_int_equal(options->cover, DGM_COVER_INTERVALS);
    assert_int_equal(options->given_count, 3);
    assert_true(options->given[1].low == 0.5 && options->given[1].high == 2.5);
    assert_int_equal(options->seed, 77);
    dgm_summary_free(summary);
    dgm_summary_free(NULL);
}

/* ---- graphs with little in them ---- */

static void an_empty_graph_has_an_empty_summary(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL);
    for (int cover = DGM_COVER_UNIFORM; cover <= DGM_COVER_SIMPLEX; cover++)
        for (int cluster = DGM_CLUSTER_COMPONENTS; cluster <= DGM_CLUSTER_LOUVAIN; cluster++) {
            const dgm_interval all = {-INFINITY, INFINITY};
            dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
            options.cover = cover;
            options.given = &all;
            options.given_count = 1;
            options.cluster = cluster;
            dgm_summary *summary = map_graph(graph, 1, NULL, &options);
            assert_clusters(summary, "");
            assert_edges(summary, "");
            assert_int_equal(dgm_summary_get_topology(summary).b0, 0);
            assert_int_equal(dgm_summary_get_coverage(summary).lost, 0);
            dgm_summary_free(summary);
        }
    dgm_graph_free(graph);
}

static void one_node_is_one_cluster(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 1, 0, NULL, NULL);
    dgm_summary *summary = map_graph(graph, 2, (const double[]){3, 4}, NULL);
    assert_clusters(summary, "0");
    assert_int_equal(dgm_summary_get_topology(summary).b0, 1);
    assert_int_equal(dgm_summary_get_coverage(summary).covered, 1);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void a_constant_lens_gives_one_cell_of_components(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 5, 2, (const uint32_t[]){0, 2, 1, 4}, NULL);
    dgm_summary *summary = map_graph(graph, 1, (const double[]){7, 7, 7, 7, 7}, NULL);
    assert_clusters(summary, "0 2|1 4|3");
    assert_edges(summary, "");
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* ---- bad input ---- */

static void a_lens_that_does_not_fit_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 3, path, NULL);
    dgm_summary *summary;
    dgm_matrix *lens = build_matrix(3, 1, height);
    ASSERT_FAILS(dgm_mapper_run(ctx, graph, lens, NULL, &summary), DGM_ERROR_DATA,
                 "the lens has 3 rows and the graph 4 nodes");
    assert_null(summary);
    dgm_matrix_free(lens);
    lens = build_matrix(4, 0, NULL);
    ASSERT_FAILS(dgm_mapper_run(ctx, graph, lens, NULL, &summary), DGM_ERROR_DATA,
                 "the lens has no columns");
    dgm_matrix_free(lens);
    lens = build_matrix(4, 2, (const double[]){0, 1, 2, 3, 4, NAN, NAN, 7});
    ASSERT_FAILS(dgm_mapper_run(ctx, graph, lens, NULL, &summary), DGM_ERROR_DATA,
                 "the lens is not a number at node '2' (column 2)");
    dgm_matrix_free(lens);
    lens = build_matrix(4, 1, (const double[]){0, -INFINITY, 2, 3});
    ASSERT_FAILS(dgm_mapper_run(ctx, graph, lens, NULL, &summary), DGM_ERROR_DATA,
                 "the lens is infinite at node '1' (column 1)");
    assert_null(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void options_out_of_bounds_make_no_summary(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 3, path, NULL);
    dgm_matrix *lens = build_matrix(4, 1, height);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_summary *summary;
    options.overlap[0] = 1;
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_ERROR_USAGE);
    assert_null(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* The path lies in 2,500 cells, and every node in more than a thousand of them. */
static void clusters_that_meet_too_often_for_memory_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 3, path, NULL);
    dgm_matrix *lens = build_matrix(4, 1, height);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_summary *summary;
    options.intervals[0] = 2500;
    options.overlap[0] = 0.9995;
    ctx->memory = 0.05e9;
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_ERROR_MEMORY);
    assert_null(summary);
    ASSERT_HAS(dgm_context_error(ctx), "joining ");
    ASSERT_HAS(dgm_context_error(ctx), "clusters, which meet in ");
    ASSERT_HAS(dgm_context_error(ctx), "available; lower overlap or intervals");
    ctx->memory = 1e9; /* and what was counted before is what there is, asserts the run */
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_OK);
    dgm_summary_free(summary);
    ctx->memory = 0;
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* A place is listed in 16 bytes; a pair of clusters in a table has 24 for each thread. Tables are
 * taken where they need at most a quarter of the lists. Below 64 MiB nobody asks. */
static void what_joining_clusters_needs_is_asked_for(void **state) {
    (void)state;
    double threads = dgm_context_threads(ctx), pairs = 3000.0 * 2999 / 2;
    const struct {
        int64_t clusters;
        double meetings, bytes;
    } cases[] = {{1000000, 1e7, 16e7},
                 {1000000, 4194304, 0x1p26},
                 {3000, pairs * 24 * threads * 4 / 16, pairs * 24 * threads},
                 {3000, pairs * 24 * threads * 4 / 16 - 1, pairs * 24 * threads * 4 - 16}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ctx->memory = cases[i].bytes;
        assert_int_equal(dgmi_mapper_meetings_check(ctx, cases[i].clusters, cases[i].meetings),
                         DGM_OK);
        ctx->memory = cases[i].bytes - 1;
        assert_int_equal(dgmi_mapper_meetings_check(ctx, cases[i].clusters, cases[i].meetings),
                         DGM_ERROR_MEMORY);
        ASSERT_HAS(dgm_context_error(ctx), "clusters, which meet in ");
    }
    assert_int_equal(dgmi_mapper_meetings_check(ctx, 1000000, 4194303), DGM_OK);
    ctx->memory = 1e12;
    double most = (double)DGMI_MAPPER_MOST_MEETINGS;
    assert_int_equal(dgmi_mapper_meetings_check(ctx, 1000000, most), DGM_OK);
    ASSERT_FAILS(dgmi_mapper_meetings_check(ctx, 1000000, most + 1), DGM_ERROR_USAGE,
                 "with this cover 1000000 clusters meet in 4.29e+09 places, and 4.29e+09 are "
                 "allowed; lower overlap or intervals, or use cover=landmarks:k=K in place of "
                 "balls");
    ctx->memory = 0;
}

static void a_cancelled_run_makes_no_summary(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 3, path, NULL);
    dgm_matrix *lens = build_matrix(4, 1, height);
    dgm_summary *summary;
    dgm_context_cancel(ctx);
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, NULL, &summary), DGM_ERROR_CANCELLED);
    assert_null(summary);
    dgm_context_resume(ctx);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void every_stage_is_told_from_its_beginning(void **state) {
    (void)state;
    setting s;
    set_intervals(&s, "intervals:0..2,1..3");
    hear_progress();
    dgm_summary *summary = map_path(&s);
    hear_no_more();
    assert_true(reports_of("assigning cells") > 1);
    assert_true(reports_of("finding clusters") > 0);
    assert_stages_rise();
    dgm_summary_free(summary);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_links_and_inner_edges_are_counted),
        cmocka_unit_test(nerve_edges_share_nodes_and_structural_edges_share_links),
        cmocka_unit_test(strengths_differ_by_what_they_count),
        cmocka_unit_test(arcs_count_each_and_loops_never),
        cmocka_unit_test(equal_clusters_of_two_cells_are_both_kept),
        cmocka_unit_test(eps_drops_structural_edges_below_it),
        cmocka_unit_test(small_clusters_go_before_edges_are_weighed),
        cmocka_unit_test(small_components_go_last),
        cmocka_unit_test(weights_are_set_before_components_go),
        cmocka_unit_test(nodes_outside_the_cover_are_named_so),
        cmocka_unit_test(edges_inside_are_those_within_a_cluster),
        cmocka_unit_test(clusters_carry_the_mean_of_their_lens),
        cmocka_unit_test(the_mean_of_huge_values_is_finite),
        cmocka_unit_test(a_summary_keeps_its_options),
        cmocka_unit_test(an_empty_graph_has_an_empty_summary),
        cmocka_unit_test(one_node_is_one_cluster),
        cmocka_unit_test(a_constant_lens_gives_one_cell_of_components),
        cmocka_unit_test(a_lens_that_does_not_fit_is_refused),
        cmocka_unit_test(options_out_of_bounds_make_no_summary),
        cmocka_unit_test(clusters_that_meet_too_often_for_memory_are_refused),
        cmocka_unit_test(what_joining_clusters_needs_is_asked_for),
        cmocka_unit_test(a_cancelled_run_makes_no_summary),
        cmocka_unit_test(every_stage_is_told_from_its_beginning),
    };
    return RUN_WITH_CONTEXT(tests);
}
