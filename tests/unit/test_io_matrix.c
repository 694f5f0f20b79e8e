/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"
#include "numpy_arrays.h"

static dgm_graph *named;    /* ana - bob - "cy, jr" */
static dgm_graph *numbered; /* 0 - 1 - 2 */
static dgm_graph *from_one; /* 1 - 2 - 3 */

static dgm_graph *path_of_three(const char *const *names, int64_t base) {
    uint32_t ends[] = {0, 1, 1, 2};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (uint32_t i = 0; names && i < 3; i++)
        assert_int_equal(
            dgm_graph_builder_node(builder, names[i], strlen(names[i]), &(uint32_t){0}), DGM_OK);
    dgm_graph_builder_set_name_base(builder, base);
    assert_int_equal(dgm_graph_builder_add(builder, 2, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static int begin(void **state) {
    static const char *const names[] = {"ana", "bob", "cy, jr"};
    if (scratch_begin(state) != 0)
        return 1;
    named = path_of_three(names, 0);
    numbered = path_of_three(NULL, 0);
    from_one = path_of_three(NULL, 1);
    return 0;
}

static int end(void **state) {
    dgm_graph_free(named);
    dgm_graph_free(numbered);
    dgm_graph_free(from_one);
    return scratch_end(state);
}

static dgm_matrix *read_matrix(const char *path, const dgm_graph *graph) {
    dgm_matrix *matrix;
    if (dgm_matrix_read(ctx, path, graph, &matrix) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return matrix;
}

static void expect(const char *path, const dgm_graph *graph, int64_t rows, int64_t columns,
                   const double *values) {
    dgm_matrix *matrix = read_matrix(path, graph);
    assert_int_equal(dgm_matrix_rows(matrix), rows);
    assert_int_equal(dgm_matrix_columns(matrix), columns);
    assert_memory_equal(dgm_matrix_values(matrix), values,
                        (size_t)(rows * columns) * sizeof *values);
    dgm_matrix_free(matrix);
}

static void expect_text(const char *text, const dgm_graph *graph) {
    const double values[] = {1, 2, 3, 4, 5, 6};
    expect(scratch_text("lens.tsv", text), graph, 3, 2, values);
}

static void blanks_tabs_commas_headers_and_comments_are_read(void **state) {
    (void)state;
    expect_text("1 2\n3 4\n5 6\n", numbered);
    expect_text("1\t2\n3\t4\n5\t6", numbered);
    expect_text("1,2\n3, 4\n5,6\n\n", numbered);
    expect_text("x y\n1 2\n3 4\n5 6\n", numbered);
    expect_text("# a comment\n1e0 +2\n% another\n3.0 4\r\n.5e1 6.\r\n", numbered);
    expect_text("1 2\n3 4\n5 6\n", NULL);
}

static void rows_are_matched_by_id_wherever_the_column_stands(void **state) {
    (void)state;
    expect_text("id,x,y\n\"cy, jr\",5,6\nana,1,2\nbob,3,4\n", named);
    expect_text("x\tid\ty\n5\t2\t6\n3\t1\t4\n1\t0\t2\n", numbered);
    expect_text("x y ID\n1 2 1\n5 6 3\n3 4 2\n", from_one);
    expect_text("x y id\n1 2 1\n3 4 3\n5 6 2\n", NULL);
}

static void every_permutation_of_rows_is_put_in_order(void **state) {
    (void)state;
    const double values[] = {10, 11, 12};
    const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t i = 0; i < 6; i++) {
        char text[64];
        const int *order = orders[i];
        snprintf(text, sizeof text, "id v\n%d 1%d\n%d 1%d\n%d 1%d\n", order[0], order[0], order[1],
                 order[1], order[2], order[2]);
        expect(scratch_text("lens.txt", text), numbered, 3, 1, values);
    }
}

static void column_names_come_from_the_header(void **state) {
    (void)state;
    dgm_matrix *matrix =
        read_matrix(scratch_text("lens.csv", "id,first axis,\n0,1,2\n1,1,2\n2,1,2\n"), numbered);
    assert_string_equal(dgm_matrix_column_name(matrix, 0), "first axis");
    assert_string_equal(dgm_matrix_column_name(matrix, 1), "axis2");
    dgm_matrix_free(matrix);
}

static void arrays_are_read(void **state) {
    (void)state;
    const double grid[] = {1, 2, 3, 4, 5, 6}, flags[] = {1, 0, 1};
    expect(scratch_bytes("a.npy", grid_fortran, sizeof grid_fortran), numbered, 3, 2, grid);
    expect(scratch_bytes("a.npy", grid_big_i2, sizeof grid_big_i2), named, 3, 2, grid);
    expect(scratch_bytes("a.npy", vector_bool, sizeof vector_bool), numbered, 3, 1, flags);
    expect(scratch_bytes("a.dat", grid_little_f4, sizeof grid_little_f4), NULL, 3, 2, grid);
}

/* The names of rows, one per line; "-" where the table has none. */
static void expect_ids(const char *text, const char *wanted) {
    char names[256] = "";
    dgm_graph *ids;
    dgm_matrix *matrix;
    if (dgm_matrix_read_ids(ctx, scratch_text("ids.csv", text), &ids, &matrix) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_true(!ids || dgm_graph_nodes(ids) == dgm_matrix_rows(matrix));
    assert_true(!ids || dgm_graph_edges(ids) == 0);
    for (int64_t i = 0; ids && i < dgm_graph_nodes(ids); i++) {
        size_t used = strlen(names);
        used += dgm_graph_name(ids, i, names + used, sizeof names - used);
        snprintf(names + used, sizeof names - used, "\n");
        assert_true(dgm_matrix_values(matrix)[i] == (double)(i + 1));
    }
    assert_string_equal(ids ? names : "-", wanted);
    dgm_graph_free(ids);
    dgm_matrix_free(matrix);
}

/* Rows stay where they are, whatever they are called. */
static void ids_are_kept_in_the_order_of_rows(void **state) {
    (void)state;
    expect_ids("x\n1\n2\n", "-");
    expect_ids("1 5\n2 6\n", "-");
    expect_ids("id,x\nbob,1\nana,2\n\"cy, jr\",3\n", "bob\nana\ncy, jr\n");
    expect_ids("x,ID\n1,zoe\n2,adam\n", "zoe\nadam\n");
    expect_ids("id,x\n0,1\n1,2\n2,3\n", "0\n1\n2\n");
    expect_ids("id,x\n2,1\n0,2\n1,3\n", "2\n0\n1\n");
    expect_ids("id,x\n1,1\n2,2\n3,3\n", "1\n2\n3\n");
    expect_ids("id,x\n0,1\n01,2\n", "0\n01\n");
    expect_ids("id,x\n0,1\n+1,2\n", "0\n+1\n");
    expect_ids("id,x\n0,1\n1,2\nana,3\n", "0\n1\nana\n");
    expect_ids("id,x\n-1,1\n9999999999999999999999,2\n", "-1\n9999999999999999999999\n");
}

static void refuses_ids(const char *path, dgm_status expected, const char *words) {
    dgm_graph *ids;
    dgm_matrix *matrix;
    dgm_status status = dgm_matrix_read_ids(ctx, path, &ids, &matrix);
    assert_null(ids);
    assert_null(matrix);
    if (status != expected)
        fail_msg("status %s: %s", dgm_status_name(status), dgm_context_error(ctx));
    scratch_check_error(words);
}

static void ids_that_repeat_or_are_missing_are_refused(void **state) {
    (void)state;
    refuses_ids(scratch_text("bad.csv", "id,x\nana,1\nbob,2\nana,3\n"), DGM_ERROR_DATA,
                "bad.csv:4: a second row for \"ana\"");
    refuses_ids(scratch_text("bad.csv", "id,x\n0,1\n0,2\n"), DGM_ERROR_DATA,
                "bad.csv:3: a second row for \"0\"");
    refuses_ids(scratch_text("bad.csv", "id,x\nana,1\n,2\n"), DGM_ERROR_DATA,
                "bad.csv:3: the id is empty; every row has one");
    refuses_ids(scratch_text("bad.csv", "id\nana\n"), DGM_ERROR_FORMAT, "bad.csv");
    refuses_ids(scratch_path("nothing.csv"), DGM_ERROR_FILE, "nothing.csv: no such file");
}

static void refuses(const char *path, const dgm_graph *graph, dgm_status expected,
                    const char *words) {
    dgm_matrix *matrix;
    dgm_status status = dgm_matrix_read(ctx, path, graph, &matrix);
    assert_null(matrix);
    if (status != expected)
        fail_msg("status %s: %s", dgm_status_name(status), dgm_context_error(ctx));
    scratch_check_error(words);
}

static void refuses_text(const char *text, dgm_status expected, const char *words) {
    refuses(scratch_text("bad.tsv", text), numbered, expected, words);
}

static void values_that_are_no_finite_numbers_are_named_by_line(void **state) {
    (void)state;
    refuses_text("0\n1\nnan\n", DGM_ERROR_DATA, "bad.tsv:3: \"nan\" in column 1");
    refuses_text("0\n-inf\n2\n", DGM_ERROR_DATA, "bad.tsv:2: \"-inf\"");
    refuses_text("0\n1e999\n2\n", DGM_ERROR_DATA, "bad.tsv:2: \"1e999\"");
    refuses_text("# c\n0,1\n1,\n2,2\n", DGM_ERROR_DATA,
                 "bad.tsv:3: the value in column 2 is missing");
    refuses_text("0 1\n1 x\n2 2\n", DGM_ERROR_FORMAT,
                 "bad.tsv:2: \"x\" in column 2 is not a number");
    refuses_text("0 1\n0x10 1\n2 2\n", DGM_ERROR_FORMAT, "bad.tsv:2: \"0x10\"");
    refuses_text("ana 1\nbob 2\ncy 3\n", DGM_ERROR_FORMAT, "needs a header that calls it \"id\"");
}

static void rows_that_are_ragged_missing_or_too_many_are_counted(void **state) {
    (void)state;
    refuses_text("0 1\n1\n2 2\n", DGM_ERROR_FORMAT,
                 "bad.tsv:2: 1 columns, but the lines before have 2");
    refuses_text("0\n1\n", DGM_ERROR_DATA, "2 rows, but the graph has 3 nodes");
    refuses_text("0\n1\n2\n3\n", DGM_ERROR_DATA, "4 rows, but the graph has 3 nodes");
    refuses_text("x\n1\n2\n", DGM_ERROR_DATA, "was taken for a header");
    refuses_text("", DGM_ERROR_FORMAT, "no rows");
    refuses_text("# nothing\n\n", DGM_ERROR_FORMAT, "no rows");
    refuses_text("id\n0\n1\n2\n", DGM_ERROR_FORMAT, "no other");
}

static void ids_that_are_unknown_doubled_or_missing_are_named(void **state) {
    (void)state;
    refuses_text("id x\n0 1\n7 2\n2 3\n", DGM_ERROR_DATA, "bad.tsv:3: the graph has no node \"7\"");
    refuses_text("id x\n0 1\n1 2\n0 3\n", DGM_ERROR_DATA, "bad.tsv:4: a second row for node \"0\"");
    refuses_text("id x\n0 1\n2 2\n", DGM_ERROR_DATA,
                 "2 rows, but the graph has 3 nodes: no row for node \"1\"");
    refuses_text("id x\n0 1\n-1 2\n", DGM_ERROR_DATA, "no node \"-1\"");
    refuses(scratch_text("bad.csv", "id,x\nana,1\nbob,2\ncy,3\n"), named, DGM_ERROR_DATA,
            "bad.csv:4: the graph has no node \"cy\"");
}

/* The bytes of a small array without rows may ask for tables of any size. */
static void columns_without_rows_are_bounded(void **state) {
    (void)state;
    static const char *const shapes[] = {"(0, 65536), } ", "(0, 65537), } ",
                                         "(0, 4444444444444444), }"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        unsigned char array[sizeof empty];
        dgm_matrix *matrix = NULL;
        memcpy(array, empty, sizeof array);
        char *shape = memmem(array, sizeof array, "(0, 2)", 6);
        assert_non_null(shape);
        memcpy(shape, shapes[i], strlen(shapes[i]));
        const char *path = scratch_bytes("bad.npy", array, sizeof array);
        if (i > 0) {
            refuses(path, NULL, DGM_ERROR_FORMAT, "more than 65536 columns of nothing");
            continue;
        }
        assert_int_equal(dgm_matrix_read(ctx, path, NULL, &matrix), DGM_OK);
        assert_int_equal(dgm_matrix_columns(matrix), 65536);
        dgm_matrix_free(matrix);
    }
}

static void files_that_are_no_tables_are_refused(void **state) {
    (void)state;
    const double nan_grid[] = {1, 2, 3, 4, (double)NAN, 6};
    unsigned char array[sizeof grid_little_f8];
    memcpy(array, grid_little_f8, sizeof array);
    memcpy(array + sizeof array - sizeof nan_grid, nan_grid, sizeof nan_grid);
    refuses(scratch_bytes("bad.npy", array, sizeof array), numbered, DGM_ERROR_DATA,
            "bad.npy: row 2, column 0 (counted from 0) is nan");
    refuses(scratch_bytes("bad.npy", scalar, sizeof scalar), numbered, DGM_ERROR_FORMAT,
            "shape ()");
    refuses(scratch_bytes("bad.npy", empty, sizeof empty), numbered, DGM_ERROR_DATA,
            "0 rows, but the graph has 3 nodes");
    refuses(scratch_text("bad.npy", "1\n2\n3\n"), numbered, DGM_ERROR_FORMAT, "not a NumPy array");
    refuses(scratch_bytes("bad.tsv", "1\0\n2\n", 5), numbered, DGM_ERROR_FORMAT,
            "bad.tsv:1: a zero byte");
    refuses(scratch_bytes("bad.tsv.gz", "\x1f\x8b\x08\0", 4), numbered, DGM_ERROR_FORMAT,
            "bad.tsv.gz");
    refuses(scratch_path("nothing.tsv"), numbered, DGM_ERROR_FILE, "nothing.tsv: no such file");
    refuses(scratch_root, numbered, DGM_ERROR_FILE, "folder");
}

static dgm_matrix *sample(void) {
    dgm_matrix *matrix;
    const double values[] = {0.1, -2, 1.0 / 3, 1e300, 5e-324, 123456789.125};
    assert_int_equal(dgm_matrix_create(ctx, 3, 2, &matrix), DGM_OK);
    memcpy(dgm_matrix_values_mutable(matrix), values, sizeof values);
    assert_int_equal(dgm_matrix_set_column_name(ctx, matrix, 0, "2019"), DGM_OK);
    assert_int_equal(dgm_matrix_set_column_name(ctx, matrix, 1, "a, b"), DGM_OK);
    return matrix;
}

static void what_is_written_is_read_back_exactly(void **state) {
    (void)state;
    static const char *const files[] = {"w.tsv", "w.csv", "w.txt", "w.npy", "w.tsv.gz", "w.npy.xz"};
    const dgm_graph *graphs[] = {named, numbered, from_one, NULL};
    dgm_matrix *matrix = sample();
    for (size_t g = 0; g < 4; g++)
        for (size_t f = 0; f < 6; f++) {
            const char *path = scratch_path(files[f]);
            assert_int_equal(dgm_matrix_write(ctx, matrix, graphs[g], path), DGM_OK);
            dgm_matrix *back = read_matrix(path, graphs[g]);
            assert_int_equal(dgm_matrix_rows(back), 3);
            assert_int_equal(dgm_matrix_columns(back), 2);
            assert_memory_equal(dgm_matrix_values(back), dgm_matrix_values(matrix),
                                6 * sizeof(double));
            if (!strstr(files[f], ".npy")) {
                assert_string_equal(dgm_matrix_column_name(back, 0), "2019");
                assert_string_equal(dgm_matrix_column_name(back, 1), "a, b");
            }
            dgm_matrix_free(back);
        }
    dgm_matrix_free(matrix);
}

static void an_array_without_rows_is_a_header(void **state) {
    (void)state;
    size_t size;
    dgm_matrix *matrix;
    assert_int_equal(dgm_matrix_create(ctx, 0, 2, &matrix), DGM_OK);
    assert_int_equal(dgm_matrix_write(ctx, matrix, NULL, scratch_path("none.npy")), DGM_OK);
    dgm_matrix_free(matrix);
    char *bytes = scratch_content(scratch_path("none.npy"), &size);
    assert_int_equal(size, 128);
    assert_non_null(strstr(bytes + 10, "'shape': (0, 2)"));
    free(bytes);
}

static void text_has_a_header_and_names(void **state) {
    (void)state;
    dgm_matrix *matrix = sample();
    assert_int_equal(dgm_matrix_write(ctx, matrix, named, scratch_path("w.tsv")), DGM_OK);
    char *text = scratch_content(scratch_path("w.tsv"), NULL);
    assert_string_equal(text, "id\t2019\t\"a, b\"\nana\t0.1\t-2\nbob\t0.3333333333333333\t1e+300\n"
                              "\"cy, jr\"\t5e-324\t123456789.125\n");
    free(text);
    dgm_matrix_free(matrix);
}

static void a_single_column_of_any_name_comes_back(void **state) {
    (void)state;
    static const char *const names[] = {"x",
                                        "two words",
                                        "3",
                                        "a,b",
                                        "ID",
                                        ("\xef\xbb\xbf"
                                         "1"),
                                        "",
                                        "#",
                                        "\"q\""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        dgm_matrix *matrix;
        assert_int_equal(dgm_matrix_create(ctx, 2, 1, &matrix), DGM_OK);
        assert_int_equal(dgm_matrix_set_column_name(ctx, matrix, 0, names[i]), DGM_OK);
        assert_int_equal(dgm_matrix_write(ctx, matrix, NULL, scratch_path("one.tsv")), DGM_OK);
        dgm_matrix_free(matrix);
        matrix = read_matrix(scratch_path("one.tsv"), NULL);
        assert_int_equal(dgm_matrix_rows(matrix), 2);
        assert_int_equal(dgm_matrix_columns(matrix), 1);
        assert_string_equal(dgm_matrix_column_name(matrix, 0), *names[i] ? names[i] : "axis1");
        dgm_matrix_free(matrix);
    }
}

/* Files of other programs are known by their first bytes; some of these are letters. */
static void columns_named_like_the_beginning_of_other_files_come_back(void **state) {
    (void)state;
    static const char *const names[] = {"MATLAB score",    "GIF89a",   "PAR1",
                                        "SQLite format 3", "%PDF-1.4", "PK\3\4x.y"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        dgm_matrix *matrix;
        assert_int_equal(dgm_matrix_create(ctx, 3, 2, &matrix), DGM_OK);
        assert_int_equal(dgm_matrix_set_column_name(ctx, matrix, 0, names[i]), DGM_OK);
        assert_int_equal(dgm_matrix_write(ctx, matrix, NULL, scratch_path("first.tsv")), DGM_OK);
        dgm_matrix *back = read_matrix(scratch_path("first.tsv"), NULL);
        assert_string_equal(dgm_matrix_column_name(back, 0), names[i]);
        dgm_matrix_free(back);
        dgm_matrix_free(matrix);
    }
}

static void files_of_other_programs_are_called_what_they_are(void **state) {
    (void)state;
    static const struct {
        const char *begin, *words;
    } files[] = {{"MATLAB 5.0 MAT-file, Platform: GLNXA64", "this is a MATLAB file, not a table"},
                 {"GIF89a", "this is a picture, not a table"},
                 {"PAR1\025", "this is a Parquet file, not a table"},
                 {"SQLite format 3", "this is a database, not a table"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char bytes[256] = {0};
        memset(bytes, ' ', 124); /* a header of MATLAB's is text up to here */
        memcpy(bytes, files[i].begin, strlen(files[i].begin));
        memcpy(bytes + 124, "\0\1IM", 4);
        refuses(scratch_bytes("other.tsv", bytes, sizeof bytes), NULL, DGM_ERROR_FORMAT,
                files[i].words);
    }
}

static void writing_fails_cleanly(void **state) {
    (void)state;
    dgm_matrix *matrix;
    assert_int_equal(dgm_matrix_create(ctx, 2, 1, &matrix), DGM_OK);
    assert_int_equal(dgm_matrix_write(ctx, matrix, numbered, scratch_path("w2.tsv")),
                     DGM_ERROR_DATA);
    assert_int_equal(access(scratch_path("w2.tsv"), F_OK), -1);
    char path[600];
    snprintf(path, sizeof path, "%s/none/w.tsv", scratch_root);
    assert_int_equal(dgm_matrix_write(ctx, matrix, NULL, path), DGM_ERROR_FILE);
    dgm_matrix_free(matrix);
}

static dgm_status read_all(void *path) {
    dgm_matrix *matrix;
    dgm_status status = dgm_matrix_read(ctx, path, named, &matrix);
    dgm_matrix_free(matrix);
    return status;
}

static dgm_status write_all(void *path) {
    return dgm_matrix_write(ctx, *(dgm_matrix **)path, named, scratch_path("w.csv"));
}

static dgm_status write_array(void *matrix) {
    return dgm_matrix_write(ctx, *(dgm_matrix **)matrix, NULL, scratch_path("w.npy"));
}

static dgm_status read_ids(void *path) {
    dgm_graph *ids;
    dgm_matrix *matrix;
    dgm_status status = dgm_matrix_read_ids(ctx, path, &ids, &matrix);
    assert_true((status == DGM_OK) == (ids && matrix));
    dgm_graph_free(ids);
    dgm_matrix_free(matrix);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char path[512];
    strcpy(path, scratch_text("l.csv", "id,x,y\n\"cy, jr\",5,6\nana,1,2\nbob,3,4\n"));
    scratch_fail_each(read_all, path);
    strcpy(path, scratch_bytes("l.npy", grid_fortran, sizeof grid_fortran));
    scratch_fail_each(read_all, path);
    strcpy(path, scratch_text("l.csv", "id,x\nbob,5\n1,1\n"));
    scratch_fail_each(read_ids, path);
    strcpy(path, scratch_text("l.csv", "id,x\n0,5\n1,1\n"));
    scratch_fail_each(read_ids, path);
    dgm_matrix *matrix = sample();
    scratch_fail_each(write_all, &matrix);
    scratch_fail_each(write_array, &matrix);
    dgm_matrix_free(matrix);
}

static void more_rows_than_nodes_repeat_an_id(void **state) {
    (void)state;
    refuses(scratch_text("m.csv", "id,x\n0,1\n1,2\n2,3\n0,4\n"), numbered, DGM_ERROR_DATA,
            "m.csv:5: ");
}

static void rows_that_are_counted_need_no_names(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t base; /* -1: names */
    } cases[] = {{"id,x\n0,1\n1,2\n2,3\n", 0},
                 {"id,x\n1,1\n2,2\n", -1},
                 {"id,x\n0,1\n2,2\n", -1},
                 {"id,x\n0,1\n01,2\n", -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgm_graph *ids;
        dgm_matrix *matrix;
        assert_int_equal(
            dgm_matrix_read_ids(ctx, scratch_text("ids.csv", cases[i].text), &ids, &matrix),
            DGM_OK);
        assert_int_equal(dgm_graph_name_base(ids), cases[i].base);
        dgm_graph_free(ids);
        dgm_matrix_free(matrix);
    }
}

static void places_of_values_are_counted_from_one(void **state) {
    (void)state;
    refuses_text("0 1\n1 x\n2 2\n", DGM_ERROR_FORMAT,
                 "bad.tsv:2: \"x\" in column 2 is not a number");
    refuses_text("0,1\n,1\n2,2\n", DGM_ERROR_DATA, "bad.tsv:2: the value in column 1 is missing");
    refuses_text("1 0\nx 1\n2 2\n", DGM_ERROR_FORMAT,
                 "bad.tsv:2: \"x\" in column 1 is not a number; a column of node names needs a "
                 "header that calls it \"id\"");
    refuses_text("x id\ny 1\n1 0\n2 2\n", DGM_ERROR_FORMAT,
                 "bad.tsv:2: \"y\" in column 1 is not a number");
    assert_null(strstr(dgm_context_error(ctx), "needs a header"));
    refuses_text("0 1\n1 inf\n2 2\n", DGM_ERROR_DATA,
                 "bad.tsv:2: \"inf\" in column 2 is not a finite number");
    refuses_text("x\n1\n", DGM_ERROR_DATA,
                 "bad.tsv: 1 rows, but the graph has 3 nodes; one row per node is needed");
    assert_null(strstr(dgm_context_error(ctx), "taken for a header"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks_tabs_commas_headers_and_comments_are_read),
        cmocka_unit_test(rows_are_matched_by_id_wherever_the_column_stands),
        cmocka_unit_test(every_permutation_of_rows_is_put_in_order),
        cmocka_unit_test(column_names_come_from_the_header),
        cmocka_unit_test(arrays_are_read),
        cmocka_unit_test(ids_are_kept_in_the_order_of_rows),
        cmocka_unit_test(ids_that_repeat_or_are_missing_are_refused),
        cmocka_unit_test(values_that_are_no_finite_numbers_are_named_by_line),
        cmocka_unit_test(rows_that_are_ragged_missing_or_too_many_are_counted),
        cmocka_unit_test(ids_that_are_unknown_doubled_or_missing_are_named),
        cmocka_unit_test(columns_without_rows_are_bounded),
        cmocka_unit_test(files_that_are_no_tables_are_refused),
        cmocka_unit_test(what_is_written_is_read_back_exactly),
        cmocka_unit_test(an_array_without_rows_is_a_header),
        cmocka_unit_test(text_has_a_header_and_names),
        cmocka_unit_test(a_single_column_of_any_name_comes_back),
        cmocka_unit_test(columns_named_like_the_beginning_of_other_files_come_back),
        cmocka_unit_test(files_of_other_programs_are_called_what_they_are),
        cmocka_unit_test(writing_fails_cleanly),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(more_rows_than_nodes_repeat_an_id),
        cmocka_unit_test(rows_that_are_counted_need_no_names),
        cmocka_unit_test(places_of_values_are_counted_from_one),
    };
    return RUN_GROUP(tests, begin, end);
}
