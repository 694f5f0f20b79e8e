/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_random.h"

static dgm_graph *generate(int kind, int64_t nodes, int64_t edges, int64_t seed) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = kind;
    options.nodes = nodes;
    options.edges = edges;
    options.seed = seed;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    return graph;
}

static int64_t degree(const dgm_graph *graph, int64_t u) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    return rows.offsets[u + 1] - rows.offsets[u];
}

static bool same_rows(const dgm_graph *a, const dgm_graph *b) {
    dgm_graph_rows x = dgm_graph_get_rows(a), y = dgm_graph_get_rows(b);
    return x.nodes == y.nodes && x.entries == y.entries &&
           memcmp(x.offsets, y.offsets, (size_t)(x.nodes + 1) * sizeof *x.offsets) == 0 &&
           memcmp(x.targets, y.targets, (size_t)x.entries * sizeof *x.targets) == 0 &&
           (!x.weights || memcmp(x.weights, y.weights, (size_t)x.entries * sizeof *x.weights) == 0);
}

static void a_seed_makes_the_same_graph_and_another_seed_another(void **state) {
    (void)state;
    static const int kinds[] = {DGM_GENERATE_SPAM, DGM_GENERATE_SBM, DGM_GENERATE_RMAT,
                                DGM_GENERATE_BA,   DGM_GENERATE_WS,  DGM_GENERATE_PAPERS};
    for (int64_t k = 0; k < COUNT(kinds); k++) {
        dgm_graph *first = generate(kinds[k], 200, 600, 5);
        dgm_context_set_threads(ctx, 3);
        dgm_graph *again = generate(kinds[k], 200, 600, 5);
        dgm_context_set_threads(ctx, 0);
        dgm_graph *other = generate(kinds[k], 200, 600, 6);
        assert_true(same_rows(first, again));
        assert_false(same_rows(first, other));
        assert_string_equal(dgm_graph_source(first), dgm_generator_names()[kinds[k]]);
        dgm_graph_free(first);
        dgm_graph_free(again);
        dgm_graph_free(other);
    }
}

/* ---- papers ---- */

/* What a reader of such data counts on: six fields of falling size, sorted words, a split with the
 * same number of training papers in each field, years that ascend. */
static void papers_have_all_that_citation_networks_have(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_PAPERS, 3000, 0, 1);
    const int32_t *labels = dgm_graph_labels(graph);
    const uint8_t *splits = dgm_graph_splits(graph);
    dgm_graph_features words = dgm_graph_get_features(graph);
    dgm_attribute year = dgm_graph_attribute(graph, dgm_graph_attribute_find(graph, "year"));
    int64_t fields[6] = {0}, training[6] = {0}, parts[4] = {0};
    assert_int_equal(dgm_graph_classes(graph), 6);
    assert_string_equal(dgm_graph_class_name(graph, 0), "medicine");
    assert_non_null(words.columns);
    for (int64_t u = 0; u < 3000; u++) {
        fields[labels[u]]++;
        training[labels[u]] += splits[u] == DGM_SPLIT_TRAIN;
        parts[splits[u]]++;
        assert_true(u == 0 || year.numbers[u] >= year.numbers[u - 1]);
        int64_t begin = words.offsets[u], end = words.offsets[u + 1];
        assert_true(end > begin && end - begin <= 24);
        for (int64_t e = begin; e < end; e++)
            assert_true(words.columns[e] < words.width &&
                        (e == begin || words.columns[e] > words.columns[e - 1]));
    }
    assert_near((double)fields[0], 840, 125); /* five deviations of 28% of 3000 */
    assert_near((double)fields[5], 270, 80);
    for (int f = 0; f < 6; f++)
        assert_int_equal(training[f], 20);
    assert_int_equal(parts[DGM_SPLIT_VALIDATION], 600);
    assert_int_equal(parts[DGM_SPLIT_TEST], 1200);
    dgm_graph_free(graph);
}

/* The share of edges inside a field follows the option, and words tell the field. */
static void papers_cite_their_own_field(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_PAPERS, 3000, 9000, 2);
    const int32_t *labels = dgm_graph_labels(graph);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgm_graph_features words = dgm_graph_get_features(graph);
    int64_t inside = 0, own = 0, others = 0, most = 0;
    for (int64_t u = 0; u < rows.nodes; u++) {
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            inside += labels[u] == labels[rows.targets[e]];
        for (int64_t e = words.offsets[u]; e < words.offsets[u + 1]; e++)
            if (words.columns[e] >= 300) {
                bool is_own = (words.columns[e] - 300) / 50 == (uint32_t)labels[u];
                own += is_own;
                others += !is_own;
            }
        most = degree(graph, u) > most ? degree(graph, u) : most;
    }
    assert_true((double)inside > 0.7 * (double)rows.entries);
    assert_true((double)inside < 0.95 * (double)rows.entries);
    assert_true(own > 3 * others && others > 0);
    assert_true(most > 20 * rows.entries / rows.nodes); /* few papers are cited by very many */
    assert_near((double)dgm_graph_edges(graph), 8000, 1000);
    dgm_graph_free(graph);
}

static void the_fewest_papers_are_a_graph_too(void **state) {
    (void)state;
    for (int64_t nodes = 1; nodes < 20; nodes++) {
        dgm_graph *graph = generate(DGM_GENERATE_PAPERS, nodes, 0, nodes);
        assert_int_equal(dgm_graph_nodes(graph), nodes);
        assert_true(dgm_graph_splits(graph)[0] <= DGM_SPLIT_TEST);
        dgm_graph_free(graph);
    }
}

/* ---- spam ---- */

static void spam_follows_the_rules_of_the_paper(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_SPAM, 1000, 0, 1);
    const int32_t *labels = dgm_graph_labels(graph);
    const uint8_t *splits = dgm_graph_splits(graph);
    dgm_graph_features features = dgm_graph_get_features(graph);
    dgm_attribute column = dgm_graph_attribute(graph, dgm_graph_attribute_find(graph, "feature"));
    assert_int_equal(dgm_graph_nodes(graph), 1000);
    assert_int_equal(dgm_graph_classes(graph), 2);
    assert_string_equal(dgm_graph_class_name(graph, 1), "spammer");
    assert_string_equal(dgm_graph_class_name(graph, 0), "non-spammer");
    assert_int_equal(features.width, 1);
    int64_t spammers = 0;
    double sums[2] = {0, 0};
    for (int64_t u = 0; u < 1000; u++) {
        double feature = column.numbers[u];
        assert_true(features.values[u] == (float)feature);
        assert_true(feature >= (labels[u] ? 0.5 : 0) && feature < 1);
        assert_int_equal(splits[u], u < 800 ? DGM_SPLIT_TRAIN : DGM_SPLIT_TEST);
        spammers += labels[u];
        sums[labels[u]] += feature;
    }
    assert_near((double)spammers, 500, 80);                       /* five standard deviations */
    assert_near(sums[1] / (double)spammers, 0.75, 0.033);         /* deviation 0.144 / sqrt(500) */
    assert_near(sums[0] / (double)(1000 - spammers), 0.5, 0.065); /* 0.289 / sqrt(500) */
    dgm_graph_free(graph);
}

/* Links made by one: directed, so that out-degrees are what the node drew (repeats aside). */
static void spammers_link_to_many_and_others_to_ten_at_most(void **state) {
    (void)state;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    dgm_graph *graph;
    assert_int_equal(dgm_graph_generate(ctx, &options, &directed, &graph), DGM_OK);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const int32_t *labels = dgm_graph_labels(graph);
    int64_t most = 0, spammers = 0;
    for (int64_t u = 0; u < rows.nodes; u++) {
        int64_t links = degree(graph, u);
        assert_true(links <= (labels[u] ? 199 : 10));
        most = links > most ? links : most;
        spammers += labels[u];
        double least = INFINITY; /* one draw of the weight a node; repeats add it up */
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            least = fmin(least, rows.weights[e]);
        assert_true(least >= (labels[u] ? 2.0 / 3 : 0));
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            assert_near(rows.weights[e] / least, round(rows.weights[e] / least), 1e-9);
    }
    assert_true(most > 150);
    /* A spammer draws 99.5 links on average (deviation 57.7), another node 5.5 (2.9). */
    double expected = 99.5 * (double)spammers + 5.5 * (double)(1000 - spammers);
    assert_near((double)dgm_graph_get_counts(graph).records, expected, 5 * 57.7 * sqrt(500));
    dgm_graph_free(graph);
}

static void a_small_spam_graph_is_split_too(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_SPAM, 7, 0, 1); /* 5.6 nodes: five train */
    assert_int_equal(dgm_graph_splits(graph)[4], DGM_SPLIT_TRAIN);
    assert_int_equal(dgm_graph_splits(graph)[5], DGM_SPLIT_TEST);
    dgm_graph_free(graph);
    graph = generate(DGM_GENERATE_SPAM, 1, 0, 1);
    assert_int_equal(dgm_graph_edges(graph), 0); /* it can only meet itself */
    dgm_graph_free(graph);
}

/* ---- karate ---- */

static void karate_is_the_club_of_1977(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_KARATE, 999, 0, 1);
    static const int64_t degrees[34] = {16, 9, 10, 6, 3, 4, 4, 4, 5, 2, 3, 1, 2, 5, 2, 2,  2,
                                        2,  2, 3,  2, 2, 2, 5, 3, 3, 2, 4, 3, 4, 4, 6, 12, 17};
    assert_int_equal(dgm_graph_nodes(graph), 34);
    assert_int_equal(dgm_graph_edges(graph), 78);
    assert_int_equal(dgm_graph_get_counts(graph).records, 78);
    int64_t components, officers = 0;
    assert_int_equal(dgm_graph_components(ctx, graph, NULL, &components), DGM_OK);
    assert_int_equal(components, 1);
    for (int64_t u = 0; u < 34; u++) {
        assert_int_equal(degree(graph, u), degrees[u]);
        officers += dgm_graph_labels(graph)[u];
    }
    assert_int_equal(officers, 17);
    assert_int_equal(dgm_graph_labels(graph)[0], 0);
    assert_int_equal(dgm_graph_labels(graph)[33], 1);
    assert_int_equal(dgm_graph_labels(graph)[8], 0); /* went with the instructor after all */
    dgm_graph_free(graph);
}

/* ---- grid ---- */

static void a_grid_has_its_lattice_and_coordinates(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_GRID, 12, 0, 1); /* 4 columns, 3 rows */
    assert_int_equal(dgm_graph_edges(graph), 3 * 3 + 4 * 2);
    const double *x = dgm_graph_attribute(graph, dgm_graph_attribute_find(graph, "x")).numbers;
    const double *y = dgm_graph_attribute(graph, dgm_graph_attribute_find(graph, "y")).numbers;
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    for (int64_t u = 0; u < 12; u++) {
        assert_true(x[u] == (double)(u % 4) && y[u] == (double)(u / 4));
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            uint32_t v = rows.targets[e];
            assert_true(fabs(x[u] - x[v]) + fabs(y[u] - y[v]) == 1);
        }
    }
    dgm_graph_free(graph);
}

static void a_grid_may_end_in_a_short_row(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_GRID, 7, 0, 1); /* rows of 3, 3 and 1 */
    assert_int_equal(dgm_graph_edges(graph), 2 + 2 + 3 + 1);
    assert_int_equal(degree(graph, 6), 1);
    dgm_graph_free(graph);
    graph = generate(DGM_GENERATE_GRID, 1, 0, 1);
    assert_int_equal(dgm_graph_edges(graph), 0);
    dgm_graph_free(graph);
}

/* ---- small worlds ---- */

static dgm_graph *small_world(int64_t nodes, int64_t edges, double rewire) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = DGM_GENERATE_WS;
    options.nodes = nodes;
    options.edges = edges;
    options.rewire = rewire;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    return graph;
}

static void an_unwired_small_world_is_a_ring_lattice(void **state) {
    (void)state;
    dgm_graph *graph = small_world(50, 150, 0);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    assert_int_equal(dgm_graph_edges(graph), 150);
    for (int64_t u = 0; u < 50; u++) {
        assert_int_equal(degree(graph, u), 6);
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            int64_t gap = ((int64_t)rows.targets[e] - u + 50) % 50;
            assert_true(gap <= 3 || gap >= 47);
        }
    }
    dgm_graph_free(graph);
}

static void rewiring_keeps_every_record_and_moves_some(void **state) {
    (void)state;
    dgm_graph *graph = small_world(1000, 5000, 0.1);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    int64_t moved = 0;
    for (int64_t u = 0; u < 1000; u++)
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++) {
            int64_t gap = ((int64_t)rows.targets[e] - u + 1000) % 1000;
            moved += rows.targets[e] > u && gap > 5 && gap < 995;
        }
    assert_int_equal(dgm_graph_get_counts(graph).records, 5000);
    assert_near((double)moved, 500 * 0.989, 5 * sqrt(450)); /* a draw may land near by */
    dgm_graph_free(graph);
}

static void tiny_small_worlds_are_complete(void **state) {
    (void)state;
    for (int64_t n = 1; n <= 5; n += 2) { /* a reach of (n - 1) / 2 meets everyone */
        dgm_graph *graph = small_world(n, 100, 0);
        assert_int_equal(dgm_graph_edges(graph), n * (n - 1) / 2);
        dgm_graph_free(graph);
    }
    dgm_graph *graph = small_world(2, 0, 0);
    assert_int_equal(dgm_graph_edges(graph), 1);
    dgm_graph_free(graph);
}

/* ---- preferential attachment ---- */

static void attachment_makes_one_component_with_hubs(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_BA, 2000, 6000, 1);
    int64_t components, most = 0;
    assert_int_equal(dgm_graph_components(ctx, graph, NULL, &components), DGM_OK);
    assert_int_equal(components, 1);
    assert_int_equal(dgm_graph_get_counts(graph).records, 1 + 2 + 3 * 1997);
    for (int64_t u = 0; u < 2000; u++)
        most = degree(graph, u) > most ? degree(graph, u) : most;
    assert_true(most > 60); /* a random graph of mean degree 6 has no node above 25 */
    dgm_graph_free(graph);
}

static void attachment_of_more_links_than_nodes_stays_small(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_BA, 4, 1000000000000, 1);
    assert_int_equal(dgm_graph_get_counts(graph).records, 1 + 2 + 3);
    dgm_graph_free(graph);
    graph = generate(DGM_GENERATE_BA, 1, 0, 1);
    assert_int_equal(dgm_graph_edges(graph), 0);
    dgm_graph_free(graph);
}

/* ---- block model ---- */

static double share_inside(double inside, int64_t blocks) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = DGM_GENERATE_SBM;
    options.nodes = 1000;
    options.edges = 4000;
    options.blocks = blocks;
    options.inside = inside;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    const int32_t *labels = dgm_graph_labels(graph);
    assert_int_equal(dgm_graph_get_counts(graph).records, 4000);
    assert_int_equal(dgm_graph_classes(graph), blocks);
    int64_t within = 0;
    for (int64_t u = 0; u < rows.nodes; u++) {
        assert_int_equal(labels[u], u % blocks);
        for (int64_t e = rows.offsets[u]; e < rows.offsets[u + 1]; e++)
            within += labels[u] == labels[rows.targets[e]];
    }
    double share = (double)within / (double)rows.entries;
    dgm_graph_free(graph);
    return share;
}

static void blocks_keep_the_share_of_edges_that_was_asked_for(void **state) {
    (void)state;
    assert_true(share_inside(1, 4) == 1);
    assert_true(share_inside(0, 4) == 0);
    assert_true(share_inside(0, 1) == 1); /* one block has no outside */
    assert_near(share_inside(0.9, 4), 0.9, 0.03);
    assert_near(share_inside(0.5, 7), 0.5, 0.05); /* blocks of 143 and 142 */
}

static void there_are_no_more_blocks_than_nodes(void **state) {
    (void)state;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = DGM_GENERATE_SBM;
    options.nodes = 3;
    options.blocks = 1000;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    assert_int_equal(dgm_graph_classes(graph), 3);
    dgm_graph_free(graph);
}

/* ---- recursive matrix ---- */

/* Each level turns to the upper half with 0.19 + 0.05, for either end; so few repeats merge that
 * the ends keep it. */
static void a_recursive_matrix_is_skewed_as_its_quadrants_say(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_RMAT, 1 << 16, 20000, 1);
    int64_t upper = 0, quarter = 0, nodes = dgm_graph_nodes(graph);
    for (int64_t u = 0; u < nodes; u++) {
        upper += u >= nodes / 2 ? degree(graph, u) : 0;
        quarter += u >= 3 * nodes / 4 ? degree(graph, u) : 0;
    }
    double ends = 2.0 * (double)dgm_graph_edges(graph);
    assert_int_equal(dgm_graph_get_counts(graph).records, 20000);
    assert_true(dgm_graph_edges(graph) > 19000);
    assert_near((double)upper / ends, 0.24, 0.015);
    assert_near((double)quarter / ends, 0.24 * 0.24, 0.01);
    dgm_graph_free(graph);
}

static void a_recursive_matrix_has_a_power_of_two_nodes(void **state) {
    (void)state;
    static const int64_t asked[] = {1, 2, 3, 5, 1024, 1025}, given[] = {1, 2, 4, 8, 1024, 2048};
    for (int64_t k = 0; k < COUNT(asked); k++) {
        dgm_graph *graph = generate(DGM_GENERATE_RMAT, asked[k], 10, 1);
        assert_int_equal(dgm_graph_nodes(graph), given[k]);
        dgm_graph_free(graph);
    }
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = DGM_GENERATE_RMAT;
    options.nodes = DGM_MAX_NODES;
    ASSERT_FAILS(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_ERROR_USAGE,
                 "rmat: 2^31 nodes are too many");
    assert_null(graph);
}

/* ---- bad options ---- */

static void options_out_of_bounds_are_refused(void **state) {
    (void)state;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph = (dgm_graph *)ctx;
    options.kind = 8;
    ASSERT_FAILS(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_ERROR_USAGE,
                 "there is no generator 8");
    assert_null(graph);
    dgm_generate_options_init(&options);
    options.nodes = 0;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_ERROR_USAGE);
    dgm_generate_options_init(&options);
    options.inside = 1.5;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_ERROR_USAGE);
    dgm_generate_options_init(&options);
    options.seed = -1;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_ERROR_USAGE);
    assert_null(graph);
}

static void more_nodes_may_be_asked_of_any_graph(void **state) {
    (void)state;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    const dgm_graph_options more = {.size = sizeof(dgm_graph_options), .nodes = 100};
    dgm_graph *graph;
    options.kind = DGM_GENERATE_RMAT;
    options.nodes = 16;
    assert_int_equal(dgm_graph_generate(ctx, &options, &more, &graph), DGM_OK);
    assert_int_equal(dgm_graph_nodes(graph), 100);
    dgm_graph_free(graph);
}

static void without_options_the_defaults_are_generated(void **state) {
    (void)state;
    const dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *plain, *same;
    assert_int_equal(dgm_graph_generate(ctx, NULL, NULL, &plain), DGM_OK);
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &same), DGM_OK);
    assert_true(same_rows(plain, same));
    dgm_graph_free(plain);
    dgm_graph_free(same);
}

/* Fewer references than papers are asked for: a paper still has one, in the mean. */
static void papers_cite_one_other_at_least_in_the_mean(void **state) {
    (void)state;
    dgm_graph *few = generate(DGM_GENERATE_PAPERS, 1000, 10, 1);
    dgm_graph *one = generate(DGM_GENERATE_PAPERS, 1000, 1000, 1);
    assert_true(same_rows(few, one));
    assert_true(dgm_graph_edges(few) > 500);
    dgm_graph_free(few);
    dgm_graph_free(one);
}

/* The quadrant of a level by its share of 2^16 draws, 0.57, 0.19, 0.19 and 0.05: 0 to 3. */
static uint32_t quadrant_of(uint32_t draw) {
    static const double shares[] = {0.57, 0.76, 0.95};
    uint32_t quadrant = 0;
    while (quadrant < 3 && draw >= (uint32_t)lround(shares[quadrant] * 65536))
        quadrant++;
    return quadrant;
}

/* From the definition: an edge picks one of four quadrants of the matrix, level by level. */
static void rmat_is_a_recursive_matrix(void **state) {
    (void)state;
    enum { LEVELS = 16, EDGES = 20000, SEED = 7, STREAM = 3 };
    uint32_t *edges = malloc(2 * EDGES * sizeof *edges);
    assert_non_null(edges);
    for (uint64_t e = 0; e < EDGES; e++) {
        edges[2 * e] = edges[2 * e + 1] = 0;
        for (uint64_t level = 0; level < LEVELS; level++) {
            uint64_t bits = dgmi_random_bits(SEED, STREAM, 8 * e + level / 4);
            uint32_t quadrant = quadrant_of((uint32_t)(bits >> 16 * (level % 4)) & 0xFFFF);
            edges[2 * e] = 2 * edges[2 * e] + quadrant / 2;
            edges[2 * e + 1] = 2 * edges[2 * e + 1] + quadrant % 2;
        }
    }
    dgm_graph *wanted = build_graph(NULL, 1 << LEVELS, EDGES, edges, NULL);
    dgm_graph *made = generate(DGM_GENERATE_RMAT, 1 << LEVELS, EDGES, SEED);
    assert_true(same_rows(made, wanted));
    dgm_graph_free(made);
    dgm_graph_free(wanted);
    free(edges);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_makes_the_same_graph_and_another_seed_another),
        cmocka_unit_test(papers_have_all_that_citation_networks_have),
        cmocka_unit_test(papers_cite_their_own_field),
        cmocka_unit_test(the_fewest_papers_are_a_graph_too),
        cmocka_unit_test(spam_follows_the_rules_of_the_paper),
        cmocka_unit_test(spammers_link_to_many_and_others_to_ten_at_most),
        cmocka_unit_test(a_small_spam_graph_is_split_too),
        cmocka_unit_test(karate_is_the_club_of_1977),
        cmocka_unit_test(a_grid_has_its_lattice_and_coordinates),
        cmocka_unit_test(a_grid_may_end_in_a_short_row),
        cmocka_unit_test(an_unwired_small_world_is_a_ring_lattice),
        cmocka_unit_test(rewiring_keeps_every_record_and_moves_some),
        cmocka_unit_test(tiny_small_worlds_are_complete),
        cmocka_unit_test(attachment_makes_one_component_with_hubs),
        cmocka_unit_test(attachment_of_more_links_than_nodes_stays_small),
        cmocka_unit_test(blocks_keep_the_share_of_edges_that_was_asked_for),
        cmocka_unit_test(there_are_no_more_blocks_than_nodes),
        cmocka_unit_test(a_recursive_matrix_is_skewed_as_its_quadrants_say),
        cmocka_unit_test(a_recursive_matrix_has_a_power_of_two_nodes),
        cmocka_unit_test(options_out_of_bounds_are_refused),
        cmocka_unit_test(more_nodes_may_be_asked_of_any_graph),
        cmocka_unit_test(without_options_the_defaults_are_generated),
        cmocka_unit_test(papers_cite_one_other_at_least_in_the_mean),
        cmocka_unit_test(rmat_is_a_recursive_matrix),
    };
    return RUN_WITH_CONTEXT(tests);
}
