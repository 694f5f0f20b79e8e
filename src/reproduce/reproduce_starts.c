/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_starts.h"

#include <stdio.h>

#include "pool_statistics.h"

enum { STARTS = DGMI_REPRODUCE_STARTS };

/* Checks that one way of looking is purer above chance than another, start by start. */
static void check_purer(dgmi_reproduce_making *making, const char *claim,
                        const dgmi_reproduce_look one[STARTS],
                        const dgmi_reproduce_look other[STARTS]) {
    double ours[STARTS], theirs[STARTS], more[STARTS];
    for (int i = 0; i < STARTS; i++) {
        ours[i] = one[i].classes.purity.above;
        theirs[i] = other[i].classes.purity.above;
        more[i] = ours[i] - theirs[i];
    }
    dgmi_pool_interval by = dgmi_pool_interval_of(more, STARTS, STARTS);
    dgmi_reproduce_judge(making, by.mean > by.ci95, claim,
                         "%.3f against %.3f on average, a difference of %.3f ± %.3f.",
                         dgmi_pool_interval_of(ours, STARTS, STARTS).mean,
                         dgmi_pool_interval_of(theirs, STARTS, STARTS).mean, by.mean, by.ci95);
}

void dgmi_reproduce_starts_tell(dgmi_reproduce_making *making, const char *set,
                                const char *const *names, int count,
                                dgmi_reproduce_look (*looks)[STARTS], const char *first) {
    dgmi_reproduce_head(making, DGMI_REPRODUCE_LOOK_TITLES);
    for (int i = 0; i < count * STARTS; i++) {
        char lens[96];
        snprintf(lens, sizeof lens, "%s, start %d", names[i / STARTS], i % STARTS + 1);
        dgmi_reproduce_look_row(making, set, lens, &looks[i / STARTS][i % STARTS]);
    }
    for (int i = 1; i < count; i++) {
        char claim[240];
        snprintf(claim, sizeof claim,
                 "%s: %s purer above chance than %s, beyond the 95%% interval of the difference.",
                 set, first, names[i]);
        check_purer(making, claim, looks[0], looks[i]);
    }
}
