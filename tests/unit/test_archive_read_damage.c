/* SPDX-License-Identifier: Apache-2.0 */
/* What is no summary, and memory that ends while one is read. */
#include "archive_sample.h"
#include "unit_faults.h"

static void a_summary_is_told_by_its_beginning(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool summary;
    } cases[] = {
        {"{\"format\": \"dgm-summary\"}", true},
        {" \t\r\n{\"format\": \"dgm-summary\"}", true},
        {"\xEF\xBB\xBF{\"format\": \"dgm-summary\"}", true},
        {"[\"dgm-summary\"]", false},
        {"{\"format\": \"dgm\"}", false},
        {"{", false},
        {" \n ", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        save(cases[i].text);
        assert_int_equal(dgm_summary_is_file(ctx, path), cases[i].summary);
    }
    assert_true(dgm_summary_is_file(ctx, "-")); /* nothing else is read from there */
    assert_false(dgm_summary_is_file(ctx, "/nowhere/at.all"));
}

static void what_is_no_summary_is_an_error_of_one_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"", "not JSON"},
        {"0 1\n1 2\n", "not JSON"},
        {"[]", "no summary"},
        {"{\"nodes\": [], \"edges\": []}", "no summary"},
        {"{\"format\": 3}", "no summary"},
        {"{\"format\": \"dgm-summary\", \"version\": 2}", "newer"},
        {"{\"format\": \"dgm-summary\", \"version\": \"1\"}", "whole number"},
        {HEAD "\"edges\": []}", "are missing"},
        {HEAD "\"nodes\": {}, \"edges\": []}", "are missing"},
        {HEAD "\"nodes\": [3], \"edges\": []}", "nodes[0] is no object"},
        {HEAD "\"nodes\": [{}], \"edges\": []}", "nodes[0] has no \"id\""},
        {HEAD "\"nodes\": [{\"id\": 1}], \"edges\": []}", "from 0 to 0"},
        {HEAD "\"nodes\": [{\"id\": \"0\"}], \"edges\": []}", "from 0 to 0"},
        {HEAD "\"nodes\": [{\"id\": 0}, {\"id\": 0}], \"edges\": []}", "id of another"},
        {HEAD "\"nodes\": [{\"id\": 0}], \"edges\": []}", "has no \"size\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1000000000000000000}], \"edges\": []}",
         "\"size\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"lens\": 3}], \"edges\": [1]}",
         "is no object"},
        {HEAD
         "\"lens\": {\"axes\": [\"a\"]}, \"nodes\": [{\"id\": 0, \"size\": 1}], \"edges\": []}",
         "\"lens\" of 1"},
        {HEAD "\"lens\": {\"axes\": [7]}, \"nodes\": [], \"edges\": []}", "lens.axes[0]"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": "
              "{\"judged\": 10}}",
         "\"judged\" that is no whole number from 0 to 9"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": "
              "{\"judged\": 2, \"mistakes\": 3}}",
         "\"mistakes\" that is no whole number from 0 to 2"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": "
              "{\"judged\": 2, \"by_split\": {\"test\": {\"judged\": 1}}}}",
         "do not add up"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"x\": 1}], \"edges\": []}", "has no \"y\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"x\": null, \"y\": 0, \"radius\": 1}], "
              "\"edges\": []}",
         "has no \"x\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"x\": 1e300, \"y\": 0, \"radius\": 1}], "
              "\"edges\": []}",
         "\"x\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"x\": 1e999}], \"edges\": []}", "not JSON"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 2}}], \"edges\": []}",
         "no part of its members"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": []}], \"edges\": []}",
         "has no \"labels\""},
        {HEAD
         "\"classes\": [\"b\"], \"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}}], "
         "\"edges\": []}",
         "not among"},
        {HEAD "\"classes\": [\"b\", \"b\"], \"nodes\": [], \"edges\": []}", "classes[1]"},
        {HEAD "\"classes\": 3, \"nodes\": [], \"edges\": []}", "no list of names"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"entropy\": 2}], \"edges\": []}", "entropy"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"attributes\": {\"a\": \"b\"}}], "
              "\"edges\": []}",
         "\"a\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"source\": 0, \"target\": 2}]}",
         "edges[0]"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"source\": 1, \"target\": 1}]}",
         "edges[0]"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"source\": 0, \"target\": 1}, {\"source\": 1, \"target\": 0}]}",
         "same clusters as edges[0]"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"source\": 0, \"target\": 1, \"weight\": -1}]}",
         "weight"},
        {"{\"format\": \"another\"}", "no summary"},
        {HEAD "\"nodes\": []}", "are missing"},
        {HEAD "\"nodes\": [], \"edges\": {}}", "are missing"},
        {HEAD "\"nodes\": [{\"id\": -1}], \"edges\": []}", "from 0 to 0"},
        {HEAD "\"lens\": {\"axes\": [\"a\"], \"transforms\": []}, \"nodes\": [], \"edges\": []}",
         "\"transforms\" is no list of one text for each axis"},
        {HEAD "\"lens\": {\"axes\": [\"a\"], \"transforms\": [3]}, \"nodes\": [], \"edges\": []}",
         "lens.transforms[0] is no text"},
        {HEAD "\"lens\": {\"axes\": [\"a\"]}, \"nodes\": [{\"id\": 0, \"size\": 1, \"lens\": "
              "[\"x\"]}], \"edges\": []}",
         "nodes[0] has a lens value that is no number"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": {\"judged\": 2, \"mistakes\": 1, "
              "\"by_split\": {\"test\": {\"judged\": 2}}}}",
         "do not add up"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": {\"judged\": 2, \"judged_left_out\": 1, "
              "\"by_split\": {\"test\": {\"judged\": 2}}}}",
         "do not add up"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": {\"judged\": -1, \"by_split\": {}}}",
         "\"judged\" that is no whole number from 0 to 9"},
        {HEAD "\"classes\": [3], \"nodes\": [], \"edges\": []}", "classes[0] is no text"},
        {HEAD "\"classes\": [], \"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}}], "
              "\"edges\": []}",
         "of a class 'a' that is not among \"classes\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": \"1\"}}], \"edges\": []}",
         "no part of its members"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 0}}], \"edges\": []}",
         "no part of its members"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {}}, {\"id\": 1, \"size\": 1}], "
              "\"edges\": []}",
         "nodes[1] has no \"labels\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"attributes\": []}], \"edges\": []}",
         "has \"attributes\" that are no object"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"attributes\": {\"a\": {\"x\": 1}}}, {\"id\": "
              "1, \"size\": 1, \"attributes\": {\"a\": 3}}], \"edges\": []}",
         "nodes[1] has no \"a\" {\"NAME\": COUNT, ...}"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"name\": 3}], \"edges\": []}",
         "nodes[0] has a \"name\" that is no text"},
        {HEAD
         "\"nodes\": [{\"id\": 0, \"size\": 4, \"top\": {\"neighbours\": [3]}}], \"edges\": []}",
         "nodes[0] has a member that is no text"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 1, \"confused\": [{}]}], \"edges\": []}",
         "has \"confused\" that is no list of"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 1, \"confused\": [{\"label\": \"a\"}]}], \"edges\": []}",
         "has \"confused\" that is no list of"},
        {HEAD
         "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": {\"b\": "
         "1}, \"mistakes\": 1, \"confused\": [{\"prediction\": \"a\"}]}], \"edges\": []}",
         "has \"confused\" that is no list of"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 1, \"confused\": [{\"label\": \"z\", \"prediction\": "
              "\"a\"}]}], \"edges\": []}",
         "has \"confused\" that is no list of"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 1, \"confused\": [{\"label\": \"a\", \"prediction\": "
              "\"z\"}]}], \"edges\": []}",
         "has \"confused\" that is no list of"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 1, \"confused\": [3]}], \"edges\": []}",
         "has \"confused\" that is no list of"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 2}], \"edges\": []}",
         "\"mistakes\" that is no whole number from 0 to 1"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"target\": 1}]}",
         "does not join two clusters"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"source\": 1}]}",
         "does not join two clusters"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"intervals\": [1, 2, 3, 4, 5, 6, 7, 8, "
              "9, 10, 11, 12, 13, 14, 15, 16, 17]}}",
         "the cover has more than"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"overlap\": [0, 0, 0, 0, 0, 0, 0, 0, 0, "
              "0, 0, 0, 0, 0, 0, 0, 0]}}",
         "the cover has more than"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"kind\": \"round\"}}",
         "\"cover\" has \"kind\": 'round', which this program does not know"},
        {HEAD "\"nodes\": [], \"edges\": [], \"mapper\": {\"edges\": \"x\"}}", "'x'"},
        {HEAD "\"nodes\": [], \"edges\": [], \"mapper\": {\"eps\": 2}}", "from 0 to 1"},
        {HEAD "\"nodes\": [], \"edges\": [], \"mapper\": {\"min_size\": -1}}", "min_size"},
        {HEAD "\"nodes\": [], \"edges\": [], \"layout\": {\"dust\": -1}}", "dust"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": {\"dust\": {\"clusters\": -1}}}",
         "clusters"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": {\"attached\": {\"nodes\": 0.5}}}",
         "nodes"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"intervals\": [0]}}",
         "cover.intervals[0] is no number of intervals"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"intervals\": [3, \"a\"]}}",
         "cover.intervals[1] is no number of intervals"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"overlap\": [\"a\"]}}",
         "cover.overlap[0] is no number from 0 to 1"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"overlap\": [0.5, 1.5]}}",
         "cover.overlap[1] is no number from 0 to 1"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"overlap\": [-0.5]}}",
         "cover.overlap[0] is no number from 0 to 1"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"kind\": \"intervals\", \"cells\": "
              "[[null, 1], [0, \"a\"]]}}",
         "cover.cells[1] is no pair of numbers"},
        {HEAD "\"nodes\": [], \"edges\": [], \"cover\": {\"kind\": \"intervals\", \"cells\": "
              "[[1]]}}",
         "cover.cells[0] is no pair of numbers"},
        {HEAD "\"nodes\": [], \"edges\": [], \"lens\": {\"axes\": [\"a\"], \"min\": []}}",
         "\"min\" is no list of one number for each axis"},
        {HEAD "\"nodes\": [], \"edges\": [], \"lens\": {\"axes\": [\"a\"], \"errors\": "
              "[\"b\"]}}",
         "errors[0] is no number"},
        {HEAD "\"nodes\": [], \"edges\": [], \"topology\": {\"b0\": -2}}", "b0"},
        {HEAD "\"nodes\": [], \"edges\": [], \"bits\": {\"blocks\": -1}}", "blocks"},
        {HEAD "\"nodes\": [], \"edges\": [], \"bits\": {\"gained\": \"x\"}}", "gained"},
        {HEAD "\"nodes\": [], \"edges\": [], \"bits\": {\"chance\": {\"runs\": 0.5}}}", "runs"},
        {HEAD "\"nodes\": [], \"edges\": [], \"bits\": {\"features\": 1.5}}", "features"},
        {HEAD "\"nodes\": [], \"edges\": [], \"coverage\": {\"filtered_by\": {\"cover\": "
              "\"a\"}}}",
         "\"cover\" that is no whole number"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"cell\": [1]}, {\"id\": 1, \"size\": 1, "
              "\"cell\": []}], \"edges\": []}",
         "nodes[1] has no \"cell\" of 1 numbers"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"cell\": [1.5]}], \"edges\": []}",
         "has a \"cell\" that is no list of whole numbers"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"cell\": [-1]}], \"edges\": []}",
         "has a \"cell\" that is no list of whole numbers from 0 to 2147483647"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"cell\": [2147483648]}], \"edges\": []}",
         "has a \"cell\" that is no list of whole numbers from 0 to 2147483647"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 2, \"members\": [\"a\"]}], \"edges\": []}",
         "nodes[0] has no \"members\", as many as \"size\" says"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 4, \"members\": [\"a\", \"b\", \"c\", 4]}], "
              "\"edges\": []}",
         "nodes[0] has a member that is no text"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"members\": [\"a\"]}, {\"id\": 1, \"size\": "
              "1}], \"edges\": []}",
         "nodes[1] has no \"members\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        read_back back;
        save(wrong[i].text);
        assert_int_equal(try_to_read(ctx, NULL, &back), DGM_ERROR_FORMAT);
        assert_true(!back.summary && !back.profile && !back.places);
        const char *error = dgm_context_error(ctx);
        if (!strstr(error, wrong[i].words) || strchr(error, '\n') || !strstr(error, path))
            fail_msg("'%s' is not in '%s'", wrong[i].words, error);
    }
}

/* Whatever a section says of itself is looked at, wherever it stands in the order of reading. */
static void every_value_of_a_section_is_checked(void **state) {
    (void)state;
    static const struct {
        const char *section, *key, *value;
    } wrong[] = {
        {"graph", "nodes", "-1"},
        {"graph", "edges", "-1"},
        {"cover", "rule", "\"x\""},
        {"cover", "size", "-1"},
        {"cover", "k", "-1"},
        {"cover", "radius", "-1"},
        {"cover", "metric", "\"x\""},
        {"cover", "critical", "-1"},
        {"cover", "most", "0"},
        {"cover", "of", "\"x\""},
        {"cover", "beta", "101"},
        {"cover", "subsamples", "0"},
        {"mapper", "cluster", "\"x\""},
        {"mapper", "strength", "\"x\""},
        {"mapper", "min_component", "-1"},
        {"mapper", "gap", "0"},
        {"mapper", "reach", "-1"},
        {"mapper", "min_points", "0"},
        {"mapper", "of", "\"x\""},
        {"mapper", "metric", "\"x\""},
        {"mapper", "weights", "\"x\""},
        {"mapper", "pieces", "\"x\""},
        {"layout", "seed", "-1"},
        {"layout", "operations", "-1"},
        {"layout", "budget", "-1"},
        {"provenance", "seed", "0.5"},
        {"coverage", "covered", "10"},
        {"coverage", "lost", "-1"},
        {"coverage", "taken", "-1"},
        {"topology", "triangles", "-1"},
        {"pooling", "step", "0"},
        {"pooling", "steps", "0"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[256], words[32];
        read_back back;
        snprintf(text, sizeof text,
                 "{\"format\": \"dgm-summary\", \"%s\": {\"%s\": %s}, \"nodes\": [], "
                 "\"edges\": []}",
                 wrong[i].section, wrong[i].key, wrong[i].value);
        snprintf(words, sizeof words, "\"%s\"", wrong[i].key);
        save(text);
        if (try_to_read(ctx, NULL, &back) != DGM_ERROR_FORMAT)
            fail_msg("%s.%s may be %s", wrong[i].section, wrong[i].key, wrong[i].value);
        assert_non_null(strstr(dgm_context_error(ctx), words));
        assert_true(!back.summary && !back.profile && !back.places);
    }
}

/* JSON has no word for a number that is not known but null, and Mapper cannot be run with NaN. */
static void numbers_that_are_null_are_the_usual_ones(void **state) {
    (void)state;
    save(HEAD "\"nodes\": [], \"edges\": [], \"mapper\": {\"eps\": null, \"reach\": null}, "
              "\"cover\": {\"radius\": null, \"critical\": null, \"beta\": null}, "
              "\"layout\": {\"operations\": null, \"budget\": 4}}");
    read_back back = read_file(NULL);
    const dgm_mapper_options *options = dgm_summary_options(back.summary);
    assert_true(options->eps == 0 && options->reach == 0 && options->radius == 0);
    assert_true(options->beta == 0 && options->critical == 10);
    assert_true(back.places->operations == 0 && back.places->budget == 0);
    free_back(ctx, &back);
    save(HEAD "\"nodes\": [], \"edges\": [], \"layout\": {\"operations\": 4, \"budget\": null}}");
    back = read_file(NULL);
    assert_true(back.places->operations == 0 && back.places->budget == 0);
    free_back(ctx, &back);
}

/* A fuzzy cover gives every member a weight. */
static void weights_belong_to_members(void **state) {
    (void)state;
    static const struct {
        const char *weights, *words;
    } wrong[] = {
        {"[1]", "nodes[0] has no \"weights\", as many as \"size\" says"},
        {"{}", "nodes[0] has no \"weights\", as many as \"size\" says"},
        {"[1, 0]", "nodes[0] has a weight that is no number from 0 to 1"},
        {"[1, 1.5]", "nodes[0] has a weight that is no number from 0 to 1"},
        {"[\"a\", 1]", "nodes[0] has a weight that is no number from 0 to 1"},
    };
    char text[256];
    read_back back;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text,
                 HEAD "\"nodes\": [{\"id\": 0, \"size\": 2, \"members\": [\"a\", \"b\"], "
                      "\"weights\": %s}], \"edges\": []}",
                 wrong[i].weights);
        save(text);
        assert_int_equal(try_to_read(ctx, NULL, &back), DGM_ERROR_FORMAT);
        assert_non_null(strstr(dgm_context_error(ctx), wrong[i].words));
    }
    save(HEAD "\"nodes\": [{\"id\": 0, \"size\": 2, \"members\": [\"a\", \"b\"], "
              "\"weights\": [0.25, 1]}], \"edges\": []}");
    back = read_file(NULL);
    assert_true(back.summary->weights[0] == 0.25 && back.summary->weights[1] == 1);
    free_back(ctx, &back);
}

/* They stand in the order of the members. */
static void nodes_that_were_taken_are_members(void **state) {
    (void)state;
    static const char *const wrong[] = {"[\"d\"]", "[3]", "[\"b\", \"a\"]", "[\"c\", \"c\"]",
                                        "[\"a\", \"\"]"};
    char text[256];
    read_back back;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text,
                 HEAD "\"nodes\": [{\"id\": 0, \"size\": 3, \"members\": [\"a\", \"b\", \"c\"], "
                      "\"taken\": %s}], \"edges\": []}",
                 wrong[i]);
        save(text);
        assert_int_equal(try_to_read(ctx, NULL, &back), DGM_ERROR_FORMAT);
        assert_non_null(
            strstr(dgm_context_error(ctx), "nodes[0] has a \"taken\" that is no member"));
    }
    save(HEAD "\"nodes\": [{\"id\": 0, \"size\": 3, \"members\": [\"a\", \"b\", \"c\"], "
              "\"taken\": [\"a\", \"c\"]}], \"edges\": []}");
    back = read_file(NULL);
    assert_int_equal(back.summary->taken_count, 2);
    assert_true(back.summary->taken[0] == 0 && back.summary->taken[1] == 2);
    free_back(ctx, &back);
}

/* A line of edges or of mistakes that is wrong is found behind others that are right. */
static void what_stands_behind_good_values_is_checked_too(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"source\": 0, \"target\": 1, \"shared\": -1}]}",
         "edges[0] has \"shared\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": "
              "[{\"source\": 0, \"target\": 1, \"links\": -1}]}",
         "edges[0] has \"links\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1}, {\"id\": 1, \"size\": 1}], \"edges\": [3]}",
         "edges[0] is no object"},
        {HEAD
         "\"nodes\": [], \"edges\": [], \"coverage\": {\"judged\": 2, \"judged_left_out\": -1}}",
         "\"judged_left_out\""},
        {HEAD "\"nodes\": [], \"edges\": [], \"lens\": {\"axes\": [\"a\"], \"min\": [0], "
              "\"max\": []}}",
         "\"max\" is no list of one number for each axis"},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"mistakes\": 1}, {\"id\": 1, \"size\": 1, \"labels\": {\"a\": 1}, "
              "\"predictions\": {\"b\": 1}}], \"edges\": []}",
         "nodes[1] has no \"mistakes\""},
        {HEAD "\"nodes\": [{\"id\": 0, \"size\": 1, \"labels\": {\"a\": 1}, \"predictions\": "
              "{\"b\": 1}, \"judged\": 2, \"mistakes\": 0}], \"edges\": []}",
         "nodes[0] has \"judged\""},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        read_back back;
        save(wrong[i].text);
        if (try_to_read(ctx, NULL, &back) != DGM_ERROR_FORMAT ||
            !strstr(dgm_context_error(ctx), wrong[i].words))
            fail_msg("'%s' is not in '%s'", wrong[i].words, dgm_context_error(ctx));
    }
}

static void deep_nesting_is_an_error(void **state) {
    (void)state;
    enum { DEEP = 100000 };
    char *text = calloc(1, DEEP + 64);
    read_back back;
    dgm_summary *summary;
    strcpy(text, "{\"format\": \"dgm-summary\", \"x\": ");
    memset(text + strlen(text), '[', DEEP);
    save(text);
    assert_int_equal(try_to_read(ctx, NULL, &back), DGM_ERROR_FORMAT);
    free(text);
    assert_int_equal(dgm_summary_read(ctx, "/none/such.json", NULL, &summary, NULL, NULL),
                     DGM_ERROR_FILE);
    assert_null(summary);
    assert_false(dgm_summary_is_file(ctx, "/none/such.json"));
    save("[{\"dgm-summary\": 1}]");
    assert_false(dgm_summary_is_file(ctx, path));
}

/* ---- memory ---- */

/* Reads the file with places, and makes each allocation fail in turn. */
static void fail_each_allocation_of_reading(const dgm_graph *graph) {
    bool reached = true;
    for (int64_t failing = 1; reached; failing++) {
        check_memory memory = {0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *poor;
        read_back back;
        assert_int_equal(dgm_context_create(&allocator, &poor), DGM_OK);
        memory.fail_at = memory.calls + failing;
        dgm_status status = try_to_read(poor, graph, &back);
        reached = memory.calls >= memory.fail_at;
        assert_int_equal(status, reached ? DGM_ERROR_MEMORY : DGM_OK);
        assert_int_equal(status == DGM_OK, back.summary && back.profile && back.places);
        free_back(poor, &back);
        dgm_context_free(poor);
        assert_int_equal(memory.blocks, 0);
    }
}

static void every_failing_allocation_is_an_error(void **state) {
    (void)state;
    sample made = rich_sample(40, EVERYTHING - NAMES, NULL);
    write_sample(&made, true);
    fail_each_allocation_of_reading(NULL);
    fail_each_allocation_of_reading(made.graph);
    sample_free(&made);
    save(HEAD "\"nodes\": [{\"id\": 0, \"size\": 2, \"x\": 0, \"y\": 0, \"radius\": 1, "
              "\"members\": [\"a\", \"b\"], \"weights\": [0.25, 1]}], \"edges\": []}");
    fail_each_allocation_of_reading(NULL);
}

static dgm_status look_at_file(dgm_context *own, void *argument) {
    (void)argument;
    return dgm_summary_is_file(own, path) ? DGM_OK : DGM_ERROR_MEMORY;
}

/* What cannot be looked at is not told to be a summary. */
static void a_file_that_cannot_be_looked_at_is_no_summary(void **state) {
    (void)state;
    save("{\"format\": \"dgm-summary\"}");
    fail_each_allocation(look_at_file, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_summary_is_told_by_its_beginning),
        cmocka_unit_test(what_is_no_summary_is_an_error_of_one_line),
        cmocka_unit_test(every_value_of_a_section_is_checked),
        cmocka_unit_test(numbers_that_are_null_are_the_usual_ones),
        cmocka_unit_test(weights_belong_to_members),
        cmocka_unit_test(nodes_that_were_taken_are_members),
        cmocka_unit_test(what_stands_behind_good_values_is_checked_too),
        cmocka_unit_test(deep_nesting_is_an_error),
        cmocka_unit_test(every_failing_allocation_is_an_error),
        cmocka_unit_test(a_file_that_cannot_be_looked_at_is_no_summary),
    };
    return RUN_GROUP(tests, open_all, close_all);
}
