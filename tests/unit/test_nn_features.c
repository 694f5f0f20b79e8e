/* SPDX-License-Identifier: Apache-2.0 */
/* Features and propagation matrices against cases worked by hand and against dense recomputation on
 * random graphs. */
#include "nn_sample.h"

#include <math.h>

static uint64_t seed;

/* ---- propagation ---- */

/* Degrees 2, 3, 2 with the identity. */
static void a_path_of_three_is_normalised_by_hand(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 4, 2, (const uint32_t[]){0, 1, 1, 2}, NULL);
    dgmi_nn_sparse p;
    assert_int_equal(dgmi_nn_propagation_make(ctx, graph, &p), DGM_OK);
    check_csr(&p.matrix);
    assert_int_equal(dgmi_table_csr_entries(&p.matrix), 3 + 4 + 1);
    assert_near(csr_at(&p.matrix, 0, 0), 1.0 / 2, 1e-7);
    assert_near(csr_at(&p.matrix, 1, 1), 1.0 / 3, 1e-7);
    assert_near(csr_at(&p.matrix, 0, 1), 1 / sqrt(6), 1e-7);
    assert_near(csr_at(&p.matrix, 2, 1), 1 / sqrt(6), 1e-7);
    assert_true(csr_at(&p.matrix, 3, 3) == 1); /* alone: its own loop */
    dgmi_nn_propagation_free(ctx, &p);
    assert_null(p.matrix.offsets);
    dgm_graph_free(graph);
}

/* A loop of weight 2 at node 0: degrees 1 + 2 + 1 and 1 + 1. */
static void a_kept_loop_adds_to_the_identity(void **state) {
    (void)state;
    const dgm_graph_options keep = {.size = sizeof(dgm_graph_options), .keep_loops = true};
    dgm_graph *graph =
        build_graph(&keep, 0, 2, (const uint32_t[]){0, 0, 0, 1}, (const double[]){2, 1});
    dgmi_nn_sparse p;
    assert_int_equal(dgmi_nn_propagation_make(ctx, graph, &p), DGM_OK);
    assert_int_equal(dgmi_table_csr_entries(&p.matrix), 4);
    assert_near(csr_at(&p.matrix, 0, 0), 3.0 / 4, 1e-7);
    assert_near(csr_at(&p.matrix, 0, 1), 1 / sqrt(8), 1e-7);
    assert_near(csr_at(&p.matrix, 1, 1), 1.0 / 2, 1e-7);
    dgmi_nn_propagation_free(ctx, &p);
    dgm_graph_free(graph);
}

/* 0 -> 1: only 1 gathers, from 0; in-degrees 1 and 2. */
static void of_a_directed_graph_the_end_of_an_arc_gathers(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph = build_graph(&directed, 0, 1, (const uint32_t[]){0, 1}, NULL);
    dgmi_nn_sparse p;
    assert_int_equal(dgmi_nn_propagation_make(ctx, graph, &p), DGM_OK);
    assert_int_equal(dgmi_table_csr_entries(&p.matrix), 3);
    assert_near(csr_at(&p.matrix, 0, 0), 1, 0);
    assert_near(csr_at(&p.matrix, 1, 0), 1 / sqrt(2), 1e-7);
    assert_near(csr_at(&p.matrix, 1, 1), 1.0 / 2, 1e-7);
    dgmi_nn_propagation_free(ctx, &p);
    dgm_graph_free(graph);
}

/* A + I from the graph's rows, as u -> v stands in row v; occupied: where an entry is due. */
static void naive_propagation(const dgm_graph *graph, double *matrix, bool *occupied) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    int64_t n = rows.nodes;
    double *degree = calloc((size_t)n + 1, sizeof *degree);
    for (int64_t u = 0; u < n; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            matrix[rows.targets[e] * n + u] = rows.weights ? rows.weights[e] : 1;
            occupied[rows.targets[e] * n + u] = true;
        }
    for (int64_t v = 0; v < n; v++) {
        matrix[v * n + v] += 1;
        occupied[v * n + v] = true;
    }
    for (int64_t i = 0; i < n * n; i++)
        degree[i / n] += matrix[i];
    for (int64_t i = 0; i < n * n; i++)
        matrix[i] /= sqrt(degree[i / n] * degree[i % n]);
    free(degree);
}

static void check_propagation(const dgm_graph *graph) {
    int64_t n = dgm_graph_nodes(graph), entries = 0;
    double *matrix = calloc((size_t)(n * n) + 1, sizeof *matrix);
    bool *occupied = calloc((size_t)(n * n) + 1, sizeof *occupied);
    naive_propagation(graph, matrix, occupied);
    dgmi_nn_sparse p;
    assert_int_equal(dgmi_nn_propagation_make(ctx, graph, &p), DGM_OK);
    check_csr(&p.matrix);
    for (int64_t i = 0; i < n * n; i++) {
        entries += occupied[i];
        assert_near((double)csr_at(&p.matrix, i / n, i % n), matrix[i], 1e-7);
    }
    assert_int_equal(dgmi_table_csr_entries(&p.matrix), entries);
    if (dgm_graph_get_rows(graph).directed) {
        check_transpose(&p);
    } else {
        assert_null(p.positions);
        assert_null(p.owned);
        for (int64_t i = 0; i < n * n; i++)
            assert_true(csr_at(&p.matrix, i / n, i % n) == csr_at(&p.matrix, i % n, i / n));
    }
    dgmi_nn_propagation_free(ctx, &p);
    free(occupied);
    free(matrix);
}

static void propagation_of_random_graphs_is_that_of_dense_matrices(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        check_random random = check_random_case(seed, 1, i);
        int64_t nodes = check_random_between(&random, 1, 40);
        sample s = draw_sample(&random, nodes, check_random_below(&random, 4 * (int)nodes));
        dgm_graph *graph = build_sample(&s);
        check_propagation(graph);
        dgm_graph_free(graph);
        free_sample(&s);
    }
}

static void assert_same_csr(const dgmi_table_csr *a, const dgmi_table_csr *b) {
    assert_int_equal(a->rows, b->rows);
    assert_memory_equal(a->offsets, b->offsets, (size_t)(a->rows + 1) * sizeof *a->offsets);
    size_t entries = (size_t)dgmi_table_csr_entries(a);
    assert_memory_equal(a->indices, b->indices, entries * sizeof *a->indices);
    assert_memory_equal(a->values, b->values, entries * sizeof *a->values);
}

static void propagation_has_the_same_bytes_for_any_number_of_threads(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        check_random random = check_random_case(seed, 2, i);
        sample s = draw_sample(&random, 20000, 40000);
        dgm_graph *graph = build_sample(&s);
        dgmi_nn_sparse one, many;
        dgm_context_set_threads(ctx, 1);
        assert_int_equal(dgmi_nn_propagation_make(ctx, graph, &one), DGM_OK);
        if (one.positions)
            check_transpose(&one);
        for (int threads = 2; threads <= 5; threads += 3) {
            dgm_context_set_threads(ctx, threads);
            assert_int_equal(dgmi_nn_propagation_make(ctx, graph, &many), DGM_OK);
            assert_same_csr(&one.matrix, &many.matrix);
            assert_same_csr(&one.transpose, &many.transpose);
            dgmi_nn_propagation_free(ctx, &many);
        }
        dgm_context_set_threads(ctx, 0);
        dgmi_nn_propagation_free(ctx, &one);
        dgm_graph_free(graph);
        free_sample(&s);
    }
}

static void a_negative_weight_is_an_error_that_names_the_edge(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 3, 2};
    const double weights[] = {1, -0.5};
    dgmi_nn_sparse p;
    dgm_graph *graph = build_graph(NULL, 0, 2, ends, weights);
    ASSERT_FAILS(dgmi_nn_propagation_make(ctx, graph, &p), DGM_ERROR_DATA,
                 "the edge from 2 to 3 weighs -0.5: a graph convolution needs weights of 0 or "
                 "more");
    assert_null(p.matrix.offsets);
    dgm_graph_free(graph);
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    graph = build_graph(&directed, 0, 2, ends, weights);
    ASSERT_FAILS(dgmi_nn_propagation_make(ctx, graph, &p), DGM_ERROR_DATA,
                 "the edge from 3 to 2 weighs -0.5: a graph convolution needs weights of 0 or "
                 "more");
    dgm_graph_free(graph);
}

static void weights_that_add_up_to_infinity_are_an_error(void **state) {
    (void)state;
    const double weights[] = {1.7e308, 1.7e308};
    dgmi_nn_sparse p;
    dgm_graph *graph = build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 1, 2}, weights);
    ASSERT_FAILS(dgmi_nn_propagation_make(ctx, graph, &p), DGM_ERROR_DATA,
                 "the edge weights of node 1 add up to more than a number holds; scale them");
    dgm_graph_free(graph);
}

/* One edge of 1e300 between degrees of 1e300: still 1. */
/* Each source knows one number that is fine; what arrives at the end is too much. */
static void arcs_whose_weights_add_up_to_infinity_where_they_end_are_an_error(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    const double weights[] = {1.7e308, 1.7e308};
    dgmi_nn_sparse p;
    dgm_graph *graph = build_graph(&directed, 0, 2, (const uint32_t[]){0, 2, 1, 2}, weights);
    ASSERT_FAILS(dgmi_nn_propagation_make(ctx, graph, &p), DGM_ERROR_DATA,
                 "the edge weights of node 2 add up to more than a number holds; scale them");
    dgm_graph_free(graph);
}

static void huge_weights_are_normalised_without_overflow(void **state) {
    (void)state;
    dgmi_nn_sparse p;
    dgm_graph *graph = build_graph(NULL, 0, 1, (const uint32_t[]){0, 1}, (const double[]){1e300});
    assert_int_equal(dgmi_nn_propagation_make(ctx, graph, &p), DGM_OK);
    assert_near(csr_at(&p.matrix, 0, 1), 1, 1e-7);
    assert_near(csr_at(&p.matrix, 0, 0), 0, 1e-7);
    dgmi_nn_propagation_free(ctx, &p);
    dgm_graph_free(graph);
}

/* ---- features ---- */

enum { NODES = 3, WIDTH = 4 };
static const int64_t offsets[] = {0, 2, 2, 5};
static const uint32_t columns[] = {1, 3, 0, 1, 2};
static const float entries[] = {1, 3, 2, 2, 4};
static const float table[] = {0, 1, 0, 3, 0, 0, 0, 0, 2, 2, 4, 0};

static dgm_graph *with_features(const dgm_graph_features *features) {
    const sample s = {.nodes = NODES, .features = features};
    return build_sample(&s);
}

static void rows_of_sparse_features_add_up_to_one(void **state) {
    (void)state;
    dgm_graph *graph = with_features(&(dgm_graph_features){WIDTH, offsets, columns, entries});
    dgmi_nn_features x;
    listen_to_notes();
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, true, &x), DGM_OK);
    assert_int_equal(note_count, 0);
    assert_null(x.dense);
    assert_false(x.one_hot);
    assert_int_equal(x.rows, NODES);
    assert_int_equal(x.width, WIDTH);
    static const float expected[] = {0.25F, 0.75F, 0.25F, 0.25F, 0.5F};
    assert_memory_equal(x.sparse.matrix.values, expected, sizeof expected);
    check_transpose(&x.sparse);
    dgmi_nn_features_free(ctx, &x);
    assert_null(x.sparse.matrix.offsets);
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, false, &x), DGM_OK);
    assert_memory_equal(x.sparse.matrix.values, entries, sizeof entries);
    check_transpose(&x.sparse);
    dgmi_nn_features_free(ctx, &x);
    dgm_graph_free(graph);
}

static void a_pattern_has_ones_or_shares_of_its_row(void **state) {
    (void)state;
    dgm_graph *graph = with_features(&(dgm_graph_features){WIDTH, offsets, columns, NULL});
    dgmi_nn_features x;
    static const float ones[] = {1, 1, 1, 1, 1};
    const float third = (float)(1.0 / 3), shares[] = {0.5F, 0.5F, third, third, third};
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, false, &x), DGM_OK);
    assert_memory_equal(x.sparse.matrix.values, ones, sizeof ones);
    check_transpose(&x.sparse);
    dgmi_nn_features_free(ctx, &x);
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, true, &x), DGM_OK);
    assert_memory_equal(x.sparse.matrix.values, shares, sizeof shares);
    dgmi_nn_features_free(ctx, &x);
    dgm_graph_free(graph);
}

static void dense_features_stay_dense(void **state) {
    (void)state;
    dgm_graph *graph = with_features(&(dgm_graph_features){.width = WIDTH, .values = table});
    static const float expected[] = {0, 0.25F, 0, 0.75F, 0, 0, 0, 0, 0.25F, 0.25F, 0.5F, 0};
    dgmi_nn_features x;
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, true, &x), DGM_OK);
    assert_memory_equal(x.dense, expected, sizeof expected);
    assert_null(x.sparse.matrix.offsets);
    dgmi_nn_features_free(ctx, &x);
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, false, &x), DGM_OK);
    assert_memory_equal(x.dense, table, sizeof table);
    dgmi_nn_features_free(ctx, &x);
    dgm_graph_free(graph);
}

/* Rows longer than what is otherwise looked at together. */
static void rows_of_many_columns_are_normalised(void **state) {
    (void)state;
    enum { LONG = 70000 };
    static float wide[NODES * LONG];
    for (int64_t i = 0; i < NODES * LONG; i++)
        wide[i] = i % 2 ? 0 : 1;
    dgm_graph *graph = with_features(&(dgm_graph_features){.width = LONG, .values = wide});
    dgmi_nn_features x;
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, true, &x), DGM_OK);
    for (int64_t i = 0; i < NODES * LONG; i++)
        assert_true(x.dense[i] == (i % 2 ? 0 : 1.0F / (LONG / 2)));
    dgmi_nn_features_free(ctx, &x);
    dgm_graph_free(graph);
}

static void negative_numbers_and_single_columns_are_left_alone(void **state) {
    (void)state;
    static const float negative[] = {1, 3, 2, -2, 4}, column[] = {0.5F, 2, 0};
    dgm_graph *graph = with_features(&(dgm_graph_features){WIDTH, offsets, columns, negative});
    dgmi_nn_features x;
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, true, &x), DGM_OK);
    assert_memory_equal(x.sparse.matrix.values, negative, sizeof negative);
    dgmi_nn_features_free(ctx, &x);
    dgm_graph_free(graph);
    graph = with_features(&(dgm_graph_features){.width = 1, .values = column});
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, true, &x), DGM_OK);
    assert_memory_equal(x.dense, column, sizeof column);
    dgmi_nn_features_free(ctx, &x);
    dgm_graph_free(graph);
}

/* Random rows, sparse or dense, against a sum of each row. */
static void normalised_rows_of_random_features_are_their_shares(void **state) {
    (void)state;
    for (int i = 0; i < 100; i++) {
        check_random random = check_random_case(seed, 3, i);
        int64_t n = check_random_between(&random, 1, 50),
                width = check_random_between(&random, 2, 30);
        int64_t *starts = calloc((size_t)n + 1, sizeof *starts);
        uint32_t *places = malloc((size_t)(n * width) * sizeof *places);
        float *values = malloc((size_t)(n * width) * sizeof *values);
        double *sums = calloc((size_t)n, sizeof *sums);
        bool dense = check_random_chance(&random, 0.5);
        for (int64_t u = 0; u < n; u++) {
            starts[u + 1] = starts[u];
            for (int64_t j = 0; j < width; j++)
                if (dense || check_random_chance(&random, 0.2)) {
                    places[starts[u + 1]] = (uint32_t)j;
                    sums[u] +=
                        (double)(values[starts[u + 1]++] = (float)check_random_unit(&random));
                }
        }
        const dgm_graph_features features = {width, dense ? NULL : starts, dense ? NULL : places,
                                             values};
        const sample s = {.nodes = n, .features = &features};
        dgm_graph *graph = build_sample(&s);
        dgmi_nn_features x;
        assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, true, &x), DGM_OK);
        if (!dense)
            check_transpose(&x.sparse);
        for (int64_t u = 0; u < n; u++)
            for (int64_t e = starts[u]; e < starts[u + 1]; e++)
                assert_near((double)(dense ? x.dense : x.sparse.matrix.values)[e],
                            (double)values[e] / sums[u], 1e-7);
        dgmi_nn_features_free(ctx, &x);
        dgm_graph_free(graph);
        free(starts), free(places), free(values), free(sums);
    }
}

static void features_have_the_same_bytes_for_any_number_of_threads(void **state) {
    (void)state;
    enum { ROWS = 20000, MANY = 37 };
    check_random random = check_random_case(seed, 4, 0);
    float *values = malloc(sizeof *values * ROWS * MANY);
    for (int64_t i = 0; i < (int64_t)ROWS * MANY; i++)
        values[i] = (float)check_random_unit(&random);
    const dgm_graph_features features = {.width = MANY, .values = values};
    const sample s = {.nodes = ROWS, .features = &features};
    dgm_graph *graph = build_sample(&s);
    dgmi_nn_features one, many;
    dgm_context_set_threads(ctx, 1);
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, true, &one), DGM_OK);
    dgm_context_set_threads(ctx, 5);
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, true, &many), DGM_OK);
    assert_memory_equal(one.dense, many.dense, sizeof *values * ROWS * MANY);
    dgm_context_set_threads(ctx, 0);
    dgmi_nn_features_free(ctx, &one);
    dgmi_nn_features_free(ctx, &many);
    dgm_graph_free(graph);
    free(values);
}

/* ---- where the graph has none ---- */

static void nodes_without_features_are_told_apart_by_number(void **state) {
    (void)state;
    dgm_graph *graph = with_features(NULL);
    const dgmi_table_tensor w = {NODES, 2, (float[]){1, 2, 3, 4, 5, 6}};
    float product[NODES * 2];
    dgmi_table_tensor y = {NODES, 2, product};
    dgmi_nn_features x;
    listen_to_notes();
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_AUTO, true, &x), DGM_OK);
    assert_string_equal(last_note,
                        "the graph has no features: nodes are told apart by their number "
                        "(one-hot); features=degree uses degrees");
    assert_true(x.one_hot);
    assert_int_equal(x.width, NODES);
    check_transpose(&x.sparse);
    dgmi_kernels_find(NULL)->csr_product(ctx, &x.sparse.matrix, &w, false, &y);
    assert_memory_equal(product, w.values, sizeof product);
    dgmi_nn_features_free(ctx, &x);
    dgm_graph_free(graph);
}

static void one_hot_features_take_sixteen_bytes_a_node(void **state) {
    (void)state;
    const sample s = {.nodes = 50000};
    dgm_graph *graph = build_sample(&s);
    check_memory memory = {0};
    dgm_allocator allocator = check_memory_allocator(&memory);
    dgm_context *context;
    dgmi_nn_features x;
    assert_int_equal(dgm_context_create(&allocator, &context), DGM_OK);
    dgm_context_set_threads(context, 1);
    long long before = memory.bytes;
    assert_int_equal(dgmi_nn_features_make(context, graph, DGM_FEATURES_ONE_HOT, true, &x), DGM_OK);
    assert_true(memory.peak - before <= 16 * s.nodes + 8);
    dgmi_nn_features_free(context, &x);
    assert_int_equal(memory.bytes, before);
    dgm_context_free(context);
    dgm_graph_free(graph);
}

/* Arcs 0 -> 1, 2 -> 1 and a loop at 0: degrees 3, 2, 1. */
static void degrees_count_both_directions_and_loops_twice(void **state) {
    (void)state;
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true, .nodes = 4};
    const uint32_t ends[] = {0, 1, 2, 1, 0, 0};
    for (int directed = 0; directed < 2; directed++) {
        dgm_graph_options use = options;
        use.directed = directed;
        dgm_graph *graph = build_graph(&use, 0, 3, ends, NULL);
        dgmi_nn_features x;
        listen_to_notes();
        assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_DEGREE, true, &x), DGM_OK);
        assert_int_equal(note_count, 0); /* as asked for */
        assert_int_equal(x.width, 1);
        for (int u = 0; u < 4; u++)
            assert_near((double)x.dense[u], log((double[]){4, 3, 2, 1}[u]), 1e-7);
        dgmi_nn_features_free(ctx, &x);
        dgm_graph_free(graph);
    }
}

static void features_left_aside_are_said(void **state) {
    (void)state;
    dgm_graph *graph = with_features(&(dgm_graph_features){.width = WIDTH, .values = table});
    dgmi_nn_features x;
    listen_to_notes();
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_DEGREE, true, &x), DGM_OK);
    assert_int_equal(x.width, 1);
    ASSERT_HAS(last_note, "the graph's own features are left aside");
    dgmi_nn_features_free(ctx, &x);
    assert_int_equal(dgmi_nn_features_make(ctx, graph, DGM_FEATURES_ONE_HOT, true, &x), DGM_OK);
    assert_true(x.one_hot);
    assert_int_equal(note_count, 2);
    dgmi_nn_features_free(ctx, &x);
    ASSERT_FAILS(dgmi_nn_features_make(ctx, graph, 7, true, &x), DGM_ERROR_USAGE,
                 "7 is no kind of features");
    dgm_graph_free(graph);
}

static void a_graph_without_nodes_has_empty_matrices(void **state) {
    (void)state;
    const sample s = {0};
    dgm_graph *graph = build_sample(&s);
    dgmi_nn_features x;
    dgmi_nn_sparse p;
    for (int kind = DGM_FEATURES_AUTO; kind <= DGM_FEATURES_DEGREE; kind++) {
        assert_int_equal(dgmi_nn_features_make(ctx, graph, kind, true, &x), DGM_OK);
        dgmi_nn_features_free(ctx, &x);
    }
    assert_int_equal(dgmi_nn_propagation_make(ctx, graph, &p), DGM_OK);
    assert_int_equal(dgmi_table_csr_entries(&p.matrix), 0);
    dgmi_nn_propagation_free(ctx, &p);
    dgm_graph_free(graph);
}

/* ---- memory ---- */

static dgm_status make_propagation(dgm_context *context, const dgm_graph *graph) {
    dgmi_nn_sparse p;
    dgm_status status = dgmi_nn_propagation_make(context, graph, &p);
    assert_int_equal(p.matrix.offsets != NULL, status == DGM_OK);
    dgmi_nn_propagation_free(context, &p);
    return status;
}

static int feature_kind;

static dgm_status make_features(dgm_context *context, const dgm_graph *graph) {
    dgmi_nn_features x;
    dgm_status status = dgmi_nn_features_make(context, graph, feature_kind, true, &x);
    assert_int_equal(x.width > 0, status == DGM_OK);
    dgmi_nn_features_free(context, &x);
    return status;
}

static void every_failed_allocation_is_told_and_nothing_leaks(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 2, 2};
    for (int directed = 0; directed < 2; directed++) {
        const dgm_graph_options options = {
            .size = sizeof(dgm_graph_options), .directed = directed, .keep_loops = true};
        dgm_graph *graph = build_graph(&options, 0, 3, ends, (const double[]){1, 2, 3});
        assert_true(fail_every_allocation(make_propagation, graph) >= 4 + directed);
        feature_kind = DGM_FEATURES_ONE_HOT;
        assert_true(fail_every_allocation(make_features, graph) == 3);
        feature_kind = DGM_FEATURES_DEGREE; /* its scratch memory may be there already */
        assert_true(fail_every_allocation(make_features, graph) >= 2);
        dgm_graph_free(graph);
    }
    feature_kind = DGM_FEATURES_AUTO;
    dgm_graph *sparse = with_features(&(dgm_graph_features){WIDTH, offsets, columns, NULL});
    assert_true(fail_every_allocation(make_features, sparse) == 3);
    dgm_graph_free(sparse);
    dgm_graph *dense = with_features(&(dgm_graph_features){.width = WIDTH, .values = table});
    assert_true(fail_every_allocation(make_features, dense) == 2);
    dgm_graph_free(dense);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_of_three_is_normalised_by_hand),
        cmocka_unit_test(a_kept_loop_adds_to_the_identity),
        cmocka_unit_test(of_a_directed_graph_the_end_of_an_arc_gathers),
        cmocka_unit_test(propagation_of_random_graphs_is_that_of_dense_matrices),
        cmocka_unit_test(propagation_has_the_same_bytes_for_any_number_of_threads),
        cmocka_unit_test(a_negative_weight_is_an_error_that_names_the_edge),
        cmocka_unit_test(weights_that_add_up_to_infinity_are_an_error),
        cmocka_unit_test(huge_weights_are_normalised_without_overflow),
        cmocka_unit_test(rows_of_sparse_features_add_up_to_one),
        cmocka_unit_test(a_pattern_has_ones_or_shares_of_its_row),
        cmocka_unit_test(dense_features_stay_dense),
        cmocka_unit_test(negative_numbers_and_single_columns_are_left_alone),
        cmocka_unit_test(normalised_rows_of_random_features_are_their_shares),
        cmocka_unit_test(features_have_the_same_bytes_for_any_number_of_threads),
        cmocka_unit_test(nodes_without_features_are_told_apart_by_number),
        cmocka_unit_test(one_hot_features_take_sixteen_bytes_a_node),
        cmocka_unit_test(degrees_count_both_directions_and_loops_twice),
        cmocka_unit_test(features_left_aside_are_said),
        cmocka_unit_test(a_graph_without_nodes_has_empty_matrices),
        cmocka_unit_test(every_failed_allocation_is_told_and_nothing_leaks),
        cmocka_unit_test(arcs_whose_weights_add_up_to_infinity_where_they_end_are_an_error),
        cmocka_unit_test(rows_of_many_columns_are_normalised),
    };
    seed = check_random_seed();
    return RUN_WITH_CONTEXT(tests);
}
