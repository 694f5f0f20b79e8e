/* SPDX-License-Identifier: Apache-2.0 */
/* The one job: graphs by name, lenses side by side, what is refused before anything is read. */
#include "unit_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A folder of its own for the files of a test; tests run inside it. */
static char folder[] = "/tmp/dgm-unit-XXXXXX";

static int enter_folder(void **state) {
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    return make_context(state);
}

static int leave_folder(void **state) {
    static const char *const files[] = {"karate", "edges.tsv", "lens.txt", "wide.txt", "out.json"};
    for (int64_t i = 0; i < COUNT(files); i++)
        unlink(files[i]);
    if (chdir("/") != 0 || rmdir(folder) != 0)
        return 1;
    return free_context(state);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static char *read_whole(const char *path) {
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

static dgm_graph *open_graph(const char *name, int64_t seed) {
    dgm_graph *graph;
    if (dgm_graph_open(ctx, name, DGM_FORMAT_AUTO, NULL, NULL, seed, &graph) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return graph;
}

/* ---- graphs by name ---- */

static void built_in_graphs_are_found_by_name(void **state) {
    (void)state;
    dgm_graph *karate = open_graph("karate", 1), *first = open_graph("spam", 1);
    dgm_graph *again = open_graph("spam", 1), *other = open_graph("spam", 2);
    assert_int_equal(dgm_graph_nodes(karate), 34);
    assert_int_equal(dgm_graph_nodes(first), 1000);
    assert_string_equal(dgm_graph_source(first), "spam");
    assert_int_equal(dgm_graph_edges(first), dgm_graph_edges(again));
    assert_int_not_equal(dgm_graph_edges(first), dgm_graph_edges(other));
    dgm_graph_free(karate);
    dgm_graph_free(first);
    dgm_graph_free(again);
    dgm_graph_free(other);
}

static void options_reach_built_in_graphs(void **state) {
    (void)state;
    const dgm_graph_options options = {
        .size = sizeof(dgm_graph_options), .directed = true, .nodes = 40};
    dgm_graph *graph;
    assert_int_equal(dgm_graph_open(ctx, "karate", DGM_FORMAT_AUTO, &options, NULL, 1, &graph),
                     DGM_ERROR_DATA); /* 34 labels for 40 nodes */
    assert_null(graph);
    const dgm_graph_options directed = {.size = sizeof(dgm_graph_options), .directed = true};
    assert_int_equal(dgm_graph_open(ctx, "karate", DGM_FORMAT_AUTO, &directed, NULL, 1, &graph),
                     DGM_OK);
    assert_int_equal(dgm_graph_get_rows(graph).entries, 78);
    dgm_graph_free(graph);
}

static void a_file_of_that_name_wins(void **state) {
    (void)state;
    write_file("karate", "0 1\n1 2\n");
    dgm_graph *graph = open_graph("karate", 1);
    assert_int_equal(dgm_graph_nodes(graph), 3);
    dgm_graph_free(graph);
    assert_int_equal(unlink("karate"), 0);
}

static void a_name_of_nothing_is_an_error_with_a_hint(void **state) {
    (void)state;
    dgm_graph *graph;
    ASSERT_FAILS(dgm_graph_open(ctx, "nowhere/at-all.tsv", DGM_FORMAT_AUTO, NULL, NULL, 1, &graph),
                 DGM_ERROR_FILE,
                 "nowhere/at-all.tsv: no such file or folder, nor a built-in graph (spam, karate, "
                 "papers)");
    assert_null(graph);
    ASSERT_FAILS(dgm_graph_open(ctx, "karte", DGM_FORMAT_AUTO, NULL, NULL, 1, &graph),
                 DGM_ERROR_FILE,
                 "karte: no such file or folder; did you mean the built-in graph 'karate'?");
    assert_null(graph);
    ASSERT_FAILS(dgm_graph_open(ctx, "Cora", DGM_FORMAT_AUTO, NULL, NULL, 1, &graph),
                 DGM_ERROR_FILE,
                 "Cora: no such file or folder: the data set does not come with dgm, and "
                 "docs/formats.md says how to get it; 'papers' is a built-in graph like it");
    ASSERT_FAILS(dgm_graph_open(ctx, "coal", DGM_FORMAT_AUTO, NULL, NULL, 1, &graph),
                 DGM_ERROR_FILE,
                 "coal: no such file or folder, nor a built-in graph (spam, karate, papers)");
}

static void a_built_in_graph_is_what_it_is(void **state) {
    (void)state;
    dgm_graph *graph;
    for (int i = 0; i < 2; i++) {
        ASSERT_FAILS(dgm_graph_open(ctx, "karate", i ? DGM_FORMAT_AUTO : DGM_FORMAT_EDGES, NULL,
                                    i ? &(dgm_graph_tables){.nodes = "nodes.csv"} : NULL, 1,
                                    &graph),
                     DGM_ERROR_USAGE,
                     "the built-in graph 'karate' takes neither a table of nodes nor a format");
        assert_null(graph);
    }
}

/* ---- lenses ---- */

static dgm_job job_of(const char *graph) {
    dgm_job job;
    dgm_job_init(&job);
    job.graph = graph;
    return job;
}

static dgm_summary *run(const dgm_job *job) {
    dgm_job_result made;
    if (dgm_job_run(ctx, job, NULL, DGM_KEEP_SUMMARY, &made) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_null(made.graph);
    assert_null(made.lens);
    assert_null(made.profile);
    assert_null(made.view);
    return made.summary;
}

static void a_job_without_a_lens_takes_pagerank(void **state) {
    (void)state;
    dgm_job job = job_of("karate");
    dgm_summary *summary = run(&job);
    assert_int_equal(dgm_summary_get_clusters(summary).dimension, 1);
    assert_string_equal(dgm_summary_axis_name(summary, 0), "pagerank");
    dgm_summary_free(summary);
}

static void lenses_stand_side_by_side_in_their_order(void **state) {
    (void)state;
    write_file("edges.tsv", "0\t1\n1\t2\n");
    write_file("lens.txt", "10\n20\n30\n");
    const char *outputs[] = {"out.json"};
    dgm_job job = job_of("edges.tsv");
    job.lenses[0] = "degree";
    job.lenses[1] = "pagerank:alpha=0.5";
    job.lens_count = 2;
    job.lens_file = "lens.txt";
    memcpy(job.outputs, outputs, sizeof outputs);
    job.output_count = 1;
    dgm_summary *summary = run(&job);
    assert_int_equal(dgm_summary_get_clusters(summary).dimension, 3);
    assert_string_equal(dgm_summary_axis_name(summary, 0), "degree");
    assert_string_equal(dgm_summary_axis_name(summary, 1), "pagerank");
    double low, high;
    dgm_summary_lens_range(summary, 0, &low, &high);
    assert_true(low == 1 && high == 2);
    dgm_summary_lens_range(summary, 1, &low, &high);
    assert_near(high, 2 / 4.5, 1e-9); /* (1 + 2a) / (3 (1 + a)) at a = 1/2 */
    dgm_summary_lens_range(summary, 2, &low, &high);
    assert_true(low == 10 && high == 30);
    ASSERT_HAS(read_whole("out.json"),
               "\"degree+pagerank+lens\""); /* keys and endings are no part of the name */
    assert_string_equal(dgm_summary_axis_name(summary, 2), "lens");
    dgm_summary_free(summary);
    job.lens_count = 0;
    summary = run(&job);
    assert_int_equal(dgm_summary_get_clusters(summary).dimension, 1); /* the file alone */
    ASSERT_HAS(read_whole("out.json"), "\"name\": \"lens\"");
    dgm_summary_free(summary);
    assert_int_equal(rename("lens.txt", "heights"), 0); /* without an ending the whole name */
    job.lens_file = "heights";
    summary = run(&job);
    assert_string_equal(dgm_summary_axis_name(summary, 0), "heights");
    dgm_summary_free(summary);
    assert_int_equal(unlink("heights"), 0);
}

/* Graphviz places clusters itself; every other file has places. */
static void places_are_made_for_those_who_want_them(void **state) {
    (void)state;
    const char *outputs[] = {"out.dot", "out.json"};
    dgm_job job = job_of("karate");
    memcpy(job.outputs, outputs, sizeof outputs);
    for (job.output_count = 1; job.output_count <= 2; job.output_count++) {
        dgm_summary_free(run(&job));
        ASSERT_HAS(read_whole("out.dot"), "graph \"");
        assert_int_equal(unlink("out.dot"), 0);
    }
    ASSERT_HAS(read_whole("out.json"), "\"layout\": {\"kind\": \"stress\"");
    assert_int_equal(unlink("out.json"), 0);
}

static void the_error_of_an_estimated_lens_is_written(void **state) {
    (void)state;
    const char *outputs[] = {"out.json"};
    dgm_job job = job_of("karate");
    job.lenses[0] = "betweenness:budget=5,samples=8";
    job.lens_count = 1;
    memcpy(job.outputs, outputs, sizeof outputs);
    job.output_count = 1;
    dgm_summary *summary = run(&job);
    const char *errors = strstr(read_whole("out.json"), "\"errors\": [");
    assert_non_null(errors);
    assert_near(strtod(errors + strlen("\"errors\": ["), NULL), dgm_summary_axis_error(summary, 0),
                0);
    assert_true(dgm_summary_axis_error(summary, 0) > 0);
    dgm_summary_free(summary);
    job.lenses[0] = "degree";
    dgm_summary_free(run(&job));
    assert_null(strstr(read_whole("out.json"), "\"errors\""));
}

static void an_attribute_keeps_its_name(void **state) {
    (void)state;
    const char *outputs[] = {"out.json"};
    dgm_job job = job_of("spam");
    job.lenses[0] = "attr:feature";
    job.lens_count = 1;
    memcpy(job.outputs, outputs, sizeof outputs);
    job.output_count = 1;
    dgm_summary *summary = run(&job);
    assert_string_equal(dgm_summary_axis_name(summary, 0), "feature");
    FILE *file = fopen("out.json", "r");
    char start[4096];
    start[fread(start, 1, sizeof start - 1, file)] = '\0';
    fclose(file);
    ASSERT_HAS(start, "\"attr:feature\"");
    dgm_summary_free(summary);
}

static void more_than_three_axes_are_reduced_unless_asked_for(void **state) {
    (void)state;
    write_file("edges.tsv", "0\t1\n1\t2\n");
    write_file("wide.txt", "1 2 3 4\n5 6 7 8\n9 10 11 12\n");
    dgm_job job = job_of("edges.tsv");
    dgm_summary *summary;
    job.lens_file = "wide.txt";
    summary = run(&job);
    assert_int_equal(dgm_summary_get_clusters(summary).axes, 2);
    dgm_summary_free(summary);
    job.reduce = "none";
    summary = run(&job);
    assert_int_equal(dgm_summary_get_clusters(summary).axes, 4);
    assert_string_equal(dgm_summary_axis_name(summary, 0), "wide1");
    assert_string_equal(dgm_summary_axis_name(summary, 3), "wide4");
    dgm_summary_free(summary);
    job.reduce = NULL;
    job.mapper.cover = DGM_COVER_SIMPLEX; /* columns are cells, not axes */
    summary = run(&job);
    assert_int_equal(dgm_summary_get_clusters(summary).axes, 1);
    dgm_summary_free(summary);
    job.mapper.cover = DGM_COVER_LANDMARKS; /* in the space of all columns */
    job.mapper.landmarks = 2;
    summary = run(&job);
    assert_int_equal(dgm_summary_get_clusters(summary).dimension, 4);
    assert_string_equal(dgm_summary_get_provenance(summary).lens, "wide");
    dgm_summary_free(summary);
}

/* ---- what is refused before anything is read ---- */

static void assert_job_fails(const dgm_job *job, dgm_status status, const char *words) {
    dgm_job_result made = {.graph = (dgm_graph *)&folder, .summary = (dgm_summary *)&folder};
    assert_int_equal(dgm_job_run(ctx, job, NULL, DGM_KEEP_GRAPH | DGM_KEEP_SUMMARY, &made), status);
    ASSERT_HAS(dgm_context_error(ctx), words);
    assert_null(made.graph);
    assert_null(made.summary);
}

static void wrong_usage_is_told_before_the_graph_is_looked_for(void **state) {
    (void)state;
    const char *outputs[] = {"out.bmp"};
    dgm_job job = job_of(NULL);
    assert_job_fails(&job, DGM_ERROR_USAGE, "no graph was given");
    job = job_of("no such graph");
    assert_job_fails(&job, DGM_ERROR_FILE, "no such file or folder");
    job.lenses[0] = "nothing";
    job.lens_count = 1;
    assert_job_fails(&job, DGM_ERROR_USAGE, "there is no lens 'nothing'");
    job.lens_count = DGM_MAX_LENSES + 1;
    assert_job_fails(&job, DGM_ERROR_USAGE, "at most 16 lenses stand side by side");
    job.lens_count = -1;
    assert_job_fails(&job, DGM_ERROR_USAGE, "at most 16 lenses stand side by side");
    job = job_of("no such graph");
    job.transform_count = -1;
    assert_job_fails(&job, DGM_ERROR_USAGE, "axes can be transformed");
    job.transform_count = DGM_MAX_AXES + 1;
    assert_job_fails(&job, DGM_ERROR_USAGE, "axes can be transformed");
    job = job_of("no such graph");
    job.mapper.overlap[0] = 1;
    assert_job_fails(&job, DGM_ERROR_USAGE, "overlap");
    job = job_of("no such graph");
    memcpy(job.outputs, outputs, sizeof outputs);
    job.output_count = 1;
    assert_job_fails(&job, DGM_ERROR_USAGE, "bmp");
}

static void a_lens_file_that_is_missing_leaves_nothing(void **state) {
    (void)state;
    const char *outputs[] = {"never.json"};
    dgm_job job = job_of("karate");
    job.lens_file = "no-lens.txt";
    memcpy(job.outputs, outputs, sizeof outputs);
    job.output_count = 1;
    assert_job_fails(&job, DGM_ERROR_FILE, "no-lens.txt");
    assert_int_not_equal(access("never.json", F_OK), 0);
}

static void a_job_may_keep_its_graph_or_nothing(void **state) {
    (void)state;
    dgm_job job = job_of("karate");
    dgm_job_result made;
    assert_int_equal(dgm_job_run(ctx, &job, NULL, 0, NULL), DGM_OK);
    assert_int_equal(dgm_job_run(ctx, &job, NULL, DGM_KEEP_GRAPH, &made), DGM_OK);
    assert_int_equal(dgm_graph_nodes(made.graph), 34);
    assert_null(made.summary);
    dgm_job_result_free(&made);
    assert_null(made.graph);
}

/* ---- what the caller has, and what he keeps ---- */

static void a_view_is_kept_with_all_that_it_borrows(void **state) {
    (void)state;
    dgm_job job = job_of("karate");
    dgm_job_result made;
    assert_int_equal(dgm_job_run(ctx, &job, NULL, DGM_KEEP_VIEW | DGM_KEEP_LENS, &made), DGM_OK);
    assert_null(made.graph);
    assert_int_equal(dgm_matrix_rows(dgm_lens_result_axes(made.lens)), 34);
    int64_t clusters = dgm_summary_get_clusters(made.summary).count;
    assert_int_equal(dgm_profile_clusters(made.profile), clusters);
    assert_int_equal(dgm_view_marks(made.view), clusters);
    assert_non_null(dgm_view_get_places(made.view).x);
    assert_ptr_equal(dgm_view_profile(made.view), made.profile);
    dgm_job_result_free(&made);
}

static void assert_same_files(const char *one, const char *other) {
    FILE *a = fopen(one, "rb"), *b = fopen(other, "rb");
    assert_true(a && b);
    int c;
    int64_t bytes = 0;
    do {
        c = getc(a);
        assert_int_equal(getc(b), c);
        bytes++;
    } while (c != EOF);
    assert_true(bytes > 100);
    fclose(a);
    fclose(b);
    assert_int_equal(unlink(one), 0);
    assert_int_equal(unlink(other), 0);
}

static void a_graph_and_a_lens_in_memory_give_the_bytes_of_those_by_name(void **state) {
    (void)state;
    dgm_job job = job_of("karate");
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_job_result named, own;
    const char *outputs[] = {"named.json"}, *others[] = {"own.json"};
    job.lenses[job.lens_count++] = "degree";
    job.transforms[job.transform_count++] = DGM_TRANSFORM_LOG;
    memcpy(job.outputs, outputs, sizeof outputs);
    job.output_count = 1;
    assert_int_equal(dgm_job_run(ctx, &job, NULL, DGM_KEEP_GRAPH, &named), DGM_OK);
    dgm_matrix *degree;
    assert_int_equal(dgm_lens_degree(ctx, named.graph, &degree), DGM_OK);
    double first = dgm_matrix_values(degree)[0];
    job.graph = NULL;
    job.lens_count = 0;
    memcpy(job.outputs, others, sizeof others);
    input.graph = named.graph;
    input.lens = degree;
    input.lens_name = "degree";
    assert_int_equal(dgm_job_run(ctx, &job, &input, DGM_KEEP_GRAPH | DGM_KEEP_SUMMARY, &own),
                     DGM_OK);
    assert_null(own.graph); /* it is the caller's */
    assert_true(dgm_matrix_values(degree)[0] == first);
    assert_same_files("named.json", "own.json");
    dgm_job_result_free(&own);
    dgm_job_result_free(&named);
    dgm_matrix_free(degree);
}

static void columns_in_memory_come_behind_the_others(void **state) {
    (void)state;
    dgm_job job = job_of("karate");
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_job_result made;
    dgm_matrix *own;
    assert_int_equal(dgm_matrix_create(ctx, 34, 1, &own), DGM_OK);
    for (int i = 0; i < 34; i++)
        dgm_matrix_values_mutable(own)[i] = i;
    job.lenses[job.lens_count++] = "degree";
    input.lens = own;
    assert_int_equal(dgm_job_run(ctx, &job, &input, DGM_KEEP_SUMMARY | DGM_KEEP_LENS, &made),
                     DGM_OK);
    assert_string_equal(dgm_summary_get_provenance(made.summary).lens, "degree+lens");
    const dgm_matrix *axes = dgm_lens_result_axes(made.lens);
    assert_int_equal(dgm_matrix_columns(axes), 2);
    assert_true(dgm_matrix_values(axes)[2 * 33 + 1] == 33);
    dgm_job_result_free(&made);
    dgm_matrix_free(own);
}

static void a_summary_that_was_made_before_is_only_written(void **state) {
    (void)state;
    dgm_job job = job_of("karate");
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_job_result first, again;
    const char *outputs[] = {"first.json"}, *others[] = {"again.json"};
    memcpy(job.outputs, outputs, sizeof outputs);
    job.output_count = 1;
    assert_int_equal(dgm_job_run(ctx, &job, NULL, DGM_KEEP_GRAPH | DGM_KEEP_SUMMARY, &first),
                     DGM_OK);
    job.graph = NULL;
    memcpy(job.outputs, others, sizeof others);
    input.graph = first.graph;
    input.summary = first.summary;
    assert_int_equal(dgm_job_run(ctx, &job, &input, DGM_KEEP_VIEW, &again), DGM_OK);
    assert_null(again.summary); /* it is the caller's */
    assert_non_null(again.view);
    assert_same_files("first.json", "again.json");
    dgm_job_result_free(&again);
    dgm_job_result_free(&first);
}

static void predictions_of_another_program_take_the_place_of_a_lenss(void **state) {
    (void)state;
    dgm_job job = job_of("spam");
    dgm_job_input input = DGM_JOB_INPUT_INIT;
    dgm_job_result made;
    dgm_graph *graph;
    dgm_predictions *all_same;
    assert_int_equal(dgm_graph_open(ctx, "spam", DGM_FORMAT_AUTO, NULL, NULL, 1, &graph), DGM_OK);
    int64_t nodes = dgm_graph_nodes(graph), wrong = 0;
    int32_t *classes = calloc((size_t)nodes, sizeof *classes);
    for (int64_t u = 0; u < nodes; u++)
        wrong += dgm_graph_labels(graph)[u] > 0;
    assert_int_equal(dgm_predictions_from_classes(ctx, graph, classes, NULL, &all_same), DGM_OK);
    input.graph = graph;
    input.predictions = all_same;
    assert_int_equal(dgm_job_run(ctx, &job, &input, DGM_KEEP_PROFILE, &made), DGM_OK);
    dgm_summary_mistakes mistakes = dgm_profile_get_mistakes(made.profile);
    assert_true(mistakes.known);
    assert_int_equal(dgm_judged_sum(mistakes.covered).mistakes +
                         dgm_judged_sum(mistakes.left_out).mistakes,
                     wrong);
    dgm_job_result_free(&made);
    dgm_predictions_free(all_same);
    free(classes);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_graphs_are_found_by_name),
        cmocka_unit_test(options_reach_built_in_graphs),
        cmocka_unit_test(a_file_of_that_name_wins),
        cmocka_unit_test(a_name_of_nothing_is_an_error_with_a_hint),
        cmocka_unit_test(a_built_in_graph_is_what_it_is),
        cmocka_unit_test(a_job_without_a_lens_takes_pagerank),
        cmocka_unit_test(lenses_stand_side_by_side_in_their_order),
        cmocka_unit_test(places_are_made_for_those_who_want_them),
        cmocka_unit_test(the_error_of_an_estimated_lens_is_written),
        cmocka_unit_test(an_attribute_keeps_its_name),
        cmocka_unit_test(more_than_three_axes_are_reduced_unless_asked_for),
        cmocka_unit_test(wrong_usage_is_told_before_the_graph_is_looked_for),
        cmocka_unit_test(a_lens_file_that_is_missing_leaves_nothing),
        cmocka_unit_test(a_job_may_keep_its_graph_or_nothing),
        cmocka_unit_test(a_view_is_kept_with_all_that_it_borrows),
        cmocka_unit_test(a_graph_and_a_lens_in_memory_give_the_bytes_of_those_by_name),
        cmocka_unit_test(columns_in_memory_come_behind_the_others),
        cmocka_unit_test(a_summary_that_was_made_before_is_only_written),
        cmocka_unit_test(predictions_of_another_program_take_the_place_of_a_lenss),
    };
    return RUN_GROUP(tests, enter_folder, leave_folder);
}
