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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_begins_in_the_order_of_its_marks),
        cmocka_unit_test(a_piece_without_a_start_lies_on_its_long_side),
    };
    return RUN_WITH_CONTEXT(tests);
}
