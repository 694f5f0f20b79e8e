/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>

#include "export_sample.h"

static dgm_context *ctx;

#include "unit_balance.h"
static int notes;

static void count_note(void *user, const char *note) {
    (void)user;
    (void)note;
    notes++;
}

static int make_context(void **state) {
    (void)state;
    dgm_status status = dgm_context_create(NULL, &ctx);
    if (status == DGM_OK)
        dgm_context_set_notes(ctx, count_note, NULL);
    return status;
}

static int free_context(void **state) {
    (void)state;
    dgm_context_free(ctx);
    return 0;
}

/* Strict: no repeated keys, all of it read. */
static json_t *parse(const sample *made) {
    char *text = sample_text(ctx, made, DGM_EXPORT_JSON, 0);
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("line %d: %s in %s", error.line, error.text, text);
    dgm_export_text_free(ctx, text);
    return root;
}

static json_t *at(json_t *root, const char *section, const char *key) {
    json_t *value = json_object_get(json_object_get(root, section), key);
    assert_non_null(value);
    return value;
}

static void a_path_in_two_cells_is_written_like_this(void **state) {
    (void)state;
    const int32_t labels[] = {0, 0, 1, -1, 1, 1};
    const char *const classes[] = {"low \"end\"", "high", NULL}, *const axes[] = {"height"};
    sample made =
        sample_make(ctx, &(sample_parts){6, NULL, labels, classes, "path", 1, NULL, axes}, NULL);
    char *text = sample_text(ctx, &made, DGM_EXPORT_JSON, 0);
    char expected[2000];
    snprintf(
        expected, sizeof expected,
        "{\"format\": \"dgm-summary\", \"version\": 1,\n"
        " \"graph\": {\"nodes\": 6, \"edges\": 5, \"source\": \"path\"},\n"
        " \"lens\": {\"name\": \"height\", \"dim\": 1, \"axes\": [\"height\"], \"min\": [0], "
        "\"max\": [5]},\n"
        " \"cover\": {\"kind\": \"uniform\", \"intervals\": [2], \"overlap\": [0.5], "
        "\"rule\": \"gain\"},\n"
        " \"mapper\": {\"cluster\": \"components\", \"edges\": \"nerve\", \"strength\": \"links\", "
        "\"eps\": 0, \"min_size\": 1, \"min_component\": 0},\n"
        " \"classes\": [\"low \\\"end\\\"\", \"high\"],\n"
        " \"nodes\": [\n"
        "  {\"id\": 0, \"cell\": [0], \"size\": 4, \"name\": \"node 1\", \"lens\": [1.5], "
        "\"labels\": {\"low \\\"end\\\"\": 2, \"high\": 1}, "
        "\"outward\": 0.14285714285714285, "
        "\"top\": {\"lens\": [\"3\", \"2\", \"1\"], \"neighbours\": [\"1\", \"2\", \"3\"]}, "
        "\"members\": [\"0\", \"1\", \"2\", \"3\"]},\n"
        "  {\"id\": 1, \"cell\": [1], \"size\": 4, \"name\": \"node 4\", \"lens\": [3.5], "
        "\"labels\": {\"high\": 3}, \"outward\": 0.14285714285714285, "
        "\"top\": {\"lens\": [\"5\", \"4\", \"3\"], \"neighbours\": [\"2\", \"3\", \"4\"]}, "
        "\"members\": [\"2\", \"3\", \"4\", \"5\"]}],\n"
        " \"edges\": [\n"
        "  {\"source\": 0, \"target\": 1, \"shared\": 2, \"links\": 3, \"weight\": 1}],\n"
        " \"coverage\": {\"nodes\": 6, \"covered\": 6, \"filtered\": 0, \"filtered_by\": {}, "
        "\"lost\": 0, \"edges\": 5, \"edges_inside\": 5},\n"
        " \"topology\": {\"b0\": 1, \"b1\": 0, \"skeleton_loops\": 0, \"triangles\": 0, "
        "\"cycle_rank\": 0},\n"
        " \"provenance\": {\"version\": \"%s\", \"seed\": 1, "
        "\"command\": \"dgm map path --intervals 2\"}}\n",
        dgm_version());
    assert_string_equal(text, expected);
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

static void any_name_comes_back_and_broken_ones_are_noted(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 1;
    sample made = sample_make(
        ctx, &(sample_parts){.nodes = HARD_TEXTS, .names = hard_texts, .source = hard_texts[9]},
        &options);
    notes = 0;
    json_t *root = parse(&made);
    assert_int_equal(notes, 1);
    json_t *members = json_object_get(json_array_get(json_object_get(root, "nodes"), 0), "members");
    assert_int_equal(json_array_size(members), HARD_TEXTS);
    for (size_t i = 0; i < HARD_TEXTS; i++)
        assert_string_equal(json_string_value(json_array_get(members, i)), hard_texts_repaired[i]);
    assert_string_equal(json_string_value(at(root, "graph", "source")), hard_texts_repaired[9]);
    json_decref(root);
    sample_free(&made);
}

static void valid_names_need_no_note(void **state) {
    (void)state;
    const char *const names[] = {"a", "\xC3\xA9", "\x01"};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 3, .names = names}, NULL);
    notes = 0;
    json_decref(parse(&made));
    assert_int_equal(notes, 0);
    sample_free(&made);
}

static void a_name_of_ten_thousand_characters_is_whole(void **state) {
    (void)state;
    enum { LENGTH = 10000 };
    char *name = malloc(LENGTH + 1);
    for (int i = 0; i < LENGTH; i++)
        name[i] = i % 10 ? 'x' : '"';
    name[LENGTH] = '\0';
    const char *const names[] = {name};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 1, .names = names}, NULL);
    json_t *root = parse(&made);
    json_t *members = json_object_get(json_array_get(json_object_get(root, "nodes"), 0), "members");
    assert_string_equal(json_string_value(json_array_get(members, 0)), name);
    json_decref(root);
    sample_free(&made);
    free(name);
}

static void numbers_read_back_exactly(void **state) {
    (void)state;
    const double lens[] = {0.1, 1.0 / 3, 1e-300, 6.02214076e23};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 1;
    options.overlap[0] = 0.30000000000000004;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 4, .lens = lens}, &options);
    json_t *root = parse(&made);
    assert_true(json_number_value(json_array_get(at(root, "lens", "min"), 0)) == 1e-300);
    assert_true(json_number_value(json_array_get(at(root, "lens", "max"), 0)) == 6.02214076e23);
    assert_true(json_number_value(json_array_get(at(root, "cover", "overlap"), 0)) ==
                0.30000000000000004);
    json_t *cluster = json_array_get(json_object_get(root, "nodes"), 0);
    assert_true(json_number_value(json_array_get(json_object_get(cluster, "lens"), 0)) ==
                dgm_summary_get_clusters(made.summary).lens[0]);
    json_decref(root);
    sample_free(&made);
}

static void lists_per_axis_are_resolved(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 3;
    options.intervals[1] = 2;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 8, .columns = 3}, &options);
    json_t *root = parse(&made);
    const int expected[] = {3, 2, 2};
    for (size_t a = 0; a < 3; a++) {
        assert_int_equal(json_integer_value(json_array_get(at(root, "cover", "intervals"), a)),
                         expected[a]);
        assert_true(json_number_value(json_array_get(at(root, "cover", "overlap"), a)) == 0.2);
    }
    json_t *cluster = json_array_get(json_object_get(root, "nodes"), 0);
    assert_int_equal(json_array_size(json_object_get(cluster, "cell")), 3);
    assert_int_equal(json_array_size(json_object_get(cluster, "lens")), 3);
    json_decref(root);
    sample_free(&made);
}

static void given_intervals_are_listed_with_null_for_infinity(void **state) {
    (void)state;
    const dgm_interval given[] = {{-INFINITY, 3}, {2.5, INFINITY}};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_INTERVALS;
    options.given = given;
    options.given_count = 2;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, &options);
    json_t *root = parse(&made);
    assert_string_equal(json_string_value(at(root, "cover", "kind")), "intervals");
    assert_int_equal(json_integer_value(json_array_get(at(root, "cover", "intervals"), 0)), 2);
    json_t *cells = at(root, "cover", "cells");
    assert_true(json_is_null(json_array_get(json_array_get(cells, 0), 0)));
    assert_true(json_number_value(json_array_get(json_array_get(cells, 0), 1)) == 3);
    assert_true(json_number_value(json_array_get(json_array_get(cells, 1), 0)) == 2.5);
    assert_true(json_is_null(json_array_get(json_array_get(cells, 1), 1)));
    json_decref(root);
    sample_free(&made);
}

static void the_simplex_has_a_cell_for_every_column(void **state) {
    (void)state;
    const double lens[] = {1, 0, 0, 0.5, 0.5, 0, 0, 0.1, 0.9};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_SIMPLEX;
    sample made =
        sample_make(ctx, &(sample_parts){.nodes = 3, .columns = 3, .lens = lens}, &options);
    json_t *root = parse(&made);
    assert_string_equal(json_string_value(at(root, "cover", "kind")), "simplex");
    assert_int_equal(json_array_size(at(root, "cover", "intervals")), 1);
    assert_int_equal(json_integer_value(json_array_get(at(root, "cover", "intervals"), 0)), 3);
    assert_int_equal(json_integer_value(at(root, "lens", "dim")), 3);
    json_decref(root);
    sample_free(&made);
}

static void only_rules_that_filtered_are_named(void **state) {
    (void)state;
    const dgm_interval given[] = {{0, 2}, {4, 5}};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_INTERVALS;
    options.given = given;
    options.given_count = 2;
    options.min_component = 3;
    /* Nodes 0 1 lie in the first cell, 4 5 in the second; 2 and 3 in none; both components are too
     * small. */
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6}, &options);
    json_t *root = parse(&made), *rules = at(root, "coverage", "filtered_by");
    assert_int_equal(json_object_size(rules), 2);
    assert_int_equal(json_integer_value(json_object_get(rules, "cover")), 2);
    assert_int_equal(json_integer_value(json_object_get(rules, "min-component")), 4);
    assert_int_equal(json_integer_value(at(root, "coverage", "filtered")), 6);
    assert_int_equal(json_array_size(json_object_get(root, "nodes")), 0);
    json_decref(root);
    sample_free(&made);
}

static void an_empty_graph_has_an_empty_summary(void **state) {
    (void)state;
    sample made = sample_make(ctx, &(sample_parts){0}, NULL);
    json_t *root = parse(&made);
    assert_int_equal(json_array_size(json_object_get(root, "nodes")), 0);
    assert_int_equal(json_array_size(json_object_get(root, "edges")), 0);
    assert_int_equal(json_integer_value(at(root, "graph", "nodes")), 0);
    json_decref(root);
    sample_free(&made);
}

/* The labels of cluster 0 of a summary of one cell. */
static void check_labels(const int32_t *labels, const char *const *classes, const char *expected) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 1;
    sample made = sample_make(
        ctx, &(sample_parts){.nodes = 4, .labels = labels, .classes = classes}, &options);
    json_t *root = parse(&made);
    json_t *cluster = json_array_get(json_object_get(root, "nodes"), 0);
    char *text = json_dumps(json_object_get(cluster, "labels"), 0);
    assert_string_equal(text, expected);
    free(text);
    json_decref(root);
    sample_free(&made);
}

static void labels_are_counted_by_class_name_or_number(void **state) {
    (void)state;
    const int32_t few[] = {1, 0, 1, -1}, many[] = {2000000000, 7, 7, -1}, none[] = {-1, -1, -1, -1};
    const char *const good[] = {"a", "b", NULL}, *const equal[] = {"a", "a", NULL},
                      *const short_list[] = {"a", NULL}, *const broken[] = {"a", "\xFF", NULL};
    check_labels(few, good, "{\"a\": 1, \"b\": 2}");
    check_labels(few, NULL, "{\"0\": 1, \"1\": 2}");
    check_labels(few, equal, "{\"0\": 1, \"1\": 2}");
    check_labels(few, short_list, "{\"0\": 1, \"1\": 2}");
    check_labels(few, broken, "{\"0\": 1, \"1\": 2}");
    check_labels(many, NULL, "{\"7\": 2, \"2000000000\": 1}");
    check_labels(none, NULL, "{}");
}

static void names_of_settings_are_those_of_the_options(void **state) {
    (void)state;
    static const struct {
        const char *section, *key, *option;
        size_t offset;
    } settings[] = {
        {"mapper", "cluster", "cluster", offsetof(dgm_mapper_options, cluster)},
        {"mapper", "edges", "edges", offsetof(dgm_mapper_options, edges)},
        {"mapper", "strength", "strength", offsetof(dgm_mapper_options, strength)},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const dgm_option *option = dgm_option_find(dgm_mapper_option_table(), settings[i].option);
        assert_non_null(option);
        for (int choice = 0; option->choices[choice]; choice++) {
            dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
            *(int *)((char *)&options + settings[i].offset) = choice;
            options.reach = 1; /* without which dbscan is refused */
            sample made = sample_make(ctx, &(sample_parts){.nodes = 5}, &options);
            json_t *root = parse(&made);
            assert_string_equal(json_string_value(at(root, settings[i].section, settings[i].key)),
                                option->choices[choice]);
            json_decref(root);
            sample_free(&made);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_in_two_cells_is_written_like_this),
        cmocka_unit_test(any_name_comes_back_and_broken_ones_are_noted),
        cmocka_unit_test(valid_names_need_no_note),
        cmocka_unit_test(a_name_of_ten_thousand_characters_is_whole),
        cmocka_unit_test(numbers_read_back_exactly),
        cmocka_unit_test(lists_per_axis_are_resolved),
        cmocka_unit_test(given_intervals_are_listed_with_null_for_infinity),
        cmocka_unit_test(the_simplex_has_a_cell_for_every_column),
        cmocka_unit_test(only_rules_that_filtered_are_named),
        cmocka_unit_test(an_empty_graph_has_an_empty_summary),
        cmocka_unit_test(labels_are_counted_by_class_name_or_number),
        cmocka_unit_test(names_of_settings_are_those_of_the_options),
    };
    return RUN_GROUP(tests, make_context, free_context);
}
