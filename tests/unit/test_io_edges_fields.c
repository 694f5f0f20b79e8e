/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of edge lists: headers, columns, quotes, dictionaries. */
#include "edges_sample.h"

static void edge_lists_of_networkx_are_read(void **state) {
    (void)state;
    dgm_graph *graph = io_read("0 1 {}\n1 2 {}\n", "x.edgelist", NULL);
    assert_null(dgm_graph_get_rows(graph).weights);
    assert_int_equal(dgm_graph_edges(graph), 2);
    dgm_graph_free(graph);
    graph = io_read("a b {'weight': 0.5}\nb c {'color': 'red, blue', 'weight': 3}\n", "x.edgelist",
                    NULL);
    io_assert_edge(graph, 0, 1, 0.5);
    io_assert_edge(graph, 1, 2, 3);
    assert_non_null(strstr(io_notes, "other than the weight are left out"));
    dgm_graph_free(graph);
    static const char *const texts[] = {"0 1 {}\n1 2 {'weight': 3}\n2 3 {}\n",
                                        "2 1 {'weight': 3}\n1 0 {}\n2 3 {}\n",
                                        "0 1 {}\n1 2 {\"weight\": 3}\n2 3 {}\n"};
    for (int k = 0; k < 3; k++) { /* a weight counts wherever the first one stands */
        graph = io_read(texts[k], "x.edgelist", NULL);
        io_assert_edge(graph, 0, 1, 1);
        io_assert_edge(graph, 1, 2, 3);
        io_assert_edge(graph, 2, 3, 1);
        assert_non_null(strstr(io_notes, "2 edges without a weight"));
        dgm_graph_free(graph);
    }
    io_refuse("0 1 {}\n1 2 {'weight': 'much'}\n", "x.edgelist", 2, "weight");
}

static void tables_of_points_are_refused(void **state) {
    (void)state;
    static const char *const points[] = {
        "x,y\n0.5,0.25\n1.5,0.75\n",              /* fractions under words */
        "0.5 0.25\n1.5 0.75\n",                   /* fractions alone */
        "p0,p1,p2,p3\n0,5,3,2\n0,1,2,3\n",        /* many columns of numbers under words */
        "1 2 3 4 5 6 7 8 9\n2 3 4 5 6 7 8 9 1\n", /* very many, bare */
        "a\tb\n1e-3\t2.5\n",
    };
    for (size_t k = 0; k < sizeof points / sizeof *points; k++)
        io_refuse(points[k], "x.csv", 1, "'dgm convert' with knn=10");
    static const char *const edges[] = {"source,target,a,b,c\n0,1,1,2,3\n",
                                        "0 1 0.5 7\n1 2 0.25 8\n", "u,v,weight\n0,1,0.5\n",
                                        "\"0.5\" \"0.25\"\n", "1.0.2 1.0.3\n"};
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++)
        dgm_graph_free(io_read(edges[k], "x.txt", NULL));
}

static void columns_that_a_header_calls_something_else_are_left_out(void **state) {
    (void)state;
    dgm_graph *graph = io_read("source,target,time\n0,1,99\n1,2,soon\n", "x.csv", NULL);
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_null(dgm_graph_get_rows(graph).weights);
    assert_non_null(strstr(io_notes, "time"));
    dgm_graph_free(graph);
    graph = io_read("0 1 2 3\n", "x.txt", NULL);
    assert_non_null(strstr(io_notes, "third column"));
    dgm_graph_free(graph);
}

static void words_above_dates_are_a_header(void **state) {
    (void)state;
    dgm_graph *graph = io_read("reader,book,date\nanna,emma,2024-01-02\n", "x.csv", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 2);
    assert_int_equal(dgm_graph_edges(graph), 1);
    assert_non_null(strstr(io_notes, "the column \"date\" is not read"));
    dgm_graph_free(graph);
    /* As sure as that nothing else is: digits in the first line, other columns below, no digit. */
    static const char *const edges[] = {"reader,book,day 1\nanna,emma,2024-01-02\n",
                                        "reader,book,date\nanna,emma\n",
                                        "reader,book,date\nanna,emma,\n",
                                        "reader,,date\nanna,emma,2024-01-02\n",
                                        "reader,book,date\nanna,emma,2024-01-02,x\n",
                                        "reader,book,date,mood\nanna,emma,,2024-01-02\n",
                                        "reader,book,date\nanna,emma,/1\n",
                                        "reader,book,date\nanna,emma,:1\n"};
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++)
        io_refuse(edges[k], "x.csv", 1, "");
    io_refuse("anna emma {}\nemma ben 2024-01-02\n", "x.edgelist", 2,
              "weight \"2024-01-02\" is not a number");
    /* Nor are there more columns than are kept. */
    char text[512] = "reader,book,date";
    for (int k = 0; k < DGMI_IO_EDGE_FIELDS; k++)
        strcat(text, ",mood");
    strcat(text, "\nanna,emma,2024-01-02");
    for (int k = 0; k < DGMI_IO_EDGE_FIELDS; k++)
        strcat(text, ",glad");
    io_refuse(text, "x.csv", 1, "weight \"date\" is not a number");
}

static void a_header_may_stand_far_above_the_first_edge(void **state) {
    (void)state;
    char *text = many_lines("to,from\n", "# %d %d\n", 300);
    strcat(text, "0,1\n1,2\n");
    assert_shape(text, 3, 2);
    free(text);
}

static void headers_may_name_one_end_or_call_an_end_a_weight(void **state) {
    (void)state;
    static const char *const texts[] = {"source,friend\n0,1\n1,2\n", "friend,source\n0,1\n1,2\n",
                                        "friend,target\n0,1\n1,2\n", "weight,height\n0,1\n1,2\n",
                                        "height,weight\n0,1\n1,2\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        dgm_graph *graph = io_read(texts[k], "x.csv", NULL);
        assert_int_equal(dgm_graph_nodes(graph), 3);
        assert_null(dgm_graph_get_rows(graph).weights);
        io_assert_edge(graph, 0, 1, 1);
        io_assert_edge(graph, 1, 2, 1);
        dgm_graph_free(graph);
    }
}

static void only_numbers_in_both_columns_make_words_above_them_a_header(void **state) {
    (void)state;
    assert_names("a b\n1 x\n", NULL, "1 a b x ");
    assert_names("a b\nx 1\n", NULL, "1 a b x ");
    assert_names("a b\n1 2\n", &by_name, "1 2 ");
}

static void lines_may_be_short_where_columns_are_passed_over(void **state) {
    (void)state;
    assert_shape("source,target,x,y,z\n0,1,1,1,1\n1,2,3\n", 3, 2);
    static const char *const heads[] = {"a,b,c,source,target", "a,b,target,c,source",
                                        "a,b,source,c,target", "source,target,a,b,weight"};
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        char text[128];
        snprintf(text, sizeof text, "%s\n1,2,3,4,5\n1,2,3\n", heads[k]);
        io_refuse(text, "x.csv", 3, "3 columns, where line 2 has 5");
    }
    io_refuse("0 1 0.5 9\n1 2\n", "x.txt", 2, "2 columns, where line 1 has 4");
    io_refuse("source,target,x,y,z\n0,1,1,1,1\n1,2\n", "x.csv", 3, "2 columns, where line 2 has 5");
}

/* "name 7 8 9 ...", more columns than are kept. */
static void lines_may_have_any_number_of_columns(void **state) {
    (void)state;
    char text[2048] = "source,target", numbers[512] = "0", names[512] = "a b 2";
    for (int k = 0; k < 50; k++) {
        strcat(text, ",c");
        strcat(numbers, " 1");
        strcat(names, " x");
    }
    io_refuse(numbers, "x.txt", 1, "a table of points");
    assert_names(names, NULL, "a b ");
    strcat(text, "\n7,");
    for (int k = 0; k < 51; k++)
        strcat(text, "8,");
    assert_shape(text, 9, 1);
    strcpy(text, "a,b,2");
    for (int k = 0; k < 50; k++)
        strcat(text, ",\"x\"");
    assert_names(text, NULL, "a b ");
}

/* The corner is empty and names repeat: no list of edges. An index before the edges, as pandas writes
 * it, is no matrix. */
static void a_matrix_is_no_list_of_edges(void **state) {
    (void)state;
    static const char matrix[] = "a matrix of all pairs of nodes";
    io_refuse(",A,B,C\nA,0,1,0\nB,1,0,2\nC,0,2,0\n", "x.csv", 1, matrix);
    io_refuse(";10;11\n10;0;1\n11;1;0\n", "x.csv", 1, matrix);
    io_refuse("\tx\ty\nx\t0\t1\ny\t1\t0\n", "x.tsv", 1, matrix);
    io_refuse("x y\nx 0 1\ny 1 0\n", "x.txt", 1, matrix);
    assert_names(",source,target\n0,A,B\n1,B,C\n", NULL, "A B C ");
    assert_names("A,B,1\nA,C,1\n", NULL, "A B C ");  /* the corner is a name */
    assert_names(",A,B,C\nB,A,1,0\n", NULL, "B A "); /* other names */
    assert_names(",,B\nA,x,1\n", NULL, "A x ");      /* no name over the first column */
    /* An empty name in quotes is the corner, unless a weight stands at the end of its line. */
    io_refuse("\"\",\"A\",\"B\"\n\"A\",0,1\n\"B\",1,0\n", "x.csv", 1, matrix);
    io_refuse("\"\",A,B,C\nA,0,1,0\nB,1,0,2\nC,0,2,0\n", "x.csv", 1, matrix);
    assert_names("\"\"\te\t1\ne\tx\t1\n", NULL, " e x ");
}

static void an_empty_name_in_quotes_is_a_name(void **state) {
    (void)state;
    assert_names("a,\"\"\nb,a\n", NULL, "a  b ");
    io_refuse("a,\nb,a\n", "x.csv", 1, "one field");
}

static void dictionaries_and_numbers_may_mix(void **state) {
    (void)state;
    dgm_graph *graph = io_read("0 1 {}\n1 2 5\n2 3 {'weight': 3}\n", "x.edgelist", NULL);
    io_assert_edge(graph, 0, 1, 1);
    io_assert_edge(graph, 1, 2, 5);
    io_assert_edge(graph, 2, 3, 3);
    assert_non_null(strstr(io_notes, "1 edge without a weight"));
    dgm_graph_free(graph);
    graph = io_read("0 1 {}\n1 2 5\n", "x.edgelist", NULL);
    io_assert_edge(graph, 0, 1, 1);
    io_assert_edge(graph, 1, 2, 5);
    dgm_graph_free(graph);
    graph = io_read("0 1 {'at': '12:30', 'weight': 2}\n", "x.edgelist", NULL);
    io_assert_edge(graph, 0, 1, 2);
    assert_non_null(strstr(io_notes, "other than the weight"));
    dgm_graph_free(graph);
    graph = io_read("0 1 {'weight': 2}\n", "x.edgelist", NULL);
    assert_string_equal(io_notes, "");
    dgm_graph_free(graph);
    /* A dictionary keeps its commas; braces around other things are names. */
    assert_names("a b {'x': 1, \"weight\": 2}\n", NULL, "a b ");
    assert_names("a\tb\t{'x': 1, 'y': 2}\nNew York\tb\t{}\n", NULL, "a b New York ");
    assert_names("a b {c,d e\n", NULL, "a b {c d e ");
    assert_names("a b {c,d}\n", NULL, "a b {c d} ");
    assert_names("a b {'c,d\n", NULL, "a b {'c d ");
    assert_names("a b {,d\n", NULL, "a b { d ");
    assert_names("a b c,d\n", NULL, "a b c d ");
    assert_names("a b,c d {}\n", NULL, "a b c d {} ");
    io_refuse("0 1 {}\n1 2 \"\"\n", "x.edgelist", 2, "weight \"\" is not a number");
    io_refuse("0 1 {'weight':\n", "x.edgelist", 1, "not a finite number");
    io_refuse("0 1 {'weight': inf}\n", "x.edgelist", 1, "not a finite number");
}

static void texts_in_messages_are_cut_short(void **state) {
    (void)state;
    io_refuse("0 11111111112222222222333333333344444444445\n", "x.txt", 1,
              "node id 1111111111222222222233333333334444444444... is outside 0 to 2147483646");
    io_refuse("0 1 aaaaaaaaaabbbbbbbbbbccccccccccdddddddddde\n", "x.txt", 1,
              "weight \"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...\" is not a number");
    io_refuse("0 1 {'weight': 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'}\n", "x.txt", 1,
              "the weight in \"{'weight': 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa...\" is not");
    io_refuse("0,1,,7\n", "x.csv", 1, "weight \"\" is not a number");
    char large[500] = "0 1 ";
    memset(large + 4, '9', 400);
    io_refuse(large, "x.txt", 1,
              "weight \"9999999999999999999999999999999999999999...\" is not a finite number");
}

static void dictionaries_are_passed_over_where_weights_are_not_read(void **state) {
    (void)state;
    const dgmi_io_edge_hints hints = {.no_weights = true};
    const char *text = "0 1 {'weight': 2}\n1 2 {'weight': 'much'}\n";
    dgm_graph_builder *builder;
    dgmi_bytes_stream *stream;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, text, strlen(text), "x", &stream), DGM_OK);
    const dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    assert_int_equal(dgmi_io_read_edges_hinted(ctx, stream, &options, &hints, builder), DGM_OK);
    dgmi_bytes_stream_close(stream);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_null(dgm_graph_get_rows(graph).weights);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edge_lists_of_networkx_are_read),
        cmocka_unit_test(tables_of_points_are_refused),
        cmocka_unit_test(columns_that_a_header_calls_something_else_are_left_out),
        cmocka_unit_test(words_above_dates_are_a_header),
        cmocka_unit_test(a_header_may_stand_far_above_the_first_edge),
        cmocka_unit_test(headers_may_name_one_end_or_call_an_end_a_weight),
        cmocka_unit_test(only_numbers_in_both_columns_make_words_above_them_a_header),
        cmocka_unit_test(lines_may_be_short_where_columns_are_passed_over),
        cmocka_unit_test(lines_may_have_any_number_of_columns),
        cmocka_unit_test(a_matrix_is_no_list_of_edges),
        cmocka_unit_test(an_empty_name_in_quotes_is_a_name),
        cmocka_unit_test(dictionaries_and_numbers_may_mix),
        cmocka_unit_test(texts_in_messages_are_cut_short),
        cmocka_unit_test(dictionaries_are_passed_over_where_weights_are_not_read),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
