/* SPDX-License-Identifier: Apache-2.0 */
/* Questions in a queue, and the thread that answers them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore_answer.h"
#include "serve_server.h"

void dgmi_serve_task_free(dgmi_serve_task *task) {
    if (!task)
        return;
    free(task->body);
    free(task->answer);
    free(task);
}

/* ---- the queue ---- */

static dgmi_serve_queue *queue_of(dgm_server *server, const dgmi_serve_task *task) {
    return strcmp(task->question, "lens") == 0 ? &server->lenses : &server->questions;
}

static void take_out(dgmi_serve_queue *queue, dgmi_serve_task **at) {
    dgmi_serve_task *task = *at;
    *at = task->next;
    if (!task->next)
        queue->last = at;
    task->next = NULL;
}

/* With the lock held. */
static void finish(dgmi_serve_task *task) {
    task->done = true;
    MHD_resume_connection(task->connection);
}

static void outdate(dgmi_serve_task *task) {
    static const char words[] = "{\"error\": \"a newer question came first\", \"option\": null}";
    task->code = MHD_HTTP_CONFLICT;
    task->type = "application/json";
    task->answer = strdup(words);
    task->answer_length = task->answer ? strlen(words) : 0;
}

/* A picture or a lens that still waits is not wanted any more. */
static void drop_older(dgmi_serve_queue *queue, const char *question) {
    dgmi_serve_task **at = &queue->first;
    if (strcmp(question, "picture") != 0 && strcmp(question, "lens") != 0)
        return;
    while (*at) {
        dgmi_serve_task *task = *at;
        if (strcmp(task->question, question) != 0) {
            at = &task->next;
            continue;
        }
        take_out(queue, at);
        outdate(task);
        finish(task);
    }
}

void dgmi_serve_enqueue(dgm_server *server, dgmi_serve_task *task) {
    dgmi_serve_queue *queue = queue_of(server, task);
    pthread_mutex_lock(&server->lock);
    task->queued = true;
    if (server->stopping) { /* nobody would take it out */
        outdate(task);
        finish(task);
    } else {
        drop_older(queue, task->question);
        *queue->last = task;
        queue->last = &task->next;
        if (queue == &server->lenses && server->looking)
            dgm_context_cancel(server->look_context);
        pthread_cond_signal(&queue->filled);
    }
    pthread_mutex_unlock(&server->lock);
}

void dgmi_serve_empty(dgmi_serve_queue *queue) {
    while (queue->first) {
        dgmi_serve_task *task = queue->first;
        take_out(queue, &queue->first);
        outdate(task);
        finish(task);
    }
}

dgmi_serve_task *dgmi_serve_next(dgm_server *server, dgmi_serve_queue *queue) {
    dgmi_serve_task *task = NULL;
    pthread_mutex_lock(&server->lock);
    while (!queue->first && !server->stopping)
        pthread_cond_wait(&queue->filled, &server->lock);
    if (!server->stopping) {
        task = queue->first;
        take_out(queue, &queue->first);
    }
    pthread_mutex_unlock(&server->lock);
    return task;
}

void dgmi_serve_done(dgm_server *server, dgmi_serve_task *task) {
    pthread_mutex_lock(&server->lock);
    finish(task);
    pthread_mutex_unlock(&server->lock);
}

/* ---- errors ---- */

static unsigned code_of(dgm_status status) {
    switch (status) {
    case DGM_ERROR_USAGE:
    case DGM_ERROR_DATA:
    case DGM_ERROR_FORMAT:
        return MHD_HTTP_BAD_REQUEST;
    case DGM_ERROR_CANCELLED:
        return MHD_HTTP_CONFLICT;
    default:
        return MHD_HTTP_INTERNAL_SERVER_ERROR;
    }
}

void dgmi_serve_fail(dgmi_serve_task *task, dgm_context *ctx, dgm_status status) {
    const dgm_error error = dgm_context_error_parts(ctx);
    dgmi_explore_answer json;
    task->code = code_of(status);
    task->type = "application/json";
    dgmi_explore_answer_init(&json, ctx);
    dgmi_explore_text(&json, "error", error.message);
    dgmi_explore_text(&json, "option", error.option);
    dgmi_text_string(&json.json, "}");
    task->answer = json.json.status == DGM_OK ? strdup(json.json.data) : NULL;
    task->answer_length = task->answer ? strlen(task->answer) : 0;
    dgmi_explore_answer_free(&json);
}

/* ---- answers ---- */

static void give(dgmi_serve_task *task, const char *bytes, size_t length, const char *type) {
    task->code = MHD_HTTP_OK;
    task->type = type;
    task->answer = malloc(length ? length : 1);
    task->answer_length = task->answer ? length : 0;
    if (task->answer)
        memcpy(task->answer, bytes, length);
    else
        task->code = MHD_HTTP_INTERNAL_SERVER_ERROR;
}

/* What the last picture shows, as a file: the body is the format. */
static void download(dgm_server *server, dgmi_serve_task *task) {
    static const struct {
        const char *extension, *type, *file;
        int part;
    } kinds[] = {
        {"json", "application/json", "summary.json", 0},
        {"svg", "image/svg+xml", "summary.svg", 0},
        {"pdf", "application/pdf", "summary.pdf", 0},
        {"png", "image/png", "summary.png", 0},
        {"csv", "text/csv; charset=utf-8", "members.csv", 0},
        {"clusters.csv", "text/csv; charset=utf-8", "clusters.csv", 1},
        {"edges.csv", "text/csv; charset=utf-8", "edges.csv", 2},
        {"graphml", "application/xml", "summary.graphml", 0},
        {"gexf", "application/xml", "summary.gexf", 0},
        {"dot", "text/plain; charset=utf-8", "summary.dot", 0},
        {"md", "text/markdown; charset=utf-8", "report.md", 0},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        dgm_export_format format;
        char *text;
        size_t length;
        if (strcmp(kinds[i].extension, task->body) != 0)
            continue;
        dgm_status status = dgm_export_format_find(server->ask_context, kinds[i].file, &format);
        if (status == DGM_OK)
            status = dgm_workspace_text(server->ask_context,
                                        dgm_explorer_workspace(server->page.explorer), format,
                                        kinds[i].part, &text, &length);
        if (status != DGM_OK) {
            dgmi_serve_fail(task, server->ask_context, status);
            return;
        }
        give(task, text, length, kinds[i].type);
        task->file = kinds[i].file;
        dgm_export_text_free(server->ask_context, text);
        return;
    }
    give(task, "no such format\n", 15, "text/plain");
    task->code = MHD_HTTP_NOT_FOUND;
}

static void answer(dgm_server *server, dgmi_serve_task *task) {
    dgm_answer bytes;
    if (strcmp(task->question, "download") == 0) {
        download(server, task);
        return;
    }
    dgm_status status = dgm_explorer_ask(server->ask_context, server->page.explorer, task->question,
                                         task->body, &bytes);
    if (status != DGM_OK) {
        dgmi_serve_fail(task, server->ask_context, status);
        return;
    }
    give(task, bytes.bytes, bytes.length, "application/octet-stream");
    dgm_answer_free(server->ask_context, &bytes);
}

void *dgmi_serve_ask(void *user) {
    dgm_server *server = user;
    dgmi_serve_task *task;
    while ((task = dgmi_serve_next(server, &server->questions))) {
        pthread_mutex_lock(&server->at_explorer);
        answer(server, task);
        pthread_mutex_unlock(&server->at_explorer);
        dgmi_serve_done(server, task);
    }
    return NULL;
}
