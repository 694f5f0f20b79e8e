/* SPDX-License-Identifier: Apache-2.0 */
/* The run as a whole, with a stranger who runs the commands. What the parts make is tested where
 * the program is (tests/cli/check-reproduce). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "dgm/reproduce.h"

#include "base_clock.h"
#include "base_context.h"

/* What the stranger saw, and what he answers. */
static int commands, outcomes;
static dgm_status answer;
static char words[512], why[512], told[512]; /* told: the parts, with a blank behind each */
static dgm_verdict verdict;
static int64_t checks, holding;
static bool kept;
static double seconds;

static dgm_status run_command(void *user, int count, const char *const *given) {
    (void)user;
    commands++;
    words[0] = '\0';
    for (int i = 0; i < count; i++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s ", given[i]);
    return answer == DGM_OK ? DGM_OK : dgmi_fail(ctx, answer, "the stranger had enough");
}

static void hear(void *user, const dgm_reproduce_outcome *outcome) {
    (void)user;
    outcomes++;
    snprintf(told + strlen(told), sizeof told - strlen(told), "%s ", outcome->part->name);
    verdict = outcome->verdict;
    checks = outcome->checks;
    holding = outcome->holding;
    kept = outcome->kept;
    seconds = outcome->seconds;
    snprintf(why, sizeof why, "%s", outcome->why ? outcome->why : "");
}

static dgm_reproduce_options ask(const char *only) {
    dgm_reproduce_options options = DGM_REPRODUCE_OPTIONS_INIT;
    options.only = only;
    options.command = run_command;
    options.outcome = hear;
    commands = outcomes = 0;
    told[0] = '\0';
    return options;
}

static int begin(void **state) {
    return scratch_begin(state) || chdir(scratch_root) != 0;
}

static bool report_has(const char *part) {
    size_t size;
    char *text = scratch_content("report.md", &size);
    bool found = strstr(text, part) != NULL;
    free(text);
    return found;
}

static void a_part_whose_command_fails_says_why(void **state) {
    dgm_reproduce_options options = ask("fig4");
    dgm_reproduce_counts counts;
    (void)state;
    answer = DGM_ERROR_DATA;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_int_equal(counts.not_made, 1);
    assert_int_equal(counts.made + counts.kept, 0);
    assert_int_equal(commands, 1);
    assert_int_equal(outcomes, 1);
    assert_int_equal(verdict, DGM_VERDICT_NOT_MADE);
    assert_string_equal(why, "the stranger had enough");
    assert_memory_equal(words, "map spam ", 9);
    assert_non_null(strstr(words, " --quiet --threads "));
    assert_true(report_has("not made: the stranger had enough"));
    assert_false(report_has("Figure 5"));
}

static void a_part_without_its_data_runs_no_command(void **state) {
    dgm_reproduce_options options = ask("fig5");
    dgm_reproduce_counts counts;
    (void)state;
    answer = DGM_OK;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_int_equal(counts.not_made, 1);
    assert_int_equal(commands, 0);
    assert_string_equal(why, "the data set 'citeseer' is not there");
}

static void an_interrupted_command_ends_the_run(void **state) {
    dgm_reproduce_options options = ask("fig1,fig4");
    dgm_reproduce_counts counts;
    (void)state;
    answer = DGM_ERROR_CANCELLED;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_ERROR_CANCELLED);
    assert_int_equal(commands, 1);
    assert_int_equal(outcomes, 0);
}

/* Figure 2 needs no command, and figure 4 is interrupted. The report is written after each part. */
static void an_interrupted_run_leaves_a_report_of_what_it_has(void **state) {
    dgm_reproduce_options options = ask("fig2,fig4");
    dgm_reproduce_counts counts;
    (void)state;
    assert_int_equal(mkdir("interrupted", 0777), 0);
    assert_int_equal(chdir("interrupted"), 0);
    answer = DGM_ERROR_CANCELLED;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_ERROR_CANCELLED);
    assert_string_equal(told, "fig2 ");
    assert_true(report_has("## Figure 2: the steps of Mapper"));
    assert_false(report_has("Figure 4"));
    assert_int_equal(counts.made, 1);
    assert_int_equal(counts.not_made, 1);
    assert_int_equal(chdir(".."), 0);
}

/* A run that makes nothing anew writes what it has as well. */
static void the_report_is_written_even_if_all_is_kept(void **state) {
    dgm_reproduce_options options = ask("fig2");
    dgm_reproduce_counts counts;
    (void)state;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_int_equal(unlink("report.md"), 0);
    assert_int_equal(unlink("report.html"), 0);
    assert_int_equal(unlink("run.json"), 0);
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_int_equal(counts.kept, 1);
    assert_true(report_has("## Figure 2: the steps of Mapper"));
    assert_int_equal(access("report.html", R_OK), 0);
    assert_int_equal(access("run.json", R_OK), 0);
}

/* Notes of commands are taken away, and nothing else. */
static void a_fresh_run_forgets_notes_alone(void **state) {
    dgm_reproduce_options options = ask("fig4");
    dgm_reproduce_counts counts;
    (void)state;
    scratch_text("tables/a.npy", "a table");
    scratch_text("tables/a.npy.made", "by a command");
    scratch_text("tables/.made", "by a command");
    scratch_text("tables/made", "a short name");
    scratch_text("fig4/own.npy.made", "by a command");
    scratch_text("fig4/own.npy", "another table");
    answer = DGM_ERROR_DATA;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_int_equal(access("tables/a.npy.made", F_OK), 0); /* it was not fresh */
    assert_int_equal(access("fig4/own.npy.made", F_OK), 0);
    options.fresh = true;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_int_equal(access("tables/a.npy.made", F_OK), -1);
    assert_int_equal(access("tables/.made", F_OK), -1);
    assert_int_equal(access("fig4/own.npy.made", F_OK), -1);
    assert_int_equal(access("tables/a.npy", F_OK), 0);
    assert_int_equal(access("tables/made", F_OK), 0);
    assert_int_equal(access("fig4/own.npy", F_OK), 0);
}

/* What others may do in the folders is for the mask of the process to say. */
static void folders_are_open_to_all_that_the_mask_lets_in(void **state) {
    dgm_reproduce_options options = ask("fig4");
    dgm_reproduce_counts counts;
    struct stat facts;
    (void)state;
    assert_int_equal(mkdir("open", 0777), 0);
    assert_int_equal(chdir("open"), 0);
    answer = DGM_ERROR_DATA;
    mode_t mask = umask(0);
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    umask(mask);
    assert_int_equal(stat("fig4", &facts), 0);
    assert_int_equal(facts.st_mode & 07777, 0777);
    assert_int_equal(stat("tables", &facts), 0);
    assert_int_equal(facts.st_mode & 07777, 0777);
    assert_int_equal(chdir(".."), 0);
}

static void a_part_takes_as_long_as_it_takes(void **state) {
    dgm_reproduce_options options = ask("fig2");
    dgm_reproduce_counts counts;
    (void)state;
    options.fresh = true;
    seconds = -1;
    double began = dgmi_seconds();
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_true(seconds > 0 && seconds <= dgmi_seconds() - began);
}

static void the_seed_is_part_of_every_command(void **state) {
    dgm_reproduce_options options = ask("fig4");
    dgm_reproduce_counts counts;
    (void)state;
    options.seed = 7;
    answer = DGM_ERROR_DATA;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_non_null(strstr(words, " --seed 7 "));
}

/* How many parts a list names; each is told of once. */
static int count_parts(const char *only) {
    dgm_reproduce_options options = ask(only);
    dgm_reproduce_counts counts;
    options.fresh = true;
    answer = DGM_ERROR_DATA;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_int_equal(counts.made + counts.kept + counts.not_made, outcomes);
    return outcomes;
}

static void the_name_of_a_part_stands_for_it_alone(void **state) {
    (void)state;
    assert_int_equal(count_parts("fig1"), 1); /* and not for figure 10 */
    assert_string_equal(told, "fig1 ");
    assert_int_equal(count_parts("table1-dd"), 1);
    assert_string_equal(told, "table1-dd ");
    assert_int_equal(count_parts("table1-dd-learned,fig10"), 2);
    assert_string_equal(told, "fig10 table1-dd-learned ");
    assert_int_equal(count_parts("fig1,fig1"), 1);
}

static void other_words_stand_for_all_that_begin_with_them(void **state) {
    (void)state;
    assert_int_equal(count_parts("table1"), 8);
    assert_int_equal(count_parts("table"), 8);
    assert_int_equal(count_parts("fig"), 10);
    assert_int_equal(count_parts("claim"), 7);
    assert_int_equal(count_parts("claim-"), 7);
    assert_int_equal(count_parts("claim-t"), 2);
    assert_string_equal(told, "claim-tsne claim-trees ");
    assert_int_equal(count_parts("table1-dd-"), 1);
    assert_string_equal(told, "table1-dd-learned ");
    assert_int_equal(count_parts("prop4,fig1"), 4);
    assert_int_equal(count_parts("table1,table1-dd"), 8);
}

/* Figure 2 needs no command. */
static dgm_reproduce_counts make_figure_2(int64_t seed, bool quick, bool fresh) {
    dgm_reproduce_options options = ask("fig2");
    dgm_reproduce_counts counts;
    options.seed = seed;
    options.quick = quick;
    options.fresh = fresh;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_int_equal(outcomes, 1);
    assert_int_equal(verdict, DGM_VERDICT_HOLDS);
    assert_int_equal(checks, 2);
    assert_int_equal(holding, 2);
    assert_int_equal(counts.made + counts.kept, 1);
    assert_int_equal(counts.not_made, 0);
    assert_true(kept == (counts.kept == 1));
    return counts;
}

static void a_part_is_kept_for_the_same_seed_and_length(void **state) {
    (void)state;
    assert_int_equal(make_figure_2(1, false, true).made, 1);
    assert_int_equal(make_figure_2(1, false, false).kept, 1);
    assert_int_equal(make_figure_2(1, false, true).made, 1);
    assert_int_equal(make_figure_2(2, false, false).made, 1);
    assert_int_equal(make_figure_2(2, false, false).kept, 1);
    assert_int_equal(make_figure_2(2, true, false).made, 1);
    assert_int_equal(unlink("fig2/steps.svg"), 0);
    assert_int_equal(make_figure_2(2, true, false).made, 1);
    assert_int_equal(make_figure_2(1, false, false).made, 1);
}

/* What an earlier run has made is in the report, and nobody is told of it. */
static void parts_of_earlier_runs_stay_in_the_report(void **state) {
    dgm_reproduce_counts counts;
    (void)state;
    make_figure_2(1, false, false);
    dgm_reproduce_options options = ask("fig4");
    options.fresh = true;
    answer = DGM_ERROR_DATA;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_string_equal(told, "fig4 ");
    assert_int_equal(counts.made + counts.kept + counts.not_made, 1);
    assert_true(report_has("## Figure 2: the steps of Mapper"));
    assert_true(report_has("| fig2 | Figure 2: the steps of Mapper | holds | 2 of 2 |"));
    assert_true(report_has("| fig4 | Figure 4: where the network errs | not made |  |"));
}

/* Without names a quick run makes what is quick, and any other run all parts. */
static void a_quick_run_makes_the_quick_parts(void **state) {
    const dgm_reproduce_part *part;
    int quick = 0, all = 0;
    (void)state;
    for (; (part = dgm_reproduce_part_at((size_t)all)); all++)
        quick += part->quick;
    for (int k = 0; k < 2; k++) {
        dgm_reproduce_options options = ask(NULL);
        dgm_reproduce_counts counts;
        options.quick = k == 0;
        answer = DGM_ERROR_DATA;
        assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
        assert_int_equal(outcomes, k == 0 ? quick : all);
        assert_int_equal(counts.made + counts.kept + counts.not_made, outcomes);
        assert_true((strstr(told, "sensitivity ") != NULL) == (k == 1));
    }
}

static void verdicts_have_words(void **state) {
    (void)state;
    assert_string_equal(dgm_verdict_words(DGM_VERDICT_HOLDS), "holds");
    assert_string_equal(dgm_verdict_words(DGM_VERDICT_PARTLY), "holds in part");
    assert_string_equal(dgm_verdict_words(DGM_VERDICT_FAILS), "does not hold");
    assert_string_equal(dgm_verdict_words(DGM_VERDICT_NOT_MADE), "not made");
}

/* Where a folder should be there is a file. */
static void a_file_in_place_of_a_folder_is_named(void **state) {
    dgm_reproduce_options options = ask("fig4");
    dgm_reproduce_counts counts;
    (void)state;
    assert_int_equal(mkdir("occupied", 0777), 0);
    assert_int_equal(chdir("occupied"), 0);
    fclose(fopen("fig4", "w"));
    answer = DGM_OK;
    options.fresh = true;
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_OK);
    assert_int_equal(counts.not_made, 1);
    assert_non_null(strstr(why, "fig4: "));
    assert_int_equal(commands, 0);
    assert_int_equal(rmdir("tables"), 0);
    fclose(fopen("tables", "w"));
    assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_ERROR_FILE);
    assert_non_null(strstr(dgm_context_error(ctx), "tables: "));
    assert_int_equal(chdir(".."), 0);
}

static void wrong_names_are_refused_before_anything_is_done(void **state) {
    static const char *const wrong[] = {"figs",       "fig11",       "fig1,nothing", "",
                                        "fig1,",      ",fig1",       "igf",          "table2",
                                        "Fig1",       "table1-dd-x", "fig1 ",        "learned",
                                        "fig1,,fig2", "nothing",     "claim_t"};
    dgm_reproduce_counts counts;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dgm_reproduce_options options = ask(wrong[i]);
        assert_int_equal(dgm_reproduce_check(ctx, &options), DGM_ERROR_USAGE);
        assert_int_equal(dgm_reproduce_run(ctx, &options, &counts), DGM_ERROR_USAGE);
        assert_non_null(strstr(dgm_context_error(ctx), "there is no part"));
        assert_int_equal(commands, 0);
    }
    dgm_reproduce_options options = ask("fig1");
    options.command = NULL;
    assert_int_equal(dgm_reproduce_check(ctx, &options), DGM_ERROR_USAGE);
}

static void every_part_has_a_name_of_its_own_and_some_are_quick(void **state) {
    const dgm_reproduce_part *part;
    int quick = 0;
    (void)state;
    for (size_t i = 0; (part = dgm_reproduce_part_at(i)); i++) {
        assert_true(*part->name && *part->title);
        quick += part->quick;
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(part->name, dgm_reproduce_part_at(j)->name);
    }
    assert_true(quick > 0);
}

/* Figures, propositions and claims are of the paper and quick, and so is one set of its table.
 * What the paper leaves out is not quick. */
static void what_is_beyond_the_paper_is_not_quick(void **state) {
    const dgm_reproduce_part *part;
    (void)state;
    for (size_t i = 0; (part = dgm_reproduce_part_at(i)); i++) {
        bool table = strncmp(part->name, "table1-", 7) == 0;
        bool paper = table ? !strstr(part->name, "-learned")
                           : strncmp(part->name, "fig", 3) == 0 ||
                                 strncmp(part->name, "prop", 4) == 0 ||
                                 strncmp(part->name, "claim-", 6) == 0;
        bool quick = paper && (!table || strcmp(part->name, "table1-proteins") == 0);
        if (part->beyond == paper || part->quick != quick)
            fail_msg("%s is %s%s", part->name, part->quick ? "quick" : "long",
                     part->beyond ? ", and beyond the paper" : "");
    }
}

static void memory_that_ends_leaves_nothing_behind(void **state) {
    dgm_status status = DGM_ERROR_MEMORY;
    (void)state;
    assert_int_equal(mkdir("empty", 0777), 0); /* without the parts that other cases have made */
    assert_int_equal(chdir("empty"), 0);
    answer = DGM_ERROR_DATA;
    for (long k = 0; status == DGM_ERROR_MEMORY; k++) {
        dgm_reproduce_options options = ask("fig4");
        dgm_reproduce_counts counts;
        assert_true(k < 10000);
        scratch_countdown = k;
        status = dgm_reproduce_run(ctx, &options, &counts);
        scratch_countdown = -1;
    }
    assert_int_equal(status, DGM_OK);
    assert_int_equal(chdir(".."), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_whose_command_fails_says_why),
        cmocka_unit_test(a_part_without_its_data_runs_no_command),
        cmocka_unit_test(an_interrupted_command_ends_the_run),
        cmocka_unit_test(an_interrupted_run_leaves_a_report_of_what_it_has),
        cmocka_unit_test(the_report_is_written_even_if_all_is_kept),
        cmocka_unit_test(a_fresh_run_forgets_notes_alone),
        cmocka_unit_test(folders_are_open_to_all_that_the_mask_lets_in),
        cmocka_unit_test(a_part_takes_as_long_as_it_takes),
        cmocka_unit_test(the_seed_is_part_of_every_command),
        cmocka_unit_test(the_name_of_a_part_stands_for_it_alone),
        cmocka_unit_test(other_words_stand_for_all_that_begin_with_them),
        cmocka_unit_test(a_part_is_kept_for_the_same_seed_and_length),
        cmocka_unit_test(parts_of_earlier_runs_stay_in_the_report),
        cmocka_unit_test(a_quick_run_makes_the_quick_parts),
        cmocka_unit_test(verdicts_have_words),
        cmocka_unit_test(a_file_in_place_of_a_folder_is_named),
        cmocka_unit_test(wrong_names_are_refused_before_anything_is_done),
        cmocka_unit_test(every_part_has_a_name_of_its_own_and_some_are_quick),
        cmocka_unit_test(what_is_beyond_the_paper_is_not_quick),
        cmocka_unit_test(memory_that_ends_leaves_nothing_behind),
    };
    return RUN_GROUP(tests, begin, scratch_end);
}
