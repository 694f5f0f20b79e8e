/* SPDX-License-Identifier: Apache-2.0 */
#include "explore_answer.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_escape.h"
#include "base_memory.h"

void dgmi_explore_answer_init(dgmi_explore_answer *answer, dgm_context *ctx) {
    *answer = (dgmi_explore_answer){.ctx = ctx};
    dgmi_text_init(&answer->json, ctx);
    dgmi_text_init(&answer->data, ctx);
    dgmi_text_append(&answer->json, "{", 1);
}

void dgmi_explore_answer_free(dgmi_explore_answer *answer) {
    dgmi_text_free(&answer->json);
    dgmi_text_free(&answer->data);
}

/* ---- JSON ---- */

static void begin(dgmi_explore_answer *answer, const char *key) {
    if (answer->comma)
        dgmi_text_append(&answer->json, ",", 1);
    answer->comma = true;
    if (!key)
        return;
    dgmi_text_append(&answer->json, "\"", 1);
    dgmi_escape_json(&answer->json, key, strlen(key));
    dgmi_text_append(&answer->json, "\":", 2);
}

void dgmi_explore_open(dgmi_explore_answer *answer, const char *key, char bracket) {
    begin(answer, key);
    dgmi_text_append(&answer->json, &bracket, 1);
    answer->comma = false;
}

void dgmi_explore_close(dgmi_explore_answer *answer, char bracket) {
    dgmi_text_append(&answer->json, bracket == '{' ? "}" : "]", 1);
    answer->comma = true;
}

void dgmi_explore_bytes(dgmi_explore_answer *answer, const char *key, const char *text,
                        size_t length) {
    begin(answer, key);
    dgmi_text_append(&answer->json, "\"", 1);
    dgmi_escape_json(&answer->json, text, length);
    dgmi_text_append(&answer->json, "\"", 1);
}

void dgmi_explore_text(dgmi_explore_answer *answer, const char *key, const char *text) {
    if (text) {
        dgmi_explore_bytes(answer, key, text, strlen(text));
        return;
    }
    begin(answer, key);
    dgmi_text_string(&answer->json, "null");
}

void dgmi_explore_integer(dgmi_explore_answer *answer, const char *key, int64_t value) {
    begin(answer, key);
    dgmi_text_integer(&answer->json, value);
}

void dgmi_explore_real(dgmi_explore_answer *answer, const char *key, double value) {
    begin(answer, key);
    if (isfinite(value))
        dgmi_text_real(&answer->json, value);
    else
        dgmi_text_string(&answer->json, "null");
}

void dgmi_explore_flag(dgmi_explore_answer *answer, const char *key, bool value) {
    begin(answer, key);
    dgmi_text_string(&answer->json, value ? "true" : "false");
}

void dgmi_explore_raw(dgmi_explore_answer *answer, const char *key, const char *json) {
    begin(answer, key);
    dgmi_text_string(&answer->json, json);
}

/* ---- arrays ---- */

static void pad(dgmi_text *text, char with) {
    while (text->length % 8 != 0 && text->status == DGM_OK)
        dgmi_text_append(text, &with, 1);
}

static void add(dgmi_explore_answer *answer, const char *name, const char *type, const void *values,
                int64_t count, size_t size) {
    assert(answer->array_count < DGMI_EXPLORE_MOST_ARRAYS);
    pad(&answer->data, '\0');
    answer->arrays[answer->array_count++] =
        (dgmi_explore_array){name, type, answer->data.length, count};
    if (count)
        dgmi_text_append(&answer->data, values, (size_t)count * size);
}

void dgmi_explore_floats(dgmi_explore_answer *answer, const char *name, const float *values,
                         int64_t count) {
    add(answer, name, "f4", values, count, sizeof *values);
}

void dgmi_explore_numbers(dgmi_explore_answer *answer, const char *name, const uint32_t *values,
                          int64_t count) {
    add(answer, name, "u4", values, count, sizeof *values);
}

void dgmi_explore_octets(dgmi_explore_answer *answer, const char *name, const uint8_t *values,
                         int64_t count) {
    add(answer, name, "u1", values, count, sizeof *values);
}

/* ---- the end ---- */

static void list_arrays(dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, "arrays", '{');
    for (int i = 0; i < answer->array_count; i++) {
        const dgmi_explore_array *array = &answer->arrays[i];
        dgmi_explore_open(answer, array->name, '[');
        dgmi_explore_text(answer, NULL, array->type);
        dgmi_explore_integer(answer, NULL, array->offset);
        dgmi_explore_integer(answer, NULL, array->count);
        dgmi_explore_close(answer, '[');
    }
    dgmi_explore_close(answer, '{');
}

dgm_status dgmi_explore_answer_finish(dgmi_explore_answer *answer, dgm_answer *out) {
    dgmi_text *json = &answer->json, *data = &answer->data;
    list_arrays(answer);
    dgmi_text_append(json, "}", 1);
    pad(json, ' ');
    if (json->status != DGM_OK || data->status != DGM_OK)
        return json->status != DGM_OK ? json->status : data->status;
    int64_t length = 8 + json->length + data->length;
    if (json->length > UINT32_MAX)
        return dgmi_fail(answer->ctx, DGM_ERROR_DATA, "the answer is too long");
    out->bytes = dgmi_alloc(answer->ctx, length, 1);
    if (!out->bytes)
        return DGM_ERROR_MEMORY;
    memcpy(out->bytes, "DGM1", 4);
    for (int i = 0; i < 4; i++) /* little-endian on any machine */
        out->bytes[4 + i] = (char)(json->length >> 8 * i & 0xff);
    memcpy(out->bytes + 8, json->data, (size_t)json->length);
    if (data->length)
        memcpy(out->bytes + 8 + json->length, data->data, (size_t)data->length);
    out->length = (size_t)length;
    return DGM_OK;
}
