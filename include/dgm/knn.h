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
    DGM_KNN_AUTO,        /* exact up to `budget` points */
    DGM_KNN_EXACT,       /* every pair is looked at */
    DGM_KNN_APPROXIMATE, /* CELLS, or DESCENT where a point would have to meet too many others;
                            recall is measured on a sample */
    DGM_KNN_CELLS,       /* points of near cells */
    DGM_KNN_DESCENT,     /* points of few cells, then neighbours of neighbours */
} dgm_knn_method;

typedef struct dgm_knn_options {
    size_t size;    /* of the struct, filled in by its initialiser */
    int64_t k;      /* neighbours a point: 15. Where there are fewer other points, all of them. */
    int metric;     /* dgm_metric: L2 */
    int method;     /* dgm_knn_method: AUTO */
    int64_t budget; /* AUTO: more points than this are searched approximately: 100,000 */
    double recall;  /* approximate: look until this share of the true neighbours of a sample is
                       found: 0.95 */
    int64_t seed;   /* of cells and sample, and of `scatter`: 1 */
    bool scatter;   /* of points equally far, take those that a draw of each point's own takes, not
                       those of smaller index: false. Of dgm_knn's exact search; the approximate
                       ones draw among the points of near cells, or not at all. */
} dgm_knn_options;
#define DGM_KNN_OPTIONS_INIT                                                                       \
    { sizeof(dgm_knn_options), 15, DGM_METRIC_L2, DGM_KNN_AUTO, 100000, 0.95, 1, false }
DGM_API void dgm_knn_options_init(dgm_knn_options *options);
DGM_API const dgm_option_table *dgm_knn_option_table(void);
/* "l2", "cosine", NULL. */
DGM_API const char *const *dgm_metric_names(void);

/* Row i: the k nearest of point i, nearest first; of points equally far those of smaller index, or
 * as `scatter` says. */
typedef struct dgm_neighbours dgm_neighbours;

/* `count` points of `dim` coordinates, row-major. A point is not its own neighbour; one that lies
 * in the same place is. Distances are found in single precision, those of the neighbours computed
 * anew in double. A coordinate that is no finite number is DGM_ERROR_DATA with row and column.
 * options NULL: defaults. */
DGM_API dgm_status dgm_knn(dgm_context *ctx, const float *points, int64_t count, int64_t dim,
                           const dgm_knn_options *options, dgm_neighbours **out);
/* The same of the rows of a matrix, rounded to single precision. */
DGM_API dgm_status dgm_knn_matrix(dgm_context *ctx, const dgm_matrix *points,
                                  const dgm_knn_options *options, dgm_neighbours **out);
/* Row i: the nearest among `points` of query i; equal places count. Always exact. */
DGM_API dgm_status dgm_knn_query(dgm_context *ctx, const float *points, int64_t count,
                                 const float *queries, int64_t query_count, int64_t dim,
                                 const dgm_knn_options *options, dgm_neighbours **out);
DGM_API void dgm_neighbours_free(dgm_neighbours *neighbours); /* NULL is fine */

DGM_API int64_t dgm_neighbours_rows(const dgm_neighbours *neighbours);
DGM_API int64_t dgm_neighbours_k(const dgm_neighbours *neighbours); /* columns; may be 0 */
/* rows * k each, borrowed. */
DGM_API const uint32_t *dgm_neighbours_indices(const dgm_neighbours *neighbours);
DGM_API const float *dgm_neighbours_distances(const dgm_neighbours *neighbours);
/* 1 where the search was exact, otherwise the share found of a sample's true neighbours. */
DGM_API double dgm_neighbours_recall(const dgm_neighbours *neighbours);

/* The undirected graph that joins each point with its neighbours (either being the other's is
 * enough). */
typedef struct dgm_knn_graph_options {
    size_t size;            /* of the struct, filled in by its initialiser */
    bool distances;         /* are the weights; otherwise there are none */
    const dgm_graph *names; /* its nodes name the points; NULL: they are numbered */
    const char *source;     /* where the points come from, for people; NULL: unknown */
} dgm_knn_graph_options;
#define DGM_KNN_GRAPH_OPTIONS_INIT                                                                 \
    { sizeof(dgm_knn_graph_options), false, NULL, NULL }
DGM_API void dgm_knn_graph_options_init(dgm_knn_graph_options *options);
/* options NULL: no weights, numbers. */
DGM_API dgm_status dgm_knn_graph(dgm_context *ctx, const dgm_neighbours *neighbours,
                                 const dgm_knn_graph_options *options, dgm_graph **out);

#endif
