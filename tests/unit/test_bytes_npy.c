/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "npy_sample.h"
#include "numpy_arrays.h"

static void expect_grid(const void *data, size_t size) {
    dgmi_bytes_npy npy;
    void *values;
    const double grid[] = {1, 2, 3, 4, 5, 6};
    assert_int_equal(read_as(data, size, DGMI_BYTES_NPY_REAL, &npy, &values), DGM_OK);
    assert_int_equal(npy.dimensions, 2);
    assert_int_equal(npy.shape[0], 3);
    assert_int_equal(npy.shape[1], 2);
    assert_memory_equal(values, grid, sizeof grid);
    dgmi_free(ctx, values);
    const uint32_t nodes[] = {1, 2, 3, 4, 5, 6};
    assert_int_equal(read_as(data, size, DGMI_BYTES_NPY_NODE, &npy, &values), DGM_OK);
    assert_memory_equal(values, nodes, sizeof nodes);
    dgmi_free(ctx, values);
}
#define EXPECT_GRID(array) expect_grid(array, sizeof(array))

static void every_number_type_and_byte_order_is_read(void **state) {
    (void)state;
    EXPECT_GRID(grid_i1);
    EXPECT_GRID(grid_u1);
    EXPECT_GRID(grid_little_i2);
    EXPECT_GRID(grid_big_i2);
    EXPECT_GRID(grid_little_u2);
    EXPECT_GRID(grid_big_u2);
    EXPECT_GRID(grid_little_i4);
    EXPECT_GRID(grid_big_i4);
    EXPECT_GRID(grid_little_u4);
    EXPECT_GRID(grid_big_u4);
    EXPECT_GRID(grid_little_i8);
    EXPECT_GRID(grid_big_i8);
    EXPECT_GRID(grid_little_u8);
    EXPECT_GRID(grid_big_u8);
    EXPECT_GRID(grid_little_f2);
    EXPECT_GRID(grid_big_f2);
    EXPECT_GRID(grid_little_f4);
    EXPECT_GRID(grid_big_f4);
    EXPECT_GRID(grid_little_f8);
    EXPECT_GRID(grid_big_f8);
}

static void every_version_and_order_is_read(void **state) {
    (void)state;
    EXPECT_GRID(grid_fortran);
    EXPECT_GRID(grid_version2);
    EXPECT_GRID(grid_version3);
}

static void booleans_halves_scalars_and_empty_arrays_are_read(void **state) {
    (void)state;
    dgmi_bytes_npy npy;
    void *values;
    const uint8_t flags[] = {1, 0, 1};
    assert_int_equal(read_as(vector_bool, sizeof vector_bool, DGMI_BYTES_NPY_FLAG, &npy, &values),
                     DGM_OK);
    assert_memory_equal(values, flags, sizeof flags);
    dgmi_free(ctx, values);
    const double halves[] = {0, -1.5, 65504, 0x1p-24, 0x1p-14};
    assert_int_equal(read_as(vector_half, sizeof vector_half, DGMI_BYTES_NPY_REAL, &npy, &values),
                     DGM_OK);
    assert_memory_equal(values, halves, sizeof halves);
    dgmi_free(ctx, values);
    assert_int_equal(read_as(scalar, sizeof scalar, DGMI_BYTES_NPY_COUNT, &npy, &values), DGM_OK);
    assert_int_equal(npy.dimensions, 0);
    assert_int_equal(*(int64_t *)values, 7);
    dgmi_free(ctx, values);
    assert_int_equal(read_as(empty, sizeof empty, DGMI_BYTES_NPY_REAL, &npy, &values), DGM_OK);
    assert_int_equal(npy.count, 0);
    dgmi_free(ctx, values);
}

/* So many numbers that they are read in several blocks. */
static void every_block_of_a_long_array_stands_behind_the_one_before(void **state) {
    (void)state;
    enum { COUNT_OF = 40000, HEADER = 128 };
    unsigned char *data = malloc(HEADER + COUNT_OF * sizeof(int32_t));
    dgmi_bytes_npy npy;
    void *values;
    assert_non_null(data);
    memcpy(data, "\x93NUMPY\1\0\x76\0", 10);
    int used = snprintf((char *)data + 10, HEADER - 10,
                        "{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }", COUNT_OF);
    memset(data + 10 + used, ' ', (size_t)(HEADER - 11 - used));
    data[HEADER - 1] = '\n';
    for (int32_t i = 0; i < COUNT_OF; i++)
        memcpy(data + HEADER + (size_t)i * sizeof i, &i, sizeof i);
    assert_int_equal(
        read_as(data, HEADER + COUNT_OF * sizeof(int32_t), DGMI_BYTES_NPY_COUNT, &npy, &values),
        DGM_OK);
    for (int64_t i = 0; i < COUNT_OF; i++)
        assert_int_equal(((int64_t *)values)[i], i);
    dgmi_free(ctx, values);
    free(data);
}

static void pickles_records_strings_and_complex_numbers_are_refused(void **state) {
    (void)state;
    expect_refusal(objects, sizeof objects, DGMI_BYTES_NPY_REAL, DGM_ERROR_FORMAT, "pickle");
    expect_refusal(records, sizeof records, DGMI_BYTES_NPY_REAL, DGM_ERROR_FORMAT, "records");
    expect_refusal(strings, sizeof strings, DGMI_BYTES_NPY_REAL, DGM_ERROR_FORMAT, "strings");
    expect_refusal(complexes, sizeof complexes, DGMI_BYTES_NPY_REAL, DGM_ERROR_FORMAT, "complex");
}

static void a_header_that_promises_more_than_there_is_is_refused(void **state) {
    (void)state;
    expect_header("{'descr': '<f8', 'fortran_order': False, 'shape': (65536, 65536), }\n",
                  "only 16 bytes of data are there");
    expect_header("{'descr': '<f8', 'fortran_order': True, 'shape': (4294967296,), }\n",
                  "only 16 bytes of data are there");
    expect_header("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }\n",
                  "only 16 bytes of data are there");
    expect_header("{'descr': '<f8', 'fortran_order': False, 'shape': (9000000000, 9000000000), }\n",
                  "more than any machine holds");
    expect_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n", "data go on");
}

static void damaged_headers_are_refused(void **state) {
    (void)state;
    static const char *const headers[] = {
        "",
        "{",
        "{}",
        "[]",
        "{'descr': '<f8'}",
        "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2, }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-2,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,2), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': 2, }",
        "{'descr': '<f8, 'fortran_order': False, 'shape': (2,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'more': 1}",
        "{'descr': '<f8' 'fortran_order': False, 'shape': (2,)}",
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        expect_header(headers[i], "header of the array cannot be read");
    static const char *const types[] = {"f8",   "<f3",  "<q8", "",      "<",
                                        "<i16", "<f8x", "|V8", "<M8[s]"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        char header[128];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (2,), }",
                 types[i]);
        expect_header(header, types[i][0] ? "the array holds" : "cannot be read");
    }
}

static void other_files_and_short_ones_are_refused(void **state) {
    (void)state;
    expect_refusal("", 0, DGMI_BYTES_NPY_REAL, DGM_ERROR_FORMAT, "not a NumPy array");
    expect_refusal(grid_i1, 9, DGMI_BYTES_NPY_REAL, DGM_ERROR_FORMAT, "cut off");
    expect_refusal("1 2\n3 4\n5 6\n", 12, DGMI_BYTES_NPY_REAL, DGM_ERROR_FORMAT,
                   "not a NumPy array");
    expect_refusal("\x93NUMPY\4\0\0\0\0\0\0\0", 14, DGMI_BYTES_NPY_REAL, DGM_ERROR_FORMAT,
                   "version 4");
    expect_refusal("\x93NUMPY\2\0\xff\xff\xff\x7f", 12, DGMI_BYTES_NPY_REAL, DGM_ERROR_FORMAT,
                   "too long");
    for (size_t size = 1; size < sizeof grid_little_f8; size++)
        expect_refusal(grid_little_f8, size, DGMI_BYTES_NPY_REAL, DGM_ERROR_FORMAT, "");
}

static void elements_out_of_bounds_are_named_by_row_and_column(void **state) {
    (void)state;
    unsigned char file[512];
    const char *reals = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}";
    const char *turned = "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2)}";
    const double nan_at_2[] = {1, 2, (double)NAN, 4};
    size_t size = make(file, reals, nan_at_2, sizeof nan_at_2);
    expect_refusal(file, size, DGMI_BYTES_NPY_REAL, DGM_ERROR_DATA, "row 1, column 0");
    size = make(file, turned, nan_at_2, sizeof nan_at_2);
    expect_refusal(file, size, DGMI_BYTES_NPY_REAL, DGM_ERROR_DATA, "row 0, column 1");
    const double large[] = {1, 2, 3, 1e39};
    size = make(file, reals, large, sizeof large);
    expect_refusal(file, size, DGMI_BYTES_NPY_FLOAT, DGM_ERROR_DATA, "row 1, column 1");
    const double half[] = {1, 0.5, 3, 4};
    size = make(file, reals, half, sizeof half);
    expect_refusal(file, size, DGMI_BYTES_NPY_LABEL, DGM_ERROR_DATA, "is 0.5, not a class");
    const char *integers = "{'descr': '<i8', 'fortran_order': False, 'shape': (2,)}";
    const int64_t bad[][2] = {{0, -1}, {0, INT64_MAX}, {0, INT64_MIN}, {0, 2147483647}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size = make(file, integers, bad[i], sizeof bad[i]);
        expect_refusal(file, size, DGMI_BYTES_NPY_NODE, DGM_ERROR_DATA, "row 1 ");
    }
    const char *natural = "{'descr': '<u8', 'fortran_order': False, 'shape': (2,)}";
    const uint64_t beyond[] = {0, UINT64_MAX};
    size = make(file, natural, beyond, sizeof beyond);
    expect_refusal(file, size, DGMI_BYTES_NPY_NODE, DGM_ERROR_DATA, "row 1 ");
}

static void headers_written_are_as_numpy_writes_them(void **state) {
    (void)state;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgmi_bytes_npy_header(&text, "<f8", 3, 2);
    assert_int_equal(text.length, sizeof grid_little_f8 - 6 * sizeof(double));
    assert_memory_equal(text.data, grid_little_f8, (size_t)text.length);
    dgmi_text_free(&text);
    dgmi_text_init(&text, ctx);
    dgmi_bytes_npy_header(&text, "|b1", 3, -1);
    assert_memory_equal(text.data, vector_bool, (size_t)text.length);
    dgmi_text_free(&text);
    dgmi_text_init(&text, ctx);
    dgmi_bytes_npy_header(&text, "<i8", -1, -1);
    assert_memory_equal(text.data, scalar, (size_t)text.length);
    dgmi_text_free(&text);
}

static dgm_status read_fortran(void *argument) {
    dgmi_bytes_npy npy;
    void *values;
    (void)argument;
    dgm_status status =
        read_as(grid_fortran, sizeof grid_fortran, DGMI_BYTES_NPY_FLOAT, &npy, &values);
    dgmi_free(ctx, values);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    scratch_fail_each(read_fortran, NULL);
}

static void headers_say_type_order_and_shape_and_end(void **state) {
    (void)state;
    static const char *const headers[] = {
        "{'fortran_order': False, 'shape': (2,), }",
        "{'descr': '<f8', 'shape': (2,), }",
        "{'descr': '<f8', 'fortran_order': False, }",
        "{'descr': '<f8', 'fortran_order': Tr",
        "{'descr': '<f8', 'fortran_order': ",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)",
        "{'descr",
        "{'descr'",
        "{'descr':",
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        expect_header(headers[i], "header of the array cannot be read");
    expect_header("{'descr': '<f8', 'fortran_order': False, 'shape': (2000000000000000000,), }",
                  "more than any machine holds");
    expect_header("{'descr': '|u1', 'fortran_order': False, 'shape': (2000000000000000000,), }",
                  "only 16 bytes of data are there");
}

static void halves_that_are_not_finite_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *bytes, *words;
    } cases[] = {{"\0\x7c", "row 0 (counted from 0) is inf, not a finite number"},
                 {"\0\xfc", "row 0 (counted from 0) is -inf, not a finite number"},
                 {"\1\x7e", "nan, not a finite number"}};
    unsigned char file[512];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t size = make(file, "{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }\n",
                           cases[k].bytes, 2);
        expect_refusal(file, size, DGMI_BYTES_NPY_REAL, DGM_ERROR_DATA, cases[k].words);
    }
}

static void labels_may_be_unsigned_and_stand_in_a_column_or_a_row(void **state) {
    (void)state;
    static const char *const layouts[][2] = {
        {"True", "(3, 1)"}, {"False", "(3, 1)"}, {"True", "(1, 3)"}, {"False", "(1, 3)"}};
    const int32_t labels[] = {2, 0, 7};
    for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++) {
        unsigned char file[512];
        char header[128];
        dgmi_bytes_npy npy;
        void *found;
        snprintf(header, sizeof header, "{'descr': '<u4', 'fortran_order': %s, 'shape': %s, }",
                 layouts[k][0], layouts[k][1]);
        size_t size = make(file, header, "\2\0\0\0\0\0\0\0\7\0\0", 12);
        assert_int_equal(read_as(file, size, DGMI_BYTES_NPY_LABEL, &npy, &found), DGM_OK);
        assert_memory_equal(found, labels, sizeof labels);
        dgmi_free(ctx, found);
    }
    unsigned char file[512];
    size_t size = make(file, "{'descr': '<u4', 'fortran_order': False, 'shape': (1,), }\n",
                       "\xff\xff\xff\xff", 4);
    expect_refusal(file, size, DGMI_BYTES_NPY_LABEL, DGM_ERROR_DATA, "is 4294967295, not a class");
}

static void long_shapes_are_cut_in_messages(void **state) {
    (void)state;
    char text[128];
    dgmi_bytes_npy npy = {.dimensions = DGMI_BYTES_NPY_DIMENSIONS};
    for (int k = 0; k < DGMI_BYTES_NPY_DIMENSIONS; k++)
        npy.shape[k] = INT64_MAX;
    assert_string_equal(dgmi_bytes_npy_shape_text(&npy, text),
                        "(9223372036854775807, 9223372036854775807, 9223372036854775807, "
                        "9223372036854775807, 9223372036854775807)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_type_and_byte_order_is_read),
        cmocka_unit_test(every_version_and_order_is_read),
        cmocka_unit_test(booleans_halves_scalars_and_empty_arrays_are_read),
        cmocka_unit_test(every_block_of_a_long_array_stands_behind_the_one_before),
        cmocka_unit_test(pickles_records_strings_and_complex_numbers_are_refused),
        cmocka_unit_test(a_header_that_promises_more_than_there_is_is_refused),
        cmocka_unit_test(damaged_headers_are_refused),
        cmocka_unit_test(other_files_and_short_ones_are_refused),
        cmocka_unit_test(elements_out_of_bounds_are_named_by_row_and_column),
        cmocka_unit_test(headers_written_are_as_numpy_writes_them),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(headers_say_type_order_and_shape_and_end),
        cmocka_unit_test(halves_that_are_not_finite_are_refused),
        cmocka_unit_test(labels_may_be_unsigned_and_stand_in_a_column_or_a_row),
        cmocka_unit_test(long_shapes_are_cut_in_messages),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
