/* SPDX-License-Identifier: Apache-2.0 */
/* Servers that start, and those that cannot. What they say over the network is in tests/serve. */
#include "unit_fixture.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base_context.h"
#include "page_sample.h"
#include "serve_server.h"
#include "unit_faults.h"

static dgm_graph *graph;

static int open_graph(void **state) {
    (void)state;
    static const uint32_t edges[] = {0, 1, 1, 2, 2, 3, 3, 0};
    graph = build_graph(NULL, 0, 4, edges, NULL);
    return 0;
}

static int close_graph(void **state) {
    (void)state;
    dgm_graph_free(graph);
    return 0;
}

static dgm_page_input input_of(void) {
    static const char *const settings[][2] = {{"lens", "degree"}, {"intervals", "2"}};
    return page_input(graph, NULL, settings, 2);
}

static void a_server_has_an_address(void **state) {
    (void)state;
    const dgm_page_input input = input_of();
    dgm_server *server;
    assert_int_equal(dgm_server_start(ctx, &input, NULL, &server), DGM_OK);
    assert_int_equal(strncmp(dgm_server_address(server), "http://127.0.0.1:", 17), 0);
    dgm_context_cancel(ctx);
    assert_int_equal(dgm_server_wait(ctx, server), DGM_OK);
    dgm_context_resume(ctx);
    dgm_server_free(server);
    dgm_server_free(NULL);
}

static void *cancel_later(void *unused) {
    (void)unused;
    usleep(350000);
    dgm_context_cancel(ctx);
    return NULL;
}

/* How often this thread has gone to sleep by itself. */
static long count_sleeps(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_THREAD, &usage), 0);
    return usage.ru_nvcsw;
}

static void who_waits_for_the_end_of_a_server_sleeps_meanwhile(void **state) {
    (void)state;
    const dgm_page_input input = input_of();
    dgm_server *server;
    pthread_t other;
    assert_int_equal(dgm_server_start(ctx, &input, NULL, &server), DGM_OK);
    long before = count_sleeps();
    assert_int_equal(pthread_create(&other, NULL, cancel_later, NULL), 0);
    assert_int_equal(dgm_server_wait(ctx, server), DGM_OK);
    long sleeps = count_sleeps() - before;
    pthread_join(other, NULL);
    dgm_context_resume(ctx);
    dgm_server_free(server);
    assert_in_range(sleeps, 2, 100);
}

static void hosts_may_have_either_kind_of_address(void **state) {
    (void)state;
    const dgm_page_input input = input_of();
    dgm_server_options options = DGM_SERVER_OPTIONS_INIT;
    dgm_server *server;
    options.host = "127.0.0.2";
    assert_int_equal(dgm_server_start(ctx, &input, &options, &server), DGM_OK);
    assert_int_equal(strncmp(dgm_server_address(server), "http://127.0.0.2:", 17), 0);
    dgm_server_free(server);
    options.host = "::1";
    dgm_status status = dgm_server_start(ctx, &input, &options, &server);
    if (status == DGM_OK) /* a machine without IPv6 refuses it */
        assert_int_equal(strncmp(dgm_server_address(server), "http://[::1]:", 13), 0);
    else
        assert_int_equal(status, DGM_ERROR_FILE);
    dgm_server_free(server);
}

static void wrong_servers_are_refused(void **state) {
    (void)state;
    static const char *const lens[][2] = {{"lens", "no such lens"}};
    dgm_page_input input = input_of();
    dgm_server_options options = DGM_SERVER_OPTIONS_INIT;
    dgm_server *server;
    options.host = "localhost";
    ASSERT_FAILS(dgm_server_start(ctx, &input, &options, &server), DGM_ERROR_USAGE,
                 "host is an address such as 127.0.0.1, not 'localhost'");
    assert_null(server);
    options.host = "203.0.113.1"; /* of no machine, by RFC 5737 */
    assert_int_equal(dgm_server_start(ctx, &input, &options, &server), DGM_ERROR_FILE);
    options.host = NULL;
    options.port = 70000;
    assert_int_equal(dgm_server_start(ctx, &input, &options, &server), DGM_ERROR_USAGE);
    options.size = 1;
    assert_int_equal(dgm_server_start(ctx, &input, &options, &server), DGM_ERROR_USAGE);
    input.settings = lens;
    input.setting_count = 1;
    assert_int_equal(dgm_server_start(ctx, &input, NULL, &server), DGM_ERROR_USAGE);
    assert_null(server);
}

/* How many descriptors this process has. */
static rlim_t count_files(void) {
    rlim_t count = 0;
    for (int file = 0; file < 1024; file++)
        count += fcntl(file, F_GETFD) != -1;
    return count;
}

/* The lowest number that no descriptor has: the next one gets it. */
static rlim_t find_free(void) {
    int file = 0;
    while (fcntl(file, F_GETFD) != -1)
        file++;
    return (rlim_t)file;
}

static dgm_status start_with_files(rlim_t most) {
    const dgm_page_input input = input_of();
    struct rlimit usual, few;
    dgm_server *server;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    few = (struct rlimit){most, usual.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    dgm_status status = dgm_server_start(ctx, &input, NULL, &server);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    assert_int_equal(status == DGM_OK, server != NULL);
    dgm_server_free(server);
    return status;
}

/* It needs some of its own, and takes no more than it may have. */
static void a_server_says_where_there_are_too_few_descriptors(void **state) {
    (void)state;
    rlim_t used = count_files(), free = find_free(), more = 0;
    while (start_with_files(free + more) != DGM_OK) {
        const char *error = dgm_context_error(ctx);
        if (!strstr(error, "cannot listen on 127.0.0.1, port 0: Too many open files") &&
            !strstr(error, "the server of the page does not start"))
            fail_msg("%s", error);
        assert_int_equal(count_files(), used);
        assert_true(++more < 20);
    }
    assert_true(more > 1);
    assert_int_equal(start_with_files(200), DGM_OK);
    assert_int_equal(start_with_files(600), DGM_OK);
    assert_int_equal(count_files(), used);
}

/* ---- the port ---- */

/* A port that nobody has, of that kind of address. */
static uint16_t find_port(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int taken = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(taken >= 0);
    assert_int_equal(bind(taken, (struct sockaddr *)&address, length), 0);
    assert_int_equal(getsockname(taken, (struct sockaddr *)&address, &length), 0);
    close(taken);
    return ntohs(address.sin_port);
}

static int connect_to(uint16_t port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int visitor = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(visitor >= 0);
    assert_int_equal(connect(visitor, (struct sockaddr *)&address, sizeof address), 0);
    return visitor;
}

/* A server that has closed a connection leaves its port to the next one. */
static void a_port_that_was_asked_for_is_taken_and_free_again_at_once(void **state) {
    (void)state;
    const dgm_page_input input = input_of();
    dgm_server_options options = DGM_SERVER_OPTIONS_INIT;
    char expected[64], byte;
    options.port = find_port();
    snprintf(expected, sizeof expected, "http://127.0.0.1:%d/?token=", (int)options.port);
    for (int turn = 0; turn < 2; turn++) {
        dgm_server *server;
        if (dgm_server_start(ctx, &input, &options, &server) != DGM_OK)
            fail_msg("%s", dgm_context_error(ctx));
        assert_int_equal(strncmp(dgm_server_address(server), expected, strlen(expected)), 0);
        assert_int_equal(strlen(dgm_server_address(server)), strlen(expected) + 32);
        int visitor = connect_to((uint16_t)options.port);
        assert_int_equal(send(visitor, "GET / HTTP/1.1\r\n\r\n", 18, 0), 18);
        assert_true(recv(visitor, &byte, 1, 0) == 1); /* it is known to the server */
        dgm_server_free(server);
        close(visitor);
    }
}

static void a_port_has_sixteen_bits(void **state) {
    (void)state;
    const dgm_option_table *table = dgm_server_option_table();
    dgm_server_options options = DGM_SERVER_OPTIONS_INIT;
    static const int64_t good[] = {0, 1, 65535}, bad[] = {-1, 65536};
    assert_int_equal(options.port, 0);
    for (int64_t i = 0; i < COUNT(good); i++) {
        options.port = good[i];
        assert_int_equal(dgm_options_check(ctx, table, &options), DGM_OK);
    }
    for (int64_t i = 0; i < COUNT(bad); i++) {
        options.port = bad[i];
        assert_int_equal(dgm_options_check(ctx, table, &options), DGM_ERROR_USAGE);
    }
}

static void its_contexts_have_the_threads_of_the_callers(void **state) {
    (void)state;
    const dgm_page_input input = input_of();
    dgm_server *server;
    dgm_context_set_threads(ctx, 3);
    assert_int_equal(dgm_server_start(ctx, &input, NULL, &server), DGM_OK);
    assert_int_equal(server->ask_context->threads, 3);
    assert_int_equal(server->look_context->threads, 3);
    dgm_context_set_threads(ctx, 0);
    dgm_server_free(server);
}

static dgm_status start(dgm_context *own, void *argument) {
    const dgm_page_input input = input_of();
    dgm_server *server;
    (void)argument;
    dgm_status status = dgm_server_start(own, &input, NULL, &server);
    dgm_server_free(server);
    return status;
}

static void every_failed_allocation_is_told(void **state) {
    (void)state;
    fail_each_allocation(start, NULL);
}

#define WITH_GRAPH(test) cmocka_unit_test_setup_teardown(test, open_graph, close_graph)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_GRAPH(a_server_has_an_address),
        WITH_GRAPH(who_waits_for_the_end_of_a_server_sleeps_meanwhile),
        WITH_GRAPH(hosts_may_have_either_kind_of_address),
        WITH_GRAPH(wrong_servers_are_refused),
        WITH_GRAPH(a_server_says_where_there_are_too_few_descriptors),
        WITH_GRAPH(a_port_that_was_asked_for_is_taken_and_free_again_at_once),
        WITH_GRAPH(its_contexts_have_the_threads_of_the_callers),
        cmocka_unit_test(a_port_has_sixteen_bits),
        WITH_GRAPH(every_failed_allocation_is_told),
    };
    return RUN_WITH_CONTEXT(tests);
}
