/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries into files whose formats were found before. */
#ifndef ARCHIVE_WRITE_H
#define ARCHIVE_WRITE_H

#include "dgm/export.h"

/* dgm_export_write with the format of every path. */
dgm_status dgmi_archive_write(dgm_context *ctx, const dgm_export_subject *subject,
                              const char *const *paths, const dgm_export_format *formats,
                              int count);

#endif
