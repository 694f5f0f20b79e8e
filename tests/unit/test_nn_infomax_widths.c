/* SPDX-License-Identifier: Apache-2.0 */
/* The loss of Deep Graph Infomax as one op, against the same loss out of many. */
#include <math.h>

#include "nn_infomax.h"
#include "nn_sample.h"

enum { WEIGHT, BIAS, SLOPE, DISCRIMINATOR, DISCRIMINATOR_BIAS, INPUTS };

/* A graph, its features, a shuffle of its nodes, and weights with their gradients. */
typedef struct setting {
    sample drawn;
    dgm_graph *graph;
    dgmi_nn_sparse propagation, features;
    int64_t *offsets;
    uint32_t *indices, *shuffle, *inverse;
    float *values, *targets;
    int64_t nodes, width;
    int64_t rows[INPUTS], columns[INPUTS];
    float *weights[INPUTS], *gradients[INPUTS];
} setting;

static float *any_floats(check_random *random, int64_t count, double low, double high) {
    float *values = malloc((size_t)count * sizeof *values + 1);
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)(low + (high - low) * check_random_unit(random));
    return values;
}

static void draw_features(check_random *random, setting *s, int64_t columns) {
    int64_t entries = 0;
    s->offsets = malloc((size_t)(s->nodes + 1) * sizeof *s->offsets);
    s->indices = malloc((size_t)(s->nodes * columns) * sizeof *s->indices + 1);
    for (int64_t i = 0; i < s->nodes; i++) {
        s->offsets[i] = entries;
        for (uint32_t j = 0; j < columns; j++)
            if (check_random_chance(random, 0.2))
                s->indices[entries++] = j;
    }
    s->offsets[s->nodes] = entries;
    s->values = any_floats(random, entries, 0.1, 2);
    const dgmi_table_csr matrix = {s->nodes, columns, s->offsets, s->indices, s->values};
    assert_int_equal(dgmi_nn_sparse_make(ctx, &matrix, false, &s->features), DGM_OK);
}

static void draw_shuffle(check_random *random, setting *s) {
    s->shuffle = malloc((size_t)s->nodes * sizeof *s->shuffle);
    s->inverse = malloc((size_t)s->nodes * sizeof *s->inverse);
    for (int64_t i = 0; i < s->nodes; i++)
        s->shuffle[i] = (uint32_t)i;
    for (int64_t i = s->nodes - 1; i > 0; i--) {
        int64_t k = check_random_below(random, (int)i + 1);
        uint32_t swap = s->shuffle[i];
        s->shuffle[i] = s->shuffle[k];
        s->shuffle[k] = swap;
    }
    for (int64_t i = 0; i < s->nodes; i++)
        s->inverse[s->shuffle[i]] = (uint32_t)i;
}

static setting make_setting(check_random random, int64_t nodes, int64_t features, int64_t width,
                            bool directed) {
    setting s = {.drawn = draw_sample(&random, nodes, 3 * nodes), .nodes = nodes, .width = width};
    s.drawn.options.directed = directed;
    s.graph = build_sample(&s.drawn);
    assert_int_equal(dgmi_nn_propagation_make(ctx, s.graph, &s.propagation), DGM_OK);
    draw_features(&random, &s, features);
    draw_shuffle(&random, &s);
    const int64_t rows[INPUTS] = {features, 1, 1, width, 1};
    const int64_t columns[INPUTS] = {width, width, 1, width, 1};
    for (int k = 0; k < INPUTS; k++) {
        s.rows[k] = rows[k];
        s.columns[k] = columns[k];
        s.weights[k] = any_floats(&random, rows[k] * columns[k], -0.5, 0.5);
        s.gradients[k] = malloc((size_t)(rows[k] * columns[k]) * sizeof(float));
    }
    s.targets = calloc(2 * (size_t)nodes, sizeof *s.targets);
    for (int64_t i = 0; i < nodes; i++)
        s.targets[i] = 1;
    return s;
}

static void free_setting(setting *s) {
    for (int k = 0; k < INPUTS; k++) {
        free(s->weights[k]);
        free(s->gradients[k]);
    }
    dgmi_nn_sparse_free(ctx, &s->features);
    dgmi_nn_propagation_free(ctx, &s->propagation);
    dgm_graph_free(s->graph);
    free_sample(&s->drawn);
    free(s->offsets);
    free(s->indices);
    free(s->shuffle);
    free(s->inverse);
    free(s->values);
    free(s->targets);
}

/* ---- the two ways ---- */

typedef dgmi_nn_node *(*loss_fn)(dgmi_nn_tape *tape, const setting *s,
                                 dgmi_nn_node *const *weights);

static dgmi_nn_node *fused(dgmi_nn_tape *tape, const setting *s, dgmi_nn_node *const *weights) {
    const dgmi_nn_infomax infomax = {
        &s->features,   &s->propagation,        s->shuffle,
        s->inverse,     weights[WEIGHT],        weights[BIAS],
        weights[SLOPE], weights[DISCRIMINATOR], weights[DISCRIMINATOR_BIAS]};
    return dgmi_nn_op_infomax(tape, &infomax);
}

static dgmi_nn_node *embed(dgmi_nn_tape *tape, const setting *s, dgmi_nn_node *const *weights,
                           dgmi_nn_node *product) {
    dgmi_nn_node *gathered = dgmi_nn_op_sparse_product(tape, &s->propagation, NULL, product);
    return dgmi_nn_op_prelu(tape, dgmi_nn_op_bias(tape, gathered, weights[BIAS]), weights[SLOPE]);
}

static dgmi_nn_node *composed(dgmi_nn_tape *tape, const setting *s, dgmi_nn_node *const *weights) {
    dgmi_nn_node *product = dgmi_nn_op_sparse_product(tape, &s->features, NULL, weights[WEIGHT]);
    dgmi_nn_node *moved = dgmi_nn_op_gather(tape, product, s->shuffle, s->nodes);
    dgmi_nn_node *real = embed(tape, s, weights, product), *other = embed(tape, s, weights, moved);
    dgmi_nn_node *summary = dgmi_nn_op_apply(
        tape, DGMI_KERNELS_SIGMOID, dgmi_nn_op_segments(tape, DGMI_NN_FOLD_MEAN, real, NULL, 1));
    dgmi_nn_node *direction =
        dgmi_nn_op_product(tape, weights[DISCRIMINATOR], false, summary, true);
    dgmi_nn_node *const scores[] = {dgmi_nn_op_product(tape, real, false, direction, false),
                                    dgmi_nn_op_product(tape, other, false, direction, false)};
    dgmi_nn_node *all =
        dgmi_nn_op_bias(tape, dgmi_nn_op_join_rows(tape, 2, scores), weights[DISCRIMINATOR_BIAS]);
    return dgmi_nn_op_binary_cross_entropy(tape, all, s->targets);
}

/* factor * loss; the gradients end in the setting. */
static float differentiate(dgmi_nn_tape *tape, const setting *s, loss_fn loss, float factor) {
    dgmi_nn_node *weights[INPUTS];
    dgmi_nn_tape_rewind(tape);
    for (int k = 0; k < INPUTS; k++)
        weights[k] =
            dgmi_nn_tape_weight(tape, s->rows[k], s->columns[k], s->weights[k], s->gradients[k]);
    dgmi_nn_node *found = loss(tape, s, weights);
    if (found && factor != 1)
        found = dgmi_nn_op_scale(tape, factor, found);
    if (dgmi_nn_tape_backward(tape, found) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return found->value.values[0];
}

/* ---- comparing ---- */

static void keep_gradients(const setting *s, float *kept[INPUTS]) {
    for (int k = 0; k < INPUTS; k++) {
        size_t size = (size_t)(s->rows[k] * s->columns[k]) * sizeof(float);
        kept[k] = malloc(size);
        memcpy(kept[k], s->gradients[k], size);
    }
}

static void compare_gradients(const setting *s, float *kept[INPUTS], const char *backend) {
    for (int k = 0; k < INPUTS; k++) {
        double scale = 1e-4;
        int64_t count = s->rows[k] * s->columns[k];
        for (int64_t i = 0; i < count; i++)
            scale = fmax(scale, fabs((double)kept[k][i]));
        for (int64_t i = 0; i < count; i++)
            if (!(fabs((double)s->gradients[k][i] - (double)kept[k][i]) <= 1e-5 * scale))
                fail_msg("%s, width %lld: gradient %d, cell %lld is %.9g, not %.9g", backend,
                         (long long)s->width, k, (long long)i, (double)s->gradients[k][i],
                         (double)kept[k][i]);
        free(kept[k]);
    }
}

static void compare(const setting *s) {
    static const char *const backends[] = {"plain", "avx2", "avx512"};
    for (int b = 0; b < COUNT(backends); b++) {
        const dgmi_kernels *kernels = dgmi_kernels_find(backends[b]);
        float *kept[INPUTS];
        dgmi_nn_tape *tape;
        if (!kernels)
            continue;
        assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
        dgmi_nn_tape_set_kernels(tape, kernels);
        double expected = (double)differentiate(tape, s, composed, 3);
        keep_gradients(s, kept);
        assert_near((double)differentiate(tape, s, fused, 3), expected, 1e-5 * expected);
        compare_gradients(s, kept, backends[b]);
        dgmi_nn_tape_free(tape);
    }
}

static const int64_t widths[] = {1, 5, 64, 65, 130};

static void the_op_is_what_it_is_composed_of(void **state) {
    (void)state;
    for (int w = 0; w < COUNT(widths); w++)
        for (int directed = 0; directed < 2; directed++) {
            setting s =
                make_setting(check_random_case(1, directed, w), 60, 33, widths[w], directed == 1);
            compare(&s);
            free_setting(&s);
        }
}

/* Nothing to learn from is still a loss. */
static void a_node_alone_and_features_without_entries_have_a_loss(void **state) {
    (void)state;
    setting s = make_setting(check_random_case(2, 0, 0), 1, 3, 5, false);
    compare(&s);
    free_setting(&s);
    s = make_setting(check_random_case(2, 0, 1), 20, 4, 7, true);
    memset(s.values, 0, (size_t)s.offsets[20] * sizeof *s.values);
    compare(&s);
    free_setting(&s);
}

static dgmi_nn_node *fused_twice(dgmi_nn_tape *tape, const setting *s,
                                 dgmi_nn_node *const *weights) {
    dgmi_nn_node *first = fused(tape, s, weights);
    return dgmi_nn_op_algebra(tape, DGMI_NN_ADD, first, fused(tape, s, weights));
}

static void used_twice_its_gradients_add_up(void **state) {
    (void)state;
    setting s = make_setting(check_random_case(3, 0, 0), 40, 12, 70, true);
    float *kept[INPUTS];
    dgmi_nn_tape *tape;
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    differentiate(tape, &s, composed, 2);
    keep_gradients(&s, kept);
    differentiate(tape, &s, fused_twice, 1);
    compare_gradients(&s, kept, "twice");
    dgmi_nn_tape_free(tape);
    free_setting(&s);
}

static void any_number_of_threads_gives_the_same_bytes(void **state) {
    (void)state;
    setting s = make_setting(check_random_case(4, 0, 0), 400, 50, 200, true);
    float *kept[INPUTS], loss = 0;
    for (int threads = 1; threads <= 5; threads++) {
        dgmi_nn_tape *tape;
        dgm_context_set_threads(ctx, threads);
        assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
        float found = differentiate(tape, &s, fused, 1);
        if (threads == 1) {
            loss = found;
            keep_gradients(&s, kept);
        }
        assert_memory_equal(&found, &loss, sizeof loss);
        for (int k = 0; k < INPUTS; k++)
            assert_memory_equal(s.gradients[k], kept[k],
                                (size_t)(s.rows[k] * s.columns[k]) * sizeof(float));
        dgmi_nn_tape_free(tape);
    }
    for (int k = 0; k < INPUTS; k++)
        free(kept[k]);
    dgm_context_set_threads(ctx, 1);
    free_setting(&s);
}

static void only_what_wants_a_gradient_gets_one(void **state) {
    (void)state;
    setting s = make_setting(check_random_case(5, 0, 0), 30, 9, 66, false);
    dgmi_nn_tape *tape;
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    float *kept[INPUTS];
    differentiate(tape, &s, fused, 1);
    keep_gradients(&s, kept);
    for (int wanted = 0; wanted < INPUTS; wanted++) {
        dgmi_nn_node *weights[INPUTS];
        dgmi_nn_tape_rewind(tape);
        for (int k = 0; k < INPUTS; k++)
            weights[k] = k == wanted
                             ? dgmi_nn_tape_weight(tape, s.rows[k], s.columns[k], s.weights[k],
                                                   s.gradients[k])
                             : dgmi_nn_tape_constant(tape, s.rows[k], s.columns[k], s.weights[k]);
        memset(s.gradients[wanted], 0x55, (size_t)(s.rows[wanted] * s.columns[wanted]) * 4);
        assert_int_equal(dgmi_nn_tape_backward(tape, fused(tape, &s, weights)), DGM_OK);
        assert_memory_equal(s.gradients[wanted], kept[wanted],
                            (size_t)(s.rows[wanted] * s.columns[wanted]) * sizeof(float));
    }
    for (int k = 0; k < INPUTS; k++)
        free(kept[k]);
    dgmi_nn_tape_free(tape);
    free_setting(&s);
}

/* ---- faults ---- */

static const setting *shared;

static dgm_status differentiate_in(dgm_context *context, const dgm_graph *graph) {
    dgmi_nn_node *weights[INPUTS];
    dgmi_nn_tape *tape;
    (void)graph;
    dgm_status status = dgmi_nn_tape_create(context, &tape);
    if (status != DGM_OK)
        return status;
    for (int k = 0; k < INPUTS; k++)
        weights[k] = dgmi_nn_tape_weight(tape, shared->rows[k], shared->columns[k],
                                         shared->weights[k], shared->gradients[k]);
    dgmi_nn_node *loss = fused(tape, shared, weights);
    status = dgmi_nn_tape_status(tape);
    assert_int_equal(loss == NULL, status != DGM_OK);
    if (status == DGM_OK)
        status = dgmi_nn_tape_backward(tape, loss);
    dgmi_nn_tape_free(tape);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    setting s = make_setting(check_random_case(6, 0, 0), 300, 20, 130, true);
    shared = &s;
    assert_true(fail_every_allocation(differentiate_in, s.graph) > 1);
    free_setting(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_op_is_what_it_is_composed_of),
        cmocka_unit_test(a_node_alone_and_features_without_entries_have_a_loss),
        cmocka_unit_test(used_twice_its_gradients_add_up),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bytes),
        cmocka_unit_test(only_what_wants_a_gradient_gets_one),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_WITH_CONTEXT(tests);
}
