/* SPDX-License-Identifier: Apache-2.0 */
/* Computing for some nodes alone gives what computing for all gives at those nodes. */
#include "unit_fixture.h"

#include "nn_reach.h"
#include "nn_training.h"

enum { ASKED = 5 };

/* A chain with features: the reach of its first nodes is small, whatever the depth. */
static dgm_graph *make_chain(int64_t nodes, bool dense, bool directed) {
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder;
    dgm_graph *graph;
    float *values = calloc((size_t)nodes * 4, sizeof *values);
    int64_t *offsets = calloc((size_t)nodes + 1, sizeof *offsets);
    uint32_t *columns = calloc((size_t)nodes * 4, sizeof *columns);
    assert_true(values && offsets && columns);
    options.directed = directed;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t ends[] = {i, (i + 1) % (uint32_t)nodes, i, (i * 7 + 3) % (uint32_t)nodes};
        double weights[] = {1 + i % 3, 0.5};
        assert_int_equal(dgm_graph_builder_add(builder, i % 9 ? 1 : 2, ends, weights), DGM_OK);
        for (uint32_t j = 0; j < 4; j++) {
            values[4 * i + j] = (float)((i * 5 + j * 3) % 11) / 11 + 0.05F;
            columns[4 * i + j] = j;
        }
        offsets[i + 1] = 4 * (i + 1);
    }
    dgm_graph_features features = {4, dense ? NULL : offsets, dense ? NULL : columns, values};
    assert_int_equal(dgm_graph_builder_set_features(builder, nodes, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    free(values);
    free(offsets);
    free(columns);
    return graph;
}

/* Three convolutions, and a linear layer behind them where it is asked for. */
static dgm_model *make_model(int64_t width, bool linear) {
    static const int64_t sizes[] = {6, 3, 5};
    dgm_model *model;
    assert_int_equal(dgmi_nn_model_create(ctx, DGM_MODEL_GCN, &model), DGM_OK);
    for (int l = 0; l < 3; l++) {
        const dgmi_nn_layer layer = {.convolution = true,
                                     .in = width,
                                     .out = sizes[l],
                                     .activation = DGMI_NN_ACTIVATION_ELU};
        assert_int_equal(dgmi_nn_model_add_layer(ctx, model, layer, false), DGM_OK);
        width = sizes[l];
    }
    if (linear)
        assert_int_equal(
            dgmi_nn_model_add_layer(ctx, model, (dgmi_nn_layer){.in = width, .out = 2}, false),
            DGM_OK);
    assert_int_equal(dgmi_nn_model_finish(ctx, model, 3), DGM_OK);
    return model;
}

/* The loss at the asked nodes, and its gradients, with or without a reach. */
static float gradients(const dgm_model *model, const dgmi_nn_sight *sight,
                       const dgmi_nn_reach *reach, const uint32_t *rows,
                       dgmi_nn_optimiser *optimiser) {
    static const int32_t classes[1024] = {[0] = 1, [3] = 1, [4] = 1};
    int32_t by_node[1024];
    dgmi_nn_tape *tape;
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    for (int i = 0; i < ASKED; i++)
        by_node[rows[i]] = classes[i];
    const uint32_t places[ASKED] = {0, 1, 2, 3, 4};
    const dgmi_nn_targets here = {ASKED, reach ? places : rows, reach ? classes : by_node, NULL};
    const dgmi_nn_pass pass = {
        .tape = tape, .model = model, .sight = sight, .reach = reach, .optimiser = optimiser};
    dgmi_nn_node *answer = dgmi_nn_pass_run(&pass);
    dgmi_nn_node *loss = dgmi_nn_op_cross_entropy(tape, answer, &here);
    assert_int_equal(dgmi_nn_tape_backward(tape, loss), DGM_OK);
    assert_int_equal(answer->value.rows, reach ? ASKED : sight->features.rows);
    float value = loss->value.values[0];
    dgmi_nn_tape_free(tape);
    return value;
}

static void compare(const dgm_graph *graph, int features, bool linear) {
    static const uint32_t rows[ASKED] = {0, 1, 2, 30, 77};
    dgmi_nn_sight sight;
    dgmi_nn_reach reach;
    dgmi_nn_optimiser whole, part;
    const dgmi_nn_optimiser_options options = {.descent = DGMI_NN_SGD};
    assert_int_equal(dgmi_nn_sight_make(ctx, graph, features, true, &sight), DGM_OK);
    dgm_model *model = make_model(sight.features.width, linear);
    assert_int_equal(dgmi_nn_reach_make(ctx, model, &sight, rows, ASKED, &reach), DGM_OK);
    assert_int_equal(dgmi_nn_optimiser_make(ctx, &model->weights, &options, &whole), DGM_OK);
    assert_int_equal(dgmi_nn_optimiser_make(ctx, &model->weights, &options, &part), DGM_OK);
    float expected = gradients(model, &sight, NULL, rows, &whole);
    float found = gradients(model, &sight, &reach, rows, &part);
    assert_true(fabsf(found - expected) < 1e-5F);
    for (int64_t i = 0; i < model->weights.total; i++)
        if (!(fabsf(whole.gradient[i] - part.gradient[i]) < 2e-6F))
            fail_msg("gradient %d: %g, not %g", (int)i, part.gradient[i], whole.gradient[i]);
    dgmi_nn_optimiser_free(ctx, &whole);
    dgmi_nn_optimiser_free(ctx, &part);
    dgmi_nn_reach_free(ctx, &reach);
    dgmi_nn_sight_free(ctx, &sight);
    dgm_model_free(model);
}

static void a_reach_changes_neither_loss_nor_gradients(void **state) {
    (void)state;
    for (int kind = 0; kind < 8; kind++) {
        dgm_graph *graph = make_chain(kind & 4 ? 80 : 400, kind & 1, kind & 2);
        compare(graph, DGM_FEATURES_AUTO, false);
        compare(graph, DGM_FEATURES_AUTO, true);
        compare(graph, DGM_FEATURES_ONE_HOT, kind & 1);
        compare(graph, DGM_FEATURES_DEGREE, kind & 1);
        dgm_graph_free(graph);
    }
}

static void a_small_reach_is_a_small_computation(void **state) {
    (void)state;
    static const uint32_t rows[ASKED] = {0, 1, 2, 3, 4};
    dgm_graph *graph = make_chain(400, true, false);
    dgmi_nn_sight sight;
    dgmi_nn_reach reach;
    assert_int_equal(dgmi_nn_sight_make(ctx, graph, DGM_FEATURES_AUTO, true, &sight), DGM_OK);
    dgm_model *model = make_model(4, false);
    assert_int_equal(dgmi_nn_reach_make(ctx, model, &sight, rows, ASKED, &reach), DGM_OK);
    assert_int_equal(reach.propagation[2].matrix.rows, ASKED);
    assert_int_equal(reach.propagation[2].matrix.columns, reach.propagation[1].matrix.rows);
    assert_int_equal(reach.propagation[1].matrix.columns, reach.propagation[0].matrix.rows);
    assert_true(reach.restricts_features && reach.features.rows < 60);
    assert_int_equal(reach.propagation[0].matrix.columns, reach.features.rows);
    dgmi_nn_reach_free(ctx, &reach);
    dgmi_nn_sight_free(ctx, &sight);
    dgm_model_free(model);
    dgm_graph_free(graph);
}

static void any_allocation_may_fail(void **state) {
    (void)state;
    static const uint32_t rows[ASKED] = {0, 1, 2, 3, 4};
    dgm_graph *graph = make_chain(90, false, false);
    dgmi_nn_sight sight;
    assert_int_equal(dgmi_nn_sight_make(ctx, graph, DGM_FEATURES_AUTO, true, &sight), DGM_OK);
    dgm_model *model = make_model(4, true);
    dgm_status status = DGM_ERROR_MEMORY;
    for (int k = 1; status != DGM_OK; k++) {
        check_memory memory = {0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *poor;
        dgmi_nn_reach reach;
        assert_int_equal(dgm_context_create(&allocator, &poor), DGM_OK);
        memory.fail_at = memory.calls + k;
        status = dgmi_nn_reach_make(poor, model, &sight, rows, ASKED, &reach);
        assert_true(status == DGM_OK || status == DGM_ERROR_MEMORY);
        if (status == DGM_OK)
            dgmi_nn_reach_free(poor, &reach);
        dgm_context_free(poor);
        assert_int_equal(memory.blocks, 0);
        assert_true(k < 100);
    }
    dgmi_nn_sight_free(ctx, &sight);
    dgm_model_free(model);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reach_changes_neither_loss_nor_gradients),
        cmocka_unit_test(a_small_reach_is_a_small_computation),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
