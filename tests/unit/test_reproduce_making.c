/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of parts and what parts say: which commands are run, shown, and not run twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reproduce_stage.h"

/* What was run, with blanks between the words, and how often something was. */
static char ran[1024];
static int runs;
static dgm_status answer;

static dgm_status run_command(void *user, int count, const char *const *words) {
    assert_ptr_equal(user, &runs);
    runs++;
    ran[0] = '\0';
    for (int i = 0; i < count; i++)
        snprintf(ran + strlen(ran), sizeof ran - strlen(ran), "%s%s", i ? " " : "", words[i]);
    if (answer != DGM_OK)
        return dgmi_fail(ctx, answer, "it went wrong");
    stage_write("made.txt", "made");
    return DGM_OK;
}

static void begin(void) {
    stage_set("test", run_command);
    stage_options.user = &runs;
    answer = DGM_OK;
    runs = 0;
}

static void commands_are_run_quietly_with_as_many_threads(void **state) {
    (void)state;
    begin();
    dgm_context_set_threads(ctx, 3);
    assert_int_equal(dgmi_reproduce_do(&stage, "map %s --intervals %d", "karate", 7), DGM_OK);
    assert_string_equal(ran, "map karate --intervals 7 --quiet --threads 3");
    stage_ran("dgm map karate --intervals 7"); /* what is shown is what a reader types */
    stage_options.seed = 5;
    assert_int_equal(dgmi_reproduce_do(&stage, "map karate"), DGM_OK);
    assert_string_equal(ran, "map karate --seed 5 --quiet --threads 3");
    stage_ran("dgm map karate --seed 5");
}

static void a_command_is_shown_once_and_run_each_time(void **state) {
    (void)state;
    begin();
    for (int i = 0; i < 3; i++)
        assert_int_equal(dgmi_reproduce_do(&stage, "map karate"), DGM_OK);
    assert_int_equal(runs, 3);
    assert_int_equal(stage_count(DGMI_REPRODUCE_COMMAND), 1);
    dgmi_reproduce_say(&stage, "dgm draw karate"); /* a sentence is no command */
    assert_int_equal(dgmi_reproduce_do(&stage, "draw karate"), DGM_OK);
    assert_int_equal(stage_count(DGMI_REPRODUCE_COMMAND), 2);
}

static void a_file_is_made_once_by_one_command(void **state) {
    (void)state;
    begin();
    for (int i = 0; i < 2; i++)
        assert_int_equal(dgmi_reproduce_need(&stage, "made.txt", "lens %s", "karate"), DGM_OK);
    assert_int_equal(runs, 1);
    assert_int_equal(stage_count(DGMI_REPRODUCE_COMMAND), 1);
    assert_int_equal(dgmi_reproduce_need(&stage, "made.txt", "lens spam"), DGM_OK);
    assert_int_equal(runs, 2); /* another command makes it anew */
    assert_int_equal(dgmi_reproduce_need(&stage, "made.txt", "lens karate"), DGM_OK);
    assert_int_equal(runs, 3);
    stage_options.seed = 2; /* and another seed */
    assert_int_equal(dgmi_reproduce_need(&stage, "made.txt", "lens karate"), DGM_OK);
    assert_int_equal(runs, 4);
    assert_int_equal(unlink("made.txt"), 0);
    assert_int_equal(dgmi_reproduce_need(&stage, "made.txt", "lens karate"), DGM_OK);
    assert_int_equal(runs, 5);
    assert_int_equal(unlink("made.txt.made"), 0);
    assert_int_equal(dgmi_reproduce_need(&stage, "made.txt", "lens karate"), DGM_OK);
    assert_int_equal(runs, 6);
}

/* The note is written by one version: that of another does not count, nor does a part of it. */
static void the_note_of_another_version_does_not_count(void **state) {
    char note[128];
    (void)state;
    begin();
    snprintf(note, sizeof note, "dgm %s: lens karate\n", dgm_version());
    stage_write("made.txt.made", note);
    assert_int_equal(dgmi_reproduce_need(&stage, "made.txt", "lens karate"), DGM_OK);
    assert_int_equal(runs, 0);
    stage_write("made.txt.made", "dgm 0.0.0: lens karate\n");
    assert_int_equal(dgmi_reproduce_need(&stage, "made.txt", "lens karate"), DGM_OK);
    assert_int_equal(runs, 1);
    stage_write("made.txt.made", "dgm");
    assert_int_equal(dgmi_reproduce_need(&stage, "made.txt", "lens karate"), DGM_OK);
    assert_int_equal(runs, 2);
    note[strlen(note) - 2] = 'f';
    stage_write("made.txt.made", note);
    assert_int_equal(dgmi_reproduce_need(&stage, "made.txt", "lens karate"), DGM_OK);
    assert_int_equal(runs, 3);
}

static void a_command_that_fails_makes_nothing(void **state) {
    (void)state;
    begin();
    unlink("made.txt.made");
    answer = DGM_ERROR_DATA;
    assert_int_equal(dgmi_reproduce_need(&stage, "made.txt", "lens karate"), DGM_ERROR_DATA);
    scratch_check_error("it went wrong");
    answer = DGM_OK; /* made.txt of an earlier run is there, and no note */
    assert_int_equal(dgmi_reproduce_need(&stage, "made.txt", "lens karate"), DGM_OK);
    assert_int_equal(runs, 2);
}

static void what_is_said_is_recorded_in_its_order(void **state) {
    static const dgmi_reproduce_kind kinds[] = {DGMI_REPRODUCE_SAYS,  DGMI_REPRODUCE_PICTURE,
                                                DGMI_REPRODUCE_HEAD,  DGMI_REPRODUCE_ROW,
                                                DGMI_REPRODUCE_CLAIM, DGMI_REPRODUCE_CLAIM};
    (void)state;
    begin();
    dgmi_reproduce_say(&stage, "%d%% of it", 50);
    dgmi_reproduce_show(&stage, "a.svg", "picture %d", 1);
    dgmi_reproduce_head(&stage, "one\t100%");
    dgmi_reproduce_row(&stage, "%d\t%.1f", 1, 2.25);
    dgmi_reproduce_judge(&stage, true, "So it is, 100%.", "%d of %d.", 3, 3);
    dgmi_reproduce_judge(&stage, false, "It is not.", "%d of %d.", 2, 3);
    assert_int_equal(stage_record.status, DGM_OK);
    assert_int_equal(stage_record.count, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(stage_record.items[i].kind, kinds[i]);
    assert_string_equal(stage_record.items[0].text, "50% of it");
    assert_null(stage_record.items[0].more);
    stage_shows("picture 1", "a.svg");
    assert_string_equal(stage_record.items[2].text, "one\t100%");
    stage_has_row("1\t2.2");
    stage_claims("So it is, 100%.", true, "3 of 3.");
    stage_claims("It is not.", false, "2 of 3.");
}

/* The k-th allocation fails, whichever it is. */
static dgm_status say_all(void *argument) {
    (void)argument;
    begin();
    unlink("made.txt.made");
    dgmi_reproduce_say(&stage, "a sentence");
    dgmi_reproduce_show(&stage, "a.svg", "a picture");
    dgmi_reproduce_judge(&stage, true, "a claim", "found");
    dgm_status status = dgmi_reproduce_do(&stage, "map karate");
    if (status == DGM_OK)
        status = dgmi_reproduce_need(&stage, "made.txt", "lens karate");
    if (status == DGM_OK)
        status = dgmi_reproduce_need(&stage, "made.txt", "lens karate");
    if (status == DGM_OK)
        status = stage_record.status;
    assert_true(status != DGM_OK || stage_record.count == 5); /* nothing is lost in silence */
    return status;
}

static void memory_that_ends_is_an_error(void **state) {
    (void)state;
    scratch_fail_each(say_all, NULL);
    assert_int_equal(stage_record.count, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_run_quietly_with_as_many_threads),
        cmocka_unit_test(a_command_is_shown_once_and_run_each_time),
        cmocka_unit_test(a_file_is_made_once_by_one_command),
        cmocka_unit_test(the_note_of_another_version_does_not_count),
        cmocka_unit_test(a_command_that_fails_makes_nothing),
        cmocka_unit_test(what_is_said_is_recorded_in_its_order),
        cmocka_unit_test(memory_that_ends_is_an_error),
    };
    return RUN_GROUP(tests, stage_begin, stage_end);
}
