/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include "graph_set.h"
#include "unit_faults.h"

/* A triangle 0 1 2, nothing, a single node 3, and an edge 4 - 5. */
enum { GRAPHS = 4, NODES = 6 };
static const int64_t offsets[GRAPHS + 1] = {0, 3, 3, 4, 6};
static const uint32_t ends[] = {0, 1, 1, 2, 2, 0, 4, 5};

static dgm_graph *make_union(void) {
    return build_graph(NULL, NODES, 4, ends, NULL);
}

static dgm_graph_set *make_set(const int32_t *labels) {
    dgm_graph_set *set;
    assert_int_equal(dgm_graph_set_create(ctx, make_union(), GRAPHS, offsets, labels, &set),
                     DGM_OK);
    return set;
}

static void a_set_is_its_union_and_its_offsets(void **state) {
    (void)state;
    dgm_graph *united = make_union();
    dgm_graph_set *set;
    assert_int_equal(dgm_graph_set_create(ctx, united, GRAPHS, offsets, NULL, &set), DGM_OK);
    assert_ptr_equal(dgm_graph_set_union(set), united);
    assert_int_equal(dgm_graph_set_count(set), GRAPHS);
    assert_memory_equal(dgm_graph_set_offsets(set), offsets, sizeof offsets);
    int32_t classes = -1, folds = -1;
    assert_null(dgm_graph_set_classes(set, &classes));
    assert_null(dgm_graph_set_folds(set, &folds));
    assert_int_equal(classes, 0);
    assert_int_equal(folds, 0);
    dgm_graph_set_free(set);
    dgm_graph_set_free(NULL);
}

static void numbers_of_classes_are_put_in_order(void **state) {
    (void)state;
    dgm_graph_set *set = make_set((const int32_t[]){7, -1, 7, 3});
    const int32_t expected[] = {2, 0, 2, 1}, numbers[] = {-1, 3, 7};
    int32_t classes;
    assert_memory_equal(dgm_graph_set_classes(set, &classes), expected, sizeof expected);
    assert_int_equal(classes, 3);
    for (int32_t c = 0; c < classes; c++)
        assert_int_equal(dgm_graph_set_class_number(set, c), numbers[c]);
    assert_non_null(dgm_graph_set_classes(set, NULL));
    dgm_graph_set_free(set);
}

static void a_set_may_have_no_graph_at_all(void **state) {
    (void)state;
    const int64_t none = 0;
    dgm_graph_set *set;
    dgm_graph *empty = build_graph(NULL, 0, 0, NULL, NULL);
    assert_int_equal(dgm_graph_set_create(ctx, empty, 0, &none, (const int32_t[]){0}, &set),
                     DGM_OK);
    assert_int_equal(dgm_graph_set_count(set), 0);
    int32_t classes;
    dgm_graph_set_classes(set, &classes);
    assert_int_equal(classes, 0);
    dgm_graph *graph;
    ASSERT_FAILS(dgm_graph_set_get(ctx, set, 0, &graph), DGM_ERROR_USAGE,
                 "there is no graph 0: the set has 0 graphs, counted from 0");
    dgm_graph_set_free(set);
}

static void refuses(int64_t count, const int64_t *wrong, const char *words) {
    dgm_graph_set *set;
    ASSERT_FAILS(dgm_graph_set_create(ctx, make_union(), count, wrong, NULL, &set), DGM_ERROR_DATA,
                 words);
    assert_null(set);
}

static void ranges_that_do_not_fit_the_union_are_refused(void **state) {
    (void)state;
    refuses(-1, offsets, "a set cannot have -1 graphs");
    refuses(1, (const int64_t[]){1, 6}, "the offsets of the graphs begin with 1, not with 0");
    refuses(3, (const int64_t[]){0, 4, 3, 6},
            "the offsets of the graphs fall from 4 to 3 at row 1");
    refuses(2, (const int64_t[]){0, 3, 5},
            "the graphs of the set have 5 nodes, but their union has 6");
    refuses(1, (const int64_t[]){0, 7},
            "the graphs of the set have 7 nodes, but their union has 6");
}

static void an_edge_between_two_graphs_is_refused(void **state) {
    (void)state;
    refuses(2, (const int64_t[]){0, 2, 6},
            "an edge leads from node 0 of graph 0 to node 2 of graph 1 (graphs counted from 0); "
            "the graphs of a set must not be joined");
    refuses(4, (const int64_t[]){0, 3, 5, 5, 6},
            "an edge leads from node 4 of graph 1 to node 5 of graph 3 (graphs counted from 0); "
            "the graphs of a set must not be joined");
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *back = build_graph(&directed, 3, 1, (const uint32_t[]){2, 0}, NULL);
    dgm_graph_set *set;
    ASSERT_FAILS(
        dgm_graph_set_create(ctx, back, 2, (const int64_t[]){0, 1, 3}, NULL, &set), DGM_ERROR_DATA,
        "an edge leads from node 2 of graph 1 to node 0 of graph 0 (graphs counted from 0); the "
        "graphs of a set must not be joined");
}

static void folds_are_kept(void **state) {
    (void)state;
    const int32_t given[] = {1, -1, 0, 0};
    dgm_graph_set *set = make_set(NULL);
    int32_t folds;
    assert_int_equal(dgmi_graph_set_give_folds(ctx, set, 2, given), DGM_OK);
    assert_memory_equal(dgm_graph_set_folds(set, &folds), given, sizeof given);
    assert_int_equal(folds, 2);
    assert_non_null(dgm_graph_set_folds(set, NULL));
    dgm_graph_set_free(set);
}

static void a_union_outlives_its_set(void **state) {
    (void)state;
    dgm_graph *united = dgmi_graph_set_release(make_set((const int32_t[]){0, 0, 1, 1}));
    assert_int_equal(dgm_graph_nodes(united), NODES);
    dgm_graph_free(united);
}

/* ---- graphs of their own ---- */

static dgm_graph *get(const dgm_graph_set *set, int64_t k) {
    dgm_graph *graph;
    assert_int_equal(dgm_graph_set_get(ctx, set, k, &graph), DGM_OK);
    return graph;
}

static void each_graph_has_its_own_rows(void **state) {
    (void)state;
    dgm_graph_set *set = make_set(NULL);
    const int64_t nodes[] = {3, 0, 1, 2}, edges[] = {3, 0, 0, 1};
    for (int64_t k = 0; k < GRAPHS; k++) {
        dgm_graph *graph = get(set, k);
        assert_int_equal(dgm_graph_nodes(graph), nodes[k]);
        assert_int_equal(dgm_graph_edges(graph), edges[k]);
        dgm_graph_free(graph);
    }
    dgm_graph *last = get(set, 3);
    assert_int_equal(dgm_graph_get_counts(last).records, 1);
    assert_int_equal(dgm_graph_get_counts(last).repeats_merged, 0);
    dgm_graph_rows rows = dgm_graph_get_rows(last);
    assert_int_equal(rows.targets[0], 1);
    assert_int_equal(rows.targets[1], 0);
    char name[8];
    assert_int_equal(dgm_graph_name_base(last), -1);
    dgm_graph_name(last, 0, name, sizeof name);
    assert_string_equal(name, "4");
    assert_string_equal(dgm_graph_source(last), "graph 3");
    dgm_graph_free(last);
    dgm_graph_set_free(set);
}

static void a_graph_that_is_not_there_is_refused(void **state) {
    (void)state;
    dgm_graph_set *set = make_set(NULL);
    dgm_graph *graph;
    ASSERT_FAILS(dgm_graph_set_get(ctx, set, 4, &graph), DGM_ERROR_USAGE,
                 "there is no graph 4: the set has 4 graphs, counted from 0");
    assert_null(graph);
    ASSERT_FAILS(dgm_graph_set_get(ctx, set, -1, &graph), DGM_ERROR_USAGE,
                 "there is no graph -1: the set has 4 graphs, counted from 0");
    dgm_graph_set_free(set);
}

/* A directed, weighted union with a loop, names, labels with gaps and names, a split, features that
 * are sparse or dense, and attributes. */
static dgm_graph *make_rich_union(dgm_context *own, bool sparse, dgm_status *status) {
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true};
    const uint32_t pairs[] = {0, 1, 2, 2, 3, 2};
    const double weights[] = {1, 0.5, -2};
    const int32_t labels[] = {0, 4, -1, 4};
    const char *const classes[] = {"zero", "one", "two", "three", "four"};
    const uint8_t splits[] = {1, 2, 3, 0};
    const float values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const int64_t starts[] = {0, 1, 2, 2, 4};
    const uint32_t columns[] = {0, 1, 0, 1};
    const dgm_graph_features dense = {.width = 2, .values = values},
                             scattered = {.width = 2,
                                          .offsets = starts,
                                          .columns = columns,
                                          .values = values};
    const double numbers[] = {10, 11, 12, 13};
    const char *const texts[] = {"p", NULL, "q", "r"}, *const names[] = {"a", "b", "c", "d"};
    dgm_graph_builder *b;
    dgm_graph *graph = NULL;
    uint32_t node;
    *status = dgm_graph_builder_create(own, &options, &b);
    if (*status != DGM_OK)
        return NULL;
    for (int i = 0; *status == DGM_OK && i < 4; i++)
        *status = dgm_graph_builder_node(b, names[i], 1, &node);
    if (*status == DGM_OK)
        *status = dgm_graph_builder_add(b, 3, pairs, weights);
    if (*status == DGM_OK)
        *status = dgm_graph_builder_set_labels(b, 4, labels);
    if (*status == DGM_OK)
        *status = dgm_graph_builder_set_class_names(b, 5, classes);
    if (*status == DGM_OK)
        *status = dgm_graph_builder_set_splits(b, 4, splits);
    if (*status == DGM_OK)
        *status = dgm_graph_builder_set_features(b, 4, sparse ? &scattered : &dense);
    if (*status == DGM_OK)
        *status = dgm_graph_builder_add_numbers(b, "height", 4, numbers);
    if (*status == DGM_OK)
        *status = dgm_graph_builder_add_texts(b, "letter", 4, texts);
    if (*status == DGM_OK)
        *status = dgm_graph_builder_set_source(b, "toy");
    if (*status == DGM_OK)
        *status = dgm_graph_builder_finish(b, &graph);
    else
        dgm_graph_builder_free(b);
    return graph;
}

static dgm_graph_set *make_rich_set(bool sparse) {
    dgm_status status;
    dgm_graph_set *set;
    dgm_graph *united = make_rich_union(ctx, sparse, &status);
    assert_int_equal(status, DGM_OK);
    assert_int_equal(dgm_graph_set_create(ctx, united, 2, (const int64_t[]){0, 2, 4}, NULL, &set),
                     DGM_OK);
    return set;
}

static void a_graph_keeps_what_the_union_knows_of_its_nodes(void **state) {
    (void)state;
    dgm_graph_set *set = make_rich_set(false);
    dgm_graph *graph = get(set, 1);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    assert_true(rows.directed);
    assert_int_equal(rows.entries, 2);
    assert_int_equal(rows.targets[0], 0);
    assert_int_equal(rows.targets[1], 0);
    assert_true(rows.weights[0] == 0.5 && rows.weights[1] == -2);
    assert_int_equal(dgm_graph_get_counts(graph).loops_kept, 1);
    assert_string_equal(dgm_graph_name_text(graph, 1, NULL), "d");
    assert_string_equal(dgm_graph_source(graph), "toy, graph 1");
    assert_int_equal(dgm_graph_classes(graph), 1);
    assert_int_equal(dgm_graph_labels(graph)[0], -1);
    assert_int_equal(dgm_graph_labels(graph)[1], 0);
    assert_int_equal(dgm_graph_class_number(graph, 0), 4);
    assert_string_equal(dgm_graph_class_name(graph, 0), "four");
    assert_memory_equal(dgm_graph_splits(graph), ((const uint8_t[]){3, 0}), 2);
    const float values[] = {5, 6, 7, 8};
    assert_memory_equal(dgm_graph_get_features(graph).values, values, sizeof values);
    assert_true(dgm_graph_attribute(graph, 0).numbers[0] == 12);
    assert_string_equal(dgm_graph_attribute(graph, 1).texts[1], "r");
    dgm_graph_free(graph);
    dgm_graph_set_free(set);
}

static void sparse_features_begin_with_the_first_node(void **state) {
    (void)state;
    dgm_graph_set *set = make_rich_set(true);
    dgm_graph *graph = get(set, 1);
    dgm_graph_features features = dgm_graph_get_features(graph);
    assert_memory_equal(features.offsets, ((const int64_t[]){0, 0, 2}), 3 * sizeof(int64_t));
    assert_memory_equal(features.columns, ((const uint32_t[]){0, 1}), 2 * sizeof(uint32_t));
    assert_memory_equal(features.values, ((const float[]){3, 4}), 2 * sizeof(float));
    dgm_graph_free(graph);
    dgm_graph_set_free(set);
}

/* Names of classes whose numbers are far apart. */
static void a_graph_keeps_the_names_of_far_classes(void **state) {
    (void)state;
    static const int32_t numbers[] = {1, 8000000};
    dgm_graph_builder *builder;
    dgm_graph *united, *graph;
    dgm_graph_set *set;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 2), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, 2, numbers), DGM_OK);
    assert_int_equal(
        dgm_graph_builder_name_classes(builder, 2, numbers, (const char *const[]){"near", "far"}),
        DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &united), DGM_OK);
    assert_int_equal(dgm_graph_set_create(ctx, united, 2, (const int64_t[]){0, 1, 2}, NULL, &set),
                     DGM_OK);
    graph = get(set, 1);
    assert_int_equal(dgm_graph_class_number(graph, 0), 8000000);
    assert_string_equal(dgm_graph_class_name(graph, 0), "far");
    dgm_graph_free(graph);
    dgm_graph_set_free(set);
}

static dgm_status make_and_get(dgm_context *own, void *sparse) {
    dgm_status status;
    dgm_graph_set *set = NULL;
    dgm_graph *graph = NULL, *united = make_rich_union(own, *(bool *)sparse, &status);
    if (status == DGM_OK)
        status = dgm_graph_set_create(own, united, 2, (const int64_t[]){0, 2, 4},
                                      (const int32_t[]){5, 3}, &set);
    if (status == DGM_OK)
        status = dgmi_graph_set_give_folds(own, set, 2, (const int32_t[]){0, 1});
    if (status == DGM_OK)
        status = dgm_graph_set_get(own, set, 1, &graph);
    dgm_graph_free(graph);
    dgm_graph_set_free(set);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++)
        fail_each_allocation(make_and_get, &(bool){sparse});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_is_its_union_and_its_offsets),
        cmocka_unit_test(numbers_of_classes_are_put_in_order),
        cmocka_unit_test(a_set_may_have_no_graph_at_all),
        cmocka_unit_test(ranges_that_do_not_fit_the_union_are_refused),
        cmocka_unit_test(an_edge_between_two_graphs_is_refused),
        cmocka_unit_test(folds_are_kept),
        cmocka_unit_test(a_union_outlives_its_set),
        cmocka_unit_test(each_graph_has_its_own_rows),
        cmocka_unit_test(a_graph_that_is_not_there_is_refused),
        cmocka_unit_test(a_graph_keeps_what_the_union_knows_of_its_nodes),
        cmocka_unit_test(sparse_features_begin_with_the_first_node),
        cmocka_unit_test(a_graph_keeps_the_names_of_far_classes),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
