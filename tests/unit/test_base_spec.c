/* SPDX-License-Identifier: Apache-2.0 */
/* "NAME:key=value,..." taken apart, and what is said where that fails. */
#include "unit_fixture.h"

#include <stdio.h>

#include "base_spec.h"

typedef struct {
    bool loud;
    int64_t legs;
    const char *name;
} animal;

static const dgm_option animal_options[] = {
    {.name = "loud", .kind = DGM_OPTION_FLAG, .offset = offsetof(animal, loud)},
    {.name = "legs",
     .kind = DGM_OPTION_INTEGER,
     .offset = offsetof(animal, legs),
     .minimum = 0,
     .maximum = 8},
    {.name = "name", .kind = DGM_OPTION_TEXT, .offset = offsetof(animal, name)},
};
static const dgm_option_table animals = {"animals", animal_options, COUNT(animal_options)};
static const dgm_option_table no_options = {"none", NULL, 0};
static dgmi_spec spec;

static dgm_status set(const char *text, const dgm_option_table *table, animal *target) {
    *target = (animal){false, 4, NULL};
    assert_int_equal(dgmi_spec_split(ctx, "beast", text, &spec), DGM_OK);
    return dgmi_spec_set(ctx, "beast", &spec, table, target);
}

static void a_name_ends_at_the_first_colon(void **state) {
    (void)state;
    static const char *const cases[][3] = {{"cat", "cat", NULL},
                                           {"cat:", "cat", ""},
                                           {":x", "", "x"},
                                           {"", "", NULL},
                                           {"a:b:c", "a", "b:c"}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(dgmi_spec_split(ctx, "beast", cases[i][0], &spec), DGM_OK);
        assert_string_equal(spec.text, cases[i][1]);
        if (cases[i][2])
            assert_string_equal(spec.keys, cases[i][2]);
        else
            assert_null(spec.keys);
    }
}

static void keys_are_set_and_others_stay(void **state) {
    (void)state;
    animal is;
    assert_int_equal(set("cat", &animals, &is), DGM_OK);
    assert_true(!is.loud && is.legs == 4 && !is.name);
    assert_int_equal(set("cat:legs=3,loud", &animals, &is), DGM_OK);
    assert_true(is.loud && is.legs == 3);
    assert_int_equal(set("cat:loud=false,legs=1,legs=2", &animals, &is), DGM_OK);
    assert_true(!is.loud && is.legs == 2); /* the last one holds */
    assert_int_equal(set("cat:name=a=b:c,", &animals, &is), DGM_OK);
    assert_string_equal(is.name, "a=b:c");
    assert_int_equal(set("cat:", NULL, &is), DGM_OK);
}

static void a_number_after_a_comma_continues_the_value(void **state) {
    (void)state;
    animal is;
    static const char *const cases[][2] = {{"cat:name=0.8,0.1", "0.8,0.1"},
                                           {"cat:name=1,2,0.5,legs=2", "1,2,0.5"},
                                           {"cat:legs=2,name=-1,+2e3,.5", "-1,+2e3,.5"},
                                           {"cat:name=tom,7,legs=2", "tom,7"},
                                           {"cat:name=0.8;0.1,legs=2", "0.8;0.1"},
                                           {"cat:name=,5", ",5"},
                                           {"cat:name=1,2,", "1,2"},
                                           {"cat:name=1,2,loud", "1,2"}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(set(cases[i][0], &animals, &is), DGM_OK);
        assert_string_equal(is.name, cases[i][1]);
        assert_int_equal(is.legs, strstr(cases[i][0], "legs=2") ? 2 : 4);
        assert_int_equal(is.loud, strstr(cases[i][0], "loud") != NULL);
    }
    /* A key that takes one number says so of both; a flag, and nothing at all, have no value. */
    ASSERT_FAILS(set("cat:legs=2,3", &animals, &is), DGM_ERROR_USAGE,
                 "the beast 'cat': legs takes a whole number from 0 to 8, not '2,3'");
    ASSERT_FAILS(set("cat:loud,3", &animals, &is), DGM_ERROR_USAGE,
                 "the beast 'cat' has no key '3' (it takes loud, legs, name)");
    ASSERT_FAILS(set("cat:3,legs=2", &animals, &is), DGM_ERROR_USAGE,
                 "the beast 'cat' has no key '3' (it takes loud, legs, name)");
    ASSERT_FAILS(set("cat:name=1,x", &animals, &is), DGM_ERROR_USAGE,
                 "the beast 'cat' has no key 'x' (it takes loud, legs, name)");
}

static void keys_that_are_wrong_are_named(void **state) {
    (void)state;
    animal is;
    ASSERT_FAILS(set("cat:lges=3", &animals, &is), DGM_ERROR_USAGE,
                 "the beast 'cat' has no key 'lges' (it takes loud, legs, name); did you mean "
                 "'legs'?");
    ASSERT_FAILS(set("cat:wings", &animals, &is), DGM_ERROR_USAGE,
                 "the beast 'cat' has no key 'wings' (it takes loud, legs, name)");
    ASSERT_FAILS(set("cat:legs=9", &animals, &is), DGM_ERROR_USAGE,
                 "the beast 'cat': legs takes a whole number from 0 to 8, not '9'");
    assert_int_equal(set("cat:legs", &animals, &is), DGM_ERROR_USAGE);
    assert_int_equal(set("cat:legs=", &animals, &is), DGM_ERROR_USAGE);
    assert_int_equal(set("cat:loud,,legs=1", &animals, &is), DGM_ERROR_USAGE);
    assert_int_equal(set("cat:=1", &animals, &is), DGM_ERROR_USAGE);
    assert_int_equal(set("cat:Legs=1", &animals, &is), DGM_ERROR_USAGE);
    ASSERT_FAILS(set("cat:legs=1", NULL, &is), DGM_ERROR_USAGE,
                 "the beast 'cat' takes no keys, not 'legs'");
    ASSERT_FAILS(set("cat:legs=1", &no_options, &is), DGM_ERROR_USAGE,
                 "the beast 'cat' takes no keys, not 'legs'");
}

static void the_longest_text_is_taken_and_one_more_refused(void **state) {
    (void)state;
    static char text[DGMI_SPEC_LONGEST + 2];
    memset(text, 'x', DGMI_SPEC_LONGEST - 1);
    assert_int_equal(dgmi_spec_split(ctx, "beast", text, &spec), DGM_OK);
    assert_int_equal(strlen(spec.text), DGMI_SPEC_LONGEST - 1);
    text[DGMI_SPEC_LONGEST - 1] = 'x';
    ASSERT_FAILS(dgmi_spec_split(ctx, "beast", text, &spec), DGM_ERROR_USAGE,
                 "a beast is given in at most 4095 characters");
}

static void names_that_are_unknown_meet_those_that_are_near(void **state) {
    (void)state;
    static const char *const names[] = {"cat", "hamster", "own:NAME", NULL};
    ASSERT_FAILS(dgmi_spec_fail_name(ctx, "beast", "beasts", "hmaster", names), DGM_ERROR_USAGE,
                 "there is no beast 'hmaster'; did you mean 'hamster'? (known: cat, hamster, "
                 "own:NAME)");
    ASSERT_FAILS(dgmi_spec_fail_name(ctx, "beast", "beasts", "owm", names), DGM_ERROR_USAGE,
                 "there is no beast 'owm'; did you mean 'own'? (known: cat, hamster, own:NAME)");
    ASSERT_FAILS(dgmi_spec_fail_name(ctx, "beast", "beasts", "walrus", names), DGM_ERROR_USAGE,
                 "there is no beast 'walrus'; known beasts: cat, hamster, own:NAME");
}

/* As many keys as a near miss is looked for among, and more: the last of them is still found. */
static void many_keys_are_looked_through(void **state) {
    (void)state;
    static char names[80][16];
    static dgm_option options[80];
    animal is;
    for (int i = 0; i < 80; i++) {
        snprintf(names[i], sizeof names[i], "%s", i == 63 ? "feather" : "k");
        options[i] = (dgm_option){.name = names[i], .kind = DGM_OPTION_FLAG};
    }
    for (size_t count = 62; count <= 80; count++) {
        const dgm_option_table table = {"many", options, count};
        assert_int_equal(set("cat:faether", &table, &is), DGM_ERROR_USAGE);
        assert_int_equal(strstr(dgm_context_error(ctx), "did you mean 'feather'?") != NULL,
                         count >= 64);
    }
}

/* More names and longer ones than any list has: the message is cut, nothing else happens. */
static void a_list_without_end_is_cut(void **state) {
    (void)state;
    static char long_name[300];
    const char *names[200] = {NULL};
    memset(long_name, 'n', sizeof long_name - 1);
    for (int i = 0; i < 199; i++)
        names[i] = i % 50 == 0 ? long_name : "plain";
    assert_int_equal(dgmi_spec_fail_name(ctx, "beast", "beasts", "plane", names), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "did you mean 'plain'?");
    assert_int_equal(dgmi_spec_fail_name(ctx, "beast", "beasts", long_name, names),
                     DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "there is no beast 'nnn");
}

/* A list of names that just fits is whole. */
static void long_lists_of_names_are_whole(void **state) {
    (void)state;
    enum { NAMES = 9, LENGTH = 55 }; /* with commas and blanks 511 */
    static char texts[NAMES][LENGTH + 1];
    const char *names[NAMES + 1] = {NULL};
    for (int i = 0; i < NAMES; i++) {
        memset(texts[i], 'a' + i, LENGTH);
        names[i] = texts[i];
    }
    assert_int_equal(dgmi_spec_fail_name(ctx, "thing", "things", "unlike all", names),
                     DGM_ERROR_USAGE);
    const char *error = dgm_context_error(ctx);
    assert_string_equal(error + strlen(error) - LENGTH, texts[NAMES - 1]);
}

static void many_names_are_looked_through(void **state) {
    (void)state;
    const char *names[80];
    for (int last = 62; last < 67; last++) {
        for (int i = 0; i < last; i++)
            names[i] = "k";
        names[last] = "feather";
        names[last + 1] = NULL;
        assert_int_equal(dgmi_spec_fail_name(ctx, "beast", "beasts", "faether", names),
                         DGM_ERROR_USAGE);
        assert_int_equal(strstr(dgm_context_error(ctx), "did you mean 'feather'?") != NULL,
                         last < 64);
    }
}

/* Three keys of 63 letters with their commas, and one of 60, are the 255 characters that fit. */
static void a_list_of_keys_is_cut_behind_255_characters(void **state) {
    (void)state;
    static char names[4][72];
    static dgm_option options[4];
    animal is;
    for (int last = 59; last <= 61; last++) {
        for (int i = 0; i < 4; i++) {
            memset(names[i], 'a' + i, 63);
            names[i][i == 3 ? last : 63] = '\0';
            options[i] = (dgm_option){.name = names[i], .kind = DGM_OPTION_FLAG};
        }
        const dgm_option_table table = {"four", options, 4};
        assert_int_equal(set("cat:walrus", &table, &is), DGM_ERROR_USAGE);
        const char *begin = strstr(dgm_context_error(ctx), "(it takes ");
        assert_non_null(begin);
        assert_int_equal(strlen(begin) - strlen("(it takes )"), 3 * 65 + (last < 60 ? last : 60));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_ends_at_the_first_colon),
        cmocka_unit_test(many_keys_are_looked_through),
        cmocka_unit_test(keys_are_set_and_others_stay),
        cmocka_unit_test(a_number_after_a_comma_continues_the_value),
        cmocka_unit_test(keys_that_are_wrong_are_named),
        cmocka_unit_test(the_longest_text_is_taken_and_one_more_refused),
        cmocka_unit_test(names_that_are_unknown_meet_those_that_are_near),
        cmocka_unit_test(a_list_without_end_is_cut),
        cmocka_unit_test(long_lists_of_names_are_whole),
        cmocka_unit_test(many_names_are_looked_through),
        cmocka_unit_test(a_list_of_keys_is_cut_behind_255_characters),
    };
    return RUN_WITH_CONTEXT(tests);
}
