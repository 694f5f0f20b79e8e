/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs as NumPy arrays: an .npz (a zip of .npy) as a PyTorch Geometric user saves it, or
 * edge_index alone in an .npy.
 *
 *   edge_index   (2, edges) or (edges, 2); where both fit, the former
 *   edge_weight  (edges,), or edge_attr of that shape or (edges, 1)
 *   x            (nodes, columns)  features
 *   y            (nodes,)          classes, -1 for none
 *   train_mask val_mask test_mask  (nodes,)
 *   num_nodes    a number
 *
 * Members may come in any order; everything is collected first and checked against each other then.
 */
#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "io_formats.h"
#include "io_npy.h"
#include "io_scan.h"

enum { PAIRS = 1 << 12 };

/* One value or one row a node. */
typedef struct {
    void *values;
    int64_t rows, width;
    bool there;
} node_array;

typedef struct {
    dgm_context *ctx;
    const char *file;
    dgm_graph_builder *builder;

    uint32_t *ends;
    int64_t edges; /* -1: no edge_index yet */
    bool paired;   /* ends are u v u v ..., otherwise u u ... v v ... */
    double *weights;
    int64_t weight_count; /* -1: none */
    int64_t num_nodes;    /* -1: not said */
    node_array x, y, masks[DGM_SPLIT_TEST + 1];

    char others[256];  /* members that are not used */
    int64_t nodes;     /* the most that anything asks for */
    char largest[160]; /* and what that is */
} array_graph;

/* ---- one array ---- */

static dgm_status refuse_shape(const dgmi_npy *npy, const char *needed) {
    char shape[128];
    return dgmi_npy_fail(npy, DGM_ERROR_FORMAT, "an array of shape %s; %s is needed",
                         dgmi_npy_shape_text(npy, shape), needed);
}

static dgm_status take_edges(array_graph *graph, dgmi_npy *npy) {
    bool across = npy->dimensions == 2 && npy->shape[0] == 2;
    bool down = npy->dimensions == 2 && npy->shape[1] == 2;
    if (!across && !down && npy->count > 0)
        return refuse_shape(npy, "(2, edges) or (edges, 2)");
    graph->paired = across == npy->fortran;
    void *ends;
    dgm_status status = dgmi_npy_read(npy, DGMI_NPY_NODE, &ends);
    dgmi_free(graph->ctx, graph->ends);
    graph->ends = ends;
    graph->edges = npy->count / 2;
    return status;
}

static dgm_status take_weights(array_graph *graph, dgmi_npy *npy) {
    char shape[128];
    int64_t rows, columns;
    bool named = strcmp(npy->what, "edge_weight") == 0;
    if (!dgmi_npy_matrix(npy, &rows, &columns) || columns != 1) {
        if (named)
            return refuse_shape(npy, "one number an edge");
        dgmi_note(graph->ctx,
                  "%s: edge_attr of shape %s is not used: one number an edge would be its weight",
                  graph->file, dgmi_npy_shape_text(npy, shape));
        return DGM_OK;
    }
    if (graph->weight_count >= 0) {
        dgmi_note(graph->ctx, "%s: edge_weight and edge_attr: the former is used", graph->file);
        if (!named)
            return DGM_OK;
    }
    void *weights;
    dgm_status status = dgmi_npy_read(npy, DGMI_NPY_REAL, &weights);
    dgmi_free(graph->ctx, graph->weights);
    graph->weights = weights;
    graph->weight_count = rows;
    return status;
}

static dgm_status take_rows(array_graph *graph, dgmi_npy *npy, dgmi_npy_type type,
                            node_array *array) {
    if (!dgmi_npy_matrix(npy, &array->rows, &array->width))
        return refuse_shape(npy, "one row a node");
    dgmi_free(graph->ctx, array->values);
    dgm_status status = dgmi_npy_read_rows(npy, type, &array->values);
    array->there = array->width > 0;
    if (!array->there)
        array->rows = 0;
    return status;
}

static dgm_status take_features(array_graph *graph, dgmi_npy *npy) {
    return take_rows(graph, npy, DGMI_NPY_FLOAT, &graph->x);
}

static dgm_status take_labels(array_graph *graph, dgmi_npy *npy) {
    if (npy->dimensions == 2 && npy->shape[1] != 1)
        return refuse_shape(npy, "one class a node, (nodes,)");
    return take_rows(graph, npy, DGMI_NPY_LABEL, &graph->y);
}

/* A mask of several columns holds several splits; the first is taken. */
static dgm_status take_mask(array_graph *graph, dgmi_npy *npy, dgm_split split) {
    dgm_status status = take_rows(graph, npy, DGMI_NPY_FLAG, &graph->masks[split]);
    if (status == DGM_OK && graph->masks[split].width > 1)
        dgmi_note(graph->ctx, "%s: %s holds %lld splits: the first is used", graph->file, npy->what,
                  (long long)graph->masks[split].width);
    return status;
}

static dgm_status take_train(array_graph *graph, dgmi_npy *npy) {
    return take_mask(graph, npy, DGM_SPLIT_TRAIN);
}
static dgm_status take_validation(array_graph *graph, dgmi_npy *npy) {
    return take_mask(graph, npy, DGM_SPLIT_VALIDATION);
}
static dgm_status take_test(array_graph *graph, dgmi_npy *npy) {
    return take_mask(graph, npy, DGM_SPLIT_TEST);
}

static dgm_status take_count(array_graph *graph, dgmi_npy *npy) {
    void *value;
    if (npy->count != 1)
        return refuse_shape(npy, "one number");
    dgm_status status = dgmi_npy_read(npy, DGMI_NPY_COUNT, &value);
    if (status == DGM_OK)
        graph->num_nodes = *(int64_t *)value;
    dgmi_free(graph->ctx, value);
    return status;
}

static const struct {
    const char *name;
    dgm_status (*take)(array_graph *graph, dgmi_npy *npy);
} members[] = {
    {"edge_index", take_edges},  {"edge_weight", take_weights},
    {"edge_attr", take_weights}, {"x", take_features},
    {"y", take_labels},          {"num_nodes", take_count},
    {"train_mask", take_train},  {"val_mask", take_validation},
    {"test_mask", take_test},
};
enum { MEMBERS = sizeof members / sizeof *members };

/* ---- all together ---- */

static void count_nodes(array_graph *graph, int64_t nodes, const char *what) {
    if (nodes <= graph->nodes)
        return;
    graph->nodes = nodes;
    snprintf(graph->largest, sizeof graph->largest, "%s", what);
}

static void count_all(array_graph *graph, const dgm_graph_options *options) {
    int64_t named = 0;
    for (int64_t i = 0; i < 2 * graph->edges; i++)
        named = graph->ends[i] >= named ? (int64_t)graph->ends[i] + 1 : named;
    count_nodes(graph, options->nodes, "--nodes asks for");
    count_nodes(graph, named, "edge_index names");
    count_nodes(graph, graph->num_nodes, "num_nodes says");
    if (graph->x.there)
        count_nodes(graph, graph->x.rows, "x has rows for");
    if (graph->y.there)
        count_nodes(graph, graph->y.rows, "y has rows for");
    for (int split = DGM_SPLIT_TRAIN; split <= DGM_SPLIT_TEST; split++)
        if (graph->masks[split].there)
            count_nodes(graph, graph->masks[split].rows, "a mask has rows for");
}

static dgm_status check_rows(const array_graph *graph, const node_array *array, const char *what) {
    if (!array->there || array->rows == graph->nodes)
        return DGM_OK;
    return dgmi_fail_at(graph->ctx, DGM_ERROR_DATA, graph->file, 0, -1,
                        "%s: %lld rows for %lld nodes, which is what %s", what,
                        (long long)array->rows, (long long)graph->nodes, graph->largest);
}

static const char *const mask_names[] = {[DGM_SPLIT_TRAIN] = "train_mask",
                                         [DGM_SPLIT_VALIDATION] = "val_mask",
                                         [DGM_SPLIT_TEST] = "test_mask"};

static dgm_status check_all(const array_graph *graph) {
    if (graph->edges < 0)
        return dgmi_fail_at(graph->ctx, DGM_ERROR_FORMAT, graph->file, 0, -1,
                            "no edge_index in it%s%s", graph->others[0] ? "; it holds " : "",
                            graph->others);
    if (graph->weight_count >= 0 && graph->weight_count != graph->edges)
        return dgmi_fail_at(graph->ctx, DGM_ERROR_DATA, graph->file, 0, -1,
                            "%lld edge weights, but edge_index has %lld edges",
                            (long long)graph->weight_count, (long long)graph->edges);
    dgm_status status = check_rows(graph, &graph->x, "x");
    if (status == DGM_OK)
        status = check_rows(graph, &graph->y, "y");
    for (int split = DGM_SPLIT_TRAIN; status == DGM_OK && split <= DGM_SPLIT_TEST; split++)
        status = check_rows(graph, &graph->masks[split], mask_names[split]);
    return status;
}

/* Ends that lie apart are paired block by block. */
static dgm_status add_edges(const array_graph *graph) {
    if (graph->paired)
        return dgm_graph_builder_add(graph->builder, graph->edges, graph->ends, graph->weights);
    dgmi_mark mark = dgmi_arena_mark(graph->ctx);
    uint32_t *pairs = dgmi_scratch(graph->ctx, 2 * PAIRS, sizeof *pairs);
    dgm_status status = pairs ? DGM_OK : DGM_ERROR_MEMORY;
    for (int64_t first = 0; status == DGM_OK && first < graph->edges; first += PAIRS) {
        int64_t count = graph->edges - first < PAIRS ? graph->edges - first : PAIRS;
        const uint32_t *from = graph->ends + first, *to = from + graph->edges;
        for (int64_t i = 0; i < count; i++) {
            pairs[2 * i] = from[i];
            pairs[2 * i + 1] = to[i];
        }
        status = dgm_graph_builder_add(graph->builder, count, pairs,
                                       graph->weights ? graph->weights + first : NULL);
    }
    dgmi_arena_release(graph->ctx, mark);
    return status;
}

static dgm_status mark_split(const array_graph *graph, uint8_t split, uint8_t *splits) {
    const node_array *mask = &graph->masks[split];
    const uint8_t *flags = mask->values;
    for (int64_t node = 0; mask->there && node < mask->rows; node++) {
        if (!flags[node * mask->width])
            continue;
        if (splits[node])
            return dgmi_fail_at(graph->ctx, DGM_ERROR_DATA, graph->file, 0, -1,
                                "node %lld is in %s and in %s", (long long)node,
                                mask_names[splits[node]], mask_names[split]);
        splits[node] = split;
    }
    return DGM_OK;
}

static dgm_status set_splits(const array_graph *graph) {
    if (!graph->masks[DGM_SPLIT_TRAIN].there && !graph->masks[DGM_SPLIT_VALIDATION].there &&
        !graph->masks[DGM_SPLIT_TEST].there)
        return DGM_OK;
    uint8_t *splits = dgmi_alloc_zero(graph->ctx, graph->nodes, 1);
    dgm_status status = splits ? DGM_OK : DGM_ERROR_MEMORY;
    for (uint8_t split = DGM_SPLIT_TRAIN; status == DGM_OK && split <= DGM_SPLIT_TEST; split++)
        status = mark_split(graph, split, splits);
    if (status == DGM_OK)
        status = dgm_graph_builder_set_splits(graph->builder, graph->nodes, splits);
    dgmi_free(graph->ctx, splits);
    return status;
}

static dgm_status give(array_graph *graph, const dgm_graph_options *options) {
    count_all(graph, options);
    dgm_status status = check_all(graph);
    if (status == DGM_OK)
        status = dgmi_check_sparse_nodes(graph->ctx, graph->file, graph->nodes,
                                         graph->edges + graph->x.rows + graph->y.rows, options);
    if (status == DGM_OK)
        status = add_edges(graph);
    if (status == DGM_OK)
        status = dgm_graph_builder_reserve_nodes(graph->builder, graph->nodes);
    const dgm_graph_features features = {.width = graph->x.width, .values = graph->x.values};
    if (status == DGM_OK && graph->x.there)
        status = dgm_graph_builder_set_features(graph->builder, graph->x.rows, &features);
    if (status == DGM_OK && graph->y.there)
        status = dgm_graph_builder_set_labels(graph->builder, graph->y.rows, graph->y.values);
    if (status == DGM_OK)
        status = set_splits(graph);
    if (status == DGM_OK && graph->others[0])
        dgmi_note(graph->ctx, "%s: not used: %s", graph->file, graph->others);
    return status;
}

static void free_arrays(array_graph *graph) {
    dgmi_free(graph->ctx, graph->ends);
    dgmi_free(graph->ctx, graph->weights);
    dgmi_free(graph->ctx, graph->x.values);
    dgmi_free(graph->ctx, graph->y.values);
    for (int split = DGM_SPLIT_TRAIN; split <= DGM_SPLIT_TEST; split++)
        dgmi_free(graph->ctx, graph->masks[split].values);
}

static array_graph begin(dgm_context *ctx, const dgmi_stream *stream, dgm_graph_builder *builder) {
    return (array_graph){.ctx = ctx,
                         .file = dgmi_stream_name(stream),
                         .builder = builder,
                         .edges = -1,
                         .weight_count = -1,
                         .num_nodes = -1};
}

dgm_status dgmi_read_npy(dgm_context *ctx, dgmi_stream *stream, const dgm_graph_options *options,
                         dgm_graph_builder *builder) {
    array_graph graph = begin(ctx, stream, builder);
    dgmi_npy npy;
    dgm_status status = dgmi_npy_open_stream(ctx, stream, &npy);
    if (status == DGM_OK)
        status = take_edges(&graph, &npy);
    if (status == DGM_OK)
        status = give(&graph, options);
    free_arrays(&graph);
    return status;
}

/* ---- the zip ---- */

static dgm_status fail_zip(const array_graph *graph, struct archive *zip) {
    const char *why = archive_error_string(zip);
    return dgmi_fail_at(graph->ctx, DGM_ERROR_FORMAT, graph->file, 0, -1,
                        "not a whole .npz (a zip of arrays)%s%s; save it with numpy.savez",
                        why ? ": " : "", why ? why : "");
}

typedef struct {
    const array_graph *graph;
    struct archive *zip;
} member_source;

static dgm_status read_member(void *user, void *buffer, int64_t size, int64_t *got) {
    const member_source *source = user;
    for (*got = 0; *got < size;) {
        la_ssize_t count =
            archive_read_data(source->zip, (char *)buffer + *got, (size_t)(size - *got));
        if (count < 0)
            return fail_zip(source->graph, source->zip);
        if (count == 0)
            break;
        *got += count;
    }
    return DGM_OK;
}

static void remember_other(array_graph *graph, const char *name) {
    size_t used = strlen(graph->others);
    snprintf(graph->others + used, sizeof graph->others - used, "%s%.40s", used ? ", " : "", name);
}

static dgm_status take_member(array_graph *graph, struct archive *zip, const char *path) {
    char name[64];
    member_source source = {graph, zip};
    dgmi_npy npy;
    size_t length = dgmi_ends_with(path, ".npy") ? strlen(path) - 4 : strlen(path);
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), path);
    for (int m = 0; m < MEMBERS; m++) {
        if (strcmp(name, members[m].name) != 0)
            continue;
        dgm_status status =
            dgmi_npy_open(graph->ctx, graph->file, members[m].name, read_member, &source, &npy);
        return status == DGM_OK ? members[m].take(graph, &npy) : status;
    }
    remember_other(graph, name);
    return DGM_OK;
}

static dgm_status take_members(array_graph *graph, struct archive *zip) {
    struct archive_entry *entry;
    int result;
    while ((result = archive_read_next_header(zip, &entry)) == ARCHIVE_OK ||
           result == ARCHIVE_WARN) {
        const char *path = archive_entry_pathname(entry);
        dgm_status status = take_member(graph, zip, path ? path : "?");
        if (status != DGM_OK)
            return status;
    }
    return result == ARCHIVE_EOF ? DGM_OK : fail_zip(graph, zip);
}

static dgm_status open_zip(array_graph *graph, const char *data, int64_t size) {
    struct archive *zip = archive_read_new();
    if (!zip)
        return dgmi_fail_memory(graph->ctx, 1, 1 << 16);
    dgm_status status = DGM_OK;
    /* By its directory alone: read as a stream, a zip whose end is missing would only look smaller.
     */
    if (archive_read_support_format_zip_seekable(zip) != ARCHIVE_OK ||
        archive_read_open_memory(zip, data, (size_t)size) != ARCHIVE_OK)
        status = fail_zip(graph, zip);
    if (status == DGM_OK)
        status = take_members(graph, zip);
    archive_read_free(zip);
    return status;
}

dgm_status dgmi_read_npz(dgm_context *ctx, dgmi_stream *stream, const dgm_graph_options *options,
                         dgm_graph_builder *builder) {
    array_graph graph = begin(ctx, stream, builder);
    char *data;
    int64_t size;
    dgm_status status = dgmi_stream_read_all(stream, &data, &size);
    if (status == DGM_OK)
        status = open_zip(&graph, data, size);
    dgmi_free(ctx, data);
    if (status == DGM_OK)
        status = give(&graph, options);
    free_arrays(&graph);
    return status;
}
