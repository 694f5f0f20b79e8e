/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base_random.h"
#include "graph_builder.h"

enum { NODES = 9, MOST = 400 };

typedef struct {
    uint32_t sources[MOST], targets[MOST], ends[2 * MOST];
    double weights[MOST];
    int64_t count;
} edges;

/* Every cell of a matrix is an edge with some chance; `mirror` makes it symmetric. */
static void fill_matrix(edges *list, dgmi_random *random, bool mirror) {
    double cells[NODES][NODES] = {{0}};
    for (int u = 0; u < NODES; u++)
        for (int v = 0; v < NODES; v++)
            if (mirror && v < u)
                cells[u][v] = cells[v][u];
            else if (dgmi_random_next_below(random, 3) == 0)
                cells[u][v] = 1 + (double)dgmi_random_next_below(random, 4);
    list->count = 0;
    for (uint32_t u = 0; u < NODES; u++)
        for (uint32_t v = 0; v < NODES; v++)
            if (cells[u][v] != 0) {
                list->sources[list->count] = u;
                list->targets[list->count] = v;
                list->weights[list->count++] = cells[u][v];
            }
}

/* One thing that makes rows unsorted, uneven, repeated or incomplete. */
static void damage(edges *list, dgmi_random *random) {
    int64_t i = (int64_t)dgmi_random_next_below(random, (uint64_t)list->count);
    switch (dgmi_random_next_below(random, 6)) {
    case 0:
        list->targets[i] = (uint32_t)dgmi_random_next_below(random, NODES);
        break;
    case 1:
        list->sources[i] = (uint32_t)dgmi_random_next_below(random, NODES);
        break;
    case 2:
        list->weights[i] += 1;
        break;
    case 3:
        list->count--;
        break;
    case 4:
        list->sources[list->count] = list->sources[list->count - 1];
        list->targets[list->count] = list->targets[list->count - 1];
        list->weights[list->count] = list->weights[list->count - 1];
        list->count++;
        break;
    default:
        break;
    }
}

static dgm_graph *build_apart(const edges *list, const dgm_graph_options *options, bool weighted,
                              int64_t step) {
    dgm_graph_builder *builder;
    dgm_graph *graph;
    dgmi_graph_record_cursor targets = {0}, weights = {0};
    assert_int_equal(dgm_graph_builder_create(ctx, options, &builder), DGM_OK);
    for (int64_t i = 0; i < list->count; i += step)
        assert_int_equal(
            dgmi_graph_builder_add_sources(builder, list->count - i < step ? list->count - i : step,
                                           list->sources + i),
            DGM_OK);
    for (int64_t i = 0; i < list->count; i += step)
        assert_int_equal(dgmi_graph_builder_fill_targets(
                             builder, &targets, list->count - i < step ? list->count - i : step,
                             list->targets + i),
                         DGM_OK);
    for (int64_t i = 0; weighted && i < list->count; i += step)
        assert_int_equal(dgmi_graph_builder_fill_weights(
                             builder, &weights, list->count - i < step ? list->count - i : step,
                             list->weights + i),
                         DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static dgm_graph *build_pairs(edges *list, const dgm_graph_options *options, bool weighted) {
    dgm_graph_builder *builder;
    dgm_graph *graph;
    for (int64_t i = 0; i < list->count; i++) {
        list->ends[2 * i] = list->sources[i];
        list->ends[2 * i + 1] = list->targets[i];
    }
    assert_int_equal(dgm_graph_builder_create(ctx, options, &builder), DGM_OK);
    assert_int_equal(
        dgm_graph_builder_add(builder, list->count, list->ends, weighted ? list->weights : NULL),
        DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void expect_same(const dgm_graph *a, const dgm_graph *b) {
    dgm_graph_rows x = dgm_graph_get_rows(a), y = dgm_graph_get_rows(b);
    dgm_graph_counts p = dgm_graph_get_counts(a), q = dgm_graph_get_counts(b);
    assert_int_equal(x.nodes, y.nodes);
    assert_int_equal(x.entries, y.entries);
    assert_memory_equal(x.offsets, y.offsets, (size_t)(x.nodes + 1) * sizeof *x.offsets);
    if (x.entries)
        assert_memory_equal(x.targets, y.targets, (size_t)x.entries * sizeof *x.targets);
    assert_int_equal(x.weights != NULL, y.weights != NULL);
    if (x.weights && x.entries)
        assert_memory_equal(x.weights, y.weights, (size_t)x.entries * sizeof *x.weights);
    assert_memory_equal(&p, &q, sizeof p);
}

static void ends_that_come_apart_make_the_graph_that_pairs_make(void **state) {
    (void)state;
    dgmi_random random = {7, 0, 0};
    edges list;
    for (int round = 0; round < 3000; round++) {
        const dgm_graph_options options = {
            .size = sizeof(dgm_graph_options), .directed = round & 1, .keep_loops = round & 2};
        bool weighted = round & 4;
        fill_matrix(&list, &random, round & 8);
        if (list.count == 0)
            continue;
        if (round & 16)
            damage(&list, &random);
        dgm_graph *apart = build_apart(&list, &options, weighted, 1 + round % 11);
        dgm_graph *pairs = build_pairs(&list, &options, weighted);
        expect_same(apart, pairs);
        dgm_graph_free(apart);
        dgm_graph_free(pairs);
    }
}

static void more_targets_than_sources_are_refused(void **state) {
    (void)state;
    const uint32_t ascending[] = {0, 1}, falling[] = {1, 0}, targets[] = {1, 0, 1};
    for (int k = 0; k < 2; k++) {
        dgm_graph_builder *builder;
        dgmi_graph_record_cursor cursor = {0};
        assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
        assert_int_equal(dgmi_graph_builder_add_sources(builder, 2, k ? falling : ascending),
                         DGM_OK);
        assert_int_equal(dgmi_graph_builder_fill_targets(builder, &cursor, 3, targets),
                         DGM_ERROR_DATA);
        dgm_graph_builder_free(builder);
    }
}

/* A row of 1,500 targets, more than are turned into records at once, which a pair out of order or a
 * name ends; nothing that comes in pieces of no edges changes it. */
static void a_long_row_that_turns_out_unsorted_keeps_its_edges(void **state) {
    (void)state;
    enum { LEAVES = 1500 };
    static uint32_t sources[LEAVES], targets[LEAVES];
    for (uint32_t i = 0; i < LEAVES; i++)
        targets[i] = i + 1;
    for (int named = 0; named < 2; named++) {
        dgm_graph_builder *builder;
        dgm_graph *graph;
        dgmi_graph_record_cursor cursor = {0}, weights = {0};
        assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
        assert_int_equal(dgmi_graph_builder_add_sources(builder, 0, NULL), DGM_OK);
        assert_int_equal(dgmi_graph_builder_add_sources(builder, LEAVES, sources), DGM_OK);
        assert_int_equal(dgmi_graph_builder_fill_targets(builder, &cursor, 0, NULL), DGM_OK);
        assert_int_equal(dgmi_graph_builder_fill_targets(builder, &cursor, LEAVES, targets),
                         DGM_OK);
        assert_int_equal(dgmi_graph_builder_fill_weights(builder, &weights, 0, NULL), DGM_OK);
        if (named)
            assert_int_equal(dgmi_graph_builder_name_numbers(builder), DGM_OK);
        else
            assert_int_equal(dgm_graph_builder_add(builder, 1, (const uint32_t[]){2, 1}, NULL),
                             DGM_OK);
        assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
        dgm_graph_rows rows = dgm_graph_get_rows(graph);
        assert_int_equal(rows.nodes, LEAVES + 1);
        assert_int_equal(dgm_graph_edges(graph), named ? LEAVES : LEAVES + 1);
        assert_null(rows.weights);
        for (uint32_t i = 0; i < LEAVES; i++) {
            assert_int_equal(rows.targets[i], i + 1);
            assert_int_equal(rows.targets[rows.offsets[i + 1]], 0);
        }
        if (named)
            assert_string_equal(dgm_graph_name_text(graph, LEAVES, NULL), "1500");
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_that_come_apart_make_the_graph_that_pairs_make),
        cmocka_unit_test(more_targets_than_sources_are_refused),
        cmocka_unit_test(a_long_row_that_turns_out_unsorted_keeps_its_edges),
    };
    return RUN_WITH_CONTEXT(tests);
}
