/* SPDX-License-Identifier: Apache-2.0 */
/* One lens with several covers, and something drawn anew in each of five trials: how far a summary
 * follows from the data, and how far from a cover or a seed. */
#ifndef REPRODUCE_TRIALS_H
#define REPRODUCE_TRIALS_H

#include "reproduce_control.h"

enum { DGMI_REPRODUCE_TRIALS = 5, DGMI_REPRODUCE_COVERS = 3 };

/* What is drawn anew: the network, the start of t-SNE, the rotation of its plane. */
enum {
    DGMI_REPRODUCE_NETWORKS,
    DGMI_REPRODUCE_PLANES,
    DGMI_REPRODUCE_TURNS,
    DGMI_REPRODUCE_SOURCES
};

/* The first cover, one with twice the intervals, and one with twice the overlap. */
typedef struct dgmi_reproduce_cover {
    int intervals;
    const char *overlap;
} dgmi_reproduce_cover;
extern const dgmi_reproduce_cover dgmi_reproduce_covers[DGMI_REPRODUCE_COVERS];

typedef struct dgmi_reproduce_trials {
    dgmi_reproduce_look looks[DGMI_REPRODUCE_SOURCES][DGMI_REPRODUCE_COVERS][DGMI_REPRODUCE_TRIALS];
    dgmi_reproduce_look random[DGMI_REPRODUCE_COVERS]; /* random lenses beside the first network */
} dgmi_reproduce_trials;

/* Puts the means over the trials into a table, and judges what covers and seeds do to them. */
void dgmi_reproduce_trials_tell(dgmi_reproduce_making *making, const dgmi_reproduce_trials *are);

#endif
