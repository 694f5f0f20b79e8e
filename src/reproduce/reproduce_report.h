/* SPDX-License-Identifier: Apache-2.0 */
/* Records as report.md and report.html. */
#ifndef REPRODUCE_REPORT_H
#define REPRODUCE_REPORT_H

#include "reproduce_parts.h"

/* What the report says of one part. */
typedef struct dgmi_reproduce_chapter {
    const dgmi_reproduce_plan *plan;
    dgmi_reproduce_record record; /* empty if the part was not made */
    char *why;                    /* why it was not made; NULL: it was, or nobody asked for it */
    bool made;                    /* there is a record */
    bool kept;                    /* an earlier run has made it */
} dgmi_reproduce_chapter;

/* Gives the verdict on a chapter that was made or tried. */
dgm_verdict dgmi_reproduce_chapter_verdict(const dgmi_reproduce_chapter *chapter, int64_t *checks,
                                           int64_t *holding);
/* Writes report.md and report.html into the current folder. Parts that nobody asked for are left
 * out. */
dgm_status dgmi_reproduce_report_write(dgm_context *ctx, const dgm_reproduce_options *options,
                                       const dgmi_reproduce_chapter *chapters, int64_t count);

#endif
