/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_sample.h"

static void nodes_links_and_attributes_are_read(void **state) {
    (void)state;
    dgm_graph *graph = read_text(
        "x.json",
        "\xEF\xBB\xBF{\"graph\": {\"name\": \"g\"}, \"directed\": true,\n"
        "\"nodes\": [{\"age\": 3, \"id\": \"a\", \"on\": true, \"pos\": [1, 2]}, "
        "{\"id\": 7, \"age\": null, \"word\": \"\\u00e9\"}, {\"id\": 2.5, \"age\": 1e-3}],\n"
        "\"links\": [{\"source\": \"a\", \"target\": 7, \"value\": 2}, "
        "{\"source\": 2.5, \"target\": \"7\", \"weight\": 0.5, \"kind\": 1, \"key\": 0}]}",
        NULL);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_name(graph, 1, "7");
    assert_name(graph, 2, "2.5");
    assert_number(graph, "age", 0, 3);
    assert_number(graph, "age", 1, NAN);
    assert_number(graph, "age", 2, 1e-3);
    assert_number(graph, "on", 0, 1);
    assert_text(graph, "word", 1, "\xC3\xA9");
    assert_int_equal(dgm_graph_attribute_find(graph, "pos"), -1);
    assert_true(weight_of(graph, 0, 1) == 2);
    assert_true(weight_of(graph, 1, 2) == 0.5);
    assert_string_equal(
        notes, "x.json: 2 edges are directed in the file and read as undirected (directed keeps "
               "directions)\n"
               "x.json: attributes that are true or false are kept as 1 and 0\n"
               "x.json: attributes of edges other than the weight are left out ('kind')\n"
               "x.json: attributes that are lists or records are left out ('pos')\n");
    dgm_graph_free(graph);
}

static void nodes_without_ids_are_numbered(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.json",
                                 "{\"nodes\": [{\"name\": \"a\"}, {\"name\": \"b\"}], "
                                 "\"links\": [{\"source\": 0, \"target\": 1}]}",
                                 NULL);
    assert_int_equal(dgm_graph_name_base(graph), 0);
    assert_text(graph, "name", 1, "b");
    assert_int_equal(dgm_graph_edges(graph), 1);
    dgm_graph_free(graph);
    refuse_text("x.json", "{\"nodes\": [{\"id\": 1}, {}], \"links\": []}",
                "x.json: nodes[1] has no id");
    refuse_text("x.json", "{\"nodes\": [{}, {\"id\": 1}], \"links\": []}",
                "x.json: nodes[1] has an id, others have none");
}

static void what_is_no_graph_is_refused(void **state) {
    (void)state;
    const char *expected =
        "x.json: expected an object with the lists \"nodes\" and \"links\" or \"edges\"";
    refuse_text("x.json", "{}", expected);
    refuse_text("x.json", "[]", expected);
    refuse_text("x.json", "{\"nodes\": []}", expected);
    refuse_text("x.json", "{\"nodes\": {}, \"links\": []}", expected);
    refuse_text("x.json", "{\"nodes\": [], \"links\": [], \"edges\": []}",
                "x.json: both \"links\" and \"edges\": expected one of them");
    refuse_text("x.json",
                "{\"format\": \"dgm-summary\", \"version\": 1, \"nodes\": [], \"edges\": []}",
                "x.json: this is a summary, not a graph: give the graph that it was made from");
    refuse_text("x.json", "{\"nodes\": [3], \"links\": []}",
                "x.json: nodes[0] is no object {\"id\": ...}");
    refuse_text("x.json", "{\"nodes\": [{\"id\": [1, 2]}], \"links\": []}",
                "x.json: nodes[0] has an id that is neither text nor number");
    refuse_text("x.json", "{\"nodes\": [{\"id\": 1}, {\"id\": \"1\"}], \"links\": []}",
                "x.json: node '1' is given twice");
    refuse_text("x.json", "{\"nodes\": [], \"links\": [1]}",
                "x.json: links[0] is no object {\"source\": ..., \"target\": ...}");
    refuse_text("x.json", "{\"nodes\": [{\"id\": 1}], \"edges\": [{\"source\": 1}]}",
                "x.json: edges[0] has no source or no target");
    refuse_text("x.json",
                "{\"nodes\": [{\"id\": 1}], \"edges\": [{\"source\": 1, \"target\": true}]}",
                "x.json: edges[0] has an end that is neither text nor number");
    refuse_text("x.json",
                "{\"nodes\": [{\"id\": 1}], \"edges\": [{\"source\": 1, \"target\": 1}, "
                "{\"source\": 1, \"target\": \"b\"}]}",
                "x.json: edges[1] names the node 'b', which is not among the nodes");
    refuse_text("x.json",
                "{\"nodes\": [{\"id\": 1}], \"edges\": "
                "[{\"source\": 1, \"target\": 1, \"weight\": \"2\"}]}",
                "x.json: edges[0] has a weight that is no number");
}

static void what_is_no_json_is_refused_with_its_line(void **state) {
    (void)state;
    refuse_bytes("x.json", "{\"nodes\": [\n{\"id\": 1}", 21, "x.json:2: not JSON: ");
    refuse_bytes("x.json", "{\n\"nodes\": [] \"links\": []}", 25, "x.json:2: not JSON: ");
    refuse_bytes("x.json", "{\"nodes\": [],\n\"nodes\": []}", 26,
                 "x.json:2: not JSON: duplicate object key");
    refuse_bytes("x.json", "{\"nodes\": [], \"links\": []}\nmore", 30, "x.json:2: not JSON: ");
    refuse_bytes("x.json", "{\"a\": \"\xE9\"}", 10, "x.json:1: not JSON: ");
    refuse_bytes("x.json", "{\"a\": \"\0\"}", 10, "x.json:1: not JSON: ");
    refuse_bytes("x.json", "{\"a\": \"\\u0000\"}", 15, "x.json:1: not JSON: ");
    refuse_bytes("x.json",
                 "\x7F"
                 "ELF\0\1\2",
                 7, "x.json:1: not JSON: ");
}

static void huge_numbers_are_refused(void **state) {
    (void)state;
    const char *integer = "{\"nodes\": [{\"id\": 123456789012345678901234567890}], \"links\": []}";
    refuse_bytes("x.json", integer, strlen(integer), "x.json:1: not JSON: too big integer");
    const char *real = "{\"nodes\": [{\"id\": 1, \"a\": 1e999}], \"links\": []}";
    refuse_bytes("x.json", real, strlen(real), "x.json:1: not JSON: real number overflow");
}

static void deep_json_is_refused(void **state) {
    (void)state;
    size_t depth = 100000;
    char *text = malloc(2 * depth + 32);
    strcpy(text, "{\"nodes\": ");
    memset(text + 10, '[', depth);
    memset(text + 10 + depth, ']', depth);
    refuse_bytes("x.json", text, 10 + 2 * depth,
                 "x.json:1: not JSON: maximum parsing depth reached");
    free(text);
}

static void networkx_files_are_read(void **state) {
    (void)state;
    dgm_graph *graph = read_data("networkx_small.json", NULL);
    assert_name(graph, 2, "\xC3\xBC");
    assert_number(graph, "flag", 0, 1);
    assert_text(graph, "t", 0, "x<&\"\xC3\xA9\n");
    assert_true(weight_of(graph, 0, 1) == 2.5);
    dgm_graph_free(graph);
    graph = read_data("networkx_multi.json", NULL);
    assert_int_equal(dgm_graph_name_base(graph), 0);
    assert_true(weight_of(graph, 0, 1) == 5);
    dgm_graph_free(graph);
}

static void infinite_numbers_come_back(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.json",
                                 "{\"nodes\": [{\"id\": 0, \"a\": \"inf\"}, {\"id\": 1, \"a\": 2}, "
                                 "{\"id\": 2, \"a\": \"-inf\"}], \"links\": []}",
                                 NULL);
    assert_number(graph, "a", 0, INFINITY);
    assert_number(graph, "a", 2, -INFINITY);
    dgm_graph *back = write_and_read(graph, "y.json", NULL);
    assert_same_graph(graph, back);
    dgm_graph_free(graph);
    dgm_graph_free(back);
}

static void weights_are_numbers_under_weight_or_value(void **state) {
    (void)state;
    static const struct {
        const char *members;
        double weight;
        bool weighted;
    } cases[] = {
        {"\"weight\": 2", 2, true},
        {"\"weight\": 0.5", 0.5, true},
        {"\"value\": 3", 3, true},
        {"\"value\": 1.5", 1.5, true},
        {"\"value\": \"much\"", 1, false},
        {"\"weight\": null", 1, false},
        {"\"weight\": 2, \"value\": 3", 2, true},
        {"\"id\": 7", 1, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"format\": \"mine\", \"nodes\": [{\"id\": 0}, {\"id\": 1}], "
                 "\"edges\": [{\"source\": 0, \"target\": 1, %s}]}",
                 cases[k].members);
        dgm_graph *graph = read_text("x.json", text, NULL);
        assert_true(weight_of(graph, 0, 1) == cases[k].weight);
        assert_int_equal(dgm_graph_get_rows(graph).weights != NULL, cases[k].weighted);
        dgm_graph_free(graph);
    }
}

static void whole_numbers_that_no_double_holds_are_said(void **state) {
    (void)state;
    check_large_numbers("x.json", "{\"nodes\": [{\"id\": 0, \"a\": ", "}], \"edges\": []}");
}

static void lists_that_are_no_lists_do_not_count(void **state) {
    (void)state;
    const char *expected =
        "x.json: expected an object with the lists \"nodes\" and \"links\" or \"edges\"";
    refuse_text("x.json", "{\"nodes\": [], \"links\": {}}", expected);
    refuse_text("x.json", "{\"nodes\": [], \"edges\": 3}", expected);
    refuse_text("x.json", "{\"nodes\": 3, \"edges\": []}", expected);
    dgm_graph *graph = read_text("x.json",
                                 "{\"nodes\": [{\"id\": 0, \"on\": false}], \"links\": 1, "
                                 "\"edges\": [{\"source\": 0, \"target\": 0, \"\": 1}]}",
                                 NULL);
    assert_number(graph, "on", 0, 0);
    assert_int_equal(dgm_graph_nodes(graph), 1);
    dgm_graph_free(graph);
}

static void of_what_is_left_out_the_first_is_named(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.json",
                                 "{\"nodes\": [{\"id\": 0, \"home\": {\"town\": 1}, \"list\": []}, "
                                 "{\"id\": 1}], \"links\": [{\"source\": 0, \"target\": 1, "
                                 "\"\": 1, \"kind\": 2, \"since\": 3}]}",
                                 NULL);
    assert_string_equal(notes,
                        "x.json: attributes of edges other than the weight are left out ('kind')\n"
                        "x.json: attributes that are lists or records are left out ('home')\n");
    dgm_graph_free(graph);
}

static void ids_that_are_no_plain_numbers_are_names(void **state) {
    (void)state;
    static const char *const ids[] = {"", "+1", "01", "-0", "00", "-01", "1x", "-"};
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        char text[128];
        snprintf(text, sizeof text, "{\"nodes\": [{\"id\": 1}, {\"id\": \"%s\"}], \"edges\": []}",
                 ids[k]);
        dgm_graph *graph = read_text("x.json", text, NULL);
        assert_int_equal(dgm_graph_name_base(graph), -1);
        assert_name(graph, 0, "1");
        assert_name(graph, 1, ids[k]);
        dgm_graph_free(graph);
    }
}

static void numbers_of_nodes_are_written_as_numbers_and_names_in_quotes(void **state) {
    (void)state;
    static const char *const edges[] = {"0 1\n", "# dgm base 1\n1 2\n", "a b\n"};
    static const char *const parts[][3] = {
        {"{\"id\": 0}", "{\"id\": 1}", "\"source\": 0, \"target\": 1"},
        {"{\"id\": 1}", "{\"id\": 2}", "\"source\": 1, \"target\": 2"},
        {"{\"id\": \"a\"}", "{\"id\": \"b\"}", "\"source\": \"a\", \"target\": \"b\""}};
    for (int k = 0; k < 3; k++) {
        dgm_graph *graph = read_text("x.txt", edges[k], NULL);
        char *text = written(graph, "x.json");
        for (int i = 0; i < 3; i++)
            if (!strstr(text, parts[k][i]))
                fail_msg("%s is not in %s", parts[k][i], text);
        free(text);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_links_and_attributes_are_read),
        cmocka_unit_test(nodes_without_ids_are_numbered),
        cmocka_unit_test(what_is_no_graph_is_refused),
        cmocka_unit_test(what_is_no_json_is_refused_with_its_line),
        cmocka_unit_test(huge_numbers_are_refused),
        cmocka_unit_test(deep_json_is_refused),
        cmocka_unit_test(networkx_files_are_read),
        cmocka_unit_test(infinite_numbers_come_back),
        cmocka_unit_test(weights_are_numbers_under_weight_or_value),
        cmocka_unit_test(whole_numbers_that_no_double_holds_are_said),
        cmocka_unit_test(lists_that_are_no_lists_do_not_count),
        cmocka_unit_test(of_what_is_left_out_the_first_is_named),
        cmocka_unit_test(ids_that_are_no_plain_numbers_are_names),
        cmocka_unit_test(numbers_of_nodes_are_written_as_numbers_and_names_in_quotes),
    };
    return RUN_GROUP(tests, make_context, free_context);
}
