/* SPDX-License-Identifier: Apache-2.0 */
/* A piece before and after its stress is lowered: where its marks begin, how it is turned. */
#include "unit_fixture.h"

#include "layout_piece.h"
#include "layout_sample.h"

/* A piece of the marks' own numbers, in scratch memory, without known places. */
static dgmi_layout_piece make_piece(const sample *s) {
    dgmi_layout_piece piece = {.padded = DGMI_LAYOUT_PIECE_BLOCK, .scale = 1};
    assert_true(s->marks <= DGMI_LAYOUT_PIECE_BLOCK);
    assert_int_equal(dgmi_layout_graph_make(ctx, s->marks, s->links, s->count, &piece.graph),
                     DGM_OK);
    piece.x = dgmi_scratch_zero(ctx, piece.padded, sizeof *piece.x);
    piece.y = dgmi_scratch_zero(ctx, piece.padded, sizeof *piece.y);
    piece.start_x = dgmi_scratch_zero(ctx, piece.padded, sizeof *piece.start_x);
    piece.start_y = dgmi_scratch_zero(ctx, piece.padded, sizeof *piece.start_y);
    piece.known = dgmi_scratch_zero(ctx, s->marks, sizeof *piece.known);
    return piece;
}

/* A path unrolls along its main axis, its first mark like every other: half a link may be noise. */
static void a_path_begins_in_the_order_of_its_marks(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    sample s = sample_path(9);
    dgmi_layout_piece piece = make_piece(&s);
    dgmi_layout_rounds rounds;
    assert_int_equal(dgmi_layout_piece_rounds(ctx, &piece.graph, &rounds), DGM_OK);
    assert_int_equal(dgmi_layout_piece_start(ctx, &piece, &rounds, NULL), DGM_OK);
    float way = piece.x[8] > piece.x[0] ? 1 : -1;
    for (int64_t m = 1; m < s.marks; m++)
        assert_true(way * (piece.x[m] - piece.x[m - 1]) > 0.5F);
    free(s.links);
    dgmi_arena_release(ctx, hold);
}

/* Whatever its size and whichever way it leans. */
static void a_piece_without_a_start_lies_on_its_long_side(void **state) {
    (void)state;
    const double slopes[] = {1, -1, 0.5, -3, 40};
    const double sizes[] = {1e-3, 1, 1e3};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    sample s = sample_path(5);
    dgmi_layout_piece piece = make_piece(&s);
    for (int64_t k = 0; k < COUNT(slopes) * COUNT(sizes); k++) {
        double slope = slopes[k % COUNT(slopes)], size = sizes[k / COUNT(slopes)];
        for (int64_t m = 0; m < s.marks; m++) {
            piece.x[m] = (float)(size * (double)m);
            piece.y[m] = (float)(size * slope * (double)m);
        }
        dgmi_layout_piece_align(&piece);
        double length = size * 4 * sqrt(1 + slope * slope);
        for (int64_t m = 0; m < s.marks; m++)
            assert_near((double)piece.y[m], 0, 1e-5 * length);
        assert_near(fabs((double)piece.x[4] - (double)piece.x[0]), length, 1e-5 * length);
    }
    free(s.links);
    dgmi_arena_release(ctx, hold);
}

/* ---- distances ---- */

static void hops_are_counted_along_links(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    sample s = sample_path(6);
    s.marks = 7; /* the last mark is alone */
    dgmi_layout_graph graph = sample_graph(&s);
    float hops[7];
    uint32_t queue[7];
    for (uint32_t from = 0; from < 7; from++) {
        uint32_t last = dgmi_layout_piece_hops(&graph, from, hops, queue);
        for (int m = 0; m < 7; m++)
            assert_near((double)hops[m],
                        (m == 6) != (from == 6) ? -1 : fabs((double)m - (double)from), 0);
        assert_int_equal(last, from == 6 ? 6 : from < 3 ? 5 : 0);
    }
    free(s.links);
    dgmi_arena_release(ctx, hold);
}

/* Round r has the pairs whose sum is r, and then those whose sum is r and the number of marks. */
static void rounds_have_every_pair_once(void **state) {
    (void)state;
    for (int64_t marks = 2; marks <= 9; marks++) {
        dgmi_hold hold = dgmi_arena_hold(ctx);
        sample s = sample_path(marks);
        dgmi_layout_graph graph = sample_graph(&s);
        dgmi_layout_rounds rounds;
        int64_t pairs = 0;
        assert_int_equal(dgmi_layout_piece_rounds(ctx, &graph, &rounds), DGM_OK);
        assert_int_equal(rounds.farthest, marks - 1);
        for (int64_t r = 0; r < marks; r++) {
            const uint16_t *next = rounds.hops + r * rounds.stride;
            for (int64_t a = 0; a < r - a; a++, pairs++)
                assert_int_equal(*next++, r - a - a);
            for (int64_t a = r + 1; a < marks + r - a; a++, pairs++)
                assert_int_equal(*next++, marks + r - a - a);
        }
        assert_int_equal(pairs, marks * (marks - 1) / 2);
        free(s.links);
        dgmi_arena_release(ctx, hold);
    }
}

/* On a path of nine: the end that is farthest from the first mark, the other one, the middle. */
static void pivots_are_far_from_each_other(void **state) {
    (void)state;
    static const uint32_t chosen[] = {8, 0, 4}, nearest[] = {1, 1, 1, 2, 2, 2, 0, 0, 0};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    sample s = sample_path(9);
    dgmi_layout_graph graph = sample_graph(&s);
    dgmi_layout_pivot_set pivots;
    assert_int_equal(dgmi_layout_piece_pivots(ctx, &graph, 3, &pivots), DGM_OK);
    assert_int_equal(pivots.count, 3);
    assert_int_equal(pivots.stride, DGMI_LAYOUT_PIECE_BLOCK);
    assert_near((double)pivots.farthest, 8, 0);
    for (int p = 0; p < 3; p++) {
        assert_int_equal(pivots.mark[p], chosen[p]);
        for (int64_t m = 0; m < pivots.stride; m++)
            assert_near((double)pivots.hops[p * pivots.stride + m],
                        m < 9 ? fabs((double)m - (double)chosen[p]) : 0, 0);
    }
    for (int m = 0; m < 9; m++)
        assert_int_equal(pivots.nearest[m], nearest[m]);
    assert_int_equal(dgmi_layout_piece_pivots(ctx, &graph, 20, &pivots), DGM_OK);
    assert_int_equal(pivots.count, 9); /* every mark */
    free(s.links);
    dgmi_arena_release(ctx, hold);
}

static double stress_of(const sample *s, int64_t sources, const double *places) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgmi_layout_graph graph = sample_graph(s);
    double stress = -1;
    assert_int_equal(dgmi_layout_measure(ctx, &graph, sources, places, &stress), DGM_OK);
    dgmi_arena_release(ctx, hold);
    return stress;
}

/* From the first mark alone, from two of three, and from as many as there are. */
static void stress_is_the_mean_over_pairs(void **state) {
    (void)state;
    const double places[] = {1, 1, 4, 5, 4, 6};
    sample two = sample_path(2), three = sample_path(3), apart = {.marks = 3};
    double far = hypot(3, 5) / 2 - 1;
    assert_near(stress_of(&two, 1, places), 16, 1e-12);
    assert_near(stress_of(&two, 5, places), 16, 1e-12);
    assert_near(stress_of(&three, 1, places), (16 + far * far) / 2, 1e-12);
    assert_near(stress_of(&three, 2, places), (16 + far * far + 16 + 0) / 4, 1e-12);
    assert_near(stress_of(&three, 3, places), (16 + far * far + 0) / 3, 1e-12);
    assert_near(stress_of(&apart, 3, places), 0, 0);
    free(two.links);
    free(three.links);
}

/* ---- units ---- */

/* On a path the marks stand at 0, 2 and 5: sum |x| / d over sum |x|^2 / d^2. */
static void the_scale_is_that_of_the_least_stress(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    sample s = sample_path(3);
    dgmi_layout_piece piece = make_piece(&s);
    dgmi_layout_rounds rounds;
    dgmi_layout_pivot_set pivots;
    assert_int_equal(dgmi_layout_piece_rounds(ctx, &piece.graph, &rounds), DGM_OK);
    assert_int_equal(dgmi_layout_piece_pivots(ctx, &piece.graph, 1, &pivots), DGM_OK);
    assert_int_equal(pivots.mark[0], 2);
    for (int turn = 0; turn < 4; turn++) { /* along x and along y, by rounds and by pivots */
        float *along = turn % 2 == 0 ? piece.x : piece.y, *across = turn % 2 ? piece.x : piece.y;
        for (int m = 0; m < 3; m++) {
            along[m] = m == 0 ? 0 : m == 1 ? 2 : 5;
            across[m] = 7;
        }
        dgmi_layout_piece_scale(&piece, turn < 2 ? &rounds : NULL, turn < 2 ? NULL : &pivots);
        double scale = turn < 2 ? (2 + 3 + 2.5) / (4 + 9 + 6.25) : (3 + 2.5) / (9 + 6.25);
        assert_near((double)piece.scale, scale, 1e-6);
        assert_near((double)along[2], 5 * scale, 1e-5);
        assert_near((double)across[0], 7 * scale, 1e-5);
    }
    for (int m = 0; m < 3; m++)
        piece.x[m] = piece.y[m] = 3;
    dgmi_layout_piece_scale(&piece, &rounds, NULL);
    assert_near((double)piece.scale, 1, 0);
    free(s.links);
    dgmi_arena_release(ctx, hold);
}

/* A mark without a place is in the middle of its neighbours, and the next one beside it. */
static void unknown_marks_begin_beside_their_neighbours(void **state) {
    (void)state;
    dgmi_hold hold = dgmi_arena_hold(ctx);
    sample s = sample_star(4); /* the hub is not known, nor what hangs on its last leaf */
    sample_link(&s, 3, 4);
    sample_link(&s, 4, 5);
    s.marks = 6;
    dgmi_layout_piece piece = make_piece(&s);
    static const float x[] = {0, 1, 4, 7}, y[] = {0, 2, 2, -1};
    for (int m = 1; m < 4; m++) {
        piece.start_x[m] = x[m];
        piece.start_y[m] = y[m];
        piece.known[m] = 1;
    }
    dgmi_layout_rounds rounds;
    assert_int_equal(dgmi_layout_piece_rounds(ctx, &piece.graph, &rounds), DGM_OK);
    for (int held = 1; held >= 0; held--) {
        piece.anchor = held ? 1 : 0;
        assert_int_equal(dgmi_layout_piece_start(ctx, &piece, &rounds, NULL), DGM_OK);
        double scale = (double)piece.scale, noise = held ? 1e-4 : 0.1, moved = 0;
        static const double at[][2] = {{4, 1}, {1, 2}, {4, 2}, {7, -1}, {7, -1}, {7, -1}};
        for (int m = 0; m < 6; m++) {
            double dx = fabs((double)piece.x[m] - scale * at[m][0]);
            double dy = fabs((double)piece.y[m] - scale * at[m][1]);
            moved = fmax(moved, fmax(dx, dy));
            assert_true(dx < noise + 1e-6 && dy < noise + 1e-6);
        }
        assert_true(moved > noise / 3);
    }
    free(s.links);
    dgmi_arena_release(ctx, hold);
}

/* ---- turns ---- */

/* Points that were turned, mirrored, stretched and moved away lie as they did, but for the stretch.
 * What has no start moves along. */
static void a_piece_with_a_start_lies_as_it_did(void **state) {
    (void)state;
    static const double start[][2] = {{-3, -1}, {1, -2}, {4, 0}, {-2, 3}, {0.5, 0.25}};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    sample s = sample_path(5);
    dgmi_layout_piece piece = make_piece(&s);
    for (int turn = 0; turn < 24; turn++) {
        double angle = 0.6 * turn, mirror = turn % 2 == 0 ? 1 : -1;
        bool line = turn >= 16; /* with a start on a line nothing is mirrored */
        for (int m = 0; m < 5; m++) {
            double x = start[m][0], y = line && m < 4 ? 0 : start[m][1];
            piece.known[m] = m < 4;
            piece.start_x[m] = (float)x;
            piece.start_y[m] = (float)y;
            double flat = (line ? 1 : mirror) * y;
            piece.x[m] = (float)(9 + 2 * (cos(angle) * x - sin(angle) * flat));
            piece.y[m] = (float)(-5 + 2 * (sin(angle) * x + cos(angle) * flat));
        }
        dgmi_layout_piece_align(&piece);
        for (int m = 0; m < 5; m++) {
            double y = line && m < 4 ? 0 : start[m][1];
            assert_near((double)piece.x[m], 2 * start[m][0], 1e-5);
            assert_near((double)piece.y[m], 2 * y, 1e-5);
        }
    }
    for (int m = 0; m < 5; m++) /* all in one place: nothing to turn by */
        piece.x[m] = piece.y[m] = m == 4 ? 6 : 5;
    dgmi_layout_piece_align(&piece);
    assert_near((double)piece.x[4], 1, 1e-6);
    assert_near((double)piece.y[4], 1, 1e-6);
    free(s.links);
    dgmi_arena_release(ctx, hold);
}

/* ---- fans ---- */

/* Of 64 leaves each has its place in a disc, a golden angle after the one before; 63 stay. */
static void many_leaves_are_a_fan(void **state) {
    (void)state;
    for (int64_t leaves = 63; leaves <= 64; leaves++) {
        dgmi_hold hold = dgmi_arena_hold(ctx);
        sample s = sample_star(leaves + 1);
        dgmi_layout_piece piece = make_piece(&s);
        const dgmi_layout_pivot_set none = {.count = 0};
        piece.x[0] = 3;
        piece.y[0] = -4;
        dgmi_layout_piece_open_fans(&piece, &none);
        for (int64_t m = 1; m <= leaves; m++) {
            double x = (double)piece.x[m] - 3, y = (double)piece.y[m] + 4;
            double turn = (double)m * 2.3999632297286533, far = 1.8108 * sqrt((m - 0.5) / 64.0);
            assert_near(x, leaves == 64 ? far * cos(turn) : -3, 1e-5);
            assert_near(y, leaves == 64 ? far * sin(turn) : 4, 1e-5);
        }
        free(s.links);
        dgmi_arena_release(ctx, hold);
    }
}

/* A pivot one hop away wants the hub at 1, and weighs four times as much as one at 4 that is two
 * hops away and wants it at 2. The hub itself wants nothing, nor what stands in its place. */
static void a_hub_settles_between_its_pivots(void **state) {
    (void)state;
    enum { LEAVES = 64, MARKS = LEAVES + 1 };
    for (int axis = 0; axis < 2; axis++) {
        dgmi_hold hold = dgmi_arena_hold(ctx);
        sample s = sample_star(MARKS);
        dgmi_layout_piece piece = make_piece(&s);
        uint32_t marks[] = {0, 1, 2, 3};
        float hops[4 * MARKS] = {0};
        const float wanted[] = {0, 1, 2, 7};
        dgmi_layout_pivot_set pivots = {.count = 3, .stride = MARKS, .mark = marks, .hops = hops};
        for (int p = 0; p < 4; p++)
            hops[p * MARKS] = wanted[p];
        float *along = axis == 0 ? piece.x : piece.y;
        along[0] = 2.5F;
        along[2] = 4;
        dgmi_layout_piece_open_fans(&piece, &pivots);
        assert_near((double)along[0], (1 + 0.25 * 2) / 1.25, 1e-6);
        assert_near((double)(axis == 0 ? piece.y : piece.x)[0], 0, 1e-6);
        along[3] = along[0] = 3;
        pivots.mark = marks + 3;
        pivots.hops = hops + 3 * MARKS;
        pivots.count = 1;
        (axis == 0 ? piece.y : piece.x)[3] = (axis == 0 ? piece.y : piece.x)[0];
        dgmi_layout_piece_open_fans(&piece, &pivots);
        assert_near((double)along[0], 3, 0);
        free(s.links);
        dgmi_arena_release(ctx, hold);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_begins_in_the_order_of_its_marks),
        cmocka_unit_test(a_piece_without_a_start_lies_on_its_long_side),
        cmocka_unit_test(hops_are_counted_along_links),
        cmocka_unit_test(rounds_have_every_pair_once),
        cmocka_unit_test(pivots_are_far_from_each_other),
        cmocka_unit_test(stress_is_the_mean_over_pairs),
        cmocka_unit_test(the_scale_is_that_of_the_least_stress),
        cmocka_unit_test(unknown_marks_begin_beside_their_neighbours),
        cmocka_unit_test(a_piece_with_a_start_lies_as_it_did),
        cmocka_unit_test(many_leaves_are_a_fan),
        cmocka_unit_test(a_hub_settles_between_its_pivots),
    };
    return RUN_WITH_CONTEXT(tests);
}
