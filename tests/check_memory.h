/* SPDX-License-Identifier: Apache-2.0 */
/* An allocator that counts what is alive, remembers the peak, and fails when it is told to. Threads
 * may share it. */
#ifndef CHECK_MEMORY_H
#define CHECK_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "dgm/context.h"

typedef struct check_memory {
    atomic_llong calls;  /* allocations and growths asked for so far */
    atomic_llong blocks; /* alive */
    atomic_llong bytes;  /* alive */
    atomic_llong peak;   /* most bytes alive at once since the last check_memory_reset_peak */
    long long fail_at;   /* the call (from 1) that fails; 0: none */
    bool fail_on;        /* and every call after it */
} check_memory;

dgm_allocator check_memory_allocator(check_memory *memory);
void check_memory_reset_peak(check_memory *memory);

#endif
