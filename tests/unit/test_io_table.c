/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph_numbers.h"
#include "io_scratch.h"
#include "tu_sample.h"

static const char numbers[] = "0 1\n1 2\n";
static const char names[] = "ana\tbob\nbob\tcy\n";

static dgm_graph *read_with(const char *edges, const char *table) {
    const char *path = scratch_text("t.csv", table);
    return scratch_read_with(scratch_text("e.tsv", edges), NULL, path);
}

static dgm_attribute column(const dgm_graph *graph, const char *name) {
    int64_t index = dgm_graph_attribute_find(graph, name);
    assert_true(index >= 0);
    return dgm_graph_attribute(graph, index);
}

static void columns_are_typed(void **state) {
    (void)state;
    dgm_graph *graph = read_with(names, "name,id,age,town,mixed,none\n"
                                        "Ana A,ana,31,\"Bonn, old\",1,\n"
                                        "Cy,cy,NA,,x,\n"
                                        "\"B \"\"B\"\"\nBob\",bob,2.5e1,Ulm,2,\n");
    assert_int_equal(dgm_graph_attributes(graph), 5);
    dgm_attribute age = column(graph, "age"), town = column(graph, "town");
    assert_int_equal(age.kind, DGM_ATTRIBUTE_NUMBER);
    assert_true(age.numbers[0] == 31 && age.numbers[1] == 25 && isnan(age.numbers[2]));
    assert_int_equal(town.kind, DGM_ATTRIBUTE_TEXT);
    assert_string_equal(town.texts[0], "Bonn, old");
    assert_null(town.texts[2]);
    assert_string_equal(column(graph, "name").texts[1], "B \"B\"\nBob");
    assert_int_equal(column(graph, "mixed").kind, DGM_ATTRIBUTE_TEXT);
    assert_string_equal(column(graph, "mixed").texts[0], "1");
    assert_null(column(graph, "none").texts[0]);
    dgm_graph_free(graph);
}

static void the_first_column_is_the_id_where_none_is_called_so(void **state) {
    (void)state;
    dgm_graph *graph = read_with(numbers, "node;x\n2;20\n0;0\n1;10\n");
    assert_int_equal(dgm_graph_attributes(graph), 1);
    assert_true(column(graph, "x").numbers[2] == 20);
    dgm_graph_free(graph);
}

static void numbered_graphs_count_from_their_base(void **state) {
    (void)state;
    const char *table = scratch_text("t.csv", "id,x\n1,10\n3,30\n");
    dgm_graph *graph = scratch_read_with(
        scratch_text("g.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n"),
        NULL, table);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_true(column(graph, "x").numbers[0] == 10);
    assert_true(isnan(column(graph, "x").numbers[1]));
    assert_true(column(graph, "x").numbers[2] == 30);
    dgm_graph_free(graph);
}

static void nodes_that_no_edge_names_are_made_with_a_note(void **state) {
    (void)state;
    dgm_graph *graph = read_with(names, "id,x\ndan,4\nana,1\n");
    assert_int_equal(dgm_graph_nodes(graph), 4);
    assert_string_equal(dgm_graph_name_text(graph, 3, NULL), "dan");
    assert_true(column(graph, "x").numbers[3] == 4);
    assert_non_null(strstr(scratch_notes, "1 nodes that no edge names"));
    dgm_graph_free(graph);
    graph = read_with(numbers, "id,x\n5,4\n");
    assert_int_equal(dgm_graph_nodes(graph), 6);
    dgm_graph_free(graph);
}

static void a_label_column_of_whole_numbers_gives_labels(void **state) {
    (void)state;
    const int32_t labels[] = {2, -1, 0};
    dgm_graph *graph = read_with(numbers, "id,label\n0,2\n1,\n2,0\n");
    ASSERT_LABEL_NUMBERS(graph, labels);
    assert_int_equal(dgm_graph_classes(graph), 2);
    dgm_graph_free(graph);
    graph = read_with(numbers, "id,label\n0,2\n1,0.5\n2,0\n");
    assert_null(dgm_graph_labels(graph));
    assert_int_equal(column(graph, "label").kind, DGM_ATTRIBUTE_NUMBER);
    dgm_graph_free(graph);
    graph = read_with(numbers, "id,label\n0,a\n1,b\n2,c\n"); /* names of nodes, not classes */
    assert_null(dgm_graph_labels(graph));
    assert_non_null(strstr(scratch_notes, "differs from node to node"));
    dgm_graph_free(graph);
}

static void a_label_column_of_texts_names_the_classes(void **state) {
    (void)state;
    const int32_t labels[] = {1, 0, 1};
    dgm_graph *graph = read_with(numbers, "id,label\n0,spam\n1,ham\n2,spam\n");
    assert_memory_equal(dgm_graph_labels(graph), labels, sizeof labels);
    assert_int_equal(dgm_graph_classes(graph), 2);
    assert_string_equal(dgm_graph_class_name(graph, 0), "ham");
    assert_string_equal(dgm_graph_class_name(graph, 1), "spam");
    assert_int_equal(column(graph, "label").kind, DGM_ATTRIBUTE_TEXT);
    dgm_graph_free(graph);
    const int32_t some[] = {0, -1, 0};
    graph = read_with(numbers, "id,label\n0,x\n1,\n2,x\n");
    assert_memory_equal(dgm_graph_labels(graph), some, sizeof some);
    dgm_graph_free(graph);
}

static void refuses(const char *edges, const char *table, dgm_status status, const char *words) {
    const char *path = scratch_text("bad.csv", table);
    scratch_refuses_with(scratch_text("e.tsv", edges), NULL, path, status, words);
}

static void bad_tables_are_refused_by_line(void **state) {
    (void)state;
    refuses(numbers, "", DGM_ERROR_FORMAT, "bad.csv: the table of nodes is empty");
    refuses(numbers, "id,x\n0,1\n1\n", DGM_ERROR_FORMAT,
            "bad.csv:3: 1 columns, but the header has 2");
    refuses(numbers, "id,x\n0,1\n1,2,3\n", DGM_ERROR_FORMAT, "bad.csv:3: 3 columns");
    refuses(numbers, "id,x\n0,1\n,2\n", DGM_ERROR_DATA, "bad.csv:3: the id is missing");
    refuses(numbers, "id,x\n0,1\n1,2\n0,3\n", DGM_ERROR_DATA,
            "bad.csv:4: a second row for node \"0\"");
    refuses(names, "id,x\nana,1\nana,2\n", DGM_ERROR_DATA,
            "bad.csv:3: a second row for node \"ana\"");
    refuses(numbers, "id,x\n0,1\nbob,2\n", DGM_ERROR_DATA, "bad.csv:3: the id \"bob\" is no node");
    refuses(numbers, "id,x\n-1,1\n", DGM_ERROR_DATA, "bad.csv:2: the id \"-1\"");
    refuses(numbers, "id,x\n2000000000,1\n", DGM_ERROR_FORMAT,
            "bad.csv: 2000000001 nodes are promised");
    refuses(numbers, "id,x\n99999999999,1\n", DGM_ERROR_DATA, "bad.csv:2: the id");
    refuses(numbers, "id,x,x\n0,1,2\n", DGM_ERROR_FORMAT,
            "bad.csv:1: two columns are called \"x\"");
    refuses(numbers, "id,,x\n0,1,2\n", DGM_ERROR_FORMAT, "bad.csv:1: column 2 has no name");
    refuses(numbers, "id,x\n0,\"1\n", DGM_ERROR_FORMAT, "bad.csv:2: a quote");
    const char *path = scratch_path("none.csv");
    scratch_refuses_with(scratch_text("e.tsv", numbers), NULL, path, DGM_ERROR_FILE, "none.csv");
}

static dgm_status read_both(void *paths) {
    dgm_graph *graph;
    char(*both)[512] = paths;
    dgm_status status = dgm_graph_read(ctx, both[0], DGM_FORMAT_AUTO, NULL,
                                       &(dgm_graph_tables){.nodes = both[1]}, &graph);
    dgm_graph_free(graph);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char paths[2][512];
    strcpy(paths[0], scratch_text("e.tsv", names));
    strcpy(paths[1], scratch_text("t.csv", "id,age,town,label\nana,3,Ulm,1\ndan,NA,,0\n"));
    scratch_fail_each(read_both, paths);
    scratch_text("t.csv", "id,label\nana,good\nbob,bad\ncy,good\n");
    scratch_fail_each(read_both, paths);
}

/* Says stop at one of the looks at the wish to stop. */
static bool stop_at(void *user, const char *stage, double fraction) {
    int *left = user;
    (void)stage;
    (void)fraction;
    return --*left > 0;
}

/* How often a graph and its table ask on the way whether to go on. */
static int count_looks(const char *table) {
    char paths[2][512];
    strcpy(paths[0], scratch_text("e.tsv", names));
    strcpy(paths[1], scratch_text("t.csv", table));
    for (int looks = 0;; looks++) {
        int left = looks + 1;
        dgm_graph *graph;
        dgm_context_set_progress(ctx, stop_at, &left);
        dgm_status status = dgm_graph_read(ctx, paths[0], DGM_FORMAT_AUTO, NULL,
                                           &(dgm_graph_tables){.nodes = paths[1]}, &graph);
        dgm_context_set_progress(ctx, NULL, NULL);
        if (status == DGM_OK) {
            dgm_graph_free(graph);
            return looks;
        }
        assert_int_equal(status, DGM_ERROR_CANCELLED);
    }
}

static void a_wish_to_stop_is_heard_after_every_column(void **state) {
    (void)state;
    assert_int_equal(count_looks("id,a,b,c\nana,1,x,3\n") - count_looks("id,a\nana,1\n"), 2);
}

/* A table of that many rows about nodes that no edge names. */
static char *make_rows(int rows) {
    char *table = malloc(16 * (size_t)rows + 8);
    size_t used = (size_t)sprintf(table, "id\n");
    for (int k = 0; k < rows; k++)
        used += (size_t)sprintf(table + used, "n%d\n", k);
    return table;
}

static void a_wish_to_stop_is_heard_between_many_rows(void **state) {
    (void)state;
    char *fewer = make_rows((1 << 16) - 1), *more = make_rows(1 << 16);
    assert_int_equal(count_looks(more) - count_looks(fewer), 1);
    free(fewer);
    free(more);
}

/* Without edges the table alone says what ids are. */
static void a_table_beside_no_edges_says_whether_ids_are_names(void **state) {
    (void)state;
    dgm_graph *graph = read_with("# none\n", "id,x\n2,20\n0,10\n");
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_true(column(graph, "x").numbers[2] == 20);
    dgm_graph_free(graph);
    graph = read_with("# none\n", "id,x\n2,20\nana,10\n");
    assert_int_equal(dgm_graph_nodes(graph), 2);
    assert_string_equal(dgm_graph_name_text(graph, 1, NULL), "ana");
    dgm_graph_free(graph);
    const dgm_graph_options options = {.size = sizeof options, .ids = DGM_IDS_NAME};
    graph = scratch_read_with(scratch_text("e.tsv", "# none\n"), &options,
                              scratch_text("t.csv", "id,x\n2,20\n0,10\n"));
    assert_int_equal(dgm_graph_nodes(graph), 2);
    assert_string_equal(dgm_graph_name_text(graph, 0, NULL), "2");
    dgm_graph_free(graph);
}

/* The nodes of a set of graphs have labels before the table is read. */
static void labels_that_are_known_stay_beside_a_column_of_that_name(void **state) {
    (void)state;
    static const char *const tables[] = {"id,label\n1,7\n2,8\n3,7\n4,7\n5,8\n",
                                         "id,label\n1,a\n2,b\n3,a\n4,a\n5,b\n"};
    const int32_t labels[] = {0, 1, 0, 2, 2};
    for (int k = 0; k < 2; k++) {
        const char *path = tu_new_folder();
        tu_file("node_labels", "0\n1\n0\n2\n2\n");
        dgm_graph *graph = scratch_read_with(path, NULL, scratch_text("t.csv", tables[k]));
        ASSERT_LABEL_NUMBERS(graph, labels);
        assert_int_equal(column(graph, "label").kind,
                         k ? DGM_ATTRIBUTE_TEXT : DGM_ATTRIBUTE_NUMBER);
        dgm_graph_free(graph);
    }
}

static void the_id_column_needs_no_name_and_others_do(void **state) {
    (void)state;
    dgm_graph *graph = read_with(names, ",age\ncy,3\nana,1\n");
    assert_true(column(graph, "age").numbers[2] == 3);
    dgm_graph_free(graph);
    refuses(names, "id,\nana,1\n", DGM_ERROR_FORMAT, "bad.csv:1: column 2 has no name");
}

static void a_table_of_tabs_may_have_one_column(void **state) {
    (void)state;
    dgm_graph *graph = scratch_read_with(scratch_text("e.tsv", "a b\tc, d\n"), NULL,
                                         scratch_text("nodes.tsv", "id\na b\nc, d\ne f\n"));
    assert_int_equal(dgm_graph_nodes(graph), 3);
    dgm_graph_free(graph);
}

static void nodes_without_a_text_have_no_class(void **state) {
    (void)state;
    const int32_t some[] = {0, -1, 0};
    dgm_graph *graph = read_with(names, "id,label\nana,x\nbob,\ncy,x\n");
    assert_memory_equal(dgm_graph_labels(graph), some, sizeof some);
    dgm_graph_free(graph);
}

static void numbers_that_cannot_be_classes_are_an_attribute_alone(void **state) {
    (void)state;
    static const char *const values[] = {"-2", "16777216", "0.5"};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        char table[64];
        snprintf(table, sizeof table, "id,label\nana,1\nbob,%s\ncy,0\n", values[k]);
        dgm_graph *graph = read_with(names, table);
        assert_null(dgm_graph_labels(graph));
        assert_true(column(graph, "label").numbers[1] == strtod(values[k], NULL));
        dgm_graph_free(graph);
    }
}

/* Says yes until a column of the table is there. */
static bool stop_at_columns(void *user, const char *stage, double fraction) {
    (void)user, (void)fraction;
    return strcmp(stage, "reading") != 0;
}

/* 64 columns of one row and an edge: 2^26 entries are free, and 64 for each of 65 things. */
static void columns_of_many_nodes_need_data_behind_them(void **state) {
    (void)state;
    enum { COLUMNS = 64, MOST = (1 << 20) + COLUMNS + 1 };
    static char table[2048];
    size_t used = (size_t)sprintf(table, "id");
    for (int k = 1; k < COLUMNS; k++)
        used += (size_t)sprintf(table + used, ",c%d", k);
    used += (size_t)sprintf(table + used, "\n0");
    for (int k = 1; k < COLUMNS; k++)
        used += (size_t)sprintf(table + used, ",%d", k);
    const char *edges = scratch_text("e.tsv", "0\t1\n"), *path = scratch_text("t.csv", table);
    for (int64_t nodes = MOST; nodes <= MOST + 1; nodes++) {
        const dgm_graph_options options = {.size = sizeof options, .nodes = nodes};
        dgm_graph *graph;
        dgm_context_set_progress(ctx, stop_at_columns, NULL);
        dgm_status status = dgm_graph_read(ctx, edges, DGM_FORMAT_AUTO, &options,
                                           &(dgm_graph_tables){.nodes = path}, &graph);
        dgm_context_set_progress(ctx, NULL, NULL);
        assert_null(graph);
        assert_int_equal(status, nodes == MOST ? DGM_ERROR_CANCELLED : DGM_ERROR_DATA);
    }
    scratch_check_error("t.csv: 64 columns for 1048642 nodes, of which 1 have a row: too few for a "
                        "table of that size; leave columns out, or give every node its row");
}

static void labels_are_taken_up_to_the_highest_class(void **state) {
    (void)state;
    dgm_graph *graph = read_with(numbers, "id,label\n0,-1\n1,16777215\n2,0\n");
    const int32_t labels[] = {-1, 16777215, 0};
    ASSERT_LABEL_NUMBERS(graph, labels);
    dgm_graph_free(graph);
    graph = read_with(numbers, "id,label\n0,only\n1,\n2,\n"); /* one text is a class */
    assert_int_equal(dgm_graph_classes(graph), 1);
    dgm_graph_free(graph);
    graph = read_with(numbers, "id,label\n0,NA\n1,NA\n2,\n"); /* no number, and no text but NA */
    assert_int_equal(column(graph, "label").kind, DGM_ATTRIBUTE_TEXT);
    dgm_graph_free(graph);
    graph = read_with(numbers, "id,label\n0,\n1,\n2,\n"); /* nothing at all */
    assert_null(dgm_graph_labels(graph));
    assert_null(column(graph, "label").texts[0]);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_typed),
        cmocka_unit_test(the_first_column_is_the_id_where_none_is_called_so),
        cmocka_unit_test(numbered_graphs_count_from_their_base),
        cmocka_unit_test(nodes_that_no_edge_names_are_made_with_a_note),
        cmocka_unit_test(a_label_column_of_whole_numbers_gives_labels),
        cmocka_unit_test(a_label_column_of_texts_names_the_classes),
        cmocka_unit_test(bad_tables_are_refused_by_line),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_wish_to_stop_is_heard_after_every_column),
        cmocka_unit_test(a_wish_to_stop_is_heard_between_many_rows),
        cmocka_unit_test(a_table_beside_no_edges_says_whether_ids_are_names),
        cmocka_unit_test(labels_that_are_known_stay_beside_a_column_of_that_name),
        cmocka_unit_test(the_id_column_needs_no_name_and_others_do),
        cmocka_unit_test(a_table_of_tabs_may_have_one_column),
        cmocka_unit_test(nodes_without_a_text_have_no_class),
        cmocka_unit_test(numbers_that_cannot_be_classes_are_an_attribute_alone),
        cmocka_unit_test(columns_of_many_nodes_need_data_behind_them),
        cmocka_unit_test(labels_are_taken_up_to_the_highest_class),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
