/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in memory, compressed as zlib does it (RFC 1950): browsers call the format "deflate". */
#ifndef BYTES_ZLIB_H
#define BYTES_ZLIB_H

#include "dgm/context.h"

/* Compresses bytes as well as it can; the caller frees the result with dgmi_free. */
dgm_status dgmi_bytes_zlib(dgm_context *ctx, const void *bytes, size_t length, char **out,
                           size_t *size);

#endif
