/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in: a file, standard input or memory, decompressed on the way (.gz .xz .zst, the one file
 * of a .zip).
 *
 * Compression is found by the first bytes, not by the name. Emptiness is no error of the stream:
 * readers say whether they can live with it.
 */
#ifndef BYTES_STREAM_H
#define BYTES_STREAM_H

#include "dgm/context.h"

typedef struct dgmi_bytes_stream dgmi_bytes_stream;

enum { DGMI_BYTES_PEEK = 4096 };

/* "-" is standard input. A missing file, a folder or a damaged archive is DGM_ERROR_FILE /
 * DGM_ERROR_FORMAT. */
dgm_status dgmi_bytes_stream_open(dgm_context *ctx, const char *path, dgmi_bytes_stream **out);
/* The bytes as they are, whatever they look like (an .npz is a .zip that its own reader takes
 * apart). */
dgm_status dgmi_bytes_stream_open_raw(dgm_context *ctx, const char *path, dgmi_bytes_stream **out);
/* `data` is borrowed until the stream is closed; `name` stands for the file in messages. */
dgm_status dgmi_bytes_stream_open_memory(dgm_context *ctx, const void *data, size_t size,
                                         const char *name, dgmi_bytes_stream **out);
dgm_status dgmi_bytes_stream_open_memory_raw(dgm_context *ctx, const void *data, size_t size,
                                             const char *name, dgmi_bytes_stream **out);
void dgmi_bytes_stream_close(dgmi_bytes_stream *stream); /* NULL is fine */

/* Fills the buffer as far as there is data: *got < size only at the end. A truncated or damaged
 * archive is DGM_ERROR_FORMAT that names the file. */
dgm_status dgmi_bytes_stream_read(dgmi_bytes_stream *stream, void *buffer, int64_t size,
                                  int64_t *got);
/* The next bytes without consuming them, at most DGMI_BYTES_PEEK: for finding the format. */
dgm_status dgmi_bytes_stream_peek(dgmi_bytes_stream *stream, const char **data, int64_t *size);
/* All that is left, owned by the caller (dgmi_free), with a NUL behind it. Grows with the data,
 * never by a promise. */
dgm_status dgmi_bytes_stream_read_all(dgmi_bytes_stream *stream, char **data, int64_t *size);

/* A stream of bytes as they are (opened raw) that may be read from any place: a file or memory. */
bool dgmi_bytes_stream_is_seekable(const dgmi_bytes_stream *stream);
dgm_status dgmi_bytes_stream_seek(dgmi_bytes_stream *stream, int64_t place);

/* To be called before libarchive: where memory ends it may end the process. Fails unless there is
 * more than its packers take. */
dgm_status dgmi_bytes_check_room(dgm_context *ctx);

/* Fails where `packed` bytes of a file unfolded to more than the context allows; a quarter of a
 * gigabyte is always free. */
enum { DGMI_BYTES_UNPACKED_FREELY = 1 << 28 };
dgm_status dgmi_bytes_check_unpacked(dgm_context *ctx, const char *name, int64_t packed,
                                     int64_t unpacked);

/* The file's name as the user gave it, for messages. */
const char *dgmi_bytes_stream_name(const dgmi_bytes_stream *stream);
/* The name inside all compression, in lower case ("graph.mtx" of "Graph.MTX.gz", or the member of a
 * .zip): its extension tells the format. */
const char *dgmi_bytes_stream_inner_name(const dgmi_bytes_stream *stream);
/* Bytes of the file consumed / in all, for progress; -1 in all where it is not known. */
void dgmi_bytes_stream_position(const dgmi_bytes_stream *stream, int64_t *done, int64_t *total);
/* Whether the bytes are unpacked on the way, so that there may be more of them than the file has.
 */
bool dgmi_bytes_stream_is_packed(const dgmi_bytes_stream *stream);
/* The share consumed, for dgmi_progress; negative where the end is not known. */
double dgmi_bytes_stream_fraction(const dgmi_bytes_stream *stream);

/* The last part of `path` in lower case, less one ending that names a compression; owned by the
 * caller. */
char *dgmi_bytes_inner_name(dgm_context *ctx, const char *path);
/* Whether `name` ends in `ending` (".gz"), in either case. */
bool dgmi_bytes_ends_with(const char *name, const char *ending);

#endif
