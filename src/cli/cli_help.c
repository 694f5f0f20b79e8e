/* SPDX-License-Identifier: Apache-2.0 */
/* Help on the terminal: the page of a command, wrapped to its width. */
#include <stdlib.h>
#include <string.h>

#include "cli_page.h"

enum { NARROWEST = 40, WIDEST = 100, HELP_COLUMN = 28 };

typedef struct look {
    int width;
    const char *bold, *name, *plain; /* terminal sequences, or "" */
} look;

static const look *look_of(const cli_pen *pen) {
    return pen->extra;
}

/* Characters, not bytes. */
static int text_width(const char *text, size_t bytes) {
    int width = 0;
    for (size_t i = 0; i < bytes; i++)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

/* Words of `text` from column `at` on, continued at column `indent`. */
static void write_wrapped(const cli_pen *pen, const char *text, int at, int indent) {
    int width = look_of(pen)->width;
    bool first = true;
    while (*text) {
        size_t length = strcspn(text, " ");
        int word = text_width(text, length);
        if (!first && at + 1 + word > width) {
            fprintf(pen->stream, "\n%*s", indent, "");
            at = indent;
        } else if (!first) {
            putc(' ', pen->stream);
            at++;
        }
        fwrite(text, 1, length, pen->stream);
        at += word;
        first = false;
        text += length + (text[length] == ' ');
    }
    putc('\n', pen->stream);
}

static void write_title(const cli_pen *pen, const char *name, const char *summary) {
    fprintf(pen->stream, "%s%s%s - ", look_of(pen)->bold, name, look_of(pen)->plain);
    write_wrapped(pen, summary, (int)strlen(name) + 3, 4);
}

static void write_heading(const cli_pen *pen, const char *text) {
    fprintf(pen->stream, "\n%s%s:%s\n", look_of(pen)->bold, text, look_of(pen)->plain);
}

static void write_usage(const cli_pen *pen, const char *name, const char *usage) {
    write_heading(pen, "Usage");
    fprintf(pen->stream, "  %s %s\n", name, usage);
}

static void write_paragraph(const cli_pen *pen, const char *text) {
    putc('\n', pen->stream);
    write_wrapped(pen, text, 0, 0);
}

/* "  -o, --output FILE"; returns the columns used. */
static int write_term(const cli_pen *pen, const cli_entry *entry) {
    const look *l = look_of(pen);
    bool option = *entry->dashes != '\0';
    int used = fprintf(pen->stream, "%s", entry->inner ? "      " : "  ");
    fputs(l->name, pen->stream);
    if (entry->letter)
        used += fprintf(pen->stream, "-%c, ", entry->letter);
    else if (option)
        used += fprintf(pen->stream, "    ");
    used += fprintf(pen->stream, "%s%s", entry->dashes, entry->name);
    fputs(l->plain, pen->stream);
    if (entry->argument)
        used += fprintf(pen->stream, "%c%s", entry->inner ? '=' : ' ', entry->argument);
    return used;
}

static void write_entry(const cli_pen *pen, const cli_entry *entry) {
    int used = write_term(pen, entry);
    char *text = cli_entry_text(entry);
    int column = *entry->dashes || entry->inner ? HELP_COLUMN : 12;
    if (used + 2 > column)
        fprintf(pen->stream, "\n%*s", column, "");
    else
        fprintf(pen->stream, "%*s", column - used, "");
    write_wrapped(pen, text ? text : entry->help, column, column);
    free(text);
}

static void write_example(const cli_pen *pen, const cli_example *example) {
    const look *l = look_of(pen);
    fprintf(pen->stream, "  %s%s%s\n      ", l->name, example->command, l->plain);
    write_wrapped(pen, example->meaning, 6, 6);
}

void cli_help_print(const cli_command *command) {
    bool colour = cli_wants_colour(stdout);
    int columns = cli_columns(stdout, 80);
    look plain = {columns < NARROWEST ? NARROWEST
                  : columns > WIDEST  ? WIDEST
                                      : columns,
                  colour ? "\033[1m" : "", colour ? "\033[36m" : "", colour ? "\033[0m" : ""};
    cli_pen pen = {.stream = stdout,
                   .extra = &plain,
                   .title = write_title,
                   .usage = write_usage,
                   .heading = write_heading,
                   .paragraph = write_paragraph,
                   .entry = write_entry,
                   .example = write_example};
    cli_page_write(&pen, command);
}
