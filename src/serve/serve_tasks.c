/* SPDX-License-Identifier: Apache-2.0 */
/* Questions in a queue, and the thread that answers them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore_explorer.h"
#include "serve_server.h"

void dgmi_serve_task_free(dgmi_serve_task *task) {
    if (!task)
        return;
    dgmi_serve_upload_free(task->upload);
    free(task->body);
    free(task->answer);
    free(task);
}

/* ---- the queue ---- */

static bool is_among(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* Questions that may take minutes are the looker's. */
static dgmi_serve_queue *queue_of(dgm_server *server, const dgmi_serve_task *task) {
    static const char *const long_ones[] = {"lens", "choose", "open", NULL};
    return is_among(task->question, long_ones) ? &server->lenses : &server->questions;
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

/* The answer {"stale": true}, which is written here since no context is at hand. */
static void outdate(dgmi_serve_task *task) {
    static const char words[] = "{\"stale\": true, \"arrays\": {}}   ";
    enum { HEAD = 8, LENGTH = sizeof words - 1 };
    _Static_assert(LENGTH % HEAD == 0, "arrays begin at multiples of 8");
    static const char head[HEAD] = {'D', 'G', 'M', '1', LENGTH, 0, 0, 0};
    task->code = MHD_HTTP_OK;
    task->type = "application/octet-stream";
    task->answer = malloc(HEAD + LENGTH);
    task->answer_length = task->answer ? HEAD + LENGTH : 0;
    if (task->answer) {
        memcpy(task->answer, head, HEAD);
        memcpy(task->answer + HEAD, words, LENGTH);
    }
}

/* A picture that still waits is not wanted any more when another is asked for, and neither is a lens
 * before another thing that takes long. */
static void drop_older(dgm_server *server, dgmi_serve_queue *queue, const char *question) {
    dgmi_serve_task **at = &queue->first;
    if (queue == &server->questions && strcmp(question, "picture") != 0)
        return;
    while (*at) {
        dgmi_serve_task *task = *at;
        if (queue == &server->questions && strcmp(task->question, question) != 0) {
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
    server->unanswered++;
    if (server->stopping) { /* nobody would take it out */
        outdate(task);
        finish(task);
    } else {
        drop_older(server, queue, task->question);
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
    const bool looks = queue == &server->lenses;
    pthread_mutex_lock(&server->lock);
    while ((!queue->first || (looks && server->changing)) && !server->stopping)
        pthread_cond_wait(&queue->filled, &server->lock);
    if (!server->stopping) {
        task = queue->first;
        take_out(queue, &queue->first);
        server->looking |= looks;
    }
    pthread_mutex_unlock(&server->lock);
    return task;
}

/* Before the graph that is shown changes, nobody may look at it any more. */
static void begin_change(dgm_server *server) {
    pthread_mutex_lock(&server->lock);
    server->changing = true;
    dgmi_serve_empty(&server->lenses);
    if (server->looking)
        dgm_context_cancel(server->look_context);
    while (server->looking && !server->stopping)
        pthread_cond_wait(&server->idle, &server->lock);
    pthread_mutex_unlock(&server->lock);
}

static void end_change(dgm_server *server) {
    pthread_mutex_lock(&server->lock);
    server->changing = false;
    pthread_cond_signal(&server->lenses.filled);
    pthread_mutex_unlock(&server->lock);
}

void dgmi_serve_done(dgm_server *server, dgmi_serve_task *task) {
    pthread_mutex_lock(&server->lock);
    finish(task);
    pthread_mutex_unlock(&server->lock);
}

void dgmi_serve_sent(dgm_server *server) {
    pthread_mutex_lock(&server->lock);
    server->unanswered--;
    if (server->stopping && server->unanswered == 0)
        pthread_cond_broadcast(&server->stopped);
    pthread_mutex_unlock(&server->lock);
}

/* ---- errors ---- */

static unsigned code_of(dgm_status status) {
    switch (status) {
    case DGM_ERROR_USAGE:
    case DGM_ERROR_DATA:
    case DGM_ERROR_FORMAT:
        return MHD_HTTP_BAD_REQUEST;
    default:
        return MHD_HTTP_INTERNAL_SERVER_ERROR;
    }
}

/* What is wrong, and on which line of a file that was sent: the name that it came with, not the
 * folder that it lies in. */
static void put_fault(dgmi_explore_answer *json, const dgm_error *error) {
    dgmi_text words;
    dgmi_text_init(&words, json->json.ctx);
    if (error->file && error->line > 0) {
        const char *slash = strrchr(error->file, '/');
        dgmi_text_format(&words, "%s, line %lld: ", slash ? slash + 1 : error->file,
                         (long long)error->line);
    }
    dgmi_text_string(&words, error->message);
    dgmi_explore_text(json, "error", words.status == DGM_OK ? words.data : error->message);
    dgmi_text_free(&words);
}

void dgmi_serve_fail(dgmi_serve_task *task, dgm_context *ctx, dgm_status status) {
    const dgm_error error = dgm_context_error_parts(ctx);
    dgmi_explore_answer json;
    if (status == DGM_ERROR_CANCELLED) {
        outdate(task);
        return;
    }
    task->code = code_of(status);
    task->type = "application/json";
    dgmi_explore_answer_init(&json, ctx);
    put_fault(&json, &error);
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
                                        dgm_explorer_workspace(server->page->explorer), format,
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

/* Back to the graph that the server was started with. */
static void go_home(dgm_server *server) {
    if (server->page == &server->home)
        return;
    dgmi_explore_follow(server->home.explorer, server->guest.explorer);
    server->page = &server->home;
    dgmi_page_close(&server->guest);
}

static void answer(dgm_server *server, dgmi_serve_task *task) {
    const bool home = strcmp(task->question, "home") == 0;
    dgm_answer bytes;
    if (strcmp(task->question, "download") == 0) {
        download(server, task);
        return;
    }
    if (home)
        go_home(server);
    dgm_status status = dgm_explorer_ask(server->ask_context, server->page->explorer,
                                         home ? "start" : task->question, task->body, &bytes);
    dgmi_page_tidy(server->page);
    if (status != DGM_OK) {
        dgmi_serve_fail(task, server->ask_context, status);
        return;
    }
    give(task, bytes.bytes, bytes.length, "application/octet-stream");
    dgm_answer_free(server->ask_context, &bytes);
}

void *dgmi_serve_ask(void *user) {
    static const char *const changes[] = {"focus", "back", "home", NULL};
    dgm_server *server = user;
    dgmi_serve_task *task;
    while ((task = dgmi_serve_next(server, &server->questions))) {
        const bool changing = is_among(task->question, changes);
        if (changing)
            begin_change(server);
        pthread_mutex_lock(&server->at_explorer);
        answer(server, task);
        pthread_mutex_unlock(&server->at_explorer);
        if (changing)
            end_change(server);
        dgmi_serve_done(server, task);
    }
    return NULL;
}
