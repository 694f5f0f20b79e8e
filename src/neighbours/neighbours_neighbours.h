/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the search for nearest neighbours. Points are prepared for products of matrices,
 * and tiles of queries are then compared with tiles of points. */
#ifndef NEIGHBOURS_NEIGHBOURS_H
#define NEIGHBOURS_NEIGHBOURS_H

#include "dgm/knn.h"

struct dgm_neighbours {
    dgm_allocator allocator;
    int64_t rows, k;
    uint32_t *indices; /* k neighbours for each row, nearest first */
    float *distances;  /* their distances */
    double recall;     /* the share of true neighbours that were found */
};

/* Makes lists of zeros, rows x k. */
dgm_status dgmi_neighbours_create(dgm_context *ctx, int64_t rows, int64_t k, dgm_neighbours **out);

/* Points that are prepared for products of matrices, in scratch memory. Let x' be the point x after
 * the middle of all points was moved to 0 and scaled (L2), or scaled to unit length (cosine). The
 * score of two points is
 *
 *   L2       s = x'y' - |y'|^2 / 2      |x' - y'|^2 = |x'|^2 - 2 s
 *   cosine   s = x'y'                   1 - cos = 1 - s
 */
typedef struct dgmi_neighbours_points {
    int64_t count, dim;
    int64_t width;       /* the width of `rows`: dim, but dim + 1 for L2, whose last entry is
                            -|y'|^2 / 2 */
    int metric;          /* a dgm_metric */
    const float *origin; /* the points as they were given, count x dim */
    const uint32_t *ids; /* the row of `origin` at each position; NULL: they are the same */
    float *rows;         /* the prepared point at each position, count x width */
    double *size;        /* |x'| at each position; for cosine 1 / |x|, or 0 for the zero vector */
    double scale;        /* L2: |x' - y'| = scale |x - y| */
    double largest;      /* the largest |x'| */
} dgmi_neighbours_points;

/* How points were moved and scaled, so that queries can be made alike. */
typedef struct dgmi_neighbours_rescaling {
    double *middle; /* dim; NULL for cosine */
    double scale;
} dgmi_neighbours_rescaling;

/* Fails with DGM_ERROR_DATA, row and column where a coordinate is not a finite number. */
dgm_status dgmi_neighbours_check(dgm_context *ctx, const char *what, const float *points,
                                 int64_t count, int64_t dim);
/* Finds the rescaling that suits one or two sets of points (`more` may be NULL). */
dgm_status dgmi_neighbours_rescaling_find(dgm_context *ctx, int metric, const float *points,
                                          int64_t count, const float *more, int64_t more_count,
                                          int64_t dim, dgmi_neighbours_rescaling *rescaling);
dgm_status dgmi_neighbours_points_make(dgm_context *ctx, int metric, const float *points,
                                       const uint32_t *ids, int64_t count, int64_t dim,
                                       const dgmi_neighbours_rescaling *rescaling,
                                       dgmi_neighbours_points *out);

enum { DGMI_NEIGHBOURS_QUERIES = 128, DGMI_NEIGHBOURS_TARGETS = 1024 };

/* A point that may be among the k best: its score is between these. */
typedef struct dgmi_neighbours_candidate {
    float lower, upper;
    uint32_t target; /* its position */
} dgmi_neighbours_candidate;

/* What a thread needs to search for DGMI_NEIGHBOURS_QUERIES queries at once. */
typedef struct dgmi_neighbours_space {
    int64_t begin; /* position of the first query */
    float *query;  /* queries x width */
    float *scores; /* queries x targets */
    float *least;  /* for each query, a score that k points are known to reach */
    dgmi_neighbours_candidate *waiting; /* the candidates of each query, queries x room */
    int64_t room;                       /* the most candidates of a query */
    int64_t *count;                     /* the number of candidates of each query */
    float *selection;                   /* room for the scores of one query's candidates */
    double *distances; /* a heap of k distances for each query, the farthest first; squares for L2
                        */
    uint32_t *indices; /* ranks of rows of `origin`, which decide between equal distances */
    int64_t *held;     /* how many distances the heap of each query holds */
} dgmi_neighbours_space;
/* Makes one for each thread, in scratch memory. */
dgm_status dgmi_neighbours_spaces(dgm_context *ctx, int threads, int64_t width, int64_t k,
                                  dgmi_neighbours_space **out);

/* One search: queries of one set among points of another, or of the same. */
typedef struct dgmi_neighbours_search {
    const dgmi_neighbours_points *points, *queries;
    bool same; /* the sets are one: no point finds itself */
    int64_t k;
    bool scatter; /* see dgm_knn_options */
    uint64_t seed;
} dgmi_neighbours_search;

/* Starts the search for the queries at positions begin .. end - 1, which are at most
 * DGMI_NEIGHBOURS_QUERIES. Nothing is found yet. */
void dgmi_neighbours_begin(const dgmi_neighbours_search *search, dgmi_neighbours_space *space,
                           int64_t begin, int64_t end);
/* Compares these queries with the points at positions first .. last - 1. Each point may be given
 * once. */
void dgmi_neighbours_meet(const dgmi_neighbours_search *search, dgmi_neighbours_space *space,
                          int64_t begin, int64_t end, int64_t first, int64_t last);
/* Writes what query `i` has found, nearest first, and returns how many. `indices` and `distances`
 * have room for k. */
int64_t dgmi_neighbours_finish(const dgmi_neighbours_search *search, dgmi_neighbours_space *space,
                               int64_t i, uint32_t *indices, float *distances);

/* Returns the distance between two positions, or its square for L2, in double precision from the
 * points as they were given. */
double dgmi_neighbours_distance(const dgmi_neighbours_search *search, int64_t query,
                                int64_t target);

/* The approximate search: among the points of near cells or, if these are too many, among
 * neighbours of neighbours. It sets the recall. */
dgm_status dgmi_neighbours_cells(dgm_context *ctx, const float *points, int64_t count, int64_t dim,
                                 const dgm_knn_options *options, dgm_neighbours *out);

#endif
