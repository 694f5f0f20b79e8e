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
    expected.bits.runs = 0; /* the best is compared with chance as well */
    expected.bits.chance = expected.bits.chance_most = expected.bits.spread = 0;
    expected.bits.bare = expected.bits.bare_most = expected.bits.bare_spread = 0;
    assert_memory_equal(&measures, &expected, sizeof measures);
    dgm_job_result_free(&result);
}

static int64_t dust_of(const dgm_study_candidate *candidate) {
    return candidate->dust_size > 0 ? candidate->dust_size : DGM_DUST_SIZE;
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
        assert_true(count >= 5);
        for (int64_t i = 0; i < count; i++)
            check_measures(graphs[g], made, i, &job,
                           dust_of(&dgm_study_candidates(made, &count)[i]));
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
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    dgm_job job, plain;
    dgm_job_init(&plain);
    options.open = DGM_OPEN_ALL & ~(unsigned)DGM_OPEN_COVER; /* parts have no axes */
    dgm_study *made = study(graph, &plain, &options);
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

/* ---- order ---- */

/* In a long graph the way is to be seen: of settings that save at least three quarters of what the
 * best ones save, those with the most marks come first. Others stay in order. */
static void of_a_long_graph_the_finest_of_the_best_is_first(void **state) {
    (void)state;
    int64_t count, better = 0;
    dgm_generate_options lattice = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    dgm_job job;
    dgm_job_init(&job);
    lattice.kind = DGM_GENERATE_GRID;
    lattice.nodes = 40 * 40;
    assert_int_equal(dgm_graph_generate(ctx, &lattice, NULL, &graph), DGM_OK);
    dgm_study *made = study(graph, &job, NULL);
    const dgm_study_candidate *all = dgm_study_candidates(made, &count);
    assert_true(count > 5); /* smaller shares were tried */
    for (int64_t i = 1; i < count; i++) {
        bool alike = all[i].misfit == all[0].misfit;
        double most = all[1].score > all[0].score ? all[1].score : all[0].score;
        if (alike && all[i].score > 0.75 * most)
            assert_true(all[i].measures.marks <= all[0].measures.marks);
        better += alike && all[i].score > all[0].score;
        assert_true(i == 1 || all[i - 1].misfit < all[i].misfit ||
                    (all[i - 1].misfit == all[i].misfit && all[i - 1].score >= all[i].score));
    }
    assert_true(better > 0);
    dgm_study_free(made);
    dgm_graph_free(graph);
}

/* Smaller shares are tried until cells do not cut the graph, and edges of the graph join clusters if
 * all of them do. */
static void smaller_shares_are_for_graphs_that_cells_cut(void **state) {
    (void)state;
    static const char *const covers[] = {"parts:share=0.3", "parts:share=0.2", "parts:share=0.1"};
    dgm_graph *graphs[] = {open_graph("karate"), make_ladder(400)};
    static const double most[] = {0.5, 0.1}; /* a ladder is long */
    dgm_job job;
    dgm_job_init(&job);
    for (int64_t g = 0; g < COUNT(graphs); g++) {
        int64_t count;
        dgm_study *made = study(graphs[g], &job, NULL);
        const dgm_study_candidate *all = dgm_study_candidates(made, &count);
        assert_true(count >= 5);
        for (int64_t i = 0; i < count; i++) {
            bool goes_on = true, structural = all[i].edges == DGM_EDGES_STRUCTURAL;
            for (int64_t s = 0; s < COUNT(covers) && goes_on; s++) {
                if (!structural && is_same(all[i].cover, covers[s]))
                    break;
                goes_on = false; /* unless this lens was tried with the share before, which cuts */
                for (int64_t k = 0; k < count; k++)
                    goes_on = goes_on || (is_same(all[i].lens, all[k].lens) && all[k].edges < 0 &&
                                          is_same(all[k].cover, covers[s]) &&
                                          (double)all[k].measures.taken >
                                              most[g] * (double)all[k].measures.clusters);
            }
            assert_true(goes_on);
            assert_true(!structural || (all[i].pieces < 0 && all[i].measures.taken == 0));
        }
        dgm_study_free(made);
        dgm_graph_free(graphs[g]);
    }
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
    assert_int_equal(leaders, 5); /* communities at each resolution */
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

/* So many rings, and one more that is longer. */
static dgm_graph *make_rings(uint32_t count, uint32_t length, uint32_t last) {
    static uint32_t ends[2 * 4000];
    uint32_t nodes = 0;
    for (uint32_t r = 0; r <= count; r++) {
        uint32_t size = r < count ? length : last;
        for (uint32_t i = 0; i < size; i++) {
            ends[2 * (nodes + i)] = nodes + i;
            ends[2 * (nodes + i) + 1] = nodes + (i + 1) % size;
        }
        nodes += size;
    }
    return build_graph(NULL, nodes, nodes, ends, NULL);
}

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
        assert_string_equal(all[i].lens, "pagerank");
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
    dgm_graph *graph = make_ladder(40), *many = make_rings(200, 6, 100);
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
    /* 201 marks are too many: rings of six are folded where the size may be chosen. */
    dgm_study_candidate first = first_of(many, &job, DGM_OPEN_DUST, 0, 9000);
    assert_true(first.dust_size == 10 && first.measures.marks == 2);
    assert_near(first.measures.held, 1, 0); /* of the nodes whose component is as large */
    /* The long ring is all that is left to be seen, beside one pile: too few marks. */
    assert_near(first.misfit, 1 + 0.5, 1e-12);
    first = first_of(many, &job, DGM_OPEN_DUST, 5, 9000);
    assert_true(first.dust_size == 0 && first.measures.marks == 201);
    dgm_graph_free(many);
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
    enum { LOOKS = 2, COVERS = 6 };
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
        cmocka_unit_test(of_a_long_graph_the_finest_of_the_best_is_first),
        cmocka_unit_test(smaller_shares_are_for_graphs_that_cells_cut),
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
