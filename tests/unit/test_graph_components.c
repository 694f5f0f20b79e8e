/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include "base_random.h"

static void components_are_numbered_by_their_smallest_node(void **state) {
    (void)state;
    const uint32_t ends[] = {5, 1, 4, 2, 2, 6};
    dgm_graph *graph = build_graph(NULL, 8, 3, ends, NULL);
    uint32_t component[8];
    int64_t count;
    assert_int_equal(dgm_graph_components(ctx, graph, component, &count), DGM_OK);
    const uint32_t expected[] = {0, 1, 2, 3, 2, 1, 2, 4};
    assert_int_equal(count, 5);
    assert_memory_equal(component, expected, sizeof expected);
    dgm_graph_free(graph);
}

static void components_of_a_directed_graph_are_weak(void **state) {
    (void)state;
    const uint32_t ends[] = {1, 0, 1, 2, 4, 3};
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph = build_graph(&options, 0, 3, ends, NULL);
    uint32_t component[5];
    int64_t count;
    assert_int_equal(dgm_graph_components(ctx, graph, component, &count), DGM_OK);
    const uint32_t expected[] = {0, 0, 0, 1, 1};
    assert_int_equal(count, 2);
    assert_memory_equal(component, expected, sizeof expected);
    dgm_graph_free(graph);
}

static void components_may_be_counted_alone(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 7, 1, (const uint32_t[]){2, 4}, NULL);
    int64_t count;
    assert_int_equal(dgm_graph_components(ctx, graph, NULL, &count), DGM_OK);
    assert_int_equal(count, 6);
    dgm_graph_free(graph);
    graph = build_graph(NULL, 0, 0, NULL, NULL);
    assert_int_equal(dgm_graph_components(ctx, graph, NULL, &count), DGM_OK);
    assert_int_equal(count, 0);
    dgm_graph_free(graph);
}

enum { NODES = 20000 };

/* Breadth first, from each node that no component holds yet, in ascending order. */
static int64_t breadth_first(dgm_graph_rows rows, uint32_t *component) {
    static uint32_t queue[NODES];
    int64_t count = 0;
    memset(component, 0xFF, NODES * sizeof *component);
    for (uint32_t start = 0; start < NODES; start++) {
        if (component[start] != UINT32_MAX)
            continue;
        int64_t head = 0, tail = 0;
        queue[tail++] = start;
        component[start] = (uint32_t)count;
        while (head < tail) {
            uint32_t u = queue[head++];
            for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
                if (component[rows.targets[e]] == UINT32_MAX) {
                    component[rows.targets[e]] = (uint32_t)count;
                    queue[tail++] = rows.targets[e];
                }
        }
        count++;
    }
    return count;
}

/* Near half an edge a node components of every size occur. */
static void components_are_those_of_breadth_first_search(void **state) {
    (void)state;
    static uint32_t ends[2 * NODES], found[NODES], expected[NODES];
    static const int64_t edges[] = {NODES / 4, NODES / 2, NODES * 6 / 10, NODES};
    for (int64_t k = 0; k < COUNT(edges); k++) {
        for (int64_t i = 0; i < 2 * edges[k]; i++)
            ends[i] = (uint32_t)dgmi_random_below(8, (uint64_t)k, (uint64_t)i, NODES);
        dgm_graph *graph = build_graph(NULL, NODES, edges[k], ends, NULL);
        int64_t count, wanted = breadth_first(dgm_graph_get_rows(graph), expected);
        for (int threads = 1; threads <= 8; threads *= 2) {
            dgm_context_set_threads(ctx, threads);
            assert_int_equal(dgm_graph_components(ctx, graph, found, &count), DGM_OK);
            assert_int_equal(count, wanted);
            assert_memory_equal(found, expected, sizeof expected);
        }
        dgm_context_set_threads(ctx, 0);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_are_numbered_by_their_smallest_node),
        cmocka_unit_test(components_of_a_directed_graph_are_weak),
        cmocka_unit_test(components_may_be_counted_alone),
        cmocka_unit_test(components_are_those_of_breadth_first_search),
    };
    return RUN_WITH_CONTEXT(tests);
}
