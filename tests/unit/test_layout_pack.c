/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces side by side: where each of them stands, checked against every place that it could have
 * taken. A piece is a box, with a mark without size in two of its corners. */
#include "unit_fixture.h"

#include "layout_sample.h"

#define ASPECT (4.0 / 3.0)
enum { MOST = 900 };

typedef struct {
    double x, y, width, height;
} box;

static double area_of(const box *b) {
    return b->width * b->height;
}

/* Packs the boxes; with `air` more on all sides together, as the packing sees them. */
static void pack(int count, const box *from, const bool *held, double gap, box *to) {
    static double places[4 * MOST], radius[2 * MOST];
    static uint32_t piece[2 * MOST];
    double air = 3 * gap;
    assert_true(count <= MOST);
    for (int i = 0; i < count; i++) {
        places[4 * i] = from[i].x;
        places[4 * i + 1] = from[i].y;
        places[4 * i + 2] = from[i].x + from[i].width;
        places[4 * i + 3] = from[i].y + from[i].height;
        piece[2 * i] = piece[2 * i + 1] = (uint32_t)i;
    }
    assert_int_equal(dgmi_layout_pack(ctx, 2 * count, piece, count, held, radius, gap, places),
                     DGM_OK);
    for (int i = 0; i < count; i++) {
        assert_near(places[4 * i + 2] - places[4 * i], from[i].width, 1e-9);
        assert_near(places[4 * i + 3] - places[4 * i + 1], from[i].height, 1e-9);
        to[i] = (box){places[4 * i] - air / 2, places[4 * i + 1] - air / 2, from[i].width + air,
                      from[i].height + air};
    }
}

/* Largest first, the first of equals; of those that are `wanted`, or of all. */
static int order_boxes(int count, const box *boxes, const bool *wanted, bool is, int *order) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        if (wanted && wanted[i] != is)
            continue;
        int at = found++;
        for (; at > 0 && area_of(boxes + order[at - 1]) < area_of(boxes + i); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return found;
}

static bool overlap(const box *a, const box *b, double give) {
    double slack = 1e-6 + give;
    return a->x + a->width > b->x + slack && b->x + b->width > a->x + slack &&
           a->y + a->height > b->y + slack && b->y + b->height > a->y + slack;
}

static bool is_free(const box *boxes, const int *order, int placed, const box *at, double give) {
    for (int i = 0; i < placed; i++)
        if (overlap(boxes + order[i], at, give))
            return false;
    return true;
}

/* How far the page of the first boxes and one more reaches from the middle, and a little for how
 * far that one is. */
static double cost_of(const box *boxes, const int *order, int placed, const box *at) {
    double x = 0, y = 0;
    for (int i = 0; i <= placed; i++) {
        const box *b = i < placed ? boxes + order[i] : at;
        x = fmax(x, fmax(b->x + b->width, -b->x));
        y = fmax(y, fmax(b->y + b->height, -b->y));
    }
    double dx = at->x + at->width / 2, dy = at->y + at->height / 2;
    return fmax(x / ASPECT, y) + 1e-3 * hypot(dx / ASPECT, dy);
}

/* The box of that number in the order touches one before it, and no other place at a corner or the
 * middle of a side would have been better. */
static void assert_best_around(const box *boxes, const int *order, int number) {
    const box *b = boxes + order[number];
    double best = INFINITY, cost = cost_of(boxes, order, number, b);
    bool touches = false;
    assert_true(is_free(boxes, order, number, b, 0));
    for (int i = 0; i < number; i++) {
        const box *o = boxes + order[i];
        double xs[] = {o->x - b->width, o->x, o->x + o->width / 2 - b->width / 2,
                       o->x + o->width - b->width, o->x + o->width};
        double ys[] = {o->y - b->height, o->y, o->y + o->height / 2 - b->height / 2,
                       o->y + o->height - b->height, o->y + o->height};
        for (int k = 0; k < 25; k++) {
            box at = {xs[k % 5], ys[k / 5], b->width, b->height};
            if (overlap(o, &at, 0))
                continue;
            touches = touches || hypot(at.x - b->x, at.y - b->y) < 1e-5;
            if (is_free(boxes, order, number, &at, 0))
                best = fmin(best, cost_of(boxes, order, number, &at));
        }
    }
    assert_true(touches);
    assert_near(cost, best, 1e-6);
}

static double side(uint64_t stream, int i, double least, double most) {
    return least + (most - least) * dgmi_random_unit(21, stream, (uint64_t)i);
}

static void each_piece_takes_the_best_place_around_the_larger_ones(void **state) {
    (void)state;
    enum { COUNT_OF = 14 };
    for (uint64_t turn = 0; turn < 6; turn++) {
        box from[COUNT_OF], to[COUNT_OF];
        int order[COUNT_OF];
        double gap = turn % 2 == 0 ? 0 : 0.2;
        for (int i = 0; i < COUNT_OF; i++)
            from[i] = (box){side(4 * turn, i, -50, 50), side(4 * turn + 1, i, -50, 50),
                            side(4 * turn + 2, i, 1, turn < 3 ? 9 : 4),
                            side(4 * turn + 3, i, 1, turn < 3 ? 4 : 9)};
        pack(COUNT_OF, from, NULL, gap, to);
        assert_int_equal(order_boxes(COUNT_OF, to, NULL, true, order), COUNT_OF);
        assert_near(to[order[0]].x, -to[order[0]].width / 2, 1e-6);
        assert_near(to[order[0]].y, -to[order[0]].height / 2, 1e-6);
        for (int i = 1; i < COUNT_OF; i++)
            assert_best_around(to, order, i);
    }
}

/* ---- rows ---- */

/* Up to 64 of about one size stand around the first, more of them in rows of a page of 4 : 3 that
 * is nine tenths full. */
static void more_than_64_pieces_of_one_size_stand_in_rows(void **state) {
    (void)state;
    for (int count = 64; count <= 100; count += count == 64 ? 1 : 5) {
        box from[MOST], to[MOST];
        for (int i = 0; i < count; i++)
            from[i] = (box){7, 7, 2, 1};
        pack(count, from, NULL, 0, to);
        if (count == 64) {
            assert_near(to[0].x, -1, 1e-6);
            assert_near(to[0].y, -0.5, 1e-6);
            continue;
        }
        double width = sqrt(ASPECT * 2 * count / 0.9);
        int columns = (int)(width / 2);
        for (int i = 0; i < count; i++) {
            assert_near(to[i].x, -width / 2 + 2 * (i % columns), 1e-5);
            assert_near(to[i].y, -1 - i / columns, 1e-5);
        }
    }
}

/* With 70 of a quarter of the largest or less, those of exactly a quarter are not small. */
static void where_many_are_large_a_quarter_of_the_largest_is_large(void **state) {
    (void)state;
    enum { COUNT_OF = 70 };
    box from[COUNT_OF], to[COUNT_OF];
    int order[COUNT_OF];
    for (int i = 0; i < COUNT_OF; i++) {
        double size = i == 0 ? 8 : i < 4 ? 4 : 2;
        from[i] = (box){0, 0, size, size};
    }
    pack(COUNT_OF, from, NULL, 0, to);
    order_boxes(COUNT_OF, to, NULL, true, order);
    for (int i = 1; i < 4; i++)
        assert_best_around(to, order, i);
    /* the others in rows under the page of the first four */
    double low = INFINITY, left = INFINITY, right = -INFINITY, high = -INFINITY;
    for (int i = 0; i < 4; i++) {
        low = fmin(low, to[i].y);
        high = fmax(high, to[i].y + to[i].height);
        left = fmin(left, to[i].x);
        right = fmax(right, to[i].x + to[i].width);
    }
    double area = (COUNT_OF - 4) * 4 / 0.9;
    double width = sqrt(ASPECT * ((right - left) * (high - low) + area));
    int columns = (int)(width / 2);
    for (int i = 4; i < COUNT_OF; i++) {
        assert_near(to[i].x, (left + right - width) / 2 + 2 * ((i - 4) % columns), 1e-5);
        assert_near(to[i].y, low - 2 * ((i - 4) / columns + 1), 1e-5);
    }
}

/* Below a 400th of the largest they stand in rows, the tallest first, in one line of middles. */
static void small_pieces_stand_under_the_largest(void **state) {
    (void)state;
    enum { COUNT_OF = 40 };
    box from[COUNT_OF], to[COUNT_OF];
    from[0] = (box){3, 3, 20, 20};
    from[1] = (box){0, 0, 1.1, 1};
    double area = 0;
    for (int i = 2; i < COUNT_OF; i++) {
        from[i] = (box){0, 0, 0.9, 1 - 0.01 * i};
        area += area_of(from + i) / 0.9;
    }
    pack(COUNT_OF, from, NULL, 0, to);
    int order[] = {0, 1};
    assert_best_around(to, order, 1);
    double left = fmin(-10, to[1].x), right = fmax(10, to[1].x + 1.1);
    double width = sqrt(ASPECT * ((right - left) * 20 + area));
    int columns = (int)(width / 0.9);
    double y = -10;
    for (int i = 2; i < COUNT_OF; i++) {
        int row = (i - 2) / columns, first = 2 + row * columns;
        if (i > 2 && i == first)
            y -= from[i - columns].height;
        assert_near(to[i].x, (left + right - width) / 2 + 0.9 * ((i - 2) % columns), 1e-5);
        assert_near(to[i].y, y - from[first].height / 2 - from[i].height / 2, 1e-5);
    }
    assert_true(columns < COUNT_OF - 2);
}

static double off_aspect(double aspect) {
    return aspect > ASPECT ? aspect / ASPECT : ASPECT / aspect;
}

/* Rows stand beside the largest, from its upper end, where such a page is nearer to 4 : 3 than one
 * with rows under it. */
static void small_pieces_stand_where_the_page_is_nearer_to_4_to_3(void **state) {
    (void)state;
    static const struct {
        double width, height, size;
        int count;
        bool beside;
    } cases[] = {
        {10, 40, 1, 180, false},   {10, 40, 0.5, 180, false}, {10, 20, 0.5, 800, true},
        {10, 20, 0.7, 200, false}, {16, 20, 0.8, 300, true},  {20, 16, 0.8, 300, false},
        {14, 20, 0.8, 300, true},  {12, 20, 0.6, 500, true},  {13, 20, 0.75, 90, false},
    };
    for (int64_t k = 0; k < COUNT(cases); k++) {
        static box from[MOST], to[MOST];
        double w = cases[k].width, h = cases[k].height, size = cases[k].size;
        from[0] = (box){0, 0, w, h};
        for (int i = 1; i <= cases[k].count; i++)
            from[i] = (box){0, 0, size, size};
        pack(cases[k].count + 1, from, NULL, 0, to);
        double area = cases[k].count * size * size / 0.9, wide = area / h;
        double under = fmax(w, sqrt(ASPECT * (w * h + area))), low = h + area / under;
        bool beside = off_aspect((w + wide) / h) < off_aspect(under / low);
        assert_int_equal(beside, cases[k].beside);
        int columns = (int)((beside ? wide : under) / size);
        for (int i = 1; i <= cases[k].count; i++) {
            int row = (i - 1) / columns;
            assert_near(to[i].x, (beside ? w / 2 : -under / 2) + size * ((i - 1) % columns), 1e-5);
            assert_near(to[i].y, (beside ? h / 2 : -h / 2) - size * (1 + row), 1e-5);
        }
    }
}

/* A long thin piece beside the largest makes a page of 11 x 10, one under it a page of 10.97 x
 * 10.02; only its area would hardly widen the page. */
static void rows_are_as_wide_as_their_widest_piece(void **state) {
    (void)state;
    box from[] = {{0, 0, 9, 10}, {0, 0, 2, 0.1}}, to[2];
    pack(2, from, NULL, 0, to);
    assert_near(to[1].x, 4.5, 1e-6);
    assert_near(to[1].y, 4.9, 1e-6);
}

/* ---- pieces that are held ---- */

static void held_pieces_with_room_stay(void **state) {
    (void)state;
    box from[] = {{0, 0, 4, 4}, {5, 0, 4, 4}, {0, 5, 4, 4}, {70, 70, 1, 2}}, to[4];
    const bool first[] = {true, true, true, false}, last[] = {false, false, false, true};
    pack(4, from, first, 0, to);
    for (int i = 0; i < 3; i++) {
        assert_near(to[i].x, from[i].x, 1e-9);
        assert_near(to[i].y, from[i].y, 1e-9);
    }
    int order[] = {0, 1, 2, 3}, held[] = {3, 0, 1, 2};
    assert_best_around(to, order, 3);
    pack(4, from, last, 0, to);
    assert_near(to[3].x, 70, 1e-9);
    assert_near(to[3].y, 70, 1e-9);
    for (int i = 1; i < 4; i++)
        assert_best_around(to, held, i);
}

/* So much nearer than three gaps may pieces of several marks stand that are held: three quarters of
 * a gap. */
static void held_pieces_may_be_a_little_too_near(void **state) {
    (void)state;
    for (int turn = 0; turn < 4; turn++) {
        double gap = turn < 2 ? 1 : 0.1, apart = (turn % 2 == 0 ? 2.3 : 2.2) * gap;
        box from[] = {{0, 0, 5, 5}, {5 + apart, 0, 4, 5}}, to[2];
        const bool held[] = {true, true};
        pack(2, from, held, gap, to);
        assert_near(to[0].x, -1.5 * gap, 1e-9);
        assert_near(to[1].x - to[0].x, turn % 2 == 0 ? 5 + apart : 5 + 3 * gap, 1e-6);
        assert_near(to[1].y, to[0].y, 1e-6);
    }
}

/* The page of the held pieces has 24 x 4, and anew they take 7 x 4, of which it may be twice. */
static void held_pieces_far_apart_come_nearer_in_proportion(void **state) {
    (void)state;
    box from[] = {{99, 99, 1, 1}, {10, 30, 3, 3}, {30, 30, 4, 4}}, to[3];
    const bool held[] = {false, true, true};
    for (int upright = 0; upright < 2; upright++) {
        for (int i = 1; i < 3; i++) {
            from[i].x = upright ? 30 : 20 * i - 10;
            from[i].y = upright ? 20 * i - 10 : 30;
        }
        box anew[3];
        pack(3, from, NULL, 0, anew);
        double left = fmin(anew[1].x, fmin(anew[2].x, anew[0].x)), right = -INFINITY;
        double low = fmin(anew[1].y, fmin(anew[2].y, anew[0].y)), high = -INFINITY;
        for (int i = 0; i < 3; i++) {
            right = fmax(right, anew[i].x + anew[i].width);
            high = fmax(high, anew[i].y + anew[i].height);
        }
        double share = sqrt(2 * (right - left) * (high - low) / (24 * 4));
        assert_true(share < 0.9);
        pack(3, from, held, 0, to);
        assert_near(to[2].x, from[2].x, 1e-9);
        assert_near(to[2].y, from[2].y, 1e-9);
        double middle = 32 + share * (11.5 - 32);
        double along = upright ? to[1].y : to[1].x, across = upright ? to[1].x : to[1].y;
        assert_near(along, middle - 1.5, 1e-6);
        assert_near(across, 32 + share * (31.5 - 32) - 1.5, 1e-6);
    }
}

/* Each in turn, the largest first: where it was, or at the nearest free place beside another. */
static void held_pieces_in_the_way_go_to_the_nearest_free_place(void **state) {
    (void)state;
    enum { COUNT_OF = 12 };
    for (uint64_t turn = 0; turn < 8; turn++) {
        box from[COUNT_OF], to[COUNT_OF];
        int order[COUNT_OF], moved = 0;
        bool held[COUNT_OF];
        for (int i = 0; i < COUNT_OF; i++) {
            from[i] = (box){side(40 + turn, i, 50, 60), side(60 + turn, i, -60, -50),
                            side(80 + turn, i, 1, 6), side(100 + turn, i, 1, 6)};
            held[i] = i != 4 && i != COUNT_OF - 1;
        }
        pack(COUNT_OF, from, held, 0, to);
        int count = order_boxes(COUNT_OF, to, held, true, order);
        assert_int_equal(count, COUNT_OF - 2);
        for (int i = 0; i < count; i++) {
            const box *b = to + order[i], *was = from + order[i];
            double far = hypot(b->x - was->x, b->y - was->y), best = INFINITY;
            assert_true(is_free(to, order, i, b, 0));
            if (is_free(to, order, i, was, 0))
                best = 0;
            for (int j = 0; j < i; j++) {
                const box *o = to + order[j];
                double xs[] = {o->x - b->width, was->x, o->x + o->width};
                double ys[] = {o->y - b->height, was->y, o->y + o->height};
                for (int k = 0; k < 9; k++) {
                    box at = {xs[k % 3], ys[k / 3], b->width, b->height};
                    if (k != 4 && is_free(to, order, i, &at, 0))
                        best = fmin(best, hypot(at.x - was->x, at.y - was->y));
                }
            }
            assert_near(far, best, 1e-6);
            moved += far > 0;
        }
        assert_true(moved > 2);
        /* then the two others, around them */
        bool fifth = area_of(to + 4) >= area_of(to + COUNT_OF - 1);
        order[count] = fifth ? 4 : COUNT_OF - 1;
        order[count + 1] = fifth ? COUNT_OF - 1 : 4;
        assert_best_around(to, order, count);
        assert_best_around(to, order, count + 1);
    }
}

/* Up to 64 others stand around those that are held, more of them in rows under them. */
static void many_others_stand_in_rows_under_held_pieces(void **state) {
    (void)state;
    for (int others = 64; others <= 65; others++) {
        box from[70], to[70];
        bool held[70] = {true, true};
        int order[70] = {0, 1};
        from[0] = (box){100, -50, 20, 10};
        from[1] = (box){121, -50, 5, 10};
        for (int i = 2; i < others + 2; i++) {
            from[i] = (box){0, 0, 2, 2};
            order[i] = i;
        }
        pack(others + 2, from, held, 0, to);
        for (int i = 0; i < 2; i++) {
            assert_near(to[i].x, from[i].x, 1e-9);
            assert_near(to[i].y, from[i].y, 1e-9);
        }
        double area = others * 4 / 0.9, width = sqrt(ASPECT * (26 * 10 + area));
        int columns = (int)(width / 2);
        for (int i = 2; i < others + 2; i++) {
            if (others == 64) {
                assert_best_around(to, order, i);
                continue;
            }
            assert_near(to[i].x, 113 - width / 2 + 2 * ((i - 2) % columns), 1e-5);
            assert_near(to[i].y, -50 - 2 * ((i - 2) / columns + 1), 1e-5);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_piece_takes_the_best_place_around_the_larger_ones),
        cmocka_unit_test(more_than_64_pieces_of_one_size_stand_in_rows),
        cmocka_unit_test(where_many_are_large_a_quarter_of_the_largest_is_large),
        cmocka_unit_test(small_pieces_stand_under_the_largest),
        cmocka_unit_test(small_pieces_stand_where_the_page_is_nearer_to_4_to_3),
        cmocka_unit_test(rows_are_as_wide_as_their_widest_piece),
        cmocka_unit_test(held_pieces_with_room_stay),
        cmocka_unit_test(held_pieces_may_be_a_little_too_near),
        cmocka_unit_test(held_pieces_far_apart_come_nearer_in_proportion),
        cmocka_unit_test(held_pieces_in_the_way_go_to_the_nearest_free_place),
        cmocka_unit_test(many_others_stand_in_rows_under_held_pieces),
    };
    return RUN_WITH_CONTEXT(tests);
}
