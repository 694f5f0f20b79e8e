/* SPDX-License-Identifier: Apache-2.0 */
/* TU Dortmund folders (Morris et al. 2020): many graphs, which become one that holds them all.
 *
 *   NAME_A.txt                "u, v" on each line, nodes counted from 1 over all graphs
 *   NAME_graph_indicator.txt  the graph of each node, counted from 1
 *   NAME_graph_labels.txt     one per graph; they become the node attribute `graph_label`
 *   NAME_node_labels.txt      one per node; they become the labels
 *   NAME_node_attributes.txt  one row of numbers per node; they become the features
 *
 * The node attribute `graph` holds the number of the graph, counted from 0. Labels and attributes
 * of edges are left out, with a note. Any of the files may be packed (.gz .xz .zst .zip).
 *
 * The indicator need not list the nodes graph by graph. The union has them so: within a graph they
 * stay in the order of the file, and their names are their numbers in the file.
 */
#include "io_tu.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"
#include "bytes_lines.h"
#include "bytes_path.h"
#include "graph_builder.h"

enum { MOST_GAPS = 100 }; /* graphs for each line of the indicator where no labels count them */

#define ADJACENCY "_A.txt"
#define INDICATOR "_graph_indicator.txt"

/* ---- finding the files ---- */

static bool holds(const char *path, const char *name, const char *ending) {
    for (int i = 0; dgmi_bytes_path_packed[i]; i++) {
        char file[4096];
        int length =
            snprintf(file, sizeof file, "%s/%s%s%s", path, name, ending, dgmi_bytes_path_packed[i]);
        if (length < (int)sizeof file && dgmi_bytes_path_is_file(file))
            return true;
    }
    return false;
}

/* Whether the file is NAME followed by the ending, packed or not, and NAME is not empty. */
static bool cut_name(const char *file, const char *ending, char name[DGMI_IO_TU_LONGEST_NAME]) {
    for (int i = 0; dgmi_bytes_path_packed[i]; i++) {
        size_t length = strlen(file), packed = strlen(dgmi_bytes_path_packed[i]);
        size_t tail = strlen(ending) + packed;
        if (length <= tail || length - tail >= DGMI_IO_TU_LONGEST_NAME ||
            strcmp(file + length - packed, dgmi_bytes_path_packed[i]) != 0 ||
            strncmp(file + length - tail, ending, tail - packed) != 0)
            continue;
        memcpy(name, file, length - tail);
        name[length - tail] = '\0';
        return true;
    }
    return false;
}

/* The first NAME in the order of the alphabet with a file of that ending and, unless `other` is
 * NULL, with one of that other ending; false if there is none. */
static bool find_name(const char *path, const char *ending, const char *other,
                      char name[DGMI_IO_TU_LONGEST_NAME]) {
    DIR *folder = opendir(path);
    name[0] = '\0';
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char candidate[DGMI_IO_TU_LONGEST_NAME];
        if (cut_name(entry->d_name, ending, candidate) &&
            (!other || holds(path, candidate, other)) && (!name[0] || strcmp(candidate, name) < 0))
            memcpy(name, candidate, strlen(candidate) + 1);
    }
    if (folder)
        closedir(folder);
    return name[0] != '\0';
}

bool dgmi_io_is_tu_folder(const char *path) {
    char name[DGMI_IO_TU_LONGEST_NAME];
    return find_name(path, ADJACENCY, INDICATOR, name);
}

bool dgmi_io_tu_is_half(const char *path) {
    char name[DGMI_IO_TU_LONGEST_NAME];
    return !dgmi_io_is_tu_folder(path) &&
           (find_name(path, ADJACENCY, NULL, name) || find_name(path, INDICATOR, NULL, name));
}

dgm_status dgmi_io_tu_fail_half(dgm_context *ctx, const char *path) {
    char name[DGMI_IO_TU_LONGEST_NAME];
    bool adjacency = find_name(path, ADJACENCY, NULL, name);
    if (!adjacency && !find_name(path, INDICATOR, NULL, name))
        return dgmi_fail_in(ctx, DGM_ERROR_FILE, path,
                            "no NAME_A.txt with a NAME_graph_indicator.txt in this folder");
    return dgmi_fail_in(ctx, DGM_ERROR_FILE, path,
                        "%s%s is missing in this folder; a set of graphs has it beside %s%s", name,
                        adjacency ? INDICATOR : ADJACENCY, name, adjacency ? ADJACENCY : INDICATOR);
}

dgm_status dgmi_io_tu_find_file(const dgmi_io_tu *tu, const char *what, char **file) {
    char last[2 * DGMI_IO_TU_LONGEST_NAME];
    snprintf(last, sizeof last, "%s_%s.txt", tu->name, what);
    const char *const names[] = {last, NULL};
    return dgmi_bytes_path_find(tu->ctx, tu->path, names, file, NULL);
}

/* One of the two files that were in the folder when it was listed. */
static dgm_status find_needed(const dgmi_io_tu *tu, const char *what, char **file) {
    dgm_status status = dgmi_io_tu_find_file(tu, what, file);
    if (status == DGM_OK && !*file)
        status = dgmi_fail_in(tu->ctx, DGM_ERROR_FILE, tu->path,
                              "%s_%s.txt is no longer in this folder", tu->name, what);
    return status;
}

/* ---- graphs ---- */

static dgm_status read_indicator(dgmi_io_tu *tu) {
    char *file;
    dgm_status status = find_needed(tu, "graph_indicator", &file);
    if (status != DGM_OK)
        return status;
    status = dgmi_bytes_lines_read_column(tu->ctx, file, 1, DGM_MAX_NODES,
                                          "a graph (counted from 1)", &tu->graph_of, &tu->nodes);
    if (status == DGM_OK && tu->nodes == 0)
        status = dgmi_fail_in(tu->ctx, DGM_ERROR_DATA, file,
                              "the file is empty; it has a line with the graph of each node");
    for (int64_t i = 0; i < tu->nodes; i++)
        tu->graphs = tu->graph_of[i] > tu->graphs ? tu->graph_of[i] : tu->graphs;
    dgmi_free(tu->ctx, file);
    return status;
}

/* Labels say how many graphs there are: those at the end may have no nodes. */
static dgm_status read_graph_labels(dgmi_io_tu *tu) {
    char *file;
    int64_t count;
    dgm_status status = dgmi_io_tu_find_file(tu, "graph_labels", &file);
    if (status != DGM_OK || !file)
        return status;
    status = dgmi_bytes_lines_read_column(tu->ctx, file, INT32_MIN, INT32_MAX, "a whole number",
                                          &tu->labels, &count);
    if (status == DGM_OK && count < tu->graphs)
        status = dgmi_fail_in(tu->ctx, DGM_ERROR_DATA, file,
                              "%lld labels, but %s_graph_indicator.txt counts %lld graphs",
                              (long long)count, tu->name, (long long)tu->graphs);
    if (status == DGM_OK)
        tu->graphs = count;
    dgmi_free(tu->ctx, file);
    return status;
}

/* Without labels a high number alone would ask for much memory. */
static dgm_status check_gaps(const dgmi_io_tu *tu) {
    if (tu->labels || tu->graphs <= MOST_GAPS * tu->nodes)
        return DGM_OK;
    return dgmi_fail_in(tu->ctx, DGM_ERROR_DATA, tu->path,
                        "%s_graph_indicator.txt counts %lld graphs, but it has %lld lines and "
                        "there is no %s_graph_labels.txt",
                        tu->name, (long long)tu->graphs, (long long)tu->nodes, tu->name);
}

/* ---- the order of nodes ---- */

static bool is_in_order(const dgmi_io_tu *tu) {
    for (int64_t i = 1; i < tu->nodes; i++)
        if (tu->graph_of[i] < tu->graph_of[i - 1])
            return false;
    return true;
}

/* A counting sort by graph, which keeps the order of the file within a graph. */
static dgm_status find_places(dgmi_io_tu *tu) {
    tu->offsets = dgmi_alloc_zero(tu->ctx, tu->graphs + 1, sizeof *tu->offsets);
    if (!tu->offsets)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < tu->nodes; i++)
        tu->offsets[tu->graph_of[i]]++;
    for (int64_t k = 0; k < tu->graphs; k++)
        tu->offsets[k + 1] += tu->offsets[k];
    if (is_in_order(tu))
        return DGM_OK;
    tu->rank = dgmi_alloc(tu->ctx, tu->nodes, sizeof *tu->rank);
    if (!tu->rank)
        return DGM_ERROR_MEMORY;
    /* Placing moves every start to the next one: shift back. */
    for (int64_t i = 0; i < tu->nodes; i++)
        tu->rank[i] = (uint32_t)tu->offsets[tu->graph_of[i] - 1]++;
    memmove(tu->offsets + 1, tu->offsets, (size_t)tu->graphs * sizeof *tu->offsets);
    tu->offsets[0] = 0;
    return DGM_OK;
}

/* Nodes that move keep their numbers as names. */
static dgm_status reorder(const dgmi_io_tu *tu) {
    if (!tu->rank)
        return DGM_OK;
    dgmi_hold hold = dgmi_arena_hold(tu->ctx);
    uint32_t *line = dgmi_scratch(tu->ctx, tu->nodes, sizeof *line);
    dgm_status status =
        line ? dgmi_graph_builder_renumber(tu->builder, tu->rank) : DGM_ERROR_MEMORY;
    for (int64_t i = 0; line && i < tu->nodes; i++)
        line[tu->rank[i]] = (uint32_t)i;
    for (int64_t u = 0; status == DGM_OK && u < tu->nodes; u++) {
        char name[24];
        uint32_t node;
        int length = snprintf(name, sizeof name, "%lld", (long long)line[u] + 1);
        status = dgm_graph_builder_node(tu->builder, name, (size_t)length, &node);
    }
    dgmi_arena_release(tu->ctx, hold);
    if (status == DGM_OK)
        dgmi_note(tu->ctx,
                  "%s_graph_indicator.txt does not list the nodes graph by graph; they are put in "
                  "that order, and their names are their numbers in the file",
                  tu->name);
    return status;
}

/* ---- edges ---- */

static dgm_status read_edges(const dgmi_io_tu *tu, const char *file,
                             const dgm_graph_options *options) {
    const dgmi_io_edge_hints hints = {.no_weights = true, .numbers_only = true, .base = 1};
    const char *data;
    int64_t size = 0;
    dgmi_bytes_stream *stream = NULL;
    dgm_status status = dgmi_bytes_stream_open(tu->ctx, file, &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_stream_peek(stream, &data, &size);
    if (status == DGM_OK && size > 0)
        status = dgmi_io_read_edges_hinted(tu->ctx, stream, options, &hints, tu->builder);
    dgmi_bytes_stream_close(stream);
    return status;
}

static dgm_status read_adjacency(const dgmi_io_tu *tu, const dgm_graph_options *options) {
    char *file;
    dgm_status status = dgm_graph_builder_reserve_nodes(tu->builder, tu->nodes);
    status = status == DGM_OK ? find_needed(tu, "A", &file) : status;
    if (status != DGM_OK)
        return status;
    dgm_graph_builder_set_name_base(tu->builder, 1);
    status = read_edges(tu, file, options);
    int64_t nodes = dgm_graph_builder_nodes(tu->builder);
    if (status == DGM_OK && nodes > tu->nodes)
        status = dgmi_fail_in(tu->ctx, DGM_ERROR_DATA, file,
                              "%lld nodes are named or asked for, but %s_graph_indicator.txt has "
                              "%lld lines",
                              (long long)nodes, tu->name, (long long)tu->nodes);
    dgmi_free(tu->ctx, file);
    return status;
}

/* The two graphs of a line "u, v", counted from 1; false where they are one. */
static bool crosses(const dgmi_io_tu *tu, const dgmi_bytes_lines *lines, int64_t ends[2]) {
    for (int i = 0; i < 2; i++)
        if (lines->count < 2 ||
            !dgmi_parse_integer(lines->fields[i].text, lines->fields[i].length, &ends[i]) ||
            ends[i] < 1 || ends[i] > tu->nodes)
            return false;
    return tu->graph_of[ends[0] - 1] != tu->graph_of[ends[1] - 1];
}

static dgm_status find_crossing(const dgmi_io_tu *tu, dgmi_bytes_lines *lines) {
    int64_t ends[2];
    dgm_status status;
    while ((status = dgmi_bytes_lines_next(lines)) == DGM_OK && lines->count > 0)
        if (crosses(tu, lines, ends))
            return dgmi_lines_fail(
                lines, DGM_ERROR_DATA,
                "the edge joins node %lld of graph %lld and node %lld of graph %lld (graphs "
                "counted from 0); the graphs of a set must not be joined",
                (long long)ends[0], (long long)tu->graph_of[ends[0] - 1] - 1, (long long)ends[1],
                (long long)tu->graph_of[ends[1] - 1] - 1);
    return status;
}

dgm_status dgmi_io_tu_fail_crossing(const dgmi_io_tu *tu) {
    char *file;
    dgmi_bytes_lines lines;
    dgm_status status = find_needed(tu, "A", &file);
    if (status == DGM_OK)
        status = dgmi_bytes_lines_open(&lines, tu->ctx, file);
    if (status == DGM_OK) {
        status = find_crossing(tu, &lines);
        dgmi_bytes_lines_close(&lines);
    }
    if (status == DGM_OK) /* the file changed meanwhile */
        status = dgmi_fail_in(tu->ctx, DGM_ERROR_DATA, file, "an edge joins two graphs");
    dgmi_free(tu->ctx, file);
    return status;
}

/* ---- what nodes know of their graphs ---- */

/* values[graph] as an attribute of its nodes; NULL: the graph itself, counted from 0. */
static dgm_status add_by_graph(const dgmi_io_tu *tu, const char *name, const int32_t *values) {
    double *numbers = dgmi_alloc(tu->ctx, tu->nodes, sizeof *numbers);
    if (!numbers)
        return DGM_ERROR_MEMORY;
    for (int64_t k = 0; k < tu->graphs; k++)
        for (int64_t u = tu->offsets[k]; u < tu->offsets[k + 1]; u++)
            numbers[u] = values ? values[k] : (double)k;
    dgm_status status = dgm_graph_builder_add_numbers(tu->builder, name, tu->nodes, numbers);
    dgmi_free(tu->ctx, numbers);
    return status;
}

static dgm_status add_graphs(const dgmi_io_tu *tu) {
    dgm_status status = add_by_graph(tu, "graph", NULL);
    return status == DGM_OK && tu->labels ? add_by_graph(tu, "graph_label", tu->labels) : status;
}

/* ---- all of it ---- */

static void note_empty(const dgmi_io_tu *tu) {
    int64_t empty = 0, first = -1;
    for (int64_t k = tu->graphs - 1; k >= 0; k--)
        if (tu->offsets[k] == tu->offsets[k + 1]) {
            empty++;
            first = k;
        }
    if (empty == 1)
        dgmi_note(tu->ctx, "%s: graph %lld (counted from 0) has no nodes", tu->name,
                  (long long)first);
    if (empty > 1)
        dgmi_note(tu->ctx,
                  "%s: %lld of %lld graphs have no nodes, the first of them graph %lld "
                  "(counted from 0)",
                  tu->name, (long long)empty, (long long)tu->graphs, (long long)first);
}

static dgm_status note_rest(const dgmi_io_tu *tu) {
    static const char *const left_out[] = {"edge_labels", "edge_attributes", "graph_attributes"};
    dgm_status status = DGM_OK;
    for (size_t i = 0; status == DGM_OK && i < sizeof left_out / sizeof *left_out; i++) {
        char *file;
        status = dgmi_io_tu_find_file(tu, left_out[i], &file);
        if (status == DGM_OK && file)
            dgmi_note(tu->ctx, "%s is not used", dgmi_bytes_path_last(file));
        dgmi_free(tu->ctx, file);
    }
    return status;
}

dgm_status dgmi_io_tu_read(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                           dgm_graph_builder *builder, dgmi_io_tu *tu) {
    *tu = (dgmi_io_tu){.ctx = ctx, .path = path, .builder = builder};
    if (!find_name(path, ADJACENCY, INDICATOR, tu->name))
        return dgmi_io_tu_fail_half(ctx, path);
    dgm_status status = read_indicator(tu);
    if (status == DGM_OK)
        status = read_graph_labels(tu);
    if (status == DGM_OK)
        status = check_gaps(tu);
    if (status == DGM_OK)
        status = find_places(tu);
    if (status == DGM_OK)
        status = read_adjacency(tu, options);
    if (status == DGM_OK)
        status = reorder(tu);
    if (status == DGM_OK)
        status = add_graphs(tu);
    if (status == DGM_OK)
        status = dgmi_io_tu_read_nodes(tu);
    if (status == DGM_OK) {
        note_empty(tu);
        status = note_rest(tu);
    }
    return status;
}

void dgmi_io_tu_free(dgmi_io_tu *tu) {
    dgmi_free(tu->ctx, tu->graph_of);
    dgmi_free(tu->ctx, tu->labels);
    dgmi_free(tu->ctx, tu->offsets);
    dgmi_free(tu->ctx, tu->rank);
}
