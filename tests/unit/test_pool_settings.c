/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

#include "pool_rings.h"
#include "pool_settings.h"

static dgm_classify_options given;
static dgmi_pool_settings settings; /* large */
static dgm_classify_options grid[DGMI_POOL_MOST_SETTINGS];

static void give_nothing(void) {
    dgm_classify_options_init(&given);
}

static void make(const dgm_graph_set *set) {
    dgm_status status = dgmi_pool_settings_make(ctx, set, &given, &settings);
    if (status != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
}

static void refuses(const char *words) {
    dgm_graph_set *set = make_rings(8);
    ASSERT_FAILS(dgmi_pool_settings_make(ctx, set, &given, &settings), DGM_ERROR_USAGE, words);
    dgm_graph_set_free(set);
    give_nothing();
}

/* ---- presets ---- */

static void what_is_not_given_is_filled_in(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(8);
    give_nothing();
    make(set);
    assert_string_equal(settings.pool, "mpr:clusters=20-5,overlap=0.25");
    assert_int_equal(settings.options.width, 128);
    assert_int_equal(settings.options.layers, 2);
    assert_int_equal(settings.options.steps, 2);
    assert_int_equal(settings.options.epochs, 30);
    assert_int_equal(settings.options.batch, 32);
    assert_int_equal(settings.options.clamp, 64);
    assert_true(settings.options.rate == 5e-4 && settings.options.dropout == 0.5);
    assert_true(settings.options.decay == 0 && !settings.skip);
    assert_int_equal(settings.folds, 10);
    dgm_graph_set_free(set);
}

static void what_is_given_stays(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(8);
    give_nothing();
    given.width = 7;
    given.steps = 0;
    given.dropout = 0;
    given.rate = 0.1;
    given.epochs = 1;
    given.batch = 1;
    given.clamp = 0;
    given.folds = "files";
    make(set);
    assert_int_equal(settings.options.width, 7);
    assert_int_equal(settings.options.steps, 0);
    assert_true(settings.options.dropout == 0 && settings.options.rate == 0.1);
    assert_int_equal(settings.options.epochs, 1);
    assert_int_equal(settings.options.batch, 1);
    assert_int_equal(settings.options.clamp, 0);
    assert_int_equal(settings.folds, 0);
    dgm_graph_set_free(set);
}

static void pool_becomes(const dgm_graph_set *set, const char *pool, const char *whole) {
    give_nothing();
    given.pool = pool;
    make(set);
    assert_string_equal(settings.pool, whole);
}

static void keys_that_are_given_replace_those_of_the_preset(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(8);
    pool_becomes(set, "mpr:clusters=4-2", "mpr:overlap=0.25,clusters=4-2");
    pool_becomes(set, "mpr:overlap=0,clusters=3", "mpr:overlap=0,clusters=3");
    pool_becomes(set, "mpr:lens=degree", "mpr:clusters=20-5,overlap=0.25,lens=degree");
    pool_becomes(set, "mincut", "mincut:ratio=0.25");
    pool_becomes(set, "mincut:clusters=3-2", "mincut:clusters=3-2");
    pool_becomes(set, "mincut:base=largest", "mincut:ratio=0.25,base=largest");
    pool_becomes(set, "diffpool", "diffpool");
    pool_becomes(set, "sum", "sum");
    dgm_graph_set_free(set);
}

static void the_preset_follows_the_name_of_the_set_and_the_method(void **state) {
    (void)state;
    static const struct {
        const char *source, *pool, *whole;
        int64_t batch, width;
    } rows[] = {
        {"/data/PROTEINS/", "mpr", "mpr:clusters=8-2,overlap=0.25", 128, 128},
        {"DD", "mpr", "mpr:clusters=20-5,overlap=0.1", 32, 128},
        {"x/DD", "mincut", "mincut:ratio=0.1", 32, 32},
        {"x/NOTDD", "mincut", "mincut:ratio=0.25", 32, 32},
        {"COLLAB", "diffpool", "diffpool", 32, 128},
        {"REDDIT-BINARY", "sum", "sum", 32, 128},
        {"REDDIT-BINARY", "diffpool", "diffpool", 32, 128},
        {"DD", "diffpool", "diffpool", 32, 32},
        {"PROTEINS", "diffpool", "diffpool", 128, 32},
        {"COLLAB", "mpr", "mpr:clusters=20-5,overlap=0.1", 32, 128},
        {"others", "diffpool", "diffpool", 32, 32},
    };
    for (int64_t i = 0; i < COUNT(rows); i++) {
        rings_source = rows[i].source;
        dgm_graph_set *set = make_rings(8);
        rings_source = NULL;
        pool_becomes(set, rows[i].pool, rows[i].whole);
        assert_int_equal(settings.options.batch, rows[i].batch);
        assert_int_equal(settings.options.width, rows[i].width);
        dgm_graph_set_free(set);
    }
}

static void partitions_have_the_network_of_the_paper_unless_all_are_to_be_equal(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(8);
    for (int equal = 0; equal < 2; equal++) {
        give_nothing();
        given.pool = "mincut";
        given.preset = equal ? DGM_CLASSIFY_EQUAL : DGM_CLASSIFY_PAPER;
        make(set);
        assert_int_equal(settings.options.layers, equal ? 2 : 1);
        assert_int_equal(settings.options.width, equal ? 128 : 32);
        assert_true(settings.skip == !equal);
        assert_true(settings.options.rate == (equal ? 5e-4 : 1e-3));
        assert_true(settings.options.dropout == (equal ? 0.5 : 0));
    }
    dgm_graph_set_free(set);
}

/* What a caller may give is in the table, and nothing has a default that is out of bounds. */
static void the_defaults_of_the_table_are_taken(void **state) {
    (void)state;
    const dgm_option_table *table = dgm_classify_option_table();
    dgm_graph_set *set = make_rings(8);
    give_nothing();
    make(set);
    assert_int_equal(dgm_options_check(ctx, table, &settings.options), DGM_OK);
    assert_non_null(dgm_option_find(table, "clamp"));
    dgm_graph_set_free(set);
}

/* ---- refusals ---- */

static void numbers_out_of_bounds_are_refused(void **state) {
    (void)state;
    give_nothing();
    given.width = 0;
    refuses("width takes a whole number from 1 to 4096, not '0'");
    given.layers = 9;
    refuses("layers takes a whole number from 1 to 8, not '9'");
    given.steps = 9;
    refuses("steps takes a whole number from 0 to 8, not '9'");
    given.rate = 0;
    refuses("rate takes a number from 1e-09 to 1000000, not '0'");
    given.rate = NAN;
    refuses("rate takes a number from 1e-09 to 1000000, not 'nan'");
    given.dropout = 1;
    refuses("dropout takes a number from 0 to below 1, not '1'");
    given.epochs = 0;
    refuses("epochs takes a whole number from 1 to 1000000, not '0'");
    given.batch = 0;
    refuses("batch takes a whole number from 1 to 1000000, not '0'");
    given.seeds = 0;
    refuses("seeds takes a whole number from 1 to 1000, not '0'");
    given.first = -1;
    refuses("first takes a whole number from 0 to 1000000, not '-1'");
    given.decay = NAN;
    refuses("decay takes a number from 0 to 1000000000, not 'nan'");
    given.clamp = 4097;
    refuses("clamp takes a whole number from 0 to 4096, not '4097'");
}

static void folds_are_three_or_more(void **state) {
    (void)state;
    static const char *const wrong[] = {"2", "0", "-3", "10001", "file", "ten", "", "3.5"};
    for (int64_t i = 0; i < COUNT(wrong); i++) {
        char words[256];
        give_nothing();
        given.folds = wrong[i];
        snprintf(words, sizeof words,
                 "folds takes a number from 3 to 10000 (one fold tests, one validates, the others "
                 "train), or the word files, not '%s'",
                 wrong[i]);
        refuses(words);
    }
}

static void as_many_folds_as_may_be_are_taken(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(8);
    give_nothing();
    given.folds = "3";
    make(set);
    assert_int_equal(settings.folds, 3);
    given.folds = "10000";
    make(set);
    assert_int_equal(settings.folds, 10000);
    dgm_graph_set_free(set);
}

/* Keys of the caller, which just fit or do not. */
static void a_pooling_has_room_for_so_many_characters(void **state) {
    (void)state;
    static char pool[DGMI_SPEC_LONGEST + 1] = "mincut:base=mean,ratio=0.5";
    size_t begin = strlen(pool), longest = DGMI_SPEC_LONGEST - 1;
    dgm_graph_set *set = make_rings(8);
    memset(pool + begin, '0', longest - begin);
    pool[longest] = '\0';
    give_nothing();
    given.pool = pool;
    assert_int_equal(dgmi_pool_settings_make(ctx, set, &given, &settings), DGM_ERROR_USAGE);
    ASSERT_HAS(dgm_context_error(ctx), "ratio takes a number"); /* which this is not */
    dgm_graph_set_free(set);
    strcat(pool, "0");
    refuses("a pooling is given in at most 4095 characters");
}

static void unknown_poolings_are_refused_with_a_suggestion(void **state) {
    (void)state;
    give_nothing();
    given.pool = "mincu";
    refuses(
        "there is no pooling 'mincu'; did you mean 'mincut'? (known: mpr, topk, sagpool, mincut, "
        "diffpool, graclus, sum, mean, max, none)");
    given.pool = "mpr:clsters=3";
    refuses(
        "the pooling 'mpr' has no key 'clsters' (it takes variant, lens, clusters, overlap, cover, "
        "learn, axes); did you mean 'clusters'?");
}

static void sets_that_cannot_be_learned_are_refused(void **state) {
    (void)state;
    const int32_t one[8] = {4, 4, 4, 4, 4, 4, 4, 4};
    dgm_graph_set *bare = make_shapes(8, one, NULL), *alike = make_shapes(8, one, one);
    give_nothing();
    ASSERT_FAILS(dgmi_pool_settings_make(ctx, bare, &given, &settings), DGM_ERROR_DATA,
                 "the graphs of this set have no labels (NAME_graph_labels.txt), so there is "
                 "nothing to learn");
    ASSERT_FAILS(dgmi_pool_settings_make(ctx, alike, &given, &settings), DGM_ERROR_DATA,
                 "all 8 graphs of this set are of one class");
    dgm_graph_set_free(bare);
    dgm_graph_set_free(alike);
}

/* ---- grids ---- */

static dgm_status search(const char *text, int64_t *count) {
    dgm_graph_set *set = make_rings(8);
    give_nothing();
    given.search = text;
    make(set);
    dgm_graph_set_free(set);
    return dgmi_pool_settings_grid(ctx, &settings, grid, count);
}

static void a_grid_is_the_product_of_its_keys(void **state) {
    (void)state;
    int64_t count;
    assert_int_equal(search(" rate=1e-3;5e-4;1e-4  width=64;16 dropout=0.1", &count), DGM_OK);
    assert_int_equal(count, 6);
    for (int64_t i = 0; i < 6; i++) {
        const double rates[] = {1e-3, 5e-4, 1e-4};
        assert_true(grid[i].rate == rates[i % 3]);
        assert_int_equal(grid[i].width, i < 3 ? 64 : 16);
        assert_true(grid[i].dropout == 0.1);
        assert_int_equal(grid[i].layers, 2);
        assert_int_equal(grid[i].batch, 32);
    }
    assert_int_equal(search("layers=1;2 decay=0;1e-4 batch=8", &count), DGM_OK);
    assert_int_equal(count, 4);
    assert_int_equal(grid[1].layers, 2);
    assert_true(grid[2].decay == 1e-4);
    assert_int_equal(grid[3].batch, 8);
}

static void without_keys_there_is_one_setting(void **state) {
    (void)state;
    int64_t count;
    static const char *const texts[] = {NULL, "", "  "};
    for (int64_t i = 0; i < COUNT(texts); i++) {
        assert_int_equal(search(texts[i], &count), DGM_OK);
        assert_int_equal(count, 1);
        assert_int_equal(grid[0].width, 128);
    }
}

static void refuses_search(const char *text, const char *words) {
    int64_t count;
    ASSERT_FAILS(search(text, &count), DGM_ERROR_USAGE, words);
}

static void a_grid_that_is_not_understood_is_refused(void **state) {
    (void)state;
    refuses_search("rate", "search: 'rate' is not KEY=VALUE;VALUE");
    refuses_search("rat=1e-3", "search: there is no key 'rat' (it takes width, layers, dropout, "
                               "rate, decay, batch); did you mean 'rate'?");
    refuses_search("epochs=3", "search: there is no key 'epochs' (it takes width, layers, dropout, "
                               "rate, decay, batch)");
    refuses_search("rate=1e-3;", "rate takes a number from 1e-09 to 1000000, not ''");
    refuses_search("rate=1e-3;;1", "rate takes a number from 1e-09 to 1000000, not ''");
    refuses_search("width=0", "width takes a whole number from 1 to 4096, not '0'");
    refuses_search("width=3.5", "width takes a whole number from 1 to 4096, not '3.5'");
    refuses_search("width=8 width=16", "search: width is given twice");
    refuses_search("width=1;2;3;4;5;6;7;8;9 layers=1;2;3;4;5;6;7;8 dropout=0;0.1;0.2;0.3",
                   "search: more than 256 settings");
}

static void a_grid_may_have_as_many_settings_as_there_is_room_for(void **state) {
    (void)state;
    int64_t count;
    assert_int_equal(
        search("width=1;2;3;4;5;6;7;8 layers=1;2;3;4;5;6;7;8 dropout=0;0.1;0.2;0.3", &count),
        DGM_OK);
    assert_int_equal(count, 256);
    assert_int_equal(grid[255].width, 8);
    assert_true(grid[255].dropout == 0.3);
}

/* A word has up to 255 characters. */
static void a_word_of_a_grid_has_room_for_so_many_characters(void **state) {
    (void)state;
    char text[300] = "width=8", refused[200];
    int64_t count;
    while (strlen(text) < 255)
        strcat(text, ";8");
    assert_int_equal(search(text, &count), DGM_OK);
    assert_int_equal(count, 125);
    strcat(text, "0");
    snprintf(refused, sizeof refused, "search: '%.100s' is not KEY=VALUE;VALUE", text);
    refuses_search(text, refused);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_given_is_filled_in),
        cmocka_unit_test(what_is_given_stays),
        cmocka_unit_test(keys_that_are_given_replace_those_of_the_preset),
        cmocka_unit_test(the_preset_follows_the_name_of_the_set_and_the_method),
        cmocka_unit_test(partitions_have_the_network_of_the_paper_unless_all_are_to_be_equal),
        cmocka_unit_test(the_defaults_of_the_table_are_taken),
        cmocka_unit_test(numbers_out_of_bounds_are_refused),
        cmocka_unit_test(folds_are_three_or_more),
        cmocka_unit_test(as_many_folds_as_may_be_are_taken),
        cmocka_unit_test(a_pooling_has_room_for_so_many_characters),
        cmocka_unit_test(unknown_poolings_are_refused_with_a_suggestion),
        cmocka_unit_test(sets_that_cannot_be_learned_are_refused),
        cmocka_unit_test(a_grid_is_the_product_of_its_keys),
        cmocka_unit_test(without_keys_there_is_one_setting),
        cmocka_unit_test(a_grid_that_is_not_understood_is_refused),
        cmocka_unit_test(a_grid_may_have_as_many_settings_as_there_is_room_for),
        cmocka_unit_test(a_word_of_a_grid_has_room_for_so_many_characters),
    };
    return RUN_WITH_CONTEXT(tests);
}
