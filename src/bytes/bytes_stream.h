/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of bytes from a file, from standard input or from memory. They are unpacked on the way:
 * .gz, .xz, .zst, and a .zip that holds one file.
 *
 * Compression is recognised by the first bytes, not by the name. An empty stream is no error here;
 * each reader decides whether it accepts one.
 */
#ifndef BYTES_STREAM_H
#define BYTES_STREAM_H

#include "dgm/context.h"

typedef struct dgmi_bytes_stream dgmi_bytes_stream;

enum { DGMI_BYTES_PEEK = 4096 }; /* how many bytes can be looked at in advance */

/* Opens a file; "-" is standard input. A missing file or a folder is DGM_ERROR_FILE, and a damaged
 * archive is DGM_ERROR_FORMAT. */
dgm_status dgmi_bytes_stream_open(dgm_context *ctx, const char *path, dgmi_bytes_stream **out);
/* Opens a file and hands over its bytes as they are, packed or not. An .npz, for example, is a .zip
 * that its own reader takes apart. */
dgm_status dgmi_bytes_stream_open_raw(dgm_context *ctx, const char *path, dgmi_bytes_stream **out);
/* Both open bytes in memory, which must stay until the stream is closed. `name` stands for the file
 * in messages. */
dgm_status dgmi_bytes_stream_open_memory(dgm_context *ctx, const void *data, size_t size,
                                         const char *name, dgmi_bytes_stream **out);
dgm_status dgmi_bytes_stream_open_memory_raw(dgm_context *ctx, const void *data, size_t size,
                                             const char *name, dgmi_bytes_stream **out);
void dgmi_bytes_stream_close(dgmi_bytes_stream *stream); /* NULL is fine */

/* Fills the buffer as far as there are bytes. *got is less than `size` only at the end. A truncated
 * or damaged archive is DGM_ERROR_FORMAT, and the message names the file. */
dgm_status dgmi_bytes_stream_read(dgmi_bytes_stream *stream, void *buffer, int64_t size,
                                  int64_t *got);
/* Gives the next bytes, at most DGMI_BYTES_PEEK, and leaves them to be read again. This is how the
 * format is found. */
dgm_status dgmi_bytes_stream_peek(dgmi_bytes_stream *stream, const char **data, int64_t *size);
/* Reads all that is left, with a zero byte behind it. The caller frees it with dgmi_free. Memory
 * grows with the bytes that come, not with what a file promises. */
dgm_status dgmi_bytes_stream_read_all(dgmi_bytes_stream *stream, char **data, int64_t *size);

/* Tells whether the stream can be read from any place, which a file or memory can be if it was
 * opened raw. Seek goes to such a place. */
bool dgmi_bytes_stream_is_seekable(const dgmi_bytes_stream *stream);
dgm_status dgmi_bytes_stream_seek(dgmi_bytes_stream *stream, int64_t place);

/* Fails unless there is more memory than the packers of libarchive take. It is called before
 * libarchive is, because that may end the process if there is no memory left. */
dgm_status dgmi_bytes_check_room(dgm_context *ctx);

/* The number of bytes up to which any file may be unpacked. */
enum { DGMI_BYTES_UNPACKED_FREELY = 1 << 28 };
/* Fails if `packed` bytes of a file were unpacked to more than that, and to more times their size
 * than the context allows. */
dgm_status dgmi_bytes_check_unpacked(dgm_context *ctx, const char *name, int64_t packed,
                                     int64_t unpacked);

/* Returns the name of the file as the user gave it, for messages. */
const char *dgmi_bytes_stream_name(const dgmi_bytes_stream *stream);
/* Returns the name without any compression, in lower case: "graph.mtx" of "Graph.MTX.gz", or the
 * name of the member of a .zip. Its extension tells the format. */
const char *dgmi_bytes_stream_inner_name(const dgmi_bytes_stream *stream);
/* Gives how many bytes of the file were read, and how many there are, or -1 if that is not known.
 */
void dgmi_bytes_stream_position(const dgmi_bytes_stream *stream, int64_t *done, int64_t *total);
/* Tells whether the bytes are unpacked on the way, so that there may be more of them than the file
 * has. */
bool dgmi_bytes_stream_is_packed(const dgmi_bytes_stream *stream);
/* Returns the share of the file that was read, for dgmi_progress, or a negative number if the
 * length is not known. */
double dgmi_bytes_stream_fraction(const dgmi_bytes_stream *stream);

/* Returns the last part of `path` in lower case, without an ending that names a compression. The
 * caller owns it. */
char *dgmi_bytes_inner_name(dgm_context *ctx, const char *path);
/* Tells whether `name` ends in `ending`, such as ".gz", in upper or lower case. */
bool dgmi_bytes_ends_with(const char *name, const char *ending);

#endif
