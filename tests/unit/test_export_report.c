/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include "report_sample.h"
#include "unit_faults.h"

#include "export_report.h"

/* ---- numbers ---- */

static const char *written(void (*put)(dgmi_export_page *, double), double value) {
    static char words[64];
    dgmi_export job = {.ctx = ctx};
    dgmi_export_page page = {.job = &job, .to = &job.text, .markdown = true};
    dgmi_text_init(&job.text, ctx);
    put(&page, value);
    snprintf(words, sizeof words, "%s", job.text.data);
    dgmi_text_free(&job.text);
    return words;
}

static void put_count(dgmi_export_page *page, double value) {
    dgmi_export_count(page, (int64_t)value);
}

static void numbers_have_as_many_digits_as_people_read(void **state) {
    (void)state;
    assert_string_equal(written(dgmi_export_number, 0), "0");
    assert_string_equal(written(dgmi_export_number, 7), "7");
    assert_string_equal(written(dgmi_export_number, 0.012345), "0.0123");
    assert_string_equal(written(dgmi_export_number, -45.67), "-45.7");
    assert_string_equal(written(dgmi_export_number, 1234567), "1,234,567");
    assert_string_equal(written(dgmi_export_number, 1993.4), "1993");
    assert_string_equal(written(dgmi_export_number, 1.5e-7), "1.50e-7");
    assert_string_equal(written(dgmi_export_number, 0.0001), "0.000100");
    assert_string_equal(written(dgmi_export_number, 0.0000999), "9.99e-5");
    assert_string_equal(written(dgmi_export_number, 0.00009999), "1.00e-4");
    assert_string_equal(written(dgmi_export_number, 999999999), "999,999,999");
    assert_string_equal(written(dgmi_export_number, 1234567890), "1.23e9");
    assert_string_equal(written(dgmi_export_number, -9.999e12), "-1.00e13");
    assert_string_equal(written(dgmi_export_number, 99.5), "99.5");
    assert_string_equal(written(dgmi_export_number, 100.5), "101");
    assert_string_equal(written(dgmi_export_number, 9999), "9999");
    assert_string_equal(written(dgmi_export_number, 10000), "10,000");
    assert_string_equal(written(dgmi_export_number, NAN), "unknown");
    assert_string_equal(written(dgmi_export_number, -INFINITY), "-inf");
    assert_string_equal(written(put_count, 999), "999");
    assert_string_equal(written(put_count, -1000), "-1,000");
    assert_string_equal(written(dgmi_export_signed, 0.626), "+0.63");
    assert_string_equal(written(dgmi_export_signed, -1), "-1.00");
    assert_string_equal(written(dgmi_export_decimals, 10.166), "10.17");
}

static void chances_and_shares_do_not_say_more_than_is_true(void **state) {
    (void)state;
    assert_string_equal(written(dgmi_export_chance, 0.0167), "0.017");
    assert_string_equal(written(dgmi_export_chance, 0.00267), "0.0027");
    assert_string_equal(written(dgmi_export_chance, 0.0011), "0.0011");
    assert_string_equal(written(dgmi_export_chance, 4.05e-6), "4e-6");
    assert_string_equal(written(dgmi_export_chance, 9.7e-6), "1e-5");
    assert_string_equal(written(dgmi_export_chance, 9e-13), "< 1e-12");
    assert_string_equal(written(dgmi_export_chance, 2e-12), "2e-12");
    assert_string_equal(written(dgmi_export_chance, 1e-40), "< 1e-12");
    assert_string_equal(written(dgmi_export_chance, 0), "< 1e-12");
    assert_string_equal(written(dgmi_export_chance, 1), "1");
    assert_string_equal(written(dgmi_export_percent, 1), "100%");
    assert_string_equal(written(dgmi_export_percent, 0.999), "> 99%");
    assert_string_equal(written(dgmi_export_percent, 0.994), "99%");
    assert_string_equal(written(dgmi_export_percent, 0.006), "1%");
    assert_string_equal(written(dgmi_export_percent, 0.001), "< 1%");
    assert_string_equal(written(dgmi_export_percent, 0), "0%");
}

/* ---- whole reports ---- */

static int64_t lines_that_begin(const char *text, const char *with) {
    int64_t count = 0;
    for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        count += strncmp(at, with, strlen(with)) == 0;
    return count;
}

static void a_report_has_its_sections(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    char *text = sample_text(ctx, &made, DGM_EXPORT_MD, 0);
    ASSERT_HAS(text, "# path in 2 clusters\n");
    ASSERT_HAS(text, "- **Made by**: `dgm map path --intervals 2`, seed 1, dgm ");
    ASSERT_HAS(text,
               "- **Coverage**: 6 of 6 nodes lie in a cluster, and 5 of 5 edges inside one\n");
    ASSERT_HAS(text, "- **Predictions**: 3 of 5 nodes with a label");
    ASSERT_HAS(text,
               "### Cluster 0: 4 nodes\n\n- **Who**: 0, 1, 2, 3\n- **Class**: low 2 of 3 "
               "(67%, 1.67 times chance, p 0.60: not clear of chance over all clusters)\n"
               "- **Wrong**: 2 of 3 predictions; low taken for high 1, high taken for low 1\n");
    ASSERT_HAS(text, "| low and high |                  1 | 2, 3 |\n");
    assert_int_equal(lines_that_begin(text, "## "), 5);
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

static void in_plain_text_nothing_is_marked_up(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    const dgm_export_subject subject = sample_subject(&made);
    char *text;
    size_t length;
    assert_int_equal(dgm_report_text(ctx, &subject, &text, &length), DGM_OK);
    assert_int_equal(strlen(text), length);
    assert_int_equal(strncmp(text, "path in 2 clusters\n==================\n\n", 39), 0);
    assert_null(strstr(text, "**"));
    assert_null(strchr(text, '#'));
    assert_null(strchr(text, '|'));
    ASSERT_HAS(text, "  Class: low 2 of 3");
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

static void an_empty_summary_is_said_to_be_empty(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.min_size = 100;
    sample made = sample_make(ctx, &(sample_parts){.nodes = 5}, &options);
    char *text = sample_text(ctx, &made, DGM_EXPORT_MD, 0);
    ASSERT_HAS(text, "# A graph in 0 clusters\n");
    ASSERT_HAS(text, "The summary has no clusters.\n");
    ASSERT_HAS(text, "5 nodes left out in clusters below the least size\n");
    assert_int_equal(lines_that_begin(text, "## "), 1);
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

/* Two pieces of two nodes; the graph has the first `edges` of two edges inside and one between. */
static char *report_of_two_pieces(int64_t edges) {
    static const uint32_t ends[] = {0, 1, 2, 3, 1, 2};
    sample made = cast_sample(4, 2, "x.x..x.x", edges, ends, NULL, DGM_EDGES_NERVE);
    char *text = sample_text(ctx, &made, DGM_EXPORT_MD, 0);
    sample_free(&made);
    return text;
}

static void edges_between_pieces_are_told_or_that_there_are_none(void **state) {
    (void)state;
    char *text = report_of_two_pieces(2);
    ASSERT_HAS(text, "### Edges between pieces\n\nNo edge of the graph leads from one piece to "
                     "another.\n");
    assert_null(strstr(text, "Pairs are ranked"));
    assert_null(strstr(text, "nodes per edge"));
    dgm_export_text_free(ctx, text);
    text = report_of_two_pieces(3);
    ASSERT_HAS(text, "### Edges between pieces\n\n1 edge of the graph leads between 1 pair of "
                     "pieces. Pairs are ranked");
    ASSERT_HAS(text, "| 1 and 2 | ");
    dgm_export_text_free(ctx, text);
}

/* ---- long lists ---- */

/* A path in cells side by side, each cell a cluster and a piece by itself: `large` of `size` nodes,
 * then `small` of two. */
static sample make_row_of_clusters(int large, int size, int small) {
    enum { MOST = 2000 };
    static double lens[MOST];
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    int64_t nodes = 0;
    for (int cell = 0; cell < large + small; cell++)
        for (int i = 0; i < (cell < large ? size : 2); i++)
            lens[nodes++] = cell + 0.5;
    assert_true(nodes <= MOST);
    options.intervals[0] = large + small;
    options.overlap[0] = 0;
    return sample_make(ctx, &(sample_parts){.nodes = nodes, .lens = lens}, &options);
}

/* The 30 largest clusters are described, the next 200 are rows, and the rest is counted. */
static void many_clusters_are_listed_by_size(void **state) {
    (void)state;
    sample made = make_row_of_clusters(40, 4, 220);
    char *text = sample_text(ctx, &made, DGM_EXPORT_MD, 0);
    const char *table = strstr(text, "### Smaller clusters"), *end = strstr(text, " more cluster");
    ASSERT_HAS(text, "in 260 clusters\n");
    assert_int_equal(lines_that_begin(text, "### Cluster "), 30);
    assert_true(table && end);
    int64_t rows = 0;
    for (const char *at = table; at && at < end; at = strstr(at + 1, "\n| "))
        rows++;
    assert_int_equal(rows, 1 + 2 + 200); /* the heading, the head of the table, and the rows */
    ASSERT_HAS(text,
               "\n30 more clusters of at most 2 nodes are not listed here; -o FILE.csv writes "
               "all clusters with all of their members.\n");
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

/* A cluster of two nodes is a row, however few clusters there are. */
static void small_clusters_are_rows(void **state) {
    (void)state;
    sample made = make_row_of_clusters(2, 3, 3);
    char *text = sample_text(ctx, &made, DGM_EXPORT_MD, 0);
    assert_int_equal(lines_that_begin(text, "### Cluster "), 2);
    ASSERT_HAS(text, "### Smaller clusters\n");
    assert_null(strstr(text, "not listed here"));
    dgm_export_text_free(ctx, text);
    const dgm_export_subject subject = sample_subject(&made);
    assert_int_equal(dgm_report_text(ctx, &subject, &text, NULL), DGM_OK);
    assert_null(strstr(text, "Smaller clusters")); /* plain text has no third headings */
    ASSERT_HAS(text, "  cluster  nodes  piece  who\n");
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

enum { CLASSES = 40, EACH = 10 };

/* A path of 40 classes, ten nodes of each, whose cells reach over to the classes beside them. */
static sample make_row_of_classes(void) {
    static int32_t classes_of[CLASSES * EACH];
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    for (int i = 0; i < CLASSES * EACH; i++)
        classes_of[i] = i / EACH;
    options.intervals[0] = CLASSES;
    options.overlap[0] = 0.2;
    return sample_make(ctx, &(sample_parts){.nodes = CLASSES * EACH, .labels = classes_of},
                       &options);
}

/* Each of the 39 pairs of neighbours has nodes between them; the summary is a chain of 40. */
static void long_lists_say_how_much_they_leave_out(void **state) {
    (void)state;
    sample made = make_row_of_classes();
    char *text = sample_text(ctx, &made, DGM_EXPORT_MD, 0), words[128];
    dgm_report *report;
    assert_int_equal(dgm_report_create(ctx, made.summary, made.graph, made.profile, NULL, &report),
                     DGM_OK);
    const dgm_report_totals totals = dgm_report_get_totals(report);
    assert_int_equal(totals.borders, CLASSES - 1);
    ASSERT_HAS(text, "\n9 more pairs of classes are not listed here.\n");
    assert_true(totals.bridges > 20);
    snprintf(words, sizeof words, "\n%d more nodes are not listed here; -o FILE.csv",
             (int)totals.bridges - 20);
    ASSERT_HAS(text, words);
    assert_int_equal(totals.branches, 1);
    assert_int_equal(dgm_report_branches(report)[0].cluster_count, CLASSES);
    ASSERT_HAS(text, "- Branch 1, 40 clusters with 400 nodes, a piece of its own: 0 (class 0: ");
    ASSERT_HAS(text, ") - 23 (class 23: ");
    assert_null(strstr(text, ") - 24 (class 24: "));
    ASSERT_HAS(text, ") and 16 more; its end");
    dgm_report_free(report);
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

static const char *const evil[] = {
    "a|b",       "*a* _b_",   "<script>",    "`x`",   "[l](http://e)", "\n# heading\n",
    "www.e.com", "$x$ ~~y~~", "back\\slash", "a@b.c", "\x1b[31mred",   "\xE2\x80\xAEturned",
    "&lt;",      "![i](j)"};

/* Whatever the names are, tables keep their cells and nothing of the names is markup. */
static void names_are_inert(void **state) {
    (void)state;
    static const int32_t labels_of[] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
    static const char *const classes_of[] = {"**c**|", "</td>", NULL};
    sample made = sample_make(ctx,
                              &(sample_parts){.nodes = COUNT(evil),
                                              .names = evil,
                                              .labels = labels_of,
                                              .classes = classes_of,
                                              .source = "<h1>|`src"},
                              NULL);
    char *text = sample_text(ctx, &made, DGM_EXPORT_MD, 0);
    for (const char *at = strchr(text, '<'); at; at = strchr(at + 1, '<'))
        assert_true(at[-1] == '\\' || strncmp(at, "< 1", 3) == 0);
    assert_null(strstr(text, "a|b"));
    assert_null(strstr(text, "\x1b"));
    assert_null(strstr(text, "\xE2\x80\xAE"));
    ASSERT_HAS(text, "# \\<h1\\>\\|\\`src in ");
    ASSERT_HAS(text, "\\*\\*c\\*\\*\\|");
    assert_int_equal(lines_that_begin(text, "# "), 1);
    for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        int64_t bars = 0;
        if (strncmp(at, "| ", 2) != 0)
            continue;
        for (const char *c = at; *c != '\n'; c++)
            bars += *c == '|' && c[-1] != '\\';
        assert_true(bars == 6 || bars == 7 || bars == 5);
    }
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

static void a_command_with_backticks_stays_code(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    const dgm_provenance odd = {.lens = "", .command = "dgm map 'a``b'", .seed = 3};
    assert_int_equal(dgm_summary_set_provenance(ctx, made.summary, &odd), DGM_OK);
    char *text = sample_text(ctx, &made, DGM_EXPORT_MD, 0);
    ASSERT_HAS(text, "- **Made by**: ``` dgm map 'a``b' ```, seed 3");
    assert_null(strstr(text, "**Lens**"));
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

static void a_long_name_is_cut(void **state) {
    (void)state;
    char name[301];
    memset(name, 'n', 300);
    name[300] = '\0';
    const char *const names[] = {name, "b", "c"};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 3, .names = names}, NULL);
    char *text = sample_text(ctx, &made, DGM_EXPORT_MD, 0);
    ASSERT_HAS(text, "nnnn..., ");
    assert_null(strstr(text, name + 300 - DGMI_EXPORT_NAME - 1));
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

/* Members by number need the graph that has their names. */
static void names_must_be_known(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    dgm_export_subject subject = sample_subject(&made);
    char *text;
    subject.graph = NULL;
    ASSERT_FAILS(dgm_report_text(ctx, &subject, &text, NULL), DGM_ERROR_USAGE,
                 "the names of the members are those of the graph: give it, too");
    assert_null(text);
    sample_free(&made);
}

static dgm_status write_once(dgm_context *own, void *argument) {
    const sample *made = argument;
    const dgm_export_subject subject = sample_subject(made);
    char *text;
    dgm_status status = dgm_export_text(own, &subject, DGM_EXPORT_MD, 0, &text, NULL);
    dgm_export_text_free(own, text);
    return status;
}

static void memory_may_end_anywhere(void **state) {
    (void)state;
    sample made = rich_sample(ctx);
    fail_each_allocation(write_once, &made);
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_as_many_digits_as_people_read),
        cmocka_unit_test(chances_and_shares_do_not_say_more_than_is_true),
        cmocka_unit_test(a_report_has_its_sections),
        cmocka_unit_test(in_plain_text_nothing_is_marked_up),
        cmocka_unit_test(an_empty_summary_is_said_to_be_empty),
        cmocka_unit_test(edges_between_pieces_are_told_or_that_there_are_none),
        cmocka_unit_test(many_clusters_are_listed_by_size),
        cmocka_unit_test(small_clusters_are_rows),
        cmocka_unit_test(long_lists_say_how_much_they_leave_out),
        cmocka_unit_test(names_are_inert),
        cmocka_unit_test(a_command_with_backticks_stays_code),
        cmocka_unit_test(a_long_name_is_cut),
        cmocka_unit_test(names_must_be_known),
        cmocka_unit_test(memory_may_end_anywhere),
    };
    return RUN_WITH_CONTEXT(tests);
}
