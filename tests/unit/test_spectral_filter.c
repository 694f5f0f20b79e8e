/* SPDX-License-Identifier: Apache-2.0 */
/* The polynomial filter against its closed form: on an eigenvector it is a number. */
#include "spectral_graphs.h"

#include "base_memory.h"
#include "spectral_filter.h"

enum { NODES = 300 };

static dgmi_spectral_filter make_filter(const known_graph *known, double diagonal) {
    dgmi_spectral_filter filter;
    int64_t products = 0;
    assert_int_equal(
        dgmi_spectral_filter_create(ctx, &known->laplacian, diagonal, 1, &filter, &products),
        DGM_OK);
    assert_true(products > 0);
    return filter;
}

/* The polynomial of Chebyshev, anywhere on the line. */
static double chebyshev(int64_t degree, double x) {
    if (fabs(x) <= 1)
        return cos((double)degree * acos(x));
    double size = cosh((double)degree * acosh(fabs(x)));
    return x < 0 && degree % 2 == 1 ? -size : size;
}

/* q(z), where 1 - q(z) (z - shift) = C((centre - z) / half) / C((centre - shift) / half). */
static double closed_form(int64_t degree, double shift, double low, double top, double z) {
    double centre = (top + low) / 2, half = (top - low) / 2;
    double share =
        chebyshev(degree, (centre - z) / half) / chebyshev(degree, (centre - shift) / half);
    return (1 - share) / (z - shift);
}

/* An eigenvector of a cycle, and its eigenvalue times `scale`. */
static double cycle_vector(int64_t nodes, int64_t wave, double scale, double *x) {
    double angle = 2 * acos(-1) * (double)wave / (double)nodes;
    for (int64_t u = 0; u < nodes; u++)
        x[u] = cos(angle * (double)u);
    return scale * 4 * pow(sin(angle / 2), 2);
}

/* The eigenvalues of twelve nodes in a cycle are 0, 0.27, 1, ..., 4. */
static void check_cycle(bool normalised, double shift, double low) {
    enum { RING = 12 };
    dgmi_hold hold = dgmi_arena_hold(ctx);
    known_graph known = known_path(RING, true, normalised);
    double scale = normalised ? 0.5 : 1;
    dgmi_spectral_filter filter = make_filter(&known, 2 * scale);
    assert_near(filter.top, 4 * scale, 1e-6);
    for (int64_t wave = 1; wave <= RING / 2; wave++) {
        double x[RING], y[RING], z = cycle_vector(RING, wave, scale, x);
        memcpy(y, x, sizeof y);
        int64_t products = dgmi_spectral_filter_apply(ctx, &filter, scale * shift, scale * low,
                                                      scale * fmin(shift, 0.26), y);
        double expected = closed_form(products + 1, scale * shift, scale * low, filter.top, z);
        if (z >= scale * low) /* about an inverse */
            assert_near(expected * (z - scale * shift), 1, 0.01);
        for (int64_t u = 0; u < RING; u++)
            assert_near(y[u], expected * x[u], 1e-3 * fabs(expected));
    }
    free_graph(&known);
    dgmi_arena_release(ctx, hold);
}

static void an_eigenvector_is_multiplied_by_the_polynomial(void **state) {
    (void)state;
    check_cycle(false, 0.2, 0.26);
    check_cycle(true, 0.2, 0.26);
    check_cycle(false, 0.5, 0.9); /* an eigenvalue below the shift */
    check_cycle(true, 0.5, 0.9);
}

/* Low shares would drown all others. */
static void the_degree_falls_where_low_shares_grow(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    known_graph known = known_path(NODES, true, true);
    dgmi_spectral_filter filter = make_filter(&known, 1);
    double x[NODES];
    cycle_vector(NODES, 60, 0.5, x);
    assert_int_equal(dgmi_spectral_filter_apply(ctx, &filter, 0.5, 0.6, 0.5, x),
                     DGMI_SPECTRAL_FILTER_DEGREE);
    int64_t products = dgmi_spectral_filter_apply(ctx, &filter, 0.5, 0.501, 0.01, x);
    assert_true(products >= 2 && products < DGMI_SPECTRAL_FILTER_DEGREE);
    free_graph(&known);
    dgmi_arena_release(ctx, hold);
}

static void the_null_vector_is_removed(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    known_graph known = known_generated(DGM_GENERATE_BA, NODES, true);
    dgmi_spectral_filter filter = make_filter(&known, 1);
    double x[NODES], y[NODES], dot = 0, size = 0, length = 0;
    cycle_vector(NODES, 7, 1, y);
    for (int64_t u = 0; u < NODES; u++)
        x[u] = known.root[u] + 1e-3 * y[u];
    dgmi_spectral_filter_apply(ctx, &filter, 0.5, 0.6, 0.5, x);
    for (int64_t u = 0; u < NODES; u++) {
        dot += x[u] * known.root[u];
        size += known.root[u] * known.root[u];
        length += x[u] * x[u];
    }
    assert_true(length > 0);
    assert_true(fabs(dot) < 1e-4 * sqrt(size * length));
    free_graph(&known);
    dgmi_arena_release(ctx, hold);
}

/* Weights that are all 2 change nothing in N. */
static void weights_count_as_repeated_edges(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    known_graph known = known_generated(DGM_GENERATE_BA, NODES, true);
    int64_t entries = known.laplacian.graph.offsets[NODES];
    double *twos = malloc((size_t)entries * sizeof *twos), root[NODES], x[NODES], y[NODES];
    for (int64_t e = 0; e < entries; e++)
        twos[e] = 2;
    for (int64_t u = 0; u < NODES; u++)
        root[u] = sqrt(2) * known.root[u];
    known_graph doubled = known;
    doubled.laplacian.graph.values = twos;
    doubled.laplacian.root = root;
    dgmi_spectral_filter once = make_filter(&known, 1), twice = make_filter(&doubled, 1);
    assert_near(twice.top, once.top, 1e-6);
    twice.top = once.top;
    cycle_vector(NODES, 5, 1, x);
    memcpy(y, x, sizeof y);
    dgmi_spectral_filter_apply(ctx, &once, 0.4, 0.5, 0.4, x);
    dgmi_spectral_filter_apply(ctx, &twice, 0.4, 0.5, 0.4, y);
    for (int64_t u = 0; u < NODES; u++)
        assert_near(y[u], x[u], 1e-3);
    free(twos);
    free_graph(&known);
    dgmi_arena_release(ctx, hold);
}

static void the_top_is_seldom_below_the_spectrum(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    known_graph star = known_star(500, true), complete = known_complete(200, true);
    assert_near(make_filter(&star, 1).top, 2, 1e-6);
    assert_near(make_filter(&complete, 1).top, 200.0 / 199, 1e-6);
    free_graph(&star);
    free_graph(&complete);
    dgmi_arena_release(ctx, hold);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_eigenvector_is_multiplied_by_the_polynomial),
        cmocka_unit_test(the_degree_falls_where_low_shares_grow),
        cmocka_unit_test(the_null_vector_is_removed),
        cmocka_unit_test(weights_count_as_repeated_edges),
        cmocka_unit_test(the_top_is_seldom_below_the_spectrum),
    };
    return RUN_WITH_CONTEXT(tests);
}
