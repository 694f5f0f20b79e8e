/* SPDX-License-Identifier: Apache-2.0 */
/* What blocks explain of a graph, against formulas with numbers that were counted by hand. */
#include "mapper_sample.h"

#include <math.h>

#include "../check_random.h"
#include "mapper_bits.h"
#include "unit_faults.h"

static double log2_factorial(int n) {
    double sum = 0;
    for (int i = 2; i <= n; i++)
        sum += log2(i);
    return sum;
}

static dgm_bits measure(const dgm_graph *graph, const uint32_t *block, int64_t blocks) {
    dgm_bits bits;
    assert_int_equal(dgmi_mapper_bits_measure(ctx, graph, block, blocks, block, &bits), DGM_OK);
    assert_true(bits.known && bits.blocks == blocks && bits.runs == 0 && bits.spread == 0);
    assert_true(bits.features < 0 && bits.features_chance < 0);
    return bits;
}

static void join_all(uint32_t first, uint32_t size, uint32_t *ends, int64_t *count) {
    for (uint32_t i = first; i < first + size; i++)
        for (uint32_t j = first; j < i; j++) {
            ends[2 * *count] = i;
            ends[2 * (*count)++ + 1] = j;
        }
}

/* Nodes 0 to 3 and 4 to 7, all joined, and an edge between the two; `more` nodes without edges. */
static dgm_graph *two_cliques(const dgm_graph_options *options, int64_t more) {
    uint32_t ends[64];
    int64_t count = 0;
    join_all(0, 4, ends, &count);
    join_all(4, 4, ends, &count);
    ends[2 * count] = 3;
    ends[2 * count++ + 1] = 4;
    return build_graph(options, 8 + more, count, ends, NULL);
}

/* ---- blocks of hand-made graphs ---- */

/* Of 26 ends, 12 lead from each clique into itself and one into the other; 13 belong to each. */
static void two_cliques_are_two_blocks(void **state) {
    (void)state;
    const uint32_t block[] = {0, 0, 0, 0, 1, 1, 1, 1};
    dgm_graph *graph = two_cliques(NULL, 0);
    dgm_bits bits = measure(graph, block, 2);
    double gained = 2 * (12.0 / 26 * log2(12.0 / 26 * 4) + 1.0 / 26 * log2(1.0 / 26 * 4));
    assert_near(bits.gained, gained, 1e-12);
    assert_near(bits.told, 8.0 / 13, 1e-12);             /* a bit for each node */
    assert_near(bits.cost, (8 + log2(105)) / 13, 1e-12); /* 13 edges in 3 counts: 15 over 2 ways */
    assert_near(bits.whole,
                (log2_factorial(26) - 13 - log2_factorial(13) - 6 * log2_factorial(3) -
                 2 * log2_factorial(4)) /
                    13,
                1e-12);
    assert_int_equal(bits.edges, 13);
    assert_int_equal(bits.inside, 12);
    dgm_graph_free(graph);
}

/* Who knows that there is one block knows nothing. */
static void one_block_saves_nothing(void **state) {
    (void)state;
    const uint32_t block[8] = {0};
    dgm_graph *graph = two_cliques(NULL, 0);
    dgm_bits bits = measure(graph, block, 1);
    assert_near(bits.gained, 0, 1e-12);
    assert_near(bits.cost, 0, 1e-12);
    assert_near(bits.told, 0, 0);
    assert_int_equal(bits.inside, 13);
    dgm_graph_free(graph);
}

/* Each node a block: everything is gained that can be, and it costs more. */
static void single_nodes_cost_more_than_they_gain(void **state) {
    (void)state;
    const uint32_t block[] = {0, 1, 2, 3, 4, 5, 6, 7};
    dgm_graph *graph = two_cliques(NULL, 0);
    dgm_bits bits = measure(graph, block, 8);
    double gained = log2(26);
    for (int u = 0; u < 8; u++)
        gained -= (u == 3 || u == 4 ? 4 : 3) * 2 / 26.0 * log2(u == 3 || u == 4 ? 4 : 3);
    assert_near(bits.gained, gained, 1e-12);
    assert_near(bits.told, 24.0 / 13, 1e-12);
    assert_true(bits.cost > bits.gained);
    assert_int_equal(bits.inside, 0);
    dgm_graph_free(graph);
}

/* Nodes without edges tell nothing of edges, but it costs something to say which they are. */
static void single_nodes_are_paid_for(void **state) {
    (void)state;
    const uint32_t apart[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2},
                   among[] = {0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1, 1};
    const uint32_t plain[] = {0, 0, 0, 0, 1, 1, 1, 1};
    dgm_graph *graph = two_cliques(NULL, 4), *bare = two_cliques(NULL, 0);
    dgm_bits is = measure(graph, apart, 3), mixed = measure(graph, among, 2),
             few = measure(bare, plain, 2);
    assert_near(is.gained, few.gained, 1e-12);
    assert_near(mixed.gained, few.gained, 1e-12);
    assert_near(is.whole, few.whole, 1e-12);
    assert_near(is.told, 12 * log2(3) / 13, 1e-12);
    assert_near(mixed.told, 12.0 / 13, 1e-12);
    /* 13 edges in 6 counts: 18 over 5 ways. */
    assert_near(is.cost - is.told, log2(8568) / 13, 1e-12);
    dgm_graph_free(graph);
    dgm_graph_free(bare);
}

/* Arcs are edges, two opposite ones are one, and weights and loops do not count. */
static void directions_weights_and_loops_do_not_count(void **state) {
    (void)state;
    const uint32_t block[] = {0, 0, 0, 0, 1, 1, 1, 1};
    const uint32_t ends[] = {0, 1, 1, 0, 0, 2, 0, 3, 1, 2, 3, 1, 2, 3, 3, 2, 0, 0, 3, 4,
                             4, 3, 4, 5, 5, 5, 4, 6, 7, 4, 5, 6, 5, 7, 6, 7, 7, 7, 7, 6};
    const double weights[] = {5, 1, 2, 9, 1, 1, 3, 1, 1, 1, 1, 7, 1, 1, 1, 1, 1, 1, 8, 1};
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.directed = true;
    options.keep_loops = true;
    dgm_graph *plain = two_cliques(NULL, 0),
              *graph = build_graph(&options, 8, COUNT(ends) / 2, ends, weights);
    dgm_bits a = measure(plain, block, 2), b = measure(graph, block, 2);
    assert_memory_equal(&a, &b, sizeof a);
    dgm_graph_free(plain);
    dgm_graph_free(graph);
}

static void graphs_without_edges_have_no_bits(void **state) {
    (void)state;
    const uint32_t block[] = {0, 1, 1};
    dgm_graph *three = build_graph(NULL, 3, 0, NULL, NULL),
              *none = build_graph(NULL, 0, 0, NULL, NULL);
    dgm_bits is = measure(three, block, 2);
    assert_true(is.whole == 0 && is.gained == 0 && is.cost == 0 && is.told == 0 && is.edges == 0);
    is = measure(none, block, 0);
    assert_true(is.whole == 0 && is.gained == 0 && is.cost == 0);
    dgm_graph_free(three);
    dgm_graph_free(none);
}

/* The degrees leave so many graphs, counting the ways to join ends: 1 for an edge; of a star of four
 * rays 7 x 5 x 3 pairings over 4! orders of the ends in the middle; of a ring of five. */
static void the_whole_is_what_degrees_leave_open(void **state) {
    (void)state;
    const uint32_t block[5] = {0}, star[] = {0, 1, 0, 2, 0, 3, 0, 4},
                   ring[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 0};
    dgm_graph *graphs[] = {build_graph(NULL, 2, 1, star, NULL), build_graph(NULL, 5, 4, star, NULL),
                           build_graph(NULL, 5, 5, ring, NULL)};
    const double whole[] = {0, log2(105.0 / 24) / 4, log2(945.0 / 32) / 5};
    for (int64_t i = 0; i < COUNT(graphs); i++) {
        assert_near(measure(graphs[i], block, 1).whole, whole[i], 1e-12);
        dgm_graph_free(graphs[i]);
    }
}

/* Blocks that have nothing to do with the edges cost more than they seem to explain. */
static void blocks_by_lot_save_less_than_nothing(void **state) {
    (void)state;
    for (int seed = 1; seed < 6; seed++) {
        dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
        uint32_t block[300];
        dgm_graph *graph;
        check_random random = check_random_case(check_random_seed(), 1, seed);
        options.kind = DGM_GENERATE_WS; /* of which nothing is left */
        options.rewire = 1;
        options.nodes = COUNT(block);
        options.edges = 1500;
        options.seed = seed;
        assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
        for (int64_t blocks = 2; blocks < 20; blocks += 5) {
            for (int64_t u = 0; u < COUNT(block); u++)
                block[u] = (uint32_t)check_random_below(&random, (int)blocks);
            dgm_bits bits = measure(graph, block, blocks);
            assert_true(bits.gained >= 0 && bits.gained < bits.cost);
        }
        dgm_graph_free(graph);
    }
}

/* Blocks that nobody is in are counts of edges all the same; numbers of blocks do not matter. */
static void numbers_of_blocks_do_not_matter(void **state) {
    (void)state;
    const uint32_t block[] = {0, 0, 0, 0, 1, 1, 1, 1}, turned[] = {1, 1, 1, 1, 0, 0, 0, 0},
                   wide[] = {2, 2, 2, 2, 0, 0, 0, 0};
    dgm_graph *graph = two_cliques(NULL, 0);
    dgm_bits a = measure(graph, block, 2), b = measure(graph, turned, 2),
             c = measure(graph, wide, 3);
    assert_near(a.gained, b.gained, 1e-12);
    assert_near(a.cost, b.cost, 1e-12);
    assert_near(a.gained, c.gained, 1e-12);
    assert_near(a.told, c.told, 1e-12);
    assert_true(c.cost > a.cost);
    dgm_graph_free(graph);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    uint32_t block[5000];
    dgm_graph *graph;
    options.kind = DGM_GENERATE_BA;
    options.nodes = COUNT(block);
    options.edges = 20000;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    for (uint32_t u = 0; u < COUNT(block); u++)
        block[u] = u * 7 % 150;
    dgm_context_set_threads(ctx, 1);
    dgm_bits one = measure(graph, block, 150);
    dgm_context_set_threads(ctx, 4);
    dgm_bits four = measure(graph, block, 150);
    dgm_context_set_threads(ctx, 0);
    assert_memory_equal(&one, &four, sizeof one);
    dgm_graph_free(graph);
}

/* ---- blocks of summaries ---- */

static dgm_graph *path(uint32_t nodes) {
    uint32_t ends[64];
    for (uint32_t i = 0; i + 1 < nodes; i++) {
        ends[2 * i] = i;
        ends[2 * i + 1] = i + 1;
    }
    return build_graph(NULL, nodes, nodes - 1, ends, NULL);
}

/* A path whose nodes have their numbers as values, in these cells: the blocks as "0 0 1 1", and the
 * clusters behind a bar. */
static const char *blocks_of(const dgm_graph *graph, const char *cells, int pieces,
                             int64_t min_size, int64_t least, dgm_bits *bits) {
    static char text[256];
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_interval given[8];
    double values[32];
    uint32_t cluster[32], block[32];
    int64_t blocks, nodes = dgm_graph_nodes(graph);
    size_t used = 0;
    for (int64_t u = 0; u < nodes; u++)
        values[u] = (double)u;
    assert_int_equal(dgm_cover_parse(ctx, cells, &options, given, COUNT(given)), DGM_OK);
    options.pieces = pieces;
    options.min_size = min_size;
    dgm_summary *summary = map_graph(graph, 1, values, &options);
    assert_int_equal(dgmi_mapper_bits_blocks(ctx, summary, least, cluster, block, &blocks), DGM_OK);
    assert_int_equal(dgm_summary_measure_bits(ctx, summary, graph, least, bits), DGM_OK);
    dgm_bits again;
    assert_int_equal(dgmi_mapper_bits_measure(ctx, graph, block, blocks, cluster, &again), DGM_OK);
    assert_memory_equal(bits, &again, sizeof again);
    for (int64_t u = 0; u < nodes; u++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u", u ? " " : "", block[u]);
    for (int64_t u = 0; u < nodes; u++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d", u ? " " : " | ",
                                 (int)cluster[u]);
    dgm_summary_free(summary);
    return text;
}

static void a_node_is_in_the_block_of_its_largest_cluster(void **state) {
    (void)state;
    dgm_bits bits;
    dgm_graph *graph = path(8);
    /* 2 lies in clusters of three and of four nodes. */
    assert_string_equal(blocks_of(graph, "intervals:0..2.5,1.6..5.5,5.6..8", 0, 1, 1, &bits),
                        "0 0 1 1 1 1 2 2 | 0 0 1 1 1 1 2 2");
    assert_true(bits.edges == 7 && bits.inside == 5 && bits.blocks == 3);
    /* Of equals the first. */
    assert_string_equal(blocks_of(graph, "intervals:0..3.5,2.6..6.5,6.6..8", 0, 1, 1, &bits),
                        "0 0 0 0 1 1 1 2 | 0 0 0 0 1 1 1 2");
    dgm_graph_free(graph);
}

/* A node that was taken across an edge belongs where it was, however large the other cluster. */
static void nodes_that_were_taken_stay_where_they_belong(void **state) {
    (void)state;
    dgm_bits bits;
    dgm_graph *graph = path(9);
    static const char cells[] = "intervals:0..2.5,2.6..4.5,4.6..9";
    const char *apart = "0 0 0 1 1 2 2 2 2 | 0 0 0 1 1 2 2 2 2";
    assert_string_equal(blocks_of(graph, cells, DGM_PIECES_APART, 1, 1, &bits), apart);
    assert_string_equal(blocks_of(graph, cells, DGM_PIECES_JOINED, 1, 1, &bits), apart);
    static const char others[] = "intervals:0..4.5,4.6..6.5,5.6..9";
    apart = "0 0 0 0 0 1 2 2 2 | 0 0 0 0 0 1 2 2 2";
    assert_string_equal(blocks_of(graph, others, DGM_PIECES_APART, 1, 1, &bits), apart);
    assert_string_equal(blocks_of(graph, others, DGM_PIECES_JOINED, 1, 1, &bits), apart);
    dgm_graph_free(graph);
}

/* Nodes in no cluster are a block, but no cluster: their edges are inside none. */
static void nodes_in_no_cluster_are_a_block(void **state) {
    (void)state;
    dgm_bits bits;
    dgm_graph *graph = path(8);
    assert_string_equal(blocks_of(graph, "intervals:0..1.5,4.6..7.5", 0, 1, 1, &bits),
                        "0 0 1 1 1 2 2 2 | 0 0 -1 -1 -1 1 1 1");
    assert_true(bits.blocks == 3 && bits.inside == 1 + 2);
    assert_string_equal(blocks_of(graph, "intervals:0..1.5,4.6..7.5", 0, 3, 1, &bits),
                        "0 0 0 0 0 1 1 1 | -1 -1 -1 -1 -1 0 0 0");
    assert_string_equal(blocks_of(graph, "intervals:90..91", 0, 1, 1, &bits),
                        "0 0 0 0 0 0 0 0 | -1 -1 -1 -1 -1 -1 -1 -1");
    assert_true(bits.blocks == 1 && bits.inside == 0);
    dgm_graph_free(graph);
}

/* Dust is in the block of the mark that shows it, and still in clusters of its own. */
static void dust_is_in_the_block_of_its_mark(void **state) {
    (void)state;
    dgm_bits bits;
    dgm_graph *line = path(10);
    /* 6 7 hang on the large cluster: with it they are one mark beside the other large one. */
    assert_string_equal(blocks_of(line, "intervals:0..4.5,3.6..6.5,5.6..9", 0, 1, 1, &bits),
                        "0 0 0 0 0 1 2 2 2 2 | 0 0 0 0 0 1 2 2 2 2");
    const char *hangs = blocks_of(line, "intervals:0..6.5,5.6..8.2,7.6..9", 0, 1, 4, &bits);
    assert_string_equal(hangs, "0 0 0 0 0 0 0 1 1 1 | 0 0 0 0 0 0 0 1 1 2");
    assert_int_equal(bits.inside, 6 + 1);
    /* Six nodes that are all joined, and five without an edge: those are one pile. */
    uint32_t ends[64];
    int64_t count = 0;
    join_all(0, 6, ends, &count);
    dgm_graph *graph = build_graph(NULL, 11, count, ends, NULL);
    assert_string_equal(blocks_of(graph, "intervals:0..11", 0, 1, 5, &bits),
                        "0 0 0 0 0 0 1 1 1 1 1 | 0 0 0 0 0 0 1 2 3 4 5");
    assert_true(bits.blocks == 2 && bits.inside == 15);
    assert_string_equal(blocks_of(graph, "intervals:0..11", 0, 1, 1, &bits),
                        "0 0 0 0 0 0 1 2 3 4 5 | 0 0 0 0 0 0 1 2 3 4 5");
    dgm_graph_free(graph);
    dgm_graph_free(line);
}

static void summaries_of_other_graphs_are_refused(void **state) {
    (void)state;
    const double values[] = {0, 1, 2, 3};
    dgm_graph *four = path(4), *five = path(5);
    dgm_summary *summary = map_graph(four, 1, values, NULL);
    dgm_bits bits = {.known = true};
    assert_int_equal(dgm_summary_measure_bits(ctx, summary, five, 1, &bits), DGM_ERROR_USAGE);
    assert_false(bits.known);
    dgm_summary_free(summary);
    dgm_graph_free(four);
    dgm_graph_free(five);
}

static void a_summary_carries_its_bits(void **state) {
    (void)state;
    const double values[] = {0, 1, 2, 3};
    dgm_graph *graph = path(4);
    dgm_summary *summary = map_graph(graph, 1, values, NULL);
    assert_false(dgm_summary_get_bits(summary).known);
    const dgm_bits bits = {.known = true, .blocks = 7, .gained = 0.5, .chance = -3};
    dgm_summary_set_bits(summary, &bits);
    dgm_bits is = dgm_summary_get_bits(summary);
    assert_memory_equal(&is, &bits, sizeof is);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* ---- findings ---- */

/* What was saved and what it takes to say who is where, against chance. */
static dgm_bits against(double saved, double chance, double most, double spread) {
    return (dgm_bits){.known = true,
                      .whole = 8.7,
                      .gained = saved + 1,
                      .cost = 1,
                      .runs = 5,
                      .chance = chance,
                      .chance_most = most,
                      .spread = spread,
                      .bare = 9,
                      .bare_most = 9,
                      .features = -1,
                      .features_chance = -1};
}

/* It is several times the spread, and large enough to be seen: the fewer runs, the larger. */
static void a_finding_is_more_than_all_that_chance_gave(void **state) {
    (void)state;
    static const struct {
        int64_t runs;
        double saved, chance, most, spread;
        dgm_finding finding;
    } cases[] = {
        {5, 0.5, 0.1, 0.2, 0.01, DGM_FINDING_FOUND},
        {5, 0.5, 0.1, 0.5, 0.01, DGM_FINDING_NONE},
        {5, 0.5, 0.1, 0.49, 0.099, DGM_FINDING_FOUND},
        {5, 0.5, 0.1, 0.49, 0.101, DGM_FINDING_NONE},
        {19, 0.5, 0.1, 0.49, 0.101, DGM_FINDING_NONE},
        {20, 0.5, 0.1, 0.49, 0.133, DGM_FINDING_FOUND},
        {20, 0.5, 0.1, 0.49, 0.134, DGM_FINDING_NONE},
        {20, 0.5, 0.489, 0.495, 0, DGM_FINDING_FOUND},
        {20, 0.5, 0.491, 0.495, 0, DGM_FINDING_NONE},
        {5, 0.5, 0.459, 0.495, 0, DGM_FINDING_FOUND},
        {5, 0.5, 0.461, 0.495, 0, DGM_FINDING_NONE},
        {4, 0.5, 0.449, 0.495, 0, DGM_FINDING_FOUND},
        {4, 0.5, 0.451, 0.495, 0, DGM_FINDING_NONE},
        {1, 0.5, 0.451, 0.451, 0, DGM_FINDING_NONE},
        {5, -0.1, -0.5, -0.4, 0.01, DGM_FINDING_WEAK},
        {5, -0.1, -0.1, -0.05, 0.01, DGM_FINDING_NONE},
        {5, 0, -0.5, -0.4, 0, DGM_FINDING_WEAK},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_bits bits = against(cases[i].saved, cases[i].chance, cases[i].most, cases[i].spread);
        bits.runs = cases[i].runs;
        assert_int_equal(dgm_bits_finding(&bits), cases[i].finding);
    }
}

/* Or more than chance if it were known who is where. */
static void marks_may_say_more_and_cost_more(void **state) {
    (void)state;
    dgm_bits bits = against(0.2, 0.3, 0.4, 0.1);
    assert_int_equal(dgm_bits_finding(&bits), DGM_FINDING_NONE);
    bits.told = 0.9;
    bits.bare = 0.5;
    bits.bare_most = 0.6;
    bits.bare_spread = 0.1; /* 0.2 + 0.9 is 0.6 more */
    assert_int_equal(dgm_bits_finding(&bits), DGM_FINDING_FOUND);
    bits.bare_spread = 0.16;
    assert_int_equal(dgm_bits_finding(&bits), DGM_FINDING_NONE);
    bits.bare_spread = 0.1;
    bits.bare_most = 1.2;
    assert_int_equal(dgm_bits_finding(&bits), DGM_FINDING_NONE);
    bits.bare_most = 0.6;
    bits.gained -= 0.3;
    bits.bare -= 0.3;
    assert_int_equal(dgm_bits_finding(&bits), DGM_FINDING_WEAK);
}

static void without_runs_nothing_is_known(void **state) {
    (void)state;
    dgm_bits bits = against(0.5, 0.1, 0.2, 0.01);
    bits.runs = 0;
    assert_int_equal(dgm_bits_finding(&bits), DGM_FINDING_UNKNOWN);
    bits.runs = 5;
    bits.known = false;
    assert_int_equal(dgm_bits_finding(&bits), DGM_FINDING_UNKNOWN);
    static const char *const names[] = {"unknown", "none", "weak", "found"};
    for (int64_t i = 0; i < COUNT(names); i++)
        assert_string_equal(dgm_finding_names()[i], names[i]);
    assert_null(dgm_finding_names()[COUNT(names)]);
}

static void assert_words(dgm_bits bits, const char *expected) {
    char words[DGM_BITS_WORDS], few[9];
    assert_ptr_equal(dgm_bits_words(&bits, words, sizeof words), words);
    assert_string_equal(words, expected);
    dgm_bits_words(&bits, few, sizeof few);
    assert_int_equal(strlen(few), 8);
    assert_memory_equal(few, expected, 8);
}

static void findings_are_said_in_words(void **state) {
    (void)state;
    dgm_bits bits = against(1.91, 0.05, 0.1, 0.01);
    assert_words(bits,
                 "this summary explains 1.91 of 8.70 bits for each edge; the same settings on "
                 "rewired graphs explain 0.05");
    bits.runs = 1;
    assert_words(bits,
                 "this summary explains 1.91 of 8.70 bits for each edge; the same settings on "
                 "the graph rewired at random explain 0.05");
    bits.chance = -0.2;
    assert_words(bits,
                 "this summary explains 1.91 of 8.70 bits for each edge; the same settings on "
                 "the graph rewired at random explain nothing");
    assert_words(against(-0.15, -0.6, -0.5, 0.01),
                 "there is more structure than by chance, and less than it takes to write the "
                 "summary down: -0.15 bits are saved for each edge, and -0.60 in rewired graphs");
    assert_words(against(0.15, 0.2, 0.25, 0.01),
                 "no structure beyond chance was found in this graph at these settings: they save "
                 "0.15 bits for each edge, and 0.20 in rewired graphs");
    bits = against(0.25, 0, 0, 0);
    bits.runs = 0;
    assert_words(bits, "this summary explains 0.25 of 8.70 bits for each edge");
    bits.gained = 1;
    assert_words(bits, "this summary explains 0.00 of 8.70 bits for each edge");
    bits.gained = 0.5;
    assert_words(bits, "this summary explains less of the edges than it takes to write it down: "
                       "-0.50 of 8.70 bits for each");
}

static void what_features_say_is_a_sentence_more(void **state) {
    (void)state;
    dgm_bits bits = against(0.25, 0, 0, 0);
    bits.runs = 0;
    bits.features = 0.1234;
    assert_words(bits, "this summary explains 0.25 of 8.70 bits for each edge. Of the variance of "
                       "features, 12.3% lies between marks");
    bits.features_chance = 0.0206;
    assert_words(bits, "this summary explains 0.25 of 8.70 bits for each edge. Of the variance of "
                       "features, 12.3% lies between marks; 2.1% if features are shuffled");
}

/* ---- memory that ends ---- */

static dgm_status measure_once(dgm_context *own, void *argument) {
    const dgm_graph *graph = argument;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    dgm_bits bits;
    dgm_status status = dgm_matrix_create(own, dgm_graph_nodes(graph), 1, &lens);
    for (int64_t u = 0; status == DGM_OK && u < dgm_graph_nodes(graph); u++)
        dgm_matrix_values_mutable(lens)[u] = (double)u;
    options.intervals[0] = 5;
    if (status == DGM_OK)
        status = dgm_mapper_run(own, graph, lens, &options, &summary);
    if (status == DGM_OK)
        status = dgm_summary_measure_bits(own, summary, graph, 4, &bits);
    assert_true(status != DGM_OK || bits.known);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    return status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.directed = true;
    dgm_graph *plain = path(20), *arcs = two_cliques(&options, 2);
    fail_each_allocation(measure_once, plain);
    fail_each_allocation(measure_once, arcs);
    dgm_graph_free(plain);
    dgm_graph_free(arcs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_cliques_are_two_blocks),
        cmocka_unit_test(one_block_saves_nothing),
        cmocka_unit_test(single_nodes_cost_more_than_they_gain),
        cmocka_unit_test(single_nodes_are_paid_for),
        cmocka_unit_test(directions_weights_and_loops_do_not_count),
        cmocka_unit_test(graphs_without_edges_have_no_bits),
        cmocka_unit_test(the_whole_is_what_degrees_leave_open),
        cmocka_unit_test(blocks_by_lot_save_less_than_nothing),
        cmocka_unit_test(numbers_of_blocks_do_not_matter),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(a_node_is_in_the_block_of_its_largest_cluster),
        cmocka_unit_test(nodes_that_were_taken_stay_where_they_belong),
        cmocka_unit_test(nodes_in_no_cluster_are_a_block),
        cmocka_unit_test(dust_is_in_the_block_of_its_mark),
        cmocka_unit_test(summaries_of_other_graphs_are_refused),
        cmocka_unit_test(a_summary_carries_its_bits),
        cmocka_unit_test(a_finding_is_more_than_all_that_chance_gave),
        cmocka_unit_test(marks_may_say_more_and_cost_more),
        cmocka_unit_test(without_runs_nothing_is_known),
        cmocka_unit_test(findings_are_said_in_words),
        cmocka_unit_test(what_features_say_is_a_sentence_more),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
