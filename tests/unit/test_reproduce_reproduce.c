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

#include "base_context.h"

/* What the stranger saw, and what he answers. */
static int commands, outcomes;
static dgm_status answer;
static char words[512], why[512], told[512]; /* told: the parts, with a blank behind each */
static dgm_verdict verdict;

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
        cmocka_unit_test(the_seed_is_part_of_every_command),
        cmocka_unit_test(the_name_of_a_part_stands_for_it_alone),
        cmocka_unit_test(other_words_stand_for_all_that_begin_with_them),
        cmocka_unit_test(wrong_names_are_refused_before_anything_is_done),
        cmocka_unit_test(every_part_has_a_name_of_its_own_and_some_are_quick),
        cmocka_unit_test(memory_that_ends_leaves_nothing_behind),
    };
    return RUN_GROUP(tests, begin, scratch_end);
}
