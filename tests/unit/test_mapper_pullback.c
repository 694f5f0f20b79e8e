/* SPDX-License-Identifier: Apache-2.0 */
/* Which cells exist, how they are numbered, and who is in them. */
#include "unit_fixture.h"

#include <stdio.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_random.h"
#include "mapper_stages.h"

static dgm_status pull_back(const dgm_matrix *lens, const dgm_mapper_options *options,
                            dgmi_mapper_pullback *pullback) {
    static dgmi_mapper_cover cover;
    assert_int_equal(dgmi_mapper_cover_make(ctx, lens, options, &cover), DGM_OK);
    return dgmi_mapper_pullback_make(ctx, &cover, pullback);
}

static void cells_that_are_hit_are_numbered_in_order(void **state) {
    (void)state;
    /* [0, 2) [2, 4) [4, 6) [6, 8) [8, 10] on both axes */
    const double values[] = {9, 0, 0, 10, 1, 0, 10, 0, 0, 9};
    dgm_matrix *lens = build_matrix(5, 2, values);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_pullback pullback;
    options.intervals[0] = 5;
    options.overlap[0] = 0;
    assert_int_equal(pull_back(lens, &options, &pullback), DGM_OK);
    const int32_t coordinates[] = {0, 0, 0, 4, 4, 0};
    const uint32_t cell[] = {2, 1, 0, 2, 1}, by_cell[] = {2, 1, 4, 0, 3}, start[] = {0, 1, 3, 5};
    assert_int_equal(pullback.slots, 5);
    assert_int_equal(pullback.cells, 3);
    assert_int_equal(pullback.axes, 2);
    assert_memory_equal(pullback.coordinates, coordinates, sizeof coordinates);
    assert_memory_equal(pullback.cell, cell, sizeof cell);
    assert_memory_equal(pullback.by_cell, by_cell, sizeof by_cell);
    assert_memory_equal(pullback.cell_start, start, sizeof start);
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
}

/* A corner of four cells: the node in the middle of [0, 3]^2 with two cells an axis at half a gain.
 */
static void a_corner_lies_in_four_cells(void **state) {
    (void)state;
    dgm_matrix *lens = build_matrix(3, 2, (const double[]){0, 0, 1.5, 1.5, 3, 3});
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_pullback pullback;
    options.intervals[0] = 2;
    options.overlap[0] = 0.5;
    assert_int_equal(pull_back(lens, &options, &pullback), DGM_OK);
    const uint32_t offsets[] = {0, 1, 5, 6}, cell[] = {0, 0, 1, 2, 3, 3};
    const int32_t coordinates[] = {0, 0, 0, 1, 1, 0, 1, 1};
    assert_int_equal(pullback.cells, 4);
    assert_memory_equal(pullback.offsets, offsets, sizeof offsets);
    assert_memory_equal(pullback.cell, cell, sizeof cell);
    assert_memory_equal(pullback.coordinates, coordinates, sizeof coordinates);
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
}

/* A hundred points alone leave 2,000 cells mostly empty, so cells are interned; thirty copies of
 * them fill an array. Both number the same cells. */
static void few_points_and_many_give_the_same_cells(void **state) {
    (void)state;
    enum { POINTS = 100, COPIES = 30, AXES = 2 };
    static double values[POINTS * COPIES * AXES];
    for (uint64_t i = 0; i < POINTS * COPIES * AXES; i++)
        values[i] = dgmi_random_unit(12, 1, i % (POINTS * AXES));
    dgm_matrix *few = build_matrix(POINTS, AXES, values);
    dgm_matrix *many = build_matrix(POINTS * COPIES, AXES, values);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.intervals[0] = 50;
    options.intervals[1] = 40;
    for (int threads = 1; threads <= 4; threads += 3) {
        dgm_context_set_threads(ctx, threads);
        dgmi_hold hold = dgmi_arena_hold(ctx);
        dgmi_mapper_pullback sparse, dense;
        assert_int_equal(pull_back(few, &options, &sparse), DGM_OK);
        assert_int_equal(pull_back(many, &options, &dense), DGM_OK);
        assert_true(2 * sparse.slots + 1024 < 50 * 40 && 2 * dense.slots + 1024 > 50 * 40);
        assert_int_equal(dense.slots, COPIES * sparse.slots);
        assert_int_equal(dense.cells, sparse.cells);
        assert_memory_equal(dense.coordinates, sparse.coordinates,
                            (size_t)(AXES * sparse.cells) * sizeof(int32_t));
        for (int64_t s = 0; s < dense.slots; s++)
            assert_int_equal(dense.cell[s], sparse.cell[s % sparse.slots]);
        for (int64_t c = 0; c < sparse.cells; c++)
            assert_int_equal(dense.cell_start[c], COPIES * sparse.cell_start[c]);
        dgmi_arena_release(ctx, hold);
    }
    dgm_context_set_threads(ctx, 0);
    dgm_matrix_free(few);
    dgm_matrix_free(many);
}

/* 2^20 cells and more than the list of options has axes. */
static void twenty_axes_hold_what_is_hit(void **state) {
    (void)state;
    enum { AXES = 20 };
    double values[3 * AXES];
    for (int k = 0; k < AXES; k++) {
        values[k] = 0;
        values[AXES + k] = k == 7 || k == 19; /* in the upper half on two axes */
        values[2 * AXES + k] = 1;
    }
    dgm_matrix *lens = build_matrix(3, AXES, values);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_pullback pullback;
    options.intervals[0] = 1000;
    assert_int_equal(pull_back(lens, &options, &pullback), DGM_OK);
    assert_int_equal(pullback.cells, 3);
    for (int node = 0; node < 3; node++)
        for (int k = 0; k < AXES; k++)
            assert_int_equal(pullback.coordinates[node * AXES + k],
                             values[node * AXES + k] > 0 ? 999 : 0);
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
}

static void a_node_may_lie_in_many_cells_of_many_axes(void **state) {
    (void)state;
    enum { AXES = 8 };
    double values[3 * AXES];
    for (int k = 0; k < AXES; k++) {
        values[k] = 0;
        values[AXES + k] = 1.5;
        values[2 * AXES + k] = 3;
    }
    dgm_matrix *lens = build_matrix(3, AXES, values);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_pullback pullback;
    options.intervals[0] = 2;
    options.overlap[0] = 0.5;
    assert_int_equal(pull_back(lens, &options, &pullback), DGM_OK);
    assert_int_equal(pullback.slots, 1 + 256 + 1);
    assert_int_equal(pullback.cells, 256);
    for (int cell = 0; cell < 256; cell++) { /* lexicographic: the coordinates count in binary */
        assert_int_equal(pullback.cell[1 + cell], cell);
        for (int k = 0; k < AXES; k++)
            assert_int_equal(pullback.coordinates[cell * AXES + k], cell >> (AXES - 1 - k) & 1);
    }
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
}

static void given_intervals_own_their_low_ends_and_the_highest_end(void **state) {
    (void)state;
    dgm_matrix *lens = build_matrix(6, 1, (const double[]){-1, 0, 1, 1.5, 2, 2.5});
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgm_interval given[3];
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_pullback pullback;
    assert_int_equal(dgm_cover_parse(ctx, "intervals:1..2,5..6,0..1", &options, given, 3), DGM_OK);
    given[1].low = -9; /* never hit, and not the highest */
    given[1].high = -5;
    assert_int_equal(pull_back(lens, &options, &pullback), DGM_OK);
    const uint32_t offsets[] = {0, 0, 1, 2, 3, 4, 4}, cell[] = {1, 0, 0, 0};
    const int32_t coordinates[] = {0, 2};
    assert_int_equal(pullback.cells, 2);
    assert_memory_equal(pullback.offsets, offsets, sizeof offsets);
    assert_memory_equal(pullback.cell, cell, sizeof cell);
    assert_memory_equal(pullback.coordinates, coordinates, sizeof coordinates);
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
}

static void a_soft_assignment_puts_nodes_where_it_is_positive(void **state) {
    (void)state;
    dgm_matrix *lens =
        build_matrix(3, 4, (const double[]){0, 0.5, 0, 0.5, 0, 0, 0, 0, 0, 1e-300, 0, 0});
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_pullback pullback;
    options.cover = DGM_COVER_SIMPLEX;
    assert_int_equal(pull_back(lens, &options, &pullback), DGM_OK);
    const uint32_t offsets[] = {0, 2, 2, 3}, cell[] = {0, 1, 0};
    const int32_t coordinates[] = {1, 3};
    assert_int_equal(pullback.axes, 1);
    assert_int_equal(pullback.cells, 2);
    assert_memory_equal(pullback.offsets, offsets, sizeof offsets);
    assert_memory_equal(pullback.cell, cell, sizeof cell);
    assert_memory_equal(pullback.coordinates, coordinates, sizeof coordinates);
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
}

/* 3,000 nodes in a million cells each, and a node in 10^120. */
static void more_cells_than_can_be_counted_are_an_error_of_the_options(void **state) {
    (void)state;
    static double values[3000];
    for (int i = 0; i < 3000; i++)
        values[i] = i;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    options.rule = DGM_RULE_KEPLER;
    options.overlap[0] = 1;
    options.intervals[0] = 1000000;
    for (int columns = 1; columns <= 20; columns += 19) {
        dgm_matrix *lens = build_matrix(3000 / columns, columns, values);
        dgmi_hold hold = dgmi_arena_hold(ctx);
        dgmi_mapper_pullback pullback;
        ASSERT_FAILS(pull_back(lens, &options, &pullback), DGM_ERROR_USAGE,
                     "this cover puts the nodes into over 2147483647 cells in all; lower overlap "
                     "or intervals");
        dgmi_arena_release(ctx, hold);
        dgm_matrix_free(lens);
    }
}

/* 600 nodes, each in thousands of 20,000 cells. */
static void a_cover_that_does_not_fit_into_memory_is_refused_before_it_is_made(void **state) {
    (void)state;
    double values[600];
    for (int i = 0; i < 600; i++)
        values[i] = i;
    dgm_matrix *lens = build_matrix(600, 1, values);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_pullback pullback;
    char words[256];
    options.intervals[0] = 20000;
    options.overlap[0] = 0.9999;
    ctx->memory = 1e9;
    assert_int_equal(pull_back(lens, &options, &pullback), DGM_OK);
    assert_in_range(pullback.slots, 3000000, 12000000);
    snprintf(words, sizeof words,
             "a cover that puts 600 nodes into %lld cells in all needs about %.3g GB of memory "
             "beside the graph, and 0.05 GB are available; lower overlap or intervals",
             (long long)pullback.slots, 28e-9 * (double)pullback.slots);
    ctx->memory = 0.05e9;
    ASSERT_FAILS(pull_back(lens, &options, &pullback), DGM_ERROR_MEMORY, words);
    ctx->memory = 0;
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
}

/* A look at the wish to stop stands in the loops themselves, where a cover is large. */
static void a_wish_to_stop_is_heard_while_cells_are_assigned(void **state) {
    (void)state;
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_pullback pullback;
    options.intervals[0] = 10;
    for (int axes = 1; axes <= 4; axes += 3) { /* cells marked, and cells looked up */
        dgm_matrix *lens = build_matrix(2, axes, (const double[]){0, 0, 0, 0, 1, 1, 1, 1});
        dgm_context_cancel(ctx);
        assert_int_equal(pull_back(lens, &options, &pullback), DGM_ERROR_CANCELLED);
        dgm_context_resume(ctx);
        dgm_matrix_free(lens);
    }
    dgmi_arena_release(ctx, hold);
}

static void no_nodes_hit_no_cells(void **state) {
    (void)state;
    dgm_matrix *lens = build_matrix(0, 2, NULL);
    dgm_mapper_options options = DGM_MAPPER_OPTIONS_INIT;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_mapper_pullback pullback;
    assert_int_equal(pull_back(lens, &options, &pullback), DGM_OK);
    assert_int_equal(pullback.cells, 0);
    assert_int_equal(pullback.slots, 0);
    dgmi_arena_release(ctx, hold);
    dgm_matrix_free(lens);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_that_are_hit_are_numbered_in_order),
        cmocka_unit_test(a_corner_lies_in_four_cells),
        cmocka_unit_test(few_points_and_many_give_the_same_cells),
        cmocka_unit_test(twenty_axes_hold_what_is_hit),
        cmocka_unit_test(a_node_may_lie_in_many_cells_of_many_axes),
        cmocka_unit_test(given_intervals_own_their_low_ends_and_the_highest_end),
        cmocka_unit_test(a_soft_assignment_puts_nodes_where_it_is_positive),
        cmocka_unit_test(more_cells_than_can_be_counted_are_an_error_of_the_options),
        cmocka_unit_test(a_cover_that_does_not_fit_into_memory_is_refused_before_it_is_made),
        cmocka_unit_test(a_wish_to_stop_is_heard_while_cells_are_assigned),
        cmocka_unit_test(no_nodes_hit_no_cells),
    };
    return RUN_WITH_CONTEXT(tests);
}
