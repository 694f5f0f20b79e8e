/* SPDX-License-Identifier: Apache-2.0 */
/* How features are scaled: which scaling suits which numbers, and what it makes of them. */
#include "nn_sample.h"

#include <math.h>

enum { NODES = 4, WIDTH = 3, CELLS = NODES * WIDTH };

static dgm_graph *with_dense(const float *values, int64_t width) {
    const dgm_graph_features features = {.width = width, .values = values};
    const sample s = {.nodes = NODES, .features = &features};
    return build_sample(&s);
}

/* The same numbers as a sparse table: what is 0 is left out. */
static dgm_graph *with_sparse(const float *values) {
    int64_t offsets[NODES + 1] = {0};
    uint32_t columns[CELLS];
    float kept[CELLS];
    int64_t entries = 0;
    for (int i = 0; i < CELLS; i++) {
        if (values[i] != 0) {
            columns[entries] = (uint32_t)(i % WIDTH);
            kept[entries++] = values[i];
        }
        offsets[i / WIDTH + 1] = entries;
    }
    const dgm_graph_features features = {WIDTH, offsets, columns, kept};
    const sample s = {.nodes = NODES, .features = &features};
    return build_sample(&s);
}

static dgmi_nn_features read_features(const dgm_graph *graph, int scaling, bool unit) {
    const dgmi_nn_reading reading = {.scaling = scaling, .unit = unit};
    dgmi_nn_features x;
    assert_int_equal(dgmi_nn_features_read(ctx, graph, &reading, &x), DGM_OK);
    return x;
}

static int chosen_for(dgm_graph *graph) {
    dgmi_nn_features x = read_features(graph, DGMI_NN_SCALE_BY_KIND, false);
    int scaling = x.scaling;
    dgmi_nn_features_free(ctx, &x);
    dgm_graph_free(graph);
    return scaling;
}

static void the_kind_of_numbers_decides_on_the_scaling(void **state) {
    (void)state;
    const float counts[CELLS] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 1, 1, 0};
    const float weights[CELLS] = {0.5F, 0, 0, 0, 2, 0, 0, 0, 3, 1, 1, 0};
    const float signs[CELLS] = {1, 0, 0, 0, -2, 0, 0, 0, 3, 1, 1, 0};
    const float ages[CELLS] = {31, 2, 170, 45, 0, 182, 23, 1, 165, 60, 3, 178};
    assert_int_equal(chosen_for(with_dense(counts, WIDTH)), DGMI_NN_SCALE_ROWS);
    assert_int_equal(chosen_for(with_sparse(counts)), DGMI_NN_SCALE_ROWS);
    assert_int_equal(chosen_for(with_dense(weights, WIDTH)), DGMI_NN_SCALE_NONE);
    assert_int_equal(chosen_for(with_sparse(weights)), DGMI_NN_SCALE_NONE);
    assert_int_equal(chosen_for(with_dense(signs, WIDTH)), DGMI_NN_SCALE_COLUMNS);
    assert_int_equal(chosen_for(with_sparse(signs)), DGMI_NN_SCALE_COLUMNS);
    assert_int_equal(chosen_for(with_dense(ages, WIDTH)), DGMI_NN_SCALE_COLUMNS);
    assert_int_equal(chosen_for(with_dense(counts, 1)), DGMI_NN_SCALE_COLUMNS);
}

/* Worked by hand: 1 3 1 3 has mean 2 and deviation 1; 5 5 5 5 says nothing; 0 0 0 8 has mean 2 and
 * deviation sqrt(12). */
static void dense_columns_have_mean_0_and_deviation_1(void **state) {
    (void)state;
    const float values[CELLS] = {1, 5, 0, 3, 5, 0, 1, 5, 0, 3, 5, 8};
    dgm_graph *graph = with_dense(values, WIDTH);
    dgmi_nn_features x = read_features(graph, DGMI_NN_SCALE_COLUMNS, false);
    for (int i = 0; i < NODES; i++) {
        assert_near(x.dense[i * WIDTH], i % 2 ? 1 : -1, 1e-6);
        assert_near(x.dense[i * WIDTH + 1], 0, 0);
        assert_near(x.dense[i * WIDTH + 2], (i == 3 ? 6 : -2) / sqrt(12), 1e-6);
    }
    assert_near(x.shift[2], 2, 1e-6);
    assert_near(x.scale[2], 1 / sqrt(12), 1e-6);
    dgmi_nn_features_free(ctx, &x);
    dgm_graph_free(graph);
}

/* The mean squares are (1 + 9) / 4, 16 / 4 and 1 / 4. */
static void sparse_columns_keep_their_zeros(void **state) {
    (void)state;
    const float values[CELLS] = {1, 0, 0, 3, 0, 0, 0, -4, 0, 0, 0, 1};
    dgm_graph *graph = with_sparse(values);
    dgmi_nn_features x = read_features(graph, DGMI_NN_SCALE_COLUMNS, false);
    const dgmi_table_csr *matrix = &x.sparse.matrix;
    assert_int_equal(dgmi_table_csr_entries(matrix), 4);
    assert_near(csr_at(matrix, 0, 0), 1 / sqrt(2.5), 1e-6);
    assert_near(csr_at(matrix, 1, 0), 3 / sqrt(2.5), 1e-6);
    assert_near(csr_at(matrix, 2, 1), -2, 1e-6);
    assert_near(csr_at(matrix, 3, 2), 2, 1e-6);
    dgmi_nn_features_free(ctx, &x);
    dgm_graph_free(graph);
}

/* The mean square of a row's length is in [1/2, 2), by a power of two. */
static void a_unit_is_a_power_of_two(void **state) {
    (void)state;
    for (float size = 1e-12F; size < 1e12F; size *= 7) {
        float values[CELLS];
        for (int i = 0; i < CELLS; i++)
            values[i] = size * (float)(i % 5 + 1);
        dgm_graph *graph = with_dense(values, WIDTH);
        dgmi_nn_features x = read_features(graph, DGMI_NN_SCALE_NONE, true);
        double squares = 0;
        int exponent;
        assert_true(frexpf(x.factor, &exponent) == 0.5F);
        for (int i = 0; i < CELLS; i++) {
            assert_true(x.dense[i] == values[i] * x.factor);
            squares += (double)x.dense[i] * x.dense[i] / NODES;
        }
        assert_true(squares >= 0.499 && squares <= 2.001);
        dgmi_nn_features_free(ctx, &x);
        dgm_graph_free(graph);
    }
}

static void features_that_are_all_zero_stay_so(void **state) {
    (void)state;
    const float values[CELLS] = {0};
    dgm_graph *graph = with_dense(values, WIDTH);
    for (int scaling = DGMI_NN_SCALE_NONE; scaling <= DGMI_NN_SCALE_BY_KIND; scaling++) {
        dgmi_nn_features x = read_features(graph, scaling, true);
        assert_true(x.factor == 1);
        for (int i = 0; i < CELLS; i++)
            assert_true(x.dense[i] == 0);
        dgmi_nn_features_free(ctx, &x);
    }
    dgm_graph_free(graph);
}

/* What a network has measured on one graph is used on another. */
static void a_trained_network_brings_its_own_columns(void **state) {
    (void)state;
    const float values[CELLS] = {1, 5, 0, 3, 5, 0, 1, 5, 0, 3, 5, 8};
    const float shift[WIDTH] = {1, 2, 3}, scale[WIDTH] = {2, 4, 0.5F};
    dgm_graph *graph = with_dense(values, WIDTH);
    const dgmi_nn_reading reading = {
        .scaling = DGMI_NN_SCALE_COLUMNS, .columns = WIDTH, .shift = shift, .scale = scale};
    dgmi_nn_features x;
    assert_int_equal(dgmi_nn_features_read(ctx, graph, &reading, &x), DGM_OK);
    for (int i = 0; i < CELLS; i++)
        assert_true(x.dense[i] == (values[i] - shift[i % WIDTH]) * scale[i % WIDTH]);
    dgmi_nn_features_free(ctx, &x);
    dgm_graph_free(graph);
}

static dgm_status read_columns(dgm_context *context, const dgm_graph *graph) {
    const dgmi_nn_reading reading = {.scaling = DGMI_NN_SCALE_COLUMNS, .unit = true};
    dgmi_nn_features x;
    dgm_status status = dgmi_nn_features_read(context, graph, &reading, &x);
    dgmi_nn_features_free(context, &x);
    return status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    const float values[CELLS] = {1, 0, 0, 3, 0, 0, 0, -4, 0, 0, 0, 1};
    dgm_graph *graphs[] = {with_dense(values, WIDTH), with_sparse(values)};
    for (int i = 0; i < 2; i++) {
        assert_true(fail_every_allocation(read_columns, graphs[i]) >= 4);
        dgm_graph_free(graphs[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kind_of_numbers_decides_on_the_scaling),
        cmocka_unit_test(dense_columns_have_mean_0_and_deviation_1),
        cmocka_unit_test(sparse_columns_keep_their_zeros),
        cmocka_unit_test(a_unit_is_a_power_of_two),
        cmocka_unit_test(features_that_are_all_zero_stay_so),
        cmocka_unit_test(a_trained_network_brings_its_own_columns),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
