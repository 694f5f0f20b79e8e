/* SPDX-License-Identifier: Apache-2.0 */
/* Splits, labels and class weights. */
#include "nn_sample.h"

#include <math.h>

#include "base_memory.h"

static uint64_t seed;

static dgm_graph *labelled(int64_t nodes, const int32_t *labels, const uint8_t *splits) {
    const sample s = {.nodes = nodes, .labels = labels, .splits = splits};
    return build_sample(&s);
}

static void assert_list(const uint32_t *list, int64_t count, int64_t expected_count,
                        const uint32_t *expected) {
    assert_int_equal(count, expected_count);
    if (count > 0)
        assert_memory_equal(list, expected, (size_t)count * sizeof *list);
}

/* ---- the graph's own ---- */

static void the_graphs_own_split_keeps_labelled_nodes(void **state) {
    (void)state;
    const int32_t labels[] = {0, 1, -1, 1, 0, -1, 1, 0};
    const uint8_t splits[] = {1, 1, 1, 2, 3, 3, 0, 3};
    dgm_graph *graph = labelled(8, labels, splits);
    dgmi_nn_split split;
    listen_to_notes();
    assert_int_equal(dgmi_nn_split_make(ctx, graph, dgm_graph_labels(graph), 0, 0, 1, &split),
                     DGM_OK);
    assert_list(split.train, split.train_count, 2, (const uint32_t[]){0, 1});
    assert_list(split.validation, split.validation_count, 1, (const uint32_t[]){3});
    assert_list(split.test, split.test_count, 2, (const uint32_t[]){4, 7});
    assert_int_equal(note_count, 0);
    dgmi_nn_split_free(ctx, &split);
    assert_null(split.train);
    assert_int_equal(dgmi_nn_split_make(ctx, graph, NULL, 0, 0, 1, &split), DGM_OK);
    assert_list(split.train, split.train_count, 3, (const uint32_t[]){0, 1, 2});
    assert_list(split.test, split.test_count, 3, (const uint32_t[]){4, 5, 7});
    dgmi_nn_split_free(ctx, &split);
    dgm_graph_free(graph);
}

static void a_graph_without_a_split_says_what_to_pass(void **state) {
    (void)state;
    dgm_graph *graph = labelled(2, (const int32_t[]){0, 1}, NULL);
    dgmi_nn_split split;
    ASSERT_FAILS(
        dgmi_nn_split_make(ctx, graph, dgm_graph_labels(graph), 0, 0, 1, &split), DGM_ERROR_DATA,
        "the graph does not say which nodes train and which test: draw them by split=0.8,0.1, "
        "or add train.txt, val.txt and test.txt to its folder");
    assert_null(split.train);
    dgm_graph_free(graph);
}

static void a_split_without_training_nodes_is_an_error(void **state) {
    (void)state;
    const uint8_t splits[] = {1, 3, 3};
    dgm_graph *graph = labelled(3, (const int32_t[]){-1, 0, 1}, splits);
    dgmi_nn_split split;
    ASSERT_FAILS(dgmi_nn_split_make(ctx, graph, dgm_graph_labels(graph), 0, 0, 1, &split),
                 DGM_ERROR_DATA,
                 "no labelled node is in the training part: draw another by split=0.8,0.1");
    assert_null(split.test);
    dgm_graph_free(graph);
}

static void a_class_that_does_not_train_is_named(void **state) {
    (void)state;
    const int32_t labels[] = {0, 2, 1, 9, 3, 4, 5, 6, 7, 8};
    uint8_t splits[10] = {1, 1, 3, 1, 1, 1, 1, 1, 1, 1};
    dgm_graph *graph = labelled(10, labels, splits);
    dgmi_nn_split split;
    listen_to_notes();
    assert_int_equal(dgmi_nn_split_make(ctx, graph, dgm_graph_labels(graph), 0, 0, 1, &split),
                     DGM_OK);
    assert_string_equal(last_note, "no training node has class 1: it is never learnt");
    dgmi_nn_split_free(ctx, &split);
    dgm_graph_free(graph);
    memset(splits + 1, 2, 9);
    graph = labelled(10, labels, splits);
    assert_int_equal(dgmi_nn_split_make(ctx, graph, dgm_graph_labels(graph), 0, 0, 1, &split),
                     DGM_OK);
    assert_string_equal(
        last_note, "no training node has class 1, 2, 3, 4, 5 or 4 others: they are never learnt");
    assert_int_equal(note_count, 2);
    dgmi_nn_split_free(ctx, &split);
    dgm_graph_free(graph);
}

static bool listed(const uint32_t *list, int64_t count, int64_t node) {
    for (int64_t i = 0; i < count; i++)
        if (list[i] == node)
            return true;
    return false;
}

/* Five are named, and of more the first five. */
static void as_many_as_five_classes_are_named(void **state) {
    (void)state;
    const int32_t labels[] = {0, 1, 2, 3, 4, 5, 6};
    const uint8_t splits[] = {1, 3, 3, 3, 3, 3, 3};
    for (int64_t nodes = 6; nodes <= 7; nodes++) {
        dgm_graph *graph = labelled(nodes, labels, splits);
        dgmi_nn_split split;
        listen_to_notes();
        assert_int_equal(dgmi_nn_split_make(ctx, graph, dgm_graph_labels(graph), 0, 0, 1, &split),
                         DGM_OK);
        assert_string_equal(
            last_note, nodes == 6
                           ? "no training node has class 1, 2, 3, 4, 5: it is never learnt"
                           : "no training node has class 1, 2, 3, 4, 5 or 1 others: they are never "
                             "learnt");
        dgmi_nn_split_free(ctx, &split);
        dgm_graph_free(graph);
    }
}

/* A fifth of fifty is ten, which is worth it; that of forty-nine is not. */
static void fifty_training_nodes_are_enough_to_hold_some_out(void **state) {
    (void)state;
    int32_t labels[60];
    uint8_t splits[60];
    for (int64_t training = 49; training <= 50; training++) {
        for (int u = 0; u < 60; u++) {
            labels[u] = u % 2;
            splits[u] = u < training ? DGM_SPLIT_TRAIN : DGM_SPLIT_TEST;
        }
        dgm_graph *graph = labelled(60, labels, splits);
        dgmi_nn_split split;
        assert_int_equal(dgmi_nn_split_make(ctx, graph, labels, 0, 0, 1, &split), DGM_OK);
        listen_to_notes();
        assert_int_equal(dgmi_nn_split_hold_out(ctx, labels, 60, 1, &split), DGM_OK);
        assert_int_equal(split.train_count, training == 50 ? 40 : 49);
        assert_int_equal(split.validation_count, training == 50 ? 10 : 0);
        assert_int_equal(split.test_count, 60 - training);
        assert_int_equal(note_count, training == 50);
        for (int64_t i = 0; i < split.validation_count; i++)
            assert_true(split.validation[i] < 50 &&
                        !listed(split.train, split.train_count, split.validation[i]));
        assert_int_equal(dgmi_nn_split_hold_out(ctx, labels, 60, 1, &split), DGM_OK);
        assert_int_equal(split.train_count, training == 50 ? 40 : 49); /* once is enough */
        dgmi_nn_split_free(ctx, &split);
        dgm_graph_free(graph);
    }
}

/* As many classes as nodes there may be. */
static void a_label_beyond_the_nodes_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = labelled(3, NULL, NULL);
    dgmi_nn_split split;
    assert_int_equal(dgmi_nn_split_make(ctx, graph, (const int32_t[]){0, 2, -1}, 1, 0, 1, &split),
                     DGM_OK);
    dgmi_nn_split_free(ctx, &split);
    ASSERT_FAILS(dgmi_nn_split_make(ctx, graph, (const int32_t[]){0, 3, -1}, 1, 0, 1, &split),
                 DGM_ERROR_DATA,
                 "the highest label is 3, but there are only 3 nodes: number the classes from 0");
    dgm_graph_free(graph);
}

static void a_class_is_named_by_its_name(void **state) {
    (void)state;
    dgm_graph_builder *builder;
    dgm_graph *graph;
    dgmi_nn_split split;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 2), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, 2, (const int32_t[]){0, 1}), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_splits(builder, 2, (const uint8_t[]){1, 3}), DGM_OK);
    assert_int_equal(
        dgm_graph_builder_set_class_names(builder, 2, (const char *const[]){"ham", "spam"}),
        DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    listen_to_notes();
    assert_int_equal(dgmi_nn_split_make(ctx, graph, dgm_graph_labels(graph), 0, 0, 1, &split),
                     DGM_OK);
    assert_string_equal(last_note, "no training node has class spam: it is never learnt");
    dgmi_nn_split_free(ctx, &split);
    dgm_graph_free(graph);
}

/* Labels that are not the graph's own have no names, and names that are too long are cut. */
static void classes_without_names_have_numbers_and_long_names_are_cut(void **state) {
    (void)state;
    static char names[5][200];
    const char *list[6] = {"ham"};
    const int32_t labels[] = {0, 1, 2, 3, 4, 5}, others[] = {0, 1, 1, 1, 1, 1};
    const uint8_t splits[] = {1, 3, 3, 3, 3, 3};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    dgmi_nn_split split;
    for (int c = 0; c < 5; c++) {
        memset(names[c], 'a' + c, sizeof names[c] - 1);
        list[c + 1] = names[c];
    }
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, 6), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_labels(builder, 6, labels), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_splits(builder, 6, splits), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_class_names(builder, 6, list), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    listen_to_notes();
    assert_int_equal(dgmi_nn_split_make(ctx, graph, dgm_graph_labels(graph), 0, 0, 1, &split),
                     DGM_OK);
    ASSERT_HAS(last_note, "no training node has class aaaa");
    ASSERT_HAS(last_note, "aaaa, bbbb");
    ASSERT_HAS(last_note, "never learnt");
    assert_null(strchr(last_note, 'z'));
    dgmi_nn_split_free(ctx, &split);
    assert_int_equal(dgmi_nn_split_make(ctx, graph, others, 0, 0, 1, &split), DGM_OK);
    assert_string_equal(last_note, "no training node has class 1: it is never learnt");
    dgmi_nn_split_free(ctx, &split);
    dgm_graph_free(graph);
}

/* ---- drawn ---- */

static int64_t of_class(const uint32_t *list, int64_t count, const int32_t *labels, int32_t class) {
    int64_t found = 0;
    for (int64_t i = 0; i < count; i++) {
        assert_true(i == 0 || list[i - 1] < list[i]);
        found += labels[list[i]] == class;
    }
    return found;
}

/* Every labelled node in one part, every class with its share to within a node and one to train. */
static void check_drawn(const int32_t *labels, int64_t nodes, int32_t classes, double train,
                        double validation, const dgmi_nn_split *split) {
    for (int64_t u = 0; u < nodes; u++)
        assert_int_equal(listed(split->train, split->train_count, u) +
                             listed(split->validation, split->validation_count, u) +
                             listed(split->test, split->test_count, u),
                         labels[u] >= 0);
    for (int32_t c = 0; c < classes; c++) {
        double size = 0;
        for (int64_t u = 0; u < nodes; u++)
            size += labels[u] == c;
        double trains = (double)of_class(split->train, split->train_count, labels, c);
        double validates = (double)of_class(split->validation, split->validation_count, labels, c);
        double tests = (double)of_class(split->test, split->test_count, labels, c);
        assert_near(trains + validates + tests, size, 0);
        assert_near(trains, train * size, 1 + 1e-9);
        assert_near(validates, validation * size, 2 + 1e-9);
        assert_true(trains > 0 || size == 0);
        if (train + validation == 1)
            assert_near(tests, 0, 0);
    }
}

static void drawn_splits_give_every_class_its_share(void **state) {
    (void)state;
    static const double fractions[][2] = {{0.8, 0.1},   {0.6, 0.2}, {0.05, 0.5}, {1, 0},
                                          {0.75, 0.25}, {0.1, 0},   {1e-9, 0}};
    for (int i = 0; i < 100; i++) {
        check_random random = check_random_case(seed, 1, i);
        int nodes = check_random_between(&random, 10, 200);
        int32_t classes = check_random_between(&random, 1, 9);
        int32_t *labels = malloc((size_t)nodes * sizeof *labels);
        for (int u = 0; u < nodes; u++)
            labels[u] = check_random_between(&random, -1, classes - 1);
        labels[0] = 0;
        dgm_graph *graph = labelled(nodes, labels, NULL);
        const double *use = fractions[check_random_below(&random, (int)COUNT(fractions))];
        dgmi_nn_split split;
        assert_int_equal(dgmi_nn_split_make(ctx, graph, labels, use[0], use[1], i, &split), DGM_OK);
        check_drawn(labels, nodes, classes, use[0], use[1], &split);
        dgmi_nn_split_free(ctx, &split);
        dgm_graph_free(graph);
        free(labels);
    }
}

/* Rounding does not add up: 50 classes of 3 nodes make 150, of which 120 and 15. */
static void many_small_classes_still_give_the_asked_total(void **state) {
    (void)state;
    int32_t labels[150];
    for (int u = 0; u < 150; u++)
        labels[u] = u % 50;
    dgm_graph *graph = labelled(150, labels, NULL);
    dgmi_nn_split split;
    assert_int_equal(dgmi_nn_split_make(ctx, graph, labels, 0.8, 0.1, 1, &split), DGM_OK);
    assert_int_equal(split.train_count, 120);
    assert_int_equal(split.validation_count, 15);
    dgmi_nn_split_free(ctx, &split);
    dgm_graph_free(graph);
}

static void without_labels_all_nodes_are_drawn_plainly(void **state) {
    (void)state;
    dgm_graph *graph = labelled(1000, NULL, NULL);
    dgmi_nn_split split;
    assert_int_equal(dgmi_nn_split_make(ctx, graph, NULL, 0.8, 0.1, 1, &split), DGM_OK);
    assert_int_equal(split.train_count, 800);
    assert_int_equal(split.validation_count, 100);
    assert_int_equal(split.test_count, 100);
    dgmi_nn_split_free(ctx, &split);
    dgm_graph_free(graph);
}

/* Over seeds, each node trains about as often as asked: 400 draws of chance 0.3, deviation 9.2. */
static void nodes_are_drawn_evenly_and_by_the_seed(void **state) {
    (void)state;
    enum { PEOPLE = 50, DRAWS = 400 };
    int often[PEOPLE] = {0};
    int32_t labels[PEOPLE];
    for (int u = 0; u < PEOPLE; u++)
        labels[u] = u < 20;
    dgm_graph *graph = labelled(PEOPLE, labels, NULL);
    dgmi_nn_split split, again;
    for (int64_t s = 0; s < DRAWS; s++) {
        assert_int_equal(dgmi_nn_split_make(ctx, graph, labels, 0.3, 0.2, s, &split), DGM_OK);
        assert_int_equal(split.train_count, 15);
        for (int64_t i = 0; i < split.train_count; i++)
            often[split.train[i]]++;
        dgm_context_set_threads(ctx, 1 + (int)(s % 3));
        assert_int_equal(dgmi_nn_split_make(ctx, graph, labels, 0.3, 0.2, s, &again), DGM_OK);
        assert_memory_equal(split.train, again.train, 15 * sizeof *split.train);
        dgmi_nn_split_free(ctx, &split);
        dgmi_nn_split_free(ctx, &again);
    }
    dgm_context_set_threads(ctx, 0);
    for (int u = 0; u < PEOPLE; u++)
        assert_in_range(often[u], 120 - 5 * 10, 120 + 5 * 10);
    dgm_graph_free(graph);
}

static void fractions_that_cannot_be_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = labelled(2, (const int32_t[]){0, 1}, NULL);
    static const double bad[][2] = {{0, 0.5},   {-0.1, 0.5}, {1.1, 0},       {0.5, -0.1},
                                    {NAN, 0.1}, {0.5, NAN},  {0.5, INFINITY}};
    dgmi_nn_split split;
    for (int64_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(dgmi_nn_split_make(ctx, graph, NULL, bad[i][0], bad[i][1], 1, &split),
                         DGM_ERROR_USAGE);
        ASSERT_HAS(dgm_context_error(ctx), "the training part must be above 0");
    }
    ASSERT_FAILS(dgmi_nn_split_make(ctx, graph, NULL, 0.8, 0.3, 1, &split), DGM_ERROR_USAGE,
                 "a split of 0.8,0.3: the parts add up to more than all nodes");
    dgm_graph_free(graph);
}

/* ---- labels ---- */

static void assert_labels_fail(int64_t nodes, const int32_t *labels, const char *words) {
    dgm_graph *graph = labelled(nodes, labels, NULL);
    const int32_t *found;
    int32_t classes;
    ASSERT_FAILS(dgmi_nn_labels_find(ctx, graph, &found, &classes), DGM_ERROR_DATA, words);
    assert_null(found);
    dgm_graph_free(graph);
}

static void labels_that_nobody_can_learn_are_refused(void **state) {
    (void)state;
    static const char *const none = "no node has a label to learn from: give classes by "
                                    "labels=FILE, or labels.txt in the graph's folder; "
                                    "dgi needs none";
    assert_labels_fail(3, NULL, none);
    assert_labels_fail(3, (const int32_t[]){-1, -1, -1}, none);
    assert_labels_fail(3, (const int32_t[]){1, -1, 1},
                       "all labels are 1: a classifier needs two classes or more; dgi needs no "
                       "labels");
}

static void labels_of_the_graph_are_found(void **state) {
    (void)state;
    dgm_graph *graph = labelled(4, (const int32_t[]){2, 0, -1, 2}, NULL);
    const int32_t *found;
    int32_t classes;
    assert_int_equal(dgmi_nn_labels_find(ctx, graph, &found, &classes), DGM_OK);
    assert_ptr_equal(found, dgm_graph_labels(graph));
    assert_int_equal(classes, 2);
    dgm_graph_free(graph);
    graph = labelled(3, (const int32_t[]){0, 1, INT32_MAX - 1}, NULL);
    assert_int_equal(dgmi_nn_labels_find(ctx, graph, &found, &classes), DGM_OK);
    assert_int_equal(classes, 3);
    dgm_graph_free(graph);
}

/* ---- class weights ---- */

/* Five training nodes of two classes, three and two: 5 / (2 * 3) and 5 / (2 * 2). */
static const int32_t five[] = {0, 0, 0, 2, 2};
static const dgmi_nn_split five_train = {.train = (uint32_t[]){0, 1, 2, 3, 4}, .train_count = 5};

static void balanced_weights_give_every_class_as_much(void **state) {
    (void)state;
    float *weights;
    assert_int_equal(dgmi_nn_class_weights(ctx, "balanced", five, 3, &five_train, &weights),
                     DGM_OK);
    assert_near((double)weights[0], 5.0 / 6, 1e-7);
    assert_near((double)weights[1], 0, 0); /* never trains */
    assert_near((double)weights[2], 5.0 / 4, 1e-7);
    dgmi_free(ctx, weights);
}

static void listed_weights_are_taken_as_they_are(void **state) {
    (void)state;
    float *weights;
    assert_int_equal(dgmi_nn_class_weights(ctx, "1;2.5;0", five, 3, &five_train, &weights), DGM_OK);
    assert_memory_equal(weights, ((const float[]){1, 2.5F, 0}), 3 * sizeof *weights);
    dgmi_free(ctx, weights);
    assert_int_equal(dgmi_nn_class_weights(ctx, "1,2.5,0", five, 3, &five_train, &weights), DGM_OK);
    assert_memory_equal(weights, ((const float[]){1, 2.5F, 0}), 3 * sizeof *weights);
    dgmi_free(ctx, weights);
    assert_int_equal(dgmi_nn_class_weights(ctx, "none", five, 3, &five_train, &weights), DGM_OK);
    assert_null(weights);
    assert_int_equal(dgmi_nn_class_weights(ctx, NULL, five, 3, &five_train, &weights), DGM_OK);
    assert_null(weights);
}

static void weights_that_cannot_be_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",       "even",    "1;2;",    "1;;2",     "1,,3",
                                      "1;-1;2", "1;nan;2", "1;inf;2", "1;1e300;2"};
    float *weights;
    for (int64_t i = 0; i < COUNT(bad); i++) {
        assert_int_equal(dgmi_nn_class_weights(ctx, bad[i], five, 3, &five_train, &weights),
                         DGM_ERROR_USAGE);
        ASSERT_HAS(dgm_context_error(ctx), "class weights are none, balanced, or numbers");
        assert_null(weights);
    }
    ASSERT_FAILS(dgmi_nn_class_weights(ctx, "1;2", five, 3, &five_train, &weights), DGM_ERROR_USAGE,
                 "2 class weights for 3 classes");
    ASSERT_FAILS(dgmi_nn_class_weights(ctx, "1;2;3;4", five, 3, &five_train, &weights),
                 DGM_ERROR_USAGE, "4 class weights for 3 classes");
    ASSERT_FAILS(dgmi_nn_class_weights(ctx, "0;1;0", five, 3, &five_train, &weights),
                 DGM_ERROR_USAGE, "all training nodes would weigh 0 by the class weights");
}

/* ---- memory ---- */

static dgm_status draw_and_weigh(dgm_context *context, const dgm_graph *graph) {
    const int32_t *labels = dgm_graph_labels(graph);
    dgmi_nn_split split;
    float *weights = NULL;
    dgm_status status = dgmi_nn_split_make(context, graph, labels, 0.5, 0.2, 1, &split);
    assert_int_equal(split.train != NULL, status == DGM_OK);
    if (status == DGM_OK)
        status = dgmi_nn_class_weights(context, "balanced", labels, 2, &split, &weights);
    assert_int_equal(weights != NULL, status == DGM_OK);
    dgmi_free(context, weights);
    dgmi_nn_split_free(context, &split);
    return status;
}

static dgm_status take_own(dgm_context *context, const dgm_graph *graph) {
    dgmi_nn_split split;
    dgm_status status =
        dgmi_nn_split_make(context, graph, dgm_graph_labels(graph), 0, 0, 1, &split);
    dgmi_nn_split_free(context, &split);
    return status;
}

static void every_failed_allocation_is_told_and_nothing_leaks(void **state) {
    (void)state;
    enum { PEOPLE = 3000 }; /* more than one block of scratch memory */
    int32_t labels[PEOPLE];
    uint8_t splits[PEOPLE];
    for (int u = 0; u < PEOPLE; u++) {
        labels[u] = u % 2;
        splits[u] = (uint8_t)(1 + u % 3);
    }
    dgm_graph *graph = labelled(PEOPLE, labels, splits);
    assert_true(fail_every_allocation(draw_and_weigh, graph) >= 5);
    assert_true(fail_every_allocation(take_own, graph) >= 4);
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_graphs_own_split_keeps_labelled_nodes),
        cmocka_unit_test(a_graph_without_a_split_says_what_to_pass),
        cmocka_unit_test(a_split_without_training_nodes_is_an_error),
        cmocka_unit_test(a_class_that_does_not_train_is_named),
        cmocka_unit_test(as_many_as_five_classes_are_named),
        cmocka_unit_test(fifty_training_nodes_are_enough_to_hold_some_out),
        cmocka_unit_test(a_label_beyond_the_nodes_is_refused),
        cmocka_unit_test(a_class_is_named_by_its_name),
        cmocka_unit_test(drawn_splits_give_every_class_its_share),
        cmocka_unit_test(many_small_classes_still_give_the_asked_total),
        cmocka_unit_test(without_labels_all_nodes_are_drawn_plainly),
        cmocka_unit_test(nodes_are_drawn_evenly_and_by_the_seed),
        cmocka_unit_test(fractions_that_cannot_be_are_refused),
        cmocka_unit_test(labels_that_nobody_can_learn_are_refused),
        cmocka_unit_test(labels_of_the_graph_are_found),
        cmocka_unit_test(balanced_weights_give_every_class_as_much),
        cmocka_unit_test(listed_weights_are_taken_as_they_are),
        cmocka_unit_test(weights_that_cannot_be_are_refused),
        cmocka_unit_test(every_failed_allocation_is_told_and_nothing_leaks),
        cmocka_unit_test(classes_without_names_have_numbers_and_long_names_are_cut),
    };
    seed = check_random_seed();
    return RUN_WITH_CONTEXT(tests);
}
