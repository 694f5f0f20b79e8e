/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>

#include "../check_graph.h"
#include "graph_set.h"
#include "io_scratch.h"
#include "tu_sample.h"

static bool folds_refused;

/* The system's, which refuses the folder of folds on demand. */
int mkdir(const char *path, mode_t mode) {
    const char *last = strrchr(path, '/');
    if (!folds_refused || !last || strcmp(last, "/10fold_idx") != 0)
        return mkdirat(AT_FDCWD, path, mode);
    errno = EDQUOT;
    return -1;
}

static dgm_graph_set *open_set(const char *path) {
    dgm_graph_set *set;
    scratch_notes[0] = '\0';
    if (dgm_graph_set_open(ctx, path, NULL, &set) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return set;
}

static void write_set(const dgm_graph_set *set, const char *path) {
    scratch_notes[0] = '\0';
    if (dgm_graph_set_write(ctx, set, path) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
}

static void check_text(const char *name, const char *expected) {
    char *text = scratch_content(scratch_path(name), NULL);
    assert_string_equal(text, expected);
    free(text);
}

static void check_missing(const char *name) {
    assert_int_not_equal(access(scratch_path(name), F_OK), 0);
}

/* Four graphs, of which the third has no nodes. */
static dgm_graph_set *open_sample(void) {
    tu_new_folder();
    tu_file("A", "1, 2\n2, 3\n5, 4\n");
    tu_file("graph_indicator", "1\n1\n1\n2\n2\n4\n");
    tu_file("graph_labels", "5\n-2\n5\n-2\n");
    tu_file("node_labels", "3\n3\n7\n-1\n3\n7\n");
    tu_file("node_attributes", "0.1, 1\n-2, 0\n3, 0\n4, 0\n5, 0\n1e-30, 0\n");
    char name[64];
    snprintf(name, sizeof name, "t%d/10fold_idx/test_idx-1.txt", tu_folders);
    scratch_text(name, "3\n0\n");
    snprintf(name, sizeof name, "t%d/10fold_idx/test_idx-2.txt", tu_folders);
    scratch_text(name, "2\n");
    return open_set(tu_path());
}

static void same_numbers(const int32_t *a, const int32_t *b, int64_t count) {
    assert_int_equal(a != NULL, b != NULL);
    if (a)
        assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

static void same_sets(const dgm_graph_set *a, const dgm_graph_set *b) {
    const char *wrong = check_same_graph(dgm_graph_set_union(a), dgm_graph_set_union(b),
                                         CHECK_NAMES | CHECK_TABLES);
    int64_t count = dgm_graph_set_count(a);
    int32_t classes, others;
    if (wrong)
        fail_msg("%s", wrong);
    assert_int_equal(dgm_graph_set_count(b), count);
    assert_memory_equal(dgm_graph_set_offsets(a), dgm_graph_set_offsets(b),
                        ((size_t)count + 1) * sizeof(int64_t));
    same_numbers(dgm_graph_set_classes(a, &classes), dgm_graph_set_classes(b, &others), count);
    assert_int_equal(classes, others);
    for (int32_t c = 0; c < classes; c++)
        assert_int_equal(dgm_graph_set_class_number(a, c), dgm_graph_set_class_number(b, c));
    same_numbers(dgm_graph_set_folds(a, &classes), dgm_graph_set_folds(b, &others), count);
    assert_int_equal(classes, others);
}

static void a_set_is_written_file_by_file(void **state) {
    (void)state;
    dgm_graph_set *set = open_sample();
    write_set(set, scratch_path("OUT/"));
    assert_string_equal(scratch_notes, "");
    check_text("OUT/OUT_A.txt", "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n");
    check_text("OUT/OUT_graph_indicator.txt", "1\n1\n1\n2\n2\n4\n");
    check_text("OUT/OUT_graph_labels.txt", "5\n-2\n5\n-2\n");
    check_text("OUT/OUT_node_labels.txt", "3\n3\n7\n-1\n3\n7\n");
    check_text("OUT/10fold_idx/test_idx-1.txt", "0\n3\n");
    check_text("OUT/10fold_idx/test_idx-2.txt", "2\n");
    check_missing("OUT/10fold_idx/test_idx-3.txt");
    dgm_graph_set *back = open_set(scratch_path("OUT"));
    same_sets(set, back);
    dgm_graph_set_free(back);
    dgm_graph_set_free(set);
}

static void files_without_content_are_left_out(void **state) {
    (void)state;
    tu_new_folder();
    tu_remove("graph_labels");
    dgm_graph_set *set = open_set(tu_path());
    write_set(set, scratch_path("PLAIN"));
    check_missing("PLAIN/PLAIN_graph_labels.txt");
    check_missing("PLAIN/PLAIN_node_labels.txt");
    check_missing("PLAIN/PLAIN_node_attributes.txt");
    check_missing("PLAIN/10fold_idx");
    dgm_graph_set *back = open_set(scratch_path("PLAIN"));
    same_sets(set, back);
    dgm_graph_set_free(back);
    dgm_graph_set_free(set);
}

static void labels_of_any_number_come_back(void **state) {
    (void)state;
    tu_new_folder();
    tu_file("node_labels", "-5\n-1\n-5\n2000000000\n0\n");
    dgm_graph_set *set = open_set(tu_path());
    write_set(set, scratch_path("ANY"));
    assert_string_equal(scratch_notes, "");
    check_text("ANY/ANY_node_labels.txt", "-5\n-1\n-5\n2000000000\n0\n");
    dgm_graph_set_free(set);
}

/* Two nodes in one graph, and a second without nodes, with all that a TU folder cannot hold. */
static dgm_graph_set *make_rich_set(bool sparse, bool words) {
    const uint32_t ends[] = {0, 1};
    const float values[] = {0.5f, 2, -1};
    const int64_t offsets[] = {0, 2, 3}, starts[] = {0, 2, 2};
    const uint32_t columns[] = {0, 2, 1};
    const dgm_graph_features dense = {.width = 1, .values = values},
                             ones = {.width = 3, .offsets = offsets, .columns = columns},
                             scattered = {.width = 3,
                                          .offsets = offsets,
                                          .columns = columns,
                                          .values = values};
    const char *const names[] = {"red", "blue"};
    dgm_graph_builder *b;
    dgm_graph *graph;
    dgm_graph_set *set;
    uint32_t node;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &b), DGM_OK);
    if (words) {
        dgm_graph_builder_node(b, "ann", 3, &node);
        dgm_graph_builder_node(b, "bob", 3, &node);
        dgm_graph_builder_set_class_names(b, 2, names);
        dgm_graph_builder_add_numbers(b, "age", 2, (const double[]){20, 30});
        dgm_graph_builder_set_splits(b, 2, (const uint8_t[]){1, 2});
    }
    dgm_graph_builder_add(b, 1, ends, words ? (const double[]){7} : NULL);
    dgm_graph_builder_set_labels(b, 2, (const int32_t[]){0, 1});
    dgm_graph_builder_set_features(b, 2, !sparse ? &dense : words ? &scattered : &ones);
    assert_int_equal(dgm_graph_builder_finish(b, &graph), DGM_OK);
    assert_int_equal(dgm_graph_set_create(ctx, graph, 2, starts, NULL, &set), DGM_OK);
    return set;
}

static void what_is_lost_is_said(void **state) {
    (void)state;
    dgm_graph_set *set = make_rich_set(true, true);
    const char *path = scratch_path("LOST");
    char notes[512];
    snprintf(notes, sizeof notes,
             "%s: this format does not keep names, weights, names of classes, the split, "
             "attributes, graphs without nodes behind the last one that has some\n",
             path);
    write_set(set, path);
    assert_string_equal(scratch_notes, notes);
    check_text("LOST/LOST_node_attributes.txt", "0.5, 0, 2\n0, -1, 0\n");
    check_text("LOST/LOST_node_labels.txt", "0\n1\n");
    dgm_graph_set_free(set);
}

static void features_are_written_dense(void **state) {
    (void)state;
    dgm_graph_set *set = make_rich_set(true, false);
    write_set(set, scratch_path("ONES"));
    check_text("ONES/ONES_node_attributes.txt", "1, 0, 1\n0, 1, 0\n");
    dgm_graph_set_free(set);
    set = make_rich_set(false, false);
    write_set(set, scratch_path("DENSE"));
    check_text("DENSE/DENSE_node_attributes.txt", "0.5\n2\n");
    dgm_graph_set_free(set);
}

/* Writes one graph of two nodes and two classes of these names. The first node has the second
 * class. */
static void write_named(const char *name, const char *const *names, int32_t of_second) {
    dgm_graph_set *set = make_rich_set(false, false), *other;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_with_labels(ctx, dgm_graph_set_union(set),
                                           (const int32_t[]){1, of_second}, 2, names, &graph),
                     DGM_OK);
    assert_int_equal(
        dgm_graph_set_create(ctx, graph, 1, (const int64_t[]){0, 2}, (const int32_t[]){0}, &other),
        DGM_OK);
    write_set(other, scratch_path(name));
    dgm_graph_set_free(other);
    dgm_graph_set_free(set);
}

static void a_node_without_a_class_has_the_label_of_none(void **state) {
    (void)state;
    write_named("NONE", (const char *const[]){"10", "20"}, -1);
    check_text("NONE/NONE_node_labels.txt", "1\n-1\n");
    assert_non_null(strstr(scratch_notes, "does not keep names of classes"));
}

static void classes_that_are_called_by_numbers_of_32_bits_keep_them(void **state) {
    (void)state;
    write_named("FIT", (const char *const[]){"-2147483648", "2147483647"}, 0);
    check_text("FIT/FIT_node_labels.txt", "2147483647\n-2147483648\n");
    assert_string_equal(scratch_notes, "");
    write_named("LOW", (const char *const[]){"0", "-2147483649"}, 0);
    check_text("LOW/LOW_node_labels.txt", "1\n0\n");
    assert_non_null(strstr(scratch_notes, "does not keep names of classes"));
    write_named("HIGH", (const char *const[]){"2147483648", "0"}, 0);
    check_text("HIGH/HIGH_node_labels.txt", "1\n0\n");
    assert_non_null(strstr(scratch_notes, "does not keep names of classes"));
}

static void refuses(const dgm_graph_set *set, const char *path, dgm_status expected,
                    const char *words) {
    dgm_status status = dgm_graph_set_write(ctx, set, path);
    if (status != expected)
        fail_msg("status %s: %s", dgm_status_name(status), dgm_context_error(ctx));
    scratch_check_error(words);
}

static void folders_that_cannot_be_made_are_refused(void **state) {
    (void)state;
    dgm_graph_set *set = open_sample();
    scratch_text("full/file", "");
    refuses(set, scratch_path("full"), DGM_ERROR_FILE, "name a folder that is not there yet");
    refuses(set, scratch_path("full/file"), DGM_ERROR_FILE, "full/file: cannot be made");
    refuses(set, "/", DGM_ERROR_FILE, "the name of the folder must have 1 to 199 bytes");
    refuses(set, "", DGM_ERROR_FILE, "the name of the folder must have 1 to 199 bytes");
    char longest[230];
    memset(longest, 'x', sizeof longest);
    longest[220] = '\0';
    refuses(set, scratch_path(longest), DGM_ERROR_FILE, "1 to 199 bytes");
    dgm_graph_set_free(set);
}

static void check_nothing_left(void) {
    char command[256];
    snprintf(command, sizeof command, "ls -d %s/*.part >/dev/null 2>&1", scratch_root);
    assert_int_not_equal(system(command), 0);
}

static void a_folder_whose_folds_have_no_place_is_taken_back(void **state) {
    (void)state;
    dgm_graph_set *set = open_sample();
    folds_refused = true;
    dgm_status status = dgm_graph_set_write(ctx, set, scratch_path("QUOTA"));
    folds_refused = false;
    assert_int_equal(status, DGM_ERROR_FILE);
    scratch_check_error("/10fold_idx: cannot be made: Disk quota exceeded");
    check_missing("QUOTA");
    check_nothing_left();
    dgm_graph_set_free(set);
}

/* The folder can be made, and the paths of its files are longer than any that the system opens. */
static void a_folder_too_far_away_for_its_files_is_taken_back(void **state) {
    (void)state;
    dgm_graph_set *set = open_sample();
    size_t added = (size_t)snprintf(NULL, 0, ".%ld.part", (long)getpid());
    const char *path = scratch_far_path("FAR", 4090 - added);
    assert_int_equal(dgm_graph_set_write(ctx, set, path), DGM_ERROR_FILE);
    check_missing("FAR");
    check_nothing_left();
    dgm_graph_set_free(set);
}

static void a_set_without_nodes_is_refused(void **state) {
    (void)state;
    const int64_t none[] = {0, 0};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    dgm_graph_set *set;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    assert_int_equal(dgm_graph_set_create(ctx, graph, 1, none, NULL, &set), DGM_OK);
    refuses(set, scratch_path("EMPTY"), DGM_ERROR_DATA,
            "EMPTY: a set without nodes cannot be written as a TU folder");
    dgm_graph_set_free(set);
}

static dgm_status write_and_remove(void *set) {
    char command[256];
    dgm_status status = dgm_graph_set_write(ctx, set, scratch_path("FAULT"));
    check_nothing_left();
    if (status != DGM_OK)
        check_missing("FAULT");
    snprintf(command, sizeof command, "rm -rf %s/FAULT", scratch_root);
    assert_int_equal(system(command), 0);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    dgm_graph_set *set = open_sample();
    scratch_fail_each(write_and_remove, set);
    dgm_graph_set_free(set);
}

static void the_last_node_and_graph_are_written(void **state) {
    (void)state;
    dgm_graph_set *set = open_set(tu_new_folder());
    write_set(set, scratch_path("LAST///"));
    assert_string_equal(scratch_notes, "");
    check_text("LAST/LAST_A.txt", "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n");
    check_text("LAST/LAST_graph_indicator.txt", "1\n1\n1\n2\n2\n");
    check_text("LAST/LAST_graph_labels.txt", "-1\n1\n");
    dgm_graph_set_free(set);
}

/* 199 bytes are the longest name of a folder, since its files are called by it. */
static void names_of_folders_have_their_length(void **state) {
    (void)state;
    char name[256], words[400];
    dgm_graph_set *set = open_set(tu_new_folder());
    memset(name, 'N', sizeof name);
    name[199] = '\0';
    write_set(set, scratch_path(name));
    name[199] = 'N';
    name[200] = '\0';
    const char *path = scratch_path(name);
    assert_int_equal(dgm_graph_set_write(ctx, set, path), DGM_ERROR_FILE);
    snprintf(
        words, sizeof words,
        "%s: the name of the folder must have 1 to 199 bytes, since its files are called by it",
        path);
    assert_string_equal(dgm_context_error(ctx), words);
    assert_int_equal(dgm_graph_set_write(ctx, set, "/"), DGM_ERROR_FILE);
    assert_string_equal(dgm_context_error(ctx),
                        "/: the name of the folder must have 1 to 199 bytes, since its files are "
                        "called by it");
    dgm_graph_set_free(set);
}

static void a_set_without_classes_loses_nothing_unless_it_ends_in_empty_graphs(void **state) {
    (void)state;
    const char *path = tu_new_folder();
    tu_remove("graph_labels");
    dgm_graph_set *set = open_set(path);
    write_set(set, scratch_path("BARE"));
    assert_string_equal(scratch_notes, "");
    check_missing("BARE/BARE_graph_labels.txt");
    dgm_graph_set_free(set);
    path = tu_new_folder();
    tu_file("graph_labels", "-1\n1\n1\n");
    set = open_set(path);
    write_set(set, scratch_path("EMPTY"));
    assert_string_equal(scratch_notes, "");
    dgm_graph_set_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_is_written_file_by_file),
        cmocka_unit_test(files_without_content_are_left_out),
        cmocka_unit_test(labels_of_any_number_come_back),
        cmocka_unit_test(what_is_lost_is_said),
        cmocka_unit_test(a_node_without_a_class_has_the_label_of_none),
        cmocka_unit_test(classes_that_are_called_by_numbers_of_32_bits_keep_them),
        cmocka_unit_test(features_are_written_dense),
        cmocka_unit_test(folders_that_cannot_be_made_are_refused),
        cmocka_unit_test(a_folder_whose_folds_have_no_place_is_taken_back),
        cmocka_unit_test(a_folder_too_far_away_for_its_files_is_taken_back),
        cmocka_unit_test(a_set_without_nodes_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_last_node_and_graph_are_written),
        cmocka_unit_test(names_of_folders_have_their_length),
        cmocka_unit_test(a_set_without_classes_loses_nothing_unless_it_ends_in_empty_graphs),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
