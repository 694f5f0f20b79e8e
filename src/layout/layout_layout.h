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
typedef struct dgmi_layout_link {
    uint32_t source, target;
} dgmi_layout_link;
dgm_status dgmi_layout_graph_make(dgm_context *ctx, int64_t marks, const dgmi_layout_link *links,
                                  int64_t link_count, dgmi_layout_graph *out);

/* The pieces that hang together, numbered 0 .. *pieces - 1 by their first mark. */
dgm_status dgmi_layout_find_pieces(dgm_context *ctx, const dgmi_layout_graph *graph,
                                   uint32_t *piece, int64_t *pieces);
/* The marks of each piece, ascending: members[offsets[p] .. offsets[p + 1]); scratch memory. */
typedef struct dgmi_layout_sets {
    int64_t pieces;
    const int64_t *offsets;
    const uint32_t *members;
} dgmi_layout_sets;
dgm_status dgmi_layout_members(dgm_context *ctx, int64_t marks, const uint32_t *piece,
                               int64_t pieces, dgmi_layout_sets *out);

/* A graph of links taken apart; scratch memory. */
typedef struct dgmi_layout_parts {
    dgmi_layout_graph graph;
    const uint32_t *piece; /* of each mark */
    dgmi_layout_sets sets;
} dgmi_layout_parts;
dgm_status dgmi_layout_take_apart(dgm_context *ctx, int64_t marks, const dgmi_layout_link *links,
                                  int64_t link_count, dgmi_layout_parts *out);

/* x y of every mark, in `places` (2 * marks): start in, result out; all finite. One unit is about
 * one link. Each connected piece is laid out by itself; pieces may lie over each other. */
dgm_status dgmi_layout_stress(dgm_context *ctx, const dgmi_layout_graph *graph,
                              const dgm_layout_options *options, double *places);
/* How far places are from distances in the graph: the mean over pairs of a piece, from at most
 * `sources` marks evenly spread to all others, of (|x_i - x_j| / d_ij - 1)^2. */
dgm_status dgmi_layout_measure(dgm_context *ctx, const dgmi_layout_graph *graph, int64_t sources,
                               const double *places, double *stress);
/* Moves marks apart until no two discs (with `gap` between them) overlap, as little as it can. The
 * sides of the drawing grow to at most 2 a + 16 b, where a is the longer one of before and b the
 * side of a square that has the area of all squares around discs and gaps. `work` (NULL: nobody
 * asks) grows by the discs and cells that were looked at, at most DGMI_LAYOUT_SEPARATE_WORK for
 * each mark. */
#define DGMI_LAYOUT_SEPARATE_WORK 4000
dgm_status dgmi_layout_separate(dgm_context *ctx, int64_t marks, const double *radius, double gap,
                                double *places, int64_t *work);
/* Moves the marks of `moves` into free cells near them. The others, which do not overlap, stay. */
dgm_status dgmi_layout_slots(dgm_context *ctx, int64_t marks, const double *radius, double gap,
                             const uint8_t *moves, double *places, int64_t *work);
/* How many pairs of discs overlap, no more than 64 counted for the larger one of each, and the
 * largest ratio of the distance that two need to the one they have (1: none overlap): where no disc
 * has so many, spreading places by it parts them all. */
dgm_status dgmi_layout_crowding(dgm_context *ctx, int64_t marks, const double *radius, double gap,
                                const double *places, int64_t *overlaps, double *worst);
/* Moves whole pieces so that none overlaps another: the largest in the middle. `piece` has a number
 * from 0 .. pieces - 1 for every mark. `held` by piece: it stays where it is, if that is free, or
 * near it, and nearer to the largest where the page would be mostly empty; NULL: none. */
dgm_status dgmi_layout_pack(dgm_context *ctx, int64_t marks, const uint32_t *piece, int64_t pieces,
                            const bool *held, const double *radius, double gap, double *places);
/* Radii whose discs have areas as size^power (0, 0.5 or 1), scaled so that all discs together fill
 * a tenth of the place, one unit squared a mark. Discs thinner than a sixteenth of the largest are
 * drawn as that: the smallest stay visible, and the largest hides nothing. */
void dgmi_layout_radii(int64_t marks, const int64_t *size, double power, double *radius);
/* The factor for such radii where marks stand closer than that: the area of the boxes of all pieces
 * of several marks, over the number of those marks; at most 1. */
double dgmi_layout_radii_factor(const dgmi_layout_sets *sets, const double *places);
/* The gap between discs, as a share of the radius of an ordinary disc. */
#define DGMI_LAYOUT_GAP 0.25
double dgmi_layout_usual(int64_t marks, const double *radius); /* the root of their mean square */

/* Places that do not depend on links. `radius` as made by dgmi_layout_radii; no two discs overlap.
 */
dgm_status dgmi_layout_circular(dgm_context *ctx, int64_t marks, const double *radius,
                                double *places);
void dgmi_layout_grid(int64_t marks, const double *radius, double *places);
/* The first two axes of the lens, both as long as the other; one axis is x, and marks are stacked
 * upon each other in y. `alike`: one unit for both axes (points). */
dgm_status dgmi_layout_lens(dgm_context *ctx, int64_t marks, int64_t dimension, const double *lens,
                            bool alike, const double *radius, double *places);

#endif
