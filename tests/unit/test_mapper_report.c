/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "../check_random.h"
#include "report_sample.h"
#include "unit_faults.h"

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

/* A path 0 1 2 3 4 5 in the clusters 0 1 2 3 and 3 4 5. Node 3 has one neighbour in each and is at home
 * in the larger. Its edge to 4 crosses, from four nodes to two; those of 4 stay at home. */
static void nodes_that_join_clusters_are_ranked(void **state) {
    (void)state;
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};
    static const int32_t kinds[] = {0, 0, 0, 1, 1, 1};
    sample made = cast_sample(6, 2, "x.x.x.xx.x.x", 5, ends, kinds, DGM_EDGES_NERVE);
    dgm_report *report = report_of(&made, NULL);
    const dgm_report_bridge *bridge = dgm_report_bridges(report);
    assert_int_equal(dgm_report_get_totals(report).bridges, 1);
    assert_int_equal(bridge->member.node, 3);
    assert_clusters(bridge->clusters, bridge->member.clusters, "0 1");
    assert_near(bridge->score, 2 * sqrt(4 * 2 / 1.0), 1e-12);
    assert_true(bridge->across == 1 && bridge->alone == 0);
    assert_true(bridge->home == 0 && bridge->other == 1);
    assert_int_equal(dgm_report_get_totals(report).borders, 1);
    const dgm_report_border *border = dgm_report_borders(report);
    assert_string_equal(border->low_name, "0");
    assert_string_equal(border->high_name, "1");
    assert_int_equal(border->edges, 1); /* 2 - 3 */
    assert_true(border->total == 1 && border->count == 1);
    assert_string_equal(border->bridges->member.name, "3");
    assert_near(border->bridges->score, sqrt(4 * 2 / 1.0), 1e-12);
    assert_int_equal(border->bridges->across, 1);
    assert_int_equal(dgm_report_classes(report), 2);
    assert_null(dgm_report_class_name(report, 2));
    dgm_report_free(report);
    sample_free(&made);
}

/* Clusters that share no node are joined by nodes all the same: 0 1 2 and 3 4 5 of a path, with a
 * third cluster that nothing leads to. A directed edge joins both of its ends. */
static void clusters_that_share_no_node_have_bridges(void **state) {
    (void)state;
    static const char has[] = "x..x..x...x..x..x...x";
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5};
    sample made = cast_sample(7, 3, has, 5, ends, NULL, DGM_EDGES_STRUCTURAL);
    for (int directed = 0; directed < 2; directed++) {
        dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
        options.directed = directed;
        dgm_graph_free(made.graph);
        made.graph = build_graph(&options, 7, 5, ends, NULL);
        dgm_report *report = report_of(&made, NULL);
        assert_int_equal(dgm_report_get_totals(report).bridges, 2);
        const dgm_report_bridge *bridge = dgm_report_bridges(report);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(bridge[i].member.clusters, 1);
            assert_int_equal(bridge[i].home, bridge[i].member.node == 2 ? 0 : 1);
            assert_int_equal(bridge[i].other, 1 - bridge[i].home);
            assert_near(bridge[i].score, 6, 1e-12);
        }
        dgm_report_free(report);
    }
    sample_free(&made);
}

/* Where no edge crosses, nodes in several clusters are told: 2 and 3 of a path in two overlapping cells,
 * 2 of 4 nodes on either side by 2. */
static void where_no_edge_crosses_shared_nodes_are_bridges(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    dgm_report *report = report_of(&made, NULL);
    dgm_report_totals totals = dgm_report_get_totals(report);
    const dgm_report_bridge *bridge = dgm_report_bridges(report);
    assert_true(totals.bridges == 2 && totals.bridges_shared && totals.borders == 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bridge[i].member.node, 2 + i);
        assert_true(bridge[i].score == 1 && bridge[i].alone == 0 && bridge[i].across == -1);
    }
    dgm_report_free(report);
    sample_free(&made);
}

/* ---- bridges by their definition, without a graph ---- */

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
        forget_graph(&made);
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
            assert_near(bridge->score,
                        score_plainly(has, NODES, CLUSTERS, atoi(bridge->member.name)), 1e-12);
            assert_true(bridge->across == -1 && bridge->home == DGM_REPORT_NO_CLUSTER &&
                        bridge->other == DGM_REPORT_NO_CLUSTER && bridge->member.node == -1);
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

/* The nodes in the order of their numbers, in two clusters of as many. */
static void map_halves(sample *made, int64_t nodes, const double *values) {
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 2;
    options.overlap[0] = 0;
    options.cluster = DGM_CLUSTER_NONE;
    made->lens = build_matrix(nodes, 1, values);
    sample_map(ctx, made, &options);
}

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
    map_halves(&made, NODES, values);
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

/* Class 1 occurs in the first cluster alone and class 0 in both, but class 0 has more of its members. */
static void classes_are_told_in_the_order_of_their_members(void **state) {
    (void)state;
    enum { NODES = 60 };
    double values[NODES];
    int32_t labels[NODES];
    for (int u = 0; u < NODES; u++) {
        values[u] = u;
        labels[u] = u < 12 ? 1 : u < 38 ? 0 : 2;
    }
    dgm_graph_builder *builder;
    sample made = {.graph = NULL};
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, NODES), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &made.graph), DGM_OK);
    map_halves(&made, NODES, values);
    dgm_report *report = report_of(&made, NULL);
    const dgm_report_differences *classes = &dgm_report_clusters(report)[0].classes;
    assert_int_equal(classes->total, 2);
    assert_int_equal(classes->items[0].column, 0);
    assert_int_equal(classes->items[1].column, 1);
    assert_true(classes->items[0].q > classes->items[1].q);
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
        cmocka_unit_test(nodes_that_join_clusters_are_ranked),
        cmocka_unit_test(clusters_that_share_no_node_have_bridges),
        cmocka_unit_test(where_no_edge_crosses_shared_nodes_are_bridges),
        cmocka_unit_test(scores_are_what_they_are_said_to_be),
        cmocka_unit_test(pieces_are_ordered_and_edges_between_them_are_ranked),
        cmocka_unit_test(an_edge_inside_a_piece_does_not_cross),
        cmocka_unit_test(trees_hang_on_loops),
        cmocka_unit_test(pieces_without_loops_have_arms),
        cmocka_unit_test(a_path_alone_is_one_branch),
        cmocka_unit_test(a_cluster_inside_its_root_is_no_branch),
        cmocka_unit_test(differences_are_told_and_chance_is_not),
        cmocka_unit_test(classes_are_told_in_the_order_of_their_members),
        cmocka_unit_test(few_differences_are_told_of_many),
        cmocka_unit_test(an_empty_summary_has_an_empty_report),
        cmocka_unit_test(without_a_graph_the_rest_is_told),
        cmocka_unit_test(what_does_not_belong_together_is_refused),
        cmocka_unit_test(a_profile_of_other_labels_does_no_harm),
        cmocka_unit_test(memory_may_end_anywhere),
    };
    return RUN_WITH_CONTEXT(tests);
}
