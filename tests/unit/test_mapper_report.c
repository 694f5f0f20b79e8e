/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "../check_random.h"
#include "base_context.h"
#include "mapper_report.h"
#include "rich_sample.h"
#include "unit_faults.h"

/* ---- summaries with clusters of our choice ---- */

/* Cluster c has the nodes u with has[u * clusters + c]; the graph has these edges. */
static sample cast_sample(int64_t nodes, int64_t clusters, const char *has, int64_t edges,
                          const uint32_t *ends, const int32_t *classes_of, int how) {
    sample made = {.graph = build_graph(NULL, nodes, edges, ends, NULL),
                   .lens = build_matrix(nodes, clusters, NULL)};
    if (classes_of) {
        dgm_graph *bare = made.graph;
        assert_int_equal(dgm_graph_with_labels(ctx, bare, classes_of, 0, NULL, &made.graph),
                         DGM_OK);
        dgm_graph_free(bare);
    }
    for (int64_t i = 0; i < nodes * clusters; i++)
        dgm_matrix_values_mutable(made.lens)[i] = has[i] == 'x';
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_SIMPLEX;
    options.cluster = DGM_CLUSTER_NONE;
    options.edges = how;
    sample_map(ctx, &made, &options);
    return made;
}

static dgm_report *report_of(const sample *made, const dgm_report_options *options) {
    dgm_report *report;
    if (dgm_report_create(ctx, made->summary, made->graph, made->profile, options, &report) !=
        DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return report;
}

/* The nerve of a graph: each of its edges is a node that lies in both ends, and `own` nodes more lie
 * in one cluster each, from the first cluster on. */
static sample nerve_sample(int64_t clusters, int64_t own, int64_t edges, const int (*ends)[2]) {
    char *has = calloc((size_t)((edges + own) * clusters + 1), 1);
    assert_non_null(has);
    for (int64_t e = 0; e < edges; e++)
        has[e * clusters + ends[e][0]] = has[e * clusters + ends[e][1]] = 'x';
    for (int64_t c = 0; c < own; c++)
        has[(edges + c) * clusters + c] = 'x';
    sample made = cast_sample(edges + own, clusters, has, 0, NULL, NULL, DGM_EDGES_NERVE);
    free(has);
    return made;
}

static void assert_clusters(const uint32_t *clusters, int64_t count, const char *expected) {
    char words[512] = "";
    for (int64_t i = 0; i < count; i++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%u", i ? " " : "",
                 clusters[i]);
    assert_string_equal(words, expected);
}

/* ---- one summary by hand ---- */

static void a_report_says_who_is_where(void **state) {
    (void)state;
    sample made = rich_sample(ctx); /* clusters 0 1 2 3 and 2 3 4 5 of a path */
    dgm_report *report = report_of(&made, &(dgm_report_options){.size = sizeof(dgm_report_options),
                                                                .members = 3,
                                                                .differences = 6,
                                                                .bridges = 20,
                                                                .loops = 20,
                                                                .level = 0.05});
    sample_free(&made); /* the report stands alone */
    dgm_report_totals totals = dgm_report_get_totals(report);
    assert_true(totals.clusters == 2 && totals.pieces == 1 && totals.bridges == 2);
    assert_true(totals.loops == 0 && totals.branches == 0 && totals.crossings == 0);
    const dgm_report_cluster *cluster = dgm_report_clusters(report);
    assert_true(cluster[0].cluster == 0 && cluster[0].piece == 0); /* equally large: 0 first */
    assert_int_equal(cluster[0].members.total, 4);
    assert_int_equal(cluster[0].members.count, 3);
    assert_string_equal(cluster[0].members.items[0].name, "1"); /* two neighbours, as 2 and 3 */
    assert_int_equal(cluster[0].members.items[0].neighbours, 2);
    assert_int_equal(cluster[0].members.items[1].clusters, 2);
    assert_true(cluster[0].class_index == 0 && cluster[0].main_class.yes == 2 &&
                cluster[0].main_class.inside == 3);
    assert_string_equal(cluster[0].main_class.value, "low");
    assert_near(cluster[0].main_class.lift, (2 / 3.0) / (2 / 5.0), 1e-12);
    assert_near(cluster[0].main_class.p, 2 * 3 / 10.0, 1e-12); /* both low nodes among 3 of 5 */
    const dgm_report_piece *piece = dgm_report_pieces(report);
    assert_true(piece->cluster_count == 2 && piece->loops == 0 && piece->cycle_rank == 0);
    assert_int_equal(piece->members.total, 6);
    dgm_report_free(report);
    dgm_report_free(NULL);
}

static void nodes_in_several_clusters_are_ranked(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    dgm_report *report = report_of(&made, NULL);
    const dgm_report_bridge *bridge = dgm_report_bridges(report);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bridge[i].member.node, 2 + i);
        assert_clusters(bridge[i].clusters, bridge[i].member.clusters, "0 1");
        assert_true(bridge[i].score == 1 && bridge[i].alone == 0); /* 2 of 4 on either side, by 2 */
    }
    assert_int_equal(dgm_report_get_totals(report).borders, 1);
    const dgm_report_border *border = dgm_report_borders(report);
    assert_string_equal(border->low_name, "low");
    assert_string_equal(border->high_name, "high");
    assert_int_equal(border->edges, 1); /* 1 - 2; node 3 has no label */
    assert_true(border->total == 2 && border->count == 2);
    assert_string_equal(border->bridges[1].member.name, "3");
    assert_int_equal(dgm_report_classes(report), 2);
    assert_null(dgm_report_class_name(report, 2));
    dgm_report_free(report);
    sample_free(&made);
}

/* ---- bridges by their definition ---- */

static double score_plainly(const char *has, int64_t nodes, int64_t clusters, int64_t u) {
    double score = 0;
    for (int64_t a = 0; a < clusters; a++)
        for (int64_t b = a + 1; b < clusters; b++) {
            double both = 0, only_a = 0, only_b = 0;
            for (int64_t v = 0; v < nodes; v++) {
                bool x = has[v * clusters + a] == 'x', y = has[v * clusters + b] == 'x';
                both += x && y;
                only_a += x && !y;
                only_b += y && !x;
            }
            if (has[u * clusters + a] == 'x' && has[u * clusters + b] == 'x')
                score += fmin(only_a, only_b) / both;
        }
    return score;
}

static void scores_are_what_they_are_said_to_be(void **state) {
    (void)state;
    enum { NODES = 24, CLUSTERS = 7 };
    check_random random = {11};
    for (int round = 0; round < 6; round++) {
        char has[NODES * CLUSTERS + 1] = "";
        int64_t several = 0;
        for (int i = 0; i < NODES * CLUSTERS; i++)
            has[i] =
                check_random_below(&random, 3 + round) == 0 || i % (CLUSTERS + 1) == 0 ? 'x' : '.';
        sample made = cast_sample(NODES, CLUSTERS, has, 0, NULL, NULL,
                                  round % 2 ? DGM_EDGES_STRUCTURAL : DGM_EDGES_NERVE);
        dgm_report_options options = DGM_REPORT_OPTIONS_INIT;
        options.bridges = NODES;
        dgm_report *report = report_of(&made, &options);
        for (int64_t u = 0; u < NODES; u++) {
            int64_t in = 0;
            for (int64_t c = 0; c < CLUSTERS; c++)
                in += has[u * CLUSTERS + c] == 'x';
            several += in > 1;
        }
        assert_int_equal(dgm_report_get_totals(report).bridges, several);
        assert_int_equal(dgm_report_get_totals(report).bridges_told, several);
        for (int64_t i = 0; i < several; i++) {
            const dgm_report_bridge *bridge = &dgm_report_bridges(report)[i];
            assert_near(bridge->score, score_plainly(has, NODES, CLUSTERS, bridge->member.node),
                        1e-12);
            assert_true(i == 0 || bridge[-1].score >= bridge->score);
        }
        dgm_report_free(report);
        sample_free(&made);
    }
}

/* ---- pieces, and edges between them ---- */

static void pieces_are_ordered_and_edges_between_them_are_ranked(void **state) {
    (void)state;
    /* Clusters {0 1} and {1 2}, {3 4 5}, {6}: pieces of 3, 3 and 1 nodes. */
    static const char has[] = "x..."
                              "xx.."
                              ".x.."
                              "..x."
                              "..x."
                              "..x."
                              "...x";
    static const uint32_t ends[] = {0, 1, 0, 3, 2, 3, 2, 4, 5, 6, 3, 5};
    static const int32_t classes_of[] = {0, 0, 0, 1, 1, 1, 1};
    sample made = cast_sample(7, 4, has, 6, ends, classes_of, DGM_EDGES_NERVE);
    dgm_report *report = report_of(&made, NULL);
    dgm_report_totals totals = dgm_report_get_totals(report);
    const dgm_report_piece *pieces = dgm_report_pieces(report);
    assert_int_equal(totals.pieces, 3);
    assert_clusters(pieces[0].clusters, pieces[0].cluster_count, "0 1");
    assert_clusters(pieces[1].clusters, pieces[1].cluster_count, "2");
    assert_true(pieces[0].members.total == 3 && pieces[2].members.total == 1);
    assert_true(totals.crossings == 2 && totals.crossing_edges == 4);
    const dgm_report_crossing *crossing = dgm_report_crossings(report);
    assert_true(crossing[0].low == 0 && crossing[0].high == 1 && crossing[0].edges == 3);
    assert_true(crossing[0].score == 1 && crossing[1].score == 1); /* 3 / 3 before 1 / 1 */
    assert_int_equal(crossing[0].count, 3);
    assert_int_equal(crossing[0].ends[0][0].node, 0); /* 2 and 3 neighbours: 0 - 3, then 2 - 3 */
    assert_int_equal(crossing[0].ends[0][1].node, 3);
    assert_int_equal(crossing[0].ends[2][1].node, 4);
    assert_true(crossing[1].low == 1 && crossing[1].high == 2);
    dgm_report_free(report);
    sample_free(&made);
}

/* With structural edges a node may lie in two pieces; its edges then lead nowhere else. */
static void an_edge_inside_a_piece_does_not_cross(void **state) {
    (void)state;
    static const char has[] = "x."
                              "xx"
                              ".x";
    static const uint32_t ends[] = {0, 1, 1, 2};
    sample made = cast_sample(3, 2, has, 2, ends, NULL, DGM_EDGES_STRUCTURAL);
    dgm_report *report = report_of(&made, NULL);
    assert_int_equal(dgm_report_get_totals(report).crossing_edges, 0);
    dgm_report_free(report);
    sample_free(&made);
}

/* ---- loops ---- */

/* A ladder with five rungs: its four loops each have four clusters, however a tree runs through it. */
static void loops_are_short(void **state) {
    (void)state;
    static const int ends[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 6}, {6, 7}, {7, 8},
                                  {8, 9}, {0, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9}};
    sample made = nerve_sample(10, 0, COUNT(ends), ends);
    dgm_report *report = report_of(&made, NULL);
    dgm_report_totals totals = dgm_report_get_totals(report);
    assert_true(totals.loops == 4 && totals.loops_told == 4 && totals.loops_short);
    static const char *const expected[] = {"0 1 6 5", "1 2 7 6", "2 3 8 7", "3 4 9 8"};
    for (int i = 0; i < 4; i++) {
        const dgm_report_loop *loop = &dgm_report_loops(report)[i];
        assert_clusters(loop->clusters, loop->cluster_count, expected[i]);
        assert_int_equal(loop->members.total, i == 0 || i == 3 ? 6 : 8);
    }
    dgm_report_free(report);
    sample_free(&made);
}

/* Three clusters that share a node make no loop, three that meet in pairs do. */
static void triangles_fill_loops(void **state) {
    (void)state;
    static const char filled[] = "xxx"
                                 "xx."
                                 ".xx"
                                 "x.x",
                      open[] = "xx."
                               ".xx"
                               "x.x";
    for (int i = 0; i < 2; i++) {
        sample made = cast_sample(i ? 3 : 4, 3, i ? open : filled, 0, NULL, NULL, DGM_EDGES_NERVE);
        dgm_report *report = report_of(&made, NULL);
        assert_int_equal(dgm_report_get_totals(report).loops, i);
        assert_int_equal(dgm_report_pieces(report)->loops, i);
        assert_int_equal(dgm_report_pieces(report)->cycle_rank, 1);
        if (i)
            assert_clusters(dgm_report_loops(report)->clusters, 3, "0 1 2");
        dgm_report_free(report);
        sample_free(&made);
    }
}

enum { MOST_CLUSTERS = 10, MOST_EDGES = 64 };

/* Adds a vector of edges mod 2 to a basis; returns whether it was independent. */
static bool add_vector(uint64_t basis[64], uint64_t vector) {
    for (int bit = 63; bit >= 0; bit--) {
        if (!(vector >> bit & 1))
            continue;
        if (!basis[bit]) {
            basis[bit] = vector;
            return true;
        }
        vector ^= basis[bit];
    }
    return false;
}

static uint64_t edge_bit(uint32_t a, uint32_t b) {
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    return UINT64_C(1) << (high * (high - 1) / 2 + low);
}

/* Clusters that follow each other on a loop meet, and no loop is a sum of triangles and of others. */
static void check_loops(const dgm_report *report, const char *has, int64_t nodes, int clusters) {
    uint64_t basis[64] = {0};
    for (int64_t u = 0; u < nodes; u++)
        for (uint32_t a = 0; a < (uint32_t)clusters; a++)
            for (uint32_t b = 0; b < a; b++)
                for (uint32_t c = 0; c < b; c++)
                    if (has[u * clusters + a] == 'x' && has[u * clusters + b] == 'x' &&
                        has[u * clusters + c] == 'x')
                        add_vector(basis, edge_bit(a, b) | edge_bit(a, c) | edge_bit(b, c));
    for (int64_t i = 0; i < dgm_report_get_totals(report).loops; i++) {
        const dgm_report_loop *loop = &dgm_report_loops(report)[i];
        uint64_t vector = 0;
        for (int64_t k = 0; k < loop->cluster_count; k++) {
            uint32_t a = loop->clusters[k], b = loop->clusters[(k + 1) % loop->cluster_count];
            bool meet = false;
            for (int64_t u = 0; u < nodes; u++)
                meet = meet || (has[u * clusters + a] == 'x' && has[u * clusters + b] == 'x');
            assert_true(meet && a != b);
            vector ^= edge_bit(a, b);
        }
        assert_true(add_vector(basis, vector));
    }
}

/* All simple cycles through `first`, its smallest cluster, by extending a path. */
typedef struct {
    uint64_t cycles[1 << 16];
    int lengths[1 << 16], count;
    bool meets[MOST_CLUSTERS][MOST_CLUSTERS];
} all_cycles;

static void extend(all_cycles *all, uint32_t first, uint32_t last, uint64_t path, uint32_t on,
                   int length) {
    for (uint32_t next = first; next < MOST_CLUSTERS; next++) {
        if (!all->meets[last][next])
            continue;
        if (next == first && length >= 2 && all->count < 1 << 16) {
            all->cycles[all->count] = path ^ edge_bit(last, first);
            all->lengths[all->count++] = length + 1;
        }
        if (!(on >> next & 1))
            extend(all, first, next, path ^ edge_bit(last, next), on | 1u << next, length + 1);
    }
}

/* The least length of a basis: the shortest cycles that are independent, of all that there are. */
static int64_t least_length(const char *has, int64_t nodes) {
    static all_cycles all;
    uint64_t basis[64] = {0};
    int64_t sum = 0;
    memset(&all, 0, sizeof all);
    for (int64_t u = 0; u < nodes; u++)
        for (uint32_t a = 0; a < MOST_CLUSTERS; a++)
            for (uint32_t b = 0; b < a; b++) {
                if (has[u * MOST_CLUSTERS + a] != 'x' || has[u * MOST_CLUSTERS + b] != 'x')
                    continue;
                all.meets[a][b] = all.meets[b][a] = true;
                for (uint32_t c = 0; c < b; c++)
                    if (has[u * MOST_CLUSTERS + c] == 'x')
                        add_vector(basis, edge_bit(a, b) | edge_bit(a, c) | edge_bit(b, c));
            }
    for (uint32_t first = 0; first < MOST_CLUSTERS; first++)
        extend(&all, first, first, 0, 1u << first, 0);
    assert_true(all.count < 1 << 16);
    for (int length = 3; length <= MOST_CLUSTERS; length++)
        for (int i = 0; i < all.count; i++)
            if (all.lengths[i] == length && add_vector(basis, all.cycles[i]))
                sum += length;
    return sum;
}

static void loops_are_independent_and_all_and_as_short_as_can_be(void **state) {
    (void)state;
    check_random random = {23};
    int64_t seen = 0;
    for (int round = 0; round < 60; round++) {
        int64_t nodes = 6 + check_random_below(&random, 9);
        char has[20 * MOST_CLUSTERS + 1] = "";
        for (int64_t i = 0; i < nodes * MOST_CLUSTERS; i++)
            has[i] = '.';
        for (int64_t u = 0; u < nodes; u++)
            for (int k = 0; k < 2 + (u % 4 == 0); k++)
                has[u * MOST_CLUSTERS + check_random_below(&random, MOST_CLUSTERS)] = 'x';
        for (int64_t c = 0; c < MOST_CLUSTERS; c++)
            has[c % nodes * MOST_CLUSTERS + c] = 'x'; /* no cluster is empty */
        sample made = cast_sample(nodes, MOST_CLUSTERS, has, 0, NULL, NULL, DGM_EDGES_NERVE);
        dgm_report_options options = DGM_REPORT_OPTIONS_INIT;
        options.loops = 1000;
        dgm_report *report = report_of(&made, &options);
        assert_int_equal(dgm_report_get_totals(report).loops,
                         dgm_summary_get_topology(made.summary).b1);
        check_loops(report, has, nodes, MOST_CLUSTERS);
        int64_t length = 0;
        for (int64_t i = 0; i < dgm_report_get_totals(report).loops; i++)
            length += dgm_report_loops(report)[i].cluster_count;
        assert_int_equal(length, least_length(has, nodes));
        seen += dgm_report_get_totals(report).loops;
        dgm_report_free(report);
        sample_free(&made);
    }
    assert_true(seen > 60);
}

/* The loops of a summary, found in this many steps. */
static dgm_report *hurried_loops(const sample *made, double most_steps) {
    dgmi_mapper_reporter r = {.ctx = ctx,
                              .summary = made->summary,
                              .graph = made->graph,
                              .profile = made->profile,
                              .options = DGM_REPORT_OPTIONS_INIT,
                              .most_steps = most_steps,
                              .clusters = dgm_summary_get_clusters(made->summary)};
    r.edges = dgm_summary_edges(made->summary, &r.edge_count);
    r.out = dgmi_alloc_zero(ctx, 1, sizeof *r.out);
    assert_non_null(r.out);
    r.out->allocator = ctx->allocator;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    assert_int_equal(dgmi_mapper_report_cast(&r), DGM_OK);
    assert_int_equal(dgmi_mapper_report_pieces(&r), DGM_OK);
    assert_int_equal(dgmi_mapper_report_loops(&r), DGM_OK);
    dgmi_arena_release(ctx, hold);
    return r.out;
}

/* Where there is no time for searches, loops may be longer; they are a basis all the same. */
static void loops_are_found_in_a_hurry(void **state) {
    (void)state;
    static const int ends[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 6}, {6, 7}, {7, 8},
                                  {8, 9}, {0, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9}};
    enum { EDGES = sizeof ends / sizeof *ends };
    char has[EDGES * MOST_CLUSTERS] = "";
    for (int e = 0; e < EDGES; e++)
        has[e * MOST_CLUSTERS + ends[e][0]] = has[e * MOST_CLUSTERS + ends[e][1]] = 'x';
    sample made = nerve_sample(MOST_CLUSTERS, 0, EDGES, ends);
    static const double steps[] = {0, 8 * 23, 10 * 23}; /* none, at ends of open edges, at all */
    for (int i = 0; i < 3; i++) {
        dgm_report *report = hurried_loops(&made, steps[i]);
        assert_int_equal(dgm_report_get_totals(report).loops, 4);
        assert_int_equal(dgm_report_get_totals(report).loops_short, i == 2);
        check_loops(report, has, EDGES, MOST_CLUSTERS);
        dgm_report_free(report);
    }
    sample_free(&made);
}

/* ---- branches ---- */

static void assert_branch(const dgm_report_branch *branch, uint32_t root, const char *clusters,
                          const char *ends) {
    assert_int_equal(branch->root, root);
    assert_clusters(branch->clusters, branch->cluster_count, clusters);
    assert_clusters(branch->ends, branch->end_count, ends);
}

/* A square 0 1 2 3; on 0 hangs 4, which forks into 5 and 6 - 7. */
static void trees_hang_on_loops(void **state) {
    (void)state;
    static const int ends[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {4, 5}, {4, 6}, {6, 7}};
    sample made = nerve_sample(8, 8, COUNT(ends), ends);
    dgm_report *report = report_of(&made, NULL);
    assert_int_equal(dgm_report_get_totals(report).branches, 1);
    assert_branch(dgm_report_branches(report), 0, "4 5 6 7", "5 7");
    assert_int_equal(dgm_report_branches(report)->members.total, 8);
    dgm_report_free(report);
    sample_free(&made);
}

/* A star with arms of 1, 1 and 2 clusters; a path of 3; a path of 2, which is no branch. */
static void pieces_without_loops_have_arms(void **state) {
    (void)state;
    static const int ends[][2] = {{0, 1}, {0, 2}, {0, 3}, {3, 4}, {5, 6}, {6, 7}, {8, 9}};
    sample made = nerve_sample(10, 10, COUNT(ends), ends);
    dgm_report *report = report_of(&made, NULL);
    const dgm_report_branch *branches = dgm_report_branches(report);
    assert_int_equal(dgm_report_get_totals(report).branches, 4);
    assert_branch(&branches[0], DGM_REPORT_NO_CLUSTER, "5 6 7", "5 7");
    assert_branch(&branches[1], 0, "3 4", "4"); /* away from the fork */
    assert_branch(&branches[2], 0, "1", "1");
    assert_branch(&branches[3], 0, "2", "2");
    dgm_report_free(report);
    sample_free(&made);
}

/* A path that is the whole summary is walked from both ends. */
static void a_path_alone_is_one_branch(void **state) {
    (void)state;
    static const int ends[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    sample made = nerve_sample(5, 2, 4, ends);
    dgm_report *report = report_of(&made, NULL);
    assert_int_equal(dgm_report_get_totals(report).branches, 1);
    assert_branch(dgm_report_branches(report), DGM_REPORT_NO_CLUSTER, "0 1 2 3 4", "0 4");
    dgm_report_free(report);
    sample_free(&made);
}

/* Cluster 4 has a node of cluster 0 and no other. */
static void a_cluster_inside_its_root_is_no_branch(void **state) {
    (void)state;
    static const int ends[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}};
    for (int own = 4; own <= 5; own++) {
        sample made = nerve_sample(5, own, COUNT(ends), ends);
        dgm_report *report = report_of(&made, NULL);
        assert_int_equal(dgm_report_get_totals(report).branches, own - 4);
        dgm_report_free(report);
        sample_free(&made);
    }
}

/* ---- differences ---- */

/* 40 nodes in two clusters of 20; the first has the low numbers, the word "left", and its class. */
static sample sides(bool labels_of) {
    enum { NODES = 40 };
    dgm_graph_builder *builder;
    double values[NODES], noise[NODES];
    const char *texts[NODES];
    int32_t side[NODES];
    for (int u = 0; u < NODES; u++) {
        values[u] = u;
        noise[u] = u * 17 % 7;
        texts[u] = u < 20 ? "left" : "right";
        side[u] = u < 20;
    }
    sample made = {.graph = NULL};
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, NODES), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "place", NODES, values), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "noise", NODES, noise), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "side", NODES, texts), DGM_OK);
    if (labels_of)
        assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, side), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &made.graph), DGM_OK);
    made.lens = build_matrix(NODES, 1, values);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 2;
    options.overlap[0] = 0;
    options.cluster = DGM_CLUSTER_NONE;
    sample_map(ctx, &made, &options);
    return made;
}

static void differences_are_told_and_chance_is_not(void **state) {
    (void)state;
    sample made = sides(true);
    dgm_report *report = report_of(&made, NULL);
    const dgm_report_cluster *cluster = dgm_report_clusters(report);
    assert_int_equal(cluster[0].differences.total, 3);
    const dgm_difference *items = cluster[0].differences.items;
    assert_true(items[0].delta == 1 && items[1].delta == -1 && items[2].delta == -1);
    assert_string_equal(items[0].name, "side");
    assert_string_equal(items[0].value, "left");
    assert_string_equal(items[1].value, "right");
    assert_string_equal(items[2].name, "place");
    assert_int_equal(dgm_report_get_totals(report).columns, 4);
    assert_int_equal(dgm_report_get_totals(report).tests, 8);
    assert_int_equal(cluster[0].classes.total, 1);
    assert_int_equal(cluster[0].classes.items[0].column, 1);
    assert_true(cluster[0].classes.items[0].q < 1e-6 && cluster[0].classes.items[0].lift == 2);
    assert_true(cluster[0].main_class.q == cluster[0].classes.items[0].q);
    dgm_report_free(report);
    sample_free(&made);
}

static void few_differences_are_told_of_many(void **state) {
    (void)state;
    sample made = sides(false);
    dgm_report_options options = DGM_REPORT_OPTIONS_INIT;
    options.differences = 1;
    dgm_report *report = report_of(&made, &options);
    const dgm_report_cluster *cluster = dgm_report_clusters(report);
    assert_true(cluster->differences.total == 3 && cluster->differences.count == 1);
    assert_int_equal(cluster->class_index, -1);
    assert_int_equal(cluster->classes.total, 0);
    dgm_report_free(report);
    sample_free(&made);
}

/* ---- what is missing or wrong ---- */

static void an_empty_summary_has_an_empty_report(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.min_size = 100;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 5}, &options);
    dgm_report *report = report_of(&made, NULL);
    dgm_report_totals totals = dgm_report_get_totals(report);
    assert_true(totals.clusters == 0 && totals.pieces == 0 && totals.bridges == 0 &&
                totals.loops == 0 && totals.branches == 0 && totals.crossings == 0);
    dgm_report_free(report);
    sample_free(&made);
}

static void without_a_graph_the_rest_is_told(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    dgm_report *report;
    assert_int_equal(dgm_report_create(ctx, made.summary, NULL, made.profile, NULL, &report),
                     DGM_OK);
    dgm_report_totals totals = dgm_report_get_totals(report);
    assert_true(totals.bridges == -1 && totals.crossings == -1 && totals.loops == -1);
    const dgm_report_cluster *cluster = dgm_report_clusters(report);
    assert_true(cluster->members.total == 4 && cluster->members.count == 0);
    assert_int_equal(cluster->classes.total, 1); /* 2 of 3 are low; of all memberships 2 of 6 */
    assert_string_equal(cluster->classes.items[0].value, "low");
    assert_near(cluster->classes.items[0].lift, 2, 1e-12);
    assert_true(isnan(cluster->classes.items[0].q));
    dgm_report_free(report);
    assert_int_equal(dgm_report_create(ctx, made.summary, NULL, NULL, NULL, &report), DGM_OK);
    assert_int_equal(dgm_report_clusters(report)->class_index, -1);
    dgm_report_free(report);
    assert_int_equal(dgm_report_create(ctx, made.summary, made.graph, NULL, NULL, &report), DGM_OK);
    assert_int_equal(dgm_report_clusters(report)->class_index, 0); /* a profile was made */
    dgm_report_free(report);
    sample_free(&made);
}

static void what_does_not_belong_together_is_refused(void **state) {
    (void)state;
    sample made = rich_sample(ctx), other = sample_make(ctx, &(sample_parts){.nodes = 9}, NULL);
    sample whole =
        sample_make(ctx, &(sample_parts){.nodes = 6}, &(dgm_mapper_options)DGM_MAPPER_OPTIONS_INIT);
    dgm_report *report;
    dgm_report_options options = DGM_REPORT_OPTIONS_INIT;
    assert_int_equal(dgm_report_create(ctx, made.summary, other.graph, NULL, NULL, &report),
                     DGM_ERROR_USAGE);
    assert_null(report);
    ASSERT_FAILS(dgm_report_create(ctx, made.summary, made.graph, whole.profile, NULL, &report),
                 DGM_ERROR_USAGE, "the profile is not one of this summary");
    options.level = 0;
    assert_int_equal(dgm_report_create(ctx, made.summary, made.graph, NULL, &options, &report),
                     DGM_ERROR_USAGE);
    options.level = 0.05;
    options.members = 0;
    assert_int_equal(dgm_report_create(ctx, made.summary, made.graph, NULL, &options, &report),
                     DGM_ERROR_USAGE);
    sample_free(&made);
    sample_free(&other);
    sample_free(&whole);
}

/* A profile of the same clusters under other labels: counts that the graph does not have. */
static void a_profile_of_other_labels_does_no_harm(void **state) {
    (void)state;
    static const int32_t others[] = {1, 1, 1, 1, 1, 0};
    sample made = rich_sample(ctx);
    dgm_graph *graph, *bare = build_graph(NULL, 6, 0, NULL, NULL);
    dgm_report *report;
    assert_int_equal(dgm_graph_with_labels(ctx, made.graph, others, 0, NULL, &graph), DGM_OK);
    const dgm_graph *const graphs[] = {graph, bare};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            dgm_report_create(ctx, made.summary, graphs[i], made.profile, NULL, &report), DGM_OK);
        assert_true(isnan(dgm_report_clusters(report)->main_class.p));
        assert_string_equal(dgm_report_clusters(report)->main_class.value, "low");
        dgm_report_free(report);
    }
    dgm_graph_free(graph);
    dgm_graph_free(bare);
    sample_free(&made);
}

static dgm_status report_once(dgm_context *own, void *argument) {
    const sample *made = argument;
    dgm_report *report = NULL;
    dgm_status status =
        dgm_report_create(own, made->summary, made->graph, made->profile, NULL, &report);
    dgm_report_free(report);
    return status;
}

static void memory_may_end_anywhere(void **state) {
    (void)state;
    static const int ends[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {4, 5}};
    sample rich = rich_sample(ctx), loop = nerve_sample(6, 6, COUNT(ends), ends);
    fail_each_allocation(report_once, &rich);
    fail_each_allocation(report_once, &loop);
    sample_free(&rich);
    sample_free(&loop);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_says_who_is_where),
        cmocka_unit_test(nodes_in_several_clusters_are_ranked),
        cmocka_unit_test(scores_are_what_they_are_said_to_be),
        cmocka_unit_test(pieces_are_ordered_and_edges_between_them_are_ranked),
        cmocka_unit_test(an_edge_inside_a_piece_does_not_cross),
        cmocka_unit_test(loops_are_short),
        cmocka_unit_test(triangles_fill_loops),
        cmocka_unit_test(loops_are_independent_and_all_and_as_short_as_can_be),
        cmocka_unit_test(loops_are_found_in_a_hurry),
        cmocka_unit_test(trees_hang_on_loops),
        cmocka_unit_test(pieces_without_loops_have_arms),
        cmocka_unit_test(a_path_alone_is_one_branch),
        cmocka_unit_test(a_cluster_inside_its_root_is_no_branch),
        cmocka_unit_test(differences_are_told_and_chance_is_not),
        cmocka_unit_test(few_differences_are_told_of_many),
        cmocka_unit_test(an_empty_summary_has_an_empty_report),
        cmocka_unit_test(without_a_graph_the_rest_is_told),
        cmocka_unit_test(what_does_not_belong_together_is_refused),
        cmocka_unit_test(a_profile_of_other_labels_does_no_harm),
        cmocka_unit_test(memory_may_end_anywhere),
    };
    return RUN_WITH_CONTEXT(tests);
}
