/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the threads of a server and ends them. */
#include "serve_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base_context.h"
#include "base_option.h"

enum {
    /* docs/explorer.md tells these numbers to users. */
    MOST_CONNECTIONS = 1000,
    PATIENCE = 15, /* seconds */
    MOST_BODY = 1 << 20,
    MOST_FILE = 1 << 28,
    MOST_HEADERS = 16 << 10,

    SPARE_FILES = 128, /* descriptors that are left to the rest of the process */
};

/* ---- the socket ---- */

typedef union {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
} net_address;

static dgm_status parse_host(dgm_context *ctx, const char *host, int64_t port, net_address *out,
                             socklen_t *length) {
    memset(out, 0, sizeof *out);
    if (inet_pton(AF_INET, host, &out->four.sin_addr) == 1) {
        out->four.sin_family = AF_INET;
        out->four.sin_port = htons((uint16_t)port);
        *length = sizeof out->four;
        return DGM_OK;
    }
    if (inet_pton(AF_INET6, host, &out->six.sin6_addr) == 1) {
        out->six.sin6_family = AF_INET6;
        out->six.sin6_port = htons((uint16_t)port);
        *length = sizeof out->six;
        return DGM_OK;
    }
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     DGMI_NAMED("host") " is an address such as 127.0.0.1, not '%.100s'", host);
}

static dgm_status open_socket(dgm_context *ctx, const char *host, int64_t port, int *out,
                              uint16_t *found) {
    net_address address;
    socklen_t length;
    const int yes = 1;
    *out = -1;
    dgm_status status = parse_host(ctx, host, port, &address, &length);
    if (status != DGM_OK)
        return status;
    int made = socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made >= 0)
        setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (made < 0 || bind(made, &address.any, length) != 0 || listen(made, SOMAXCONN) != 0 ||
        getsockname(made, &address.any, &length) != 0) {
        int error = errno;
        if (made >= 0)
            close(made);
        return dgmi_fail(ctx, DGM_ERROR_FILE, "cannot listen on %s, port %lld: %s", host,
                         (long long)port, strerror(error));
    }
    *out = made;
    *found =
        ntohs(address.any.sa_family == AF_INET ? address.four.sin_port : address.six.sin6_port);
    return DGM_OK;
}

dgmi_serve_limits dgmi_serve_usual_limits(uint64_t files) {
    dgmi_serve_limits limits = {MOST_CONNECTIONS, PATIENCE, MOST_BODY, MOST_FILE, MOST_HEADERS};
    if (files <= 2 * SPARE_FILES)
        limits.connections = SPARE_FILES;
    else if (files < MOST_CONNECTIONS + SPARE_FILES)
        limits.connections = (unsigned)files - SPARE_FILES;
    return limits;
}

static dgmi_serve_limits limits_here(void) {
    struct rlimit files;
    bool told = getrlimit(RLIMIT_NOFILE, &files) == 0;
    return dgmi_serve_usual_limits(told ? files.rlim_cur : UINT64_MAX);
}

static dgm_status start_daemon(dgm_context *ctx, dgm_server *server, const char *host,
                               int64_t port) {
    int listener;
    uint16_t found = 0;
    dgm_status status = open_socket(ctx, host, port, &listener, &found);
    if (status != DGM_OK)
        return status;
    if (!dgmi_serve_guard_make(&server->guard, host, found)) {
        close(listener);
        return dgmi_fail(ctx, DGM_ERROR_FILE, "the system gives no random numbers");
    }
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, found, NULL, NULL,
        dgmi_serve_handle, server, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_NOTIFY_COMPLETED,
        dgmi_serve_forget, server, MHD_OPTION_CONNECTION_LIMIT, server->limits.connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, server->limits.headers, MHD_OPTION_CONNECTION_TIMEOUT,
        server->limits.patience, MHD_OPTION_END);
    if (!server->daemon) {
        close(listener);
        return dgmi_fail(ctx, DGM_ERROR_FILE, "the server of the page does not start");
    }
    snprintf(server->address, sizeof server->address, "%.150s/?token=%s", server->guard.origin,
             server->guard.token);
    return DGM_OK;
}

/* ---- threads ---- */

static dgm_status start_threads(dgm_context *ctx, dgm_server *server) {
    server->asks = pthread_create(&server->asker, NULL, dgmi_serve_ask, server) == 0;
    server->looks = pthread_create(&server->looker, NULL, dgmi_serve_look, server) == 0;
    if (!server->asks || !server->looks)
        return dgmi_fail(ctx, DGM_ERROR_MEMORY, "a thread of the server does not start");
    return DGM_OK;
}

/* Errors of the server's own contexts become those of the caller's. */
static dgm_status pass_on(dgm_context *ctx, const dgm_context *from, dgm_status status) {
    return status == DGM_OK ? status : dgmi_fail(ctx, status, "%s", dgm_context_error(from));
}

static dgm_status make_contexts(dgm_context *ctx, dgm_server *server) {
    dgm_status status = dgm_context_create(&ctx->allocator, &server->ask_context);
    if (status == DGM_OK)
        status = dgm_context_create(&ctx->allocator, &server->look_context);
    if (status != DGM_OK)
        return dgmi_fail(ctx, status, "not enough memory for a server");
    dgm_context_set_threads(server->ask_context, ctx->threads);
    dgm_context_set_threads(server->look_context, ctx->threads);
    return DGM_OK;
}

/* Locks that are initialised like this need no call that ends them. */
static void init(dgm_server *server, dgmi_serve_limits limits) {
    *server = (dgm_server){
        .limits = limits,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .at_explorer = PTHREAD_MUTEX_INITIALIZER,
        .stopped = PTHREAD_COND_INITIALIZER,
        .idle = PTHREAD_COND_INITIALIZER,
        .questions = {.last = &server->questions.first, .filled = PTHREAD_COND_INITIALIZER},
        .lenses = {.last = &server->lenses.first, .filled = PTHREAD_COND_INITIALIZER},
        .page = &server->home,
    };
}

dgm_status dgm_server_start(dgm_context *ctx, const dgm_page_input *input,
                            const dgm_server_options *options, dgm_server **out) {
    return dgmi_serve_start(ctx, input, options, limits_here(), out);
}

dgm_status dgmi_serve_start(dgm_context *ctx, const dgm_page_input *input,
                            const dgm_server_options *options, dgmi_serve_limits limits,
                            dgm_server **out) {
    dgm_server_options use = DGM_SERVER_OPTIONS_INIT;
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_server_options, port, options, &use);
    if (status == DGM_OK)
        status = dgm_options_check(ctx, dgm_server_option_table(), &use);
    dgm_server *server = status == DGM_OK ? malloc(sizeof *server) : NULL;
    if (status != DGM_OK || !server)
        return status != DGM_OK ? status : dgmi_fail(ctx, DGM_ERROR_MEMORY, "not enough memory");
    init(server, limits);
    status = make_contexts(ctx, server);
    if (status == DGM_OK)
        status = pass_on(ctx, server->ask_context,
                         dgmi_page_open(server->ask_context, input, true, &server->home));
    if (status == DGM_OK)
        status = start_threads(ctx, server);
    if (status == DGM_OK)
        status = start_daemon(ctx, server, use.host ? use.host : "127.0.0.1", use.port);
    if (status == DGM_OK)
        *out = server;
    else
        dgm_server_free(server);
    return status;
}

const char *dgm_server_address(const dgm_server *server) {
    return server->address;
}

/* ---- the end ---- */

enum { PAUSE = 100, MOST_PAUSES = 20 }; /* milliseconds, and how long pages may take to leave */

/* Waits for news of the end, but not long. With the lock held. */
static void pause_shortly(dgm_server *server) {
    enum { MILLISECOND = 1000000, SECOND = 1000000000 };
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)PAUSE * MILLISECOND;
    until.tv_sec += until.tv_nsec / SECOND;
    until.tv_nsec %= SECOND;
    pthread_cond_timedwait(&server->stopped, &server->lock, &until);
}

dgm_status dgm_server_wait(dgm_context *ctx, dgm_server *server) {
    pthread_mutex_lock(&server->lock);
    while (!server->stopping && !dgmi_cancelled(ctx))
        pause_shortly(server);
    pthread_mutex_unlock(&server->lock);
    return DGM_OK;
}

/* All that is suspended goes on, threads come to their end, and pages get the last event. */
static void stop_all(dgm_server *server) {
    dgmi_serve_end(server);
    pthread_mutex_lock(&server->lock);
    dgm_context_cancel(server->ask_context);
    dgm_context_cancel(server->look_context);
    dgmi_serve_empty(&server->questions);
    dgmi_serve_empty(&server->lenses);
    pthread_cond_broadcast(&server->questions.filled);
    pthread_cond_broadcast(&server->lenses.filled);
    pthread_cond_broadcast(&server->idle);
    for (int i = 0; i < MOST_PAUSES && server->listeners; i++)
        pause_shortly(server);
    pthread_mutex_unlock(&server->lock);
    if (server->asks)
        pthread_join(server->asker, NULL);
    if (server->looks)
        pthread_join(server->looker, NULL);
    pthread_mutex_lock(&server->lock); /* the network sends the last answers before it ends */
    for (int i = 0; i < MOST_PAUSES && server->unanswered > 0; i++)
        pause_shortly(server);
    pthread_mutex_unlock(&server->lock);
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
}

void dgm_server_free(dgm_server *server) {
    if (!server)
        return;
    if (server->ask_context && server->look_context)
        stop_all(server);
    dgmi_page_close(&server->guest);
    dgmi_page_close(&server->home);
    dgm_context_free(server->ask_context);
    dgm_context_free(server->look_context);
    free(server);
}
