/* SPDX-License-Identifier: Apache-2.0 */
/* The features of nodes as networks that pool see them. */
#include "unit_fixture.h"

#include "base_context.h"
#include "pool_features.h"

/* A star of four and a single node. The labels are 5, 7 and none; nodes have two attributes. */
enum { NODES = 5 };
static const uint32_t ends[] = {0, 1, 0, 2, 0, 3};
static const int32_t labels[NODES] = {7, 5, 5, -1, 7};

static dgm_graph_set *make_set(bool labelled, const dgm_graph_features *features) {
    const int64_t starts[] = {0, 4, NODES};
    dgm_graph_builder *builder;
    dgm_graph *united;
    dgm_graph_set *set;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, NODES), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 3, ends, NULL), DGM_OK);
    if (labelled)
        assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, labels), DGM_OK);
    if (features)
        assert_int_equal(dgm_graph_builder_set_features(builder, NODES, features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &united), DGM_OK);
    assert_int_equal(dgm_graph_set_create(ctx, united, 2, starts, NULL, &set), DGM_OK);
    return set;
}

/* The labels that a trained network knows; NULL: those of the set. */
static const int32_t *known;
static int64_t known_count;

static dgm_status make(const dgm_graph_set *set, int kind, int64_t clamp, dgmi_pool_stack *out,
                       int64_t *width) {
    const dgmi_pool_plan plan = {.set = set,
                                 .features = kind,
                                 .clamp = clamp,
                                 .label_numbers = known,
                                 .label_count = known_count};
    *out = (dgmi_pool_stack){0};
    return dgmi_pool_features_make(ctx, &plan, out, width);
}

static void expect(bool labelled, const dgm_graph_features *features, int kind, int64_t clamp,
                   int64_t columns, const float *expected) {
    dgm_graph_set *set = make_set(labelled, features);
    dgmi_pool_stack stack;
    int64_t width;
    assert_int_equal(make(set, kind, clamp, &stack, &width), DGM_OK);
    assert_int_equal(width, columns);
    for (int64_t u = 0; u < NODES; u++) {
        float row[8] = {0};
        for (int64_t i = stack.offsets[u]; i < stack.offsets[u + 1]; i++) {
            assert_true(stack.indices[i] < columns);
            row[stack.indices[i]] += stack.values[i];
        }
        for (int64_t j = 0; j < columns; j++)
            assert_true(row[j] == expected[u * columns + j]);
    }
    dgmi_pool_stack_free(&ctx->allocator, &stack);
    dgm_graph_set_free(set);
}

static void labels_are_one_hot(void **state) {
    (void)state;
    const float expected[] = {0, 1, 1, 0, 1, 0, 0, 0, 0, 1};
    expect(true, NULL, DGM_POOL_FEATURES_LABELS, 9, 2, expected);
    expect(true, NULL, DGM_POOL_FEATURES_AUTO, 9, 2, expected);
}

/* Degrees 3, 1, 1, 1, 0; all above the clamp share the last column. */
static void degrees_are_one_hot_and_clamped(void **state) {
    (void)state;
    expect(false, NULL, DGM_POOL_FEATURES_AUTO, 3, 4,
           (const float[]){0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0});
    expect(true, NULL, DGM_POOL_FEATURES_DEGREE, 2, 3,
           (const float[]){0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0});
}

static void attributes_are_taken_as_they_are(void **state) {
    (void)state;
    const float values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const dgm_graph_features dense = {.width = 2, .values = values};
    expect(true, &dense, DGM_POOL_FEATURES_ATTRIBUTES, 9, 2, values);
    expect(true, &dense, DGM_POOL_FEATURES_ALL, 9, 4,
           (const float[]){0, 1, 1, 2, 1, 0, 3, 4, 1, 0, 5, 6, 0, 0, 7, 8, 0, 1, 9, 10});
}

static void sparse_attributes_are_put_behind_labels(void **state) {
    (void)state;
    const int64_t offsets[] = {0, 1, 1, 3, 3, 4};
    const uint32_t columns[] = {1, 0, 1, 0};
    const dgm_graph_features ones = {.width = 2, .offsets = offsets, .columns = columns};
    expect(true, &ones, DGM_POOL_FEATURES_ALL, 9, 4,
           (const float[]){0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0});
}

static void sparse_attributes_have_their_values(void **state) {
    (void)state;
    const int64_t offsets[] = {0, 1, 1, 3, 3, 4};
    const uint32_t columns[] = {1, 0, 1, 0};
    const float values[] = {2, 3, 5, 7};
    const dgm_graph_features sparse = {
        .width = 2, .offsets = offsets, .columns = columns, .values = values};
    expect(false, &sparse, DGM_POOL_FEATURES_ATTRIBUTES, 9, 2,
           (const float[]){0, 2, 0, 0, 3, 5, 0, 0, 7, 0});
}

/* A network has seen 3, 5, 7 and 9: a label stands in the column that it had there. */
static void labels_stand_in_the_columns_that_a_network_knows(void **state) {
    (void)state;
    const int32_t numbers[] = {3, 5, 7, 9};
    known = numbers;
    known_count = 4;
    expect(true, NULL, DGM_POOL_FEATURES_LABELS, 9, 4,
           (const float[]){0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0});
    known_count = 3; /* the last of them is one */
    expect(true, NULL, DGM_POOL_FEATURES_LABELS, 9, 3,
           (const float[]){0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1});
    known_count = 2;
    dgm_graph_set *set = make_set(true, NULL);
    dgmi_pool_stack stack;
    int64_t width;
    ASSERT_FAILS(make(set, DGM_POOL_FEATURES_LABELS, 9, &stack, &width), DGM_ERROR_DATA,
                 "a node has the label 7, which the network has never seen");
    dgm_graph_set_free(set);
    known = NULL;
}

static void what_is_not_there_is_refused(void **state) {
    (void)state;
    dgm_graph_set *set = make_set(false, NULL);
    dgmi_pool_stack stack;
    int64_t width;
    ASSERT_FAILS(make(set, DGM_POOL_FEATURES_LABELS, 9, &stack, &width), DGM_ERROR_DATA,
                 "the nodes of this set have no labels; features=auto takes what there is");
    ASSERT_FAILS(make(set, DGM_POOL_FEATURES_ATTRIBUTES, 9, &stack, &width), DGM_ERROR_DATA,
                 "the nodes of this set have no attributes; features=auto takes what there is");
    ASSERT_FAILS(make(set, DGM_POOL_FEATURES_ALL, 9, &stack, &width), DGM_ERROR_DATA,
                 "the nodes of this set have no attributes; features=auto takes what there is");
    dgm_graph_set_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_one_hot),
        cmocka_unit_test(degrees_are_one_hot_and_clamped),
        cmocka_unit_test(attributes_are_taken_as_they_are),
        cmocka_unit_test(sparse_attributes_are_put_behind_labels),
        cmocka_unit_test(sparse_attributes_have_their_values),
        cmocka_unit_test(labels_stand_in_the_columns_that_a_network_knows),
        cmocka_unit_test(what_is_not_there_is_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
