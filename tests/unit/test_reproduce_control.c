/* SPDX-License-Identifier: Apache-2.0 */
/* A random lens with as many clusters: which number of intervals is chosen, and by which commands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "base_context.h"
#include "reproduce_control.h"
#include "reproduce_panels.h"

/* What the stranger who runs commands was asked. */
static int sweeps, maps;
static char asked[512];

/* Numbers of clusters do not rise all the way: at first 10, then 40, 90, 60 and 90. */
static const char panels[] =
    "{\"panels\": ["
    "{\"intervals\": 1, \"overlap\": 0.25, \"clusters\": 10, \"edges\": 1, \"b0\": 9, \"b1\": 0, "
    "\"cycle_rank\": 0},"
    "{\"intervals\": 2, \"overlap\": 0.25, \"clusters\": 40, \"edges\": 2, \"b0\": 38, \"b1\": 0, "
    "\"cycle_rank\": 0},"
    "{\"intervals\": 3, \"overlap\": 0.25, \"clusters\": 90, \"edges\": 93, \"b0\": 4, \"b1\": 5, "
    "\"cycle_rank\": 7},"
    "{\"intervals\": 4, \"overlap\": 0.25, \"clusters\": 60, \"edges\": 0, \"b0\": 60, \"b1\": 0, "
    "\"cycle_rank\": 0},"
    "{\"intervals\": 5, \"overlap\": 0.25, \"clusters\": 90, \"edges\": 0, \"b0\": 90, \"b1\": 0, "
    "\"cycle_rank\": 0}]}";

/* Any summary of the karate club will do. */
static dgm_status write_summary(const char *file) {
    dgm_graph *graph = NULL;
    dgm_matrix *lens = NULL;
    dgm_summary *summary = NULL;
    dgm_status status = dgm_graph_open(ctx, "karate", DGM_FORMAT_AUTO, NULL, NULL, 1, &graph);
    if (status == DGM_OK)
        status = dgm_lens_degree(ctx, graph, &lens);
    if (status == DGM_OK)
        status = dgm_mapper_run(ctx, graph, lens, NULL, &summary);
    if (status == DGM_OK)
        status = dgm_export_write(ctx, &(dgm_export_subject){.summary = summary, .graph = graph},
                                  &file, 1);
    dgm_summary_free(summary);
    dgm_matrix_free(lens);
    dgm_graph_free(graph);
    return status;
}

static dgm_status run_command(void *user, int count, const char *const *words) {
    (void)user;
    if (strcmp(words[0], "sweep") == 0) {
        FILE *file = fopen("sweep.json", "w");
        sweeps++;
        assert_non_null(file);
        fputs(panels, file);
        fclose(file);
        return DGM_OK;
    }
    maps++;
    asked[0] = '\0';
    for (int i = 0; i < count - 3; i++) /* without --quiet and --threads N */
        snprintf(asked + strlen(asked), sizeof asked - strlen(asked), "%s%s", i ? " " : "",
                 words[i]);
    return write_summary("random.json");
}

static int begin(void **state) {
    return scratch_begin(state) || chdir(scratch_root) != 0;
}

static dgmi_reproduce_look look_randomly(const char *filter, int64_t clusters) {
    dgm_reproduce_options options = DGM_REPRODUCE_OPTIONS_INIT;
    dgmi_reproduce_record record;
    dgmi_reproduce_making making = {ctx, &options, "test", &record};
    dgmi_reproduce_random random = {"karate", "sweep.json", "--overlap 0.25", filter};
    dgmi_reproduce_look look;
    dgm_graph *graph;
    options.command = run_command;
    dgmi_reproduce_record_init(&record, ctx);
    assert_int_equal(dgmi_reproduce_open(&making, "karate", &graph), DGM_OK);
    if (dgmi_reproduce_look_randomly(&making, &random, "random.json", graph, clusters, &look) !=
        DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_int_equal(record.count, 2);
    dgm_graph_free(graph);
    dgmi_reproduce_record_free(&record);
    return look;
}

static void the_nearest_number_of_clusters_is_chosen(void **state) {
    (void)state;
    maps = 0;
    dgmi_reproduce_look look = look_randomly("", 61);
    assert_string_equal(asked,
                        "map karate --lens random --intervals 4 --overlap 0.25 -o random.json");
    assert_int_equal(maps, 1);
    assert_true(look.clusters > 1);
    assert_int_equal(look.classes.shown, 2);
    assert_true(look.classes.purity.expected > 0.5 && look.classes.purity.expected < 1);
    look_randomly("", 0);
    assert_non_null(strstr(asked, "--intervals 1 "));
    look_randomly("", 1000000);
    assert_non_null(strstr(asked, "--intervals 3 ")); /* the first of two with 90 */
    look_randomly("", 50);
    assert_non_null(strstr(asked, "--intervals 2 ")); /* 40 and 60 are equally near */
}

static void what_is_dropped_is_dropped_after_the_choice(void **state) {
    (void)state;
    look_randomly("--min-component 3", 88);
    assert_string_equal(asked, "map karate --lens random --intervals 3 --overlap 0.25 "
                               "--min-component 3 -o random.json");
}

static void the_table_is_made_once(void **state) {
    (void)state;
    assert_int_equal(sweeps, 1);
}

static void panels_are_read_as_they_stand(void **state) {
    dgm_reproduce_options options = DGM_REPRODUCE_OPTIONS_INIT;
    dgmi_reproduce_making making = {ctx, &options, "test", NULL};
    dgmi_reproduce_panel read[4];
    int64_t count;
    (void)state;
    assert_int_equal(dgmi_reproduce_panels_read(&making, "sweep.json", 1, 4, read, &count), DGM_OK);
    assert_int_equal(count, 4); /* of five there is room for four */
    assert_int_equal(read[2].intervals, 3);
    assert_true(read[2].overlap == 0.25);
    assert_int_equal(read[2].clusters, 90);
    assert_int_equal(read[2].edges, 93);
    assert_int_equal(read[2].b0, 4);
    assert_int_equal(read[2].b1, 5);
    assert_int_equal(read[2].cycle_rank, 7);
    assert_int_equal(dgmi_reproduce_panels_read(&making, "nothing.json", 1, 4, read, &count),
                     DGM_ERROR_FILE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_number_of_clusters_is_chosen),
        cmocka_unit_test(what_is_dropped_is_dropped_after_the_choice),
        cmocka_unit_test(the_table_is_made_once),
        cmocka_unit_test(panels_are_read_as_they_stand),
    };
    return RUN_GROUP(tests, begin, scratch_end);
}
