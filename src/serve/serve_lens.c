/* SPDX-License-Identifier: Apache-2.0 */
/* The lens of the explorer: the first one, and those that a page asks for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_clock.h"
#include "base_context.h"
#include "base_memory.h"
#include "explore_explorer.h"
#include "lens_result.h"
#include "pipeline_origin.h"
#include "serve_server.h"

#define BETWEEN_EVENTS 0.1 /* seconds */

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
static dgm_status make_job(dgm_context *ctx, const dgm_server_input *input,
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
static void each_of_lens(const dgm_server_input *input, const dgmi_explore_query *lens,
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
static void write_command(const dgm_server_input *input, const dgmi_explore_query *lens,
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

/* Gives a lens to the explorer. On success the server keeps `made`, which may be NULL if `result` is
 * the caller's. */
static dgm_status show_lens(dgm_context *ctx, dgm_server *server, const dgm_job *job,
                            const dgmi_explore_query *query, const dgm_lens_result *result,
                            dgm_lens_result *made) {
    char blas[DGMI_KERNELS_MACHINE_SPACE];
    dgmi_explore_answer words;
    dgmi_text command;
    dgm_explorer_lens lens;
    dgm_explorer_lens_init(&lens);
    dgmi_text_init(&command, ctx);
    dgmi_explore_answer_init(&words, ctx);
    write_command(&server->input, query, &command);
    each_of_lens(&server->input, query, say_member, &words);
    dgmi_text_string(&words.json, "}");
    lens.axes = dgm_lens_result_axes(result);
    lens.predictions =
        server->input.predictions ? server->input.predictions : dgm_lens_result_predictions(result);
    lens.name = result->name;
    lens.command = command.data;
    lens.words = words.json.data;
    lens.provenance = dgmi_pipeline_provenance(job, result, blas);
    dgm_status status = command.status != DGM_OK ? command.status : words.json.status;
    if (status == DGM_OK)
        status = dgm_explorer_set_lens(ctx, server->explorer, &lens);
    if (status == DGM_OK) {
        dgm_lens_result_free(server->lens);
        server->lens = made;
    }
    dgmi_text_free(&command);
    dgmi_explore_answer_free(&words);
    return status;
}

/* The context of the explorer writes into its own room: errors of one thread are not another's. */
dgm_status dgmi_serve_open(dgm_context *ctx, dgm_server *server) {
    const dgm_server_input *input = &server->input;
    dgm_lens_result *made = NULL;
    dgm_job job;
    dgm_status status = make_job(ctx, input, NULL, &job);
    if (status == DGM_OK && !input->lens)
        status = dgm_job_lens(ctx, &job, input->graph, &made);
    if (status == DGM_OK)
        status = dgm_explorer_create(ctx, input->graph, &server->explorer);
    if (status == DGM_OK)
        status = show_lens(ctx, server, &job, NULL, made ? made : input->lens, made);
    if (status != DGM_OK)
        dgm_lens_result_free(made);
    for (int i = 0; status == DGM_OK && i < input->setting_count; i++)
        if (is_of_picture(input->settings[i][0]))
            status = dgm_explorer_set(ctx, server->explorer, input->settings[i][0],
                                      input->settings[i][1] ? input->settings[i][1] : "true");
    return status;
}

/* ---- the looker ---- */

static bool tell_progress(void *user, const char *stage, double fraction) {
    dgm_server *server = user;
    double now = dgmi_seconds();
    char data[256];
    if (now - server->told < BETWEEN_EVENTS)
        return true;
    server->told = now;
    if (fraction >= 0)
        snprintf(data, sizeof data, "{\"stage\": \"%.100s\", \"fraction\": %.4f}", stage, fraction);
    else
        snprintf(data, sizeof data, "{\"stage\": \"%.100s\", \"fraction\": null}", stage);
    dgmi_serve_tell(server, "progress", data);
    return true;
}

/* Computes what the task asks for and shows it. */
static dgm_status look(dgm_server *server, const dgmi_serve_task *task) {
    dgm_context *ctx = server->look_context;
    dgmi_explore_query query;
    dgm_lens_result *made = NULL;
    dgm_job job;
    dgm_status status = dgmi_explore_query_parse(ctx, task->body, &query);
    if (status == DGM_OK)
        status = make_job(ctx, &server->input, &query, &job);
    if (status == DGM_OK)
        status = dgm_job_lens(ctx, &job, server->input.graph, &made);
    if (status != DGM_OK)
        return status;
    pthread_mutex_lock(&server->at_explorer);
    status = show_lens(ctx, server, &job, &query, made, made);
    pthread_mutex_unlock(&server->at_explorer);
    if (status != DGM_OK)
        dgm_lens_result_free(made);
    return status;
}

/* With the lens there, the answer is that of `start`. */
static void answer(dgm_server *server, dgmi_serve_task *task, dgm_status status) {
    dgm_answer bytes = {NULL, 0};
    pthread_mutex_lock(&server->at_explorer);
    if (status == DGM_OK)
        status = dgm_explorer_ask(server->look_context, server->explorer, "start", "", &bytes);
    pthread_mutex_unlock(&server->at_explorer);
    if (status != DGM_OK) {
        dgmi_serve_fail(task, server->look_context, status);
        return;
    }
    task->code = MHD_HTTP_OK;
    task->type = "application/octet-stream";
    task->answer = malloc(bytes.length);
    if (task->answer)
        memcpy(task->answer, bytes.bytes, bytes.length);
    task->answer_length = bytes.length;
    dgm_answer_free(server->look_context, &bytes);
}

/* A request to stop that came for a lens before is not one for the next. */
static void begin_look(dgm_server *server) {
    pthread_mutex_lock(&server->lock);
    if (!server->stopping)
        dgm_context_resume(server->look_context);
    server->looking = true;
    pthread_mutex_unlock(&server->lock);
}

static void end_look(dgm_server *server) {
    pthread_mutex_lock(&server->lock);
    server->looking = false;
    if (!server->stopping)
        dgm_context_resume(server->look_context);
    pthread_mutex_unlock(&server->lock);
}

void *dgmi_serve_look(void *user) {
    dgm_server *server = user;
    dgmi_serve_task *task;
    dgm_context_set_progress(server->look_context, tell_progress, server);
    while ((task = dgmi_serve_next(server, &server->lenses))) {
        begin_look(server);
        dgmi_hold hold = dgmi_arena_hold(server->look_context);
        dgm_status status = look(server, task);
        end_look(server);
        answer(server, task, status);
        dgmi_arena_release(server->look_context, hold);
        dgmi_serve_tell(server, "progress", "{\"stage\": \"\", \"fraction\": 1}");
        dgmi_serve_done(server, task);
    }
    return NULL;
}
