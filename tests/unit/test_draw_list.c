/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_fixture.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stay_in_the_order_of_painting),
        cmocka_unit_test(what_was_not_said_is_opaque_and_has_no_title),
        cmocka_unit_test(a_page_without_items_is_fine),
        cmocka_unit_test(no_memory_is_kept_as_the_status_and_no_item_is_null),
    };
    return RUN_WITH_CONTEXT(tests);
}
