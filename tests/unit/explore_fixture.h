/* SPDX-License-Identifier: Apache-2.0 */
/* An explorer of a ring, which is asked. Included after unit_fixture.h. */
#ifndef EXPLORE_FIXTURE_H
#define EXPLORE_FIXTURE_H

#include <math.h>
#include <stdlib.h>

#include "class_ring.h"
#include "explore_explorer.h"
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

enum { MOST_IN_TURN = 16 };

/* Asks an explorer of its own in a context of its own, one question after another, until one fails. The
 * answers: a number for the bytes of each. */
static inline dgm_status ask_and_hash(dgm_context *own, const char *const (*questions)[2],
                                      int64_t count, const dgm_predictions *said,
                                      uint64_t answers[MOST_IN_TURN]) {
    dgm_explorer *made;
    dgm_explorer_lens lens;
    dgm_explorer_lens_init(&lens);
    lens.axes = axes;
    lens.predictions = said;
    assert_true(count <= MOST_IN_TURN);
    dgm_status status = dgm_explorer_create(own, graph, &made);
    if (status == DGM_OK) {
        made->untimed = true;
        status = dgm_explorer_set_lens(own, made, &lens);
    }
    for (int64_t i = 0; status == DGM_OK && i < count; i++) {
        dgm_answer answer;
        status = dgm_explorer_ask(own, made, questions[i][0], questions[i][1], &answer);
        answers[i] = 0xcbf29ce484222325; /* FNV-1a */
        for (size_t k = 0; status == DGM_OK && k < answer.length; k++)
            answers[i] = (answers[i] ^ (uint8_t)answer.bytes[k]) * 0x100000001b3;
        dgm_answer_free(own, &answer);
    }
    dgm_explorer_free(made);
    return status;
}

/* The same, for allocations that fail in turn: where all answers come nonetheless, they are the right
 * ones. */
static inline dgm_status ask_in_turn(dgm_context *own, const char *const (*questions)[2],
                                     int64_t count, const dgm_predictions *said) {
    static const char *const(*known)[2];
    static uint64_t right[MOST_IN_TURN];
    uint64_t answers[MOST_IN_TURN] = {0};
    if (known != questions)
        assert_int_equal(ask_and_hash(ctx, questions, count, said, right), DGM_OK);
    known = questions;
    dgm_status status = ask_and_hash(own, questions, count, said, answers);
    for (int64_t i = 0; status == DGM_OK && i < count; i++)
        if (answers[i] != right[i])
            fail_msg("another answer to %s?%s", questions[i][0], questions[i][1]);
    return status;
}

#endif
