/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists: ids, weights, names, directives, and what is wrong in them. */
#include "edges_sample.h"
#include "io_edges_reader.h"
#include "unit_faults.h"

static void numbers_are_nodes_whatever_separates_them(void **state) {
    (void)state;
    const char *const texts[] = {"0 1\n1 2\n",
                                 "0\t1\n1\t2\n",
                                 "0,1\n1,2\n",
                                 "0;1\n1;2\n",
                                 "0, 1\n1, 2\n",
                                 "  0   1  \n\t1\t 2\n",
                                 "0 1\r\n1 2\r\n",
                                 "0 1\n1 2",
                                 ("\xef\xbb\xbf"
                                  "0 1\n1 2\n"),
                                 "# c\n% c\n// c\n\n0 1\n\n#c\n1 2\n",
                                 "\"0\",\"1\"\n\"1\",\"2\"\n",
                                 "source,target\n0,1\n1,2\n",
                                 "From To\n0 1\n1 2\n",
                                 "person friend\n0 1\n1 2\n",
                                 "0,1,\n1,2,\n",
                                 "00 01\n+1 2\n",
                                 "0\t1\n1 2\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dgm_graph *graph = io_read(texts[i], "x.txt", NULL);
        assert_int_equal(dgm_graph_name_base(graph), 0);
        assert_int_equal(dgm_graph_nodes(graph), 3);
        assert_int_equal(dgm_graph_edges(graph), 2);
        assert_null(dgm_graph_get_rows(graph).weights);
        io_assert_edge(graph, 0, 1, 1);
        io_assert_edge(graph, 1, 2, 1);
        dgm_graph_free(graph);
    }
}

static void the_third_column_is_a_weight(void **state) {
    (void)state;
    const char *const texts[] = {"0 1 0.5\n1 2 -3e2\n", "source,target,weight\n0,1,0.5\n1,2,-3e2\n",
                                 "w,to,from\n0.5,0,1\n-3e2,1,2\n", "0 1 0.5 9\n1 2 -3e2 8\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dgm_graph *graph = io_read(texts[i], "x.txt", NULL);
        io_assert_edge(graph, 0, 1, 0.5);
        io_assert_edge(graph, 2, 1, -300);
        dgm_graph_free(graph);
    }
}

static void numbers_that_hardly_occur_are_said_or_refused(void **state) {
    (void)state;
    const dgm_graph_options names = {.size = sizeof(dgm_graph_options), .ids = DGM_IDS_NAME},
                            many = {.size = sizeof(dgm_graph_options), .nodes = 1000001};
    dgm_graph *graph = io_read("0 1\n1 9\n", "x.txt", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 10);
    assert_non_null(strstr(io_notes, "only 3 of 10 numbers occur"));
    assert_non_null(strstr(io_notes, "ids=name"));
    dgm_graph_free(graph);
    graph = io_read("0 1\n1 5\n", "x.txt", NULL); /* half of them */
    assert_string_equal(io_notes, "");
    dgm_graph_free(graph);
    graph = io_read("# dgm nodes 10\n0 1\n1 9\n", "x.txt", NULL); /* the file says so */
    assert_string_equal(io_notes, "");
    dgm_graph_free(graph);
    const char *text = "0 1\n1 2\n2 1000000\n";
    io_refuse(text, "x.txt", 0,
              "only 4 numbers occur; with ids=name only those are nodes, and nodes=1000001");
    graph = io_read(text, "x.txt", &names);
    assert_int_equal(dgm_graph_nodes(graph), 4);
    dgm_graph_free(graph);
    graph = io_read(text, "x.txt", &many);
    assert_int_equal(dgm_graph_nodes(graph), 1000001);
    dgm_graph_free(graph);
}

static void two_weights_of_one_edge_are_said(void **state) {
    (void)state;
    dgm_graph_free(io_read("a b 2\nb a 3\n", "x.txt", NULL));
    assert_non_null(strstr(io_notes, "1 edge is given in both directions with different weights"));
    dgm_graph_free(io_read("a b 2\nb a 2\n", "x.txt", NULL));
    assert_string_equal(io_notes, "");
}

static void names_stand_by_first_appearance(void **state) {
    (void)state;
    assert_names("b a\na c\n", NULL, "b a c ");
    assert_names("New York\tBoston\nBoston\tOslo\n", NULL, "New York Boston Oslo ");
    assert_names("\"c, d\",\"e \"\"f\"\"\"\n\"two\nlines\",\"c, d\"\n", NULL,
                 "c, d e \"f\" two\nlines ");
    assert_names("from,to\nx,y\n", NULL, "x y ");
    assert_names("name,friend,weight\nx,y,2\n", NULL, "x y ");
    assert_names("x,y\nname,friend\n", NULL, "x y name friend ");
}

static void whole_numbers_among_names_come_first_ascending(void **state) {
    (void)state;
    assert_names("10 20\n20 x\n3 10\nb 007\n7 3\n", NULL, "3 7 10 20 x b ");
    assert_names("x 20\n3 10\n", NULL, "3 10 20 x ");
    assert_names("30 4\n4 200\n", &by_name, "4 30 200 ");
    assert_names("30 b\n007 7\n-5 a\n", &by_name, "-5 007 7 30 b a ");
}

static void numbers_become_names_when_a_name_follows_them(void **state) {
    (void)state;
    dgm_graph *graph = io_read("0 5 1\n5 9 2\n9 x 3\n", "x.txt", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 4); /* 1 to 4 and 6 to 8 do not occur */
    assert_int_equal(dgm_graph_name_base(graph), -1);
    io_assert_edge(graph, 0, 1, 1);
    io_assert_edge(graph, 1, 2, 2);
    io_assert_edge(graph, 2, 3, 3);
    dgm_graph_free(graph);
}

static void what_is_wrong_is_said_with_its_line(void **state) {
    (void)state;
    io_refuse("0 1\n\n# c\n2\n", "x.txt", 4, "one field");
    io_refuse("0 1\n1 -2\n", "x.txt", 2, "ids=name");
    io_refuse("0 1\n1 2147483647\n", "x.txt", 2, "2147483646");
    io_refuse("0 1\n1 99999999999999999999\n", "x.txt", 2, "ids=name");
    io_refuse("0 1\n1 2000000000\n", "x.txt", 0, "ids=name");
    io_refuse("0 1 2\n1 2\n", "x.txt", 2, "2 columns, where line 1 has 3");
    io_refuse("0 1\n1 2 3\n", "x.txt", 2, "3 columns, where line 1 has 2");
    io_refuse("0 1 2\n1 2 nan\n", "x.txt", 2, "finite");
    io_refuse("0 1 2\n1 2 heavy\n", "x.txt", 2, "heavy");
    io_refuse("a b c\n", "x.txt", 1, "weight");
    io_refuse("a,,b\n", "x.csv", 1, "empty node id");
    io_refuse("a,b\nc,\"d\ne,f\n", "x.csv", 2, "not closed");
    io_refuse("a,\"b\nc\"\nd\n", "x.csv", 3, "one field");
    io_refuse("a,\"b\"c\n", "x.csv", 1, "closing quote");
    io_refuse("0 1\n\x80\x81 2\n", "x.txt", 2, "UTF-8");
    io_refuse("a\x01 b\n", "x.txt", 1, "control character");
    io_refuse("\xff\xfe"
              "1",
              "x.txt", 1, "UTF-16");
    io_refuse("# dgm nodes 2000000000\n0 1\n", "x.txt", 0, "nodes=2000000000");
    io_refuse("0 1\n# dgm base 1\n", "x.txt", 2, "before the first edge");
    io_refuse("", "x.txt", 0, "empty");
}

static void a_line_without_end_is_refused(void **state) {
    (void)state;
    size_t size = 6 << 20;
    char *text = malloc(size + 1);
    memset(text, 'a', size);
    text[size] = '\0';
    io_refuse(text, "x.txt", 1, "is the file an edge list");
    memcpy(text, "0 1\n\"", 5);
    for (size_t i = 5; i < size; i += 8)
        text[i] = '\n';
    io_refuse(text, "x.txt", 2, "bytes without an end of the line or of a quote");
    free(text);
}

static void no_edges_are_no_error(void **state) {
    (void)state;
    assert_shape("# nothing\n", 0, 0);
    assert_shape("\n", 0, 0);
    assert_shape("source,target\n", 0, 0);
    assert_shape("# dgm nodes 5\n", 5, 0);
}

static void hints_say_what_folders_know(void **state) {
    (void)state;
    const char *text = "1, 2, 99\n3, 1, 100\n";
    const dgmi_io_edge_hints hints = {.no_weights = true, .numbers_only = true, .base = 1};
    dgm_graph_builder *builder;
    dgmi_bytes_stream *stream;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, text, strlen(text), "x", &stream), DGM_OK);
    assert_int_equal(dgmi_io_read_edges_hinted(ctx, stream, &by_name, &hints, builder), DGM_OK);
    dgmi_bytes_stream_close(stream);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_int_equal(dgm_graph_name_base(graph), 1);
    assert_null(dgm_graph_get_rows(graph).weights);
    io_assert_edge(graph, 0, 1, 1);
    dgm_graph_free(graph);

    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, "1 2\n2 0\n", 8, "x", &stream), DGM_OK);
    assert_int_equal(dgmi_io_read_edges_hinted(ctx, stream, &by_name, &hints, builder),
                     DGM_ERROR_FORMAT);
    assert_int_equal(dgm_context_error_parts(ctx).line, 2);
    dgmi_bytes_stream_close(stream);
    dgm_graph_builder_free(builder);
}

static void directives_that_are_wrong_are_refused_and_others_are_comments(void **state) {
    (void)state;
    assert_shape("# dgm nodes\t5\n0 1\n", 5, 1);
    assert_shape("# dgm nodes 5\r\n0 1\r\n", 5, 1);
    assert_shape("# dgm nodesome 5\n0 1\n", 2, 1);
    assert_names("# dgm names\r\n7 3\r\n", NULL, "7 3 ");
    assert_names("# dgm base 1\n1 2\n", NULL, "1 2 ");
    assert_names("# dgm base 0\n0 1\n", NULL, "0 1 ");
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"# dgm base\n", "followed by 0 or 1"},
        {"# dgm base x\n", "followed by 0 or 1"},
        {"# dgm base -1\n", "followed by 0 or 1"},
        {"# dgm base 2\n", "followed by 0 or 1"},
        {"# dgm base 0\t1\n", "followed by 0 or 1"},
        {"# dgm nodes\n", "followed by a number of nodes, at most 2147483647"},
        {"# dgm nodes many\n", "followed by a number of nodes"},
        {"# dgm nodes -1\n", "followed by a number of nodes"},
        {"# dgm nodes 2147483648\n", "followed by a number of nodes"},
        {"# dgm node\n", "followed by one name"},
        {"# dgm node a\tb\n", "followed by one name"},
        {"# dgm node \x80\n", "no UTF-8 text"},
        {"# dgm node \"a\n", "not closed"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        io_refuse(cases[k].text, "x.txt", 1, cases[k].words);
    io_refuse("0 1\n# dgm names\n", "x.txt", 2, "must stand before the first edge");
}

static void marks_of_encodings_are_known(void **state) {
    (void)state;
    io_refuse("\xfe\xff"
              "1",
              "x.txt", 1, "UTF-16");
    io_refuse("1", "x.txt", 1, "one field");
    io_refuse("0.5\n", "x.txt", 1, "one field");
    io_refuse("a b c\nd e\n", "x.txt", 1, "weight \"c\" is not a number");
    /* A header in words that dgm does not know may be an edge: the message says what to call it. */
    io_refuse("reader,book,mood\nanna,emma,glad\n", "x.csv", 1,
              "calls the first two columns source and target: other columns are then left out");
    assert_shape("\xef\xbb\xbf", 0, 0);
    assert_names("0.5 0.25\n", &by_name, "0.5 0.25 ");
}

static void assert_hints_refuse(const dgmi_io_edge_hints *hints, const char *text,
                                const char *words) {
    dgm_graph_builder *builder;
    dgmi_bytes_stream *stream;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, text, strlen(text), "x", &stream), DGM_OK);
    assert_int_equal(dgmi_io_read_edges_hinted(ctx, stream, &by_name, hints, builder),
                     DGM_ERROR_FORMAT);
    if (!strstr(dgm_context_error(ctx), words))
        fail_msg("\"%s\" is not in \"%s\"", words, dgm_context_error(ctx));
    dgmi_bytes_stream_close(stream);
    dgm_graph_builder_free(builder);
}

static void folders_that_number_their_nodes_have_no_names(void **state) {
    (void)state;
    const dgmi_io_edge_hints numbers = {.no_weights = true, .numbers_only = true, .base = 1};
    assert_hints_refuse(&numbers, "1 2\n# dgm names\n", "where ids may be names");
    assert_hints_refuse(&numbers, "# dgm names\n1 2\n", "where ids may be names");
    assert_hints_refuse(&numbers, "# dgm node x\n1 2\n", "node id \"x\" is not a whole number");
    assert_hints_refuse(&numbers, "0.5 0.25\n", "node id \"0.5\" is not a whole number");
    assert_hints_refuse(&numbers, "1 aaaaaaaaaabbbbbbbbbbccccccccccdddddddddde {}\n",
                        "\"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...\" is not a whole number");
}

static void numbers_far_beyond_the_edges_are_refused_with_their_count(void **state) {
    (void)state;
    io_refuse("0 2000000\n", "x.txt", 0,
              "node ids go up to 2000000 with only 1 edges, and all nodes up to there would be "
              "made; with ids=name only those that occur are (or say nodes=2000001)");
    io_refuse("# dgm base 1\n1 2000000\n", "x.txt", 0,
              "node ids go up to 2000000 with only 1 edges, and all nodes up to there would be "
              "made; with ids=name only those that occur are (or say nodes=2000000)");
    io_refuse("# dgm nodes 2000000\n0 1\n", "x.txt", 0,
              "2000000 nodes are promised for 1 edges; if that is right, say nodes=2000000");
}

static void marks_of_other_texts_are_refused_or_passed_over(void **state) {
    (void)state;
    io_refuse("\xff\xfe", "x.txt", 1, "this is UTF-16 text; save it as UTF-8");
    io_refuse("\xfe\xff", "x.txt", 1, "this is UTF-16 text; save it as UTF-8");
    assert_shape("\xef\xbb\xbf", 0, 0);
    assert_shape("\xef\xbb\xbf"
                 "0 1\n",
                 2, 1);
    io_refuse("\xff", "x.txt", 1, "no UTF-8 text");
}

static void edges_without_a_weight_are_counted(void **state) {
    (void)state;
    dgm_graph_free(io_read("0 1 {'weight': 2}\n1 2 {}\n", "x.txt", NULL));
    assert_non_null(strstr(io_notes, "x.txt: 1 edge without a weight, counted as 1\n"));
    dgm_graph_free(io_read("0 1 {'weight': 2}\n1 2 {}\n2 3 {}\n", "x.txt", NULL));
    assert_non_null(strstr(io_notes, "x.txt: 2 edges without a weight, counted as 1\n"));
    dgm_graph_free(io_read("0 1 {'weight': 2}\n1 2 {'weight': 3}\n", "x.txt", NULL));
    assert_string_equal(io_notes, "");
    dgm_graph_free(io_read("0 1 {'colour': 2}\n1 2 {}\n", "x.txt", NULL));
    assert_string_equal(io_notes,
                        "x.txt: attributes of edges other than the weight are left out\n");
}

/* The quotes of the name are in two of the blocks that are read at a time. */
static void a_directive_may_go_on_in_the_next_block(void **state) {
    (void)state;
    enum { BLOCK = DGMI_IO_EDGE_BLOCK, LINE = 1 << 10 };
    static const char name[] = "# dgm node \"two\nlines\"\na b\n";
    char *text = malloc(BLOCK + sizeof name);
    memset(text, '#', BLOCK);
    for (size_t end = LINE; end < BLOCK; end += LINE)
        text[end - 1] = '\n';
    char *at = text + BLOCK - sizeof "# dgm node \"two\nli";
    at[-1] = '\n';
    memcpy(at, name, sizeof name);
    assert_names(text, NULL, "two\nlines a b ");
    free(text);
}

static dgm_status read_long_list(dgm_context *own, void *text) {
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph;
    dgm_status status =
        dgm_graph_read_memory(own, text, strlen(text), "x.txt", DGM_FORMAT_AUTO, &options, &graph);
    dgm_graph_free(graph);
    return status;
}

/* Arrays for the edges, for their weights and for the nodes that are met are blocks of their own. */
static void every_allocation_of_a_long_list_may_fail(void **state) {
    (void)state;
    char *text = many_lines("", "%d00 %d00 0.5\n", 3000);
    fail_each_allocation(read_long_list, text);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_nodes_whatever_separates_them),
        cmocka_unit_test(the_third_column_is_a_weight),
        cmocka_unit_test(numbers_that_hardly_occur_are_said_or_refused),
        cmocka_unit_test(two_weights_of_one_edge_are_said),
        cmocka_unit_test(names_stand_by_first_appearance),
        cmocka_unit_test(whole_numbers_among_names_come_first_ascending),
        cmocka_unit_test(numbers_become_names_when_a_name_follows_them),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(a_line_without_end_is_refused),
        cmocka_unit_test(no_edges_are_no_error),
        cmocka_unit_test(hints_say_what_folders_know),
        cmocka_unit_test(directives_that_are_wrong_are_refused_and_others_are_comments),
        cmocka_unit_test(marks_of_encodings_are_known),
        cmocka_unit_test(folders_that_number_their_nodes_have_no_names),
        cmocka_unit_test(numbers_far_beyond_the_edges_are_refused_with_their_count),
        cmocka_unit_test(marks_of_other_texts_are_refused_or_passed_over),
        cmocka_unit_test(edges_without_a_weight_are_counted),
        cmocka_unit_test(a_directive_may_go_on_in_the_next_block),
        cmocka_unit_test(every_allocation_of_a_long_list_may_fail),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
