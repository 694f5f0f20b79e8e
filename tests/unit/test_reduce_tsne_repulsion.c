/* SPDX-License-Identifier: Apache-2.0 */
/* Repulsion by all pairs, by a tree and by a grid against a plain loop in double. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_memory.h"
#include "base_random.h"
#include "reduce_tsne.h"
#include "reduce_tsne_grid.h"

/* Of every point, in double. */
typedef struct {
    double *force[DGMI_KERNELS_EMBED_MOST], *sums;
} forces;

static forces slow_forces(const dgmi_kernels_embedding *y) {
    forces f = {{NULL}, calloc((size_t)y->count, sizeof(double))};
    for (int a = 0; a < y->dim; a++)
        f.force[a] = calloc((size_t)y->count, sizeof(double));
    for (int64_t i = 0; i < y->count; i++)
        for (int64_t j = 0; j < y->count; j++) {
            double d[DGMI_KERNELS_EMBED_MOST], square = 1;
            for (int a = 0; a < y->dim; a++) {
                d[a] = (double)y->axis[a][i] - (double)y->axis[a][j];
                square += d[a] * d[a];
            }
            f.sums[i] += 1 / square;
            for (int a = 0; a < y->dim; a++)
                f.force[a][i] += d[a] / (square * square);
        }
    return f;
}

static void free_forces(forces *f) {
    for (int a = 0; a < DGMI_KERNELS_EMBED_MOST; a++)
        free(f->force[a]);
    free(f->sums);
}

/* Clusters of deviation 2 whose middles have deviation `scale`; cluster 0 is the whole cloud. */
static void fill(dgmi_kernels_embedding *y, int64_t clusters, double scale, double shrink) {
    for (int64_t i = 0; i < y->count; i++)
        for (int a = 0; a < y->dim; a++) {
            double draws[2];
            for (int s = 0; s < 2; s++) {
                uint64_t at = (uint64_t)(s ? i % clusters : i) * 4;
                double u = 1 - dgmi_random_unit(11, (uint64_t)(10 * s + a), at);
                draws[s] = sqrt(-2 * log(u)) *
                           cos(6.2831853 * dgmi_random_unit(11, (uint64_t)(10 * s + a), at + 1));
            }
            y->axis[a][i] = (float)(shrink * (2 * draws[0] + scale * draws[1]));
        }
}

static double error_of(const dgmi_kernels_embedding *y, const forces *f, int method,
                       const float *copies, double *z_error) {
    dgmi_reduce_repulsion job;
    double error = 0, size = 0, z = 0, wanted = 0;
    assert_int_equal(dgmi_reduce_repulsion_open(ctx, method, y, &job), DGM_OK);
    job.copies = copies;
    assert_int_equal(dgmi_reduce_repulsion_run(&job), DGM_OK);
    for (int64_t i = 0; i < y->count; i++) {
        z += (double)job.sums[i] - 1;
        wanted += f->sums[i] - 1;
        for (int a = 0; a < y->dim; a++) {
            error += pow((double)job.force[a][i] - f->force[a][i], 2);
            size += pow(f->force[a][i], 2);
        }
    }
    dgmi_reduce_repulsion_close(&job);
    *z_error = fabs(z / wanted - 1);
    return sqrt(error / size);
}

/* How far a method may be from the plain loop: its forces, those of maps that are narrower than the
 * kernel, and Z. */
typedef struct {
    double force, narrow, z;
} tolerance;

/* How far a method is from the plain loop, in all shapes. */
static void check_method(int method, int lowest, int highest, tolerance most) {
    static const struct {
        int64_t count, clusters;
        double scale, shrink;
    } maps[] = {{3000, 3000, 20, 1}, {3000, 15, 25, 1}, {500, 1, 0, 1},   {3000, 3000, 20, 1e-5},
                {2000, 5, 100, 1},   {1, 1, 0, 1},      {2, 2, 3, 1},     {63, 7, 3, 1},
                {1000, 1, 0, 0.01},  {700, 2, 300, 1},  {100, 3, 2, 1e-9}};
    for (int dim = lowest; dim <= highest; dim++)
        for (int64_t m = 0; m < COUNT(maps); m++) {
            dgmi_hold hold = dgmi_arena_hold(ctx);
            dgmi_kernels_embedding y;
            double z_error;
            assert_int_equal(dgmi_reduce_embedding_make(ctx, dim, maps[m].count, &y), DGM_OK);
            fill(&y, maps[m].clusters, maps[m].scale, maps[m].shrink);
            forces f = slow_forces(&y);
            double error = error_of(&y, &f, method, NULL, &z_error);
            if (getenv("DGM_TEST_SHOW"))
                fprintf(stderr, "# method %d dim %d map %lld: force %.2e z %.2e\n", method, dim,
                        (long long)m, error, z_error);
            double allowed = maps[m].shrink < 1 ? most.narrow : most.force;
            if (maps[m].count > 1 && !(error < allowed && z_error < most.z))
                fail_msg("method %d, %d axes, map %lld: force %.3g, z %.3g", method, dim,
                         (long long)m, error, z_error);
            free_forces(&f);
            dgmi_arena_release(ctx, hold);
        }
}

/* A grid moves a heap of equal points to where its nodes are, unless it is told of the heap: that
 * held whole maps back. Heaps lie far apart here, so that there is little else to feel. */
static void heaps_of_equal_points_rest_on_a_grid(void **state) {
    (void)state;
    enum { HEAPS = 100, COPIES = 20 };
    float copies[HEAPS * COPIES];
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_kernels_embedding y;
    double z_error;
    assert_int_equal(dgmi_reduce_embedding_make(ctx, 2, COUNT(copies), &y), DGM_OK);
    for (int i = 0; i < HEAPS * COPIES; i++) {
        copies[i] = COPIES;
        for (int a = 0; a < 2; a++)
            y.axis[a][i] = (float)(200 * dgmi_random_unit(5, (uint64_t)a, (uint64_t)(i % HEAPS)));
    }
    forces f = slow_forces(&y);
    double told = error_of(&y, &f, DGM_TSNE_FFT, copies, &z_error);
    assert_true(told < 0.01 && z_error < 0.01);
    assert_true(error_of(&y, &f, DGM_TSNE_FFT, NULL, &z_error) > 5 * told);
    free_forces(&f);
    dgmi_arena_release(ctx, hold);
}

/* Wherever it lies between the nodes of a grid. */
static void a_point_alone_rests(void **state) {
    (void)state;
    for (int method = DGM_TSNE_EXACT; method <= DGM_TSNE_FFT; method++)
        for (int i = 0; i < 10; i++) {
            dgmi_hold hold = dgmi_arena_hold(ctx);
            dgmi_kernels_embedding y;
            dgmi_reduce_repulsion job;
            assert_int_equal(dgmi_reduce_embedding_make(ctx, 2, 1, &y), DGM_OK);
            y.axis[0][0] = 0.3F * (float)i;
            y.axis[1][0] = -7 * (float)i;
            assert_int_equal(dgmi_reduce_repulsion_open(ctx, method, &y, &job), DGM_OK);
            assert_int_equal(dgmi_reduce_repulsion_run(&job), DGM_OK);
            assert_near((double)job.sums[0], 1, 1e-4);
            for (int a = 0; a < 2; a++)
                assert_near((double)job.force[a][0], 0, 1e-6);
            dgmi_reduce_repulsion_close(&job);
            dgmi_arena_release(ctx, hold);
        }
}

/* A grid that served one map serves the next, which is smaller, larger, or elsewhere. */
static void a_grid_follows_a_map_that_moves_and_grows(void **state) {
    (void)state;
    static const double scales[] = {20, 21, 5, 30, 0.01, 20}, moves[] = {0, 0, 50, -3, 0, 100};
    enum { POINTS = 400 };
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_kernels_embedding y;
    dgmi_reduce_repulsion job;
    assert_int_equal(dgmi_reduce_embedding_make(ctx, 2, POINTS, &y), DGM_OK);
    fill(&y, POINTS, 1, 1);
    assert_int_equal(dgmi_reduce_repulsion_open(ctx, DGM_TSNE_FFT, &y, &job), DGM_OK);
    for (int64_t s = 0; s < COUNT(scales); s++) {
        fill(&y, POINTS, 1, scales[s]);
        for (int64_t i = 0; i < POINTS; i++)
            y.axis[0][i] += (float)moves[s];
        forces f = slow_forces(&y);
        double error = 0, size = 0;
        assert_int_equal(dgmi_reduce_repulsion_run(&job), DGM_OK);
        for (int64_t i = 0; i < POINTS; i++) {
            assert_near((double)job.sums[i], f.sums[i], 0.01 * f.sums[i]);
            for (int a = 0; a < 2; a++) {
                error += pow((double)job.force[a][i] - f.force[a][i], 2);
                size += pow(f.force[a][i], 2);
            }
        }
        assert_true(sqrt(error / size) < 0.02);
        free_forces(&f);
    }
    dgmi_reduce_repulsion_close(&job);
    dgmi_arena_release(ctx, hold);
}

static void all_pairs_are_exact(void **state) {
    (void)state;
    check_method(DGM_TSNE_EXACT, 1, 3, (tolerance){1e-4, 1e-4, 5e-5});
}

static void a_tree_is_within_two_percent(void **state) {
    (void)state;
    check_method(DGM_TSNE_TREE, 1, 3, (tolerance){0.02, 1e-3, 0.012});
}

static void a_grid_is_within_a_percent(void **state) {
    (void)state;
    check_method(DGM_TSNE_FFT, 1, 2, (tolerance){0.01, 1e-4, 1e-4});
}

/* The smallest even number from there on without a prime factor above 5. */
static void sizes_of_grids_have_small_factors(void **state) {
    (void)state;
    for (int64_t least = 1; least <= 1000; least++) {
        int64_t size = least;
        for (;; size++) {
            int64_t rest = size;
            for (int64_t factor = 2; factor <= 5; factor++)
                while (rest % factor == 0)
                    rest /= factor;
            if (rest == 1 && size % 2 == 0)
                break;
        }
        assert_int_equal(dgmi_reduce_convolution_size(least), size);
    }
}

/* All pairs while they are few, then a grid, or a tree where a grid would have three axes. */
static void the_method_belongs_to_the_count_and_the_axes(void **state) {
    (void)state;
    static const struct {
        int asked, dim;
        int64_t count;
        int chosen;
    } cases[] = {
        {DGM_TSNE_AUTO, 1, 1999, DGM_TSNE_EXACT},  {DGM_TSNE_AUTO, 1, 2000, DGM_TSNE_FFT},
        {DGM_TSNE_AUTO, 2, 7999, DGM_TSNE_EXACT},  {DGM_TSNE_AUTO, 2, 8000, DGM_TSNE_FFT},
        {DGM_TSNE_AUTO, 3, 14999, DGM_TSNE_EXACT}, {DGM_TSNE_AUTO, 3, 15000, DGM_TSNE_TREE},
        {DGM_TSNE_AUTO, 1, 100, DGM_TSNE_EXACT},   {DGM_TSNE_AUTO, 2, 100, DGM_TSNE_EXACT},
        {DGM_TSNE_AUTO, 3, 100, DGM_TSNE_EXACT},   {DGM_TSNE_AUTO, 1, 100000, DGM_TSNE_FFT},
        {DGM_TSNE_AUTO, 2, 100000, DGM_TSNE_FFT},  {DGM_TSNE_AUTO, 3, 100000, DGM_TSNE_TREE},
        {DGM_TSNE_TREE, 2, 100, DGM_TSNE_TREE},    {DGM_TSNE_EXACT, 2, 100000, DGM_TSNE_EXACT}};
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(dgmi_reduce_repulsion_choose(cases[i].asked, cases[i].dim, cases[i].count),
                         cases[i].chosen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_of_equal_points_rest_on_a_grid),
        cmocka_unit_test(a_point_alone_rests),
        cmocka_unit_test(a_grid_follows_a_map_that_moves_and_grows),
        cmocka_unit_test(all_pairs_are_exact),
        cmocka_unit_test(sizes_of_grids_have_small_factors),
        cmocka_unit_test(a_tree_is_within_two_percent),
        cmocka_unit_test(a_grid_is_within_a_percent),
        cmocka_unit_test(the_method_belongs_to_the_count_and_the_axes),
    };
    return RUN_WITH_CONTEXT(tests);
}
