/* SPDX-License-Identifier: Apache-2.0 */
#include "base_words.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_OPTION = 256 };

/* "dim", or "reduce=pca". */
static void write_plainly(void *user, const char *name, const char *value, char *words,
                          size_t size) {
    (void)user;
    snprintf(words, size, "%s%s%s", name, value ? "=" : "", value ? value : "");
}

/* Text that grows up to a given size and is cut there. */
typedef struct {
    char *text;
    size_t length, size;
} cut_text;

static void append(cut_text *out, const char *text, size_t length) {
    size_t room = out->size - 1 - out->length;
    size_t kept = length < room ? length : room;
    memcpy(out->text + out->length, text, kept);
    out->length += kept;
    out->text[out->length] = '\0';
}

/* An option that is cut off, or too long to be one, is left as it stands. */
static const char *find_end(const char *begin) {
    const char *end = strchr(begin, DGMI_OPTION_END);
    return end && end - begin < LONGEST_OPTION ? end : NULL;
}

static void append_option(const dgm_context *ctx, const char *begin, const char *end, cut_text *out,
                          char *first) {
    char name[LONGEST_OPTION], words[2 * LONGEST_OPTION];
    snprintf(name, sizeof name, "%.*s", (int)(end - begin), begin);
    char *value = strchr(name, '=');
    if (value)
        *value++ = '\0';
    if (first && !*first)
        snprintf(first, DGMI_OPTION_SPACE, "%.*s", DGMI_OPTION_SPACE - 1, name);
    dgm_option_words_fn write = ctx->option_words ? ctx->option_words : write_plainly;
    *words = '\0';
    write(ctx->option_words_user, name, value, words, sizeof words);
    append(out, words, strlen(words));
}

void dgmi_words_render(const dgm_context *ctx, const char *marked, char *text, size_t size,
                       char *first) {
    cut_text out = {text, 0, size};
    *text = '\0';
    if (first)
        *first = '\0';
    for (const char *at = marked; *at;) {
        size_t plain = strcspn(at, (char[]){DGMI_OPTION_BEGIN, '\0'});
        append(&out, at, plain);
        at += plain;
        const char *end = *at ? find_end(at) : NULL;
        if (end) {
            append_option(ctx, at + 1, end, &out, first);
            at = end + 1;
        } else if (*at) {
            append(&out, at++, 1);
        }
    }
}
