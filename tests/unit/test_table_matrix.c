/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

#include "base_memory.h"
#include "table_matrix.h"
#include "unit_faults.h"

static void a_new_matrix_is_zero_and_names_its_axes(void **state) {
    (void)state;
    dgm_matrix *matrix;
    assert_int_equal(dgm_matrix_create(ctx, 3, 2, &matrix), DGM_OK);
    assert_int_equal(dgm_matrix_rows(matrix), 3);
    assert_int_equal(dgm_matrix_columns(matrix), 2);
    for (int i = 0; i < 6; i++)
        assert_true(dgm_matrix_values(matrix)[i] == 0);
    assert_string_equal(dgm_matrix_column_name(matrix, 0), "axis1");
    assert_string_equal(dgm_matrix_column_name(matrix, 1), "axis2");
    assert_int_equal(dgm_matrix_set_column_name(ctx, matrix, 1, "height"), DGM_OK);
    assert_string_equal(dgm_matrix_column_name(matrix, 1), "height");
    dgm_matrix_free(matrix);
    dgm_matrix_free(NULL);
}

static void a_matrix_may_be_empty(void **state) {
    (void)state;
    dgm_matrix *matrix;
    assert_int_equal(dgm_matrix_create(ctx, 0, 3, &matrix), DGM_OK);
    assert_int_equal(dgm_matrix_columns(matrix), 3);
    assert_non_null(dgm_matrix_values(matrix));
    dgm_matrix_free(matrix);
    assert_int_equal(dgm_matrix_create(ctx, 3, 0, &matrix), DGM_OK);
    assert_int_equal(dgm_matrix_rows(matrix), 3);
    dgm_matrix_free(matrix);
}

static void impossible_sizes_are_refused(void **state) {
    (void)state;
    dgm_matrix *matrix;
    ASSERT_FAILS(dgm_matrix_create(ctx, -1, 2, &matrix), DGM_ERROR_USAGE,
                 "a matrix of -1 rows and 2 columns is not possible");
    assert_null(matrix);
    assert_int_equal(dgm_matrix_create(ctx, 2, -1, &matrix), DGM_ERROR_USAGE);
    assert_int_equal(dgm_matrix_create(ctx, INT64_MAX / 2 + 1, 2, &matrix), DGM_ERROR_USAGE);
    assert_int_equal(dgm_matrix_create(ctx, INT64_MAX / 2, 2, &matrix), DGM_ERROR_MEMORY);
    assert_null(matrix);
}

static void matrices_stand_side_by_side(void **state) {
    (void)state;
    dgm_matrix *left = build_matrix(2, 1, (const double[]){1, 4});
    dgm_matrix *right = build_matrix(2, 2, (const double[]){2, 3, 5, 6});
    assert_int_equal(dgm_matrix_set_column_name(ctx, left, 0, "first"), DGM_OK);
    const dgm_matrix *const parts[] = {left, right, left};
    dgm_matrix *whole;
    assert_int_equal(dgm_matrix_join(ctx, parts, 3, &whole), DGM_OK);
    dgm_matrix_free(left);
    dgm_matrix_free(right);
    const double expected[] = {1, 2, 3, 1, 4, 5, 6, 4};
    assert_int_equal(dgm_matrix_rows(whole), 2);
    assert_int_equal(dgm_matrix_columns(whole), 4);
    assert_memory_equal(dgm_matrix_values(whole), expected, sizeof expected);
    assert_string_equal(dgm_matrix_column_name(whole, 0), "first");
    assert_string_equal(dgm_matrix_column_name(whole, 2), "axis2");
    assert_string_equal(dgm_matrix_column_name(whole, 3), "first");
    dgm_matrix_free(whole);
}

static void columns_keep_their_transforms_and_errors(void **state) {
    (void)state;
    dgm_matrix *left = build_matrix(1, 1, (const double[]){1});
    dgm_matrix *right = build_matrix(1, 2, (const double[]){2, 3}), *whole;
    assert_string_equal(dgm_matrix_column_transform(left, 0), "none");
    assert_true(isnan(dgm_matrix_column_error(left, 0)));
    assert_int_equal(dgm_matrix_set_column_transform(ctx, right, 0, "rank"), DGM_OK);
    assert_int_equal(dgm_matrix_set_column_transform(ctx, right, 0, "log"), DGM_OK);
    dgm_matrix_set_column_error(right, 1, 0.25);
    const dgm_matrix *const parts[] = {left, right};
    assert_int_equal(dgm_matrix_join(ctx, parts, 2, &whole), DGM_OK);
    dgm_matrix_free(left);
    dgm_matrix_free(right);
    assert_string_equal(dgm_matrix_column_transform(whole, 0), "none");
    assert_string_equal(dgm_matrix_column_transform(whole, 1), "log");
    assert_string_equal(dgm_matrix_column_transform(whole, 2), "none");
    assert_true(isnan(dgm_matrix_column_error(whole, 1)));
    assert_near(dgm_matrix_column_error(whole, 2), 0.25, 0);
    dgm_matrix_free(whole);
}

static void matrices_of_different_heights_do_not_join(void **state) {
    (void)state;
    dgm_matrix *two = build_matrix(2, 1, (const double[]){1, 2});
    dgm_matrix *three = build_matrix(3, 1, (const double[]){1, 2, 3}), *whole = two;
    const dgm_matrix *const parts[] = {two, three};
    ASSERT_FAILS(dgm_matrix_join(ctx, parts, 2, &whole), DGM_ERROR_DATA,
                 "matrices of 2 and 3 rows cannot stand side by side");
    assert_null(whole);
    dgm_matrix_free(two);
    dgm_matrix_free(three);
}

static void no_matrices_join_to_nothing(void **state) {
    (void)state;
    dgm_matrix *whole;
    assert_int_equal(dgm_matrix_join(ctx, NULL, 0, &whole), DGM_OK);
    assert_int_equal(dgm_matrix_rows(whole), 0);
    assert_int_equal(dgm_matrix_columns(whole), 0);
    dgm_matrix_free(whole);
}

static void one_matrix_joins_to_its_copy(void **state) {
    (void)state;
    dgm_matrix *one = build_matrix(1, 1, (const double[]){8}), *whole;
    const dgm_matrix *const parts[] = {one, NULL}; /* what lies behind is not looked at */
    assert_int_equal(dgm_matrix_join(ctx, parts, 1, &whole), DGM_OK);
    dgm_matrix_free(one);
    assert_int_equal(dgm_matrix_rows(whole), 1);
    assert_int_equal(dgm_matrix_columns(whole), 1);
    assert_true(dgm_matrix_values(whole)[0] == 8);
    dgm_matrix_free(whole);
}

static void columns_keep_their_classes(void **state) {
    (void)state;
    dgm_matrix *left = build_matrix(1, 1, (const double[]){1});
    dgm_matrix *right = build_matrix(1, 2, (const double[]){2, 3}), *whole;
    assert_int_equal(dgmi_table_matrix_column_class(left, 0), -1);
    dgmi_table_matrix_set_column_class(right, 0, 5);
    dgmi_table_matrix_set_column_class(right, 1, 0);
    const dgm_matrix *const parts[] = {left, right};
    assert_int_equal(dgm_matrix_join(ctx, parts, 2, &whole), DGM_OK);
    dgm_matrix_free(left);
    dgm_matrix_free(right);
    assert_int_equal(dgmi_table_matrix_column_class(whole, 0), -1);
    assert_int_equal(dgmi_table_matrix_column_class(whole, 1), 5);
    assert_int_equal(dgmi_table_matrix_column_class(whole, 2), 0);
    dgm_matrix_free(whole);
}

static dgm_status name_and_join(dgm_context *own, void *argument) {
    dgm_matrix *left = NULL, *right = NULL, *whole = argument;
    dgm_status status = dgm_matrix_create(own, 2, 2, &left);
    if (status == DGM_OK)
        status = dgm_matrix_create(own, 2, 1, &right);
    if (status == DGM_OK)
        status = dgm_matrix_set_column_name(own, left, 1, "height");
    if (status == DGM_OK)
        status = dgm_matrix_set_column_transform(own, left, 0, "rank");
    if (status == DGM_OK) {
        const dgm_matrix *const parts[] = {left, right, left};
        status = dgm_matrix_join(own, parts, 3, &whole);
        assert_true((status == DGM_OK) == (whole != NULL));
        if (whole) {
            assert_string_equal(dgm_matrix_column_name(whole, 4), "height");
            assert_string_equal(dgm_matrix_column_transform(whole, 3), "rank");
            dgm_matrix_free(whole);
        }
    }
    dgm_matrix_free(left);
    dgm_matrix_free(right);
    return status;
}

static void joining_leaves_nothing_where_memory_ends(void **state) {
    (void)state;
    fail_each_allocation(name_and_join, ctx);
}

static dgm_status adopt_few(dgm_context *own, void *argument) {
    dgm_matrix *matrix = argument; /* not NULL */
    double *values = dgmi_alloc_zero(own, 2, sizeof *values);
    if (!values)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgmi_table_matrix_adopt(own, 1, 2, values, &matrix);
    assert_true((status == DGM_OK) == (matrix != NULL));
    dgm_matrix_free(matrix);
    return status;
}

static void what_cannot_be_made_is_no_matrix(void **state) {
    (void)state;
    fail_each_allocation(adopt_few, ctx);
    const double values[] = {1};
    dgm_matrix *matrix = (dgm_matrix *)ctx;
    assert_int_equal(dgm_matrix_borrow(ctx, values, 1, -1, &matrix), DGM_ERROR_USAGE);
    assert_null(matrix);
    matrix = (dgm_matrix *)ctx;
    assert_int_equal(dgm_matrix_create(ctx, 1, -1, &matrix), DGM_ERROR_USAGE);
    assert_null(matrix);
    matrix = (dgm_matrix *)ctx;
    assert_int_equal(dgm_matrix_create(ctx, INT64_MAX / 2, 2, &matrix), DGM_ERROR_MEMORY);
    assert_null(matrix);
}

static void a_single_value_is_owned(void **state) {
    (void)state;
    const double value = 7;
    dgm_matrix *matrix;
    assert_int_equal(dgm_matrix_borrow(ctx, &value, 1, 1, &matrix), DGM_OK);
    assert_int_equal(dgm_matrix_own(ctx, matrix), DGM_OK);
    assert_true(dgm_matrix_values_mutable(matrix)[0] == 7);
    dgm_matrix_free(matrix);
}

static void values_are_adopted_without_copying(void **state) {
    (void)state;
    double *values = dgmi_alloc_zero(ctx, 6, sizeof *values);
    dgm_matrix *matrix;
    assert_int_equal(dgmi_table_matrix_adopt(ctx, 2, 3, values, &matrix), DGM_OK);
    assert_ptr_equal(dgm_matrix_values(matrix), values);
    assert_int_equal(dgm_matrix_rows(matrix), 2);
    assert_int_equal(dgm_matrix_columns(matrix), 3);
    dgm_matrix_free(matrix);
}

static void borrowed_values_are_read_where_they_lie(void **state) {
    (void)state;
    const double values[] = {1, 2, 3, 4, 5, 6};
    dgm_matrix *matrix;
    assert_int_equal(dgm_matrix_borrow(ctx, values, 3, 2, &matrix), DGM_OK);
    assert_ptr_equal(dgm_matrix_values(matrix), values);
    assert_int_equal(dgm_matrix_rows(matrix), 3);
    assert_int_equal(dgm_matrix_columns(matrix), 2);
    assert_string_equal(dgm_matrix_column_name(matrix, 1), "axis2");
    assert_true(isnan(dgm_matrix_column_error(matrix, 0)));
    assert_int_equal(dgm_matrix_set_column_name(ctx, matrix, 1, "height"), DGM_OK);
    assert_null(dgm_matrix_values_mutable(matrix));
    dgm_matrix_free(matrix);
    assert_int_equal(dgm_matrix_borrow(ctx, NULL, 0, 2, &matrix), DGM_OK);
    assert_int_equal(dgm_matrix_own(ctx, matrix), DGM_OK);
    assert_non_null(dgm_matrix_values_mutable(matrix));
    dgm_matrix_free(matrix);
    ASSERT_FAILS(dgm_matrix_borrow(ctx, values, -1, 2, &matrix), DGM_ERROR_USAGE,
                 "a matrix of -1 rows and 2 columns is not possible");
    assert_null(matrix);
}

static void a_table_that_owns_its_values_leaves_the_callers_alone(void **state) {
    (void)state;
    const double values[] = {1, 2, 3, 4};
    dgm_matrix *matrix;
    assert_int_equal(dgm_matrix_borrow(ctx, values, 2, 2, &matrix), DGM_OK);
    assert_int_equal(dgm_matrix_own(ctx, matrix), DGM_OK);
    double *own = dgm_matrix_values_mutable(matrix);
    assert_non_null(own);
    assert_ptr_equal(own, dgm_matrix_values(matrix));
    assert_memory_equal(own, values, sizeof values);
    own[0] = 7;
    assert_true(values[0] == 1);
    assert_int_equal(dgm_matrix_own(ctx, matrix), DGM_OK); /* a second time changes nothing */
    assert_ptr_equal(dgm_matrix_values_mutable(matrix), own);
    assert_true(own[0] == 7);
    dgm_matrix_free(matrix);
}

static void borrowed_tables_join_into_one_that_owns(void **state) {
    (void)state;
    const double left[] = {1, 3}, right[] = {2, 4}, expected[] = {1, 2, 3, 4};
    dgm_matrix *first, *second, *whole;
    assert_int_equal(dgm_matrix_borrow(ctx, left, 2, 1, &first), DGM_OK);
    assert_int_equal(dgm_matrix_borrow(ctx, right, 2, 1, &second), DGM_OK);
    const dgm_matrix *const parts[] = {first, second};
    assert_int_equal(dgm_matrix_join(ctx, parts, 2, &whole), DGM_OK);
    dgm_matrix_free(first);
    dgm_matrix_free(second);
    assert_memory_equal(dgm_matrix_values_mutable(whole), expected, sizeof expected);
    dgm_matrix_free(whole);
}

static dgm_status borrow_and_own(dgm_context *own, void *argument) {
    dgm_matrix *matrix;
    dgm_status status = dgm_matrix_borrow(own, argument, 2, 2, &matrix);
    if (status == DGM_OK)
        status = dgm_matrix_own(own, matrix);
    dgm_matrix_free(matrix);
    return status;
}

static void borrowing_leaves_nothing_where_memory_ends(void **state) {
    (void)state;
    double values[] = {1, 2, 3, 4};
    fail_each_allocation(borrow_and_own, values);
}

static char last_note[256];

static void keep_note(void *user, const char *note) {
    (void)user;
    snprintf(last_note, sizeof last_note, "%s", note);
}

static const char *note_of_matrix(dgm_matrix *matrix) {
    *last_note = '\0';
    dgm_context_set_notes(ctx, keep_note, NULL);
    dgm_matrix_note_constant(ctx, matrix);
    dgm_context_set_notes(ctx, NULL, NULL);
    dgm_matrix_free(matrix);
    return last_note;
}

/* What is said of two columns, from `low` to `high` each. */
static const char *note_of(int64_t rows, const double low[2], const double high[2]) {
    dgm_matrix *matrix = build_matrix(rows, 2, NULL);
    for (int64_t i = 0; i < 2 * rows; i++)
        dgm_matrix_values_mutable(matrix)[i] = i / 2 % 2 ? high[i % 2] : low[i % 2];
    return note_of_matrix(matrix);
}

static void axes_that_are_constant_to_rounding_are_said(void **state) {
    (void)state;
    const double low[] = {1, -1e308}, high[] = {2, 1e308};
    assert_string_equal(note_of(4, low, high), "");
    const double rounded[] = {2, 5}, up[] = {3, 5 + 1e-12};
    assert_string_equal(note_of(4, rounded, up),
                        "the axis 'axis2' is constant: every row is 5, so it tells none apart");
    const double zero[] = {0, 5};
    assert_string_equal(note_of(4, zero, zero),
                        "2 of 2 axes are constant, 'axis1' (every row is 0) the first: they tell "
                        "no rows apart");
    assert_string_equal(note_of(1, zero, zero), "");
    const double lost[] = {NAN, 1}, found[] = {NAN, 2};
    assert_string_equal(note_of(4, lost, found), ""); /* no number is not one number */
    const double tiny[] = {1e-300, 1e-310}, less[] = {1.1e-300, 3e-310};
    assert_string_equal(note_of(4, tiny, less), "");
}

static void the_first_and_the_last_row_count_for_constant_axes(void **state) {
    (void)state;
    const double first[] = {1, 7, 2, 7, 2, 7}, last[] = {7, 2, 7, 2, 7, 1};
    assert_string_equal(note_of_matrix(build_matrix(3, 2, first)),
                        "the axis 'axis2' is constant: every row is 7, so it tells none apart");
    assert_string_equal(note_of_matrix(build_matrix(3, 2, last)),
                        "the axis 'axis1' is constant: every row is 7, so it tells none apart");
    assert_string_equal(note_of_matrix(build_matrix(2, 2, first)),
                        "the axis 'axis2' is constant: every row is 7, so it tells none apart");
    const double three[] = {1, 4, 6, 2, 4, 6};
    assert_string_equal(note_of_matrix(build_matrix(2, 3, three)),
                        "2 of 3 axes are constant, 'axis2' (every row is 4) the first: they tell "
                        "no rows apart");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_matrix_is_zero_and_names_its_axes),
        cmocka_unit_test(a_matrix_may_be_empty),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(matrices_stand_side_by_side),
        cmocka_unit_test(columns_keep_their_transforms_and_errors),
        cmocka_unit_test(matrices_of_different_heights_do_not_join),
        cmocka_unit_test(no_matrices_join_to_nothing),
        cmocka_unit_test(one_matrix_joins_to_its_copy),
        cmocka_unit_test(columns_keep_their_classes),
        cmocka_unit_test(joining_leaves_nothing_where_memory_ends),
        cmocka_unit_test(what_cannot_be_made_is_no_matrix),
        cmocka_unit_test(a_single_value_is_owned),
        cmocka_unit_test(values_are_adopted_without_copying),
        cmocka_unit_test(borrowed_values_are_read_where_they_lie),
        cmocka_unit_test(a_table_that_owns_its_values_leaves_the_callers_alone),
        cmocka_unit_test(borrowed_tables_join_into_one_that_owns),
        cmocka_unit_test(borrowing_leaves_nothing_where_memory_ends),
        cmocka_unit_test(axes_that_are_constant_to_rounding_are_said),
        cmocka_unit_test(the_first_and_the_last_row_count_for_constant_axes),
    };
    return RUN_WITH_CONTEXT(tests);
}
