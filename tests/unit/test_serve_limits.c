/* SPDX-License-Identifier: Apache-2.0 */
/* How much visitors may take of a server: connections, time, bytes and events. The servers of these
 * tests have small limits; the usual ones are compared with what the documentation says. */
#include "unit_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "serve_visitor.h"

enum { SOON = 100 }; /* milliseconds */

/* Whether the server has closed the connection, once all that it said before was read. */
static bool is_closed(int visitor) {
    char buffer[4096];
    struct pollfd news = {.fd = visitor, .events = POLLIN};
    while (poll(&news, 1, LATE) == 1)
        if (recv(visitor, buffer, sizeof buffer, 0) <= 0)
            return true;
    return false;
}

/* The status that the server answers with; 0: it closes the connection instead. */
static int status_of(int visitor) {
    char buffer[256];
    return hear(visitor, LATE, buffer, sizeof buffer) > 12 ? (int)strtol(buffer + 9, NULL, 10) : 0;
}

/* ---- connections ---- */

static const char nowhere[] = "GET /nowhere", answered[] = "there is nothing here\n";

/* Asks and hears all of the answer, so that the connection is free for the next question. */
static void talk(int visitor) {
    char heard[4096] = "";
    request(visitor, nowhere, "");
    hear_words(visitor, heard, sizeof heard, answered);
}

static void as_many_are_answered_as_the_limit_says(void **state) {
    (void)state;
    enum { MOST = 3 };
    dgmi_serve_limits few = roomy;
    int visitors[MOST], late;
    char heard[4096];
    few.connections = MOST;
    start(few);
    for (int i = 0; i < MOST; i++)
        talk(visitors[i] = visit());
    late = visit();
    request(late, nowhere, "");
    for (int round = 0; round < 5; round++) /* the server has had time for the late one */
        for (int i = 0; i < MOST; i++)
            talk(visitors[i]);
    assert_int_equal(hear(late, SOON, heard, sizeof heard), 0);
    close(visitors[0]);
    for (int i = 0; i < 100 && !strstr(heard, answered); i++) {
        close(late); /* a library may turn away who comes too early, and not let him wait */
        late = visit();
        request(late, nowhere, "");
        hear(late, LATE, heard, sizeof heard);
    }
    assert_non_null(strstr(heard, answered));
    close(late);
    for (int i = 1; i < MOST; i++)
        close(visitors[i]);
}

/* Who says nothing, or only a part of a request, is sent away; a page that listens is not. */
static void who_is_silent_too_long_is_sent_away(void **state) {
    (void)state;
    dgmi_serve_limits hasty = roomy;
    char heard[4096];
    hasty.patience = 1;
    start(hasty);
    int page = visit(), silent = visit(), slow = visit();
    request(page, "GET /api/events", "");
    assert_true(hear(page, LATE, heard, sizeof heard) > 0);
    say(slow, "GET / HT", 8);
    assert_true(is_closed(silent));
    assert_true(is_closed(slow));
    dgmi_serve_tell(server, "news", "{\"is\": \"here\"}");
    for (int i = 0; i < 10 && !strstr(heard, "news"); i++)
        assert_true(hear(page, LATE, heard, sizeof heard) > 0);
    assert_non_null(strstr(heard, "event: news\ndata: {\"is\": \"here\"}\n\n"));
    close(page), close(silent), close(slow);
}

/* A page that listens and goes away, as one that is loaded again does, gives its place to others. */
static void pages_that_have_gone_take_no_room(void **state) {
    (void)state;
    dgmi_serve_limits few = roomy;
    few.connections = 8;
    start(few);
    for (int i = 0; i < 40; i++) {
        char heard[4096] = "";
        int page = visit();
        request(page, "GET /api/events", "");
        hear_words(page, heard, sizeof heard, "text/event-stream");
        close(page);
    }
}

/* ---- bytes ---- */

/* The status that a body of so many bytes gets, whose length is said before it or not. */
static int post(const char *line, const char *body, size_t length, bool says_length) {
    char words[64];
    int visitor = visit();
    if (says_length) {
        snprintf(words, sizeof words, "Content-Length: %zu\r\n", length);
        request(visitor, line, words);
        say(visitor, body, length);
    } else {
        request(visitor, line, "Transfer-Encoding: chunked\r\n");
        say(visitor, words, (size_t)snprintf(words, sizeof words, "%zx\r\n", length));
        say(visitor, body, length);
        say(visitor, "\r\n0\r\n\r\n", 7);
    }
    int status = status_of(visitor);
    close(visitor);
    return status;
}

static void a_question_may_have_as_many_bytes_as_the_limit_says(void **state) {
    (void)state;
    static const char settings[] = "intervals=2&overlap=0.25&min-size=1";
    const size_t length = strlen(settings);
    dgmi_serve_limits narrow = roomy;
    narrow.body = length;
    start(narrow);
    assert_int_equal(post("POST /api/picture", settings, length, true), 200);
    assert_int_equal(post("POST /api/picture", settings, length, false), 200);
    assert_int_equal(post("POST /api/picture", settings, length + 1, true), 413);
    assert_int_equal(post("POST /api/picture", settings, length + 1, false), 0);
    int visitor = visit(); /* what an address asks for has no more room than a body */
    request(visitor, "GET /api/download?format=a-word-that-is-longer-than-any-body-may-be", "");
    assert_int_equal(status_of(visitor), 0);
    close(visitor);
}

static void a_file_may_have_as_many_bytes_as_the_limit_says(void **state) {
    (void)state;
    static const char edges[] = "a b\nb\n"; /* a file that is refused once it has been read */
    const size_t length = 3 << 20;
    dgmi_serve_limits narrow = roomy;
    char heard[4096];
    narrow.file = length;
    start(narrow);
    char *file = malloc(length + 1);
    assert_non_null(file);
    memset(file, '\n', length + 1);
    memcpy(file, edges, strlen(edges));
    assert_int_equal(post("POST /api/open?name=x.txt", file, length, true), 400);
    assert_int_equal(post("POST /api/open?name=x.txt", file, length, false), 400);
    assert_int_equal(post("POST /api/open?name=x.txt", file, length + 1, false), 0);
    free(file);
    int visitor = visit();
    request(visitor, "POST /api/open?name=x.txt", "Content-Length: 3145729\r\n");
    assert_true(hear(visitor, LATE, heard, sizeof heard) > 0);
    assert_int_equal(strncmp(heard, "HTTP/1.1 413", 12), 0);
    hear_words(visitor, heard, sizeof heard,
               "the file is larger than 3 MB: give it to the program\n");
    close(visitor);
}

/* The status that a request with a header of so many letters gets. */
static int status_with_header(size_t letters) {
    static char text[1 << 16];
    int visitor = visit();
    int length = snprintf(text, sizeof text, "GET /nowhere HTTP/1.1\r\nHost: %s\r\nX: %0*d\r\n\r\n",
                          server->guard.host, (int)letters, 0);
    say(visitor, text, (size_t)length);
    int status = status_of(visitor);
    close(visitor);
    return status;
}

/* Half of the memory, at least, is there for the headers of a request, and no more than all of it. */
static void headers_have_as_much_memory_as_the_limit_says(void **state) {
    (void)state;
    for (size_t memory = 4 << 10; memory <= 32 << 10; memory *= 2) {
        dgmi_serve_limits narrow = roomy;
        narrow.headers = memory;
        start(narrow);
        assert_int_equal(status_with_header(memory / 2), 403); /* it has no cookie, and is read */
        assert_in_range(status_with_header(memory), 413, 431); /* or 414 */
        dgm_server_free(server);
        server = NULL;
    }
}

/* ---- events ---- */

/* A page that does not read for long misses events, but has each of the others whole, in order, up to
 * the last. */
static void a_page_that_reads_slowly_misses_events_and_no_halves(void **state) {
    (void)state;
    enum { EVENTS = 20000, LETTERS = 800 }; /* more than the system keeps for a connection */
    char data[LETTERS + 64], letters[LETTERS + 1];
    start(roomy);
    FILE *page = fdopen(visit(), "r+");
    char line[2048] = "";
    assert_non_null(page);
    request(fileno(page), "GET /api/events", "");
    while (fgets(line, sizeof line, page) && strcmp(line, "\r\n") != 0)
        continue;
    memset(letters, 'a', LETTERS);
    letters[LETTERS] = '\0';
    for (int i = 0; i < EVENTS; i++) {
        snprintf(data, sizeof data, "{\"number\": %d, \"letters\": \"%s\"}", i, letters);
        dgmi_serve_tell(server, "news", data);
    }
    int last = -1, count = 0, number;
    while (last < EVENTS - 1 && fgets(line, sizeof line, page)) {
        if (sscanf(line, "data: {\"number\": %d", &number) != 1)
            continue;
        snprintf(data, sizeof data, "data: {\"number\": %d, \"letters\": \"%s\"}\n", number,
                 letters);
        assert_string_equal(line, data);
        assert_true(number > last);
        last = number;
        count++;
    }
    assert_int_equal(last, EVENTS - 1);
    assert_in_range(count, DGMI_SERVE_EVENTS, EVENTS - 1);
    fclose(page);
}

/* ---- the usual limits ---- */

static void the_usual_limits_leave_files_to_the_rest_of_the_process(void **state) {
    (void)state;
    static const unsigned pairs[][2] = {{0, 128},    {256, 128},   {257, 129},        {600, 472},
                                        {1127, 999}, {1128, 1000}, {UINT32_MAX, 1000}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_int_equal(dgmi_serve_usual_limits(pairs[i][0]).connections, pairs[i][1]);
    assert_int_equal(dgmi_serve_usual_limits(UINT64_MAX).connections, 1000);
}

static void a_server_has_the_limits_of_its_process(void **state) {
    (void)state;
    const dgm_page_input input = input_of();
    struct rlimit usual, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    few = (struct rlimit){600, usual.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    assert_int_equal(dgm_server_start(ctx, &input, NULL, &server), DGM_OK);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    const dgmi_serve_limits limits = dgmi_serve_usual_limits(600);
    assert_memory_equal(&server->limits, &limits, sizeof limits);
}

/* The text of docs/explorer.md, with a blank for the end of a line. */
static void read_documentation(char *text, size_t size) {
    char path[4096];
    const char *data = getenv("DGM_TEST_DATA");
    snprintf(path, sizeof path, "%s/../../docs/explorer.md", data ? data : "tests/data");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    assert_true(length < size - 1);
    text[length] = '\0';
    for (char *c = text; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
}

static void the_documentation_says_the_usual_limits(void **state) {
    (void)state;
    static char text[1 << 16];
    char words[128];
    const dgmi_serve_limits limits = dgmi_serve_usual_limits(UINT64_MAX);
    read_documentation(text, sizeof text);
    snprintf(words, sizeof words, " at most %u connections ", limits.connections);
    ASSERT_HAS(text, words);
    snprintf(words, sizeof words, " silent for %u seconds ", limits.patience);
    ASSERT_HAS(text, words);
    snprintf(words, sizeof words, " question may have %.6g MB", (double)limits.body / (1 << 20));
    ASSERT_HAS(text, words);
    snprintf(words, sizeof words, " dropped on the page %.6g MB", (double)limits.file / (1 << 20));
    ASSERT_HAS(text, words);
    snprintf(words, sizeof words, " headers of a request, has %.6g KB",
             (double)limits.headers / 1024);
    ASSERT_HAS(text, words);
}

#define WITH_GRAPH(test) cmocka_unit_test_setup_teardown(test, open_graph, close_all)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_GRAPH(as_many_are_answered_as_the_limit_says),
        WITH_GRAPH(who_is_silent_too_long_is_sent_away),
        WITH_GRAPH(pages_that_have_gone_take_no_room),
        WITH_GRAPH(a_question_may_have_as_many_bytes_as_the_limit_says),
        WITH_GRAPH(a_file_may_have_as_many_bytes_as_the_limit_says),
        WITH_GRAPH(headers_have_as_much_memory_as_the_limit_says),
        WITH_GRAPH(a_page_that_reads_slowly_misses_events_and_no_halves),
        WITH_GRAPH(a_server_has_the_limits_of_its_process),
        cmocka_unit_test(the_usual_limits_leave_files_to_the_rest_of_the_process),
        cmocka_unit_test(the_documentation_says_the_usual_limits),
    };
    return RUN_WITH_CONTEXT(tests);
}
