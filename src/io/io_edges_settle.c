/* SPDX-License-Identifier: Apache-2.0 */
/* What an edge list says of itself: its first line, which may be a header, and comments that are
 * directives.
 */
#include <string.h>

#include "base_text.h"
#include "io_edges_reader.h"

/* ---- the first line ---- */

/* The record behind the first one, cut into `second`; false if none is in the buffer. */
static bool cut_second(dgmi_io_edge_reader *reader, char *at, dgmi_io_edge_line *second) {
    while (at < reader->limit) {
        at = dgmi_io_edge_skip_blanks(at);
        if (!dgmi_io_edge_is_comment(at))
            return dgmi_io_edge_cut_line(at, reader->limit, reader->separator, second) ==
                   DGMI_IO_CUT_GOOD;
        at = (char *)memchr(at, '\n', (size_t)(reader->limit - at)) + 1;
    }
    return false;
}

static void read_header(dgmi_io_edge_reader *reader) {
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
                      dgmi_bytes_stream_name(reader->stream), DGMI_IO_EDGE_SHOW(&line->fields[i]));
            break;
        }
}

/* What the third column of a list without a header is. */
static void settle_weight(dgmi_io_edge_reader *reader) {
    const dgmi_io_edge_field *third = &reader->cut.fields[2];
    reader->dicts = third->length > 0 && *third->text == '{' && !reader->hints.no_weights;
    reader->weight = reader->dicts ? -1 : 2;
    if (reader->cut.count > 3 && !reader->hints.no_weights)
        dgmi_note(reader->ctx, "%s: the third column is the weight, columns behind it are not read",
                  dgmi_bytes_stream_name(reader->stream));
}

static dgm_status refuse_points(dgmi_io_edge_reader *reader) {
    return dgmi_io_edge_fail(
        reader,
        "this looks like a table of points, not of edges: 'dgm convert' with " DGMI_NAMED(
            "knn=10") " "
                      "makes a graph of them; an edge list has a header that names source "
                      "and target, or two ids first (" DGMI_NAMED("ids=name") " takes any)");
}

/* "",b,1: an edge of the node whose name is empty, and its weight. */
static bool is_edge_of_nobody(const dgmi_io_edge_line *line) {
    return line->fields[0].quoted && line->count == 3 && !line->fields[2].quoted;
}

/* A square with the same names over its columns and before its rows, whose corner is empty or left
 * out: the first name of both is the same. */
static bool is_matrix(const dgmi_io_edge_line *first, const dgmi_io_edge_line *second) {
    const int64_t corner = first->fields[0].length == 0 && !is_edge_of_nobody(first);
    const int64_t names = first->count - corner;
    if (names < 2 || second->count != names + 1)
        return false;
    const dgmi_io_edge_field *column = &first->fields[corner], *row = &second->fields[0];
    return column->length > 0 && column->length == row->length &&
           memcmp(column->text, row->text, (size_t)row->length) == 0;
}

static dgm_status refuse_matrix(dgmi_io_edge_reader *reader) {
    return dgmi_io_edge_fail(reader, "this looks like a matrix of all pairs of nodes, not like a "
                                     "list of edges, which has a line for each: source, target "
                                     "and perhaps weight");
}

dgm_status dgmi_io_edge_settle(dgmi_io_edge_reader *reader, bool *header) {
    dgmi_io_edge_line second;
    bool has_second = cut_second(reader, reader->cut.next, &second);
    reader->settled = true;
    if (has_second && is_matrix(&reader->cut, &second))
        return refuse_matrix(reader);
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

static dgm_status declare_node(dgmi_io_edge_reader *reader) {
    dgmi_io_edge_field *field = &reader->cut.fields[0];
    uint32_t node;
    if (reader->cut.count != 1)
        return dgmi_io_edge_fail(reader, "\"# dgm node\" is followed by one name");
    dgmi_io_edge_unquote(field);
    if (!dgmi_io_edge_is_text(field->text, field->length))
        return dgmi_io_edge_fail(reader, "this is no UTF-8 text; is the file an edge list?");
    dgm_status status = reader->names ? DGM_OK : dgmi_io_edge_turn_to_names(reader, field);
    return status == DGM_OK ? dgmi_io_edge_take_name(reader, field, &node) : status;
}

static dgm_status set_base(dgmi_io_edge_reader *reader) {
    int64_t base;
    if (!parse_count(&reader->cut, &base) || base < 0 || base > 1)
        return dgmi_io_edge_fail(reader, "\"# dgm base\" is followed by 0 or 1");
    if (reader->records)
        return dgmi_io_edge_fail(reader, "\"# dgm base\" must stand before the first edge");
    if (base < reader->hints.base)
        return dgmi_io_edge_fail(reader, "the node numbers of such a file begin at 1");
    reader->base = base;
    return DGM_OK;
}

static dgm_status set_nodes(dgmi_io_edge_reader *reader) {
    if (!parse_count(&reader->cut, &reader->nodes) || reader->nodes < 0 ||
        reader->nodes > DGM_MAX_NODES)
        return dgmi_io_edge_fail(reader,
                                 "\"# dgm nodes\" is followed by a number of nodes, at most %lld",
                                 (long long)DGM_MAX_NODES);
    return DGM_OK;
}

static dgm_status set_names(dgmi_io_edge_reader *reader) {
    if (reader->records || reader->hints.numbers_only)
        return dgmi_io_edge_fail(reader,
                                 "\"# dgm names\" must stand before the first edge, and where ids "
                                 "may be names");
    reader->names = reader->verbatim = reader->ordered = true;
    return DGM_OK;
}

dgm_status dgmi_io_edge_take_comment(dgmi_io_edge_reader *reader, char *at, bool *more) {
    static const struct {
        const char *word;
        dgm_status (*take)(dgmi_io_edge_reader *reader);
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
        status = dgmi_io_edge_cut_at(reader, behind, '\t', more);
        if (status == DGM_OK && !*more)
            status = directives[d].take(reader);
        break;
    }
    return status;
}
