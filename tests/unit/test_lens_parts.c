/* SPDX-License-Identifier: Apache-2.0 */
/* Lenses that are partitions: communities, and centres of features. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "../check_random.h"
#include "unit_faults.h"

enum { NODES = 240, BLOCKS = 3, MOST_WIDTH = 200 };

/* Three blocks of a stochastic block model, whose features say the block or nothing. `share` of the
 * columns of a block are 1 more often there; sparse features are 0 and 1. */
static dgm_graph *make(int64_t width, bool sparse, bool structured, double scale, int64_t seed) {
    static float values[NODES * MOST_WIDTH];
    static uint32_t columns[NODES * MOST_WIDTH];
    int64_t offsets[NODES + 1] = {0}, entries = 0;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph_builder *builder;
    dgm_graph *plain, *graph;
    check_random random = check_random_case((uint64_t)seed, 1, (int)width);
    options.kind = DGM_GENERATE_SBM;
    options.nodes = NODES;
    options.edges = 1200;
    options.blocks = BLOCKS;
    options.seed = seed;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &plain), DGM_OK);
    const dgm_graph_rows rows = dgm_graph_get_rows(plain);
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, NODES), DGM_OK);
    for (uint32_t u = 0; u < NODES; u++) {
        int32_t block = dgm_graph_labels(plain)[u];
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            if (u < rows.targets[e])
                assert_int_equal(
                    dgm_graph_builder_add(builder, 1, (const uint32_t[]){u, rows.targets[e]}, NULL),
                    DGM_OK);
        for (int64_t c = 0; c < width; c++) {
            bool own = structured && c % BLOCKS == block;
            bool has = check_random_chance(&random, own ? 0.6 : 0.1);
            if (!sparse)
                values[u * width + c] = (float)(scale * (has + 0.1 * check_random_unit(&random)));
            else if (has)
                columns[entries++] = (uint32_t)c;
        }
        offsets[u + 1] = entries;
    }
    const dgm_graph_features features = {.width = width,
                                         .offsets = sparse ? offsets : NULL,
                                         .columns = sparse ? columns : NULL,
                                         .values = sparse ? NULL : values};
    assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, dgm_graph_labels(plain)), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(builder, NODES, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    dgm_graph_free(plain);
    return graph;
}

static dgm_matrix *parts_by(const dgm_graph *graph, int64_t k, int64_t steps, int64_t seed) {
    dgm_features_options options = DGM_FEATURES_OPTIONS_INIT;
    dgm_matrix *lens;
    options.k = k;
    options.steps = steps;
    options.seed = seed;
    if (dgm_lens_features(ctx, graph, &options, &lens) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_int_equal(dgm_matrix_columns(lens), 1);
    assert_int_equal(dgm_matrix_rows(lens), dgm_graph_nodes(graph));
    return lens;
}

/* The share of the nodes in the most frequent block of their part. */
static double purity(const dgm_graph *graph, const dgm_matrix *lens, int64_t k) {
    int64_t in_block = 0;
    for (int64_t part = 0; part < k; part++) {
        int64_t of[BLOCKS] = {0}, most = 0;
        for (int64_t u = 0; u < NODES; u++)
            of[dgm_graph_labels(graph)[u]] += dgm_matrix_values(lens)[u] == (double)part;
        for (int b = 0; b < BLOCKS; b++)
            most = of[b] > most ? of[b] : most;
        in_block += most;
    }
    return (double)in_block / NODES;
}

/* Features that say the block part the nodes by it, whether there are few or many, dense or not. */
static void features_with_structure_part_the_nodes(void **state) {
    (void)state;
    static const int64_t widths[] = {12, 64, 65, 200};
    for (int64_t i = 0; i < COUNT(widths); i++)
        for (int sparse = 0; sparse < 2; sparse++)
            for (int64_t steps = 0; steps <= 2; steps += 2) {
                dgm_graph *graph = make(widths[i], sparse, true, 1, 3);
                dgm_matrix *lens = parts_by(graph, BLOCKS, steps, 1);
                assert_string_equal(dgm_matrix_column_name(lens, 0), "features");
                assert_true(purity(graph, lens, BLOCKS) > (steps ? 0.95 : 0.6));
                dgm_matrix_free(lens);
                dgm_graph_free(graph);
            }
}

/* Mixed over neighbours even features without structure say something; by themselves nothing. */
static void features_without_structure_say_nothing(void **state) {
    (void)state;
    dgm_graph *graph = make(100, true, false, 1, 3);
    dgm_matrix *lens = parts_by(graph, BLOCKS, 0, 1);
    assert_true(purity(graph, lens, BLOCKS) < 0.5);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* Columns may have any scale. */
static void huge_and_tiny_features_are_features(void **state) {
    (void)state;
    static const double scales[] = {1e-20, 1e20, 1e30};
    for (int64_t i = 0; i < COUNT(scales); i++) {
        dgm_graph *graph = make(80, false, true, scales[i], 3);
        dgm_matrix *lens = parts_by(graph, BLOCKS, 2, 1);
        assert_true(purity(graph, lens, BLOCKS) > 0.9);
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
}

/* Numbers of parts go from 0, the largest first, without gaps. */
static void parts_are_numbered_by_size(void **state) {
    (void)state;
    dgm_graph *graph = make(80, true, true, 1, 3);
    dgm_matrix *lens = parts_by(graph, 20, 2, 1);
    int64_t sizes[21] = {0};
    for (int64_t u = 0; u < NODES; u++) {
        double part = dgm_matrix_values(lens)[u];
        assert_true(part >= 0 && part < 20 && part == floor(part));
        sizes[(int)part]++;
    }
    for (int p = 1; p < 20; p++)
        assert_true(sizes[p] <= sizes[p - 1]);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void there_may_be_more_centres_than_nodes(void **state) {
    (void)state;
    const float values[] = {0, 0, 1, 0, 0, 1};
    const dgm_graph_features features = {.width = 2, .values = values};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 3), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(builder, 3, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    dgm_matrix *lens = parts_by(graph, 10000, 2, 1);
    const double *part = dgm_matrix_values(lens);
    assert_true(part[0] != part[1] && part[1] != part[2] && part[0] != part[2]);
    assert_true(part[0] + part[1] + part[2] == 0 + 1 + 2);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void threads_do_not_matter_and_seeds_do(void **state) {
    (void)state;
    dgm_graph *graph = make(100, true, false, 1, 3);
    dgm_context_set_threads(ctx, 1);
    dgm_matrix *one = parts_by(graph, 12, 2, 1);
    dgm_context_set_threads(ctx, 4);
    dgm_matrix *four = parts_by(graph, 12, 2, 1), *other = parts_by(graph, 12, 2, 2);
    dgm_context_set_threads(ctx, 0);
    assert_memory_equal(dgm_matrix_values(one), dgm_matrix_values(four), NODES * sizeof(double));
    assert_memory_not_equal(dgm_matrix_values(one), dgm_matrix_values(other),
                            NODES * sizeof(double));
    dgm_matrix_free(one);
    dgm_matrix_free(four);
    dgm_matrix_free(other);
    dgm_graph_free(graph);
}

static void graphs_without_features_are_refused(void **state) {
    (void)state;
    const uint32_t pair[] = {0, 1};
    dgm_graph *bare = build_graph(NULL, 2, 1, pair, NULL), *graph = make(9, true, true, 1, 3);
    dgm_features_options options = DGM_FEATURES_OPTIONS_INIT;
    dgm_matrix *lens;
    ASSERT_FAILS(dgm_lens_features(ctx, bare, NULL, &lens), DGM_ERROR_DATA,
                 "the lens 'features' needs a graph with features; this one has none");
    assert_null(lens);
    options.k = 0;
    assert_int_equal(dgm_lens_features(ctx, graph, &options, &lens), DGM_ERROR_USAGE);
    options.k = 3;
    options.steps = -1;
    assert_int_equal(dgm_lens_features(ctx, graph, &options, &lens), DGM_ERROR_USAGE);
    options.size = 1;
    assert_int_equal(dgm_lens_features(ctx, graph, &options, &lens), DGM_ERROR_USAGE);
    assert_null(lens);
    dgm_graph_free(bare);
    dgm_graph_free(graph);
}

/* Both by their names, with their keys. */
static void communities_are_those_of_dgm_communities(void **state) {
    (void)state;
    dgm_graph *graph = make(9, true, true, 1, 3);
    dgm_communities_options options = DGM_COMMUNITIES_OPTIONS_INIT;
    const char *const lens[] = {"communities:resolution=3,seed=5"};
    uint32_t parts[NODES];
    dgm_lens_result *result;
    int64_t count;
    options.resolution = 3;
    options.seed = 5;
    assert_int_equal(dgm_communities(ctx, graph, &options, parts, &count), DGM_OK);
    assert_int_equal(dgm_lens_run(ctx, graph, lens, 1, NULL, &result), DGM_OK);
    const dgm_matrix *axes = dgm_lens_result_axes(result);
    assert_string_equal(dgm_matrix_column_name(axes, 0), "community");
    for (int64_t u = 0; u < NODES; u++)
        assert_near(dgm_matrix_values(axes)[u], parts[u], 0);
    dgm_lens_result_free(result);
    assert_true(dgm_lens_find("communities")->flags & DGM_LENS_PARTS);
    assert_true(dgm_lens_find("features:k=3")->flags & DGM_LENS_PARTS);
    assert_false(dgm_lens_find("pagerank")->flags & DGM_LENS_PARTS);
    dgm_graph_free(graph);
}

/* ---- memory that ends ---- */

static dgm_status run_both(dgm_context *own, void *argument) {
    const dgm_graph *graph = argument;
    dgm_features_options options = DGM_FEATURES_OPTIONS_INIT;
    dgm_matrix *lens;
    options.k = 3;
    dgm_status status = dgm_lens_features(own, graph, &options, &lens);
    dgm_matrix_free(lens);
    if (status == DGM_OK) {
        status = dgm_lens_communities(own, graph, NULL, &lens);
        dgm_matrix_free(lens);
    }
    return status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    for (int sparse = 0; sparse < 2; sparse++) {
        dgm_graph *graph = make(70, sparse, true, 1, 3);
        fail_each_allocation(run_both, graph);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_with_structure_part_the_nodes),
        cmocka_unit_test(features_without_structure_say_nothing),
        cmocka_unit_test(huge_and_tiny_features_are_features),
        cmocka_unit_test(parts_are_numbered_by_size),
        cmocka_unit_test(there_may_be_more_centres_than_nodes),
        cmocka_unit_test(threads_do_not_matter_and_seeds_do),
        cmocka_unit_test(graphs_without_features_are_refused),
        cmocka_unit_test(communities_are_those_of_dgm_communities),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
