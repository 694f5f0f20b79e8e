/* SPDX-License-Identifier: Apache-2.0 */
/* One walk over the records writes both formats: a style says what stands around a text. */
#include "reproduce_report.h"

#include <stdio.h>
#include <string.h>

#include "base_escape.h"
#include "bytes_output.h"
#include "reproduce_wrap.h"

/* What a format puts around the pieces of a report. */
typedef struct style {
    dgmi_escape escape;
    const char *title[2], *heading[2], *paragraph[2], *strong[2], *code[2], *command[2];
    const char *table[2], *row[2], *cell[2], *list[2], *entry[2];
    bool html;
} style;

/* Texts are our own sentences, names of classes and messages. What could be taken for markup gets a
 * backslash; a colon, which dgmi_escape_markdown escapes because of addresses, is left alone. */
static int64_t escape_prose(dgmi_text *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        char two[2] = {'\\', (char)c};
        if (c < 0x20)
            dgmi_text_string(out, " ");
        else if (strchr("\\`*_[]<>|", (char)c))
            dgmi_text_append(out, two, 2);
        else
            dgmi_text_append(out, two + 1, 1);
    }
    return 0;
}

static const style markdown = {
    .escape = escape_prose,
    .title = {"# ", "\n"},
    .heading = {"\n## ", "\n"},
    .paragraph = {"\n", "\n"},
    .strong = {"**", "**"},
    .code = {"\n", ""},
    .command = {"    ", "\n"},
    .table = {"\n", ""},
    .row = {"|", "\n"},
    .cell = {" ", " |"},
    .list = {"\n", ""},
    .entry = {"- ", "\n"},
};

static const style html = {
    .escape = dgmi_escape_xml,
    .title = {"<h1>", "</h1>\n"},
    .heading = {"<h2 id=\"%s\">", "</h2>\n"},
    .paragraph = {"<p>", "</p>\n"},
    .strong = {"<strong>", "</strong>"},
    .code = {"<pre>", "</pre>\n"},
    .command = {"<span>$</span> ", "\n"},
    .table = {"<table>\n", "</table>\n"},
    .row = {"<tr>", "</tr>\n"},
    .cell = {"<td>", "</td>"},
    .list = {"<ul>\n", "</ul>\n"},
    .entry = {"<li>", "</li>\n"},
    .html = true,
};

typedef struct writer {
    dgmi_text text;
    const style *as;
} writer;

static void put(writer *out, const char *text) {
    dgmi_text_string(&out->text, text);
}

static void put_words(writer *out, const char *words) {
    out->as->escape(&out->text, words, strlen(words));
}

static void put_between(writer *out, const char *const around[2], const char *words) {
    put(out, around[0]);
    put_words(out, words);
    put(out, around[1]);
}

static void put_heading(writer *out, const char *name, const char *words) {
    if (out->as->html)
        dgmi_text_format(&out->text, "<h2 id=\"%s\">", name);
    else
        put(out, out->as->heading[0]);
    put_words(out, words);
    put(out, out->as->heading[1]);
}

/* ---- tables ---- */

static int count_cells(const char *cells) {
    int count = 1;
    for (; *cells; cells++)
        count += *cells == '\t';
    return count;
}

static void put_cells(writer *out, const char *cells, const char *const around[2]) {
    put(out, out->as->row[0]);
    for (const char *end; cells; cells = *end ? end + 1 : NULL) {
        end = cells + strcspn(cells, "\t");
        put(out, around[0]);
        out->as->escape(&out->text, cells, (size_t)(end - cells));
        put(out, around[1]);
    }
    put(out, out->as->row[1]);
}

static void put_head(writer *out, const char *titles) {
    static const char *const head[2] = {"<th>", "</th>"};
    put_cells(out, titles, out->as->html ? head : out->as->cell);
    if (out->as->html)
        return;
    put(out, "|");
    for (int i = 0; i < count_cells(titles); i++)
        put(out, " --- |");
    put(out, "\n");
}

/* ---- one part ---- */

static void put_picture(writer *out, const dgmi_reproduce_item *item) {
    if (out->as->html) {
        dgmi_text_format(&out->text, "<figure><a href=\"%s\"><img src=\"%s\" alt=\"", item->more,
                         item->more);
        put_words(out, item->text);
        put(out, "\"></a><figcaption>");
        put_words(out, item->text);
        put(out, "</figcaption></figure>\n");
    } else {
        put(out, "\n![");
        put_words(out, item->text);
        dgmi_text_format(&out->text, "](%s)\n\n", item->more);
        put_words(out, item->text);
        put(out, "\n");
    }
}

static void put_check(writer *out, const dgmi_reproduce_item *item) {
    if (out->as->html)
        dgmi_text_format(&out->text, "<li class=\"%s\">", item->holds ? "yes" : "no");
    else
        put(out, out->as->entry[0]);
    put_between(out, out->as->strong, item->holds ? "It is so:" : "It is not so:");
    put(out, " ");
    put_words(out, item->text);
    put(out, out->as->html ? "<br>" : " ");
    put_words(out, "Found: ");
    put_words(out, item->more);
    put(out, out->as->entry[1]);
}

/* Items of one kind in a row share what stands around them: a list, a table, a block of code. */
static const char *const *bracket_of(const style *as, dgmi_reproduce_kind kind) {
    static const char *const none[2] = {"", ""};
    static const char *const pictures[2] = {"<div class=\"pictures\">\n", "</div>\n"};
    switch (kind) {
    case DGMI_REPRODUCE_COMMAND:
        return as->code;
    case DGMI_REPRODUCE_HEAD:
    case DGMI_REPRODUCE_ROW:
        return as->table;
    case DGMI_REPRODUCE_CLAIM:
        return as->list;
    case DGMI_REPRODUCE_PICTURE:
        return as->html ? pictures : none;
    default:
        return none;
    }
}

static void put_item(writer *out, const dgmi_reproduce_item *item) {
    switch (item->kind) {
    case DGMI_REPRODUCE_SAYS:
        put_between(out, out->as->paragraph, item->text);
        break;
    case DGMI_REPRODUCE_COMMAND:
        put(out, out->as->command[0]);
        if (out->as->html)
            put_words(out, item->text);
        else
            put(out, item->text); /* code is not escaped in Markdown */
        put(out, out->as->command[1]);
        break;
    case DGMI_REPRODUCE_PICTURE:
        put_picture(out, item);
        break;
    case DGMI_REPRODUCE_HEAD:
        put_head(out, item->text);
        break;
    case DGMI_REPRODUCE_ROW:
        put_cells(out, item->text, out->as->cell);
        break;
    case DGMI_REPRODUCE_CLAIM:
        put_check(out, item);
        break;
    }
}

/* A row continues the table of its head; everything else that is alike stands together. */
static bool continues(const dgmi_reproduce_item *before, const dgmi_reproduce_item *item) {
    if (item->kind == DGMI_REPRODUCE_ROW)
        return true;
    return item->kind == before->kind && item->kind != DGMI_REPRODUCE_HEAD;
}

static void put_items(writer *out, const dgmi_reproduce_record *record) {
    for (int64_t i = 0; i < record->count; i++) {
        const dgmi_reproduce_item *item = &record->items[i];
        const char *const *bracket = bracket_of(out->as, item->kind);
        if (i == 0 || !continues(item - 1, item))
            put(out, bracket[0]);
        put_item(out, item);
        if (i + 1 == record->count || !continues(item, item + 1))
            put(out, bracket[1]);
    }
}

dgm_verdict dgmi_reproduce_chapter_verdict(const dgmi_reproduce_chapter *chapter, int64_t *checks,
                                           int64_t *holding) {
    *checks = *holding = 0;
    return chapter->made ? dgmi_reproduce_record_judge(&chapter->record, checks, holding)
                         : DGM_VERDICT_NOT_MADE;
}

static void put_chapter(writer *out, const dgmi_reproduce_chapter *chapter) {
    int64_t checks, holding;
    char words[64];
    dgm_verdict verdict = dgmi_reproduce_chapter_verdict(chapter, &checks, &holding);
    put_heading(out, chapter->plan->part.name, chapter->plan->part.title);
    put(out, out->as->paragraph[0]);
    put_between(out, out->as->strong, chapter->plan->part.beyond ? "The question:" : "The paper:");
    put(out, " ");
    put_words(out, chapter->plan->paper);
    put(out, out->as->paragraph[1]);
    put_items(out, &chapter->record);
    put(out, out->as->paragraph[0]);
    put_between(out, out->as->strong, "Verdict:");
    put(out, " ");
    put_words(out, dgm_verdict_words(verdict));
    if (chapter->made && checks > 1)
        snprintf(words, sizeof words, " (%lld of %lld checks)", (long long)holding,
                 (long long)checks);
    put_words(out, chapter->made && checks > 1 ? words : "");
    put_words(out, chapter->made ? "." : ": ");
    put_words(out, chapter->made ? "" : chapter->why);
    put(out, out->as->paragraph[1]);
}

/* ---- the whole ---- */

static void put_overview_row(writer *out, const dgmi_reproduce_chapter *chapter) {
    int64_t checks, holding;
    dgm_verdict verdict = dgmi_reproduce_chapter_verdict(chapter, &checks, &holding);
    const dgm_reproduce_part *part = &chapter->plan->part;
    char count[48] = "";
    if (chapter->made)
        snprintf(count, sizeof count, "%lld of %lld", (long long)holding, (long long)checks);
    put(out, out->as->row[0]);
    put(out, out->as->cell[0]);
    if (out->as->html)
        dgmi_text_format(&out->text, "<a href=\"#%s\">%s</a>", part->name, part->name);
    else
        put_words(out, part->name);
    put(out, out->as->cell[1]);
    put_between(out, out->as->cell, part->title);
    put_between(out, out->as->cell, dgm_verdict_words(verdict));
    put_between(out, out->as->cell, count);
    put(out, out->as->row[1]);
}

static void put_introduction(writer *out, const dgm_reproduce_options *options) {
    char words[512];
    put_between(out, out->as->title, "Deep Graph Mapper, again");
    snprintf(words, sizeof words,
             "Every figure, claim and table of \"Deep Graph Mapper: Seeing Graphs through the "
             "Neural Lens\" (Bodnar, Cangea and Lio, 2020) that can be made from data, made by "
             "dgm %s with seed %lld%s. Commands are run in the folder of this report, in which "
             "\"data\" leads to the data sets. A verdict is computed from checks, which compare "
             "numbers.",
             dgm_version(), (long long)options->seed,
             options->quick ? ", in a quick run that leaves out the long parts" : "");
    put_between(out, out->as->paragraph, words);
    put_between(out, out->as->paragraph,
                "Covers are those of the paper: intervals of equal length that share the given "
                "part of it. Where a figure has a second set, it has the settings of the authors' "
                "own code and its rule of overlap (--compat dgm). Times, versions and the machine "
                "are in run.json; the weights of networks depend on the instruction set of its "
                "processor, and with them the numbers of the parts that train one.");
}

/* Parts that nobody asked for are left out. */
static bool is_told(const dgmi_reproduce_chapter *chapter) {
    return chapter->made || chapter->why;
}

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>Deep Graph Mapper, again</title>\n<style>\n"
    ":root { color-scheme: light; }\n"
    "body { font: 16px/1.5 system-ui, sans-serif; color: #1c2430; max-width: 64rem; "
    "margin: 2rem auto; padding: 0 1.25rem; }\n"
    "h1 { font-size: 1.9rem; margin-bottom: .5rem; }\n"
    "h2 { font-size: 1.3rem; margin-top: 3rem; border-top: 1px solid #d6dbe3; "
    "padding-top: 1.5rem; }\n"
    "table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; "
    "font-size: .95rem; }\n"
    "th, td { text-align: left; padding: .25rem .9rem .25rem 0; "
    "border-bottom: 1px solid #e4e8ee; vertical-align: top; }\n"
    "th { font-weight: 600; }\n"
    "pre { background: #f4f6f9; padding: .75rem 1rem; border-radius: 6px; white-space: pre-wrap; "
    "overflow-wrap: anywhere; font-size: .82rem; }\n"
    "pre span { color: #7a8594; user-select: none; }\n"
    ".pictures { display: flex; flex-wrap: wrap; gap: 1.25rem; }\n"
    "figure { margin: .5rem 0; flex: 1 1 26rem; min-width: 0; max-width: 46rem; }\n"
    "figure img { width: 100%; height: auto; border: 1px solid #e4e8ee; border-radius: 6px; }\n"
    "figcaption { color: #55606f; font-size: .9rem; }\n"
    "ul { list-style: none; padding: 0; }\n"
    "li { padding: .4rem 0 .4rem .9rem; margin: .4rem 0; border-left: 4px solid #9aa5b4; }\n"
    "li.yes { border-color: #1b7f4b; }\n"
    "li.no { border-color: #b4491c; }\n"
    "@media print { h2 { break-before: page; } }\n"
    "</style>\n</head>\n<body>\n";

static void write_report(writer *out, const dgm_reproduce_options *options,
                         const dgmi_reproduce_chapter *chapters, int64_t count) {
    put(out, out->as->html ? page_head : "");
    put_introduction(out, options);
    put(out, out->as->table[0]);
    put_head(out, "part\twhat\tverdict\tchecks that hold");
    for (int64_t i = 0; i < count; i++)
        if (is_told(&chapters[i]))
            put_overview_row(out, &chapters[i]);
    put(out, out->as->table[1]);
    for (int64_t i = 0; i < count; i++)
        if (is_told(&chapters[i]))
            put_chapter(out, &chapters[i]);
    put(out, out->as->html ? "</body>\n</html>\n" : "");
}

static dgm_status write_file(dgm_context *ctx, const style *as, const char *path,
                             const dgm_reproduce_options *options,
                             const dgmi_reproduce_chapter *chapters, int64_t count) {
    writer out = {.as = as};
    dgmi_text wrapped;
    dgmi_text_init(&out.text, ctx);
    dgmi_text_init(&wrapped, ctx);
    write_report(&out, options, chapters, count);
    dgm_status status = out.text.status;
    if (status == DGM_OK && !as->html) {
        dgmi_reproduce_wrap(&wrapped, out.text.data);
        status = wrapped.status;
    }
    const dgmi_text *last = as->html ? &out.text : &wrapped;
    if (status == DGM_OK)
        status = dgmi_bytes_output_save(ctx, path, last->data, (size_t)last->length);
    dgmi_text_free(&wrapped);
    dgmi_text_free(&out.text);
    return status;
}

dgm_status dgmi_reproduce_report_write(dgm_context *ctx, const dgm_reproduce_options *options,
                                       const dgmi_reproduce_chapter *chapters, int64_t count) {
    dgm_status status = write_file(ctx, &markdown, "report.md", options, chapters, count);
    if (status == DGM_OK)
        status = write_file(ctx, &html, "report.html", options, chapters, count);
    return status;
}
