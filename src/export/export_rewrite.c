/* SPDX-License-Identifier: Apache-2.0 */
/* A saved summary once more, with other places: everything else stays as the file has it. */
#include "export_read.h"

#include <stdio.h>
#include <string.h>

#include "dgm/export.h"

#include "base_context.h"
#include "base_text.h"
#include "io_escape.h"

/* ---- from the tree to text, as export_json.c lays it out ---- */

static void put_value(dgmi_text *text, json_t *value, int depth);

static void put_text(dgmi_text *text, const char *string, size_t length) {
    dgmi_text_append(text, "\"", 1);
    dgmi_escape_json(text, string, length);
    dgmi_text_append(text, "\"", 1);
}

static void put_object(dgmi_text *text, json_t *object, int depth) {
    const char *key;
    json_t *value;
    size_t index = 0;
    dgmi_text_string(text, "{");
    json_object_foreach(object, key, value) {
        /* "format" and "version" share the first line. */
        dgmi_text_string(text, index == 0 ? "" : depth == 0 && index > 1 ? ",\n " : ", ");
        put_text(text, key, strlen(key));
        dgmi_text_string(text, ": ");
        put_value(text, value, depth + 1);
        index++;
    }
    dgmi_text_string(text, "}");
}

static void put_array(dgmi_text *text, json_t *array, int depth) {
    bool lines = depth == 1 && json_is_object(json_array_get(array, 0));
    dgmi_text_string(text, "[");
    for (size_t i = 0; i < json_array_size(array); i++) {
        dgmi_text_string(text, i == 0 ? "" : lines ? "," : ", ");
        dgmi_text_string(text, lines ? "\n  " : "");
        put_value(text, json_array_get(array, i), depth + 1);
    }
    dgmi_text_string(text, "]");
}

static void put_value(dgmi_text *text, json_t *value, int depth) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        put_object(text, value, depth);
        break;
    case JSON_ARRAY:
        put_array(text, value, depth);
        break;
    case JSON_STRING:
        put_text(text, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        dgmi_text_integer(text, json_integer_value(value));
        break;
    case JSON_REAL:
        dgmi_text_real(text, json_real_value(value));
        break;
    default:
        dgmi_text_string(text, json_is_true(value)    ? "true"
                               : json_is_false(value) ? "false"
                                                      : "null");
    }
}

/* ---- places into the tree ---- */

static bool set_places(const dgmi_saved *saved, const dgm_view *view) {
    static const char *const keys[] = {"x", "y", "radius"};
    const double *const values[] = {view->x, view->y, view->radius};
    for (int64_t m = 0; m < view->marks; m++)
        for (int i = 0; i < 3; i++)
            if (json_object_set_new(saved->clusters[m], keys[i], json_real(values[i][m])) != 0)
                return false;
    if (view->layout < 0) {
        json_object_del(saved->root, "layout");
        return true;
    }
    json_t *layout = json_object();
    json_t *kind = json_string(dgmi_export_layouts[view->layout]);
    json_t *seed = json_integer(view->layout_seed);
    bool set = json_object_set_new(layout, "kind", kind) == 0;
    set = json_object_set_new(layout, "seed", seed) == 0 && set;
    return json_object_set_new(saved->root, "layout", layout) == 0 && set;
}

dgm_status dgm_view_rewrite(dgm_context *ctx, const char *path, const dgm_view *view, char **text,
                            size_t *length) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    dgmi_saved saved = {.ctx = ctx, .file = path};
    dgmi_text out;
    *text = NULL;
    *length = 0;
    dgmi_text_init(&out, ctx);
    dgm_status status = dgmi_saved_load(ctx, path, &saved.root);
    if (status == DGM_OK)
        status = dgmi_saved_list(&saved);
    if (status == DGM_OK &&
        (int64_t)json_array_size(json_object_get(saved.root, "nodes")) != view->marks)
        status = dgmi_saved_fail(&saved, NULL, 0, "the summary has changed since it was read");
    if (status == DGM_OK && view->x && !set_places(&saved, view))
        status = dgmi_fail(ctx, DGM_ERROR_MEMORY, "out of memory while writing JSON");
    if (status == DGM_OK) {
        put_value(&out, saved.root, 0);
        dgmi_text_string(&out, "\n");
        status = out.status;
    }
    if (status == DGM_OK) {
        *text = out.data;
        *length = (size_t)out.length;
    } else {
        dgmi_text_free(&out);
    }
    json_decref(saved.root);
    dgmi_arena_release(ctx, mark);
    return status;
}
