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
        {"id,prediction\ne,cat\n", ":2: the graph has no node \"e\""},
        {"id,prediction\na,cat\na,dog\n", ":3: a second row for node \"a\""},
        {"id,cat,dog\na,0.5,0.5\n", "node \"b\" has no row"},
        {"id,cat,frog\na,0.5,0.5\n", "the column \"frog\" names no class of the graph"},
        {"id,cat,p0\na,0.5,0.5\n", "the columns \"cat\" and \"p0\" are of one class"},
        {"0.5 nan 0.5\n", ":1: \"nan\" in column 2 is no finite number"},
        {"0.5 inf 0.5\n", ":1: \"inf\" in column 2 is no finite number"},
        {"a 0.5 0.5\n", "a column of node names needs a header"},
        {"0.5 0.2 0.3\n1 0\n", ":2: 2 columns, but the first line has 3"},
        {"20 30 50\n0 0 100\n100 0 0\n40 30 30\n", "rows sum to 100"},
        {"0 2\n1 0\n2 1\n3 1\n", "the first column counts the rows"},
        {"id,label,split\na,cat,train\n", "no column is called \"prediction\""},
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

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    static const char *const texts[] = {
        "id,prediction\nd,dog\nc,cat\nb,dog\na,owl\n",
        "id,owl,cat,dog\na,0.7,0.1,0.2\nb,0,0,1\nc,0.2,0.5,0.3\nd,0.2,0.2,0.6\n"};
    for (int i = 0; i < 2; i++) {
        dgm_graph *graph = labelled();
        bool failed = true;
        write_text(texts[i]);
        for (int k = 1; failed; k++) {
            check_memory memory = {0};
            dgm_allocator allocator = check_memory_allocator(&memory);
            dgm_context *context;
            dgm_predictions *says;
            assert_int_equal(dgm_context_create(&allocator, &context), DGM_OK);
            memory.fail_at = memory.calls + k;
            dgm_status status = dgm_predictions_read(context, graph, path, &says);
            failed = memory.calls >= memory.fail_at;
            assert_int_equal(status, failed ? DGM_ERROR_MEMORY : DGM_OK);
            dgm_predictions_free(says);
            dgm_context_free(context);
            assert_int_equal(memory.blocks, 0);
        }
        dgm_graph_free(graph);
    }
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
    };
    return RUN_GROUP(tests, make_file, remove_file);
}
