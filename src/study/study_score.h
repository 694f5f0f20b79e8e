/* SPDX-License-Identifier: Apache-2.0 */
/* How good a summary is as a first picture. */
#ifndef STUDY_SCORE_H
#define STUDY_SCORE_H

#include "study_measure.h"

/* All grades but `steady`, which needs the neighbours. */
void dgmi_study_grade(const dgmi_study_graph *about, const dgm_study_measures *measures,
                      dgm_study_grades *out);
/* How alike two summaries are in their numbers of pieces and loops, from 0 to 1. */
double dgmi_study_likeness(const dgm_study_measures *a, const dgm_study_measures *b);
double dgmi_study_score(const dgm_study_grades *grades);

#endif
