/* SPDX-License-Identifier: Apache-2.0 */
/* The centred table and its products, dense and sparse, against plain loops in double. */
#include "unit_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "base_memory.h"
#include "base_random.h"
#include "reduce_pca_parts.h"

/* ---- tables of four kinds ---- */

typedef enum { MATRIX, FLOATS, SPARSE, PATTERN, KINDS } kind;

typedef struct {
    dgm_points points;
    dgm_matrix *matrix;
    int64_t *offsets;
    uint32_t *columns;
    float *floats;
    double *x; /* rows x columns, as plain numbers, then centred */
} sample;

static double entry(kind k, int64_t i) {
    bool there = k == MATRIX || k == FLOATS || dgmi_random_unit(2, 1, (uint64_t)i) < 0.3;
    double value = k == PATTERN ? 1 : 3 + dgmi_random_unit(2, 2, (uint64_t)i);
    return there ? (double)(float)value : 0;
}

static void open_sample(sample *s, kind k, int64_t rows, int64_t columns) {
    int64_t count = 0;
    *s = (sample){0};
    s->x = calloc((size_t)(rows * columns), sizeof *s->x);
    s->offsets = calloc((size_t)rows + 1, sizeof *s->offsets);
    s->columns = calloc((size_t)(rows * columns), sizeof *s->columns);
    s->floats = calloc((size_t)(rows * columns), sizeof *s->floats);
    for (int64_t i = 0; i < rows * columns; i++) {
        s->x[i] = entry(k, i);
        if (k == FLOATS)
            s->floats[i] = (float)s->x[i];
        else if (k != MATRIX && s->x[i] != 0) {
            s->columns[count] = (uint32_t)(i % columns);
            s->floats[count++] = (float)s->x[i];
        }
        s->offsets[i / columns + 1] = count;
    }
    s->points = (dgm_points){.rows = rows, .columns = columns};
    if (k == MATRIX) {
        s->matrix = build_matrix(rows, columns, s->x);
        s->points = dgm_points_of_matrix(s->matrix);
    } else if (k == FLOATS) {
        s->points.features = (dgm_graph_features){columns, NULL, NULL, s->floats};
    } else {
        s->points.features =
            (dgm_graph_features){columns, s->offsets, s->columns, k == PATTERN ? NULL : s->floats};
    }
}

static void close_sample(sample *s) {
    dgm_matrix_free(s->matrix);
    free(s->offsets);
    free(s->columns);
    free(s->floats);
    free(s->x);
}

/* Means, and x less them; returns the sum of the variances. */
static double centre(sample *s, double *mean) {
    int64_t rows = s->points.rows, columns = s->points.columns;
    double variance = 0;
    for (int64_t c = 0; c < columns; c++) {
        mean[c] = 0;
        for (int64_t i = 0; i < rows; i++)
            mean[c] += s->x[i * columns + c] / (double)rows;
        for (int64_t i = 0; i < rows; i++) {
            s->x[i * columns + c] -= mean[c];
            variance += pow(s->x[i * columns + c], 2);
        }
    }
    return variance / (double)(rows > 1 ? rows - 1 : 1);
}

/* ---- products ---- */

static void check_products(dgmi_reduce_pca_data *table, const sample *s, int64_t count) {
    int64_t rows = s->points.rows, columns = s->points.columns, stride = count + 2;
    double *v = calloc((size_t)(count * columns), sizeof *v);
    double *y = calloc((size_t)(count * columns), sizeof *y);
    double *scores = calloc((size_t)(rows * stride), sizeof *scores);
    for (int64_t i = 0; i < count * columns; i++)
        v[i] = dgmi_random_unit(4, 4, (uint64_t)i) - 0.5;
    assert_int_equal(dgmi_reduce_pca_project(table, count, v, scores, stride), DGM_OK);
    assert_int_equal(dgmi_reduce_pca_product(table, count, v, y), DGM_OK);
    for (int64_t c = 0; c < count; c++) {
        double *back = calloc((size_t)columns, sizeof *back);
        for (int64_t i = 0; i < rows; i++) {
            double score = 0;
            for (int64_t j = 0; j < columns; j++)
                score += s->x[i * columns + j] * v[c * columns + j];
            assert_near(scores[i * stride + c], score, 1e-9);
            assert_true(scores[i * stride + count] == 0); /* nothing beyond the vectors */
            for (int64_t j = 0; j < columns; j++)
                back[j] += score * s->x[i * columns + j] / (double)(rows > 1 ? rows - 1 : 1);
        }
        for (int64_t j = 0; j < columns; j++)
            assert_near(y[c * columns + j], back[j], 1e-9);
        free(back);
    }
    free(v);
    free(y);
    free(scores);
}

/* Only entries on and above the diagonal are looked at. */
static void check_gram(dgmi_reduce_pca_data *table, const sample *s, bool by_rows) {
    int64_t rows = s->points.rows, columns = s->points.columns, size = by_rows ? rows : columns;
    double *gram = calloc((size_t)(size * size), sizeof *gram);
    dgmi_reduce_pca_gram(table, by_rows, gram);
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = i; j < size; j += 1 + j % 7) {
            double sum = 0;
            for (int64_t k = 0; k < (by_rows ? columns : rows); k++)
                sum += by_rows ? s->x[i * columns + k] * s->x[j * columns + k]
                               : s->x[k * columns + i] * s->x[k * columns + j];
            assert_near(gram[i * size + j], sum / (double)(rows > 1 ? rows - 1 : 1), 1e-9);
        }
    free(gram);
}

/* Chunks have 64 rows or a multiple: 2,100 rows have chunks of 128. Blocks have 128 columns. */
static void products_are_those_of_the_centred_table(void **state) {
    (void)state;
    static const int64_t shapes[][2] = {{1, 3}, {2, 2}, {64, 5}, {65, 5}, {130, 150}, {2100, 4}};
    for (kind k = MATRIX; k < KINDS; k++)
        for (int64_t shape = 0; shape < COUNT(shapes); shape++) {
            sample s;
            dgmi_reduce_pca_data table;
            double mean[150];
            dgmi_hold hold = dgmi_arena_hold(ctx);
            open_sample(&s, k, shapes[shape][0], shapes[shape][1]);
            assert_int_equal(dgmi_reduce_pca_open(ctx, &s.points, &table), DGM_OK);
            double variance = centre(&s, mean);
            assert_int_equal(table.grain, shapes[shape][0] == 2100 ? 128 : 64);
            assert_near(table.variance, variance, 1e-9 * (1 + variance));
            for (int64_t c = 0; c < s.points.columns; c++)
                assert_near(table.mean[c], mean[c], 1e-12);
            assert_true((table.centred != NULL) == (k == MATRIX || k == FLOATS));
            check_products(&table, &s, 1);
            check_products(&table, &s, 3);
            double *whole = table.centred;
            table.centred = NULL; /* as that of a large table: tile by tile */
            check_products(&table, &s, 2);
            table.centred = whole;
            assert_int_equal(dgmi_reduce_pca_fill(&table), DGM_OK);
            for (int64_t i = 0; i < s.points.rows * s.points.columns; i++)
                assert_near(table.centred[i], s.x[i], 1e-12);
            if (s.points.rows <= 130)
                check_gram(&table, &s, true);
            check_gram(&table, &s, false);
            dgmi_arena_release(ctx, hold);
            close_sample(&s);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_centred_table),
    };
    return RUN_WITH_CONTEXT(tests);
}
