/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_random.h"
#include "base_sort.h"

enum { MOST = 3000 };

typedef struct {
    uint64_t key;
    uint32_t item;
} pair;

/* By key, then by where it stood: what a stable sort gives. */
static int compare_pairs(const void *left, const void *right) {
    const pair *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->item < b->item ? -1 : a->item > b->item;
}

static void assert_sorts(const uint64_t *keys, int64_t count) {
    static uint64_t sorted[MOST];
    static uint32_t items[MOST];
    static pair expected[MOST];
    for (int64_t i = 0; i < count; i++) {
        sorted[i] = keys[i];
        items[i] = (uint32_t)i;
        expected[i] = (pair){keys[i], (uint32_t)i};
    }
    qsort(expected, (size_t)count, sizeof *expected, compare_pairs);
    assert_int_equal(dgmi_sort_pairs(ctx, sorted, items, count), DGM_OK);
    for (int64_t i = 0; i < count; i++)
        if (sorted[i] != expected[i].key || items[i] != expected[i].item)
            fail_msg("place %lld of %lld: key %llx, item %u", (long long)i, (long long)count,
                     (unsigned long long)sorted[i], items[i]);
}

static void keys_of_any_width_are_sorted_stably(void **state) {
    (void)state;
    static uint64_t keys[MOST];
    for (int width = 1; width <= 64; width += 3)
        for (int64_t count = 0; count <= MOST; count += count < 4 ? 1 : 749) {
            for (int64_t i = 0; i < count; i++)
                keys[i] = dgmi_random_bits(11, (uint64_t)width, (uint64_t)i) >> (64 - width);
            assert_sorts(keys, count);
        }
}

/* One byte differs, in turn: an odd number of passes leaves the keys in the other array. */
static void each_byte_is_sorted_by(void **state) {
    (void)state;
    static uint64_t keys[MOST];
    for (int byte = 0; byte < 8; byte++) {
        for (int64_t i = 0; i < 500; i++)
            keys[i] = UINT64_C(0x1122334455667788) ^ (uint64_t)(i * 7919 % 256) << (8 * byte);
        assert_sorts(keys, 500);
    }
}

static void sorted_reversed_and_equal_keys_are_sorted(void **state) {
    (void)state;
    static uint64_t keys[MOST];
    for (int64_t i = 0; i < MOST; i++)
        keys[i] = (uint64_t)i;
    assert_sorts(keys, MOST);
    for (int64_t i = 0; i < MOST; i++)
        keys[i] = UINT64_MAX - (uint64_t)i;
    assert_sorts(keys, MOST);
    for (int64_t i = 0; i < MOST; i++)
        keys[i] = UINT64_MAX;
    assert_sorts(keys, MOST);
}

static void keys_of_numbers_are_in_the_order_of_the_numbers(void **state) {
    (void)state;
    static const double numbers[] = {-INFINITY, -1.7e308, -1,    -0x1p-1022, -5e-324, 0,
                                     5e-324,    1e-300,   0.999, 1,          1.7e308, INFINITY};
    for (int64_t i = 0; i < COUNT(numbers); i++)
        for (int64_t j = 0; j < COUNT(numbers); j++)
            assert_int_equal(dgmi_sort_key(numbers[i]) < dgmi_sort_key(numbers[j]),
                             numbers[i] < numbers[j]);
    assert_int_equal(dgmi_sort_key(-0.0), dgmi_sort_key(0.0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_any_width_are_sorted_stably),
        cmocka_unit_test(each_byte_is_sorted_by),
        cmocka_unit_test(sorted_reversed_and_equal_keys_are_sorted),
        cmocka_unit_test(keys_of_numbers_are_in_the_order_of_the_numbers),
    };
    return RUN_WITH_CONTEXT(tests);
}
