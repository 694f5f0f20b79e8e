/* SPDX-License-Identifier: Apache-2.0 */
/* Passes over a panel: some columns of a layer's output before its PReLU, rows without gaps, small
 * enough to stay in the second cache. One thread's work each. */
#include "linalg_kernels_lanes.h"

KERNEL_INLINE lanes bend(lanes z, float slope, lanes value) {
    return lanes_choose(z > 0, value, value * slope);
}

KERNEL_INLINE lanes load_columns(const float *from, int64_t left) {
    return left < LANES ? lanes_load_some(from, (int)left) : lanes_load(from);
}

KERNEL_INLINE void store_columns(float *to, lanes value, int64_t left) {
    if (left < LANES)
        lanes_store_some(to, value, (int)left);
    else
        lanes_store(to, value);
}

KERNEL_INLINE float lanes_sum(lanes value) {
    float sum = 0;
    for (int lane = 0; lane < LANES; lane++)
        sum += value[lane];
    return sum;
}

void KERNEL(panel_scores)(const dgmi_panel *panel, const float *direction, float *scores) {
    for (int64_t i = 0; i < panel->rows; i++) {
        const float *row = panel->z + i * panel->columns;
        lanes sum = {0};
        for (int64_t j = 0; j < panel->columns; j += LANES) {
            lanes z = load_columns(row + j, panel->columns - j);
            sum += bend(z, panel->slope, z) * load_columns(direction + j, panel->columns - j);
        }
        scores[i] = lanes_sum(sum);
    }
}

/* Rows in pieces, so that single precision does for their sums. */
void KERNEL(panel_sums)(const dgmi_panel *panel, const float *weights, bool add, float *sums) {
    enum { PIECE = 256 };
    for (int64_t j = 0; j < panel->columns; j += LANES) {
        int64_t left = panel->columns - j;
        lanes total = add ? load_columns(sums + j, left) : (lanes){0};
        for (int64_t begin = 0; begin < panel->rows; begin += PIECE) {
            int64_t end = begin + PIECE < panel->rows ? begin + PIECE : panel->rows;
            lanes piece = {0};
            for (int64_t i = begin; i < end; i++) {
                lanes z = load_columns(panel->z + i * panel->columns + j, left);
                lanes y = bend(z, panel->slope, z);
                piece += weights ? y * weights[i] : y;
            }
            total += piece;
        }
        store_columns(sums + j, total, left);
    }
}

double KERNEL(panel_backward)(const dgmi_panel *panel, const float *weights, const float *direction,
                              const float *everywhere, float *sums) {
    double slope_gradient = 0;
    for (int64_t j = 0; j < panel->columns; j += LANES) {
        int64_t left = panel->columns - j;
        lanes along = load_columns(direction + j, left), total = {0}, bent = {0};
        lanes constant = everywhere ? load_columns(everywhere + j, left) : (lanes){0};
        for (int64_t i = 0; i < panel->rows; i++) {
            float *at = panel->z + i * panel->columns + j;
            lanes z = load_columns(at, left);
            lanes dy = along * weights[i] + constant;
            bent += lanes_choose(z > 0, (lanes){0}, z) * dy;
            lanes dz = bend(z, panel->slope, dy);
            total += dz;
            store_columns(at, dz, left);
        }
        slope_gradient += lanes_sum(bent);
        store_columns(sums + j, load_columns(sums + j, left) + total, left);
    }
    return slope_gradient;
}
