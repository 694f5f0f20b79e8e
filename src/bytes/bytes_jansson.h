/* SPDX-License-Identifier: Apache-2.0 */
/* JSON from a stream into a tree, and from a tree into a text.
 *
 * Jansson parses, with its own memory (its hooks are global) and its own limit on nesting (2048).
 */
#ifndef BYTES_JANSSON_H
#define BYTES_JANSSON_H

#include <jansson.h>

#include "base_text.h"
#include "bytes_stream.h"

/* Reads the whole stream as one JSON value. A key that is repeated within an object is an error.
 * `stage` is the name that progress reports use. The caller ends the value with json_decref. */
dgm_status dgmi_bytes_json_load(dgm_context *ctx, dgmi_bytes_stream *stream, const char *stage,
                                json_t **root);
/* Tells whether a tree was not read because there was no memory left. Jansson does not always say
 * so: where it has no memory to begin with, the error has no words. */
bool dgmi_bytes_json_lacks_memory(const json_error_t *error);
/* Appends a value, NULL for want of memory, to a text, with Jansson's flags. `what` is written, for an
 * error. Jansson's own collector, json_dumps, may leave out what it had no memory for and not say so;
 * here the text keeps the failure. */
dgm_status dgmi_bytes_json_write(const json_t *value, size_t flags, const char *what,
                                 dgmi_text *text);

#endif
