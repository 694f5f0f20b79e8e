/* SPDX-License-Identifier: Apache-2.0 */
/* Names beside marks, against a slow twin that looks at every place and every mark. */
#include "unit_fixture.h"

#include "base_random.h"
#include "figure_sample.h"
#include "list_sample.h"

enum { MOST = 80 };
#define HEIGHT (7 * 25.4 / 72) /* mm, of small letters */

typedef struct {
    double x1, y1, x2, y2;
} way;

/* What was written so far. */
static struct {
    const dgmi_draw_plot *plot;
    dgmi_draw_box boxes[2 * MOST];
    way leaders[2 * MOST];
    int box_count, leader_count;
} page;

typedef struct {
    dgmi_draw_box box;
    double away;
    int64_t crossed;
    int covered;
} place;

/* ---- what is in the way ---- */

static bool has_ring(int64_t mark) {
    for (int64_t i = 0; i < page.plot->panel->ringed_count; i++)
        if (page.plot->panel->ringed[i] == mark)
            return true;
    return false;
}

/* A ring begins half a millimetre and a bit outside its mark, and belongs to it. */
static double radius_of(int64_t mark) {
    return dgmi_draw_mark_radius(page.plot, mark) + (has_ring(mark) ? 0.55 + 0.45 / 2 : 0);
}

static double x_of(int64_t mark) {
    return dgmi_draw_frame_x(&page.plot->frame, page.plot->x[mark]);
}

static double y_of(int64_t mark) {
    return dgmi_draw_frame_y(&page.plot->frame, page.plot->y[mark]);
}

/* From a point to the nearest of a box. */
static double box_distance(const dgmi_draw_box *box, double x, double y) {
    double near_x = fmin(fmax(x, box->x), box->x + box->width);
    double near_y = fmin(fmax(y, box->y), box->y + box->height);
    return hypot(near_x - x, near_y - y);
}

/* At 25 points of the line. */
static bool passes(const way *line, const dgmi_draw_box *box) {
    for (int i = 0; i <= 24; i++) {
        double x = line->x1 + (line->x2 - line->x1) * i / 24;
        double y = line->y1 + (line->y2 - line->y1) * i / 24;
        if (x > box->x && x < box->x + box->width && y > box->y && y < box->y + box->height)
            return true;
    }
    return false;
}

static bool crosses_mark(const way *line, int64_t mark) {
    double dx = line->x2 - line->x1, dy = line->y2 - line->y1, square = dx * dx + dy * dy;
    double share =
        square > 0 ? ((x_of(mark) - line->x1) * dx + (y_of(mark) - line->y1) * dy) / square : 0;
    share = fmin(fmax(share, 0), 1);
    return hypot(line->x1 + share * dx - x_of(mark), line->y1 + share * dy - y_of(mark)) <
           radius_of(mark);
}

/* Where two lines meet, as shares of both; beside each other they do not. */
static bool ways_cross(const way *a, const way *b) {
    double ax = a->x2 - a->x1, ay = a->y2 - a->y1, bx = b->x2 - b->x1, by = b->y2 - b->y1;
    double turn = ax * by - ay * bx, dx = b->x1 - a->x1, dy = b->y1 - a->y1;
    if (turn == 0)
        return false;
    double s = (dx * by - dy * bx) / turn, t = (dx * ay - dy * ax) / turn;
    return s > 0 && s < 1 && t > 0 && t < 1;
}

static bool is_free(const dgmi_draw_box *box, int64_t own, double room) {
    const dgmi_draw_box *panel = &page.plot->box;
    if (box->x < panel->x - 1 || box->x + box->width > panel->x + panel->width + 1 ||
        box->y < panel->y - 1 || box->y + box->height > panel->y + panel->height + 1)
        return false;
    for (int i = 0; i < page.box_count; i++) { /* numbers on one line have a blank between them */
        const dgmi_draw_box *o = &page.boxes[i];
        if (box->x - 0.9 < o->x + o->width && o->x < box->x + box->width + 0.9 &&
            box->y < o->y + o->height && o->y < box->y + box->height)
            return false;
    }
    for (int i = 0; i < page.leader_count; i++)
        if (passes(&page.leaders[i], box))
            return false;
    for (int64_t m = 0; m < page.plot->panel->view->marks; m++)
        if (m != own && box_distance(box, x_of(m), y_of(m)) < radius_of(m) + room)
            return false;
    return true;
}

/* ---- the best place ---- */

static way leader_to(int64_t own, const dgmi_draw_box *box) {
    double x = x_of(own), y = y_of(own), r = radius_of(own);
    double to_x = fmin(fmax(x, box->x), box->x + box->width);
    double to_y = fmin(fmax(y, box->y), box->y + box->height);
    double far = hypot(to_x - x, to_y - y);
    double share = far > 0 ? fmin(1, r / far) : 0;
    return (way){x + (to_x - x) * share, y + (to_y - y) * share, to_x, to_y};
}

static int64_t crossings(int64_t own, const way *line) {
    int64_t count = 0;
    for (int i = 0; i < page.box_count; i++)
        if (passes(line, &page.boxes[i]))
            return INT64_MAX;
    for (int i = 0; i < page.leader_count; i++)
        if (ways_cross(&page.leaders[i], line))
            return INT64_MAX;
    for (int64_t m = 0; m < page.plot->panel->view->marks; m++)
        count += m != own && crosses_mark(line, m);
    return count;
}

static int links_under(int64_t own, const dgmi_draw_box *box) {
    const dgm_view *view = page.plot->panel->view;
    int count = 0;
    for (int64_t l = 0; l < view->link_count; l++) {
        int64_t a = view->links[l].source, b = view->links[l].target;
        way link = {x_of(a), y_of(a), x_of(b), y_of(b)};
        count += (a == own || b == own) && passes(&link, box);
    }
    return count;
}

/* Right, left, above, below, and between these, from half a millimetre outwards in steps of one and
 * a half: the first distance at which the line crosses no mark, or else the fewest. */
static bool find_beside(int64_t own, double width, double farthest, int64_t most, place *best) {
    static const double turns[][2] = {
        {1, 0},    {-1, 0},    {0, -1},   {0, 1},   {.7, -.7}, {-.7, -.7}, {-.7, .7}, {.7, .7},
        {.9, -.4}, {-.9, -.4}, {-.9, .4}, {.9, .4}, {.4, -.9}, {-.4, -.9}, {-.4, .9}, {.4, .9}};
    double x = x_of(own), y = y_of(own), r = radius_of(own);
    best->crossed = INT64_MAX;
    for (int step = 0; 0.5 + 1.5 * step <= farthest && best->crossed > 0; step++)
        for (int64_t i = 0; i < COUNT(turns); i++) {
            place found = {.away = 0.5 + 1.5 * step};
            double middle_x = x + turns[i][0] * (r + found.away + width / 2);
            double middle_y = y + turns[i][1] * (r + found.away + HEIGHT / 2);
            found.box = (dgmi_draw_box){middle_x - width / 2, middle_y - HEIGHT / 2, width, HEIGHT};
            dgmi_draw_box letters = {found.box.x, middle_y - 0.36 * HEIGHT, width, 0.72 * HEIGHT};
            if (box_distance(&letters, x, y) < r ||
                !is_free(&found.box, own, step == 0 ? 1.1 : 0.3))
                continue;
            way line = leader_to(own, &found.box);
            found.crossed = crossings(own, &line);
            found.covered = links_under(own, &found.box);
            if (found.crossed < best->crossed ||
                (found.crossed == best->crossed && found.away == best->away &&
                 found.covered < best->covered))
                *best = found;
        }
    return best->crossed <= most;
}

/* Whether the twin finds a place, and the page has the name there, with a line or without. */
static bool expect_name(sheet *s, int64_t own, const char *name, double farthest, int64_t most) {
    double width = small_width(name), inner = dgmi_draw_mark_radius(page.plot, own);
    place best = {{x_of(own) - width / 2, y_of(own) - HEIGHT / 2, width, HEIGHT}, 0, 0, 0};
    bool inside = hypot(width, 0.72 * HEIGHT) < 0.9 * 2 * inner && is_free(&best.box, own, 0);
    if (!inside && !find_beside(own, width, farthest, most, &best))
        return false;
    if (!inside && best.away > 0.5) {
        way line = leader_to(own, &best.box);
        expect_line(s, line.x1, line.y1, line.x2, line.y2, 0.15, sample_look.ink);
        page.leaders[page.leader_count++] = line;
    }
    const dgmi_draw_item *item = next_item(s, DGMI_DRAW_ITEM_TEXT);
    assert_string_equal(word_at(s, item->text), name);
    assert_places(item, best.box.x + width / 2, best.box.y + 0.8 * HEIGHT, DGMI_DRAW_SMALL, 0);
    assert_int_equal(item->stroked, !inside); /* a halo */
    if (!inside)
        assert_near(item->width, 0.5, 1e-12);
    page.boxes[page.box_count++] = best.box;
    return true;
}

/* ---- pages ---- */

static int compare(const dgm_view *view, int64_t a, int64_t b) {
    return view->size[a] != view->size[b] ? (view->size[a] > view->size[b] ? -1 : 1)
                                          : (a > b) - (a < b);
}

/* A view of so many marks at random, some large and some over others, in a figure. */
static void name_all(uint64_t turn, int64_t marks, const char *names, int64_t rings) {
    dgm_view *view = ring(ctx, marks, 10);
    double x[MOST], y[MOST], radius[MOST];
    uint32_t ringed[MOST];
    int64_t order[MOST];
    for (int64_t m = 0; m < marks; m++) {
        double u = dgmi_random_unit(41, 3 * turn, (uint64_t)m);
        x[m] = 100 * dgmi_random_unit(41, 3 * turn + 1, (uint64_t)m);
        y[m] = 100 * dgmi_random_unit(41, 3 * turn + 2, (uint64_t)m);
        radius[m] = 0.5 + 6 * u * u * u;
        view->size[m] = 1 + (int64_t)(200 * u * u * u);
        order[m] = m;
        ringed[m] = (uint32_t)(m * 7 % marks);
    }
    for (int64_t i = 1; i < marks; i++)
        for (int64_t j = i; j > 0 && compare(view, order[j], order[j - 1]) < 0; j--) {
            int64_t before = order[j - 1];
            order[j - 1] = order[j];
            order[j] = before;
        }
    assert_int_equal(dgm_view_set_places(ctx, view, x, y, radius), DGM_OK);
    dgm_figure_options options = DGM_FIGURE_OPTIONS_INIT;
    dgm_figure *figure;
    dgmi_draw_colour fill[MOST] = {{0, 0, 0}};
    options.names = names;
    assert_int_equal(dgm_figure_create(ctx, &options, &figure), DGM_OK);
    assert_int_equal(dgm_figure_add_view(figure, view, NULL, NULL, ringed, rings), DGM_OK);
    sheet s;
    sheet_open(&s, figure, (dgmi_draw_box){3, 4, 100, 100});
    s.plot.x = view->x;
    s.plot.y = view->y;
    s.plot.radius = view->radius;
    s.plot.paint.fill = fill;
    s.plot.paint.scale.kind = DGMI_DRAW_PAINT_RAMP;
    dgmi_draw_frame_of(&s.plot);
    dgmi_draw_frame_fit(&s.plot.frame, s.plot.box);
    assert_int_equal(dgmi_draw_labels_draw(&s.page, &s.plot, NULL, 0), DGM_OK);

    memset(&page, 0, sizeof page);
    page.plot = &s.plot;
    int named = 0;
    char name[32];
    for (int64_t i = 0; i < rings; i++) {
        snprintf(name, sizeof name, "#%d", (int)ringed[i]);
        expect_name(&s, ringed[i], name, 14, 8);
    }
    bool numbers = figure->naming == DGMI_DRAW_NAMING_NUMBERS;
    for (int64_t i = 0; i < marks && (numbers ? named : i) < figure->names; i++) {
        if (numbers && has_ring(order[i]))
            continue;
        if (!numbers && i > 0 && view->size[order[i]] == 1)
            break;
        snprintf(name, sizeof name, numbers ? "#%d" : "%d",
                 (int)(numbers ? order[i] : view->size[order[i]]));
        named += expect_name(&s, order[i], name, 5, 0);
    }
    assert_int_equal(s.at, s.list.count);
    sheet_close(&s);
    dgm_figure_free(figure);
    dgm_view_free(view);
}

static void numbers_stand_where_a_slow_twin_puts_them(void **state) {
    (void)state;
    static const int64_t marks[] = {12, 30, 50, 80};
    for (uint64_t turn = 0; turn < 24; turn++) {
        name_all(turn, marks[turn % 4], "numbers:60", 0);
        name_all(turn, marks[turn % 4], "numbers:7", 0);
    }
}

static void sizes_stand_where_a_slow_twin_puts_them(void **state) {
    (void)state;
    static const int64_t marks[] = {12, 30, 50, 80};
    for (uint64_t turn = 30; turn < 54; turn++)
        name_all(turn, marks[turn % 4], turn % 2 == 0 ? "70" : "9", 0);
}

static void numbers_of_rings_stand_where_a_slow_twin_puts_them(void **state) {
    (void)state;
    static const int64_t marks[] = {12, 30, 50, 80};
    for (uint64_t turn = 60; turn < 84; turn++)
        name_all(turn, marks[turn % 4], "numbers:20", 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_stand_where_a_slow_twin_puts_them),
        cmocka_unit_test(sizes_stand_where_a_slow_twin_puts_them),
        cmocka_unit_test(numbers_of_rings_stand_where_a_slow_twin_puts_them),
    };
    return RUN_WITH_CONTEXT(tests);
}
