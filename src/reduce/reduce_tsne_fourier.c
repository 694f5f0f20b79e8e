/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions on a grid by KissFFT: real transforms of rows, complex ones of columns. Rows and
 * columns come in fixed blocks, so results do not depend on the number of threads.
 */
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "reduce_tsne_grid.h"

enum { BLOCK = 8 }; /* rows or columns at once: a line of the cache of complex numbers */

/* ---- room ---- */

int dgmi_reduce_convolution_size(int64_t least) {
    for (int64_t size = least + least % 2;; size += 2) {
        int64_t rest = size;
        while (rest % 2 == 0)
            rest /= 2;
        while (rest % 3 == 0)
            rest /= 3;
        while (rest % 5 == 0)
            rest /= 5;
        if (rest == 1)
            return (int)size;
    }
}

void dgmi_reduce_convolution_free(dgmi_reduce_convolution *grid) {
    dgm_context *ctx = grid->ctx;
    for (int t = 0; t < grid->threads; t++) {
        dgmi_free(ctx, grid->forward ? grid->forward[t] : NULL);
        dgmi_free(ctx, grid->backward ? grid->backward[t] : NULL);
    }
    dgmi_free(ctx, grid->forward);
    dgmi_free(ctx, grid->backward);
    dgmi_free(ctx, grid->down);
    dgmi_free(ctx, grid->up);
    dgmi_free(ctx, grid->values);
    dgmi_free(ctx, grid->half);
    dgmi_free(ctx, grid->spectrum);
    dgmi_free(ctx, grid->buffer);
    *grid = (dgmi_reduce_convolution){.ctx = ctx};
}

static void *make_complex(dgm_context *ctx, int size, int inverse) {
    size_t bytes = 0;
    kiss_fft_alloc(size, inverse, NULL, &bytes);
    void *memory = dgmi_alloc(ctx, (int64_t)bytes, 1);
    return memory ? kiss_fft_alloc(size, inverse, memory, &bytes) : NULL;
}

static void *make_real(dgm_context *ctx, int size, int inverse) {
    size_t bytes = 0;
    kiss_fftr_alloc(size, inverse, NULL, &bytes);
    void *memory = dgmi_alloc(ctx, (int64_t)bytes, 1);
    return memory ? kiss_fftr_alloc(size, inverse, memory, &bytes) : NULL;
}

static bool make_plans(dgmi_reduce_convolution *grid) {
    dgm_context *ctx = grid->ctx;
    grid->forward = dgmi_alloc_zero(ctx, grid->threads, sizeof(kiss_fftr_cfg));
    grid->backward = dgmi_alloc_zero(ctx, grid->threads, sizeof(kiss_fftr_cfg));
    if (!grid->forward || !grid->backward)
        return false;
    for (int t = 0; t < grid->threads; t++) {
        grid->forward[t] = make_real(ctx, grid->size[1], 0);
        grid->backward[t] = make_real(ctx, grid->size[1], 1);
        if (!grid->forward[t] || !grid->backward[t])
            return false;
    }
    grid->down = make_complex(ctx, grid->size[0], 0);
    grid->up = make_complex(ctx, grid->size[0], 1);
    return grid->down && grid->up;
}

static bool make_arrays(dgmi_reduce_convolution *grid) {
    dgm_context *ctx = grid->ctx;
    int64_t longest = grid->size[0] > grid->size[1] ? grid->size[0] : grid->size[1];
    grid->width = grid->size[1] / 2 + 1;
    grid->buffer_size = longest * (BLOCK + 1);
    grid->values = dgmi_alloc(ctx, (int64_t)(grid->size[0] / 2 + 1) * (grid->size[1] / 2),
                              sizeof *grid->values);
    grid->half =
        dgmi_alloc(ctx, (int64_t)(grid->size[0] / 2 + 1) * grid->width, sizeof *grid->half);
    grid->spectrum = dgmi_alloc(ctx, grid->size[0] * grid->width, sizeof *grid->spectrum);
    grid->buffer = dgmi_alloc(ctx, grid->threads * grid->buffer_size, sizeof *grid->buffer);
    return grid->values && grid->half && grid->spectrum && grid->buffer;
}

dgm_status dgmi_reduce_convolution_resize(dgmi_reduce_convolution *grid, const int64_t nodes[2],
                                          const int size[2]) {
    bool same = grid->values && grid->size[0] == size[0] && grid->size[1] == size[1];
    if (!same) {
        dgmi_reduce_convolution_free(grid);
        grid->threads = dgm_context_threads(grid->ctx);
        memcpy(grid->size, size, sizeof grid->size);
        if (!make_arrays(grid) || !make_plans(grid)) {
            dgmi_reduce_convolution_free(grid);
            return DGM_ERROR_MEMORY;
        }
    }
    memcpy(grid->nodes, nodes, sizeof grid->nodes);
    return DGM_OK;
}

/* ---- the kernel ---- */

typedef struct {
    dgmi_reduce_convolution *grid;
    const dgmi_reduce_kernel *kernel;
} kernel_job;

/* Row r is row size - r: half of them are enough. */
static void kernel_rows(void *argument, int64_t chunk, int thread) {
    kernel_job *job = argument;
    dgmi_reduce_convolution *grid = job->grid;
    float *row = (float *)(grid->buffer + thread * grid->buffer_size);
    double step = (double)job->kernel->spacing, far = step * step * job->kernel->zero;
    int64_t begin, end;
    dgmi_chunk(grid->size[0] / 2 + 1, BLOCK, chunk, &begin, &end);
    for (int64_t r = begin; r < end; r++) {
        for (int64_t c = 0; c < grid->size[1]; c++) {
            double across = (double)(c <= grid->size[1] / 2 ? c : grid->size[1] - c);
            double square = ((double)r * (double)r + across * across) * step * step;
            row[c] = (float)((far - square) / ((1 + square) * (1 + far)));
        }
        kiss_fftr(grid->forward[thread], row, grid->half + r * grid->width);
    }
}

/* The cubic B-spline's values at nodes, 1/6, 4/6, 1/6, transformed: a curve through given values
 * has coefficients divided by it. Once for where charges are, once for where they act. */
static double spline_share(int64_t frequency, int size) {
    double b = size == 1 ? 1 : (2 + cos(6.283185307179586 * (double)frequency / (double)size)) / 3;
    return b * b * (double)size;
}

static void kernel_columns(void *argument, int64_t chunk, int thread) {
    kernel_job *job = argument;
    dgmi_reduce_convolution *grid = job->grid;
    kiss_fft_cpx *in = grid->buffer + thread * grid->buffer_size, *out = in + grid->size[0];
    int64_t begin, end, rows = grid->size[0];
    dgmi_chunk(grid->width, BLOCK, chunk, &begin, &end);
    for (int64_t c = begin; c < end; c++) {
        for (int64_t r = 0; r < rows; r++)
            in[r] = grid->half[(r <= rows / 2 ? r : rows - r) * grid->width + c];
        kiss_fft(grid->down, in, out);
        for (int64_t r = 0; r < rows; r++)
            grid->spectrum[c * rows + r] =
                (float)((double)out[r].r /
                        (spline_share(r, grid->size[0]) * spline_share(c, grid->size[1])));
    }
}

void dgmi_reduce_convolution_kernel(dgmi_reduce_convolution *grid,
                                    const dgmi_reduce_kernel *kernel) {
    kernel_job job = {grid, kernel};
    dgmi_parallel(grid->ctx, dgmi_chunks(grid->size[0] / 2 + 1, BLOCK), kernel_rows, &job);
    dgmi_parallel(grid->ctx, dgmi_chunks(grid->width, BLOCK), kernel_columns, &job);
}

/* ---- the convolution ---- */

static void transform_rows(void *argument, int64_t chunk, int thread) {
    dgmi_reduce_convolution *grid = argument;
    float *row = (float *)(grid->buffer + thread * grid->buffer_size);
    int64_t begin, end;
    dgmi_chunk(grid->nodes[0], BLOCK, chunk, &begin, &end);
    memset(row, 0, (size_t)grid->size[1] * sizeof *row);
    for (int64_t r = begin; r < end; r++) {
        memcpy(row, grid->values + r * grid->nodes[1], (size_t)grid->nodes[1] * sizeof *row);
        kiss_fftr(grid->forward[thread], row, grid->half + r * grid->width);
    }
}

/* A column down, times the kernel, and up again. */
static void convolve_column(dgmi_reduce_convolution *grid, int64_t c, kiss_fft_cpx *column,
                            kiss_fft_cpx *space) {
    const float *spectrum = grid->spectrum + c * grid->size[0];
    if (grid->size[0] == 1) {
        column[0].r *= spectrum[0];
        column[0].i *= spectrum[0];
        return;
    }
    kiss_fft(grid->down, column, space);
    for (int64_t r = 0; r < grid->size[0]; r++) {
        space[r].r *= spectrum[r];
        space[r].i *= spectrum[r];
    }
    kiss_fft(grid->up, space, column);
}

static void convolve_columns(void *argument, int64_t chunk, int thread) {
    dgmi_reduce_convolution *grid = argument;
    int64_t begin, end, rows = grid->size[0];
    kiss_fft_cpx *columns = grid->buffer + thread * grid->buffer_size;
    kiss_fft_cpx *space = columns + BLOCK * rows;
    dgmi_chunk(grid->width, BLOCK, chunk, &begin, &end);
    for (int64_t r = 0; r < grid->nodes[0]; r++)
        for (int64_t c = begin; c < end; c++)
            columns[(c - begin) * rows + r] = grid->half[r * grid->width + c];
    for (int64_t c = begin; c < end; c++) {
        kiss_fft_cpx *column = columns + (c - begin) * rows;
        memset(column + grid->nodes[0], 0, (size_t)(rows - grid->nodes[0]) * sizeof *column);
        convolve_column(grid, c, column, space);
    }
    for (int64_t r = 0; r < grid->nodes[0]; r++)
        for (int64_t c = begin; c < end; c++)
            grid->half[r * grid->width + c] = columns[(c - begin) * rows + r];
}

static void restore_rows(void *argument, int64_t chunk, int thread) {
    dgmi_reduce_convolution *grid = argument;
    float *row = (float *)(grid->buffer + thread * grid->buffer_size);
    int64_t begin, end;
    dgmi_chunk(grid->nodes[0], BLOCK, chunk, &begin, &end);
    for (int64_t r = begin; r < end; r++) {
        kiss_fftri(grid->backward[thread], grid->half + r * grid->width, row);
        memcpy(grid->values + r * grid->nodes[1], row, (size_t)grid->nodes[1] * sizeof *row);
    }
}

void dgmi_reduce_convolution_run(dgmi_reduce_convolution *grid) {
    int64_t rows = dgmi_chunks(grid->nodes[0], BLOCK), columns = dgmi_chunks(grid->width, BLOCK);
    dgmi_parallel(grid->ctx, rows, transform_rows, grid);
    dgmi_parallel(grid->ctx, columns, convolve_columns, grid);
    dgmi_parallel(grid->ctx, rows, restore_rows, grid);
}
