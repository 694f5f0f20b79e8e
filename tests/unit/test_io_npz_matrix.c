/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse matrices as SciPy saves them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"
#include "npz_sample.h"

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

enum { SIDE = 150, ENTRIES = SIDE * SIDE };
static uint8_t flags[ENTRIES];

/* A full matrix of booleans in more than one block, all of them true but one. */
static const char *save_booleans(int odd) {
    static arrays zip;
    static uint8_t rows[ENTRIES], columns[ENTRIES];
    const int64_t shape[] = {SIDE, SIDE};
    for (int i = 0; i < ENTRIES; i++) {
        rows[i] = (uint8_t)(i / SIDE);
        columns[i] = (uint8_t)(i % SIDE);
        flags[i] = i != odd;
    }
    zip = (arrays){.used = 0};
    add(&zip, "format", "|S3", "()", "coo", 3);
    add(&zip, "shape", "<i8", "(2,)", shape, 16);
    add(&zip, "row", "|u1", "(22500,)", rows, ENTRIES);
    add(&zip, "col", "|u1", "(22500,)", columns, ENTRIES);
    add(&zip, "data", "|b1", "(22500,)", flags, ENTRIES);
    return save(&zip, "b.npz");
}

/* The edges of the others weigh 1. */
static void one_boolean_that_is_false_makes_weights_of_all(void **state) {
    (void)state;
    const int odd[] = {1, ENTRIES - 2};
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true};
    for (int k = 0; k < 2; k++) {
        dgm_graph *graph = scratch_read_with(save_booleans(odd[k]), &options, NULL);
        dgm_graph_rows found = dgm_graph_get_rows(graph);
        assert_int_equal(found.entries, ENTRIES);
        for (int i = 0; i < ENTRIES; i++)
            assert_true(found.weights[i] == flags[i]);
        dgm_graph_free(graph);
    }
}

enum { LEAVES = 5000 };

/* Node 0 is joined to 1 ... 5000, in more entries than are handed on at a time. */
static const char *save_star(const char *format) {
    static arrays zip;
    static uint16_t leaves[LEAVES];
    static uint16_t ends[LEAVES + 2];
    const int64_t shape[] = {LEAVES + 1, LEAVES + 1};
    for (int k = 0; k < LEAVES; k++)
        leaves[k] = (uint16_t)(k + 1);
    for (int k = 1; k < LEAVES + 2; k++)
        ends[k] = LEAVES;
    zip = (arrays){.used = 0};
    add(&zip, "format", "|S3", "()", format, 3);
    add(&zip, "shape", "<i8", "(2,)", shape, 16);
    add(&zip, "indices", "<u2", "(5000,)", leaves, sizeof leaves);
    add(&zip, "indptr", "<u2", "(5002,)", ends, sizeof ends);
    return save(&zip, "m.npz");
}

static void large_rows_are_read_whole(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    for (int csc = 0; csc < 2; csc++) {
        dgm_graph *graph = scratch_read_with(save_star(csc ? "csc" : "csr"), &directed, NULL);
        dgm_graph_rows rows = dgm_graph_get_rows(graph);
        assert_int_equal(rows.entries, LEAVES);
        assert_int_equal(rows.offsets[1], csc ? 0 : LEAVES);
        for (int k = 0; k < LEAVES; k++)
            assert_int_equal(rows.targets[k], csc ? 0 : k + 1);
        dgm_graph_free(graph);
    }
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

static void matrices_that_are_no_graphs_are_refused(void **state) {
    (void)state;
    const int64_t wide[] = {3, 4};
    const int32_t beyond[] = {1, 0, 3, 1}, falling[] = {0, 3, 1, 4}, few[] = {0, 1, 3, 3},
                  late[] = {1, 2, 3, 4};
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
        {"indptr", "<i4", "(4,)", late, 16, "the first row must begin at 0"},
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

static void a_part_of_a_matrix_may_stand_once(void **state) {
    (void)state;
    arrays zip = sparse("csr", "|S3", false);
    add(&zip, "indices", "<i4", "(4,)", column_of, 16);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, "indices: stands twice in the file");
    zip = sparse("coo", "|S3", false);
    add(&zip, "col", "<i4", "(4,)", column_of, 16);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, "col: stands twice in the file");
    zip = sparse("csc", "|S3", false);
    add(&zip, "data", "<f8", "(4,)", values, 32);
    scratch_refuses(save(&zip, "bad.npz"), DGM_ERROR_FORMAT, "data: stands twice in the file");
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char path[512];
    arrays matrix = sparse("coo", "|S3", true);
    strcpy(path, save(&matrix, "f.npz"));
    scratch_fail_each(scratch_read_and_free, path);
    strcpy(path, save_star("csr"));
    scratch_fail_each(scratch_read_and_free, path);
    strcpy(path, save_booleans(ENTRIES - 2));
    scratch_fail_each(scratch_read_and_free, path);
}

/* No rows are one start, and none is missing. */
static void a_matrix_without_rows_is_a_graph_without_nodes(void **state) {
    (void)state;
    const int64_t none[] = {0, 0};
    for (int starts_there = 1; starts_there >= 0; starts_there--) {
        arrays zip = {.used = 0};
        add(&zip, "indices", "<i4", "(0,)", "", 0);
        add(&zip, "indptr", "<i4", starts_there ? "(1,)" : "(0,)", none, starts_there ? 4 : 0);
        add(&zip, "format", "|S3", "()", "csr", 3);
        add(&zip, "shape", "<i8", "(2,)", none, 16);
        add(&zip, "data", "<f8", "(0,)", "", 0);
        const char *path = save(&zip, "none.npz");
        if (starts_there) {
            dgm_graph *graph = scratch_read(path);
            assert_int_equal(dgm_graph_nodes(graph), 0);
            dgm_graph_free(graph);
        } else {
            scratch_refuses(path, DGM_ERROR_DATA, "indptr: the first row must begin at 0");
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_matrices_are_read_in_three_formats_and_any_order),
        cmocka_unit_test(entry_i_j_leads_from_i_to_j),
        cmocka_unit_test(booleans_are_no_weights_unless_one_is_false),
        cmocka_unit_test(one_boolean_that_is_false_makes_weights_of_all),
        cmocka_unit_test(large_rows_are_read_whole),
        cmocka_unit_test(members_of_other_formats_are_passed_over_and_labels_may_stand_beside),
        cmocka_unit_test(matrices_that_are_no_graphs_are_refused),
        cmocka_unit_test(sparse_matrices_that_lack_something_are_refused),
        cmocka_unit_test(the_format_of_a_matrix_is_one_word),
        cmocka_unit_test(a_part_of_a_matrix_may_stand_once),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_matrix_without_rows_is_a_graph_without_nodes),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
