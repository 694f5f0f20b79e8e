/* SPDX-License-Identifier: Apache-2.0 */
/* Dust of a summary, against its definition. */
#include "dust_sample.h"

#include <stdlib.h>

#include "../check_random.h"
#include "mapper_dust.h"
#include "unit_faults.h"

static const dgmi_mapper_pile *pile_of(const dgmi_mapper_dust *dust, int64_t cluster) {
    uint32_t pile = dust->pile[cluster];
    return pile == DGMI_MAPPER_NO_PILE ? NULL : &dust->piles[pile];
}

/* ---- by hand ---- */

/* A large cluster with two single nodes and a chain of two, all of which hang on it; three single
 * nodes in four clusters, and a piece of three nodes. */
static void what_hangs_on_a_cluster_is_one_pile_and_pieces_are_others(void **state) {
    (void)state;
    dust_draft draft = {0};
    int64_t large = dust_cluster(&draft, 0, 9);
    int64_t one = dust_cluster(&draft, 0, 1), other = dust_cluster(&draft, 20, 1);
    int64_t near = dust_cluster(&draft, 30, 2), far = dust_cluster(&draft, 31, 2);
    int64_t single = dust_cluster(&draft, 40, 1);
    int64_t copy = dust_cluster(&draft, 40, 1);
    dust_cluster(&draft, 41, 1);
    dust_cluster(&draft, 42, 1);
    int64_t piece = dust_cluster(&draft, 50, 3);
    dust_join(&draft, large, one, 0.5);
    dust_join(&draft, large, other, 0.5);
    dust_join(&draft, large, near, 0.5);
    dust_join(&draft, near, far, 0.5);
    dust_join(&draft, single, copy, 0.5);
    dgm_summary *summary = dust_summary(&draft);
    dgmi_mapper_dust *dust;
    assert_int_equal(dgmi_mapper_dust_find(ctx, summary, 5, &dust), DGM_OK);
    assert_int_equal(dust->pile_count, 3);
    assert_null(pile_of(dust, large));
    const dgmi_mapper_pile *hanging = pile_of(dust, one), *nodes = pile_of(dust, single);
    assert_true(hanging == pile_of(dust, other) && hanging == pile_of(dust, far));
    assert_int_equal(hanging->kind, DGMI_MAPPER_PILE_HANGING);
    assert_true(hanging->host == large && hanging->first == one && !hanging->singles);
    assert_true(hanging->clusters == 4 && hanging->crumbs == 3 && hanging->nodes == 5);
    assert_int_equal(nodes->kind, DGMI_MAPPER_PILE_NODES);
    assert_true(nodes->clusters == 4 && nodes->crumbs == 3 && nodes->nodes == 3 && nodes->singles);
    assert_int_equal(pile_of(dust, piece)->kind, DGMI_MAPPER_PILE_PIECES);
    assert_true(pile_of(dust, piece)->crumbs == 1 && pile_of(dust, piece)->nodes == 3);
    assert_true(dust->clusters == 9 && dust->nodes == 10); /* 0 is in the large one, too */
    dgmi_mapper_dust_free(dust);
    dgm_summary_free(summary);
}

/* Three large clusters in a row and a small one that is joined with some of them. */
static void a_bridge_between_clusters_that_are_apart_is_no_dust(void **state) {
    (void)state;
    for (int ends = 0; ends < 2; ends++) {
        dust_draft draft = {0};
        for (int i = 0; i < 3; i++)
            dust_cluster(&draft, 10 * i, 6);
        int64_t small = dust_cluster(&draft, 100, 2);
        dust_join(&draft, 0, 1, 1);
        if (ends == 0)
            dust_join(&draft, 1, 2, 1);
        dust_join(&draft, 0, small, 0.25);
        dust_join(&draft, 1, small, 0.25);
        dust_join(&draft, 2, small, 0.5);
        dgm_summary *summary = dust_summary(&draft);
        dgmi_mapper_dust *dust;
        assert_int_equal(dgmi_mapper_dust_find(ctx, summary, 5, &dust), DGM_OK);
        if (ends == 0)
            assert_int_equal(pile_of(dust, small)->host, 2); /* the heaviest */
        else
            assert_null(dust); /* nothing else joins 2 with 0 and 1 */
        dgmi_mapper_dust_free(dust);
        dgm_summary_free(summary);
    }
}

/* Two large clusters that hang together, and two small ones of the same nodes that hang on both.
 * All edges between the crumb and a cluster count together; of equals the first is taken. */
static void a_crumb_hangs_on_the_cluster_with_the_most_weight(void **state) {
    (void)state;
    static const struct {
        double first, second, third; /* to 1, to 0, and to 1 again */
        uint32_t host;
    } cases[] = {{0.25, 0.5, 0.3, 1}, {0.25, 0.5, 0.25, 0}, {0.25, 0.5, 0.2, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        dust_draft draft = {0};
        dust_cluster(&draft, 0, 6);
        dust_cluster(&draft, 10, 6);
        int64_t near = dust_cluster(&draft, 100, 2), far = dust_cluster(&draft, 100, 2);
        dust_join(&draft, 0, 1, 1);
        dust_join(&draft, near, far, 1);
        dust_join(&draft, 1, near, cases[i].first);
        dust_join(&draft, 0, near, cases[i].second);
        dust_join(&draft, 1, far, cases[i].third);
        dgm_summary *summary = dust_summary(&draft);
        dgmi_mapper_dust *dust;
        assert_int_equal(dgmi_mapper_dust_find(ctx, summary, 5, &dust), DGM_OK);
        assert_int_equal(dust->pile_count, 1);
        assert_int_equal(dust->piles[0].kind, DGMI_MAPPER_PILE_HANGING);
        assert_int_equal(dust->piles[0].host, cases[i].host);
        dgmi_mapper_dust_free(dust);
        dgm_summary_free(summary);
    }
}

/* A chain of clusters of four nodes, each of which shares one with the next. */
static void a_branch_is_a_pile_of_its_own_until_it_is_long(void **state) {
    (void)state;
    for (int length = 1; length < 6; length++) {
        dust_draft draft = {0};
        dust_cluster(&draft, 0, 8);
        for (int i = 0; i < length; i++)
            dust_join(&draft, i, dust_cluster(&draft, 7 + 3 * i, 4), 1);
        dgm_summary *summary = dust_summary(&draft);
        dgmi_mapper_dust *dust;
        int64_t nodes = 1 + 3 * length;
        assert_int_equal(dgmi_mapper_dust_find(ctx, summary, 5, &dust), DGM_OK);
        if (nodes < 5)
            assert_int_equal(pile_of(dust, 1)->kind, DGMI_MAPPER_PILE_HANGING);
        else if (nodes < 10)
            assert_int_equal(pile_of(dust, 1)->kind, DGMI_MAPPER_PILE_CRUMB);
        else
            assert_null(dust);
        if (dust)
            assert_true(dust->piles[0].nodes == nodes && dust->piles[0].clusters == length);
        dgmi_mapper_dust_free(dust);
        dgm_summary_free(summary);
    }
}

static void where_nothing_else_would_be_left_there_is_no_dust(void **state) {
    (void)state;
    dust_draft draft = {0};
    dgmi_mapper_dust *dust;
    for (int clusters = 0; clusters < 4; clusters++) {
        dgm_summary *summary = dust_summary(&draft);
        assert_int_equal(dgmi_mapper_dust_find(ctx, summary, 5, &dust), DGM_OK);
        assert_null(dust);
        dgm_summary_free(summary);
        dust_cluster(&draft, 10 * clusters, 1 + clusters);
    }
    dust_cluster(&draft, 100, 5);
    dgm_summary *summary = dust_summary(&draft);
    assert_int_equal(dgmi_mapper_dust_find(ctx, summary, 5, &dust), DGM_OK);
    assert_int_equal(dust->clusters, 4);
    dgmi_mapper_dust_free(dust);
    assert_int_equal(dgmi_mapper_dust_find(ctx, summary, 1, &dust), DGM_OK);
    assert_null(dust); /* no cluster has fewer than one node */
    dgm_summary_free(summary);
}

/* Of nodes that are not known each membership counts: two clusters of two nodes, which may be the
 * same, have four. */
static void members_that_are_not_known_count_in_each_cluster(void **state) {
    (void)state;
    dust_draft draft = {0};
    dust_cluster(&draft, 0, 6);
    dust_join(&draft, dust_cluster(&draft, 10, 2), dust_cluster(&draft, 10, 2), 1);
    dust_cluster(&draft, 10, 1);
    for (int known = 0; known < 2; known++) {
        dgm_summary *summary = dust_summary(&draft);
        dgmi_mapper_dust *dust;
        if (!known) {
            dgmi_free(ctx, summary->members);
            summary->members = NULL;
        }
        assert_int_equal(dgmi_mapper_dust_find(ctx, summary, 5, &dust), DGM_OK);
        assert_int_equal(dust->least, 5);
        assert_int_equal(dust->pile_count, 2);
        assert_int_equal(pile_of(dust, 1)->nodes, known ? 2 : 4);
        assert_int_equal(pile_of(dust, 3)->nodes, 1);
        assert_int_equal(dust->nodes, known ? 2 : 5);
        dgmi_mapper_dust_free(dust);
        assert_int_equal(dgmi_mapper_dust_find(ctx, summary, 4, &dust), DGM_OK);
        assert_int_equal(pile_of(dust, 1)->kind,
                         known ? DGMI_MAPPER_PILE_PIECES : DGMI_MAPPER_PILE_CRUMB);
        dgmi_mapper_dust_free(dust);
        dgm_summary_free(summary);
    }
}

/* A thousand clusters can be seen, and one more cannot. */
static void a_summary_that_is_all_dust_is_folded_above_1000_clusters(void **state) {
    (void)state;
    for (int64_t clusters = 1000; clusters <= 1001; clusters++) {
        dgmi_mapper_dust *dust;
        dgm_summary *summary;
        assert_int_equal(dgmi_mapper_summary_create(ctx, &summary), DGM_OK);
        summary->nodes = summary->clusters = clusters;
        summary->offsets = dgmi_alloc(ctx, clusters + 1, sizeof *summary->offsets);
        summary->members = dgmi_alloc(ctx, clusters, sizeof *summary->members);
        for (int64_t c = 0; c <= clusters; c++)
            summary->offsets[c] = c;
        for (int64_t c = 0; c < clusters; c++)
            summary->members[c] = (uint32_t)c;
        assert_int_equal(dgmi_mapper_dust_find(ctx, summary, 5, &dust), DGM_OK);
        assert_int_equal(dust != NULL, clusters > 1000);
        if (dust)
            assert_true(dust->pile_count == 1 && dust->piles[0].crumbs == 1001);
        dgmi_mapper_dust_free(dust);
        dgm_summary_free(summary);
    }
}

/* The ledger is written where it is of another size, and forgets dust that is none any more. */
static void the_ledger_tells_the_dust_of_one_size(void **state) {
    (void)state;
    dust_draft draft = {0};
    dust_cluster(&draft, 0, 6);
    dust_cluster(&draft, 10, 2);
    dust_cluster(&draft, 20, 4);
    dgm_summary *summary = dust_summary(&draft);
    static const int64_t cases[][4] = {{3, 3, 1, 2}, {5, 5, 2, 6}, {2, 0, 0, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(dgmi_mapper_dust_count(ctx, summary, cases[i][0]), DGM_OK);
        assert_int_equal(summary->coverage.dust_size, cases[i][1]);
        assert_int_equal(summary->coverage.dust_clusters, cases[i][2]);
        assert_int_equal(summary->coverage.dust_nodes, cases[i][3]);
    }
    summary->coverage.dust_size = 5; /* it says so already */
    assert_int_equal(dgmi_mapper_dust_count(ctx, summary, 5), DGM_OK);
    assert_int_equal(summary->coverage.dust_clusters, 0);
    dgm_summary_free(summary);
}

/* ---- by definition ---- */

static dust_draft random_draft(check_random *random) {
    dust_draft draft = {0};
    int clusters = check_random_between(random, 1, 30), nodes = check_random_between(random, 5, 90);
    double chance = check_random_unit(random) * 0.25;
    for (int c = 0; c < clusters; c++)
        dust_cluster(&draft, check_random_below(random, nodes),
                     check_random_chance(random, 0.25) ? check_random_between(random, 5, 9)
                                                       : check_random_between(random, 1, 4));
    for (int a = 0; a < clusters; a++)
        for (int b = a + 1; b < clusters; b++)
            if (check_random_chance(random, chance))
                dust_join(&draft, a, b, check_random_between(random, 1, 4) / 4.0);
    return draft;
}

typedef struct {
    const dust_draft *draft;
    int64_t least;
    double weight[DUST_CLUSTERS][DUST_CLUSTERS]; /* 0: not joined */
    bool crumb[DUST_CLUSTERS][DUST_CLUSTERS];    /* small and connected by small ones */
} naive;

static bool is_small(const naive *n, int64_t c) {
    return dust_size(n->draft, c) < n->least;
}

/* Warshall's closure over the clusters that `in` names. */
static void close_over(const naive *n, const bool *in, bool reach[DUST_CLUSTERS][DUST_CLUSTERS]) {
    int64_t count = n->draft->clusters;
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b < count; b++)
            reach[a][b] = in[a] && in[b] && (a == b || n->weight[a][b] > 0);
    for (int64_t k = 0; k < count; k++)
        for (int64_t a = 0; a < count; a++)
            for (int64_t b = 0; b < count; b++)
                reach[a][b] = reach[a][b] || (reach[a][k] && reach[k][b]);
}

/* The different nodes of these clusters that lie in none of the others; `besides` may be NULL. */
static int64_t nodes_of(const naive *n, const bool *clusters, const bool *besides) {
    bool seen[200] = {false};
    int64_t count = 0;
    for (int64_t c = 0; c < n->draft->clusters; c++)
        for (int i = 0; besides && besides[c] && n->draft->members[c][i] >= 0; i++)
            seen[n->draft->members[c][i]] = true;
    for (int64_t c = 0; c < n->draft->clusters; c++)
        for (int i = 0; clusters[c] && n->draft->members[c][i] >= 0; i++) {
            count += !seen[n->draft->members[c][i]];
            seen[n->draft->members[c][i]] = true;
        }
    return count;
}

/* Which pile a small cluster belongs to: -1 none, -2 single nodes, -3 pieces, below 100 that of a
 * host, and from 100 that of its crumb, by the first cluster. */
static int64_t expected_pile(const naive *n, int64_t cluster) {
    int64_t count = n->draft->clusters, hosts = 0, first = -1, best = -1, clusters = 0;
    bool held_by[DUST_CLUSTERS] = {false}, reach[DUST_CLUSTERS][DUST_CLUSTERS];
    double weight[DUST_CLUSTERS] = {0};
    for (int64_t c = 0; c < count; c++)
        for (int64_t h = 0; n->crumb[cluster][c] && h < count; h++)
            if (n->weight[c][h] > 0 && !is_small(n, h)) {
                held_by[h] = true;
                weight[h] += n->weight[c][h];
            }
    close_over(n, held_by, reach);
    bool together = true;
    for (int64_t h = 0; h < count; h++) {
        hosts += held_by[h];
        if (held_by[h] && (best < 0 || weight[h] > weight[best]))
            best = h;
        for (int64_t g = 0; g < count; g++)
            together = together && (!held_by[h] || !held_by[g] || reach[h][g]);
    }
    for (int64_t c = count; c-- > 0;)
        if (n->crumb[cluster][c]) {
            first = c;
            clusters++;
        }
    int64_t nodes = nodes_of(n, n->crumb[cluster], NULL);
    if (nodes < n->least && hosts == 0)
        return nodes == 1 ? -2 : -3;
    if (nodes < n->least && together)
        return best;
    return clusters > 1 && nodes < 2 * n->least ? 100 + first : -1;
}

static void check_against_definition(const dust_draft *draft, int64_t least, bool named) {
    naive *n = calloc(1, sizeof *n);
    bool small[DUST_CLUSTERS] = {false}, dusty[DUST_CLUSTERS] = {false};
    bool shown[DUST_CLUSTERS] = {false};
    int64_t piles[DUST_CLUSTERS], count = draft->clusters, folded = 0;
    *n = (naive){.draft = draft, .least = least};
    for (int64_t e = 0; e < draft->edges; e++)
        n->weight[draft->ends[e][0]][draft->ends[e][1]] =
            n->weight[draft->ends[e][1]][draft->ends[e][0]] = draft->weights[e];
    for (int64_t c = 0; c < count; c++)
        small[c] = is_small(n, c);
    close_over(n, small, n->crumb);
    for (int64_t c = 0; c < count; c++) {
        piles[c] = small[c] ? expected_pile(n, c) : -1;
        dusty[c] = piles[c] != -1;
        shown[c] = !dusty[c];
        folded += dusty[c];
    }
    dgm_summary *summary = dust_summary(draft);
    dgmi_mapper_dust *dust;
    if (named)
        dust_name_members(summary);
    assert_int_equal(dgmi_mapper_dust_find(ctx, summary, least, &dust), DGM_OK);
    assert_int_equal(dust != NULL, folded > 0 && folded < count);
    if (dust) {
        assert_int_equal(dust->clusters, folded);
        assert_int_equal(dust->nodes, nodes_of(n, dusty, shown));
    }
    for (int64_t a = 0; dust && a < count; a++) {
        bool mine[DUST_CLUSTERS] = {false};
        int64_t first = -1;
        assert_int_equal(dust->pile[a] != DGMI_MAPPER_NO_PILE, dusty[a]);
        for (int64_t b = count; b-- > 0;) {
            mine[b] = dusty[a] && piles[a] == piles[b];
            assert_int_equal(mine[b], dusty[a] && dust->pile[a] == dust->pile[b]);
            first = mine[b] ? b : first;
        }
        if (dusty[a]) {
            assert_int_equal(pile_of(dust, a)->nodes, nodes_of(n, mine, NULL));
            assert_int_equal(pile_of(dust, a)->first, first);
        }
    }
    dgmi_mapper_dust_free(dust);
    dgm_summary_free(summary);
    free(n);
}

static void dust_is_what_its_definition_says(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    for (int k = 0; k < 400; k++) {
        check_random random = check_random_case(seed, 1, k);
        dust_draft draft = random_draft(&random);
        check_against_definition(&draft, check_random_between(&random, 1, 7), k % 2);
    }
}

/* ---- memory ---- */

static dgm_status find_dust(dgm_context *own, void *summary) {
    dgmi_mapper_dust *dust;
    dgm_status status = dgmi_mapper_dust_find(own, summary, 5, &dust);
    dgmi_mapper_dust_free(dust);
    return status;
}

static void failing_allocations_leave_nothing(void **state) {
    (void)state;
    check_random random = check_random_case(7, 2, 3);
    dust_draft draft = random_draft(&random);
    for (int named = 0; named < 2; named++) {
        dgm_summary *summary = dust_summary(&draft);
        if (named)
            dust_name_members(summary);
        fail_each_allocation(find_dust, summary);
        dgm_summary_free(summary);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_hangs_on_a_cluster_is_one_pile_and_pieces_are_others),
        cmocka_unit_test(a_bridge_between_clusters_that_are_apart_is_no_dust),
        cmocka_unit_test(a_crumb_hangs_on_the_cluster_with_the_most_weight),
        cmocka_unit_test(a_branch_is_a_pile_of_its_own_until_it_is_long),
        cmocka_unit_test(where_nothing_else_would_be_left_there_is_no_dust),
        cmocka_unit_test(members_that_are_not_known_count_in_each_cluster),
        cmocka_unit_test(a_summary_that_is_all_dust_is_folded_above_1000_clusters),
        cmocka_unit_test(the_ledger_tells_the_dust_of_one_size),
        cmocka_unit_test(dust_is_what_its_definition_says),
        cmocka_unit_test(failing_allocations_leave_nothing),
    };
    return RUN_WITH_CONTEXT(tests);
}
