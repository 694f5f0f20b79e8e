/* SPDX-License-Identifier: Apache-2.0 */
/* Counter-based random numbers: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3" (2011). A draw is a pure function of (seed, stream, counter), so any
 * thread can make any draw.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <assert.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 dgmi_wide;

/* 64 random bits. */
uint64_t dgmi_random_bits(uint64_t seed, uint64_t stream, uint64_t counter);

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline double dgmi_random_unit(uint64_t seed, uint64_t stream, uint64_t counter) {
    return (double)(dgmi_random_bits(seed, stream, counter) >> 11) * 0x1p-53;
}

/* Uniform in 0 .. bound - 1, bound > 0 (bias below 2^-32 for 32-bit bounds). */
static inline uint64_t dgmi_random_below(uint64_t seed, uint64_t stream, uint64_t counter,
                                         uint64_t bound) {
    assert(bound > 0);
    dgmi_wide product = (dgmi_wide)dgmi_random_bits(seed, stream, counter) * bound;
    return (uint64_t)(product >> 64);
}

/* A stream with a counter that moves on. */
typedef struct dgmi_random {
    uint64_t seed, stream, counter;
} dgmi_random;
static inline double dgmi_random_next(dgmi_random *random) {
    return dgmi_random_unit(random->seed, random->stream, random->counter++);
}
static inline uint64_t dgmi_random_next_below(dgmi_random *random, uint64_t bound) {
    return dgmi_random_below(random->seed, random->stream, random->counter++, bound);
}

#endif
