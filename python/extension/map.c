/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs: choosing settings, mapping, and what comes out of it. */
#include "module.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- choosing ---- */

static void free_study(PyObject *handle) {
    dgm_study_free(PyCapsule_GetPointer(handle, "dgm.study"));
}

/* study(context, graph, settings, what is open, trained, lens table or None) */
static PyObject *study(PyObject *self, PyObject *arguments) {
    PyObject *context, *graph_handle, *settings, *table;
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_study *made = NULL;
    int trained;
    dgm_job job;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOOIpO", &context, &graph_handle, &settings, &options.open,
                          &trained, &table))
        return NULL;
    options.trained = trained;
    options.input = &input;
    input.lens = handle_get(table, "dgm.matrix");
    if (PyErr_Occurred())
        return NULL;
    const dgm_graph *graph = handle_get(graph_handle, "dgm.graph");
    dgm_context *ctx = graph ? context_of(context) : NULL;
    if (!ctx || !take_settings(ctx, settings, &job) || !call_begin(&c, context))
        return NULL;
    dgm_status status = dgm_study_create(c.ctx, graph, &job, &options, &made);
    PyObject *handle = call_end(&c, status) ? handle_new("dgm.study", made, free_study) : NULL;
    if (!handle)
        dgm_study_free(made);
    return handle;
}

/* has_parts(context, settings): the lens is a partition, which has a cover of its own. */
static PyObject *has_parts(PyObject *self, PyObject *arguments) {
    PyObject *context, *settings;
    dgm_job job;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OO", &context, &settings))
        return NULL;
    dgm_context *ctx = context_of(context);
    if (!ctx || !take_settings(ctx, settings, &job))
        return NULL;
    return PyBool_FromLong(dgm_job_has_parts(&job));
}

static PyObject *settings_of(const dgm_study_candidate *candidate) {
    PyObject *list = PyList_New(0);
    char value[DGM_STUDY_VALUE];
    const char *name;
    for (int i = 0; list && dgm_study_setting(candidate, i, &name, value); i++) {
        PyObject *pair = Py_BuildValue("ss", name, value);
        if (!pair || PyList_Append(list, pair) != 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

static PyObject *describe_candidate(const dgm_study *from, int64_t index,
                                    const dgm_study_candidate *is) {
    char reason[512];
    PyObject *settings = settings_of(is);
    const dgm_study_measures *has = &is->measures;
    return settings
               ? Py_BuildValue("{sN,ss,sd,sN,sL,sL,sL,sd,sd,sd,sd,sL,sL}", "settings", settings,
                               "reason", dgm_study_reason(is, reason, sizeof reason), "score",
                               is->score, "leads", PyBool_FromLong(dgm_study_leads(from, index)),
                               "clusters", (long long)has->clusters, "shown", (long long)has->shown,
                               "marks", (long long)has->marks, "largest", has->largest,
                               "edges_inside", has->inside, "bits", has->bits.whole, "bits_saved",
                               has->bits.gained - has->bits.cost, "pieces", (long long)has->pieces,
                               "loops", (long long)has->loops)
               : NULL;
}

static PyObject *study_candidates(PyObject *self, PyObject *arguments) {
    PyObject *handle;
    int64_t count = 0;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O", &handle))
        return NULL;
    const dgm_study *from = handle_get(handle, "dgm.study");
    const dgm_study_candidate *candidates = from ? dgm_study_candidates(from, &count) : NULL;
    PyObject *list = candidates ? PyList_New(0) : NULL;
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *row = describe_candidate(from, i, &candidates[i]);
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

/* ---- mapping ---- */

static void free_result(PyObject *handle) {
    dgm_job_result *result = PyCapsule_GetPointer(handle, "dgm.result");
    dgm_job_result_free(result);
    free(result);
}

/* A function of Python that splits the nodes of a cell. */
typedef struct {
    call *c;
    PyObject *function; /* borrowed */
} cell_splitter;

/* The function gets the number of nodes and two addresses: it reads nodes and writes labels. */
static bool split_cell(void *user, int64_t count, const uint32_t *nodes, int64_t *labels) {
    const cell_splitter *is = user;
    PyEval_RestoreThread(is->c->state);
    PyObject *answer = PyErr_CheckSignals() == 0
                           ? PyObject_CallFunction(is->function, "LNN", (long long)count,
                                                   PyLong_FromVoidPtr((void *)(uintptr_t)nodes),
                                                   PyLong_FromVoidPtr(labels))
                           : NULL;
    bool good = answer != NULL;
    Py_XDECREF(answer);
    is->c->state = PyEval_SaveThread();
    return good;
}

/* map(context, graph, settings, lens table, its name, predictions, study, lens, clusterer): the study's
 * best candidate is applied to the settings if there is one; a lens that was made is not made again.
 * Everything but the first three may be None. */
static PyObject *map(PyObject *self, PyObject *arguments) {
    PyObject *context, *graph_handle, *settings, *lens, *predictions, *study_handle, *made,
        *clusterer;
    const char *lens_name;
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_job job;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOOOzOOOO", &context, &graph_handle, &settings, &lens,
                          &lens_name, &predictions, &study_handle, &made, &clusterer))
        return NULL;
    dgm_context *ctx = context_of(context);
    input.graph = handle_get(graph_handle, "dgm.graph");
    input.lens = handle_get(lens, "dgm.matrix");
    input.lens_name = lens_name;
    input.predictions = handle_get(predictions, "dgm.predictions");
    input.made = handle_get(made, "dgm.lens");
    const dgm_study *from = handle_get(study_handle, "dgm.study");
    if (PyErr_Occurred() || !ctx || !take_settings(ctx, settings, &job))
        return NULL;
    dgm_job_result *result = calloc(1, sizeof *result);
    if (!result)
        return PyErr_NoMemory();
    if (!call_begin(&c, context)) {
        free(result);
        return NULL;
    }
    cell_splitter splitter = {&c, clusterer};
    if (clusterer != Py_None) {
        job.mapper.cluster = DGM_CLUSTER_GIVEN;
        job.mapper.clusterer = split_cell;
        job.mapper.clusterer_user = &splitter;
    }
    dgm_status status = from ? dgm_study_apply(c.ctx, from, 0, &job) : DGM_OK;
    if (from) {
        int64_t count;
        input.made = dgm_study_lens(from);
        input.chance = &dgm_study_candidates(from, &count)->measures.bits;
    }
    if (status == DGM_OK)
        status = dgm_job_run(c.ctx, &job, &input, DGM_KEEP_LENS | DGM_KEEP_VIEW, result);
    PyObject *handle = call_end(&c, status) ? handle_new("dgm.result", result, free_result) : NULL;
    if (!handle) {
        dgm_job_result_free(result);
        free(result);
    }
    return handle;
}

/* ---- what came out ---- */

static bool put_clusters(PyObject *info, const dgm_summary *summary) {
    const dgm_summary_clusters is = dgm_summary_get_clusters(summary);
    int64_t members = is.offsets[is.count];
    return put(info, "clusters", PyLong_FromLongLong(is.count)) &&
           put(info, "axes", PyLong_FromLongLong(is.axes)) &&
           put(info, "dimension", PyLong_FromLongLong(is.dimension)) &&
           put(info, "cells", array_of(is.cells, is.count * is.axes, "<i4")) &&
           put(info, "offsets", array_of(is.offsets, is.count + 1, "<i8")) &&
           put(info, "members", array_of(is.members, members, "<u4")) &&
           put(info, "weights", array_of(dgm_summary_weights(summary), members, "<f8")) &&
           put(info, "lens", array_of(is.lens, is.count * is.dimension, "<f8"));
}

static bool put_edges(PyObject *info, const dgm_summary *summary) {
    int64_t count;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &count);
    return put(info, "edges",
               Py_BuildValue("NLn(nnnnnn)", PyLong_FromVoidPtr((void *)(uintptr_t)edges),
                             (long long)count, (Py_ssize_t)sizeof *edges,
                             (Py_ssize_t)offsetof(dgm_summary_edge, source),
                             (Py_ssize_t)offsetof(dgm_summary_edge, target),
                             (Py_ssize_t)offsetof(dgm_summary_edge, shared),
                             (Py_ssize_t)offsetof(dgm_summary_edge, links),
                             (Py_ssize_t)offsetof(dgm_summary_edge, inner),
                             (Py_ssize_t)offsetof(dgm_summary_edge, weight)));
}

static bool put_places(PyObject *info, const dgm_view *view) {
    const dgm_places is = dgm_view_get_places(view);
    int64_t count = dgm_view_marks(view);
    return put(info, "x", array_of(is.x, count, "<f8")) &&
           put(info, "y", array_of(is.y, count, "<f8")) &&
           put(info, "radius", array_of(is.radius, count, "<f8"));
}

static bool put_ledger(PyObject *info, const dgm_summary *summary) {
    const dgm_summary_coverage is = dgm_summary_get_coverage(summary);
    const dgm_summary_topology shape = dgm_summary_get_topology(summary);
    return put(info, "coverage",
               Py_BuildValue("{sL,sL,sL,sL,sL,sL,sL,sL,sL,sL,sL,sL,sL,sL,sL,sL}", "nodes",
                             (long long)is.nodes, "covered", (long long)is.covered, "filtered",
                             (long long)is.filtered, "filtered_cover", (long long)is.filtered_cover,
                             "filtered_min_size", (long long)is.filtered_min_size,
                             "filtered_min_component", (long long)is.filtered_min_component,
                             "filtered_noise", (long long)is.filtered_noise, "taken",
                             (long long)is.taken, "lost", (long long)is.lost, "edges",
                             (long long)is.edges, "edges_inside", (long long)is.edges_inside,
                             "attached_clusters", (long long)is.attached_clusters, "attached_nodes",
                             (long long)is.attached_nodes, "dust_size", (long long)is.dust_size,
                             "dust_clusters", (long long)is.dust_clusters, "dust_nodes",
                             (long long)is.dust_nodes)) &&
           put(info, "topology",
               Py_BuildValue("{sL,sL,sL,sL,sL}", "b0", (long long)shape.b0, "b1",
                             (long long)shape.b1, "triangles", (long long)shape.triangles,
                             "skeleton_loops", (long long)shape.skeleton_loops, "cycle_rank",
                             (long long)shape.cycle_rank));
}

/* How often each class occurs in each cluster: arrays in the manner of sparse rows. */
static bool put_counts(PyObject *info, const char *key, dgm_profile_counts counts,
                       int64_t clusters) {
    if (!counts.offsets)
        return put(info, key, Py_BuildValue(""));
    int64_t entries = counts.offsets[clusters];
    return put(info, key,
               Py_BuildValue("NNN", array_of(counts.offsets, clusters + 1, "<i8"),
                             array_of(counts.values, entries, "<i4"),
                             array_of(counts.counts, entries, "<i8")));
}

static bool put_profile(PyObject *info, const dgm_profile *profile) {
    int64_t clusters = dgm_profile_clusters(profile);
    int32_t count = dgm_profile_classes(profile);
    PyObject *classes = PyList_New(count);
    for (int32_t i = 0; classes && i < count; i++) {
        PyObject *name =
            PyUnicode_DecodeUTF8(dgm_profile_class_name(profile, i),
                                 (Py_ssize_t)strlen(dgm_profile_class_name(profile, i)), "replace");
        if (!name)
            Py_CLEAR(classes);
        else
            PyList_SetItem(classes, i, name);
    }
    return put(info, "classes", classes) &&
           put_counts(info, "labels", dgm_profile_labels(profile), clusters) &&
           put_counts(info, "predictions", dgm_profile_predictions(profile), clusters) &&
           put(info, "judged", array_of(dgm_profile_judged(profile), clusters, "<i8")) &&
           put(info, "mistakes", array_of(dgm_profile_mistakes(profile), clusters, "<i8"));
}

/* The lens of a result: its own, or what it was given, by a study or as it is. */
static const dgm_lens_result *lens_of(const dgm_job_result *result, PyObject *study_handle,
                                      PyObject *made) {
    const dgm_study *from = handle_get(study_handle, "dgm.study");
    const dgm_lens_result *given = handle_get(made, "dgm.lens");
    if (result && result->lens)
        return result->lens;
    return from ? dgm_study_lens(from) : given;
}

/* result_info(result, study or None, lens or None): numbers, and arrays that belong to these. */
static PyObject *result_info(PyObject *self, PyObject *arguments) {
    PyObject *handle, *study_handle, *made;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOO", &handle, &study_handle, &made))
        return NULL;
    const dgm_job_result *result = handle_get(handle, "dgm.result");
    const dgm_lens_result *seen = lens_of(result, study_handle, made);
    PyObject *info = result && !PyErr_Occurred() ? PyDict_New() : NULL;
    if (info && !(put_clusters(info, result->summary) && put_edges(info, result->summary) &&
                  put_places(info, result->view) && put_ledger(info, result->summary) &&
                  put_profile(info, result->profile) &&
                  put(info, "axes_table", table_of(seen ? dgm_lens_result_axes(seen) : NULL))))
        Py_CLEAR(info);
    return info;
}

/* ---- predictions ---- */

static PyObject *names_of_classes(const dgm_predictions *is, const dgm_graph *graph) {
    int32_t count = dgm_predictions_known_classes(is);
    PyObject *names = PyList_New(count);
    for (int32_t i = 0; names && i < count; i++) {
        char buffer[16];
        const char *text = dgm_predictions_class_text(is, graph, i, buffer, sizeof buffer);
        PyObject *name = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
        if (!name)
            Py_CLEAR(names);
        else
            PyList_SetItem(names, i, name);
    }
    return names;
}

/* The class of each column of probabilities. */
static PyObject *columns_of_classes(const dgm_predictions *is, int32_t columns) {
    PyObject *list = PyList_New(columns);
    for (int32_t i = 0; list && i < columns; i++)
        PyList_SetItem(list, i, PyLong_FromLong(dgm_predictions_probability_class(is, i)));
    return list;
}

/* result_predictions(result, predictions or None, study or None, lens or None, graph): what was said of
 * the nodes, by the predictions or else by the classifier among the lenses. None if nobody said
 * anything. */
static PyObject *result_predictions(PyObject *self, PyObject *arguments) {
    PyObject *handle, *given, *study_handle, *made, *graph_handle;
    int32_t columns = 0;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOOOO", &handle, &given, &study_handle, &made, &graph_handle))
        return NULL;
    const dgm_job_result *result = handle_get(handle, "dgm.result");
    const dgm_graph *graph = handle_get(graph_handle, "dgm.graph");
    const dgm_predictions *is = handle_get(given, "dgm.predictions");
    const dgm_lens_result *seen = lens_of(result, study_handle, made);
    if (PyErr_Occurred() || !result || !graph)
        return NULL;
    if (!is && seen)
        is = dgm_lens_result_predictions(seen);
    if (!is)
        Py_RETURN_NONE;
    PyObject *info = PyDict_New();
    int64_t nodes = dgm_predictions_nodes(is);
    const float *values = dgm_predictions_probabilities(is, &columns);
    const uint8_t *splits = dgm_predictions_splits(is);
    splits = splits ? splits : dgm_graph_splits(graph);
    if (info && !(put(info, "classes", array_of(dgm_predictions_classes(is), nodes, "<i4")) &&
                  put(info, "probabilities", array_of(values, nodes * columns, "<f4")) &&
                  put(info, "columns", columns_of_classes(is, columns)) &&
                  put(info, "names", names_of_classes(is, graph)) &&
                  put(info, "splits", array_of(splits, nodes, "|u1"))))
        Py_CLEAR(info);
    return info;
}

/* result_text(context, result, graph, settings, file name, part): as a file of that name would be. */
static PyObject *result_text(PyObject *self, PyObject *arguments) {
    PyObject *context, *handle, *graph_handle, *settings, *bytes = NULL;
    const char *name;
    char *text = NULL;
    size_t length = 0;
    dgm_export_format format;
    dgm_job job;
    int part;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOOOsi", &context, &handle, &graph_handle, &settings, &name,
                          &part))
        return NULL;
    const dgm_job_result *result = handle_get(handle, "dgm.result");
    const dgm_graph *graph = handle_get(graph_handle, "dgm.graph");
    dgm_context *ctx = result && graph ? context_of(context) : NULL;
    if (!ctx || !take_settings(ctx, settings, &job) || !call_begin(&c, context))
        return NULL;
    const dgm_export_subject subject = {.summary = result->summary,
                                        .graph = graph,
                                        .profile = result->profile,
                                        .figure = &job.figure,
                                        .view = result->view};
    dgm_status status = dgm_export_format_find(c.ctx, name, &format);
    if (status == DGM_OK)
        status = dgm_export_text(c.ctx, &subject, format, part, &text, &length);
    if (call_end(&c, status))
        bytes = PyBytes_FromStringAndSize(text, (Py_ssize_t)length);
    dgm_export_text_free(ctx, text);
    return bytes;
}

/* ---- a lens alone ---- */

static void free_lens(PyObject *handle) {
    dgm_lens_result_free(PyCapsule_GetPointer(handle, "dgm.lens"));
}

/* lens(context, graph, settings, table or None): what the cover would see. */
static PyObject *lens(PyObject *self, PyObject *arguments) {
    PyObject *context, *graph_handle, *settings, *table;
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_lens_result *made = NULL;
    dgm_job job;
    call c;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOOO", &context, &graph_handle, &settings, &table))
        return NULL;
    input.graph = handle_get(graph_handle, "dgm.graph");
    input.lens = handle_get(table, "dgm.matrix");
    dgm_context *ctx = input.graph && !PyErr_Occurred() ? context_of(context) : NULL;
    if (!ctx || !take_settings(ctx, settings, &job) || !call_begin(&c, context))
        return NULL;
    dgm_status status = dgm_job_lens_with(c.ctx, &job, &input, &made);
    PyObject *handle = call_end(&c, status) ? handle_new("dgm.lens", made, free_lens) : NULL;
    if (!handle)
        dgm_lens_result_free(made);
    return handle;
}

static PyObject *lens_table(PyObject *self, PyObject *arguments) {
    PyObject *handle;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "O", &handle))
        return NULL;
    const dgm_lens_result *made = handle_get(handle, "dgm.lens");
    return made ? table_of(dgm_lens_result_axes(made)) : NULL;
}

PyMethodDef map_methods[] = {
    {"study", study, METH_VARARGS, NULL},
    {"has_parts", has_parts, METH_VARARGS, NULL},
    {"study_candidates", study_candidates, METH_VARARGS, NULL},
    {"map", map, METH_VARARGS, NULL},
    {"result_info", result_info, METH_VARARGS, NULL},
    {"result_predictions", result_predictions, METH_VARARGS, NULL},
    {"result_text", result_text, METH_VARARGS, NULL},
    {"lens", lens, METH_VARARGS, NULL},
    {"lens_table", lens_table, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
