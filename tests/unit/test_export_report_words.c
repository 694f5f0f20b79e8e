/* SPDX-License-Identifier: Apache-2.0 */
/* The words, lists and tables that reports are made of, each at its limits. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

#include "export_report.h"

static dgmi_export job;
static dgmi_export_page page;

static void begin(bool markdown) {
    job = (dgmi_export){.ctx = ctx};
    page = (dgmi_export_page){.job = &job, .to = &job.text, .markdown = markdown};
    dgmi_text_init(&job.text, ctx);
    dgmi_text_init(&page.grid.text, ctx);
}

/* What was written since. */
static void assert_written(const char *expected) {
    assert_int_equal(job.text.status, DGM_OK);
    assert_string_equal(job.text.length ? job.text.data : "", expected);
    dgmi_export_grid_free(&page);
    dgmi_text_free(&job.text);
}

/* ---- numbers and nouns ---- */

static void thousands_are_grouped(void **state) {
    (void)state;
    static const struct {
        int64_t number;
        const char *words;
    } cases[] = {
        {0, "0"},          {-1, "-1"},        {-999, "-999"},        {1000, "1,000"},
        {-1000, "-1,000"}, {99999, "99,999"}, {-100000, "-100,000"}, {1000000, "1,000,000"}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        begin(true);
        dgmi_export_count(&page, cases[i].number);
        assert_written(cases[i].words);
    }
}

static void what_is_not_known_is_a_dash(void **state) {
    (void)state;
    begin(true);
    dgmi_export_known(&page, -1);
    dgmi_export_known(&page, 0);
    dgmi_export_known(&page, 1000);
    assert_written("-01,000");
}

static void nouns_follow_their_numbers(void **state) {
    (void)state;
    begin(true);
    for (int64_t number = 0; number < 3; number++) {
        dgmi_export_count_of(&page, number, "node");
        dgmi_export_words(&page, ", ");
        dgmi_export_noun(&page, number, "branch");
        dgmi_export_words(&page, ", ");
        dgmi_export_noun(&page, number, "pair of classes");
        dgmi_export_words(&page, "; ");
    }
    assert_written("0 nodes, branches, pairs of classes; 1 node, branch, pair of classes; "
                   "2 nodes, branches, pairs of classes; ");
}

typedef void (*put_number)(dgmi_export_page *, double);

static void assert_number(put_number put, double value, const char *words) {
    begin(true);
    put(&page, value);
    assert_written(words);
}

static void numbers_are_rounded_at_their_limits(void **state) {
    (void)state;
    assert_number(dgmi_export_number, INFINITY, "inf");
    assert_number(dgmi_export_number, 1e9, "1.00e9");
    assert_number(dgmi_export_number, 0.5, "0.500");
    assert_number(dgmi_export_number, 12.25, "12.3");
    assert_number(dgmi_export_number, -0.00001, "-1.00e-5");
    assert_number(dgmi_export_decimals, -0.004, "0.00");
    assert_number(dgmi_export_decimals, -0.006, "-0.01");
    assert_number(dgmi_export_decimals, 0.005, "0.01");
    assert_number(dgmi_export_decimals, 9999.25, "9999.25");
    assert_number(dgmi_export_decimals, 10000, "10,000.00");
    assert_number(dgmi_export_decimals, 0.07, "0.07");
    assert_number(dgmi_export_signed, 0, "+0.00");
    assert_number(dgmi_export_signed, -0.004, "0.00");
    assert_number(dgmi_export_chance, 1e-12, "1e-12");
    assert_number(dgmi_export_chance, 0.001, "0.0010");
    assert_number(dgmi_export_chance, 0.0009, "9e-4");
    assert_number(dgmi_export_chance, 0.00096, "1e-3");
    assert_number(dgmi_export_chance, 0.5, "0.50");
    assert_number(dgmi_export_chance, 1.5e-12, "2e-12");
    assert_number(dgmi_export_percent, 0.005, "1%");
    assert_number(dgmi_export_percent, 0.00499, "< 1%");
    assert_number(dgmi_export_percent, 0.995, "> 99%");
    assert_number(dgmi_export_percent, 0.015, "2%");
    assert_number(dgmi_export_rate, 0.03, ", q 0.030");
    assert_number(dgmi_export_rate, NAN, "");
}

/* ---- texts ---- */

static void names_of_80_characters_are_whole(void **state) {
    (void)state;
    char name[163], expected[200];
    for (int wide = 1; wide <= 2; wide++) /* bytes of a character */
        for (int length = 80; length <= 81; length++) {
            for (int i = 0; i < length; i++)
                memcpy(name + wide * i, wide == 1 ? "n" : "\xC3\xA9", (size_t)wide);
            begin(false);
            dgmi_export_data(&page, name, (size_t)(wide * length));
            snprintf(expected, sizeof expected, "%.*s%s", 80 * wide, name,
                     length == 80 ? "" : "...");
            assert_written(expected);
        }
    begin(true);
    dgmi_export_name(&page, "");
    dgmi_export_name(&page, "a*b");
    assert_written("\"\"a\\*b");
    begin(false);
    dgmi_export_name(&page, "a*b");
    assert_written("a*b");
}

static void bold_words_are_plain_in_plain_text(void **state) {
    (void)state;
    static const char *const words[] = {"**a**", "b **c", "", "**", "d", "*e*"};
    for (int markdown = 0; markdown < 2; markdown++) {
        begin(markdown);
        for (int64_t i = 0; i < COUNT(words); i++) {
            dgmi_export_words(&page, words[i]);
            dgmi_export_words(&page, "|");
        }
        assert_written(markdown ? "**a**|b **c||**|d|*e*|" : "a|b c|||d|*e*|");
    }
}

/* Between one backtick more than it holds, up to the sixteen that there are. */
static void code_stands_between_more_backticks_than_it_holds(void **state) {
    (void)state;
    begin(true);
    dgmi_export_code(&page, "a b");
    dgmi_export_words(&page, "|");
    dgmi_export_code(&page, "a`b``c`");
    assert_written("`a b`|``` a`b``c` ```");
    begin(true);
    dgmi_export_code(&page, "``````````````"); /* 14 */
    assert_written("``````````````` `````````````` ```````````````");
    begin(true);
    dgmi_export_code(&page, "```````````````"); /* 15 */
    assert_written("\\`\\`\\`\\`\\`\\`\\`\\`\\`\\`\\`\\`\\`\\`\\`");
    begin(false);
    dgmi_export_code(&page, "a`b*");
    assert_written("a`b*");
}

static void names_of_classes_that_begin_with_a_digit_are_called_classes(void **state) {
    (void)state;
    static const char *const names[] = {"0", "9", "5 a", "a5", "/", ":"};
    begin(false);
    for (int64_t i = 0; i < COUNT(names); i++) {
        dgmi_export_class(&page, names[i]);
        dgmi_export_words(&page, "|");
    }
    assert_written("class 0|class 9|class 5 a|a5|/|:|");
}

static void headings_are_underlined_in_plain_text(void **state) {
    (void)state;
    for (int markdown = 0; markdown < 2; markdown++) {
        begin(markdown);
        for (int level = 1; level <= 3; level++)
            dgmi_export_heading(&page, level, "K\xC3\xB6ln");
        assert_written(markdown ? "# K\xC3\xB6ln\n\n## K\xC3\xB6ln\n\n### K\xC3\xB6ln\n\n"
                                : "K\xC3\xB6ln\n====\n\nK\xC3\xB6ln\n----\n\nK\xC3\xB6ln\n\n");
    }
}

static void entries_and_paragraphs_end(void **state) {
    (void)state;
    for (int markdown = 0; markdown < 2; markdown++) {
        begin(markdown);
        dgmi_export_label(&page, "**Who**");
        dgmi_export_words(&page, "a");
        dgmi_export_item_end(&page);
        dgmi_export_item(&page);
        dgmi_export_words(&page, "b");
        dgmi_export_paragraph_end(&page);
        assert_written(markdown ? "- **Who**: a\n- b\n\n" : "  Who: a\n  b\n\n");
    }
}

/* ---- lists ---- */

static const dgm_report_member people[] = {{"ada", 3, 0, 1, 1}, {"bob", 3, 1, 1, 1}};

static void members_are_listed_and_the_rest_is_counted(void **state) {
    (void)state;
    static const struct {
        dgm_report_members members;
        const char *words;
    } cases[] = {
        {{0, 0, people}, "not named in the file"},
        {{5, 0, people}, "not named in the file"},
        {{1, 1, people}, "ada"},
        {{2, 2, people}, "ada, bob"},
        {{3, 2, people}, "ada, bob and 1 more"},
        {{1002, 2, people}, "ada, bob and 1,000 more"},
        {{1001, 1, people}, "ada and 1,000 more"},
    };
    for (int64_t i = 0; i < COUNT(cases); i++) {
        begin(true);
        dgmi_export_members(&page, &cases[i].members);
        assert_written(cases[i].words);
    }
}

static void a_cell_names_up_to_three_classes(void **state) {
    (void)state;
    static const dgm_difference found[] = {{.value = "a", .mean = 0.5},
                                           {.value = "b", .mean = 0.25},
                                           {.value = "3", .mean = 0.125},
                                           {.value = "d", .mean = 0.1},
                                           {.value = "e", .mean = 0.1}};
    static const char *const words[] = {"-",
                                        "a (50%)",
                                        "a (50%), b (25%)",
                                        "a (50%), b (25%), class 3 (13%)",
                                        "a (50%), b (25%), class 3 (13%) and 1 more",
                                        "a (50%), b (25%), class 3 (13%) and 2 more"};
    for (int64_t count = 0; count <= 5; count++) {
        const dgm_report_differences classes = {count, count, found};
        begin(true);
        dgmi_export_class_cell(&page, &classes);
        assert_written(words[count]);
    }
}

static void classes_are_told_with_their_chance(void **state) {
    (void)state;
    static const dgm_difference found[] = {
        {.value = "a", .yes = 13, .inside = 14, .mean = 13.0 / 14, .lift = 3.1, .q = 0.003},
        {.value = "b", .yes = 1, .inside = 14, .mean = 1.0 / 14, .lift = 2, .q = NAN, .seen = true},
    };
    const dgm_report_differences classes = {2, 2, found};
    begin(true);
    dgmi_export_classes(&page, &classes);
    assert_written("a 13 of 14 (93%, 3.10 times chance, q 0.0030); "
                   "b 1 of 14 (7%, 2.00 times chance, seen by the lens)");
}

static void a_list_names_up_to_eight_clusters(void **state) {
    (void)state;
    static const uint32_t numbers[] = {1, 0, 2, 2, 2, 2, 2, 2, 2, 2};
    static const dgm_report_cluster clusters[] = {{.class_index = 0, .main_class = {.value = "x"}},
                                                  {.class_index = 1, .main_class = {.value = "y"}},
                                                  {.class_index = -1}};
    static const dgm_report_cluster *const by_number[] = {clusters, clusters + 1, clusters + 2};
    begin(true);
    dgmi_export_cluster_list(&page, numbers, 3, by_number);
    assert_written("1 (y), 0 (x), 2");
    for (int64_t count = 8; count <= 10; count++) {
        begin(true);
        dgmi_export_cluster_list(&page, numbers, count, NULL);
        assert_written(count == 8   ? "1, 0, 2, 2, 2, 2, 2, 2"
                       : count == 9 ? "1, 0, 2, 2, 2, 2, 2, 2 and 1 more"
                                    : "1, 0, 2, 2, 2, 2, 2, 2 and 2 more");
    }
}

static void the_rest_is_counted_in_a_sentence(void **state) {
    (void)state;
    begin(true);
    dgmi_export_rest(&page, 1, "cluster", 1, ".");
    dgmi_export_rest(&page, 1200, "branch", 0, "; see there.");
    dgmi_export_rest(&page, 2, "pair of pieces", 3000, ".");
    assert_written("1 more cluster of at most 1 node is not listed here.\n\n"
                   "1,200 more branches are not listed here; see there.\n\n"
                   "2 more pairs of pieces of at most 3,000 nodes are not listed here.\n\n");
}

/* ---- tables ---- */

static void put_cell(const char *words) {
    dgmi_export_words(&page, words);
    dgmi_export_cell_end(&page);
}

static void fill_table(void) {
    static const char *const cells[] = {"1", "ab", "x", "12345", "c", "", "", "K\xC3\xB6ln", "z"};
    dgmi_export_grid_begin(&page, ">no|name|last");
    for (int64_t i = 0; i < COUNT(cells); i++)
        put_cell(cells[i]);
    dgmi_export_grid_end(&page);
}

static void columns_of_a_table_are_as_wide_as_their_widest_cell(void **state) {
    (void)state;
    begin(true);
    fill_table();
    assert_written("|    no | name | last |\n"
                   "| ---: | --- | --- |\n"
                   "|     1 | ab   | x |\n"
                   "| 12345 | c    |  |\n"
                   "|       | K\xC3\xB6ln | z |\n\n");
    begin(false);
    fill_table();
    assert_written("     no  name  last\n"
                   "      1  ab    x\n"
                   "  12345  c     \n"
                   "         K\xC3\xB6ln  z\n\n");
}

/* A second table knows nothing of the first. */
static void a_table_begins_anew(void **state) {
    (void)state;
    begin(false);
    fill_table();
    job.text.length = 0;
    dgmi_export_grid_begin(&page, "a|>b");
    put_cell("1");
    put_cell("23");
    dgmi_export_grid_end(&page);
    assert_written("  a   b\n  1  23\n\n");
}

/* Columns are padded to 40 characters at most; what is longer stands out. */
static void long_cells_stand_out_of_their_column(void **state) {
    (void)state;
    char cells[3][42], expected[400];
    for (int i = 0; i < 3; i++) {
        memset(cells[i], 'a', 41);
        cells[i][39 + i] = '\0';
    }
    begin(false);
    dgmi_export_grid_begin(&page, "t|u");
    for (int i = 0; i < 3; i++) {
        put_cell(cells[i]);
        put_cell("v");
    }
    dgmi_export_grid_end(&page);
    snprintf(expected, sizeof expected, "  t%39s  u\n  %s   v\n  %s  v\n  %s  v\n\n", "", cells[0],
             cells[1], cells[2]);
    assert_written(expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_are_grouped),
        cmocka_unit_test(what_is_not_known_is_a_dash),
        cmocka_unit_test(nouns_follow_their_numbers),
        cmocka_unit_test(numbers_are_rounded_at_their_limits),
        cmocka_unit_test(names_of_80_characters_are_whole),
        cmocka_unit_test(bold_words_are_plain_in_plain_text),
        cmocka_unit_test(code_stands_between_more_backticks_than_it_holds),
        cmocka_unit_test(names_of_classes_that_begin_with_a_digit_are_called_classes),
        cmocka_unit_test(headings_are_underlined_in_plain_text),
        cmocka_unit_test(entries_and_paragraphs_end),
        cmocka_unit_test(members_are_listed_and_the_rest_is_counted),
        cmocka_unit_test(a_cell_names_up_to_three_classes),
        cmocka_unit_test(classes_are_told_with_their_chance),
        cmocka_unit_test(a_list_names_up_to_eight_clusters),
        cmocka_unit_test(the_rest_is_counted_in_a_sentence),
        cmocka_unit_test(columns_of_a_table_are_as_wide_as_their_widest_cell),
        cmocka_unit_test(a_table_begins_anew),
        cmocka_unit_test(long_cells_stand_out_of_their_column),
    };
    return RUN_WITH_CONTEXT(tests);
}
