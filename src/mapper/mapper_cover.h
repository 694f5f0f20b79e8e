/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the cover share: positions on an axis, and covers that list their cells. */
#ifndef MAPPER_COVER_H
#define MAPPER_COVER_H

#include "mapper_stages.h"

#include <math.h>

/* Rounds to a multiple of 2^-40. Adding and taking away 3 * 2^51 rounds to whole numbers below
 * 2^51, several times faster than the library call that the rest takes. */
static inline double dgmi_mapper_snap(double position) {
    const double magic = 0x1.8p52;
    double scaled = position * 0x1p40;
    return (fabs(scaled) < 0x1p51 ? (scaled + magic) - magic : rint(scaled)) * 0x1p-40;
}

/* Returns a power of two that keeps (x - low) * scale exact and finite where the range of the
 * values is huge or tiny; otherwise 1. */
double dgmi_mapper_shrink(double range, double scale);

/* The values of a column, from the smallest to the largest. */
typedef struct dgmi_mapper_span {
    double low, range, shrink;
    bool constant; /* they differ by no more than rounding */
} dgmi_mapper_span;

dgmi_mapper_span dgmi_mapper_span_make(const double *values, int64_t count, int64_t stride);

/* Returns where a value lies: 0 is the smallest, 1 the largest; 0 if the column is constant. */
static inline double dgmi_mapper_span_position(const dgmi_mapper_span *span, double value) {
    return span->constant ? 0 : dgmi_mapper_snap((value * span->shrink - span->low) / span->range);
}

/* ---- covers that list the cells of each node ---- */

/* Turns the members of `cells` cells, those of cell c from starts[c] up to, and without,
 * starts[c + 1], into the cells of each node. */
dgm_status dgmi_mapper_lists_make(dgm_context *ctx, int64_t nodes, int64_t cells,
                                  const int64_t *starts, const uint32_t *members,
                                  dgmi_mapper_lists *lists);

/* The largest number of slots, and the error if there would be more. */
#define DGMI_MAPPER_MOST_SLOTS INT64_C(2147483647)
dgm_status dgmi_mapper_fail_slots(dgm_context *ctx, const dgmi_mapper_cover *cover);
/* Says what would make fewer slots. */
const char *dgmi_mapper_fewer_slots(const dgmi_mapper_cover *cover);

/* Finds the cells of DGM_COVER_ADAPTIVE. */
dgm_status dgmi_mapper_adaptive_make(dgm_context *ctx, const dgm_mapper_options *options,
                                     dgmi_mapper_cover *cover);
/* Finds the intervals of DGM_COVER_GMEANS. The cover is then one of given intervals. */
dgm_status dgmi_mapper_gmeans_make(dgm_context *ctx, const dgm_mapper_options *options,
                                   dgmi_mapper_cover *cover);
/* Finds the cells of DGM_COVER_PARTS, which is a cover of its own: it needs the edges of the graph. */
dgm_status dgmi_mapper_parts_make(dgm_context *ctx, const dgm_graph *graph, const dgm_matrix *lens,
                                  const dgm_mapper_options *options, dgmi_mapper_cover *cover);
/* Those of DGM_COVER_BALLS and DGM_COVER_LANDMARKS. */
dgm_status dgmi_mapper_balls_make(dgm_context *ctx, const dgm_mapper_options *options,
                                  dgmi_mapper_cover *cover);
dgm_status dgmi_mapper_landmarks_make(dgm_context *ctx, const dgm_mapper_options *options,
                                      dgmi_mapper_cover *cover);

#endif
