/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bytes_output.h"
#include "io_scratch.h"
#include "tu_sample.h"

static dgm_graph_set *open_set(const char *path, const dgm_graph_options *options) {
    dgm_graph_set *set;
    scratch_notes[0] = '\0';
    if (dgm_graph_set_open(ctx, path, options, &set) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return set;
}

/* The folder that was made last, as it is now. */
static void set_refuses(dgm_status expected, const char *words) {
    dgm_graph_set *set;
    dgm_status status = dgm_graph_set_open(ctx, tu_path(), NULL, &set);
    assert_null(set);
    if (status != expected)
        fail_msg("status %s: %s", dgm_status_name(status), dgm_context_error(ctx));
    scratch_check_error(words);
}

static void refuses(const char *what, const char *text, dgm_status expected, const char *words) {
    tu_new_folder();
    tu_file(what, text);
    set_refuses(expected, words);
}

/* Writes 10fold_idx/test_idx-K.txt into the folder that was made last. */
static void index_file(int fold, const char *text) {
    char name[64];
    snprintf(name, sizeof name, "t%d/10fold_idx/test_idx-%d.txt", tu_folders, fold);
    scratch_text(name, text);
}

static void check_notes(const char *notes) {
    assert_string_equal(scratch_notes, notes);
}

/* ---- what is read ---- */

static void a_folder_becomes_a_set(void **state) {
    (void)state;
    const char *path = tu_new_folder();
    tu_file("node_labels", "0\n1\n0\n2\n2\n");
    tu_file("node_attributes", "1\n2\n3\n4\n5\n");
    assert_true(dgm_graph_set_exists(path));
    dgm_graph_set *set = open_set(path, NULL);
    check_notes("");
    assert_int_equal(dgm_graph_set_count(set), 2);
    const int64_t offsets[] = {0, 3, 5};
    assert_memory_equal(dgm_graph_set_offsets(set), offsets, sizeof offsets);
    const int32_t expected[] = {0, 1};
    int32_t classes;
    assert_memory_equal(dgm_graph_set_classes(set, &classes), expected, sizeof expected);
    assert_int_equal(classes, 2);
    assert_int_equal(dgm_graph_set_class_number(set, 0), -1);
    assert_null(dgm_graph_set_folds(set, NULL));
    const dgm_graph *united = dgm_graph_set_union(set);
    assert_int_equal(dgm_graph_edges(united), 3);
    assert_int_equal(dgm_graph_name_base(united), 1);
    assert_int_equal(dgm_graph_classes(united), 3);
    assert_int_equal(dgm_graph_get_features(united).width, 1);
    dgm_graph_set_free(set);
}

static void a_set_may_have_no_classes(void **state) {
    (void)state;
    tu_new_folder();
    tu_remove("graph_labels");
    dgm_graph_set *set = open_set(tu_path(), NULL);
    assert_null(dgm_graph_set_classes(set, NULL));
    assert_int_equal(dgm_graph_attribute_find(dgm_graph_set_union(set), "graph_label"), -1);
    dgm_graph_set_free(set);
}

static void loops_are_dropped_unless_they_are_to_be_kept(void **state) {
    (void)state;
    dgm_graph_options keep = DGM_GRAPH_OPTIONS_INIT;
    keep.keep_loops = true;
    tu_new_folder();
    tu_file("A", "1, 1\n1, 2\n2, 1\n4, 5\n");
    dgm_graph_set *set = open_set(tu_path(), NULL);
    assert_int_equal(dgm_graph_edges(dgm_graph_set_union(set)), 2);
    assert_int_equal(dgm_graph_get_counts(dgm_graph_set_union(set)).loops_dropped, 1);
    dgm_graph_set_free(set);
    set = open_set(tu_path(), &keep);
    assert_int_equal(dgm_graph_edges(dgm_graph_set_union(set)), 3);
    dgm_graph_set_free(set);
}

static void packed_files_are_read(void **state) {
    (void)state;
    static const char *const names[] = {"A.txt.gz", "graph_indicator.txt.xz",
                                        "graph_labels.txt.zst", "node_labels.txt.gz"};
    static const char *const texts[] = {"1, 2\n3, 4\n", "1\n1\n2\n2\n", "5\n6\n", "1\n2\n3\n4\n"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[64];
        dgmi_bytes_output *output;
        snprintf(name, sizeof name, "packed/TOY_%s", names[i]);
        assert_int_equal(dgmi_bytes_output_open(ctx, scratch_path(name), &output), DGM_OK);
        assert_int_equal(dgmi_bytes_output_write(output, texts[i], strlen(texts[i])), DGM_OK);
        assert_int_equal(dgmi_bytes_output_publish(output), DGM_OK);
    }
    dgm_graph_set *set = open_set(scratch_path("packed"), NULL);
    assert_int_equal(dgm_graph_set_count(set), 2);
    assert_int_equal(dgm_graph_edges(dgm_graph_set_union(set)), 2);
    assert_int_equal(dgm_graph_classes(dgm_graph_set_union(set)), 4);
    assert_int_equal(dgm_graph_set_class_number(set, 1), 6);
    dgm_graph_set_free(set);
}

/* ---- the order of nodes ---- */

/* Node 1 and 4 are graph 0, nodes 2, 3 and 5 graph 1. */
static void mix_nodes(void) {
    tu_new_folder();
    tu_file("A", "1, 4\n3, 2\n3, 5\n");
    tu_file("graph_indicator", "1\n2\n2\n1\n2\n");
    tu_file("node_labels", "10\n20\n30\n40\n50\n");
    tu_file("node_attributes", "1, -1\n2, -2\n3, -3\n4, -4\n5, -5\n");
}

static void nodes_of_a_graph_are_put_together(void **state) {
    (void)state;
    mix_nodes();
    dgm_graph_set *set = open_set(tu_path(), NULL);
    check_notes("TOY_graph_indicator.txt does not list the nodes graph by graph; they are put in "
                "that order, and their names are their numbers in the file\n");
    const int64_t offsets[] = {0, 2, 5};
    assert_memory_equal(dgm_graph_set_offsets(set), offsets, sizeof offsets);
    const dgm_graph *united = dgm_graph_set_union(set);
    static const char *const names[] = {"1", "4", "2", "3", "5"};
    const float features[] = {1, -1, 4, -4, 2, -2, 3, -3, 5, -5};
    const int32_t numbers[] = {10, 40, 20, 30, 50};
    const double graphs[] = {0, 0, 1, 1, 1};
    for (int64_t u = 0; u < 5; u++) {
        assert_string_equal(dgm_graph_name_text(united, u, NULL), names[u]);
        assert_int_equal(dgm_graph_class_number(united, dgm_graph_labels(united)[u]), numbers[u]);
    }
    assert_memory_equal(dgm_graph_get_features(united).values, features, sizeof features);
    assert_memory_equal(dgm_graph_attribute(united, 0).numbers, graphs, sizeof graphs);
    const uint32_t targets[] = {1, 0, 3, 2, 4, 3};
    assert_memory_equal(dgm_graph_get_rows(united).targets, targets, sizeof targets);
    dgm_graph_set_free(set);
}

static void edges_in_the_order_of_rows_move_too(void **state) {
    (void)state;
    tu_new_folder();
    tu_file("A", "1, 3\n2, 4\n3, 1\n4, 2\n");
    tu_file("graph_indicator", "2\n1\n2\n1\n");
    dgm_graph_set *set = open_set(tu_path(), NULL);
    const uint32_t targets[] = {1, 0, 3, 2};
    assert_memory_equal(dgm_graph_get_rows(dgm_graph_set_union(set)).targets, targets,
                        sizeof targets);
    dgm_graph_set_free(set);
}

/* ---- graphs without nodes or edges ---- */

static void graphs_without_nodes_stay(void **state) {
    (void)state;
    tu_new_folder();
    tu_file("graph_indicator", "1\n1\n1\n3\n3\n");
    tu_file("graph_labels", "4\n5\n4\n");
    dgm_graph_set *set = open_set(tu_path(), NULL);
    check_notes("TOY: graph 1 (counted from 0) has no nodes\n");
    const int64_t offsets[] = {0, 3, 3, 5};
    assert_memory_equal(dgm_graph_set_offsets(set), offsets, sizeof offsets);
    assert_int_equal(dgm_graph_set_classes(set, NULL)[1], 1);
    dgm_graph *graph;
    assert_int_equal(dgm_graph_set_get(ctx, set, 1, &graph), DGM_OK);
    assert_int_equal(dgm_graph_nodes(graph), 0);
    dgm_graph_free(graph);
    dgm_graph_set_free(set);
}

static void graphs_without_nodes_may_be_the_first_and_the_last(void **state) {
    (void)state;
    tu_new_folder();
    tu_file("graph_indicator", "2\n2\n2\n3\n3\n");
    tu_file("graph_labels", "1\n1\n1\n1\n1\n");
    dgm_graph_set *set = open_set(tu_path(), NULL);
    check_notes("TOY: 3 of 5 graphs have no nodes, the first of them graph 0 (counted from 0)\n");
    const int64_t offsets[] = {0, 0, 3, 5, 5, 5};
    assert_memory_equal(dgm_graph_set_offsets(set), offsets, sizeof offsets);
    dgm_graph_set_free(set);
}

static void graphs_without_edges_are_read(void **state) {
    (void)state;
    tu_new_folder();
    tu_file("A", "1, 2\n");
    dgm_graph_set *set = open_set(tu_path(), NULL);
    dgm_graph *graph;
    assert_int_equal(dgm_graph_set_get(ctx, set, 1, &graph), DGM_OK);
    assert_int_equal(dgm_graph_nodes(graph), 2);
    assert_int_equal(dgm_graph_edges(graph), 0);
    dgm_graph_free(graph);
    dgm_graph_set_free(set);
    tu_file("A", "");
    set = open_set(tu_path(), NULL);
    assert_int_equal(dgm_graph_edges(dgm_graph_set_union(set)), 0);
    assert_int_equal(dgm_graph_name_base(dgm_graph_set_union(set)), 1);
    dgm_graph_set_free(set);
}

/* ---- labels of nodes ---- */

static void labels_that_no_class_can_have_are_put_in_order(void **state) {
    (void)state;
    tu_new_folder();
    tu_file("node_labels", "7\n-3\n-1\n7\n2000000000\n");
    dgm_graph_set *set = open_set(tu_path(), NULL);
    check_notes("TOY_node_labels.txt has labels from -3 to 2000000000; they are the classes 0 to "
                "3, in this order, and called by their numbers\n");
    const dgm_graph *united = dgm_graph_set_union(set);
    const int32_t expected[] = {2, 0, 1, 2, 3};
    assert_memory_equal(dgm_graph_labels(united), expected, sizeof expected);
    assert_string_equal(dgm_graph_class_name(united, 0), "-3");
    assert_string_equal(dgm_graph_class_name(united, 3), "2000000000");
    dgm_graph *graph;
    assert_int_equal(dgm_graph_set_get(ctx, set, 1, &graph), DGM_OK);
    assert_int_equal(dgm_graph_classes(graph), 2);
    assert_string_equal(dgm_graph_class_name(graph, 0), "7");
    dgm_graph_free(graph);
    dgm_graph_set_free(set);
}

static void labels_too_high_for_classes_are_put_in_order(void **state) {
    (void)state;
    tu_new_folder();
    tu_file("node_labels", "0\n16777215\n0\n0\n0\n");
    dgm_graph_set *set = open_set(tu_path(), NULL);
    check_notes("");
    dgm_graph_set_free(set);
    tu_file("node_labels", "0\n16777216\n0\n0\n0\n");
    set = open_set(tu_path(), NULL);
    check_notes("TOY_node_labels.txt has labels from 0 to 16777216; they are the classes 0 to 1, "
                "in this order, and called by their numbers\n");
    assert_string_equal(dgm_graph_class_name(dgm_graph_set_union(set), 1), "16777216");
    dgm_graph_set_free(set);
}

static void labels_with_gaps_keep_their_numbers(void **state) {
    (void)state;
    tu_new_folder();
    tu_file("node_labels", "3\n1\n9\n9\n-1\n");
    dgm_graph_set *set = open_set(tu_path(), NULL);
    check_notes("TOY_node_labels.txt: 1 node has the label -1, which means none\n");
    const dgm_graph *united = dgm_graph_set_union(set);
    const int32_t expected[] = {1, 0, 2, 2, -1};
    assert_memory_equal(dgm_graph_labels(united), expected, sizeof expected);
    assert_int_equal(dgm_graph_class_number(united, 2), 9);
    assert_null(dgm_graph_class_name(united, 0));
    dgm_graph_set_free(set);
}

/* ---- folds ---- */

static void index_files_say_the_folds(void **state) {
    (void)state;
    tu_new_folder();
    tu_file("graph_indicator", "1\n2\n2\n3\n3\n");
    tu_file("A", "2, 3\n4, 5\n");
    tu_file("graph_labels", "0\n0\n1\n");
    index_file(1, "2\n");
    index_file(2, "0\n1\n");
    dgm_graph_set *set = open_set(tu_path(), NULL);
    check_notes("");
    const int32_t expected[] = {1, 1, 0};
    int32_t folds;
    assert_memory_equal(dgm_graph_set_folds(set, &folds), expected, sizeof expected);
    assert_int_equal(folds, 2);
    dgm_graph_set_free(set);
    index_file(2, "1\n");
    set = open_set(tu_path(), NULL);
    check_notes("10fold_idx: 1 of 3 graphs is in no test fold\n");
    assert_int_equal(dgm_graph_set_folds(set, NULL)[0], -1);
    dgm_graph_set_free(set);
    tu_new_folder();
    tu_remove("graph_labels");
    tu_file("graph_indicator", "1\n1\n1\n2\n3\n");
    tu_file("A", "1, 2\n");
    index_file(1, "1\n");
    set = open_set(tu_path(), NULL);
    check_notes("10fold_idx: 2 of 3 graphs are in no test fold\n");
    dgm_graph_set_free(set);
}

static void wrong_index_files_are_refused(void **state) {
    (void)state;
    tu_new_folder();
    index_file(1, "0\n0\n");
    set_refuses(DGM_ERROR_DATA, "test_idx-1.txt:2: graph 0 stands in test_idx-1.txt already");
    index_file(1, "0\n");
    index_file(2, "1\n0\n");
    set_refuses(DGM_ERROR_DATA, "test_idx-2.txt:2: graph 0 stands in test_idx-1.txt already");
    index_file(2, "2\n");
    set_refuses(DGM_ERROR_DATA,
                "test_idx-2.txt:1: \"2\" is not one of the 2 graphs (numbers from 0)");
    index_file(2, "-1\n");
    set_refuses(DGM_ERROR_DATA, "test_idx-2.txt:1: \"-1\" is not one of the 2 graphs");
    index_file(2, "");
    set_refuses(DGM_ERROR_DATA, "test_idx-2.txt: no graph is in this fold");
    index_file(2, "one\n");
    set_refuses(DGM_ERROR_DATA, "test_idx-2.txt:1:");
    index_file(2, "1\n");
    index_file(4, "1\n");
    set_refuses(DGM_ERROR_FILE, "test_idx-4.txt: test_idx-3.txt is missing before this file");
}

static void a_graph_alone_needs_no_index_files(void **state) {
    (void)state;
    tu_new_folder();
    index_file(1, "77\n");
    dgm_graph_free(scratch_read(tu_path()));
}

/* ---- what is wrong ---- */

static void a_path_that_is_no_set_is_refused(void **state) {
    (void)state;
    dgm_graph_set *set;
    const char *file = scratch_text("edges.tsv", "0 1\n");
    assert_int_equal(dgm_graph_set_open(ctx, file, NULL, &set), DGM_ERROR_FILE);
    scratch_check_error("edges.tsv: this is a file; a set of graphs is a folder with NAME_A.txt");
    assert_int_equal(dgm_graph_set_open(ctx, scratch_path("nowhere"), NULL, &set), DGM_ERROR_FILE);
    scratch_check_error("nowhere: no such folder; a set of graphs is a folder with NAME_A.txt and "
                        "NAME_graph_indicator.txt");
    scratch_text("other/edges.tsv", "0 1\n");
    assert_int_equal(dgm_graph_set_open(ctx, scratch_path("other"), NULL, &set), DGM_ERROR_FILE);
    scratch_check_error("other: no NAME_A.txt with a NAME_graph_indicator.txt in this folder");
    assert_false(dgm_graph_set_exists(scratch_path("other")));
    assert_false(dgm_graph_set_exists(file));
    const dgm_graph_options one = {.size = sizeof(dgm_graph_options), .graph = "1"};
    assert_int_equal(dgm_graph_set_open(ctx, tu_new_folder(), &one, &set), DGM_ERROR_USAGE);
    scratch_check_error("graph takes one graph, and a set is wanted here");
    const dgm_graph_options old = {.size = 1};
    assert_int_equal(dgm_graph_set_open(ctx, tu_path(), &old, &set), DGM_ERROR_USAGE);
}

static void a_missing_file_is_named(void **state) {
    (void)state;
    const char *no_indicator = "TOY_graph_indicator.txt is missing in this folder; a set of graphs "
                               "has it beside TOY_A.txt",
               *no_edges = "TOY_A.txt is missing in this folder; a set of graphs has it beside "
                           "TOY_graph_indicator.txt";
    tu_new_folder();
    tu_remove("graph_indicator");
    set_refuses(DGM_ERROR_FILE, no_indicator);
    scratch_refuses(tu_path(), DGM_ERROR_FILE, no_indicator);
    tu_new_folder();
    tu_remove("A");
    set_refuses(DGM_ERROR_FILE, no_edges);
    scratch_refuses(tu_path(), DGM_ERROR_FILE, no_edges);
}

static void a_set_is_no_dataset_folder(void **state) {
    (void)state;
    dgm_graph *graph;
    const char *path = tu_new_folder();
    assert_int_equal(dgm_graph_read(ctx, path, DGM_FORMAT_FOLDER, NULL, NULL, &graph),
                     DGM_ERROR_FILE);
    scratch_check_error("no file of edges in this folder");
}

static void edges_between_graphs_are_refused(void **state) {
    (void)state;
    const char *words =
        "TOY_A.txt:3: the edge joins node 5 of graph 1 and node 2 of graph 0 (graphs counted from "
        "0); the graphs of a set must not be joined";
    refuses("A", "1, 2\n2, 1\n5, 2\n1, 4\n", DGM_ERROR_DATA, words);
    scratch_refuses(tu_path(), DGM_ERROR_DATA, words);
    mix_nodes();
    tu_file("A", "1, 4\n1, 2\n");
    set_refuses(DGM_ERROR_DATA,
                "TOY_A.txt:2: the edge joins node 1 of graph 0 and node 2 of graph 1");
}

static void wrong_indicators_are_refused(void **state) {
    (void)state;
    const char *file = "graph_indicator";
    refuses(file, "1\n1\n0\n2\n2\n", DGM_ERROR_DATA,
            "TOY_graph_indicator.txt:3: \"0\" is not a graph (counted from 1)");
    refuses(file, "1\n1\n-2\n2\n2\n", DGM_ERROR_DATA, "TOY_graph_indicator.txt:3: \"-2\" is not");
    refuses(file, "1\n1\n1, 2\n2\n2\n", DGM_ERROR_DATA,
            "TOY_graph_indicator.txt:3: 2 values on a line; one is needed, a graph (counted from "
            "1)");
    refuses(
        file, "", DGM_ERROR_DATA,
        "TOY_graph_indicator.txt: the file is empty; it has a line with the graph of each node");
    refuses(file, "1\n1\n1\n", DGM_ERROR_DATA,
            "TOY_A.txt: 5 nodes are named or asked for, but TOY_graph_indicator.txt has 3 lines");
    refuses(file, "1\n1\n1\n2\n3\n", DGM_ERROR_DATA,
            "TOY_graph_labels.txt: 2 labels, but TOY_graph_indicator.txt counts 3 graphs");
    tu_new_folder();
    tu_remove("graph_labels");
    tu_file(file, "1\n1\n1\n2\n501\n");
    set_refuses(DGM_ERROR_DATA, "TOY_graph_indicator.txt counts 501 graphs, but it has 5 lines and "
                                "there is no TOY_graph_labels.txt");
    tu_file(file, "1\n1\n1\n2\n500\n");
    tu_file("A", "1, 2\n");
    dgm_graph_set *set = open_set(tu_path(), NULL);
    assert_int_equal(dgm_graph_set_count(set), 500);
    dgm_graph_set_free(set);
}

static void tables_of_the_wrong_length_are_refused(void **state) {
    (void)state;
    refuses("graph_labels", "", DGM_ERROR_DATA, "TOY_graph_labels.txt: 0 labels, but");
    refuses("graph_labels", "1\nb\n", DGM_ERROR_DATA,
            "TOY_graph_labels.txt:2: \"b\" is not a whole number");
    refuses("graph_labels", "1\n3000000000\n", DGM_ERROR_DATA, "TOY_graph_labels.txt:2:");
    refuses("node_labels", "", DGM_ERROR_DATA, "TOY_node_labels.txt: 0 rows for 5 nodes");
    refuses("node_labels", "1\n1\n1\n1\n1\n1\n", DGM_ERROR_DATA,
            "TOY_node_labels.txt: 6 rows for 5 nodes");
    refuses("node_labels", "1\n1\n1\n0, 1\n1\n", DGM_ERROR_DATA,
            "TOY_node_labels.txt:4: 2 values on a line");
    refuses("node_attributes", "", DGM_ERROR_DATA, "TOY_node_attributes.txt: 0 rows for 5 nodes");
}

/* ---- one graph of a set ---- */

static dgm_graph *take(const char *k) {
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .graph = k};
    return scratch_read_with(tu_path(), &options, NULL);
}

static void one_graph_is_taken_out_of_a_set(void **state) {
    (void)state;
    mix_nodes();
    dgm_graph *graph = take("1");
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_string_equal(dgm_graph_name_text(graph, 1, NULL), "3");
    assert_non_null(strstr(dgm_graph_source(graph), ", graph 1"));
    dgm_graph_free(graph);
    tu_new_folder();
    graph = take("1");
    check_notes("");
    assert_string_equal(dgm_graph_name_text(graph, 0, NULL), "4");
    dgm_graph_free(graph);
}

static void tables_name_the_nodes_of_the_set(void **state) {
    (void)state;
    mix_nodes();
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .graph = "1"};
    const char *table = scratch_text("people.csv", "id,age\n1,10\n2,20\n3,30\n4,40\n5,50\n");
    const char *labels = scratch_text("labels.txt", "0\n1\n2\n3\n4\n");
    const dgm_graph_tables tables = {.nodes = table, .labels = labels};
    dgm_graph *graph;
    if (dgm_graph_read(ctx, tu_path(), DGM_FORMAT_TU, &options, &tables, &graph) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    dgm_attribute age = dgm_graph_attribute(graph, dgm_graph_attribute_find(graph, "age"));
    assert_true(age.numbers[0] == 20 && age.numbers[1] == 30 && age.numbers[2] == 50);
    assert_int_equal(dgm_graph_class_number(graph, dgm_graph_labels(graph)[0]), 2);
    dgm_graph_free(graph);
    table = scratch_text("more.csv", "id,age\n1,10\n9,90\n");
    scratch_refuses_with(tu_path(), NULL, table, DGM_ERROR_DATA, "rows for 6 nodes");
}

static void a_graph_that_is_not_in_the_set_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *graph, *words;
    } cases[] = {
        {"2", "there is no graph 2: the set has 2 graphs, counted from 0"},
        {"-1", "graph takes the number of a graph, counted from 0, not '-1'"},
        {"first", "graph takes the number of a graph, counted from 0, not 'first'"},
        {"", "graph takes the number of a graph, counted from 0, not ''"},
        {"99999999999999999999", "graph takes the number of a graph"},
    };
    tu_new_folder();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dgm_graph_options options = {.size = sizeof(dgm_graph_options),
                                           .graph = cases[i].graph};
        scratch_refuses_with(tu_path(), &options, NULL, DGM_ERROR_USAGE, cases[i].words);
    }
}

static void a_single_graph_is_no_set(void **state) {
    (void)state;
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .graph = "0"};
    const char *words = "graph takes one graph out of a set (a TU folder), and this is a single "
                        "graph";
    scratch_refuses_with(scratch_text("e.tsv", "0 1\n"), &options, NULL, DGM_ERROR_USAGE, words);
    scratch_text("plain/edges.tsv", "0 1\n");
    scratch_refuses_with(scratch_path("plain"), &options, NULL, DGM_ERROR_USAGE, words);
    dgm_graph *graph;
    assert_int_equal(
        dgm_graph_read_memory(ctx, "0 1\n", 4, "e.tsv", DGM_FORMAT_AUTO, &options, &graph),
        DGM_ERROR_USAGE);
    scratch_check_error("graph takes one graph out of a set, and this is a single graph");
    assert_int_equal(dgm_graph_generate(ctx, NULL, &options, &graph), DGM_ERROR_USAGE);
    assert_int_equal(dgm_graph_open(ctx, "karate", DGM_FORMAT_AUTO, &options, NULL, 1, &graph),
                     DGM_ERROR_USAGE);
    scratch_check_error("graph takes one graph out of a set, and the built-in graph 'karate' is a "
                        "single graph");
}

/* ---- memory ---- */

static dgm_status open_and_free(void *path) {
    dgm_graph_set *set;
    dgm_status status = dgm_graph_set_open(ctx, path, NULL, &set);
    dgm_graph_set_free(set);
    return status;
}

static dgm_status take_and_free(void *path) {
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .graph = "1"};
    dgm_graph *graph;
    dgm_status status = dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, &options, NULL, &graph);
    dgm_graph_free(graph);
    return status;
}

static dgm_status refuse_crossing(void *path) {
    dgm_graph_set *set;
    dgm_status status = dgm_graph_set_open(ctx, path, NULL, &set);
    assert_null(set);
    return status == DGM_ERROR_DATA ? DGM_OK : status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char path[512];
    mix_nodes();
    tu_file("node_labels", "-10\n20\n-30\n40\n50\n");
    index_file(1, "1\n");
    index_file(2, "0\n");
    strcpy(path, tu_path());
    scratch_fail_each(open_and_free, path);
    scratch_fail_each(take_and_free, path);
    tu_file("A", "1, 2\n");
    scratch_fail_each(refuse_crossing, path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_becomes_a_set),
        cmocka_unit_test(a_set_may_have_no_classes),
        cmocka_unit_test(loops_are_dropped_unless_they_are_to_be_kept),
        cmocka_unit_test(packed_files_are_read),
        cmocka_unit_test(nodes_of_a_graph_are_put_together),
        cmocka_unit_test(edges_in_the_order_of_rows_move_too),
        cmocka_unit_test(graphs_without_nodes_stay),
        cmocka_unit_test(graphs_without_nodes_may_be_the_first_and_the_last),
        cmocka_unit_test(graphs_without_edges_are_read),
        cmocka_unit_test(labels_that_no_class_can_have_are_put_in_order),
        cmocka_unit_test(labels_too_high_for_classes_are_put_in_order),
        cmocka_unit_test(labels_with_gaps_keep_their_numbers),
        cmocka_unit_test(index_files_say_the_folds),
        cmocka_unit_test(wrong_index_files_are_refused),
        cmocka_unit_test(a_graph_alone_needs_no_index_files),
        cmocka_unit_test(a_path_that_is_no_set_is_refused),
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(a_set_is_no_dataset_folder),
        cmocka_unit_test(edges_between_graphs_are_refused),
        cmocka_unit_test(wrong_indicators_are_refused),
        cmocka_unit_test(tables_of_the_wrong_length_are_refused),
        cmocka_unit_test(one_graph_is_taken_out_of_a_set),
        cmocka_unit_test(tables_name_the_nodes_of_the_set),
        cmocka_unit_test(a_graph_that_is_not_in_the_set_is_refused),
        cmocka_unit_test(a_single_graph_is_no_set),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
