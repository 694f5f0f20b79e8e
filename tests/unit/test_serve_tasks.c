/* SPDX-License-Identifier: Apache-2.0 */
/* Questions on their way: what becomes of those that wait, the words of what is refused, and events. A
 * test that holds the explorer keeps the asker waiting, so that it knows who stands in the queue. */
#include "unit_fixture.h"

#include <stdlib.h>

#include "base_clock.h"
#include "base_context.h"
#include "serve_visitor.h"

enum { SOON = 50 }; /* milliseconds */

static const char stale[] = "DGM1\x20\0\0\0{\"stale\": true, \"arrays\": {}}   ";

/* Asks without waiting for the answer. */
static int begin(const char *line, const char *body) {
    char length[64];
    int visitor = visit();
    snprintf(length, sizeof length, "Content-Length: %zu\r\n", strlen(body));
    request(visitor, line, length);
    say(visitor, body, strlen(body));
    return visitor;
}

static void finish(int visitor, const char *words) {
    char heard[1 << 16] = "";
    hear_words(visitor, heard, sizeof heard, words);
    close(visitor);
}

/* Whether the answer is exactly that of a stale question. */
static void finish_stale(int visitor) {
    char heard[4096] = "";
    hear_words(visitor, heard, sizeof heard, "}   ");
    const char *body = strstr(heard, "\r\n\r\n");
    assert_non_null(body);
    assert_memory_equal(body + 4, stale, sizeof stale - 1);
    ASSERT_HAS(heard, "HTTP/1.1 200");
    ASSERT_HAS(heard, "Content-Type: application/octet-stream\r\n");
    ASSERT_HAS(heard, "Content-Length: 40\r\n");
    close(visitor);
}

/* Waits until the queue has as many questions, and a lens is looked through and the graph about to
 * change, or not. */
static void wait_for(const dgmi_serve_queue *queue, int count, bool looking, bool changing) {
    for (int i = 0; i < LATE; i++) {
        int found = 0;
        pthread_mutex_lock(&server->lock);
        for (const dgmi_serve_task *task = queue->first; task; task = task->next)
            found++;
        bool ready = found == count && server->looking == looking && server->changing == changing;
        pthread_mutex_unlock(&server->lock);
        if (ready)
            return;
        usleep(1000);
    }
    fail_msg("there are not %d questions", count);
}

/* ---- the queue ---- */

/* The asker has the first question. A picture waits until the next comes; other questions stay. */
static void a_newer_picture_takes_the_place_of_one_that_waits(void **state) {
    (void)state;
    const dgmi_serve_queue *queue = &server->questions;
    pthread_mutex_lock(&server->at_explorer);
    int first = begin("POST /api/back", "level=0");
    wait_for(queue, 0, false, true);
    int picture = begin("POST /api/picture", "intervals=2");
    wait_for(queue, 1, false, true);
    int beside = begin("POST /api/start", "");
    wait_for(queue, 2, false, true);
    int second = begin("POST /api/picture", "intervals=3");
    finish_stale(picture);
    wait_for(queue, 2, false, true);
    int third = begin("POST /api/picture", "intervals=4");
    finish_stale(second);
    wait_for(queue, 2, false, true);
    int last = begin("POST /api/start", "");
    wait_for(queue, 3, false, true);
    pthread_mutex_unlock(&server->at_explorer);
    finish(first, "\"nodes\"");
    finish(beside, "\"nodes\"");
    finish(third, "--intervals 4");
    finish(last, "\"nodes\"");
}

/* The looker has the first lens, and the second waits behind it. */
static void begin_two_lenses(int *first, int *second) {
    *first = begin("POST /api/lens", "lens=degree");
    wait_for(&server->lenses, 0, true, false);
    *second = begin("POST /api/lens", "lens=pagerank");
    wait_for(&server->lenses, 1, true, false);
}

/* Of the lenses behind the first only the newest is wanted. */
static void a_newer_lens_takes_the_place_of_all_before(void **state) {
    (void)state;
    const dgmi_serve_queue *queue = &server->lenses;
    int first, second;
    pthread_mutex_lock(&server->at_explorer);
    begin_two_lenses(&first, &second);
    int third = begin("POST /api/lens", "lens=core");
    finish_stale(second);
    wait_for(queue, 1, true, false);
    pthread_mutex_unlock(&server->at_explorer);
    finish(third, "\"lens\":\"core\"");
    close(first);
    finish(begin("POST /api/cancel", ""), "cancelled\n"); /* nothing runs: the next is not ended */
    finish(begin("POST /api/lens", "lens=pagerank"), "\"lens\":\"pagerank\"");
}

/* Before the graph changes, lenses that wait are stale, and none is begun. */
static void a_change_of_the_graph_empties_the_queue_of_lenses(void **state) {
    (void)state;
    const dgmi_serve_queue *queue = &server->lenses;
    int first, second;
    pthread_mutex_lock(&server->at_explorer);
    begin_two_lenses(&first, &second);
    int change = begin("POST /api/home", "");
    finish_stale(second);
    wait_for(queue, 0, true, true);
    int third = begin("POST /api/lens", "lens=core");
    wait_for(queue, 1, true, true);
    pthread_mutex_unlock(&server->at_explorer);
    finish(change, "\"nodes\":4");
    finish(third, "\"lens\":\"core\"");
    close(first);
}

static void *free_server(void *user) {
    dgm_server_free(user);
    return NULL;
}

/* Who waits at the end is told so, and who comes then as well. */
static void at_the_end_nobody_is_left_waiting(void **state) {
    (void)state;
    pthread_t end;
    pthread_mutex_lock(&server->at_explorer);
    int lens = begin("POST /api/lens", "lens=degree");
    wait_for(&server->lenses, 0, true, false);
    int first = begin("POST /api/home", "");
    wait_for(&server->questions, 0, true, true);
    int second = begin("POST /api/search", "text=2"),
        waiting = begin("POST /api/lens", "lens=core");
    wait_for(&server->questions, 1, true, true);
    wait_for(&server->lenses, 1, true, true);
    dgmi_serve_end(server);
    finish_stale(begin("POST /api/search", "text=3"));
    finish_stale(begin("POST /api/lens", ""));
    assert_int_equal(pthread_create(&end, NULL, free_server, server), 0);
    finish_stale(second);
    finish_stale(waiting);
    pthread_mutex_unlock(&server->at_explorer);
    assert_int_equal(pthread_join(end, NULL), 0);
    server = NULL;
    close(first), close(lens);
}

/* The lens of a part goes with the part. */
static void lenses_of_parts_are_let_go(void **state) {
    (void)state;
    finish(begin("POST /api/picture", ""), "\"clusters\"");
    finish(begin("POST /api/focus", "nodes=0,1,2"), "\"nodes\":3");
    finish(begin("POST /api/lens", "lens=degree"), "\"lens\":\"degree\"");
    assert_non_null(server->page->lenses[1].made);
    finish(begin("POST /api/back", "level=0"), "\"nodes\":4");
    pthread_mutex_lock(&server->at_explorer);
    assert_null(server->page->lenses[1].made);
    pthread_mutex_unlock(&server->at_explorer);
}

/* ---- words ---- */

/* The whole answer: its status, type and body. */
static void check_answer(const char *line, const char *body, const char *status, const char *type,
                         const char *words) {
    char heard[8192] = "", length[64];
    int visitor = begin(line, body);
    snprintf(length, sizeof length, "\r\nContent-Length: %zu\r\n", strlen(words));
    hear_words(visitor, heard, sizeof heard, words);
    assert_int_equal(strncmp(heard, status, strlen(status)), 0);
    ASSERT_HAS(heard, type);
    ASSERT_HAS(heard, length);
    assert_string_equal(strstr(heard, "\r\n\r\n") + 4, words);
    close(visitor);
}

static void what_is_refused_is_said_in_words(void **state) {
    (void)state;
    static const char plain[] = "\r\nContent-Type: text/plain; charset=utf-8\r\n";
    static const char json[] = "\r\nContent-Type: application/json\r\n";
    check_answer("GET /nowhere", "", "HTTP/1.1 404", plain, "there is nothing here\n");
    check_answer("GET /api/download", "", "HTTP/1.1 404", plain, "there is nothing here\n");
    check_answer("GET /api/download?format=x", "", "HTTP/1.1 404",
                 "\r\nContent-Type: text/plain\r\n", "no such format\n");
    check_answer("POST /api/download", "", "HTTP/1.1 404", plain, "there is no such question\n");
    /* 31 letters may be a question, and 32 may not. */
    check_answer("POST /api/abcdefghijklmnopqrstuvwxyz012345", "", "HTTP/1.1 404", plain,
                 "there is no such question\n");
    check_answer("POST /api/abcdefghijklmnopqrstuvwxyz01234", "", "HTTP/1.1 400", json,
                 "{\"error\":\"there is no question 'abcdefghijklmnopqrstuvwxyz01234'\",\"option\":"
                 "null}");
    check_answer("PUT /api/picture", "", "HTTP/1.1 405", plain, "GET and POST alone\n");
    check_answer("POST /picture", "", "HTTP/1.1 405", plain, "GET and POST alone\n");
    check_answer("POST /api/cancel", "", "HTTP/1.1 200", plain, "cancelled\n");
    check_answer("POST /api/open?name=x.txt", "", "HTTP/1.1 500", json,
                 "{\"error\":\"the file did not arrive whole\",\"option\":null}");
    int stranger = visit();
    char heard[4096] = "";
    say(stranger, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 27);
    hear_words(stranger, heard, sizeof heard,
               "\r\n\r\nOpen the address that dgm printed, with its token.\n");
    ASSERT_HAS(heard, "HTTP/1.1 403");
    close(stranger);
    server->limits.body = 3;
    check_answer("POST /api/picture", "a=bc", "HTTP/1.1 413", plain, "the question is too long\n");
}

/* A body that comes in pieces is one body; the second fills what was reserved for the first. */
static void pieces_of_a_body_are_put_together(void **state) {
    (void)state;
    static const char *const pieces[] = {"inter", "vals=3&", "overlap=0.4", "&min-size", "=1"};
    char piece[64];
    int visitor = visit();
    request(visitor, "POST /api/picture", "Transfer-Encoding: chunked\r\n");
    for (int64_t i = 0; i < COUNT(pieces); i++) {
        int length = snprintf(piece, sizeof piece, "%zx\r\n%s\r\n", strlen(pieces[i]), pieces[i]);
        say(visitor, piece, (size_t)length);
    }
    say(visitor, "0\r\n\r\n", 5);
    finish(visitor, "--intervals 3 --overlap 0.4");
}

/* ---- errors ---- */

static void check_error(dgm_status status, unsigned code, const char *words) {
    dgmi_serve_task task = {.done = false};
    dgmi_serve_fail(&task, ctx, status);
    assert_int_equal(task.code, code);
    assert_string_equal(task.type, "application/json");
    assert_int_equal(task.answer_length, strlen(words));
    assert_memory_equal(task.answer, words, strlen(words));
    free(task.answer);
}

static void errors_are_json_with_the_name_of_a_file_and_its_line(void **state) {
    (void)state;
    dgmi_fail(ctx, DGM_ERROR_USAGE, "lower " DGMI_NAMED("overlap") " \"now\"");
    check_error(DGM_ERROR_USAGE, 400,
                "{\"error\":\"lower overlap \\\"now\\\"\",\"option\":\"overlap\"}");
    check_error(DGM_ERROR_DATA, 400,
                "{\"error\":\"lower overlap \\\"now\\\"\",\"option\":\"overlap\"}");
    dgmi_fail_at(ctx, DGM_ERROR_FORMAT, "/tmp/x/y.txt", 1, -1, "no edge");
    check_error(DGM_ERROR_FORMAT, 400, "{\"error\":\"y.txt, line 1: no edge\",\"option\":null}");
    dgmi_fail_at(ctx, DGM_ERROR_FORMAT, "y.txt", 27, -1, "no edge");
    check_error(DGM_ERROR_FORMAT, 400, "{\"error\":\"y.txt, line 27: no edge\",\"option\":null}");
    dgmi_fail_at(ctx, DGM_ERROR_FILE, "/tmp/x/y.txt", 0, -1, "no such file");
    check_error(DGM_ERROR_FILE, 500, "{\"error\":\"no such file\",\"option\":null}");
    check_error(DGM_ERROR_MEMORY, 500, "{\"error\":\"no such file\",\"option\":null}");
    dgmi_serve_task task = {.done = false};
    dgmi_serve_fail(&task, ctx, DGM_ERROR_CANCELLED);
    assert_int_equal(task.code, 200);
    assert_string_equal(task.type, "application/octet-stream");
    assert_int_equal(task.answer_length, sizeof stale - 1);
    assert_memory_equal(task.answer, stale, sizeof stale - 1);
    free(task.answer);
}

/* ---- events ---- */

static int listen_to_events(char *heard, size_t size) {
    int page = visit();
    heard[0] = '\0';
    request(page, "GET /api/events", "");
    hear_words(page, heard, size, "text/event-stream");
    hear_words(page, heard, size, "\r\n\r\n");
    return page;
}

/* A page hears what comes after it, a sign of life when another comes, and the end once. */
static void a_page_hears_news_signs_of_life_and_one_end(void **state) {
    (void)state;
    char heard[4096], other[4096];
    dgmi_serve_tell(server, "old", "{}");
    int page = listen_to_events(heard, sizeof heard);
    dgmi_serve_tell(server, "news", "{\"a\": 1}");
    hear_words(page, heard, sizeof heard, "event: news\ndata: {\"a\": 1}\n\n");
    assert_null(strstr(heard, "old"));
    heard[0] = '\0';
    int second = listen_to_events(other, sizeof other);
    hear_words(page, heard, sizeof heard, "3\r\n:\n\n\r\n");
    assert_int_equal(hear(page, SOON, heard, sizeof heard), 0); /* one is enough */
    dgmi_serve_end(server);
    dgmi_serve_end(server);
    heard[0] = '\0';
    hear_words(page, heard, sizeof heard, "event: bye\ndata: {}\n\n\r\n0\r\n\r\n");
    assert_null(strstr(strstr(heard, "bye") + 3, "bye"));
    hear_words(second, other, sizeof other, "event: bye\ndata: {}\n\n\r\n0\r\n\r\n");
    assert_int_equal(server->event_count, 3);
    close(page), close(second);
}

/* How far a lens is is told again after a tenth of a second. */
static void progress_is_told_now_and_then(void **state) {
    (void)state;
    finish(begin("POST /api/lens", "lens=degree"), "\"lens\":\"degree\"");
    dgm_context *looker = server->look_context;
    assert_non_null(looker->progress);
    uint64_t count = server->event_count;
    assert_string_equal(server->events[(count - 1) % DGMI_SERVE_EVENTS],
                        "event: progress\ndata: {\"stage\": \"\", \"fraction\": 1}\n\n");
    server->told = dgmi_seconds() + 1000;
    assert_true(looker->progress(server, "training", 0.5));
    assert_int_equal(server->event_count, count);
    double before = dgmi_seconds();
    server->told = before - 0.101;
    assert_true(looker->progress(server, "training", 0.12346));
    assert_true(server->told >= before);
    assert_int_equal(server->event_count, count + 1);
    assert_string_equal(
        server->events[count % DGMI_SERVE_EVENTS],
        "event: progress\ndata: {\"stage\": \"training\", \"fraction\": 0.1235}\n\n");
    server->told = 0;
    assert_true(looker->progress(server, "reading", 0));
    assert_string_equal(
        server->events[(count + 1) % DGMI_SERVE_EVENTS],
        "event: progress\ndata: {\"stage\": \"reading\", \"fraction\": 0.0000}\n\n");
    server->told = 0;
    assert_true(looker->progress(server, "reading", -1));
    assert_string_equal(server->events[(count + 2) % DGMI_SERVE_EVENTS],
                        "event: progress\ndata: {\"stage\": \"reading\", \"fraction\": null}\n\n");
}

static int open_server(void **state) {
    open_graph(state);
    start(roomy);
    return 0;
}

#define WITH_SERVER(test) cmocka_unit_test_setup_teardown(test, open_server, close_all)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_SERVER(a_newer_picture_takes_the_place_of_one_that_waits),
        WITH_SERVER(a_newer_lens_takes_the_place_of_all_before),
        WITH_SERVER(a_change_of_the_graph_empties_the_queue_of_lenses),
        WITH_SERVER(at_the_end_nobody_is_left_waiting),
        WITH_SERVER(lenses_of_parts_are_let_go),
        WITH_SERVER(what_is_refused_is_said_in_words),
        WITH_SERVER(pieces_of_a_body_are_put_together),
        WITH_SERVER(a_page_hears_news_signs_of_life_and_one_end),
        WITH_SERVER(progress_is_told_now_and_then),
        cmocka_unit_test(errors_are_json_with_the_name_of_a_file_and_its_line),
    };
    return RUN_WITH_CONTEXT(tests);
}
