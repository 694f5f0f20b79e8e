/* SPDX-License-Identifier: Apache-2.0 */
/* What the system and the libraries that pack refuse: it is said as an error of the file, and
 * nothing is left behind. Their calls are found here before the libraries', and one of them fails
 * on demand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <zlib.h>

#include "base_memory.h"
#include "bytes_output.h"
#include "bytes_scan.h"
#include "bytes_stream.h"
#include "bytes_zlib.h"
#include "io_check.h"
#include "io_formats.h"
#include "io_npz.h"
#include "io_zip.h"

static const char *refused = ""; /* the call that fails */
static int spared;               /* calls of it that still go well */
static int times;                /* that it fails then; -1: always */
static int refusal;              /* errno */

static bool refuses(const char *call) {
    if (strcmp(call, refused) != 0 || spared-- > 0 || times == 0)
        return false;
    times -= times > 0;
    errno = refusal;
    return true;
}

static void refuse(const char *call, int sparing, int failures, int error) {
    refused = call;
    spared = sparing;
    times = failures;
    refusal = error;
}

static void refuse_nothing(void) {
    refuse("", 0, 0, 0);
}

/* ---- the system's calls ---- */

ssize_t write(int fd, const void *data, size_t size) {
    if (refuses("write"))
        return refusal ? -1 : 0;
    return (ssize_t)syscall(SYS_write, fd, data, size);
}

ssize_t read(int fd, void *data, size_t size) {
    return refuses("read") ? -1 : (ssize_t)syscall(SYS_read, fd, data, size);
}

int close(int fd) {
    int result = (int)syscall(SYS_close, fd);
    return refuses("close") ? -1 : result;
}

int fsync(int fd) {
    return refuses("fsync") ? -1 : (int)syscall(SYS_fsync, fd);
}

int access(const char *path, int mode) {
    return refuses("access") ? -1 : faccessat(AT_FDCWD, path, mode, 0);
}

off_t lseek(int fd, off_t offset, int whence) {
    return refuses("lseek") ? -1 : (off_t)syscall(SYS_lseek, fd, offset, whence);
}

int fstat(int fd, struct stat *facts) {
    return refuses("fstat") ? -1 : fstatat(fd, "", facts, AT_EMPTY_PATH);
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return refuses("open") ? -1 : openat(AT_FDCWD, path, flags, mode);
}

void *mmap(void *place, size_t size, int protection, int flags, int fd, off_t offset) {
    if (refuses("mmap"))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, place, size, protection, flags, fd, offset);
}

/* ---- calls that are found by name ---- */

#define CALL(type, name, parameters, arguments, failure)                                           \
    type name parameters {                                                                         \
        static type(*real) parameters;                                                             \
        void *found = dlsym(RTLD_NEXT, #name);                                                     \
        memcpy(&real, &found, sizeof real);                                                        \
        return refuses(#name) ? (failure) : real arguments;                                        \
    }

CALL(DIR *, opendir, (const char *path), (path), NULL)
CALL(struct archive *, archive_write_new, (void), (), NULL)
CALL(struct archive_entry *, archive_entry_new, (void), (), NULL)
CALL(int, archive_write_set_format_raw, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_write_add_filter_gzip, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_write_set_bytes_per_block, (struct archive * a, int n), (a, n), ARCHIVE_FATAL)
CALL(int, archive_write_open,
     (struct archive * a, void *user, archive_open_callback *opens, archive_write_callback *writes,
      archive_close_callback *closes),
     (a, user, opens, writes, closes), ARCHIVE_FATAL)
CALL(int, archive_write_header, (struct archive * a, struct archive_entry *e), (a, e),
     ARCHIVE_FATAL)
CALL(la_ssize_t, archive_write_data, (struct archive * a, const void *data, size_t size),
     (a, data, size), (archive_set_error(a, EIO, "the packer is at a loss"), -1))
CALL(struct archive *, archive_read_new, (void), (), NULL)
CALL(int, archive_read_support_filter_xz, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_read_support_format_raw, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_read_support_format_empty, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_read_support_format_zip_seekable, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_read_set_callback_data, (struct archive * a, void *user), (a, user),
     ARCHIVE_FATAL)
CALL(int, archive_read_set_read_callback, (struct archive * a, archive_read_callback *reads),
     (a, reads), ARCHIVE_FATAL)
CALL(int, archive_read_set_seek_callback, (struct archive * a, archive_seek_callback *seeks),
     (a, seeks), ARCHIVE_FATAL)
CALL(int, archive_read_set_skip_callback, (struct archive * a, archive_skip_callback *skips),
     (a, skips), ARCHIVE_FATAL)
CALL(int, archive_read_open1, (struct archive * a), (a), ARCHIVE_FATAL)
CALL(int, archive_read_next_header, (struct archive * a, struct archive_entry **e), (a, e),
     ARCHIVE_FATAL)
CALL(int, archive_filter_count, (struct archive * a), (a), 1)
CALL(const char *, archive_entry_pathname, (struct archive_entry * e), (e), NULL)
CALL(int, inflate, (z_streamp z, int flush), (z, flush), Z_STREAM_ERROR)
CALL(int, inflateReset, (z_streamp z), (z), Z_STREAM_ERROR)
CALL(int, compress2, (Bytef * to, uLongf *made, const Bytef *from, uLong size, int level),
     (to, made, from, size, level), Z_MEM_ERROR)

/* It does its work all the same, and says otherwise. */
int archive_write_close(struct archive *a) {
    static int (*real)(struct archive * a);
    void *found = dlsym(RTLD_NEXT, "archive_write_close");
    memcpy(&real, &found, sizeof real);
    int result = real(a);
    return refuses("archive_write_close") ? ARCHIVE_FATAL : result;
}

/* ---- writing ---- */

/* Bytes that cannot be packed; freed by the caller. */
static char *make_noise(size_t size) {
    char *noise = malloc(size);
    uint32_t bits = 1;
    for (size_t i = 0; i < size; i++) {
        bits = bits * 1664525u + 1013904223u;
        noise[i] = (char)(bits >> 24);
    }
    return noise;
}

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

/* ---- reading ---- */

static void a_folder_that_cannot_be_listed_is_said(void **state) {
    (void)state;
    static const struct {
        int error;
        dgm_status status;
    } cases[] = {{ENOMEM, DGM_ERROR_MEMORY}, {EMFILE, DGM_ERROR_FILE}, {ENFILE, DGM_ERROR_FILE}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dgm_graph *graph;
        refuse("opendir", 0, -1, cases[k].error);
        dgm_status status = dgm_graph_read(ctx, io_folder, DGM_FORMAT_AUTO, NULL, NULL, &graph);
        refuse_nothing();
        assert_int_equal(status, cases[k].status);
        assert_null(graph);
        if (!strstr(dgm_context_error(ctx), "cannot be listed: ") ||
            !strstr(dgm_context_error(ctx), strerror(cases[k].error)))
            fail_msg("%s", dgm_context_error(ctx));
    }
}

/* All of the file, whose text is large enough for several blocks. */
static dgm_status load(const char *path) {
    dgmi_bytes_stream *stream;
    char *data = NULL;
    int64_t size;
    dgm_status status = dgmi_bytes_stream_open(ctx, path, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_stream_read_all(stream, &data, &size);
    dgmi_bytes_stream_close(stream);
    dgmi_free(ctx, data);
    return status;
}

static void assert_not_loaded(const char *path, const char *call, int sparing, int error,
                              const char *words) {
    refuse(call, sparing, -1, error);
    dgm_status status = load(path);
    refuse_nothing();
    if (status == DGM_OK || !strstr(dgm_context_error(ctx), words))
        fail_msg("%s of %s: %s, %s", call, path, dgm_status_name(status), dgm_context_error(ctx));
    assert_int_equal(load(path), DGM_OK);
}

static const char *save_noise(const char *name) {
    enum { SIZE = 2000000 };
    char *noise = make_noise(SIZE);
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path(name), noise, SIZE), DGM_OK);
    free(noise);
    return io_path(name);
}

static void a_disk_that_fails_in_the_middle_is_said(void **state) {
    (void)state;
    static const char *const names[] = {"n.txt", "n.gz", "n.xz", "n.zst"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *path = save_noise(names[k]);
        for (int sparing = 0; sparing < (k ? 4 : 2); sparing++)
            assert_not_loaded(path, "read", sparing, EIO, "cannot be read: Input/output error");
        assert_not_loaded(path, "fstat", 0, EIO, "Input/output error");
        refuse("read", 1, 1, EINTR);
        assert_int_equal(load(path), DGM_OK);
        assert_int_equal(times, 0);
        refuse_nothing();
    }
    /* Behind the end of what is packed, too. */
    size_t size;
    char *packed = io_load(io_path("n.gz"), &size);
    char *padded = calloc(1, size + 1000000);
    memcpy(padded, packed, size);
    const char *path = io_save("padded.gz", padded, size + 1000000);
    for (int sparing = 8; sparing < 11; sparing++)
        assert_not_loaded(path, "read", sparing, EIO, "cannot be read: Input/output error");
    free(packed);
    free(padded);
}

/* A comment in its header makes the file as long as the block that is read at a time, so that both
 * end at the same byte. */
static void a_disk_that_fails_at_the_end_of_a_gzip_member_is_said(void **state) {
    (void)state;
    enum { BLOCK = 1 << 18, HEADER = 10, FLAGS = 3, COMMENT = 16 };
    size_t size;
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("c.gz"), "text", 4), DGM_OK);
    char *packed = io_load(io_path("c.gz"), &size), *whole = malloc(BLOCK);
    memset(whole, 'c', BLOCK);
    memcpy(whole, packed, HEADER);
    whole[FLAGS] |= COMMENT;
    memcpy(whole + BLOCK - (size - HEADER), packed + HEADER, size - HEADER);
    whole[BLOCK - (size - HEADER) - 1] = '\0';
    const char *path = io_save("c.gz", whole, BLOCK);
    assert_not_loaded(path, "read", 1, EIO, "cannot be read: Input/output error");
    free(packed);
    free(whole);
}

static void a_second_gzip_member_that_zlib_does_not_begin_is_said(void **state) {
    (void)state;
    size_t size;
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("m.gz"), "text", 4), DGM_OK);
    char *packed = io_load(io_path("m.gz"), &size), *data;
    packed = realloc(packed, 2 * size);
    memcpy(packed + size, packed, size);
    dgmi_bytes_stream *stream;
    int64_t got;
    assert_int_equal(dgmi_bytes_stream_open(ctx, io_save("m.gz", packed, 2 * size), &stream),
                     DGM_OK);
    refuse("inflateReset", 0, -1, 0);
    dgm_status status = dgmi_bytes_stream_read_all(stream, &data, &got);
    refuse_nothing();
    assert_int_equal(status, DGM_ERROR_FORMAT);
    assert_null(data);
    assert_non_null(strstr(dgm_context_error(ctx), "damaged or truncated gzip data (its members)"));
    dgmi_bytes_stream_close(stream);
    free(packed);
}

/* libarchive and Jansson may end the process where memory ends, so that they are not asked. */
static void where_there_is_no_room_no_library_is_asked(void **state) {
    (void)state;
    const char *xz = io_path("r.xz"), *zip = save_zip("r.zip", 1, (const char *const[]){"a.tsv"});
    assert_int_equal(dgmi_bytes_output_save(ctx, xz, "text", 4), DGM_OK);
    assert_not_loaded(xz, "mmap", 0, ENOMEM, "out of memory (asked for 268 MB)");
    assert_not_loaded(zip, "mmap", 0, ENOMEM, "out of memory (asked for 268 MB)");
    assert_not_loaded(zip, "mmap", 1, ENOMEM, "out of memory (asked for 268 MB)"); /* once listed */
    static const char json[] = "{\"nodes\": [], \"links\": []}";
    dgm_graph *graph;
    refuse("mmap", 0, -1, ENOMEM);
    dgm_status status =
        dgm_graph_read_memory(ctx, json, sizeof json - 1, "r.json", DGM_FORMAT_AUTO, NULL, &graph);
    refuse_nothing();
    assert_int_equal(status, DGM_ERROR_MEMORY);
    assert_string_equal(dgm_context_error(ctx), "out of memory while reading JSON");
    assert_null(graph);
}

static void a_disk_that_fails_in_the_middle_of_xml_is_said(void **state) {
    (void)state;
    enum { SIZE = 1000000 };
    static const char head[] = "<graphml><graph>", tail[] = "</graph></graphml>";
    char *text = malloc(SIZE);
    memset(text, ' ', SIZE);
    memcpy(text, head, sizeof head - 1);
    memcpy(text + SIZE - (sizeof tail - 1), tail, sizeof tail - 1);
    const char *path = io_save("x.graphml", text, SIZE);
    dgm_graph *graph;
    refuse("read", 1, -1, EIO);
    dgm_status status = dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, NULL, NULL, &graph);
    refuse_nothing();
    assert_int_equal(status, DGM_ERROR_FILE);
    assert_non_null(strstr(dgm_context_error(ctx), "cannot be read: Input/output error"));
    assert_null(graph);
    free(text);
}

static void a_library_that_cannot_unpack_is_said(void **state) {
    (void)state;
    const char *xz = io_path("l.xz"), *gz = io_path("l.gz");
    const char *zip = save_zip("l.zip", 1, (const char *const[]){"a.tsv"});
    assert_int_equal(dgmi_bytes_output_save(ctx, xz, "text", 4), DGM_OK);
    assert_int_equal(dgmi_bytes_output_save(ctx, gz, "text", 4), DGM_OK);
    static const char *const missing[] = {"archive_read_support_filter_xz",
                                          "archive_read_support_format_raw",
                                          "archive_read_support_format_empty"};
    for (size_t k = 0; k < sizeof missing / sizeof *missing; k++)
        assert_not_loaded(xz, missing[k], 0, 0, "libarchive was built without xz: unpack the file");
    assert_not_loaded(zip, "archive_read_support_format_zip_seekable", 0, 0,
                      "libarchive was built without zip: unpack the file first");
    assert_not_loaded(xz, "archive_read_new", 0, 0, "memory");
    static const char *const failing[] = {"archive_read_set_callback_data",
                                          "archive_read_set_read_callback",
                                          "archive_read_set_seek_callback", "archive_read_open1"};
    for (size_t k = 0; k < sizeof failing / sizeof *failing; k++)
        assert_not_loaded(zip, failing[k], 0, 0, "damaged or truncated zip data");
    for (int listed = 0; listed < 3; listed++) /* the member, the end, the member once more */
        assert_not_loaded(zip, "archive_read_next_header", listed, 0,
                          "damaged or truncated zip data");
    assert_not_loaded(xz, "archive_read_next_header", 0, 0, "damaged or truncated xz data");
    assert_not_loaded(xz, "archive_filter_count", 0, 0, "damaged or truncated xz data");
    assert_not_loaded(zip, "archive_entry_pathname", 0, 0, "the zip holds no file");
    assert_not_loaded(gz, "inflate", 0, 0, "damaged or truncated gzip data (zlib cannot read it)");
    assert_not_loaded(zip, "lseek", 0, EIO, "cannot be read: Input/output error");
}

/* A path with so many edges that its arrays are jumped over, not read through, and are written in
 * several pieces. */
static dgm_graph *long_path(void) {
    enum { EDGES = 60000 };
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    for (uint32_t u = 0; u < EDGES; u++)
        assert_int_equal(dgm_graph_builder_add(builder, 1, (uint32_t[]){u, u + 1}, NULL), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    return graph;
}

static void arrays_for_which_the_disk_is_too_small_are_not_left(void **state) {
    (void)state;
    static const char *const names[] = {"full.npz", "full.npy"};
    dgm_graph *graph = long_path();
    int before = io_count_files();
    for (int k = 0; k < 2; k++)
        for (int pieces = 0; pieces < 3; pieces++) {
            refuse("write", pieces, -1, ENOSPC);
            dgm_status status = dgm_graph_write(ctx, graph, io_path(names[k]), DGM_FORMAT_AUTO);
            refuse_nothing();
            if (status != DGM_ERROR_FILE ||
                !strstr(dgm_context_error(ctx), "cannot be written: No space left on device"))
                fail_msg("%s: %s", names[k], dgm_context_error(ctx));
            assert_int_equal(io_count_files(), before);
        }
    dgm_graph_free(graph);
}

static void arrays_that_cannot_be_unpacked_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = long_path(), *back;
    const char *path = io_path("a.npz");
    assert_int_equal(dgm_graph_write(ctx, graph, path, DGM_FORMAT_AUTO), DGM_OK);
    dgm_graph_free(graph);
    static const struct {
        const char *call;
        int spared, error;
        const char *words;
    } cases[] = {
        {"mmap", 0, ENOMEM, "out of memory (asked for 268 MB)"},
        {"archive_read_new", 0, 0, "memory"},
        {"archive_read_set_callback_data", 0, 0, "not a whole .npz"},
        {"archive_read_set_read_callback", 0, 0, "not a whole .npz"},
        {"archive_read_set_seek_callback", 0, 0, "not a whole .npz"},
        {"archive_read_set_skip_callback", 0, 0, "not a whole .npz"},
        {"archive_read_support_format_zip_seekable", 0, 0, "not a whole .npz"},
        {"archive_read_open1", 0, 0, "not a whole .npz"},
        {"read", 1, EIO, "cannot be read: Input/output error"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        refuse(cases[k].call, cases[k].spared, -1, cases[k].error);
        dgm_status status = dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, NULL, NULL, &back);
        refuse_nothing();
        if (status == DGM_OK || !strstr(dgm_context_error(ctx), cases[k].words))
            fail_msg("%s: %s", cases[k].call, dgm_context_error(ctx));
        assert_null(back);
    }
    for (int jumps = 0; jumps < 16; jumps++) { /* of jumps to members and over them */
        refuse("lseek", jumps, -1, EIO);
        dgm_status status = dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, NULL, NULL, &back);
        refuse_nothing();
        if (status == DGM_OK ||
            !strstr(dgm_context_error(ctx), "cannot be read: Input/output error"))
            fail_msg("after %d jumps: %s", jumps, dgm_context_error(ctx));
        assert_null(back);
    }
}

/* ---- texts that are read block by block ---- */

static dgm_status read_whole_graph(const char *path) {
    dgm_graph *graph;
    dgm_status status = dgm_graph_read(ctx, path, DGM_FORMAT_AUTO, NULL, NULL, &graph);
    assert_int_equal(graph != NULL, status == DGM_OK);
    dgm_graph_free(graph);
    return status;
}

static dgm_status read_features(const char *path) {
    dgmi_bytes_stream *stream;
    dgm_graph_builder *builder;
    int64_t rows;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    dgm_status status = dgmi_bytes_stream_open(ctx, path, &stream);
    if (status == DGM_OK)
        status = dgmi_io_read_mtx_features(ctx, stream, builder, &rows);
    dgmi_bytes_stream_close(stream);
    dgm_graph_builder_free(builder);
    return status;
}

enum { SCANNED = 1 << 18, SEEN_AHEAD = DGMI_BYTES_LONGEST_WORD + 1 }; /* as in bytes_scan.c */

/* Saves the text with so many blanks before that byte, and with empty lines at its end. */
static const char *save_stretched(const char *name, const char *text, size_t place, size_t blanks) {
    size_t length = strlen(text), size = length + blanks + 2 * SEEN_AHEAD;
    char *bytes = malloc(size);
    memcpy(bytes, text, place);
    memset(bytes + place, ' ', blanks);
    memcpy(bytes + place + blanks, text + place, length - place);
    memset(bytes + length + blanks, '\n', 2 * SEEN_AHEAD);
    const char *path = io_save(name, bytes, size);
    free(bytes);
    return path;
}

/* Where the second block cannot be read, it is an error of the file; otherwise all is well. */
static void assert_second_block_counts(const char *path, dgm_status (*reader)(const char *path)) {
    refuse("read", 1, -1, EIO);
    dgm_status status = reader(path);
    refuse_nothing();
    if (status != DGM_ERROR_FILE ||
        !strstr(dgm_context_error(ctx), "cannot be read: Input/output error"))
        fail_msg("%s: %s, %s", path, dgm_status_name(status), dgm_context_error(ctx));
    if (reader(path) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
}

/* Blanks stand where a line begins or behind one of its words. There are so many of them that the
 * second block of the file is needed to pass over them, or just after the byte behind them. */
static void a_disk_that_fails_at_any_word_of_a_text_is_said(void **state) {
    (void)state;
    static const struct {
        const char *name, *text;
        dgm_status (*reader)(const char *path);
    } cases[] = {
        {"s.graph", "% a b\n2 1 11 1\n% c d\n5 2 9\n6 1 9\n% e f\n", read_whole_graph},
        {"s.mtx",
         "%%MatrixMarket matrix coordinate real general\n% a b\n\n2 2 2\n1 2 7\n% c\n2 1 7\n% d\n",
         read_whole_graph},
        {"s.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 2 7\n2 3 7\n",
         read_features},
        {"s.mtx", "%%MatrixMarket matrix array real general\n2 1\n7\n8\n", read_features},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *text = cases[k].text;
        for (size_t place = 0; text[place]; place++)
            if (text[place] == ' ' || text[place] == '\n' || place == 0 ||
                text[place - 1] == '\n') {
                const size_t blanks[] = {SCANNED, SCANNED - SEEN_AHEAD - place};
                for (size_t i = 0; i < 2; i++)
                    assert_second_block_counts(
                        save_stretched(cases[k].name, text, place, blanks[i]), cases[k].reader);
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_cannot_be_written_stays_as_it_was),
        cmocka_unit_test(a_packer_that_fails_leaves_the_file_as_it_was),
        cmocka_unit_test(what_is_interrupted_or_taken_is_tried_again),
        cmocka_unit_test(a_folder_is_there_once_all_its_files_are_written),
        cmocka_unit_test(a_folder_that_cannot_be_listed_is_said),
        cmocka_unit_test(a_caller_may_stop_a_write_that_was_interrupted),
        cmocka_unit_test(a_pipe_that_cannot_be_opened_is_said),
        cmocka_unit_test(of_two_failures_the_first_is_said),
        cmocka_unit_test(bytes_that_zlib_has_no_memory_for_are_said),
        cmocka_unit_test(a_disk_that_fails_in_the_middle_is_said),
        cmocka_unit_test(a_disk_that_fails_at_the_end_of_a_gzip_member_is_said),
        cmocka_unit_test(a_second_gzip_member_that_zlib_does_not_begin_is_said),
        cmocka_unit_test(where_there_is_no_room_no_library_is_asked),
        cmocka_unit_test(a_disk_that_fails_in_the_middle_of_xml_is_said),
        cmocka_unit_test(a_library_that_cannot_unpack_is_said),
        cmocka_unit_test(arrays_for_which_the_disk_is_too_small_are_not_left),
        cmocka_unit_test(arrays_that_cannot_be_unpacked_are_refused),
        cmocka_unit_test(a_disk_that_fails_at_any_word_of_a_text_is_said),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
