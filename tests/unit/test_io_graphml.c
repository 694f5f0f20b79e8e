/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_sample.h"

#define GRAPH(inside) "<graphml>\n<graph edgedefault=\"undirected\">\n" inside "</graph></graphml>"

static void attributes_are_typed_and_have_defaults(void **state) {
    (void)state;
    dgm_graph *graph =
        read_text("x.graphml",
                  "<graphml>"
                  "<key id=\"d0\" for=\"node\" attr.name=\"mass\" attr.type=\"double\">"
                  "<default> 1.5 </default></key>"
                  "<key id=\"d1\" for=\"node\" attr.name=\"word\" attr.type=\"string\"/>"
                  "<key id=\"d2\" for=\"node\" attr.name=\"on\" attr.type=\"boolean\"/>"
                  "<key id=\"d3\" for=\"all\" attr.name=\"unused\" attr.type=\"int\"/>"
                  "<key id=\"plain\" for=\"node\"/>"
                  "<graph edgedefault=\"undirected\">"
                  "<node id=\"a\"><desc>first</desc><data key=\"d1\"> two  words</data>"
                  "<data key=\"d2\">True</data></node>"
                  "<node id=\"b\"><data key=\"d0\">-2e3</data><data key=\"d2\">false</data></node>"
                  "<node id=\"c\"><data key=\"d1\"></data><data key=\"d0\">NaN</data>"
                  "<data key=\"plain\">7</data></node>"
                  "<edge source=\"a\" target=\"b\"/></graph></graphml>",
                  NULL);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_int_equal(dgm_graph_attributes(graph), 4);
    assert_number(graph, "mass", 0, 1.5);
    assert_number(graph, "mass", 1, -2000);
    assert_text(graph, "word", 0, " two  words");
    assert_text(graph, "word", 1, NULL);
    assert_text(graph, "word", 2, "");
    assert_number(graph, "on", 0, 1);
    assert_number(graph, "on", 1, 0);
    assert_number(graph, "on", 2, NAN);
    assert_text(graph, "plain", 2, "7");
    assert_null(dgm_graph_get_rows(graph).weights);
    dgm_graph_free(graph);
}

static void the_weight_is_found_by_name_or_id_and_has_a_default(void **state) {
    (void)state;
    dgm_graph *graph =
        read_text("x.graphml",
                  "<graphml><key id=\"d0\" for=\"edge\" attr.name=\"Weight\" attr.type=\"double\">"
                  "<default>3</default></key>"
                  "<graph><node id=\"0\"/><node id=\"1\"/><node id=\"2\"/>"
                  "<edge source=\"0\" target=\"1\"><data key=\"d0\">0.1</data></edge>"
                  "<edge source=\"1\" target=\"2\"/></graph></graphml>",
                  NULL);
    assert_true(weight_of(graph, 1, 0) == 0.1);
    assert_true(weight_of(graph, 1, 2) == 3);
    dgm_graph_free(graph);
    graph = read_text("x.graphml",
                      "<graphml><key id=\"weight\" for=\"edge\" attr.name=\"Edge Weight\" "
                      "attr.type=\"double\"/>"
                      "<graph><node id=\"0\"/><node id=\"1\"/><node id=\"2\"/>"
                      "<edge source=\"1\" target=\"2\"><data key=\"weight\"></data></edge>"
                      "<edge source=\"0\" target=\"1\"><data key=\"weight\">2</data></edge>"
                      "</graph></graphml>",
                      NULL);
    assert_true(weight_of(graph, 0, 1) == 2);
    assert_true(weight_of(graph, 2, 1) == 1);
    dgm_graph_free(graph);
}

static void edges_may_come_before_their_nodes(void **state) {
    (void)state;
    dgm_graph *graph =
        read_text("x.graphml",
                  GRAPH("<edge source=\"b\" target=\"a\"/><node id=\"a\"/><node id=\"b\"/>"), NULL);
    assert_name(graph, 0, "b");
    assert_int_equal(dgm_graph_edges(graph), 1);
    dgm_graph_free(graph);
}

static void directions_are_reported_and_kept_on_request(void **state) {
    (void)state;
    const char *text = "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>"
                       "<edge source=\"b\" target=\"a\"/>"
                       "<edge source=\"a\" target=\"b\" directed=\"false\"/></graph></graphml>";
    dgm_graph *graph = read_text("x.graphml", text, NULL);
    assert_string_equal(notes, "x.graphml: 1 edges are directed in the file and read as undirected "
                               "(directed keeps directions)\n");
    assert_int_equal(dgm_graph_edges(graph), 1);
    dgm_graph_free(graph);
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = true};
    graph = read_text("x.graphml", text, &options);
    assert_string_equal(notes, "x.graphml: 1 edges are undirected in the file and kept as one arc "
                               "each, from source to target\n");
    assert_int_equal(dgm_graph_edges(graph), 2);
    dgm_graph_free(graph);
}

static void what_cannot_be_read_is_refused_with_its_line(void **state) {
    (void)state;
    const char *plain = "x.graphml:3: nested graphs, hyperedges and ports are not read: expected "
                        "plain nodes and edges";
    refuse_text("x.graphml", GRAPH("<node id=\"a\"><graph/></node>"), plain);
    refuse_text("x.graphml", GRAPH("<node id=\"a\"><port name=\"n\"/></node>"), plain);
    refuse_text("x.graphml", GRAPH("<hyperedge><endpoint node=\"a\"/></hyperedge>"), plain);
    refuse_text("x.graphml",
                GRAPH("<node id=\"a\"/><edge source=\"a\" target=\"a\" sourceport=\"n\"/>"), plain);
    refuse_text("x.graphml", "<graphml><graph/>\n<graph/></graphml>",
                "x.graphml:2: a second graph: only files of one are read");
    refuse_text("x.graphml", GRAPH("<node/>"), "x.graphml:3: <node> has no attribute 'id'");
    refuse_text("x.graphml", GRAPH("<edge source=\"a\"/>"),
                "x.graphml:3: <edge> has no attribute 'target'");
    refuse_text("x.graphml", GRAPH("<node id=\"a\">\n<data key=\"k\">1</data></node>"),
                "x.graphml:4: <data> has the key 'k', which no <key> before it declares");
    refuse_text("x.graphml", GRAPH("<node id=\"a\">\n<data>1</data></node>"),
                "x.graphml:4: <data> has no attribute 'key'");
    refuse_text("x.graphml", "<graphml>\n<key for=\"node\"/></graphml>",
                "x.graphml:2: <key> has no attribute 'id'");
    refuse_text("x.graphml", "<graphml><graph edgedefault=\"both\"/></graphml>",
                "x.graphml:1: edgedefault is 'both': expected directed or undirected");
    refuse_text("x.graphml", "<graphml><key id=\"k\" attr.type=\"complex\"/></graphml>",
                "x.graphml:1: attr.type 'complex' is none of boolean, int, long, float, double, "
                "string");
    refuse_text("x.graphml", "<graphml><key id=\"k\"/>\n<key id=\"k\"/></graphml>",
                "x.graphml:2: key 'k' is declared twice");
}

#define KEY(type)                                                                                  \
    "<graphml><key id=\"k\" for=\"node\" attr.name=\"age\" attr.type=\"" type "\"/>"               \
    "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n"

static void values_of_the_wrong_type_are_refused(void **state) {
    (void)state;
    refuse_text(
        "x.graphml",
        KEY("int") "<graph><node id=\"a\"><data key=\"k\">old</data></node></graph></graphml>",
        "x.graphml:2: 'age' is 'old': expected a number");
    refuse_text("x.graphml",
                KEY("boolean") "<graph><node id=\"a\"><data "
                               "key=\"k\">maybe</data></node></graph></graphml>",
                "x.graphml:2: 'age' is 'maybe': expected true or false");
    refuse_text("x.graphml",
                KEY("int") "<graph><node id=\"a\"/><edge source=\"a\" target=\"a\"><data "
                           "key=\"w\">heavy</data></edge></graph></graphml>",
                "x.graphml:2: 'weight' is 'heavy': expected a number");
    refuse_text("x.graphml",
                KEY("int") "<graph><node id=\"a\"/><edge source=\"a\" target=\"a\"><data "
                           "key=\"w\">NaN</data></edge></graph></graphml>",
                "x.graphml:2: the weight of an edge is not a finite number");
    refuse_text("x.graphml",
                KEY("int") "<graph><node id=\"a\"/><edge source=\"a\" target=\"a\"><data "
                           "key=\"w\">1e999</data></edge></graph></graphml>",
                "x.graphml:2: the weight of the edge from 'a' to 'a' is not a finite number");
}

static void networkx_files_are_read(void **state) {
    (void)state;
    dgm_graph *graph = read_data("networkx_small.graphml", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_name(graph, 2, "\xC3\xBC");
    assert_number(graph, "size", 1, 2);
    assert_number(graph, "w", 0, 1.5);
    assert_number(graph, "w", 2, 2);
    assert_text(graph, "t", 0, "x<&\"\xC3\xA9\n");
    assert_number(graph, "flag", 0, 1);
    assert_true(weight_of(graph, 0, 1) == 2.5);
    assert_non_null(
        strstr(notes, "attributes of edges other than the weight are left out ('kind')"));
    dgm_graph_free(graph);
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = true};
    graph = read_data("networkx_multi.graphml", &options);
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_int_equal(dgm_graph_get_counts(graph).repeats_merged, 1);
    assert_true(weight_of(graph, 0, 1) == 5);
    dgm_graph_free(graph);
}

static void yed_files_are_read_without_their_drawings(void **state) {
    (void)state;
    dgm_graph *graph = read_data("yed.graphml", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 2);
    assert_int_equal(dgm_graph_attributes(graph), 1);
    assert_number(graph, "mass", 0, 1.5);
    assert_number(graph, "mass", 1, 2);
    dgm_graph_free(graph);
}

/* A file with these keys, nodes and edges. */
static const char *graphml(const char *keys, const char *content) {
    static char text[1024];
    snprintf(text, sizeof text, "<graphml>%s<graph edgedefault=\"undirected\">%s</graph></graphml>",
             keys, content);
    return text;
}

static void booleans_are_words_or_digits(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value; /* 9: refused */
    } cases[] = {{"true", 1},  {"TRUE", 1},  {" True\n", 1}, {"1", 1},     {"0", 0},
                 {"false", 0}, {"False", 0}, {"", NAN},      {" \t", NAN}, {"2", 9},
                 {"trux", 9},  {"falsy", 9}, {"yes", 9},     {"truely", 9}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char content[128];
        snprintf(content, sizeof content, "<node id=\"0\"><data key=\"b\">%s</data></node>",
                 cases[k].text);
        const char *text =
            graphml("<key id=\"b\" for=\"node\" attr.name=\"on\" attr.type=\"boolean\"/>", content);
        if (cases[k].value == 9) {
            refuse_bytes("x.graphml", text, strlen(text), "expected true or false");
            continue;
        }
        dgm_graph *graph = read_text("x.graphml", text, NULL);
        assert_number(graph, "on", 0, cases[k].value);
        dgm_graph_free(graph);
    }
}

static void the_first_default_counts_and_empty_ones_do_not(void **state) {
    (void)state;
    const dgm_graph_options three = {.size = sizeof(dgm_graph_options), .nodes = 3};
    dgm_graph *graph =
        read_text("x.graphml",
                  graphml("<key id=\"t\" for=\"node\" attr.name=\"t\" attr.type=\"string\">"
                          "<default>a</default><default>b</default></key>"
                          "<key id=\"n\" for=\"node\" attr.name=\"n\" attr.type=\"int\">"
                          "<default>4</default><default>5</default></key>"
                          "<key id=\"e\" for=\"node\" attr.name=\"e\" attr.type=\"int\">"
                          "<default> </default></key>"
                          "<key id=\"s\" for=\"node\" yfiles.type=\"nodegraphics\">"
                          "<default>6</default></key>"
                          "<key id=\"c\" for=\"node\" attr.name=\"c\" attr.type=\"int\">"
                          "<default><x>7</x></default></key>",
                          "<node id=\"0\"/><node id=\"1\"/>"),
                  &three);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_text(graph, "t", 0, "a");
    assert_text(graph, "t", 2, NULL); /* asked for, not in the file */
    assert_number(graph, "n", 1, 4);
    assert_number(graph, "n", 2, NAN);
    assert_number(graph, "e", 0, NAN);
    assert_number(graph, "c", 0, NAN);
    assert_int_equal(dgm_graph_attribute_find(graph, "s"), -1);
    dgm_graph_free(graph);
}

static void a_default_weight_may_be_declared_as_text(void **state) {
    (void)state;
    static const char *const nodes = "<node id=\"0\"/><node id=\"1\"/>"
                                     "<edge source=\"0\" target=\"1\"/>";
    dgm_graph *graph =
        read_text("x.graphml",
                  graphml("<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"string\">"
                          "<default>2.5</default></key>",
                          nodes),
                  NULL);
    assert_true(weight_of(graph, 0, 1) == 2.5);
    dgm_graph_free(graph);
    graph = read_text("x.graphml",
                      graphml("<key id=\"w\" for=\"node\" attr.name=\"weight\" "
                              "attr.type=\"string\"><default>heavy</default></key>",
                              nodes),
                      NULL);
    assert_text(graph, "weight", 1, "heavy");
    assert_null(dgm_graph_get_rows(graph).weights);
    dgm_graph_free(graph);
}

static void weights_with_elements_inside_are_left_out(void **state) {
    (void)state;
    dgm_graph *graph =
        read_text("x.graphml",
                  graphml("<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>",
                          "<node id=\"0\"/><node id=\"1\"/><edge source=\"0\" target=\"1\">"
                          "<data key=\"w\"><b>2</b></data></edge>"),
                  NULL);
    assert_null(dgm_graph_get_rows(graph).weights);
    assert_non_null(strstr(notes, "other than the weight are left out ('weight')"));
    dgm_graph_free(graph);
}

static void edges_have_two_ends_and_no_ports(void **state) {
    (void)state;
    static const struct {
        const char *edge, *words;
    } cases[] = {{"<edge target=\"0\"/>", "source"},
                 {"<edge source=\"0\"/>", "target"},
                 {"<edge source=\"0\" target=\"0\" sourceport=\"a\"/>", "ports are not read"},
                 {"<edge source=\"0\" target=\"0\" targetport=\"a\"/>", "ports are not read"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char content[128];
        snprintf(content, sizeof content, "<node id=\"0\"/>%s", cases[k].edge);
        const char *text = graphml("", content);
        refuse_bytes("x.graphml", text, strlen(text), cases[k].words);
    }
}

static void a_default_of_edges_is_no_attribute_of_nodes(void **state) {
    (void)state;
    dgm_graph *graph = read_text(
        "x.graphml",
        "<graphml><key id=\"c\" for=\"edge\" attr.name=\"colour\" attr.type=\"string\">"
        "<default>red</default></key><key id=\"n\" for=\"edge\" attr.name=\"size\" "
        "attr.type=\"double\"><default>3</default></key>"
        "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"><default>4</default>"
        "</key><key id=\"s\" for=\"node\" attr.name=\"town\" attr.type=\"string\">"
        "<default>Ulm</default></key><graph><node id=\"a\"/><node id=\"b\"/>"
        "<edge source=\"a\" target=\"b\"/></graph></graphml>",
        NULL);
    assert_int_equal(dgm_graph_attributes(graph), 1);
    assert_text(graph, "town", 1, "Ulm");
    assert_true(weight_of(graph, 0, 1) == 4);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_are_typed_and_have_defaults),
        cmocka_unit_test(the_weight_is_found_by_name_or_id_and_has_a_default),
        cmocka_unit_test(edges_may_come_before_their_nodes),
        cmocka_unit_test(directions_are_reported_and_kept_on_request),
        cmocka_unit_test(what_cannot_be_read_is_refused_with_its_line),
        cmocka_unit_test(values_of_the_wrong_type_are_refused),
        cmocka_unit_test(networkx_files_are_read),
        cmocka_unit_test(yed_files_are_read_without_their_drawings),
        cmocka_unit_test(booleans_are_words_or_digits),
        cmocka_unit_test(the_first_default_counts_and_empty_ones_do_not),
        cmocka_unit_test(a_default_weight_may_be_declared_as_text),
        cmocka_unit_test(weights_with_elements_inside_are_left_out),
        cmocka_unit_test(edges_have_two_ends_and_no_ports),
        cmocka_unit_test(a_default_of_edges_is_no_attribute_of_nodes),
    };
    return RUN_GROUP(tests, make_context, free_context);
}
