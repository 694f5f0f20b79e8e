/* SPDX-License-Identifier: Apache-2.0 */
/* What every unit test starts from: cmocka, one context a program, and small graphs and matrices
 * from arrays. */
#ifndef UNIT_FIXTURE_H
#define UNIT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dgm/dgm.h"

static dgm_context *ctx;

#include "unit_balance.h"

static inline int make_context(void **state) {
    (void)state;
    return dgm_context_create(NULL, &ctx);
}

static inline int free_context(void **state) {
    (void)state;
    dgm_context_free(ctx);
    return 0;
}

/* Runs the group with a context that it shares. */
#define RUN_WITH_CONTEXT(tests) RUN_GROUP(tests, make_context, free_context)

#define COUNT(array) ((int64_t)(sizeof(array) / sizeof *(array)))

/* The call failed with that status and these exact words. */
#define ASSERT_FAILS(call, expected_status, expected_words)                                        \
    do {                                                                                           \
        assert_int_equal(call, expected_status);                                                   \
        assert_string_equal(dgm_context_error(ctx), expected_words);                               \
    } while (0)

/* The words hold this part. */
#define ASSERT_HAS(text, part) assert_non_null(strstr(text, part))

static inline void assert_near(double actual, double expected, double tolerance) {
    if (!(actual >= expected - tolerance && actual <= expected + tolerance))
        fail_msg("%.17g is not within %g of %.17g", actual, tolerance, expected);
}

/* `edges` pairs of ends on at least `nodes` nodes. */
static inline dgm_graph *build_graph(const dgm_graph_options *options, int64_t nodes, int64_t edges,
                                     const uint32_t *ends, const double *weights) {
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, nodes), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, edges, ends, weights), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static inline dgm_matrix *build_matrix(int64_t rows, int64_t columns, const double *values) {
    dgm_matrix *matrix;
    assert_int_equal(dgm_matrix_create(ctx, rows, columns, &matrix), DGM_OK);
    if (values && rows > 0 && columns > 0)
        memcpy(dgm_matrix_values_mutable(matrix), values,
               (size_t)(rows * columns) * sizeof *values);
    return matrix;
}

#endif
