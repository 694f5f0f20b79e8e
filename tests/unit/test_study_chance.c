/* SPDX-License-Identifier: Apache-2.0 */
/* What the same settings give where edges were drawn at random. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

#include "dgm/study.h"

#include "unit_faults.h"
#include "unit_progress.h"

static dgm_graph *generate(int kind, int64_t nodes, int64_t edges, int64_t seed) {
    dgm_generate_options options = DGM_GENERATE_OPTIONS_INIT;
    dgm_graph *graph;
    options.kind = kind;
    options.nodes = nodes;
    options.edges = edges;
    options.seed = seed;
    options.rewire = 1;
    assert_int_equal(dgm_graph_generate(ctx, &options, NULL, &graph), DGM_OK);
    return graph;
}

static void plan(dgm_job *job) {
    dgm_job_init(job);
    assert_int_equal(dgm_job_set(ctx, job, "lens", "communities"), DGM_OK);
    assert_int_equal(dgm_job_set(ctx, job, "cover", "parts"), DGM_OK);
}

/* The bits of the job's summary, and what chance gives in so many runs. */
static dgm_bits ask(const dgm_graph *graph, const dgm_job *job, int64_t runs) {
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_job_result made;
    input.graph = graph;
    assert_int_equal(dgm_job_run(ctx, job, &input, DGM_KEEP_SUMMARY, &made), DGM_OK);
    dgm_bits bits = dgm_summary_get_bits(made.summary);
    dgm_job_result_free(&made);
    if (dgm_study_chance(ctx, graph, job, NULL, runs, &bits) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return bits;
}

/* Of a small graph there may be many, which differ from each other; of a large one a few do. */
static void small_graphs_are_rewired_more_often(void **state) {
    (void)state;
    static const int64_t cases[][2] = {{0, 20},    {5000, 20},  {5001, 5},   {20000, 5},
                                       {20001, 2}, {200000, 2}, {200001, 1}, {100000000, 1}};
    for (int64_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(dgm_study_chance_runs(cases[i][0]), cases[i][1]);
}

/* Rewired by hand, one after the other from the seed of the job on. */
static void numbers_are_those_of_rewired_graphs(void **state) {
    (void)state;
    enum { RUNS = 6, SEED = 40 };
    double saved[RUNS], bare[RUNS], sum = 0, sum_bare = 0, squares = 0, most = -INFINITY,
                                    most_bare = -INFINITY;
    dgm_graph *graph = generate(DGM_GENERATE_SBM, 60, 240, 3);
    dgm_job job;
    plan(&job);
    job.seed = SEED;
    for (int r = 0; r < RUNS; r++) {
        dgm_graph *rewired;
        assert_int_equal(dgm_graph_rewire(ctx, graph, SEED + r, &rewired), DGM_OK);
        const dgm_bits one = ask(rewired, &job, 0);
        saved[r] = one.gained - one.cost;
        bare[r] = saved[r] + one.told;
        sum += saved[r] / RUNS;
        sum_bare += bare[r] / RUNS;
        most = fmax(most, saved[r]);
        most_bare = fmax(most_bare, bare[r]);
        dgm_graph_free(rewired);
    }
    for (int r = 0; r < RUNS; r++)
        squares += (saved[r] - sum) * (saved[r] - sum) / (RUNS - 1);
    const dgm_bits bits = ask(graph, &job, RUNS);
    assert_int_equal(bits.runs, RUNS);
    assert_near(bits.chance, sum, 1e-12);
    assert_near(bits.chance_most, most, 1e-12);
    assert_near(bits.spread, sqrt(squares), 1e-12);
    assert_near(bits.bare, sum_bare, 1e-12);
    assert_near(bits.bare_most, most_bare, 1e-12);
    assert_true(bits.spread > 0 && bits.bare_spread > 0);
    dgm_graph_free(graph);
}

static void one_run_has_no_spread_and_none_says_nothing(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_SBM, 60, 240, 3);
    dgm_job job;
    plan(&job);
    dgm_bits bits = ask(graph, &job, 1);
    assert_true(bits.runs == 1 && bits.spread == 0 && bits.bare_spread == 0);
    assert_true(bits.chance == bits.chance_most && bits.bare == bits.bare_most);
    bits = ask(graph, &job, 0);
    assert_int_equal(dgm_bits_finding(&bits), DGM_FINDING_UNKNOWN);
    assert_true(bits.runs == 0 && bits.chance == 0 && bits.spread == 0);
    dgm_graph_free(graph);
}

/* ---- what is found ---- */

static dgm_finding found_in(const dgm_graph *graph) {
    dgm_study *made;
    dgm_job job;
    int64_t count;
    dgm_job_init(&job);
    assert_int_equal(dgm_study_create(ctx, graph, &job, NULL, &made), DGM_OK);
    dgm_finding finding = dgm_bits_finding(&dgm_study_candidates(made, &count)->measures.bits);
    dgm_study_free(made);
    return finding;
}

/* Edges at random, of equal degrees or of a heavy tail. Chance reaches a threshold that is rarely
 * reached by chance now and then. */
static void nothing_is_found_in_random_graphs(void **state) {
    (void)state;
    static const int kinds[] = {DGM_GENERATE_WS, DGM_GENERATE_BA};
    enum { SEEDS = 2 };
    for (int64_t k = 0; k < COUNT(kinds); k++) {
        int found = 0;
        for (int64_t seed = 1; seed <= SEEDS; seed++) {
            dgm_graph *graph = generate(kinds[k], 400, 2000, seed);
            dgm_finding finding = found_in(graph);
            assert_int_not_equal(finding, DGM_FINDING_FOUND);
            found += finding != DGM_FINDING_NONE;
            dgm_graph_free(graph);
        }
        assert_in_range(found, 0, 1);
    }
}

/* Blocks that were planted are found, and not after the graph was rewired at equal degrees. */
static void blocks_are_found_until_they_are_rewired(void **state) {
    (void)state;
    enum { SEEDS = 2 };
    int found = 0;
    for (int64_t seed = 1; seed <= SEEDS; seed++) {
        dgm_graph *graph = generate(DGM_GENERATE_SBM, 400, 3200, seed), *rewired;
        assert_int_equal(dgm_graph_rewire(ctx, graph, 100 + seed, &rewired), DGM_OK);
        assert_int_equal(found_in(graph), DGM_FINDING_FOUND);
        dgm_finding finding = found_in(rewired);
        assert_int_not_equal(finding, DGM_FINDING_FOUND);
        found += finding != DGM_FINDING_NONE;
        dgm_graph_free(rewired);
        dgm_graph_free(graph);
    }
    assert_in_range(found, 0, 1);
}

/* Features that were dealt out at random explain less, where they say where a node is. */
static void features_are_compared_with_shuffled_ones(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_PAPERS, 300, 0, 1),
              *bare = generate(DGM_GENERATE_SBM, 60, 240, 3);
    dgm_job job;
    plan(&job);
    dgm_bits bits = ask(graph, &job, 2);
    assert_true(bits.features > 0 && bits.features_chance >= 0);
    assert_true(bits.features_chance < bits.features);
    bits = ask(graph, &job, 0);
    assert_true(bits.features > 0 && bits.features_chance < 0);
    bits = ask(bare, &job, 2);
    assert_true(bits.features < 0 && bits.features_chance < 0);
    dgm_graph_free(bare);
    dgm_graph_free(graph);
}

/* ---- how it is asked ---- */

static int notes;
static void count_note(void *user, const char *note) {
    (void)user, (void)note;
    notes++;
}

static void random_graphs_say_nothing(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_SBM, 60, 240, 3);
    dgm_bits bits = {.known = true};
    dgm_job job;
    dgm_job_init(&job);
    assert_int_equal(dgm_job_set(ctx, &job, "lens", "eigen:k=1"), DGM_OK); /* says its eigenvalue */
    notes = 0;
    dgm_context_set_notes(ctx, count_note, NULL);
    assert_int_equal(dgm_study_chance(ctx, graph, &job, NULL, 2, &bits), DGM_OK);
    assert_int_equal(notes, 0);
    ask(graph, &job, 2);
    assert_int_equal(notes, 1); /* of the graph itself, which comes first */
    dgm_context_set_notes(ctx, NULL, NULL);
    dgm_graph_free(graph);
}

/* Files are written once, and a lens or a summary of the graph is none of its rewired graphs. */
static void what_is_of_the_graph_itself_is_left_aside(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_SBM, 60, 240, 3);
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_lens_result *lens;
    dgm_job job;
    plan(&job);
    const dgm_bits plain = ask(graph, &job, 3);
    dgm_bits bits = plain;
    assert_int_equal(dgm_job_lens(ctx, &job, graph, &lens), DGM_OK);
    input.made = lens;
    job.outputs[job.output_count++] = "no/such/folder/of.json";
    assert_int_equal(dgm_study_chance(ctx, graph, &job, &input, 3, &bits), DGM_OK);
    assert_memory_equal(&bits, &plain, sizeof bits);
    dgm_lens_result_free(lens);
    dgm_graph_free(graph);
}

static void bad_input_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_SBM, 60, 240, 3);
    const dgm_bits none = {.known = true, .runs = 7, .chance = 3};
    dgm_bits bits = none;
    dgm_job job;
    plan(&job);
    ASSERT_FAILS(dgm_study_chance(ctx, graph, &job, NULL, -1, &bits), DGM_ERROR_USAGE,
                 "chance takes 0 runs or more");
    assert_int_equal(dgm_job_set(ctx, &job, "lens", "attr:nothing"), DGM_OK);
    assert_int_not_equal(dgm_study_chance(ctx, graph, &job, NULL, 2, &bits), DGM_OK);
    assert_memory_equal(&bits, &none, sizeof bits); /* nothing is half written */
    dgm_graph_free(graph);
}

static bool stop(void *user, const char *stage, double fraction) {
    (void)user, (void)fraction;
    return strcmp(stage, "asking chance") != 0;
}

static void it_may_be_cancelled_and_reports_each_run(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_SBM, 60, 240, 3);
    dgm_bits bits = {.known = true};
    dgm_job job;
    plan(&job);
    hear_progress();
    assert_int_equal(dgm_study_chance(ctx, graph, &job, NULL, 5, &bits), DGM_OK);
    hear_no_more();
    assert_int_equal(reports_of("asking chance"), 5);
    dgm_context_set_progress(ctx, stop, NULL);
    assert_int_equal(dgm_study_chance(ctx, graph, &job, NULL, 5, &bits), DGM_ERROR_CANCELLED);
    dgm_context_set_progress(ctx, NULL, NULL);
    dgm_graph_free(graph);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    dgm_graph *graph = generate(DGM_GENERATE_SBM, 400, 3200, 1);
    dgm_job job;
    plan(&job);
    dgm_context_set_threads(ctx, 1);
    const dgm_bits one = ask(graph, &job, 3);
    dgm_context_set_threads(ctx, 4);
    const dgm_bits four = ask(graph, &job, 3);
    dgm_context_set_threads(ctx, 0);
    assert_memory_equal(&one, &four, sizeof one);
    dgm_graph_free(graph);
}

/* ---- memory that ends ---- */

static dgm_status chance_once(dgm_context *own, void *argument) {
    dgm_bits bits = {.known = true};
    dgm_job job;
    dgm_job_init(&job);
    dgm_status status = dgm_job_set(own, &job, "lens", "communities");
    if (status == DGM_OK)
        status = dgm_job_set(own, &job, "cover", "parts");
    return status == DGM_OK ? dgm_study_chance(own, argument, &job, NULL, 2, &bits) : status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    const uint32_t ends[] = {0, 1, 1, 2, 2, 0, 2, 3, 3, 4, 4, 5, 5, 3};
    dgm_graph *graph = build_graph(NULL, 7, 7, ends, NULL);
    fail_each_allocation(chance_once, graph);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs_are_rewired_more_often),
        cmocka_unit_test(numbers_are_those_of_rewired_graphs),
        cmocka_unit_test(one_run_has_no_spread_and_none_says_nothing),
        cmocka_unit_test(nothing_is_found_in_random_graphs),
        cmocka_unit_test(blocks_are_found_until_they_are_rewired),
        cmocka_unit_test(features_are_compared_with_shuffled_ones),
        cmocka_unit_test(random_graphs_say_nothing),
        cmocka_unit_test(what_is_of_the_graph_itself_is_left_aside),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(it_may_be_cancelled_and_reports_each_run),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
