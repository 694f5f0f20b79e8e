/* SPDX-License-Identifier: Apache-2.0 */
/* What the readers of GraphML, GEXF, GML and JSON decide alike, asked of all four. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph_numbers.h"
#include "io_collect.h"
#include "io_sample.h"

enum { FORMATS = 4 };
static const char *const files[FORMATS] = {"x.graphml", "x.gexf", "x.gml", "x.json"};

/* Nodes "id:value" and edges "source>target", blanks between, spelled in each format; `key` names
 * the attribute. */
static const char *spell(int format, const char *key, const char *nodes, const char *edges) {
    static char text[1 << 14];
    static const char *const heads[FORMATS] = {
        "<graphml><key id=\"k\" for=\"node\" attr.name=\"%s\" attr.type=\"double\"/><graph>\n",
        ("<gexf><graph><attributes class=\"node\"><attribute id=\"k\" title=\"%s\" "
         "type=\"double\"/>"
         "</attributes><nodes>\n"),
        "graph [\n", "{\"nodes\": [\n"};
    static const char *const with[FORMATS] = {
        "<node id=\"%1$s\"><data key=\"k\">%3$s</data></node>\n",
        "<node id=\"%1$s\"><attvalues><attvalue for=\"k\" value=\"%3$s\"/></attvalues></node>\n",
        "node [ id \"%1$s\" %2$s %3$s ]\n", "{\"id\": \"%1$s\", \"%2$s\": %3$s},\n"};
    static const char *const without[FORMATS] = {"<node id=\"%s\"/>\n", "<node id=\"%s\"/>\n",
                                                 "node [ id \"%s\" ]\n", "{\"id\": \"%s\"},\n"};
    static const char *const middles[FORMATS] = {"", "</nodes><edges>\n", "", "], \"links\": [\n"};
    static const char *const links[FORMATS] = {
        "<edge source=\"%s\" target=\"%s\"/>\n", "<edge source=\"%s\" target=\"%s\"/>\n",
        "edge [ source \"%s\" target \"%s\" ]\n", "{\"source\": \"%s\", \"target\": \"%s\"},\n"};
    static const char *const tails[FORMATS] = {"</graph></graphml>", "</edges></graph></gexf>", "]",
                                               "]}"};
    char *at = text, word[64], *mark;
    int used;
    at += sprintf(at, heads[format], key);
    for (; sscanf(nodes, " %63s%n", word, &used) == 1; nodes += used) {
        if ((mark = strchr(word, ':'))) {
            *mark = '\0';
            at += sprintf(at, with[format], word, key, mark + 1);
        } else {
            at += sprintf(at, without[format], word);
        }
    }
    if (format == 3 && at[-2] == ',')
        at -= 2;
    at += sprintf(at, "%s", middles[format]);
    for (; sscanf(edges, " %63s%n", word, &used) == 1; edges += used) {
        mark = strchr(word, '>');
        *mark = '\0';
        at += sprintf(at, links[format], word, mark + 1);
    }
    if (format == 3 && at[-2] == ',')
        at -= 2;
    sprintf(at, "%s", tails[format]);
    return text;
}

static dgm_graph *read_spelled(int format, const char *key, const char *nodes, const char *edges,
                               const dgm_graph_options *options) {
    return read_text(files[format], spell(format, key, nodes, edges), options);
}

static void whole_numbers_from_zero_or_one_are_numbers_in_any_order(void **state) {
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *graph = read_spelled(f, "a", "2:20 0:0 1:10", "2>0", NULL);
        assert_int_equal(dgm_graph_name_base(graph), 0);
        assert_number(graph, "a", 1, 10);
        assert_number(graph, "a", 2, 20);
        assert_true(weight_of(graph, 0, 2) == 1);
        dgm_graph_free(graph);
        graph = read_spelled(f, "a", "3 1 2:10", "1>3", NULL);
        assert_int_equal(dgm_graph_name_base(graph), 1);
        assert_number(graph, "a", 1, 10);
        assert_true(weight_of(graph, 0, 2) == 1);
        dgm_graph_free(graph);
    }
}

static void other_whole_numbers_are_names_in_ascending_order(void **state) {
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *graph = read_spelled(f, "a", "10:1 9:2 -3", "9>-3", NULL);
        assert_int_equal(dgm_graph_name_base(graph), -1);
        assert_name(graph, 0, "-3");
        assert_name(graph, 1, "9");
        assert_name(graph, 2, "10");
        assert_number(graph, "a", 1, 2);
        assert_true(weight_of(graph, 0, 1) == 1);
        dgm_graph_free(graph);
    }
}

static void other_ids_are_names_in_the_order_of_the_file(void **state) {
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *graph = read_spelled(f, "a", "1 0 b", "", NULL);
        assert_name(graph, 0, "1");
        assert_name(graph, 2, "b");
        dgm_graph_free(graph);
        graph = read_spelled(f, "a", "01 00", "", NULL);
        assert_name(graph, 0, "01");
        dgm_graph_free(graph);
        const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .ids = DGM_IDS_NAME};
        graph = read_spelled(f, "a", "1:5 0", "", &options);
        assert_int_equal(dgm_graph_name_base(graph), -1);
        assert_name(graph, 0, "1");
        assert_number(graph, "a", 0, 5);
        dgm_graph_free(graph);
    }
}

static void more_nodes_may_be_asked_for_where_names_are_numbers(void **state) {
    (void)state;
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .nodes = 4};
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *graph = read_spelled(f, "a", "0:1 1:2", "", &options);
        assert_int_equal(dgm_graph_nodes(graph), 4);
        assert_number(graph, "a", 1, 2);
        assert_number(graph, "a", 3, NAN);
        dgm_graph_free(graph);
        const char *text = spell(f, "a", "p q", "");
        assert_int_equal(try_text(files[f], text, strlen(text), &options, &graph), DGM_ERROR_USAGE);
    }
}

static void empty_graphs_are_read(void **state) {
    (void)state;
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *graph = read_spelled(f, "a", "", "", NULL);
        assert_int_equal(dgm_graph_nodes(graph), 0);
        dgm_graph_free(graph);
    }
}

static void a_node_given_twice_is_refused(void **state) {
    (void)state;
    static const char *const sentences[FORMATS] = {
        "x.graphml:4: node 'b' was given before, in line 3",
        "x.gexf:4: node 'b' was given before, in line 3",
        "x.gml:4: node 'b' was given before, in line 3", "x.json: node 'b' is given twice"};
    for (int f = 0; f < FORMATS; f++)
        refuse_text(files[f], spell(f, "a", "a b b", ""), sentences[f]);
}

static void an_edge_to_an_undeclared_node_is_refused(void **state) {
    (void)state;
    static const char *const sentences[FORMATS] = {
        "x.graphml:4: an edge names the node 'c', which the file does not declare",
        "x.gexf:5: an edge names the node 'c', which the file does not declare",
        "x.gml:4: an edge names the node 'c', which the file does not declare",
        "x.json: links[0] names the node 'c', which is not among the nodes"};
    for (int f = 0; f < FORMATS; f++)
        refuse_text(files[f], spell(f, "a", "a b", "c>a"), sentences[f]);
}

static void labels_are_whole_numbers_of_a_known_name(void **state) {
    (void)state;
    static const char *const names[] = {"label", "y", "class"};
    for (int f = 0; f < FORMATS; f++) {
        for (int i = 0; i < 3; i++) {
            dgm_graph *graph = read_spelled(f, names[i], "b:2 c d:-1 a:0", "", NULL);
            const int32_t expected[] = {2, -1, -1, 0};
            ASSERT_LABEL_NUMBERS(graph, expected);
            assert_int_equal(dgm_graph_classes(graph), 2);
            assert_number(graph, names[i], 0, 2);
            dgm_graph_free(graph);
        }
        static const char *const others[] = {"a:1.5 b:2", "a:-2 b", "a:16777216", "a b"};
        for (int i = 0; i < 4; i++) {
            dgm_graph *graph = read_spelled(f, "label", others[i], "", NULL);
            assert_null(dgm_graph_labels(graph));
            dgm_graph_free(graph);
        }
        dgm_graph *graph = read_spelled(f, "group", "a:1 b:2", "", NULL);
        assert_null(dgm_graph_labels(graph));
        dgm_graph_free(graph);
    }
}

static void a_place_in_the_plane_is_no_label(void **state) {
    (void)state;
    dgm_graph *graph =
        read_text("x.gml", "graph [ node [ id 0 x 1 y 2 ] node [ id 1 x 3 y 4 ] ]", NULL);
    assert_null(dgm_graph_labels(graph));
    dgm_graph_free(graph);
    graph = read_text("x.gml", "graph [ node [ id 0 class 1 y 2 label 3 ] ]", NULL);
    assert_int_equal(label_number(graph, 0), 3);
    dgm_graph_free(graph);
}

/* A file of a few hundred kilobytes that asks for 40 GB of empty entries. */
static void attributes_that_are_nearly_all_missing_are_refused(void **state) {
    (void)state;
    enum { NODES = 70000 };
    char *text = malloc((size_t)NODES * 32), *at = text;
    at += sprintf(at, "graph [");
    for (int i = 0; i < NODES; i++)
        at += sprintf(at, "node [ id %d a%d 1 ]\n", i, i);
    sprintf(at, "]");
    refuse_text("x.gml", text,
                "x.gml: 70000 attributes of 70000 nodes are nearly all missing: too many columns");
    free(text);
}

/* ---- memory ---- */

/* The k-th allocation fails, once. */
typedef struct {
    int64_t calls, fail_at;
} failing;

static void *resize_failing(void *user, void *block, size_t size) {
    failing *memory = user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return ++memory->calls == memory->fail_at ? NULL : realloc(block, size);
}

/* Whether reading got through with the k-th allocation refused. */
static bool read_with_failure(const char *file, const char *text, int64_t k) {
    failing memory = {0, k};
    const dgm_allocator allocator = {resize_failing, &memory};
    dgm_context *frail;
    dgm_graph *graph = NULL;
    if (dgm_context_create(&allocator, &frail) != DGM_OK)
        return false;
    dgm_context_set_threads(frail, 1);
    dgm_status status =
        dgm_graph_read_memory(frail, text, strlen(text), file, DGM_FORMAT_AUTO, NULL, &graph);
    if (status != DGM_OK) {
        assert_int_equal(status, DGM_ERROR_MEMORY);
        assert_int_equal(dgm_context_error_parts(frail).status, DGM_ERROR_MEMORY);
        assert_null(graph);
    }
    dgm_graph_free(graph);
    dgm_context_free(frail);
    return memory.calls < k;
}

static void every_failed_allocation_is_a_clean_error(void **state) {
    (void)state;
    static const char *const kinds[] = {"0:1 1:2 2", "a:1 b:2 c"};
    for (int f = 0; f < FORMATS; f++)
        for (int i = 0; i < 2; i++) {
            const char *edges = i ? "a>b c>b" : "0>1 2>1";
            int64_t k = 1;
            while (!read_with_failure(files[f], spell(f, "label", kinds[i], edges), k))
                assert_true(++k < 10000);
            assert_true(k > 10);
        }
    const char *rich[][2] = {
        {"x.graphml", "<graphml><key id=\"k\"><default>none</default></key>"
                      "<graph><node id=\"a\"/></graph></graphml>"},
        {"x.graphml", "<graphml><key id=\"k\"/><graph><node id=\"a\"><data key=\"k\">word</data>"
                      "</node></graph></graphml>"},
        {"x.graphml",
         "<graphml><key id=\"d0\" for=\"node\" attr.name=\"t\" attr.type=\"string\">"
         "<default>none</default></key><key id=\"w\" for=\"edge\" attr.name=\"weight\"/>"
         "<graph><node id=\"a\"><data key=\"d0\">word</data></node><node id=\"b\"/>"
         "<edge source=\"a\" target=\"b\"><data key=\"w\">2</data></edge></graph></graphml>"},
        {"x.gml", "graph [ names \"label\" node [ id 0 label \"a\" t 1 ] "
                  "node [ id 1 label \"&#233;\" t \"w\" ] edge [ source 0 target 1 value 2 ] ]"},
    };
    for (size_t i = 0; i < sizeof rich / sizeof *rich; i++)
        for (int64_t k = 1; !read_with_failure(rich[i][0], rich[i][1], k); k++)
            assert_true(k < 10000);
}

/* A path whose edges name their nodes first, so that memory ends at a source, at a target and at an
 * edge; and numbers that become texts because of the last node. */
static void a_failed_allocation_is_a_clean_error_wherever_arrays_grow(void **state) {
    (void)state;
    enum { NODES = 50 };
    static char text[1 << 13];
    char *at = text + sprintf(text, "graph [\n");
    for (int u = 0; u + 1 < NODES; u++)
        at += sprintf(at, "edge [ source \"node%d\" target \"node%d\" ]\n", u, u + 1);
    for (int u = 0; u < NODES; u++)
        at += sprintf(at, "node [ id \"node%d\" t %s ]\n", u, u + 1 < NODES ? "12.5" : "\"w\"");
    sprintf(at, "]");
    for (int64_t k = 1; !read_with_failure("x.gml", text, k); k++)
        assert_true(k < 10000);
    dgm_graph *graph = read_text("x.gml", text, NULL);
    assert_int_equal(dgm_graph_edges(graph), NODES - 1);
    assert_text(graph, "t", 0, "12.5");
    assert_text(graph, "t", NODES - 1, "w");
    dgm_graph_free(graph);
}

static bool stop_at_once(void *user, const char *stage, double fraction) {
    (void)user, (void)stage, (void)fraction;
    return false;
}

static void a_reader_stops_when_it_is_asked_to(void **state) {
    (void)state;
    dgm_context_set_progress(ctx, stop_at_once, NULL);
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *graph;
        const char *text = spell(f, "a", "a:1 b", "a>b");
        assert_int_equal(try_text(files[f], text, strlen(text), NULL, &graph), DGM_ERROR_CANCELLED);
        assert_null(graph);
    }
    dgm_context_set_progress(ctx, NULL, NULL);
}

static void booleans_are_whole_words_in_any_case_between_blanks(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int value; /* -1: none */
    } cases[] = {{"true", 1},   {"FALSE", 0},   {" true ", 1}, {"\tfalse\n", 0},
                 {"1", 1},      {"0", 0},       {" 1\r", 1},   {"tru", -1},
                 {"truex", -1}, {"falsex", -1}, {"fals", -1},  {"2", -1},
                 {"10", -1},    {"", -1},       {"t", -1},     {"01", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgmi_io_collector collector = {0};
        double value = 7;
        bool read =
            dgmi_io_collect_parse_boolean(&collector, cases[i].text, strlen(cases[i].text), &value);
        assert_true(collector.booleans);
        if (read != (cases[i].value >= 0) || (read && value != cases[i].value))
            fail_msg("'%s' is read as %g", cases[i].text, value);
    }
}

static void names_of_what_is_left_out_are_cut_and_the_first_stays(void **state) {
    (void)state;
    dgmi_io_collector collector = {0};
    char name[80];
    memset(name, 'n', sizeof name);
    dgmi_io_collect_leave_edge_attribute(&collector, name, 0);
    assert_string_equal(collector.edge_attribute, "");
    dgmi_io_collect_leave_edge_attribute(&collector, name, sizeof name);
    assert_int_equal(strlen(collector.edge_attribute), 63);
    dgmi_io_collect_leave_edge_attribute(&collector, "other", 5);
    assert_int_equal(collector.edge_attribute[0], 'n');
    dgmi_io_collect_leave_nested(&collector, "other", 5);
    assert_string_equal(collector.nested_attribute, "other");
}

/* Label before y before class; y is no label beside x. */
static void labels_have_their_rank(void **state) {
    (void)state;
    assert_int_equal(dgmi_io_label_rank("label", false), 3);
    assert_int_equal(dgmi_io_label_rank("y", false), 2);
    assert_int_equal(dgmi_io_label_rank("y", true), 0);
    assert_int_equal(dgmi_io_label_rank("class", true), 1);
    assert_int_equal(dgmi_io_label_rank("other", false), 0);
    assert_true(dgmi_io_are_labels((const double[]){-1, 16777215, NAN}, 3));
    assert_false(dgmi_io_are_labels((const double[]){16777216}, 1));
    assert_false(dgmi_io_are_labels((const double[]){-2}, 1));
    assert_false(dgmi_io_are_labels((const double[]){0.5}, 1));
    assert_false(dgmi_io_are_labels((const double[]){NAN}, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_from_zero_or_one_are_numbers_in_any_order),
        cmocka_unit_test(other_whole_numbers_are_names_in_ascending_order),
        cmocka_unit_test(other_ids_are_names_in_the_order_of_the_file),
        cmocka_unit_test(more_nodes_may_be_asked_for_where_names_are_numbers),
        cmocka_unit_test(empty_graphs_are_read),
        cmocka_unit_test(a_node_given_twice_is_refused),
        cmocka_unit_test(an_edge_to_an_undeclared_node_is_refused),
        cmocka_unit_test(labels_are_whole_numbers_of_a_known_name),
        cmocka_unit_test(a_place_in_the_plane_is_no_label),
        cmocka_unit_test(attributes_that_are_nearly_all_missing_are_refused),
        cmocka_unit_test(every_failed_allocation_is_a_clean_error),
        cmocka_unit_test(a_failed_allocation_is_a_clean_error_wherever_arrays_grow),
        cmocka_unit_test(a_reader_stops_when_it_is_asked_to),
        cmocka_unit_test(booleans_are_whole_words_in_any_case_between_blanks),
        cmocka_unit_test(names_of_what_is_left_out_are_cut_and_the_first_stays),
        cmocka_unit_test(labels_have_their_rank),
    };
    return RUN_GROUP(tests, make_context, free_context);
}
