/* SPDX-License-Identifier: Apache-2.0 */
/* Names in figures: none hides or is taken for another. */
#include "unit_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "figure_sample.h"

static void labels_never_overlap(void **state) {
    (void)state;
    dgm_view *view = ring(ctx, 60, 0);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.names = "60";
    options.colour = "lens";
    size_t length;
    char *svg = draw(ctx, view, &options, &length);
    struct {
        double x, y, width;
    } labels[64];
    int count = 0;
    char *layer = strstr(svg, "id=\"labels\""), *end = strstr(svg, "id=\"legend\"");
    assert_non_null(layer);
    for (char *at = layer; (at = strstr(at, "<text")) && at < end; at++) {
        char *x = strstr(at, " x=\""), *y = strstr(at, " y=\""), *close = strchr(at, '>');
        char word[64];
        assert_non_null(x);
        snprintf(word, sizeof word, "%.*s", (int)strcspn(close + 1, "<"), close + 1);
        labels[count].x = strtod(x + 4, NULL);
        labels[count].y = strtod(y + 4, NULL);
        labels[count++].width = dgmi_draw_text_width(word, DGMI_DRAW_SMALL, false);
    }
    assert_true(count >= 20);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (fabs(labels[i].y - labels[j].y) < DGMI_DRAW_SMALL * DGMI_DRAW_POINT - 0.02)
                assert_true(fabs(labels[i].x - labels[j].x) >
                            (labels[i].width + labels[j].width) / 2 + 0.8); /* a blank between */
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

typedef struct {
    double x, y, radius;
} circle;

static double number_after(const char *at, const char *key) {
    const char *found = strstr(at, key);
    assert_non_null(found);
    return strtod(found + strlen(key), NULL);
}

/* Discs of the layer of marks. */
static int64_t read_discs(const char *svg, circle *discs) {
    const char *at = strstr(svg, "id=\"nodes\""), *end = strstr(svg, "id=\"labels\"");
    int64_t count = 0;
    while ((at = strstr(at + 1, "<circle")) && at < end)
        discs[count++] = (circle){number_after(at, "cx=\""), number_after(at, "cy=\""),
                                  number_after(at, " r=\"")};
    return count;
}

/* From a disc to a line, less than 0 inside. */
static double gap_of(const circle *disc, const double line[4]) {
    double dx = line[2] - line[0], dy = line[3] - line[1], length = dx * dx + dy * dy;
    double share = ((disc->x - line[0]) * dx + (disc->y - line[1]) * dy) / length;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return hypot(line[0] + share * dx - disc->x, line[1] + share * dy - disc->y) - disc->radius;
}

/* A hub among small ones, its number outside: every line of a number meets its own disc alone. */
static void lines_of_numbers_cross_no_other_mark(void **state) {
    (void)state;
    static circle discs[512];
    size_t length;
    dgm_view *view = ring(ctx, 400, 0);
    int lines = 0;
    for (int64_t m = 0; m < 400; m++) { /* a crowd on a spiral */
        double turn = 0.6 * sqrt((double)m) * 6.283185307179586;
        view->x[m] = 1.2 * sqrt((double)m) * cos(turn);
        view->y[m] = 1.2 * sqrt((double)m) * sin(turn);
        view->radius[m] = 0.25;
    }
    char *svg = draw(
        ctx, view,
        &(dgm_figure_options){.size = sizeof(dgm_figure_options), .dpi = 300, .names = "numbers"},
        &length);
    int64_t count = read_discs(svg, discs);
    assert_int_equal(count, 400);
    char *at = strstr(svg, "id=\"labels\""), *end = strstr(svg, "id=\"legend\"");
    while ((at = strstr(at + 1, "<path d=\"M")) && at < end) {
        double line[4];
        char *next;
        line[0] = strtod(at + 10, &next);
        line[1] = strtod(next, &next);
        line[2] = strtod(next + 1, &next);
        line[3] = strtod(next, &next);
        int met = 0;
        for (int64_t i = 0; i < count; i++)
            met += gap_of(&discs[i], line) < 0.015;
        assert_int_equal(met, 1);
        lines++;
    }
    assert_true(lines > 5);
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

/* A number without a line is nearer to its own mark than to any other by half. */
static void a_number_beside_its_mark_is_not_taken_for_another_s(void **state) {
    (void)state;
    static circle discs[512];
    size_t length;
    dgm_view *view = ring(ctx, 60, 0);
    for (int64_t m = 0; m < 60; m++)
        view->radius[m] = 0.3;
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.names = "60";
    options.colour = "lens";
    char *svg = draw(ctx, view, &options, &length);
    int64_t count = read_discs(svg, discs);
    char *at = strstr(svg, "id=\"labels\""), *end = strstr(svg, "id=\"legend\"");
    int beside = 0;
    for (bool led = false; (at = strchr(at + 1, '<')) && at < end;) {
        if (strncmp(at, "<path", 5) == 0)
            led = true;
        if (strncmp(at, "<text", 5) != 0)
            continue;
        char word[64];
        const char *close = strchr(at, '>');
        snprintf(word, sizeof word, "%.*s", (int)strcspn(close + 1, "<"), close + 1);
        double half = dgmi_draw_text_width(word, DGMI_DRAW_SMALL, false) / 2,
               high = DGMI_DRAW_SMALL * DGMI_DRAW_POINT;
        double x = number_after(at, " x=\""), y = number_after(at, " y=\"") - 0.3 * high;
        double nearest[2] = {INFINITY, INFINITY};
        for (int64_t i = 0; i < count; i++) {
            double dx = fmax(fabs(discs[i].x - x) - half, 0);
            double dy = fmax(fabs(discs[i].y - y) - high / 2, 0),
                   gap = hypot(dx, dy) - discs[i].radius;
            if (gap < nearest[0]) {
                nearest[1] = nearest[0];
                nearest[0] = gap;
            } else if (gap < nearest[1]) {
                nearest[1] = gap;
            }
        }
        if (!led && nearest[0] > 0)
            assert_true(nearest[1] > 1.5 * nearest[0]);
        beside += !led && nearest[0] > 0;
        led = false;
    }
    assert_true(beside > 5);
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

/* Whether a link of the ring runs under the middle of a name's box. */
static bool covers_a_link(const circle *discs, int64_t count, double x, double y, double half,
                          double high) {
    for (int64_t i = 0; i < count; i++)
        for (int step = 0; step <= 200; step++) {
            double share = step / 200.0;
            const circle *a = &discs[i], *b = &discs[(i + 1) % count];
            if (fabs(a->x + share * (b->x - a->x) - x) < half - 0.1 &&
                fabs(a->y + share * (b->y - a->y) - y) < high / 2 - 0.3)
                return true;
        }
    return false;
}

/* Four marks in a square have room beside them where no link runs. */
static void a_name_beside_its_mark_keeps_off_its_links(void **state) {
    (void)state;
    circle discs[8];
    size_t length;
    dgm_view *view = ring(ctx, 4, 0);
    for (int64_t m = 0; m < 4; m++) {
        view->x[m] = m == 0 || m == 3 ? -4 : 4;
        view->y[m] = m < 2 ? -4 : 4;
        view->radius[m] = 0.1;
    }
    char *svg = draw(
        ctx, view,
        &(dgm_figure_options){.size = sizeof(dgm_figure_options), .dpi = 300, .names = "numbers"},
        &length);
    assert_int_equal(read_discs(svg, discs), 4);
    char *at = strstr(svg, "id=\"labels\""), *end = strstr(svg, "id=\"legend\"");
    double high = DGMI_DRAW_SMALL * DGMI_DRAW_POINT,
           half = dgmi_draw_text_width("#0", DGMI_DRAW_SMALL, false) / 2;
    int names = 0;
    for (; (at = strstr(at + 1, "<text")) && at < end; names++)
        assert_false(covers_a_link(discs, 4, number_after(at, " x=\""),
                                   number_after(at, " y=\"") - 0.3 * high, half, high));
    assert_int_equal(names, 4);
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

static void name_member(const dgm_view *view, dgmi_mapper_tops *tops, int64_t marks,
                        const char *name) {
    assert_int_equal(dgmi_mapper_tops_open(ctx, view->marks, tops), DGM_OK);
    for (int64_t m = 0; m < marks; m++) {
        char text[64];
        snprintf(text, sizeof text, "%s%lld", name, (long long)m);
        assert_int_equal(dgmi_mapper_tops_add(ctx, tops, m, text, strlen(text)), DGM_OK);
        dgmi_mapper_tops_end(tops, marks, m);
    }
}

static void marks_are_named_by_number_or_member_on_request(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 12, 0);
    view->size[3] = 1;
    name_member(view, &view->own.profile->hubs, 12, "hub");
    name_member(view, &view->own.profile->peaks, 12, "peak");
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    char *svg = draw(ctx, view, &options, &length);
    assert_non_null(strstr(svg, "; highest height: peak7; most neighbours: hub7</title>"));
    assert_non_null(strstr(svg, "; member hub3</title>"));
    assert_null(strstr(svg, ">#7</text>"));
    dgm_figure_bytes_free(ctx, svg);
    options.names = "numbers";
    svg = draw(ctx, view, &options, &length);
    assert_non_null(strstr(svg, ">#7</text>"));
    assert_int_equal(count_of(svg, ">#"), 12);
    dgm_figure_bytes_free(ctx, svg);
    options.names = "numbers:4";
    svg = draw(ctx, view, &options, &length);
    assert_int_equal(count_of(svg, ">#"), 4);
    dgm_figure_bytes_free(ctx, svg);
    options.names = "members";
    svg = draw(ctx, view, &options, &length);
    assert_non_null(strstr(svg, ">hub3</text>"));
    assert_non_null(strstr(svg, ">hub7 (+8)</text>"));
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

/* From the middle of a disc to the letters of a text that does not fit into it. */
static double reach_of(const circle *disc, const char *text) {
    char word[64];
    double height = DGMI_DRAW_SMALL * DGMI_DRAW_POINT;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(strchr(text, '>') + 1, "<"),
             strchr(text, '>') + 1);
    double half = dgmi_draw_text_width(word, DGMI_DRAW_SMALL, false) / 2;
    double dx = fabs(number_after(text, " x=\"") - disc->x) - half;
    double dy = fabs(number_after(text, " y=\"") - 0.3 * height - disc->y) - 0.36 * height;
    return hypot(fmax(dx, 0), fmax(dy, 0));
}

static void a_long_name_does_not_lie_on_its_own_mark(void **state) {
    (void)state;
    enum { MARKS = 40 };
    static circle discs[MARKS];
    size_t length;
    int names = 0;
    dgm_view *view = ring(ctx, MARKS, 0);
    name_member(view, &view->own.profile->hubs, MARKS, "the name of a member ");
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.names = "members:40";
    char *svg = draw(ctx, view, &options, &length);
    assert_int_equal(read_discs(svg, discs), MARKS);
    char *at = strstr(svg, "id=\"labels\""), *end = strstr(svg, "id=\"legend\"");
    for (; (at = strstr(at + 1, "<text")) && at < end; names++)
        for (int m = 0; m < MARKS; m++)
            assert_true(reach_of(&discs[m], at) > discs[m].radius);
    assert_true(names > 5);
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

static void marks_with_a_ring_have_their_numbers(void **state) {
    (void)state;
    dgm_view *view = ring(ctx, 12, 0);
    dgm_figure *figure;
    char *svg;
    size_t length;
    const uint32_t ringed[] = {3, 9};
    assert_int_equal(dgm_figure_create(ctx, NULL, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, view, "labels", NULL, ringed, 2), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    assert_int_equal(count_of(svg, ">#3</text>"), 1);
    assert_int_equal(count_of(svg, ">#9</text>"), 1);
    dgm_figure_bytes_free(ctx, svg);
    dgm_figure_free(figure);
    dgm_view_free(view);
}

static char *draw_ringed(const dgm_view *view, const char *colour, const char *names) {
    static const uint32_t ringed[] = {3, 9};
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_figure *figure;
    char *svg;
    size_t length;
    options.names = names;
    assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, view, colour, NULL, ringed, 2), DGM_OK);
    assert_int_equal(dgm_figure_render(ctx, figure, DGM_FIGURE_SVG, &svg, &length), DGM_OK);
    dgm_figure_free(figure);
    return svg;
}

/* Those with a ring have their number whatever else is named, and never twice. */
static void numbers_of_rings_stand_once(void **state) {
    (void)state;
    dgm_view *view = ring(ctx, 12, 0);
    static const struct {
        const char *names;
        int64_t numbers;
    } cases[] = {{"0", 2}, {"numbers:0", 2}, {"numbers:4", 6}, {"numbers", 12}};
    for (int64_t i = 0; i < COUNT(cases); i++) {
        char *svg = draw_ringed(view, "lens", cases[i].names);
        assert_int_equal(count_of(svg, ">#3</text>"), 1);
        assert_int_equal(count_of(svg, ">#9</text>"), 1);
        assert_int_equal(count_of(svg, ">#"), cases[i].numbers);
        dgm_figure_bytes_free(ctx, svg);
    }
    dgm_view_free(view);
}

/* The words between the layer of labels and the legend. */
static char *labels_of(char *svg) {
    char *labels = strstr(svg, "id=\"labels\""), *legend = strstr(svg, "id=\"legend\"");
    assert_true(labels && legend > labels);
    *legend = '\0';
    return labels;
}

/* Clusters of unlabelled nodes, of names too long for a figure and without known members. */
static void what_has_no_name_is_not_named(void **state) {
    (void)state;
    size_t length;
    dgm_view *view = ring(ctx, 12, 0);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    options.colour = "labels";
    set_text(ctx, view, &view->own.profile->class_names[1],
             "a class whose name is far too long to stand beside any mark of a figure");
    for (int64_t m = 0; m < 12; m++) /* of marks 6 to 11 nothing is known */
        view->own.profile->labels.offsets[m + 1] = m < 6 ? 2 * m + 2 : 12;
    char *svg = draw(ctx, view, &options, &length);
    const char *labels = labels_of(svg);
    assert_int_equal(count_of(labels, ">red</text>"), 1);
    assert_int_equal(count_of(labels, ">a class"), 0);
    assert_int_equal(count_of(labels, "unlabelled"), 0);
    dgm_figure_bytes_free(ctx, svg);
    name_member(view, &view->own.profile->hubs, 12, "hub");
    view->own.profile->hubs.offsets[12] = 11; /* the last has none */
    options.names = "members";
    svg = draw(ctx, view, &options, &length);
    labels = labels_of(svg);
    assert_int_equal(count_of(labels, ">hub10"), 1);
    assert_int_equal(count_of(labels, ">hub11"), 0);
    dgm_figure_bytes_free(ctx, svg);
    dgm_view_free(view);
}

static void names_that_are_none_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "-1", "1001", "number", "members:", "members:x", "", "numbers:1001"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
        options.names = wrong[i];
        assert_int_equal(dgm_figure_check(ctx, &options), DGM_ERROR_USAGE);
        assert_non_null(strstr(dgm_context_error(ctx), "numbers:30"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_never_overlap),
        cmocka_unit_test(lines_of_numbers_cross_no_other_mark),
        cmocka_unit_test(a_number_beside_its_mark_is_not_taken_for_another_s),
        cmocka_unit_test(a_name_beside_its_mark_keeps_off_its_links),
        cmocka_unit_test(marks_are_named_by_number_or_member_on_request),
        cmocka_unit_test(a_long_name_does_not_lie_on_its_own_mark),
        cmocka_unit_test(marks_with_a_ring_have_their_numbers),
        cmocka_unit_test(numbers_of_rings_stand_once),
        cmocka_unit_test(what_has_no_name_is_not_named),
        cmocka_unit_test(names_that_are_none_are_refused),
    };
    return RUN_WITH_CONTEXT(tests);
}
