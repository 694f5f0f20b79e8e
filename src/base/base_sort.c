/* SPDX-License-Identifier: Apache-2.0 */
#include "base_sort.h"

#include "base_assert.h"
#include "base_memory.h"

enum { BYTES = 8, VALUES = 256 };

static void sort_by_byte(int byte, int64_t places[VALUES], const uint64_t *keys,
                         const uint32_t *items, uint64_t *to_keys, uint32_t *to_items,
                         int64_t count) {
    for (int64_t value = 0, sum = 0; value < VALUES; value++) {
        int64_t here = places[value];
        places[value] = sum;
        sum += here;
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t place = places[keys[i] >> (8 * byte) & 0xFF]++;
        assert(place >= 0 && place < count);
        to_keys[place] = keys[i];
        to_items[place] = items[i];
    }
}

static bool is_sorted(const uint64_t *keys, int64_t count) {
    for (int64_t i = 1; i < count; i++)
        if (keys[i - 1] > keys[i])
            return false;
    return true;
}

dgm_status dgmi_sort_pairs(dgm_context *ctx, uint64_t *keys, uint32_t *items, int64_t count) {
    assert(count >= 0);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    int64_t(*counts)[VALUES] = dgmi_scratch_zero(ctx, BYTES, sizeof *counts);
    uint64_t *other_keys = dgmi_scratch(ctx, count, sizeof *keys);
    uint32_t *other_items = dgmi_scratch(ctx, count, sizeof *items);
    if (!counts || !other_keys || !other_items) {
        dgmi_arena_release(ctx, hold);
        return DGM_ERROR_MEMORY;
    }
    for (int64_t i = 0; i < count; i++)
        for (int byte = 0; byte < BYTES; byte++)
            counts[byte][keys[i] >> (8 * byte) & 0xFF]++;
    uint64_t *from_keys = keys, *to_keys = other_keys;
    uint32_t *from_items = items, *to_items = other_items;
    for (int byte = 0; byte < BYTES; byte++) {
        if (count == 0 || counts[byte][keys[0] >> (8 * byte) & 0xFF] == count)
            continue; /* all alike: nothing to do, whichever array the keys are in */
        sort_by_byte(byte, counts[byte], from_keys, from_items, to_keys, to_items, count);
        uint64_t *swap_keys = from_keys;
        from_keys = to_keys;
        to_keys = swap_keys;
        uint32_t *swap_items = from_items;
        from_items = to_items;
        to_items = swap_items;
    }
    if (from_keys != keys) {
        memcpy(keys, from_keys, (size_t)count * sizeof *keys);
        memcpy(items, from_items, (size_t)count * sizeof *items);
    }
    DGMI_ASSERT_WALK(is_sorted(keys, count));
    dgmi_arena_release(ctx, hold);
    return DGM_OK;
}
