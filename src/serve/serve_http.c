/* SPDX-License-Identifier: Apache-2.0 */
/* Requests and responses. Nothing is computed here. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve_server.h"

/* ---- responses ---- */

/* What every response says: nothing is kept, guessed, framed or fetched from elsewhere. */
static void add_headers(struct MHD_Response *response) {
    static const char *const headers[][2] = {
        {"Cache-Control", "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"X-Frame-Options", "DENY"},
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
         "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
}

static enum MHD_Result respond(struct MHD_Connection *connection, unsigned code,
                               struct MHD_Response *response) {
    if (!response)
        return MHD_NO;
    add_headers(response);
    enum MHD_Result result = MHD_queue_response(connection, code, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_words(struct MHD_Connection *connection, unsigned code,
                                  const char *words) {
    char *copy = strdup(words);
    struct MHD_Response *response =
        copy ? MHD_create_response_from_buffer(strlen(copy), copy, MHD_RESPMEM_MUST_FREE) : NULL;
    if (response)
        MHD_add_response_header(response, "Content-Type", "text/plain; charset=utf-8");
    return respond(connection, code, response);
}

/* The cookie in exchange for the token, which leaves the address. */
static enum MHD_Result send_greeting(const dgm_server *server, struct MHD_Connection *connection) {
    char cookie[256];
    struct MHD_Response *response =
        MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    snprintf(cookie, sizeof cookie, "%s=%s; HttpOnly; SameSite=Strict; Path=/",
             server->guard.cookie, server->guard.secret);
    if (response) {
        MHD_add_response_header(response, "Set-Cookie", cookie);
        MHD_add_response_header(response, "Location", "/");
    }
    return respond(connection, MHD_HTTP_SEE_OTHER, response);
}

static enum MHD_Result send_file(struct MHD_Connection *connection, const dgmi_page_file *file) {
    const struct MHD_IoVec piece = {file->bytes, file->length};
    struct MHD_Response *response = MHD_create_response_from_iovec(&piece, 1, NULL, NULL);
    if (response)
        MHD_add_response_header(response, "Content-Type", file->type);
    return respond(connection, MHD_HTTP_OK, response);
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, dgmi_serve_task *task) {
    char file[96];
    if (!task->answer)
        return send_words(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "not enough memory\n");
    struct MHD_Response *response =
        MHD_create_response_from_buffer(task->answer_length, task->answer, MHD_RESPMEM_MUST_FREE);
    if (!response)
        return MHD_NO;
    task->answer = NULL; /* it is the response's now */
    MHD_add_response_header(response, "Content-Type", task->type);
    snprintf(file, sizeof file, "attachment; filename=\"%s\"", task->file ? task->file : "");
    if (task->file)
        MHD_add_response_header(response, "Content-Disposition", file);
    return respond(connection, task->code, response);
}

static enum MHD_Result send_events(dgm_server *server, struct MHD_Connection *connection) {
    struct MHD_Response *response = dgmi_serve_listen(server, connection);
    if (response)
        MHD_add_response_header(response, "Content-Type", "text/event-stream");
    return respond(connection, MHD_HTTP_OK, response);
}

/* ---- requests ---- */

static const char *header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static dgmi_serve_verdict judge(const dgm_server *server, struct MHD_Connection *connection,
                                const char *path, const char *method) {
    const dgmi_serve_visitor visitor = {
        .method = method,
        .path = path,
        .host = header(connection, "Host"),
        .origin = header(connection, "Origin"),
        .fetch_site = header(connection, "Sec-Fetch-Site"),
        .cookie = MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, server->guard.cookie),
        .token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token"),
    };
    return dgmi_serve_guard_judge(&server->guard, &visitor);
}

static bool is_file(const char *path, const char *method) {
    return strcmp(method, "POST") == 0 && strcmp(path, "/api/open") == 0;
}

/* A body that says it is too long is not read. */
static bool is_too_long(struct MHD_Connection *connection, size_t most) {
    const char *length = header(connection, "Content-Length");
    return length && strtoull(length, NULL, 10) > most;
}

static bool take_body(dgmi_serve_task *task, size_t most, const char *data, size_t size) {
    if (task->upload)
        return dgmi_serve_upload_take(task->upload, data, size);
    if (task->length + size > most)
        return false;
    if (task->length + size + 1 > task->capacity) {
        size_t capacity = 2 * (task->length + size + 1);
        char *body = realloc(task->body, capacity);
        if (!body)
            return false;
        task->body = body;
        task->capacity = capacity;
    }
    assert(task->body);
    memcpy(task->body + task->length, data, size);
    task->length += size;
    task->body[task->length] = '\0';
    return true;
}

static enum MHD_Result enqueue(dgm_server *server, dgmi_serve_task *task, const char *question,
                               const char *body) {
    if (!task->body && !task->upload && !take_body(task, server->limits.body, body, strlen(body)))
        return MHD_NO;
    snprintf(task->question, sizeof task->question, "%s", question);
    MHD_suspend_connection(task->connection);
    dgmi_serve_enqueue(server, task);
    return MHD_YES;
}

/* The end comes when the response has been sent (dgmi_serve_forget). */
static enum MHD_Result stop(dgmi_serve_task *task) {
    task->stops = true;
    return send_words(task->connection, MHD_HTTP_OK, "stopped\n");
}

static enum MHD_Result cancel(dgm_server *server, struct MHD_Connection *connection) {
    pthread_mutex_lock(&server->lock);
    if (server->looking)
        dgm_context_cancel(server->look_context);
    pthread_mutex_unlock(&server->lock);
    return send_words(connection, MHD_HTTP_OK, "cancelled\n");
}

static enum MHD_Result post(dgm_server *server, dgmi_serve_task *task, const char *question) {
    if (strcmp(question, "stop") == 0)
        return stop(task);
    if (strcmp(question, "cancel") == 0)
        return cancel(server, task->connection);
    if (strlen(question) >= sizeof task->question || strcmp(question, "download") == 0)
        return send_words(task->connection, MHD_HTTP_NOT_FOUND, "there is no such question\n");
    return enqueue(server, task, question, "");
}

static enum MHD_Result get(dgm_server *server, dgmi_serve_task *task, const char *path) {
    const dgmi_page_file *file = dgmi_page_file_find(strcmp(path, "/") == 0 ? "/index.html" : path);
    if (file)
        return send_file(task->connection, file);
    if (strcmp(path, "/api/events") == 0)
        return send_events(server, task->connection);
    const char *format =
        MHD_lookup_connection_value(task->connection, MHD_GET_ARGUMENT_KIND, "format");
    if (strcmp(path, "/api/download") == 0 && format)
        return enqueue(server, task, "download", format);
    return send_words(task->connection, MHD_HTTP_NOT_FOUND, "there is nothing here\n");
}

static enum MHD_Result route(dgm_server *server, dgmi_serve_task *task, const char *path,
                             const char *method) {
    static const char api[] = "/api/";
    if (strcmp(method, "GET") == 0)
        return get(server, task, path);
    if (strcmp(method, "POST") == 0 && strncmp(path, api, strlen(api)) == 0)
        return post(server, task, path + strlen(api));
    return send_words(task->connection, MHD_HTTP_METHOD_NOT_ALLOWED, "GET and POST alone\n");
}

static enum MHD_Result refuse_length(const dgm_server *server, struct MHD_Connection *connection,
                                     bool file) {
    char words[100] = "the question is too long\n";
    if (file)
        snprintf(words, sizeof words, "the file is larger than %zu MB: give it to the program\n",
                 server->limits.file >> 20);
    return send_words(connection, MHD_HTTP_CONTENT_TOO_LARGE, words);
}

/* The first call of a request: its headers are there, and its body is not. */
static enum MHD_Result begin(dgm_server *server, struct MHD_Connection *connection,
                             const char *path, const char *method, void **state) {
    dgmi_serve_verdict verdict = judge(server, connection, path, method);
    if (verdict == DGMI_SERVE_REFUSED)
        return send_words(connection, MHD_HTTP_FORBIDDEN,
                          "Open the address that dgm printed, with its token.\n");
    if (verdict == DGMI_SERVE_GREETED)
        return send_greeting(server, connection);
    const bool file = is_file(path, method);
    if (is_too_long(connection, file ? server->limits.file : server->limits.body))
        return refuse_length(server, connection, file);
    dgmi_serve_task *task = calloc(1, sizeof *task);
    if (!task)
        return MHD_NO;
    if (file)
        task->upload = dgmi_serve_upload_begin(
            server, MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "name"));
    if (file && !task->upload) {
        free(task);
        return send_words(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                          "another file is on its way, or there is no room for this one\n");
    }
    task->connection = connection;
    *state = task;
    return MHD_YES;
}

enum MHD_Result dgmi_serve_handle(void *user, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **state) {
    dgm_server *server = user;
    dgmi_serve_task *task = *state;
    (void)version;
    if (!task)
        return begin(server, connection, path, method, state);
    if (task->done)
        return send_answer(connection, task);
    if (*size > 0) {
        bool taken = take_body(task, server->limits.body, data, *size);
        *size = 0;
        return taken ? MHD_YES : MHD_NO; /* NO closes the connection */
    }
    return route(server, task, path, method);
}

void dgmi_serve_forget(void *user, struct MHD_Connection *connection, void **state,
                       enum MHD_RequestTerminationCode code) {
    dgm_server *server = user;
    dgmi_serve_task *task = *state;
    (void)connection, (void)code;
    if (task && task->stops)
        dgmi_serve_end(server);
    if (task && task->queued)
        dgmi_serve_sent(server);
    dgmi_serve_task_free(task);
    *state = NULL;
}
