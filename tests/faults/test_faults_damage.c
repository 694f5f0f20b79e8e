/* SPDX-License-Identifier: Apache-2.0 */
/* Packed files in which one bit is wrong: an error, or the same graph; never another one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <archive.h>
#include <archive_entry.h>

#include "../check_graph.h"
#include "../unit/io_scratch.h"

/* Names whose neighbours differ by a bit, so that a wrong byte gives another graph. */
static char *make_text(void) {
    enum { EDGES = 120, SPACE = 4096 };
    char *text = malloc(SPACE);
    size_t used = 0;
    for (int i = 0; i < EDGES; i++)
        used += (size_t)snprintf(text + used, SPACE - used, "%c%c %c%c\n", 'a' + i % 26,
                                 'a' + i / 5 % 26, 'a' + i * 7 % 26, 'a' + i * i % 23);
    return text;
}

static dgm_status read_bytes(const void *data, size_t size, const char *name, dgm_graph **graph) {
    return dgm_graph_read_memory(ctx, data, size, name, DGM_FORMAT_AUTO, NULL, graph);
}

/* Flips one bit after the other, or every step-th; with DGM_TEST_LONG every one. */
static void flip_bits(const char *path, size_t step) {
    size_t size;
    char *packed = scratch_content(path, &size);
    dgm_graph *whole = NULL;
    assert_int_equal(read_bytes(packed, size, path, &whole), DGM_OK);
    size_t refused = 0, flipped = 0;
    const char *given = getenv("DGM_TEST_LONG");
    step = given && strcmp(given, "0") != 0 ? 1 : step;
    for (size_t bit = 0; bit < 8 * size; bit += step, flipped++) {
        dgm_graph *graph = NULL;
        packed[bit / 8] ^= (char)(1 << bit % 8);
        if (read_bytes(packed, size, path, &graph) == DGM_OK) {
            const char *wrong = check_same_graph(whole, graph, CHECK_NAMES | CHECK_TABLES);
            if (wrong)
                fail_msg("%s: bit %zu of byte %zu of %zu: %s", path, bit % 8, bit / 8, size, wrong);
        } else {
            refused++;
        }
        dgm_graph_free(graph);
        packed[bit / 8] ^= (char)(1 << bit % 8);
    }
    print_message("# %s: %zu of %zu bits refused\n", path, refused, flipped);
    assert_true(refused > flipped / 2); /* most bytes matter */
    dgm_graph_free(whole);
    free(packed);
}

static void write_packed(const char *name) {
    char *text = make_text();
    dgm_graph *graph = NULL;
    assert_int_equal(read_bytes(text, strlen(text), "names.tsv", &graph), DGM_OK);
    assert_int_equal(dgm_graph_write(ctx, graph, scratch_path(name), DGM_FORMAT_AUTO), DGM_OK);
    dgm_graph_free(graph);
    free(text);
}

static void a_wrong_bit_of_a_gzip_file_is_no_other_graph(void **state) {
    (void)state;
    write_packed("names.tsv.gz");
    flip_bits(scratch_path("names.tsv.gz"), 1);
}

static void a_wrong_bit_in_any_of_several_gzip_members_is_no_other_graph(void **state) {
    (void)state;
    size_t size;
    write_packed("one.tsv.gz");
    char *one = scratch_content(scratch_path("one.tsv.gz"), &size);
    char *three = malloc(3 * size);
    for (int i = 0; i < 3; i++)
        memcpy(three + (size_t)i * size, one, size);
    flip_bits(scratch_bytes("three.tsv.gz", three, 3 * size), 7); /* each is the one above */
    free(three);
    free(one);
}

static void a_wrong_bit_of_an_xz_file_is_no_other_graph(void **state) {
    (void)state;
    write_packed("names.tsv.xz");
    flip_bits(scratch_path("names.tsv.xz"), 1);
}

/* As `zstd` writes it, with a checksum. (libarchive writes .zst without one.) */
static void a_wrong_bit_of_a_zstd_file_is_no_other_graph(void **state) {
    (void)state;
    char path[512];
    const char *folder = getenv("DGM_TEST_DATA");
    if (!folder)
        skip();
    snprintf(path, sizeof path, "%s/names.tsv.zst", folder);
    flip_bits(path, 1);
}

static void a_wrong_bit_of_an_npz_file_is_no_other_graph(void **state) {
    (void)state;
    write_packed("names.npz");
    flip_bits(scratch_path("names.npz"), 5); /* five times as long as the others */
}

static void make_zip(const char *path, const char *member, const char *text, const char *how) {
    struct archive *zip = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    archive_write_set_format_zip(zip);
    assert_int_equal(archive_write_set_options(zip, how), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(zip, path), ARCHIVE_OK);
    archive_entry_set_pathname(entry, member);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)strlen(text));
    assert_int_equal(archive_write_header(zip, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(zip, text, strlen(text)), (la_ssize_t)strlen(text));
    archive_entry_free(entry);
    archive_write_free(zip);
}

static void a_wrong_bit_of_a_zip_file_is_no_other_graph(void **state) {
    (void)state;
    static const char *const ways[] = {"zip:compression=deflate", "zip:compression=store"};
    char *text = make_text();
    for (int i = 0; i < 2; i++) {
        make_zip(scratch_path("names.zip"), "names.tsv", text, ways[i]);
        flip_bits(scratch_path("names.zip"), 1);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_bit_of_a_gzip_file_is_no_other_graph),
        cmocka_unit_test(a_wrong_bit_in_any_of_several_gzip_members_is_no_other_graph),
        cmocka_unit_test(a_wrong_bit_of_an_xz_file_is_no_other_graph),
        cmocka_unit_test(a_wrong_bit_of_a_zstd_file_is_no_other_graph),
        cmocka_unit_test(a_wrong_bit_of_a_zip_file_is_no_other_graph),
        cmocka_unit_test(a_wrong_bit_of_an_npz_file_is_no_other_graph),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
