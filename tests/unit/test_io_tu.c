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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_graphs_are_read_as_one),
        cmocka_unit_test(nodes_without_edges_are_counted),
        cmocka_unit_test(files_that_do_not_fit_each_other_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_folder_that_cannot_be_listed_is_no_single_graph),
        cmocka_unit_test(of_several_data_sets_the_first_by_name_is_read),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
