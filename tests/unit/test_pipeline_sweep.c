/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps: the grid, its steps and towers, classes, JSON, refusals, memory. */
#include "unit_fixture.h"

#include "../check_memory.h"
#include "sweep_sample.h"
#include "unit_faults.h"

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

static int label_of_few(int node) {
    return node % 2 ? -1 : node / 2 % 3;
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

/* Small clusters that were attached, pieces that were joined and nodes that lie in no cluster are told. */
static void what_becomes_of_clusters_is_written(void **state) {
    (void)state;
    static const int64_t two[] = {12, 4};
    const dgm_sweep_grid grid = {two, 2, overlaps, 1};
    dgm_job job = karate();
    job.mapper.min_size = 3;
    job.mapper.attach = true;
    job.mapper.pieces = DGM_PIECES_JOINED;
    dgm_sweep *sweep = sweep_karate(&job, &grid);
    char *text = json_of(sweep);
    ASSERT_HAS(text, "\"attach\": true");
    ASSERT_HAS(text, "\"pieces\": \"joined\"");
    ASSERT_HAS(text, "\"taken\": ");
    dgm_export_text_free(ctx, text);
    dgm_sweep_free(sweep);
    job.mapper.attach = false;
    job.mapper.pieces = DGM_PIECES_APART;
    sweep = sweep_karate(&job, &grid);
    text = json_of(sweep);
    assert_null(strstr(text, "\"attach\""));
    assert_null(strstr(text, "\"pieces\""));
    dgm_export_text_free(ctx, text);
    dgm_sweep_free(sweep);
}

/* The panels of a tower stand in the order in which it climbs them. */
static void towers_are_written_with_their_panels(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &six);
    char *text = json_of(sweep);
    const char *at = strstr(text, "\"towers\"");
    int64_t towers;
    const dgm_sweep_tower *tower = dgm_sweep_towers(sweep, &towers);
    assert_true(towers > 1 && at);
    for (int64_t t = 0; t < towers; t++) {
        at = strstr(at, "{\"panels\": [");
        assert_non_null(at);
        at += strlen("{\"panels\": [");
        for (int64_t i = 0; i < tower[t].count; i++) {
            char *end;
            assert_int_equal(strtol(at, &end, 10), tower[t].panels[i]);
            at = end + strspn(end, ", ");
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

/* A network that is the lens says classes too, and its mistakes are told. */
static void what_the_lens_predicts_is_judged(void **state) {
    (void)state;
    dgm_job job = karate();
    job.lenses[0] = "gcn:split=0.8,0.1,epochs=2";
    job.lens_count = 1;
    dgm_sweep *sweep = sweep_karate(&job, &six);
    char *text = json_of(sweep);
    int64_t said = 0;
    for (const char *at = text; (at = strstr(at, "\"judged\": ")); at++)
        said++;
    assert_int_equal(said, 6);
    dgm_export_text_free(ctx, text);
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
                 "sweep.csv: sweeps are not written as .csv; use one of .svg .pdf .png .json");
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
        cmocka_unit_test(the_same_bytes_come_out_for_any_number_of_threads),
        cmocka_unit_test(nodes_without_a_label_join_no_classes),
        cmocka_unit_test(every_axis_has_the_panels_intervals),
        cmocka_unit_test(a_sweep_without_a_lens_takes_pagerank_and_no_other_does),
        cmocka_unit_test(children_are_written_with_their_parents),
        cmocka_unit_test(bars_are_written_from_panel_to_panel),
        cmocka_unit_test(what_becomes_of_clusters_is_written),
        cmocka_unit_test(towers_are_written_with_their_panels),
        cmocka_unit_test(mistakes_are_written_of_every_panel),
        cmocka_unit_test(what_the_lens_predicts_is_judged),
        cmocka_unit_test(what_makes_no_grid_is_refused),
        cmocka_unit_test(covers_without_intervals_and_other_formats_are_refused),
        cmocka_unit_test(every_failed_allocation_leaves_nothing_behind),
    };
    return RUN_WITH_CONTEXT(tests);
}
