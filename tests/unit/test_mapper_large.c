/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of thousands of nodes, which the loops over chunks, ranges, blocks and tasks cut into
 * several of each, against the plainest count. A soft assignment says which cells a node lies
 * in. */
#include "mapper_sample.h"

#include "unit_progress.h"

#include "../check_random.h"

enum { MOST_NODES = 5000, MOST_CELLS = 530, MOST_LIST = 24, MOST_EDGES = 150000 };

/* What is drawn: nodes, cells, how many cells a node has at most, edges, and how near the cells of
 * their ends are. */
typedef struct {
    int nodes, cells, longest, edges, near;
    bool directed;
} kind;

static int list_length[MOST_NODES];
static int list[MOST_NODES][MOST_LIST]; /* the cells of each node, ascending */
static uint32_t ends[MOST_EDGES][2];
static int edge_count;

/* ---- what is drawn ---- */

static void draw_lists(check_random *random, const kind *k) {
    for (int u = 0; u < k->nodes; u++) {
        int home = (int)((int64_t)u * k->cells / k->nodes), wanted = u % 5 ? 1 : k->longest;
        wanted = check_random_between(random, u % 101 ? 1 : 0, wanted); /* some lie in no cell */
        bool in[MOST_CELLS] = {false};
        for (int i = 0; i < wanted; i++)
            in[(home + (i ? check_random_below(random, k->cells) : 0)) % k->cells] = true;
        list_length[u] = 0;
        for (int c = 0; c < k->cells; c++)
            if (in[c])
                list[u][list_length[u]++] = c;
    }
}

static int compare_edges(const void *a, const void *b) {
    return memcmp(a, b, sizeof ends[0]);
}

/* Every edge once; loops are among them. */
static void draw_edges(check_random *random, const kind *k) {
    for (int e = 0; e < k->edges; e++) {
        int u = check_random_below(random, k->nodes);
        int v = check_random_chance(random, 0.8)
                    ? (u + check_random_below(random, k->near)) % k->nodes
                    : check_random_below(random, k->nodes);
        bool turned = k->directed ? check_random_chance(random, 0.5) : v < u;
        ends[e][0] = (uint32_t)(turned ? v : u);
        ends[e][1] = (uint32_t)(turned ? u : v);
    }
    qsort(ends, (size_t)k->edges, sizeof ends[0], compare_edges);
    edge_count = 0;
    for (int e = 0; e < k->edges; e++)
        if (e == 0 || memcmp(ends[e], ends[edge_count - 1], sizeof ends[0]) != 0)
            memmove(ends[edge_count++], ends[e], sizeof ends[0]);
}

static dgm_graph *draw_graph(const kind *k, int number) {
    check_random random = check_random_case(1, 7, number);
    draw_lists(&random, k);
    draw_edges(&random, k);
    dgm_graph_options reading = DGM_GRAPH_OPTIONS_INIT;
    reading.directed = k->directed;
    reading.keep_loops = true;
    return build_graph(&reading, k->nodes, edge_count, ends[0], NULL);
}

static dgm_summary *map_lists(const dgm_graph *graph, const kind *k, dgm_mapper_options options) {
    dgm_matrix *lens = build_matrix(k->nodes, k->cells, NULL);
    dgm_summary *summary;
    for (int u = 0; u < k->nodes; u++)
        for (int i = 0; i < list_length[u]; i++)
            dgm_matrix_values_mutable(lens)[(int64_t)u * k->cells + list[u][i]] = 1;
    options.cover = DGM_COVER_SIMPLEX;
    if (dgm_mapper_run(ctx, graph, lens, &options, &summary) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    dgm_matrix_free(lens);
    return summary;
}

/* ---- the plainest count ---- */

/* The clusters of each node, as the summary lists them. */
static int in_count[MOST_NODES], in_cluster[MOST_NODES][MOST_LIST];

static void read_clusters(const dgm_summary *summary, const kind *k) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    memset(in_count, 0, sizeof in_count);
    for (int64_t c = 0; c < clusters.count; c++)
        for (int64_t i = clusters.offsets[c]; i < clusters.offsets[c + 1]; i++) {
            uint32_t u = clusters.members[i];
            assert_true(u < (uint32_t)k->nodes && in_count[u] < MOST_LIST);
            assert_true(i == clusters.offsets[c] || clusters.members[i - 1] < u);
            in_cluster[u][in_count[u]++] = (int)c;
        }
}

static bool lies_in(uint32_t u, int cluster) {
    for (int i = 0; i < in_count[u]; i++)
        if (in_cluster[u][i] == cluster)
            return true;
    return false;
}

typedef struct {
    int64_t shared, links, inner;
} pair;

static pair *count_pairs(const kind *k, int64_t clusters, int64_t *inside) {
    pair *pairs = calloc((size_t)(clusters * clusters), sizeof *pairs);
    assert_non_null(pairs);
    for (int u = 0; u < k->nodes; u++)
        for (int i = 0; i < in_count[u]; i++)
            for (int j = i + 1; j < in_count[u]; j++)
                pairs[in_cluster[u][i] * clusters + in_cluster[u][j]].shared++;
    *inside = 0;
    for (int e = 0; e < edge_count; e++) {
        uint32_t u = ends[e][0], v = ends[e][1];
        bool together = false;
        for (int i = 0; i < in_count[u] && u != v; i++) {
            int a = in_cluster[u][i];
            together = together || lies_in(v, a);
            for (int j = 0; j < in_count[v]; j++) {
                int b = in_cluster[v][j];
                bool both = lies_in(v, a) && lies_in(u, b); /* it is met from (b, a), too */
                if (a == b || (both && b < a))
                    continue;
                pair *p = &pairs[(a < b ? a : b) * clusters + (a < b ? b : a)];
                p->links++;
                p->inner += both;
            }
        }
        *inside += together;
    }
    return pairs;
}

static void assert_pairs(const dgm_summary *summary, const kind *k, bool structural) {
    int64_t clusters = dgm_summary_get_clusters(summary).count, inside, count, at = 0;
    const dgm_summary_edge *edges = dgm_summary_edges(summary, &count);
    pair *pairs = count_pairs(k, clusters, &inside);
    for (int64_t a = 0; a < clusters; a++)
        for (int64_t b = a + 1; b < clusters; b++) {
            pair p = pairs[a * clusters + b];
            if (structural ? !p.links : !p.shared)
                continue;
            assert_true(at < count);
            assert_int_equal(edges[at].source, a);
            assert_int_equal(edges[at].target, b);
            assert_int_equal(edges[at].shared, p.shared);
            assert_int_equal(edges[at].links, p.links);
            assert_int_equal(edges[at++].inner, p.inner);
        }
    assert_int_equal(at, count);
    assert_int_equal(dgm_summary_get_coverage(summary).edges_inside, inside);
    free(pairs);
}

/* ---- clusters ---- */

static void assert_whole_cells(const dgm_summary *summary, const kind *k) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    int64_t slots = 0;
    for (int u = 0; u < k->nodes; u++) {
        assert_int_equal(in_count[u], list_length[u]);
        for (int i = 0; i < list_length[u]; i++)
            assert_int_equal(clusters.cells[in_cluster[u][i]], list[u][i]);
        slots += list_length[u];
    }
    assert_int_equal(clusters.offsets[clusters.count], slots);
}

/* The smallest node that each can reach inside a cell, by going through the edges until nothing
 * changes. */
static void label_cell(const kind *k, int cell, const bool (*in)[MOST_CELLS], int *label) {
    for (int u = 0; u < k->nodes; u++)
        label[u] = in[u][cell] ? u : -1;
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = 0; e < edge_count; e++) {
            int *a = &label[ends[e][0]], *b = &label[ends[e][1]];
            if (*a < 0 || *b < 0 || *a == *b)
                continue;
            *a = *b = *a < *b ? *a : *b;
            changed = true;
        }
    }
}

/* Clusters are the components of each cell, by cell and then by their smallest member. */
static void assert_components(const dgm_summary *summary, const kind *k) {
    static bool in[MOST_NODES][MOST_CELLS];
    static int label[MOST_NODES], number[MOST_NODES];
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    int64_t first = 0;
    memset(in, 0, sizeof in);
    for (int u = 0; u < k->nodes; u++)
        for (int i = 0; i < list_length[u]; i++)
            in[u][list[u][i]] = true;
    for (int c = 0; c < k->cells; c++) {
        label_cell(k, c, (const bool(*)[MOST_CELLS])in, label);
        int64_t count = 0;
        for (int u = 0; u < k->nodes; u++) {
            if (label[u] == u)
                number[u] = (int)(first + count++);
            assert_true(label[u] < 0 || lies_in((uint32_t)u, number[label[u]]));
        }
        for (int64_t i = first; i < first + count; i++)
            assert_int_equal(clusters.cells[i], c);
        first += count;
    }
    assert_int_equal(clusters.count, first);
    for (int u = 0; u < k->nodes; u++)
        assert_int_equal(in_count[u], list_length[u]);
}

/* ---- the kinds ---- */

/* Few cells with long lists, whose pairs are added up in tables; some cells with hundreds of lists;
 * and hundreds of cells with a list for almost every node. */
static const kind kinds[] = {
    {3000, 20, 20, 40000, 60, false}, {4500, 70, 3, 30000, 40, false},
    {4500, 70, 3, 30000, 40, true},   {5000, 530, 5, 150000, 400, false},
    {5000, 530, 5, 60000, 400, true},
};

static void whole_cells_share_nodes_and_edges_as_counted_plainly(void **state) {
    (void)state;
    for (int64_t i = 0; i < COUNT(kinds); i++) {
        dgm_graph *graph = draw_graph(&kinds[i], (int)i);
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        options.cluster = DGM_CLUSTER_NONE;
        for (int turn = 0; turn < 2; turn++) {
            options.edges = turn ? DGM_EDGES_STRUCTURAL : DGM_EDGES_NERVE;
            dgm_context_set_threads(ctx, turn ? 3 : 1);
            dgm_summary *summary = map_lists(graph, &kinds[i], options);
            read_clusters(summary, &kinds[i]);
            assert_whole_cells(summary, &kinds[i]);
            assert_pairs(summary, &kinds[i], turn);
            dgm_summary_free(summary);
        }
        dgm_context_set_threads(ctx, 0);
        dgm_graph_free(graph);
    }
}

/* Sparse cells, where every edge is linked once, and dense ones, where most are skipped. */
static const kind cells[] = {
    {4500, 12, 12, 12000, 3000, false}, {4500, 12, 2, 100000, 400, false},
    {3000, 20, 20, 60000, 60, true},    {2500, 20, 20, 60000, 60, false},
    {2500, 40, 24, 9000, 300, false},
};

static void components_of_cells_are_what_edges_reach(void **state) {
    (void)state;
    int dense = 0;
    for (int64_t i = 0; i < COUNT(cells); i++) {
        dgm_graph *graph = draw_graph(&cells[i], 10 + (int)i);
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        dgm_context_set_threads(ctx, i % 2 ? 3 : 1);
        hear_progress();
        dgm_summary *summary = map_lists(graph, &cells[i], options);
        hear_no_more();
        dense += reports_of("finding clusters") > 2;
        dgm_context_set_threads(ctx, 0);
        read_clusters(summary, &cells[i]);
        assert_components(summary, &cells[i]);
        dgm_summary_free(summary);
        dgm_graph_free(graph);
    }
    assert_true(dense >= 2 && dense < COUNT(cells)); /* both ways were taken */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_cells_share_nodes_and_edges_as_counted_plainly),
        cmocka_unit_test(components_of_cells_are_what_edges_reach),
    };
    return RUN_WITH_CONTEXT(tests);
}
