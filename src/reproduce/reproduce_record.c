/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_record.h"

#include <string.h>

#include "base_context.h"
#include "base_escape.h"
#include "base_memory.h"
#include "bytes_jansson.h"
#include "bytes_output.h"
#include "bytes_path.h"

/* The names of the kinds in files, in the order of the enum. */
static const char *const kinds[] = {"says", "command", "picture", "head", "row", "check"};
enum { KINDS = sizeof kinds / sizeof *kinds };

void dgmi_reproduce_record_init(dgmi_reproduce_record *record, dgm_context *ctx) {
    *record = (dgmi_reproduce_record){.ctx = ctx, .status = DGM_OK};
}

void dgmi_reproduce_record_free(dgmi_reproduce_record *record) {
    for (int64_t i = 0; i < record->count; i++) {
        dgmi_free(record->ctx, record->items[i].text);
        dgmi_free(record->ctx, record->items[i].more);
    }
    dgmi_free(record->ctx, record->items);
    dgmi_reproduce_record_init(record, record->ctx);
}

void dgmi_reproduce_record_add(dgmi_reproduce_record *record, dgmi_reproduce_kind kind,
                               const char *text, const char *more, bool holds) {
    dgmi_reproduce_item item = {kind, NULL, NULL, holds};
    if (record->status != DGM_OK)
        return;
    record->status = dgmi_reserve(record->ctx, (void **)&record->items, &record->capacity,
                                  record->count + 1, sizeof *record->items);
    if (record->status != DGM_OK)
        return;
    item.text = dgmi_strdup(record->ctx, text);
    item.more = more && item.text ? dgmi_strdup(record->ctx, more) : NULL;
    if (!item.text || (more && !item.more)) {
        dgmi_free(record->ctx, item.text);
        record->status = DGM_ERROR_MEMORY;
        return;
    }
    record->items[record->count++] = item;
}

dgm_verdict dgmi_reproduce_record_judge(const dgmi_reproduce_record *record, int64_t *checks,
                                        int64_t *holding) {
    *checks = *holding = 0;
    for (int64_t i = 0; i < record->count; i++)
        if (record->items[i].kind == DGMI_REPRODUCE_CLAIM) {
            *checks += 1;
            *holding += record->items[i].holds;
        }
    return *holding == *checks ? DGM_VERDICT_HOLDS
           : *holding > 0      ? DGM_VERDICT_PARTLY
                               : DGM_VERDICT_FAILS;
}

/* ---- into a file ---- */

static void put_text(dgmi_text *out, const char *key, const char *text) {
    dgmi_text_format(out, ", \"%s\": \"", key);
    dgmi_escape_json(out, text, strlen(text));
    dgmi_text_string(out, "\"");
}

static void put_item(dgmi_text *out, const dgmi_reproduce_item *item, bool last) {
    dgmi_text_format(out, "    {\"kind\": \"%s\"", kinds[item->kind]);
    put_text(out, "text", item->text);
    if (item->more)
        put_text(out, "more", item->more);
    if (item->kind == DGMI_REPRODUCE_CLAIM)
        dgmi_text_format(out, ", \"holds\": %s", item->holds ? "true" : "false");
    dgmi_text_string(out, last ? "}\n" : "},\n");
}

dgm_status dgmi_reproduce_record_save(const dgmi_reproduce_record *record, const char *path,
                                      const char *key) {
    dgmi_text out;
    dgmi_text_init(&out, record->ctx);
    dgmi_text_string(&out, "{\n  \"made_by\": \"");
    dgmi_escape_json(&out, key, strlen(key));
    dgmi_text_string(&out, "\",\n  \"items\": [\n");
    for (int64_t i = 0; i < record->count; i++)
        put_item(&out, &record->items[i], i + 1 == record->count);
    dgmi_text_string(&out, "  ]\n}\n");
    dgm_status status = out.status;
    if (status == DGM_OK)
        status = dgmi_bytes_output_save(record->ctx, path, out.data, (size_t)out.length);
    dgmi_text_free(&out);
    return status;
}

/* ---- out of it ---- */

static int find_kind(const char *name) {
    for (int i = 0; name && i < KINDS; i++)
        if (strcmp(kinds[i], name) == 0)
            return i;
    return -1;
}

/* Takes one item over; false if it is not one, or if its picture is gone. */
static bool take_item(dgmi_reproduce_record *record, const json_t *item) {
    int kind = find_kind(json_string_value(json_object_get(item, "kind")));
    const char *text = json_string_value(json_object_get(item, "text"));
    const char *more = json_string_value(json_object_get(item, "more"));
    if (kind < 0 || !text)
        return false;
    if ((kind == DGMI_REPRODUCE_PICTURE || kind == DGMI_REPRODUCE_CLAIM) && !more)
        return false;
    if (kind == DGMI_REPRODUCE_PICTURE && !dgmi_bytes_path_is_file(more))
        return false;
    dgmi_reproduce_record_add(record, (dgmi_reproduce_kind)kind, text, more,
                              json_is_true(json_object_get(item, "holds")));
    return true;
}

static bool take_items(dgmi_reproduce_record *record, const json_t *root, const char *key) {
    const char *made_by = json_string_value(json_object_get(root, "made_by"));
    const json_t *items = json_object_get(root, "items");
    if (!made_by || strcmp(made_by, key) != 0 || json_array_size(items) == 0)
        return false;
    for (size_t i = 0; i < json_array_size(items); i++)
        if (!take_item(record, json_array_get(items, i)))
            return false;
    return true;
}

/* A file that cannot be read is as good as none: the part is made again. */
static dgm_status forgive(dgm_status status) {
    return status == DGM_ERROR_MEMORY || status == DGM_ERROR_CANCELLED ? status : DGM_OK;
}

dgm_status dgmi_reproduce_record_load(dgmi_reproduce_record *record, const char *path,
                                      const char *key, bool *found) {
    dgmi_bytes_stream *stream = NULL;
    json_t *root = NULL;
    *found = false;
    if (!dgmi_bytes_path_is_file(path))
        return DGM_OK;
    dgm_status status = dgmi_bytes_stream_open(record->ctx, path, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_json_load(record->ctx, stream, "reading records", &root);
    dgmi_bytes_stream_close(stream);
    if (status != DGM_OK)
        return forgive(status);
    *found = take_items(record, root, key);
    json_decref(root);
    status = record->status;
    if (!*found || status != DGM_OK)
        dgmi_reproduce_record_free(record);
    return status;
}
