/* SPDX-License-Identifier: Apache-2.0 */
/* Points at random, and lists of neighbours against a plain loop over all pairs in double. Included after
 * unit_fixture.h. */
#ifndef NEIGHBOURS_POINTS_H
#define NEIGHBOURS_POINTS_H

#include <math.h>
#include <stdlib.h>

#include "base_random.h"

static inline float *random_points(int64_t count, int64_t dim, uint64_t seed) {
    float *points = malloc((size_t)(count * dim + 1) * sizeof *points);
    assert_non_null(points);
    for (int64_t i = 0; i < count * dim; i++)
        points[i] = (float)(dgmi_random_unit(seed, 7, (uint64_t)i) - 0.5);
    return points;
}

static inline double distance_between(const float *a, const float *b, int64_t dim, int metric) {
    double square = 0, dot = 0, aa = 0, bb = 0;
    for (int64_t c = 0; c < dim; c++) {
        square += ((double)a[c] - b[c]) * ((double)a[c] - b[c]);
        dot += (double)a[c] * b[c];
        aa += (double)a[c] * a[c];
        bb += (double)b[c] * b[c];
    }
    if (metric == DGM_METRIC_L2)
        return sqrt(square);
    return aa == 0 || bb == 0 ? 1 : 1 - dot / sqrt(aa * bb);
}

/* Every list is ascending, without the point itself, without repeats, and no point left out is
 * nearer than the last one; equal distances (to `slack`) are in order of index. */
static inline void assert_neighbours(const dgm_neighbours *lists, const float *points,
                                     int64_t count, int64_t dim, int metric, double slack) {
    int64_t k = dgm_neighbours_k(lists);
    unsigned char *listed = calloc((size_t)count, 1);
    assert_int_equal(dgm_neighbours_rows(lists), count);
    for (int64_t i = 0; i < count; i++) {
        const uint32_t *row = dgm_neighbours_indices(lists) + i * k;
        const float *distance = dgm_neighbours_distances(lists) + i * k;
        memset(listed, 0, (size_t)count);
        for (int64_t j = 0; j < k; j++) {
            assert_int_not_equal(row[j], i);
            assert_true(row[j] < count && !listed[row[j]]);
            listed[row[j]] = 1;
            assert_near(distance[j],
                        distance_between(points + i * dim, points + row[j] * dim, dim, metric),
                        slack);
            if (j > 0)
                assert_true(distance[j] > distance[j - 1] ||
                            (distance[j] == distance[j - 1] && slack > 0) || row[j] > row[j - 1]);
        }
        for (int64_t j = 0; j < count; j++)
            if (j != i && !listed[j])
                assert_true(distance_between(points + i * dim, points + j * dim, dim, metric) >=
                            (double)distance[k - 1] - slack);
    }
    free(listed);
}

#endif
