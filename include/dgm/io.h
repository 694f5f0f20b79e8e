/* SPDX-License-Identifier: Apache-2.0 */
/* Reads graphs and tables from files and writes them. The format is recognised by the extension and
 * the content of a file. Compressed files (.gz .xz .zst .zip) of any format are unpacked while they
 * are read. A size that a file states is checked before anything is allocated for it.
 *
 * Every call returns DGM_ERROR_FILE if a file cannot be opened, and DGM_ERROR_FORMAT or
 * DGM_ERROR_DATA if its content is wrong; the message names the file and the line.
 */
#ifndef DGM_IO_H
#define DGM_IO_H

#include "dgm/graph.h"
#include "dgm/matrix.h"
#include "dgm/predictions.h"

typedef enum dgm_format {
    DGM_FORMAT_AUTO,  /* recognised by the extension, then by the content */
    DGM_FORMAT_EDGES, /* a text with one edge per line, between blanks, tabs or commas */
    DGM_FORMAT_MTX,   /* Matrix Market */
    DGM_FORMAT_METIS, /* .graph of METIS and Chaco */
    DGM_FORMAT_GRAPHML,
    DGM_FORMAT_GEXF,
    DGM_FORMAT_GML,
    DGM_FORMAT_JSON,   /* node-link JSON with `links` or `edges` */
    DGM_FORMAT_NPZ,    /* the arrays edge_index, x, y, ... as NumPy saves them */
    DGM_FORMAT_NPY,    /* the array edge_index alone: 2 x m or m x 2 integers */
    DGM_FORMAT_PAJEK,  /* .net of Pajek, which is read but not written */
    DGM_FORMAT_LGL,    /* .lgl of Large Graph Layout, which is read but not written */
    DGM_FORMAT_FOLDER, /* a folder with the files of one data set */
    DGM_FORMAT_TU,     /* a folder of the TU Dortmund collection: its graphs as one (dgm/set.h) */
} dgm_format;

/* Returns "auto", "edges", "mtx", ... in the order of the enum, then NULL. */
DGM_API const char *const *dgm_format_names(void);

/* Paths of files that say more about the nodes than the graph's own file does. Each may be NULL. */
typedef struct dgm_graph_tables {
    const char *nodes; /* a CSV of node attributes with a column `id` */
    /* Classes, which replace those of the graph's own file. It is a text or .npy file with one
     * class per row in the order of the nodes, or a text with the columns `id` and `label`. Whole
     * numbers are the numbers of classes (-1: none), and words are their names. */
    const char *labels;
} dgm_graph_tables;

/* Reads a graph, which the caller frees, from a file, a folder, or standard input ("-"). If
 * `options` is NULL, they have their defaults; if `tables` is NULL, there are none. */
DGM_API dgm_status dgm_graph_read(dgm_context *ctx, const char *path, dgm_format format,
                                  const dgm_graph_options *options, const dgm_graph_tables *tables,
                                  dgm_graph **out);
/* Reads a graph from the `size` bytes at `data`. Messages call the file `name`, and its extension
 * counts. */
DGM_API dgm_status dgm_graph_read_memory(dgm_context *ctx, const void *data, size_t size,
                                         const char *name, dgm_format format,
                                         const dgm_graph_options *options, dgm_graph **out);
/* Makes a copy of the graph with the classes of a file, such as dgm_graph_tables.labels describes.
 * The caller frees it. */
DGM_API dgm_status dgm_graph_read_labels(dgm_context *ctx, const dgm_graph *graph, const char *path,
                                         dgm_graph **out);
/* Reads what a classifier of any program says of the nodes of a graph; the caller frees it. The file
 * is text or .npy. One column has the class of each node: its name, its number, or nothing (-1, NA).
 * Several columns have the probabilities of the classes, or logits if the rows do not sum to 1. A
 * header may say what the columns are: `id` matches rows with nodes, `prediction` is the class, and
 * scores are called by the names or numbers of their classes (Theory, 3, p3, logit3); `label` is
 * passed over. What `dgm train --predictions` writes can be read. */
DGM_API dgm_status dgm_predictions_read(dgm_context *ctx, const dgm_graph *graph, const char *path,
                                        dgm_predictions **out);
/* Writes a graph. DGM_FORMAT_AUTO takes the format from the extension. A further extension .gz, .xz
 * or .zst compresses the file. The file appears whole or not at all. A note tells what the format
 * cannot hold, such as names in METIS. */
DGM_API dgm_status dgm_graph_write(dgm_context *ctx, const dgm_graph *graph, const char *path,
                                   dgm_format format);

/* Reads a table of numbers, which the caller frees, from .npy or from text: columns between blanks,
 * tabs or commas, with or without a header. If there is a column `id`, its names say which node a
 * row belongs to; otherwise row i belongs to node i. Every node must have exactly one row, and all
 * numbers must be finite. If `graph` is NULL, the rows keep their order in the file. */
DGM_API dgm_status dgm_matrix_read(dgm_context *ctx, const char *path, const dgm_graph *graph,
                                   dgm_matrix **out);
/* Reads a table in the order of its rows, together with their names. If there is a column `id`,
 * *ids becomes a graph without edges whose nodes have these names, which dgm_matrix_write takes;
 * otherwise it is NULL. The caller frees both. */
DGM_API dgm_status dgm_matrix_read_ids(dgm_context *ctx, const char *path, dgm_graph **ids,
                                       dgm_matrix **out);
/* Writes a table as .npy, or as text with a header that has `id` and the names of the columns. The
 * ids are the names of the graph's nodes; if `graph` is NULL, there is no column `id`. */
DGM_API dgm_status dgm_matrix_write(dgm_context *ctx, const dgm_matrix *matrix,
                                    const dgm_graph *graph, const char *path);

#endif
