/* SPDX-License-Identifier: Apache-2.0 */
/* The unit of weights changes nothing: weights times 2^k give the same lenses, in that unit, and
 * the same communities, from k = -1000 to 1000. */
#include "property_fixture.h"

#include "../check_lens.h"

#include <math.h>
#include <string.h>

enum { NODES = 40, EDGES = 90, STEP = 125, MOST = 1000 };

typedef struct {
    const char *lens;
    int power;        /* of the unit of weights that the lens has */
    double tolerance; /* 0: the same number */
} unit_case;

static const unit_case cases[] = {
    {"pagerank:weighted", 0, 0},
    {"betweenness:weighted", 0, 0},
    {"strength", 1, 0},
    {"agd:weighted", 1, 0},
    {"agd:weighted,samples=16", 1, 0},
    {"eccentricity:weighted", 1, 0},
    {"eccentricity:weighted,samples=16", 1, 0},
    {"closeness:weighted", -1, 0},
    {"harmonic:weighted", -1, 0},
    /* The root of an odd power of two is not exact. */
    {"eigen:weighted", 0, 1e-7},
    {"eigen:weighted,laplacian=rw", 0, 1e-7},
    {"eigen:weighted,laplacian=plain", 0, 1e-7},
};

/* A ring with chords, so that all is connected. Weights are between 1/16 and 16. */
static dgm_graph *draw_graph(uint64_t stream, bool directed, int exponent) {
    check_random random = {stream};
    uint32_t ends[2 * EDGES];
    double weights[EDGES];
    for (uint32_t e = 0; e < EDGES; e++) {
        ends[2 * e] = e < NODES ? e : (uint32_t)check_random_below(&random, NODES);
        ends[2 * e + 1] =
            e < NODES ? (e + 1) % NODES : (uint32_t)check_random_below(&random, NODES);
        double share = 1 + (double)check_random_below(&random, 1000) / 1000;
        weights[e] = ldexp(share, (int)check_random_below(&random, 8) - 4 + exponent);
    }
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder = NULL;
    dgm_graph *graph = NULL;
    options.directed = directed;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, EDGES, ends, weights), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static dgm_matrix *run(const dgm_graph *graph, const char *lens) {
    dgm_matrix *values = NULL;
    if (lens_axes(ctx, graph, lens, 1, &values) != DGM_OK)
        fail_msg("%s: %s", lens, dgm_context_error(ctx));
    return values;
}

static void compare_lens(const unit_case *c, const dgm_graph *graph, const dgm_graph *scaled,
                         int k) {
    dgm_matrix *plain = run(graph, c->lens), *other = run(scaled, c->lens);
    for (int64_t i = 0; i < dgm_matrix_rows(plain); i++) {
        double expected = ldexp(dgm_matrix_values(plain)[i], c->power * k);
        double found = dgm_matrix_values(other)[i];
        if (!(fabs(found - expected) <= c->tolerance))
            fail_msg("%s times 2^%d, node %d: %.17g, not %.17g", c->lens, k, (int)i, found,
                     expected);
    }
    dgm_matrix_free(plain);
    dgm_matrix_free(other);
}

static void lenses_do_not_depend_on_the_unit(void **state) {
    (void)state;
    for (int directed = 0; directed < 2; directed++) {
        dgm_graph *graph = draw_graph(seed, directed, 0);
        for (int k = -MOST; k <= MOST; k += STEP) {
            dgm_graph *scaled = draw_graph(seed, directed, k);
            for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
                if (!directed || !strstr(cases[i].lens, "eccentricity:weighted,samples"))
                    compare_lens(&cases[i], graph, scaled, k);
            dgm_graph_free(scaled);
        }
        dgm_graph_free(graph);
    }
}

static dgm_summary *find_communities(const dgm_graph *graph, int kind) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    static const double zeros[NODES];
    dgm_matrix *lens = property_build_matrix(ctx, NODES, 1, zeros);
    dgm_summary *summary = NULL;
    options.cluster = kind;
    assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &summary), DGM_OK);
    dgm_matrix_free(lens);
    return summary;
}

static void communities_do_not_depend_on_the_unit(void **state) {
    (void)state;
    static const int kinds[] = {DGM_CLUSTER_LOUVAIN, DGM_CLUSTER_LABELPROP};
    for (int kind = 0; kind < 2; kind++) {
        dgm_graph *graph = draw_graph(seed, false, 0);
        dgm_summary *plain = find_communities(graph, kinds[kind]);
        dgm_summary_clusters expected = dgm_summary_get_clusters(plain);
        assert_true(expected.count > 1);
        for (int k = -MOST; k <= MOST; k += STEP) {
            dgm_graph *scaled = draw_graph(seed, false, k);
            dgm_summary *other = find_communities(scaled, kinds[kind]);
            dgm_summary_clusters found = dgm_summary_get_clusters(other);
            assert_int_equal(found.count, expected.count);
            for (int64_t i = 0; i < found.count; i++)
                assert_int_equal(mask_of(&found, i), mask_of(&expected, i));
            dgm_summary_free(other);
            dgm_graph_free(scaled);
        }
        dgm_summary_free(plain);
        dgm_graph_free(graph);
    }
}

/* The largest numbers there are, and the smallest: a finite lens, or an error and no lens. */
static void no_lens_is_infinite_in_silence(void **state) {
    (void)state;
    for (int directed = 0; directed < 2; directed++)
        for (int end = 0; end < 2; end++) {
            dgm_graph *graph = draw_graph(seed, directed, end ? 1018 : -1069);
            for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                dgm_matrix *values = NULL;
                dgm_status status = lens_axes(ctx, graph, cases[i].lens, 1, &values);
                assert_int_equal(status == DGM_OK, values != NULL);
                for (int64_t u = 0; values && u < NODES; u++)
                    assert_true(isfinite(dgm_matrix_values(values)[u]));
                dgm_matrix_free(values);
            }
            dgm_graph_free(graph);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lenses_do_not_depend_on_the_unit),
        cmocka_unit_test(communities_do_not_depend_on_the_unit),
        cmocka_unit_test(no_lens_is_infinite_in_silence),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
