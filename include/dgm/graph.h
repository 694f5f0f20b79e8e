/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: compressed sparse rows, with names, weights, attributes, labels, features and splits.
 *
 * An undirected graph stores each edge in the rows of both ends (a self-loop once); a directed
 * graph stores an edge in the row of its source. Rows are sorted by target and hold no repeats.
 * Nodes are numbered from 0 with 32 bits (there are at most DGM_MAX_NODES), offsets have 64 bits.
 *
 * A graph never changes after the builder has finished it. Many threads may work on one graph, each
 * with a context of its own. What a lens or a network finds out about the nodes is kept in other
 * objects (dgm_lens_result, dgm_predictions).
 */
#ifndef DGM_GRAPH_H
#define DGM_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "dgm/context.h"
#include "dgm/option.h"

#define DGM_MAX_NODES INT64_C(2147483647)

typedef struct dgm_graph dgm_graph;
typedef struct dgm_graph_builder dgm_graph_builder;

/* How edges are put together to a graph. Every reader and every generator takes these options. */
typedef struct dgm_graph_options {
    size_t size;     /* the size of this struct, filled in by the initialiser */
    bool directed;   /* edges keep their directions */
    bool keep_loops; /* self-loops are kept and not dropped */
    int64_t nodes;   /* the least number of nodes; 0: as many as the data has */
    int ids;         /* a dgm_ids: what the ids in a text file mean */
    /* The number of the graph to take out of a set, counted from 0, in writing ("7"); NULL, the
     * default: all of them, as one graph. Only what is read from a set (dgm/set.h) can have it. */
    const char *graph;
} dgm_graph_options;

typedef enum dgm_ids {
    DGM_IDS_NUMBER, /* if all ids are whole numbers, they are node numbers; otherwise names */
    DGM_IDS_NAME,   /* every id is a name, so that only nodes that occur in the file exist */
} dgm_ids;

#define DGM_GRAPH_OPTIONS_INIT                                                                     \
    { sizeof(dgm_graph_options), false, false, 0, DGM_IDS_NUMBER, NULL }
static inline void dgm_graph_options_init(dgm_graph_options *options) {
    const dgm_graph_options defaults = DGM_GRAPH_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_graph_option_table(void);

/* ---- looking at a graph: everything that is returned belongs to the graph ---- */

/* The neighbours of all nodes. Those of node u are targets[offsets[u]] up to, and without,
 * targets[offsets[u + 1]]. Targets count the nodes of this graph, which 32 bits hold. A node that
 * is given or returned by itself is an int64_t, so that graphs which are parts of a larger one may
 * have 64-bit numbers across it. */
typedef struct dgm_graph_rows {
    int64_t nodes;
    int64_t entries;         /* the length of `targets`, which is offsets[nodes] */
    const int64_t *offsets;  /* nodes + 1 positions in `targets` */
    const uint32_t *targets; /* the neighbours, row after row */
    const double *weights;   /* the weight of each entry; NULL: every edge has weight 1 */
    bool directed;           /* entries are edges from u; otherwise edges between u and target */
} dgm_graph_rows;

/* What the builder counted. Weights of records that give the same ordered pair are added. If an
 * undirected edge was given in both directions, it gets the larger of the two sums. */
typedef struct dgm_graph_counts {
    int64_t edges;          /* edges of the graph, each once, with the self-loops that were kept */
    int64_t records;        /* edges as they were given, before repeats were merged */
    int64_t loops_dropped;  /* records that were self-loops and were left out */
    int64_t loops_kept;     /* self-loops among the edges */
    int64_t repeats_merged; /* records that gave an edge again, in the same or the other direction
                             */
    int64_t uneven_weights; /* undirected edges whose two directions had different weights */
} dgm_graph_counts;

DGM_API void dgm_graph_free(dgm_graph *graph); /* NULL is fine */
DGM_API int64_t dgm_graph_nodes(const dgm_graph *graph);
DGM_API int64_t dgm_graph_edges(const dgm_graph *graph);
DGM_API dgm_graph_rows dgm_graph_get_rows(const dgm_graph *graph);
DGM_API dgm_graph_counts dgm_graph_get_counts(const dgm_graph *graph);

/* Writes the name of a node into `buffer`, at most `size` bytes with the final 0, and returns the
 * length of the whole name. A graph without names of its own calls nodes by their numbers. */
DGM_API size_t dgm_graph_name(const dgm_graph *graph, int64_t node, char *buffer, size_t size);
/* Returns the name of a node without copying it, or NULL if names are numbers. `length` may be
 * NULL. */
DGM_API const char *dgm_graph_name_text(const dgm_graph *graph, int64_t node, size_t *length);
/* Returns the name of node 0 if names are numbers (0 or 1), or -1 if the graph has names of its
 * own. */
DGM_API int64_t dgm_graph_name_base(const dgm_graph *graph);
/* An index that finds nodes by their names: it is built in O(n) and asked in O(1). The graph must
 * outlive it. dgm_graph_index_find returns -1 if no node has the name. */
typedef struct dgm_graph_index dgm_graph_index;
DGM_API dgm_status dgm_graph_index_create(dgm_context *ctx, const dgm_graph *graph,
                                          dgm_graph_index **out);
DGM_API int64_t dgm_graph_index_find(const dgm_graph_index *index, const char *name, size_t length);
DGM_API void dgm_graph_index_free(dgm_graph_index *index);

/* Returns where the graph came from, in words for people ("cora", "edges.tsv"), or "" if it is not
 * known. */
DGM_API const char *dgm_graph_source(const dgm_graph *graph);

/* Returns the class of each node, or -1 if a node has none; NULL if no node has one. Only classes
 * that occur are counted, from 0, in the order of the numbers that the data gives them: the labels
 * 3, 7 and 8 are the classes 0, 1 and 2. */
DGM_API const int32_t *dgm_graph_labels(const dgm_graph *graph);
DGM_API int32_t dgm_graph_classes(const dgm_graph *graph); /* the number of classes */
/* Returns the number that the data gives the class; for -1 it returns -1. */
DGM_API int32_t dgm_graph_class_number(const dgm_graph *graph, int32_t label);
/* Returns the name of the class, or NULL if classes have no names. */
DGM_API const char *dgm_graph_class_name(const dgm_graph *graph, int32_t label);
/* Returns what people call the class: its name, or else its number, which is written into `buffer`
 * (12 bytes are enough). */
DGM_API const char *dgm_graph_class_text(const dgm_graph *graph, int32_t label, char *buffer,
                                         size_t size);

/* Makes a copy of the graph with other labels, which the caller frees. `labels` has the number of a
 * class for each node, or -1; not every number must occur. The class of number c is called
 * names[c]; `name_count` may be 0. */
DGM_API dgm_status dgm_graph_with_labels(dgm_context *ctx, const dgm_graph *graph,
                                         const int32_t *labels, int32_t name_count,
                                         const char *const *names, dgm_graph **out);

/* The part of the data that a node belongs to when a network is trained. */
typedef enum dgm_split {
    DGM_SPLIT_NONE = 0,
    DGM_SPLIT_TRAIN = 1,
    DGM_SPLIT_VALIDATION = 2,
    DGM_SPLIT_TEST = 3,
} dgm_split;
#define DGM_SPLITS 4 /* the number of parts */
/* Returns one dgm_split per node, or NULL if the graph has no split. */
DGM_API const uint8_t *dgm_graph_splits(const dgm_graph *graph);

/* The features of the nodes, `width` numbers per node. Dense features have no offsets and columns:
 * those of node u begin at values[u * width]. Sparse features list for each node the columns that
 * are not zero, from offsets[u] up to, and without, offsets[u + 1]. */
typedef struct dgm_graph_features {
    int64_t width;           /* the number of columns; 0: the graph has no features */
    const int64_t *offsets;  /* nodes + 1 positions in `columns`; NULL: dense */
    const uint32_t *columns; /* the columns that are not zero; NULL: dense */
    const float *values;     /* the values; NULL: sparse features that are all 1 */
} dgm_graph_features;
DGM_API dgm_graph_features dgm_graph_get_features(const dgm_graph *graph);

/* Attributes of nodes. Each has a name and one value per node: a number, NaN if it is missing, or a
 * text, NULL if it is missing. */
typedef enum dgm_attribute_kind { DGM_ATTRIBUTE_NUMBER, DGM_ATTRIBUTE_TEXT } dgm_attribute_kind;
typedef struct dgm_attribute {
    const char *name;
    dgm_attribute_kind kind;
    const double *numbers;    /* the values of an attribute of kind NUMBER */
    const char *const *texts; /* the values of an attribute of kind TEXT */
} dgm_attribute;
DGM_API int64_t dgm_graph_attributes(const dgm_graph *graph); /* the number of attributes */
DGM_API dgm_attribute dgm_graph_attribute(const dgm_graph *graph, int64_t index);
/* Returns the index of the attribute of that name, or -1. */
DGM_API int64_t dgm_graph_attribute_find(const dgm_graph *graph, const char *name);
/* Makes a copy of the graph with one more attribute, which the caller frees. The attribute has a
 * value per node and is copied; it stands in place of one that has the same name. */
DGM_API dgm_status dgm_graph_with_attribute(dgm_context *ctx, const dgm_graph *graph,
                                            const dgm_attribute *attribute, dgm_graph **out);

/* ---- making a graph ---- */

/* Makes a builder. It keeps the context and uses it in all its calls. If `options` is NULL, they
 * have their defaults. */
DGM_API dgm_status dgm_graph_builder_create(dgm_context *ctx, const dgm_graph_options *options,
                                            dgm_graph_builder **out);
DGM_API void dgm_graph_builder_free(dgm_graph_builder *builder); /* NULL is fine */

/* Adds `count` edges; edge i goes from ends[2i] to ends[2i + 1]. All nodes up to the highest number
 * exist then. If `weights` is NULL, the weights are 1. The graph has weights if one of the calls
 * brought some. A weight that is not finite is DGM_ERROR_DATA. */
DGM_API dgm_status dgm_graph_builder_add(dgm_graph_builder *builder, int64_t count,
                                         const uint32_t *ends, const double *weights);
/* Adds the edges of sparse rows, which are copied: row u holds the targets of u, in any order, with
 * repeats and loops, as SciPy's CSR has them. The nodes are at least those of the rows. Each entry
 * is one edge as given, just as if dgm_graph_builder_add had got the pairs of ends row by row, and
 * the graph is the same to the last byte; but rows that are sorted already are not sorted again.
 * Whether directions are kept is said by the options, as for every reader, and not by
 * rows->directed. An undirected graph may be given with both directions of each edge or with one of
 * them, as an upper triangle has it: a direction that is missing is added, and one that is there
 * counts as a repeat and adds no weight.
 * DGM_ERROR_DATA: the offsets do not rise from 0 to the number of entries, a target is no node of
 * the rows, or a weight is not finite. */
DGM_API dgm_status dgm_graph_builder_add_rows(dgm_graph_builder *builder,
                                              const dgm_graph_rows *rows);
/* Finds the node of that name, and makes it if it is new. A graph has names for all of its nodes or
 * for none: dgm_graph_builder_finish fails if some have no name. */
DGM_API dgm_status dgm_graph_builder_node(dgm_graph_builder *builder, const char *name,
                                          size_t length, uint32_t *node);
/* Says that the graph has at least this many nodes. */
DGM_API dgm_status dgm_graph_builder_reserve_nodes(dgm_graph_builder *builder, int64_t nodes);
/* Sets the name of node 0 in a graph whose names are numbers; it is 0 unless it is set. The names
 * of all nodes must be numbers from 0 to 2^63 - 1: dgm_graph_builder_finish fails if the base is
 * negative or above INT64_MAX - DGM_MAX_NODES. */
DGM_API void dgm_graph_builder_set_name_base(dgm_graph_builder *builder, int64_t base);
/* Says where the data comes from, in words for people. The text is copied. */
DGM_API dgm_status dgm_graph_builder_set_source(dgm_graph_builder *builder, const char *source);

/* The next calls say more about the nodes. They copy what they are given. `count` must be the
 * number of nodes of the finished graph; dgm_graph_builder_finish checks this and fails with
 * DGM_ERROR_DATA. Offsets of features that do not rise from 0, columns beyond the width and splits
 * that are none are DGM_ERROR_DATA at once. Columns that do not ascend in a row, or values that are
 * not finite, are an error of the networks that read them. */

/* Each label is the number of a class, or -1. Not every number must occur. The class of number c is
 * called names[c] in the second call. */
DGM_API dgm_status dgm_graph_builder_set_labels(dgm_graph_builder *builder, int64_t count,
                                                const int32_t *labels);
DGM_API dgm_status dgm_graph_builder_set_class_names(dgm_graph_builder *builder, int32_t count,
                                                     const char *const *names);
/* The same for classes whose numbers are high or far apart: the class of number numbers[i] is called
 * names[i]. The numbers must ascend, DGM_ERROR_DATA otherwise; those between them have an empty
 * name. The memory does not depend on the highest. */
DGM_API dgm_status dgm_graph_builder_name_classes(dgm_graph_builder *builder, int32_t count,
                                                  const int32_t *numbers, const char *const *names);
DGM_API dgm_status dgm_graph_builder_set_splits(dgm_graph_builder *builder, int64_t count,
                                                const uint8_t *splits);
DGM_API dgm_status dgm_graph_builder_set_features(dgm_graph_builder *builder, int64_t count,
                                                  const dgm_graph_features *features);
DGM_API dgm_status dgm_graph_builder_add_numbers(dgm_graph_builder *builder, const char *name,
                                                 int64_t count, const double *values);
DGM_API dgm_status dgm_graph_builder_add_texts(dgm_graph_builder *builder, const char *name,
                                               int64_t count, const char *const *values);

/* Returns the number of nodes so far. */
DGM_API int64_t dgm_graph_builder_nodes(const dgm_graph_builder *builder);

/* Makes the graph, which the caller frees, and frees the builder. It frees the builder on failure
 * as well. */
DGM_API dgm_status dgm_graph_builder_finish(dgm_graph_builder *builder, dgm_graph **out);

/* A graph of sparse rows and nothing else: a builder, dgm_graph_builder_add_rows, and finish.
 * Names, labels, features and splits are the builder's to take. options NULL: defaults. */
DGM_API dgm_status dgm_graph_from_rows(dgm_context *ctx, const dgm_graph_rows *rows,
                                       const dgm_graph_options *options, dgm_graph **out);

/* Makes the subgraph of some nodes, which the caller frees: the edges between them, and all that is
 * known of them. Node i of it is nodes[i], and has the name that it had, also where names were
 * numbers; its source says that it is a part: "cora (432 of 2708 nodes)". DGM_ERROR_USAGE if a node does not exist or is named twice. */
DGM_API dgm_status dgm_graph_induced(dgm_context *ctx, const dgm_graph *graph,
                                     const uint32_t *nodes, int64_t count, dgm_graph **out);

/* ---- what chance gives: the same graph with its edges, or its features, elsewhere ---- */

/* Makes a graph with the same nodes and the same number of edges at each of them, whose edges are
 * otherwise drawn at random; the caller frees it. In a directed graph every node keeps the number of
 * its edges in and out, but not how many of them go both ways. There are no new loops and no
 * repeats, and loops that the graph has stay where they are. Each weight stays with an edge. All
 * that is known of the nodes is kept: names, labels, features, splits and attributes. The two sides
 * of a bipartite graph are not kept apart.
 *
 * A seed gives the same graph on every machine, for any number of threads. A graph that is nearly
 * the only one of its degrees, such as a star or a complete graph, changes little or not at all. */
DGM_API dgm_status dgm_graph_rewire(dgm_context *ctx, const dgm_graph *graph, int64_t seed,
                                    dgm_graph **out);

/* Makes a copy of the graph whose rows of features are dealt out to the nodes at random; the caller
 * frees it. A graph without features is copied as it is. */
DGM_API dgm_status dgm_graph_shuffle_features(dgm_context *ctx, const dgm_graph *graph,
                                              int64_t seed, dgm_graph **out);

/* ---- connected components ---- */

/* Finds the connected components, those of a directed graph without regard to directions. *count is
 * their number, and component[u] is that of node u. They are numbered from 0 in the order of their
 * first nodes. `component` has room for one entry per node, or is NULL. */
DGM_API dgm_status dgm_graph_components(dgm_context *ctx, const dgm_graph *graph,
                                        uint32_t *component, int64_t *count);

/* ---- generators: a seed gives the same graph on every machine ---- */

typedef enum dgm_generator {
    DGM_GENERATE_SPAM,   /* the paper's graph of spammers, with features, labels, weights, split */
    DGM_GENERATE_KARATE, /* Zachary's karate club of 34 nodes, with its two sides as labels */
    DGM_GENERATE_SBM,    /* a stochastic block model of `blocks` equal blocks, which are labels */
    DGM_GENERATE_RMAT,   /* a recursive matrix with a, b, c, d = 0.57, 0.19, 0.19, 0.05 */
    DGM_GENERATE_BA,     /* Barabasi and Albert's preferential attachment */
    DGM_GENERATE_WS,     /* Watts and Strogatz's small world: a ring with some edges rewired */
    DGM_GENERATE_GRID,   /* a square lattice, with the attributes x and y */
    DGM_GENERATE_PAPERS, /* citations in six fields, with sparse features, labels, years, split */
} dgm_generator;

typedef struct dgm_generate_options {
    size_t size;    /* the size of this struct, filled in by the initialiser */
    int kind;       /* a dgm_generator */
    int64_t nodes;  /* the number of nodes; 1000 by default */
    int64_t edges;  /* about how many edges, before repeats are merged; 0, the default: five per
                       node, or two per node for PAPERS */
    int64_t blocks; /* SBM: the number of blocks; 4 by default */
    double inside;  /* SBM, PAPERS: the share of edges inside a block or field; 0.9 by default */
    double rewire;  /* WS: the chance that an edge is rewired; 0.1 by default */
    int64_t seed;   /* the seed of the random draws; 1 by default */
} dgm_generate_options;
#define DGM_GENERATE_OPTIONS_INIT                                                                  \
    { sizeof(dgm_generate_options), DGM_GENERATE_SPAM, 1000, 0, 4, 0.9, 0.1, 1 }
static inline void dgm_generate_options_init(dgm_generate_options *options) {
    const dgm_generate_options defaults = DGM_GENERATE_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_generate_option_table(void);
/* Returns "spam", "karate", ... in the order of the enum, then NULL. */
DGM_API const char *const *dgm_generator_names(void);
/* Makes a graph, which the caller frees. Options that are NULL have their defaults. */
DGM_API dgm_status dgm_graph_generate(dgm_context *ctx, const dgm_generate_options *options,
                                      const dgm_graph_options *graph_options, dgm_graph **out);

#endif
