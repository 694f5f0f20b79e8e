/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../check_graph.h"
#include "io_check.h"

static void neighbours_are_edges_and_empty_lines_are_nodes(void **state) {
    (void)state;
    dgm_graph *graph = io_read("% c\n4 2\n2\n% c\n1 4\n\n2\n", "x.graph", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 4);
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_int_equal(dgm_graph_get_counts(graph).repeats_merged, 0);
    assert_string_equal(io_name(graph, 3), "4");
    io_assert_edge(graph, 1, 3, 1);
    dgm_graph_free(graph);
}

static void every_format_code_is_read(void **state) {
    (void)state;
    const struct {
        const char *text;
        bool weights;
        int64_t columns;
    } cases[] = {{"2 1\n2\n1\n", false, 0},
                 {"2 1 0\n2\n1\n", false, 0},
                 {"2 1 000\n2\n1\n", false, 0},
                 {"2 1 1\n2 9\n1 9\n", true, 0},
                 {"2 1 001\n2 9\n1 9\n", true, 0},
                 {"2 1 10\n7 2\n8 1\n", false, 1},
                 {"2 1 011\n7 2 9\n8 1 9\n", true, 1},
                 {"2 1 011 2\n7 7 2 9\n8 8 1 9\n", true, 2},
                 {"2 1 100\n5 2\n6 1\n", false, 1},
                 {"2 1 111 2\n5 7 7 2 9\n6 8 8 1 9\n", true, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgm_graph *graph = io_read(cases[i].text, "x.graph", NULL);
        io_assert_edge(graph, 0, 1, cases[i].weights ? 9 : 1);
        assert_int_equal(dgm_graph_attributes(graph), cases[i].columns);
        dgm_graph_free(graph);
    }
}

static void weights_of_nodes_are_attributes(void **state) {
    (void)state;
    dgm_graph *graph = io_read("2 1 110 2\n5 7 70 2\n6 8 80 1\n", "x.graph", NULL);
    const struct {
        const char *name;
        double first, second;
    } columns[] = {{"size", 5, 6}, {"weight1", 7, 8}, {"weight2", 70, 80}};
    for (int64_t c = 0; c < 3; c++) {
        dgm_attribute attribute = dgm_graph_attribute(graph, c);
        assert_string_equal(attribute.name, columns[c].name);
        assert_true(attribute.numbers[0] == columns[c].first &&
                    attribute.numbers[1] == columns[c].second);
    }
    dgm_graph_free(graph);
    graph = io_read("2 1 010\n7 2\n8 1\n", "x.graph", NULL);
    assert_int_equal(dgm_graph_attribute_find(graph, "weight"), 0);
    dgm_graph_free(graph);
}

static void what_is_wrong_is_said_with_its_line(void **state) {
    (void)state;
    io_refuse("% c\n", "x.graph", 1, "missing");
    io_refuse("2\n", "x.graph", 1, "number of edges is missing");
    io_refuse("2 1 2\n2\n1\n", "x.graph", 1, "three digits");
    io_refuse("2 1 0111\n2\n1\n", "x.graph", 1, "three digits");
    io_refuse("2 1 010 1000\n2\n1\n", "x.graph", 1, "node weights");
    io_refuse("2 1\n2\n", "x.graph", 2, "after 1 of 2");
    io_refuse("2 1\n2\n1\n1\n", "x.graph", 4, "behind those of the 2 nodes");
    io_refuse("2 1\n3\n1\n", "x.graph", 2, "outside 1 to 2");
    io_refuse("2 1\n0\n1\n", "x.graph", 2, "outside 1 to 2");
    io_refuse("2 1\n2 x\n1\n", "x.graph", 2, "\"x\"");
    io_refuse("2 1 001\n2\n1\n", "x.graph", 2, "edge weight is missing");
    io_refuse("2 1 010\n\n1\n", "x.graph", 2, "node weight is missing");
    io_refuse("3 2\n2\n1\n\n", "x.graph", 0, "2 edges are promised");
    io_refuse("3 1\n2 3\n\n\n", "x.graph", 0, "one of its ends only");
    io_refuse("2 1 001\n2 5\n1 6\n", "x.graph", 0, "two weights");
    io_refuse("2000000000 1\n2\n1\n", "x.graph", 1, "promised");
    io_refuse("2 2000000000\n2\n1\n", "x.graph", 1, "promised");
}

static void written_graphs_come_back(void **state) {
    (void)state;
    const char *const texts[] = {"4 2\n2\n1 4\n\n2\n",
                                 "0 0\n",
                                 "3 0\n\n\n\n",
                                 "2 2\n1 2\n1\n",
                                 "2 1 111 2\n5 7 7 2 0.1\n6 8 8 1 0.1\n",
                                 "2 1 010\n7 2\n8.5 1\n"};
    const dgm_graph_options loops = {.size = sizeof(dgm_graph_options), .keep_loops = true};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        dgm_graph *graph = io_read(texts[t], "x.graph", &loops), *back;
        assert_int_equal(dgm_graph_write(ctx, graph, io_path("w.graph"), DGM_FORMAT_AUTO), DGM_OK);
        if (dgm_graph_read(ctx, io_path("w.graph"), DGM_FORMAT_AUTO, &loops, NULL, &back) != DGM_OK)
            fail_msg("%s", dgm_context_error(ctx));
        assert_null(check_same_graph(graph, back, CHECK_NAMES | CHECK_TABLES));
        dgm_graph_free(graph);
        dgm_graph_free(back);
    }
}

/* METIS has a number for every node or none: a column with gaps is left out, and that is said. */
static void attributes_with_gaps_are_not_written(void **state) {
    (void)state;
    dgm_graph *graph = io_read("{\"nodes\": [{\"id\": 0, \"size\": 5}, {\"id\": 1}],"
                               " \"links\": [{\"source\": 0, \"target\": 1}]}",
                               "x.json", NULL);
    assert_int_equal(dgm_graph_attribute_find(graph, "size"), 0);
    assert_int_equal(dgm_graph_write(ctx, graph, io_path("w.graph"), DGM_FORMAT_AUTO), DGM_OK);
    dgm_graph_free(graph);
    size_t size;
    char *text = io_load(io_path("w.graph"), &size);
    assert_string_equal(text, "2 1\n2\n1\n");
    free(text);
}

static void a_directed_graph_is_not_written(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph = io_read("0 1\n", "x.txt", &directed);
    assert_int_equal(dgm_graph_write(ctx, graph, io_path("d.graph"), DGM_FORMAT_AUTO),
                     DGM_ERROR_DATA);
    assert_int_not_equal(access(io_path("d.graph"), F_OK), 0);
    dgm_graph_free(graph);
}

static void weights_that_metis_does_not_know_are_said(void **state) {
    (void)state;
    static const char *const texts[] = {"0 1 2\n1 2 3\n", "0 1 2.5\n1 2 3\n", "0 1 0\n1 2 3\n"};
    for (int k = 0; k < 3; k++) {
        dgm_graph *graph = io_read(texts[k], "x.txt", NULL);
        io_notes[0] = '\0';
        assert_int_equal(dgm_graph_write(ctx, graph, io_path("w.graph"), DGM_FORMAT_AUTO), DGM_OK);
        assert_int_equal(strstr(io_notes, "METIS knows whole numbers alone") != NULL, k > 0);
        dgm_graph_free(graph);
    }
}

static void a_line_longer_than_any_block_is_read(void **state) {
    (void)state;
    enum { LEAVES = 120000 };
    size_t capacity = (size_t)LEAVES * 12, used = 0;
    char *text = malloc(capacity);
    used += (size_t)snprintf(text, capacity, "%d %d\n", LEAVES + 1, LEAVES);
    for (int i = 2; i <= LEAVES + 1; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%d ", i);
    text[used - 1] = '\n';
    for (int i = 0; i < LEAVES; i++)
        used += (size_t)snprintf(text + used, capacity - used, "1\n");
    dgm_graph *graph = io_read(text, "x.graph", NULL);
    assert_int_equal(dgm_graph_edges(graph), LEAVES);
    dgm_graph_free(graph);
    free(text);
}

static void long_words_are_cut_in_messages(void **state) {
    (void)state;
    const char *word = "0101010101010101010101010101010101010101010101";
    const char *shown = "\"0101010101010101010101010101010101010101...\"";
    static const char *const before[] = {"2 1 ", "2 1 010 x", "2 x", "2 1 000 1 x"};
    static const char *const what[] = {"format ", "number of node weights ", "number of edges ",
                                       ""};
    for (int k = 0; k < 4; k++) {
        char text[128], words[128];
        bool marked = before[k][strlen(before[k]) - 1] == 'x';
        snprintf(text, sizeof text, "%s%s\n", before[k], word);
        snprintf(words, sizeof words, "%s\"%s%.*s...\"", what[k], marked ? "x" : "", 40 - marked,
                 word);
        io_refuse(text, "x.graph", 1, k ? words : shown);
    }
    io_refuse("2 1 010 -1\n2\n1\n", "x.graph", 1, "\"-1\" is not from 0 to 64");
    io_refuse("2 1 010 one\n2\n1\n", "x.graph", 1, "\"one\" is not from 0 to 64");
}

static void directions_are_kept_where_they_count(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph = io_read("3 2\n2\n1 3\n2\n", "x.graph", &directed);
    assert_int_equal(dgm_graph_get_rows(graph).entries, 4);
    io_assert_edge(graph, 0, 1, 1);
    io_assert_edge(graph, 1, 0, 1);
    io_assert_edge(graph, 2, 1, 1);
    dgm_graph_free(graph);
}

/* A comment longer than any block that is read, and more edges than are handed on at a time. */
static void large_files_are_read_whole(void **state) {
    (void)state;
    enum { COMMENT = 600000, NODES = 6000 };
    char *text = malloc(COMMENT + NODES * 24);
    memset(text, '%', COMMENT);
    size_t used = COMMENT;
    used += (size_t)sprintf(text + used, "\n%d %d\n2\n", NODES, NODES - 1);
    for (int u = 2; u < NODES; u++)
        used += (size_t)sprintf(text + used, "%d %d\n", u - 1, u + 1);
    sprintf(text + used, "%d", NODES - 1);
    dgm_graph *graph = io_read(text, "x.graph", NULL);
    assert_int_equal(dgm_graph_edges(graph), NODES - 1);
    for (uint32_t u = 0; u + 1 < NODES; u++)
        io_assert_edge(graph, u, u + 1, 1);
    dgm_graph_free(graph);
    free(text);
}

static void pipes_and_packed_files_may_promise_anything(void **state) {
    (void)state;
    const char *text = "3 2\n2\n1 3\n2\n";
    char path[64];
    int ends[2];
    dgm_graph *graph, *back;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(dgm_graph_read(ctx, path, DGM_FORMAT_METIS, NULL, NULL, &graph), DGM_OK);
    close(ends[0]);
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_int_equal(dgm_graph_write(ctx, graph, io_path("p.graph.gz"), DGM_FORMAT_AUTO), DGM_OK);
    assert_int_equal(dgm_graph_read(ctx, io_path("p.graph.gz"), DGM_FORMAT_AUTO, NULL, NULL, &back),
                     DGM_OK);
    assert_null(check_same_graph(graph, back, CHECK_NAMES));
    dgm_graph_free(graph);
    dgm_graph_free(back);
}

/* The first lines of what is written of two nodes with these attributes, and the notes. */
static void assert_header(const char *first, const char *second, const char *header,
                          const char *note) {
    char text[256];
    size_t size;
    snprintf(text, sizeof text,
             "{\"nodes\": [{\"id\": 1%s}, {\"id\": 2%s}], \"links\": [{\"source\": 1, "
             "\"target\": 2}]}",
             first, second);
    dgm_graph *graph = io_read(text, "x.json", NULL);
    assert_int_equal(dgm_graph_write(ctx, graph, io_path("h.graph"), DGM_FORMAT_AUTO), DGM_OK);
    char *data = io_load(io_path("h.graph"), &size);
    data[strcspn(data, "\n")] = '\0';
    assert_string_equal(data, header);
    if (note ? !strstr(io_notes, note) : io_notes[0])
        fail_msg("%s: %s", header, io_notes);
    free(data);
    dgm_graph_free(graph);
}

static void only_numbers_of_all_nodes_are_sizes_and_weights(void **state) {
    (void)state;
    assert_header("", "", "2 1", NULL);
    assert_header(", \"size\": 3", ", \"size\": 4", "2 1 100", NULL);
    assert_header(", \"size\": 3", "", "2 1", "attributes");
    assert_header(", \"size\": \"big\"", ", \"size\": \"small\"", "2 1", "attributes");
    assert_header(", \"weight\": 3, \"more\": 1", ", \"weight\": 4", "2 1 010", "attributes");
    assert_header(", \"weight1\": 3, \"weight2\": 1", ", \"weight1\": 4, \"weight2\": 1",
                  "2 1 010 2", NULL);
    assert_header(", \"weight\": -3", ", \"weight\": 4", "2 1 010", "whole numbers alone");
    assert_header(", \"weight\": 3", ", \"weight\": 4.5", "2 1 010", "whole numbers alone");
    assert_header(", \"weight\": 3", ", \"weight\": 4", "2 1 010", NULL);
}

static void a_node_has_as_many_weights_as_the_format_allows(void **state) {
    (void)state;
    enum { WEIGHTS = 64 };
    char text[1024] = "1 0 010 64\n";
    size_t size;
    for (int k = 0; k < WEIGHTS; k++)
        strcat(text, k ? " 7" : "7");
    strcat(text, "\n");
    dgm_graph *graph = io_read(text, "x.graph", NULL);
    assert_int_equal(dgm_graph_attributes(graph), WEIGHTS);
    assert_int_equal(dgm_graph_write(ctx, graph, io_path("w.graph"), DGM_FORMAT_AUTO), DGM_OK);
    char *data = io_load(io_path("w.graph"), &size);
    assert_string_equal(data, text);
    free(data);
    dgm_graph_free(graph);
}

static void promises_are_held_against_the_length_of_the_file(void **state) {
    (void)state;
    dgm_graph *graph = io_read("9 0\n\n\n\n\n\n\n\n\n\n", "x.graph", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 9);
    dgm_graph_free(graph);
    io_refuse("2 5\n2\n1\n", "x.graph", 0,
              "2 neighbours are listed, where 5 edges are promised, each listed at both ends");
    io_refuse("2 6\n2\n1\n", "x.graph", 1,
              "6 edges are promised, more than the file's 8 bytes can hold");
    io_refuse("9 1\n2\n1\n", "x.graph", 3, "the file ends after 2 of 9 nodes");
    io_refuse("10 1\n2\n1\n", "x.graph", 3, "the file ends after 2 of 10 nodes");
    io_refuse("11 1\n2\n1\n", "x.graph", 1,
              "11 nodes are promised, more than the file's 9 bytes can hold");
}

static void loops_stand_once_or_twice_in_their_line(void **state) {
    (void)state;
    const dgm_graph_options loops = {.size = sizeof(dgm_graph_options), .keep_loops = true};
    static const char *const texts[] = {"2 2\n1 2\n1\n", "2 2\n1 1 2\n1\n"};
    for (int k = 0; k < 2; k++) {
        dgm_graph *graph = io_read(texts[k], "x.graph", &loops);
        assert_int_equal(dgm_graph_edges(graph), 2);
        io_assert_edge(graph, 0, 0, 1);
        dgm_graph_free(graph);
    }
    io_refuse("2 2\n1 1 1 2\n1\n", "x.graph", 0, "5 neighbours are listed");
}

static void notes_say_what_metis_cannot_hold(void **state) {
    (void)state;
    const char *path = io_path("n.graph");
    char notes[1024];
    dgm_graph *graph = io_read("0 1 0.5\n", "x.txt", NULL);
    io_notes[0] = '\0';
    assert_int_equal(dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO), DGM_OK);
    snprintf(notes, sizeof notes,
             "%s: METIS knows whole numbers alone; weights with fractions or below 1 are written "
             "as they are, which other programs may refuse: scale them first\n"
             "%s: METIS counts nodes from 1\n",
             path, path);
    assert_string_equal(io_notes, notes);
    dgm_graph_free(graph);
}

static void a_file_without_its_first_line_says_so(void **state) {
    (void)state;
    io_refuse("% c\n", "x.graph", 1, "the line with the numbers of nodes and edges is missing");
    io_refuse("x\n", "x.graph", 1, "number of nodes \"x\" is not a whole number that fits");
    io_refuse("\n", "x.graph", 1, "number of nodes is missing");
}

static void names_and_attributes_that_are_lost_are_said_together(void **state) {
    (void)state;
    const char *path = io_path("lost.graph");
    char note[512];
    dgm_graph *graph = io_read("{\"nodes\": [{\"id\": \"a\", \"town\": \"Ulm\"}, {\"id\": \"b\"}],"
                               " \"links\": [{\"source\": \"a\", \"target\": \"b\"}]}",
                               "x.json", NULL);
    io_notes[0] = '\0';
    assert_int_equal(dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO), DGM_OK);
    snprintf(note, sizeof note, "%s: this format does not keep names, attributes\n", path);
    assert_string_equal(io_notes, note);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_edges_and_empty_lines_are_nodes),
        cmocka_unit_test(every_format_code_is_read),
        cmocka_unit_test(weights_of_nodes_are_attributes),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(weights_that_metis_does_not_know_are_said),
        cmocka_unit_test(written_graphs_come_back),
        cmocka_unit_test(attributes_with_gaps_are_not_written),
        cmocka_unit_test(a_directed_graph_is_not_written),
        cmocka_unit_test(a_line_longer_than_any_block_is_read),
        cmocka_unit_test(long_words_are_cut_in_messages),
        cmocka_unit_test(directions_are_kept_where_they_count),
        cmocka_unit_test(large_files_are_read_whole),
        cmocka_unit_test(pipes_and_packed_files_may_promise_anything),
        cmocka_unit_test(only_numbers_of_all_nodes_are_sizes_and_weights),
        cmocka_unit_test(a_node_has_as_many_weights_as_the_format_allows),
        cmocka_unit_test(promises_are_held_against_the_length_of_the_file),
        cmocka_unit_test(loops_stand_once_or_twice_in_their_line),
        cmocka_unit_test(notes_say_what_metis_cannot_hold),
        cmocka_unit_test(a_file_without_its_first_line_says_so),
        cmocka_unit_test(names_and_attributes_that_are_lost_are_said_together),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
