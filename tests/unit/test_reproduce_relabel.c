/* SPDX-License-Identifier: Apache-2.0 */
/* Proposition 4.3: pooling by PageRank does not see how nodes are numbered. */
#include "unit_fixture.h"

#include "base_random.h"
#include "reproduce_relabel.h"
#include "unit_faults.h"
#include "unit_progress.h"

#define MPR    "mpr:clusters=6,overlap=0.25"
#define RANDOM "mpr:clusters=2,overlap=0,lens=random"
enum { NODES = 40, EDGES = 90, WIDTH = 3 };

/* What the nodes of a graph have. */
typedef enum { NOTHING, LABELS, DENSE, SPARSE } having;

static void add_features(dgm_graph_builder *builder, dgmi_random *random, having what) {
    int32_t labels[NODES];
    float values[NODES * WIDTH];
    int64_t offsets[NODES + 1];
    uint32_t columns[NODES];
    for (int u = 0; u < NODES; u++) {
        labels[u] = (int32_t)dgmi_random_next_below(random, WIDTH);
        columns[u] = (uint32_t)dgmi_random_next_below(random, WIDTH);
        offsets[u] = u;
    }
    offsets[NODES] = NODES;
    for (int i = 0; i < NODES * WIDTH; i++)
        values[i] = (float)(dgmi_random_next(random) - 0.3);
    dgm_graph_features dense = {.width = WIDTH, .values = values};
    dgm_graph_features sparse = {.width = WIDTH, .offsets = offsets, .columns = columns};
    if (what == LABELS)
        assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, labels), DGM_OK);
    if (what == DENSE || what == SPARSE)
        assert_int_equal(
            dgm_graph_builder_set_features(builder, NODES, what == DENSE ? &dense : &sparse),
            DGM_OK);
}

static dgm_graph *draw_graph(uint64_t seed, having what) {
    dgmi_random random = {.seed = seed};
    uint32_t ends[2 * EDGES];
    dgm_graph_builder *builder;
    dgm_graph *graph;
    for (int i = 0; i < 2 * EDGES; i++)
        ends[i] = (uint32_t)dgmi_random_next_below(&random, NODES);
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, NODES), DGM_OK);
    assert_int_equal(dgm_graph_builder_add(builder, EDGES, ends, NULL), DGM_OK);
    add_features(builder, &random, what);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

/* Whatever X is; a random lens, which goes by numbers, is told apart. */
static void pagerank_does_not_see_numbers_and_a_random_lens_does(void **state) {
    (void)state;
    for (int what = NOTHING; what <= SPARSE; what++) {
        dgm_graph *graph = draw_graph((uint64_t)what, (having)what);
        dgmi_reproduce_relabel same = {0}, other = {0};
        assert_int_equal(dgmi_reproduce_relabel_graph(ctx, graph, MPR, 5, 1, &same), DGM_OK);
        assert_int_equal(same.graphs, 1);
        assert_int_equal(same.nodes, NODES);
        assert_int_equal(same.relabellings, 5);
        assert_int_equal(same.other_clusters, 0);
        assert_in_range(same.clusters, 2, 6);
        assert_true(same.moved > 4 * NODES);
        assert_true(same.assignment < 1e-12 && same.features < 1e-12 && same.adjacency < 1e-12);
        assert_int_equal(dgmi_reproduce_relabel_graph(ctx, graph, RANDOM, 5, 1, &other), DGM_OK);
        assert_int_equal(other.other_clusters, 0); /* two clusters, which are always joined */
        assert_true(other.assignment == 1);
        assert_true(other.features > 0.01);
        assert_true(other.adjacency > 0.01);
        dgm_graph_free(graph);
    }
}

/* Matching along edges goes by numbers, too, and makes other clusters. */
static void other_clusters_are_counted(void **state) {
    (void)state;
    dgm_graph *graph = draw_graph(7, LABELS);
    dgmi_reproduce_relabel sum = {0};
    assert_int_equal(dgmi_reproduce_relabel_graph(ctx, graph, "graclus", 5, 1, &sum), DGM_OK);
    assert_true(sum.other_clusters > 0);
    dgm_graph_free(graph);
}

/* The second of three graphs has no nodes. */
static dgm_graph_set *build_set(void) {
    const uint32_t ends[] = {0, 1, 0, 2, 0, 3, /**/ 4, 5, 5, 6, 6, 7, 7, 8, 8, 4};
    dgm_graph *united = build_graph(NULL, 9, 8, ends, NULL);
    dgm_graph_set *set;
    assert_int_equal(
        dgm_graph_set_create(ctx, united, 3, (const int64_t[]){0, 4, 4, 9}, NULL, &set), DGM_OK);
    return set;
}

static void the_graphs_of_a_set_are_added_up(void **state) {
    (void)state;
    dgm_graph_set *set = build_set();
    dgmi_reproduce_relabel sum = {0}, first = {0};
    assert_int_equal(dgmi_reproduce_relabel_set(ctx, set, MPR, 10, 1, &sum), DGM_OK);
    assert_int_equal(sum.graphs, 2);
    assert_int_equal(sum.nodes, 9);
    assert_int_equal(sum.relabellings, 2);
    assert_int_equal(sum.other_clusters, 0);
    assert_int_equal(sum.clusters,
                     2 + 1); /* a hub and its leaves; a ring, whose lens is constant */
    assert_int_equal(dgmi_reproduce_relabel_set(ctx, set, MPR, 1, 1, &first), DGM_OK);
    assert_int_equal(first.graphs, 1);
    assert_int_equal(first.nodes, 4);
    dgm_graph_set_free(set);
}

static void progress_is_that_of_the_graphs(void **state) {
    (void)state;
    dgm_graph_set *set = build_set();
    dgmi_reproduce_relabel sum = {0};
    double last = 0;
    int reports = 0;
    hear_progress();
    assert_int_equal(dgmi_reproduce_relabel_set(ctx, set, MPR, 8, 1, &sum), DGM_OK);
    hear_no_more();
    for (int64_t i = 0; i < heard_count; i++)
        if (strcmp(heard_reports[i].stage, "relabelling") == 0) {
            last += 0.125; /* one graph of eight */
            assert_true(heard_reports[i].fraction == last);
            reports++;
        }
    assert_int_equal(reports, 2);
    dgm_graph_set_free(set);
}

/* The order of two nodes is another one in half of all cases. */
static void every_order_is_as_likely(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 1, (const uint32_t[]){0, 1}, NULL);
    dgmi_reproduce_relabel sum = {0};
    assert_int_equal(dgmi_reproduce_relabel_graph(ctx, graph, "mpr:clusters=2", 200, 1, &sum),
                     DGM_OK);
    assert_int_equal(sum.relabellings, 200);
    assert_in_range(sum.moved, 2 * 60, 2 * 140);
    dgm_graph_free(graph);
}

/* Half of the nodes are of the only class, and the others of none. */
static void the_first_class_is_one_as_well(void **state) {
    (void)state;
    int32_t labels[NODES];
    for (int u = 0; u < NODES; u++)
        labels[u] = u % 2 - 1;
    dgm_graph *plain = draw_graph(3, NOTHING), *graph;
    dgmi_reproduce_relabel sum = {0};
    assert_int_equal(dgm_graph_with_labels(ctx, plain, labels, 0, NULL, &graph), DGM_OK);
    assert_int_equal(dgmi_reproduce_relabel_graph(ctx, graph, RANDOM, 5, 1, &sum), DGM_OK);
    assert_true(sum.features > 0.01 && sum.features <= 1);
    dgm_graph_free(graph);
    dgm_graph_free(plain);
}

static void an_unknown_operator_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = draw_graph(1, NOTHING);
    dgmi_reproduce_relabel sum = {0};
    assert_int_equal(dgmi_reproduce_relabel_graph(ctx, graph, "mp", 1, 1, &sum), DGM_ERROR_USAGE);
    assert_int_equal(sum.graphs, 0);
    dgm_graph_free(graph);
}

static dgm_status relabel_all(dgm_context *own, void *argument) {
    dgmi_reproduce_relabel sum = {0};
    return dgmi_reproduce_relabel_set(own, argument, MPR, 10, 1, &sum);
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    dgm_graph_set *set = build_set();
    fail_some_allocations(relabel_all, set, 3);
    dgm_graph_set_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pagerank_does_not_see_numbers_and_a_random_lens_does),
        cmocka_unit_test(other_clusters_are_counted),
        cmocka_unit_test(the_graphs_of_a_set_are_added_up),
        cmocka_unit_test(progress_is_that_of_the_graphs),
        cmocka_unit_test(every_order_is_as_likely),
        cmocka_unit_test(the_first_class_is_one_as_well),
        cmocka_unit_test(an_unknown_operator_is_refused),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
