/* SPDX-License-Identifier: Apache-2.0 */
/* The page as one file: its HTML with style and script inside, and as data the graph with its lens,
 * the core as WebAssembly, and the first two answers, which are shown before the core is ready, or in
 * place of it where the build had no tools for WebAssembly. */
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_output.h"
#include "bytes_zlib.h"
#include "explore_explorer.h"
#include "page_page.h"

/* ---- data ---- */

static void put_base64(dgmi_text *out, const unsigned char *bytes, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? bytes[i + 2] : 0);
        const char four[4] = {digits[three >> 18], digits[three >> 12 & 63],
                              left > 1 ? digits[three >> 6 & 63] : '=',
                              left > 2 ? digits[three & 63] : '='};
        dgmi_text_append(out, four, sizeof four);
    }
}

/* An element that holds data and is never run. */
static dgm_status put_data(dgmi_text *out, const char *id, const void *bytes, size_t length) {
    char *packed = NULL;
    size_t size = 0;
    dgm_status status = dgmi_bytes_zlib(out->ctx, bytes, length, &packed, &size);
    if (status != DGM_OK)
        return status;
    dgmi_text_format(out, "<script type=\"application/octet-stream\" id=\"%s\">", id);
    put_base64(out, (const unsigned char *)packed, size);
    dgmi_text_string(out, "</script>\n");
    dgmi_free(out->ctx, packed);
    return DGM_OK;
}

static dgm_status put_answer(dgmi_text *out, dgmi_page *page, const char *question) {
    dgm_answer answer;
    char id[32];
    dgm_status status = dgm_explorer_ask(out->ctx, page->explorer, question, "", &answer);
    if (status != DGM_OK)
        return status;
    snprintf(id, sizeof id, "dgm-%s", question);
    status = put_data(out, id, answer.bytes, answer.length);
    dgm_answer_free(out->ctx, &answer);
    return status;
}

static dgm_status put_pack(dgmi_text *out, const dgmi_page *page) {
    dgm_answer pack;
    dgm_status status = dgm_explorer_pack(out->ctx, page->explorer, &pack);
    if (status == DGM_OK)
        status = put_data(out, "dgm-pack", pack.bytes, pack.length);
    dgm_answer_free(out->ctx, &pack);
    return status;
}

/* The core and the worker that runs it, where the build has them. */
static dgm_status put_core(dgmi_text *out) {
    const dgmi_page_file *core = dgmi_page_file_find("/core.wasm");
    const dgmi_page_file *worker = dgmi_page_file_find("/worker.js");
    if (!core || !worker)
        return DGM_OK;
    dgm_status status = put_data(out, "dgm-core", core->bytes, core->length);
    return status == DGM_OK ? put_data(out, "dgm-worker", worker->bytes, worker->length) : status;
}

static dgm_status put_all_data(dgmi_text *out, dgmi_page *page) {
    dgm_status status = put_answer(out, page, "start");
    page->explorer->untimed = true;
    if (status == DGM_OK)
        status = put_answer(out, page, "picture");
    if (status == DGM_OK)
        status = put_pack(out, page);
    return status == DGM_OK ? put_core(out) : status;
}

/* ---- the frame ---- */

static void put_file(dgmi_text *out, const dgmi_page_file *file) {
    dgmi_text_append(out, (const char *)file->bytes, file->length);
}

/* Nothing is fetched, and nothing runs but the script with this sum and the core. */
static void put_policy(dgmi_text *out, const dgmi_page_file *style, const dgmi_page_file *script) {
    dgmi_text_format(out,
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "script-src 'sha256-%s' 'wasm-unsafe-eval'; style-src 'sha256-%s'; img-src "
                     "data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'\">\n",
                     script->sha256, style->sha256);
}

static dgm_status put_page(dgmi_text *out, dgmi_page *page, const char *html) {
    static const char link[] = "<link rel=\"stylesheet\" href=\"page.css\">";
    static const char run[] = "<script src=\"page.js\" defer></script>";
    const dgmi_page_file *style = dgmi_page_file_find("/page.css");
    const dgmi_page_file *script = dgmi_page_file_find("/page.js");
    const char *at = strstr(html, link), *then = at ? strstr(at, run) : NULL;
    const char *end = then ? strstr(then, "</body>") : NULL;
    if (!style || !script || !end)
        return dgmi_fail(out->ctx, DGM_ERROR_USAGE, "this build has no whole page");
    dgmi_text_append(out, html, (size_t)(at - html));
    put_policy(out, style, script);
    dgmi_text_string(out, "<style>");
    put_file(out, style);
    dgmi_text_string(out, "</style>");
    dgmi_text_append(out, at + strlen(link), (size_t)(then - at) - strlen(link));
    dgmi_text_append(out, then + strlen(run), (size_t)(end - then) - strlen(run));
    dgm_status status = put_all_data(out, page);
    dgmi_text_string(out, "<script>");
    put_file(out, script);
    dgmi_text_string(out, "</script>\n");
    dgmi_text_string(out, end);
    return status != DGM_OK ? status : out->status;
}

static dgm_status make(dgm_context *ctx, dgmi_page *page, dgm_answer *out) {
    const dgmi_page_file *file = dgmi_page_file_find("/index.html");
    char *html = file ? dgmi_strndup(ctx, (const char *)file->bytes, file->length) : NULL;
    dgmi_text text;
    dgmi_text_init(&text, ctx);
    dgm_status status = html ? put_page(&text, page, html) : DGM_ERROR_MEMORY;
    if (status == DGM_OK)
        *out = (dgm_answer){text.data, (size_t)text.length};
    else
        dgmi_text_free(&text);
    dgmi_free(ctx, html);
    return status;
}

/* A page names options as the library does, whatever the caller's users write. */
dgm_status dgm_page_make(dgm_context *ctx, const dgm_page_input *input, dgm_answer *out) {
    dgm_option_words_fn words = ctx->option_words;
    dgmi_page page;
    *out = (dgm_answer){NULL, 0};
    dgm_status status = dgmi_page_open(ctx, input, false, &page);
    ctx->option_words = NULL;
    if (status == DGM_OK)
        status = make(ctx, &page, out);
    ctx->option_words = words;
    dgmi_page_close(&page);
    return status;
}

dgm_status dgm_page_write(dgm_context *ctx, const dgm_page_input *input, const char *path) {
    dgm_answer html;
    dgm_status status = dgm_page_make(ctx, input, &html);
    if (status == DGM_OK)
        status = dgmi_bytes_output_save(ctx, path, html.bytes, html.length);
    dgm_answer_free(ctx, &html);
    return status;
}
