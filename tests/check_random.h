/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers for tests, apart from the library's own: splitmix64. The seed is printed, and
 * DGM_TEST_SEED sets it. */
#ifndef CHECK_RANDOM_H
#define CHECK_RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct check_random {
    uint64_t state;
} check_random;

static inline uint64_t check_random_bits(check_random *random) {
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 0 .. bound - 1 */
static inline int check_random_below(check_random *random, int bound) {
    return (int)(check_random_bits(random) % (uint64_t)bound);
}

/* low .. high, both included */
static inline int check_random_between(check_random *random, int low, int high) {
    return low + check_random_below(random, high - low + 1);
}

/* [0, 1) */
static inline double check_random_unit(check_random *random) {
    return (double)(check_random_bits(random) >> 11) * 0x1p-53;
}

static inline bool check_random_chance(check_random *random, double probability) {
    return check_random_unit(random) < probability;
}

static inline uint64_t check_random_seed(void) {
    const char *text = getenv("DGM_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 1;
    printf("# seed %llu (DGM_TEST_SEED sets another)\n", (unsigned long long)seed);
    fflush(stdout);
    return seed;
}

/* The stream of one case, so that a case can be run again without those before it. */
static inline check_random check_random_case(uint64_t seed, int test, int number) {
    check_random random = {seed * UINT64_C(0x2545f4914f6cdd1d) + (uint64_t)test * 1000003 +
                           (uint64_t)number * UINT64_C(0xd1342543de82ef95)};
    check_random_bits(&random);
    return random;
}

#endif
