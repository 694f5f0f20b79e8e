/* SPDX-License-Identifier: Apache-2.0 */
/* Forces between points of a line, a plane or space under the Cauchy kernel 1 / (1 + d^2), where d
 * is their distance. t-SNE spends its time on them. There is one table per instruction set, and
 * kernels_kernels.h points to it. */
#ifndef KERNELS_EMBED_H
#define KERNELS_EMBED_H

#include <stdint.h>

#include "kernels_kernels.h"

enum {
    DGMI_KERNELS_EMBED_MOST = 3, /* the largest number of axes */
    DGMI_KERNELS_EMBED_PAD = 16, /* sources come in blocks of this many; the last block is filled up
                                    with points far away */
    DGMI_KERNELS_EMBED_FAR = 1 << 30, /* the coordinates of such points */
};

/* Points, axis after axis. */
typedef struct dgmi_kernels_embedding {
    int dim;       /* the number of axes */
    int64_t count; /* the number of points */
    /* `count` numbers for each axis; those of sources are padded. */
    float *axis[DGMI_KERNELS_EMBED_MOST];
} dgmi_kernels_embedding;

/* Sparse rows. The targets of query i are columns[offsets[i]] up to, and without,
 * columns[offsets[i + 1]]; the values at the same places are their weights. */
typedef struct dgmi_kernels_embed_links {
    const int64_t *offsets;
    const uint32_t *columns;
    const float *values;
} dgmi_kernels_embed_links;

typedef struct dgmi_kernels_embed_table {
    /* The force of all sources on the queries from `begin` to `end` - 1. With
     * w_ij = 1 / (1 + |q_i - s_j|^2), force[i] = sum_j w_ij^2 (q_i - s_j) and
     * sums[i] = sum_j w_ij. */
    void (*repel)(const dgmi_kernels_embedding *sources, const dgmi_kernels_embedding *queries,
                  int64_t begin, int64_t end, float *const *force, float *sums);
    /* The force on the same queries of the targets that they are linked with:
     * force[i] = sum_j p_ij w_ij (q_i - t_j). Unless `logs` is NULL,
     * logs[i] = -sum_j p_ij log w_ij. */
    void (*attract)(const dgmi_kernels_embedding *targets, const dgmi_kernels_embedding *queries,
                    const dgmi_kernels_embed_links *links, int64_t begin, int64_t end,
                    float *const *force, float *logs);
} dgmi_kernels_embed_table;

/* Returns the table of that instruction set, or NULL if this processor cannot run it. If `name` is
 * NULL, it is the best one that it can run. */
static inline const dgmi_kernels_embed_table *dgmi_kernels_embed_find(const char *name) {
    const dgmi_kernels *kernels = dgmi_kernels_find(name);
    return kernels ? kernels->embed : NULL;
}

/* Returns how many sources there are with those that fill up the last block. */
static inline int64_t dgmi_kernels_embed_padded(int64_t count) {
    return (count + DGMI_KERNELS_EMBED_PAD - 1) / DGMI_KERNELS_EMBED_PAD * DGMI_KERNELS_EMBED_PAD;
}

#endif
