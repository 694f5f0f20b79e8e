/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of vectors: exponentials and what is made of them. */
#ifndef KERNELS_MATHS_H
#define KERNELS_MATHS_H

#include "kernels_lanes.h"

/* exp(x) = 2^n (1 + m), where m = exp(r) - 1 and r = x - n ln 2 lies between -ln 2 / 2 and
 * ln 2 / 2. */
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

/* Returns 2^n for n from -126 to 127. */
KERNEL_INLINE lanes lanes_power(lanes_int n) {
    return (lanes)((n + 127) << 23);
}

/* Returns exp(x). Beyond the limit it is 0 or infinite, and n would leave its range. 2^n is
 * multiplied in two halves, neither of which overflows or underflows. */
KERNEL_INLINE lanes lanes_exp(lanes x) {
    const float limit = 110;
    lanes_split s = lanes_split_exp(lanes_at_least(lanes_at_most(x, limit), -limit));
    lanes half = lanes_power(s.n >> 1);
    return (s.m * half + half) * lanes_power(s.n - (s.n >> 1));
}

/* Returns exp(x) - 1 for x <= 0, exact to the last bits also near 0, and 0 for 0. Below `least` it
 * is -1. The exponential is split as above, but in fewer steps: since exp(x) <= 1, ln 2 in one part
 * is exact enough, and the polynomial for m is the one whose largest error is least. For x > 0 the
 * result means nothing. */
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

/* Returns x, or exp(x) - 1 if x is below 0. */
KERNEL_INLINE lanes lanes_elu(lanes x) {
    return lanes_choose(x > 0, x, lanes_exp_less_one(x));
}

/* Returns the slope of ELU at the x whose ELU is y. */
KERNEL_INLINE lanes lanes_elu_slope(lanes y) {
    return lanes_at_most(y, 0) + 1;
}

#endif
