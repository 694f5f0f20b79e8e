/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of src/io share: a context, a folder for files, graphs from text. Include cmocka.h
 * first. */
#ifndef IO_CHECK_H
#define IO_CHECK_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dgm/dgm.h"

static dgm_context *ctx;

#include "unit_balance.h"

static char io_folder[] = "/tmp/dgm-test-XXXXXX";
static char io_notes[4096]; /* since io_read */

static inline void io_keep_note(void *user, const char *note) {
    (void)user;
    size_t used = strlen(io_notes);
    snprintf(io_notes + used, sizeof io_notes - used, "%s\n", note);
}

static inline int io_setup(void **state) {
    (void)state;
    if (!mkdtemp(io_folder) || dgm_context_create(NULL, &ctx) != DGM_OK)
        return 1;
    dgm_context_set_notes(ctx, io_keep_note, NULL);
    return 0;
}

/* Names in the folder, "." and ".." aside. */
static inline int io_count_files(void) {
    int count = 0;
    DIR *directory = opendir(io_folder);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

static inline void io_remove_files(void) {
    DIR *directory = opendir(io_folder);
    for (struct dirent *entry; (entry = readdir(directory));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", io_folder, entry->d_name);
        if (entry->d_name[0] != '.' || strlen(entry->d_name) > 2)
            remove(path);
    }
    closedir(directory);
}

static inline int io_teardown(void **state) {
    (void)state;
    io_remove_files();
    rmdir(io_folder);
    dgm_context_free(ctx);
    return 0;
}

/* A path in the folder; good until the eighth call after. */
static inline const char *io_path(const char *name) {
    static char paths[8][512];
    static int next;
    next = (next + 1) % 8;
    snprintf(paths[next], sizeof paths[next], "%s/%s", io_folder, name);
    return paths[next];
}

static inline const char *io_save(const char *name, const void *data, size_t size) {
    const char *path = io_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* The file's bytes, terminated; freed by the caller. */
static inline char *io_load(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *data = malloc(*size + 1);
    assert_int_equal(fread(data, 1, *size, file), *size);
    data[*size] = '\0';
    fclose(file);
    return data;
}

static inline dgm_graph *io_read(const char *text, const char *name,
                                 const dgm_graph_options *options) {
    dgm_graph *graph;
    io_notes[0] = '\0';
    if (dgm_graph_read_memory(ctx, text, strlen(text), name, DGM_FORMAT_AUTO, options, &graph) !=
        DGM_OK)
        fail_msg("%s", dgm_context_error(ctx));
    return graph;
}

/* The text is refused with DGM_ERROR_FORMAT at that line (0: none), in words that hold `words`. */
static inline void io_refuse(const char *text, const char *name, int64_t line, const char *words) {
    dgm_graph *graph = (dgm_graph *)ctx;
    dgm_status status =
        dgm_graph_read_memory(ctx, text, strlen(text), name, DGM_FORMAT_AUTO, NULL, &graph);
    assert_int_equal(status, DGM_ERROR_FORMAT);
    assert_null(graph);
    dgm_error error = dgm_context_error_parts(ctx);
    if (!strstr(error.message, words))
        fail_msg("\"%s\" is not in \"%s\"", words, dgm_context_error(ctx));
    assert_string_equal(error.file, name);
    assert_int_equal(error.line, line);
    if (!strstr(name, ".graphml") && !strstr(name, ".gexf") && !strstr(name, ".json"))
        assert_int_equal(error.byte, -1); /* other readers count lines alone */
}

/* The name of a node; good until the next call. */
static inline const char *io_name(const dgm_graph *graph, int64_t node) {
    static char name[256];
    dgm_graph_name(graph, node, name, sizeof name);
    return name;
}

static inline void io_assert_edge(const dgm_graph *graph, int64_t u, uint32_t v, double weight) {
    dgm_graph_rows rows = dgm_graph_get_rows(graph);
    for (int64_t i = rows.offsets[u]; i < rows.offsets[u + 1]; i++)
        if (rows.targets[i] == v) {
            assert_true((rows.weights ? rows.weights[i] : 1) == weight);
            return;
        }
    fail_msg("no edge from %lld to %u", (long long)u, v);
}

#endif
