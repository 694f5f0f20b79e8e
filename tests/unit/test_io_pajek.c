/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../check_graph.h"
#include "io_check.h"
#include "unit_faults.h"

static void vertices_arcs_and_edges_are_read(void **state) {
    (void)state;
    dgm_graph *graph =
        io_read("% a comment\r\n*Vertices 4\r\n1 \"Ann B\" 0.1 0.2 ellipse\r\n2 bob\r\n"
                "3 \"c\"\r\n*Arcs :1 \"likes\"\r\n1 2 2.5\r\n*Edges\r\n2 3 0.5\r\n",
                "x.net", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 4);
    assert_string_equal(dgm_graph_name_text(graph, 0, NULL), "Ann B");
    assert_string_equal(dgm_graph_name_text(graph, 1, NULL), "bob");
    assert_string_equal(dgm_graph_name_text(graph, 3, NULL), "4"); /* it has no line of its own */
    io_assert_edge(graph, 0, 1, 2.5);
    io_assert_edge(graph, 1, 2, 0.5);
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_non_null(strstr(io_notes, "places, shapes and colours of vertices are left out"));
    dgm_graph_free(graph);
}

static void lists_and_matrices_are_read(void **state) {
    (void)state;
    dgm_graph *graph = io_read("*vertices 4\n*arcslist\n1 2 3\n*EdgesList\n3 4\n", "x.net", NULL);
    assert_int_equal(dgm_graph_edges(graph), 3);
    assert_int_equal(dgm_graph_name_base(graph), 1);
    io_assert_edge(graph, 0, 2, 1);
    io_assert_edge(graph, 2, 3, 1);
    dgm_graph_free(graph);
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    graph = io_read("*Vertices 3\n*Matrix\n0 1 0\n0 0 2.5\n0 0 0\n", "x.net", &directed);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    assert_int_equal(rows.entries, 2);
    assert_int_equal(rows.targets[0], 1);
    assert_true(rows.weights[1] == 2.5);
    dgm_graph_free(graph);
}

static void labels_that_repeat_are_no_names(void **state) {
    (void)state;
    dgm_graph *graph =
        io_read("*Vertices 2\n1 \"a\"\n2 \"a\"\n*Edges\n1 2\n", "x.txt", NULL); /* by content */
    assert_int_equal(dgm_graph_name_base(graph), 1);
    assert_non_null(strstr(io_notes, "labels of nodes repeat"));
    dgm_graph_free(graph);
}

static void what_is_wrong_is_said_with_its_line(void **state) {
    (void)state;
    io_refuse("*Edges\n1 2\n", "x.net", 1, "stands before *Vertices");
    io_refuse("1 2\n", "x.net", 1, "begins with *Vertices");
    io_refuse("*Vertices\n", "x.net", 1, "followed by their number");
    io_refuse("*Vertices 2\n*Arcs\n0 1\n", "x.net", 3, "numbered from 1");
    io_refuse("*Vertices 2\n*Arcs\n1\n", "x.net", 3, "joins two vertices");
    io_refuse("*Vertices 2\n1 a\n1 b\n", "x.net", 3, "was given before");
    io_refuse("*Vertices 2\n*Matrix\n0 1 0\n", "x.net", 3, "as many rows");
    io_refuse("*Vertices 2000000000\n*Edges\n1 2\n", "x.net", 0, "2000000000 nodes are promised");
}

static void more_of_what_is_wrong_is_said_with_its_line(void **state) {
    (void)state;
    io_refuse("*Vertices 2\n*Vertices 2\n", "x.net", 2, "a second *Vertices");
    io_refuse("*Network x\n", "x.net", 2, "no *Vertices in the file");
    io_refuse("*Vertices 1\n*Matrix\n0\n0\n", "x.net", 4, "as many rows of as many numbers");
    io_refuse("*Vertices 2\n*Matrix\n0 1\nx 0\n", "x.net", 4, "\"x\" is not a number");
    io_refuse("*Vertices 2\n*Arcslist\n0 1\n", "x.net", 3, "numbered from 1");
    io_refuse("*Vertices 2\n*Edgeslist\n1 2\n1 0 2\n", "x.net", 4, "numbered from 1");
    dgm_graph *graph; /* in quotes it is no section but a vertex, and no number */
    const char *quoted = "*Vertices 1\n\"*Edges\"\n";
    assert_int_equal(
        dgm_graph_read_memory(ctx, quoted, strlen(quoted), "x.net", DGM_FORMAT_AUTO, NULL, &graph),
        DGM_ERROR_DATA);
    assert_non_null(strstr(dgm_context_error(ctx), "a vertex (from 1)"));
}

static void relations_are_numbered_behind_a_colon_and_other_words_are_passed_over(void **state) {
    (void)state;
    dgm_graph *graph =
        io_read("*Vertices 3\n1 \"\"\n2 two\n3\n*Edges:1\n1 2 x\n*Edgesome\n2 3\n", "x.net", NULL);
    assert_int_equal(dgm_graph_edges(graph), 1);
    assert_null(dgm_graph_get_rows(graph).weights);
    assert_string_equal(io_name(graph, 0), "1"); /* an empty label is none */
    assert_string_equal(io_name(graph, 1), "two");
    assert_non_null(strstr(io_notes, "\"*Edgesome\" and what follows is not read"));
    assert_non_null(strstr(io_notes, "other than the weight are left out ('x')"));
    dgm_graph_free(graph);
}

static void a_network_of_no_vertices_is_empty(void **state) {
    (void)state;
    dgm_graph *graph = io_read("*Vertices 0\n*Edges\n", "x.net", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 0);
    assert_int_equal(dgm_graph_edges(graph), 0);
    dgm_graph_free(graph);
}

static void a_place_of_any_vertex_is_noted(void **state) {
    (void)state;
    static const char *const texts[] = {"*Vertices 2\n1 a 0.5\n2 b\n",
                                        "*Vertices 2\n1 a\n2 b 0.5\n", "*Vertices 2\n1 a\n2 b\n"};
    for (int k = 0; k < 3; k++) {
        dgm_graph_free(io_read(texts[k], "x.net", NULL));
        assert_string_equal(
            io_notes, k < 2 ? "x.net: places, shapes and colours of vertices are left out\n" : "");
    }
}

static void vertices_end_at_their_number(void **state) {
    (void)state;
    static const char *const wrong[] = {"*Vertices 2\n*Edges\n1 3\n", "*Vertices 2\n*Edges\n-3 1\n",
                                        "*Vertices 2\n3 c\n", "*Vertices 2\n0 c\n"};
    for (int k = 0; k < 4; k++) {
        dgm_graph *graph;
        assert_int_equal(dgm_graph_read_memory(ctx, wrong[k], strlen(wrong[k]), "x.net",
                                               DGM_FORMAT_AUTO, NULL, &graph),
                         DGM_ERROR_DATA);
        assert_non_null(strstr(dgm_context_error(ctx), "is not a vertex (from 1)"));
    }
    dgm_graph *graph = io_read("*Vertices 2\n*Edges\n-2 1 3\n", "x.net", NULL);
    io_assert_edge(graph, 1, 0, 3);
    dgm_graph_free(graph);
}

static void words_behind_a_weight_are_left_out(void **state) {
    (void)state;
    dgm_graph *graph = io_read("*Vertices 3\n*Edges\n1 2 2.5 c Blue\n2 3 1\n", "x.net", NULL);
    io_assert_edge(graph, 0, 1, 2.5);
    assert_non_null(strstr(io_notes, "other than the weight are left out ('c')"));
    dgm_graph_free(graph);
    dgm_graph_free(io_read("*Vertices 3\n*Edges\n1 2 2.5\n2 3\n", "x.net", NULL));
    assert_string_equal(io_notes, "");
}

static void a_matrix_has_the_edges_of_its_cells(void **state) {
    (void)state;
    const dgm_graph_options directed = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true};
    dgm_graph *graph = io_read("*Vertices 2\n*Matrix\n5 2\n-3 0\n", "x.net", &directed);
    assert_int_equal(dgm_graph_get_rows(graph).entries, 3);
    io_assert_edge(graph, 0, 0, 5);
    io_assert_edge(graph, 0, 1, 2);
    io_assert_edge(graph, 1, 0, -3);
    dgm_graph_free(graph);
}

static dgm_status read_network(dgm_context *own, void *text) {
    dgm_graph *graph;
    dgm_status status =
        dgm_graph_read_memory(own, text, strlen(text), "x.net", DGM_FORMAT_AUTO, NULL, &graph);
    dgm_graph_free(graph);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char matrix[] = "*Vertices 3\n1 ann\n*Matrix\n0 1 2\n1 0 0\n0 3 0\n",
         lists[] = "*Vertices 4\n1 ann\n2 bob\n*Arcslist\n1 2 3\n*Edges\n3 4 0.5\n";
    fail_each_allocation(read_network, matrix);
    fail_each_allocation(read_network, lists);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_arcs_and_edges_are_read),
        cmocka_unit_test(lists_and_matrices_are_read),
        cmocka_unit_test(labels_that_repeat_are_no_names),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(more_of_what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(relations_are_numbered_behind_a_colon_and_other_words_are_passed_over),
        cmocka_unit_test(a_network_of_no_vertices_is_empty),
        cmocka_unit_test(a_place_of_any_vertex_is_noted),
        cmocka_unit_test(vertices_end_at_their_number),
        cmocka_unit_test(words_behind_a_weight_are_left_out),
        cmocka_unit_test(a_matrix_has_the_edges_of_its_cells),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
