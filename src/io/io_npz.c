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
 * or a sparse matrix as scipy.sparse.save_npz writes it (io_npz_matrix.c).
 *
 * Members may come in any order. Edges and weights go to the builder block by block as they are
 * read; what belongs to nodes is collected first and checked against each other then.
 */
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "bytes_npy.h"
#include "bytes_scan.h"
#include "io_formats.h"
#include "io_npz.h"

/* One value or one row per node. */
typedef struct {
    void *values;
    int64_t rows, width;
    bool there;
} node_array;

typedef struct {
    dgm_context *ctx;
    const char *file;
    dgm_graph_builder *builder;
    bool directed; /* directions are kept */

    int64_t edges; /* -1: no edge_index yet */
    bool paired;   /* ends are u v u v ..., otherwise u u ... v v ... */
    dgmi_graph_record_cursor targets, weights;
    int64_t weight_count;                        /* -1: none */
    int64_t num_nodes;                           /* -1: not said */
    bool has_edge_index, has_weight, has_format; /* among the members */
    dgmi_io_npz_matrix matrix;
    node_array x, y, masks[DGM_SPLIT_TEST + 1];

    char others[256];  /* members that are not used */
    bool listed;       /* they were listed knowing what the file is */
    int64_t nodes;     /* the most that anything asks for */
    char largest[160]; /* and what that is */
} array_graph;

/* ---- one array ---- */

static dgm_status refuse_shape(const dgmi_bytes_npy *npy, const char *needed) {
    char shape[128];
    return dgmi_bytes_npy_fail(npy, DGM_ERROR_FORMAT, "an array of shape %s; %s is needed",
                               dgmi_bytes_npy_shape_text(npy, shape), needed);
}

/* Ends of edges, pair by pair or all sources before all targets. */
static dgm_status take_ends(void *user, int64_t first, int64_t count, const void *values) {
    array_graph *graph = user;
    const uint32_t *ends = values;
    if (graph->paired)
        return dgm_graph_builder_add(graph->builder, count / 2, ends, NULL);
    int64_t sources = first >= graph->edges          ? 0
                      : first + count > graph->edges ? graph->edges - first
                                                     : count;
    dgm_status status = dgmi_graph_builder_add_sources(graph->builder, sources, ends);
    if (status == DGM_OK)
        status = dgmi_graph_builder_fill_targets(graph->builder, &graph->targets, count - sources,
                                                 ends + sources);
    return status;
}

static dgm_status take_edges(array_graph *graph, dgmi_bytes_npy *npy) {
    bool across = npy->dimensions == 2 && npy->shape[0] == 2;
    bool down = npy->dimensions == 2 && npy->shape[1] == 2;
    if (!across && !down && npy->count > 0)
        return refuse_shape(npy, "(2, edges) or (edges, 2)");
    if (graph->edges >= 0)
        return dgmi_bytes_npy_fail(npy, DGM_ERROR_FORMAT, "stands twice in the file");
    graph->paired = across == npy->fortran;
    graph->edges = npy->count / 2;
    return dgmi_bytes_npy_each(npy, DGMI_BYTES_NPY_NODE, take_ends, graph);
}

static dgm_status fill_weights(void *user, int64_t first, int64_t count, const void *values) {
    (void)first;
    array_graph *graph = user;
    return dgmi_graph_builder_fill_weights(graph->builder, &graph->weights, count, values);
}

static dgm_status take_weights(array_graph *graph, dgmi_bytes_npy *npy) {
    char shape[128];
    int64_t rows, columns;
    bool named = strcmp(npy->what, "edge_weight") == 0;
    if (!dgmi_bytes_npy_matrix(npy, &rows, &columns) || columns != 1) {
        if (named)
            return refuse_shape(npy, "one number an edge");
        dgmi_note(graph->ctx,
                  "%s: edge_attr of shape %s is not used: one number an edge would be its weight",
                  graph->file, dgmi_bytes_npy_shape_text(npy, shape));
        return DGM_OK;
    }
    if (!named && graph->has_weight) {
        dgmi_note(graph->ctx, "%s: edge_weight and edge_attr: the former is used", graph->file);
        return DGM_OK;
    }
    if (graph->weight_count >= 0)
        return dgmi_bytes_npy_fail(npy, DGM_ERROR_FORMAT, "stands twice in the file");
    graph->weight_count = rows;
    if (rows != graph->edges)
        return dgmi_fail_in(graph->ctx, DGM_ERROR_DATA, graph->file,
                            "%lld edge weights, but edge_index has %lld edges", (long long)rows,
                            (long long)graph->edges);
    return dgmi_bytes_npy_each(npy, DGMI_BYTES_NPY_REAL, fill_weights, graph);
}

static dgm_status take_rows(array_graph *graph, dgmi_bytes_npy *npy, dgmi_bytes_npy_type type,
                            node_array *array) {
    if (!dgmi_bytes_npy_matrix(npy, &array->rows, &array->width))
        return refuse_shape(npy, "one row per node");
    dgmi_free(graph->ctx, array->values);
    dgm_status status = dgmi_bytes_npy_read_rows(npy, type, &array->values);
    array->there = array->width > 0;
    if (!array->there)
        array->rows = 0;
    return status;
}

static dgm_status take_features(array_graph *graph, dgmi_bytes_npy *npy) {
    return take_rows(graph, npy, DGMI_BYTES_NPY_FLOAT, &graph->x);
}

static dgm_status take_labels(array_graph *graph, dgmi_bytes_npy *npy) {
    if (npy->dimensions == 2 && npy->shape[1] != 1)
        return refuse_shape(npy, "one class per node, (nodes,)");
    return take_rows(graph, npy, DGMI_BYTES_NPY_LABEL, &graph->y);
}

/* A mask of several columns holds several splits; the first is taken. */
static dgm_status take_mask(array_graph *graph, dgmi_bytes_npy *npy, dgm_split split) {
    dgm_status status = take_rows(graph, npy, DGMI_BYTES_NPY_FLAG, &graph->masks[split]);
    if (status == DGM_OK && graph->masks[split].width > 1)
        dgmi_note(graph->ctx, "%s: %s holds %lld splits: the first is used", graph->file, npy->what,
                  (long long)graph->masks[split].width);
    return status;
}

static dgm_status take_train(array_graph *graph, dgmi_bytes_npy *npy) {
    return take_mask(graph, npy, DGM_SPLIT_TRAIN);
}
static dgm_status take_validation(array_graph *graph, dgmi_bytes_npy *npy) {
    return take_mask(graph, npy, DGM_SPLIT_VALIDATION);
}
static dgm_status take_test(array_graph *graph, dgmi_bytes_npy *npy) {
    return take_mask(graph, npy, DGM_SPLIT_TEST);
}

static dgm_status take_count(array_graph *graph, dgmi_bytes_npy *npy) {
    void *value;
    if (npy->count != 1)
        return refuse_shape(npy, "one number");
    dgm_status status = dgmi_bytes_npy_read(npy, DGMI_BYTES_NPY_COUNT, &value);
    if (status == DGM_OK)
        graph->num_nodes = *(int64_t *)value;
    dgmi_free(graph->ctx, value);
    return status;
}

static const struct {
    const char *name;
    int pass;
    dgm_status (*take)(array_graph *graph, dgmi_bytes_npy *npy);
} members[] = {
    {"edge_index", DGMI_IO_NPZ_ENDS, take_edges},  {"edge_weight", DGMI_IO_NPZ_REST, take_weights},
    {"edge_attr", DGMI_IO_NPZ_REST, take_weights}, {"x", DGMI_IO_NPZ_REST, take_features},
    {"y", DGMI_IO_NPZ_REST, take_labels},          {"num_nodes", DGMI_IO_NPZ_FACTS, take_count},
    {"train_mask", DGMI_IO_NPZ_REST, take_train},  {"val_mask", DGMI_IO_NPZ_REST, take_validation},
    {"test_mask", DGMI_IO_NPZ_REST, take_test},
};
enum { MEMBERS = sizeof members / sizeof *members };

/* ---- all together ---- */

static void count_nodes(array_graph *graph, int64_t nodes, const char *what) {
    if (nodes <= graph->nodes)
        return;
    graph->nodes = nodes;
    snprintf(graph->largest, sizeof graph->largest, "%s", what);
}

static bool is_matrix(const array_graph *graph) {
    return graph->has_format && !graph->has_edge_index;
}

/* *stated counts what is said beside the edges. */
static void count_all(array_graph *graph, const dgm_graph_options *options, int64_t *stated) {
    count_nodes(graph, options->nodes, DGMI_NAMED("nodes") " asks for");
    if (is_matrix(graph))
        count_nodes(graph, graph->matrix.shape[0], "shape says");
    count_nodes(graph, graph->num_nodes, "num_nodes says");
    *stated = graph->nodes;
    count_nodes(graph, dgm_graph_builder_nodes(graph->builder), "edge_index names");
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
    return dgmi_fail_in(graph->ctx, DGM_ERROR_DATA, graph->file,
                        "%s: %lld rows for %lld nodes, which is what %s", what,
                        (long long)array->rows, (long long)graph->nodes, graph->largest);
}

static const char *const mask_names[] = {[DGM_SPLIT_TRAIN] = "train_mask",
                                         [DGM_SPLIT_VALIDATION] = "val_mask",
                                         [DGM_SPLIT_TEST] = "test_mask"};

static dgm_status check_all(const array_graph *graph) {
    dgm_status status = check_rows(graph, &graph->x, "x");
    if (status == DGM_OK)
        status = check_rows(graph, &graph->y, "y");
    for (int split = DGM_SPLIT_TRAIN; status == DGM_OK && split <= DGM_SPLIT_TEST; split++)
        status = check_rows(graph, &graph->masks[split], mask_names[split]);
    return status;
}

static dgm_status mark_split(const array_graph *graph, uint8_t split, uint8_t *splits) {
    const node_array *mask = &graph->masks[split];
    const uint8_t *flags = mask->values;
    for (int64_t node = 0; mask->there && node < mask->rows; node++) {
        if (!flags[node * mask->width])
            continue;
        if (splits[node])
            return dgmi_fail_in(graph->ctx, DGM_ERROR_DATA, graph->file,
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

/* Rows of anything that the file holds: what stands behind a number of nodes. */
static int64_t data_rows(const array_graph *graph) {
    const dgmi_io_npz_matrix *matrix = &graph->matrix;
    int64_t edges = is_matrix(graph) ? matrix->entries : graph->edges;
    return edges + graph->x.rows + graph->y.rows +
           (matrix->start_count > 0 ? matrix->start_count : 0);
}

/* Whether something holds one row per node: rows follow the numbers. */
static bool has_rows(const array_graph *graph) {
    return graph->x.there || graph->y.there || graph->masks[DGM_SPLIT_TRAIN].there ||
           graph->masks[DGM_SPLIT_VALIDATION].there || graph->masks[DGM_SPLIT_TEST].there;
}

static dgm_status give(array_graph *graph, const dgm_graph_options *options) {
    int64_t stated = 0;
    count_all(graph, options, &stated);
    dgm_status status = check_all(graph);
    if (status == DGM_OK)
        status = dgmi_bytes_check_sparse_nodes(graph->ctx, graph->file, graph->nodes,
                                               data_rows(graph), options);
    if (status == DGM_OK)
        status = dgm_graph_builder_reserve_nodes(graph->builder, stated);
    if (status == DGM_OK && options->ids == DGM_IDS_NAME && stated == 0 && !has_rows(graph)) {
        bool ordered = dgmi_graph_builder_has_names(graph->builder); /* by a table of nodes */
        status = dgmi_graph_builder_name_numbers(graph->builder);
        if (status == DGM_OK && !ordered && dgmi_graph_builder_has_names(graph->builder))
            status = dgmi_graph_builder_sort_names(graph->builder);
        return status;
    }
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
    dgmi_io_npz_matrix_free(graph->ctx, &graph->matrix);
    dgmi_free(graph->ctx, graph->x.values);
    dgmi_free(graph->ctx, graph->y.values);
    for (int split = DGM_SPLIT_TRAIN; split <= DGM_SPLIT_TEST; split++)
        dgmi_free(graph->ctx, graph->masks[split].values);
}

static array_graph begin(dgm_context *ctx, const dgmi_bytes_stream *stream,
                         dgm_graph_builder *builder) {
    array_graph graph = {.ctx = ctx,
                         .file = dgmi_bytes_stream_name(stream),
                         .builder = builder,
                         .edges = -1,
                         .weight_count = -1,
                         .num_nodes = -1};
    dgmi_io_npz_matrix_init(&graph.matrix);
    return graph;
}

/* An array that holds no edges is perhaps one of points. */
static dgm_status suggest_points(const array_graph *graph, const dgmi_bytes_npy *npy,
                                 dgm_status status) {
    char message[512];
    bool points = npy->dimensions == 2 && npy->shape[0] > 0 &&
                  (npy->kind == 'f' || (npy->shape[0] != 2 && npy->shape[1] != 2));
    if ((status != DGM_ERROR_DATA && status != DGM_ERROR_FORMAT) || !points)
        return status;
    snprintf(message, sizeof message, "%s", dgm_context_error_parts(graph->ctx).message);
    return dgmi_fail_in(
        graph->ctx, status, graph->file,
        "%s; if each row is a point, 'dgm convert' with " DGMI_NAMED("knn=10") " makes a graph "
                                                                               "of them",
        message);
}

dgm_status dgmi_io_read_npy(dgm_context *ctx, dgmi_bytes_stream *stream,
                            const dgm_graph_options *options, dgm_graph_builder *builder) {
    array_graph graph = begin(ctx, stream, builder);
    dgmi_bytes_npy npy;
    dgm_status status = dgmi_bytes_npy_open_stream(ctx, stream, &npy);
    if (status == DGM_OK)
        status = suggest_points(&graph, &npy, take_edges(&graph, &npy));
    if (status == DGM_OK)
        status = give(&graph, options);
    free_arrays(&graph);
    return status;
}

/* ---- the zip ---- */

static void remember_other(array_graph *graph, const char *name) {
    size_t used = strlen(graph->others);
    snprintf(graph->others + used, sizeof graph->others - used, "%s%.40s", used ? ", " : "", name);
}

/* What the file holds decides what its names mean. */
static void note_name(array_graph *graph, const char *name) {
    graph->has_edge_index |= strcmp(name, "edge_index") == 0;
    graph->has_weight |= strcmp(name, "edge_weight") == 0;
    graph->has_format |= strcmp(name, "format") == 0;
    for (int m = 0; m < MEMBERS; m++)
        if (strcmp(name, members[m].name) == 0)
            return;
    remember_other(graph, name);
}

static dgm_status take_array(array_graph *graph, int pass, const dgmi_bytes_npz_member *member,
                             bool *known) {
    dgmi_bytes_npy npy;
    int m = 0;
    while (m < MEMBERS && strcmp(member->name, members[m].name) != 0)
        m++;
    *known = m < MEMBERS;
    if (m == MEMBERS || members[m].pass != pass)
        return DGM_OK;
    dgm_status status = dgmi_bytes_npy_open(graph->ctx, graph->file, members[m].name, member->read,
                                            member->source, &npy);
    return status == DGM_OK ? members[m].take(graph, &npy) : status;
}

static dgm_status fail_no_edges(const array_graph *graph) {
    return dgmi_fail_in(graph->ctx, DGM_ERROR_FORMAT, graph->file,
                        "no edge_index in it, and no sparse matrix%s%s",
                        graph->others[0] ? "; it holds " : "", graph->others);
}

static dgm_status take_member(void *user, int pass, const dgmi_bytes_npz_member *member) {
    array_graph *graph = user;
    bool known = false;
    dgm_status status = DGM_OK;
    if (pass == DGMI_IO_NPZ_NAMES) {
        note_name(graph, member->name);
        return DGM_OK;
    }
    if (!graph->has_edge_index && !graph->has_format)
        return fail_no_edges(graph);
    if (pass == DGMI_IO_NPZ_FACTS && !graph->listed) { /* again, now that names have a meaning */
        graph->others[0] = '\0';
        graph->listed = true;
    }
    const dgmi_io_npz_target target = {graph->ctx, graph->file, graph->builder, graph->directed};
    if (is_matrix(graph))
        status = dgmi_io_npz_matrix_take(&graph->matrix, &target, pass, member, &known);
    if (status == DGM_OK && !known)
        status = take_array(graph, pass, member, &known);
    if (status == DGM_OK && !known && pass == DGMI_IO_NPZ_FACTS)
        remember_other(graph, member->name);
    return status;
}

dgm_status dgmi_io_read_npz(dgm_context *ctx, dgmi_bytes_stream *stream,
                            const dgm_graph_options *options, dgm_graph_builder *builder) {
    array_graph graph = begin(ctx, stream, builder);
    const dgmi_io_npz_target target = {ctx, graph.file, builder, options->directed};
    graph.directed = options->directed;
    dgm_status status = dgmi_bytes_npz_each(ctx, stream, DGMI_IO_NPZ_PASSES, take_member, &graph);
    if (status == DGM_OK && !graph.has_edge_index && !graph.has_format)
        status = fail_no_edges(&graph);
    if (status == DGM_OK && is_matrix(&graph))
        status = dgmi_io_npz_matrix_check(&graph.matrix, &target);
    if (status == DGM_OK)
        status = give(&graph, options);
    free_arrays(&graph);
    return status;
}
