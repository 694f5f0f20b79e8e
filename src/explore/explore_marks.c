/* SPDX-License-Identifier: Apache-2.0 */
#include "explore_marks.h"

#include "base_memory.h"
#include "draw_view.h"

/* ---- marks ---- */

dgm_status dgmi_explore_marks_list(dgm_context *ctx, const dgm_view *view,
                                   const dgmi_draw_paint *paint, dgmi_explore_marks *out) {
    *out = (dgmi_explore_marks){.view = view, .paint = paint};
    out->cluster = dgmi_scratch(ctx, view->marks, sizeof *out->cluster);
    out->mark = dgmi_scratch_zero(ctx, view->marks, sizeof *out->mark);
    if (!out->cluster || !out->mark)
        return DGM_ERROR_MEMORY;
    for (int64_t c = 0; c < view->marks; c++)
        if (dgmi_draw_view_is_drawn(view, c)) {
            out->mark[c] = (uint32_t)out->count;
            out->cluster[out->count++] = (uint32_t)c;
        }
    return DGM_OK;
}

static int64_t size_of(const dgm_view *view, int64_t cluster) {
    const dgmi_mapper_pile *pile = dgmi_draw_view_pile(view, cluster);
    return pile ? pile->nodes : view->size[cluster];
}

dgm_status dgmi_explore_put_places(dgm_context *ctx, const dgmi_explore_marks *m,
                                   dgmi_explore_answer *answer) {
    const double *const from[] = {m->view->x, m->view->y, m->view->radius};
    static const char *const names[] = {"x", "y", "radius"};
    float *values = dgmi_scratch(ctx, m->count, sizeof *values);
    if (!values)
        return DGM_ERROR_MEMORY;
    for (int k = 0; k < 3; k++) {
        for (int64_t i = 0; i < m->count; i++)
            values[i] = (float)from[k][m->cluster[i]];
        dgmi_explore_floats(answer, names[k], values, m->count);
    }
    return DGM_OK;
}

dgm_status dgmi_explore_put_looks(dgm_context *ctx, const dgmi_explore_marks *m,
                                  dgmi_explore_answer *answer) {
    uint32_t *size = dgmi_scratch(ctx, m->count, sizeof *size);
    uint8_t *fill = dgmi_scratch(ctx, 3 * m->count, sizeof *fill);
    uint8_t *shape = dgmi_scratch(ctx, m->count, sizeof *shape);
    uint8_t *pile = dgmi_scratch(ctx, m->count, sizeof *pile);
    if (!size || !fill || !shape || !pile)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < m->count; i++) {
        int64_t c = m->cluster[i];
        size[i] = (uint32_t)size_of(m->view, c);
        fill[3 * i] = (uint8_t)m->paint->fill[c].red;
        fill[3 * i + 1] = (uint8_t)m->paint->fill[c].green;
        fill[3 * i + 2] = (uint8_t)m->paint->fill[c].blue;
        shape[i] = (uint8_t)dgmi_draw_paint_shape(m->paint, c);
        pile[i] = dgmi_draw_view_pile(m->view, c) != NULL;
    }
    dgmi_explore_numbers(answer, "size", size, m->count);
    dgmi_explore_numbers(answer, "cluster", m->cluster, m->count);
    dgmi_explore_octets(answer, "fill", fill, 3 * m->count);
    dgmi_explore_octets(answer, "shape", shape, m->count);
    dgmi_explore_octets(answer, "pile", pile, m->count);
    return DGM_OK;
}

int64_t dgmi_explore_shown_by(const dgm_view *view, int64_t cluster) {
    return dgmi_draw_view_is_plain(view, cluster)
               ? cluster
               : view->dust->piles[view->dust->pile[cluster]].first;
}

/* ---- pieces ---- */

uint32_t *dgmi_explore_pieces(dgm_context *ctx, const dgm_view *view) {
    uint32_t *piece = dgmi_scratch(ctx, view->marks, sizeof *piece), count = 0;
    if (!piece)
        return NULL;
    for (int64_t c = 0; c < view->marks; c++)
        piece[c] = (uint32_t)c;
    for (bool moved = true; moved;) { /* the smaller number wins, and chains are cut short */
        moved = false;
        for (int64_t l = 0; l < view->link_count; l++) {
            uint32_t a = piece[view->links[l].source], b = piece[view->links[l].target];
            if (a == b)
                continue;
            uint32_t low = a < b ? a : b, high = a < b ? b : a;
            piece[high] = low;
            piece[view->links[l].source] = piece[view->links[l].target] = low;
            moved = true;
        }
        for (int64_t c = 0; c < view->marks; c++)
            piece[c] = piece[piece[c]];
    }
    for (int64_t c = 0; c < view->marks; c++) /* the first of a piece comes before the others */
        piece[c] = piece[c] == c ? count++ : piece[piece[c]];
    return piece;
}

/* ---- links ---- */

/* What marks share, and the graph edges between them, of the links that are drawn. */
static dgm_status put_counts(dgm_context *ctx, const dgm_summary_edge *const *drawn, int64_t count,
                             dgmi_explore_answer *answer) {
    uint32_t *shared = dgmi_scratch(ctx, count, sizeof *shared);
    uint32_t *crossing = dgmi_scratch(ctx, count, sizeof *crossing);
    float *weight = dgmi_scratch(ctx, count, sizeof *weight);
    if (!shared || !crossing || !weight)
        return DGM_ERROR_MEMORY;
    for (int64_t l = 0; l < count; l++) {
        shared[l] = (uint32_t)(drawn[l]->shared > 0 ? drawn[l]->shared : 0);
        crossing[l] = (uint32_t)(drawn[l]->links > 0 ? drawn[l]->links : 0);
        weight[l] = (float)drawn[l]->weight;
    }
    dgmi_explore_numbers(answer, "shared", shared, count);
    dgmi_explore_numbers(answer, "crossing", crossing, count);
    dgmi_explore_floats(answer, "weight", weight, count);
    return DGM_OK;
}

dgm_status dgmi_explore_put_links(dgm_context *ctx, const dgmi_explore_marks *m, bool counted,
                                  dgmi_explore_answer *answer) {
    const dgm_view *view = m->view;
    const dgm_summary_edge **drawn = dgmi_scratch(ctx, view->link_count, sizeof *drawn);
    uint32_t *source = dgmi_scratch(ctx, view->link_count, sizeof *source);
    uint32_t *target = dgmi_scratch(ctx, view->link_count, sizeof *target);
    int64_t count = 0;
    if (!drawn || !source || !target)
        return DGM_ERROR_MEMORY;
    for (int64_t l = 0; l < view->link_count; l++) {
        const dgm_summary_edge *link = &view->links[l];
        if (!dgmi_draw_view_is_drawn(view, link->source) ||
            !dgmi_draw_view_is_drawn(view, link->target))
            continue;
        source[count] = m->mark[link->source];
        target[count] = m->mark[link->target];
        drawn[count++] = link;
    }
    dgmi_explore_numbers(answer, "source", source, count);
    dgmi_explore_numbers(answer, "target", target, count);
    return counted ? put_counts(ctx, drawn, count, answer) : DGM_OK;
}
