/* SPDX-License-Identifier: Apache-2.0 */
/* Poolings of one graph. */
#include "module.h"

static void free_pooling(PyObject *handle) {
    dgm_pooling_free(PyCapsule_GetPointer(handle, "dgm.pooling"));
}

/* pool(context, graph, specification, steps, features or None, seed): a handle. */
static PyObject *pool(PyObject *self, PyObject *arguments) {
    PyObject *context, *graph_handle, *features;
    dgm_pool_run_options options = DGM_POOL_RUN_OPTIONS_INIT;
    dgm_pooling *made = NULL;
    long long steps, seed;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOyLOL", &context, &graph_handle, &options.pool, &steps,
                          &features, &seed))
        return NULL;
    const dgm_graph *graph = handle_get(graph_handle, "dgm.graph");
    options.features = handle_get(features, "dgm.matrix");
    options.steps = steps;
    options.seed = seed;
    if (PyErr_Occurred() || !graph || !call_begin(&c, context))
        return NULL;
    dgm_status status = dgm_pool_run(c.ctx, graph, &options, &made);
    PyObject *handle = call_end(&c, status) ? handle_new("dgm.pooling", made, free_pooling) : NULL;
    if (!handle)
        dgm_pooling_free(made);
    return handle;
}

static bool put_assignment(PyObject *info, const dgm_membership *assignment) {
    const dgm_membership_rows rows = dgm_membership_get_rows(assignment);
    int64_t entries = rows.offsets[rows.nodes];
    return put(info, "nodes", PyLong_FromLongLong(rows.nodes)) &&
           put(info, "clusters", PyLong_FromLongLong(rows.clusters)) &&
           put(info, "offsets", array_of(rows.offsets, rows.nodes + 1, "<i8")) &&
           put(info, "columns", array_of(rows.columns, entries, "<u4")) &&
           put(info, "values", array_of(rows.values, entries, "<f8"));
}

static bool put_graph(PyObject *info, const dgm_graph *graph) {
    const dgm_graph_rows rows = dgm_graph_get_rows(graph);
    return put(info, "graph_offsets", array_of(rows.offsets, rows.nodes + 1, "<i8")) &&
           put(info, "graph_targets", array_of(rows.targets, rows.entries, "<u4")) &&
           put(info, "graph_weights", array_of(rows.weights, rows.entries, "<f8"));
}

/* Arrays of a step, which belong to the pooling. */
static PyObject *pool_step(PyObject *self, PyObject *arguments) {
    PyObject *handle;
    long long step;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OL", &handle, &step))
        return NULL;
    const dgm_pooling *from = handle_get(handle, "dgm.pooling");
    PyObject *info = from ? PyDict_New() : NULL;
    if (!info)
        return NULL;
    const dgm_pool_step is = dgm_pooling_get_step(from, step);
    if (!put_assignment(info, is.assignment) || !put_graph(info, is.graph) ||
        !put(info, "features", table_of(is.features)) ||
        !put(info, "steps", PyLong_FromLongLong(dgm_pooling_steps(from))))
        Py_CLEAR(info);
    return info;
}

PyMethodDef pool_methods[] = {
    {"pool", pool, METH_VARARGS, NULL},
    {"pool_step", pool_step, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
