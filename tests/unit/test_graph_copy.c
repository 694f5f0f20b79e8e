/* SPDX-License-Identifier: Apache-2.0 */
/* A graph with one more attribute is a copy of the graph. */
#include "unit_fixture.h"

#include <math.h>

#include "rich_sample.h"
#include "unit_faults.h"

static void an_attribute_more_changes_nothing_else(void **state) {
    (void)state;
    dgm_graph *graph = rich_graph(ctx), *other;
    int64_t nodes = dgm_graph_nodes(graph), before = dgm_graph_attributes(graph);
    double numbers[64];
    assert_true(nodes > 1 && nodes <= 64);
    for (int64_t u = 0; u < nodes; u++)
        numbers[u] = u == 1 ? NAN : (double)u / 3;
    const dgm_attribute attribute = {"third", DGM_ATTRIBUTE_NUMBER, numbers, NULL};
    assert_int_equal(dgm_graph_with_attribute(ctx, graph, &attribute, &other), DGM_OK);
    assert_int_equal(dgm_graph_attributes(graph), before);
    assert_int_equal(dgm_graph_attributes(other), before + 1);
    dgm_attribute made = dgm_graph_attribute(other, before);
    assert_string_equal(made.name, "third");
    assert_int_equal(made.kind, DGM_ATTRIBUTE_NUMBER);
    assert_memory_equal(made.numbers, numbers, (size_t)nodes * sizeof *numbers);
    assert_null(made.texts);
    dgm_graph_rows a = dgm_graph_get_rows(graph), b = dgm_graph_get_rows(other);
    assert_memory_equal(a.offsets, b.offsets, (size_t)(nodes + 1) * sizeof *a.offsets);
    assert_memory_equal(a.targets, b.targets, (size_t)a.entries * sizeof *a.targets);
    for (int64_t k = 0; k < before; k++)
        assert_string_equal(dgm_graph_attribute(graph, k).name, dgm_graph_attribute(other, k).name);
    dgm_graph_free(graph);
    dgm_graph_free(other);
}

static void an_attribute_takes_the_place_of_its_namesake(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 3, 1, (const uint32_t[]){0, 1}, NULL), *first, *second;
    const dgm_attribute numbers = {"x", DGM_ATTRIBUTE_NUMBER, (const double[]){1, 2, 3}, NULL};
    const dgm_attribute texts = {"x", DGM_ATTRIBUTE_TEXT, NULL,
                                 (const char *const[]){"one", NULL, ""}};
    assert_int_equal(dgm_graph_with_attribute(ctx, graph, &numbers, &first), DGM_OK);
    assert_int_equal(dgm_graph_with_attribute(ctx, first, &texts, &second), DGM_OK);
    assert_int_equal(dgm_graph_attributes(second), 1);
    dgm_attribute made = dgm_graph_attribute(second, 0);
    assert_int_equal(made.kind, DGM_ATTRIBUTE_TEXT);
    assert_string_equal(made.texts[0], "one");
    assert_null(made.texts[1]);
    assert_string_equal(made.texts[2], "");
    assert_null(made.numbers);
    assert_near(dgm_graph_attribute(first, 0).numbers[2], 3, 0);
    dgm_graph_free(graph);
    dgm_graph_free(first);
    dgm_graph_free(second);
}

static void a_graph_without_nodes_has_an_attribute_of_none(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL), *other;
    const dgm_attribute texts = {"x", DGM_ATTRIBUTE_TEXT, NULL, NULL};
    assert_int_equal(dgm_graph_with_attribute(ctx, graph, &texts, &other), DGM_OK);
    assert_int_equal(dgm_graph_attribute_find(other, "x"), 0);
    dgm_graph_free(graph);
    dgm_graph_free(other);
}

static dgm_status add_attributes(dgm_context *own, void *argument) {
    const dgm_graph *graph = argument;
    dgm_graph *first = NULL, *second = NULL;
    const dgm_attribute numbers = {"x", DGM_ATTRIBUTE_NUMBER, (const double[]){1, 2, 3}, NULL};
    const dgm_attribute texts = {"x", DGM_ATTRIBUTE_TEXT, NULL,
                                 (const char *const[]){"one", NULL, ""}};
    dgm_status status = dgm_graph_with_attribute(own, graph, &numbers, &first);
    if (status == DGM_OK)
        status = dgm_graph_with_attribute(own, first, &texts, &second);
    dgm_graph_free(first);
    dgm_graph_free(second);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 3, 1, (const uint32_t[]){0, 1}, NULL);
    fail_each_allocation(add_attributes, graph);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_attribute_more_changes_nothing_else),
        cmocka_unit_test(an_attribute_takes_the_place_of_its_namesake),
        cmocka_unit_test(a_graph_without_nodes_has_an_attribute_of_none),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
