/* SPDX-License-Identifier: Apache-2.0 */
/* bench_layout KIND:MARKS [RUNS [THREADS [LINKS]]]: a view laid out by stress, all of it: hops,
 * descent, overlaps, packing. KIND is mapper (marks in a square, linked where they are near, about
 * 8 links each, a lens along x) or ba (a hairball of preferential attachment, 5 links a mark, no
 * lens). LINKS: a file for peers, one pair a line. */
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
    dgmi_view_link *links;
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
    w->links[w->count++] = (dgmi_view_link){
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

static dgm_view *make_view(dgm_context *ctx, const web *w) {
    dgm_view *view;
    if (dgmi_view_create(ctx, DGM_VIEW_SUMMARY, w->marks, w->count, &view) != DGM_OK)
        fail(dgm_context_error(ctx));
    memcpy(view->links, w->links, (size_t)w->count * sizeof *w->links);
    for (int64_t m = 0; m < w->marks; m++)
        view->size[m] = 1 + (int64_t)dgmi_random_below(1, 4, (uint64_t)m, 30);
    if (w->lens) {
        view->dimension = 1;
        view->lens = dgmi_view_alloc(ctx, view, w->marks, sizeof *view->lens);
        if (!view->lens)
            fail("out of memory");
        memcpy(view->lens, w->lens, (size_t)w->marks * sizeof *w->lens);
    }
    return view;
}

static double stress_of(dgm_context *ctx, const dgm_view *view) {
    double *places = malloc((size_t)(2 * view->marks) * sizeof *places), stress;
    dgmi_layout_graph graph;
    if (!places ||
        dgmi_layout_graph_make(ctx, view->marks, view->links, view->link_count, &graph) != DGM_OK)
        fail("out of memory");
    for (int64_t m = 0; m < view->marks; m++) {
        places[2 * m] = view->x[m];
        places[2 * m + 1] = view->y[m];
    }
    if (dgmi_layout_measure(ctx, &graph, 200, places, &stress) != DGM_OK)
        fail(dgm_context_error(ctx));
    free(places);
    return stress;
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
        fail("usage: bench_layout mapper|ba:MARKS [RUNS [THREADS [LINKS]]]");
    int runs = argc > 2 ? atoi(argv[2]) : 3;
    w.marks = marks;
    if (strcmp(kind, "ba") == 0)
        make_ba(&w);
    else
        make_mapper(&w);
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
        "\"stress\": %.4f}\n",
        argv[1], marks, (long long)w.count, dgm_context_threads(ctx), best, stress_of(ctx, view));
    dgm_view_free(view);
    dgm_context_free(ctx);
    free(w.links);
    free(w.lens);
    return 0;
}
