/* SPDX-License-Identifier: Apache-2.0 */
/* UMAP's start and its descent epoch by epoch, against plain loops in double. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_memory.h"
#include "base_random.h"
#include "reduce_umap.h"
#include "unit_progress.h"

enum { POINTS = 37, MOST_AXES = 5, STREAM = 0x756d6170 };

/* ---- a graph ---- */

typedef struct {
    int64_t offsets[POINTS + 1];
    uint32_t columns[POINTS * POINTS];
    double values[POINTS * POINTS];
    dgmi_spectral_adjacency graph;
} web;

/* Each point is joined with some, more or less. One edge in four is too weak for few epochs. */
static void make_web(web *w) {
    int64_t place = 0;
    for (uint32_t i = 0; i < POINTS; i++) {
        w->offsets[i] = place;
        for (uint32_t j = 0; j < POINTS; j++) {
            uint32_t low = i < j ? i : j, high = i < j ? j : i;
            double draw = dgmi_random_unit(2, low, high);
            if (i == j || (draw > 0.15 && high != low + 1))
                continue;
            w->columns[place] = j;
            w->values[place++] = draw < 0.04 ? 0.1 * draw : 0.3 + 0.4 * draw;
        }
    }
    w->offsets[POINTS] = place;
    w->graph =
        (dgmi_spectral_adjacency){POINTS, w->offsets, w->columns, w->values, NULL, NULL, 0, 0};
}

/* ---- the descent in plain loops ---- */

typedef struct {
    const dgm_umap_options *options;
    dgmi_reduce_umap_curve curve;
    int64_t epochs, dim;
    int64_t offsets[POINTS + 1]; /* edges that pull in some epoch */
    uint32_t targets[POINTS * POINTS], often[POINTS * POINTS];
    double now[POINTS * MOST_AXES], next[POINTS * MOST_AXES];
} twin;

static void take_edges(twin *t, const web *w) {
    int64_t place = 0;
    double most = 0;
    for (int64_t e = 0; e < w->offsets[POINTS]; e++)
        most = fmax(most, w->values[e]);
    for (int64_t i = 0; i < POINTS; i++) {
        t->offsets[i] = place;
        for (int64_t e = w->offsets[i]; e < w->offsets[i + 1]; e++)
            if (w->values[e] / most * (double)t->epochs >= 1) {
                t->targets[place] = w->columns[e];
                t->often[place++] = (uint32_t)fmin(w->values[e] / most * 0x1p32, UINT32_MAX);
            }
    }
    t->offsets[POINTS] = place;
}

static uint32_t mix(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

static uint32_t below(uint32_t bits, uint64_t bound) {
    return (uint32_t)((uint64_t)bits * bound >> 32);
}

/* One step towards another point, or away from it. */
static void step(const twin *t, bool pull, uint32_t target, double rate, double *y) {
    double square = 0, a = t->curve.a, b = t->curve.b;
    for (int64_t d = 0; d < t->dim; d++)
        square += pow(y[d] - t->now[target * t->dim + d], 2);
    square = fmax(square, 1e-20);
    double v = pow(square, b);
    double force =
        pull ? -2 * a * b * v / (square * (1 + a * v)) : 2 * b / ((0.001 + square) * (1 + a * v));
    for (int64_t d = 0; d < t->dim; d++)
        y[d] += rate * fmax(-4, fmin(4, force * (y[d] - t->now[target * t->dim + d])));
}

/* The pulls of a point in an epoch, shuffled; returns how many. */
static uint32_t list_pulls(const twin *t, uint32_t node, uint32_t epoch, uint32_t key,
                           uint32_t *pulls) {
    uint32_t count = 0;
    for (uint32_t direction = 0; direction < 2; direction++)
        for (int64_t e = t->offsets[node]; e < t->offsets[node + 1]; e++) {
            uint32_t phase = (2 * (uint32_t)e + direction) * 0x9e3779b9U;
            uint32_t sum = epoch * t->often[e] + phase;
            if (sum < t->often[e])
                pulls[count++] = t->targets[e];
        }
    for (uint32_t i = count; i > 1; i--) {
        uint32_t j = below(mix(mix(node * 0x85ebca6bU + key) + i * 0x9e3779b9U), i);
        uint32_t other = pulls[j];
        pulls[j] = pulls[i - 1];
        pulls[i - 1] = other;
    }
    return count;
}

static void move_point(twin *t, uint32_t node, uint32_t epoch, uint32_t key) {
    uint32_t pulls[2 * POINTS], count = list_pulls(t, node, epoch + 1, key, pulls);
    double y[MOST_AXES], rate = 1 - (double)epoch / (double)t->epochs;
    uint32_t own = mix(node * 0x9e3779b1U + key), draw = 0;
    memcpy(y, t->now + node * t->dim, (size_t)t->dim * sizeof *y);
    for (uint32_t p = 0; p < count; p++) {
        step(t, true, pulls[p], rate, y);
        for (; draw < (p + 1) * t->options->negatives / 2; draw++)
            step(t, false, below(mix(own + draw * 0x9e3779b9U), POINTS), rate, y);
    }
    memcpy(t->next + node * t->dim, y, (size_t)t->dim * sizeof *y);
}

static void descend(twin *t, const web *w) {
    take_edges(t, w);
    for (uint32_t epoch = 0; epoch < t->epochs; epoch++) {
        uint32_t key = (uint32_t)dgmi_random_bits((uint64_t)t->options->seed, 0x65706f6368, epoch);
        for (uint32_t i = 0; i < POINTS; i++)
            move_point(t, i, epoch, key);
        memcpy(t->now, t->next, sizeof t->now);
    }
}

static void every_epoch_is_that_of_the_formulas(void **state) {
    (void)state;
    static const int64_t dims[] = {1, 2, 3, 5}, negatives[] = {5, 0, 3};
    static web w;
    static twin t;
    make_web(&w);
    for (int c = 0; c < 24; c++) {
        dgm_umap_options options = DGM_UMAP_OPTIONS_INIT;
        float y[POINTS * MOST_AXES];
        options.negatives = negatives[c / 4 % 3];
        options.seed = 3 + c;
        t.options = &options;
        t.curve = dgmi_reduce_umap_fit(0.1, 1);
        t.epochs = c < 12 ? 1 : 3;
        t.dim = dims[c % 4];
        for (int64_t i = 0; i < POINTS * t.dim; i++) {
            y[i] = (float)(10 * dgmi_random_unit(4, (uint64_t)c, (uint64_t)i));
            t.now[i] = (double)y[i];
        }
        hear_progress();
        assert_int_equal(
            dgmi_reduce_umap_descend(ctx, &w.graph, t.curve, &options, t.epochs, t.dim, y), DGM_OK);
        hear_no_more();
        assert_int_equal(heard_count, t.epochs);
        for (int64_t e = 0; e < t.epochs; e++) {
            assert_string_equal(heard_reports[e].stage, "umap");
            assert_true(heard_reports[e].fraction == (double)(e + 1) / (double)t.epochs);
        }
        descend(&t, &w);
        for (int64_t i = 0; i < POINTS * t.dim; i++)
            assert_near((double)y[i], t.now[i], c < 12 ? 1e-3 : 1e-2);
    }
}

/* ---- the start ---- */

static dgm_matrix *scattered(int64_t rows, int64_t columns) {
    dgm_matrix *table = build_matrix(rows, columns, NULL);
    for (int64_t i = 0; i < rows * columns; i++)
        dgm_matrix_values_mutable(table)[i] = dgmi_random_unit(8, 8, (uint64_t)i);
    return table;
}

/* An axis goes from 0 to 10, and every place is a little off. */
static void assert_spread(const double *x, int64_t rows, int64_t dim, int64_t axis, uint64_t seed,
                          const float *y) {
    double low = x[0], high = x[0];
    for (int64_t i = 0; i < rows; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
    }
    for (int64_t i = 0; i < rows; i++) {
        int64_t at = i * dim + axis;
        double noise = dgmi_random_unit(seed, STREAM + 1, (uint64_t)at) - 0.5;
        double share = high > low ? (x[i] - low) / (high - low) : 0.5;
        assert_near((double)y[at], 10 * share + 1e-4 * noise, 2e-6);
    }
}

static void draw_axis(int64_t rows, int64_t axis, uint64_t seed, double *x) {
    for (int64_t i = 0; i < rows; i++)
        x[i] = dgmi_random_unit(seed, STREAM, (uint64_t)(axis * rows + i));
}

static void a_random_start_fills_its_square(void **state) {
    (void)state;
    enum { ROWS = 50 };
    for (int64_t rows = 1; rows <= ROWS; rows += ROWS - 1) {
        dgm_matrix *table = scattered(rows, 3);
        dgm_points points = dgm_points_of_matrix(table);
        dgm_umap_options options = DGM_UMAP_OPTIONS_INIT;
        double x[ROWS];
        float y[ROWS * 2];
        options.init = DGM_UMAP_RANDOM;
        options.seed = 12;
        assert_int_equal(dgmi_reduce_umap_start(ctx, &points, NULL, &options, 2, y), DGM_OK);
        for (int64_t axis = 0; axis < 2; axis++) {
            draw_axis(rows, axis, 12, x);
            assert_spread(x, rows, 2, axis, 12, y);
        }
        dgm_matrix_free(table);
    }
}

/* Two columns have two components; the third axis is random. */
static void axes_beyond_the_components_are_random(void **state) {
    (void)state;
    enum { ROWS = 40 };
    dgm_matrix *table = scattered(ROWS, 2);
    dgm_points points = dgm_points_of_matrix(table);
    dgm_umap_options options = DGM_UMAP_OPTIONS_INIT;
    double x[ROWS];
    float y[ROWS * 3];
    options.init = DGM_UMAP_PCA;
    assert_int_equal(dgmi_reduce_umap_start(ctx, &points, NULL, &options, 3, y), DGM_OK);
    draw_axis(ROWS, 2, 1, x);
    assert_spread(x, ROWS, 3, 2, 1, y);
    dgm_matrix_free(table);
}

/* x is the axis less the share of the null vector in it: N x = lambda x. */
static void assert_eigenvector(const web *w, const float *y, int64_t dim, int64_t axis,
                               double *value) {
    double root[POINTS], x[POINTS], image[POINTS], shares = 0, roots = 0, size = 0, above = 0;
    int64_t largest = 0;
    for (int64_t i = 0; i < POINTS; i++) {
        root[i] = 0;
        for (int64_t e = w->offsets[i]; e < w->offsets[i + 1]; e++)
            root[i] += w->values[e];
        root[i] = sqrt(root[i]);
        shares += root[i] * (double)y[i * dim + axis];
        roots += root[i];
    }
    for (int64_t i = 0; i < POINTS; i++)
        x[i] = (double)y[i * dim + axis] - shares / roots;
    for (int64_t i = 0; i < POINTS; i++) {
        image[i] = x[i];
        for (int64_t e = w->offsets[i]; e < w->offsets[i + 1]; e++)
            image[i] -= w->values[e] * x[w->columns[e]] / (root[i] * root[w->columns[e]]);
        size += x[i] * x[i];
        above += image[i] * x[i];
        largest = fabs(x[i]) > fabs(x[largest]) ? i : largest;
    }
    *value = above / size;
    for (int64_t i = 0; i < POINTS; i++)
        assert_near(image[i], *value * x[i], 1e-3);
    assert_true(x[largest] > 0);
}

static void a_spectral_start_has_the_eigenvectors_of_the_graph(void **state) {
    (void)state;
    static web w;
    dgm_matrix *table = scattered(POINTS, 3);
    dgm_points points = dgm_points_of_matrix(table);
    dgm_umap_options options = DGM_UMAP_OPTIONS_INIT;
    float y[POINTS * 3];
    double values[3];
    make_web(&w);
    assert_int_equal(dgmi_reduce_umap_start(ctx, &points, &w.graph, &options, 3, y), DGM_OK);
    for (int64_t axis = 0; axis < 3; axis++)
        assert_eigenvector(&w, y, 3, axis, &values[axis]);
    assert_true(values[0] > 1e-3 && values[0] < values[1] && values[1] < values[2]);
    dgm_matrix_free(table);
}

/* A path of n points has n - 1 eigenvectors beside the constant one. */
static void as_many_axes_as_points_are_random(void **state) {
    (void)state;
    static const int64_t offsets[] = {0, 1, 3, 4};
    static const uint32_t columns[] = {1, 0, 2, 1};
    static const double ones[] = {1, 1, 1, 1};
    const dgmi_spectral_adjacency path = {3, offsets, columns, ones, NULL, NULL, 0, 0};
    dgm_matrix *table = scattered(3, 2);
    dgm_points points = dgm_points_of_matrix(table);
    dgm_umap_options options = DGM_UMAP_OPTIONS_INIT;
    double x[3];
    float y[9];
    assert_int_equal(dgmi_reduce_umap_start(ctx, &points, &path, &options, 3, y), DGM_OK);
    for (int64_t axis = 0; axis < 3; axis++) {
        draw_axis(3, axis, 1, x);
        assert_spread(x, 3, 3, axis, 1, y);
    }
    assert_int_equal(dgmi_reduce_umap_start(ctx, &points, &path, &options, 2, y), DGM_OK);
    /* (1, 0, -1) and (1, -sqrt(2), 1), whose signs are those of their largest entries */
    assert_near((double)y[2], 5, 1e-3);
    assert_near(fabs((double)y[0] - (double)y[4]), 10, 1e-3);
    assert_near((double)y[3], 10, 1e-3);
    assert_near((double)y[1], 0, 1e-3);
    assert_near((double)y[5], 0, 1e-3);
    dgm_matrix_free(table);
}

/* ---- how many epochs ---- */

static double first_fraction;

static bool stop_at_the_first_epoch(void *user, const char *stage, double fraction) {
    (void)user;
    if (strcmp(stage, "umap") != 0)
        return true;
    first_fraction = fraction;
    return false;
}

static void ten_thousand_points_are_few(void **state) {
    (void)state;
    for (int64_t rows = 10000; rows <= 10001; rows++) {
        dgm_matrix *table = scattered(rows, 1), *map;
        dgm_points points = dgm_points_of_matrix(table);
        dgm_umap_options options = DGM_UMAP_OPTIONS_INIT;
        options.init = DGM_UMAP_RANDOM;
        options.neighbours = 2;
        dgm_context_set_progress(ctx, stop_at_the_first_epoch, NULL);
        assert_int_equal(dgm_reduce_umap(ctx, &points, 1, &options, NULL, &map),
                         DGM_ERROR_CANCELLED);
        dgm_context_set_progress(ctx, NULL, NULL);
        dgm_context_resume(ctx);
        assert_true(first_fraction == 1.0 / (rows == 10000 ? 500 : 200));
        dgm_matrix_free(table);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_epoch_is_that_of_the_formulas),
        cmocka_unit_test(a_random_start_fills_its_square),
        cmocka_unit_test(axes_beyond_the_components_are_random),
        cmocka_unit_test(a_spectral_start_has_the_eigenvectors_of_the_graph),
        cmocka_unit_test(as_many_axes_as_points_are_random),
        cmocka_unit_test(ten_thousand_points_are_few),
    };
    return RUN_WITH_CONTEXT(tests);
}
