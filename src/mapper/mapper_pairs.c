/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table from pairs to counts: open addressing, power-of-two sizes, at most half full. */
#include "mapper_stages.h"

#include <string.h>

#include "base_memory.h"

void dgmi_pairs_init(dgmi_pairs *pairs, const dgm_allocator *allocator, int width) {
    *pairs = (dgmi_pairs){.allocator = *allocator, .width = width};
}

void dgmi_pairs_free(dgmi_pairs *pairs) {
    dgmi_allocator_free(&pairs->allocator, pairs->keys);
    dgmi_allocator_free(&pairs->allocator, pairs->values);
    pairs->keys = NULL;
    pairs->values = NULL;
    pairs->size = pairs->used = 0;
}

static int64_t find_place(const dgmi_pairs *pairs, uint64_t key) {
    uint64_t mask = (uint64_t)pairs->size - 1;
    uint64_t hash = key * 0x9E3779B97F4A7C15u;
    uint64_t place = (hash ^ hash >> 32) & mask;
    while (pairs->keys[place] != key && pairs->keys[place] != DGMI_NO_PAIR)
        place = (place + 1) & mask;
    return (int64_t)place;
}

static bool grow(dgmi_pairs *pairs) {
    int64_t size = pairs->size ? 2 * pairs->size : 256;
    size_t row = (size_t)pairs->width * sizeof(int64_t);
    dgmi_pairs larger = *pairs;
    larger.keys = dgmi_allocator_resize(&pairs->allocator, NULL, size, sizeof *larger.keys);
    larger.values = dgmi_allocator_resize(&pairs->allocator, NULL, size, row);
    if (!larger.keys || !larger.values) {
        dgmi_allocator_free(&pairs->allocator, larger.keys);
        dgmi_allocator_free(&pairs->allocator, larger.values);
        pairs->failed = true;
        return false;
    }
    larger.size = size;
    memset(larger.keys, 0xFF, (size_t)size * sizeof *larger.keys);
    for (int64_t i = 0; i < pairs->size; i++)
        if (pairs->keys[i] != DGMI_NO_PAIR) {
            int64_t place = find_place(&larger, pairs->keys[i]);
            larger.keys[place] = pairs->keys[i];
            memcpy(larger.values + place * pairs->width, pairs->values + i * pairs->width, row);
        }
    dgmi_allocator_free(&pairs->allocator, pairs->keys);
    dgmi_allocator_free(&pairs->allocator, pairs->values);
    *pairs = larger;
    return true;
}

int64_t *dgmi_pairs_at(dgmi_pairs *pairs, uint64_t key) {
    if (2 * (pairs->used + 1) > pairs->size && !grow(pairs))
        return NULL;
    int64_t place = find_place(pairs, key);
    int64_t *values = pairs->values + place * pairs->width;
    if (pairs->keys[place] == DGMI_NO_PAIR) {
        pairs->keys[place] = key;
        pairs->used++;
        memset(values, 0, (size_t)pairs->width * sizeof *values);
    }
    return values;
}
