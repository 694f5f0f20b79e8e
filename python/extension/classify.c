/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of graphs, and networks that classify them. */
#include "module.h"

#include <stddef.h>
#include <string.h>

/* ---- sets ---- */

static void free_set(PyObject *handle) {
    dgm_graph_set_free(PyCapsule_GetPointer(handle, "dgm.set"));
}

static PyObject *give_set(dgm_graph_set *set) {
    PyObject *handle = handle_new("dgm.set", set, free_set);
    if (!handle)
        dgm_graph_set_free(set);
    return handle;
}

/* set_build(context, description of the union, count, offsets, labels or None) */
static PyObject *set_build(PyObject *self, PyObject *arguments) {
    PyObject *context, *spec, *offsets_number, *labels_number;
    const void *offsets, *labels;
    dgm_graph_set *set = NULL;
    long long count;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOLOO", &context, &spec, &count, &offsets_number,
                          &labels_number) ||
        !take_address(offsets_number, &offsets) || !take_address(labels_number, &labels))
        return NULL;
    dgm_graph *united = graph_from(context, spec);
    if (!united)
        return NULL;
    if (!call_begin(&c, context)) {
        dgm_graph_free(united);
        return NULL;
    }
    /* The set takes over the union, and frees it on failure as well. */
    dgm_status status = dgm_graph_set_create(c.ctx, united, count, offsets, labels, &set);
    return call_end(&c, status) ? give_set(set) : NULL;
}

/* set_open(context, path) */
static PyObject *set_open(PyObject *self, PyObject *arguments) {
    PyObject *context;
    const char *path;
    dgm_graph_set *set = NULL;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Oy", &context, &path) || !call_begin(&c, context))
        return NULL;
    dgm_status status = dgm_graph_set_open(c.ctx, path, NULL, &set);
    if (call_end(&c, status))
        return give_set(set);
    dgm_graph_set_free(set);
    return NULL;
}

/* ---- cross-validation ---- */

static void free_report(PyObject *handle) {
    dgm_classify_report_free(PyCapsule_GetPointer(handle, "dgm.report"));
}

/* classify(context, set, settings, keep the model) */
static PyObject *classify(PyObject *self, PyObject *arguments) {
    PyObject *context, *set_handle, *settings;
    dgm_classify_options options = DGM_CLASSIFY_OPTIONS_INIT;
    dgm_classify_report *report = NULL;
    int keep;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOOp", &context, &set_handle, &settings, &keep))
        return NULL;
    const dgm_option_table *const tables[] = {dgm_classify_option_table(), NULL};
    void *const targets[] = {&options};
    const dgm_graph_set *set = handle_get(set_handle, "dgm.set");
    dgm_context *ctx = set ? context_of(context) : NULL;
    if (!ctx || !take_options(ctx, settings, tables, targets) || !call_begin(&c, context))
        return NULL;
    options.keep_model = keep;
    dgm_status status = dgm_classify(c.ctx, set, &options, &report);
    PyObject *handle = call_end(&c, status) ? handle_new("dgm.report", report, free_report) : NULL;
    if (!handle)
        dgm_classify_report_free(report);
    return handle;
}

static PyObject *folds_of(const dgm_classify_report *report) {
    int64_t count;
    const dgm_fold_result *folds = dgm_classify_report_folds(report, &count);
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && i < count; i++) {
        const dgm_fold_result *is = &folds[i];
        PyObject *row = Py_BuildValue(
            "{sL,sL,sd,sd,sd,sd,sL,sL,sd,sL,sL}", "seed", (long long)is->seed, "fold",
            (long long)is->fold, "accuracy", is->accuracy, "validation", is->validation, "train",
            is->train, "loss", is->loss, "epoch", (long long)is->epoch, "tested",
            (long long)is->tested, "seconds", is->seconds, "setting", (long long)is->setting,
            "parameters", (long long)is->parameters);
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *confusion_of(const dgm_classify_report *report) {
    int32_t classes;
    const int64_t *counts = dgm_classify_report_confusion(report, &classes);
    return Py_BuildValue("Ni", array_of(counts, (int64_t)classes * classes, "<i8"), (int)classes);
}

static PyObject *paired_of(const dgm_classify_report *report) {
    const dgm_paired_test *is = dgm_classify_report_paired(report);
    return is ? Py_BuildValue("{sd,sd,sd,sd,sL}", "difference", is->difference, "ci95", is->ci95,
                              "t", is->t, "p", is->p, "folds", (long long)is->folds)
              : Py_BuildValue("");
}

/* report_info(context, report): its numbers, and the JSON text. */
static PyObject *report_info(PyObject *self, PyObject *arguments) {
    PyObject *context, *handle;
    dgm_classify_summary is;
    char *text = NULL;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &context, &handle))
        return NULL;
    const dgm_classify_report *report = handle_get(handle, "dgm.report");
    if (!report || !call_begin(&c, context))
        return NULL;
    dgm_status status = dgm_classify_report_summary(c.ctx, report, &is);
    if (status == DGM_OK)
        status = dgm_classify_report_json(c.ctx, report, &text);
    PyObject *info =
        call_end(&c, status)
            ? Py_BuildValue("{sN,sd,sd,sd,sd,sL,sd,sL,sN,sN,ss}", "folds", folds_of(report), "mean",
                            is.mean, "deviation", is.deviation, "ci95", is.ci95, "ci95_corrected",
                            is.ci95_corrected, "parameters", (long long)is.parameters, "seconds",
                            is.seconds, "bytes", (long long)is.bytes, "confusion",
                            confusion_of(report), "paired", paired_of(report), "json", text)
            : NULL;
    dgm_export_text_free(c.ctx, text);
    return info;
}

/* report_write(context, report, path, as network) */
static PyObject *report_write(PyObject *self, PyObject *arguments) {
    PyObject *context, *handle;
    const char *path;
    int network;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOyp", &context, &handle, &path, &network))
        return NULL;
    const dgm_classify_report *report = handle_get(handle, "dgm.report");
    const dgm_classifier *model = report ? dgm_classify_report_model(report) : NULL;
    if (report && network && !model)
        PyErr_SetString(PyExc_ValueError,
                        "the network was not kept: classify with keep_model=True");
    if (PyErr_Occurred() || !call_begin(&c, context))
        return NULL;
    dgm_status status = network ? dgm_classifier_write(c.ctx, model, path)
                                : dgm_classify_report_write(c.ctx, report, path);
    if (!call_end(&c, status))
        return NULL;
    Py_RETURN_NONE;
}

static void free_matrix(PyObject *handle) {
    dgm_matrix_free(PyCapsule_GetPointer(handle, "dgm.matrix"));
}

/* report_scores(context, report, set): a handle and the table of scores by the kept network. */
static PyObject *report_scores(PyObject *self, PyObject *arguments) {
    PyObject *context, *handle, *set_handle;
    dgm_matrix *scores = NULL;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOO", &context, &handle, &set_handle))
        return NULL;
    const dgm_classify_report *report = handle_get(handle, "dgm.report");
    const dgm_graph_set *set = report ? handle_get(set_handle, "dgm.set") : NULL;
    const dgm_classifier *model = report ? dgm_classify_report_model(report) : NULL;
    if (set && !model)
        PyErr_SetString(PyExc_ValueError,
                        "the network was not kept: classify with keep_model=True");
    if (PyErr_Occurred() || !call_begin(&c, context))
        return NULL;
    dgm_status status = dgm_classifier_run(c.ctx, model, set, &scores);
    PyObject *made = call_end(&c, status) ? handle_new("dgm.matrix", scores, free_matrix) : NULL;
    if (!made) {
        dgm_matrix_free(scores);
        return NULL;
    }
    return Py_BuildValue("NN", made, table_of(scores));
}

/* The number that the data gives to each class, a list. */
static PyObject *set_info(PyObject *self, PyObject *arguments) {
    PyObject *handle;
    int32_t classes = 0;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O", &handle))
        return NULL;
    const dgm_graph_set *set = handle_get(handle, "dgm.set");
    if (!set)
        return NULL;
    const int32_t *labels = dgm_graph_set_classes(set, &classes);
    PyObject *numbers = PyList_New(classes);
    for (int32_t i = 0; numbers && i < classes; i++)
        PyList_SetItem(numbers, i, PyLong_FromLong(dgm_graph_set_class_number(set, i)));
    int64_t count = dgm_graph_set_count(set);
    return Py_BuildValue("{sL,sL,sN,sN}", "graphs", (long long)count, "nodes",
                         (long long)dgm_graph_nodes(dgm_graph_set_union(set)), "classes", numbers,
                         "labels", array_of(labels, count, "<i4"));
}

PyMethodDef classify_methods[] = {
    {"classify", classify, METH_VARARGS, NULL},
    {"report_info", report_info, METH_VARARGS, NULL},
    {"report_scores", report_scores, METH_VARARGS, NULL},
    {"report_write", report_write, METH_VARARGS, NULL},
    {"set_build", set_build, METH_VARARGS, NULL},
    {"set_info", set_info, METH_VARARGS, NULL},
    {"set_open", set_open, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
