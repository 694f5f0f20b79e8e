/* SPDX-License-Identifier: Apache-2.0 */
/* Forces under the Cauchy kernel. All pairs: several queries stay in registers while the sources
 * stream past. Links: one query, its targets gathered.
 */
#include "kernels_lanes.h"

#include "kernels_embed.h"

enum {
    TOGETHER = LANES == 16 ? 4 : 2, /* queries in registers */
    TILE = 2048,                    /* sources between two sums over lanes */
};

/* To 2^-14 at least; what is left out cancels in the sums. */
KERNEL_INLINE lanes reciprocal(lanes x) {
#if KERNEL_LANES == 16
    return (lanes)_mm512_rcp14_ps((__m512)x);
#elif KERNEL_LANES == 8
    lanes guess = (lanes)_mm256_rcp_ps((__m256)x);
    return guess * (2.0F - x * guess);
#else
    return 1.0F / x;
#endif
}

KERNEL_INLINE float sum_of(lanes x) {
    float parts[LANES];
    lanes_store(parts, x);
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            parts[i] += parts[i + half];
    return parts[0];
}

/* ---- all pairs ---- */

KERNEL_INLINE void repel_tile(int dim, int rows, const dgmi_kernels_embedding *sources,
                              int64_t first, int64_t last, const dgmi_kernels_embedding *queries,
                              int64_t begin, float *const *force, float *sums) {
    lanes query[TOGETHER][DGMI_KERNELS_EMBED_MOST], pull[TOGETHER][DGMI_KERNELS_EMBED_MOST],
        sum[TOGETHER];
    for (int r = 0; r < rows; r++) {
        sum[r] = (lanes){0};
        for (int a = 0; a < dim; a++) {
            query[r][a] = lanes_all(queries->axis[a][begin + r]);
            pull[r][a] = (lanes){0};
        }
    }
    for (int64_t j = first; j < last; j += LANES) {
        lanes source[DGMI_KERNELS_EMBED_MOST];
        for (int a = 0; a < dim; a++)
            source[a] = lanes_load(sources->axis[a] + j);
        for (int r = 0; r < rows; r++) {
            lanes d[DGMI_KERNELS_EMBED_MOST], square = lanes_all(1);
            for (int a = 0; a < dim; a++) {
                d[a] = query[r][a] - source[a];
                square += d[a] * d[a];
            }
            lanes w = reciprocal(square), w2 = w * w;
            sum[r] += w;
            for (int a = 0; a < dim; a++)
                pull[r][a] += w2 * d[a];
        }
    }
    for (int r = 0; r < rows; r++) {
        sums[begin + r] += sum_of(sum[r]);
        for (int a = 0; a < dim; a++)
            force[a][begin + r] += sum_of(pull[r][a]);
    }
}

KERNEL_INLINE void repel_rows(int dim, const dgmi_kernels_embedding *sources,
                              const dgmi_kernels_embedding *queries, int64_t begin, int64_t end,
                              float *const *force, float *sums) {
    int64_t padded = dgmi_kernels_embed_padded(sources->count);
    memset(sums + begin, 0, (size_t)(end - begin) * sizeof *sums);
    for (int a = 0; a < dim; a++)
        memset(force[a] + begin, 0, (size_t)(end - begin) * sizeof **force);
    for (int64_t first = 0; first < padded; first += TILE) {
        int64_t last = first + TILE < padded ? first + TILE : padded, i = begin;
        for (; i + TOGETHER <= end; i += TOGETHER)
            repel_tile(dim, TOGETHER, sources, first, last, queries, i, force, sums);
        for (; i < end; i++)
            repel_tile(dim, 1, sources, first, last, queries, i, force, sums);
    }
}

static void repel(const dgmi_kernels_embedding *sources, const dgmi_kernels_embedding *queries,
                  int64_t begin, int64_t end, float *const *force, float *sums) {
    if (sources->dim == 1)
        repel_rows(1, sources, queries, begin, end, force, sums);
    else if (sources->dim == 2)
        repel_rows(2, sources, queries, begin, end, force, sums);
    else
        repel_rows(3, sources, queries, begin, end, force, sums);
}

/* ---- links ---- */

/* The first `count` <= LANES indices, zeros after them. */
KERNEL_INLINE lanes_int load_columns(const uint32_t *from, int count) {
    lanes_int value = {0};
    if (count == LANES)
        memcpy(&value, from, sizeof value);
    else
        memcpy(&value, from, (size_t)count * sizeof *from);
    return value;
}

KERNEL_INLINE lanes gather(const float *from, lanes_int index) {
#if KERNEL_LANES == 16
    return (lanes)_mm512_i32gather_ps((__m512i)index, from, 4);
#elif KERNEL_LANES == 8
    return (lanes)_mm256_i32gather_ps(from, (__m256i)index, 4);
#else
    lanes value;
    for (int i = 0; i < LANES; i++)
        value[i] = from[index[i]];
    return value;
#endif
}

/* log x, x >= 1: 2 atanh((m - 1) / (m + 1)) of the mantissa m, to 1e-6. */
KERNEL_INLINE lanes logarithm(lanes x) {
    lanes_int bits = (lanes_int)x;
    lanes power = __builtin_convertvector((bits >> 23) - 127, lanes);
    lanes m = (lanes)((bits & 0x7fffff) | 0x3f800000);
    lanes s = (m - 1.0F) / (m + 1.0F), q = s * s;
    lanes series = 1.0F / 9 + q * (1.0F / 11);
    series = 1.0F + q * (1.0F / 3 + q * (1.0F / 5 + q * (1.0F / 7 + q * series)));
    return power * 0.69314718F + 2 * s * series;
}

KERNEL_INLINE void attract_row(int dim, bool with_logs, const dgmi_kernels_embedding *targets,
                               const dgmi_kernels_embedding *queries,
                               const dgmi_kernels_embed_links *links, int64_t i,
                               float *const *force, float *logs) {
    lanes query[DGMI_KERNELS_EMBED_MOST], pull[DGMI_KERNELS_EMBED_MOST], log = {0};
    for (int a = 0; a < dim; a++) {
        query[a] = lanes_all(queries->axis[a][i]);
        pull[a] = (lanes){0};
    }
    int64_t end = links->offsets[i + 1];
    for (int64_t e = links->offsets[i]; e < end; e += LANES) {
        int count = end - e < LANES ? (int)(end - e) : LANES;
        lanes_int columns = load_columns(links->columns + e, count);
        lanes p = count == LANES ? lanes_load(links->values + e)
                                 : lanes_load_some(links->values + e, count);
        lanes d[DGMI_KERNELS_EMBED_MOST], square = lanes_all(1);
        for (int a = 0; a < dim; a++) {
            d[a] = query[a] - gather(targets->axis[a], columns);
            square += d[a] * d[a];
        }
        lanes w = p * reciprocal(square);
        for (int a = 0; a < dim; a++)
            pull[a] += w * d[a];
        if (with_logs)
            log += p * logarithm(square);
    }
    for (int a = 0; a < dim; a++)
        force[a][i] = sum_of(pull[a]);
    if (with_logs)
        logs[i] = sum_of(log);
}

KERNEL_INLINE void attract_rows(int dim, const dgmi_kernels_embedding *targets,
                                const dgmi_kernels_embedding *queries,
                                const dgmi_kernels_embed_links *links, int64_t begin, int64_t end,
                                float *const *force, float *logs) {
    if (logs)
        for (int64_t i = begin; i < end; i++)
            attract_row(dim, true, targets, queries, links, i, force, logs);
    else
        for (int64_t i = begin; i < end; i++)
            attract_row(dim, false, targets, queries, links, i, force, NULL);
}

static void attract(const dgmi_kernels_embedding *targets, const dgmi_kernels_embedding *queries,
                    const dgmi_kernels_embed_links *links, int64_t begin, int64_t end,
                    float *const *force, float *logs) {
    if (targets->dim == 1)
        attract_rows(1, targets, queries, links, begin, end, force, logs);
    else if (targets->dim == 2)
        attract_rows(2, targets, queries, links, begin, end, force, logs);
    else
        attract_rows(3, targets, queries, links, begin, end, force, logs);
}

extern const dgmi_kernels_embed_table KERNEL(embed_table);
const dgmi_kernels_embed_table KERNEL(embed_table) = {repel, attract};
