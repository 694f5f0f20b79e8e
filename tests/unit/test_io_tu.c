/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io_formats.h"
#include "io_scratch.h"
#include "io_tu.h"
#include "tu_sample.h"

static void all_graphs_are_read_as_one(void **state) {
    (void)state;
    const char *path = tu_new_folder();
    tu_file("node_labels", "0\n1\n0\n2\n2\n");
    tu_file("node_attributes", "1.5, 0\n 2.5, 1\n3, 2\n4, 3\n5, 4\n");
    tu_file("edge_labels", "0\n0\n0\n0\n0\n0\n");
    dgm_graph *graph = scratch_read(path);
    assert_int_equal(dgm_graph_nodes(graph), 5);
    assert_int_equal(dgm_graph_edges(graph), 3);
    assert_null(dgm_graph_get_rows(graph).weights);
    assert_int_equal(dgm_graph_name_base(graph), 1);
    const double graphs[] = {0, 0, 0, 1, 1}, classes[] = {-1, -1, -1, 1, 1};
    dgm_attribute attribute = dgm_graph_attribute(graph, dgm_graph_attribute_find(graph, "graph"));
    assert_memory_equal(attribute.numbers, graphs, sizeof graphs);
    attribute = dgm_graph_attribute(graph, dgm_graph_attribute_find(graph, "graph_label"));
    assert_memory_equal(attribute.numbers, classes, sizeof classes);
    const int32_t labels[] = {0, 1, 0, 2, 2};
    assert_memory_equal(dgm_graph_labels(graph), labels, sizeof labels);
    const float features[] = {1.5f, 0, 2.5f, 1, 3, 2, 4, 3, 5, 4};
    assert_int_equal(dgm_graph_get_features(graph).width, 2);
    assert_memory_equal(dgm_graph_get_features(graph).values, features, sizeof features);
    char notes[256];
    snprintf(notes, sizeof notes,
             "TOY_edge_labels.txt is not used\n%s holds 2 graphs, which are taken as one; graph=K "
             "takes one of them (counted from 0)\n",
             dgm_graph_source(graph));
    assert_string_equal(scratch_notes, notes);
    dgm_graph_free(graph);
}

static void nodes_without_edges_are_counted(void **state) {
    (void)state;
    const char *path = tu_new_folder();
    tu_file("graph_indicator", "1\n1\n1\n2\n2\n2\n2\n");
    dgm_graph *graph = scratch_read(path);
    assert_int_equal(dgm_graph_nodes(graph), 7);
    dgm_graph_free(graph);
    tu_file("A", "");
    graph = scratch_read(path);
    assert_int_equal(dgm_graph_edges(graph), 0);
    dgm_graph_free(graph);
}

static void refuses(const char *what, const char *text, dgm_status status, const char *words) {
    const char *path = tu_new_folder();
    tu_file(what, text);
    scratch_refuses(path, status, words);
}

static void files_that_do_not_fit_each_other_are_refused(void **state) {
    (void)state;
    refuses("A", "1, 2\n0, 1\n", DGM_ERROR_FORMAT, "TOY_A.txt:2:");
    refuses("A", "1, 2\na, 1\n", DGM_ERROR_FORMAT, "TOY_A.txt:2:");
    refuses("A", "# dgm base 0\n0, 1\n", DGM_ERROR_FORMAT, "TOY_A.txt:1: the node numbers of such");
    refuses("A", "1, 6\n", DGM_ERROR_DATA, "TOY_A.txt: 6 nodes are named");
    refuses("graph_indicator", "1\n1\n1\n2\n0\n", DGM_ERROR_DATA,
            "TOY_graph_indicator.txt:5: \"0\" is not a graph");
    refuses("graph_indicator", "1\n1\n1\n2\n3\n", DGM_ERROR_DATA,
            "TOY_graph_labels.txt: 2 labels, but TOY_graph_indicator.txt counts 3 graphs");
    refuses("graph_labels", "1\nx\n", DGM_ERROR_DATA, "TOY_graph_labels.txt:2:");
    refuses("node_labels", "1\n1\n", DGM_ERROR_DATA, "TOY_node_labels.txt: 2 rows for 5 nodes");
    refuses("node_attributes", "1\n2\n3\n4\n", DGM_ERROR_DATA,
            "TOY_node_attributes.txt: 4 rows for 5 nodes");
    refuses("node_attributes", "1,2\n2\n3\n4\n", DGM_ERROR_FORMAT, "TOY_node_attributes.txt:2:");
    refuses("node_attributes", "1\nnan\n3\n4\n5\n", DGM_ERROR_DATA, "TOY_node_attributes.txt:2:");
    refuses("node_attributes", "1\n2\nthree\n4\n5\n", DGM_ERROR_DATA,
            "TOY_node_attributes.txt:3: \"three\" is not a finite number");
    refuses("node_attributes", "1\n1e39\n3\n4\n5\n", DGM_ERROR_DATA,
            "TOY_node_attributes.txt:2: \"1e39\" is not a finite number");
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char path[512];
    strcpy(path, tu_new_folder());
    tu_file("node_labels", "0\n1\n0\n2\n2\n");
    tu_file("node_attributes", "1.5, 0\n 2.5, 1\n3, 2\n4, 3\n5, 4\n");
    scratch_fail_each(scratch_read_and_free, path);
}

static void of_several_data_sets_the_first_by_name_is_read(void **state) {
    (void)state;
    static const char *const names[] = {"b/MUTAG", "b/AIDS", "b/PTC"};
    char path[64];
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s_A.txt", names[k]);
        scratch_text(path, "1, 2\n2, 1\n");
        snprintf(path, sizeof path, "%s_graph_indicator.txt", names[k]);
        scratch_text(path, k == 1 ? "1\n1\n1\n" : "1\n1\n");
    }
    scratch_text("b/AAA_A.txt", "1, 2\n2, 1\n"); /* its other file is missing */
    dgm_graph *graph = scratch_read(scratch_path("b"));
    assert_int_equal(dgm_graph_nodes(graph), 3);
    dgm_graph_free(graph);
    assert_false(dgmi_io_is_tu_folder(scratch_path("nowhere")));
    assert_true(dgmi_io_is_tu_folder(scratch_path("b")));
}

/* The path of its second file would be longer than any that the system opens. */
static void a_folder_too_far_away_is_no_set(void **state) {
    (void)state;
    char name[16];
    tu_new_folder();
    snprintf(name, sizeof name, "t%d", tu_folders);
    assert_true(dgmi_io_is_tu_folder(scratch_far_path(name, 4000)));
    assert_false(dgmi_io_is_tu_folder(scratch_far_path(name, 4080)));
    assert_true(dgmi_io_tu_is_half(scratch_far_path(name, 4080)));
}

/* No file can be opened from here on, until the limit is put back. */
static struct rlimit let_files_end(void) {
    struct rlimit before, now;
    int next = open("/dev/null", O_RDONLY);
    assert_true(next >= 0);
    close(next);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    now = before;
    now.rlim_cur = (rlim_t)next;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
    return before;
}

static void a_folder_that_cannot_be_listed_is_no_single_graph(void **state) {
    (void)state;
    const char *path = tu_new_folder();
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph *graph;
    options.graph = "1";
    struct rlimit before = let_files_end();
    dgm_status status = dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, &options, NULL, &graph);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_int_equal(status, DGM_ERROR_FILE);
    assert_non_null(strstr(dgm_context_error(ctx), "cannot be listed"));
}

static void graphs_without_nodes_are_noted(void **state) {
    (void)state;
    static const struct {
        const char *labels, *note; /* graphs 1 and 2 have nodes */
    } cases[] = {
        {"0\n1\n", NULL},
        {"0\n1\n1\n", "TOY: graph 2 (counted from 0) has no nodes\n"},
        {"0\n1\n1\n0\n",
         "TOY: 2 of 4 graphs have no nodes, the first of them graph 2 (counted from 0)\n"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *path = tu_new_folder();
        tu_file("graph_labels", cases[k].labels);
        dgm_graph_free(scratch_read(path));
        if (cases[k].note)
            assert_non_null(strstr(scratch_notes, cases[k].note));
        else
            assert_null(strstr(scratch_notes, "no nodes"));
    }
    const char *path = tu_new_folder();
    tu_file("A", "1, 2\n2, 1\n");
    tu_file("graph_indicator", "2\n2\n2\n4\n4\n");
    tu_file("graph_labels", "0\n1\n1\n0\n");
    dgm_graph_free(scratch_read(path));
    assert_non_null(strstr(scratch_notes, "TOY: 2 of 4 graphs have no nodes, the first of them "
                                          "graph 0 (counted from 0)\n"));
}

static void graphs_are_so_many_and_no_more_where_no_labels_count_them(void **state) {
    (void)state;
    const char *path = tu_new_folder();
    tu_remove("graph_labels");
    tu_file("A", "1, 2\n2, 1\n");
    tu_file("graph_indicator", "1\n1\n1\n2\n500\n");
    dgm_graph *graph = scratch_read(path);
    assert_int_equal(dgm_graph_nodes(graph), 5);
    dgm_graph_free(graph);
    tu_file("graph_indicator", "1\n1\n1\n2\n501\n");
    scratch_refuses(path, DGM_ERROR_DATA,
                    "TOY_graph_indicator.txt counts 501 graphs, but it has 5 lines and there is no "
                    "TOY_graph_labels.txt");
    tu_file("graph_indicator", "");
    scratch_refuses(path, DGM_ERROR_DATA,
                    "TOY_graph_indicator.txt: the file is empty; it has a line with the graph of "
                    "each node");
}

static void files_that_are_not_used_are_named(void **state) {
    (void)state;
    const char *path = tu_new_folder();
    tu_file("graph_attributes", "1\n2\n");
    tu_file("edge_attributes", "1\n");
    tu_file("edge_labels", "1\n");
    dgm_graph_free(scratch_read(path));
    assert_non_null(strstr(scratch_notes, "TOY_edge_labels.txt is not used\n"
                                          "TOY_edge_attributes.txt is not used\n"
                                          "TOY_graph_attributes.txt is not used\n"));
}

static void labels_of_nodes_may_be_any_whole_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text, *note;
        int32_t classes[5];
    } cases[] = {
        {"0\n1\n-1\n2\n2\n",
         "TOY_node_labels.txt: 1 node has the label -1, which means none\n",
         {0, 1, -1, 2, 2}},
        {"0\n-1\n-1\n1\n1\n",
         "TOY_node_labels.txt: 2 nodes have the label -1, which means none\n",
         {0, -1, -1, 1, 1}},
        {"7\n-2\n-1\n7\n-1\n",
         "TOY_node_labels.txt has labels from -2 to 7; they are the classes 0 to 2, in this order, "
         "and called by their numbers\n",
         {2, 0, 1, 2, 1}},
        {"0\n16777216\n0\n0\n0\n",
         "TOY_node_labels.txt has labels from 0 to 16777216; they are the classes 0 to 1, in this "
         "order, and called by their numbers\n",
         {0, 1, 0, 0, 0}},
        {"0\n16777215\n0\n0\n0\n", NULL, {0, 1, 0, 0, 0}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *path = tu_new_folder();
        tu_file("node_labels", cases[k].text);
        dgm_graph *graph = scratch_read(path);
        assert_memory_equal(dgm_graph_labels(graph), cases[k].classes, sizeof cases[k].classes);
        if (cases[k].note)
            assert_non_null(strstr(scratch_notes, cases[k].note));
        else
            assert_null(strstr(scratch_notes, "TOY_node_labels.txt"));
        if (k == 2)
            assert_string_equal(dgm_graph_class_name(graph, 0), "-2");
        dgm_graph_free(graph);
    }
}

/* Lines 1 to 5 belong to graphs 2, 1, 2, 1, 1: within a graph they stay in their order. */
static void nodes_are_put_graph_by_graph_with_their_rows(void **state) {
    (void)state;
    static const char *const names[] = {"2", "4", "5", "1", "3"};
    const int32_t labels[] = {1, 3, 4, 0, 2};
    const float features[] = {2.5F, 4.5F, 5.5F, 1.5F, 3.5F};
    const double graphs[] = {0, 0, 0, 1, 1};
    const char *path = tu_new_folder();
    tu_file("graph_indicator", "2\n1\n2\n1\n1\n");
    tu_file("A", "1, 3\n3, 1\n2, 4\n4, 2\n");
    tu_file("node_labels", "0\n1\n2\n3\n4\n");
    tu_file("node_attributes", "1.5\n2.5\n3.5\n4.5\n5.5\n");
    dgm_graph *graph = scratch_read(path);
    for (int u = 0; u < 5; u++)
        assert_string_equal(dgm_graph_name_text(graph, u, NULL), names[u]);
    assert_memory_equal(dgm_graph_labels(graph), labels, sizeof labels);
    assert_memory_equal(dgm_graph_get_features(graph).values, features, sizeof features);
    dgm_attribute attribute = dgm_graph_attribute(graph, dgm_graph_attribute_find(graph, "graph"));
    assert_memory_equal(attribute.numbers, graphs, sizeof graphs);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    assert_int_equal(rows.entries, 4);
    assert_int_equal(rows.targets[rows.offsets[0]], 1); /* 2 - 4 */
    assert_int_equal(rows.targets[rows.offsets[3]], 4); /* 1 - 3 */
    assert_non_null(strstr(
        scratch_notes, "TOY_graph_indicator.txt does not list the nodes graph by graph; they "
                       "are put in that order, and their names are their numbers in the file\n"));
    dgm_graph_free(graph);
}

/* Of the folder's two files this one is missing and this one is there. */
static void assert_half(const char *path, const char *missing, const char *there) {
    char words[256];
    assert_true(dgmi_io_tu_is_half(path));
    assert_int_equal(dgmi_io_tu_fail_half(ctx, path), DGM_ERROR_FILE);
    snprintf(words, sizeof words,
             "%s: TOY_%s.txt is missing in this folder; a set of graphs has it beside TOY_%s.txt",
             path, missing, there);
    assert_string_equal(dgm_context_error(ctx), words);
}

static void half_of_a_set_names_the_other_half(void **state) {
    (void)state;
    const char *path = tu_new_folder();
    tu_remove("graph_indicator");
    assert_half(path, "graph_indicator", "A");
    path = tu_new_folder();
    assert_false(dgmi_io_tu_is_half(path));
    tu_remove("A");
    assert_half(path, "A", "graph_indicator");
    tu_remove("graph_indicator");
    assert_false(dgmi_io_tu_is_half(path));
    assert_int_equal(dgmi_io_tu_fail_half(ctx, path), DGM_ERROR_FILE);
    scratch_check_error(": no NAME_A.txt with a NAME_graph_indicator.txt in this folder");
}

static void an_edge_between_two_graphs_is_named(void **state) {
    (void)state;
    const char *path = tu_new_folder();
    tu_file("A", "1, 2\n2, 1\n3, 4\n4, 3\n");
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.graph = "1";
    scratch_refuses_with(path, &options, NULL, DGM_ERROR_DATA,
                         "TOY_A.txt:3: the edge joins node 3 of graph 0 and node 4 of graph 1 "
                         "(graphs counted from 0); the graphs of a set must not be joined");
}

/* Nodes 1 to 3 and 4 to 5 were two graphs with an edge between them when the folder was read. */
static void assert_crossing(const char *edges, dgm_status expected, const char *words) {
    int32_t graph_of[] = {1, 1, 1, 2, 2};
    const dgmi_io_tu tu = {
        .ctx = ctx, .path = tu_new_folder(), .name = "TOY", .nodes = 5, .graph_of = graph_of};
    if (edges)
        tu_file("A", edges);
    else
        tu_remove("A");
    assert_int_equal(dgmi_io_tu_fail_crossing(&tu), expected);
    scratch_check_error(words);
}

static void edges_that_changed_meanwhile_are_refused_all_the_same(void **state) {
    (void)state;
    assert_crossing("from, to\n1\n1, b\n0, 4\n6, 1\n1, 6\n3, 4\n", DGM_ERROR_DATA,
                    "TOY_A.txt:7: the edge joins node 3 of graph 0 and node 4 of graph 1");
    assert_crossing("1, 2\n4, 5\n", DGM_ERROR_DATA, "TOY_A.txt: an edge joins two graphs");
    assert_crossing("1, 2\n\"3, 4\n", DGM_ERROR_FORMAT, "TOY_A.txt:2: a quote");
    assert_crossing(NULL, DGM_ERROR_FILE, ": TOY_A.txt is no longer in this folder");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_graphs_are_read_as_one),
        cmocka_unit_test(nodes_without_edges_are_counted),
        cmocka_unit_test(files_that_do_not_fit_each_other_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_folder_that_cannot_be_listed_is_no_single_graph),
        cmocka_unit_test(a_folder_too_far_away_is_no_set),
        cmocka_unit_test(of_several_data_sets_the_first_by_name_is_read),
        cmocka_unit_test(graphs_without_nodes_are_noted),
        cmocka_unit_test(graphs_are_so_many_and_no_more_where_no_labels_count_them),
        cmocka_unit_test(files_that_are_not_used_are_named),
        cmocka_unit_test(labels_of_nodes_may_be_any_whole_numbers),
        cmocka_unit_test(nodes_are_put_graph_by_graph_with_their_rows),
        cmocka_unit_test(half_of_a_set_names_the_other_half),
        cmocka_unit_test(an_edge_between_two_graphs_is_named),
        cmocka_unit_test(edges_that_changed_meanwhile_are_refused_all_the_same),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
