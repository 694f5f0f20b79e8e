/* SPDX-License-Identifier: Apache-2.0 */
/* The vectors that the kernels are written in, of KERNEL_LANES floats. Each kernel file is compiled
 * once for every instruction set. The build defines:
 *
 *     KERNEL_VARIANT   plain, avx2 or avx512, which ends every name that crosses files
 *     KERNEL_LANES     4, 8 or 16
 */
#ifndef KERNELS_LANES_H
#define KERNELS_LANES_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if KERNEL_LANES > 4
#include <immintrin.h>
#endif

#include "base_parallel.h"
#include "kernels_kernels.h"

#define KERNEL_PASTE(name, variant) dgmi_kernels_##name##_##variant
#define KERNEL_NAMED(name, variant) KERNEL_PASTE(name, variant)
/* The name of a kernel in this instruction set: dgmi_kernels_<name>_<variant>. */
#define KERNEL(name) KERNEL_NAMED(name, KERNEL_VARIANT)

#define KERNEL_INLINE static inline __attribute__((always_inline, unused))

enum { LANES = KERNEL_LANES };
typedef float lanes __attribute__((vector_size(4 * KERNEL_LANES)));
typedef int32_t lanes_int __attribute__((vector_size(4 * KERNEL_LANES)));
typedef uint32_t lanes_bits __attribute__((vector_size(4 * KERNEL_LANES)));
typedef double lanes_double __attribute__((vector_size(8 * KERNEL_LANES)));

KERNEL_INLINE lanes lanes_load(const float *from) {
    lanes value;
    memcpy(&value, from, sizeof value);
    return value;
}

KERNEL_INLINE void lanes_store(float *to, lanes value) {
    memcpy(to, &value, sizeof value);
}

KERNEL_INLINE lanes lanes_all(float value) {
    return value - (lanes){0};
}

/* Takes `yes` in lanes where the comparison `where` holds, and `no` in the others. */
KERNEL_INLINE lanes lanes_choose(lanes_int where, lanes yes, lanes no) {
    return (lanes)((where & (lanes_int)yes) | (~where & (lanes_int)no));
}

/* The first returns x, or `most` where x is larger; the second returns x, or `least` where x is
 * smaller. What is not a number stays. */
KERNEL_INLINE lanes lanes_at_most(lanes x, float most) {
#if KERNEL_LANES == 16
    return (lanes)_mm512_min_ps((__m512)lanes_all(most), (__m512)x);
#elif KERNEL_LANES == 8
    return (lanes)_mm256_min_ps((__m256)lanes_all(most), (__m256)x);
#else
    return lanes_choose(x > most, lanes_all(most), x);
#endif
}

KERNEL_INLINE lanes lanes_at_least(lanes x, float least) {
#if KERNEL_LANES == 16
    return (lanes)_mm512_max_ps((__m512)lanes_all(least), (__m512)x);
#elif KERNEL_LANES == 8
    return (lanes)_mm256_max_ps((__m256)lanes_all(least), (__m256)x);
#else
    return lanes_choose(x < least, lanes_all(least), x);
#endif
}

/* Both take only the first `count` numbers, fewer than LANES, and touch nothing behind them in
 * memory. The other lanes are loaded as zeros. */
KERNEL_INLINE lanes lanes_load_some(const float *from, int count) {
    assert(count > 0 && count < LANES);
#if KERNEL_LANES == 16
    return (lanes)_mm512_maskz_loadu_ps((__mmask16)((1U << count) - 1), from);
#elif KERNEL_LANES == 8
    static const int32_t sieve[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    __m256i mask = _mm256_loadu_si256((const __m256i *)(const void *)(sieve + 8 - count));
    return (lanes)_mm256_maskload_ps(from, mask);
#else
    lanes value = {0};
    for (int i = 0; i < LANES - 1; i++)
        if (i < count)
            value[i] = from[i];
    return value;
#endif
}

KERNEL_INLINE void lanes_store_some(float *to, lanes value, int count) {
    assert(count > 0 && count < LANES);
#if KERNEL_LANES == 16
    _mm512_mask_storeu_ps(to, (__mmask16)((1U << count) - 1), (__m512)value);
#else
    float all[KERNEL_LANES];
    memcpy(all, &value, sizeof all);
    for (int i = 0; i < count; i++)
        to[i] = all[i];
#endif
}

/* Both take the first `rest` numbers, or a whole vector if that is 0. */
KERNEL_INLINE lanes lanes_load_rest(const float *from, int rest) {
    return rest ? lanes_load_some(from, rest) : lanes_load(from);
}

KERNEL_INLINE void lanes_store_rest(float *to, lanes value, int rest) {
    if (rest)
        lanes_store_some(to, value, rest);
    else
        lanes_store(to, value);
}

KERNEL_INLINE float lanes_sum(lanes value) {
    float sum = 0;
    for (int lane = 0; lane < LANES; lane++)
        sum += value[lane];
    return sum;
}

/* Multiplies a value by the slope of PReLU at z. */
KERNEL_INLINE lanes lanes_bend(lanes z, float slope, lanes value) {
    return lanes_choose(z > 0, value, value * slope);
}

/* Stores a vector past the caches, which suits what nobody reads soon. `to` must be a multiple of
 * the vector's size. Other threads see it after lanes_stream_end. */
KERNEL_INLINE void lanes_stream(float *to, lanes value) {
    assert((uintptr_t)to % sizeof value == 0);
#if KERNEL_LANES == 16
    _mm512_stream_ps(to, (__m512)value);
#elif KERNEL_LANES == 8
    _mm256_stream_ps(to, (__m256)value);
#else
    lanes_store(to, value);
#endif
}

KERNEL_INLINE void lanes_stream_end(void) {
#if KERNEL_LANES > 4
    _mm_sfence();
#endif
}

/* Runs a loop over chunks, in parallel if the work is worth waking other threads. The chunks are
 * the same in both cases. */
KERNEL_INLINE void kernel_loop(dgm_context *ctx, bool worth, int64_t chunks, dgmi_chunk_fn body,
                               void *argument) {
    if (worth && chunks > 1) {
        dgmi_parallel(ctx, chunks, body, argument);
        return;
    }
    for (int64_t c = 0; c < chunks; c++)
        body(argument, c, 0);
}

/* The kernels of this variant, as kernels_kernels.h has them. */
void KERNEL(product)(dgm_context *ctx, const dgmi_kernels_product *product);
void KERNEL(csr_product)(dgm_context *ctx, const dgmi_table_csr *a, const dgmi_table_tensor *x,
                         bool add, dgmi_table_tensor *y);
void KERNEL(column_sums)(dgm_context *ctx, const dgmi_table_tensor *x, bool add, float *sums);
void KERNEL(add_bias)(dgm_context *ctx, const float *bias, dgmi_table_tensor *x);
void KERNEL(apply)(dgm_context *ctx, dgmi_kernels_function f, int64_t count, const float *x,
                   float *y);
void KERNEL(apply_backward)(dgm_context *ctx, dgmi_kernels_function f, int64_t count,
                            const float *y, const float *dy, bool add, float *dx);
void KERNEL(prelu)(dgm_context *ctx, float slope, int64_t count, const float *x, float *y);
double KERNEL(prelu_backward)(dgm_context *ctx, float slope, int64_t count, const float *x,
                              const float *dy, bool add, float *dx);
void KERNEL(dropout)(dgm_context *ctx, float p, uint64_t seed, uint64_t stream, int64_t count,
                     const float *x, bool add, float *y);
void KERNEL(dropout_at)(dgm_context *ctx, float p, uint64_t seed, uint64_t stream, int64_t count,
                        const uint32_t *positions, const float *x, float *y);
void KERNEL(axpy)(dgm_context *ctx, float scale, int64_t count, const float *x, bool add, float *y);
double KERNEL(dot)(dgm_context *ctx, int64_t count, const float *x, const float *y);
void KERNEL(adam)(dgm_context *ctx, const dgmi_kernels_adam_step *step, int64_t count,
                  const float *gradient, float *weights, float *first, float *second);

void KERNEL(csr_rows)(const dgmi_table_csr *a, int64_t begin, int64_t end, const float *x,
                      int64_t x_stride, int64_t columns, bool add, float *y, int64_t y_stride);
void KERNEL(slab_scores)(const dgmi_kernels_slab *slab, const float *direction, float *scores);
void KERNEL(slab_sums)(const dgmi_kernels_slab *slab, const float *weights, bool add, float *sums);
double KERNEL(slab_backward)(const dgmi_kernels_slab *slab, const float *weights,
                             const float *direction, const float *everywhere, float *sums);
void KERNEL(tile_product)(const dgmi_kernels_tile *tile);
void KERNEL(block_elu)(int64_t rows, const float *bias, float *y);
void KERNEL(block_elu_backward)(int64_t rows, const float *y, float *slopes, float *sums);

extern const dgmi_kernels KERNEL(table);

#endif
