/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of kernels: the variants that this processor runs, numbers to run them on, and what
 * their results are held against. */
#ifndef KERNELS_SAMPLE_H
#define KERNELS_SAMPLE_H

#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_random.h"
#include "kernels_kernels.h"

static const char *const names[] = {"plain", "avx2", "avx512"};
static const int thread_counts[] = {1, 2, 5};

/* The variants of this processor, one after the other. */
#define FOR_EACH_VARIANT(k)                                                                        \
    for (size_t variant = 0; variant < 3; variant++)                                               \
        for (const dgmi_kernels *k = dgmi_kernels_find(names[variant]); k; k = NULL)

static inline float *make_floats(int64_t count, uint64_t stream) {
    float *values = malloc((size_t)(count + 1) * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < count; i++) {
        double unit = dgmi_random_unit(7, stream, (uint64_t)i);
        values[i] = unit < 0.05 ? 0 : (float)(4 * unit - 2);
    }
    return values;
}

static inline dgmi_table_tensor make_tensor(int64_t rows, int64_t columns, uint64_t stream) {
    return (dgmi_table_tensor){rows, columns, make_floats(rows * columns, stream)};
}

static inline float *copy_floats(int64_t count, const float *values) {
    float *copy = malloc((size_t)(count + 1) * sizeof *copy);
    assert_non_null(copy);
    if (count > 0)
        memcpy(copy, values, (size_t)count * sizeof *copy);
    return copy;
}

static inline void assert_same_bytes(int64_t count, const float *a, const float *b) {
    if (count > 0)
        assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

/* Within 1e-5 of `expected`, relative to `size`: what was summed, in absolute values. */
static inline void assert_close(double actual, double expected, double size) {
    assert_near(actual, expected, 1e-5 * size + 1e-30);
}

#endif
