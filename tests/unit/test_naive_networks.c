/* SPDX-License-Identifier: Apache-2.0 */
/* The fused ops of the room nn against their naive twins: values, and gradients against difference
 * quotients of the twin. */
#include "../naive_networks.h"
#include "nn_cycle.h"
#include "nn_infomax.h"
#include "nn_pairs.h"

/* A fused op, and what its twin makes of the same leaves. */
typedef struct {
    gradient_case fused;
    double (*naive)(const dgmi_table_tensor *leaf);
} twin_case;

/* d naive / d cell i of leaf k. */
static double quotient(const twin_case *c, int k, int64_t i) {
    float *cell = &c->fused.leaf[k].values[i], kept = *cell;
    const float step = 0x1p-9F;
    *cell = kept + step;
    double above = c->naive(c->fused.leaf), high = (double)*cell;
    *cell = kept - step;
    double below = c->naive(c->fused.leaf), low = (double)*cell;
    *cell = kept;
    return (above - below) / (high - low);
}

static void compare_on(dgmi_nn_tape *tape, const twin_case *c) {
    const dgmi_table_tensor one = any_numbers(1, 1, 1, 1);
    float *gradients[GRADIENT_LEAVES];
    assert_near((double)*forward_constant(tape, &c->fused)->value.values, c->naive(c->fused.leaf),
                1e-5);
    for (int k = 0; k < c->fused.leaves; k++)
        gradients[k] = take_numbers(dgmi_table_tensor_count(&c->fused.leaf[k]));
    backward_into(tape, &c->fused, (1U << c->fused.leaves) - 1, 1, &one, gradients);
    for (int k = 0; k < c->fused.leaves; k++)
        for (int64_t i = 0; i < dgmi_table_tensor_count(&c->fused.leaf[k]); i++)
            assert_near((double)gradients[k][i], quotient(c, k, i), 1e-4);
}

static void compare(const twin_case *c) {
    static const char *const variants[] = {"plain", "avx2", "avx512"};
    for (int v = 0; v < COUNT(variants); v++) {
        dgmi_nn_tape *tape;
        if (!dgmi_kernels_find(variants[v]))
            continue;
        assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
        dgmi_nn_tape_set_kernels(tape, dgmi_kernels_find(variants[v]));
        compare_on(tape, c);
        dgmi_nn_tape_free(tape);
    }
}

/* ---- one convolution ---- */

static dgmi_nn_node *fused_infomax(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                   const void *argument) {
    (void)argument;
    const dgmi_nn_infomax infomax = {.features = &features,
                                     .propagation = &propagation,
                                     .shuffle = shuffle,
                                     .inverse = inverse,
                                     .weight = leaf[0],
                                     .bias = leaf[1],
                                     .slope = leaf[2],
                                     .discriminator = leaf[3],
                                     .discriminator_bias = leaf[4]};
    return dgmi_nn_op_infomax(tape, &infomax);
}

static double naive_of_infomax(const dgmi_table_tensor *leaf) {
    return naive_infomax_loss(&(naive_infomax){&words, &edges, shuffle, &leaf[0], &leaf[1],
                                               &leaf[2], &leaf[3], &leaf[4]});
}

/* A large bias keeps every number of the hidden layer away from PReLU's kink. */
static void the_loss_of_infomax_is_what_plain_loops_say(void **state) {
    (void)state;
    FOR_EACH_SEED {
        int64_t width = any_size(1, 20);
        twin_case c = {{"infomax",
                        5,
                        {any_numbers(FEATURES, width, -0.1, 0.1), any_numbers(1, width, -1, 1),
                         any_numbers(1, 1, 0.1, 0.4), any_numbers(width, width, -0.5, 0.5),
                         any_numbers(1, 1, -0.5, 0.5)},
                        fused_infomax,
                        NULL},
                       naive_of_infomax};
        for (int64_t j = 0; j < width; j++)
            c.fused.leaf[1].values[j] += c.fused.leaf[1].values[j] < 0 ? -1.0F : 1.0F;
        compare(&c);
    }
}

/* ---- from a linear last layer on ---- */

static dgmi_nn_node *fused_linear(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                  const void *argument) {
    static const float targets[2 * NODES] = {1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
    static const float shares[2 * NODES] = {0.2F, 0, 0.2F, 0, 0.2F, 0, 0.2F, 0, 0.2F, 0};
    (void)argument;
    const dgmi_nn_infomax_linear infomax = {leaf[0], leaf[1], leaf[2], leaf[3],
                                            leaf[4], targets, shares};
    return dgmi_nn_infomax_linear_loss(tape, &infomax);
}

static double naive_of_linear(const dgmi_table_tensor *leaf) {
    return naive_infomax_linear_loss(&leaf[0], &leaf[1], &leaf[2], &leaf[3], &leaf[4]);
}

static void the_loss_of_a_linear_last_layer_is_what_plain_loops_say(void **state) {
    (void)state;
    FOR_EACH_SEED {
        int64_t depth = any_size(1, 9), width = any_size(1, 9);
        const twin_case c = {{"infomax",
                              5,
                              {any_numbers(2 * NODES, depth, -1, 1),
                               any_numbers(depth, width, -1, 1), any_numbers(1, width, -1, 1),
                               any_numbers(width, width, -0.5, 0.5), any_numbers(1, 1, -0.5, 0.5)},
                              fused_linear,
                              NULL},
                             naive_of_linear};
        compare(&c);
    }
}

/* ---- pairs of graphs ---- */

/* The sum of all outputs, so that a difference quotient has one number to look at. */
static dgmi_nn_node *fused_pairs(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                 const void *argument) {
    (void)argument;
    return dgmi_nn_op_sum(tape, dgmi_nn_op_pairs(tape, &propagation, leaf[0], leaf[2], leaf[1]));
}

static double naive_of_pairs(const dgmi_table_tensor *leaf) {
    static double y[2 * NODES * 64];
    double sum = 0;
    const dgmi_table_tensor *weight = leaf[2].values ? &leaf[2] : NULL;
    int64_t count = leaf[0].rows * (weight ? weight->columns : leaf[0].columns);
    naive_pairs(&edges, &leaf[0], weight, &leaf[1], y);
    for (int64_t i = 0; i < count; i++)
        sum += y[i];
    return sum;
}

/* ELU bends at 0: small numbers and a large bias keep away from it. */
static void check_pairs(int64_t in, int64_t out) {
    twin_case c = {{"pairs",
                    out ? 3 : 2,
                    {any_numbers(2 * NODES, in, -0.1, 0.1), any_numbers(1, out ? out : in, -1, 1)},
                    fused_pairs,
                    NULL},
                   naive_of_pairs};
    if (out)
        c.fused.leaf[2] = any_numbers(in, out, -0.1, 0.1);
    for (int64_t j = 0; j < dgmi_table_tensor_count(&c.fused.leaf[1]); j++)
        c.fused.leaf[1].values[j] += c.fused.leaf[1].values[j] < 0 ? -1.0F : 1.0F;
    compare(&c);
}

static void pairs_are_what_plain_loops_say(void **state) {
    (void)state;
    gradient_seed(0);
    check_pairs(32, 0);
    gradient_seed(1);
    check_pairs(32, 64);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loss_of_infomax_is_what_plain_loops_say),
        cmocka_unit_test(the_loss_of_a_linear_last_layer_is_what_plain_loops_say),
        cmocka_unit_test(pairs_are_what_plain_loops_say),
    };
    return cmocka_run_group_tests_name("naive networks", tests, make_matrices, free_matrices);
}
