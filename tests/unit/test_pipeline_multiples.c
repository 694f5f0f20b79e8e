/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps as figures: panels that look alike, bars of towers, lines of class pairs. */
#include "unit_fixture.h"

#include <math.h>

#include "sweep_sample.h"
#include "unit_faults.h"

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

static int label_of_many(int node) {
    return node % 17;
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

static dgm_status draw(dgm_context *own, void *sweep) {
    const dgm_job job = karate();
    dgm_figure *figure;
    dgm_status status = dgmi_pipeline_sweep_draw(own, &job, sweep, &figure);
    assert_int_equal(status == DGM_OK, figure != NULL);
    dgm_figure_free(figure);
    return status;
}

static void every_failed_allocation_of_a_figure_is_told(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &six);
    assert_int_equal(dgmi_pipeline_sweep_lay_out(ctx, &job, sweep), DGM_OK);
    fail_each_allocation(draw, sweep);
    dgm_sweep_free(sweep);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_go_through_the_numbers_of_edges),
        cmocka_unit_test(equal_panels_look_alike),
        cmocka_unit_test(figures_show_short_towers_and_all_panels),
        cmocka_unit_test(clusters_of_nodes_that_were_not_there_are_placed_too),
        cmocka_unit_test(clusters_keep_to_those_of_their_nodes_that_were_there),
        cmocka_unit_test(a_tower_says_whether_its_loops_are_known),
        cmocka_unit_test(a_tower_of_overlaps_is_named_by_its_intervals),
        cmocka_unit_test(the_pairs_that_last_longest_are_drawn),
        cmocka_unit_test(every_failed_allocation_of_a_figure_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
