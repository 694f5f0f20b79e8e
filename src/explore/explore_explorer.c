/* SPDX-License-Identifier: Apache-2.0 */
/* Makes an explorer, and finds who answers a question. */
#include "explore_explorer.h"

#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"

dgm_status dgm_explorer_create(dgm_context *ctx, const dgm_graph *graph, dgm_explorer **out) {
    *out = NULL;
    if (!graph)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "an explorer needs a graph");
    dgm_explorer *explorer = dgmi_alloc_zero(ctx, 1, sizeof *explorer);
    if (!explorer)
        return DGM_ERROR_MEMORY;
    explorer->allocator = ctx->allocator;
    explorer->graph = graph;
    dgmi_arena_swap(ctx, &explorer->arena);
    dgm_status status = dgmi_graph_simple_make(ctx, graph, &explorer->rows);
    dgmi_arena_swap(ctx, &explorer->arena);
    if (status == DGM_OK)
        status = dgm_workspace_create(ctx, graph, &explorer->workspace);
    if (status == DGM_OK)
        status = dgmi_explore_settings_make(ctx, explorer);
    if (status == DGM_OK)
        *out = explorer;
    else
        dgm_explorer_free(explorer);
    return status;
}

static void free_lens(dgm_explorer *explorer) {
    for (int i = 0; i < DGMI_EXPLORE_LENS_TEXTS; i++) {
        dgmi_allocator_free(&explorer->allocator, explorer->lens_texts[i]);
        explorer->lens_texts[i] = NULL;
    }
    dgm_comparison_free(explorer->comparison);
    explorer->comparison = NULL;
    dgmi_mapper_names_free(&explorer->names);
    dgmi_arena_drop(&explorer->allocator, &explorer->column_arena);
    explorer->columns = NULL;
}

void dgm_explorer_free(dgm_explorer *explorer) {
    if (!explorer)
        return;
    const dgm_allocator allocator = explorer->allocator;
    dgm_explorer_free(explorer->inner);
    dgmi_explore_pins_free(explorer);
    dgm_workspace_free(explorer->workspace);
    dgmi_explore_settings_free(explorer);
    free_lens(explorer);
    dgmi_allocator_free(&allocator, explorer->command);
    dgmi_allocator_free(&allocator, explorer->start);
    dgmi_allocator_free(&allocator, explorer->choice);
    dgmi_allocator_free(&allocator, explorer->node);
    dgmi_allocator_free(&allocator, explorer->mark);
    dgmi_arena_drop(&allocator, &explorer->arena);
    dgm_matrix_free(explorer->own.axes);
    dgm_predictions_free(explorer->own.predictions);
    dgm_graph_free(explorer->own.graph);
    dgmi_allocator_free(&allocator, explorer);
}

/* ---- what goes in ---- */

/* The texts of a lens, all of which may go after the call. */
static dgm_status copy_lens(dgm_context *ctx, dgm_explorer *explorer,
                            const dgm_explorer_lens *lens) {
    const char *const texts[DGMI_EXPLORE_LENS_TEXTS] = {lens->name ? lens->name : "lens",
                                                        lens->command ? lens->command : "dgm map",
                                                        lens->words ? lens->words : "{}",
                                                        lens->provenance.kernels,
                                                        lens->provenance.blas,
                                                        lens->provenance.version};
    char *copies[DGMI_EXPLORE_LENS_TEXTS] = {NULL};
    dgm_status status = DGM_OK;
    for (int i = 0; status == DGM_OK && i < DGMI_EXPLORE_LENS_TEXTS; i++) {
        copies[i] = texts[i] ? dgmi_strdup(ctx, texts[i]) : NULL;
        status = texts[i] && !copies[i] ? DGM_ERROR_MEMORY : DGM_OK;
    }
    for (int i = 0; status != DGM_OK && i < DGMI_EXPLORE_LENS_TEXTS; i++)
        dgmi_free(ctx, copies[i]);
    if (status != DGM_OK)
        return status;
    free_lens(explorer);
    memcpy(explorer->lens_texts, copies, sizeof copies);
    explorer->lens = *lens;
    explorer->lens.name = copies[0];
    explorer->lens.command = copies[1];
    explorer->lens.words = copies[2];
    explorer->lens.provenance.kernels = copies[3];
    explorer->lens.provenance.blas = copies[4];
    explorer->lens.provenance.version = copies[5];
    return DGM_OK;
}

dgm_status dgm_explorer_set_lens(dgm_context *ctx, dgm_explorer *explorer,
                                 const dgm_explorer_lens *lens) {
    dgm_explorer_lens use;
    explorer = dgmi_explore_innermost(explorer);
    dgm_explorer_lens_init(&use);
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_explorer_lens, provenance, lens, &use);
    if (status == DGM_OK && !use.axes)
        status = dgmi_fail(ctx, DGM_ERROR_USAGE, "the lens has no axes");
    if (status == DGM_OK)
        status = copy_lens(ctx, explorer, &use);
    if (status == DGM_OK)
        status = dgm_workspace_set_axes(ctx, explorer->workspace, use.axes);
    if (status == DGM_OK)
        status = dgm_workspace_set_predictions(ctx, explorer->workspace, use.predictions);
    return status;
}

dgm_status dgm_explorer_set(dgm_context *ctx, dgm_explorer *explorer, const char *name,
                            const char *value) {
    static const char *const none[] = {NULL};
    const dgmi_explore_query query = {1, {name}, {value}};
    dgmi_explore_change change;
    explorer = dgmi_explore_innermost(explorer);
    dgm_status status = dgmi_explore_settings_apply(ctx, explorer, &query, none, &change);
    if (status == DGM_OK)
        dgmi_explore_settings_end(ctx, explorer, &change, true);
    return status;
}

static dgm_status copy_text(dgm_context *ctx, const dgm_explorer *explorer, const char *text,
                            char **into) {
    char *copy = text ? dgmi_strdup(ctx, text) : NULL;
    if (text && !copy)
        return DGM_ERROR_MEMORY;
    dgmi_allocator_free(&explorer->allocator, *into);
    *into = copy;
    return DGM_OK;
}

dgm_status dgm_explorer_set_start(dgm_context *ctx, dgm_explorer *explorer, const char *members) {
    return copy_text(ctx, explorer, members, &explorer->start);
}

dgm_status dgm_explorer_set_choice(dgm_context *ctx, dgm_explorer *explorer, const char *members) {
    explorer = dgmi_explore_innermost(explorer);
    return copy_text(ctx, explorer, members, &explorer->choice);
}

dgm_workspace *dgm_explorer_workspace(dgm_explorer *explorer) {
    return dgmi_explore_innermost(explorer)->workspace;
}

/* ---- questions ---- */

typedef struct {
    const char *name;
    dgmi_explore_question *answer;
} question_row;

static const question_row questions[] = {
    {"start", dgmi_explore_start},
    {"picture", dgmi_explore_picture},
    {"cluster", dgmi_explore_cluster},
    {"members", dgmi_explore_members},
    {"edge", dgmi_explore_edge},
    {"search", dgmi_explore_search},
    {"bridges", dgmi_explore_bridges},
    {"select", dgmi_explore_select},
    {"columns", dgmi_explore_columns_ask},
    {"mistakes", dgmi_explore_mistakes},
    {"lens_view", dgmi_explore_lens_view},
    {"thumbnail", dgmi_explore_thumbnail},
    {"persistence", dgmi_explore_persistence},
    {"subgraph", dgmi_explore_subgraph},
    {"focus", dgmi_explore_focus},
    {"back", dgmi_explore_back},
    {"pin", dgmi_explore_pin},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

static const question_row *find_question(const char *name) {
    for (size_t i = 0; i < QUESTIONS; i++)
        if (strcmp(questions[i].name, name) == 0)
            return &questions[i];
    return NULL;
}

static dgm_status write_answer(dgm_context *ctx, dgm_explorer *explorer,
                               const question_row *question, const char *settings,
                               dgm_answer *out) {
    dgmi_explore_query query;
    dgmi_explore_answer answer;
    dgm_status status = dgmi_explore_query_parse(ctx, settings, &query);
    if (status != DGM_OK)
        return status;
    dgmi_explore_answer_init(&answer, ctx);
    status = question->answer(ctx, explorer, &query, &answer);
    if (status == DGM_OK)
        status = dgmi_explore_answer_finish(&answer, out);
    dgmi_explore_answer_free(&answer);
    return status;
}

dgm_status dgm_explorer_ask(dgm_context *ctx, dgm_explorer *explorer, const char *question,
                            const char *settings, dgm_answer *out) {
    const question_row *row = find_question(question);
    *out = (dgm_answer){NULL, 0};
    if (!row)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "there is no question '%.100s'", question);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = write_answer(ctx, dgmi_explore_innermost(explorer), row, settings, out);
    dgmi_arena_release(ctx, hold);
    return status;
}

void dgm_answer_free(dgm_context *ctx, dgm_answer *answer) {
    dgmi_free(ctx, answer->bytes);
    *answer = (dgm_answer){NULL, 0};
}

/* ---- what is shown ---- */

dgm_status dgmi_explore_current(dgm_context *ctx, dgm_explorer *explorer,
                                const dgmi_explore_query *query, dgmi_explore_shown *out) {
    int64_t serial;
    dgm_status status =
        dgmi_explore_query_integer(ctx, query, "serial", 0, INT64_MAX, explorer->serial, &serial);
    if (status != DGM_OK)
        return status;
    if (!explorer->drawn)
        return dgmi_fail(ctx, DGM_ERROR_USAGE, "there is no picture yet: ask for one first");
    if (serial != explorer->serial)
        return dgmi_fail(ctx, DGM_ERROR_CANCELLED, "another picture has been made since");
    status = dgm_workspace_summary(ctx, explorer->workspace, &out->summary);
    if (status == DGM_OK)
        status = dgm_workspace_profile(ctx, explorer->workspace, &out->profile);
    if (status == DGM_OK)
        status = dgm_workspace_view(ctx, explorer->workspace, &out->view);
    if (status == DGM_OK)
        out->clusters = dgm_summary_get_clusters(out->summary);
    return status;
}

dgm_status dgmi_explore_cluster_of(dgm_context *ctx, const dgmi_explore_shown *shown,
                                   const dgmi_explore_query *query, const char *name,
                                   int64_t *out) {
    return dgmi_explore_query_integer(ctx, query, name, 0, shown->clusters.count - 1, -1, out);
}
