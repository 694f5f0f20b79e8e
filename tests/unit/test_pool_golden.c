/* SPDX-License-Identifier: Apache-2.0 */
/* Poolings, and whole networks that pool, against PyTorch and PyTorch Geometric:
 * tests/data/oracle/pool_pyg.txt, made by tools/oracle/pool_pyg.py, which says what each of both
 * computed. Layers take A + I throughout, also where a pooled graph has self-loops already. */
#include "nn_golden.h"

#include "../check_pool.h"

enum { NODES = 16, WIDTH = 4, FEATURES = 3, GRAPHS = 3 };
static const int64_t all[GRAPHS] = {0, 1, 2};

#define MPR "mpr:clusters=3-2,overlap=0.25"

static const char *named(const char *kind, const char *name, const char *part) {
    static char text[128];
    snprintf(text, sizeof text, "%s_%s_%s", kind, name, part);
    return text;
}

static void draft_graphs(const char *features, pool_draft *draft) {
    const golden_table *edges = find_golden("edges", -1), *table = find_golden(features, -1);
    const int64_t sizes[GRAPHS] = {7, 5, 4};
    memset(draft, 0, sizeof *draft);
    for (int64_t g = 0; g < GRAPHS; g++) {
        pool_draft_graph(draft, sizes[g]);
        for (int64_t e = 0; e < edges->rows; e++) {
            const double *edge = edges->values + 4 * e;
            if ((int64_t)edge[0] == g)
                pool_draft_edge(draft, (int64_t)edge[1], (int64_t)edge[2], edge[3]);
        }
    }
    draft->width = table->columns;
    for (int64_t i = 0; i < NODES * table->columns; i++)
        draft->features[i] = (float)table->values[i];
}

static void take_weight(pool_net *net, int index, const char *table_name) {
    const dgmi_nn_weight *weight = &net->network.weights.list[index];
    const golden_table *table = find_golden(table_name, -1);
    assert_int_equal(table->rows, weight->rows);
    assert_int_equal(table->columns, weight->columns);
    for (int64_t i = 0; i < weight->rows * weight->columns; i++)
        dgmi_nn_weights_at(&net->network.weights, index)[i] = (float)table->values[i];
}

/* Losses are about 1. Where one hardly depends on a weight, rounding alone is left of its gradient.
 */
static void check_gradient_of(const char *table_name, const float *found, int64_t rows,
                              int64_t columns) {
    const golden_table *table = find_golden(table_name, -1);
    double scale = 0.03;
    assert_int_equal(table->rows, rows);
    assert_int_equal(table->columns, columns);
    for (int64_t i = 0; i < rows * columns; i++)
        scale = fmax(scale, fabs(table->values[i]));
    for (int64_t i = 0; i < rows * columns; i++)
        if (!(fabs((double)found[i] - table->values[i]) <= 1e-4 * scale))
            fail_msg("%s: cell %lld is %.9g, not %.9g", table_name, (long long)i, (double)found[i],
                     table->values[i]);
}

/* ---- a pooling by itself ---- */

static const struct operator_case {
    const char *name, *pool;
    const char *losses[2];
} operators[] = {
    {"mpr", MPR, {NULL}},
    {"feb2020", MPR ",variant=feb2020", {NULL}},
    {"newest", MPR ",variant=newest", {NULL}},
    {"topk", "topk:ratio=0.5", {NULL}},
    {"topk_tanh", "topk:ratio=0.5,gate=tanh", {NULL}},
    {"sagpool", "sagpool:ratio=0.5", {NULL}},
    {"mincut", "mincut:clusters=3-2", {"cut", "orthogonality"}},
    {"diffpool", "diffpool:clusters=3-2", {"link", "entropy"}},
    {"graclus", "graclus", {NULL}},
    {"sum", "sum", {NULL}},
    {"mean", "mean", {NULL}},
    {"max", "max", {NULL}},
    {"learned", "mpr:lens=learned,clusters=3-2", {NULL}},
    {"learned2", "mpr:lens=learned,clusters=3-2,axes=2", {NULL}},
};

static void pool_state(pool_net *net, dgmi_pool_pass *pass, const dgmi_pool_batch *batch,
                       dgmi_pool_state *state) {
    const dgmi_pool_gate *gate = &net->network.gate[0];
    dgmi_nn_tape *tape = net->tape;
    if (net->request.family == DGMI_POOL_SELECT) {
        dgmi_pool_select(pass, state);
    } else if (dgmi_pool_learns_lens(&net->request)) {
        dgmi_pool_learned(pass, state, batch);
    } else if (net->request.options.method == DGM_POOL_MINCUT) {
        dgmi_pool_mincut(pass, state);
    } else if (net->request.options.method == DGM_POOL_DIFFPOOL) {
        dgmi_nn_node *product =
            dgmi_nn_op_product(tape, state->x, false, dgmi_pool_weight(pass, gate->weight), false);
        dgmi_pool_diffpool(pass, state, dgmi_pool_propagate(pass, state, product));
    } else {
        state->x =
            net->request.options.method == DGM_POOL_MAX
                ? dgmi_nn_op_segments(tape, DGMI_NN_FOLD_MAX, state->x, state->starts, GRAPHS)
                : dgmi_nn_op_sparse_product(tape, dgmi_pool_batch_down(batch, 0), NULL, state->x);
        state->propagation = dgmi_pool_batch_propagation(batch, 1);
    }
}

/* The sum of factor(i, j) x_ij. */
static dgmi_nn_node *weigh(dgmi_nn_tape *tape, dgmi_nn_node *x, double (*factor)(double),
                           double first, double step) {
    assert_non_null(x);
    float *values = dgmi_nn_tape_memory(tape, x->value.rows * x->value.columns, sizeof *values);
    for (int64_t i = 0; i < x->value.rows; i++)
        for (int64_t j = 0; j < x->value.columns; j++)
            values[i * x->value.columns + j] = (float)factor(first + (double)i + step * (double)j);
    return dgmi_nn_op_sum(
        tape,
        dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, x,
                           dgmi_nn_tape_constant(tape, x->value.rows, x->value.columns, values)));
}

/* A' of all graphs, one below the other: A' times the unit matrix. */
static dgmi_nn_node *pooled_adjacency(dgmi_pool_pass *pass, const dgmi_pool_state *state) {
    int64_t side = state->side, rows = side * GRAPHS;
    float *unit = dgmi_nn_tape_memory(pass->tape, rows * side, sizeof *unit);
    for (int64_t i = 0; i < rows * side; i++)
        unit[i] = i / side % side == i % side ? 1.0F : 0.0F;
    return dgmi_pool_times(pass, state, dgmi_nn_tape_constant(pass->tape, rows, side, unit));
}

static void check_propagation(const char *name, const dgmi_nn_sparse *found) {
    static float dense[NODES * NODES];
    const dgmi_table_csr *matrix = &found->matrix;
    memset(dense, 0, sizeof dense);
    for (int64_t i = 0; i < matrix->rows; i++)
        for (int64_t e = matrix->offsets[i]; e < matrix->offsets[i + 1]; e++)
            dense[i * matrix->columns + matrix->indices[e]] = matrix->values[e];
    check_golden(named("op", name, "propagation"), -1, dense, matrix->rows, matrix->columns, 1e-6);
}

static dgmi_nn_node *operator_loss(const struct operator_case *one, dgmi_pool_pass *pass,
                                   const dgmi_pool_state *state) {
    const dgmi_table_tensor *x = &state->x->value;
    check_golden(named("op", one->name, "pooled"), -1, x->values, x->rows, x->columns, 1e-5);
    dgmi_nn_node *loss = weigh(pass->tape, state->x, sin, 1, 2);
    if (state->matrix) {
        dgmi_nn_node *a = pooled_adjacency(pass, state);
        check_golden(named("op", one->name, "adjacency"), -1, a->value.values, a->value.rows,
                     a->value.columns, 1e-5);
        loss = dgmi_nn_op_algebra(pass->tape, DGMI_NN_ADD, loss, weigh(pass->tape, a, cos, 0, 3));
    } else {
        check_propagation(one->name, state->propagation);
    }
    for (int k = 0; k < 2 && one->losses[k]; k++)
        check_golden(named("op", one->name, one->losses[k]), -1,
                     pass->extra->inputs[k]->value.values, 1, 1, 1e-5);
    return pass->extra ? dgmi_nn_op_algebra(pass->tape, DGMI_NN_ADD, loss, pass->extra) : loss;
}

static void run_operator(const struct operator_case *one) {
    static pool_draft draft;
    static pool_net net;
    static float states[NODES * WIDTH], gradient[NODES * WIDTH];
    const pool_shape shape = {.pool = one->pool, .steps = 1, .layers = 1, .width = WIDTH};
    char table[128];
    snprintf(table, sizeof table, "op_%s_states", one->name);
    draft_graphs(table, &draft);
    pool_net_make(&draft, &shape, &net);
    const dgmi_nn_weights *weights = &net.network.weights;
    for (int i = 0; i < weights->count; i++)
        if (strncmp(weights->list[i].name, "pool0.", 6) == 0)
            take_weight(&net, i, named("op", one->name, weights->list[i].name + 6));
    memcpy(states, draft.features, sizeof states);
    dgmi_pool_pass pass = {.tape = net.tape, .network = &net.network, .optimiser = &net.optimiser};
    dgmi_pool_batch batch;
    assert_true(dgmi_pool_batch_make(net.tape, &net.bank, all, GRAPHS, &batch));
    dgmi_pool_state state = {.graphs = GRAPHS,
                             .starts = batch.starts[0],
                             .x = dgmi_nn_tape_weight(net.tape, NODES, WIDTH, states, gradient),
                             .propagation = dgmi_pool_batch_propagation(&batch, 0),
                             .adjacency = dgmi_pool_batch_adjacency(&batch)};
    pool_state(&net, &pass, &batch, &state);
    dgmi_nn_node *loss = operator_loss(one, &pass, &state);
    assert_int_equal(dgmi_nn_tape_backward(net.tape, loss), DGM_OK);
    check_golden(named("op", one->name, "loss"), -1, loss->value.values, 1, 1, 1e-5);
    check_gradient_of(named("op", one->name, "d.states"), gradient, NODES, WIDTH);
    for (int i = 0; i < weights->count; i++) {
        const dgmi_nn_weight *weight = &weights->list[i];
        if (strncmp(weight->name, "pool0.", 6) != 0)
            continue;
        snprintf(table, sizeof table, "op_%s_d.%s", one->name, weight->name + 6);
        check_gradient_of(table, net.optimiser.gradient + weight->at, weight->rows,
                          weight->columns);
    }
    pool_net_free(&net);
}

static void poolings_are_those_of_pytorch(void **state) {
    (void)state;
    for (int64_t k = 0; k < COUNT(operators); k++)
        run_operator(&operators[k]);
}

/* ---- whole networks ---- */

static const struct network_case {
    const char *name, *pool;
    int net;
    bool skip;
} networks[] = {
    {"mpr", MPR, DGM_NET_GCN, false},
    {"mpr_skip", MPR, DGM_NET_GCN, true},
    {"mpr_gin", MPR, DGM_NET_GIN, false},
    {"mpr_gin_skip", MPR, DGM_NET_GIN, true},
    {"mpr_mlp", MPR, DGM_NET_MLP, false},
    {"mpr_mlp_skip", MPR, DGM_NET_MLP, true},
    {"feb2020", MPR ",variant=feb2020", DGM_NET_GCN, false},
    {"newest", MPR ",variant=newest", DGM_NET_GCN, false},
    {"topk", "topk:ratio=0.5", DGM_NET_GCN, false},
    {"topk_tanh", "topk:ratio=0.5,gate=tanh", DGM_NET_GCN, false},
    {"topk_gin", "topk:ratio=0.5", DGM_NET_GIN, true},
    {"sagpool", "sagpool:ratio=0.5", DGM_NET_GCN, false},
    {"sagpool_mlp", "sagpool:ratio=0.5", DGM_NET_MLP, false},
    {"mincut", "mincut:clusters=3-2", DGM_NET_GCN, false},
    {"mincut_skip", "mincut:clusters=3-2", DGM_NET_GCN, true},
    {"mincut_gin", "mincut:clusters=3-2", DGM_NET_GIN, false},
    {"diffpool", "diffpool:clusters=3-2", DGM_NET_GCN, false},
    {"diffpool_gin", "diffpool:clusters=3-2", DGM_NET_GIN, false},
    {"diffpool_mlp_skip", "diffpool:clusters=3-2", DGM_NET_MLP, true},
    {"graclus", "graclus", DGM_NET_GCN, false},
    {"sum", "sum", DGM_NET_GCN, false},
    {"mean", "mean", DGM_NET_GCN, false},
    {"max", "max", DGM_NET_GCN, false},
    {"none", "none", DGM_NET_GCN, false},
    {"learned", "mpr:lens=learned,clusters=3-2", DGM_NET_GCN, false},
    {"learned2", "mpr:lens=learned,clusters=3-2,axes=2", DGM_NET_GCN, false},
    {"learned_gin_skip", "mpr:lens=learned,clusters=3-2", DGM_NET_GIN, true},
};

static void run_network(const struct network_case *one) {
    static pool_draft draft;
    static pool_net net;
    const pool_shape shape = {one->pool, one->net, one->skip, 2, 2, WIDTH, 1};
    char table[128];
    draft_graphs("features", &draft);
    pool_net_make(&draft, &shape, &net);
    const dgmi_nn_weights *weights = &net.network.weights;
    for (int i = 0; i < weights->count; i++)
        take_weight(&net, i, named("net", one->name, weights->list[i].name));
    dgmi_pool_pass pass;
    dgmi_nn_node *scores = pool_net_run(&net, all, GRAPHS, true, &pass);
    check_golden(named("net", one->name, "scores"), -1, scores->value.values, GRAPHS, 2, 1e-5);
    dgmi_nn_node *loss = pool_net_loss(&net, scores, &pass);
    check_golden(named("net", one->name, "loss"), -1, loss->value.values, 1, 1, 1e-5);
    assert_int_equal(dgmi_nn_tape_backward(net.tape, loss), DGM_OK);
    for (int i = 0; i < weights->count; i++) {
        const dgmi_nn_weight *weight = &weights->list[i];
        snprintf(table, sizeof table, "net_%s_d.%s", one->name, weight->name);
        check_gradient_of(table, net.optimiser.gradient + weight->at, weight->rows,
                          weight->columns);
    }
    pool_net_free(&net);
}

static void networks_are_those_of_pytorch(void **state) {
    (void)state;
    for (int64_t k = 0; k < COUNT(networks); k++)
        run_network(&networks[k]);
}

static int make_data(void **state) {
    if (make_context(state) != DGM_OK)
        return 1;
    read_golden("pool_pyg.txt");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poolings_are_those_of_pytorch),
        cmocka_unit_test(networks_are_those_of_pytorch),
    };
    return RUN_GROUP(tests, make_data, free_context);
}
