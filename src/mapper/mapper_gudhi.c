/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the cells of a value exactly as GUDHI's MapperComplex does, with the same rounding.
 *
 * GUDHI cuts [min, max'] into n pieces of length l, max' being the next number after the maximum,
 * and lets each reach g l / (2 - 2 g) beyond its ends. Where all gains are below 1/2 a value lies
 * in its piece, half-open, and in the neighbour whose reach it is in; otherwise in every cell whose
 * closed interval holds it. Both compare with ends in double precision, moved up by a part of the
 * last digit of the maximum: what stands on an end falls to the lower cell or to the upper one as
 * the end was rounded. No rule says which, so the same operations are done here in the same order.
 * (Of 252 covers full of ties, half-open intervals on exact ends agree with GUDHI on 9.)
 */
#include "mapper_stages.h"

#include <math.h>

dgmi_mapper_gudhi dgmi_mapper_gudhi_make(double low, double high, int64_t cells, double gain) {
    dgmi_mapper_gudhi gudhi = {.low = low, .top = nextafter(high, INFINITY)};
    gudhi.step = (gudhi.top - low) / (double)cells;
    gudhi.reach = gain * gudhi.step / (2 - 2 * gain);
    /* Beyond the range of numbers there is nothing to follow. Inside it each step is seen beside
     * low: a range of more than one cell is no rounding, and there are at most a million cells. */
    gudhi.used = cells > 1 && isfinite(gudhi.top) && isfinite(gudhi.step) && gudhi.step > 0 &&
                 isfinite(gudhi.reach);
    return gudhi;
}

/* End k of n + 1, as NumPy's linspace has it; nobody asks for the last, the top. */
static double end_of(const dgmi_mapper_gudhi *gudhi, int64_t k) {
    return (double)k * gudhi->step + gudhi->low;
}

/* About which piece holds a place; corrected by whoever asks. */
static int64_t near(const dgmi_mapper_gudhi *gudhi, int64_t cells, double place) {
    double k = floor((place - gudhi->low) / gudhi->step);
    return k < 0 ? 0 : k >= (double)cells ? cells - 1 : (int64_t)k;
}

/* The last k with end_of(k) - back <= value; 0 if there is none. */
static int64_t last_begun(const dgmi_mapper_gudhi *gudhi, int64_t cells, double value,
                          double back) {
    int64_t k = near(gudhi, cells, value + back);
    while (k > 0 && end_of(gudhi, k) - back > value)
        k--;
    while (k + 1 < cells && end_of(gudhi, k + 1) - back <= value)
        k++;
    return k;
}

/* The first k with value <= end_of(k + 1) + reach. */
static int64_t first_open(const dgmi_mapper_gudhi *gudhi, int64_t cells, double value) {
    int64_t k = near(gudhi, cells, value - gudhi->reach);
    while (k > 0 && end_of(gudhi, k) + gudhi->reach >= value)
        k--;
    while (k + 1 < cells && end_of(gudhi, k + 1) + gudhi->reach < value)
        k++;
    return k;
}

void dgmi_mapper_gudhi_locate(const dgmi_mapper_gudhi *gudhi, int64_t cells, double value,
                              int64_t *first, int64_t *last) {
    if (gudhi->closed) {
        *first = first_open(gudhi, cells, value);
        *last = last_begun(gudhi, cells, value, gudhi->reach);
        return;
    }
    int64_t piece = last_begun(gudhi, cells, value, 0);
    bool above = piece + 1 < cells && value >= end_of(gudhi, piece + 1) - gudhi->reach;
    bool below = piece > 0 && value < end_of(gudhi, piece) + gudhi->reach;
    *first = below ? piece - 1 : piece;
    *last = above ? piece + 1 : piece;
}
