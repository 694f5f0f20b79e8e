/* SPDX-License-Identifier: Apache-2.0 */
/* Forces between points of a plane, a line or space under the Cauchy kernel 1 / (1 + d^2), d the
 * distance: what t-SNE spends its time on. One table an instruction set; kernels_kernels.h points
 * to it. */
#ifndef KERNELS_EMBED_H
#define KERNELS_EMBED_H

#include <stdint.h>

#include "kernels_kernels.h"

enum {
    DGMI_KERNELS_EMBED_MOST = 3, /* axes */
    DGMI_KERNELS_EMBED_PAD =
        16, /* sources come in such blocks, the last one filled with points far away */
    DGMI_KERNELS_EMBED_FAR = 1 << 30, /* where those are */
};

/* Axis after axis. */
typedef struct dgmi_kernels_embedding {
    int dim;
    int64_t count;
    float *axis[DGMI_KERNELS_EMBED_MOST]; /* count entries each, padded where they are sources */
} dgmi_kernels_embedding;

/* Sparse rows: of query i the targets columns[offsets[i] .. offsets[i + 1]), with weights. */
typedef struct dgmi_kernels_embed_links {
    const int64_t *offsets;
    const uint32_t *columns;
    const float *values;
} dgmi_kernels_embed_links;

typedef struct dgmi_kernels_embed_table {
    /* Queries begin .. end - 1 against all sources: with w_ij = 1 / (1 + |q_i - s_j|^2),
     * force[i] = sum_j w_ij^2 (q_i - s_j) and sums[i] = sum_j w_ij. */
    void (*repel)(const dgmi_kernels_embedding *sources, const dgmi_kernels_embedding *queries,
                  int64_t begin, int64_t end, float *const *force, float *sums);
    /* Queries begin .. end - 1 against the targets they are linked with:
     * force[i] = sum_j p_ij w_ij (q_i - t_j); logs[i] = -sum_j p_ij log w_ij unless NULL. */
    void (*attract)(const dgmi_kernels_embedding *targets, const dgmi_kernels_embedding *queries,
                    const dgmi_kernels_embed_links *links, int64_t begin, int64_t end,
                    float *const *force, float *logs);
} dgmi_kernels_embed_table;

/* The best that this processor runs; `name` NULL, or one of the names (NULL if it cannot run). */
static inline const dgmi_kernels_embed_table *dgmi_kernels_embed_find(const char *name) {
    const dgmi_kernels *kernels = dgmi_kernels_find(name);
    return kernels ? kernels->embed : NULL;
}

static inline int64_t dgmi_kernels_embed_padded(int64_t count) {
    return (count + DGMI_KERNELS_EMBED_PAD - 1) / DGMI_KERNELS_EMBED_PAD * DGMI_KERNELS_EMBED_PAD;
}

#endif
