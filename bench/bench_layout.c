/* SPDX-License-Identifier: Apache-2.0 */
/* bench_layout KIND:MARKS [RUNS [THREADS [LINKS]]]: a view laid out by stress, all of it: hops,
 * descent, overlaps, packing. KIND is mapper (marks in a square, linked where they are near, about
 * 8 links each, a lens along x), ba (a hairball of preferential attachment, 5 links a mark, no
 * lens), or one of the shapes in the table `kinds` below, which have no lens; hub has one, which
 * falls from the middle outwards. LINKS: a file for peers, one pair a line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_clock.h"
#include "base_random.h"
#include "draw_view.h"
#include "layout_layout.h"

typedef struct {
    int64_t marks, count, capacity;
    dgm_summary_edge *links;
    double *lens; /* NULL: none */
} web;

static void fail(const char *what) {
    fprintf(stderr, "bench_layout: %s\n", what);
    exit(1);
}

static void add(web *w, int64_t a, int64_t b) {
    if (a == b)
        return;
    if (w->count == w->capacity) {
        w->capacity = 2 * w->capacity + 1024;
        w->links = realloc(w->links, (size_t)w->capacity * sizeof *w->links);
        if (!w->links)
            fail("out of memory");
    }
    w->links[w->count++] = (dgm_summary_edge){
        .source = (uint32_t)(a < b ? a : b), .target = (uint32_t)(a < b ? b : a), .weight = 1};
}

static void make_mapper(web *w) {
    int64_t n = w->marks, side;
    double near = sqrt(8 / (3.14159265358979 * (double)n)), *y = malloc((size_t)n * sizeof *y);
    w->lens = malloc((size_t)n * sizeof *w->lens);
    side = (int64_t)(1 / near) > 0 ? (int64_t)(1 / near) : 1;
    int64_t *head = malloc((size_t)(side * side) * sizeof *head);
    int64_t *next = malloc((size_t)n * sizeof *next);
    if (!y || !w->lens || !head || !next)
        fail("out of memory");
    for (int64_t c = 0; c < side * side; c++)
        head[c] = -1;
    for (int64_t m = 0; m < n; m++) {
        w->lens[m] = dgmi_random_unit(1, 0, (uint64_t)m);
        y[m] = dgmi_random_unit(1, 1, (uint64_t)m);
        int64_t column = (int64_t)(w->lens[m] * (double)side), row = (int64_t)(y[m] * (double)side);
        for (int64_t c = 0; c < 9; c++) {
            int64_t cx = column + c % 3 - 1, cy = row + c / 3 - 1;
            if (cx < 0 || cy < 0 || cx >= side || cy >= side)
                continue;
            for (int64_t o = head[cy * side + cx]; o >= 0; o = next[o])
                if (hypot(w->lens[m] - w->lens[o], y[m] - y[o]) < near)
                    add(w, m, o);
        }
        next[m] = head[row * side + column];
        head[row * side + column] = m;
    }
    free(y);
    free(head);
    free(next);
}

/* The end of a random link before it: a mark is picked as often as it has links. */
static void make_ba(web *w) {
    for (int64_t m = 1; m < w->marks; m++) {
        int64_t before = w->count;
        for (int64_t k = 0; k < 5 && k < m; k++) {
            uint64_t draw = (uint64_t)(m * 5 + k);
            int64_t to = (int64_t)dgmi_random_below(1, 2, draw, (uint64_t)m);
            if (before > 0) {
                uint64_t end = dgmi_random_below(1, 3, draw, 2 * (uint64_t)before);
                to = end & 1 ? w->links[end / 2].source : w->links[end / 2].target;
            }
            add(w, m, to);
        }
    }
}

/* ---- shapes ---- */

static void make_star(web *w) {
    for (int64_t m = 1; m < w->marks; m++)
        add(w, 0, m);
}

static void make_double(web *w) {
    for (int64_t m = 1; m < w->marks; m++)
        add(w, m == 1 ? 0 : m % 2, m);
}

/* Of the leaves of a hub one in 24 has a tail of three marks. The lens is 1 at the hub, and falls
 * by a half with each link. */
static void make_hub(web *w) {
    int64_t leaves = (w->marks - 1) * 8 / 9;
    w->lens = malloc((size_t)w->marks * sizeof *w->lens);
    if (!w->lens)
        fail("out of memory");
    w->lens[0] = 1;
    for (int64_t m = 1; m < w->marks; m++) {
        int64_t tail = m - 1 - leaves;
        int64_t to = tail < 0 ? 0 : tail % 3 == 0 ? 1 + tail / 3 : m - 1;
        add(w, to, m);
        w->lens[m] = w->lens[to] - 0.5;
    }
}

/* A spine with seven legs at each of its marks. */
static void make_caterpillar(web *w) {
    for (int64_t m = 1; m < w->marks; m++)
        add(w, m % 8 == 0 ? m - 8 : m - m % 8, m);
}

static void make_path(web *w) {
    for (int64_t m = 1; m < w->marks; m++)
        add(w, m - 1, m);
}

static void make_cycle(web *w) {
    make_path(w);
    if (w->marks > 2)
        add(w, 0, w->marks - 1);
}

static void make_wheel(web *w) {
    make_star(w);
    for (int64_t m = 2; m < w->marks; m++)
        add(w, m - 1, m);
}

static void make_tree(web *w) {
    for (int64_t m = 1; m < w->marks; m++)
        add(w, (m - 1) / 2, m);
}

static void make_grid(web *w) {
    int64_t side = (int64_t)sqrt((double)w->marks);
    for (int64_t m = 0; m < w->marks; m++) {
        if (m % side > 0)
            add(w, m - 1, m);
        if (m >= side)
            add(w, m - side, m);
    }
}

static void make_complete(web *w) {
    for (int64_t m = 1; m < w->marks; m++)
        for (int64_t o = 0; o < m; o++)
            add(w, o, m);
}

static void make_bipartite(web *w) {
    for (int64_t m = 0; m < w->marks; m += 2)
        for (int64_t o = 1; o < w->marks; o += 2)
            add(w, o, m);
}

static void make_dust(web *w) {
    (void)w;
}

/* Half of the marks hang together, the others stand alone. */
static void make_giant(web *w) {
    int64_t marks = w->marks;
    w->marks = marks / 2;
    make_ba(w);
    w->marks = marks;
}

static const struct {
    const char *name;
    void (*make)(web *w);
} kinds[] = {
    {"mapper", make_mapper},       {"ba", make_ba},       {"star", make_star},
    {"double", make_double},       {"hub", make_hub},     {"caterpillar", make_caterpillar},
    {"path", make_path},           {"cycle", make_cycle}, {"wheel", make_wheel},
    {"tree", make_tree},           {"grid", make_grid},   {"complete", make_complete},
    {"bipartite", make_bipartite}, {"dust", make_dust},   {"giant", make_giant}};

static void make_web(web *w, const char *kind) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(kind, kinds[k].name) == 0) {
            kinds[k].make(w);
            return;
        }
    fail("there is no such kind of graph");
}

/* ---- one run ---- */

static dgm_view *make_view(dgm_context *ctx, const web *w) {
    dgm_view *view;
    if (dgmi_draw_view_create(ctx, DGM_VIEW_SUMMARY, w->marks, &view) != DGM_OK ||
        dgmi_draw_view_own_links(ctx, view, w->count) != DGM_OK)
        fail(dgm_context_error(ctx));
    memcpy(view->own.links, w->links, (size_t)w->count * sizeof *w->links);
    for (int64_t m = 0; m < w->marks; m++)
        view->size[m] = 1 + (int64_t)dgmi_random_below(1, 4, (uint64_t)m, 30);
    if (w->lens) {
        if (dgmi_draw_view_own_lens(ctx, view, 1) != DGM_OK)
            fail("out of memory");
        memcpy(view->own.lens, w->lens, (size_t)w->marks * sizeof *w->lens);
    }
    return view;
}

/* Of places `scale` times as large. */
static double stress_of(dgm_context *ctx, const dgm_view *view, double scale) {
    double *places = malloc((size_t)(2 * view->marks) * sizeof *places), stress;
    dgmi_layout_parts parts;
    if (!places || dgmi_draw_view_take_apart(ctx, view, &parts) != DGM_OK)
        fail("out of memory");
    for (int64_t m = 0; m < view->marks; m++) {
        places[2 * m] = scale * view->x[m];
        places[2 * m + 1] = scale * view->y[m];
    }
    if (dgmi_layout_measure(ctx, &parts.graph, 200, places, &stress) != DGM_OK)
        fail(dgm_context_error(ctx));
    free(places);
    return stress;
}

/* Stress is 1 - 2 a s + b s^2 at scale s: two scales tell a and b, and the least is 1 - a^2 / b. */
static double least_stress(dgm_context *ctx, const dgm_view *view) {
    double one = stress_of(ctx, view, 1) - 1, two = stress_of(ctx, view, 2) - 1;
    double b = (two - 2 * one) / 2, a = (b - one) / 2;
    return one > -1 && b > 0 ? 1 - a * a / b : 0;
}

/* The longer side of the drawing, in diameters of an ordinary mark. */
static double extent_of(const dgm_view *view) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t m = 0; m < view->marks; m++) {
        low[0] = fmin(low[0], view->x[m]);
        high[0] = fmax(high[0], view->x[m]);
        low[1] = fmin(low[1], view->y[m]);
        high[1] = fmax(high[1], view->y[m]);
    }
    return fmax(high[0] - low[0], high[1] - low[1]) /
           (2 * dgmi_layout_usual(view->marks, view->radius));
}

static void write_links(const char *path, const web *w) {
    FILE *file = fopen(path, "w");
    if (!file)
        fail("the file of links cannot be written");
    for (int64_t l = 0; l < w->count; l++)
        fprintf(file, "%u %u\n", (unsigned)w->links[l].source, (unsigned)w->links[l].target);
    fclose(file);
}

int main(int argc, char **argv) {
    web w = {0};
    char kind[16];
    long long marks = 0;
    if (argc < 2 || sscanf(argv[1], "%15[a-z]:%lld", kind, &marks) != 2 || marks < 1)
        fail("usage: bench_layout KIND:MARKS [RUNS [THREADS [LINKS]]]");
    int runs = argc > 2 ? atoi(argv[2]) : 3;
    w.marks = marks;
    make_web(&w, kind);
    if (argc > 4)
        write_links(argv[4], &w);
    dgm_context *ctx;
    if (dgm_context_create(NULL, &ctx) != DGM_OK)
        fail("out of memory");
    dgm_context_set_threads(ctx, argc > 3 ? atoi(argv[3]) : 1);
    dgm_view *view = make_view(ctx, &w);
    double best = INFINITY;
    for (int run = 0; run < runs; run++) {
        double start = dgmi_seconds();
        if (dgm_view_lay_out(ctx, view, NULL) != DGM_OK)
            fail(dgm_context_error(ctx));
        best = fmin(best, dgmi_seconds() - start);
    }
    printf(
        "{\"graph\": \"%s\", \"marks\": %lld, \"links\": %lld, \"threads\": %d, \"best_s\": %.4f, "
        "\"stress\": %.4f, \"least_stress\": %.4f, \"extent\": %.0f}\n",
        argv[1], marks, (long long)w.count, dgm_context_threads(ctx), best, stress_of(ctx, view, 1),
        least_stress(ctx, view), extent_of(view));
    dgm_view_free(view);
    dgm_context_free(ctx);
    free(w.links);
    free(w.lens);
    return 0;
}
