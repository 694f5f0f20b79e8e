/* SPDX-License-Identifier: Apache-2.0 */
/* The bounds of keys, met exactly; what is said of errors, memory and progress, worked out by
 * hand. */
#include "unit_fixture.h"

#include "../check_lens.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_context.h"
#include "base_memory.h"
#include "graph_patches.h"
#include "lens_eigen_parts.h"
#include "lens_geodesic.h"

/* ---- keys ---- */

static void keys_take_their_bounds_and_nothing_beyond(void **state) {
    (void)state;
    static const struct {
        const char *key, *first, *before, *last, *behind;
    } keys[] = {{"pagerank:alpha", "0", "-1e-300", "0.9999999", "1"},
                {"pagerank:tolerance", "1e-15", "9e-16", "1", "1.01"},
                {"pagerank:iterations", "1", "0", "1000000", "1000001"},
                {"betweenness:budget", "0", "-1", "2147483647", "2147483648"},
                {"betweenness:samples", "3", "2", "2147483647", "2147483648"},
                {"betweenness:seed", "0", "-1", "9007199254740992", "9007199254740994"},
                {"random:seed", "0", "-1", "9007199254740992", "9007199254740994"},
                {"eigen:k", "1", "0", "64", "65"},
                {"eigen:tolerance", "1e-14", "9e-15", "0.1", "0.11"},
                {"eigen:iterations", "1", "0", "1000000", "1000001"},
                {"eigen:seed", "0", "-1", "9007199254740992", "9007199254740994"},
                {"density:delta", "1e-6", "9e-7", "1e308", "nan"},
                {"density:epsilon", "1e-6", "9e-7", "1e308", "nan"},
                {"density:cutoff", "0", "-1e-300", "1e308", "nan"}};
    for (int64_t i = 0; i < COUNT(keys); i++) {
        const char *const values[] = {keys[i].first, keys[i].last, keys[i].before, keys[i].behind};
        for (int k = 0; k < 4; k++) {
            char lens[96];
            snprintf(lens, sizeof lens, "%s=%s", keys[i].key, values[k]);
            if (dgm_lens_check(ctx, lens) != (k < 2 ? DGM_OK : DGM_ERROR_USAGE))
                fail_msg("%s", lens);
        }
    }
}

static void generators_take_their_bounds_and_nothing_beyond(void **state) {
    (void)state;
    static const struct {
        const char *key, *first, *before, *last, *behind;
    } keys[] = {{"nodes", "1", "0", "2147483647", "2147483648"},
                {"edges", "0", "-1", "1000000000000", "1000000000001"},
                {"blocks", "1", "0", "1000000", "1000001"},
                {"inside", "0", "-1e-300", "1", "1.0001"},
                {"rewire", "0", "-1e-300", "1", "1.0001"},
                {"seed", "0", "-1", "9007199254740992", "9007199254740994"}};
    for (int64_t i = 0; i < COUNT(keys); i++) {
        const char *const values[] = {keys[i].first, keys[i].last, keys[i].before, keys[i].behind};
        const dgm_option *option = dgm_option_find(dgm_generate_option_table(), keys[i].key);
        for (int k = 0; k < 4; k++) {
            dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
            if (dgm_option_set(ctx, option, values[k], &options) !=
                (k < 2 ? DGM_OK : DGM_ERROR_USAGE))
                fail_msg("%s=%s", keys[i].key, values[k]);
        }
    }
}

/* Structs that callers fill in themselves are checked as keys are. */
static void distances_refuse_options_out_of_their_bounds(void **state) {
    (void)state;
    dgm_status (*const lenses[])(dgm_context *, const dgm_graph *, const dgm_distance_options *,
                                 dgm_matrix **) = {dgm_lens_agd, dgm_lens_closeness,
                                                   dgm_lens_harmonic, dgm_lens_eccentricity};
    dgm_graph *graph = build_graph(NULL, 3, 2, (const uint32_t[]){0, 1, 1, 2}, NULL);
    for (int64_t k = 0; k < COUNT(lenses); k++)
        for (int wrong = 0; wrong < 5; wrong++) {
            dgm_distance_options options = DGM_DISTANCE_OPTIONS_INIT;
            dgm_matrix *lens;
            options.seed = wrong == 1 ? -1 : 1;
            options.direction = wrong == 2 ? 99 : wrong == 3 ? -1 : DGM_DIRECTION_BOTH;
            options.samples = wrong == 4 ? -16 : 0;
            assert_int_equal(lenses[k](ctx, graph, &options, &lens),
                             wrong ? DGM_ERROR_USAGE : DGM_OK);
            dgm_matrix_free(lens);
        }
    dgm_graph_free(graph);
}

static void a_run_needs_a_lens(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 1, (const uint32_t[]){0, 1}, NULL);
    static const char *const lenses[] = {"degree", "core"};
    for (int count = 0; count <= 2; count++) {
        dgm_lens_result *result;
        dgm_status status = dgm_lens_run(ctx, graph, lenses, count, NULL, &result);
        assert_int_equal(status, count ? DGM_OK : DGM_ERROR_USAGE);
        if (count)
            assert_int_equal(dgm_matrix_columns(dgm_lens_result_axes(result)), count);
        else
            assert_string_equal(dgm_context_error(ctx), "no lens was given");
        dgm_lens_result_free(result);
    }
    dgm_graph_free(graph);
}

/* The 32 first attributes are looked through, the last of them too. */
static void the_first_attributes_are_looked_through(void **state) {
    (void)state;
    for (int place = 31; place <= 32; place++) {
        dgm_graph_builder *builder;
        dgm_graph *graph;
        dgm_matrix *lens;
        assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
        assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 1), DGM_OK);
        for (int i = 0; i < 34; i++) {
            char name[16];
            snprintf(name, sizeof name, "xyzzy%c%c", 'a' + i / 10, 'a' + i % 10);
            assert_int_equal(dgm_graph_builder_add_numbers(builder, i == place ? "height" : name, 1,
                                                           (const double[]){1}),
                             DGM_OK);
        }
        assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
        ASSERT_FAILS(dgm_lens_attribute(ctx, graph, "heigth", &lens), DGM_ERROR_DATA,
                     place == 31
                         ? "the graph has no attribute 'heigth'; did you mean 'height'?"
                         : "the graph has no attribute 'heigth' (it has 34, the first is xyzzyaa)");
        dgm_graph_free(graph);
    }
}

/* ---- errors ---- */

static char note[512];
static void keep_note(void *user, const char *text) {
    (void)user;
    snprintf(note, sizeof note, "%s", text);
}

/* h with the sum over both errors of P(|Z| > h / error) = 0.05. */
static double find_half_width(const double errors[2]) {
    double low = 0, high = 100 * fmax(errors[0], errors[1]);
    for (int step = 0; step < 200; step++) {
        double middle = (low + high) / 2, outside = 0;
        for (int i = 0; i < 2; i++)
            outside += errors[i] > 0 ? erfc(middle / errors[i] / sqrt(2)) : 0;
        *(outside > 0.05 ? &low : &high) = middle;
    }
    return high;
}

/* Two hubs with their leaves, joined. From a leaf of a hub all other nodes are behind that hub;
 * from any other node its leaves are. What a sample says of a hub is told by how many of its
 * leaves are in it, and leaves have no error. */
static void a_sample_of_two_hubs_is_worked_out_by_hand(void **state) {
    (void)state;
    enum { LEFT = 30, RIGHT = 50, NODES = LEFT + RIGHT + 2, SAMPLES = 20 };
    uint32_t ends[2 * (NODES - 1)];
    ends[0] = 0, ends[1] = 1;
    for (uint32_t u = 2; u < NODES; u++) {
        ends[2 * (u - 1)] = u;
        ends[2 * (u - 1) + 1] = u < 2 + LEFT ? 0 : 1;
    }
    dgm_graph *graph = build_graph(NULL, NODES, NODES - 1, ends, NULL);
    for (int64_t seed = 1; seed <= 20; seed++) {
        dgm_betweenness_options options = DGM_BETWEENNESS_OPTIONS_INIT;
        dgm_matrix *lens;
        double errors[2], printed[2];
        options.budget = 10;
        options.samples = SAMPLES;
        options.normalised = seed % 2;
        options.seed = seed;
        const double scale = options.normalised ? 1.0 / ((NODES - 1) * (NODES - 2)) : 0.5;
        dgm_context_set_notes(ctx, keep_note, NULL);
        assert_int_equal(dgm_lens_betweenness(ctx, graph, &options, &lens), DGM_OK);
        dgm_context_set_notes(ctx, NULL, NULL);
        for (int hub = 0; hub < 2; hub++) {
            const double mean = dgm_matrix_values(lens)[hub] / scale / (NODES - 1);
            const double own = NODES - 2, other = hub ? RIGHT : LEFT;
            errors[hub] = -1;
            for (int draws = SAMPLES - 1; draws <= SAMPLES; draws++) { /* the hub drawn or not */
                double leaves = (mean - other) / (own - other) * draws;
                if (fabs(leaves - round(leaves)) > 1e-6 || errors[hub] >= 0)
                    continue;
                double variance = (leaves * (own - mean) * (own - mean) +
                                   (draws - leaves) * (other - mean) * (other - mean)) /
                                  (draws - 1);
                errors[hub] = (NODES - 1) * scale *
                              sqrt(variance * (1 - draws / (double)(NODES - 1)) / draws);
            }
            assert_true(errors[hub] >= 0);
        }
        assert_near(dgm_matrix_column_error(lens, 0), fmax(errors[0], errors[1]),
                    1e-9 * fmax(errors[0], errors[1]));
        assert_int_equal(sscanf(strstr(note, "standard error "), "standard error %lf", &printed[0]),
                         1);
        assert_int_equal(sscanf(strstr(note, "+-"), "+-%lf", &printed[1]), 1);
        assert_near(printed[0], fmax(errors[0], errors[1]), 0.006 * printed[0]);
        assert_near(printed[1], find_half_width(errors), 0.006 * printed[1]);
        ASSERT_HAS(note, "betweenness is estimated from 20 of 82 sources: ");
        dgm_matrix_free(lens);
    }
    dgm_graph_free(graph);
}

/* One component of 101 nodes, of which 20 were drawn, the first among them. */
static void an_error_of_distances_is_that_of_its_formula(void **state) {
    (void)state;
    static uint32_t component[101];
    static const int64_t starts[] = {0, 101};
    static uint8_t drawn[101] = {1};
    dgmi_lens_geodesic g = {.lens = "agd",
                            .draws = 20,
                            .drawn = drawn,
                            .patches = {.nodes = 101, .component = component, .starts = starts}};
    assert_int_equal(dgmi_lens_geodesic_others(&g, 5), 100);
    assert_int_equal(dgmi_lens_geodesic_draws(&g, 5), 20);
    assert_int_equal(dgmi_lens_geodesic_draws(&g, 0), 19);
    /* Twenty draws of 3 and 5, ten each: the sum is 80, that of squares 340, the variance
     * 20 / 19. */
    assert_near(dgmi_lens_geodesic_error(&g, 5, 80, 340), 100 * sqrt(0.8 * (20 / 19.0) / 20),
                1e-12);
    assert_near(dgmi_lens_geodesic_error(&g, 0, 76, 323),
                100 * sqrt(0.81 * ((323 - 76 * 76 / 19.0) / 18) / 19), 1e-12);
    assert_near(dgmi_lens_geodesic_error(&g, 5, 80, 320 - 1e-13), 0, 0); /* rounding */
    g.draws = 101;
    assert_int_equal(dgmi_lens_geodesic_draws(&g, 5), 100);
    assert_near(dgmi_lens_geodesic_error(&g, 5, 80, 340), 0, 0);
}

/* 1.96 for a single node, and 4.06 where one of a thousand may not be outside. */
static void intervals_are_quantiles_of_the_normal_distribution(void **state) {
    (void)state;
    static const struct {
        int64_t estimated;
        int power, exponent;
        const char *words;
    } cases[] = {{1, 0, 0,
                  "agd is estimated from 20 sources a component: standard error 100 or less, 95% "
                  "interval +-196 for all nodes at once (budget=7 without samples makes it exact)"},
                 {1000, 0, 0,
                  "agd is estimated from 20 sources a component: standard error 100 or less, 95% "
                  "interval +-406 for all nodes at once (budget=7 without samples makes it exact)"},
                 {1, -1, 2,
                  "agd is estimated from 20 sources a component: standard error 25 or less, 95% "
                  "interval +-49 for all nodes at once (budget=7 without samples makes it exact)"}};
    dgm_matrix *lens = build_matrix(1, 1, (const double[]){0});
    dgm_context_set_notes(ctx, keep_note, NULL);
    for (int64_t i = 0; i < COUNT(cases); i++) {
        const dgmi_lens_geodesic g = {.lens = "agd",
                                      .draws = 20,
                                      .estimated = cases[i].estimated,
                                      .power = cases[i].power,
                                      .patches = {.nodes = 7, .exponent = cases[i].exponent}};
        dgmi_lens_geodesic_tell(ctx, &g, 100, lens);
        assert_string_equal(note, cases[i].words);
        assert_near(dgm_matrix_column_error(lens, 0), i == 2 ? 25 : 100, 0);
    }
    note[0] = '\0';
    dgmi_lens_geodesic_tell(ctx, &(dgmi_lens_geodesic){.lens = "agd", .draws = 20}, 100, lens);
    assert_string_equal(note, ""); /* nothing was estimated */
    dgm_context_set_notes(ctx, NULL, NULL);
    dgm_matrix_free(lens);
}

/* ---- eigenvalues ---- */

static dgm_graph *path_of(uint32_t nodes, uint32_t more, double weight) {
    uint32_t ends[200];
    double weights[100];
    for (uint32_t u = 0; u + 1 < nodes; u++) {
        ends[2 * u] = u;
        ends[2 * u + 1] = u + 1;
        weights[u] = weight;
    }
    return build_graph(NULL, nodes + more, nodes - 1, ends, weight > 0 ? weights : NULL);
}

/* The eigenvalues of a path of five are 2 - 2 cos(pi i / 5), in the unit of the weights. */
static void eigenvalues_are_told_in_the_unit_of_the_weights(void **state) {
    (void)state;
    static const double weights[] = {0, 0x1p30};
    for (int64_t i = 0; i < COUNT(weights); i++)
        for (int64_t k = 1; k <= 3; k += 2) {
            const double unit = weights[i] > 0 ? weights[i] : 1;
            dgm_eigen_options options = DGM_EIGEN_OPTIONS_INIT;
            dgm_graph *graph = path_of(5, 0, weights[i]);
            dgm_matrix *lens;
            double first, last;
            options.laplacian = DGM_LAPLACIAN_PLAIN;
            options.weighted = weights[i] > 0;
            options.k = k;
            dgm_context_set_notes(ctx, keep_note, NULL);
            assert_int_equal(dgm_lens_eigen(ctx, graph, &options, &lens), DGM_OK);
            dgm_context_set_notes(ctx, NULL, NULL);
            if (k == 1) {
                assert_int_equal(sscanf(note, "eigen: eigenvalue %lf, residual %lf", &first, &last),
                                 2);
                assert_true(last < 1e-8 * unit);
            } else {
                assert_int_equal(sscanf(note, "eigen: eigenvalues %lf to %lf,", &first, &last), 2);
                assert_near(last / unit, 2 - 2 * cos(3 * acos(-1) / 5), 1e-6);
            }
            assert_near(first / unit, 2 - 2 * cos(acos(-1) / 5), 1e-7);
            dgm_matrix_free(lens);
            dgm_graph_free(graph);
        }
}

/* A tenth of the largest component is large; a little less is not. */
static void a_tenth_of_the_largest_component_is_large(void **state) {
    (void)state;
    for (uint32_t nodes = 20; nodes <= 21; nodes++) {
        uint32_t ends[80];
        for (uint32_t u = 0; u + 1 < nodes; u++)
            ends[2 * u] = u, ends[2 * u + 1] = u + 1;
        ends[2 * nodes - 2] = nodes, ends[2 * nodes - 1] = nodes + 1; /* a pair */
        dgm_graph *graph = build_graph(NULL, nodes + 2, nodes, ends, NULL);
        dgm_eigen_options options = DGM_EIGEN_OPTIONS_INIT;
        dgm_matrix *lens;
        options.outside = DGM_OUTSIDE_LARGE;
        assert_int_equal(dgm_lens_eigen(ctx, graph, &options, &lens), DGM_OK);
        const double *values = dgm_matrix_values(lens) + nodes;
        if (nodes == 20)
            assert_near(values[0], -values[1], 1e-9);
        else
            assert_near(values[0], values[1], 0);
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
}

/* ---- memory ---- */

/* What the lens says that it needs where there is nothing. */
static double need_of(const dgm_graph *graph, const char *lens) {
    double gigabytes;
    dgm_matrix *out;
    dgm_context_set_threads(ctx, 2);
    ctx->memory = 1;
    assert_int_equal(lens_axes(ctx, graph, lens, 1, &out), DGM_ERROR_MEMORY);
    ctx->memory = 0;
    assert_int_equal(
        sscanf(strstr(dgm_context_error(ctx), "needs about"), "needs about %lf GB", &gigabytes), 1);
    return 1e9 * gigabytes;
}

/* Nodes without edges; a search takes 28 bytes a node, and 16 more with lengths. Up to 64 sums are
 * kept, and no more than 2^23 numbers in all. */
static void betweenness_needs_sums_and_searches(void **state) {
    (void)state;
    static const struct {
        int64_t nodes;
        double sums;
    } sizes[] = {{50000, 64}, {200000, 41}};
    for (int64_t i = 0; i < COUNT(sizes); i++) {
        double n = (double)sizes[i].nodes;
        dgm_graph *graph =
            build_graph(NULL, sizes[i].nodes, 1, (const uint32_t[]){0, 1}, (const double[]){1});
        double exact = need_of(graph, "betweenness:budget=2147483647");
        double drawn = need_of(graph, "betweenness:budget=10");
        double lengths = need_of(graph, "betweenness:budget=10,weighted=true");
        assert_near(exact, n * (8 * sizes[i].sums + 2 * 28), 0.006 * exact);
        assert_near(drawn, n * (16 * sizes[i].sums + 2 * 28), 0.006 * drawn);
        assert_near(lengths, n * (16 * sizes[i].sums + 2 * 44), 0.006 * lengths);
        dgm_graph_free(graph);
    }
}

/* Places, a mark and a sum for each node, and 8 bytes more for what else is counted. */
static void distances_need_places_and_sums(void **state) {
    (void)state;
    enum { NODES = 100000 };
    static const struct {
        const char *lens;
        double bytes;
    } cases[] = {{"density:budget=100000", 9},   {"density:budget=99999", 17},
                 {"density:samples=16", 17},     {"agd:budget=100000", 17},
                 {"agd:budget=99999", 25},       {"eccentricity:budget=100000", 17},
                 {"eccentricity:budget=10", 25}, {"harmonic:budget=100000", 9}};
    dgm_graph *graph = build_graph(NULL, NODES, 1, (const uint32_t[]){0, 1}, NULL);
    double places = dgmi_graph_patches_bytes(dgm_graph_get_rows(graph), DGMI_GRAPH_WALK_ALONG,
                                             false, DGMI_GRAPH_PATCHES_MOVED);
    for (int64_t i = 0; i < COUNT(cases); i++) {
        double said = need_of(graph, cases[i].lens);
        assert_near(said, places + NODES * cases[i].bytes, 0.006 * said);
    }
    dgm_graph_free(graph);
}

/* Once there are places, a search takes 136 bytes for each node of the largest component, and with
 * lengths 256 for each node of the graph. */
static void searches_need_room_for_the_largest_component(void **state) {
    (void)state;
    enum { NODES = 100000, PATH = 60000 };
    uint32_t *ends = malloc(2 * PATH * sizeof *ends);
    double *weights = malloc(PATH * sizeof *weights);
    for (uint32_t u = 0; u + 1 < PATH; u++) {
        ends[2 * u] = NODES - 1 - u;
        ends[2 * u + 1] = NODES - 2 - u;
        weights[u] = 1;
    }
    dgm_graph *graph = build_graph(NULL, NODES, PATH - 1, ends, weights);
    for (int weighted = 0; weighted < 2; weighted++) {
        const char *lens = weighted ? "density:weighted=true" : "density";
        double places = need_of(graph, lens), gigabytes;
        dgm_matrix *out;
        ctx->memory = 1.02 * places;
        assert_int_equal(lens_axes(ctx, graph, lens, 1, &out), DGM_ERROR_MEMORY);
        ctx->memory = 0;
        assert_int_equal(
            sscanf(strstr(dgm_context_error(ctx), "needs about"), "needs about %lf GB", &gigabytes),
            1);
        assert_near(1e9 * gigabytes, weighted ? 256.0 * NODES : 136.0 * PATH, 1e8 * gigabytes / 10);
    }
    dgm_graph_free(graph);
    free(weights);
    free(ends);
}

/* Beside the solver's space: roots, vectors, and the rows of a component that is not the whole. */
static void eigenvectors_need_a_copy_of_their_rows(void **state) {
    (void)state;
    enum { SIDE = 300, NODES = SIDE * SIDE };
    uint32_t *ends = malloc(4 * NODES * sizeof *ends);
    double *weights = malloc(2 * NODES * sizeof *weights);
    int64_t edges = 0;
    for (uint32_t u = 0; u < NODES; u++)
        for (int down = 0; down < 2; down++) {
            if (down ? u + SIDE >= NODES : u % SIDE == SIDE - 1)
                continue;
            ends[2 * edges] = u;
            ends[2 * edges + 1] = down ? u + SIDE : u + 1;
            weights[edges++] = 1 + u % 3;
        }
    dgm_graph *graph = build_graph(NULL, NODES + 1, edges, ends, weights);
    for (int weighted = 0; weighted < 2; weighted++)
        for (int k = 1; k <= 2; k++) {
            char lens[48];
            double least, most;
            dgmi_lens_eigen_parts parts;
            dgmi_spectral_adjacency rows;
            dgmi_hold hold = dgmi_arena_hold(ctx);
            assert_int_equal(dgmi_lens_eigen_parts_make(ctx, graph, weighted, &parts), DGM_OK);
            assert_int_equal(dgmi_lens_eigen_parts_rows(ctx, &parts, parts.largest, 0, &rows),
                             DGM_OK);
            dgmi_spectral_laplacian_eigen_bytes(&rows, k, &least, &most);
            dgmi_arena_release(ctx, hold);
            snprintf(lens, sizeof lens, "eigen:k=%d,weighted=%s", k, weighted ? "true" : "false");
            double said = need_of(graph, lens);
            double own =
                8.0 * NODES * (1 + k) + 8.0 * NODES + (weighted ? 12.0 : 4.0) * 2 * (double)edges;
            assert_near(said, least + own, 0.006 * said);
        }
    dgm_graph_free(graph);
    free(weights);
    free(ends);
}

/* ---- progress ---- */

typedef struct {
    double fractions[2000];
    int count;
} heard;

static bool hear(void *user, const char *stage, double fraction) {
    heard *h = user;
    (void)stage;
    if (h->count < 2000)
        h->fractions[h->count++] = fraction;
    return true;
}

/* Steps that are left tell the fraction: it begins at 0, rises, and ends before 1. */
static void pagerank_comes_nearer_its_end(void **state) {
    (void)state;
    dgm_graph_options directed = DGM_GRAPH_OPTIONS_INIT;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    options.kind = DGM_GENERATE_BA;
    options.nodes = 300;
    for (int k = 0; k < 2; k++) {
        static heard h;
        dgm_graph *graph;
        dgm_matrix *lens;
        h.count = 0;
        directed.directed = k;
        assert_int_equal(dgm_graph_generate(ctx, &options, &directed, &graph), DGM_OK);
        dgm_context_set_progress(ctx, hear, &h);
        assert_int_equal(dgm_lens_pagerank(ctx, graph, NULL, &lens), DGM_OK);
        dgm_context_set_progress(ctx, NULL, NULL);
        assert_true(h.count > 4);
        assert_near(h.fractions[0], 0, 0);
        for (int i = 1; i < h.count; i++)
            assert_true(h.fractions[i] >= h.fractions[i - 1]);
        assert_true(h.fractions[h.count / 2] > 0.2 && h.fractions[h.count / 2] < 0.8);
        assert_true(h.fractions[h.count - 1] > 0.7 && h.fractions[h.count - 1] < 1);
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
}

/* Sources in rounds: each report is the share of those that are done. */
static void sources_are_reported_as_they_are_done(void **state) {
    (void)state;
    static const char *const lenses[] = {"betweenness", "harmonic", "harmonic:weighted=true"};
    static const int rounds[] = {2000, 512, 16};
    const uint32_t edges = 1999;
    uint32_t ends[2 * 1999];
    double weights[1999];
    for (uint32_t u = 0; u < edges; u++) {
        ends[2 * u] = u + 1;
        ends[2 * u + 1] = u / 2;
        weights[u] = 1 + u % 5;
    }
    dgm_graph *graph = build_graph(NULL, 2000, edges, ends, weights);
    for (int64_t i = 0; i < COUNT(lenses); i++) {
        static heard h;
        dgm_matrix *lens;
        h.count = 0;
        dgm_context_set_progress(ctx, hear, &h);
        assert_int_equal(lens_axes(ctx, graph, lenses[i], 1, &lens), DGM_OK);
        dgm_context_set_progress(ctx, NULL, NULL);
        assert_int_equal(h.count, (2000 + rounds[i] - 1) / rounds[i]);
        for (int k = 0; k < h.count; k++)
            assert_near(h.fractions[k], k * rounds[i] / 2000.0, 1e-12);
        dgm_matrix_free(lens);
    }
    dgm_graph_free(graph);
}

/* Rounds of a sample are equally long. */
static void rounds_of_betweenness_are_equal_parts(void **state) {
    (void)state;
    enum { NODES = 6000 };
    static heard h;
    uint32_t ends[2 * NODES];
    dgm_matrix *lens;
    for (uint32_t u = 0; u + 1 < NODES; u++)
        ends[2 * u] = u + 1, ends[2 * u + 1] = u / 2;
    dgm_graph *graph = build_graph(NULL, NODES, NODES - 1, ends, NULL);
    h.count = 0;
    dgm_context_set_progress(ctx, hear, &h);
    assert_int_equal(lens_axes(ctx, graph, "betweenness:budget=10,samples=2000", 1, &lens), DGM_OK);
    dgm_context_set_progress(ctx, NULL, NULL);
    assert_true(h.count > 1);
    for (int k = 0; k < h.count; k++) {
        assert_true(h.fractions[k] < 1);
        assert_near(h.fractions[k], k * h.fractions[1], 1e-9);
    }
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_take_their_bounds_and_nothing_beyond),
        cmocka_unit_test(generators_take_their_bounds_and_nothing_beyond),
        cmocka_unit_test(distances_refuse_options_out_of_their_bounds),
        cmocka_unit_test(a_run_needs_a_lens),
        cmocka_unit_test(the_first_attributes_are_looked_through),
        cmocka_unit_test(a_sample_of_two_hubs_is_worked_out_by_hand),
        cmocka_unit_test(an_error_of_distances_is_that_of_its_formula),
        cmocka_unit_test(intervals_are_quantiles_of_the_normal_distribution),
        cmocka_unit_test(eigenvalues_are_told_in_the_unit_of_the_weights),
        cmocka_unit_test(a_tenth_of_the_largest_component_is_large),
        cmocka_unit_test(betweenness_needs_sums_and_searches),
        cmocka_unit_test(distances_need_places_and_sums),
        cmocka_unit_test(searches_need_room_for_the_largest_component),
        cmocka_unit_test(eigenvectors_need_a_copy_of_their_rows),
        cmocka_unit_test(pagerank_comes_nearer_its_end),
        cmocka_unit_test(sources_are_reported_as_they_are_done),
        cmocka_unit_test(rounds_of_betweenness_are_equal_parts),
    };
    return RUN_WITH_CONTEXT(tests);
}
