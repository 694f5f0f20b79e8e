/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of maps share: tables from the files of other programs, how far a map can be trusted,
 * and what any reduction must hold. Include after unit_fixture.h. */
#ifndef REDUCE_MANIFOLD_H
#define REDUCE_MANIFOLD_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check_memory.h"

static inline FILE *open_oracle(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/oracle/%s", getenv("DGM_TEST_DATA"), name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "#%*[^\n]"), 0);
    return file;
}

static inline double read_number(FILE *file) {
    double value;
    assert_int_equal(fscanf(file, "%lf", &value), 1);
    return value;
}

static inline dgm_matrix *read_table(FILE *file, int64_t rows, int64_t columns) {
    dgm_matrix *table = build_matrix(rows, columns, NULL);
    for (int64_t i = 0; i < rows * columns; i++)
        dgm_matrix_values_mutable(table)[i] = read_number(file);
    return table;
}

typedef struct {
    double apart; /* the square of the distance */
    int64_t point;
} far_point;

static inline int compare_far_points(const void *a, const void *b) {
    const far_point *p = a, *q = b;
    if (p->apart != q->apart)
        return p->apart < q->apart ? -1 : 1;
    return p->point < q->point ? -1 : p->point > q->point;
}

/* rank[j]: how many points are nearer to i than j, or as near and before it; i itself is last. */
static inline void rank_points(const dgm_matrix *matrix, int64_t i, far_point *order,
                               int64_t *rank) {
    int64_t n = dgm_matrix_rows(matrix), d = dgm_matrix_columns(matrix);
    const double *x = dgm_matrix_values(matrix);
    for (int64_t j = 0; j < n; j++) {
        order[j] = (far_point){j == i ? INFINITY : 0, j};
        for (int64_t c = 0; c < d; c++)
            order[j].apart += (x[i * d + c] - x[j * d + c]) * (x[i * d + c] - x[j * d + c]);
    }
    qsort(order, (size_t)n, sizeof *order, compare_far_points);
    for (int64_t r = 0; r < n; r++)
        rank[order[r].point] = r;
}

/* Venna and Kaski (2001): 1 - 2 / (n k (2n - 3k - 1)) times the sum, over neighbours in the map
 * that are none among the points, of how far they are from being one. */
static inline double trustworthiness(const dgm_matrix *points, const dgm_matrix *map, int64_t k) {
    int64_t n = dgm_matrix_rows(points), sum = 0;
    far_point *order = malloc((size_t)n * sizeof *order);
    int64_t *rank = malloc((size_t)n * sizeof *rank), *there = malloc((size_t)n * sizeof *there);
    for (int64_t i = 0; i < n; i++) {
        rank_points(points, i, order, rank);
        rank_points(map, i, order, there);
        for (int64_t j = 0; j < n; j++)
            if (j != i && there[j] < k && rank[j] >= k)
                sum += rank[j] + 1 - k;
    }
    free(order);
    free(rank);
    free(there);
    return 1 - 2.0 * (double)sum / (double)(n * k * (2 * n - 3 * k - 1));
}

static inline dgm_matrix *reduce_table(const dgm_matrix *table, const char *specification,
                                       int64_t dim) {
    dgm_points points = dgm_points_of_matrix(table);
    dgm_matrix *map;
    assert_int_equal(dgm_reduce_run(ctx, &points, specification, dim, 1, NULL, &map), DGM_OK);
    assert_int_equal(dgm_matrix_rows(map), dgm_matrix_rows(table));
    assert_int_equal(dgm_matrix_columns(map), dim);
    for (int64_t i = 0; i < dgm_matrix_rows(map) * dim; i++)
        assert_true(isfinite(dgm_matrix_values(map)[i]));
    return map;
}

static inline void assert_same_bytes_for_threads(const dgm_matrix *table, const char *what,
                                                 int64_t dim) {
    static const int threads[] = {1, 2, 5};
    dgm_matrix *maps[3];
    for (int64_t i = 0; i < COUNT(threads); i++) {
        dgm_context_set_threads(ctx, threads[i]);
        maps[i] = reduce_table(table, what, dim);
    }
    dgm_context_set_threads(ctx, 0);
    for (int64_t i = 1; i < COUNT(threads); i++)
        assert_memory_equal(dgm_matrix_values(maps[0]), dgm_matrix_values(maps[i]),
                            (size_t)(dgm_matrix_rows(table) * dim) * sizeof(double));
    for (int64_t i = 0; i < COUNT(threads); i++)
        dgm_matrix_free(maps[i]);
}

static inline void assert_every_allocation_may_fail(const dgm_matrix *table, const char *what) {
    dgm_points points = dgm_points_of_matrix(table);
    for (long long k = 1;; k++) {
        check_memory memory = {.fail_at = 0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_matrix *map = NULL;
        dgm_context *own;
        assert_int_equal(dgm_context_create(&allocator, &own), DGM_OK);
        memory.fail_at = memory.calls + k;
        dgm_status status = dgm_reduce_run(own, &points, what, 2, 1, NULL, &map);
        memory.fail_at = 0;
        assert_true(status == DGM_OK || status == DGM_ERROR_MEMORY);
        assert_true((status == DGM_OK) == (map != NULL));
        dgm_matrix_free(map);
        dgm_context_free(own);
        assert_true(atomic_load(&memory.bytes) == 0);
        if (status == DGM_OK)
            break;
    }
}

/* Stops at the n-th report. */
static inline bool stop_later(void *user, const char *stage, double fraction) {
    (void)stage;
    (void)fraction;
    return --*(int *)user > 0;
}

/* Wherever it is stopped, nothing is left; returns at how many reports it went through. */
static inline int assert_every_report_may_stop(const dgm_matrix *table, const char *what,
                                               int most) {
    dgm_points points = dgm_points_of_matrix(table);
    for (int n = 1; n <= most; n++) {
        dgm_matrix *map;
        int left = n;
        dgm_context_set_progress(ctx, stop_later, &left);
        dgm_status status = dgm_reduce_run(ctx, &points, what, 2, 1, NULL, &map);
        dgm_context_set_progress(ctx, NULL, NULL);
        dgm_context_resume(ctx);
        if (status == DGM_OK) {
            dgm_matrix_free(map);
            return n;
        }
        assert_int_equal(status, DGM_ERROR_CANCELLED);
        assert_null(map);
    }
    return most;
}

/* The last note. */
static char noted[512];
static inline void keep_note(void *user, const char *note) {
    (void)user;
    snprintf(noted, sizeof noted, "%s", note);
}

/* Round numbers between -1 and 1. */
static inline dgm_matrix *scattered(int64_t rows, int64_t columns) {
    dgm_matrix *table = build_matrix(rows, columns, NULL);
    unsigned state = 12345;
    for (int64_t i = 0; i < rows * columns; i++) {
        state = state * 1664525U + 1013904223U;
        dgm_matrix_values_mutable(table)[i] = (double)(state >> 8) / (1 << 23) - 1;
    }
    return table;
}

#endif
