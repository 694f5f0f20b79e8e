/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists of numbers, which are read many lines at a time. */
#include "edges_sample.h"

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
        {'\t', false, 0, 1, "1\t2\n", "1\t\t2\n"},
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_texts_have_the_same_edges_for_any_number_of_threads),
        cmocka_unit_test(the_fast_way_reads_what_the_slow_way_reads),
        cmocka_unit_test(columns_behind_the_weight_change_nothing),
        cmocka_unit_test(pieces_pass_over_columns_up_to_a_quote),
        cmocka_unit_test(plain_lines_have_as_many_columns_as_the_first),
        cmocka_unit_test(a_line_number_is_exact_deep_in_a_large_text),
        cmocka_unit_test(plain_pieces_stop_at_the_first_other_line),
        cmocka_unit_test(pieces_take_padding_and_comments_and_stop_at_anything_else),
        cmocka_unit_test(a_path_is_the_same_path_in_every_layout),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
