/* SPDX-License-Identifier: Apache-2.0 */
/* Squares of distances, by differences, so that nothing cancels: four rows stay in registers while
 * a panel of columns streams past. There is one path for every pair, so a pair has the same bits
 * wherever it is met and whichever of the two comes first.
 */
#include "linalg_kernels_lanes.h"

#include "linalg_gaps.h"

enum { VECTORS = DGMI_GAP_COLUMNS / LANES };

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
KERNEL_INLINE void gap_block(const dgmi_gaps *job, const float *const *rows, int64_t column,
                             lanes sums[DGMI_GAP_ROWS][VECTORS]) {
    const float *panel = job->panel + column;
    for (int r = 0; r < DGMI_GAP_ROWS; r++)
        for (int v = 0; v < VECTORS; v++)
            sums[r][v] = (lanes){0};
    for (int64_t c = 0; c < job->dim; c++, panel += job->columns)
        for (int v = 0; v < VECTORS; v++) {
            lanes to = lanes_load(panel + v * LANES);
            for (int r = 0; r < DGMI_GAP_ROWS; r++) {
                lanes gap = to - lanes_all(rows[r][c]);
                sums[r][v] += gap * gap;
            }
        }
}

static void gaps(const dgmi_gaps *job) {
    int64_t blocks = job->columns / DGMI_GAP_COLUMNS;
    for (int64_t first = 0; first < job->rows; first += DGMI_GAP_ROWS) {
        const float *rows[DGMI_GAP_ROWS];
        for (int r = 0; r < DGMI_GAP_ROWS; r++) /* the last row stands in for those not there */
            rows[r] = job->row[first + r < job->rows ? first + r : job->rows - 1];
        for (int64_t b = 0; b < blocks; b++) {
            lanes sums[DGMI_GAP_ROWS][VECTORS];
            int64_t column = b * DGMI_GAP_COLUMNS;
            gap_block(job, rows, column, sums);
            for (int r = 0; r < DGMI_GAP_ROWS && first + r < job->rows; r++)
                job->below[(first + r) * blocks + b] =
                    (uint16_t)finish_row(sums[r], job->row_limits[first + r], job->limits + column,
                                         job->squares + (first + r) * job->columns + column);
        }
    }
}

#define TEXT(word)  #word
#define NAMED(word) TEXT(word)

extern const dgmi_gap_kernels KERNEL(gap_kernels);
const dgmi_gap_kernels KERNEL(gap_kernels) = {NAMED(KERNEL_VARIANT), gaps};
