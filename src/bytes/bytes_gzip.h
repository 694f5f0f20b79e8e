/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacks .gz (RFC 1952). A file may have several members one after another. Each is compared with
 * its own checksum and length, which libarchive ignores. After the last there may be zeros and
 * nothing else.
 */
#ifndef BYTES_GZIP_H
#define BYTES_GZIP_H

#include "dgm/context.h"

typedef struct dgmi_bytes_gzip dgmi_bytes_gzip;

/* Gives the next packed bytes, which stay valid until the next call. A size of 0 is the end. */
typedef dgm_status (*dgmi_bytes_gzip_feed)(void *user, const char **data, int64_t *size);

/* `name` is the file's name for messages. It must outlive the reader. */
dgm_status dgmi_bytes_gzip_open(dgm_context *ctx, const char *name, dgmi_bytes_gzip_feed feed,
                                void *user, dgmi_bytes_gzip **out);
/* Fills the buffer with unpacked bytes. *got is less than `size` only at the end. If `feed` fails,
 * its status is returned. */
dgm_status dgmi_bytes_gzip_read(dgmi_bytes_gzip *gzip, char *buffer, int64_t size, int64_t *got);
void dgmi_bytes_gzip_close(dgmi_bytes_gzip *gzip); /* NULL is fine */

#endif
