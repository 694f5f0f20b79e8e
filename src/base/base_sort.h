/* SPDX-License-Identifier: Apache-2.0 */
/* A radix sort of keys with items, and keys that sort real numbers. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdint.h>
#include <string.h>

#include "dgm/context.h"

/* Sorts `count` keys ascending together with their items, stably, in O(count): least significant
 * byte first, passes in which all keys agree are skipped. Takes scratch memory for one copy of
 * both. */
dgm_status dgmi_sort_pairs(dgm_context *ctx, uint64_t *keys, uint32_t *items, int64_t count);

/* A key whose unsigned order is the order of the (not NaN) numbers; -0 and 0 are the same. */
static inline uint64_t dgmi_sort_key(double value) {
    uint64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

#endif
