/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries of poolings: clusters, edges, ledger, and what their files hold. */
#include "nn_training.h"

#include "pool_graphs.h"
#include "unit_faults.h"

static dgm_summary *summarise(const dgm_pooling *pooling, const dgm_graph *graph, int64_t step) {
    dgm_summary *summary = NULL;
    if (dgm_pooling_summary(ctx, pooling, graph, step, &summary) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return summary;
}

/* Cells of MPR overlap: a node is a member of each cluster that its row of S names. */
static void members_are_where_entries_are(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    dgm_pooling *pooling = pool_graph(graph, "mpr:clusters=4,overlap=0.4", 1, NULL);
    dgm_summary *summary = summarise(pooling, graph, 0);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    dgm_pool_step step = dgm_pooling_get_step(pooling, 0);
    dense s = dense_of_membership(step.assignment), a = dense_of_graph(step.graph);
    const double *lens = dgm_matrix_values(step.lens);
    int64_t members = 0;
    assert_int_equal(clusters.count, s.columns);
    for (int64_t i = 0; i < s.rows * s.columns; i++)
        members += s.values[i] > 0;
    assert_int_equal(clusters.offsets[clusters.count], members);
    for (int64_t c = 0; c < clusters.count; c++) {
        double sum = 0, count = (double)(clusters.offsets[c + 1] - clusters.offsets[c]);
        assert_int_equal(clusters.cells[c], c);
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++) {
            assert_true(s.values[clusters.members[i] * s.columns + c] > 0);
            sum += lens[clusters.members[i]];
        }
        assert_near(clusters.lens[c], sum / count, 1e-12);
    }
    double heaviest = 0;
    int64_t count, edges = 0;
    const dgm_summary_edge *list = dgm_summary_edges(summary, &count);
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t j = i + 1; j < a.rows; j++)
            heaviest = fmax(heaviest, a.values[i * a.rows + j]);
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t j = i + 1; j < a.rows; j++)
            if (a.values[i * a.rows + j] > 0) {
                assert_int_equal(list[edges].source, i);
                assert_int_equal(list[edges].target, j);
                assert_near(list[edges++].weight, a.values[i * a.rows + j] / heaviest, 1e-12);
            }
    assert_int_equal(edges, count);
    free(s.values);
    free(a.values);
    dgm_summary_free(summary);
    dgm_pooling_free(pooling);
    dgm_graph_free(graph);
}

/* Of a soft partition the largest entry counts, and columns that nobody takes are left out. */
static void members_of_soft_partitions_are_where_entries_are_largest(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    dgm_pooling *pooling = pool_graph(graph, "mpr:lens=learned,clusters=12-3", 2, NULL);
    for (int64_t l = 0; l < 2; l++) {
        dgm_summary *summary = summarise(pooling, graph, l);
        dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
        dgm_membership *product;
        assert_int_equal(dgm_pooling_assignment(ctx, pooling, l, &product), DGM_OK);
        dense s = dense_of_membership(product);
        assert_int_equal(clusters.offsets[clusters.count], 34);
        for (int64_t c = 0; c < clusters.count; c++)
            for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++)
                for (int64_t k = 0; k < s.columns; k++)
                    assert_true(s.values[clusters.members[i] * s.columns + clusters.cells[c]] >=
                                s.values[clusters.members[i] * s.columns + k]);
        dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
        assert_int_equal(coverage.covered, 34);
        assert_int_equal(coverage.lost, 0);
        assert_int_equal(coverage.edges, 78);
        free(s.values);
        dgm_membership_free(product);
        dgm_summary_free(summary);
    }
    dgm_pooling_free(pooling);
    dgm_graph_free(graph);
}

/* Nodes that a selection drops are outside, and an edge lies inside of no single node. */
static void the_ledger_counts_what_a_selection_drops(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    dgm_pooling *pooling = pool_graph(graph, "topk:ratio=0.5", 1, NULL);
    dgm_summary *summary = summarise(pooling, graph, 0);
    dgm_summary_coverage coverage = dgm_summary_get_coverage(summary);
    assert_int_equal(coverage.covered, 17);
    assert_int_equal(coverage.filtered, 17);
    assert_int_equal(coverage.filtered_cover, 17);
    assert_int_equal(coverage.lost, 0);
    assert_int_equal(coverage.edges_inside, 0);
    dgm_summary_free(summary);
    dgm_pooling_free(pooling);
    pooling = pool_graph(graph, "sum", 1, NULL);
    summary = summarise(pooling, graph, 0);
    assert_int_equal(dgm_summary_get_coverage(summary).edges_inside, 78);
    dgm_summary_free(summary);
    dgm_pooling_free(pooling);
    dgm_graph_free(graph);
}

/* Every method to JSON, read with and without the graph, and written again: the same bytes. */
static void files_come_back_to_the_byte(void **state) {
    (void)state;
    static const char *const pools[] = {
        "mpr:lens=degree",  "mincut:clusters=3-2", "diffpool", "sagpool",
        "mpr:lens=learned", "mpr:variant=newest",  "mean"};
    dgm_graph *graph = make_karate();
    for (int i = 0; i < COUNT(pools); i++) {
        dgm_pooling *pooling = pool_graph(graph, pools[i], 2, NULL);
        dgm_summary *summary = summarise(pooling, graph, 1), *again;
        dgm_profile *profile, *made;
        size_t sizes[2];
        assert_int_equal(dgm_profile_create(ctx, summary, graph, NULL, &made), DGM_OK);
        dgm_export_subject subject = {.summary = summary, .graph = graph, .profile = made};
        assert_int_equal(dgm_export_write(ctx, &subject, (const char *const[]){"a.json"}, 1),
                         DGM_OK);
        if (dgm_summary_read(ctx, "a.json", NULL, &again, &profile, NULL) != DGM_OK)
            fail_msg("%s: %s", pools[i], dgm_context_error(ctx));
        assert_string_equal(dgm_summary_pooling(again), dgm_summary_pooling(summary));
        subject = (dgm_export_subject){.summary = again, .profile = profile};
        assert_int_equal(dgm_export_write(ctx, &subject, (const char *const[]){"b.json"}, 1),
                         DGM_OK);
        void *bytes[] = {file_bytes("a.json", &sizes[0]), file_bytes("b.json", &sizes[1])};
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(bytes[0], bytes[1], sizes[0]);
        free(bytes[0]);
        free(bytes[1]);
        dgm_profile_free(made);
        dgm_profile_free(profile);
        dgm_summary_free(again);
        dgm_summary_free(summary);
        dgm_pooling_free(pooling);
    }
    dgm_graph_free(graph);
}

/* The path 0 - 1 - 2, its nodes called a, b" and c. */
static dgm_graph *make_named_path(void) {
    static const char *const names[] = {"a", "b\"", "c"};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    uint32_t node;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(dgm_graph_builder_node(builder, names[i], strlen(names[i]), &node),
                         DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 2, (const uint32_t[]){0, 1, 1, 2}, NULL),
                     DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void json_has_the_rows_of_s(void **state) {
    (void)state;
    dgm_graph *graph = make_named_path();
    dgm_pooling *pooling = pool_graph(graph, "graclus", 1, NULL);
    dgm_summary *summary = summarise(pooling, graph, 0);
    assert_string_equal(
        dgm_summary_pooling(summary),
        "{\"method\": \"graclus\", \"step\": 1, \"steps\": 1, \"clusters\": 2, \"soft\": false, "
        "\"trained\": false, \"assignment\": [\n"
        "  {\"node\": \"a\", \"clusters\": [0], \"values\": [0.5]},\n"
        "  {\"node\": \"b\\\"\", \"clusters\": [0], \"values\": [0.5]},\n"
        "  {\"node\": \"c\", \"clusters\": [1], \"values\": [1]}]}");
    dgm_summary_free(summary);
    dgm_pooling_free(pooling);
    dgm_graph_free(graph);
}

static void a_summary_of_mapper_has_no_pooling(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    dgm_matrix *lens;
    dgm_summary *summary;
    assert_int_equal(dgm_lens_degree(ctx, graph, &lens), DGM_OK);
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, NULL, &summary), DGM_OK);
    assert_null(dgm_summary_pooling(summary));
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void a_wrong_pooling_in_a_file_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *pooling, *words;
    } cases[] = {
        {"7", "bad.json: \"pooling\" is no object"},
        {"{\"step\": 0}", "bad.json: has \"step\" that is no whole number from 1 to 2147483647"},
        {"{\"steps\": \"x\"}",
         "bad.json: has \"steps\" that is no whole number from 1 to 2147483647"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        FILE *file = fopen("bad.json", "w");
        dgm_summary *summary;
        assert_non_null(file);
        fprintf(file,
                "{\"format\": \"dgm-summary\", \"version\": 1, \"nodes\": [], \"edges\": [], "
                "\"pooling\": %s}",
                cases[i].pooling);
        fclose(file);
        ASSERT_FAILS(dgm_summary_read(ctx, "bad.json", NULL, &summary, NULL, NULL),
                     DGM_ERROR_FORMAT, cases[i].words);
    }
}

static void mistakes_are_told(void **state) {
    (void)state;
    dgm_graph *graph = make_karate(), *other = make_named_path();
    dgm_pooling *pooling = pool_graph(graph, "sum", 1, NULL);
    dgm_summary *summary;
    ASSERT_FAILS(dgm_pooling_summary(ctx, pooling, other, 0, &summary), DGM_ERROR_USAGE,
                 "the pooling is of a graph of 34 nodes, and this one has 3");
    assert_null(summary);
    ASSERT_FAILS(dgm_pooling_summary(ctx, pooling, graph, 1, &summary), DGM_ERROR_USAGE,
                 "there is no step 1: the graph was pooled 1 times");
    ASSERT_FAILS(dgm_pooling_summary(ctx, pooling, graph, -1, &summary), DGM_ERROR_USAGE,
                 "there is no step -1: the graph was pooled 1 times");
    dgm_pooling_free(pooling);
    dgm_graph_free(graph);
    dgm_graph_free(other);
}

/* A graph without nodes has a summary without clusters, which can be written. */
static void nothing_has_a_summary(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL);
    dgm_pooling *pooling = pool_graph(graph, "mincut", 1, NULL);
    dgm_summary *summary = summarise(pooling, graph, 0);
    const dgm_export_subject subject = {.summary = summary, .graph = graph};
    assert_int_equal(dgm_summary_get_clusters(summary).count, 0);
    assert_int_equal(
        dgm_export_write(ctx, &subject, (const char *const[]){"none.json", "none.dot"}, 2), DGM_OK);
    dgm_summary_free(summary);
    dgm_pooling_free(pooling);
    dgm_graph_free(graph);
}

/* ---- figures ---- */

/* The figure of a graph and of its summary, both by one attribute, as SVG; the caller frees it. */
static char *draw_both(const dgm_graph *graph, const dgm_summary *summary, const char *colour) {
    dgm_profile *profile;
    dgm_view *views[2];
    dgm_figure *figure;
    char *svg;
    size_t length;
    assert_int_equal(dgm_profile_create(ctx, summary, graph, NULL, &profile), DGM_OK);
    assert_int_equal(dgm_view_from_graph(ctx, graph, NULL, &views[0]), DGM_OK);
    assert_int_equal(dgm_view_from_summary(ctx, summary, profile, NULL, &views[1]), DGM_OK);
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(dgm_view_lay_out(ctx, views[i], NULL), DGM_OK);
        assert_int_equal(dgm_figure_add_view(figure, views[i], colour, NULL, NULL, 0), DGM_OK);
    }
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    dgm_figure_free(figure);
    for (int i = 0; i < 2; i++)
        dgm_view_free(views[i]);
    dgm_profile_free(profile);
    return svg;
}

static void nodes_and_clusters_share_a_bar_of_colours(void **state) {
    (void)state;
    dgm_graph *graph = make_karate(), *aged;
    dgm_pooling *pooling = pool_graph(graph, "graclus", 1, NULL);
    dgm_summary *summary = summarise(pooling, graph, 0);
    double ages[34];
    for (int i = 0; i < 34; i++)
        ages[i] = 20 + i;
    const dgm_attribute attribute = {"age", DGM_ATTRIBUTE_NUMBER, ages, NULL};
    assert_int_equal(dgm_graph_with_attribute(ctx, graph, &attribute, &aged), DGM_OK);
    char *svg = draw_both(aged, summary, "attr:age");
    ASSERT_HAS(svg, ">age</text>");
    assert_null(strstr(svg, ">mean age</text>"));
    ASSERT_HAS(svg, "pooled by graclus");
    ASSERT_HAS(svg, "seed 1");
    dgm_figure_bytes_free(ctx, svg);
    dgm_summary_free(summary);
    dgm_pooling_free(pooling);
    dgm_graph_free(aged);
    dgm_graph_free(graph);
}

/* Edges that all weigh the same are 0.39 mm wide; others grow up to 1.3 mm. */
static void links_of_a_subgraph_are_thin(void **state) {
    (void)state;
    dgm_graph *graph = make_karate();
    static const char *const pools[] = {"topk", "graclus"};
    for (int i = 0; i < 2; i++) {
        dgm_pooling *pooling = pool_graph(graph, pools[i], 1, NULL);
        dgm_summary *summary = summarise(pooling, graph, 0);
        char *svg = draw_both(graph, summary, "none");
        const char *edges = strstr(svg, "id=\"p2-edges\"");
        assert_non_null(edges);
        assert_int_equal(strstr(edges, "stroke-width=\"0.39\"") != NULL, i == 0);
        assert_int_equal(strstr(edges, "stroke-width=\"1.3\"") != NULL, i == 1);
        dgm_figure_bytes_free(ctx, svg);
        dgm_summary_free(summary);
        dgm_pooling_free(pooling);
    }
    dgm_graph_free(graph);
}

/* ---- memory ---- */

static dgm_status summarise_and_read(dgm_context *own, void *argument) {
    dgm_graph *const *graph = argument;
    dgm_pool_run_options options = DGM_POOL_RUN_OPTIONS_INIT;
    dgm_pooling *pooling = NULL;
    dgm_summary *summary = NULL, *again = NULL;
    options.pool = "mpr:clusters=2,lens=degree";
    dgm_status status = dgm_pool_run(own, *graph, &options, &pooling);
    if (status == DGM_OK)
        status = dgm_pooling_summary(own, pooling, *graph, 0, &summary);
    const dgm_export_subject subject = {.summary = summary, .graph = *graph};
    if (status == DGM_OK)
        status = dgm_export_write(own, &subject, (const char *const[]){"f.json"}, 1);
    if (status == DGM_OK)
        status = dgm_summary_read(own, "f.json", NULL, &again, NULL, NULL);
    dgm_summary_free(again);
    dgm_summary_free(summary);
    dgm_pooling_free(pooling);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    dgm_graph *graph = make_named_path();
    fail_each_allocation(summarise_and_read, &graph);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_where_entries_are),
        cmocka_unit_test(members_of_soft_partitions_are_where_entries_are_largest),
        cmocka_unit_test(the_ledger_counts_what_a_selection_drops),
        cmocka_unit_test(files_come_back_to_the_byte),
        cmocka_unit_test(json_has_the_rows_of_s),
        cmocka_unit_test(a_summary_of_mapper_has_no_pooling),
        cmocka_unit_test(a_wrong_pooling_in_a_file_is_refused),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(nothing_has_a_summary),
        cmocka_unit_test(nodes_and_clusters_share_a_bar_of_colours),
        cmocka_unit_test(links_of_a_subgraph_are_thin),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_GROUP(tests, enter_folder, leave_folder);
}
