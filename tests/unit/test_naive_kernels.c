/* SPDX-License-Identifier: Apache-2.0 */
/* Every fast kernel, in every instruction set of this processor, against its naive twin. */
#include "../naive_kernels.h"
#include "kernels_sample.h"

enum { MOST_ENTRIES = 4096 };

/* Rows of 0 to 6 entries, which differ in length. */
typedef struct {
    int64_t offsets[200];
    uint32_t indices[MOST_ENTRIES];
    float values[MOST_ENTRIES];
    dgmi_table_csr csr;
} sample_rows;

static void make_rows(sample_rows *s, int64_t rows, int64_t columns) {
    s->offsets[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        int64_t count = i * 5 % 7 < columns ? i * 5 % 7 : columns;
        for (int64_t k = 0; k < count; k++) {
            s->indices[s->offsets[i] + k] = (uint32_t)(k * columns / count);
            s->values[s->offsets[i] + k] = (float)(k - 2) / 3;
        }
        s->offsets[i + 1] = s->offsets[i] + count;
    }
    s->csr = (dgmi_table_csr){rows, columns, s->offsets, s->indices, s->values};
}

/* Sums of `terms` numbers of up to 2 (products of up to 4). */
static void assert_like(int64_t count, const float *fast, const float *naive, int64_t terms) {
    for (int64_t i = 0; i < count; i++)
        assert_close((double)fast[i], (double)naive[i], 4 * (double)terms + 1);
}

/* What both kernels start from, a copy each. */
typedef struct {
    float *fast, *naive;
} twins;

static twins make_twins(int64_t count, uint64_t stream) {
    float *one = make_floats(count, stream);
    return (twins){one, copy_floats(count, one)};
}

static void compare_and_free(twins t, int64_t count, int64_t terms) {
    assert_like(count, t.fast, t.naive, terms);
    free(t.fast);
    free(t.naive);
}

static void check_product(const dgmi_kernels *k, bool turn_a, bool turn_b, bool add) {
    enum { ROWS = 19, DEPTH = 33, COLUMNS = 21 };
    dgmi_table_tensor a = turn_a ? make_tensor(DEPTH, ROWS, 1) : make_tensor(ROWS, DEPTH, 1);
    dgmi_table_tensor b = turn_b ? make_tensor(COLUMNS, DEPTH, 2) : make_tensor(DEPTH, COLUMNS, 2);
    twins c = make_twins(ROWS * COLUMNS, 3);
    dgmi_table_tensor fast = {ROWS, COLUMNS, c.fast}, naive = {ROWS, COLUMNS, c.naive};
    k->product(ctx, &(dgmi_kernels_product){turn_a, turn_b, add, &a, &b, &fast});
    naive_kernels.product(ctx, &(dgmi_kernels_product){turn_a, turn_b, add, &a, &b, &naive});
    compare_and_free(c, ROWS * COLUMNS, DEPTH);
    free(a.values);
    free(b.values);
}

static void dense_products_agree_with_their_twin(void **state) {
    (void)state;
    assert_int_equal(dgmi_kernels_blas_open(ctx), DGM_OK);
    FOR_EACH_VARIANT(k)
    for (int way = 0; way < 8; way++)
        check_product(k, way & 1, way & 2, way & 4);
}

static void sparse_products_agree_with_their_twin(void **state) {
    (void)state;
    static const int64_t widths[] = {1, 7, 16, 64, 77};
    static sample_rows rows;
    make_rows(&rows, 100, 50);
    FOR_EACH_VARIANT(k)
    for (int w = 0; w < COUNT(widths); w++) {
        dgmi_table_tensor x = make_tensor(50, widths[w], 4);
        twins y = make_twins(100 * widths[w], 5);
        dgmi_table_tensor fast = {100, widths[w], y.fast}, naive = {100, widths[w], y.naive};
        k->csr_product(ctx, &rows.csr, &x, w % 2, &fast);
        naive_kernels.csr_product(ctx, &rows.csr, &x, w % 2, &naive);
        k->csr_rows(&rows.csr, 10, 20, x.values, widths[w], 1, true, y.fast, widths[w]);
        naive_kernels.csr_rows(&rows.csr, 10, 20, x.values, widths[w], 1, true, y.naive, widths[w]);
        compare_and_free(y, 100 * widths[w], 8);
        free(x.values);
    }
}

static void products_of_tiles_agree_with_their_twin(void **state) {
    (void)state;
    FOR_EACH_VARIANT(k)
    for (int64_t rows = 1; rows < 14; rows++) {
        float *a = make_floats(14 * 30, 6), *b = make_floats(30 * 96, 7);
        twins c = make_twins(14 * 96, 8);
        dgmi_kernels_tile tile = {rows, 30, 96, a, 30, 1, b, 96, c.fast, 96, rows % 2};
        k->tile_product(&tile);
        tile.c = c.naive;
        naive_kernels.tile_product(&tile);
        compare_and_free(c, 14 * 96, 31);
        free(a);
        free(b);
    }
}

static void sums_agree_with_their_twins(void **state) {
    (void)state;
    FOR_EACH_VARIANT(k) {
        dgmi_table_tensor x = make_tensor(1500, 37, 9);
        twins s = make_twins(37, 10);
        k->column_sums(ctx, &x, true, s.fast);
        naive_kernels.column_sums(ctx, &x, true, s.naive);
        compare_and_free(s, 37, 1500);
        assert_near(k->dot(ctx, 1500, x.values, x.values + 1500),
                    naive_kernels.dot(ctx, 1500, x.values, x.values + 1500), 1e-9);
        free(x.values);
    }
}

static void maps_agree_with_their_twins(void **state) {
    (void)state;
    enum { COUNT_OF_NUMBERS = 101 };
    FOR_EACH_VARIANT(k)
    for (dgmi_kernels_function f = DGMI_KERNELS_RELU; f <= DGMI_KERNELS_EXP; f++) {
        float *x = make_floats(COUNT_OF_NUMBERS, 11), *dy = make_floats(COUNT_OF_NUMBERS, 12);
        twins y = make_twins(COUNT_OF_NUMBERS, 13), dx = make_twins(COUNT_OF_NUMBERS, 14);
        k->apply(ctx, f, COUNT_OF_NUMBERS, x, y.fast);
        naive_kernels.apply(ctx, f, COUNT_OF_NUMBERS, x, y.naive);
        k->apply_backward(ctx, f, COUNT_OF_NUMBERS, y.fast, dy, true, dx.fast);
        naive_kernels.apply_backward(ctx, f, COUNT_OF_NUMBERS, y.naive, dy, true, dx.naive);
        compare_and_free(y, COUNT_OF_NUMBERS, 2);
        compare_and_free(dx, COUNT_OF_NUMBERS, 8);
        free(x);
        free(dy);
    }
}

static void biases_and_scaled_sums_agree_with_their_twins(void **state) {
    (void)state;
    FOR_EACH_VARIANT(k) {
        float *bias = make_floats(13, 15);
        twins x = make_twins(29 * 13, 16);
        dgmi_table_tensor fast = {29, 13, x.fast}, naive = {29, 13, x.naive};
        k->add_bias(ctx, bias, &fast);
        naive_kernels.add_bias(ctx, bias, &naive);
        k->axpy(ctx, 0.75F, 13, bias, true, x.fast);
        naive_kernels.axpy(ctx, 0.75F, 13, bias, true, x.naive);
        compare_and_free(x, 29 * 13, 2);
        free(bias);
    }
}

static void prelus_agree_with_their_twins(void **state) {
    (void)state;
    FOR_EACH_VARIANT(k) {
        float *x = make_floats(101, 17), *dy = make_floats(101, 18);
        twins y = make_twins(101, 19);
        k->prelu(ctx, 0.25F, 101, x, y.fast);
        naive_kernels.prelu(ctx, 0.25F, 101, x, y.naive);
        assert_like(101, y.fast, y.naive, 1);
        assert_close(k->prelu_backward(ctx, 0.25F, 101, x, dy, true, y.fast),
                     naive_kernels.prelu_backward(ctx, 0.25F, 101, x, dy, true, y.naive), 400);
        compare_and_free(y, 101, 2);
        free(x);
        free(dy);
    }
}

static void steps_of_adam_agree_with_their_twin(void **state) {
    (void)state;
    const dgmi_kernels_adam_step step = {0.01F,  0.9F,         0.999F, 1e-8F,
                                         0.271F, 0.002997001F, 0.01F,  0.1F};
    FOR_EACH_VARIANT(k) {
        float *gradient = make_floats(101, 20);
        twins weights = make_twins(101, 21), first = make_twins(101, 22);
        twins second = make_twins(101, 23);
        for (int i = 0; i < 101; i++) /* squares */
            second.fast[i] = second.naive[i] = second.fast[i] * second.fast[i];
        k->adam(ctx, &step, 101, gradient, weights.fast, first.fast, second.fast);
        naive_kernels.adam(ctx, &step, 101, gradient, weights.naive, first.naive, second.naive);
        compare_and_free(weights, 101, 1);
        compare_and_free(first, 101, 1);
        compare_and_free(second, 101, 1);
        free(gradient);
    }
}

static void check_slab(const dgmi_kernels *k, int64_t rows, int64_t columns) {
    float *weights = make_floats(rows, 24), *direction = make_floats(columns, 25);
    float *everywhere = make_floats(columns, 26);
    twins z = make_twins(rows * columns, 27), scores = make_twins(rows, 28);
    twins total = make_twins(columns, 29);
    const dgmi_kernels_slab fast = {rows, columns, 0.25F, z.fast},
                            naive = {rows, columns, 0.25F, z.naive};
    k->slab_scores(&fast, direction, scores.fast);
    naive_kernels.slab_scores(&naive, direction, scores.naive);
    k->slab_sums(&fast, weights, true, total.fast);
    naive_kernels.slab_sums(&naive, weights, true, total.naive);
    assert_close(k->slab_backward(&fast, weights, direction, everywhere, total.fast),
                 naive_kernels.slab_backward(&naive, weights, direction, everywhere, total.naive),
                 8 * (double)(rows * columns));
    compare_and_free(scores, rows, columns);
    compare_and_free(total, columns, 4 * rows);
    compare_and_free(z, rows * columns, 2);
    free(weights);
    free(direction);
    free(everywhere);
}

static void slabs_agree_with_their_twins(void **state) {
    (void)state;
    FOR_EACH_VARIANT(k) {
        check_slab(k, 1, 1);
        check_slab(k, 300, 64);
        check_slab(k, 17, 23);
    }
}

static void blocks_agree_with_their_twins(void **state) {
    (void)state;
    enum { ROWS = 11, ALL = ROWS * DGMI_KERNELS_BLOCK_SLAB };
    FOR_EACH_VARIANT(k) {
        float *bias = make_floats(DGMI_KERNELS_BLOCK_SLAB, 30);
        twins y = make_twins(ALL, 31), slopes = make_twins(ALL, 32);
        twins total = make_twins(DGMI_KERNELS_BLOCK_SLAB, 33);
        k->block_elu(ROWS, bias, y.fast);
        naive_kernels.block_elu(ROWS, bias, y.naive);
        k->block_elu_backward(ROWS, y.fast, slopes.fast, total.fast);
        naive_kernels.block_elu_backward(ROWS, y.naive, slopes.naive, total.naive);
        compare_and_free(y, ALL, 1);
        compare_and_free(slopes, ALL, 1);
        compare_and_free(total, DGMI_KERNELS_BLOCK_SLAB, ROWS);
        free(bias);
    }
}

/* Forces are within a few parts of 2^-13 of their largest term's sum: the reciprocal is short. */
static void check_forces(const dgmi_kernels_embed_table *k, int dim) {
    enum { POINTS = 40, PADDED = 48 };
    static sample_rows rows;
    dgmi_kernels_embedding points = {.dim = dim, .count = POINTS};
    twins force[DGMI_KERNELS_EMBED_MOST], total = make_twins(PADDED, 40);
    float *fast[DGMI_KERNELS_EMBED_MOST], *naive[DGMI_KERNELS_EMBED_MOST];
    make_rows(&rows, POINTS, POINTS);
    for (int a = 0; a < dim; a++) {
        points.axis[a] = make_floats(PADDED, 34 + (uint64_t)a);
        for (int i = POINTS; i < PADDED; i++)
            points.axis[a][i] = DGMI_KERNELS_EMBED_FAR;
        force[a] = make_twins(PADDED, 37);
        fast[a] = force[a].fast;
        naive[a] = force[a].naive;
    }
    const dgmi_kernels_embed_links links = {rows.offsets, rows.indices, rows.values};
    for (int way = 0; way < 2; way++) {
        if (way == 0) {
            k->repel(&points, &points, 3, POINTS, fast, total.fast);
            naive_kernels.embed->repel(&points, &points, 3, POINTS, naive, total.naive);
        } else {
            k->attract(&points, &points, &links, 3, POINTS, fast, total.fast);
            naive_kernels.embed->attract(&points, &points, &links, 3, POINTS, naive, total.naive);
        }
        for (int i = 3; i < POINTS; i++) {
            assert_near((double)total.fast[i], (double)total.naive[i], 4e-3);
            for (int a = 0; a < dim; a++)
                assert_near((double)fast[a][i], (double)naive[a][i], 4e-3);
        }
    }
    for (int a = 0; a < dim; a++) {
        free(points.axis[a]);
        free(fast[a]);
        free(naive[a]);
    }
    free(total.fast);
    free(total.naive);
}

static void forces_agree_with_their_twins(void **state) {
    (void)state;
    FOR_EACH_VARIANT(k)
    for (int dim = 1; dim <= DGMI_KERNELS_EMBED_MOST; dim++)
        check_forces(k->embed, dim);
}

static void gaps_between_points_agree_with_their_twins(void **state) {
    (void)state;
    enum { DIM = 9, ROWS = DGMI_KERNELS_GAP_ROWS, COLUMNS = 2 * DGMI_KERNELS_GAP_COLUMNS };
    float *points = make_floats((ROWS + COLUMNS) * DIM, 41), *limits = make_floats(COLUMNS, 42);
    const float *all[ROWS + COLUMNS];
    for (int i = 0; i < ROWS + COLUMNS; i++)
        all[i] = points + (ptrdiff_t)i * DIM;
    for (int j = 0; j < COLUMNS; j++)
        limits[j] = 12 + 4 * limits[j];
    FOR_EACH_VARIANT(k) {
        float slab[2][DIM * COLUMNS], squares[2][ROWS * COLUMNS];
        uint16_t below[2][ROWS * 2];
        k->gap->lay(DIM, all + ROWS, COLUMNS, slab[0]);
        naive_kernels.gap->lay(DIM, all + ROWS, COLUMNS, slab[1]);
        assert_same_bytes(DIM * COLUMNS, slab[0], slab[1]);
        dgmi_kernels_gaps job = {DIM,    ROWS,   COLUMNS,    all,     slab[0],
                                 limits, limits, squares[0], below[0]};
        k->gap->gaps(&job);
        job.squares = squares[1];
        job.below = below[1];
        naive_kernels.gap->gaps(&job);
        assert_like(ROWS * COLUMNS, squares[0], squares[1], DIM);
        assert_memory_equal(below[0], below[1], sizeof below[0]);
    }
    free(points);
    free(limits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_products_agree_with_their_twin),
        cmocka_unit_test(sparse_products_agree_with_their_twin),
        cmocka_unit_test(products_of_tiles_agree_with_their_twin),
        cmocka_unit_test(sums_agree_with_their_twins),
        cmocka_unit_test(maps_agree_with_their_twins),
        cmocka_unit_test(biases_and_scaled_sums_agree_with_their_twins),
        cmocka_unit_test(prelus_agree_with_their_twins),
        cmocka_unit_test(steps_of_adam_agree_with_their_twin),
        cmocka_unit_test(slabs_agree_with_their_twins),
        cmocka_unit_test(blocks_agree_with_their_twins),
        cmocka_unit_test(forces_agree_with_their_twins),
        cmocka_unit_test(gaps_between_points_agree_with_their_twins),
    };
    return cmocka_run_group_tests_name("naive kernels", tests, make_context, free_context);
}
