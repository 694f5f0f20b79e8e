/* SPDX-License-Identifier: Apache-2.0 */
#include "lens_golden.h"

static void assert_column(dgm_matrix *lens, const char *name, int64_t rows,
                          const double *expected) {
    assert_int_equal(dgm_matrix_rows(lens), rows);
    assert_int_equal(dgm_matrix_columns(lens), 1);
    assert_string_equal(dgm_matrix_column_name(lens, 0), name);
    for (int64_t i = 0; i < rows; i++)
        assert_near(dgm_matrix_values(lens)[i], expected[i], 0);
    dgm_matrix_free(lens);
}

static const uint32_t ends[] = {0, 1, 1, 0, 0,
                                2, 3, 3, 2, 0}; /* 0-1 both ways, 0-2 both ways, a loop */

static void a_degree_counts_neighbours_and_a_loop_twice(void **state) {
    (void)state;
    const dgm_graph_options keep = {.size = sizeof(dgm_graph_options), .keep_loops = true};
    dgm_graph *graph = build_graph(&keep, 5, 5, ends, NULL);
    dgm_matrix *lens;
    assert_int_equal(dgm_lens_degree(ctx, graph, &lens), DGM_OK);
    assert_column(lens, "degree", 5, (const double[]){2, 1, 1, 2, 0});
    dgm_graph_free(graph);
    graph = build_graph(NULL, 5, 5, ends, (const double[]){9, 9, 9, 9, 9});
    assert_int_equal(dgm_lens_degree(ctx, graph, &lens), DGM_OK); /* weights do not count */
    assert_column(lens, "degree", 5, (const double[]){2, 1, 1, 0, 0});
    dgm_graph_free(graph);
}

static void a_degree_of_a_directed_graph_counts_both_directions(void **state) {
    (void)state;
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true};
    dgm_graph *graph = build_graph(&options, 5, 5, ends, NULL);
    dgm_matrix *lens;
    assert_int_equal(dgm_lens_degree(ctx, graph, &lens), DGM_OK);
    assert_column(lens, "degree", 5, (const double[]){4, 2, 2, 2, 0});
    dgm_graph_free(graph);
}

static void a_strength_adds_weights_as_a_degree_counts_edges(void **state) {
    (void)state;
    const double weights[] = {1, 1.5, 4, 8, 4.25};
    for (int directed = 0; directed < 2; directed++) {
        const dgm_graph_options options = {
            .size = sizeof(dgm_graph_options), .directed = directed, .keep_loops = true};
        dgm_graph *graph = build_graph(&options, 5, 5, ends, weights);
        dgm_matrix *lens;
        /* Undirected, the larger of two directions counts. */
        static const double expected[2][5] = {{5.75, 1.5, 4.25, 16, 0}, {10.75, 2.5, 8.25, 16, 0}};
        assert_int_equal(dgm_lens_strength(ctx, graph, &lens), DGM_OK);
        assert_column(lens, "strength", 5, expected[directed]);
        dgm_graph_free(graph);
        graph = build_graph(&options, 5, 5, ends, NULL); /* no weights: degrees */
        assert_int_equal(dgm_lens_strength(ctx, graph, &lens), DGM_OK);
        assert_near(dgm_matrix_values(lens)[0], directed ? 4 : 2, 0);
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
}

static void strengths_are_those_of_networkx(void **state) {
    (void)state;
    assert_int_equal(check_golden("lens_local.txt", "strength"), 20);
}

static void a_strength_that_overflows_is_an_error_that_names_the_node(void **state) {
    (void)state;
    dgm_graph *graph =
        build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 1, 2}, (const double[]){1.5e308, 1e308});
    dgm_matrix *lens;
    ASSERT_FAILS(dgm_lens_strength(ctx, graph, &lens), DGM_ERROR_DATA,
                 "the weights of node '1' add up to more than a number can hold");
    assert_null(lens);
    dgm_graph_free(graph);
}

/* Three nodes with labels, a full column, one with a gap, one with text. */
static dgm_graph *build_tables(const int32_t *labels) {
    static const char *const texts[] = {"a", "b", "c"};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 3), DGM_OK);
    if (labels)
        assert_int_equal(dgm_graph_builder_set_labels(builder, 3, labels), DGM_OK);
    assert_int_equal(
        dgm_graph_builder_add_numbers(builder, "height", 3, (const double[]){-1.5, 0, 1e300}),
        DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "gap", 3, (const double[]){1, NAN, 2}),
                     DGM_OK);
    assert_int_equal(
        dgm_graph_builder_add_numbers(builder, "far", 3, (const double[]){1, 2, INFINITY}), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "kind", 3, texts), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void labels_are_a_lens_where_every_node_has_one(void **state) {
    (void)state;
    dgm_graph *graph = build_tables((const int32_t[]){2, 0, 7});
    dgm_matrix *lens;
    assert_int_equal(dgm_lens_labels(ctx, graph, &lens), DGM_OK);
    assert_column(lens, "label", 3, (const double[]){2, 0, 7});
    dgm_graph_free(graph);
    graph = build_tables((const int32_t[]){2, -1, 7});
    ASSERT_FAILS(dgm_lens_labels(ctx, graph, &lens), DGM_ERROR_DATA,
                 "the lens 'labels' needs every node labelled; node '1' is not");
    assert_null(lens);
    dgm_graph_free(graph);
    graph = build_tables(NULL);
    ASSERT_FAILS(dgm_lens_labels(ctx, graph, &lens), DGM_ERROR_DATA,
                 "the lens 'labels' needs a labelled graph; this one has none");
    assert_null(lens);
    dgm_graph_free(graph);
}

static void an_attribute_is_a_lens_where_every_node_has_a_number(void **state) {
    (void)state;
    dgm_graph *graph = build_tables(NULL);
    dgm_matrix *lens;
    assert_int_equal(dgm_lens_attribute(ctx, graph, "height", &lens), DGM_OK);
    assert_column(lens, "height", 3, (const double[]){-1.5, 0, 1e300});
    ASSERT_FAILS(dgm_lens_attribute(ctx, graph, "gap", &lens), DGM_ERROR_DATA,
                 "attribute 'gap' has no finite value at node '1'");
    assert_null(lens);
    ASSERT_FAILS(dgm_lens_attribute(ctx, graph, "far", &lens), DGM_ERROR_DATA,
                 "attribute 'far' has no finite value at node '2'");
    ASSERT_FAILS(dgm_lens_attribute(ctx, graph, "kind", &lens), DGM_ERROR_DATA,
                 "attribute 'kind' holds text, and a lens needs numbers");
    ASSERT_FAILS(dgm_lens_attribute(ctx, graph, "hieght", &lens), DGM_ERROR_DATA,
                 "the graph has no attribute 'hieght'; did you mean 'height'?");
    ASSERT_FAILS(dgm_lens_attribute(ctx, graph, "betweenness", &lens), DGM_ERROR_DATA,
                 "the graph has no attribute 'betweenness' (it has 4, the first is height)");
    assert_null(lens);
    dgm_graph_free(graph);
}

static void a_graph_without_attributes_says_so(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 1, 0, NULL, NULL);
    dgm_matrix *lens;
    ASSERT_FAILS(dgm_lens_attribute(ctx, graph, "x", &lens), DGM_ERROR_DATA,
                 "the graph has no attributes, so none called 'x': nodes-table=FILE brings them, "
                 "a CSV with a column id");
    dgm_graph_free(graph);
}

/* Of more attributes than can be told, the first are looked through for a name that is near. */
static void among_many_attributes_a_near_name_is_found(void **state) {
    (void)state;
    dgm_graph_builder *builder;
    dgm_graph *graph;
    dgm_matrix *lens;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 1), DGM_OK);
    for (int i = 0; i < 40; i++) {
        char name[16];
        snprintf(name, sizeof name, "column%c%c", 'a' + i / 10, 'a' + i % 10);
        assert_int_equal(dgm_graph_builder_add_numbers(builder, i == 3 ? "height" : name, 1,
                                                       (const double[]){1}),
                         DGM_OK);
    }
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    ASSERT_FAILS(dgm_lens_attribute(ctx, graph, "heigth", &lens), DGM_ERROR_DATA,
                 "the graph has no attribute 'heigth'; did you mean 'height'?");
    assert_null(lens);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_degree_counts_neighbours_and_a_loop_twice),
        cmocka_unit_test(a_degree_of_a_directed_graph_counts_both_directions),
        cmocka_unit_test(a_strength_adds_weights_as_a_degree_counts_edges),
        cmocka_unit_test(a_strength_that_overflows_is_an_error_that_names_the_node),
        cmocka_unit_test(strengths_are_those_of_networkx),
        cmocka_unit_test(labels_are_a_lens_where_every_node_has_one),
        cmocka_unit_test(an_attribute_is_a_lens_where_every_node_has_a_number),
        cmocka_unit_test(a_graph_without_attributes_says_so),
        cmocka_unit_test(among_many_attributes_a_near_name_is_found),
    };
    return RUN_WITH_CONTEXT(tests);
}
