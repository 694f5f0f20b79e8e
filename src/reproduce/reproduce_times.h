/* SPDX-License-Identifier: Apache-2.0 */
/* How long functions of the nodes take on graphs from small to large, and what follows from that. */
#ifndef REPRODUCE_TIMES_H
#define REPRODUCE_TIMES_H

#include "reproduce_making.h"

enum {
    DGMI_REPRODUCE_READING, /* degrees: what reading and writing take */
    DGMI_REPRODUCE_PAGERANK,
    DGMI_REPRODUCE_EXACT_DENSITY,
    DGMI_REPRODUCE_EXACT_AGD,
    DGMI_REPRODUCE_EIGEN,
    DGMI_REPRODUCE_NETWORK,
    DGMI_REPRODUCE_SAMPLED_DENSITY, /* on the largest graph alone, as the next one */
    DGMI_REPRODUCE_SAMPLED_AGD,
    DGMI_REPRODUCE_FUNCTIONS
};

/* One graph. */
typedef struct dgmi_reproduce_times {
    const char *set; /* what it is called */
    bool labels;     /* a network can learn something there */
    int64_t nodes, edges;
    /* Of the whole command, over all threads; NaN: it was not run. */
    double seconds[DGMI_REPRODUCE_FUNCTIONS];
} dgmi_reproduce_times;

/* Finds how far the values of one file are from those of another at most, as a share of the range of
 * the exact ones; 0 where both are the same, even if the range is 0. DGM_ERROR_DATA: they have
 * different numbers of values. */
dgm_status dgmi_reproduce_times_compare(dgm_context *ctx, const char *exact, const char *sampled,
                                        double *out);

/* Puts the times of two graphs or more, from small to large, into a table, and judges them.
 * `density` and `distance` are how far the sampled values of the largest graph are off. */
void dgmi_reproduce_times_tell(dgmi_reproduce_making *making, const dgmi_reproduce_times *are,
                               int count, double density, double distance);

#endif
