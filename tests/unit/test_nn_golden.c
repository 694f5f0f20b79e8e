/* SPDX-License-Identifier: Apache-2.0 */
/* Five steps of a GCN and of Deep Graph Infomax, from ops and kernels alone, against PyTorch. */
#include "nn_golden.h"

#include "nn_data.h"
#include "nn_infomax.h"
#include "nn_pairs.h"

enum { NODES = 30, FEATURES = 20, HIDDEN = 8, CLASSES = 3, STEPS = 5 };

static dgm_graph *graph;
static dgmi_nn_sparse propagation, features;
static int64_t feature_offsets[NODES + 1];
static uint32_t feature_indices[NODES * FEATURES];
static float feature_values[NODES * FEATURES];

static void make_propagation(void) {
    const golden_table *edges = find_golden("edges", -1);
    uint32_t ends[2 * 256];
    double weights[256];
    for (int64_t e = 0; e < edges->rows; e++) {
        ends[2 * e] = (uint32_t)edges->values[3 * e];
        ends[2 * e + 1] = (uint32_t)edges->values[3 * e + 1];
        weights[e] = edges->values[3 * e + 2];
    }
    graph = build_graph(NULL, NODES, edges->rows, ends, weights);
    assert_int_equal(dgmi_nn_propagation_make(ctx, graph, &propagation), DGM_OK);
}

static void make_features(void) {
    const golden_table *table = find_golden("features", -1);
    int64_t entries = 0;
    for (int64_t i = 0; i < NODES; i++) {
        for (uint32_t j = 0; j < FEATURES; j++)
            if (table->values[i * FEATURES + j] != 0) {
                feature_indices[entries] = j;
                feature_values[entries++] = (float)table->values[i * FEATURES + j];
            }
        feature_offsets[i + 1] = entries;
    }
    const dgmi_table_csr matrix = {NODES, FEATURES, feature_offsets, feature_indices,
                                   feature_values};
    assert_int_equal(dgmi_nn_sparse_make(ctx, &matrix, false, &features), DGM_OK);
}

static int make_data(void **state) {
    if (make_context(state) != DGM_OK)
        return 1;
    read_golden("nn_gcn.txt");
    make_propagation();
    make_features();
    return 0;
}

static int free_data(void **state) {
    dgmi_nn_sparse_free(ctx, &features);
    dgmi_nn_propagation_free(ctx, &propagation);
    dgm_graph_free(graph);
    return free_context(state);
}

/* ---- weights ---- */

enum { MOST_CELLS = 32 * 32 };

typedef struct weight {
    const char *name;
    int64_t rows, columns;
    float decay;
    float values[MOST_CELLS], gradient[MOST_CELLS], first[MOST_CELLS], second[MOST_CELLS];
} weight;

static const char *joined(const char *prefix, const char *middle, const char *name) {
    static char text[64];
    snprintf(text, sizeof text, "%s_%s%s", prefix, middle, name);
    return text;
}

static weight read_weight(const char *prefix, const char *name, float decay) {
    const golden_table *table = find_golden(joined(prefix, "", name), -1);
    weight made = {name, table->rows, table->columns, .decay = decay};
    assert_true(table->rows * table->columns <= MOST_CELLS);
    for (int64_t i = 0; i < table->rows * table->columns; i++)
        made.values[i] = (float)table->values[i];
    return made;
}

static dgmi_nn_node *put(dgmi_nn_tape *tape, weight *w) {
    return dgmi_nn_tape_weight(tape, w->rows, w->columns, w->values, w->gradient);
}

static void update(const dgmi_kernels *kernels, weight *w, float rate, int step) {
    const dgmi_kernels_adam_step adam = {.rate = rate,
                                         .beta1 = 0.9F,
                                         .beta2 = 0.999F,
                                         .epsilon = 1e-8F,
                                         .correction1 = (float)(1 - pow(0.9, step + 1)),
                                         .correction2 = (float)(1 - pow(0.999, step + 1)),
                                         .decay = w->decay};
    kernels->adam(ctx, &adam, w->rows * w->columns, w->gradient, w->values, w->first, w->second);
}

/* The loss and the gradients of a step, and then the step. */
static void finish_step(dgmi_nn_tape *tape, const char *prefix, dgmi_nn_node *loss, weight *weights,
                        int count, float rate, int step, bool shown) {
    if (dgmi_nn_tape_backward(tape, loss) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    check_golden(joined(prefix, "loss", ""), step, loss->value.values, 1, 1, 1e-5);
    for (int k = 0; k < count; k++) {
        weight *w = &weights[k];
        if (shown)
            check_golden(joined(prefix, "gradient_", w->name), step, w->gradient, w->rows,
                         w->columns, 1e-4);
        update(dgmi_nn_tape_kernels(tape), w, rate, step);
    }
}

static void check_final(const char *prefix, const weight *weights, int count) {
    for (int k = 0; k < count; k++)
        check_golden(joined(prefix, "final_", weights[k].name), -1, weights[k].values,
                     weights[k].rows, weights[k].columns, 1e-4);
}

/* x @ w, propagated, with bias */
static dgmi_nn_node *convolve(dgmi_nn_tape *tape, dgmi_nn_node *x_times_w, dgmi_nn_node *bias) {
    return dgmi_nn_op_bias(tape, dgmi_nn_op_sparse_product(tape, &propagation, NULL, x_times_w),
                           bias);
}

/* ---- the two models ---- */

static void train_gcn(dgmi_nn_tape *tape) {
    weight weights[] = {read_weight("gcn", "w0", 5e-4F), read_weight("gcn", "b0", 5e-4F),
                        read_weight("gcn", "w1", 0), read_weight("gcn", "b1", 0)};
    const golden_table *train = find_golden("train", -1), *classes = find_golden("classes", -1);
    uint32_t rows[NODES];
    int32_t labels[NODES];
    for (int64_t i = 0; i < train->columns; i++)
        rows[i] = (uint32_t)train->values[i];
    for (int64_t i = 0; i < NODES; i++)
        labels[i] = (int32_t)classes->values[i];
    const dgmi_nn_targets targets = {train->columns, rows, labels, NULL};
    for (int step = 0; step < STEPS; step++) {
        dgmi_nn_tape_rewind(tape);
        dgmi_nn_node *w0 = put(tape, &weights[0]), *b0 = put(tape, &weights[1]);
        dgmi_nn_node *w1 = put(tape, &weights[2]), *b1 = put(tape, &weights[3]);
        dgmi_nn_node *mixed = dgmi_nn_op_sparse_product(tape, &features, NULL, w0);
        dgmi_nn_node *hidden = dgmi_nn_op_apply(tape, DGMI_KERNELS_RELU, convolve(tape, mixed, b0));
        dgmi_nn_node *scores =
            convolve(tape, dgmi_nn_op_product(tape, hidden, false, w1, false), b1);
        dgmi_nn_node *loss = dgmi_nn_op_cross_entropy(tape, scores, &targets);
        assert_non_null(loss);
        check_golden("gcn_scores", step, scores->value.values, NODES, CLASSES, 1e-5);
        finish_step(tape, "gcn", loss, weights, 4, 0.01F, step, true);
    }
    check_final("gcn", weights, 4);
}

/* PReLU(A X[order] W + b); X W is permuted instead of X. */
static dgmi_nn_node *encode(dgmi_nn_tape *tape, dgmi_nn_node *const *weights,
                            const uint32_t *order) {
    dgmi_nn_node *mixed = dgmi_nn_op_sparse_product(tape, &features, NULL, weights[0]);
    if (order)
        mixed = dgmi_nn_op_gather(tape, mixed, order, NODES);
    return dgmi_nn_op_prelu(tape, convolve(tape, mixed, weights[1]), weights[2]);
}

static void train_dgi(dgmi_nn_tape *tape) {
    weight weights[] = {read_weight("dgi", "w", 0), read_weight("dgi", "b", 0),
                        read_weight("dgi", "slope", 0), read_weight("dgi", "m", 0)};
    float targets[2 * NODES] = {0};
    for (int i = 0; i < NODES; i++)
        targets[i] = 1;
    for (int step = 0; step < STEPS; step++) {
        uint32_t order[NODES];
        dgmi_nn_node *nodes[4];
        dgmi_nn_tape_rewind(tape);
        for (int i = 0; i < NODES; i++)
            order[i] = (uint32_t)find_golden("dgi_order", step)->values[i];
        for (int k = 0; k < 4; k++)
            nodes[k] = put(tape, &weights[k]);
        dgmi_nn_node *real = encode(tape, nodes, NULL), *corrupt = encode(tape, nodes, order);
        dgmi_nn_node *summary =
            dgmi_nn_op_apply(tape, DGMI_KERNELS_SIGMOID,
                             dgmi_nn_op_segments(tape, DGMI_NN_FOLD_MEAN, real, NULL, 0));
        dgmi_nn_node *direction = dgmi_nn_op_product(tape, nodes[3], false, summary, true);
        dgmi_nn_node *both = dgmi_nn_op_join_rows(tape, 2, (dgmi_nn_node *const[]){real, corrupt});
        dgmi_nn_node *scores = dgmi_nn_op_product(tape, both, false, direction, false);
        dgmi_nn_node *loss = dgmi_nn_op_binary_cross_entropy(tape, scores, targets);
        assert_non_null(loss);
        check_golden("dgi_scores", step, scores->value.values, 1, 2 * NODES, 1e-5);
        finish_step(tape, "dgi", loss, weights, 4, 0.001F, step, true);
    }
    check_final("dgi", weights, 4);
}

/* As training goes: both graphs at once in pairs of rows, the last layer not computed. */
static dgmi_nn_node *reference_loss(dgmi_nn_tape *tape, dgmi_nn_node *const *nodes,
                                    const uint32_t *order, const uint32_t *inverse) {
    enum { W0, B0, W1, B1, W2, B2, M };
    static const float zero = 0;
    static float targets[2 * NODES], shares[2 * NODES];
    for (int i = 0; i < NODES; i++) {
        targets[2 * i] = 1;
        shares[2 * i] = 1.0F / NODES;
    }
    dgmi_nn_node *mixed = dgmi_nn_op_sparse_product(tape, &features, NULL, nodes[W0]);
    dgmi_nn_node *x = dgmi_nn_op_pair(tape, mixed, order, inverse);
    x = dgmi_nn_op_pairs(tape, &propagation, x, NULL, nodes[B0]);
    x = dgmi_nn_op_pairs(tape, &propagation, x, nodes[W1], nodes[B1]);
    assert_non_null(x);
    int64_t columns = x->value.columns;
    x = dgmi_nn_op_reshape(tape, x, NODES, 2 * columns);
    x = dgmi_nn_op_sparse_product(tape, &propagation, NULL, x);
    const dgmi_nn_infomax_linear infomax = {
        .input = dgmi_nn_op_reshape(tape, x, 2 * NODES, columns),
        .weight = nodes[W2],
        .bias = nodes[B2],
        .discriminator = nodes[M],
        .discriminator_bias = dgmi_nn_tape_constant(tape, 1, 1, &zero),
        .targets = targets,
        .shares = shares,
    };
    return dgmi_nn_infomax_linear_loss(tape, &infomax);
}

static void train_reference(dgmi_nn_tape *tape) {
    static const char *const names[] = {"w0", "b0", "w1", "b1", "w2", "b2", "m"};
    weight weights[COUNT(names)];
    for (int k = 0; k < COUNT(names); k++)
        weights[k] = read_weight("reference", names[k], 0);
    for (int step = 0; step < STEPS; step++) {
        uint32_t order[NODES], inverse[NODES];
        dgmi_nn_node *nodes[COUNT(names)];
        dgmi_nn_tape_rewind(tape);
        for (uint32_t i = 0; i < NODES; i++) {
            order[i] = (uint32_t)find_golden("reference_order", step)->values[i];
            inverse[order[i]] = i;
        }
        for (int k = 0; k < COUNT(names); k++)
            nodes[k] = put(tape, &weights[k]);
        dgmi_nn_node *loss = reference_loss(tape, nodes, order, inverse);
        assert_non_null(loss);
        finish_step(tape, "reference", loss, weights, COUNT(names), 0.001F, step,
                    step == STEPS - 1);
    }
}

/* ---- tests ---- */

static void on_every_backend(void (*train)(dgmi_nn_tape *tape)) {
    static const char *const names[] = {"plain", "avx2", "avx512"};
    for (int b = 0; b < COUNT(names); b++) {
        const dgmi_kernels *kernels = dgmi_kernels_find(names[b]);
        dgmi_nn_tape *tape;
        if (!kernels)
            continue;
        assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
        dgmi_nn_tape_set_kernels(tape, kernels);
        train(tape);
        dgmi_nn_tape_free(tape);
    }
}

static void the_propagation_matrix_is_that_of_numpy(void **state) {
    (void)state;
    float dense[NODES * NODES] = {0};
    const dgmi_table_csr *matrix = &propagation.matrix;
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t e = matrix->offsets[i]; e < matrix->offsets[i + 1]; e++)
            dense[i * NODES + matrix->indices[e]] = matrix->values[e];
    check_golden("propagation", -1, dense, NODES, NODES, 1e-6);
}

static void five_steps_of_a_gcn_are_those_of_pytorch(void **state) {
    (void)state;
    on_every_backend(train_gcn);
}

static void five_steps_of_dgi_are_those_of_pytorch(void **state) {
    (void)state;
    on_every_backend(train_dgi);
}

static void five_steps_of_the_reference_are_those_of_pytorch(void **state) {
    (void)state;
    on_every_backend(train_reference);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_propagation_matrix_is_that_of_numpy),
        cmocka_unit_test(five_steps_of_a_gcn_are_those_of_pytorch),
        cmocka_unit_test(five_steps_of_dgi_are_those_of_pytorch),
        cmocka_unit_test(five_steps_of_the_reference_are_those_of_pytorch),
    };
    return RUN_GROUP(tests, make_data, free_data);
}
