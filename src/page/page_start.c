/* SPDX-License-Identifier: Apache-2.0 */
/* What the program adds to the answer of `start`: why these settings, which others, and which lenses
 * and reductions there are. */
#include "explore_explorer.h"
#include "page_page.h"

enum { REASON = 512 };

static dgm_status say_candidate(dgm_context *ctx, const dgmi_page *page, const dgm_study *study,
                                int64_t index, dgmi_explore_answer *answer) {
    int64_t count;
    const dgm_study_candidate *candidate = dgm_study_candidates(study, &count) + index;
    char value[DGM_STUDY_VALUE], reason[REASON];
    const char *name;
    dgmi_explore_open(answer, NULL, '{');
    dgmi_explore_open(answer, "settings", '{');
    for (int i = 0; dgm_study_setting(candidate, i, &name, value); i++)
        dgmi_explore_text(answer, name, value);
    dgmi_explore_close(answer, '{');
    dgmi_explore_text(answer, "reason", dgm_study_reason(candidate, reason, sizeof reason));
    dgmi_explore_real(answer, "score", candidate->score);
    dgm_status status = dgmi_page_say_thumbnail(ctx, page, study, index, answer);
    dgmi_explore_close(answer, '{');
    return status;
}

static dgm_status say_candidates(dgm_context *ctx, const dgmi_page *page, const dgm_study *study,
                                 dgmi_explore_answer *answer) {
    int64_t count = 0;
    dgm_status status = DGM_OK;
    const dgm_study_candidate *candidates = study ? dgm_study_candidates(study, &count) : NULL;
    char reason[REASON];
    if (count)
        dgm_bits_words(&candidates->measures.bits, reason, sizeof reason);
    dgmi_explore_text(answer, "reason", count ? reason : NULL);
    dgmi_explore_open(answer, "candidates", '[');
    for (int64_t i = 0; status == DGM_OK && i < count; i++)
        if (dgm_study_leads(study, i)) /* six at most, one for each lens */
            status = say_candidate(ctx, page, study, i, answer);
    dgmi_explore_close(answer, '[');
    return status;
}

static void say_lenses(dgmi_explore_answer *answer) {
    const dgm_lens_kind *kind;
    dgmi_explore_open(answer, "lenses", '[');
    for (size_t i = 0; (kind = dgm_lens_kind_at(i)); i++) {
        dgmi_explore_open(answer, NULL, '{');
        dgmi_explore_text(answer, "name", kind->name);
        dgmi_explore_text(answer, "help", kind->help);
        dgmi_explore_flag(answer, "network", kind->flags & DGM_LENS_NETWORK);
        dgmi_explore_flag(answer, "parts", kind->flags & DGM_LENS_PARTS);
        dgmi_explore_flag(answer, "needs_labels", kind->flags & DGM_LENS_NEEDS_LABELS);
        dgmi_explore_flag(answer, "needs_name", kind->flags & DGM_LENS_NEEDS_NAME);
        dgmi_explore_close(answer, '{');
    }
    dgmi_explore_close(answer, '[');
}

static void say_reductions(dgmi_explore_answer *answer) {
    const dgm_reduce_kind *kind;
    dgmi_explore_open(answer, "reductions", '[');
    for (size_t i = 0; (kind = dgm_reduce_kind_at(i)); i++) {
        dgmi_explore_open(answer, NULL, '{');
        dgmi_explore_text(answer, "name", kind->name);
        dgmi_explore_text(answer, "help", kind->help);
        dgmi_explore_close(answer, '{');
    }
    dgmi_explore_close(answer, '[');
}

static void say_lens_options(dgmi_explore_answer *answer) {
    const dgm_option_table *table = dgm_job_lens_option_table();
    dgmi_explore_open(answer, "lens_options", '[');
    for (size_t i = 0; i < table->count; i++)
        dgmi_explore_option_say(answer, table->title, &table->options[i]);
    dgmi_explore_close(answer, '[');
}

/* Gives an answer to the explorer as members alone, without the bracket that opens it. */
static dgm_status hand_over(dgm_context *ctx, dgmi_page *page, dgmi_explore_answer *answer,
                            dgm_status (*set)(dgm_context *ctx, dgm_explorer *explorer,
                                              const char *members)) {
    dgm_status status = answer->json.status;
    if (status == DGM_OK)
        status = set(ctx, page->explorer, answer->json.data + 1);
    dgmi_explore_answer_free(answer);
    return status;
}

dgm_status dgmi_page_explain(dgm_context *ctx, dgmi_page *page, const dgm_study *study) {
    dgmi_explore_answer answer;
    dgmi_explore_answer_init(&answer, ctx);
    dgm_status status = say_candidates(ctx, page, study, &answer);
    if (status != DGM_OK) {
        dgmi_explore_answer_free(&answer);
        return status;
    }
    return hand_over(ctx, page, &answer, dgm_explorer_set_choice);
}

dgm_status dgmi_page_introduce(dgm_context *ctx, dgmi_page *page) {
    dgmi_explore_answer answer;
    dgmi_explore_answer_init(&answer, ctx);
    dgmi_explore_flag(&answer, "live", page->live);
    dgmi_explore_flag(&answer, "opened", page->visit);
    if (page->live) {
        say_lenses(&answer);
        say_reductions(&answer);
        say_lens_options(&answer);
    }
    return hand_over(ctx, page, &answer, dgm_explorer_set_start);
}
