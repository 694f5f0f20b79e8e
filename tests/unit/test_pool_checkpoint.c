/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include <signal.h>
#include <sys/wait.h>

#include "graph_set.h"
#include "pool_rings.h"
#include "pool_runs.h"

#define ASSERT_FAILS(call, expected_status, expected_words)                                        \
    do {                                                                                           \
        assert_int_equal(call, expected_status);                                                   \
        assert_string_equal(dgm_context_error(ctx), expected_words);                               \
    } while (0)

static char path[128]; /* of the checkpoint */
static dgm_graph_set *set;

static int begin(void **state) {
    int failed = scratch_begin(state);
    snprintf(path, sizeof path, "%.60s/run.json", scratch_root);
    set = failed ? NULL : make_rings(16);
    return failed;
}

static int end(void **state) {
    dgm_graph_set_free(set);
    return scratch_end(state);
}

static void ask_with_checkpoint(const char *pool) {
    ask(pool);
    asked.checkpoint = path;
    remove(path);
}

static char *read_checkpoint(void) {
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 1 << 16);
    if (!file || !text)
        fail_msg("%s cannot be read", path);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static void write_checkpoint(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int count_runs(void) {
    char *text = read_checkpoint();
    int count = 0;
    for (const char *at = text; (at = strstr(at, "\"fold\"")); at++)
        count++;
    free(text);
    return count;
}

static bool stop_at(void *user, const char *stage, double fraction) {
    return strcmp(stage, "training") != 0 || fraction < *(double *)user;
}

/* ---- going on ---- */

static void check_whole(const char *expected) {
    char *json = run_json(set);
    assert_string_equal(json, expected);
    free(json);
}

/* The whole, without a checkpoint. */
static char *run_whole(void) {
    asked.checkpoint = NULL;
    char *json = run_json(set);
    asked.checkpoint = path;
    return json;
}

static void a_run_that_was_stopped_goes_on_to_the_same_result(void **state) {
    (void)state;
    static const double stops[] = {0.3, 0.6, 0.8};
    static const char *const pools[] = {"mpr:lens=random,clusters=3-2", "topk", "mincut"};
    for (int p = 0; p < 3; p++)
        for (int s = 0; s < 3; s++)
            for (int threads = 1; threads <= 2; threads++) {
                ask_with_checkpoint(pools[p]);
                asked.seeds = 2;
                char *expected = run_whole();
                dgm_classify_report *report;
                double stop = stops[s];
                dgm_context_set_threads(ctx, threads);
                dgm_context_set_progress(ctx, stop_at, &stop);
                dgm_status status = dgm_classify(ctx, set, &asked, &report);
                if (threads == 1) /* another thread may do the rest before this one is asked */
                    assert_int_equal(status, DGM_ERROR_CANCELLED);
                dgm_classify_report_free(report);
                dgm_context_set_progress(ctx, NULL, NULL);
                int done = count_runs();
                assert_true(done > 0 && done <= 8);
                check_whole(expected);
                assert_int_equal(count_runs(), 8);
                check_whole(expected); /* from the file alone */
                free(expected);
            }
    dgm_context_set_threads(ctx, 0);
}

/* The first call says what it found, and its own trainings count from there. */
static void what_was_found_is_noted_and_its_time_is_counted(void **state) {
    (void)state;
    ask_with_checkpoint("sum");
    asked.first = 2;
    dgm_classify_report_free(classify(set));
    char *text = read_checkpoint(), *seconds = strstr(text, "\"seconds\": ");
    char changed[1 << 16];
    snprintf(changed, sizeof changed, "%.*s\"seconds\": 1000%s", (int)(seconds - text), text,
             seconds + strcspn(seconds, ","));
    write_checkpoint(changed);
    free(text);
    scratch_notes[0] = '\0';
    asked.first = 0;
    dgm_classify_report *report = classify(set);
    char expected[256];
    snprintf(expected, sizeof expected, "%s has 2 of the 4 trainings\n", path);
    assert_string_equal(scratch_notes, expected);
    dgm_classify_summary summary;
    assert_int_equal(dgm_classify_report_summary(ctx, report, &summary), DGM_OK);
    assert_true(summary.seconds > 1000 && summary.seconds < 2000);
    dgm_classify_report_free(report);
    text = read_checkpoint(); /* and the next call counts from here */
    double kept = strtod(strstr(text, "\"seconds\": ") + strlen("\"seconds\": "), NULL);
    assert_true(kept > 1000 && kept < 2000);
    free(text);
}

static bool kill_at(void *user, const char *stage, double fraction) {
    if (strcmp(stage, "training") == 0 && fraction > *(double *)user + 1e-9)
        raise(SIGKILL);
    return true;
}

static void classify_in_a_child_that_is_killed(double when) {
    pid_t child = fork();
    if (child == 0) {
        dgm_context *own;
        dgm_classify_report *report;
        if (dgm_context_create(NULL, &own) == DGM_OK) {
            dgm_context_set_threads(own, 1);
            dgm_context_set_progress(own, kill_at, &when);
            dgm_classify(own, set, &asked, &report);
        }
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void a_run_that_was_killed_goes_on_to_the_same_result(void **state) {
    (void)state;
    ask_with_checkpoint("sum");
    char *expected = run_whole();
    for (int i = 1; i < 8; i++) {
        remove(path);
        classify_in_a_child_that_is_killed(i / 8.0);
        assert_int_equal(access(path, F_OK) == 0 ? count_runs() : 0, i / 2);
        check_whole(expected);
    }
    free(expected);
}

static void more_seeds_and_more_folds_go_on_from_fewer(void **state) {
    (void)state;
    ask_with_checkpoint("mpr:lens=random,clusters=3-2");
    asked.seeds = 2;
    char *expected = run_whole();
    asked.seeds = 1;
    asked.first = 1;
    dgm_classify_report_free(classify(set));
    assert_int_equal(count_runs(), 1);
    asked.first = 3;
    dgm_classify_report_free(classify(set));
    assert_int_equal(count_runs(), 3);
    asked.first = 0;
    asked.seeds = 2;
    check_whole(expected);
    assert_int_equal(count_runs(), 8);
    free(expected);
}

static void what_is_not_asked_for_stays_in_the_file(void **state) {
    (void)state;
    ask_with_checkpoint("sum");
    char *expected = run_whole();
    dgm_classify_report_free(classify(set)); /* four folds of one seed */
    asked.first = 1;
    asked.seeds = 3;
    dgm_classify_report_free(classify(set)); /* the first folds of two more */
    assert_int_equal(count_runs(), 6);
    asked.first = 0;
    asked.seeds = 1;
    check_whole(expected);
    assert_int_equal(count_runs(), 6);
    free(expected);
}

/* So a table can be made from results alone, and more seeds be added to them later. */
static void a_result_is_a_checkpoint_as_well(void **state) {
    (void)state;
    ask_with_checkpoint("mpr:clusters=3-2");
    asked.seeds = 2;
    char *expected = run_whole();
    asked.seeds = 1;
    asked.checkpoint = NULL;
    dgm_classify_report *report = classify(set);
    assert_int_equal(dgm_classify_report_write(ctx, report, path), DGM_OK);
    dgm_classify_report_free(report);
    assert_int_equal(count_runs(), 4);
    asked.seeds = 2;
    asked.checkpoint = path;
    check_whole(expected);
    assert_int_equal(count_runs(), 8);
    free(expected);
}

/* ---- refusals ---- */

static void refuses(const dgm_graph_set *from, const char *words) {
    dgm_classify_report *report;
    char whole[512];
    snprintf(whole, sizeof whole, "%s: %s", path, words);
    ASSERT_FAILS(dgm_classify(ctx, from, &asked, &report), DGM_ERROR_DATA, whole);
    assert_null(report);
}

static void a_checkpoint_of_other_options_is_refused(void **state) {
    (void)state;
    static const char words[] =
        "this checkpoint is of other options; remove it, or name another file";
    ask_with_checkpoint("sum");
    dgm_classify_report_free(classify(set));
    for (int i = 0; i < 10; i++) {
        ask(i == 0 ? "mean" : "sum");
        asked.checkpoint = path;
        asked.width += i == 1;
        asked.rate = i == 2 ? 0.02 : asked.rate;
        asked.epochs += i == 3;
        asked.batch += i == 4;
        asked.folds = i == 5 ? "5" : "4";
        asked.seed += i == 6;
        asked.search = i == 7 ? "rate=1e-2;1e-3" : NULL;
        asked.net = i == 8 ? DGM_NET_GIN : DGM_NET_GCN;
        asked.clamp += i == 9;
        refuses(set, words);
    }
}

static void a_checkpoint_of_other_data_is_refused(void **state) {
    (void)state;
    ask_with_checkpoint("sum");
    dgm_classify_report_free(classify(set));
    dgm_graph_set *other = make_rings(17);
    refuses(other, "this checkpoint is of another data set; remove it, or name another file");
    dgm_graph_set_free(other);
}

/* Files of folds may change while graphs and classes stay. */
static void a_checkpoint_of_other_fold_files_is_refused(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        int32_t folds[16];
        for (int g = 0; g < 16; g++)
            folds[g] = (g + turned) % 4;
        dgm_graph_set *filed = make_rings(16);
        assert_int_equal(dgmi_graph_set_give_folds(ctx, filed, 4, folds), DGM_OK);
        if (!turned)
            ask_with_checkpoint("sum");
        asked.folds = "files";
        if (turned)
            refuses(filed, "this checkpoint is of other options; remove it, or name another file");
        else
            dgm_classify_report_free(classify(filed));
        dgm_graph_set_free(filed);
    }
}

/* Replaces the first `from` by `to`. */
static void damage(const char *whole, const char *from, const char *to) {
    const char *at = strstr(whole, from);
    assert_non_null(at);
    char *text = calloc(1, strlen(whole) + strlen(to) + 1);
    assert_non_null(text);
    sprintf(text, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    write_checkpoint(text);
    free(text);
}

static void a_damaged_checkpoint_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *words;
    } wrong[] = {
        {"\"fold\": 1", "\"fold\": \"1\"", "run 2 of this checkpoint is not whole"},
        {"\"fold\": 1", "\"fold\": 0", "run 2 of this checkpoint is not whole"},
        {"\"fold\": 1", "\"fold\": -1", "run 2 of this checkpoint is not whole"},
        {"\"accuracy\": ", "\"accuracy\": 0.123, \"was\": ",
         "run 1 of this checkpoint is not whole"},
        {"\"accuracy\"", "\"accurate\"", "run 1 of this checkpoint is not whole"},
        {"\"tested\": 4", "\"tested\": 5", "run 1 of this checkpoint is not whole"},
        {"\"setting\": 0", "\"setting\": 1", "run 1 of this checkpoint is not whole"},
        {"\"confusion\": [[", "\"confusion\": [[-", "run 1 of this checkpoint is not whole"},
        {"\"confusion\"", "\"confused\"", "run 1 of this checkpoint is not whole"},
        {"\"runs\"", "\"walks\"", "this checkpoint is not whole"},
        {"\"seconds\"", "\"minutes\"", "this checkpoint is not whole"},
        {"\"plan_hash\": \"", "\"plan_hash\": \"f",
         "this checkpoint is of other options; remove it, or name another file"},
        {"\"plan_hash\"", "\"plan\"",
         "this checkpoint is of other options; remove it, or name another file"},
        {"dgm classify checkpoint", "dgm train", "this is no checkpoint of a classification"},
        {"\"format\"", "\"form\"", "this is no checkpoint of a classification"},
    };
    ask_with_checkpoint("sum");
    dgm_classify_report_free(classify(set));
    char *whole = read_checkpoint();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        damage(whole, wrong[i].from, wrong[i].to);
        refuses(set, wrong[i].words);
    }
    free(whole);
}

/* Wherever the file ends, it is refused, and never taken for less than it was. */
static void half_a_checkpoint_is_refused(void **state) {
    (void)state;
    ask_with_checkpoint("sum");
    dgm_classify_report_free(classify(set));
    char *whole = read_checkpoint();
    for (size_t kept = 0; kept + 2 < strlen(whole); kept += 37) {
        dgm_classify_report *report;
        char *text = strndup(whole, kept);
        write_checkpoint(text);
        free(text);
        assert_int_not_equal(dgm_classify(ctx, set, &asked, &report), DGM_OK);
        assert_null(report);
    }
    write_checkpoint("[]");
    refuses(set, "this is no checkpoint of a classification");
    free(whole);
}

static void a_checkpoint_that_cannot_be_written_is_an_error(void **state) {
    (void)state;
    char nowhere[160];
    ask("sum");
    snprintf(nowhere, sizeof nowhere, "%.60s/nosuch/run.json", scratch_root);
    asked.checkpoint = nowhere;
    dgm_classify_report *report;
    assert_int_equal(dgm_classify(ctx, set, &asked, &report), DGM_ERROR_FILE);
    assert_null(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_was_stopped_goes_on_to_the_same_result),
        cmocka_unit_test(what_was_found_is_noted_and_its_time_is_counted),
        cmocka_unit_test(a_run_that_was_killed_goes_on_to_the_same_result),
        cmocka_unit_test(more_seeds_and_more_folds_go_on_from_fewer),
        cmocka_unit_test(what_is_not_asked_for_stays_in_the_file),
        cmocka_unit_test(a_result_is_a_checkpoint_as_well),
        cmocka_unit_test(a_checkpoint_of_other_options_is_refused),
        cmocka_unit_test(a_checkpoint_of_other_data_is_refused),
        cmocka_unit_test(a_checkpoint_of_other_fold_files_is_refused),
        cmocka_unit_test(a_damaged_checkpoint_is_refused),
        cmocka_unit_test(half_a_checkpoint_is_refused),
        cmocka_unit_test(a_checkpoint_that_cannot_be_written_is_an_error),
    };
    return RUN_GROUP(tests, begin, end);
}
