/* SPDX-License-Identifier: Apache-2.0 */
/* Networks: training, files, and what they say of a graph. */
#include "module.h"

#include <stddef.h>
#include <string.h>

/* ---- options ---- */

/* An option that no table has is a ValueError, which names the nearest. */
static void raise_unknown(const char *name, const dgm_option_table *const *tables) {
    const char *names[128];
    size_t count = 0;
    for (; *tables; tables++)
        for (size_t i = 0; i < (*tables)->count && count + 1 < sizeof names / sizeof *names; i++)
            names[count++] = (*tables)->options[i].name;
    names[count] = NULL;
    const char *near = dgm_name_nearest(name, names);
    PyErr_Format(PyExc_ValueError, "there is no option '%s'%s%s%s", name,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool take_options(dgm_context *ctx, PyObject *list, const dgm_option_table *const *tables,
                  void *const *targets) {
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        const dgm_option *option = NULL;
        const char *name, *value;
        int at = 0;
        if (!take_pair(PyList_GetItem(list, i), &name, &value))
            return false;
        for (; tables[at]; at++)
            if ((option = dgm_option_find(tables[at], name)))
                break;
        if (!option) {
            raise_unknown(name, tables);
            return false;
        }
        dgm_status status = dgm_option_set(ctx, option, value, targets[at]);
        if (status != DGM_OK) {
            raise_error(ctx, status);
            return false;
        }
    }
    return true;
}

/* ---- handles ---- */

static void free_model(PyObject *handle) {
    dgm_model_free(PyCapsule_GetPointer(handle, "dgm.model"));
}

static void free_matrix(PyObject *handle) {
    dgm_matrix_free(PyCapsule_GetPointer(handle, "dgm.matrix"));
}

static PyObject *give_model(dgm_model *model) {
    PyObject *handle = handle_new("dgm.model", model, free_model);
    if (!handle)
        dgm_model_free(model);
    return handle;
}

/* A handle and its table. */
static PyObject *give_matrix(dgm_matrix *matrix) {
    PyObject *handle = handle_new("dgm.matrix", matrix, free_matrix);
    if (!handle)
        dgm_matrix_free(matrix);
    return handle ? Py_BuildValue("NN", handle, table_of(matrix)) : NULL;
}

/* ---- training ---- */

static PyObject *confusion_of(const dgm_training_report *report) {
    PyObject *rows = PyList_New(0);
    for (int32_t i = 0; rows && report->confusion && i < report->classes; i++) {
        PyObject *row = PyList_New(report->classes);
        for (int32_t j = 0; row && j < report->classes; j++)
            PyList_SetItem(row, j, PyLong_FromLongLong(report->confusion[i * report->classes + j]));
        if (!row || PyList_Append(rows, row) != 0)
            Py_CLEAR(rows);
        Py_XDECREF(row);
    }
    return rows;
}

static PyObject *describe_report(const dgm_training_report *report, int64_t nodes) {
    PyObject *splits =
        report->splits ? PyBytes_FromStringAndSize((const char *)report->splits, nodes) : NULL;
    if (report->splits && !splits)
        return NULL;
    return Py_BuildValue("{sd,sd,sd,sd,sd,sd,sN,sN,sL,sd,sL}", "loss", report->loss,
                         "train_accuracy", report->train_accuracy, "val_accuracy",
                         report->val_accuracy, "test_accuracy", report->test_accuracy, "macro_f1",
                         report->macro_f1, "calibration_error", report->calibration_error,
                         "confusion", confusion_of(report), "splits",
                         splits ? splits : Py_BuildValue(""), "epochs", (long long)report->epochs,
                         "seconds", report->seconds, "bytes", (long long)report->bytes);
}

typedef struct training {
    dgm_model_kind kind;
    dgm_gcn_options gcn;
    dgm_dgi_options dgi;
    dgm_checkpoint_options checkpoint;
} training;

static bool take_training(dgm_context *ctx, const char *model, PyObject *settings, training *out) {
    bool is_dgi = strcmp(model, "dgi") == 0;
    dgm_gcn_options_init(&out->gcn);
    dgm_dgi_options_init(&out->dgi);
    dgm_checkpoint_options_init(&out->checkpoint);
    out->kind = is_dgi ? DGM_MODEL_DGI : DGM_MODEL_GCN;
    out->gcn.preset = DGM_GCN_AUTO; /* as the program has it */
    out->dgi.preset = DGM_DGI_AUTO;
    const dgm_option_table *const tables[] = {is_dgi ? dgm_dgi_option_table()
                                                     : dgm_gcn_option_table(),
                                              dgm_checkpoint_option_table(), NULL};
    void *const targets[] = {is_dgi ? (void *)&out->dgi : (void *)&out->gcn, &out->checkpoint};
    return take_options(ctx, settings, tables, targets);
}

/* train(context, graph, "gcn" or "dgi", settings): the model, its answer and the report. */
static PyObject *train(PyObject *self, PyObject *arguments) {
    PyObject *context, *graph_handle, *settings, *result = NULL;
    const char *kind;
    dgm_training_report report = {0};
    dgm_model *model = NULL;
    dgm_matrix *answer = NULL;
    training t;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOsO", &context, &graph_handle, &kind, &settings))
        return NULL;
    const dgm_graph *graph = handle_get(graph_handle, "dgm.graph");
    dgm_context *ctx = graph ? context_of(context) : NULL;
    if (!ctx || !take_training(ctx, kind, settings, &t) || !call_begin(&c, context))
        return NULL;
    dgm_status status =
        t.kind == DGM_MODEL_DGI
            ? dgm_dgi_train(c.ctx, graph, &t.dgi, &t.checkpoint, &model, &report, &answer)
            : dgm_gcn_train(c.ctx, graph, &t.gcn, &t.checkpoint, &model, &report, &answer);
    if (call_end(&c, status)) {
        result = Py_BuildValue("NNN", give_model(model), give_matrix(answer),
                               describe_report(&report, dgm_graph_nodes(graph)));
    } else {
        dgm_model_free(model);
        dgm_matrix_free(answer);
    }
    dgm_training_report_free(&report);
    return result;
}

/* ---- files ---- */

static PyObject *model_read(PyObject *self, PyObject *arguments) {
    PyObject *context;
    const char *path;
    dgm_model *model = NULL;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Oy", &context, &path) || !call_begin(&c, context))
        return NULL;
    dgm_status status = dgm_model_read(c.ctx, path, &model);
    if (call_end(&c, status))
        return give_model(model);
    dgm_model_free(model);
    return NULL;
}

static PyObject *model_write(PyObject *self, PyObject *arguments) {
    PyObject *context, *handle;
    const char *path;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOy", &context, &handle, &path))
        return NULL;
    const dgm_model *model = handle_get(handle, "dgm.model");
    if (!model || !call_begin(&c, context) || !call_end(&c, dgm_model_write(c.ctx, model, path)))
        return NULL;
    Py_RETURN_NONE;
}

/* ---- looking at a model ---- */

static PyObject *describe_weights(const dgm_model *model) {
    PyObject *list = PyList_New(0);
    dgm_model_weight is;
    for (int64_t i = 0; list && dgm_model_weight_at(model, i, &is); i++) {
        PyObject *row = Py_BuildValue("sLLNNN", is.name, (long long)is.rows, (long long)is.columns,
                                      PyBool_FromLong(is.vector), PyBool_FromLong(is.transpose),
                                      array_of(is.values, is.rows * is.columns, "<f4"));
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

/* Numbers and arrays of a model, which belong to it. */
static PyObject *model_info(PyObject *self, PyObject *arguments) {
    PyObject *handle;
    int64_t count;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O", &handle))
        return NULL;
    const dgm_model *model = handle_get(handle, "dgm.model");
    PyObject *info = model ? PyDict_New() : NULL;
    if (!info)
        return NULL;
    const dgm_training_epoch *history = dgm_model_history(model, &count);
    const char *kind = dgm_model_names()[dgm_model_get_kind(model)];
    if (!put(info, "kind", PyUnicode_FromString(kind)) ||
        !put(info, "classifies", PyBool_FromLong(dgm_model_classifies(model))) ||
        !put(info, "width", PyLong_FromLongLong(dgm_model_width(model))) ||
        !put(info, "weights", describe_weights(model)) ||
        !put(info, "history", array_of(history, count, "V")))
        Py_CLEAR(info);
    return info;
}

/* model_run(context, model, graph): a handle and its table. */
static PyObject *model_run(PyObject *self, PyObject *arguments) {
    PyObject *context, *handle, *graph_handle;
    dgm_matrix *answer = NULL;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOO", &context, &handle, &graph_handle))
        return NULL;
    const dgm_model *model = handle_get(handle, "dgm.model");
    const dgm_graph *graph = model ? handle_get(graph_handle, "dgm.graph") : NULL;
    if (!graph || !call_begin(&c, context))
        return NULL;
    dgm_status status = dgm_model_run(c.ctx, model, graph, &answer);
    if (call_end(&c, status))
        return give_matrix(answer);
    dgm_matrix_free(answer);
    return NULL;
}

/* ---- predictions ---- */

static void free_predictions(PyObject *handle) {
    dgm_predictions_free(PyCapsule_GetPointer(handle, "dgm.predictions"));
}

static PyObject *list_texts(const dgm_predictions *says, const dgm_graph *graph, int32_t columns) {
    PyObject *names = PyList_New(columns);
    for (int32_t i = 0; names && i < columns; i++) {
        char number[16];
        const char *text = dgm_predictions_class_text(
            says, graph, dgm_predictions_probability_class(says, i), number, sizeof number);
        PyObject *name = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
        if (!name)
            Py_CLEAR(names);
        else
            PyList_SetItem(names, i, name);
    }
    return names;
}

/* predictions_of(context, graph, logits, splits as bytes or None): a handle, the class of each node,
 * and the probabilities with the names of their columns. */
static PyObject *predictions_of(PyObject *self, PyObject *arguments) {
    PyObject *context, *graph_handle, *logits_handle, *splits_bytes;
    dgm_predictions *says = NULL;
    int32_t columns = 0;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOOO", &context, &graph_handle, &logits_handle,
                          &splits_bytes))
        return NULL;
    const dgm_graph *graph = handle_get(graph_handle, "dgm.graph");
    const dgm_matrix *logits = graph ? handle_get(logits_handle, "dgm.matrix") : NULL;
    const char *splits = splits_bytes == Py_None ? NULL : PyBytes_AsString(splits_bytes);
    if (PyErr_Occurred() || !logits || !call_begin(&c, context))
        return NULL;
    dgm_status status =
        dgm_predictions_from_logits(c.ctx, graph, logits, (const uint8_t *)splits, &says);
    PyObject *handle =
        call_end(&c, status) ? handle_new("dgm.predictions", says, free_predictions) : NULL;
    if (!handle) {
        dgm_predictions_free(says);
        return NULL;
    }
    int64_t nodes = dgm_predictions_nodes(says);
    const float *values = dgm_predictions_probabilities(says, &columns);
    return Py_BuildValue("NNNN", handle, array_of(dgm_predictions_classes(says), nodes, "<i4"),
                         array_of(values, nodes * columns, "<f4"),
                         list_texts(says, graph, columns));
}

PyMethodDef train_methods[] = {
    {"model_info", model_info, METH_VARARGS, NULL},
    {"model_read", model_read, METH_VARARGS, NULL},
    {"model_run", model_run, METH_VARARGS, NULL},
    {"model_write", model_write, METH_VARARGS, NULL},
    {"predictions_of", predictions_of, METH_VARARGS, NULL},
    {"train", train, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
