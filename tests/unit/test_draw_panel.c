/* SPDX-License-Identifier: Apache-2.0 */
/* Marks and links of a panel: what a width on the page stands for. */
#include "unit_fixture.h"

#include "draw_figure.h"
#include "draw_view.h"

/* Four shared nodes are as wide in every panel, though they are all of one panel's heaviest link
 * and half of another's. */
static void a_strength_has_one_width_in_all_panels(void **state) {
    (void)state;
    dgm_view view = {.kind = DGM_VIEW_SUMMARY, .link_count = 10};
    dgmi_draw_panel panel = {.view = &view};
    dgmi_draw_plot light = {.panel = &panel, .heaviest = 4, .widest = 8, .slim = 1};
    dgmi_draw_plot heavy = {.panel = &panel, .heaviest = 8, .widest = 8, .slim = 1};
    assert_near(dgmi_draw_link_width(&light, 1), dgmi_draw_link_width(&heavy, 0.5), 1e-12);
    assert_near(dgmi_draw_link_width(&heavy, 1), 2 * dgmi_draw_link_width(&light, 1), 1e-12);
}

/* Weights that are no counts are compared within a panel alone. */
static void other_weights_are_as_wide_as_they_are_heavy(void **state) {
    (void)state;
    dgm_view view = {.kind = DGM_VIEW_SUMMARY, .link_count = 10};
    dgmi_draw_panel panel = {.view = &view};
    dgmi_draw_plot plot = {.panel = &panel, .slim = 1};
    assert_near(dgmi_draw_link_width(&plot, 1), 2 * dgmi_draw_link_width(&plot, 0.5), 1e-12);
    assert_true(dgmi_draw_link_width(&plot, 0) > 0); /* even the lightest is seen */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strength_has_one_width_in_all_panels),
        cmocka_unit_test(other_weights_are_as_wide_as_they_are_heavy),
    };
    return RUN_GROUP(tests, NULL, NULL);
}
