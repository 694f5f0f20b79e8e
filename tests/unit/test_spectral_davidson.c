/* SPDX-License-Identifier: Apache-2.0 */
/* Smallest eigenpairs against closed forms; where eigenvalues repeat, any basis of their space will
 * do, so residuals and orthogonality are what is asked for. */
#include "spectral_graphs.h"

#include "base_random.h"
#include "spectral_dense.h"

enum { MOST = 12 };

static double values[MOST], residuals[MOST], *vectors;
static dgmi_spectral_eigen_report report;
static int64_t core_from; /* of the request */

static void solve(const known_graph *known, int64_t count, double tolerance) {
    const dgmi_spectral_eigen_request request = {count, tolerance, 3000, 1, core_from};
    vectors = malloc((size_t)(count * known->laplacian.graph.rows) * sizeof *vectors);
    assert_int_equal(dgmi_spectral_laplacian_eigen(ctx, &known->laplacian, &request, vectors,
                                                   values, residuals, &report),
                     DGM_OK);
    assert_true(report.converged);
}

/* What the result says of itself is true. */
static void assert_eigenpairs(const known_graph *known, int64_t count, double tolerance) {
    int64_t n = known->laplacian.graph.rows;
    double *image = malloc((size_t)n * 2 * sizeof *image);
    for (int64_t i = 0; i < count; i++) {
        const double *x = vectors + i * n;
        double square = 0, null = 0, size = 0;
        dgmi_spectral_laplacian_product(ctx, &known->laplacian, x, image, image + n);
        for (int64_t u = 0; u < n; u++) {
            square += pow(image[u] - values[i] * x[u], 2);
            double root = known->root ? known->root[u] : 1;
            null += x[u] * root;
            size += root * root;
        }
        assert_near(sqrt(square), residuals[i], 1e-12);
        assert_true(residuals[i] <= 1.3 * tolerance * values[i] + 1e-14 * (double)n);
        assert_near(null / sqrt(size), 0, 1e-10);
        for (int64_t j = 0; j <= i; j++) {
            double dot = 0;
            for (int64_t u = 0; u < n; u++)
                dot += x[u] * vectors[j * n + u];
            assert_near(dot, i == j, 1e-10);
        }
        assert_true(i == 0 || values[i] >= values[i - 1] * (1 - 1e-9));
    }
    free(image);
}

static void assert_values(known_graph known, int64_t count, const double *expected) {
    solve(&known, count, 1e-9);
    assert_eigenpairs(&known, count, 1e-9);
    for (int64_t i = 0; i < count; i++)
        assert_near(values[i], expected[i], 1e-9 * expected[i]);
    free(vectors);
    free_graph(&known);
}

/* 2 - 2 cos(pi k / n), and 1 - cos(pi k / (n - 1)) normalised. */
static void paths_have_their_cosines(void **state) {
    (void)state;
    const int64_t sizes[] = {2, 3, 50, 500, 20000};
    for (int64_t i = 0; i < COUNT(sizes); i++) {
        double plain[MOST], normalised[MOST], n = (double)sizes[i], pi = acos(-1);
        int64_t count = sizes[i] - 1 < 4 ? sizes[i] - 1 : 4;
        for (int64_t k = 1; k <= count; k++) { /* 1 - cos x = 2 sin^2(x / 2) keeps its digits */
            plain[k - 1] = 4 * pow(sin(pi * (double)k / n / 2), 2);
            normalised[k - 1] = 2 * pow(sin(pi * (double)k / (n - 1) / 2), 2);
        }
        assert_values(known_path(sizes[i], false, false), count, plain);
        assert_values(known_path(sizes[i], false, true), count, normalised);
    }
}

/* Each eigenvalue 2 - 2 cos(2 pi k / n) of a cycle is there twice. */
static void both_copies_of_a_cycles_eigenvalues_are_found(void **state) {
    (void)state;
    double expected[MOST], half[MOST];
    for (int64_t k = 0; k < 6; k++) {
        expected[k] = 4 * pow(sin(acos(-1) * (double)(k / 2 + 1) / 700), 2);
        half[k] = expected[k] / 2;
    }
    for (int64_t count = 1; count <= 6; count++) {
        assert_values(known_path(700, true, false), count, expected);
        assert_values(known_path(700, true, true), count, half);
    }
}

/* Stars: 1 plain and normalised, leaves - 1 times. Complete graphs: n and n / (n - 1). */
static void stars_and_complete_graphs_have_one_eigenvalue(void **state) {
    (void)state;
    const double ones[] = {1, 1, 1, 1, 1}, large[] = {300, 300, 300, 300, 300};
    double normalised[5];
    for (int i = 0; i < 5; i++)
        normalised[i] = 300.0 / 299;
    assert_values(known_star(400, false), 5, ones);
    assert_values(known_star(400, true), 5, ones);
    assert_values(known_star(9, true), 5, ones);
    assert_values(known_complete(300, false), 5, large);
    assert_values(known_complete(300, true), 5, normalised);
}

/* A square lattice is a product of paths: sums of two eigenvalues. */
static void a_lattice_has_sums_of_cosines(void **state) {
    (void)state;
    double a = 4 * pow(sin(acos(-1) / 80), 2), b = 4 * pow(sin(2 * acos(-1) / 80), 2);
    const double expected[] = {a, a, 2 * a, b, b, a + b, a + b, 2 * b};
    assert_values(known_generated(DGM_GENERATE_GRID, 1600, false), 8, expected);
}

static void slow_graphs_get_an_inverse_and_quick_ones_none(void **state) {
    (void)state;
    known_graph quick = known_generated(DGM_GENERATE_BA, 3000, true);
    solve(&quick, 1, 1e-6);
    assert_eigenpairs(&quick, 1, 1e-6);
    assert_int_equal(report.solves, 0);
    free(vectors);
    free_graph(&quick);
    known_graph slow = known_path(20000, false, true);
    solve(&slow, 1, 1e-6);
    assert_true(report.solves > 0 && report.products < 200);
    free(vectors);
    free_graph(&slow);
}

/* All eigenvalues of N, ascending. */
static double *dense_values(const known_graph *known) {
    int64_t n = known->laplacian.graph.rows;
    double *a = malloc((size_t)(n * n) * sizeof *a), *all = malloc((size_t)(n * n) * sizeof *all);
    double *theta = malloc((size_t)n * sizeof *theta), *unit = calloc((size_t)n * 3, sizeof *unit);
    for (int64_t i = 0; i < n; i++) {
        unit[i] = 1;
        dgmi_spectral_laplacian_product(ctx, &known->laplacian, unit, a + i * n, unit + n);
        unit[i] = 0;
    }
    assert_true(dgmi_spectral_dense_eigen(n, a, theta, all, unit + 2 * n));
    free(a);
    free(all);
    free(unit);
    return theta;
}

static void assert_like_dense(known_graph known, int64_t count) {
    double *expected = dense_values(&known);
    solve(&known, count, 1e-10);
    assert_eigenpairs(&known, count, 1e-10);
    assert_true(report.solves > 0);
    for (int64_t k = 0; k < count; k++)
        assert_near(values[k], expected[k + 1], 1e-9 * expected[k + 1]);
    free(expected);
    free(vectors);
    free_graph(&known);
}

/* Trees that grew at random on a complete core: each has low eigenvalues of its own. */
static known_graph known_trees(uint32_t core, uint32_t nodes, uint64_t seed, bool normalised) {
    uint32_t *ends = malloc((size_t)(core * core + 2 * nodes) * sizeof *ends);
    int64_t count = 0;
    for (uint32_t u = 1; u < nodes; u++)
        for (uint32_t v = 0; v < (u < core ? u : 1); v++, count++) {
            ends[2 * count] = u;
            ends[2 * count + 1] =
                u < core ? v : (uint32_t)(dgmi_random_unit(seed, 0, u) * (double)u);
        }
    dgm_graph *graph = build_graph(NULL, 0, count, ends, NULL);
    free(ends);
    return take_graph(graph, normalised);
}

static void a_core_with_tails_has_what_a_dense_method_finds(void **state) {
    (void)state;
    core_from = 100;
    for (int normalised = 0; normalised < 2; normalised++)
        for (int64_t count = 1; count <= 3; count += 2) {
            assert_like_dense(known_trees(20, 300, 9, normalised), count);
            assert_like_dense(known_tails(12, 1, 24, 3, normalised), count);
        }
    core_from = 0;
}

/* One tail of fifty is longer than the others, so the random vectors at the start hardly have a
 * share of its eigenvector. The shift that their Ritz value suggests lies above its eigenvalue. */
static void a_low_eigenvalue_that_hides_in_one_tail_is_found(void **state) {
    (void)state;
    core_from = 100;
    for (int normalised = 0; normalised < 2; normalised++) {
        assert_like_dense(known_tails(10, 5, 6, 25, normalised), 1);
        assert_like_dense(known_tails(10, 2, 15, 40, normalised), 1);
    }
    core_from = 0;
}

/* How many of the first pairs have converged after so many steps. */
static int64_t settled_after(const known_graph *known, int64_t count, int64_t steps) {
    const dgmi_spectral_eigen_request request = {count, 1e-10, steps, 1, core_from};
    double *space = malloc((size_t)(count * known->laplacian.graph.rows) * sizeof *space);
    dgmi_spectral_eigen_report early;
    int64_t settled = 0;
    assert_int_equal(dgmi_spectral_laplacian_eigen(ctx, &known->laplacian, &request, space, values,
                                                   residuals, &early),
                     DGM_OK);
    while (settled < count && residuals[settled] <= 1.05e-10 * values[settled])
        settled++;
    free(space);
    return settled;
}

/* Many tails of all lengths: a shift up to the lowest Ritz value lies among the eigenvalues of
 * others, and is taken back. Speed is judged over sixteen steps of one method and one pair: neither
 * an inverse nor a pair that settled is less than that ago. */
static void a_shift_that_does_not_help_is_taken_back(void **state) {
    (void)state;
    int64_t taken_back = 0, earliest = INT64_MAX;
    core_from = 100;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        known_graph known = known_trees(20, seed % 2 ? 1600 : 800, seed, false);
        solve(&known, 5, 1e-10);
        assert_eigenpairs(&known, 5, 1e-10);
        free(vectors);
        int64_t at = report.inverted_at, shifted_at = report.shifted_at;
        double found[5];
        memcpy(found, values, sizeof found);
        assert_true(shifted_at >= 15);
        earliest = shifted_at < earliest ? shifted_at : earliest;
        if (at >= 0) {
            assert_true(at >= shifted_at + 16);
            assert_int_equal(settled_after(&known, 5, at - 15), settled_after(&known, 5, at));
            taken_back++;
        }
        core_from = 0; /* an inverse of the whole finds the same */
        solve(&known, 5, 1e-10);
        for (int i = 0; i < 5; i++)
            assert_near(values[i], found[i], 1e-9 * found[i]);
        assert_int_equal(report.shifted_at, -1);
        assert_true(report.inverted_at >= 31);
        core_from = 100;
        free(vectors);
        free_graph(&known);
    }
    core_from = 0;
    assert_int_equal(earliest, 15); /* and no more is waited for */
    assert_true(taken_back >= 3);
}

static known_graph known_weighted(int64_t nodes, double unit) {
    known_graph plain = known_generated(DGM_GENERATE_BA, nodes, false);
    dgm_graph_rows rows = dgm_graph_get_rows(plain.graph);
    uint32_t *ends = malloc((size_t)rows.entries * 2 * sizeof *ends);
    double *weights = malloc((size_t)rows.entries * sizeof *weights);
    int64_t count = 0;
    for (uint32_t u = 0; u < nodes; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            if (rows.targets[e] > u) {
                ends[2 * count] = u;
                ends[2 * count + 1] = rows.targets[e];
                weights[count++] = unit * (1 + (double)((u + 3 * rows.targets[e]) % 5));
            }
    dgm_graph *graph = build_graph(NULL, nodes, count, ends, weights);
    free(ends);
    free(weights);
    free_graph(&plain);
    return take_graph(graph, true);
}

/* At the edge of a crowd the steps are filtered, and find what a dense method finds. */
static void crowded_eigenvalues_are_filtered_out_exactly(void **state) {
    (void)state;
    known_graph graphs[] = {known_generated(DGM_GENERATE_BA, 700, true), known_weighted(600, 1)};
    const int64_t counts[] = {1, 2, 7, MOST};
    for (int64_t g = 0; g < COUNT(graphs); g++) {
        double *expected = dense_values(&graphs[g]);
        for (int64_t i = 0; i < COUNT(counts); i++) {
            solve(&graphs[g], counts[i], 1e-11);
            assert_true(report.filters > 0);
            assert_eigenpairs(&graphs[g], counts[i], 1e-11);
            for (int64_t k = 0; k < counts[i]; k++)
                assert_near(values[k], expected[k + 1], 1e-10);
            free(vectors);
        }
        free(expected);
        free_graph(&graphs[g]);
    }
}

/* Weights that single precision does not hold stay in double precision. */
static void huge_weights_are_not_filtered(void **state) {
    (void)state;
    known_graph small = known_weighted(600, 1), huge = known_weighted(600, 1e50);
    solve(&small, 1, 1e-9);
    double value = values[0];
    free(vectors);
    solve(&huge, 1, 1e-9);
    assert_int_equal(report.filters, 0);
    assert_near(values[0], value, 1e-9);
    free(vectors);
    free_graph(&small);
    free_graph(&huge);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    known_graph graphs[] = {known_generated(DGM_GENERATE_BA, 9000, true),
                            known_generated(DGM_GENERATE_GRID, 9000, false)};
    for (int64_t i = 0; i < COUNT(graphs); i++) {
        dgm_context_set_threads(ctx, 1);
        solve(&graphs[i], 2, 1e-7);
        double *one = vectors;
        dgm_context_set_threads(ctx, 3);
        solve(&graphs[i], 2, 1e-7);
        assert_true(report.filters > 0 || report.solves > 0);
        assert_memory_equal(one, vectors, 2 * (size_t)graphs[i].laplacian.graph.rows * sizeof *one);
        free(one);
        free(vectors);
        free_graph(&graphs[i]);
    }
    dgm_context_set_threads(ctx, 0);
}

static void too_few_steps_say_what_was_reached(void **state) {
    (void)state;
    known_graph known = known_generated(DGM_GENERATE_BA, 3000, true);
    const dgmi_spectral_eigen_request request = {2, 1e-8, 5, 1, 0};
    vectors = malloc(2 * 3000 * sizeof *vectors);
    assert_int_equal(dgmi_spectral_laplacian_eigen(ctx, &known.laplacian, &request, vectors, values,
                                                   residuals, &report),
                     DGM_OK);
    assert_false(report.converged);
    assert_int_equal(report.steps, 5);
    assert_true(residuals[0] > 1e-8 && residuals[0] < 1);
    free(vectors);
    free_graph(&known);
}

static double fractions[4000];
static int64_t reports, stop_at;

static bool watch(void *user, const char *stage, double fraction) {
    (void)user;
    if (strcmp(stage, "computing eigenvectors") == 0 && reports < COUNT(fractions))
        fractions[reports++] = fraction;
    return reports != stop_at;
}

static void progress_rises_and_a_cancel_is_heard(void **state) {
    (void)state;
    known_graph known = known_generated(DGM_GENERATE_GRID, 4000, true);
    dgm_context_set_progress(ctx, watch, NULL);
    stop_at = -1;
    solve(&known, 2, 1e-8);
    assert_true(reports > 20);
    for (int64_t i = 1; i < reports; i++)
        assert_true(fractions[i] >= fractions[i - 1] && fractions[i] <= 1);
    assert_true(fractions[0] < 0.1 && fractions[reports - 1] > 0.8);
    reports = 0;
    stop_at = 40;
    const dgmi_spectral_eigen_request request = {2, 1e-8, 3000, 1, 0};
    assert_int_equal(dgmi_spectral_laplacian_eigen(ctx, &known.laplacian, &request, vectors, values,
                                                   residuals, &report),
                     DGM_ERROR_CANCELLED);
    dgm_context_set_progress(ctx, NULL, NULL);
    dgm_context_resume(ctx);
    free(vectors);
    free_graph(&known);
}

/* What is reported at a step is the share of the way that the residual has come since the first one,
 * on a logarithmic scale. */
static void progress_is_how_far_the_residual_has_fallen(void **state) {
    (void)state;
    enum { STEPS = 8 };
    known_graph known = known_generated(DGM_GENERATE_BA, 600, true);
    double found[STEPS], first = 0, far = 0;
    vectors = malloc(600 * sizeof *vectors);
    for (int64_t t = 0; t < STEPS; t++) {
        const dgmi_spectral_eigen_request request = {1, 1e-8, t, 1, 0};
        assert_int_equal(dgmi_spectral_laplacian_eigen(ctx, &known.laplacian, &request, vectors,
                                                       values, residuals, &report),
                         DGM_OK);
        assert_int_equal(report.steps, t);
        first = t == 0 ? residuals[0] : first;
        far = fmax(far, log(first / residuals[0]) / log(first / (1e-8 * values[0])));
        found[t] = far;
    }
    free(vectors);
    stop_at = -1;
    reports = 0;
    dgm_context_set_progress(ctx, watch, NULL);
    solve(&known, 1, 1e-8);
    dgm_context_set_progress(ctx, NULL, NULL);
    assert_true(reports > STEPS && found[STEPS - 1] > 0.1);
    for (int64_t t = 0; t < STEPS; t++)
        assert_near(fractions[t], found[t], 1e-6);
    free(vectors);
    free_graph(&known);
}

/* Degrees that are no numbers, in few rows and in many. */
static void weights_that_are_too_large_are_an_error(void **state) {
    (void)state;
    static const int64_t sizes[] = {10, 200};
    for (int64_t i = 0; i < COUNT(sizes); i++) {
        known_graph known = known_complete(sizes[i], false);
        int64_t entries = dgmi_spectral_adjacency_entries(&known.laplacian.graph);
        double *huge = malloc((size_t)entries * sizeof *huge);
        const dgmi_spectral_eigen_request request = {1, 1e-8, 100, 1, 0};
        vectors = malloc((size_t)sizes[i] * sizeof *vectors);
        for (int64_t e = 0; e < entries; e++)
            huge[e] = 1e308;
        known.laplacian.graph.values = huge;
        assert_int_equal(dgmi_spectral_laplacian_eigen(ctx, &known.laplacian, &request, vectors,
                                                       values, residuals, &report),
                         DGM_ERROR_DATA);
        ASSERT_HAS(dgm_context_error(ctx),
                   "met a value that is no number; are the weights too large?");
        free(huge);
        free(vectors);
        free_graph(&known);
    }
}

/* ---- products that the search remembers ---- */

static double *weights; /* of a graph under way */
static const dgmi_spectral_adjacency *weighed;

/* At that report the links of the first hundred rows among each other become a little stronger. */
static bool strengthen(void *user, const char *stage, double fraction) {
    (void)user;
    (void)fraction;
    if (strcmp(stage, "computing eigenvectors") != 0 || ++reports != stop_at)
        return true;
    for (int64_t u = 0; u < 100; u++)
        for (int64_t e = weighed->offsets[u]; e < weighed->offsets[u + 1]; e++)
            if (weighed->columns[e] < 100)
                weights[e] = 1 + 1e-7;
    return true;
}

static known_graph known_weighed(void) {
    known_graph known = known_generated(DGM_GENERATE_GRID, 4000, true);
    int64_t entries = dgmi_spectral_adjacency_entries(&known.laplacian.graph);
    weights = malloc((size_t)entries * sizeof *weights);
    for (int64_t e = 0; e < entries; e++)
        weights[e] = 1;
    known.laplacian.graph.values = weights;
    return known;
}

/* Products that the search remembers go stale: by rounding, and here because the matrix changes in
 * the last step. Then it believes that it has converged; it finds out that it has not, computes
 * them afresh and goes on. Every step but that one is reported. */
static void what_the_search_remembers_is_computed_afresh(void **state) {
    (void)state;
    known_graph known = known_weighed();
    weighed = &known.laplacian.graph;
    stop_at = -1;
    reports = 0;
    dgm_context_set_progress(ctx, strengthen, NULL);
    solve(&known, 3, 1e-8);
    free(vectors);
    assert_int_equal(report.steps, reports);
    stop_at = reports;
    reports = 0;
    solve(&known, 3, 1e-8);
    dgm_context_set_progress(ctx, NULL, NULL);
    assert_int_equal(report.steps, reports + 1);
    assert_true(reports > stop_at);
    assert_eigenpairs(&known, 3, 1e-8);
    free(vectors);
    free(weights);
    free_graph(&known);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_have_their_cosines),
        cmocka_unit_test(both_copies_of_a_cycles_eigenvalues_are_found),
        cmocka_unit_test(stars_and_complete_graphs_have_one_eigenvalue),
        cmocka_unit_test(a_lattice_has_sums_of_cosines),
        cmocka_unit_test(slow_graphs_get_an_inverse_and_quick_ones_none),
        cmocka_unit_test(a_core_with_tails_has_what_a_dense_method_finds),
        cmocka_unit_test(a_low_eigenvalue_that_hides_in_one_tail_is_found),
        cmocka_unit_test(a_shift_that_does_not_help_is_taken_back),
        cmocka_unit_test(crowded_eigenvalues_are_filtered_out_exactly),
        cmocka_unit_test(huge_weights_are_not_filtered),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(too_few_steps_say_what_was_reached),
        cmocka_unit_test(progress_rises_and_a_cancel_is_heard),
        cmocka_unit_test(progress_is_how_far_the_residual_has_fallen),
        cmocka_unit_test(what_the_search_remembers_is_computed_afresh),
        cmocka_unit_test(weights_that_are_too_large_are_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
