/* SPDX-License-Identifier: Apache-2.0 */
/* The approximate inverse: exact where no draw is made, symmetric and positive everywhere, and good
 * enough for conjugate gradients. */
#include "spectral_graphs.h"

#include "base_random.h"
#include "spectral_elimination.h"

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
static double error_of(const known_graph *known, const dgmi_spectral_elimination *inverse) {
    int64_t n = known->laplacian.graph.rows;
    double *b = malloc((size_t)n * 4 * sizeof *b), *x = b + n, *y = x + n;
    draw_balanced(n, 0, b);
    memcpy(x, b, (size_t)n * sizeof *x);
    dgmi_spectral_elimination_solve(inverse, x, y + n);
    dgmi_spectral_laplacian_product(ctx, &known->laplacian, x, y, y + n);
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
        dgmi_spectral_elimination inverse;
        assert_int_equal(
            dgmi_spectral_elimination_create(ctx, &graphs[i].laplacian, 0, 1, ALL, ALL, &inverse),
            DGM_OK);
        /* Shares are kept in single precision. */
        assert_true(error_of(&graphs[i], &inverse) < 2e-2);
        assert_true(inverse.entries <= graphs[i].laplacian.graph.offsets[inverse.rows]);
        dgmi_spectral_elimination_free(&inverse);
        free_graph(&graphs[i]);
    }
}

static void the_inverse_is_symmetric_and_positive(void **state) {
    (void)state;
    known_graph known = known_generated(DGM_GENERATE_BA, 2000, false);
    double *b = malloc(2000 * 5 * sizeof *b), *c = b + 2000, *x = c + 2000, *y = x + 2000;
    const int64_t limits[] = {ALL, 4000, 0};
    for (int64_t i = 0; i < COUNT(limits); i++) {
        dgmi_spectral_elimination inverse;
        assert_int_equal(
            dgmi_spectral_elimination_create(ctx, &known.laplacian, 0, 3, ALL, limits[i], &inverse),
            DGM_OK);
        assert_true(inverse.entries < limits[i] + 2000);
        draw_balanced(2000, 1, b);
        draw_balanced(2000, 2, c);
        memcpy(x, b, 2000 * sizeof *x);
        memcpy(y, c, 2000 * sizeof *y);
        dgmi_spectral_elimination_solve(&inverse, x, y + 2000);
        dgmi_spectral_elimination_solve(&inverse, y, y + 2000);
        assert_near(dot(2000, c, x), dot(2000, b, y), 1e-9 * fabs(dot(2000, b, x)));
        assert_true(dot(2000, b, x) > 0);
        dgmi_spectral_elimination_free(&inverse);
    }
    free(b);
    free_graph(&known);
}

/* Steps of conjugate gradients for L x = b with this preconditioner. */
static int64_t count_steps(const known_graph *known, const dgmi_spectral_elimination *inverse) {
    int64_t n = known->laplacian.graph.rows, steps = 0;
    double *r = malloc((size_t)n * 5 * sizeof *r), *z = r + n, *p = z + n, *q = p + n;
    draw_balanced(n, 0, r);
    double start = dot(n, r, r), rho = 0;
    memset(p, 0, (size_t)n * sizeof *p);
    for (; dot(n, r, r) > 1e-16 * start && steps < 400; steps++) {
        memcpy(z, r, (size_t)n * sizeof *z);
        dgmi_spectral_elimination_solve(inverse, z, q + n);
        double before = rho;
        rho = dot(n, r, z);
        for (int64_t i = 0; i < n; i++)
            p[i] = z[i] + (steps ? rho / before : 0) * p[i];
        dgmi_spectral_laplacian_product(ctx, &known->laplacian, p, q, q + n);
        double alpha = rho / dot(n, p, q);
        for (int64_t i = 0; i < n; i++)
            r[i] -= alpha * q[i];
    }
    free(r);
    return steps;
}

static void a_grid_is_solved_in_few_steps(void **state) {
    (void)state;
    known_graph known = known_generated(DGM_GENERATE_GRID, 3600, false);
    dgmi_spectral_elimination inverse;
    assert_int_equal(
        dgmi_spectral_elimination_create(ctx, &known.laplacian, 0, 1, ALL, ALL, &inverse), DGM_OK);
    assert_true(count_steps(&known, &inverse) < 45);
    dgmi_spectral_elimination_free(&inverse);
    free_graph(&known);
}

/* A dense core with long tails: once the tails are eliminated, the core's diagonal will do. */
static void the_core_stays_diagonal_and_its_tails_go(void **state) {
    (void)state;
    enum { CORE = 80, TAIL = 60, NODES = CORE * (TAIL + 1) };
    static uint32_t ends[2 * (CORE * CORE / 2 + NODES)];
    int64_t count = 0;
    for (uint32_t u = 0; u < NODES; u++) {
        for (uint32_t v = 0; u < CORE && v < u; v++, count++) {
            ends[2 * count] = u;
            ends[2 * count + 1] = v;
        }
        if (u >= CORE) {
            ends[2 * count] = u;
            ends[2 * count++ + 1] = u - CORE;
        }
    }
    known_graph known = take_graph(build_graph(NULL, 0, count, ends, NULL), false);
    const dgmi_spectral_adjacency *graph = &known.laplacian.graph;
    dgmi_spectral_elimination whole, tails, nothing;
    assert_int_equal(dgmi_spectral_elimination_listed(graph, ALL), 2 * count);
    assert_int_equal(dgmi_spectral_elimination_listed(graph, 0), 2 * CORE * TAIL - CORE);
    assert_int_equal(
        dgmi_spectral_elimination_create(ctx, &known.laplacian, 0, 1, ALL, ALL, &whole), DGM_OK);
    assert_int_equal(dgmi_spectral_elimination_create(ctx, &known.laplacian, 0, 1, 0, ALL, &tails),
                     DGM_OK);
    assert_int_equal(dgmi_spectral_elimination_create(ctx, &known.laplacian, 0, 1, 0, 0, &nothing),
                     DGM_OK);
    assert_int_equal(tails.entries, CORE * TAIL);
    assert_true(whole.entries > tails.entries);
    for (int64_t p = CORE * TAIL; p < NODES; p++) {
        assert_in_range(tails.order[p], 0, CORE - 1);
        assert_near(tails.pivots[p], 1.0 / (CORE - 1), 1e-9);
    }
    assert_true(count_steps(&known, &tails) < 12);
    assert_true(count_steps(&known, &nothing) > 100);
    dgmi_spectral_elimination_free(&whole);
    dgmi_spectral_elimination_free(&tails);
    dgmi_spectral_elimination_free(&nothing);
    free_graph(&known);
}

/* |(L - shift B + A) M b - b| / |b|, where A holds the edges within the first `core` nodes, all of
 * which are there: the inverse takes the core for diagonal. */
static double shifted_error(const known_graph *known, int64_t core,
                            const dgmi_spectral_elimination *inverse) {
    int64_t n = known->laplacian.graph.rows;
    double *b = malloc((size_t)n * 4 * sizeof *b), *x = b + n, *y = x + n, inside = 0;
    const dgmi_spectral_laplacian plain = {known->laplacian.graph, NULL};
    draw_balanced(n, 0, b);
    memcpy(x, b, (size_t)n * sizeof *x);
    dgmi_spectral_elimination_solve(inverse, x, y + n);
    dgmi_spectral_laplacian_product(ctx, &plain, x, y, y + n);
    for (int64_t i = 0; i < core; i++)
        inside += x[i];
    for (int64_t i = 0; i < n; i++) {
        double square = known->root ? known->root[i] * known->root[i] : 1;
        y[i] += (i < core ? inside - x[i] : 0) - inverse->shift * square * x[i] - b[i];
    }
    double error = sqrt(dot(n, y, y) / dot(n, b, b));
    free(b);
    return error;
}

static void a_shift_is_solved_exactly_on_the_tails_of_a_core(void **state) {
    (void)state;
    enum { CORE = 30, TAIL = 60 };
    for (int normalised = 0; normalised < 2; normalised++) {
        known_graph known = known_tails(CORE, 1, TAIL, 0, normalised);
        /* A tail that is held at the core: 2 - 2 cos(pi / (2 TAIL + 1)), or about half of it. */
        double lowest = 4 * pow(sin(acos(-1) / (4 * TAIL + 2)), 2) / (normalised ? 2 : 1);
        const double asked[] = {0.8, 1.5, 1000}, taken[] = {0.8, 0.75, 0};
        for (int64_t i = 0; i < COUNT(asked); i++) {
            dgmi_spectral_elimination inverse;
            assert_int_equal(dgmi_spectral_elimination_create(
                                 ctx, &known.laplacian, asked[i] * lowest, 1, 0, ALL, &inverse),
                             DGM_OK);
            assert_near(inverse.shift, taken[i] * lowest, 1e-12);
            assert_true(shifted_error(&known, CORE, &inverse) < 1e-4);
            dgmi_spectral_elimination_free(&inverse);
        }
        free_graph(&known);
    }
}

/* The eigenvalue 0 of the constant vector lies below every shift. */
static void a_shift_needs_a_core(void **state) {
    (void)state;
    known_graph known = known_path(300, false, false);
    dgmi_spectral_elimination inverse;
    assert_int_equal(
        dgmi_spectral_elimination_create(ctx, &known.laplacian, 1e-6, 1, ALL, ALL, &inverse),
        DGM_OK);
    assert_near(inverse.shift, 0, 0);
    assert_true(error_of(&known, &inverse) < 2e-2);
    dgmi_spectral_elimination_free(&inverse);
    free_graph(&known);
}

static void the_seed_decides_every_draw(void **state) {
    (void)state;
    known_graph known = known_generated(DGM_GENERATE_SBM, 1000, false);
    dgmi_spectral_elimination one, again, other;
    assert_int_equal(dgmi_spectral_elimination_create(ctx, &known.laplacian, 0, 1, ALL, ALL, &one),
                     DGM_OK);
    assert_int_equal(
        dgmi_spectral_elimination_create(ctx, &known.laplacian, 0, 1, ALL, ALL, &again), DGM_OK);
    assert_int_equal(
        dgmi_spectral_elimination_create(ctx, &known.laplacian, 0, 2, ALL, ALL, &other), DGM_OK);
    assert_int_equal(one.entries, again.entries);
    assert_memory_equal(one.neighbours, again.neighbours, (size_t)one.entries * 4);
    assert_memory_equal(one.shares, again.shares, (size_t)one.entries * 4);
    assert_true(one.entries != other.entries ||
                memcmp(one.neighbours, other.neighbours, (size_t)one.entries * 4) != 0);
    dgmi_spectral_elimination_free(&one);
    dgmi_spectral_elimination_free(&again);
    dgmi_spectral_elimination_free(&other);
    dgmi_spectral_elimination_free(&other); /* zeros now */
    free_graph(&known);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_paths_and_cycles_are_solved_exactly),
        cmocka_unit_test(the_inverse_is_symmetric_and_positive),
        cmocka_unit_test(a_grid_is_solved_in_few_steps),
        cmocka_unit_test(the_core_stays_diagonal_and_its_tails_go),
        cmocka_unit_test(a_shift_is_solved_exactly_on_the_tails_of_a_core),
        cmocka_unit_test(a_shift_needs_a_core),
        cmocka_unit_test(the_seed_decides_every_draw),
    };
    return RUN_WITH_CONTEXT(tests);
}
