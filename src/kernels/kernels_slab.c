/* SPDX-License-Identifier: Apache-2.0 */
/* Passes over a slab: some columns of a layer's output before its PReLU, rows without gaps, small
 * enough to stay in the second cache. One thread's work each. */
#include "kernels_lanes.h"

#include <assert.h>

/* Columns that are left from here on, 0 where they fill a vector. */
KERNEL_INLINE int rest_of(int64_t left) {
    assert(left > 0);
    return left < LANES ? (int)left : 0;
}

void KERNEL(slab_scores)(const dgmi_kernels_slab *slab, const float *direction, float *scores) {
    for (int64_t i = 0; i < slab->rows; i++) {
        const float *row = slab->z + i * slab->columns;
        lanes sum = {0};
        for (int64_t j = 0; j < slab->columns; j += LANES) {
            int rest = rest_of(slab->columns - j);
            lanes z = lanes_load_rest(row + j, rest);
            sum += lanes_bend(z, slab->slope, z) * lanes_load_rest(direction + j, rest);
        }
        scores[i] = lanes_sum(sum);
    }
}

/* Rows in pieces, so that single precision does for their sums. */
void KERNEL(slab_sums)(const dgmi_kernels_slab *slab, const float *weights, bool add, float *sums) {
    enum { PIECE = 256 };
    for (int64_t j = 0; j < slab->columns; j += LANES) {
        int rest = rest_of(slab->columns - j);
        lanes total = add ? lanes_load_rest(sums + j, rest) : (lanes){0};
        for (int64_t begin = 0; begin < slab->rows; begin += PIECE) {
            int64_t end = begin + PIECE < slab->rows ? begin + PIECE : slab->rows;
            lanes piece = {0};
            for (int64_t i = begin; i < end; i++) {
                lanes z = lanes_load_rest(slab->z + i * slab->columns + j, rest);
                lanes y = lanes_bend(z, slab->slope, z);
                piece += weights ? y * weights[i] : y;
            }
            total += piece;
        }
        lanes_store_rest(sums + j, total, rest);
    }
}

double KERNEL(slab_backward)(const dgmi_kernels_slab *slab, const float *weights,
                             const float *direction, const float *everywhere, float *sums) {
    double slope_gradient = 0;
    for (int64_t j = 0; j < slab->columns; j += LANES) {
        int rest = rest_of(slab->columns - j);
        lanes along = lanes_load_rest(direction + j, rest), total = {0}, bent = {0};
        lanes constant = everywhere ? lanes_load_rest(everywhere + j, rest) : (lanes){0};
        for (int64_t i = 0; i < slab->rows; i++) {
            float *at = slab->z + i * slab->columns + j;
            lanes z = lanes_load_rest(at, rest);
            lanes dy = along * weights[i] + constant;
            bent += lanes_choose(z > 0, (lanes){0}, z) * dy;
            lanes dz = lanes_bend(z, slab->slope, dy);
            total += dz;
            lanes_store_rest(at, dz, rest);
        }
        slope_gradient += lanes_sum(bent);
        lanes_store_rest(sums + j, lanes_load_rest(sums + j, rest) + total, rest);
    }
    return slope_gradient;
}
