/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_making.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "dgm/io.h"
#include "dgm/pipeline.h"

#include "base_context.h"
#include "base_memory.h"
#include "bytes_output.h"
#include "bytes_path.h"
#include "bytes_stream.h"

/* Formats into a text that the caller frees; NULL with the error recorded. */
__attribute__((format(printf, 2, 0), nonnull(2))) static char *
write_words(dgm_context *ctx, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = dgmi_alloc(ctx, (int64_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

static void add(dgmi_reproduce_making *making, dgmi_reproduce_kind kind, const char *text,
                const char *more, bool holds) {
    if (text)
        dgmi_reproduce_record_add(making->record, kind, text, more, holds);
    else
        making->record->status = DGM_ERROR_MEMORY;
}

/* ---- commands ---- */

enum { MOST_WORDS = 64 };

/* Cuts a command at its blanks and runs it. The text is changed. */
static dgm_status run_words(dgmi_reproduce_making *making, char *text) {
    const char *words[MOST_WORDS + 3];
    char threads[16], *rest = text;
    int count = 0;
    while (count < MOST_WORDS && (words[count] = strsep(&rest, " ")))
        count++;
    assert(!rest); /* commands are our own, and shorter than that */
    snprintf(threads, sizeof threads, "%d", dgm_context_threads(making->ctx));
    words[count++] = "--quiet";
    words[count++] = "--threads";
    words[count++] = threads;
    return making->options->command(making->options->user, count, words);
}

/* The seed is part of the command that is shown, so that the command gives the same bytes. */
static char *write_command(dgmi_reproduce_making *making, const char *format, va_list arguments) {
    char *words = write_words(making->ctx, format, arguments);
    dgmi_text text;
    dgmi_text_init(&text, making->ctx);
    if (words)
        dgmi_text_string(&text, words);
    if (words && making->options->seed != 1)
        dgmi_text_format(&text, " --seed %lld", (long long)making->options->seed);
    dgmi_free(making->ctx, words);
    if (!words || text.status != DGM_OK) {
        dgmi_text_free(&text);
        return NULL;
    }
    return text.data;
}

/* Tells whether the part has shown this command already. */
static bool is_shown(const dgmi_reproduce_record *record, const char *command) {
    for (int64_t i = 0; i < record->count; i++)
        if (record->items[i].kind == DGMI_REPRODUCE_COMMAND &&
            strcmp(record->items[i].text, command) == 0)
            return true;
    return false;
}

/* Beside a file that parts share lies another with the command that made it, "FILE.made". */
static char *name_note(dgmi_reproduce_making *making, const char *file) {
    dgmi_text name;
    dgmi_text_init(&name, making->ctx);
    dgmi_text_format(&name, "%s.made", file);
    if (name.status == DGM_OK)
        return name.data;
    dgmi_text_free(&name);
    return NULL;
}

/* What such a note says: a file that another version or another seed made does not count. */
static void write_note(dgmi_text *out, const char *words) {
    dgmi_text_format(out, "dgm %s: %s\n", dgm_version(), words);
}

static bool is_noted(dgmi_reproduce_making *making, const char *note, const char *words) {
    dgmi_bytes_stream *stream = NULL;
    char *data = NULL;
    int64_t size = 0;
    dgmi_text wanted;
    if (!dgmi_bytes_path_is_file(note))
        return false;
    dgmi_text_init(&wanted, making->ctx);
    write_note(&wanted, words);
    dgm_status status = dgmi_bytes_stream_open(making->ctx, note, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_stream_read_all(stream, &data, &size);
    dgmi_bytes_stream_close(stream);
    bool same = status == DGM_OK && wanted.status == DGM_OK && size == wanted.length &&
                memcmp(data, wanted.data, (size_t)size) == 0;
    dgmi_free(making->ctx, data);
    dgmi_text_free(&wanted);
    return same;
}

static dgm_status put_note(dgmi_reproduce_making *making, const char *note, const char *words) {
    dgmi_text text;
    dgmi_text_init(&text, making->ctx);
    write_note(&text, words);
    dgm_status status = text.status;
    if (status == DGM_OK)
        status = dgmi_bytes_output_save(making->ctx, note, text.data, (size_t)text.length);
    dgmi_text_free(&text);
    return status;
}

/* Runs a command that writes `file`, unless the file is there and the same command made it. */
static dgm_status make_shared(dgmi_reproduce_making *making, const char *file, char *words) {
    char *note = name_note(making, file), *kept = dgmi_strdup(making->ctx, words);
    dgm_status status = note && kept ? DGM_OK : DGM_ERROR_MEMORY;
    if (status == DGM_OK && !(dgmi_bytes_path_is_file(file) && is_noted(making, note, words))) {
        status = run_words(making, words); /* which cuts the words */
        if (status == DGM_OK)
            status = put_note(making, note, kept);
    }
    dgmi_free(making->ctx, kept);
    dgmi_free(making->ctx, note);
    return status;
}

/* Records a command and runs it. It writes `file` for several parts, unless that is NULL. What is
 * needed several times is shown once. */
static dgm_status do_command(dgmi_reproduce_making *making, const char *file, char *words) {
    if (!words)
        return DGM_ERROR_MEMORY;
    dgmi_text shown;
    dgmi_text_init(&shown, making->ctx);
    dgmi_text_format(&shown, "dgm %s", words);
    if (shown.status != DGM_OK)
        making->record->status = shown.status;
    else if (!is_shown(making->record, shown.data))
        add(making, DGMI_REPRODUCE_COMMAND, shown.data, NULL, false);
    dgmi_text_free(&shown);
    dgm_status status = making->record->status;
    if (status == DGM_OK)
        status = file ? make_shared(making, file, words) : run_words(making, words);
    dgmi_free(making->ctx, words);
    return status;
}

dgm_status dgmi_reproduce_do(dgmi_reproduce_making *making, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *words = write_command(making, format, arguments);
    va_end(arguments);
    return do_command(making, NULL, words);
}

dgm_status dgmi_reproduce_need(dgmi_reproduce_making *making, const char *file, const char *format,
                               ...) {
    va_list arguments;
    va_start(arguments, format);
    char *words = write_command(making, format, arguments);
    va_end(arguments);
    return do_command(making, file, words);
}

/* ---- what came out ---- */

dgm_status dgmi_reproduce_open(dgmi_reproduce_making *making, const char *name, dgm_graph **out) {
    return dgm_graph_open(making->ctx, name, DGM_FORMAT_AUTO, NULL, NULL, making->options->seed,
                          out);
}

dgm_status dgmi_reproduce_read(dgmi_reproduce_making *making, const char *file,
                               const dgm_graph *graph, dgm_summary **summary,
                               dgm_profile **profile) {
    return dgm_summary_read(making->ctx, file, graph, summary, profile, NULL);
}

/* ---- what is said of it ---- */

/* Runs the statement with the formatted `words`, which are NULL where memory ended. */
#define WITH_WORDS(making, format, statement)                                                      \
    do {                                                                                           \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        char *words = write_words((making)->ctx, format, arguments);                               \
        va_end(arguments);                                                                         \
        statement;                                                                                 \
        dgmi_free((making)->ctx, words);                                                           \
    } while (0)

void dgmi_reproduce_say(dgmi_reproduce_making *making, const char *format, ...) {
    WITH_WORDS(making, format, add(making, DGMI_REPRODUCE_SAYS, words, NULL, false));
}

void dgmi_reproduce_show(dgmi_reproduce_making *making, const char *file, const char *format, ...) {
    WITH_WORDS(making, format, add(making, DGMI_REPRODUCE_PICTURE, words, file, false));
}

void dgmi_reproduce_head(dgmi_reproduce_making *making, const char *titles) {
    add(making, DGMI_REPRODUCE_HEAD, titles, NULL, false);
}

void dgmi_reproduce_row(dgmi_reproduce_making *making, const char *format, ...) {
    WITH_WORDS(making, format, add(making, DGMI_REPRODUCE_ROW, words, NULL, false));
}

void dgmi_reproduce_judge(dgmi_reproduce_making *making, bool holds, const char *claim,
                          const char *format, ...) {
    WITH_WORDS(making, format, {
        if (words)
            add(making, DGMI_REPRODUCE_CLAIM, claim, words, holds);
        else
            making->record->status = DGM_ERROR_MEMORY;
    });
}
