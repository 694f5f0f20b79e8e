/* SPDX-License-Identifier: Apache-2.0 */
/* A mapper that keeps its stages gives, option by option, the bytes of one that begins anew. */
#include "property_fixture.h"

#include <stdio.h>
#include <string.h>

/* Takes a part of the options from another case: from all of them to those of the last stage alone,
 * so that every stage is kept now and then. */
static void mix_options(check_random *random, property_case *from, dgm_mapper_options *options) {
    dgm_mapper_options before = *options;
    int part = check_random_between(random, 0, 3);
    *options = from->options;
    if (part >= 1) { /* the cells stay */
        options->cover = before.cover;
        options->rule = before.rule;
        options->given = before.given;
        options->given_count = before.given_count;
        memcpy(options->intervals, before.intervals, sizeof before.intervals);
        memcpy(options->overlap, before.overlap, sizeof before.overlap);
    }
    if (part >= 2) { /* so do the clusters */
        options->cluster = before.cluster;
        options->seed = before.seed;
    }
    if (part >= 3) { /* and where they meet */
        options->min_size = before.min_size;
        options->edges = before.edges;
        options->attach = before.attach;
    } else {
        options->attach = options->min_size > 1 && check_random_chance(random, 0.5);
    }
}

static char *text_of(const dgm_graph *graph, const dgm_summary *summary) {
    char *text;
    size_t length;
    const dgm_export_subject subject = {.summary = summary, .graph = graph};
    assert_int_equal(dgm_export_text(ctx, &subject, DGM_EXPORT_JSON, 0, &text, &length), DGM_OK);
    return text;
}

static void assert_same_text(const dgm_graph *graph, const dgm_summary *kept,
                             const dgm_summary *fresh, int number) {
    char *one = text_of(graph, kept), *other = text_of(graph, fresh);
    if (strcmp(one, other) != 0)
        fail_msg("seed %llu, case %d:\n%s\n%s", (unsigned long long)seed, number, one, other);
    dgm_export_text_free(ctx, one);
    dgm_export_text_free(ctx, other);
}

static void kept_stages_give_the_summary_of_a_fresh_run(void **state) {
    (void)state;
    static property_case drawn, other[6];
    int summaries = 0;
    for (int number = 0; number < 150; number++) {
        check_random random = check_random_case(seed, 41, number);
        property_draw(&random, &drawn);
        dgm_graph *graph = property_build_graph(ctx, &drawn.graph);
        dgm_matrix *lens = property_build_matrix(ctx, drawn.graph.nodes, drawn.columns, drawn.lens);
        dgm_mapper *mapper;
        assert_int_equal(dgm_mapper_create(ctx, graph, lens, &mapper), DGM_OK);
        dgm_mapper_options options = drawn.options;
        for (int i = 0; i < 6; i++) {
            dgm_summary *kept, *fresh;
            dgm_status status = dgm_mapper_summarise(ctx, mapper, &options, &kept);
            assert_int_equal(dgm_mapper_run(ctx, graph, lens, &options, &fresh), status);
            if (status == DGM_OK)
                assert_same_text(graph, kept, fresh, number);
            summaries += status == DGM_OK;
            dgm_summary_free(kept);
            dgm_summary_free(fresh);
            property_draw(&random, &other[i]);
            mix_options(&random, &other[i], &options);
        }
        dgm_mapper_free(mapper);
        dgm_matrix_free(lens);
        dgm_graph_free(graph);
    }
    assert_true(summaries > 600);
}

static int64_t stages_seen;
static char last_stage[64];

/* A stage reports more than once. */
static bool count_stages(void *user, const char *stage, double fraction) {
    (void)user;
    (void)fraction;
    static const char *const names[] = {"assigning cells", "finding clusters", "joining clusters"};
    for (int i = 0; i < 3; i++)
        stages_seen += strcmp(stage, names[i]) == 0 && strcmp(stage, last_stage) != 0;
    snprintf(last_stage, sizeof last_stage, "%s", stage);
    return true;
}

static int64_t stages_of(dgm_mapper *mapper, const dgm_mapper_options *options) {
    dgm_summary *summary;
    stages_seen = 0;
    dgm_context_set_progress(ctx, count_stages, NULL);
    assert_int_equal(dgm_mapper_summarise(ctx, mapper, options, &summary), DGM_OK);
    dgm_context_set_progress(ctx, NULL, NULL);
    dgm_summary_free(summary);
    return stages_seen;
}

static void only_the_stages_that_an_option_changes_are_run_again(void **state) {
    (void)state;
    const uint32_t path[][2] = {{0, 1}, {1, 2}, {2, 3}};
    const double height[] = {0, 1, 2, 3};
    property_graph small = {.nodes = 4, .count = 3};
    memcpy(small.edges, path, sizeof path);
    dgm_graph *graph = property_build_graph(ctx, &small);
    dgm_matrix *lens = property_build_matrix(ctx, 4, 1, height);
    dgm_mapper_options options;
    dgm_mapper_options_init(&options);
    dgm_mapper *mapper;
    assert_int_equal(dgm_mapper_create(ctx, graph, lens, &mapper), DGM_OK);
    assert_int_equal(stages_of(mapper, &options), 3);
    assert_int_equal(stages_of(mapper, &options), 0);
    options.eps = 0.5;
    options.min_component = 2;
    options.strength = DGM_STRENGTH_SAS;
    assert_int_equal(stages_of(mapper, &options), 0);
    options.min_size = 2;
    assert_int_equal(stages_of(mapper, &options), 1);
    options.min_size = 1;
    options.edges = DGM_EDGES_STRUCTURAL;
    assert_int_equal(stages_of(mapper, &options), 1);
    options.cluster = DGM_CLUSTER_NONE;
    assert_int_equal(stages_of(mapper, &options), 2);
    options.seed = 7;
    assert_int_equal(stages_of(mapper, &options), 2);
    options.overlap[0] = 0.3;
    assert_int_equal(stages_of(mapper, &options), 3);
    options.intervals[0] = 3;
    assert_int_equal(stages_of(mapper, &options), 3);
    options.intervals[1] = 5; /* of an axis that the lens does not have */
    assert_int_equal(stages_of(mapper, &options), 0);
    options.rule = DGM_RULE_KEPLER;
    assert_int_equal(stages_of(mapper, &options), 3);
    options.cover = DGM_COVER_QUANTILE;
    assert_int_equal(stages_of(mapper, &options), 3);
    dgm_interval given[] = {{0, 2}, {1, 4}};
    options.cover = DGM_COVER_INTERVALS;
    options.given = given;
    options.given_count = 2;
    assert_int_equal(stages_of(mapper, &options), 3);
    assert_int_equal(stages_of(mapper, &options), 0);
    given[1].low = 1.5; /* the caller's list is not the mapper's */
    assert_int_equal(stages_of(mapper, &options), 3);
    given[1].high = 5;
    assert_int_equal(stages_of(mapper, &options), 3);
    options.given_count = 1;
    assert_int_equal(stages_of(mapper, &options), 3);
    dgm_mapper_free(mapper);
    dgm_mapper_free(NULL);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

/* A run that is cancelled in some stage leaves a mapper that goes on from there. */
static int64_t reports, stop_at;

static bool stop(void *user, const char *stage, double fraction) {
    (void)user;
    (void)stage;
    (void)fraction;
    return ++reports != stop_at;
}

static void a_cancelled_stage_is_run_again(void **state) {
    (void)state;
    static property_case drawn;
    check_random random = check_random_case(seed, 42, 0);
    do
        property_draw(&random, &drawn);
    while (drawn.graph.nodes < 10);
    dgm_graph *graph = property_build_graph(ctx, &drawn.graph);
    dgm_matrix *lens = property_build_matrix(ctx, drawn.graph.nodes, drawn.columns, drawn.lens);
    dgm_summary *fresh = property_run(ctx, &drawn), *kept;
    dgm_mapper *mapper;
    assert_int_equal(dgm_mapper_create(ctx, graph, lens, &mapper), DGM_OK);
    dgm_context_set_progress(ctx, stop, NULL);
    for (stop_at = 1; stop_at < 5; stop_at++) {
        reports = 0;
        dgm_mapper_options options = drawn.options;
        if (dgm_mapper_summarise(ctx, mapper, &options, &kept) == DGM_OK)
            break;
        assert_null(kept);
    }
    assert_true(stop_at > 1);
    dgm_context_set_progress(ctx, NULL, NULL);
    dgm_context_resume(ctx);
    if (!kept)
        assert_int_equal(dgm_mapper_summarise(ctx, mapper, &drawn.options, &kept), DGM_OK);
    assert_same_text(graph, kept, fresh, 0);
    dgm_summary_free(kept);
    dgm_summary_free(fresh);
    dgm_mapper_free(mapper);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_stages_give_the_summary_of_a_fresh_run),
        cmocka_unit_test(only_the_stages_that_an_option_changes_are_run_again),
        cmocka_unit_test(a_cancelled_stage_is_run_again),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
