/* SPDX-License-Identifier: Apache-2.0 */
/* The page as one file: its frame, its data, and the same bytes every time. */
#include "unit_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base_context.h"
#include "base_memory.h"
#include "bytes_zlib.h"
#include "explore_explorer.h"
#include "page_ring.h"

static const char *const plain[][2] = {{"lens", "degree"}, {"intervals", "3"}, {"overlap", "0.3"}};

static void a_page_has_the_same_bytes_every_time(void **state) {
    (void)state;
    dgm_page_input input = input_of(plain, 3);
    dgm_answer one, two;
    assert_int_equal(dgm_page_make(ctx, &input, &one), DGM_OK);
    assert_int_equal(dgm_page_make(ctx, &input, &two), DGM_OK);
    assert_int_equal(one.length, two.length);
    assert_memory_equal(one.bytes, two.bytes, one.length);
    dgm_answer_free(ctx, &one);
    dgm_answer_free(ctx, &two);
}

/* Bytes out of base64 (RFC 4648, section 4), six bits for each digit; returns how many they are. */
static size_t decode(const char *digits, size_t length, unsigned char *out) {
    static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    int held = 0;
    size_t size = 0;
    assert_int_equal(length % 4, 0);
    for (size_t i = 0; i < length && digits[i] != '='; i++) {
        const char *at = memchr(all, digits[i], 64);
        assert_non_null(at);
        bits = (bits << 6 | (uint32_t)(at - all)) & 0xffff;
        held += 6;
        if (held >= 8)
            out[size++] = (unsigned char)(bits >> (held -= 8));
    }
    return size;
}

static unsigned residues; /* of the lengths of data that were checked: bit i is for i modulo 3 */

/* The page has these bytes, compressed, as the data of that name. */
static void assert_holds_data(const dgm_answer *html, const char *id, const void *bytes,
                              size_t length) {
    char head[96], *packed;
    size_t size;
    snprintf(head, sizeof head, "<script type=\"application/octet-stream\" id=\"%s\">", id);
    const char *at = memmem(html->bytes, html->length, head, strlen(head));
    if (!at)
        fail_msg("the page has no %s", id);
    at += strlen(head);
    const char *end = memchr(at, '<', (size_t)(html->bytes + html->length - at));
    assert_non_null(end);
    assert_memory_equal(end, "</script>\n<script", 17);
    unsigned char *held = malloc((size_t)(end - at) + 1);
    assert_non_null(held);
    assert_int_equal(dgmi_bytes_zlib(ctx, bytes, length, &packed, &size), DGM_OK);
    residues |= 1U << size % 3;
    assert_int_equal(end - at, (size + 2) / 3 * 4);
    if (decode(at, (size_t)(end - at), held) != size || memcmp(held, packed, size) != 0)
        fail_msg("%s is not what it should be", id);
    dgmi_free(ctx, packed);
    free(held);
}

static void assert_holds_answer(const dgm_answer *html, const char *id, dgm_explorer *explorer,
                                const char *question) {
    dgm_answer answer;
    assert_int_equal(dgm_explorer_ask(ctx, explorer, question, "", &answer), DGM_OK);
    assert_holds_data(html, id, answer.bytes, answer.length);
    dgm_answer_free(ctx, &answer);
}

static void assert_holds_file(const dgm_answer *html, const char *before, const char *path,
                              const char *behind) {
    const dgmi_page_file *file = dgmi_page_file_find(path);
    assert_non_null(file);
    const char *at = memmem(html->bytes, html->length, file->bytes, file->length);
    if (!at)
        fail_msg("the page does not hold %s", path);
    assert_memory_equal(at - strlen(before), before, strlen(before));
    assert_memory_equal(at + file->length, behind, strlen(behind));
}

/* Style and script as they are, and as data what an open page would answer, the graph, and where the
 * build has them, the core and its worker. */
static void a_file_holds_all_of_it(void **state) {
    (void)state;
    const dgmi_page_file *core = dgmi_page_file_find("/core.wasm");
    const dgmi_page_file *worker = dgmi_page_file_find("/worker.js");
    dgm_page_input input = input_of(plain, 3);
    dgm_answer html, pack;
    dgmi_page page;
    assert_int_equal(dgm_page_make(ctx, &input, &html), DGM_OK);
    assert_holds_file(&html, "<style>", "/page.css", "</style>");
    assert_holds_file(&html, "<script>", "/page.js", "</script>");
    assert_non_null(memmem(html.bytes, html.length, "Content-Security-Policy", 23));
    assert_int_equal(dgmi_page_open(ctx, &input, false, &page), DGM_OK);
    page.explorer->untimed = true;
    assert_holds_answer(&html, "dgm-start", page.explorer, "start");
    assert_holds_answer(&html, "dgm-picture", page.explorer, "picture");
    assert_int_equal(dgm_explorer_pack(ctx, page.explorer, &pack), DGM_OK);
    assert_holds_data(&html, "dgm-pack", pack.bytes, pack.length);
    if (core && worker) {
        assert_holds_data(&html, "dgm-core", core->bytes, core->length);
        assert_holds_data(&html, "dgm-worker", worker->bytes, worker->length);
    }
    dgm_answer_free(ctx, &pack);
    dgmi_page_close(&page);
    dgm_answer_free(ctx, &html);
}

/* Data of every length modulo three is written with as many digits as it takes. */
static void data_of_any_length_is_held(void **state) {
    (void)state;
    char name[32] = "";
    residues = 0;
    for (size_t i = 0; i < sizeof name - 1 && residues != 7; i++) {
        name[i] = (char)('a' + 7 * i % 26);
        dgm_page_input input = input_of(plain, 3);
        dgm_answer html;
        dgmi_page page;
        input.name = name;
        assert_int_equal(dgm_page_make(ctx, &input, &html), DGM_OK);
        assert_int_equal(dgmi_page_open(ctx, &input, false, &page), DGM_OK);
        page.explorer->untimed = true;
        assert_holds_answer(&html, "dgm-start", page.explorer, "start");
        assert_holds_answer(&html, "dgm-picture", page.explorer, "picture");
        dgmi_page_close(&page);
        dgm_answer_free(ctx, &html);
    }
    assert_int_equal(residues, 7);
}

/* Looks for the bytes behind `at`, and returns where they end. */
static const char *pass_by(const dgm_answer *html, const char *at, const char *bytes,
                           size_t length) {
    const char *found = memmem(at, (size_t)(html->bytes + html->length - at), bytes, length);
    if (!found)
        fail_msg("the page does not go on with %.*s", (int)(length < 60 ? length : 60), bytes);
    return found + length;
}

/* The page is its HTML, in which the style stands where it was named and the script at the end. */
static void a_file_is_the_page_around_its_data(void **state) {
    (void)state;
    static const char link[] = "<link rel=\"stylesheet\" href=\"page.css\">";
    static const char run[] = "<script src=\"page.js\" defer></script>";
    const dgmi_page_file *file = dgmi_page_file_find("/index.html");
    const dgmi_page_file *style = dgmi_page_file_find("/page.css");
    const dgmi_page_file *script = dgmi_page_file_find("/page.js");
    dgm_page_input input = input_of(plain, 3);
    dgm_answer html;
    char policy[512];
    assert_int_equal(dgm_page_make(ctx, &input, &html), DGM_OK);
    const char *first = (const char *)file->bytes, *last = first + file->length;
    const char *a = memmem(first, file->length, link, strlen(link));
    const char *b = memmem(first, file->length, run, strlen(run));
    const char *c = memmem(first, file->length, "</body>", 7);
    assert_true(a && b && c && a < b && b < c);
    assert_memory_equal(html.bytes, first, a - first);
    int length =
        snprintf(policy, sizeof policy,
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "script-src 'sha256-%s' 'wasm-unsafe-eval'; style-src 'sha256-%s'; ",
                 script->sha256, style->sha256);
    const char *at = html.bytes + (a - first);
    assert_memory_equal(at, policy, length);
    at = pass_by(&html, at, "\">\n<style>", 10);
    assert_memory_equal(at, style->bytes, style->length);
    at += style->length;
    assert_memory_equal(at, "</style>", 8);
    assert_memory_equal(at + 8, a + strlen(link), b - a - (ptrdiff_t)strlen(link));
    at += 8 + (b - a) - (ptrdiff_t)strlen(link);
    assert_memory_equal(at, b + strlen(run), c - b - (ptrdiff_t)strlen(run));
    at += (c - b) - (ptrdiff_t)strlen(run);
    assert_memory_equal(at, "<script type=\"application/octet-stream\" id=\"dgm-start\">", 55);
    const char *end = html.bytes + html.length - (last - c);
    assert_memory_equal(end, c, last - c);
    assert_memory_equal(end - 10, "</script>\n", 10);
    end -= 10 + script->length;
    assert_memory_equal(end, script->bytes, script->length);
    assert_memory_equal(end - 18, "</script>\n<script>", 18);
    dgm_answer_free(ctx, &html);
}

static void say_dashes(void *user, const char *name, const char *value, char *words, size_t size) {
    (void)user;
    snprintf(words, size, "--%s %s", name, value ? value : "");
}

/* A page names options as the library does, and errors go on as the caller's users write them. */
static void a_page_has_the_words_of_the_library(void **state) {
    (void)state;
    dgm_page_input input = input_of(plain, 3);
    dgm_answer one, two;
    assert_int_equal(dgm_page_make(ctx, &input, &one), DGM_OK);
    dgm_context_set_option_words(ctx, say_dashes, NULL);
    assert_int_equal(dgm_page_make(ctx, &input, &two), DGM_OK);
    assert_ptr_equal(ctx->option_words, say_dashes);
    dgm_context_set_option_words(ctx, NULL, NULL);
    assert_int_equal(one.length, two.length);
    assert_memory_equal(one.bytes, two.bytes, one.length);
    dgm_answer_free(ctx, &two);
    char path[] = "/tmp/dgm-page-XXXXXX", *bytes = malloc(one.length + 1);
    close(mkstemp(path));
    assert_int_equal(dgm_page_write(ctx, &input, path), DGM_OK);
    FILE *file = fopen(path, "r");
    assert_true(file && bytes);
    assert_int_equal(fread(bytes, 1, one.length + 1, file), one.length);
    assert_memory_equal(bytes, one.bytes, one.length);
    fclose(file);
    free(bytes);
    unlink(path);
    dgm_answer_free(ctx, &one);
}

#define WITH_RING(test) cmocka_unit_test_setup_teardown(test, open_graph, close_graph)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_RING(a_page_has_the_same_bytes_every_time),
        WITH_RING(a_file_holds_all_of_it),
        WITH_RING(data_of_any_length_is_held),
        WITH_RING(a_file_is_the_page_around_its_data),
        WITH_RING(a_page_has_the_words_of_the_library),
    };
    return RUN_WITH_CONTEXT(tests);
}
