/* SPDX-License-Identifier: Apache-2.0 */
#include "lens_golden.h"

static void cores_are_those_of_networkx(void **state) {
    (void)state;
    assert_int_equal(check_golden("lens_local.txt", "core"), 20);
}

/* By definition: the k-core is what is left when nodes of fewer than k neighbours are taken away
 * until there are none. */
static void peel_slowly(const dgm_graph *graph, double *core) {
    enum { MOST = 256 };
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    bool left[MOST];
    for (int64_t u = 0; u < rows.nodes; u++) {
        left[u] = true;
        core[u] = 0;
    }
    for (int k = 1; k < MOST; k++)
        for (bool again = true; again;) {
            again = false;
            for (int64_t u = 0; u < rows.nodes; u++) {
                int64_t degree = 0;
                for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
                    degree += left[rows.targets[e]];
                if (left[u] && degree < k) {
                    left[u] = false;
                    core[u] = k - 1;
                    again = true;
                }
            }
        }
}

static void cores_are_what_is_left_after_peeling(void **state) {
    (void)state;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    double expected[256];
    for (options.seed = 0; options.seed < 20; options.seed++) {
        dgm_graph *graph;
        dgm_matrix *lens;
        options.kind = options.seed % 2 ? DGM_GENERATE_BA : DGM_GENERATE_RMAT;
        options.nodes = 128;
        options.edges = 100 * (1 + options.seed % 7);
        assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
        assert_int_equal(dgm_lens_core(ctx, graph, &lens), DGM_OK);
        peel_slowly(graph, expected);
        for (int64_t u = 0; u < dgm_graph_nodes(graph); u++)
            if (dgm_matrix_values(lens)[u] != expected[u])
                fail_msg("seed %d, node %d: %g is not %g", (int)options.seed, (int)u,
                         dgm_matrix_values(lens)[u], expected[u]);
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
}

static char last_note[256];
static void keep_note(void *user, const char *note) {
    (void)user;
    snprintf(last_note, sizeof last_note, "%s", note);
}

/* A triangle 0 1 2, given with one edge both ways, a loop, and a tail: as undirected. */
static void directions_and_loops_do_not_count_and_a_note_says_so(void **state) {
    (void)state;
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = true, .keep_loops = true};
    const uint32_t ends[] = {0, 1, 1, 0, 1, 2, 2, 0, 2, 3, 3, 3};
    const double expected[] = {2, 2, 2, 1};
    dgm_graph *graph = build_graph(&options, 0, 6, ends, NULL);
    dgm_matrix *lens;
    dgm_context_set_notes(ctx, keep_note, NULL);
    assert_int_equal(dgm_lens_core(ctx, graph, &lens), DGM_OK);
    dgm_context_set_notes(ctx, NULL, NULL);
    assert_string_equal(last_note, "the lens 'core' takes directed edges without their direction");
    assert_string_equal(dgm_matrix_column_name(lens, 0), "core");
    for (int u = 0; u < 4; u++)
        assert_near(dgm_matrix_values(lens)[u], expected[u], 0);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

static void an_empty_graph_has_an_empty_lens(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL);
    dgm_matrix *lens;
    assert_int_equal(dgm_lens_core(ctx, graph, &lens), DGM_OK);
    assert_int_equal(dgm_matrix_rows(lens), 0);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_are_those_of_networkx),
        cmocka_unit_test(cores_are_what_is_left_after_peeling),
        cmocka_unit_test(directions_and_loops_do_not_count_and_a_note_says_so),
        cmocka_unit_test(an_empty_graph_has_an_empty_lens),
    };
    return RUN_WITH_CONTEXT(tests);
}
