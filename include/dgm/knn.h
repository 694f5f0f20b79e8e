/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest neighbours of points, exact or approximate. */
#ifndef DGM_KNN_H
#define DGM_KNN_H

#include "dgm/graph.h"
#include "dgm/matrix.h"
#include "dgm/option.h"

typedef enum dgm_metric {
    DGM_METRIC_L2,     /* Euclidean distance */
    DGM_METRIC_COSINE, /* 1 - cos of the angle; 1 to and from the zero vector */
} dgm_metric;

typedef enum dgm_knn_method {
    DGM_KNN_AUTO,        /* EXACT up to `budget` points, APPROXIMATE above */
    DGM_KNN_EXACT,       /* every point is compared with every other */
    DGM_KNN_APPROXIMATE, /* CELLS, or DESCENT if CELLS would compare a point with too many others */
    DGM_KNN_CELLS,       /* every point is compared with the points of the nearest cells */
    DGM_KNN_DESCENT,     /* few cells give a start; then neighbours of neighbours are compared */
} dgm_knn_method;

typedef struct dgm_knn_options {
    size_t size;    /* the size of this struct, filled in by the initialiser */
    int64_t k;      /* the number of neighbours per point; 15 by default. If there are fewer other
                       points, all of them are neighbours. */
    int metric;     /* a dgm_metric; L2 by default */
    int method;     /* a dgm_knn_method; AUTO by default */
    int64_t budget; /* the number of points up to which AUTO is exact; 100,000 by default */
    double recall;  /* an approximate search goes on until it finds this share of the true
                       neighbours of a sample of points; 0.95 by default */
    int64_t seed;   /* the seed of all random draws; 1 by default */
    bool scatter;   /* among points that are equally far away, each point draws its neighbours at
                       random instead of taking those of smaller index; false by default. CELLS
                       draws among the points it compares. DESCENT and dgm_knn_query ignore it. */
} dgm_knn_options;
#define DGM_KNN_OPTIONS_INIT                                                                       \
    { sizeof(dgm_knn_options), 15, DGM_METRIC_L2, DGM_KNN_AUTO, 100000, 0.95, 1, false }
static inline void dgm_knn_options_init(dgm_knn_options *options) {
    const dgm_knn_options defaults = DGM_KNN_OPTIONS_INIT;
    *options = defaults;
}
DGM_API const dgm_option_table *dgm_knn_option_table(void);
/* Returns "l2", "cosine", NULL: the names of the metrics in the order of the enum. */
DGM_API const char *const *dgm_metric_names(void);

/* Lists of neighbours, one row per point, nearest first. Among points that are equally far away,
 * those of smaller index come first, unless `scatter` is set. */
typedef struct dgm_neighbours dgm_neighbours;

/* Finds the neighbours of `count` points of `dim` coordinates, given point after point. A point is
 * not its own neighbour, but another point in the same place is one. The search is in single
 * precision; the distances of the neighbours that it finds are computed again in double precision.
 * A coordinate that is not finite is DGM_ERROR_DATA, and the message names its row and column. If
 * `options` is NULL, they have their defaults. The caller frees the result. */
DGM_API dgm_status dgm_knn(dgm_context *ctx, const float *points, int64_t count, int64_t dim,
                           const dgm_knn_options *options, dgm_neighbours **out);
/* Does the same for the rows of a matrix, which are rounded to single precision. */
DGM_API dgm_status dgm_knn_matrix(dgm_context *ctx, const dgm_matrix *points,
                                  const dgm_knn_options *options, dgm_neighbours **out);
/* Finds for each query its neighbours among `points`; a point in the same place is one. The search
 * is always exact. */
DGM_API dgm_status dgm_knn_query(dgm_context *ctx, const float *points, int64_t count,
                                 const float *queries, int64_t query_count, int64_t dim,
                                 const dgm_knn_options *options, dgm_neighbours **out);
DGM_API void dgm_neighbours_free(dgm_neighbours *neighbours); /* NULL is fine */

DGM_API int64_t dgm_neighbours_rows(const dgm_neighbours *neighbours);
/* Returns the number of neighbours per row, which is 0 if there is no other point. */
DGM_API int64_t dgm_neighbours_k(const dgm_neighbours *neighbours);
/* Both return rows * k values, row after row, which belong to the neighbours. */
DGM_API const uint32_t *dgm_neighbours_indices(const dgm_neighbours *neighbours);
DGM_API const float *dgm_neighbours_distances(const dgm_neighbours *neighbours);
/* Returns the share of the true neighbours of a sample of points that the search found. It is 1 if
 * the search was exact. */
DGM_API double dgm_neighbours_recall(const dgm_neighbours *neighbours);

/* How neighbours become a graph. */
typedef struct dgm_knn_graph_options {
    size_t size;            /* the size of this struct, filled in by the initialiser */
    bool distances;         /* the weights of the edges are distances; otherwise there are none */
    const dgm_graph *names; /* a graph whose nodes give the points their names; NULL: numbers */
    const char *source;     /* where the points come from, in words for people; NULL: unknown */
    const dgm_matrix
        *points; /* the points become the features of the nodes; NULL: these have none */
} dgm_knn_graph_options;
#define DGM_KNN_GRAPH_OPTIONS_INIT                                                                 \
    { sizeof(dgm_knn_graph_options), false, NULL, NULL, NULL }
static inline void dgm_knn_graph_options_init(dgm_knn_graph_options *options) {
    const dgm_knn_graph_options defaults = DGM_KNN_GRAPH_OPTIONS_INIT;
    *options = defaults;
}
/* Makes the undirected graph in which two points are joined if one of them is a neighbour of the
 * other. If `options` is NULL, it has no weights and no names. The caller frees it. */
DGM_API dgm_status dgm_knn_graph(dgm_context *ctx, const dgm_neighbours *neighbours,
                                 const dgm_knn_graph_options *options, dgm_graph **out);

#endif
