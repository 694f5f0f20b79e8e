/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the lens, the clusters and the edges of a summary. */
#include "archive_read.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_sort.h"

/* ---- the lens ---- */

/* One text for each axis; all of them "none" where the file says nothing. */
static dgm_status read_transforms(const dgmi_archive_saved *saved, const json_t *transforms) {
    dgm_summary *summary = saved->summary;
    if (transforms && (int64_t)json_array_size(transforms) != summary->dimension)
        return dgmi_archive_saved_fail(saved, NULL, 0,
                                       "\"transforms\" is no list of one text for each axis");
    for (int64_t c = 0; c < summary->dimension; c++) {
        const char *name =
            transforms ? json_string_value(json_array_get(transforms, (size_t)c)) : "none";
        if (!name)
            return dgmi_archive_saved_fail(saved, "lens.transforms", c, "is no text");
        if (!(summary->transforms[c] = dgmi_strdup(saved->ctx, name)))
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

/* A number for each axis, NaN for null and where the list is missing. */
static dgm_status read_numbers(const dgmi_archive_saved *saved, const char *key, double *out) {
    const json_t *list = json_object_get(json_object_get(saved->root, "lens"), key);
    int64_t dimension = saved->summary->dimension;
    if (!list)
        return DGM_OK;
    if ((int64_t)json_array_size(list) != dimension)
        return dgmi_archive_saved_fail(saved, NULL, 0,
                                       "\"%s\" is no list of one number for each axis", key);
    for (int64_t c = 0; c < dimension; c++) {
        const json_t *value = json_array_get(list, (size_t)c);
        if (!json_is_number(value) && !json_is_null(value))
            return dgmi_archive_saved_fail(saved, key, c, "is no number");
        out[c] = json_is_null(value) ? NAN : json_number_value(value);
    }
    return DGM_OK;
}

dgm_status dgmi_archive_saved_axes(const dgmi_archive_saved *saved) {
    dgm_summary *summary = saved->summary;
    const json_t *lens = json_object_get(saved->root, "lens");
    const json_t *axes = json_object_get(lens, "axes");
    dgm_status status =
        dgmi_mapper_summary_open_axes(saved->ctx, summary, (int64_t)json_array_size(axes));
    for (int64_t c = 0; c < summary->dimension && status == DGM_OK; c++) {
        const char *name = json_string_value(json_array_get(axes, (size_t)c));
        if (!name)
            return dgmi_archive_saved_fail(saved, "lens.axes", c, "is no text");
        if (!(summary->axis_names[c] = dgmi_strdup(saved->ctx, name)))
            return DGM_ERROR_MEMORY;
    }
    if (status == DGM_OK)
        status = read_transforms(saved, json_object_get(lens, "transforms"));
    if (status == DGM_OK)
        status = read_numbers(saved, "min", summary->low);
    if (status == DGM_OK)
        status = read_numbers(saved, "max", summary->high);
    return status == DGM_OK ? read_numbers(saved, "errors", summary->errors) : status;
}

/* ---- clusters ---- */

static dgm_status read_size(const dgmi_archive_saved *saved, int64_t cluster) {
    int64_t *offsets = saved->summary->offsets, size;
    dgm_status status = dgmi_archive_saved_integer(
        saved, "nodes", cluster, saved->clusters[cluster], "size", 1, DGM_MAX_NODES, -1, &size);
    if (status == DGM_OK && size < 0)
        status = dgmi_archive_saved_fail(saved, "nodes", cluster, "has no \"size\"");
    if (status == DGM_OK && size > INT64_MAX - offsets[cluster])
        status = dgmi_archive_saved_fail(saved, "nodes", cluster,
                                         "has more members than can be counted");
    if (status == DGM_OK)
        offsets[cluster + 1] = offsets[cluster] + size;
    return status;
}

static dgm_status read_means(const dgmi_archive_saved *saved, int64_t cluster) {
    const dgm_summary *summary = saved->summary;
    const json_t *lens = json_object_get(saved->clusters[cluster], "lens");
    if ((int64_t)json_array_size(lens) != summary->dimension)
        return dgmi_archive_saved_fail(saved, "nodes", cluster, "has no \"lens\" of %lld numbers",
                                       (long long)summary->dimension);
    for (int64_t c = 0; c < summary->dimension; c++) {
        const json_t *value = json_array_get(lens, (size_t)c);
        if (!json_is_number(value) && !json_is_null(value))
            return dgmi_archive_saved_fail(saved, "nodes", cluster,
                                           "has a lens value that is no number");
        summary->lens[cluster * summary->dimension + c] =
            json_is_null(value) ? NAN : json_number_value(value);
    }
    return DGM_OK;
}

/* Cells of all clusters have as many coordinates as that of the first. */
static dgm_status read_cell(const dgmi_archive_saved *saved, int64_t cluster) {
    const dgm_summary *summary = saved->summary;
    const json_t *cell = json_object_get(saved->clusters[cluster], "cell");
    if ((int64_t)json_array_size(cell) != summary->axes)
        return dgmi_archive_saved_fail(saved, "nodes", cluster, "has no \"cell\" of %lld numbers",
                                       (long long)summary->axes);
    for (int64_t a = 0; a < summary->axes; a++) {
        const json_t *value = json_array_get(cell, (size_t)a);
        json_int_t number = json_integer_value(value);
        if (!json_is_integer(value) || number < 0 || number > INT32_MAX)
            return dgmi_archive_saved_fail(
                saved, "nodes", cluster,
                "has a \"cell\" that is no list of whole numbers from 0 to %d", INT32_MAX);
        summary->cells[cluster * summary->axes + a] = (int32_t)number;
    }
    return DGM_OK;
}

/* Every value that is read stands in the file, so no product is larger than it. */
static dgm_status open_clusters(const dgmi_archive_saved *saved) {
    dgm_summary *summary = saved->summary;
    int64_t count = (int64_t)json_array_size(json_object_get(saved->root, "nodes"));
    int64_t rows = summary->dimension ? count : 0;
    summary->clusters = count;
    summary->axes =
        count ? (int64_t)json_array_size(json_object_get(saved->clusters[0], "cell")) : 0;
    summary->offsets = dgmi_alloc_zero(saved->ctx, count + 1, sizeof *summary->offsets);
    summary->lens = dgmi_alloc(saved->ctx, rows * summary->dimension, sizeof *summary->lens);
    summary->cells =
        dgmi_alloc(saved->ctx, (summary->axes ? count : 0) * summary->axes, sizeof *summary->cells);
    return summary->offsets && summary->lens && summary->cells ? DGM_OK : DGM_ERROR_MEMORY;
}

dgm_status dgmi_archive_saved_clusters(const dgmi_archive_saved *saved) {
    dgm_status status = open_clusters(saved);
    for (int64_t c = 0; c < saved->summary->clusters && status == DGM_OK; c++) {
        status = read_size(saved, c);
        if (status == DGM_OK)
            status = read_means(saved, c);
        if (status == DGM_OK)
            status = read_cell(saved, c);
    }
    return status;
}

/* ---- edges ---- */

static dgm_status read_edge(const dgmi_archive_saved *saved, int64_t index, const json_t *object) {
    dgm_summary_edge *edge = &saved->summary->edges[index];
    int64_t ends[2], last = saved->summary->clusters - 1;
    dgm_status status =
        dgmi_archive_saved_integer(saved, "edges", index, object, "source", 0, last, -1, &ends[0]);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, "edges", index, object, "target", 0, last, -1,
                                            &ends[1]);
    if (status == DGM_OK && (ends[0] < 0 || ends[1] < 0 || ends[0] == ends[1]))
        status = dgmi_archive_saved_fail(saved, "edges", index,
                                         "does not join two clusters by their ids");
    if (status == DGM_OK)
        status = dgmi_archive_saved_real(saved, "edges", index, object, "weight", 0, 1, 1,
                                         &edge->weight);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, "edges", index, object, "shared", 0, INT64_MAX,
                                            -1, &edge->shared);
    if (status == DGM_OK)
        status = dgmi_archive_saved_integer(saved, "edges", index, object, "links", 0, INT64_MAX,
                                            -1, &edge->links);
    if (status != DGM_OK)
        return status;
    if (isnan(edge->weight))
        edge->weight = 1;
    edge->inner = -1;
    edge->source = (uint32_t)(ends[0] < ends[1] ? ends[0] : ends[1]);
    edge->target = (uint32_t)(ends[0] < ends[1] ? ends[1] : ends[0]);
    return DGM_OK;
}

static dgm_status check_repeats(const dgmi_archive_saved *saved) {
    const dgm_summary *summary = saved->summary;
    int64_t count = summary->edge_count;
    if (count > UINT32_MAX)
        return dgmi_archive_saved_fail(saved, NULL, 0, "%lld edges are more than can be drawn",
                                       (long long)count);
    uint64_t *keys = dgmi_scratch(saved->ctx, count, sizeof *keys);
    uint32_t *items = dgmi_scratch(saved->ctx, count, sizeof *items);
    if (!keys || !items)
        return DGM_ERROR_MEMORY;
    for (int64_t e = 0; e < count; e++) {
        keys[e] = (uint64_t)summary->edges[e].source << 32 | summary->edges[e].target;
        items[e] = (uint32_t)e;
    }
    dgm_status status = dgmi_sort_pairs(saved->ctx, keys, items, count);
    for (int64_t e = 1; e < count && status == DGM_OK; e++)
        if (keys[e] == keys[e - 1])
            status = dgmi_archive_saved_fail(saved, "edges", items[e],
                                             "joins the same clusters as edges[%u]", items[e - 1]);
    return status;
}

dgm_status dgmi_archive_saved_edges(const dgmi_archive_saved *saved) {
    dgm_summary *summary = saved->summary;
    const json_t *edges = json_object_get(saved->root, "edges");
    int64_t count = (int64_t)json_array_size(edges);
    summary->edges = dgmi_alloc(saved->ctx, count, sizeof *summary->edges);
    dgm_status status = summary->edges ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t e = 0; e < count && status == DGM_OK; e++) {
        const json_t *edge = json_array_get(edges, (size_t)e);
        status = json_typeof(edge) == JSON_OBJECT
                     ? read_edge(saved, e, edge)
                     : dgmi_archive_saved_fail(saved, "edges", e, "is no object {\"source\": ...}");
    }
    summary->edge_count = count;
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(saved->ctx);
    status = check_repeats(saved);
    dgmi_arena_release(saved->ctx, hold);
    return status;
}
