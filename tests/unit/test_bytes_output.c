/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base_memory.h"
#include "bytes_output.h"
#include "bytes_safetensors.h"
#include "io_check.h"
#include "unit_faults.h"

static void assert_file(const char *path, const char *text) {
    size_t size;
    char *data = io_load(path, &size);
    assert_string_equal(data, text);
    free(data);
}

static void a_file_appears_only_when_it_is_published(void **state) {
    (void)state;
    dgmi_bytes_output *output;
    io_remove_files();
    io_save("o.txt", "old", 3);
    assert_int_equal(dgmi_bytes_output_open(ctx, io_path("o.txt"), &output), DGM_OK);
    assert_int_equal(dgmi_bytes_output_write(output, "new", 3), DGM_OK);
    assert_int_equal(dgmi_bytes_output_close(output), DGM_OK);
    assert_file(io_path("o.txt"), "old");
    assert_int_equal(dgmi_bytes_output_publish(output), DGM_OK);
    assert_file(io_path("o.txt"), "new");
    assert_int_equal(io_count_files(), 1);
}

static void a_discarded_file_leaves_nothing(void **state) {
    (void)state;
    const char *const names[] = {"d.txt", "d.txt.gz", "d.txt.xz", "d.txt.zst"};
    io_remove_files();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        dgmi_bytes_output *output;
        assert_int_equal(dgmi_bytes_output_open(ctx, io_path(names[i]), &output), DGM_OK);
        assert_int_equal(dgmi_bytes_output_write(output, "new", 3), DGM_OK);
        dgmi_bytes_output_discard(output);
        assert_int_equal(io_count_files(), 0);
    }
    dgmi_bytes_output_discard(NULL);
}

static void the_mode_is_what_the_umask_says(void **state) {
    (void)state;
    struct stat facts;
    mode_t before = umask(027);
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("m.txt"), "x", 1), DGM_OK);
    umask(before);
    assert_int_equal(stat(io_path("m.txt"), &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0640);
}

static void a_file_that_is_replaced_hands_on_its_mode(void **state) {
    (void)state;
    struct stat facts;
    static const mode_t modes[] = {0600, 0664, 0755};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dgmi_bytes_output_save(ctx, io_path("kept.txt"), "old", 3), DGM_OK);
        assert_int_equal(chmod(io_path("kept.txt"), modes[i]), 0);
        assert_int_equal(dgmi_bytes_output_save(ctx, io_path("kept.txt"), "new", 3), DGM_OK);
        assert_int_equal(stat(io_path("kept.txt"), &facts), 0);
        assert_int_equal(facts.st_mode & 0777, modes[i]);
        assert_file(io_path("kept.txt"), "new");
    }
}

/* The system's own calls, noted: s a file is synced, S a folder is, r a file takes its name. */
static char calls[16];
static bool fsync_fails;

static void note_call(char call) {
    size_t used = strlen(calls);
    if (used < sizeof calls - 1)
        calls[used] = call;
}

int fsync(int fd) {
    struct stat facts;
    note_call(fstat(fd, &facts) == 0 && S_ISDIR(facts.st_mode) ? 'S' : 's');
    return fsync_fails ? (errno = EIO, -1) : (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to) {
    note_call('r');
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static dgm_status save_durably(const char *path) {
    dgmi_bytes_output *output;
    assert_int_equal(dgmi_bytes_output_open(ctx, path, &output), DGM_OK);
    dgmi_bytes_output_make_durable(output);
    assert_int_equal(dgmi_bytes_output_write(output, "x", 1), DGM_OK);
    return dgmi_bytes_output_publish(output);
}

static void a_durable_file_is_on_the_disk_before_it_has_its_name(void **state) {
    (void)state;
    memset(calls, 0, sizeof calls);
    assert_int_equal(save_durably(io_path("durable")), DGM_OK);
    assert_string_equal(calls, "srS");
    memset(calls, 0, sizeof calls);
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("other"), "x", 1), DGM_OK);
    assert_string_equal(calls, "r");
    memset(calls, 0, sizeof calls);
    fsync_fails = true;
    assert_int_equal(save_durably(io_path("failed")), DGM_ERROR_FILE);
    fsync_fails = false;
    assert_string_equal(calls, "s");
    assert_int_equal(access(io_path("failed"), F_OK), -1);
}

/* Hours of training stand behind weights and checkpoints. */
static void weights_are_on_the_disk_before_they_have_their_name(void **state) {
    (void)state;
    static const float bias[] = {1, 2};
    static const dgmi_bytes_named_tensor tensor = {"bias", DGMI_BYTES_F32, 1, {2}, bias};
    memset(calls, 0, sizeof calls);
    assert_int_equal(
        dgmi_bytes_safetensors_write(ctx, io_path("weights.safetensors"), &tensor, 1, NULL),
        DGM_OK);
    assert_string_equal(calls, "srS");
}

static void compressed_bytes_are_the_same_every_time(void **state) {
    (void)state;
    const char *const endings[] = {"gz", "xz", "zst"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char a[32], b[32];
        size_t first, second;
        snprintf(a, sizeof a, "a.txt.%s", endings[i]);
        snprintf(b, sizeof b, "b.txt.%s", endings[i]);
        assert_int_equal(dgmi_bytes_output_save(ctx, io_path(a), "hello hello", 11), DGM_OK);
        assert_int_equal(dgmi_bytes_output_save(ctx, io_path(b), "hello hello", 11), DGM_OK);
        char *x = io_load(io_path(a), &first), *y = io_load(io_path(b), &second);
        assert_int_equal(first, second);
        assert_memory_equal(x, y, first);
        if (i == 0) /* RFC 1952: no time of writing */
            assert_memory_equal(x + 4, "\0\0\0\0", 4);
        free(x);
        free(y);
    }
}

static void a_full_disk_is_an_error_at_the_latest_when_closing(void **state) {
    (void)state;
    dgmi_bytes_output *output;
    assert_int_equal(dgmi_bytes_output_open(ctx, "/dev/full", &output), DGM_OK);
    assert_int_equal(dgmi_bytes_output_write(output, "x", 1), DGM_OK);
    assert_int_equal(dgmi_bytes_output_close(output), DGM_ERROR_FILE);
    assert_non_null(strstr(dgm_context_error(ctx), "No space left"));
    assert_int_equal(dgmi_bytes_output_publish(output), DGM_ERROR_FILE);
}

static void a_device_is_written_in_place(void **state) {
    (void)state;
    struct stat facts;
    assert_int_equal(dgmi_bytes_output_save(ctx, "/dev/null", "x", 1), DGM_OK);
    assert_int_equal(stat("/dev/null", &facts), 0);
    assert_true(S_ISCHR(facts.st_mode));
}

static void a_pipe_is_written_in_place(void **state) {
    (void)state;
    char buffer[8] = "";
    const char *path = io_path("pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_int_equal(dgmi_bytes_output_save(ctx, path, "hello", 5), DGM_OK);
    assert_int_equal(read(reader, buffer, sizeof buffer), 5);
    assert_string_equal(buffer, "hello");
    close(reader);
}

static void a_link_is_followed(void **state) {
    (void)state;
    struct stat facts;
    io_save("real.txt", "old", 3);
    assert_int_equal(symlink("real.txt", io_path("link.txt")), 0);
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("link.txt"), "new", 3), DGM_OK);
    assert_file(io_path("real.txt"), "new");
    assert_int_equal(lstat(io_path("link.txt"), &facts), 0);
    assert_true(S_ISLNK(facts.st_mode));
}

static void folders_and_missing_folders_are_refused(void **state) {
    (void)state;
    dgmi_bytes_output *output;
    const char *const paths[] = {io_folder, "", "/tmp/", "/nowhere/x.txt"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_int_equal(dgmi_bytes_output_open(ctx, paths[i], &output), DGM_ERROR_FILE);
        assert_null(output);
        assert_non_null(strstr(dgm_context_error(ctx), "folder"));
    }
}

static void memory_takes_the_bytes_as_they_are(void **state) {
    (void)state;
    dgmi_bytes_output *output;
    char *data;
    size_t size;
    assert_int_equal(dgmi_bytes_output_open_memory(ctx, "x.gz", &output), DGM_OK);
    assert_int_equal(dgmi_bytes_output_write(output, "abc", 3), DGM_OK);
    assert_int_equal(dgmi_bytes_output_take(output, &data, &size), DGM_OK);
    assert_int_equal(size, 3);
    assert_memory_equal(data, "abc", 3);
    dgmi_free(ctx, data);
}

static dgm_status collect_in_memory(dgm_context *own, void *bytes) {
    dgmi_bytes_output *output;
    char *data;
    size_t size;
    dgm_status status = dgmi_bytes_output_open_memory(own, "x", &output);
    if (status != DGM_OK)
        return status;
    dgm_status first = dgmi_bytes_output_write(output, bytes, 100000);
    dgm_status second = dgmi_bytes_output_write(output, "end", 3);
    assert_true(first == DGM_OK || second == first); /* what has failed stays so */
    status = dgmi_bytes_output_take(output, &data, &size);
    assert_int_equal(status, second);
    assert_int_equal(size, status == DGM_OK ? 100003 : 0);
    assert_true((data != NULL) == (status == DGM_OK));
    dgmi_free(own, data);
    return status;
}

static void every_allocation_of_what_is_collected_may_fail(void **state) {
    (void)state;
    char *bytes = calloc(1, 100000);
    fail_each_allocation(collect_in_memory, bytes);
    free(bytes);
}

static void a_device_is_not_synced(void **state) {
    (void)state;
    memset(calls, 0, sizeof calls);
    assert_int_equal(save_durably("/dev/null"), DGM_OK);
    assert_string_equal(calls, "");
}

static void a_folder_that_took_the_name_meanwhile_stays(void **state) {
    (void)state;
    dgmi_bytes_output *output;
    struct stat facts;
    int before = io_count_files();
    const char *path = io_path("taken");
    assert_int_equal(dgmi_bytes_output_open(ctx, path, &output), DGM_OK);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(dgmi_bytes_output_write(output, "x", 1), DGM_OK);
    assert_int_equal(dgmi_bytes_output_publish(output), DGM_ERROR_FILE);
    assert_non_null(strstr(dgm_context_error(ctx), "taken: cannot be written: "));
    assert_true(stat(path, &facts) == 0 && S_ISDIR(facts.st_mode));
    assert_int_equal(io_count_files(), before + 1); /* and nothing else is left */
}

/* Around the size of the buffer, so that pieces gather, fill it exactly or pass it by. */
static void pieces_of_any_size_are_written_in_order(void **state) {
    (void)state;
    enum { BUFFER = 1 << 18 };
    static const int64_t pieces[][4] = {{BUFFER - 1, 1, 1, 5},
                                        {BUFFER, 3, BUFFER, 1},
                                        {1, BUFFER + 1, 7, BUFFER - 1},
                                        {BUFFER - 1, 2, BUFFER - 2, 9},
                                        {0, 5, 0, 6}};
    char *text = malloc(4 * (BUFFER + 1));
    for (int64_t i = 0; i < 4 * (BUFFER + 1); i++)
        text[i] = (char)('a' + i % 23);
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        dgmi_bytes_output *output;
        size_t size, used = 0;
        assert_int_equal(dgmi_bytes_output_open(ctx, io_path("pieces"), &output), DGM_OK);
        for (int i = 0; i < 4; used += (size_t)pieces[k][i++])
            assert_int_equal(dgmi_bytes_output_write(output, text + used, (size_t)pieces[k][i]),
                             DGM_OK);
        assert_int_equal(dgmi_bytes_output_publish(output), DGM_OK);
        char *data = io_load(io_path("pieces"), &size);
        assert_int_equal(size, used);
        assert_memory_equal(data, text, used);
        free(data);
    }
    free(text);
}

static void a_text_is_drained_once_it_is_long_or_the_last(void **state) {
    (void)state;
    enum { DRAIN = 1 << 16 };
    dgmi_bytes_output *output;
    dgmi_text text;
    char *data, piece[256];
    size_t size;
    memset(piece, 'p', sizeof piece);
    dgmi_text_init(&text, ctx);
    assert_int_equal(dgmi_bytes_output_open_memory(ctx, "x", &output), DGM_OK);
    while (text.length < DRAIN - 256)
        dgmi_text_append(&text, piece, sizeof piece);
    dgmi_text_append(&text, piece, 255);
    assert_int_equal(dgmi_bytes_output_drain(output, &text, false), DGM_OK);
    assert_int_equal(text.length, DRAIN - 1);
    dgmi_text_append(&text, piece, 1);
    assert_int_equal(dgmi_bytes_output_drain(output, &text, false), DGM_OK);
    assert_int_equal(text.length, 0);
    dgmi_text_append(&text, "end", 3);
    assert_int_equal(dgmi_bytes_output_drain(output, &text, false), DGM_OK);
    assert_int_equal(text.length, 3);
    assert_int_equal(dgmi_bytes_output_drain(output, &text, true), DGM_OK);
    assert_int_equal(text.length, 0);
    dgmi_text_free(&text);
    assert_int_equal(dgmi_bytes_output_take(output, &data, &size), DGM_OK);
    assert_int_equal(size, DRAIN + 3);
    assert_memory_equal(data + DRAIN, "end", 3);
    dgmi_free(ctx, data);
}

static void what_cannot_be_written_has_no_place_in_the_file(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"/tmp/", "/tmp/: this is a folder, and a file is needed here"},
        {"/nowhere/x.txt", "/nowhere/x.txt: there is no such folder to write into; make it first"}};
    dgmi_bytes_output *output;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(dgmi_bytes_output_open(ctx, cases[i][0], &output), DGM_ERROR_FILE);
        assert_string_equal(dgm_context_error(ctx), cases[i][1]);
        assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
    }
    assert_int_equal(dgmi_bytes_output_save(ctx, "/dev/full", "x", 1), DGM_ERROR_FILE);
    assert_string_equal(dgm_context_error(ctx),
                        "/dev/full: cannot be written: No space left on device");
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_appears_only_when_it_is_published),
        cmocka_unit_test(a_discarded_file_leaves_nothing),
        cmocka_unit_test(the_mode_is_what_the_umask_says),
        cmocka_unit_test(a_file_that_is_replaced_hands_on_its_mode),
        cmocka_unit_test(a_durable_file_is_on_the_disk_before_it_has_its_name),
        cmocka_unit_test(weights_are_on_the_disk_before_they_have_their_name),
        cmocka_unit_test(compressed_bytes_are_the_same_every_time),
        cmocka_unit_test(a_full_disk_is_an_error_at_the_latest_when_closing),
        cmocka_unit_test(a_device_is_written_in_place),
        cmocka_unit_test(a_pipe_is_written_in_place),
        cmocka_unit_test(a_link_is_followed),
        cmocka_unit_test(folders_and_missing_folders_are_refused),
        cmocka_unit_test(memory_takes_the_bytes_as_they_are),
        cmocka_unit_test(every_allocation_of_what_is_collected_may_fail),
        cmocka_unit_test(a_device_is_not_synced),
        cmocka_unit_test(a_folder_that_took_the_name_meanwhile_stays),
        cmocka_unit_test(pieces_of_any_size_are_written_in_order),
        cmocka_unit_test(a_text_is_drained_once_it_is_long_or_the_last),
        cmocka_unit_test(what_cannot_be_written_has_no_place_in_the_file),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
