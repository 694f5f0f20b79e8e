/* SPDX-License-Identifier: Apache-2.0 */
/* Gradients of what stands on a tape against finite differences, on every backend that runs here.
 *
 * An op's output y is weighed by random numbers to L = sum w y. Forward passes are in single
 * precision, but w y is summed in double, so that only the rounding of y itself is left:
 *
 *   dL/dx ~ (8 (L(x + h) - L(x - h)) - (L(x + 2h) - L(x - 2h))) / 12h,   h = 1/64
 *
 * has an error of about 1e-5 from rounding and 1e-7 from curvature. Numbers must be 2h away from
 * kinks (`keep_away`, `make_distinct`).
 */
#ifndef NN_GRADIENT_H
#define NN_GRADIENT_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_random.h"
#include "nn_ops.h"
#include "unit_fixture.h"

enum { GRADIENT_LEAVES = DGMI_NN_MOST_INPUTS, GRADIENT_POOL = 1 << 22, GRADIENT_SEEDS = 4 };

typedef struct gradient_case {
    const char *name;
    int leaves;
    dgmi_table_tensor leaf[GRADIENT_LEAVES];
    dgmi_nn_node *(*build)(dgmi_nn_tape *tape, dgmi_nn_node *const *leaves, const void *argument);
    const void *argument;
} gradient_case;

/* ---- random numbers, new for every seed ---- */

static float gradient_pool[GRADIENT_POOL];
static int64_t gradient_used;
static dgmi_random gradient_random;

/* Seeds 1 .. GRADIENT_SEEDS, or the one that DGM_TEST_SEED names. */
static inline uint64_t gradient_seed(int round) {
    const char *wanted = getenv("DGM_TEST_SEED");
    uint64_t seed = wanted ? strtoull(wanted, NULL, 10) : (uint64_t)round + 1;
    gradient_random = (dgmi_random){.seed = seed};
    gradient_used = 0;
    return seed;
}

#define FOR_EACH_SEED                                                                              \
    for (int round_ = 0; round_ < GRADIENT_SEEDS && gradient_seed(round_); round_++)

static inline int64_t any_size(int64_t least, int64_t most) {
    return least + (int64_t)dgmi_random_next_below(&gradient_random, (uint64_t)(most - least + 1));
}

static inline float *take_numbers(int64_t count) {
    float *numbers = gradient_pool + gradient_used;
    gradient_used += count;
    assert_true(gradient_used <= GRADIENT_POOL);
    return numbers;
}

static inline dgmi_table_tensor any_numbers(int64_t rows, int64_t columns, double low,
                                            double high) {
    dgmi_table_tensor made = {rows, columns, take_numbers(rows * columns)};
    for (int64_t i = 0; i < rows * columns; i++)
        made.values[i] = (float)(low + (high - low) * dgmi_random_next(&gradient_random));
    return made;
}

/* No number nearer to 0 than a kink allows. */
static inline dgmi_table_tensor keep_away(dgmi_table_tensor x) {
    for (int64_t i = 0; i < dgmi_table_tensor_count(&x); i++)
        if (fabsf(x.values[i]) < 0.1F)
            x.values[i] = x.values[i] < 0 ? -0.1F : 0.1F;
    return x;
}

/* Numbers in random order, no two nearer than 0.1. */
static inline dgmi_table_tensor make_distinct(int64_t rows, int64_t columns) {
    dgmi_table_tensor made = {rows, columns, take_numbers(rows * columns)};
    for (int64_t i = 0; i < rows * columns; i++) {
        int64_t other = any_size(0, i);
        made.values[i] = made.values[other];
        made.values[other] = (float)(i - rows * columns / 2) * 0.1F;
    }
    return made;
}

/* ---- one pass ---- */

/* w . y of a forward pass, in double. */
static inline double weigh(const dgmi_table_tensor *y, const dgmi_table_tensor *w) {
    double sum = 0;
    for (int64_t i = 0; i < dgmi_table_tensor_count(y); i++)
        sum += (double)y->values[i] * (double)w->values[i];
    return sum;
}

static inline dgmi_nn_node *forward_constant(dgmi_nn_tape *tape, const gradient_case *check) {
    dgmi_nn_node *leaves[GRADIENT_LEAVES] = {NULL};
    dgmi_nn_tape_rewind(tape);
    for (int k = 0; k < check->leaves; k++)
        leaves[k] = dgmi_nn_tape_constant(tape, check->leaf[k].rows, check->leaf[k].columns,
                                          check->leaf[k].values);
    dgmi_nn_node *y = check->build(tape, leaves, check->argument);
    if (!y)
        fail_msg("%s: %s", check->name, dgm_context_error(ctx));
    return y;
}

/* The gradients by the leaves in `wanted` (bits) of the sum of `uses` weighted copies of y. */
static inline void backward_into(dgmi_nn_tape *tape, const gradient_case *check, unsigned wanted,
                                 int uses, const dgmi_table_tensor *w, float *const *gradients) {
    dgmi_nn_node *leaves[GRADIENT_LEAVES] = {NULL}, *loss = NULL;
    dgmi_nn_tape_rewind(tape);
    for (int k = 0; k < check->leaves; k++) {
        const dgmi_table_tensor *x = &check->leaf[k];
        for (int64_t i = 0; i < dgmi_table_tensor_count(x); i++)
            gradients[k][i] = NAN; /* to be written over, not added to */
        leaves[k] = wanted >> k & 1
                        ? dgmi_nn_tape_weight(tape, x->rows, x->columns, x->values, gradients[k])
                        : dgmi_nn_tape_constant(tape, x->rows, x->columns, x->values);
    }
    for (int use = 0; use < uses; use++) {
        dgmi_nn_node *y = check->build(tape, leaves, check->argument);
        dgmi_nn_node *weights =
            dgmi_nn_tape_constant(tape, w[use].rows, w[use].columns, w[use].values);
        dgmi_nn_node *part =
            dgmi_nn_op_sum(tape, dgmi_nn_op_algebra(tape, DGMI_NN_MULTIPLY, y, weights));
        loss = loss ? dgmi_nn_op_algebra(tape, DGMI_NN_ADD, loss, part) : part;
    }
    if (dgmi_nn_tape_backward(tape, loss) != DGM_OK)
        fail_msg("%s: %s", check->name, dgm_context_error(ctx));
    for (int k = 0; k < check->leaves; k++)
        if (!(wanted >> k & 1))
            assert_null(leaves[k]->gradient.values);
}

/* ---- every cell of small tensors ---- */

/* slopes[u][i] = d (w[u] . y) / d cell i of leaf k */
static inline void measure_leaf(dgmi_nn_tape *tape, const gradient_case *check, int k,
                                const dgmi_table_tensor w[2], double *const slopes[2]) {
    const dgmi_table_tensor *x = &check->leaf[k];
    for (int64_t i = 0; i < dgmi_table_tensor_count(x); i++) {
        static const int steps[4] = {-2, -1, 1, 2};
        static const double factors[4] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0};
        float kept = x->values[i];
        slopes[0][i] = slopes[1][i] = 0;
        for (int s = 0; s < 4; s++) {
            x->values[i] = kept + (float)steps[s] * 0x1p-6F;
            const dgmi_table_tensor *y = &forward_constant(tape, check)->value;
            for (int use = 0; use < 2; use++)
                slopes[use][i] += weigh(y, &w[use]) * factors[s] * 64;
        }
        x->values[i] = kept;
    }
}

static inline void compare_leaf(const gradient_case *check, int k, int uses, const float *found,
                                double *const slopes[2]) {
    int64_t count = dgmi_table_tensor_count(&check->leaf[k]);
    double scale = 0.1;
    for (int64_t i = 0; i < count; i++)
        scale = fmax(scale, fabs(slopes[0][i]) + fabs(slopes[1][i]));
    for (int64_t i = 0; i < count; i++) {
        double expected = slopes[0][i] + (uses == 2 ? slopes[1][i] : 0);
        if (!(fabs((double)found[i] - expected) <= 1e-3 * scale))
            fail_msg("%s, seed %llu, used %d times: input %d (%lld x %lld), cell %lld: gradient "
                     "%g, difference quotient %g",
                     check->name, (unsigned long long)gradient_random.seed, uses, k,
                     (long long)check->leaf[k].rows, (long long)check->leaf[k].columns,
                     (long long)i, (double)found[i], expected);
    }
}

static inline void check_gradient_on(dgmi_nn_tape *tape, const gradient_case *check) {
    float *gradients[GRADIENT_LEAVES];
    double *slopes[GRADIENT_LEAVES][2];
    const dgmi_table_tensor y = forward_constant(tape, check)->value;
    const dgmi_table_tensor w[2] = {any_numbers(y.rows, y.columns, -1, 1),
                                    any_numbers(y.rows, y.columns, -1, 1)};
    for (int k = 0; k < check->leaves; k++) {
        size_t count = (size_t)dgmi_table_tensor_count(&check->leaf[k]);
        gradients[k] = calloc(count + 1, sizeof(float));
        slopes[k][0] = calloc(count + 1, sizeof(double));
        slopes[k][1] = calloc(count + 1, sizeof(double));
        measure_leaf(tape, check, k, w, slopes[k]);
    }
    unsigned all = (1U << check->leaves) - 1;
    for (int uses = 1; uses <= 2; uses++)
        for (unsigned wanted = 1; wanted <= all; wanted++) {
            backward_into(tape, check, wanted, uses, w, gradients);
            for (int k = 0; k < check->leaves; k++)
                if (wanted >> k & 1)
                    compare_leaf(check, k, uses, gradients[k], slopes[k]);
        }
    for (int k = 0; k < check->leaves; k++) {
        free(gradients[k]);
        free(slopes[k][0]);
        free(slopes[k][1]);
    }
}

/* Every cell of every leaf; the op used once and twice; every choice of leaves that want one. */
static inline void check_gradient(const gradient_case *check) {
    static const char *const backends[] = {"plain", "avx2", "avx512"};
    for (int b = 0; b < 3; b++) {
        const dgmi_kernels *kernels = dgmi_kernels_find(backends[b]);
        dgmi_nn_tape *tape;
        if (!kernels)
            continue;
        assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
        dgmi_nn_tape_set_kernels(tape, kernels);
        check_gradient_on(tape, check);
        dgmi_nn_tape_free(tape);
    }
}

/* ---- one direction of large tensors, and any number of threads ---- */

static inline void step_along(const gradient_case *check, float *const *origin,
                              const dgmi_table_tensor *direction, double step) {
    for (int k = 0; k < check->leaves; k++)
        for (int64_t i = 0; i < dgmi_table_tensor_count(&check->leaf[k]); i++)
            check->leaf[k].values[i] =
                origin[k][i] + (float)(step * (double)direction[k].values[i]);
}

static inline double slope_along(dgmi_nn_tape *tape, const gradient_case *check,
                                 const dgmi_table_tensor *w, float *const *origin,
                                 const dgmi_table_tensor *direction) {
    double slope = 0;
    for (int side = -1; side <= 1; side += 2) {
        step_along(check, origin, direction, side * 0x1p-7);
        slope += side * weigh(&forward_constant(tape, check)->value, w) * 64;
    }
    step_along(check, origin, direction, 0);
    return slope;
}

/* One random direction of all leaves; the same bytes on 1 and 4 threads. */
static inline void check_large_gradient(const gradient_case *check) {
    float *gradients[GRADIENT_LEAVES], *again[GRADIENT_LEAVES], *origin[GRADIENT_LEAVES];
    dgmi_table_tensor direction[GRADIENT_LEAVES];
    dgmi_nn_tape *tape;
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    dgm_context_set_threads(ctx, 4);
    const dgmi_table_tensor y = forward_constant(tape, check)->value;
    const dgmi_table_tensor w = any_numbers(y.rows, y.columns, -1, 1);
    double expected = 0, square = 0;
    for (int k = 0; k < check->leaves; k++) {
        int64_t count = dgmi_table_tensor_count(&check->leaf[k]);
        gradients[k] = take_numbers(count);
        again[k] = take_numbers(count);
        origin[k] = take_numbers(count);
        memcpy(origin[k], check->leaf[k].values, (size_t)count * sizeof(float));
        direction[k] = any_numbers(1, count, -1, 1);
    }
    backward_into(tape, check, (1U << check->leaves) - 1, 1, &w, gradients);
    for (int k = 0; k < check->leaves; k++)
        for (int64_t i = 0; i < dgmi_table_tensor_count(&check->leaf[k]); i++) {
            expected += (double)gradients[k][i] * (double)direction[k].values[i];
            square += (double)gradients[k][i] * (double)gradients[k][i];
        }
    double found = slope_along(tape, check, &w, origin, direction);
    if (!(fabs(found - expected) <= 2e-3 * sqrt(square)))
        fail_msg("%s, seed %llu: slope %g, difference quotient %g", check->name,
                 (unsigned long long)gradient_random.seed, expected, found);
    dgm_context_set_threads(ctx, 1);
    backward_into(tape, check, (1U << check->leaves) - 1, 1, &w, again);
    for (int k = 0; k < check->leaves; k++)
        assert_memory_equal(gradients[k], again[k],
                            (size_t)dgmi_table_tensor_count(&check->leaf[k]) * sizeof(float));
    dgmi_nn_tape_free(tape);
}

/* ---- values and errors ---- */

/* y = build(leaves) is these numbers. */
static inline void check_values(const gradient_case *check, int64_t rows, int64_t columns,
                                const double *expected) {
    dgmi_nn_tape *tape;
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    const dgmi_table_tensor *y = &forward_constant(tape, check)->value;
    assert_int_equal(y->rows, rows);
    assert_int_equal(y->columns, columns);
    for (int64_t i = 0; i < rows * columns; i++)
        if (!((double)y->values[i] == expected[i] ||
              fabs((double)y->values[i] - expected[i]) <= 1e-6 * (1 + fabs(expected[i]))))
            fail_msg("%s: cell %lld is %.9g, not %.9g", check->name, (long long)i,
                     (double)y->values[i], expected[i]);
    dgmi_nn_tape_free(tape);
}

/* build(leaves) is NULL and the error is these words; NULL leaves give NULL without one. */
static inline void check_refused(const gradient_case *check, const char *words) {
    dgmi_nn_node *leaves[GRADIENT_LEAVES] = {NULL};
    dgmi_nn_tape *tape;
    assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
    for (int k = 0; k < check->leaves; k++)
        leaves[k] = dgmi_nn_tape_constant(tape, check->leaf[k].rows, check->leaf[k].columns,
                                          check->leaf[k].values);
    assert_null(check->build(tape, leaves, check->argument));
    assert_int_equal(dgmi_nn_tape_status(tape), DGM_ERROR_DATA);
    assert_string_equal(dgm_context_error(ctx), words);
    dgmi_nn_tape_free(tape);
}

static inline void check_nothing_from_nothing(const gradient_case *check) {
    for (int missing = 0; missing < check->leaves; missing++) {
        dgmi_nn_node *leaves[GRADIENT_LEAVES] = {NULL};
        dgmi_nn_tape *tape;
        assert_int_equal(dgmi_nn_tape_create(ctx, &tape), DGM_OK);
        for (int k = 0; k < check->leaves; k++)
            if (k != missing)
                leaves[k] = dgmi_nn_tape_constant(tape, check->leaf[k].rows, check->leaf[k].columns,
                                                  check->leaf[k].values);
        assert_null(check->build(tape, leaves, check->argument));
        assert_int_equal(dgmi_nn_tape_status(tape), DGM_OK);
        dgmi_nn_tape_free(tape);
    }
}

#endif
