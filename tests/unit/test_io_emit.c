/* SPDX-License-Identifier: Apache-2.0 */
/* Writing GraphML, GEXF, GML and JSON: what is written is read back the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "graph_numbers.h"
#include "io_sample.h"

enum { FORMATS = 4 };
static const char *const files[FORMATS] = {"x.graphml", "x.gexf", "x.gml", "x.json"};

/* A graph of `nodes` nodes, a path with these weights (NULL: none); names NULL: numbers. */
static dgm_graph_builder *begin(const dgm_graph_options *options, int64_t nodes,
                                const char *const *names, const double *weights) {
    dgm_graph_builder *builder;
    assert_int_equal(dgm_graph_builder_create(ctx, options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, nodes), DGM_OK);
    for (uint32_t u = 0, node; names && u < nodes; u++)
        assert_int_equal(dgm_graph_builder_node(builder, names[u], strlen(names[u]), &node),
                         DGM_OK);
    for (uint32_t u = 0; u + 1 < nodes; u++) {
        const uint32_t ends[] = {u + 1, u};
        assert_int_equal(dgm_graph_builder_add(builder, 1, ends, weights ? weights + u : NULL),
                         DGM_OK);
    }
    return builder;
}

static dgm_graph *finish(dgm_graph_builder *builder) {
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void assert_round_trip(const dgm_graph *graph, const dgm_graph_options *options) {
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *back = write_and_read(graph, files[f], options);
        assert_same_graph(graph, back);
        dgm_graph_free(back);
    }
}

static const char *const hard_names[] = {
    "a b", "<&>\"'", "\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80", "]\\[", "&amp;&#65;", " x ",
    "007", ""};
static const double hard_numbers[] = {0.1,        -1e300, 4.9406564584124654e-324, 1.0 / 3,
                                      4294967296, 1e15,   123456789012345680.0,    -7};

static void hard_names_numbers_and_texts_come_back(void **state) {
    (void)state;
    const double few[] = {NAN, 1.5, NAN, -INFINITY, INFINITY, 0, 1e-9, NAN};
    const double whole[] = {1, 2, 3, NAN, -5, 1099511627776, 7, 8};
    const char *const texts[] = {"",     "tab\tline\nreturn\r", " blanks ", NULL, "12", "\"q\"",
                                 "&lt;", "\xE2\x82\xAC"};
    for (int directed = 0; directed < 2; directed++) {
        const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = directed};
        for (int named = 0; named < 2; named++) {
            dgm_graph_builder *builder =
                begin(&options, 8, named ? hard_names : NULL, hard_numbers);
            dgm_graph_builder_add_numbers(builder, "few", 8, few);
            dgm_graph_builder_add_numbers(builder, "hard", 8, hard_numbers);
            dgm_graph_builder_add_numbers(builder, "whole", 8, whole);
            dgm_graph_builder_add_texts(builder, "texts", 8, texts);
            dgm_graph *graph = finish(builder);
            assert_round_trip(graph, &options);
            dgm_graph_free(graph);
        }
    }
}

static void plain_graphs_come_back(void **state) {
    (void)state;
    for (int64_t nodes = 0; nodes < 4; nodes++)
        for (int64_t base = 0; base < (nodes ? 2 : 1); base++) {
            dgm_graph_builder *builder = begin(NULL, nodes, NULL, NULL);
            dgm_graph_builder_set_name_base(builder, base);
            dgm_graph *graph = finish(builder);
            assert_round_trip(graph, NULL);
            dgm_graph_free(graph);
        }
}

static void loops_come_back_where_they_are_kept(void **state) {
    (void)state;
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .keep_loops = true};
    const uint32_t ends[] = {0, 0, 0, 1};
    const double weights[] = {2, 3};
    dgm_graph_builder *builder;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 2, ends, weights), DGM_OK);
    dgm_graph *graph = finish(builder);
    assert_round_trip(graph, &options);
    dgm_graph_free(graph);
}

static void what_was_read_from_any_file_is_read_the_same_again(void **state) {
    (void)state;
    static const char *const data[] = {"networkx_small.graphml",
                                       "networkx_small.gexf",
                                       "networkx_small.gml",
                                       "networkx_small.json",
                                       "networkx_multi.gml",
                                       "gephi.gexf",
                                       "yed.graphml"};
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = true};
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        dgm_graph *graph = read_data(data[i], &options);
        /* GML allows fewer names of attributes. */
        bool gephi = strcmp(data[i], "gephi.gexf") == 0;
        for (int f = 0; f < FORMATS; f++) {
            if (gephi && f == 2)
                continue;
            dgm_graph *back = write_and_read(graph, files[f], &options);
            assert_same_graph(graph, back);
            dgm_graph_free(back);
        }
        dgm_graph_free(graph);
    }
}

static void labels_are_written_as_an_attribute_and_read_as_labels(void **state) {
    (void)state;
    static const char *const names[FORMATS] = {"label", "class", "class", "label"};
    const int32_t labels[] = {2, -1, 0};
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph_builder *builder = begin(NULL, 3, NULL, NULL);
        dgm_graph_builder_set_labels(builder, 3, labels);
        dgm_graph *graph = finish(builder), *back = write_and_read(graph, files[f], NULL);
        ASSERT_LABEL_NUMBERS(back, labels);
        assert_int_equal(dgm_graph_attributes(back), 1);
        assert_number(back, names[f], 0, 2);
        /* Now the attribute is there as well, and stays one. */
        dgm_graph *again = write_and_read(back, files[f], NULL);
        assert_string_equal(notes, "");
        assert_same_graph(back, again);
        for (int other = 0; other < FORMATS; other++) {
            dgm_graph *third = write_and_read(back, files[other], NULL);
            ASSERT_LABEL_NUMBERS(third, labels);
            assert_int_equal(dgm_graph_attributes(third), 1);
            dgm_graph_free(third);
        }
        dgm_graph_free(graph);
        dgm_graph_free(back);
        dgm_graph_free(again);
    }
}

static void labels_give_way_to_an_attribute_of_the_same_name(void **state) {
    (void)state;
    const int32_t labels[] = {1, 0};
    const char *const texts[] = {"Anna", "Ben"};
    dgm_graph_builder *builder = begin(NULL, 2, NULL, NULL);
    dgm_graph_builder_set_labels(builder, 2, labels);
    dgm_graph_builder_add_texts(builder, "label", 2, texts);
    dgm_graph *graph = finish(builder);
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *back = write_and_read(graph, files[f], NULL);
        assert_text(back, "label", 0, "Anna");
        assert_number(back, "class", 0, 1);
        ASSERT_LABEL_NUMBERS(back, labels);
        dgm_graph_free(back);
    }
    dgm_graph_free(graph);
}

/* "label" is a node's name to readers of GML and GEXF. */
static void labels_called_label_are_called_class_where_they_must(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.json",
                                 "{\"nodes\": [{\"id\": 0, \"label\": 1}, {\"id\": 1}], "
                                 "\"edges\": []}",
                                 NULL);
    for (int f = 1; f < 3; f++) {
        dgm_graph *back = write_and_read(graph, files[f], NULL);
        assert_non_null(strstr(notes, ": the attribute 'label' is written as 'class'\n"));
        assert_number(back, "class", 0, 1);
        assert_number(back, "class", 1, NAN);
        ASSERT_LABEL_NUMBERS(back, ((const int32_t[]){1, -1}));
        dgm_graph_free(back);
    }
    dgm_graph_free(graph);
}

static void labels_are_left_out_where_an_attribute_would_be_taken_for_them(void **state) {
    (void)state;
    const int32_t labels[] = {1, 0};
    const double numbers[] = {3, 4};
    const char *const texts[] = {"Anna", "Ben"};
    dgm_graph_builder *builder = begin(NULL, 2, NULL, NULL);
    dgm_graph_builder_set_labels(builder, 2, labels);
    dgm_graph_builder_add_texts(builder, "label", 2, texts);
    dgm_graph_builder_add_numbers(builder, "y", 2, numbers);
    dgm_graph *graph = finish(builder);
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *back = write_and_read(graph, files[f], NULL);
        assert_non_null(strstr(notes, "the labels are left out"));
        assert_int_equal(dgm_graph_attributes(back), 2);
        dgm_graph_free(back);
    }
    dgm_graph_free(graph);
}

static void attributes_without_values_stay_or_are_noted(void **state) {
    (void)state;
    const double numbers[] = {NAN, NAN};
    const char *const texts[] = {NULL, NULL};
    dgm_graph_builder *builder = begin(NULL, 2, NULL, NULL);
    dgm_graph_builder_add_numbers(builder, "n", 2, numbers);
    dgm_graph_builder_add_texts(builder, "label", 2, texts);
    dgm_graph *graph = finish(builder);
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *back = write_and_read(graph, files[f], NULL);
        if (f < 2)
            assert_same_graph(graph, back);
        else
            assert_non_null(strstr(notes, ": the attribute 'n' has no values and is left out\n"));
        dgm_graph_free(back);
    }
    dgm_graph_free(graph);
}

/* In GML ids number the nodes of a graph with names: a label may be such a number. */
static void labels_that_look_like_numbers_of_nodes_stay(void **state) {
    (void)state;
    const char *const names[] = {"a", "b"}, *const texts[] = {"0", "1"};
    dgm_graph_builder *builder = begin(NULL, 2, names, NULL);
    dgm_graph_builder_add_texts(builder, "label", 2, texts);
    dgm_graph *graph = finish(builder);
    assert_round_trip(graph, NULL);
    dgm_graph_free(graph);
}

static void names_that_a_format_cannot_hold_fail(void **state) {
    (void)state;
    const char *const control[] = {"a\x01"}, *const broken[] = {"\xFF"};
    dgm_graph *a = finish(begin(NULL, 1, control, NULL)), *b = finish(begin(NULL, 1, broken, NULL));
    for (int f = 0; f < FORMATS; f++) {
        const char *path = temporary_file(files[f]);
        assert_int_equal(dgm_graph_write(ctx, a, path, DGM_FORMAT_AUTO),
                         f < 2 ? DGM_ERROR_DATA : DGM_OK);
        assert_int_equal(access(path, F_OK), f < 2 ? -1 : 0);
        unlink(path);
        assert_int_equal(dgm_graph_write(ctx, b, path, DGM_FORMAT_AUTO), DGM_ERROR_DATA);
        assert_int_equal(access(path, F_OK), -1);
        clean_up();
    }
    dgm_graph *back = write_and_read(a, "x.json", NULL);
    assert_same_graph(a, back);
    dgm_graph_free(back);
    dgm_graph_free(a);
    dgm_graph_free(b);
}

static void texts_that_a_format_cannot_hold_are_replaced_with_a_note(void **state) {
    (void)state;
    const char *const texts[] = {"a\x01z"};
    dgm_graph_builder *builder = begin(NULL, 1, NULL, NULL);
    dgm_graph_builder_add_texts(builder, "t", 1, texts);
    dgm_graph *graph = finish(builder);
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *back = write_and_read(graph, files[f], NULL);
        assert_text(back, "t", 0, f < 2 ? "a\xEF\xBF\xBDz" : "a\x01z");
        assert_int_equal(strstr(notes, "1 characters of attributes cannot be written") != NULL,
                         f < 2);
        dgm_graph_free(back);
    }
    dgm_graph_free(graph);
}

static void attributes_whose_names_are_no_keys_are_renamed_with_a_note(void **state) {
    (void)state;
    const double one[] = {1}, two[] = {2}, three[] = {3};
    dgm_graph_builder *builder = begin(NULL, 1, NULL, NULL);
    dgm_graph_builder_add_numbers(builder, "a b", 1, one);
    dgm_graph_builder_add_numbers(builder, "a_b", 1, two);
    dgm_graph_builder_add_numbers(builder, "id", 1, three);
    dgm_graph_builder_add_numbers(builder, "1\xC3\xA9", 1, one);
    dgm_graph *graph = finish(builder);
    dgm_graph *back = write_and_read(graph, "x.gml", NULL);
    assert_number(back, "a_b_2", 0, 1);
    assert_number(back, "a_b", 0, 2);
    assert_number(back, "id_2", 0, 3);
    assert_number(back, "a1__", 0, 1);
    assert_non_null(strstr(notes, "GML: the attribute 'a b' is written as 'a_b_2'\n"));
    dgm_graph_free(back);
    back = write_and_read(graph, "x.json", NULL);
    assert_number(back, "a b", 0, 1);
    assert_number(back, "id_2", 0, 3);
    dgm_graph_free(back);
    for (int f = 0; f < 2; f++) {
        back = write_and_read(graph, files[f], NULL);
        assert_same_graph(graph, back);
        dgm_graph_free(back);
    }
    dgm_graph_free(graph);
}

static void attributes_of_the_same_name_are_told_apart(void **state) {
    (void)state;
    static const char *const seconds[FORMATS] = {[2] = "a_b_2", [3] = "a b_2"};
    dgm_graph_builder *builder = begin(NULL, 1, NULL, NULL);
    dgm_graph_builder_add_numbers(builder, "a b", 1, (const double[]){1});
    dgm_graph_builder_add_numbers(builder, "a b", 1, (const double[]){2});
    dgm_graph *graph = finish(builder);
    for (int f = 2; f < FORMATS; f++) {
        dgm_graph *back = write_and_read(graph, files[f], NULL);
        assert_number(back, f == 2 ? "a_b" : "a b", 0, 1);
        assert_number(back, seconds[f], 0, 2);
        dgm_graph_free(back);
    }
    dgm_graph_free(graph);
}

static void what_is_left_out_is_said(void **state) {
    (void)state;
    const float values[] = {1, 2};
    const uint8_t splits[] = {1, 2};
    const char *const classes[] = {"good", "bad"};
    dgm_graph_builder *builder = begin(NULL, 2, NULL, NULL);
    dgm_graph_builder_set_features(builder, 2, &(dgm_graph_features){.width = 1, .values = values});
    dgm_graph_builder_set_splits(builder, 2, splits);
    dgm_graph_builder_set_class_names(builder, 2, classes);
    dgm_graph *graph = finish(builder);
    for (int f = 0; f < FORMATS; f++) {
        free(written(graph, files[f]));
        assert_non_null(strstr(notes, "features"));
        assert_non_null(strstr(notes, "split"));
        assert_non_null(strstr(notes, "names of classes"));
    }
    dgm_graph_free(graph);
}

static void gml_numbers_are_what_the_format_allows(void **state) {
    (void)state;
    const double values[] = {1e-9, 4294967296, 3, INFINITY};
    dgm_graph_builder *builder = begin(NULL, 4, NULL, NULL);
    dgm_graph_builder_add_numbers(builder, "v", 4, values);
    dgm_graph *graph = finish(builder);
    char *text = written(graph, "x.gml");
    assert_non_null(strstr(text, "v 1.0e-09\n"));
    assert_non_null(strstr(text, "v 4294967296.0\n"));
    assert_non_null(strstr(text, "v 3\n"));
    assert_non_null(strstr(text, "v +INF\n"));
    free(text);
    dgm_graph_free(graph);
}

/* ---- memory ---- */

typedef struct {
    int64_t calls, fail_at;
} failing;

static void *resize_failing(void *user, void *block, size_t size) {
    failing *memory = user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return ++memory->calls == memory->fail_at ? NULL : realloc(block, size);
}

/* Lets each allocation of writing fail in turn, until none does; without any failure it ends as
 * `expected`. */
static void fail_each_writing(const dgm_graph *graph, const char *file, dgm_status expected) {
    const char *path = temporary_file(file);
    dgm_status status;
    failing memory;
    int64_t k = 2;
    do {
        memory = (failing){0, k};
        const dgm_allocator allocator = {resize_failing, &memory};
        dgm_context *frail;
        assert_int_equal(dgm_context_create(&allocator, &frail), DGM_OK);
        status = dgm_graph_write(frail, graph, path, DGM_FORMAT_AUTO);
        assert_int_equal(status,
                         memory.calls < k || status == expected ? expected : DGM_ERROR_MEMORY);
        assert_int_equal(access(path, F_OK), status == DGM_OK ? 0 : -1);
        dgm_context_free(frail);
        assert_true(k < 10000);
    } while (memory.calls >= k++);
    clean_up();
}

static void every_failed_allocation_is_a_clean_error(void **state) {
    (void)state;
    const int32_t labels[] = {0, 1, 0, 1, 0, 1, 0, 1};
    dgm_graph_builder *builder = begin(NULL, 8, hard_names, hard_numbers);
    dgm_graph_builder_add_numbers(builder, "a b", 8, hard_numbers);
    dgm_graph_builder_add_texts(builder, "id", 8, hard_names);
    dgm_graph_builder_set_labels(builder, 8, labels);
    dgm_graph *graph = finish(builder);
    for (int f = 0; f < FORMATS; f++)
        fail_each_writing(graph, files[f], DGM_OK);
    dgm_graph_free(graph);
}

static void names_without_a_key_are_no_graph_of_gml(void **state) {
    (void)state;
    static const char *const keys[] = {"label", "name", "node_name", "dgm_name"};
    const char *const names[] = {"a"};
    dgm_graph_builder *builder = begin(NULL, 1, names, NULL);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        dgm_graph_builder_add_texts(builder, keys[k], 1, names);
    dgm_graph *graph = finish(builder);
    fail_each_writing(graph, "x.gml", DGM_ERROR_DATA);
    dgm_graph_free(graph);
}

static void labels_stand_beside_an_attribute_that_cannot_be_labels(void **state) {
    (void)state;
    const int32_t labels[] = {1, 0};
    const double fractions[] = {0.5, 1.5};
    dgm_graph_builder *builder = begin(NULL, 2, NULL, NULL);
    dgm_graph_builder_set_labels(builder, 2, labels);
    dgm_graph_builder_add_numbers(builder, "label", 2, fractions);
    dgm_graph *graph = finish(builder);
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *back = write_and_read(graph, files[f], NULL);
        assert_number(back, "label", 1, 1.5);
        ASSERT_LABEL_NUMBERS(back, labels);
        dgm_graph_free(back);
    }
    dgm_graph_free(graph);
}

/* GML and GEXF would call them class or y, and both are taken. */
static void labels_keep_their_name_where_no_other_is_free(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.json",
                                 "{\"nodes\": [{\"id\": 0, \"label\": 1, \"class\": \"a\", \"y\": "
                                 "\"b\"}, {\"id\": 1, \"label\": 0}], \"edges\": []}",
                                 NULL);
    for (int f = 0; f < FORMATS; f++) {
        dgm_graph *back = write_and_read(graph, files[f], NULL);
        assert_null(strstr(notes, "labels are left out"));
        assert_same_graph(graph, back);
        dgm_graph_free(back);
    }
    dgm_graph_free(graph);
}

/* More text than is handed on at a time. */
static void large_graphs_come_back(void **state) {
    (void)state;
    enum { NODES = 9000 };
    static double numbers[NODES];
    for (int u = 0; u < NODES; u++)
        numbers[u] = u / 7.0;
    dgm_graph_builder *builder = begin(NULL, NODES, NULL, NULL);
    dgm_graph_builder_add_numbers(builder, "a", NODES, numbers);
    dgm_graph *graph = finish(builder);
    assert_round_trip(graph, NULL);
    dgm_graph_free(graph);
}

/* Doubles hold whole numbers up to 2^53. */
static void columns_of_whole_numbers_are_long_and_others_double(void **state) {
    (void)state;
    static const struct {
        const char *value;
        bool whole;
    } cases[] = {{"3", true},
                 {"-3", true},
                 {"0.5", false},
                 {"9007199254740992", true},
                 {"9007199254740994", false},
                 {"1e300", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[160];
        snprintf(text, sizeof text,
                 "{\"nodes\": [{\"id\": 0, \"a\": %s}, {\"id\": 1}], \"links\": []}",
                 cases[k].value);
        dgm_graph *graph = read_text("x.json", text, NULL);
        char *graphml = written(graph, "x.graphml"), *gexf = written(graph, "x.gexf");
        const char *graphml_type = cases[k].whole ? "attr.type=\"long\"" : "attr.type=\"double\"";
        const char *gexf_type = cases[k].whole ? "type=\"long\"" : "type=\"double\"";
        if (!strstr(graphml, graphml_type) || !strstr(gexf, gexf_type))
            fail_msg("%s: %s", cases[k].value, graphml);
        free(graphml);
        free(gexf);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hard_names_numbers_and_texts_come_back),
        cmocka_unit_test(plain_graphs_come_back),
        cmocka_unit_test(loops_come_back_where_they_are_kept),
        cmocka_unit_test(what_was_read_from_any_file_is_read_the_same_again),
        cmocka_unit_test(labels_are_written_as_an_attribute_and_read_as_labels),
        cmocka_unit_test(labels_give_way_to_an_attribute_of_the_same_name),
        cmocka_unit_test(labels_called_label_are_called_class_where_they_must),
        cmocka_unit_test(labels_are_left_out_where_an_attribute_would_be_taken_for_them),
        cmocka_unit_test(attributes_without_values_stay_or_are_noted),
        cmocka_unit_test(labels_that_look_like_numbers_of_nodes_stay),
        cmocka_unit_test(names_that_a_format_cannot_hold_fail),
        cmocka_unit_test(texts_that_a_format_cannot_hold_are_replaced_with_a_note),
        cmocka_unit_test(attributes_whose_names_are_no_keys_are_renamed_with_a_note),
        cmocka_unit_test(attributes_of_the_same_name_are_told_apart),
        cmocka_unit_test(what_is_left_out_is_said),
        cmocka_unit_test(gml_numbers_are_what_the_format_allows),
        cmocka_unit_test(every_failed_allocation_is_a_clean_error),
        cmocka_unit_test(names_without_a_key_are_no_graph_of_gml),
        cmocka_unit_test(labels_stand_beside_an_attribute_that_cannot_be_labels),
        cmocka_unit_test(labels_keep_their_name_where_no_other_is_free),
        cmocka_unit_test(large_graphs_come_back),
        cmocka_unit_test(columns_of_whole_numbers_are_long_and_others_double),
    };
    return RUN_GROUP(tests, make_context, free_context);
}
