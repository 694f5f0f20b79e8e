/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_sample.h"

static void nodes_edges_and_attributes_are_read(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.gml",
                                 "# made by hand\n"
                                 "Creator \"hand\"\n"
                                 "graph\n[ comment \"two\nlines\" directed 0\n"
                                 "  node [ label \"&quot;A&quot; &#233;&#x4e2d; &nbsp;\" id 0 "
                                 "size 1.5 graphics [ x 1 y 2 ] ]\n"
                                 "  node [ id 1 size -2E1 list [ a 1 ] ]\n"
                                 "  node [ id 2 size NAN word \"\" ]\n"
                                 "  edge [ source 0 target 1 value 2.5 ]\n"
                                 "  edge [ source 1 target 2 weight 3 value 9 ]\n"
                                 "]\n",
                                 NULL);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_int_equal(dgm_graph_name_base(graph), 0);
    assert_text(graph, "label", 0, "\"A\" \xC3\xA9\xE4\xB8\xAD &nbsp;");
    assert_text(graph, "label", 1, NULL);
    assert_number(graph, "size", 0, 1.5);
    assert_number(graph, "size", 1, -20);
    assert_number(graph, "size", 2, NAN);
    assert_text(graph, "word", 2, "");
    assert_true(weight_of(graph, 1, 0) == 2.5);
    assert_true(weight_of(graph, 2, 1) == 3);
    assert_string_equal(notes, "x.gml: attributes of edges other than the weight are left out "
                               "('value')\n"
                               "x.gml: attributes that are lists or records are left out "
                               "('list')\n");
    dgm_graph_free(graph);
}

static void a_value_that_is_no_number_is_no_weight(void **state) {
    (void)state;
    dgm_graph *graph = read_text(
        "x.gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 value \"a\" ] ]",
        NULL);
    assert_null(dgm_graph_get_rows(graph).weights);
    dgm_graph_free(graph);
}

/* A number needs its sign; what is no entity stands as it is. */
static void entities_are_decoded_and_others_stay(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.gml",
                                 "graph [ node [ id 0 a \"&#65;&#x42;&amp;\" ] "
                                 "node [ id 1 a \"&x65;&a65;&#;&b;\" ] ]",
                                 NULL);
    assert_text(graph, "a", 0, "AB&");
    assert_text(graph, "a", 1, "&x65;&a65;&#;&b;");
    dgm_graph_free(graph);
}

static void numbers_among_texts_become_texts(void **state) {
    (void)state;
    dgm_graph *graph =
        read_text("x.gml", "graph [ node [ id 0 a 1.50 ] node [ id 1 a \"b\" ] ]", NULL);
    assert_text(graph, "a", 0, "1.5");
    assert_text(graph, "a", 1, "b");
    dgm_graph_free(graph);
}

static void what_a_double_cannot_hold_and_repeats_are_said(void **state) {
    (void)state;
    dgm_graph *graph =
        read_text("x.gml", "graph [ node [ id 0 a 9007199254740993 b 1 b 2 ] ]", NULL);
    assert_number(graph, "b", 0, 2);
    assert_string_equal(notes,
                        "x.gml: 1 whole numbers beyond 2^53 were rounded\n"
                        "x.gml: 1 attributes are given again for the same node: the last counts\n");
    dgm_graph_free(graph);
}

static void lists_without_end_are_refused(void **state) {
    (void)state;
    size_t size = 200000;
    char *text = malloc(size + 1);
    for (size_t i = 0; i + 4 <= size; i += 4)
        memcpy(text + i, i % 400 ? "a [ " : "a [\n", 4);
    text[size] = '\0';
    refuse_text("deep.gml", text, "deep.gml:4: lists are nested more than 256 deep");
    memcpy(text, "graph [ ", 8);
    refuse_text("deep.gml", text, "deep.gml:3: lists are nested more than 256 deep");
    free(text);
}

static void what_cannot_be_read_is_refused_with_its_line(void **state) {
    (void)state;
    refuse_text("x.gml", "graph [\n node [ id 0 ]\n",
                "x.gml:1: the file ends inside the list that begins here");
    refuse_text("x.gml", "graph [\n node [ id 0 label \"x ]\n",
                "x.gml:2: the file ends inside a string that begins here");
    refuse_text("x.gml", "graph [\n node [ id ] ]",
                "x.gml:2: no number, string or list follows the key 'id'");
    refuse_text("x.gml", "graph [\n node [ id 0x12 ] ]", "x.gml:2: no number: '0x12'");
    refuse_text("x.gml", "graph [ ]\n]", "x.gml:2: a ] without its [");
    refuse_text("x.gml", "graph [ ]\ngraph [ ]",
                "x.gml:2: a second graph: only files of one are read");
    refuse_text("x.gml", "\n\"text\"", "x.gml:2: expected a key or ]");
    refuse_text("x.gml", "version 1", "x.gml: the file holds no graph [ ... ]");
    refuse_text("x.gml", "graph [ node [ label \"a\" ] ]", "x.gml:1: the node has no id");
    refuse_text("x.gml", "graph [ node [ id 0\nid 1 ] ]", "x.gml:2: the node has a second id");
    refuse_text("x.gml", "graph [ node [ id 0 \xC3\xA9 1 ] ]",
                "x.gml:1: unexpected byte 0xC3: expected a key, a number, a string, [ or ]");
    refuse_text("x.gml", "graph [ edge [ source 1 ] ]",
                "x.gml:1: the edge has no source or no target");
    refuse_text("x.gml", "graph [ node [ id 1 ]\nedge [ source 1 target 1 weight \"w\" ] ]",
                "x.gml:2: the weight of an edge is no number: 'w'");
    refuse_text("x.gml", "graph [ node [ id 1 ]\nedge [ source 1 target 1 weight 1e999 ] ]",
                "x.gml:2: the weight of the edge from '1' to '1' is not a finite number");
    refuse_text("x.gml", "graph [ node [ id 0\nlabel \"\xE9\" ] ]",
                "x.gml:2: a string is not UTF-8: convert the file, for instance with "
                "iconv -f latin1 -t utf-8");
    refuse_text("x.gml", "graph [ node { id 0 } ]",
                "x.gml:1: unexpected byte 0x7B: expected a key, a number, a string, [ or ]");
}

static void garbage_is_refused(void **state) {
    (void)state;
    refuse_bytes("x.gml",
                 "\x7F"
                 "ELF\0\1\2",
                 7, "x.gml:1: unexpected byte 0x7F");
    refuse_bytes("x.gml", "graph [ \0 ]", 11, "x.gml:1: unexpected byte 0x00");
    refuse_bytes("x.gml", "graph [ node [ id \"a\0b\" ] ]", 26, "a string holds a zero byte");
}

static void ids_too_large_for_a_number_are_names(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.gml",
                                 "graph [ node [ id 99999999999999999999 ] node [ id -1 ] "
                                 "edge [ source -1 target 99999999999999999999 ] ]",
                                 NULL);
    assert_name(graph, 0, "99999999999999999999");
    assert_name(graph, 1, "-1");
    assert_int_equal(dgm_graph_edges(graph), 1);
    dgm_graph_free(graph);
}

static void networkx_files_are_read(void **state) {
    (void)state;
    dgm_graph *graph = read_data("networkx_small.gml", NULL);
    assert_name(graph, 2, "\xC3\xBC");
    assert_text(graph, "t", 0, "x<&\"\xC3\xA9\n");
    assert_number(graph, "w", 2, 2);
    assert_true(weight_of(graph, 0, 1) == 2.5);
    dgm_graph_free(graph);
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = true};
    graph = read_data("networkx_multi.gml", &options);
    assert_int_equal(dgm_graph_attribute_find(graph, "label"), -1);
    assert_true(weight_of(graph, 0, 1) == 5 && weight_of(graph, 1, 0) == -1);
    assert_string_equal(notes, "");
    dgm_graph_free(graph);
}

static void names_may_stand_in_another_key(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.gml",
                                 "graph [ names \"label\" node [ id 1 label \"b\" ] "
                                 "node [ id 0 label \"a\" ] edge [ source 0 target 1 ] ]",
                                 NULL);
    assert_name(graph, 0, "a");
    assert_name(graph, 1, "b");
    assert_int_equal(dgm_graph_attributes(graph), 0);
    dgm_graph_free(graph);
    refuse_text("x.gml", "graph [ names \"label\"\nnode [ id 0 ] ]",
                "x.gml:2: node '0' has no name");
    refuse_text("x.gml", "graph [ names \"label\" node [ id 0 label \"a\" ]\nnode [ id 1 ] ]",
                "x.gml:2: node '1' has no name");
    refuse_text("x.gml",
                "graph [ names \"label\" node [ id 0 label \"a\" ]\nnode [ id 1 label \"a\" ] ]",
                "x.gml:2: two nodes are named 'a'");
}

static void labels_that_differ_are_the_names(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.gml",
                                 "graph [ node [ id 0 label \"Ann B\" ] node [ id 1 label \"C\" ] "
                                 "edge [ source 0 target 1 ] ]",
                                 NULL);
    assert_string_equal(dgm_graph_name_text(graph, 0, NULL), "Ann B");
    assert_int_equal(dgm_graph_attribute_find(graph, "label"), -1);
    dgm_graph_free(graph);
    graph = read_text("x.gml",
                      "graph [ node [ id 0 label \"A\" ] node [ id 1 label \"A\" ] "
                      "edge [ source 0 target 1 ] ]",
                      NULL);
    assert_int_equal(dgm_graph_name_base(graph), 0);
    assert_text(graph, "label", 1, "A");
    assert_non_null(strstr(notes, "labels of nodes repeat"));
    dgm_graph_free(graph);
    graph = read_text("x.gml",
                      "graph [ names \"id\" node [ id 0 label \"A\" ] node [ id 1 label \"B\" ] "
                      "edge [ source 0 target 1 ] ]",
                      NULL);
    assert_int_equal(dgm_graph_name_base(graph), 0);
    assert_text(graph, "label", 1, "B");
    dgm_graph_free(graph);
}

static void entities_that_are_no_characters_stay_as_they_are(void **state) {
    (void)state;
    static const char *const kept[] = {
        "&#xZ1;", "&#6a;", "&#x110000;", "&#1114112;", "&#xD800;", "&#xDFFF;", "&#99999999;",
        "&#xg;",  "&#x`;", "&#x@;",      "&#5_;",      "& ;",      "&amp"};
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        char text[128];
        snprintf(text, sizeof text, "graph [ node [ id 0 a \"%s\" ] ]", kept[k]);
        dgm_graph *graph = read_text("x.gml", text, NULL);
        assert_text(graph, "a", 0, kept[k]);
        dgm_graph_free(graph);
    }
    dgm_graph *graph =
        read_text("x.gml", "graph [ node [ id 0 a \"&#x10FFFF;&#xE000;&#xd7ff;&#XaF;\" ] ]", NULL);
    assert_text(graph, "a", 0, "\xF4\x8F\xBF\xBF\xEE\x80\x80\xED\x9F\xBF\xC2\xAF");
    dgm_graph_free(graph);
}

static void words_end_at_blanks_brackets_quotes_and_other_bytes(void **state) {
    (void)state;
    dgm_graph *graph = read_text(
        "x.gml", "\xEF\xBB\xBFgraph[node[id 0 _a +1 B -.5 Zz\"x\"c .5#c\n\tz 9\r\n]]", NULL);
    assert_number(graph, "_a", 0, 1);
    assert_number(graph, "B", 0, -0.5);
    assert_text(graph, "Zz", 0, "x");
    assert_number(graph, "c", 0, 0.5);
    assert_number(graph, "z", 0, 9);
    dgm_graph_free(graph);
    refuse_text("x.gml", "graph [ key", "x.gml:1: no number, string or list follows the key 'key'");
    refuse_text("x.gml", "graph [ a\x7F 1 ]",
                "x.gml:1: unexpected byte 0x7F: expected a key, a number, a string, [ or ]");
    refuse_text("x.gml", "graph [ `a 1 ]",
                "x.gml:1: unexpected byte 0x60: expected a key, a number, a string, [ or ]");
    refuse_text("x.gml", "graph [ {a 1 ]",
                "x.gml:1: unexpected byte 0x7B: expected a key, a number, a string, [ or ]");
    refuse_text("x.gml", "ab", "x.gml:1: no number, string or list follows the key 'ab'");
    refuse_text("x.gml",
                "graph [ k 1aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffg ]",
                "x.gml:1: no number: "
                "'1aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeefffffffff'");
}

static void ids_and_keys_of_edges_and_drawings_are_passed_over_in_silence(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.gml",
                                 "graph [ directed \"1\" names 3 other \"id\"\n"
                                 "node [ id 0 graphics [ x 1 ] LabelGraphics [ text \"a\" ] ]\n"
                                 "node [ id 1 ] edge [ id 7 key 0 source 0 target 1 ] ]",
                                 NULL);
    assert_string_equal(notes, "");
    assert_int_equal(dgm_graph_edges(graph), 1);
    dgm_graph_free(graph);
}

static void directed_is_a_number(void **state) {
    (void)state;
    static const struct {
        const char *value;
        bool arcs;
    } cases[] = {{"0", false}, {"1", true}, {"\"1\"", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[128];
        snprintf(text, sizeof text,
                 "graph [ directed %s node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]",
                 cases[k].value);
        dgm_graph_free(read_text("x.gml", text, NULL));
        assert_int_equal(strstr(notes, "direct") != NULL, cases[k].arcs);
    }
}

static void names_may_be_ids_or_stand_under_a_key_of_two_letters(void **state) {
    (void)state;
    dgm_graph *graph = read_text(
        "x.gml", "graph [ names \"id\" node [ id 0 label \"a\" ] node [ id 1 label \"b\" ] ]",
        NULL);
    assert_name(graph, 0, "0");
    dgm_graph_free(graph);
    graph = read_text("x.gml",
                      "graph [ names \"nm\" node [ id 0 nm \"a\" ] node [ id 1 nm \"b\" ] ]", NULL);
    assert_name(graph, 0, "a");
    dgm_graph_free(graph);
}

static void whole_numbers_that_no_double_holds_are_said(void **state) {
    (void)state;
    check_large_numbers("x.gml", "graph [ node [ id 0 a ", " ] ]");
    refuse_text("x.gml", "graph [ names \"k\"\nnode [ id 0 k 5 ] ]",
                "x.gml:2: node '0' has no name");
}

static void names_without_a_free_key_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.json",
                                 "{\"nodes\": [{\"id\": \"a\", \"class\": 0, \"label\": \"x\", "
                                 "\"name\": 2, \"node_name\": 3, \"dgm_name\": 4}], "
                                 "\"links\": []}",
                                 NULL);
    const char *path = temporary_file("x.gml");
    assert_int_equal(dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO), DGM_ERROR_DATA);
    assert_string_equal(dgm_context_error(ctx),
                        "GML has no key left for the names: rename the attribute 'dgm_name'");
    clean_up();
    dgm_graph_free(graph);
}

static void an_edge_without_a_weight_weighs_one_behind_one_that_has_it(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.gml",
                                 "graph [ node [ id 0 ] node [ id 1 ] node [ id 2 ]\n"
                                 "edge [ source 0 target 1 weight 5 ]\n"
                                 "edge [ source 1 target 2 ]\n"
                                 "edge [ source 0 target 2 value 7 ] ]",
                                 NULL);
    assert_true(weight_of(graph, 0, 1) == 5);
    assert_true(weight_of(graph, 1, 2) == 1);
    assert_true(weight_of(graph, 0, 2) == 7);
    dgm_graph_free(graph);
}

static void a_byte_order_mark_alone_is_no_graph(void **state) {
    (void)state;
    refuse_text("x.gml", "\xEF\xBB\xBF", "x.gml: the file holds no graph [ ... ]");
    dgm_graph *graph = read_text("x.gml", "\xEF\xBB\xBFgraph [ node [ id 0 ] ]", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 1);
    dgm_graph_free(graph);
}

static void entities_are_characters_that_exist_and_others_stay(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"&quot;&amp;&lt;&gt;&apos;", "\"&<>'"},
                                           {"&#233;&#xE9;&#XeF;", "\xC3\xA9\xC3\xA9\xC3\xAF"},
                                           {"&#xaF;&#x9;", "\xC2\xAF\t"},
                                           {"&#xD7FF;", "\xED\x9F\xBF"},
                                           {"&#xD800;", "&#xD800;"},
                                           {"&#xDFFF;", "&#xDFFF;"},
                                           {"&#xE000;", "\xEE\x80\x80"},
                                           {"&#x10FFFF;", "\xF4\x8F\xBF\xBF"},
                                           {"&#1114111;", "\xF4\x8F\xBF\xBF"},
                                           {"&#1114112;", "&#1114112;"},
                                           {"&#x110000;", "&#x110000;"},
                                           {"&#0;", "&#0;"},
                                           {"&#;", "&#;"},
                                           {"&#1a;", "&#1a;"},
                                           {"&#xg;", "&#xg;"},
                                           {"&#x/;&#x:;", "&#x/;&#x:;"},
                                           {"&amp", "&amp"},
                                           {"&am;", "&am;"},
                                           {"&&amp;;", "&&;"},
                                           {"&#000000233;", "\xC3\xA9"},
                                           {"&#0000000233;", "&#0000000233;"},
                                           {"a&b", "a&b"},
                                           {"&", "&"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        snprintf(text, sizeof text, "graph [ node [ id 0 t \"%s\" ] ]", cases[i][0]);
        dgm_graph *graph = read_text("x.gml", text, NULL);
        assert_text(graph, "t", 0, cases[i][1]);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_that_differ_are_the_names),
        cmocka_unit_test(nodes_edges_and_attributes_are_read),
        cmocka_unit_test(a_value_that_is_no_number_is_no_weight),
        cmocka_unit_test(entities_are_decoded_and_others_stay),
        cmocka_unit_test(numbers_among_texts_become_texts),
        cmocka_unit_test(what_a_double_cannot_hold_and_repeats_are_said),
        cmocka_unit_test(lists_without_end_are_refused),
        cmocka_unit_test(what_cannot_be_read_is_refused_with_its_line),
        cmocka_unit_test(garbage_is_refused),
        cmocka_unit_test(ids_too_large_for_a_number_are_names),
        cmocka_unit_test(networkx_files_are_read),
        cmocka_unit_test(names_may_stand_in_another_key),
        cmocka_unit_test(entities_that_are_no_characters_stay_as_they_are),
        cmocka_unit_test(words_end_at_blanks_brackets_quotes_and_other_bytes),
        cmocka_unit_test(ids_and_keys_of_edges_and_drawings_are_passed_over_in_silence),
        cmocka_unit_test(directed_is_a_number),
        cmocka_unit_test(names_may_be_ids_or_stand_under_a_key_of_two_letters),
        cmocka_unit_test(whole_numbers_that_no_double_holds_are_said),
        cmocka_unit_test(names_without_a_free_key_are_refused),
        cmocka_unit_test(an_edge_without_a_weight_weighs_one_behind_one_that_has_it),
        cmocka_unit_test(a_byte_order_mark_alone_is_no_graph),
        cmocka_unit_test(entities_are_characters_that_exist_and_others_stay),
    };
    return RUN_GROUP(tests, make_context, free_context);
}
