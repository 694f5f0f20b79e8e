/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks .gz (RFC 1952). A file may have several members one after another. Each is compared with
 * its own checksum and length, which libarchive ignores. After the last there may be zeros and
 * nothing else.
 */
#ifndef BYTES_GZIP_H
#define BYTES_GZIP_H

#include "dgm/context.h"

typedef struct dgmi_bytes_gzip dgmi_bytes_gzip;

/* The next packed bytes, which stay until the next call; none at the end. */
typedef dgm_status (*dgmi_bytes_gzip_feed)(void *user, const char **data, int64_t *size);

/* `name` is the file's, for messages, and borrowed. */
dgm_status dgmi_bytes_gzip_open(dgm_context *ctx, const char *name, dgmi_bytes_gzip_feed feed,
                                void *user, dgmi_bytes_gzip **out);
/* Fills the buffer: *got < size only at the end. What feed returns is returned. */
dgm_status dgmi_bytes_gzip_read(dgmi_bytes_gzip *gzip, char *buffer, int64_t size, int64_t *got);
void dgmi_bytes_gzip_close(dgmi_bytes_gzip *gzip); /* NULL is fine */

#endif
