/* SPDX-License-Identifier: Apache-2.0 */
/* Server-sent events: how far a lens is, notes, and the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve_server.h"

/* Those that wait are told that there is something to read. */
static void wake(dgm_server *server) {
    for (dgmi_serve_listener *at = server->listeners; at; at = at->beside)
        if (at->waits) {
            at->waits = false;
            MHD_resume_connection(at->connection);
        }
}

/* With the lock held. */
static void add_event(dgm_server *server, const char *event, const char *data) {
    snprintf(server->events[server->event_count % DGMI_SERVE_EVENTS], DGMI_SERVE_EVENT,
             "event: %s\ndata: %.900s\n\n", event, data);
    server->event_count++;
    wake(server);
}

void dgmi_serve_tell(dgm_server *server, const char *event, const char *data) {
    pthread_mutex_lock(&server->lock);
    add_event(server, event, data);
    pthread_mutex_unlock(&server->lock);
}

void dgmi_serve_end(dgm_server *server) {
    pthread_mutex_lock(&server->lock);
    if (!server->stopping)
        add_event(server, "bye", "{}");
    server->stopping = true;
    pthread_cond_broadcast(&server->stopped);
    pthread_mutex_unlock(&server->lock);
}

/* Copies the next event, or suspends the connection until there is one. */
static ssize_t read_event(void *user, uint64_t position, char *buffer, size_t most) {
    dgmi_serve_listener *listener = user;
    dgm_server *server = listener->server;
    static const char nothing[] = ":\n\n"; /* a comment: WHATWG HTML, section 9.2.6 */
    ssize_t count = 0;
    (void)position;
    pthread_mutex_lock(&server->lock);
    if (listener->next + DGMI_SERVE_EVENTS < server->event_count) /* too slow for the oldest */
        listener->next = server->event_count - DGMI_SERVE_EVENTS;
    if (listener->next < server->event_count) {
        const char *text = server->events[listener->next % DGMI_SERVE_EVENTS];
        size_t length = strlen(text);
        count = (ssize_t)(length < most ? length : most);
        memcpy(buffer, text, (size_t)count);
        listener->next++;
    } else if (listener->checked) {
        count = (ssize_t)sizeof nothing - 1;
        memcpy(buffer, nothing, sizeof nothing - 1);
        listener->checked = false;
    } else if (server->stopping) {
        count = MHD_CONTENT_READER_END_OF_STREAM;
    } else {
        listener->waits = true;
        MHD_suspend_connection(listener->connection);
    }
    pthread_mutex_unlock(&server->lock);
    return count;
}

static void free_listener(void *user) {
    dgmi_serve_listener *listener = user, **at = &listener->server->listeners;
    pthread_mutex_lock(&listener->server->lock);
    while (*at != listener)
        at = &(*at)->beside;
    *at = listener->beside;
    pthread_cond_broadcast(&listener->server->stopped);
    pthread_mutex_unlock(&listener->server->lock);
    free(listener);
}

/* That a page has gone shows when something is sent to it, and not while its connection is suspended.
 * With the lock held. */
static void check_listeners(dgm_server *server) {
    for (dgmi_serve_listener *at = server->listeners; at; at = at->beside)
        at->checked = true;
    wake(server);
}

struct MHD_Response *dgmi_serve_listen(dgm_server *server, struct MHD_Connection *connection) {
    dgmi_serve_listener *listener = malloc(sizeof *listener);
    if (!listener)
        return NULL;
    *listener = (dgmi_serve_listener){.server = server, .connection = connection};
    pthread_mutex_lock(&server->lock);
    check_listeners(server);              /* pages that went take no room from those that come */
    listener->next = server->event_count; /* what was before it came is no news */
    listener->beside = server->listeners;
    server->listeners = listener;
    pthread_mutex_unlock(&server->lock);
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, DGMI_SERVE_EVENT, read_event, listener, free_listener);
    if (!response)
        free_listener(listener);
    return response;
}
