/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a summary can be read as a picture. */
#ifndef STUDY_SCORE_H
#define STUDY_SCORE_H

#include "study_measure.h"

/* More marks than this are not read. */
enum { DGMI_STUDY_MARKS = 150 };

/* 0 where cells cut the graph in few places, very few in a long one; otherwise how many more there
 * are, for each cluster. */
double dgmi_study_cuts(bool is_long, const dgm_study_measures *measures);
/* 0 where at most 400 lines join the clusters that are shown; otherwise how many times that number is
 * doubled. It is asked of structural edges, which lead from nearly every cluster to every other one. */
double dgmi_study_tangle(const dgmi_study_graph *about, const dgm_summary *summary);
/* 0 where the marks can be read, none holds most of the nodes, and cells do not cut the graph;
 * otherwise by how much. */
double dgmi_study_misfit(const dgmi_study_graph *about, bool is_long,
                         const dgm_study_measures *measures);

#endif
