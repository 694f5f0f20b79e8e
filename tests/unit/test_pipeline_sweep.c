/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of the karate club: the grid, its steps and towers, classes, refusals, memory. */
#include "unit_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include <math.h>

#include "../check_memory.h"
#include "pipeline_sweep.h"
#include "unit_faults.h"

static const int64_t intervals[] = {12, 3, 6};
static const double overlaps[] = {0.4, 0.2};
static const dgm_sweep_grid six = {intervals, 3, overlaps, 2};

static dgm_job karate(void) {
    dgm_job job;
    dgm_job_init(&job);
    job.graph = "karate";
    job.lenses[0] = "degree";
    job.lens_count = 1;
    return job;
}

static dgm_sweep *sweep_karate(const dgm_job *job, const dgm_sweep_grid *grid) {
    dgm_sweep *sweep;
    if (dgm_sweep_run(ctx, job, grid, &sweep) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return sweep;
}

static void panels_stand_in_rows_of_overlap_both_ascending(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &six);
    int64_t count;
    const dgm_sweep_panel *panels = dgm_sweep_panels(sweep, &count);
    static const int64_t expected[] = {3, 6, 12, 3, 6, 12};
    assert_int_equal(count, 6);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(panels[i].intervals, expected[i]);
        assert_near(panels[i].overlap, i < 3 ? 0.2 : 0.4, 0);
        const dgm_mapper_options *options = dgm_summary_options(panels[i].summary);
        assert_int_equal(options->intervals[0], expected[i]);
        assert_near(options->overlap[0], panels[i].overlap, 0);
    }
    dgm_sweep_free(sweep);
}

/* Rows 12 -> 6 -> 3 at each overlap, columns 0.2 -> 0.4 at each number of intervals. */
static void rows_and_columns_that_refine_are_towers(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &six);
    int64_t steps, towers;
    const dgm_sweep_step *step = dgm_sweep_steps(sweep, &steps);
    static const int64_t ends[][2] = {{2, 1}, {1, 0}, {5, 4}, {4, 3}, {0, 3}, {1, 4}, {2, 5}};
    assert_int_equal(steps, COUNT(ends));
    for (int64_t i = 0; i < steps; i++) {
        assert_int_equal(step[i].from, ends[i][0]);
        assert_int_equal(step[i].to, ends[i][1]);
        assert_int_equal(step[i].map.kind, DGM_STEP_REFINEMENT);
    }
    const dgm_sweep_tower *tower = dgm_sweep_towers(sweep, &towers);
    assert_int_equal(towers, 5);
    assert_int_equal(tower[0].count, 3);
    assert_int_equal(tower[0].panels[0], 2);
    assert_int_equal(tower[4].count, 2);
    dgm_sweep_free(sweep);
}

/* At every panel of a tower the bars that are alive are its Betti numbers. */
static void bars_add_up_to_the_betti_numbers(void **state) {
    (void)state;
    dgm_job job = karate();
    job.transforms[0] = DGM_TRANSFORM_RANK;
    job.transform_count = 1;
    dgm_sweep *sweep = sweep_karate(&job, &six);
    int64_t panels, towers;
    const dgm_sweep_panel *panel = dgm_sweep_panels(sweep, &panels);
    const dgm_sweep_tower *tower = dgm_sweep_towers(sweep, &towers);
    for (int64_t t = 0; t < towers; t++)
        for (int64_t i = 0; i < tower[t].count; i++) {
            int64_t alive[2] = {0};
            for (int64_t b = 0; b < tower[t].bar_count; b++) {
                dgm_bar bar = tower[t].bars[b];
                alive[bar.dimension] += bar.birth <= i && (bar.death < 0 || bar.death > i);
            }
            dgm_summary_topology topology =
                dgm_summary_get_topology(panel[tower[t].panels[i]].summary);
            assert_true(tower[t].loops_known);
            assert_int_equal(alive[0], topology.b0);
            assert_int_equal(alive[1], topology.b1);
        }
    dgm_sweep_free(sweep);
}

static void other_numbers_of_intervals_are_matchings(void **state) {
    (void)state;
    static const int64_t uneven[] = {5, 7};
    const dgm_sweep_grid grid = {uneven, 2, overlaps, 1};
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &grid);
    int64_t steps, towers;
    assert_int_equal(dgm_sweep_steps(sweep, &steps)[0].map.kind, DGM_STEP_MATCHING);
    assert_int_equal(steps, 1);
    dgm_sweep_towers(sweep, &towers);
    assert_int_equal(towers, 0);
    dgm_sweep_free(sweep);
}

/* Counted again by hand over the edges of each panel. */
static void edges_between_classes_are_counted_panel_by_panel(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &six);
    int64_t panels, pairs, joined = 0;
    const dgm_sweep_panel *panel = dgm_sweep_panels(sweep, &panels);
    const dgm_sweep_pair *pair = dgm_sweep_pairs(sweep, &pairs);
    const int32_t *labels = dgm_graph_labels(dgm_sweep_graph(sweep));
    assert_int_equal(pairs, 1);
    for (int64_t i = 0; i < panels; i++) {
        dgm_summary_clusters clusters = dgm_summary_get_clusters(panel[i].summary);
        int64_t edges, count = 0;
        const dgm_summary_edge *edge = dgm_summary_edges(panel[i].summary, &edges);
        for (int64_t e = 0; e < edges; e++) {
            bool second[2];
            for (int end = 0; end < 2; end++) {
                uint32_t c = end ? edge[e].target : edge[e].source;
                int64_t ones = 0;
                for (int64_t m = clusters.offsets[c]; m < clusters.offsets[c + 1]; m++)
                    ones += labels[clusters.members[m]];
                second[end] = 2 * ones > clusters.offsets[c + 1] - clusters.offsets[c];
            }
            count += second[0] != second[1];
        }
        assert_int_equal(pair->edges[i], count);
        joined += count > 0;
    }
    assert_int_equal(pair->joined, joined);
    dgm_sweep_free(sweep);
}

static char *json_of(const dgm_sweep *sweep) {
    char *text;
    size_t length;
    assert_int_equal(dgm_sweep_json(ctx, sweep, &text, &length), DGM_OK);
    assert_int_equal(strlen(text), length);
    return text;
}

/* The most frequent class of a cluster, the smallest of equals; -1: none. */
static int32_t class_of(const dgm_graph *graph, const dgm_summary_clusters *clusters, uint32_t c) {
    int32_t best = -1;
    int64_t most = 0;
    for (int32_t label = 0; label < dgm_graph_classes(graph); label++) {
        int64_t count = 0;
        for (int64_t m = clusters->offsets[c]; m < clusters->offsets[c + 1]; m++)
            count += dgm_graph_labels(graph)[clusters->members[m]] == label;
        best = count > most ? label : best;
        most = count > most ? count : most;
    }
    return best;
}

static int64_t edges_between(const dgm_sweep *sweep, int64_t panel, int32_t low, int32_t high) {
    int64_t panels, edges, count = 0;
    const dgm_summary *summary = dgm_sweep_panels(sweep, &panels)[panel].summary;
    dgm_summary_clusters clusters = dgm_summary_get_clusters(summary);
    const dgm_summary_edge *edge = dgm_summary_edges(summary, &edges);
    for (int64_t e = 0; e < edges; e++) {
        int32_t a = class_of(dgm_sweep_graph(sweep), &clusters, edge[e].source);
        int32_t b = class_of(dgm_sweep_graph(sweep), &clusters, edge[e].target);
        count += (a == low && b == high) || (a == high && b == low);
    }
    return count;
}

/* Every pair of classes that any panel joins stands once in the list: those that most panels join
 * first, equals by their classes. */
static void pairs_of_classes_stand_by_how_long_they_last(void **state) {
    (void)state;
    static const int64_t few[] = {4, 9};
    const dgm_sweep_grid grid = {few, 2, overlaps, 1};
    dgm_job job = karate();
    char labels[] = "/tmp/dgm-labels-XXXXXX";
    FILE *file = fdopen(mkstemp(labels), "w");
    assert_non_null(file);
    for (int u = 0; u < 34; u++)
        fprintf(file, "%d\n", u * u % 11);
    assert_int_equal(fclose(file), 0);
    job.labels = labels;
    dgm_sweep *sweep = sweep_karate(&job, &grid);
    remove(labels);
    int64_t count, found = 0, panels, same_low = 0, other_low = 0;
    const dgm_sweep_pair *pair = dgm_sweep_pairs(sweep, &count);
    dgm_sweep_panels(sweep, &panels);
    for (int64_t i = 1; i < count; i++) {
        const dgm_sweep_pair *p = &pair[i - 1], *q = &pair[i];
        assert_true(p->joined >= q->joined);
        if (p->joined > q->joined)
            continue;
        assert_true(p->low < q->low || (p->low == q->low && p->high < q->high));
        same_low += p->low == q->low;
        other_low += p->low != q->low;
    }
    assert_true(same_low > 0 && other_low > 0 && pair[0].joined > pair[count - 1].joined);
    for (int32_t high = 0; high < dgm_graph_classes(dgm_sweep_graph(sweep)); high++)
        for (int32_t low = 0; low < high; low++) {
            int64_t at = 0, joined = 0;
            while (at < count && (pair[at].low != low || pair[at].high != high))
                at++;
            for (int64_t panel = 0; panel < panels; panel++) {
                int64_t edges = edges_between(sweep, panel, low, high);
                assert_int_equal(at < count ? pair[at].edges[panel] : 0, edges);
                joined += edges > 0;
            }
            assert_int_equal(at < count ? pair[at].joined : 0, joined);
            found += at < count;
        }
    assert_int_equal(found, count);
    dgm_sweep_free(sweep);
}

/* Every point of a line says the pair, the panel and the edges between its classes. */
static void lines_go_through_the_numbers_of_edges(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &six);
    assert_int_equal(dgmi_pipeline_sweep_lay_out(ctx, &job, sweep), DGM_OK);
    dgm_figure *figure;
    char *svg, expected[128];
    size_t length;
    int64_t joined = 0;
    assert_int_equal(dgmi_pipeline_sweep_draw(ctx, &job, sweep, &figure), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    for (int64_t i = 0; i < sweep->panel_count; i++) {
        snprintf(expected, sizeof expected, "Mr. Hi \xe2\x80\x93 Officer, %d, %.4g: %d<",
                 (int)sweep->panels[i].intervals, sweep->panels[i].overlap,
                 (int)sweep->pairs[0].edges[i]);
        ASSERT_HAS(svg, expected);
        joined += sweep->pairs[0].edges[i] > 0;
    }
    assert_true(joined > 0);
    dgm_figure_bytes_free(ctx, svg);
    dgm_figure_free(figure);
    dgm_sweep_free(sweep);
}

static void the_same_bytes_come_out_for_any_number_of_threads(void **state) {
    (void)state;
    dgm_job job = karate();
    char *first = NULL;
    for (int threads = 1; threads <= 4; threads++) {
        dgm_context_set_threads(ctx, threads);
        dgm_sweep *sweep = sweep_karate(&job, &six);
        char *text = json_of(sweep);
        if (first)
            assert_string_equal(text, first);
        dgm_sweep_free(sweep);
        if (first)
            dgm_export_text_free(ctx, text);
        else
            first = text;
    }
    dgm_export_text_free(ctx, first);
    dgm_context_set_threads(ctx, 0);
}

/* 1 less the cosine between all edges of a panel and the same edges of another. */
static double turned(const dgm_sweep *sweep, int64_t panel, int64_t other) {
    dgm_places a = dgm_view_get_places(sweep->views[panel]);
    dgm_places b = dgm_view_get_places(sweep->views[other]);
    int64_t edges;
    const dgm_summary_edge *edge = dgm_summary_edges(sweep->summaries[panel], &edges);
    double both = 0, first = 0, second = 0;
    for (int64_t e = 0; e < edges; e++) {
        uint32_t s = edge[e].source, t = edge[e].target;
        double ax = a.x[t] - a.x[s], ay = a.y[t] - a.y[s];
        double bx = b.x[t] - b.x[s], by = b.y[t] - b.y[s];
        both += ax * bx + ay * by;
        first += ax * ax + ay * ay;
        second += bx * bx + by * by;
    }
    return 1 - both / sqrt(first * second);
}

/* An overlap that differs too little to see makes the same clusters again. They start from where
 * their nodes stood, so that edges point where they did. */
static void equal_panels_look_alike(void **state) {
    (void)state;
    static const double nearly[] = {0.2, 0.2000001, 0.2000002};
    for (int64_t cells = 4; cells <= 12; cells += 8) {
        const dgm_sweep_grid grid = {&cells, 1, nearly, 3};
        dgm_job job = karate();
        dgm_sweep *sweep = sweep_karate(&job, &grid);
        assert_int_equal(dgmi_pipeline_sweep_lay_out(ctx, &job, sweep), DGM_OK);
        dgm_summary_clusters a = dgm_summary_get_clusters(sweep->summaries[0]);
        dgm_summary_clusters b = dgm_summary_get_clusters(sweep->summaries[1]);
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.offsets, b.offsets, (size_t)(a.count + 1) * sizeof *a.offsets);
        assert_true(turned(sweep, 0, 1) < 0.05);
        assert_true(turned(sweep, 0, 2) < 0.05);
        dgm_sweep_free(sweep);
    }
}

/* The text of the figure, freed by the caller. */
static char *figure_of(const dgm_job *job, const dgm_sweep_grid *grid) {
    char path[] = "/tmp/dgm-sweep-XXXXXX.svg";
    int made = mkstemps(path, 4);
    assert_true(made >= 0);
    FILE *file = fdopen(made, "r");
    const char *outputs[] = {path};
    dgm_job drawn = *job;
    memcpy(drawn.outputs, outputs, sizeof outputs);
    drawn.output_count = 1;
    dgm_sweep_free(sweep_karate(&drawn, grid));
    assert_non_null(freopen(path, "r", file));
    char *text = calloc(1, 1 << 22);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 22) - 1, file) > 0);
    fclose(file);
    remove(path);
    return text;
}

/* Towers of two panels have bars too, and every panel has its place under the lines. */
static void figures_show_short_towers_and_all_panels(void **state) {
    (void)state;
    static const int64_t two[] = {3, 6};
    const dgm_sweep_grid grid = {two, 2, overlaps, 1};
    dgm_job job = karate();
    char *text = figure_of(&job, &grid);
    ASSERT_HAS(text, "width=\"140mm\"");
    ASSERT_HAS(text, "What persists at g = 0.4");
    ASSERT_HAS(text, "n = 3, g = 0.4");
    ASSERT_HAS(text, "n = 6, g = 0.4");
    ASSERT_HAS(text, "panels: n intervals, overlap g");
    ASSERT_HAS(text, "3, 0.4");
    ASSERT_HAS(text, "6, 0.4");
    free(text);
}

/* A file of labels for the karate club, one per node; the caller removes it. */
static void write_labels(char path[], int (*label)(int node)) {
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    for (int u = 0; u < 34; u++)
        fprintf(file, "%d\n", label(u));
    assert_int_equal(fclose(file), 0);
}

static int label_of_few(int node) {
    return node % 2 ? -1 : node / 2 % 3;
}

static int label_of_many(int node) {
    return node % 17;
}

/* Nodes without a label have no say, and clusters of such nodes no class. */
static void nodes_without_a_label_join_no_classes(void **state) {
    (void)state;
    static const int64_t many[] = {4, 20};
    const dgm_sweep_grid grid = {many, 2, overlaps, 1};
    dgm_job job = karate();
    char labels[] = "/tmp/dgm-labels-XXXXXX";
    write_labels(labels, label_of_few);
    job.labels = labels;
    dgm_sweep *sweep = sweep_karate(&job, &grid);
    remove(labels);
    int64_t count, panels, unknown = 0, all = 0, counted = 0;
    const dgm_sweep_pair *pair = dgm_sweep_pairs(sweep, &count);
    const dgm_sweep_panel *panel = dgm_sweep_panels(sweep, &panels);
    assert_int_equal(dgm_graph_labels(dgm_sweep_graph(sweep))[1], -1);
    for (int64_t i = 0; i < panels; i++) {
        dgm_summary_clusters clusters = dgm_summary_get_clusters(panel[i].summary);
        for (uint32_t c = 0; c < clusters.count; c++)
            unknown += class_of(dgm_sweep_graph(sweep), &clusters, c) < 0;
        for (int32_t high = 0; high < 3; high++)
            for (int32_t low = 0; low < high; low++)
                all += edges_between(sweep, i, low, high);
        for (int64_t k = 0; k < count; k++) {
            assert_int_equal(pair[k].edges[i], edges_between(sweep, i, pair[k].low, pair[k].high));
            counted += pair[k].edges[i];
        }
    }
    assert_true(unknown > 0 && all > 0);
    assert_int_equal(counted, all);
    dgm_sweep_free(sweep);
}

/* Small clusters stay away, so a panel may have nodes that the one before has not. */
static void clusters_of_nodes_that_were_not_there_are_placed_too(void **state) {
    (void)state;
    static const int64_t some[] = {2, 5, 9, 17};
    const dgm_sweep_grid grid = {some, 4, overlaps, 2};
    dgm_job job = karate();
    job.mapper.min_size = 4;
    dgm_sweep *sweep = sweep_karate(&job, &grid);
    assert_int_equal(dgmi_pipeline_sweep_lay_out(ctx, &job, sweep), DGM_OK);
    int64_t gone = 0;
    for (int64_t i = 0; i < sweep->panel_count; i++) {
        dgm_places places = dgm_view_get_places(sweep->views[i]);
        gone += dgm_summary_get_coverage(sweep->summaries[i]).covered < 34;
        for (int64_t m = 0; m < dgm_view_marks(sweep->views[i]); m++)
            assert_true(isfinite(places.x[m]) && isfinite(places.y[m]));
    }
    assert_true(gone > 0);
    /* a cluster none of whose nodes is in the coarser panel has no parent */
    int64_t orphans = 0;
    for (int64_t i = 0; i < sweep->step_count; i++)
        for (int64_t c = 0; c < sweep->steps[i].map.fine; c++)
            orphans += sweep->steps[i].map.parent[c] == DGM_NO_PARENT;
    char *text = json_of(sweep);
    int64_t nulls = 0;
    for (const char *at = text; (at = strstr(at, "\"map\": [")); at++)
        for (const char *in = at; *in != ']'; in++)
            nulls += strncmp(in, "null", 4) == 0;
    assert_int_equal(nulls, orphans);
    dgm_export_text_free(ctx, text);
    dgm_sweep_free(sweep);
}

/* Where a node stood in a panel: the mean of its clusters; false where it was in none. */
static bool stood_at(const dgm_sweep *sweep, int64_t panel, uint32_t node, double at[2]) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(sweep->summaries[panel]);
    dgm_places places = dgm_view_get_places(sweep->views[panel]);
    double sum[2] = {0, 0}, count = 0;
    for (int64_t c = 0; c < clusters.count; c++)
        for (int64_t m = clusters.offsets[c]; m < clusters.offsets[c + 1]; m++)
            if (clusters.members[m] == node) {
                sum[0] += places.x[c];
                sum[1] += places.y[c];
                count++;
            }
    at[0] = sum[0] / count;
    at[1] = sum[1] / count;
    return count > 0;
}

/* How far a cluster is from the middle of those of its nodes that stood in the panel before; NAN
 * where all of them did, or none. */
static double gone_astray(const dgm_sweep *sweep, int64_t panel, int64_t before, int64_t cluster) {
    dgm_summary_clusters clusters = dgm_summary_get_clusters(sweep->summaries[panel]);
    dgm_places places = dgm_view_get_places(sweep->views[panel]);
    double sum[2] = {0, 0}, known = 0, at[2];
    int64_t size = clusters.offsets[cluster + 1] - clusters.offsets[cluster];
    for (int64_t m = clusters.offsets[cluster]; m < clusters.offsets[cluster + 1]; m++)
        if (stood_at(sweep, before, clusters.members[m], at)) {
            sum[0] += at[0];
            sum[1] += at[1];
            known++;
        }
    if (known == 0 || known == (double)size)
        return NAN;
    return hypot(places.x[cluster] - sum[0] / known, places.y[cluster] - sum[1] / known);
}

/* Clusters some of whose nodes were not there before keep to where the others stood. */
static void clusters_keep_to_those_of_their_nodes_that_were_there(void **state) {
    (void)state;
    static const int64_t some[] = {2, 5, 9, 17};
    const dgm_sweep_grid grid = {some, 4, overlaps, 2};
    dgm_job job = karate();
    job.mapper.min_size = 4;
    dgm_sweep *sweep = sweep_karate(&job, &grid);
    assert_int_equal(dgmi_pipeline_sweep_lay_out(ctx, &job, sweep), DGM_OK);
    double sum = 0, count = 0;
    for (int64_t i = 0; i < sweep->panel_count; i++) {
        bool last = (i + 1) % sweep->columns == 0;
        int64_t before = last ? i - sweep->columns : i + 1;
        for (int64_t c = 0; before >= 0 && c < dgm_view_marks(sweep->views[i]); c++) {
            double far = gone_astray(sweep, i, before, c);
            sum += isnan(far) ? 0 : far;
            count += !isnan(far);
        }
    }
    assert_true(count > 3);
    assert_true(sum / count < 0.2); /* of the length of an edge */
    dgm_sweep_free(sweep);
}

static void a_tower_says_whether_its_loops_are_known(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &six);
    assert_int_equal(dgmi_pipeline_sweep_lay_out(ctx, &job, sweep), DGM_OK);
    for (int known = 1; known >= 0; known--) {
        dgm_figure *figure;
        char *svg, *text;
        size_t length;
        for (int64_t t = 0; t < sweep->tower_count; t++)
            sweep->towers[t].loops_known = known;
        /* who wants no length need not ask for it */
        assert_int_equal(dgm_sweep_json(ctx, sweep, &text, NULL), DGM_OK);
        assert_int_equal(strstr(text, "\"loops_known\": true") != NULL, known);
        assert_int_equal(strstr(text, "\"loops_known\": false") != NULL, !known);
        assert_int_equal(dgmi_pipeline_sweep_draw(ctx, &job, sweep, &figure), DGM_OK);
        assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
        ASSERT_HAS(svg, "What persists at g = 0.2");
        assert_int_equal(strstr(svg, "alone)") != NULL, !known);
        dgm_export_text_free(ctx, text);
        dgm_figure_bytes_free(ctx, svg);
        dgm_figure_free(figure);
    }
    dgm_sweep_free(sweep);
}

/* Of columns the title says the number of intervals. */
static void a_tower_of_overlaps_is_named_by_its_intervals(void **state) {
    (void)state;
    static const int64_t one[] = {6};
    const dgm_sweep_grid grid = {one, 1, overlaps, 2};
    dgm_job job = karate();
    for (int wide = 0; wide < 2; wide++) {
        job.figure.width = wide ? "100mm" : NULL;
        char *text = figure_of(&job, &grid);
        ASSERT_HAS(text, "What persists at n = 6");
        ASSERT_HAS(text, wide ? "width=\"100mm\"" : "width=\"120mm\""); /* the usual width */
        free(text);
    }
    job.figure.width = "100mm";
    char *text = figure_of(&job, &six);
    ASSERT_HAS(text, "width=\"100mm\"");
    free(text);
}

/* More pairs of classes than lines can be told apart. */
static void the_pairs_that_last_longest_are_drawn(void **state) {
    (void)state;
    static const int64_t many[] = {4, 9, 16};
    const dgm_sweep_grid grid = {many, 3, overlaps, 2};
    dgm_job job = karate();
    char labels[] = "/tmp/dgm-labels-XXXXXX", said[64];
    write_labels(labels, label_of_many);
    job.labels = labels;
    dgm_sweep *sweep = sweep_karate(&job, &grid);
    int64_t pairs = 0, written = 0;
    dgm_sweep_pairs(sweep, &pairs);
    char *json = json_of(sweep);
    for (const char *at = json; (at = strstr(at, "{\"classes\": [")); at++)
        written++;
    assert_int_equal(written, pairs);
    dgm_export_text_free(ctx, json);
    dgm_sweep_free(sweep);
    char *text = figure_of(&job, &grid);
    remove(labels);
    snprintf(said, sizeof said, " of %d)</text>", (int)pairs);
    ASSERT_HAS(text, ">Class pairs (");
    ASSERT_HAS(text, said);
    free(text);
}

/* What stands in the job for other axes is no part of the grid. */
static void every_axis_has_the_panels_intervals(void **state) {
    (void)state;
    const dgm_sweep_grid grid = {intervals, 1, overlaps, 1};
    dgm_job job = karate();
    job.lenses[1] = "pagerank";
    job.lens_count = 2;
    job.mapper.intervals[1] = 5;
    job.mapper.overlap[1] = 0.9;
    dgm_sweep *other = sweep_karate(&job, &grid);
    job.mapper.intervals[1] = DGM_SAME;
    job.mapper.overlap[1] = DGM_SAME;
    dgm_sweep *same = sweep_karate(&job, &grid);
    assert_int_equal(dgm_summary_get_clusters(other->summaries[0]).count,
                     dgm_summary_get_clusters(same->summaries[0]).count);
    assert_true(dgm_summary_options(other->summaries[0])->intervals[1] <= 0);
    dgm_sweep_free(other);
    dgm_sweep_free(same);
}

static void a_sweep_without_a_lens_takes_pagerank_and_no_other_does(void **state) {
    (void)state;
    const dgm_sweep_grid grid = {intervals, 1, overlaps, 1};
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &grid);
    assert_string_equal(sweep->lens_name, "degree");
    assert_int_equal(dgm_summary_get_clusters(sweep->summaries[0]).dimension, 1);
    dgm_sweep_free(sweep);
    job.lens_count = 0;
    sweep = sweep_karate(&job, &grid);
    assert_string_equal(sweep->lens_name, "pagerank");
    dgm_sweep_free(sweep);
}

/* The children of a coarse cluster are the fine ones whose parent it is. */
static void children_are_written_with_their_parents(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &six);
    char *text = json_of(sweep), *at = text;
    for (int64_t s = 0; s < sweep->step_count; s++) {
        const dgm_step *map = &sweep->steps[s].map;
        at = strstr(at, "\"children\": [");
        assert_non_null(at);
        at += strlen("\"children\": [");
        for (int64_t k = 0; k < map->coarse; k++) {
            at = strchr(at, '[');
            assert_non_null(at);
            at++;
            for (int64_t c = 0; c < map->fine; c++)
                if (map->parent[c] == k)
                    assert_int_equal(strtoll(at, &at, 10), c), at += *at == ',';
            assert_int_equal(*at, ']');
        }
    }
    dgm_export_text_free(ctx, text);
    dgm_sweep_free(sweep);
}

/* Bars end at the panel where what they stand for is gone, or never. */
static void bars_are_written_from_panel_to_panel(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &six);
    char *text = json_of(sweep), expected[128], *at = text;
    int64_t towers, ended = 0;
    const dgm_sweep_tower *tower = dgm_sweep_towers(sweep, &towers);
    for (int64_t t = 0; t < towers; t++)
        for (int64_t b = 0; b < tower[t].bar_count; b++) {
            dgm_bar bar = tower[t].bars[b];
            int used = snprintf(expected, sizeof expected, "{\"dimension\": %d, \"birth\": %d, ",
                                (int)bar.dimension, (int)tower[t].panels[bar.birth]);
            if (bar.death < 0)
                snprintf(expected + used, sizeof expected - (size_t)used, "\"death\": null}");
            else
                snprintf(expected + used, sizeof expected - (size_t)used, "\"death\": %d}",
                         (int)tower[t].panels[bar.death]);
            ended += bar.death >= 0;
            at = strstr(at, "{\"dimension\"");
            assert_non_null(at);
            assert_memory_equal(at, expected, strlen(expected));
            at++;
        }
    assert_true(ended > 0);
    dgm_export_text_free(ctx, text);
    dgm_sweep_free(sweep);
}

/* The panels of a tower stand in the order in which it climbs them. */
static void towers_are_written_with_their_panels(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &six);
    char *text = json_of(sweep), *at = strstr(text, "\"towers\"");
    int64_t towers;
    const dgm_sweep_tower *tower = dgm_sweep_towers(sweep, &towers);
    assert_true(towers > 1 && at);
    for (int64_t t = 0; t < towers; t++) {
        at = strstr(at, "{\"panels\": [");
        assert_non_null(at);
        at += strlen("{\"panels\": [");
        for (int64_t i = 0; i < tower[t].count; i++) {
            assert_int_equal(strtol(at, &at, 10), tower[t].panels[i]);
            at += strspn(at, ", ");
        }
        assert_int_equal(*at, ']');
    }
    dgm_export_text_free(ctx, text);
    dgm_sweep_free(sweep);
}

static dgm_status write_json(dgm_context *own, void *sweep) {
    char *text;
    size_t length = 1;
    int64_t said = 0;
    dgm_status status = dgm_sweep_json(own, sweep, &text, &length);
    assert_int_equal(length, text ? strlen(text) : 0);
    if (status != DGM_OK)
        return status;
    for (const char *at = text; (at = strstr(at, "\"judged\": ")); at++)
        said++;
    assert_int_equal(said, 6);
    dgm_export_text_free(own, text);
    return status;
}

/* The mistakes of a classifier are counted for every panel, or there is no JSON. */
static void mistakes_are_written_of_every_panel(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &six);
    int32_t classes[34];
    for (int u = 0; u < 34; u++)
        classes[u] = u % 2;
    assert_int_equal(dgm_predictions_from_classes(ctx, dgm_sweep_graph(sweep), classes, NULL,
                                                  &sweep->predictions),
                     DGM_OK);
    fail_each_allocation(write_json, sweep);
    dgm_sweep_free(sweep);
}

static void what_makes_no_grid_is_refused(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep;
    static const int64_t twice[] = {5, 5}, none[] = {0}, many[101];
    static const double one[] = {1}, low[] = {0.2, 0.2};
    dgm_sweep_grid grid = {twice, 2, overlaps, 1};
    ASSERT_FAILS(dgm_sweep_run(ctx, &job, &grid, &sweep), DGM_ERROR_USAGE, "intervals has 5 twice");
    assert_null(sweep);
    grid = (dgm_sweep_grid){intervals, 3, low, 2};
    ASSERT_FAILS(dgm_sweep_run(ctx, &job, &grid, &sweep), DGM_ERROR_USAGE, "overlap has 0.2 twice");
    grid = (dgm_sweep_grid){intervals, 0, overlaps, 1};
    ASSERT_FAILS(dgm_sweep_run(ctx, &job, &grid, &sweep), DGM_ERROR_USAGE,
                 "a sweep needs intervals and overlaps");
    grid = (dgm_sweep_grid){many, 101, overlaps, 1};
    ASSERT_FAILS(dgm_sweep_run(ctx, &job, &grid, &sweep), DGM_ERROR_USAGE,
                 "a grid of 101 by 1 is too large: at most 100 panels");
    grid = (dgm_sweep_grid){none, 1, overlaps, 1};
    assert_int_equal(dgm_sweep_run(ctx, &job, &grid, &sweep), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "intervals takes a whole number");
    grid = (dgm_sweep_grid){intervals, 1, one, 1};
    assert_int_equal(dgm_sweep_run(ctx, &job, &grid, &sweep), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "overlap takes a number from 0 to below 1");
}

static void covers_without_intervals_and_other_formats_are_refused(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep;
    static const char *const outputs[] = {"sweep.csv"};
    job.mapper.cover = DGM_COVER_SIMPLEX;
    assert_int_equal(dgm_sweep_run(ctx, &job, &six, &sweep), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "use cover=uniform or quantile");
    job.mapper.cover = DGM_COVER_QUANTILE;
    memcpy(job.outputs, outputs, sizeof outputs);
    job.output_count = 1;
    ASSERT_FAILS(dgm_sweep_run(ctx, &job, &six, &sweep), DGM_ERROR_USAGE,
                 "sweep.csv: a sweep is written as .svg .pdf .png or .json");
    assert_null(sweep);
}

/* Without and with a small picture. */
static void every_failed_allocation_leaves_nothing_behind(void **state) {
    (void)state;
    static const int64_t two[] = {2, 4};
    const dgm_sweep_grid grid = {two, 2, overlaps, 1};
    dgm_job job = karate();
    char path[4096];
    snprintf(path, sizeof path, "%s/sweep-faults.svg",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    const char *outputs[] = {path};
    for (int drawn = 0; drawn < 2; drawn++) {
        bool reached = true; /* threads that cannot be had are done without: that is no failure */
        memcpy(job.outputs, outputs, sizeof outputs);
        job.output_count = drawn;
        for (int fail_at = 1; reached; fail_at += drawn ? 7 : 1) {
            check_memory memory = {.fail_at = fail_at};
            dgm_allocator allocator = check_memory_allocator(&memory);
            dgm_context *poor;
            dgm_sweep *sweep = NULL;
            dgm_status status = dgm_context_create(&allocator, &poor);
            if (status == DGM_OK) {
                status = dgm_sweep_run(poor, &job, &grid, &sweep);
                assert_int_equal(status == DGM_OK, sweep != NULL);
                assert_true(!sweep || (sweep->lens_name && sweep->command));
                dgm_sweep_free(sweep);
                dgm_context_free(poor);
            }
            assert_true(status == DGM_OK || status == DGM_ERROR_MEMORY);
            assert_int_equal(memory.blocks, 0);
            reached = memory.calls >= fail_at;
            assert_true(reached || status == DGM_OK);
        }
    }
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_stand_in_rows_of_overlap_both_ascending),
        cmocka_unit_test(rows_and_columns_that_refine_are_towers),
        cmocka_unit_test(bars_add_up_to_the_betti_numbers),
        cmocka_unit_test(other_numbers_of_intervals_are_matchings),
        cmocka_unit_test(edges_between_classes_are_counted_panel_by_panel),
        cmocka_unit_test(pairs_of_classes_stand_by_how_long_they_last),
        cmocka_unit_test(lines_go_through_the_numbers_of_edges),
        cmocka_unit_test(the_same_bytes_come_out_for_any_number_of_threads),
        cmocka_unit_test(equal_panels_look_alike),
        cmocka_unit_test(figures_show_short_towers_and_all_panels),
        cmocka_unit_test(nodes_without_a_label_join_no_classes),
        cmocka_unit_test(clusters_of_nodes_that_were_not_there_are_placed_too),
        cmocka_unit_test(clusters_keep_to_those_of_their_nodes_that_were_there),
        cmocka_unit_test(a_tower_says_whether_its_loops_are_known),
        cmocka_unit_test(a_tower_of_overlaps_is_named_by_its_intervals),
        cmocka_unit_test(the_pairs_that_last_longest_are_drawn),
        cmocka_unit_test(every_axis_has_the_panels_intervals),
        cmocka_unit_test(a_sweep_without_a_lens_takes_pagerank_and_no_other_does),
        cmocka_unit_test(children_are_written_with_their_parents),
        cmocka_unit_test(bars_are_written_from_panel_to_panel),
        cmocka_unit_test(towers_are_written_with_their_panels),
        cmocka_unit_test(mistakes_are_written_of_every_panel),
        cmocka_unit_test(what_makes_no_grid_is_refused),
        cmocka_unit_test(covers_without_intervals_and_other_formats_are_refused),
        cmocka_unit_test(every_failed_allocation_leaves_nothing_behind),
    };
    return RUN_WITH_CONTEXT(tests);
}
