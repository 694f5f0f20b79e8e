/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base_random.h"
#include "graph_builder.h"
#include "unit_faults.h"

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

/* ---- rows that a caller has ---- */

/* Sorts the edges by their sources alone, so that targets keep their disorder. */
static void order_by_source(edges *list) {
    for (int64_t i = 1; i < list->count; i++)
        for (int64_t j = i; j > 0 && list->sources[j - 1] > list->sources[j]; j--) {
            uint32_t source = list->sources[j], target = list->targets[j];
            double weight = list->weights[j];
            list->sources[j] = list->sources[j - 1];
            list->targets[j] = list->targets[j - 1];
            list->weights[j] = list->weights[j - 1];
            list->sources[j - 1] = source;
            list->targets[j - 1] = target;
            list->weights[j - 1] = weight;
        }
}

static dgm_graph_rows rows_of(const edges *list, bool weighted, int64_t offsets[NODES + 1]) {
    memset(offsets, 0, (NODES + 1) * sizeof *offsets);
    for (int64_t i = 0; i < list->count; i++)
        for (uint32_t u = list->sources[i]; u < NODES; u++)
            offsets[u + 1]++;
    return (dgm_graph_rows){.nodes = NODES,
                            .entries = list->count,
                            .offsets = offsets,
                            .targets = list->targets,
                            .weights = weighted ? list->weights : NULL};
}

static void scramble(edges *list, dgmi_random *random) {
    for (int64_t i = list->count - 1; i > 0; i--) {
        int64_t j = (int64_t)dgmi_random_next_below(random, (uint64_t)i + 1);
        uint32_t target = list->targets[i];
        double weight = list->weights[i];
        list->targets[i] = list->targets[j];
        list->weights[i] = list->weights[j];
        list->targets[j] = target;
        list->weights[j] = weight;
    }
}

static void keep_upper_triangle(edges *list) {
    int64_t kept = 0;
    for (int64_t i = 0; i < list->count; i++)
        if (list->sources[i] <= list->targets[i]) {
            list->sources[kept] = list->sources[i];
            list->targets[kept] = list->targets[i];
            list->weights[kept++] = list->weights[i];
        }
    list->count = kept;
}

static void rows_make_the_graph_that_pairs_make(void **state) {
    (void)state;
    dgmi_random random = {11, 0, 0};
    edges list;
    for (int round = 0; round < 4000; round++) {
        const dgm_graph_options options = {.size = sizeof(dgm_graph_options),
                                           .directed = round & 1,
                                           .keep_loops = round & 2,
                                           .nodes = NODES};
        bool weighted = round & 4;
        int64_t offsets[NODES + 1];
        fill_matrix(&list, &random, round & 8);
        if (list.count == 0)
            continue;
        if (round & 16)
            damage(&list, &random);
        if ((round & 96) == 32)
            scramble(&list, &random);
        if ((round & 96) == 64)
            keep_upper_triangle(&list);
        if (round & 128)
            list.weights[0] = -0.0;
        order_by_source(&list);
        const dgm_graph_rows rows = rows_of(&list, weighted, offsets);
        dgm_graph *pairs = build_pairs(&list, &options, weighted);
        for (int threads = 1; threads <= 3; threads += 2) {
            dgm_graph *graph;
            dgm_context_set_threads(ctx, threads);
            assert_int_equal(dgm_graph_from_rows(ctx, &rows, &options, &graph), DGM_OK);
            expect_same(graph, pairs);
            dgm_graph_free(graph);
        }
        dgm_context_set_threads(ctx, 0);
        dgm_graph_free(pairs);
    }
}

/* The rows of a graph, given again, are the graph, wherever they lay. */
static void rows_of_a_graph_give_it_back(void **state) {
    (void)state;
    const dgm_generate_options kinds[] = {
        {sizeof(dgm_generate_options), DGM_GENERATE_SPAM, 300, 0, 4, 0.9, 0.1, 1},
        {sizeof(dgm_generate_options), DGM_GENERATE_KARATE, 34, 0, 4, 0.9, 0.1, 1},
    };
    for (int64_t k = 0; k < COUNT(kinds); k++) {
        dgm_graph *first, *again;
        assert_int_equal(dgm_graph_generate(ctx, &kinds[k], NULL, &first), DGM_OK);
        const dgm_graph_rows rows = dgm_graph_get_rows(first);
        assert_int_equal(dgm_graph_from_rows(ctx, &rows, NULL, &again), DGM_OK);
        assert_int_equal(dgm_graph_edges(again), dgm_graph_edges(first));
        assert_int_equal(dgm_graph_get_counts(again).records, rows.entries);
        const dgm_graph_rows same = dgm_graph_get_rows(again);
        assert_ptr_not_equal(same.targets, rows.targets);
        assert_int_equal(same.entries, rows.entries);
        assert_memory_equal(same.targets, rows.targets, (size_t)rows.entries * sizeof(uint32_t));
        dgm_graph_free(again);
        dgm_graph_free(first);
    }
}

static void rows_without_entries_are_nodes(void **state) {
    (void)state;
    const int64_t offsets[] = {0, 0, 0, 0};
    const double none[] = {0};
    const dgm_graph_rows rows = {.nodes = 3, .offsets = offsets, .weights = none};
    const dgm_graph_rows nothing = {.offsets = offsets};
    dgm_graph *graph;
    assert_int_equal(dgm_graph_from_rows(ctx, &rows, NULL, &graph), DGM_OK);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_int_equal(dgm_graph_edges(graph), 0);
    assert_null(dgm_graph_get_rows(graph).weights); /* no call brought a weight */
    dgm_graph_free(graph);
    assert_int_equal(dgm_graph_from_rows(ctx, &nothing, NULL, &graph), DGM_OK);
    assert_int_equal(dgm_graph_nodes(graph), 0);
    dgm_graph_free(graph);
}

static const int64_t path_offsets[] = {0, 1, 3, 4};
static const uint32_t path_targets[] = {1, 2, 0, 1};
static const double path_weights[] = {1, 2, 1, 2};
static const dgm_graph_rows path = {3, 4, path_offsets, path_targets, path_weights, false};

/* Everything else that a caller has in arrays is given to the same builder. */
static void a_builder_takes_rows_beside_names_labels_and_features(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    const int64_t starts[] = {0, 1, 1, 2};
    const uint32_t columns[] = {4, 0};
    const dgm_graph_features features = {5, starts, columns, NULL};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (int i = 0; i < 3; i++) {
        uint32_t node;
        assert_int_equal(dgm_graph_builder_node(builder, names[i], 1, &node), DGM_OK);
    }
    assert_int_equal(dgm_graph_builder_add_rows(builder, &path), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, 3, (const int32_t[]){1, -1, 0}), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(builder, 3, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_string_equal(dgm_graph_name_text(graph, 2, NULL), "c");
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_int_equal(dgm_graph_labels(graph)[0], 1);
    assert_int_equal(dgm_graph_get_features(graph).columns[0], 4);
    dgm_graph_free(graph);
}

/* Rows before and after other edges; all of them are records of one graph. */
static void rows_and_pairs_add_up(void **state) {
    (void)state;
    const uint32_t pair[] = {0, 2}, more[] = {3, 1};
    dgm_graph_builder *builder;
    dgm_graph *graph, *pairs;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_rows(builder, &path), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 1, pair, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_rows(builder, &path), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 1, more, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    const uint32_t ends[] = {0, 1, 1, 2, 1, 0, 2, 1, 0, 2, 0, 1, 1, 2, 1, 0, 2, 1, 3, 1};
    const double weights[] = {1, 2, 1, 2, 1, 1, 2, 1, 2, 1};
    pairs = build_graph(NULL, 0, 10, ends, weights);
    expect_same(graph, pairs);
    dgm_graph_free(graph);
    dgm_graph_free(pairs);
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_rows(builder, &path), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_rows(builder, &path), DGM_OK);
    dgm_graph_builder_free(builder);
}

static void rows_that_do_not_fit_together_are_refused(void **state) {
    (void)state;
    dgm_graph *graph;
    const int64_t late[] = {1, 1, 3, 4}, falling[] = {0, 3, 1, 4}, negative[] = {0, -1, 3, 4};
    dgm_graph_rows rows = path;
    rows.offsets = late;
    ASSERT_FAILS(dgm_graph_from_rows(ctx, &rows, NULL, &graph), DGM_ERROR_DATA,
                 "the offsets of the rows begin with 1, not with 0");
    assert_null(graph);
    rows.offsets = falling;
    ASSERT_FAILS(dgm_graph_from_rows(ctx, &rows, NULL, &graph), DGM_ERROR_DATA,
                 "the offsets of the rows fall from 3 to 1 at row 1");
    rows.offsets = negative;
    ASSERT_FAILS(dgm_graph_from_rows(ctx, &rows, NULL, &graph), DGM_ERROR_DATA,
                 "the offsets of the rows fall from 0 to -1 at row 0");
    rows = path;
    rows.entries = 3;
    ASSERT_FAILS(dgm_graph_from_rows(ctx, &rows, NULL, &graph), DGM_ERROR_DATA,
                 "the offsets of the rows end with 4, but there are 3 entries");
    rows = path;
    rows.targets = (const uint32_t[]){1, 2, 3, 1};
    ASSERT_FAILS(dgm_graph_from_rows(ctx, &rows, NULL, &graph), DGM_ERROR_DATA,
                 "row 1 has the target 3, but there are only 3 nodes");
    rows.targets = (const uint32_t[]){1, 2, 0, (uint32_t)-1};
    ASSERT_FAILS(dgm_graph_from_rows(ctx, &rows, NULL, &graph), DGM_ERROR_DATA,
                 "row 2 has the target 4294967295, but there are only 3 nodes");
    rows = path;
    rows.weights = (const double[]){1, 2, 1, INFINITY};
    ASSERT_FAILS(dgm_graph_from_rows(ctx, &rows, NULL, &graph), DGM_ERROR_DATA,
                 "an edge weight is not a finite number");
    rows.nodes = DGM_MAX_NODES + 1;
    ASSERT_FAILS(dgm_graph_from_rows(ctx, &rows, NULL, &graph), DGM_ERROR_DATA,
                 "2147483648 nodes are more than the 2147483647 that fit");
    const dgm_graph_options bad = {.size = sizeof(dgm_graph_options), .nodes = -1};
    assert_int_equal(dgm_graph_from_rows(ctx, &path, &bad, &graph), DGM_ERROR_USAGE);
    assert_null(graph);
}

static dgm_status build_rows(dgm_context *own, void *argument) {
    dgm_graph *graph;
    dgm_status status = dgm_graph_from_rows(own, argument, NULL, &graph);
    dgm_graph_free(graph);
    return status;
}

static void nothing_is_left_where_memory_ends(void **state) {
    (void)state;
    dgm_graph_rows sorted = path, unsorted = path;
    unsorted.targets = (const uint32_t[]){1, 0, 2, 1};
    fail_each_allocation(build_rows, &sorted);
    fail_each_allocation(build_rows, &unsorted);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_make_the_graph_that_pairs_make),
        cmocka_unit_test(rows_of_a_graph_give_it_back),
        cmocka_unit_test(rows_without_entries_are_nodes),
        cmocka_unit_test(a_builder_takes_rows_beside_names_labels_and_features),
        cmocka_unit_test(rows_and_pairs_add_up),
        cmocka_unit_test(rows_that_do_not_fit_together_are_refused),
        cmocka_unit_test(nothing_is_left_where_memory_ends),
        cmocka_unit_test(ends_that_come_apart_make_the_graph_that_pairs_make),
        cmocka_unit_test(more_targets_than_sources_are_refused),
        cmocka_unit_test(a_long_row_that_turns_out_unsorted_keeps_its_edges),
    };
    return RUN_WITH_CONTEXT(tests);
}
