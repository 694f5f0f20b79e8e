/* SPDX-License-Identifier: Apache-2.0 */
/* The module dgm._dgm: contexts, errors, and the tables that options are made from. */
#include "module.h"

#include <string.h>
#include <time.h>

PyObject *dgm_error_class;

/* ---- handles ---- */

PyObject *handle_new(const char *kind, void *object, PyCapsule_Destructor destroy) {
    return PyCapsule_New(object, kind, destroy);
}

void *handle_get(PyObject *handle, const char *kind) {
    return !handle || handle == Py_None ? NULL : PyCapsule_GetPointer(handle, kind);
}

/* ---- errors ---- */

void raise_error(dgm_context *ctx, dgm_status status) {
    const dgm_error is = dgm_context_error_parts(ctx);
    if (status == DGM_ERROR_MEMORY) {
        PyErr_SetString(PyExc_MemoryError, dgm_context_error(ctx));
        return;
    }
    PyObject *kind = status == DGM_ERROR_USAGE ? PyExc_ValueError : dgm_error_class;
    PyObject *error = PyObject_CallFunction(kind, "s", dgm_context_error(ctx));
    if (!error)
        return;
    PyObject *details =
        Py_BuildValue("{ss,ss,sz,sz,sL,sL}", "code", dgm_status_name(status), "message",
                      is.message ? is.message : "", "option", is.option, "file", is.file, "line",
                      (long long)is.line, "byte", (long long)is.byte);
    PyObject *key, *value;
    for (Py_ssize_t at = 0; details && PyDict_Next(details, &at, &key, &value);)
        if (PyObject_SetAttr(error, key, value) != 0)
            PyErr_Clear();
    Py_XDECREF(details);
    PyErr_SetObject((PyObject *)kind, error);
    Py_DECREF(error);
}

/* ---- calls ---- */

static const double BETWEEN_LOOKS = 0.05; /* seconds */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool tell(call *c, const char *stage, double fraction) {
    PyObject *answer = fraction < 0 ? PyObject_CallFunction(c->progress, "sO", stage, Py_None)
                                    : PyObject_CallFunction(c->progress, "sd", stage, fraction);
    bool goes_on = answer && answer != Py_False;
    Py_XDECREF(answer);
    return goes_on;
}

/* Ctrl-C ends the work, and so does a callback that says False or raises. */
static bool on_progress(void *user, const char *stage, double fraction) {
    call *c = user;
    double now = seconds();
    if (now - c->last < BETWEEN_LOOKS)
        return true;
    c->last = now;
    PyEval_RestoreThread(c->state);
    bool goes_on = PyErr_CheckSignals() == 0 && (!c->progress || tell(c, stage, fraction));
    c->failed = PyErr_Occurred();
    c->state = PyEval_SaveThread();
    return goes_on;
}

static void on_note(void *user, const char *note) {
    call *c = user;
    PyEval_RestoreThread(c->state);
    PyObject *text = PyUnicode_DecodeUTF8(note, (Py_ssize_t)strlen(note), "replace");
    if (!text || PyList_Append(c->notes, text) != 0)
        PyErr_Clear(); /* a note that cannot be kept is no reason to end */
    Py_XDECREF(text);
    c->state = PyEval_SaveThread();
}

/* A context is a tuple: its handle, a function to tell how far the work is or None, and a list for
 * notes. */
bool call_begin(call *c, PyObject *context) {
    memset(c, 0, sizeof *c);
    if (!PyTuple_Check(context) || PyTuple_Size(context) != 3) {
        PyErr_SetString(PyExc_TypeError, "this is no context");
        return false;
    }
    c->ctx = handle_get(PyTuple_GetItem(context, 0), "dgm.context");
    PyObject *progress = PyTuple_GetItem(context, 1);
    c->progress = progress == Py_None ? NULL : progress;
    c->notes = PyTuple_GetItem(context, 2);
    if (!c->ctx)
        return false;
    dgm_context_resume(c->ctx);
    dgm_context_set_progress(c->ctx, on_progress, c);
    dgm_context_set_notes(c->ctx, on_note, c);
    c->state = PyEval_SaveThread();
    return true;
}

bool call_end(call *c, dgm_status status) {
    PyEval_RestoreThread(c->state);
    dgm_context_set_progress(c->ctx, NULL, NULL);
    dgm_context_set_notes(c->ctx, NULL, NULL);
    if (PyErr_Occurred())
        return false;
    if (status == DGM_OK)
        return true;
    raise_error(c->ctx, status);
    return false;
}

dgm_context *context_of(PyObject *context) {
    if (PyTuple_Check(context) && PyTuple_Size(context) == 3)
        return handle_get(PyTuple_GetItem(context, 0), "dgm.context");
    PyErr_SetString(PyExc_TypeError, "this is no context");
    return NULL;
}

/* ---- arguments ---- */

bool take_address(PyObject *number, const void **out) {
    *out = NULL;
    if (!number || number == Py_None)
        return true;
    *out = PyLong_AsVoidPtr(number);
    return !PyErr_Occurred();
}

PyObject *take_key(PyObject *dict, const char *key) {
    PyObject *value = PyDict_GetItemString(dict, key);
    return value == Py_None ? NULL : value;
}

const char **take_texts(PyObject *list, Py_ssize_t *count) {
    *count = PyList_Size(list);
    if (*count < 0)
        return NULL;
    const char **texts = PyMem_Malloc((size_t)(*count ? *count : 1) * sizeof *texts);
    if (!texts) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < *count; i++) {
        PyObject *item = PyList_GetItem(list, i);
        texts[i] = item == Py_None ? NULL : PyBytes_AsString(item);
        if (item != Py_None && !texts[i]) {
            PyMem_Free(texts);
            return NULL;
        }
    }
    return texts;
}

bool take_pair(PyObject *pair, const char **name, const char **value) {
    PyObject *text;
    if (!PyArg_ParseTuple(pair, "yO", name, &text))
        return false;
    *value = text == Py_None ? NULL : PyBytes_AsString(text);
    return text == Py_None || *value;
}

bool take_settings(dgm_context *ctx, PyObject *list, dgm_job *job) {
    dgm_job_init(job);
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        const char *name, *value;
        if (!take_pair(PyList_GetItem(list, i), &name, &value))
            return false;
        dgm_status status = dgm_job_set(ctx, job, name, value);
        if (status != DGM_OK) {
            raise_error(ctx, status);
            return false;
        }
    }
    return true;
}

PyObject *array_of(const void *address, int64_t count, const char *type) {
    if (!address)
        Py_RETURN_NONE;
    return Py_BuildValue("NLs", PyLong_FromVoidPtr((void *)(uintptr_t)address), (long long)count,
                         type);
}

PyObject *table_of(const dgm_matrix *table) {
    if (!table)
        Py_RETURN_NONE;
    int64_t columns = dgm_matrix_columns(table);
    PyObject *names = PyList_New(columns);
    for (int64_t i = 0; names && i < columns; i++) {
        PyObject *name = PyUnicode_FromString(dgm_matrix_column_name(table, i));
        if (!name)
            Py_CLEAR(names);
        else
            PyList_SetItem(names, i, name);
    }
    return names ? Py_BuildValue("NLLN",
                                 PyLong_FromVoidPtr((void *)(uintptr_t)dgm_matrix_values(table)),
                                 (long long)dgm_matrix_rows(table), (long long)columns, names)
                 : NULL;
}

bool put(PyObject *dict, const char *key, PyObject *value) {
    bool done = value && PyDict_SetItemString(dict, key, value) == 0;
    Py_XDECREF(value);
    return done;
}

/* ---- contexts ---- */

static void free_context(PyObject *handle) {
    dgm_context_free(PyCapsule_GetPointer(handle, "dgm.context"));
}

/* Options are written as Python writes them. */
static void write_option(void *user, const char *name, const char *value, char *words,
                         size_t size) {
    size_t at = 0;
    (void)user;
    for (; *name && at + 1 < size; name++)
        words[at++] = *name == '-' ? '_' : *name;
    if (size > 0)
        words[at] = '\0';
    if (value)
        PyOS_snprintf(words + at, size - at, "=\"%s\"", value);
}

static PyObject *context(PyObject *self, PyObject *arguments) {
    dgm_context *ctx;
    int threads;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "i", &threads))
        return NULL;
    if (dgm_context_create(NULL, &ctx) != DGM_OK)
        return PyErr_NoMemory();
    dgm_context_set_threads(ctx, threads);
    dgm_context_set_option_words(ctx, write_option, NULL);
    PyObject *handle = handle_new("dgm.context", ctx, free_context);
    if (!handle)
        dgm_context_free(ctx);
    return handle;
}

/* ---- options ---- */

static PyObject *describe_option(const dgm_option_table *table, const dgm_option *option) {
    static const char *const kinds[] = {"flag", "integer",  "real", "choice",
                                        "text", "integers", "reals"};
    PyObject *choices = PyList_New(0);
    for (const char *const *choice = option->choices; choices && choice && *choice; choice++) {
        PyObject *text = PyUnicode_FromString(*choice);
        if (!text || PyList_Append(choices, text) != 0)
            Py_CLEAR(choices);
        Py_XDECREF(text);
    }
    return choices ? Py_BuildValue("{ss,ss,ss,sz,sz,sN}", "group", table->title, "name",
                                   option->name, "kind", kinds[option->kind], "default",
                                   option->default_text, "help", option->help, "choices", choices)
                   : NULL;
}

static bool describe_table(const dgm_option_table *table, PyObject *list) {
    for (size_t i = 0; i < table->count; i++) {
        PyObject *row = describe_option(table, &table->options[i]);
        if (!row || PyList_Append(list, row) != 0) {
            Py_XDECREF(row);
            return false;
        }
        Py_DECREF(row);
    }
    return true;
}

static const dgm_option_table *find_table(const char *of) {
    static const struct {
        const char *name;
        const dgm_option_table *(*table)(void);
    } tables[] = {{"gcn", dgm_gcn_option_table},
                  {"dgi", dgm_dgi_option_table},
                  {"checkpoint", dgm_checkpoint_option_table},
                  {"classify", dgm_classify_option_table}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(of, tables[i].name) == 0)
            return tables[i].table();
    PyErr_Format(PyExc_ValueError, "there are no options of '%s'", of);
    return NULL;
}

/* options(): all options of a job, in the order of help. With the name of a training, gcn, dgi or
 * classify, or checkpoint: its own. */
static PyObject *options(PyObject *self, PyObject *arguments) {
    const char *of = NULL;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "|s", &of))
        return NULL;
    PyObject *list = PyList_New(0);
    dgm_job_stage stage;
    for (size_t i = 0; list && !of && (stage = dgm_job_stage_at(i)).table; i++)
        if (!describe_table(stage.table, list))
            Py_CLEAR(list);
    const dgm_option_table *table = list && of ? find_table(of) : NULL;
    if (list && of && (!table || !describe_table(table, list)))
        Py_CLEAR(list);
    return list;
}

/* ---- the module ---- */

static PyMethodDef own_methods[] = {
    {"context", context, METH_VARARGS, NULL},
    {"options", options, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "dgm._dgm", NULL, -1, own_methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__dgm(void);
PyMODINIT_FUNC PyInit__dgm(void) {
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    dgm_error_class = PyErr_NewExceptionWithDoc("dgm.Error",
                                                "What the library could not do. `code` is one of "
                                                "file, format, data and cancelled; `file`, `line` "
                                                "and `byte` say where, if that is known.",
                                                PyExc_RuntimeError, NULL);
    if (!dgm_error_class || PyModule_AddFunctions(module, classify_methods) != 0 ||
        PyModule_AddFunctions(module, graph_methods) != 0 ||
        PyModule_AddFunctions(module, map_methods) != 0 ||
        PyModule_AddFunctions(module, page_methods) != 0 ||
        PyModule_AddFunctions(module, pool_methods) != 0 ||
        PyModule_AddFunctions(module, reduce_methods) != 0 ||
        PyModule_AddFunctions(module, train_methods) != 0 ||
        PyModule_AddStringConstant(module, "version", dgm_version()) != 0) {
        Py_DECREF(module);
        return NULL;
    }
    Py_INCREF(dgm_error_class);
    PyModule_AddObject(module, "Error", dgm_error_class);
    return module;
}
