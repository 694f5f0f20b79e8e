/* SPDX-License-Identifier: Apache-2.0 */
/* The descent of t-SNE step by step, against the formulas written down plainly. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_memory.h"
#include "base_random.h"
#include "reduce_tsne.h"
#include "unit_progress.h"

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

/* All of them: exaggerated and slow at first, then from rest with the true affinities. Returns the
 * length of the last gradient. */
static double descend(descent *d, const double *p, const dgm_tsne_options *options) {
    double gradient[ENTRIES] = {0}, exaggerated[POINTS * POINTS], square = 0;
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
    for (int e = 0; e < ENTRIES; e++)
        square += gradient[e] * gradient[e];
    return 4 * sqrt(square);
}

/* sum p log(p / q), q = w / Z. */
static double divergence_of(const descent *d, const double *p) {
    double z = 0, sum = 0;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++)
            z += i == j ? 0 : weight(d, i, j);
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++)
            if (p[POINTS * i + j] > 0)
                sum += p[POINTS * i + j] * log(p[POINTS * i + j] * z / weight(d, i, j));
    return sum;
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

/* Both descents from the same places, the naive one with a rate and an exaggeration of its own. */
static void compare(dgmi_reduce_affinities *p, const double *dense, const dgm_tsne_options *options,
                    bool wild, double rate, double exaggeration) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_tsne_options used = *options;
    dgmi_kernels_embedding y;
    descent naive;
    assert_int_equal(dgmi_reduce_embedding_make(ctx, AXES, POINTS, &y), DGM_OK);
    for (int e = 0; e < ENTRIES; e++) {
        naive.place[e] = dgmi_random_unit(7, 2, (uint64_t)e) - 0.5;
        y.axis[e % AXES][e / AXES] = (float)naive.place[e];
    }
    dgmi_reduce_descent ours = {.options = options,
                                .iterations = options->iterations,
                                .early = options->early,
                                .before = 3,
                                .whole = options->iterations + 5,
                                .wild = wild};
    hear_progress();
    assert_int_equal(dgmi_reduce_descent_run(ctx, p, &y, &ours), DGM_OK);
    hear_no_more();
    used.rate = rate;
    used.exaggeration = exaggeration;
    double gradient = descend(&naive, dense, &used);
    for (int e = 0; e < ENTRIES; e++)
        assert_near((double)y.axis[e % AXES][e / AXES], naive.place[e], wild ? 1e-3 : 1e-4);
    assert_near(ours.gradient, gradient, 1e-3 * gradient);
    assert_near(ours.divergence, divergence_of(&naive, dense), 1e-3);
    assert_int_equal(ours.done, options->iterations);
    assert_null(ours.stop);
    assert_int_equal(reports_of("t-SNE"), options->iterations);
    for (int64_t i = 0; i < heard_count; i++)
        assert_true(heard_reports[i].fraction == (double)(i + 4) / (double)ours.whole);
    dgmi_arena_release(ctx, hold);
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
        options.early = options.iterations / 2 + options.iterations % 2;
        compare(&p, dense, &options, false, 20, 4);
        compare(&p, dense, &options, true, 20, 10); /* two and a half times as much */
    }
    dgmi_reduce_affinities_free(ctx, &p);
}

/* 40 points: a fifth of them or their number by the exaggeration, whichever is more; twice their
 * number in a wild descent. */
static void a_rate_of_0_belongs_to_the_number_of_points(void **state) {
    (void)state;
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    options.perplexity = 5;
    options.repulsion = DGM_TSNE_EXACT;
    options.iterations = 2;
    options.early = 1;
    options.rate = 0;
    double dense[POINTS * POINTS] = {0};
    dgmi_reduce_affinities p = make_affinities(&options, dense);
    options.exaggeration = 8;
    compare(&p, dense, &options, false, 8, 8);
    options.exaggeration = 2;
    compare(&p, dense, &options, false, 20, 2);
    compare(&p, dense, &options, true, 80, 5);
    dgmi_reduce_affinities_free(ctx, &p);
}

/* ---- many points ---- */

/* 257 times the same 64 points, in turn: each is tied to those before and behind it. So many are
 * sorted along a curve on the way, and yet each moves as the naive descent of 64 has it. */
static void points_that_are_sorted_on_the_way_come_back_to_their_rows(void **state) {
    (void)state;
    enum { KINDS = 64, COPIES = 257, MANY = KINDS * COPIES };
    double place[KINDS][AXES], gradient[KINDS][AXES];
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_kernels_embedding y;
    dgmi_reduce_affinities p = {.rows = MANY, .recall = 1};
    options.repulsion = DGM_TSNE_EXACT;
    options.rate = 1000;
    p.offsets = dgmi_alloc(ctx, MANY + 1, sizeof *p.offsets);
    p.columns = dgmi_alloc(ctx, 2 * MANY, sizeof *p.columns);
    p.values = dgmi_alloc(ctx, 2 * MANY, sizeof *p.values);
    p.offsets[0] = 0;
    assert_int_equal(dgmi_reduce_embedding_make(ctx, AXES, MANY, &y), DGM_OK);
    for (uint32_t i = 0; i < MANY; i++) {
        p.offsets[i + 1] = 2 * (int64_t)i + 2;
        p.columns[2 * i] = (i + 1) % MANY;
        p.columns[2 * i + 1] = (i + MANY - 1) % MANY;
        p.values[2 * i] = p.values[2 * i + 1] = 0.5F / MANY;
        for (int a = 0; a < AXES; a++) {
            place[i % KINDS][a] = 4 * dgmi_random_unit(9, (uint64_t)a, i % KINDS);
            y.axis[a][i] = (float)place[i % KINDS][a];
        }
    }
    dgmi_reduce_descent ours = {.options = &options, .iterations = 2, .whole = 2};
    assert_int_equal(dgmi_reduce_descent_run(ctx, &p, &y, &ours), DGM_OK);
    double speed[KINDS][AXES] = {{0}}, gain[KINDS][AXES];
    for (int round = 0; round < 2; round++) {
        double z = -(double)MANY;
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < KINDS; i++) {
                double push[AXES] = {0}, pull[AXES] = {0};
                for (int j = 0; j < KINDS; j++) {
                    double dx = place[i][0] - place[j][0], dy = place[i][1] - place[j][1];
                    double w = 1 / (1 + dx * dx + dy * dy);
                    bool tied = j == (i + 1) % KINDS || j == (i + KINDS - 1) % KINDS;
                    z += pass == 0 ? (double)COPIES * COPIES * w : 0;
                    push[0] += COPIES * w * w * dx;
                    push[1] += COPIES * w * w * dy;
                    pull[0] += tied ? 0.5 / MANY * w * dx : 0;
                    pull[1] += tied ? 0.5 / MANY * w * dy : 0;
                }
                for (int a = 0; a < AXES; a++)
                    gradient[i][a] = pull[a] - push[a] / z;
            }
        for (int i = 0; i < KINDS; i++)
            for (int a = 0; a < AXES; a++) {
                double before = round ? gain[i][a] : 1;
                gain[i][a] = speed[i][a] * gradient[i][a] < 0 ? before + 0.2 : before * 0.8;
                speed[i][a] = 0.8 * speed[i][a] - options.rate * gain[i][a] * gradient[i][a];
                place[i][a] += speed[i][a];
            }
    }
    for (int i = 0; i < MANY; i++)
        for (int a = 0; a < AXES; a++)
            assert_near((double)y.axis[a][i], place[i % KINDS][a], 2e-5);
    dgmi_reduce_affinities_free(ctx, &p);
    dgmi_arena_release(ctx, hold);
}

/* ---- the end ---- */

/* Points in pairs that are all to each other; `apart` from each other, on a line. */
static dgmi_reduce_descent run_pair(int64_t points, double apart, double rate, int64_t early) {
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_kernels_embedding y;
    dgmi_reduce_affinities p = {.rows = points, .recall = 1};
    options.repulsion = DGM_TSNE_EXACT;
    options.rate = rate;
    options.exaggeration = 1;
    p.offsets = dgmi_alloc(ctx, points + 1, sizeof *p.offsets);
    p.columns = dgmi_alloc(ctx, points, sizeof *p.columns);
    p.values = dgmi_alloc(ctx, points, sizeof *p.values);
    p.offsets[0] = 0;
    assert_int_equal(dgmi_reduce_embedding_make(ctx, 1, points, &y), DGM_OK);
    for (uint32_t i = 0; i < points; i++) {
        p.offsets[i + 1] = i + 1;
        p.columns[i] = i ^ 1;
        p.values[i] = 1 / (float)points;
        y.axis[0][i] = (float)(apart * i);
    }
    dgmi_reduce_descent ours = {
        .options = &options, .iterations = 1000, .whole = 1000, .early = early};
    assert_int_equal(dgmi_reduce_descent_run(ctx, &p, &y, &ours), DGM_OK);
    ours.options = NULL;
    dgmi_reduce_affinities_free(ctx, &p);
    dgmi_arena_release(ctx, hold);
    return ours;
}

/* Every fiftieth step looks back: the first that does finds what three hundred do not better. Two
 * points have all they can have of each other wherever they are. */
static void a_descent_ends_where_nothing_changes(void **state) {
    (void)state;
    dgmi_reduce_descent idle = run_pair(4, 1, 1e-20, 0), late = run_pair(4, 1, 1e-20, 60);
    assert_string_equal(idle.stop, "no more progress");
    assert_int_equal(idle.done, 400);
    assert_string_equal(late.stop, "no more progress");
    assert_int_equal(late.done, 450);
    dgmi_reduce_descent rest = run_pair(2, 1, 1, 0), early = run_pair(2, 1, 1, 60);
    assert_string_equal(rest.stop, "the gradient vanished");
    assert_int_equal(rest.done, 50);
    assert_near(rest.gradient, 0, 1e-7);
    assert_string_equal(early.stop, "the gradient vanished");
    assert_int_equal(early.done, 100);
    /* half of the distance is the deviation: a map that has collapsed may still grow */
    assert_int_equal(run_pair(2, 0.021, 1, 0).done, 50);
    assert_int_equal(run_pair(2, 0.019, 1, 0).done, 400);
}

static int64_t tsne_reports;
static double last_fraction;

static bool count_tsne(void *user, const char *stage, double fraction) {
    (void)user;
    tsne_reports += strcmp(stage, "t-SNE") == 0;
    last_fraction = fraction;
    return true;
}

/* Few points are laid out up to eight times, for 300 steps behind the early ones; the best goes on.
 * 1000 points, with 250 links each, are laid out once, fewer in about that time. */
static void few_points_have_several_trials(void **state) {
    (void)state;
    static const struct {
        int64_t rows, iterations, trials;
    } cases[] = {{30, 302, 8},  {30, 301, 1},  {297, 302, 7},
                 {666, 302, 2}, {667, 302, 2}, {676, 302, 1}};
    for (int64_t c = 0; c < COUNT(cases); c++) {
        dgm_matrix *table = build_matrix(cases[c].rows, 2, NULL), *map;
        dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
        dgm_reduce_report report;
        for (int64_t e = 0; e < 2 * cases[c].rows; e++)
            dgm_matrix_values_mutable(table)[e] = dgmi_random_unit(7, 5, (uint64_t)e);
        dgm_points points = dgm_points_of_matrix(table);
        options.iterations = cases[c].iterations;
        options.early = 1;
        options.perplexity = 3;
        tsne_reports = 0;
        dgm_context_set_progress(ctx, count_tsne, NULL);
        assert_int_equal(dgm_reduce_tsne(ctx, &points, 1, &options, &report, &map), DGM_OK);
        dgm_context_set_progress(ctx, NULL, NULL);
        int64_t taste = cases[c].trials > 1 ? 301 : cases[c].iterations;
        assert_int_equal(tsne_reports, cases[c].trials * taste + cases[c].iterations - taste);
        assert_true(last_fraction == 1);
        assert_near(report.figures[1].values[0], (double)cases[c].iterations, 0);
        dgm_matrix_free(map);
        dgm_matrix_free(table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_is_that_of_the_formulas),
        cmocka_unit_test(a_rate_of_0_belongs_to_the_number_of_points),
        cmocka_unit_test(points_that_are_sorted_on_the_way_come_back_to_their_rows),
        cmocka_unit_test(a_descent_ends_where_nothing_changes),
        cmocka_unit_test(few_points_have_several_trials),
    };
    return RUN_WITH_CONTEXT(tests);
}
