/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries by their classes, beside a random lens: the control that any lens must beat. Nodes that
 * an edge joins are often of one class, so even the clusters of a random lens, which hang together,
 * are purer than chance. */
#ifndef REPRODUCE_CONTROL_H
#define REPRODUCE_CONTROL_H

#include "reproduce_chance.h"
#include "reproduce_making.h"

/* What a table shows of a summary. */
typedef struct dgmi_reproduce_look {
    int64_t clusters; /* all of them, those of one node too */
    int64_t edges;
    dgm_summary_topology topology;
    dgmi_reproduce_classes classes;
} dgmi_reproduce_look;

/* Reads the summary in a file and measures it. */
dgm_status dgmi_reproduce_look_at(dgmi_reproduce_making *making, const char *file,
                                  const dgm_graph *graph, dgmi_reproduce_look *out);

/* Where random lenses of one graph come from. */
typedef struct dgmi_reproduce_random {
    const char *data;   /* the graph by its name, "data/cora" */
    const char *table;  /* the file that holds the clusters of all numbers of intervals */
    const char *cover;  /* the options of the cover but for its intervals: "--overlap 0.2" */
    const char *filter; /* what is dropped afterwards: "--min-component 4"; "": nothing */
} dgmi_reproduce_random;

/* Maps the graph through a random lens, with that one of sixteen numbers of intervals from 1 to 40
 * that gives nearest to `clusters` clusters before any is dropped, and the smaller one of two that
 * are equally near. Writes the summary to `file`, which ends in .json, and measures it. */
dgm_status dgmi_reproduce_look_randomly(dgmi_reproduce_making *making,
                                        const dgmi_reproduce_random *random, const char *file,
                                        const dgm_graph *graph, int64_t clusters,
                                        dgmi_reproduce_look *out);

/* The titles of a table, and one of its rows. */
#define DGMI_REPRODUCE_LOOK_TITLES                                                                 \
    "set\tlens\tclusters\tnodes in clusters of two or more\tpurity\tby chance\tabove "             \
    "chance\tassortativity\tby chance\tabove chance"
void dgmi_reproduce_look_row(dgmi_reproduce_making *making, const char *set, const char *lens,
                             const dgmi_reproduce_look *look);
/* Says what the columns mean, for the first such table of a part, and what the random lenses are if
 * the part has any. */
void dgmi_reproduce_look_words(dgmi_reproduce_making *making, bool random);

#endif
