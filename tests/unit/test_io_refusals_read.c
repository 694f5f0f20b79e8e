/* SPDX-License-Identifier: Apache-2.0 */
/* What the system and the libraries that unpack refuse while files are read: it is said as an error of
 * the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_refused.h"

#include "bytes_scan.h"
#include "bytes_stream.h"
#include "io_formats.h"
#include "io_npz.h"
#include "io_zip.h"

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
        cmocka_unit_test(a_folder_that_cannot_be_listed_is_said),
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
