/* SPDX-License-Identifier: Apache-2.0 */
/* A dense layer, some rows at a time, while they are in the second cache: the product in tiles that
 * stay in registers, and passes over its result. One thread's work each. */
#include "kernels_lanes.h"

#include "kernels_maths.h"
#include <assert.h>

enum {
    SLAB = DGMI_KERNELS_BLOCK_SLAB,
    TILE_ROWS = 6,                      /* times TILE_VECTORS: sums held in registers, */
    TILE_VECTORS = LANES == 16 ? 4 : 2, /* of which AVX-512 has twice as many */
    TILE_COLUMNS = TILE_VECTORS * LANES,
};

/* ---- product ---- */

/* `rows` <= TILE_ROWS rows of C, `vectors` <= TILE_VECTORS vectors of columns; both are constants
 * where this is used, as is `along`: A's numbers of a row of C lie side by side. A `rest` above 0 is
 * the number of columns of the one vector there is. */
KERNEL_INLINE void multiply_tile(const dgmi_kernels_tile *t, int rows, int vectors, int rest,
                                 bool along, const float *a, const float *b, float *c) {
    lanes sums[TILE_ROWS][TILE_VECTORS] = {{{0}}};
    const int64_t row = along ? t->a_row : 1, step = along ? 1 : t->a_step;
    const int64_t b_stride = t->b_stride;
    for (int64_t k = 0; k < t->depth; k++, a += step, b += b_stride) {
        lanes across[TILE_VECTORS];
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++)
            across[v] = lanes_load_rest(b + v * LANES, rest);
#pragma GCC unroll 6
        for (int r = 0; r < rows; r++) {
            lanes down = lanes_all(a[r * row]);
#pragma GCC unroll 4
            for (int v = 0; v < vectors; v++)
                sums[r][v] += down * across[v];
        }
    }
#pragma GCC unroll 6
    for (int r = 0; r < rows; r++)
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++) {
            float *to = c + r * t->c_stride + v * LANES;
            lanes sum = t->add ? lanes_load_rest(to, rest) + sums[r][v] : sums[r][v];
            lanes_store_rest(to, sum, rest);
        }
}

/* Rows that fill no tile go one, two or four at a time. */
KERNEL_INLINE void multiply_strip(const dgmi_kernels_tile *t, int vectors, int rest, bool along,
                                  const float *b, float *c) {
    const int64_t row = along ? t->a_row : 1;
    const float *a = t->a;
    int64_t i = 0;
    for (; i + TILE_ROWS <= t->rows; i += TILE_ROWS)
        multiply_tile(t, TILE_ROWS, vectors, rest, along, a + i * row, b, c + i * t->c_stride);
    if (i + 4 <= t->rows) {
        multiply_tile(t, 4, vectors, rest, along, a + i * row, b, c + i * t->c_stride);
        i += 4;
    }
    if (i + 2 <= t->rows) {
        multiply_tile(t, 2, vectors, rest, along, a + i * row, b, c + i * t->c_stride);
        i += 2;
    }
    if (i < t->rows)
        multiply_tile(t, 1, vectors, rest, along, a + i * row, b, c + i * t->c_stride);
}

/* Columns j and on, as many as `vectors` hold or `rest` says. */
KERNEL_INLINE void multiply_columns(const dgmi_kernels_tile *t, int vectors, int rest, int64_t j) {
    if (t->a_step == 1)
        multiply_strip(t, vectors, rest, true, t->b + j, t->c + j);
    else
        multiply_strip(t, vectors, rest, false, t->b + j, t->c + j);
}

void KERNEL(tile_product)(const dgmi_kernels_tile *tile) {
    assert(tile->a_row == 1 || tile->a_step == 1);
    assert(tile->columns <= tile->b_stride && tile->columns <= tile->c_stride);
    int64_t j = 0;
    for (; j + TILE_COLUMNS <= tile->columns; j += TILE_COLUMNS)
        multiply_columns(tile, TILE_VECTORS, 0, j);
    if (j + TILE_COLUMNS / 2 <= tile->columns) {
        multiply_columns(tile, TILE_VECTORS / 2, 0, j);
        j += TILE_COLUMNS / 2;
    }
    for (; j + LANES <= tile->columns; j += LANES)
        multiply_columns(tile, 1, 0, j);
    if (j < tile->columns)
        multiply_columns(tile, 1, (int)(tile->columns - j), j);
}

/* ---- passes ---- */

/* Columns side by side that a pass goes down the rows with. */
enum { STRIP = 4 * LANES };

void KERNEL(block_elu)(int64_t rows, const float *bias, float *y) {
    assert(rows >= 0);
    for (int j = 0; j < SLAB; j += STRIP) {
        float *at = y + j;
        lanes shift[4];
        for (int v = 0; v < 4; v++)
            shift[v] = lanes_load(bias + j + v * LANES);
        for (int64_t i = 0; i < rows; i++, at += SLAB)
#pragma GCC unroll 4
            for (int v = 0; v < 4; v++)
                lanes_store(at + v * LANES, lanes_elu(lanes_load(at + v * LANES) + shift[v]));
    }
}

void KERNEL(block_elu_backward)(int64_t rows, const float *y, float *slopes, float *sums) {
    assert(rows >= 0);
    for (int j = 0; j < SLAB; j += STRIP) {
        const float *at = y + j;
        float *slope = slopes + j;
        lanes totals[4] = {{0}};
        for (int64_t i = 0; i < rows; i++, at += SLAB, slope += SLAB)
#pragma GCC unroll 4
            for (int v = 0; v < 4; v++) {
                lanes dz =
                    lanes_load(slope + v * LANES) * lanes_elu_slope(lanes_load(at + v * LANES));
                totals[v] += dz;
                lanes_store(slope + v * LANES, dz);
            }
        for (int v = 0; v < 4; v++) {
            float *sum = sums + j + v * LANES;
            lanes_store(sum, lanes_load(sum) + totals[v]);
        }
    }
}
