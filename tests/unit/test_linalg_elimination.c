/* SPDX-License-Identifier: Apache-2.0 */
/* The approximate inverse: exact where no draw is made, symmetric and positive everywhere, and good
 * enough for conjugate gradients. */
#include "linalg_graphs.h"

#include "base_random.h"
#include "linalg_elimination.h"

enum { ALL = 1 << 30 };

static void draw_balanced(int64_t count, uint64_t stream, double *x) {
    double mean = 0;
    for (int64_t i = 0; i < count; i++)
        mean += x[i] = dgmi_random_unit(5, stream, (uint64_t)i) - 0.5;
    for (int64_t i = 0; i < count; i++)
        x[i] -= mean / (double)count;
}

static double dot(int64_t count, const double *a, const double *b) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* |L M b - b| / |b| */
static double error_of(const known_graph *known, const dgmi_elimination *inverse) {
    int64_t n = known->laplacian.graph.rows;
    double *b = malloc((size_t)n * 4 * sizeof *b), *x = b + n, *y = x + n;
    draw_balanced(n, 0, b);
    memcpy(x, b, (size_t)n * sizeof *x);
    dgmi_elimination_solve(inverse, x, y + n);
    dgmi_laplacian_product(ctx, &known->laplacian, x, y, y + n);
    for (int64_t i = 0; i < n; i++)
        y[i] -= b[i];
    double error = sqrt(dot(n, y, y) / dot(n, b, b));
    free(b);
    return error;
}

static void trees_paths_and_cycles_are_solved_exactly(void **state) {
    (void)state;
    known_graph graphs[] = {known_path(5000, false, false), known_path(999, true, false),
                            known_star(300, false), known_path(2, false, false)};
    for (int64_t i = 0; i < COUNT(graphs); i++) {
        dgmi_elimination inverse;
        assert_int_equal(dgmi_elimination_create(ctx, &graphs[i].laplacian.graph, 1, ALL, &inverse),
                         DGM_OK);
        /* Shares are kept in single precision. */
        assert_true(error_of(&graphs[i], &inverse) < 2e-2);
        assert_true(inverse.entries <= graphs[i].laplacian.graph.offsets[inverse.rows]);
        dgmi_elimination_free(&inverse);
        free_graph(&graphs[i]);
    }
}

static void the_inverse_is_symmetric_and_positive(void **state) {
    (void)state;
    known_graph known = known_generated(DGM_GENERATE_BA, 2000, false);
    double *b = malloc(2000 * 5 * sizeof *b), *c = b + 2000, *x = c + 2000, *y = x + 2000;
    const int64_t limits[] = {ALL, 4000, 0};
    for (int64_t i = 0; i < COUNT(limits); i++) {
        dgmi_elimination inverse;
        assert_int_equal(
            dgmi_elimination_create(ctx, &known.laplacian.graph, 3, limits[i], &inverse), DGM_OK);
        assert_true(inverse.entries < limits[i] + 2000);
        draw_balanced(2000, 1, b);
        draw_balanced(2000, 2, c);
        memcpy(x, b, 2000 * sizeof *x);
        memcpy(y, c, 2000 * sizeof *y);
        dgmi_elimination_solve(&inverse, x, y + 2000);
        dgmi_elimination_solve(&inverse, y, y + 2000);
        assert_near(dot(2000, c, x), dot(2000, b, y), 1e-9 * fabs(dot(2000, b, x)));
        assert_true(dot(2000, b, x) > 0);
        dgmi_elimination_free(&inverse);
    }
    free(b);
    free_graph(&known);
}

/* Conjugate gradients on a grid of 60 x 60 with this preconditioner. */
static void a_grid_is_solved_in_few_steps(void **state) {
    (void)state;
    known_graph known = known_generated(DGM_GENERATE_GRID, 3600, false);
    int64_t n = 3600, steps = 0;
    dgmi_elimination inverse;
    assert_int_equal(dgmi_elimination_create(ctx, &known.laplacian.graph, 1, ALL, &inverse),
                     DGM_OK);
    double *r = malloc((size_t)n * 5 * sizeof *r), *z = r + n, *p = z + n, *q = p + n;
    draw_balanced(n, 0, r);
    double start = dot(n, r, r), rho = 0;
    memset(p, 0, (size_t)n * sizeof *p);
    for (; dot(n, r, r) > 1e-16 * start && steps < 200; steps++) {
        memcpy(z, r, (size_t)n * sizeof *z);
        dgmi_elimination_solve(&inverse, z, q + n);
        double before = rho;
        rho = dot(n, r, z);
        for (int64_t i = 0; i < n; i++)
            p[i] = z[i] + (steps ? rho / before : 0) * p[i];
        dgmi_laplacian_product(ctx, &known.laplacian, p, q, q + n);
        double alpha = rho / dot(n, p, q);
        for (int64_t i = 0; i < n; i++)
            r[i] -= alpha * q[i];
    }
    assert_true(steps < 45);
    free(r);
    dgmi_elimination_free(&inverse);
    free_graph(&known);
}

static void the_seed_decides_every_draw(void **state) {
    (void)state;
    known_graph known = known_generated(DGM_GENERATE_SBM, 1000, false);
    dgmi_elimination one, again, other;
    const dgmi_adjacency *graph = &known.laplacian.graph;
    assert_int_equal(dgmi_elimination_create(ctx, graph, 1, ALL, &one), DGM_OK);
    assert_int_equal(dgmi_elimination_create(ctx, graph, 1, ALL, &again), DGM_OK);
    assert_int_equal(dgmi_elimination_create(ctx, graph, 2, ALL, &other), DGM_OK);
    assert_int_equal(one.entries, again.entries);
    assert_memory_equal(one.neighbours, again.neighbours, (size_t)one.entries * 4);
    assert_memory_equal(one.shares, again.shares, (size_t)one.entries * 4);
    assert_true(one.entries != other.entries ||
                memcmp(one.neighbours, other.neighbours, (size_t)one.entries * 4) != 0);
    dgmi_elimination_free(&one);
    dgmi_elimination_free(&again);
    dgmi_elimination_free(&other);
    dgmi_elimination_free(&other); /* zeros now */
    free_graph(&known);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_paths_and_cycles_are_solved_exactly),
        cmocka_unit_test(the_inverse_is_symmetric_and_positive),
        cmocka_unit_test(a_grid_is_solved_in_few_steps),
        cmocka_unit_test(the_seed_decides_every_draw),
    };
    return RUN_WITH_CONTEXT(tests);
}
