/* SPDX-License-Identifier: Apache-2.0 */
/* A file of classes for a graph that is there already. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph_numbers.h"
#include "io_scratch.h"

static dgm_graph *path_graph(void) {
    return scratch_read_with(scratch_text("e.tsv", "ana\tbob\nbob\tcy\n"), NULL, NULL);
}

/* That graph with the labels of a file, and it itself as it was. */
static dgm_graph *labelled(const char *path) {
    dgm_graph *bare = path_graph(), *graph;
    if (dgm_graph_read_labels(ctx, bare, path, &graph) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_null(dgm_graph_labels(bare));
    dgm_graph_free(bare);
    return graph;
}

/* The labels that a text gives to ana, bob and cy. */
static void expect(const char *text, int32_t ana, int32_t bob, int32_t cy, int32_t classes) {
    dgm_graph *graph = labelled(scratch_text("labels.csv", text));
    ASSERT_LABEL_NUMBERS(graph, ((const int32_t[]){ana, bob, cy}));
    assert_int_equal(dgm_graph_classes(graph), classes);
    dgm_graph_free(graph);
}

static void rows_follow_the_nodes(void **state) {
    (void)state;
    expect("2\n0\n-1\n", 2, 0, -1, 2);
    expect("2.0\r\n0.0\r\n1.0\r\n", 2, 0, 1, 3);
    expect("label\n1\n1\n0\n", 1, 1, 0, 2);
    expect("y\nNA\n1\n0\n", -1, 1, 0, 2);
    expect("1\n3\n2\n", 1, 3, 2, 3);
    expect("7\n1000000\n-1\n", 7, 1000000, -1, 2);
}

static void an_id_column_matches_rows_to_nodes(void **state) {
    (void)state;
    expect("id,label\ncy,0\nana,1\n", 1, -1, 0, 2);
    expect("age,class,id\n30,5,bob\n20,3,cy\n10,4,ana\n", 4, 5, 3, 3);
    expect("id,side\nbob,1\n", -1, 1, -1, 1); /* of two columns the other one */
}

static void words_are_classes_in_the_order_of_their_first_row(void **state) {
    (void)state;
    dgm_graph *graph = labelled(scratch_text("labels.txt", "red\nblue\nred\n")), *other;
    assert_int_equal(dgm_graph_classes(graph), 2);
    assert_string_equal(dgm_graph_class_name(graph, 0), "red");
    assert_string_equal(dgm_graph_class_name(graph, 1), "blue");
    assert_int_equal(dgm_graph_labels(graph)[2], 0);
    /* Others take their place in a copy, and their names go. */
    const char *path = scratch_text("labels.txt", "0\n1\n2\n");
    assert_int_equal(dgm_graph_read_labels(ctx, graph, path, &other), DGM_OK);
    assert_int_equal(dgm_graph_classes(other), 3);
    assert_null(dgm_graph_class_name(other, 0));
    assert_int_equal(dgm_graph_classes(graph), 2);
    assert_string_equal(dgm_graph_class_name(graph, 0), "red");
    dgm_graph_free(other);
    dgm_graph_free(graph);
}

/* As classes their numbers would be too small, too large or broken; each is a word then. */
static void numbers_that_are_no_classes_are_words(void **state) {
    (void)state;
    expect("-2\n0\n1\n", 0, 1, 2, 3);
    expect("1\n16777216\n0\n", 0, 1, 2, 3);
    expect("1\n0.5\n0\n", 0, 1, 2, 3);
    expect("1\nnan\n0\n", 0, 1, 2, 3);
}

static void refuse(const char *text, const char *words) {
    dgm_graph *graph = path_graph(), *none;
    assert_int_not_equal(dgm_graph_read_labels(ctx, graph, scratch_text("l.csv", text), &none),
                         DGM_OK);
    assert_null(none);
    if (!strstr(dgm_context_error(ctx), words))
        fail_msg("\"%s\" does not say \"%s\"", dgm_context_error(ctx), words);
    assert_null(dgm_graph_labels(graph));
    dgm_graph_free(graph);
}

static void files_that_do_not_fit_are_refused(void **state) {
    (void)state;
    refuse("0\n1\n", "l.csv: 2 classes for 3 nodes; one per node is needed");
    refuse("0\n1\n1\n0\n", "l.csv: 4 classes for 3 nodes");
    refuse("", "l.csv: 0 classes for 3 nodes");
    refuse("ana,1\nbob,0\n", "l.csv:1: 2 columns; classes are one column");
    refuse("id,age,town\nana,3,x\n", "l.csv:1: no column is called \"label\"");
    refuse("id,label\ndora,1\n", "l.csv:2: the graph has no node \"dora\"");
    refuse("id,label\nana,1\nana,0\n", "l.csv:3: a second row for node \"ana\"");
    refuse("id,label\nana\n", "l.csv:2: 1 columns, but the first line has 2");
    refuse("\x89PNG\r\n\x1a\n", "l.csv: this is a picture, not a file of classes");
}

static dgm_status read_both(void *paths) {
    dgm_graph *graph;
    char(*both)[512] = paths;
    dgm_graph *other = NULL;
    const dgm_graph_tables tables = {.labels = both[1]};
    dgm_status status = dgm_graph_read(ctx, both[0], DGM_FORMAT_AUTO, NULL, &tables, &graph);
    if (status == DGM_OK)
        status = dgm_graph_read_labels(ctx, graph, both[1], &other);
    dgm_graph_free(graph);
    dgm_graph_free(other);
    return status;
}

static void a_class_may_be_missing_and_an_id_alone_is_none(void **state) {
    (void)state;
    expect("id,label\nana,\nbob,1\ncy,NA\n", -1, 1, -1, 1);
    refuse("id\nana\n", "l.csv:1: no column is called \"label\"");
}

/* An array of the shape and bytes given. */
static const char *array(const char *descr, const char *shape, const void *data, size_t size) {
    char file[256] = "\x93NUMPY\1\0";
    int length = snprintf(file + 10, 128,
                          "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape);
    file[8] = (char)length;
    memcpy(file + 10 + length, data, size);
    return scratch_bytes("labels.npy", file, 10 + (size_t)length + size);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char paths[2][512];
    strcpy(paths[0], scratch_text("e.tsv", "ana\tbob\nbob\tcy\n"));
    strcpy(paths[1], scratch_text("l.csv", "id,label\nana,red\ncy,blue\n"));
    scratch_fail_each(read_both, paths);
    strcpy(paths[1], array("|i1", "(3,)", "\2\0\xff", 3));
    scratch_fail_each(read_both, paths);
}

static void arrays_hold_one_number_for_each_node(void **state) {
    (void)state;
    const float halves[] = {0.5F, 2, 0.5F};
    dgm_graph *graph = labelled(array("|i1", "(3,)", "\2\0\xff", 3));
    ASSERT_LABEL_NUMBERS(graph, ((const int32_t[]){2, 0, -1}));
    dgm_graph_free(graph);
    /* Numbers that are no classes are words as any others. */
    graph = labelled(array("<f4", "(3,)", halves, 12));
    assert_string_equal(dgm_graph_class_name(graph, dgm_graph_labels(graph)[0]), "0.5");
    assert_string_equal(dgm_graph_class_name(graph, dgm_graph_labels(graph)[1]), "2");
    assert_int_equal(dgm_graph_labels(graph)[0], dgm_graph_labels(graph)[2]);
    dgm_graph_free(graph);
}

static void arrays_of_another_shape_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *shape, *words;
    } cases[] = {
        {"(3, 2)", "labels.npy: 2 columns; classes are one column, a row for each node"},
        {"(6,)", "labels.npy: 6 rows"},
    };
    dgm_graph *graph = path_graph(), *none;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *path = array("|u1", cases[k].shape, "\1\2\3\4\5\6", 6);
        assert_int_not_equal(dgm_graph_read_labels(ctx, graph, path, &none), DGM_OK);
        assert_null(none);
        scratch_check_error(cases[k].words);
        assert_null(dgm_graph_labels(graph));
    }
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_follow_the_nodes),
        cmocka_unit_test(an_id_column_matches_rows_to_nodes),
        cmocka_unit_test(words_are_classes_in_the_order_of_their_first_row),
        cmocka_unit_test(numbers_that_are_no_classes_are_words),
        cmocka_unit_test(files_that_do_not_fit_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_class_may_be_missing_and_an_id_alone_is_none),
        cmocka_unit_test(arrays_hold_one_number_for_each_node),
        cmocka_unit_test(arrays_of_another_shape_are_refused),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
