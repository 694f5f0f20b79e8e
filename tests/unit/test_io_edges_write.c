/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists as they are written, and read again. */
#include "edges_sample.h"

static void assert_round_trip(const char *text, const dgm_graph_options *options,
                              const char *name) {
    dgm_graph *graph = io_read(text, "x.txt", options), *back = NULL;
    const char *path = io_path(name);
    if (dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO) != DGM_OK ||
        dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, options, NULL, &back) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    const char *wrong = check_same_graph(graph, back, CHECK_NAMES);
    if (wrong)
        fail_msg("%s: %s", text, wrong);
    dgm_graph_free(graph);
    dgm_graph_free(back);
}

static void every_graph_comes_back_from_its_file(void **state) {
    (void)state;
    const char *const texts[] = {
        "0 1\n1 2\n",
        "# dgm nodes 9\n0 1\n",
        "# dgm base 1\n# dgm nodes 9\n1 2\n",
        "# nothing\n",
        "# dgm nodes 4\n",
        "0 1 0.1\n1 2 1e300\n2 3 5e-324\n",
        "a b\nb c\n",
        "a z\nz b\n# dgm node lonely\nb y\n",
        "10 x\n3 10\n",
        "source target\nfrom to\nw v\n",
        "\"# a\",\"b \"\"c\"\"\"\n\"two\nlines\",\" blanks \"\n\"\",\"% x\"\n\"1 2\",\"//\"\n",
        "a 1\n2 3\nb 4\n",
        "\"\xef\xbb\xbfx\" y\n",
        "a;b c,d\n",
        "\"a;b\" \"c\td\"\n",
        "\"1.5\" \"2.5\"\n", /* names, though they look like a point */
    };
    const char *const names[] = {"r.tsv", "r.csv", "r.txt", "r.el.gz"};
    const dgm_graph_options options[] = {
        DGM_GRAPH_OPTIONS_INIT,
        {sizeof(dgm_graph_options), true, true, 0, DGM_IDS_NUMBER, NULL},
        {sizeof(dgm_graph_options), false, true, 0, DGM_IDS_NAME, NULL}};
    dgm_context_set_threads(ctx, 1);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            for (size_t o = 0; o < sizeof options / sizeof *options; o++)
                assert_round_trip(texts[t], &options[o], names[n]);
    dgm_context_set_threads(ctx, 0);
}

static void written_files_look_as_people_expect(void **state) {
    (void)state;
    const struct {
        const char *text, *name, *expected;
    } cases[] = {
        {"0 1\n2 1\n", "w.tsv", "0\t1\n1\t2\n"},
        {"0 1 0.5\n", "w.csv", "source,target,weight\n0,1,0.5\n"},
        {"0 1\n", "w.txt", "0 1\n"},
        {"# dgm nodes 4\n0 1\n", "w.tsv", "# dgm nodes 4\n0\t1\n"},
        {"Oslo Bergen\n", "w.tsv", "Oslo\tBergen\n"},
        {"10 x\n", "w.tsv", "# dgm names\nsource\ttarget\n10\tx\n"},
        {"a b\n# dgm node c\n", "w.tsv", "a\tb\n# dgm node c\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size;
        dgm_graph *graph = io_read(cases[i].text, "x.txt", NULL);
        assert_int_equal(dgm_graph_write(ctx, graph, io_path(cases[i].name), DGM_FORMAT_AUTO),
                         DGM_OK);
        char *data = io_load(io_path(cases[i].name), &size);
        assert_string_equal(data, cases[i].expected);
        free(data);
        dgm_graph_free(graph);
    }
}

/* Each stands first in its line, where the reader would take it for something else. */
static void names_are_quoted_where_they_would_be_taken_for_something_else(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"#a", "\"#a\""},
                                           {"a#", "a#"},
                                           {"%a", "\"%a\""},
                                           {"a%", "a%"},
                                           {"//", "\"//\""},
                                           {"/a", "/a"},
                                           {"a//", "a//"},
                                           {"\xef\xbb\xbf", "\"\xef\xbb\xbf\""},
                                           {"a\xef\xbb\xbf", "a\xef\xbb\xbf"},
                                           {"a b", "\"a b\""},
                                           {"a!b", "a!b"},
                                           {"a,b", "\"a,b\""},
                                           {"a;b", "\"a;b\""},
                                           {"1.5", "\"1.5\""},
                                           {"inf", "\"inf\""},
                                           {"a\"b\"c", "\"a\"\"b\"\"c\""},
                                           {"\x1f", "\"\x1f\""},
                                           {"\x7f", "\x7f"}};
    const dgm_graph_options options = {.size = sizeof options, .ids = DGM_IDS_NAME};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgm_graph_builder *builder;
        dgm_graph *graph;
        uint32_t ends[2];
        char expected[64];
        size_t size;
        assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
        assert_int_equal(
            dgm_graph_builder_node(builder, cases[i][0], strlen(cases[i][0]), &ends[0]), DGM_OK);
        assert_int_equal(dgm_graph_builder_node(builder, "z", 1, &ends[1]), DGM_OK);
        assert_int_equal(dgm_graph_builder_add(builder, 1, ends, NULL), DGM_OK);
        assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
        assert_int_equal(dgm_graph_write(ctx, graph, io_path("q.tsv"), DGM_FORMAT_AUTO), DGM_OK);
        char *data = io_load(io_path("q.tsv"), &size);
        snprintf(expected, sizeof expected, "%s\tz\n", cases[i][1]);
        if (size < strlen(expected) || strcmp(data + size - strlen(expected), expected) != 0)
            fail_msg("%s: %s", cases[i][0], data);
        free(data);
        dgm_graph_free(graph);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_graph_comes_back_from_its_file),
        cmocka_unit_test(written_files_look_as_people_expect),
        cmocka_unit_test(names_are_quoted_where_they_would_be_taken_for_something_else),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
