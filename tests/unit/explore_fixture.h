/* SPDX-License-Identifier: Apache-2.0 */
/* An explorer of a ring, which is asked. Included after unit_fixture.h. */
#ifndef EXPLORE_FIXTURE_H
#define EXPLORE_FIXTURE_H

#include <math.h>
#include <stdlib.h>

#include "class_ring.h"
#include "explore_reply.h"

enum { NODES = 60 };

static dgm_graph *graph;
static dgm_matrix *axes;
static dgm_predictions *predictions;
static dgm_explorer *explorer;

static inline void give_lens(dgm_context *own, dgm_explorer *to) {
    dgm_explorer_lens lens;
    dgm_explorer_lens_init(&lens);
    lens.axes = axes;
    lens.predictions = predictions;
    lens.name = "round";
    lens.command = "dgm map ring --auto off --lens round";
    lens.words = "{\"lens\":\"round\"}";
    lens.provenance.seed = 1;
    assert_int_equal(dgm_explorer_set_lens(own, to, &lens), DGM_OK);
}

/* A ring of 60 nodes in two classes, seen from the side, of which a network takes five for the other
 * class. */
static inline int open_explorer(void **state) {
    (void)state;
    make_class_ring(NODES, 40, 35, &graph, &predictions);
    axes = build_matrix(NODES, 1, NULL);
    for (int i = 0; i < NODES; i++)
        dgm_matrix_values_mutable(axes)[i] = i < NODES / 2 ? i : NODES - i;
    assert_int_equal(dgm_explorer_create(ctx, graph, &explorer), DGM_OK);
    give_lens(ctx, explorer);
    return 0;
}

static inline int close_explorer(void **state) {
    (void)state;
    dgm_explorer_free(explorer);
    dgm_matrix_free(axes);
    dgm_predictions_free(predictions);
    dgm_graph_free(graph);
    return 0;
}

static inline reply ask(const char *question, const char *settings) {
    return ask_of(explorer, question, settings);
}

/* Asks an explorer of its own in a context of its own, one question after another, until one fails: for
 * allocations that fail in turn. */
static inline dgm_status ask_in_turn(dgm_context *own, const char *const (*questions)[2],
                                     int64_t count, const dgm_predictions *said) {
    dgm_explorer *made;
    dgm_explorer_lens lens;
    dgm_explorer_lens_init(&lens);
    lens.axes = axes;
    lens.predictions = said;
    dgm_status status = dgm_explorer_create(own, graph, &made);
    if (status == DGM_OK)
        status = dgm_explorer_set_lens(own, made, &lens);
    for (int64_t i = 0; status == DGM_OK && i < count; i++) {
        dgm_answer answer;
        status = dgm_explorer_ask(own, made, questions[i][0], questions[i][1], &answer);
        dgm_answer_free(own, &answer);
    }
    dgm_explorer_free(made);
    return status;
}

#endif
