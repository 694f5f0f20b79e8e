/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include "export_sample.h"

static void a_path_is_drawn_like_this(void **state) {
    (void)state;
    const char *const axes[] = {"height"};
    sample made =
        sample_make(ctx, &(sample_parts){.nodes = 6, .source = "path", .axes = axes}, NULL);
    char *text = sample_text(ctx, &made, DGM_EXPORT_DOT, 0);
    assert_memory_equal(text, "graph \"path\" {\n", 15);
    const char *first = strstr(text, "  0 [");
    assert_non_null(first);
    assert_string_equal(first,
                        "  0 [width=1.2, fontsize=26.4, fillcolor=\"#440154\", fontcolor=white, "
                        "tooltip=\"cluster 0, size 4, cell 0\\nheight 1.5\"];\n"
                        "  1 [width=1.2, fontsize=26.4, fillcolor=\"#fde725\", fontcolor=black, "
                        "tooltip=\"cluster 1, size 4, cell 1\\nheight 3.5\"];\n"
                        "  0 -- 1 [penwidth=5, tooltip=\"shared 2, links 3, weight 1\"];\n}\n");
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

/* Every quoted string ends, and nothing outside of them but names, numbers and punctuation is left.
 */
static void check_quotes(const char *text) {
    bool inside = false;
    for (; *text; text++) {
        assert_true((unsigned char)*text >= ' ' || *text == '\n');
        assert_false(inside && *text == '\n');
        if (inside && *text == '\\') {
            assert_non_null(strchr("\\\"n", text[1]));
            text++;
        } else if (*text == '"') {
            inside = !inside;
        }
    }
    assert_false(inside);
}

static void any_source_and_axis_stays_inside_its_quotes(void **state) {
    (void)state;
    for (int i = 0; i < HARD_TEXTS; i++) {
        const char *const axes[] = {hard_texts[i]};
        sample made = sample_make(
            ctx, &(sample_parts){.nodes = 6, .source = hard_texts[i], .axes = axes}, NULL);
        char *text = sample_text(ctx, &made, DGM_EXPORT_DOT, 0);
        check_quotes(text);
        dgm_export_text_free(ctx, text);
        sample_free(&made);
    }
}

static void backslashes_entities_and_blanks_are_shown_as_they_are(void **state) {
    (void)state;
    const char *const axes[] = {"a\\N &amp;\t\xEF\xBF\xBE"};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6, .axes = axes}, NULL);
    char *text = sample_text(ctx, &made, DGM_EXPORT_DOT, 0);
    assert_non_null(strstr(text, "\\na\\\\N &amp;amp; \xEF\xBF\xBD 1.5\"];\n"));
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

/* Graphviz has a program for few clusters and one for many. */
static void many_clusters_are_laid_out_by_a_faster_program(void **state) {
    (void)state;
    for (int64_t count = 200; count <= 201; count++) {
        dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
        options.intervals[0] = count;
        options.overlap[0] = 0;
        sample made = sample_make(ctx, &(sample_parts){.nodes = 1000}, &options);
        assert_int_equal(dgm_summary_get_clusters(made.summary).count, count);
        char *text = sample_text(ctx, &made, DGM_EXPORT_DOT, 0);
        assert_int_equal(strstr(text, "[layout=neato,") != NULL, count == 200);
        assert_int_equal(strstr(text, "[layout=sfdp,") != NULL, count == 201);
        dgm_export_text_free(ctx, text);
        sample_free(&made);
    }
}

/* Red, green and blue weigh 299, 587 and 114 thousandths (ITU-R BT.601). On the square of two axes the
 * node at (44, 10) of 51 is as bright as half of white, to the thousandth, and its neighbours are not. */
static void letters_are_black_on_colours_brighter_than_half_of_white(void **state) {
    (void)state;
    static const double places[] = {0, 0, 51, 51, 44, 10, 45, 10, 44, 11, 44, 9, 0, 51, 51, 0};
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 52;
    options.overlap[0] = 0;
    sample made =
        sample_make(ctx, &(sample_parts){.nodes = 8, .columns = 2, .lens = places}, &options);
    char *text = sample_text(ctx, &made, DGM_EXPORT_DOT, 0), *at = text;
    int count = 0, on_the_edge = 0;
    for (; (at = strstr(at, "fillcolor=\"#")); count++) {
        unsigned red, green, blue;
        char letters[8];
        assert_int_equal(
            sscanf(at, "fillcolor=\"#%2x%2x%2x\", fontcolor=%5[a-z]", &red, &green, &blue, letters),
            4);
        unsigned brightness = 299 * red + 587 * green + 114 * blue;
        assert_string_equal(letters, brightness > 128 * 1000 ? "black" : "white");
        on_the_edge += brightness == 128 * 1000;
        at++;
    }
    assert_int_equal(count, 8);
    assert_int_equal(on_the_edge, 1);
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

static void an_empty_summary_is_an_empty_graph(void **state) {
    (void)state;
    sample made = sample_make(ctx, &(sample_parts){0}, NULL);
    char *text = sample_text(ctx, &made, DGM_EXPORT_DOT, 0);
    check_quotes(text);
    assert_null(strstr(text, " -- "));
    assert_null(strstr(text, "  0 ["));
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_drawn_like_this),
        cmocka_unit_test(any_source_and_axis_stays_inside_its_quotes),
        cmocka_unit_test(backslashes_entities_and_blanks_are_shown_as_they_are),
        cmocka_unit_test(many_clusters_are_laid_out_by_a_faster_program),
        cmocka_unit_test(letters_are_black_on_colours_brighter_than_half_of_white),
        cmocka_unit_test(an_empty_summary_is_an_empty_graph),
    };
    return RUN_WITH_CONTEXT(tests);
}
