/* SPDX-License-Identifier: Apache-2.0 */
/* Squares of distances, by differences, so that nothing cancels: four rows stay in registers while
 * a slab of columns streams past. There is one path for every pair, so a pair has the same bits
 * wherever it is met and whichever of the two comes first.
 */
#include "kernels_lanes.h"

#include "kernels_gaps.h"

enum { VECTORS = DGMI_KERNELS_GAP_COLUMNS / LANES };

KERNEL_INLINE uint32_t bits_below(lanes value, lanes limit) {
#if KERNEL_LANES == 16
    return _mm512_cmp_ps_mask((__m512)value, (__m512)limit, _CMP_LT_OQ);
#elif KERNEL_LANES == 8
    return (uint32_t)_mm256_movemask_ps((__m256)(lanes)(value < limit));
#else
    lanes_int below = value < limit;
    uint32_t bits = 0;
    for (int lane = 0; lane < LANES; lane++)
        bits |= (uint32_t)(below[lane] & 1) << lane;
    return bits;
#endif
}

/* What is not below its limit gets no bit. */
KERNEL_INLINE uint32_t finish_row(const lanes *sums, float row_limit, const float *limits,
                                  float *squares) {
    uint32_t bits = 0;
    for (int v = 0; v < VECTORS; v++) {
        lanes limit = lanes_load(limits + v * LANES), all = lanes_all(row_limit);
        limit = lanes_choose(limit > all, limit, all);
        lanes_store(squares + v * LANES, sums[v]);
        bits |= bits_below(sums[v], limit) << v * LANES;
    }
    return bits;
}

/* One block of columns against four rows. */
KERNEL_INLINE void gap_block(const dgmi_kernels_gaps *job, const float *const *rows, int64_t column,
                             lanes sums[DGMI_KERNELS_GAP_ROWS][VECTORS]) {
    const float *slab = job->slab + column * job->dim;
    for (int r = 0; r < DGMI_KERNELS_GAP_ROWS; r++)
        for (int v = 0; v < VECTORS; v++)
            sums[r][v] = (lanes){0};
    for (int64_t c = 0; c < job->dim; c++, slab += DGMI_KERNELS_GAP_COLUMNS)
        for (int v = 0; v < VECTORS; v++) {
            lanes to = lanes_load(slab + v * LANES);
            for (int r = 0; r < DGMI_KERNELS_GAP_ROWS; r++) {
                lanes gap = to - lanes_all(rows[r][c]);
                sums[r][v] += gap * gap;
            }
        }
}

static void gaps(const dgmi_kernels_gaps *job) {
    int64_t blocks = job->columns / DGMI_KERNELS_GAP_COLUMNS;
    for (int64_t first = 0; first < job->rows; first += DGMI_KERNELS_GAP_ROWS) {
        const float *rows[DGMI_KERNELS_GAP_ROWS];
        for (int r = 0; r < DGMI_KERNELS_GAP_ROWS;
             r++) /* the last row stands in for those not there */
            rows[r] = job->row[first + r < job->rows ? first + r : job->rows - 1];
        for (int64_t b = 0; b < blocks; b++) {
            lanes sums[DGMI_KERNELS_GAP_ROWS][VECTORS];
            int64_t column = b * DGMI_KERNELS_GAP_COLUMNS;
            gap_block(job, rows, column, sums);
            for (int r = 0; r < DGMI_KERNELS_GAP_ROWS && first + r < job->rows; r++)
                job->below[(first + r) * blocks + b] =
                    (uint16_t)finish_row(sums[r], job->row_limits[first + r], job->limits + column,
                                         job->squares + (first + r) * job->columns + column);
        }
    }
}

/* ---- slabs ---- */

typedef float four __attribute__((vector_size(16)));

KERNEL_INLINE four load_four(const float *from) {
    four value;
    memcpy(&value, from, sizeof value);
    return value;
}

KERNEL_INLINE void store_four(float *to, four value) {
    memcpy(to, &value, sizeof value);
}

/* Four coordinates of four points. */
KERNEL_INLINE void turn_four(const float *const *column, int64_t c, float *to) {
    four a = load_four(column[0] + c), b = load_four(column[1] + c);
    four d = load_four(column[2] + c), e = load_four(column[3] + c);
    four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
         AB = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    four de = __builtin_shufflevector(d, e, 0, 4, 1, 5),
         DE = __builtin_shufflevector(d, e, 2, 6, 3, 7);
    store_four(to, __builtin_shufflevector(ab, de, 0, 1, 4, 5));
    store_four(to + DGMI_KERNELS_GAP_COLUMNS, __builtin_shufflevector(ab, de, 2, 3, 6, 7));
    store_four(to + 2 * DGMI_KERNELS_GAP_COLUMNS, __builtin_shufflevector(AB, DE, 0, 1, 4, 5));
    store_four(to + 3 * DGMI_KERNELS_GAP_COLUMNS, __builtin_shufflevector(AB, DE, 2, 3, 6, 7));
}

static void lay(int64_t dim, const float *const *column, int64_t columns, float *slab) {
    for (int64_t first = 0; first < columns; first += DGMI_KERNELS_GAP_COLUMNS) {
        for (int64_t j = 0; j < DGMI_KERNELS_GAP_COLUMNS; j += 4) {
            const float *const *from = column + first + j;
            float *to = slab + first * dim + j;
            int64_t c = 0;
            for (; c + 4 <= dim; c += 4, to += (int64_t)4 * DGMI_KERNELS_GAP_COLUMNS)
                turn_four(from, c, to);
            for (; c < dim; c++, to += DGMI_KERNELS_GAP_COLUMNS)
                for (int i = 0; i < 4; i++)
                    to[i] = from[i][c];
        }
    }
}

extern const dgmi_kernels_gap_table KERNEL(gap_table);
const dgmi_kernels_gap_table KERNEL(gap_table) = {gaps, lay};
