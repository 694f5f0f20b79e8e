/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of points, by the specifications of the program. */
#include "module.h"

static void free_table(PyObject *handle) {
    dgm_matrix_free(PyCapsule_GetPointer(handle, "dgm.matrix"));
}

static PyObject *describe_figure(const dgm_reduce_figure *figure) {
    if (!figure->list && figure->count == 1)
        return PyFloat_FromDouble(figure->values[0]);
    PyObject *values = PyList_New(figure->count);
    for (int64_t i = 0; values && i < figure->count; i++)
        PyList_SetItem(values, i, PyFloat_FromDouble(figure->values[i]));
    return values;
}

static PyObject *describe_report(const dgm_reduce_report *report) {
    PyObject *figures = PyDict_New();
    for (int i = 0; figures && i < report->figure_count; i++)
        if (!put(figures, report->figures[i].name, describe_figure(&report->figures[i])))
            Py_CLEAR(figures);
    return figures;
}

/* reduce(context, specification, dim, seed, table): a table, and figures of how well it went. */
static PyObject *reduce(PyObject *self, PyObject *arguments) {
    PyObject *context, *table;
    const char *specification;
    long long dim, seed;
    dgm_reduce_report report;
    dgm_matrix *made = NULL;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OyLLO", &context, &specification, &dim, &seed, &table))
        return NULL;
    const dgm_matrix *from = handle_get(table, "dgm.matrix");
    if (!from || !call_begin(&c, context))
        return NULL;
    const dgm_points points = dgm_points_of_matrix(from);
    dgm_status status = dgm_reduce_run(c.ctx, &points, specification, dim, seed, &report, &made);
    PyObject *handle = call_end(&c, status) ? handle_new("dgm.matrix", made, free_table) : NULL;
    if (!handle) {
        dgm_matrix_free(made);
        return NULL;
    }
    PyObject *figures = describe_report(&report);
    return figures ? Py_BuildValue("NN", handle, figures) : NULL;
}

/* reduce_place(context, specification, seed, table, its map, new points): places for these. */
static PyObject *reduce_place(PyObject *self, PyObject *arguments) {
    PyObject *context, *table, *map, *added;
    const char *specification;
    long long seed;
    dgm_matrix *made = NULL;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OyLOOO", &context, &specification, &seed, &table, &map,
                          &added))
        return NULL;
    const dgm_matrix *from = handle_get(table, "dgm.matrix");
    const dgm_matrix *places = handle_get(map, "dgm.matrix");
    const dgm_matrix *more = handle_get(added, "dgm.matrix");
    if (!from || !places || !more || !call_begin(&c, context))
        return NULL;
    const dgm_points points = dgm_points_of_matrix(from), fresh = dgm_points_of_matrix(more);
    dgm_status status =
        dgm_reduce_place(c.ctx, &points, places, &fresh, specification, seed, NULL, &made);
    PyObject *handle = call_end(&c, status) ? handle_new("dgm.matrix", made, free_table) : NULL;
    if (!handle)
        dgm_matrix_free(made);
    return handle;
}

static PyObject *describe_key(const dgm_option *option) {
    static const char *const kinds[] = {"flag", "integer",  "real", "choice",
                                        "text", "integers", "reals"};
    PyObject *choices = PyList_New(0);
    for (const char *const *choice = option->choices; choices && choice && *choice; choice++) {
        PyObject *text = PyUnicode_FromString(*choice);
        if (!text || PyList_Append(choices, text) != 0)
            Py_CLEAR(choices);
        Py_XDECREF(text);
    }
    return choices ? Py_BuildValue("{ss,ss,sz,sz,sN}", "name", option->name, "kind",
                                   kinds[option->kind], "default", option->default_text, "help",
                                   option->help, "choices", choices)
                   : NULL;
}

/* The reductions that there are, with the keys that each takes. */
static PyObject *reductions(PyObject *self, PyObject *nothing) {
    PyObject *all = PyDict_New();
    const dgm_reduce_kind *kind;
    (void)self, (void)nothing;
    for (size_t i = 0; all && (kind = dgm_reduce_kind_at(i)); i++) {
        PyObject *keys = PyList_New(0);
        for (size_t k = 0; keys && kind->options && k < kind->options->count; k++) {
            PyObject *key = describe_key(&kind->options->options[k]);
            if (!key || PyList_Append(keys, key) != 0)
                Py_CLEAR(keys);
            Py_XDECREF(key);
        }
        if (!put(all, kind->name, keys))
            Py_CLEAR(all);
    }
    return all;
}

static PyObject *matrix_table(PyObject *self, PyObject *arguments) {
    PyObject *handle;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O", &handle))
        return NULL;
    const dgm_matrix *table = handle_get(handle, "dgm.matrix");
    return table ? table_of(table) : NULL;
}

PyMethodDef reduce_methods[] = {
    {"reduce", reduce, METH_VARARGS, NULL},
    {"reduce_place", reduce_place, METH_VARARGS, NULL},
    {"reductions", reductions, METH_NOARGS, NULL},
    {"matrix_table", matrix_table, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
