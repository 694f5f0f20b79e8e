/* SPDX-License-Identifier: Apache-2.0 */
/* How the answers of an explorer are read. Included after unit_fixture.h. */
#ifndef EXPLORE_REPLY_H
#define EXPLORE_REPLY_H

#include <math.h>

#include <jansson.h>

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

static inline reply ask_of(dgm_explorer *explorer, const char *question, const char *settings) {
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

/* A number of a list that is a member of the object; not a number where there is none. */
static inline double item(const json_t *object, const char *list, size_t i) {
    const json_t *at = json_array_get(json_object_get(object, list), i);
    return json_is_number(at) ? json_number_value(at) : NAN;
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

#endif
