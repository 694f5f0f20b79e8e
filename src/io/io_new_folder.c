/* SPDX-License-Identifier: Apache-2.0 */
#include "io_new_folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base_context.h"
#include "base_memory.h"
#include "bytes_path.h"

/* ---- files ---- */

dgm_status dgmi_io_write_file(dgm_context *ctx, const char *folder, const char *name,
                              dgmi_io_file_writer writer, const void *what) {
    dgmi_bytes_output *output = NULL;
    char *path = dgmi_bytes_path_join(ctx, folder, name);
    dgm_status status = path ? dgmi_bytes_output_open(ctx, path, &output) : DGM_ERROR_MEMORY;
    dgmi_free(ctx, path);
    if (status != DGM_OK)
        return status;
    status = writer(ctx, what, output);
    if (status == DGM_OK)
        return dgmi_bytes_output_publish(output);
    dgmi_bytes_output_discard(output);
    return status;
}

dgm_status dgmi_io_end_text(dgmi_bytes_output *output, dgmi_text *text, dgm_status status) {
    if (status == DGM_OK)
        status = dgmi_bytes_output_drain(output, text, true);
    dgmi_text_free(text);
    return status;
}

void dgmi_io_remove_file(const char *folder, const char *name) {
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path)
        unlink(path);
}

/* ---- folders ---- */

static dgm_status fail_folder(dgm_context *ctx, const char *path, int error) {
    return dgmi_fail_in(ctx, DGM_ERROR_FILE, path, "cannot be made: %s%s", strerror(error),
                        error == ENOTEMPTY || error == EEXIST || error == ENOTDIR
                            ? "; name a folder that is not there yet"
                            : "");
}

static dgm_status fill_beside(dgm_context *ctx, const char *path, const char *beside,
                              const dgmi_io_folder_content *content) {
    if (mkdir(beside, 0777) != 0)
        return fail_folder(ctx, path, errno);
    dgm_status status = content->fill(ctx, beside, content->what);
    if (status == DGM_OK && rename(beside, path) != 0)
        status = fail_folder(ctx, path, errno);
    if (status != DGM_OK) {
        content->empty(beside, content->what);
        rmdir(beside);
    }
    return status;
}

dgm_status dgmi_io_make_folder(dgm_context *ctx, const char *path,
                               const dgmi_io_folder_content *content) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *target = dgmi_strndup(ctx, path, length);
    dgmi_text beside;
    dgmi_text_init(&beside, ctx);
    dgmi_text_format(&beside, "%.*s.%ld.part", (int)length, path, (long)getpid());
    dgm_status status = target ? beside.status : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = fill_beside(ctx, target, beside.data, content);
    dgmi_text_free(&beside);
    dgmi_free(ctx, target);
    return status;
}
