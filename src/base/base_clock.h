/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks that measure how long something takes. Times are never part of a result. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t dgmi_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline double dgmi_seconds(void) {
    return 1e-9 * (double)dgmi_nanoseconds();
}

#endif
