/* SPDX-License-Identifier: Apache-2.0 */
#include "study_notes.h"

#include <string.h>

#include "base_context.h"

static void keep(void *user, const char *note) {
    dgmi_study_notes *notes = user;
    if (notes->listens)
        dgmi_text_append(&notes->kept, note, strlen(note) + 1);
}

void dgmi_study_notes_hold(dgm_context *ctx, dgmi_study_notes *notes) {
    notes->note = ctx->note;
    notes->user = ctx->note_user;
    notes->listens = true;
    dgmi_text_init(&notes->kept, ctx);
    dgm_context_set_notes(ctx, keep, notes);
}

void dgmi_study_notes_return(dgm_context *ctx, const dgmi_study_notes *notes) {
    dgm_context_set_notes(ctx, notes->note, notes->user);
}

dgm_status dgmi_study_notes_say(dgm_context *ctx, const dgmi_study_notes *notes) {
    const char *note = notes->kept.data, *end = note + notes->kept.length;
    for (; notes->kept.status == DGM_OK && note < end; note += strlen(note) + 1)
        if (ctx->note)
            ctx->note(ctx->note_user, note);
    return notes->kept.status;
}

void dgmi_study_notes_free(dgmi_study_notes *notes) {
    dgmi_text_free(&notes->kept);
}
