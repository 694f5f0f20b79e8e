/* SPDX-License-Identifier: Apache-2.0 */
/* The affinities of t-SNE, against scikit-learn's and by what they are said to be. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_random.h"
#include "reduce_tsne.h"
#include "unit_progress.h"

static double read_number(FILE *file) {
    double value;
    assert_int_equal(fscanf(file, "%lf", &value), 1);
    return value;
}

static double affinity_of(const dgmi_reduce_affinities *p, int64_t i, int64_t j) {
    for (int64_t e = p->offsets[i]; e < p->offsets[i + 1]; e++)
        if (p->columns[e] == j)
            return (double)p->values[e];
    return 0;
}

/* Symmetric, sum 1, no point with itself, and the entropy is that of the values. */
static void assert_probabilities(const dgmi_reduce_affinities *p) {
    double sum = 0, entropy = 0;
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t e = p->offsets[i]; e < p->offsets[i + 1]; e++) {
            assert_int_not_equal(p->columns[e], i);
            assert_true(affinity_of(p, p->columns[e], i) == (double)p->values[e]);
            sum += (double)p->values[e];
            entropy += p->values[e] > 0 ? (double)p->values[e] * log((double)p->values[e]) : 0;
        }
    assert_near(sum, 1, 1e-5);
    assert_near(p->entropy, entropy, 1e-4);
}

static void affinities_are_those_of_scikit_learn(void **state) {
    (void)state;
    char path[512], name[32];
    int rows, columns, pairs, cases = 0;
    double perplexity;
    snprintf(path, sizeof path, "%s/oracle/reduce_tsne.txt", getenv("DGM_TEST_DATA"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "#%*[^\n]"), 0);
    while (fscanf(file, " case %31s %d %d %lf %d", name, &rows, &columns, &perplexity, &pairs) ==
           5) {
        dgm_matrix *table = build_matrix(rows, columns, NULL);
        for (int i = 0; i < rows * columns; i++)
            dgm_matrix_values_mutable(table)[i] = read_number(file);
        dgm_points points = dgm_points_of_matrix(table);
        dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
        dgmi_reduce_affinities p;
        assert_int_equal(dgmi_reduce_affinities_make(ctx, &points, &options, perplexity, &p),
                         DGM_OK);
        assert_probabilities(&p);
        assert_true(p.recall == 1);
        double sum = 0;
        for (int pair = 0; pair < pairs; pair++) {
            int64_t i = (int64_t)read_number(file), j = (int64_t)read_number(file);
            double wanted = read_number(file);
            sum += 2 * wanted;
            if (fabs(affinity_of(&p, i, j) - wanted) > 1e-6)
                fail_msg("%s: p of %lld and %lld is %g, not %g", name, (long long)i, (long long)j,
                         affinity_of(&p, i, j), wanted);
        }
        assert_near(sum, 1, 1e-4);
        dgmi_reduce_affinities_free(ctx, &p);
        dgm_matrix_free(table);
        cases++;
    }
    assert_int_equal(cases, 6);
    fclose(file);
}

static double perplexity_of(int64_t k, const double *p) {
    double entropy = 0;
    for (int64_t j = 0; j < k; j++)
        entropy -= p[j] > 0 ? p[j] * log(p[j]) : 0;
    return exp(entropy);
}

/* Minus nought is nought. */
static void rows_that_are_there_several_times_are_counted(void **state) {
    (void)state;
    const double values[] = {1, 0, 2, 5, 1, -0.0, 2, 5, 1, 0, 5, 2};
    const float expected[] = {3, 2, 3, 2, 3, 1};
    dgm_matrix *table = build_matrix(6, 2, values);
    dgm_points points = dgm_points_of_matrix(table);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    dgmi_reduce_affinities p;
    assert_int_equal(dgmi_reduce_affinities_make(ctx, &points, &options, 1.5, &p), DGM_OK);
    assert_non_null(p.copies);
    for (int i = 0; i < 6; i++)
        assert_true(p.copies[i] == expected[i]);
    dgmi_reduce_affinities_free(ctx, &p);
    dgm_matrix_values_mutable(table)[5] = 3; /* now no two are equal */
    dgm_matrix_values_mutable(table)[0] = dgm_matrix_values_mutable(table)[2] = 9;
    assert_int_equal(dgmi_reduce_affinities_make(ctx, &points, &options, 1.5, &p), DGM_OK);
    assert_null(p.copies);
    dgmi_reduce_affinities_free(ctx, &p);
    dgm_matrix_free(table);
}

static void every_row_has_the_perplexity_asked_for(void **state) {
    (void)state;
    enum { K = 91 };
    float distances[K];
    double p[K];
    for (int trial = 0; trial < 200; trial++) {
        double scale = pow(10, 30 * dgmi_random_unit(3, 1, (uint64_t)trial) - 15), at = 0;
        for (int j = 0; j < K; j++) {
            at +=
                dgmi_random_unit(3, 2, (uint64_t)(trial * K + j)) + (trial % 2 ? 0 : 20 / (j + 1));
            distances[j] = (float)(scale * at);
        }
        double wanted = 1.5 + 85 * dgmi_random_unit(3, 3, (uint64_t)trial);
        dgmi_reduce_affinity_row(K, distances, log(wanted), p);
        assert_near(perplexity_of(K, p), wanted, 1e-6 * wanted);
    }
}

static void points_in_one_place_share_equally(void **state) {
    (void)state;
    float same[6] = {0, 0, 0, 0, 0, 0}, most[6] = {0, 0, 0, 0, 1, 2};
    double p[6];
    dgmi_reduce_affinity_row(6, same, log(2), p);
    for (int j = 0; j < 6; j++)
        assert_near(p[j], 1.0 / 6, 1e-12);
    dgmi_reduce_affinity_row(6, most, log(2),
                             p); /* four in one place: not fewer than four can be */
    assert_near(p[0], 0.25, 1e-6);
    assert_near(p[3], 0.25, 1e-6);
    assert_near(p[4], 0, 1e-6);
}

/* 50 kinds of points, 20 of each: a point has 19 others in its place and all the rest at one
 * distance, of which its list holds 72. Their place in the table must not make them special. */
static void points_equally_far_have_equal_parts(void **state) {
    (void)state;
    enum { ROWS = 1000, KINDS = 50 };
    dgm_matrix *table = build_matrix(ROWS, KINDS, NULL);
    for (int64_t i = 0; i < ROWS; i++)
        dgm_matrix_values_mutable(table)[i * KINDS + i % KINDS] = 1;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    dgmi_reduce_affinities p;
    assert_int_equal(dgmi_reduce_affinities_make(ctx, &points, &options, 30, &p), DGM_OK);
    assert_probabilities(&p);
    for (int64_t i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int64_t e = p.offsets[i]; e < p.offsets[i + 1]; e++)
            sum += (double)p.values[e];
        if (!(sum * ROWS > 0.8 && sum * ROWS < 1.25))
            fail_msg("row %lld has %g times its part", (long long)i, sum * ROWS);
    }
    dgmi_reduce_affinities_free(ctx, &p);
    dgm_matrix_free(table);
}

/* Where nearly all neighbours are equally near, the first guess of beta leaves nothing to the
 * others, and the way back to the wanted entropy is long. */
static void a_beta_far_below_the_first_guess_is_found(void **state) {
    (void)state;
    enum { NEIGHBOURS = 100, NEAR = 90 };
    float distances[NEIGHBOURS];
    double p[NEIGHBOURS], entropy = 0;
    for (int j = 0; j < NEIGHBOURS; j++)
        distances[j] = j < NEAR ? 0 : 3;
    dgmi_reduce_affinity_row(NEIGHBOURS, distances, log(95), p);
    for (int j = 0; j < NEIGHBOURS; j++)
        entropy -= p[j] * log(p[j]);
    assert_near(entropy, log(95), 1e-9);
}

static void the_search_for_perplexity_is_told(void **state) {
    (void)state;
    enum { ROWS = 40 };
    dgm_matrix *table = build_matrix(ROWS, 1, NULL);
    dgm_tsne_options options = DGM_TSNE_OPTIONS_INIT;
    dgmi_reduce_affinities p;
    for (int i = 0; i < ROWS; i++)
        dgm_matrix_values_mutable(table)[i] = i * i;
    dgm_points points = dgm_points_of_matrix(table);
    hear_progress();
    assert_int_equal(dgmi_reduce_affinities_make(ctx, &points, &options, 5, &p), DGM_OK);
    hear_no_more();
    assert_int_equal(reports_of("perplexity"), 1);
    dgmi_reduce_affinities_free(ctx, &p);
    dgm_matrix_free(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(affinities_are_those_of_scikit_learn),
        cmocka_unit_test(rows_that_are_there_several_times_are_counted),
        cmocka_unit_test(every_row_has_the_perplexity_asked_for),
        cmocka_unit_test(points_in_one_place_share_equally),
        cmocka_unit_test(points_equally_far_have_equal_parts),
        cmocka_unit_test(a_beta_far_below_the_first_guess_is_found),
        cmocka_unit_test(the_search_for_perplexity_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
