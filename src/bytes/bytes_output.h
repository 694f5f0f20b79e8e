/* SPDX-License-Identifier: Apache-2.0 */
/* Output files that appear as a whole or not at all. Bytes go to a temporary file beside the
 * target, which gets its name only if all went well. If the name ends in .gz .xz .zst, the
 * file is compressed, with the same bytes every time. The bytes for "-", standard output, are
 * collected and written at the end. A file that replaces another one gets its mode. A target that
 * is not a regular file (/dev/null, a pipe) is written in place.
 *
 *   open, write...
 *   close      finishes the file; a full disk is noticed here at the latest
 *   publish    gives the file its name
 *   discard    removes the file, at any point before publish
 *
 * A caller with several outputs closes all of them before it publishes the first, so that a failed
 * run leaves nothing.
 */
#ifndef BYTES_OUTPUT_H
#define BYTES_OUTPUT_H

#include <stddef.h>

#include "dgm/context.h"

#include "base_text.h"

typedef struct dgmi_bytes_output dgmi_bytes_output;

dgm_status dgmi_bytes_output_open(dgm_context *ctx, const char *path, dgmi_bytes_output **out);
dgm_status dgmi_bytes_output_write(dgmi_bytes_output *output, const void *data, size_t size);
/* Makes sure that what was written is on the disk before the file takes its name, so that a loss of
 * power does not leave half of it. */
void dgmi_bytes_output_make_durable(dgmi_bytes_output *output);
dgm_status dgmi_bytes_output_close(dgmi_bytes_output *output);
/* Both free the output. Publish closes an output that is still open. If it fails, it leaves no
 * file, and the output is freed as well. */
dgm_status dgmi_bytes_output_publish(dgmi_bytes_output *output);
void dgmi_bytes_output_discard(dgmi_bytes_output *output); /* NULL is fine */

/* Writes `data` into one file, which appears as a whole or not at all. */
dgm_status dgmi_bytes_output_save(dgm_context *ctx, const char *path, const void *data,
                                  size_t size);

/* Opens an output that collects its bytes in memory. `name` stands for the file in messages; its
 * ending compresses nothing. Take hands the bytes over to the caller, who frees them with
 * dgmi_free, and frees the output. */
dgm_status dgmi_bytes_output_open_memory(dgm_context *ctx, const char *name,
                                         dgmi_bytes_output **out);
dgm_status dgmi_bytes_output_take(dgmi_bytes_output *output, char **data, size_t *size);

/* For writers that collect text: writes the text and empties it, if it is long enough to be worth
 * it or if `last` is set. */
dgm_status dgmi_bytes_output_drain(dgmi_bytes_output *output, dgmi_text *text, bool last);

/* Returns the name of the target as the user gave it, for messages. */
const char *dgmi_bytes_output_name(const dgmi_bytes_output *output);
/* Returns the last part of the name in lower case and without .gz, .xz or .zst. Its extension tells
 * the format. */
const char *dgmi_bytes_output_inner_name(const dgmi_bytes_output *output);

#endif
