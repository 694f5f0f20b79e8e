/* SPDX-License-Identifier: Apache-2.0 */
/* What a page says at its start of lenses and candidates, pictures of candidates, and the command that
 * makes what it shows. */
#include "unit_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "explore_explorer.h"
#include "kernels_machine.h"
#include "page_sample.h"

static dgm_graph *graph;

static int open_graph(void **state) {
    (void)state;
    return dgm_graph_open(ctx, "karate", DGM_FORMAT_AUTO, NULL, NULL, 1, &graph);
}

static int close_graph(void **state) {
    (void)state;
    dgm_graph_free(graph);
    return 0;
}

static dgm_page_input input_of(const char *const (*settings)[2], int count) {
    return page_input(graph, "karate", settings, count);
}

static void open_page(const dgm_page_input *input, bool live, dgmi_page *page) {
    if (dgmi_page_open(ctx, input, live, page) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
}

static const char *const plain[][2] = {{"lens", "degree"}, {"intervals", "3"}};

/* ---- lenses, reductions and options ---- */

static bool flag(const json_t *object, const char *key) {
    const json_t *is = json_object_get(object, key);
    assert_true(json_is_boolean(is));
    return json_is_true(is);
}

static void a_live_page_lists_lenses_reductions_and_their_options(void **state) {
    (void)state;
    const dgm_page_input input = input_of(plain, 2);
    const dgm_option_table *table = dgm_job_lens_option_table();
    const dgm_lens_kind *lens;
    const dgm_reduce_kind *reduction;
    dgmi_page page;
    open_page(&input, true, &page);
    reply start = ask_of(page.explorer, "start", "");
    const json_t *list = json_object_get(start.json, "lenses");
    size_t count = 0, networks = 0, labels = 0, names = 0;
    for (; (lens = dgm_lens_kind_at(count)); count++) {
        const json_t *is = json_array_get(list, count);
        assert_string_equal(text(is, "name"), lens->name);
        assert_string_equal(text(is, "help"), lens->help);
        assert_int_equal(flag(is, "network"), (lens->flags & DGM_LENS_NETWORK) != 0);
        assert_int_equal(flag(is, "needs_labels"), (lens->flags & DGM_LENS_NEEDS_LABELS) != 0);
        assert_int_equal(flag(is, "needs_name"), (lens->flags & DGM_LENS_NEEDS_NAME) != 0);
        networks += flag(is, "network");
        labels += flag(is, "needs_labels");
        names += flag(is, "needs_name");
    }
    assert_int_equal(json_array_size(list), count);
    assert_true(networks && labels && names && networks < count && labels < count && names < count);
    list = json_object_get(start.json, "reductions");
    for (count = 0; (reduction = dgm_reduce_kind_at(count)); count++) {
        assert_string_equal(text(json_array_get(list, count), "name"), reduction->name);
        assert_string_equal(text(json_array_get(list, count), "help"), reduction->help);
    }
    assert_int_equal(json_array_size(list), count);
    list = json_object_get(start.json, "lens_options");
    assert_int_equal(json_array_size(list), table->count);
    for (size_t i = 0; i < table->count; i++)
        assert_string_equal(text(json_array_get(list, i), "name"), table->options[i].name);
    drop(&start);
    dgmi_page_close(&page);
}

/* A file has no program that would make lenses. */
static void a_page_that_is_a_file_lists_none(void **state) {
    (void)state;
    const dgm_page_input input = input_of(plain, 2);
    dgmi_page page;
    open_page(&input, false, &page);
    reply start = ask_of(page.explorer, "start", "");
    assert_false(flag(start.json, "live"));
    assert_false(flag(start.json, "opened"));
    assert_null(json_object_get(start.json, "lenses"));
    assert_null(json_object_get(start.json, "reductions"));
    assert_null(json_object_get(start.json, "lens_options"));
    assert_true(json_is_null(json_object_get(start.json, "reason"))); /* nobody chose */
    assert_int_equal(json_array_size(json_object_get(start.json, "candidates")), 0);
    drop(&start);
    dgmi_page_close(&page);
}

/* ---- candidates ---- */

/* A picture in few numbers is the picture, rounded to thousandths. */
static void assert_thumbnail(const json_t *thumbnail, dgm_explorer *explorer) {
    static const char *const places[] = {"x", "y", "radius"};
    reply picture = ask_of(explorer, "picture", "");
    int64_t marks, colours, links;
    const uint8_t *fill = array(&picture, "fill", "u1", &colours);
    const uint32_t *source = array(&picture, "source", "u4", &links);
    const uint32_t *target = array(&picture, "target", "u4", &links);
    for (int64_t k = 0; k < COUNT(places); k++) {
        const float *values = array(&picture, places[k], "f4", &marks);
        assert_int_equal(json_array_size(json_object_get(thumbnail, places[k])), marks);
        for (int64_t i = 0; i < marks; i++) {
            double is = item(thumbnail, places[k], (size_t)i);
            assert_near(is, values[i], 0.0005 + 1e-6 * fabs(values[i]));
            assert_near(is * 1000, rint(is * 1000), 1e-6);
        }
    }
    assert_int_equal(json_array_size(json_object_get(thumbnail, "links")), 2 * links);
    for (int64_t l = 0; l < links; l++) {
        assert_true(item(thumbnail, "links", (size_t)(2 * l)) == source[l]);
        assert_true(item(thumbnail, "links", (size_t)(2 * l + 1)) == target[l]);
    }
    for (int64_t i = 0; i < marks; i++) {
        char colour[8];
        snprintf(colour, sizeof colour, "#%02x%02x%02x", fill[3 * i], fill[3 * i + 1],
                 fill[3 * i + 2]);
        assert_string_equal(
            json_string_value(json_array_get(json_object_get(thumbnail, "fill"), (size_t)i)),
            colour);
    }
    drop(&picture);
}

/* The settings of a candidate as those of a page. */
typedef struct {
    const char *pairs[8][2];
    char values[8][DGM_STUDY_VALUE];
    int count;
} settings;

static void list_settings(const dgm_study_candidate *candidate, settings *out) {
    out->count = 0;
    while (dgm_study_setting(candidate, out->count, &out->pairs[out->count][0],
                             out->values[out->count])) {
        out->pairs[out->count][1] = out->values[out->count];
        out->count++;
    }
}

/* Each lens has one candidate, with its settings, its reason, its score and what it would show. */
static void candidates_are_what_their_settings_would_show(void **state) {
    (void)state;
    int64_t count;
    size_t said = 0;
    char reason[512];
    dgm_study *study;
    dgm_job job;
    dgmi_page page;
    dgm_job_init(&job);
    assert_int_equal(dgm_study_create(ctx, graph, &job, NULL, &study), DGM_OK);
    const dgm_study_candidate *candidates = dgm_study_candidates(study, &count);
    dgm_page_input input = input_of(plain, 2);
    input.study = study;
    open_page(&input, true, &page);
    reply start = ask_of(page.explorer, "start", "");
    const json_t *list = json_object_get(start.json, "candidates");
    assert_string_equal(text(start.json, "reason"),
                        dgm_bits_words(&candidates->measures.bits, reason, sizeof reason));
    for (int64_t i = 0; i < count; i++) {
        settings of;
        dgmi_page other;
        if (!dgm_study_leads(study, i))
            continue;
        const json_t *is = json_array_get(list, said++);
        list_settings(&candidates[i], &of);
        assert_int_equal(json_object_size(json_object_get(is, "settings")), of.count);
        for (int k = 0; k < of.count; k++)
            assert_string_equal(text(json_object_get(is, "settings"), of.pairs[k][0]),
                                of.values[k]);
        assert_string_equal(text(is, "reason"),
                            dgm_study_reason(&candidates[i], reason, sizeof reason));
        assert_near(json_number_value(json_object_get(is, "score")), candidates[i].score, 1e-6);
        dgm_page_input chosen = input_of((const char *const(*)[2])of.pairs, of.count);
        open_page(&chosen, true, &other);
        assert_thumbnail(json_object_get(is, "picture"), other.explorer);
        dgmi_page_close(&other);
    }
    assert_int_equal(json_array_size(list), said);
    assert_int_equal(said, 5); /* communities at each resolution */
    drop(&start);
    dgmi_page_close(&page);
    dgm_study_free(study);
}

/* A path of so many edges in one cluster. */
static bool has_thumbnail(uint32_t edges) {
    uint32_t *ends = malloc(2 * (size_t)edges * sizeof *ends);
    dgm_study_options options = DGM_STUDY_OPTIONS_INIT;
    dgmi_page page = {.live = true};
    dgmi_explore_answer answer;
    dgm_study *study;
    dgm_job job;
    assert_non_null(ends);
    for (uint32_t i = 0; i < edges; i++) {
        ends[2 * i] = i;
        ends[2 * i + 1] = i + 1;
    }
    dgm_graph *path = build_graph(NULL, 0, edges, ends, NULL);
    free(ends);
    dgm_job_init(&job);
    assert_int_equal(dgm_job_set(ctx, &job, "lens", "degree"), DGM_OK);
    options.open = 0;
    assert_int_equal(dgm_study_create(ctx, path, &job, &options, &study), DGM_OK);
    assert_int_equal(dgm_explorer_create(ctx, path, &page.explorer), DGM_OK);
    dgmi_explore_answer_init(&answer, ctx);
    assert_int_equal(dgmi_page_say_thumbnail(ctx, &page, study, 0, &answer), DGM_OK);
    bool drawn = strncmp(answer.json.data, "{\"picture\":{\"x\":[", 17) == 0;
    if (!drawn)
        assert_string_equal(answer.json.data, "{\"picture\":null");
    dgmi_explore_answer_free(&answer);
    dgmi_page_close(&page);
    dgm_study_free(study);
    dgm_graph_free(path);
    return drawn;
}

static void graphs_of_200000_edges_have_thumbnails(void **state) {
    (void)state;
    assert_true(has_thumbnail(200000));
    assert_false(has_thumbnail(200001));
}

/* ---- what is adopted ---- */

/* Settings that a study may choose and has not chosen go back to what they are without a choice, and
 * the others stay. */
static void what_is_adopted_is_the_choice_and_nothing_of_before(void **state) {
    (void)state;
    static const char *const odd[][2] = {
        {"lens", "degree"},  {"transform", "log"}, {"cover", "quantile"}, {"intervals", "13"},
        {"overlap", "0.11"}, {"dust-size", "9"},   {"pieces", "joined"},  {"min-size", "2"}};
    int64_t count;
    dgm_page_input input = input_of(odd, COUNT(odd));
    dgmi_page page, other;
    dgmi_page_lens made;
    settings chosen;
    open_page(&input, true, &page);
    assert_command(page.explorer, "dgm map karate --auto off --lens degree --transform log --cover "
                                  "quantile --intervals 13 --overlap 0.11 --pieces joined "
                                  "--min-size 2 --dust-size 9");
    assert_int_equal(dgmi_page_choose(ctx, &page, &made), DGM_OK);
    assert_null(made.made);
    list_settings(dgm_study_candidates(made.study, &count), &chosen);
    assert_int_equal(dgmi_page_adopt(ctx, &page, &made), DGM_OK);
    assert_ptr_equal(page.lenses[0].study, made.study);
    chosen.pairs[chosen.count][0] = "min-size"; /* which no study chooses */
    chosen.pairs[chosen.count++][1] = "2";
    dgm_page_input fresh = input_of((const char *const(*)[2])chosen.pairs, chosen.count);
    open_page(&fresh, true, &other);
    char *expected = command_of(other.explorer);
    assert_command(page.explorer, expected);
    free(expected);
    dgmi_page_close(&other);
    dgmi_page_close(&page);
}

/* A file that is opened is shown with what a study of it chooses. */
static void a_visited_file_is_shown_as_a_study_chooses(void **state) {
    (void)state;
    char path[] = "/tmp/dgm-page-XXXXXX", line[32];
    int file = mkstemp(path), length;
    int64_t count;
    dgm_graph *read;
    dgm_study *study;
    dgm_job job;
    dgmi_page page, other;
    settings chosen;
    assert_true(file >= 0);
    for (int i = 0; i < 60; i++) {
        length = snprintf(line, sizeof line, "n%d n%d\n", i, (i + 1) % 60);
        assert_int_equal(write(file, line, (size_t)length), length);
    }
    close(file);
    dgm_job_init(&job);
    assert_int_equal(dgm_graph_open(ctx, path, DGM_FORMAT_AUTO, NULL, NULL, 1, &read), DGM_OK);
    assert_int_equal(dgm_study_create(ctx, read, &job, NULL, &study), DGM_OK);
    list_settings(dgm_study_candidates(study, &count), &chosen);
    dgm_page_input input = input_of((const char *const(*)[2])chosen.pairs, chosen.count);
    input.graph = read;
    input.name = NULL; /* its path */
    open_page(&input, true, &other);
    char *expected = command_of(other.explorer);
    assert_non_null(expected);
    ASSERT_HAS(expected, dgm_graph_source(read));
    assert_int_equal(dgmi_page_visit_file(ctx, path, &page), DGM_OK);
    assert_command(page.explorer, expected);
    reply start = ask_of(page.explorer, "start", "");
    assert_true(flag(start.json, "opened") && flag(start.json, "live"));
    size_t leaders = 0;
    for (int64_t i = 0; i < count; i++)
        leaders += dgm_study_leads(study, i);
    assert_int_equal(json_array_size(json_object_get(start.json, "candidates")), leaders);
    drop(&start);
    free(expected);
    dgmi_page_close(&page);
    dgmi_page_close(&other);
    dgm_study_free(study);
    dgm_graph_free(read);
    FILE *empty = fopen(path, "w");
    assert_non_null(empty);
    fputs("# nothing\n", empty);
    fclose(empty);
    ASSERT_FAILS(dgmi_page_visit_file(ctx, path, &page), DGM_ERROR_DATA, "the file has no nodes");
    dgmi_page_close(&page);
    unlink(path);
}

/* ---- lenses that the page asks for ---- */

static void a_lens_that_is_asked_for_takes_the_place_of_the_first_one(void **state) {
    (void)state;
    static const char *const given[][2] = {
        {"lens", "degree"}, {"transform", "log"}, {"intervals", "4"}, {"seed", "3"}};
    const dgm_page_input input = input_of(given, COUNT(given));
    const dgmi_explore_query asked = {3, {"lens", "transform", "dim"}, {"pagerank", "rank", ""}};
    const dgmi_explore_query wrong = {2, {"lens", "intervals"}, {"core", "3"}};
    dgmi_page page;
    dgmi_page_lens made;
    dgm_answer answer;
    open_page(&input, true, &page);
    ASSERT_FAILS(dgmi_page_compute(ctx, &page, &wrong, &made), DGM_ERROR_USAGE,
                 "a lens has no setting 'intervals'");
    assert_true(!made.made && !made.study);
    assert_int_equal(dgmi_page_compute(ctx, &page, &asked, &made), DGM_OK);
    assert_string_equal(dgm_matrix_column_transform(dgm_lens_result_axes(made.made), 0), "rank");
    assert_int_equal(dgmi_page_show(ctx, &page, &asked, &made), DGM_OK);
    reply start = ask_of(page.explorer, "start", "");
    const json_t *lens = json_object_get(json_object_get(start.json, "lens"), "settings");
    assert_int_equal(json_object_size(lens), 2);
    assert_string_equal(text(lens, "lens"), "pagerank");
    assert_string_equal(text(lens, "transform"), "rank");
    drop(&start);
    assert_command(page.explorer, "dgm map karate --auto off --lens pagerank --transform rank "
                                  "--cover uniform --intervals 4 --overlap 0.2 --seed 3");
    assert_int_equal(dgm_explorer_ask(ctx, page.explorer, "focus", "nodes=0,1,2,3,7", &answer),
                     DGM_OK);
    dgm_answer_free(ctx, &answer);
    assert_int_equal(dgmi_page_compute(ctx, &page, &asked, &made), DGM_OK);
    assert_int_equal(dgmi_page_show(ctx, &page, &asked, &made), DGM_OK);
    assert_null(command_of(page.explorer)); /* no command makes a part */
    dgmi_page_tidy(&page);
    assert_true(page.lenses[0].made && page.lenses[1].made);
    dgmi_page_close(&page);
}

/* Writes over what calls have left on the stack. */
static __attribute__((noinline)) void write_over_stack(void) {
    volatile char room[1 << 16];
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = 'x';
}

/* Numbers of a lens may depend on the machine, and files say on which they were made. */
static void files_of_a_page_name_the_machine_of_its_lens(void **state) {
    (void)state;
    static const char *const eigen[][2] = {{"lens", "eigen"}, {"intervals", "3"}};
    const dgm_page_input input = input_of(eigen, 2);
    char blas[DGMI_KERNELS_MACHINE_SPACE], *json, words[DGMI_KERNELS_MACHINE_SPACE + 16];
    dgmi_page page;
    open_page(&input, true, &page);
    write_over_stack();
    reply picture = ask_of(page.explorer, "picture", "");
    drop(&picture);
    assert_int_equal(dgm_workspace_text(ctx, dgm_explorer_workspace(page.explorer), DGM_EXPORT_JSON,
                                        0, &json, NULL),
                     DGM_OK);
    snprintf(words, sizeof words, "\"blas\": \"%s\"", dgmi_kernels_machine_blas(blas));
    ASSERT_HAS(json, words);
    ASSERT_HAS(json, dgmi_kernels_machine_name());
    dgm_export_text_free(ctx, json);
    dgmi_page_close(&page);
}

/* All sixteen levels are let go of. */
static void the_lenses_of_the_deepest_level_are_let_go(void **state) {
    (void)state;
    const dgm_page_input input = input_of(plain, 2);
    dgmi_page page;
    open_page(&input, true, &page);
    for (int turn = 0; turn < 2; turn++) {
        dgmi_page_lens made;
        assert_int_equal(dgmi_page_compute(ctx, &page, NULL, &made), DGM_OK);
        page.lenses[DGMI_PAGE_LEVELS - 1] = made;
        if (turn == 0)
            dgmi_page_tidy(&page);
        assert_int_equal(page.lenses[DGMI_PAGE_LEVELS - 1].made != NULL, turn);
        assert_non_null(page.lenses[0].made);
    }
    dgmi_page_close(&page); /* and what is left then */
}

#define WITH_KARATE(test) cmocka_unit_test_setup_teardown(test, open_graph, close_graph)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_KARATE(a_live_page_lists_lenses_reductions_and_their_options),
        WITH_KARATE(a_page_that_is_a_file_lists_none),
        WITH_KARATE(candidates_are_what_their_settings_would_show),
        cmocka_unit_test(graphs_of_200000_edges_have_thumbnails),
        WITH_KARATE(what_is_adopted_is_the_choice_and_nothing_of_before),
        WITH_KARATE(a_visited_file_is_shown_as_a_study_chooses),
        WITH_KARATE(a_lens_that_is_asked_for_takes_the_place_of_the_first_one),
        WITH_KARATE(files_of_a_page_name_the_machine_of_its_lens),
        WITH_KARATE(the_lenses_of_the_deepest_level_are_let_go),
    };
    return RUN_WITH_CONTEXT(tests);
}
