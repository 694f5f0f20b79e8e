/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of features dealt out to other nodes. */
#include "unit_fixture.h"

#include "../check_graph.h"
#include "generated_graph.h"
#include "unit_faults.h"

enum { NODES = 40 };

/* Row u begins with u + 1 in column u % 3; sparse rows are of different lengths, some empty. */
static dgm_graph *make_featured(bool sparse, bool valued) {
    static float dense[3 * NODES], values[3 * NODES];
    static int64_t offsets[NODES + 1];
    static uint32_t columns[3 * NODES];
    const dgm_graph_features features = {3, sparse ? offsets : NULL, sparse ? columns : NULL,
                                         sparse ? (valued ? values : NULL) : dense};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    for (uint32_t u = 0, at = 0; u < NODES; u++) {
        for (uint32_t c = 0; c < 3; c++) {
            dense[3 * u + c] = (float)(3 * u + c);
            if (c < u % 4) {
                columns[at] = c;
                values[at++] = (float)(3 * u + c);
            }
        }
        offsets[u + 1] = at;
    }
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 2, (const uint32_t[]){0, 1, 1, 2}, NULL),
                     DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, NODES), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(builder, NODES, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static float feature_at(const dgm_graph *graph, int64_t node, uint32_t column) {
    const dgm_graph_features is = dgm_graph_get_features(graph);
    if (!is.offsets)
        return is.values[node * is.width + column];
    for (int64_t e = is.offsets[node]; e < is.offsets[node + 1]; e++)
        if (is.columns[e] == column)
            return is.values ? is.values[e] : 1;
    return 0;
}

static bool same_row(const dgm_graph *a, int64_t u, const dgm_graph *b, int64_t v) {
    for (uint32_t c = 0; c < 3; c++)
        if (feature_at(a, u, c) != feature_at(b, v, c))
            return false;
    return true;
}

static int64_t count_row(const dgm_graph *graph, const dgm_graph *like, int64_t u) {
    int64_t count = 0;
    for (int64_t v = 0; v < NODES; v++)
        count += same_row(graph, v, like, u);
    return count;
}

static void rows_go_to_other_nodes(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        dgm_graph *graph = make_featured(kind > 0, kind > 1), *made, *again;
        assert_int_equal(dgm_graph_shuffle_features(ctx, graph, 1, &made), DGM_OK);
        assert_int_equal(dgm_graph_shuffle_features(ctx, graph, 1, &again), DGM_OK);
        assert_null(check_same_graph(made, again, CHECK_TABLES));
        assert_null(check_same_graph(made, graph, 0));
        int64_t moved = 0;
        for (int64_t u = 0; u < NODES; u++) {
            assert_int_equal(count_row(made, graph, u), count_row(graph, graph, u));
            moved += !same_row(graph, u, made, u);
        }
        assert_true(moved > NODES / 2);
        dgm_graph_free(again);
        dgm_graph_free(made);
        dgm_graph_free(graph);
    }
}

static void a_graph_without_features_is_copied(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_KARATE, 0, 0), *made;
    assert_int_equal(dgm_graph_shuffle_features(ctx, graph, 1, &made), DGM_OK);
    assert_null(check_same_graph(made, graph, CHECK_NAMES | CHECK_TABLES));
    dgm_graph_free(made);
    dgm_graph_free(graph);
}

static dgm_status shuffle_again(dgm_context *own, void *argument) {
    dgm_graph *made;
    dgm_status status = dgm_graph_shuffle_features(own, argument, 1, &made);
    assert_true((made != NULL) == (status == DGM_OK));
    dgm_graph_free(made);
    return status;
}

static void every_failure_is_told(void **state) {
    (void)state;
    dgm_graph *graph = make_featured(true, true);
    fail_each_allocation(shuffle_again, graph);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_go_to_other_nodes),
        cmocka_unit_test(a_graph_without_features_is_copied),
        cmocka_unit_test(every_failure_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
