/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller hears of a long call: every report of progress is kept, to be counted. */
#ifndef UNIT_PROGRESS_H
#define UNIT_PROGRESS_H

#include "unit_fixture.h"

#include <stdio.h>

enum { REPORTS_KEPT = 1024 };

static struct {
    char stage[64];
    double fraction;
} heard_reports[REPORTS_KEPT];
static int64_t heard_count;

static inline bool hear_report(void *user, const char *stage, double fraction) {
    (void)user;
    assert_true(heard_count < REPORTS_KEPT);
    snprintf(heard_reports[heard_count].stage, sizeof heard_reports->stage, "%s", stage);
    heard_reports[heard_count++].fraction = fraction;
    return true;
}

static inline void hear_progress(void) {
    heard_count = 0;
    dgm_context_set_progress(ctx, hear_report, NULL);
}

static inline void hear_no_more(void) {
    dgm_context_set_progress(ctx, NULL, NULL);
}

static inline int64_t reports_of(const char *stage) {
    int64_t count = 0;
    for (int64_t i = 0; i < heard_count; i++)
        count += strcmp(heard_reports[i].stage, stage) == 0;
    return count;
}

/* Every stage begins at nought, and no report says less than the one before; below nought it is not
 * known how far a stage has come. */
static inline void assert_stages_rise(void) {
    for (int64_t i = 0; i < heard_count; i++) {
        if (heard_reports[i].fraction < 0)
            continue;
        bool goes_on = i && strcmp(heard_reports[i].stage, heard_reports[i - 1].stage) == 0;
        double least = goes_on ? heard_reports[i - 1].fraction : 0;
        if (heard_reports[i].fraction < least || (!goes_on && heard_reports[i].fraction > 0))
            fail_msg("%s: %g after %g", heard_reports[i].stage, heard_reports[i].fraction, least);
    }
}

#endif
