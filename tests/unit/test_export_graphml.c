/* SPDX-License-Identifier: Apache-2.0 */
/* GraphML and GEXF, read back with Expat. */
#include "unit_fixture.h"

#include <expat.h>

#include "export_sample.h"

/* What a reader of the XML sees. */
typedef struct {
    int nodes, edges, colours;
    char titles[400]; /* names of attributes, each followed by '|' */
    char text[400];   /* character data of elements other than blanks */
} seen;

static const char *attribute(const XML_Char **attributes, const char *name) {
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

static void on_start(void *user, const XML_Char *element, const XML_Char **attributes) {
    seen *all = user;
    all->nodes += strcmp(element, "node") == 0;
    all->edges += strcmp(element, "edge") == 0;
    all->colours += strcmp(element, "viz:color") == 0;
    const char *title = attribute(attributes, "attr.name");
    if (!title)
        title = attribute(attributes, "title");
    if (title && strlen(all->titles) + strlen(title) + 2 < sizeof all->titles)
        strcat(strcat(all->titles, title), "|");
}

static void on_text(void *user, const XML_Char *text, int length) {
    seen *all = user;
    size_t used = strlen(all->text);
    if ((size_t)length < sizeof all->text - used) {
        memcpy(all->text + used, text, (size_t)length);
        all->text[used + (size_t)length] = '\0';
    }
}

static seen read_back(const sample *made, dgm_export_format format) {
    seen all = {0};
    char *text = sample_text(ctx, made, format, 0);
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, &all);
    XML_SetElementHandler(parser, on_start, NULL);
    XML_SetCharacterDataHandler(parser, on_text);
    if (XML_Parse(parser, text, (int)strlen(text), 1) != XML_STATUS_OK)
        fail_msg("%s in %s", XML_ErrorString(XML_GetErrorCode(parser)), text);
    XML_ParserFree(parser);
    dgm_export_text_free(ctx, text);
    return all;
}

static sample small_sample(void) {
    static const int32_t labels[] = {0, 0, 0, -1, 1, -1};
    static const char *const axes[] = {"height"};
    return sample_make(ctx, &(sample_parts){6, NULL, labels, NULL, "path", 1, NULL, axes}, NULL);
}

static void graphml_of_a_path_is_written_like_this(void **state) {
    (void)state;
    sample made = small_sample();
    char *text = sample_text(ctx, &made, DGM_EXPORT_GRAPHML, 0), expected[2000];
    snprintf(expected, sizeof expected,
             "  <graph id=\"summary\" edgedefault=\"undirected\">\n"
             "    <desc>dgm %s: dgm map path --intervals 2</desc>\n"
             "    <node id=\"0\"><data key=\"label\">node 1</data><data key=\"size\">4</data><data "
             "key=\"cell\">0</data>"
             "<data key=\"lens1\">1.5</data><data key=\"class\">0</data>"
             "<data key=\"class_share\">0.75</data><data key=\"labels1\">3</data>"
             "<data key=\"labels2\">0</data><data key=\"entropy_of_labels\">0</data>"
             "<data key=\"members\">0&#10;1&#10;2&#10;3</data></node>\n"
             "    <node id=\"1\"><data key=\"label\">node 4</data><data key=\"size\">4</data><data "
             "key=\"cell\">1</data>"
             "<data key=\"lens1\">3.5</data><data key=\"class\">0</data>"
             "<data key=\"class_share\">0.25</data><data key=\"labels1\">1</data>"
             "<data key=\"labels2\">1</data>"
             "<data key=\"entropy_of_labels\">1</data>"
             "<data key=\"members\">2&#10;3&#10;4&#10;5</data></node>\n"
             "    <edge source=\"0\" target=\"1\"><data key=\"weight\">1</data>"
             "<data key=\"shared\">2</data><data key=\"links\">3</data></edge>\n"
             "  </graph>\n</graphml>\n",
             dgm_version());
    const char *graph = strstr(text, "  <graph id=");
    assert_non_null(graph);
    assert_string_equal(graph, expected);
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

static void gexf_of_a_path_is_written_like_this(void **state) {
    (void)state;
    sample made = small_sample();
    char *text = sample_text(ctx, &made, DGM_EXPORT_GEXF, 0);
    const char *nodes = strstr(text, "    <nodes>\n");
    assert_non_null(nodes);
    assert_string_equal(
        nodes,
        "    <nodes>\n"
        "      <node id=\"0\" label=\"node 1\"><attvalues><attvalue for=\"0\" value=\"4\"/>"
        "<attvalue for=\"1\" value=\"0\"/><attvalue for=\"2\" value=\"1.5\"/>"
        "<attvalue for=\"3\" value=\"0\"/><attvalue for=\"4\" value=\"0.75\"/>"
        "<attvalue for=\"5\" value=\"3\"/><attvalue for=\"6\" value=\"0\"/>"
        "<attvalue for=\"7\" value=\"0\"/><attvalue for=\"8\" value=\"0&#10;1&#10;2&#10;3\"/>"
        "</attvalues>"
        "<viz:color r=\"0\" g=\"114\" b=\"178\"/><viz:size value=\"40\"/></node>\n"
        "      <node id=\"1\" label=\"node 4\"><attvalues><attvalue for=\"0\" value=\"4\"/>"
        "<attvalue for=\"1\" value=\"1\"/><attvalue for=\"2\" value=\"3.5\"/>"
        "<attvalue for=\"3\" value=\"0\"/><attvalue for=\"4\" value=\"0.25\"/>"
        "<attvalue for=\"5\" value=\"1\"/><attvalue for=\"6\" value=\"1\"/>"
        "<attvalue for=\"7\" value=\"1\"/><attvalue for=\"8\" value=\"2&#10;3&#10;4&#10;5\"/>"
        "</attvalues>"
        "<viz:color r=\"0\" g=\"114\" b=\"178\"/><viz:size value=\"40\"/></node>\n"
        "    </nodes>\n    <edges>\n"
        "      <edge id=\"0\" source=\"0\" target=\"1\" weight=\"1\"><attvalues>"
        "<attvalue for=\"0\" value=\"2\"/><attvalue for=\"1\" value=\"3\"/></attvalues></edge>\n"
        "    </edges>\n  </graph>\n</gexf>\n");
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

/* A name with a line end in it stays one line, and the user is told. */
static void members_are_written_one_a_line(void **state) {
    (void)state;
    static const char *const names[] = {"a b", "c\nd", "<e>", "f", "g", "\n"};
    sample made =
        sample_make(ctx, &(sample_parts){6, names, NULL, NULL, "path", 1, NULL, NULL}, NULL);
    for (int gexf = 0; gexf < 2; gexf++) {
        char *text = sample_text(ctx, &made, gexf ? DGM_EXPORT_GEXF : DGM_EXPORT_GRAPHML, 0);
        assert_non_null(strstr(text, "a b&#10;c\xEF\xBF\xBD"
                                     "d&#10;&lt;e&gt;&#10;f"));
        assert_non_null(strstr(text, "f&#10;g&#10;\xEF\xBF\xBD<") ||
                        strstr(text, "f&#10;g&#10;\xEF\xBF\xBD\""));
        dgm_export_text_free(ctx, text);
    }
    sample_free(&made);
}

static void attributes_are_named_and_declared_once(void **state) {
    (void)state;
    sample made = small_sample();
    seen graphml = read_back(&made, DGM_EXPORT_GRAPHML), gexf = read_back(&made, DGM_EXPORT_GEXF);
    assert_string_equal(graphml.titles, "label|size|cell|lens_height|class|class_share|labels_0|"
                                        "labels_1|entropy_of_labels|members|weight|shared|links|");
    assert_string_equal(gexf.titles, "size|cell|lens_height|class|class_share|labels_0|labels_1|"
                                     "entropy_of_labels|members|shared|links|");
    assert_int_equal(gexf.colours, 2);
    sample_free(&made);
}

static void any_axis_class_and_command_is_valid_xml(void **state) {
    (void)state;
    static const dgm_export_format formats[] = {DGM_EXPORT_GRAPHML, DGM_EXPORT_GEXF};
    for (int i = 0; i < 2 * HARD_TEXTS; i++) {
        const char *hard = hard_texts[i / 2];
        const int32_t labels[] = {0, 0, 1, 1, 1, 1};
        const char *const axes[] = {hard, hard}, *const classes[] = {hard, "other", NULL};
        sample made =
            sample_make(ctx, &(sample_parts){6, NULL, labels, classes, hard, 2, NULL, axes}, NULL);
        seen all = read_back(&made, formats[i % 2]);
        assert_int_equal(all.nodes, 4);
        assert_int_equal(all.edges, 6);
        sample_free(&made);
    }
}

static void markup_in_an_axis_comes_back_and_control_characters_do_not(void **state) {
    (void)state;
    const char *const axes[] = {"<&\"'>\t\n", "\x01\x0b"};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 6, .columns = 2, .axes = axes}, NULL);
    seen all = read_back(&made, DGM_EXPORT_GRAPHML);
    assert_non_null(strstr(all.titles, "|lens_<&\"'>\t\n|lens_\xEF\xBF\xBD\xEF\xBF\xBD|"));
    sample_free(&made);
}

static void empty_summaries_are_valid(void **state) {
    (void)state;
    sample made = sample_make(ctx, &(sample_parts){0}, NULL);
    assert_int_equal(read_back(&made, DGM_EXPORT_GRAPHML).nodes, 0);
    assert_int_equal(read_back(&made, DGM_EXPORT_GEXF).nodes, 0);
    sample_free(&made);
}

static void a_constant_lens_has_the_middle_colour(void **state) {
    (void)state;
    const double lens[] = {7, 7, 7};
    sample made = sample_make(ctx, &(sample_parts){.nodes = 3, .lens = lens}, NULL);
    char *text = sample_text(ctx, &made, DGM_EXPORT_GEXF, 0);
    assert_non_null(strstr(text, "<viz:color r=\"33\" g=\"144\" b=\"141\"/>"));
    dgm_export_text_free(ctx, text);
    sample_free(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphml_of_a_path_is_written_like_this),
        cmocka_unit_test(gexf_of_a_path_is_written_like_this),
        cmocka_unit_test(members_are_written_one_a_line),
        cmocka_unit_test(attributes_are_named_and_declared_once),
        cmocka_unit_test(any_axis_class_and_command_is_valid_xml),
        cmocka_unit_test(markup_in_an_axis_comes_back_and_control_characters_do_not),
        cmocka_unit_test(empty_summaries_are_valid),
        cmocka_unit_test(a_constant_lens_has_the_middle_colour),
    };
    return RUN_WITH_CONTEXT(tests);
}
