/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of vectors: exponentials and what is made of them. */
#ifndef KERNELS_MATHS_H
#define KERNELS_MATHS_H

#include "kernels_lanes.h"

/* exp(x) = 2^n (1 + m), m = expm1(r), r = x - n ln 2 in +-ln 2 / 2. */
typedef struct {
    lanes_int n;
    lanes m;
} lanes_split;

KERNEL_INLINE lanes_split lanes_split_exp(lanes x) {
    const float round = 0x1.8p23F;
    lanes shifted = x * 0x1.715476p0F + round;
    lanes whole = shifted - round;
    lanes r = (x - whole * 0x1.62e4p-1F) - whole * 0x1.7f7d1cp-20F; /* ln 2 in two parts */
    lanes p = r * (1 / 5040.0F) + 1 / 720.0F;
    p = p * r + 1 / 120.0F;
    p = p * r + 1 / 24.0F;
    p = p * r + 1 / 6.0F;
    p = p * r + 0.5F;
    return (lanes_split){.n = (lanes_int)shifted - (lanes_int)lanes_all(round),
                         .m = p * (r * r) + r};
}

/* 2^n, n in -126 .. 127 */
KERNEL_INLINE lanes lanes_power(lanes_int n) {
    return (lanes)((n + 127) << 23);
}

/* Beyond +-LIMIT exp is 0 or infinite, and n would leave its range; 2^n comes in two halves, which
 * neither over- nor underflow. */
KERNEL_INLINE lanes lanes_exp(lanes x) {
    const float limit = 110;
    lanes_split s = lanes_split_exp(lanes_at_least(lanes_at_most(x, limit), -limit));
    lanes half = lanes_power(s.n >> 1);
    return (s.m * half + half) * lanes_power(s.n - (s.n >> 1));
}

/* exp(x) - 1 for x <= 0, exact to the last bits near 0 too, where it is 0 for 0; below LEAST it is
 * -1. exp is split as above, in fewer steps: as exp(x) <= 1, what one part of ln 2 leaves out gets
 * lost, and m takes the polynomial with the least largest error. Anything for x > 0. */
KERNEL_INLINE lanes lanes_exp_less_one(lanes x) {
    const float least = -20, round = 0x1.8p23F;
    x = lanes_at_least(x, least);
    lanes shifted = x * 0x1.715476p0F + round;
    lanes r = x - (shifted - round) * 0x1.62e43p-1F;
    lanes p = r * 0x1.6d995cp-10F + 0x1.122838p-7F;
    p = p * r + 0x1.555486p-5F;
    p = p * r + 0x1.5554bp-3F;
    p = p * r + 0.5F;
    lanes m = p * (r * r) + r;
    lanes power = lanes_power((lanes_int)shifted - (lanes_int)lanes_all(round));
    return m * power + (power - 1);
}

/* x, or exp(x) - 1 below 0 */
KERNEL_INLINE lanes lanes_elu(lanes x) {
    return lanes_choose(x > 0, x, lanes_exp_less_one(x));
}

/* at the x whose ELU is y */
KERNEL_INLINE lanes lanes_elu_slope(lanes y) {
    return lanes_at_most(y, 0) + 1;
}

#endif
