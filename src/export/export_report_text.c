/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the parts of a page, as Markdown or as plain text. */
#include "export_report.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_escape.h"
#include "base_memory.h"

/* ---- words ---- */

void dgmi_export_words(dgmi_export_page *page, const char *words) {
    if (page->markdown) {
        dgmi_text_string(page->to, words);
        return;
    }
    for (const char *at = words, *bold; *at; at = bold[0] ? bold + 2 : bold) {
        bold = strstr(at, "**");
        if (!bold)
            bold = at + strlen(at);
        dgmi_text_append(page->to, at, (size_t)(bold - at));
    }
}

/* How many bytes the first characters take, at most DGMI_EXPORT_NAME of them. */
static size_t cut(const char *text, size_t length) {
    size_t at = 0, size;
    for (int count = 0; at < length && count < DGMI_EXPORT_NAME; count++, at += size)
        dgmi_utf8_next(text + at, length - at, &size);
    return at;
}

void dgmi_export_data(dgmi_export_page *page, const char *text, size_t length) {
    size_t shown = cut(text, length);
    dgmi_escape escape = page->markdown ? dgmi_escape_markdown : dgmi_escape_plain;
    if (length == 0)
        dgmi_text_string(page->to, "\"\"");
    page->job->replaced |= escape(page->to, text, shown) > 0;
    if (shown < length)
        dgmi_text_string(page->to, "...");
}

/* CommonMark 0.31, section 6.1: code stands between as many backticks as do not occur in it. */
void dgmi_export_code(dgmi_export_page *page, const char *text) {
    static const char ticks[] = "````````````````";
    int64_t longest = 0, run = 0;
    for (const char *c = text; *c; c++) {
        run = *c == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    bool code = page->markdown && longest < (int64_t)sizeof ticks - 2;
    const char *fence = code ? ticks + sizeof ticks - 2 - longest : "";
    const char *blank = code && longest ? " " : "";
    dgmi_text_string(page->to, fence);
    dgmi_text_string(page->to, blank);
    if (page->markdown && !code)
        page->job->replaced |= dgmi_escape_markdown(page->to, text, strlen(text)) > 0;
    else
        page->job->replaced |= dgmi_escape_plain(page->to, text, strlen(text)) > 0;
    dgmi_text_string(page->to, blank);
    dgmi_text_string(page->to, fence);
}

/* ---- numbers ---- */

void dgmi_export_count(dgmi_export_page *page, int64_t number) {
    char digits[32], grouped[48];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)number), used = 0;
    for (int i = 0; i < length; i++) {
        grouped[used++] = digits[i];
        if (digits[i] != '-' && i + 1 < length && (length - i - 1) % 3 == 0)
            grouped[used++] = ',';
    }
    dgmi_text_append(page->to, grouped, (size_t)used);
}

void dgmi_export_known(dgmi_export_page *page, int64_t number) {
    if (number < 0)
        dgmi_text_string(page->to, "-");
    else
        dgmi_export_count(page, number);
}

void dgmi_export_noun(dgmi_export_page *page, int64_t number, const char *noun) {
    size_t first = strcspn(noun, " ");
    dgmi_text_append(page->to, noun, first);
    if (number != 1)
        dgmi_text_string(page->to, noun[first - 1] == 'h' ? "es" : "s"); /* branches, loops */
    dgmi_text_string(page->to, noun + first);
}

void dgmi_export_count_of(dgmi_export_page *page, int64_t number, const char *noun) {
    dgmi_export_count(page, number);
    dgmi_text_string(page->to, " ");
    dgmi_export_noun(page, number, noun);
}

/* Digits after the point, by whole numbers: the program's locale may have another point. */
static void put_decimals(dgmi_export_page *page, double value, int decimals) {
    double scale = pow(10, decimals);
    int64_t scaled = llround(fabs(value) * scale), whole = scaled / (int64_t)scale;
    if (value < 0 && scaled)
        dgmi_text_string(page->to, "-");
    if (whole < 10000) /* as a year is written */
        dgmi_text_integer(page->to, whole);
    else
        dgmi_export_count(page, whole);
    if (decimals)
        dgmi_text_format(page->to, ".%0*lld", decimals, (long long)(scaled % (int64_t)scale));
}

/* The power of ten that a size has once it is rounded to so many decimals: 9.996 has 10 of two. */
static int rounded_exponent(double size, int decimals) {
    int exponent = (int)floor(log10(size));
    double digits = rint(size / pow(10, exponent - decimals));
    return digits < pow(10, decimals + 1) ? exponent : exponent + 1;
}

void dgmi_export_number(dgmi_export_page *page, double value) {
    double size = fabs(value);
    if (!isfinite(value)) {
        dgmi_text_string(page->to, isnan(value) ? "unknown" : value > 0 ? "inf" : "-inf");
        return;
    }
    int exponent = size > 0 ? (int)floor(log10(size)) : 0;
    bool plain = size == 0 || (exponent >= -4 && exponent < 9);
    if (plain && (value == rint(value) || exponent >= 2)) {
        put_decimals(page, value, 0);
    } else if (plain) {
        put_decimals(page, value, 2 - exponent);
    } else {
        exponent = rounded_exponent(size, 2);
        put_decimals(page, value / pow(10, exponent), 2);
        dgmi_text_format(page->to, "e%d", exponent);
    }
}

void dgmi_export_chance(dgmi_export_page *page, double p) {
    const double least = 1e-12;
    int exponent = p > least ? (int)floor(log10(p)) : -12;
    if (p < least)
        dgmi_text_string(page->to, "< ");
    if (exponent >= -3) {
        put_decimals(page, p, exponent == 0 ? 0 : 1 - exponent);
        return;
    }
    exponent = p > least ? rounded_exponent(p, 0) : exponent;
    put_decimals(page, p > least ? p / pow(10, exponent) : 1, 0);
    dgmi_text_format(page->to, "e%d", exponent);
}

void dgmi_export_decimals(dgmi_export_page *page, double value) {
    put_decimals(page, value, 2);
}

void dgmi_export_signed(dgmi_export_page *page, double value) {
    dgmi_text_string(page->to, value < 0 ? "" : "+");
    put_decimals(page, value, 2);
}

/* A share that is not all or nothing is not told as all or nothing. */
void dgmi_export_percent(dgmi_export_page *page, double share) {
    int64_t percent = llround(100 * share);
    if (share > 0 && share < 0.005)
        dgmi_text_string(page->to, "< 1%");
    else if (share < 1 && percent == 100)
        dgmi_text_string(page->to, "> 99%");
    else
        dgmi_text_format(page->to, "%lld%%", (long long)percent);
}

/* ---- blocks ---- */

/* How many characters a text takes on a line, counted by its first bytes in UTF-8. */
static int64_t width_of(const char *text, int64_t length) {
    int64_t width = 0;
    for (int64_t i = 0; i < length; i++)
        width += ((unsigned char)text[i] & 0xC0) != 0x80;
    return width;
}

static void put_many(dgmi_text *to, char c, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        dgmi_text_append(to, &c, 1);
}

/* In plain text the first two levels are underlined. */
void dgmi_export_heading(dgmi_export_page *page, int level, const char *words) {
    dgmi_text *to = page->to;
    if (page->markdown) {
        put_many(to, '#', level);
        dgmi_text_string(to, " ");
    }
    dgmi_text_string(to, words);
    dgmi_text_string(to, "\n");
    if (!page->markdown && level < 3) {
        put_many(to, level == 1 ? '=' : '-', width_of(words, (int64_t)strlen(words)));
        dgmi_text_string(to, "\n");
    }
    dgmi_text_string(to, "\n");
}

void dgmi_export_paragraph_end(dgmi_export_page *page) {
    dgmi_text_string(page->to, "\n\n");
    dgmi_export_step(page->job);
}

void dgmi_export_item(dgmi_export_page *page) {
    dgmi_text_string(page->to, page->markdown ? "- " : "  ");
}

void dgmi_export_item_end(dgmi_export_page *page) {
    dgmi_text_string(page->to, "\n");
}

/* ---- tables ---- */

enum { MOST_PADDED = 40 }; /* longer cells stand out of their columns */

void dgmi_export_cell_end(dgmi_export_page *page) {
    dgmi_export_grid *grid = &page->grid;
    dgmi_text *text = &grid->text;
    if (text->status == DGM_OK)
        text->status = dgmi_reserve(page->job->ctx, (void **)&grid->ends, &grid->capacity,
                                    grid->cells + 1, sizeof *grid->ends);
    if (text->status == DGM_OK)
        grid->ends[grid->cells++] = text->length;
}

void dgmi_export_grid_begin(dgmi_export_page *page, const char *titles) {
    dgmi_export_grid *grid = &page->grid;
    grid->text.length = 0;
    grid->cells = 0;
    grid->columns = 0;
    page->to = &grid->text;
    for (const char *at = titles; at; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL) {
        assert(grid->columns < DGMI_EXPORT_MOST_COLUMNS);
        grid->right[grid->columns++] = *at == '>';
        at += *at == '>';
        dgmi_text_append(page->to, at, strcspn(at, "|"));
        dgmi_export_cell_end(page);
    }
}

static int64_t cell_begin(const dgmi_export_grid *grid, int64_t cell) {
    return cell ? grid->ends[cell - 1] : 0;
}

static int64_t cell_width(const dgmi_export_grid *grid, int64_t cell) {
    int64_t begin = cell_begin(grid, cell);
    return width_of(grid->text.data + begin, grid->ends[cell] - begin);
}

static void put_cell(dgmi_text *to, const dgmi_export_grid *grid, int64_t cell, int64_t width,
                     bool last) {
    int64_t begin = cell_begin(grid, cell), fill = width - cell_width(grid, cell);
    if (grid->right[cell % grid->columns])
        put_many(to, ' ', fill);
    dgmi_text_append(to, grid->text.data + begin, (size_t)(grid->ends[cell] - begin));
    if (!grid->right[cell % grid->columns] && !last)
        put_many(to, ' ', fill);
}

static void put_row(dgmi_export_page *page, int64_t row, const int64_t *widths) {
    const dgmi_export_grid *grid = &page->grid;
    dgmi_text_string(page->to, page->markdown ? "| " : "  ");
    for (int k = 0; k < grid->columns; k++) {
        bool last = k + 1 == grid->columns;
        put_cell(page->to, grid, row * grid->columns + k, widths[k], last);
        dgmi_text_string(page->to, last ? "" : page->markdown ? " | " : "  ");
    }
    dgmi_text_string(page->to, page->markdown ? " |\n" : "\n");
}

/* The line under the titles of a table in Markdown. */
static void put_rule(dgmi_export_page *page) {
    for (int k = 0; k < page->grid.columns; k++)
        dgmi_text_string(page->to, page->grid.right[k] ? "| ---: " : "| --- ");
    dgmi_text_string(page->to, "|\n");
}

void dgmi_export_grid_end(dgmi_export_page *page) {
    dgmi_export_grid *grid = &page->grid;
    int64_t widths[DGMI_EXPORT_MOST_COLUMNS] = {0};
    page->to = &page->job->text;
    if (grid->text.status != DGM_OK) {
        page->to->status = grid->text.status;
        return;
    }
    assert(grid->cells % grid->columns == 0);
    for (int64_t cell = 0; cell < grid->cells; cell++) {
        int64_t width = cell_width(grid, cell);
        width = width < MOST_PADDED ? width : MOST_PADDED;
        int64_t *widest = &widths[cell % grid->columns];
        *widest = width > *widest ? width : *widest;
    }
    for (int64_t row = 0; row < grid->cells / grid->columns && dgmi_export_step(page->job); row++) {
        put_row(page, row, widths);
        if (row == 0 && page->markdown)
            put_rule(page);
    }
    dgmi_text_string(page->to, "\n");
}

void dgmi_export_grid_free(dgmi_export_page *page) {
    dgmi_text_free(&page->grid.text);
    dgmi_free(page->job->ctx, page->grid.ends);
}
