/* SPDX-License-Identifier: Apache-2.0 */
/* Places for marks. Plain arrays in and out: layouts know neither summaries nor figures.
 *
 * Only + - x / and square roots, so that a layout has the same bits natively and in WebAssembly.
 */
#ifndef LAYOUT_LAYOUT_H
#define LAYOUT_LAYOUT_H

#include "dgm/draw.h"

/* Marks and who hangs together with whom, both directions of every link, no loops or repeats. */
typedef struct dgmi_layout_graph {
    int64_t marks;
    const int64_t *offsets;  /* marks + 1 */
    const uint32_t *targets; /* offsets[marks] */
} dgmi_layout_graph;

/* The link's two directions from source < target pairs; scratch memory. */
typedef struct dgmi_view_link dgmi_view_link;
dgm_status dgmi_layout_graph_make(dgm_context *ctx, int64_t marks, const dgmi_view_link *links,
                                  int64_t link_count, dgmi_layout_graph *out);

/* x y of every mark, in `places` (2 * marks): start in, result out; all finite. One unit is about
 * one link. Each connected piece is laid out by itself; pieces may lie over each other. */
dgm_status dgmi_layout_stress(dgm_context *ctx, const dgmi_layout_graph *graph,
                              const dgm_layout_options *options, double *places);
/* Moves marks apart until no two discs (with `gap` between them) overlap, as little as it can. */
dgm_status dgmi_layout_separate(dgm_context *ctx, int64_t marks, const double *radius, double gap,
                                double *places);
/* Moves whole pieces so that none overlaps another: the largest in the middle. `piece` has a number
 * from 0 .. pieces - 1 for every mark. */
dgm_status dgmi_layout_pack(dgm_context *ctx, int64_t marks, const uint32_t *piece, int64_t pieces,
                            const double *radius, double gap, double *places);
/* Radii whose discs have areas as size^power, scaled so that all discs together fill a fixed share
 * of the place that the marks take, the smallest and the largest staying visible. */
void dgmi_layout_radii(int64_t marks, const int64_t *size, double power, double *radius);

#endif
