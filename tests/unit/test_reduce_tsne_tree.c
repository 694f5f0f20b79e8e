/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of t-SNE against one that is built of plain lists of points, box by box. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_memory.h"
#include "base_random.h"
#include "reduce_tsne.h"

enum { MOST = 3, LEAF = 8, BITS = 20, ALL = 700 };

typedef struct {
    const dgmi_kernels_embedding *y;
    float low[MOST], span;
    double force[MOST], sum; /* of the point that asks */
    int64_t lumps;           /* boxes that were taken for one point */
} twin;

/* The cell of a point at a level: 2^(20 - level) of them on an axis. */
static uint32_t cell_of(const twin *t, int axis, int64_t i, int level) {
    const float most = (float)((1 << BITS) - 1);
    float at = (t->y->axis[axis][i] - t->low[axis]) * (t->span > 0 ? most / t->span : 0);
    return (at >= most ? (1U << BITS) - 1 : (uint32_t)at) >> level;
}

static bool is_same_cell(const twin *t, int64_t i, int64_t j, int level) {
    for (int axis = 0; axis < t->y->dim; axis++)
        if (cell_of(t, axis, i, level) != cell_of(t, axis, j, level))
            return false;
    return true;
}

static void feel(twin *t, int64_t i, const double *from, double count) {
    double square = 1;
    for (int axis = 0; axis < t->y->dim; axis++)
        square += pow((double)t->y->axis[axis][i] - from[axis], 2);
    t->sum += count / square;
    for (int axis = 0; axis < t->y->dim; axis++)
        t->force[axis] += count * ((double)t->y->axis[axis][i] - from[axis]) / (square * square);
}

/* What a box of points does to point i. It is as small as they allow, and acts as one point from
 * twice its size on, on a line from four times. */
static void feel_box(twin *t, int64_t i, const int64_t *points, int64_t count, int level) {
    double middle[MOST] = {0}, square = 0;
    int64_t own[ALL], rest = 0;
    for (bool alone = true; alone && level > 0 && count > LEAF;) {
        for (int64_t p = 1; p < count && alone; p++)
            alone = is_same_cell(t, points[0], points[p], level - 1);
        level -= alone;
    }
    for (int axis = 0; axis < t->y->dim; axis++) {
        for (int64_t p = 0; p < count; p++)
            middle[axis] += (double)t->y->axis[axis][points[p]] / (double)count;
        square += pow((double)t->y->axis[axis][i] - middle[axis], 2);
    }
    double reach = ldexp((double)t->span, level - BITS) * (t->y->dim == 1 ? 4 : 2);
    if (square > reach * reach) {
        feel(t, i, middle, (double)count);
        t->lumps += count > 1;
        return;
    }
    if (count <= LEAF || level == 0) {
        for (int64_t p = 0; p < count; p++) {
            double at[MOST] = {0};
            for (int axis = 0; axis < t->y->dim; axis++)
                at[axis] = (double)t->y->axis[axis][points[p]];
            feel(t, i, at, 1);
        }
        return;
    }
    bool taken[ALL] = {false};
    for (int64_t first = 0; first < count; first++) {
        rest = 0;
        for (int64_t p = first; p < count && !taken[first]; p++)
            if (p == first || (!taken[p] && is_same_cell(t, points[first], points[p], level - 1))) {
                own[rest++] = points[p];
                taken[p] = p > first;
            }
        if (rest > 0)
            feel_box(t, i, own, rest, level - 1);
    }
}

static void measure(twin *t, const dgmi_kernels_embedding *y) {
    *t = (twin){.y = y};
    for (int axis = 0; axis < y->dim; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < y->count; i++) {
            low = fminf(low, y->axis[axis][i]);
            high = fmaxf(high, y->axis[axis][i]);
        }
        t->low[axis] = low;
        t->span = fmaxf(t->span, high - low);
    }
}

/* Every seventh point feels what it feels of the plain boxes. */
static int64_t compare(const dgmi_kernels_embedding *y) {
    dgmi_reduce_repulsion job;
    twin t;
    int64_t all[ALL], lumps = 0;
    for (int64_t i = 0; i < y->count; i++)
        all[i] = i;
    assert_int_equal(dgmi_reduce_repulsion_open(ctx, DGM_TSNE_TREE, y, &job), DGM_OK);
    assert_int_equal(dgmi_reduce_repulsion_run(&job), DGM_OK);
    for (int64_t i = 0; i < y->count; i += 7) {
        measure(&t, y);
        feel_box(&t, i, all, y->count, BITS);
        assert_near((double)job.sums[i], t.sum, 1e-5 * t.sum);
        for (int axis = 0; axis < y->dim; axis++)
            assert_near((double)job.force[axis][i], t.force[axis], 2e-5 * (1 + t.sum));
        lumps += t.lumps;
    }
    dgmi_reduce_repulsion_close(&job);
    return lumps;
}

/* Clouds of all sizes, and heaps of points that lie in one place or nearly. */
static void boxes_far_away_act_as_one_point(void **state) {
    (void)state;
    static const struct {
        int64_t count, heaps;
        double scale;
    } maps[] = {{ALL, ALL, 30}, {ALL, 12, 100}, {100, 100, 1},  {9, 9, 10},
                {8, 8, 10},     {1, 1, 1},      {300, 20, 1e-4}};
    for (int dim = 1; dim <= MOST; dim++)
        for (int64_t m = 0; m < COUNT(maps); m++) {
            dgmi_hold hold = dgmi_arena_hold(ctx);
            dgmi_kernels_embedding y;
            assert_int_equal(dgmi_reduce_embedding_make(ctx, dim, maps[m].count, &y), DGM_OK);
            for (int64_t i = 0; i < maps[m].count; i++)
                for (int axis = 0; axis < dim; axis++) {
                    double heap = dgmi_random_unit(6, (uint64_t)axis, i % maps[m].heaps);
                    double own = i % 3 ? dgmi_random_unit(7, (uint64_t)axis, (uint64_t)i) : 0;
                    y.axis[axis][i] = (float)(maps[m].scale * (heap + 1e-3 * own) - 5);
                }
            int64_t lumps = compare(&y);
            assert_true(lumps > maps[m].count || maps[m].count <= 100);
            dgmi_arena_release(ctx, hold);
        }
}

/* More than eight in one place cannot be told apart. */
static void points_in_one_place_are_one_box(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_kernels_embedding y;
    assert_int_equal(dgmi_reduce_embedding_make(ctx, 2, 40, &y), DGM_OK);
    for (int64_t i = 0; i < 40; i++)
        y.axis[0][i] = y.axis[1][i] = i < 20 ? 3 : 4;
    compare(&y);
    for (int64_t i = 0; i < 40; i++)
        y.axis[0][i] = y.axis[1][i] = 3;
    compare(&y);
    dgmi_arena_release(ctx, hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_far_away_act_as_one_point),
        cmocka_unit_test(points_in_one_place_are_one_box),
    };
    return RUN_WITH_CONTEXT(tests);
}
