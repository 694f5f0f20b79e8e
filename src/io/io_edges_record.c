/* SPDX-License-Identifier: Apache-2.0 */
/* One record of an edge list at a time: its columns, the ids of its ends, its weight. This is the slow
 * way, which knows everything that a list may hold.
 */
#include <math.h>
#include <stdio.h>

#include "base_text.h"
#include "graph_builder.h"
#include "io_edges_reader.h"

/* ---- handing edges on ---- */

dgm_status dgmi_io_edge_flush(dgmi_io_edge_reader *reader) {
    int64_t count = reader->waiting;
    reader->waiting = 0;
    return dgm_graph_builder_add(reader->builder, count, reader->ends,
                                 reader->weight >= 0 ? reader->weights : NULL);
}

static dgm_status add_record(dgmi_io_edge_reader *reader, uint32_t source, uint32_t target,
                             double weight) {
    reader->ends[2 * reader->waiting] = source;
    reader->ends[2 * reader->waiting + 1] = target;
    reader->weights[reader->waiting++] = weight;
    reader->records++;
    return reader->waiting == DGMI_IO_EDGE_BATCH ? dgmi_io_edge_flush(reader) : DGM_OK;
}

/* ---- ids ---- */

static dgm_status fail_number(dgmi_io_edge_reader *reader, const dgmi_io_edge_field *field,
                              int64_t least) {
    return dgmi_io_edge_fail(reader,
                             "node id %.*s%s is outside %lld to %lld; with " DGMI_NAMED(
                                 "ids=name") " ids are names instead",
                             DGMI_IO_EDGE_SHOW(field), (long long)least,
                             (long long)(DGM_MAX_NODES - 1 + reader->base));
}

static dgm_status take_number(dgmi_io_edge_reader *reader, const dgmi_io_edge_field *field,
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

dgm_status dgmi_io_edge_take_name(dgmi_io_edge_reader *reader, const dgmi_io_edge_field *field,
                                  uint32_t *node) {
    int64_t number;
    char digits[24];
    const char *text = field->text;
    size_t length = (size_t)field->length;
    for (int64_t i = 0; !field->quoted && i < field->length; i++)
        if ((unsigned char)text[i] < ' ')
            return dgmi_io_edge_fail(reader,
                                     "a control character in a name; is the file an edge list?");
    if (!reader->verbatim && dgmi_parse_integer(text, length, &number)) {
        length = (size_t)snprintf(digits, sizeof digits, "%lld", (long long)number);
        text = digits;
    }
    return dgm_graph_builder_node(reader->builder, text, length, node);
}

dgm_status dgmi_io_edge_turn_to_names(dgmi_io_edge_reader *reader,
                                      const dgmi_io_edge_field *field) {
    if (reader->hints.numbers_only)
        return dgmi_io_edge_fail(reader, "node id \"%.*s%s\" is not a whole number",
                                 DGMI_IO_EDGE_SHOW(field));
    dgm_status status = dgmi_io_edge_flush(reader);
    if (status == DGM_OK) {
        dgm_graph_builder_set_name_base(reader->builder, reader->base);
        status = dgmi_graph_builder_name_numbers(reader->builder);
    }
    reader->names = true;
    return status;
}

static dgm_status check_id(dgmi_io_edge_reader *reader, const dgmi_io_edge_field *field) {
    if (field->length == 0 && !field->quoted)
        return dgmi_io_edge_fail(reader, "an empty node id");
    if (!reader->names && !dgmi_io_edge_is_whole(field->text, field->length))
        return dgmi_io_edge_turn_to_names(reader, field);
    return DGM_OK;
}

/* ---- edges ---- */

static dgm_status fail_columns(dgmi_io_edge_reader *reader, int64_t count) {
    if (count < 2)
        return dgmi_io_edge_fail(reader, "one field, where an edge has two node ids");
    return dgmi_io_edge_fail(reader, "%lld columns, where line %lld has %lld", (long long)count,
                             (long long)reader->first_line, (long long)reader->columns);
}

bool dgmi_io_edge_skips_columns(const dgmi_io_edge_reader *reader) {
    return reader->columns > (reader->weight >= 0 ? 3 : 2);
}

static dgm_status check_columns(dgmi_io_edge_reader *reader) {
    int64_t count = reader->cut.count;
    if (reader->columns == 0 && count >= 2) {
        reader->columns = count;
        reader->first_line = reader->line;
        int64_t last = reader->source > reader->target ? reader->source : reader->target;
        last = reader->weight > last ? reader->weight : last;
        if (last >= count)
            return dgmi_io_edge_fail(reader, "%lld columns, where the header names %lld",
                                     (long long)count, (long long)last + 1);
    }
    bool enough = count == reader->columns ||
                  (dgmi_io_edge_skips_columns(reader) && count >= 3 && count > reader->source &&
                   count > reader->target && count > reader->weight);
    return enough && count >= 2 ? DGM_OK : fail_columns(reader, count);
}

/* The first weight among dictionaries makes the graph weighted; the edges so far stay as they are,
 * and weigh 1. */
static dgm_status begin_weights(dgmi_io_edge_reader *reader) {
    dgm_status status = dgmi_io_edge_flush(reader);
    reader->weight = 2;
    return status;
}

/* An edge whose dictionary has no weight weighs 1. */
static dgm_status take_dict(dgmi_io_edge_reader *reader, const dgmi_io_edge_field *field,
                            double *weight) {
    dgmi_io_edge_dict found = dgmi_io_edge_dict_weight(field, weight);
    reader->dicts_cut |= dgmi_io_edge_dict_has_more(field);
    reader->unweighted += found == DGMI_IO_DICT_NO_WEIGHT;
    if (found == DGMI_IO_DICT_NO_WEIGHT)
        *weight = 1;
    if (found == DGMI_IO_DICT_BAD_WEIGHT || !isfinite(*weight))
        return dgmi_io_edge_fail(reader, "the weight in \"%.*s%s\" is not a finite number",
                                 DGMI_IO_EDGE_SHOW(field));
    return found == DGMI_IO_DICT_WEIGHT && reader->weight < 0 ? begin_weights(reader) : DGM_OK;
}

static dgm_status take_weight(dgmi_io_edge_reader *reader, const dgmi_io_edge_field *field,
                              double *weight) {
    *weight = 1;
    if (!field)
        return DGM_OK;
    if (reader->dicts && field->length > 0 && *field->text == '{')
        return take_dict(reader, field, weight);
    if (!dgmi_parse_real(field->text, (size_t)field->length, weight))
        return dgmi_io_edge_fail(
            reader,
            "weight \"%.*s%s\" is not a number; if the column is no weight, begin the "
            "file with a header line that calls the first two columns source and "
            "target: other columns are then left out",
            DGMI_IO_EDGE_SHOW(field));
    if (!isfinite(*weight))
        return dgmi_io_edge_fail(reader, "weight \"%.*s%s\" is not a finite number",
                                 DGMI_IO_EDGE_SHOW(field));
    return reader->weight < 0 ? begin_weights(reader) : DGM_OK;
}

static dgm_status take_edge(dgmi_io_edge_reader *reader) {
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
        status = reader->names ? dgmi_io_edge_take_name(reader, ends[e], &nodes[e])
                               : take_number(reader, ends[e], &nodes[e]);
    if (status == DGM_OK)
        status = take_weight(reader,
                             reader->dicts         ? &fields[2]
                             : reader->weight >= 0 ? &fields[reader->weight]
                                                   : NULL,
                             &weight);
    return status == DGM_OK ? add_record(reader, nodes[0], nodes[1], weight) : status;
}

/* ---- a record ---- */

dgm_status dgmi_io_edge_cut_at(dgmi_io_edge_reader *reader, char *at, char separator, bool *more) {
    switch (dgmi_io_edge_cut_line(at, reader->limit, separator, &reader->cut)) {
    case DGMI_IO_CUT_UNCLOSED:
        *more = !reader->ended;
        return *more ? DGM_OK : dgmi_io_edge_fail(reader, "a quote is opened here and not closed");
    case DGMI_IO_CUT_QUOTE_TEXT:
        return dgmi_io_edge_fail(reader,
                                 "text behind a closing quote; a quote inside quotes is doubled");
    case DGMI_IO_CUT_GOOD:
        break;
    }
    return DGM_OK;
}

static dgm_status take_line(dgmi_io_edge_reader *reader, char *at, bool *more) {
    bool header = false;
    if (!reader->settled)
        reader->separator = dgmi_io_edge_separator(at, reader->limit);
    dgm_status status = dgmi_io_edge_cut_at(reader, at, reader->separator, more);
    if (status != DGM_OK || *more)
        return status;
    if (!dgmi_io_edge_is_text(at, reader->cut.next - at))
        return dgmi_io_edge_fail(reader, "this is no UTF-8 text; is the file an edge list?");
    if (!reader->settled)
        status = dgmi_io_edge_settle(reader, &header);
    return header || status != DGM_OK ? status : take_edge(reader);
}

dgm_status dgmi_io_edge_take_record(dgmi_io_edge_reader *reader, bool *more) {
    char *at = dgmi_io_edge_skip_blanks(reader->at);
    dgm_status status = dgmi_io_edge_is_comment(at) ? dgmi_io_edge_take_comment(reader, at, more)
                                                    : take_line(reader, at, more);
    if (status == DGM_OK && !*more) {
        reader->at = reader->cut.next;
        reader->line += reader->cut.newlines;
    }
    return status;
}
