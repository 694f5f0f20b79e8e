/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes as points in the space of a table, and distances between them. */
#ifndef MAPPER_POINTS_H
#define MAPPER_POINTS_H

#include <stdint.h>

#include "dgm/knn.h"

/* Points whose Euclidean distances order those of the metric. Under L2 they are the rows of a
 * table, times a power of two where their squares would be too large or too small for a number.
 * Under COSINE they are the rows divided by their lengths, so that the square of a distance is
 * 2 (1 - cos); a row of zeros points into a direction of its own. */
typedef struct dgmi_mapper_points {
    int64_t count, columns;
    const double *rows;
    double scale; /* what the rows of the table were multiplied by */
    int metric;   /* a dgm_metric */
} dgmi_mapper_points;

/* Takes scratch memory for the points where they are not the rows themselves. */
dgm_status dgmi_mapper_points_make(dgm_context *ctx, const double *values, int64_t count,
                                   int64_t columns, int metric, dgmi_mapper_points *points);

/* Makes points of the features of the nodes. If there are none, the error is that "the graph has no
 * features to" do what `purpose` says. */
dgm_status dgmi_mapper_points_features(dgm_context *ctx, const dgm_graph *graph, int metric,
                                       const char *purpose, dgmi_mapper_points *points);

/* Returns the square of the Euclidean distance that belongs to a distance of the metric. */
double dgmi_mapper_points_square_of(const dgmi_mapper_points *points, double distance);

/* Returns the distance of the metric that belongs to a square. */
double dgmi_mapper_points_distance_of(const dgmi_mapper_points *points, double square);

/* Returns the square of the Euclidean distance of two points. Eight sums side by side are what a
 * compiler can keep in its vectors. */
static inline double dgmi_mapper_points_square(const dgmi_mapper_points *points, int64_t a,
                                               int64_t b) {
    enum { LANES = 8 };
    const double *x = points->rows + a * points->columns, *y = points->rows + b * points->columns;
    double lanes[LANES] = {0}, sum = 0;
    int64_t j = 0;
    for (; j + LANES <= points->columns; j += LANES)
        for (int l = 0; l < LANES; l++)
            lanes[l] += (x[j + l] - y[j + l]) * (x[j + l] - y[j + l]);
    for (; j < points->columns; j++)
        sum += (x[j] - y[j]) * (x[j] - y[j]);
    for (int l = 0; l < LANES; l++)
        sum += lanes[l];
    return sum;
}

#endif
