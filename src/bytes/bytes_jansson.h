/* SPDX-License-Identifier: Apache-2.0 */
/* JSON from a stream into a tree.
 *
 * Jansson parses, with its own memory (its hooks are global) and its own limit on nesting (2048).
 */
#ifndef BYTES_JANSSON_H
#define BYTES_JANSSON_H

#include <jansson.h>

#include "bytes_stream.h"

/* The whole stream as one value, keys without repeats; the caller calls json_decref. `stage` is
 * what progress reports say. */
dgm_status dgmi_bytes_json_load(dgm_context *ctx, dgmi_bytes_stream *stream, const char *stage,
                                json_t **root);
/* Whether a tree was not read because memory ended. Jansson does not always say so: where it has no
 * memory to begin with, the error has no words. */
bool dgmi_bytes_json_lacks_memory(const json_error_t *error);

#endif
