/* SPDX-License-Identifier: Apache-2.0 */
/* Ways of looking at one graph, each from several starts, against each other. */
#ifndef REPRODUCE_STARTS_H
#define REPRODUCE_STARTS_H

#include "reproduce_control.h"

enum { DGMI_REPRODUCE_STARTS = 3 };

/* Puts all looks into a table, and compares the first way of looking, which is called `first` in
 * claims, with each of the others: it is better if the mean of the differences of their purity above
 * chance, start by start, is larger than half of its 95% interval. `set` is what the graph is
 * called. */
void dgmi_reproduce_starts_tell(dgmi_reproduce_making *making, const char *set,
                                const char *const *names, int count,
                                dgmi_reproduce_look (*looks)[DGMI_REPRODUCE_STARTS],
                                const char *first);

#endif
