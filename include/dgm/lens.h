/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses: functions from the nodes to R^d. */
#ifndef DGM_LENS_H
#define DGM_LENS_H

#include "dgm/graph.h"
#include "dgm/matrix.h"

typedef struct dgm_pagerank_options {
    double alpha;       /* chance of following an edge, 0.85 */
    double tolerance;   /* stop when the L1 change of a step is below this: 1e-10 */
    int64_t iterations; /* at most this many: 1000 */
    bool weighted;      /* follow edges in proportion to their weights */
    const char *seeds;  /* "a;b;c": walks restart at these nodes; NULL: anywhere */
} dgm_pagerank_options;
#define DGM_PAGERANK_OPTIONS_INIT                                                                  \
    { 0.85, 1e-10, 1000, false, NULL }
DGM_API void dgm_pagerank_options_init(dgm_pagerank_options *options);
DGM_API const dgm_option_table *dgm_pagerank_option_table(void);

/* PageRank, summing to 1; dangling nodes spread uniformly; follows directions of a directed graph.
 */
DGM_API dgm_status dgm_lens_pagerank(dgm_context *ctx, const dgm_graph *graph,
                                     const dgm_pagerank_options *options, dgm_matrix **out);
/* Number of neighbours (out-neighbours and in-neighbours of a directed graph), a kept loop counts
 * two. */
DGM_API dgm_status dgm_lens_degree(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);
/* Sum of the weights of a node's edges (out and in of a directed graph), a kept loop counts twice.
 */
DGM_API dgm_status dgm_lens_strength(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);

/* The next three see the undirected graph without loops: a directed graph's edges lose their
 * direction, and two edges between the same nodes are one. */

/* Core number: the largest k such that the node is in a part of the graph where all have at least k
 * neighbours. */
DGM_API dgm_status dgm_lens_core(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);
/* Triangles that the node is a corner of. */
DGM_API dgm_status dgm_lens_triangles(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);
/* The share of pairs of neighbours that are neighbours of each other; 0 where there is no pair. */
DGM_API dgm_status dgm_lens_clustering(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);

typedef struct dgm_betweenness_options {
    bool weighted;   /* weights, all positive, are lengths of edges */
    bool normalised; /* divide by the number of (ordered, if directed) pairs of other nodes */
    int64_t budget;  /* graphs of more nodes are sampled: 20,000 */
    int64_t samples; /* sources drawn then, without replacement: 512 */
    int64_t seed;    /* of the sample: 1 */
} dgm_betweenness_options;
#define DGM_BETWEENNESS_OPTIONS_INIT                                                               \
    { false, true, 20000, 512, 1 }
DGM_API void dgm_betweenness_options_init(dgm_betweenness_options *options);
DGM_API const dgm_option_table *dgm_betweenness_option_table(void);
/* The share of shortest paths between other nodes that pass the node, summed over the pairs of
 * other nodes; follows directions of a directed graph. Sampled, the column's error is the largest
 * standard error of a node, and a note says it with the 95% interval that holds for all nodes at
 * once. */
DGM_API dgm_status dgm_lens_betweenness(dgm_context *ctx, const dgm_graph *graph,
                                        const dgm_betweenness_options *options, dgm_matrix **out);

typedef struct dgm_random_options {
    int64_t seed; /* 1 */
} dgm_random_options;
#define DGM_RANDOM_OPTIONS_INIT                                                                    \
    { 1 }
DGM_API void dgm_random_options_init(dgm_random_options *options);
DGM_API const dgm_option_table *dgm_random_option_table(void);
/* The control: uniform in [0, 1), whatever the graph. */
DGM_API dgm_status dgm_lens_random(dgm_context *ctx, const dgm_graph *graph,
                                   const dgm_random_options *options, dgm_matrix **out);

/* The class of each node; an unlabelled node is an error that says so. */
DGM_API dgm_status dgm_lens_labels(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);
/* A numeric node attribute. */
DGM_API dgm_status dgm_lens_attribute(dgm_context *ctx, const dgm_graph *graph, const char *name,
                                      dgm_matrix **out);

/* A lens by its specification, "NAME" or "NAME:key=value,...", or "attr:NAME". `seed` is the
 * default of lenses that draw random numbers. Unknown names and keys are DGM_ERROR_USAGE with the
 * known ones and the nearest. */
DGM_API dgm_status dgm_lens_run(dgm_context *ctx, const dgm_graph *graph, const char *specification,
                                int64_t seed, dgm_matrix **out);
/* Several lenses, their columns side by side. */
DGM_API dgm_status dgm_lens_run_list(dgm_context *ctx, const dgm_graph *graph,
                                     const char *const *specifications, int count, int64_t seed,
                                     dgm_matrix **out);
/* Checks name, keys and values without a graph. */
DGM_API dgm_status dgm_lens_check(dgm_context *ctx, const char *specification);

/* ---- transforms: what is done to an axis before it is cut into cells ---- */

typedef enum dgm_transform {
    DGM_TRANSFORM_NONE,
    DGM_TRANSFORM_LOG,    /* ln x; ln(1 + x), noted, if the least value is 0; a negative value is
                             an error that names the node */
    DGM_TRANSFORM_RANK,   /* mid-ranks, scaled to [0, 1] */
    DGM_TRANSFORM_ZSCORE, /* (x - mean) / standard deviation; zeros if constant */
} dgm_transform;
/* "none", "log", ..., NULL-terminated, in the order of the enum. */
DGM_API const char *const *dgm_transform_names(void);

/* Transforms a column in place and keeps its name: dgm_matrix_column_transform says "log", "log1p",
 * "rank" or "zscore" then. `graph`, for names in errors, may be NULL. */
DGM_API dgm_status dgm_lens_transform(dgm_context *ctx, const dgm_graph *graph, dgm_matrix *lens,
                                      int64_t column, int kind);
/* One transform a column, the last of them for the columns left over; more than there are columns
 * is DGM_ERROR_USAGE. */
DGM_API dgm_status dgm_lens_transform_axes(dgm_context *ctx, const dgm_graph *graph,
                                           dgm_matrix *lens, const int *kinds, int count);
/* Reads "log" or "log,none,rank" and appends to `kinds`, which holds DGM_MAX_AXES and *count of
 * them already. */
DGM_API dgm_status dgm_transform_parse(dgm_context *ctx, const char *text, int *kinds, int *count);

/* The known lenses, for help and completion. */
typedef struct dgm_lens_kind {
    const char *name;
    const char *help;                /* one line */
    const dgm_option_table *options; /* keys, or NULL */
} dgm_lens_kind;
DGM_API const dgm_lens_kind *dgm_lens_kinds(size_t *count);

#endif
