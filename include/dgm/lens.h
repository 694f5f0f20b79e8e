/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses: functions from the nodes to R^d. */
#ifndef DGM_LENS_H
#define DGM_LENS_H

#include <math.h>

#include "dgm/graph.h"
#include "dgm/matrix.h"
#include "dgm/neural.h"
#include "dgm/predictions.h"

typedef struct dgm_pagerank_options {
    size_t size;        /* of the struct, filled in by its initialiser */
    double alpha;       /* chance of following an edge, 0.85 */
    double tolerance;   /* stop when the L1 change of a step is below this: 1e-10 */
    int64_t iterations; /* at most this many: 1000 */
    bool weighted;      /* follow edges in proportion to their weights */
    const char *seeds;  /* "a;b;c": walks restart at these nodes; NULL: anywhere */
} dgm_pagerank_options;
#define DGM_PAGERANK_OPTIONS_INIT                                                                  \
    { sizeof(dgm_pagerank_options), 0.85, 1e-10, 1000, false, NULL }
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
    size_t size;     /* of the struct, filled in by its initialiser */
    bool weighted;   /* weights, all positive, are lengths of edges */
    bool normalised; /* divide by the number of (ordered, if directed) pairs of other nodes */
    int64_t budget;  /* graphs of more nodes are sampled: 20,000 */
    int64_t samples; /* sources drawn then, without replacement: 512 */
    int64_t seed;    /* of the sample: 1 */
} dgm_betweenness_options;
#define DGM_BETWEENNESS_OPTIONS_INIT                                                               \
    { sizeof(dgm_betweenness_options), false, true, 20000, 512, 1 }
DGM_API void dgm_betweenness_options_init(dgm_betweenness_options *options);
DGM_API const dgm_option_table *dgm_betweenness_option_table(void);
/* The share of shortest paths between other nodes that pass the node, summed over the pairs of
 * other nodes; follows directions of a directed graph. Sampled, the column's error is the largest
 * standard error of a node, and a note says it with the 95% interval that holds for all nodes at
 * once. */
DGM_API dgm_status dgm_lens_betweenness(dgm_context *ctx, const dgm_graph *graph,
                                        const dgm_betweenness_options *options, dgm_matrix **out);

typedef struct dgm_random_options {
    size_t size;  /* of the struct, filled in by its initialiser */
    int64_t seed; /* 1 */
} dgm_random_options;
#define DGM_RANDOM_OPTIONS_INIT                                                                    \
    { sizeof(dgm_random_options), 1 }
DGM_API void dgm_random_options_init(dgm_random_options *options);
DGM_API const dgm_option_table *dgm_random_option_table(void);
/* The control: uniform in [0, 1), whatever the graph. */
DGM_API dgm_status dgm_lens_random(dgm_context *ctx, const dgm_graph *graph,
                                   const dgm_random_options *options, dgm_matrix **out);

/* Which distances count in a directed graph. */
typedef enum dgm_direction {
    DGM_DIRECTION_USUAL, /* in for closeness and harmonic (as in NetworkX), out for the others */
    DGM_DIRECTION_IN,    /* to the node */
    DGM_DIRECTION_OUT,   /* from the node */
    DGM_DIRECTION_BOTH,  /* along edges taken as undirected */
} dgm_direction;

typedef struct dgm_density_options {
    size_t size;    /* of the struct, filled in by its initialiser */
    double delta;   /* a node at distance d counts exp(-d / delta); 0: 1, unless epsilon is given */
    double epsilon; /* or exp(-d^2 / epsilon); 0: not given. Both are an error. */
    double cutoff;  /* nodes farther than this do not count: INFINITY */
    bool weighted;  /* weights, all above 0, are lengths of edges */
    int64_t budget; /* graphs of more nodes are sampled: 200,000 */
    int64_t samples; /* 0: 1024 beyond the budget. Others, 16 or more, also below it: so many
                        sources of each component that has more nodes, drawn without replacement */
    int64_t seed;    /* of the sample: 1 */
    int direction;   /* dgm_direction */
} dgm_density_options;
#define DGM_DENSITY_OPTIONS_INIT                                                                   \
    { sizeof(dgm_density_options), 0, 0, INFINITY, false, 200000, 0, 1, DGM_DIRECTION_USUAL }
DGM_API void dgm_density_options_init(dgm_density_options *options);
DGM_API const dgm_option_table *dgm_density_option_table(void);
/* Density: the sum over all nodes, the node itself included, of a kernel of their distance; nodes
 * out of reach count 0. Distances are those from the node, unless a direction is given. Sampled,
 * the column's error is the largest standard error of a node, and a note says it with the 95%
 * interval that holds for all nodes at once. */
DGM_API dgm_status dgm_lens_density(dgm_context *ctx, const dgm_graph *graph,
                                    const dgm_density_options *options, dgm_matrix **out);

typedef struct dgm_distance_options {
    size_t size;     /* of the struct, filled in by its initialiser */
    bool weighted;   /* weights, all above 0, are lengths of edges */
    int64_t budget;  /* as in dgm_density_options */
    int64_t samples; /* likewise */
    int64_t seed;    /* of the sample: 1 */
    int direction;   /* dgm_direction */
} dgm_distance_options;
#define DGM_DISTANCE_OPTIONS_INIT                                                                  \
    { sizeof(dgm_distance_options), false, 200000, 0, 1, DGM_DIRECTION_USUAL }
DGM_API void dgm_distance_options_init(dgm_distance_options *options);
DGM_API const dgm_option_table *dgm_distance_option_table(void);

/* With R other nodes in reach, D the sum of their distances, N nodes in all. Sampled as density.
 * The directions named below are the usual ones. */

/* Average geodesic distance, (D / R) (N - 1) / R, so that small components do not look central;
 * nodes that reach none get the largest value of the others. Distances from the node. */
DGM_API dgm_status dgm_lens_agd(dgm_context *ctx, const dgm_graph *graph,
                                const dgm_distance_options *options, dgm_matrix **out);
/* (R / D) R / (N - 1); 0 where R = 0. Distances to the node. */
DGM_API dgm_status dgm_lens_closeness(dgm_context *ctx, const dgm_graph *graph,
                                      const dgm_distance_options *options, dgm_matrix **out);
/* Sum of 1 / d. Distances to the node. */
DGM_API dgm_status dgm_lens_harmonic(dgm_context *ctx, const dgm_graph *graph,
                                     const dgm_distance_options *options, dgm_matrix **out);
/* The largest distance from the node to one in reach; 0 where there is none. Sampled, it is a lower
 * bound, the column's error is what it may lack at most, and the graph must be undirected. */
DGM_API dgm_status dgm_lens_eccentricity(dgm_context *ctx, const dgm_graph *graph,
                                         const dgm_distance_options *options, dgm_matrix **out);

/* The class of each node; an unlabelled node is an error that says so. */
DGM_API dgm_status dgm_lens_labels(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);
/* A numeric node attribute. */
DGM_API dgm_status dgm_lens_attribute(dgm_context *ctx, const dgm_graph *graph, const char *name,
                                      dgm_matrix **out);

typedef enum dgm_laplacian_kind {
    DGM_LAPLACIAN_SYM,   /* I - D^-1/2 A D^-1/2 */
    DGM_LAPLACIAN_RW,    /* I - D^-1 A */
    DGM_LAPLACIAN_PLAIN, /* D - A */
} dgm_laplacian_kind;
typedef enum dgm_eigen_outside {
    DGM_OUTSIDE_CONSTANT, /* 0 */
    DGM_OUTSIDE_OWN,      /* eigenvectors of each component; 0 in those of k nodes or fewer */
} dgm_eigen_outside;
#define DGM_EIGEN_MOST 64
typedef struct dgm_eigen_options {
    size_t size;        /* of the struct, filled in by its initialiser */
    int64_t k;          /* eigenvectors: 1; at most DGM_EIGEN_MOST */
    int laplacian;      /* dgm_laplacian_kind */
    int outside;        /* dgm_eigen_outside: what nodes outside the largest component get */
    bool weighted;      /* edges count by their weights */
    double tolerance;   /* stop at residuals below this share of the eigenvalue: 1e-8 */
    int64_t iterations; /* at most this many steps: 5000 */
    int64_t seed;       /* of the starting vectors: 1 */
} dgm_eigen_options;
#define DGM_EIGEN_OPTIONS_INIT                                                                     \
    { sizeof(dgm_eigen_options), 1, DGM_LAPLACIAN_SYM, DGM_OUTSIDE_CONSTANT, false, 1e-8, 5000, 1 }
DGM_API void dgm_eigen_options_init(dgm_eigen_options *options);
DGM_API const dgm_option_table *dgm_eigen_option_table(void);

/* The eigenvectors 2 .. k + 1 of the Laplacian of the underlying undirected graph, eigenvalues
 * ascending; the first is the Fiedler vector. Of unit length on the largest component, the entry of
 * largest size positive; other components' own vectors have the same mean square. */
DGM_API dgm_status dgm_lens_eigen(dgm_context *ctx, const dgm_graph *graph,
                                  const dgm_eigen_options *options, dgm_matrix **out);

/* ---- what a lens gives ---- */

/* The axes of one or more lenses, and what a network among them gives besides. */
typedef struct dgm_lens_result dgm_lens_result;
DGM_API void dgm_lens_result_free(dgm_lens_result *result); /* NULL is fine */

/* The values, one row per node; NULL once they were taken. Borrowed. */
DGM_API const dgm_matrix *dgm_lens_result_axes(const dgm_lens_result *result);
/* What a classifier says of the nodes; NULL: there is none. Of several classifiers side by side it
 * is the last. Borrowed. */
DGM_API const dgm_predictions *dgm_lens_result_predictions(const dgm_lens_result *result);
/* How the training of a network went; NULL: none was trained. Of several it is the last. Borrowed.
 */
DGM_API const dgm_training_report *dgm_lens_result_report(const dgm_lens_result *result);
/* The axes and the predictions for the caller to keep and to free; the result has none of them
 * afterwards. */
DGM_API dgm_matrix *dgm_lens_result_take_axes(dgm_lens_result *result);
DGM_API dgm_predictions *dgm_lens_result_take_predictions(dgm_lens_result *result);

/* A network that is trained on the graph, and its answer for every node. A note says how well it
 * did. */
DGM_API dgm_status dgm_lens_gcn(dgm_context *ctx, const dgm_graph *graph,
                                const dgm_gcn_options *options, dgm_lens_result **out);
DGM_API dgm_status dgm_lens_dgi(dgm_context *ctx, const dgm_graph *graph,
                                const dgm_dgi_options *options, dgm_lens_result **out);

/* ---- lenses by name ---- */

typedef struct dgm_lens_options {
    size_t size;       /* of the struct, filled in by its initialiser */
    const char *model; /* a file with a trained network, by which gcn and dgi answer; NULL: they are
                          trained on the graph */
    int64_t seed;      /* of lenses that draw random numbers and are given no other: 1 */
    bool predict;      /* keep what a classifier says of the nodes; it is then an error if its
                          outputs do not fit the graph's classes: true */
} dgm_lens_options;
#define DGM_LENS_OPTIONS_INIT                                                                      \
    { sizeof(dgm_lens_options), NULL, 1, true }
DGM_API void dgm_lens_options_init(dgm_lens_options *options);

/* Lenses by their specifications, "NAME" or "NAME:key=value,..." or "attr:NAME", with their columns
 * side by side. options NULL: defaults. Unknown names and keys are DGM_ERROR_USAGE with the known
 * ones and the nearest. */
DGM_API dgm_status dgm_lens_run(dgm_context *ctx, const dgm_graph *graph,
                                const char *const *specifications, int count,
                                const dgm_lens_options *options, dgm_lens_result **out);
/* Checks name, keys and values without a graph. */
DGM_API dgm_status dgm_lens_check(dgm_context *ctx, const char *specification);
/* Checks that a model, where it is not NULL, is of use to one of the lenses. */
DGM_API dgm_status dgm_lens_check_model(dgm_context *ctx, const char *const *specifications,
                                        int count, const char *model);

/* ---- transforms: what is done to an axis before it is cut into cells ---- */

typedef enum dgm_transform {
    DGM_TRANSFORM_NONE,
    DGM_TRANSFORM_LOG,    /* ln x; if the least value is 0, ln(1 + x / m), noted, where m is the
                             smallest positive value, and zeros stay 0 where there is none; a
                             negative value is an error that names the node */
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

/* What is special about a lens. */
enum {
    DGM_LENS_NETWORK = 1 << 0,      /* a network, trained on the graph or read from a file */
    DGM_LENS_CLASSIFIES = 1 << 1,   /* its columns are scores of classes */
    DGM_LENS_NEEDS_LABELS = 1 << 2, /* it has nothing to say of a graph without labels */
    DGM_LENS_NEEDS_NAME = 1 << 3,   /* what follows its ':' is a name and not keys */
    DGM_LENS_VARIES = 1 << 4,       /* its last digits depend on the processor */
};

/* A known lens. */
typedef struct dgm_lens_kind {
    const char *name;
    const char *help;                /* one line */
    const dgm_option_table *options; /* keys, or NULL */
    unsigned flags;                  /* DGM_LENS_... */
    dgm_model_kind model;            /* of a network */
} dgm_lens_kind;
/* The lenses in the order of help, from 0; NULL after the last. */
DGM_API const dgm_lens_kind *dgm_lens_kind_at(size_t index);
/* The lens of a specification, whatever its keys; NULL: there is none of that name. */
DGM_API const dgm_lens_kind *dgm_lens_find(const char *specification);

#endif
