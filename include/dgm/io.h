/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs and tables from files and to files. Formats are found by extension and content; .gz .xz
 * .zst .zip around any of them are opened on the way. Sizes promised by a file are checked before
 * anything is allocated.
 */
#ifndef DGM_IO_H
#define DGM_IO_H

#include "dgm/graph.h"
#include "dgm/matrix.h"

typedef enum dgm_format {
    DGM_FORMAT_AUTO,  /* by extension, then by content */
    DGM_FORMAT_EDGES, /* text edge list: blanks, tabs or commas */
    DGM_FORMAT_MTX,   /* Matrix Market */
    DGM_FORMAT_METIS, /* METIS / Chaco .graph */
    DGM_FORMAT_GRAPHML,
    DGM_FORMAT_GEXF,
    DGM_FORMAT_GML,
    DGM_FORMAT_JSON,   /* node-link, `links` or `edges` */
    DGM_FORMAT_NPZ,    /* edge_index, x, y, ... as NumPy saves them */
    DGM_FORMAT_NPY,    /* edge_index alone: 2 x m or m x 2 integers */
    DGM_FORMAT_PAJEK,  /* Pajek .net; read, not written */
    DGM_FORMAT_LGL,    /* Large Graph Layout .lgl; read, not written */
    DGM_FORMAT_FOLDER, /* a dataset folder */
    DGM_FORMAT_TU,     /* a TU Dortmund folder, all its graphs as one */
} dgm_format;

/* "edges", "mtx", ...; NULL-terminated, in the order of the enum ("auto" first). */
DGM_API const char *const *dgm_format_names(void);

/* Files that say more about the nodes than the graph's own file does. Each may be NULL. */
typedef struct dgm_graph_tables {
    const char *nodes;  /* a CSV of node attributes with an `id` column */
    const char *labels; /* classes, which take the place of those in the graph's file: text or .npy,
                           one class per row in the order of the nodes, or with an `id` column and
                           a column `label`. Whole numbers are classes (-1: none), words are their
                           names */
} dgm_graph_tables;

/* Reads a graph from a file, a folder, or "-" (standard input). options NULL: defaults; tables
 * NULL: none. */
DGM_API dgm_status dgm_graph_read(dgm_context *ctx, const char *path, dgm_format format,
                                  const dgm_graph_options *options, const dgm_graph_tables *tables,
                                  dgm_graph **out);
/* The same from memory; `name` stands for the file in messages and gives the extension. */
DGM_API dgm_status dgm_graph_read_memory(dgm_context *ctx, const void *data, size_t size,
                                         const char *name, dgm_format format,
                                         const dgm_graph_options *options, dgm_graph **out);
/* A copy of the graph with the classes in a file, which is as dgm_graph_tables.labels says. The
 * graph itself stays as it is. */
DGM_API dgm_status dgm_graph_read_labels(dgm_context *ctx, const dgm_graph *graph, const char *path,
                                         dgm_graph **out);
/* Writes a graph; AUTO takes the format from the extension (and compresses for a .gz .xz .zst
 * behind it). The file appears whole or not at all. What a format cannot hold (names in METIS, ...)
 * is said in a note. */
DGM_API dgm_status dgm_graph_write(dgm_context *ctx, const dgm_graph *graph, const char *path,
                                   dgm_format format);

/* A table of numbers: text (blanks, tabs, commas, optional header) or .npy. With an `id` column
 * rows are matched to the graph's nodes by name; without, row i belongs to node i. Every node must
 * have exactly one row of finite numbers; anything else is an error that names file and line. graph
 * NULL: rows as they come. */
DGM_API dgm_status dgm_matrix_read(dgm_context *ctx, const char *path, const dgm_graph *graph,
                                   dgm_matrix **out);
/* Rows as they come, and where there is an `id` column a graph without edges whose nodes are named
 * by it, as dgm_matrix_write takes it; otherwise *ids is NULL. */
DGM_API dgm_status dgm_matrix_read_ids(dgm_context *ctx, const char *path, dgm_graph **ids,
                                       dgm_matrix **out);
/* .npy, or text with a header: `id` and one name a column. graph NULL: no id column. */
DGM_API dgm_status dgm_matrix_write(dgm_context *ctx, const dgm_matrix *matrix,
                                    const dgm_graph *graph, const char *path);

#endif
