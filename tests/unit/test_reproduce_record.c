/* SPDX-License-Identifier: Apache-2.0 */
/* Records in memory and in files, and the verdicts that follow from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"

#include "reproduce_record.h"

static const char *path, *picture;

static int begin(void **state) {
    int failed = scratch_begin(state);
    static char places[2][128];
    snprintf(places[0], sizeof places[0], "%s/record.json", scratch_root);
    snprintf(places[1], sizeof places[1], "%s/p.svg", scratch_root);
    path = places[0];
    picture = places[1];
    return failed;
}

static void fill(dgmi_reproduce_record *record) {
    dgmi_reproduce_record_init(record, ctx);
    dgmi_reproduce_record_add(record, DGMI_REPRODUCE_SAYS, "A \"sentence\" with a \\.", NULL,
                              false);
    dgmi_reproduce_record_add(record, DGMI_REPRODUCE_COMMAND, "dgm map karate", NULL, false);
    dgmi_reproduce_record_add(record, DGMI_REPRODUCE_PICTURE, "Caption", picture, false);
    dgmi_reproduce_record_add(record, DGMI_REPRODUCE_HEAD, "a\tb", NULL, false);
    dgmi_reproduce_record_add(record, DGMI_REPRODUCE_ROW, "1\t2", NULL, false);
    dgmi_reproduce_record_add(record, DGMI_REPRODUCE_CLAIM, "One.", "1.", true);
    dgmi_reproduce_record_add(record, DGMI_REPRODUCE_CLAIM, "Two.", "2.", false);
    assert_int_equal(record->status, DGM_OK);
}

static void a_record_comes_back_as_it_was(void **state) {
    (void)state;
    dgmi_reproduce_record one, two;
    bool found;
    scratch_text("p.svg", "<svg/>");
    fill(&one);
    dgmi_reproduce_record_init(&two, ctx);
    assert_int_equal(dgmi_reproduce_record_save(&one, path, "seed 1"), DGM_OK);
    assert_int_equal(dgmi_reproduce_record_load(&two, path, "seed 1", &found), DGM_OK);
    assert_true(found);
    assert_int_equal(two.count, one.count);
    for (int64_t i = 0; i < one.count; i++) {
        assert_int_equal(two.items[i].kind, one.items[i].kind);
        assert_string_equal(two.items[i].text, one.items[i].text);
        assert_int_equal(two.items[i].holds, one.items[i].holds);
        assert_int_equal(two.items[i].more != NULL, one.items[i].more != NULL);
        if (one.items[i].more)
            assert_string_equal(two.items[i].more, one.items[i].more);
    }
    dgmi_reproduce_record_free(&one);
    dgmi_reproduce_record_free(&two);
}

/* Loads the file and expects that it does not count. */
static void expect_unknown(const char *key) {
    dgmi_reproduce_record record;
    bool found = true;
    dgmi_reproduce_record_init(&record, ctx);
    assert_int_equal(dgmi_reproduce_record_load(&record, path, key, &found), DGM_OK);
    assert_false(found);
    assert_int_equal(record.count, 0);
    dgmi_reproduce_record_free(&record);
}

static void a_record_of_another_run_does_not_count(void **state) {
    (void)state;
    dgmi_reproduce_record record;
    scratch_text("p.svg", "<svg/>");
    fill(&record);
    assert_int_equal(dgmi_reproduce_record_save(&record, path, "seed 1"), DGM_OK);
    dgmi_reproduce_record_free(&record);
    expect_unknown("seed 2");
    unlink(picture);
    expect_unknown("seed 1");
    unlink(path);
    expect_unknown("seed 1");
}

static void a_damaged_record_does_not_count(void **state) {
    (void)state;
    static const char *const damaged[] = {
        "",
        "{",
        "[]",
        "{\"made_by\": \"seed 1\", \"items\": []}",
        "{\"made_by\": \"seed 1\", \"items\": [{\"kind\": \"nothing\", \"text\": \"a\"}]}",
        "{\"made_by\": \"seed 1\", \"items\": [{\"kind\": \"says\", \"text\": 1}]}",
        "{\"made_by\": \"seed 1\", \"items\": [{\"kind\": \"check\", \"text\": \"a\"}]}",
        "{\"made_by\": 1, \"items\": [{\"kind\": \"says\", \"text\": \"a\"}]}",
    };
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        scratch_text("record.json", damaged[i]);
        expect_unknown("seed 1");
    }
}

static void where_memory_ends_a_record_stays_failed(void **state) {
    (void)state;
    dgm_status status = DGM_ERROR_MEMORY;
    for (long k = 0; status == DGM_ERROR_MEMORY; k++) {
        dgmi_reproduce_record record;
        assert_true(k < 100);
        dgmi_reproduce_record_init(&record, ctx);
        scratch_countdown = k;
        for (int i = 0; i < 20; i++)
            dgmi_reproduce_record_add(&record, DGMI_REPRODUCE_CLAIM, "a", "b", true);
        scratch_countdown = -1;
        status = record.status;
        assert_true(status == DGM_OK ? record.count == 20 : record.count < 20);
        dgmi_reproduce_record_free(&record);
    }
    assert_int_equal(status, DGM_OK);
}

/* A record that is there is found, or memory has ended: it is never taken for none. */
static dgm_status load(void *argument) {
    dgmi_reproduce_record record;
    bool found;
    (void)argument;
    dgmi_reproduce_record_init(&record, ctx);
    dgm_status status = dgmi_reproduce_record_load(&record, path, "seed 1", &found);
    assert_true(status != DGM_OK || (found && record.count == 7));
    dgmi_reproduce_record_free(&record);
    return status;
}

static void a_record_is_not_lost_where_memory_ends(void **state) {
    (void)state;
    dgmi_reproduce_record one;
    scratch_text("p.svg", "<svg/>");
    fill(&one);
    assert_int_equal(dgmi_reproduce_record_save(&one, path, "seed 1"), DGM_OK);
    dgmi_reproduce_record_free(&one);
    scratch_fail_each(load, NULL);
}

static void the_verdict_follows_from_the_checks(void **state) {
    (void)state;
    static const struct {
        int yes, no;
        dgm_verdict verdict;
    } cases[] = {{2, 0, DGM_VERDICT_HOLDS}, {1, 1, DGM_VERDICT_PARTLY}, {0, 2, DGM_VERDICT_FAILS}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgmi_reproduce_record record;
        int64_t checks, holding;
        dgmi_reproduce_record_init(&record, ctx);
        dgmi_reproduce_record_add(&record, DGMI_REPRODUCE_SAYS, "No check.", NULL, false);
        for (int j = 0; j < cases[i].yes + cases[i].no; j++)
            dgmi_reproduce_record_add(&record, DGMI_REPRODUCE_CLAIM, "a", "b", j < cases[i].yes);
        assert_int_equal(dgmi_reproduce_record_judge(&record, &checks, &holding), cases[i].verdict);
        assert_int_equal(checks, cases[i].yes + cases[i].no);
        assert_int_equal(holding, cases[i].yes);
        dgmi_reproduce_record_free(&record);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_comes_back_as_it_was),
        cmocka_unit_test(a_record_of_another_run_does_not_count),
        cmocka_unit_test(a_damaged_record_does_not_count),
        cmocka_unit_test(where_memory_ends_a_record_stays_failed),
        cmocka_unit_test(a_record_is_not_lost_where_memory_ends),
        cmocka_unit_test(the_verdict_follows_from_the_checks),
    };
    return RUN_GROUP(tests, begin, scratch_end);
}
