/* SPDX-License-Identifier: Apache-2.0 */
/* Points that benches make: ROWS:COLUMNS:CLUSTERS is a Gaussian mixture whose directions fall off,
 * and with 0 clusters they are standard normal noise. */
#ifndef BENCH_POINTS_H
#define BENCH_POINTS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "dgm/dgm.h"

/* Numbers enough for a bench: a 64-bit generator and the polar method. */
static unsigned long long bench_state = 1;

static inline double bench_uniform(void) {
    bench_state = bench_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return ((double)(bench_state >> 11) + 0.5) * 0x1p-53;
}

static inline double bench_normal(void) {
    return sqrt(-2 * log(bench_uniform())) * cos(6.283185307179586 * bench_uniform());
}

/* Column c has deviation (c + 1)^-1/2, inside a cluster and between them. */
static inline void bench_fill_mixture(long long rows, long long columns, long long clusters,
                                      double *values) {
    double *middles = malloc((size_t)(clusters * columns) * sizeof *middles);
    for (long long i = 0; middles && i < clusters * columns; i++)
        middles[i] = 2 * bench_normal() / sqrt((double)(i % columns + 1));
    for (long long i = 0; middles && i < rows * columns; i++)
        values[i] = middles[i / columns % clusters * columns + i % columns] +
                    bench_normal() / sqrt((double)(i % columns + 1));
    free(middles);
}

/* Returns false if the name is not of that form; *status says whether there was memory. */
static inline bool bench_make_points(dgm_context *ctx, const char *name, dgm_matrix **points,
                                     dgm_status *status) {
    long long rows, columns, clusters;
    if (sscanf(name, "%lld:%lld:%lld", &rows, &columns, &clusters) != 3)
        return false;
    *status = dgm_matrix_create(ctx, rows, columns, points);
    if (*status != DGM_OK)
        return true;
    double *values = dgm_matrix_values_mutable(*points);
    if (clusters > 0)
        bench_fill_mixture(rows, columns, clusters, values);
    for (long long i = 0; clusters == 0 && i < rows * columns; i++)
        values[i] = bench_normal();
    return true;
}

#endif
