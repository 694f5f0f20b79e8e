/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph_numbers.h"
#include "io_sample.h"

#define GRAPH(inside) "<gexf>\n<graph>\n" inside "</graph></gexf>"

static void a_file_of_gephi_is_read(void **state) {
    (void)state;
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph = read_data("gephi.gexf", &options);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_name(graph, 1, "n2");
    assert_number(graph, "Page Rank", 0, 0.25);
    assert_number(graph, "Page Rank", 1, 0.5);
    assert_text(graph, "town", 0, "K\xC3\xB6ln");
    assert_text(graph, "town", 2, NULL);
    assert_number(graph, "open", 1, 1);
    assert_number(graph, "open", 2, 0);
    assert_text(graph, "label", 2, "Cleo");
    assert_true(weight_of(graph, 0, 1) == 2.5);
    assert_true(weight_of(graph, 1, 0) == -1);
    assert_true(weight_of(graph, 1, 2) == 4 && weight_of(graph, 2, 1) == 4);
    assert_true(weight_of(graph, 2, 0) == 1);
    assert_non_null(strstr(notes, "1 edges are undirected in the file and kept as one arc"));
    assert_non_null(strstr(notes, "the graph changes with time; times are left out"));
    assert_non_null(strstr(notes, "nodes inside nodes are read as plain nodes"));
    dgm_graph_free(graph);
}

static void networkx_files_are_read(void **state) {
    (void)state;
    dgm_graph *graph = read_data("networkx_small.gexf", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_name(graph, 2, "\xC3\xBC");
    assert_int_equal(dgm_graph_attribute_find(graph, "label"), -1);
    assert_text(graph, "t", 0, "x<&\"\xC3\xA9\n");
    assert_number(graph, "w", 2, 2);
    assert_true(weight_of(graph, 0, 1) == 2.5);
    dgm_graph_free(graph);
    graph = read_data("networkx_multi.gexf", NULL);
    assert_int_equal(dgm_graph_name_base(graph), 0);
    assert_true(weight_of(graph, 1, 0) == 5);
    assert_string_equal(strstr(notes, ": "), ": 3 edges are directed in the file and read as "
                                             "undirected (directed keeps directions)\n");
    dgm_graph_free(graph);
}

static void a_declared_attribute_called_label_wins(void **state) {
    (void)state;
    dgm_graph *graph = read_text(
        "x.gexf",
        GRAPH("<attributes class=\"node\"><attribute id=\"0\" title=\"label\" type=\"integer\"/>"
              "</attributes><nodes><node id=\"a\" label=\"A\"><attvalues>"
              "<attvalue for=\"0\" value=\"3\"/></attvalues></node></nodes>"),
        NULL);
    assert_number(graph, "label", 0, 3);
    assert_int_equal(label_number(graph, 0), 3);
    assert_string_equal(notes,
                        "x.gexf: labels of nodes give way to the attribute titled 'label'\n");
    dgm_graph_free(graph);
}

static void a_mutual_edge_is_two_arcs_or_one_edge(void **state) {
    (void)state;
    for (int directed = 0; directed < 2; directed++) {
        const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = directed};
        dgm_graph *graph = read_text(
            "x.gexf",
            GRAPH("<nodes><node id=\"a\"/><node id=\"b\"/></nodes><edges><edge source=\"a\" "
                  "target=\"b\" type=\"mutual\" weight=\"3\"/></edges>"),
            &options);
        assert_int_equal(dgm_graph_get_counts(graph).records, 1 + directed);
        assert_true(weight_of(graph, 0, 1) == 3 && weight_of(graph, 1, 0) == 3);
        dgm_graph_free(graph);
    }
}

static void older_files_say_id_where_newer_ones_say_for(void **state) {
    (void)state;
    dgm_graph *graph = read_text(
        "x.gexf",
        GRAPH("<attributes class=\"node\"><attribute id=\"0\" title=\"age\" type=\"float\"/>"
              "</attributes><nodes><node id=\"a\"><attvalues>"
              "<attvalue id=\"0\" value=\"3.5\"/></attvalues></node></nodes>"),
        NULL);
    assert_number(graph, "age", 0, 3.5);
    dgm_graph_free(graph);
}

static void what_cannot_be_read_is_refused_with_its_line(void **state) {
    (void)state;
    refuse_text("x.gexf", GRAPH("<nodes>\n<node label=\"a\"/></nodes>"),
                "x.gexf:4: <node> has no attribute 'id'");
    refuse_text("x.gexf",
                GRAPH("<nodes><node id=\"a\"/></nodes><edges><edge source=\"a\"/></edges>"),
                "x.gexf:3: <edge> has no attribute 'target'");
    refuse_text("x.gexf",
                GRAPH("<nodes><node id=\"a\"/></nodes><edges>"
                      "<edge source=\"a\" target=\"a\" weight=\"inf\"/></edges>"),
                "x.gexf:3: the weight 'inf' is not a finite number");
    refuse_text("x.gexf",
                GRAPH("<nodes><node id=\"a\"/></nodes><edges>"
                      "<edge source=\"a\" target=\"a\" type=\"sideways\"/></edges>"),
                "x.gexf:3: the edge type 'sideways' is none of directed, undirected, mutual");
    refuse_text("x.gexf",
                GRAPH("<nodes><node id=\"a\"><attvalues><attvalue for=\"0\" value=\"1\"/>"
                      "</attvalues></node></nodes>"),
                "x.gexf:3: <attvalue> is for '0', which no <attribute> before it declares");
    refuse_text("x.gexf",
                GRAPH("<attributes class=\"node\"><attribute id=\"0\" title=\"age\" "
                      "type=\"integer\"/></attributes>"
                      "<nodes><node id=\"a\"><attvalues><attvalue for=\"0\" value=\"old\"/>"
                      "</attvalues></node></nodes>"),
                "x.gexf:3: 'age' is 'old': expected a number");
    refuse_text("x.gexf",
                GRAPH("<attributes class=\"node\"><attribute id=\"0\" title=\"a\"/>"
                      "<attribute id=\"0\" title=\"b\"/></attributes>"),
                "x.gexf:3: attribute '0' is declared twice");
    refuse_text("x.gexf", GRAPH("<attributes class=\"node\"><attribute title=\"a\"/></attributes>"),
                "x.gexf:3: <attribute> has no attribute 'id'");
    refuse_text("x.gexf", "<gexf><graph/>\n<graph/></gexf>",
                "x.gexf:2: a second graph: only files of one are read");
}

/* A file with these attributes of nodes, nodes and edges. */
static const char *gexf(const char *attributes, const char *nodes, const char *edges) {
    static char text[1024];
    snprintf(text, sizeof text,
             "<gexf><graph><attributes class=\"node\">%s</attributes><nodes>%s</nodes>"
             "<edges>%s</edges></graph></gexf>",
             attributes, nodes, edges);
    return text;
}

static void values_that_are_missing_or_wrong_are_known(void **state) {
    (void)state;
    const char *declared = "<attribute id=\"t\" title=\"t\"><default>a</default>"
                           "<default>b</default></attribute>"
                           "<attribute id=\"b\" title=\"b\" type=\"boolean\"/>"
                           "<attribute id=\"n\" title=\"n\" type=\"double\">"
                           "<default> </default></attribute>";
    dgm_graph *graph = read_text("x.gexf",
                                 gexf(declared,
                                      "<node id=\"0\"><attvalues>"
                                      "<attvalue for=\"b\" value=\"true\"/>"
                                      "<attvalue for=\"n\" value=\" \"/></attvalues></node>",
                                      ""),
                                 NULL);
    assert_text(graph, "t", 0, "a");
    assert_number(graph, "b", 0, 1);
    assert_number(graph, "n", 0, NAN);
    dgm_graph_free(graph);
    static const struct {
        const char *value, *words;
    } cases[] = {
        {"<attvalue for=\"b\" value=\"maybe\"/>", "'b' is 'maybe': expected true or false"},
        {"<attvalue for=\"n\" value=\"much\"/>", "'n' is 'much': expected a number"},
        {"<attvalue value=\"1\"/>", "for"},
        {"<attvalue for=\"n\"/>", "value"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char node[256];
        snprintf(node, sizeof node, "<node id=\"0\"><attvalues>%s</attvalues></node>",
                 cases[k].value);
        const char *text = gexf(declared, node, "");
        refuse_bytes("x.gexf", text, strlen(text), cases[k].words);
    }
}

static void weights_of_edges_are_finite(void **state) {
    (void)state;
    static const char *const weights[] = {"INF", "NaN", "", "  ", "heavy"};
    for (size_t k = 0; k < sizeof weights / sizeof *weights; k++) {
        char edge[128], words[64];
        snprintf(edge, sizeof edge, "<edge source=\"0\" target=\"0\" weight=\"%s\"/>", weights[k]);
        snprintf(words, sizeof words, "the weight '%s' is not a finite number", weights[k]);
        const char *text = gexf("", "<node id=\"0\"/>", edge);
        refuse_bytes("x.gexf", text, strlen(text), words);
    }
}

static void labels_of_edges_are_left_out_and_parents_too(void **state) {
    (void)state;
    static const struct {
        const char *label, *note;
    } cases[] = {{"", ""},
                 {" label=\"\"", ""},
                 {" label=\"road\"", "x.gexf: attributes of edges other than the weight are left "
                                     "out ('label')\n"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char edge[128];
        snprintf(edge, sizeof edge, "<edge source=\"0\" target=\"1\"%s/>", cases[k].label);
        dgm_graph_free(
            read_text("x.gexf", gexf("", "<node id=\"0\"/><node id=\"1\"/>", edge), NULL));
        assert_string_equal(notes, cases[k].note);
    }
    dgm_graph_free(
        read_text("x.gexf", gexf("", "<node id=\"0\"/><node id=\"1\" pid=\"0\"/>", ""), NULL));
    assert_string_equal(notes, "x.gexf: nodes inside nodes are read as plain nodes\n");
}

static void a_node_without_its_label_is_written_without_one(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.json",
                                 "{\"nodes\": [{\"id\": \"a\", \"label\": \"first\"}, "
                                 "{\"id\": \"b\"}], \"links\": []}",
                                 NULL);
    char *text = written(graph, "x.gexf");
    assert_non_null(strstr(text, "<node id=\"a\" label=\"first\"></node>"));
    assert_non_null(strstr(text, "<node id=\"b\"></node>"));
    free(text);
    dgm_graph *back = write_and_read(graph, "x.gexf", NULL);
    assert_same_graph(graph, back);
    dgm_graph_free(graph);
    dgm_graph_free(back);
}

/* ---- what is met once counts to the end ---- */

#define TIMES "x.gexf: the graph changes with time; times are left out\n"

static void a_time_anywhere_is_noted(void **state) {
    (void)state;
    static const char *const words[] = {"start",   "end",       "startopen",
                                        "endopen", "timestamp", "timeset"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        char node[128];
        snprintf(node, sizeof node, "<node id=\"0\" %s=\"1\"/><node id=\"1\"/>", words[k]);
        dgm_graph_free(
            read_text("x.gexf", gexf("", node, "<edge source=\"0\" target=\"1\"/>"), NULL));
        assert_string_equal(notes, TIMES);
    }
    static const char *const files[] = {
        "<gexf><graph mode=\"dynamic\"><nodes><node id=\"0\"/></nodes></graph></gexf>",
        ("<gexf><graph><attributes class=\"node\" mode=\"dynamic\"/><attributes class=\"node\"/>"
         "<nodes><node id=\"0\"/></nodes></graph></gexf>"),
        ("<gexf><graph><nodes><node id=\"0\"/></nodes><edges>"
         "<edge source=\"0\" target=\"0\" start=\"1\"/><edge source=\"0\" target=\"0\"/>"
         "</edges></graph></gexf>"),
        ("<gexf><graph><attributes class=\"node\"><attribute id=\"k\" type=\"double\"/>"
         "</attributes><nodes><node id=\"0\"><attvalues>"
         "<attvalue for=\"k\" value=\"1\" start=\"1\"/></attvalues></node><node id=\"1\">"
         "<attvalues><attvalue for=\"k\" value=\"1\"/></attvalues></node></nodes></graph></gexf>")};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        dgm_graph_free(read_text("x.gexf", files[k], NULL));
        assert_non_null(strstr(notes, TIMES));
    }
}

static void a_node_inside_another_is_noted_whatever_follows(void **state) {
    (void)state;
    static const char *const nodes[] = {
        "<node id=\"0\"/><node id=\"1\" pid=\"0\"/><node id=\"2\"/>",
        "<node id=\"0\"><nodes><node id=\"1\"/></nodes></node><node id=\"2\"/>"};
    for (int k = 0; k < 2; k++) {
        dgm_graph *graph = read_text("x.gexf", gexf("", nodes[k], ""), NULL);
        assert_int_equal(dgm_graph_nodes(graph), 3);
        assert_string_equal(notes, "x.gexf: nodes inside nodes are read as plain nodes\n");
        dgm_graph_free(graph);
    }
}

static void a_label_that_gives_way_is_noted_whatever_follows(void **state) {
    (void)state;
    const char *declared = "<attribute id=\"0\" title=\"label\" type=\"integer\"/>"
                           "<attribute id=\"1\" title=\"other\" type=\"integer\"/>";
    dgm_graph_free(read_text(
        "x.gexf", gexf(declared, "<node id=\"a\" label=\"A\"/><node id=\"b\" label=\"b\"/>", ""),
        NULL));
    assert_string_equal(notes,
                        "x.gexf: labels of nodes give way to the attribute titled 'label'\n");
    dgm_graph_free(read_text("x.gexf", gexf(declared, "<node id=\"b\" label=\"b\"/>", ""), NULL));
    assert_string_equal(notes, "");
}

static void defaults_are_of_the_attribute_around_them(void **state) {
    (void)state;
    dgm_graph *graph = read_text(
        "x.gexf",
        "<gexf><graph><attributes class=\"node\"><attribute id=\"m\" title=\"m\" type=\"double\">"
        "<default>3</default></attribute><attribute id=\"n\" title=\"n\" type=\"double\"/>"
        "</attributes><attributes class=\"edge\"><attribute id=\"e\" title=\"e\" type=\"double\">"
        "<default>7</default></attribute></attributes><nodes><node id=\"0\"/><node id=\"1\">"
        "<attvalues><attvalue for=\"n\" value=\"2\"/><attvalue for=\"m\" value=\"5\"/></attvalues>"
        "</node></nodes></graph></gexf>",
        NULL);
    assert_number(graph, "n", 0, NAN);
    assert_number(graph, "n", 1, 2);
    assert_number(graph, "m", 0, 3);
    assert_number(graph, "m", 1, 5);
    dgm_graph_free(graph);
    const char *text = gexf("<attribute id=\"n\" title=\"n\" type=\"double\">"
                            "<default>much</default></attribute>",
                            "<node id=\"0\"/>", "");
    refuse_bytes("x.gexf", text, strlen(text), "'n' is 'much': expected a number");
}

static void the_weight_of_an_edge_goes_before_its_value(void **state) {
    (void)state;
    dgm_graph *graph = read_text(
        "x.gexf",
        "<gexf><graph><attributes class=\"edge\"><attribute id=\"w\" title=\"Weight\" "
        "type=\"double\"/><attribute id=\"k\" title=\"networkx_key\"/></attributes><nodes>"
        "<node id=\"0\"/><node id=\"1\"/><node id=\"2\"/></nodes><edges>"
        "<edge source=\"0\" target=\"1\" weight=\"2\"><attvalues><attvalue for=\"w\" value=\"9\"/>"
        "</attvalues></edge><edge source=\"1\" target=\"2\"><attvalues>"
        "<attvalue for=\"w\" value=\"4\"/><attvalue for=\"k\" value=\"0\"/></attvalues></edge>"
        "<edge source=\"0\" target=\"2\"/></edges></graph></gexf>",
        NULL);
    assert_true(weight_of(graph, 0, 1) == 2);
    assert_true(weight_of(graph, 1, 2) == 4);
    assert_true(weight_of(graph, 0, 2) == 1);
    assert_string_equal(notes, "");
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_gephi_is_read),
        cmocka_unit_test(networkx_files_are_read),
        cmocka_unit_test(a_declared_attribute_called_label_wins),
        cmocka_unit_test(a_mutual_edge_is_two_arcs_or_one_edge),
        cmocka_unit_test(older_files_say_id_where_newer_ones_say_for),
        cmocka_unit_test(what_cannot_be_read_is_refused_with_its_line),
        cmocka_unit_test(values_that_are_missing_or_wrong_are_known),
        cmocka_unit_test(weights_of_edges_are_finite),
        cmocka_unit_test(labels_of_edges_are_left_out_and_parents_too),
        cmocka_unit_test(a_node_without_its_label_is_written_without_one),
        cmocka_unit_test(a_time_anywhere_is_noted),
        cmocka_unit_test(a_node_inside_another_is_noted_whatever_follows),
        cmocka_unit_test(a_label_that_gives_way_is_noted_whatever_follows),
        cmocka_unit_test(defaults_are_of_the_attribute_around_them),
        cmocka_unit_test(the_weight_of_an_edge_goes_before_its_value),
    };
    return RUN_GROUP(tests, make_context, free_context);
}
