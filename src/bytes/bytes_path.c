/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes_path.h"

#include <string.h>
#include <sys/stat.h>

#include "base_memory.h"
#include "base_text.h"

char *dgmi_bytes_path_join(dgm_context *ctx, const char *folder, const char *name) {
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    dgmi_text path;
    dgmi_text_init(&path, ctx);
    dgmi_text_append(&path, folder, length);
    if (length > 0 && folder[length - 1] != '/')
        dgmi_text_string(&path, "/");
    dgmi_text_string(&path, name);
    if (path.status == DGM_OK)
        return path.data;
    dgmi_text_free(&path);
    return NULL;
}

bool dgmi_bytes_path_is_file(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISDIR(facts.st_mode);
}

const char *const dgmi_bytes_path_packed[] = {"", ".gz", ".xz", ".zst", ".zip", NULL};

/* `name` or `name` packed; *path is NULL where neither is there. */
static dgm_status find_packed(dgm_context *ctx, const char *folder, const char *name, char **path) {
    for (int i = 0; dgmi_bytes_path_packed[i]; i++) {
        dgmi_text packed;
        dgmi_text_init(&packed, ctx);
        dgmi_text_format(&packed, "%s%s", name, dgmi_bytes_path_packed[i]);
        *path = packed.status == DGM_OK ? dgmi_bytes_path_join(ctx, folder, packed.data) : NULL;
        dgmi_text_free(&packed);
        if (!*path)
            return DGM_ERROR_MEMORY;
        if (dgmi_bytes_path_is_file(*path))
            return DGM_OK;
        dgmi_free(ctx, *path);
        *path = NULL;
    }
    return DGM_OK;
}

dgm_status dgmi_bytes_path_find(dgm_context *ctx, const char *folder, const char *const *names,
                                char **path, int *which) {
    *path = NULL;
    for (int i = 0; names[i]; i++) {
        dgm_status status = find_packed(ctx, folder, names[i], path);
        if (which)
            *which = i;
        if (status != DGM_OK || *path)
            return status;
    }
    return DGM_OK;
}

const char *dgmi_bytes_path_last(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
