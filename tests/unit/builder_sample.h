/* SPDX-License-Identifier: Apache-2.0 */
/* Builders that begin and end well. */
#ifndef BUILDER_SAMPLE_H
#define BUILDER_SAMPLE_H

#include "graph_builder.h"
#include "unit_fixture.h"

static inline dgm_graph_builder *start(const dgm_graph_options *options) {
    dgm_graph_builder *builder;
    assert_int_equal(dgm_graph_builder_create(ctx, options, &builder), DGM_OK);
    return builder;
}

static inline dgm_graph *finish(dgm_graph_builder *builder) {
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

#endif
