/* SPDX-License-Identifier: Apache-2.0 */
/* Text edge lists.
 *
 * One edge a line: two ids, and perhaps a weight. Lines that are empty or begin with # or % or //
 * are passed over; \r\n ends a line too; a UTF-8 byte order mark is passed over. A field in double
 * quotes may hold separators, newlines, and "" for a quote.
 *
 * Separator. The first line decides: if it is all numbers when cut at blanks and tabs, at commas,
 * or at semicolons, that is the separator; otherwise the first of tab, comma, semicolon that cuts
 * it at all; otherwise blanks, which also cut two ids before a dictionary. Blanks around a field do
 * not count. Empty fields at the end of a line are no columns.
 *
 * Header. The first line is a header if it names both ends (source/src/from/u, target/dst/to/v and
 * a few more); or if its first two fields are no numbers and the second line's are whole numbers;
 * or if they are no numbers, its third is none, and the second line's third is one; or if no field
 * of it has a digit, and the second line's third begins with one (a date), so that the first line
 * could not be an edge. Any other first line is an edge: another header over names must call the
 * ends as above.
 * A header's columns named as above are the ends (otherwise the first two) and
 * weight/w/value/strength is the weight; other columns are not read, with a note.
 *
 * Weight. Without a header the third column is the weight, and columns behind it are not read, with
 * a note. All lines have the same number of columns.
 *
 * Ids. Whole numbers are node numbers. As soon as one id is none, all of them are names, also those
 * before it, and a whole number is the same name however it was written (007 is 7). With
 * DGM_IDS_NAME every id is a name as it stands. Names that are whole numbers come first, ascending;
 * the others by first appearance.
 *
 * Directives. Comments that io_edges_write.c leaves where a graph needs them to come back the same:
 *   # dgm nodes N      there are at least N nodes
 *   # dgm base 1       node numbers count from 1
 *   # dgm names        ids are names as they stand, ordered by first appearance
 *   # dgm node NAME    a node of that name, if it has not appeared yet
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_text.h"
#include "bytes_scan.h"
#include "graph_builder.h"
#include "io_edges.h"
#include "io_formats.h"

enum {
    BLOCK = 1 << 22,   /* bytes read at a time */
    LONGEST = 1 << 20, /* bytes of one record */
    BATCH = 1 << 12,   /* records handed to the builder at a time, on the slow way */
    FEW_LINES = 64,    /* taken the slow way before the fast way is tried again */
    SHOWN = 40,        /* bytes of the text in a message */
};
enum { PIECES = (BLOCK + LONGEST) / DGMI_IO_EDGE_PIECE + 1 };

typedef struct edge_reader {
    dgm_context *ctx;
    dgmi_bytes_stream *stream;
    const dgm_graph_options *options;
    dgmi_io_edge_hints hints;
    dgm_graph_builder *builder;

    int64_t block; /* bytes read at a time */
    int64_t carry; /* that a record may have left of the block before */
    char *buffer;  /* carry + block and slack */
    char *at;      /* the next record */
    char *limit;   /* the end of the last whole line read */
    char *end;     /* of the bytes read */
    bool ended;    /* nothing follows */
    int64_t line;  /* number of the line at `at` */

    bool settled;                   /* the first line was seen: */
    char separator;                 /* as dgmi_io_edge_cut_line takes it */
    int64_t columns;                /* of every line; 0 until an edge was met */
    int64_t source, target, weight; /* their columns; weight -1: none */
    bool dicts;                     /* the third column holds {'weight': 2}, or {} */
    bool dicts_cut;                 /* and in some lines other things too */
    int64_t unweighted;             /* dictionaries without a weight */

    bool names;      /* ids are names, */
    bool verbatim;   /* as they stand, */
    bool ordered;    /* and stay in the order of appearance */
    int64_t base;    /* of node numbers */
    int64_t nodes;   /* that a directive promised */
    int64_t highest; /* node number met; -1: none */
    int64_t records;
    int64_t first_line; /* of the first edge */

    uint32_t *ends; /* BATCH records on their way to the builder */
    double *weights;
    int64_t waiting;
    dgmi_io_edge_piece pieces[PIECES];
    int64_t window;        /* bytes to try the fast way next time */
    dgmi_io_edge_line cut; /* the record at hand */
} edge_reader;

#define fail_line(reader, ...)                                                                     \
    dgmi_fail_at((reader)->ctx, DGM_ERROR_FORMAT, dgmi_bytes_stream_name((reader)->stream),        \
                 (reader)->line, -1, __VA_ARGS__)
/* Arguments for %.*s%s: a field, cut short. */
#define SHOW(field)                                                                                \
    (int)((field)->length < SHOWN ? (field)->length : SHOWN), (field)->text,                       \
        (field)->length > SHOWN ? "..." : ""

/* ---- handing edges on ---- */

static dgm_status flush(edge_reader *reader) {
    int64_t count = reader->waiting;
    reader->waiting = 0;
    return dgm_graph_builder_add(reader->builder, count, reader->ends,
                                 reader->weight >= 0 ? reader->weights : NULL);
}

static dgm_status add_record(edge_reader *reader, uint32_t source, uint32_t target, double weight) {
    reader->ends[2 * reader->waiting] = source;
    reader->ends[2 * reader->waiting + 1] = target;
    reader->weights[reader->waiting++] = weight;
    reader->records++;
    return reader->waiting == BATCH ? flush(reader) : DGM_OK;
}

/* ---- ids ---- */

static dgm_status fail_number(edge_reader *reader, const dgmi_io_edge_field *field, int64_t least) {
    return fail_line(reader,
                     "node id %.*s%s is outside %lld to %lld; with " DGMI_NAMED(
                         "ids=name") " ids are names instead",
                     SHOW(field), (long long)least, (long long)(DGM_MAX_NODES - 1 + reader->base));
}

static dgm_status take_number(edge_reader *reader, const dgmi_io_edge_field *field,
                              uint32_t *node) {
    int64_t number;
    if (!dgmi_parse_integer(field->text, (size_t)field->length, &number) || number < reader->base ||
        number - reader->base >= DGM_MAX_NODES)
        return fail_number(reader, field, reader->base);
    number -= reader->base;
    reader->highest = number > reader->highest ? number : reader->highest;
    *node = (uint32_t)number;
    return DGM_OK;
}

static dgm_status take_name(edge_reader *reader, const dgmi_io_edge_field *field, uint32_t *node) {
    int64_t number;
    char digits[24];
    const char *text = field->text;
    size_t length = (size_t)field->length;
    for (int64_t i = 0; !field->quoted && i < field->length; i++)
        if ((unsigned char)text[i] < ' ')
            return fail_line(reader, "a control character in a name; is the file an edge list?");
    if (!reader->verbatim && dgmi_parse_integer(text, length, &number)) {
        length = (size_t)snprintf(digits, sizeof digits, "%lld", (long long)number);
        text = digits;
    }
    return dgm_graph_builder_node(reader->builder, text, length, node);
}

/* From here on ids are names; those so far become names too. */
static dgm_status turn_to_names(edge_reader *reader, const dgmi_io_edge_field *field) {
    if (reader->hints.numbers_only)
        return fail_line(reader, "node id \"%.*s%s\" is not a whole number", SHOW(field));
    dgm_status status = flush(reader);
    if (status == DGM_OK) {
        dgm_graph_builder_set_name_base(reader->builder, reader->base);
        status = dgmi_graph_builder_name_numbers(reader->builder);
    }
    reader->names = true;
    return status;
}

static dgm_status check_id(edge_reader *reader, const dgmi_io_edge_field *field) {
    if (field->length == 0 && !field->quoted)
        return fail_line(reader, "an empty node id");
    if (!reader->names && !dgmi_io_edge_is_whole(field->text, field->length))
        return turn_to_names(reader, field);
    return DGM_OK;
}

/* ---- edges ---- */

static dgm_status fail_columns(edge_reader *reader, int64_t count) {
    if (count < 2)
        return fail_line(reader, "one field, where an edge has two node ids");
    return fail_line(reader, "%lld columns, where line %lld has %lld", (long long)count,
                     (long long)reader->first_line, (long long)reader->columns);
}

/* Columns behind those that are read. */
static bool skips_columns(const edge_reader *reader) {
    return reader->columns > (reader->weight >= 0 ? 3 : 2);
}

static dgm_status check_columns(edge_reader *reader) {
    int64_t count = reader->cut.count;
    if (reader->columns == 0 && count >= 2) {
        reader->columns = count;
        reader->first_line = reader->line;
        int64_t last = reader->source > reader->target ? reader->source : reader->target;
        last = reader->weight > last ? reader->weight : last;
        if (last >= count)
            return fail_line(reader, "%lld columns, where the header names %lld", (long long)count,
                             (long long)last + 1);
    }
    bool enough = count == reader->columns ||
                  (skips_columns(reader) && count >= 3 && count > reader->source &&
                   count > reader->target && count > reader->weight);
    return enough && count >= 2 ? DGM_OK : fail_columns(reader, count);
}

/* The first weight among dictionaries makes the graph weighted; the edges so far stay as they are,
 * and weigh 1. */
static dgm_status begin_weights(edge_reader *reader) {
    dgm_status status = flush(reader);
    reader->weight = 2;
    return status;
}

/* An edge whose dictionary has no weight weighs 1. */
static dgm_status take_dict(edge_reader *reader, const dgmi_io_edge_field *field, double *weight) {
    dgmi_io_edge_dict found = dgmi_io_edge_dict_weight(field, weight);
    reader->dicts_cut |= dgmi_io_edge_dict_has_more(field);
    reader->unweighted += found == DGMI_IO_DICT_NO_WEIGHT;
    if (found == DGMI_IO_DICT_NO_WEIGHT)
        *weight = 1;
    if (found == DGMI_IO_DICT_BAD_WEIGHT || !isfinite(*weight))
        return fail_line(reader, "the weight in \"%.*s%s\" is not a finite number", SHOW(field));
    return found == DGMI_IO_DICT_WEIGHT && reader->weight < 0 ? begin_weights(reader) : DGM_OK;
}

static dgm_status take_weight(edge_reader *reader, const dgmi_io_edge_field *field,
                              double *weight) {
    *weight = 1;
    if (!field)
        return DGM_OK;
    if (reader->dicts && field->length > 0 && *field->text == '{')
        return take_dict(reader, field, weight);
    if (!dgmi_parse_real(field->text, (size_t)field->length, weight))
        return fail_line(reader,
                         "weight \"%.*s%s\" is not a number; if the column is no weight, begin the "
                         "file with a header line that calls the first two columns source and "
                         "target: other columns are then left out",
                         SHOW(field));
    if (!isfinite(*weight))
        return fail_line(reader, "weight \"%.*s%s\" is not a finite number", SHOW(field));
    return reader->weight < 0 ? begin_weights(reader) : DGM_OK;
}

static dgm_status take_edge(edge_reader *reader) {
    dgm_status status = check_columns(reader);
    if (status != DGM_OK)
        return status;
    dgmi_io_edge_field *fields = reader->cut.fields;
    dgmi_io_edge_field *ends[2] = {&fields[reader->source], &fields[reader->target]};
    uint32_t nodes[2] = {0, 0};
    double weight;
    for (int64_t i = 0; i < reader->cut.count && i < DGMI_IO_EDGE_FIELDS; i++)
        dgmi_io_edge_unquote(&fields[i]);
    for (int e = 0; status == DGM_OK && e < 2; e++)
        status = check_id(reader, ends[e]);
    for (int e = 0; status == DGM_OK && e < 2; e++)
        status = reader->names ? take_name(reader, ends[e], &nodes[e])
                               : take_number(reader, ends[e], &nodes[e]);
    if (status == DGM_OK)
        status = take_weight(reader,
                             reader->dicts         ? &fields[2]
                             : reader->weight >= 0 ? &fields[reader->weight]
                                                   : NULL,
                             &weight);
    return status == DGM_OK ? add_record(reader, nodes[0], nodes[1], weight) : status;
}

/* ---- the first line ---- */

/* The record behind the first one, cut into `second`; false if none is in the buffer. */
static bool cut_second(edge_reader *reader, char *at, dgmi_io_edge_line *second) {
    while (at < reader->limit) {
        at = dgmi_io_edge_skip_blanks(at);
        if (!dgmi_io_edge_is_comment(at))
            return dgmi_io_edge_cut_line(at, reader->limit, reader->separator, second) ==
                   DGMI_IO_CUT_GOOD;
        at = (char *)memchr(at, '\n', (size_t)(reader->limit - at)) + 1;
    }
    return false;
}

static void read_header(edge_reader *reader) {
    const dgmi_io_edge_line *line = &reader->cut;
    int64_t found[DGMI_IO_ROLE_WEIGHT + 1] = {-1, -1, -1, -1};
    int64_t count = line->count < DGMI_IO_EDGE_FIELDS ? line->count : DGMI_IO_EDGE_FIELDS;
    for (int64_t i = 0; i < count; i++) {
        dgmi_io_edge_role role = dgmi_io_edge_role_of(line->fields[i].text, line->fields[i].length);
        if (found[role] < 0)
            found[role] = i;
    }
    if (found[DGMI_IO_ROLE_SOURCE] >= 0 && found[DGMI_IO_ROLE_TARGET] >= 0) {
        reader->source = found[DGMI_IO_ROLE_SOURCE];
        reader->target = found[DGMI_IO_ROLE_TARGET];
    }
    int64_t weight = found[DGMI_IO_ROLE_WEIGHT];
    reader->weight = weight != reader->source && weight != reader->target ? weight : -1;
    for (int64_t i = 0; i < count; i++)
        if (i != reader->source && i != reader->target && i != reader->weight) {
            dgmi_note(reader->ctx,
                      "%s: the column \"%.*s%s\" is not read (an edge has a source, a target and a "
                      "weight)",
                      dgmi_bytes_stream_name(reader->stream), SHOW(&line->fields[i]));
            break;
        }
}

/* What the third column of a list without a header is. */
static void settle_weight(edge_reader *reader) {
    const dgmi_io_edge_field *third = &reader->cut.fields[2];
    reader->dicts = third->length > 0 && *third->text == '{' && !reader->hints.no_weights;
    reader->weight = reader->dicts ? -1 : 2;
    if (reader->cut.count > 3 && !reader->hints.no_weights)
        dgmi_note(reader->ctx, "%s: the third column is the weight, columns behind it are not read",
                  dgmi_bytes_stream_name(reader->stream));
}

static dgm_status refuse_points(edge_reader *reader) {
    return fail_line(
        reader,
        "this looks like a table of points, not of edges: 'dgm convert' with " DGMI_NAMED(
            "knn=10") " "
                      "makes a graph of them; an edge list has a header that names source "
                      "and target, or two ids first (" DGMI_NAMED("ids=name") " takes any)");
}

/* Learns the layout from the first record, which is cut; *header says whether it was a header. */
static dgm_status settle(edge_reader *reader, bool *header) {
    dgmi_io_edge_line second;
    bool has_second = cut_second(reader, reader->cut.next, &second);
    reader->settled = true;
    *header = dgmi_io_edge_is_header(&reader->cut, has_second ? &second : NULL);
    bool points = !*header && dgmi_io_edge_is_point(&reader->cut, NULL);
    points |= has_second && dgmi_io_edge_is_point(&second, *header ? &reader->cut : NULL);
    if (points && !reader->names && !reader->hints.numbers_only)
        return refuse_points(reader);
    if (*header) {
        read_header(reader);
    } else if (reader->cut.count > 2) {
        settle_weight(reader);
    }
    if (reader->hints.no_weights)
        reader->weight = -1;
    return DGM_OK;
}

/* ---- directives ---- */

/* The word's end if it stands at `at`, followed by a blank or the line's end; NULL otherwise. */
static char *match_word(char *at, const char *word) {
    size_t length = strlen(word);
    if (strncmp(at, word, length) != 0)
        return NULL;
    at += length;
    return *at == ' ' || *at == '\t' || *at == '\n' || *at == '\r' ? dgmi_io_edge_skip_blanks(at)
                                                                   : NULL;
}

static bool parse_count(const dgmi_io_edge_line *line, int64_t *number) {
    return line->count == 1 &&
           dgmi_parse_integer(line->fields[0].text, (size_t)line->fields[0].length, number);
}

static dgm_status declare_node(edge_reader *reader) {
    dgmi_io_edge_field *field = &reader->cut.fields[0];
    uint32_t node;
    if (reader->cut.count != 1)
        return fail_line(reader, "\"# dgm node\" is followed by one name");
    dgmi_io_edge_unquote(field);
    if (!dgmi_io_edge_is_text(field->text, field->length))
        return fail_line(reader, "this is no UTF-8 text; is the file an edge list?");
    dgm_status status = reader->names ? DGM_OK : turn_to_names(reader, field);
    return status == DGM_OK ? take_name(reader, field, &node) : status;
}

static dgm_status set_base(edge_reader *reader) {
    int64_t base;
    if (!parse_count(&reader->cut, &base) || base < 0 || base > 1)
        return fail_line(reader, "\"# dgm base\" is followed by 0 or 1");
    if (reader->records)
        return fail_line(reader, "\"# dgm base\" must stand before the first edge");
    reader->base = base;
    return DGM_OK;
}

static dgm_status set_nodes(edge_reader *reader) {
    if (!parse_count(&reader->cut, &reader->nodes) || reader->nodes < 0 ||
        reader->nodes > DGM_MAX_NODES)
        return fail_line(reader, "\"# dgm nodes\" is followed by a number of nodes, at most %lld",
                         (long long)DGM_MAX_NODES);
    return DGM_OK;
}

static dgm_status set_names(edge_reader *reader) {
    if (reader->records || reader->hints.numbers_only)
        return fail_line(reader, "\"# dgm names\" must stand before the first edge, and where ids "
                                 "may be names");
    reader->names = reader->verbatim = reader->ordered = true;
    return DGM_OK;
}

static dgm_status cut_at(edge_reader *reader, char *at, char separator, bool *more);

/* The comment at `at`, which may be a directive. */
static dgm_status take_comment(edge_reader *reader, char *at, bool *more) {
    static const struct {
        const char *word;
        dgm_status (*take)(edge_reader *reader);
    } directives[] = {{"# dgm nodes", set_nodes},
                      {"# dgm base", set_base},
                      {"# dgm names", set_names},
                      {"# dgm node", declare_node}};
    dgm_status status = DGM_OK;
    reader->cut.next = (char *)memchr(at, '\n', (size_t)(reader->limit - at)) + 1;
    reader->cut.newlines = 1;
    for (size_t d = 0; d < sizeof directives / sizeof *directives; d++) {
        char *behind = match_word(at, directives[d].word);
        if (!behind)
            continue;
        status = cut_at(reader, behind, '\t', more);
        if (status == DGM_OK && !*more)
            status = directives[d].take(reader);
        break;
    }
    return status;
}

/* ---- one record, the slow way ---- */

/* Cuts the record at `at`; *more if it does not end within what was read. */
static dgm_status cut_at(edge_reader *reader, char *at, char separator, bool *more) {
    switch (dgmi_io_edge_cut_line(at, reader->limit, separator, &reader->cut)) {
    case DGMI_IO_CUT_UNCLOSED:
        *more = !reader->ended;
        return *more ? DGM_OK : fail_line(reader, "a quote is opened here and not closed");
    case DGMI_IO_CUT_QUOTE_TEXT:
        return fail_line(reader, "text behind a closing quote; a quote inside quotes is doubled");
    case DGMI_IO_CUT_GOOD:
        break;
    }
    return DGM_OK;
}

static dgm_status take_line(edge_reader *reader, char *at, bool *more) {
    bool header = false;
    if (!reader->separator || !reader->settled)
        reader->separator = dgmi_io_edge_separator(at, reader->limit);
    dgm_status status = cut_at(reader, at, reader->separator, more);
    if (status != DGM_OK || *more)
        return status;
    if (!dgmi_io_edge_is_text(at, reader->cut.next - at))
        return fail_line(reader, "this is no UTF-8 text; is the file an edge list?");
    if (!reader->settled)
        status = settle(reader, &header);
    return header || status != DGM_OK ? status : take_edge(reader);
}

/* Takes what stands at reader->at, a record or a comment. */
static dgm_status take_record(edge_reader *reader, bool *more) {
    char *at = dgmi_io_edge_skip_blanks(reader->at);
    dgm_status status =
        dgmi_io_edge_is_comment(at) ? take_comment(reader, at, more) : take_line(reader, at, more);
    if (status == DGM_OK && !*more) {
        reader->at = reader->cut.next;
        reader->line += reader->cut.newlines;
    }
    return status;
}

/* ---- many records, the fast way ---- */

static bool is_plain(const edge_reader *reader) {
    return reader->settled && reader->columns && !reader->names && !reader->dicts &&
           reader->source == 0 && reader->target == 1 &&
           (reader->weight == 2 || reader->weight < 0);
}

static dgm_status take_piece(edge_reader *reader, const dgmi_io_edge_piece *piece) {
    if (piece->records && piece->highest > reader->highest)
        reader->highest = piece->highest;
    reader->records += piece->records;
    reader->line += piece->lines;
    reader->at = reader->buffer + (piece->stop - reader->buffer);
    return dgm_graph_builder_add(reader->builder, piece->records, piece->ends, piece->weights);
}

/* Room for what the threads find; a text of less than a piece needs less. */
static dgm_status prepare_pieces(edge_reader *reader) {
    int64_t count = dgmi_chunks(reader->limit - reader->at, DGMI_IO_EDGE_PIECE);
    int64_t text = reader->carry + reader->block;
    int64_t records = text < DGMI_IO_EDGE_PIECE ? text / 4 + 2 : DGMI_IO_EDGE_RECORDS;
    for (int64_t p = 0; p < count; p++) {
        dgmi_io_edge_piece *piece = &reader->pieces[p];
        if (piece->ends)
            continue;
        piece->ends = dgmi_scratch(reader->ctx, 2 * records, sizeof *piece->ends);
        if (reader->weight >= 0)
            piece->weights = dgmi_scratch(reader->ctx, records, sizeof *piece->weights);
        if (!piece->ends || (reader->weight >= 0 && !piece->weights))
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

/* The end of the lines to try. Behind a line that is not plain there may soon be another, and all
 * that other threads parse past it is lost: then less is tried, and more again once it was all
 * plain. */
static char *window_end(const edge_reader *reader) {
    if (reader->limit - reader->at <= reader->window)
        return reader->limit;
    char *inside = reader->at + reader->window - 1;
    return (char *)memchr(inside, '\n', (size_t)(reader->limit - inside)) + 1;
}

/* Takes plain lines up to the first that is not. */
static dgm_status take_plain(edge_reader *reader) {
    dgmi_io_edge_layout layout = {reader->separator, reader->weight >= 0, skips_columns(reader),
                                  reader->base};
    dgm_status status = flush(reader);
    if (status == DGM_OK)
        status = prepare_pieces(reader);
    if (status != DGM_OK)
        return status;
    char *end = window_end(reader);
    int64_t count =
        dgmi_io_edge_parse_numbers(reader->ctx, &layout, reader->at, end, reader->pieces);
    for (int64_t p = 0; status == DGM_OK && p < count; p++) {
        const dgmi_io_edge_piece *piece = &reader->pieces[p];
        status = take_piece(reader, piece);
        if (piece->stop < piece->end)
            break;
    }
    if (reader->at < end)
        reader->window = DGMI_IO_EDGE_PIECE;
    else if (reader->window < BLOCK)
        reader->window *= 2;
    return status;
}

/* ---- the text ---- */

/* Moves what is left to the front and reads on. */
static dgm_status fill(edge_reader *reader) {
    int64_t left = reader->end - reader->at, got;
    if (left > reader->carry)
        return fail_line(reader,
                         "more than %d bytes without an end of the line or of a quote; is the "
                         "file an edge list?",
                         (int)reader->carry);
    memmove(reader->buffer, reader->at, (size_t)left);
    reader->at = reader->buffer;
    dgm_status status =
        dgmi_bytes_stream_read(reader->stream, reader->buffer + left, reader->block, &got);
    if (status != DGM_OK)
        return status;
    reader->ended = got < reader->block;
    reader->end = reader->buffer + left + got;
    memset(reader->end, 0, DGMI_IO_EDGE_SLACK);
    if (reader->ended && reader->end > reader->buffer && reader->end[-1] != '\n')
        *reader->end++ = '\n';
    const char *newline = memrchr(reader->buffer, '\n', (size_t)(reader->end - reader->buffer));
    reader->limit = newline ? reader->buffer + (newline + 1 - reader->buffer) : reader->buffer;
    return dgmi_progress(reader->ctx, "reading edges", dgmi_bytes_stream_fraction(reader->stream));
}

/* Takes all whole records of the buffer. */
static dgm_status take_block(edge_reader *reader) {
    dgm_status status = DGM_OK;
    bool more = false;
    int64_t patience = FEW_LINES;
    while (status == DGM_OK && !more && reader->at < reader->limit) {
        const char *before = reader->at;
        if (is_plain(reader))
            status = take_plain(reader);
        patience = reader->at > before ? FEW_LINES : 2 * patience;
        for (int64_t i = 0; i < patience && status == DGM_OK && !more && reader->at < reader->limit;
             i++)
            status = take_record(reader, &more);
    }
    return status;
}

static dgm_status skip_mark(edge_reader *reader) {
    const char *data;
    int64_t size, got;
    dgm_status status = dgmi_bytes_stream_peek(reader->stream, &data, &size);
    if (status != DGM_OK)
        return status;
    if (size >= 2 && (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0))
        return fail_line(reader, "this is UTF-16 text; save it as UTF-8");
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
        status = dgmi_bytes_stream_read(reader->stream, reader->buffer, 3, &got);
    return status;
}

/* ---- the end ---- */

/* Nodes up to the highest number exist: a few edges with huge numbers are not worth gigabytes of
 * nodes. */
static dgm_status check_sparse(edge_reader *reader) {
    int64_t nodes = reader->highest + 1 > reader->nodes ? reader->highest + 1 : reader->nodes;
    const char *name = dgmi_bytes_stream_name(reader->stream);
    dgm_status status =
        dgmi_bytes_check_sparse_nodes(reader->ctx, name, nodes, reader->records, reader->options);
    if (status == DGM_OK)
        return dgm_graph_builder_reserve_nodes(reader->builder, reader->nodes);
    if (reader->nodes == nodes)
        return status;
    return dgmi_fail_at(
        reader->ctx, DGM_ERROR_FORMAT, name, 0, -1,
        "node ids go up to %lld with only %lld edges, and all nodes up to there would "
        "be made; with " DGMI_NAMED("ids=name") " only those that occur are (or say " DGMI_NAMED(
            "nodes=%lld") ")",
        (long long)(nodes - 1 + reader->base), (long long)reader->records, (long long)nodes);
}

static void say_dicts(const edge_reader *reader) {
    const char *name = dgmi_bytes_stream_name(reader->stream);
    if (reader->dicts_cut)
        dgmi_note(reader->ctx, "%s: attributes of edges other than the weight are left out", name);
    if (reader->weight >= 0 && reader->unweighted > 0)
        dgmi_note(reader->ctx, "%s: %lld edge%s without a weight, counted as 1", name,
                  (long long)reader->unweighted, reader->unweighted == 1 ? "" : "s");
}

static dgm_status finish(edge_reader *reader) {
    dgm_status status = flush(reader);
    if (status != DGM_OK)
        return status;
    say_dicts(reader);
    if (reader->names)
        return reader->ordered || !dgmi_graph_builder_has_names(reader->builder)
                   ? DGM_OK
                   : dgmi_graph_builder_sort_names(reader->builder);
    dgm_graph_builder_set_name_base(reader->builder, reader->base);
    return check_sparse(reader);
}

/* A small file takes little memory. */
static int64_t block_size(const dgmi_bytes_stream *stream) {
    int64_t done, total;
    dgmi_bytes_stream_position(stream, &done, &total);
    bool small = total >= 0 && total < BLOCK && !dgmi_bytes_stream_is_packed(stream);
    return small ? total + 1 : BLOCK;
}

static dgm_status read_text(edge_reader *reader) {
    dgm_context *ctx = reader->ctx;
    reader->block = block_size(reader->stream);
    reader->carry = reader->block < LONGEST ? reader->block : LONGEST;
    reader->buffer = dgmi_scratch(ctx, reader->carry + reader->block + DGMI_IO_EDGE_SLACK + 1, 1);
    reader->ends = dgmi_scratch(ctx, 2 * BATCH, sizeof *reader->ends);
    reader->weights = dgmi_scratch(ctx, BATCH, sizeof *reader->weights);
    if (!reader->buffer || !reader->ends || !reader->weights)
        return DGM_ERROR_MEMORY;
    reader->at = reader->end = reader->buffer;
    dgm_status status = skip_mark(reader);
    while (status == DGM_OK && !reader->ended) {
        status = fill(reader);
        if (status == DGM_OK)
            status = take_block(reader);
    }
    return status == DGM_OK ? finish(reader) : status;
}

dgm_status dgmi_io_read_edges_hinted(dgm_context *ctx, dgmi_bytes_stream *stream,
                                     const dgm_graph_options *options,
                                     const dgmi_io_edge_hints *hints, dgm_graph_builder *builder) {
    dgmi_hold hold = dgmi_arena_hold(ctx);
    dgm_status status = DGM_ERROR_MEMORY;
    edge_reader *reader = dgmi_scratch_zero(ctx, 1, sizeof *reader);
    if (reader) {
        reader->ctx = ctx;
        reader->stream = stream;
        reader->options = options;
        reader->hints = *hints;
        reader->builder = builder;
        reader->line = 1;
        reader->base = hints->base;
        reader->names = reader->verbatim = options->ids == DGM_IDS_NAME && !hints->numbers_only;
        reader->target = 1;
        reader->weight = -1;
        reader->highest = -1;
        reader->window = BLOCK + LONGEST;
        status = read_text(reader);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

dgm_status dgmi_io_read_edges(dgm_context *ctx, dgmi_bytes_stream *stream,
                              const dgm_graph_options *options, dgm_graph_builder *builder) {
    const dgmi_io_edge_hints none = {false, false, 0};
    return dgmi_io_read_edges_hinted(ctx, stream, options, &none, builder);
}
