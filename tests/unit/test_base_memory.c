/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <stdlib.h>

#include "base_memory.h"

/* Counts live blocks and refuses sizes above the limit. */
typedef struct {
    int64_t blocks;
    size_t limit;
} counted;

static void *resize_counted(void *user, void *block, size_t size) {
    counted *memory = user;
    if (size == 0) {
        memory->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (size > memory->limit)
        return NULL;
    memory->blocks += block == NULL;
    return realloc(block, size);
}

static counted memory;
static dgm_context *counting;

static int make_counting(void **state) {
    (void)state;
    memory = (counted){.limit = SIZE_MAX};
    return dgm_context_create(&(dgm_allocator){resize_counted, &memory}, &counting);
}

static int free_counting(void **state) {
    (void)state;
    dgm_context_free(counting);
    return memory.blocks != 0; /* a leak fails the test */
}

static void owned_blocks_go_through_the_allocator(void **state) {
    (void)state;
    int64_t *numbers = dgmi_alloc_zero(counting, 100, sizeof *numbers);
    assert_non_null(numbers);
    assert_int_equal(memory.blocks, 2);
    for (int i = 0; i < 100; i++)
        assert_int_equal(numbers[i], 0);
    numbers[99] = 5;
    numbers = dgmi_realloc(counting, numbers, 200, sizeof *numbers);
    assert_int_equal(numbers[99], 5);
    dgmi_free(counting, numbers);
    dgmi_free(counting, NULL);
    assert_int_equal(memory.blocks, 1);
}

static void no_elements_are_still_a_block(void **state) {
    (void)state;
    void *block = dgmi_alloc(counting, 0, 8), *zero = dgmi_alloc_zero(counting, 0, 8);
    assert_non_null(block);
    assert_non_null(zero);
    dgmi_free(counting, block);
    dgmi_free(counting, zero);
    dgmi_hold hold = dgmi_arena_hold(counting);
    assert_non_null(dgmi_scratch(counting, 0, 8));
    dgmi_arena_release(counting, hold);
}

static void impossible_sizes_are_errors_not_small_blocks(void **state) {
    (void)state;
    assert_null(dgmi_alloc(counting, INT64_MAX, 8));
    assert_string_equal(dgm_context_error(counting), "out of memory (asked for 7.38e+13 MB)");
    assert_int_equal(dgm_context_error_parts(counting).status, DGM_ERROR_MEMORY);
    assert_null(dgmi_alloc(counting, -1, 1));
    assert_null(dgmi_alloc(counting, INT64_C(1) << 61, 8)); /* 2^64 bytes: would wrap to none */
    assert_null(dgmi_scratch(counting, (INT64_C(1) << 61) + 1, 8));
    assert_null(dgmi_scratch_zero(counting, -5, 8));
    assert_null(dgmi_scratch(counting, PTRDIFF_MAX, 1));
    assert_int_equal(memory.blocks, 1);
}

static void text_is_copied_with_its_terminator(void **state) {
    (void)state;
    char *whole = dgmi_strdup(counting, "whole"), *part = dgmi_strndup(counting, "partly", 4);
    assert_string_equal(whole, "whole");
    assert_string_equal(part, "part");
    dgmi_free(counting, whole);
    dgmi_free(counting, part);
}

static void reserving_grows_by_half_and_keeps_what_is_there(void **state) {
    (void)state;
    void *block = NULL;
    int64_t capacity = 0;
    assert_int_equal(dgmi_reserve(counting, &block, &capacity, 0, 4), DGM_OK);
    assert_null(block);
    assert_int_equal(dgmi_reserve(counting, &block, &capacity, 1, 4), DGM_OK);
    assert_int_equal(capacity, 16);
    for (int i = 0; i < 16; i++)
        ((int32_t *)block)[i] = i;
    assert_int_equal(dgmi_reserve(counting, &block, &capacity, 17, 4), DGM_OK);
    assert_int_equal(capacity, 16 + 8 + 16);
    for (int i = 0; i < 16; i++)
        assert_int_equal(((int32_t *)block)[i], i);
    assert_int_equal(dgmi_reserve(counting, &block, &capacity, 1000, 4), DGM_OK);
    assert_int_equal(capacity, 1000);
    memory.limit = 4000;
    assert_int_equal(dgmi_reserve(counting, &block, &capacity, 1001, 4), DGM_ERROR_MEMORY);
    assert_int_equal(capacity, 1000);
    assert_int_equal(((int32_t *)block)[15], 15); /* still there */
    dgmi_free(counting, block);
}

static void scratch_is_aligned_and_apart(void **state) {
    (void)state;
    enum { BLOCKS = 500 };
    unsigned char *blocks[BLOCKS];
    size_t sizes[BLOCKS];
    dgmi_hold hold = dgmi_arena_hold(counting);
    for (int i = 0; i < BLOCKS; i++) {
        sizes[i] = i % 97 == 0 ? 70000 + (size_t)i : (size_t)(i * 37 % 1500) + 1;
        blocks[i] = dgmi_scratch(counting, (int64_t)sizes[i], 1);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 64, 0);
        memset(blocks[i], i & 0xFF, sizes[i]);
    }
    for (int i = 0; i < BLOCKS; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            if (blocks[i][k] != (i & 0xFF))
                fail_msg("block %d was written to by another", i);
    dgmi_arena_release(counting, hold);
    assert_int_equal(memory.blocks, 1);
}

static void scratch_that_is_asked_zero_is_zero_after_use(void **state) {
    (void)state;
    dgmi_hold outer = dgmi_arena_hold(counting);
    assert_non_null(dgmi_scratch(counting, 1, 1)); /* keeps the block alive */
    dgmi_hold hold = dgmi_arena_hold(counting);
    unsigned char *first = dgmi_scratch(counting, 100, 1);
    memset(first, 0xFF, 100);
    dgmi_arena_release(counting, hold);
    unsigned char *again = dgmi_scratch_zero(counting, 100, 1);
    for (int i = 0; i < 100; i++)
        assert_int_equal(again[i], 0);
    dgmi_arena_release(counting, outer);
}

static void marks_nest(void **state) {
    (void)state;
    dgmi_hold outer = dgmi_arena_hold(counting);
    int *kept = dgmi_scratch(counting, 1, sizeof *kept);
    *kept = 42;
    int64_t before = memory.blocks;
    for (int round = 0; round < 3; round++) {
        dgmi_hold inner = dgmi_arena_hold(counting);
        assert_non_null(dgmi_scratch(counting, 1 << 20, 1)); /* large: a block of its own */
        dgmi_hold innermost = dgmi_arena_hold(counting);
        assert_non_null(dgmi_scratch(counting, 1 << 21, 1));
        assert_int_equal(memory.blocks, before + 2);
        dgmi_arena_release(counting, innermost);
        assert_int_equal(memory.blocks, before + 1); /* large blocks go back at once */
        dgmi_arena_release(counting, inner);
        assert_int_equal(memory.blocks, before);
    }
    assert_int_equal(*kept, 42);
    dgmi_arena_release(counting, outer);
}

static void a_context_frees_scratch_that_nobody_released(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++)
        assert_non_null(dgmi_scratch(counting, 100000, 1)); /* checked when the context goes */
}

static void scratch_that_cannot_be_had_is_an_error(void **state) {
    (void)state;
    memory.limit = 50;
    assert_null(dgmi_scratch(counting, 10, 1)); /* even a small one needs its block */
    assert_int_equal(dgm_context_error_parts(counting).status, DGM_ERROR_MEMORY);
    memory.limit = SIZE_MAX;
    assert_non_null(dgmi_scratch(counting, 10, 1));
}

static void no_context_comes_from_no_memory(void **state) {
    (void)state;
    counted none = {.limit = 0};
    dgm_context *empty = counting;
    assert_int_equal(dgm_context_create(&(dgm_allocator){resize_counted, &none}, &empty),
                     DGM_ERROR_MEMORY);
    assert_null(empty);
    dgm_context_free(NULL);
}

/* Remembers what it was last asked for, and has nothing. */
static void *refuse_and_remember(void *user, void *block, size_t size) {
    (void)block;
    *(size_t *)user = size;
    return NULL;
}

static void the_largest_size_is_asked_for_and_one_more_is_not(void **state) {
    (void)state;
    size_t asked = 0;
    const dgm_allocator allocator = {refuse_and_remember, &asked};
    const int64_t most = PTRDIFF_MAX - 4096;
    assert_null(dgmi_allocator_resize(&allocator, NULL, most, 1));
    assert_int_equal(asked, most);
    asked = 0;
    assert_null(dgmi_allocator_resize(&allocator, NULL, most + 1, 1));
    assert_int_equal(asked, 0);
    assert_null(dgmi_allocator_resize(&allocator, NULL, 0, 8));
    assert_int_equal(asked, 1); /* none would free the block */
}

static void scratch_that_is_impossible_says_what_was_asked_for(void **state) {
    (void)state;
    assert_null(dgmi_scratch(counting, INT64_MAX, 8));
    assert_string_equal(dgm_context_error(counting), "out of memory (asked for 7.38e+13 MB)");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_counting, free_counting)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(owned_blocks_go_through_the_allocator),
        TEST(no_elements_are_still_a_block),
        TEST(impossible_sizes_are_errors_not_small_blocks),
        TEST(text_is_copied_with_its_terminator),
        TEST(reserving_grows_by_half_and_keeps_what_is_there),
        TEST(scratch_is_aligned_and_apart),
        TEST(scratch_that_is_asked_zero_is_zero_after_use),
        TEST(marks_nest),
        TEST(a_context_frees_scratch_that_nobody_released),
        TEST(scratch_that_cannot_be_had_is_an_error),
        TEST(no_context_comes_from_no_memory),
        TEST(the_largest_size_is_asked_for_and_one_more_is_not),
        TEST(scratch_that_is_impossible_says_what_was_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
