/* SPDX-License-Identifier: Apache-2.0 */
/* Memory may end at every allocation of every lens, and it is told; nothing is left behind. */
#include "unit_fixture.h"

#include "../check_lens.h"

#include "unit_faults.h"

typedef struct {
    const dgm_graph *graph;
    const char *lens;
} request;

static dgm_status run(dgm_context *own, void *argument) {
    const request *r = argument;
    dgm_matrix *lens;
    dgm_context_set_threads(own, 1);
    dgm_status status = lens_axes(own, r->graph, r->lens, 1, &lens);
    if (status == DGM_OK)
        assert_int_equal(dgm_matrix_rows(lens), dgm_graph_nodes(r->graph));
    else
        assert_null(lens);
    dgm_matrix_free(lens);
    return status;
}

/* A ring with chords, a path and a node by itself, of weights between 1 and 2^21, which are
 * scaled. */
static dgm_graph *build_sample(bool directed) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    uint32_t ends[2 * 50];
    double weights[50];
    int64_t count = 0;
    options.directed = directed;
    for (uint32_t u = 0; u < 24; u++) {
        ends[2 * count] = u, ends[2 * count + 1] = (u + 1) % 24;
        weights[count++] = 1 << u % 22;
    }
    for (uint32_t u = 0; u < 12; u++) {
        ends[2 * count] = u, ends[2 * count + 1] = (u * 5 + 9) % 24;
        weights[count++] = 3;
    }
    for (uint32_t u = 24; u < 29; u++) {
        ends[2 * count] = u, ends[2 * count + 1] = u + 1;
        weights[count++] = 2;
    }
    dgm_graph *bare = build_graph(&options, 31, count, ends, weights), *graph;
    const double height[31] = {1, 2};
    const dgm_attribute attribute = {"height", DGM_ATTRIBUTE_NUMBER, height, NULL};
    assert_int_equal(dgm_graph_with_attribute(ctx, bare, &attribute, &graph), DGM_OK);
    dgm_graph_free(bare);
    return graph;
}

static void every_allocation_of_a_lens_may_fail(void **state) {
    (void)state;
    static const char *const lenses[] = {"pagerank:weighted=true",
                                         "pagerank:seeds=1;2",
                                         "degree",
                                         "strength",
                                         "core",
                                         "triangles",
                                         "clustering",
                                         "betweenness",
                                         "betweenness:weighted=true",
                                         "betweenness:budget=5,samples=4",
                                         "random",
                                         "eigen:k=2",
                                         "eigen:outside=own,weighted=true",
                                         "density",
                                         "density:samples=16,weighted=true",
                                         "agd",
                                         "agd:direction=both,samples=16",
                                         "eccentricity",
                                         "eccentricity:direction=both,samples=16",
                                         "closeness:weighted=true",
                                         "closeness:samples=16",
                                         "harmonic",
                                         "attr:height"};
    for (int directed = 0; directed < 2; directed++) {
        dgm_graph *graph = build_sample(directed);
        for (int64_t k = 0; k < COUNT(lenses); k++)
            fail_each_allocation(run, &(request){graph, lenses[k]});
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_a_lens_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
