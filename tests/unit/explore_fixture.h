/* SPDX-License-Identifier: Apache-2.0 */
/* An explorer of a ring, and how its answers are read. Included after unit_fixture.h. */
#ifndef EXPLORE_FIXTURE_H
#define EXPLORE_FIXTURE_H

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "class_ring.h"

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

/* ---- reading answers ---- */

typedef struct {
    dgm_answer bytes;
    json_t *json;
    const char *data; /* the arrays */
} reply;

static inline reply read_reply(dgm_answer bytes) {
    uint32_t length;
    json_error_t error;
    assert_true(bytes.length >= 8 && bytes.length % 8 == 0 ? true : bytes.length >= 8);
    assert_memory_equal(bytes.bytes, "DGM1", 4);
    memcpy(&length, bytes.bytes + 4, sizeof length);
    assert_int_equal(length % 8, 0);
    reply r = {bytes, json_loadb(bytes.bytes + 8, length, 0, &error), bytes.bytes + 8 + length};
    if (!r.json)
        fail_msg("%s", error.text);
    return r;
}

static inline reply ask(const char *question, const char *settings) {
    dgm_answer bytes;
    if (dgm_explorer_ask(ctx, explorer, question, settings, &bytes) != DGM_OK)
        fail_msg("%s: %s", question, dgm_context_error(ctx));
    return read_reply(bytes);
}

static inline void drop(reply *r) {
    json_decref(r->json);
    dgm_answer_free(ctx, &r->bytes);
}

static inline int64_t number(const reply *r, const char *key) {
    return json_integer_value(json_object_get(r->json, key));
}

static inline const char *text(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* An array of the answer, whose type and length are checked. */
static inline const void *array(const reply *r, const char *name, const char *type,
                                int64_t *count) {
    const json_t *at = json_object_get(json_object_get(r->json, "arrays"), name);
    assert_non_null(at);
    assert_string_equal(json_string_value(json_array_get(at, 0)), type);
    int64_t offset = json_integer_value(json_array_get(at, 1));
    *count = json_integer_value(json_array_get(at, 2));
    assert_int_equal(offset % 8, 0);
    assert_true(r->data + offset + *count * (type[1] - '0') <= r->bytes.bytes + r->bytes.length);
    return r->data + offset;
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
