/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs, tables and predictions: out of arrays and files, and back into arrays. */
#include "module.h"

#include <string.h>

static void free_graph(PyObject *handle) {
    dgm_graph_free(PyCapsule_GetPointer(handle, "dgm.graph"));
}

static PyObject *give_graph(dgm_graph *graph) {
    PyObject *handle = handle_new("dgm.graph", graph, free_graph);
    if (!handle)
        dgm_graph_free(graph);
    return handle;
}

/* ---- what a graph is made of ---- */

/* The parts of a description, all borrowed from Python. Texts are freed with release_parts. */
typedef struct {
    long long nodes;
    const uint32_t *ends;
    long long edges;
    const double *weights;
    dgm_graph_rows rows;
    bool has_rows;
    const char **names;
    Py_ssize_t name_count;
    const char *source;
    const int32_t *labels;
    const char **classes;
    Py_ssize_t class_count;
    const uint8_t *splits;
    dgm_graph_features features;
    PyObject *attributes; /* a list of (name, address or list of texts) */
    const char ***texts;  /* those of attributes; NULL for numbers */
    int directed;
    bool loops; /* self-loops are kept */
} parts;

static void release_parts(parts *p) {
    Py_ssize_t count = p->attributes ? PyList_Size(p->attributes) : 0;
    PyMem_Free(p->names);
    PyMem_Free(p->classes);
    for (Py_ssize_t i = 0; p->texts && i < count; i++)
        PyMem_Free(p->texts[i]);
    PyMem_Free(p->texts);
}

static bool take_rows(PyObject *rows, parts *p) {
    PyObject *offsets, *targets, *weights;
    long long nodes, entries;
    const void *at[3];
    if (!PyArg_ParseTuple(rows, "LLOOO", &nodes, &entries, &offsets, &targets, &weights) ||
        !take_address(offsets, &at[0]) || !take_address(targets, &at[1]) ||
        !take_address(weights, &at[2]))
        return false;
    p->rows = (dgm_graph_rows){nodes, entries, at[0], at[1], at[2], p->directed};
    p->has_rows = true;
    return true;
}

static bool take_features(PyObject *features, parts *p) {
    PyObject *offsets, *columns, *values;
    long long width;
    const void *at[3];
    if (!PyArg_ParseTuple(features, "LOOO", &width, &offsets, &columns, &values) ||
        !take_address(offsets, &at[0]) || !take_address(columns, &at[1]) ||
        !take_address(values, &at[2]))
        return false;
    p->features = (dgm_graph_features){width, at[0], at[1], at[2]};
    return true;
}

static bool take_attributes(PyObject *list, parts *p) {
    Py_ssize_t count = PyList_Size(list), length;
    p->attributes = list;
    p->texts = PyMem_Calloc((size_t)(count > 0 ? count : 1), sizeof *p->texts);
    if (!p->texts) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *values = PyTuple_GetItem(PyList_GetItem(list, i), 1);
        if (!values)
            return false;
        if (PyList_Check(values) && !(p->texts[i] = take_texts(values, &length)))
            return false;
    }
    return true;
}

static bool take_parts(PyObject *spec, parts *p) {
    PyObject *value;
    const void *at;
    memset(p, 0, sizeof *p);
    p->nodes = PyLong_AsLongLong(PyDict_GetItemString(spec, "nodes"));
    p->directed = PyObject_IsTrue(PyDict_GetItemString(spec, "directed"));
    p->loops = take_key(spec, "loops") != NULL;
    if (PyErr_Occurred())
        return false;
    if ((value = take_key(spec, "edges"))) {
        PyObject *ends, *weights;
        const void *from;
        if (!PyArg_ParseTuple(value, "LOO", &p->edges, &ends, &weights) ||
            !take_address(ends, &at) || !take_address(weights, &from))
            return false;
        p->ends = at;
        p->weights = from;
    }
    if ((value = take_key(spec, "rows")) && !take_rows(value, p))
        return false;
    if ((value = take_key(spec, "names")) && !(p->names = take_texts(value, &p->name_count)))
        return false;
    if ((value = take_key(spec, "classes")) && !(p->classes = take_texts(value, &p->class_count)))
        return false;
    if ((value = take_key(spec, "source")) && !(p->source = PyBytes_AsString(value)))
        return false;
    if ((value = take_key(spec, "features")) && !take_features(value, p))
        return false;
    if ((value = take_key(spec, "attributes")) && !take_attributes(value, p))
        return false;
    if (!take_address(take_key(spec, "labels"), &at))
        return false;
    p->labels = at;
    if (!take_address(take_key(spec, "splits"), &at))
        return false;
    p->splits = at;
    return true;
}

/* ---- building, without the interpreter ---- */

static dgm_status add_names(dgm_graph_builder *builder, const parts *p) {
    dgm_status status = DGM_OK;
    for (Py_ssize_t i = 0; status == DGM_OK && i < p->name_count; i++) {
        uint32_t node;
        status = dgm_graph_builder_node(builder, p->names[i], strlen(p->names[i]), &node);
    }
    return status;
}

static dgm_status add_attribute(dgm_graph_builder *builder, const parts *p, Py_ssize_t index,
                                const char *name, const double *numbers) {
    return p->texts[index] ? dgm_graph_builder_add_texts(builder, name, p->nodes, p->texts[index])
                           : dgm_graph_builder_add_numbers(builder, name, p->nodes, numbers);
}

/* Names and addresses of attributes are read before the interpreter is given away. */
typedef struct {
    const char *name;
    const double *numbers;
} column;

static dgm_status fill(dgm_graph_builder *builder, const parts *p, const column *columns,
                       Py_ssize_t column_count) {
    dgm_status status = add_names(builder, p);
    if (status == DGM_OK)
        status = dgm_graph_builder_reserve_nodes(builder, p->nodes);
    if (status == DGM_OK && p->edges)
        status = dgm_graph_builder_add(builder, p->edges, p->ends, p->weights);
    if (status == DGM_OK && p->has_rows)
        status = dgm_graph_builder_add_rows(builder, &p->rows);
    if (status == DGM_OK && p->source)
        status = dgm_graph_builder_set_source(builder, p->source);
    if (status == DGM_OK && p->labels)
        status = dgm_graph_builder_set_labels(builder, p->nodes, p->labels);
    if (status == DGM_OK && p->classes)
        status = dgm_graph_builder_set_class_names(builder, (int32_t)p->class_count, p->classes);
    if (status == DGM_OK && p->splits)
        status = dgm_graph_builder_set_splits(builder, p->nodes, p->splits);
    if (status == DGM_OK && p->features.width)
        status = dgm_graph_builder_set_features(builder, p->nodes, &p->features);
    for (Py_ssize_t i = 0; status == DGM_OK && i < column_count; i++)
        status = add_attribute(builder, p, i, columns[i].name, columns[i].numbers);
    return status;
}

static dgm_status build(dgm_context *ctx, const parts *p, const column *columns,
                        Py_ssize_t column_count, dgm_graph **out) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder;
    options.directed = p->directed;
    options.keep_loops = p->loops;
    *out = NULL;
    dgm_status status = dgm_graph_builder_create(ctx, &options, &builder);
    if (status != DGM_OK)
        return status;
    status = fill(builder, p, columns, column_count);
    if (status == DGM_OK)
        return dgm_graph_builder_finish(builder, out);
    dgm_graph_builder_free(builder);
    return status;
}

static column *take_columns(const parts *p, Py_ssize_t *count) {
    *count = p->attributes ? PyList_Size(p->attributes) : 0;
    column *columns = PyMem_Calloc((size_t)(*count ? *count : 1), sizeof *columns);
    if (!columns) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < *count; i++) {
        PyObject *pair = PyList_GetItem(p->attributes, i);
        const void *at = NULL;
        columns[i].name = PyBytes_AsString(PyTuple_GetItem(pair, 0));
        if (!columns[i].name || (!p->texts[i] && !take_address(PyTuple_GetItem(pair, 1), &at))) {
            PyMem_Free(columns);
            return NULL;
        }
        columns[i].numbers = at;
    }
    return columns;
}

dgm_graph *graph_from(PyObject *context, PyObject *spec) {
    Py_ssize_t column_count;
    dgm_graph *graph = NULL;
    parts p;
    call c;
    bool good = take_parts(spec, &p);
    column *columns = good ? take_columns(&p, &column_count) : NULL;
    if (columns && call_begin(&c, context)) {
        dgm_status status = build(c.ctx, &p, columns, column_count, &graph);
        if (!call_end(&c, status)) {
            dgm_graph_free(graph);
            graph = NULL;
        }
    }
    PyMem_Free(columns);
    release_parts(&p);
    return graph;
}

static PyObject *graph_build(PyObject *self, PyObject *arguments) {
    PyObject *context, *spec;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &context, &spec))
        return NULL;
    dgm_graph *graph = graph_from(context, spec);
    return graph ? give_graph(graph) : NULL;
}

/* ---- files ---- */

static PyObject *graph_open(PyObject *self, PyObject *arguments) {
    PyObject *context, *settings;
    const char *path;
    dgm_graph *graph = NULL;
    dgm_job job;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OyO", &context, &path, &settings))
        return NULL;
    dgm_context *ctx = context_of(context);
    if (!ctx || !take_settings(ctx, settings, &job) || !call_begin(&c, context))
        return NULL;
    const dgm_graph_tables tables = {job.nodes_table, job.labels};
    dgm_status status = dgm_graph_open(c.ctx, path, (dgm_format)job.format, &job.graph_options,
                                       &tables, job.seed, &graph);
    if (!call_end(&c, status)) {
        dgm_graph_free(graph);
        return NULL;
    }
    return give_graph(graph);
}

/* ---- back into arrays ---- */

static bool put_names(const dgm_graph *graph, PyObject *info) {
    int64_t nodes = dgm_graph_nodes(graph);
    if (dgm_graph_name_base(graph) >= 0)
        return put(info, "names", Py_BuildValue("L", (long long)dgm_graph_name_base(graph)));
    PyObject *names = PyList_New(nodes);
    for (int64_t u = 0; names && u < nodes; u++) {
        size_t length;
        const char *name = dgm_graph_name_text(graph, u, &length);
        PyObject *text = PyUnicode_DecodeUTF8(name, (Py_ssize_t)length, "surrogateescape");
        if (!text)
            Py_CLEAR(names);
        else
            PyList_SetItem(names, u, text);
    }
    return put(info, "names", names);
}

static bool put_classes(const dgm_graph *graph, PyObject *info) {
    int32_t count = dgm_graph_classes(graph);
    PyObject *classes = PyList_New(count);
    for (int32_t i = 0; classes && i < count; i++) {
        char buffer[16];
        PyObject *text =
            PyUnicode_FromString(dgm_graph_class_text(graph, i, buffer, sizeof buffer));
        if (!text)
            Py_CLEAR(classes);
        else
            PyList_SetItem(classes, i, text);
    }
    return put(info, "classes", classes);
}

/* Numbers of a graph, and its arrays, which belong to it. */
static PyObject *graph_info(PyObject *self, PyObject *arguments) {
    PyObject *handle;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O", &handle))
        return NULL;
    const dgm_graph *graph = handle_get(handle, "dgm.graph");
    PyObject *info = graph ? PyDict_New() : NULL;
    if (!info)
        return NULL;
    const dgm_graph_rows rows = dgm_graph_get_rows(graph);
    int64_t nodes = rows.nodes;
    if (!put(info, "nodes", PyLong_FromLongLong(nodes)) ||
        !put(info, "edges", PyLong_FromLongLong(dgm_graph_edges(graph))) ||
        !put(info, "directed", PyBool_FromLong(rows.directed)) ||
        !put(info, "source", PyUnicode_FromString(dgm_graph_source(graph))) ||
        !put(info, "offsets", array_of(rows.offsets, nodes + 1, "<i8")) ||
        !put(info, "targets", array_of(rows.targets, rows.entries, "<u4")) ||
        !put(info, "weights", array_of(rows.weights, rows.entries, "<f8")) ||
        !put(info, "labels", array_of(dgm_graph_labels(graph), nodes, "<i4")) ||
        !put_names(graph, info) || !put_classes(graph, info))
        Py_CLEAR(info);
    return info;
}

/* The features of the nodes, which belong to the graph: their number, offsets and columns of sparse
 * rows or None, and values or None where all are 1. None where there are none. */
static PyObject *graph_features(PyObject *self, PyObject *arguments) {
    PyObject *handle;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O", &handle))
        return NULL;
    const dgm_graph *graph = handle_get(handle, "dgm.graph");
    if (!graph)
        return NULL;
    const dgm_graph_features is = dgm_graph_get_features(graph);
    int64_t nodes = dgm_graph_nodes(graph);
    if (!is.width)
        Py_RETURN_NONE;
    int64_t entries = is.offsets ? is.offsets[nodes] : nodes * is.width;
    return Py_BuildValue("LNNN", (long long)is.width, array_of(is.offsets, nodes + 1, "<i8"),
                         array_of(is.columns, entries, "<u4"), array_of(is.values, entries, "<f4"));
}

/* ---- tables and predictions ---- */

static void free_matrix(PyObject *handle) {
    dgm_matrix_free(PyCapsule_GetPointer(handle, "dgm.matrix"));
}

/* A table of numbers of the caller's, which is not copied. */
static PyObject *matrix_borrow(PyObject *self, PyObject *arguments) {
    PyObject *context, *address, *names;
    long long rows, columns;
    const void *values;
    dgm_matrix *matrix = NULL;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOLLO", &context, &address, &rows, &columns, &names) ||
        !take_address(address, &values))
        return NULL;
    Py_ssize_t count = 0;
    const char **texts = names == Py_None ? NULL : take_texts(names, &count);
    if ((names != Py_None && !texts) || !call_begin(&c, context)) {
        PyMem_Free(texts);
        return NULL;
    }
    dgm_status status = dgm_matrix_borrow(c.ctx, values, rows, columns, &matrix);
    for (Py_ssize_t i = 0; status == DGM_OK && i < count; i++)
        status = dgm_matrix_set_column_name(c.ctx, matrix, i, texts[i]);
    PyMem_Free(texts);
    PyObject *handle = call_end(&c, status) ? handle_new("dgm.matrix", matrix, free_matrix) : NULL;
    if (!handle)
        dgm_matrix_free(matrix);
    return handle;
}

static void free_predictions(PyObject *handle) {
    dgm_predictions_free(PyCapsule_GetPointer(handle, "dgm.predictions"));
}

/* Classes, one int32 for each node, or with columns probabilities or logits. */
static PyObject *predictions_make(PyObject *self, PyObject *arguments) {
    PyObject *context, *graph_handle, *address;
    const char *kind;
    long long columns;
    const void *values;
    dgm_predictions *made = NULL;
    dgm_matrix *logits = NULL;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOsOL", &context, &graph_handle, &kind, &address, &columns) ||
        !take_address(address, &values))
        return NULL;
    const dgm_graph *graph = handle_get(graph_handle, "dgm.graph");
    if (!graph || !call_begin(&c, context))
        return NULL;
    dgm_status status;
    if (strcmp(kind, "classes") == 0)
        status = dgm_predictions_from_classes(c.ctx, graph, values, NULL, &made);
    else if (strcmp(kind, "probabilities") == 0)
        status =
            dgm_predictions_from_probabilities(c.ctx, graph, values, (int32_t)columns, NULL, &made);
    else {
        status = dgm_matrix_borrow(c.ctx, values, dgm_graph_nodes(graph), columns, &logits);
        if (status == DGM_OK)
            status = dgm_predictions_from_logits(c.ctx, graph, logits, NULL, &made);
        dgm_matrix_free(logits);
    }
    PyObject *handle =
        call_end(&c, status) ? handle_new("dgm.predictions", made, free_predictions) : NULL;
    if (!handle)
        dgm_predictions_free(made);
    return handle;
}

PyMethodDef graph_methods[] = {
    {"graph_build", graph_build, METH_VARARGS, NULL},
    {"graph_open", graph_open, METH_VARARGS, NULL},
    {"graph_features", graph_features, METH_VARARGS, NULL},
    {"graph_info", graph_info, METH_VARARGS, NULL},
    {"matrix_borrow", matrix_borrow, METH_VARARGS, NULL},
    {"predictions_make", predictions_make, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
