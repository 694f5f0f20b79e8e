/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../check_graph.h"
#include "io_check.h"
#include "io_formats.h"
#include "unit_faults.h"

#define BANNER "%%MatrixMarket matrix coordinate "

static const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};

static void a_pattern_is_an_unweighted_graph_named_from_one(void **state) {
    (void)state;
    dgm_graph *graph =
        io_read(BANNER "pattern symmetric\n% comment\n\n4 4 2\n2 1\n% c\n3 2\n", "x.mtx", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 4);
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_null(dgm_graph_get_rows(graph).weights);
    assert_string_equal(io_name(graph, 0), "1");
    io_assert_edge(graph, 0, 1, 1);
    io_assert_edge(graph, 2, 1, 1);
    dgm_graph_free(graph);
}

static void values_are_weights(void **state) {
    (void)state;
    dgm_graph *graph = io_read(BANNER "real general\n3 3 2\n1 2 0.5\n2 3 -1e-3\n", "x.mtx", NULL);
    io_assert_edge(graph, 1, 0, 0.5);
    io_assert_edge(graph, 1, 2, -0.001);
    dgm_graph_free(graph);
    graph = io_read(BANNER "Integer General\n2 2 1\n1 2 7\n", "x.mtx", &directed);
    assert_int_equal(dgm_graph_edges(graph), 1);
    io_assert_edge(graph, 0, 1, 7);
    dgm_graph_free(graph);
}

static void the_other_half_of_a_symmetric_matrix_counts_where_directions_do(void **state) {
    (void)state;
    dgm_graph *graph = io_read(BANNER "real symmetric\n2 2 1\n2 1 3\n", "x.mtx", &directed);
    assert_int_equal(dgm_graph_edges(graph), 2);
    io_assert_edge(graph, 0, 1, 3);
    io_assert_edge(graph, 1, 0, 3);
    dgm_graph_free(graph);
    graph = io_read(BANNER "real skew-symmetric\n2 2 1\n2 1 3\n", "x.mtx", &directed);
    io_assert_edge(graph, 0, 1, -3);
    io_assert_edge(graph, 1, 0, 3);
    dgm_graph_free(graph);
    graph = io_read(BANNER "real skew-symmetric\n2 2 1\n2 1 -3\n", "x.mtx", NULL);
    assert_int_equal(dgm_graph_edges(graph), 1);
    io_assert_edge(graph, 0, 1, 3);
    dgm_graph_free(graph);
}

static void what_is_wrong_is_said_with_its_line(void **state) {
    (void)state;
    io_refuse("1 2\n", "x.mtx", 1, "begins with");
    io_refuse("%%MatrixMarket vector\n", "x.mtx", 1, "vector");
    io_refuse(BANNER "complex general\n1 1 1\n1 1 1 1\n", "x.mtx", 1, "complex");
    io_refuse(BANNER "real hermitian\n", "x.mtx", 1, "hermitian");
    io_refuse(BANNER "pattern general\n% c\n", "x.mtx", 2, "size is missing");
    io_refuse(BANNER "pattern general\n3 3\n", "x.mtx", 2, "number of entries is missing");
    io_refuse(BANNER "pattern general\n3 4 1\n1 2\n", "x.mtx", 2, "square");
    io_refuse(BANNER "pattern general\n3 3 1000000000000000000\n1 2\n", "x.mtx", 2, "promised");
    io_refuse(BANNER "pattern general\n3 3 2\n1 2\n", "x.mtx", 3, "after 1 of 2");
    io_refuse(BANNER "pattern general\n3 3 1\n1 2\n2 3\n", "x.mtx", 4, "more than the 1");
    io_refuse(BANNER "pattern general\n3 3 1\n0 2\n", "x.mtx", 3, "outside 1 to 3");
    io_refuse(BANNER "pattern general\n3 3 1\n1 4\n", "x.mtx", 3, "column 4");
    io_refuse(BANNER "pattern general\n3 3 1\n1 2 3\n", "x.mtx", 3, "too many");
    io_refuse(BANNER "real general\n3 3 1\n1 2\n", "x.mtx", 3, "value is missing");
    io_refuse(BANNER "real general\n3 3 1\n1 2 inf\n", "x.mtx", 3, "finite");
    io_refuse(BANNER "pattern general\n9999999999 9999999999 1\n", "x.mtx", 2, "rows 9999999999");
    io_refuse(BANNER "pattern general\n2000000000 2000000000 1\n1 2\n", "x.mtx", 0, "nodes");
    io_refuse("%%MatrixMarket matrix array real general\n1 1\n1\n", "x.mtx", 2, "array");
}

static void a_matrix_without_entries_is_a_graph_without_edges(void **state) {
    (void)state;
    dgm_graph *graph = io_read(BANNER "pattern general\n5 5 0\n", "x.mtx", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 5);
    dgm_graph_free(graph);
    graph = io_read(BANNER "pattern general\n0 0 0\n", "x.mtx", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 0);
    dgm_graph_free(graph);
}

static dgm_status read_features_with(dgm_context *own, const char *text, dgm_graph_builder *builder,
                                     int64_t *rows) {
    dgmi_bytes_stream *stream;
    dgm_status status = dgmi_bytes_stream_open_memory(own, text, strlen(text), "f.mtx", &stream);
    if (status == DGM_OK)
        status = dgmi_io_read_mtx_features(own, stream, builder, rows);
    dgmi_bytes_stream_close(stream);
    return status;
}

static dgm_status read_features(const char *text, dgm_graph_builder *builder, int64_t *rows) {
    return read_features_with(ctx, text, builder, rows);
}

static dgm_graph *with_features(const char *text, int64_t nodes) {
    dgm_graph_builder *builder;
    dgm_graph *graph;
    int64_t rows;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(read_features(text, builder, &rows), DGM_OK);
    assert_int_equal(rows, nodes);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, nodes), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void features_are_sorted_into_rows(void **state) {
    (void)state;
    dgm_graph *graph = with_features(BANNER "pattern general\n3 5 4\n3 5\n1 4\n3 1\n1 2\n", 3);
    dgm_graph_features features = dgm_graph_get_features(graph);
    const int64_t offsets[] = {0, 2, 2, 4};
    const uint32_t columns[] = {1, 3, 0, 4};
    assert_int_equal(features.width, 5);
    assert_memory_equal(features.offsets, offsets, sizeof offsets);
    assert_memory_equal(features.columns, columns, sizeof columns);
    assert_null(features.values);
    dgm_graph_free(graph);
    graph = with_features(BANNER "real general\n2 2 2\n2 1 0.5\n1 2 4\n", 2);
    features = dgm_graph_get_features(graph);
    assert_true(features.values[0] == 4 && features.values[1] == 0.5f);
    dgm_graph_free(graph);
}

static void an_array_of_features_is_dense(void **state) {
    (void)state;
    dgm_graph *graph =
        with_features("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n", 2);
    dgm_graph_features features = dgm_graph_get_features(graph);
    const float rows[] = {1, 3, 5, 2, 4, 6};
    assert_int_equal(features.width, 3);
    assert_null(features.columns);
    assert_memory_equal(features.values, rows, sizeof rows);
    dgm_graph_free(graph);
}

static dgm_status read_features_alone(dgm_context *own, void *text) {
    dgm_graph_builder *builder;
    int64_t rows;
    dgm_status status = dgm_graph_builder_create(own, NULL, &builder);
    if (status == DGM_OK)
        status = read_features_with(own, text, builder, &rows);
    dgm_graph_builder_free(builder);
    return status;
}

static void every_allocation_of_features_may_fail(void **state) {
    (void)state;
    static char coordinates[] = BANNER "real general\n3 3 3\n3 1 1\n1 2 2\n3 3 3\n";
    static char array[] = "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n";
    fail_each_allocation(read_features_alone, coordinates);
    fail_each_allocation(read_features_alone, array);
}

static void wrong_features_are_refused(void **state) {
    (void)state;
    const char *const texts[] = {
        BANNER "pattern general\n3 5 2\n1 1\n1 1\n",
        BANNER "pattern symmetric\n3 3 1\n2 1\n",
        BANNER "real general\n2 2 1\n1 1 1e300\n",
        BANNER "pattern general\n2000000000 3 1\n1 1\n",
        "%%MatrixMarket matrix array real general\n2147483647 2147483647\n1\n",
        "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dgm_graph_builder *builder;
        int64_t rows;
        assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
        assert_int_equal(read_features(texts[i], builder, &rows), DGM_ERROR_FORMAT);
        dgm_graph_builder_free(builder);
    }
}

static void written_matrices_come_back(void **state) {
    (void)state;
    const char *const texts[] = {BANNER "pattern symmetric\n4 4 2\n2 1\n3 3\n",
                                 BANNER "real general\n3 3 3\n1 2 0.1\n2 1 0.1\n3 3 1e-300\n",
                                 BANNER "integer general\n3 3 1\n1 2 4\n"};
    const dgm_graph_options options[] = {
        DGM_GRAPH_OPTIONS_INIT, {sizeof(dgm_graph_options), true, true, 0, DGM_IDS_NUMBER, NULL}};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (size_t o = 0; o < 2; o++) {
            dgm_graph *graph = io_read(texts[t], "x.mtx", &options[o]), *back;
            assert_int_equal(dgm_graph_write(ctx, graph, io_path("w.mtx"), DGM_FORMAT_AUTO),
                             DGM_OK);
            assert_int_equal(
                dgm_graph_read(ctx, io_path("w.mtx"), DGM_FORMAT_AUTO, &options[o], NULL, &back),
                DGM_OK);
            assert_null(check_same_graph(graph, back, CHECK_NAMES));
            dgm_graph_free(graph);
            dgm_graph_free(back);
        }
}

static void names_that_do_not_fit_are_said_to_be_lost(void **state) {
    (void)state;
    size_t size;
    dgm_graph *graph = io_read("a b\n", "x.txt", NULL);
    assert_int_equal(dgm_graph_write(ctx, graph, io_path("n.mtx"), DGM_FORMAT_AUTO), DGM_OK);
    assert_non_null(strstr(io_notes, "does not keep names"));
    char *data = io_load(io_path("n.mtx"), &size);
    assert_string_equal(data, BANNER "pattern symmetric\n2 2 1\n2 1\n");
    free(data);
    dgm_graph_free(graph);
}

static void banners_that_are_nearly_right_are_refused(void **state) {
    (void)state;
    io_refuse("%%MatrixMarkex matrix coordinate real general\n", "x.mtx", 1, "begins with");
    io_refuse("%%MatrixMarket matrix array pattern general\n1 1\n1\n", "x.mtx", 1,
              "a pattern cannot be an array or skew-symmetric");
    io_refuse(BANNER "pattern skew-symmetric\n1 1 0\n", "x.mtx", 1,
              "a pattern cannot be an array or skew-symmetric");
    io_refuse(BANNER "aaaaaaaaaabbbbbbbbbbccccccccccdddddddddde general\n", "x.mtx", 1,
              "the field \"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...\" of a Matrix Market");
}

static void long_matrices_are_read_whole(void **state) {
    (void)state;
    enum { EDGES = 5000 };
    char *text = malloc(EDGES * 16 + 128);
    size_t used = (size_t)sprintf(text, "%sinteger symmetric\n%d %d %d\n", BANNER, EDGES + 1,
                                  EDGES + 1, EDGES);
    for (int u = 1; u <= EDGES; u++)
        used += (size_t)sprintf(text + used, "%d %d %d\n", u + 1, u, u);
    dgm_graph *graph = io_read(text, "x.mtx", NULL);
    assert_int_equal(dgm_graph_edges(graph), EDGES);
    for (uint32_t u = 0; u < EDGES; u++)
        io_assert_edge(graph, u, u + 1, u + 1);
    dgm_graph_free(graph);
    free(text);
}

static void columns_of_features_stand_in_any_order_and_once(void **state) {
    (void)state;
    const uint32_t ascending[] = {0, 1, 2, 3};
    dgm_graph *graph =
        with_features(BANNER "real general\n1 4 4\n1 3 30\n1 1 10\n1 4 40\n1 2 20\n", 1);
    dgm_graph_features features = dgm_graph_get_features(graph);
    assert_memory_equal(features.columns, ascending, sizeof ascending);
    for (int k = 0; k < 4; k++)
        assert_true(features.values[k] == (float)(10 * (k + 1)));
    dgm_graph_free(graph);
    dgm_graph_builder *builder;
    int64_t rows;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(read_features(BANNER "real general\n1 4 4\n1 3 30\n1 1 10\n1 3 40\n1 2 20\n",
                                   builder, &rows),
                     DGM_ERROR_FORMAT);
    assert_non_null(strstr(dgm_context_error(ctx), "an entry of row 1 is given twice"));
    dgm_graph_builder_free(builder);
}

static void weights_are_written_as_whole_numbers_where_they_are_some(void **state) {
    (void)state;
    static const struct {
        const char *text, *field;
    } cases[] = {{"0 1 2\n", "integer"},
                 {"0 1 2.5\n", "real"},
                 {"0 1 1e16\n", "real"},
                 {"0 1 -3\n", "integer"},
                 {"0 1\n", "pattern"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t size;
        char banner[128];
        dgm_graph *graph = io_read(cases[k].text, "x.txt", NULL);
        assert_int_equal(dgm_graph_write(ctx, graph, io_path("f.mtx"), DGM_FORMAT_AUTO), DGM_OK);
        char *data = io_load(io_path("f.mtx"), &size);
        snprintf(banner, sizeof banner, "%s%s symmetric\n", BANNER, cases[k].field);
        assert_memory_equal(data, banner, strlen(banner));
        free(data);
        dgm_graph_free(graph);
    }
}

static void a_single_arc_decides_the_field_and_whole_numbers_end_at_a_quadrillion(void **state) {
    (void)state;
    static const struct {
        const char *text, *field;
    } cases[] = {{"0 1 2.5\n", "real"},        {"0 1 1e15\n", "integer"},
                 {"0 1 -1e15\n", "integer"},   {"0 1 1000000000000001\n", "real"},
                 {"0 1 2\n1 0 2.5\n", "real"}, {"0 1\n", "pattern"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t size;
        char banner[128];
        dgm_graph *graph = io_read(cases[k].text, "x.txt", &directed);
        assert_int_equal(dgm_graph_write(ctx, graph, io_path("f.mtx"), DGM_FORMAT_AUTO), DGM_OK);
        char *data = io_load(io_path("f.mtx"), &size);
        snprintf(banner, sizeof banner, "%s%s general\n", BANNER, cases[k].field);
        assert_memory_equal(data, banner, strlen(banner));
        free(data);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pattern_is_an_unweighted_graph_named_from_one),
        cmocka_unit_test(values_are_weights),
        cmocka_unit_test(the_other_half_of_a_symmetric_matrix_counts_where_directions_do),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(a_matrix_without_entries_is_a_graph_without_edges),
        cmocka_unit_test(features_are_sorted_into_rows),
        cmocka_unit_test(an_array_of_features_is_dense),
        cmocka_unit_test(every_allocation_of_features_may_fail),
        cmocka_unit_test(wrong_features_are_refused),
        cmocka_unit_test(written_matrices_come_back),
        cmocka_unit_test(names_that_do_not_fit_are_said_to_be_lost),
        cmocka_unit_test(banners_that_are_nearly_right_are_refused),
        cmocka_unit_test(long_matrices_are_read_whole),
        cmocka_unit_test(columns_of_features_stand_in_any_order_and_once),
        cmocka_unit_test(weights_are_written_as_whole_numbers_where_they_are_some),
        cmocka_unit_test(a_single_arc_decides_the_field_and_whole_numbers_end_at_a_quadrillion),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
