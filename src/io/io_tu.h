/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a TU folder while a set is read from them (io_tu.c, io_tu_nodes.c, io_set.c). */
#ifndef IO_TU_H
#define IO_TU_H

#include "io_formats.h"

enum { DGMI_IO_TU_LONGEST_NAME = 256 };

/* A node of the file is a line of the indicator, counted from 0. A node of the set is one of the
 * union, where the nodes of each graph stand together. */
typedef struct dgmi_io_tu {
    dgm_context *ctx;
    const char *path;
    char name[DGMI_IO_TU_LONGEST_NAME];
    dgm_graph_builder *builder;
    int64_t nodes;
    int64_t graphs;
    int32_t *graph_of; /* of each node of the file, counted from 1 */
    int32_t *labels;   /* of each graph; NULL: there are none */
    int64_t *offsets;  /* graphs + 1: where the nodes of each graph begin in the set */
    uint32_t *rank;    /* the node of the set that each node of the file is; NULL: the same one */
} dgmi_io_tu;

/* Fills the builder and *tu from the folder. *tu is to be freed, after a failure as well. */
dgm_status dgmi_io_tu_read(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                           dgm_graph_builder *builder, dgmi_io_tu *tu);
void dgmi_io_tu_free(dgmi_io_tu *tu);

/* The path of NAME_what.txt, packed or not, owned by the caller; *file is NULL where it is not
 * there. */
dgm_status dgmi_io_tu_find_file(const dgmi_io_tu *tu, const char *what, char **file);
/* Labels and attributes of nodes, in the order of the set. */
dgm_status dgmi_io_tu_read_nodes(const dgmi_io_tu *tu);
/* Fails with the first line of NAME_A.txt that joins two graphs. It is called where there is one.
 */
dgm_status dgmi_io_tu_fail_crossing(const dgmi_io_tu *tu);

/* Whether only one of NAME_A.txt and NAME_graph_indicator.txt is in the folder; the error names the
 * other. */
bool dgmi_io_tu_is_half(const char *path);
dgm_status dgmi_io_tu_fail_half(dgm_context *ctx, const char *path);

#endif
