/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a folder, byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>

#include "io_scratch.h"

static void check_text(const char *name, const char *expected) {
    char *text = scratch_content(scratch_path(name), NULL);
    assert_string_equal(text, expected);
    free(text);
}

/* Three nodes with everything that a folder holds. */
static dgm_graph *make_graph(bool sparse) {
    static const int64_t offsets[] = {0, 1, 1, 3};
    static const uint32_t columns[] = {1, 0, 1}, ends[] = {0, 1, 1, 2};
    static const float values[] = {0.5F, 2, -1, 0, 0, 7};
    const dgm_graph_features dense = {.width = 2, .values = values};
    const dgm_graph_features scattered = {
        .width = 2, .offsets = offsets, .columns = columns, .values = values};
    const char *const names[] = {"red", "blue"};
    dgm_graph_builder *b;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &b), DGM_OK);
    dgm_graph_builder_add(b, 2, ends, (const double[]){7, 0.5});
    dgm_graph_builder_set_labels(b, 3, (const int32_t[]){1, -1, 0});
    dgm_graph_builder_set_class_names(b, 2, names);
    dgm_graph_builder_set_splits(b, 3, (const uint8_t[]){3, 1, 2});
    dgm_graph_builder_add_numbers(b, "age", 3, (const double[]){20, 30.5, 40});
    dgm_graph_builder_set_features(b, 3, sparse ? &scattered : &dense);
    dgm_graph_builder_set_source(b, "toy");
    assert_int_equal(dgm_graph_builder_finish(b, &graph), DGM_OK);
    return graph;
}

static void every_file_has_exactly_its_text(void **state) {
    (void)state;
    dgm_graph *graph = make_graph(true);
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("all"), DGM_FORMAT_FOLDER), DGM_OK);
    dgm_graph_free(graph);
    check_text("all/edges.tsv", "0\t1\t7\n1\t2\t0.5\n");
    check_text("all/nodes.csv", "id,age\n0,20\n1,30.5\n2,40\n");
    check_text("all/labels.txt", "1\n-1\n0\n");
    check_text("all/train.txt", "1\n");
    check_text("all/val.txt", "2\n");
    check_text("all/test.txt", "0\n");
    check_text("all/features.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 3\n"
                                   "1 2 0.5\n3 1 2\n3 2 -1\n");
    check_text("all/meta.json", "{\n \"name\": \"toy\",\n \"nodes\": 3,\n \"edges\": 2,\n"
                                " \"directed\": false,\n \"columns\": [\n  \"source\",\n"
                                "  \"target\",\n  \"weight\"\n ],\n \"class_names\": [\n"
                                "  \"red\",\n  \"blue\"\n ]\n}\n");
    assert_int_not_equal(access(scratch_path("all/features.npy"), F_OK), 0);
}

static void dense_features_are_an_array(void **state) {
    (void)state;
    static const float values[] = {0.5F, 2, -1, 0, 0, 7};
    size_t size;
    dgm_graph *graph = make_graph(false);
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("dense"), DGM_FORMAT_FOLDER), DGM_OK);
    dgm_graph_free(graph);
    char *bytes = scratch_content(scratch_path("dense/features.npy"), &size);
    assert_int_equal(size, 128 + sizeof values);
    assert_memory_equal(bytes + 128, values, sizeof values);
    assert_non_null(strstr(bytes + 10, "'descr': '<f4', 'fortran_order': False, 'shape': (3, 2)"));
    free(bytes);
}

/* The folder can be made, and the path of no file in it can be said. */
static void a_path_that_has_no_room_for_files_is_refused(void **state) {
    (void)state;
    enum { LONGEST = 4095, PART = 200 };
    char path[LONGEST + 1], ending[32];
    size_t length = (size_t)snprintf(path, sizeof path, "%s", scratch_root);
    size_t room = LONGEST - (size_t)snprintf(ending, sizeof ending, ".%ld.part", (long)getpid());
    while (length + PART < room) {
        path[length++] = '/';
        memset(path + length, 'd', PART / 2);
        path[length += PART / 2] = '\0';
        assert_int_equal(mkdir(path, 0777), 0);
    }
    path[length] = '/';
    memset(path + length + 1, 'e', room - length - 1);
    path[room] = '\0';
    dgm_graph *graph = make_graph(true);
    assert_int_equal(dgm_graph_write(ctx, graph, path, DGM_FORMAT_FOLDER), DGM_ERROR_FILE);
    dgm_graph_free(graph);
    scratch_check_error("File name too long");
    path[length] = '\0';
    assert_int_equal(rmdir(path), 0); /* nothing was left in it */
}

static void a_directed_graph_is_called_so(void **state) {
    (void)state;
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph = scratch_read_with(scratch_text("arc.tsv", "1\t0\n"), &options, NULL);
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("arc"), DGM_FORMAT_FOLDER), DGM_OK);
    dgm_graph_free(graph);
    check_text("arc/meta.json", "{\n \"name\": \"arc.tsv\",\n \"nodes\": 2,\n \"edges\": 1,\n"
                                " \"directed\": true\n}\n");
}

/* ---- what cannot be written ---- */

static void names_that_are_not_utf8_are_refused(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"\xFF", "blue"}, {"toy", "\xFF"}, {"toy", "blue"}}; /* source, and name of a class */
    for (int k = 0; k < 3; k++) {
        dgm_graph_builder *b;
        dgm_graph *graph;
        assert_int_equal(dgm_graph_builder_create(ctx, NULL, &b), DGM_OK);
        dgm_graph_builder_add(b, 1, (const uint32_t[]){0, 1}, NULL);
        dgm_graph_builder_set_source(b, names[k][0]);
        dgm_graph_builder_set_labels(b, 2, (const int32_t[]){0, 1});
        dgm_graph_builder_set_class_names(b, 2, (const char *const[]){names[k][1], "red"});
        assert_int_equal(dgm_graph_builder_finish(b, &graph), DGM_OK);
        dgm_status status = dgm_graph_write(ctx, graph, scratch_path("names"), DGM_FORMAT_FOLDER);
        dgm_graph_free(graph);
        assert_int_equal(status, k == 2 ? DGM_OK : DGM_ERROR_DATA);
        assert_int_equal(access(scratch_path("names"), F_OK), k == 2 ? 0 : -1);
        if (k < 2)
            scratch_check_error("the graph's source or class names are not UTF-8");
    }
}

/* Jansson's allocations count down; at zero one fails. -1: none does. */
static long json_countdown = -1;

static void *json_allocate(size_t size) {
    return json_countdown >= 0 && json_countdown-- == 0 ? NULL : malloc(size);
}

/* Lets each of Jansson's allocations in the work fail in turn, until it succeeds. They are errors of
 * memory, or of the `other` kind. */
static void fail_each_of_jansson(dgm_status (*work)(void *argument), void *argument,
                                 dgm_status other) {
    dgm_status status = DGM_ERROR_MEMORY;
    json_set_alloc_funcs(json_allocate, free);
    for (long k = 0; status != DGM_OK; k++) {
        assert_true(k < 1000);
        json_countdown = k;
        status = work(argument);
        bool failed = json_countdown < 0;
        json_countdown = -1;
        if (failed ? status != DGM_ERROR_MEMORY && status != other : status != DGM_OK)
            fail_msg("allocation %ld: %s, %s", k, dgm_status_name(status), dgm_context_error(ctx));
        assert_true(k > 0 || status == DGM_ERROR_MEMORY);
    }
    json_set_alloc_funcs(malloc, free);
}

static dgm_status write_and_remove(void *graph) {
    const char *path = scratch_path("frail");
    dgm_status status = dgm_graph_write(ctx, graph, path, DGM_FORMAT_FOLDER);
    if (status == DGM_OK)
        assert_int_equal(nftw(path, scratch_remove, 16, FTW_DEPTH | FTW_PHYS), 0);
    assert_int_equal(access(path, F_OK), -1);
    return status;
}

/* No file lacks what there was no memory for. */
static void a_meta_file_is_written_whole_or_not_at_all(void **state) {
    (void)state;
    dgm_graph *graph = make_graph(true);
    fail_each_of_jansson(write_and_remove, graph, DGM_ERROR_MEMORY);
    dgm_graph_free(graph);
}

/* Jansson takes some of its failures for a wrong text. */
static void a_meta_file_is_read_whole_or_not_at_all(void **state) {
    (void)state;
    char path[512];
    dgm_graph *graph = make_graph(true);
    strcpy(path, scratch_path("whole"));
    assert_int_equal(dgm_graph_write(ctx, graph, path, DGM_FORMAT_FOLDER), DGM_OK);
    dgm_graph_free(graph);
    fail_each_of_jansson(scratch_read_and_free, path, DGM_ERROR_FORMAT);
}

static void every_allocation_of_dense_features_may_fail(void **state) {
    (void)state;
    dgm_graph *graph = make_graph(false);
    scratch_fail_each(write_and_remove, graph);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_has_exactly_its_text),
        cmocka_unit_test(dense_features_are_an_array),
        cmocka_unit_test(a_path_that_has_no_room_for_files_is_refused),
        cmocka_unit_test(a_directed_graph_is_called_so),
        cmocka_unit_test(names_that_are_not_utf8_are_refused),
        cmocka_unit_test(a_meta_file_is_written_whole_or_not_at_all),
        cmocka_unit_test(a_meta_file_is_read_whole_or_not_at_all),
        cmocka_unit_test(every_allocation_of_dense_features_may_fail),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
