/* SPDX-License-Identifier: Apache-2.0 */
/* An explorer into bytes and back: the same answers; and damaged bytes, which are refused. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_random.h"
#include "explore_own.h"
#include "unit_faults.h"

enum { NODES = 12 };

/* Names of any bytes, weights, loops, classes with gaps in their numbers, both kinds of attributes with
 * values that are missing, and features. */
static dgm_graph *build_rich(bool directed, bool named, bool sparse) {
    static const uint32_t ends[] = {0, 1, 1, 2, 2, 3, 3, 0, 4, 4, 5, 6, 6, 7, 8, 9, 9, 10, 10, 11};
    static const double weights[] = {1, 2, 0.5, 3, 1, 1, 4, 1, 1e-3, 7};
    static const int32_t labels[NODES] = {3, 3, 7, 7, 7, -1, 3, 3, 7, 7, 7, 3};
    static const char *const classes[] = {"", "", "", "three", "", "", "", "s\xc3\xa9v\xc3\xa8n"};
    static const char *const places[NODES] = {"Ulm", NULL, "",  "Ulm", "K\xc3\xb6ln", NULL,
                                              "a",   "b",  "c", "a",   "Ulm",         "b"};
    static const uint8_t splits[NODES] = {1, 1, 2, 3, 0, 0, 1, 2, 3, 3, 3, 0};
    double years[NODES];
    float values[NODES * 2];
    int64_t offsets[NODES + 1] = {0};
    uint32_t columns[NODES];
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder;
    dgm_graph *made;
    options.directed = directed;
    options.keep_loops = true;
    for (int u = 0; u < NODES; u++) {
        years[u] = u == 3 ? NAN : 1990 + u * 0.5;
        columns[u] = (uint32_t)u % 5;
        offsets[u + 1] = u + 1;
        values[2 * u] = (float)u;
        values[2 * u + 1] = -0.25f * (float)u;
    }
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    for (int u = 0; named && u < NODES; u++) {
        char name[16];
        uint32_t node;
        int length = snprintf(name, sizeof name, "n%c%d\xff", u % 2 ? '\0' : '<', u);
        assert_int_equal(dgm_graph_builder_node(builder, name, (size_t)length, &node), DGM_OK);
    }
    dgm_graph_builder_set_name_base(builder, 1);
    assert_int_equal(dgm_graph_builder_add(builder, COUNT(weights), ends, weights), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_source(builder, "rich"), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_class_names(builder, COUNT(classes), classes), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_splits(builder, NODES, splits), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_numbers(builder, "year", NODES, years), DGM_OK);
    assert_int_equal(dgm_graph_builder_add_texts(builder, "place", NODES, places), DGM_OK);
    const dgm_graph_features features = sparse ? (dgm_graph_features){5, offsets, columns, NULL}
                                               : (dgm_graph_features){2, NULL, NULL, values};
    assert_int_equal(dgm_graph_builder_set_features(builder, NODES, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &made), DGM_OK);
    return made;
}

static void open_rich(bool directed, bool named, bool sparse) {
    double probabilities[NODES * 2];
    graph = build_rich(directed, named, sparse);
    axes = build_matrix(NODES, 2, NULL);
    for (int u = 0; u < NODES; u++) {
        dgm_matrix_values_mutable(axes)[2 * u] = u;
        dgm_matrix_values_mutable(axes)[2 * u + 1] = (u * 7) % NODES;
        probabilities[2 * u] = u / 16.0;
        probabilities[2 * u + 1] = 1 - u / 16.0;
    }
    assert_int_equal(dgm_matrix_set_column_name(ctx, axes, 0, "first"), DGM_OK);
    assert_int_equal(dgm_matrix_set_column_transform(ctx, axes, 1, "log, rank"), DGM_OK);
    assert_int_equal(
        dgm_predictions_from_probabilities(ctx, graph, probabilities, 2, NULL, &predictions),
        DGM_OK);
    open_own("dgm map rich");
    assert_int_equal(dgm_explorer_set(ctx, explorer, "intervals", "3,2"), DGM_OK);
    assert_int_equal(dgm_explorer_set(ctx, explorer, "overlap", "0.4"), DGM_OK);
    assert_int_equal(dgm_explorer_set(ctx, explorer, "colour", "attr:place"), DGM_OK);
    assert_int_equal(dgm_explorer_set_start(ctx, explorer, "\"live\":false"), DGM_OK);
}

/* The answer but for the times in it. */
static char *answer_of(dgm_explorer *of, const char *question, const char *settings) {
    dgm_answer answer;
    if (dgm_explorer_ask(ctx, of, question, settings, &answer) != DGM_OK)
        fail_msg("%s: %s", question, dgm_context_error(ctx));
    uint32_t length;
    memcpy(&length, answer.bytes + 4, sizeof length);
    char *text = calloc(2 * answer.length + length + 2, 1), *seconds;
    memcpy(text, answer.bytes + 8, length);
    seconds = strstr(text, "\"seconds\":{");
    if (seconds)
        memmove(seconds, strchr(seconds, '}'), strlen(strchr(seconds, '}')) + 1);
    for (char *end = text + strlen(text); end > text && end[-1] == ' ';)
        *--end = '\0'; /* as many as fill it up */
    for (size_t i = 8 + length; i < answer.length; i++)
        sprintf(text + strlen(text), "%02x", (unsigned char)answer.bytes[i]);
    dgm_answer_free(ctx, &answer);
    return text;
}

/* Answers are long: where they differ is told. */
static void assert_same(const char *question, const char *ours, const char *theirs) {
    size_t i = 0;
    while (ours[i] && ours[i] == theirs[i])
        i++;
    if (ours[i] || theirs[i])
        fail_msg("%s: %.60s is not %.60s", question, ours + (i > 30 ? i - 30 : 0),
                 theirs + (i > 30 ? i - 30 : 0));
}

static void assert_alike(dgm_explorer *other) {
    static const char *const questions[][2] = {{"start", ""},
                                               {"picture", ""},
                                               {"picture", "colour=error&min-size=2"},
                                               {"cluster", "cluster=1"},
                                               {"members", "cluster=0"},
                                               {"search", "text=n"},
                                               {"bridges", ""}};
    for (int64_t i = 0; i < COUNT(questions); i++) {
        char *ours = answer_of(explorer, questions[i][0], questions[i][1]);
        char *theirs = answer_of(other, questions[i][0], questions[i][1]);
        assert_same(questions[i][0], ours, theirs);
        free(ours);
        free(theirs);
    }
}

static void a_pack_gives_the_same_answers(void **state) {
    (void)state;
    for (int kind = 0; kind < 8; kind++) {
        dgm_answer pack;
        dgm_explorer *other;
        open_rich(kind & 1, kind & 2, kind & 4);
        assert_int_equal(dgm_explorer_pack(ctx, explorer, &pack), DGM_OK);
        if (dgm_explorer_unpack(ctx, pack.bytes, pack.length, &other) != DGM_OK)
            fail_msg("%d: %s", kind, dgm_context_error(ctx));
        dgm_answer_free(ctx, &pack); /* nothing of it is kept */
        assert_alike(other);
        dgm_explorer_free(other);
        close_own();
    }
}

/* The numbers of classes and their names are as far apart as the data says. */
static void classes_may_have_great_numbers(void **state) {
    (void)state;
    static const uint32_t ends[] = {0, 1, 1, 2};
    static const double values[] = {0, 1, 2};
    static const int32_t labels[] = {5, INT32_MAX, -1};
    static const char *const names[] = {"", "", "", "", "", "five"};
    for (int named = 0; named < 2; named++) {
        dgm_graph *bare = build_graph(NULL, 3, 2, ends, NULL), *labelled;
        dgm_matrix *lens_axes = build_matrix(3, 1, values);
        dgm_explorer_lens lens;
        dgm_explorer *ours, *other;
        dgm_answer pack;
        assert_int_equal(
            dgm_graph_with_labels(ctx, bare, labels, named ? COUNT(names) : 0, names, &labelled),
            DGM_OK);
        assert_int_equal(dgm_explorer_create(ctx, labelled, &ours), DGM_OK);
        dgm_explorer_lens_init(&lens);
        lens.axes = lens_axes;
        assert_int_equal(dgm_explorer_set_lens(ctx, ours, &lens), DGM_OK);
        assert_int_equal(dgm_explorer_pack(ctx, ours, &pack), DGM_OK);
        assert_int_equal(dgm_explorer_unpack(ctx, pack.bytes, pack.length, &other), DGM_OK);
        const dgm_graph *again = dgm_explorer_graph(other);
        assert_int_equal(dgm_graph_class_number(again, 0), 5);
        assert_int_equal(dgm_graph_class_number(again, 1), INT32_MAX);
        assert_null(dgm_graph_class_name(again, 1));
        if (named)
            assert_string_equal(dgm_graph_class_name(again, 0), "five");
        else
            assert_null(dgm_graph_class_name(again, 0));
        dgm_explorer_free(other);
        dgm_answer_free(ctx, &pack);
        dgm_explorer_free(ours);
        dgm_matrix_free(lens_axes);
        dgm_graph_free(labelled);
        dgm_graph_free(bare);
    }
}

static void damaged_packs_are_refused(void **state) {
    (void)state;
    dgm_answer pack;
    dgm_explorer *other;
    open_rich(false, true, true);
    assert_int_equal(dgm_explorer_pack(ctx, explorer, &pack), DGM_OK);
    char *copy = malloc(pack.length);
    assert_non_null(copy);
    for (size_t length = 0; length < 400; length++) { /* not even the graph is whole */
        memcpy(copy, pack.bytes, length);
        ASSERT_FAILS(dgm_explorer_unpack(ctx, copy, length, &other), DGM_ERROR_FORMAT,
                     "the graph inside the page is damaged, or of another version");
    }
    for (uint64_t k = 0; k < 3000; k++) { /* a wrong byte is refused, or is one of the data */
        size_t at = (size_t)(dgmi_random_bits(1, 0, k) % pack.length);
        memcpy(copy, pack.bytes, pack.length);
        copy[at] = (char)(copy[at] ^ (char)(1 + dgmi_random_bits(2, 0, k) % 255));
        if (dgm_explorer_unpack(ctx, copy, pack.length, &other) == DGM_OK) {
            dgm_answer answer;
            (void)dgm_explorer_ask(ctx, other, "picture", "", &answer);
            dgm_answer_free(ctx, &answer);
        }
        dgm_explorer_free(other);
    }
    free(copy);
    dgm_answer_free(ctx, &pack);
    close_own();
}

static void an_explorer_without_a_lens_has_no_pack(void **state) {
    (void)state;
    dgm_answer pack;
    dgm_explorer *bare;
    graph = build_rich(false, false, false);
    assert_int_equal(dgm_explorer_create(ctx, graph, &bare), DGM_OK);
    ASSERT_FAILS(dgm_explorer_pack(ctx, bare, &pack), DGM_ERROR_USAGE,
                 "the explorer has no lens yet");
    dgm_explorer_free(bare);
    dgm_graph_free(graph);
}

static dgm_status pack_and_unpack(dgm_context *own, void *argument) {
    dgm_answer pack;
    dgm_explorer *other = NULL;
    (void)argument;
    dgm_status status = dgm_explorer_pack(own, explorer, &pack);
    if (status == DGM_OK)
        status = dgm_explorer_unpack(own, pack.bytes, pack.length, &other);
    dgm_explorer_free(other);
    dgm_answer_free(own, &pack);
    return status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    open_rich(false, true, true);
    fail_each_allocation(pack_and_unpack, NULL);
    close_own();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pack_gives_the_same_answers),
        cmocka_unit_test(classes_may_have_great_numbers),
        cmocka_unit_test(damaged_packs_are_refused),
        cmocka_unit_test(an_explorer_without_a_lens_has_no_pack),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
