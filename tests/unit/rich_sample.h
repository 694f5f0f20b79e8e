/* SPDX-License-Identifier: Apache-2.0 */
/* A small summary of which all is known that can be known, for tests of profiles and views. */
#ifndef RICH_SAMPLE_H
#define RICH_SAMPLE_H

#include <math.h>

#include "export_sample.h"

/* Six nodes on a path, with labels, predictions and attributes, in two clusters of four. */
static const int32_t labels[] = {0, 0, 1, -1, 1, 1};
static const char *const classes[] = {"low", "high", NULL};

static inline dgm_graph *rich_graph(dgm_context *with) {
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};
    static const double ages[] = {10, 20, 30, NAN, 50, 60};
    static const char *const towns[] = {"b", "a", NULL, "a", "c", "c"};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(with, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 5, ends, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, 6, labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_class_names(builder, 2, classes), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "age", 6, ages), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "town", 6, towns), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_source(builder, "path"), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static inline sample rich_sample(dgm_context *with) {
    static const double says[] = {1, 0, 0.25, 0.75, 0.5, 0.5, 0, 1, 0, 1, 1, 0};
    sample made = {.graph = rich_graph(with)};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 2;
    options.overlap[0] = 0.5;
    made.lens = sample_lens(with, &(sample_parts){.nodes = 6});
    assert_int_equal(
        dgm_predictions_from_probabilities(with, made.graph, says, 2, NULL, &made.predictions),
        DGM_OK);
    sample_map(with, &made, &options);
    return made;
}

#endif
