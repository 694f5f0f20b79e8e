/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <expat.h>

#include "io_sample.h"

#include "bytes_xml.h"
#include "unit_faults.h"

#define SMALL "<graphml><graph edgedefault=\"undirected\"><node id=\"a\"/></graph></graphml>"

/* ---- Expat's calls, which are found here before the library's ---- */

static long countdown = -1; /* of Expat's allocations: the one that finds 0 fails; -1: none */
static bool deaf;           /* whether it goes on when it is told to stop */

static bool is_refused(void) {
    return countdown >= 0 && countdown-- == 0;
}

static void *take_memory(size_t size) {
    return is_refused() ? NULL : malloc(size);
}

static void *resize_memory(void *block, size_t size) {
    return is_refused() ? NULL : realloc(block, size);
}

XML_Parser XML_ParserCreate(const XML_Char *encoding) {
    static const XML_Memory_Handling_Suite memory = {take_memory, resize_memory, free};
    return XML_ParserCreate_MM(encoding, &memory, NULL);
}

enum XML_Status XML_StopParser(XML_Parser parser, XML_Bool resumable) {
    static enum XML_Status (*real)(XML_Parser parser, XML_Bool resumable);
    void *found = dlsym(RTLD_NEXT, "XML_StopParser");
    memcpy(&real, &found, sizeof real);
    return deaf ? XML_STATUS_OK : real(parser, resumable);
}

/* ---- what is read ---- */

static void entities_are_refused(void **state) {
    (void)state;
    refuse_text("lol.graphml",
                "<?xml version=\"1.0\"?>\n"
                "<!DOCTYPE graphml [\n"
                " <!ENTITY a \"aaaaaaaaaa\">\n"
                " <!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\n"
                "]>\n"
                "<graphml><graph><node id=\"&b;\"/></graph></graphml>",
                "lol.graphml:2: declarations of entities and elements are refused: remove the "
                "<!DOCTYPE ...> and what is inside it");
    refuse_text("x.graphml",
                "<!DOCTYPE graphml [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
                "<graphml><graph><node id=\"a\"/></graph></graphml>",
                "x.graphml:1: declarations of entities and elements are refused: remove the "
                "<!DOCTYPE ...> and what is inside it");
    refuse_text("x.graphml", "<graphml>\n<graph><node id=\"&x;\"/></graph></graphml>",
                "x.graphml:2: undefined entity: write the text itself");
}

static void a_plain_doctype_is_let_through_but_not_its_entities(void **state) {
    (void)state;
    dgm_graph *graph = read_text(
        "x.graphml", "<!DOCTYPE graphml SYSTEM \"http://localhost/graphml.dtd\">" SMALL, NULL);
    assert_int_equal(dgm_graph_nodes(graph), 1);
    dgm_graph_free(graph);
    refuse_text("x.graphml",
                "<!DOCTYPE graphml SYSTEM \"http://localhost/graphml.dtd\">"
                "<graphml><key id=\"k\" for=\"node\" attr.type=\"string\"/>\n<graph><node id=\"a\">"
                "<data key=\"k\">&x;</data></node></graph></graphml>",
                "x.graphml:2: entity 'x' is refused: write the text itself");
}

/* `depth` elements inside each other, below the root. */
static char *nest(const char *root, int depth) {
    char *text = malloc((size_t)depth * 8 + 64), *at = text;
    if (!text)
        abort();
    at += sprintf(at, "<%s>", root);
    for (int i = 0; i < depth; i++)
        at += sprintf(at, "<x>");
    for (int i = 0; i < depth; i++)
        at += sprintf(at, "</x>");
    sprintf(at, "<graph/></%s>", root);
    return text;
}

static void depth_is_limited(void **state) {
    (void)state;
    static const char *const roots[] = {"graphml", "gexf"};
    for (int i = 0; i < 2; i++) {
        char name[32], sentence[128];
        snprintf(name, sizeof name, "deep.%s", roots[i]);
        snprintf(sentence, sizeof sentence, "%s:1: elements are nested more than 1000 deep", name);
        char *text = nest(roots[i], 10000);
        refuse_text(name, text, sentence);
        free(text);
        text = nest(roots[i], DGMI_BYTES_XML_DEPTH);
        refuse_text(name, text, sentence);
        free(text);
        text = nest(roots[i], DGMI_BYTES_XML_DEPTH - 1);
        dgm_graph_free(read_text(name, text, NULL));
        free(text);
    }
}

static void gexf_nodes_nest_no_deeper_than_elements(void **state) {
    (void)state;
    char *text = malloc(1 << 20), *at = text;
    at += sprintf(at, "<gexf><graph><nodes>");
    for (int i = 0; i < 10000; i++)
        at += sprintf(at, "<node id=\"%d\"><nodes>", i);
    refuse_text("deep.gexf", text, "deep.gexf:1: elements are nested more than 1000 deep");
    free(text);
}

static void a_file_that_is_cut_off_is_refused(void **state) {
    (void)state;
    const char text[] = SMALL;
    for (size_t size = 1; size < strlen(text); size++)
        refuse_bytes("cut.graphml", text, size, "cut.graphml:1: ");
}

static void garbage_is_refused(void **state) {
    (void)state;
    char bytes[4096];
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)((seed = seed * 1664525 + 1013904223) >> 24);
    refuse_bytes("noise.graphml", bytes, sizeof bytes, "noise.graphml:1: expected XML");
    refuse_bytes("noise.gexf", bytes, sizeof bytes, "noise.gexf:1: expected XML");
    refuse_bytes("zeros.gexf", "\0\0\0\0\0\0\0\0", 8, "zeros.gexf:1: expected XML");
}

static void encodings_are_known_or_refused(void **state) {
    (void)state;
    dgm_graph *graph = read_text("x.graphml",
                                 "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><graphml><graph>"
                                 "<node id=\"\xE9\"/></graph></graphml>",
                                 NULL);
    assert_name(graph, 0, "\xC3\xA9");
    dgm_graph_free(graph);
    refuse_text("x.graphml", "<?xml version=\"1.0\" encoding=\"EBCDIC\"?>" SMALL,
                "x.graphml:1: unknown encoding: save the file as UTF-8");
    refuse_text("x.graphml", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>" SMALL,
                "x.graphml:1: encoding specified in XML declaration is incorrect: save the file as "
                "UTF-8");
    refuse_text("x.graphml", "<graphml>\n<graph><node id=\"\xE9\"/></graph></graphml>",
                "x.graphml:2: not well-formed XML: not well-formed (invalid token)");
}

static void another_root_is_refused(void **state) {
    (void)state;
    refuse_text("x.graphml", "<svg/>", "x.graphml:1: expected <graphml>, found <svg>");
    refuse_text("x.gexf", SMALL, "x.gexf:1: expected <gexf>, found <graphml>");
    refuse_text("x.graphml", "<graphml/>", "x.graphml: the file holds no <graph>");
    refuse_text("x.gexf", "<gexf/>", "x.gexf: the file holds no <graph>");
}

static void unclosed_and_crossed_elements_are_refused(void **state) {
    (void)state;
    refuse_text("x.graphml", "<graphml>\n<graph></graphml></graph>",
                "x.graphml:2: not well-formed XML: mismatched tag");
    refuse_text("x.graphml", SMALL "\n<more/>",
                "x.graphml:2: expected XML with <graphml>: junk after document element");
}

static bool count_reports(void *user, const char *stage, double fraction) {
    (void)stage, (void)fraction;
    ++*(int64_t *)user;
    return true;
}

/* Expat goes through a tag from its start whenever more of it comes, and it is told so once a
 * report: pieces of the same size would be a hundred and more. */
static void a_long_attribute_is_gone_through_a_few_times(void **state) {
    (void)state;
    enum { LENGTH = 1 << 23 };
    static const char start[] = "<graphml><graph edgedefault=\"undirected\"><node id=\"";
    static char text[LENGTH + 200];
    int64_t reports = 0;
    size_t used = sizeof start - 1;
    memcpy(text, start, used);
    memset(text + used, 'a', LENGTH);
    strcpy(text + used + LENGTH, "\"/></graph></graphml>");
    dgm_context_set_progress(ctx, count_reports, &reports);
    dgm_graph *graph = read_text("long.graphml", text, NULL);
    dgm_context_set_progress(ctx, NULL, NULL);
    assert_int_equal(dgm_graph_nodes(graph), 1);
    assert_int_equal(dgm_graph_name(graph, 0, NULL, 0), LENGTH);
    assert_true(reports < 20);
    dgm_graph_free(graph);
}

static void a_pipe_is_read_as_a_file_is(void **state) {
    (void)state;
    const char *text = SMALL;
    char path[64];
    int ends[2];
    dgm_graph *graph;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(dgm_graph_read(ctx, path, DGM_FORMAT_GRAPHML, NULL, NULL, &graph), DGM_OK);
    close(ends[0]);
    dgm_graph *same = read_text("x.graphml", text, NULL);
    assert_same_graph(same, graph);
    dgm_graph_free(same);
    dgm_graph_free(graph);
}

/* Expat says that some calls may still come once it was stopped. */
static void what_comes_after_the_first_failure_is_not_heard(void **state) {
    (void)state;
    deaf = true;
    refuse_text("x.graphml",
                "<!DOCTYPE graphml SYSTEM \"http://localhost/graphml.dtd\">"
                "<graphml><graph>\n<node/>text &x; <node id=\"a\"/><node/></graph>",
                "x.graphml:2: <node> has no attribute 'id'");
    deaf = false;
}

/* `size` bytes: the head, letters that Expat has to convert, and the tail. */
static void fill_between(char *text, size_t size, const char *head, const char *tail) {
    memset(text, '\xE9', size);
    memcpy(text, head, strlen(head));
    memcpy(text + size - strlen(tail), tail, strlen(tail));
}

static void every_allocation_of_expat_may_fail(void **state) {
    (void)state;
    enum { LONG = 100000 }; /* more than is given to Expat at a time */
    static const char head[] =
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><graphml><graph><node id=\"";
    static const char tail[] = "\"/></graph></graphml>";
    static char text[LONG];
    fill_between(text, LONG, head, tail);
    bool reached = true;
    for (long k = 0; reached; k++) {
        dgm_graph *graph;
        countdown = k;
        dgm_status status = try_text("x.graphml", text, LONG, NULL, &graph);
        reached = countdown < 0;
        countdown = -1;
        assert_int_equal(status, reached ? DGM_ERROR_MEMORY : DGM_OK);
        assert_true((graph != NULL) == (status == DGM_OK));
        if (reached)
            assert_string_equal(dgm_context_error(ctx), "out of memory while reading XML");
        dgm_graph_free(graph);
    }
}

static dgm_status read_and_free(dgm_context *own, void *text) {
    dgm_graph *graph;
    dgm_status status =
        dgm_graph_read_memory(own, text, strlen(text), "x.graphml", DGM_FORMAT_AUTO, NULL, &graph);
    dgm_graph_free(graph);
    return status;
}

/* Expat hands on a text that it has to convert in pieces, and more of them come once the first has
 * found no memory. */
static void every_allocation_for_a_converted_text_may_fail(void **state) {
    (void)state;
    enum { LONG = 20000 };
    static const char head[] =
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><graphml>"
        "<key id=\"k\" for=\"node\" attr.name=\"class\" attr.type=\"string\"/>"
        "<graph><node id=\"a\"><data key=\"k\">";
    static const char tail[] = "</data></node></graph></graphml>";
    static char text[LONG + 1];
    fill_between(text, LONG, head, tail);
    fail_each_allocation(read_and_free, text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entities_are_refused),
        cmocka_unit_test(a_plain_doctype_is_let_through_but_not_its_entities),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(gexf_nodes_nest_no_deeper_than_elements),
        cmocka_unit_test(a_file_that_is_cut_off_is_refused),
        cmocka_unit_test(garbage_is_refused),
        cmocka_unit_test(encodings_are_known_or_refused),
        cmocka_unit_test(another_root_is_refused),
        cmocka_unit_test(unclosed_and_crossed_elements_are_refused),
        cmocka_unit_test(a_long_attribute_is_gone_through_a_few_times),
        cmocka_unit_test(a_pipe_is_read_as_a_file_is),
        cmocka_unit_test(what_comes_after_the_first_failure_is_not_heard),
        cmocka_unit_test(every_allocation_of_expat_may_fail),
        cmocka_unit_test(every_allocation_for_a_converted_text_may_fail),
    };
    return RUN_GROUP(tests, make_context, free_context);
}
