/* SPDX-License-Identifier: Apache-2.0 */
/* The lens 'eigen' against dense solvers (tools/oracle/lens_eigen.py), closed forms, and the
 * paper's proposition 4.1. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static dgm_matrix *eigen(const dgm_graph *graph, dgm_eigen_options options) {
    dgm_matrix *lens;
    assert_int_equal(dgm_lens_eigen(ctx, graph, &options, &lens), DGM_OK);
    assert_int_equal(dgm_matrix_rows(lens), dgm_graph_nodes(graph));
    assert_int_equal(dgm_matrix_columns(lens), options.k);
    return lens;
}

static dgm_eigen_options kind(int laplacian, int64_t k) {
    dgm_eigen_options options = DGM_EIGEN_OPTIONS_INIT;
    options.laplacian = laplacian;
    options.k = k;
    return options;
}

static double at(const dgm_matrix *lens, int64_t node, int64_t axis) {
    return dgm_matrix_values(lens)[node * dgm_matrix_columns(lens) + axis];
}

/* Notes, all of them behind each other. */
static char said[4096];

static void listen(void *user, const char *note) {
    (void)user;
    size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%s\n", note);
}

/* ---- the oracle ---- */

static FILE *open_oracle(void) {
    char path[1024];
    snprintf(path, sizeof path, "%s/oracle/lens_eigen.txt", getenv("DGM_TEST_DATA"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgetc(file) != '\n')
        ;
    return file;
}

static dgm_graph *read_graph(FILE *file) {
    long nodes, edges;
    assert_int_equal(fscanf(file, " %*s %ld %ld", &nodes, &edges), 2);
    uint32_t *ends = malloc((size_t)edges * 2 * sizeof *ends);
    double *weights = malloc((size_t)edges * sizeof *weights);
    for (long i = 0; i < edges; i++)
        assert_int_equal(fscanf(file, "%u %u %lf", &ends[2 * i], &ends[2 * i + 1], &weights[i]), 3);
    dgm_graph *graph = build_graph(NULL, nodes, edges, ends, weights);
    free(ends);
    free(weights);
    return graph;
}

/* One eigenpair: the vector up to its sign; the note has the first eigenvalue and the last. */
static void check_pair(FILE *file, const dgm_matrix *lens, int64_t axis, double tolerance) {
    double value, dot = 0, *expected = malloc((size_t)dgm_matrix_rows(lens) * sizeof *expected);
    int simple;
    assert_int_equal(fscanf(file, " pair %lf %d", &value, &simple), 2);
    for (int64_t u = 0; u < dgm_matrix_rows(lens); u++) {
        assert_int_equal(fscanf(file, "%lf", &expected[u]), 1);
        dot += expected[u] * at(lens, u, axis);
    }
    for (int64_t u = 0; simple && u < dgm_matrix_rows(lens); u++)
        assert_near(at(lens, u, axis), copysign(1, dot) * expected[u], tolerance);
    const char *note = strstr(said, axis > 0 ? " to " : " eigenvalue");
    if (axis == 0 || axis + 1 == dgm_matrix_columns(lens))
        assert_near(strtod(strpbrk(note, "0123456789"), NULL), value, 1e-6 * value);
    free(expected);
}

static void check_case(FILE *file, const dgm_graph *graph) {
    char laplacian[8], weights[16];
    long count;
    assert_int_equal(fscanf(file, "%7s %15s %ld", laplacian, weights, &count), 3);
    dgm_eigen_options options = kind(strcmp(laplacian, "sym") == 0  ? DGM_LAPLACIAN_SYM
                                     : strcmp(laplacian, "rw") == 0 ? DGM_LAPLACIAN_RW
                                                                    : DGM_LAPLACIAN_PLAIN,
                                     count);
    options.weighted = strcmp(weights, "weighted") == 0;
    options.tolerance = 1e-10;
    said[0] = '\0';
    dgm_matrix *lens = eigen(graph, options);
    for (long i = 0; i < count; i++)
        check_pair(file, lens, i, 1e-7);
    dgm_matrix_free(lens);
}

static void eigenvectors_are_those_of_a_dense_solver(void **state) {
    (void)state;
    FILE *file = open_oracle();
    char word[16];
    int cases = 0;
    dgm_graph *graph = NULL;
    dgm_context_set_notes(ctx, listen, NULL);
    while (fscanf(file, "%15s", word) == 1 && strcmp(word, "end") != 0) {
        if (strcmp(word, "graph") == 0) {
            dgm_graph_free(graph);
            graph = read_graph(file);
        } else {
            assert_string_equal(word, "case");
            check_case(file, graph);
            cases++;
        }
    }
    assert_int_equal(cases, 21);
    dgm_context_set_notes(ctx, NULL, NULL);
    dgm_graph_free(graph);
    fclose(file);
}

/* ---- what the values are ---- */

static dgm_graph *path(int64_t nodes) {
    uint32_t *ends = malloc((size_t)nodes * 2 * sizeof *ends);
    for (int64_t i = 0; i + 1 < nodes; i++) {
        ends[2 * i] = (uint32_t)i;
        ends[2 * i + 1] = (uint32_t)i + 1;
    }
    dgm_graph *graph = build_graph(NULL, nodes, nodes - 1, ends, NULL);
    free(ends);
    return graph;
}

/* The plain Fiedler vector of a path: cos(pi (i + 1/2) / n), longest at the ends; the first end
 * wins the tie and is positive. */
static void a_path_is_a_cosine_that_starts_positive(void **state) {
    (void)state;
    for (int64_t n = 2; n <= 2000; n = n * 4 + 1) {
        dgm_graph *graph = path(n);
        dgm_matrix *lens = eigen(graph, kind(DGM_LAPLACIAN_PLAIN, 1));
        for (int64_t i = 0; i < n; i++)
            assert_near(at(lens, i, 0),
                        cos(acos(-1) * ((double)i + 0.5) / (double)n) * sqrt(2 / (double)n), 1e-7);
        assert_string_equal(dgm_matrix_column_name(lens, 0), "eigen1");
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
}

/* A triangle of 0 1 2, a pair 3 4, a path 5 6 7 8, and 9 alone. */
static dgm_graph *scattered(void) {
    const uint32_t ends[] = {0, 1, 1, 2, 2, 0, 3, 4, 5, 6, 6, 7, 7, 8};
    return build_graph(NULL, 10, 7, ends, NULL);
}

static void nodes_outside_the_largest_component_get_zero_and_are_counted(void **state) {
    (void)state;
    dgm_graph *graph = scattered();
    said[0] = '\0';
    dgm_context_set_notes(ctx, listen, NULL);
    dgm_matrix *lens = eigen(graph, kind(DGM_LAPLACIAN_PLAIN, 2));
    for (int64_t u = 0; u < 10; u++)
        assert_true((at(lens, u, 0) != 0) == (u >= 5 && u < 9));
    assert_near(at(lens, 5, 0), cos(acos(-1) / 8) * sqrt(0.5), 1e-12);
    assert_string_equal(dgm_matrix_column_name(lens, 1), "eigen2");
    ASSERT_HAS(said, "the largest of 4 components has 4 of 10 nodes; the other nodes get 0");
    ASSERT_HAS(said, "eigenvalues 0.58578644 to 2, residuals at most ");
    dgm_context_set_notes(ctx, NULL, NULL);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* Equal mean squares: 1/4 of the largest component's unit, in each that has more nodes than k. */
static void components_may_have_eigenvectors_of_their_own(void **state) {
    (void)state;
    dgm_graph *graph = scattered();
    dgm_eigen_options options = kind(DGM_LAPLACIAN_SYM, 1);
    options.outside = DGM_OUTSIDE_OWN;
    said[0] = '\0';
    dgm_context_set_notes(ctx, listen, NULL);
    dgm_matrix *lens = eigen(graph, options);
    double square = 0, sum = 0;
    for (int64_t u = 0; u < 3; u++) {
        square += at(lens, u, 0) * at(lens, u, 0);
        sum += at(lens, u, 0);
    }
    assert_near(square, 3.0 / 4, 1e-12);
    assert_near(sum, 0, 1e-12);
    assert_near(at(lens, 3, 0), 0.5, 1e-12);
    assert_near(at(lens, 4, 0), -0.5, 1e-12);
    assert_true(at(lens, 9, 0) == 0);
    ASSERT_HAS(said, "3 of 4 components got eigenvectors of their own; 1 nodes in components of 1");
    dgm_matrix_free(lens);
    options.k = 2;
    lens = eigen(graph, options);
    assert_true(at(lens, 3, 0) == 0);
    assert_true(at(lens, 0, 0) != 0 || at(lens, 0, 1) != 0);
    dgm_context_set_notes(ctx, NULL, NULL);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* Components of a tenth of the largest have eigenvectors; the others lie together below all. */
static void small_components_may_lie_below_all_values(void **state) {
    (void)state;
    uint32_t ends[80];
    for (uint32_t i = 0; i < 30; i++) { /* a path of 31 nodes, one of 6, one of 3 and node 40 */
        ends[2 * i] = i;
        ends[2 * i + 1] = i + 1;
    }
    const uint32_t more[] = {31, 32, 32, 33, 33, 34, 34, 35, 35, 36, 37, 38, 38, 39};
    memcpy(ends + 60, more, sizeof more);
    dgm_graph *graph = build_graph(NULL, 41, 37, ends, NULL);
    dgm_eigen_options options = kind(DGM_LAPLACIAN_RW, 2);
    options.outside = DGM_OUTSIDE_LARGE;
    said[0] = '\0';
    dgm_context_set_notes(ctx, listen, NULL);
    dgm_matrix *lens = eigen(graph, options);
    dgm_context_set_notes(ctx, NULL, NULL);
    ASSERT_HAS(said, "2 of 4 components got eigenvectors of their own; 4 nodes in smaller "
                     "components lie below all values");
    for (int64_t axis = 0; axis < 2; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t u = 0; u < 37; u++) {
            low = fmin(low, at(lens, u, axis));
            high = fmax(high, at(lens, u, axis));
        }
        for (int64_t u = 37; u < 41; u++)
            assert_near(at(lens, u, axis), low - (high - low) / 8, 1e-12);
        assert_true(at(lens, 31, axis) != at(lens, 36, axis)); /* solved */
    }
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void assert_same_lens(const dgm_graph *a, const dgm_graph *b, dgm_eigen_options options) {
    dgm_matrix *one = eigen(a, options), *two = eigen(b, options);
    for (int64_t u = 0; u < dgm_matrix_rows(one); u++)
        assert_near(at(one, u, 0), at(two, u, 0), 1e-9);
    dgm_matrix_free(one);
    dgm_matrix_free(two);
}

/* Both arcs of a pair are one edge, of the larger weight. */
static void a_directed_graph_is_read_as_undirected_and_says_so(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    const uint32_t arcs[] = {0, 1, 1, 0, 2, 1, 2, 3, 0, 2}, edges[] = {0, 1, 2, 1, 2, 3, 0, 2};
    const double arc_weights[] = {1, 3, 2, 5, 1}, edge_weights[] = {3, 2, 5, 1};
    dgm_graph *a = build_graph(&directed, 0, 5, arcs, arc_weights);
    dgm_graph *b = build_graph(NULL, 0, 4, edges, edge_weights);
    dgm_eigen_options options = kind(DGM_LAPLACIAN_PLAIN, 1);
    said[0] = '\0';
    dgm_context_set_notes(ctx, listen, NULL);
    assert_same_lens(a, b, options);
    ASSERT_HAS(said, "reads a directed graph as undirected");
    dgm_context_set_notes(ctx, NULL, NULL);
    options.weighted = true;
    assert_same_lens(a, b, options);
    dgm_graph_free(a);
    dgm_graph_free(b);
}

/* An edge of weight 0 joins nothing, once weights count. */
static void edges_of_weight_zero_are_none(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 2, 3};
    dgm_graph *graph = build_graph(NULL, 0, 3, ends, (const double[]){1, 1, 0});
    dgm_eigen_options options = kind(DGM_LAPLACIAN_SYM, 1);
    dgm_matrix *lens = eigen(graph, options);
    assert_true(at(lens, 3, 0) != 0);
    dgm_matrix_free(lens);
    options.weighted = true;
    lens = eigen(graph, options);
    assert_true(at(lens, 3, 0) == 0);
    assert_near(at(lens, 0, 0), sqrt(0.5), 1e-12);
    assert_near(at(lens, 1, 0), 0, 1e-12);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* L has no loops in it, D has: B^-1/2 L B^-1/2 of 0 - 1 with a loop at 0 is [1/2, -s; -s, 1], s =
 * 1/sqrt(2), of eigenvalues 0 and 3/2. */
static void a_kept_loop_adds_to_the_degree_alone(void **state) {
    (void)state;
    const dgm_graph_options keep = {.size = sizeof(dgm_graph_options), .keep_loops = true};
    dgm_graph *graph = build_graph(&keep, 0, 2, (const uint32_t[]){0, 0, 0, 1}, NULL);
    said[0] = '\0';
    dgm_context_set_notes(ctx, listen, NULL);
    dgm_matrix *lens = eigen(graph, kind(DGM_LAPLACIAN_SYM, 1));
    ASSERT_HAS(said, "eigenvalue 1.5,");
    assert_near(at(lens, 0, 0), -sqrt(1.0 / 3), 1e-12);
    assert_near(at(lens, 1, 0), sqrt(2.0 / 3), 1e-12);
    dgm_matrix_free(lens);
    lens = eigen(graph, kind(DGM_LAPLACIAN_PLAIN, 1));
    assert_near(at(lens, 0, 0), sqrt(0.5), 1e-12);
    dgm_context_set_notes(ctx, NULL, NULL);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* ---- what it refuses ---- */

static void graphs_and_options_it_cannot_serve_are_refused(void **state) {
    (void)state;
    dgm_matrix *lens;
    dgm_graph *empty = build_graph(NULL, 5, 0, NULL, NULL),
              *none = build_graph(NULL, 0, 0, NULL, NULL);
    dgm_graph *three = path(3), *large = path(400);
    dgm_graph *negative =
        build_graph(NULL, 0, 2, (const uint32_t[]){0, 1, 1, 2}, (const double[]){1, -2});
    dgm_eigen_options options = kind(DGM_LAPLACIAN_SYM, 3);
    ASSERT_FAILS(dgm_lens_eigen(ctx, empty, NULL, &lens), DGM_ERROR_DATA,
                 "the lens 'eigen' needs edges between nodes, and the graph has none");
    assert_null(lens);
    assert_int_equal(dgm_lens_eigen(ctx, none, NULL, &lens), DGM_ERROR_DATA);
    ASSERT_FAILS(dgm_lens_eigen(ctx, three, &options, &lens), DGM_ERROR_DATA,
                 "the largest component has 3 nodes, so the lens 'eigen' takes k from 1 to 2 here, "
                 "not 3");
    options.weighted = true;
    ASSERT_FAILS(dgm_lens_eigen(ctx, negative, &options, &lens), DGM_ERROR_DATA,
                 "weighted eigenvectors need finite weights of at least 0; an edge of node 1 "
                 "weighs -2");
    dgm_graph *weightless = build_graph(NULL, 0, 1, (const uint32_t[]){0, 1}, (const double[]){0});
    ASSERT_FAILS(
        dgm_lens_eigen(ctx, weightless, &options, &lens), DGM_ERROR_DATA,
        "the lens 'eigen' needs edges between nodes, and the graph has none of positive weight");
    dgm_graph_free(weightless);
    options.k = 0;
    assert_int_equal(dgm_lens_eigen(ctx, three, &options, &lens), DGM_ERROR_USAGE);
    options = kind(DGM_LAPLACIAN_SYM, 1);
    options.iterations = 3;
    assert_int_equal(dgm_lens_eigen(ctx, large, &options, &lens), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), "eigenvector 1 reached a residual of ");
    ASSERT_HAS(dgm_context_error(ctx), "in 3 steps; raise iterations or tolerance");
    assert_null(lens);
    dgm_graph_free(empty);
    dgm_graph_free(none);
    dgm_graph_free(three);
    dgm_graph_free(large);
    dgm_graph_free(negative);
}

/* ---- memory ---- */

static int64_t calls, fail_at, alive;

static void *failing_resize(void *user, void *block, size_t size) {
    (void)user;
    if (size == 0) {
        alive -= block != NULL;
        free(block);
        return NULL;
    }
    if (++calls == fail_at)
        return NULL;
    alive += block == NULL;
    return realloc(block, size);
}

static void fail_every_allocation(const dgm_graph *graph, dgm_eigen_options options) {
    const dgm_allocator allocator = {failing_resize, NULL};
    dgm_status status = DGM_ERROR_MEMORY;
    for (fail_at = 1; status != DGM_OK; fail_at++) {
        dgm_context *weak;
        dgm_matrix *lens = NULL;
        calls = 0;
        status = dgm_context_create(&allocator, &weak);
        if (status == DGM_OK) {
            dgm_context_set_threads(weak, 1);
            status = dgm_lens_eigen(weak, graph, &options, &lens);
        }
        assert_true(status == (calls >= fail_at ? DGM_ERROR_MEMORY : DGM_OK));
        assert_true((lens != NULL) == (status == DGM_OK));
        dgm_matrix_free(lens);
        dgm_context_free(weak);
        assert_int_equal(alive, 0);
    }
    assert_true(fail_at > 10);
}

/* A path of 400 is sparse and slow: it takes the elimination as well. Preferential attachment on
 * 3000 nodes takes the filter, and blocks too large for the arena's first. */
static void every_allocation_may_fail(void **state) {
    (void)state;
    dgm_graph *slow = path(400), *crowded;
    dgm_eigen_options options = kind(DGM_LAPLACIAN_RW, 2);
    dgm_generate_options preferential = DGM_GENERATE_OPTIONS_INIT;
    options.tolerance = 1e-4;
    fail_every_allocation(slow, options);
    preferential.kind = DGM_GENERATE_BA;
    preferential.nodes = 3000;
    assert_int_equal(dgm_graph_generate(ctx, &preferential, NULL, &crowded), DGM_OK);
    options.tolerance = 1e-8;
    fail_every_allocation(crowded, options);
    dgm_graph_free(slow);
    dgm_graph_free(crowded);
}

/* ---- proposition 4.1 ---- */

/* The signs of the Fiedler vector split a connected graph into two clusters without an edge, given
 * the cover (-inf, e), (-e, inf) with e below every |entry|. */
static void check_partition(const dgm_graph *graph, int laplacian) {
    dgm_matrix *lens = eigen(graph, kind(laplacian, 1));
    double least = INFINITY;
    for (int64_t u = 0; u < dgm_matrix_rows(lens); u++)
        least = fmin(least, fabs(at(lens, u, 0)));
    assert_true(least > 1e-6);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    const dgm_interval given[] = {{-INFINITY, least / 2}, {-least / 2, INFINITY}};
    options.cover = DGM_COVER_INTERVALS;
    options.given = given;
    options.given_count = 2;
    dgm_summary *summary;
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_OK);
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    int64_t edges;
    dgm_summary_edges(summary, &edges);
    assert_int_equal(clusters.count, 2);
    assert_int_equal(edges, 0);
    for (int64_t c = 0; c < 2; c++)
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++)
            assert_true((at(lens, clusters.members[i], 0) < 0) == (c == 0));
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
}

static void signs_of_the_fiedler_vector_cut_the_graph_in_two(void **state) {
    (void)state;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    static const dgm_generator kinds[] = {DGM_GENERATE_KARATE, DGM_GENERATE_BA, DGM_GENERATE_WS};
    for (int64_t i = 0; i < COUNT(kinds); i++)
        for (int laplacian = DGM_LAPLACIAN_SYM; laplacian <= DGM_LAPLACIAN_PLAIN; laplacian++) {
            dgm_graph *graph;
            options.kind = (int)kinds[i];
            options.nodes = 300;
            assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
            check_partition(graph, laplacian);
            dgm_graph_free(graph);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eigenvectors_are_those_of_a_dense_solver),
        cmocka_unit_test(a_path_is_a_cosine_that_starts_positive),
        cmocka_unit_test(nodes_outside_the_largest_component_get_zero_and_are_counted),
        cmocka_unit_test(components_may_have_eigenvectors_of_their_own),
        cmocka_unit_test(small_components_may_lie_below_all_values),
        cmocka_unit_test(a_directed_graph_is_read_as_undirected_and_says_so),
        cmocka_unit_test(edges_of_weight_zero_are_none),
        cmocka_unit_test(a_kept_loop_adds_to_the_degree_alone),
        cmocka_unit_test(graphs_and_options_it_cannot_serve_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(signs_of_the_fiedler_vector_cut_the_graph_in_two),
    };
    return RUN_WITH_CONTEXT(tests);
}
