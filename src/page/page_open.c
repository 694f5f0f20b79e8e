/* SPDX-License-Identifier: Apache-2.0 */
/* The explorer of a page and its lens: the first one, and those that the page asks for. */
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "explore_explorer.h"
#include "lens_result.h"
#include "page_page.h"
#include "pipeline_origin.h"
#include "workspace_workspace.h"

/* ---- options by name ---- */

/* Settings that make the lens. */
static bool is_of_lens(const char *name) {
    return dgm_option_find(dgm_job_lens_option_table(), name) != NULL;
}

/* Settings that a page can change in a picture. */
static bool is_of_picture(const char *name) {
    const dgm_option_table *table;
    if (is_of_lens(name))
        return false;
    for (size_t i = 0; (table = dgm_workspace_options_at(i)); i++)
        if (dgm_option_find(table, name))
            return true;
    return false;
}

/* A job with the settings of the input, of which those of the lens are replaced by `lens` if that is
 * not NULL. */
static dgm_status make_job(dgm_context *ctx, const dgm_page_input *input,
                           const dgmi_explore_query *lens, dgm_job *job) {
    dgm_status status = DGM_OK;
    dgm_job_init(job);
    for (int i = 0; status == DGM_OK && i < input->setting_count; i++)
        if (!lens || !is_of_lens(input->settings[i][0]))
            status = dgm_job_set(ctx, job, input->settings[i][0], input->settings[i][1]);
    for (int i = 0; lens && status == DGM_OK && i < lens->count; i++)
        if (!is_of_lens(lens->names[i]))
            status =
                dgmi_fail(ctx, DGM_ERROR_USAGE, "a lens has no setting '%.100s'", lens->names[i]);
        else if (*lens->values[i])
            status = dgm_job_set(ctx, job, lens->names[i], lens->values[i]);
    return status;
}

/* ---- in words ---- */

/* Appends an option as a shell takes it. */
static void append_option(dgmi_text *text, const char *name, const char *value) {
    dgmi_text_format(text, " --%s", name);
    if (!value || strcmp(value, "true") == 0)
        return;
    dgmi_text_string(text, " ");
    dgmi_explore_append_word(text, value);
}

/* Calls `say` for each setting that belongs to the lens. */
static void each_of_lens(const dgm_page_input *input, const dgmi_explore_query *lens,
                         void (*say)(void *user, const char *name, const char *value), void *user) {
    for (int i = 0; !lens && i < input->setting_count; i++)
        if (is_of_lens(input->settings[i][0]))
            say(user, input->settings[i][0], input->settings[i][1]);
    for (int i = 0; lens && i < lens->count; i++)
        if (*lens->values[i])
            say(user, lens->names[i], lens->values[i]);
}

static void say_word(void *user, const char *name, const char *value) {
    append_option(user, name, value);
}

static void say_member(void *user, const char *name, const char *value) {
    dgmi_explore_text(user, name, value);
}

/* "dgm map cora --auto off --labels 'classes.txt' --lens 'dgi'": what reads the graph and makes the
 * lens, to which a picture adds its settings. */
static void write_command(const dgm_page_input *input, const dgmi_explore_query *lens,
                          dgmi_text *text) {
    const char *name = input->name ? input->name : dgm_graph_source(input->graph);
    dgmi_text_string(text, "dgm map ");
    dgmi_explore_append_word(text, name);
    append_option(text, "auto", "off"); /* nothing is chosen that this does not say */
    for (int i = 0; i < input->setting_count; i++)
        if (!is_of_lens(input->settings[i][0]) && !is_of_picture(input->settings[i][0]))
            append_option(text, input->settings[i][0], input->settings[i][1]);
    each_of_lens(input, lens, say_word, text);
}

/* ---- into the explorer ---- */

/* Predictions that the caller gave are those of a part, too. */
static const dgm_predictions *given_predictions(const dgmi_page *page) {
    const dgm_explorer *shown = dgmi_explore_innermost(page->explorer);
    return page->input.predictions && shown->outer ? shown->own.predictions
                                                   : page->input.predictions;
}

/* No command makes a part of a graph, or a lens that the caller has made of numbers of his own. */
static bool has_command(const dgmi_page *page, const dgmi_explore_query *query) {
    bool named = query || !page->input.lens;
    for (int i = 0; !named && i < page->input.setting_count; i++)
        named = is_of_lens(page->input.settings[i][0]);
    return named && dgm_explorer_level(page->explorer) == 0;
}

static dgm_status give_lens(dgm_context *ctx, const dgmi_page *page, const dgm_job *job,
                            const dgmi_explore_query *query, const dgm_lens_result *result) {
    const dgm_predictions *predictions = given_predictions(page);
    char blas[DGMI_KERNELS_MACHINE_SPACE];
    dgmi_explore_answer words;
    dgmi_text command;
    dgm_explorer_lens lens;
    dgm_explorer_lens_init(&lens);
    dgmi_text_init(&command, ctx);
    dgmi_explore_answer_init(&words, ctx);
    if (has_command(page, query))
        write_command(&page->input, query, &command);
    else
        dgmi_text_string(&command, "");
    each_of_lens(&page->input, query, say_member, &words);
    dgmi_text_string(&words.json, "}");
    lens.axes = dgm_lens_result_axes(result);
    lens.predictions = predictions ? predictions : dgm_lens_result_predictions(result);
    lens.name = result->name;
    lens.command = command.data;
    lens.words = words.json.data;
    lens.provenance = dgmi_pipeline_provenance(job, result, blas);
    dgm_status status = command.status != DGM_OK ? command.status : words.json.status;
    if (status == DGM_OK)
        status = dgm_explorer_set_lens(ctx, page->explorer, &lens);
    dgmi_text_free(&command);
    dgmi_explore_answer_free(&words);
    return status;
}

void dgmi_page_lens_free(dgmi_page_lens *lens) {
    dgm_lens_result_free(lens->made);
    dgm_study_free(lens->study);
    *lens = (dgmi_page_lens){NULL, NULL};
}

dgm_status dgmi_page_compute(dgm_context *ctx, const dgmi_page *page,
                             const dgmi_explore_query *query, dgmi_page_lens *out) {
    dgm_job job;
    *out = (dgmi_page_lens){NULL, NULL};
    dgm_status status = make_job(ctx, &page->input, query, &job);
    return status == DGM_OK
               ? dgm_job_lens(ctx, &job, dgm_explorer_graph(page->explorer), &out->made)
               : status;
}

/* Parts have cells of their own, which no other lens has: the cover follows a lens that a page asks
 * for. */
static dgm_status fit_cover(dgm_context *ctx, const dgmi_page *page, const dgm_job *job) {
    static const char *const none[] = {NULL};
    dgm_explorer *explorer = dgmi_explore_innermost(page->explorer);
    bool parts = dgm_job_has_parts(job);
    dgmi_explore_query query = {.count = 1};
    dgmi_explore_change change;
    if (parts == (explorer->workspace->mapper_options.cover == DGM_COVER_PARTS))
        return DGM_OK;
    query.names[0] = "cover";
    query.values[0] = parts ? "parts" : "uniform";
    dgm_status status = dgmi_explore_settings_apply(ctx, explorer, &query, none, &change);
    if (status == DGM_OK)
        dgmi_explore_settings_end(ctx, explorer, &change, true);
    return status;
}

dgm_status dgmi_page_show(dgm_context *ctx, dgmi_page *page, const dgmi_explore_query *query,
                          const dgmi_page_lens *made) {
    dgmi_page_lens *own = &page->lenses[dgm_explorer_level(page->explorer)];
    dgm_job job;
    dgm_status status = make_job(ctx, &page->input, query, &job);
    if (status == DGM_OK)
        status = give_lens(ctx, page, &job, query,
                           made->study ? dgm_study_lens(made->study) : made->made);
    if (status == DGM_OK && query && !made->study)
        status = fit_cover(ctx, page, &job);
    if (status == DGM_OK) {
        dgmi_page_lens_free(own);
        *own = *made;
    }
    return status;
}

/* The lens that the caller has, or the one that the settings ask for. */
static dgm_status open_lens(dgm_context *ctx, dgmi_page *page) {
    dgm_job job;
    if (!page->input.lens) {
        dgmi_page_lens made;
        dgm_status status = dgmi_page_compute(ctx, page, NULL, &made);
        if (status == DGM_OK)
            status = dgmi_page_show(ctx, page, NULL, &made);
        if (status != DGM_OK)
            dgmi_page_lens_free(&made);
        return status;
    }
    dgm_status status = make_job(ctx, &page->input, NULL, &job);
    return status == DGM_OK ? give_lens(ctx, page, &job, NULL, page->input.lens) : status;
}

/* All at once: some options need others. */
static dgm_status set_all(dgm_context *ctx, const dgmi_page *page) {
    static const char *const none[] = {NULL};
    const dgm_page_input *input = &page->input;
    dgmi_explore_query query = {.count = 0};
    dgmi_explore_change change;
    for (int i = 0; i < input->setting_count && query.count < DGMI_EXPLORE_MOST_SETTINGS; i++)
        if (is_of_picture(input->settings[i][0])) {
            query.names[query.count] = input->settings[i][0];
            query.values[query.count++] = input->settings[i][1] ? input->settings[i][1] : "true";
        }
    dgm_status status = dgmi_explore_settings_apply(ctx, page->explorer, &query, none, &change);
    if (status == DGM_OK)
        dgmi_explore_settings_end(ctx, page->explorer, &change, true);
    return status;
}

dgm_status dgmi_page_open(dgm_context *ctx, const dgm_page_input *input, bool live,
                          dgmi_page *page) {
    *page = (dgmi_page){.live = live};
    dgm_page_input_init(&page->input);
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_page_input, predictions, input, &page->input);
    if (status == DGM_OK && !page->input.graph)
        status = dgmi_fail(ctx, DGM_ERROR_USAGE, "a page needs a graph");
    if (status == DGM_OK)
        status = dgm_explorer_create(ctx, page->input.graph, &page->explorer);
    if (status == DGM_OK)
        status = open_lens(ctx, page);
    if (status == DGM_OK)
        status = set_all(ctx, page);
    if (status == DGM_OK)
        status = dgmi_page_explain(ctx, page, page->input.study);
    return status == DGM_OK ? dgmi_page_introduce(ctx, page) : status;
}

void dgmi_page_tidy(dgmi_page *page) {
    for (int level = dgm_explorer_level(page->explorer) + 1; level < DGMI_PAGE_LEVELS; level++)
        dgmi_page_lens_free(&page->lenses[level]);
}

void dgmi_page_close(dgmi_page *page) {
    dgm_explorer_free(page->explorer); /* which borrows its lenses and its graph */
    for (int level = 0; level < DGMI_PAGE_LEVELS; level++)
        dgmi_page_lens_free(&page->lenses[level]);
    dgmi_page_visit_free(page->visit);
    *page = (dgmi_page){.explorer = NULL};
}

const dgmi_page_file *dgmi_page_file_find(const char *path) {
    for (size_t i = 0; i < dgmi_page_file_count; i++)
        if (strcmp(dgmi_page_files[i].path, path) == 0)
            return &dgmi_page_files[i];
    return NULL;
}
