/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_random.h"
#include "builder_sample.h"

/* ---- edges ---- */

static void repeats_and_loops_are_counted(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 0, 0, 1, 2, 2, 1, 2};
    dgm_graph *graph = build_graph(NULL, 0, 5, ends, NULL);
    dgm_graph_counts counts = dgm_graph_get_counts(graph);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_int_equal(counts.edges, 2);
    assert_int_equal(counts.records, 5);
    assert_int_equal(counts.loops_dropped, 1);
    assert_int_equal(counts.loops_kept, 0);
    assert_int_equal(counts.repeats_merged, 2);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const uint32_t expected[] = {1, 0, 2, 1};
    assert_int_equal(rows.entries, 4);
    assert_memory_equal(rows.targets, expected, sizeof expected);
    assert_null(rows.weights);
    dgm_graph_free(graph);
}

static void weights_of_one_direction_add_and_the_larger_direction_counts(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 0, 1, 1, 0, 1, 2};
    const double weights[] = {1, 2, 2.5, 4};
    dgm_graph *graph = build_graph(NULL, 0, 4, ends, weights);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const double expected[] = {3, 3, 4, 4};
    assert_int_equal(rows.entries, 4);
    assert_memory_equal(rows.weights, expected, sizeof expected);
    assert_int_equal(dgm_graph_get_counts(graph).uneven_weights, 1);
    dgm_graph_free(graph);
}

static void both_directions_of_equal_weight_are_even(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 0, 2, 1};
    const double weights[] = {-2, -2, -3};
    dgm_graph *graph = build_graph(NULL, 0, 3, ends, weights);
    const double expected[] = {-2, -2, -3, -3};
    assert_memory_equal(dgm_graph_get_rows(graph).weights, expected, sizeof expected);
    assert_int_equal(dgm_graph_get_counts(graph).uneven_weights, 0);
    assert_int_equal(dgm_graph_get_counts(graph).repeats_merged, 1);
    dgm_graph_free(graph);
}

static void kept_loops_stand_once(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 0, 0, 1, 0, 0};
    const double weights[] = {1, 5, 2};
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .keep_loops = true};
    dgm_graph *graph = build_graph(&options, 0, 3, ends, weights);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const uint32_t targets[] = {0, 1, 0};
    const double expected[] = {3, 5, 5};
    assert_int_equal(dgm_graph_edges(graph), 2);
    assert_int_equal(rows.entries, 3);
    assert_memory_equal(rows.targets, targets, sizeof targets);
    assert_memory_equal(rows.weights, expected, sizeof expected);
    assert_int_equal(dgm_graph_get_counts(graph).loops_kept, 1);
    assert_int_equal(dgm_graph_get_counts(graph).loops_dropped, 0);
    assert_int_equal(dgm_graph_get_counts(graph).repeats_merged, 1);
    dgm_graph_free(graph);
}

static void a_directed_graph_keeps_each_direction_apart(void **state) {
    (void)state;
    const uint32_t ends[] = {2, 0, 0, 1, 1, 0, 2, 0, 1, 1};
    const double weights[] = {1, 2, 3, 4, 9};
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph = build_graph(&options, 0, 5, ends, weights);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const int64_t offsets[] = {0, 1, 2, 3};
    const uint32_t targets[] = {1, 0, 0};
    const double expected[] = {2, 3, 5};
    assert_true(rows.directed);
    assert_int_equal(rows.entries, 3);
    assert_int_equal(dgm_graph_edges(graph), 3);
    assert_memory_equal(rows.offsets, offsets, sizeof offsets);
    assert_memory_equal(rows.targets, targets, sizeof targets);
    assert_memory_equal(rows.weights, expected, sizeof expected);
    assert_int_equal(dgm_graph_get_counts(graph).loops_dropped, 1);
    assert_int_equal(dgm_graph_get_counts(graph).repeats_merged, 1);
    dgm_graph_free(graph);
}

static void edges_without_weights_weigh_one_beside_others(void **state) {
    (void)state;
    dgm_graph_builder *builder = start(NULL);
    assert_int_equal(dgm_graph_builder_add(builder, 1, (const uint32_t[]){0, 1}, NULL), DGM_OK);
    assert_int_equal(
        dgm_graph_builder_add(builder, 1, (const uint32_t[]){0, 1}, (const double[]){0.5}), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 1, (const uint32_t[]){1, 2}, NULL), DGM_OK);
    dgm_graph *graph = finish(builder);
    const double expected[] = {1.5, 1.5, 1, 1};
    assert_memory_equal(dgm_graph_get_rows(graph).weights, expected, sizeof expected);
    dgm_graph_free(graph);
}

static void a_weight_that_is_no_number_is_refused(void **state) {
    (void)state;
    dgm_graph_builder *builder = start(NULL);
    ASSERT_FAILS(dgm_graph_builder_add(builder, 1, (const uint32_t[]){0, 1}, (const double[]){NAN}),
                 DGM_ERROR_DATA, "an edge weight is not a finite number");
    assert_int_equal(
        dgm_graph_builder_add(builder, 1, (const uint32_t[]){0, 1}, (const double[]){-INFINITY}),
        DGM_ERROR_DATA);
    dgm_graph_builder_free(builder);
}

static void huge_ids_are_refused(void **state) {
    (void)state;
    dgm_graph_builder *builder = start(NULL);
    const uint32_t past[] = {0, 2147483647u}, far[] = {4294967295u, 1};
    ASSERT_FAILS(dgm_graph_builder_add(builder, 1, past, NULL), DGM_ERROR_DATA,
                 "2147483648 nodes are more than the 2147483647 that fit");
    ASSERT_FAILS(dgm_graph_builder_add(builder, 1, far, NULL), DGM_ERROR_DATA,
                 "4294967296 nodes are more than the 2147483647 that fit");
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, DGM_MAX_NODES + 1), DGM_ERROR_DATA);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, -1), DGM_ERROR_DATA);
    assert_int_equal(dgm_graph_builder_nodes(builder), 0);
    assert_int_equal(dgm_graph_builder_add(builder, 1, (const uint32_t[]){0, 2147483645u}, NULL),
                     DGM_OK);
    assert_int_equal(dgm_graph_builder_nodes(builder), DGM_MAX_NODES - 1);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, DGM_MAX_NODES), DGM_OK);
    assert_int_equal(dgm_graph_builder_nodes(builder), DGM_MAX_NODES);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 5), DGM_OK); /* there are more */
    assert_int_equal(dgm_graph_builder_nodes(builder), DGM_MAX_NODES);
    dgm_graph_builder_free(builder);
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options),
                                       .nodes = DGM_MAX_NODES + 1};
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_ERROR_USAGE);
    assert_null(builder);
}

static void an_empty_builder_makes_an_empty_graph(void **state) {
    (void)state;
    dgm_graph *graph = finish(start(NULL));
    assert_int_equal(dgm_graph_nodes(graph), 0);
    assert_int_equal(dgm_graph_edges(graph), 0);
    assert_int_equal(dgm_graph_get_rows(graph).offsets[0], 0);
    assert_string_equal(dgm_graph_source(graph), "");
    assert_null(dgm_graph_labels(graph));
    assert_null(dgm_graph_splits(graph));
    assert_int_equal(dgm_graph_attributes(graph), 0);
    assert_int_equal(dgm_graph_get_features(graph).width, 0);
    dgm_graph_free(graph);
    const dgm_graph_options options = {.size = sizeof(dgm_graph_options), .nodes = 3};
    graph = finish(start(&options));
    assert_int_equal(dgm_graph_nodes(graph), 3);
    assert_int_equal(dgm_graph_get_rows(graph).offsets[3], 0);
    dgm_graph_free(graph);
}

/* ---- many edges: blocks and threads ---- */

enum { NODES = 500, EDGES = 30000 };

/* Kinds of weights change in the middle of blocks; calls are of every size. */
static dgm_graph *build_large(bool directed, bool weighted, int threads) {
    static uint32_t ends[2 * EDGES];
    static double weights[EDGES];
    for (uint64_t i = 0; i < EDGES; i++) {
        ends[2 * i] = (uint32_t)dgmi_random_below(4, 1, i, NODES);
        ends[2 * i + 1] = (uint32_t)dgmi_random_below(4, 2, i, NODES);
        weights[i] = dgmi_random_unit(4, 3, i);
    }
    dgm_context_set_threads(ctx, threads);
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = directed, .keep_loops = true};
    dgm_graph_builder *builder = start(&options);
    for (int64_t i = 0, step = 1; i < EDGES; i += step, step = step * 2 % 8191 + 1) {
        int64_t take = step < EDGES - i ? step : EDGES - i;
        bool with = weighted && step % 3;
        assert_int_equal(
            dgm_graph_builder_add(builder, take, ends + 2 * i, with ? weights + i : NULL), DGM_OK);
    }
    dgm_graph *graph = finish(builder);
    dgm_context_set_threads(ctx, 0);
    return graph;
}

static void assert_same_rows(const dgm_graph *a, const dgm_graph *b) {
    dgm_graph_rows x = dgm_graph_get_rows(a), y = dgm_graph_get_rows(b);
    assert_int_equal(x.nodes, y.nodes);
    assert_int_equal(x.entries, y.entries);
    assert_memory_equal(x.offsets, y.offsets, (size_t)(x.nodes + 1) * sizeof *x.offsets);
    assert_memory_equal(x.targets, y.targets, (size_t)x.entries * sizeof *x.targets);
    assert_int_equal(x.weights == NULL, y.weights == NULL);
    if (x.weights)
        assert_memory_equal(x.weights, y.weights, (size_t)x.entries * sizeof *x.weights);
    dgm_graph_counts p = dgm_graph_get_counts(a), q = dgm_graph_get_counts(b);
    assert_memory_equal(&p, &q, sizeof p);
}

static void rows_are_the_same_bytes_for_any_number_of_threads(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        dgm_graph *one = build_large(kind & 1, kind & 2, 1);
        static const int threads[] = {2, 4, 7};
        for (int64_t t = 0; t < COUNT(threads); t++) {
            dgm_graph *other = build_large(kind & 1, kind & 2, threads[t]);
            assert_same_rows(one, other);
            dgm_graph_free(other);
        }
        dgm_graph_free(one);
    }
}

/* Against a table of all pairs. */
static void many_blocks_lose_no_edge(void **state) {
    (void)state;
    static bool met[NODES][NODES];
    memset(met, 0, sizeof met);
    int64_t edges = 0, loops = 0;
    for (uint64_t i = 0; i < EDGES; i++) {
        uint64_t u = dgmi_random_below(4, 1, i, NODES), v = dgmi_random_below(4, 2, i, NODES);
        edges += !met[u][v];
        loops += u == v && !met[u][v];
        met[u][v] = met[v][u] = true;
    }
    dgm_graph *graph = build_large(false, false, 0);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    assert_int_equal(dgm_graph_edges(graph), edges);
    assert_int_equal(dgm_graph_get_counts(graph).loops_kept, loops);
    assert_int_equal(dgm_graph_get_counts(graph).records, EDGES);
    assert_int_equal(dgm_graph_get_counts(graph).repeats_merged, EDGES - edges);
    for (int64_t u = 0; u < NODES; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            assert_true(met[u][rows.targets[e]]);
            assert_true(e == rows.offsets[u] || rows.targets[e - 1] < rows.targets[e]);
        }
    assert_int_equal(rows.entries, 2 * (edges - loops) + loops);
    dgm_graph_free(graph);
}

/* ---- names ---- */

static uint32_t named(dgm_graph_builder *builder, const char *name) {
    uint32_t node = 99;
    assert_int_equal(dgm_graph_builder_node(builder, name, strlen(name), &node), DGM_OK);
    return node;
}

static void names_are_given_in_the_order_of_their_first_use(void **state) {
    (void)state;
    dgm_graph_builder *builder = start(NULL);
    assert_int_equal(named(builder, "bob"), 0);
    assert_int_equal(named(builder, "alice"), 1);
    assert_int_equal(named(builder, "bob"), 0);
    assert_int_equal(named(builder, ""), 2);
    assert_int_equal(named(builder, "7"), 3);
    assert_int_equal(dgm_graph_builder_nodes(builder), 4);
    dgm_graph *graph = finish(builder);
    char name[8];
    assert_int_equal(dgm_graph_name(graph, 1, name, sizeof name), 5);
    assert_string_equal(name, "alice");
    assert_int_equal(dgm_graph_name(graph, 1, name, 3), 5); /* cut, but the length is told */
    assert_string_equal(name, "al");
    size_t length;
    assert_string_equal(dgm_graph_name_text(graph, 3, &length), "7");
    assert_int_equal(length, 1);
    assert_int_equal(dgm_graph_name_base(graph), -1);
    dgm_graph_free(graph);
}

static void names_and_bare_numbers_do_not_mix(void **state) {
    (void)state;
    dgm_graph_builder *builder = start(NULL);
    named(builder, "a");
    named(builder, "b");
    assert_int_equal(dgm_graph_builder_add(builder, 1, (const uint32_t[]){0, 2}, NULL), DGM_OK);
    dgm_graph *graph;
    ASSERT_FAILS(dgm_graph_builder_finish(builder, &graph), DGM_ERROR_DATA, "3 nodes but 2 names");
    assert_null(graph);
}

static void numeric_names_count_from_the_base(void **state) {
    (void)state;
    dgm_graph_builder *builder = start(NULL);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 2), DGM_OK);
    dgm_graph_builder_set_name_base(builder, 1);
    dgm_graph *graph = finish(builder);
    char name[8];
    dgm_graph_name(graph, 1, name, sizeof name);
    assert_string_equal(name, "2");
    assert_int_equal(dgm_graph_name_base(graph), 1);
    assert_null(dgm_graph_name_text(graph, 1, NULL));
    dgm_graph_free(graph);
}

static void names_are_numbers_that_there_are(void **state) {
    (void)state;
    const int64_t highest = INT64_MAX - DGM_MAX_NODES,
                  wrong[] = {-1, INT64_MIN, highest + 1, INT64_MAX};
    for (int i = 0; i < COUNT(wrong); i++) {
        dgm_graph_builder *builder = start(NULL);
        assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 2), DGM_OK);
        dgm_graph_builder_set_name_base(builder, wrong[i]);
        dgm_graph *none;
        char words[80];
        snprintf(words, sizeof words, "%lld cannot be the number of the first node",
                 (long long)wrong[i]);
        ASSERT_FAILS(dgm_graph_builder_finish(builder, &none), DGM_ERROR_DATA, words);
        assert_null(none);
    }
    dgm_graph_builder *builder = start(NULL);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 2), DGM_OK);
    dgm_graph_builder_set_name_base(builder, highest);
    dgm_graph *graph = finish(builder);
    char name[24];
    dgm_graph_name(graph, 1, name, sizeof name);
    assert_string_equal(name, "9223372034707292161");
    dgm_graph_free(graph);
}

static void numbers_become_names_when_a_name_turns_up(void **state) {
    (void)state;
    dgm_graph_builder *builder = start(NULL);
    assert_int_equal(dgm_graph_builder_add(builder, 2, (const uint32_t[]){7, 3, 3, 900}, NULL),
                     DGM_OK);
    assert_int_equal(dgmi_graph_builder_name_numbers(builder), DGM_OK);
    assert_true(dgmi_graph_builder_has_names(builder));
    uint32_t pair[2] = {named(builder, "x"), named(builder, "3")};
    assert_int_equal(dgm_graph_builder_add(builder, 1, pair, NULL), DGM_OK);
    assert_int_equal(dgmi_graph_builder_sort_names(builder), DGM_OK);
    dgm_graph *graph = finish(builder);
    static const char *const names[] = {"3", "7", "900", "x"}; /* numbers ascend, names follow */
    assert_int_equal(dgm_graph_nodes(graph), 4);
    for (int64_t u = 0; u < 4; u++)
        assert_string_equal(dgm_graph_name_text(graph, u, NULL), names[u]);
    const uint32_t targets[] = {1, 2, 3, 0, 0, 0}; /* a star around "3" */
    assert_int_equal(dgm_graph_get_rows(graph).entries, 6);
    assert_memory_equal(dgm_graph_get_rows(graph).targets, targets, sizeof targets);
    dgm_graph_free(graph);
}

/* "7" and "007" are one number and two names, which stay in the order of their first use. */
static void names_of_one_number_stay_in_order(void **state) {
    (void)state;
    static const char *const met[] = {"07", "12", "7", "x", "007", "3"};
    static const char *const sorted[] = {"3", "07", "7", "007", "12", "x"};
    dgm_graph_builder *builder = start(NULL);
    for (uint32_t i = 0; i < COUNT(met); i++)
        assert_int_equal(named(builder, met[i]), i);
    assert_int_equal(dgmi_graph_builder_sort_names(builder), DGM_OK);
    dgm_graph *graph = finish(builder);
    for (int64_t u = 0; u < COUNT(sorted); u++)
        assert_string_equal(dgm_graph_name_text(graph, u, NULL), sorted[u]);
    dgm_graph_free(graph);
}

/* ---- what cannot be, and what is not wanted any more ---- */

static void weights_that_add_up_to_infinity_are_refused(void **state) {
    (void)state;
    dgm_graph_builder *builder;
    dgm_graph *graph;
    const double weights[] = {1.7e308, 1.7e308};
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, 2, (const uint32_t[]){0, 1, 0, 1}, weights),
                     DGM_OK);
    ASSERT_FAILS(dgm_graph_builder_finish(builder, &graph), DGM_ERROR_DATA,
                 "the weights of a repeated edge add up beyond what a number can hold");
}

/* Says stop at one of the looks at the wish to stop. */
static bool stop_at(void *user, const char *stage, double fraction) {
    int *left = user;
    (void)stage;
    (void)fraction;
    return --*left > 0;
}

static dgm_status finish_until(int look, bool sorted, dgm_graph **graph) {
    static const uint32_t mixed[] = {3, 1, 0, 2, 2, 1}, in_order[] = {0, 1, 1, 0, 1, 2, 2, 1};
    dgm_graph_builder *builder;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(sorted ? dgm_graph_builder_add(builder, 4, in_order, NULL)
                            : dgm_graph_builder_add(builder, 3, mixed, NULL),
                     DGM_OK);
    dgm_context_set_progress(ctx, stop_at, &look);
    dgm_status status = dgm_graph_builder_finish(builder, graph);
    dgm_context_set_progress(ctx, NULL, NULL);
    return status;
}

/* Before records are counted, after that, once they are placed, and once rows are merged; before
 * rows that come sorted are compared, and after that. */
static void a_wish_to_stop_is_heard_between_all_steps(void **state) {
    (void)state;
    for (int sorted = 0; sorted < 2; sorted++) {
        dgm_graph *graph;
        int looks = 0;
        while (finish_until(looks + 1, sorted, &graph) == DGM_ERROR_CANCELLED) {
            assert_null(graph);
            looks++;
        }
        assert_in_range(looks, sorted ? 2 : 4, 10);
        assert_int_equal(dgm_graph_edges(graph), sorted ? 2 : 3);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_that_add_up_to_infinity_are_refused),
        cmocka_unit_test(repeats_and_loops_are_counted),
        cmocka_unit_test(weights_of_one_direction_add_and_the_larger_direction_counts),
        cmocka_unit_test(both_directions_of_equal_weight_are_even),
        cmocka_unit_test(kept_loops_stand_once),
        cmocka_unit_test(a_directed_graph_keeps_each_direction_apart),
        cmocka_unit_test(edges_without_weights_weigh_one_beside_others),
        cmocka_unit_test(a_weight_that_is_no_number_is_refused),
        cmocka_unit_test(huge_ids_are_refused),
        cmocka_unit_test(an_empty_builder_makes_an_empty_graph),
        cmocka_unit_test(rows_are_the_same_bytes_for_any_number_of_threads),
        cmocka_unit_test(many_blocks_lose_no_edge),
        cmocka_unit_test(names_are_given_in_the_order_of_their_first_use),
        cmocka_unit_test(names_and_bare_numbers_do_not_mix),
        cmocka_unit_test(numeric_names_count_from_the_base),
        cmocka_unit_test(names_are_numbers_that_there_are),
        cmocka_unit_test(numbers_become_names_when_a_name_turns_up),
        cmocka_unit_test(a_wish_to_stop_is_heard_between_all_steps),
        cmocka_unit_test(names_of_one_number_stay_in_order),
    };
    return RUN_WITH_CONTEXT(tests);
}
