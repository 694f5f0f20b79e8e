/* SPDX-License-Identifier: Apache-2.0 */
/* Invariants, as asserts instead of comments: what can only be false if this library is wrong. What
 * a caller or a file may get wrong is an error, never an assert.
 *
 * A plain assert looks at a few numbers. DGMI_ASSERT_WALK looks at whole arrays, in builds for
 * tests and fuzzers alone (-DDGMI_LOOKS_CLOSELY). A release build has neither (-DNDEBUG).
 */
#ifndef BASE_ASSERT_H
#define BASE_ASSERT_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#if defined DGMI_LOOKS_CLOSELY && !defined NDEBUG
#define DGMI_ASSERT_WALK(condition) assert(condition)
#else
/* Never run, but compiled, so that what it says stays true to the names it uses. */
#define DGMI_ASSERT_WALK(condition) ((void)sizeof(condition))
#endif

/* Offsets of `rows` rows: the first is not negative, and none is less than the one before. */
static inline bool dgmi_rises(const int64_t *offsets, int64_t rows) {
    for (int64_t i = 0; i < rows; i++)
        if (offsets[i] > offsets[i + 1])
            return false;
    return offsets[0] >= 0;
}

/* All ids are numbers of something of which there are `bound`. */
static inline bool dgmi_all_below(const uint32_t *ids, int64_t count, int64_t bound) {
    for (int64_t i = 0; i < count; i++)
        if (ids[i] >= bound)
            return false;
    return true;
}

/* Each id is more than the one before, so none occurs twice. */
static inline bool dgmi_ascends(const uint32_t *ids, int64_t count) {
    for (int64_t i = 1; i < count; i++)
        if (ids[i - 1] >= ids[i])
            return false;
    return true;
}

/* Compressed sparse rows: offsets rise from 0, every row ascends, columns are below `width`. */
static inline bool dgmi_rows_sorted(const int64_t *offsets, const uint32_t *columns, int64_t rows,
                                    int64_t width) {
    if (offsets[0] != 0 || !dgmi_rises(offsets, rows))
        return false;
    for (int64_t i = 0; i < rows; i++)
        if (!dgmi_ascends(columns + offsets[i], offsets[i + 1] - offsets[i]))
            return false;
    return dgmi_all_below(columns, offsets[rows], width);
}

/* The same of rows whose order does not matter. */
static inline bool dgmi_rows_fit(const int64_t *offsets, const uint32_t *columns, int64_t rows,
                                 int64_t width) {
    return offsets[0] == 0 && dgmi_rises(offsets, rows) &&
           dgmi_all_below(columns, offsets[rows], width);
}

static inline bool dgmi_all_finite(const double *numbers, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return false;
    return true;
}

/* A binary heap by `keys` of its items: no item is before its parent. */
static inline bool dgmi_heap_holds(const uint32_t *heap, const double *keys, int64_t size) {
    for (int64_t i = 1; i < size; i++)
        if (keys[heap[(i - 1) / 2]] > keys[heap[i]])
            return false;
    return true;
}

#endif
