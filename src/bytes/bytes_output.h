/* SPDX-License-Identifier: Apache-2.0 */
/* Output files that appear as a whole or not at all. Bytes go to a temporary file beside the
 * target, which gets its name only if all went well. If the name ends in .gz .xz .zst, the
 * file is compressed, with the same bytes every time. The bytes for "-", standard output, are
 * collected and written at the end. A file that replaces another one gets its mode. A target that
 * is not a regular file (/dev/null, a pipe) is written in place.
 *
 *   open, write...
 *   close      errors of a full disk show here
 *   publish    the file takes its name
 *   discard    at any point before publish
 *
 * Several outputs are closed first and published after, so that a failed run leaves nothing.
 */
#ifndef BYTES_OUTPUT_H
#define BYTES_OUTPUT_H

#include <stddef.h>

#include "dgm/context.h"

#include "base_text.h"

typedef struct dgmi_bytes_output dgmi_bytes_output;

dgm_status dgmi_bytes_output_open(dgm_context *ctx, const char *path, dgmi_bytes_output **out);
dgm_status dgmi_bytes_output_write(dgmi_bytes_output *output, const void *data, size_t size);
/* What was written is on the disk before the file takes its name: no loss of power leaves half of
 * it. */
void dgmi_bytes_output_make_durable(dgmi_bytes_output *output);
dgm_status dgmi_bytes_output_close(dgmi_bytes_output *output);
/* Both free the output, publish also on failure (which leaves no file). Publish closes what is
 * still open. */
dgm_status dgmi_bytes_output_publish(dgmi_bytes_output *output);
void dgmi_bytes_output_discard(dgmi_bytes_output *output); /* NULL is fine */

/* All of `data` into one file, whole or not at all. */
dgm_status dgmi_bytes_output_save(dgm_context *ctx, const char *path, const void *data,
                                  size_t size);

/* Collects the bytes instead; `name` stands for the file (its compression is not applied). Take
 * hands them over, owned by the caller (dgmi_free), and frees the output. */
dgm_status dgmi_bytes_output_open_memory(dgm_context *ctx, const char *name,
                                         dgmi_bytes_output **out);
dgm_status dgmi_bytes_output_take(dgmi_bytes_output *output, char **data, size_t *size);

/* For writers that collect text: once there is enough of it, or if `last`, writes and empties it.
 */
dgm_status dgmi_bytes_output_drain(dgmi_bytes_output *output, dgmi_text *text, bool last);

/* The target's name as the user gave it, for messages. */
const char *dgmi_bytes_output_name(const dgmi_bytes_output *output);
/* The last part of the name in lower case and without .gz .xz .zst: its extension tells the format.
 */
const char *dgmi_bytes_output_inner_name(const dgmi_bytes_output *output);

#endif
