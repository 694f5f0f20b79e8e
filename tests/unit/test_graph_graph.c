/* SPDX-License-Identifier: Apache-2.0 */
/* From names to nodes. */
#include "unit_fixture.h"

#include <stdio.h>

static dgm_graph_index *index_of(const dgm_graph *graph) {
    dgm_graph_index *index;
    assert_int_equal(dgm_graph_index_create(ctx, graph, &index), DGM_OK);
    return index;
}

static int64_t find(const dgm_graph_index *index, const char *name) {
    return dgm_graph_index_find(index, name, strlen(name));
}

static void numbers_are_found_from_their_base(void **state) {
    (void)state;
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 10), DGM_OK);
    dgm_graph_builder_set_name_base(builder, 1);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    dgm_graph_index *index = index_of(graph);
    assert_int_equal(find(index, "1"), 0);
    assert_int_equal(find(index, "10"), 9);
    assert_int_equal(find(index, "0"), -1);
    assert_int_equal(find(index, "11"), -1);
    assert_int_equal(find(index, "-1"), -1);
    assert_int_equal(find(index, "x"), -1);
    assert_int_equal(find(index, ""), -1);
    assert_int_equal(find(index, "1.0"), -1);
    assert_int_equal(find(index, "9223372036854775807"), -1);
    assert_int_equal(find(index, "-9223372036854775808"), -1);
    dgm_graph_index_free(index);
    dgm_graph_free(graph);
}

/* Enough names for the table to grow several times. */
static void names_are_found_and_strangers_are_not(void **state) {
    (void)state;
    enum { NODES = 5000 };
    dgm_graph_builder *builder;
    dgm_graph *graph;
    char name[64];
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < NODES; i++) {
            uint32_t node;
            int length = snprintf(name, sizeof name, "%u%s", i, i % 3 ? " of many names" : "");
            assert_int_equal(dgm_graph_builder_node(builder, name, (size_t)length, &node), DGM_OK);
            assert_int_equal(node, i);
        }
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_graph_nodes(graph), NODES);
    dgm_graph_index *index = index_of(graph);
    for (uint32_t i = 0; i < NODES; i++) {
        snprintf(name, sizeof name, "%u%s", i, i % 3 ? " of many names" : "");
        assert_int_equal(find(index, name), i);
        snprintf(name, sizeof name, "%u%s", i, i % 3 ? "" : " of many names");
        assert_int_equal(find(index, name), -1);
    }
    assert_int_equal(dgm_graph_index_find(index, "33 and more", 2), 33); /* the length rules */
    dgm_graph_index_free(index);
    dgm_graph_index_free(NULL);
    dgm_graph_free(graph);
}

static void a_name_may_hold_a_zero_byte(void **state) {
    (void)state;
    dgm_graph_builder *builder;
    dgm_graph *graph;
    uint32_t first, second;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_node(builder, "a\0b", 3, &first), DGM_OK);
    assert_int_equal(dgm_graph_builder_node(builder, "a\0c", 3, &second), DGM_OK);
    assert_int_not_equal(first, second);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    dgm_graph_index *index = index_of(graph);
    assert_int_equal(dgm_graph_index_find(index, "a\0c", 3), second);
    assert_int_equal(find(index, "a"), -1);
    dgm_graph_index_free(index);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_found_from_their_base),
        cmocka_unit_test(names_are_found_and_strangers_are_not),
        cmocka_unit_test(a_name_may_hold_a_zero_byte),
    };
    return RUN_WITH_CONTEXT(tests);
}
