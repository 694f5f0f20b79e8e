/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises files by their first bytes that no reader here can open: pickles, pictures, workbooks.
 * The message can then say what the file is and how to save its content in another format. */
#ifndef IO_FOREIGN_H
#define IO_FOREIGN_H

#include "dgm/context.h"

typedef enum dgmi_io_wanted {
    DGMI_IO_WANTED_GRAPH,
    DGMI_IO_WANTED_TABLE,  /* a table of numbers with one row per node */
    DGMI_IO_WANTED_NODES,  /* a table of nodes with an id column */
    DGMI_IO_WANTED_LABELS, /* a list with the class of each node */
} dgmi_io_wanted;

/* Returns DGM_ERROR_FORMAT if it is such a file, and DGM_OK otherwise, also if the file does not
 * exist, which its reader will report. */
dgm_status dgmi_io_foreign_check(dgm_context *ctx, const char *path, dgmi_io_wanted wanted);

#endif
