/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of hubs, long enough for every pass of the merge sort. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "base_random.h"

enum { LEAVES = 12000, RECORDS = 40000 };

/* Node 0 meets random leaves, many of them again, from either end; the order is random. */
static dgm_graph *build_hub(bool directed, bool weighted, uint32_t *ends, double *weights) {
    for (uint64_t i = 0; i < RECORDS; i++) {
        uint32_t leaf = 1 + (uint32_t)dgmi_random_below(6, 1, i, LEAVES);
        bool turned = dgmi_random_bits(6, 2, i) & 1;
        ends[2 * i] = turned ? leaf : 0;
        ends[2 * i + 1] = turned ? 0 : leaf;
        weights[i] = (double)(1 + dgmi_random_below(6, 3, i, 8)) / 8; /* sums are exact */
    }
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = directed};
    return build_graph(&options, LEAVES + 1, RECORDS, ends, weighted ? weights : NULL);
}

static uint32_t ends[2 * RECORDS];
static double weights[RECORDS], out[LEAVES + 1], back[LEAVES + 1];
static bool has_out[LEAVES + 1], has_back[LEAVES + 1];

/* What the records say of each leaf, by direction. */
static void add_up(void) {
    memset(out, 0, sizeof out);
    memset(back, 0, sizeof back);
    memset(has_out, 0, sizeof has_out);
    memset(has_back, 0, sizeof has_back);
    for (int64_t i = 0; i < RECORDS; i++) {
        bool turned = ends[2 * i] != 0;
        uint32_t leaf = turned ? ends[2 * i] : ends[2 * i + 1];
        (turned ? back : out)[leaf] += weights[i];
        (turned ? has_back : has_out)[leaf] = true;
    }
}

static void a_hub_lists_every_leaf_once_and_in_order(void **state) {
    (void)state;
    dgm_graph *graph = build_hub(false, false, ends, weights);
    add_up();
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    int64_t e = 0;
    for (uint32_t leaf = 1; leaf <= LEAVES; leaf++)
        if (has_out[leaf] || has_back[leaf])
            assert_int_equal(rows.targets[e++], leaf);
    assert_true(e > 10000);
    assert_int_equal(rows.offsets[1], e);
    assert_int_equal(dgm_graph_edges(graph), e);
    assert_int_equal(dgm_graph_get_counts(graph).repeats_merged, RECORDS - e);
    dgm_graph_free(graph);
}

static void a_weighted_hub_adds_by_direction_and_takes_the_larger(void **state) {
    (void)state;
    dgm_graph *graph = build_hub(false, true, ends, weights);
    add_up();
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    int64_t e = 0, uneven = 0;
    for (uint32_t leaf = 1; leaf <= LEAVES; leaf++) {
        if (!has_out[leaf] && !has_back[leaf])
            continue;
        double expected = out[leaf] > back[leaf] ? out[leaf] : back[leaf];
        uneven += has_out[leaf] && has_back[leaf] && out[leaf] != back[leaf];
        assert_int_equal(rows.targets[e], leaf);
        assert_true(rows.weights[e++] == expected);
        assert_int_equal(rows.offsets[leaf + 1] - rows.offsets[leaf], 1);
        assert_int_equal(rows.targets[rows.offsets[leaf]], 0);
        assert_true(rows.weights[rows.offsets[leaf]] == expected);
    }
    assert_int_equal(rows.offsets[1], e);
    assert_true(uneven > 0);
    assert_int_equal(dgm_graph_get_counts(graph).uneven_weights, uneven);
    dgm_graph_free(graph);
}

static void a_directed_hub_lists_its_own_arcs(void **state) {
    (void)state;
    dgm_graph *graph = build_hub(true, true, ends, weights);
    add_up();
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    int64_t e = 0, arcs = 0;
    for (uint32_t leaf = 1; leaf <= LEAVES; leaf++) {
        if (has_out[leaf]) {
            assert_int_equal(rows.targets[e], leaf);
            assert_true(rows.weights[e++] == out[leaf]);
        }
        assert_int_equal(rows.offsets[leaf + 1] - rows.offsets[leaf], has_back[leaf]);
        if (has_back[leaf])
            assert_true(rows.weights[rows.offsets[leaf]] == back[leaf]);
        arcs += has_out[leaf] + has_back[leaf];
    }
    assert_int_equal(rows.offsets[1], e);
    assert_int_equal(dgm_graph_edges(graph), arcs);
    assert_int_equal(dgm_graph_get_counts(graph).uneven_weights, 0);
    dgm_graph_free(graph);
}

/* Lengths around the runs of 16 that insertion sorts and their doublings. */
static void rows_of_every_length_around_a_run_are_sorted(void **state) {
    (void)state;
    static const int64_t lengths[] = {1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 129, 1000};
    for (int64_t k = 0; k < COUNT(lengths); k++) {
        int64_t n = lengths[k];
        for (int64_t i = 0; i < n; i++) { /* descending, the worst order */
            ends[2 * i] = 0;
            ends[2 * i + 1] = (uint32_t)(n - i);
            weights[i] = (double)(n - i);
        }
        dgm_graph *graph = build_graph(NULL, 0, n, ends, weights);
        dgm_graph_rows rows = dgm_graph_get_rows(graph);
        assert_int_equal(rows.offsets[1], n);
        for (int64_t i = 0; i < n; i++) {
            assert_int_equal(rows.targets[i], i + 1);
            assert_true(rows.weights[i] == (double)(i + 1));
        }
        dgm_graph_free(graph);
    }
}

/* Sums of weights depend on their order; it is that of the records, through every pass. */
static void repeats_add_up_in_the_order_of_the_records(void **state) {
    (void)state;
    double sums[8] = {0};
    for (int64_t i = 0; i < 1000; i++) {
        uint32_t leaf = 1 + (uint32_t)dgmi_random_below(7, 1, (uint64_t)i, 7);
        ends[2 * i] = 0;
        ends[2 * i + 1] = leaf;
        weights[i] = dgmi_random_unit(7, 2, (uint64_t)i) * (i % 3 ? 1 : 1e15);
        sums[leaf] += weights[i];
    }
    dgm_graph *graph = build_graph(NULL, 0, 1000, ends, weights);
    for (int64_t leaf = 1; leaf < 8; leaf++)
        assert_true(dgm_graph_get_rows(graph).weights[leaf - 1] == sums[leaf]);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hub_lists_every_leaf_once_and_in_order),
        cmocka_unit_test(a_weighted_hub_adds_by_direction_and_takes_the_larger),
        cmocka_unit_test(a_directed_hub_lists_its_own_arcs),
        cmocka_unit_test(rows_of_every_length_around_a_run_are_sorted),
        cmocka_unit_test(repeats_add_up_in_the_order_of_the_records),
    };
    return RUN_WITH_CONTEXT(tests);
}
