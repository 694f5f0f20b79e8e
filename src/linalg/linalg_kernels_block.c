/* SPDX-License-Identifier: Apache-2.0 */
/* A dense layer, some rows at a time, while they are in the second cache: the product in tiles that
 * stay in registers, and passes over its result. One thread's work each. */
#include "linalg_kernels_lanes.h"
#include "linalg_kernels_maths.h"

enum {
    PANEL = DGMI_BLOCK_PANEL,
    TILE_ROWS = 6,                      /* times TILE_VECTORS: sums held in registers, */
    TILE_VECTORS = LANES == 16 ? 4 : 2, /* of which AVX-512 has twice as many */
    TILE_COLUMNS = TILE_VECTORS * LANES,
    LINE = 64,
};

/* ---- product ---- */

/* `rows` <= TILE_ROWS rows of C, `vectors` <= TILE_VECTORS vectors of columns; both are constants
 * where this is used, as is `along`: A's numbers of a row of C lie side by side. */
KERNEL_INLINE void multiply_tile(const dgmi_tile *t, int rows, int vectors, bool along,
                                 const float *a, const float *b, float *c) {
    lanes sums[TILE_ROWS][TILE_VECTORS] = {{{0}}};
    const int64_t row = along ? t->a_row : 1, step = along ? 1 : t->a_step;
    const int64_t b_stride = t->b_stride;
    for (int64_t k = 0; k < t->depth; k++, a += step, b += b_stride) {
        lanes across[TILE_VECTORS];
#pragma GCC unroll 4
        for (int v = 0; v < vectors; v++)
            across[v] = lanes_load(b + v * LANES);
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
            lanes_store(to, t->add ? lanes_load(to) + sums[r][v] : sums[r][v]);
        }
}

/* A tile's share of what is wanted next. */
KERNEL_INLINE void ask_ahead(const dgmi_tile *t, int64_t row) {
    const char *from = (const char *)t->ahead;
    int64_t share = (t->ahead_bytes * TILE_ROWS / t->rows + LINE - 1) / LINE * LINE;
    int64_t begin = row / TILE_ROWS * share, end = begin + share;
    for (int64_t at = begin; at < end && at < t->ahead_bytes; at += LINE)
        __builtin_prefetch(from + at, 0, 2);
}

/* Rows that fill no tile go one, two or four at a time. */
KERNEL_INLINE void multiply_strip(const dgmi_tile *t, int vectors, bool along, const float *b,
                                  float *c) {
    const int64_t row = along ? t->a_row : 1;
    const float *a = t->a;
    int64_t i = 0;
    for (; i + TILE_ROWS <= t->rows; i += TILE_ROWS) {
        if (t->ahead_bytes > 0)
            ask_ahead(t, i);
        multiply_tile(t, TILE_ROWS, vectors, along, a + i * row, b, c + i * t->c_stride);
    }
    if (i + 4 <= t->rows) {
        multiply_tile(t, 4, vectors, along, a + i * row, b, c + i * t->c_stride);
        i += 4;
    }
    if (i + 2 <= t->rows) {
        multiply_tile(t, 2, vectors, along, a + i * row, b, c + i * t->c_stride);
        i += 2;
    }
    if (i < t->rows)
        multiply_tile(t, 1, vectors, along, a + i * row, b, c + i * t->c_stride);
}

void KERNEL(tile_product)(const dgmi_tile *tile) {
    const bool along = tile->a_step == 1;
    int64_t j = 0;
    for (; j + TILE_COLUMNS <= tile->columns; j += TILE_COLUMNS)
        if (along)
            multiply_strip(tile, TILE_VECTORS, true, tile->b + j, tile->c + j);
        else
            multiply_strip(tile, TILE_VECTORS, false, tile->b + j, tile->c + j);
    if (j < tile->columns && along)
        multiply_strip(tile, TILE_VECTORS / 2, true, tile->b + j, tile->c + j);
    else if (j < tile->columns)
        multiply_strip(tile, TILE_VECTORS / 2, false, tile->b + j, tile->c + j);
}

/* ---- passes ---- */

/* Columns side by side that a pass goes down the rows with. */
enum { STRIP = 4 * LANES };

/* Where column j of all panels stands in row 0. */
KERNEL_INLINE float *column_of(const dgmi_block *block, int64_t j) {
    return block->y + j / PANEL * PANEL * block->rows + j % PANEL;
}

KERNEL_INLINE void add_strip(const lanes *totals, float *sums) {
    for (int v = 0; v < 4; v++)
        lanes_store(sums + v * LANES, lanes_load(sums + v * LANES) + totals[v]);
}

KERNEL_INLINE void load_strip(const float *from, lanes *to) {
    for (int v = 0; v < 4; v++)
        to[v] = lanes_load(from + v * LANES);
}

void KERNEL(block_elu)(const dgmi_block *block, const float *bias, float *sums) {
    for (int64_t j = 0; j < block->panels * PANEL; j += STRIP) {
        float *at = column_of(block, j);
        lanes shift[4], totals[4] = {{0}};
        load_strip(bias + j, shift);
        for (int64_t i = 0; i < block->rows; i++, at += PANEL)
#pragma GCC unroll 4
            for (int v = 0; v < 4; v++) {
                lanes y = lanes_elu(lanes_load(at + v * LANES) + shift[v]);
                totals[v] += y;
                lanes_store(at + v * LANES, y);
            }
        if (sums)
            add_strip(totals, sums + j);
    }
}

void KERNEL(block_elu_backward)(const dgmi_block *block, float *slopes, float *sums) {
    for (int64_t j = 0; j < block->panels * PANEL; j += STRIP) {
        const float *at = column_of(block, j);
        float *slope = slopes + (at - block->y);
        lanes totals[4] = {{0}};
        for (int64_t i = 0; i < block->rows; i++, at += PANEL, slope += PANEL)
#pragma GCC unroll 4
            for (int v = 0; v < 4; v++) {
                lanes dz =
                    lanes_load(slope + v * LANES) * lanes_elu_slope(lanes_load(at + v * LANES));
                totals[v] += dz;
                lanes_store(slope + v * LANES, dz);
            }
        add_strip(totals, sums + j);
    }
}

void KERNEL(block_scores)(const dgmi_block *block, const float *direction, float *scores) {
    for (int64_t i = 0; i < block->rows; i++) {
        lanes sums[4] = {{0}};
        for (int64_t j = 0; j < block->panels * PANEL; j += STRIP) {
            const float *at = column_of(block, j) + i * PANEL;
#pragma GCC unroll 4
            for (int v = 0; v < 4; v++)
                sums[v] += lanes_load(at + v * LANES) * lanes_load(direction + j + v * LANES);
        }
        scores[i] = lanes_tree_sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
    }
}

void KERNEL(block_sums)(const dgmi_block *block, const float *weights, float *sums) {
    for (int64_t j = 0; j < block->panels * PANEL; j += STRIP) {
        const float *at = column_of(block, j);
        lanes totals[4] = {{0}};
        for (int64_t i = 0; i < block->rows; i++, at += PANEL)
#pragma GCC unroll 4
            for (int v = 0; v < 4; v++)
                totals[v] += lanes_load(at + v * LANES) * weights[i];
        add_strip(totals, sums + j);
    }
}

void KERNEL(block_backward)(const dgmi_block *block, const float *weights, const float *direction,
                            const float *everywhere, float *sums) {
    for (int64_t j = 0; j < block->panels * PANEL; j += STRIP) {
        float *at = column_of(block, j);
        lanes along[4], constant[4] = {{0}}, totals[4] = {{0}};
        load_strip(direction + j, along);
        if (everywhere)
            load_strip(everywhere + j, constant);
        for (int64_t i = 0; i < block->rows; i++, at += PANEL)
#pragma GCC unroll 4
            for (int v = 0; v < 4; v++) {
                lanes dy = along[v] * weights[i] + constant[v];
                lanes dz = dy * lanes_elu_slope(lanes_load(at + v * LANES));
                totals[v] += dz;
                lanes_store(at + v * LANES, dz);
            }
        add_strip(totals, sums + j);
    }
}
