/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include "../check_lens.h"

static void values_are_uniform_and_depend_on_the_seed_alone(void **state) {
    (void)state;
    enum { NODES = 4000, BINS = 10 };
    dgm_graph *graph = build_graph(NULL, NODES, 0, NULL, NULL);
    dgm_matrix *one, *same, *other;
    int bins[BINS] = {0}, equal = 0;
    assert_int_equal(lens_axes(ctx, graph, "random:seed=7", 1, &one), DGM_OK);
    assert_int_equal(lens_axes(ctx, graph, "random", 7, &same), DGM_OK); /* the run's seed */
    assert_int_equal(dgm_lens_random(ctx, graph, NULL, &other), DGM_OK);
    assert_string_equal(dgm_matrix_column_name(one, 0), "random");
    for (int u = 0; u < NODES; u++) {
        double value = dgm_matrix_values(one)[u];
        assert_true(value >= 0 && value < 1);
        bins[(int)(value * BINS)]++;
        assert_near(dgm_matrix_values(same)[u], value, 0);
        equal += dgm_matrix_values(other)[u] == value;
    }
    for (int bin = 0; bin < BINS; bin++) /* five standard deviations */
        assert_true(bins[bin] > 400 - 5 * 19 && bins[bin] < 400 + 5 * 19);
    assert_int_equal(equal, 0);
    dgm_matrix_free(one);
    dgm_matrix_free(same);
    dgm_matrix_free(other);
    dgm_graph_free(graph);
}

static void a_negative_seed_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 3, 0, NULL, NULL);
    dgm_matrix *lens;
    const dgm_random_options options = {sizeof(dgm_random_options), -1};
    assert_int_equal(dgm_lens_random(ctx, graph, &options, &lens), DGM_ERROR_USAGE);
    assert_null(lens);
    assert_int_equal(dgm_lens_check(ctx, "random:seed=-1"), DGM_ERROR_USAGE);
    assert_int_equal(dgm_lens_check(ctx, "random:seed=x"), DGM_ERROR_USAGE);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_uniform_and_depend_on_the_seed_alone),
        cmocka_unit_test(a_negative_seed_is_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
