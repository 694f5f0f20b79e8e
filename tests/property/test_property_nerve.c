/* SPDX-License-Identifier: Apache-2.0 */
/* Betti numbers of random nerves against dense ranks mod 2. Every node of a soft assignment lies in
 * the clusters where its row is positive, so a random incidence matrix is a random nerve. */
#include "property_fixture.h"

#include <string.h>

enum {
    CASES = 3000,
    MOST_NODES = 64,
    MOST_CLUSTERS = 24,
    PAIRS = MOST_CLUSTERS * (MOST_CLUSTERS - 1) / 2,
    WORDS = (PAIRS + 63) / 64,
};

typedef struct {
    int nodes, clusters, min_size;
    uint64_t members[MOST_CLUSTERS]; /* a bit a node */
} incidence;

/* Sparse and dense ones; half of them with clusters in a circle, so that loops are long. */
static incidence draw_incidence(check_random *random) {
    incidence m = {.nodes = check_random_between(random, 1, MOST_NODES),
                   .clusters = check_random_between(random, 1, MOST_CLUSTERS),
                   .min_size = check_random_chance(random, 0.3) ? 3 : 1};
    int most = check_random_between(random, 1, m.clusters < 7 ? m.clusters : 7);
    bool near = check_random_chance(random, 0.5);
    for (int u = 0; u < m.nodes; u++) {
        int count = check_random_between(random, 1, most),
            first = check_random_below(random, m.clusters);
        for (int i = 0; i < count; i++) {
            int c = near ? (first + check_random_below(random, 4)) % m.clusters
                         : check_random_below(random, m.clusters);
            m.members[c] |= UINT64_C(1) << u;
        }
    }
    return m;
}

/* ---- the slow way ---- */

typedef struct {
    uint64_t rows[PAIRS][WORDS]; /* by highest bit */
    bool used[PAIRS];
} basis;

/* Whether the vector is new. */
static bool add_vector(basis *b, uint64_t *vector) {
    for (int bit = PAIRS - 1; bit >= 0; bit--) {
        if (!(vector[bit / 64] >> (bit % 64) & 1))
            continue;
        if (!b->used[bit]) {
            memcpy(b->rows[bit], vector, sizeof b->rows[bit]);
            return b->used[bit] = true;
        }
        for (int w = 0; w < WORDS; w++)
            vector[w] ^= b->rows[bit][w];
    }
    return false;
}

static int pair_number(int low, int high) {
    return high * (high - 1) / 2 + low;
}

static void set_pair(uint64_t *vector, int low, int high) {
    int bit = pair_number(low, high);
    vector[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static dgm_summary_topology slow_topology(const incidence *m) {
    static basis boundaries;
    dgm_summary_topology t = {0};
    uint64_t kept[MOST_CLUSTERS];
    int count = 0, name[MOST_CLUSTERS], edges = 0, rank = 0;
    memset(boundaries.used, 0, sizeof boundaries.used);
    for (int c = 0; c < m->clusters; c++)
        if (m->members[c] && __builtin_popcountll(m->members[c]) >= m->min_size)
            kept[count++] = m->members[c];
    t.b0 = count;
    for (int i = 0; i < count; i++)
        name[i] = i;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            if (!(kept[i] & kept[j]))
                continue;
            edges++;
            int from = name[j], to = name[i];
            t.b0 -= from != to;
            for (int k = 0; k < count; k++)
                name[k] = name[k] == from ? to : name[k];
            for (int k = j + 1; k < count; k++) {
                uint64_t vector[WORDS] = {0};
                if (!(kept[i] & kept[j] & kept[k]))
                    continue;
                t.triangles++;
                set_pair(vector, i, j);
                set_pair(vector, i, k);
                set_pair(vector, j, k);
                rank += add_vector(&boundaries, vector);
            }
        }
    t.skeleton_loops = edges - count + t.b0;
    t.b1 = t.skeleton_loops - rank;
    return t;
}

/* ---- the library's ---- */

static dgm_summary_topology topology_of(const incidence *m, int threads) {
    dgm_graph_builder *builder = NULL;
    dgm_graph *graph = NULL;
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_SIMPLEX;
    options.cluster = DGM_CLUSTER_NONE;
    options.min_size = m->min_size;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, m->nodes), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_matrix_create(ctx, m->nodes, m->clusters, &lens), DGM_OK);
    double *values = dgm_matrix_values_mutable(lens);
    for (int u = 0; u < m->nodes; u++)
        for (int c = 0; c < m->clusters; c++)
            values[u * m->clusters + c] = (double)(m->members[c] >> u & 1);
    dgm_context_set_threads(ctx, threads);
    if (dgm_mapper_run(ctx, graph, lens, &options, &summary) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    dgm_context_set_threads(ctx, 1);
    dgm_summary_topology topology = dgm_summary_get_topology(summary);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    return topology;
}

static void assert_same_topology(int number, dgm_summary_topology found,
                                 dgm_summary_topology expected) {
    if (found.b0 != expected.b0 || found.b1 != expected.b1 ||
        found.triangles != expected.triangles || found.skeleton_loops != expected.skeleton_loops)
        fail_msg("case %d: b0 %lld b1 %lld, %lld triangles, %lld loops of the skeleton; not "
                 "%lld %lld, %lld, %lld",
                 number, (long long)found.b0, (long long)found.b1, (long long)found.triangles,
                 (long long)found.skeleton_loops, (long long)expected.b0, (long long)expected.b1,
                 (long long)expected.triangles, (long long)expected.skeleton_loops);
}

static void random_nerves_have_the_loops_that_dense_ranks_say(void **state) {
    (void)state;
    int with_loops = 0, without = 0;
    for (int number = 0; number < CASES; number++) {
        check_random random = check_random_case(seed, 1, number);
        incidence m = draw_incidence(&random);
        dgm_summary_topology expected = slow_topology(&m);
        for (int threads = 1; threads <= 3; threads++)
            assert_same_topology(number, topology_of(&m, threads), expected);
        with_loops += expected.b1 > 0 && expected.triangles > 0;
        without += expected.b1 == 0 && expected.skeleton_loops > 0;
    }
    assert_true(with_loops > CASES / 10); /* the draw is not a dull one */
    assert_true(without > CASES / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_nerves_have_the_loops_that_dense_ranks_say),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
