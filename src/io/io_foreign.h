/* SPDX-License-Identifier: Apache-2.0 */
/* Files that people give in good faith and that no reader here can open: pickles, pictures,
 * workbooks. Told by their first bytes, so that the message can say what the file is and how to
 * save what is in it. */
#ifndef IO_FOREIGN_H
#define IO_FOREIGN_H

#include "dgm/context.h"

typedef enum dgmi_io_wanted {
    DGMI_IO_WANTED_GRAPH,
    DGMI_IO_WANTED_TABLE,  /* of numbers, one row per node */
    DGMI_IO_WANTED_NODES,  /* a table of nodes with an id column */
    DGMI_IO_WANTED_LABELS, /* classes, one per node */
} dgmi_io_wanted;

/* DGM_ERROR_FORMAT where the file is none that could be read; DGM_OK otherwise, also where there is
 * no such file, which its reader will say. */
dgm_status dgmi_io_foreign_check(dgm_context *ctx, const char *path, dgmi_io_wanted wanted);

#endif
