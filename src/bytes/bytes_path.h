/* SPDX-License-Identifier: Apache-2.0 */
/* Files inside folders. */
#ifndef BYTES_PATH_H
#define BYTES_PATH_H

#include <stdbool.h>

#include "dgm/context.h"

/* "folder/name", owned by the caller; NULL with the error recorded. */
char *dgmi_bytes_path_join(dgm_context *ctx, const char *folder, const char *name);
/* Whether a file of that name is there. */
bool dgmi_bytes_path_is_file(const char *path);
/* What may stand behind the name of a file: nothing, or the ending of a packed one; NULL at the end.
 */
extern const char *const dgmi_bytes_path_packed[];
/* The first of folder/names[0 .. ], as it is or packed; *path is owned by
 * the caller, NULL where none is there. *which (may be NULL) is its place among the names, which
 * end in NULL. */
dgm_status dgmi_bytes_path_find(dgm_context *ctx, const char *folder, const char *const *names,
                                char **path, int *which);
/* What stands behind the last slash. */
const char *dgmi_bytes_path_last(const char *path);

#endif
