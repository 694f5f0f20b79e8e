/* SPDX-License-Identifier: Apache-2.0 */
/* The page: what it begins with, lenses and choices while it is open, and other graphs. */
#include "unit_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base_memory.h"
#include "explore_explorer.h"
#include "page_ring.h"
#include "unit_faults.h"

static const char *const plain[][2] = {
    {"lens", "degree"}, {"intervals", "3"},
    {"overlap", "0.3"}, {"attach", NULL}, /* which needs the next */
    {"min-size", "2"},  {"labels", "it's a file"},
    {"directed", NULL}, {"keep-loops", "true"}};

/* Whether the answer of `start` says this. */
static bool starts_with(dgm_explorer *explorer, const char *words) {
    dgm_answer answer;
    assert_int_equal(dgm_explorer_ask(ctx, explorer, "start", "", &answer), DGM_OK);
    bool found = memmem(answer.bytes, answer.length, words, strlen(words));
    dgm_answer_free(ctx, &answer);
    return found;
}

static void a_page_begins_with_its_settings(void **state) {
    (void)state;
    dgm_page_input input = input_of(plain, COUNT(plain));
    dgmi_page page;
    dgm_answer answer;
    if (dgmi_page_open(ctx, &input, true, &page) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_true(starts_with(page.explorer, "\"live\":true"));
    assert_true(starts_with(page.explorer, "\"opened\":false"));
    assert_true(starts_with(page.explorer, "\"candidates\":[]"));
    assert_int_equal(dgm_explorer_ask(ctx, page.explorer, "picture", "", &answer), DGM_OK);
    static const char command[] =
        "dgm map ring --auto off --labels 'it'\\\\''s a file' --directed --keep-loops --lens "
        "degree "
        "--cover uniform --intervals 3 --overlap 0.3 --min-size 2 --attach";
    assert_non_null(memmem(answer.bytes, answer.length, command, strlen(command)));
    dgm_answer_free(ctx, &answer);
    dgmi_page_close(&page);
    dgmi_page_close(&page); /* again does no harm */
}

static void wrong_pages_are_refused(void **state) {
    (void)state;
    static const char *const wrong[][2] = {{"lens", "no such lens"}};
    static const char *const bad[][2] = {{"lens", "degree"}, {"intervals", "none"}};
    dgm_page_input input = input_of(wrong, 1);
    dgm_answer html;
    assert_int_equal(dgm_page_make(ctx, &input, &html), DGM_ERROR_USAGE);
    assert_null(html.bytes);
    input = input_of(bad, 2);
    assert_int_equal(dgm_page_make(ctx, &input, &html), DGM_ERROR_USAGE);
    input.graph = NULL;
    ASSERT_FAILS(dgm_page_make(ctx, &input, &html), DGM_ERROR_USAGE, "a page needs a graph");
    assert_int_equal(dgm_page_write(ctx, &input, "page.html"), DGM_ERROR_USAGE);
    assert_int_not_equal(access("page.html", F_OK), 0);
    input = input_of(plain, 1);
    assert_int_equal(dgm_page_write(ctx, &input, "no/such/folder/page.html"), DGM_ERROR_FILE);
    input.size = 1;
    assert_int_equal(dgm_page_make(ctx, &input, &html), DGM_ERROR_USAGE);
}

static dgmi_explore_query query_of(const char *name, const char *value) {
    return (dgmi_explore_query){1, {name}, {value}};
}

static void lenses_come_and_go_with_their_level(void **state) {
    (void)state;
    dgm_page_input input = input_of(plain, 3);
    dgmi_page page;
    dgmi_page_lens made;
    dgm_answer answer;
    input.predictions = predictions;
    assert_int_equal(dgmi_page_open(ctx, &input, true, &page), DGM_OK);
    const dgmi_explore_query wrong = query_of("intervals", "3"), none = query_of("lens", ""),
                             ranks = query_of("lens", "pagerank");
    assert_int_equal(dgmi_page_compute(ctx, &page, &wrong, &made), DGM_ERROR_USAGE);
    assert_int_equal(dgmi_page_compute(ctx, &page, &none, &made), DGM_OK); /* the default */
    assert_int_equal(dgmi_page_show(ctx, &page, &none, &made), DGM_OK);
    assert_false(starts_with(page.explorer, "\"lens\":\"degree\""));
    const dgmi_explore_query degrees = query_of("lens", "degree");
    assert_int_equal(dgmi_page_compute(ctx, &page, &degrees, &made), DGM_OK);
    assert_int_equal(dgmi_page_show(ctx, &page, &degrees, &made), DGM_OK);
    assert_int_equal(dgm_explorer_ask(ctx, page.explorer, "picture", "", &answer), DGM_OK);
    dgm_answer_free(ctx, &answer);
    assert_int_equal(dgm_explorer_ask(ctx, page.explorer, "focus", "nodes=18,19,20,21,22", &answer),
                     DGM_OK);
    dgm_answer_free(ctx, &answer);
    assert_int_equal(dgmi_page_compute(ctx, &page, &ranks, &made), DGM_OK);
    assert_int_equal(dgm_matrix_rows(dgm_lens_result_axes(made.made)), 5);
    assert_int_equal(dgmi_page_show(ctx, &page, &ranks, &made), DGM_OK);
    assert_true(starts_with(page.explorer, "\"predictions\":true")); /* those of the part */
    assert_int_equal(dgm_explorer_ask(ctx, page.explorer, "picture", "", &answer), DGM_OK);
    dgm_answer_free(ctx, &answer);
    assert_int_equal(dgm_explorer_ask(ctx, page.explorer, "mistakes", "", &answer), DGM_OK);
    assert_non_null(memmem(answer.bytes, answer.length, "\"wrong\":3", 9));
    dgm_answer_free(ctx, &answer);
    assert_int_equal(dgm_explorer_ask(ctx, page.explorer, "back", "level=0", &answer), DGM_OK);
    dgm_answer_free(ctx, &answer);
    dgmi_page_tidy(&page);
    assert_null(page.lenses[1].made);
    assert_true(starts_with(page.explorer, "\"lens\":\"degree\""));
    dgmi_page_close(&page);
}

static void a_choice_is_adopted(void **state) {
    (void)state;
    static const char *const adaptive[][2] = {{"lens", "degree"}, {"cover", "adaptive:size=7"}};
    dgm_page_input input = input_of(adaptive, 2);
    dgmi_page page;
    dgmi_page_lens made;
    dgm_answer answer;
    assert_int_equal(dgmi_page_open(ctx, &input, true, &page), DGM_OK);
    assert_int_equal(dgm_explorer_ask(ctx, page.explorer, "picture", "", &answer), DGM_OK);
    dgm_answer_free(ctx, &answer);
    assert_true(starts_with(page.explorer, "\"cover\":\"adaptive:size=7\""));
    assert_int_equal(dgmi_page_choose(ctx, &page, &made), DGM_OK);
    assert_int_equal(dgmi_page_adopt(ctx, &page, &made), DGM_OK);
    assert_true(starts_with(page.explorer, "\"picture\":{\"x\":["));
    assert_true(starts_with(page.explorer, "marks explain"));
    assert_false(starts_with(page.explorer, "adaptive:size=7")); /* nothing of before is left */
    dgmi_page_close(&page);
}

/* The lens is the usual one then, which a command need not name. */
static void a_page_without_a_lens_has_a_command(void **state) {
    (void)state;
    dgm_page_input input = input_of(plain + 1, 2);
    dgmi_page page;
    assert_int_equal(dgmi_page_open(ctx, &input, true, &page), DGM_OK);
    assert_command(page.explorer,
                   "dgm map ring --auto off --cover uniform --intervals 3 --overlap 0.3");
    dgmi_page_close(&page);
}

/* A lens of seven values that the caller made. */
static dgm_lens_result *make_own_lens(void) {
    dgm_job_input given = DGM_JOB_INPUT_INIT;
    dgm_matrix *values = build_matrix(NODES, 1, NULL);
    dgm_lens_result *lens;
    dgm_job job;
    for (int i = 0; i < NODES; i++)
        dgm_matrix_values_mutable(values)[i] = i % 7;
    dgm_job_init(&job);
    given.graph = graph;
    given.lens = values;
    assert_int_equal(dgm_job_lens_with(ctx, &job, &given, &lens), DGM_OK);
    dgm_matrix_free(values);
    return lens;
}

/* A lens that no option names was made by the caller, and no command makes it; one that the page asks
 * for later has a command again. */
static void a_lens_of_the_callers_has_no_command(void **state) {
    (void)state;
    dgm_lens_result *lens = make_own_lens();
    dgmi_page page;
    dgm_answer answer;
    dgm_page_input input = input_of(plain + 1, 2);
    input.lens = lens;
    assert_int_equal(dgmi_page_open(ctx, &input, true, &page), DGM_OK);
    assert_int_equal(dgm_explorer_ask(ctx, page.explorer, "picture", "", &answer), DGM_OK);
    assert_non_null(memmem(answer.bytes, answer.length, "\"command\":null", 14));
    dgm_answer_free(ctx, &answer);
    const dgmi_explore_query degrees = query_of("lens", "degree");
    dgmi_page_lens made;
    assert_int_equal(dgmi_page_compute(ctx, &page, &degrees, &made), DGM_OK);
    assert_int_equal(dgmi_page_show(ctx, &page, &degrees, &made), DGM_OK);
    assert_command_begins(page.explorer, "dgm map ring --auto off --lens degree ");
    dgmi_page_close(&page);
    static const char *const wrong[][2] = {{"intervals", "none"}};
    input.settings = wrong;
    input.setting_count = 1;
    assert_int_equal(dgmi_page_open(ctx, &input, true, &page), DGM_ERROR_USAGE);
    dgmi_page_close(&page);
    dgm_lens_result_free(lens);
}

/* The first setting counts like any other: it may name the lens, or say how the graph is read. */
static void the_command_of_a_page_begins_with_its_first_setting(void **state) {
    (void)state;
    static const char *const named[][2] = {{"lens", "degree"}, {"intervals", "2"}};
    static const char *const read[][2] = {{"labels", "a file"}, {"lens", "degree"}};
    dgmi_page page;
    dgm_lens_result *lens = make_own_lens();
    dgm_page_input input = input_of(named, 2);
    input.lens = lens;
    assert_int_equal(dgmi_page_open(ctx, &input, true, &page), DGM_OK);
    assert_command_begins(page.explorer, "dgm map ring --auto off --lens degree ");
    dgmi_page_close(&page);
    input = input_of(read, 2);
    assert_int_equal(dgmi_page_open(ctx, &input, true, &page), DGM_OK);
    assert_command_begins(page.explorer,
                          "dgm map ring --auto off --labels 'a file' --lens degree ");
    dgmi_page_close(&page);
    dgm_lens_result_free(lens);
}

static const char *write_file(char path[32], const char *text) {
    int file = (snprintf(path, 32, "/tmp/dgm-page-XXXXXX"), mkstemp(path));
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    return path;
}

static void another_graph_is_visited(void **state) {
    (void)state;
    char path[32], empty[32];
    dgmi_page page;
    write_file(path, "a b\nb c\nc d\nd a\na e\n");
    assert_int_equal(dgmi_page_visit_file(ctx, path, &page), DGM_OK);
    assert_true(starts_with(page.explorer, "\"opened\":true"));
    assert_true(starts_with(page.explorer, "\"nodes\":5"));
    dgmi_page_close(&page);
    assert_int_equal(dgmi_page_visit_file(ctx, write_file(empty, "# nothing\n"), &page),
                     DGM_ERROR_DATA);
    dgmi_page_close(&page);
    assert_int_equal(dgmi_page_visit_file(ctx, "no/such/file", &page), DGM_ERROR_FILE);
    dgmi_page_close(&page);
    unlink(path);
    unlink(empty);
}

/* Nobody waits for thumbnails of a graph of more than 200,000 edges. */
static void large_graphs_have_no_thumbnails(void **state) {
    (void)state;
    enum { EDGES = 200001 };
    uint32_t *ends = malloc(2 * EDGES * sizeof *ends);
    dgmi_page page = {.live = true};
    dgmi_explore_answer answer;
    assert_non_null(ends);
    for (uint32_t i = 0; i < EDGES; i++) {
        ends[2 * i] = i;
        ends[2 * i + 1] = i + 1;
    }
    dgm_graph *path = build_graph(NULL, 0, EDGES, ends, NULL);
    free(ends);
    assert_int_equal(dgm_explorer_create(ctx, path, &page.explorer), DGM_OK);
    dgmi_explore_answer_init(&answer, ctx);
    assert_int_equal(dgmi_page_say_thumbnail(ctx, &page, NULL, 0, &answer), DGM_OK);
    assert_string_equal(answer.json.data, "{\"picture\":null");
    dgmi_explore_answer_free(&answer);
    dgmi_page_close(&page);
    dgm_graph_free(path);
}

/* ---- pictures of candidates ---- */

/* Every mark of a thumbnail has a place, a size and a colour, and links join two of them. */
static void check_thumbnail(const json_t *picture) {
    static const char *const lists[] = {"x", "y", "radius", "fill"};
    const json_t *links = json_object_get(picture, "links");
    size_t marks = json_array_size(json_object_get(picture, "x"));
    assert_true(marks > 0);
    for (int64_t i = 0; i < COUNT(lists); i++)
        assert_int_equal(json_array_size(json_object_get(picture, lists[i])), marks);
    assert_int_equal(json_array_size(links) % 2, 0);
    for (size_t i = 0; i < json_array_size(links); i++)
        assert_in_range(json_integer_value(json_array_get(links, i)), 0, marks - 1);
}

/* The thumbnail of the settings that a page takes over is its picture, in few digits. */
static void check_chosen(const json_t *thumbnail, dgm_explorer *explorer) {
    reply picture = ask_of(explorer, "picture", "");
    int64_t marks, colours, links;
    const float *x = array(&picture, "x", "f4", &marks), *y = array(&picture, "y", "f4", &marks);
    const uint8_t *fill = array(&picture, "fill", "u1", &colours);
    const uint32_t *source = array(&picture, "source", "u4", &links);
    assert_int_equal(json_array_size(json_object_get(thumbnail, "x")), marks);
    assert_true(marks > 2 && links > 1);
    assert_int_equal(json_array_size(json_object_get(thumbnail, "links")), 2 * links);
    for (int64_t l = 0; l < links; l++)
        assert_true(item(thumbnail, "links", (size_t)(2 * l)) == source[l]);
    for (int64_t i = 0; i < marks; i++) {
        char colour[8];
        snprintf(colour, sizeof colour, "#%02x%02x%02x", fill[3 * i], fill[3 * i + 1],
                 fill[3 * i + 2]);
        assert_string_equal(
            json_string_value(json_array_get(json_object_get(thumbnail, "fill"), (size_t)i)),
            colour);
        assert_near(item(thumbnail, "x", (size_t)i), x[i], 0.001);
        assert_near(item(thumbnail, "y", (size_t)i), y[i], 0.001);
    }
    drop(&picture);
}

static void candidates_are_shown_as_they_would_look(void **state) {
    (void)state;
    dgm_page_input input = input_of(plain, 3);
    dgmi_page page;
    dgmi_page_lens made;
    dgm_graph *karate;
    assert_int_equal(dgm_graph_open(ctx, "karate", DGM_FORMAT_AUTO, NULL, NULL, 1, &karate),
                     DGM_OK);
    input.graph = karate;
    assert_int_equal(dgmi_page_open(ctx, &input, true, &page), DGM_OK);
    assert_int_equal(dgmi_page_choose(ctx, &page, &made), DGM_OK);
    assert_int_equal(dgmi_page_adopt(ctx, &page, &made), DGM_OK);
    reply start = ask_of(page.explorer, "start", "");
    const json_t *candidates = json_object_get(start.json, "candidates");
    assert_true(json_array_size(candidates) > 2);
    for (size_t i = 0; i < json_array_size(candidates); i++)
        check_thumbnail(json_object_get(json_array_get(candidates, i), "picture"));
    check_chosen(json_object_get(json_array_get(candidates, 0), "picture"), page.explorer);
    drop(&start);
    dgmi_page_close(&page);
    dgm_graph_free(karate);
}

/* ---- memory that ends ---- */

static dgm_status make_page(dgm_context *own, void *argument) {
    dgm_page_input input = input_of(plain, 3);
    dgm_answer html;
    input.graph = argument;
    dgm_status status = dgm_page_make(own, &input, &html);
    dgm_answer_free(own, &html);
    return status;
}

/* The page borrows the study, which takes longer than all the rest, for another time. */
static dgm_status adopt(dgm_context *own, void *argument) {
    dgm_page_input input = input_of(plain, 3);
    const dgmi_page_lens made = {NULL, argument};
    dgmi_page page;
    dgm_status status = dgmi_page_open(own, &input, true, &page);
    if (status == DGM_OK)
        status = dgmi_page_adopt(own, &page, &made);
    page.lenses[0].study = NULL;
    dgmi_page_close(&page);
    return status;
}

static dgm_status visit(dgm_context *own, void *argument) {
    dgmi_page page;
    dgm_status status = dgmi_page_visit_file(own, argument, &page);
    dgmi_page_close(&page);
    return status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 3};
    dgm_graph *small = build_graph(NULL, 4, 3, ends, NULL);
    dgm_study_options few = DGM_STUDY_OPTIONS_INIT;
    char path[32];
    dgm_study *study;
    dgm_job job;
    fail_some_allocations(make_page, small, 2);
    dgm_job_init(&job);
    few.open = DGM_OPEN_LENS;
    assert_int_equal(dgm_study_create(ctx, graph, &job, &few, &study), DGM_OK);
    fail_some_allocations(adopt, study, 3);
    write_file(path, "a b\nb c\n");
    fail_some_allocations(visit, path, 4999);
    unlink(path);
    dgm_study_free(study);
    dgm_graph_free(small);
}

#define WITH_RING(test) cmocka_unit_test_setup_teardown(test, open_graph, close_graph)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_RING(a_page_begins_with_its_settings),
        WITH_RING(wrong_pages_are_refused),
        WITH_RING(lenses_come_and_go_with_their_level),
        WITH_RING(a_choice_is_adopted),
        WITH_RING(a_page_without_a_lens_has_a_command),
        WITH_RING(a_lens_of_the_callers_has_no_command),
        WITH_RING(the_command_of_a_page_begins_with_its_first_setting),
        WITH_RING(another_graph_is_visited),
        WITH_RING(large_graphs_have_no_thumbnails),
        WITH_RING(candidates_are_shown_as_they_would_look),
        WITH_RING(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
