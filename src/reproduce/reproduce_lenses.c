/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_lenses.h"

#include <stdio.h>

enum { DGI = DGMI_REPRODUCE_DGI, DENSITY = DGMI_REPRODUCE_DENSITY, LENSES = DGMI_REPRODUCE_LENSES };

void dgmi_reproduce_lenses_rows(dgmi_reproduce_making *making, const char *set,
                                const dgmi_reproduce_lenses *are) {
    static const char *const names[LENSES] = {"DGI and t-SNE", "density"};
    for (int i = 0; i < LENSES; i++) {
        char beside[64];
        dgmi_reproduce_look_row(making, set, names[i], &are->lens[i]);
        snprintf(beside, sizeof beside, "random, beside %s", names[i]);
        dgmi_reproduce_look_row(making, set, beside, &are->random[i]);
    }
}

static double lead(const dgmi_reproduce_lenses *are, int lens) {
    return are->lens[lens].classes.purity.above - are->random[lens].classes.purity.above;
}

static double lead_of_edges(const dgmi_reproduce_lenses *are, int lens) {
    return are->lens[lens].classes.assortativity.above -
           are->random[lens].classes.assortativity.above;
}

static void check_dgi(dgmi_reproduce_making *making, const char *set,
                      const dgmi_reproduce_lenses *are, int32_t classes) {
    const dgmi_reproduce_classes *dgi = &are->lens[DGI].classes;
    char claim[200];
    snprintf(claim, sizeof claim, "%s: through DGI, all classes appear.", set);
    dgmi_reproduce_judge(making, dgi->shown == classes, claim,
                         "%d of %d classes are the most frequent one of some cluster.", dgi->shown,
                         classes);
    snprintf(claim, sizeof claim,
             "%s: through DGI, clusters are purer above chance than through a random lens.", set);
    dgmi_reproduce_judge(making, lead(are, DGI) > 0, claim, "%.3f against %.3f.", dgi->purity.above,
                         are->random[DGI].classes.purity.above);
}

static void check_density(dgmi_reproduce_making *making, const char *set,
                          const dgmi_reproduce_lenses *are) {
    const dgmi_reproduce_classes *dgi = &are->lens[DGI].classes;
    const dgmi_reproduce_classes *density = &are->lens[DENSITY].classes;
    char claim[320];
    snprintf(claim, sizeof claim,
             "%s: clusters are purer above chance than through the density function.", set);
    dgmi_reproduce_judge(making, dgi->purity.above > density->purity.above, claim,
                         "%.3f against %.3f.", dgi->purity.above, density->purity.above);
    snprintf(claim, sizeof claim,
             "%s: the density function does not separate the classes. It leads its random lens by "
             "less than half of what DGI does.",
             set);
    dgmi_reproduce_judge(making, lead(are, DENSITY) < 0.5 * lead(are, DGI), claim,
                         "a lead of %.3f against %.3f.", lead(are, DENSITY), lead(are, DGI));
    snprintf(
        claim, sizeof claim,
        "%s: edges join clusters of one class more often: the assortativity above chance leads "
        "that of the random lens by more than with the density function.",
        set);
    dgmi_reproduce_judge(making, lead_of_edges(are, DGI) > lead_of_edges(are, DENSITY), claim,
                         "a lead of %.3f against %.3f.", lead_of_edges(are, DGI),
                         lead_of_edges(are, DENSITY));
}

void dgmi_reproduce_lenses_judge(dgmi_reproduce_making *making, const char *set,
                                 const dgmi_reproduce_lenses *are, int32_t classes) {
    check_dgi(making, set, are, classes);
    check_density(making, set, are);
}
