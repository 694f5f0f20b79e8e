/* SPDX-License-Identifier: Apache-2.0 */
/* The explorer's page: as one file, and served. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

/* The input of a page. Texts belong to the settings. */
typedef struct {
    dgm_page_input input;
    const char *(*pairs)[2];
} page_parts;

static bool take_page(PyObject *graph, const char *name, PyObject *settings, PyObject *study,
                      PyObject *predictions, page_parts *out) {
    dgm_page_input_init(&out->input);
    out->pairs = NULL;
    out->input.graph = handle_get(graph, "dgm.graph");
    out->input.study = handle_get(study, "dgm.study");
    out->input.predictions = handle_get(predictions, "dgm.predictions");
    out->input.name = name;
    Py_ssize_t count = PyList_Size(settings);
    if (PyErr_Occurred())
        return false;
    out->pairs = PyMem_Calloc((size_t)(count ? count : 1), sizeof *out->pairs);
    if (!out->pairs) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!take_pair(PyList_GetItem(settings, i), &out->pairs[i][0], &out->pairs[i][1]))
            return false;
    if (out->input.study)
        out->input.lens = dgm_study_lens(out->input.study);
    out->input.settings = (const char *const(*)[2])out->pairs;
    out->input.setting_count = (int)count;
    return true;
}

/* page(context, graph, name, settings, study, predictions): HTML as bytes. */
static PyObject *page(PyObject *self, PyObject *arguments) {
    PyObject *context, *graph, *settings, *study, *predictions, *bytes = NULL;
    const char *name;
    dgm_answer html = {NULL, 0};
    page_parts p = {.pairs = NULL};
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOzOOO", &context, &graph, &name, &settings, &study,
                          &predictions))
        return NULL;
    if (take_page(graph, name, settings, study, predictions, &p) && call_begin(&c, context)) {
        dgm_status status = dgm_page_make(c.ctx, &p.input, &html);
        if (call_end(&c, status))
            bytes = PyBytes_FromStringAndSize(html.bytes, (Py_ssize_t)html.length);
        dgm_answer_free(c.ctx, &html);
    }
    PyMem_Free(p.pairs);
    return bytes;
}

/* ---- served ---- */

typedef struct {
    dgm_server *server;
    page_parts parts; /* which the server borrows; the Python side keeps what these borrow */
} service;

static void free_service(PyObject *handle) {
    service *is = PyCapsule_GetPointer(handle, "dgm.server");
    PyThreadState *state = PyEval_SaveThread();
    dgm_server_free(is->server);
    PyEval_RestoreThread(state);
    PyMem_Free(is->parts.pairs);
    PyMem_Free(is);
}

/* serve(context, graph, name, settings, study, predictions, port): a handle. The arguments must be
 * kept as long as it is. */
static PyObject *serve(PyObject *self, PyObject *arguments) {
    PyObject *context, *graph, *settings, *study, *predictions, *handle = NULL;
    dgm_server_options options = DGM_SERVER_OPTIONS_INIT;
    const char *name;
    long long port;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOzOOOL", &context, &graph, &name, &settings, &study,
                          &predictions, &port))
        return NULL;
    service *is = PyMem_Calloc(1, sizeof *is);
    if (!is)
        return PyErr_NoMemory();
    options.port = port;
    if (take_page(graph, name, settings, study, predictions, &is->parts) &&
        call_begin(&c, context)) {
        dgm_status status = dgm_server_start(c.ctx, &is->parts.input, &options, &is->server);
        if (call_end(&c, status))
            handle = handle_new("dgm.server", is, free_service);
    }
    if (!handle) {
        dgm_server_free(is->server);
        PyMem_Free(is->parts.pairs);
        PyMem_Free(is);
    }
    return handle;
}

static PyObject *server_address(PyObject *self, PyObject *arguments) {
    PyObject *handle;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O", &handle))
        return NULL;
    const service *is = handle_get(handle, "dgm.server");
    return is ? PyUnicode_FromString(dgm_server_address(is->server)) : NULL;
}

PyMethodDef page_methods[] = {
    {"page", page, METH_VARARGS, NULL},
    {"serve", serve, METH_VARARGS, NULL},
    {"server_address", server_address, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
