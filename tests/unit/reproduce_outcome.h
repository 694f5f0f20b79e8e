/* SPDX-License-Identifier: Apache-2.0 */
/* The last outcome of a run of the report, and what the report says. Included after io_scratch.h. */
#ifndef REPRODUCE_OUTCOME_H
#define REPRODUCE_OUTCOME_H

#include "dgm/reproduce.h"

static dgm_reproduce_outcome last;
static char why[256]; /* that of the outcome, which is gone afterwards */

static inline void hear(void *user, const dgm_reproduce_outcome *outcome) {
    (void)user;
    last = *outcome;
    snprintf(why, sizeof why, "%s", outcome->why ? outcome->why : "");
}

/* Tells whether the report has these words, wherever its lines are broken: there is a line break and
 * perhaps an indent where the words have a blank. */
static inline bool report_has(const char *words) {
    size_t size, length = 0;
    char *text = scratch_content("report.md", &size);
    for (size_t i = 0; i < size; i++)
        if (text[i] != ' ' && text[i] != '\n')
            text[length++] = text[i];
        else if (length > 0 && text[length - 1] != ' ')
            text[length++] = ' ';
    text[length] = '\0';
    bool found = strstr(text, words) != NULL;
    free(text);
    return found;
}

#endif
