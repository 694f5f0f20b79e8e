/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../check_graph.h"
#include "io_check.h"

#define PATTERN "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"

static void every_format_has_its_name(void **state) {
    (void)state;
    const char *const *names = dgm_format_names();
    assert_string_equal(names[DGM_FORMAT_AUTO], "auto");
    assert_string_equal(names[DGM_FORMAT_EDGES], "edges");
    assert_string_equal(names[DGM_FORMAT_NPY], "npy");
    assert_string_equal(names[DGM_FORMAT_TU], "tu");
    assert_null(names[DGM_FORMAT_TU + 1]);
}

static void content_decides_where_the_name_does_not(void **state) {
    (void)state;
    const struct {
        const char *text, *name;
        int64_t nodes;
    } cases[] = {
        {PATTERN, "x.txt", 3},
        {PATTERN, "x", 3},
        {"0 1\n", "x.dat", 2},
        {" {\"nodes\": [{\"id\": 1}], \"links\": []}", "x", 1},
        {"<?xml version=\"1.0\"?><graphml><graph edgedefault=\"undirected\"><node "
         "id=\"a\"/></graph></graphml>",
         "x.xml", 1},
        {"<gexf><graph><nodes><node id=\"a\"/></nodes></graph></gexf>", "x.xml", 1},
        {"Creator \"x\"\ngraph [ node [ id 1 ] ]\n", "x.txt", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgm_graph *graph = io_read(cases[i].text, cases[i].name, NULL);
        assert_int_equal(dgm_graph_nodes(graph), cases[i].nodes);
        dgm_graph_free(graph);
    }
}

static void a_given_format_wins_over_the_name(void **state) {
    (void)state;
    dgm_graph *graph;
    assert_int_equal(
        dgm_graph_read_memory(ctx, PATTERN, strlen(PATTERN), "x.csv", DGM_FORMAT_MTX, NULL, &graph),
        DGM_OK);
    assert_int_equal(dgm_graph_name_base(graph), 1);
    dgm_graph_free(graph);
    assert_int_equal(dgm_graph_read_memory(ctx, "x", 1, "x", (dgm_format)99, NULL, &graph),
                     DGM_ERROR_USAGE);
    assert_null(graph);
}

static void the_source_is_the_last_part_of_the_path(void **state) {
    (void)state;
    dgm_graph *graph;
    const char *path = io_save("my graph.tsv", "0 1\n", 4);
    assert_int_equal(dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, NULL, NULL, &graph), DGM_OK);
    assert_string_equal(dgm_graph_source(graph), "my graph.tsv");
    dgm_graph_free(graph);
}

static void files_and_folders_are_not_taken_for_each_other(void **state) {
    (void)state;
    dgm_graph *graph;
    const char *file = io_save("f.tsv", "0 1\n", 4);
    assert_int_equal(dgm_graph_read(ctx, file, DGM_FORMAT_FOLDER, NULL, NULL, &graph),
                     DGM_ERROR_FILE);
    assert_int_equal(dgm_graph_read(ctx, io_folder, DGM_FORMAT_MTX, NULL, NULL, &graph),
                     DGM_ERROR_FILE);
    assert_int_equal(dgm_graph_read(ctx, io_path("none"), DGM_FORMAT_AUTO, NULL, NULL, &graph),
                     DGM_ERROR_FILE);
    assert_null(graph);
}

static void a_matrix_market_banner_counts_under_any_name(void **state) {
    (void)state;
    dgm_graph *graph = io_read(
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n", "x.edges", NULL);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_int_equal(dgm_graph_edges(graph), 2);
    dgm_graph_free(graph);
}

static void an_empty_file_is_an_error_packed_or_not(void **state) {
    (void)state;
    dgm_graph *graph;
    dgm_graph *source = io_read("# none\n", "x.txt", NULL);
    assert_int_equal(dgm_graph_write(ctx, source, io_path("none.tsv.gz"), DGM_FORMAT_AUTO), DGM_OK);
    assert_int_equal(
        dgm_graph_read(ctx, io_path("none.tsv.gz"), DGM_FORMAT_AUTO, NULL, NULL, &graph), DGM_OK);
    dgm_graph_free(graph);
    dgm_graph_free(source);
    assert_int_equal(
        dgm_graph_read(ctx, io_save("e.tsv", "", 0), DGM_FORMAT_AUTO, NULL, NULL, &graph),
        DGM_ERROR_FORMAT);
    assert_non_null(strstr(dgm_context_error(ctx), "empty"));
}

static void an_error_of_the_whole_graph_names_the_file(void **state) {
    (void)state;
    dgm_graph *graph;
    const dgm_graph_options options = {.nodes = 10};
    assert_int_equal(
        dgm_graph_read_memory(ctx, "a b\n", 4, "x.txt", DGM_FORMAT_AUTO, &options, &graph),
        DGM_ERROR_DATA);
    assert_string_equal(dgm_context_error_parts(ctx).file, "x.txt");
}

static void an_unknown_ending_lists_the_known_ones(void **state) {
    (void)state;
    dgm_graph *graph = io_read("0 1\n", "x.txt", NULL);
    const char *const names[] = {"x", "x.xyz", "x.tsv.zip"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(dgm_graph_write(ctx, graph, io_path(names[i]), DGM_FORMAT_AUTO),
                         DGM_ERROR_USAGE);
        assert_non_null(strstr(dgm_context_error(ctx), ".graphml"));
        assert_int_not_equal(access(io_path(names[i]), F_OK), 0);
    }
    assert_int_equal(dgm_graph_write(ctx, graph, io_path("x"), DGM_FORMAT_TU), DGM_ERROR_USAGE);
    dgm_graph_free(graph);
}

static void a_device_takes_an_edge_list(void **state) {
    (void)state;
    dgm_graph *graph = io_read("0 1\n", "x.txt", NULL);
    assert_int_equal(dgm_graph_write(ctx, graph, "/dev/null", DGM_FORMAT_AUTO), DGM_OK);
    assert_int_equal(dgm_graph_write(ctx, graph, "/dev/full", DGM_FORMAT_AUTO), DGM_ERROR_FILE);
    dgm_graph_free(graph);
}

/* A graph with everything that all formats can hold comes back from each, packed in each way. */
static void a_graph_comes_back_from_every_format(void **state) {
    (void)state;
    const char *const names[] = {"r.tsv",     "r.csv.gz",  "r.mtx.xz",  "r.graph.zst",
                                 "r.graphml", "r.gexf.gz", "r.gml.zst", "r.json.xz",
                                 "r.npz",     "r.npy",     "r.npz.gz"};
    dgm_graph *graph = io_read("0 3\n3 1\n1 0\n4 0\n# dgm nodes 6\n", "x.txt", NULL), *back;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const dgm_graph_options options = {.nodes = strcmp(names[i], "r.npy") == 0 ? 6 : 0};
        if (dgm_graph_write(ctx, graph, io_path(names[i]), DGM_FORMAT_AUTO) != DGM_OK ||
            dgm_graph_read(ctx, io_path(names[i]), DGM_FORMAT_AUTO, &options, NULL, &back) !=
                DGM_OK)
            fail_msg("%s", dgm_context_error(ctx));
        const char *wrong = check_same_graph(graph, back, 0);
        if (wrong)
            fail_msg("%s: %s", names[i], wrong);
        dgm_graph_free(back);
    }
    dgm_graph_free(graph);
}

static void cancelling_stops_the_reader(void **state) {
    (void)state;
    dgm_graph *graph;
    dgm_context_cancel(ctx);
    assert_int_equal(dgm_graph_read_memory(ctx, "0 1\n", 4, "x.txt", DGM_FORMAT_AUTO, NULL, &graph),
                     DGM_ERROR_CANCELLED);
    assert_null(graph);
    dgm_context_resume(ctx);
}

/* ---- the k-th allocation fails, for every k ---- */

static long long calls, fail_at, alive;

static void *failing_resize(void *user, void *block, size_t size) {
    (void)user;
    if (size == 0) {
        alive -= block != NULL;
        free(block);
        return NULL;
    }
    if (++calls == fail_at)
        return NULL;
    void *result = realloc(block, size);
    alive += !block && result;
    return result;
}

static dgm_status read_and_write(const char *text, const char *name, const char *target) {
    const dgm_allocator allocator = {failing_resize, NULL};
    dgm_context *weak;
    dgm_graph *graph = NULL;
    dgm_status status = dgm_context_create(&allocator, &weak);
    if (status != DGM_OK)
        return status;
    status = dgm_graph_read_memory(weak, text, strlen(text), name, DGM_FORMAT_AUTO, NULL, &graph);
    if (status == DGM_OK)
        status = dgm_graph_write(weak, graph, target, DGM_FORMAT_AUTO);
    if (status != DGM_OK)
        assert_string_not_equal(dgm_context_error(weak), "");
    dgm_graph_free(graph);
    dgm_context_free(weak);
    return status;
}

static void any_allocation_may_fail(void **state) {
    (void)state;
    const char *const cases[][3] = {{"0 1 2\n1 2 3\n", "x.txt", "a.tsv.gz"},
                                    {"0 1\n1 x\n", "x.txt", "a.csv"},
                                    {"\"a\",b\n# dgm node c\n", "x.csv", "a.tsv"},
                                    {PATTERN, "x.mtx", "a.mtx.zst"},
                                    {"2 1 111 2\n5 7 7 2 9\n6 8 8 1 9\n", "x.graph", "a.graph"}};
    io_remove_files();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        dgm_status status;
        fail_at = 0;
        do {
            fail_at++;
            calls = 0;
            status = read_and_write(cases[c][0], cases[c][1], io_path(cases[c][2]));
            assert_int_equal(alive, 0);
            if (calls >= fail_at && status != DGM_OK) {
                assert_int_equal(status, DGM_ERROR_MEMORY);
                assert_int_equal(io_count_files(), 0);
            }
            io_remove_files();
        } while (calls >= fail_at);
        assert_int_equal(status, DGM_OK);
        assert_true(fail_at > 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_has_its_name),
        cmocka_unit_test(content_decides_where_the_name_does_not),
        cmocka_unit_test(a_given_format_wins_over_the_name),
        cmocka_unit_test(the_source_is_the_last_part_of_the_path),
        cmocka_unit_test(files_and_folders_are_not_taken_for_each_other),
        cmocka_unit_test(a_matrix_market_banner_counts_under_any_name),
        cmocka_unit_test(an_empty_file_is_an_error_packed_or_not),
        cmocka_unit_test(an_error_of_the_whole_graph_names_the_file),
        cmocka_unit_test(an_unknown_ending_lists_the_known_ones),
        cmocka_unit_test(a_device_takes_an_edge_list),
        cmocka_unit_test(a_graph_comes_back_from_every_format),
        cmocka_unit_test(cancelling_stops_the_reader),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, io_setup, io_teardown);
}
