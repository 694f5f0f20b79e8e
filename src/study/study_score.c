/* SPDX-License-Identifier: Apache-2.0 */
/* The criteria for a first picture. Each is 1 where nothing is to be wished for and falls towards 0;
 * the score is their product, so that one bad criterion cannot be bought off by the others. */
#include "study_score.h"

#include <math.h>

/* Clusters that a figure shows well. Below FEW a shape is hardly seen, beyond MANY it is not read.
 * Small graphs have fewer: one cluster for PER nodes is enough. */
#define FEW  16.0
#define MANY 120.0
#define PER  4.0
/* The share of the nodes in the largest cluster that is no harm, and that at which the grade is 0. */
#define LARGE 0.2
#define GIANT 0.6
/* The share of the marks that are dust which is no harm, and that at which the grade is 0. */
#define LITTLE 0.08
#define DUSTY  0.15
/* Steadiness counts little: neighbouring settings may well show more detail. */
#define STEADY_WEIGHT 0.25
/* A grade of 0 would make all settings alike that have one. */
#define LEAST 0.01

static double clamp(double grade) {
    return fmin(1, fmax(LEAST, grade));
}

static double grade_number(double nodes, double shown) {
    double few = fmax(2, fmin(FEW, nodes / PER));
    if (shown < few)
        return shown / few;
    return shown > MANY ? MANY / shown : 1;
}

/* The ratio of the smaller number to the larger one. */
static double ratio(double a, double b) {
    return a < b ? a / b : b / a;
}

static double dust_share(const dgm_study_measures *measures) {
    return measures->marks > 0 ? (double)measures->dust / (double)measures->marks : 0;
}

void dgmi_study_grade(const dgmi_study_graph *about, const dgm_study_measures *measures,
                      dgm_study_grades *out) {
    double nodes = (double)dgm_graph_nodes(about->graph);
    double chance = measures->chance;
    out->number = clamp(grade_number(nodes, (double)measures->shown));
    double largest = measures->largest * nodes / fmax(1, (double)dgmi_study_judged(about));
    out->giant = clamp((GIANT - largest) / (GIANT - LARGE));
    out->held = clamp(measures->held);
    out->edges = chance < 1 ? clamp((measures->inside - chance) / (1 - chance)) : LEAST;
    out->joined = clamp(measures->joined);
    out->dust = clamp((DUSTY - dust_share(measures)) / (DUSTY - LITTLE));
    out->steady = 1;
}

double dgmi_study_likeness(const dgm_study_measures *a, const dgm_study_measures *b) {
    return sqrt(ratio((double)a->apart + 1, (double)b->apart + 1) *
                ratio((double)a->loops + 1, (double)b->loops + 1));
}

double dgmi_study_score(const dgm_study_grades *grades) {
    return grades->number * grades->giant * grades->held * grades->edges * grades->joined *
           grades->dust * pow(grades->steady, STEADY_WEIGHT);
}
