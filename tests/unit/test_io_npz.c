/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph_numbers.h"
#include "io_scratch.h"
#include "numpy_arrays.h"

/* ---- a zip of arrays, made by hand ---- */

typedef struct {
    unsigned char bytes[1 << 17];
    size_t used;
    unsigned char directory[2048];
    size_t directory_used;
    int members;
} arrays;

static void put(arrays *zip, uint64_t value, int bytes) {
    for (int k = 0; k < bytes; k++)
        zip->bytes[zip->used++] = (unsigned char)(value >> 8 * k);
}

static uint32_t crc_of(const unsigned char *data, size_t size) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (0xedb88320u & (0 - (crc & 1)));
    }
    return ~crc;
}

/* One stored member "NAME.npy". */
static void add(arrays *zip, const char *name, const char *descr, const char *shape,
                const void *data, size_t size) {
    static unsigned char file[1 << 15];
    memset(file, 0, sizeof file);
    char header[256];
    int length = snprintf(header, sizeof header,
                          "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape);
    memcpy(file, "\x93NUMPY\1\0", 8);
    file[8] = (unsigned char)length;
    memcpy(file + 10, header, (size_t)length);
    memcpy(file + 10 + length, data, size);
    size_t total = 10 + (size_t)length + size, start = zip->used;
    put(zip, 0x04034b50, 4);
    put(zip, 20, 2);
    put(zip, 0, 8);
    put(zip, crc_of(file, total), 4);
    put(zip, total, 4);
    put(zip, total, 4);
    put(zip, strlen(name) + 4, 2);
    put(zip, 0, 2);
    unsigned char *entry = zip->directory + zip->directory_used;
    memcpy(entry, "PK\1\2\24\0", 6);
    memcpy(entry + 6, zip->bytes + start + 4, 26); /* version to the length of the extra field */
    for (int k = 0; k < 4; k++)
        entry[42 + k] = (unsigned char)(start >> 8 * k);
    zip->directory_used += 46 + (size_t)sprintf((char *)entry + 46, "%s.npy", name);
    zip->members++;
    zip->used += (size_t)sprintf((char *)zip->bytes + zip->used, "%s.npy", name);
    memcpy(zip->bytes + zip->used, file, total);
    zip->used += total;
}

static const char *save(arrays *zip, const char *name) {
    size_t start = zip->used;
    memcpy(zip->bytes + start, zip->directory, zip->directory_used);
    zip->used += zip->directory_used;
    put(zip, 0x06054b50, 4);
    put(zip, 0, 4);
    put(zip, (uint64_t)zip->members, 2);
    put(zip, (uint64_t)zip->members, 2);
    put(zip, zip->directory_used, 4);
    put(zip, start, 4);
    put(zip, 0, 2);
    return scratch_bytes(name, zip->bytes, zip->used);
}

static const int64_t path_index[] = {0, 1, 1,
                                     2}; /* 0 - 1, 1 - 2 as (2, 2): sources 0 1, targets 1 2 */

static arrays with_path(void) {
    arrays zip = {.used = 0};
    add(&zip, "edge_index", "<i8", "(2, 2)", path_index, sizeof path_index);
    return zip;
}

/* ---- reading ---- */

static void expect_path(const dgm_graph *graph, int64_t nodes) {
    assert_int_equal(dgm_graph_nodes(graph), nodes);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const uint32_t targets[] = {1, 0, 2, 1, 3, 2};
    assert_int_equal(rows.entries, 6);
    assert_memory_equal(rows.targets, targets, sizeof targets);
}

static void expect_all(const dgm_graph *graph) {
    const int32_t labels[] = {0, 1, 1, 2, -1};
    const uint8_t splits[] = {DGM_SPLIT_TRAIN, DGM_SPLIT_VALIDATION, DGM_SPLIT_TEST, DGM_SPLIT_TEST,
                              DGM_SPLIT_NONE};
    const double weights[] = {0.5, 0.5, 2, 2, 1.25, 1.25};
    expect_path(graph, 5);
    assert_memory_equal(dgm_graph_get_rows(graph).weights, weights, sizeof weights);
    assert_memory_equal(dgm_graph_labels(graph), labels, sizeof labels);
    assert_memory_equal(dgm_graph_splits(graph), splits, sizeof splits);
    dgm_graph_features features = dgm_graph_get_features(graph);
    assert_int_equal(features.width, 3);
    assert_null(features.columns);
    for (int i = 0; i < 15; i++)
        assert_true(features.values[i] == (float)i);
}

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

/* ---- sparse matrices as SciPy saves them ---- */

/* 0 - 1, 1 - 2 of weights 2 and 3, in both directions, with int32 indices. */
static const int32_t row_of[] = {0, 1, 1, 2}, column_of[] = {1, 0, 2, 1}, starts[] = {0, 1, 3, 4};
static const double values[] = {2, 2, 3, 3};
static const int64_t three[] = {3, 3};

static void expect_matrix(const dgm_graph *graph, bool weighted) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const uint32_t targets[] = {1, 0, 2, 1};
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_int_equal(rows.entries, 4);
    assert_memory_equal(rows.targets, targets, sizeof targets);
    assert_int_equal(rows.weights != NULL, weighted);
    if (weighted)
        assert_memory_equal(rows.weights, values, sizeof values);
    assert_string_equal(scratch_notes, "");
}

/* The order of members is SciPy's, or turned round. */
static arrays sparse(const char *format, const char *type, bool last_first) {
    arrays zip = {.used = 0};
    bool coo = strcmp(format, "coo") == 0;
    for (int k = 0; k < 5; k++)
        switch (last_first ? 4 - k : k) {
        case 0:
            add(&zip, coo ? "row" : "indices", "<i4", "(4,)", coo ? row_of : column_of, 16);
            break;
        case 1:
            add(&zip, coo ? "col" : "indptr", "<i4", "(4,)", coo ? column_of : starts, 16);
            break;
        case 2:
            add(&zip, "format", type, "()", type[1] == 'U' ? "c\0\0\0s\0\0\0r\0\0" : format,
                type[1] == 'U' ? 12 : 3);
            break;
        case 3:
            add(&zip, "shape", "<i8", "(2,)", three, 16);
            break;
        default:
            add(&zip, "data", "<f8", "(4,)", values, sizeof values);
        }
    return zip;
}

static void sparse_matrices_are_read_in_three_formats_and_any_order(void **state) {
    (void)state;
    static const char *const formats[] = {"csr", "csc", "coo"};
    for (int k = 0; k < 6; k++) {
        arrays zip = sparse(formats[k % 3], "|S3", k >= 3);
        dgm_graph *graph = scratch_read(save(&zip, "m.npz"));
        expect_matrix(graph, true);
        dgm_graph_free(graph);
    }
    arrays text = sparse("csr", "<U3", false);
    add(&text, "_is_array", "|b1", "()", "\1", 1);
    dgm_graph *graph = scratch_read(save(&text, "m.npz"));
    expect_matrix(graph, true);
    dgm_graph_free(graph);
}

static void entry_i_j_leads_from_i_to_j(void **state) {
    (void)state;
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = true};
    const int32_t index[] = {2, 0}, begins[] = {0, 1, 2, 2};
    static const char *const formats[] = {"csr", "csc"};
    for (int k = 0; k < 2; k++) { /* csr: 0 to 2, 1 to 0; csc: 2 to 0, 0 to 1 */
        arrays zip = {.used = 0};
        add(&zip, "indices", "<i4", "(2,)", index, 8);
        add(&zip, "indptr", "<i4", "(4,)", begins, 16);
        add(&zip, "format", "|S3", "()", formats[k], 3);
        add(&zip, "shape", "<i8", "(2,)", three, 16);
        dgm_graph *graph = scratch_read_with(save(&zip, "d.npz"), &options, NULL);
        dgm_graph_rows rows = dgm_graph_get_rows(graph);
        assert_int_equal(rows.entries, 2);
        assert_int_equal(rows.targets[0], k ? 1 : 2);
        assert_int_equal(rows.targets[1], 0);
        assert_int_equal(rows.offsets[2], k ? 1 : 2);
        dgm_graph_free(graph);
    }
}

static arrays pattern(const char *data) {
    arrays zip = {.used = 0};
    add(&zip, "row", "<i4", "(4,)", row_of, 16);
    add(&zip, "col", "<i4", "(4,)", column_of, 16);
    add(&zip, "format", "|S3", "()", "coo", 3);
    add(&zip, "shape", "<i8", "(2,)", three, 16);
    add(&zip, "data", "|b1", "(4,)", data, 4);
    return zip;
}

static void booleans_are_no_weights_unless_one_is_false(void **state) {
    (void)state;
    arrays zip = pattern("\1\1\1\1");
    dgm_graph *graph = scratch_read(save(&zip, "p.npz"));
    expect_matrix(graph, false);
    dgm_graph_free(graph);
    zip = pattern("\1\1\0\0"); /* as Matrix Market: a stored zero is an edge that weighs nothing */
    graph = scratch_read(save(&zip, "p.npz"));
    const double weights[] = {1, 1, 0, 0};
    assert_memory_equal(dgm_graph_get_rows(graph).weights, weights, sizeof weights);
    dgm_graph_free(graph);
}

static void matrices_that_are_no_graphs_are_refused(void **state) {
    (void)state;
    const int64_t wide[] = {3, 4};
    const int32_t beyond[] = {1, 0, 3, 1}, falling[] = {0, 3, 1, 4}, few[] = {0, 1, 3, 3};
    const struct {
        const char *member, *descr, *shape;
        const void *data;
        size_t size;
        const char *words;
    } cases[] = {
        {"shape", "<i8", "(2,)", wide, 16, "a matrix of 3 x 4; a graph is a square matrix"},
        {"format", "|S3", "()", "dia", 3, "in the format \"dia\"; save it as csr, csc or coo"},
        {"indices", "<i4", "(4,)", beyond, 16, "the number 3 lies outside a matrix of 3 x 3"},
        {"indices", "<i4", "(3,)", beyond, 12, "3 entries, but indptr counts 4"},
        {"indptr", "<i4", "(4,)", falling, 16, "row 1 ends before it begins"},
        {"indptr", "<i4", "(4,)", few, 16, "4 entries, but indptr counts 3"},
        {"indptr", "<i4", "(3,)", few, 12,
         "indptr has 3 numbers; a matrix of 3 rows needs one more"},
        {"data", "<f8", "(3,)", values, 24, "data: 3 numbers for 4 entries"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        arrays zip = {.used = 0};
#define MEMBER(name, type, extent, values_of, bytes)                                               \
    if (strcmp(cases[k].member, name) == 0)                                                        \
        add(&zip, name, cases[k].descr, cases[k].shape, cases[k].data, cases[k].size);             \
    else                                                                                           \
        add(&zip, name, type, extent, values_of, bytes)
        MEMBER("indices", "<i4", "(4,)", column_of, 16);
        MEMBER("indptr", "<i4", "(4,)", starts, 16);
        MEMBER("format", "|S3", "()", "csr", 3);
        MEMBER("shape", "<i8", "(2,)", three, 16);
        MEMBER("data", "<f8", "(4,)", values, 32);
        dgm_graph *graph;
        const char *path = save(&zip, "bad.npz");
        assert_int_not_equal(dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, NULL, NULL, &graph),
                             DGM_OK);
        if (!strstr(dgm_context_error(ctx), cases[k].words))
            fail_msg("\"%s\" is not in \"%s\"", cases[k].words, dgm_context_error(ctx));
    }
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

/* ---- writing ---- */

static void what_is_written_is_read_back(void **state) {
    (void)state;
    dgm_graph *graph = scratch_read(scratch_bytes("g.npz", graph_stored, sizeof graph_stored));
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("w.npz"), DGM_FORMAT_AUTO), DGM_OK);
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("w.npz.gz"), DGM_FORMAT_AUTO),
                     DGM_OK);
    scratch_notes[0] = '\0';
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("w.npy"), DGM_FORMAT_AUTO), DGM_OK);
    assert_non_null(strstr(scratch_notes, "an edge_index alone holds no weights"));
    dgm_graph_free(graph);
    graph = scratch_read(scratch_path("w.npz"));
    expect_all(graph);
    assert_string_equal(scratch_notes, "");
    dgm_graph_free(graph);
    graph = scratch_read(scratch_path("w.npz.gz"));
    expect_all(graph);
    dgm_graph_free(graph);
    graph = scratch_read(scratch_path("w.npy"));
    expect_path(graph, 4);
    dgm_graph_free(graph);
}

/* Rows of two, none, three and one entry in columns 0 to 4, written as they are and as ones. */
static void sparse_features_come_back_cell_by_cell(void **state) {
    (void)state;
    enum { NODES = 4, WIDTH = 5 };
    static const int64_t offsets[] = {0, 2, 2, 5, 6};
    static const uint32_t columns[] = {1, 4, 0, 2, 3, 4};
    static const float entries[] = {0.5F, -2, 3, 1e-30F, 7, 8.25F};
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3};
    for (int ones = 0; ones < 2; ones++) {
        const dgm_graph_features sparse_rows = {WIDTH, offsets, columns, ones ? NULL : entries};
        float expected[NODES * WIDTH] = {0};
        for (int u = 0; u < NODES; u++)
            for (int64_t i = offsets[u]; i < offsets[u + 1]; i++)
                expected[u * WIDTH + (int)columns[i]] = ones ? 1 : entries[i];
        dgm_graph_builder *builder;
        dgm_graph *graph;
        assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
        assert_int_equal(dgm_graph_builder_add(builder, 3, ends, NULL), DGM_OK);
        assert_int_equal(dgm_graph_builder_set_features(builder, NODES, &sparse_rows), DGM_OK);
        assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
        assert_non_null(dgm_graph_get_features(graph).columns);
        assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("x.npz"), DGM_FORMAT_AUTO),
                         DGM_OK);
        dgm_graph_free(graph);
        graph = scratch_read(scratch_path("x.npz"));
        dgm_graph_features back = dgm_graph_get_features(graph);
        float cells[NODES * WIDTH] = {0};
        assert_int_equal(back.width, WIDTH);
        for (int u = 0; u < NODES && back.columns; u++)
            for (int64_t i = back.offsets[u]; i < back.offsets[u + 1]; i++)
                cells[u * WIDTH + (int)back.columns[i]] = back.values ? back.values[i] : 1;
        if (!back.columns)
            memcpy(cells, back.values, sizeof cells);
        assert_memory_equal(cells, expected, sizeof cells);
        dgm_graph_free(graph);
    }
}

static void directions_and_loops_are_kept(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 2, 2, 3, 0};
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 3, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("d.npz"), DGM_FORMAT_AUTO), DGM_OK);
    dgm_graph *back = scratch_read_with(scratch_path("d.npz"), &options, NULL);
    dgm_graph_rows a = dgm_graph_get_rows(graph), b = dgm_graph_get_rows(back);
    assert_int_equal(b.entries, 3);
    assert_memory_equal(a.offsets, b.offsets, 5 * sizeof *a.offsets);
    assert_memory_equal(a.targets, b.targets, 3 * sizeof *a.targets);
    dgm_graph_free(graph);
    dgm_graph_free(back);
}

static void the_same_graph_gives_the_same_bytes(void **state) {
    (void)state;
    size_t sizes[2];
    char *bytes[2];
    for (int i = 0; i < 2; i++) {
        dgm_graph *graph =
            scratch_read(scratch_bytes("g.npz", graph_deflated, sizeof graph_deflated));
        assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("s.npz"), DGM_FORMAT_AUTO),
                         DGM_OK);
        bytes[i] = scratch_content(scratch_path("s.npz"), &sizes[i]);
        dgm_graph_free(graph);
        setenv("TZ", i ? "UTC" : "Asia/Tokyo", 1);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static dgm_status write_all(void *graph) {
    return dgm_graph_write(ctx, graph, scratch_path("f.npz"), DGM_FORMAT_AUTO);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char path[512];
    strcpy(path, scratch_bytes("f.npz", graph_deflated, sizeof graph_deflated));
    scratch_fail_each(scratch_read_and_free, path);
    dgm_graph *graph = scratch_read(path);
    scratch_fail_each(write_all, graph);
    dgm_graph_free(graph);
    arrays matrix = sparse("coo", "|S3", true);
    strcpy(path, save(&matrix, "f.npz"));
    scratch_fail_each(scratch_read_and_free, path);
    strcpy(path, scratch_bytes("f.npy", edge_index_alone, sizeof edge_index_alone));
    scratch_fail_each(scratch_read_and_free, path);
}

/* ---- what files may hold, and what they may not ---- */

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
    zip = sparse("csr", "|S3", false);
    add(&zip, "indices", "<i4", "(4,)", column_of, 16);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, "indices: stands twice in the file");
    zip = sparse("coo", "|S3", false);
    add(&zip, "col", "<i4", "(4,)", column_of, 16);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, "col: stands twice in the file");
    zip = sparse("csc", "|S3", false);
    add(&zip, "data", "<f8", "(4,)", values, 32);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, "data: stands twice in the file");
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
    dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
    assert_int_equal(dgm_graph_nodes(graph), 0);
    dgm_graph_free(graph);
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

static void sparse_matrices_that_lack_something_are_refused(void **state) {
    (void)state;
    const int32_t beyond[] = {0, 1, 1, 3};
    arrays zip = {.used = 0};
    add(&zip, "format", "|S3", "()", "csr", 3);
    add(&zip, "indptr", "<i4", "(4,)", starts, 16);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, "needs format and shape");
    zip = (arrays){.used = 0};
    add(&zip, "format", "|S3", "()", "csr", 3);
    add(&zip, "indptr", "<i4", "(4,)", starts, 16);
    add(&zip, "shape", "<i8", "(2,)", three, 16);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT,
                    "a sparse matrix in the format csr needs indices and indptr");
    zip = (arrays){.used = 0};
    add(&zip, "format", "|S3", "()", "coo", 3);
    add(&zip, "row", "<i4", "(4,)", row_of, 16);
    add(&zip, "shape", "<i8", "(2,)", three, 16);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT,
                    "a sparse matrix in the format coo needs row and col");
    zip = (arrays){.used = 0};
    add(&zip, "format", "|S3", "()", "coo", 3);
    add(&zip, "col", "<i4", "(4,)", column_of, 16);
    add(&zip, "shape", "<i8", "(2,)", three, 16);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_DATA, "col: 4 numbers for 0 entries");
    zip = (arrays){.used = 0};
    add(&zip, "format", "|S3", "()", "csr", 3);
    add(&zip, "shape", "<i8", "(3,)", (int64_t[]){3, 3, 3}, 24);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, "shape: two numbers are needed");
    for (int k = 0; k < 2; k++) {
        zip = (arrays){.used = 0};
        add(&zip, "format", "|S3", "()", "coo", 3);
        add(&zip, "row", "<i4", "(4,)", k ? beyond : row_of, 16);
        add(&zip, "col", "<i4", "(4,)", k ? column_of : beyond, 16);
        add(&zip, "shape", "<i8", "(2,)", three, 16);
        scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_DATA,
                        k ? "row: the number 3 lies outside a matrix of 3 x 3"
                          : "col: the number 3 lies outside a matrix of 3 x 3");
    }
}

static void the_format_of_a_matrix_is_one_word(void **state) {
    (void)state;
    static const struct {
        const char *descr, *shape, *data;
        size_t size;
        const char *words;
    } cases[] = {
        {"<i8", "()", "\3\0\0\0\0\0\0", 8, "format: one short text is needed"},
        {"|S3", "(2,)", "csrcsc", 6, "format: one short text is needed"},
        {"|S40", "()", "csr", 3, "the array holds strings"},
        {"|S-3", "()", "csr", 3, "the array holds strings"},
        {"|Sx", "()", "csr", 3, "the array holds strings"},
        {"S3", "()", "csr", 3, "the array holds strings"},
        {"|S0", "()", "", 0, "in the format \"\"; save it as csr, csc or coo"},
        {"|S3", "()", "cs", 2, "is cut off"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        arrays zip = {.used = 0};
        add(&zip, "format", cases[k].descr, cases[k].shape, cases[k].data, cases[k].size);
        scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, cases[k].words);
    }
    arrays zip = {.used = 0}; /* on a machine that counts bytes from the other end */
    add(&zip, "format", ">U3", "()", "\0\0\0c\0\0\0s\0\0\0r", 12);
    add(&zip, "indices", "<i4", "(4,)", column_of, 16);
    add(&zip, "indptr", "<i4", "(4,)", starts, 16);
    add(&zip, "shape", ">i4", "(2,)", "\0\0\0\3\0\0\0\3", 8);
    add(&zip, "data", "<f8", "(4,)", values, 32);
    dgm_graph *graph = scratch_read(save(&zip, "m.npz"));
    expect_matrix(graph, true);
    dgm_graph_free(graph);
}

static void members_of_other_formats_are_passed_over_and_labels_may_stand_beside(void **state) {
    (void)state;
    const int64_t labels[] = {1, 0, 1};
    arrays zip = sparse("csr", "|S3", false);
    add(&zip, "row", "<i4", "(1,)", row_of, 4);
    add(&zip, "col", "<i4", "(1,)", row_of, 4);
    add(&zip, "y", "<i8", "(3,)", labels, sizeof labels);
    dgm_graph *graph = scratch_read(save(&zip, "m.npz"));
    expect_matrix(graph, true);
    assert_int_equal(dgm_graph_labels(graph)[0], 1);
    dgm_graph_free(graph);
    zip = sparse("coo", "|S3", false);
    add(&zip, "indices", "<i4", "(1,)", row_of, 4);
    add(&zip, "more", "<i4", "(1,)", row_of, 4);
    graph = scratch_read(save(&zip, "m.npz"));
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_non_null(strstr(scratch_notes, "not used: more"));
    dgm_graph_free(graph);
}

/* Node 0 is joined to 1 ... 5000, in more entries than are handed on at a time. */
static void large_rows_are_read_whole(void **state) {
    (void)state;
    enum { LEAVES = 5000 };
    static arrays zip;
    static uint16_t leaves[LEAVES];
    static uint16_t ends[LEAVES + 2];
    const int64_t shape[] = {LEAVES + 1, LEAVES + 1};
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    for (int k = 0; k < LEAVES; k++)
        leaves[k] = (uint16_t)(k + 1);
    for (int k = 1; k < LEAVES + 2; k++)
        ends[k] = LEAVES;
    for (int csc = 0; csc < 2; csc++) {
        zip = (arrays){.used = 0};
        add(&zip, "format", "|S3", "()", csc ? "csc" : "csr", 3);
        add(&zip, "shape", "<i8", "(2,)", shape, 16);
        add(&zip, "indices", "<u2", "(5000,)", leaves, sizeof leaves);
        add(&zip, "indptr", "<u2", "(5002,)", ends, sizeof ends);
        dgm_graph *graph = scratch_read_with(save(&zip, "m.npz"), &directed, NULL);
        dgm_graph_rows rows = dgm_graph_get_rows(graph);
        assert_int_equal(rows.entries, LEAVES);
        assert_int_equal(rows.offsets[1], csc ? 0 : LEAVES);
        for (int k = 0; k < LEAVES; k++)
            assert_int_equal(rows.targets[k], csc ? 0 : k + 1);
        dgm_graph_free(graph);
    }
}

/* Booleans in more than one block, one of them false: the edges of the others weigh 1. */
static void one_boolean_that_is_false_makes_weights_of_all(void **state) {
    (void)state;
    enum { SIDE = 150, ENTRIES = SIDE * SIDE };
    static arrays zip;
    static uint8_t rows[ENTRIES], columns[ENTRIES], flags[ENTRIES];
    const int64_t shape[] = {SIDE, SIDE};
    const int odd[] = {1, ENTRIES - 2};
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < ENTRIES; i++) {
            rows[i] = (uint8_t)(i / SIDE);
            columns[i] = (uint8_t)(i % SIDE);
            flags[i] = i != odd[k];
        }
        zip = (arrays){.used = 0};
        add(&zip, "format", "|S3", "()", "coo", 3);
        add(&zip, "shape", "<i8", "(2,)", shape, 16);
        add(&zip, "row", "|u1", "(22500,)", rows, ENTRIES);
        add(&zip, "col", "|u1", "(22500,)", columns, ENTRIES);
        add(&zip, "data", "|b1", "(22500,)", flags, ENTRIES);
        dgm_graph *graph = scratch_read_with(save(&zip, "b.npz"), &options, NULL);
        dgm_graph_rows found = dgm_graph_get_rows(graph);
        assert_int_equal(found.entries, ENTRIES);
        for (int i = 0; i < ENTRIES; i++)
            assert_true(found.weights[i] == flags[i]);
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

static void members_that_lie_outside_the_file_are_refused(void **state) {
    (void)state;
    arrays zip = with_path();
    memcpy(zip.directory + 42, "\xff\xff\xff\x7f", 4);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, "not a whole .npz");
}

/* What an .npy of a graph cannot hold is said. */
static void an_array_of_edges_says_what_it_leaves_out(void **state) {
    (void)state;
    static const struct {
        const char *json, *words;
    } cases[] = {
        {"{\"nodes\":[{\"id\":0},{\"id\":1}],\"links\":[{\"source\":0,\"target\":1}]}", ""},
        {"{\"nodes\":[{\"id\":0},{\"id\":1},{\"id\":2}],\"links\":[{\"source\":0,\"target\":1}]}",
         "nor nodes without edges"},
        {"{\"nodes\":[{\"id\":0},{\"id\":1}],\"links\":[{\"source\":0,\"target\":1,\"weight\":2}]}",
         "holds no weights"},
        {"{\"nodes\":[{\"id\":0,\"age\":3},{\"id\":1}],\"links\":[{\"source\":0,\"target\":1}]}",
         "hold no node attributes: 1 are left out"},
        {"{\"nodes\":[{\"id\":\"a\"},{\"id\":\"b\"}],\"links\":[{\"source\":\"a\",\"target\":"
         "\"b\"}]}",
         "names are not kept"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dgm_graph *graph = scratch_read(scratch_text("g.json", cases[k].json));
        scratch_notes[0] = '\0';
        assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("g.npy"), DGM_FORMAT_AUTO),
                         DGM_OK);
        if (cases[k].words[0] ? !strstr(scratch_notes, cases[k].words) : scratch_notes[0])
            fail_msg("case %zu: %s", k, scratch_notes);
        dgm_graph_free(graph);
    }
    const int64_t labels[] = {1, 0, 1};
    const uint8_t mask[] = {1, 0, 0};
    static const char *const members[] = {"x", "y", "train_mask"};
    for (int k = 0; k < 3; k++) {
        arrays zip = with_path();
        add(&zip, members[k], k < 2 ? "<i8" : "|b1", "(3,)", k < 2 ? (const void *)labels : mask,
            k < 2 ? 24 : 3);
        dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
        assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("g.npy"), DGM_FORMAT_AUTO),
                         DGM_OK);
        assert_non_null(strstr(scratch_notes, "an edge_index alone holds no weights, features"));
        dgm_graph_free(graph);
    }
}

/* The last node has arcs out, and none in: it is in the array. */
static void an_array_of_arcs_holds_nodes_with_arcs_out_alone(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph = scratch_read_with(scratch_text("g.txt", "3 0\n1 0\n2 1\n"), &directed, NULL);
    scratch_notes[0] = '\0';
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path("g.npy"), DGM_FORMAT_AUTO), DGM_OK);
    assert_string_equal(scratch_notes, "");
    dgm_graph_free(graph);
    graph = scratch_read_with(scratch_path("g.npy"), &directed, NULL);
    assert_int_equal(dgm_graph_nodes(graph), 4);
    dgm_graph_free(graph);
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

/* The end of a zip says how many members it has; readers that start there rely on it. */
static void the_end_of_the_zip_counts_its_members(void **state) {
    (void)state;
    arrays zip = with_path();
    dgm_graph *graph = scratch_read(save(&zip, "g.npz"));
    const char *path = scratch_path("w.npz");
    assert_int_equal(dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO), DGM_OK);
    static unsigned char bytes[1 << 14];
    FILE *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file), entries = 0, end = 0;
    fclose(file);
    for (size_t i = 0; i + 4 <= size; i++) {
        entries += memcmp(bytes + i, "PK\1\2", 4) == 0;
        end = memcmp(bytes + i, "PK\6\6", 4) == 0 ? i : end; /* the one of 64 bits */
    }
    assert_true(entries > 0 && end > 0);
    for (int which = 0; which < 2; which++) { /* on this disk, and in all */
        uint64_t said = 0;
        for (int k = 7; k >= 0; k--)
            said = said << 8 | bytes[end + 24 + 8 * (size_t)which + (size_t)k];
        assert_int_equal(said, entries);
    }
    dgm_graph_free(graph);
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
        cmocka_unit_test(members_that_do_not_fit_each_other_are_refused),
        cmocka_unit_test(ids_that_are_no_nodes_are_refused),
        cmocka_unit_test(nodes_that_no_data_stands_behind_are_refused),
        cmocka_unit_test(overlapping_masks_are_refused),
        cmocka_unit_test(files_that_are_no_whole_archives_are_refused),
        cmocka_unit_test(sparse_matrices_are_read_in_three_formats_and_any_order),
        cmocka_unit_test(entry_i_j_leads_from_i_to_j),
        cmocka_unit_test(booleans_are_no_weights_unless_one_is_false),
        cmocka_unit_test(matrices_that_are_no_graphs_are_refused),
        cmocka_unit_test(points_are_told_from_edges),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(sparse_features_come_back_cell_by_cell),
        cmocka_unit_test(directions_and_loops_are_kept),
        cmocka_unit_test(the_same_graph_gives_the_same_bytes),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_member_may_stand_once),
        cmocka_unit_test(edges_lie_in_two_rows_or_two_columns),
        cmocka_unit_test(an_edge_index_counts_more_than_a_format),
        cmocka_unit_test(one_mask_is_a_split),
        cmocka_unit_test(rows_of_nodes_keep_the_numbers_of_nodes),
        cmocka_unit_test(sparse_matrices_that_lack_something_are_refused),
        cmocka_unit_test(the_format_of_a_matrix_is_one_word),
        cmocka_unit_test(members_of_other_formats_are_passed_over_and_labels_may_stand_beside),
        cmocka_unit_test(large_rows_are_read_whole),
        cmocka_unit_test(one_boolean_that_is_false_makes_weights_of_all),
        cmocka_unit_test(long_arrays_of_edges_are_read_whole),
        cmocka_unit_test(lines_of_numbers_are_no_points),
        cmocka_unit_test(members_that_lie_outside_the_file_are_refused),
        cmocka_unit_test(an_array_of_edges_says_what_it_leaves_out),
        cmocka_unit_test(an_array_of_arcs_holds_nodes_with_arcs_out_alone),
        cmocka_unit_test(a_pipe_is_read_as_a_file_is),
        cmocka_unit_test(many_nodes_without_edges_are_read_where_each_has_a_class),
        cmocka_unit_test(the_end_of_the_zip_counts_its_members),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
