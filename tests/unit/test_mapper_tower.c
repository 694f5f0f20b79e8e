/* SPDX-License-Identifier: Apache-2.0 */
/* Towers whose bars are known. */
#include "mapper_sample.h"

#include "../check_memory.h"
#include "tower_sample.h"
#include "unit_progress.h"

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

/* ---- what nests ---- */

/* The step between two summaries of sixteen nodes without edges, through a lens of two columns. */
static dgm_step_kind kind_between(const dgm_mapper_options *fine,
                                  const dgm_mapper_options *coarse) {
    double lens[32];
    for (int u = 0; u < 16; u++) {
        lens[2 * u] = u;
        lens[2 * u + 1] = u * 5 % 16;
    }
    dgm_graph *graph = build_graph(NULL, 16, 0, NULL, NULL);
    dgm_summary *pair[] = {map_graph(graph, 2, lens, fine), map_graph(graph, 2, lens, coarse)};
    dgm_tower *tower;
    assert_int_equal(dgm_tower_create(ctx, (const dgm_summary *const *)pair, 2, &tower), DGM_OK);
    dgm_step_kind kind = dgm_tower_get_step(tower, 0).kind;
    dgm_tower_free(tower);
    dgm_summary_free(pair[0]);
    dgm_summary_free(pair[1]);
    dgm_graph_free(graph);
    return kind;
}

/* The coarse cover has one cell, which has all nodes, but for the first two cases. */
static void adaptive_cells_that_are_cut_further_nest(void **state) {
    (void)state;
    static const struct {
        int fine_cover, coarse_cover;
        int64_t fine_size, coarse_size;
        double overlap[2]; /* of the coarse cover; the fine one has 0.2 twice */
        dgm_step_kind kind;
    } cases[] = {{DGM_COVER_ADAPTIVE, DGM_COVER_ADAPTIVE, 4, 8, {0.2, 0.2}, DGM_STEP_REFINEMENT},
                 {DGM_COVER_ADAPTIVE, DGM_COVER_ADAPTIVE, 4, 4, {0.2, 0.2}, DGM_STEP_REFINEMENT},
                 {DGM_COVER_ADAPTIVE, DGM_COVER_ADAPTIVE, 4, 100, {0.2, 0.2}, DGM_STEP_REFINEMENT},
                 {DGM_COVER_ADAPTIVE, DGM_COVER_ADAPTIVE, 4, 100, {0.3, 0.2}, DGM_STEP_MATCHING},
                 {DGM_COVER_ADAPTIVE, DGM_COVER_ADAPTIVE, 4, 100, {0.2, 0.3}, DGM_STEP_MATCHING},
                 {DGM_COVER_ADAPTIVE, DGM_COVER_ADAPTIVE, 101, 100, {0.2, 0.2}, DGM_STEP_MATCHING},
                 {DGM_COVER_ADAPTIVE, DGM_COVER_UNIFORM, 4, 100, {0.2, 0.2}, DGM_STEP_MATCHING},
                 {DGM_COVER_UNIFORM, DGM_COVER_ADAPTIVE, 4, 100, {0.2, 0.2}, DGM_STEP_MATCHING}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        dgm_mapper_options fine = DGM_MAPPER_OPTIONS_INIT;
        fine.cluster = DGM_CLUSTER_NONE;
        fine.overlap[1] = 0.2;
        fine.intervals[0] = 1;
        dgm_mapper_options coarse = fine;
        fine.cover = cases[i].fine_cover;
        fine.cell_size = cases[i].fine_size;
        coarse.cover = cases[i].coarse_cover;
        coarse.cell_size = cases[i].coarse_size;
        coarse.overlap[0] = cases[i].overlap[0];
        coarse.overlap[1] = cases[i].overlap[1];
        assert_int_equal(kind_between(&fine, &coarse), cases[i].kind);
    }
}

/* The clusters are alike or in each other; that alone is no refinement. */
static void cells_nest_by_their_cover_and_clusters_by_their_members(void **state) {
    (void)state;
    dgm_mapper_options one = DGM_MAPPER_OPTIONS_INIT;
    one.cluster = DGM_CLUSTER_NONE;
    one.intervals[0] = 1;
    dgm_mapper_options other = one;
    assert_int_equal(kind_between(&one, &other), DGM_STEP_REFINEMENT);
    other.cover = DGM_COVER_QUANTILE; /* one cell as well */
    assert_int_equal(kind_between(&one, &other), DGM_STEP_MATCHING);
    other = one;
    other.overlap[0] = 0.1; /* no less is allowed */
    assert_int_equal(kind_between(&one, &other), DGM_STEP_MATCHING);
    other = one;
    other.cluster = DGM_CLUSTER_COMPONENTS; /* no node has another one in its cluster */
    assert_int_equal(kind_between(&one, &other), DGM_STEP_MATCHING);
    assert_int_equal(kind_between(&other, &one), DGM_STEP_REFINEMENT);
}

/* The coarse clusters are {0 2} and {1}: neither has all three nodes. */
static void every_member_must_be_in_the_parent(void **state) {
    (void)state;
    static const double lens[] = {0, 1, 2};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 1;
    options.cluster = DGM_CLUSTER_NONE;
    dgm_graph *graph = build_graph(NULL, 3, 1, (const uint32_t[]){0, 2}, NULL);
    dgm_summary *pair[2] = {map_graph(graph, 1, lens, &options)};
    options.cluster = DGM_CLUSTER_COMPONENTS;
    pair[1] = map_graph(graph, 1, lens, &options);
    assert_clusters(pair[1], "0 2|1");
    dgm_tower *tower;
    assert_int_equal(dgm_tower_create(ctx, (const dgm_summary *const *)pair, 2, &tower), DGM_OK);
    assert_int_equal(dgm_tower_get_step(tower, 0).kind, DGM_STEP_MATCHING);
    assert_int_equal(dgm_tower_get_step(tower, 0).parent[0], 0);
    assert_near(dgm_tower_get_step(tower, 0).share[0], 2.0 / 3, 1e-15);
    dgm_tower_free(tower);
    dgm_summary_free(pair[0]);
    dgm_summary_free(pair[1]);
    dgm_graph_free(graph);
}

/* Cell (i, j) of six times four lies in (i / 3, j / 2) of two times two. */
static void a_cell_lies_in_another_on_both_axes(void **state) {
    (void)state;
    double lens[2 * 144];
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.cluster = DGM_CLUSTER_NONE;
    dgm_graph *graph = build_graph(NULL, 144, 0, NULL, NULL);
    for (int u = 0; u < 144; u++) {
        lens[2 * u] = u / 12;
        lens[2 * u + 1] = u % 12;
    }
    options.intervals[0] = 6;
    options.intervals[1] = 4;
    dgm_summary *pair[2] = {map_graph(graph, 2, lens, &options)};
    options.intervals[0] = options.intervals[1] = 2;
    pair[1] = map_graph(graph, 2, lens, &options);
    dgm_tower *tower;
    assert_int_equal(dgm_tower_create(ctx, (const dgm_summary *const *)pair, 2, &tower), DGM_OK);
    dgm_step step = dgm_tower_get_step(tower, 0);
    dgm_summary_clusters from = dgm_summary_get_clusters(pair[0]);
    dgm_summary_clusters to = dgm_summary_get_clusters(pair[1]);
    assert_int_equal(step.kind, DGM_STEP_REFINEMENT);
    assert_true(step.fine == 24 && step.coarse == 4 && from.axes == 2);
    for (int64_t c = 0; c < step.fine; c++) {
        assert_int_equal(to.cells[2 * step.parent[c]], from.cells[2 * c] / 3);
        assert_int_equal(to.cells[2 * step.parent[c] + 1], from.cells[2 * c + 1] / 2);
    }
    dgm_tower_free(tower);
    dgm_summary_free(pair[0]);
    dgm_summary_free(pair[1]);
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

/* 300 circles side by side: 300 loops are followed, 256 of them between two reports. */
static void following_many_loops_is_told(void **state) {
    (void)state;
    enum { CIRCLES = 300, TOP = 6 };
    static uint32_t edges[2 * TOP * CIRCLES][2];
    static double lens[2 * TOP * CIRCLES];
    int64_t count = 0;
    for (uint32_t i = 0; i < CIRCLES; i++)
        count = add_circle(edges, count, 2 * TOP * i, TOP, 0, lens);
    dgm_graph *graph = build_graph(NULL, 2 * TOP * CIRCLES, count, edges[0], NULL);
    static const cover covers[] = {{4, 0.5}, {4, 0.6}};
    hear_progress();
    built b = build_tower(graph, 1, lens, 2, covers, NULL);
    hear_no_more();
    assert_bars(&b, "0[0,-)x300 1[0,-)x300");
    assert_int_equal(reports_of("following loops"), 2);
    for (int64_t i = 0, seen = 0; i < heard_count; i++)
        if (strcmp(heard_reports[i].stage, "following loops") == 0)
            assert_near(heard_reports[i].fraction, 256.0 / CIRCLES * (double)seen++, 1e-15);
    free_built(&b);
    dgm_graph_free(graph);
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
        cmocka_unit_test(adaptive_cells_that_are_cut_further_nest),
        cmocka_unit_test(cells_nest_by_their_cover_and_clusters_by_their_members),
        cmocka_unit_test(every_member_must_be_in_the_parent),
        cmocka_unit_test(a_cell_lies_in_another_on_both_axes),
        cmocka_unit_test(a_summary_without_clusters_has_no_bars),
        cmocka_unit_test(above_the_limit_of_triangles_only_pieces_are_followed),
        cmocka_unit_test(following_many_loops_is_told),
        cmocka_unit_test(bars_do_not_depend_on_threads),
        cmocka_unit_test(every_failed_allocation_leaves_nothing_behind),
    };
    return RUN_WITH_CONTEXT(tests);
}
