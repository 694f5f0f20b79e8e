/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses that are partitions of the nodes, for DGM_COVER_PARTS: communities, and centres of
 * features.
 *
 * `features` is a graph network without training. The features X are reduced to 64 columns along
 * the directions in which they reach farthest, found by multiplying random vectors by X'X
 * (Halko, Martinsson and Tropp, Finding structure with randomness, 2011), and propagated `steps`
 * times by S = D^-1/2 (A + I) D^-1/2 (Wu and others, Simplifying graph convolutional networks,
 * 2019). Rows of S^steps X V, scaled to length 1, are given to the nearest of k centres.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_parallel.h"
#include "base_random.h"
#include "graph_simple.h"
#include "kernels_kernels.h"
#include "lens_columns.h"
#include "lens_lens.h"
#include "nn_data.h"
#include "nn_orthonormal.h"
#include "nn_scaling.h"
#include "parts_centres.h"

enum { COLUMNS = DGMI_NN_ORTHONORMAL, ROUNDS = 3, STREAM = 0x66656174 };

static const dgm_option feature_options[] = {
    {.name = "k",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_features_options, k),
     .minimum = 1,
     .maximum = 10000,
     .default_text = "16",
     .argument = "K",
     .help = "number of centres"},
    {.name = "steps",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_features_options, steps),
     .minimum = 0,
     .maximum = 100,
     .default_text = "2",
     .argument = "N",
     .help = "how far along edges features are mixed; 0: each node has its own alone"},
    {.name = "seed",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(dgm_features_options, seed),
     .minimum = 0,
     .maximum = 9007199254740992,
     .default_text = "that of the run",
     .argument = "S",
     .help = "of the first centres"},
};
const dgm_option_table dgmi_lens_features_table = {
    "features", feature_options, sizeof feature_options / sizeof *feature_options};

const dgm_option_table *dgm_features_option_table(void) {
    return &dgmi_lens_features_table;
}

/* ---- few columns ---- */

/* y = X v, or X' v; all have COLUMNS columns. */
static void multiply(dgm_context *ctx, const dgmi_nn_features *features, bool transpose,
                     const float *v, float *y) {
    const dgmi_kernels *kernels = dgmi_kernels_find(NULL);
    int64_t rows = features->rows, width = features->width;
    const dgmi_table_tensor from = {transpose ? rows : width, COLUMNS, (float *)(uintptr_t)v};
    dgmi_table_tensor to = {transpose ? width : rows, COLUMNS, y};
    if (!features->dense) {
        const dgmi_nn_sparse *sparse = &features->sparse;
        kernels->csr_product(ctx, transpose ? &sparse->transpose : &sparse->matrix, &from, false,
                             &to);
        return;
    }
    const dgmi_table_tensor table = {rows, width, (float *)(uintptr_t)features->dense};
    kernels->product(
        ctx, &(dgmi_kernels_product){.transpose_a = transpose, .a = &table, .b = &from, .c = &to});
}

/* The first directions: all there are, or random ones. */
static void draw_directions(int64_t width, float *v) {
    for (int64_t i = 0; i < width; i++) {
        uint64_t bits = dgmi_random_bits(1, STREAM, (uint64_t)i);
        for (int j = 0; j < COLUMNS; j++)
            v[i * COLUMNS + j] = width <= COLUMNS ? i == j : bits >> j & 1 ? 1 : -1;
    }
}

static dgm_status reduce_columns(dgm_context *ctx, const dgmi_nn_features *features, float *y) {
    float *v = dgmi_scratch(ctx, features->width * COLUMNS, sizeof *v);
    dgm_status status = v ? dgmi_kernels_blas_open(ctx) : DGM_ERROR_MEMORY;
    if (status != DGM_OK)
        return status;
    draw_directions(features->width, v);
    for (int round = 0; round < ROUNDS && features->width > COLUMNS; round++) {
        multiply(ctx, features, false, v, y);
        multiply(ctx, features, true, y, v);
        status = dgmi_nn_orthonormalise(ctx, features->width, v);
        if (status == DGM_OK)
            status = dgmi_progress(ctx, "reducing features", (double)round / ROUNDS);
        if (status != DGM_OK)
            return status;
    }
    multiply(ctx, features, false, v, y);
    return DGM_OK;
}

/* ---- propagation ---- */

/* y becomes S^steps y. */
static dgm_status propagate(dgm_context *ctx, const dgm_graph *graph, int64_t steps, float *y) {
    const dgmi_kernels *kernels = dgmi_kernels_find(NULL);
    dgmi_graph_simple_rows rows;
    dgm_status status = dgmi_graph_simple_make(ctx, graph, &rows);
    int64_t nodes = dgm_graph_nodes(graph), numbers = nodes * COLUMNS;
    float *root = dgmi_scratch(ctx, nodes, sizeof *root);
    float *scaled = dgmi_scratch(ctx, numbers, sizeof *scaled);
    if (status != DGM_OK || !root || !scaled)
        return status != DGM_OK ? status : DGM_ERROR_MEMORY;
    const dgmi_table_csr adjacency = {nodes, nodes, rows.offsets, rows.targets, NULL};
    const dgmi_table_tensor from = {nodes, COLUMNS, scaled};
    dgmi_table_tensor to = {nodes, COLUMNS, y};
    for (int64_t u = 0; u < nodes; u++)
        root[u] = 1 / sqrtf((float)dgmi_graph_simple_degree(&rows, u) + 1);
    for (int64_t step = 0; status == DGM_OK && step < steps; step++) {
        for (int64_t i = 0; i < numbers; i++)
            y[i] = scaled[i] = y[i] * root[i / COLUMNS];
        kernels->csr_product(ctx, &adjacency, &from, true, &to);
        for (int64_t i = 0; i < numbers; i++)
            y[i] *= root[i / COLUMNS];
        status = dgmi_progress(ctx, "propagating features", (double)step / (double)steps);
    }
    return status;
}

static void scale_rows(int64_t rows, float *y) {
    for (int64_t u = 0; u < rows; u++) {
        float *row = y + u * COLUMNS;
        double sum = 0;
        for (int j = 0; j < COLUMNS; j++)
            sum += (double)row[j] * row[j];
        for (int j = 0; sum > 0 && j < COLUMNS; j++)
            row[j] = (float)(row[j] / sqrt(sum));
    }
}

/* ---- the lenses ---- */

/* Makes the rows that are given to centres, in scratch memory. */
static dgm_status embed(dgm_context *ctx, const dgm_graph *graph, int64_t steps, float **out) {
    const dgmi_nn_reading reading = {.kind = DGM_FEATURES_AUTO, .scaling = DGMI_NN_SCALE_BY_KIND};
    dgmi_nn_features features;
    int64_t nodes = dgm_graph_nodes(graph);
    dgm_status status = dgmi_nn_features_read(ctx, graph, &reading, &features);
    if (status != DGM_OK)
        return status;
    float *y = dgmi_scratch(ctx, nodes * COLUMNS, sizeof *y);
    status = y ? reduce_columns(ctx, &features, y) : DGM_ERROR_MEMORY;
    dgmi_nn_features_free(ctx, &features);
    if (status == DGM_OK)
        status = propagate(ctx, graph, steps, y);
    if (status == DGM_OK)
        scale_rows(nodes, y);
    *out = y;
    return status;
}

/* The number of each node's part as a lens; `parts` is scratch memory. */
static dgm_status write_parts(dgm_context *ctx, const dgm_graph *graph, const char *name,
                              const uint32_t *parts, dgm_matrix **out) {
    dgm_status status = dgmi_lens_column(ctx, graph, name, out);
    for (int64_t u = 0; status == DGM_OK && u < dgm_graph_nodes(graph); u++)
        dgm_matrix_values_mutable(*out)[u] = parts[u];
    return status;
}

dgm_status dgm_lens_features(dgm_context *ctx, const dgm_graph *graph,
                             const dgm_features_options *options, dgm_matrix **out) {
    dgm_features_options use = DGM_FEATURES_OPTIONS_INIT;
    int64_t nodes = dgm_graph_nodes(graph), count;
    float *y;
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_features_options, seed, options, &use);
    if (status == DGM_OK)
        status = dgm_options_check(ctx, &dgmi_lens_features_table, &use);
    if (status == DGM_OK && dgm_graph_get_features(graph).width == 0)
        status = dgmi_fail(ctx, DGM_ERROR_DATA,
                           "the lens 'features' needs a graph with features; this one has none");
    if (status != DGM_OK)
        return status;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *parts = dgmi_scratch(ctx, nodes, sizeof *parts);
    status = parts ? embed(ctx, graph, use.steps, &y) : DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        const dgmi_table_tensor points = {nodes, COLUMNS, y};
        status = dgmi_parts_centres(ctx, &points, use.k, use.seed, parts, &count);
    }
    if (status == DGM_OK)
        status = write_parts(ctx, graph, "features", parts, out);
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgm_lens_communities(dgm_context *ctx, const dgm_graph *graph,
                                const dgm_communities_options *options, dgm_matrix **out) {
    int64_t count;
    *out = NULL;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint32_t *parts = dgmi_scratch(ctx, dgm_graph_nodes(graph), sizeof *parts);
    dgm_status status =
        parts ? dgm_communities(ctx, graph, options, parts, &count) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        status = write_parts(ctx, graph, "community", parts, out);
    dgmi_arena_release(ctx, hold);
    return status;
}
