/* SPDX-License-Identifier: Apache-2.0 */
#include "mapper_points.h"

#include <math.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_need.h"

/* The sum of squares of numbers from 2^-400 to 2^400 is a normal number. */
#define LARGEST  0x1p400
#define SMALLEST 0x1p-400

static double largest_of(const double *values, int64_t count) {
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = fabs(values[i]) > largest ? fabs(values[i]) : largest;
    return largest;
}

/* A power of two that brings the largest number near 1, or 1 if it is fine as it is. */
static double scale_for(double largest) {
    int exponent;
    if (largest == 0 || (largest <= LARGEST && largest >= SMALLEST))
        return 1;
    frexp(largest, &exponent);
    return ldexp(1, exponent > 1000 ? -1000 : exponent < -1000 ? 1000 : -exponent);
}

static dgm_status scale_rows(dgm_context *ctx, const double *values, dgmi_mapper_points *points) {
    int64_t entries = points->count * points->columns;
    points->scale = scale_for(largest_of(values, entries));
    points->rows = values;
    if (points->scale == 1)
        return DGM_OK;
    double *rows = dgmi_scratch(ctx, entries, sizeof *rows);
    if (!rows)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < entries; i++)
        rows[i] = values[i] * points->scale;
    points->rows = rows;
    return DGM_OK;
}

/* Divides a row by its length. The last entry of `out` is 1 for a row of zeros, else 0. */
static void direct_row(const double *row, int64_t columns, double *out) {
    double scale = scale_for(largest_of(row, columns)), sum = 0;
    for (int64_t j = 0; j < columns; j++)
        sum += (row[j] * scale) * (row[j] * scale);
    double length = sqrt(sum);
    for (int64_t j = 0; j < columns; j++)
        out[j] = sum > 0 ? row[j] * scale / length : 0;
    out[columns] = sum > 0 ? 0 : 1;
}

static dgm_status direct_rows(dgm_context *ctx, const double *values, dgmi_mapper_points *points) {
    int64_t columns = points->columns;
    double *rows = dgmi_scratch(ctx, points->count * (columns + 1), sizeof *rows);
    if (!rows)
        return DGM_ERROR_MEMORY;
    for (int64_t u = 0; u < points->count; u++)
        direct_row(values + u * columns, columns, rows + u * (columns + 1));
    points->rows = rows;
    points->columns = columns + 1;
    return DGM_OK;
}

dgm_status dgmi_mapper_points_make(dgm_context *ctx, const double *values, int64_t count,
                                   int64_t columns, int metric, dgmi_mapper_points *points) {
    *points =
        (dgmi_mapper_points){.count = count, .columns = columns, .scale = 1, .metric = metric};
    return metric == DGM_METRIC_COSINE ? direct_rows(ctx, values, points)
                                       : scale_rows(ctx, values, points);
}

static void copy_features(dgm_graph_features features, int64_t nodes, double *table) {
    int64_t width = features.width;
    for (int64_t i = 0; !features.offsets && i < nodes * width; i++)
        table[i] = (double)features.values[i];
    for (int64_t u = 0; features.offsets && u < nodes; u++)
        for (int64_t i = features.offsets[u]; i < features.offsets[u + 1]; i++)
            table[u * width + features.columns[i]] =
                features.values ? (double)features.values[i] : 1;
}

dgm_status dgmi_mapper_points_features(dgm_context *ctx, const dgm_graph *graph, int metric,
                                       const char *purpose, dgmi_mapper_points *points) {
    dgm_graph_features features = dgm_graph_get_features(graph);
    int64_t nodes = dgm_graph_nodes(graph), width = features.width;
    if (width == 0)
        return dgmi_fail(ctx, DGM_ERROR_DATA, "the graph has no features to %s", purpose);
    double bytes = (double)nodes * (double)width * sizeof(double);
    dgm_status status = dgmi_need_check(
        ctx, &(dgmi_need){"a table of all features", bytes, bytes, "use fewer, or of=lens"});
    if (status != DGM_OK)
        return status;
    double *table = dgmi_scratch_zero(ctx, nodes * width, sizeof *table);
    if (!table)
        return DGM_ERROR_MEMORY;
    copy_features(features, nodes, table);
    return dgmi_mapper_points_make(ctx, table, nodes, width, metric, points);
}

double dgmi_mapper_points_square_of(const dgmi_mapper_points *points, double distance) {
    if (points->metric == DGM_METRIC_COSINE)
        return 2 * distance;
    double scaled = distance * points->scale;
    return scaled * scaled;
}

double dgmi_mapper_points_distance_of(const dgmi_mapper_points *points, double square) {
    return points->metric == DGM_METRIC_COSINE ? square / 2 : sqrt(square) / points->scale;
}
