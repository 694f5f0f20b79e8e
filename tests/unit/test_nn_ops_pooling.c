/* SPDX-License-Identifier: Apache-2.0 */
/* What pooling composes of the ops: soft membership in cells, S'X, S'AS, the minCUT losses, gates.
 */
#include "nn_gradient.h"

enum { NODES = 6, CELLS = 3, WIDTH = 4 };

/* ---- soft membership (Bodnar and others): exp(-(f - c)^2 / 2 delta^2), normalised over cells ----
 */

static const float width = 0.6F; /* delta */

/* f is n x 1, c is 1 x k */
static dgmi_nn_node *membership(dgmi_nn_tape *tape, dgmi_nn_node *f, dgmi_nn_node *centres) {
    dgmi_nn_node *distance = dgmi_nn_op_algebra(tape, DGMI_NN_SUBTRACT, f, centres);
    dgmi_nn_node *exponent =
        dgmi_nn_op_scale(tape, -1 / (2 * width * width), dgmi_nn_op_square(tape, distance));
    dgmi_nn_node *near = dgmi_nn_op_apply(tape, DGMI_KERNELS_EXP, exponent);
    return dgmi_nn_op_algebra(tape, DGMI_NN_DIVIDE, near,
                              dgmi_nn_op_row_fold(tape, DGMI_NN_FOLD_SUM, near));
}

static dgmi_nn_node *build_membership(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                      const void *argument) {
    (void)argument;
    return membership(tape, leaf[0], leaf[1]);
}

static void soft_membership_is_composed_of_ops(void **state) {
    (void)state;
    float f[] = {0, 0.5F}, centres[] = {0, 1};
    double expected[4];
    for (int i = 0; i < 2; i++) {
        double sum = 0;
        for (int k = 0; k < 2; k++) {
            double off = ((double)f[i] - (double)centres[k]) / (double)width;
            sum += expected[2 * i + k] = exp(-off * off / 2);
        }
        expected[2 * i] /= sum;
        expected[2 * i + 1] /= sum;
    }
    gradient_case check = {"membership", 2, {{2, 1, f}, {1, 2, centres}}, build_membership, NULL};
    check_values(&check, 2, 2, expected);
    FOR_EACH_SEED {
        gradient_case random = {"membership",
                                2,
                                {any_numbers(NODES, 1, 0, 1), any_numbers(1, CELLS, 0, 1)},
                                build_membership,
                                NULL};
        check_gradient(&random);
        check_nothing_from_nothing(&random);
    }
}

/* ---- S'X and S'AS, A sparse ---- */

static const int64_t offsets[] = {0, 2, 4, 7, 9, 11, 12};
static const uint32_t indices[] = {1, 2, 0, 2, 0, 1, 3, 2, 4, 3, 5, 4};
static const float weights[] = {1, 0.5F, 1, 2, 0.5F, 2, 1.5F, 1.5F, 1, 1, 3, 3};
static dgmi_nn_sparse adjacency;

static dgmi_nn_node *coarse_features(dgmi_nn_tape *tape, dgmi_nn_node *s, dgmi_nn_node *x) {
    return dgmi_nn_op_product(tape, s, true, x, false);
}

static dgmi_nn_node *coarse_adjacency(dgmi_nn_tape *tape, dgmi_nn_node *s) {
    return dgmi_nn_op_product(tape, s, true, dgmi_nn_op_sparse_product(tape, &adjacency, NULL, s),
                              false);
}

static dgmi_nn_node *build_coarse(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                  const void *argument) {
    (void)argument;
    dgmi_nn_node *s = membership(tape, leaf[0], leaf[1]);
    dgmi_nn_node *const parts[] = {coarse_features(tape, s, leaf[2]), coarse_adjacency(tape, s)};
    return dgmi_nn_op_join_columns(tape, 2, parts);
}

static void coarse_graphs_differentiate_by_lens_centres_and_features(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gradient_case check = {"S'X and S'AS",
                               3,
                               {any_numbers(NODES, 1, 0, 1), any_numbers(1, CELLS, 0, 1),
                                any_numbers(NODES, WIDTH, -1, 1)},
                               build_coarse,
                               NULL};
        check_gradient(&check);
        check_nothing_from_nothing(&check);
    }
}

/* ---- minCUT (Bianchi and others, 2020):
 * - tr S'AS / tr S'DS + |S'S / |S'S| - I / sqrt(k)| ---- */

static dgmi_nn_node *build_mincut(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                  const void *argument) {
    (void)argument;
    static const float degrees[NODES] = {1.5F, 3, 4, 2.5F, 4, 3};
    static const float third = 0.57735027F;
    static const float target[CELLS * CELLS] = {third, 0, 0, 0, third, 0, 0, 0, third};
    dgmi_nn_node *s = dgmi_nn_op_softmax(tape, leaf[0]);
    dgmi_nn_node *scaled = dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY,
                                              dgmi_nn_tape_constant(tape, NODES, 1, degrees), s);
    dgmi_nn_node *inside = dgmi_nn_op_trace(tape, coarse_adjacency(tape, s));
    dgmi_nn_node *all = dgmi_nn_op_trace(tape, dgmi_nn_op_product(tape, s, true, scaled, false));
    dgmi_nn_node *cut =
        dgmi_nn_op_scale(tape, -1, dgmi_nn_op_algebra(tape, DGMI_NN_DIVIDE, inside, all));
    dgmi_nn_node *square = dgmi_nn_op_product(tape, s, true, s, false);
    dgmi_nn_node *unit =
        dgmi_nn_op_algebra(tape, DGMI_NN_DIVIDE, square, dgmi_nn_op_norm(tape, square));
    dgmi_nn_node *off = dgmi_nn_op_algebra(tape, DGMI_NN_SUBTRACT, unit,
                                           dgmi_nn_tape_constant(tape, CELLS, CELLS, target));
    return dgmi_nn_op_algebra(tape, DGMI_NN_ADD, cut, dgmi_nn_op_norm(tape, off));
}

static void mincut_differentiates(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gradient_case check = {"minCUT", 1, {any_numbers(NODES, CELLS, -1, 1)}, build_mincut, NULL};
        check_gradient(&check);
    }
}

/* ---- top-k: the kept rows times their gates ---- */

static dgmi_nn_node *build_gated(dgmi_nn_tape *tape, dgmi_nn_node *const *leaf,
                                 const void *argument) {
    static const uint32_t kept[] = {4, 1, 2};
    (void)argument;
    dgmi_nn_node *scores = dgmi_nn_op_product(tape, leaf[0], false, leaf[1], false);
    dgmi_nn_node *unit =
        dgmi_nn_op_algebra(tape, DGMI_NN_DIVIDE, scores, dgmi_nn_op_norm(tape, leaf[1]));
    dgmi_nn_node *gates =
        dgmi_nn_op_apply(tape, DGMI_KERNELS_TANH, dgmi_nn_op_gather(tape, unit, kept, 3));
    return dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, dgmi_nn_op_gather(tape, leaf[0], kept, 3),
                              gates);
}

static void kept_rows_pass_gradients_through_their_gates(void **state) {
    (void)state;
    FOR_EACH_SEED {
        gradient_case check = {"top-k",
                               2,
                               {any_numbers(NODES, WIDTH, -1, 1), any_numbers(WIDTH, 1, 0.3, 1)},
                               build_gated,
                               NULL};
        check_gradient(&check);
    }
}

static int make_adjacency(void **state) {
    static const dgmi_table_csr matrix = {NODES, NODES, offsets, indices, weights};
    return make_context(state) != DGM_OK || dgmi_nn_sparse_make(ctx, &matrix, true, &adjacency);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soft_membership_is_composed_of_ops),
        cmocka_unit_test(coarse_graphs_differentiate_by_lens_centres_and_features),
        cmocka_unit_test(mincut_differentiates),
        cmocka_unit_test(kept_rows_pass_gradients_through_their_gates),
    };
    return RUN_GROUP(tests, make_adjacency, free_context);
}
