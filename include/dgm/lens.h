/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses. A lens gives each node of a graph one or more real numbers, and Mapper groups nodes whose
 * numbers are close.
 *
 * Each of the functions dgm_lens_... makes a table with one row per node, which the caller frees.
 * dgm_lens_run finds lenses by their names. Options that are NULL have their defaults; these stand
 * behind the field, as in "by default 1".
 */
#ifndef DGM_LENS_H
#define DGM_LENS_H

#include <math.h>

#include "dgm/graph.h"
#include "dgm/matrix.h"
#include "dgm/neural.h"
#include "dgm/parts.h"
#include "dgm/predictions.h"

typedef struct dgm_pagerank_options {
    size_t size;        /* the size of this struct, filled in by the initialiser */
    double alpha;       /* the chance that the walk follows an edge; by default 0.85 */
    double tolerance;   /* the L1 change of a step below which it stops; by default 1e-10 */
    int64_t iterations; /* the largest number of steps; by default 1000 */
    bool weighted;      /* edges are followed in proportion to their weights */
    const char *seeds;  /* names of the nodes where walks restart, "a;b;c"; NULL: at any node */
} dgm_pagerank_options;
#define DGM_PAGERANK_OPTIONS_INIT                                                                  \
    { sizeof(dgm_pagerank_options), 0.85, 1e-10, 1000, false, NULL }
static inline void dgm_pagerank_options_init(dgm_pagerank_options *options) {
    const dgm_pagerank_options defaults = DGM_PAGERANK_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_pagerank_option_table(void);

/* PageRank. The values sum to 1. The walk follows the directions of a directed graph, and at a node
 * without out-edges it restarts. */
DGM_API dgm_status dgm_lens_pagerank(dgm_context *ctx, const dgm_graph *graph,
                                     const dgm_pagerank_options *options, dgm_matrix **out);
/* The degree: the number of a node's edges, in a directed graph of those out of it and into it. A
 * self-loop counts twice. */
DGM_API dgm_status dgm_lens_degree(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);
/* The strength: the sum of the weights of the same edges. A self-loop counts twice. */
DGM_API dgm_status dgm_lens_strength(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);

/* The next three take the graph as undirected and without self-loops: the edges of a directed graph
 * lose their direction, and two edges between the same nodes count as one. */

/* The core number: the largest k such that the node lies in a part of the graph in which every node
 * has at least k neighbours. */
DGM_API dgm_status dgm_lens_core(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);
/* The number of triangles that the node is a corner of. */
DGM_API dgm_status dgm_lens_triangles(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);
/* The clustering coefficient: the share of pairs of neighbours that are neighbours of each other.
 * It is 0 if there is no pair. */
DGM_API dgm_status dgm_lens_clustering(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);

typedef struct dgm_betweenness_options {
    size_t size;     /* the size of this struct, filled in by the initialiser */
    bool weighted;   /* weights are lengths of edges; all must be positive */
    bool normalised; /* divide by the number of pairs of other nodes, which are ordered pairs in a
                        directed graph; by default true */
    int64_t budget;  /* the number of nodes up to which all sources are used; by default 20,000 */
    int64_t samples; /* the number of sources that are drawn in a larger graph; by default 512 */
    int64_t seed;    /* the seed of that draw; by default 1 */
} dgm_betweenness_options;
#define DGM_BETWEENNESS_OPTIONS_INIT                                                               \
    { sizeof(dgm_betweenness_options), false, true, 20000, 512, 1 }
static inline void dgm_betweenness_options_init(dgm_betweenness_options *options) {
    const dgm_betweenness_options defaults = DGM_BETWEENNESS_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_betweenness_option_table(void);
/* Betweenness: for each pair of other nodes, the share of the shortest paths between them that pass
 * through the node, summed over all pairs. Paths follow the directions of a directed graph. If
 * sources were drawn, dgm_matrix_column_error is the largest standard error of a node, and a note
 * gives it together with the 95% interval that holds for all nodes at once. */
DGM_API dgm_status dgm_lens_betweenness(dgm_context *ctx, const dgm_graph *graph,
                                        const dgm_betweenness_options *options, dgm_matrix **out);

typedef struct dgm_random_options {
    size_t size;  /* the size of this struct, filled in by the initialiser */
    int64_t seed; /* the seed of the random numbers; by default 1 */
} dgm_random_options;
#define DGM_RANDOM_OPTIONS_INIT                                                                    \
    { sizeof(dgm_random_options), 1 }
static inline void dgm_random_options_init(dgm_random_options *options) {
    const dgm_random_options defaults = DGM_RANDOM_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_random_option_table(void);
/* Random numbers, uniform in [0, 1), that have nothing to do with the graph. They serve as a
 * control: what such a lens shows is no property of the graph. */
DGM_API dgm_status dgm_lens_random(dgm_context *ctx, const dgm_graph *graph,
                                   const dgm_random_options *options, dgm_matrix **out);

/* Which distances a lens uses in a directed graph. */
typedef enum dgm_direction {
    DGM_DIRECTION_USUAL, /* IN for closeness and harmonic, as in NetworkX; OUT for the others */
    DGM_DIRECTION_IN,    /* distances from other nodes to the node */
    DGM_DIRECTION_OUT,   /* distances from the node to other nodes */
    DGM_DIRECTION_BOTH,  /* distances along edges whose directions are ignored */
} dgm_direction;

typedef struct dgm_density_options {
    size_t size;     /* the size of this struct, filled in by the initialiser */
    double delta;    /* a node at distance d counts exp(-d / delta); 0, the default, means 1 unless
                        epsilon is given */
    double epsilon;  /* a node at distance d counts exp(-d^2 / epsilon); 0, the default, means that
                        it is not given. To give both is an error. */
    double cutoff;   /* nodes that are farther away do not count; by default INFINITY */
    bool weighted;   /* weights are lengths of edges; all must be positive */
    int64_t budget;  /* the number of nodes up to which all distances are used; by default 200,000
                      */
    int64_t samples; /* the number of sources that are drawn in each component that has more nodes,
                        whatever the budget: 16 or more; 0, the default, means 1024 in graphs
                        beyond the budget and no draw in others */
    int64_t seed;    /* the seed of that draw; by default 1 */
    int direction;   /* a dgm_direction */
} dgm_density_options;
#define DGM_DENSITY_OPTIONS_INIT                                                                   \
    { sizeof(dgm_density_options), 0, 0, INFINITY, false, 200000, 0, 1, DGM_DIRECTION_USUAL }
static inline void dgm_density_options_init(dgm_density_options *options) {
    const dgm_density_options defaults = DGM_DENSITY_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_density_option_table(void);
/* Density: every node in reach, the node itself included, counts by its distance, and the lens is
 * the sum. Distances are those from the node, unless a direction is given. If sources were drawn,
 * dgm_matrix_column_error is the largest standard error of a node, and a note gives it together
 * with the 95% interval that holds for all nodes at once. */
DGM_API dgm_status dgm_lens_density(dgm_context *ctx, const dgm_graph *graph,
                                    const dgm_density_options *options, dgm_matrix **out);

typedef struct dgm_distance_options {
    size_t size;     /* the size of this struct, filled in by the initialiser */
    bool weighted;   /* weights are lengths of edges; all must be positive */
    int64_t budget;  /* the same as in dgm_density_options */
    int64_t samples; /* the same as in dgm_density_options */
    int64_t seed;    /* the seed of the draw; by default 1 */
    int direction;   /* a dgm_direction */
} dgm_distance_options;
#define DGM_DISTANCE_OPTIONS_INIT                                                                  \
    { sizeof(dgm_distance_options), false, 200000, 0, 1, DGM_DIRECTION_USUAL }
static inline void dgm_distance_options_init(dgm_distance_options *options) {
    const dgm_distance_options defaults = DGM_DISTANCE_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_distance_option_table(void);

/* In the next three, R is the number of other nodes in reach, D the sum of their distances, and N
 * the number of all nodes. Large graphs are sampled in the same way as by dgm_lens_density. The
 * comments name the usual directions. */

/* Average geodesic distance, (D / R) (N - 1) / R, from the node. The second factor keeps small
 * components from looking central. A node that reaches no other gets the largest value of all. */
DGM_API dgm_status dgm_lens_agd(dgm_context *ctx, const dgm_graph *graph,
                                const dgm_distance_options *options, dgm_matrix **out);
/* Closeness, (R / D) R / (N - 1), by distances to the node. It is 0 if R = 0. */
DGM_API dgm_status dgm_lens_closeness(dgm_context *ctx, const dgm_graph *graph,
                                      const dgm_distance_options *options, dgm_matrix **out);
/* Harmonic centrality: the sum of 1 / d over the distances d to the node. */
DGM_API dgm_status dgm_lens_harmonic(dgm_context *ctx, const dgm_graph *graph,
                                     const dgm_distance_options *options, dgm_matrix **out);
/* Eccentricity: the largest distance from the node to a node in reach, or 0 if there is none. If
 * the graph is too large and sources are drawn, the values are lower bounds, and
 * dgm_matrix_column_error is the most by which one may be too small. A directed graph cannot be
 * sampled in this way. */
DGM_API dgm_status dgm_lens_eccentricity(dgm_context *ctx, const dgm_graph *graph,
                                         const dgm_distance_options *options, dgm_matrix **out);

/* The class of each node. It is DGM_ERROR_DATA if a node has no label. */
DGM_API dgm_status dgm_lens_labels(dgm_context *ctx, const dgm_graph *graph, dgm_matrix **out);
/* The node attribute of that name, which must be a number. */
DGM_API dgm_status dgm_lens_attribute(dgm_context *ctx, const dgm_graph *graph, const char *name,
                                      dgm_matrix **out);

/* The Laplacian, with A the adjacency matrix and D the diagonal matrix of the degrees. */
typedef enum dgm_laplacian_kind {
    DGM_LAPLACIAN_SYM,   /* I - D^-1/2 A D^-1/2 */
    DGM_LAPLACIAN_RW,    /* I - D^-1 A */
    DGM_LAPLACIAN_PLAIN, /* D - A */
} dgm_laplacian_kind;
/* What nodes outside the largest component get. */
typedef enum dgm_eigen_outside {
    DGM_OUTSIDE_CONSTANT, /* 0 */
    DGM_OUTSIDE_OWN,      /* the eigenvectors of their own component; 0 if it has at most k nodes */
    DGM_OUTSIDE_LARGE,    /* the same, if their component has at least a tenth of the nodes of the
                             largest one; otherwise one place that is below all other values, so
                             that each small component becomes one cluster */
} dgm_eigen_outside;
#define DGM_EIGEN_MOST 64 /* the largest k */
typedef struct dgm_eigen_options {
    size_t size;        /* the size of this struct, filled in by the initialiser */
    int64_t k;          /* the number of eigenvectors; by default 1, at most DGM_EIGEN_MOST */
    int laplacian;      /* a dgm_laplacian_kind; by default SYM */
    int outside;        /* a dgm_eigen_outside; by default CONSTANT */
    bool weighted;      /* edges count by their weights */
    double tolerance;   /* it stops if residuals are below this share of the eigenvalue; by default
                           1e-8 */
    int64_t iterations; /* the largest number of steps; by default 5000 */
    int64_t seed;       /* the seed of the starting vectors; by default 1 */
} dgm_eigen_options;
#define DGM_EIGEN_OPTIONS_INIT                                                                     \
    { sizeof(dgm_eigen_options), 1, DGM_LAPLACIAN_SYM, DGM_OUTSIDE_CONSTANT, false, 1e-8, 5000, 1 }
static inline void dgm_eigen_options_init(dgm_eigen_options *options) {
    const dgm_eigen_options defaults = DGM_EIGEN_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_eigen_option_table(void);

/* Eigenvectors of the Laplacian of the graph, taken as undirected: those of the 2nd to the
 * (k + 1)th smallest eigenvalue. The first of them is the Fiedler vector. On the largest component
 * they have unit length, and their entry of largest magnitude is positive; the vectors of other
 * components have the same mean square. */
DGM_API dgm_status dgm_lens_eigen(dgm_context *ctx, const dgm_graph *graph,
                                  const dgm_eigen_options *options, dgm_matrix **out);

/* ---- partitions, for DGM_COVER_PARTS: the number of each node's part ---- */

/* The communities of the graph (dgm_communities). */
DGM_API dgm_status dgm_lens_communities(dgm_context *ctx, const dgm_graph *graph,
                                        const dgm_communities_options *options, dgm_matrix **out);

typedef struct dgm_features_options {
    size_t size;   /* the size of this struct, filled in by the initialiser */
    int64_t k;     /* the number of centres; by default 16 */
    int64_t steps; /* how often features are averaged over neighbours; by default 2 */
    int64_t seed;  /* the seed of the first centres; by default 1 */
} dgm_features_options;
#define DGM_FEATURES_OPTIONS_INIT                                                                  \
    { sizeof(dgm_features_options), 16, 2, 1 }
static inline void dgm_features_options_init(dgm_features_options *options) {
    const dgm_features_options defaults = DGM_FEATURES_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_features_option_table(void);
/* The nearest of k centres to the features of each node, which are reduced to 64 columns and mixed
 * with those of its neighbours: a graph network without training. It is DGM_ERROR_DATA if the graph
 * has no features. Directions and weights of edges are not seen. */
DGM_API dgm_status dgm_lens_features(dgm_context *ctx, const dgm_graph *graph,
                                     const dgm_features_options *options, dgm_matrix **out);

/* ---- the result of a lens ---- */

/* The columns of one or more lenses and, if one of them is a network, its predictions and the
 * report of its training. */
typedef struct dgm_lens_result dgm_lens_result;
DGM_API void dgm_lens_result_free(dgm_lens_result *result); /* NULL is fine */

/* These three return what belongs to the result. */

/* Returns the values of the lenses, one row per node, or NULL if they were taken. */
DGM_API const dgm_matrix *dgm_lens_result_axes(const dgm_lens_result *result);
/* Returns the predictions of a classifier, or NULL if none of the lenses is one. If several are, it
 * returns those of the last. */
DGM_API const dgm_predictions *dgm_lens_result_predictions(const dgm_lens_result *result);
/* Returns how the training of a network went, or NULL if none was trained. If several were, it
 * returns the report of the last. */
DGM_API const dgm_training_report *dgm_lens_result_report(const dgm_lens_result *result);

/* These two hand the axes or the predictions over to the caller, who frees them. The result has
 * them no longer. */
DGM_API dgm_matrix *dgm_lens_result_take_axes(dgm_lens_result *result);
DGM_API dgm_predictions *dgm_lens_result_take_predictions(dgm_lens_result *result);

/* Both train a network on the graph (neural.h) and return its answer for every node. A note tells
 * how well the training went. */
DGM_API dgm_status dgm_lens_gcn(dgm_context *ctx, const dgm_graph *graph,
                                const dgm_gcn_options *options, dgm_lens_result **out);
DGM_API dgm_status dgm_lens_dgi(dgm_context *ctx, const dgm_graph *graph,
                                const dgm_dgi_options *options, dgm_lens_result **out);

/* ---- lenses by name ---- */

typedef struct dgm_lens_options {
    size_t size;       /* the size of this struct, filled in by the initialiser */
    const char *model; /* the file of a trained network, which gcn and dgi use; NULL: they train one
                          on the graph */
    int64_t seed;      /* the seed of lenses whose specification has none; by default 1 */
    bool predict;      /* keep the predictions of a classifier; it is then an error if its outputs
                          do not fit the classes of the graph; by default true */
} dgm_lens_options;
#define DGM_LENS_OPTIONS_INIT                                                                      \
    { sizeof(dgm_lens_options), NULL, 1, true }
static inline void dgm_lens_options_init(dgm_lens_options *options) {
    const dgm_lens_options defaults = DGM_LENS_OPTIONS_INIT;
    *options = defaults;
}

/* Computes `count` lenses and puts their columns side by side. A specification is "NAME",
 * "NAME:key=value,..." or "attr:NAME". An unknown name or key is DGM_ERROR_USAGE; the message lists
 * the known ones and suggests the nearest. */
DGM_API dgm_status dgm_lens_run(dgm_context *ctx, const dgm_graph *graph,
                                const char *const *specifications, int count,
                                const dgm_lens_options *options, dgm_lens_result **out);
/* Checks the name, keys and values of a specification without a graph. */
DGM_API dgm_status dgm_lens_check(dgm_context *ctx, const char *specification);
/* Checks that one of the lenses uses a trained network, if `model` is not NULL. */
DGM_API dgm_status dgm_lens_check_model(dgm_context *ctx, const char *const *specifications,
                                        int count, const char *model);

/* ---- the list of known lenses ---- */

/* Properties of a lens. */
enum {
    DGM_LENS_NETWORK = 1 << 0,      /* it is a network, trained on the graph or read from a file */
    DGM_LENS_CLASSIFIES = 1 << 1,   /* its columns are scores of classes */
    DGM_LENS_NEEDS_LABELS = 1 << 2, /* it fails without labels, except gcn with a target */
    DGM_LENS_NEEDS_NAME = 1 << 3,   /* a name follows its ':' instead of keys */
    DGM_LENS_VARIES = 1 << 4,       /* its last digits depend on the processor */
    DGM_LENS_PARTS = 1 << 5,        /* its one column is the number of a part: DGM_COVER_PARTS */
};

/* A lens that dgm_lens_run knows. */
typedef struct dgm_lens_kind {
    const char *name;                /* the name in a specification */
    const char *help;                /* one line of help */
    const dgm_option_table *options; /* the keys that it takes; NULL: none */
    unsigned flags;                  /* the sum of its DGM_LENS_... */
    dgm_model_kind model;            /* the kind of network, if it is one */
} dgm_lens_kind;
/* Returns the lens at `index`, counted from 0 in the order of help, or NULL after the last. */
DGM_API const dgm_lens_kind *dgm_lens_kind_at(size_t index);
/* Returns the lens that a specification names, whatever its keys are, or NULL if there is none. */
DGM_API const dgm_lens_kind *dgm_lens_find(const char *specification);

#endif
