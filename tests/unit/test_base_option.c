/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>

#include "base_option.h"

typedef struct {
    bool flag;
    int64_t count;
    double share, scale;
    int colour;
    const char *name;
    int64_t counts[DGM_MAX_AXES];
    double shares[DGM_MAX_AXES];
} settings;

static const char *const colours[] = {"red", "green", "greenish", "blue", NULL};
static const dgm_option options[] = {
    {.name = "flag", .kind = DGM_OPTION_FLAG, .offset = offsetof(settings, flag)},
    {.name = "count",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(settings, count),
     .minimum = 1,
     .maximum = 100},
    {.name = "share",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(settings, share),
     .minimum = 0,
     .maximum = 1,
     .open_maximum = true},
    {.name = "scale",
     .kind = DGM_OPTION_REAL,
     .offset = offsetof(settings, scale),
     .minimum = 0.5,
     .maximum = INFINITY},
    {.name = "colour",
     .kind = DGM_OPTION_CHOICE,
     .offset = offsetof(settings, colour),
     .choices = colours},
    {.name = "name", .kind = DGM_OPTION_TEXT, .offset = offsetof(settings, name)},
    {.name = "counts",
     .kind = DGM_OPTION_INTEGERS,
     .offset = offsetof(settings, counts),
     .minimum = 1,
     .maximum = 9},
    {.name = "shares",
     .kind = DGM_OPTION_REALS,
     .offset = offsetof(settings, shares),
     .minimum = 0,
     .maximum = 1},
};
static const dgm_option_table table = {"Settings", options, sizeof options / sizeof *options};

static settings within_bounds(void) {
    settings target = {.count = 1, .scale = 1};
    target.counts[0] = 1;
    return target;
}

static dgm_status set(settings *target, const char *name, const char *value) {
    const dgm_option *option = dgm_option_find(&table, name);
    assert_non_null(option);
    return dgm_option_set(ctx, option, value, target);
}

static void options_are_found_by_their_whole_name(void **state) {
    (void)state;
    assert_ptr_equal(dgm_option_find(&table, "share"), &options[2]);
    assert_ptr_equal(dgm_option_find(&table, "shares"), &options[7]);
    assert_null(dgm_option_find(&table, "shar"));
    assert_null(dgm_option_find(&table, ""));
}

static void every_kind_is_read(void **state) {
    (void)state;
    settings target = within_bounds();
    assert_int_equal(set(&target, "flag", NULL), DGM_OK);
    assert_true(target.flag);
    assert_int_equal(set(&target, "flag", "false"), DGM_OK);
    assert_false(target.flag);
    assert_int_equal(set(&target, "flag", "true"), DGM_OK);
    assert_true(target.flag);
    assert_int_equal(set(&target, "count", "100"), DGM_OK);
    assert_int_equal(target.count, 100);
    assert_int_equal(set(&target, "share", "2.5e-1"), DGM_OK);
    assert_true(target.share == 0.25);
    assert_int_equal(set(&target, "scale", "inf"), DGM_OK);
    assert_true(isinf(target.scale));
    assert_int_equal(set(&target, "colour", "blue"), DGM_OK);
    assert_int_equal(target.colour, 3);
    const char *name = "any text";
    assert_int_equal(set(&target, "name", name), DGM_OK);
    assert_ptr_equal(target.name, name);
}

static void values_out_of_bounds_are_refused_with_the_bounds(void **state) {
    (void)state;
    settings target = within_bounds();
    target.count = 7;
    ASSERT_FAILS(set(&target, "count", "0"), DGM_ERROR_USAGE,
                 "count takes a whole number from 1 to 100, not '0'");
    ASSERT_FAILS(set(&target, "count", "101"), DGM_ERROR_USAGE,
                 "count takes a whole number from 1 to 100, not '101'");
    ASSERT_FAILS(set(&target, "count", "1.5"), DGM_ERROR_USAGE,
                 "count takes a whole number from 1 to 100, not '1.5'");
    ASSERT_FAILS(set(&target, "count", ""), DGM_ERROR_USAGE,
                 "count takes a whole number from 1 to 100, not ''");
    assert_int_equal(target.count, 7);
    ASSERT_FAILS(set(&target, "share", "1"), DGM_ERROR_USAGE,
                 "share takes a number from 0 to below 1, not '1'");
    ASSERT_FAILS(set(&target, "share", "nan"), DGM_ERROR_USAGE,
                 "share takes a number from 0 to below 1, not 'nan'");
    ASSERT_FAILS(set(&target, "share", "-1e-300"), DGM_ERROR_USAGE,
                 "share takes a number from 0 to below 1, not '-1e-300'");
    ASSERT_FAILS(set(&target, "scale", "0.49"), DGM_ERROR_USAGE,
                 "scale takes a number of at least 0.5, not '0.49'");
    assert_int_equal(set(&target, "share", "0.99999999999999994"), DGM_OK);
    assert_int_equal(set(&target, "share", "0"), DGM_OK);
}

static void a_value_is_needed_except_by_flags(void **state) {
    (void)state;
    settings target = within_bounds();
    ASSERT_FAILS(set(&target, "count", NULL), DGM_ERROR_USAGE, "count needs a value");
    ASSERT_FAILS(set(&target, "colour", NULL), DGM_ERROR_USAGE, "colour needs a value");
    ASSERT_FAILS(set(&target, "shares", NULL), DGM_ERROR_USAGE, "shares needs a value");
    ASSERT_FAILS(set(&target, "flag", "yes"), DGM_ERROR_USAGE, "flag is true or false, not 'yes'");
}

static void an_unknown_choice_names_the_nearest_and_all(void **state) {
    (void)state;
    settings target = within_bounds();
    ASSERT_FAILS(set(&target, "colour", "bleu"), DGM_ERROR_USAGE,
                 "colour does not know 'bleu'; did you mean 'blue'? (one of red, green, "
                 "greenish, blue)");
    ASSERT_FAILS(set(&target, "colour", "purple"), DGM_ERROR_USAGE,
                 "colour does not know 'purple'; it takes one of red, green, greenish, blue");
    ASSERT_FAILS(set(&target, "colour", "x\ny"), DGM_ERROR_USAGE,
                 "colour does not know 'x?y'; it takes one of red, green, greenish, blue");
}

static void a_list_fills_the_axes_and_leaves_the_rest_the_same(void **state) {
    (void)state;
    settings target = within_bounds();
    assert_int_equal(set(&target, "counts", "3,5"), DGM_OK);
    assert_int_equal(target.counts[0], 3);
    assert_int_equal(target.counts[1], 5);
    for (int axis = 2; axis < DGM_MAX_AXES; axis++)
        assert_int_equal(target.counts[axis], DGM_SAME);
    assert_int_equal(set(&target, "shares", "0.5"), DGM_OK);
    assert_true(target.shares[0] == 0.5);
    for (int axis = 1; axis < DGM_MAX_AXES; axis++)
        assert_true(target.shares[axis] == DGM_SAME);
    assert_int_equal(set(&target, "counts", "1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7"), DGM_OK);
    assert_int_equal(target.counts[15], 7);
    ASSERT_FAILS(set(&target, "counts", "1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8"), DGM_ERROR_USAGE,
                 "counts takes at most 16 values");
}

static void a_bad_item_of_a_list_is_refused(void **state) {
    (void)state;
    settings target = within_bounds();
    static const char *const bad[] = {"",     ",", "3,",  ",3",   "3,,4",
                                      "3,10", "0", "3;4", "3, 4", "-1"};
    for (int64_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(set(&target, "counts", bad[i]), DGM_ERROR_USAGE);
        ASSERT_HAS(dgm_context_error(ctx), "counts takes a whole number from 1 to 9, not '");
    }
    ASSERT_FAILS(set(&target, "shares", "0.1,1.5"), DGM_ERROR_USAGE,
                 "shares takes a number from 0 to 1, not '0.1,1.5'");
}

static void structs_filled_by_hand_are_checked(void **state) {
    (void)state;
    settings target = within_bounds();
    assert_int_equal(dgm_options_check(ctx, &table, &target), DGM_OK);
    target.count = 0;
    ASSERT_FAILS(dgm_options_check(ctx, &table, &target), DGM_ERROR_USAGE,
                 "count takes a whole number from 1 to 100, not '0'");
    target = within_bounds();
    target.share = NAN;
    ASSERT_FAILS(dgm_options_check(ctx, &table, &target), DGM_ERROR_USAGE,
                 "share takes a number from 0 to below 1, not 'nan'");
    target = within_bounds();
    target.colour = 4;
    ASSERT_FAILS(dgm_options_check(ctx, &table, &target), DGM_ERROR_USAGE,
                 "colour: 4 is none of its 4 choices");
    target.colour = -1;
    assert_int_equal(dgm_options_check(ctx, &table, &target), DGM_ERROR_USAGE);
    target = within_bounds();
    target.counts[1] = DGM_SAME;
    target.counts[2] = 10;
    ASSERT_FAILS(dgm_options_check(ctx, &table, &target), DGM_ERROR_USAGE,
                 "counts takes a whole number from 1 to 9, not '10'");
    target = within_bounds();
    target.counts[0] = 0; /* the first entry has none before it */
    assert_int_equal(dgm_options_check(ctx, &table, &target), DGM_ERROR_USAGE);
    target = within_bounds();
    target.shares[15] = -0.5;
    assert_int_equal(dgm_options_check(ctx, &table, &target), DGM_ERROR_USAGE);
}

static void the_nearest_name_is_near(void **state) {
    (void)state;
    static const char *const names[] = {"pagerank", "degree", "labels", "louvain", NULL};
    assert_string_equal(dgm_name_nearest("degree", names), "degree");
    assert_string_equal(dgm_name_nearest("degre", names), "degree");
    assert_string_equal(dgm_name_nearest("dgeree", names), "degree"); /* 2 steps of at most 3 */
    assert_string_equal(dgm_name_nearest("pagernak", names), "pagerank");
    assert_string_equal(dgm_name_nearest("label", names), "labels");
    assert_string_equal(dgm_name_nearest("pag", names),
                        "pagerank"); /* a beginning of three letters */
    assert_null(dgm_name_nearest("pa", names));
    assert_null(dgm_name_nearest("", names));
    assert_null(dgm_name_nearest("betweenness", names));
    static const char *const none[] = {NULL};
    assert_null(dgm_name_nearest("degree", none));
}

static void the_nearer_of_two_names_wins(void **state) {
    (void)state;
    static const char *const names[] = {"abcdef", "abcxyf", "abcdeg", NULL};
    assert_string_equal(dgm_name_nearest("abcxyg", names), "abcxyf");
    assert_string_equal(dgm_name_nearest("abcdex", names), "abcdef"); /* first of equals */
}

static void words_too_long_are_near_nothing(void **state) {
    (void)state;
    char word[200];
    memset(word, 'a', sizeof word);
    word[199] = '\0';
    char longer[64];
    memset(longer, 'a', sizeof longer);
    longer[63] = '\0';
    const char *const names[] = {longer, NULL};
    assert_null(dgm_name_nearest(word, names));
    const char *const begins_alike[] = {word, NULL};
    char just_too_long[65];
    memset(just_too_long, 'a', sizeof just_too_long);
    just_too_long[64] = '\0';
    assert_null(dgm_name_nearest(just_too_long, begins_alike));
    longer[62] = '\0';
    assert_ptr_equal(dgm_name_nearest(longer, names), longer);
}

static void an_option_of_an_unknown_kind_is_refused(void **state) {
    (void)state;
    const dgm_option strange = {.name = "strange", .kind = (dgm_option_kind)99};
    settings target = {0};
    ASSERT_FAILS(dgm_option_set(ctx, &strange, "1", &target), DGM_ERROR_USAGE,
                 "strange is of an unknown kind");
}

/* A struct as two versions of a library have it. */
typedef struct {
    size_t size;
    int64_t count;
} first_options;

typedef struct {
    size_t size;
    int64_t count;
    double share; /* came later */
} later_options;

static dgm_status take(const void *given, later_options *out) {
    return DGMI_OPTIONS_TAKE(ctx, later_options, count, given, out);
}

static void a_caller_of_an_older_version_gets_defaults_for_what_is_new(void **state) {
    (void)state;
    const first_options older = {sizeof older, 7};
    later_options use = {sizeof use, 1, 0.5};
    assert_int_equal(take(&older, &use), DGM_OK);
    assert_int_equal(use.size, sizeof use);
    assert_int_equal(use.count, 7);
    assert_true(use.share == 0.5);
    const later_options today = {sizeof today, 8, 0.25};
    assert_int_equal(take(&today, &use), DGM_OK);
    assert_int_equal(use.count, 8);
    assert_true(use.share == 0.25);
    assert_int_equal(take(NULL, &use), DGM_OK);
    assert_int_equal(use.count, 8);
}

static void options_that_nobody_initialised_are_refused(void **state) {
    (void)state;
    const later_options zero = {0}, wild = {1000000, 1, 1};
    later_options use = {sizeof use, 1, 0.5};
    ASSERT_FAILS(take(&zero, &use), DGM_ERROR_USAGE,
                 "later_options was not initialised: its size is 0, not 24; begin with its "
                 "initialiser");
    ASSERT_FAILS(take(&wild, &use), DGM_ERROR_USAGE,
                 "later_options has 1000000 bytes, and this version of the library knows 24 of "
                 "them: it was not initialised, or is of a newer version");
    assert_int_equal(use.count, 1);
}

static void names_are_near_within_a_third_of_the_word_and_one_step(void **state) {
    (void)state;
    static const struct {
        const char *word;
        bool near;
    } cases[] = {{"kitten", true},       {"sitting", true}, /* 3 steps of 3 */
                 {"sittingx", false},    {"xxkitten", true},   {"xxxxkitten", true},
                 {"xxxxxkitten", false}, {"kittenxxxx", true}, {"kittenxxxxx", false},
                 {"itten", true},        {"tten", true},       {"ten", false},
                 {"kit", true},          {"xyzten", true},     {"wxyzen", false},
                 {"kit_t_en", true},     {"k_i_t_t_en", true}, {"k_i_t_t_e_n", false}};
    static const char *const names[] = {"kitten", NULL};
    for (int64_t i = 0; i < COUNT(cases); i++)
        if ((dgm_name_nearest(cases[i].word, names) != NULL) != cases[i].near)
            fail_msg("'%s' is %snear", cases[i].word, cases[i].near ? "not " : "");
}

static void a_name_nearer_by_one_step_wins(void **state) {
    (void)state;
    static const char *const names[] = {"abcdef", "abcdxf", NULL};
    assert_string_equal(dgm_name_nearest("abcdxx", names), "abcdxf");
    static const char *const begin[] = {"abcdefgh", "abcdefxy", "zbc", NULL};
    assert_string_equal(dgm_name_nearest("abcd", begin), "zbc"); /* 2 steps */
    assert_string_equal(dgm_name_nearest("abcde", begin),
                        "abcdefgh"); /* the first that begins so */
}

/* Nought means "as before" for whole numbers alone. */
static void a_real_of_nought_is_checked_behind_the_first_too(void **state) {
    (void)state;
    double gaps[DGM_MAX_AXES] = {0.5, DGM_SAME, 1};
    const dgm_option option = {
        .name = "gaps", .kind = DGM_OPTION_REALS, .minimum = 0.25, .maximum = 1};
    const dgm_option_table one = {"Gaps", &option, 1};
    for (int axis = 3; axis < DGM_MAX_AXES; axis++)
        gaps[axis] = DGM_SAME;
    assert_int_equal(dgm_options_check(ctx, &one, gaps), DGM_OK);
    gaps[3] = 0;
    ASSERT_FAILS(dgm_options_check(ctx, &one, gaps), DGM_ERROR_USAGE,
                 "gaps takes a number from 0.25 to 1, not '0'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_found_by_their_whole_name),
        cmocka_unit_test(every_kind_is_read),
        cmocka_unit_test(values_out_of_bounds_are_refused_with_the_bounds),
        cmocka_unit_test(a_value_is_needed_except_by_flags),
        cmocka_unit_test(an_unknown_choice_names_the_nearest_and_all),
        cmocka_unit_test(a_list_fills_the_axes_and_leaves_the_rest_the_same),
        cmocka_unit_test(a_bad_item_of_a_list_is_refused),
        cmocka_unit_test(structs_filled_by_hand_are_checked),
        cmocka_unit_test(the_nearest_name_is_near),
        cmocka_unit_test(the_nearer_of_two_names_wins),
        cmocka_unit_test(words_too_long_are_near_nothing),
        cmocka_unit_test(an_option_of_an_unknown_kind_is_refused),
        cmocka_unit_test(a_caller_of_an_older_version_gets_defaults_for_what_is_new),
        cmocka_unit_test(options_that_nobody_initialised_are_refused),
        cmocka_unit_test(names_are_near_within_a_third_of_the_word_and_one_step),
        cmocka_unit_test(a_name_nearer_by_one_step_wins),
        cmocka_unit_test(a_real_of_nought_is_checked_behind_the_first_too),
    };
    return RUN_WITH_CONTEXT(tests);
}
