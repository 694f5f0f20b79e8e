/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of edges, features, labels and masks as NumPy saves them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph_numbers.h"
#include "io_scratch.h"
#include "npz_sample.h"

/* ---- reading ---- */

static void what_numpy_saves_is_read(void **state) {
    (void)state;
    dgm_graph *graph = scratch_read(scratch_bytes("g.npz", graph_stored, sizeof graph_stored));
    expect_all(graph);
    assert_non_null(strstr(scratch_notes, "not used: pos"));
    dgm_graph_free(graph);
    graph = scratch_read(scratch_bytes("g.npz", graph_deflated, sizeof graph_deflated));
    expect_all(graph);
    dgm_graph_free(graph);
}

static void edges_may_lie_across_down_or_in_fortran_order(void **state) {
    (void)state;
    dgm_graph *graph = scratch_read(scratch_bytes("g.npz", graph_fortran, sizeof graph_fortran));
    expect_path(graph, 4);
    dgm_graph_free(graph);
    graph = scratch_read(scratch_bytes("g.npz", graph_down, sizeof graph_down));
    expect_path(graph, 4);
    dgm_graph_free(graph);
    graph = scratch_read(scratch_bytes("g.npy", edge_index_alone, sizeof edge_index_alone));
    expect_path(graph, 4);
    dgm_graph_free(graph);
}

static void two_by_two_is_sources_over_targets(void **state) {
    (void)state;
    arrays zip = with_path();
    dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
    assert_int_equal(dgm_graph_edges(graph), 2);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    assert_int_equal(rows.offsets[1], 1); /* 0: 1; 1: 0 2; 2: 1 */
    assert_int_equal(rows.offsets[2], 3);
    dgm_graph_free(graph);
}

static void an_edge_attribute_of_one_column_is_the_weight(void **state) {
    (void)state;
    const double weights[] = {3, 4}, wide[] = {1, 2, 3, 4};
    arrays zip = with_path();
    add(&zip, "edge_attr", "<f8", "(2, 1)", weights, sizeof weights);
    dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
    assert_true(dgm_graph_get_rows(graph).weights[0] == 3);
    dgm_graph_free(graph);
    zip = with_path();
    add(&zip, "edge_attr", "<f8", "(2, 2)", wide, sizeof wide);
    graph = scratch_read(save(&zip, "g.npz"));
    assert_null(dgm_graph_get_rows(graph).weights);
    assert_non_null(strstr(scratch_notes, "edge_attr of shape (2, 2) is not used"));
    dgm_graph_free(graph);
    zip = with_path();
    add(&zip, "edge_weight", "<f8", "(2,)", weights, sizeof weights);
    add(&zip, "edge_attr", "<f8", "(2,)", wide, 2 * sizeof(double));
    graph = scratch_read(save(&zip, "g.npz"));
    assert_true(dgm_graph_get_rows(graph).weights[0] == 3);
    dgm_graph_free(graph);
}

static void labels_may_be_whole_reals_and_masks_may_hold_several_splits(void **state) {
    (void)state;
    const float labels[] = {2, 0, -1};
    const uint8_t masks[] = {1, 0, 0, 1, 0, 0};
    const uint8_t splits[] = {DGM_SPLIT_TRAIN, DGM_SPLIT_NONE, DGM_SPLIT_NONE};
    const int32_t expected[] = {2, 0, -1};
    arrays zip = with_path();
    add(&zip, "y", "<f4", "(3, 1)", labels, sizeof labels);
    add(&zip, "train_mask", "|b1", "(3, 2)", masks, sizeof masks);
    dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
    ASSERT_LABEL_NUMBERS(graph, expected);
    assert_memory_equal(dgm_graph_splits(graph), splits, sizeof splits);
    dgm_graph_free(graph);
}

static void the_count_of_nodes_is_the_largest_asked_for(void **state) {
    (void)state;
    const int64_t nine = 9;
    arrays zip = with_path();
    add(&zip, "num_nodes", "<i8", "()", &nine, sizeof nine);
    const char *path = save(&zip, "g.npz");
    dgm_graph *graph = scratch_read(path);
    assert_int_equal(dgm_graph_nodes(graph), 9);
    dgm_graph_free(graph);
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .nodes = 12};
    graph = scratch_read_with(path, &options, NULL);
    assert_int_equal(dgm_graph_nodes(graph), 12);
    dgm_graph_free(graph);
}

static void a_graph_without_edges_is_a_graph(void **state) {
    (void)state;
    const int64_t two = 2;
    arrays zip = {.used = 0};
    add(&zip, "edge_index", "<i8", "(2, 0)", "", 0);
    add(&zip, "num_nodes", "<i8", "(1,)", &two, sizeof two);
    dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
    assert_int_equal(dgm_graph_nodes(graph), 2);
    assert_int_equal(dgm_graph_edges(graph), 0);
    dgm_graph_free(graph);
}

static void points_are_told_from_edges(void **state) {
    (void)state;
    const char npy[] =
        "\x93NUMPY\1\0\x46\0{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }"
        "            \n\1\2\3\4\5\6";
    dgm_graph *graph;
    assert_int_equal(dgm_graph_read_memory(ctx, npy, 86, "e.npy", DGM_FORMAT_AUTO, NULL, &graph),
                     DGM_OK);
    dgm_graph_free(graph);
    char points[sizeof npy];
    memcpy(points, npy, sizeof npy);
    memcpy(strchr(points + 10, '(') + 1, "1, 6", 4);
    assert_int_equal(dgm_graph_read_memory(ctx, points, 86, "p.npy", DGM_FORMAT_AUTO, NULL, &graph),
                     DGM_ERROR_FORMAT);
    assert_non_null(strstr(dgm_context_error(ctx), "'dgm convert' with knn=10"));
}

/* Points are only spoken of where rows may be some. */
static void lines_of_numbers_are_no_points(void **state) {
    (void)state;
    static const struct {
        const char *descr, *shape;
        size_t size;
        bool points;
    } cases[] = {{"|u1", "(6,)", 6, false},   {"|u1", "(6, 1)", 6, true},
                 {"|u1", "(1, 6)", 6, true},  {"<f2", "(3, 2)", 12, true},
                 {"<f2", "(2, 3)", 12, true}, {"<f2", "(0, 3)", 0, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char npy[256] = "\x93NUMPY\1\0";
        dgm_graph *graph;
        int length =
            snprintf(npy + 10, 200, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
                     cases[k].descr, cases[k].shape);
        npy[8] = (char)length;
        memset(npy + 10 + length, '\x38', cases[k].size); /* as halves: 0.527... */
        size_t size = 10 + (size_t)length + cases[k].size;
        dgm_status status =
            dgm_graph_read_memory(ctx, npy, size, "e.npy", DGM_FORMAT_AUTO, NULL, &graph);
        assert_int_equal(status == DGM_OK, cases[k].size == 0); /* nothing at all is a graph */
        dgm_graph_free(graph);
        if (status == DGM_OK)
            continue;
        assert_int_equal(strstr(dgm_context_error(ctx), "knn=10") != NULL, cases[k].points);
    }
}

static void an_edge_index_counts_more_than_a_format(void **state) {
    (void)state;
    arrays zip = with_path();
    add(&zip, "format", "|S3", "()", "odd", 3);
    dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_non_null(strstr(scratch_notes, "not used: format"));
    dgm_graph_free(graph);
}

static void one_mask_is_a_split(void **state) {
    (void)state;
    const uint8_t mask[] = {0, 1, 0};
    static const char *const names[] = {"train_mask", "val_mask", "test_mask"};
    for (int k = 0; k < 3; k++) {
        arrays zip = with_path();
        add(&zip, names[k], "|b1", "(3,)", mask, 3);
        dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
        const uint8_t *splits = dgm_graph_splits(graph);
        assert_non_null(splits);
        assert_int_equal(splits[0], DGM_SPLIT_NONE);
        assert_int_equal(splits[1], DGM_SPLIT_TRAIN + k);
        dgm_graph_free(graph);
    }
}

/* A table of nodes in the same folder has listed them: they stay in its order. */
static void numbers_that_are_names_follow_the_table_of_a_folder(void **state) {
    (void)state;
    const dgm_graph_options by_name = {.size = sizeof(dgm_graph_options), .ids = DGM_IDS_NAME};
    static const char *const names[] = {"9", "7", "5"};
    arrays zip = {.used = 0};
    add(&zip, "edge_index", "<i8", "(2, 1)", (const int64_t[]){5, 9}, 2 * sizeof(int64_t));
    save(&zip, "listed/edges.npz");
    scratch_text("listed/nodes.csv", "id\n9\n7\n5\n");
    dgm_graph *graph = scratch_read_with(scratch_path("listed"), &by_name, NULL);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    for (int u = 0; u < 3; u++)
        assert_string_equal(dgm_graph_name_text(graph, u, NULL), names[u]);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    assert_int_equal(rows.entries, 2);
    assert_int_equal(rows.targets[rows.offsets[0]], 2);
    dgm_graph_free(graph);
}

/* 0 - 5: with --ids name two nodes, unless something has a row for each of six. */
static void rows_of_nodes_keep_the_numbers_of_nodes(void **state) {
    (void)state;
    const dgm_graph_options names = {.size = sizeof(dgm_graph_options), .ids = DGM_IDS_NAME};
    const int64_t far[] = {0, 5};
    const uint8_t rows[] = {0, 1, 0, 0, 0, 0};
    static const char *const members[] = {"pos", "x", "y", "train_mask", "val_mask", "test_mask"};
    for (int k = 0; k < 6; k++) {
        arrays zip = {.used = 0};
        add(&zip, "edge_index", "<i8", "(2, 1)", far, sizeof far);
        add(&zip, members[k], "|u1", "(6,)", rows, 6);
        dgm_graph *graph = scratch_read_with(save(&zip, "g.npz"), &names, NULL);
        assert_int_equal(dgm_graph_nodes(graph), k ? 6 : 2);
        dgm_graph_free(graph);
    }
}

/* A path of 40000 edges in one array: blocks hold sources alone, both, and targets alone. */
static void long_arrays_of_edges_are_read_whole(void **state) {
    (void)state;
    enum { EDGES = 40000 };
    size_t size = 128 + 2 * EDGES * sizeof(uint32_t);
    char *npy = calloc(1, size);
    int length = snprintf(npy + 10, 118,
                          "{'descr': '<u4', 'fortran_order': False, 'shape': (2, %d)}", EDGES);
    memcpy(npy, "\x93NUMPY\1\0", 8);
    npy[8] = (char)length;
    for (uint32_t k = 0; k < 2 * EDGES; k++) {
        uint32_t end = k < EDGES ? k : k - EDGES + 1;
        memcpy(npy + 10 + length + 4 * k, &end, 4);
    }
    dgm_graph *graph;
    assert_int_equal(dgm_graph_read_memory(ctx, npy, 10 + (size_t)length + 8 * EDGES, "e.npy",
                                           DGM_FORMAT_AUTO, NULL, &graph),
                     DGM_OK);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    assert_int_equal(dgm_graph_nodes(graph), EDGES + 1);
    assert_int_equal(rows.entries, 2 * EDGES);
    for (uint32_t u = 1; u < EDGES; u++) {
        assert_int_equal(rows.targets[rows.offsets[u]], u - 1);
        assert_int_equal(rows.targets[rows.offsets[u] + 1], u + 1);
    }
    dgm_graph_free(graph);
    free(npy);
}

static void a_pipe_is_read_as_a_file_is(void **state) {
    (void)state;
    char path[64];
    int ends[2];
    dgm_graph *graph;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], graph_stored, sizeof graph_stored), sizeof graph_stored);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(dgm_graph_read(ctx, path, DGM_FORMAT_NPZ, NULL, NULL, &graph), DGM_OK);
    close(ends[0]);
    expect_all(graph);
    dgm_graph_free(graph);
}

/* A number of nodes is believed where a class of each stands behind it. */
static void many_nodes_without_edges_are_read_where_each_has_a_class(void **state) {
    (void)state;
    enum { MANY = 20000 };
    static uint8_t labels[MANY];
    const int64_t edge[] = {0, 1}, nodes = MANY;
    arrays zip = {.used = 0};
    add(&zip, "edge_index", "<i8", "(2, 1)", edge, sizeof edge);
    add(&zip, "num_nodes", "<i8", "()", &nodes, sizeof nodes);
    add(&zip, "y", "|u1", "(20000,)", labels, sizeof labels);
    dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
    assert_int_equal(dgm_graph_nodes(graph), MANY);
    dgm_graph_free(graph);
}

/* ---- refusing ---- */

/* A path with one more member, which is wrong. */
static void refuses_member(const char *name, const char *descr, const char *shape, const void *data,
                           size_t size, dgm_status status, const char *words) {
    arrays zip = with_path();
    add(&zip, name, descr, shape, data, size);
    scratch_refuses(save(&zip, "bad.npz"), status, words);
}

static void members_that_do_not_fit_each_other_are_refused(void **state) {
    (void)state;
    const int64_t numbers[] = {0, 1, 0, 1, 0, 1, 0, 1};
    const double reals[] = {1, 2, 3, 0.5};
    refuses_member("x", "<i8", "(2, 2)", numbers, 32, DGM_ERROR_DATA,
                   "bad.npz: x: 2 rows for 3 nodes, which is what edge_index names");
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1); /* no byte of the file is to blame */
    refuses_member("y", "<i8", "(2,)", numbers, 16, DGM_ERROR_DATA, "y: 2 rows for 3 nodes");
    refuses_member("test_mask", "<i8", "(2,)", numbers, 16, DGM_ERROR_DATA,
                   "test_mask: 2 rows for 3 nodes");
    refuses_member("edge_weight", "<f8", "(3,)", reals, 24, DGM_ERROR_DATA,
                   "3 edge weights, but edge_index has 2 edges");
    refuses_member("edge_weight", "<f8", "(2, 2)", reals, 32, DGM_ERROR_FORMAT,
                   "edge_weight: an array of shape (2, 2)");
    refuses_member("y", "<f8", "(4,)", reals, 32, DGM_ERROR_DATA,
                   "y: row 3 (counted from 0) is 0.5, not a class");
    refuses_member("y", "<i8", "(4, 2)", numbers, 64, DGM_ERROR_FORMAT, "one class per node");
    refuses_member("num_nodes", "<i8", "(2,)", numbers, 16, DGM_ERROR_FORMAT, "one number");
    refuses_member("num_nodes", "<i8", "()", &(int64_t){-3}, 8, DGM_ERROR_DATA,
                   "is -3, not a count");
    refuses_member("x", "<f8", "(65536, 65536)", reals, 32, DGM_ERROR_FORMAT,
                   "x: the header promises (65536, 65536)");
    refuses_member("x", "|O", "(4,)", reals, 32, DGM_ERROR_FORMAT,
                   "x: the array holds Python objects");
    refuses_member("x", "<f8", "(2, 2, 1)", reals, 32, DGM_ERROR_FORMAT, "shape (2, 2, 1)");
}

static void ids_that_are_no_nodes_are_refused(void **state) {
    (void)state;
    const int64_t bad[][4] = {{0, -1, 1, 2}, {0, 1, 4294967296, 2}, {0, 1, 1, INT64_MIN}};
    static const char *const words[] = {
        "edge_index: row 0, column 1 (counted from 0) is -1",
        "edge_index: row 1, column 0 (counted from 0) is 4294967296",
        "edge_index: row 1, column 1"};
    for (size_t i = 0; i < 3; i++) {
        arrays zip = {.used = 0};
        add(&zip, "edge_index", "<i8", "(2, 2)", bad[i], sizeof bad[i]);
        scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_DATA, words[i]);
    }
    arrays zip = {.used = 0};
    add(&zip, "edge_index", "<i8", "(3, 1)", bad, 24);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT,
                    "edge_index: an array of shape (3, 1); (2, edges) or (edges, 2) is needed");
}

static void nodes_that_no_data_stands_behind_are_refused(void **state) {
    (void)state;
    const int64_t many = 2000000000, far[] = {0, 1, 1, 2000000000};
    refuses_member("num_nodes", "<i8", "()", &many, sizeof many, DGM_ERROR_FORMAT,
                   "2000000000 nodes are promised");
    arrays zip = with_path();
    add(&zip, "x", "<i8", "(2000000000, 0)", "", 0);
    dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
    assert_int_equal(dgm_graph_nodes(graph), 3);
    dgm_graph_free(graph);
    zip = (arrays){.used = 0};
    add(&zip, "edge_index", "<i8", "(2, 2)", far, sizeof far);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, "2000000001 nodes are promised");
}

static void overlapping_masks_are_refused(void **state) {
    (void)state;
    const uint8_t mask[] = {0, 1, 0};
    arrays zip = with_path();
    add(&zip, "train_mask", "|b1", "(3,)", mask, 3);
    add(&zip, "val_mask", "|b1", "(3,)", mask, 3);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_DATA,
                    "node 1 is in train_mask and in val_mask");
}

static void files_that_are_no_whole_archives_are_refused(void **state) {
    (void)state;
    arrays none = {.used = 0};
    add(&none, "adj", "<i8", "()", path_index, 8);
    scratch_refuses(save(&none, "bad.npz"), DGM_ERROR_FORMAT,
                    "no edge_index in it, and no sparse matrix; it holds adj");
    scratch_refuses(scratch_text("bad.npz", "1 2\n2 3\n"), DGM_ERROR_FORMAT, "not a whole .npz");
    scratch_refuses(scratch_text("bad.npz", ""), DGM_ERROR_FORMAT, "empty");
    for (size_t size = 1; size < sizeof graph_stored; size += 97) {
        dgm_graph *graph;
        const char *path = scratch_bytes("bad.npz", graph_stored, size);
        assert_int_equal(dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, NULL, NULL, &graph),
                         DGM_ERROR_FORMAT);
        assert_null(graph);
    }
    for (size_t at = 0; at < sizeof graph_deflated; at++) { /* whatever comes out, nothing breaks */
        unsigned char damaged[sizeof graph_deflated];
        dgm_graph *graph;
        memcpy(damaged, graph_deflated, sizeof damaged);
        damaged[at] ^= 0x55;
        dgm_graph_read_memory(ctx, damaged, sizeof damaged, "d.npz", DGM_FORMAT_AUTO, NULL, &graph);
        dgm_graph_free(graph);
    }
}

static void a_member_may_stand_once(void **state) {
    (void)state;
    const double weights[] = {3, 4};
    arrays zip = with_path();
    add(&zip, "edge_index", "<i8", "(2, 2)", path_index, sizeof path_index);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT,
                    "edge_index: stands twice in the file");
    zip = with_path();
    add(&zip, "edge_weight", "<f8", "(2,)", weights, sizeof weights);
    add(&zip, "edge_weight", "<f8", "(2,)", weights, sizeof weights);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT,
                    "edge_weight: stands twice in the file");
}

static void edges_lie_in_two_rows_or_two_columns(void **state) {
    (void)state;
    const double weights[] = {3, 4};
    arrays zip = {.used = 0};
    add(&zip, "edge_index", "<i8", "(4,)", path_index, sizeof path_index);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, "an array of shape (4,); (2, edges)");
    refuses_member("edge_weight", "<f8", "(2, 1, 1)", weights, sizeof weights, DGM_ERROR_FORMAT,
                   "an array of shape (2, 1, 1); one number an edge is needed");
    refuses_member("edge_weight", "<f8", "()", weights, 8, DGM_ERROR_FORMAT,
                   "an array of shape (); one number an edge is needed");
    zip = (arrays){.used = 0};
    add(&zip, "edge_index", "<i8", "(0,)", "", 0);
    const char *path = save(&zip, "g.npz");
    const dgm_graph_options names = {.size = sizeof(dgm_graph_options), .ids = DGM_IDS_NAME};
    for (int named = 0; named < 2; named++) { /* there are none to be sorted, either */
        dgm_graph *graph = scratch_read_with(path, named ? &names : NULL, NULL);
        assert_int_equal(dgm_graph_nodes(graph), 0);
        dgm_graph_free(graph);
    }
}

static void members_that_lie_outside_the_file_are_refused(void **state) {
    (void)state;
    arrays zip = with_path();
    memcpy(zip.directory + 42, "\xff\xff\xff\x7f", 4);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, "not a whole .npz");
}

static dgm_status read_named_and_free(void *path) {
    const dgm_graph_options names = {.size = sizeof(dgm_graph_options), .ids = DGM_IDS_NAME};
    dgm_graph *graph;
    dgm_status status = dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, &names, NULL, &graph);
    dgm_graph_free(graph);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char path[512];
    strcpy(path, scratch_bytes("f.npz", graph_deflated, sizeof graph_deflated));
    scratch_fail_each(scratch_read_and_free, path);
    strcpy(path, scratch_bytes("f.npy", edge_index_alone, sizeof edge_index_alone));
    scratch_fail_each(scratch_read_and_free, path);
    scratch_fail_each(read_named_and_free, path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_numpy_saves_is_read),
        cmocka_unit_test(edges_may_lie_across_down_or_in_fortran_order),
        cmocka_unit_test(two_by_two_is_sources_over_targets),
        cmocka_unit_test(an_edge_attribute_of_one_column_is_the_weight),
        cmocka_unit_test(labels_may_be_whole_reals_and_masks_may_hold_several_splits),
        cmocka_unit_test(the_count_of_nodes_is_the_largest_asked_for),
        cmocka_unit_test(a_graph_without_edges_is_a_graph),
        cmocka_unit_test(points_are_told_from_edges),
        cmocka_unit_test(lines_of_numbers_are_no_points),
        cmocka_unit_test(an_edge_index_counts_more_than_a_format),
        cmocka_unit_test(one_mask_is_a_split),
        cmocka_unit_test(numbers_that_are_names_follow_the_table_of_a_folder),
        cmocka_unit_test(rows_of_nodes_keep_the_numbers_of_nodes),
        cmocka_unit_test(long_arrays_of_edges_are_read_whole),
        cmocka_unit_test(a_pipe_is_read_as_a_file_is),
        cmocka_unit_test(many_nodes_without_edges_are_read_where_each_has_a_class),
        cmocka_unit_test(members_that_do_not_fit_each_other_are_refused),
        cmocka_unit_test(ids_that_are_no_nodes_are_refused),
        cmocka_unit_test(nodes_that_no_data_stands_behind_are_refused),
        cmocka_unit_test(overlapping_masks_are_refused),
        cmocka_unit_test(files_that_are_no_whole_archives_are_refused),
        cmocka_unit_test(a_member_may_stand_once),
        cmocka_unit_test(edges_lie_in_two_rows_or_two_columns),
        cmocka_unit_test(members_that_lie_outside_the_file_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
