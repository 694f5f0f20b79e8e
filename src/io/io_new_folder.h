/* SPDX-License-Identifier: Apache-2.0 */
/* Folders that appear whole or not at all. */
#ifndef IO_NEW_FOLDER_H
#define IO_NEW_FOLDER_H

#include "bytes_output.h"

/* What is in a folder. */
typedef struct dgmi_io_folder_content {
    /* Writes the files of `what` into the folder, which exists and is empty. */
    dgm_status (*fill)(dgm_context *ctx, const char *folder, const void *what);
    /* Removes those of them that are there. Their names are known, so that this needs no memory and
     * no file that is open. */
    void (*empty)(const char *folder, const void *what);
    const void *what;
} dgmi_io_folder_content;

/* Makes a folder beside the target, lets it be filled, and gives it the target's name when all of
 * it is there. A target that exists and is not empty is an error. On failure nothing is left. */
dgm_status dgmi_io_make_folder(dgm_context *ctx, const char *path,
                               const dgmi_io_folder_content *content);
/* Removes folder/name, if it is there. */
void dgmi_io_remove_file(const char *folder, const char *name);

/* Writes one file in the folder. */
typedef dgm_status (*dgmi_io_file_writer)(dgm_context *ctx, const void *what,
                                          dgmi_bytes_output *output);
dgm_status dgmi_io_write_file(dgm_context *ctx, const char *folder, const char *name,
                              dgmi_io_file_writer writer, const void *what);
/* Ends a writer of text: what is left goes out. */
dgm_status dgmi_io_end_text(dgmi_bytes_output *output, dgmi_text *text, dgm_status status);

#endif
