/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base_memory.h"
#include "bytes_path.h"
#include "io_scratch.h"

static void one_slash_stands_between_folder_and_name(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"a", "a/x"},       {"a/", "a/x"}, {"a///", "a/x"},
                                           {"/", "/x"},        {"//", "/x"},  {"", "x"},
                                           {"/a/b", "/a/b/x"}, {".", "./x"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = dgmi_bytes_path_join(ctx, cases[i][0], "x");
        assert_string_equal(path, cases[i][1]);
        dgmi_free(ctx, path);
    }
}

static void the_last_part_stands_behind_the_last_slash(void **state) {
    (void)state;
    assert_string_equal(dgmi_bytes_path_last("/a/b.txt"), "b.txt");
    assert_string_equal(dgmi_bytes_path_last("b.txt"), "b.txt");
    assert_string_equal(dgmi_bytes_path_last("a/"), "");
}

static void the_first_name_that_is_there_is_found_packed_or_not(void **state) {
    (void)state;
    static const char *const names[] = {"first", "second", "third", NULL};
    char *path = NULL;
    int which = -1;
    scratch_text("names/other", "");
    const char *folder = scratch_path("names");
    assert_int_equal(dgmi_bytes_path_find(ctx, folder, names, &path, &which), DGM_OK);
    assert_null(path);
    scratch_path("names/second/within"); /* a folder is no file */
    scratch_text("names/third.zip", "");
    assert_int_equal(dgmi_bytes_path_find(ctx, folder, names, &path, &which), DGM_OK);
    assert_string_equal(path, scratch_path("names/third.zip"));
    assert_int_equal(which, 2);
    dgmi_free(ctx, path);
    scratch_text("names/second.zst", "");
    scratch_text("names/second.gz", "");
    assert_int_equal(dgmi_bytes_path_find(ctx, folder, names, &path, &which), DGM_OK);
    assert_string_equal(path, scratch_path("names/second.gz"));
    assert_int_equal(which, 1);
    dgmi_free(ctx, path);
    scratch_text("names/first", "");
    assert_int_equal(dgmi_bytes_path_find(ctx, folder, names, &path, NULL), DGM_OK);
    assert_string_equal(path, scratch_path("names/first"));
    dgmi_free(ctx, path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_slash_stands_between_folder_and_name),
        cmocka_unit_test(the_last_part_stands_behind_the_last_slash),
        cmocka_unit_test(the_first_name_that_is_there_is_found_packed_or_not),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
