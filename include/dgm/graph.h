/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs in compressed sparse rows, with names, weights, attributes, labels, features and splits.
 *
 * Undirected graphs store every edge in both rows (a self-loop once); directed graphs store
 * out-edges. Rows are sorted by target and hold no repeats. Node ids are 32-bit (at most
 * DGM_MAX_NODES nodes), offsets 64-bit. A finished graph never changes: everything after the
 * builder takes it as const, and many threads may work on one graph, each with a context of its
 * own. What a lens or a network finds out about the nodes is an object beside the graph
 * (dgm_lens_result, dgm_predictions).
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

/* How a graph is put together; shared by every reader and generator. */
typedef struct dgm_graph_options {
    size_t size;     /* of the struct, filled in by its initialiser */
    bool directed;   /* keep directions */
    bool keep_loops; /* keep self-loops */
    int64_t nodes;   /* at least this many nodes; 0: as many as the data says */
    int ids;         /* dgm_ids: what a numeric id in a text file is */
} dgm_graph_options;

typedef enum dgm_ids {
    DGM_IDS_NUMBER, /* ids that are all whole numbers count nodes from 0; others are names */
    DGM_IDS_NAME,   /* every id is a name: only nodes that occur exist */
} dgm_ids;

#define DGM_GRAPH_OPTIONS_INIT                                                                     \
    { sizeof(dgm_graph_options), false, false, 0, DGM_IDS_NUMBER }
DGM_API void dgm_graph_options_init(dgm_graph_options *options);
DGM_API const dgm_option_table *dgm_graph_option_table(void);

/* ---- looking at a graph: everything returned is borrowed from it ---- */

/* The sparse rows. Row u is targets[offsets[u] .. offsets[u + 1]). */
typedef struct dgm_graph_rows {
    int64_t nodes;
    int64_t entries;         /* offsets[nodes] */
    const int64_t *offsets;  /* nodes + 1 */
    const uint32_t *targets; /* entries */
    const double *weights;   /* entries, or NULL if every edge weighs 1 */
    bool directed;
} dgm_graph_rows;

/* What was met while the graph was built. */
typedef struct dgm_graph_counts {
    int64_t edges;   /* undirected edges, or arcs of a directed graph; loops included if kept */
    int64_t records; /* edges as given */
    int64_t loops_dropped;  /* self-loops left out */
    int64_t loops_kept;     /* self-loops among the edges */
    int64_t repeats_merged; /* records that repeat an edge: the same ordered pair again, or its
                               reverse */
    int64_t uneven_weights; /* undirected edges given in both directions with different weights:
                               larger kept */
} dgm_graph_counts;

DGM_API void dgm_graph_free(dgm_graph *graph); /* NULL is fine */
DGM_API int64_t dgm_graph_nodes(const dgm_graph *graph);
DGM_API int64_t dgm_graph_edges(const dgm_graph *graph);
DGM_API dgm_graph_rows dgm_graph_get_rows(const dgm_graph *graph);
DGM_API dgm_graph_counts dgm_graph_get_counts(const dgm_graph *graph);

/* Writes the node's name into buffer (at most size bytes, always terminated) and returns the length
 * it needs. */
DGM_API size_t dgm_graph_name(const dgm_graph *graph, int64_t node, char *buffer, size_t size);
/* The name without copying: NULL where names are numbers; *length may be NULL. */
DGM_API const char *dgm_graph_name_text(const dgm_graph *graph, int64_t node, size_t *length);
/* First number of numeric names (0 or 1), or -1 if the graph has names of its own. */
DGM_API int64_t dgm_graph_name_base(const dgm_graph *graph);
/* From names to nodes: built in O(n), asked in O(1); find returns -1 for an unknown name. It
 * borrows the graph. */
typedef struct dgm_graph_index dgm_graph_index;
DGM_API dgm_status dgm_graph_index_create(dgm_context *ctx, const dgm_graph *graph,
                                          dgm_graph_index **out);
DGM_API int64_t dgm_graph_index_find(const dgm_graph_index *index, const char *name, size_t length);
DGM_API void dgm_graph_index_free(dgm_graph_index *index);

/* Where the graph came from, for people ("cora", "edges.tsv"); "" if unknown. */
DGM_API const char *dgm_graph_source(const dgm_graph *graph);

/* Labels: the class of each node, -1 where it has none; NULL if no node has one. The classes are
 * those that occur, counted from 0 in the order of the numbers that the data gives them: labels 3,
 * 7 and 8 are the classes 0, 1 and 2. */
DGM_API const int32_t *dgm_graph_labels(const dgm_graph *graph);
DGM_API int32_t dgm_graph_classes(const dgm_graph *graph); /* how many there are */
/* The number that the data gives the class; -1 for -1. */
DGM_API int32_t dgm_graph_class_number(const dgm_graph *graph, int32_t label);
/* Its name; NULL where classes have none. */
DGM_API const char *dgm_graph_class_name(const dgm_graph *graph, int32_t label);
/* What people call it: its name, or the number, which is written into buffer (12 bytes hold any).
 */
DGM_API const char *dgm_graph_class_text(const dgm_graph *graph, int32_t label, char *buffer,
                                         size_t size);

/* A copy of the graph with other labels, one for each node: numbers of classes, which may leave
 * some out, or -1. Number c is called names[c]; name_count may be 0. The graph itself stays as it
 * is. */
DGM_API dgm_status dgm_graph_with_labels(dgm_context *ctx, const dgm_graph *graph,
                                         const int32_t *labels, int32_t name_count,
                                         const char *const *names, dgm_graph **out);

typedef enum dgm_split {
    DGM_SPLIT_NONE = 0,
    DGM_SPLIT_TRAIN = 1,
    DGM_SPLIT_VALIDATION = 2,
    DGM_SPLIT_TEST = 3,
} dgm_split;
#define DGM_SPLITS 4
DGM_API const uint8_t *dgm_graph_splits(const dgm_graph *graph); /* one dgm_split a node, or NULL */

/* Features, one row a node. Sparse: columns != NULL; dense: row u is values[u * width ..]. */
typedef struct dgm_graph_features {
    int64_t width;           /* 0: the graph has no features */
    const int64_t *offsets;  /* nodes + 1; NULL if dense */
    const uint32_t *columns; /* NULL if dense */
    const float *values;     /* NULL: ones (sparse pattern) */
} dgm_graph_features;
DGM_API dgm_graph_features dgm_graph_get_features(const dgm_graph *graph);

/* Node attributes: typed columns. A missing number is NaN, a missing text is NULL. */
typedef enum dgm_attribute_kind { DGM_ATTRIBUTE_NUMBER, DGM_ATTRIBUTE_TEXT } dgm_attribute_kind;
typedef struct dgm_attribute {
    const char *name;
    dgm_attribute_kind kind;
    const double *numbers;    /* NUMBER */
    const char *const *texts; /* TEXT */
} dgm_attribute;
DGM_API int64_t dgm_graph_attributes(const dgm_graph *graph);
DGM_API dgm_attribute dgm_graph_attribute(const dgm_graph *graph, int64_t index);
/* The attribute's index, or -1. */
DGM_API int64_t dgm_graph_attribute_find(const dgm_graph *graph, const char *name);

/* ---- making a graph ---- */

/* options NULL: defaults. */
DGM_API dgm_status dgm_graph_builder_create(dgm_context *ctx, const dgm_graph_options *options,
                                            dgm_graph_builder **out);
DGM_API void dgm_graph_builder_free(dgm_graph_builder *builder); /* NULL is fine */

/* Adds `count` edges: ends[2i] -> ends[2i + 1]. weights may be NULL: ones. A graph is weighted as
 * soon as one call brought weights. Nodes up to the highest id exist. */
DGM_API dgm_status dgm_graph_builder_add(dgm_graph_builder *builder, int64_t count,
                                         const uint32_t *ends, const double *weights);
/* The node of that name, made if it is new. Names and bare numbers do not mix in one graph. */
DGM_API dgm_status dgm_graph_builder_node(dgm_graph_builder *builder, const char *name,
                                          size_t length, uint32_t *node);
/* At least this many nodes. */
DGM_API dgm_status dgm_graph_builder_reserve_nodes(dgm_graph_builder *builder, int64_t nodes);
/* Numeric names start at `base` (default 0). */
DGM_API void dgm_graph_builder_set_name_base(dgm_graph_builder *builder, int64_t base);
/* Where the data comes from, for people. */
DGM_API dgm_status dgm_graph_builder_set_source(dgm_graph_builder *builder, const char *source);

/* What follows is copied; counts must match the number of nodes at finish (checked there,
 * DGM_ERROR_DATA). */
/* Labels are numbers of classes, which may leave some out, or -1; number c is called names[c]. */
DGM_API dgm_status dgm_graph_builder_set_labels(dgm_graph_builder *builder, int64_t count,
                                                const int32_t *labels);
DGM_API dgm_status dgm_graph_builder_set_class_names(dgm_graph_builder *builder, int32_t count,
                                                     const char *const *names);
DGM_API dgm_status dgm_graph_builder_set_splits(dgm_graph_builder *builder, int64_t count,
                                                const uint8_t *splits);
DGM_API dgm_status dgm_graph_builder_set_features(dgm_graph_builder *builder, int64_t count,
                                                  const dgm_graph_features *features);
DGM_API dgm_status dgm_graph_builder_add_numbers(dgm_graph_builder *builder, const char *name,
                                                 int64_t count, const double *values);
DGM_API dgm_status dgm_graph_builder_add_texts(dgm_graph_builder *builder, const char *name,
                                               int64_t count, const char *const *values);

/* Nodes so far. */
DGM_API int64_t dgm_graph_builder_nodes(const dgm_graph_builder *builder);

/* Turns the builder into a graph and frees the builder, also on failure. */
DGM_API dgm_status dgm_graph_builder_finish(dgm_graph_builder *builder, dgm_graph **out);

/* ---- what a graph is made of ---- */

/* Connected components (weak ones of a directed graph): component[u] in 0 .. *count - 1, numbered
 * by smallest member. `component` holds one entry a node, or is NULL. */
DGM_API dgm_status dgm_graph_components(dgm_context *ctx, const dgm_graph *graph,
                                        uint32_t *component, int64_t *count);

/* ---- generators (seeded; the same bytes everywhere) ---- */

typedef enum dgm_generator {
    DGM_GENERATE_SPAM,   /* the paper's spammer graph: features, labels, weights, split */
    DGM_GENERATE_KARATE, /* Zachary's karate club, 34 nodes, the two sides as labels */
    DGM_GENERATE_SBM,    /* stochastic block model, `blocks` equal blocks as labels */
    DGM_GENERATE_RMAT,   /* recursive matrix, a b c d = 0.57 0.19 0.19 0.05 */
    DGM_GENERATE_BA,     /* preferential attachment */
    DGM_GENERATE_WS,   /* small world: ring lattice, each edge rewired with probability `rewire` */
    DGM_GENERATE_GRID, /* nodes on a square lattice, attributes x and y */
    DGM_GENERATE_PAPERS, /* citations in six fields: sparse features, labels, years, split */
} dgm_generator;

typedef struct dgm_generate_options {
    size_t size;    /* of the struct, filled in by its initialiser */
    int kind;       /* dgm_generator */
    int64_t nodes;  /* 1000 */
    int64_t edges;  /* about this many before repeats are merged; 0: five a node, of papers two */
    int64_t blocks; /* sbm: 4 */
    double inside;  /* sbm, papers: the share of edges inside a block or a field, 0.9 */
    double rewire;  /* ws: 0.1 */
    int64_t seed;   /* 1 */
} dgm_generate_options;
#define DGM_GENERATE_OPTIONS_INIT                                                                  \
    { sizeof(dgm_generate_options), DGM_GENERATE_SPAM, 1000, 0, 4, 0.9, 0.1, 1 }
DGM_API void dgm_generate_options_init(dgm_generate_options *options);
DGM_API const dgm_option_table *dgm_generate_option_table(void);
/* "spam", "karate", ..., NULL-terminated, in the order of the enum. */
DGM_API const char *const *dgm_generator_names(void);
/* Both options may be NULL: defaults. */
DGM_API dgm_status dgm_graph_generate(dgm_context *ctx, const dgm_generate_options *options,
                                      const dgm_graph_options *graph_options, dgm_graph **out);

#endif
