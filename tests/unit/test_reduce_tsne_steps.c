/* SPDX-License-Identifier: Apache-2.0 */
/* The descent of t-SNE step by step, against the formulas written down plainly. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_memory.h"
#include "base_random.h"
#include "reduce_tsne.h"

enum { POINTS = 40, AXES = 2, ENTRIES = POINTS * AXES };

/* Where a naive descent is, and how fast. */
typedef struct {
    double place[ENTRIES], speed[ENTRIES], gain[ENTRIES];
} descent;

static void forget_the_past(descent *d) {
    for (int e = 0; e < ENTRIES; e++) {
        d->speed[e] = 0;
        d->gain[e] = 1;
    }
}

/* w_ij = 1 / (1 + |y_i - y_j|^2). */
static double weight(const descent *d, int i, int j) {
    double square = 0;
    for (int a = 0; a < AXES; a++) {
        double apart = d->place[AXES * i + a] - d->place[AXES * j + a];
        square += apart * apart;
    }
    return 1 / (1 + square);
}

/* sum_j (p_ij - w_ij / Z) w_ij (y_i - y_j): van der Maaten and Hinton's equation 5, without its 4.
 */
static void find_gradient(const descent *d, const double *p, double *gradient) {
    double z = 0;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++)
            z += i == j ? 0 : weight(d, i, j);
    for (int e = 0; e < ENTRIES; e++) {
        int i = e / AXES, a = e % AXES;
        gradient[e] = 0;
        for (int j = 0; j < POINTS; j++) {
            double w = weight(d, i, j), apart = d->place[e] - d->place[AXES * j + a];
            gradient[e] += (p[POINTS * i + j] - w / z) * w * apart;
        }
    }
}

/* Gains grow where a point goes on downhill, and shrink where it has turned or stands. */
static void step(descent *d, const double *gradient, double rate, double momentum) {
    for (int e = 0; e < ENTRIES; e++) {
        double grown = d->speed[e] * gradient[e] < 0 ? d->gain[e] + 0.2 : d->gain[e] * 0.8;
        d->gain[e] = fmax(grown, 0.01);
        d->speed[e] = momentum * d->speed[e] - rate * d->gain[e] * gradient[e];
        d->place[e] += d->speed[e];
    }
}

/* All of them: exaggerated and slow at first, then from rest with the true affinities. */
static void descend(descent *d, const double *p, const dgm_tsne_options *options) {
    double gradient[ENTRIES], exaggerated[POINTS * POINTS];
    for (int e = 0; e < POINTS * POINTS; e++)
        exaggerated[e] = options->exaggeration * p[e];
    forget_the_past(d);
    for (int64_t i = 0; i < options->iterations; i++) {
        bool early = i < options->early;
        if (i == options->early)
            forget_the_past(d);
        find_gradient(d, early ? exaggerated : p, gradient);
        step(d, gradient, options->rate, early ? 0.5 : 0.8);
    }
}

static dgmi_reduce_affinities make_affinities(const dgm_tsne_options *options, double *dense) {
    dgm_matrix *table;
    dgmi_reduce_affinities p;
    assert_int_equal(dgm_matrix_create(ctx, POINTS, 3, &table), DGM_OK);
    for (int e = 0; e < 3 * POINTS; e++)
        dgm_matrix_values_mutable(table)[e] = dgmi_random_unit(7, 1, (uint64_t)e);
    dgm_points points = dgm_points_of_matrix(table);
    assert_int_equal(dgmi_reduce_affinities_make(ctx, &points, options, options->perplexity, &p),
                     DGM_OK);
    for (int i = 0; i < POINTS; i++)
        for (int64_t e = p.offsets[i]; e < p.offsets[i + 1]; e++)
            dense[POINTS * i + (int)p.columns[e]] = (double)p.values[e];
    dgm_matrix_free(table);
    return p;
}

static void every_step_is_that_of_the_formulas(void **state) {
    (void)state;
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    options.perplexity = 5;
    options.rate = 20;
    options.exaggeration = 4;
    options.repulsion = DGM_TSNE_EXACT;
    double dense[POINTS * POINTS] = {0};
    dgmi_reduce_affinities p = make_affinities(&options, dense);
    for (options.iterations = 1; options.iterations <= 8; options.iterations++) {
        dgmi_hold hold = dgmi_arena_hold(ctx);
        dgmi_kernels_embedding y;
        descent naive;
        options.early = options.iterations / 2 + options.iterations % 2;
        assert_int_equal(dgmi_reduce_embedding_make(ctx, AXES, POINTS, &y), DGM_OK);
        for (int e = 0; e < ENTRIES; e++) {
            naive.place[e] = dgmi_random_unit(7, 2, (uint64_t)e) - 0.5;
            y.axis[e % AXES][e / AXES] = (float)naive.place[e];
        }
        dgmi_reduce_descent ours = {.options = &options,
                                    .iterations = options.iterations,
                                    .early = options.early,
                                    .whole = options.iterations};
        assert_int_equal(dgmi_reduce_descent_run(ctx, &p, &y, &ours), DGM_OK);
        descend(&naive, dense, &options);
        for (int e = 0; e < ENTRIES; e++)
            assert_near((double)y.axis[e % AXES][e / AXES], naive.place[e], 1e-4);
        dgmi_arena_release(ctx, hold);
    }
    dgmi_reduce_affinities_free(ctx, &p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_is_that_of_the_formulas),
    };
    return RUN_WITH_CONTEXT(tests);
}
