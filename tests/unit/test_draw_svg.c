/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <expat.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>

#include "draw_sample.h"
#include "unit_faults.h"

static char *svg_of(const dgmi_draw_list *list) {
    dgmi_text text;
    dgmi_text_init(&text, list->ctx);
    assert_int_equal(list->status, DGM_OK);
    dgmi_draw_svg_write(list, &text);
    assert_int_equal(text.status, DGM_OK);
    char *copy = strdup(text.data);
    dgmi_text_free(&text);
    return copy;
}

/* What an XML parser sees. */
typedef struct xml_seen {
    int elements, titles, groups, ids;
    char id[64][64];
    char words[65536]; /* of all texts, titles left out */
    size_t length;
    bool in_text, in_title;
} xml_seen;

static void XMLCALL start_element(void *user, const char *name, const char **attributes) {
    xml_seen *seen = user;
    seen->elements++;
    seen->titles += strcmp(name, "title") == 0;
    seen->groups += strcmp(name, "g") == 0;
    seen->in_title = strcmp(name, "title") == 0;
    seen->in_text |= strcmp(name, "text") == 0;
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], "id") == 0 && seen->ids < 64)
            snprintf(seen->id[seen->ids++], 64, "%s", attributes[1]);
}

static void XMLCALL end_element(void *user, const char *name) {
    xml_seen *seen = user;
    seen->in_title = false;
    if (strcmp(name, "text") == 0)
        seen->in_text = false;
}

static void XMLCALL characters(void *user, const char *text, int length) {
    xml_seen *seen = user;
    if (!seen->in_text || seen->in_title || seen->length + (size_t)length >= sizeof seen->words)
        return;
    memcpy(seen->words + seen->length, text, (size_t)length);
    seen->length += (size_t)length;
    seen->words[seen->length] = '\0';
}

/* Well-formed, and no id twice. */
static const xml_seen *parse(const char *svg) {
    static xml_seen seen;
    memset(&seen, 0, sizeof seen);
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, &seen);
    XML_SetElementHandler(parser, start_element, end_element);
    XML_SetCharacterDataHandler(parser, characters);
    if (XML_Parse(parser, svg, (int)strlen(svg), 1) != XML_STATUS_OK)
        fail_msg("line %d: %s", (int)XML_GetCurrentLineNumber(parser),
                 XML_ErrorString(XML_GetErrorCode(parser)));
    XML_ParserFree(parser);
    for (int i = 0; i < seen.ids; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(seen.id[i], seen.id[j]);
    return &seen;
}

static void a_page_is_written_like_this(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    sample_items(&list);
    char *svg = svg_of(&list);
    assert_string_equal(
        svg,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60mm\" height=\"40mm\" "
        "viewBox=\"0 0 60 40\" font-family=\"" DGMI_DRAW_FONT
        "\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\n"
        "<title>Sample &lt;&amp;&gt; page</title>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        "<g id=\"edges\" stroke=\"#000\" stroke-width=\"0.1\" stroke-opacity=\"0.5\">\n"
        "<path d=\"M5 5L55 5.13\"><title>0 &amp; 1</title></path>\n"
        "<path d=\"M5 6L55 7.13\"><title>0 &amp; 1</title></path>\n"
        "<path d=\"M5 7L55 9.13\"><title>0 &amp; 1</title></path>\n"
        "</g>\n"
        "<g id=\"nodes\">\n"
        "<circle cx=\"10\" cy=\"20\" r=\"5\" id=\"node-0\" fill=\"#0072b2\" stroke=\"#fff\" "
        "stroke-width=\"0.2\" opacity=\"0.75\"/>\n"
        "<path d=\"M25 20L25 15A5 5 0 0 1 30 20Z\" fill=\"#d55e00\"/>\n"
        "<path d=\"M25 20L30 20A5 5 0 0 1 25 25A5 5 0 0 1 20 20A5 5 0 0 1 25 15Z\" "
        "fill=\"#0072b2\"/>\n"
        "<circle cx=\"40\" cy=\"20\" r=\"5\" fill=\"#d55e00\"/>\n"
        "<rect x=\"50\" y=\"15\" width=\"5\" height=\"10\" fill=\"#d55e00\"/>\n"
        "</g>\n"
        "<g id=\"labels\" font-size=\"2.822\">\n"
        "<text x=\"5\" y=\"35\">left</text>\n"
        "<text x=\"30\" y=\"35\" text-anchor=\"middle\" font-weight=\"bold\">middle</text>\n"
        "<text x=\"55\" y=\"34\" transform=\"rotate(-90 55 34)\" text-anchor=\"end\">right</text>\n"
        "</g>\n"
        "</svg>\n");
    const xml_seen *seen = parse(svg);
    assert_int_equal(seen->groups, 3);
    assert_int_equal(seen->titles, 4);
    assert_int_equal(seen->ids, 4);
    free(svg);
    dgmi_draw_list_free(&list);
}

static void an_empty_transparent_page_has_no_ground(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    list.paper = false;
    list.title = NULL;
    char *svg = svg_of(&list);
    assert_int_equal(parse(svg)->elements, 1);
    assert_null(strstr(svg, "<rect"));
    free(svg);
    dgmi_draw_list_free(&list);
}

static void hard_texts_are_well_formed_everywhere(void **state) {
    (void)state;
    static char text[10001];
    sample_long_text(text);
    for (int t = 0; t <= SAMPLE_TEXTS; t++) {
        const char *hard = t < SAMPLE_TEXTS ? sample_texts[t] : text;
        char title[10001];
        dgmi_draw_list list;
        sample_page(&list, ctx);
        list.title = strcpy(title, hard);
        dgmi_draw_list_open(&list, hard)->title = dgmi_draw_list_words(&list, hard);
        dgmi_draw_list_text(&list, 1, 2, 7, DGMI_DRAW_ANCHOR_START, sample_black, hard)->title =
            dgmi_draw_list_words(&list, hard);
        dgmi_draw_list_close(&list);
        char *svg = svg_of(&list);
        assert_int_equal(parse(svg)->groups, 1);
        assert_null(strchr(svg, '\x01'));
        free(svg);
        dgmi_draw_list_free(&list);
    }
}

static void texts_come_back_as_they_were(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_text(&list, 1, 2, 7, DGMI_DRAW_ANCHOR_START, sample_black,
                        "a<b & \"c\" '\xF0\x9F\x98\x80'");
    dgmi_draw_list_text(&list, 1, 2, 7, DGMI_DRAW_ANCHOR_START, sample_black,
                        "|\x01|\xFF|one\ntwo");
    char *svg = svg_of(&list);
    assert_string_equal(parse(svg)->words, "a<b & \"c\" '\xF0\x9F\x98\x80'"
                                           "|\xEF\xBF\xBD|\xEF\xBF\xBD|one two");
    free(svg);
    dgmi_draw_list_free(&list);
}

static void only_text_from_right_to_left_asks_for_its_direction(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool leftwards;
    } cases[] = {{"abc \xD7\xA9", false},
                 {"12 \xD7\xA9 abc", true},
                 {"\xD9\x85", true},
                 {"(1)", false},
                 {"\xE4\xBD\xA0", false},
                 /* forms of Hebrew and Arabic letters, old scripts, N'Ko's kin, the mark itself */
                 {"\xEF\xAC\x9D", true},
                 {"\xEF\xB9\xB0", true},
                 {"\xF0\x90\xA0\x80", true},
                 {"\xF0\x9E\xA0\x80", true},
                 {"\xE2\x80\x8F", true},
                 {"\xE2\x80\x90\xD7\xA9", true}, /* a hyphen decides nothing */
                 /* and their neighbours: accents, ligatures, wide letters, Brahmi, a smile */
                 {"\xC3\x80\xD7\xA9", false},
                 {"\xEF\xAC\x80\xD7\xA9", false},
                 {"\xEF\xB8\xB0\xD7\xA9", false},
                 {"\xEF\xBC\xA1\xD7\xA9", false},
                 {"\xF0\x91\x80\x85\xD7\xA9", false},
                 {"\xF0\x9F\x98\x80\xD7\xA9", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgmi_draw_list list;
        sample_page(&list, ctx);
        dgmi_draw_list_text(&list, 1, 2, 7, DGMI_DRAW_ANCHOR_END, sample_black, cases[i].text);
        char *svg = svg_of(&list);
        assert_int_equal(strstr(svg, "unicode-bidi=\"plaintext\"") != NULL, cases[i].leftwards);
        free(svg);
        dgmi_draw_list_free(&list);
    }
}

static void numbers_are_short_whatever_the_locale(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_disc(&list, -0.001, 1.0 / 3, 0.0625, sample_black);
    dgmi_draw_list_disc(&list, 1e300, NAN, 12.3456, sample_black);
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where there is one */
    char *svg = svg_of(&list);
    setlocale(LC_ALL, "C");
    ASSERT_HAS(svg, "<circle cx=\"0\" cy=\"0.33\" r=\"0.063\"/>");
    ASSERT_HAS(svg, "<circle cx=\"10000000000\" cy=\"0\" r=\"12.35\"/>");
    free(svg);
    dgmi_draw_list_free(&list);
}

static void wedges_that_nearly_close_keep_their_gap(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_wedge(&list, 10, 10, 5, 0, 0.99, sample_black);
    dgmi_draw_list_wedge(&list, 10, 10, 5, 0.3, 0.3, sample_black); /* nothing */
    dgmi_draw_list_wedge(&list, 10, 10, 0.5, 0, 0.5, sample_black); /* tiny */
    char *svg = svg_of(&list);
    ASSERT_HAS(svg, "<path d=\"M10 10L10 5A5 5 0 0 1 14.38 12.41A5 5 0 0 1 5.78 12.68"
                    "A5 5 0 0 1 9.69 5.01Z\"/>");
    ASSERT_HAS(svg, "<path d=\"M10 10L10 9.5A0.5 0.5 0 0 1 10.5 10A0.5 0.5 0 0 1 10 10.5Z\"/>");
    assert_int_equal(parse(svg)->elements, 5);
    free(svg);
    dgmi_draw_list_free(&list);
}

/* Of a group that is mostly bold, what is not says so. */
static void plain_words_among_bold_ones_are_plain(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_open(&list, "words");
    for (int i = 0; i < 5; i++)
        dgmi_draw_list_text(&list, 1, i, 7, DGMI_DRAW_ANCHOR_START, sample_black, "x")->bold =
            i != 3;
    dgmi_draw_list_text(&list, 1, 9, 7, DGMI_DRAW_ANCHOR_START, sample_black,
                        NULL); /* no words at all */
    dgmi_draw_list_close(&list);
    char *svg = svg_of(&list);
    ASSERT_HAS(svg, "<g id=\"words\"");
    ASSERT_HAS(svg, "y=\"3\" font-weight=\"normal\"");
    assert_null(strstr(svg, "y=\"9\""));
    free(svg);
    dgmi_draw_list_free(&list);
}

/* On a side and on a corner, each of as much area as the disc. */
static void squares_have_four_corners(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_shape(&list, DGMI_DRAW_SHAPE_SQUARE, 20, 20, 10, sample_red);
    dgmi_draw_list_shape(&list, DGMI_DRAW_SHAPE_DIAMOND, 20, 20, 10, sample_red);
    dgmi_draw_list_shape(&list, DGMI_DRAW_SHAPE_DISC, 20, 20, 10, sample_red);
    char *svg = svg_of(&list);
    ASSERT_HAS(svg, "<path d=\"M11.14 11.14L28.86 11.14L28.86 28.86L11.14 28.86Z\"");
    ASSERT_HAS(svg, "<path d=\"M20 7.47L32.53 20L20 32.53L7.47 20Z\"");
    ASSERT_HAS(svg, "<circle cx=\"20\" cy=\"20\" r=\"10\"");
    free(svg);
    dgmi_draw_list_free(&list);
}

/* Around a triangle, a line and a point. Arcs of more than a third of a turn are cut in two. */
static void hulls_are_lines_and_arcs(void **state) {
    (void)state;
    const dgmi_draw_point triangle[] = {{10, 10}, {20, 10}, {10, 20}},
                          line[] = {{10, 10}, {20, 10}};
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_hull(&list, triangle, 3, 2, sample_red)->title =
        dgmi_draw_list_words(&list, "three");
    dgmi_draw_list_hull(&list, line, 2, 2, sample_red);
    dgmi_draw_list_hull(&list, line, 1, 2, sample_red);
    char *svg = svg_of(&list);
    ASSERT_HAS(svg, "<path d=\"M8 10A2 2 0 0 1 10 8L20 8A2 2 0 0 1 21.85 9.23"
                    "A2 2 0 0 1 21.41 11.41L11.41 21.41A2 2 0 0 1 9.23 21.85A2 2 0 0 1 8 20Z\"");
    ASSERT_HAS(svg, "<title>three</title></path>");
    ASSERT_HAS(svg, "<path d=\"M10 12A2 2 0 0 1 8 10A2 2 0 0 1 10 8L20 8A2 2 0 0 1 22 10"
                    "A2 2 0 0 1 20 12Z\"");
    ASSERT_HAS(svg, "<circle cx=\"10\" cy=\"10\" r=\"2\"");
    free(svg);
    dgmi_draw_list_free(&list);
}

static void groups_need_not_match(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_close(&list);
    for (int i = 0; i < 100; i++)
        dgmi_draw_list_open(&list, NULL)->opacity = 0.5;
    dgmi_draw_list_rect(&list, 1, 1, 1, 1, sample_red);
    dgmi_draw_list_close(&list);
    char *svg = svg_of(&list);
    parse(svg);
    free(svg);
    dgmi_draw_list_free(&list);
}

/* What a group shares is not what a group inside it means. */
static void a_group_inside_says_what_differs(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    dgmi_draw_list_open(&list, "outer");
    for (int i = 0; i < 4; i++) {
        dgmi_draw_item *disc = dgmi_draw_list_disc(&list, i, 1, 2, sample_red);
        disc->stroked = true;
        disc->stroke = sample_blue;
        disc->width = 0.5;
    }
    dgmi_draw_list_open(&list, "inner");
    dgmi_draw_list_disc(&list, 9, 1, 2, sample_red);
    dgmi_draw_list_text(&list, 9, 1, 7, DGMI_DRAW_ANCHOR_START, sample_black, "t");
    dgmi_draw_list_close(&list);
    dgmi_draw_list_close(&list);
    char *svg = svg_of(&list);
    ASSERT_HAS(svg, "<g id=\"outer\" fill=\"#d55e00\" stroke=\"#0072b2\" stroke-width=\"0.5\">\n"
                    "<circle cx=\"0\" cy=\"1\" r=\"2\"/>");
    ASSERT_HAS(svg, "<g id=\"inner\" stroke=\"none\">\n<circle cx=\"9\" cy=\"1\" r=\"2\"/>\n"
                    "<text x=\"9\" y=\"1\" fill=\"#000\" font-size=\"2.469\">t</text>");
    free(svg);
    dgmi_draw_list_free(&list);
}

static dgm_status write_a_page(dgm_context *own, void *argument) {
    (void)argument;
    dgmi_draw_list list;
    dgmi_text text;
    sample_page(&list, own);
    sample_items(&list);
    dgmi_text_init(&text, own);
    dgmi_draw_svg_write(&list, &text);
    dgm_status status = text.status;
    dgmi_text_free(&text);
    dgmi_draw_list_free(&list);
    return status;
}

static void no_memory_for_list_or_document_is_said(void **state) {
    (void)state;
    fail_each_allocation(write_a_page, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_written_like_this),
        cmocka_unit_test(an_empty_transparent_page_has_no_ground),
        cmocka_unit_test(hard_texts_are_well_formed_everywhere),
        cmocka_unit_test(texts_come_back_as_they_were),
        cmocka_unit_test(only_text_from_right_to_left_asks_for_its_direction),
        cmocka_unit_test(numbers_are_short_whatever_the_locale),
        cmocka_unit_test(wedges_that_nearly_close_keep_their_gap),
        cmocka_unit_test(plain_words_among_bold_ones_are_plain),
        cmocka_unit_test(squares_have_four_corners),
        cmocka_unit_test(hulls_are_lines_and_arcs),
        cmocka_unit_test(groups_need_not_match),
        cmocka_unit_test(a_group_inside_says_what_differs),
        cmocka_unit_test(no_memory_for_list_or_document_is_said),
    };
    return RUN_WITH_CONTEXT(tests);
}
