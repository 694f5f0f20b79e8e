/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries back from JSON, as far as a picture needs them. Files of older versions have no places
 * and no list of classes: they are laid out again, and classes are those that occur. */
#include "export_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dgm/export.h"

#include "base_context.h"
#include "base_sort.h"

#define FARTHEST 1e9 /* places beyond are no drawing */

const char *const dgmi_export_layouts[4] = {"stress", "lens", "circular", "grid"};

/* ---- values ---- */

dgm_status dgmi_saved_fail(const dgmi_saved *saved, const char *list, int64_t index,
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

dgm_status dgmi_saved_integer(const dgmi_saved *saved, const char *list, int64_t index,
                              const json_t *object, const char *key, int64_t low, int64_t high,
                              int64_t missing, int64_t *out) {
    const json_t *value = json_object_get(object, key);
    *out = missing;
    if (!value)
        return DGM_OK;
    if (!json_is_integer(value) || json_integer_value(value) < low ||
        json_integer_value(value) > high)
        return dgmi_saved_fail(saved, list, index,
                               "has \"%s\" that is no whole number from %lld to %lld", key,
                               (long long)low, (long long)high);
    *out = json_integer_value(value);
    return DGM_OK;
}

dgm_status dgmi_saved_real(const dgmi_saved *saved, const char *list, int64_t index,
                           const json_t *object, const char *key, double low, double high,
                           double missing, double *out) {
    const json_t *value = json_object_get(object, key);
    *out = json_is_null(value) ? NAN : missing;
    if (!value || json_is_null(value))
        return DGM_OK;
    double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= low && number <= high))
        return dgmi_saved_fail(saved, list, index, "has \"%s\" that is no number from %g to %g",
                               key, low, high);
    *out = number;
    return DGM_OK;
}

/* The text at section.key, or "". */
static const char *text_at(const json_t *root, const char *section, const char *key) {
    const char *text = json_string_value(json_object_get(json_object_get(root, section), key));
    return text ? text : "";
}

static const char *text_or(const char *text, const char *otherwise) {
    return *text ? text : otherwise;
}

/* ---- the file ---- */

static dgm_status check_root(const dgmi_saved *saved) {
    const char *format = json_string_value(json_object_get(saved->root, "format"));
    int64_t version;
    if (!format || strcmp(format, "dgm-summary") != 0)
        return dgmi_saved_fail(
            saved, NULL, 0,
            "this is JSON but no summary: expected {\"format\": \"dgm-summary\", ...} as "
            "'dgm map GRAPH -o FILE.json' writes it");
    dgm_status status =
        dgmi_saved_integer(saved, NULL, 0, saved->root, "version", 1, INT64_MAX, 1, &version);
    if (status == DGM_OK && version > 1)
        return dgmi_saved_fail(saved, NULL, 0,
                               "version %lld of summaries is newer than this program; update it",
                               (long long)version);
    if (status == DGM_OK && (!json_is_array(json_object_get(saved->root, "nodes")) ||
                             !json_is_array(json_object_get(saved->root, "edges"))))
        return dgmi_saved_fail(saved, NULL, 0, "the lists \"nodes\" and \"edges\" are missing");
    return status;
}

dgm_status dgmi_saved_load(dgm_context *ctx, const char *path, json_t **root) {
    dgmi_stream *stream = NULL;
    *root = NULL;
    dgm_status status = dgmi_stream_open(ctx, path, &stream);
    if (status == DGM_OK)
        status = dgmi_json_load(ctx, stream, "reading the summary", root);
    if (status == DGM_OK)
        status = check_root(&(dgmi_saved){.ctx = ctx, .file = path, .root = *root});
    if (status != DGM_OK) {
        json_decref(*root);
        *root = NULL;
    }
    dgmi_stream_close(stream);
    return status;
}

dgm_status dgmi_saved_list(dgmi_saved *saved) {
    json_t *nodes = json_object_get(saved->root, "nodes");
    int64_t count = (int64_t)json_array_size(nodes), id;
    if (count > DGM_MAX_NODES)
        return dgmi_saved_fail(saved, NULL, 0, "%lld clusters are more than can be drawn",
                               (long long)count);
    saved->clusters = dgmi_scratch_zero(saved->ctx, count, sizeof(json_t *));
    if (!saved->clusters)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        json_t *node = json_array_get(nodes, (size_t)i);
        if (!json_is_object(node))
            return dgmi_saved_fail(saved, "nodes", i, "is no object {\"id\": ...}");
        dgm_status status =
            dgmi_saved_integer(saved, "nodes", i, node, "id", 0, count - 1, -1, &id);
        if (status != DGM_OK)
            return status;
        if (id < 0 || saved->clusters[id])
            return dgmi_saved_fail(saved, "nodes", i,
                                   id < 0 ? "has no \"id\"" : "has the id of another cluster");
        saved->clusters[id] = node;
    }
    return DGM_OK;
}

/* ---- clusters ---- */

/* Files say nothing where no axis is transformed. */
static dgm_status read_transforms(dgmi_saved *saved, const json_t *transforms) {
    dgm_view *view = saved->view;
    if (!transforms)
        return DGM_OK;
    if ((int64_t)json_array_size(transforms) != view->dimension)
        return dgmi_saved_fail(saved, NULL, 0,
                               "\"transforms\" is no list of one text for each axis");
    view->transforms = dgmi_view_alloc(saved->ctx, view, view->dimension, sizeof(char *));
    if (!view->transforms)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < view->dimension; c++) {
        const char *name = json_string_value(json_array_get(transforms, (size_t)c));
        if (!name)
            return dgmi_saved_fail(saved, "lens.transforms", c, "is no text");
        if (!(view->transforms[c] = dgmi_view_strdup(saved->ctx, view, name)))
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

static dgm_status read_axes(dgmi_saved *saved) {
    dgm_view *view = saved->view;
    const json_t *lens = json_object_get(saved->root, "lens");
    const json_t *axes = json_object_get(lens, "axes");
    int64_t dimension = (int64_t)json_array_size(axes);
    view->axes = dgmi_view_alloc(saved->ctx, view, dimension, sizeof *view->axes);
    if (!view->axes)
        return DGM_ERROR_MEMORY;
    view->dimension = dimension;
    for (int64_t c = 0; c < dimension; c++) {
        const char *name = json_string_value(json_array_get(axes, (size_t)c));
        if (!name)
            return dgmi_saved_fail(saved, "lens.axes", c, "is no text");
        if (!(view->axes[c] = dgmi_view_strdup(saved->ctx, view, name)))
            return DGM_ERROR_MEMORY;
    }
    return read_transforms(saved, json_object_get(lens, "transforms"));
}

static dgm_status read_lens_means(const dgmi_saved *saved, int64_t mark) {
    const dgm_view *view = saved->view;
    const json_t *lens = json_object_get(saved->clusters[mark], "lens");
    if ((int64_t)json_array_size(lens) != view->dimension)
        return dgmi_saved_fail(saved, "nodes", mark, "has no \"lens\" of %lld numbers",
                               (long long)view->dimension);
    for (int64_t c = 0; c < view->dimension; c++) {
        const json_t *value = json_array_get(lens, (size_t)c);
        if (!json_is_number(value) && !json_is_null(value))
            return dgmi_saved_fail(saved, "nodes", mark, "has a lens value that is no number");
        view->lens[mark * view->dimension + c] =
            json_is_null(value) ? NAN : json_number_value(value);
    }
    return DGM_OK;
}

static dgm_status read_sizes(dgmi_saved *saved) {
    dgm_view *view = saved->view;
    /* Every value that is read stands in the file, so the product is no larger than it. */
    int64_t rows = view->dimension ? view->marks : 0;
    view->lens = dgmi_view_alloc(saved->ctx, view, rows * view->dimension, sizeof *view->lens);
    dgm_status status = view->lens ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < view->marks && status == DGM_OK; m++) {
        status = dgmi_saved_integer(saved, "nodes", m, saved->clusters[m], "size", 1, DGM_MAX_NODES,
                                    -1, &view->size[m]);
        if (status == DGM_OK && view->size[m] < 0)
            status = dgmi_saved_fail(saved, "nodes", m, "has no \"size\"");
        if (status == DGM_OK)
            status = read_lens_means(saved, m);
    }
    return status;
}

static dgm_status read_place(const dgmi_saved *saved, int64_t mark, double place[3]) {
    static const char *const keys[] = {"x", "y", "radius"};
    for (int i = 0; i < 3; i++) {
        dgm_status status = dgmi_saved_real(saved, "nodes", mark, saved->clusters[mark], keys[i],
                                            i < 2 ? -FARTHEST : 0, FARTHEST, NAN, &place[i]);
        if (status != DGM_OK)
            return status;
        if (isnan(place[i]))
            return dgmi_saved_fail(saved, "nodes", mark,
                                   "has no \"%s\": all clusters have places or none has", keys[i]);
    }
    return DGM_OK;
}

static dgm_status read_places(dgmi_saved *saved) {
    dgm_view *view = saved->view;
    double **const into[] = {&view->x, &view->y, &view->radius};
    bool placed = false;
    for (int64_t m = 0; m < view->marks && !placed; m++)
        placed = json_object_get(saved->clusters[m], "x") != NULL;
    for (int i = 0; i < 3 && placed; i++)
        if (!(*into[i] = dgmi_view_alloc(saved->ctx, view, view->marks, sizeof(double))))
            return DGM_ERROR_MEMORY;
    for (int64_t m = 0; m < view->marks && placed; m++) {
        double place[3];
        dgm_status status = read_place(saved, m, place);
        if (status != DGM_OK)
            return status;
        for (int i = 0; i < 3; i++)
            (*into[i])[m] = place[i];
    }
    const char *kind = text_at(saved->root, "layout", "kind");
    for (int i = 0; placed && i < 4; i++)
        if (strcmp(kind, dgmi_export_layouts[i]) == 0)
            view->layout = i;
    return dgmi_saved_integer(saved, NULL, 0, json_object_get(saved->root, "layout"), "seed", 0,
                              INT64_MAX, 0, &view->layout_seed);
}

/* ---- edges ---- */

static dgm_status read_link(const dgmi_saved *saved, int64_t index, const json_t *edge) {
    dgmi_view_link *link = &saved->view->links[index];
    int64_t ends[2], last = saved->view->marks - 1;
    dgm_status status =
        dgmi_saved_integer(saved, "edges", index, edge, "source", 0, last, -1, &ends[0]);
    if (status == DGM_OK)
        status = dgmi_saved_integer(saved, "edges", index, edge, "target", 0, last, -1, &ends[1]);
    if (status == DGM_OK && (ends[0] < 0 || ends[1] < 0 || ends[0] == ends[1]))
        status = dgmi_saved_fail(saved, "edges", index, "does not join two clusters by their ids");
    if (status == DGM_OK)
        status = dgmi_saved_real(saved, "edges", index, edge, "weight", 0, 1, 1, &link->weight);
    if (status == DGM_OK)
        status = dgmi_saved_integer(saved, "edges", index, edge, "shared", 0, INT64_MAX, -1,
                                    &link->shared);
    if (status == DGM_OK)
        status = dgmi_saved_integer(saved, "edges", index, edge, "links", 0, INT64_MAX, -1,
                                    &link->links);
    if (status != DGM_OK)
        return status;
    if (isnan(link->weight))
        link->weight = 1;
    link->source = (uint32_t)(ends[0] < ends[1] ? ends[0] : ends[1]);
    link->target = (uint32_t)(ends[0] < ends[1] ? ends[1] : ends[0]);
    return DGM_OK;
}

static dgm_status check_repeats(const dgmi_saved *saved) {
    const dgm_view *view = saved->view;
    int64_t count = view->link_count;
    if (count > UINT32_MAX)
        return dgmi_saved_fail(saved, NULL, 0, "%lld edges are more than can be drawn",
                               (long long)count);
    uint64_t *keys = dgmi_scratch(saved->ctx, count, sizeof *keys);
    uint32_t *items = dgmi_scratch(saved->ctx, count, sizeof *items);
    if (!keys || !items)
        return DGM_ERROR_MEMORY;
    for (int64_t e = 0; e < count; e++) {
        keys[e] = (uint64_t)view->links[e].source << 32 | view->links[e].target;
        items[e] = (uint32_t)e;
    }
    dgm_status status = dgmi_sort_pairs(saved->ctx, keys, items, count);
    for (int64_t e = 1; e < count && status == DGM_OK; e++)
        if (keys[e] == keys[e - 1])
            status = dgmi_saved_fail(saved, "edges", items[e],
                                     "joins the same clusters as edges[%u]", items[e - 1]);
    return status;
}

static dgm_status read_links(dgmi_saved *saved) {
    const json_t *edges = json_object_get(saved->root, "edges");
    dgm_status status = DGM_OK;
    for (int64_t e = 0; e < saved->view->link_count && status == DGM_OK; e++) {
        const json_t *edge = json_array_get(edges, (size_t)e);
        status = json_is_object(edge)
                     ? read_link(saved, e, edge)
                     : dgmi_saved_fail(saved, "edges", e, "is no object {\"source\": ...}");
    }
    return status == DGM_OK ? check_repeats(saved) : status;
}

/* ---- words ---- */

static dgm_status read_cover(const dgmi_saved *saved, dgmi_view_words *words) {
    const json_t *cover = json_object_get(saved->root, "cover");
    const json_t *intervals = json_object_get(cover, "intervals");
    const json_t *overlap = json_object_get(cover, "overlap");
    words->axes = (int64_t)json_array_size(intervals);
    words->overlaps = (int64_t)json_array_size(overlap);
    if (words->axes > DGM_MAX_AXES || words->overlaps > DGM_MAX_AXES)
        return dgmi_saved_fail(saved, NULL, 0, "the cover has more than %d axes", DGM_MAX_AXES);
    for (int64_t a = 0; a < words->axes; a++)
        words->intervals[a] = json_integer_value(json_array_get(intervals, (size_t)a));
    for (int64_t a = 0; a < words->overlaps; a++)
        words->overlap[a] = json_number_value(json_array_get(overlap, (size_t)a));
    return DGM_OK;
}

static dgm_status read_counts(const dgmi_saved *saved) {
    dgm_view *view = saved->view;
    const json_t *root = saved->root, *graph = json_object_get(root, "graph");
    dgm_status status =
        dgmi_saved_integer(saved, NULL, 0, graph, "nodes", 0, INT64_MAX, 0, &view->nodes);
    if (status == DGM_OK)
        status = dgmi_saved_integer(saved, NULL, 0, graph, "edges", 0, INT64_MAX, 0, &view->edges);
    if (status == DGM_OK)
        status = dgmi_saved_integer(saved, NULL, 0, json_object_get(root, "coverage"), "covered", 0,
                                    view->nodes, view->nodes, &view->covered);
    if (status == DGM_OK)
        status = dgmi_saved_integer(saved, NULL, 0, json_object_get(root, "provenance"), "seed",
                                    INT64_MIN, INT64_MAX, 1, &view->seed);
    return status;
}

static dgm_status read_words(dgmi_saved *saved) {
    dgm_view *view = saved->view;
    const json_t *root = saved->root, *mapper = json_object_get(root, "mapper");
    dgmi_view_words words = {.cover = text_or(text_at(root, "cover", "kind"), "uniform"),
                             .rule = text_or(text_at(root, "cover", "rule"), "gain"),
                             .cluster = text_or(text_at(root, "mapper", "cluster"), "components"),
                             .edges = text_or(text_at(root, "mapper", "edges"), "nerve"),
                             .strength = text_or(text_at(root, "mapper", "strength"), "links"),
                             .eps = json_number_value(json_object_get(mapper, "eps")),
                             .min_size = json_integer_value(json_object_get(mapper, "min_size")),
                             .min_component =
                                 json_integer_value(json_object_get(mapper, "min_component"))};
    view->structural = strcmp(words.edges, "structural") == 0;
    dgm_status status = read_counts(saved);
    if (status == DGM_OK)
        status = read_cover(saved, &words);
    if (status == DGM_OK)
        status =
            dgmi_view_set_text(saved->ctx, view, &view->source, text_at(root, "graph", "source"));
    if (status == DGM_OK)
        status =
            dgmi_view_set_text(saved->ctx, view, &view->lens_name, text_at(root, "lens", "name"));
    if (status == DGM_OK)
        status = dgmi_view_set_text(saved->ctx, view, &view->command,
                                    text_at(root, "provenance", "command"));
    return status == DGM_OK ? dgmi_view_describe(saved->ctx, view, &words) : status;
}

/* ---- the whole ---- */

static dgm_status read_view(dgmi_saved *saved) {
    int64_t links = (int64_t)json_array_size(json_object_get(saved->root, "edges"));
    int64_t marks = (int64_t)json_array_size(json_object_get(saved->root, "nodes"));
    dgm_status status = dgmi_saved_list(saved);
    if (status == DGM_OK)
        status = dgmi_view_create(saved->ctx, DGM_VIEW_SUMMARY, marks, links, &saved->view);
    if (status == DGM_OK)
        status = read_axes(saved);
    if (status == DGM_OK)
        status = read_words(saved);
    if (status == DGM_OK)
        status = read_sizes(saved);
    if (status == DGM_OK)
        status = read_places(saved);
    if (status == DGM_OK)
        status = read_links(saved);
    if (status == DGM_OK)
        status = dgmi_saved_ledger(saved);
    return status == DGM_OK ? dgmi_saved_members(saved) : status;
}

dgm_status dgm_view_read(dgm_context *ctx, const char *path, dgm_view **out) {
    dgmi_mark mark = dgmi_arena_mark(ctx);
    dgmi_saved saved = {.ctx = ctx, .file = path};
    *out = NULL;
    dgm_status status = dgmi_saved_load(ctx, path, &saved.root);
    if (status == DGM_OK)
        status = read_view(&saved);
    if (status == DGM_OK)
        *out = saved.view;
    else
        dgm_view_free(saved.view);
    json_decref(saved.root);
    dgmi_arena_release(ctx, mark);
    return status;
}

bool dgm_view_is_summary(dgm_context *ctx, const char *path) {
    static const char word[] = "\"dgm-summary\"";
    dgmi_stream *stream = NULL;
    const char *data = NULL;
    int64_t size = 0;
    bool found = false;
    if (strcmp(path, "-") == 0)
        return true;
    if (dgmi_stream_open(ctx, path, &stream) == DGM_OK &&
        dgmi_stream_peek(stream, &data, &size) == DGM_OK) {
        int64_t at = 0;
        while (at < size && strchr(" \t\r\n\xEF\xBB\xBF", data[at]))
            at++;
        found = at < size && data[at] == '{';
        int64_t left = found ? size - (int64_t)sizeof word + 1 : -1;
        for (found = false; at <= left && !found; at++)
            found = memcmp(data + at, word, sizeof word - 1) == 0;
    }
    dgmi_stream_close(stream);
    return found;
}
