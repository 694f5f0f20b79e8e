/* SPDX-License-Identifier: Apache-2.0 */
/* Folders whose nodes have names: rows of all files follow the table of nodes, in whatever order the
 * edges name them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

/* A new folder of these edges, table and labels, read with ids as that. */
static dgm_graph *read_folder(const char *file, const char *edges, const char *table, dgm_ids ids) {
    static int folders;
    char name[64];
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .ids = ids};
    snprintf(name, sizeof name, "n%d/nodes.csv", ++folders);
    scratch_text(name, table);
    snprintf(name, sizeof name, "n%d/labels.txt", folders);
    scratch_text(name, "0\n1\n2\n");
    snprintf(name, sizeof name, "n%d/%s", folders, file);
    scratch_text(name, edges);
    snprintf(name, sizeof name, "n%d", folders);
    return scratch_read_with(scratch_path(name), &options, NULL);
}

/* In each of them one edge joins the first and the last row of the table. */
static void rows_follow_the_table_whatever_the_edges_name_first(void **state) {
    (void)state;
    static const struct {
        const char *file, *edges, *names[3];
        dgm_ids ids;
    } cases[] = {
        {"edges.tsv", "c\tb\n", {"b", "a", "c"}, DGM_IDS_NUMBER},
        {"edges.tsv", "2\tx\n", {"x", "10", "2"}, DGM_IDS_NUMBER},
        {"edges.tsv", "7\t5\n", {"5", "9", "7"}, DGM_IDS_NAME},
        {"edges.graphml",
         "<graphml><graph><node id=\"a\"/><node id=\"c\"/><node id=\"b\"/>"
         "<edge source=\"b\" target=\"c\"/></graph></graphml>",
         {"b", "a", "c"},
         DGM_IDS_NUMBER},
        {"edges.json",
         "{\"nodes\": [{\"id\": 2}, {\"id\": 1}], \"links\": [{\"source\": 1, \"target\": 2}]}",
         {"2", "x", "1"},
         DGM_IDS_NUMBER},
        {"edges.gml",
         "graph [ node [ id 0 label \"a\" ] node [ id 1 label \"b\" ] node [ id 2 label \"c\" ] "
         "edge [ source 1 target 2 ] ]",
         {"b", "a", "c"},
         DGM_IDS_NUMBER},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char table[64];
        snprintf(table, sizeof table, "id,row\n%s,0\n%s,1\n%s,2\n", cases[k].names[0],
                 cases[k].names[1], cases[k].names[2]);
        dgm_graph *graph = read_folder(cases[k].file, cases[k].edges, table, cases[k].ids);
        dgm_graph_rows rows = dgm_graph_get_rows(graph);
        int64_t row = dgm_graph_attribute_find(graph, "row");
        assert_int_equal(rows.nodes, 3);
        assert_int_equal(rows.entries, 2);
        for (int u = 0; u < 3; u++) {
            assert_string_equal(dgm_graph_name_text(graph, u, NULL), cases[k].names[u]);
            assert_int_equal(dgm_graph_labels(graph)[u], u);
            assert_true(dgm_graph_attribute(graph, row).numbers[u] == u);
        }
        assert_int_equal(rows.targets[rows.offsets[0]], 2);
        assert_int_equal(rows.targets[rows.offsets[2]], 0);
        dgm_graph_free(graph);
    }
}

/* Defaults of a file are for the nodes that it declares. */
static void attributes_of_the_edges_file_stay_with_their_nodes(void **state) {
    (void)state;
    dgm_graph *graph = read_folder(
        "edges.graphml",
        "<graphml><key id=\"v\" for=\"node\" attr.type=\"double\"><default>1</default></key>"
        "<key id=\"t\" for=\"node\"><default>none</default></key><graph>"
        "<node id=\"a\"><data key=\"v\">5</data></node>"
        "<node id=\"b\"><data key=\"t\">word</data></node></graph></graphml>",
        "id\nb\nlone\na\n", DGM_IDS_NUMBER);
    dgm_attribute v = dgm_graph_attribute(graph, dgm_graph_attribute_find(graph, "v"));
    dgm_attribute t = dgm_graph_attribute(graph, dgm_graph_attribute_find(graph, "t"));
    assert_true(v.numbers[0] == 1 && isnan(v.numbers[1]) && v.numbers[2] == 5);
    assert_string_equal(t.texts[0], "word");
    assert_null(t.texts[1]);
    assert_string_equal(t.texts[2], "none");
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_follow_the_table_whatever_the_edges_name_first),
        cmocka_unit_test(attributes_of_the_edges_file_stay_with_their_nodes),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
