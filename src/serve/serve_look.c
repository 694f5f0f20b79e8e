/* SPDX-License-Identifier: Apache-2.0 */
/* The looker: computes lenses, chooses settings and opens files, as a page asks for it, and tells how
 * far it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_clock.h"
#include "base_context.h"
#include "base_memory.h"
#include "explore_explorer.h"
#include "serve_server.h"

#define BETWEEN_EVENTS 0.1 /* seconds */

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

/* Shows a lens, which belongs to the page then. */
static dgm_status show(dgm_server *server, const dgmi_explore_query *query, dgmi_page_lens *made) {
    dgm_context *ctx = server->look_context;
    pthread_mutex_lock(&server->at_explorer);
    dgm_status status = query ? dgmi_page_show(ctx, server->page, query, made)
                              : dgmi_page_adopt(ctx, server->page, made);
    pthread_mutex_unlock(&server->at_explorer);
    if (status != DGM_OK)
        dgmi_page_lens_free(made);
    return status;
}

static dgm_status make_lens(dgm_server *server, const dgmi_serve_task *task) {
    dgmi_explore_query query;
    dgmi_page_lens made;
    dgm_status status = dgmi_explore_query_parse(server->look_context, task->body, &query);
    if (status == DGM_OK)
        status = dgmi_page_compute(server->look_context, server->page, &query, &made);
    return status == DGM_OK ? show(server, &query, &made) : status;
}

static dgm_status choose(dgm_server *server) {
    dgmi_page_lens made;
    dgm_status status = dgmi_page_choose(server->look_context, server->page, &made);
    return status == DGM_OK ? show(server, NULL, &made) : status;
}

/* A file takes the place of one that was opened before. */
static dgm_status open_file(dgm_server *server, const dgmi_serve_task *task) {
    const char *path = task->upload ? dgmi_serve_upload_end(task->upload) : NULL;
    dgmi_page guest;
    if (!path)
        return dgmi_fail(server->look_context, DGM_ERROR_FILE, "the file did not arrive whole");
    dgm_status status = dgmi_page_visit_file(server->look_context, path, &guest);
    if (status != DGM_OK) {
        dgmi_page_close(&guest);
        return status;
    }
    pthread_mutex_lock(&server->at_explorer);
    dgmi_explore_follow(guest.explorer, server->page->explorer);
    dgmi_page_close(&server->guest);
    server->guest = guest;
    server->page = &server->guest;
    pthread_mutex_unlock(&server->at_explorer);
    return DGM_OK;
}

static dgm_status look(dgm_server *server, const dgmi_serve_task *task) {
    if (strcmp(task->question, "open") == 0)
        return open_file(server, task);
    return strcmp(task->question, "choose") == 0 ? choose(server) : make_lens(server, task);
}

/* With the lens there, the answer is that of `start`. */
static void answer(dgm_server *server, dgmi_serve_task *task, dgm_status status) {
    dgm_answer bytes = {NULL, 0};
    pthread_mutex_lock(&server->at_explorer);
    if (status == DGM_OK)
        status =
            dgm_explorer_ask(server->look_context, server->page->explorer, "start", "", &bytes);
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

/* A request to stop that came for this lens is not one for the next. It is forgotten here and not
 * when the next begins, which may have been asked to stop by then. */
static void end_look(dgm_server *server) {
    pthread_mutex_lock(&server->lock);
    server->looking = false;
    pthread_cond_signal(&server->idle);
    if (!server->stopping)
        dgm_context_resume(server->look_context);
    pthread_mutex_unlock(&server->lock);
}

void *dgmi_serve_look(void *user) {
    dgm_server *server = user;
    dgmi_serve_task *task;
    dgm_context_set_progress(server->look_context, tell_progress, server);
    while ((task = dgmi_serve_next(server, &server->lenses))) {
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
