/* SPDX-License-Identifier: Apache-2.0 */
/* Cells around the parts of a partition, by hand. */
#include "mapper_sample.h"

#include "unit_faults.h"

static dgm_mapper_options parts_with(double share) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_PARTS;
    options.cluster = DGM_CLUSTER_NONE; /* a cluster is a cell */
    options.share = share;
    return options;
}

static void assert_cells(const dgm_graph *graph, const double *parts, double share,
                         const char *expected) {
    const dgm_mapper_options options = parts_with(share);
    dgm_summary *summary = map_graph(graph, 1, parts, &options);
    assert_clusters(summary, expected);
    dgm_summary_free(summary);
}

static dgm_graph *path(void) {
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};
    return build_graph(NULL, 6, 5, ends, NULL);
}

/* 2 and 3 stand between the halves of a path: a third of those around each is in the other half. */
static void nodes_between_parts_are_in_both_cells(void **state) {
    (void)state;
    const double halves[] = {0, 0, 0, 1, 1, 1};
    dgm_graph *graph = path();
    assert_cells(graph, halves, 0.3, "0 1 2 3|2 3 4 5");
    assert_cells(graph, halves, 1.0 / 3, "0 1 2 3|2 3 4 5");
    assert_cells(graph, halves, 0.334, "0 1 2|3 4 5");
    assert_cells(graph, halves, 1, "0 1 2|3 4 5");
    assert_cells(graph, halves, 1e-9, "0 1 2 3|2 3 4 5"); /* a share is not 0 */
    dgm_graph_free(graph);
}

/* Cells are those of the values in order, which need not be 0, 1, 2. */
static void parts_may_have_any_whole_numbers(void **state) {
    (void)state;
    const double far[] = {1e9, 1e9, 1e9, -7, -7, -7}, signs[] = {0.0, -0.0, 0.0, 1, 1, 1},
                 one[6] = {3, 3, 3, 3, 3, 3};
    dgm_graph *graph = path();
    assert_cells(graph, far, 0.3, "2 3 4 5|0 1 2 3");
    assert_cells(graph, signs, 0.3, "0 1 2 3|2 3 4 5"); /* the two zeros are one */
    assert_cells(graph, one, 0.3, "0 1 2 3 4 5");
    dgm_graph_free(graph);
}

/* Three of ten are 0.3 of them, whatever 0.3 * 10 is. */
static void a_share_that_is_just_reached_counts(void **state) {
    (void)state;
    const uint32_t star[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 9};
    const double parts[] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1}; /* 7 8 9 are the three */
    dgm_graph *graph = build_graph(NULL, 10, 9, star, NULL);
    assert_cells(graph, parts, 0.3, "0 1 2 3 4 5 6 7 8 9|0 7 8 9");
    assert_cells(graph, parts, 0.31, "0 1 2 3 4 5 6 7 8 9|7 8 9");
    assert_cells(graph, parts, 0.7, "0 1 2 3 4 5 6|7 8 9"); /* rays: half of each is in 0 */
    dgm_graph_free(graph);
}

/* Where most neighbours are, though none of them reach the share: of equals in the node's own part,
 * and then in the first. */
static void a_node_without_a_share_is_where_most_neighbours_are(void **state) {
    (void)state;
    const uint32_t star[] = {0, 1, 0, 2, 0, 3, 0, 4};
    dgm_graph *graph = build_graph(NULL, 5, 4, star, NULL);
    const double elsewhere[] = {0, 1, 1, 2, 2}, own[] = {2, 0, 0, 2, 1}, apart[] = {4, 0, 1, 2, 3};
    assert_cells(graph, elsewhere, 0.5, "1 2 3 4|0 1 2|3 4"); /* 0 has two in both */
    assert_cells(graph, own, 0.5, "1 2|4|0 1 2 3 4");
    assert_cells(graph, apart, 0.5, "1|2|3|4|0 1 2 3 4");
    assert_cells(graph, apart, 1, "1|2|3|4|0");
    dgm_graph_free(graph);
}

/* A node leaves its own part if more of its neighbours are elsewhere. */
static void a_node_may_be_in_the_cells_of_others_alone(void **state) {
    (void)state;
    const uint32_t clique[] = {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3};
    const double parts[] = {0, 1, 1, 1};
    dgm_graph *graph = build_graph(NULL, 4, 6, clique, NULL);
    assert_cells(graph, parts, 0.3, "0 1 2 3");
    assert_cells(graph, parts, 0.25, "0 1 2 3|0 1 2 3");
    dgm_graph_free(graph);
}

/* A node alone has itself for a neighbour. */
static void nodes_alone_are_in_their_own_cell(void **state) {
    (void)state;
    const double parts[] = {2, 0, 2};
    dgm_graph *three = build_graph(NULL, 3, 0, NULL, NULL),
              *none = build_graph(NULL, 0, 0, NULL, NULL);
    assert_cells(three, parts, 0.3, "1|0 2");
    assert_cells(three, parts, 1, "1|0 2");
    assert_cells(none, parts, 0.3, "");
    dgm_graph_free(three);
    dgm_graph_free(none);
}

/* A neighbour is one, whether edges lead there, back, or both; loops and weights do not count. */
static void directions_do_not_count(void **state) {
    (void)state;
    const uint32_t ends[] = {1, 0, 1, 2, 2, 1, 2, 3, 3, 2, 3, 4, 5, 4, 4, 5, 2, 2};
    const double weights[] = {1, 1, 1, 9, 9, 1, 1, 1, 99}, halves[] = {0, 0, 0, 1, 1, 1};
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.directed = options.keep_loops = true;
    dgm_graph *graph = build_graph(&options, 6, 9, ends, weights);
    assert_cells(graph, halves, 0.3, "0 1 2 3|2 3 4 5");
    assert_cells(graph, halves, 1.0 / 3, "0 1 2 3|2 3 4 5");
    assert_cells(graph, halves, 0.34, "0 1 2|3 4 5");
    dgm_graph_free(graph);
    /* Counted twice, 3 would be half of those around 2. */
    const uint32_t more[] = {2, 0, 2, 1, 2, 3, 3, 2};
    graph = build_graph(&options, 4, 4, more, NULL);
    const double last[] = {0, 0, 0, 1};
    assert_cells(graph, last, 0.3, "0 1 2 3|3");
    dgm_graph_free(graph);
}

/* Cells of clusters that are components, which share the nodes between. */
static void clusters_of_parts_share_the_nodes_between(void **state) {
    (void)state;
    const double halves[] = {0, 0, 0, 1, 1, 1};
    dgm_mapper_options options = parts_with(0.3);
    options.cluster = DGM_CLUSTER_COMPONENTS;
    dgm_graph *graph = path();
    dgm_summary *summary = map_graph(graph, 1, halves, &options);
    assert_clusters(summary, "0 1 2 3|2 3 4 5");
    assert_edges(summary, "0-1 2/3/1 1");
    assert_int_equal(dgm_summary_get_clusters(summary).cells[1], 1);
    assert_int_equal(dgm_summary_options(summary)->intervals[0], 2);
    assert_near(dgm_summary_options(summary)->share, 0.3, 0);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void other_lenses_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = path();
    const double half[] = {0, 1, 1.5, 0, 0, 0}, two[12] = {0};
    dgm_mapper_options options = parts_with(0.3);
    dgm_summary *summary;
    dgm_matrix *lens = build_matrix(6, 1, half), *wide = build_matrix(6, 2, two);
    ASSERT_FAILS(
        dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_ERROR_DATA,
        "the cover of parts needs a lens that gives each node the number of its part; row 3 "
        "is 1.5, which is no whole number");
    assert_null(summary);
    ASSERT_FAILS(dgm_mapper_run(ctx, graph, wide, &options, &summary), DGM_ERROR_USAGE,
                 "the cover of parts needs a lens of one axis, the number of each node's part, and "
                 "this lens has 2");
    options.share = 0;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    options.share = 1.01;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE);
    options.share = 1;
    assert_int_equal(dgm_mapper_check(ctx, &options), DGM_OK);
    dgm_matrix_free(lens);
    dgm_matrix_free(wide);
    dgm_graph_free(graph);
}

static void a_cover_of_parts_is_read(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    assert_int_equal(dgm_cover_parse(ctx, "parts", &options, NULL, 0), DGM_OK);
    assert_int_equal(options.cover, DGM_COVER_PARTS);
    assert_near(options.share, 0.3, 0);
    assert_int_equal(dgm_cover_parse(ctx, "parts:share=0.05", &options, NULL, 0), DGM_OK);
    assert_near(options.share, 0.05, 0);
    assert_int_equal(dgm_cover_parse(ctx, "parts:share=0", &options, NULL, 0), DGM_OK);
    ASSERT_FAILS(dgm_mapper_check(ctx, &options), DGM_ERROR_USAGE,
                 "cover=parts:share=S takes a share above 0 and up to 1");
    assert_int_equal(dgm_cover_parse(ctx, "parts:share=2", &options, NULL, 0), DGM_ERROR_USAGE);
    assert_int_equal(dgm_cover_parse(ctx, "parts:size=2", &options, NULL, 0), DGM_ERROR_USAGE);
    assert_int_equal(dgm_cover_parse(ctx, "parts:share=x", &options, NULL, 0), DGM_ERROR_USAGE);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    dgm_generate_options random = DGM_GENERATE_OPTIONS_INIT;
    dgm_mapper_options options = parts_with(0.1);
    enum { NODES = 6000 };
    static double parts[NODES];
    dgm_summary *made[2];
    dgm_graph *graph;
    random.kind = DGM_GENERATE_BA;
    random.nodes = NODES;
    options.cluster = DGM_CLUSTER_COMPONENTS;
    assert_int_equal(dgm_graph_generate(ctx, &random, NULL, &graph), DGM_OK);
    for (int u = 0; u < NODES; u++)
        parts[u] = u * 31 % 97;
    for (int i = 0; i < 2; i++) {
        dgm_context_set_threads(ctx, i ? 4 : 1);
        made[i] = map_graph(graph, 1, parts, &options);
    }
    dgm_context_set_threads(ctx, 0);
    dgm_summary_clusters a = dgm_summary_get_clusters(made[0]),
                         b = dgm_summary_get_clusters(made[1]);
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.offsets, b.offsets, (size_t)(a.count + 1) * sizeof *a.offsets);
    assert_memory_equal(a.members, b.members, (size_t)a.offsets[a.count] * sizeof *a.members);
    assert_true(a.offsets[a.count] > NODES); /* some lie in several cells */
    dgm_summary_free(made[0]);
    dgm_summary_free(made[1]);
    dgm_graph_free(graph);
}

/* ---- memory that ends ---- */

static dgm_status map_once(dgm_context *own, void *argument) {
    const dgm_graph *graph = argument;
    const dgm_mapper_options options = parts_with(0.2);
    dgm_matrix *lens;
    dgm_summary *summary = NULL;
    dgm_status status = dgm_matrix_create(own, dgm_graph_nodes(graph), 1, &lens);
    for (int64_t u = 0; status == DGM_OK && u < dgm_graph_nodes(graph); u++)
        dgm_matrix_values_mutable(lens)[u] = (double)(u / 3);
    if (status == DGM_OK)
        status = dgm_mapper_run(own, graph, lens, &options, &summary);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    return status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 0, 2, 1, 2, 3, 4, 3};
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.directed = true;
    dgm_graph *plain = path(), *arcs = build_graph(&options, 7, 5, ends, NULL);
    fail_each_allocation(map_once, plain);
    fail_each_allocation(map_once, arcs);
    dgm_graph_free(plain);
    dgm_graph_free(arcs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_between_parts_are_in_both_cells),
        cmocka_unit_test(parts_may_have_any_whole_numbers),
        cmocka_unit_test(a_share_that_is_just_reached_counts),
        cmocka_unit_test(a_node_without_a_share_is_where_most_neighbours_are),
        cmocka_unit_test(a_node_may_be_in_the_cells_of_others_alone),
        cmocka_unit_test(nodes_alone_are_in_their_own_cell),
        cmocka_unit_test(directions_do_not_count),
        cmocka_unit_test(clusters_of_parts_share_the_nodes_between),
        cmocka_unit_test(other_lenses_are_refused),
        cmocka_unit_test(a_cover_of_parts_is_read),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
