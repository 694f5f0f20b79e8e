/* SPDX-License-Identifier: Apache-2.0 */
/* Reads how a pooling made a summary. Nothing here asks for the rows of S one by one, so the object
 * is kept as text, in the very form that it was written in. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "archive_read.h"
#include "base_escape.h"
#include "mapper_words.h"

static void put_value(dgmi_text *text, json_t *value);

static void put_string(dgmi_text *text, const char *string) {
    dgmi_text_string(text, "\"");
    dgmi_escape_json(text, string, strlen(string));
    dgmi_text_string(text, "\"");
}

static void put_object(dgmi_text *text, json_t *object) {
    const char *key;
    json_t *value;
    bool first = true;
    dgmi_text_string(text, "{");
    json_object_foreach(object, key, value) {
        dgmi_text_string(text, first ? "" : ", ");
        put_string(text, key);
        dgmi_text_string(text, ": ");
        put_value(text, value);
        first = false;
    }
    dgmi_text_string(text, "}");
}

/* Objects in a list have a line each. */
static void put_array(dgmi_text *text, json_t *array) {
    dgmi_text_string(text, "[");
    for (size_t i = 0; i < json_array_size(array) && text->status == DGM_OK; i++) {
        json_t *value = json_array_get(array, i);
        bool line = json_typeof(value) == JSON_OBJECT;
        dgmi_text_string(text, i ? (line ? "," : ", ") : "");
        dgmi_text_string(text, line ? "\n  " : "");
        put_value(text, value);
    }
    dgmi_text_string(text, "]");
}

static void put_value(dgmi_text *text, json_t *value) {
    json_type type = json_typeof(value);
    if (type == JSON_OBJECT)
        put_object(text, value);
    else if (type == JSON_ARRAY)
        put_array(text, value);
    else if (type == JSON_STRING)
        put_string(text, json_string_value(value));
    else if (type == JSON_INTEGER)
        dgmi_text_integer(text, json_integer_value(value));
    else if (type == JSON_REAL)
        dgmi_text_real(text, json_real_value(value) + 0.0); /* never "-0", which is an integer */
    else
        dgmi_text_string(text, type == JSON_TRUE ? "true" : type == JSON_FALSE ? "false" : "null");
}

dgm_status dgmi_archive_saved_pooling(const dgmi_archive_saved *saved) {
    enum { LONGEST = 4200 };
    json_t *pooling = json_object_get(saved->root, "pooling");
    char words[LONGEST];
    int64_t step, steps;
    dgmi_text text;
    if (!pooling)
        return DGM_OK;
    if (!json_is_object(pooling))
        return dgmi_archive_saved_fail(saved, NULL, 0, "\"pooling\" is no object");
    dgm_status status =
        dgmi_archive_saved_integer(saved, NULL, 0, pooling, "step", 1, INT32_MAX, 1, &step);
    if (status == DGM_OK)
        status =
            dgmi_archive_saved_integer(saved, NULL, 0, pooling, "steps", 1, INT32_MAX, 1, &steps);
    if (status != DGM_OK)
        return status;
    dgmi_mapper_pooled_words(dgmi_archive_saved_text(saved, "pooling", "method"), step, steps,
                             json_is_true(json_object_get(pooling, "trained")), words,
                             sizeof words);
    dgmi_text_init(&text, saved->ctx);
    put_object(&text, pooling);
    status = text.status;
    if (status == DGM_OK)
        status = dgmi_mapper_summary_set_pooling(saved->ctx, saved->summary, words, text.data);
    dgmi_text_free(&text);
    return status;
}
