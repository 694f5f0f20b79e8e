/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes_zlib.h"

#include <zlib.h>

#include "base_memory.h"

dgm_status dgmi_bytes_zlib(dgm_context *ctx, const void *bytes, size_t length, char **out,
                           size_t *size) {
    uLongf made = compressBound((uLong)length);
    *out = dgmi_alloc(ctx, (int64_t)made, 1);
    if (!*out)
        return DGM_ERROR_MEMORY;
    if (compress2((Bytef *)*out, &made, bytes, (uLong)length, Z_BEST_COMPRESSION) != Z_OK) {
        dgmi_free(ctx, *out); /* the room is enough, so it was memory of its own that it lacked */
        *out = NULL;
        return dgmi_fail_memory(ctx, (int64_t)length, 1);
    }
    *size = (size_t)made;
    return DGM_OK;
}
