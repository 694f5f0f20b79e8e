/* SPDX-License-Identifier: Apache-2.0 */
/* Writes names beside marks, where they hide neither each other nor other marks and cannot be taken
 * for the name of another mark.
 *
 * The largest clusters have what they are called (mapper_name.h) and how many members they have. Small
 * multiples have no room for that, and beside the colours of a prediction a name would be taken for
 * what is predicted: if marks are coloured by class, each class is written once there, beside its
 * largest mark; otherwise clusters have the number of their members. The options may also
 * ask for the numbers of clusters or for the name of a member. Marks with a ring always have their
 * numbers, so that a list can refer to them.
 */
#include "draw_figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_memory.h"
#include "mapper_name.h"

enum {
    NAME_SPACE = 160,
    LONGEST = 40, /* mm */
    MOST_CROSSED = 2,
    MOST_UNDER_NUMBER = 8,
    MOST_PANELS = 2, /* with names of clusters */
    MOST_TRIED = 3,  /* times as many clusters as have names */
    MOST_PILES = 3,  /* beside the two that stand apart */
    MOST_LINKS = 64  /* of a mark with more, the first are looked at */
};
#define TOUCHING 0.5  /* mm from a mark to a name without a line between them */
#define STEP     1.5  /* mm, by which names are tried farther away */
#define NEAR     5.0  /* mm, how far a number may stand from its mark, at the end of a line */
#define LED      14.0 /* mm, how far the name of a class may */
#define AFAR     24.0 /* mm, how far what a pile is may */
#define OWN_ROOM 1.1  /* mm between a name without a line and marks that are not its own */
#define ROOM     0.3  /* mm, with a line */
#define BLANK    0.9  /* mm between names on one line */
#define CAPITALS 0.72 /* height of figures and capitals by that of the text */
#define LINE     (DGMI_DRAW_SMALL * DGMI_DRAW_POINT) /* mm, the height of a line of text */

typedef struct {
    double x1, y1, x2, y2;
} segment;

typedef struct {
    double x, y, radius; /* mm */
    double inner;        /* radius without a ring */
} disc;

typedef struct {
    int64_t size, mark;
} sized;

typedef struct {
    dgmi_draw_page *page;
    const dgmi_draw_plot *plot;
    dgmi_draw_box *taken; /* by labels so far */
    int64_t taken_count;
    segment *leaders; /* drawn so far */
    int64_t leader_count;
    disc *near; /* marks that a label on its way may meet, its own aside */
    int64_t near_count;
    bool outside;              /* nothing is written inside marks: they have grains */
    segment links[MOST_LINKS]; /* of the label's own mark */
    int64_t link_count;
} labelling;

/* Where a label may stand. */
typedef struct {
    dgmi_draw_box box;
    double away;     /* mm from its mark; 0: inside */
    int64_t crossed; /* marks under its line */
    int64_t covered; /* links of its mark under it */
} place;

/* Largest first, of equals the first. */
static int compare_sizes(const void *a, const void *b) {
    const sized *p = a, *q = b;
    if (p->size != q->size)
        return p->size > q->size ? -1 : 1;
    return (p->mark > q->mark) - (p->mark < q->mark);
}

/* ---- what is in the way ---- */

static bool is_ringed(const dgmi_draw_panel *panel, int64_t mark) {
    for (int64_t i = 0; i < panel->ringed_count; i++)
        if (panel->ringed[i] == mark)
            return true;
    return false;
}

/* A ring is part of its mark. */
static disc disc_of(const dgmi_draw_plot *plot, int64_t mark) {
    double ring = is_ringed(plot->panel, mark) ? DGMI_DRAW_RING + DGMI_DRAW_RING_WIDTH / 2 : 0;
    double inner = dgmi_draw_mark_radius(plot, mark);
    return (disc){dgmi_draw_frame_x(&plot->frame, plot->x[mark]),
                  dgmi_draw_frame_y(&plot->frame, plot->y[mark]), inner + ring, inner};
}

static bool boxes_meet(const dgmi_draw_box *a, const dgmi_draw_box *b) {
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

/* Closer than `room`. */
static bool disc_meets(const dgmi_draw_box *box, const disc *d, double room) {
    double dx = fmax(fmax(box->x - d->x, 0), d->x - (box->x + box->width));
    double dy = fmax(fmax(box->y - d->y, 0), d->y - (box->y + box->height));
    return dx * dx + dy * dy < (d->radius + room) * (d->radius + room);
}

static bool segment_meets(const dgmi_draw_box *box, const segment *line) {
    enum { POINTS = 24 };
    for (int i = 0; i <= POINTS; i++) {
        double share = (double)i / POINTS;
        double x = line->x1 + (line->x2 - line->x1) * share;
        double y = line->y1 + (line->y2 - line->y1) * share;
        if (x > box->x && x < box->x + box->width && y > box->y && y < box->y + box->height)
            return true;
    }
    return false;
}

/* From the disc's centre to the nearest point of the line it is less than its radius. */
static bool segment_crosses(const segment *line, const disc *d) {
    double dx = line->x2 - line->x1, dy = line->y2 - line->y1, length = dx * dx + dy * dy;
    double share = length > 0 ? ((d->x - line->x1) * dx + (d->y - line->y1) * dy) / length : 0;
    share = fmin(fmax(share, 0), 1);
    double x = line->x1 + share * dx - d->x, y = line->y1 + share * dy - d->y;
    return x * x + y * y < d->radius * d->radius;
}

/* On which side of a line a point is: the sign. */
static double side_of(const segment *line, double x, double y) {
    return (line->x2 - line->x1) * (y - line->y1) - (line->y2 - line->y1) * (x - line->x1);
}

static bool segments_cross(const segment *a, const segment *b) {
    return side_of(a, b->x1, b->y1) * side_of(a, b->x2, b->y2) < 0 &&
           side_of(b, a->x1, a->y1) * side_of(b, a->x2, a->y2) < 0;
}

/* Marks within reach of the mark's labels: the only ones that these have to be compared with. */
static void find_near(labelling *job, int64_t mark, double reach) {
    const dgmi_draw_plot *plot = job->plot;
    disc own = disc_of(plot, mark);
    job->near_count = 0;
    for (int64_t m = 0; m < plot->panel->view->marks; m++) {
        disc other = disc_of(plot, m);
        double dx = other.x - own.x, dy = other.y - own.y;
        double far = own.radius + other.radius + reach;
        if (m != mark && dgmi_draw_view_is_drawn(plot->panel->view, m) &&
            dx * dx + dy * dy < far * far)
            job->near[job->near_count++] = other;
    }
}

/* Links that begin at the mark. */
static void find_links(labelling *job, int64_t mark) {
    const dgmi_draw_plot *plot = job->plot;
    const dgm_view *view = plot->panel->view;
    job->link_count = 0;
    for (int64_t e = 0; e < view->link_count && job->link_count < MOST_LINKS; e++) {
        int64_t a = view->links[e].source, b = view->links[e].target;
        if (a == mark || b == mark)
            job->links[job->link_count++] = (segment){dgmi_draw_frame_x(&plot->frame, plot->x[a]),
                                                      dgmi_draw_frame_y(&plot->frame, plot->y[a]),
                                                      dgmi_draw_frame_x(&plot->frame, plot->x[b]),
                                                      dgmi_draw_frame_y(&plot->frame, plot->y[b])};
    }
}

static int64_t count_covered(const labelling *job, const dgmi_draw_box *box) {
    int64_t covered = 0;
    for (int64_t i = 0; i < job->link_count; i++)
        covered += segment_meets(box, &job->links[i]);
    return covered;
}

/* Whether a label in `box` hides nothing, and stands `room` away from other marks than its own. */
static bool is_free(const labelling *job, const dgmi_draw_box *box, double room) {
    const dgmi_draw_box *panel = &job->plot->box;
    if (box->x < panel->x - 1 || box->x + box->width > panel->x + panel->width + 1 ||
        box->y < panel->y - 1 || box->y + box->height > panel->y + panel->height + 1)
        return false;
    /* numbers side by side would be read as one */
    dgmi_draw_box wide = {box->x - BLANK, box->y, box->width + 2 * BLANK, box->height};
    for (int64_t i = 0; i < job->taken_count; i++)
        if (boxes_meet(&job->taken[i], &wide))
            return false;
    for (int64_t i = 0; i < job->leader_count; i++)
        if (segment_meets(box, &job->leaders[i]))
            return false;
    for (int64_t i = 0; i < job->near_count; i++)
        if (disc_meets(box, &job->near[i], room))
            return false;
    return true;
}

/* ---- lines ---- */

/* From the edge of a mark to the nearest point of a label's box. */
static segment leader_of(const disc *own, const dgmi_draw_box *box) {
    double to_x = fmin(fmax(own->x, box->x), box->x + box->width);
    double to_y = fmin(fmax(own->y, box->y), box->y + box->height);
    double dx = to_x - own->x, dy = to_y - own->y, length = sqrt(dx * dx + dy * dy);
    double share = length > 0 ? fmin(1, own->radius / length) : 0;
    return (segment){own->x + dx * share, own->y + dy * share, to_x, to_y};
}

/* How many marks the line crosses; more than any number where it crosses what it must not. */
static int64_t count_crossed(const labelling *job, const segment *line) {
    int64_t crossed = 0;
    for (int64_t i = 0; i < job->taken_count; i++)
        if (segment_meets(&job->taken[i], line))
            return INT64_MAX;
    for (int64_t i = 0; i < job->leader_count; i++)
        if (segments_cross(&job->leaders[i], line))
            return INT64_MAX;
    for (int64_t i = 0; i < job->near_count; i++)
        crossed += segment_crosses(line, &job->near[i]);
    return crossed;
}

/* ---- places ---- */

/* Above and below the letters of a text its box is blank. */
static double blank_of_lines(void) {
    return (1 - CAPITALS) * LINE;
}

static bool fits_inside(const disc *own, const dgmi_draw_box *box) {
    double glyphs = box->height - blank_of_lines();
    return box->width * box->width + glyphs * glyphs < 4 * 0.81 * own->inner * own->inner;
}

/* Whether letters of a text beside its mark would lie on it, as those of a long one do on a slant. */
static bool lies_on(const dgmi_draw_box *box, const disc *own) {
    double blank = blank_of_lines();
    dgmi_draw_box letters = {box->x, box->y + blank / 2, box->width, box->height - blank};
    return disc_meets(&letters, own, 0);
}

/* Fewer marks under the line are better than a place nearer by, and of places equally near the one
 * over fewer of the mark's own links: a name on a link could be that of the other end. */
static bool is_better(const place *a, const place *b) {
    if (a->crossed != b->crossed)
        return a->crossed < b->crossed;
    return a->away == b->away && a->covered < b->covered;
}

/* Inside the mark if the text fits there, else beside it: right, left, above, below, and between
 * these. False: nowhere, or over more than `most` other marks. */
static bool find_place(const labelling *job, const disc *own, double farthest, int64_t most,
                       place *out) {
    static const double ways[][2] = {{1, 0},      {-1, 0},      {0, -1},     {0, 1},
                                     {0.7, -0.7}, {-0.7, -0.7}, {-0.7, 0.7}, {0.7, 0.7},
                                     {0.9, -0.4}, {-0.9, -0.4}, {-0.9, 0.4}, {0.9, 0.4},
                                     {0.4, -0.9}, {-0.4, -0.9}, {-0.4, 0.9}, {0.4, 0.9}};
    double width = out->box.width, height = out->box.height;
    *out = (place){{own->x - width / 2, own->y - height / 2, width, height}, 0, 0, 0};
    if (!job->outside && fits_inside(own, &out->box) && is_free(job, &out->box, 0))
        return true;
    out->crossed = INT64_MAX;
    for (double away = TOUCHING; away <= farthest && out->crossed > 0; away += STEP)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            dgmi_draw_box box = {own->x + ways[i][0] * (own->radius + away + width / 2) - width / 2,
                                 own->y + ways[i][1] * (own->radius + away + height / 2) -
                                     height / 2,
                                 width, height};
            if (lies_on(&box, own) || !is_free(job, &box, away > TOUCHING ? ROOM : OWN_ROOM))
                continue;
            segment line = leader_of(own, &box);
            place found = {box, away, count_crossed(job, &line), count_covered(job, &box)};
            if (is_better(&found, out))
                *out = found;
        }
    return out->crossed <= most;
}

static void draw_leader(labelling *job, const disc *own, const dgmi_draw_box *box) {
    segment line = leader_of(own, box);
    dgmi_draw_list_line(job->page->list, line.x1, line.y1, line.x2, line.y2, 0.15,
                        job->page->look.ink);
    job->leaders[job->leader_count++] = line;
}

static void draw_line(labelling *job, const dgmi_draw_box *box, int line, const char *text,
                      dgmi_draw_colour ink, bool haloed) {
    dgmi_draw_item *item =
        dgmi_draw_list_text(job->page->list, box->x + box->width / 2, box->y + (line + 0.8) * LINE,
                            DGMI_DRAW_SMALL, DGMI_DRAW_ANCHOR_MIDDLE, ink, text);
    if (haloed) { /* it stays readable over links */
        item->stroked = true;
        item->stroke = job->page->look.ground;
        item->width = 0.5;
    }
}

/* Writes a name in one line, or with `below` in two. */
static bool put_lines(labelling *job, int64_t mark, const char *name, const char *below,
                      dgmi_draw_colour ink, double farthest, int64_t most_crossed) {
    place at = {{0, 0, dgmi_draw_text_width(name, DGMI_DRAW_SMALL, false), LINE}, 0, 0, 0};
    if (below) {
        at.box.width = fmax(at.box.width, dgmi_draw_text_width(below, DGMI_DRAW_SMALL, false));
        at.box.height = 2 * LINE;
    }
    disc own = disc_of(job->plot, mark);
    find_near(job, mark, farthest + at.box.width + at.box.height);
    find_links(job, mark);
    if (!find_place(job, &own, farthest, most_crossed, &at))
        return false;
    const dgmi_draw_paint *paint = &job->plot->paint;
    bool inside = at.away == 0;
    if (inside && !paint->slice_offsets)
        ink = dgmi_draw_colour_ink_on(paint->fill[mark]);
    if (at.away > TOUCHING)
        draw_leader(job, &own, &at.box);
    bool haloed = !inside || paint->slice_offsets;
    draw_line(job, &at.box, 0, name, ink, haloed);
    if (below)
        draw_line(job, &at.box, 1, below, ink, haloed);
    job->taken[job->taken_count++] = at.box;
    return true;
}

static bool put_label(labelling *job, int64_t mark, const char *name, dgmi_draw_colour ink,
                      double farthest, int64_t most_crossed) {
    return put_lines(job, mark, name, NULL, ink, farthest, most_crossed);
}

/* ---- what names are ---- */

/* The name of the class that colours the mark, or NULL. */
static const char *class_name(const dgmi_draw_paint *paint, int64_t mark) {
    for (int64_t e = 0; e < paint->entry_count; e++)
        if (paint->entries[e].slot == paint->slot[mark])
            return paint->entries[e].name;
    return NULL;
}

/* At the largest mark of each class or nowhere: a name at a smaller one would mislead. */
static void name_classes(labelling *job, const sized *order, int64_t marks, int64_t most) {
    const dgmi_draw_paint *paint = &job->plot->paint;
    bool named[DGMI_DRAW_SLOTS] = {false};
    for (int64_t i = 0; paint->slot && i < marks && job->taken_count < most; i++) {
        int slot = paint->slot[order[i].mark];
        const char *name = class_name(paint, order[i].mark);
        if (!name || slot >= paint->scale.shown || named[slot])
            continue;
        named[slot] = true;
        if (dgmi_draw_text_width(name, DGMI_DRAW_SMALL, false) <=
            LONGEST) /* the legend has the others whole */
            put_label(job, order[i].mark, name, job->page->look.ink, LED, MOST_CROSSED);
    }
}

/* Clusters of one node are many, and say nothing by their number. */
static bool is_named(const dgm_view *view, const sized *order, int64_t i) {
    return i == 0 || view->size[order[i].mark] > 1;
}

static bool put_size(labelling *job, int64_t mark) {
    char name[DGMI_DRAW_WORDS_SPACE];
    return put_label(job, mark, dgmi_draw_words_size(job->plot->panel->view, mark, name),
                     job->page->look.ink, NEAR, 0);
}

static void name_sizes(labelling *job, const sized *order, int64_t marks, int64_t most) {
    const dgm_view *view = job->plot->panel->view;
    for (int64_t i = 0; i < marks && i < most && is_named(view, order, i); i++)
        put_size(job, order[i].mark);
}

/* Where the last part of a name begins: "Theory, " and "node 154"; 0: it is all one. */
static size_t last_part(const char *called) {
    size_t begin = 0;
    for (const char *at = strstr(called, ", "); at; at = strstr(at + 2, ", "))
        begin = (size_t)(at + 2 - called);
    return begin;
}

/* "Theory, node 154 \xc2\xb7 212", or in two lines where that finds no place nearby. */
static bool put_name(labelling *job, int64_t mark, const char *called) {
    char first[96], second[96], above[96], below[2 * NAME_SPACE], whole[3 * NAME_SPACE];
    char size[DGMI_DRAW_WORDS_SPACE];
    dgmi_draw_colour ink = job->page->look.ink;
    size_t cut = last_part(called), begun = cut < sizeof first ? cut : sizeof first - 1;
    dgmi_draw_words_size(job->plot->panel->view, mark, size);
    snprintf(first, sizeof first, "%.*s", (int)(cut ? begun - 1 : 0), called);
    dgmi_draw_text_fit(cut ? first : called, DGMI_DRAW_SMALL, false, LONGEST, above, 96);
    dgmi_draw_text_fit(called + cut, DGMI_DRAW_SMALL, false, LONGEST, second, sizeof second);
    snprintf(below, sizeof below, "%s%s%s", cut ? second : "", cut ? " \xc2\xb7 " : "", size);
    snprintf(whole, sizeof whole, "%s%s%s", above, cut ? " " : " \xc2\xb7 ", below);
    return put_label(job, mark, whole, ink, NEAR, 0) ||
           put_lines(job, mark, above, below, ink, LED, 0) ||
           put_label(job, mark, whole, ink, LED, 0);
}

/* Where the largest have no room for their names they have their sizes, and the next have names. */
static void name_clusters(labelling *job, const sized *order, int64_t marks, int64_t most) {
    const dgm_view *view = job->plot->panel->view;
    const dgmi_mapper_name_source from = {
        .summary = view->summary, .graph = view->graph, .profile = view->profile};
    dgmi_mapper_names names;
    dgm_status status = dgmi_mapper_names_make(job->page->ctx, &from, &names);
    if (status != DGM_OK) {
        job->page->list->status = status;
        return;
    }
    int64_t named = 0;
    for (int64_t i = 0; i < marks && i < MOST_TRIED * most && named < most; i++)
        if (!is_named(view, order, i))
            break;
        else if (put_name(job, order[i].mark, dgmi_mapper_names_get(&names, order[i].mark)))
            named++;
        else if (i < most)
            put_size(job, order[i].mark);
    dgmi_mapper_names_free(&names);
}

static const char *number_of(int64_t mark, char name[NAME_SPACE]) {
    snprintf(name, NAME_SPACE, "#%lld", (long long)mark);
    return name;
}

static void name_numbers(labelling *job, const sized *order, int64_t marks, int64_t most) {
    char name[NAME_SPACE];
    for (int64_t i = 0; i < marks && job->taken_count < most; i++)
        if (!is_ringed(job->plot->panel, order[i].mark))
            put_label(job, order[i].mark, number_of(order[i].mark, name), job->page->look.ink, NEAR,
                      0);
}

/* "Mr. Hi", and of more members "Mr. Hi (+15)". */
static void name_members(labelling *job, const sized *order, int64_t marks, int64_t most) {
    const dgm_view *view = job->plot->panel->view;
    const dgmi_mapper_tops *hubs = &view->profile->hubs;
    for (int64_t i = 0; hubs->offsets && i < marks && job->taken_count < most; i++) {
        int64_t m = order[i].mark;
        char name[NAME_SPACE], fitted[NAME_SPACE], others[DGMI_DRAW_WORDS_SPACE];
        if (hubs->offsets[m] == hubs->offsets[m + 1])
            continue;
        snprintf(name, sizeof name, "%s%s%s%s",
                 dgmi_draw_text_fit(dgmi_mapper_tops_name(hubs, hubs->offsets[m]), DGMI_DRAW_SMALL,
                                    false, LONGEST, fitted, 96),
                 view->size[m] > 1 ? " (+" : "",
                 view->size[m] > 1 ? dgmi_draw_view_count(view->size[m] - 1, others) : "",
                 view->size[m] > 1 ? ")" : "");
        put_label(job, m, name, job->page->look.ink, NEAR, 0);
    }
}

/* What a pile is. Those that stand apart are named from afar or over other marks if need be; small
 * multiples have no room for that, and say how many nodes it has if there is no room nearby. */
static void name_pile(labelling *job, const dgmi_mapper_pile *pile, dgmi_text *text) {
    char count[DGMI_DRAW_WORDS_SPACE];
    dgmi_draw_colour ink = job->page->look.faint;
    bool apart = dgmi_draw_dust_is_apart(pile), alone = job->page->count == 1;
    double farthest = !alone ? NEAR : apart ? AFAR : LED;
    text->length = 0;
    dgmi_draw_dust_say(pile, text);
    if (text->status != DGM_OK || put_label(job, pile->first, text->data, ink, farthest, 0))
        return;
    if (apart && !(alone && put_label(job, pile->first, text->data, ink, LED, MOST_CROSSED)))
        put_label(job, pile->first, dgmi_draw_view_count(pile->nodes, count), ink, NEAR, 0);
}

/* Those that stand apart, and where there is one panel the largest of the others. */
static void name_piles(labelling *job, sized *order) {
    const dgm_view *view = job->plot->panel->view;
    const dgmi_mapper_dust *dust = view->dust_dropped ? NULL : view->dust;
    int64_t piles = 0;
    dgmi_text text;
    job->outside = true;
    dgmi_text_init(&text, job->page->ctx);
    for (int64_t p = 0; dust && p < dust->pile_count; p++)
        if (dgmi_draw_dust_is_apart(&dust->piles[p]))
            name_pile(job, &dust->piles[p], &text);
        else
            order[piles++] = (sized){dust->piles[p].nodes, p};
    qsort(order, (size_t)piles, sizeof *order, compare_sizes);
    for (int64_t i = 0; job->page->count == 1 && i < piles && i < MOST_PILES; i++)
        name_pile(job, &dust->piles[order[i].mark], &text);
    if (text.status != DGM_OK)
        job->page->list->status = text.status;
    dgmi_text_free(&text);
}

/* Marks with a ring have been listed by their numbers, and are found by these. */
static void name_ringed(labelling *job) {
    const dgmi_draw_panel *panel = job->plot->panel;
    char name[NAME_SPACE];
    for (int64_t i = 0; i < panel->ringed_count; i++)
        put_label(job, panel->ringed[i], number_of(panel->ringed[i], name), job->page->look.ring,
                  LED, MOST_UNDER_NUMBER);
}

/* Whether clusters are called what they are. A name beside the colour of what is predicted would be
 * taken for it, so there classes are named. */
static bool has_names(const labelling *job) {
    const char *colour = job->plot->colour;
    return job->page->count <= MOST_PANELS && job->plot->panel->view->summary &&
           !(colour && strcmp(colour, "prediction") == 0);
}

static void name_marks(labelling *job, sized *order) {
    const dgm_view *view = job->plot->panel->view;
    int64_t most = job->page->figure->names + job->taken_count, marks = 0;
    for (int64_t m = 0; m < view->marks; m++)
        if (dgmi_draw_view_is_plain(view, m))
            order[marks++] = (sized){dgmi_draw_view_cluster_area(view, m), m};
    qsort(order, (size_t)marks, sizeof *order, compare_sizes);
    if (job->page->figure->naming == DGMI_DRAW_NAMING_NUMBERS)
        name_numbers(job, order, marks, most);
    else if (job->page->figure->naming == DGMI_DRAW_NAMING_MEMBERS)
        name_members(job, order, marks, most);
    else if (has_names(job))
        name_clusters(job, order, marks, job->page->figure->names);
    else if (job->plot->paint.scale.kind == DGMI_DRAW_PAINT_CLASSES)
        name_classes(job, order, marks, most);
    else
        name_sizes(job, order, marks, most);
    name_piles(job, order);
}

dgm_status dgmi_draw_labels_draw(dgmi_draw_page *page, const dgmi_draw_plot *plot,
                                 const dgmi_draw_box *taken, int64_t taken_count) {
    const dgm_view *view = plot->panel->view;
    /* a name for as many clusters, and a size for as many others */
    int64_t most = 2 * page->figure->names + plot->panel->ringed_count + MOST_PILES + 2;
    if (view->kind != DGM_VIEW_SUMMARY || most == 0 || view->marks == 0)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(page->ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    sized *order = dgmi_scratch(page->ctx, view->marks, sizeof *order);
    labelling job = {.page = page, .plot = plot};
    job.taken = dgmi_scratch(page->ctx, most + taken_count, sizeof *job.taken);
    job.leaders = dgmi_scratch(page->ctx, most, sizeof *job.leaders);
    job.near = dgmi_scratch(page->ctx, view->marks, sizeof *job.near);
    if (order && job.taken && job.leaders && job.near) {
        for (int64_t i = 0; i < taken_count; i++)
            job.taken[job.taken_count++] = taken[i];
        name_ringed(&job);
        if (page->figure->names > 0)
            name_marks(&job, order);
        status = page->list->status;
    }
    dgmi_arena_release(page->ctx, hold);
    return status;
}
