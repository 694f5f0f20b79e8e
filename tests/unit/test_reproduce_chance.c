/* SPDX-License-Identifier: Apache-2.0 */
#include "mapper_sample.h"

#include <math.h>

#include "../check_random.h"
#include "reproduce_chance.h"
#include "unit_faults.h"

/* A graph without edges and with labels; -1: none. */
static dgm_graph *label_nodes(int64_t nodes, const int32_t *labels) {
    dgm_graph *plain = build_graph(NULL, nodes, 0, NULL, NULL), *graph;
    assert_int_equal(dgm_graph_with_labels(ctx, plain, labels, 0, NULL, &graph), DGM_OK);
    dgm_graph_free(plain);
    return graph;
}

/* Clusters are the nodes with numbers in the given intervals. */
static dgm_summary *take_intervals(const dgm_graph *graph, const dgm_interval *given,
                                   int64_t count) {
    double places[64];
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_INTERVALS;
    options.given = given;
    options.given_count = count;
    options.cluster = DGM_CLUSTER_NONE;
    for (int64_t i = 0; i < dgm_graph_nodes(graph); i++)
        places[i] = (double)i;
    return map_graph(graph, 1, places, &options);
}

/* {0, 1, 2}, {2, 3, 4} and {5}. */
static const dgm_interval three[] = {{0, 3}, {2, 5}, {5, 6}};

static dgmi_reproduce_classes measure(const dgm_graph *graph, const dgm_summary *summary,
                                      int64_t shuffles, int64_t seed) {
    dgmi_reproduce_classes is;
    assert_int_equal(dgmi_reproduce_measure_classes(ctx, summary, graph, shuffles, seed, &is),
                     DGM_OK);
    return is;
}

static dgmi_reproduce_classes measure_three(const int32_t labels[6], int64_t shuffles,
                                            int64_t seed) {
    dgm_graph *graph = label_nodes(6, labels);
    dgm_summary *summary = take_intervals(graph, three, 3);
    assert_clusters(summary, "0 1 2|2 3 4|5");
    dgmi_reproduce_classes is = measure(graph, summary, shuffles, seed);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
    return is;
}

/* ---- worked by hand ---- */

static void a_node_of_two_clusters_counts_half_in_each_and_single_nodes_do_not_count(void **state) {
    static const int32_t labels[6] = {0, 0, 1, 1, 0, 1};
    (void)state;
    dgmi_reproduce_classes is = measure_three(labels, 0, 1);
    assert_int_equal(is.clusters, 2);
    assert_int_equal(is.nodes, 5);
    assert_int_equal(is.edges, 1);
    assert_int_equal(is.shown, 2);
    /* 2 of 2.5 in the first cluster, 1.5 of 2.5 in the second. With whole weights it would be 4 of
     * 6, and with the single node 4.5 of 6. */
    assert_near(is.purity.found, 3.5 / 5, 1e-15);
    assert_near(is.assortativity.found, -1, 1e-15);
    assert_true(isnan(is.purity.expected) && isnan(is.purity.above)); /* nothing was shuffled */
}

static void nodes_without_a_label_are_not_there(void **state) {
    static const int32_t labels[6] = {0, -1, -1, 1, 0, 1};
    (void)state;
    /* the first cluster has one label, the second one of each class */
    dgmi_reproduce_classes is = measure_three(labels, 20, 1);
    assert_int_equal(is.clusters, 1);
    assert_int_equal(is.nodes, 2);
    assert_int_equal(is.edges, 0);
    assert_int_equal(is.shown, 1); /* of two that are equally frequent the first */
    assert_near(is.purity.found, 0.5, 1e-15);
    assert_true(isnan(is.assortativity.found) && isnan(is.assortativity.expected));
}

static void one_class_is_pure_and_has_no_assortativity(void **state) {
    static const int32_t labels[6] = {0, 0, 0, 0, 0, 0};
    (void)state;
    dgmi_reproduce_classes is = measure_three(labels, 10, 1);
    assert_true(is.purity.found == 1 && is.purity.expected == 1 && is.purity.above == 0);
    assert_true(isnan(is.assortativity.found));
}

static void a_chain_of_two_classes_has_the_assortativity_of_newmans_formula(void **state) {
    /* pairs of nodes, each sharing one with the next: the classes are 0 0 0 1 1 along a path */
    static const dgm_interval pairs[] = {{0, 3}, {2, 5}, {4, 7}, {6, 9}, {8, 11}};
    static const int32_t labels[11] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
    (void)state;
    dgm_graph *graph = label_nodes(11, labels);
    dgm_summary *summary = take_intervals(graph, pairs, 5);
    dgmi_reproduce_classes is = measure(graph, summary, 0, 1);
    /* 4 edges, 3 inside a class; of the 8 ends 5 are of class 0 and 3 of class 1 */
    double by_chance = (25 + 9) / 64.0;
    assert_near(is.assortativity.found, (0.75 - by_chance) / (1 - by_chance), 1e-15);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void a_graph_without_labels_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 6, 0, NULL, NULL);
    dgm_summary *summary = take_intervals(graph, three, 3);
    dgmi_reproduce_classes is;
    ASSERT_FAILS(dgmi_reproduce_measure_classes(ctx, summary, graph, 1, 1, &is), DGM_ERROR_DATA,
                 "the graph has no labels");
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* ---- against a slow checker ---- */

enum { MOST = 48, CLASSES = 3 };

static bool has(const dgm_summary *summary, int64_t cluster, int64_t node) {
    dgm_summary_clusters of = dgm_summary_get_clusters(summary);
    for (int64_t i = of.offsets[cluster]; i < of.offsets[cluster + 1]; i++)
        if (of.members[i] == node)
            return true;
    return false;
}

static int64_t count_labelled(const dgm_summary *summary, int64_t cluster, const int32_t *labels,
                              int64_t nodes) {
    int64_t count = 0;
    for (int64_t v = 0; v < nodes; v++)
        count += labels[v] >= 0 && has(summary, cluster, v);
    return count;
}

/* The weight of a class in a cluster, node by node. In units of 1 / 60, so that sums are exact as
 * long as no node lies in more than six clusters. */
static int64_t weigh_class(const dgm_summary *summary, int64_t cluster, int32_t class_index,
                           const int32_t *labels, int64_t nodes) {
    int64_t clusters = dgm_summary_get_clusters(summary).count, weight = 0;
    for (int64_t v = 0; v < nodes; v++) {
        int64_t lies_in = 0;
        if (labels[v] != class_index || !has(summary, cluster, v))
            continue;
        for (int64_t c = 0; c < clusters; c++)
            lies_in += has(summary, c, v) && count_labelled(summary, c, labels, nodes) >= 2;
        assert_in_range(lies_in, 1, 6);
        weight += 60 / lies_in;
    }
    return weight;
}

/* The class of a cluster, or -1 if the cluster does not count. */
static int32_t class_of(const dgm_summary *summary, int64_t cluster, const int32_t *labels,
                        int64_t nodes, int64_t *weight) {
    int32_t best = -1;
    *weight = 0;
    if (count_labelled(summary, cluster, labels, nodes) < 2)
        return -1;
    for (int32_t k = 0; k < CLASSES; k++) {
        int64_t of_class = weigh_class(summary, cluster, k, labels, nodes);
        if (of_class > *weight) {
            *weight = of_class;
            best = k;
        }
    }
    return best;
}

/* Purity and assortativity by their definitions. */
static void measure_slowly(const dgm_summary *summary, const int32_t *labels, int64_t nodes,
                           double *purity, double *assortativity) {
    int64_t clusters = dgm_summary_get_clusters(summary).count, pure = 0, all = 0, edges, used = 0;
    const dgm_summary_edge *edge = dgm_summary_edges(summary, &edges);
    int32_t classes[256];
    double inside = 0, by_chance = 0, ends[CLASSES] = {0};
    assert_in_range(clusters, 0, 256);
    for (int64_t c = 0; c < clusters; c++) {
        int64_t weight;
        classes[c] = class_of(summary, c, labels, nodes, &weight);
        pure += weight;
        for (int32_t k = 0; classes[c] >= 0 && k < CLASSES; k++)
            all += weigh_class(summary, c, k, labels, nodes);
    }
    for (int64_t i = 0; i < edges; i++) {
        int32_t a = classes[edge[i].source], b = classes[edge[i].target];
        if (a < 0 || b < 0)
            continue;
        used++;
        inside += a == b;
        ends[a] += 1;
        ends[b] += 1;
    }
    for (int32_t k = 0; k < CLASSES; k++)
        by_chance += ends[k] * ends[k] / (4.0 * (double)used * (double)used);
    *purity = (double)pure / (double)all;
    *assortativity = (inside / (double)used - by_chance) / (1 - by_chance);
}

static void both_measures_agree_with_the_slow_checker(void **state) {
    check_random random = {check_random_seed()};
    (void)state;
    for (int round = 0; round < 40; round++) {
        int64_t nodes = check_random_between(&random, 20, MOST);
        int32_t labels[MOST];
        dgm_interval given[12];
        double purity, assortativity;
        for (int64_t v = 0; v < nodes; v++)
            labels[v] = v < CLASSES ? (int32_t)v : check_random_between(&random, -1, CLASSES - 1);
        /* each begins three nodes after the one before and is at most 9 long: at most 3 overlap */
        for (int i = 0; i < 12; i++)
            given[i] = (dgm_interval){3 * i, 3 * i + check_random_between(&random, 1, 9)};
        dgm_graph *graph = label_nodes(nodes, labels);
        dgm_summary *summary = take_intervals(graph, given, 12);
        dgmi_reproduce_classes is = measure(graph, summary, 0, 1);
        measure_slowly(summary, labels, nodes, &purity, &assortativity);
        assert_near(is.purity.found, purity, 1e-12);
        if (isnan(assortativity))
            assert_true(isnan(is.assortativity.found));
        else
            assert_near(is.assortativity.found, assortativity, 1e-12);
        dgm_summary_free(summary);
        dgm_graph_free(graph);
    }
}

/* The mean over all 720 orders of the six labels. */
static void mean_of_all_orders(const dgm_summary *summary, const int32_t labels[6], double *purity,
                               double *squares) {
    int64_t orders = 0;
    *purity = *squares = 0;
    for (int64_t code = 0; code < 46656; code++) { /* 6^6, of which the permutations are taken */
        int32_t dealt[6];
        int64_t rest = code, taken = 0;
        double is, unused;
        for (int v = 0; v < 6; v++, rest /= 6) {
            taken |= INT64_C(1) << (rest % 6);
            dealt[v] = labels[rest % 6];
        }
        if (taken != 63)
            continue;
        measure_slowly(summary, dealt, 6, &is, &unused);
        *purity += is;
        *squares += is * is;
        orders++;
    }
    assert_int_equal(orders, 720);
    *purity /= (double)orders;
    *squares /= (double)orders;
}

static void shuffling_has_the_mean_and_the_deviation_of_all_orders(void **state) {
    static const int32_t labels[6] = {0, 0, 1, 1, 0, 2};
    double mean, squares;
    (void)state;
    dgm_graph *graph = label_nodes(6, labels);
    dgm_summary *summary = take_intervals(graph, three, 3);
    dgmi_reproduce_classes is = measure(graph, summary, 20000, 7);
    mean_of_all_orders(summary, labels, &mean, &squares);
    double deviation = sqrt(squares - mean * mean);
    assert_true(deviation > 0.05); /* so that the next lines say something */
    assert_near(is.purity.expected, mean, 5 * deviation / sqrt(20000));
    assert_near(is.purity.deviation, deviation, 0.03 * deviation);
    assert_near(is.purity.above, is.purity.found - is.purity.expected, 1e-15);
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

static void the_seed_decides_the_shuffling(void **state) {
    static const int32_t labels[6] = {0, 0, 1, 1, 0, 2};
    (void)state;
    dgmi_reproduce_classes one = measure_three(labels, 50, 3);
    dgmi_reproduce_classes again = measure_three(labels, 50, 3);
    dgmi_reproduce_classes other = measure_three(labels, 50, 4);
    assert_true(one.purity.expected == again.purity.expected);
    assert_true(one.assortativity.expected == again.assortativity.expected);
    assert_true(one.purity.expected != other.purity.expected);
    assert_true(one.purity.found == other.purity.found);
}

/* Only nodes 1 and 2 share a cluster. Of the labels 0, 1 and 0 they get the two zeros in one
 * order of three; if the first two nodes never changed labels with each other, they would never
 * get them. */
static void every_label_reaches_every_node(void **state) {
    static const int32_t labels[3] = {0, 1, 0};
    static const dgm_interval last[] = {{1, 3}};
    (void)state;
    dgm_graph *graph = label_nodes(3, labels);
    dgm_summary *summary = take_intervals(graph, last, 1);
    assert_clusters(summary, "1 2");
    dgmi_reproduce_classes is = measure(graph, summary, 2000, 1);
    assert_true(is.purity.found == 0.5);
    assert_near(is.purity.expected, 2.0 / 3, 5 * 0.2358 / sqrt(2000));
    dgm_summary_free(summary);
    dgm_graph_free(graph);
}

/* One shuffling has a mean and no deviation; that of two follows from their means. */
static void two_shufflings_have_a_deviation(void **state) {
    static const int32_t labels[6] = {0, 0, 1, 1, 0, 2};
    int differ = 0;
    (void)state;
    for (int64_t seed = 1; seed <= 10; seed++) {
        dgmi_reproduce_classes one = measure_three(labels, 1, seed);
        dgmi_reproduce_classes two = measure_three(labels, 2, seed);
        double first = one.purity.expected, second = 2 * two.purity.expected - first;
        assert_true(first >= 0.4 && first <= 1);
        assert_true(isnan(one.purity.deviation));
        assert_near(two.purity.deviation, fabs(first - second) / sqrt(2), 1e-7);
        differ += fabs(first - second) > 0.05;
    }
    assert_true(differ > 0);
}

/* ---- memory ---- */

typedef struct case_of_faults {
    dgm_graph *graph;
    dgm_summary *summary;
} case_of_faults;

static dgm_status measure_once(dgm_context *own, void *argument) {
    const case_of_faults *of = argument;
    dgmi_reproduce_classes is;
    return dgmi_reproduce_measure_classes(own, of->summary, of->graph, 3, 1, &is);
}

static void memory_that_ends_is_an_error(void **state) {
    static const int32_t labels[6] = {0, 0, 1, 1, 0, 2};
    (void)state;
    case_of_faults of = {label_nodes(6, labels), NULL};
    of.summary = take_intervals(of.graph, three, 3);
    fail_each_allocation(measure_once, &of);
    dgm_summary_free(of.summary);
    dgm_graph_free(of.graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_of_two_clusters_counts_half_in_each_and_single_nodes_do_not_count),
        cmocka_unit_test(nodes_without_a_label_are_not_there),
        cmocka_unit_test(one_class_is_pure_and_has_no_assortativity),
        cmocka_unit_test(a_chain_of_two_classes_has_the_assortativity_of_newmans_formula),
        cmocka_unit_test(a_graph_without_labels_is_refused),
        cmocka_unit_test(both_measures_agree_with_the_slow_checker),
        cmocka_unit_test(shuffling_has_the_mean_and_the_deviation_of_all_orders),
        cmocka_unit_test(the_seed_decides_the_shuffling),
        cmocka_unit_test(every_label_reaches_every_node),
        cmocka_unit_test(two_shufflings_have_a_deviation),
        cmocka_unit_test(memory_that_ends_is_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
