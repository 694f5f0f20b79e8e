/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of graphs from folders, and single graphs out of them.
 *
 *   10fold_idx/test_idx-K.txt  the graphs that are tested in fold K = 1, 2, ..., counted from 0
 *
 * Such index files lie beside the files of some TU folders (io_tu.c). A graph that none of them
 * names is in no fold. The files train_idx-K.txt say nothing new and are not read.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "base_text.h"
#include "bytes_lines.h"
#include "bytes_path.h"
#include "graph_set.h"
#include "io_tu.h"

/* ---- folds ---- */

typedef struct {
    dgm_context *ctx;
    const char *path;
    int64_t graphs;
    int32_t count;
    int32_t *fold; /* of each graph, -1: none so far */
} folds;

/* The path of the index file of a fold, counted from 0; *file is NULL where it is not there. */
static dgm_status find_index(const folds *f, int32_t fold, char **file) {
    char name[64];
    snprintf(name, sizeof name, "10fold_idx/test_idx-%d.txt", (int)fold + 1);
    const char *const names[] = {name, NULL};
    return dgmi_bytes_path_find(f->ctx, f->path, names, file, NULL);
}

static dgm_status take_graphs(folds *f, const dgmi_bytes_lines *lines) {
    char what[80];
    snprintf(what, sizeof what, "one of the %lld graphs (numbers from 0)", (long long)f->graphs);
    dgm_status status = DGM_OK;
    for (int64_t i = 0; status == DGM_OK && i < lines->count; i++) {
        int64_t graph = 0;
        status = dgmi_bytes_lines_integer(lines, i, 0, f->graphs - 1, what, &graph);
        if (status == DGM_OK && f->fold[graph] >= 0)
            status = dgmi_lines_fail(lines, DGM_ERROR_DATA,
                                     "graph %lld stands in test_idx-%d.txt already",
                                     (long long)graph, (int)f->fold[graph] + 1);
        if (status == DGM_OK)
            f->fold[graph] = f->count;
    }
    return status;
}

static dgm_status read_index(folds *f, const char *file) {
    dgmi_bytes_lines lines;
    dgm_status status = dgmi_bytes_lines_open(&lines, f->ctx, file);
    if (status != DGM_OK)
        return status;
    bool any = false;
    while (status == DGM_OK && (status = dgmi_bytes_lines_next(&lines)) == DGM_OK &&
           lines.count > 0) {
        any = true;
        status = take_graphs(f, &lines);
    }
    if (status == DGM_OK && !any)
        status = dgmi_fail_in(f->ctx, DGM_ERROR_DATA, file, "no graph is in this fold");
    dgmi_bytes_lines_close(&lines);
    return status;
}

/* Files are numbered without a gap. */
static dgm_status check_last(const folds *f) {
    for (int32_t fold = f->count + 1; fold <= f->count + 10; fold++) {
        char *file;
        dgm_status status = find_index(f, fold, &file);
        if (status == DGM_OK && file)
            status = dgmi_fail_in(f->ctx, DGM_ERROR_FILE, file,
                                  "test_idx-%d.txt is missing before this file", (int)f->count + 1);
        dgmi_free(f->ctx, file);
        if (status != DGM_OK)
            return status;
    }
    return DGM_OK;
}

/* Each file names a graph that none before it names, so that there are no more files than graphs. */
static dgm_status read_all_folds(folds *f) {
    for (;; f->count++) {
        char *file;
        dgm_status status = find_index(f, f->count, &file);
        if (status != DGM_OK || !file)
            return status == DGM_OK ? check_last(f) : status;
        status = read_index(f, file);
        dgmi_free(f->ctx, file);
        if (status != DGM_OK)
            return status;
    }
}

static void note_left_out(const folds *f) {
    int64_t left = 0;
    for (int64_t k = 0; k < f->graphs; k++)
        left += f->fold[k] < 0;
    if (left)
        dgmi_note(f->ctx, "10fold_idx: %lld of %lld graphs %s in no test fold", (long long)left,
                  (long long)f->graphs, left == 1 ? "is" : "are");
}

static dgm_status read_folds(dgm_context *ctx, const char *path, dgm_graph_set *set) {
    folds f = {.ctx = ctx, .path = path, .graphs = dgm_graph_set_count(set)};
    dgmi_hold hold = dgmi_arena_hold(ctx);
    f.fold = dgmi_scratch(ctx, f.graphs, sizeof *f.fold);
    for (int64_t k = 0; f.fold && k < f.graphs; k++)
        f.fold[k] = -1;
    dgm_status status = f.fold ? read_all_folds(&f) : DGM_ERROR_MEMORY;
    if (status == DGM_OK && f.count > 0) {
        note_left_out(&f);
        status = dgmi_graph_set_give_folds(ctx, set, f.count, f.fold);
    }
    dgmi_arena_release(ctx, hold);
    return status;
}

/* ---- the set ---- */

/* Reads the union; *tu says which of its nodes make a graph. */
static dgm_status read_union(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                             const dgm_graph_tables *tables, dgmi_io_tu *tu, dgm_graph **united) {
    dgm_graph_builder *builder;
    dgm_graph_options whole = *options;
    whole.graph = NULL;
    dgm_status status = dgm_graph_builder_create(ctx, &whole, &builder);
    if (status != DGM_OK)
        return status;
    status = dgmi_io_tu_read(ctx, path, options, builder, tu);
    if (status == DGM_OK && tables && tables->nodes)
        status = dgmi_io_read_node_table(ctx, tables->nodes, builder);
    status = dgmi_io_finish(ctx, builder, status, path, united);
    return status == DGM_OK && tables && tables->labels
               ? dgmi_io_graph_label(ctx, tables->labels, united)
               : status;
}

/* Takes over the union. */
static dgm_status make_set(const dgmi_io_tu *tu, dgm_graph *united, dgm_graph_set **out) {
    dgmi_graph_crossing crossing;
    assert(dgm_graph_nodes(united) == tu->nodes); /* the attribute `graph` has a row for each */
    if (dgmi_graph_set_find_crossing(united, tu->graphs, tu->offsets, &crossing)) {
        dgm_graph_free(united);
        return dgmi_io_tu_fail_crossing(tu);
    }
    return dgm_graph_set_create(tu->ctx, united, tu->graphs, tu->offsets, tu->labels, out);
}

static dgm_status read_set(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                           const dgm_graph_tables *tables, dgm_graph_set **out) {
    dgmi_io_tu tu = {.ctx = ctx};
    dgm_graph *united = NULL;
    dgm_status status = read_union(ctx, path, options, tables, &tu, &united);
    if (status == DGM_OK)
        status = make_set(&tu, united, out);
    dgmi_io_tu_free(&tu);
    return status;
}

bool dgm_graph_set_exists(const char *path) {
    return dgmi_io_is_tu_folder(path);
}

static dgm_status fail_no_set(dgm_context *ctx, const char *path) {
    struct stat facts;
    if (stat(path, &facts) != 0)
        return dgmi_fail_in(ctx, DGM_ERROR_FILE, path,
                            "no such folder; a set of graphs is a folder with NAME_A.txt and "
                            "NAME_graph_indicator.txt");
    if (S_ISDIR(facts.st_mode))
        return dgmi_io_tu_fail_half(ctx, path);
    return dgmi_fail_in(ctx, DGM_ERROR_FILE, path,
                        "this is a file; a set of graphs is a folder with NAME_A.txt and "
                        "NAME_graph_indicator.txt");
}

dgm_status dgm_graph_set_open(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                              dgm_graph_set **out) {
    dgm_graph_options use = DGM_GRAPH_OPTIONS_INIT;
    *out = NULL;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_graph_options, ids, options, &use);
    if (status == DGM_OK && use.graph)
        status = dgmi_fail(ctx, DGM_ERROR_USAGE,
                           DGMI_NAMED("graph") " takes one graph, and a set is wanted here");
    if (status == DGM_OK && !dgm_graph_set_exists(path))
        status = fail_no_set(ctx, path);
    if (status == DGM_OK)
        status = read_set(ctx, path, &use, NULL, out);
    if (status == DGM_OK)
        status = read_folds(ctx, path, *out);
    if (status != DGM_OK) {
        dgm_graph_set_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- one graph ---- */

/* -1: all of them. */
static dgm_status which_graph(dgm_context *ctx, const char *text, int64_t *k) {
    *k = -1;
    if (!text || (dgmi_parse_integer(text, strlen(text), k) && *k >= 0))
        return DGM_OK;
    return dgmi_fail(
        ctx, DGM_ERROR_USAGE,
        DGMI_NAMED("graph") " takes the number of a graph, counted from 0, not '%.40s'", text);
}

/* Frees the set. */
static dgm_status take_graph(dgm_context *ctx, dgm_graph_set *set, int64_t k, dgm_graph **out) {
    if (k >= 0) {
        dgm_status status = dgm_graph_set_get(ctx, set, k, out);
        dgm_graph_set_free(set);
        return status;
    }
    int64_t count = dgm_graph_set_count(set);
    *out = dgmi_graph_set_release(set);
    if (count > 1)
        dgmi_note(ctx,
                  "%s holds %lld graphs, which are taken as one; " DGMI_NAMED(
                      "graph=K") " takes one of them (counted from 0)",
                  dgm_graph_source(*out), (long long)count);
    return DGM_OK;
}

dgm_status dgmi_io_read_tu(dgm_context *ctx, const char *path, const dgm_graph_options *options,
                           const dgm_graph_tables *tables, dgm_graph **out) {
    dgm_graph_set *set = NULL;
    int64_t k;
    dgm_status status = which_graph(ctx, options->graph, &k);
    if (status == DGM_OK)
        status = read_set(ctx, path, options, tables, &set);
    return status == DGM_OK ? take_graph(ctx, set, k, out) : status;
}
