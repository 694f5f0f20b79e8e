/* SPDX-License-Identifier: Apache-2.0 */
/* A server of a ring of four nodes, and visitors who talk to it over sockets. Included after
 * unit_fixture.h. */
#ifndef SERVE_VISITOR_H
#define SERVE_VISITOR_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "page_sample.h"
#include "serve_server.h"

enum { LATE = 30000 }; /* milliseconds */

static const dgmi_serve_limits roomy = {50, 60, 1 << 20, 1 << 20, 16 << 10};
static dgm_graph *graph;
static dgm_server *server;

static inline int open_graph(void **state) {
    (void)state;
    static const uint32_t edges[] = {0, 1, 1, 2, 2, 3, 3, 0};
    graph = build_graph(NULL, 0, 4, edges, NULL);
    return 0;
}

static inline int close_all(void **state) {
    (void)state;
    dgm_server_free(server);
    server = NULL;
    dgm_graph_free(graph);
    return 0;
}

static inline dgm_page_input input_of(void) {
    static const char *const settings[][2] = {{"lens", "degree"}, {"intervals", "2"}};
    return page_input(graph, NULL, settings, 2);
}

static inline void start(dgmi_serve_limits limits) {
    const dgm_page_input input = input_of();
    assert_int_equal(dgmi_serve_start(ctx, &input, NULL, limits, &server), DGM_OK);
}

/* ---- visitors ---- */

static inline int visit(void) {
    const char *port = strchr(server->guard.host, ':');
    struct sockaddr_in address = {.sin_family = AF_INET};
    const int yes = 1; /* what is said goes at once */
    int visitor = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(visitor >= 0 && port);
    assert_int_equal(setsockopt(visitor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes), 0);
    address.sin_port = htons((uint16_t)strtol(port + 1, NULL, 10));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(visitor, (struct sockaddr *)&address, sizeof address), 0);
    return visitor;
}

/* A server that has closed the connection may not want all of it. */
static inline void say(int visitor, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = send(visitor, bytes, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        bytes += sent;
        length -= (size_t)sent;
    }
}

/* The request of a guest, who has the cookie; the headers end with `rest`. */
static inline void request(int visitor, const char *line, const char *rest) {
    char text[2048];
    int length = snprintf(
        text, sizeof text, "%s HTTP/1.1\r\nHost: %s\r\nCookie: %s=%s\r\nOrigin: %s\r\n%s\r\n", line,
        server->guard.host, server->guard.cookie, server->guard.secret, server->guard.origin, rest);
    assert_true(length > 0 && (size_t)length < sizeof text);
    say(visitor, text, (size_t)length);
}

/* What comes next within that time; 0: nothing, or the end. */
static inline size_t hear(int visitor, int wait, char *buffer, size_t size) {
    struct pollfd news = {.fd = visitor, .events = POLLIN};
    ssize_t got = poll(&news, 1, wait) == 1 ? recv(visitor, buffer, size - 1, 0) : 0;
    buffer[got > 0 ? got : 0] = '\0';
    return got > 0 ? (size_t)got : 0;
}

/* Hears more behind the text that was heard, until these words come; bytes that are 0 may come before
 * them. */
static inline void hear_words(int visitor, char *heard, size_t size, const char *words) {
    size_t length = strlen(heard);
    while (!memmem(heard, length, words, strlen(words))) {
        size_t more = length < size - 1 ? hear(visitor, LATE, heard + length, size - length) : 0;
        if (more == 0)
            fail_msg("no %s in \"%s\"", words, heard);
        length += more;
    }
}

#endif
