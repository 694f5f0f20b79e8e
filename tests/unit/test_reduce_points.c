/* SPDX-License-Identifier: Apache-2.0 */
/* Points as people bring them: arrays of every kind, broken ones too, read as dgm reduce reads
 * them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io_scratch.h"
#include "numpy_arrays.h"

static dgm_matrix *axes; /* of the last reduction, or NULL */

/* What dgm reduce does with a file. */
static dgm_status reduce_file(dgm_context *own, const char *path, const char *method) {
    dgm_matrix *table = NULL;
    dgm_graph *ids = NULL;
    axes = NULL;
    dgm_status status = dgm_matrix_read_ids(own, path, &ids, &table);
    assert_true((status == DGM_OK) == (table != NULL));
    if (status == DGM_OK) {
        dgm_points points = dgm_points_of_matrix(table);
        status = dgm_reduce_run(own, &points, method, 0, 1, NULL, &axes);
    }
    assert_true((status == DGM_OK) == (axes != NULL));
    dgm_matrix_free(table);
    dgm_graph_free(ids);
    return status;
}

#define REDUCES(array, columns, values)                                                            \
    reduces(scratch_bytes(#array ".npy", array, sizeof(array)), columns, values)
#define REFUSES(array, expected, words)                                                            \
    refuses(scratch_bytes(#array ".npy", array, sizeof(array)), expected, words)

static void reduces(const char *path, int64_t columns, const double *values) {
    if (reduce_file(ctx, path, "none") != DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    assert_int_equal(dgm_matrix_rows(axes), 3);
    assert_int_equal(dgm_matrix_columns(axes), columns);
    for (int64_t i = 0; i < 3 * columns; i++)
        assert_true(dgm_matrix_values(axes)[i] == values[i]);
    dgm_matrix_free(axes);
}

static void refuses(const char *path, dgm_status expected, const char *words) {
    dgm_status status = reduce_file(ctx, path, "pca");
    if (status != expected)
        fail_msg("status %s: %s", dgm_status_name(status), dgm_context_error(ctx));
    scratch_check_error(words);
}

static void arrays_of_any_number_type_and_order_are_read(void **state) {
    (void)state;
    static const double grid[] = {1, 2, 3, 4, 5, 6}, flags[] = {1, 0, 1};
    REDUCES(grid_i1, 2, grid);
    REDUCES(grid_u1, 2, grid);
    REDUCES(grid_little_i2, 2, grid);
    REDUCES(grid_big_u2, 2, grid);
    REDUCES(grid_big_i4, 2, grid);
    REDUCES(grid_little_u4, 2, grid);
    REDUCES(grid_little_i8, 2, grid);
    REDUCES(grid_big_u8, 2, grid);
    REDUCES(grid_little_f2, 2, grid);
    REDUCES(grid_big_f2, 2, grid);
    REDUCES(grid_little_f4, 2, grid);
    REDUCES(grid_big_f4, 2, grid);
    REDUCES(grid_little_f8, 2, grid);
    REDUCES(grid_big_f8, 2, grid);
    REDUCES(grid_fortran, 2, grid);
    REDUCES(grid_version2, 2, grid);
    REDUCES(grid_version3, 2, grid);
    REDUCES(vector_bool, 1, flags);
}

static void a_single_column_is_reduced_to_itself(void **state) {
    (void)state;
    const char *path = scratch_bytes("v.npy", vector_bool, sizeof vector_bool);
    refuses(path, DGM_ERROR_USAGE, "1 column cannot be reduced to 2 axes");
    assert_int_equal(reduce_file(ctx, path, "prob"), DGM_OK);
    assert_true(fabs(dgm_matrix_values(axes)[1] - 0.5) < 1e-15);
    dgm_matrix_free(axes);
}

static void arrays_that_hold_no_rows_of_numbers_are_refused(void **state) {
    (void)state;
    REFUSES(objects, DGM_ERROR_FORMAT, "objects.npy: ");
    REFUSES(records, DGM_ERROR_FORMAT, "records.npy: ");
    REFUSES(strings, DGM_ERROR_FORMAT, "strings.npy: ");
    REFUSES(complexes, DGM_ERROR_FORMAT, "complexes.npy: ");
    REFUSES(scalar, DGM_ERROR_FORMAT, "scalar.npy: an array of shape ()");
    REFUSES(empty, DGM_ERROR_DATA, "0 rows of 2 columns: there is nothing to reduce");
    refuses(scratch_text("text.npy", "1 2\n3 4\n"), DGM_ERROR_FORMAT, "not a NumPy array");
    refuses(scratch_text("nothing.npy", ""), DGM_ERROR_FORMAT, "nothing.npy: ");
    refuses(scratch_text("pickle.npy", "\x80\x04K\x05."), DGM_ERROR_FORMAT, "this is a pickle");
    refuses(scratch_path("missing.npy"), DGM_ERROR_FILE, "missing.npy: no such file");
}

/* The header's shape can be had of no file this small. */
static void shapes_that_lie_are_refused_before_memory_is_asked_for(void **state) {
    (void)state;
    static const char *const shapes[] = {"(900000000000, 2), }",
                                         "(3, 9000000000000000000), }",
                                         "(99999999999999999999, 2), }",
                                         "(-3, 2), }",
                                         "(3, 2, 1), }",
                                         "(3, 0), }"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        unsigned char array[sizeof grid_little_f8];
        memcpy(array, grid_little_f8, sizeof array);
        char *shape = strstr((char *)array + 10, "(3, 2), }");
        assert_non_null(shape);
        memcpy(shape, shapes[i], strlen(shapes[i]));
        dgm_status status = reduce_file(ctx, scratch_bytes("lie.npy", array, sizeof array), "none");
        if (status == DGM_OK)
            fail_msg("a shape of %s is read", shapes[i]);
        scratch_check_error("lie.npy: ");
    }
}

static void numbers_that_are_not_finite_are_named(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        unsigned char array[sizeof grid_little_f8];
        memcpy(array, grid_little_f8, sizeof array);
        memcpy(array + sizeof array - 2 * sizeof *bad, &bad[i], sizeof *bad);
        refuses(scratch_bytes("bad.npy", array, sizeof array), DGM_ERROR_DATA,
                "bad.npy: row 2, column 0 (counted from 0) is ");
    }
}

/* Any part of a file is refused with one line; no number is made up. */
static void a_file_cut_anywhere_is_refused(void **state) {
    (void)state;
    for (size_t size = 0; size < sizeof grid_little_f8; size++) {
        const char *path = scratch_bytes("cut.npy", grid_little_f8, size);
        if (reduce_file(ctx, path, "pca") == DGM_OK)
            fail_msg("%zu bytes are read", size);
        scratch_check_error("cut.npy");
    }
}

/* Each byte of the header changed: read or refused, never more. */
static void a_header_with_any_byte_wrong_does_no_harm(void **state) {
    (void)state;
    static const unsigned char wrong[] = {0, '9', '(', 0xff, '\n', '\''};
    for (size_t at = 0; at < 128; at++)
        for (size_t w = 0; w < sizeof wrong; w++) {
            unsigned char array[sizeof grid_little_f8];
            memcpy(array, grid_little_f8, sizeof array);
            array[at] = wrong[w];
            dgm_status status =
                reduce_file(ctx, scratch_bytes("wrong.npy", array, sizeof array), "none");
            if (status != DGM_OK)
                assert_true(strlen(dgm_context_error(ctx)) > 0);
            dgm_matrix_free(axes);
        }
}

static dgm_status reduce_once(void *path) {
    dgm_status status = reduce_file(ctx, path, "pca");
    dgm_matrix_free(axes);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    char path[512];
    strcpy(path, scratch_bytes("a.npy", grid_fortran, sizeof grid_fortran));
    scratch_fail_each(reduce_once, path);
    strcpy(path, scratch_text("a.csv", "id,x,y\nana,1,2\nbob,2,3\ncy,9,9\n"));
    scratch_fail_each(reduce_once, path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_of_any_number_type_and_order_are_read),
        cmocka_unit_test(a_single_column_is_reduced_to_itself),
        cmocka_unit_test(arrays_that_hold_no_rows_of_numbers_are_refused),
        cmocka_unit_test(shapes_that_lie_are_refused_before_memory_is_asked_for),
        cmocka_unit_test(numbers_that_are_not_finite_are_named),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(a_header_with_any_byte_wrong_does_no_harm),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return RUN_GROUP(tests, scratch_begin, scratch_end);
}
