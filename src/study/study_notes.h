/* SPDX-License-Identifier: Apache-2.0 */
/* Notes that are kept back until it is known whether they matter: a study looks through many lenses,
 * and only what the chosen one has to say is of interest. */
#ifndef STUDY_NOTES_H
#define STUDY_NOTES_H

#include "base_text.h"

typedef struct dgmi_study_notes {
    dgm_note_fn note; /* who listened before */
    void *user;
    dgmi_text kept; /* the notes, each with a final 0 */
    bool listens;   /* notes are kept; otherwise they are dropped */
} dgmi_study_notes;

/* From here on notes go into `notes` and to nobody else, until they are returned. */
void dgmi_study_notes_hold(dgm_context *ctx, dgmi_study_notes *notes);
/* Who listened before listens again. */
void dgmi_study_notes_return(dgm_context *ctx, const dgmi_study_notes *notes);
/* Says what was kept. */
dgm_status dgmi_study_notes_say(dgm_context *ctx, const dgmi_study_notes *notes);
void dgmi_study_notes_free(dgmi_study_notes *notes);

#endif
