/* SPDX-License-Identifier: Apache-2.0 */
/* Propositions 4.2 and 4.3 for the poolings themselves: the pooled graph of MPR is a nerve, and a
 * classifier does not see how nodes are numbered. */
#include "property_fixture.h"

#include <math.h>

#include "../check_pool.h"
#include "pool_assign.h"

/* ---- proposition 4.3 ---- */

enum { PAIRS = 12, WIDTH = 3 };

/* The random lens and the matching go by the numbers of nodes, so they are not among these. */
static const char *const invariant[] = {"mpr:clusters=4-2",
                                        "mpr:clusters=4-2,overlap=0.6,cover=quantile",
                                        "mpr:clusters=5-2,lens=degree",
                                        "mpr:clusters=4-2,variant=feb2020",
                                        "mpr:clusters=4-2,variant=newest",
                                        "mpr:clusters=4-3,lens=learned",
                                        "mpr:clusters=4-3,lens=learned,axes=2",
                                        "topk",
                                        "sagpool",
                                        "mincut:clusters=4-2",
                                        "diffpool:clusters=4-2",
                                        "sum",
                                        "mean",
                                        "max",
                                        "none"};

static void draw_order(check_random *random, int nodes, int *order) {
    for (int u = 0; u < nodes; u++) {
        int other = check_random_below(random, u + 1);
        order[u] = order[other];
        order[other] = u;
    }
}

/* The graph again, node u of which is now called order[u]. */
static void draft_relabelled(pool_draft *draft, const property_graph *graph, const int *order) {
    int64_t from = draft->starts[draft->graphs - 1];
    int64_t to = pool_draft_graph(draft, graph->nodes);
    for (int e = 0; e < graph->count; e++)
        pool_draft_edge(draft, order[graph->edges[e][0]], order[graph->edges[e][1]], 1);
    for (int u = 0; u < graph->nodes; u++)
        memcpy(draft->features + (to + order[u]) * WIDTH, draft->features + (from + u) * WIDTH,
               WIDTH * sizeof *draft->features);
}

/* Graphs 2 k and 2 k + 1 are the same but for the numbers of their nodes. */
static void draft_pairs(check_random *random, pool_draft *draft) {
    static property_graph graph;
    int order[32];
    memset(draft, 0, sizeof *draft);
    draft->width = WIDTH;
    for (int pair = 0; pair < PAIRS; pair++) {
        property_draw_graph(random, 14, false, &graph);
        int64_t first = pool_draft_graph(draft, graph.nodes);
        for (int e = 0; e < graph.count; e++)
            pool_draft_edge(draft, graph.edges[e][0], graph.edges[e][1], 1);
        for (int64_t i = first * WIDTH; i < (first + graph.nodes) * WIDTH; i++)
            draft->features[i] = (float)check_random_unit(random);
        draw_order(random, graph.nodes, order);
        draft_relabelled(draft, &graph, order);
    }
}

/* Weights are positive where nodes are chosen by score, since nodes that ReLU has put to 0 tie. */
static void draw_weights(check_random *random, pool_net *net) {
    bool chosen = net->request.family == DGMI_POOL_SELECT;
    double size = net->network.design.net == DGM_NET_GIN ? 0.3 : 1; /* sums grow quickly */
    pool_net_draw(net, random, chosen ? 0.05 * size : -0.5 * size, (chosen ? 0.5 : 0.7) * size);
}

/* Whether a network is looked at as its weights start, too: its nodes do not tie at 0, and its states
 * are not so large that rounding shows. */
static bool starts_fairly(const pool_net *net) {
    return net->request.family != DGMI_POOL_SELECT && net->network.design.net != DGM_NET_GIN;
}

/* Two nodes with the same neighbours, themselves included, have one score by SAGPool, and a skip
 * would give them two states: a tie of nodes that are not alike. */
static bool skips(const char *pool, int number) {
    return number & 1 && strcmp(pool, "sagpool") != 0;
}

static void compare_pairs(const char *pool, const float *scores, int number) {
    for (int pair = 0; pair < PAIRS; pair++)
        for (int c = 0; c < 2; c++) {
            double one = (double)scores[4 * pair + c], other = (double)scores[4 * pair + 2 + c];
            if (!(fabs(one - other) <= 1e-5 * fmax(1, fabs(one))))
                fail_msg("seed %llu, case %d, %s: graph %d has the scores %g and %g",
                         (unsigned long long)seed, number, pool, pair, one, other);
        }
}

static void classifiers_do_not_see_the_numbers_of_nodes(void **state) {
    (void)state;
    static pool_draft draft;
    static pool_net net;
    int64_t list[2 * PAIRS];
    for (int i = 0; i < 2 * PAIRS; i++)
        list[i] = i;
    for (int number = 0; number < 6; number++) {
        check_random random = check_random_case(seed, 70, number);
        draft_pairs(&random, &draft);
        for (size_t k = 0; k < sizeof invariant / sizeof *invariant; k++) {
            dgmi_pool_pass pass;
            const pool_shape shape = {
                invariant[k], number % 3, skips(invariant[k], number), 2, 2, 4, 1};
            pool_net_make(&draft, &shape, &net);
            if (starts_fairly(&net))
                compare_pairs(invariant[k],
                              pool_net_run(&net, list, 2 * PAIRS, false, &pass)->value.values,
                              number);
            draw_weights(&random, &net);
            compare_pairs(invariant[k],
                          pool_net_run(&net, list, 2 * PAIRS, false, &pass)->value.values, number);
            pool_net_free(&net);
        }
    }
}

/* The cells of each node, one bit per cell, after a relabelling: those of node order[u] for u. */
static void cells_by_node(const property_graph *drawn, const int *order, const char *pool,
                          int64_t clusters, uint64_t *cells) {
    static property_graph graph;
    dgmi_pool_request request;
    dgm_membership *membership;
    graph = *drawn;
    for (int e = 0; e < graph.count; e++)
        for (int end = 0; end < 2; end++)
            graph.edges[e][end] = (uint32_t)order[drawn->edges[e][end]];
    dgm_graph *built = property_build_graph(ctx, &graph);
    const dgmi_pool_subject subject = {.graph = built, .clusters = clusters};
    assert_int_equal(dgmi_pool_parse(ctx, pool, &request), DGM_OK);
    assert_int_equal(dgmi_pool_assign(ctx, &request, &subject, &membership), DGM_OK);
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    assert_true(rows.clusters <= 64);
    for (int u = 0; u < graph.nodes; u++) {
        cells[u] = 0;
        for (int64_t i = rows.offsets[order[u]]; i < rows.offsets[order[u] + 1]; i++)
            cells[u] |= UINT64_C(1) << rows.columns[i];
    }
    dgm_membership_free(membership);
    dgm_graph_free(built);
}

/* Not to a tolerance: the same cells, even where values lie on the ends of cells. */
static void cells_follow_their_nodes(void **state) {
    (void)state;
    static property_graph graph;
    static const char *const lenses[] = {"pagerank", "degree", "triangles", "closeness",
                                         "betweenness"};
    for (int number = 0; number < 400; number++) {
        check_random random = check_random_case(seed, 72, number);
        int plain[CHECK_MAX_NODES], order[CHECK_MAX_NODES];
        uint64_t cells[CHECK_MAX_NODES], again[CHECK_MAX_NODES];
        char pool[96];
        snprintf(pool, sizeof pool, "mpr:lens=%s,overlap=%g,cover=%s", lenses[number % 5],
                 0.25 * check_random_below(&random, 3), number % 2 ? "quantile" : "uniform");
        int64_t clusters = check_random_between(&random, 1, 20);
        property_draw_graph(&random, 24, false, &graph);
        for (int u = 0; u < graph.nodes; u++)
            plain[u] = u;
        draw_order(&random, graph.nodes, order);
        cells_by_node(&graph, plain, pool, clusters, cells);
        cells_by_node(&graph, order, pool, clusters, again);
        for (int u = 0; u < graph.nodes; u++)
            if (cells[u] != again[u])
                fail_msg("seed %llu, case %d, %s, %lld cells: node %d has moved",
                         (unsigned long long)seed, number, pool, (long long)clusters, u);
    }
}

/* ---- proposition 4.2 ---- */

enum { CASES = 300, MOST = 24 };
typedef bool pair_table[MOST][MOST];

/* Pairs of columns that meet in a row. */
static void meeting_pairs(const dgm_membership *membership, pair_table pairs) {
    dgm_membership_rows rows = dgm_membership_get_rows(membership);
    memset(pairs, 0, sizeof(pair_table));
    for (int64_t u = 0; u < rows.nodes; u++)
        for (int64_t a = rows.offsets[u]; a < rows.offsets[u + 1]; a++)
            for (int64_t b = rows.offsets[u]; b < rows.offsets[u + 1]; b++)
                pairs[rows.columns[a]][rows.columns[b]] = true;
}

/* Pairs that S'AS joins, or S'(A + I)S. */
static void joined_pairs(const dgm_graph *graph, const dgm_membership *cells, bool loops,
                         pair_table pairs) {
    dgm_graph *pooled;
    assert_int_equal(dgm_membership_adjacency(ctx, graph, cells, loops, &pooled), DGM_OK);
    dgm_graph_rows rows = dgm_graph_get_rows(pooled);
    memset(pairs, 0, sizeof(pair_table));
    for (int64_t x = 0; x < rows.nodes; x++)
        for (int64_t e = rows.offsets[x]; e < rows.offsets[x + 1]; e++)
            pairs[x][rows.targets[e]] = true;
    dgm_graph_free(pooled);
}

/* The nerve of the pull-back on the expanded graph: cells of the copies, grown by one hop. */
static void expanded_pairs(const dgm_graph *graph, const dgm_membership *cells, pair_table pairs) {
    dgm_graph *expanded;
    uint32_t *origin;
    dgm_membership *copied, *hop;
    assert_int_equal(dgm_graph_expand(ctx, graph, &expanded, &origin), DGM_OK);
    assert_int_equal(
        dgm_membership_copy_rows(ctx, cells, dgm_graph_nodes(expanded), origin, &copied), DGM_OK);
    assert_int_equal(dgm_membership_expand(ctx, expanded, copied, &hop), DGM_OK);
    meeting_pairs(hop, pairs);
    dgm_membership_free(hop);
    dgm_membership_free(copied);
    dgm_expansion_origin_free(ctx, origin);
    dgm_graph_free(expanded);
}

static bool same_off_diagonal(pair_table a, pair_table b) {
    for (int x = 0; x < MOST; x++)
        for (int y = x + 1; y < MOST; y++)
            if (a[x][y] != b[x][y])
                return false;
    return true;
}

/* The cells that MPR makes of a random graph, by PageRank or a random lens. */
static dgm_membership *draw_cells(int number, dgm_graph **graph) {
    static property_graph drawn;
    check_random random = check_random_case(seed, 71, number);
    dgmi_pool_request request;
    dgm_membership *cells;
    char pool[96];
    property_draw_graph(&random, 20, false, &drawn);
    *graph = property_build_graph(ctx, &drawn);
    snprintf(pool, sizeof pool, "mpr:lens=%s,overlap=%g", number % 2 ? "pagerank" : "random",
             0.1 * check_random_below(&random, 8));
    const dgmi_pool_subject subject = {.graph = *graph,
                                       .clusters = check_random_between(&random, 1, 12),
                                       .seed = (int64_t)(seed + (uint64_t)number)};
    assert_int_equal(dgmi_pool_parse(ctx, pool, &request), DGM_OK);
    assert_int_equal(dgmi_pool_assign(ctx, &request, &subject, &cells), DGM_OK);
    return cells;
}

/* As the proposition has it, A has a unit diagonal. MPR pools without it: that leaves out the pairs
 * that meet in a node and are joined by no edge, and no other. */
static void the_pooled_graph_of_mpr_is_a_nerve(void **state) {
    (void)state;
    int edges = 0, gaps = 0, on_itself = 0, none = 0, fewer = 0;
    for (int number = 0; number < CASES; number++) {
        dgm_graph *graph;
        dgm_membership *cells = draw_cells(number, &graph), *hop;
        pair_table pooled, bare, nerve, control, meeting;
        int64_t clusters = dgm_membership_get_rows(cells).clusters;
        assert_true(clusters <= MOST);
        joined_pairs(graph, cells, true, pooled);
        joined_pairs(graph, cells, false, bare);
        expanded_pairs(graph, cells, nerve);
        if (!same_off_diagonal(pooled, nerve))
            fail_msg("seed %llu, case %d: the pooled graph is not the nerve",
                     (unsigned long long)seed, number);
        meeting_pairs(cells, meeting);
        none += !same_off_diagonal(meeting, nerve);
        assert_int_equal(dgm_membership_expand(ctx, graph, cells, &hop), DGM_OK);
        meeting_pairs(hop, control);
        on_itself += !same_off_diagonal(control, nerve);
        fewer += !same_off_diagonal(bare, nerve);
        for (int64_t x = 0; x < clusters; x++)
            for (int64_t y = x + 1; y < clusters; y++) {
                assert_int_equal(pooled[x][y], bare[x][y] || meeting[x][y]);
                *(pooled[x][y] ? &edges : &gaps) += 1;
            }
        dgm_membership_free(hop);
        dgm_membership_free(cells);
        dgm_graph_free(graph);
    }
    print_message("# of %d cases, %d differ on G itself, %d without expansion, %d without loops\n",
                  CASES, on_itself, none, fewer);
    assert_true(edges > CASES && gaps > CASES); /* the statement is not empty */
    assert_true(on_itself > 0 && none > 0 && fewer > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classifiers_do_not_see_the_numbers_of_nodes),
        cmocka_unit_test(cells_follow_their_nodes),
        cmocka_unit_test(the_pooled_graph_of_mpr_is_a_nerve),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
