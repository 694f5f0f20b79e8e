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

/* ---- inside a network of one's own ---- */

static void free_membership(PyObject *handle) {
    dgm_membership_free(PyCapsule_GetPointer(handle, "dgm.membership"));
}

/* pool_set(context, set, specification, seed, address of starts): a handle and its arrays. */
static PyObject *pool_set(PyObject *self, PyObject *arguments) {
    PyObject *context, *set_handle, *starts_number;
    const char *method;
    const void *starts;
    dgm_membership *made = NULL;
    long long seed;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOyLO", &context, &set_handle, &method, &seed,
                          &starts_number) ||
        !take_address(starts_number, &starts))
        return NULL;
    const dgm_graph_set *set = handle_get(set_handle, "dgm.set");
    if (!set || !call_begin(&c, context))
        return NULL;
    dgm_status status =
        dgm_pool_run_set(c.ctx, set, method, seed, &made, (int64_t *)(uintptr_t)starts);
    PyObject *handle =
        call_end(&c, status) ? handle_new("dgm.membership", made, free_membership) : NULL;
    if (!handle) {
        dgm_membership_free(made);
        return NULL;
    }
    PyObject *info = PyDict_New();
    if (!info || !put_assignment(info, made)) {
        Py_XDECREF(info);
        Py_DECREF(handle);
        return NULL;
    }
    return Py_BuildValue("NN", handle, info);
}

static void free_matrix(PyObject *handle) {
    dgm_matrix_free(PyCapsule_GetPointer(handle, "dgm.matrix"));
}

/* pool_ranks(context, set): a handle and its table. */
static PyObject *pool_ranks(PyObject *self, PyObject *arguments) {
    PyObject *context, *set_handle;
    dgm_matrix *made = NULL;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &context, &set_handle))
        return NULL;
    const dgm_graph_set *set = handle_get(set_handle, "dgm.set");
    if (!set || !call_begin(&c, context))
        return NULL;
    dgm_status status = dgm_pool_ranks(c.ctx, set, &made);
    PyObject *handle = call_end(&c, status) ? handle_new("dgm.matrix", made, free_matrix) : NULL;
    if (!handle) {
        dgm_matrix_free(made);
        return NULL;
    }
    return Py_BuildValue("NN", handle, table_of(made));
}

static void free_coarsening(PyObject *handle) {
    dgm_coarsening_free(PyCapsule_GetPointer(handle, "dgm.coarsening"));
}

/* coarsening(context, nodes, clusters, offsets, columns, edges, ends): a handle, and the ends of the
 * pooled edges. */
static PyObject *coarsening(PyObject *self, PyObject *arguments) {
    PyObject *context, *numbers[3];
    const void *at[3];
    long long nodes, clusters, edges;
    int64_t count;
    dgm_coarsening *made = NULL;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OLLOOLO", &context, &nodes, &clusters, &numbers[0],
                          &numbers[1], &edges, &numbers[2]))
        return NULL;
    for (int i = 0; i < 3; i++)
        if (!take_address(numbers[i], &at[i]))
            return NULL;
    if (!call_begin(&c, context))
        return NULL;
    const dgm_membership_rows rows = {nodes, clusters, at[0], at[1], NULL};
    dgm_status status = dgm_coarsening_create(c.ctx, &rows, edges, at[2], &made);
    PyObject *handle =
        call_end(&c, status) ? handle_new("dgm.coarsening", made, free_coarsening) : NULL;
    if (!handle) {
        dgm_coarsening_free(made);
        return NULL;
    }
    const uint32_t *ends = dgm_coarsening_edges(made, &count);
    return Py_BuildValue("NN", handle, array_of(ends, 2 * count, "<u4"));
}

/* The addresses of a tuple of numbers, each of which may be None. */
static bool take_addresses(PyObject *tuple, Py_ssize_t count, const void **out) {
    if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != count) {
        PyErr_SetString(PyExc_TypeError, "these are not the addresses of a coarsening");
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!take_address(PyTuple_GetItem(tuple, i), &out[i]))
            return false;
    return true;
}

/* coarsen(context, coarsening, width, (assignment, features, weights), (features, weights), None): the
 * way there. With a tuple of three at the end, the way back. */
static PyObject *coarsen(PyObject *self, PyObject *arguments) {
    PyObject *context, *handle, *input_numbers, *output_numbers, *gradient_numbers;
    const void *in[3], *out[2], *back[3];
    long long width;
    dgm_status status;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOLOOO", &context, &handle, &width, &input_numbers,
                          &output_numbers, &gradient_numbers) ||
        !take_addresses(input_numbers, 3, in) || !take_addresses(output_numbers, 2, out))
        return NULL;
    bool backwards = gradient_numbers != Py_None;
    if (backwards && !take_addresses(gradient_numbers, 3, back))
        return NULL;
    const dgm_coarsening *is = handle_get(handle, "dgm.coarsening");
    if (!is || !call_begin(&c, context))
        return NULL;
    const dgm_coarsening_input input = {in[0], in[1], in[2], width};
    const dgm_coarsening_output output = {(double *)(uintptr_t)out[0], (double *)(uintptr_t)out[1]};
    if (backwards) {
        const dgm_coarsening_gradient gradient = {(double *)(uintptr_t)back[0],
                                                  (double *)(uintptr_t)back[1],
                                                  (double *)(uintptr_t)back[2]};
        status = dgm_coarsening_backward(c.ctx, is, &input, &output, &gradient);
    } else
        status = dgm_coarsening_forward(c.ctx, is, &input, &output);
    if (!call_end(&c, status))
        return NULL;
    Py_RETURN_NONE;
}

PyMethodDef pool_methods[] = {
    {"coarsen", coarsen, METH_VARARGS, NULL},
    {"coarsening", coarsening, METH_VARARGS, NULL},
    {"pool", pool, METH_VARARGS, NULL},
    {"pool_ranks", pool_ranks, METH_VARARGS, NULL},
    {"pool_set", pool_set, METH_VARARGS, NULL},
    {"pool_step", pool_step, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
