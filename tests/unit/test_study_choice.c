/* SPDX-License-Identifier: Apache-2.0 */
/* The candidates of a study: each is what its settings show, and they are judged and put in order as
 * the criteria say. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "dgm/study.h"
#include "unit_progress.h"

static dgm_graph *open_graph(const char *name) {
    dgm_graph *graph;
    assert_int_equal(dgm_graph_open(ctx, name, DGM_FORMAT_AUTO, NULL, NULL, 1, &graph), DGM_OK);
    return graph;
}

/* A ladder whose ends are joined. */
static dgm_graph *make_ladder(uint32_t length) {
    static uint32_t ends[6 * 400];
    for (uint32_t i = 0; i < length; i++) {
        const uint32_t next = (i + 1) % length;
        const uint32_t own[] = {2 * i, 2 * next, 2 * i + 1, 2 * next + 1, 2 * i, 2 * i + 1};
        memcpy(ends + 6 * (size_t)i, own, sizeof own);
    }
    return build_graph(NULL, 2 * (int64_t)length, 3 * (int64_t)length, ends, NULL);
}

static dgm_study *study(const dgm_graph *graph, const dgm_job *job,
                        const dgm_study_options *options) {
    dgm_study *made;
    if (dgm_study_create(ctx, graph, job, options, &made) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return made;
}

static bool is_same(const char *a, const char *b) {
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static char said[1024];
static void listen(void *user, const char *note) {
    (void)user;
    strncat(strncat(said, note, sizeof said - strlen(said) - 2), "\n", 2);
}

/* ---- measures ---- */

/* The summary that a candidate stands for is what was measured. */
static void check_measures(const dgm_graph *graph, const dgm_study *made, int64_t index,
                           const dgm_job *plain, int64_t dust) {
    int64_t count;
    const dgm_study_candidate *is = dgm_study_candidates(made, &count) + index;
    dgm_study_measures measures, expected = is->measures;
    dgm_job job = *plain;
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_job_result result;
    assert_int_equal(dgm_study_apply(ctx, made, index, &job), DGM_OK);
    input.graph = graph;
    assert_int_equal(dgm_job_run(ctx, &job, &input, DGM_KEEP_SUMMARY, &result), DGM_OK);
    assert_int_equal(dgm_study_measure(ctx, graph, result.summary, dust, &measures), DGM_OK);
    if (measures.held < 0.5) /* marks are not counted then */
        measures.marks = measures.dust = 0;
    if (is->pieces < 0) /* nothing is taken across, now or then */
        assert_int_equal(measures.apart, measures.pieces);
    assert_memory_equal(&measures, &expected, sizeof measures);
    dgm_job_result_free(&result);
}

static void candidates_are_what_their_settings_show(void **state) {
    (void)state;
    dgm_graph *graphs[] = {open_graph("karate"), make_ladder(120)};
    for (int64_t g = 0; g < COUNT(graphs); g++) {
        int64_t count;
        dgm_job job;
        dgm_job_init(&job);
        dgm_study *made = study(graphs[g], &job, NULL);
        dgm_study_candidates(made, &count);
        assert_true(count > 100);
        for (int64_t i = 0; i < count; i += g ? 29 : 7)
            check_measures(graphs[g], made, i, &job, 5);
        dgm_study_free(made);
        dgm_graph_free(graphs[g]);
    }
}

/* Cover, seed, clusters and dust of the job hold where they are not open. */
static void candidates_keep_what_the_job_says(void **state) {
    (void)state;
    static const char *const settings[][2] = {{"lens", "degree"},     {"lens", "pagerank"},
                                              {"cover", "quantile"},  {"seed", "5"},
                                              {"cluster", "louvain"}, {"dust-size", "3"}};
    int64_t count;
    dgm_graph *graph = open_graph("karate");
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    dgm_job job;
    dgm_job_init(&job);
    for (int64_t i = 0; i < COUNT(settings); i++)
        assert_int_equal(dgm_job_set(ctx, &job, settings[i][0], settings[i][1]), DGM_OK);
    options.open = DGM_OPEN_INTERVALS | DGM_OPEN_OVERLAP;
    dgm_study *made = study(graph, &job, &options);
    const dgm_study_candidate *candidates = dgm_study_candidates(made, &count);
    assert_int_equal(count, 6 * 9);
    for (int64_t i = 0; i < count; i++) {
        assert_true(!candidates[i].lens && !candidates[i].transform && !candidates[i].cover);
        assert_int_equal(candidates[i].dust_size, 0);
        assert_int_equal(candidates[i].pieces, -1);
        check_measures(graph, made, i, &job, 3);
    }
    dgm_study_free(made);
    dgm_graph_free(graph);
}

/* Settings go to the first axis, and the others are the same. */
static void settings_are_those_of_all_axes(void **state) {
    (void)state;
    dgm_graph *graph = make_ladder(30);
    dgm_job job, plain;
    dgm_job_init(&plain);
    dgm_study *made = study(graph, &plain, NULL);
    job = plain;
    for (int k = 0; k < DGM_MAX_AXES; k++) {
        job.mapper.intervals[k] = 77 + k;
        job.mapper.overlap[k] = 0.01 * k;
    }
    assert_int_equal(dgm_study_apply(ctx, made, 0, &job), DGM_OK);
    for (int k = 1; k < DGM_MAX_AXES; k++) {
        assert_int_equal(job.mapper.intervals[k], DGM_SAME);
        assert_near(job.mapper.overlap[k], DGM_SAME, 0);
    }
    dgm_study_free(made);
    dgm_graph_free(graph);
}

/* ---- grades and order ---- */

/* The next number of intervals of the same lens, transform and overlap, in that direction. */
static const dgm_study_candidate *beside(const dgm_study_candidate *all, int64_t count,
                                         const dgm_study_candidate *of, bool up) {
    const dgm_study_candidate *found = NULL;
    for (int64_t i = 0; i < count; i++) {
        const dgm_study_candidate *is = &all[i];
        bool right = up ? is->intervals > of->intervals : is->intervals < of->intervals;
        if (right && is->intervals && of->intervals && is->overlap == of->overlap &&
            is_same(is->lens, of->lens) && is_same(is->transform, of->transform) &&
            (!found || (up ? is->intervals < found->intervals : is->intervals > found->intervals)))
            found = is;
    }
    return found;
}

static double likeness(const dgm_study_measures *a, const dgm_study_measures *b) {
    double pieces = (double)(a->apart + 1) / (double)(b->apart + 1);
    double loops = (double)(a->loops + 1) / (double)(b->loops + 1);
    return sqrt(fmin(pieces, 1 / pieces) * fmin(loops, 1 / loops));
}

static void scores_are_made_of_grades_and_neighbours(void **state) {
    (void)state;
    int64_t count, uneven = 0;
    dgm_graph *graph = open_graph("karate");
    dgm_job job;
    dgm_job_init(&job);
    dgm_study *made = study(graph, &job, NULL);
    const dgm_study_candidate *all = dgm_study_candidates(made, &count);
    for (int64_t i = 0; i < count; i++) {
        const dgm_study_grades *is = &all[i].grades;
        const dgm_study_candidate *low = beside(all, count, &all[i], false);
        const dgm_study_candidate *high = beside(all, count, &all[i], true);
        double sum = (low ? likeness(&all[i].measures, &low->measures) : 0) +
                     (high ? likeness(&all[i].measures, &high->measures) : 0);
        assert_near(is->steady, low || high ? sum / ((low != NULL) + (high != NULL)) : 1, 1e-12);
        assert_near(all[i].score,
                    is->number * is->giant * is->held * is->edges * is->joined * is->dust *
                        sqrt(sqrt(is->steady)),
                    1e-12);
        assert_true(i == 0 || all[i].score <= all[i - 1].score);
        uneven += is->steady < 1;
    }
    assert_true(uneven > 10);
    dgm_study_free(made);
    dgm_graph_free(graph);
}

/* One for each lens and transform: the first of them. */
static void the_best_of_each_lens_leads(void **state) {
    (void)state;
    int64_t count, leaders = 0;
    dgm_graph *graph = open_graph("karate");
    dgm_job job;
    dgm_job_init(&job);
    dgm_study *made = study(graph, &job, NULL);
    const dgm_study_candidate *all = dgm_study_candidates(made, &count);
    for (int64_t i = 0; i < count; i++) {
        bool leads = true;
        for (int64_t k = 0; k < i; k++)
            leads = leads && !(is_same(all[i].lens, all[k].lens) &&
                               is_same(all[i].transform, all[k].transform));
        assert_int_equal(dgm_study_leads(made, i), leads);
        leaders += leads;
    }
    assert_int_equal(leaders, 5); /* two of eigenvectors, density, and two of PageRank */
    dgm_study_free(made);
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    options.open = DGM_OPEN_OVERLAP; /* the lens is the job's for all */
    made = study(graph, &job, &options);
    assert_true(dgm_study_leads(made, 0));
    assert_false(dgm_study_leads(made, 1));
    dgm_study_free(made);
    dgm_graph_free(graph);
}

/* The lens that a study keeps is the one that the settings of its first candidate make, of equal
 * scores too. */
static void check_lens(const dgm_graph *graph) {
    dgm_lens_result *lens;
    dgm_job job;
    dgm_job_init(&job);
    dgm_study *made = study(graph, &job, NULL);
    assert_int_equal(dgm_study_apply(ctx, made, 0, &job), DGM_OK);
    assert_int_equal(dgm_job_lens(ctx, &job, graph, &lens), DGM_OK);
    const dgm_matrix *a = dgm_lens_result_axes(lens);
    const dgm_matrix *b = dgm_lens_result_axes(dgm_study_lens(made));
    assert_int_equal(dgm_matrix_columns(a), dgm_matrix_columns(b));
    assert_string_equal(dgm_matrix_column_name(a, 0), dgm_matrix_column_name(b, 0));
    assert_string_equal(dgm_matrix_column_transform(a, 0), dgm_matrix_column_transform(b, 0));
    assert_memory_equal(dgm_matrix_values(a), dgm_matrix_values(b),
                        (size_t)(dgm_matrix_rows(a) * dgm_matrix_columns(a)) * sizeof(double));
    dgm_lens_result_free(lens);
    dgm_study_free(made);
}

static void the_lens_is_that_of_the_best_candidate(void **state) {
    (void)state;
    const uint32_t pair[] = {0, 1}, star[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6};
    dgm_graph *graphs[] = {open_graph("karate"),
                           build_graph(NULL, 50, 0, NULL, NULL),
                           build_graph(NULL, 2, 1, pair, NULL),
                           build_graph(NULL, 7, 6, star, NULL),
                           build_graph(NULL, 40, 6, star, NULL),
                           make_ladder(30)};
    for (int64_t i = 0; i < COUNT(graphs); i++) {
        check_lens(graphs[i]);
        dgm_graph_free(graphs[i]);
    }
}

/* ---- lenses that do not go, dust, samples ---- */

/* Eigenvectors have values below nought, of which there is no logarithm. */
static void a_lens_that_the_graph_does_not_allow_is_left_out(void **state) {
    (void)state;
    int64_t count;
    dgm_graph *graph = open_graph("karate");
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    dgm_job job;
    dgm_job_init(&job);
    assert_int_equal(dgm_job_set(ctx, &job, "transform", "log"), DGM_OK);
    job.outputs[job.output_count++] =
        "no/such/folder/of.anything"; /* which a study does not write */
    dgm_study *made = study(graph, &job, NULL);
    const dgm_study_candidate *all = dgm_study_candidates(made, &count);
    assert_true(count > 0);
    for (int64_t i = 0; i < count; i++) {
        assert_null(all[i].transform);
        assert_true(is_same(all[i].lens, "density") || is_same(all[i].lens, "pagerank"));
    }
    dgm_study_free(made);
    assert_int_equal(dgm_job_set(ctx, &job, "lens", "eigen:k=1"), DGM_OK);
    options.open = DGM_OPEN_INTERVALS; /* a lens that was asked for is not left out */
    assert_int_equal(dgm_study_create(ctx, graph, &job, &options, &made), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), "the transform log needs values of at least 0");
    assert_null(made);
    dgm_graph_free(graph);
}

static dgm_study_candidate first_of(const dgm_graph *graph, const dgm_job *job, unsigned open,
                                    int64_t dust, int64_t most) {
    int64_t count;
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    options.open = open;
    options.dust_size = dust;
    options.most = most;
    said[0] = '\0';
    dgm_context_set_notes(ctx, listen, NULL);
    dgm_study *made = study(graph, job, &options);
    dgm_context_set_notes(ctx, NULL, NULL);
    dgm_study_candidate first = dgm_study_candidates(made, &count)[0];
    dgm_study_free(made);
    return first;
}

/* A study that chooses the size of dust says so unless it is the usual one. */
static void dust_is_the_studys_or_the_jobs(void **state) {
    (void)state;
    dgm_graph *graph = make_ladder(40), *large = build_graph(NULL, 20000, 0, NULL, NULL);
    dgm_job job;
    dgm_job_init(&job);
    assert_int_equal(dgm_job_set(ctx, &job, "lens", "degree"), DGM_OK);
    assert_int_equal(dgm_job_set(ctx, &job, "dust-size", "9"), DGM_OK);
    assert_int_equal(first_of(graph, &job, DGM_OPEN_DUST, 0, 1000).dust_size, 0);
    assert_int_equal(first_of(graph, &job, DGM_OPEN_DUST, 5, 1000).dust_size, 0);
    assert_int_equal(first_of(graph, &job, DGM_OPEN_DUST, 6, 1000).dust_size, 6);
    assert_int_equal(first_of(graph, &job, DGM_OPEN_DUST, 4, 1000).dust_size, 4);
    assert_int_equal(first_of(graph, &job, 0, 6, 1000).dust_size, 0);
    assert_int_equal(first_of(graph, &job, 0, 80, 1000).measures.shown, 1);
    assert_int_equal(first_of(graph, &job, 0, 81, 1000).measures.shown, 0);
    assert_int_equal(dgm_job_set(ctx, &job, "dust-size", "81"), DGM_OK);
    assert_int_equal(first_of(graph, &job, 0, 0, 1000).measures.shown, 0);
    assert_int_equal(first_of(graph, &job, DGM_OPEN_DUST, 0, 1000).measures.shown, 1);
    assert_int_equal(first_of(large, &job, DGM_OPEN_DUST, 0, 1000).dust_size, 10);
    dgm_graph_free(large);
    dgm_graph_free(graph);
}

/* A ladder of 40 rungs has 120 edges. */
static void only_graphs_of_more_edges_are_sampled(void **state) {
    (void)state;
    dgm_graph *graph = make_ladder(40);
    dgm_job job;
    dgm_job_init(&job);
    assert_int_equal(dgm_job_set(ctx, &job, "lens", "degree"), DGM_OK);
    dgm_study_candidate whole = first_of(graph, &job, DGM_OPEN_PIECES, 0, 120);
    assert_null(strstr(said, "sample"));
    assert_int_equal(whole.pieces, -1);
    assert_int_equal(whole.measures.clusters, 1);
    dgm_study_candidate part = first_of(graph, &job, DGM_OPEN_PIECES, 0, 119);
    ASSERT_HAS(said, "choosing: settings are judged on a sample of ");
    ASSERT_HAS(said, " of 80 nodes");
    assert_int_equal(part.pieces, DGM_PIECES_JOINED); /* what a sample does not cut the graph may */
    assert_true(first_of(graph, &job, 0, 0, 1).measures.clusters > 0);
    dgm_graph_free(graph);
}

static void options_have_bounds(void **state) {
    (void)state;
    dgm_graph *graph = make_ladder(5);
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    dgm_study *made;
    dgm_job job;
    dgm_job_init(&job);
    options.most = 0;
    ASSERT_FAILS(dgm_study_create(ctx, graph, &job, &options, &made), DGM_ERROR_USAGE,
                 "the options of a study are out of their bounds");
    options.size = 1;
    assert_int_equal(dgm_study_create(ctx, graph, &job, &options, &made), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "dgm_study_options was not initialised");
    assert_null(made);
    dgm_graph_free(graph);
}

/* ---- progress ---- */

/* Every cover of every lens is one step of the same length as the others of its lens. */
static void progress_rises_step_by_step_to_its_end(void **state) {
    (void)state;
    enum { LOOKS = 4, COVERS = 6 };
    dgm_graph *graph = make_ladder(30);
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    dgm_job job;
    int64_t steps = 0;
    dgm_job_init(&job);
    assert_int_equal(dgm_job_set(ctx, &job, "transform", "rank"), DGM_OK);
    options.open = DGM_OPEN_LENS | DGM_OPEN_OVERLAP;
    hear_progress();
    dgm_study *made = study(graph, &job, &options);
    hear_no_more();
    for (int64_t i = 0; i < heard_count; i++)
        if (strcmp(heard_reports[i].stage, "choosing") == 0)
            assert_near(heard_reports[i].fraction, (double)++steps / (LOOKS * COVERS), 1e-12);
    assert_int_equal(steps, LOOKS * COVERS);
    dgm_study_free(made);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_what_their_settings_show),
        cmocka_unit_test(candidates_keep_what_the_job_says),
        cmocka_unit_test(settings_are_those_of_all_axes),
        cmocka_unit_test(scores_are_made_of_grades_and_neighbours),
        cmocka_unit_test(the_best_of_each_lens_leads),
        cmocka_unit_test(the_lens_is_that_of_the_best_candidate),
        cmocka_unit_test(a_lens_that_the_graph_does_not_allow_is_left_out),
        cmocka_unit_test(dust_is_the_studys_or_the_jobs),
        cmocka_unit_test(only_graphs_of_more_edges_are_sampled),
        cmocka_unit_test(options_have_bounds),
        cmocka_unit_test(progress_rises_step_by_step_to_its_end),
    };
    return RUN_WITH_CONTEXT(tests);
}
