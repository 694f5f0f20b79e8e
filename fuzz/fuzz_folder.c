/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a dataset folder or a TU folder (FUZZ_FORMAT): the input is cut into files at lines
 * "=== NAME", NAME one of those that such a folder may hold.
 */
#include "fuzz_common.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check_graph.h"

static const char *const folder_files[] = {"edges.tsv",  "edges.csv", "edges.mtx",   "features.mtx",
                                           "labels.txt", "train.txt", "val.txt",     "test.txt",
                                           "meta.json",  "nodes.csv", "features.npy"};
static const char *const tu_files[] = {
    "F_A.txt",           "F_graph_indicator.txt", "F_graph_labels.txt",
    "F_node_labels.txt", "F_node_attributes.txt", "F_edge_labels.txt"};

static void files(const char *const **names, size_t *count) {
    bool tu = FUZZ_FORMAT == DGM_FORMAT_TU;
    *names = tu ? tu_files : folder_files;
    *count = tu ? sizeof tu_files / sizeof *tu_files : sizeof folder_files / sizeof *folder_files;
}

static void remove_files(void) {
    const char *const *names;
    size_t count;
    files(&names, &count);
    for (size_t i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", fuzz_folder(), names[i]);
        unlink(path);
    }
}

/* The known name at `at`, ended by a newline; NULL if there is none. */
static const char *known_name(const char *at, const char *end) {
    const char *const *names;
    size_t count;
    files(&names, &count);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(names[i]);
        if ((size_t)(end - at) > length && memcmp(at, names[i], length) == 0 && at[length] == '\n')
            return names[i];
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    dgm_context *ctx = fuzz_context(size);
    unsigned bits = fuzz_bits(data, size);
    dgm_graph_options options = DGM_GRAPH_OPTIONS_INIT;
    options.directed = bits & 1;
    options.keep_loops = bits & 2;
    dgm_graph *graph = NULL;
    remove_files();
    save_files((const char *)data, (const char *)data + size);
    dgm_status status = dgm_graph_read(ctx, fuzz_folder(), FUZZ_FORMAT, &options, NULL, &graph);
    fuzz_check_failure(status, graph);
    if (status == DGM_OK)
        fuzz_refuse("graph", check_graph(graph, &options));
    dgm_graph_free(graph);
    return 0;
}
