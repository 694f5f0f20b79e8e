/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the extension share: contexts, handles, errors.
 *
 * The extension is thin. It knows nothing of NumPy: arrays come in as addresses, which the Python side
 * has checked and keeps alive, and go out as addresses that belong to a handle. A handle is a capsule
 * with an object of the library. Every call takes a context first, and gives the interpreter away
 * while the library works. */
#ifndef MODULE_H
#define MODULE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "dgm/dgm.h"

/* ---- handles ---- */

PyObject *handle_new(const char *kind, void *object, PyCapsule_Destructor destroy);
/* Returns the object of a handle, NULL for None, and NULL with an exception for anything else. */
void *handle_get(PyObject *handle, const char *kind);

/* ---- a context, and whom it tells ---- */

/* A call of the library that runs without the interpreter. */
typedef struct call {
    dgm_context *ctx;
    PyThreadState *state;
    PyObject *progress; /* called with a stage and a fraction; borrowed; NULL: nobody asks */
    PyObject *notes;    /* a list that notes are appended to; borrowed */
    double last;        /* when signals were last looked at, in seconds */
    bool failed;        /* a callback has raised */
} call;

/* Gives the interpreter away; false with an exception if `context` is none. */
bool call_begin(call *c, PyObject *context);
/* Takes it back, and turns a status into an exception: true if all is well. */
bool call_end(call *c, dgm_status status);
/* Raises the error of a context. */
void raise_error(dgm_context *ctx, dgm_status status);

/* ---- reading arguments ---- */

/* Reads an address, an int; false with an exception. None is NULL. */
bool take_address(PyObject *number, const void **out);
/* Returns the value of a key of a dict, borrowed, or NULL without an exception if it is missing or
 * None. */
PyObject *take_key(PyObject *dict, const char *key);
/* Texts of a list of bytes (None is NULL), which belong to the list; freed with PyMem_Free. NULL with
 * an exception. */
const char **take_texts(PyObject *list, Py_ssize_t *count);
/* A pair of bytes, of which the second may be None. */
bool take_pair(PyObject *pair, const char **name, const char **value);
/* Settings, a list of such pairs. */
bool take_settings(dgm_context *ctx, PyObject *list, dgm_job *job);
/* (address, count, type): an array that a handle owns. */
PyObject *array_of(const void *address, int64_t count, const char *type);
/* (address, rows, columns, names): a table that a handle owns; None for NULL. */
PyObject *table_of(const dgm_matrix *table);
/* Puts a new reference into a dict and gives it up; false with an exception. */
bool put(PyObject *dict, const char *key, PyObject *value);

/* ---- between files ---- */

/* Builds a graph of a description, a dict as Parts of _graph.py makes it; NULL with an exception. */
dgm_graph *graph_from(PyObject *context, PyObject *spec);
/* The context of a call before it begins, for settings; NULL with an exception. */
dgm_context *context_of(PyObject *context);
/* Sets options, a list of pairs of bytes, in the structs of the tables that have them; `tables` ends
 * with NULL. False with an exception. */
bool take_options(dgm_context *ctx, PyObject *list, const dgm_option_table *const *tables,
                  void *const *targets);

/* ---- the functions ---- */

extern PyMethodDef classify_methods[], graph_methods[], map_methods[], page_methods[],
    pool_methods[], reduce_methods[], train_methods[];
extern PyObject *dgm_error_class;

#endif
