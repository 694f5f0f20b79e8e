/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../check_graph.h"
#include "graph_builder.h"
#include "io_check.h"
#include "io_edges.h"
#include "io_formats.h"

static const dgm_graph_options by_name = {.size = sizeof(dgm_graph_options), .ids = DGM_IDS_NAME};

static void assert_shape(const char *text, int64_t nodes, int64_t edges) {
    dgm_graph *graph = io_read(text, "x.txt", NULL);
    assert_int_equal(dgm_graph_nodes(graph), nodes);
    assert_int_equal(dgm_graph_edges(graph), edges);
    dgm_graph_free(graph);
}

/* The names of all nodes in order, each followed by a blank. */
static void assert_names(const char *text, const dgm_graph_options *options, const char *names) {
    char all[512] = "";
    dgm_graph *graph = io_read(text, "x.txt", options);
    for (int64_t u = 0; u < dgm_graph_nodes(graph); u++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s ", io_name(graph, u));
    }
    assert_string_equal(all, names);
    dgm_graph_free(graph);
}

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
                                 "\xef\xbb\xbf"
                                 "0 1\n1 2\n",
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
    /* As sure as that nothing else is: digits in the first line, fewer columns below, no digit. */
    static const char *const edges[] = {
        "reader,book,day 1\nanna,emma,2024-01-02\n", "reader,book,date\nanna,emma\n",
        "reader,book,date\nanna,emma,\n", "reader,,date\nanna,emma,2024-01-02\n"};
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++)
        io_refuse(edges[k], "x.csv", 1, "");
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

/* Both ways of reading meet in one large text: plain lines, comments, weights, the odd quote. */
static void large_texts_have_the_same_edges_for_any_number_of_threads(void **state) {
    (void)state;
    enum { LINES = 450000 };
    size_t capacity = (size_t)LINES * 32, used = 0;
    char *text = malloc(capacity);
    for (int i = 0; i < LINES; i++) {
        const char *form = (i / 100000 % 2 && i % 53 == 7) || i % 50021 == 7 ? "\"%d\"\t%d\n"
                           : i % 997 == 3                                    ? "%d\t%d\r\n# c\n"
                                                                             : "%d\t%d\n";
        used += (size_t)snprintf(text + used, capacity - used, form, i % 1000003, (i * 7) % 1000);
    }
    dgm_graph *first = io_read(text, "x.tsv", NULL);
    assert_true(dgm_graph_get_counts(first).records == LINES);
    const dgm_graph_options plain = DGM_GRAPH_OPTIONS_INIT;
    assert_null(check_graph(first, &plain));
    for (int threads = 1; threads <= 4; threads += 3) {
        dgm_context_set_threads(ctx, threads);
        dgm_graph *graph = io_read(text, "x.tsv", NULL);
        assert_null(check_same_graph(first, graph, CHECK_NAMES));
        dgm_graph_free(graph);
    }
    dgm_context_set_threads(ctx, 0);
    dgm_graph_free(first);
    free(text);
}

/* Random lines that are nearly plain, behind enough plain ones that the fast way meets them. With
 * ids as names all lines go the slow way. */
static void the_fast_way_reads_what_the_slow_way_reads(void **state) {
    (void)state;
    static const char *const pieces[] = {"1",  "23", "45678", "12345678", "9",    " ", "  ",
                                         "\t", " ",  ",",     "\n",       "\r\n", "#", "%",
                                         "-",  "+",  "0",     ".5",       "e3",   "x"};
    const dgm_graph_options names = {
        .size = sizeof(dgm_graph_options), .ids = DGM_IDS_NAME, .keep_loops = true};
    const dgm_graph_options numbers = {
        .size = sizeof(dgm_graph_options), .keep_loops = true, .nodes = 20000000};
    uint64_t random = 12345;
    int agreed = 0;
    for (int round = 0; round < 4000; round++) {
        char text[1024] = "";
        for (int i = 0; i < 100; i++)
            strcat(text, round % 3 == 0 ? "0 1\n" : round % 3 == 1 ? "0,1\n" : "0 1 2\n");
        for (int i = 0; i < 8; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            strcat(text, pieces[(random >> 33) % (sizeof pieces / sizeof *pieces)]);
        }
        dgm_graph_builder *builders[2];
        dgm_status status[2];
        int64_t lines[2];
        for (int way = 0; way < 2; way++) {
            dgmi_bytes_stream *stream;
            const dgm_graph_options *options = way ? &names : &numbers;
            assert_int_equal(dgm_graph_builder_create(ctx, options, &builders[way]), DGM_OK);
            assert_int_equal(dgmi_bytes_stream_open_memory(ctx, text, strlen(text), "x", &stream),
                             DGM_OK);
            status[way] = dgmi_io_read_edges(ctx, stream, options, builders[way]);
            lines[way] = dgm_context_error_parts(ctx).line;
            dgmi_bytes_stream_close(stream);
        }
        if (status[0] == DGM_OK) {
            assert_int_equal(status[1], DGM_OK);
            assert_int_equal(dgmi_graph_builder_records(builders[0]),
                             dgmi_graph_builder_records(builders[1]));
            agreed++;
        }
        if (status[1] != DGM_OK) {
            assert_int_equal(status[0], status[1]);
            assert_true(lines[0] <= lines[1]); /* a negative id is wrong as a number alone */
        }
        dgm_graph_builder_free(builders[0]);
        dgm_graph_builder_free(builders[1]);
    }
    assert_true(agreed > 100);
}

/* Edges with a weight each, and `more` columns behind it, some of them odd. */
static char *table_of_edges(char separator, int lines, int more) {
    static const char *const fields[] = {"7", "x", "\"a,b\"", "-1", "", " 3 "};
    const int kinds = separator == ' ' ? 4 : 6; /* blanks that separate stand for no empty field */
    size_t capacity = (size_t)lines * 64, used = 0;
    char *text = malloc(capacity);
    assert_non_null(text);
    for (int i = 0; i < lines; i++) {
        const char *end = i % 11 == 5 ? "\r\n" : "\n";
        used += (size_t)snprintf(text + used, capacity - used, "%d%c%d%c%d.5", i, separator,
                                 (i * 7 + 1) % lines, separator, i % 9 + 1);
        for (int k = 0; k < more && i % 101 != 100; k++) /* three columns have what is read */
            used += (size_t)snprintf(text + used, capacity - used, "%c%s", separator,
                                     fields[(i + k) / 3 % kinds]);
        used += (size_t)snprintf(text + used, capacity - used, "%s%s", end,
                                 i % 37 == 8 ? "# 5 6 7 8\n\n" : "");
    }
    return text;
}

static void columns_behind_the_weight_change_nothing(void **state) {
    (void)state;
    static const char separators[] = {' ', '\t', ','};
    for (int k = 0; k < 6; k++) {
        char *narrow = table_of_edges(separators[k / 2], 5000, 0);
        char *wide = table_of_edges(separators[k / 2], 5000, 1 + k % 2);
        dgm_graph *expected = io_read(narrow, "x", NULL);
        dgm_graph *graph = io_read(wide, "x", NULL);
        assert_int_equal(dgm_graph_get_counts(expected).records, 5000);
        assert_int_equal(dgm_graph_get_counts(graph).records, 5000);
        assert_non_null(dgm_graph_get_rows(graph).weights);
        assert_null(check_same_graph(expected, graph, CHECK_NAMES));
        dgm_graph_free(expected);
        dgm_graph_free(graph);
        free(narrow);
        free(wide);
    }
}

static void pieces_pass_over_columns_up_to_a_quote(void **state) {
    (void)state;
    char text[] = "1 2 x y z\n# c\n 3 4 0\r\n5 6 7 8 \n9 9 \"a\nb\" 1\n1 1\n"
                  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    static uint32_t ends[2 * DGMI_IO_EDGE_RECORDS];
    const dgmi_io_edge_layout layout = {.separator = ' ', .skip = true};
    dgmi_io_edge_piece piece = {.ends = ends, .begin = text, .end = text + strlen(text)};
    dgmi_io_edge_parse_piece(&layout, &piece);
    const uint32_t expected[] = {1, 2, 3, 4, 5, 6};
    assert_int_equal(piece.records, 3);
    assert_int_equal(piece.lines, 4);
    assert_memory_equal(ends, expected, sizeof expected);
    assert_memory_equal(piece.stop, "9 9 \"a", 6);
}

/* A line with a column too many or too few is left to the slow way, which says so. */
static void plain_lines_have_as_many_columns_as_the_first(void **state) {
    (void)state;
    static const struct {
        bool weights, skip;
        const char *good, *bad;
    } cases[] = {
        {false, false, "1 2\n", "5 6 7\n"},     {true, false, "1 2 3\n", "5 6 7 8\n"},
        {true, false, "1 2 3\n", "5 6\n"},      {false, true, "1 2 3\n", "5 6\n"},
        {false, true, "1 2 3\n", "5 6 \n"},     {false, true, "1 2 3\n", "5 6 \r\n"},
        {true, true, "1 2 3 4\n", "5 6\n"},     {true, true, "1 2 3 4\n", "5 6 \n"},
        {true, true, "1 2 3 4\n", "5 6 x 7\n"},
    };
    static uint32_t ends[2 * DGMI_IO_EDGE_RECORDS];
    static double weights[DGMI_IO_EDGE_RECORDS];
    for (int64_t k = 0; k < (int64_t)(sizeof cases / sizeof *cases); k++) {
        char text[64] = "";
        snprintf(text, sizeof text - DGMI_IO_EDGE_SLACK, "%s%s", cases[k].good, cases[k].bad);
        const dgmi_io_edge_layout layout = {
            .separator = ' ', .weights = cases[k].weights, .skip = cases[k].skip};
        dgmi_io_edge_piece piece = {
            .ends = ends, .weights = weights, .begin = text, .end = text + strlen(text)};
        dgmi_io_edge_parse_piece(&layout, &piece);
        assert_int_equal(piece.records, 1);
        assert_string_equal(piece.stop, cases[k].bad);
        assert_true(!cases[k].weights || weights[0] == 3);
    }
}

static void a_line_number_is_exact_deep_in_a_large_text(void **state) {
    (void)state;
    enum { LINES = 450000 };
    size_t capacity = (size_t)LINES * 24, used = 0;
    char *text = malloc(capacity);
    for (int i = 1; i < LINES; i++)
        used += (size_t)snprintf(text + used, capacity - used, i % 3 ? "%d %d\n" : "# %d %d\n", i,
                                 i / 2);
    snprintf(text + used, capacity - used, "5 -1\n1 2\n");
    io_refuse(text, "x.txt", LINES, "-1");
    free(text);
}

static void plain_pieces_stop_at_the_first_other_line(void **state) {
    (void)state;
    char text[] = "1 2\n# c\n 3 4 \r\n\n12345678 123456789\n# dgm nodes 3\n5 "
                  "6\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    static uint32_t ends[2 * DGMI_IO_EDGE_RECORDS];
    const dgmi_io_edge_layout layout = {.separator = ' '};
    dgmi_io_edge_piece piece = {.ends = ends, .begin = text, .end = text + strlen(text)};
    dgmi_io_edge_parse_piece(&layout, &piece);
    const uint32_t expected[] = {1, 2, 3, 4, 12345678, 123456789};
    assert_int_equal(piece.records, 3);
    assert_int_equal(piece.lines, 5);
    assert_int_equal(piece.highest, 123456789);
    assert_memory_equal(ends, expected, sizeof expected);
    assert_memory_equal(piece.stop, "# dgm nodes", 11);
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

static void assert_round_trip(const char *text, const dgm_graph_options *options,
                              const char *name) {
    dgm_graph *graph = io_read(text, "x.txt", options), *back;
    const char *path = io_path(name);
    if (dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO) != DGM_OK ||
        dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, options, NULL, &back) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    const char *wrong = check_same_graph(graph, back, CHECK_NAMES);
    if (wrong)
        fail_msg("%s: %s", text, wrong);
    dgm_graph_free(graph);
    dgm_graph_free(back);
}

static void every_graph_comes_back_from_its_file(void **state) {
    (void)state;
    const char *const texts[] = {
        "0 1\n1 2\n",
        "# dgm nodes 9\n0 1\n",
        "# dgm base 1\n# dgm nodes 9\n1 2\n",
        "# nothing\n",
        "# dgm nodes 4\n",
        "0 1 0.1\n1 2 1e300\n2 3 5e-324\n",
        "a b\nb c\n",
        "a z\nz b\n# dgm node lonely\nb y\n",
        "10 x\n3 10\n",
        "source target\nfrom to\nw v\n",
        "\"# a\",\"b \"\"c\"\"\"\n\"two\nlines\",\" blanks \"\n\"\",\"% x\"\n\"1 2\",\"//\"\n",
        "a 1\n2 3\nb 4\n",
        "\"\xef\xbb\xbfx\" y\n",
        "a;b c,d\n",
        "\"a;b\" \"c\td\"\n",
        "\"1.5\" \"2.5\"\n", /* names, though they look like a point */
    };
    const char *const names[] = {"r.tsv", "r.csv", "r.txt", "r.el.gz"};
    const dgm_graph_options options[] = {
        DGM_GRAPH_OPTIONS_INIT,
        {sizeof(dgm_graph_options), true, true, 0, DGM_IDS_NUMBER, NULL},
        {sizeof(dgm_graph_options), false, true, 0, DGM_IDS_NAME, NULL}};
    dgm_context_set_threads(ctx, 1);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            for (size_t o = 0; o < sizeof options / sizeof *options; o++)
                assert_round_trip(texts[t], &options[o], names[n]);
    dgm_context_set_threads(ctx, 0);
}

static void written_files_look_as_people_expect(void **state) {
    (void)state;
    const struct {
        const char *text, *name, *expected;
    } cases[] = {
        {"0 1\n2 1\n", "w.tsv", "0\t1\n1\t2\n"},
        {"0 1 0.5\n", "w.csv", "source,target,weight\n0,1,0.5\n"},
        {"0 1\n", "w.txt", "0 1\n"},
        {"# dgm nodes 4\n0 1\n", "w.tsv", "# dgm nodes 4\n0\t1\n"},
        {"Oslo Bergen\n", "w.tsv", "Oslo\tBergen\n"},
        {"10 x\n", "w.tsv", "# dgm names\nsource\ttarget\n10\tx\n"},
        {"a b\n# dgm node c\n", "w.tsv", "a\tb\n# dgm node c\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size;
        dgm_graph *graph = io_read(cases[i].text, "x.txt", NULL);
        assert_int_equal(dgm_graph_write(ctx, graph, io_path(cases[i].name), DGM_FORMAT_AUTO),
                         DGM_OK);
        char *data = io_load(io_path(cases[i].name), &size);
        assert_string_equal(data, cases[i].expected);
        free(data);
        dgm_graph_free(graph);
    }
}

/* Lines before these are plain, and the piece stops at the one that is not; an empty one: all are
 * plain. */
static void pieces_take_padding_and_comments_and_stop_at_anything_else(void **state) {
    (void)state;
    static const struct {
        char separator;
        bool weights;
        int64_t base, records;
        const char *good, *rest;
    } cases[] = {
        {'\t', false, 0, 2, " 1 \t 2 \n3\t4\t\n", ""},
        {',', false, 0, 3, "\t1\t,\t2\t\n 3 , 4 \n5,6\r\n", ""},
        {';', true, 0, 2, "\t1 ; 2\t;\t0.5\t\n3;4;1e3\n", ""},
        {'\t', true, 0, 2, "1\t2\t 0.5 \n3 \t4\t7\r\n", ""},
        {' ', false, 0, 2, "\t1 \t 2\n% c\n// c\n  # c\n#\n1 2\n", ""},
        {' ', false, 1, 1, "1 2\n", "0 1\n"},
        {' ', false, 1, 1, "1 2\n", "1 0\n"},
        {' ', false, 0, 1, "1 2\n", "2147483647 1\n"},
        {' ', false, 0, 1, "1 2\n", "1 2147483647\n"},
        {' ', false, 0, 1, "1 2147483646\n", "1234567890123456789012 1\n"},
        {' ', false, 0, 1, "12345678 1\n", "12345678x 1\n"},
        {' ', false, 0, 1, "1 2\n", "1,2\n"},
        {',', false, 0, 1, "1,2\n", "1 2\n"},
        {'\t', false, 0, 1, "1\t2\n", "1 2\n"},
        {'\t', false, 0, 1, "1\t2\n", "\t1\t2\n"},
        {' ', true, 0, 1, "1 2 3\n", "1 2 nan\n"},
        {' ', true, 0, 1, "1 2 3\n", "1 2 \"3\"\n"},
        {' ', false, 0, 1, "1 2\n", "/ 1 2\n"},
        {' ', false, 0, 1, "1 2\n", "# dgm base 1\n"},
    };
    static uint32_t ends[2 * DGMI_IO_EDGE_RECORDS];
    static double weights[DGMI_IO_EDGE_RECORDS];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[128] = "";
        snprintf(text, sizeof text - DGMI_IO_EDGE_SLACK, "%s%s", cases[k].good, cases[k].rest);
        const dgmi_io_edge_layout layout = {
            .separator = cases[k].separator, .weights = cases[k].weights, .base = cases[k].base};
        dgmi_io_edge_piece piece = {
            .ends = ends, .weights = weights, .begin = text, .end = text + strlen(text)};
        dgmi_io_edge_parse_piece(&layout, &piece);
        if (piece.records != cases[k].records || strcmp(piece.stop, cases[k].rest) != 0)
            fail_msg("case %zu: %d records, then \"%s\"", k, (int)piece.records, piece.stop);
    }
}

/* `lines` times the same form, with i and i + 1 as ids; to be freed. */
static char *many_lines(const char *head, const char *form, int lines) {
    size_t capacity = (size_t)lines * 48 + 64, used = 0;
    char *text = malloc(capacity);
    assert_non_null(text);
    used += (size_t)snprintf(text, capacity, "%s", head);
    for (int i = 0; i < lines; i++)
        used += (size_t)snprintf(text + used, capacity - used, form, i, i + 1);
    return text;
}

/* Each text is longer than what is read line by line before plain lines are looked for. */
static void a_path_is_the_same_path_in_every_layout(void **state) {
    (void)state;
    static const struct {
        const char *head, *form;
        double weight;
    } cases[] = {
        {"", "%d %d\n", 1},
        {"", "n%d n%d\n", 1},
        {"", "%d %d {'weight': 2}\n", 2},
        {"", "n%d n%d 3\n", 3},
        {"source,target\n", "%d,%d\n", 1},
        {"target,source\n", "%d,%d\n", 1},
        {"source,time,target\n", "%d,77,%d\n", 1},
        {"time,source,target\n", "77,%d,%d\n", 1},
        {"source,target,time,weight\n", "%d,%d,77,4\n", 4},
        {"source,target\n", "# c\n%d,%d\n", 1},
        {"source,target,weight\n", "%d,%d,5\n", 5},
    };
    enum { LINES = 9000 };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = many_lines(cases[k].head, cases[k].form, LINES);
        dgm_graph *graph = io_read(text, "x.txt", NULL);
        assert_int_equal(dgm_graph_nodes(graph), LINES + 1);
        assert_int_equal(dgm_graph_edges(graph), LINES);
        for (int64_t u = 0; u < LINES; u++)
            io_assert_edge(graph, u, (uint32_t)u + 1, cases[k].weight);
        dgm_graph_free(graph);
        free(text);
    }
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
        cmocka_unit_test(numbers_are_nodes_whatever_separates_them),
        cmocka_unit_test(the_third_column_is_a_weight),
        cmocka_unit_test(edge_lists_of_networkx_are_read),
        cmocka_unit_test(numbers_that_hardly_occur_are_said_or_refused),
        cmocka_unit_test(two_weights_of_one_edge_are_said),
        cmocka_unit_test(tables_of_points_are_refused),
        cmocka_unit_test(columns_that_a_header_calls_something_else_are_left_out),
        cmocka_unit_test(words_above_dates_are_a_header),
        cmocka_unit_test(names_stand_by_first_appearance),
        cmocka_unit_test(whole_numbers_among_names_come_first_ascending),
        cmocka_unit_test(numbers_become_names_when_a_name_follows_them),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(a_line_without_end_is_refused),
        cmocka_unit_test(no_edges_are_no_error),
        cmocka_unit_test(large_texts_have_the_same_edges_for_any_number_of_threads),
        cmocka_unit_test(the_fast_way_reads_what_the_slow_way_reads),
        cmocka_unit_test(columns_behind_the_weight_change_nothing),
        cmocka_unit_test(pieces_pass_over_columns_up_to_a_quote),
        cmocka_unit_test(plain_lines_have_as_many_columns_as_the_first),
        cmocka_unit_test(a_line_number_is_exact_deep_in_a_large_text),
        cmocka_unit_test(plain_pieces_stop_at_the_first_other_line),
        cmocka_unit_test(hints_say_what_folders_know),
        cmocka_unit_test(every_graph_comes_back_from_its_file),
        cmocka_unit_test(written_files_look_as_people_expect),
        cmocka_unit_test(pieces_take_padding_and_comments_and_stop_at_anything_else),
        cmocka_unit_test(a_path_is_the_same_path_in_every_layout),
        cmocka_unit_test(a_header_may_stand_far_above_the_first_edge),
        cmocka_unit_test(headers_may_name_one_end_or_call_an_end_a_weight),
        cmocka_unit_test(only_numbers_in_both_columns_make_words_above_them_a_header),
        cmocka_unit_test(lines_may_be_short_where_columns_are_passed_over),
        cmocka_unit_test(lines_may_have_any_number_of_columns),
        cmocka_unit_test(an_empty_name_in_quotes_is_a_name),
        cmocka_unit_test(dictionaries_and_numbers_may_mix),
        cmocka_unit_test(texts_in_messages_are_cut_short),
        cmocka_unit_test(directives_that_are_wrong_are_refused_and_others_are_comments),
        cmocka_unit_test(marks_of_encodings_are_known),
        cmocka_unit_test(folders_that_number_their_nodes_have_no_names),
        cmocka_unit_test(dictionaries_are_passed_over_where_weights_are_not_read),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
