/* SPDX-License-Identifier: Apache-2.0 */
/* Reports and run.json, written from chapters that are given by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reproduce_stage.h"

#include "bytes_jansson.h"
#include "reproduce_report.h"
#include "reproduce_run.h"

#include <sys/utsname.h>

static const char *const no_data[] = {NULL};
static const dgmi_reproduce_plan plans[] = {
    {{"first", "Figure 1: what holds", true, false}, "Says *this* & <that>.", no_data, NULL},
    {{"second", "Beyond: what does not", true, true}, "Is it so?", no_data, NULL},
    {{"third", "Nobody asked for it", true, false}, "Nothing.", no_data, NULL},
    {{"fourth", "It could not be made", true, false}, "Something.", no_data, NULL},
};
enum { CHAPTERS = sizeof plans / sizeof *plans };
static dgmi_reproduce_chapter chapters[CHAPTERS];
static char why[] = "the data are <gone>";

static void add(int chapter, dgmi_reproduce_kind kind, const char *text, const char *more,
                bool holds) {
    dgmi_reproduce_record_add(&chapters[chapter].record, kind, text, more, holds);
}

static void write_chapters(void) {
    memset(chapters, 0, sizeof chapters);
    for (int i = 0; i < CHAPTERS; i++) {
        chapters[i].plan = &plans[i];
        dgmi_reproduce_record_init(&chapters[i].record, ctx);
    }
    chapters[0].made = chapters[1].made = true;
    chapters[3].why = why;
    add(0, DGMI_REPRODUCE_SAYS, "A sentence.", NULL, false);
    add(0, DGMI_REPRODUCE_COMMAND, "dgm map a*b -o <x>", NULL, false);
    add(0, DGMI_REPRODUCE_COMMAND, "dgm draw x", NULL, false);
    add(0, DGMI_REPRODUCE_PICTURE, "The [picture].", "first/a.svg", false);
    add(0, DGMI_REPRODUCE_HEAD, "set\tnodes | edges", NULL, false);
    add(0, DGMI_REPRODUCE_ROW, "one\t1", NULL, false);
    add(0, DGMI_REPRODUCE_ROW, "two\t", NULL, false);
    add(0, DGMI_REPRODUCE_HEAD, "another", NULL, false);
    add(0, DGMI_REPRODUCE_ROW, "table", NULL, false);
    add(0, DGMI_REPRODUCE_CLAIM, "It is larger.", "2 > 1.", true);
    add(0, DGMI_REPRODUCE_CLAIM, "It is smaller.", "3 > 2.", false);
    add(1, DGMI_REPRODUCE_CLAIM, "It is so.", "it is not.", false);
}

static void free_chapters(void) {
    for (int i = 0; i < CHAPTERS; i++)
        dgmi_reproduce_record_free(&chapters[i].record);
}

static char *write_report(const char *file) {
    write_chapters();
    assert_int_equal(dgmi_reproduce_report_write(ctx, &stage_options, chapters, CHAPTERS), DGM_OK);
    free_chapters();
    return scratch_content(file, NULL);
}

static void has(const char *text, const char *part) {
    if (strstr(text, part))
        return;
    print_error("\"%s\" is not in the report\n", part);
    fail();
}

static int count(const char *text, const char *part) {
    int times = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        times++;
    return times;
}

static void markdown_has_every_item_in_its_form(void **state) {
    (void)state;
    stage_set("test", NULL);
    stage_options.seed = 7;
    char *text = write_report("report.md");
    assert_memory_equal(text, "# Deep Graph Mapper, again\n", 27);
    has(text, "with seed 7.");
    has(text, "\n| part | what | verdict | checks that hold |\n| --- | --- | --- | --- |\n"
              "| first | Figure 1: what holds | holds in part | 1 of 2 |\n"
              "| second | Beyond: what does not | does not hold | 0 of 1 |\n"
              "| fourth | It could not be made | not made |  |\n");
    has(text, "\n## Figure 1: what holds\n\n**The paper:** Says \\*this\\* & \\<that\\>.\n\n"
              "A sentence.\n\n"
              "    dgm map a*b -o <x>\n    dgm draw x\n\n"
              "![The \\[picture\\].](first/a.svg)\n\nThe \\[picture\\].\n\n"
              "| set | nodes \\| edges |\n| --- | --- |\n| one | 1 |\n| two |  |\n\n"
              "| another |\n| --- |\n| table |\n\n"
              "- **It is so:** It is larger. Found: 2 \\> 1.\n"
              "- **It is not so:** It is smaller. Found: 3 \\> 2.\n\n"
              "**Verdict:** holds in part (1 of 2 checks).\n");
    has(text, "\n## Beyond: what does not\n\n**The question:** Is it so?\n\n"
              "- **It is not so:** It is so. Found: it is not.\n\n"
              "**Verdict:** does not hold.\n");
    has(text, "\n**Verdict:** not made: the data are \\<gone\\>\n");
    assert_int_equal(count(text, "Nobody asked"), 0);
    assert_int_equal(count(text, "quick run"), 0);
    free(text);
}

static void html_has_the_same(void **state) {
    (void)state;
    stage_set("test", NULL);
    stage_options.quick = true;
    char *text = write_report("report.html");
    assert_memory_equal(text, "<!DOCTYPE html>", 15);
    has(text, "<h1>Deep Graph Mapper, again</h1>");
    has(text, "with seed 1, in a quick run that leaves out the long parts.");
    has(text, "<th>part</th><th>what</th>");
    has(text, "<tr><td><a href=\"#first\">first</a></td><td>Figure 1: what holds</td><td>holds in "
              "part</td><td>1 of 2</td></tr>");
    has(text, "<h2 id=\"first\">Figure 1: what holds</h2>");
    has(text, "<p><strong>The paper:</strong> Says *this* &amp; &lt;that&gt;.</p>");
    has(text, "<pre><span>$</span> dgm map a*b -o &lt;x&gt;\n<span>$</span> dgm draw x\n</pre>");
    has(text, "<div class=\"pictures\">\n<figure><a href=\"first/a.svg\"><img src=\"first/a.svg\" "
              "alt=\"The [picture].\"></a><figcaption>The [picture].</figcaption></figure>\n"
              "</div>\n");
    has(text, "<table>\n<tr><th>set</th><th>nodes | edges</th></tr>\n<tr><td>one</td><td>1</td>"
              "</tr>\n<tr><td>two</td><td></td></tr>\n</table>\n<table>\n<tr><th>another</th></tr>"
              "\n<tr><td>table</td></tr>\n</table>\n");
    has(text, "<ul>\n<li class=\"yes\"><strong>It is so:</strong> It is larger.<br>Found: 2 &gt; "
              "1.</li>\n<li class=\"no\"><strong>It is not so:</strong>");
    has(text, "<p><strong>Verdict:</strong> holds in part (1 of 2 checks).</p>");
    has(text, "not made: the data are &lt;gone&gt;</p>\n</body>\n</html>\n");
    assert_int_equal(count(text, "<table>"), 3);
    assert_int_equal(count(text, "</table>"), 3);
    assert_int_equal(count(text, "<ul>"), 2);
    assert_int_equal(count(text, "<h2"), 3);
    free(text);
}

/* A part without checks holds all of them, and a line of text that would be markup is none. */
static void control_characters_are_blanks(void **state) {
    (void)state;
    stage_set("test", NULL);
    write_chapters();
    add(1, DGMI_REPRODUCE_SAYS, "one\nline_of `code`", NULL, false);
    assert_int_equal(dgmi_reproduce_report_write(ctx, &stage_options, chapters, CHAPTERS), DGM_OK);
    free_chapters();
    char *text = scratch_content("report.md", NULL);
    has(text, "\none line\\_of \\`code\\`\n");
    free(text);
}

static dgm_status report(void *argument) {
    (void)argument;
    long left = scratch_countdown;
    scratch_countdown = -1; /* the chapters are there */
    write_chapters();
    scratch_countdown = left;
    dgm_status status = dgmi_reproduce_report_write(ctx, &stage_options, chapters, CHAPTERS);
    if (status == DGM_OK)
        status = dgmi_reproduce_run_write(ctx, &stage_options, chapters, CHAPTERS);
    free_chapters();
    return status;
}

static void memory_that_ends_is_an_error(void **state) {
    (void)state;
    stage_set("test", NULL);
    scratch_fail_each(report, NULL);
}

/* ---- run.json ---- */

static json_t *write_run(void) {
    json_error_t error;
    assert_int_equal(dgmi_reproduce_run_write(ctx, &stage_options, chapters, CHAPTERS), DGM_OK);
    json_t *root = json_load_file("run.json", 0, &error);
    assert_non_null(root);
    return root;
}

static double seconds(const json_t *root, const char *part) {
    const json_t *value = json_object_get(json_object_get(root, "seconds"), part);
    return json_is_number(value) ? json_number_value(value) : -1;
}

static void times_are_kept_from_run_to_run(void **state) {
    (void)state;
    stage_set("test", NULL);
    stage_options.seed = 3;
    unlink("run.json");
    write_chapters();
    chapters[0].record.seconds = 1.5;
    chapters[1].record.seconds = 2.25;
    chapters[3].made = true;
    chapters[3].record.seconds = 8;
    dgm_context_set_threads(ctx, 2);
    json_t *root = write_run();
    assert_true(seconds(root, "first") == 1.5);
    assert_true(seconds(root, "second") == 2.25);
    assert_true(seconds(root, "fourth") == 8);
    assert_int_equal(json_object_size(json_object_get(root, "seconds")), 3);
    assert_string_equal(json_string_value(json_object_get(root, "version")), dgm_version());
    assert_int_equal(json_integer_value(json_object_get(root, "seed")), 3);
    assert_true(json_is_false(json_object_get(root, "quick")));
    const json_t *machine = json_object_get(root, "machine");
    assert_int_equal(json_integer_value(json_object_get(machine, "threads")), 2);
    struct utsname system;
    uname(&system);
    assert_string_equal(json_string_value(json_object_get(machine, "system")), system.sysname);
    assert_string_equal(json_string_value(json_object_get(machine, "processor")), system.machine);
    assert_int_equal(json_integer_value(json_object_get(machine, "cores")),
                     sysconf(_SC_NPROCESSORS_ONLN));
    assert_true(json_is_string(json_object_get(machine, "blas")));
    assert_true(json_is_string(json_object_get(machine, "kernels")));
    json_decref(root);
    chapters[0].kept = true; /* it took nothing now, and 1.5 s when it was made */
    chapters[0].record.seconds = 0;
    chapters[1].record.seconds = 4;
    stage_options.quick = true;
    root = write_run();
    assert_true(seconds(root, "first") == 1.5);
    assert_true(seconds(root, "second") == 4);
    assert_true(json_is_true(json_object_get(root, "quick")));
    json_decref(root);
    stage_write("run.json", "no JSON"); /* what cannot be read is forgotten */
    root = write_run();
    assert_true(seconds(root, "first") == 0);
    json_decref(root);
    free_chapters();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markdown_has_every_item_in_its_form),
        cmocka_unit_test(html_has_the_same),
        cmocka_unit_test(control_characters_are_blanks),
        cmocka_unit_test(memory_that_ends_is_an_error),
        cmocka_unit_test(times_are_kept_from_run_to_run),
    };
    return RUN_GROUP(tests, stage_begin, stage_end);
}
