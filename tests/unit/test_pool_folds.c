/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <stdio.h>

#include "graph_set.h"
#include "pool_folds.h"
#include "pool_rings.h"
#include "unit_faults.h"

static char notes[1024];

static void keep_note(void *user, const char *note) {
    size_t used = strlen(notes);
    (void)user;
    snprintf(notes + used, sizeof notes - used, "%s\n", note);
}

/* 60 graphs: 31 of class -1, 17 of class 5, 12 of class 9, mixed. */
static dgm_graph_set *make_classes(void) {
    static const int32_t numbers[] = {-1, 5, 9};
    static const int64_t sizes[] = {31, 17, 12};
    int32_t labels[60];
    int64_t count[3] = {0};
    for (int g = 0; g < 60; g++) {
        int c = g * 7 % 3;
        while (count[c] == sizes[c])
            c = (c + 1) % 3;
        count[c]++;
        labels[g] = numbers[c];
    }
    return make_shapes(60, labels, labels);
}

static dgmi_pool_folds draw(const dgm_graph_set *set, int32_t count, int64_t seed) {
    dgmi_pool_folds folds;
    assert_int_equal(dgmi_pool_folds_draw(ctx, set, count, seed, &folds), DGM_OK);
    assert_int_equal(folds.count, count);
    assert_int_equal(folds.graphs, dgm_graph_set_count(set));
    return folds;
}

/* The number of graphs of a class in a fold; class -1: of all. */
static int64_t count_in(const dgm_graph_set *set, const dgmi_pool_folds *folds, int32_t fold,
                        int32_t class) {
    const int32_t *classes = dgm_graph_set_classes(set, NULL);
    int64_t count = 0;
    for (int64_t g = 0; g < folds->graphs; g++)
        count += folds->of_graph[g] == fold && (class < 0 || classes[g] == class);
    return count;
}

static void check_shares(const dgm_graph_set *set, const dgmi_pool_folds *folds, int32_t class) {
    int64_t least = INT64_MAX, most = 0, sum = 0;
    for (int32_t f = 0; f < folds->count; f++) {
        int64_t count = count_in(set, folds, f, class);
        least = count < least ? count : least;
        most = count > most ? count : most;
        sum += count;
    }
    assert_true(most - least <= 1);
    int64_t expected = 0;
    for (int64_t g = 0; g < folds->graphs; g++)
        expected += class < 0 || dgm_graph_set_classes(set, NULL)[g] == class;
    assert_int_equal(sum, expected);
}

static void folds_have_equal_shares_of_every_class_within_one_graph(void **state) {
    (void)state;
    dgm_graph_set *set = make_classes();
    for (int32_t count = 3; count <= 60; count++) {
        dgmi_pool_folds folds = draw(set, count, count);
        for (int32_t class = -1; class < 3; class ++)
            check_shares(set, &folds, class);
        dgmi_pool_folds_free(ctx, &folds);
    }
    dgm_graph_set_free(set);
}

static void the_seed_shuffles_and_nothing_else_does(void **state) {
    (void)state;
    dgm_graph_set *set = make_classes();
    dgmi_pool_folds first = draw(set, 10, 1), other = draw(set, 10, 2);
    dgm_context_set_threads(ctx, 5);
    dgmi_pool_folds again = draw(set, 10, 1);
    dgm_context_set_threads(ctx, 0);
    size_t size = 60 * sizeof *first.of_graph;
    assert_memory_equal(first.of_graph, again.of_graph, size);
    assert_memory_not_equal(first.of_graph, other.of_graph, size);
    assert_true(dgmi_pool_folds_hash(&first) == dgmi_pool_folds_hash(&again));
    assert_true(dgmi_pool_folds_hash(&first) != dgmi_pool_folds_hash(&other));
    dgmi_pool_folds_free(ctx, &first);
    dgmi_pool_folds_free(ctx, &other);
    dgmi_pool_folds_free(ctx, &again);
    dgm_graph_set_free(set);
}

/* Every graph of a class has the same chance of every fold: over many seeds none is left out. */
static void any_graph_comes_into_any_fold(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(20);
    int met[20][5] = {{0}};
    for (int64_t seed = 1; seed <= 60; seed++) {
        dgmi_pool_folds folds = draw(set, 5, seed);
        for (int64_t g = 0; g < 20; g++)
            met[g][folds.of_graph[g]]++;
        dgmi_pool_folds_free(ctx, &folds);
    }
    for (int g = 0; g < 20; g++)
        for (int f = 0; f < 5; f++)
            assert_true(met[g][f] > 0 && met[g][f] < 40);
    dgm_graph_set_free(set);
}

/* Of two graphs of a class either comes first, as often as the other. */
static void two_graphs_of_a_class_take_turns(void **state) {
    (void)state;
    const int32_t labels[] = {0, 0, 1, 1, 2, 2};
    dgm_graph_set *set = make_shapes(6, labels, labels);
    int first = 0;
    for (int64_t seed = 1; seed <= 100; seed++) {
        dgmi_pool_folds folds = draw(set, 3, seed);
        assert_true(folds.of_graph[0] + folds.of_graph[1] == 1);
        first += folds.of_graph[0] == 0;
        dgmi_pool_folds_free(ctx, &folds);
    }
    assert_in_range(first, 25, 75);
    dgm_graph_set_free(set);
}

static void the_next_fold_validates_and_the_others_train(void **state) {
    (void)state;
    dgm_graph_set *set = make_classes();
    dgmi_pool_folds folds = draw(set, 5, 3);
    for (int32_t test = 0; test < 5; test++) {
        dgmi_pool_split split;
        assert_int_equal(dgmi_pool_split_make(ctx, &folds, test, &split), DGM_OK);
        assert_int_equal(split.train_count + split.validation_count + split.test_count, 60);
        for (int64_t i = 0; i < split.test_count; i++)
            assert_int_equal(folds.of_graph[split.test[i]], test);
        for (int64_t i = 0; i < split.validation_count; i++)
            assert_int_equal(folds.of_graph[split.validation[i]], (test + 1) % 5);
        for (int64_t i = 0; i < split.train_count; i++) {
            int32_t fold = folds.of_graph[split.train[i]];
            assert_true(fold != test && fold != (test + 1) % 5);
            assert_true(i == 0 || split.train[i] > split.train[i - 1]);
        }
        assert_int_equal(split.test_count, count_in(set, &folds, test, -1));
        dgmi_pool_split_free(ctx, &split);
        assert_null(split.list);
    }
    dgmi_pool_folds_free(ctx, &folds);
    dgm_graph_set_free(set);
}

static void more_folds_than_graphs_are_refused(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(7), *pair = make_rings(2);
    dgmi_pool_folds folds;
    ASSERT_FAILS(dgmi_pool_folds_draw(ctx, set, 8, 1, &folds), DGM_ERROR_DATA,
                 "8 folds for 7 graphs; ask for fewer, as folds=7");
    ASSERT_FAILS(dgmi_pool_folds_draw(ctx, pair, 3, 1, &folds), DGM_ERROR_DATA,
                 "a set of 2 graphs cannot be cross-validated: one fold tests, one validates, the "
                 "others train");
    folds = draw(set, 7, 1);
    dgmi_pool_folds_free(ctx, &folds);
    dgm_graph_set *three = make_rings(3);
    ASSERT_FAILS(dgmi_pool_folds_draw(ctx, three, 4, 1, &folds), DGM_ERROR_DATA,
                 "4 folds for 3 graphs; ask for fewer, as folds=3");
    dgm_graph_set_free(three);
    dgm_graph_set_free(set);
    dgm_graph_set_free(pair);
}

static void classes_that_some_folds_do_not_test_are_noted(void **state) {
    (void)state;
    const int32_t labels[] = {0, 0, 0, 7, 0, 7, 0, 0};
    dgm_graph_set *set = make_shapes(8, labels, labels);
    dgmi_pool_folds folds = draw(set, 4, 1);
    dgm_context_set_notes(ctx, keep_note, NULL);
    notes[0] = '\0';
    dgmi_pool_folds_tell(ctx, set, &folds);
    assert_string_equal(notes, "only 2 of 4 folds test graphs of class 7: there are too few\n");
    dgm_context_set_notes(ctx, NULL, NULL);
    dgmi_pool_folds_free(ctx, &folds);
    dgm_graph_set_free(set);
}

static void folds_of_files_are_taken_as_they_are(void **state) {
    (void)state;
    const int32_t given[] = {2, -1, 0, 1, 1, 2};
    dgm_graph_set *set = make_rings(6);
    dgmi_pool_folds folds;
    dgmi_pool_split split;
    assert_int_equal(dgmi_graph_set_give_folds(ctx, set, 3, given), DGM_OK);
    assert_int_equal(dgmi_pool_folds_take(ctx, set, &folds), DGM_OK);
    assert_int_equal(folds.count, 3);
    assert_memory_equal(folds.of_graph, given, sizeof given);
    assert_int_equal(dgmi_pool_split_make(ctx, &folds, 1, &split), DGM_OK);
    assert_int_equal(split.train_count, 2); /* graph 1, which no fold tests, and graph 2 */
    assert_int_equal(split.train[0], 1);
    assert_int_equal(split.train[1], 2);
    assert_int_equal(split.validation[0], 0);
    assert_int_equal(split.test[1], 4);
    dgmi_pool_split_free(ctx, &split);
    dgmi_pool_folds_free(ctx, &folds);
    dgm_graph_set_free(set);
}

static void refuses_files(int32_t count, const int32_t *given, const char *words) {
    dgm_graph_set *set = make_rings(6);
    dgmi_pool_folds folds;
    if (given)
        assert_int_equal(dgmi_graph_set_give_folds(ctx, set, count, given), DGM_OK);
    ASSERT_FAILS(dgmi_pool_folds_take(ctx, set, &folds), DGM_ERROR_DATA, words);
    dgm_graph_set_free(set);
}

static void files_of_folds_that_cannot_be_used_are_refused(void **state) {
    (void)state;
    refuses_files(0, NULL,
                  "the data set has no files of folds (10fold_idx/test_idx-1.txt ...); give a "
                  "number, as folds=10");
    refuses_files(2, (const int32_t[]){0, 0, 0, 1, 1, 1},
                  "the data set has files of 2 folds, but at least 3 are needed: one tests, one "
                  "validates, the others train");
    refuses_files(4, (const int32_t[]){0, 0, 3, 1, 1, 1},
                  "fold 3 of the data set's files has no graph");
}

static dgm_status draw_and_split(dgm_context *own, void *argument) {
    dgmi_pool_folds folds;
    dgmi_pool_split split = {0};
    dgm_status status = dgmi_pool_folds_draw(own, argument, 3, 1, &folds);
    if (status != DGM_OK)
        return status;
    status = dgmi_pool_split_make(own, &folds, 0, &split);
    dgmi_pool_split_free(own, &split);
    dgmi_pool_folds_free(own, &folds);
    return status;
}

static void memory_that_ends_is_a_clean_error(void **state) {
    (void)state;
    dgm_graph_set *set = make_rings(8);
    fail_each_allocation(draw_and_split, set);
    dgm_graph_set_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_have_equal_shares_of_every_class_within_one_graph),
        cmocka_unit_test(the_seed_shuffles_and_nothing_else_does),
        cmocka_unit_test(any_graph_comes_into_any_fold),
        cmocka_unit_test(two_graphs_of_a_class_take_turns),
        cmocka_unit_test(the_next_fold_validates_and_the_others_train),
        cmocka_unit_test(more_folds_than_graphs_are_refused),
        cmocka_unit_test(classes_that_some_folds_do_not_test_are_noted),
        cmocka_unit_test(folds_of_files_are_taken_as_they_are),
        cmocka_unit_test(files_of_folds_that_cannot_be_used_are_refused),
        cmocka_unit_test(memory_that_ends_is_a_clean_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
