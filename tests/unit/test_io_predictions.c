/* SPDX-License-Identifier: Apache-2.0 */
/* Files of predictions: classes, probabilities and logits, by order and by id, and what is wrong
 * with others. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../check_memory.h"

static char path[] = "/tmp/dgm-test-predictions-XXXXXX.csv";
static const char *const names[] = {"cat", "dog", "owl"};
enum { NODES = 4, CLASSES = 3 };

static int make_file(void **state) {
    int file = mkstemps(path, 4);
    return make_context(state) != 0 || file < 0 || close(file) != 0;
}

static int remove_file(void **state) {
    return free_context(state) | remove(path);
}

/* Nodes a, b, c, d of the classes cat, dog, owl, cat. */
static dgm_graph *labelled(void) {
    const int32_t labels[NODES] = {0, 1, 2, 0};
    const dgm_graph_options options = {.size = sizeof options, .ids = DGM_IDS_NAME};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    uint32_t node;
    assert_int_equal(dgm_graph_builder_create(ctx, &options, &builder), DGM_OK);
    for (int u = 0; u < NODES; u++)
        assert_int_equal(dgm_graph_builder_node(builder, &"abcd"[u], 1, &node), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, NODES, labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_class_names(builder, CLASSES, names), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void write_text(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* The classes that the file gives to the nodes; -1: none. */
static void assert_classes(const char *text, const int32_t *expected) {
    dgm_graph *graph = labelled();
    dgm_predictions *says;
    write_text(text);
    if (dgm_predictions_read(ctx, graph, path, &says) != DGM_OK)
        fail_msg("%s: %s", text, dgm_context_error(ctx));
    for (int u = 0; u < NODES; u++)
        assert_int_equal(dgm_predictions_classes(says)[u], expected[u]);
    dgm_predictions_free(says);
    dgm_graph_free(graph);
}

static void a_class_per_node_is_a_name_or_a_number(void **state) {
    (void)state;
    const int32_t expected[NODES] = {2, 1, 0, 1};
    assert_classes("owl\ndog\ncat\ndog\n", expected);
    assert_classes("prediction\nowl\ndog\ncat\ndog\n", expected);
    assert_classes("2\n1\n0\n1\n", expected);
    assert_classes("2.0\n1.0\n0.0\n1.0\n", expected); /* as NumPy writes them */
    assert_classes("owl\nNA\ncat\n-1\n", (const int32_t[]){2, -1, 0, -1});
}

static void rows_are_matched_by_id(void **state) {
    (void)state;
    const int32_t expected[NODES] = {2, 1, 0, 1};
    assert_classes("id,prediction\nd,dog\nc,cat\nb,dog\na,owl\n", expected);
    assert_classes("class\tid\ndog\td\ncat\tc\ndog\tb\nowl\ta\n", expected);
    assert_classes("id,label,prediction\nd,cat,dog\nc,owl,cat\nb,dog,dog\na,cat,owl\n", expected);
    assert_classes("id,prediction\nc,cat\n", (const int32_t[]){-1, -1, 0, -1});
}

static void probabilities_are_columns_in_order_or_by_name(void **state) {
    (void)state;
    const int32_t expected[NODES] = {2, 1, 0, 1};
    assert_classes("0.1 0.2 0.7\n0 1 0\n0.5 0.3 0.2\n0.2 0.6 0.2\n", expected);
    assert_classes("id,owl,cat,dog\na,0.7,0.1,0.2\nb,0,0,1\nc,0.2,0.5,0.3\nd,0.2,0.2,0.6\n",
                   expected);
    assert_classes("id,p2,p0,p1\na,0.7,0.1,0.2\nb,0,0,1\nc,0.2,0.5,0.3\nd,0.2,0.2,0.6\n", expected);
    /* Names that say nothing: the columns are in order. */
    assert_classes("alpha,beta,gamma\n0.1,0.2,0.7\n0,1,0\n0.5,0.3,0.2\n0.2,0.6,0.2\n", expected);
    /* The dog has no column, and no chance. */
    assert_classes("owl,cat\n0.7,0.3\n0.4,0.6\n0,1\n1,0\n", (const int32_t[]){2, 0, 0, 2});
    /* As dgm train writes it: scores count, not the column of classes. */
    assert_classes("id,label,prediction,cat,dog,owl\na,0,2,0.1,0.2,0.7\nb,1,1,0,1,0\n"
                   "c,2,0,0.5,0.3,0.2\nd,0,1,0.2,0.6,0.2\n",
                   expected);
}

/* exp(0), exp(log 2), exp(log 5): shares 1/8, 2/8, 5/8. */
static void logits_become_their_softmax(void **state) {
    (void)state;
    dgm_graph *graph = labelled();
    dgm_predictions *says;
    char text[256];
    int32_t columns;
    snprintf(text, sizeof text, "0,%.17g,%.17g\n-3,4,-9\n900,1,1\n0,0,0\n", log(2), log(5));
    write_text(text);
    assert_int_equal(dgm_predictions_read(ctx, graph, path, &says), DGM_OK);
    const float *shares = dgm_predictions_probabilities(says, &columns);
    assert_int_equal(columns, CLASSES);
    for (int c = 0; c < CLASSES; c++) {
        assert_near(shares[c], c == 0 ? 0.125 : c == 1 ? 0.25 : 0.625, 1e-6);
        assert_near(shares[2 * CLASSES + c], c == 0, 1e-6);
        assert_near(shares[3 * CLASSES + c], 1.0 / 3, 1e-6);
    }
    dgm_predictions_free(says);
    dgm_graph_free(graph);
}

/* Without labels, classes are numbers. */
static void a_graph_without_labels_takes_numbers(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 3, 1, (const uint32_t[]){0, 1}, NULL);
    dgm_predictions *says;
    write_text("1\n0\n1\n");
    assert_int_equal(dgm_predictions_read(ctx, graph, path, &says), DGM_OK);
    assert_int_equal(dgm_predictions_classes(says)[2], 1);
    dgm_predictions_free(says);
    write_text("cat\ndog\ncat\n");
    assert_int_equal(dgm_predictions_read(ctx, graph, path, &says), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), ":1: \"cat\" is no class: the graph has no labels");
    dgm_graph_free(graph);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "the file is empty"},
        {"cat\ndog\n", "the file has 2 rows, and the graph 4 nodes"},
        {"cat\ndog\ncat\ndog\ncat\n", "the file has 5 rows, and the graph 4 nodes"},
        {"cat\nfrog\ncat\ndog\n",
         ":2: the graph has no class \"frog\"; its classes are cat, dog, owl"},
        {"0\n9\n0\n0\n", ":2: the graph has no class \"9\""},
        {"0\n0.5\n0\n0\n", ":2: the graph has no class \"0.5\""},
        {"0\n-2\n0\n0\n", ":2: the graph has no class \"-2\""},
        {"0\nnan\n0\n0\n", ":2: the graph has no class \"nan\""},
        {"0\n16777216\n0\n0\n", ":2: the graph has no class \"16777216\""},
        {"id,prediction\ne,cat\n", ":2: the graph has no node \"e\""},
        {"id,prediction\na,cat\na,dog\n", ":3: a second row for node \"a\""},
        {"id,cat,dog\na,0.5,0.5\n", "node \"b\" has no row"},
        {"id,cat,frog\na,0.5,0.5\n", "the column \"frog\" names no class of the graph"},
        {"id,cat,p1.5\na,0.5,0.5\n", "the column \"p1.5\" names no class of the graph"},
        {"id,cat,p0\na,0.5,0.5\n", "the columns \"cat\" and \"p0\" are of one class"},
        {"0.5 nan 0.5\n", ":1: \"nan\" in column 2 is no finite number"},
        {"0.5 inf 0.5\n", ":1: \"inf\" in column 2 is no finite number"},
        {"a 0.5 0.5\n", "a column of node names needs a header"},
        {"0.5 0.2 0.3\n1 0\n", ":2: 2 columns, but the first line has 3"},
        {"20 30 50\n0 0 100\n100 0 0\n40 30 30\n", "rows sum to 100"},
        {"0 2\n1 0\n2 1\n3 1\n", "the first column counts the rows"},
        {"id,label,split\na,cat,train\n", "no column is called \"prediction\""},
        {"%PDF-1.4\n", "this is a PDF, not a file of classes"},
    };
    dgm_graph *graph = labelled();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dgm_predictions *says;
        write_text(cases[i].text);
        dgm_status status = dgm_predictions_read(ctx, graph, path, &says);
        assert_true(status == DGM_ERROR_DATA || status == DGM_ERROR_FORMAT);
        assert_null(says);
        ASSERT_HAS(dgm_context_error(ctx), cases[i].words);
    }
    dgm_graph_free(graph);
}

/* Every allocation of reading the file fails in turn. */
static void fail_each_reading(const char *file) {
    dgm_graph *graph = labelled();
    bool failed = true;
    for (int k = 1; failed; k++) {
        check_memory memory = {0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *context;
        dgm_predictions *says;
        assert_int_equal(dgm_context_create(&allocator, &context), DGM_OK);
        memory.fail_at = memory.calls + k;
        dgm_status status = dgm_predictions_read(context, graph, file, &says);
        failed = memory.calls >= memory.fail_at;
        assert_int_equal(status, failed ? DGM_ERROR_MEMORY : DGM_OK);
        dgm_predictions_free(says);
        dgm_context_free(context);
        assert_int_equal(memory.blocks, 0);
    }
    dgm_graph_free(graph);
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    static const char *const texts[] = {
        "id,prediction\nd,dog\nc,cat\nb,dog\na,owl\n",
        "id,owl,cat,dog\na,0.7,0.1,0.2\nb,0,0,1\nc,0.2,0.5,0.3\nd,0.2,0.2,0.6\n"};
    for (int i = 0; i < 2; i++) {
        write_text(texts[i]);
        fail_each_reading(path);
    }
}

/* ---- at the limits ---- */

static char noted[512];

static void keep_note(void *user, const char *note) {
    (void)user;
    snprintf(noted, sizeof noted, "%s", note);
}

/* Reads the text, and keeps the last note. */
static dgm_predictions *predict(const dgm_graph *graph, const char *text) {
    dgm_predictions *says;
    noted[0] = '\0';
    write_text(text);
    dgm_context_set_notes(ctx, keep_note, NULL);
    dgm_status status = dgm_predictions_read(ctx, graph, path, &says);
    dgm_context_set_notes(ctx, NULL, NULL);
    if (status != DGM_OK)
        fail_msg("%s: %s", text, dgm_context_error(ctx));
    return says;
}

static void refuse(const dgm_graph *graph, const char *text, const char *words) {
    dgm_predictions *says;
    char sentence[512];
    write_text(text);
    dgm_status status = dgm_predictions_read(ctx, graph, path, &says);
    assert_true(status == DGM_ERROR_DATA || status == DGM_ERROR_FORMAT);
    snprintf(sentence, sizeof sentence, "%s%s", path, words);
    assert_string_equal(dgm_context_error(ctx), sentence);
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
}

static void files_without_a_place_to_blame_blame_none(void **state) {
    (void)state;
    dgm_graph *graph = labelled();
    refuse(graph, "", ": the file is empty; a row per node is needed");
    refuse(graph, "cat\ndog\n",
           ": the file has 2 rows, and the graph 4 nodes; a row per node is needed, or a column id "
           "that says whose they are");
    refuse(graph, "id,cat,dog\na,0.5,0.5\nb,1,0\nd,1,0\n",
           ": node \"c\" has no row; each of the 4 nodes needs its scores");
    refuse(graph, "20 30 50\n0 0 100\n100 0 0\n40 30 30\n",
           ": rows sum to 100: percentages are taken for neither probabilities nor logits; divide "
           "them by 100");
    refuse(graph, "0 2\n1 0\n2 1\n3 1\n",
           ": the first column counts the rows: a header \"id,prediction\" would make it the "
           "nodes");
    refuse(graph, "id,label,split\na,cat,train\n",
           ":1: no column is called \"prediction\", and there are no scores of two classes or "
           "more");
    dgm_graph_free(graph);
}

static void columns_that_are_no_number_are_counted_from_one(void **state) {
    (void)state;
    dgm_graph *graph = labelled();
    refuse(graph, "a 0.5 0.5\n",
           ":1: \"a\" in column 1 is no finite number; a column of node names needs a header that "
           "calls it \"id\"");
    refuse(graph, "0.5 x 0.5\n", ":1: \"x\" in column 2 is no finite number");
    refuse(graph, "cat,dog,id\nx,1,a\n", ":2: \"x\" in column 1 is no finite number");
    refuse(graph, "cat,dog,p1\n1,0,0\n", ":1: the columns \"dog\" and \"p1\" are of one class");
    refuse(graph, "cat,p1048576\n1,0\n",
           ":1: the column \"p1048576\" names no class of the graph; its classes are cat, dog, "
           "owl");
    dgm_graph_free(graph);
}

static void columns_of_scores_have_many_names(void **state) {
    (void)state;
    static const char *const headers[] = {"p2,p0,p1",
                                          "logit2,LOGIT0,logit_1",
                                          "prob_2,prob0,prob1",
                                          "probability2,probability_0,p_1",
                                          "class2,class0,class1",
                                          "score_2,score0,score1",
                                          "label,p2,p0,p1"};
    const int32_t expected[NODES] = {2, 1, 0, 1};
    for (int i = 0; i < 7; i++) {
        char text[256];
        const char *first = i == 6 ? "x," : "";
        snprintf(text, sizeof text, "%s\n%s0.7,0.1,0.2\n%s0,0,1\n%s0.2,0.5,0.3\n%s0.2,0.2,0.6\n",
                 headers[i], first, first, first, first);
        assert_classes(text, expected);
    }
}

static void a_single_column_of_scores_is_not_read_beside_classes(void **state) {
    (void)state;
    const int32_t expected[NODES] = {2, 1, 0, 1};
    assert_classes("id,prediction,cat\na,owl,9\nb,dog,9\nc,cat,9\nd,dog,9\n", expected);
    assert_classes("prediction,class,cat\nowl,x,9\ndog,x,9\ncat,x,9\ndog,x,9\n", expected);
    assert_classes("id,anything\na,owl\nb,dog\nc,cat\nd,dog\n", expected);
    assert_classes("label\nowl\ndog\ncat\ndog\n", expected);
    assert_classes("Y_Pred\nowl\n\"\"\nNA\n-1\n", (const int32_t[]){2, -1, -1, -1});
}

static void nodes_without_a_prediction_are_noted(void **state) {
    (void)state;
    char note[512];
    dgm_graph *graph = labelled();
    dgm_predictions_free(predict(graph, "id,prediction\nc,cat\na,dog\n"));
    snprintf(note, sizeof note, "%s: 2 of 4 nodes have a prediction", path);
    assert_string_equal(noted, note);
    dgm_predictions_free(predict(graph, "id,prediction\nc,cat\na,dog\nb,cat\nd,cat\n"));
    assert_string_equal(noted, "");
    dgm_graph_free(graph);
}

/* Whether rows with this sum in the last of them are taken for logits. */
static bool are_logits(const dgm_graph *graph, double first, double second, double third) {
    char text[256];
    snprintf(text, sizeof text, "1 0 0\n0 1 0\n0 0 1\n%.17g %.17g %.17g\n", first, second, third);
    dgm_predictions_free(predict(graph, text));
    return strstr(noted, ": rows do not sum to 1, so they are logits") != NULL;
}

static void rows_are_probabilities_within_the_tolerance(void **state) {
    (void)state;
    const double slack = DGM_PREDICTIONS_TOLERANCE;
    dgm_graph *graph = labelled();
    assert_false(are_logits(graph, 0.5, 0.25, 0.25 + 0.9 * slack));
    assert_true(are_logits(graph, 0.5, 0.25, 0.25 + 1.1 * slack));
    assert_false(are_logits(graph, 0.5, 0.25, 0.25 - 0.9 * slack));
    assert_true(are_logits(graph, 0.5, 0.25, 0.25 - 1.1 * slack));
    assert_true(are_logits(graph, 1.5, -0.25, -0.25));
    char text[256];
    snprintf(text, sizeof text, "100 0 0\n0 100 0\n0 0 100\n50 25 %.17g\n", 25 + 90 * slack);
    refuse(graph, text,
           ": rows sum to 100: percentages are taken for neither probabilities nor logits; divide "
           "them by 100");
    snprintf(text, sizeof text, "100 0 0\n0 100 0\n0 0 100\n50 25 %.17g\n", 25 + 110 * slack);
    dgm_predictions_free(predict(graph, text));
    dgm_predictions_free(predict(graph, "100 0 0\n0 100 0\n0 0 100\n150 -25 -25\n"));
    dgm_graph_free(graph);
}

static void large_logits_do_not_overflow_in_any_column(void **state) {
    (void)state;
    dgm_graph *graph = labelled();
    int32_t columns;
    dgm_predictions *says = predict(graph, "900 1 1\n1 900 1\n1 1 900\n-900 -901 -900\n");
    const float *shares = dgm_predictions_probabilities(says, &columns);
    for (int i = 0; i < CLASSES * CLASSES; i++)
        assert_near(shares[i], i / CLASSES == i % CLASSES, 1e-6);
    assert_near(shares[9], 1 / (2 + exp(-1)), 1e-6);
    assert_near(shares[10], exp(-1) / (2 + exp(-1)), 1e-6);
    dgm_predictions_free(says);
    dgm_graph_free(graph);
}

/* A class that the graph does not have makes all of them numbers. */
static void scores_of_other_classes_stand_at_their_numbers(void **state) {
    (void)state;
    dgm_graph *graph = labelled();
    int32_t columns;
    dgm_predictions *says = predict(graph, "p5,p1\n1,0\n0,1\n0.25,0.75\n1,0\n");
    const float *shares = dgm_predictions_probabilities(says, &columns);
    assert_int_equal(columns, 6);
    assert_near(shares[5], 1, 0);
    assert_near(shares[2 * 6 + 1], 0.75, 0);
    assert_near(shares[2 * 6 + 5], 0.25, 0);
    assert_near(shares[2 * 6], 0, 0);
    dgm_predictions_free(says);
    dgm_graph_free(graph);
}

static void small_graphs_may_have_rows_that_count(void **state) {
    (void)state;
    dgm_graph *two = build_graph(NULL, 2, 1, (const uint32_t[]){0, 1}, NULL);
    dgm_graph *three = build_graph(NULL, 3, 1, (const uint32_t[]){0, 1}, NULL);
    dgm_predictions *says = predict(two, "0 1\n1 0\n");
    assert_int_equal(dgm_predictions_classes(says)[0], 1);
    assert_int_equal(dgm_predictions_classes(says)[1], 0);
    dgm_predictions_free(says);
    refuse(three, "0 1\n1 0\n2 1\n",
           ": the first column counts the rows: a header \"id,prediction\" would make it the "
           "nodes");
    dgm_predictions_free(predict(three, "0 1\n1 0\n3 1\n"));
    says = predict(three, "2\n1\n0\n"); /* classes are numbers below that of the nodes */
    assert_int_equal(dgm_predictions_classes(says)[0], 2);
    dgm_predictions_free(says);
    refuse(three, "2\n3\n0\n",
           ":2: \"3\" is no class: the graph has no labels, so that classes are whole numbers "
           "below the number of its nodes");
    dgm_graph_free(two);
    dgm_graph_free(three);
}

/* Nodes 0 .. classes - 1, each of a class of its own, of the numbers 10, 11, ... */
static dgm_graph *many_classes(int classes) {
    int32_t labels[8];
    dgm_graph_builder *builder;
    dgm_graph *graph;
    for (int u = 0; u < classes; u++)
        labels[u] = 10 + u;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, classes), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, classes, labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void five_classes_are_listed_and_more_are_not(void **state) {
    (void)state;
    dgm_graph *five = many_classes(5), *six = many_classes(6);
    refuse(five, "9\n10\n", ":1: the graph has no class \"9\"; its classes are 10, 11, 12, 13, 14");
    refuse(six, "9\n10\n",
           ":1: the graph has no class \"9\"; its classes are 10, 11, 12, 13, 14, ...");
    dgm_graph_free(five);
    dgm_graph_free(six);
}

static void long_names_of_classes_are_cut(void **state) {
    (void)state;
    enum { MANY = 6, LENGTH = 41 };
    char texts[MANY][LENGTH + 1] = {{0}}, words[400];
    const char *long_names[MANY];
    dgm_graph *plain = many_classes(MANY), *graph;
    for (int c = 0; c < MANY; c++)
        long_names[c] = memset(texts[c], 'a' + c, LENGTH);
    assert_int_equal(dgm_graph_with_labels(ctx, plain, (const int32_t[]){0, 1, 2, 3, 4, 5}, MANY,
                                           long_names, &graph),
                     DGM_OK);
    snprintf(words, sizeof words,
             ":1: the graph has no class \"z\"; its classes are %.40s, %.40s, %.40s, %.40s, %.40s, "
             "...",
             texts[0], texts[1], texts[2], texts[3], texts[4]);
    refuse(graph, "z\n", words);
    dgm_graph_free(graph);
    dgm_graph_free(plain);
}

/* A file of an array of numbers; its path is good until the next call. */
static const char *write_array(const char *shape, const double *values, size_t count) {
    static char file[64];
    char header[128];
    snprintf(file, sizeof file, "%s.npy", path);
    int length = snprintf(header, sizeof header,
                          "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }\n", shape);
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    fwrite("\x93NUMPY\1\0", 1, 8, out);
    fputc(length, out);
    fputc(0, out);
    fwrite(header, 1, (size_t)length, out);
    fwrite(values, sizeof *values, count, out);
    fclose(out);
    return file;
}

static dgm_status read_array(const dgm_graph *graph, const char *shape, const double *values,
                             size_t count, dgm_predictions **says) {
    const char *file = write_array(shape, values, count);
    dgm_status status = dgm_predictions_read(ctx, graph, file, says);
    remove(file);
    return status;
}

static void arrays_hold_classes_or_scores(void **state) {
    (void)state;
    dgm_graph *graph = labelled();
    dgm_predictions *says;
    const double classes[NODES] = {2, -1, 0, 1};
    assert_int_equal(read_array(graph, "(4,)", classes, NODES, &says), DGM_OK);
    for (int u = 0; u < NODES; u++)
        assert_int_equal(dgm_predictions_classes(says)[u], (int32_t)classes[u]);
    dgm_predictions_free(says);
    static const double bad[] = {0.5, 3, -2, 16777216, -0.5};
    for (int64_t i = 0; i < COUNT(bad); i++) {
        char words[256];
        const double values[NODES] = {0, bad[i], 0, 0};
        assert_int_equal(read_array(graph, "(4, 1)", values, NODES, &says), DGM_ERROR_DATA);
        snprintf(words, sizeof words,
                 "%s.npy: row 1 (from 0) is %g, which is no class of the graph; its classes are "
                 "cat, dog, owl",
                 path, bad[i]);
        assert_string_equal(dgm_context_error(ctx), words);
        assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
    }
    const double scores[2 * NODES] = {0.25, 0.75, 1, 0, 0.5, 0.5, 0, 1};
    assert_int_equal(read_array(graph, "(4, 2)", scores, 2 * NODES, &says), DGM_OK);
    int32_t columns;
    const float *shares = dgm_predictions_probabilities(says, &columns);
    assert_true(columns >= 2);
    for (int u = 0; u < NODES; u++)
        assert_near(shares[u * columns + 1], scores[2 * u + 1], 0);
    dgm_predictions_free(says);
    dgm_graph_free(graph);
}

static void every_failed_allocation_of_an_array_is_told(void **state) {
    (void)state;
    const double values[2 * NODES] = {0, 1, 1, 0, 0, 1, 1, 0};
    fail_each_reading(write_array("(4,)", values, NODES));
    const char *file = write_array("(4, 2)", values, 2 * NODES);
    fail_each_reading(file);
    assert_int_equal(remove(file), 0);
}

static void an_array_of_other_nodes_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = labelled();
    dgm_predictions *says;
    const double values[NODES - 1] = {0, 1, 2};
    assert_int_equal(read_array(graph, "(3,)", values, NODES - 1, &says), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), ".npy: 3 rows");
    assert_null(says);
    dgm_graph_free(graph);
}

/* A row of 2^20 columns is read, and one more column is refused, in a text and in an array. */
static void columns_are_no_more_than_classes_that_fit(void **state) {
    (void)state;
    enum { MOST = 1 << 20 };
    dgm_graph *graph = build_graph(NULL, 1, 0, NULL, NULL);
    double *values = calloc(MOST + 1, sizeof *values);
    char *text = malloc(2 * (MOST + 1) + 1);
    dgm_predictions *says;
    for (int k = 0; k <= MOST; k++)
        memcpy(text + 2 * (size_t)k, k == 7 ? "1 " : "0 ", 3);
    refuse(graph, text, ": 1048577 columns are more classes than fit");
    text[2 * MOST] = '\0';
    says = predict(graph, text);
    assert_int_equal(dgm_predictions_classes(says)[0], 7);
    dgm_predictions_free(says);
    values[8] = 1;
    assert_int_equal(read_array(graph, "(1, 1048577)", values, MOST + 1, &says), DGM_ERROR_DATA);
    ASSERT_HAS(dgm_context_error(ctx), ".npy: 1048577 columns are more classes than fit");
    assert_int_equal(read_array(graph, "(1, 1048576)", values, MOST, &says), DGM_OK);
    assert_int_equal(dgm_predictions_classes(says)[0], 8);
    dgm_predictions_free(says);
    free(text);
    free(values);
    dgm_graph_free(graph);
}

/* Columns without names are the classes in their order, whatever numbers these have. */
static void columns_without_a_header_follow_the_classes(void **state) {
    (void)state;
    dgm_graph *graph = many_classes(3);
    int32_t columns;
    dgm_predictions *says = predict(graph, "1 0 0\n0 0.75 0.25\n0 0 1\n");
    const float *shares = dgm_predictions_probabilities(says, &columns);
    assert_int_equal(columns, 3);
    assert_near(shares[4], 0.75, 0);
    assert_int_equal(dgm_predictions_classes(says)[2], 2);
    dgm_predictions_free(says);
    dgm_graph_free(graph);
}

static void a_graph_without_classes_lists_none(void **state) {
    (void)state;
    dgm_graph *graph = build_graph(NULL, 2, 1, (const uint32_t[]){0, 1}, NULL);
    dgm_predictions *says;
    char words[256];
    assert_int_equal(read_array(graph, "(2,)", (const double[]){0, 2}, 2, &says), DGM_ERROR_DATA);
    snprintf(words, sizeof words,
             "%s.npy: row 1 (from 0) is 2, which is no class of the graph; its classes are ", path);
    assert_string_equal(dgm_context_error(ctx), words);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_class_per_node_is_a_name_or_a_number),
        cmocka_unit_test(rows_are_matched_by_id),
        cmocka_unit_test(probabilities_are_columns_in_order_or_by_name),
        cmocka_unit_test(logits_become_their_softmax),
        cmocka_unit_test(a_graph_without_labels_takes_numbers),
        cmocka_unit_test(what_is_wrong_is_said),
        cmocka_unit_test(every_failed_allocation_is_told),
        cmocka_unit_test(files_without_a_place_to_blame_blame_none),
        cmocka_unit_test(columns_that_are_no_number_are_counted_from_one),
        cmocka_unit_test(columns_of_scores_have_many_names),
        cmocka_unit_test(a_single_column_of_scores_is_not_read_beside_classes),
        cmocka_unit_test(nodes_without_a_prediction_are_noted),
        cmocka_unit_test(rows_are_probabilities_within_the_tolerance),
        cmocka_unit_test(large_logits_do_not_overflow_in_any_column),
        cmocka_unit_test(scores_of_other_classes_stand_at_their_numbers),
        cmocka_unit_test(small_graphs_may_have_rows_that_count),
        cmocka_unit_test(five_classes_are_listed_and_more_are_not),
        cmocka_unit_test(long_names_of_classes_are_cut),
        cmocka_unit_test(arrays_hold_classes_or_scores),
        cmocka_unit_test(every_failed_allocation_of_an_array_is_told),
        cmocka_unit_test(an_array_of_other_nodes_is_refused),
        cmocka_unit_test(columns_are_no_more_than_classes_that_fit),
        cmocka_unit_test(columns_without_a_header_follow_the_classes),
        cmocka_unit_test(a_graph_without_classes_lists_none),
    };
    return RUN_GROUP(tests, make_file, remove_file);
}
