/* SPDX-License-Identifier: Apache-2.0 */
/* Label propagation and Louvain: what any clustering owes, and the one case where the answer is
 * beyond doubt. */
#include "property_fixture.h"

#include <string.h>

static bool same_cell(const dgm_summary_clusters *a, int64_t i, const dgm_summary_clusters *b,
                      int64_t j) {
    return !memcmp(a->cells + i * a->axes, b->cells + j * b->axes,
                   sizeof(int32_t) * (size_t)a->axes);
}

/* Clusters of a cell are disjoint, lie inside one component each, and make up the whole preimage.
 */
static bool partitions(const dgm_summary *parts, const dgm_summary *components) {
    dgm_summary_clusters p = dgm_summary_get_clusters(parts);
    dgm_summary_clusters c = dgm_summary_get_clusters(components);
    int64_t used = 0;
    for (int64_t j = 0; j < c.count; j++) {
        uint64_t left = mask_of(&c, j);
        for (int64_t i = 0; i < p.count; i++) {
            uint64_t mask = mask_of(&p, i);
            if (!same_cell(&p, i, &c, j) || !(mask & mask_of(&c, j)))
                continue;
            if (mask & ~left)
                return false;
            left &= ~mask;
            used++;
        }
        if (left)
            return false;
    }
    return used == p.count;
}

static bool ordered(const dgm_summary *summary) {
    dgm_summary_clusters c = dgm_summary_get_clusters(summary);
    for (int64_t i = 1; i < c.count; i++) {
        int order = 0;
        for (int64_t k = 0; k < c.axes && !order; k++)
            order = c.cells[(i - 1) * c.axes + k] - c.cells[i * c.axes + k];
        if (order > 0 || (order == 0 && c.members[c.offsets[i - 1]] >= c.members[c.offsets[i]]))
            return false;
    }
    return true;
}

static bool same_members(const dgm_summary *one, const dgm_summary *two) {
    dgm_summary_clusters a = dgm_summary_get_clusters(one), b = dgm_summary_get_clusters(two);
    return a.count == b.count &&
           !memcmp(a.offsets, b.offsets, sizeof *a.offsets * (size_t)(a.count + 1)) &&
           (a.count == 0 ||
            !memcmp(a.members, b.members, sizeof *a.members * (size_t)a.offsets[a.count]));
}

static void communities_partition_each_preimage(void **state) {
    (void)state;
    static property_case drawn;
    for (int number = 0; number < 300; number++) {
        check_random random = check_random_case(seed, 20, number);
        property_draw(&random, &drawn);
        drawn.options.min_size = 1;
        drawn.options.min_component = 0;
        drawn.options.seed = number;
        drawn.options.cluster = DGM_CLUSTER_COMPONENTS;
        dgm_summary *components = property_run(ctx, &drawn);
        drawn.options.cluster = number % 2 ? DGM_CLUSTER_LABELPROP : DGM_CLUSTER_LOUVAIN;
        dgm_summary *parts = property_run(ctx, &drawn);
        dgm_context_set_threads(ctx, 1 + number % 5);
        dgm_summary *again = property_run(ctx, &drawn);
        dgm_context_set_threads(ctx, 1);
        bool good = partitions(parts, components) && ordered(parts) && same_members(parts, again);
        dgm_summary_free(components);
        dgm_summary_free(parts);
        dgm_summary_free(again);
        if (!good) {
            property_print(&drawn);
            fail_msg("seed %llu, case %d: not a partition, or not the same twice",
                     (unsigned long long)seed, number);
        }
    }
}

static void add_clique(property_graph *graph, int from, int to) {
    for (int u = from; u < to; u++)
        for (int v = u + 1; v < to; v++) {
            graph->edges[graph->count][0] = (uint32_t)u;
            graph->edges[graph->count++][1] = (uint32_t)v;
        }
}

static void two_joined_cliques_are_two_communities(void **state) {
    (void)state;
    static property_case joined;
    for (int size = 4; size <= 12; size++)
        for (int cluster = DGM_CLUSTER_LABELPROP; cluster <= DGM_CLUSTER_LOUVAIN; cluster++)
            for (int label_seed = 1; label_seed <= 5; label_seed++) {
                memset(&joined, 0, sizeof joined);
                joined.graph.nodes = 2 * size;
                joined.columns = 1;
                add_clique(&joined.graph, 0, size);
                add_clique(&joined.graph, size, 2 * size);
                joined.graph.edges[joined.graph.count][0] = (uint32_t)size - 1;
                joined.graph.edges[joined.graph.count++][1] = (uint32_t)size;
                dgm_mapper_options_init(&joined.options);
                joined.options.cluster = cluster;
                joined.options.seed = label_seed;
                dgm_summary *summary = property_run(ctx, &joined);
                dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
                assert_int_equal(clusters.count, 2);
                assert_int_equal(mask_of(&clusters, 0), (UINT64_C(1) << size) - 1);
                assert_int_equal(mask_of(&clusters, 1), ((UINT64_C(1) << size) - 1) << size);
                dgm_summary_free(summary);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(communities_partition_each_preimage),
        cmocka_unit_test(two_joined_cliques_are_two_communities),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
