/* SPDX-License-Identifier: Apache-2.0 */
/* Towers whose bars are known, and random ones against dense ranks. */
#include "mapper_sample.h"

#include <math.h>

#include "../check_memory.h"
#include "../check_random.h"
#include "../check_tower.h"
#include "base_memory.h"
#include "mapper_tower.h"

enum { MOST_LEVELS = CHECK_TOWER_LEVELS };

typedef struct {
    int64_t intervals;
    double overlap;
} cover;

typedef struct {
    int levels;
    dgm_summary *summaries[MOST_LEVELS];
    dgm_tower *tower;
} built;

static built build_tower(const dgm_graph *graph, int64_t columns, const double *lens, int levels,
                         const cover *covers, const dgm_mapper_options *base) {
    built b = {.levels = levels};
    for (int i = 0; i < levels; i++) {
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        if (base)
            options = *base;
        options.intervals[0] = covers[i].intervals;
        options.overlap[0] = covers[i].overlap;
        b.summaries[i] = map_graph(graph, columns, lens, &options);
    }
    if (dgm_tower_create(ctx, (const dgm_summary *const *)b.summaries, levels, &b.tower) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return b;
}

static void free_built(built *b) {
    for (int i = 0; i < b->levels; i++)
        dgm_summary_free(b->summaries[i]);
    dgm_tower_free(b->tower);
}

static bool same_bar(const dgm_bar *a, const dgm_bar *b) {
    return a->dimension == b->dimension && a->birth == b->birth && a->death == b->death;
}

/* Bars of a run as "0[0,-) 1[0,2)x3", those that are alike together. */
static const char *bars_text(const dgm_tower_run *run) {
    static char text[4096];
    size_t used = 0;
    text[0] = '\0';
    for (int64_t i = 0, next; i < run->bar_count; i = next) {
        dgm_bar bar = run->bars[i];
        for (next = i; next < run->bar_count && same_bar(&run->bars[next], &bar);)
            next++;
        char death[24] = "-", times[24] = "";
        if (bar.death >= 0)
            snprintf(death, sizeof death, "%lld", (long long)bar.death);
        if (next - i > 1)
            snprintf(times, sizeof times, "x%lld", (long long)(next - i));
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d[%lld,%s)%s", i ? " " : "",
                                 bar.dimension, (long long)bar.birth, death, times);
    }
    return text;
}

static void assert_bars(const built *b, const char *expected) {
    int64_t runs;
    const dgm_tower_run *run = dgm_tower_runs(b->tower, &runs);
    assert_int_equal(runs, 1);
    assert_int_equal(run->first, 0);
    assert_int_equal(run->last, b->levels - 1);
    assert_true(run->loops_known);
    assert_string_equal(bars_text(run), expected);
}

/* A circle of 2 * top nodes from `first` on, whose lowest is `low` high; heights are the lens. */
static int64_t add_circle(uint32_t (*edges)[2], int64_t count, uint32_t first, int64_t top,
                          double low, double *lens) {
    int64_t nodes = 2 * top;
    for (int64_t i = 0; i < nodes; i++) {
        edges[count][0] = first + (uint32_t)i;
        edges[count++][1] = first + (uint32_t)((i + 1) % nodes);
        lens[first + i] = low + (double)(i < top ? i : nodes - i);
    }
    return count;
}

static dgm_graph *circle(double *lens) {
    uint32_t edges[48][2];
    int64_t count = add_circle(edges, 0, 0, 24, 0, lens);
    return build_graph(NULL, 48, count, edges[0], NULL);
}

/* One interval of two has an arc on both sides: with two intervals the loop is gone. */
static void a_circle_keeps_its_loop_until_two_intervals_are_left(void **state) {
    (void)state;
    double lens[48];
    dgm_graph *graph = circle(lens);
    static const cover covers[] = {{8, 0.5}, {4, 0.5}, {2, 0.5}, {1, 0.5}};
    built b = build_tower(graph, 1, lens, 4, covers, NULL);
    assert_bars(&b, "0[0,-) 1[0,2)");
    free_built(&b);
    dgm_graph_free(graph);
}

/* Without overlap all clusters are apart: 2 * 8 - 2 pieces. */
static void a_loop_is_born_where_overlap_joins_its_pieces(void **state) {
    (void)state;
    double lens[48];
    dgm_graph *graph = circle(lens);
    static const cover covers[] = {{8, 0}, {8, 0.5}, {4, 0.5}, {2, 0.5}};
    built b = build_tower(graph, 1, lens, 4, covers, NULL);
    assert_bars(&b, "0[0,1)x13 0[0,-) 1[1,3)");
    free_built(&b);
    dgm_graph_free(graph);
}

static void a_path_is_one_piece_without_loops(void **state) {
    (void)state;
    uint32_t edges[47][2];
    double lens[48];
    for (uint32_t i = 0; i < 48; i++) {
        lens[i] = i;
        if (i < 47) {
            edges[i][0] = i;
            edges[i][1] = i + 1;
        }
    }
    dgm_graph *graph = build_graph(NULL, 48, 47, edges[0], NULL);
    static const cover covers[] = {{12, 0.5}, {4, 0.5}, {2, 0.5}, {2, 0.7}, {1, 0.7}};
    built b = build_tower(graph, 1, lens, 5, covers, NULL);
    assert_bars(&b, "0[0,-)");
    dgm_step step = dgm_tower_get_step(b.tower, 0);
    for (uint32_t c = 0; c < 12; c++) {
        assert_int_equal(step.parent[c], c / 3);
        assert_int_equal(step.children[c], c);
    }
    assert_int_equal(step.offsets[4], 12);
    free_built(&b);
    dgm_graph_free(graph);
}

/* A loop from 0 to 8 under one from 8 to 24. Of four intervals the first, [0, 9.6), has all of the
 * small one. */
static void of_a_figure_eight_the_smaller_loop_dies_first(void **state) {
    (void)state;
    uint32_t edges[64][2];
    double lens[64];
    int64_t count = add_circle(edges, 0, 0, 8, 0, lens);
    count = add_circle(edges, count, 16, 16, 8, lens);
    edges[count][0] = 8; /* both are 8 high */
    edges[count++][1] = 16;
    dgm_graph *graph = build_graph(NULL, 48, count, edges[0], NULL);
    static const cover covers[] = {{16, 0.5}, {8, 0.5}, {4, 0.5}, {2, 0.5}};
    built b = build_tower(graph, 1, lens, 4, covers, NULL);
    assert_bars(&b, "0[0,-) 1[0,2) 1[0,3)");
    dgm_mapper_options structural = DGM_MAPPER_OPTIONS_INIT;
    structural.edges = DGM_EDGES_STRUCTURAL;
    built s = build_tower(graph, 1, lens, 4, covers, &structural);
    assert_bars(&s, "0[0,-) 1[0,2) 1[0,3)"); /* the nerve counts, whatever the edges */
    free_built(&s);
    free_built(&b);
    dgm_graph_free(graph);
}

static void steps_that_do_not_nest_are_matchings(void **state) {
    (void)state;
    double lens[48];
    dgm_graph *graph = circle(lens);
    static const cover covers[] = {{10, 0.5}, {5, 0.5}, {4, 0.5}, {4, 0.4}, {2, 0.4}, {1, 0.4}};
    built b = build_tower(graph, 1, lens, 6, covers, NULL);
    static const dgm_step_kind kinds[] = {DGM_STEP_REFINEMENT, DGM_STEP_MATCHING, DGM_STEP_MATCHING,
                                          DGM_STEP_REFINEMENT, DGM_STEP_REFINEMENT};
    for (int i = 0; i < 5; i++)
        assert_int_equal(dgm_tower_get_step(b.tower, i).kind, kinds[i]);
    int64_t runs;
    const dgm_tower_run *run = dgm_tower_runs(b.tower, &runs);
    assert_int_equal(runs, 2);
    assert_int_equal(run[0].last, 1);
    assert_string_equal(bars_text(&run[0]), "0[0,-) 1[0,-)");
    assert_int_equal(run[1].first, 3);
    assert_string_equal(bars_text(&run[1]), "0[3,-) 1[3,4)");
    free_built(&b);
    dgm_graph_free(graph);
}

/* Clusters {0 1 2 3} {4 5 6 7} against {0 1} {2 3 4} {5 6 7}: 0 has two in both, and takes the
 * first; 1 has three in the last. */
static void a_matching_takes_the_largest_overlap_and_the_smaller_of_equals(void **state) {
    (void)state;
    static const double lens[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const dgm_interval two[] = {{0, 3.5}, {3.5, 7}};
    static const dgm_interval three[] = {{0, 1.5}, {1.5, 4.5}, {4.5, 7}};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cluster = DGM_CLUSTER_NONE;
    options.cover = DGM_COVER_INTERVALS;
    dgm_graph *graph = build_graph(NULL, 8, 0, NULL, NULL);
    const dgm_summary *pair[2];
    options.given = two;
    options.given_count = 2;
    pair[0] = map_graph(graph, 1, lens, &options);
    options.given = three;
    options.given_count = 3;
    pair[1] = map_graph(graph, 1, lens, &options);
    dgm_tower *tower;
    assert_int_equal(dgm_tower_create(ctx, pair, 2, &tower), DGM_OK);
    dgm_step step = dgm_tower_get_step(tower, 0);
    assert_int_equal(step.kind, DGM_STEP_MATCHING);
    assert_int_equal(step.parent[0], 0);
    assert_int_equal(step.parent[1], 2);
    assert_near(step.share[0], 0.5, 0);
    assert_near(step.share[1], 0.75, 0);
    assert_int_equal(step.offsets[1], 1); /* the middle one has no children */
    assert_int_equal(step.offsets[2], 1);
    int64_t runs;
    dgm_tower_runs(tower, &runs);
    assert_int_equal(runs, 0);
    dgm_tower_free(tower);
    dgm_summary_free((dgm_summary *)pair[0]);
    dgm_summary_free((dgm_summary *)pair[1]);
    dgm_graph_free(graph);
}

/* The cells nest, but the fine clusters' parents may have been dropped. */
static void what_a_filter_breaks_is_no_refinement(void **state) {
    (void)state;
    double lens[50];
    uint32_t edges[50][2];
    int64_t count = add_circle(edges, 0, 0, 24, 0, lens);
    edges[count][0] = 48; /* a piece of two nodes beside the circle */
    edges[count++][1] = 49;
    lens[48] = 4;
    lens[49] = 5;
    dgm_graph *graph = build_graph(NULL, 50, count, edges[0], NULL);
    static const cover covers[] = {{8, 0.5}, {4, 0.5}};
    built plain = build_tower(graph, 1, lens, 2, covers, NULL);
    assert_int_equal(dgm_tower_get_step(plain.tower, 0).kind, DGM_STEP_REFINEMENT);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    const dgm_summary *pair[2] = {plain.summaries[0]};
    options.intervals[0] = 4;
    options.overlap[0] = 0.5;
    options.min_component = 10;
    pair[1] = map_graph(graph, 1, lens, &options);
    dgm_tower *tower;
    assert_int_equal(dgm_tower_create(ctx, pair, 2, &tower), DGM_OK);
    dgm_step step = dgm_tower_get_step(tower, 0);
    assert_int_equal(step.kind, DGM_STEP_MATCHING);
    int64_t lost = 0;
    for (int64_t c = 0; c < step.fine; c++) {
        lost += step.parent[c] == DGM_NO_PARENT;
        assert_near(step.share[c], step.parent[c] == DGM_NO_PARENT ? 0 : 1, 0);
    }
    assert_true(lost > 0);
    dgm_tower_free(tower);
    dgm_summary_free((dgm_summary *)pair[1]);
    free_built(&plain);
    dgm_graph_free(graph);
}

static void none_and_one_summary_are_towers_without_steps(void **state) {
    (void)state;
    double lens[48];
    dgm_graph *graph = circle(lens);
    static const cover covers[] = {{8, 0.5}};
    for (int levels = 0; levels < 2; levels++) {
        built b = build_tower(graph, 1, lens, levels, covers, NULL);
        int64_t runs;
        dgm_tower_runs(b.tower, &runs);
        assert_int_equal(dgm_tower_steps(b.tower), 0);
        assert_int_equal(runs, 0);
        free_built(&b);
    }
    dgm_graph_free(graph);
    dgm_tower_free(NULL);
}

/* Counts of nodes, of columns, and both ends of each column must agree. */
static void summaries_of_different_graphs_or_lenses_are_refused(void **state) {
    (void)state;
    static const double two[] = {0, 5, 1, 6, 2, 7}, lower[] = {-1, 1, 2}, higher[] = {0, 1, 3},
                        four[] = {0, 1, 1, 2}, one[] = {0, 1, 2};
    static const struct {
        int64_t nodes, columns;
        const double *lens;
    } others[] = {{3, 1, lower}, {3, 1, higher}, {4, 1, four}, {3, 2, two}};
    dgm_graph *graph = build_graph(NULL, 3, 0, NULL, NULL);
    dgm_summary *pair[2] = {map_graph(graph, 1, one, NULL)};
    for (int64_t i = 0; i < COUNT(others); i++) {
        dgm_graph *other = build_graph(NULL, others[i].nodes, 0, NULL, NULL);
        dgm_tower *tower;
        pair[1] = map_graph(other, others[i].columns, others[i].lens, NULL);
        ASSERT_FAILS(dgm_tower_create(ctx, (const dgm_summary *const *)pair, 2, &tower),
                     DGM_ERROR_USAGE, "a tower is of summaries of one graph through one lens");
        assert_null(tower);
        dgm_summary_free(pair[1]);
        dgm_graph_free(other);
    }
    dgm_tower *tower;
    ASSERT_FAILS(dgm_tower_create(ctx, (const dgm_summary *const *)pair, -1, &tower),
                 DGM_ERROR_USAGE, "a tower of -1 summaries is not possible");
    assert_null(tower);
    dgm_summary_free(pair[0]);
    dgm_graph_free(graph);
}

/* Cells nest only if they were cut alike: four of one kind are no refinement of two of another. */
static void covers_of_two_kinds_do_not_nest(void **state) {
    (void)state;
    double lens[48];
    dgm_graph *graph = circle(lens);
    static const struct {
        int cover, rule;
    } others[] = {{DGM_COVER_QUANTILE, DGM_RULE_GAIN}, {DGM_COVER_UNIFORM, DGM_RULE_KEPLER}};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.overlap[0] = 0.5;
    options.intervals[0] = 4;
    dgm_summary *pair[2] = {map_graph(graph, 1, lens, &options)};
    options.intervals[0] = 2;
    for (int64_t i = 0; i < COUNT(others); i++) {
        dgm_tower *tower;
        options.cover = others[i].cover;
        options.rule = others[i].rule;
        pair[1] = map_graph(graph, 1, lens, &options);
        assert_int_equal(dgm_tower_create(ctx, (const dgm_summary *const *)pair, 2, &tower),
                         DGM_OK);
        assert_int_equal(dgm_tower_get_step(tower, 0).kind, DGM_STEP_MATCHING);
        dgm_tower_free(tower);
        dgm_summary_free(pair[1]);
    }
    dgm_summary_free(pair[0]);
    dgm_graph_free(graph);
}

static void a_summary_without_clusters_has_no_bars(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 0, 0, NULL, NULL);
    static const cover covers[] = {{4, 0.5}, {2, 0.5}};
    built b = build_tower(graph, 1, NULL, 2, covers, NULL);
    assert_bars(&b, "");
    free_built(&b);
    dgm_graph_free(graph);
}

/* The middle node is in all 600 cells: a simplex of 36 million triangles. */
static void above_the_limit_of_triangles_only_pieces_are_followed(void **state) {
    (void)state;
    static const double lens[] = {0, 1, 2};
    dgm_graph *graph = build_graph(NULL, 3, 0, NULL, NULL);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cluster = DGM_CLUSTER_NONE;
    static const cover covers[] = {{600, 0.999}, {600, 0.9995}};
    built b = build_tower(graph, 1, lens, 2, covers, &options);
    int64_t runs;
    const dgm_tower_run *run = dgm_tower_runs(b.tower, &runs);
    assert_int_equal(dgm_summary_get_topology(b.summaries[0]).triangles, -1);
    assert_int_equal(runs, 1);
    assert_false(run->loops_known);
    assert_string_equal(bars_text(run), "0[0,-)");
    free_built(&b);
    dgm_graph_free(graph);
}

/* ---- against the checker ---- */

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

/* ---- threads and memory ---- */

static void bars_do_not_depend_on_threads(void **state) {
    (void)state;
    char first[4096] = "";
    for (int threads = 1; threads <= 4; threads++) {
        dgm_context_set_threads(ctx, threads);
        double lens[48];
        dgm_graph *graph = circle(lens);
        static const cover covers[] = {{16, 0.5}, {8, 0.5}, {8, 0.8}, {2, 0.9}};
        built b = build_tower(graph, 1, lens, 4, covers, NULL);
        int64_t runs;
        const dgm_tower_run *run = dgm_tower_runs(b.tower, &runs);
        if (threads == 1)
            snprintf(first, sizeof first, "%s", bars_text(run));
        assert_string_equal(bars_text(run), first);
        free_built(&b);
        dgm_graph_free(graph);
    }
    dgm_context_set_threads(ctx, 0);
}

static void every_failed_allocation_leaves_nothing_behind(void **state) {
    (void)state;
    double lens[96];
    uint32_t edges[48][2];
    add_circle(edges, 0, 0, 24, 0, lens);
    for (int i = 47; i >= 0; i--) { /* a second axis: triangles that do not all collapse */
        lens[2 * i] = lens[i];
        lens[2 * i + 1] = (i * 7) % 24;
    }
    dgm_graph *graph = build_graph(NULL, 48, 48, edges[0], NULL);
    static const cover covers[] = {{6, 0.3}, {3, 0.4}, {1, 0.5}};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cluster = DGM_CLUSTER_NONE;
    built b = build_tower(graph, 2, lens, 3, covers, &options);
    bool reached = true;
    for (int fail_at = 1; reached; fail_at++) {
        check_memory memory = {.fail_at = fail_at};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *poor;
        dgm_tower *tower = NULL;
        dgm_status status = dgm_context_create(&allocator, &poor);
        if (status == DGM_OK) {
            status = dgm_tower_create(poor, (const dgm_summary *const *)b.summaries, 3, &tower);
            assert_true(status == DGM_OK || !tower);
            dgm_tower_free(tower);
            dgm_context_free(poor);
        }
        assert_true(status == DGM_OK || status == DGM_ERROR_MEMORY);
        assert_int_equal(memory.blocks, 0);
        reached = memory.calls >= fail_at;
        assert_int_equal(status, reached ? DGM_ERROR_MEMORY : DGM_OK);
    }
    free_built(&b);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_keeps_its_loop_until_two_intervals_are_left),
        cmocka_unit_test(a_loop_is_born_where_overlap_joins_its_pieces),
        cmocka_unit_test(a_path_is_one_piece_without_loops),
        cmocka_unit_test(of_a_figure_eight_the_smaller_loop_dies_first),
        cmocka_unit_test(steps_that_do_not_nest_are_matchings),
        cmocka_unit_test(a_matching_takes_the_largest_overlap_and_the_smaller_of_equals),
        cmocka_unit_test(what_a_filter_breaks_is_no_refinement),
        cmocka_unit_test(none_and_one_summary_are_towers_without_steps),
        cmocka_unit_test(summaries_of_different_graphs_or_lenses_are_refused),
        cmocka_unit_test(covers_of_two_kinds_do_not_nest),
        cmocka_unit_test(a_summary_without_clusters_has_no_bars),
        cmocka_unit_test(above_the_limit_of_triangles_only_pieces_are_followed),
        cmocka_unit_test(random_towers_have_the_bars_of_dense_ranks),
        cmocka_unit_test(random_simplicial_maps_have_the_bars_of_dense_ranks),
        cmocka_unit_test(what_is_called_a_refinement_is_one),
        cmocka_unit_test(bars_do_not_depend_on_threads),
        cmocka_unit_test(every_failed_allocation_leaves_nothing_behind),
    };
    return RUN_WITH_CONTEXT(tests);
}
