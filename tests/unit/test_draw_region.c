/* SPDX-License-Identifier: Apache-2.0 */
/* Regions: outlines around some marks of a panel. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>

#include "back_sample.h"
#include "figure_sample.h"
#include "unit_faults.h"

/* Four at the corners, one in the middle, one on a side. */
static const double square[] = {1, 1, 99, 1, 99, 99, 1, 99, 50, 50, 50, 1};

static void add_region(back_sample *s, int64_t count, const uint32_t *marks, int64_t colour,
                       const char *name) {
    assert_int_equal(dgm_figure_add_region(s->figure, 0, marks, count, colour, name), DGM_OK);
}

/* The distance of a place on the page from the polygon of a hull; 0 inside. */
static double distance_from(const dgmi_draw_list *list, const dgmi_draw_item *hull, double x,
                            double y) {
    double nearest = INFINITY;
    bool inside = hull->corners > 2;
    for (int64_t i = 0; i < hull->corners; i++) {
        dgmi_draw_point p = list->points[hull->first + i];
        dgmi_draw_point q = list->points[hull->first + (i + 1) % hull->corners];
        double dx = q.x - p.x, dy = q.y - p.y;
        double share = ((x - p.x) * dx + (y - p.y) * dy) / (dx * dx + dy * dy);
        share = fmin(fmax(share, 0), 1);
        nearest = fmin(nearest, hypot(p.x + share * dx - x, p.y + share * dy - y));
        inside = inside && dx * (y - p.y) - dy * (x - p.x) >= 0;
    }
    return inside ? 0 : nearest;
}

/* ---- outlines ---- */

static void the_corners_of_a_region_are_its_outer_marks(void **state) {
    (void)state;
    back_sample s;
    open_sample(&s, ctx, 6, square);
    add_region(&s, 6, (const uint32_t[]){5, 4, 3, 2, 1, 0}, 0, NULL);
    lay_sample(&s);
    assert_int_equal(dgmi_draw_region_draw(&s.page, &s.plot), DGM_OK);
    assert_int_equal(s.list.count, 2); /* a filling, then a line */
    const dgmi_draw_item *hull = &s.list.items[0];
    assert_int_equal(hull->kind, DGMI_DRAW_ITEM_HULL);
    assert_int_equal(hull->corners, 4); /* neither the middle nor what lies on a side */
    assert_true(hull->filled && !hull->stroked && hull->opacity < 0.5);
    assert_true(s.list.items[1].stroked && !s.list.items[1].filled);
    assert_true(hull->a > 1 + 0.5); /* farther than a mark's radius */
    double turn = 0;
    for (int64_t i = 0; i < 4; i++)
        turn += dgmi_draw_item_arc(&s.list, hull, i).turn;
    assert_near(turn, 2 * M_PI, 1e-9); /* once around, clockwise */
    close_sample(&s);
}

static void an_outline_holds_every_disc_of_its_marks_and_no_other(void **state) {
    (void)state;
    const uint32_t marks[] = {0, 3, 4, 7, 9, 11};
    double places[2 * 13];
    back_sample s;
    for (int i = 0; i < 13; i++) { /* on a spiral: some inside, some outside */
        double turn = 2.4 * i, far = 12 + 10 * sqrt(i);
        places[2 * i] = far * cos(turn);
        places[2 * i + 1] = far * sin(turn);
    }
    open_sample(&s, ctx, 13, places);
    add_region(&s, COUNT(marks), marks, 0, NULL);
    lay_sample(&s);
    assert_int_equal(dgmi_draw_region_draw(&s.page, &s.plot), DGM_OK);
    const dgmi_draw_item *hull = &s.list.items[0];
    for (int64_t i = 0; i < COUNT(marks); i++) {
        double x = dgmi_draw_frame_x(&s.plot.frame, s.plot.x[marks[i]]);
        double y = dgmi_draw_frame_y(&s.plot.frame, s.plot.y[marks[i]]);
        assert_true(distance_from(&s.list, hull, x, y) + dgmi_draw_mark_radius(&s.plot, marks[i]) <
                    hull->a);
    }
    double x = dgmi_draw_frame_x(&s.plot.frame, s.plot.x[12]);
    double y = dgmi_draw_frame_y(&s.plot.frame, s.plot.y[12]);
    assert_true(distance_from(&s.list, hull, x, y) > hull->a);
    close_sample(&s);
}

static void one_mark_has_a_circle_and_two_a_capsule(void **state) {
    (void)state;
    back_sample s;
    open_sample(&s, ctx, 6, square);
    add_region(&s, 1, (const uint32_t[]){4}, 0, NULL);
    add_region(&s, 2, (const uint32_t[]){0, 2}, 1, NULL);
    add_region(&s, 3, (const uint32_t[]){0, 5, 1}, 2, NULL); /* on one line */
    add_region(&s, 2, (const uint32_t[]){4, 4}, 3, NULL);    /* the same twice */
    lay_sample(&s);
    assert_int_equal(dgmi_draw_region_draw(&s.page, &s.plot), DGM_OK);
    assert_int_equal(s.list.items[0].kind, DGMI_DRAW_ITEM_DISC);
    assert_near(s.list.items[0].x, 50, 1e-9);
    for (int i = 1; i < 3; i++) {
        const dgmi_draw_item *capsule = &s.list.items[i];
        assert_int_equal(capsule->kind, DGMI_DRAW_ITEM_HULL);
        assert_int_equal(capsule->corners, 2);
        for (int end = 0; end < 2; end++)
            assert_near(dgmi_draw_item_arc(&s.list, capsule, end).turn, M_PI, 1e-9);
    }
    assert_int_equal(s.list.items[3].kind, DGMI_DRAW_ITEM_DISC);
    close_sample(&s);
}

static void outlines_around_the_same_marks_do_not_coincide(void **state) {
    (void)state;
    back_sample s;
    open_sample(&s, ctx, 6, square);
    add_region(&s, 2, (const uint32_t[]){0, 2}, 0, NULL);
    add_region(&s, 2, (const uint32_t[]){0, 2}, 1, NULL);
    lay_sample(&s);
    assert_int_equal(dgmi_draw_region_draw(&s.page, &s.plot), DGM_OK);
    assert_true(fabs(s.list.items[0].a - s.list.items[1].a) > 0.2);
    assert_true(s.list.items[0].filled && s.list.items[1].filled); /* no filling over a line */
    assert_true(s.list.items[2].stroked && s.list.items[3].stroked);
    assert_int_not_equal(s.list.items[0].fill.red, s.list.items[1].fill.red);
    close_sample(&s);
}

/* ---- names ---- */

static bool hides_a_mark(const back_sample *s, const dgmi_draw_box *box) {
    for (int64_t m = 0; m < s->view->marks; m++) {
        double x = dgmi_draw_frame_x(&s->plot.frame, s->plot.x[m]);
        double y = dgmi_draw_frame_y(&s->plot.frame, s->plot.y[m]);
        if (x > box->x - 1 && x < box->x + box->width + 1 && y > box->y - 1 &&
            y < box->y + box->height + 1)
            return true;
    }
    return false;
}

static void names_hide_neither_marks_nor_each_other(void **state) {
    (void)state;
    const double places[] = {10, 90, 10, 70, 10, 10, 90, 10, 90, 90, 40, 50, 60, 50};
    back_sample s;
    dgmi_draw_box taken[3];
    int64_t count;
    open_sample(&s, ctx, 7, places);
    add_region(&s, 2, (const uint32_t[]){0, 1}, 0, "first");
    add_region(&s, 2, (const uint32_t[]){5, 6}, 1, "second");
    add_region(&s, 2, (const uint32_t[]){5, 6}, 2, "third");
    lay_sample(&s);
    assert_int_equal(dgmi_draw_region_name(&s.page, &s.plot, taken, &count), DGM_OK);
    assert_int_equal(count, 3);
    assert_int_equal(s.list.count, 3);
    for (int64_t i = 0; i < count; i++) {
        assert_false(hides_a_mark(&s, &taken[i]));
        for (int64_t j = 0; j < i; j++)
            assert_true(taken[i].x >= taken[j].x + taken[j].width ||
                        taken[j].x >= taken[i].x + taken[i].width ||
                        taken[i].y >= taken[j].y + taken[j].height ||
                        taken[j].y >= taken[i].y + taken[i].height);
    }
    assert_string_equal(dgmi_draw_list_string(&s.list, s.list.items[2].text), "third");
    close_sample(&s);
}

/* Above its region it would stand in the other one. */
static void a_name_stands_outside_the_other_regions_if_it_can(void **state) {
    (void)state;
    const double places[] = {50, 50, 50, 60, 30, 60, 70, 60, 30, 99, 70, 99, 50, 1};
    back_sample s;
    dgmi_draw_box taken[2];
    int64_t count;
    open_sample(&s, ctx, 7, places);
    add_region(&s, 2, (const uint32_t[]){0, 1}, 0, "inner");
    add_region(&s, 4, (const uint32_t[]){2, 3, 4, 5}, 1, NULL);
    lay_sample(&s);
    assert_int_equal(dgmi_draw_region_name(&s.page, &s.plot, taken, &count), DGM_OK);
    assert_int_equal(count, 1);
    double border = dgmi_draw_frame_y(&s.plot.frame, 60);
    assert_true(taken[0].y > border); /* the other region lies above the line of marks 2 and 3 */
    close_sample(&s);
}

static void a_name_that_finds_no_place_is_left_out(void **state) {
    (void)state;
    back_sample s;
    dgmi_draw_box taken[1];
    int64_t count;
    char name[200];
    memset(name, 'w', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    open_sample(&s, ctx, 6, square);
    add_region(&s, 1, (const uint32_t[]){4}, 0, name); /* wider than the panel */
    lay_sample(&s);
    assert_int_equal(dgmi_draw_region_name(&s.page, &s.plot, taken, &count), DGM_OK);
    assert_int_equal(count, 0);
    assert_int_equal(s.list.count, 0);
    close_sample(&s);
}

/* ---- figures ---- */

static char *draw_with_regions(dgm_view *view, const dgm_figure_options *options) {
    dgm_figure *figure;
    char *svg;
    size_t length;
    assert_int_equal(dgm_figure_create(ctx, options, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, view, NULL, NULL, NULL, 0), DGM_OK);
    assert_int_equal(
        dgm_figure_add_region(figure, 0, (const uint32_t[]){0, 1, 2}, 3, 0, "three <of> them"),
        DGM_OK);
    assert_int_equal(dgm_figure_add_region(figure, 0, (const uint32_t[]){2, 3}, 2, 13, NULL),
                     DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    dgm_figure_free(figure);
    return svg;
}

static void regions_are_a_layer_behind_links_and_marks(void **state) {
    (void)state;
    dgm_view *view = ring(ctx, 9, 2);
    char *svg = draw_with_regions(view, NULL);
    const char *layer = strstr(svg, "<g id=\"regions\""), *edges = strstr(svg, "<g id=\"edges\"");
    assert_non_null(layer);
    assert_true(edges && layer < edges);
    assert_int_equal(count_of(svg, "<title>three &lt;of&gt; them: 3 clusters</title>"), 2);
    assert_int_equal(count_of(svg, "<title>2 clusters</title>"), 2);
    assert_int_equal(count_of(svg, ">three &lt;of&gt; them</text>"), 1);
    assert_non_null(strstr(layer, "#e69f00")); /* colour 13 is colour 1 again */
    dgm_figure_bytes_free(ctx, svg);
    size_t length;
    svg = draw(ctx, view, NULL, &length);
    assert_null(strstr(svg, "regions"));
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

/* By the marks: the same view without regions has the same panel, but for what outlines need. */
static void outlines_stay_on_the_page(void **state) {
    (void)state;
    back_sample s;
    char *svg;
    size_t length;
    double x, y, radius;
    int found = 0;
    open_sample(&s, ctx, 6, square);
    for (uint32_t m = 0; m < 4; m++)
        add_region(&s, 1, &m, m, NULL);
    assert_int_equal(dgm_figure_render(ctx, s.figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    for (const char *at = strstr(svg, "<g id=\"regions\""); (at = strstr(at, "<circle")); at++) {
        if (at > strstr(svg, "<g id=\"edges\""))
            break;
        assert_int_equal(sscanf(at, "<circle cx=\"%lf\" cy=\"%lf\" r=\"%lf\"", &x, &y, &radius), 3);
        assert_true(x - radius >= 3 && x + radius <= 117 && y - radius >= 3); /* the margins */
        found++;
    }
    assert_int_equal(found, 8);
    dgm_figure_bytes_free(ctx, svg);
    close_sample(&s);
}

static void marks_without_colours_are_grey_beside_regions(void **state) {
    (void)state;
    back_sample s;
    char *svg;
    size_t length;
    open_sample(&s, ctx, 6, square);
    assert_int_equal(dgm_figure_render(ctx, s.figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    assert_non_null(strstr(svg, "#0072b2"));
    dgm_figure_bytes_free(ctx, svg);
    add_region(&s, 1, (const uint32_t[]){0}, 1, NULL);
    assert_int_equal(dgm_figure_render(ctx, s.figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    assert_null(strstr(svg, "#0072b2"));
    dgm_figure_bytes_free(ctx, svg);
    close_sample(&s);
}

/* The second view has one of the first view's places, and shows it at the same spot of its panel. */
static void aligned_panels_have_one_plane(void **state) {
    (void)state;
    back_sample s;
    dgm_view *other;
    dgm_matrix *points;
    char *svg;
    size_t length;
    double x[2], y[2];
    assert_int_equal(dgm_matrix_create(ctx, 1, 1, &points), DGM_OK);
    assert_int_equal(dgm_view_from_points(ctx, points, NULL, NULL, &other), DGM_OK);
    assert_int_equal(dgm_view_set_places(ctx, other, &square[2], &square[3], (const double[]){1}),
                     DGM_OK);
    for (int aligned = 0; aligned < 2; aligned++) {
        open_sample(&s, ctx, 6, square);
        assert_int_equal(dgm_figure_add_view(s.figure, other, "none", NULL, NULL, 0), DGM_OK);
        add_region(&s, 1, (const uint32_t[]){0}, 0, NULL);
        if (aligned)
            dgm_figure_align_panels(s.figure);
        assert_int_equal(dgm_figure_render(ctx, s.figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
        const char *first = strstr(svg, "<g id=\"p1-nodes\""), *second;
        for (int mark = 5; mark >= 1; mark--) /* of equal marks the last comes first */
            first = strstr(first + 1, "<circle");
        second = strstr(strstr(svg, "<g id=\"p2-nodes\""), "<circle");
        assert_int_equal(sscanf(first, "<circle cx=\"%lf\" cy=\"%lf\"", &x[0], &y[0]), 2);
        assert_int_equal(sscanf(second, "<circle cx=\"%lf\" cy=\"%lf\"", &x[1], &y[1]), 2);
        assert_true(aligned == (fabs(y[0] - y[1]) < 0.02));
        assert_true(x[1] - x[0] > 10); /* in the next panel */
        dgm_figure_bytes_free(ctx, svg);
        close_sample(&s);
    }
    dgm_matrix_free(points);
    dgm_view_free(other);
}

static void a_pile_of_dust_stands_for_its_clusters(void **state) {
    (void)state;
    back_sample s;
    dgmi_mapper_pile pile = {.first = 1};
    uint32_t piles[] = {DGMI_MAPPER_NO_PILE, 0, 0, DGMI_MAPPER_NO_PILE, DGMI_MAPPER_NO_PILE,
                        DGMI_MAPPER_NO_PILE};
    dgmi_mapper_dust dust = {.pile_count = 1, .piles = &pile, .pile = piles};
    open_sample(&s, ctx, 6, square);
    add_region(&s, 2, (const uint32_t[]){1, 2}, 0, NULL);
    lay_sample(&s);
    s.view->dust = &dust;
    assert_int_equal(dgmi_draw_region_draw(&s.page, &s.plot), DGM_OK);
    assert_int_equal(s.list.count, 2);
    assert_int_equal(s.list.items[0].kind, DGMI_DRAW_ITEM_DISC); /* one mark for both */
    assert_near(s.list.items[0].y, 99, 1e-9);                    /* where the first of them is */
    s.view->dust_dropped = true;
    assert_int_equal(dgmi_draw_region_draw(&s.page, &s.plot), DGM_OK);
    assert_int_equal(s.list.count, 2); /* nothing is drawn around what is not drawn */
    s.view->dust = NULL;
    close_sample(&s);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    const uint32_t none[] = {6};
    const char *const step = "a";
    back_sample s;
    open_sample(&s, ctx, 6, square);
    assert_int_equal(dgm_figure_add_barcode(s.figure, "b", 1, &step, 0, NULL), DGM_OK);
    ASSERT_FAILS(dgm_figure_add_region(s.figure, 2, none, 1, 0, NULL), DGM_ERROR_USAGE,
                 "panel 2 of 2 shows no view");
    ASSERT_FAILS(dgm_figure_add_region(s.figure, -1, none, 1, 0, NULL), DGM_ERROR_USAGE,
                 "panel -1 of 2 shows no view");
    ASSERT_FAILS(dgm_figure_add_region(s.figure, 1, none, 1, 0, NULL), DGM_ERROR_USAGE,
                 "panel 1 of 2 shows no view"); /* a chart */
    ASSERT_FAILS(dgm_figure_add_region(s.figure, 0, none, 1, 0, NULL), DGM_ERROR_USAGE,
                 "a region goes around mark 6 of a view of 6");
    ASSERT_FAILS(dgm_figure_add_region(s.figure, 0, NULL, 0, 0, NULL), DGM_ERROR_USAGE,
                 "a region goes around at least one mark");
    ASSERT_FAILS(dgm_figure_add_region(s.figure, 0, (const uint32_t[]){0}, 1, -1, NULL),
                 DGM_ERROR_USAGE, "colour -1 is none: the first is 0");
    close_sample(&s);
}

static dgm_status draw_all(dgm_context *own, void *argument) {
    const dgm_view *view = argument;
    dgm_figure *figure;
    char *bytes = NULL;
    size_t length;
    dgm_status status = dgm_figure_create(own, NULL, &figure);
    if (status != DGM_OK)
        return status;
    status = dgm_figure_add_view(figure, view, NULL, NULL, NULL, 0);
    if (status == DGM_OK)
        status = dgm_figure_add_region(figure, 0, (const uint32_t[]){0, 1, 2}, 3, 0, "name");
    if (status == DGM_OK)
        status = dgm_figure_add_band(figure, 0, 0, 1, 0, "band");
    if (status == DGM_OK)
        status = dgm_figure_render(own, figure, DGM_FIGURE_SVG, &bytes, &length);
    dgm_figure_bytes_free(own, bytes);
    dgm_figure_free(figure);
    return status;
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    dgm_view *view = ring(ctx, 9, 2);
    fail_each_allocation(draw_all, view);
    dgm_view_free(view);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_corners_of_a_region_are_its_outer_marks),
        cmocka_unit_test(an_outline_holds_every_disc_of_its_marks_and_no_other),
        cmocka_unit_test(one_mark_has_a_circle_and_two_a_capsule),
        cmocka_unit_test(outlines_around_the_same_marks_do_not_coincide),
        cmocka_unit_test(names_hide_neither_marks_nor_each_other),
        cmocka_unit_test(a_name_stands_outside_the_other_regions_if_it_can),
        cmocka_unit_test(a_name_that_finds_no_place_is_left_out),
        cmocka_unit_test(regions_are_a_layer_behind_links_and_marks),
        cmocka_unit_test(outlines_stay_on_the_page),
        cmocka_unit_test(marks_without_colours_are_grey_beside_regions),
        cmocka_unit_test(aligned_panels_have_one_plane),
        cmocka_unit_test(a_pile_of_dust_stands_for_its_clusters),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return RUN_WITH_CONTEXT(tests);
}
