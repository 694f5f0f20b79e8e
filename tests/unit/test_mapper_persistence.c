/* SPDX-License-Identifier: Apache-2.0 */
/* Random towers, whose bars are those of dense ranks. */
#include "unit_fixture.h"

#include <math.h>

#include "../check_random.h"
#include "base_memory.h"
#include "mapper_tower.h"
#include "tower_sample.h"

/* Nodes on rings of their own, seen from the side or from above; or anything at all. */
static dgm_graph *random_graph(check_random *random, int64_t columns, double *lens, int *nodes) {
    uint32_t edges[200][2];
    *nodes = check_random_between(random, 1, 40);
    int ring = check_random_chance(random, 0.7) ? check_random_between(random, 8, 40) : 0,
        count = 0;
    for (int i = 0; i < *nodes; i++) {
        double turn = ring ? 6.283185307179586 * (i % ring) / ring : 0;
        for (int64_t k = 0; k < columns; k++)
            lens[i * columns + k] = ring ? k ? sin(turn) : cos(turn) + 1.5 * (i / ring)
                                         : (double)check_random_between(random, 0, 30);
        int next = i - i % (ring ? ring : 1) + (ring ? (i + 1) % ring : 0);
        if (ring && next < *nodes) {
            edges[count][0] = (uint32_t)i;
            edges[count++][1] = (uint32_t)next;
        }
    }
    for (int i = check_random_between(random, 0, ring ? 3 : 2 * *nodes); i > 0; i--, count++)
        for (int end = 0; end < 2; end++)
            edges[count][end] = (uint32_t)check_random_below(random, *nodes);
    return build_graph(NULL, *nodes, count, edges[0], NULL);
}

/* Fine to coarse: the intervals are divided, the overlap grows. */
static int random_covers(check_random *random, cover *covers) {
    int levels = check_random_between(random, 2, 6);
    covers[levels - 1] = (cover){check_random_between(random, 1, 4), 0};
    for (int i = levels - 2; i >= 0; i--)
        covers[i].intervals =
            covers[i + 1].intervals *
            (covers[i + 1].intervals < 8 ? check_random_between(random, 1, 3) : 1);
    covers[0].overlap = check_random_unit(random) * 0.5;
    for (int i = 1; i < levels; i++)
        covers[i].overlap =
            check_random_chance(random, 0.4)
                ? covers[i - 1].overlap + (0.9 - covers[i - 1].overlap) * check_random_unit(random)
                : covers[i - 1].overlap;
    return levels;
}

static void assert_bars_checked(const dgm_summary *const *summaries, const uint32_t *const *maps,
                                int levels, const dgm_bar *bars, int64_t count, int number) {
    check_tower_bars expected;
    int64_t found[2][MOST_LEVELS][MOST_LEVELS + 1] = {{{0}}};
    if (!check_tower(summaries, maps, levels, &expected))
        return;
    for (int64_t i = 0; i < count; i++)
        found[bars[i].dimension][bars[i].birth][bars[i].death < 0 ? levels : bars[i].death]++;
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < levels; i++)
            for (int j = i + 1; j <= levels; j++)
                if (found[d][i][j] != expected.bars[d][i][j])
                    fail_msg("case %d: %lld bars %d[%d,%d), the checker has %lld", number,
                             (long long)found[d][i][j], d, i, j, (long long)expected.bars[d][i][j]);
}

static void assert_checked(const built *b, int number, int64_t *with_loops) {
    const uint32_t *maps[MOST_LEVELS];
    int64_t runs;
    for (int i = 0; i + 1 < b->levels; i++) {
        dgm_step step = dgm_tower_get_step(b->tower, i);
        if (step.kind != DGM_STEP_REFINEMENT)
            fail_msg("case %d: step %d is no refinement", number, i);
        maps[i] = step.parent;
    }
    const dgm_tower_run *run = dgm_tower_runs(b->tower, &runs);
    assert_int_equal(runs, 1);
    for (int64_t i = 0; i < run->bar_count; i++)
        *with_loops += run->bars[i].dimension == 1;
    assert_bars_checked((const dgm_summary *const *)b->summaries, maps, b->levels, run->bars,
                        run->bar_count, number);
}

static void random_towers_have_the_bars_of_dense_ranks(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    int64_t with_loops = 0;
    for (int number = 0; number < 200; number++) {
        check_random random = check_random_case(seed, 1, number);
        int64_t columns = check_random_between(&random, 1, 2);
        double lens[80];
        cover covers[MOST_LEVELS];
        int nodes;
        dgm_graph *graph = random_graph(&random, columns, lens, &nodes);
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        options.cluster =
            check_random_chance(&random, 0.5) ? DGM_CLUSTER_NONE : DGM_CLUSTER_COMPONENTS;
        options.cover = check_random_chance(&random, 0.3) ? DGM_COVER_QUANTILE : DGM_COVER_UNIFORM;
        static const int rules[] = {DGM_RULE_GAIN,   DGM_RULE_GAIN,  DGM_RULE_DGM,
                                    DGM_RULE_KEPLER, DGM_RULE_GUDHI, DGM_RULE_MOG};
        options.rule = rules[check_random_below(&random, 6)];
        int levels = random_covers(&random, covers);
        built b = build_tower(graph, columns, lens, levels, covers, &options);
        assert_checked(&b, number, &with_loops);
        free_built(&b);
        dgm_graph_free(graph);
    }
    assert_true(with_loops > 10); /* else the cases say nothing */
}

/* Nodes are simplices. A vertex goes to any vertex of the next complex, and simplices grow there: a
 * simplicial map with much to be born and to die. */
static int random_complexes(check_random *random, dgm_summary **summaries,
                            uint32_t (*maps)[CHECK_TOWER_CLUSTERS]) {
    enum { NODES = 60, MOST_VERTICES = 16 };
    static double lens[MOST_LEVELS][NODES * MOST_VERTICES];
    int levels = check_random_between(random, 2, 6),
        nodes = check_random_between(random, MOST_VERTICES, NODES);
    int vertices = check_random_between(random, 6, MOST_VERTICES);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cover = DGM_COVER_SIMPLEX;
    options.cluster = DGM_CLUSTER_NONE;
    dgm_graph *graph = build_graph(NULL, nodes, 0, NULL, NULL);
    memset(lens, 0, sizeof lens);
    for (int i = 0; i < levels; i++) {
        int next = check_random_between(random, vertices > 4 ? vertices - 2 : 2, vertices);
        for (int x = 0; x < nodes; x++) { /* every vertex is there, so none changes its number */
            lens[i][x * vertices + x % vertices] += x < vertices;
            for (int more = check_random_below(random, i == 0 ? 3 : 20) % 3; more > 0; more--)
                lens[i][x * vertices + check_random_below(random, vertices)] = 1;
        }
        summaries[i] = map_graph(graph, vertices, lens[i], &options);
        for (int v = 0; v < vertices; v++)
            maps[i][v] = (uint32_t)(v < next ? v : check_random_below(random, next));
        for (int x = 0; i + 1 < levels && x < nodes; x++)
            for (int v = 0; v < vertices; v++)
                if (lens[i][x * vertices + v] > 0)
                    lens[i + 1][x * next + (int)maps[i][v]] = 1;
        vertices = next;
    }
    dgm_graph_free(graph);
    return levels;
}

static void random_simplicial_maps_have_the_bars_of_dense_ranks(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    int64_t loops[2] = {0}; /* that die, that do not */
    for (int number = 0; number < 200; number++) {
        check_random random = check_random_case(seed, 3, number);
        static uint32_t maps[MOST_LEVELS][CHECK_TOWER_CLUSTERS];
        const uint32_t *rows[MOST_LEVELS];
        built b = {.levels = 0};
        b.levels = random_complexes(&random, b.summaries, maps);
        const dgm_summary *const *summaries = (const dgm_summary *const *)b.summaries;
        dgmi_mapper_bars bars = {0};
        bool known;
        for (int i = 0; i < b.levels; i++)
            rows[i] = maps[i];
        assert_int_equal(dgmi_mapper_persistence(ctx, summaries, rows, b.levels, 0, &bars, &known),
                         DGM_OK);
        assert_true(known);
        assert_bars_checked(summaries, rows, b.levels, bars.list, bars.count, number);
        for (int64_t i = 0; i < bars.count; i++)
            loops[bars.list[i].death < 0] += bars.list[i].dimension;
        dgmi_free(ctx, bars.list);
        free_built(&b);
    }
    printf("# %lld loops die, %lld do not\n", (long long)loops[0], (long long)loops[1]);
    assert_true(loops[0] > 100 && loops[1] > 20); /* else the cases say nothing */
}

/* Whatever the clustering and the filters, a step that is called a refinement is one. */
static void what_is_called_a_refinement_is_one(void **state) {
    (void)state;
    uint64_t seed = check_random_seed();
    int kinds[2] = {0};
    for (int number = 0; number < 200; number++) {
        check_random random = check_random_case(seed, 2, number);
        double lens[80];
        cover covers[MOST_LEVELS];
        int nodes;
        dgm_graph *graph = random_graph(&random, 1, lens, &nodes);
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        options.cluster = check_random_below(&random, 4);
        options.min_size = check_random_between(&random, 1, 3);
        options.min_component = check_random_chance(&random, 0.5) ? 5 : 0;
        int levels = random_covers(&random, covers);
        built b = build_tower(graph, 1, lens, levels, covers, &options);
        for (int i = 0; i + 1 < levels; i++) {
            dgm_step step = dgm_tower_get_step(b.tower, i);
            dgm_summary_clusters fine = dgm_summary_get_clusters(b.summaries[i]);
            dgm_summary_clusters coarse = dgm_summary_get_clusters(b.summaries[i + 1]);
            kinds[step.kind]++;
            for (int64_t c = 0; c < fine.count; c++) {
                uint64_t inside = 0, around = 0;
                for (int64_t m = fine.offsets[c]; m < fine.offsets[c + 1]; m++)
                    inside |= UINT64_C(1) << fine.members[m];
                uint32_t p = step.parent[c];
                assert_true(p == DGM_NO_PARENT || p < coarse.count);
                for (int64_t m = p == DGM_NO_PARENT ? 0 : coarse.offsets[p];
                     p != DGM_NO_PARENT && m < coarse.offsets[p + 1]; m++)
                    around |= UINT64_C(1) << coarse.members[m];
                double share = (double)__builtin_popcountll(inside & around) /
                               (double)__builtin_popcountll(inside);
                assert_near(step.share[c], share, 0);
                assert_true(step.kind == DGM_STEP_MATCHING || share == 1);
            }
        }
        free_built(&b);
        dgm_graph_free(graph);
    }
    assert_true(kinds[0] > 20 && kinds[1] > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_towers_have_the_bars_of_dense_ranks),
        cmocka_unit_test(random_simplicial_maps_have_the_bars_of_dense_ranks),
        cmocka_unit_test(what_is_called_a_refinement_is_one),
    };
    return RUN_WITH_CONTEXT(tests);
}
