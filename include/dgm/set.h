/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of graphs, such as those of graph classification: molecules, proteins, threads of a forum.
 *
 * The graphs of a set lie one after the other in one large graph, the union: graph k has the nodes
 * offsets[k] up to, and without, offsets[k + 1] of it, and no edge leads from one graph to another.
 * Graphs are counted from 0. A graph may have no nodes. Nothing is copied per graph, except by
 * dgm_graph_set_get.
 *
 * Like a graph, a set never changes. Many threads may read it, each with a context of its own.
 */
#ifndef DGM_SET_H
#define DGM_SET_H

#include "dgm/graph.h"

typedef struct dgm_graph_set dgm_graph_set;

/* Whether there is a set at the path: a folder with NAME_A.txt and NAME_graph_indicator.txt, packed
 * or not. */
DGM_API bool dgm_graph_set_exists(const char *path);
/* Reads a set, which the caller frees, from a folder of the TU Dortmund collection: NAME_A.txt,
 * NAME_graph_indicator.txt and the others that docs/formats.md describes. If `options` is NULL,
 * they have their defaults; `graph`, which takes one graph out of a set, must be NULL.
 * DGM_ERROR_FILE: the path is no such folder, or a file is missing. DGM_ERROR_DATA or
 * DGM_ERROR_FORMAT: the files do not agree or are damaged; the message names the file and, where
 * there is one, the line. */
DGM_API dgm_status dgm_graph_set_open(dgm_context *ctx, const char *path,
                                      const dgm_graph_options *options, dgm_graph_set **out);
/* Writes a set as such a folder, which must not be there yet; its files are called by its name. It
 * appears whole or not at all. A note tells what it cannot hold, such as weights. DGM_ERROR_DATA: the
 * set has no nodes. */
DGM_API dgm_status dgm_graph_set_write(dgm_context *ctx, const dgm_graph_set *set,
                                       const char *path);
/* Makes a set of graphs in memory, which the caller frees. `united` holds all of them, and graph k
 * has the nodes offsets[k] up to, and without, offsets[k + 1]. The set takes over `united`, and
 * frees it on failure as well. `labels` has a whole number per graph, or is NULL.
 * DGM_ERROR_DATA: the offsets do not rise from 0 to the number of nodes, or an edge leads from one
 * graph to another. */
DGM_API dgm_status dgm_graph_set_create(dgm_context *ctx, dgm_graph *united, int64_t count,
                                        const int64_t *offsets, const int32_t *labels,
                                        dgm_graph_set **out);
DGM_API void dgm_graph_set_free(dgm_graph_set *set); /* NULL is fine */

/* ---- looking at a set: everything that is returned belongs to the set ---- */

/* Returns the number of graphs, those without nodes included. */
DGM_API int64_t dgm_graph_set_count(const dgm_graph_set *set);
/* Returns the graph that holds them all. Its labels, features, attributes and names are those of
 * the nodes. */
DGM_API const dgm_graph *dgm_graph_set_union(const dgm_graph_set *set);
/* Returns where the nodes of each graph begin; there are count + 1 offsets. */
DGM_API const int64_t *dgm_graph_set_offsets(const dgm_graph_set *set);
/* Returns the class of each graph, or NULL if the set has no classes. Only numbers that occur among
 * the labels are counted, from 0, ascending: the labels -1 and 1 are the classes 0 and 1.
 * *classes, if it is not NULL, becomes the number of classes. */
DGM_API const int32_t *dgm_graph_set_classes(const dgm_graph_set *set, int32_t *classes);
/* Returns the number that the data gives the class: -1, 1, 2, ... */
DGM_API int32_t dgm_graph_set_class_number(const dgm_graph_set *set, int32_t class_index);
/* Returns the fold, 0 to folds - 1, in which each graph is tested, as the files
 * 10fold_idx/test_idx-K.txt of the data say, or NULL if there are no such files. A graph that none
 * of them names has fold -1: it is trained on in every fold. *folds, if it is not NULL, becomes the
 * number of folds. */
DGM_API const int32_t *dgm_graph_set_folds(const dgm_graph_set *set, int32_t *folds);

/* Makes a graph of its own of graph k, which the caller frees, with the labels, splits, features
 * and attributes of its nodes. Their names are those that they have in the union. Where these are
 * numbers, the names are the same numbers in writing. Its counts know nothing of what was dropped
 * or merged when the set was read. DGM_ERROR_USAGE: there is no graph k. */
DGM_API dgm_status dgm_graph_set_get(dgm_context *ctx, const dgm_graph_set *set, int64_t k,
                                     dgm_graph **out);

#endif
