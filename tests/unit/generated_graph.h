/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs that the library generates. Included after unit_fixture.h. */
#ifndef GENERATED_GRAPH_H
#define GENERATED_GRAPH_H

static inline dgm_graph *generate(dgm_generator kind, int64_t nodes, int64_t edges) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = kind;
    options.nodes = nodes;
    options.edges = edges;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    return graph;
}

#endif
