/* SPDX-License-Identifier: Apache-2.0 */
/* Man pages and the pages of docs/commands, written from the same tables as the help. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli_files.h"
#include "cli_page.h"

int cli_write_file(cli_session *session, const char *folder, const char *name, cli_page_fn page,
                   const cli_command *command) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    if (!stream)
        return cli_fail(session, CLI_FAILED, "%s: %s", path, strerror(errno));
    page(stream, command);
    bool failed = ferror(stream);
    if (fclose(stream) != 0 || failed)
        return cli_fail(session, CLI_FAILED, "%s: cannot be written", path);
    return CLI_DONE;
}

int cli_generate_files(cli_session *session, const char *what, const char *folder) {
    static const char *const kinds[] = {"man", "docs", "completions", NULL};
    if (strcmp(what, "man") == 0)
        return cli_generate_manuals(session, folder);
    if (strcmp(what, "docs") == 0)
        return cli_generate_docs(session, folder);
    if (strcmp(what, "completions") == 0)
        return cli_generate_completions(session, folder);
    const char *near = dgm_name_nearest(what, kinds);
    return cli_fail(session, CLI_WRONG_USAGE,
                    "--generate makes man, docs or completions, not '%s'%s%s%s", what,
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* ---- man ---- */

/* Text as roff reads it back: hyphens that can be copied, no line taken for a request. */
static void roff_text(FILE *stream, const char *text) {
    if (*text == '.' || *text == '\'')
        fputs("\\&", stream);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", stream);
        else if (*text == '-')
            fputs("\\-", stream);
        else if (*text == '\'')
            fputs("\\(aq", stream);
        else
            putc(*text, stream);
    }
}

static void roff_title(const cli_pen *pen, const char *name, const char *summary) {
    FILE *stream = pen->stream;
    fputs(".TH ", stream);
    for (const char *c = name; *c; c++)
        putc(*c == ' ' ? '-' : toupper((unsigned char)*c), stream);
    fprintf(stream, " 1 \"\" \"dgm %s\" \"Deep Graph Mapper\"\n.SH NAME\n", dgm_version());
    for (const char *c = name; *c; c++)
        fputs(*c == ' ' ? "\\-" : (char[]){*c, '\0'}, stream);
    fputs(" \\- ", stream);
    roff_text(stream, summary);
    putc('\n', stream);
}

static void roff_usage(const cli_pen *pen, const char *name, const char *usage) {
    fprintf(pen->stream, ".SH SYNOPSIS\n.B %s\n", name);
    roff_text(pen->stream, usage);
    fputs("\n.SH DESCRIPTION\n", pen->stream);
}

static void roff_heading(const cli_pen *pen, const char *text) {
    fputs(".SH \"", pen->stream);
    for (; *text; text++)
        putc(toupper((unsigned char)*text), pen->stream);
    fputs("\"\n", pen->stream);
}

static void roff_paragraph(const cli_pen *pen, const char *text) {
    fputs(".PP\n", pen->stream);
    roff_text(pen->stream, text);
    putc('\n', pen->stream);
}

static void roff_entry(const cli_pen *pen, const cli_entry *entry) {
    FILE *stream = pen->stream;
    char *text = cli_entry_text(entry);
    if (entry->inner)
        fputs(".RS\n", stream);
    fputs(".TP\n", stream);
    if (entry->letter)
        fprintf(stream, "\\fB\\-%c\\fR, ", entry->letter);
    fputs("\\fB", stream);
    roff_text(stream, entry->dashes);
    roff_text(stream, entry->name);
    fputs("\\fR", stream);
    if (entry->argument) {
        fputs(entry->inner ? "=\\fI" : " \\fI", stream);
        roff_text(stream, entry->argument);
        fputs("\\fR", stream);
    }
    putc('\n', stream);
    roff_text(stream, text ? text : entry->help);
    putc('\n', stream);
    if (entry->inner)
        fputs(".RE\n", stream);
    free(text);
}

static void roff_example(const cli_pen *pen, const cli_example *example) {
    fputs(".TP\n.B ", pen->stream);
    roff_text(pen->stream, example->command);
    putc('\n', pen->stream);
    roff_text(pen->stream, example->meaning);
    putc('\n', pen->stream);
}

static void write_see_also(FILE *stream, const cli_command *command) {
    fputs(".SH \"SEE ALSO\"\n", stream);
    if (command)
        fputs(".BR dgm (1),\n", stream);
    for (int i = 0; cli_commands[i]; i++) {
        bool last =
            !cli_commands[i + 1] || (cli_commands[i + 1] == command && !cli_commands[i + 2]);
        if (cli_commands[i] != command)
            fprintf(stream, ".BR dgm\\-%s (1)%s\n", cli_commands[i]->name, last ? "" : ",");
    }
}

static void write_manual(FILE *stream, const cli_command *command) {
    cli_pen pen = {.stream = stream,
                   .title = roff_title,
                   .usage = roff_usage,
                   .heading = roff_heading,
                   .paragraph = roff_paragraph,
                   .entry = roff_entry,
                   .example = roff_example};
    fputs(".\\\" SPDX-License-Identifier: Apache-2.0\n", stream);
    cli_page_write(&pen, command);
    write_see_also(stream, command);
}

int cli_generate_manuals(cli_session *session, const char *folder) {
    int code = cli_write_file(session, folder, "dgm.1", write_manual, NULL);
    for (int i = 0; cli_commands[i] && code == CLI_DONE; i++) {
        char name[64];
        snprintf(name, sizeof name, "dgm-%s.1", cli_commands[i]->name);
        code = cli_write_file(session, folder, name, write_manual, cli_commands[i]);
    }
    return code;
}

/* ---- Markdown ---- */

enum { MARKDOWN_COLUMNS = 116 };

/* Text between marks of Markdown. */
static void markdown_text(FILE *stream, const char *text) {
    for (; *text; text++) {
        if (*text == '*' || *text == '_' || *text == '<')
            putc('\\', stream);
        putc(*text, stream);
    }
}

/* Breaks the text into lines at blanks; all but the first begin with the indent. */
static void markdown_fill(FILE *stream, const char *text, const char *indent) {
    size_t column = 0;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column > 0 && column + 1 + word > MARKDOWN_COLUMNS) {
            fprintf(stream, "\n%s", indent);
            column = strlen(indent);
        } else if (column > 0) {
            putc(' ', stream);
            column++;
        }
        fwrite(text, 1, word, stream);
        column += word;
        text += word + strspn(text + word, " ");
    }
    putc('\n', stream);
}

static void markdown_title(const cli_pen *pen, const char *name, const char *summary) {
    fprintf(pen->stream, "# %s\n\n%c%s.\n", name, toupper((unsigned char)summary[0]), summary + 1);
}

static void markdown_usage(const cli_pen *pen, const char *name, const char *usage) {
    fprintf(pen->stream, "\n    %s %s\n", name, usage);
}

static void markdown_heading(const cli_pen *pen, const char *text) {
    fprintf(pen->stream, "\n## %s\n", text);
}

/* What `write` writes of `what`, in lines of a bounded length. */
static void markdown_filled(FILE *stream, void (*write)(FILE *, const void *), const void *what,
                            const char *indent) {
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (memory) {
        write(memory, what);
        fclose(memory);
        markdown_fill(stream, text, indent);
    }
    free(text);
}

static void write_paragraph(FILE *stream, const void *text) {
    markdown_text(stream, text);
}

static void markdown_paragraph(const cli_pen *pen, const char *text) {
    putc('\n', pen->stream);
    markdown_filled(pen->stream, write_paragraph, text, "");
}

/* An empty line stands above a list. */
static void markdown_begin(const cli_pen *pen) {
    putc('\n', pen->stream);
}

static void markdown_choices(FILE *stream, const char *const *choices) {
    for (int i = 0; choices[i]; i++)
        fprintf(stream, "%s%s", i ? " | " : "", choices[i]);
}

static void markdown_term(FILE *stream, const cli_entry *entry) {
    if (entry->letter)
        fprintf(stream, "`-%c`, ", entry->letter);
    if (!*entry->dashes && !entry->inner && cli_command_find(entry->name) && !entry->argument)
        fprintf(stream, "[`%s`](%s.md)", entry->name, entry->name);
    else
        fprintf(stream, "`%s%s", entry->dashes, entry->name);
    if (entry->argument) {
        putc(entry->inner ? '=' : ' ', stream);
        if (entry->choices)
            markdown_choices(stream, entry->choices);
        else
            fputs(entry->argument, stream);
    }
    if (*entry->dashes || entry->argument || !cli_command_find(entry->name))
        putc('`', stream);
}

/* The default of an option stands behind its name, that of a key behind its meaning. */
static void write_entry(FILE *stream, const void *item) {
    const cli_entry *entry = item;
    fputs("- ", stream);
    markdown_term(stream, entry);
    if (*entry->dashes && entry->default_text)
        fprintf(stream, " (default: %s)", entry->default_text);
    fputs(": ", stream);
    markdown_text(stream, entry->help);
    if (!*entry->dashes && entry->default_text)
        fprintf(stream, " (%s)", entry->default_text);
}

static void markdown_entry(const cli_pen *pen, const cli_entry *entry) {
    if (entry->inner)
        fputs("  ", pen->stream);
    markdown_filled(pen->stream, write_entry, entry, entry->inner ? "    " : "  ");
}

static void markdown_example(const cli_pen *pen, const cli_example *example) {
    fprintf(pen->stream, "\n%c%s:\n\n    %s\n", toupper((unsigned char)example->meaning[0]),
            example->meaning + 1, example->command);
}

static void write_document(FILE *stream, const cli_command *command) {
    cli_pen pen = {.stream = stream,
                   .title = markdown_title,
                   .usage = markdown_usage,
                   .heading = markdown_heading,
                   .paragraph = markdown_paragraph,
                   .begin_entries = markdown_begin,
                   .entry = markdown_entry,
                   .example = markdown_example};
    fputs("<!-- Made from the option tables by `dgm --generate docs`; edit src/cli instead. -->\n",
          stream);
    cli_page_write(&pen, command);
}

int cli_generate_docs(cli_session *session, const char *folder) {
    int code = cli_write_file(session, folder, "README.md", write_document, NULL);
    for (int i = 0; cli_commands[i] && code == CLI_DONE; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.md", cli_commands[i]->name);
        code = cli_write_file(session, folder, name, write_document, cli_commands[i]);
    }
    return code;
}
