/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a graph's format and calls its reader or writer.
 *
 * The extension (inside all compression) decides. Names that say nothing (.txt, .dat, .xml, none at
 * all, standard input) are decided by the first bytes, and text that looks like no other format is
 * an edge list.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "graph_builder.h"
#include "io_foreign.h"
#include "io_formats.h"

enum {
    MAX_EXTENSIONS = 8,
    MOST_GAPS = 100, /* node numbers for each one that occurs */
};

typedef struct format_row {
    const char *extensions[MAX_EXTENSIONS + 1]; /* the first is the usual one */
    dgmi_io_graph_reader *read;                 /* NULL: folders */
    dgmi_io_graph_writer *write;
} format_row;

static const format_row formats[] = {
    [DGM_FORMAT_AUTO] = {{NULL}, NULL, NULL},
    [DGM_FORMAT_EDGES] = {{".tsv", ".csv", ".edges", ".el", ".edgelist", ".ncol", ".txt", ".wel"},
                          dgmi_io_read_edges,
                          dgmi_io_write_edges},
    [DGM_FORMAT_MTX] = {{".mtx", ".mm"}, dgmi_io_read_mtx, dgmi_io_write_mtx},
    [DGM_FORMAT_METIS] = {{".graph", ".metis"}, dgmi_io_read_metis, dgmi_io_write_metis},
    [DGM_FORMAT_GRAPHML] = {{".graphml"}, dgmi_io_read_graphml, dgmi_io_write_graphml},
    [DGM_FORMAT_GEXF] = {{".gexf"}, dgmi_io_read_gexf, dgmi_io_write_gexf},
    [DGM_FORMAT_GML] = {{".gml"}, dgmi_io_read_gml, dgmi_io_write_gml},
    [DGM_FORMAT_JSON] = {{".json"}, dgmi_io_read_json, dgmi_io_write_json},
    [DGM_FORMAT_NPZ] = {{".npz"}, dgmi_io_read_npz, dgmi_io_write_npz},
    [DGM_FORMAT_NPY] = {{".npy"}, dgmi_io_read_npy, dgmi_io_write_npy},
    [DGM_FORMAT_PAJEK] = {{".net", ".paj"}, dgmi_io_read_pajek, NULL},
    [DGM_FORMAT_LGL] = {{".lgl"}, dgmi_io_read_lgl, NULL},
    [DGM_FORMAT_FOLDER] = {{NULL}, NULL, NULL},
    [DGM_FORMAT_TU] = {{NULL}, NULL, NULL},
};
enum { FORMATS = sizeof formats / sizeof *formats };
static_assert(FORMATS == DGM_FORMAT_TU + 1, "one row a format");

const char *const dgmi_io_format_names[] = {
    [DGM_FORMAT_AUTO] = "auto",     [DGM_FORMAT_EDGES] = "edges",     [DGM_FORMAT_MTX] = "mtx",
    [DGM_FORMAT_METIS] = "metis",   [DGM_FORMAT_GRAPHML] = "graphml", [DGM_FORMAT_GEXF] = "gexf",
    [DGM_FORMAT_GML] = "gml",       [DGM_FORMAT_JSON] = "json",       [DGM_FORMAT_NPZ] = "npz",
    [DGM_FORMAT_NPY] = "npy",       [DGM_FORMAT_PAJEK] = "pajek",     [DGM_FORMAT_LGL] = "lgl",
    [DGM_FORMAT_FOLDER] = "folder", [DGM_FORMAT_TU] = "tu",           [FORMATS] = NULL,
};
static_assert(sizeof dgmi_io_format_names / sizeof *dgmi_io_format_names == FORMATS + 1,
              "one name a format");

const char *const *dgm_format_names(void) {
    return dgmi_io_format_names;
}

/* ---- finding the format ---- */

static dgm_format format_of_extension(const char *name) {
    for (int f = 0; f < FORMATS; f++)
        for (int e = 0; formats[f].extensions[e]; e++)
            if (dgmi_bytes_ends_with(name, formats[f].extensions[e]))
                return (dgm_format)f;
    return DGM_FORMAT_AUTO;
}

dgmi_io_graph_reader *dgmi_io_reader_of(const char *name) {
    return formats[format_of_extension(name)].read;
}

/* Whether the word stands at the beginning of a line. */
static bool starts_a_line(const char *data, int64_t size, const char *word) {
    size_t length = strlen(word);
    for (const char *at = data; at && data + size - at >= (int64_t)length;) {
        if (strncmp(at, word, length) == 0)
            return true;
        const char *newline = memchr(at, '\n', (size_t)(data + size - at));
        at = newline ? newline + 1 : NULL;
    }
    return false;
}

static bool holds(const char *data, int64_t size, const char *word) {
    return memmem(data, (size_t)size, word, strlen(word)) != NULL;
}

static dgm_format format_of_content(const char *data, int64_t size) {
    if (size >= 6 && memcmp(data, "\x93NUMPY", 6) == 0)
        return DGM_FORMAT_NPY;
    if (size >= 14 && strncasecmp(data, "%%MatrixMarket", 14) == 0)
        return DGM_FORMAT_MTX;
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
        data += 3;
        size -= 3;
    }
    while (size > 0 && strchr(" \t\r\n", *data)) {
        data++;
        size--;
    }
    if (size > 0 && *data == '<' && holds(data, size, "<graphml"))
        return DGM_FORMAT_GRAPHML;
    if (size > 0 && *data == '<' && holds(data, size, "<gexf"))
        return DGM_FORMAT_GEXF;
    if (size > 0 && *data == '{')
        return DGM_FORMAT_JSON;
    if (size >= 9 && strncasecmp(data, "*vertices", 9) == 0)
        return DGM_FORMAT_PAJEK;
    if (starts_a_line(data, size, "graph [") || starts_a_line(data, size, "graph\n[") ||
        starts_a_line(data, size, "graph\r\n["))
        return DGM_FORMAT_GML;
    return DGM_FORMAT_EDGES;
}

/* *format is never AUTO afterwards. */
static dgm_status find_format(dgmi_bytes_stream *stream, dgm_format *format) {
    const char *data;
    int64_t size;
    dgm_status status = dgmi_bytes_stream_peek(stream, &data, &size);
    if (status != DGM_OK || *format != DGM_FORMAT_AUTO)
        return status;
    const char *name = dgmi_bytes_stream_inner_name(stream);
    *format = format_of_extension(name);
    bool banner = size >= 14 && strncasecmp(data, "%%MatrixMarket", 14) == 0;
    if (*format == DGM_FORMAT_AUTO || dgmi_bytes_ends_with(name, ".txt") ||
        (*format == DGM_FORMAT_EDGES && banner)) /* collections call such files .edges */
        *format = format_of_content(data, size);
    return DGM_OK;
}

/* ---- reading ---- */

/* An error of the graph as a whole gets the file's name too. */
static dgm_status blame(dgm_context *ctx, dgm_status status, const char *name) {
    dgm_error error = dgm_context_error_parts(ctx);
    if (status != DGM_ERROR_DATA || error.file)
        return status;
    char message[sizeof ctx->message];
    snprintf(message, sizeof message, "%s", error.message);
    return dgmi_fail_in(ctx, status, name, "%s", message);
}

static dgm_status read_stream(dgm_context *ctx, dgmi_bytes_stream *stream, dgm_format format,
                              const dgm_graph_options *options, dgm_graph_builder *builder) {
    const char *data, *name = dgmi_bytes_stream_name(stream);
    int64_t size;
    dgm_status status = find_format(stream, &format);
    if (status == DGM_OK)
        status = dgmi_bytes_stream_peek(stream, &data, &size);
    if (status == DGM_OK && size == 0)
        status = dgmi_fail_in(ctx, DGM_ERROR_FORMAT, name, "the file is empty");
    if (status == DGM_OK && !formats[format].read)
        status = dgmi_fail_in(ctx, DGM_ERROR_FILE, name,
                              "the format \"%s\" is a folder, and this is a file",
                              dgmi_io_format_names[format]);
    return status == DGM_OK ? formats[format].read(ctx, stream, options, builder) : status;
}

/* An .npz is a zip of several files: its own reader takes it apart. */
static bool is_raw(const char *path, dgm_format format) {
    static const char *const around[] = {".gz", ".xz", ".zst", ".zip"};
    if (format != DGM_FORMAT_NPZ &&
        !(format == DGM_FORMAT_AUTO && dgmi_bytes_ends_with(path, ".npz")))
        return false;
    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
        if (dgmi_bytes_ends_with(path, around[i]))
            return false;
    return true;
}

static dgm_status read_file(dgm_context *ctx, const char *path, dgm_format format,
                            const dgm_graph_options *options, dgm_graph_builder *builder) {
    dgmi_bytes_stream *stream = NULL;
    dgm_status status = dgmi_io_foreign_check(ctx, path, DGMI_IO_WANTED_GRAPH);
    if (status != DGM_OK)
        return status;
    status = is_raw(path, format) ? dgmi_bytes_stream_open_raw(ctx, path, &stream)
                                  : dgmi_bytes_stream_open(ctx, path, &stream);
    if (status == DGM_OK)
        status = read_stream(ctx, stream, format, options, builder);
    dgmi_bytes_stream_close(stream);
    return status;
}

static bool is_folder(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

static bool is_set(const char *folder, dgm_format format) {
    return format == DGM_FORMAT_TU || (format == DGM_FORMAT_AUTO && dgmi_io_is_tu_folder(folder));
}

/* A folder that could not be listed, for want of memory or of open files, is not taken for one that
 * holds no set. */
static dgm_status look_for_set(dgm_context *ctx, const char *folder, dgm_format format, bool *set) {
    errno = 0;
    *set = is_set(folder, format);
    if (*set || (errno != ENOMEM && errno != EMFILE && errno != ENFILE))
        return DGM_OK;
    return dgmi_fail_in(ctx, errno == ENOMEM ? DGM_ERROR_MEMORY : DGM_ERROR_FILE, folder,
                        "cannot be listed: %s", strerror(errno));
}

static dgm_status read_folder(dgm_context *ctx, const char *path, dgm_format format,
                              const dgm_graph_options *options, dgm_graph_builder *builder) {
    if (format == DGM_FORMAT_AUTO || format == DGM_FORMAT_FOLDER)
        return dgmi_io_read_folder(ctx, path, options, builder);
    return dgmi_fail_in(ctx, DGM_ERROR_FILE, path,
                        "this is a folder, and the format \"%s\" is a file",
                        dgmi_io_format_names[format]);
}

/* What people call the data: the last part of the path. */
static dgm_status set_source(dgm_context *ctx, dgm_graph_builder *builder, const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    const char *start = path + length;
    while (start > path && start[-1] != '/')
        start--;
    if (strcmp(path, "-") == 0)
        return dgm_graph_builder_set_source(builder, "standard input");
    char *source = dgmi_strndup(ctx, start, (size_t)(path + length - start));
    if (!source)
        return DGM_ERROR_MEMORY;
    dgm_status status = dgm_graph_builder_set_source(builder, source);
    dgmi_free(ctx, source);
    return status;
}

/* Nodes that have an edge. */
static dgm_status count_met(dgm_context *ctx, const dgm_graph *graph, int64_t *met) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    dgmi_hold hold = dgmi_arena_hold(ctx);
    uint8_t *reached = rows.directed ? dgmi_scratch_zero(ctx, rows.nodes, 1) : NULL;
    dgm_status status = rows.directed && !reached ? DGM_ERROR_MEMORY : DGM_OK;
    for (int64_t i = 0; reached && i < rows.entries; i++)
        reached[rows.targets[i]] = 1;
    *met = 0;
    for (int64_t u = 0; u < rows.nodes; u++)
        *met += rows.offsets[u + 1] > rows.offsets[u] || (reached && reached[u]);
    dgmi_arena_release(ctx, hold);
    return status;
}

/* Numbers that no edge names are nodes too, which is rarely meant where most numbers are missing.
 * Numbers whose only edges are dropped loops cannot be told apart here and count as met. */
static dgm_status check_gaps(dgm_context *ctx, const dgm_graph *graph, const char *name) {
    int64_t nodes = dgm_graph_nodes(graph), met;
    long long highest = (long long)(nodes - 1 + dgm_graph_name_base(graph));
    dgm_status status = count_met(ctx, graph, &met);
    met += dgm_graph_get_counts(graph).loops_dropped;
    if (status != DGM_OK || 2 * met >= nodes)
        return status;
    if (nodes > MOST_GAPS * met)
        return dgmi_fail_in(
            ctx, DGM_ERROR_FORMAT, name,
            "node ids go up to %lld, but only %lld numbers occur; with " DGMI_NAMED(
                "ids=name") " "
                            "only those are nodes, and " DGMI_NAMED("nodes=%lld") " makes all %lld",
            highest, (long long)met, (long long)nodes, (long long)nodes);
    dgmi_note(ctx,
              "%s: node ids go up to %lld, but only %lld of %lld numbers occur; the others are "
              "nodes without edges (" DGMI_NAMED("ids=name") " leaves them out)",
              name, highest, (long long)met, (long long)nodes);
    return DGM_OK;
}

static void say_uneven(dgm_context *ctx, const dgm_graph *graph, const char *name) {
    int64_t uneven = dgm_graph_get_counts(graph).uneven_weights;
    if (uneven)
        dgmi_note(ctx,
                  "%s: %lld %s given in both directions with different weights: the larger counts "
                  "(" DGMI_NAMED("directed") " keeps both)",
                  name, (long long)uneven, uneven == 1 ? "edge is" : "edges are");
}

dgm_status dgmi_io_finish(dgm_context *ctx, dgm_graph_builder *builder, dgm_status status,
                          const char *name, dgm_graph **out) {
    if (status == DGM_OK)
        status = set_source(ctx, builder, name);
    if (strcmp(name, "-") == 0)
        name = "standard input";
    if (status != DGM_OK) {
        dgm_graph_builder_free(builder);
        return blame(ctx, status, name);
    }
    bool by_ids = dgmi_graph_builder_counts_by_ids(builder);
    status = dgm_graph_builder_finish(builder, out);
    if (status == DGM_OK && by_ids)
        status = check_gaps(ctx, *out, name);
    if (status == DGM_OK) {
        say_uneven(ctx, *out, name);
        return DGM_OK;
    }
    dgm_graph_free(*out);
    *out = NULL;
    return blame(ctx, status, name);
}

static dgm_status check_format(dgm_context *ctx, dgm_format format) {
    if ((int)format >= 0 && (int)format < FORMATS)
        return DGM_OK;
    return dgmi_fail(ctx, DGM_ERROR_USAGE, "%d is no graph format", (int)format);
}

/* Checks what the caller gave, and makes a builder. */
static dgm_status begin(dgm_context *ctx, dgm_format format, const dgm_graph_options *options,
                        dgm_graph_options *use, dgm_graph_builder **builder) {
    dgm_status status = check_format(ctx, format);
    if (status == DGM_OK)
        status = DGMI_OPTIONS_TAKE(ctx, dgm_graph_options, ids, options, use);
    return status == DGM_OK ? dgm_graph_builder_create(ctx, use, builder) : status;
}

dgm_status dgm_graph_read(dgm_context *ctx, const char *path, dgm_format format,
                          const dgm_graph_options *options, const dgm_graph_tables *tables,
                          dgm_graph **out) {
    dgm_graph_options use = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder = NULL;
    *out = NULL;
    dgm_status status = check_format(ctx, format);
    if (status == DGM_OK)
        status = DGMI_OPTIONS_TAKE(ctx, dgm_graph_options, ids, options, &use);
    bool folder = strcmp(path, "-") != 0 && is_folder(path), set = false;
    if (status == DGM_OK && folder)
        status = look_for_set(ctx, path, format, &set);
    if (status == DGM_OK && set)
        return dgmi_io_read_tu(ctx, path, &use, tables, out);
    if (status == DGM_OK && use.graph)
        status =
            dgmi_fail_in(ctx, DGM_ERROR_USAGE, strcmp(path, "-") == 0 ? "standard input" : path,
                         DGMI_NAMED("graph") " takes one graph out of a set (a TU folder), "
                                             "and this is a single graph");
    if (status == DGM_OK)
        status = dgm_graph_builder_create(ctx, &use, &builder);
    if (status != DGM_OK)
        return status;
    status = (folder ? read_folder : read_file)(ctx, path, format, &use, builder);
    if (status == DGM_OK && tables && tables->nodes)
        status = dgmi_io_read_node_table(ctx, tables->nodes, builder);
    status = dgmi_io_finish(ctx, builder, status, path, out);
    return status == DGM_OK && tables && tables->labels
               ? dgmi_io_graph_label(ctx, tables->labels, out)
               : status;
}

dgm_status dgm_graph_read_memory(dgm_context *ctx, const void *data, size_t size, const char *name,
                                 dgm_format format, const dgm_graph_options *options,
                                 dgm_graph **out) {
    dgm_graph_options use = DGM_GRAPH_OPTIONS_INIT;
    dgm_graph_builder *builder = NULL;
    dgmi_bytes_stream *stream = NULL;
    *out = NULL;
    dgm_status status = begin(ctx, format, options, &use, &builder);
    if (status != DGM_OK)
        return status;
    status = is_raw(name, format)
                 ? dgmi_bytes_stream_open_memory_raw(ctx, data, size, name, &stream)
                 : dgmi_bytes_stream_open_memory(ctx, data, size, name, &stream);
    if (status == DGM_OK)
        status = read_stream(ctx, stream, format, &use, builder);
    dgmi_bytes_stream_close(stream);
    return dgmi_io_finish(ctx, builder, status, name, out);
}

/* ---- writing ---- */

static int has_columns(const dgm_graph *graph, dgm_attribute_kind kind) {
    for (int64_t k = 0; k < dgm_graph_attributes(graph); k++)
        if (dgm_graph_attribute(graph, k).kind == kind)
            return 1;
    return 0;
}

void dgmi_io_note_losses(dgm_context *ctx, const dgm_graph *graph, const dgmi_bytes_output *output,
                         int keeps) {
    const struct {
        int keeps;
        bool has;
        const char *what;
    } parts[] = {
        {DGMI_IO_KEEPS_NAMES, dgm_graph_name_base(graph) < 0, "names"},
        {DGMI_IO_KEEPS_WEIGHTS, dgm_graph_get_rows(graph).weights != NULL, "weights"},
        {DGMI_IO_KEEPS_LABELS, dgm_graph_labels(graph) != NULL, "labels"},
        {DGMI_IO_KEEPS_SPLITS, dgm_graph_splits(graph) != NULL, "the split"},
        {DGMI_IO_KEEPS_FEATURES, dgm_graph_get_features(graph).width > 0, "features"},
        {DGMI_IO_KEEPS_NUMBERS | DGMI_IO_KEEPS_TEXTS,
         (!(keeps & DGMI_IO_KEEPS_NUMBERS) && has_columns(graph, DGM_ATTRIBUTE_NUMBER)) ||
             (!(keeps & DGMI_IO_KEEPS_TEXTS) && has_columns(graph, DGM_ATTRIBUTE_TEXT)),
         "attributes"},
    };
    char list[128] = "";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t used = strlen(list);
        if (parts[i].has && (keeps & parts[i].keeps) != parts[i].keeps)
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", parts[i].what);
    }
    if (list[0])
        dgmi_note(ctx, "%s: this format does not keep %s", dgmi_bytes_output_name(output), list);
}

static dgm_status fail_unknown(dgm_context *ctx, const char *path) {
    char list[256] = "";
    for (int f = 0; f < FORMATS; f++)
        for (int e = 0; formats[f].write && formats[f].extensions[e] && e < 2; e++) {
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", used ? " " : "",
                     formats[f].extensions[e]);
        }
    return dgmi_fail(ctx, DGM_ERROR_USAGE,
                     "\"%s\": the name's ending tells no graph format; known are %s (and .gz .xz "
                     ".zst behind them), and a folder's name ends in /",
                     path, list);
}

/* Whether something is there that is neither a file nor a folder: a terminal, a pipe, /dev/null. */
static bool is_device(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

static dgm_status find_target(dgm_context *ctx, const char *path, dgm_format *format) {
    size_t length = strlen(path);
    if (*format == DGM_FORMAT_AUTO && strcmp(path, "-") == 0)
        *format = DGM_FORMAT_EDGES;
    if (*format == DGM_FORMAT_AUTO && length > 0 && path[length - 1] == '/')
        *format = DGM_FORMAT_FOLDER;
    if (*format == DGM_FORMAT_AUTO && !dgmi_bytes_ends_with(path, ".zip")) {
        char *inner = dgmi_bytes_inner_name(ctx, path);
        if (!inner)
            return DGM_ERROR_MEMORY;
        *format = format_of_extension(inner);
        dgmi_free(ctx, inner);
    }
    if (*format == DGM_FORMAT_AUTO && is_device(path))
        *format = DGM_FORMAT_EDGES;
    if (*format == DGM_FORMAT_AUTO)
        return fail_unknown(ctx, path);
    if (*format == DGM_FORMAT_TU)
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         "\"%s\": a TU folder holds a set of graphs, and this is a single graph",
                         path);
    if (*format != DGM_FORMAT_FOLDER && !formats[*format].write)
        return dgmi_fail(
            ctx, DGM_ERROR_USAGE,
            "\"%s\": files of the format %s are read, not written; GML and GraphML keep "
            "as much",
            path, dgmi_io_format_names[*format]);
    return DGM_OK;
}

dgm_status dgm_graph_write(dgm_context *ctx, const dgm_graph *graph, const char *path,
                           dgm_format format) {
    dgm_status status = check_format(ctx, format);
    if (status == DGM_OK)
        status = find_target(ctx, path, &format);
    if (status != DGM_OK)
        return status;
    if (format == DGM_FORMAT_FOLDER)
        return dgmi_io_write_folder(ctx, graph, path);
    dgmi_bytes_output *output;
    status = dgmi_bytes_output_open(ctx, path, &output);
    if (status != DGM_OK)
        return status;
    status = formats[format].write(ctx, graph, output);
    if (status == DGM_OK)
        return dgmi_bytes_output_publish(output);
    dgmi_bytes_output_discard(output);
    return status;
}
