/* SPDX-License-Identifier: Apache-2.0 */
/* Repulsion by a grid. With the potential f(y) = sum_j 1 / (1 + |y - y_j|^2), sums[i] is f(y_i) and
 * force[i] is -1/2 of its gradient there. Points are spread over the nodes of a grid by cubic
 * B-splines, convolved with the kernel (divided by the transform of the splines, so that kernel
 * values at nodes are met exactly), and f is the spline through the result: one transform there and
 * one back, where interpolating charges and forces one by one (Linderman and others, FIt-SNE, 2019)
 * takes four each way. The error of the force falls with the cube of the spacing.
 */
#include "reduce_tsne_grid.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "reduce_tsne.h"

enum {
    TAPS = 4,             /* nodes that a point reaches in a direction */
    BAND = 16,            /* rows that are filled together; more than TAPS */
    GRAIN = 4096,         /* points of a chunk */
    FEWEST_NODES = 64,    /* across the longer side */
    MOST_ROWS = 1024,     /* in a plane; beyond, nodes lie further apart */
    MOST_NODES = 1 << 18, /* on a line */
};
static const float SPACING = 0.35F; /* of nodes, where that makes neither too few nor too many */

typedef float four __attribute__((vector_size(16)));

struct dgmi_reduce_grid {
    dgmi_reduce_repulsion *job;
    dgmi_reduce_convolution convolution;
    dgmi_reduce_kernel kernel;
    four
        self[TAPS]; /* the kernel as the grid has it, between nodes 0 to 3 rows and columns apart */
    float low[2], inverse; /* of rows and columns; 1 / spacing */
    int axis[2];           /* of rows (-1: there is one) and of columns */
    float left_out;        /* what the kernel leaves out of the sum for each other point */
    float rest;            /* of sums: the point itself, and what is left out of all others */
    float *lows, *highs;   /* of each chunk, for both axes */
    int64_t chunks, bands, band_space;
    int64_t *counts;  /* chunks x bands, then where each goes */
    int64_t *starts;  /* of each band */
    uint32_t *points; /* band after band */
    int parity;       /* bands that are filled now */
};

/* ---- where the nodes are ---- */

static void bound_chunk(void *argument, int64_t chunk, int thread) {
    struct dgmi_reduce_grid *grid = argument;
    const dgmi_kernels_embedding *y = grid->job->y;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(y->count, GRAIN, chunk, &begin, &end);
    for (int axis = 0; axis < y->dim; axis++) {
        const float *at = y->axis[axis];
        float low = at[begin], high = low;
        for (int64_t i = begin; i < end; i++) {
            low = at[i] < low ? at[i] : low;
            high = at[i] > high ? at[i] : high;
        }
        grid->lows[2 * chunk + axis] = low;
        grid->highs[2 * chunk + axis] = high;
    }
}

/* Powers of the fourth root of 2, so that the kernel changes seldom while a map grows. */
static float choose_spacing(float span, int dim) {
    float most = dim == 1 ? MOST_NODES : MOST_ROWS;
    if (span < SPACING * FEWEST_NODES)
        return exp2f(floorf(4 * log2f(fmaxf(span, 1e-30F) / FEWEST_NODES)) / 4);
    if (span > SPACING * most)
        return exp2f(ceilf(4 * log2f(span / most)) / 4);
    return SPACING;
}

/* What a charge at a node does at the nodes around it. */
static void find_self(struct dgmi_reduce_grid *grid) {
    dgmi_reduce_convolution *convolution = &grid->convolution;
    int64_t columns = convolution->nodes[1], rows = convolution->nodes[0];
    memset(convolution->values, 0, (size_t)(rows * columns) * sizeof(float));
    convolution->values[0] = 1;
    dgmi_reduce_convolution_run(convolution);
    for (int a = 0; a < TAPS; a++) {
        grid->self[a] = (four){0};
        if (a < rows)
            memcpy(&grid->self[a], convolution->values + a * columns, sizeof grid->self[a]);
    }
}

static dgm_status place_nodes(struct dgmi_reduce_grid *grid) {
    int dim = grid->job->y->dim;
    float span[2] = {0, 0}, longest = 0;
    int64_t nodes[2] = {1, 1};
    int size[2] = {1, 1};
    dgmi_parallel(grid->job->ctx, grid->chunks, bound_chunk, grid);
    for (int axis = 0; axis < dim; axis++) {
        float low = grid->lows[axis], high = grid->highs[axis];
        for (int64_t c = 0; c < grid->chunks; c++) {
            low = fminf(low, grid->lows[2 * c + axis]);
            high = fmaxf(high, grid->highs[2 * c + axis]);
        }
        int way = 2 - dim + axis; /* a line's axis runs along columns */
        grid->low[way] = low;
        span[way] = high - low;
        longest = fmaxf(longest, span[way]);
    }
    if (!isfinite(longest))
        return dgmi_reduce_tsne_fail_bounds(grid->job->ctx);
    float spacing = choose_spacing(longest, dim);
    for (int way = 2 - dim; way < 2; way++) {
        nodes[way] = (int64_t)(span[way] / spacing) + TAPS + 1;
        size[way] = dgmi_reduce_convolution_size(2 * nodes[way]);
    }
    bool same = grid->convolution.values && grid->kernel.spacing == spacing &&
                grid->convolution.size[0] == size[0] && grid->convolution.size[1] == size[1];
    dgm_status status = dgmi_reduce_convolution_resize(&grid->convolution, nodes, size);
    if (status != DGM_OK || same)
        return status;
    grid->inverse = 1 / spacing;
    /* Where the kernel is nearly constant, single precision would lose it: what it is half way is
     * left out. */
    grid->kernel = (dgmi_reduce_kernel){spacing, 0.25 * (double)(nodes[1] * nodes[1])};
    dgmi_reduce_convolution_kernel(&grid->convolution, &grid->kernel);
    find_self(grid);
    return DGM_OK;
}

/* ---- weights ---- */

/* The first node that a coordinate reaches, and how far past the second it lies, in spacings. */
static inline int64_t find_node(const struct dgmi_reduce_grid *grid, int way, float at,
                                float *rest) {
    float t = (at - grid->low[way]) * grid->inverse;
    int64_t node = (int64_t)t, last = grid->convolution.nodes[way] - TAPS;
    node = node > last ? last : node;
    assert(node >= 0);
    *rest = t - (float)node;
    return node;
}

static inline four spline(float u) {
    float v = 1 - u, u2 = u * u, v2 = v * v;
    return (four){v2 * v, 4 - 3 * u2 * (2 - u), 4 - 3 * v2 * (2 - v), u2 * u} * (1.0F / 6);
}

static inline four spline_slope(float u) {
    float v = 1 - u;
    return (four){-0.5F * v * v, u * (1.5F * u - 2), v * (2 - 1.5F * v), 0.5F * u * u};
}

/* ---- points onto nodes ---- */

static int64_t band_of(const struct dgmi_reduce_grid *grid, int64_t i) {
    float rest;
    if (grid->axis[0] < 0)
        return 0;
    return find_node(grid, 0, grid->job->y->axis[grid->axis[0]][i], &rest) / BAND;
}

static void count_chunk(void *argument, int64_t chunk, int thread) {
    struct dgmi_reduce_grid *grid = argument;
    int64_t begin, end, *counts = grid->counts + chunk * grid->bands;
    (void)thread;
    dgmi_chunk(grid->job->y->count, GRAIN, chunk, &begin, &end);
    memset(counts, 0, (size_t)grid->bands * sizeof *counts);
    for (int64_t i = begin; i < end; i++)
        counts[band_of(grid, i)]++;
}

static void sort_chunk(void *argument, int64_t chunk, int thread) {
    struct dgmi_reduce_grid *grid = argument;
    int64_t begin, end, *to = grid->counts + chunk * grid->bands;
    (void)thread;
    dgmi_chunk(grid->job->y->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        grid->points[to[band_of(grid, i)]++] = (uint32_t)i;
}

/* Points by bands of rows, in each by index. */
static dgm_status sort_points(struct dgmi_reduce_grid *grid) {
    dgm_context *ctx = grid->job->ctx;
    grid->bands = (grid->convolution.nodes[0] + BAND - 1) / BAND;
    if (grid->bands > grid->band_space) {
        dgmi_free(ctx, grid->counts);
        dgmi_free(ctx, grid->starts);
        grid->band_space = grid->bands * 2;
        grid->counts = dgmi_alloc(ctx, grid->chunks * grid->band_space, sizeof *grid->counts);
        grid->starts = dgmi_alloc(ctx, grid->band_space + 1, sizeof *grid->starts);
        if (!grid->counts || !grid->starts) {
            grid->band_space = 0;
            return DGM_ERROR_MEMORY;
        }
    }
    dgmi_parallel(ctx, grid->chunks, count_chunk, grid);
    int64_t total = 0;
    for (int64_t band = 0; band < grid->bands; band++) {
        grid->starts[band] = total;
        for (int64_t c = 0; c < grid->chunks; c++) {
            int64_t count = grid->counts[c * grid->bands + band];
            grid->counts[c * grid->bands + band] = total;
            total += count;
        }
    }
    grid->starts[grid->bands] = total;
    assert(total == grid->job->y->count);
    dgmi_parallel(ctx, grid->chunks, sort_chunk, grid);
    return DGM_OK;
}

static inline void add_four(float *to, four value) {
    four there;
    memcpy(&there, to, sizeof there);
    there += value;
    memcpy(to, &there, sizeof there);
}

/* A band reaches TAPS - 1 rows into the next, never further. */
static void fill_band(void *argument, int64_t chunk, int thread) {
    struct dgmi_reduce_grid *grid = argument;
    const dgmi_kernels_embedding *y = grid->job->y;
    int64_t band = 2 * chunk + grid->parity, columns = grid->convolution.nodes[1];
    (void)thread;
    for (int64_t p = grid->starts[band]; p < grid->starts[band + 1]; p++) {
        int64_t i = grid->points[p], row = 0;
        float u, v = 0;
        int64_t column = find_node(grid, 1, y->axis[grid->axis[1]][i], &u);
        four across = spline(u);
        float *values = grid->convolution.values + column;
        if (grid->axis[0] < 0) {
            add_four(values, across);
            continue;
        }
        row = find_node(grid, 0, y->axis[grid->axis[0]][i], &v);
        four down = spline(v);
        for (int a = 0; a < TAPS; a++)
            add_four(values + (row + a) * columns, down[a] * across);
    }
}

static void fill_nodes(struct dgmi_reduce_grid *grid) {
    memset(grid->convolution.values, 0,
           (size_t)(grid->convolution.nodes[0] * grid->convolution.nodes[1]) * sizeof(float));
    grid->parity = 0;
    dgmi_parallel(grid->job->ctx, (grid->bands + 1) / 2, fill_band, grid);
    grid->parity = 1;
    dgmi_parallel(grid->job->ctx, grid->bands / 2, fill_band, grid);
}

/* ---- nodes back to points ---- */

static inline float dot(four a, four b) {
    four c = a * b;
    return (c[0] + c[1]) + (c[2] + c[3]);
}

/* The pairs of nodes 0 to 3 apart that a point reaches, weighed by a_i b_j + b_i a_j. */
static inline four pair_up(four a, four b) {
    four turned = {b[1], b[2], b[3], 0}, other = {a[1], a[2], a[3], 0};
    four twice = {b[2], b[3], 0, 0}, twice_other = {a[2], a[3], 0, 0};
    return (four){dot(a, b), dot(a, turned) + dot(b, other), dot(a, twice) + dot(b, twice_other),
                  a[0] * b[3] + b[0] * a[3]};
}

/* A point alone must rest: what the grid says of its own charge, which depends on where between the
 * nodes it lies, is taken off; at itself the kernel is 1. So must a heap of equal points, which lie
 * in one place of the map: what the grid says of all of them is taken off, or it would hold the
 * heap between its nodes. */
typedef struct {
    float sum, down, across;
} self_effect;

static inline self_effect find_effect(const struct dgmi_reduce_grid *grid, four down,
                                      four down_slope, four across, four across_slope) {
    four rows = pair_up(down, down), row_slopes = pair_up(down, down_slope);
    four columns = pair_up(across, across), column_slopes = pair_up(across, across_slope);
    four value = {0}, slope = {0};
    for (int a = 0; a < TAPS; a++) {
        value += rows[a] * grid->self[a];
        slope += row_slopes[a] * grid->self[a];
    }
    return (self_effect){dot(value, columns), dot(slope, columns), dot(value, column_slopes)};
}

static inline void read_point(const struct dgmi_reduce_grid *grid, int64_t i) {
    dgmi_reduce_repulsion *job = grid->job;
    int64_t stride = grid->convolution.nodes[1];
    float u, v, scale = -0.5F * grid->inverse;
    const float *values =
        grid->convolution.values + find_node(grid, 1, job->y->axis[grid->axis[1]][i], &u);
    four value = {0}, slope = {0}, node, across = spline(u), across_slope = spline_slope(u);
    four down = {1, 0, 0, 0}, down_slope = {0};
    if (grid->axis[0] >= 0) {
        values += find_node(grid, 0, job->y->axis[grid->axis[0]][i], &v) * stride;
        down = spline(v);
        down_slope = spline_slope(v);
        for (int a = 0; a < TAPS; a++) {
            memcpy(&node, values + a * stride, sizeof node);
            value += down[a] * node;
            slope += down_slope[a] * node;
        }
    } else {
        memcpy(&value, values, sizeof value);
    }
    self_effect self = find_effect(grid, down, down_slope, across, across_slope);
    float copies = job->copies ? job->copies[i] : 1;
    if (grid->axis[0] >= 0)
        job->force[grid->axis[0]][i] = scale * (dot(slope, across) - copies * self.down);
    job->force[grid->axis[1]][i] = scale * (dot(value, across_slope) - copies * self.across);
    job->sums[i] =
        dot(value, across) - copies * self.sum + grid->rest + (copies - 1) * (1 - grid->left_out);
}

static void read_chunk(void *argument, int64_t chunk, int thread) {
    struct dgmi_reduce_grid *grid = argument;
    int64_t begin, end;
    (void)thread;
    dgmi_chunk(grid->job->y->count, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        read_point(grid, i);
}

/* ---- the method ---- */

dgm_status dgmi_reduce_grid_run(struct dgmi_reduce_grid *grid) {
    dgm_status status = place_nodes(grid);
    if (status == DGM_OK)
        status = sort_points(grid);
    if (status != DGM_OK)
        return status;
    double step = (double)grid->kernel.spacing;
    double left_out = 1 / (1 + step * step * grid->kernel.zero);
    grid->left_out = (float)left_out;
    grid->rest = (float)(1 + (double)(grid->job->y->count - 1) * left_out);
    fill_nodes(grid);
    dgmi_reduce_convolution_run(&grid->convolution);
    dgmi_parallel(grid->job->ctx, grid->chunks, read_chunk, grid);
    return DGM_OK;
}

void dgmi_reduce_grid_close(struct dgmi_reduce_grid *grid) {
    dgm_context *ctx = grid->job->ctx;
    dgmi_reduce_convolution_free(&grid->convolution);
    dgmi_free(ctx, grid->counts);
    dgmi_free(ctx, grid->starts);
}

dgm_status dgmi_reduce_grid_open(dgmi_reduce_repulsion *job, struct dgmi_reduce_grid **out) {
    dgm_context *ctx = job->ctx;
    int64_t chunks = dgmi_chunks(job->y->count, GRAIN);
    struct dgmi_reduce_grid *grid = *out = dgmi_scratch_zero(ctx, 1, sizeof *grid);
    if (!grid)
        return DGM_ERROR_MEMORY;
    grid->job = job;
    grid->convolution.ctx = ctx;
    grid->axis[0] = job->y->dim == 2 ? 0 : -1;
    grid->axis[1] = job->y->dim - 1;
    grid->chunks = chunks;
    grid->lows = dgmi_scratch(ctx, 2 * chunks, sizeof *grid->lows);
    grid->highs = dgmi_scratch(ctx, 2 * chunks, sizeof *grid->highs);
    grid->points = dgmi_scratch(ctx, job->y->count, sizeof *grid->points);
    return grid->lows && grid->highs && grid->points ? DGM_OK : DGM_ERROR_MEMORY;
}
