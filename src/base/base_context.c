/* SPDX-License-Identifier: Apache-2.0 */
#include "base_context.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base_crew.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_utf8.h"
#include "base_words.h"

#undef dgmi_fail /* macros for the analyzer alone */
#undef dgmi_fail_in
#undef dgmi_fail_at

static void *resize_malloc(void *user, void *block, size_t size) {
    (void)user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, size);
}

dgm_status dgm_context_create(const dgm_allocator *allocator, dgm_context **out) {
    dgm_allocator use = allocator ? *allocator : (dgm_allocator){resize_malloc, NULL};
    dgm_context *ctx = use.resize(use.user, NULL, sizeof *ctx);
    *out = ctx;
    if (!ctx)
        return DGM_ERROR_MEMORY;
    memset(ctx, 0, sizeof *ctx);
    ctx->allocator = use;
    ctx->byte = -1;
    ctx->cores = dgmi_cores();
    ctx->unpack_limit = DGM_UNPACK_LIMIT;
    atomic_init(&ctx->cancelled, false);
    return DGM_OK;
}

void dgm_context_free(dgm_context *ctx) {
    if (!ctx)
        return;
    dgmi_arena_release(ctx, (dgmi_hold){NULL, 0});
    dgmi_crew_free(ctx->crew, &ctx->allocator);
    ctx->allocator.resize(ctx->allocator.user, ctx, 0);
}

const char *dgm_context_error(const dgm_context *ctx) {
    return ctx->sentence;
}

dgm_error dgm_context_error_parts(const dgm_context *ctx) {
    const char *file = ctx->file[0] ? ctx->file : NULL;
    const char *option = ctx->option[0] ? ctx->option : NULL;
    return (dgm_error){ctx->status, ctx->message, option, file, ctx->line, ctx->byte};
}

void dgm_context_set_threads(dgm_context *ctx, int threads) {
    ctx->threads = threads < 0 ? 0 : threads;
}

int dgm_context_threads(const dgm_context *ctx) {
    return ctx->threads ? ctx->threads : ctx->cores;
}

void dgm_context_set_unpack_limit(dgm_context *ctx, int64_t times) {
    ctx->unpack_limit = times < 0 ? 0 : times;
}

void dgm_context_set_progress(dgm_context *ctx, dgm_progress_fn progress, void *user) {
    ctx->progress = progress;
    ctx->progress_user = user;
}

void dgm_context_set_notes(dgm_context *ctx, dgm_note_fn note, void *user) {
    ctx->note = note;
    ctx->note_user = user;
}

void dgm_context_set_option_words(dgm_context *ctx, dgm_option_words_fn words, void *user) {
    ctx->option_words = words;
    ctx->option_words_user = user;
}

void dgm_context_cancel(dgm_context *ctx) {
    atomic_store_explicit(&ctx->cancelled, true, memory_order_relaxed);
}

void dgm_context_resume(dgm_context *ctx) {
    atomic_store_explicit(&ctx->cancelled, false, memory_order_relaxed);
}

bool dgmi_cancelled(const dgm_context *ctx) {
    return atomic_load_explicit(&ctx->cancelled, memory_order_relaxed);
}

/* One error is one line: characters that a terminal would act on, and bytes that are no text,
 * become
 * '?'. */
static void make_printable(char *text) {
    size_t length = strlen(text), kept = 0, size;
    for (size_t at = 0; at < length; at += size) {
        int32_t code = dgmi_utf8_next(text + at, length - at, &size);
        if (code < 0x20 || (code >= 0x7F && code < 0xA0)) {
            text[kept++] = '?';
            continue;
        }
        memmove(text + kept, text + at, size);
        kept += size;
    }
    text[kept] = '\0';
}

static void record(dgm_context *ctx, dgm_status status, const char *file, int64_t line,
                   int64_t byte, const char *format, va_list arguments) {
    ctx->status = status;
    ctx->line = line;
    ctx->byte = byte;
    char marked[sizeof ctx->message];
    vsnprintf(marked, sizeof marked, format, arguments);
    dgmi_words_render(ctx, marked, ctx->message, sizeof ctx->message, ctx->option);
    snprintf(ctx->file, sizeof ctx->file, "%s", file ? file : "");
    make_printable(ctx->message);
    make_printable(ctx->file);
    if (!ctx->file[0])
        snprintf(ctx->sentence, sizeof ctx->sentence, "%s", ctx->message);
    else if (line > 0)
        snprintf(ctx->sentence, sizeof ctx->sentence, "%s:%lld: %s", ctx->file, (long long)line,
                 ctx->message);
    else
        snprintf(ctx->sentence, sizeof ctx->sentence, "%s: %s", ctx->file, ctx->message);
}

dgm_status dgmi_fail(dgm_context *ctx, dgm_status status, const char *format, ...) {
    assert(status != DGM_OK);
    va_list arguments;
    va_start(arguments, format);
    record(ctx, status, NULL, 0, -1, format, arguments);
    va_end(arguments);
    return status;
}

dgm_status dgmi_fail_in(dgm_context *ctx, dgm_status status, const char *file, const char *format,
                        ...) {
    assert(status != DGM_OK && file);
    va_list arguments;
    va_start(arguments, format);
    record(ctx, status, file, 0, -1, format, arguments);
    va_end(arguments);
    return status;
}

dgm_status dgmi_fail_at(dgm_context *ctx, dgm_status status, const char *file, int64_t line,
                        int64_t byte, const char *format, ...) {
    assert(status != DGM_OK && file && line >= 0 && byte >= -1);
    va_list arguments;
    va_start(arguments, format);
    record(ctx, status, file, line, byte, format, arguments);
    va_end(arguments);
    return status;
}

const char *dgmi_advice(const dgm_context *ctx, const char *option, const char *value,
                        char buffer[DGMI_ADVICE_SPACE]) {
    if (ctx->lens)
        snprintf(buffer, DGMI_ADVICE_SPACE, DGMI_NAMED("lens=%s:%s=%s"), ctx->lens, option, value);
    else
        snprintf(buffer, DGMI_ADVICE_SPACE, DGMI_NAMED("%s=%s"), option, value);
    return buffer;
}

void dgmi_note(dgm_context *ctx, const char *format, ...) {
    if (!ctx->note)
        return;
    char marked[1024], text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(marked, sizeof marked, format, arguments);
    va_end(arguments);
    dgmi_words_render(ctx, marked, text, sizeof text, NULL);
    make_printable(text);
    ctx->note(ctx->note_user, text);
}

dgm_status dgmi_progress(dgm_context *ctx, const char *stage, double fraction) {
    assert(stage && fraction <= 1);
    bool go_on = !dgmi_cancelled(ctx);
    if (go_on && ctx->progress)
        go_on = ctx->progress(ctx->progress_user, stage, fraction);
    if (go_on)
        return DGM_OK;
    return dgmi_fail(ctx, DGM_ERROR_CANCELLED, "interrupted while %s", stage);
}

const char *dgm_status_name(dgm_status status) {
    static const char *const names[] = {"ok",     "memory", "usage",    "file",
                                        "format", "data",   "cancelled"};
    return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

const char *dgm_version(void) {
    return DGM_VERSION;
}
