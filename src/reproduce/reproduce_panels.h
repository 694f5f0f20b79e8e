/* SPDX-License-Identifier: Apache-2.0 */
/* What `dgm sweep` wrote: summaries through one lens with many covers, in numbers. */
#ifndef REPRODUCE_PANELS_H
#define REPRODUCE_PANELS_H

#include "reproduce_making.h"

typedef struct dgmi_reproduce_panel {
    int64_t intervals;
    double overlap;
    int64_t clusters, edges, b0, b1;
    int64_t cycle_rank; /* independent loops of the edges */
} dgmi_reproduce_panel;

/* Reads at most `most` panels from the JSON of a sweep, in its order. DGM_ERROR_DATA: there are fewer
 * than `least`, or one lacks a number. */
dgm_status dgmi_reproduce_panels_read(dgmi_reproduce_making *making, const char *file,
                                      int64_t least, int64_t most, dgmi_reproduce_panel *out,
                                      int64_t *count);

#endif
