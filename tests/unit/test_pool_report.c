/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include <math.h>

#include "pool_report.h"
#include "pool_rings.h"
#include "pool_runs.h"

static char path[128]; /* of the other result */
static dgm_graph_set *set;

static int begin(void **state) {
    int failed = scratch_begin(state);
    snprintf(path, sizeof path, "%.60s/other.json", scratch_root);
    set = failed ? NULL : make_rings(16);
    return failed;
}

static int end(void **state) {
    dgm_graph_set_free(set);
    return scratch_end(state);
}

static void near(double actual, double expected) {
    if (!(fabs(actual - expected) < 1e-10))
        fail_msg("%.17g is not %.17g", actual, expected);
}

/* Writes the result of a method, with the accuracies given if there are any. */
static void write_other(const char *pool, const double *accuracies) {
    ask(pool);
    dgm_classify_report *report = classify(set);
    for (int64_t i = 0; accuracies && i < report->runs; i++)
        report->results[i].accuracy = accuracies[i];
    assert_int_equal(dgm_classify_report_write(ctx, report, path), DGM_OK);
    dgm_classify_report_free(report);
}

/* Differences 0.1, 0.2, 0.3, 0.2: mean 0.2, s^2 = 0.02 / 3, corrected variance s^2 (1/4 + 1/3),
 * t with 3 degrees of freedom 3.18244630528371; t = 0.2 / 0.0623609564462324. */
static void a_paired_test_is_the_one_by_hand(void **state) {
    (void)state;
    write_other("mean", (const double[]){0.5, 0.5, 0.25, 0.5});
    ask("sum");
    dgm_classify_report *report = classify(set);
    static const double mine[] = {0.6, 0.7, 0.55, 0.7};
    for (int i = 0; i < 4; i++)
        report->results[i].accuracy = mine[i];
    dgm_paired_test test;
    assert_int_equal(dgm_classify_report_compare(ctx, report, path, &test), DGM_OK);
    double error = sqrt(0.02 / 3 * (1.0 / 4 + 1.0 / 3));
    near(test.difference, 0.2);
    near(test.t, 0.2 / error);
    near(test.ci95, 3.18244630528371 * error);
    near(test.p, 0.0490634891729751);
    assert_int_equal(test.folds, 4);
    dgm_classify_report_free(report);
}

static void a_result_compared_with_itself_shows_no_difference(void **state) {
    (void)state;
    write_other("sum", NULL);
    asked.against = path;
    dgm_classify_report *report = classify(set);
    const dgm_paired_test *test = dgm_classify_report_paired(report);
    assert_non_null(test);
    assert_true(test->difference == 0 && test->ci95 == 0 && test->t == 0 && test->p == 1);
    char *json = json_of(report);
    assert_non_null(strstr(json,
                           "\"against\": {\"difference\": 0, \"ci95\": 0, \"t\": 0, \"p\": 1, "
                           "\"folds\": 4}"));
    free(json);
    dgm_classify_report_free(report);
}

static void a_report_without_a_comparison_has_none(void **state) {
    (void)state;
    ask("sum");
    dgm_classify_report *report = classify(set);
    assert_null(dgm_classify_report_paired(report));
    dgm_classify_report_free(report);
    dgm_classify_report_free(NULL);
}

/* Networks of a search differ in size, and threads end in any order. */
static void a_summary_has_the_largest_network_and_the_most_memory(void **state) {
    (void)state;
    static const int64_t sizes[] = {7, 99, 3, 5};
    ask("sum");
    dgm_classify_report *report = classify(set);
    dgm_classify_summary summary;
    for (int i = 0; i < 4; i++) {
        report->results[i].parameters = sizes[i];
        report->results[i].bytes = 2 * sizes[i];
    }
    assert_int_equal(dgm_classify_report_summary(ctx, report, &summary), DGM_OK);
    assert_int_equal(summary.parameters, 99);
    assert_int_equal(summary.bytes, 198);
    dgm_classify_report_free(report);
}

/* Equal differences leave no doubt, and one fold leaves all. */
static void differences_without_spread_and_single_folds_are_said_as_they_are(void **state) {
    (void)state;
    write_other("sum", (const double[]){0.25, 0.25, 0.25, 0.25});
    dgm_classify_report *report = classify(set);
    dgm_paired_test test;
    for (int i = 0; i < 4; i++)
        report->results[i].accuracy = 0.5;
    assert_int_equal(dgm_classify_report_compare(ctx, report, path, &test), DGM_OK);
    assert_true(test.difference == 0.25 && test.ci95 == 0 && test.t == INFINITY && test.p == 0);
    dgm_classify_report_free(report);
    ask("mean");
    asked.first = 1;
    report = classify(set);
    assert_int_equal(dgm_classify_report_write(ctx, report, path), DGM_OK);
    dgm_classify_report_free(report);
    ask("sum");
    asked.first = 1;
    report = classify(set);
    assert_int_equal(dgm_classify_report_compare(ctx, report, path, &test), DGM_OK);
    assert_true(isnan(test.ci95) && isnan(test.t) && isnan(test.p));
    char *json = json_of(report);
    assert_non_null(strstr(json, "\"ci95\": null"));
    free(json);
    dgm_classify_report_free(report);
}

/* A callback that fails the test: a comparison that cannot be made is refused before any work. */
static bool no_training(void *user, const char *stage, double fraction) {
    (void)user, (void)fraction;
    assert_string_not_equal(stage, "training");
    return true;
}

static void refuses(const dgm_graph_set *from, dgm_status expected, const char *words) {
    dgm_classify_report *report;
    asked.against = path;
    dgm_context_set_progress(ctx, no_training, NULL);
    assert_int_equal(dgm_classify(ctx, from, &asked, &report), expected);
    dgm_context_set_progress(ctx, NULL, NULL);
    assert_null(report);
    scratch_check_error(words);
}

static void other_folds_and_other_data_are_refused_before_the_training(void **state) {
    (void)state;
    static const char folds[] = "this result has other folds; run both with the same seed, seeds, "
                                "folds and first";
    write_other("sum", NULL);
    ask("mean");
    asked.seed = 2;
    refuses(set, DGM_ERROR_DATA, folds);
    ask("mean");
    asked.seeds = 2;
    refuses(set, DGM_ERROR_DATA, folds);
    ask("mean");
    asked.folds = "5";
    refuses(set, DGM_ERROR_DATA, folds);
    ask("mean");
    asked.first = 3;
    refuses(set, DGM_ERROR_DATA, folds);
    dgm_graph_set *other = make_rings(17);
    ask("mean");
    refuses(other, DGM_ERROR_DATA,
            "this result is of another data set, so the two cannot be compared");
    dgm_graph_set_free(other);
}

/* A search is kept in the report, which has room for 1023 characters. */
static void a_search_has_room_for_so_many_characters(void **state) {
    (void)state;
    char text[1100] = "width=8";
    dgm_classify_report *report;
    while (strlen(text) < 1023)
        strcat(text, " ");
    ask("sum");
    asked.epochs = 1;
    asked.search = text;
    report = classify(set);
    assert_string_equal(report->search, text);
    dgm_classify_report_free(report);
    strcat(text, " ");
    assert_int_equal(dgm_classify(ctx, set, &asked, &report), DGM_ERROR_USAGE);
    scratch_check_error("search: more than 1023 characters");
}

/* A report is called after the last part of where its set comes from. */
static void a_report_has_the_name_of_its_set(void **state) {
    static const struct {
        const char *source, *name;
    } sources[] = {{"data/rings//", "rings"}, {"rings", "rings"}, {"/x", "x"}, {"a/b/", "b"}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        rings_source = sources[i].source;
        dgm_graph_set *named = make_rings(8);
        rings_source = NULL;
        ask("sum");
        asked.epochs = 1;
        asked.first = 1;
        dgm_classify_report *report = classify(named);
        assert_string_equal(report->name, sources[i].name);
        dgm_classify_report_free(report);
        dgm_graph_set_free(named);
    }
}

static void files_that_are_no_results_are_refused(void **state) {
    (void)state;
    ask("sum");
    scratch_text("other.json", "{}");
    refuses(set, DGM_ERROR_DATA, "this is no result of a classification (dgm classify -o)");
    scratch_text("other.json", "{\"format\": \"dgm classify checkpoint\"}");
    refuses(set, DGM_ERROR_DATA, "this is no result of a classification (dgm classify -o)");
    scratch_text("other.json", "no JSON");
    refuses(set, DGM_ERROR_FORMAT, "other.json");
    remove(path);
    refuses(set, DGM_ERROR_FILE, "no such file");
    write_other("sum", (const double[]){0.5, NAN, 0.5, 0.5});
    refuses(set, DGM_ERROR_DATA, "entry 2 of its folds is no number");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_paired_test_is_the_one_by_hand),
        cmocka_unit_test(a_result_compared_with_itself_shows_no_difference),
        cmocka_unit_test(a_report_without_a_comparison_has_none),
        cmocka_unit_test(a_summary_has_the_largest_network_and_the_most_memory),
        cmocka_unit_test(differences_without_spread_and_single_folds_are_said_as_they_are),
        cmocka_unit_test(other_folds_and_other_data_are_refused_before_the_training),
        cmocka_unit_test(a_search_has_room_for_so_many_characters),
        cmocka_unit_test(a_report_has_the_name_of_its_set),
        cmocka_unit_test(files_that_are_no_results_are_refused),
    };
    return RUN_GROUP(tests, begin, end);
}
