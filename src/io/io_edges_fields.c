/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of an edge list: how they are cut into fields, and which one is a header. */
#include <string.h>
#include <strings.h>

#include "base_text.h"
#include "base_utf8.h"
#include "io_edges.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

char *dgmi_io_edge_skip_blanks(char *begin) {
    while (is_blank(*begin))
        begin++;
    return begin;
}

bool dgmi_io_edge_is_comment(const char *begin) {
    return *begin == '#' || *begin == '%' || *begin == '\n' || (*begin == '/' && begin[1] == '/') ||
           (*begin == '\r' && begin[1] == '\n');
}

static bool at_line_end(const char *at) {
    return *at == '\n' || (*at == '\r' && at[1] == '\n');
}

/* Blanks that may stand around a field: tabs do not where they separate. */
static char *skip_padding(char *at, char separator) {
    while (*at == ' ' || (*at == '\t' && separator != '\t'))
        at++;
    return at;
}

static void keep_field(dgmi_io_edge_line *line, dgmi_io_edge_field field) {
    if (line->count < DGMI_IO_EDGE_FIELDS)
        line->fields[line->count] = field;
    line->count++;
}

/* The quoted field at `at`; NULL if it does not end. Returns the byte behind the closing quote. */
static char *cut_quoted(char *at, const char *end, dgmi_io_edge_line *line) {
    dgmi_io_edge_field field = {++at, 0, true, false};
    for (;;) {
        while (at < end && *at != '"') {
            line->newlines += *at == '\n';
            at++;
        }
        if (at + 1 >= end) /* a newline stands behind every closing quote */
            return NULL;
        if (at[1] != '"')
            break;
        field.doubled = true;
        at += 2;
    }
    field.length = at - field.text;
    keep_field(line, field);
    return at + 1;
}

static char *cut_plain(char *at, char separator, dgmi_io_edge_line *line) {
    dgmi_io_edge_field field = {at, 0, false, false};
    if (separator == ' ' && *at == '{' && line->count >= 2)
        while (!at_line_end(at))
            at++;
    else if (separator == ' ')
        while (!is_blank(*at) && !at_line_end(at))
            at++;
    else
        while (*at != separator && !at_line_end(at))
            at++;
    const char *last = at;
    while (last > field.text && is_blank(last[-1]))
        last--;
    field.length = last - field.text;
    keep_field(line, field);
    return at;
}

/* Empty fields at the end ("1,2,") are no columns. */
static void drop_empty_end(dgmi_io_edge_line *line) {
    while (line->count > 0 && line->count <= DGMI_IO_EDGE_FIELDS &&
           line->fields[line->count - 1].length == 0 && !line->fields[line->count - 1].quoted)
        line->count--;
}

dgmi_io_edge_cut dgmi_io_edge_cut_line(char *begin, const char *end, char separator,
                                       dgmi_io_edge_line *line) {
    char *at = begin;
    line->count = 0;
    line->newlines = 1;
    for (;;) {
        at = skip_padding(at, separator);
        at = *at == '"' ? cut_quoted(at, end, line) : cut_plain(at, separator, line);
        if (!at)
            return DGMI_IO_CUT_UNCLOSED;
        char *behind = skip_padding(at, separator);
        if (at_line_end(behind)) {
            at = behind;
            break;
        }
        if (separator == ' ' && behind == at)
            return DGMI_IO_CUT_QUOTE_TEXT;
        if (separator != ' ' && *behind != separator)
            return DGMI_IO_CUT_QUOTE_TEXT;
        at = separator == ' ' ? behind : behind + 1;
    }
    line->next = at + (*at == '\r') + 1;
    drop_empty_end(line);
    return DGMI_IO_CUT_GOOD;
}

void dgmi_io_edge_unquote(dgmi_io_edge_field *field) {
    if (!field->doubled)
        return;
    int64_t length = 0;
    for (int64_t i = 0; i < field->length; i++) {
        field->text[length++] = field->text[i];
        i += field->text[i] == '"';
    }
    field->length = length;
    field->doubled = false;
}

/* ---- which separator, which header ---- */

static bool all_numbers(const dgmi_io_edge_line *line) {
    double value;
    for (int64_t i = 0; i < line->count && i < DGMI_IO_EDGE_FIELDS; i++)
        if (!dgmi_parse_real(line->fields[i].text, (size_t)line->fields[i].length, &value))
            return false;
    return line->count >= 2;
}

/* Two ids and {'key': ...}, as NetworkX writes them: the commas inside separate no columns. */
static bool ends_in_dict(char *begin, const char *end) {
    dgmi_io_edge_line line;
    const dgmi_io_edge_field *last = &line.fields[2];
    return dgmi_io_edge_cut_line(begin, end, ' ', &line) == DGMI_IO_CUT_GOOD && line.count == 3 &&
           last->length >= 2 && last->text[0] == '{' && strchr("'\"}", last->text[1]) &&
           last->text[last->length - 1] == '}';
}

char dgmi_io_edge_separator(char *begin, const char *end) {
    static const char for_numbers[] = " ,;", for_names[] = "\t,;";
    dgmi_io_edge_line line;
    for (const char *c = for_numbers; *c; c++)
        if (dgmi_io_edge_cut_line(begin, end, *c, &line) == DGMI_IO_CUT_GOOD && all_numbers(&line))
            return *c;
    for (const char *c = for_names; *c; c++) {
        if (*c != '\t' && ends_in_dict(begin, end))
            return ' ';
        if (dgmi_io_edge_cut_line(begin, end, *c, &line) == DGMI_IO_CUT_GOOD && line.count >= 2)
            return *c;
    }
    /* Something is wrong with a quote, which is said once the line is cut again. */
    for (const char *c = for_names; *c; c++) {
        dgmi_io_edge_cut cut = dgmi_io_edge_cut_line(begin, end, *c, &line);
        if (cut != DGMI_IO_CUT_GOOD && line.count >= (cut == DGMI_IO_CUT_UNCLOSED ? 1 : 2))
            return *c;
    }
    return ' ';
}

dgmi_io_edge_role dgmi_io_edge_role_of(const char *text, int64_t length) {
    static const struct {
        const char *name;
        dgmi_io_edge_role role;
    } known[] = {
        {"source", DGMI_IO_ROLE_SOURCE},     {"src", DGMI_IO_ROLE_SOURCE},
        {"from", DGMI_IO_ROLE_SOURCE},       {"u", DGMI_IO_ROLE_SOURCE},
        {"id1", DGMI_IO_ROLE_SOURCE},        {"id_1", DGMI_IO_ROLE_SOURCE},
        {"node1", DGMI_IO_ROLE_SOURCE},      {"node_1", DGMI_IO_ROLE_SOURCE},
        {"fromnodeid", DGMI_IO_ROLE_SOURCE}, {"target", DGMI_IO_ROLE_TARGET},
        {"dst", DGMI_IO_ROLE_TARGET},        {"to", DGMI_IO_ROLE_TARGET},
        {"v", DGMI_IO_ROLE_TARGET},          {"id2", DGMI_IO_ROLE_TARGET},
        {"id_2", DGMI_IO_ROLE_TARGET},       {"node2", DGMI_IO_ROLE_TARGET},
        {"node_2", DGMI_IO_ROLE_TARGET},     {"tonodeid", DGMI_IO_ROLE_TARGET},
        {"weight", DGMI_IO_ROLE_WEIGHT},     {"w", DGMI_IO_ROLE_WEIGHT},
        {"value", DGMI_IO_ROLE_WEIGHT},      {"strength", DGMI_IO_ROLE_WEIGHT},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (length == (int64_t)strlen(known[i].name) &&
            strncasecmp(text, known[i].name, (size_t)length) == 0)
            return known[i].role;
    return DGMI_IO_ROLE_OTHER;
}

static bool names_both_ends(const dgmi_io_edge_line *line) {
    bool source = false, target = false;
    for (int64_t i = 0; i < line->count && i < DGMI_IO_EDGE_FIELDS; i++) {
        dgmi_io_edge_role role = dgmi_io_edge_role_of(line->fields[i].text, line->fields[i].length);
        source |= role == DGMI_IO_ROLE_SOURCE;
        target |= role == DGMI_IO_ROLE_TARGET;
    }
    return source && target;
}

static bool is_number(const dgmi_io_edge_line *line, int64_t column) {
    double value;
    return line->count > column &&
           dgmi_parse_real(line->fields[column].text, (size_t)line->fields[column].length, &value);
}

/* Of a column that the line has. */
static bool is_whole(const dgmi_io_edge_line *line, int64_t column) {
    return dgmi_io_edge_is_whole(line->fields[column].text, line->fields[column].length);
}

static bool has_digit(const dgmi_io_edge_field *field) {
    for (int64_t i = 0; i < field->length; i++)
        if (field->text[i] >= '0' && field->text[i] <= '9')
            return true;
    return false;
}

/* Words without a digit, and in the third column of the record below something that begins with
 * one, such as a date. As an edge the first line would be an error, since its third field is no
 * weight. */
static bool stands_over_dates(const dgmi_io_edge_line *first, const dgmi_io_edge_line *second) {
    if (first->count < 3 || first->count != second->count || first->count > DGMI_IO_EDGE_FIELDS)
        return false;
    for (int64_t i = 0; i < first->count; i++)
        if (first->fields[i].length == 0 || has_digit(&first->fields[i]) ||
            first->fields[i].text[0] == '{')
            return false;
    const dgmi_io_edge_field *below = &second->fields[2];
    return below->length > 0 && below->text[0] >= '0' && below->text[0] <= '9';
}

bool dgmi_io_edge_is_header(const dgmi_io_edge_line *first, const dgmi_io_edge_line *second) {
    if (names_both_ends(first))
        return true;
    if (!second || first->count < 2 || second->count < 2 || is_number(first, 0) ||
        is_number(first, 1))
        return false;
    bool words_over_numbers = is_whole(second, 0) && is_whole(second, 1);
    bool word_over_weight = first->count > 2 && !is_number(first, 2) && is_number(second, 2);
    return words_over_numbers || word_over_weight || stands_over_dates(first, second);
}

static bool has_fraction(const dgmi_io_edge_line *line, int64_t column) {
    return is_number(line, column) && !is_whole(line, column) && !line->fields[column].quoted;
}

bool dgmi_io_edge_is_point(const dgmi_io_edge_line *record, const dgmi_io_edge_line *header) {
    enum { MOST_UNDER_HEADER = 3, MOST_BARE = 8 };
    if (header && names_both_ends(header))
        return false;
    if (has_fraction(record, 0) && has_fraction(record, 1))
        return true;
    return record->count > (header ? MOST_UNDER_HEADER : MOST_BARE) && all_numbers(record);
}

/* ---- what a field holds ---- */

/* Behind the key, as Python or JSON quotes it; NULL where there is none. */
static const char *find_weight(const dgmi_io_edge_field *field) {
    static const char *const keys[] = {"'weight':", "\"weight\":"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        size_t length = strlen(keys[k]);
        const char *at = memmem(field->text, (size_t)field->length, keys[k], length);
        if (at)
            return at + length;
    }
    return NULL;
}

dgmi_io_edge_dict dgmi_io_edge_dict_weight(const dgmi_io_edge_field *field, double *weight) {
    const char *end = field->text + field->length, *at = find_weight(field);
    if (!at)
        return DGMI_IO_DICT_NO_WEIGHT;
    while (at < end && is_blank(*at))
        at++;
    const char *stop = at;
    while (stop < end && !strchr(",} \t", *stop))
        stop++;
    return dgmi_parse_real(at, (size_t)(stop - at), weight) ? DGMI_IO_DICT_WEIGHT
                                                            : DGMI_IO_DICT_BAD_WEIGHT;
}

bool dgmi_io_edge_dict_has_more(const dgmi_io_edge_field *field) {
    int64_t keys = 0;
    double weight;
    for (int64_t i = 1; i < field->length; i++)
        keys += field->text[i] == ':' && (field->text[i - 1] == '\'' || field->text[i - 1] == '"');
    return keys > (dgmi_io_edge_dict_weight(field, &weight) != DGMI_IO_DICT_NO_WEIGHT);
}

bool dgmi_io_edge_is_whole(const char *text, int64_t length) {
    int64_t i = length > 0 && (*text == '-' || *text == '+');
    if (i == length)
        return false;
    for (; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return true;
}

bool dgmi_io_edge_is_text(const char *text, int64_t length) {
    return !memchr(text, '\0', (size_t)length) &&
           dgmi_utf8_check(text, (size_t)length) == (size_t)length;
}
