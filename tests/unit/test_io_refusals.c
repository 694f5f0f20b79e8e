/* SPDX-License-Identifier: Apache-2.0 */
/* What the system and the libraries that pack refuse while files are written: it is said as an error of
 * the file, and nothing is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_refused.h"

#include "bytes_output.h"
#include "bytes_zlib.h"

static dgm_status save(const char *path, bool durable) {
    dgmi_bytes_output *output;
    dgm_status status = dgmi_bytes_output_open(ctx, path, &output);
    if (status != DGM_OK)
        return status;
    if (durable)
        dgmi_bytes_output_make_durable(output);
    status = dgmi_bytes_output_write(output, "new", 3);
    if (status == DGM_OK)
        return dgmi_bytes_output_publish(output);
    dgmi_bytes_output_discard(output);
    return status;
}

static void assert_holds(const char *path, const char *text) {
    size_t size;
    char *data = io_load(path, &size);
    assert_string_equal(data, text);
    free(data);
}

/* The call fails, the words are in the error, and the file and its folder are as they were. */
static void assert_not_saved(const char *name, const char *call, int error, const char *words) {
    io_save(name, "old", 3);
    int before = io_count_files();
    refuse(call, 0, -1, error);
    dgm_status status = save(io_path(name), true);
    refuse_nothing();
    assert_holds(io_path(name), "old");
    if (status != DGM_ERROR_FILE || !strstr(dgm_context_error(ctx), words))
        fail_msg("%s: %s, %s", call, dgm_status_name(status), dgm_context_error(ctx));
    assert_int_equal(io_count_files(), before);
}

static void a_file_that_cannot_be_written_stays_as_it_was(void **state) {
    (void)state;
    assert_not_saved("w", "write", ENOSPC, "cannot be written: No space left on device");
    assert_not_saved("w", "write", 0, "cannot be written: Input/output error");
    assert_not_saved("w", "close", EDQUOT, "cannot be written: Disk quota exceeded");
    assert_not_saved("w", "fsync", EIO, "cannot be written: Input/output error");
    assert_not_saved("w", "access", EACCES, "cannot be written: Permission denied");
    assert_not_saved("w", "open", EROFS, "cannot be written: Read-only file system");
    assert_not_saved("w", "open", EEXIST, "cannot be written: File exists");
}

static void a_packer_that_fails_leaves_the_file_as_it_was(void **state) {
    (void)state;
    static const char *const fatal[] = {"archive_write_set_format_raw",
                                        "archive_write_add_filter_gzip",
                                        "archive_write_set_bytes_per_block",
                                        "archive_write_open",
                                        "archive_write_header",
                                        "archive_write_close",
                                        "archive_write_new",
                                        "archive_entry_new"};
    for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++)
        assert_not_saved("w.gz", fatal[k], 0, "cannot be compressed: out of memory");
    assert_not_saved("w.gz", "archive_write_data", 0,
                     "cannot be compressed: the packer is at a loss");
}

/* Each of them is asked again, or it does not matter. */
static void what_is_interrupted_or_taken_is_tried_again(void **state) {
    (void)state;
    static const struct {
        const char *call;
        int spared, times, error;
    } cases[] = {{"write", 0, 1, EINTR},
                 {"fsync", 0, 2, EINTR},
                 {"open", 0, 3, EEXIST},
                 {"open", 1, 1, EACCES}, /* the folder, to sync it */
                 {"fsync", 1, 1, EIO}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        io_save("again", "old", 3);
        refuse(cases[k].call, cases[k].spared, cases[k].times, cases[k].error);
        dgm_status status = save(io_path("again"), true);
        int left = times;
        refuse_nothing();
        if (status != DGM_OK)
            fail_msg("case %zu: %s", k, dgm_context_error(ctx));
        assert_int_equal(left, 0); /* it did fail */
        assert_holds(io_path("again"), "new");
    }
}

/* The name of the class is longer than what is gathered before it is written. */
static dgm_graph *make_labelled_graph(void) {
    enum { LONG = 300000 };
    dgm_graph_builder *builder;
    dgm_graph *graph;
    char *name = malloc(LONG + 1);
    memset(name, 'c', LONG);
    name[LONG] = '\0';
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    dgm_graph_builder_add(builder, 1, (const uint32_t[]){0, 1}, NULL);
    dgm_graph_builder_set_labels(builder, 2, (const int32_t[]){0, 0});
    dgm_graph_builder_set_class_names(builder, 1, (const char *const[]){name});
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    free(name);
    return graph;
}

static void a_folder_is_there_once_all_its_files_are_written(void **state) {
    (void)state;
    static const char *const files[] = {"folder/edges.tsv", "folder/labels.txt", "folder/meta.json",
                                        "folder"};
    dgm_graph *graph = make_labelled_graph();
    const char *path = io_path("folder");
    int before = io_count_files(), writes = 0;
    for (bool refusing = true; refusing; writes += refusing) {
        refuse("write", writes, -1, ENOSPC);
        dgm_status status = dgm_graph_write(ctx, graph, path, DGM_FORMAT_FOLDER);
        refuse_nothing();
        refusing = status != DGM_OK;
        if (refusing && !strstr(dgm_context_error(ctx), "cannot be written: No space left"))
            fail_msg("after %d writes: %s", writes, dgm_context_error(ctx));
        assert_int_equal(io_count_files(), before + !refusing);
    }
    assert_int_equal(writes, 3); /* edges, labels and the meta file */
    dgm_graph_free(graph);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        assert_int_equal(remove(io_path(files[k])), 0);
}

static bool interrupt(void *user, const char *stage, double fraction) {
    (void)user, (void)stage, (void)fraction;
    return false;
}

/* A signal came, and the caller then wants no more. */
static void a_caller_may_stop_a_write_that_was_interrupted(void **state) {
    (void)state;
    io_save("stopped", "old", 3);
    int before = io_count_files();
    refuse("write", 0, 1, EINTR);
    dgm_context_set_progress(ctx, interrupt, NULL);
    dgm_status status = save(io_path("stopped"), false);
    dgm_context_set_progress(ctx, NULL, NULL);
    refuse_nothing();
    assert_int_equal(status, DGM_ERROR_CANCELLED);
    assert_string_equal(dgm_context_error(ctx), "interrupted while writing");
    assert_holds(io_path("stopped"), "old");
    assert_int_equal(io_count_files(), before);
}

static void a_pipe_that_cannot_be_opened_is_said(void **state) {
    (void)state;
    const char *path = io_path("closed.pipe");
    struct stat facts;
    assert_int_equal(mkfifo(path, 0600), 0);
    refuse("open", 0, -1, EACCES);
    dgm_status status = save(path, false);
    refuse_nothing();
    assert_int_equal(status, DGM_ERROR_FILE);
    assert_non_null(strstr(dgm_context_error(ctx), "cannot be written: Permission denied"));
    assert_true(stat(path, &facts) == 0 && S_ISFIFO(facts.st_mode));
}

/* A disk that is full, and a file or a packer that then does not close either. */
static void of_two_failures_the_first_is_said(void **state) {
    (void)state;
    enum { SIZE = 1 << 20 };
    static const char *const cases[][2] = {{"full.txt", "close"},
                                           {"full.gz", "archive_write_close"}};
    char *noise = make_noise(SIZE);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dgmi_bytes_output *output;
        int before = io_count_files();
        assert_int_equal(dgmi_bytes_output_open(ctx, io_path(cases[k][0]), &output), DGM_OK);
        refuse("write", 0, -1, ENOSPC);
        assert_int_equal(dgmi_bytes_output_write(output, noise, SIZE), DGM_ERROR_FILE);
        refuse(cases[k][1], 0, -1, EDQUOT);
        assert_int_equal(dgmi_bytes_output_close(output), DGM_ERROR_FILE);
        assert_int_equal(dgmi_bytes_output_write(output, "more", 4), DGM_ERROR_FILE);
        refuse_nothing();
        assert_non_null(strstr(dgm_context_error(ctx), "cannot be written: No space left"));
        dgmi_bytes_output_discard(output);
        assert_int_equal(io_count_files(), before);
    }
    free(noise);
}

static void bytes_that_zlib_has_no_memory_for_are_said(void **state) {
    (void)state;
    char *packed;
    size_t size;
    refuse("compress2", 0, -1, 0);
    dgm_status status = dgmi_bytes_zlib(ctx, "text", 4, &packed, &size);
    refuse_nothing();
    assert_int_equal(status, DGM_ERROR_MEMORY);
    assert_null(packed);
    assert_non_null(strstr(dgm_context_error(ctx), "out of memory"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_cannot_be_written_stays_as_it_was),
        cmocka_unit_test(a_packer_that_fails_leaves_the_file_as_it_was),
        cmocka_unit_test(what_is_interrupted_or_taken_is_tried_again),
        cmocka_unit_test(a_folder_is_there_once_all_its_files_are_written),
        cmocka_unit_test(a_caller_may_stop_a_write_that_was_interrupted),
        cmocka_unit_test(a_pipe_that_cannot_be_opened_is_said),
        cmocka_unit_test(of_two_failures_the_first_is_said),
        cmocka_unit_test(bytes_that_zlib_has_no_memory_for_are_said),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
