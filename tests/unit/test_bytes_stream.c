/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base_memory.h"
#include "bytes_checksum.h"
#include "bytes_output.h"
#include "bytes_stream.h"
#include "io_check.h"
#include "io_zip.h"

/* Text that compresses to more than one block. */
static char *long_text(size_t size) {
    char *text = malloc(size + 1);
    uint32_t state = 1;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        text[i] = (char)(i % 16 == 15 ? '\n' : '0' + (state >> 24) % 10);
    }
    text[size] = '\0';
    return text;
}

static void assert_content(const char *path, const char *text, size_t size) {
    dgmi_bytes_stream *stream;
    char *data = NULL;
    int64_t got = -1;
    if (dgmi_bytes_stream_open(ctx, path, &stream) != DGM_OK ||
        dgmi_bytes_stream_read_all(stream, &data, &got) != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_int_equal(got, size);
    assert_memory_equal(data, text, size);
    dgmi_free(ctx, data);
    dgmi_bytes_stream_close(stream);
}

static void every_compression_comes_back(void **state) {
    (void)state;
    const char *const names[] = {"t.txt", "t.txt.gz", "t.txt.xz", "t.txt.zst"};
    size_t size = 700001;
    char *text = long_text(size);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(dgmi_bytes_output_save(ctx, io_path(names[i]), text, size), DGM_OK);
        assert_content(io_path(names[i]), text, size);
    }
    free(text);
}

static void compression_is_found_by_content(void **state) {
    (void)state;
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("a.gz"), "1 2\n", 4), DGM_OK);
    assert_int_equal(rename(io_path("a.gz"), io_path("a.txt")), 0);
    assert_content(io_path("a.txt"), "1 2\n", 4);
    assert_content(io_save("plain.gz", "1 2\n", 4), "1 2\n", 4);
}

static void an_empty_text_comes_back_from_any_compression(void **state) {
    (void)state;
    const char *const names[] = {"e.txt", "e.txt.gz", "e.txt.xz", "e.txt.zst"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(dgmi_bytes_output_save(ctx, io_path(names[i]), "", 0), DGM_OK);
        assert_content(io_path(names[i]), "", 0);
    }
}

/* Reading all of the bytes fails with DGM_ERROR_FORMAT that names the file. */
static void assert_damaged(const char *path) {
    dgmi_bytes_stream *stream;
    char *data = NULL;
    int64_t got;
    dgm_status status = dgmi_bytes_stream_open(ctx, path, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_stream_read_all(stream, &data, &got);
    dgmi_bytes_stream_close(stream);
    assert_int_equal(status, DGM_ERROR_FORMAT);
    assert_null(data);
    assert_string_equal(dgm_context_error_parts(ctx).file, path);
}

static void a_truncated_file_is_an_error_wherever_it_was_cut(void **state) {
    (void)state;
    const char *const names[] = {"c.txt.gz", "c.txt.xz", "c.txt.zst"};
    const size_t least[] = {2, 6, 4}; /* shorter ones do not look compressed */
    char *text = long_text(3000);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t size;
        assert_int_equal(dgmi_bytes_output_save(ctx, io_path(names[i]), text, 3000), DGM_OK);
        char *packed = io_load(io_path(names[i]), &size);
        for (size_t cut = least[i]; cut < size; cut += cut < 64 || cut + 64 > size ? 1 : 37)
            assert_damaged(io_save("cut", packed, cut));
        free(packed);
    }
    free(text);
}

static void a_gzip_file_whose_checksum_differs_is_damaged(void **state) {
    (void)state;
    size_t size;
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("s.gz"), "10 20\n", 6), DGM_OK);
    char *packed = io_load(io_path("s.gz"), &size);
    packed[size - 8] ^= 1;
    assert_damaged(io_save("s.gz", packed, size));
    free(packed);
}

static void gzip_members_one_behind_the_other_are_one_text(void **state) {
    (void)state;
    size_t first, second;
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("m1.gz"), "1 2\n", 4), DGM_OK);
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("m2.gz"), "2 3\n4", 5), DGM_OK);
    char *a = io_load(io_path("m1.gz"), &first), *b = io_load(io_path("m2.gz"), &second);
    a = realloc(a, first + second);
    memcpy(a + first, b, second);
    assert_content(io_save("m.gz", a, first + second), "1 2\n2 3\n4", 9);
    free(a);
    free(b);
}

/* What another program appended, or a bit that turned a second member into something else. */
static void only_zeros_may_follow_a_gzip_file(void **state) {
    (void)state;
    size_t size;
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("t.gz"), "1 2\n", 4), DGM_OK);
    char *packed = io_load(io_path("t.gz"), &size);
    packed = realloc(packed, size + 600);
    memset(packed + size, 0, 600);
    assert_content(io_save("zeros.gz", packed, size + 600), "1 2\n", 4);
    packed[size + 500] = 'x';
    assert_damaged(io_save("behind.gz", packed, size + 600));
    packed[size] = 'x';
    assert_damaged(io_save("behind.gz", packed, size + 1));
    free(packed);
}

/* Members of a megabyte of zeros, a kilobyte packed. */
static const char *make_bomb(const char *name, size_t members) {
    size_t size;
    char *zeros = calloc(1, 1 << 20);
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("zeros.gz"), zeros, 1 << 20), DGM_OK);
    char *one = io_load(io_path("zeros.gz"), &size), *all = malloc(members * size);
    for (size_t i = 0; i < members; i++)
        memcpy(all + i * size, one, size);
    const char *path = io_save(name, all, members * size);
    free(all);
    free(one);
    free(zeros);
    return path;
}

static dgm_status read_to_end(const char *path, int64_t *total) {
    dgmi_bytes_stream *stream;
    int64_t got = 1;
    char *buffer = malloc(1 << 20);
    *total = 0;
    dgm_status status = dgmi_bytes_stream_open(ctx, path, &stream);
    for (; status == DGM_OK && got > 0; *total += got)
        status = dgmi_bytes_stream_read(stream, buffer, 1 << 20, &got);
    dgmi_bytes_stream_close(stream);
    free(buffer);
    return status;
}

static void a_packed_file_unfolds_to_so_much_and_no_more(void **state) {
    (void)state;
    int64_t total;
    const char *path = make_bomb("bomb.gz", 300);
    assert_int_equal(read_to_end(path, &total), DGM_ERROR_DATA);
    assert_true(total <= (int64_t)257 << 20);
    assert_non_null(strstr(dgm_context_error(ctx), "raise unpack-limit"));
    assert_non_null(strstr(dgm_context_error(ctx), "over 250 times"));
    dgm_context_set_unpack_limit(ctx, 0);
    assert_int_equal(read_to_end(path, &total), DGM_OK);
    assert_int_equal(total, (int64_t)300 << 20);
    dgm_context_set_unpack_limit(ctx, 2000);
    assert_int_equal(read_to_end(path, &total), DGM_OK);
    dgm_context_set_unpack_limit(ctx, DGM_UNPACK_LIMIT);
    assert_int_equal(read_to_end(make_bomb("small.gz", 200), &total), DGM_OK);
}

static void the_one_file_of_a_zip_is_read(void **state) {
    (void)state;
    const char *const members[] = {"folder/Graph.TSV", "__MACOSX/folder/._Graph.TSV"};
    const char *path = save_zip("one.zip", 2, members);
    dgmi_bytes_stream *stream;
    assert_content(path, "1 2\n", 4);
    assert_int_equal(dgmi_bytes_stream_open(ctx, path, &stream), DGM_OK);
    assert_string_equal(dgmi_bytes_stream_inner_name(stream), "graph.tsv");
    assert_true(dgmi_bytes_stream_is_packed(stream));
    dgmi_bytes_stream_close(stream);
}

static void a_zip_of_several_files_lists_them(void **state) {
    (void)state;
    const char *const members[] = {"a.tsv", "b.tsv"};
    const char *path = save_zip("two.zip", 2, members);
    dgmi_bytes_stream *stream;
    assert_int_equal(dgmi_bytes_stream_open(ctx, path, &stream), DGM_ERROR_FORMAT);
    assert_null(stream);
    assert_non_null(strstr(dgm_context_error(ctx), "2 files (a.tsv, b.tsv)"));
    assert_int_equal(dgmi_bytes_stream_open_raw(ctx, path, &stream), DGM_OK);
    const char *data;
    int64_t size;
    assert_int_equal(dgmi_bytes_stream_peek(stream, &data, &size), DGM_OK);
    assert_memory_equal(data, "PK\3\4", 4);
    dgmi_bytes_stream_close(stream);
}

/* Feeds the file through a pipe, where nothing can be sought or counted beforehand. */
static dgm_status read_through_pipe(const char *file, char **data, int64_t *got) {
    size_t size;
    const char *path = io_path("pipe");
    char *packed = io_load(file, &size);
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        int fd = open(path, O_WRONLY);
        _exit(write(fd, packed, size) == (ssize_t)size ? 0 : 1);
    }
    dgmi_bytes_stream *stream;
    dgm_status status = dgmi_bytes_stream_open(ctx, path, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_stream_read_all(stream, data, got);
    dgmi_bytes_stream_close(stream);
    waitpid(child, NULL, 0);
    free(packed);
    return status;
}

static void packed_files_are_read_through_pipes(void **state) {
    (void)state;
    const char *const members[] = {"a.tsv", "b.tsv"};
    char *data;
    int64_t got;
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("p.gz"), "1 2\n", 4), DGM_OK);
    assert_int_equal(read_through_pipe(io_path("p.gz"), &data, &got), DGM_OK);
    assert_string_equal(data, "1 2\n");
    dgmi_free(ctx, data);
    assert_int_equal(read_through_pipe(save_zip("p1.zip", 1, members), &data, &got), DGM_OK);
    assert_string_equal(data, "1 2\n");
    dgmi_free(ctx, data);
    assert_int_equal(read_through_pipe(save_zip("p2.zip", 2, members), &data, &got),
                     DGM_ERROR_FORMAT);
    assert_non_null(strstr(dgm_context_error(ctx), "2 files (a.tsv, b.tsv)"));
    size_t size;
    char *packed = io_load(io_path("p2.zip"), &size);
    char *second = memmem(packed + 4, size - 4, "PK\3\4", 4);
    const char *cut = io_save("p3.zip", packed, (size_t)(second - packed) + 10);
    assert_int_equal(read_through_pipe(cut, &data, &got), DGM_ERROR_FORMAT);
    assert_non_null(strstr(dgm_context_error(ctx), "damaged or truncated zip data"));
    free(packed);
}

static void a_truncated_zip_is_damaged(void **state) {
    (void)state;
    const char *const members[] = {"a.tsv"};
    size_t size;
    char *packed = io_load(save_zip("z.zip", 1, members), &size);
    for (size_t cut = 4; cut < size; cut++)
        assert_damaged(io_save("cut.zip", packed, cut));
    free(packed);
}

static void missing_files_and_folders_are_errors_of_files(void **state) {
    (void)state;
    dgmi_bytes_stream *stream;
    assert_int_equal(dgmi_bytes_stream_open(ctx, io_path("nothing"), &stream), DGM_ERROR_FILE);
    assert_null(stream);
    assert_non_null(strstr(dgm_context_error(ctx), "no such file"));
    assert_int_equal(dgmi_bytes_stream_open(ctx, io_folder, &stream), DGM_ERROR_FILE);
    assert_non_null(strstr(dgm_context_error(ctx), "folder"));
}

static void peeking_consumes_nothing(void **state) {
    (void)state;
    char *text = long_text(10000), buffer[5000];
    dgmi_bytes_stream *stream;
    const char *data;
    int64_t size, got;
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, text, 10000, "x", &stream), DGM_OK);
    assert_int_equal(dgmi_bytes_stream_peek(stream, &data, &size), DGM_OK);
    assert_int_equal(size, DGMI_BYTES_PEEK);
    assert_int_equal(dgmi_bytes_stream_read(stream, buffer, 100, &got), DGM_OK);
    assert_int_equal(dgmi_bytes_stream_peek(stream, &data, &size), DGM_OK);
    assert_int_equal(size, DGMI_BYTES_PEEK);
    assert_memory_equal(data, text + 100, DGMI_BYTES_PEEK);
    assert_int_equal(dgmi_bytes_stream_read(stream, buffer, 5000, &got), DGM_OK);
    assert_int_equal(got, 5000);
    assert_memory_equal(buffer, text + 100, 5000);
    assert_int_equal(dgmi_bytes_stream_read(stream, buffer, 5000, &got), DGM_OK);
    assert_int_equal(got, 4900);
    dgmi_bytes_stream_close(stream);
    free(text);
}

static void inner_names_lose_folder_compression_and_case(void **state) {
    (void)state;
    const char *const cases[][2] = {
        {"Graph.MTX.gz", "graph.mtx"}, {"/a.b/C.tsv", "c.tsv"}, {".gz", ".gz"}, {"x.ZST", "x"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *inner = dgmi_bytes_inner_name(ctx, cases[i][0]);
        assert_string_equal(inner, cases[i][1]);
        dgmi_free(ctx, inner);
    }
}

static void checksums_are_those_of_the_standard(void **state) {
    (void)state;
    assert_int_equal(dgmi_bytes_crc32(0, "123456789", 9), 0xCBF43926u);
    assert_int_equal(dgmi_bytes_crc32(dgmi_bytes_crc32(0, "12345", 5), "6789", 4), 0xCBF43926u);
    assert_int_equal(dgmi_bytes_crc32(0, "", 0), 0);
}

static void many_files_of_a_zip_are_not_all_listed(void **state) {
    (void)state;
    const char *const members[] = {"a", "b", "c", "d", "e", "f", "g"};
    dgmi_bytes_stream *stream;
    assert_int_equal(dgmi_bytes_stream_open(ctx, save_zip("seven.zip", 7, members), &stream),
                     DGM_ERROR_FORMAT);
    assert_non_null(strstr(dgm_context_error(ctx), "the zip holds 7 files (a, b, c, d, e, ...);"));
    assert_int_equal(dgmi_bytes_stream_open(ctx, save_zip("five.zip", 5, members), &stream),
                     DGM_ERROR_FORMAT);
    assert_non_null(strstr(dgm_context_error(ctx), "the zip holds 5 files (a, b, c, d, e);"));
}

static void folders_in_a_zip_are_no_files(void **state) {
    (void)state;
    const char *path = io_path("folder.zip");
    struct archive *zip = archive_write_new();
    archive_write_set_format_zip(zip);
    assert_int_equal(archive_write_open_filename(zip, path), ARCHIVE_OK);
    for (int k = 0; k < 2; k++) {
        struct archive_entry *entry = archive_entry_new();
        archive_entry_set_pathname(entry, k ? "folder/a.tsv" : "folder/");
        archive_entry_set_filetype(entry, k ? AE_IFREG : AE_IFDIR);
        archive_entry_set_perm(entry, 0755);
        archive_entry_set_size(entry, 4 * k);
        assert_int_equal(archive_write_header(zip, entry), ARCHIVE_OK);
        if (k)
            assert_int_equal(archive_write_data(zip, "1 2\n", 4), 4);
        archive_entry_free(entry);
    }
    archive_write_free(zip);
    assert_content(path, "1 2\n", 4);
}

/* The directory's first entry names the place of its member in bytes 42 to 45. */
static void a_zip_whose_member_lies_outside_it_is_damaged(void **state) {
    (void)state;
    const char *const members[] = {"a.tsv"};
    size_t size;
    char *packed = io_load(save_zip("z.zip", 1, members), &size);
    char *entry = memmem(packed, size, "PK\1\2", 4);
    assert_non_null(entry);
    memcpy(entry + 42, "\xff\xff\xff\x7f", 4);
    assert_damaged(io_save("far.zip", packed, size));
    free(packed);
}

static void the_beginning_of_a_packed_file_alone_is_damaged(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *words;
        size_t size;
    } cases[] = {{"\xfd"
                  "7zXZ\0",
                  "damaged or truncated xz data", 6},
                 {"\x28\xb5\x2f\xfd", "damaged or truncated zstd data", 4},
                 {"\x1f\x8b", "damaged or truncated gzip data", 2},
                 {"PK\3\4", "damaged or truncated zip data", 4}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_damaged(io_save("begun", cases[k].bytes, cases[k].size));
        assert_non_null(strstr(dgm_context_error(ctx), cases[k].words));
    }
}

/* zlib holds back what has no room yet, also once the file has ended. */
static void a_truncated_gzip_file_is_damaged_however_little_is_read_at_a_time(void **state) {
    (void)state;
    size_t size;
    char *zeros = calloc(1, 100000), byte;
    assert_int_equal(dgmi_bytes_output_save(ctx, io_path("zeros.gz"), zeros, 100000), DGM_OK);
    char *packed = io_load(io_path("zeros.gz"), &size);
    const char *path = io_save("zeros.gz", packed, size - 9); /* less its checksum and more */
    dgmi_bytes_stream *stream;
    int64_t got = 1, total = 0;
    dgm_status status = dgmi_bytes_stream_open(ctx, path, &stream);
    for (; status == DGM_OK && got == 1; total += got)
        status = dgmi_bytes_stream_read(stream, &byte, 1, &got);
    assert_int_equal(status, DGM_ERROR_FORMAT);
    assert_non_null(strstr(dgm_context_error(ctx), "it ends in the middle"));
    assert_true(total > 0 && total <= 100001);
    dgmi_bytes_stream_close(stream);
    free(zeros);
    free(packed);
}

static void a_place_outside_the_file_cannot_be_sought(void **state) {
    (void)state;
    dgmi_bytes_stream *stream;
    char byte;
    int64_t got;
    assert_int_equal(dgmi_bytes_stream_open(ctx, io_save("abc", "abc", 3), &stream), DGM_OK);
    assert_true(dgmi_bytes_stream_is_seekable(stream));
    assert_int_equal(dgmi_bytes_stream_seek(stream, 2), DGM_OK);
    assert_int_equal(dgmi_bytes_stream_read(stream, &byte, 1, &got), DGM_OK);
    assert_int_equal(byte, 'c');
    assert_int_equal(dgmi_bytes_stream_seek(stream, 4), DGM_ERROR_FILE);
    assert_non_null(strstr(dgm_context_error(ctx), "cannot be read"));
    dgmi_bytes_stream_close(stream);
    assert_int_equal(dgmi_bytes_stream_open(ctx, io_path("abc"), &stream), DGM_OK);
    assert_int_equal(dgmi_bytes_stream_seek(stream, -1), DGM_ERROR_FILE);
    dgmi_bytes_stream_close(stream);
}

static void a_file_is_no_folder(void **state) {
    (void)state;
    dgmi_bytes_stream *stream;
    io_save("plain", "x", 1);
    assert_int_equal(dgmi_bytes_stream_open(ctx, io_path("plain/x"), &stream), DGM_ERROR_FILE);
    assert_non_null(strstr(dgm_context_error(ctx), "plain/x: Not a directory"));
}

/* The plainest way: bit by bit. */
static uint32_t slow_checksum(const unsigned char *bytes, int64_t size) {
    uint32_t crc = ~0u;
    for (int64_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static void checksums_of_any_length_are_those_of_a_plain_loop(void **state) {
    (void)state;
    unsigned char bytes[600];
    for (int i = 0; i < 600; i++)
        bytes[i] = (unsigned char)(i * 167 + 13 + i / 7);
    for (int64_t size = 0; size < 600; size += size < 40 ? 1 : 37)
        assert_int_equal(dgmi_bytes_crc32(0, bytes, size), slow_checksum(bytes, size));
}

/* Exactly so many times as much is too much, once more than 256 MiB came out. */
static void the_limit_of_unpacking_is_met_exactly(void **state) {
    (void)state;
    const int64_t freely = 1 << 28, packed = 2000000;
    dgm_context_set_unpack_limit(ctx, 250);
    assert_int_equal(dgmi_bytes_check_unpacked(ctx, "x", 1, freely), DGM_OK);
    assert_int_equal(dgmi_bytes_check_unpacked(ctx, "x", 1, freely + 1), DGM_ERROR_DATA);
    assert_int_equal(dgmi_bytes_check_unpacked(ctx, "x", packed, 250 * packed - 1), DGM_OK);
    assert_int_equal(dgmi_bytes_check_unpacked(ctx, "x", packed, 250 * packed), DGM_ERROR_DATA);
    assert_string_equal(dgm_context_error(ctx),
                        "x: 2 MB of packed data unfold to more than 500 MB, over 250 times as "
                        "much; if that is meant, raise unpack-limit (0: no limit)");
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
    dgm_context_set_unpack_limit(ctx, 1);
    assert_int_equal(dgmi_bytes_check_unpacked(ctx, "x", freely + 1, freely + 1), DGM_ERROR_DATA);
    assert_int_equal(dgmi_bytes_check_unpacked(ctx, "x", freely + 2, freely + 1), DGM_OK);
    dgm_context_set_unpack_limit(ctx, DGM_UNPACK_LIMIT);
}

static void the_fraction_is_that_of_the_bytes_read(void **state) {
    (void)state;
    dgmi_bytes_stream *stream;
    char buffer[8];
    int64_t got, done, total;
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, "12345678", 8, "x", &stream), DGM_OK);
    assert_true(dgmi_bytes_stream_fraction(stream) == 0);
    assert_int_equal(dgmi_bytes_stream_read(stream, buffer, 2, &got), DGM_OK);
    assert_true(dgmi_bytes_stream_fraction(stream) == 0.25);
    dgmi_bytes_stream_position(stream, &done, &total);
    assert_true(done == 2 && total == 8);
    assert_false(dgmi_bytes_stream_is_packed(stream));
    assert_int_equal(dgmi_bytes_stream_read(stream, buffer, 8, &got), DGM_OK);
    assert_int_equal(got, 6);
    assert_true(dgmi_bytes_stream_fraction(stream) == 1);
    dgmi_bytes_stream_close(stream);
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, NULL, 0, "x", &stream), DGM_OK);
    assert_true(dgmi_bytes_stream_fraction(stream) == -1);
    dgmi_bytes_stream_close(stream);
}

static void the_end_of_a_file_can_be_sought(void **state) {
    (void)state;
    dgmi_bytes_stream *stream;
    char byte;
    int64_t got;
    assert_int_equal(dgmi_bytes_stream_open(ctx, io_save("abc", "abc", 3), &stream), DGM_OK);
    assert_int_equal(dgmi_bytes_stream_seek(stream, 3), DGM_OK);
    assert_int_equal(dgmi_bytes_stream_read(stream, &byte, 1, &got), DGM_OK);
    assert_int_equal(got, 0);
    assert_int_equal(dgmi_bytes_stream_seek(stream, 0), DGM_OK);
    assert_int_equal(dgmi_bytes_stream_read(stream, &byte, 1, &got), DGM_OK);
    assert_true(got == 1 && byte == 'a');
    dgmi_bytes_stream_close(stream);
}

static void endings_are_found_in_any_case_and_may_be_all(void **state) {
    (void)state;
    assert_true(dgmi_bytes_ends_with(".gz", ".gz"));
    assert_true(dgmi_bytes_ends_with("a.GZ", ".gz"));
    assert_false(dgmi_bytes_ends_with("gz", ".gz"));
    assert_false(dgmi_bytes_ends_with("a.gzz", ".gz"));
    char *inner = dgmi_bytes_inner_name(ctx, "/X/AZaz@[.Zip");
    assert_string_equal(inner, "azaz@[");
    dgmi_free(ctx, inner);
}

static void a_file_that_only_begins_like_the_folder_of_macos_is_read(void **state) {
    (void)state;
    const char *const members[] = {"__MACOSX.tsv"};
    assert_content(save_zip("mac.zip", 1, members), "1 2\n", 4);
}

static void what_cannot_be_read_has_no_place_in_the_file(void **state) {
    (void)state;
    dgmi_bytes_stream *stream;
    const char *const members[] = {"a.tsv", "b.tsv"};
    const char *path = save_zip("two.zip", 2, members);
    char sentence[600];
    assert_int_equal(dgmi_bytes_stream_open(ctx, path, &stream), DGM_ERROR_FORMAT);
    snprintf(sentence, sizeof sentence,
             "%s: the zip holds 2 files (a.tsv, b.tsv); unpack it and name the one to read", path);
    assert_string_equal(dgm_context_error(ctx), sentence);
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
    const char *const folder[] = {"__MACOSX/a"};
    path = save_zip("none.zip", 1, folder);
    assert_int_equal(dgmi_bytes_stream_open(ctx, path, &stream), DGM_ERROR_FORMAT);
    snprintf(sentence, sizeof sentence, "%s: the zip holds no file", path);
    assert_string_equal(dgm_context_error(ctx), sentence);
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
    assert_int_equal(dgmi_bytes_stream_open(ctx, io_folder, &stream), DGM_ERROR_FILE);
    snprintf(sentence, sizeof sentence, "%s: this is a folder, and a file is needed here",
             io_folder);
    assert_string_equal(dgm_context_error(ctx), sentence);
    assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_compression_comes_back),
        cmocka_unit_test(compression_is_found_by_content),
        cmocka_unit_test(an_empty_text_comes_back_from_any_compression),
        cmocka_unit_test(a_truncated_file_is_an_error_wherever_it_was_cut),
        cmocka_unit_test(a_gzip_file_whose_checksum_differs_is_damaged),
        cmocka_unit_test(gzip_members_one_behind_the_other_are_one_text),
        cmocka_unit_test(only_zeros_may_follow_a_gzip_file),
        cmocka_unit_test(a_packed_file_unfolds_to_so_much_and_no_more),
        cmocka_unit_test(the_one_file_of_a_zip_is_read),
        cmocka_unit_test(a_zip_of_several_files_lists_them),
        cmocka_unit_test(packed_files_are_read_through_pipes),
        cmocka_unit_test(a_truncated_zip_is_damaged),
        cmocka_unit_test(missing_files_and_folders_are_errors_of_files),
        cmocka_unit_test(peeking_consumes_nothing),
        cmocka_unit_test(inner_names_lose_folder_compression_and_case),
        cmocka_unit_test(checksums_are_those_of_the_standard),
        cmocka_unit_test(many_files_of_a_zip_are_not_all_listed),
        cmocka_unit_test(folders_in_a_zip_are_no_files),
        cmocka_unit_test(a_zip_whose_member_lies_outside_it_is_damaged),
        cmocka_unit_test(the_beginning_of_a_packed_file_alone_is_damaged),
        cmocka_unit_test(a_truncated_gzip_file_is_damaged_however_little_is_read_at_a_time),
        cmocka_unit_test(a_place_outside_the_file_cannot_be_sought),
        cmocka_unit_test(a_file_is_no_folder),
        cmocka_unit_test(checksums_of_any_length_are_those_of_a_plain_loop),
        cmocka_unit_test(the_limit_of_unpacking_is_met_exactly),
        cmocka_unit_test(the_fraction_is_that_of_the_bytes_read),
        cmocka_unit_test(the_end_of_a_file_can_be_sought),
        cmocka_unit_test(endings_are_found_in_any_case_and_may_be_all),
        cmocka_unit_test(a_file_that_only_begins_like_the_folder_of_macos_is_read),
        cmocka_unit_test(what_cannot_be_read_has_no_place_in_the_file),
    };
    return RUN_GROUP(tests, io_setup, io_teardown);
}
