/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../check_graph.h"
#include "io_check.h"

static void nodes_and_their_neighbours_are_read(void **state) {
    (void)state;
    dgm_graph *graph = io_read("# ann\nbob 2.5\ncleo\n# 7\nbob\n", "x.lgl", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 4);
    assert_string_equal(dgm_graph_name_text(graph, 0, NULL), "7"); /* numbers first */
    assert_string_equal(dgm_graph_name_text(graph, 1, NULL), "ann");
    io_assert_edge(graph, 1, 2, 2.5);
    io_assert_edge(graph, 1, 3, 1);
    io_assert_edge(graph, 0, 2, 1);
    assert_int_equal(dgm_graph_edges(graph), 3);
    dgm_graph_free(graph);
}

static void what_is_wrong_is_said_with_its_line(void **state) {
    (void)state;
    io_refuse("a b\n", "x.lgl", 1, "begins with \"# NAME\"");
    io_refuse("# a\nb 2 3\n", "x.lgl", 2, "a neighbour and perhaps a weight");
    io_refuse("# a\nb c\n", "x.lgl", 2, "weight \"c\" is not a finite number");
    io_refuse("# a b\n", "x.lgl", 1, "one name follows a #");
}

static void lines_that_are_no_text_are_refused(void **state) {
    (void)state;
    io_refuse("# a\nb\xff\n", "x.lgl", 2, "UTF-8");
    io_refuse("# a\nb inf\n", "x.lgl", 2, "weight \"inf\" is not a finite number");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_and_their_neighbours_are_read),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(lines_that_are_no_text_are_refused),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
