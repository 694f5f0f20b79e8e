/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

#include <math.h>

#include "draw_sample.h"
#include "unit_faults.h"

static void items_stay_in_the_order_of_painting(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    sample_items(&list);
    assert_int_equal(list.status, DGM_OK);
    assert_int_equal(list.count, 17);
    assert_int_equal(list.items[0].kind, DGMI_DRAW_ITEM_OPEN);
    assert_string_equal(dgmi_draw_list_string(&list, list.items[0].text), "edges");
    assert_int_equal(list.items[4].kind, DGMI_DRAW_ITEM_CLOSE);
    const dgmi_draw_item *line = &list.items[1], *disc = &list.items[6], *text = &list.items[14];
    assert_true(line->stroked && !line->filled);
    assert_string_equal(dgmi_draw_list_string(&list, line->title), "0 & 1");
    assert_true(disc->filled);
    assert_string_equal(dgmi_draw_list_string(&list, disc->id), "node-0");
    assert_true(text->bold && text->anchor == DGMI_DRAW_ANCHOR_MIDDLE);
    assert_string_equal(dgmi_draw_list_string(&list, text->text), "middle");
    dgmi_draw_list_free(&list);
}

static void what_was_not_said_is_opaque_and_has_no_title(void **state) {
    (void)state;
    dgmi_draw_list list;
    sample_page(&list, ctx);
    const dgmi_draw_item *rect = dgmi_draw_list_rect(&list, 1, 2, 3, 4, sample_red);
    assert_true(rect->opacity == 1 && !rect->stroked && rect->title == -1 && rect->id == -1);
    assert_null(dgmi_draw_list_string(&list, rect->title));
    assert_int_equal(dgmi_draw_list_words(&list, NULL), -1);
    dgmi_draw_list_free(&list);
}

static void a_page_without_items_is_fine(void **state) {
    (void)state;
    dgmi_draw_list list;
    dgmi_draw_list_init(&list, ctx);
    assert_int_equal(list.status, DGM_OK);
    dgmi_draw_list_free(&list);
    dgmi_draw_list_free(&list);
}

static dgm_status fill_a_list(dgm_context *own, void *argument) {
    (void)argument;
    dgmi_draw_list list;
    sample_page(&list, own);
    for (int i = 0; i < 20; i++)
        sample_items(&list);
    dgm_status status = list.status;
    if (status == DGM_OK)
        assert_int_equal(list.count, 20 * 17);
    dgmi_draw_list_free(&list);
    return status;
}

static void no_memory_is_kept_as_the_status_and_no_item_is_null(void **state) {
    (void)state;
    fail_each_allocation(fill_a_list, NULL);
}

/* A square and a diamond have the area of the disc: sides of sqrt(pi) r. */
static void squares_have_the_area_of_their_disc(void **state) {
    (void)state;
    static const double ways[2][4][2] = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}},
                                         {{0, -1}, {1, 0}, {0, 1}, {-1, 0}}};
    dgmi_draw_list list;
    dgmi_draw_list_init(&list, ctx);
    for (int diamond = 0; diamond < 2; diamond++) {
        double corners[4][2], side = sqrt(M_PI) * 3;
        double reach = diamond ? side / sqrt(2) : side / 2;
        const dgmi_draw_item *item =
            dgmi_draw_list_shape(&list, diamond ? DGMI_DRAW_SHAPE_DIAMOND : DGMI_DRAW_SHAPE_SQUARE,
                                 10, 20, 3, sample_red);
        assert_int_equal(item->kind, DGMI_DRAW_ITEM_FOUR);
        assert_true(item->b == diamond && item->filled && !item->stroked);
        dgmi_draw_item_corners(item, corners);
        for (int i = 0; i < 4; i++) {
            assert_near(corners[i][0], 10 + reach * ways[diamond][i][0], 1e-12);
            assert_near(corners[i][1], 20 + reach * ways[diamond][i][1], 1e-12);
        }
    }
    const dgmi_draw_item *disc =
        dgmi_draw_list_shape(&list, DGMI_DRAW_SHAPE_DISC, 10, 20, 3, sample_red);
    assert_int_equal(disc->kind, DGMI_DRAW_ITEM_DISC);
    assert_true(disc->a == 3 && disc->text == -1);
    dgmi_draw_list_free(&list);
}

/* Arcs begin where the side before ends, and turn by what is left of half a turn at the corner. The
 * angles of a right triangle, clockwise on a page whose y points downwards. */
static void hulls_turn_at_their_corners(void **state) {
    (void)state;
    static const dgmi_draw_point line[] = {{7, 7}, {9, 7}};
    static const dgmi_draw_point triangle[] = {{20, 10}, {40, 10}, {20, 30}};
    static const double from[] = {-M_PI, -M_PI / 2, M_PI / 4};
    static const double turns[] = {M_PI / 2, 3 * M_PI / 4, 3 * M_PI / 4};
    dgmi_draw_list list;
    dgmi_draw_list_init(&list, ctx);
    dgmi_draw_list_hull(&list, line, 2, 1, sample_red);
    const dgmi_draw_item *hull = dgmi_draw_list_hull(&list, triangle, 3, 2, sample_red);
    assert_true(hull->x == 20 && hull->y == 10 && hull->a == 2);
    assert_int_equal(hull->first, 2);
    assert_int_equal(hull->corners, 3);
    for (int i = 0; i < 3; i++) {
        dgmi_draw_arc arc = dgmi_draw_item_arc(&list, hull, i);
        assert_true(arc.x == triangle[i].x && arc.y == triangle[i].y);
        assert_near(cos(arc.from), cos(from[i]), 1e-12);
        assert_near(sin(arc.from), sin(from[i]), 1e-12);
        assert_near(arc.turn, turns[i], 1e-12);
    }
    for (int i = 0; i < 2; i++) {
        dgmi_draw_arc end = dgmi_draw_item_arc(&list, &list.items[0], i);
        assert_near(end.turn, M_PI, 1e-12);
        assert_near(cos(end.from), 0, 1e-12);
        assert_near(sin(end.from), i == 0 ? 1 : -1, 1e-12);
    }
    dgmi_draw_list_free(&list);
    assert_null(list.items);
    assert_null(list.points);
    assert_int_equal(list.count + list.capacity + list.point_count + list.point_capacity, 0);
}

/* A corner that is straight but for rounding does not turn back, and the end of a line that is
 * straight but for rounding turns by half a turn all the same. */
static void straight_corners_do_not_turn_back(void **state) {
    (void)state;
    const dgmi_draw_point flat[] = {{0, 0}, {1, 1e-15}, {2, 0}, {1, 5}};
    const dgmi_draw_point back[] = {{0, 0}, {1e8, 1e-9}};
    dgmi_draw_list list;
    dgmi_draw_list_init(&list, ctx);
    dgmi_draw_list_hull(&list, flat, 4, 1, sample_red);
    dgmi_draw_list_hull(&list, back, 2, 1, sample_red);
    assert_near(dgmi_draw_item_arc(&list, &list.items[0], 1).turn, 0, 0);
    for (int i = 0; i < 2; i++)
        assert_near(dgmi_draw_item_arc(&list, &list.items[1], i).turn, M_PI, 1e-9);
    dgmi_draw_list_free(&list);
}

static void one_corner_is_a_disc(void **state) {
    (void)state;
    dgmi_draw_list list;
    dgmi_draw_list_init(&list, ctx);
    const dgmi_draw_item *disc =
        dgmi_draw_list_hull(&list, &(dgmi_draw_point){3, 4}, 1, 5, sample_red);
    assert_int_equal(disc->kind, DGMI_DRAW_ITEM_DISC);
    assert_true(disc->x == 3 && disc->y == 4 && disc->a == 5);
    assert_int_equal(list.point_count, 0);
    dgmi_draw_list_free(&list);
}

static void words_are_kept_by_their_offset(void **state) {
    (void)state;
    dgmi_draw_list list;
    dgmi_draw_list_init(&list, ctx);
    assert_int_equal(dgmi_draw_list_words(&list, "ab"), 0);
    assert_int_equal(dgmi_draw_list_words(&list, ""), 3);
    assert_int_equal(dgmi_draw_list_words(&list, NULL), -1);
    assert_int_equal(dgmi_draw_list_words(&list, "c"), 4);
    assert_string_equal(dgmi_draw_list_string(&list, 0), "ab");
    assert_string_equal(dgmi_draw_list_string(&list, 4), "c");
    assert_null(dgmi_draw_list_string(&list, -1));
    dgmi_draw_list_free(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stay_in_the_order_of_painting),
        cmocka_unit_test(what_was_not_said_is_opaque_and_has_no_title),
        cmocka_unit_test(a_page_without_items_is_fine),
        cmocka_unit_test(no_memory_is_kept_as_the_status_and_no_item_is_null),
        cmocka_unit_test(squares_have_the_area_of_their_disc),
        cmocka_unit_test(hulls_turn_at_their_corners),
        cmocka_unit_test(straight_corners_do_not_turn_back),
        cmocka_unit_test(one_corner_is_a_disc),
        cmocka_unit_test(words_are_kept_by_their_offset),
    };
    return RUN_WITH_CONTEXT(tests);
}
