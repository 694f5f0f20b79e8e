/* SPDX-License-Identifier: Apache-2.0 */
/* An explorer of a graph, a lens and predictions that a test makes. Included after unit_fixture.h. */
#ifndef EXPLORE_OWN_H
#define EXPLORE_OWN_H

static dgm_graph *graph;
static dgm_matrix *axes;
static dgm_predictions *predictions; /* may be NULL */
static dgm_explorer *explorer;

/* Of the graph, with the axes as its lens. */
static inline void open_own(const char *command) {
    dgm_explorer_lens lens;
    dgm_explorer_lens_init(&lens);
    lens.axes = axes;
    lens.predictions = predictions;
    lens.name = "own";
    lens.command = command;
    lens.words = "{\"lens\":\"own\"}";
    lens.provenance.seed = 9;
    assert_int_equal(dgm_explorer_create(ctx, graph, &explorer), DGM_OK);
    assert_int_equal(dgm_explorer_set_lens(ctx, explorer, &lens), DGM_OK);
}

static inline void close_own(void) {
    dgm_explorer_free(explorer);
    dgm_predictions_free(predictions);
    dgm_matrix_free(axes);
    dgm_graph_free(graph);
}

#endif
