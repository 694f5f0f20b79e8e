/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a summary from JSON: the file as a whole, and single values. Files of older versions have
 * no places and no list of classes; their classes are those that occur. */
#include "archive_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dgm/export.h"

#include "base_context.h"
#include "base_memory.h"

/* ---- values ---- */

dgm_status dgmi_archive_saved_fail(const dgmi_archive_saved *saved, const char *list, int64_t index,
                                   const char *format, ...) {
    char words[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (!list)
        return dgmi_fail_at(saved->ctx, DGM_ERROR_FORMAT, saved->file, 0, -1, "%s", words);
    return dgmi_fail_at(saved->ctx, DGM_ERROR_FORMAT, saved->file, 0, -1, "%s[%lld] %s", list,
                        (long long)index, words);
}

dgm_status dgmi_archive_saved_integer(const dgmi_archive_saved *saved, const char *list,
                                      int64_t index, const json_t *object, const char *key,
                                      int64_t low, int64_t high, int64_t missing, int64_t *out) {
    const json_t *value = json_object_get(object, key);
    *out = missing;
    if (!value)
        return DGM_OK;
    if (!json_is_integer(value) || json_integer_value(value) < low ||
        json_integer_value(value) > high)
        return dgmi_archive_saved_fail(saved, list, index,
                                       "has \"%s\" that is no whole number from %lld to %lld", key,
                                       (long long)low, (long long)high);
    *out = json_integer_value(value);
    return DGM_OK;
}

dgm_status dgmi_archive_saved_real(const dgmi_archive_saved *saved, const char *list, int64_t index,
                                   const json_t *object, const char *key, double low, double high,
                                   double missing, double *out) {
    const json_t *value = json_object_get(object, key);
    *out = json_is_null(value) ? NAN : missing;
    if (!value || json_is_null(value))
        return DGM_OK;
    double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= low && number <= high))
        return dgmi_archive_saved_fail(
            saved, list, index, "has \"%s\" that is no number from %g to %g", key, low, high);
    *out = number;
    return DGM_OK;
}

const char *dgmi_archive_saved_text(const dgmi_archive_saved *saved, const char *section,
                                    const char *key) {
    const char *text =
        json_string_value(json_object_get(json_object_get(saved->root, section), key));
    return text ? text : "";
}

/* ---- the file ---- */

static dgm_status check_root(const dgmi_archive_saved *saved) {
    const char *format = json_string_value(json_object_get(saved->root, "format"));
    int64_t version;
    if (!format || strcmp(format, "dgm-summary") != 0)
        return dgmi_archive_saved_fail(
            saved, NULL, 0,
            "this is JSON but no summary: expected {\"format\": \"dgm-summary\", ...} as "
            "'dgm map GRAPH -o FILE.json' writes it");
    dgm_status status = dgmi_archive_saved_integer(saved, NULL, 0, saved->root, "version", 1,
                                                   INT64_MAX, 1, &version);
    if (status == DGM_OK && version > 1)
        return dgmi_archive_saved_fail(
            saved, NULL, 0, "version %lld of summaries is newer than this program; update it",
            (long long)version);
    if (status == DGM_OK && (!json_is_array(json_object_get(saved->root, "nodes")) ||
                             !json_is_array(json_object_get(saved->root, "edges"))))
        return dgmi_archive_saved_fail(saved, NULL, 0,
                                       "the lists \"nodes\" and \"edges\" are missing");
    return status;
}

static dgm_status load(dgm_context *ctx, const char *path, json_t **root) {
    dgmi_bytes_stream *stream = NULL;
    *root = NULL;
    dgm_status status = dgmi_bytes_stream_open(ctx, path, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_json_load(ctx, stream, "reading the summary", root);
    if (status == DGM_OK)
        status = check_root(&(dgmi_archive_saved){.ctx = ctx, .file = path, .root = *root});
    if (status != DGM_OK) {
        json_decref(*root);
        *root = NULL;
    }
    dgmi_bytes_stream_close(stream);
    return status;
}

/* Lists the objects of "nodes" by their ids; takes scratch memory. */
static dgm_status list_clusters(dgmi_archive_saved *saved) {
    json_t *nodes = json_object_get(saved->root, "nodes");
    int64_t count = (int64_t)json_array_size(nodes), id;
    if (count > DGM_MAX_NODES)
        return dgmi_archive_saved_fail(saved, NULL, 0, "%lld clusters are more than can be drawn",
                                       (long long)count);
    saved->clusters = dgmi_scratch_zero(saved->ctx, count, sizeof(json_t *));
    if (!saved->clusters)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        json_t *node = json_array_get(nodes, (size_t)i);
        if (!json_is_object(node))
            return dgmi_archive_saved_fail(saved, "nodes", i, "is no object {\"id\": ...}");
        dgm_status status =
            dgmi_archive_saved_integer(saved, "nodes", i, node, "id", 0, count - 1, -1, &id);
        if (status != DGM_OK)
            return status;
        if (id < 0 || saved->clusters[id])
            return dgmi_archive_saved_fail(
                saved, "nodes", i, id < 0 ? "has no \"id\"" : "has the id of another cluster");
        saved->clusters[id] = node;
    }
    return DGM_OK;
}

/* ---- the whole ---- */

static dgm_status read_summary(dgmi_archive_saved *saved) {
    dgm_status status = list_clusters(saved);
    if (status == DGM_OK)
        status = dgmi_mapper_summary_create(saved->ctx, &saved->summary);
    if (status == DGM_OK)
        status = dgmi_archive_saved_axes(saved);
    if (status == DGM_OK)
        status = dgmi_archive_saved_origin(saved);
    if (status == DGM_OK)
        status = dgmi_archive_saved_pooling(saved);
    return status == DGM_OK ? dgmi_archive_saved_clusters(saved) : status;
}

static dgm_status read_profile(dgmi_archive_saved *saved) {
    dgm_status status =
        dgmi_mapper_profile_open(saved->ctx, saved->summary->clusters, &saved->profile);
    if (status == DGM_OK)
        status = dgmi_archive_saved_ledger(saved);
    return status == DGM_OK ? dgmi_archive_saved_profile(saved) : status;
}

static dgm_status read_all(dgmi_archive_saved *saved, const dgm_graph *graph, bool profile,
                           dgm_places **places) {
    dgm_status status = read_summary(saved);
    if (status == DGM_OK && places)
        status = dgmi_archive_saved_places(saved, places);
    if (status == DGM_OK)
        status = dgmi_archive_saved_edges(saved);
    if (status == DGM_OK && profile)
        status = read_profile(saved);
    return status == DGM_OK ? dgmi_archive_saved_members(saved, graph) : status;
}

dgm_status dgm_summary_read(dgm_context *ctx, const char *path, const dgm_graph *graph,
                            dgm_summary **summary, dgm_profile **profile, dgm_places **places) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_archive_saved saved = {.ctx = ctx, .file = path};
    *summary = NULL;
    if (profile)
        *profile = NULL;
    if (places)
        *places = NULL;
    dgm_status status = load(ctx, path, &saved.root);
    if (status == DGM_OK)
        status = read_all(&saved, graph, profile != NULL, places);
    json_decref(saved.root);
    dgmi_arena_release(ctx, hold);
    if (status == DGM_OK) {
        *summary = saved.summary;
        if (profile)
            *profile = saved.profile;
        return DGM_OK;
    }
    dgm_summary_free(saved.summary);
    dgm_profile_free(saved.profile);
    if (places) {
        dgm_places_free(ctx, *places);
        *places = NULL;
    }
    return status;
}

bool dgm_summary_is_file(dgm_context *ctx, const char *path) {
    static const char word[] = "\"dgm-summary\"";
    dgmi_bytes_stream *stream = NULL;
    const char *data = NULL;
    int64_t size = 0;
    bool found = false;
    if (strcmp(path, "-") == 0)
        return true;
    if (dgmi_bytes_stream_open(ctx, path, &stream) == DGM_OK &&
        dgmi_bytes_stream_peek(stream, &data, &size) == DGM_OK) {
        int64_t at = 0;
        while (at < size && strchr(" \t\r\n\xEF\xBB\xBF", data[at]))
            at++;
        found = at < size && data[at] == '{';
        int64_t left = found ? size - (int64_t)sizeof word + 1 : -1;
        for (found = false; at <= left && !found; at++)
            found = memcmp(data + at, word, sizeof word - 1) == 0;
    }
    dgmi_bytes_stream_close(stream);
    return found;
}
