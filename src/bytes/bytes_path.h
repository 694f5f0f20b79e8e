/* SPDX-License-Identifier: Apache-2.0 */
/* Files inside folders. */
#ifndef BYTES_PATH_H
#define BYTES_PATH_H

#include <stdbool.h>

#include "dgm/context.h"

/* Returns "folder/name", which the caller owns, or NULL with the error recorded. */
char *dgmi_bytes_path_join(dgm_context *ctx, const char *folder, const char *name);
/* Tells whether there is a file of that name. */
bool dgmi_bytes_path_is_file(const char *path);
/* What may stand behind the name of a file: nothing, or the ending of a packed one. The list ends in
 * NULL. */
extern const char *const dgmi_bytes_path_packed[];
/* Finds the first of `names` that the folder holds, as it is or with .gz, .xz, .zst or .zip behind
 * it. The list of names ends in NULL. The caller owns *path, which is NULL if there is none. *which
 * is its place among the names; `which` may be NULL. */
dgm_status dgmi_bytes_path_find(dgm_context *ctx, const char *folder, const char *const *names,
                                char **path, int *which);
/* Returns the part of the path behind the last slash. */
const char *dgmi_bytes_path_last(const char *path);

#endif
