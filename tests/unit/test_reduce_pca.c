/* SPDX-License-Identifier: Apache-2.0 */
/* Principal components against scikit-learn's, and where there is little to reduce. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check_memory.h"
#include "base_random.h"
#include "unit_progress.h"

static double read_number(FILE *file) {
    double value;
    assert_int_equal(fscanf(file, "%lf", &value), 1);
    return value;
}

/* Columns agree to 1e-5 of the largest entry, up to their signs. */
static void assert_same_axes(const dgm_matrix *axes, const double *wanted) {
    int64_t rows = dgm_matrix_rows(axes), dim = dgm_matrix_columns(axes);
    const double *values = dgm_matrix_values(axes);
    for (int64_t c = 0; c < dim; c++) {
        double dot = 0, largest = 0;
        for (int64_t i = 0; i < rows; i++) {
            dot += values[i * dim + c] * wanted[i * dim + c];
            largest = fmax(largest, fabs(wanted[i * dim + c]));
        }
        for (int64_t i = 0; i < rows; i++)
            assert_near(values[i * dim + c], copysign(1, dot) * wanted[i * dim + c],
                        1e-5 * largest);
    }
}

static void axes_are_those_of_scikit_learn(void **state) {
    (void)state;
    char path[512], name[32];
    int rows, columns, dim, cases = 0;
    snprintf(path, sizeof path, "%s/oracle/reduce_pca.txt", getenv("DGM_TEST_DATA"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "#%*[^\n]"), 0);
    while (fscanf(file, " case %31s %d %d %d", name, &rows, &columns, &dim) == 4) {
        dgm_matrix *table = build_matrix(rows, columns, NULL), *axes;
        double shares[8], *wanted = malloc((size_t)(rows * dim) * sizeof *wanted);
        for (int i = 0; i < rows * columns; i++)
            dgm_matrix_values_mutable(table)[i] = read_number(file);
        for (int i = 0; i < dim; i++)
            shares[i] = read_number(file);
        for (int i = 0; i < rows * dim; i++)
            wanted[i] = read_number(file);
        dgm_points points = dgm_points_of_matrix(table);
        dgm_reduce_report report;
        assert_int_equal(dgm_reduce_pca(ctx, &points, dim, NULL, &report, &axes), DGM_OK);
        assert_same_axes(axes, wanted);
        assert_string_equal(report.figures[0].name, "explained_variance");
        assert_int_equal(report.figures[0].count, dim);
        for (int i = 0; i < dim; i++)
            assert_near(report.figures[0].values[i], shares[i], 1e-9);
        assert_string_equal(dgm_matrix_column_name(axes, 0), "pca1");
        dgm_matrix_free(axes);
        dgm_matrix_free(table);
        free(wanted);
        cases++;
    }
    assert_int_equal(cases, 6);
    fclose(file);
}

/* Shares fall off like 0.7^c. */
static dgm_matrix *falling(int64_t rows, int64_t columns) {
    dgm_matrix *matrix = build_matrix(rows, columns, NULL);
    double *values = dgm_matrix_values_mutable(matrix);
    for (int64_t i = 0; i < rows * columns; i++)
        values[i] = pow(0.7, (double)(i % columns)) * (dgmi_random_unit(9, 1, (uint64_t)i) - 0.5);
    return matrix;
}

/* The features of a graph, every third entry of the table kept, sparse or dense. */
static dgm_graph *with_features(const dgm_matrix *matrix, bool sparse) {
    int64_t rows = dgm_matrix_rows(matrix), width = dgm_matrix_columns(matrix), count = 0;
    int64_t *offsets = calloc((size_t)rows + 1, sizeof *offsets);
    uint32_t *columns = malloc((size_t)(rows * width) * sizeof *columns);
    float *values = calloc((size_t)(rows * width), sizeof *values);
    for (int64_t i = 0; i < rows * width; i++) {
        bool kept = i % 3 == 0;
        if (kept && sparse) {
            columns[count] = (uint32_t)(i % width);
            values[count++] = (float)dgm_matrix_values(matrix)[i];
        } else if (kept) {
            values[i] = (float)dgm_matrix_values(matrix)[i];
        }
        offsets[i / width + 1] = count;
    }
    dgm_graph_features features = {width, sparse ? offsets : NULL, sparse ? columns : NULL, values};
    dgm_graph_builder *builder;
    dgm_graph *graph;
    assert_int_equal(dgm_graph_builder_create(ctx, NULL, &builder), DGM_OK);
    assert_int_equal(dgm_graph_builder_reserve_nodes(builder, rows), DGM_OK);
    assert_int_equal(dgm_graph_builder_set_features(builder, rows, &features), DGM_OK);
    assert_int_equal(dgm_graph_builder_finish(builder, &graph), DGM_OK);
    free(offsets);
    free(columns);
    free(values);
    return graph;
}

/* The weight of a column on an axis, as far as its sign and order of size go. */
static double weight_of(const dgm_matrix *table, int64_t column, const dgm_matrix *axes,
                        int64_t axis) {
    double sum = 0; /* an axis has the mean 0, so that the column's does not matter */
    for (int64_t i = 0; i < dgm_matrix_rows(table); i++)
        sum += dgm_matrix_values(table)[i * dgm_matrix_columns(table) + column] *
               dgm_matrix_values(axes)[i * dgm_matrix_columns(axes) + axis];
    return sum;
}

static void an_axis_points_to_where_its_heaviest_column_grows(void **state) {
    (void)state;
    enum { ROWS = 40, COLUMNS = 5, DIM = 3 };
    for (uint64_t seed = 0; seed < 8; seed++) {
        dgm_matrix *table = build_matrix(ROWS, COLUMNS, NULL), *axes;
        for (int64_t i = 0; i < ROWS * COLUMNS; i++)
            dgm_matrix_values_mutable(table)[i] =
                (dgmi_random_unit(seed, 1, (uint64_t)i) - 0.5) * (double)(1 + i % COLUMNS);
        dgm_points points = dgm_points_of_matrix(table);
        assert_int_equal(dgm_reduce_pca(ctx, &points, DIM, NULL, NULL, &axes), DGM_OK);
        for (int64_t axis = 0; axis < DIM; axis++) {
            double heaviest = 0;
            for (int64_t c = 0; c < COLUMNS; c++) {
                double weight = weight_of(table, c, axes, axis);
                heaviest = fabs(weight) > fabs(heaviest) ? weight : heaviest;
            }
            assert_true(heaviest > 0);
        }
        dgm_matrix_free(axes);
        dgm_matrix_free(table);
    }
}

static void sparse_features_give_the_same_axes_as_dense_ones(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{300, 280}, {40, 20}, {20, 90}};
    for (int64_t s = 0; s < COUNT(shapes); s++) {
        dgm_matrix *table = falling(shapes[s][0], shapes[s][1]), *axes[2];
        for (int sparse = 0; sparse < 2; sparse++) {
            dgm_graph *graph = with_features(table, sparse);
            dgm_points points = dgm_points_of_features(graph);
            assert_int_equal(dgm_reduce_pca(ctx, &points, 3, NULL, NULL, &axes[sparse]), DGM_OK);
            dgm_graph_free(graph);
        }
        assert_same_axes(axes[1], dgm_matrix_values(axes[0]));
        dgm_matrix_free(axes[0]);
        dgm_matrix_free(axes[1]);
        dgm_matrix_free(table);
    }
}

/* Solved whole, by products, and by products of sparse rows. */
static void axes_do_not_depend_on_the_number_of_threads(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 5};
    for (int kind = 0; kind < 3; kind++) {
        dgm_matrix *table = falling(900, kind == 0 ? 200 : 300), *axes[3];
        dgm_graph *graph = with_features(table, true);
        dgm_points points = kind == 2 ? dgm_points_of_features(graph) : dgm_points_of_matrix(table);
        for (int t = 0; t < 3; t++) {
            dgm_context_set_threads(ctx, threads[t]);
            assert_int_equal(dgm_reduce_pca(ctx, &points, 3, NULL, NULL, &axes[t]), DGM_OK);
            assert_memory_equal(dgm_matrix_values(axes[t]), dgm_matrix_values(axes[0]),
                                900 * 3 * sizeof(double));
        }
        dgm_context_set_threads(ctx, 0);
        for (int t = 0; t < 3; t++)
            dgm_matrix_free(axes[t]);
        dgm_graph_free(graph);
        dgm_matrix_free(table);
    }
}

/* Variances that are all alike keep Krylov spaces busy; the table is solved whole in the end, so
 * that the residual is 0, or, where few passes are allowed, what was reached is said. */
static void equal_variances_are_solved_whole_in_the_end(void **state) {
    (void)state;
    dgm_matrix *table = build_matrix(500, 270, NULL), *axes;
    for (int64_t i = 0; i < 500 * 270; i++)
        dgm_matrix_values_mutable(table)[i] = dgmi_random_unit(5, 2, (uint64_t)i) - 0.5;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_reduce_report report;
    assert_int_equal(dgm_reduce_pca(ctx, &points, 2, NULL, &report, &axes), DGM_OK);
    assert_string_equal(report.figures[1].name, "residual");
    assert_true(report.figures[1].values[0] == 0);
    dgm_matrix_free(axes);
    assert_int_equal(dgm_reduce_run(ctx, &points, "pca:passes=3", 2, 1, &report, &axes), DGM_OK);
    assert_true(report.figures[1].values[0] > 1e-9);
    dgm_matrix_free(axes);
    dgm_matrix_free(table);
}

static double residual_of(const dgm_points *points, const char *what) {
    dgm_reduce_report report;
    dgm_matrix *axes;
    assert_int_equal(dgm_reduce_run(ctx, points, what, 2, 1, &report, &axes), DGM_OK);
    dgm_matrix_free(axes);
    return report.figures[1].values[0];
}

/* A table that is solved whole leaves nothing; products leave a little. */
static void short_sides_up_to_256_are_solved_whole_at_once(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{300, 256}, {256, 300}, {300, 257}, {257, 300}};
    for (int64_t s = 0; s < COUNT(shapes); s++) {
        dgm_matrix *table = falling(shapes[s][0], shapes[s][1]);
        dgm_points points = dgm_points_of_matrix(table);
        hear_progress();
        assert_true((residual_of(&points, "pca") == 0) == (s < 2));
        hear_no_more();
        assert_true((reports_of("principal components") == 0) == (s < 2));
        dgm_matrix_free(table);
    }
}

/* Dense tables are read 14 times, sparse ones 100 times, before they are solved whole. */
static void patience_is_longer_with_sparse_tables(void **state) {
    (void)state;
    dgm_matrix *table = build_matrix(500, 271, NULL);
    for (int64_t i = 0; i < 500 * 271; i++)
        dgm_matrix_values_mutable(table)[i] = dgmi_random_unit(5, 2, (uint64_t)i) - 0.5;
    dgm_graph *graph = with_features(table, true);
    dgm_points dense = dgm_points_of_matrix(table), sparse = dgm_points_of_features(graph);
    hear_progress();
    assert_true(residual_of(&dense, "pca:tolerance=1e-14") == 0);
    assert_int_equal(reports_of("principal components"), 14);
    hear_progress();
    assert_true(residual_of(&dense, "pca:tolerance=1e-14,passes=14") > 0);
    assert_int_equal(reports_of("principal components"), 14);
    hear_progress();
    assert_true(residual_of(&dense, "pca:tolerance=1e-14,passes=15") == 0);
    hear_progress();
    assert_true(residual_of(&sparse, "pca:tolerance=1e-14,passes=20") > 0);
    assert_int_equal(reports_of("principal components"), 20);
    for (int64_t i = 0; i < heard_count; i++)
        assert_true(heard_reports[i].fraction == -1);
    hear_no_more();
    dgm_graph_free(graph);
    dgm_matrix_free(table);
}

static void few_points_have_flat_axes(void **state) {
    (void)state;
    const double values[] = {1, 2, 3, 4, 6, 3, 1, 2, 3};
    for (int64_t rows = 1; rows <= 3; rows++) {
        dgm_matrix *table = build_matrix(rows, 3, values), *axes;
        dgm_points points = dgm_points_of_matrix(table);
        dgm_reduce_report report;
        assert_int_equal(dgm_reduce_pca(ctx, &points, 3, NULL, &report, &axes), DGM_OK);
        for (int64_t i = 0; i < rows; i++) {
            assert_near(dgm_matrix_values(axes)[i * 3 + 1], 0, 1e-12);
            assert_near(dgm_matrix_values(axes)[i * 3 + 2], 0, 1e-12);
        }
        assert_near(report.figures[0].values[0], rows > 1, 1e-12);
        dgm_matrix_free(axes);
        dgm_matrix_free(table);
    }
}

static void what_cannot_be_reduced_is_said(void **state) {
    (void)state;
    double values[] = {1, 2, 3, 4, NAN, 6};
    dgm_matrix *table = build_matrix(3, 2, values), *axes;
    dgm_points points = dgm_points_of_matrix(table);
    ASSERT_FAILS(dgm_reduce_pca(ctx, &points, 1, NULL, NULL, &axes), DGM_ERROR_DATA,
                 "row 2, column 0 of the points is NaN, not a finite number");
    assert_null(axes);
    dgm_matrix_values_mutable(table)[4] = INFINITY;
    ASSERT_FAILS(dgm_reduce_run(ctx, &points, "pca", 1, 1, NULL, &axes), DGM_ERROR_DATA,
                 "row 2, column 0 of the points is infinite, not a finite number");
    dgm_matrix_values_mutable(table)[4] = 5;
    ASSERT_FAILS(dgm_reduce_pca(ctx, &points, 3, NULL, NULL, &axes), DGM_ERROR_USAGE,
                 "2 columns cannot be reduced to 3 axes; dim takes at most 2 here");
    assert_int_equal(dgm_reduce_pca(ctx, &points, 0, NULL, NULL, &axes), DGM_ERROR_USAGE);
    assert_int_equal(dgm_reduce_pca(ctx, &points, 100, NULL, NULL, &axes), DGM_ERROR_USAGE);
    dgm_matrix_free(table);
    table = build_matrix(0, 2, NULL);
    points = dgm_points_of_matrix(table);
    ASSERT_FAILS(dgm_reduce_pca(ctx, &points, 1, NULL, NULL, &axes), DGM_ERROR_DATA,
                 "0 rows of 2 columns: there is nothing to reduce");
    dgm_matrix_free(table);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{12, 5}, {4, 9}, {270, 260}};
    for (int64_t s = 0; s < COUNT(shapes); s++)
        for (long long k = 1;; k++) {
            check_memory memory = {.fail_at = 0};
            dgm_allocator allocator = check_memory_allocator(&memory);
            dgm_matrix *table = falling(shapes[s][0], shapes[s][1]), *axes = NULL;
            dgm_points points = dgm_points_of_matrix(table);
            dgm_context *own;
            assert_int_equal(dgm_context_create(&allocator, &own), DGM_OK);
            memory.fail_at = memory.calls + k;
            dgm_status status = dgm_reduce_pca(own, &points, 2, NULL, NULL, &axes);
            memory.fail_at = 0;
            assert_true(status == DGM_OK || status == DGM_ERROR_MEMORY);
            assert_true((status == DGM_OK) == (axes != NULL));
            dgm_matrix_free(axes);
            dgm_context_free(own);
            dgm_matrix_free(table);
            assert_true(atomic_load(&memory.bytes) == 0);
            if (status == DGM_OK)
                break;
        }
}

static char said[512];

static void keep_note(void *user, const char *note) {
    (void)user;
    snprintf(said, sizeof said, "%s", note);
}

/* Nine columns of equal variance, alone on their rows: each explains a ninth. */
static void nine_axes_are_noted_by_the_shares_of_eight(void **state) {
    (void)state;
    double values[18 * 9] = {0};
    for (int c = 0; c < 9; c++) {
        values[2 * c * 9 + c] = 1;
        values[(2 * c + 1) * 9 + c] = -1;
    }
    dgm_matrix *table = build_matrix(18, 9, values), *axes;
    dgm_points points = dgm_points_of_matrix(table);
    dgm_context_set_notes(ctx, keep_note, NULL);
    assert_int_equal(dgm_reduce_pca(ctx, &points, 9, NULL, NULL, &axes), DGM_OK);
    dgm_context_set_notes(ctx, NULL, NULL);
    assert_string_equal(said, "pca: 9 axes explain 100.0% of the variance (11.1, 11.1, 11.1, 11.1, "
                              "11.1, 11.1, 11.1, 11.1, ...)");
    dgm_matrix_free(axes);
    dgm_matrix_free(table);
}

static void more_columns_than_blas_can_count_are_refused(void **state) {
    (void)state;
    static const int64_t offsets[] = {0, 0};
    static const uint32_t none[1];
    const int64_t columns = (int64_t)INT32_MAX + 1;
    const dgm_points points = {
        .rows = 1, .columns = columns, .features = {columns, offsets, none, NULL}};
    dgm_matrix *axes;
    ASSERT_FAILS(dgm_reduce_pca(ctx, &points, 1, NULL, NULL, &axes), DGM_ERROR_DATA,
                 "pca takes at most 2147483647 columns, not 2147483648");
    assert_null(axes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_are_those_of_scikit_learn),
        cmocka_unit_test(an_axis_points_to_where_its_heaviest_column_grows),
        cmocka_unit_test(sparse_features_give_the_same_axes_as_dense_ones),
        cmocka_unit_test(axes_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(equal_variances_are_solved_whole_in_the_end),
        cmocka_unit_test(short_sides_up_to_256_are_solved_whole_at_once),
        cmocka_unit_test(patience_is_longer_with_sparse_tables),
        cmocka_unit_test(few_points_have_flat_axes),
        cmocka_unit_test(what_cannot_be_reduced_is_said),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(nine_axes_are_noted_by_the_shares_of_eight),
        cmocka_unit_test(more_columns_than_blas_can_count_are_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
