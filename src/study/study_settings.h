/* SPDX-License-Identifier: Apache-2.0 */
/* The settings that a study tries. They depend on counts of nodes and edges alone. */
#ifndef STUDY_SETTINGS_H
#define STUDY_SETTINGS_H

#include "dgm/study.h"

/* A lens and what is done to its values. */
typedef struct dgmi_study_look {
    const char *lens, *transform; /* as in dgm_study_candidate */
    bool parts;                   /* it is a partition, which has a cover of its own */
    const char *reduce;           /* as in dgm_study_candidate */
} dgmi_study_look;

/* Graphs of fewer nodes get more candidates, and these are looked at more closely. */
enum { DGMI_STUDY_SMALL = 500 };
enum { DGMI_STUDY_LOOKS = 16, DGMI_STUDY_COVERS = 64, DGMI_STUDY_COVER_TEXT = 40 };

/* A cover as a candidate has it. The text is "" where the job has the cover. */
typedef struct dgmi_study_cover {
    char text[DGMI_STUDY_COVER_TEXT];
    int64_t intervals;
    double overlap;
    bool structural; /* clusters are joined by edges of the graph */
} dgmi_study_cover;

/* Lists the looks at a graph; returns their number, at most DGMI_STUDY_LOOKS. `transformed`: the job
 * says itself what is done to the values. */
int dgmi_study_list_looks(const dgm_graph *graph, bool transformed,
                          const dgm_study_options *options, dgmi_study_look *out);
/* Lists the covers of a lens of numbers on that many axes; returns their number, at most
 * DGMI_STUDY_COVERS. */
int dgmi_study_list_covers(int64_t nodes, int64_t edges, int64_t axes,
                           const dgm_study_options *options, dgmi_study_cover *out);
/* Lists the covers of a partition, of which those that come first do if their cells do not cut the
 * graph: the usual share; in a long graph, whose nodes have few neighbours, smaller ones; at last
 * clusters that edges of the graph join. */
int dgmi_study_list_parts(const dgm_job *job, const dgm_study_options *options, bool is_long,
                          dgmi_study_cover *out);
/* On ranks, nodes that are dust whatever the settings are take their share of an axis. The others, so
 * many of all nodes, get as many intervals as they would have by themselves. */
void dgmi_study_refine_covers(dgmi_study_cover *covers, int count, int64_t nodes, int64_t judged);

#endif
