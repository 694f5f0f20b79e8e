/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays at the limits of what is read, and what is said of those beyond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "npy_sample.h"

/* ---- the header's limits ---- */

static void headers_have_at_most_65536_bytes(void **state) {
    (void)state;
    static const char header[] = "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }";
    static unsigned char file[12 + 65537 + 1];
    dgmi_bytes_npy npy;
    void *values;
    memset(file, ' ', sizeof file);
    memcpy(file, "\x93NUMPY\2\0\0\0\1\0", 12);
    memcpy(file + 12, header, sizeof header - 1);
    file[12 + 65536] = 7;
    assert_int_equal(read_as(file, 12 + 65536 + 1, DGMI_BYTES_NPY_COUNT, &npy, &values), DGM_OK);
    assert_int_equal(*(int64_t *)values, 7);
    dgmi_free(ctx, values);
    file[8] = 1;
    expect_refusal(file, sizeof file, DGMI_BYTES_NPY_COUNT, DGM_ERROR_FORMAT,
                   "a header of 65537 bytes is too long");
    memcpy(file + 8, "\0\0\0\1", 4);
    expect_refusal(file, sizeof file, DGMI_BYTES_NPY_COUNT, DGM_ERROR_FORMAT,
                   "a header of 16777216 bytes is too long");
    file[6] = 0;
    expect_refusal(file, sizeof file, DGMI_BYTES_NPY_COUNT, DGM_ERROR_FORMAT,
                   "version 0 of the .npy format is not known (1, 2 and 3 are)");
}

static void shapes_have_up_to_eight_dimensions(void **state) {
    (void)state;
    static const char *const shapes[] = {"(1, 1, 1, 1, 1, 1, 1, 2)", "(2L,)", "(2L, 1L)", "(2 , )"};
    static const int dimensions[] = {8, 1, 2, 1};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        unsigned char file[512];
        char header[160];
        dgmi_bytes_npy npy;
        void *values;
        snprintf(header, sizeof header,
                 "{\"descr\": \"|u1\", 'fortran_order': False, 'shape': %s, }", shapes[i]);
        size_t size = make(file, header, "\3\4", 2);
        assert_int_equal(read_as(file, size, DGMI_BYTES_NPY_COUNT, &npy, &values), DGM_OK);
        assert_int_equal(npy.dimensions, dimensions[i]);
        assert_int_equal(npy.count, 2);
        assert_int_equal(((int64_t *)values)[1], 4);
        dgmi_free(ctx, values);
    }
}

static void types_that_are_refused_are_named(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"|O", "Python objects (a pickle) (|O)"},
                                           {"<U5", "strings (<U5)"},
                                           {"|S5", "strings (|S5)"},
                                           {"<c16", "complex numbers (<c16)"},
                                           {"<M8[s]", "dates (<M8[s])"},
                                           {"<m8", "dates (<m8)"},
                                           {"|V8", "records (|V8)"},
                                           {"<", "records (<)"},
                                           {"c8", "complex numbers (c8)"},
                                           {"<q8", "a type that is not known (<q8)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char header[128], words[160];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }",
                 cases[i][0]);
        snprintf(words, sizeof words, "a.npy: the array holds %s; save booleans, integers or reals",
                 cases[i][1]);
        expect_header(header, words);
        assert_int_equal(dgm_context_error_parts(ctx).byte, -1);
    }
}

static void data_that_end_early_are_counted(void **state) {
    (void)state;
    enum { THERE = 17000 };
    unsigned char *file = calloc(1, 128 + 4 * THERE);
    expect_header("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }",
                  "a.npy: the header promises (3,) elements of 8 bytes (2.4e-05 MB), but only 16 "
                  "bytes of data are there");
    size_t size = make(file, "{'descr': '<i4', 'fortran_order': False, 'shape': (20000, 2), }\n",
                       file + 128, 0);
    expect_refusal(file, size + 4 * THERE, DGMI_BYTES_NPY_COUNT, DGM_ERROR_FORMAT,
                   "the header promises (20000, 2) elements of 4 bytes (0.16 MB), but only 68000 "
                   "bytes of data are there");
    free(file);
}

/* ---- elements ---- */

static dgm_status read_pair(const char *descr, const void *pair, size_t size,
                            dgmi_bytes_npy_type type, void **values) {
    unsigned char file[512];
    char header[128];
    dgmi_bytes_npy npy;
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }",
             descr);
    return read_as(file, make(file, header, pair, size), type, &npy, values);
}

static void nodes_end_below_the_largest_number(void **state) {
    (void)state;
    void *values;
    const int32_t narrow[] = {2147483646, 0}, beyond[] = {2147483647, 0}, below[] = {-1, 0};
    const int64_t wide[] = {2147483646, 1}, carried[] = {INT64_C(1) << 32, 0};
    assert_int_equal(read_pair("<i4", narrow, sizeof narrow, DGMI_BYTES_NPY_NODE, &values), DGM_OK);
    assert_int_equal(((uint32_t *)values)[0], 2147483646);
    dgmi_free(ctx, values);
    assert_int_equal(read_pair("<i8", wide, sizeof wide, DGMI_BYTES_NPY_NODE, &values), DGM_OK);
    assert_int_equal(((uint32_t *)values)[0], 2147483646);
    assert_int_equal(((uint32_t *)values)[1], 1);
    dgmi_free(ctx, values);
    assert_int_equal(read_pair("<i4", beyond, sizeof beyond, DGMI_BYTES_NPY_NODE, &values),
                     DGM_ERROR_DATA);
    scratch_check_error("a.npy: row 0 (counted from 0) is 2147483647, not a node (0 to "
                        "2147483646)");
    assert_int_equal(read_pair("<i4", below, sizeof below, DGMI_BYTES_NPY_NODE, &values),
                     DGM_ERROR_DATA);
    scratch_check_error("row 0 (counted from 0) is -1, not a node");
    assert_int_equal(read_pair("<i8", carried, sizeof carried, DGMI_BYTES_NPY_NODE, &values),
                     DGM_ERROR_DATA);
    scratch_check_error("row 0 (counted from 0) is 4294967296, not a node");
}

static void labels_flags_counts_and_places_have_their_bounds(void **state) {
    (void)state;
    static const struct {
        dgmi_bytes_npy_type type;
        int64_t least, most;
    } bounds[] = {{DGMI_BYTES_NPY_LABEL, -1, (1 << 24) - 1},
                  {DGMI_BYTES_NPY_FLAG, 0, 1},
                  {DGMI_BYTES_NPY_COUNT, 0, 2147483647},
                  {DGMI_BYTES_NPY_PLACE, 0, INT64_MAX}};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        void *values;
        const int64_t good[] = {bounds[i].least, bounds[i].most}, low[] = {0, bounds[i].least - 1};
        assert_int_equal(read_pair("<i8", good, sizeof good, bounds[i].type, &values), DGM_OK);
        dgmi_free(ctx, values);
        assert_int_equal(read_pair("<i8", low, sizeof low, bounds[i].type, &values),
                         DGM_ERROR_DATA);
        scratch_check_error("row 1 (counted from 0) is ");
        if (bounds[i].most == INT64_MAX)
            continue;
        const int64_t high[] = {bounds[i].most + 1, 0};
        assert_int_equal(read_pair("<i8", high, sizeof high, bounds[i].type, &values),
                         DGM_ERROR_DATA);
        scratch_check_error("row 0 (counted from 0) is ");
    }
}

static void numbers_that_fit_no_place_are_refused(void **state) {
    (void)state;
    void *values;
    const uint64_t natural[] = {INT64_MAX, 0}, beyond[] = {UINT64_C(1) << 63, 0};
    const double large[] = {0x1p62, 0}, less[] = {0x1p61, 0};
    assert_int_equal(read_pair("<u8", natural, 16, DGMI_BYTES_NPY_PLACE, &values), DGM_OK);
    assert_true(((int64_t *)values)[0] == INT64_MAX);
    dgmi_free(ctx, values);
    assert_int_equal(read_pair("<u8", beyond, 16, DGMI_BYTES_NPY_PLACE, &values), DGM_ERROR_DATA);
    scratch_check_error("is 9.223372036854776e+18, not a place (a whole number from 0)");
    assert_int_equal(read_pair("<f8", less, 16, DGMI_BYTES_NPY_PLACE, &values), DGM_OK);
    assert_true(((int64_t *)values)[0] == INT64_C(1) << 61);
    dgmi_free(ctx, values);
    assert_int_equal(read_pair("<f8", large, 16, DGMI_BYTES_NPY_PLACE, &values), DGM_ERROR_DATA);
    scratch_check_error("is 4.611686018427388e+18, not a place");
}

static void places_in_messages_are_numpys_indices(void **state) {
    (void)state;
    static const char *const cases[][3] = {{"(2, 3)", "False", "row 1, column 2 (counted"},
                                           {"(2, 3)", "True", "row 1, column 2 (counted"},
                                           {"(3, 2)", "False", "row 2, column 1 (counted"},
                                           {"(1, 6)", "False", "row 0, column 5 (counted"},
                                           {"(1, 2, 3)", "False", "element 5 (counted"},
                                           {"(6,)", "True", "row 5 (counted"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char file[512];
        char header[128];
        snprintf(header, sizeof header, "{'descr': '|i1', 'fortran_order': %s, 'shape': %s, }",
                 cases[i][1], cases[i][0]);
        size_t size = make(file, header, "\0\0\0\0\0\xff", 6);
        expect_refusal(file, size, DGMI_BYTES_NPY_NODE, DGM_ERROR_DATA, cases[i][2]);
    }
    unsigned char file[512];
    size_t size = make(file, "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }",
                       "\0\0\0\xff\0\0", 6);
    expect_refusal(file, size, DGMI_BYTES_NPY_NODE, DGM_ERROR_DATA, "row 1, column 1");
}

/* ---- one short text ---- */

static dgm_status read_bytes(void *user, void *buffer, int64_t size, int64_t *got) {
    return dgmi_bytes_stream_read(user, buffer, size, got);
}

static dgm_status read_word(const char *descr, const char *shape, const void *data, size_t size,
                            char *word, size_t room) {
    unsigned char file[512];
    char header[128];
    dgmi_bytes_stream *stream;
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr,
             shape);
    size_t length = make(file, header, data, size);
    assert_int_equal(dgmi_bytes_stream_open_memory(ctx, file, length, "a.npy", &stream), DGM_OK);
    dgm_status status =
        dgmi_bytes_npy_read_word(ctx, "a.npz", "format", read_bytes, stream, word, room);
    dgmi_bytes_stream_close(stream);
    return status;
}

static void a_short_text_is_read_in_any_encoding(void **state) {
    (void)state;
    char word[64], expected[33];
    assert_int_equal(read_word("|S3", "()", "csr", 3, word, sizeof word), DGM_OK);
    assert_string_equal(word, "csr");
    assert_int_equal(read_word("<U3", "(1,)", "c\0\0\0s\0\0\0r\0\0", 12, word, sizeof word),
                     DGM_OK);
    assert_string_equal(word, "csr");
    assert_int_equal(read_word(">U3", "()", "\0\0\0c\0\0\0s\0\0\0r", 12, word, sizeof word),
                     DGM_OK);
    assert_string_equal(word, "csr");
    assert_int_equal(read_word("|S3", "()", "csr", 3, word, 3), DGM_OK);
    assert_string_equal(word, "cs");
    memset(expected, 'w', 32);
    expected[32] = '\0';
    assert_int_equal(read_word("|S32", "()", expected, 32, word, sizeof word), DGM_OK);
    assert_string_equal(word, expected);
    assert_int_equal(read_word("|S33", "()", "", 0, word, sizeof word), DGM_ERROR_FORMAT);
    scratch_check_error("a.npz: format: the array holds strings (|S33)");
    assert_int_equal(read_word("|S3", "(2,)", "csrcsc", 6, word, sizeof word), DGM_ERROR_FORMAT);
    scratch_check_error("a.npz: format: one short text is needed");
    assert_int_equal(read_word("|u1", "()", "c", 1, word, sizeof word), DGM_ERROR_FORMAT);
    scratch_check_error("one short text is needed");
    assert_int_equal(read_word("|S3", "()", "cs", 2, word, sizeof word), DGM_ERROR_FORMAT);
    scratch_check_error("cut off");
}

/* ---- shapes and headers in words ---- */

static void shapes_are_told_up_to_a_hundred_characters(void **state) {
    (void)state;
    char text[128];
    const int64_t nineteen = INT64_C(1000000000000000000);
    dgmi_bytes_npy npy = {.dimensions = 6, .shape = {nineteen, nineteen, nineteen, nineteen, 0, 7}};
    npy.shape[4] = INT64_C(10000000000000); /* 14 digits: 99 characters so far */
    assert_string_equal(dgmi_bytes_npy_shape_text(&npy, text),
                        "(1000000000000000000, 1000000000000000000, 1000000000000000000, "
                        "1000000000000000000, 10000000000000, 7)");
    npy.shape[4] = INT64_C(100000000000000); /* and one more */
    assert_string_equal(dgmi_bytes_npy_shape_text(&npy, text),
                        "(1000000000000000000, 1000000000000000000, 1000000000000000000, "
                        "1000000000000000000, 100000000000000)");
    npy.dimensions = 1;
    npy.shape[0] = 3;
    assert_string_equal(dgmi_bytes_npy_shape_text(&npy, text), "(3,)");
    npy.dimensions = 0;
    assert_string_equal(dgmi_bytes_npy_shape_text(&npy, text), "()");
}

static void matrices_have_one_or_two_dimensions(void **state) {
    (void)state;
    static const struct {
        int dimensions;
        bool matrix;
        int64_t rows, columns;
    } cases[] = {{0, false, 0, 1}, {1, true, 4, 1}, {2, true, 4, 5}, {3, false, 4, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t rows, columns;
        const dgmi_bytes_npy npy = {.dimensions = cases[i].dimensions, .shape = {4, 5, 6}};
        assert_int_equal(dgmi_bytes_npy_matrix(&npy, &rows, &columns), cases[i].matrix);
        assert_int_equal(rows, cases[i].rows);
        assert_int_equal(columns, cases[i].columns);
    }
}

static void headers_are_padded_to_the_next_multiple_of_64(void **state) {
    (void)state;
    int64_t rows = 1;
    for (int digits = 1; digits <= 18; digits++, rows *= 10)
        for (int64_t columns = -1; columns <= 1000000; columns = columns < 1 ? 1 : 10 * columns) {
            dgmi_text text;
            dgmi_text_init(&text, ctx);
            dgmi_bytes_npy_header(&text, "<f8", rows, columns);
            assert_int_equal(text.length % 64, 0);
            assert_int_equal((unsigned char)text.data[8] + 256 * text.data[9], text.length - 10);
            assert_int_equal(text.data[text.length - 1], '\n');
            const char *closing = strrchr(text.data + 10, '}');
            int64_t blanks = text.data + text.length - 1 - (closing + 1);
            assert_true(blanks >= 0 && blanks < 64);
            dgmi_text_free(&text);
        }
}

/* Whatever stands before the nought: nothing is multiplied that would not fit. */
static void a_dimension_of_nought_leaves_no_elements(void **state) {
    (void)state;
    unsigned char file[512];
    dgmi_bytes_npy npy;
    void *values;
    size_t size = make(file,
                       "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, "
                       "4, 0), }",
                       "", 0);
    assert_int_equal(read_as(file, size, DGMI_BYTES_NPY_REAL, &npy, &values), DGM_OK);
    assert_int_equal(npy.count, 0);
    dgmi_free(ctx, values);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_have_at_most_65536_bytes),
        cmocka_unit_test(shapes_have_up_to_eight_dimensions),
        cmocka_unit_test(types_that_are_refused_are_named),
        cmocka_unit_test(data_that_end_early_are_counted),
        cmocka_unit_test(nodes_end_below_the_largest_number),
        cmocka_unit_test(labels_flags_counts_and_places_have_their_bounds),
        cmocka_unit_test(numbers_that_fit_no_place_are_refused),
        cmocka_unit_test(places_in_messages_are_numpys_indices),
        cmocka_unit_test(a_short_text_is_read_in_any_encoding),
        cmocka_unit_test(shapes_are_told_up_to_a_hundred_characters),
        cmocka_unit_test(matrices_have_one_or_two_dimensions),
        cmocka_unit_test(headers_are_padded_to_the_next_multiple_of_64),
        cmocka_unit_test(a_dimension_of_nought_leaves_no_elements),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
