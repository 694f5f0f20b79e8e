/* SPDX-License-Identifier: Apache-2.0 */
/* Centres of clouds that lie apart, and what holds for any points. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "../check_random.h"
#include "parts_centres.h"
#include "unit_faults.h"

enum { MOST = 20000 };
static float values[4 * MOST];
static uint32_t parts[MOST], others[MOST];

static int64_t centres_of(int64_t rows, int64_t columns, int64_t k, int64_t seed, uint32_t *out) {
    const dgmi_table_tensor points = {rows, columns, values};
    int64_t count;
    if (dgmi_parts_centres(ctx, &points, k, seed, out, &count) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return count;
}

/* Clouds of 40, 30, 20 and 10 points around the corners of a square, mixed. */
static void clouds_are_parts_by_their_sizes(void **state) {
    (void)state;
    static const int corner[] = {0, 1, 0, 2, 1, 0, 3, 0, 1, 2};
    for (int64_t seed = 1; seed < 20; seed++) {
        check_random random = check_random_case((uint64_t)seed, 1, 1);
        for (int i = 0; i < 100; i++) {
            int c = corner[i % 10];
            values[2 * i] = (float)(10 * (c & 1) + check_random_unit(&random));
            values[2 * i + 1] = (float)(10 * (c >> 1) - check_random_unit(&random));
        }
        assert_int_equal(centres_of(100, 2, 4, seed, parts), 4);
        for (int i = 0; i < 100; i++)
            assert_int_equal(parts[i], corner[i % 10]);
    }
}

static double square(int64_t columns, const float *a, const double *b) {
    double sum = 0;
    for (int64_t j = 0; j < columns; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

/* Steps end when few points change, so that a few may be as near to another mean. */
static void most_points_are_nearest_to_the_mean_of_their_part(void **state) {
    (void)state;
    enum { ROWS = 3000, COLUMNS = 3, K = 12 };
    check_random random = check_random_case(check_random_seed(), 2, 1);
    static double mean[K][COLUMNS];
    int64_t sizes[K] = {0}, wrong = 0;
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        values[i] = (float)check_random_unit(&random);
    int64_t count = centres_of(ROWS, COLUMNS, K, 5, parts);
    assert_int_equal(count, K);
    memset(mean, 0, sizeof mean);
    for (int64_t i = 0; i < ROWS; i++) {
        assert_true(parts[i] < K);
        sizes[parts[i]]++;
    }
    for (int64_t i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            mean[parts[i]][j] += values[i * COLUMNS + j] / (double)sizes[parts[i]];
    for (int k = 1; k < K; k++)
        assert_true(sizes[k] > 0 && sizes[k] <= sizes[k - 1]);
    for (int64_t i = 0; i < ROWS; i++) {
        double own = square(COLUMNS, values + i * COLUMNS, mean[parts[i]]);
        for (int k = 0; k < K; k++)
            wrong += square(COLUMNS, values + i * COLUMNS, mean[k]) < own - 1e-3;
    }
    assert_true(wrong < ROWS / 50);
}

/* No more parts than there are different points, or points at all. */
static void there_are_no_empty_parts(void **state) {
    (void)state;
    for (int i = 0; i < 60; i++) {
        values[2 * i] = (float)(i % 3);
        values[2 * i + 1] = 0;
    }
    assert_int_equal(centres_of(60, 2, 10, 1, parts), 3);
    for (int i = 3; i < 60; i++)
        assert_int_equal(parts[i], parts[i - 3]);
    assert_int_equal(centres_of(2, 2, 10, 1, parts), 2);
    assert_int_not_equal(parts[0], parts[1]);
    assert_int_equal(centres_of(60, 2, 1, 1, parts), 1);
    assert_int_equal(centres_of(1, 2, 7, 1, parts), 1);
    assert_int_equal(centres_of(0, 2, 7, 1, parts), 0);
    memset(values, 0, sizeof values);
    assert_int_equal(centres_of(50, 4, 9, 1, parts), 1); /* all points are one */
}

/* More points than a sample and than a block hold, in clouds along a line. */
static void many_points_are_parted_as_few(void **state) {
    (void)state;
    enum { CLOUDS = 5 };
    check_random random = check_random_case(check_random_seed(), 3, 1);
    for (int64_t i = 0; i < MOST; i++)
        values[i] = (float)(100 * (i % CLOUDS) + check_random_unit(&random));
    assert_int_equal(centres_of(MOST, 1, CLOUDS, 3, parts), CLOUDS);
    for (int64_t i = CLOUDS; i < MOST; i++)
        assert_int_equal(parts[i], parts[i - CLOUDS]);
    for (int64_t i = 0; i < CLOUDS; i++)
        for (int64_t j = 0; j < i; j++)
            assert_int_not_equal(parts[i], parts[j]);
}

static void seeds_say_where_it_begins_and_threads_do_not_matter(void **state) {
    (void)state;
    enum { ROWS = 6000 };
    check_random random = check_random_case(check_random_seed(), 4, 1);
    for (int64_t i = 0; i < 3 * ROWS; i++)
        values[i] = (float)check_random_unit(&random);
    dgm_context_set_threads(ctx, 1);
    centres_of(ROWS, 3, 9, 1, parts);
    dgm_context_set_threads(ctx, 4);
    centres_of(ROWS, 3, 9, 1, others);
    assert_memory_equal(parts, others, ROWS * sizeof *parts);
    centres_of(ROWS, 3, 9, 2, others);
    assert_memory_not_equal(parts, others, ROWS * sizeof *parts);
    dgm_context_set_threads(ctx, 0);
}

static dgm_status find_once(dgm_context *own, void *argument) {
    const dgmi_table_tensor points = {40, 2, argument};
    uint32_t own_parts[40];
    int64_t count;
    return dgmi_parts_centres(own, &points, 3, 1, own_parts, &count);
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    for (int i = 0; i < 80; i++)
        values[i] = (float)(i * 7 % 40);
    fail_each_allocation(find_once, values);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clouds_are_parts_by_their_sizes),
        cmocka_unit_test(most_points_are_nearest_to_the_mean_of_their_part),
        cmocka_unit_test(there_are_no_empty_parts),
        cmocka_unit_test(many_points_are_parted_as_few),
        cmocka_unit_test(seeds_say_where_it_begins_and_threads_do_not_matter),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
