/* SPDX-License-Identifier: Apache-2.0 */
/* Marks and links of a view as arrays of an answer. */
#ifndef EXPLORE_MARKS_H
#define EXPLORE_MARKS_H

#include "draw_paint.h"
#include "explore_answer.h"

/* The marks that are drawn, one after another. All of it is scratch memory. */
typedef struct dgmi_explore_marks {
    const dgm_view *view;
    const dgmi_draw_paint *paint;
    int64_t count;
    uint32_t *cluster; /* the cluster of each mark */
    uint32_t *mark;    /* the mark of each cluster that has one */
} dgmi_explore_marks;

dgm_status dgmi_explore_marks_list(dgm_context *ctx, const dgm_view *view,
                                   const dgmi_draw_paint *paint, dgmi_explore_marks *out);
/* The cluster whose mark shows this one: itself, or the first of its pile. It may not be drawn. */
int64_t dgmi_explore_shown_by(const dgm_view *view, int64_t cluster);
/* The pieces of a view, numbered in the order of their first clusters: the piece of each cluster, in
 * scratch memory, or NULL. */
uint32_t *dgmi_explore_pieces(dgm_context *ctx, const dgm_view *view);

/* These append arrays: x, y and radius; size, cluster, fill, shape and pile; source and target, with
 * what two marks share or without. */
dgm_status dgmi_explore_put_places(dgm_context *ctx, const dgmi_explore_marks *m,
                                   dgmi_explore_answer *answer);
dgm_status dgmi_explore_put_looks(dgm_context *ctx, const dgmi_explore_marks *m,
                                  dgmi_explore_answer *answer);
dgm_status dgmi_explore_put_links(dgm_context *ctx, const dgmi_explore_marks *m, bool counted,
                                  dgmi_explore_answer *answer);

#endif
