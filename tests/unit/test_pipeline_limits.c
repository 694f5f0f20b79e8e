/* SPDX-License-Identifier: Apache-2.0 */
/* How many lenses, outputs, axes and panels there may be, where names end, what figures of sweeps
 * show at most: each limit is met exactly, and one more is refused or left out. */
#include "unit_fixture.h"

#include <stddef.h>
#include <unistd.h>

#include "sweep_sample.h"

/* ---- jobs ---- */

static void a_job_takes_as_many_of_each_as_it_says(void **state) {
    (void)state;
    dgm_job job = karate();
    for (int i = 0; i < DGM_MAX_LENSES; i++)
        job.lenses[i] = "degree";
    job.lens_count = DGM_MAX_LENSES;
    job.transform_count = DGM_MAX_AXES;
    job.output_count = 0;
    for (int i = 0; i < DGM_MAX_OUTPUTS; i++)
        assert_int_equal(dgm_job_set(ctx, &job, "output", "-"), DGM_OK);
    assert_int_equal(dgm_job_check(ctx, &job), DGM_OK);
    ASSERT_FAILS(dgm_job_set(ctx, &job, "output", "-"), DGM_ERROR_USAGE,
                 "output may be given at most 64 times");
    job.output_count = -1;
    ASSERT_FAILS(dgm_job_check(ctx, &job), DGM_ERROR_USAGE, "at most 64 outputs are written");
    job = karate();
    job.transform_count = DGM_MAX_AXES + 1;
    ASSERT_FAILS(dgm_job_check(ctx, &job), DGM_ERROR_USAGE, "at most 16 axes can be transformed");
}

/* A size, and something that it is for. */
static void the_shortest_struct_of_a_stage_has_two_words(void **state) {
    (void)state;
    dgm_job job = karate();
    job.figure.size = 2 * sizeof(size_t);
    assert_int_equal(dgm_job_check(ctx, &job), DGM_OK);
    job.figure.size--;
    assert_int_equal(dgm_job_check(ctx, &job), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "dgm_figure_options was not initialised: its size is 15");
}

static void an_option_that_begins_where_a_job_ends_is_not_in_it(void **state) {
    (void)state;
    dgm_job job = karate();
    job.size = offsetof(dgm_job, predictions);
    assert_int_equal(dgm_job_set(ctx, &job, "predictions", "x.npy"), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "its option 'predictions' lies behind them");
    assert_null(job.predictions);
    job.size++;
    assert_int_equal(dgm_job_set(ctx, &job, "predictions", "x.npy"), DGM_OK);
    assert_string_equal(job.predictions, "x.npy");
}

static void clusters_are_attached_where_some_are_small(void **state) {
    (void)state;
    dgm_job job = karate();
    job.mapper.attach = true;
    ASSERT_FAILS(dgm_job_check(ctx, &job), DGM_ERROR_USAGE,
                 "attach gives away clusters below min-size, and none is below 1; raise it to 2 or "
                 "more");
    job.mapper.min_size = 2;
    assert_int_equal(dgm_job_check(ctx, &job), DGM_OK);
    job.mapper.attach = false;
    job.mapper.min_size = 1;
    assert_int_equal(dgm_job_check(ctx, &job), DGM_OK);
}

/* ---- graphs by name ---- */

static void data_sets_are_known_by_their_whole_names(void **state) {
    (void)state;
    static const struct {
        const char *name, *words;
    } cases[] = {
        {"citeseer", "the data set does not come with dgm"},
        {"PubMed/raw", "the data set does not come with dgm"},
        {"cora/", "the data set does not come with dgm"},
        {"coras", "nor a built-in graph"},
        {"x/cora", "nor a built-in graph"},
        {"pub", "nor a built-in graph"},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        dgm_graph *graph;
        assert_int_equal(dgm_graph_open(ctx, cases[i].name, DGM_FORMAT_AUTO, NULL, NULL, 1, &graph),
                         DGM_ERROR_FILE);
        ASSERT_HAS(dgm_context_error(ctx), cases[i].words);
    }
}

/* ---- lenses ---- */

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static dgm_lens_result *lens_of(const dgm_job *job, const dgm_graph *graph) {
    dgm_lens_result *lens;
    if (dgm_job_lens(ctx, job, graph, &lens) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return lens;
}

static dgm_graph *path_of_three(void) {
    static const uint32_t ends[] = {0, 1, 1, 2};
    return build_graph(NULL, 3, 2, ends, NULL);
}

/* Neither folder nor endings, but a name that begins with a point is a name. */
static void a_lens_is_called_after_its_file(void **state) {
    (void)state;
    static const char *const files[][2] = {
        {"/x.y", "x"}, {"/.hidden", ".hidden"}, {"/a.b.txt", "a.b"}, {"/plain", "plain"}};
    char folder[] = "/tmp/dgm-limits-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    dgm_graph *graph = path_of_three();
    for (int64_t i = 0; i < COUNT(files); i++) {
        dgm_job job = karate();
        snprintf(path, sizeof path, "%s%s", folder, files[i][0]);
        write_text(path, "1\n2\n4\n");
        job.lens_count = 0;
        job.lens_file = path;
        dgm_lens_result *lens = lens_of(&job, graph);
        const dgm_matrix *axes = dgm_lens_result_axes(lens);
        assert_string_equal(dgm_matrix_column_name(axes, 0), files[i][1]);
        dgm_lens_result_free(lens);
        assert_int_equal(unlink(path), 0);
    }
    dgm_graph_free(graph);
    assert_int_equal(rmdir(folder), 0);
}

/* Columns that have names keep them; the others are numbered from 1. */
static void the_columns_of_a_file_are_named_or_numbered(void **state) {
    (void)state;
    static const char *const names[2][3] = {{"h", "w", "d"}, {"m1", "m2", "m3"}};
    char folder[] = "/tmp/dgm-limits-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.csv", folder);
    dgm_graph *graph = path_of_three();
    dgm_job job = karate();
    job.lens_count = 0;
    job.lens_file = path;
    for (int numbered = 0; numbered < 2; numbered++) {
        write_text(path, numbered ? "1,2,3\n4,5,6\n7,8,8\n" : "h,w,d\n1,2,3\n4,5,6\n7,8,8\n");
        dgm_lens_result *lens = lens_of(&job, graph);
        const dgm_matrix *axes = dgm_lens_result_axes(lens);
        assert_int_equal(dgm_matrix_columns(axes), 3); /* three are mapped as they are */
        for (int k = 0; k < 3; k++)
            assert_string_equal(dgm_matrix_column_name(axes, k), names[numbered][k]);
        assert_true(dgm_matrix_values(axes)[8] == 8);
        dgm_lens_result_free(lens);
    }
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    dgm_graph_free(graph);
}

static bool tells_its_machine(const dgm_job *job) {
    dgm_job_result made;
    if (dgm_job_run(ctx, job, NULL, DGM_KEEP_SUMMARY, &made) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    dgm_provenance provenance = dgm_summary_get_provenance(made.summary);
    bool tells = provenance.kernels != NULL;
    assert_int_equal(provenance.blas != NULL, tells);
    dgm_job_result_free(&made);
    return tells;
}

/* Only what multiplies matrices has other last digits on another machine. */
static void the_machine_is_told_where_digits_depend_on_it(void **state) {
    (void)state;
    dgm_job job = karate();
    assert_false(tells_its_machine(&job));
    job.lenses[1] = "core";
    job.lens_count = 2;
    job.reduce = "none";
    assert_false(tells_its_machine(&job));
    job.reduce = "pca";
    assert_true(tells_its_machine(&job));
    job.reduce = "none";
    job.lenses[1] = "dgi:epochs=1,hidden=4";
    assert_true(tells_its_machine(&job));
    job.lenses[1] = job.lenses[0];
    job.lenses[0] = "dgi:epochs=1,hidden=4";
    assert_true(tells_its_machine(&job));
}

static void a_lens_that_was_emptied_is_not_mapped(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_graph *graph = path_of_three();
    dgm_lens_result *lens = lens_of(&job, graph);
    input.graph = graph;
    input.made = lens;
    assert_int_equal(dgm_job_run(ctx, &job, &input, 0, NULL), DGM_OK);
    dgm_matrix_free(dgm_lens_result_take_axes(lens));
    ASSERT_FAILS(dgm_job_run(ctx, &job, &input, 0, NULL), DGM_ERROR_USAGE,
                 "the lens that was given is not one of dgm_job_lens");
    dgm_lens_result_free(lens);
    static const char *const names[] = {"degree"}; /* a lens of its own has no name of a job */
    assert_int_equal(dgm_lens_run(ctx, graph, names, 1, NULL, &lens), DGM_OK);
    input.made = lens;
    ASSERT_FAILS(dgm_job_run(ctx, &job, &input, 0, NULL), DGM_ERROR_USAGE,
                 "the lens that was given is not one of dgm_job_lens");
    dgm_lens_result_free(lens);
    dgm_graph_free(graph);
}

/* A figure folds clusters of few nodes; where nobody draws, each has its own place. */
static void dust_is_folded_for_those_who_draw(void **state) {
    (void)state;
    char path[] = "/tmp/dgm-limits-XXXXXX.json";
    int file = mkstemps(path, 5);
    assert_true(file >= 0 && close(file) == 0);
    for (int drawn = 0; drawn < 2; drawn++) {
        dgm_job job = karate();
        dgm_job_result made = {.graph = NULL};
        dgm_places *places;
        dgm_summary *summary;
        job.mapper.intervals[0] = 6;
        job.outputs[job.output_count++] = path;
        assert_int_equal(dgm_job_run(ctx, &job, NULL, drawn ? DGM_KEEP_VIEW : 0, &made), DGM_OK);
        assert_int_equal(dgm_summary_read(ctx, path, NULL, &summary, NULL, &places), DGM_OK);
        assert_int_equal(places->dust, drawn ? 5 : 0);
        assert_int_equal(places->seed, job.seed);
        dgm_places_free(ctx, places);
        dgm_summary_free(summary);
        dgm_job_result_free(&made);
    }
    assert_int_equal(unlink(path), 0);
}

/* ---- sweeps ---- */

static void a_grid_has_at_most_a_hundred_panels(void **state) {
    (void)state;
    static const int64_t sides[][2] = {{100, 1}, {1, 100}, {10, 10}, {101, 1}, {1, 101}, {11, 10}};
    int64_t many[101];
    double shares[101];
    dgm_job job = karate();
    for (int i = 0; i < 101; i++) {
        many[i] = i + 1;
        shares[i] = i / 128.0;
    }
    for (int64_t i = 0; i < COUNT(sides); i++) {
        const dgm_sweep_grid grid = {many, sides[i][0], shares, sides[i][1]};
        char words[100];
        snprintf(words, sizeof words, "a grid of %d by %d is too large: at most 100 panels",
                 (int)sides[i][0], (int)sides[i][1]);
        if (i < 3)
            assert_int_equal(dgm_sweep_check(ctx, &job, &grid), DGM_OK);
        else
            ASSERT_FAILS(dgm_sweep_check(ctx, &job, &grid), DGM_ERROR_USAGE, words);
    }
    const dgm_sweep_grid none = {many, 1, shares, 0};
    ASSERT_FAILS(dgm_sweep_check(ctx, &job, &none), DGM_ERROR_USAGE,
                 "a sweep needs intervals and overlaps");
}

/* Numbers that stand twice are found wherever they stand, and so are those that no cover has. */
static void every_number_of_a_grid_is_looked_at(void **state) {
    (void)state;
    static const int64_t good[] = {4, 3, 2}, ends[] = {4, 3, 4}, last[] = {4, 3, 3};
    static const int64_t none[] = {4, 3, 0};
    static const double shares[] = {0.1, 0.2, 0.3}, twice[] = {0.1, 0.2, 0.2};
    static const double both[] = {0.1, 0.2, 0.1}, whole[] = {0.1, 0.2, 1};
    const struct {
        dgm_sweep_grid grid;
        const char *words; /* NULL: fine */
    } cases[] = {
        {{good, 3, shares, 3}, NULL},
        {{ends, 3, shares, 3}, "intervals has 4 twice"},
        {{last, 3, shares, 3}, "intervals has 3 twice"},
        {{good, 3, twice, 3}, "overlap has 0.2 twice"},
        {{good, 3, both, 3}, "overlap has 0.1 twice"},
        {{none, 3, shares, 1}, "intervals takes a whole number"},
        {{good, 1, whole, 3}, "overlap takes a number"},
    };
    dgm_job job = karate();
    for (int64_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(dgm_sweep_check(ctx, &job, &cases[i].grid),
                         cases[i].words ? DGM_ERROR_USAGE : DGM_OK);
        if (cases[i].words)
            ASSERT_HAS(dgm_context_error(ctx), cases[i].words);
    }
}

/* From eleven to eight cells is a matching, so the tower begins at the second panel. */
static void a_tower_counts_from_its_own_first_panel(void **state) {
    (void)state;
    static const int64_t cells[] = {2, 4, 8, 11};
    const dgm_sweep_grid grid = {cells, 4, overlaps, 1};
    dgm_job job = karate();
    job.transforms[job.transform_count++] = DGM_TRANSFORM_RANK;
    dgm_sweep *sweep = sweep_karate(&job, &grid);
    int64_t towers, panels, ended = 0;
    const dgm_sweep_tower *tower = dgm_sweep_towers(sweep, &towers);
    const dgm_sweep_panel *panel = dgm_sweep_panels(sweep, &panels);
    assert_int_equal(towers, 1);
    assert_int_equal(tower->count, 3);
    for (int64_t i = 0; i < 3; i++) {
        int64_t alive = 0;
        assert_int_equal(tower->panels[i], 2 - i);
        for (int64_t b = 0; b < tower->bar_count; b++) {
            const dgm_bar *bar = &tower->bars[b];
            alive += bar->dimension == 0 && bar->birth <= i && (bar->death < 0 || bar->death > i);
            ended += bar->death >= 0;
            assert_true(bar->death >= -1);
        }
        assert_int_equal(alive, dgm_summary_get_topology(panel[2 - i].summary).b0);
    }
    assert_true(ended > 0);
    dgm_sweep_free(sweep);
}

static int64_t occurrences(const char *text, const char *part) {
    int64_t count = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        count++;
    return count;
}

static char *draw_sweep(const dgm_job *job, dgm_sweep *sweep) {
    dgm_figure *figure;
    char *svg;
    size_t length;
    assert_int_equal(dgmi_pipeline_sweep_lay_out(ctx, job, sweep), DGM_OK);
    assert_int_equal(dgmi_pipeline_sweep_draw(ctx, job, sweep, &figure), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    dgm_figure_free(figure);
    return svg;
}

/* Beside the lines of classes as many bars as columns are left, from one to three; without lines,
 * one more. The width goes by the columns. */
static void as_many_bars_are_drawn_as_fit_in_a_row(void **state) {
    (void)state;
    static const int64_t cells[] = {16, 8, 4, 2, 1};
    static const double shares[] = {0.2, 0.3, 0.4};
    static const int64_t with_lines[] = {1, 1, 2, 3, 3}, without[] = {1, 2, 3, 3, 3};
    dgm_job job = karate();
    for (int64_t columns = 1; columns <= 5; columns++)
        for (int lines = 0; lines < 2; lines++) {
            const dgm_sweep_grid grid = {cells, columns, shares, 3};
            dgm_sweep *sweep = sweep_karate(&job, &grid);
            assert_int_equal(sweep->pair_count, 1);
            sweep->pair_count = lines;
            char *svg = draw_sweep(&job, sweep);
            assert_int_equal(occurrences(svg, ">What persists at"),
                             lines ? with_lines[columns - 1] : without[columns - 1]);
            assert_int_equal(occurrences(svg, "lines: "), lines);
            assert_int_equal(occurrences(svg, ">Edges between"), lines);
            assert_int_equal(occurrences(svg, "bars: "), 1);
            ASSERT_HAS(svg, columns == 1   ? "width=\"120mm\""
                            : columns == 2 ? "width=\"140mm\""
                                           : "width=\"180mm\"");
            dgm_figure_bytes_free(ctx, svg);
            dgm_sweep_free(sweep);
        }
}

/* Rows of four panels are longer than columns of three; a title says what stays the same. */
static void the_longest_towers_are_drawn(void **state) {
    (void)state;
    static const int64_t cells[] = {16, 8, 4, 2};
    static const double shares[] = {0.2, 0.3, 0.4};
    dgm_job job = karate();
    for (int turned = 0; turned < 2; turned++) {
        const dgm_sweep_grid grid = {cells, turned ? 2 : 4, shares, turned ? 3 : 2};
        dgm_sweep *sweep = sweep_karate(&job, &grid);
        char *svg = draw_sweep(&job, sweep);
        assert_int_equal(occurrences(svg, ">What persists at g = "), turned ? 0 : 2);
        assert_int_equal(occurrences(svg, ">What persists at n = "), 1);
        ASSERT_HAS(svg, turned ? ">What persists at n = 8<" : ">What persists at n = 2<");
        dgm_figure_bytes_free(ctx, svg);
        dgm_sweep_free(sweep);
    }
}

/* Above each panel: what it was made with, its clusters and its edges. */
static void a_panel_has_its_numbers_for_a_title(void **state) {
    (void)state;
    dgm_job job = karate();
    dgm_sweep *sweep = sweep_karate(&job, &six);
    char *svg = draw_sweep(&job, sweep), title[100];
    for (int64_t i = 0; i < 6; i++) {
        int64_t edges;
        dgm_summary_edges(sweep->summaries[i], &edges);
        snprintf(title, sizeof title, ">n = %d, g = %g \xc2\xb7 %d / %d<",
                 (int)sweep->panels[i].intervals, sweep->panels[i].overlap,
                 (int)dgm_summary_get_clusters(sweep->summaries[i]).count, (int)edges);
        ASSERT_HAS(svg, title);
    }
    dgm_figure_bytes_free(ctx, svg);
    dgm_sweep_free(sweep);
}

static int seventeen(int node) {
    return node % 17;
}

/* Eight lines can be told apart. Between rows of panels they have a gap. */
static void at_most_eight_pairs_of_classes_are_drawn(void **state) {
    (void)state;
    static const int64_t cells[] = {4, 9};
    const dgm_sweep_grid grid = {cells, 2, overlaps, 2};
    char labels[] = "/tmp/dgm-labels-XXXXXX", title[64];
    dgm_job job = karate();
    write_labels(labels, seventeen);
    job.labels = labels;
    dgm_sweep *sweep = sweep_karate(&job, &grid);
    int64_t pairs = sweep->pair_count;
    assert_true(pairs > 8);
    for (int64_t shown = pairs; shown >= 7; shown = shown > 9 ? 9 : shown - 1) {
        sweep->pair_count = shown;
        char *svg = draw_sweep(&job, sweep);
        snprintf(title, sizeof title, ">Class pairs (8 of %d)<", (int)shown);
        assert_int_equal(strstr(svg, title) != NULL, shown > 8);
        assert_int_equal(strstr(svg, ">Edges between classes<") != NULL, shown <= 8);
        for (int64_t r = 0; r < shown && r < 9; r++) {
            char name[80];
            int64_t seen = 0;
            for (int64_t i = 0; i < 4; i++) {
                snprintf(name, sizeof name, ">%d \xe2\x80\x93 %d, %d, %g: %d<",
                         (int)sweep->pairs[r].low, (int)sweep->pairs[r].high,
                         (int)sweep->panels[i].intervals, sweep->panels[i].overlap,
                         (int)sweep->pairs[r].edges[i]);
                seen += occurrences(svg, name);
            }
            assert_int_equal(seen, r < 8 ? 4 : 0);
        }
        dgm_figure_bytes_free(ctx, svg);
        for (int64_t i = 0; i < 4; i++) {
            dgm_view_free(sweep->views[i]);
            dgm_profile_free(sweep->profiles[i]);
            sweep->views[i] = NULL;
            sweep->profiles[i] = NULL;
        }
    }
    sweep->pair_count = pairs;
    dgm_sweep_free(sweep);
    assert_int_equal(remove(labels), 0);
}

/* The file is the object that the library gives, with a figure beside it or alone. */
static void a_sweep_is_written_as_its_json(void **state) {
    (void)state;
    char folder[] = "/tmp/dgm-limits-XXXXXX", paths[2][64];
    static char file[1 << 16];
    assert_non_null(mkdtemp(folder));
    snprintf(paths[0], sizeof paths[0], "%s/s.json", folder);
    snprintf(paths[1], sizeof paths[1], "%s/s.svg", folder);
    dgm_job job = karate();
    job.outputs[0] = paths[0];
    job.outputs[1] = paths[1];
    for (job.output_count = 1; job.output_count <= 2; job.output_count++) {
        const dgm_sweep_grid grid = {intervals, 2, overlaps, 1};
        dgm_sweep *sweep = sweep_karate(&job, &grid);
        char *text = json_of(sweep);
        FILE *stream = fopen(paths[0], "r");
        assert_non_null(stream);
        size_t length = fread(file, 1, sizeof file - 1, stream);
        file[length] = '\0';
        assert_int_equal(fclose(stream), 0);
        assert_string_equal(file, text);
        dgm_export_text_free(ctx, text);
        dgm_sweep_free(sweep);
        assert_int_equal(access(paths[1], F_OK) == 0, job.output_count == 2);
    }
    assert_true(unlink(paths[0]) == 0 && unlink(paths[1]) == 0 && rmdir(folder) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_takes_as_many_of_each_as_it_says),
        cmocka_unit_test(the_shortest_struct_of_a_stage_has_two_words),
        cmocka_unit_test(an_option_that_begins_where_a_job_ends_is_not_in_it),
        cmocka_unit_test(clusters_are_attached_where_some_are_small),
        cmocka_unit_test(data_sets_are_known_by_their_whole_names),
        cmocka_unit_test(a_lens_is_called_after_its_file),
        cmocka_unit_test(the_columns_of_a_file_are_named_or_numbered),
        cmocka_unit_test(the_machine_is_told_where_digits_depend_on_it),
        cmocka_unit_test(a_lens_that_was_emptied_is_not_mapped),
        cmocka_unit_test(dust_is_folded_for_those_who_draw),
        cmocka_unit_test(a_grid_has_at_most_a_hundred_panels),
        cmocka_unit_test(every_number_of_a_grid_is_looked_at),
        cmocka_unit_test(a_tower_counts_from_its_own_first_panel),
        cmocka_unit_test(as_many_bars_are_drawn_as_fit_in_a_row),
        cmocka_unit_test(the_longest_towers_are_drawn),
        cmocka_unit_test(a_panel_has_its_numbers_for_a_title),
        cmocka_unit_test(at_most_eight_pairs_of_classes_are_drawn),
        cmocka_unit_test(a_sweep_is_written_as_its_json),
    };
    return RUN_WITH_CONTEXT(tests);
}
