/* SPDX-License-Identifier: Apache-2.0 */
/* Small graphs to lay out. Included after unit_fixture.h. */
#ifndef LAYOUT_SAMPLE_H
#define LAYOUT_SAMPLE_H

#include <math.h>
#include <stdlib.h>

#include "base_memory.h"
#include "base_random.h"
#include "draw_view.h"
#include "layout_layout.h"

typedef struct sample {
    int64_t marks, count, capacity;
    dgmi_layout_link *links;
} sample;

static inline void sample_link(sample *s, int64_t a, int64_t b) {
    if (s->count == s->capacity) {
        s->capacity = 2 * s->capacity + 64;
        s->links = realloc(s->links, (size_t)s->capacity * sizeof *s->links);
        assert_non_null(s->links);
    }
    s->links[s->count++] = (dgmi_layout_link){.source = (uint32_t)(a < b ? a : b),
                                              .target = (uint32_t)(a < b ? b : a)};
}

static inline sample sample_path(int64_t marks) {
    sample s = {.marks = marks};
    for (int64_t m = 1; m < marks; m++)
        sample_link(&s, m - 1, m);
    return s;
}

static inline sample sample_cycle(int64_t marks) {
    sample s = sample_path(marks);
    sample_link(&s, 0, marks - 1);
    return s;
}

static inline sample sample_star(int64_t marks) {
    sample s = {.marks = marks};
    for (int64_t m = 1; m < marks; m++)
        sample_link(&s, 0, m);
    return s;
}

static inline sample sample_complete(int64_t marks) {
    sample s = {.marks = marks};
    for (int64_t m = 1; m < marks; m++)
        for (int64_t o = 0; o < m; o++)
            sample_link(&s, o, m);
    return s;
}

/* side x side, joined to the right and upwards. */
static inline sample sample_grid(int64_t side) {
    sample s = {.marks = side * side};
    for (int64_t m = 0; m < s.marks; m++) {
        if (m % side + 1 < side)
            sample_link(&s, m, m + 1);
        if (m + side < s.marks)
            sample_link(&s, m, m + side);
    }
    return s;
}

/* A tree, each mark hanging on one before it, and some links more. */
static inline sample sample_tree(int64_t marks, int64_t more) {
    sample s = {.marks = marks};
    for (int64_t m = 1; m < marks; m++)
        sample_link(&s, (int64_t)dgmi_random_below(5, 0, (uint64_t)m, (uint64_t)m), m);
    for (int64_t i = 0; i < more; i++) {
        int64_t a = (int64_t)dgmi_random_below(5, 1, (uint64_t)i, (uint64_t)marks);
        int64_t b = (int64_t)dgmi_random_below(5, 2, (uint64_t)i, (uint64_t)marks);
        if (a != b)
            sample_link(&s, a, b);
    }
    return s;
}

static inline dgmi_layout_graph sample_graph(const sample *s) {
    dgmi_layout_graph graph;
    assert_int_equal(dgmi_layout_graph_make(ctx, s->marks, s->links, s->count, &graph), DGM_OK);
    return graph;
}

/* With a lens of that many axes: random numbers. */
static inline dgm_view *sample_view(dgm_context *own, const sample *s, int64_t dimension) {
    dgm_view *view;
    if (dgmi_draw_view_create(own, DGM_VIEW_SUMMARY, s->marks, &view) != DGM_OK)
        return NULL;
    if (dgmi_draw_view_own_links(own, view, s->count) != DGM_OK) {
        dgm_view_free(view);
        return NULL;
    }
    for (int64_t l = 0; l < s->count; l++)
        view->own.links[l] = (dgm_summary_edge){.source = s->links[l].source,
                                                .target = s->links[l].target,
                                                .weight = 1,
                                                .shared = -1,
                                                .links = -1};
    for (int64_t m = 0; m < s->marks; m++)
        view->size[m] = 1 + (int64_t)dgmi_random_below(3, 0, (uint64_t)m, 40);
    if (dimension == 0)
        return view;
    if (dgmi_draw_view_own_lens(own, view, dimension) != DGM_OK) {
        dgm_view_free(view);
        return NULL;
    }
    for (int64_t i = 0; i < s->marks * dimension; i++)
        view->own.lens[i] = dgmi_random_unit(3, 1, (uint64_t)i);
    return view;
}

/* Every pair, slowly: how much two discs overlap at most, as a part of the distance they need. */
static inline double worst_overlap(int64_t marks, const double *x, const double *y, int64_t step,
                                   const double *radius, double gap) {
    double worst = 0;
    for (int64_t a = 0; a < marks; a++)
        for (int64_t b = 0; b < a; b++) {
            double need = radius[a] + radius[b] + gap;
            double dx = x[a * step] - x[b * step], dy = y[a * step] - y[b * step];
            worst = fmax(worst, 1 - sqrt(dx * dx + dy * dy) / need);
        }
    return worst;
}

static inline uint64_t hash_of(const double *values, int64_t count) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t i = 0; i < (size_t)count * sizeof *values; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
