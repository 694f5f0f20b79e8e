/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts find places for marks. They take and return plain arrays and know neither summaries nor
 * figures.
 *
 * They compute with + - x / and square roots alone, which every machine rounds alike. So a layout
 * has the same bits natively and in WebAssembly.
 */
#ifndef LAYOUT_LAYOUT_H
#define LAYOUT_LAYOUT_H

#include "dgm/draw.h"

/* Marks and the links between them as sparse rows. Every link is in both rows; there are no loops
 * and no repeats. */
typedef struct dgmi_layout_graph {
    int64_t marks;
    const int64_t *offsets;  /* marks + 1 positions in `targets` */
    const uint32_t *targets; /* the marks that each mark is linked with */
} dgmi_layout_graph;

/* A link between two marks, source < target. */
typedef struct dgmi_layout_link {
    uint32_t source, target;
} dgmi_layout_link;
/* Makes the rows from a list of links, in scratch memory. */
dgm_status dgmi_layout_graph_make(dgm_context *ctx, int64_t marks, const dgmi_layout_link *links,
                                  int64_t link_count, dgmi_layout_graph *out);

/* Finds the connected pieces, numbered from 0 in the order of their first marks. `piece` gets the
 * piece of each mark, *pieces their number. */
dgm_status dgmi_layout_find_pieces(dgm_context *ctx, const dgmi_layout_graph *graph,
                                   uint32_t *piece, int64_t *pieces);
/* The marks of each piece, ascending: piece p has members[offsets[p]] up to, and without,
 * members[offsets[p + 1]]. It is scratch memory. */
typedef struct dgmi_layout_sets {
    int64_t pieces;
    const int64_t *offsets;
    const uint32_t *members;
} dgmi_layout_sets;
dgm_status dgmi_layout_members(dgm_context *ctx, int64_t marks, const uint32_t *piece,
                               int64_t pieces, dgmi_layout_sets *out);

/* A graph of links with its connected pieces, in scratch memory. */
typedef struct dgmi_layout_parts {
    dgmi_layout_graph graph;
    const uint32_t *piece; /* the piece of each mark */
    dgmi_layout_sets sets;
} dgmi_layout_parts;
dgm_status dgmi_layout_take_apart(dgm_context *ctx, int64_t marks, const dgmi_layout_link *links,
                                  int64_t link_count, dgmi_layout_parts *out);

/* Lays out a graph by stress. `places` has x and y of every mark, all finite: it holds the start
 * and then the result. One unit is about the length of a link. Each connected piece is laid out by
 * itself; pieces may lie over each other. */
dgm_status dgmi_layout_stress(dgm_context *ctx, const dgmi_layout_graph *graph,
                              const dgm_layout_options *options, double *places);
/* Measures how far the distances of places are from distances in the graph: *stress becomes the
 * mean of (|x_i - x_j| / d_ij - 1)^2 over pairs of marks in the same piece, where i is one of at
 * most `sources` marks, evenly spread, and j any other mark. */
dgm_status dgmi_layout_measure(dgm_context *ctx, const dgmi_layout_graph *graph, int64_t sources,
                               const double *places, double *stress);
/* Moves marks apart, as little as it can, until no two discs overlap and there is `gap` between
 * them. The sides of the drawing grow to at most 2 a + 16 b, where a was the longer side before and
 * b is the side of a square that has the area of all squares around discs and gaps. *work, unless
 * `work` is NULL, grows by the number of discs and cells that were looked at, which is at most
 * DGMI_LAYOUT_SEPARATE_WORK for each mark. */
#define DGMI_LAYOUT_SEPARATE_WORK 4000
dgm_status dgmi_layout_separate(dgm_context *ctx, int64_t marks, const double *radius, double gap,
                                double *places, int64_t *work);
/* Moves the marks whose `moves` is not 0 into free cells near them. The others, which must not
 * overlap each other, stay. */
dgm_status dgmi_layout_slots(dgm_context *ctx, int64_t marks, const double *radius, double gap,
                             const uint8_t *moves, double *places, int64_t *work);
/* Counts the pairs of discs that overlap, at most 64 for the larger disc of the pairs, and finds
 * the largest ratio between the distance that two discs need and the one that they have (1 if none
 * overlap). If no disc has more than 64 such pairs, multiplying all places by this ratio parts all
 * discs. */
dgm_status dgmi_layout_crowding(dgm_context *ctx, int64_t marks, const double *radius, double gap,
                                const double *places, int64_t *overlaps, double *worst);
/* Moves whole pieces so that none overlaps another, with the largest in the middle. `piece` has the
 * piece of each mark, below `pieces`. A piece whose `held` is true stays where it is if there is
 * room, or else as near as possible; if the page would be mostly empty, it comes nearer to the
 * largest. If `held` is NULL, no piece is held. */
dgm_status dgmi_layout_pack(dgm_context *ctx, int64_t marks, const uint32_t *piece, int64_t pieces,
                            const bool *held, const double *radius, double gap, double *places);
/* Finds radii such that the areas of discs are proportional to size^power (0, 0.5 or 1), and all
 * discs together fill a tenth of the area, of which each mark has one square unit. No radius is
 * less than a sixteenth of the largest, so that the smallest discs stay visible and the largest
 * hides nothing. */
void dgmi_layout_radii(int64_t marks, const int64_t *size, double power, double *radius);
/* Returns the factor that such radii need if marks have less room than one square unit each: the
 * area of the boxes around all pieces of several marks, over the number of their marks, but at most
 * 1. */
double dgmi_layout_radii_factor(const dgmi_layout_sets *sets, const double *places);
/* The gap between discs, as a share of the radius of an ordinary disc. */
#define DGMI_LAYOUT_GAP 0.25
double dgmi_layout_usual(int64_t marks, const double *radius); /* the root of their mean square */

/* The next two find places that do not depend on links. The radii are those of dgmi_layout_radii,
 * and no two discs overlap. */
dgm_status dgmi_layout_circular(dgm_context *ctx, int64_t marks, const double *radius,
                                double *places);
void dgmi_layout_grid(int64_t marks, const double *radius, double *places);
/* Places marks by the first two columns of the lens, and makes both axes equally long. A lens with
 * one column gives x, and marks are stacked upon each other in y. With `alike`, both axes have the
 * same unit instead, as points need it. */
dgm_status dgmi_layout_lens(dgm_context *ctx, int64_t marks, int64_t dimension, const double *lens,
                            bool alike, const double *radius, double *places);

#endif
