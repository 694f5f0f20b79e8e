/* SPDX-License-Identifier: Apache-2.0 */
/* Deep Graph Infomax against a density function, each beside a random lens: which of them keeps the
 * classes of a graph apart. */
#ifndef REPRODUCE_LENSES_H
#define REPRODUCE_LENSES_H

#include "reproduce_control.h"

enum { DGMI_REPRODUCE_DGI, DGMI_REPRODUCE_DENSITY, DGMI_REPRODUCE_LENSES };

/* What is measured of one data set with one of the settings. */
typedef struct dgmi_reproduce_lenses {
    dgmi_reproduce_look lens[DGMI_REPRODUCE_LENSES];
    dgmi_reproduce_look random[DGMI_REPRODUCE_LENSES]; /* with about as many clusters as each */
} dgmi_reproduce_lenses;

/* The rows of a table of looks, for a set and settings of that name. */
void dgmi_reproduce_lenses_rows(dgmi_reproduce_making *making, const char *set,
                                const dgmi_reproduce_lenses *are);
/* Judges what the paper says of figure 7. A lead is how far a lens is above chance beyond what its
 * random lens is. `classes` is the number of classes of the graph. */
void dgmi_reproduce_lenses_judge(dgmi_reproduce_making *making, const char *set,
                                 const dgmi_reproduce_lenses *are, int32_t classes);

#endif
