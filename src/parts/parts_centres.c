/* SPDX-License-Identifier: Apache-2.0 */
/* K-means: centres that lie in the middle of the points that are nearest to them (Lloyd, Least
 * squares quantization in PCM, 1982).
 *
 * The first centres are drawn from the points, each next one with a chance that grows with the
 * square of its distance from those before it (Arthur and Vassilvitskii, k-means++, 2007). Several
 * such draws are tried on a sample, the best goes on with all points. O(n k d) for each step.
 */
#include "parts_centres.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"
#include "kernels_kernels.h"
#include "parts_communities.h"

enum {
    STREAM = 0x63656e74,
    SAMPLE = 5000, /* points that draws are tried on */
    DRAWS = 4,
    STEPS = 30,      /* of a draw, at most */
    LAST_STEPS = 15, /* with all points */
    BLOCK = 1 << 14, /* points that meet all centres at once */
    GRAIN = 1 << 10,
};

/* Points and the centres that they are given to. */
typedef struct centre_job {
    dgm_context *ctx;
    dgmi_table_tensor points, centres;
    const float *squares; /* of the points' lengths */
    float *halves;        /* half the squares of the centres' lengths */
    float *scores;        /* of a block: points x centres */
    uint32_t *part;
    double *sums; /* by chunk: the points of each centre, and how many */
    double *far;  /* by chunk: the squares of the distances from the nearest centres */
    int64_t *moved;
    int64_t first; /* the first point of the block */
} centre_job;

/* ---- nearest centres ---- */

/* |x - c|^2 = |x|^2 - 2 (x c - |c|^2 / 2) */
static void choose_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const centre_job *job = argument;
    int64_t k = job->centres.rows, rows = job->points.rows - job->first, begin, end, moved = 0;
    double far = 0;
    rows = rows < BLOCK ? rows : BLOCK;
    dgmi_chunk(rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const float *score = job->scores + i * k;
        int64_t best = 0, row = job->first + i;
        for (int64_t c = 1; c < k; c++)
            if (score[c] - job->halves[c] > score[best] - job->halves[best])
                best = c;
        moved += job->part[row] != (uint32_t)best;
        job->part[row] = (uint32_t)best;
        far += fmax(0, job->squares[row] - 2 * (double)(score[best] - job->halves[best]));
    }
    job->far[job->first / GRAIN + chunk] = far;
    job->moved[job->first / GRAIN + chunk] = moved;
}

static void measure_centres(const centre_job *job) {
    for (int64_t c = 0; c < job->centres.rows; c++) {
        const float *centre = job->centres.values + c * job->centres.columns;
        double sum = 0;
        for (int64_t j = 0; j < job->centres.columns; j++)
            sum += (double)centre[j] * centre[j];
        job->halves[c] = (float)(sum / 2);
    }
}

/* Gives every point to its nearest centre. Returns the sum of the squares of the distances, and how
 * many points changed their centre. */
static double choose(centre_job *job, int64_t *moved) {
    int64_t rows = job->points.rows, columns = job->points.columns;
    const dgmi_kernels *kernels = dgmi_kernels_find(NULL);
    double far = 0;
    measure_centres(job);
    for (job->first = 0; job->first < rows; job->first += BLOCK) {
        int64_t here = rows - job->first < BLOCK ? rows - job->first : BLOCK;
        const dgmi_table_tensor block = {here, columns, job->points.values + job->first * columns};
        dgmi_table_tensor scores = {here, job->centres.rows, job->scores};
        kernels->product(job->ctx,
                         &(dgmi_kernels_product){
                             .transpose_b = true, .a = &block, .b = &job->centres, .c = &scores});
        dgmi_parallel(job->ctx, dgmi_chunks(here, GRAIN), choose_chunk, job);
    }
    *moved = 0;
    for (int64_t c = 0; c < dgmi_chunks(rows, GRAIN); c++) {
        far += job->far[c];
        *moved += job->moved[c];
    }
    return far;
}

/* ---- new centres ---- */

/* Sums are taken over a few fixed ranges of points, so that they do not depend on threads. */
enum { RANGES = 16 };

static void sum_range(void *argument, int64_t range, int thread) {
    (void)thread;
    const centre_job *job = argument;
    int64_t rows = job->points.rows, columns = job->points.columns, width = columns + 1;
    double *sums = job->sums + range * job->centres.rows * width;
    memset(sums, 0, (size_t)(job->centres.rows * width) * sizeof *sums);
    for (int64_t i = rows * range / RANGES; i < rows * (range + 1) / RANGES; i++) {
        const float *point = job->points.values + i * columns;
        double *sum = sums + job->part[i] * width;
        for (int64_t j = 0; j < columns; j++)
            sum[j] += point[j];
        sum[columns] += 1;
    }
}

/* Moves each centre into the middle of its points; one without points stays. */
static void move_centres(centre_job *job) {
    int64_t k = job->centres.rows, columns = job->centres.columns, width = columns + 1;
    dgmi_parallel(job->ctx, RANGES, sum_range, job);
    for (int64_t range = 1; range < RANGES; range++)
        for (int64_t i = 0; i < k * width; i++)
            job->sums[i] += job->sums[range * k * width + i];
    for (int64_t c = 0; c < k; c++) {
        const double *sum = job->sums + c * width;
        for (int64_t j = 0; sum[columns] > 0 && j < columns; j++)
            job->centres.values[c * columns + j] = (float)(sum[j] / sum[columns]);
    }
}

/* Steps until less than one point in a thousand changes its centre. Returns the sum of squares. */
static dgm_status descend(centre_job *job, int most, double *far) {
    int64_t moved = job->points.rows;
    dgm_status status = DGM_OK;
    *far = choose(job, &moved);
    for (int step = 0; status == DGM_OK && step < most && 1000 * moved > job->points.rows; step++) {
        move_centres(job);
        *far = choose(job, &moved);
        status = dgmi_progress(job->ctx, "finding centres", -1);
    }
    return status;
}

/* ---- first centres ---- */

static double square_between(const centre_job *job, int64_t i, int64_t k) {
    int64_t columns = job->points.columns;
    const float *a = job->points.values + i * columns, *b = job->points.values + k * columns;
    double sum = 0;
    for (int64_t j = 0; j < columns; j++)
        sum += ((double)a[j] - b[j]) * ((double)a[j] - b[j]);
    return sum;
}

/* Draws the first centres; `near` has room for a number a point. Fewer are found if no point lies
 * apart from those that are there. */
static void draw_centres(centre_job *job, int64_t most, int64_t seed, int draw, double *near) {
    int64_t rows = job->points.rows, columns = job->points.columns, chosen = 0;
    dgmi_random random = {(uint64_t)seed, STREAM + (uint64_t)draw, 0};
    int64_t next = (int64_t)dgmi_random_next_below(&random, (uint64_t)rows);
    for (int64_t i = 0; i < rows; i++)
        near[i] = INFINITY;
    while (chosen < most && next < rows) {
        double sum = 0;
        memcpy(job->centres.values + chosen++ * columns, job->points.values + next * columns,
               (size_t)columns * sizeof(float));
        for (int64_t i = 0; i < rows; i++) {
            near[i] = fmin(near[i], square_between(job, i, next));
            sum += near[i];
        }
        double mark = dgmi_random_next(&random) * sum;
        next = sum > 0 ? 0 : rows;
        for (; next < rows - 1 && (mark -= near[next]) >= 0;)
            next++;
    }
    job->centres.rows = chosen;
}

static dgm_status open_job(centre_job *job, int64_t rows, int64_t centres) {
    dgm_context *ctx = job->ctx;
    int64_t columns = job->points.columns, chunks = dgmi_chunks(rows, GRAIN);
    job->halves = dgmi_scratch(ctx, centres, sizeof *job->halves);
    job->scores = dgmi_scratch(ctx, BLOCK * centres, sizeof *job->scores);
    job->part = dgmi_scratch_zero(ctx, rows, sizeof *job->part);
    job->sums = dgmi_scratch(ctx, RANGES * centres * (columns + 1), sizeof *job->sums);
    job->far = dgmi_scratch(ctx, chunks, sizeof *job->far);
    job->moved = dgmi_scratch(ctx, chunks, sizeof *job->moved);
    job->centres =
        (dgmi_table_tensor){centres, columns, dgmi_scratch(ctx, centres * columns, sizeof(float))};
    return job->halves && job->scores && job->part && job->sums && job->far && job->moved &&
                   job->centres.values
               ? DGM_OK
               : DGM_ERROR_MEMORY;
}

/* The points of a sample: every so manieth. */
static dgm_status take_sample(centre_job *all, centre_job *out) {
    int64_t rows = all->points.rows, columns = all->points.columns,
            step = dgmi_chunks(rows, SAMPLE), taken = dgmi_chunks(rows, step);
    float *values = dgmi_scratch(all->ctx, taken * columns, sizeof *values);
    float *squares = dgmi_scratch(all->ctx, taken, sizeof *squares);
    if (!values || !squares)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < taken; i++) {
        memcpy(values + i * columns, all->points.values + i * step * columns,
               (size_t)columns * sizeof *values);
        squares[i] = all->squares[i * step];
    }
    *out = (centre_job){.ctx = all->ctx, .points = {taken, columns, values}, .squares = squares};
    return open_job(out, taken, all->centres.rows);
}

/* The best of several draws becomes the centres of all points. */
static dgm_status try_draws(centre_job *all, int64_t most, int64_t seed) {
    centre_job job;
    double best = INFINITY, far;
    dgm_status status = take_sample(all, &job);
    double *near = status == DGM_OK ? dgmi_scratch(all->ctx, job.points.rows, sizeof *near) : NULL;
    for (int draw = 0; near && status == DGM_OK && draw < DRAWS; draw++) {
        draw_centres(&job, most, seed, draw, near);
        status = descend(&job, STEPS, &far);
        if (status == DGM_OK && far < best) {
            best = far;
            all->centres.rows = job.centres.rows;
            memcpy(all->centres.values, job.centres.values,
                   (size_t)dgmi_table_tensor_count(&job.centres) * sizeof(float));
        }
    }
    return near ? status : DGM_ERROR_MEMORY;
}

dgm_status dgmi_parts_centres(dgm_context *ctx, const dgmi_table_tensor *points, int64_t centres,
                              int64_t seed, uint32_t *parts, int64_t *count) {
    centre_job job = {.ctx = ctx, .points = *points};
    int64_t rows = points->rows, columns = points->columns;
    double far;
    *count = 0;
    if (rows == 0)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    float *squares = dgmi_scratch_zero(ctx, rows, sizeof *squares);
    job.squares = squares;
    centres = centres < rows ? centres : rows;
    dgm_status status = dgmi_kernels_blas_open(ctx);
    if (status == DGM_OK)
        status = squares ? open_job(&job, rows, centres) : DGM_ERROR_MEMORY;
    for (int64_t i = 0; status == DGM_OK && i < rows * columns; i++)
        squares[i / columns] += points->values[i] * points->values[i];
    if (status == DGM_OK)
        status = try_draws(&job, centres, seed);
    if (status == DGM_OK)
        status = descend(&job, LAST_STEPS, &far);
    if (status == DGM_OK) {
        memcpy(parts, job.part, (size_t)rows * sizeof *parts);
        status = dgmi_parts_number(ctx, rows, parts, count);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}
