/* SPDX-License-Identifier: Apache-2.0 */
/* Proposition 4.2: S'AS against the nerve on the expanded graph, with wrong constructions that must
 * be told apart. */
#include "unit_fixture.h"

#include "base_random.h"
#include "reproduce_expand.h"
#include "unit_faults.h"

enum { MOST_NODES = 12, MOST_CLUSTERS = 5, SEEDS = 200 };

/* A random graph with an assignment in which every node has a cluster, and the same as bits. */
typedef struct example {
    dgm_graph *graph;
    dgm_membership *membership;
    int64_t nodes, clusters;
    bool joined[MOST_NODES][MOST_NODES], member[MOST_NODES][MOST_CLUSTERS];
} example;

static dgm_membership *build_membership(int64_t nodes, int64_t clusters,
                                        bool member[][MOST_CLUSTERS]) {
    int64_t offsets[MOST_NODES + 1] = {0}, count = 0;
    uint32_t columns[MOST_NODES * MOST_CLUSTERS];
    double values[MOST_NODES * MOST_CLUSTERS];
    dgm_membership *out;
    for (int64_t u = 0; u < nodes; u++) {
        for (int64_t c = 0; c < clusters; c++)
            if (member[u][c]) {
                columns[count] = (uint32_t)c;
                values[count++] = 1e-300; /* so small that no product is above 0 */
            }
        offsets[u + 1] = count;
    }
    const dgm_membership_rows rows = {nodes, clusters, offsets, columns, values};
    assert_int_equal(dgm_membership_create(ctx, &rows, &out), DGM_OK);
    return out;
}

static example draw_example(uint64_t seed) {
    dgmi_random random = {.seed = seed};
    example out = {.nodes = 2 + (int64_t)dgmi_random_next_below(&random, MOST_NODES - 1),
                   .clusters = 2 + (int64_t)dgmi_random_next_below(&random, MOST_CLUSTERS - 1)};
    uint32_t ends[MOST_NODES * MOST_NODES];
    int64_t edges = 0;
    for (int64_t u = 0; u < out.nodes; u++) {
        out.joined[u][u] = true;
        for (int64_t v = 0; v < u; v++)
            if (dgmi_random_next(&random) < 0.25) {
                out.joined[u][v] = out.joined[v][u] = true;
                ends[2 * edges] = (uint32_t)u;
                ends[2 * edges++ + 1] = (uint32_t)v;
            }
        out.member[u][dgmi_random_next_below(&random, (uint64_t)out.clusters)] = true;
        for (int64_t c = 0; c < out.clusters; c++)
            out.member[u][c] |= dgmi_random_next(&random) < 0.1;
    }
    out.graph = build_graph(NULL, out.nodes, edges, ends, NULL);
    out.membership = build_membership(out.nodes, out.clusters, out.member);
    return out;
}

static void free_example(example *e) {
    dgm_membership_free(e->membership);
    dgm_graph_free(e->graph);
}

/* The pattern of S'AS by its definition. */
static int64_t count_pooled(const example *e) {
    int64_t pairs = 0;
    for (int64_t x = 0; x < e->clusters; x++)
        for (int64_t y = x + 1; y < e->clusters; y++) {
            bool met = false;
            for (int64_t i = 0; i < e->nodes; i++)
                for (int64_t j = 0; j < e->nodes; j++)
                    met = met || (e->joined[i][j] && e->member[i][x] && e->member[j][y]);
            pairs += met;
        }
    return pairs;
}

/* Pairs of clusters that meet at some node: that hold it, or with `neighbours` one beside it. */
static int64_t count_meeting(const example *e, bool neighbours) {
    int64_t pairs = 0;
    for (int64_t x = 0; x < e->clusters; x++)
        for (int64_t y = x + 1; y < e->clusters; y++) {
            bool met = false;
            for (int64_t u = 0; u < e->nodes; u++) {
                bool one = false, other = false;
                for (int64_t v = 0; v < e->nodes; v++)
                    if (u == v || (neighbours && e->joined[u][v])) {
                        one = one || e->member[v][x];
                        other = other || e->member[v][y];
                    }
                met = met || (one && other);
            }
            pairs += met;
        }
    return pairs;
}

static bool differs(dgmi_reproduce_difference difference) {
    return difference.missing || difference.extra;
}

static void the_nerve_of_the_expansion_is_the_pooled_graph(void **state) {
    (void)state;
    int64_t on_graph = 0, plain = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        example e = draw_example(seed);
        dgmi_reproduce_expansion found;
        assert_int_equal(dgmi_reproduce_expand_check(ctx, e.graph, e.membership, &found), DGM_OK);
        assert_int_equal(found.pairs, count_pooled(&e));
        assert_false(differs(found.nerve));
        assert_int_equal(found.nerve.pairs, found.pairs);
        assert_int_equal(found.nodes, e.nodes);
        assert_int_equal(found.clusters, e.clusters);
        assert_true(found.complete == (found.pairs == e.clusters * (e.clusters - 1) / 2));
        assert_int_equal(found.on_graph.missing, 0); /* it joins too many, */
        assert_int_equal(found.plain.extra, 0);      /* this one too few */
        assert_int_equal(found.on_graph.pairs, count_meeting(&e, true));
        assert_int_equal(found.on_graph.extra, found.on_graph.pairs - found.pairs);
        assert_int_equal(found.plain.pairs, count_meeting(&e, false));
        assert_int_equal(found.plain.missing, found.pairs - found.plain.pairs);
        on_graph += differs(found.on_graph);
        plain += differs(found.plain);
        free_example(&e);
    }
    assert_true(on_graph > SEEDS / 10); /* so there was something to see */
    assert_true(plain > SEEDS / 10);
}

/* Copies are counted as the construction has them: one for each edge, two for a lone node. */
static void copies_and_edges_are_counted(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 4, 2, (const uint32_t[]){0, 1, 1, 2}, NULL);
    bool member[MOST_NODES][MOST_CLUSTERS] = {{true}, {true, true}, {false, true}, {false, true}};
    dgm_membership *membership = build_membership(4, 2, member);
    dgmi_reproduce_expansion found;
    assert_int_equal(dgmi_reproduce_expand_check(ctx, graph, membership, &found), DGM_OK);
    assert_int_equal(found.edges, 2);
    assert_int_equal(found.memberships, 5);
    assert_int_equal(found.copies, 1 + 2 + 1 + 2);
    assert_int_equal(found.copy_edges, 6 + 2 + 2); /* loops, edges of the graph, between copies */
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

/* ---- wrong constructions ---- */

/* The expanded graph without its self-loops. */
static dgm_graph *drop_loops(const dgm_graph *expanded) {
    dgm_graph_rows rows = dgm_graph_get_rows(expanded);
    dgm_graph *out;
    assert_int_equal(dgm_graph_from_rows(ctx, &rows, NULL, &out), DGM_OK);
    return out;
}

/* An edge alone: each copy has one neighbour, so that without a loop no cluster meets another. */
static void without_loops_an_edge_alone_is_lost(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 1, (const uint32_t[]){0, 1}, NULL), *expanded;
    bool member[MOST_NODES][MOST_CLUSTERS] = {{true}, {false, true}};
    dgm_membership *membership = build_membership(2, 2, member);
    dgmi_reproduce_expansion found;
    uint32_t *origin;
    assert_int_equal(dgm_graph_expand(ctx, graph, &expanded, &origin), DGM_OK);
    dgm_graph *loopless = drop_loops(expanded);
    assert_int_equal(
        dgmi_reproduce_expand_compare(ctx, graph, membership, expanded, origin, &found), DGM_OK);
    assert_false(differs(found.nerve));
    assert_int_equal(found.pairs, 1);
    assert_int_equal(
        dgmi_reproduce_expand_compare(ctx, graph, membership, loopless, origin, &found), DGM_OK);
    assert_int_equal(found.nerve.pairs, 0);
    assert_int_equal(found.nerve.missing, 1);
    dgm_graph_free(loopless);
    dgm_graph_free(expanded);
    dgm_expansion_origin_free(ctx, origin);
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

/* a - b - c with a cluster each: copies of b that both edges may use join a and c. */
static void edges_that_share_a_copy_join_too_much(void **state) {
    (void)state;
    const dgm_graph_options keep = {.size = sizeof keep, .keep_loops = true};
    dgm_graph *graph = build_graph(NULL, 3, 2, (const uint32_t[]){0, 1, 1, 2}, NULL);
    bool member[MOST_NODES][MOST_CLUSTERS] = {{true}, {false, true}, {false, false, true}};
    dgm_membership *membership = build_membership(3, 3, member);
    dgm_graph *shared =
        build_graph(&keep, 4, 7, (const uint32_t[]){0, 0, 1, 1, 2, 2, 3, 3, 0, 1, 1, 3, 1, 2},
                    NULL); /* 1 and 2 are copies of b */
    dgmi_reproduce_expansion found;
    assert_int_equal(dgmi_reproduce_expand_compare(ctx, graph, membership, shared,
                                                   (const uint32_t[]){0, 1, 1, 2}, &found),
                     DGM_OK);
    assert_int_equal(found.pairs, 2);
    assert_int_equal(found.nerve.extra, 1);
    assert_int_equal(found.on_graph.extra, 1);
    assert_int_equal(found.plain.missing, 2);
    dgm_graph_free(shared);
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

static void an_assignment_without_zeros_says_nothing(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 0, NULL, NULL);
    bool member[MOST_NODES][MOST_CLUSTERS] = {{true, true, true}, {true, true, true}};
    dgm_membership *membership = build_membership(2, 3, member);
    dgmi_reproduce_expansion found;
    assert_int_equal(dgmi_reproduce_expand_check(ctx, graph, membership, &found), DGM_OK);
    assert_true(found.complete);
    assert_int_equal(found.pairs, 3);
    assert_false(differs(found.plain));
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

/* Pairs of a hundred clusters are more bits than one word has, and each is a bit of its own. */
static void many_clusters_make_many_pairs(void **state) {
    (void)state;
    enum { MANY = 100 };
    const int64_t offsets[] = {0, MANY};
    uint32_t columns[MANY];
    double values[MANY];
    dgm_graph *graph = build_graph(NULL, 1, 0, NULL, NULL);
    dgm_membership *membership;
    dgmi_reproduce_expansion found;
    for (uint32_t c = 0; c < MANY; c++) {
        columns[c] = c;
        values[c] = 1;
    }
    const dgm_membership_rows rows = {1, MANY, offsets, columns, values};
    assert_int_equal(dgm_membership_create(ctx, &rows, &membership), DGM_OK);
    assert_int_equal(dgmi_reproduce_expand_check(ctx, graph, membership, &found), DGM_OK);
    assert_int_equal(found.pairs, MANY * (MANY - 1) / 2);
    assert_int_equal(found.nerve.pairs, found.pairs);
    assert_int_equal(found.plain.pairs, found.pairs);
    assert_false(differs(found.nerve) || differs(found.on_graph) || differs(found.plain));
    assert_true(found.complete);
    dgm_membership_free(membership);
    dgm_graph_free(graph);
}

/* ---- refusals ---- */

/* The most clusters are not refused: there is only no memory for the square of so many. */
static void the_most_clusters_are_not_too_many(void **state) {
    (void)state;
    check_memory memory = {.fail_at = 0};
    dgm_allocator allocator = check_memory_allocator(&memory);
    const dgm_membership_rows many = {1, 65536, (const int64_t[]){0, 1}, (const uint32_t[]){0},
                                      (const double[]){1}};
    dgm_graph *graph = build_graph(NULL, 1, 0, NULL, NULL);
    dgm_context *own;
    dgm_membership *wide;
    dgmi_reproduce_expansion found;
    assert_int_equal(dgm_membership_create(ctx, &many, &wide), DGM_OK);
    assert_int_equal(dgm_context_create(&allocator, &own), DGM_OK);
    memory.fail_at = atomic_load(&memory.calls) + 1;
    assert_int_equal(dgmi_reproduce_expand_check(own, graph, wide, &found), DGM_ERROR_MEMORY);
    dgm_context_free(own);
    dgm_membership_free(wide);
    dgm_graph_free(graph);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    const dgm_graph_options directed = {.size = sizeof directed, .directed = true};
    bool member[MOST_NODES][MOST_CLUSTERS] = {{true}, {true}};
    dgm_graph *graph = build_graph(NULL, 3, 0, NULL, NULL);
    dgm_graph *arrow = build_graph(&directed, 2, 1, (const uint32_t[]){0, 1}, NULL);
    dgm_graph *node = build_graph(NULL, 1, 0, NULL, NULL);
    dgm_membership *membership = build_membership(2, 1, member), *wide;
    const dgm_membership_rows many = {1, 65537, (const int64_t[]){0, 1}, (const uint32_t[]){0},
                                      (const double[]){1}};
    dgmi_reproduce_expansion found;
    assert_int_equal(dgm_membership_create(ctx, &many, &wide), DGM_OK);
    ASSERT_FAILS(dgmi_reproduce_expand_check(ctx, graph, membership, &found), DGM_ERROR_DATA,
                 "an assignment of 2 nodes is none of 3");
    ASSERT_FAILS(dgmi_reproduce_expand_check(ctx, arrow, membership, &found), DGM_ERROR_DATA,
                 "only an undirected graph can be expanded");
    ASSERT_FAILS(dgmi_reproduce_expand_check(ctx, node, wide, &found), DGM_ERROR_USAGE,
                 "65537 clusters are too many: 65536 are the most");
    dgm_membership_free(wide);
    dgm_membership_free(membership);
    dgm_graph_free(node);
    dgm_graph_free(arrow);
    dgm_graph_free(graph);
}

static dgm_status check_one(dgm_context *own, void *argument) {
    const example *e = argument;
    dgmi_reproduce_expansion found;
    return dgmi_reproduce_expand_check(own, e->graph, e->membership, &found);
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    example e = draw_example(3);
    fail_each_allocation(check_one, &e);
    free_example(&e);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nerve_of_the_expansion_is_the_pooled_graph),
        cmocka_unit_test(copies_and_edges_are_counted),
        cmocka_unit_test(without_loops_an_edge_alone_is_lost),
        cmocka_unit_test(edges_that_share_a_copy_join_too_much),
        cmocka_unit_test(an_assignment_without_zeros_says_nothing),
        cmocka_unit_test(many_clusters_make_many_pairs),
        cmocka_unit_test(the_most_clusters_are_not_too_many),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
