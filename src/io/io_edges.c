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
 * the others by first appearance. Names that a table of nodes gave before stay where they are.
 *
 * Directives. Comments that io_edges_write.c leaves where a graph needs them to come back the same:
 *   # dgm nodes N      there are at least N nodes
 *   # dgm base 1       node numbers count from 1
 *   # dgm names        ids are names as they stand, ordered by first appearance
 *   # dgm node NAME    a node of that name, if it has not appeared yet
 */
#include <string.h>

#include "base_memory.h"
#include "base_parallel.h"
#include "graph_builder.h"
#include "io_edges_reader.h"

enum { FEW_LINES = 64 }; /* taken the slow way before the fast way is tried again */

/* ---- many records, the fast way ---- */

static bool is_plain(const dgmi_io_edge_reader *reader) {
    return reader->settled && reader->columns && !reader->names && !reader->dicts &&
           reader->source == 0 && reader->target == 1 &&
           (reader->weight == 2 || reader->weight < 0);
}

static dgm_status take_piece(dgmi_io_edge_reader *reader, const dgmi_io_edge_piece *piece) {
    if (piece->records && piece->highest > reader->highest)
        reader->highest = piece->highest;
    reader->records += piece->records;
    reader->line += piece->lines;
    reader->at = reader->buffer + (piece->stop - reader->buffer);
    return dgm_graph_builder_add(reader->builder, piece->records, piece->ends, piece->weights);
}

/* Room for what the threads find; a text of less than a piece needs less. */
static dgm_status prepare_pieces(dgmi_io_edge_reader *reader) {
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
static char *window_end(const dgmi_io_edge_reader *reader) {
    if (reader->limit - reader->at <= reader->window)
        return reader->limit;
    char *inside = reader->at + reader->window - 1;
    return (char *)memchr(inside, '\n', (size_t)(reader->limit - inside)) + 1;
}

/* Takes plain lines up to the first that is not. */
static dgm_status take_plain(dgmi_io_edge_reader *reader) {
    dgmi_io_edge_layout layout = {reader->separator, reader->weight >= 0,
                                  dgmi_io_edge_skips_columns(reader), reader->base};
    dgm_status status = dgmi_io_edge_flush(reader);
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
    else if (reader->window < DGMI_IO_EDGE_BLOCK)
        reader->window *= 2;
    return status;
}

/* ---- the text ---- */

/* Moves what is left to the front and reads on. */
static dgm_status fill(dgmi_io_edge_reader *reader) {
    int64_t left = reader->end - reader->at, got;
    if (left > reader->carry)
        return dgmi_io_edge_fail(
            reader,
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
static dgm_status take_block(dgmi_io_edge_reader *reader) {
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
            status = dgmi_io_edge_take_record(reader, &more);
    }
    return status;
}

static dgm_status skip_mark(dgmi_io_edge_reader *reader) {
    const char *data;
    int64_t size, got;
    dgm_status status = dgmi_bytes_stream_peek(reader->stream, &data, &size);
    if (status != DGM_OK)
        return status;
    if (size >= 2 && (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0))
        return dgmi_io_edge_fail(reader, "this is UTF-16 text; save it as UTF-8");
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
        status = dgmi_bytes_stream_read(reader->stream, reader->buffer, 3, &got);
    return status;
}

/* ---- the end ---- */

/* Nodes up to the highest number exist: a few edges with huge numbers are not worth gigabytes of
 * nodes. */
static dgm_status check_sparse(dgmi_io_edge_reader *reader) {
    int64_t nodes = reader->highest + 1 > reader->nodes ? reader->highest + 1 : reader->nodes;
    const char *name = dgmi_bytes_stream_name(reader->stream);
    dgm_status status =
        dgmi_bytes_check_sparse_nodes(reader->ctx, name, nodes, reader->records, reader->options);
    if (status == DGM_OK)
        return dgm_graph_builder_reserve_nodes(reader->builder, reader->nodes);
    if (reader->nodes == nodes)
        return status;
    return dgmi_fail_in(
        reader->ctx, DGM_ERROR_FORMAT, name,
        "node ids go up to %lld with only %lld edges, and all nodes up to there would "
        "be made; with " DGMI_NAMED("ids=name") " only those that occur are (or say " DGMI_NAMED(
            "nodes=%lld") ")",
        (long long)(nodes - 1 + reader->base), (long long)reader->records, (long long)nodes);
}

static void say_dicts(const dgmi_io_edge_reader *reader) {
    const char *name = dgmi_bytes_stream_name(reader->stream);
    if (reader->dicts_cut)
        dgmi_note(reader->ctx, "%s: attributes of edges other than the weight are left out", name);
    if (reader->weight >= 0 && reader->unweighted > 0)
        dgmi_note(reader->ctx, "%s: %lld edge%s without a weight, counted as 1", name,
                  (long long)reader->unweighted, reader->unweighted == 1 ? "" : "s");
}

static dgm_status finish(dgmi_io_edge_reader *reader) {
    dgm_status status = dgmi_io_edge_flush(reader);
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
    bool small = total >= 0 && total < DGMI_IO_EDGE_BLOCK && !dgmi_bytes_stream_is_packed(stream);
    return small ? total + 1 : DGMI_IO_EDGE_BLOCK;
}

static dgm_status read_text(dgmi_io_edge_reader *reader) {
    dgm_context *ctx = reader->ctx;
    reader->block = block_size(reader->stream);
    reader->carry = reader->block < DGMI_IO_EDGE_LONGEST ? reader->block : DGMI_IO_EDGE_LONGEST;
    reader->buffer = dgmi_scratch(ctx, reader->carry + reader->block + DGMI_IO_EDGE_SLACK + 1, 1);
    reader->ends = dgmi_scratch(ctx, 2 * DGMI_IO_EDGE_BATCH, sizeof *reader->ends);
    reader->weights = dgmi_scratch(ctx, DGMI_IO_EDGE_BATCH, sizeof *reader->weights);
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
    dgmi_io_edge_reader *reader = dgmi_scratch_zero(ctx, 1, sizeof *reader);
    if (reader) {
        reader->ctx = ctx;
        reader->stream = stream;
        reader->options = options;
        reader->hints = *hints;
        reader->builder = builder;
        reader->line = 1;
        reader->base = hints->base;
        reader->names = reader->verbatim = options->ids == DGM_IDS_NAME && !hints->numbers_only;
        reader->ordered = dgmi_graph_builder_has_names(builder); /* by a table of nodes */
        reader->target = 1;
        reader->weight = -1;
        reader->highest = -1;
        reader->window = DGMI_IO_EDGE_BLOCK + DGMI_IO_EDGE_LONGEST;
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
