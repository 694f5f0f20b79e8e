/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a dataset folder or a TU folder (FUZZ_FORMAT): the input is cut into files at lines
 * "=== NAME", NAME one of those that such a folder may hold. A TU folder is also read as a set of
 * graphs, whose graphs are looked at one by one, and which comes back the same when it is written.
 */
#include "fuzz_common.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_graph.h"

static const char *const folder_files[] = {"edges.tsv",  "edges.csv", "edges.mtx",   "features.mtx",
                                           "labels.txt", "train.txt", "val.txt",     "test.txt",
                                           "meta.json",  "nodes.csv", "features.npy"};
static const char *const tu_files[] = {"F_A.txt",
                                       "F_graph_indicator.txt",
                                       "F_graph_labels.txt",
                                       "F_node_labels.txt",
                                       "F_node_attributes.txt",
                                       "F_edge_labels.txt",
                                       "10fold_idx/test_idx-1.txt",
                                       "10fold_idx/test_idx-2.txt",
                                       "10fold_idx/test_idx-4.txt"};

static void files(const char *const **names, size_t *count) {
    bool tu = FUZZ_FORMAT == DGM_FORMAT_TU;
    *names = tu ? tu_files : folder_files;
    *count = tu ? sizeof tu_files / sizeof *tu_files : sizeof folder_files / sizeof *folder_files;
}

static unsigned saved; /* a bit for each name whose file is there */

static void remove_files(void) {
    const char *const *names;
    size_t count;
    files(&names, &count);
    for (size_t i = 0; i < count && saved; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", fuzz_folder(), names[i]);
        if (saved >> i & 1)
            unlink(path);
        saved &= ~(1u << i);
    }
}

/* The known name at `at`, ended by a newline, whose file will be there; NULL if there is none. */
static const char *known_name(const char *at, const char *end) {
    const char *const *names;
    size_t count;
    files(&names, &count);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(names[i]);
        if ((size_t)(end - at) > length && memcmp(at, names[i], length) == 0 &&
            at[length] == '\n') {
            saved |= 1u << i;
            return names[i];
        }
    }
    return NULL;
}

static void save_files(const char *at, const char *end) {
    while (at < end) {
        const char *mark = memmem(at, (size_t)(end - at), "=== ", 4);
        const char *name = mark ? known_name(mark + 4, end) : NULL;
        if (!mark)
            return;
        at = mark + 4;
        if (!name)
            continue;
        const char *begin = at + strlen(name) + 1;
        const char *next = memmem(begin, (size_t)(end - begin), "=== ", 4);
        fuzz_save(name, begin, (size_t)((next ? next : end) - begin));
        at = begin;
    }
}

/* ---- sets ---- */

/* Each graph is a graph, and together they have the edges of the union. */
static void check_graphs(dgm_context *ctx, const dgm_graph_set *set, bool directed) {
    enum { FEW = 64 };
    const dgm_graph_options options = {
        .size = sizeof options, .directed = directed, .keep_loops = true};
    const int64_t *offsets = dgm_graph_set_offsets(set);
    int64_t count = dgm_graph_set_count(set), edges = 0;
    for (int64_t k = 0; k < count && count <= FEW; k++) {
        dgm_graph *graph;
        dgm_status status = dgm_graph_set_get(ctx, set, k, &graph);
        fuzz_check_failure(status, graph);
        if (status != DGM_OK)
            return;
        fuzz_refuse("graph of a set", check_graph(graph, &options));
        if (dgm_graph_nodes(graph) != offsets[k + 1] - offsets[k])
            fuzz_refuse("graph of a set", "it has other nodes than the set says");
        edges += dgm_graph_edges(graph);
        dgm_graph_free(graph);
    }
    if (count <= FEW && edges != dgm_graph_edges(dgm_graph_set_union(set)))
        fuzz_refuse("graphs of a set", "they have other edges than the union");
}

static void remove_copy(const char *path) {
    static const char *const parts[] = {"_A.txt", "_graph_indicator.txt", "_graph_labels.txt",
                                        "_node_labels.txt", "_node_attributes.txt"};
    char file[600];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        snprintf(file, sizeof file, "%s/copy%s", path, parts[i]);
        unlink(file);
    }
    for (int fold = 1; fold <= 2; fold++) {
        snprintf(file, sizeof file, "%s/10fold_idx/test_idx-%d.txt", path, fold);
        unlink(file);
    }
    snprintf(file, sizeof file, "%s/10fold_idx", path);
    rmdir(file);
    rmdir(path);
}

/* Without labels nobody counts graphs without nodes at the end. */
static void check_copy(dgm_context *ctx, const dgm_graph_set *set,
                       const dgm_graph_options *options) {
    char path[512];
    dgm_graph_set *copy = NULL;
    snprintf(path, sizeof path, "%s/copy", fuzz_folder());
    dgm_status status = dgm_graph_set_write(ctx, set, path);
    fuzz_check_failure(status, NULL);
    if (status == DGM_OK) {
        const dgm_graph *united = dgm_graph_set_union(set);
        int names = dgm_graph_name_base(united) < 0 ? 0 : CHECK_NAMES;
        status = dgm_graph_set_open(ctx, path, options, &copy);
        if (status != DGM_OK && status != DGM_ERROR_MEMORY)
            fuzz_refuse("written set", dgm_context_error(ctx));
        if (status == DGM_OK)
            fuzz_refuse("written set",
                        check_same_graph(united, dgm_graph_set_union(copy), names | CHECK_TABLES));
        if (status == DGM_OK && dgm_graph_set_classes(set, NULL) &&
            dgm_graph_set_count(set) != dgm_graph_set_count(copy))
            fuzz_refuse("written set", "it has another number of graphs");
        dgm_graph_set_free(copy);
    }
    remove_copy(path);
}

static void check_set(dgm_context *ctx, const dgm_graph_options *options, bool write) {
    dgm_graph_set *set;
    dgm_status status = dgm_graph_set_open(ctx, fuzz_folder(), options, &set);
    fuzz_check_failure(status, set);
    if (status != DGM_OK)
        return;
    fuzz_refuse("union", check_graph(dgm_graph_set_union(set), options));
    check_graphs(ctx, set, options->directed);
    if (write)
        check_copy(ctx, set, options);
    dgm_graph_set_free(set);
}

/* ---- files ---- */

static void remove_index_folder(void) {
    char path[512];
    remove_files();
    snprintf(path, sizeof path, "%s/10fold_idx", fuzz_folder());
    rmdir(path);
}

static void make_index_folder(void) {
    static bool made;
    char path[512];
    if (made)
        return;
    made = true;
    snprintf(path, sizeof path, "%s/10fold_idx", fuzz_folder());
    mkdir(path, 0777);
    atexit(remove_index_folder); /* before the folder itself is removed */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dgm_context *ctx = fuzz_context(data, size);
    unsigned bits = fuzz_bits(data, size);
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.directed = bits & 1;
    options.keep_loops = bits & 2;
    dgm_graph *graph = NULL;
    if (FUZZ_FORMAT == DGM_FORMAT_TU)
        make_index_folder();
    remove_files();
    save_files((const char *)data, (const char *)data + size);
    if (FUZZ_FORMAT == DGM_FORMAT_TU && bits & 12) {
        check_set(ctx, &options, bits & 4);
        return 0;
    }
    dgm_status status = dgm_graph_read(ctx, fuzz_folder(), FUZZ_FORMAT, &options, NULL, &graph);
    fuzz_check_failure(status, graph);
    if (status == DGM_OK)
        fuzz_refuse("graph", check_graph(graph, &options));
    dgm_graph_free(graph);
    return 0;
}
